/* thumbnails.c: what the thumbnails of all heads are drawn from, made by all threads of the pool;
 * and the choice of the lines that a head is drawn with, which is the same for a large thumbnail.
 */
#include "headlight/view/thumbnails.h"

#include "headlight/base/size.h"
#include "headlight/draw/heat.h"
#include "headlight/draw/strokes.h"
#include "headlight/tensor/thread_pool.h"

#include <stdatomic.h>
#include <stdlib.h>

/* ---- Lines ---- */

/* Widths in rows. */
#define THIN      0.08F
#define THIN_MORE 0.14F

#define LINES_MIN 8 /* or 1.5 for each attending token, if more */

/* Tokens one below the other, in dots. Where every second row of dots has too few places for them,
 * neighbours share one, so that a dark dot is left between two lines. */
struct stand {
    struct token_range range;
    int places, apart;
};

static struct stand stand_of(struct token_range range, int rows)
{
    bool shared = range.end - range.first > 2 * (size_t)rows;
    return (struct stand){range, shared ? 2 * rows : 4 * rows - 1, shared ? 2 : 1};
}

/* The first row of dots stays free: a line two dots thick needs it. */
static int stand_at(const struct stand *stand, size_t token)
{
    size_t last = stand->range.end - stand->range.first - 1, room = (size_t)stand->places - 1;
    size_t place = last > 0 ? ((token - stand->range.first) * room + last / 2) / last : room / 2;
    return 1 + (int)place * stand->apart;
}

static size_t lines_wanted(struct token_range range)
{
    size_t tokens = range.end - range.first;
    return size_max(LINES_MIN, tokens + tokens / 2);
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
    if (x->shade != y->shade)
        return x->shade < y->shade ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Of lines between the same places the heaviest is kept. */
static size_t keep_strongest(const struct edge_list *list, const struct stand stands[2],
                             bool *taken, int rows, struct edge *kept)
{
    size_t count = 0;
    for (size_t i = list->count; i-- > 0 && count < thumbnail_lines_most(rows);) {
        struct edge edge = list->edges[i];
        int from = stand_at(&stands[SIDE_LEFT], edge.from);
        int to = stand_at(&stands[SIDE_RIGHT], edge.to);
        bool *pair = &taken[from * 4 * rows + to];
        if (!*pair)
            kept[count++] = edge;
        *pair = true;
    }
    return count;
}

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
    const struct edge_limits limits = {.weight = thumbnail_lines_least(scene),
                                       .count = lines_wanted(query.from)};
    const struct stand stands[2] = {stand_of(query.from, rows), stand_of(query.to, rows)};
    size_t dots = 4 * (size_t)rows;
    struct edge_list list;
    struct error error;
    if (edges_select(&query, &limits, &list, &error) != STATUS_OK)
        return false;
    if (query.tone == TONE_ROW && list.count > 0) /* the heaviest of every row has the same share */
        qsort(list.edges, list.count, sizeof *list.edges, thumbnails_by_shade);
    bool *taken = calloc(dots * dots, sizeof *taken);
    *count = taken ? keep_strongest(&list, stands, taken, rows, edges) : 0;
    free(list.edges);
    free(taken);
    return taken != NULL;
}

/* One dot thick unless each token has a row of cells. A head that is off is grey. */
static struct stroke thumbnails_stroke(const struct scene *scene,
                                       const struct thumbnail_lines *lines, const struct edge *edge,
                                       const struct stand stands[2], bool thin)
{
    float share = (float)edge->shade / EDGE_WHOLE;
    unsigned level = (unsigned)(share * STYLE_FULL + 0.5F);
    return (struct stroke){
        .from = (float)stand_at(&stands[SIDE_LEFT], edge->from) / 4 + 0.125F,
        .to = (float)stand_at(&stands[SIDE_RIGHT], edge->to) / 4 + 0.125F,
        .width = thin ? THIN : THIN + THIN_MORE * share,
        .ink = lines->on ? scene_ink(scene, lines->head, level) : (struct ink){ROLE_FAINT, 0},
    };
}

enum status thumbnail_lines_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                                 const struct thumbnail_lines *strongest, struct error *error)
{
    struct token_range from = scene_range(scene, SIDE_LEFT), to = scene_range(scene, SIDE_RIGHT);
    const struct stand stands[2] = {stand_of(from, area.rows), stand_of(to, area.rows)};
    bool thin = size_max(from.end - from.first, to.end - to.first) > (size_t)area.rows;
    struct stroke *strokes = malloc((strongest->count + 1) * sizeof *strokes);
    if (!strokes)
        return error_memory(error, "the lines", strongest->count * sizeof *strokes);
    for (size_t i = 0; i < strongest->count; i++) /* they are sorted heavy to light */
        strokes[strongest->count - 1 - i] =
            thumbnails_stroke(scene, strongest, &strongest->edges[i], stands, thin);
    enum status status = strokes_draw(canvas, area, strokes, strongest->count, error);
    free(strokes);
    return status;
}

/* ---- A store for all heads ---- */

/* Either `dots` or `edges` and `counts` are there. */
struct thumbnails {
    struct thumbnails_need need;
    size_t heads;       /* A */
    float *dots;        /* [L,A,rows,columns] */
    struct edge *edges; /* [L,A,most] */
    size_t *counts;     /* [L,A] of the edges */
    size_t most;        /* edges of one head */
};

/* ---- What is needed ---- */

/* Dots are the same for weights as for their roots. */
struct thumbnails_need thumbnails_need(const struct scene *scene,
                                       const struct model_view_layout *layout)
{
    struct thumbnails_need need = {
        .lined = scene->look.lined,
        .tone = scene->look.tone,
        .range = {scene_range(scene, SIDE_LEFT), scene_range(scene, SIDE_RIGHT)}};
    if (scene->look.lined) {
        need.weight = thumbnail_lines_least(scene);
        need.rows = layout->rows.box;
        return need;
    }
    if (need.tone == TONE_ROOT)
        need.tone = TONE_WEIGHT;
    need.rows = layout->rows.dots;
    need.columns = layout->columns.dots;
    return need;
}

static bool same_range(struct token_range a, struct token_range b)
{
    return a.first == b.first && a.end == b.end;
}

bool thumbnails_fits(const struct thumbnails *store, const struct thumbnails_need *need)
{
    if (!store)
        return false;
    const struct thumbnails_need *has = &store->need;
    return has->lined == need->lined && has->tone == need->tone && has->weight == need->weight &&
           same_range(has->range[SIDE_LEFT], need->range[SIDE_LEFT]) &&
           same_range(has->range[SIDE_RIGHT], need->range[SIDE_RIGHT]) && has->rows == need->rows &&
           has->columns == need->columns;
}

/* ---- Making it ---- */

/* A store being filled, head by head. */
struct filling {
    const struct scene *scene;
    struct thumbnails *store;
    float *rooms; /* for each thread, [R,C] */
    size_t map;   /* R·C */
    size_t count; /* L·A */
    atomic_bool failed;
};

static size_t dot_count(const struct thumbnails_need *need)
{
    return (size_t)need->rows * (size_t)need->columns;
}

/* Of a map with signs they are read anew, into `room`. */
static void measure_dots(const struct filling *filling, size_t index, const float *weights,
                         float *room)
{
    struct thumbnails *store = filling->store;
    const struct attention *attention = filling->scene->data.attention;
    struct heat heat = scene_heat(filling->scene, index % store->heads);
    struct token_range all = {0, attention->tokens[SIDE_LEFT].count};
    heat.weights = weights;
    if (heat.hue == HEAT_OF_SIGNS) {
        attention_signed_rows(attention, index / store->heads, index % store->heads, all, room);
        heat.weights = room;
    }
    heat.rows = store->need.rows;
    heat.columns = store->need.columns;
    heat_measure(&heat, store->dots + index * dot_count(&store->need));
}

static void fill_heads(const struct pool_thread *thread, void *context)
{
    struct filling *filling = context;
    struct thumbnails *store = filling->store;
    const struct attention *attention = filling->scene->data.attention;
    struct token_range all = {0, attention->tokens[SIDE_LEFT].count};
    float *room = filling->rooms + thread->index * filling->map;
    for (size_t index; (index = pool_claim(thread)) < filling->count;) {
        size_t layer = index / store->heads, head = index % store->heads;
        const float *weights = attention_rows(attention, layer, head, all, room);
        if (!store->need.lined)
            measure_dots(filling, index, weights, room);
        else if (!thumbnail_lines_choose(filling->scene, weights, store->need.rows,
                                         store->edges + index * store->most, &store->counts[index]))
            atomic_store(&filling->failed, true);
    }
}

/* False without memory. */
static bool thumbnails_allocate(struct filling *filling, size_t threads)
{
    struct thumbnails *store = filling->store;
    bool lined = store->need.lined;
    filling->rooms = malloc((threads * filling->map + 1) * sizeof *filling->rooms);
    if (lined) {
        store->edges = malloc(filling->count * store->most * sizeof *store->edges);
        store->counts = calloc(filling->count, sizeof *store->counts);
    } else {
        store->dots = malloc(filling->count * dot_count(&store->need) * sizeof *store->dots);
    }
    return filling->rooms && (lined ? store->edges && store->counts : store->dots != NULL);
}

enum status thumbnails_new(const struct scene *scene, const struct thumbnails_need *need,
                           struct thumbnails **out, struct error *error)
{
    struct filling filling = {.scene = scene,
                              .store = calloc(1, sizeof *filling.store),
                              .map = scene_count(scene, SIDE_LEFT) * scene_count(scene, SIDE_RIGHT),
                              .count = scene->data.layers * scene->data.head_count};
    size_t threads = pool_size_for(filling.count * filling.map);
    *out = NULL;
    if (!filling.store)
        return error_memory(error, "the thumbnails", sizeof *filling.store);
    *filling.store = (struct thumbnails){
        .need = *need, .heads = scene->data.head_count, .most = thumbnail_lines_most(need->rows)};
    if (thumbnails_allocate(&filling, threads))
        pool_run(threads, fill_heads, &filling);
    else
        filling.failed = true;
    free(filling.rooms);
    if (filling.failed) {
        thumbnails_free(filling.store);
        return error_memory(error, "the thumbnails",
                            (threads * filling.map + filling.count) * sizeof(float));
    }
    *out = filling.store;
    return STATUS_OK;
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

const float *thumbnails_dots(const struct thumbnails *store, size_t layer, size_t head)
{
    return store->dots + (layer * store->heads + head) * dot_count(&store->need);
}

const struct edge *thumbnails_edges(const struct thumbnails *store, size_t layer, size_t head,
                                    size_t *count)
{
    size_t index = layer * store->heads + head;
    *count = store->counts[index];
    return store->edges + index * store->most;
}
