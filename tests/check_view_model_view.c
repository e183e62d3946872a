/* The model view on traces whose weights are all 0 but for those that a test sets. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/draw/heat.h"
#include "headlight/lens/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS_MAX 200

static const char *labels[TOKENS_MAX];
static struct trace *trace;
static struct session shown;
static struct scene scene; /* a copy that tests may change */

/* A scene of a text, the tokens from `boundary` on its second sentence, its last token a
 * separator. */
static void make_pair(size_t layers, size_t heads, size_t tokens, size_t boundary)
{
    struct config config = {.vocabulary = 10,
                            .hidden = heads,
                            .layers = layers,
                            .heads = heads,
                            .feed_forward = 1,
                            .positions = TOKENS_MAX,
                            .segments = 2};
    struct error error;
    ck_assert_int_eq(trace_new(&config, tokens, false, false, 0, &trace, &error), STATUS_OK);
    for (size_t i = 0; i < tokens; i++)
        labels[i] = i + 1 == tokens ? "[SEP]" : "word";
    shown = synthetic_of_trace(trace, labels, boundary);
    ck_assert_ptr_nonnull(shown.data.encoded);
    scene = session_scene(&shown);
    scene.look.view = VIEW_MODEL;
}

static void make(size_t layers, size_t heads, size_t tokens)
{
    make_pair(layers, heads, tokens, tokens);
}

static void end(void)
{
    session_end(&shown);
}

static float *weight(size_t layer, size_t head, size_t from, size_t to)
{
    return &trace->layer[layer].weights[(head * trace->tokens + from) * trace->tokens + to];
}

static struct canvas *draw_with(int columns, int rows, struct traits traits, struct area area)
{
    struct error error;
    struct canvas *canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(draw_model(&scene, canvas, area, &error), STATUS_OK);
    return canvas;
}

static struct canvas *draw(int columns, int rows)
{
    return draw_with(columns, rows, (struct traits){GLYPHS_BRAILLE, false},
                     (struct area){0, 0, rows, columns});
}

/* The ink of half a cell: dots are counted from the top. */
static struct ink dot(const struct canvas *canvas, int y, int x)
{
    const struct cell *cell = canvas_at(canvas, y / 2, x);
    if (strcmp(cell->text, "▀") != 0)
        return cell->style.back;
    return y % 2 ? cell->style.back : cell->style.fore;
}

/* The dots of a head's hue from a level up, the last one's place in y and x. */
static int count_dots(const struct canvas *canvas, size_t head, unsigned level, int *y, int *x)
{
    int count = 0;
    for (int i = 0; i < 2 * canvas->rows; i++)
        for (int j = 0; j < canvas->columns; j++) {
            struct ink ink = dot(canvas, i, j);
            if (ink.role != ink_head(head, 0).role || ink.level < level)
                continue;
            *y = i;
            *x = j;
            count++;
        }
    return count;
}

/* The glyphs of a row as one text. */
static const char *row(const struct canvas *canvas, int y)
{
    static char text[CANVAS_MAX * GLYPH_BYTES];
    text[0] = '\0';
    for (int x = 0; x < canvas->columns; x++)
        strcat(text, canvas_at(canvas, y, x)->text);
    return text;
}

static bool shows(const struct canvas *canvas, const char *text)
{
    for (int y = 0; y < canvas->rows; y++)
        if (strstr(row(canvas, y), text))
            return true;
    return false;
}

/* 3 layers, 4 heads and 5 tokens on 80×24 leave 13 dots by 17 columns: 10 and 15 of them, two dots
 * down and three across a token. */
START_TEST(a_weight_lights_its_dot)
{
    int y, x;
    make(3, 4, 5);
    *weight(2, 1, 3, 4) = 1;
    struct canvas *canvas = draw(80, 24);
    ck_assert_int_eq(count_dots(canvas, 1, STYLE_FULL, &y, &x), 2 * 3);
    ck_assert_int_eq(count_dots(canvas, 1, 2, &y, &x), 2 * 3);
    ck_assert_int_eq(y, 1 + 2 * 12 + 1 + 3 * 2 + 1);
    ck_assert_int_eq(x, 5 + 1 * 16 + 1 + 4 * 3 + 2);
    for (size_t head = 0; head < 4; head++)
        ck_assert_int_eq(count_dots(canvas, head, 2, &y, &x), head == 1 ? 2 * 3 : 0);
    canvas_free(canvas);
    end();
}
END_TEST

/* A dot's shade, dot by dot and weight by weight. */
static unsigned plain_shade(const struct heat *heat, int y, int x)
{
    size_t rows = heat->from.end - heat->from.first, columns = heat->to.end - heat->to.first;
    unsigned shade = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            const float *row = heat->weights + (heat->from.first + i) * heat->attended;
            unsigned next =
                edge_shade(heat->tone, row[heat->to.first + j], edge_largest(row, heat->attended));
            bool down = rows > (size_t)heat->rows ? i * (size_t)heat->rows / rows == (size_t)y
                                                  : (size_t)y * rows / (size_t)heat->rows == i;
            bool across = columns > (size_t)heat->columns
                              ? j * (size_t)heat->columns / columns == (size_t)x
                              : (size_t)x * columns / (size_t)heat->columns == j;
            shade = down && across && next > shade ? next : shade;
        }
    return shade;
}

/* More tokens than dots and fewer, the one a multiple of the other; some hidden by the filter.
 * Shades become levels in order. */
START_TEST(a_map_has_the_largest_shade_of_each_dot)
{
    static const int sizes[][2] = {{10, 10}, {5, 40}, {40, 20}};
    make_pair(1, 1, 40, 20);
    for (size_t i = 0; i < 40 * 40; i++)
        trace->layer[0].weights[i] = (float)(i * 7919 % 1009 % 91) / (float)(200 + i / 40 * 30);
    scene.look.tone = (enum tone)(_i % TONE_COUNT);
    scene.look.filter = _i < TONE_COUNT ? FILTER_ALL : FILTER_BB;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        float largest[40 * 40];
        struct heat heat = scene_heat(&scene, 0);
        struct canvas *canvas = canvas_new(60, 60, (struct traits){GLYPHS_BRAILLE, false});
        unsigned least[STYLE_FULL + 1] = {0}, most[STYLE_FULL + 1] = {0};
        heat.rows = sizes[i][0];
        heat.columns = sizes[i][1];
        heat.weights = trace->layer[0].weights;
        heat_measure(&heat, largest);
        heat_draw(&heat, largest, canvas, 0, 0);
        for (int dots = 0; dots < heat.rows * heat.columns; dots++) {
            int y = dots / heat.columns, x = dots % heat.columns;
            unsigned shade = plain_shade(&heat, y, x) + 1, level = dot(canvas, y, x).level;
            least[level] = least[level] == 0 || shade < least[level] ? shade : least[level];
            most[level] = shade > most[level] ? shade : most[level];
        }
        for (unsigned level = 1, before = 0; level <= STYLE_FULL; level++) {
            ck_assert(most[level] == 0 || least[level] > before);
            before = most[level] > before ? most[level] : before;
        }
        canvas_free(canvas);
    }
    end();
}
END_TEST

/* 200 tokens in 13 dots by 17: each weight alone lights one dot, as bright as if it stood alone. */
START_TEST(a_dot_takes_the_largest_weight)
{
    static const size_t places[][2] = {{0, 0}, {199, 199}, {0, 199}, {100, 57}, {46, 150}};
    make(3, 4, 200);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t from = places[i][0], to = places[i][1];
        int y, x;
        memset(trace->layer[1].weights, 0, 4 * 200 * 200 * sizeof(float));
        *weight(1, 2, from, to) = 1;
        *weight(1, 2, from, to > 100 ? to - 1 : to + 1) = 0.01F;
        struct canvas *canvas = draw(80, 25);
        ck_assert_int_eq(count_dots(canvas, 2, STYLE_FULL, &y, &x), 1);
        ck_assert_int_eq((y - (1 + 14 + 1)), (int)((from * 13 + 12) / 200));
        ck_assert_int_eq((x - (5 + 2 * 18 + 1)), (int)((to * 17 + 16) / 200));
        canvas_free(canvas);
    }
    end();
}
END_TEST

START_TEST(brightness_follows_the_weight)
{
    int y, x;
    unsigned before = 0;
    make(1, 1, 4);
    for (unsigned i = 0; i <= 16; i++) {
        *weight(0, 0, 1, 2) = (float)i / 16;
        struct canvas *canvas = draw(80, 24);
        unsigned level = STYLE_FULL;
        while (level > 1 && count_dots(canvas, 0, level, &y, &x) == 0)
            level--;
        ck_assert_uint_ge(level, i == 0 ? 1 : before);
        before = level;
        canvas_free(canvas);
    }
    ck_assert_uint_eq(before, STYLE_FULL);
    end();
}
END_TEST

START_TEST(a_filter_leaves_its_part)
{
    int y, x;
    make_pair(1, 1, 8, 4);
    *weight(0, 0, 1, 1) = *weight(0, 0, 1, 5) = *weight(0, 0, 2, 6) = 1;
    struct canvas *all = draw(80, 24);
    scene.look.filter = FILTER_AB;
    struct canvas *part = draw(80, 24);
    scene.look.filter = FILTER_BA;
    struct canvas *none = draw(80, 24);
    int tokens_all = count_dots(all, 0, STYLE_FULL, &y, &x);
    int tokens_part = count_dots(part, 0, STYLE_FULL, &y, &x);
    ck_assert_int_eq(tokens_all, 3 * (40 / 8) * (72 / 8));
    ck_assert_int_eq(tokens_part, 2 * (40 / 4) * (72 / 4));
    ck_assert_int_eq(count_dots(none, 0, 2, &y, &x), 0);
    canvas_free(all);
    canvas_free(part);
    canvas_free(none);
    end();
}
END_TEST

START_TEST(heads_that_are_off_are_dimmer)
{
    int y, x;
    make(2, 3, 5);
    for (size_t head = 0; head < 3; head++)
        *weight(0, head, 1, 1) = 1;
    scene.look.heads = 5;
    struct canvas *canvas = draw(80, 24);
    ck_assert_int_gt(count_dots(canvas, 0, STYLE_FULL, &y, &x), 0);
    ck_assert_int_gt(count_dots(canvas, 1, 4, &y, &x), 0);
    ck_assert_int_eq(count_dots(canvas, 1, 6, &y, &x), 0);
    ck_assert_int_gt(count_dots(canvas, 2, STYLE_FULL, &y, &x), 0);
    canvas_free(canvas);
    end();
}
END_TEST

/* The box around the frame's dots, in dots. */
static struct area frame_of(const struct canvas *canvas)
{
    struct area box = {0, 0, 0, 0};
    int bottom = -1, right = -1;
    for (int y = 0; y < 2 * canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++)
            if (dot(canvas, y, x).role == ROLE_STRONG) {
                box.y = bottom < 0 ? y : box.y;
                box.x = right < 0 || x < box.x ? x : box.x;
                bottom = y;
                right = x > right ? x : right;
            }
    box.rows = bottom + 1 - box.y;
    box.columns = right + 1 - box.x;
    return box;
}

/* The frame is whole, the thumbnail in it is that of the cursor, and its numbers stand out. */
START_TEST(the_cursor_is_always_in_sight)
{
    make(24, 16, 9);
    for (size_t layer = 0; layer < 24; layer++)
        for (size_t head = 0; head < 16; head++) {
            scene.look.layer = layer;
            scene.look.head = head;
            *weight(layer, head, 0, 0) = 1;
            struct canvas *canvas = draw(80, 21);
            struct area frame = frame_of(canvas);
            ck_assert_int_eq(frame.rows, 5);
            ck_assert_int_eq(frame.columns, 5);
            struct ink inside = dot(canvas, frame.y + 1, frame.x + 1);
            ck_assert_uint_eq(inside.role, ROLE_HUE + head);
            ck_assert_uint_eq(inside.level, STYLE_FULL);
            *weight(layer, head, 0, 0) = 0;
            canvas_free(canvas);
        }
    end();
}
END_TEST

START_TEST(arrows_say_where_more_lies)
{
    make(40, 64, 5);
    scene.look.layer = 20;
    scene.look.head = 30;
    struct canvas *middle = draw(80, 24);
    ck_assert(shows(middle, "↑") && shows(middle, "↓"));
    ck_assert(strstr(row(middle, 0), "←") && strstr(row(middle, 0), "→"));
    scene.look.layer = scene.look.head = 0;
    struct canvas *begin = draw(80, 24);
    ck_assert(!shows(begin, "↑") && shows(begin, "↓"));
    ck_assert(!shows(begin, "←") && strstr(row(begin, 0), "→"));
    scene.look.layer = 39;
    scene.look.head = 63;
    struct canvas *last = draw(80, 24);
    ck_assert(shows(last, "↑") && !shows(last, "↓"));
    ck_assert(strstr(row(last, 0), "←") && !strstr(row(last, 0), "→"));
    canvas_free(middle);
    canvas_free(begin);
    canvas_free(last);
    end();
}
END_TEST

/* In the legend's row, whose text gives way. */
START_TEST(the_legend_says_how_much_more_lies_where)
{
    make(14, 40, 5);
    scene.look.layer = 7;
    scene.look.head = 20;
    struct canvas *canvas = draw(80, 21);
    size_t above, below, left, right;
    bool seen[14] = {false}, seen_head[40] = {false};
    for (int y = 0; y < 21; y++)
        for (int x = 0; x < 80; x++)
            if (canvas_hit(canvas, y, x).kind == HIT_THUMBNAIL) {
                seen[canvas_hit(canvas, y, x).value / 40] = true;
                seen_head[canvas_hit(canvas, y, x).value % 40] = true;
            }
    for (above = 0; !seen[above];)
        above++;
    for (below = 0; !seen[13 - below];)
        below++;
    for (left = 0; !seen_head[left];)
        left++;
    for (right = 0; !seen_head[39 - right];)
        right++;
    char text[80];
    snprintf(text, sizeof text, " %zu layers above, %zu below, %zu heads left, %zu right", above,
             below, left, right);
    ck_assert_msg(strstr(row(canvas, 19), text), "%s, not %s", row(canvas, 19), text);
    ck_assert_ptr_nonnull(strstr(row(canvas, 19), "  down: layers"));
    canvas_free(canvas);
    scene.look.layer = 13;
    canvas = draw(80, 21);
    ck_assert_ptr_nonnull(strstr(row(canvas, 19), " 5 layers above, 11 heads"));
    canvas_free(canvas);
    end();
    make(2, 2, 5);
    canvas = draw(80, 21);
    ck_assert(!shows(canvas, "above") && !shows(canvas, "right "));
    canvas_free(canvas);
    end();
}
END_TEST

/* The row above the enlarged head says what it leaves out. */
START_TEST(the_enlarged_head_says_what_is_missing)
{
    make(2, 2, 5);
    *weight(0, 0, 1, 2) = *weight(0, 0, 3, 0) = *weight(0, 0, 4, 4) = 0.3F;
    struct canvas *canvas = draw(120, 35);
    ck_assert_ptr_nonnull(strstr(row(canvas, 1), "3 lines, 22 hidden"));
    canvas_free(canvas);
    scene.look.filter = FILTER_BB;
    canvas = draw(120, 35);
    ck_assert_ptr_nonnull(strstr(row(canvas, 1), "no tokens that fit the filter"));
    canvas_free(canvas);
    end();
    make(2, 2, 40);
    for (int lined = 0; lined < 2; lined++) {
        scene.look.lined = lined;
        canvas = draw(120, 35);
        ck_assert_ptr_nonnull(strstr(row(canvas, 1), "no room for the words of 40 tokens"));
        canvas_free(canvas);
    }
    end();
}
END_TEST

START_TEST(nothing_is_drawn_outside_the_area)
{
    static const struct traits traits[] = {
        {GLYPHS_BRAILLE, false}, {GLYPHS_BRAILLE, true}, {GLYPHS_ASCII, false}};
    static const size_t shapes[][3] = {{8, 8, 13}, {24, 16, 30}, {1, 1, 1}, {2, 64, 3}, {40, 2, 7}};
    static const int columns[] = {60, 61, 63, 79, 80, 99, 100, 101, 120, 200};
    size_t shape = (size_t)_i % 5;
    make(shapes[shape][0], shapes[shape][1], shapes[shape][2]);
    scene.look.layer = scene.data.layers - 1;
    scene.look.head = scene.data.head_count - 1;
    for (size_t i = 0; i < scene.data.tokens; i++)
        *weight(scene.look.layer, scene.look.head, i, scene.data.tokens - 1 - i) = 1;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        for (int rows = 9; rows <= 60; rows += rows < 24 ? 1 : 6)
            view_check_inside_as(draw_model, &scene, columns[i], rows, traits[_i / 5]);
    end();
}
END_TEST

/* The numbers beside the picture and in the last row are those of the lens. */
START_TEST(numbers_are_those_of_the_lens)
{
    static const char *const names[] = {"previous",   "next",    "self",     "first",
                                        "separators", "entropy", "distance", "maximum"};
    struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    bool separators[13] = {[6] = true};
    struct error error;
    struct canvas *canvas = canvas_new(120, 35, (struct traits){GLYPHS_BRAILLE, false});
    session.state.look.layer = 1;
    session.state.look.head = 1;
    struct head_metrics metrics = metrics_measure(session.data.encoded->trace, 1, 1, separators);
    ck_assert_int_eq(draw_model(scene_of(&session), canvas, canvas_area(canvas), &error),
                     STATUS_OK);
    const double values[] = {metrics.previous, metrics.next,       metrics.self,
                             metrics.first,    metrics.separators, metrics.entropy,
                             metrics.distance, metrics.maximum};
    for (size_t i = 0; i < 8; i++) {
        char number[32];
        snprintf(number, sizeof number, " %.2f", values[i]);
        const char *name = strstr(row(canvas, 29 + (int)i % 4), names[i]);
        ck_assert_ptr_nonnull(name);
        const char *place = strstr(name, number);
        ck_assert_msg(place && place - name <= 16, "%s%s", names[i], number);
    }
    char entropy[64];
    snprintf(entropy, sizeof entropy, "layer 1 head 1   next %.2f   entropy %.2f bits   strongest",
             metrics.next, metrics.entropy);
    ck_assert_msg(strstr(row(canvas, 34), entropy), "%s", row(canvas, 34));
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

START_TEST(the_last_row_names_the_strongest_edge)
{
    make(2, 2, 5);
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        ((const char **)shown.data.attention->tokens[side].labels)[3] = "time";
    scene.look.head = 1;
    for (size_t i = 1; i < 5; i++)
        *weight(0, 1, i, i - 1) = 0.75F;
    *weight(0, 1, 4, 3) = 0.999F;
    struct canvas *canvas = draw(90, 21);
    ck_assert_ptr_nonnull(strstr(row(canvas, 20), "layer 0 head 1   previous 0.81   entropy 0.19 "
                                                  "bits   strongest [SEP] → time 0.999"));
    canvas_free(canvas);
    canvas = draw(80, 21); /* too narrow for all of it */
    ck_assert_ptr_nonnull(strstr(row(canvas, 20), "previous 0.81   strongest [SEP] → time 0.999"));
    canvas_free(canvas);
    scene.look.filter = FILTER_BB;
    canvas = draw(80, 21);
    ck_assert_ptr_nonnull(strstr(row(canvas, 20), "no tokens that fit the filter"));
    canvas_free(canvas);
    end();
}
END_TEST

/* Without colour and in ASCII the glyphs say the weight, and a line is the frame. */
START_TEST(density_says_the_weight)
{
    make(1, 1, 3);
    *weight(0, 0, 0, 0) = 1;
    *weight(0, 0, 1, 1) = 0.3F;
    struct area area = {0, 0, 9, 60};
    struct canvas *mono = draw_with(60, 9, (struct traits){GLYPHS_BRAILLE, true}, area);
    ck_assert_ptr_nonnull(strstr(row(mono, 0), "┌──"));
    ck_assert_ptr_nonnull(strstr(row(mono, 1), "│██"));
    ck_assert_ptr_nonnull(strstr(row(mono, 2), "│··"));
    ck_assert_ptr_nonnull(strstr(row(mono, 2), "·▒▒"));
    ck_assert_ptr_nonnull(strstr(row(mono, 3), "··│"));
    struct canvas *ascii = draw_with(60, 9, (struct traits){GLYPHS_ASCII, false}, area);
    ck_assert_ptr_nonnull(strstr(row(ascii, 0), "+--"));
    ck_assert_ptr_nonnull(strstr(row(ascii, 1), "|##"));
    ck_assert_ptr_nonnull(strstr(row(ascii, 2), "..++"));
    canvas_free(mono);
    canvas_free(ascii);
    end();
}
END_TEST

Suite *suite_view_model_view(void)
{
    Suite *suite = suite_create("view/model view");
    TCase *tests = tcase_create("grid"), *slow = slow_case("sizes");
    tcase_set_timeout(slow, 120);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_weight_lights_its_dot);
    tcase_add_loop_test(tests, a_map_has_the_largest_shade_of_each_dot, 0, 2 * TONE_COUNT);
    tcase_add_test(tests, a_dot_takes_the_largest_weight);
    tcase_add_test(tests, brightness_follows_the_weight);
    tcase_add_test(tests, a_filter_leaves_its_part);
    tcase_add_test(tests, heads_that_are_off_are_dimmer);
    tcase_add_test(tests, the_cursor_is_always_in_sight);
    tcase_add_test(tests, arrows_say_where_more_lies);
    tcase_add_test(tests, the_legend_says_how_much_more_lies_where);
    tcase_add_test(tests, the_enlarged_head_says_what_is_missing);
    tcase_add_loop_test(slow, nothing_is_drawn_outside_the_area, 0, 15);
    tcase_add_test(tests, numbers_are_those_of_the_lens);
    tcase_add_test(tests, the_last_row_names_the_strongest_edge);
    tcase_add_test(tests, density_says_the_weight);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, slow);
    return suite;
}
