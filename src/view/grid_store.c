#include "headlight/view/grid_store.h"

#include "headlight/base/size.h"
#include "headlight/lens/share.h"
#include "headlight/view/grid_lines.h"
#include "headlight/view/heat.h"

#include <stdatomic.h>
#include <stdlib.h>

/* One of `dots` and `edges` is there. */
struct grid_store {
    struct grid_need need;
    size_t heads;       /* A */
    float *dots;        /* [L,A,rows,columns] */
    struct edge *edges; /* [L,A,most] */
    size_t *counts;     /* [L,A] of the edges */
    size_t most;        /* edges of one head */
};

/* ---- What is needed ---- */

/* Dots are the same for weights and for their roots. */
struct grid_need grid_need(const struct scene *scene, const struct grid_layout *layout)
{
    struct grid_need need = {
        .lined = scene->lined,
        .tone = scene->tone,
        .range = {scene_range(scene, SIDE_LEFT), scene_range(scene, SIDE_RIGHT)}};
    if (scene->lined) {
        need.weight = grid_lines_least(scene);
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

bool grid_store_fits(const struct grid_store *store, const struct grid_need *need)
{
    if (!store)
        return false;
    const struct grid_need *has = &store->need;
    return has->lined == need->lined && has->tone == need->tone && has->weight == need->weight &&
           same_range(has->range[SIDE_LEFT], need->range[SIDE_LEFT]) &&
           same_range(has->range[SIDE_RIGHT], need->range[SIDE_RIGHT]) && has->rows == need->rows &&
           has->columns == need->columns;
}

/* ---- Making it ---- */

/* A store being filled, head by head. */
struct filling {
    const struct scene *scene;
    struct grid_store *store;
    float *rooms; /* for each member, [R,C] */
    size_t map;   /* R·C */
    size_t count; /* L·A */
    atomic_bool failed;
};

static size_t dot_count(const struct grid_need *need)
{
    return (size_t)need->rows * (size_t)need->columns;
}

static void measure_dots(const struct filling *filling, size_t index, const float *weights)
{
    struct grid_store *store = filling->store;
    struct heat heat = heat_of(filling->scene, index % store->heads);
    heat.weights = weights;
    heat.rows = store->need.rows;
    heat.columns = store->need.columns;
    heat_measure(&heat, store->dots + index * dot_count(&store->need));
}

static void fill(const struct member *member, void *context)
{
    struct filling *filling = context;
    struct grid_store *store = filling->store;
    const struct attention *attention = filling->scene->attention;
    struct token_range all = {0, attention->tokens[SIDE_LEFT].count};
    float *room = filling->rooms + member->index * filling->map;
    for (size_t index; (index = member_claim(member)) < filling->count;) {
        size_t layer = index / store->heads, head = index % store->heads;
        const float *weights = attention_rows(attention, layer, head, all, room);
        if (!store->need.lined)
            measure_dots(filling, index, weights);
        else if (!grid_lines_choose(filling->scene, weights, store->need.rows,
                                    store->edges + index * store->most, &store->counts[index]))
            atomic_store(&filling->failed, true);
    }
}

/* False without memory. */
static bool allocate(struct filling *filling, size_t members)
{
    struct grid_store *store = filling->store;
    bool lined = store->need.lined;
    filling->rooms = malloc((members * filling->map + 1) * sizeof *filling->rooms);
    if (lined) {
        store->edges = malloc(filling->count * store->most * sizeof *store->edges);
        store->counts = calloc(filling->count, sizeof *store->counts);
    } else {
        store->dots = malloc(filling->count * dot_count(&store->need) * sizeof *store->dots);
    }
    return filling->rooms && (lined ? store->edges && store->counts : store->dots != NULL);
}

enum status grid_store_new(const struct scene *scene, const struct grid_need *need,
                           struct grid_store **out, struct error *error)
{
    struct filling filling = {.scene = scene,
                              .store = calloc(1, sizeof *filling.store),
                              .map = scene_count(scene, SIDE_LEFT) * scene_count(scene, SIDE_RIGHT),
                              .count = scene->layers * scene->head_count};
    size_t members = share_members(filling.count * filling.map);
    *out = NULL;
    if (!filling.store)
        return error_memory(error, "the thumbnails", sizeof *filling.store);
    *filling.store = (struct grid_store){
        .need = *need, .heads = scene->head_count, .most = grid_lines_most(need->rows)};
    if (allocate(&filling, members))
        crew_run(members, fill, &filling);
    else
        filling.failed = true;
    free(filling.rooms);
    if (filling.failed) {
        grid_store_free(filling.store);
        return error_memory(error, "the thumbnails",
                            (members * filling.map + filling.count) * sizeof(float));
    }
    *out = filling.store;
    return STATUS_OK;
}

void grid_store_free(struct grid_store *store)
{
    if (!store)
        return;
    free(store->dots);
    free(store->edges);
    free(store->counts);
    free(store);
}

const float *grid_store_dots(const struct grid_store *store, size_t layer, size_t head)
{
    return store->dots + (layer * store->heads + head) * dot_count(&store->need);
}

const struct edge *grid_store_edges(const struct grid_store *store, size_t layer, size_t head,
                                    size_t *count)
{
    size_t index = layer * store->heads + head;
    *count = store->counts[index];
    return store->edges + index * store->most;
}
