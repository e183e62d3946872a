/* edges.c: selects the edges worth drawing, and of them the lines between tokens. A layer of a long
 * text has millions of weights of which few are visible, so whole pieces of rows are skipped by one
 * comparison. Of several heads only the heaviest edge of each pair is a line, so that they don't
 * paint over one another, unless each has a lane of its own. */
#include "headlight/lens/edges.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

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

/* The attended tokens of one that attends. */
static struct token_range columns_of(const struct edge_query *query, size_t from)
{
    const size_t first = query->once ? size_max(query->to.first, from + 1) : query->to.first;
    return (struct token_range){first, query->to.end};
}

static size_t count_pairs(const struct edge_query *query)
{
    size_t count = 0;
    for (size_t from = query->from.first; from < query->from.end; from++)
        count += edge_range_count(columns_of(query, from));
    return count;
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

/* In the first pass raises the cut once there are enough heavier edges; of those at the cut only
 * the first so many fit. */
static void take(struct choice *choice, const struct edge *edge)
{
    const bool at_cut = edge->shade == choice->cut;
    if (choice->edges && !(at_cut && choice->spare == 0)) {
        choice->spare -= at_cut;
        choice->edges[choice->bins[edge->shade]++] = *edge;
    } else if (!choice->edges) {
        choice->bins[edge->shade]++;
        choice->count++;
        while (choice->count - choice->bins[choice->cut] >= choice->limits->count)
            choice->count -= choice->bins[choice->cut++];
    }
}

/* A weight below which all weights round to fewer thousandths. */
static float lightest(unsigned thousandths)
{
    return thousandths > 0 ? ((float)thousandths - 0.51F) / EDGE_WHOLE : -INFINITY;
}

/* Whether no head of the query has a heavier edge of the pair, and none before one as heavy. */
static bool is_heaviest(const struct edge_query *query, const struct edge *edge)
{
    for (size_t head = 0; head < query->attention->heads; head++) {
        const float weight =
            attention_weight(query->attention, query->layer, head, edge->from, edge->to);
        const unsigned other = head_mask_has(query->heads, head) ? edge_thousandths(weight) : 0;
        if (other > edge->weight || (other == edge->weight && head < edge->head))
            return false;
    }
    return true;
}

/* Takes the edges within the limits, in the order head, from, to; of a row piece by piece, as most
 * pieces have none: all of their weights are below the least. */
static void visit(struct choice *choice)
{
    const struct edge_query *query = choice->query;
    const size_t rows = query->from.end - size_min(query->from.first, query->from.end);
    for (size_t i = 0; i < query->attention->heads * rows; i++) {
        const size_t head = i / rows, from = query->from.first + i % rows;
        if (!head_mask_has(query->heads, head))
            continue;
        const float *row = attention_row(query->attention, query->layer, head, from);
        const float whole = whole_of(query, row), weight = lightest(choice->limits->weight);
        const float shaded = edge_weight(query->tone, lightest(choice->cut), whole);
        const float least = shaded > weight ? shaded : weight;
        for (size_t to = columns_of(query, from).first, end; to < query->to.end; to = end) {
            end = size_min(to + PIECE, query->to.end);
            if (edge_largest(row + to, end - to) < least)
                continue;
            for (; to < end; to++) {
                if (row[to] < least)
                    continue;
                struct edge edge = make_edge(query, head, from, to, whole);
                if (edge.weight >= choice->limits->weight && edge.shade >= choice->cut &&
                    (!query->heaviest || is_heaviest(query, &edge)))
                    take(choice, &edge);
            }
        }
    }
}

/* Between the two passes counts by shade become places in the list. */
enum status edges_select(const struct edge_query *query, const struct edge_limits *limits,
                         struct edge_list *list, struct error *error)
{
    struct choice choice = {.query = query, .limits = limits};
    const head_mask heads = query->heads & head_mask_all(query->attention->heads);
    *list = (struct edge_list){.total = head_mask_count(heads) * count_pairs(query)};
    if (limits->count > 0)
        visit(&choice);
    if (choice.count == 0)
        return STATUS_OK;
    const size_t most = size_min(choice.count, limits->count);
    choice.bins[choice.cut] -= choice.count - most;
    choice.spare = choice.bins[choice.cut];
    choice.count = most;
    for (size_t shade = choice.cut, start = 0; shade <= EDGE_WHOLE; shade++) {
        const size_t here = choice.bins[shade];
        choice.bins[shade] = start;
        start += here;
    }
    choice.edges = memory_new(choice.count, sizeof *choice.edges, 0, "the lines", error);
    if (!choice.edges)
        return error->status;
    visit(&choice);
    list->edges = choice.edges;
    list->count = choice.count;
    return STATUS_OK;
}

/* Only the largest weight of each row matters. */
bool edges_strongest(const struct edge_query *query, struct edge *edge)
{
    bool found = false;
    for (size_t head = 0; head < query->attention->heads; head++)
        for (size_t from = query->from.first; from < query->from.end; from++) {
            const struct token_range columns = columns_of(query, from);
            if (!head_mask_has(query->heads, head) || edge_range_count(columns) == 0)
                continue;
            const float *row = attention_row(query->attention, query->layer, head, from);
            size_t to = columns.first;
            unsigned weight = edge_thousandths(edge_largest(row + to, columns.end - to));
            if (found && weight <= edge->weight)
                continue;
            while (edge_thousandths(row[to]) < weight)
                to++;
            *edge = make_edge(query, head, from, to, whole_of(query, row));
            found = true;
        }
    return found;
}

/* ---- Lines between tokens ---- */

struct lines {
    const struct edge_query *query;
    struct edge *edges; /* with room for those that are added */
    size_t count;
};

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

int edges_compare(const void *a, const void *b)
{
    const struct edge *first = a, *second = b;
    if (first->shade != second->shade)
        return first->shade < second->shade ? -1 : 1;
    if (first->head != second->head)
        return first->head < second->head ? -1 : 1;
    if (first->from != second->from)
        return first->from < second->from ? -1 : 1;
    return (first->to > second->to) - (first->to < second->to);
}

/* Adds the heaviest edge of some tokens and heads, if it has so much weight. */
static void add_strongest(struct lines *lines, struct token_range from, struct token_range to,
                          head_mask heads, unsigned least)
{
    struct edge_query query = *lines->query;
    struct edge *edge = &lines->edges[lines->count];
    query.from = from;
    query.to = to;
    query.heads = heads;
    lines->count += edges_strongest(&query, edge) && edge->weight >= least;
}

/* The same, unless they have a line. */
static void add_missing(struct lines *lines, struct token_range from, struct token_range to,
                        head_mask heads)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct edge *edge = &lines->edges[i];
        if (edge->from >= from.first && edge->from < from.end && edge->to >= to.first &&
            edge->to < to.end && head_mask_has(heads, edge->head))
            return;
    }
    add_strongest(lines, from, to, heads, 1);
}

enum status pairs_select(const struct edge_query *query, const struct pair_limits *limits,
                         struct edge_list *list, struct error *error)
{
    const struct token_range from = query->from, to = query->to;
    const head_mask heads = query->heads & head_mask_all(query->attention->heads);
    const size_t head_count = limits->lanes ? head_mask_count(heads) : 1;
    const struct token_range *shown = query->attention->tokens[SIDE_RIGHT].of;
    const bool causal = is_causal(query);
    const bool first = causal && to.first == 0 && shown->first == 0; /* where it is not hidden */
    struct edge_query others = *query;
    others.to.first += first;
    others.heaviest = !limits->lanes;
    *list = (struct edge_list){.total = 0};
    if (edges_select(&others, &limits->edges, list, error) != STATUS_OK)
        return error->status;
    const size_t more = edge_range_count(from) * (1 + first * head_count) + head_count + 1;
    struct lines lines = {query, realloc(list->edges, (list->count + more) * sizeof *lines.edges),
                          list->count};
    if (!lines.edges) {
        free(list->edges);
        *list = (struct edge_list){.total = 0};
        return error_memory(error, "the lines", more * sizeof *lines.edges);
    }
    /* each head, or the heaviest of them */
    for (head_mask left = heads; left != 0; left = limits->lanes ? left & (left - 1) : 0)
        for (size_t token = from.first; first && token < from.end; token++)
            add_strongest(&lines, (struct token_range){token, token + 1},
                          (struct token_range){0, 1}, limits->lanes ? left & (~left + 1) : left,
                          limits->edges.weight);
    for (size_t token = from.first; limits->each && token < from.end; token++)
        add_missing(&lines, (struct token_range){token, token + 1}, to, heads);
    for (head_mask left = limits->each && limits->lanes ? heads : 0; left != 0; left &= left - 1)
        add_missing(&lines, from, to, left & (~left + 1));
    if (limits->pinned)
        add_missing(&lines, (struct token_range){limits->from, limits->from + 1},
                    (struct token_range){limits->to, limits->to + 1}, heads);
    qsort(lines.edges, lines.count, sizeof *lines.edges, edges_compare);
    /* a causal trace has no pairs to later tokens; in lanes each head has a line of a pair */
    *list =
        (struct edge_list){.edges = lines.edges, .count = lines.count, .total = count_pairs(query)};
    for (size_t token = from.first; causal && token < from.end; token++)
        list->total -= to.end - size_min(to.end, size_max(to.first, token + 1));
    list->total *= head_count;
    for (size_t i = 0; first && i < lines.count; i++)
        list->to_first += lines.edges[i].to == 0;
    return STATUS_OK;
}
