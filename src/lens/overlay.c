#include "headlight/lens/overlay.h"

#include "headlight/base/size.h"
#include "headlight/model/head_mask.h"
#include "headlight/tensor/thread_pool.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LANES        16
#define STRIP        8    /* tokens that a thread of the pool takes at a time */
#define GATHER_LEAST 1024 /* edges there is room for at once */

/* Where a token is. */
enum place { BEFORE, INSIDE, BEHIND };

static enum place place_of(struct token_range window, size_t token)
{
    return token < window.first ? BEFORE : token < window.end ? INSIDE : BEHIND;
}

static bool is_seen(enum place from, enum place to)
{
    return from == INSIDE || to == INSIDE || from != to;
}

/* Edges that leave the window. */
static void count_leaving(struct overlay *overlay, enum place from, enum place to, size_t count)
{
    if (from != INSIDE && to != INSIDE)
        return;
    overlay->above += from == BEFORE || to == BEFORE ? count : 0;
    overlay->below += from == BEHIND || to == BEHIND ? count : 0;
}

/* ---- Few edges: those of a list ---- */

static void keep_seen(const struct overlay_window *window, struct overlay *overlay)
{
    struct edge_list *list = &overlay->list;
    size_t kept = 0;
    overlay->wanted = list->count;
    for (size_t i = 0; i < list->count; i++) {
        enum place from = place_of(window->tokens[SIDE_LEFT], list->edges[i].from);
        enum place to = place_of(window->tokens[SIDE_RIGHT], list->edges[i].to);
        count_leaving(overlay, from, to, 1);
        if (is_seen(from, to))
            list->edges[kept++] = list->edges[i];
    }
    list->count = kept;
}

/* ---- All edges from a weight on: token by token, all heads at once ---- */

/* The heaviest edge so far between the row's token and another one; heads are gone through from the
 * last to the first, and of equal ones the last one is drawn on top. */
struct top {
    uint16_t head, shade;
};

/* Some rows being gone through by one thread of the pool. */
struct heap {
    const struct edge_query *query;
    const struct overlay_window *window;
    struct overlay *overlay; /* of these rows */
    float least;             /* weight that is wanted */
    const float *floors;     /* [EDGE_WHOLE + 2] the least weight, or share of a row's largest, of
                                each shade; behind the last one what none has */
    float *beat;             /* [C] what an edge needs to be the heaviest */
    float *shares;           /* [C] a row's shares of its largest weight */
    struct top *tops;        /* [C] */
    size_t capacity;         /* of the list */
};

static unsigned shade_of(enum tone tone, float weight)
{
    return edge_shade(tone == TONE_ROOT ? TONE_ROOT : TONE_WEIGHT, weight, 1);
}

/* The least number of which shade_of makes so many thousandths. */
static float floor_of(enum tone tone, unsigned thousandths)
{
    float floor = ((float)thousandths - 0.5F) / EDGE_WHOLE;
    if (tone == TONE_ROOT)
        floor *= floor;
    while (shade_of(tone, floor) >= thousandths)
        floor = nextafterf(floor, 0);
    while (shade_of(tone, floor) < thousandths)
        floor = nextafterf(floor, 2);
    return floor;
}

static void make_floors(enum tone tone, float floors[EDGE_WHOLE + 2])
{
    floors[0] = 0;
    for (unsigned shade = 1; shade <= EDGE_WHOLE; shade++)
        floors[shade] = floor_of(tone, shade);
    floors[EDGE_WHOLE + 1] = INFINITY;
}

/* How many numbers reach others; lane by lane, which a processor does side by side. */
static unsigned count_block(const float *restrict numbers, const float *restrict others)
{
    unsigned counts[LANES], count = 0;
    for (size_t lane = 0; lane < LANES; lane++)
        counts[lane] = numbers[lane] >= others[lane];
    for (size_t lane = 0; lane < LANES; lane++)
        count += counts[lane];
    return count;
}

/* How many weights reach the least. */
static size_t count_from(const float *row, struct token_range range, float least)
{
    float others[LANES];
    size_t count = 0, i = range.first;
    for (size_t lane = 0; lane < LANES; lane++)
        others[lane] = least;
    for (; i + LANES <= range.end; i += LANES)
        count += count_block(row + i, others);
    for (; i < range.end; i++)
        count += row[i] >= least;
    return count;
}

static struct token_range common(struct token_range a, struct token_range b)
{
    size_t first = size_max(a.first, b.first);
    return (struct token_range){first, size_max(first, size_min(a.end, b.end))};
}

static void count_row(struct heap *heap, const float *row, enum place from)
{
    struct token_range window = heap->window->tokens[SIDE_RIGHT];
    const struct token_range places[] = {{0, window.first}, window, {window.end, SIZE_MAX}};
    for (enum place to = BEFORE; to <= BEHIND; to++) {
        size_t count = count_from(row, common(heap->query->to, places[to]), heap->least);
        heap->overlay->wanted += count;
        count_leaving(heap->overlay, from, to, count);
    }
}

static void divide_block(const float *restrict row, float unit, float *restrict shares)
{
    for (size_t lane = 0; lane < LANES; lane++)
        shares[lane] = row[lane] / unit;
}

/* What the shades of a row are told by: its weights, or their shares of the largest one. */
static const float *measure_row(struct heap *heap, const float *row)
{
    size_t count = heap->query->attention->tokens[SIDE_RIGHT].count, to = 0;
    if (heap->query->tone != TONE_ROW)
        return row;
    float largest = edge_largest(row, count), unit = largest > 0 ? largest : 1;
    if (isinf(unit)) { /* what is no share at all counts as none */
        memset(heap->shares, 0, count * sizeof *heap->shares);
        return heap->shares;
    }
    for (; to + LANES <= count; to += LANES)
        divide_block(row + to, unit, heap->shares + to);
    for (; to < count; to++)
        heap->shares[to] = row[to] / unit;
    return heap->shares;
}

static void raise_top(struct heap *heap, float weight, float measured, size_t head, size_t to)
{
    if (!(measured >= heap->beat[to]) || !(weight >= heap->least))
        return;
    unsigned shade = shade_of(heap->query->tone, measured);
    heap->tops[to] = (struct top){(uint16_t)head, (uint16_t)shade};
    heap->beat[to] = heap->floors[shade + 1];
}

/* Most weights of most heads are not the heaviest: blocks without any are passed over. */
static void raise_tops(struct heap *heap, const float *row, size_t head, struct token_range seen)
{
    const float *measured = measure_row(heap, row);
    for (size_t to = seen.first, end; to < seen.end; to = end) {
        end = size_min(to + LANES, seen.end);
        if (end == to + LANES && count_block(measured + to, heap->beat + to) == 0)
            continue;
        for (size_t i = to; i < end; i++)
            raise_top(heap, row[i], measured[i], head, i);
    }
}

static enum status add(struct heap *heap, size_t from, size_t to, struct top top,
                       struct error *error)
{
    struct edge_list *list = &heap->overlay->list;
    const struct edge_query *query = heap->query;
    if (list->count == heap->capacity) {
        size_t capacity = size_max(GATHER_LEAST, 2 * heap->capacity);
        struct edge *grown = realloc(list->edges, capacity * sizeof *grown);
        if (!grown)
            return error_memory(error, "the lines", capacity * sizeof *grown);
        list->edges = grown;
        heap->capacity = capacity;
    }
    float weight = attention_weight(query->attention, query->layer, top.head, from, to);
    list->edges[list->count++] = (struct edge){(uint32_t)from, (uint32_t)to, top.head,
                                               (uint16_t)edge_thousandths(weight), top.shade};
    return STATUS_OK;
}

/* The shade that a single edge has; negative when it is not wanted. */
static int shade_at(const struct heap *heap, size_t head, size_t from, size_t to)
{
    const struct edge_query *query = heap->query;
    const float *row = attention_row(query->attention, query->layer, head, from);
    float largest = 0;
    if (!head_mask_has(query->heads, head) || !(row[to] >= heap->least))
        return -1;
    if (query->tone == TONE_ROW)
        largest = edge_largest(row, query->attention->tokens[SIDE_RIGHT].count);
    return (int)edge_shade(query->tone, row[to], largest);
}

/* The heaviest one that is sparse: under one that is not, yet has not all of its dots. */
static enum status add_sparse(struct heap *heap, size_t from, size_t to, struct error *error)
{
    size_t best = 0;
    int heaviest = -1;
    for (size_t head = heap->query->attention->heads; head-- > 0;) {
        int shade = shade_at(heap, head, from, to);
        if (shade > heaviest && shade < (int)heap->window->sparse) {
            heaviest = shade;
            best = head;
        }
    }
    return heaviest < 0
               ? STATUS_OK
               : add(heap, from, to, (struct top){(uint16_t)best, (uint16_t)heaviest}, error);
}

static enum status add_tops(struct heap *heap, size_t from, struct token_range seen,
                            struct error *error)
{
    bool several = (heap->query->heads & (heap->query->heads - 1)) != 0;
    for (size_t to = seen.first; to < seen.end; to++) {
        struct top top = heap->tops[to];
        bool half = top.shade >= heap->window->sparse && top.shade < heap->window->half;
        if (heap->beat[to] == heap->floors[0])
            continue;
        if (several && half && add_sparse(heap, from, to, error) != STATUS_OK)
            return error->status;
        if (add(heap, from, to, top, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* The tokens on the right whose edges from here are seen. */
static struct token_range seen_from(const struct heap *heap, enum place from)
{
    struct token_range window = heap->window->tokens[SIDE_RIGHT], range = heap->query->to;
    if (from == BEFORE)
        return common(range, (struct token_range){window.first, SIZE_MAX});
    if (from == BEHIND)
        return common(range, (struct token_range){0, window.end});
    return range;
}

static enum status stack(struct heap *heap, struct token_range rows, struct error *error)
{
    const struct edge_query *query = heap->query;
    for (size_t from = rows.first; from < rows.end; from++) {
        enum place place = place_of(heap->window->tokens[SIDE_LEFT], from);
        struct token_range seen = seen_from(heap, place);
        for (size_t to = seen.first; to < seen.end; to++)
            heap->beat[to] = heap->floors[0];
        for (size_t head = query->attention->heads; head-- > 0;) {
            if (!head_mask_has(query->heads, head))
                continue;
            const float *row = attention_row(query->attention, query->layer, head, from);
            count_row(heap, row, place);
            raise_tops(heap, row, head, seen);
        }
        if (add_tops(heap, from, seen, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ---- In order ---- */

static unsigned head_of(const struct edge *edge)
{
    return edge->head;
}

static unsigned shade_of_edge(const struct edge *edge)
{
    return edge->shade;
}

/* Sorts by counting: bins[k] becomes the place of the next edge of key k. Equal ones keep their
 * order. */
static void sort_by(unsigned (*key)(const struct edge *), const struct edge *edges, size_t count,
                    struct edge *sorted)
{
    size_t bins[EDGE_WHOLE + 1] = {0}, place = 0;
    for (size_t i = 0; i < count; i++)
        bins[key(&edges[i])]++;
    for (unsigned k = 0; k <= EDGE_WHOLE; k++) {
        size_t here = bins[k];
        bins[k] = place;
        place += here;
    }
    for (size_t i = 0; i < count; i++)
        sorted[bins[key(&edges[i])]++] = edges[i];
}

/* By shade, of equal ones by head, from, to: they come by from and to. */
static enum status sort(struct edge_list *list, struct error *error)
{
    if (list->count == 0)
        return STATUS_OK;
    struct edge *sorted = malloc(list->count * sizeof *sorted);
    if (!sorted)
        return error_memory(error, "the lines", list->count * sizeof *sorted);
    sort_by(head_of, list->edges, list->count, sorted);
    sort_by(shade_of_edge, sorted, list->count, list->edges);
    free(sorted);
    return STATUS_OK;
}

/* ---- Strips of rows, which the pool shares out ---- */

struct strips {
    const struct edge_query *query;
    const struct overlay_window *window;
    float least;
    float floors[EDGE_WHOLE + 2];
    float *numbers;           /* for each thread, [2·C] */
    struct top *tops;         /* for each thread, [C] */
    struct overlay *overlays; /* [count] */
    size_t count;
    atomic_bool failed;
};

static void stack_strips(const struct pool_thread *thread, void *context)
{
    struct strips *strips = context;
    const struct edge_query *query = strips->query;
    size_t columns = query->attention->tokens[SIDE_RIGHT].count;
    float *numbers = strips->numbers + thread->index * 2 * columns;
    struct error error;
    for (size_t strip; (strip = pool_claim(thread)) < strips->count;) {
        struct heap heap = {.query = query,
                            .window = strips->window,
                            .overlay = &strips->overlays[strip],
                            .least = strips->least,
                            .floors = strips->floors,
                            .beat = numbers,
                            .shares = numbers + columns,
                            .tops = strips->tops + thread->index * columns};
        size_t first = query->from.first + strip * STRIP;
        struct token_range rows = {first, size_min(first + STRIP, query->from.end)};
        if (stack(&heap, rows, &error) != STATUS_OK)
            atomic_store(&strips->failed, true);
    }
}

/* What the strips found, one after the other. False without memory. */
static bool join(const struct strips *strips, struct overlay *overlay)
{
    struct edge_list *list = &overlay->list;
    for (size_t i = 0; i < strips->count; i++) {
        const struct overlay *strip = &strips->overlays[i];
        list->count += strip->list.count;
        overlay->wanted += strip->wanted;
        overlay->above += strip->above;
        overlay->below += strip->below;
    }
    list->edges = calloc(list->count + 1, sizeof *list->edges);
    struct edge *next = list->edges;
    for (size_t i = 0; next && i < strips->count; i++) {
        const struct edge_list *part = &strips->overlays[i].list;
        if (part->count > 0)
            memcpy(next, part->edges, part->count * sizeof *next);
        next += part->count;
    }
    return list->edges != NULL;
}

static void free_strips(struct strips *strips)
{
    for (size_t i = 0; i < strips->count && strips->overlays; i++)
        free(strips->overlays[i].list.edges);
    free(strips->overlays);
    free(strips->numbers);
    free(strips->tops);
}

static enum status select_all(const struct edge_query *query, unsigned weight,
                              const struct overlay_window *window, struct overlay *overlay,
                              struct error *error)
{
    size_t columns = query->attention->tokens[SIDE_RIGHT].count;
    size_t rows = query->from.end > query->from.first ? query->from.end - query->from.first : 0;
    size_t threads = pool_size_for(edges_total(query)), room = threads * columns + 1;
    struct strips strips = {.query = query,
                            .window = window,
                            .least = floor_of(TONE_WEIGHT, weight),
                            .count = (rows + STRIP - 1) / STRIP};
    strips.numbers = malloc(2 * room * sizeof *strips.numbers);
    strips.tops = malloc(room * sizeof *strips.tops);
    strips.overlays = calloc(strips.count + 1, sizeof *strips.overlays);
    overlay->list.total = edges_total(query);
    make_floors(query->tone, strips.floors);
    bool enough = strips.numbers && strips.tops && strips.overlays;
    if (enough) {
        pool_run(threads, stack_strips, &strips);
        enough = !strips.failed && join(&strips, overlay);
    }
    free_strips(&strips);
    return enough ? sort(&overlay->list, error)
                  : error_memory(error, "the lines", room * sizeof *strips.numbers);
}

enum status overlay_select(const struct edge_query *query, const struct edge_limits *limits,
                           const struct overlay_window *window, struct overlay *overlay,
                           struct error *error)
{
    bool all = limits->count == SIZE_MAX && limits->shade == 0 && limits->weight > 0;
    enum status status;
    *overlay = (struct overlay){.wanted = 0};
    if (all) {
        status = select_all(query, limits->weight, window, overlay, error);
    } else {
        status = edges_select(query, limits, &overlay->list, error);
        if (status == STATUS_OK)
            keep_seen(window, overlay);
    }
    overlay->whole = overlay->wanted == overlay->list.count;
    if (status != STATUS_OK) {
        free(overlay->list.edges);
        *overlay = (struct overlay){.wanted = 0};
    }
    return status;
}
