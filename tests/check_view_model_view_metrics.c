/* The model view with a metric under each thumbnail, and sorted by it. */
#include "model_view_helpers.h"
#include "suites.h"

#include "headlight/view/model_view.h"

#include <stdio.h>
#include <string.h>

/* ---- Values ---- */

TESTS(.base = &model_view_tests);

TEST(metrics_follow_the_trace)
{
    struct error error;
    make(2, 2, 5);
    set_self(1, 0, 0.5F);
    show(METRIC_SELF, false, false);
    ck_assert_double_eq(session.data.metrics[2].of[METRIC_SELF], 0.5);
    set_self(1, 0, 0.25F);
    ck_assert_int_eq(session_take(&session, session.data.encoded, true, &error), STATUS_OK);
    ck_assert_double_eq(session.data.metrics[2].of[METRIC_SELF], 0.25);
    ck_assert_int_eq(session_take(&session, session.data.encoded, false, &error), STATUS_OK);
    ck_assert_ptr_null(session.data.metrics);
    session.state.look.view = VIEW_HEAD;
    ck_assert_int_eq(session_take(&session, session.data.encoded, true, &error), STATUS_OK);
    ck_assert_ptr_null(session.data.metrics); /* nobody asks for them */
}

static const struct {
    enum metric metric;
    double value;
    int width;
    const char *text;
} printed[] = {
    {METRIC_SELF, 0.857, 4, "0.86"},   {METRIC_SELF, 0.857, 3, ".86"},
    {METRIC_SELF, 0.857, 2, ".9"},     {METRIC_SELF, 1, 4, "1.00"},
    {METRIC_SELF, 1, 3, "1.0"},        {METRIC_SELF, 1, 2, "1"},
    {METRIC_SELF, 0, 3, ".00"},        {METRIC_ENTROPY, 1.239, 4, "1.24"},
    {METRIC_ENTROPY, 1.239, 3, "1.2"}, {METRIC_ENTROPY, 1.239, 2, "1"},
    {METRIC_DISTANCE, 3.14, 4, "3.1"}, {METRIC_DISTANCE, 23.46, 4, "23.5"},
    {METRIC_DISTANCE, 23.46, 3, "23"}, {METRIC_DISTANCE, 341.2, 4, "341"},
    {METRIC_DISTANCE, 0.44, 2, ".4"},
};

TEST(digits_give_way, .times = COUNT(printed))
{
    ck_assert_str_eq(number_text(printed[_i].value, false,
                                 metric_infos[printed[_i].metric].decimals, printed[_i].width)
                         .text,
                     printed[_i].text);
}

TEST(a_value_fits_any_width_from_two_on)
{
    static const double values[] = {0, 0.004, 0.04, 0.25, 0.96, 0.996, 1, 3.17, -0.04, -0.3, -7.5};
    for (int decimals = 1; decimals <= 3; decimals++)
        for (int i = 0; i < COUNT(values); i++)
            for (int width = 2; width < 7; width++) {
                const struct weight_text text = number_text(values[i], false, decimals, width);
                ck_assert_msg(*text.text && strlen(text.text) <= (size_t)width,
                              "%s in %d characters", text.text, width);
            }
}

TEST(heads_that_do_it_stand_out)
{
    int y, x;
    make(1, 4, 5);
    set_self(0, 0, 0.4994F);
    set_self(0, 1, 0.4996F);
    set_self(0, 2, 0.875F);
    set_self(0, 3, 0.125F);
    show(METRIC_SELF, false, false);
    session.state.look.head = 3;
    struct canvas *canvas = draw(80, 21);
    static const char *const texts[] = {"0.50 ", "0.50 ", "0.88", "0.12"};
    int columns[4];
    for (size_t head = 0; head < 4; head++) {
        struct area box = thumbnail(canvas, 0, head);
        y = box.y + box.rows - 1;
        for (x = box.x; canvas_at(canvas, y, x)->text[0] == ' ';)
            x++;
        ck_assert_int_eq(canvas_at(canvas, y, x + 3)->text[0], texts[head][3]);
        const struct style *style = &canvas_at(canvas, y, x)->style;
        columns[head] = x;
        ck_assert_int_eq(style->bold, head == 1 || head == 2);
        ck_assert_int_eq(style->back.role, head == 3 ? ROLE_STRONG : ROLE_GROUND);
        if (head != 3)
            ck_assert_int_eq(style->fore.role, head == 0 ? ROLE_FAINT : ROLE_STRONG);
    }
    for (size_t head = 1; head < 4; head++) /* in line */
        ck_assert_int_eq(columns[head] - columns[head - 1], columns[1] - columns[0]);
    canvas_free(canvas);
    show(METRIC_ENTROPY, false, false); /* no head is named after it */
    canvas = draw(80, 21);
    struct area box = thumbnail(canvas, 0, 1);
    for (x = box.x; x < box.x + box.columns; x++)
        ck_assert(!canvas_at(canvas, box.y + box.rows - 1, x)->style.bold);
    canvas_free(canvas);
}

/* ---- Order ---- */

TEST(sorted_heads_descend)
{
    make(5, 7, 4);
    mix();
    show(METRIC_SELF, true, false);
    for (size_t place = 0; place < 35; place++) {
        struct ranked_head at = model_view_at(scene_of(&session), place);
        ck_assert_uint_eq(model_view_place(scene_of(&session), at.layer, at.head), place);
        if (place == 0)
            continue;
        struct ranked_head before = model_view_at(scene_of(&session), place - 1);
        float here = mixed(at.layer, at.head), there = mixed(before.layer, before.head);
        ck_assert_msg(there > here || (there == here &&
                                       before.layer * 7 + before.head < at.layer * 7 + at.head),
                      "place %zu: %f after %f", place, (double)here, (double)there);
    }
    session.state.look.metric = METRIC_NONE; /* then there is nothing to sort by */
    ck_assert_uint_eq(model_view_place(scene_of(&session), 3, 2), 3 * 7 + 2);
    ck_assert_uint_eq(model_view_at(scene_of(&session), 23).layer, 3);
    ck_assert_uint_eq(model_view_at(scene_of(&session), 23).head, 2);
}

/* All places at once, with many heads of equal metrics. */
TEST(all_places_are_those_of_single_heads)
{
    make(9, 11, 4);
    mix();
    for (int sorted = 0; sorted < 2; sorted++) {
        show(METRIC_SELF, sorted, false);
        for (size_t place = 0; place < 9 * 11; place++) {
            struct ranked_head at = model_view_at(scene_of(&session), place);
            ck_assert_uint_eq(model_view_place(scene_of(&session), at.layer, at.head), place);
        }
    }
}

static void check_at(size_t place)
{
    struct ranked_head at = model_view_at(scene_of(&session), place);
    ck_assert_msg(
        session.state.look.layer == at.layer && session.state.look.head == at.head,
        "at %zu, expected %zu",
        model_view_place(scene_of(&session), session.state.look.layer, session.state.look.head),
        place);
}

TEST(the_cursor_moves_as_seen)
{
    static const struct {
        enum action action;
        size_t place; /* after it, on 7 rows of 5 */
    } steps[] = {
        {ACTION_RIGHT, 1},       {ACTION_RIGHT, 2},          {ACTION_TOKEN_NEXT, 7},
        {ACTION_LEFT, 6},        {ACTION_LEFT, 5},           {ACTION_LEFT, 9},
        {ACTION_RIGHT, 5},       {ACTION_TOKEN_PREVIOUS, 0}, {ACTION_TOKEN_PREVIOUS, 30},
        {ACTION_TOKEN_NEXT, 0},  {ACTION_RIGHT, 1},          {ACTION_TOKEN_LAST, 31},
        {ACTION_TOKEN_FIRST, 1},
    };
    make(7, 5, 4);
    mix();
    for (int sorted = 0; sorted < 2; sorted++) {
        show(METRIC_SELF, sorted, false);
        struct ranked_head first = model_view_at(scene_of(&session), 0);
        session.state.look.layer = first.layer;
        session.state.look.head = first.head;
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            ck_assert_uint_eq(session_act(&session, steps[i].action, 0), SESSION_REDRAW);
            check_at(steps[i].place);
        }
    }
    ck_assert_uint_ne(session.state.look.layer * 5 + session.state.look.head,
                      1); /* the two orders differ */
}

/* In all sizes the head under the cursor is on screen, in its whole size. */
static const struct fixture slow_tests = {.base = &model_view_tests, .slow = true};

TEST(the_cursor_is_always_whole, .times = 8, .with = &slow_tests)
{
    static const int sizes[][2] = {{60, 9}, {80, 21}, {120, 35}};
    bool sorted = _i & 1, lined = _i & 2, label = _i & 4;
    make(24, 16, 9);
    mix();
    show(label ? METRIC_LABEL : METRIC_SELF, sorted, lined);
    for (size_t size = 0; size < 3; size++)
        for (size_t i = 0; i < 24 * 16; i += 5) {
            session.state.look.layer = i / 16;
            session.state.look.head = i % 16;
            struct canvas *canvas = draw(sizes[size][0], sizes[size][1]);
            struct area box = thumbnail(canvas, session.state.look.layer, session.state.look.head);
            struct area largest = box;
            for (size_t j = 0; j < 24 * 16; j += 7) {
                struct area other = thumbnail(canvas, j / 16, j % 16);
                largest.rows = other.rows > largest.rows ? other.rows : largest.rows;
            }
            ck_assert_int_eq(box.rows, largest.rows);
            ck_assert_int_ge(box.rows, 3);
            ck_assert_int_ge(box.columns, 3);
            ck_assert_int_eq(canvas_at(canvas, box.y + box.rows - 1, box.x)->style.back.role,
                             ROLE_STRONG);
            ck_assert_int_lt(box.y + box.rows - 1, sizes[size][1] - 2);
            canvas_free(canvas);
        }
}

static bool is_frame(const struct canvas *canvas, int y, int x)
{
    const struct cell *cell = canvas_at(canvas, y, x);
    bool sign = cell->text[0] && !strchr(" 0123456789.:", cell->text[0]);
    return cell->style.back.role == ROLE_STRONG || (cell->style.fore.role == ROLE_STRONG && sign);
}

/* The frame goes all around the picture and its text; in colour, heat maps have it in half cells.
 */
TEST(the_frame_is_closed, .times = 3 * 16)
{
    static const struct traits traits[] = {
        {GLYPHS_BRAILLE, false}, {GLYPHS_BRAILLE, true}, {GLYPHS_ASCII, false}};
    bool sorted = _i & 1, lined = _i & 2, figure = _i & 4, label = _i & 8;
    bool halves = _i / 16 == 0 && !lined;
    make(8, 8, 13);
    mix();
    session.state.look.lined = lined;
    if (figure)
        show(label ? METRIC_LABEL : METRIC_SELF, sorted, lined);
    for (size_t i = 0; i < 64; i++) {
        session.state.look.layer = i / 8;
        session.state.look.head = i % 8;
        struct canvas *canvas = draw_as(80, 21, traits[_i / 16]);
        struct area box = thumbnail(canvas, i / 8, i % 8);
        int top = halves && figure ? box.y : box.y - 1;
        int bottom = halves || figure ? box.y + box.rows - 1 : box.y + box.rows;
        for (int x = box.x - 1; x <= box.x + box.columns; x++) {
            ck_assert(is_frame(canvas, top, x) || /* but for the head's number */
                      canvas_at(canvas, top, x)->style.back.role == ROLE_CURSOR);
            ck_assert(is_frame(canvas, bottom, x));
        }
        for (int y = top; y <= bottom; y++)
            ck_assert(is_frame(canvas, y, box.x - 1) && is_frame(canvas, y, box.x + box.columns));
        canvas_free(canvas);
    }
}

/* So that what is between two rows of thumbnails says nothing. */
TEST(rows_stand_at_even_distances, .times = 8)
{
    bool lined = _i & 1, figure = _i & 2, label = _i & 4;
    for (size_t layers = 2; layers < 14; layers++) {
        make(layers, 3, 13);
        mix();
        session.state.look.lined = lined;
        if (figure)
            show(label ? METRIC_LABEL : METRIC_SELF, false, lined);
        const int least = 4 + (int)layers * (2 + lined + figure); /* for whole maps */
        for (int rows = int_max(21, least); rows <= 57; rows += 3) {
            struct canvas *canvas = draw(120, rows);
            struct area before = {0}, box;
            for (size_t layer = 0, seen = 0, pitch = 0; layer < layers; layer++, before = box) {
                box = thumbnail(canvas, layer, 1);
                if (box.rows == 0)
                    continue;
                if (seen++ == 0)
                    continue;
                ck_assert_int_eq(box.rows, before.rows);
                if (seen > 2)
                    ck_assert_uint_eq((size_t)(box.y - before.y), pitch);
                pitch = (size_t)(box.y - before.y);
            }
            canvas_free(canvas);
        }
    }
}

/* Of a window that is too low for maps of all layers, those of the cursor's are shown and what is
 * said of all others; or small maps, where nothing is. */
TEST(a_low_window_shows_all_layers, .times = 8)
{
    const bool figure = _i & 1, lined = _i & 2;
    const size_t layer = _i & 4 ? 0 : 5;
    make(8, 4, 13);
    session.state.look.lined = lined;
    session.state.look.layer = layer;
    if (figure)
        show(METRIC_SELF, false, lined);
    struct canvas *canvas = draw(80, lined && !figure ? 27 : 16);
    int last = 0;
    for (size_t i = 0; i < 8; i++) {
        const struct area box = thumbnail(canvas, i, 1);
        ck_assert_int_gt(box.y, last);
        ck_assert_int_eq(box.rows > 2, figure && i == layer);
        last = box.y;
    }
    canvas_free(canvas);
}

/* ---- Labels ---- */

/* Heads of layer 0: self, even, first, nothing in particular; the same ones again in layer 1, where
 * the first is weaker and the third stronger. Other heads are dark. */
static void label_heads(size_t heads)
{
    make(2, heads, 8);
    for (size_t layer = 0; layer < 2; layer++) {
        set_self(layer, 0, layer == 0 ? 0.875F : 0.625F);
        for (size_t i = 0; i < 8; i++) {
            for (size_t to = 0; to < 8; to++)
                *weight(layer, 1, i, to) = 0.125F;
            *weight(layer, 2, i, 0) = layer == 0 ? 0.5625F : 0.75F;
        }
        set_self(layer, 3, 0.375F);
    }
}

/* What stands in a row of text under a thumbnail, from below, and the style of its first sign. */
static const char *under(const struct canvas *canvas, size_t layer, size_t head, int from_below,
                         struct style *style)
{
    static char text[64];
    struct area box = thumbnail(canvas, layer, head);
    int y = box.y + box.rows - 1 - from_below, x = box.x, end = box.x + box.columns;
    while (x < end - 1 && canvas_at(canvas, y, x)->text[0] == ' ')
        x++;
    while (end > x && canvas_at(canvas, y, end - 1)->text[0] == ' ')
        end--;
    *style = canvas_at(canvas, y, x)->style;
    snprintf(text, sizeof text, "%s", end > x ? view_text(canvas, y, x, end - x) : "");
    return text;
}

/* The whole name, a short one, or that above the number, by the room there is. */
static const struct {
    size_t heads;
    bool sorted;
    const char *self[3], *even[3], *first[3], *none[3]; /* from below */
} labelled[] = {
    {4, false, {"self .88"}, {"broad 1.0"}, {"first .56"}, {""}},
    {8, false, {"self .88"}, {"brd 1.0"}, {"1st .56"}, {""}},
    {12, false, {".88", "self"}, {"1.0", "brd"}, {".56", "1st"}, {"", ""}},
    {16, false, {".88", "sel"}, {"1.0", "brd"}, {".56", "1st"}, {"", ""}},
    {4, true, {"0.0 self .88"}, {"0.1 broad 1.0"}, {"0.2 first .56"}, {"0.3"}},
    {8, true, {"self .88", "0.0"}, {"brd 1.0", "0.1"}, {"1st .56", "0.2"}, {"", "0.3"}},
    {12,
     true,
     {".88", "self", "0.0"},
     {"1.0", "brd", "0.1"},
     {".56", "1st", "0.2"},
     {"", "", "0.3"}},
};

TEST(labels_take_the_room_there_is, .times = COUNT(labelled))
{
    struct style style;
    label_heads(labelled[_i].heads);
    show(METRIC_LABEL, labelled[_i].sorted, false);
    struct canvas *canvas = draw(80, 40);
    for (int row = 0; row < 3; row++) {
        if (!labelled[_i].self[row])
            continue;
        ck_assert_str_eq(under(canvas, 0, 0, row, &style), labelled[_i].self[row]);
        ck_assert_str_eq(under(canvas, 0, 1, row, &style), labelled[_i].even[row]);
        ck_assert_str_eq(under(canvas, 0, 2, row, &style), labelled[_i].first[row]);
        ck_assert_str_eq(under(canvas, 0, 3, row, &style), labelled[_i].none[row]);
    }
    canvas_free(canvas);
}

TEST(heads_of_one_place_stand_out)
{
    struct style style;
    label_heads(8);
    show(METRIC_LABEL, false, false);
    session.state.look.head = 2;
    struct canvas *canvas = draw(80, 40);
    under(canvas, 0, 0, 0, &style);
    ck_assert(style.bold && style.fore.role == ROLE_STRONG);
    under(canvas, 0, 1, 0, &style);
    ck_assert(!style.bold && style.fore.role == ROLE_FAINT);
    under(canvas, 0, 2, 0, &style); /* the cursor's */
    ck_assert_int_eq(style.back.role, ROLE_STRONG);
    canvas_free(canvas);
}

/* Label by label, in each the clearest first; of heads without one all come last, in their order.
 */
TEST(labels_are_sorted_with_their_numbers)
{
    static const struct {
        size_t layer, head;
    } places[] = {{0, 0}, {1, 0}, {1, 2}, {0, 2}, {0, 1}, {1, 1}, {0, 3}, {0, 4}, {1, 3}, {1, 4}};
    label_heads(5);
    show(METRIC_LABEL, true, false);
    for (size_t place = 0; place < 10; place++) {
        struct ranked_head at = model_view_at(scene_of(&session), place);
        ck_assert_msg(at.layer == places[place].layer && at.head == places[place].head,
                      "place %zu: %zu:%zu", place, at.layer, at.head);
        ck_assert_uint_eq(model_view_place(scene_of(&session), at.layer, at.head), place);
    }
}

/* Above the enlarged head it is said in words; so does the legend. */
TEST(labels_are_said_in_words)
{
    label_heads(4);
    for (int labels = 0; labels < 2; labels++) {
        session.state.look.metric = METRIC_NONE;
        if (labels)
            show(METRIC_LABEL, false, false);
        struct canvas *canvas = draw(120, 35);
        ck_assert_ptr_nonnull(strstr(view_row(canvas, 0), "head 0.0   the token itself 0.875   "));
        if (labels)
            ck_assert_ptr_nonnull(strstr(view_row(canvas, 33),
                                         "figure label: 0.5 of the weight, broad: "
                                         "0.85 of the largest entropy  "));
        canvas_free(canvas);
    }
    session.state.look.head = 3;
    struct canvas *canvas = draw(120, 35);
    const char *rest = strstr(view_row(canvas, 0), "head 0.3");
    ck_assert_ptr_nonnull(rest);
    ck_assert_str_eq(rest + strlen("head 0.3") + strspn(rest + strlen("head 0.3"), " "), "");
    canvas_free(canvas);
}

/* ---- Sizes ---- */

TEST(nothing_is_drawn_outside_the_area, .times = 4, .with = &slow_tests)
{
    static const struct traits traits[] = {{GLYPHS_BRAILLE, false},
                                           {GLYPHS_BLOCKS, false},
                                           {GLYPHS_BRAILLE, true},
                                           {GLYPHS_ASCII, false}};
    static const size_t shapes[][3] = {{8, 8, 13}, {24, 16, 30}, {1, 1, 2}, {12, 12, 12}};
    static const int columns[] = {60, 61, 80, 99, 100, 120, 300};
    make(shapes[_i][0], shapes[_i][1], shapes[_i][2]);
    mix();
    session.state.look.layer = session.data.layers - 1;
    session.state.look.head = session.data.head_count - 1;
    for (int mode = 0; mode < 12; mode++) {
        static const enum metric shown[] = {METRIC_SELF, METRIC_DISTANCE, METRIC_LABEL};
        show(shown[mode / 4], mode & 1, mode & 2);
        for (int j = 0; j < COUNT(columns); j++)
            for (int rows = 9; rows <= 77; rows += rows < 24 ? 3 : 17)
                view_check_inside_as(draw_model, scene_of(&session), columns[j], rows,
                                     traits[(mode + j + rows) % COUNT(traits)]);
    }
}
