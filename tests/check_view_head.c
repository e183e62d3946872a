/* check_view_head.c: the chips beside the tokens of the other side, and the lines of a pair. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include <math.h>
#include <string.h>

#define TOKENS 13

/* The hundredths on a chip are those of the weight, not of its thousandths: 0.19469 is 19. */
TEST(chips_round_once)
{
    static const struct {
        float weight;
        const char *chip;
    } cases[] = {{0.19469F, " 19 "}, {0.19531F, " 20 "}, {0.7345F, " 73 "}, {0.1049F, " 10 "}};
    struct session session = synthetic_session(synthetic_pair, TOKENS, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    struct layer_trace *layer = &session.data.encoded->trace->layer[0];
    session.state.look.from = 3;
    session.state.look.heads = 3;
    for (size_t head = 0; head < 4; head++)
        memset(layer->weights + (head * TOKENS + 3) * TOKENS, 0, TOKENS * sizeof(float));
    for (int i = 0; i < COUNT(cases); i++) {
        layer->weights[3 * TOKENS + 5] = cases[i].weight;
        struct canvas *canvas = view_drawn(draw_head, scene_of(&session), 120, 40);
        const char *row = NULL;
        for (int y = 0; y < canvas->rows - 2 && !row; y++) {
            const char *text = view_row(canvas, y);
            const char *label = strstr(text, synthetic_pair[5]);
            row = label ? strstr(label + 1, synthetic_pair[5]) : NULL;
        }
        ck_assert_msg(row && strstr(row, cases[i].chip), "%s in \"%s\"", cases[i].chip,
                      row ? row : "no row");
        canvas_free(canvas);
    }
    session_end(&session);
}

/* Draws the lines of the token 3 with or without its pair with the token 5, as curves. */
static struct canvas *draw_fan(bool pinned, uint64_t heads)
{
    struct session session = synthetic_session(synthetic_pair, TOKENS, 7, 4, 8);
    struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert(canvas && session.data.encoded);
    session.state.look.from = 3;
    session.state.look.to = pinned ? 5 : NO_TOKEN;
    session.state.look.side = pinned ? SIDE_RIGHT : SIDE_LEFT;
    session.state.look.heads = heads;
    canvas->curves = true;
    draw_head(scene_of(&session), canvas, canvas_area(canvas));
    ck_assert_int_eq(canvas->error.status, STATUS_OK);
    session_end(&session);
    return canvas;
}

static const struct stroke *stroke_like(const struct canvas *canvas, const struct stroke *like)
{
    const struct field *field = &canvas->fields[0];
    for (size_t i = 0; i < field->count; i++)
        if (fabsf(field->strokes[i].to - like->to) < 1e-6F)
            return &field->strokes[i];
    return NULL;
}

/* Choosing a pair changes no width: thickness is the weight. Its line alone is full; the others are
 * as faint as can be, grey of one head, in their hues of several. */
TEST(a_chosen_pair_keeps_all_widths)
{
    for (uint64_t heads = 1; heads <= 3; heads += 2) {
        struct canvas *before = draw_fan(false, heads), *pinned = draw_fan(true, heads);
        const struct field *field = &pinned->fields[0];
        const float chosen = floorf(field->strokes[field->count - 1].to);
        size_t full = 0, wider = 0;
        for (size_t i = 0; i < field->count; i++) {
            const struct stroke *stroke = &field->strokes[i];
            const struct stroke *same = stroke_like(before, stroke);
            ck_assert(same && fabsf(stroke->width - same->width) < 1e-6F);
            bool is_chosen = floorf(stroke->to) == chosen;
            ck_assert_uint_eq(stroke->ink.level, is_chosen ? STYLE_FULL : 0);
            ck_assert_int_eq(stroke->ink.role == ROLE_FAINT, !is_chosen && heads == 1);
            full += is_chosen;
            wider += stroke->width > field->strokes[0].width;
        }
        ck_assert_uint_eq(full, heads == 1 ? 1 : 2); /* a line for each head */
        ck_assert_uint_gt(wider, 1);
        ck_assert(view_shows(before, "thicker, fuller: more"));
        ck_assert(view_shows(pinned, "thicker: more") && !view_shows(pinned, "fuller"));
        canvas_free(before);
        canvas_free(pinned);
    }
}

/* For the back of a room the lines that the sentence names are the brightest, here between the same
 * words, though heavier ones are there; and none is thinner than on the desk. */
TEST(lines_of_the_sentence_are_the_brightest)
{
    static const char *const across[] = {"a", "b", "c", "b", "d"};
    struct session session = synthetic_session(across, 5, 2, 1, 2);
    float *weights = session.data.encoded->trace->layer[0].weights;
    memset(weights, 0, 25 * sizeof *weights);
    for (size_t from = 0; from < 5; from++)
        weights[from * 5 + (from == 1 ? 3 : from == 3 ? 1 : from)] = from % 2 == 1 ? 0.8F : 1;
    look_show_alone(&session.state.look, 0);
    for (int rows = 10; rows <= 30; rows += 20) {
        struct canvas *canvas[2];
        for (int presented = 0; presented < 2; presented++) {
            canvas[presented] = canvas_new(120, rows, (struct traits){GLYPHS_BRAILLE, false});
            canvas[presented]->curves = true;
            session.state.look.presented = presented;
            draw_head(scene_of(&session), canvas[presented], canvas_area(canvas[presented]));
        }
        const struct field *stage = &canvas[1]->fields[0];
        ck_assert_uint_eq(stage->count, 5);
        for (size_t i = 0; i < stage->count; i++) {
            const struct stroke *stroke = &stage->strokes[i],
                                *desk = stroke_like(canvas[0], stroke);
            const bool named = fabsf(stroke->from - stroke->to) > 0.5F;
            ck_assert_int_eq(stroke->ink.level == STYLE_FULL, named);
            ck_assert_int_eq(desk->ink.level == STYLE_FULL, !named);
            ck_assert_float_ge(stroke->width, desk->width);
        }
        canvas_free(canvas[0]);
        canvas_free(canvas[1]);
    }
    session_end(&session);
}

/* Whether a stroke leaves above another one, or arrives above it. */
static float leaves_above(const struct stroke *a, const struct stroke *b)
{
    return b->from - a->from;
}

static float arrives_above(const struct stroke *a, const struct stroke *b)
{
    return b->to - a->to;
}

/* No two lines of a token lie on each other; they are in the order of their other ends, and side by
 * side where these are one token. */
static void assert_lanes(const struct field *field,
                         float (*here)(const struct stroke *, const struct stroke *),
                         float (*there)(const struct stroke *, const struct stroke *))
{
    const struct stroke top = {0};
    for (size_t i = 0; i < field->count; i++) {
        const struct stroke *a = &field->strokes[i];
        const float row = floorf(here(&top, a));
        ck_assert_float_le(fabsf(here(&top, a) - row - 0.5F) + a->width / 2, 0.4F + 1e-4F);
        for (size_t j = 0; j < field->count; j++) {
            const struct stroke *b = &field->strokes[j];
            if (i == j || floorf(here(&top, b)) != row)
                continue;
            ck_assert_float_gt(fabsf(here(a, b)), 1e-4F);
            ck_assert_float_gt(here(a, b) * there(a, b), 0);
        }
    }
}

/* All heads of a text, and of one token. */
TEST(every_line_has_lanes_of_its_own)
{
    struct session session = synthetic_session(synthetic_pair, TOKENS, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    for (int chosen = 0; chosen < 3; chosen++) {
        struct canvas *canvas = canvas_new(120, chosen == 2 ? 24 : 40, (struct traits){0});
        size_t heads = 0;
        ck_assert_ptr_nonnull(canvas);
        canvas->curves = true;
        session.state.look.heads = 15;
        session.state.look.from = chosen == 1 ? 3 : NO_TOKEN;
        draw_head(scene_of(&session), canvas, canvas_area(canvas));
        ck_assert_int_eq(canvas->error.status, STATUS_OK);
        const struct field *field = &canvas->fields[0];
        assert_lanes(field, leaves_above, arrives_above);
        assert_lanes(field, arrives_above, leaves_above);
        for (size_t i = 0; i < field->count; i++)
            heads |= (size_t)1 << (field->strokes[i].ink.role - ROLE_HUE);
        ck_assert_uint_eq(heads, 15);
        canvas_free(canvas);
    }
    session_end(&session);
}

/* The bars that stand for the weights of a row, or for the sums of a column. */
static void write_bars(const struct session *session, enum side side, size_t token, char *text)
{
    static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const struct attention *attention = session->data.attention;
    *text = '\0';
    for (size_t head = 0; head < 4; head++) {
        float most = 0, sum = 0;
        for (size_t i = 0; i < TOKENS; i++) {
            most = fmaxf(most, attention_weight(attention, 0, head, token, i));
            sum += attention_weight(attention, 0, head, i, token);
        }
        strcat(text, bars[lrintf(8 * (side == SIDE_LEFT ? most : fminf(sum / 2, 1)))]);
    }
}

/* With several heads and the room, unless one token's chips take it. */
TEST(bars_tell_what_each_head_gives_and_gets)
{
    struct session session = synthetic_session(synthetic_pair, TOKENS, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    char left[32], right[32];
    size_t seen = 0;
    for (int i = 0; i < 4; i++) {
        session.state.look.heads = i == 2 ? 1 : 15;
        session.state.look.from = i == 3 ? 3 : NO_TOKEN;
        struct canvas *canvas = view_drawn(draw_head, scene_of(&session), i == 1 ? 60 : 120, 40);
        ck_assert_int_eq(view_shows(canvas, "bars: most given"), i == 0);
        for (int y = 1; y < canvas->rows - 1; y++) {
            const struct hit hit = canvas_hit(canvas, y, 12);
            const char *row = view_row(canvas, y);
            if (i > 0 || hit.place[0] != HIT(from))
                continue;
            write_bars(&session, SIDE_LEFT, hit.value[0], left);
            write_bars(&session, SIDE_RIGHT, hit.value[0], right);
            ck_assert_msg(strstr(row, left) && strstr(row, right), "\"%s\", \"%s\": %s", left,
                          right, row);
            seen++;
        }
        canvas_free(canvas);
    }
    ck_assert_uint_eq(seen, TOKENS);
    session_end(&session);
}

/* Grey, and said in words; and a weight that the change left alone stands once. */
TEST(a_head_that_is_off_looks_off)
{
    struct session session = synthetic_session(synthetic_pair, TOKENS, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    struct interventions network = {.off = {2}};
    struct scene scene = *scene_of(&session);
    scene.data.network = &network;
    scene.data.unchanged = session.data.encoded;
    for (size_t head = 0; head < 2; head++) {
        struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
        ck_assert_ptr_nonnull(canvas);
        canvas->curves = true;
        look_show_alone(&scene.look, head);
        draw_head(&scene, canvas, canvas_area(canvas));
        ck_assert_int_eq(canvas->error.status, STATUS_OK);
        ck_assert_uint_gt(canvas->fields[0].count, 0);
        for (size_t i = 0; i < canvas->fields[0].count; i++)
            ck_assert_uint_eq(canvas->fields[0].strokes[i].ink.role,
                              head == 1 ? ROLE_FAINT : ROLE_HUE);
        ck_assert(view_shows(canvas, "head 0.1 off") == (head == 1));
        ck_assert(!view_shows(canvas, "←"));
        canvas_free(canvas);
    }
    session_end(&session);
}

/* With one head's bars beside the tokens, # would write each number a second time. */
TEST(numbers_stand_once)
{
    struct session session = synthetic_session(synthetic_pair, TOKENS, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.from = 3;
    session.state.look.numbers = true;
    look_show_alone(&session.state.look, 0);
    struct canvas *canvas = view_drawn(draw_head, scene_of(&session), 120, 40);
    for (int y = 1; y < canvas->rows - 1; y++) {
        const char *number = strstr(view_row(canvas, y), " 0.");
        ck_assert_msg(!number || !strstr(number + 1, " 0."), "%s", view_row(canvas, y));
    }
    canvas_free(canvas);
    session_end(&session);
}
