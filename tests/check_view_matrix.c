/* The matrix view. Tokens are named a, b, c …, so that a label can be looked up on the canvas and
 * the cell where its row and its column meet be compared with the trace. */
#include "colors.h"
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/lens/metrics.h"
#include "headlight/view/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD  2
#define LAYER 1

static const char *const letters[26] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                        "s", "t", "u", "v", "w", "x", "y", "z"};

static const struct traits colour = {GLYPHS_BRAILLE, false};

/* A session at head 2 of layer 1 with the cursor at (from, to). */
static struct session make(const char *const *labels, size_t tokens, size_t boundary, size_t from,
                           size_t to)
{
    struct session session = synthetic_session(labels, tokens, boundary, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.view = VIEW_MATRIX;
    session.state.look.layer = LAYER;
    session.state.look.head = HEAD;
    session.state.look.from = from;
    session.state.look.to = to;
    return session;
}

static struct canvas *draw(const struct session *session, int columns, int rows,
                           struct traits traits)
{
    struct canvas *canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    draw_matrix(scene_of(session), canvas, canvas_area(canvas));
    ck_assert_int_eq(canvas->error.status, STATUS_OK);
    return canvas;
}

static float *weight_at(struct session *session, size_t from, size_t to)
{
    size_t tokens = session->data.tokens;
    return &session->data.encoded->trace->layer[LAYER]
                .weights[(HEAD * tokens + from) * tokens + to];
}

/* Of the map, which has the full shade. */
static float largest_of(struct session *session)
{
    size_t count = session->data.encoded->trace->tokens;
    float largest = 0;
    for (size_t i = 0; i < count * count; i++)
        largest = fmaxf(largest, *weight_at(session, i / count, i % count));
    return largest;
}

/* The first place from row `y` on; fails when there is none. */
static struct view_place find(const struct canvas *canvas, int y, const char *text)
{
    const struct view_place place = view_find(canvas, y, text);
    ck_assert_msg(place.y >= 0, "\"%s\" is not on screen", text);
    return place;
}

/* The first place of a label, which answers to clicks, unlike other text. */
static struct view_place find_label(const struct canvas *canvas, int y, const char *text)
{
    struct view_place place = find(canvas, y, text);
    while (canvas_hit(canvas, place.y, place.x).place[0] == HIT_NOTHING) {
        int x = place.x + 1;
        while (x < canvas->columns && strcmp(canvas_at(canvas, place.y, x)->text, text) != 0)
            x++;
        place =
            x < canvas->columns ? (struct view_place){place.y, x} : find(canvas, place.y + 1, text);
    }
    return place;
}

/* Where the labels say that a cell is: column labels stand in one row above all row labels. */
static struct view_place meeting(const struct canvas *canvas, size_t from, size_t to)
{
    int top = find_label(canvas, 0, letters[0]).y;
    struct view_place column = find_label(canvas, 0, letters[to]);
    ck_assert_int_eq(column.y, top);
    return (struct view_place){find_label(canvas, top + 1, letters[from]).y, column.x};
}

static const struct cell *cell_at(const struct canvas *canvas, size_t from, size_t to)
{
    struct view_place place = meeting(canvas, from, to);
    return canvas_at(canvas, place.y, place.x);
}

static void assert_last_row_has(const struct canvas *canvas, const char *expected)
{
    const char *text = view_row(canvas, canvas->rows - 1);
    ck_assert_msg(strstr(text, expected) != NULL, "no \"%s\" in \"%s\"", expected, text);
}

/* ---- Strength ---- */

TEST(levels_grow_with_weight)
{
    for (unsigned weight = 1; weight <= 1000; weight++) {
        ck_assert_uint_ge(grid_level(weight), grid_level(weight - 1));
        ck_assert_uint_ge(grid_step(weight), grid_step(weight - 1));
    }
    ck_assert_uint_eq(grid_level(9), 0);
    ck_assert_uint_eq(grid_level(10), 3);
    ck_assert_uint_eq(grid_level(50), 5);
    ck_assert_uint_eq(grid_level(100), 6);
    ck_assert_uint_eq(grid_level(250), 9);
    ck_assert_uint_eq(grid_level(500), 11);
    ck_assert_uint_eq(grid_level(1000), STYLE_FULL);
    ck_assert_uint_eq(grid_step(9), 0);
    ck_assert_uint_eq(grid_step(1000), 4);
}

/* ---- Cells ---- */

static const struct {
    size_t tokens, boundary;
    int columns, rows;
} fitting[] = {{7, 7, 120, 40}, {7, 4, 80, 24},   {13, 7, 80, 24},
               {13, 7, 60, 22}, {13, 7, 200, 60}, {26, 13, 120, 40}};

/* Where the labels of a row and a column meet, the ground is as strong as that very weight. */
TEST(labels_line_up_with_cells, .times = COUNT(fitting))
{
    size_t tokens = fitting[_i].tokens;
    struct session session = make(letters, tokens, fitting[_i].boundary, NO_TOKEN, NO_TOKEN);
    struct canvas *canvas = draw(&session, fitting[_i].columns, fitting[_i].rows, colour);
    float largest = largest_of(&session);
    for (size_t from = 0; from < tokens; from++)
        for (size_t to = 0; to < tokens; to++) {
            float share = *weight_at(&session, from, to) / largest;
            unsigned level = grid_level(edge_thousandths(share));
            struct ink back = cell_at(canvas, from, to)->style.back;
            ck_assert_uint_eq(back.level, level);
            ck_assert_uint_eq(back.role, level ? ROLE_HUE + HEAD : ROLE_GROUND);
        }
    canvas_free(canvas);
    session_end(&session);
}

/* Without colour, and on a console of 8 colours, four weights are four glyphs. */
TEST(glyphs_tell_weights_apart, .times = 4)
{
    static const struct traits traits[] = {{GLYPHS_BRAILLE, true},
                                           {GLYPHS_BLOCKS, false},
                                           {GLYPHS_ASCII, false},
                                           {GLYPHS_ASCII, true}};
    static const float weights[] = {0, 0.1F, 0.5F, 1};
    struct session session = make(letters, 26, 26, NO_TOKEN, NO_TOKEN);
    for (size_t i = 0; i < 4; i++)
        *weight_at(&session, 5, 8 + i) = weights[i];
    struct canvas *canvas = draw(&session, 120, 40, traits[_i]);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(cell_at(canvas, 5, 8 + i)->text, cell_at(canvas, 5, 8 + j)->text);
    for (int i = 0; i < 40 * 120 && traits[_i].glyphs == GLYPHS_ASCII; i++)
        ck_assert_int_lt((unsigned char)canvas->cells[i].text[0], 0x80);
    canvas_free(canvas);
    session_end(&session);
}

/* Large cells hold their number, in as many digits as find room, rounded once. */
TEST(cells_hold_their_numbers, .times = 8)
{
    static const struct {
        size_t tokens;
        int columns, rows;
        const char *number;
        float weight;
    } cases[] = {
        {13, 80, 24, ".42", 0.417F},     {13, 120, 40, "0.42", 0.417F},
        {7, 120, 40, "0.417", 0.417F},   {13, 80, 24, ".19", 0.19469F},
        {13, 120, 40, "0.19", 0.19469F}, {7, 120, 40, "0.195", 0.19469F},
        {13, 120, 40, "0.99", 0.9949F},  {13, 120, 40, "1.00", 0.9951F},
    };
    struct session session = make(letters, cases[_i].tokens, cases[_i].tokens, NO_TOKEN, NO_TOKEN);
    *weight_at(&session, 4, 2) = cases[_i].weight;
    struct canvas *canvas = draw(&session, cases[_i].columns, cases[_i].rows, colour);
    struct view_place place = meeting(canvas, 4, 2);
    char text[64] = "";
    for (int x = place.x - 3; x <= place.x + 3; x++)
        strcat(text, canvas_at(canvas, place.y, x)->text);
    ck_assert_msg(strstr(text, cases[_i].number) != NULL, "\"%s\"", text);
    canvas_free(canvas);
    session_end(&session);
}

/* ---- The cursor and the boundary ---- */

/* Of all cells but the last row's the one that is bold and holds the glyph; fails unless it is one.
 */
static struct view_place only_bold(const struct canvas *canvas, const char *text)
{
    struct view_place place = {-1, -1};
    for (int y = 0; y < canvas->rows - 1; y++)
        for (int x = 0; x < canvas->columns; x++) {
            const struct cell *cell = canvas_at(canvas, y, x);
            if (!cell->style.bold || strcmp(cell->text, text) != 0)
                continue;
            ck_assert_int_eq(place.y, -1);
            place = (struct view_place){y, x};
        }
    ck_assert_msg(place.y >= 0, "no \"%s\"", text);
    return place;
}

/* The chosen cell is on screen, in the row and under the column whose labels are marked. */
static void assert_cursor_in_sight(const struct session *session, struct traits traits)
{
    struct canvas *canvas = draw(session, 80, 24, traits);
    struct view_place open = only_bold(canvas, "["), close = only_bold(canvas, "]");
    int marked_rows = 0, marked_columns = 0;
    ck_assert_int_eq(open.y, close.y);
    for (int x = 0; x < open.x; x++)
        marked_rows += canvas_at(canvas, open.y, x)->style.back.role == ROLE_CURSOR;
    for (int y = 0; y < open.y; y++)
        for (int x = open.x; x <= close.x; x++)
            marked_columns += canvas_at(canvas, y, x)->style.back.role == ROLE_CURSOR;
    ck_assert_int_eq(marked_rows, 1);
    ck_assert_int_eq(marked_columns, 1);
    canvas_free(canvas);
}

TEST(cursor_stays_in_sight)
{
    const char *labels[200];
    for (size_t i = 0; i < 200; i++)
        labels[i] = "w";
    struct session session = make(labels, 200, 90, 0, 0);
    for (size_t i = 0; i < 200; i++) {
        session.state.look.from = i;
        session.state.look.to = i * 7 % 200;
        assert_cursor_in_sight(&session, (struct traits){GLYPHS_BRAILLE, i % 2});
        session.state.look.to = i;
        assert_cursor_in_sight(&session, (struct traits){GLYPHS_BRAILLE, i % 2});
    }
    session_end(&session);
}

/* The empty cells of the chosen row and column have another ground than those beside them. */
TEST(row_and_column_are_highlighted)
{
    struct session session = make(letters, 13, 13, 4, 6);
    *weight_at(&session, 4, 0) = *weight_at(&session, 0, 6) = *weight_at(&session, 0, 0) = 0;
    struct canvas *canvas = draw(&session, 80, 24, colour);
    ck_assert_uint_eq(cell_at(canvas, 0, 0)->style.back.level, 0);
    ck_assert_uint_gt(cell_at(canvas, 4, 0)->style.back.level, 0);
    ck_assert_uint_gt(cell_at(canvas, 0, 6)->style.back.level, 0);
    canvas_free(canvas);
    session_end(&session);
}

/* For the back of a room the cells that the sentence names, here of the same words, have the hue
 * alone, though fuller ones are there; all are as full as on the desk. */
TEST(cells_of_the_sentence_have_the_hue)
{
    static const char *const across[] = {"a", "b", "c", "b", "d"};
    struct session session = make(across, 5, 2, NO_TOKEN, NO_TOKEN);
    struct canvas *canvas[2];
    int seen = 0;
    for (size_t i = 0; i < 25; i++)
        *weight_at(&session, i / 5, i % 5) = 0;
    for (size_t from = 0; from < 5; from++)
        *weight_at(&session, from, from % 2 == 1 ? 4 - from : from) = from % 2 == 1 ? 0.8F : 1;
    for (int presented = 0; presented < 2; presented++) {
        session.state.look.presented = presented;
        canvas[presented] = draw(&session, 80, 24, colour);
    }
    for (int i = 0; i < 80 * 24; i++) {
        const struct hit *hit = &canvas[1]->hits[i];
        const struct ink ink = canvas[1]->cells[i].style.back,
                         desk = canvas[0]->cells[i].style.back;
        if (hit->place[0] != HIT(from) || hit->place[1] != HIT(to) || ink.level == 0)
            continue;
        ck_assert_int_eq(ink.role != ROLE_FAINT, hit->value[0] != hit->value[1]);
        ck_assert(ink.level == desk.level && desk.role != ROLE_FAINT);
        seen |= 1 << hit->value[0];
    }
    ck_assert_int_eq(seen, 31);
    canvas_free(canvas[0]);
    canvas_free(canvas[1]);
    session_end(&session);
}

/* One more row and column at the boundary of a pair, and a line in it. */
TEST(boundary_is_drawn)
{
    struct session session = make(letters, 13, 7, NO_TOKEN, NO_TOKEN);
    struct canvas *canvas = draw(&session, 80, 24, colour);
    struct view_place before = meeting(canvas, 6, 6), after = meeting(canvas, 7, 7);
    struct view_place earlier = meeting(canvas, 5, 5);
    ck_assert_int_eq(after.x - before.x, before.x - earlier.x + 1);
    ck_assert_int_eq(after.y - before.y, before.y - earlier.y + 1);
    ck_assert_ptr_nonnull(strstr(view_row(canvas, before.y), "│"));
    ck_assert_str_eq(canvas_at(canvas, after.y - 1, after.x)->text, "─");
    canvas_free(canvas);
    session.data.attention->tokens[SIDE_LEFT].boundary = 13;
    session.data.attention->tokens[SIDE_RIGHT].boundary = 13;
    canvas = draw(&session, 80, 24, colour);
    ck_assert_ptr_null(strstr(view_row(canvas, before.y), "│"));
    canvas_free(canvas);
    session_end(&session);
}

/* Cross-attention: attended tokens are others, and so is where their second sentence begins. */
TEST(sentences_of_unequal_sides_are_named)
{
    static const char *const queries[] = {"q", "r", "s", "t", "u"};
    struct token_side sides[] = {{.count = 5, .boundary = 3, .labels = queries},
                                 {.count = 8, .boundary = 6, .labels = letters}};
    struct session session = make(letters, 8, 8, NO_TOKEN, NO_TOKEN), unequal = session;
    struct error error;
    session.data.encoded->trace->tokens = 5; /* its tensors have room for more */
    ck_assert_int_eq(
        encoded_of_trace(session.data.encoded->trace, sides, &unequal.data.encoded, &error),
        STATUS_OK);
    unequal.data.attention = NULL;
    unequal.data.map = NULL;
    unequal.history = NULL;
    ck_assert_int_eq(session_take(&unequal, unequal.data.encoded, true, &error), STATUS_OK);
    struct canvas *canvas = draw(&unequal, 120, 40, colour);
    int top = find(canvas, 0, "A").y;
    ck_assert_int_lt(top, find_label(canvas, 0, "a").y);
    for (size_t i = 0; i < 2; i++) {
        const char *name = i == 0 ? "A" : "B";
        struct view_place above = find(canvas, 0, name), beside = find(canvas, top + 1, name);
        ck_assert_int_eq(above.y, top);
        ck_assert_int_eq(above.x, find_label(canvas, 0, letters[i == 0 ? 0 : 6]).x);
        ck_assert_int_eq(beside.y, find_label(canvas, top + 1, queries[i == 0 ? 0 : 3]).y);
        ck_assert_int_lt(beside.x, find(canvas, top + 1, "q").x);
    }
    canvas_free(canvas);
    session_end(&unequal);
    session.data.encoded->trace->tokens = 8;
    session_end(&session);
}

/* ---- Any size ---- */

/* Draws inside a border of three cells and looks whether the border is as it was. */
static void assert_stays_inside(const struct session *session, int columns, int rows)
{
    struct style border = {.fore = ink_full(ROLE_WARNING), .back = ink_full(ROLE_WARNING)};
    struct area area = {3, 3, rows, columns};
    struct canvas *canvas = canvas_new(columns + 6, rows + 6, colour);
    ck_assert_ptr_nonnull(canvas);
    canvas_fill(canvas, canvas_area(canvas), border);
    draw_matrix(scene_of(session), canvas, area);
    ck_assert_int_eq(canvas->error.status, STATUS_OK);
    for (int y = 0; y < rows + 6; y++)
        for (int x = 0; x < columns + 6; x++)
            if (y < 3 || y >= rows + 3 || x < 3 || x >= columns + 3)
                ck_assert_msg(canvas_at(canvas, y, x)->style.back.role == ROLE_WARNING,
                              "%dx%d draws at row %d column %d", columns, rows, y - 3, x - 3);
    canvas_free(canvas);
}

static const struct fixture slow_tests = {.slow = true};

TEST(stays_inside_at_any_size, .times = 4, .with = &slow_tests)
{
    static const struct {
        size_t tokens, boundary, from, to;
    } cases[] = {{1, 1, NO_TOKEN, NO_TOKEN}, {13, 7, 2, 12}, {60, 20, 59, 0}, {200, 199, 150, 199}};
    static const char *const kinds[] = {"the", "日本", "##ing", "attention-seekingly-long",
                                        "\x1b["};
    const char *labels[200];
    for (size_t i = 0; i < 200; i++)
        labels[i] = kinds[i % 5];
    struct session session =
        make(labels, cases[_i].tokens, cases[_i].boundary, cases[_i].from, cases[_i].to);
    for (int filter = FILTER_ALL; filter < FILTER_COUNT; filter++) {
        session.state.look.filter = (enum filter)filter;
        for (int columns = 60; columns <= 200; columns += filter == FILTER_ALL ? 10 : 70)
            for (int rows = 9; rows <= 60; rows += filter == FILTER_ALL ? 3 : 17)
                assert_stays_inside(&session, columns, rows);
    }
    for (int size = 1; size < 60; size++)
        canvas_free(draw(&session, size, size, colour));
    session_end(&session);
}

TEST(empty_ranges_are_said)
{
    struct session session = make(letters, 7, 7, NO_TOKEN, NO_TOKEN);
    session.state.look.filter = FILTER_BB;
    struct canvas *canvas = draw(&session, 80, 24, colour);
    assert_last_row_has(canvas, "no tokens that fit the filter");
    canvas_free(canvas);
    session_end(&session);
}

/* ---- What is around the cells ---- */

static bool row_has(const struct canvas *canvas, int y, const char *text)
{
    return strstr(view_row(canvas, y), text) != NULL;
}

/* The ramp goes through all levels of the map's cells at even distances, so that none of them is
 * missing; and in its middle, where there is room, the number of a cell with that level. */
static void assert_ramp(const struct canvas *canvas, const char *middle)
{
    int y = canvas->rows - 2, x = canvas->columns;
    char number[8] = "";
    for (unsigned step = 8; step > 0; step--) {
        do
            ck_assert_int_gt(x, 0);
        while (canvas_at(canvas, y, --x)->style.back.level == 0);
        const int level = canvas_at(canvas, y, x)->style.back.level;
        ck_assert_int_le(abs(level - (int)(2 + (STYLE_FULL - 2) * step / 8)), 1);
        if (middle && step == 5) {
            snprintf(number, sizeof number, "%s", view_text(canvas, y, x - 6, 5));
            ck_assert_int_eq(canvas_at(canvas, y, x - 8)->style.back.level, grid_level(250));
        }
    }
    ck_assert_str_eq(number, middle ? middle : "");
}

TEST(the_scale_says_of_what_it_is)
{
    static const struct {
        enum tone tone;
        const char *words;
        float middle; /* the share of the largest weight that has a quarter of the shade */
    } tones[] = {{TONE_WEIGHT, "weight 0", 0.25F},
                 {TONE_ROOT, "weight 0", 0.0625F},
                 {TONE_ROW, "share 0", 0.25F}};
    struct session session = make(synthetic_pair, 13, 7, NO_TOKEN, NO_TOKEN);
    const float most = largest_of(&session);
    const char *largest = number_weight(edge_thousandths(most)).text;
    for (size_t i = 0; i < 3; i++) {
        session.state.look.tone = tones[i].tone;
        struct canvas *canvas = draw(&session, 120, 40, colour);
        ck_assert_msg(row_has(canvas, 38, tones[i].words), "%s", view_row(canvas, 38));
        ck_assert(row_has(canvas, 38, largest) == (tones[i].tone != TONE_ROW));
        const float shown = tones[i].middle * (tones[i].tone == TONE_ROW ? 1 : most);
        ck_assert_uint_eq(edge_shade(tones[i].tone, tones[i].middle, 1), EDGE_WHOLE / 4);
        assert_ramp(canvas, number_weight(edge_thousandths(shown)).text);
        canvas_free(canvas);
        canvas = draw(&session, 80, 24, colour);
        ck_assert(row_has(canvas, 22, tones[i].words) && row_has(canvas, 22, "(key)"));
        assert_ramp(canvas, NULL);
        canvas_free(canvas);
    }
    session_end(&session);
}

/* The name of the cursor's column, where its label is cut, in the line of numbers. */
TEST(a_cut_column_is_named_in_full)
{
    const char *labels[30];
    for (size_t i = 0; i < 30; i++)
        labels[i] = "unnecessarily";
    for (size_t tokens = 7; tokens <= 30; tokens += 23)
        for (size_t to = 0; to < tokens; to++) {
            struct session session = make(labels, tokens, tokens, NO_TOKEN, to);
            struct canvas *canvas = draw(&session, 80, 24, colour);
            struct token_name name = scene_name(scene_of(&session), SIDE_RIGHT, to, false);
            char text[600];
            snprintf(text, sizeof text, " → %s   ", name.text);
            assert_last_row_has(canvas, text);
            canvas_free(canvas);
            session_end(&session);
        }
}

/* Rows and columns are at an even pitch but for the gap between two sentences. */
TEST(pitch_is_even)
{
    for (int rows = 24; rows <= 60; rows++) {
        struct session session = make(letters, 12, 5, NO_TOKEN, NO_TOKEN);
        struct canvas *canvas = draw(&session, 2 * rows + 30, rows, colour);
        struct view_place first = meeting(canvas, 0, 0), second = meeting(canvas, 1, 1);
        int down = second.y - first.y, across = second.x - first.x;
        for (size_t i = 1; i < 12; i++) {
            struct view_place place = meeting(canvas, i, i);
            int gap = i >= 5;
            ck_assert_int_eq(place.y, first.y + (int)i * down + gap);
            ck_assert_int_eq(place.x, first.x + (int)i * across + gap);
        }
        canvas_free(canvas);
        session_end(&session);
    }
}

/* As faint as anything may be, also in the cursor's row and column; and the row of the first token,
 * which looks at itself alone, doesn't end the scale. */
TEST(what_no_token_can_see_is_hatched, .times = 2)
{
    const struct theme *theme = theme_at((size_t)_i);
    struct session session = make(letters, 8, 8, 2, 5);
    struct trace *trace = session.data.encoded->trace;
    size_t hatched = 0, crossing = 0;
    trace->axes = AXES_PAST;
    for (size_t from = 0; from < 8; from++)
        for (size_t to = 0; to < 8; to++)
            *weight_at(&session, from, to) = to > from ? 0 : from == 0 ? 1 : 0.5F / (float)from;
    struct canvas *canvas = draw(&session, 80, 24, colour);
    ck_assert(view_shows(canvas, "hatched: can't see") && view_shows(canvas, " 0.500"));
    theme_settle(theme, canvas);
    for (int i = 0; i < canvas->columns * canvas->rows; i++) {
        const struct cell *cell = &canvas->cells[i];
        if (strcmp(cell->text, "╱") != 0)
            continue;
        const struct ink back = cell->style.back;
        hatched++;
        crossing += back.level > 0;
        ck_assert_double_ge(
            color_contrast(theme_rgb(theme, cell->style.fore), theme_rgb(theme, back)), 2.99);
    }
    ck_assert(hatched > 20 && crossing > 2 && crossing < hatched);
    canvas_free(canvas);
    session_end(&session);
}
