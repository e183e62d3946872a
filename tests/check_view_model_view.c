/* The model view: heat maps, the cursor among them, and what is outside. */
#include "model_view_helpers.h"
#include "suites.h"

#include "headlight/draw/heat.h"
#include "headlight/lens/metrics.h"

#include <stdio.h>
#include <string.h>

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

TESTS(.base = &model_view_tests);

/* 3 layers, 4 heads and 5 tokens on 80×24 leave 13 dots by 17 columns: 10 and 15 of them, two dots
 * down and three across a token. */
TEST(a_weight_lights_its_dot)
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
}

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
TEST(a_map_has_the_largest_shade_of_each_dot, .times = 2 * TONE_COUNT)
{
    static const int sizes[][2] = {{10, 10}, {5, 40}, {40, 20}};
    make_pair(1, 1, 40, 20);
    for (size_t i = 0; i < 40 * 40; i++)
        weights_of(0)[i] = (float)(i * 7919 % 1009 % 91) / (float)(200 + i / 40 * 30);
    session.state.look.tone = (enum tone)(_i % TONE_COUNT);
    session.state.look.filter = _i < TONE_COUNT ? FILTER_ALL : FILTER_BB;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        float largest[40 * 40];
        struct heat heat = scene_heat(scene_of(&session), 0);
        struct canvas *canvas = canvas_new(60, 60, (struct traits){GLYPHS_BRAILLE, false});
        unsigned least[STYLE_FULL + 1] = {0}, most[STYLE_FULL + 1] = {0};
        heat.rows = sizes[i][0];
        heat.columns = sizes[i][1];
        heat.weights = weights_of(0);
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
}

/* 200 tokens in 13 dots by 17: each weight alone lights one dot, as bright as if it stood alone. */
TEST(a_dot_takes_the_largest_weight)
{
    static const size_t places[][2] = {{0, 0}, {199, 199}, {0, 199}, {100, 57}, {46, 150}};
    make(3, 4, 200);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t from = places[i][0], to = places[i][1];
        int y, x;
        memset(weights_of(1), 0, 4 * 200 * 200 * sizeof(float));
        *weight(1, 2, from, to) = 1;
        *weight(1, 2, from, to > 100 ? to - 1 : to + 1) = 0.01F;
        struct canvas *canvas = draw(80, 25);
        ck_assert_int_eq(count_dots(canvas, 2, STYLE_FULL, &y, &x), 1);
        ck_assert_int_eq((y - (1 + 14 + 1)), (int)((from * 13 + 12) / 200));
        ck_assert_int_eq((x - (5 + 2 * 18 + 1)), (int)((to * 17 + 16) / 200));
        canvas_free(canvas);
    }
}

TEST(brightness_follows_the_weight)
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
}

TEST(a_filter_leaves_its_part)
{
    int y, x;
    make_pair(1, 1, 8, 4);
    *weight(0, 0, 1, 1) = *weight(0, 0, 1, 5) = *weight(0, 0, 2, 6) = 1;
    struct canvas *all = draw(80, 24);
    session.state.look.filter = FILTER_AB;
    struct canvas *part = draw(80, 24);
    session.state.look.filter = FILTER_BA;
    struct canvas *none = draw(80, 24);
    int tokens_all = count_dots(all, 0, STYLE_FULL, &y, &x);
    int tokens_part = count_dots(part, 0, STYLE_FULL, &y, &x);
    ck_assert_int_eq(tokens_all, 3 * (40 / 8) * (72 / 8));
    ck_assert_int_eq(tokens_part, 2 * (40 / 4) * (72 / 4));
    ck_assert_int_eq(count_dots(none, 0, 2, &y, &x), 0);
    canvas_free(all);
    canvas_free(part);
    canvas_free(none);
}

/* Three heads whose first layer has the same heavy weight. */
static void make_sentences(void)
{
    make(2, 3, 5);
    for (size_t head = 0; head < 3; head++)
        *weight(0, head, 1, 1) = 1;
}

TEST(heads_that_are_off_are_dimmer)
{
    int y, x;
    make_sentences();
    session.state.look.heads = 5;
    struct canvas *canvas = draw(80, 24);
    ck_assert_int_gt(count_dots(canvas, 0, STYLE_FULL, &y, &x), 0);
    ck_assert_int_gt(count_dots(canvas, 1, 4, &y, &x), 0);
    ck_assert_int_eq(count_dots(canvas, 1, 6, &y, &x), 0);
    ck_assert_int_gt(count_dots(canvas, 2, STYLE_FULL, &y, &x), 0);
    canvas_free(canvas);
}

/* It stands alone in the head view. */
TEST(one_head_alone_dims_none)
{
    int y, x;
    make_sentences();
    session.state.look.heads = 2;
    struct canvas *canvas = draw(80, 24);
    for (size_t head = 0; head < 3; head++)
        ck_assert_int_gt(count_dots(canvas, head, STYLE_FULL, &y, &x), 0);
    canvas_free(canvas);
}

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
TEST(the_cursor_is_always_in_sight)
{
    make(24, 16, 9);
    for (size_t layer = 0; layer < 24; layer++)
        for (size_t head = 0; head < 16; head++) {
            session.state.look.layer = layer;
            session.state.look.head = head;
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
}

TEST(arrows_say_where_more_lies)
{
    make(40, 64, 5);
    session.state.look.layer = 20;
    session.state.look.head = 30;
    struct canvas *middle = draw(80, 24);
    ck_assert(view_shows(middle, "↑") && view_shows(middle, "↓"));
    ck_assert(strstr(view_row(middle, 0), "←") && strstr(view_row(middle, 0), "→"));
    session.state.look.layer = session.state.look.head = 0;
    struct canvas *begin = draw(80, 24);
    ck_assert(!view_shows(begin, "↑") && view_shows(begin, "↓"));
    ck_assert(!view_shows(begin, "←") && strstr(view_row(begin, 0), "→"));
    session.state.look.layer = 39;
    session.state.look.head = 63;
    struct canvas *last = draw(80, 24);
    ck_assert(view_shows(last, "↑") && !view_shows(last, "↓"));
    ck_assert(strstr(view_row(last, 0), "←") && !strstr(view_row(last, 0), "→"));
    canvas_free(middle);
    canvas_free(begin);
    canvas_free(last);
}

/* In the legend's row, whose text gives way. */
TEST(the_legend_says_how_much_more_lies_where)
{
    make(14, 40, 5);
    session.state.look.layer = 7;
    session.state.look.head = 20;
    struct canvas *canvas = draw(80, 21);
    size_t above, below, left, right;
    bool seen[14] = {false}, seen_head[40] = {false};
    for (int y = 0; y < 21; y++)
        for (int x = 0; x < 80; x++)
            if (canvas_hit(canvas, y, x).place[1] == HIT(head)) {
                seen[canvas_hit(canvas, y, x).value[0]] = true;
                seen_head[canvas_hit(canvas, y, x).value[1]] = true;
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
    snprintf(text, sizeof text, " %zu above, %zu below, %zu left, %zu right", above, below, left,
             right);
    ck_assert_msg(strstr(view_row(canvas, 19), text), "%s, not %s", view_row(canvas, 19), text);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 19), "  a map: rows attend to columns  "));
    canvas_free(canvas);
    session.state.look.layer = 13;
    canvas = draw(80, 21);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 19), " 5 above, 11 "));
    canvas_free(canvas);
    make(2, 2, 5);
    canvas = draw(80, 21);
    ck_assert(!view_shows(canvas, "above") && !view_shows(canvas, "right "));
    canvas_free(canvas);
}

/* The row above the enlarged head says what it leaves out. */
TEST(the_enlarged_head_says_what_is_missing)
{
    make(2, 2, 5);
    *weight(0, 0, 1, 2) = *weight(0, 0, 3, 0) = *weight(0, 0, 4, 4) = 0.3F;
    struct canvas *canvas = draw(120, 35);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 1), "3 of 25 lines"));
    canvas_free(canvas);
    session.state.look.threshold = 301;
    canvas = draw(120, 35);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 1), "0 of 25 lines"));
    canvas_free(canvas);
    session.state.look.threshold = 0;
    session.state.look.filter = FILTER_BB;
    canvas = draw(120, 35);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 1), "no tokens that fit the filter"));
    canvas_free(canvas);
    make(2, 2, 40);
    for (int lined = 0; lined < 2; lined++) {
        session.state.look.lined = lined;
        canvas = draw(120, 35);
        ck_assert_ptr_nonnull(strstr(view_row(canvas, 1), "no room for the words of 40 tokens"));
        canvas_free(canvas);
    }
}

static const struct fixture slow_tests = {.base = &model_view_tests, .slow = true};

TEST(nothing_is_drawn_outside_the_area, .times = 15, .with = &slow_tests)
{
    static const struct traits traits[] = {
        {GLYPHS_BRAILLE, false}, {GLYPHS_BRAILLE, true}, {GLYPHS_ASCII, false}};
    static const size_t shapes[][3] = {{8, 8, 13}, {24, 16, 30}, {1, 1, 1}, {2, 64, 3}, {40, 2, 7}};
    static const int columns[] = {60, 61, 63, 79, 80, 99, 100, 101, 120, 200};
    size_t shape = (size_t)_i % 5;
    make(shapes[shape][0], shapes[shape][1], shapes[shape][2]);
    session.state.look.layer = session.data.layers - 1;
    session.state.look.head = session.data.head_count - 1;
    for (size_t i = 0; i < session.data.tokens; i++)
        *weight(session.state.look.layer, session.state.look.head, i, session.data.tokens - 1 - i) =
            1;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        for (int rows = 9; rows <= 60; rows += rows < 24 ? 1 : 6)
            view_check_inside_as(draw_model, scene_of(&session), columns[i], rows, traits[_i / 5]);
}

TEST(the_last_row_names_the_strongest_edge)
{
    make(2, 2, 5);
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        ((const char **)session.data.attention->tokens[side].labels)[3] = "time";
    session.state.look.head = 1;
    for (size_t i = 1; i < 5; i++)
        *weight(0, 1, i, i - 1) = 0.75F;
    *weight(0, 1, 4, 3) = 0.999F;
    struct canvas *canvas = draw(80, 21); /* heavier is the one from [SEP] */
    ck_assert_msg(
        strstr(view_row(canvas, 20), "strongest between words  word₂ → word₁   0.750   head 0.1"),
        "%s", view_row(canvas, 20));
    canvas_free(canvas);
    for (size_t i = 1; i < 4; i++) /* between words all are light now */
        *weight(0, 1, i, i - 1) = 0.01F;
    canvas = draw(90, 21);
    ck_assert_msg(strstr(view_row(canvas, 20), "  strongest  [SEP] → time   0.999"), "%s",
                  view_row(canvas, 20));
    canvas_free(canvas);
    session.state.look.filter = FILTER_BB;
    canvas = draw(80, 21);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 20), "no tokens that fit the filter"));
    canvas_free(canvas);
}

/* Without colour and in ASCII the glyphs say the weight, and a line is the frame. */
TEST(density_says_the_weight)
{
    make(1, 1, 3);
    *weight(0, 0, 0, 0) = 1;
    *weight(0, 0, 1, 1) = 0.3F;
    struct canvas *mono = draw_as(60, 9, (struct traits){GLYPHS_BRAILLE, true});
    ck_assert_ptr_nonnull(strstr(view_row(mono, 0), "┌──"));
    ck_assert_ptr_nonnull(strstr(view_row(mono, 1), "│██"));
    ck_assert_ptr_nonnull(strstr(view_row(mono, 2), "│··"));
    ck_assert_ptr_nonnull(strstr(view_row(mono, 2), "·▒▒"));
    ck_assert_ptr_nonnull(strstr(view_row(mono, 3), "··│"));
    struct canvas *ascii = draw_as(60, 9, (struct traits){GLYPHS_ASCII, false});
    ck_assert_ptr_nonnull(strstr(view_row(ascii, 0), "+--"));
    ck_assert_ptr_nonnull(strstr(view_row(ascii, 1), "|##"));
    ck_assert_ptr_nonnull(strstr(view_row(ascii, 2), "..++"));
    canvas_free(mono);
    canvas_free(ascii);
}
