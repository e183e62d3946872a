#include "headlight/lens/edges.h"

#include "headlight/base/size.h"

#include <math.h>
#include <stdlib.h>

#define LANES 4

unsigned edge_thousandths(float weight)
{
    if (!(weight > 0))
        return 0;
    return weight >= 1 ? EDGE_WHOLE : (unsigned)lrintf(weight * EDGE_WHOLE);
}

/* Four chains of comparisons, which a processor does side by side: long texts feel it. */
float edge_largest(const float *row, size_t count)
{
    float largest[LANES] = {0}, all = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            largest[lane] = row[i + lane] > largest[lane] ? row[i + lane] : largest[lane];
    for (; i < count; i++)
        largest[0] = row[i] > largest[0] ? row[i] : largest[0];
    for (size_t lane = 0; lane < LANES; lane++)
        all = largest[lane] > all ? largest[lane] : all;
    return all;
}

unsigned edge_shade(enum tone tone, float weight, float largest)
{
    if (tone == TONE_ROOT && weight > 0)
        return edge_thousandths(sqrtf(weight));
    if (tone == TONE_ROW && largest > 0)
        return edge_thousandths(weight / largest);
    return edge_thousandths(weight);
}

/* Walks the edges that a query means, in the order head, from, to. Weights below `least` are passed
 * over: of a long text that is nearly all of them. */
struct walk {
    const struct edge_query *query;
    float least;
    size_t head, from, to;
    const float *row; /* of head and from */
    float largest;    /* in the whole row, when the tone asks for it */
};

static struct walk walk_begin(const struct edge_query *query, float least)
{
    return (struct walk){query, least, 0, query->from.first, query->to.first, NULL, 0};
}

static void walk_enter_row(struct walk *walk)
{
    const struct edge_query *query = walk->query;
    walk->row = attention_row(query->attention, query->layer, walk->head, walk->from);
    if (query->tone == TONE_ROW)
        walk->largest = edge_largest(walk->row, query->attention->tokens[SIDE_RIGHT].count);
}

/* The next edge of the row that the walk has come to. */
static bool walk_row(struct walk *walk, struct edge *edge)
{
    const struct edge_query *query = walk->query;
    if (!walk->row)
        walk_enter_row(walk);
    while (walk->to < query->to.end && walk->row[walk->to] < walk->least)
        walk->to++;
    if (walk->to >= query->to.end)
        return false;
    float weight = walk->row[walk->to];
    *edge = (struct edge){(uint32_t)walk->from, (uint32_t)walk->to, (uint16_t)walk->head,
                          (uint16_t)edge_thousandths(weight),
                          (uint16_t)edge_shade(query->tone, weight, walk->largest)};
    walk->to++;
    return true;
}

static bool walk_next(struct walk *walk, struct edge *edge)
{
    const struct edge_query *query = walk->query;
    if (query->to.first >= query->to.end)
        return false;
    for (; walk->head < query->attention->heads; walk->head++, walk->from = query->from.first) {
        if (!(query->heads >> walk->head & 1))
            continue;
        for (; walk->from < query->from.end; walk->from++) {
            if (walk_row(walk, edge))
                return true;
            walk->to = query->to.first;
            walk->row = NULL;
        }
    }
    return false;
}

static size_t range_count(struct token_range range)
{
    return range.first < range.end ? range.end - range.first : 0;
}

static size_t count_edges(const struct edge_query *query)
{
    uint64_t heads = query->heads & UINT64_MAX >> (64 - query->attention->heads);
    return (size_t)__builtin_popcountll(heads) * range_count(query->from) * range_count(query->to);
}

/* A weight, of which all lighter ones have fewer thousandths. */
static float lightest(unsigned thousandths)
{
    return thousandths > 0 ? ((float)thousandths - 0.51F) / EDGE_WHOLE : -INFINITY;
}

/* Sorts by counting. bins[s] becomes the place of the first edge of shade s, or stays unused below
 * the cut; at the cut itself only `room_at_cut` edges are taken. */
enum status edges_select(const struct edge_query *query, const struct edge_limits *limits,
                         struct edge_list *list, struct error *error)
{
    size_t bins[EDGE_WHOLE + 1] = {0}, taken = 0, room_at_cut = 0;
    unsigned cut = EDGE_WHOLE + 1;
    struct edge edge;
    const struct walk begin = walk_begin(query, lightest(limits->weight));
    *list = (struct edge_list){.total = count_edges(query)};
    for (struct walk walk = begin; walk_next(&walk, &edge);)
        bins[edge.shade] += edge.weight >= limits->weight;
    while (cut > limits->shade && taken < limits->count) {
        cut--;
        room_at_cut = size_min(bins[cut], limits->count - taken);
        taken += room_at_cut;
    }
    if (taken == 0)
        return STATUS_OK;
    list->edges = malloc(taken * sizeof *list->edges);
    if (!list->edges)
        return error_memory(error, "the lines", taken * sizeof *list->edges);
    list->count = taken;
    size_t place = 0;
    for (unsigned shade = cut; shade <= EDGE_WHOLE; shade++) {
        size_t count = shade == cut ? room_at_cut : bins[shade];
        bins[shade] = place;
        place += count;
    }
    for (struct walk walk = begin; walk_next(&walk, &edge);) {
        if (edge.weight < limits->weight || edge.shade < cut ||
            (edge.shade == cut && room_at_cut == 0))
            continue;
        room_at_cut -= edge.shade == cut;
        list->edges[bins[edge.shade]++] = edge;
    }
    return STATUS_OK;
}

bool edges_strongest(const struct edge_query *query, struct edge *edge)
{
    struct edge next;
    bool found = false;
    for (struct walk walk = walk_begin(query, -INFINITY); walk_next(&walk, &next);)
        if (!found || next.weight > edge->weight) {
            *edge = next;
            found = true;
        }
    return found;
}
