/* pairs.c: selects the lines between tokens. Of several heads only the heaviest edge of each pair
 * is one, so that they don't paint over one another, unless each line has a lane of its own. */
#include "headlight/lens/edges.h"

#include "headlight/base/size.h"
#include "headlight/model/head_mask.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Selection works in steps on one list of edges, always sorted from light to heavy. */
struct choice {
    const struct edge_query *query;
    const struct pair_limits *limits;
    bool causal;
    struct edge *edges; /* with room for one more per token and per head, and one */
    size_t count;
    uint32_t *heaviest; /* [from,to] 1 + the index of its edge; 0: none */
};

/* The place of a pair in the table of the query. */
static uint32_t *heaviest_of(const struct choice *choice, const struct edge *edge)
{
    return &choice->heaviest[(edge->from - choice->query->from.first) *
                                 edge_range_count(choice->query->to) +
                             (edge->to - choice->query->to.first)];
}

/* Whether no token attends to a later one, in any of some heads. */
static bool is_causal(const struct edge_query *query)
{
    size_t columns = query->attention->tokens[SIDE_RIGHT].count;
    if (query->heads == 0 || columns < 2 || columns != query->attention->tokens[SIDE_LEFT].count)
        return false;
    for (size_t head = 0; head < query->attention->heads; head++)
        for (size_t from = 0; head_mask_has(query->heads, head) && from + 1 < columns; from++)
            if (edge_largest(attention_row(query->attention, query->layer, head, from) + from + 1,
                             columns - from - 1) > 0)
                return false;
    return true;
}

static bool is_to_first(const struct choice *choice, const struct edge *edge)
{
    return choice->causal && edge->to == 0;
}

/* ---- Steps ---- */

/* Keeps the heaviest edge of each pair, the first head if equal. */
static void keep_heaviest(struct choice *choice)
{
    size_t kept = 0;
    for (size_t i = 0; i < choice->count; i++) {
        uint32_t *slot = heaviest_of(choice, &choice->edges[i]);
        if (*slot == 0 || choice->edges[i].weight > choice->edges[*slot - 1].weight)
            *slot = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < choice->count; i++)
        if (*heaviest_of(choice, &choice->edges[i]) == i + 1)
            choice->edges[kept++] = choice->edges[i];
    choice->count = kept;
}

/* From heavy to light, up to the limit. */
static void keep_counted(struct choice *choice)
{
    size_t left = choice->limits->edges.count, first = choice->count;
    if (choice->count == 0)
        return;
    for (size_t i = choice->count; i-- > 0;) {
        bool apart = is_to_first(choice, &choice->edges[i]);
        if (apart || left > 0)
            choice->edges[--first] = choice->edges[i];
        left -= !apart && left > 0;
    }
    choice->count -= first;
    memmove(choice->edges, choice->edges + first, choice->count * sizeof *choice->edges);
}

/* As edges_select sorts them: among equal shades by head, from, to. */
static int by_pair_shade(const void *a, const void *b)
{
    const struct edge *first = a, *second = b;
    if (first->shade != second->shade)
        return first->shade < second->shade ? -1 : 1;
    if (first->head != second->head)
        return first->head < second->head ? -1 : 1;
    return first->from < second->from ? -1 : first->from > second->from;
}

/* Adds the heaviest edge of some tokens and heads, if it has any weight. */
static void add_strongest(struct choice *choice, struct token_range from, struct token_range to,
                          uint64_t heads)
{
    struct edge_query query = *choice->query;
    struct edge *edge = &choice->edges[choice->count];
    query.from = from;
    query.to = to;
    query.heads = heads;
    choice->count += edges_strongest(&query, edge) && edge->weight > 0;
}

/* Adds the heaviest edge of each attending token without a line. */
static void add_each(struct choice *choice)
{
    const struct token_range from = choice->query->from;
    size_t kept = choice->count, tokens = edge_range_count(from);
    memset(choice->heaviest, 0, tokens * sizeof *choice->heaviest); /* from here on [from] */
    for (size_t i = 0; i < kept; i++)
        choice->heaviest[choice->edges[i].from - from.first] = 1;
    for (size_t i = 0; i < tokens; i++)
        if (choice->heaviest[i] == 0)
            add_strongest(choice, (struct token_range){from.first + i, from.first + i + 1},
                          choice->query->to, choice->query->heads);
}

/* Adds the heaviest edge of each head without a line. */
static void add_heads(struct choice *choice)
{
    const struct edge_query *query = choice->query;
    uint64_t heads = query->heads & head_mask_all(query->attention->heads);
    for (size_t i = 0; i < choice->count; i++)
        heads &= ~(UINT64_C(1) << choice->edges[i].head);
    for (; heads != 0; heads &= heads - 1)
        add_strongest(choice, query->from, query->to, heads & (~heads + 1));
}

/* Adds the pinned pair unless it has a line. */
static void add_pinned(struct choice *choice)
{
    const struct pair_limits *limits = choice->limits;
    for (size_t i = 0; i < choice->count; i++)
        if (choice->edges[i].from == limits->from && choice->edges[i].to == limits->to)
            return;
    add_strongest(choice, (struct token_range){limits->from, limits->from + 1},
                  (struct token_range){limits->to, limits->to + 1}, choice->query->heads);
}

static void add_besides(struct choice *choice)
{
    size_t kept = choice->count;
    if (choice->limits->each && edge_range_count(choice->query->to) > 0)
        add_each(choice);
    if (choice->limits->each && choice->limits->lanes)
        add_heads(choice);
    if (choice->limits->pinned)
        add_pinned(choice);
    if (choice->count > kept)
        qsort(choice->edges, choice->count, sizeof *choice->edges, by_pair_shade);
}

/* ---- Selection ---- */

/* A causal trace has no pairs to later tokens. In lanes each head has a line of a pair. */
static size_t count_lines(const struct choice *choice)
{
    struct token_range from = choice->query->from, to = choice->query->to;
    size_t count = edge_range_count(from) * edge_range_count(to);
    for (size_t token = from.first; choice->causal && token < from.end; token++)
        count -= to.end - size_min(to.end, size_max(to.first, token + 1));
    return choice->limits->lanes ? count * head_mask_count(choice->query->heads) : count;
}

/* So many edges always contain as many lines as the limit. */
static size_t edges_wanted(const struct choice *choice)
{
    size_t heads = head_mask_count(choice->query->heads), wanted = choice->limits->edges.count;
    if (choice->limits->lanes && !choice->causal)
        return wanted;
    wanted = wanted < SIZE_MAX / 2 ? wanted : SIZE_MAX / 2;
    wanted += choice->causal ? edge_range_count(choice->query->from) : 0;
    return size_multiply(wanted, heads, &wanted) ? wanted : SIZE_MAX;
}

/* Room for one more edge per token and per head and for the pinned one is made at once. */
static enum status select_edges(struct choice *choice, struct error *error)
{
    size_t tokens = edge_range_count(choice->query->from),
           columns = edge_range_count(choice->query->to);
    struct edge_limits limits = {choice->limits->edges.weight, edges_wanted(choice)};
    struct edge_list list;
    if (edges_select(choice->query, &limits, &list, error) != STATUS_OK)
        return error->status;
    choice->edges = list.edges;
    choice->count = list.count;
    struct edge *edges = realloc(
        choice->edges, (list.count + tokens + choice->query->attention->heads + 1) * sizeof *edges);
    if (!edges)
        return error_memory(error, "the lines", list.count * sizeof *edges);
    choice->edges = edges;
    choice->heaviest = calloc(tokens * columns + 1, sizeof *choice->heaviest);
    if (!choice->heaviest)
        return error_memory(error, "the lines", tokens * columns * sizeof *choice->heaviest);
    return STATUS_OK;
}

enum status pairs_select(const struct edge_query *query, const struct pair_limits *limits,
                         struct pair_list *list, struct error *error)
{
    struct choice choice = {.query = query, .limits = limits, .causal = is_causal(query)};
    *list = (struct pair_list){.total = 0};
    enum status status = select_edges(&choice, error);
    if (status == STATUS_OK) {
        if (!limits->lanes)
            keep_heaviest(&choice);
        keep_counted(&choice);
        if (choice.heaviest)
            add_besides(&choice);
        *list = (struct pair_list){choice.edges, choice.count, 0, count_lines(&choice)};
        for (size_t i = 0; i < choice.count; i++)
            list->to_first += is_to_first(&choice, &choice.edges[i]);
    } else {
        free(choice.edges);
    }
    free(choice.heaviest);
    return status;
}
