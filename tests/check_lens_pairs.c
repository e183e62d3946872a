/* check_lens_pairs.c: which pairs of tokens get a line, against all weights looked at one by one.
 */
#include "suites.h"
#include "synthetic.h"

#include "headlight/lens/edges.h"
#include "headlight/model/head_mask.h"

#include <stdlib.h>
#include <string.h>

#define T 13
#define A 4

static struct session session;
static struct error error;

static void begin(void)
{
    session = synthetic_session(synthetic_pair, T, 7, A, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

static struct edge_query query_of(uint64_t heads)
{
    return (struct edge_query){
        .attention = session.data.attention, .heads = heads, .from = {0, T}, .to = {0, T}};
}

/* The heaviest head of a pair, the first of equal ones. */
static unsigned heaviest(const struct edge_query *query, size_t from, size_t to, size_t *head)
{
    unsigned most = 0;
    bool found = false;
    for (size_t i = 0; i < A; i++) {
        if (!head_mask_has(query->heads, i))
            continue;
        unsigned weight =
            edge_thousandths(attention_weight(query->attention, query->layer, i, from, to));
        if (!found || weight > most) {
            most = weight;
            *head = i;
        }
        found = true;
    }
    return most;
}

static void select_pairs(const struct edge_query *query, unsigned weight, size_t count, bool each,
                         struct edge_list *list)
{
    struct pair_limits limits = {.edges = {weight, count}, .each = each};
    ck_assert_int_eq(pairs_select(query, &limits, list, &error), STATUS_OK);
}

/* Every pair once, with its heaviest head; nothing that is left out is heavier than what is in. */
TEST(of_each_pair_the_heaviest_head_is_chosen)
{
    static const size_t counts[] = {0, 1, 7, 32, 80, SIZE_MAX};
    static const uint64_t masks[] = {1, 2, 6, 15};
    for (int i = 0; i < 24; i++) {
        struct edge_query query = query_of(masks[i % 4]);
        struct edge_list list;
        bool seen[T][T] = {{false}};
        unsigned least = EDGE_WHOLE;
        select_pairs(&query, 1, counts[i / 4], false, &list);
        ck_assert_uint_le(list.count, counts[i / 4]);
        ck_assert_uint_eq(list.total, T * T);
        for (size_t j = 0; j < list.count; j++) {
            const struct edge *edge = &list.edges[j];
            size_t head = 0;
            ck_assert_uint_eq(edge->weight, heaviest(&query, edge->from, edge->to, &head));
            ck_assert_uint_eq(edge->head, head);
            ck_assert(!seen[edge->from][edge->to]);
            seen[edge->from][edge->to] = true;
            ck_assert(j == 0 || list.edges[j - 1].shade <= edge->shade);
            least = edge->weight < least ? edge->weight : least;
        }
        for (size_t pair = 0, head; pair < T * T; pair++)
            if (!seen[pair / T][pair % T]) {
                unsigned weight = heaviest(&query, pair / T, pair % T, &head);
                ck_assert(weight < 1 || (list.count == counts[i / 4] && weight <= least));
            }
        free(list.edges);
    }
}

TEST(every_attending_token_has_its_heaviest_line)
{
    for (uint64_t mask = 1; mask < 16; mask++) {
        struct edge_query query = query_of(mask);
        struct edge_list list, few;
        select_pairs(&query, 999, 3, true, &list);
        select_pairs(&query, 999, 3, false, &few);
        ck_assert_uint_ge(list.count, few.count);
        for (size_t from = 0; from < T; from++) {
            struct edge strongest;
            struct edge_query row = query;
            bool found = false;
            row.from = (struct token_range){from, from + 1};
            ck_assert(edges_strongest(&row, &strongest));
            for (size_t i = 0; i < list.count; i++)
                found |= memcmp(&list.edges[i], &strongest, sizeof strongest) == 0;
            ck_assert(found || strongest.weight == 0);
        }
        for (size_t i = 1; i < list.count; i++)
            ck_assert(list.edges[i - 1].shade <= list.edges[i].shade);
        free(list.edges);
        free(few.edges);
    }
}

/* With lanes the heaviest edges of all heads, and the heaviest one of each. */
TEST(with_lanes_every_head_has_lines)
{
    static const size_t counts[] = {0, 7, 80, SIZE_MAX};
    for (int i = 0; i < 8; i++) {
        const struct edge_query query = query_of(i < 4 ? 15 : 6);
        const size_t heads = head_mask_count(query.heads), most = counts[i % 4];
        const struct pair_limits limits = {.edges = {1, most}, .lanes = true, .each = true};
        const struct edge_limits same = {1, most};
        struct edge_list list;
        struct edge_list edges;
        uint64_t seen = 0;
        bool drawn[A][T][T] = {{{false}}};
        ck_assert_int_eq(pairs_select(&query, &limits, &list, &error), STATUS_OK);
        ck_assert_int_eq(edges_select(&query, &same, &edges, &error), STATUS_OK);
        ck_assert_uint_eq(list.total, T * T * heads);
        ck_assert_uint_le(list.count, edges.count + T + heads);
        for (size_t j = 0; j < list.count; j++) {
            const struct edge *edge = &list.edges[j];
            ck_assert(!drawn[edge->head][edge->from][edge->to]);
            drawn[edge->head][edge->from][edge->to] = true;
            seen |= UINT64_C(1) << edge->head;
        }
        for (size_t j = 0; j < edges.count; j++)
            ck_assert(drawn[edges.edges[j].head][edges.edges[j].from][edges.edges[j].to]);
        ck_assert(seen == query.heads);
        free(edges.edges);
        free(list.edges);
    }
}

/* Once, whether the limit has left it out or not, and beside the lines of all attending tokens. */
TEST(a_pinned_pair_has_one_line)
{
    static const size_t counts[] = {0, 7, SIZE_MAX};
    for (size_t i = 0; i < 6 * (size_t)T * T; i++) {
        const size_t from = i / T % T, to = i % T, run = i / T / T;
        const struct edge_query query = query_of(15);
        const struct pair_limits limits = {
            .edges = {1, counts[run / 2]}, .each = run % 2, .pinned = true, .from = from, .to = to};
        struct edge_list list;
        size_t head, lines = 0;
        ck_assert_int_eq(pairs_select(&query, &limits, &list, &error), STATUS_OK);
        for (size_t j = 0; j < list.count; j++)
            lines += list.edges[j].from == from && list.edges[j].to == to;
        ck_assert_uint_eq(lines, heaviest(&query, from, to, &head) > 0);
        free(list.edges);
    }
}

/* The line that the status names is the heaviest of the picture. */
TEST(the_last_pair_is_the_strongest_edge)
{
    struct edge_query query = query_of(15);
    struct edge_list list;
    struct edge strongest;
    select_pairs(&query, 1, 32, true, &list);
    ck_assert(edges_strongest(&query, &strongest));
    const struct edge *last = &list.edges[list.count - 1];
    ck_assert_uint_eq(last->weight, strongest.weight);
    free(list.edges);
}

/* ---- A causal trace ---- */

/* Token i gives the first one ¾ and the rest to itself. */
static void make_causal(float weights[A][T][T], const float *layer[1], struct attention *attention)
{
    memset(weights, 0, sizeof(float[A][T][T]));
    for (size_t head = 0; head < A; head++)
        for (size_t from = 0; from < T; from++) {
            weights[head][from][from] = 0.25F;
            weights[head][from][0] += 0.75F;
        }
    *layer = &weights[0][0][0];
    *attention = *session.data.attention;
    attention->layers = 1;
    attention->weights = layer;
}

TEST(lines_to_the_first_token_do_not_use_up_the_limit)
{
    float weights[A][T][T];
    const float *layer[1];
    struct attention causal;
    struct edge_list list;
    make_causal(weights, layer, &causal);
    struct edge_query query = query_of(15);
    query.attention = &causal;
    select_pairs(&query, 1, 5, false, &list);
    ck_assert_uint_eq(list.to_first, T);
    ck_assert_uint_eq(list.count, T + 5);
    ck_assert_uint_eq(list.total, T * (T + 1) / 2);
    free(list.edges);
    weights[1][3][4] = 0.01F; /* to a later token: no causal trace */
    select_pairs(&query, 1, 5, false, &list);
    ck_assert_uint_eq(list.to_first, 0);
    ck_assert_uint_eq(list.count, 5);
    ck_assert_uint_eq(list.total, T * T);
    free(list.edges);
}

TEST(nothing_to_choose_from)
{
    struct edge_query query = query_of(0), empty = query_of(15);
    struct edge_list list;
    select_pairs(&query, 1, 5, true, &list);
    ck_assert_uint_eq(list.count, 0);
    free(list.edges);
    empty.to = (struct token_range){3, 3};
    select_pairs(&empty, 1, 5, true, &list);
    ck_assert_uint_eq(list.count + list.total, 0);
    free(list.edges);
}

/* No head attends to a later token, but nobody would call that causal. */
TEST(without_a_head_all_pairs_are_hidden)
{
    struct edge_query query = query_of(0);
    struct edge_list list;
    select_pairs(&query, 1, SIZE_MAX, true, &list);
    ck_assert_uint_eq(list.count, 0);
    ck_assert_uint_eq(list.total, T * T);
    free(list.edges);
}
