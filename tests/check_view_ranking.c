/* The heads that link two tokens: 24 layers of 16 heads whose weights are twentieths, so that there
 * are many of each. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/model/trace_new.h"
#include "headlight/session/act.h"
#include "headlight/session/screen.h"
#include "headlight/view/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 24
#define HEADS  16
#define TOKENS 3
#define ALL    ((size_t)LAYERS * HEADS)

static const char *const labels[TOKENS] = {"[CLS]", "flies", "arrow"};
static struct session session;

static struct session make(const char *const *names)
{
    struct config config = {.vocabulary = 2,
                            .hidden = HEADS,
                            .layers = LAYERS,
                            .heads = HEADS,
                            .feed_forward = 1,
                            .positions = TOKENS,
                            .segments = 1};
    struct trace *trace;
    struct error error;
    ck_assert_int_eq(trace_new(&config, TOKENS, NULL, 0, &trace, &error), STATUS_OK);
    for (size_t i = 0; i < ALL * TOKENS; i++) {
        float *row = trace->layer[i / (HEADS * TOKENS)].weights + i % (HEADS * TOKENS) * TOKENS;
        row[0] = (float)(i * 7 % 11) / 20;
        row[1] = (float)(i * 5 % 9) / 20;
        row[2] = 1 - row[0] - row[1];
    }
    return synthetic_of_trace(trace, names, TOKENS);
}

/* "flies" is pinned, and the cursor on "arrow". */
static void begin(void)
{
    session = make(labels);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.from = 1;
    session.state.look.to = 2;
    session.state.look.side = SIDE_RIGHT;
    session_act(&session, ACTION_RANK, 0);
    ck_assert(session.state.look.ranked);
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

static unsigned weight_of(size_t layer, size_t head)
{
    return edge_thousandths(attention_weight(session.data.attention, layer, head, 1, 2));
}

TEST(heads_are_ranked_by_weight_then_place)
{
    struct ranked_head *heads = ranking_new(scene_of(&session));
    bool seen[ALL] = {false};
    size_t ties = 0;
    ck_assert_ptr_nonnull(heads);
    for (size_t i = 0; i < ALL; i++) {
        size_t place = heads[i].layer * HEADS + heads[i].head;
        ck_assert(heads[i].head < HEADS && place < ALL && !seen[place]);
        seen[place] = true;
        ck_assert_int_eq(heads[i].key, weight_of(heads[i].layer, heads[i].head));
        if (i == 0)
            continue;
        ck_assert_int_le(heads[i].key, heads[i - 1].key);
        ties += heads[i].key == heads[i - 1].key;
        ck_assert(heads[i].key < heads[i - 1].key ||
                  place > heads[i - 1].layer * HEADS + heads[i - 1].head);
    }
    ck_assert(ties > ALL / 2 && ties < ALL - 2);
    free(heads);
}

TEST(without_a_pair_there_is_no_ranking)
{
    session.state.look.from = NO_TOKEN;
    ck_assert_ptr_null(ranking_new(scene_of(&session)));
    session_act(&session, ACTION_CLEAR, 0);
    session_act(&session, ACTION_RANK, 0);
    ck_assert(!session.state.look.ranked);
    ck_assert_ptr_nonnull(strstr(session.message, "choose two tokens"));
}

static struct canvas *draw_screen(void)
{
    struct error error;
    struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    return canvas;
}

TEST(the_cursor_is_always_on_screen)
{
    for (session.state.look.rank = 0; session.state.look.rank < ALL; session.state.look.rank++) {
        struct canvas *canvas = draw_screen();
        int cursors = 0;
        for (int i = 0; i < 80 * 24; i++)
            if (strcmp(canvas_at(canvas, i / 80, i % 80)->text, "▸") == 0) {
                struct hit hit = canvas_hit(canvas, i / 80, i % 80);
                ck_assert(hit.kind == HIT_RANK && hit.value == session.state.look.rank);
                cursors++;
            }
        ck_assert_int_eq(cursors, 1);
        canvas_free(canvas);
    }
}

/* Each row names its rank, layer, head and weight, and a click on it goes to that head. */
TEST(a_click_goes_where_the_row_says)
{
    struct canvas *canvas;
    size_t rows = 0, last = SIZE_MAX;
    session.state.look.rank = ALL / 2;
    canvas = draw_screen();
    for (int i = 0; i < 80 * 24; i++) {
        struct hit hit = canvas_hit(canvas, i / 80, i % 80);
        size_t rank, layer, head;
        unsigned whole, part;
        if (hit.kind != HIT_RANK || hit.value == last)
            continue;
        last = hit.value;
        rows++;
        const char *text = view_text(canvas, i / 80, i % 80 + 2, 36);
        ck_assert_msg(
            sscanf(text, "%zu layer %zu head %zu %u.%u", &rank, &layer, &head, &whole, &part) == 5,
            "\"%s\"", text);
        ck_assert_uint_eq(rank, hit.value + 1);
        ck_assert_uint_eq(whole * 1000 + part, weight_of(layer, head));
        ck_assert_uint_eq(session_click(&session, hit), SESSION_REDRAW);
        ck_assert(!session.state.look.ranked && session.state.look.layer == layer &&
                  session.state.look.head == head);
        session.state.look.ranked = true;
    }
    ck_assert_uint_ge(rows, 2 * 17); /* two columns */
    canvas_free(canvas);
}

TEST(enter_goes_to_the_head_under_the_cursor)
{
    struct ranked_head *heads = ranking_new(scene_of(&session));
    ck_assert_ptr_nonnull(heads);
    session.state.look.heads = UINT64_C(1) << heads[2].head; /* another one alone */
    ck_assert_uint_ne(heads[1].head, heads[2].head);
    session_act(&session, ACTION_TOKEN_NEXT, 0);
    ck_assert_uint_eq(session.state.look.rank, 1);
    session_act(&session, ACTION_PIN, 0);
    ck_assert(!session.state.look.ranked);
    ck_assert(session.state.look.layer == heads[1].layer &&
              session.state.look.head == heads[1].head);
    ck_assert_uint_eq(session.state.look.heads, UINT64_C(1)
                                                    << heads[1].head); /* it is one that is drawn */
    ck_assert(session.state.look.from == 1 && session.state.look.to == 2);
    free(heads);
}

/* Whichever heads were on: these come back with i. */
TEST(enter_shows_the_head_alone)
{
    struct ranked_head *heads = ranking_new(scene_of(&session));
    ck_assert_ptr_nonnull(heads);
    session_act(&session, ACTION_PIN, 0);
    ck_assert_uint_eq(session.state.look.heads, UINT64_C(1) << heads[0].head);
    session_act(&session, ACTION_HEAD_ISOLATE, 0);
    ck_assert_uint_eq(session.state.look.heads, 0xFFFF);
    free(heads);
}

/* Every head is in a row, above the list or below it. */
TEST(what_is_outside_is_counted)
{
    static const size_t ranks[] = {0, 3, ALL / 2, ALL - 4, ALL - 1};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        size_t rows = 0, above = 0, below = 0, last = SIZE_MAX;
        session.state.look.rank = ranks[i];
        struct canvas *canvas = draw_screen();
        for (int y = 0; y < 23; y++) {
            const char *text = view_text(canvas, y, 0, 80);
            const char *up = strstr(text, "↑ "), *down = strstr(text, "↓ ");
            ck_assert(!up || sscanf(up, "↑ %zu above", &above) == 1);
            ck_assert(!down || sscanf(down, "↓ %zu below", &below) == 1);
            for (int x = 0; x < 80; x++) {
                struct hit hit = canvas_hit(canvas, y, x);
                rows += hit.kind == HIT_RANK && hit.value != last;
                last = hit.kind == HIT_RANK ? hit.value : last;
            }
        }
        ck_assert_uint_eq(rows + above + below, ALL);
        ck_assert((above > 0) == (i > 1) && (below > 0) == (i < 3));
        canvas_free(canvas);
    }
}

TEST(the_cursor_stops_at_both_ends)
{
    session_act(&session, ACTION_TOKEN_PREVIOUS, 0);
    ck_assert_uint_eq(session.state.look.rank, 0);
    session_act(&session, ACTION_PAGE_DOWN, 0);
    ck_assert_uint_eq(session.state.look.rank, 10);
    session_act(&session, ACTION_TOKEN_LAST, 0);
    session_act(&session, ACTION_TOKEN_NEXT, 0);
    session_act(&session, ACTION_PAGE_DOWN, 0);
    ck_assert_uint_eq(session.state.look.rank, ALL - 1);
    session_act(&session, ACTION_TOKEN_FIRST, 0);
    ck_assert_uint_eq(session.state.look.rank, 0);
    session_act(&session, ACTION_CLEAR, 0);
    ck_assert(!session.state.look.ranked && session.state.look.from == 1); /* the pair stays */
}

/* A mean of heads is one of the layer that was gone to. */
TEST(a_mean_follows)
{
    const size_t cell = 1 * TOKENS + 2;
    session_act(&session, ACTION_MEAN, 0);
    session_act(&session, ACTION_RANK, 0);
    session_act(&session, ACTION_TOKEN_LAST, 0);
    session_act(&session, ACTION_PIN, 0);
    ck_assert_uint_ne(session.state.look.layer, 0);
    float shown = session.data.mean->weights[0][cell];
    session_show(&session, &session.state.look);
    ck_assert(shown == session.data.mean->weights[0][cell]);
}

/* H hides [CLS]: what was ranked by it can't be shown any longer. */
TEST(a_pair_that_is_hidden_closes_the_ranking)
{
    session.state.look.from = 0;
    session_act(&session, ACTION_SPECIAL, 0);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    ck_assert(!session.state.look.ranked);
    canvas_free(draw_screen());
}

/* They have one map for all heads. */
TEST(maps_of_whole_layers_are_not_ranked)
{
    ck_assert(session.state.look.ranked);
    session_set(&session, FIELD_MAP, MAP_ROLLOUT, ACTION_MAP);
    ck_assert_int_eq(session.state.look.map, MAP_ROLLOUT);
    ck_assert(!session.state.look.ranked);
    session_act(&session, ACTION_RANK, 0);
    ck_assert_str_eq(session.message, "rollout has no heads to rank: p chooses another map");
    ck_assert(!session.state.look.ranked);
}

TEST(a_click_on_a_view_closes_the_ranking)
{
    session_click(&session, (struct hit){HIT_VIEW, VIEW_MATRIX});
    ck_assert(!session.state.look.ranked && session.state.look.view == VIEW_MATRIX);
}

/* A saved state says nothing of it: else the same screen would be two looks. */
TEST(a_ranking_that_is_closed_has_no_place)
{
    static const enum action ways[] = {ACTION_CLEAR, ACTION_RANK, ACTION_PIN, ACTION_VIEW_NEXT};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        end();
        begin();
        session_act(&session, ACTION_PAGE_DOWN, 0);
        ck_assert_uint_gt(session.state.look.rank, 0);
        session_act(&session, ways[i], 0);
        ck_assert(!session.state.look.ranked);
        ck_assert_uint_eq(session.state.look.rank, 0);
    }
}

TEST(nothing_is_drawn_outside, .times = 3)
{
    static const char *const others[][TOKENS] = {
        {"[CLS]", "flies", "arrow"},
        {"[CLS]", "", ""},
        {"[CLS]", "日本語日本語日本語日本語日本語日本語", "donaudampfschifffahrtsgesellschaft"}};
    session_end(&session);
    session = make(others[_i]);
    session.state.look.from = 1;
    session.state.look.to = 2;
    for (session.state.look.rank = 0; session.state.look.rank < ALL;
         session.state.look.rank += ALL - 1)
        for (int columns = 28; columns < 130; columns += 3)
            for (int rows = 1; rows < 30; rows += rows < 6 ? 1 : 5)
                view_check_inside(draw_ranking, scene_of(&session), columns, rows, 0);
}
