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

size_t edges_total(const struct edge_query *query)
{
    head_mask heads = query->heads & head_mask_all(query->attention->heads);
    return head_mask_count(heads) * count_pairs(query);
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
                if (edge.weight >= choice->limits->weight && edge.shade >= choice->cut)
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
    *list = (struct edge_list){.total = edges_total(query)};
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

/* Selection works in steps on one list of edges, always sorted from light to heavy. */
struct lines {
    const struct edge_query *query;
    const struct pair_limits *limits;
    bool causal;
    struct edge *edges; /* with room for one more per token and per head, and one */
    size_t count;
    uint32_t *heaviest; /* [from,to] 1 + the index of its edge; 0: none */
};

/* The place of a pair in the table of the query. */
static uint32_t *heaviest_of(const struct lines *lines, const struct edge *edge)
{
    return &lines->heaviest[(edge->from - lines->query->from.first) *
                                edge_range_count(lines->query->to) +
                            (edge->to - lines->query->to.first)];
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

/* Where it is not hidden. */
static bool is_to_first(const struct lines *lines, const struct edge *edge)
{
    const struct token_list *first = &lines->query->attention->tokens[SIDE_RIGHT];
    return lines->causal && edge->to == 0 && first->of->first == 0;
}

/* ---- Their steps ---- */

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
static void add_strongest(struct lines *lines, struct token_range from, struct token_range to,
                          head_mask heads)
{
    struct edge_query query = *lines->query;
    struct edge *edge = &lines->edges[lines->count];
    query.from = from;
    query.to = to;
    query.heads = heads;
    lines->count += edges_strongest(&query, edge) && edge->weight > 0;
}

/* Adds the heaviest edge of each attending token without a line, of each head without one, and the
 * pinned pair unless it has one. */
static void add_besides(struct lines *lines)
{
    const struct pair_limits *limits = lines->limits;
    const struct edge_query *query = lines->query;
    const size_t kept = lines->count, first = query->from.first;
    const bool each = limits->each && edge_range_count(query->to) > 0;
    memset(lines->heaviest, 0, /* from here on [from] */
           each ? edge_range_count(query->from) * sizeof *lines->heaviest : 0);
    for (size_t i = 0; each && i < kept; i++)
        lines->heaviest[lines->edges[i].from - first] = 1;
    for (size_t from = first; each && from < query->from.end; from++)
        if (lines->heaviest[from - first] == 0)
            add_strongest(lines, (struct token_range){from, from + 1}, query->to, query->heads);
    head_mask heads =
        limits->each && limits->lanes ? query->heads & head_mask_all(query->attention->heads) : 0;
    for (size_t i = 0; i < lines->count; i++)
        heads &= ~(UINT64_C(1) << lines->edges[i].head);
    for (; heads != 0; heads &= heads - 1)
        add_strongest(lines, query->from, query->to, heads & (~heads + 1));
    bool pins = limits->pinned;
    for (size_t i = 0; i < lines->count; i++)
        pins &= lines->edges[i].from != limits->from || lines->edges[i].to != limits->to;
    if (pins)
        add_strongest(lines, (struct token_range){limits->from, limits->from + 1},
                      (struct token_range){limits->to, limits->to + 1}, query->heads);
    if (lines->count > kept)
        qsort(lines->edges, lines->count, sizeof *lines->edges, by_pair_shade);
}

/* ---- All of them ---- */

/* A causal trace has no pairs to later tokens. In lanes each head has a line of a pair. */
static size_t count_lines(const struct lines *lines)
{
    struct token_range from = lines->query->from, to = lines->query->to;
    size_t count = count_pairs(lines->query);
    for (size_t token = from.first; lines->causal && token < from.end; token++)
        count -= to.end - size_min(to.end, size_max(to.first, token + 1));
    return lines->limits->lanes ? count * head_mask_count(lines->query->heads) : count;
}

/* So many edges that they always contain as many lines as the limit. Room for one more edge per
 * token and per head and for the pinned one is made at once. */
static enum status select_edges(struct lines *lines, struct error *error)
{
    size_t tokens = edge_range_count(lines->query->from),
           columns = edge_range_count(lines->query->to);
    struct edge_limits limits = lines->limits->edges;
    struct edge_list list;
    if (!lines->limits->lanes || lines->causal) {
        limits.count = size_min(limits.count, SIZE_MAX / 2) + (lines->causal ? tokens : 0);
        if (!size_multiply(limits.count, head_mask_count(lines->query->heads), &limits.count))
            limits.count = SIZE_MAX;
    }
    if (edges_select(lines->query, &limits, &list, error) != STATUS_OK)
        return error->status;
    lines->edges = list.edges;
    lines->count = list.count;
    struct edge *edges = realloc(
        lines->edges, (list.count + tokens + lines->query->attention->heads + 1) * sizeof *edges);
    if (!edges)
        return error_memory(error, "the lines", list.count * sizeof *edges);
    lines->edges = edges;
    lines->heaviest = calloc(tokens * columns + 1, sizeof *lines->heaviest);
    if (!lines->heaviest)
        return error_memory(error, "the lines", tokens * columns * sizeof *lines->heaviest);
    return STATUS_OK;
}

enum status pairs_select(const struct edge_query *query, const struct pair_limits *limits,
                         struct edge_list *list, struct error *error)
{
    struct lines lines = {.query = query, .limits = limits, .causal = is_causal(query)};
    size_t left = limits->edges.count, kept = 0;
    *list = (struct edge_list){.total = 0};
    const enum status status = select_edges(&lines, error);
    if (status != STATUS_OK) {
        free(lines.edges);
        free(lines.heaviest);
        return status;
    }
    /* the heaviest edge of each pair, the first head if equal */
    for (size_t i = 0; !limits->lanes && i < lines.count; i++) {
        uint32_t *slot = heaviest_of(&lines, &lines.edges[i]);
        if (*slot == 0 || lines.edges[i].weight > lines.edges[*slot - 1].weight)
            *slot = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < lines.count; i++)
        if (limits->lanes || *heaviest_of(&lines, &lines.edges[i]) == i + 1)
            lines.edges[kept++] = lines.edges[i];
    /* from heavy to light, up to the limit */
    size_t first = kept;
    for (size_t i = kept; i-- > 0;) {
        const bool apart = is_to_first(&lines, &lines.edges[i]);
        if (apart || left > 0)
            lines.edges[--first] = lines.edges[i];
        left -= !apart && left > 0;
    }
    lines.count = kept - first;
    memmove(lines.edges, lines.edges + first, lines.count * sizeof *lines.edges);
    add_besides(&lines);
    *list = (struct edge_list){lines.edges, lines.count, count_lines(&lines), 0};
    for (size_t i = 0; i < lines.count; i++)
        list->to_first += is_to_first(&lines, &lines.edges[i]);
    free(lines.heaviest);
    return STATUS_OK;
}
