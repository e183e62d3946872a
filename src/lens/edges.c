/* edges.c: selects the edges worth drawing. A layer of a long text has millions of weights of which
 * few are visible, so whole pieces of rows are skipped by one comparison. */
#include "headlight/lens/edges.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/head_mask.h"

#include <math.h>
#include <stdlib.h>

#define LANES 8
#define PIECE 64 /* weights of a row */

unsigned edge_thousandths(float weight)
{
    if (!(weight > 0))
        return 0;
    return weight >= 1 ? EDGE_WHOLE : (unsigned)lrint((double)weight * EDGE_WHOLE);
}

/* In lanes for SIMD, as the weights of all layers pass through here. */
float edge_largest(const float *row, size_t count)
{
    float lanes[LANES] = {0}, largest = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            lanes[lane] = row[i + lane] > lanes[lane] ? row[i + lane] : lanes[lane];
    for (; i < count; i++)
        largest = row[i] > largest ? row[i] : largest;
    for (size_t lane = 0; lane < LANES; lane++)
        largest = lanes[lane] > largest ? lanes[lane] : largest;
    return largest;
}

unsigned edge_shade(enum tone tone, float weight, float largest)
{
    if (tone == TONE_ROOT && weight > 0)
        return edge_thousandths(sqrtf(weight));
    if (tone == TONE_ROW && largest > 0)
        return edge_thousandths(weight / largest);
    return edge_thousandths(weight);
}

float edge_weight(enum tone tone, float shade, float largest)
{
    if (tone == TONE_ROOT && shade > 0)
        return shade * shade;
    return tone == TONE_ROW && largest > 0 ? shade * largest : shade;
}

size_t edges_total(const struct edge_query *query)
{
    uint64_t heads = query->heads & head_mask_all(query->attention->heads);
    return head_mask_count(heads) * edge_range_count(query->from) * edge_range_count(query->to);
}

/* The largest weight of a row, for shades relative to it. */
static float whole_of(const struct edge_query *query, const float *row)
{
    if (query->tone != TONE_ROW)
        return 0;
    return edge_largest(row, query->attention->tokens[SIDE_RIGHT].count);
}

static struct edge make_edge(const struct edge_query *query, size_t head, size_t from, size_t to,
                             float whole)
{
    float weight = attention_weight(query->attention, query->layer, head, from, to);
    return (struct edge){(uint32_t)from, (uint32_t)to, (uint16_t)head,
                         (uint16_t)edge_thousandths(weight),
                         (uint16_t)edge_shade(query->tone, weight, whole)};
}

/* ---- Choosing ---- */

/* Two passes: the first counts edges by shade, which gives the least shade to keep; the second puts
 * these edges into their places, a counting sort. Lighter ones, nearly all of a long text, cost a
 * comparison or less. */
struct choice {
    const struct edge_query *query;
    const struct edge_limits *limits;
    unsigned cut;                /* the least shade to keep, as far as known */
    size_t bins[EDGE_WHOLE + 1]; /* edges of each shade from the cut up; then their places */
    size_t count;                /* of these edges */
    size_t spare;                /* how many of shade `cut` still fit */
    struct edge *edges;
};

/* A weight below which all weights round to fewer thousandths. */
static float lightest(unsigned thousandths)
{
    return thousandths > 0 ? ((float)thousandths - 0.51F) / EDGE_WHOLE : -INFINITY;
}

/* A weight below which all of a row are outside the limits. */
static float row_least(const struct choice *choice, float whole)
{
    const float weight = lightest(choice->limits->weight);
    const float shaded = edge_weight(choice->query->tone, lightest(choice->cut), whole);
    return shaded > weight ? shaded : weight;
}

/* Takes the edges of a row within the limits, piece by piece, as most pieces have none. */
static void visit_row(struct choice *choice, size_t head, size_t from,
                      void (*take)(struct choice *, const struct edge *))
{
    const struct edge_query *query = choice->query;
    const float *row = attention_row(query->attention, query->layer, head, from);
    float whole = whole_of(query, row), least = row_least(choice, whole);
    for (size_t to = query->to.first, end; to < query->to.end; to = end) {
        end = size_min(to + PIECE, query->to.end);
        if (edge_largest(row + to, end - to) < least)
            continue;
        for (; to < end; to++) {
            if (row[to] < least)
                continue;
            struct edge edge = make_edge(query, head, from, to, whole);
            if (edge.weight >= choice->limits->weight && edge.shade >= choice->cut)
                take(choice, &edge);
        }
    }
}

/* In the order head, from, to. */
static void visit(struct choice *choice, void (*take)(struct choice *, const struct edge *))
{
    const struct edge_query *query = choice->query;
    for (size_t head = 0; head < query->attention->heads; head++)
        for (size_t from = query->from.first; from < query->from.end; from++)
            if (head_mask_has(query->heads, head))
                visit_row(choice, head, from, take);
}

/* Raises the cut once there are enough heavier edges. */
static void count(struct choice *choice, const struct edge *edge)
{
    choice->bins[edge->shade]++;
    choice->count++;
    while (choice->count - choice->bins[choice->cut] >= choice->limits->count)
        choice->count -= choice->bins[choice->cut++];
}

/* Of the edges at the cut only the first so many fit. */
static void put_edge(struct choice *choice, const struct edge *edge)
{
    bool at_cut = edge->shade == choice->cut;
    if (at_cut && choice->spare == 0)
        return;
    choice->spare -= at_cut;
    choice->edges[choice->bins[edge->shade]++] = *edge;
}

/* From counts by shade to places in the list. */
static void make_starts(struct choice *choice)
{
    size_t most = size_min(choice->count, choice->limits->count), start = 0;
    choice->bins[choice->cut] -= choice->count - most;
    choice->spare = choice->bins[choice->cut];
    choice->count = most;
    for (unsigned shade = choice->cut; shade <= EDGE_WHOLE; shade++) {
        size_t here = choice->bins[shade];
        choice->bins[shade] = start;
        start += here;
    }
}

enum status edges_select(const struct edge_query *query, const struct edge_limits *limits,
                         struct edge_list *list, struct error *error)
{
    struct choice choice = {.query = query, .limits = limits};
    *list = (struct edge_list){.total = edges_total(query)};
    if (limits->count > 0)
        visit(&choice, count);
    if (choice.count == 0)
        return STATUS_OK;
    make_starts(&choice);
    choice.edges = memory_new(choice.count, sizeof *choice.edges, 0, "the lines", error);
    if (!choice.edges)
        return error->status;
    visit(&choice, put_edge);
    list->edges = choice.edges;
    list->count = choice.count;
    return STATUS_OK;
}

/* Only the largest weight of each row matters. */
bool edges_strongest(const struct edge_query *query, struct edge *edge)
{
    size_t columns = edge_range_count(query->to);
    bool found = false;
    for (size_t head = 0; head < query->attention->heads; head++)
        for (size_t from = query->from.first; from < query->from.end; from++) {
            if (!head_mask_has(query->heads, head) || columns == 0)
                continue;
            const float *row = attention_row(query->attention, query->layer, head, from);
            size_t to = query->to.first;
            unsigned weight = edge_thousandths(edge_largest(row + to, columns));
            if (found && weight <= edge->weight)
                continue;
            while (edge_thousandths(row[to]) < weight)
                to++;
            *edge = make_edge(query, head, from, to, whole_of(query, row));
            found = true;
        }
    return found;
}
