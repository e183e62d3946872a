/* thumbnails.c: what the thumbnails of all heads are drawn from, made by all threads of the pool;
 * and the choice of the lines that a head is drawn with, which is the same for a large thumbnail. A
 * heat map needs a number for each dot, lines need the edges that are drawn; the store has one or
 * the other. */
#include "headlight/view/model_view.h"

#include "headlight/base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

/* Widths in rows. */
#define THIN      0.08F
#define THIN_MORE 0.14F

#define TOKENS_KEPT 64

#define LINES_MIN 8 /* or 1.5 for each attending token, if more */

/* Tokens one below the other, in dots. Where every second row of dots has too few places for them,
 * neighbours share one, so that a dark dot is left between two lines. */
struct dot_rows {
    struct token_range range;
    int places, apart;
};

/* There are four rows of dots to a cell, of which the first of all stays free, see dot_row_of. */
static struct dot_rows dot_rows_of(struct token_range range, int rows)
{
    bool shared = range.end - range.first > 2 * (size_t)rows;
    return (struct dot_rows){range, shared ? 2 * rows : 4 * rows - 1, shared ? 2 : 1};
}

/* The first row of dots stays free: a line two dots thick needs it. */
static int dot_row_of(const struct dot_rows *dot_rows, size_t token)
{
    size_t last = dot_rows->range.end - dot_rows->range.first - 1,
           room = (size_t)dot_rows->places - 1;
    size_t place = last > 0 ? ((token - dot_rows->range.first) * room + last / 2) / last : room / 2;
    return 1 + (int)place * dot_rows->apart;
}

unsigned thumbnail_lines_least(const struct scene *scene)
{
    if (scene->look.threshold > 0)
        return scene->look.threshold;
    return scene->look.tone == TONE_ROW ? 1 : THUMBNAIL_LINES_LEAST;
}

/* Light to heavy, as edges_select sorts them, but equal shades by their weights. */
static int thumbnails_by_shade(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    const bool apart = x->shade == y->shade && x->weight != y->weight;
    return apart ? (x->weight < y->weight ? -1 : 1) : edges_compare(a, b);
}

/* The edges are those of an attention with a single head, made up for the purpose, so that they are
 * selected as in every other view. */
bool thumbnail_lines_choose(const struct scene *scene, const float *weights, int rows,
                            struct edge *edges, size_t *count)
{
    struct attention head = *scene->data.attention;
    head.layers = head.heads = 1;
    head.weights = &weights;
    const struct edge_query query = {.attention = &head,
                                     .heads = 1,
                                     .from = scene_range(scene, SIDE_LEFT),
                                     .to = scene_range(scene, SIDE_RIGHT),
                                     .tone = scene->look.tone};
    /* with more than three lines to two attending tokens the pattern no longer shows */
    const size_t tokens = query.from.end - query.from.first;
    const struct edge_limits limits = {.weight = thumbnail_lines_least(scene),
                                       .count = size_max(LINES_MIN, tokens + tokens / 2)};
    const struct dot_rows sides[2] = {dot_rows_of(query.from, rows), dot_rows_of(query.to, rows)};
    size_t dots = 4 * (size_t)rows;
    struct edge_list list;
    struct error error;
    if (edges_select(&query, &limits, &list, &error) != STATUS_OK)
        return false;
    if (query.tone == TONE_ROW && list.count > 0) /* the heaviest of every row has the same share */
        qsort(list.edges, list.count, sizeof *list.edges, thumbnails_by_shade);
    bool *taken = calloc(dots * dots, sizeof *taken);
    *count = 0; /* of lines between the same places the heaviest is kept */
    for (size_t i = list.count; taken && i-- > 0 && *count < thumbnail_lines_most(rows);) {
        const int from = dot_row_of(&sides[SIDE_LEFT], list.edges[i].from),
                  to = dot_row_of(&sides[SIDE_RIGHT], list.edges[i].to);
        bool *pair = &taken[from * 4 * rows + to];
        if (!*pair)
            edges[(*count)++] = list.edges[i];
        *pair = true;
    }
    free(list.edges);
    free(taken);
    return taken != NULL;
}

/* ---- A store for all heads ---- */

/* All that determines a store, besides the attention; in sizes alone, so that it has no padding and
 * is compared as a whole. */
struct need {
    size_t lined, tone;
    size_t weight; /* thousandths, of the lightest line */
    struct token_range from, to;
    size_t rows, columns; /* of a thumbnail, in dots; for lines, in cells */
};

/* Either `dots` or `edges` and `counts` are there, for `count` heads. */
struct thumbnails {
    struct need need;
    size_t heads;        /* A */
    size_t first, count; /* of L·A */
    float *dots;         /* [count,rows,columns] */
    struct edge *edges;  /* [count,most] */
    size_t *counts;      /* [count] of the edges */
    size_t most;         /* edges of one head */
};

/* A map that is kept has a cell for each token, up to a size that files bear. */
static int dots_of(const struct model_view_sheet *sheet, enum side side)
{
    const struct token_range range = scene_range(sheet->scene, side);
    if (sheet->canvas->whole)
        return int_clamp((int)(range.end - range.first), 1, TOKENS_KEPT);
    return side == SIDE_LEFT ? sheet->rows.dots : sheet->columns.dots;
}

/* Dots are the same for weights as for their roots. */
static struct need need_of(const struct model_view_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const bool lined = scene->look.lined, root = scene->look.tone == TONE_ROOT;
    return (struct need){.lined = lined,
                         .tone = root && !lined ? TONE_WEIGHT : scene->look.tone,
                         .weight = lined ? thumbnail_lines_least(scene) : 0,
                         .from = scene_range(scene, SIDE_LEFT),
                         .to = scene_range(scene, SIDE_RIGHT),
                         .rows = (size_t)(lined ? sheet->rows.box : dots_of(sheet, SIDE_LEFT)),
                         .columns = lined ? 0 : (size_t)dots_of(sheet, SIDE_RIGHT)};
}

/* ---- Making it ---- */

/* A store being filled, head by head. */
struct filling {
    const struct scene *scene;
    struct thumbnails *store;
    float *buffers; /* for each thread, [R,C] */
    size_t map;     /* R·C */
    atomic_bool failed;
};

static struct heat heat_of(const struct thumbnails *store, const struct scene *scene, size_t head)
{
    struct heat heat = scene_heat(scene, head);
    heat.rows = (int)store->need.rows;
    heat.columns = (int)store->need.columns;
    return heat;
}

/* Heads are claimed one by one: those whose weights have to be shaped first take longer. Of a map
 * with signs the weights are read anew. */
static void fill_heads(const struct pool_thread *thread, void *context)
{
    struct filling *filling = context;
    struct thumbnails *store = filling->store;
    const struct attention *attention = filling->scene->data.attention;
    const struct token_range all = {0, attention->tokens[SIDE_LEFT].count};
    float *buffer = filling->buffers + thread->index * filling->map;
    for (size_t i; (i = pool_claim(thread)) < store->count;) {
        const size_t layer = (store->first + i) / store->heads,
                     head = (store->first + i) % store->heads;
        struct heat heat = heat_of(store, filling->scene, head);
        heat.weights = attention_rows(attention, layer, head, all, buffer);
        heat.layer = layer;
        if (store->need.lined) {
            if (!thumbnail_lines_choose(filling->scene, heat.weights, (int)store->need.rows,
                                        store->edges + i * store->most, &store->counts[i]))
                atomic_store(&filling->failed, true);
            continue;
        }
        if (heat.hue == HEAT_OF_SIGNS) {
            attention_signed_rows(attention, layer, head, all, buffer);
            heat.weights = buffer;
        }
        heat_measure(&heat, store->dots + i * store->need.rows * store->need.columns);
    }
}

/* Each thread has room for one head's weights, which it may have to compute. */
struct thumbnails *thumbnails_new(const struct model_view_sheet *sheet, size_t first, size_t count)
{
    const struct scene *scene = sheet->scene;
    struct filling filling = {
        .scene = scene,
        .store = memory_new(1, sizeof *filling.store, 0, "the thumbnails", &sheet->canvas->error),
        .map = scene_count(scene, SIDE_LEFT) * scene_count(scene, SIDE_RIGHT)};
    /* One thread where there is little to do: starting more takes longer than the work. */
    size_t threads = pool_size_for(count * filling.map);
    if (!filling.store)
        return NULL;
    *filling.store = (struct thumbnails){
        .need = need_of(sheet), .heads = scene->data.head_count, .first = first, .count = count};
    struct thumbnails *store = filling.store;
    store->most = thumbnail_lines_most((int)store->need.rows);
    filling.buffers = malloc((threads * filling.map + 1) * sizeof *filling.buffers);
    if (store->need.lined) {
        store->edges = malloc(count * store->most * sizeof *store->edges);
        store->counts = calloc(count, sizeof *store->counts);
    } else {
        store->dots = malloc(count * store->need.rows * store->need.columns * sizeof *store->dots);
    }
    if (filling.buffers && (store->dots || (store->edges && store->counts)))
        pool_run(threads, fill_heads, &filling);
    else
        filling.failed = true;
    free(filling.buffers);
    if (!filling.failed)
        return store;
    error_memory(&sheet->canvas->error, "the thumbnails",
                 (threads * filling.map + count) * sizeof(float));
    thumbnails_free(store);
    return NULL;
}

/* Whoever changes the attention drops the store, so only the rest has to be compared. The old ones
 * are freed first, so that a long text never needs room for both. */
void thumbnails_keep(struct thumbnails **store, const struct model_view_sheet *sheet)
{
    const struct data *data = &sheet->scene->data;
    const struct need need = need_of(sheet);
    if (*store && memcmp(&(*store)->need, &need, sizeof need) == 0)
        return;
    thumbnails_free(*store);
    /* of the scene, which has one head where a single map is shown */
    *store = thumbnails_new(sheet, 0, data->layers * data->head_count);
}

void thumbnails_free(struct thumbnails *store)
{
    if (!store)
        return;
    free(store->dots);
    free(store->edges);
    free(store->counts);
    free(store);
}

/* ---- Drawing ---- */

/* Heat maps stand in the middle of their box; lines fill it. */
void thumbnails_draw(const struct thumbnails *store, const struct model_view_sheet *sheet,
                     const struct thumbnail *thumbnail)
{
    const struct model_view_axis *rows = &sheet->rows, *columns = &sheet->columns;
    const size_t i = thumbnail->layer * store->heads + thumbnail->head - store->first;
    const int y = thumbnail->top, x = thumbnail->left;
    if (store->need.lined) { /* one dot thick unless each token has a row of cells */
        const struct area box = {y, x, rows->box, columns->box};
        const struct token_range from = store->need.from, to = store->need.to;
        const struct dot_rows left = dot_rows_of(from, box.rows), right = dot_rows_of(to, box.rows);
        const bool thin = size_max(from.end - from.first, to.end - to.first) > (size_t)box.rows;
        const size_t count = store->counts[i];
        struct stroke *strokes =
            memory_new(count, sizeof *strokes, 0, "the lines", &sheet->canvas->error);
        for (size_t j = 0; strokes && j < count; j++) {
            const struct edge *edge = &store->edges[i * store->most + j];
            const float share = (float)edge->shade / EDGE_WHOLE;
            const unsigned level = (unsigned)(share * STYLE_FULL + 0.5F);
            strokes[count - 1 - j] = (struct stroke){
                /* edges are sorted heavy to light */
                .from = (float)dot_row_of(&left, edge->from) / 4 + 0.125F,
                .to = (float)dot_row_of(&right, edge->to) / 4 + 0.125F,
                .width = thin ? THIN : THIN + THIN_MORE * share,
                .ink = thumbnail->on ? scene_ink(sheet->scene, thumbnail->head, level)
                                     : (struct ink){ROLE_FAINT, 0}};
        }
        strokes_draw(sheet->canvas, box, strokes, strokes ? count : 0);
        free(strokes);
        return;
    }
    struct heat heat = heat_of(store, sheet->scene, thumbnail->head);
    heat.on = thumbnail->on;
    const bool off = scene_is_off(sheet->scene, thumbnail->layer, thumbnail->head);
    /* what is off is grey; in a figure equal weights look equally strong */
    if ((off || sheet->canvas->bare) && heat.hue == HEAT_OF_HEAD)
        heat.hue = HEAT_OF_TEXT;
    const float *dots = store->dots + i * store->need.rows * store->need.columns;
    struct area area = {y, x + (columns->box - columns->dots) / 2, rows->dots, columns->dots};
    if (!sheet->canvas->whole)
        heat_draw(&heat, dots, sheet->canvas, area.y, area.x);
    else
        heat_keep(&heat, dots, sheet->canvas, area);
}
