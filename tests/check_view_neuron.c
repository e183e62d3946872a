/* The neuron view's columns and rows where a script can't look: bars, pitch, recordings, any size.
 */
#include "headlight/model/trace_new.h"
#include "neuron_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Columns ---- */

static void assert_in_order(int y, const char *const *headings, size_t count)
{
    int before = -1;
    for (size_t i = 0; i < count; i++) {
        int x = column_of(y, headings[i]);
        ck_assert_msg(x > before, "\"%s\" in \"%s\"", headings[i], view_row(canvas, y));
        before = x;
    }
}

TESTS(.base = &neuron_tests);

/* From 110 columns on, with as many dimensions in a cell as that takes. */
TEST(all_steps_stand_side_by_side, .times = 3)
{
    static const char *const headings[] = {"query q", "key k",   "q × k", "q·k",
                                           "softmax", "value v", "a × v"};
    static const size_t dimensions[] = {32, 64, 128};
    neuron_begin(dimensions[_i]);
    neuron_draw(110, 30);
    assert_in_order(0, headings, _i < 2 ? 7 : 1);
    ck_assert(view_shows(canvas, "Σ"));
    ck_assert_int_eq(view_shows(canvas, "the largest of some numbers"), _i > 0);
}

/* Two bands of 64 dimensions and the weight on 80 columns, with every dimension in sight. */
TEST(sixty_four_dimensions_fit_on_80_columns)
{
    neuron_begin(64);
    set_weights();
    for (int valued = 0; valued < 2; valued++) {
        session.state.look.valued = valued;
        neuron_draw(80, 24);
        ck_assert(!view_shows(canvas, "of 64"));
        int y = row_of("f"), cells = 0;
        for (int x = 0; x < 80; x++)
            cells += strcmp(canvas_at(canvas, y, x)->text, "▌") == 0;
        ck_assert_int_eq(cells, 64);
        assert_on_row(y, "0.498");
    }
}

/* Where the bar is under the number, both begin in one column. */
TEST(a_bar_hangs_at_its_number)
{
    neuron_begin(32);
    set_weights();
    neuron_draw(200, 60);
    int y = row_of("f"), x = column_of(y, "0.498");
    ck_assert_str_eq(canvas_at(canvas, y + 1, x)->text, "█");
    ck_assert_str_eq(canvas_at(canvas, y + 1, x - 1)->text, " ");
}

/* ---- Rows ---- */

/* A pair's second sentence begins after a blank row where there is room for one; the other rows are
 * at an even pitch. */
TEST(sentences_are_marked_and_rows_even)
{
    for (int rows = 18; rows <= 60; rows++)
        for (int columns = 60; columns <= 200; columns += 35) {
            int before = -1, pitch = -1;
            session_anew(letters, T, 6, 4, 32);
            session.state.look.view = VIEW_NEURON;
            session.state.look.from = 2;
            neuron_draw(columns, rows);
            ck_assert_str_eq(label_of(row_of("A")), "A");
            int b = row_of("B"), last = -1;
            for (int y = 2; y < rows - 2; y++) {
                if (canvas_hit(canvas, y, 0).place[0] != HIT(from) ||
                    (last >= 0 && hit_equal(canvas_hit(canvas, y, 0), canvas_hit(canvas, last, 0))))
                    continue;
                last = y;
                if (before >= 0 && y != b)
                    ck_assert_msg(pitch < 0 || y - before == pitch, "row %d of %d", y, rows);
                pitch = before >= 0 && y != b ? y - before : pitch;
                if (y == b)
                    ck_assert_uint_eq(canvas_hit(canvas, y, 0).value[0], 6);
                if (y == b && rows >= 20)
                    ck_assert_msg(y - before == pitch + 1, "%d×%d", columns, rows);
                before = y;
            }
        }
}

#define MANY 40

/* ---- Recordings ---- */

TEST(missing_tensors_are_said_or_left_out)
{
    neuron_begin(32);
    struct layer_trace whole = *layer;
    layer->query.data = layer->key.data = NULL;
    session.state.look.listed = true;
    neuron_draw(80, 24);
    ck_assert(row_has(0, "value v") && !view_shows(canvas, "recording")); /* what there is */
    layer->value.data = NULL;
    neuron_draw(80, 24);
    assert_on_row(8, "this recording has no query and key in layer 1: the neuron view needs both");
    ck_assert(!view_shows(canvas, "softmax") && !view_shows(canvas, "score"));
    assert_on_row(23, "weight");
    *layer = whole;
    layer->key.data = layer->value.data = NULL;
    neuron_draw(80, 24);
    assert_on_row(8, "this recording has no key in layer 1");
    *layer = whole;
    layer->value.data = NULL;
    session.state.look.valued = true;
    neuron_draw(200, 60);
    ck_assert(row_has(0, "key k") && !row_has(0, "v") && !view_shows(canvas, "Σ"));
    layer->key.data = NULL;
    neuron_draw(80, 24);
    assert_on_row(8, "this recording has no key in layer 1");
    *layer = whole;
}

TEST(scores_are_computed_where_they_are_missing)
{
    char expected[64];
    neuron_begin(32);
    float *scores = layer->scores;
    static const double factors[] = {1, 0.1767766952966369, 0.5}; /* of √D = √32 */
    static const char *const headings[] = {"q·k/√32", "q·k ", "q·k/2.83"};
    for (int i = 0; i < 3; i++) {
        session.data.divisor = sqrt(32) * factors[i];
        layer->scores = NULL;
        neuron_draw(120, 40);
        layer->scores = scores;
        assert_on_row(0, headings[i]);
        for (size_t key = 0; key < T; key++) {
            double score = (double)trace_score(trace, LAYER, HEAD, QUERY, key);
            snprintf(expected, sizeof expected, "%+.1f", score / factors[i]);
            expected[strlen(expected) - 2] = '\0'; /* rounding may differ behind the point */
            assert_on_row(row_of(letters[key]), expected);
        }
    }
}

/* Few queries, ten keys of other names, four heads of 32 dimensions, zeros but for the weights. */
static void make_unequal(size_t queries)
{
    static const char *const names[] = {"Q", "R", "S", "U", "V", "W", "X"};
    struct token_side sides[] = {{.count = queries, .boundary = queries, .labels = names},
                                 {.count = T, .boundary = T, .labels = letters}};
    struct config config = {.vocabulary = 10,
                            .hidden = 128,
                            .layers = 2,
                            .heads = 4,
                            .feed_forward = 4,
                            .positions = 100,
                            .segments = 2};
    struct encoded *encoded;
    struct error error;
    neuron_begin(32);
    struct look look = session.state.look;
    session_end(&session);
    ck_assert_int_eq(trace_blank(&config, T, NULL, 0, &trace, &error), STATUS_OK);
    trace->tokens = queries; /* its tensors have room for more */
    layer = &trace->layer[LAYER];
    ck_assert_int_eq(encoded_of_trace(trace, sides, &encoded, &error), STATUS_OK);
    encoded->trace_owned = true;
    session = (struct session){.state.look = look,
                               .data = {.model = "synthetic", .layers = 2, .head_count = 4}};
    session.state.look.from = session.state.look.to = NO_TOKEN;
    ck_assert_int_eq(session_take(&session, encoded, true, &error), STATUS_OK);
    for (size_t to = 0; to < T; to++)
        *query_weight(to) = to == 6 ? 0.75F : 0.0278F;
}

TEST(unequal_sides_show_the_chosen_query_above)
{
    make_unequal(5);
    session.state.look.from = QUERY;
    for (int valued = 0; valued < 2; valued++) {
        session.state.look.valued = valued;
        neuron_draw(80, 24);
        assert_on_row(1, "▸");
        ck_assert_str_eq(label_of(1), "U");
        ck_assert(!row_has(0, "query q "));
        ck_assert_int_eq(row_has(0, "query q, keys k"), !valued);
        for (size_t key = 0; key < T; key++) {
            struct hit hit = canvas_hit(canvas, row_of(letters[key]), 3);
            ck_assert_int_eq(hit.place[0], HIT(to));
            ck_assert_uint_eq(hit.value[0], key);
        }
        assert_on_row(row_of("g"), "0.750");
        assert_on_row(23, "U → g");
    }
    session.state.look.to = 8;
    session.state.look.side = SIDE_RIGHT;
    neuron_draw(200, 60);
    assert_on_row(59, "U → i");
    ck_assert(row_has(row_of("i"), "▸"));
    make_unequal(2); /* fewer queries than keys, a chosen key that is no query */
    session.state.look.to = 9;
    neuron_draw(80, 24);
    assert_on_row(23, "Q → j");
}

/* ---- Any size, any output ---- */

static const struct fixture slow_tests = {.base = &neuron_tests, .slow = true};

TEST(any_size_is_drawn_inside, .times = 11, .with = &slow_tests)
{
    static const size_t dimensions[] = {1, 2, 3, 16, 31, 32, 64, 65, 128, 255, 256};
    size_t D = dimensions[_i];
    for (int state = 0; state < 16; state++) {
        neuron_begin(D);
        if (state == 15) {
            make_unequal(7);
        }
        session.state.look.valued = state & 1;
        session.state.look.listed = state & 2;
        session.state.look.dimension = state & 4 ? D - 1 : NO_TOKEN;
        session.state.look.to = state & 8 ? 6 : NO_TOKEN;
        for (int columns = 60 + 7 * (state % 3); columns <= 300;
             columns += columns < 130 ? 3 * 7 : 2 * 31)
            for (int rows = 9; rows <= 76; rows += rows < 24 ? 3 : 17)
                view_check_inside_as(draw_neuron, scene_of(&session), columns, rows,
                                     (struct traits){GLYPHS_BRAILLE, false});
    }
}

TEST(plain_output_is_plain)
{
    neuron_begin(32);
    session.state.look.listed = true;
    session.state.look.dimension = 3;
    for (int valued = 0; valued < 2; valued++)
        for (int columns = 60; columns <= 240; columns += 45) {
            session.state.look.valued = valued;
            neuron_draw_as(columns, 40, (struct traits){GLYPHS_ASCII, false});
            for (int y = 0; y < 40; y++)
                for (int x = 0; x < columns; x++)
                    if (canvas_at(canvas, y, x)->text[0] < ' ')
                        ck_abort_msg("at %d,%d", y, x);
            neuron_draw_as(columns, 40, (struct traits){GLYPHS_BRAILLE, true});
            view_check_inside_as(draw_neuron, scene_of(&session), columns, 40,
                                 (struct traits){GLYPHS_BLOCKS, false});
        }
    session.state.look.valued = true;
    neuron_draw_as(120, 40, (struct traits){GLYPHS_ASCII, false});
    ck_assert(view_shows(canvas, "context sum") && view_shows(canvas, "a x v"));
}
