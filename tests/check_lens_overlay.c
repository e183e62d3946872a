#include "suites.h"
#include "synthetic.h"

#include "headlight/lens/overlay.h"

#include <math.h>
#include <stdlib.h>

#define TOKENS 13
#define SPARSE 100
#define HALF   200

static struct session session;

static void begin(void)
{
    session = synthetic_session(synthetic_pair, TOKENS, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
}

static bool inside(struct token_range window, uint32_t token)
{
    return token >= window.first && token < window.end;
}

static bool is_seen(const struct overlay_window *window, const struct edge *edge)
{
    const struct token_range *tokens = window->tokens;
    if (inside(tokens[SIDE_LEFT], edge->from) || inside(tokens[SIDE_RIGHT], edge->to))
        return true;
    return (edge->from < tokens[SIDE_LEFT].first) != (edge->to < tokens[SIDE_RIGHT].first);
}

/* Whether what is drawn after an edge, which stands behind it in the list, hides it. */
static bool is_hidden(const struct edge_list *list, size_t index)
{
    const struct edge *edge = &list->edges[index];
    for (size_t i = index + 1; i < list->count; i++) {
        const struct edge *next = &list->edges[i];
        bool half = next->shade >= SPARSE && next->shade < HALF;
        if (next->from == edge->from && next->to == edge->to && !(edge->shade < SPARSE && half))
            return true;
    }
    return false;
}

static bool same_edge(const struct edge *a, const struct edge *b)
{
    return a->from == b->from && a->to == b->to && a->head == b->head && a->weight == b->weight &&
           a->shade == b->shade;
}

/* Against the list of all edges: what is left out is not seen, and the order is the same. */
static void check(const struct edge_query *query, struct edge_limits limits,
                  const struct overlay_window *window)
{
    struct overlay overlay;
    struct edge_list all;
    struct error error;
    size_t at = 0, leaving = 0;
    ck_assert_int_eq(edges_select(query, &limits, &all, &error), STATUS_OK);
    ck_assert_int_eq(overlay_select(query, &limits, window, &overlay, &error), STATUS_OK);
    ck_assert_uint_eq(overlay.wanted, all.count);
    ck_assert_uint_eq(overlay.list.total, all.total);
    for (size_t i = 0; i < all.count; i++) {
        const struct edge *edge = &all.edges[i];
        bool from = inside(window->tokens[SIDE_LEFT], edge->from);
        leaving += from != inside(window->tokens[SIDE_RIGHT], edge->to);
        if (at < overlay.list.count && same_edge(edge, &overlay.list.edges[at]))
            at++;
        else
            ck_assert_msg(!is_seen(window, edge) || is_hidden(&all, i), "%u to %u of head %u",
                          edge->from, edge->to, edge->head);
    }
    ck_assert_uint_eq(at, overlay.list.count);
    ck_assert_uint_eq(overlay.above + overlay.below, leaving);
    ck_assert(overlay.whole == (at == all.count));
    free(all.edges);
    free(overlay.list.edges);
}

static const struct overlay_window windows[] = {
    {{{0, TOKENS}, {0, TOKENS}}, SPARSE, HALF},
    {{{4, 8}, {4, 8}}, SPARSE, HALF},
    {{{0, 3}, {9, 13}}, SPARSE, HALF},
    {{{5, 6}, {0, TOKENS}}, SPARSE, HALF},
};
#define WINDOWS (sizeof windows / sizeof *windows)

/* Of every weight, tone and window; twice, the second time with weights of a long text. */
START_TEST(what_is_left_out_is_not_seen)
{
    struct edge_query query = {.attention = session.data.attention, .layer = 1};
    float *weights = session.data.encoded->trace->layer[1].weights;
    for (size_t i = 0; _i > 0 && i < 4 * TOKENS * TOKENS; i++)
        weights[i] = (float)((i * 7919) % 1000) / 4000;
    for (size_t i = 0; i < WINDOWS * TONE_COUNT * 8; i++) {
        query.tone = (enum tone)(i / WINDOWS % TONE_COUNT);
        query.heads = (const uint64_t[]){15, 6, 1, 0}[i / WINDOWS / TONE_COUNT % 4];
        query.from = (struct token_range){i % 3, TOKENS};
        query.to = (struct token_range){0, TOKENS - i % 2};
        check(&query, (struct edge_limits){1 + (unsigned)i, 0, SIZE_MAX}, &windows[i % WINDOWS]);
        check(&query, (struct edge_limits){1, 0, i}, &windows[i % WINDOWS]);
    }
}
END_TEST

START_TEST(numbers_that_are_none_are_not_wanted)
{
    struct edge_query query = {
        .attention = session.data.attention, .heads = 15, .from = {0, TOKENS}, .to = {0, TOKENS}};
    float *weights = session.data.encoded->trace->layer[0].weights;
    for (size_t i = 0; i < 40; i++)
        weights[i * 5] = (const float[]){NAN, INFINITY, -1, 2}[i % 4];
    for (query.tone = TONE_WEIGHT; query.tone < TONE_COUNT; query.tone++)
        for (size_t i = 0; i < WINDOWS; i++)
            check(&query, (struct edge_limits){30, 0, SIZE_MAX}, &windows[i]);
}
END_TEST

Suite *suite_lens_overlay(void)
{
    Suite *suite = suite_create("lens/overlay");
    TCase *tests = tcase_create("overlay");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, what_is_left_out_is_not_seen, 0, 2);
    tcase_add_test(tests, numbers_that_are_none_are_not_wanted);
    suite_add_tcase(suite, tests);
    return suite;
}
