#include "headlight/lens/edges.h"

#include "headlight/base/size.h"

#include <math.h>
#include <stdlib.h>

unsigned edge_thousandths(float weight)
{
    if (!(weight > 0))
        return 0;
    return weight >= 1 ? EDGE_WHOLE : (unsigned)lrintf(weight * EDGE_WHOLE);
}

/* Walks the edges that a query means, in the order head, from, to. */
struct walk {
    const struct trace *trace;
    const struct edge_query *query;
    size_t head, from, to;
};

static struct walk walk_begin(const struct trace *trace, const struct edge_query *query)
{
    return (struct walk){trace, query, 0, query->from.first, query->to.first};
}

static bool walk_next(struct walk *walk, struct edge *edge)
{
    const struct edge_query *query = walk->query;
    if (query->to.first >= query->to.end)
        return false;
    for (; walk->head < walk->trace->heads; walk->head++, walk->from = query->from.first) {
        if (!(query->heads >> walk->head & 1))
            continue;
        if (walk->to == query->to.end) {
            walk->to = query->to.first;
            walk->from++;
        }
        if (walk->from >= query->from.end)
            continue;
        float weight = trace_weight(walk->trace, query->layer, walk->head, walk->from, walk->to);
        *edge = (struct edge){(uint32_t)walk->from, (uint32_t)walk->to, (uint16_t)walk->head,
                              (uint16_t)edge_thousandths(weight)};
        walk->to++;
        return true;
    }
    return false;
}

/* Sorts by counting. bins[w] becomes the place of the first edge of weight w, or stays unused below
 * the cut; at the cut itself only `room_at_cut` edges are taken. */
enum status edges_select(const struct trace *trace, const struct edge_query *query,
                         unsigned minimum, size_t limit, struct edge_list *list,
                         struct error *error)
{
    size_t bins[EDGE_WHOLE + 1] = {0}, taken = 0, room_at_cut = 0;
    unsigned cut = EDGE_WHOLE + 1;
    struct edge edge;
    *list = (struct edge_list){0};
    for (struct walk walk = walk_begin(trace, query); walk_next(&walk, &edge); list->total++)
        bins[edge.weight]++;
    while (cut > minimum && taken < limit) {
        cut--;
        room_at_cut = size_min(bins[cut], limit - taken);
        taken += room_at_cut;
    }
    if (taken == 0)
        return STATUS_OK;
    list->edges = malloc(taken * sizeof *list->edges);
    if (!list->edges)
        return error_memory(error, "the lines", taken * sizeof *list->edges);
    list->count = taken;
    size_t place = 0;
    for (unsigned weight = cut; weight <= EDGE_WHOLE; weight++) {
        size_t count = weight == cut ? room_at_cut : bins[weight];
        bins[weight] = place;
        place += count;
    }
    for (struct walk walk = walk_begin(trace, query); walk_next(&walk, &edge);) {
        if (edge.weight < cut || (edge.weight == cut && room_at_cut == 0))
            continue;
        room_at_cut -= edge.weight == cut;
        list->edges[bins[edge.weight]++] = edge;
    }
    return STATUS_OK;
}

bool edges_strongest(const struct trace *trace, const struct edge_query *query, struct edge *edge)
{
    struct edge next;
    bool found = false;
    for (struct walk walk = walk_begin(trace, query); walk_next(&walk, &next);)
        if (!found || next.weight > edge->weight) {
            *edge = next;
            found = true;
        }
    return found;
}
