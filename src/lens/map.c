/* map.c: the kinds of maps: which can be computed from a trace, at what cost, and their memory.
 * Weights and scores are the trace's own; the others are computed in map_made.c. */
#include "headlight/lens/map.h"

#include "headlight/base/memory.h"
#include "headlight/lens/dimensions.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const struct map_info infos[] = {
#define MAP(code, name, axes, by_head, is_signed, absolute, shares, meaning)                       \
    [MAP_##code] = {#name, meaning, axes, by_head, is_signed, absolute, shares},
    MAPS(MAP)
#undef MAP
};

const struct map_info *map_info(enum map_kind kind)
{
    return &infos[kind];
}

/* ---- Availability ---- */

/* The tensor of a layer that a map needs and the trace lacks; NULL: none. */
static const char *missing_tensor(const struct trace *trace, enum map_kind kind, size_t layer)
{
    const struct layer_trace *of = &trace->layer[layer];
    const struct attending at = {.trace = trace, .layer = layer};
    return kind == MAP_SCORES && !of->scores && !dimensions_have_keys(&at)
               ? "scores, or query and key"
           : kind == MAP_NORMS && !of->value.data           ? "value"
           : kind == MAP_SIMILARITY && !of->output          ? "output"
           : kind == MAP_PLAIN && !of->input && !of->normed ? "input"
                                                            : NULL;
}

static enum status check_tensors(const struct map_source *source, enum map_kind kind,
                                 struct error *error)
{
    const bool plural = kind == MAP_SCORES || kind == MAP_NORMS;
    for (size_t l = 0; l < source->trace->layers; l++) {
        const char *missing = missing_tensor(source->trace, kind, l);
        if (missing)
            return error_set(error, STATUS_UNSUPPORTED, "%s %s layer.%zu.%s, which this %s lacks",
                             map_info(kind)->name, plural ? "need" : "needs", l, missing,
                             source->model ? "trace" : "recording");
    }
    return STATUS_OK;
}

/* Tokens are compared by number only: the session only offers traces of the same text. */
static enum status check_other(const struct map_source *source, struct error *error)
{
    const struct trace *a = source->trace, *b = source->other;
    if (!b)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "a difference needs a changed network: change it with z, or with an option "
            "such as --off; or another model: --against NAME");
    if (a->layers == b->layers && a->heads == b->heads && a->tokens == b->tokens &&
        a->attended == b->attended)
        return STATUS_OK;
    return error_set(
        error, STATUS_UNSUPPORTED,
        "a difference needs two networks of the same sizes: here are %zu layers, %zu heads and %zu "
        "tokens, there %zu, %zu and %zu",
        a->layers, a->heads, a->tokens, b->layers, b->heads, b->tokens);
}

enum status map_check(const struct map_source *source, enum map_kind kind, struct error *error)
{
    const struct trace *trace = source->trace;
    if (kind == MAP_DIFFERENCE)
        return check_other(source, error);
    if (kind == MAP_NORMS && !source->model)
        return error_set(error, STATUS_UNSUPPORTED,
                         "norms need the weights of the output projection, which no recording has");
    const enum status status = site_defines(map_info(kind)->axes, trace_site_axes(trace), "",
                                            map_info(kind)->name, STATUS_UNSUPPORTED, error);
    return status == STATUS_OK ? check_tensors(source, kind, error) : status;
}

/* Decides what is computed at once, so the order of magnitude is enough. */
double map_cost(const struct trace *trace, enum map_kind kind)
{
    double T = (double)trace->tokens, H = (double)trace->hidden, L = (double)trace->layers;
    double map = T * (double)trace->attended;
    switch (kind) {
    case MAP_NORMS:
        return L * (T * H * H + (double)trace->heads * map);
    case MAP_ROLLOUT:
        return L * map * (T + (double)trace->heads);
    case MAP_SIMILARITY:
    case MAP_PLAIN:
        return L * map * H;
    case MAP_SCORES:
        return L * map * (double)(trace->heads * (trace->layer[0].scores ? 1 : trace->dimensions));
    case MAP_DIFFERENCE:
        return L * map * (double)trace->heads;
    default:
        return 0;
    }
}

/* ---- Making a map ---- */

/* A layer in the trace; NULL: to be computed. */
static const float *in_trace(const struct map_source *source, enum map_kind kind, size_t layer)
{
    const struct layer_trace *trace = &source->trace->layer[layer];
    return kind == MAP_WEIGHTS ? trace->weights : kind == MAP_SCORES ? trace->scores : NULL;
}

static bool is_all_in_trace(const struct map_source *source, enum map_kind kind)
{
    for (size_t l = 0; l < source->trace->layers; l++)
        if (!in_trace(source, kind, l))
            return false;
    return true;
}

static size_t layer_size(const struct map *map)
{
    return map->heads * map->rows * map->columns;
}

/* A map in one block of memory, its layers still to be made. */
static struct map *map_allocate(const struct map_source *source, enum map_kind kind,
                                struct error *error)
{
    const struct trace *trace = source->trace;
    const size_t heads = map_info(kind)->by_head ? trace->heads : 1;
    const size_t size = heads * trace->tokens * trace->attended;
    const size_t owned = is_all_in_trace(source, kind) ? 0 : size * trace->layers;
    const size_t bytes = sizeof(struct map) + trace->layers * sizeof(const float *) +
                         (trace->layers + owned) * sizeof(float);
    struct map *map = memory_new(1, bytes, 0, "the map", error);
    if (!map)
        return NULL;
    *map = (struct map){.kind = kind,
                        .trace = trace,
                        .other = kind == MAP_DIFFERENCE ? source->other : NULL,
                        .layers = trace->layers,
                        .heads = heads,
                        .rows = trace->tokens,
                        .columns = trace->attended,
                        .values = (const float **)(map + 1)};
    map->largest = (float *)(void *)(map->values + map->layers);
    map->owned = map->largest + map->layers;
    return map;
}

/* Masked scores are minus infinity and do not count. */
static float map_largest_of(const struct map *map, size_t layer)
{
    float largest = FLT_MIN;
    if (map_info(map->kind)->absolute)
        return 1;
    for (size_t i = 0; i < layer_size(map); i++) {
        float magnitude = fabsf(map->values[layer][i]);
        if (magnitude > largest && isfinite(magnitude))
            largest = magnitude;
    }
    return largest;
}

/* For recordings that have queries and keys but no scores. */
static enum status make_scores(const struct map_layer *made)
{
    const struct trace *trace = made->source->trace;
    const double divisor = dimensions_divisor(trace);
    struct attending at = {.trace = trace, .layer = made->layer};
    float *out = made->out;
    for (at.head = 0; at.head < trace->heads; at.head++)
        for (at.from = 0; at.from < trace->tokens; at.from++)
            for (size_t to = 0; to < trace->attended; to++)
                dimensions_score(&at, to, divisor, out++);
    return STATUS_OK;
}

static enum status make_difference(const struct map_layer *made)
{
    const struct trace *trace = made->source->trace, *other = made->source->other;
    const bool later = made->source->other_is_later;
    const float *after = (later ? other : trace)->layer[made->layer].weights;
    const float *before = (later ? trace : other)->layer[made->layer].weights;
    for (size_t i = 0; i < trace->heads * trace->tokens * trace->attended; i++)
        made->out[i] = after[i] - before[i];
    return STATUS_OK;
}

/* Weights are always the trace's own. */
static enum status (*const makers[MAP_COUNT])(const struct map_layer *) = {
    [MAP_SCORES] = make_scores,       [MAP_NORMS] = map_make_norms,
    [MAP_ROLLOUT] = map_make_rollout, [MAP_SIMILARITY] = map_make_similarity,
    [MAP_PLAIN] = map_make_plain,     [MAP_DIFFERENCE] = make_difference,
};

/* A layer is the trace's, or computed. */
static enum status map_add_layer(const struct map_source *source, struct map *map, size_t layer,
                                 struct error *error)
{
    float *owned = map->owned + layer * layer_size(map);
    const struct map_layer made = {source, layer, layer > 0 ? map->values[layer - 1] : NULL, owned,
                                   error};
    map->values[layer] = in_trace(source, map->kind, layer);
    if (!map->values[layer]) {
        map->values[layer] = owned;
        if (makers[map->kind] && makers[map->kind](&made) != STATUS_OK)
            return error->status;
    }
    map->largest[layer] = map_largest_of(map, layer);
    return STATUS_OK;
}

/* The first to the last layer, since rollout builds each on the one before. */
enum status map_new(const struct map_source *source, enum map_kind kind, const struct watch *watch,
                    struct map **out, struct error *error)
{
    *out = NULL;
    if (map_check(source, kind, error) != STATUS_OK)
        return error->status;
    struct map *map = map_allocate(source, kind, error);
    if (!map)
        return error->status;
    enum status status = STATUS_OK;
    for (size_t l = 0; status == STATUS_OK && l < map->layers; l++) {
        status = map_add_layer(source, map, l, error);
        if (status == STATUS_OK)
            status = watch_step(watch, l + 1, map->layers, error);
    }
    if (status != STATUS_OK) {
        map_free(map);
        return status;
    }
    *out = map;
    return STATUS_OK;
}

void map_free(struct map *map)
{
    free(map);
}
