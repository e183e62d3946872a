/* The strongest connections as a list. Tokens have names of their own, so that a row can be traced
 * back to its pair. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/session/act.h"
#include "headlight/view/views.h"

#include <stdio.h>
#include <string.h>

#define TOKENS 13

static const char *const names[TOKENS] = {"ann", "bob", "cat", "dan", "eve", "fay", "gus",
                                          "hal", "ida", "jim", "kim", "leo", "meg"};
static struct session session;

static void begin_with(const char *const *labels)
{
    session = synthetic_session(labels, TOKENS, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.listed = true;
}

static void begin(void)
{
    begin_with(names);
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

/* What a row says: "ann → bob  0.417", behind the number of its head where there are several. */
struct row {
    size_t head;
    char from[8], to[8];
    unsigned weight;
};

static struct row read_row(const struct canvas *canvas, int y)
{
    struct row row = {0};
    unsigned whole, part;
    bool several = scene_maps(scene_of(&session)) !=
                   (scene_maps(scene_of(&session)) & -scene_maps(scene_of(&session)));
    const char *text = view_text(canvas, y, several ? 1 : 4, canvas->columns);
    int fields =
        several ? sscanf(text, "%zu %7s %*s %7s %u.%u", &row.head, row.from, row.to, &whole, &part)
                : sscanf(text, "%7s %*s %7s %u.%u", row.from, row.to, &whole, &part) + 1;
    ck_assert_msg(fields == 5, "\"%s\"", text);
    if (!several)
        row.head = session.data.mean ? 0 : session.state.look.head;
    row.weight = whole * 1000 + part;
    return row;
}

static size_t count_rows(const struct canvas *canvas)
{
    size_t count = 0;
    for (int y = 0; y < canvas->rows; y++)
        count += canvas_hit(canvas, y, 1).place[1] == HIT(to);
    return count;
}

/* By head, attending, attended token. */
TEST(equal_rows_come_in_order)
{
    float *weights = session.data.encoded->trace->layer[0].weights;
    for (size_t i = 0; i < 4 * TOKENS * TOKENS; i++)
        weights[i] = i % 40 == 0 ? 0.5F : i % 40 == 1 ? 0.25F : 0;
    struct canvas *canvas = view_drawn(connections_draw, scene_of(&session), 40, 24);
    ck_assert_uint_eq(count_rows(canvas), 22);
    for (int y = 1; y < 23; y++) {
        size_t place = y <= 17 ? 40 * ((size_t)y - 1) : 40 * ((size_t)y - 18) + 1;
        ck_assert_uint_eq(read_row(canvas, y).head, place / (TOKENS * TOKENS));
        ck_assert_uint_eq(canvas_hit(canvas, y, 1).value[1], place % TOKENS);
    }
    canvas_free(canvas);
}

/* It scrolls with the chosen pair, and says how many rows are above and below. */
TEST(the_chosen_pair_is_in_the_list)
{
    size_t scrolled = 0;
    session.state.look.from = 4;
    session.state.look.side = SIDE_RIGHT;
    for (session.state.look.to = 0; session.state.look.to < TOKENS; session.state.look.to++) {
        struct canvas *canvas = view_drawn(connections_draw, scene_of(&session), 40, 12);
        size_t above = 0, below = 0, rows = count_rows(canvas);
        struct edge edge;
        bool found = scene_current_edge(scene_of(&session), &edge) && edge.weight == 0;
        for (int y = 1; y < 11; y++)
            found |= hit_equal(canvas_hit(canvas, y, 1), hit_pair(4, session.state.look.to, false));
        ck_assert_msg(found, "%s", names[session.state.look.to]);
        const char *up = strstr(view_text(canvas, 0, 1, 39), "↑ ");
        ck_assert(!up || sscanf(up, "↑ %zu above", &above) == 1);
        sscanf(view_text(canvas, 11, 1, 39), "↓ %zu below", &below);
        ck_assert_msg(rows + above + below == 4 * TOKENS, "%zu + %zu + %zu", rows, above, below);
        ck_assert_uint_ge(read_row(canvas, 1).weight, read_row(canvas, (int)rows).weight);
        scrolled += above > 0;
        canvas_free(canvas);
    }
    ck_assert_uint_gt(scrolled, 0);
}

/* Each label has at least half of the room, and more where the other is short. */
TEST(long_labels_are_cut, .times = 6)
{
    static const char *const longs[TOKENS] = {"abcdefghijklmnopqrstuvwxyz",
                                              "b",
                                              "",
                                              "日本語日本語日本語",
                                              "e",
                                              "f",
                                              "g",
                                              "h",
                                              "i",
                                              "j",
                                              "k",
                                              "l",
                                              "m"};
    static const struct {
        size_t from, to;
        const char *text; /* in 16 cells */
    } cases[] = {{0, 0, "abcde… → abcdef…"},
                 {0, 1, "abcdefghijk… → b"},
                 {1, 0, "b → abcdefghijk…"},
                 {0, 2, "abcdefghijkl… →"},
                 {2, 1, " → b"},
                 {3, 0, "日本…  → abcdef…"}};
    session_end(&session);
    begin_with(longs);
    session.state.look.heads = 1;
    float *weights = session.data.encoded->trace->layer[0].weights;
    memset(weights, 0, TOKENS * TOKENS * sizeof *weights);
    weights[cases[_i].from * TOKENS + cases[_i].to] = 1;
    struct canvas *canvas = view_drawn(connections_draw, scene_of(&session), 28, 5);
    ck_assert_str_eq(view_text(canvas, 1, 4, 16), cases[_i].text);
    ck_assert_str_eq(view_text(canvas, 1, 21, 5), "1.000");
    canvas_free(canvas);
    for (int columns = 28; columns <= 60; columns++)
        for (int rows = 1; rows < 20; rows++)
            view_check_inside(connections_draw, scene_of(&session), columns, rows, 1);
}

TEST(nothing_is_drawn_outside)
{
    for (session.state.look.heads = 15; session.state.look.heads > 0; session.state.look.heads /= 2)
        for (int columns = 28; columns <= 60; columns++)
            for (int rows = 1; rows < 30; rows++)
                view_check_inside(connections_draw, scene_of(&session), columns, rows, 1);
}

/* 28 to 44 columns, three tenths between; the view has the others, or all of a narrow screen. */
TEST(the_list_has_its_share)
{
    static const int widths[][2] = {{75, 0},   {76, 28},  {93, 28}, {100, 30},
                                    {146, 43}, {150, 44}, {300, 44}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        ck_assert_int_eq(connections_columns((struct area){0, 0, 20, widths[i][0]}), widths[i][1]);
    for (enum view_kind view = 0; view < VIEW_COUNT; view++) {
        session_set_view(&session, view);
        struct canvas *canvas = view_drawn(view_draw, scene_of(&session), 100, 24);
        ck_assert_int_eq(strcmp(view_text(canvas, 0, 71, 29), "strongest") == 0,
                         (view_at(view)->shown & SHOWN_LIST && !view_at(view)->own_list));
        canvas_free(canvas);
        if ((view_at(view)->shown & SHOWN_LIST && !view_at(view)->own_list))
            for (int rows = 9; rows < 30; rows += 4)
                view_check_inside(view_draw, scene_of(&session), 60, rows, 0);
    }
}
