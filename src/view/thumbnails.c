#include "headlight/view/thumbnails.h"

#include "headlight/draw/heat.h"
#include "headlight/tensor/thread_pool.h"
#include "headlight/view/model_view_lines.h"

#include <stdatomic.h>
#include <stdlib.h>

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
        need.weight = model_view_lines_least(scene);
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

static void fill(const struct pool_thread *thread, void *context)
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
        else if (!model_view_lines_choose(filling->scene, weights, store->need.rows,
                                          store->edges + index * store->most,
                                          &store->counts[index]))
            atomic_store(&filling->failed, true);
    }
}

/* False without memory. */
static bool allocate(struct filling *filling, size_t threads)
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
        .need = *need, .heads = scene->data.head_count, .most = model_view_lines_most(need->rows)};
    if (allocate(&filling, threads))
        pool_run(threads, fill, &filling);
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
