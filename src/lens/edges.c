#include "headlight/lens/edges.h"

#include "headlight/base/size.h"
#include "headlight/model/head_mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES        16
#define GATHER_LEAST 1024 /* edges there is room for at once */

unsigned edge_thousandths(float weight)
{
    if (!(weight > 0))
        return 0;
    return weight >= 1 ? EDGE_WHOLE : (unsigned)lrintf(weight * EDGE_WHOLE);
}

/* Lane by lane, which a processor does side by side: long texts feel it. */
static void raise_block(const float *restrict row, float *restrict largest)
{
    for (size_t lane = 0; lane < LANES; lane++)
        largest[lane] = row[lane] > largest[lane] ? row[lane] : largest[lane];
}

void edge_raise(const float *row, size_t count, float *largest)
{
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        raise_block(row + i, largest + i);
    for (; i < count; i++)
        largest[i] = row[i] > largest[i] ? row[i] : largest[i];
}

float edge_largest(const float *row, size_t count)
{
    float largest[LANES] = {0}, all = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        raise_block(row + i, largest);
    edge_raise(row + i, count - i, largest);
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

/* A weight, of which all lighter ones have fewer thousandths. */
static float lightest(unsigned thousandths)
{
    return thousandths > 0 ? ((float)thousandths - 0.51F) / EDGE_WHOLE : -INFINITY;
}

/* Walks the edges that a query means, in the order head, from, to. What is sure to be lighter than
 * the limits is passed over: of a long text that is nearly all of it, so one comparison a weight is
 * what a walk costs. Edges a little lighter may come along. The limits may rise on the way. */
struct walk {
    const struct edge_query *query;
    unsigned weight, shade; /* the limits, in thousandths */
    size_t head, from, to;
    const float *row; /* of head and from; NULL before it is entered */
    float largest;    /* in the whole row, when the tone asks for it */
    float least;      /* the limits, as a weight of this row */
};

static struct walk walk_begin(const struct edge_query *query, unsigned weight, unsigned shade)
{
    return (struct walk){.query = query,
                         .weight = weight,
                         .shade = shade,
                         .from = query->from.first,
                         .to = query->to.first};
}

/* edge_shade, backwards. */
static float row_least(const struct walk *walk)
{
    float weight = lightest(walk->weight), shade = lightest(walk->shade);
    if (walk->query->tone == TONE_ROOT && shade > 0)
        shade *= shade;
    if (walk->query->tone == TONE_ROW && walk->largest > 0)
        shade *= walk->largest;
    return shade > weight ? shade : weight;
}

static void walk_raise(struct walk *walk, unsigned weight, unsigned shade)
{
    walk->weight = weight;
    walk->shade = shade;
    walk->least = row_least(walk);
}

/* A row in which nothing is heavy enough is left at once. */
static void walk_enter_row(struct walk *walk)
{
    const struct edge_query *query = walk->query;
    size_t first = query->to.first, count = query->to.end - first;
    walk->row = attention_row(query->attention, query->layer, walk->head, walk->from);
    if (query->tone == TONE_ROW)
        walk->largest = edge_largest(walk->row, query->attention->tokens[SIDE_RIGHT].count);
    walk->least = row_least(walk);
    if (walk->least > 0 && edge_largest(walk->row + first, count) < walk->least)
        walk->to = query->to.end;
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
        if (!head_mask_has(query->heads, walk->head))
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

size_t edges_total(const struct edge_query *query)
{
    uint64_t heads = query->heads & head_mask_all(query->attention->heads);
    return head_mask_count(heads) * range_count(query->from) * range_count(query->to);
}

/* ---- Choosing ---- */

/* Edges that may be wanted, in the order of the walk. */
struct gathered {
    struct edge *edges;
    size_t count, capacity;
};

static enum status grow(struct gathered *gathered, size_t capacity, struct error *error)
{
    struct edge *grown = NULL;
    size_t bytes = SIZE_MAX;
    if (size_multiply(capacity, sizeof *grown, &bytes))
        grown = realloc(gathered->edges, bytes);
    if (!grown)
        return error_memory(error, "the lines", bytes);
    gathered->edges = grown;
    gathered->capacity = capacity;
    return STATUS_OK;
}

static void count_shades(const struct gathered *gathered, size_t bins[EDGE_WHOLE + 1])
{
    memset(bins, 0, (EDGE_WHOLE + 1) * sizeof *bins);
    for (size_t i = 0; i < gathered->count; i++)
        bins[gathered->edges[i].shade]++;
}

/* Keeps the `most` heaviest by shade, of equal ones the first. Returns the least shade kept. */
static unsigned trim(struct gathered *gathered, size_t most)
{
    size_t bins[EDGE_WHOLE + 1], heavier = 0, kept = 0;
    unsigned cut = EDGE_WHOLE;
    count_shades(gathered, bins);
    for (; cut > 0 && heavier + bins[cut] < most; cut--)
        heavier += bins[cut];
    size_t room_at_cut = most - heavier;
    for (size_t i = 0; i < gathered->count; i++) {
        struct edge edge = gathered->edges[i];
        bool at_cut = edge.shade == cut;
        if (edge.shade < cut || (at_cut && room_at_cut == 0))
            continue;
        room_at_cut -= at_cut;
        gathered->edges[kept++] = edge;
    }
    gathered->count = kept;
    return cut;
}

/* Room for one more. As soon as there are twice as many as are wanted the lighter half goes, and
 * later edges have to be heavier than what stays: each weight is looked at once, and few of a long
 * text get as far as this. */
static enum status make_room(struct gathered *gathered, size_t most, struct walk *walk,
                             struct error *error)
{
    if (gathered->count < gathered->capacity)
        return STATUS_OK;
    if (gathered->count < GATHER_LEAST || gathered->count / 2 < most)
        return grow(gathered, size_max(GATHER_LEAST, 2 * gathered->count), error);
    walk_raise(walk, walk->weight, trim(gathered, most) + 1);
    return STATUS_OK;
}

static enum status gather(const struct edge_query *query, const struct edge_limits *limits,
                          struct gathered *gathered, struct error *error)
{
    struct walk walk = walk_begin(query, limits->weight, limits->shade);
    struct edge edge;
    while (walk_next(&walk, &edge)) {
        if (edge.weight < walk.weight || edge.shade < walk.shade)
            continue;
        if (make_room(gathered, limits->count, &walk, error) != STATUS_OK)
            return error->status;
        if (edge.shade >= walk.shade)
            gathered->edges[gathered->count++] = edge;
    }
    if (gathered->count > limits->count)
        trim(gathered, limits->count);
    return STATUS_OK;
}

/* Sorts by counting: bins[s] becomes the place of the next edge of shade s. */
static enum status sort(const struct gathered *gathered, struct edge_list *list,
                        struct error *error)
{
    size_t bins[EDGE_WHOLE + 1], place = 0;
    if (gathered->count == 0)
        return STATUS_OK;
    list->edges = malloc(gathered->count * sizeof *list->edges);
    if (!list->edges)
        return error_memory(error, "the lines", gathered->count * sizeof *list->edges);
    list->count = gathered->count;
    count_shades(gathered, bins);
    for (unsigned shade = 0; shade <= EDGE_WHOLE; shade++) {
        size_t count = bins[shade];
        bins[shade] = place;
        place += count;
    }
    for (size_t i = 0; i < gathered->count; i++)
        list->edges[bins[gathered->edges[i].shade]++] = gathered->edges[i];
    return STATUS_OK;
}

enum status edges_select(const struct edge_query *query, const struct edge_limits *limits,
                         struct edge_list *list, struct error *error)
{
    struct gathered gathered = {0};
    *list = (struct edge_list){.total = edges_total(query)};
    enum status status = STATUS_OK;
    if (limits->count > 0)
        status = gather(query, limits, &gathered, error);
    if (status == STATUS_OK)
        status = sort(&gathered, list, error);
    free(gathered.edges);
    return status;
}

static uint16_t shade_of(const struct edge_query *query, const struct edge *edge)
{
    const float *row = attention_row(query->attention, query->layer, edge->head, edge->from);
    float largest = 0;
    if (query->tone == TONE_ROW)
        largest = edge_largest(row, query->attention->tokens[SIDE_RIGHT].count);
    return (uint16_t)edge_shade(query->tone, row[edge->to], largest);
}

/* After each find only heavier ones count. Shades, which can cost a look at whole rows, are made of
 * the one that is left. */
bool edges_strongest(const struct edge_query *query, struct edge *edge)
{
    struct edge_query by_weight = *query;
    struct edge next;
    bool found = false;
    by_weight.tone = TONE_WEIGHT;
    for (struct walk walk = walk_begin(&by_weight, 0, 0); walk_next(&walk, &next);)
        if (!found || next.weight > edge->weight) {
            *edge = next;
            found = true;
            walk_raise(&walk, next.weight + 1u, 0);
        }
    if (found)
        edge->shade = shade_of(query, edge);
    return found;
}
