#include "suites.h"
#include "synthetic.h"

#include "headlight/lens/edges.h"

#include <math.h>
#include <stdlib.h>

static struct session session;

static void begin(void)
{
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

static const struct edge_query everything = {.heads = 15, .from = {0, 13}, .to = {0, 13}};

/* The query on the session's attention. */
static const struct edge_query *on_session(const struct edge_query *query)
{
    static struct edge_query complete;
    complete = *query;
    complete.attention = session.data.attention;
    return &complete;
}

TEST(weights_are_rounded_to_thousandths)
{
    ck_assert_uint_eq(edge_thousandths(0.4174F), 417);
    ck_assert_uint_eq(edge_thousandths(0.4176F), 418);
    ck_assert_uint_eq(edge_thousandths(1.0001F), 1000);
    ck_assert_uint_eq(edge_thousandths(1.6F), 1000);
    ck_assert_uint_eq(edge_thousandths(-0.1F), 0);
    ck_assert_uint_eq(edge_thousandths(NAN), 0);
    ck_assert_uint_eq(edge_thousandths(INFINITY), 1000);
}

static int by_weight(const void *a, const void *b)
{
    return *(const unsigned *)b < *(const unsigned *)a ? -1 : 1;
}

/* Against sorting all weights: the list holds the heaviest ones, light to heavy. */
TEST(the_heaviest_edges_are_chosen)
{
    unsigned all[4 * 13 * 13];
    struct edge_list list;
    struct error error;
    size_t count = 0;
    for (size_t head = 0; head < 4; head++)
        for (size_t from = 0; from < 13; from++)
            for (size_t to = 0; to < 13; to++)
                all[count++] =
                    edge_thousandths(trace_weight(session.data.encoded->trace, 0, head, from, to));
    qsort(all, count, sizeof *all, by_weight);
    for (size_t limit = 0; limit <= 40; limit++) {
        ck_assert_int_eq(
            edges_select(on_session(&everything), &(struct edge_limits){1, limit}, &list, &error),
            STATUS_OK);
        ck_assert_uint_eq(list.count, limit);
        ck_assert_uint_eq(list.total, count);
        for (size_t i = 0; i < limit; i++)
            ck_assert_uint_eq(list.edges[limit - 1 - i].weight, all[i]);
        free(list.edges);
    }
}

TEST(the_minimum_holds)
{
    struct edge_list list;
    struct error error;
    size_t expected = 0;
    for (size_t head = 0; head < 4; head++)
        for (size_t from = 0; from < 13; from++)
            for (size_t to = 0; to < 13; to++)
                expected += trace_weight(session.data.encoded->trace, 0, head, from, to) >= 0.125F;
    ck_assert_int_eq(
        edges_select(on_session(&everything), &(struct edge_limits){125, SIZE_MAX}, &list, &error),
        STATUS_OK);
    ck_assert_uint_gt(expected, 0);
    ck_assert_uint_eq(list.count, expected);
    for (size_t i = 0; i < list.count; i++)
        ck_assert_uint_ge(list.edges[i].weight, 125);
    free(list.edges);
}

TEST(heads_and_ranges_are_kept)
{
    struct edge_query query = {.layer = 1, .heads = 1u << 2, .from = {3, 5}, .to = {7, 13}};
    struct edge_list list;
    struct error error;
    ck_assert_int_eq(
        edges_select(on_session(&query), &(struct edge_limits){0, SIZE_MAX}, &list, &error),
        STATUS_OK);
    ck_assert_uint_eq(list.total, 2 * 6);
    ck_assert_uint_eq(list.count, 2 * 6);
    for (size_t i = 0; i < list.count; i++) {
        const struct edge *edge = &list.edges[i];
        ck_assert_uint_eq(edge->head, 2);
        ck_assert(edge->from >= 3 && edge->from < 5 && edge->to >= 7);
        ck_assert_uint_eq(edge->weight, edge_thousandths(trace_weight(session.data.encoded->trace,
                                                                      1, 2, edge->from, edge->to)));
    }
    free(list.edges);
}

TEST(equal_edges_come_in_order)
{
    struct edge_list list;
    struct error error;
    for (size_t i = 0; i < 4 * 13 * 13; i++)
        session.data.encoded->trace->layer[0].weights[i] = 0.25F;
    ck_assert_int_eq(
        edges_select(on_session(&everything), &(struct edge_limits){1, 3}, &list, &error),
        STATUS_OK);
    ck_assert_uint_eq(list.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(list.edges[i].head, 0);
        ck_assert_uint_eq(list.edges[i].from, 0);
        ck_assert_uint_eq(list.edges[i].to, i);
    }
    free(list.edges);
}

TEST(nothing_to_choose_from_is_no_error)
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
        ck_assert_int_eq(
            edges_select(on_session(&none[i]), &(struct edge_limits){0, SIZE_MAX}, &list, &error),
            STATUS_OK);
        ck_assert_ptr_null(list.edges);
        ck_assert_uint_eq(list.count + list.total, 0);
        ck_assert(!edges_strongest(on_session(&none[i]), &edge));
    }
}

TEST(the_strongest_is_the_last_of_the_list)
{
    struct edge_list list;
    struct error error;
    struct edge edge;
    ck_assert_int_eq(
        edges_select(on_session(&everything), &(struct edge_limits){1, 1}, &list, &error),
        STATUS_OK);
    ck_assert(edges_strongest(on_session(&everything), &edge));
    ck_assert_uint_eq(edge.head, list.edges->head);
    ck_assert_uint_eq(edge.from, list.edges->from);
    ck_assert_uint_eq(edge.to, list.edges->to);
    ck_assert_uint_eq(edge.weight, list.edges->weight);
    ck_assert_uint_eq(edge.shade, list.edges->shade);
    free(list.edges);
}

TEST(tones_are_roots_and_shares, .times = 12)
{
    static const struct {
        enum tone tone;
        float weight, largest;
        unsigned shade;
    } cases[] = {
        {TONE_WEIGHT, 0.25F, 0.5F, 250},
        {TONE_ROOT, 0.25F, 0.5F, 500},
        {TONE_ROW, 0.25F, 0.5F, 500},
        {TONE_ROOT, 0.01F, 0, 100},
        {TONE_ROOT, 0, 0, 0},
        {TONE_ROOT, 1, 1, 1000},
        {TONE_ROOT, -1, 0, 0},
        {TONE_ROOT, NAN, 0, 0},
        {TONE_ROW, 0.3F, 0.3F, 1000},
        {TONE_ROW, 0, 0.5F, 0},
        {TONE_ROW, 0, 0, 0},
        {TONE_ROW, NAN, 0.5F, 0},
    };
    ck_assert_uint_eq(edge_shade(cases[_i].tone, cases[_i].weight, cases[_i].largest),
                      cases[_i].shade);
}

/* Wherever it stands in a row of any length, in the company of what is no number. */
TEST(the_largest_of_a_row)
{
    for (size_t count = 1; count <= 9; count++)
        for (size_t place = 0; place < count; place++) {
            float row[10] = {0.1F, 0.2F, NAN, 0.1F, -1, 0.2F, 0.1F, 0.1F, 0.2F, 9};
            row[count] = 9; /* beyond the end */
            row[place] = 0.75F;
            ck_assert(edge_largest(row, count) == 0.75F);
        }
    ck_assert(edge_largest(NULL, 0) == 0);
    ck_assert(edge_largest((float[]){-1, -2, -3}, 3) == 0);
}

static void select_all(const struct edge_query *query, struct edge_limits limits,
                       struct edge_list *list)
{
    struct error error;
    ck_assert_int_eq(edges_select(on_session(query), &limits, list, &error), STATUS_OK);
}

/* The largest weight of a row has the full shade, also where the query leaves it out. */
TEST(shades_are_shares_of_the_whole_row)
{
    struct edge_query query = {.heads = 15, .from = {0, 13}, .to = {0, 13}, .tone = TONE_ROW};
    struct edge_list list;
    unsigned largest[4][13] = {0};
    select_all(&query, (struct edge_limits){0, SIZE_MAX}, &list);
    for (size_t i = 0; i < list.count; i++)
        largest[list.edges[i].head][list.edges[i].from] = list.edges[i].shade; /* light to heavy */
    for (size_t i = 0; i < 4 * 13; i++)
        ck_assert_uint_eq(largest[i / 13][i % 13], 1000);
    free(list.edges);
    float *row = session.data.encoded->trace->layer[0].weights; /* head 0, from 0 */
    row[12] = 1;
    row[3] = 0.25F;
    query = (struct edge_query){.heads = 1, .from = {0, 1}, .to = {3, 4}, .tone = TONE_ROW};
    select_all(&query, (struct edge_limits){0, SIZE_MAX}, &list);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_uint_eq(list.edges[0].shade, 250);
    free(list.edges);
}

/* Light to heavy by shade, and none that is left out is heavier; the weight comes along. */
TEST(tones_decide_what_is_chosen, .times = TONE_COUNT)
{
    struct edge_query query = {.heads = 15, .from = {0, 13}, .to = {0, 13}, .tone = (enum tone)_i};
    struct edge_list all, some;
    select_all(&query, (struct edge_limits){0, SIZE_MAX}, &all);
    ck_assert_uint_eq(all.count, 4 * 13 * 13);
    for (size_t i = 0; i < all.count; i++) {
        const struct edge *edge = &all.edges[i];
        const float *row = attention_row(session.data.attention, 0, edge->head, edge->from);
        ck_assert_uint_eq(edge->weight, edge_thousandths(row[edge->to]));
        ck_assert_uint_eq(edge->shade,
                          edge_shade(query.tone, row[edge->to], edge_largest(row, 13)));
        ck_assert(i == 0 || all.edges[i - 1].shade <= edge->shade);
    }
    select_all(&query, (struct edge_limits){0, 60}, &some);
    ck_assert_uint_eq(some.count, 60);
    for (size_t i = 0; i < 60; i++)
        ck_assert_uint_eq(some.edges[59 - i].shade, all.edges[all.count - 1 - i].shade);
    free(some.edges);
    free(all.edges);
}

/* A threshold is on the weight, whatever the tone. */
TEST(thresholds_are_on_the_weight, .times = TONE_COUNT)
{
    struct edge_query query = {.heads = 15, .from = {0, 13}, .to = {0, 13}, .tone = (enum tone)_i};
    struct edge_list list;
    size_t heavy = 0;
    for (size_t i = 0; i < 4 * 13 * 13; i++) {
        const float *row = session.data.attention->weights[0] + i / 13 * 13;
        heavy += row[i % 13] >= 0.125F;
    }
    select_all(&query, (struct edge_limits){125, SIZE_MAX}, &list);
    ck_assert_uint_eq(list.count, heavy);
    ck_assert(heavy > 0 && heavy < list.total);
    for (size_t i = 0; i < list.count; i++)
        ck_assert_uint_ge(list.edges[i].weight, 125);
    free(list.edges);
}

/* ---- Long texts ---- */

#define LONG 60 /* tokens: 4·60·60 edges, far more than are kept at a time */

static const char *long_labels[LONG];
static bool by_weight_alone; /* else by shade */

/* Thousandths and parts of them, so that many weights are equal and many are nearly so; each head
 * is heavier than the one before it, and the first row rises by a thousandth a token. Zeros,
 * weights above 1 and what is no number are among them. */
static void begin_long(void)
{
    unsigned state = 1;
    for (size_t i = 0; i < LONG; i++)
        long_labels[i] = "word";
    session = synthetic_session(long_labels, LONG, LONG, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    float *weights = session.data.encoded->trace->layer[0].weights;
    for (size_t i = 0; i < 4 * LONG * LONG; i++) {
        state = state * 1103515245u + 12345u;
        unsigned draw = state >> 16;
        weights[i] = (float)(draw % 401 * (i / (LONG * LONG) + 1)) / 4300;
        if (i < LONG)
            weights[i] = (float)(i + 1) / 1000;
        else if (draw % 501 < 3)
            weights[i] = draw % 501 == 0 ? NAN : draw % 501 == 1 ? 1.5F : 0;
    }
}

static const struct fixture longs_tests = {.begin = begin_long, .end = end, .slow = true};

static bool is_before(const struct edge *a, const struct edge *b)
{
    return a->head != b->head   ? a->head < b->head
           : a->from != b->from ? a->from < b->from
                                : a->to < b->to;
}

static int heaviest_first(const void *a, const void *b)
{
    const struct edge *left = a, *right = b;
    unsigned one = by_weight_alone ? left->weight : left->shade;
    unsigned other = by_weight_alone ? right->weight : right->shade;
    if (one != other)
        return one > other ? -1 : 1;
    return is_before(left, right) ? -1 : 1;
}

/* All edges of a query from a weight on, the heaviest first, of equal ones the first first. */
static size_t sort_all(const struct edge_query *query, unsigned least, struct edge *all)
{
    size_t count = 0;
    for (size_t i = 0; i < 4 * LONG * LONG; i++) {
        size_t head = i / (LONG * LONG), from = i / LONG % LONG, to = i % LONG;
        const float *row = attention_row(session.data.attention, 0, head, from);
        unsigned weight = edge_thousandths(row[to]);
        unsigned shade = edge_shade(query->tone, row[to], edge_largest(row, LONG));
        if (from >= query->from.first && from < query->from.end && to >= query->to.first &&
            to < query->to.end && query->heads >> head & 1 && weight >= least)
            all[count++] = (struct edge){(uint32_t)from, (uint32_t)to, (uint16_t)head,
                                         (uint16_t)weight, (uint16_t)shade};
    }
    qsort(all, count, sizeof *all, heaviest_first);
    return count;
}

static void check_same(const struct edge *a, const struct edge *b)
{
    ck_assert_msg(a->head == b->head && a->from == b->from && a->to == b->to &&
                      a->weight == b->weight && a->shade == b->shade,
                  "head %u from %u to %u, expected head %u from %u to %u", a->head, a->from, a->to,
                  b->head, b->from, b->to);
}

/* In the list equal ones stand in their order, though the list as a whole is light to heavy. */
static void check_list(const struct edge_list *list, const struct edge *all)
{
    for (size_t first = 0, end; first < list->count; first = end) {
        for (end = first + 1; end < list->count && all[end].shade == all[first].shade;)
            end++;
        for (size_t i = first; i < end; i++)
            check_same(&list->edges[list->count - end + (i - first)], &all[i]);
    }
}

/* However many are wanted, of whatever tone: as if all had been sorted. */
TEST(long_texts_are_chosen_from_as_if_sorted, .times = TONE_COUNT, .with = &longs_tests)
{
    static const unsigned weights[] = {0, 1, 50, 300};
    const struct edge_query queries[] = {
        {.heads = 15, .from = {0, LONG}, .to = {0, LONG}, .tone = (enum tone)_i},
        {.heads = 10, .from = {7, 50}, .to = {31, 33}, .tone = (enum tone)_i}};
    struct edge *all = malloc(4 * LONG * LONG * sizeof *all);
    ck_assert_ptr_nonnull(all);
    for (size_t i = 0; i < 2 * 4; i++) {
        unsigned least = weights[i % 4];
        size_t count = sort_all(&queries[i / 4], least, all);
        for (size_t most = 1; most < 20000; most += most < 600 ? 1 : most) {
            struct edge_list list;
            select_all(&queries[i / 4], (struct edge_limits){least, most}, &list);
            ck_assert_uint_eq(list.count, count < most ? count : most);
            check_list(&list, all);
            free(list.edges);
        }
    }
    free(all);
}

TEST(the_strongest_of_a_long_text, .times = TONE_COUNT, .with = &longs_tests)
{
    struct edge *all = malloc(4 * LONG * LONG * sizeof *all), edge;
    ck_assert_ptr_nonnull(all);
    by_weight_alone = true;
    for (size_t from = 0; from < LONG; from++) {
        struct edge_query query = {.heads = from % 2 ? 15 : 1,
                                   .from = {from, from + 1},
                                   .to = {from / 2, LONG},
                                   .tone = (enum tone)_i};
        sort_all(&query, 0, all);
        ck_assert(edges_strongest(on_session(&query), &edge));
        check_same(&edge, &all[0]);
    }
    free(all);
}
