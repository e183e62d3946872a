/* Which edges are chosen, of short texts and long ones: as if all had been sorted. */
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/lens/edges.h"

#include <math.h>
#include <stdlib.h>

#define LONG 60 /* tokens: 4·60·60 edges, far more than are kept at a time */

static struct session session;
static struct error error;
static size_t tokens; /* of the text */
static const char *long_labels[LONG];
static bool by_weight_alone; /* else by shade */

static void begin(void)
{
    tokens = 13;
    session = synthetic_session(synthetic_pair, tokens, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

/* The query on the session's attention. */
static const struct edge_query *on_session(const struct edge_query *query)
{
    static struct edge_query complete;
    complete = *query;
    complete.attention = session.data.attention;
    return &complete;
}

static void select_edges(const struct edge_query *query, struct edge_limits limits,
                         struct edge_list *list)
{
    assert_ok(edges_select(on_session(query), &limits, list, &error), error);
}

/* ---- Numbers ---- */

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

/* ---- Choosing ---- */

TEST(nothing_to_choose_from_is_no_error)
{
    static const struct edge_query none[] = {
        {.heads = 0, .from = {0, 13}, .to = {0, 13}},
        {.heads = 15, .from = {5, 5}, .to = {0, 13}},
        {.heads = 15, .from = {0, 13}, .to = {5, 5}},
    };
    for (size_t i = 0; i < 3; i++) {
        struct edge_list list;
        struct edge edge;
        select_edges(&none[i], (struct edge_limits){0, SIZE_MAX}, &list);
        ck_assert_ptr_null(list.edges);
        ck_assert_uint_eq(list.count + list.total, 0);
        ck_assert(!edges_strongest(on_session(&none[i]), &edge));
    }
}

/* Thousandths and parts of them, so that many weights are equal and many are nearly so; each head
 * is heavier than the one before it, and the first row rises by a thousandth a token. Zeros,
 * weights above 1 and what is no number are among them. */
static void begin_long(void)
{
    unsigned state = 1;
    tokens = LONG;
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
    for (size_t i = 0; i < 4 * tokens * tokens; i++) {
        size_t head = i / (tokens * tokens), from = i / tokens % tokens, to = i % tokens;
        const float *row = attention_row(session.data.attention, query->layer, head, from);
        unsigned weight = edge_thousandths(row[to]);
        unsigned shade = edge_shade(query->tone, row[to], edge_largest(row, tokens));
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

/* However many are wanted, of whatever tone, from whatever weight on: as if all had been sorted. */
static void check_choice(const struct edge_query *query, size_t every)
{
    static const unsigned weights[] = {0, 1, 125, 300};
    struct edge *all = malloc(4 * tokens * tokens * sizeof *all);
    ck_assert_ptr_nonnull(all);
    for (size_t i = 0; i < 4; i++) {
        const size_t count = sort_all(query, weights[i], all);
        for (size_t most = 0; most < 20000; most += most < every ? 1 : most) {
            struct edge_list list;
            select_edges(query, (struct edge_limits){weights[i], most}, &list);
            ck_assert_uint_eq(list.count, count < most ? count : most);
            ck_assert(weights[i] > 0 || list.total == count);
            check_list(&list, all);
            free(list.edges);
        }
    }
    free(all);
}

TEST(edges_are_chosen_as_if_sorted, .times = TONE_COUNT)
{
    const enum tone tone = (enum tone)_i;
    check_choice(&(struct edge_query){.heads = 15, .from = {0, 13}, .to = {0, 13}, .tone = tone},
                 40);
    check_choice(
        &(struct edge_query){
            .layer = 1, .heads = 1u << 2, .from = {3, 5}, .to = {7, 13}, .tone = tone},
        14);
    for (size_t i = 0; i < (size_t)4 * 13 * 13; i++)
        session.data.encoded->trace->layer[0].weights[i] = 0.25F; /* all equal: in their order */
    check_choice(&(struct edge_query){.heads = 15, .from = {0, 13}, .to = {0, 13}, .tone = tone},
                 20);
}

TEST(long_texts_are_chosen_from_as_if_sorted, .times = TONE_COUNT, .with = &longs_tests)
{
    const enum tone tone = (enum tone)_i;
    check_choice(
        &(struct edge_query){.heads = 15, .from = {0, LONG}, .to = {0, LONG}, .tone = tone}, 600);
    check_choice(&(struct edge_query){.heads = 10, .from = {7, 50}, .to = {31, 33}, .tone = tone},
                 600);
}

/* Of each token alone. */
static void check_strongest(enum tone tone)
{
    struct edge *all = malloc(4 * tokens * tokens * sizeof *all), edge;
    ck_assert_ptr_nonnull(all);
    by_weight_alone = true;
    for (size_t from = 0; from < tokens; from++) {
        struct edge_query query = {.heads = from % 2 ? 15 : 1,
                                   .from = {from, from + 1},
                                   .to = {from / 2, tokens},
                                   .tone = tone};
        sort_all(&query, 0, all);
        ck_assert(edges_strongest(on_session(&query), &edge));
        check_same(&edge, &all[0]);
    }
    free(all);
}

TEST(the_strongest_is_the_heaviest, .times = TONE_COUNT)
{
    check_strongest((enum tone)_i);
}

TEST(the_strongest_of_a_long_text, .times = TONE_COUNT, .with = &longs_tests)
{
    check_strongest((enum tone)_i);
}
