#include "headlight/session/derive_map.h"

/* Multiply-adds that take some milliseconds. */
#define AT_ONCE 8e6

static bool shows_maps(const struct look *look)
{
    return (view_at(look->view)->shown & SHOWN_MAP) != 0;
}

enum map_kind derive_map_wanted(const struct look *look, bool computed)
{
    return computed && shows_maps(look) ? look->map : MAP_WEIGHTS;
}

struct token_range derive_map_layers(const struct look *look, size_t layers)
{
    bool all = look->map != MAP_FLOW || look->ranked || view_at(look->view)->heads == HEADS_ALL;
    return all ? (struct token_range){0, layers}
               : (struct token_range){look->layer, look->layer + 1};
}

static bool is_of(const struct map *map, enum map_kind kind, const struct map_source *source)
{
    return map && map->kind == kind && map->trace == source->trace &&
           (kind != MAP_DIFFERENCE || map->other == source->other);
}

bool derive_map_serves(const struct map *map, const struct look *look,
                       const struct map_source *source, bool computed)
{
    const enum map_kind kind = derive_map_wanted(look, computed);
    struct token_range layers = derive_map_layers(look, source->trace->layers);
    if (!is_of(map, kind, source))
        return false;
    while (layers.first < layers.end && (kind == MAP_WEIGHTS || map->values[layers.first]))
        layers.first++;
    return layers.first == layers.end;
}

static bool is_quick(const struct map_source *source, enum map_kind kind,
                     const struct token_range *layers)
{
    return map_cost(source->trace, kind, layers->end - layers->first) <= AT_ONCE;
}

static enum status weights(const struct map_source *source, const struct map *known,
                           struct map **map, struct error *error)
{
    const struct token_range all = {0, source->trace->layers};
    if (is_of(known, MAP_WEIGHTS, source))
        return STATUS_OK;
    return map_new(source, MAP_WEIGHTS, all, NULL, NULL, map, error);
}

enum status derive_map_new(const struct look *look, const struct map_source *source, bool computed,
                           bool attended, const struct map *known, struct map **coming,
                           struct map **map, struct error *error)
{
    const enum map_kind kind = derive_map_wanted(look, computed);
    const struct token_range layers = derive_map_layers(look, source->trace->layers);
    struct error refused;
    *map = NULL;
    if (derive_map_serves(known, look, source, computed))
        return STATUS_OK;
    if (derive_map_serves(*coming, look, source, computed)) {
        *map = *coming;
        *coming = NULL;
        return STATUS_OK;
    }
    if (kind == MAP_WEIGHTS || map_check(source, kind, &refused) != STATUS_OK ||
        (attended && !is_quick(source, kind, &layers)))
        return weights(source, known, map, error);
    return map_new(source, kind, layers, is_of(known, kind, source) ? known : NULL, NULL, map,
                   error);
}
