#include "suites.h"
#include "synthetic.h"

#include "headlight/lens/edges.h"

#include <math.h>
#include <stdlib.h>

static struct session session;

static void begin(void)
{
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.passage);
}

static void end(void)
{
    session_end(&session);
}

static const struct edge_query everything = {.heads = 15, .from = {0, 13}, .to = {0, 13}};

/* The query on the session's attention. */
static const struct edge_query *on_session(const struct edge_query *query)
{
    static struct edge_query complete;
    complete = *query;
    complete.attention = session.attention;
    return &complete;
}

START_TEST(weights_are_rounded_to_thousandths)
{
    ck_assert_uint_eq(edge_thousandths(0.4174F), 417);
    ck_assert_uint_eq(edge_thousandths(0.4176F), 418);
    ck_assert_uint_eq(edge_thousandths(1.0001F), 1000);
    ck_assert_uint_eq(edge_thousandths(-0.1F), 0);
    ck_assert_uint_eq(edge_thousandths(NAN), 0);
    ck_assert_uint_eq(edge_thousandths(INFINITY), 1000);
}
END_TEST

static int by_weight(const void *a, const void *b)
{
    return *(const unsigned *)b < *(const unsigned *)a ? -1 : 1;
}

/* Against sorting all weights: the list holds the heaviest ones, light to heavy. */
START_TEST(the_heaviest_edges_are_chosen)
{
    unsigned all[4 * 13 * 13];
    struct edge_list list;
    struct error error;
    size_t count = 0;
    for (size_t head = 0; head < 4; head++)
        for (size_t from = 0; from < 13; from++)
            for (size_t to = 0; to < 13; to++)
                all[count++] =
                    edge_thousandths(trace_weight(session.passage->trace, 0, head, from, to));
    qsort(all, count, sizeof *all, by_weight);
    for (size_t limit = 0; limit <= 40; limit++) {
        ck_assert_int_eq(edges_select(on_session(&everything), &(struct edge_limits){1, 0, limit},
                                      &list, &error),
                         STATUS_OK);
        ck_assert_uint_eq(list.count, limit);
        ck_assert_uint_eq(list.total, count);
        for (size_t i = 0; i < limit; i++)
            ck_assert_uint_eq(list.edges[limit - 1 - i].weight, all[i]);
        free(list.edges);
    }
}
END_TEST

START_TEST(the_minimum_holds)
{
    struct edge_list list;
    struct error error;
    size_t expected = 0;
    for (size_t head = 0; head < 4; head++)
        for (size_t from = 0; from < 13; from++)
            for (size_t to = 0; to < 13; to++)
                expected += trace_weight(session.passage->trace, 0, head, from, to) >= 0.125F;
    ck_assert_int_eq(edges_select(on_session(&everything), &(struct edge_limits){125, 0, SIZE_MAX},
                                  &list, &error),
                     STATUS_OK);
    ck_assert_uint_gt(expected, 0);
    ck_assert_uint_eq(list.count, expected);
    for (size_t i = 0; i < list.count; i++)
        ck_assert_uint_ge(list.edges[i].weight, 125);
    free(list.edges);
}
END_TEST

START_TEST(heads_and_ranges_are_kept)
{
    struct edge_query query = {.layer = 1, .heads = 1u << 2, .from = {3, 5}, .to = {7, 13}};
    struct edge_list list;
    struct error error;
    ck_assert_int_eq(
        edges_select(on_session(&query), &(struct edge_limits){0, 0, SIZE_MAX}, &list, &error),
        STATUS_OK);
    ck_assert_uint_eq(list.total, 2 * 6);
    ck_assert_uint_eq(list.count, 2 * 6);
    for (size_t i = 0; i < list.count; i++) {
        const struct edge *edge = &list.edges[i];
        ck_assert_uint_eq(edge->head, 2);
        ck_assert(edge->from >= 3 && edge->from < 5 && edge->to >= 7);
        ck_assert_uint_eq(edge->weight, edge_thousandths(trace_weight(session.passage->trace, 1, 2,
                                                                      edge->from, edge->to)));
    }
    free(list.edges);
}
END_TEST

START_TEST(equal_edges_come_in_order)
{
    struct edge_list list;
    struct error error;
    for (size_t i = 0; i < 4 * 13 * 13; i++)
        session.passage->trace->layer[0].weights[i] = 0.25F;
    ck_assert_int_eq(
        edges_select(on_session(&everything), &(struct edge_limits){1, 0, 3}, &list, &error),
        STATUS_OK);
    ck_assert_uint_eq(list.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(list.edges[i].head, 0);
        ck_assert_uint_eq(list.edges[i].from, 0);
        ck_assert_uint_eq(list.edges[i].to, i);
    }
    free(list.edges);
}
END_TEST

START_TEST(nothing_to_choose_from_is_no_error)
{
    static const struct edge_query none[] = {
        {.heads = 0, .from = {0, 13}, .to = {0, 13}},
        {.heads = 15, .from = {5, 5}, .to = {0, 13}},
        {.heads = 15, .from = {0, 13}, .to = {5, 5}},
    };
    for (size_t i = 0; i < 3; i++) {
        struct edge_list list;
        struct error error;
        struct edge edge;
        ck_assert_int_eq(edges_select(on_session(&none[i]), &(struct edge_limits){0, 0, SIZE_MAX},
                                      &list, &error),
                         STATUS_OK);
        ck_assert_ptr_null(list.edges);
        ck_assert_uint_eq(list.count + list.total, 0);
        ck_assert(!edges_strongest(on_session(&none[i]), &edge));
    }
}
END_TEST

START_TEST(the_strongest_is_the_last_of_the_list)
{
    struct edge_list list;
    struct error error;
    struct edge edge;
    ck_assert_int_eq(
        edges_select(on_session(&everything), &(struct edge_limits){1, 0, 1}, &list, &error),
        STATUS_OK);
    ck_assert(edges_strongest(on_session(&everything), &edge));
    ck_assert_mem_eq(&edge, list.edges, sizeof edge);
    free(list.edges);
}
END_TEST

Suite *suite_lens_edges(void)
{
    Suite *suite = suite_create("lens/edges");
    TCase *tests = tcase_create("edges");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, weights_are_rounded_to_thousandths);
    tcase_add_test(tests, the_heaviest_edges_are_chosen);
    tcase_add_test(tests, the_minimum_holds);
    tcase_add_test(tests, heads_and_ranges_are_kept);
    tcase_add_test(tests, equal_edges_come_in_order);
    tcase_add_test(tests, nothing_to_choose_from_is_no_error);
    tcase_add_test(tests, the_strongest_is_the_last_of_the_list);
    suite_add_tcase(suite, tests);
    return suite;
}
