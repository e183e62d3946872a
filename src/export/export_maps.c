#include "headlight/export/export_maps.h"

#include "headlight/base/json.h"

static const enum map_kind written[] = {MAP_NORMS, MAP_ROLLOUT, MAP_SIMILARITY, MAP_PLAIN};
#define WRITTEN (sizeof written / sizeof *written)

enum status export_maps_ask(const struct output *output, struct mapped *mapped, struct error *error)
{
    const struct scene scene = session_scene(output->session);
    struct map_source source = scene_map_source(&scene);
    struct error refused;
    *mapped = (struct mapped){.included = output->include & INCLUDE_MAPS};
    source.trace = output->session->data.encoded->trace;
    for (size_t i = 0; mapped->included && i < WRITTEN; i++)
        if (map_check(&source, written[i], &refused) == STATUS_OK &&
            map_new(&source, written[i], (struct token_range){0, source.trace->layers}, NULL, NULL,
                    &mapped->maps[written[i]], error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* A matrix for each head: [[…],[…]]. */
static void write_matrix(const struct map *map, size_t layer, size_t head, FILE *stream)
{
    for (size_t from = 0; from < map->rows; from++) {
        fputs(from > 0 ? ",[" : "[[", stream);
        for (size_t to = 0; to < map->columns; to++) {
            fputs(to > 0 ? "," : "", stream);
            json_write_float(stream, map_value(map, layer, head, from, to));
        }
        fputc(']', stream);
    }
    fputc(']', stream);
}

static void write_map(const struct map *map, FILE *stream)
{
    for (size_t layer = 0; layer < map->layers; layer++) {
        fputs(layer > 0 ? ",\n[" : "[[", stream);
        for (size_t head = 0; head < map->heads; head++) {
            fputs(head > 0 ? ",\n" : "", stream);
            write_matrix(map, layer, head, stream);
        }
        fputc(']', stream);
    }
    fputc(']', stream);
}

void export_maps_write(const struct mapped *mapped, FILE *stream)
{
    if (!mapped->included)
        return;
    fputs("\"maps\":{", stream);
    for (size_t i = 0; i < WRITTEN; i++) {
        fprintf(stream, "%s\n\"%s\":", i > 0 ? "," : "", map_info(written[i])->name);
        if (mapped->maps[written[i]])
            write_map(mapped->maps[written[i]], stream);
        else
            fputs("null", stream);
    }
    fputs("},\n", stream);
}

void export_maps_free(struct mapped *mapped)
{
    for (size_t i = 0; i < MAP_COUNT; i++)
        map_free(mapped->maps[i]);
}
