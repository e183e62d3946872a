/* export_maps.h: maps of all layers, as a member of the JSON (export.h).
 *
 *     struct mapped mapped;
 *     if (export_maps_ask(output, &mapped, &error) == STATUS_OK)
 *         export_maps_write(&mapped, stream);
 *     export_maps_free(&mapped); */
#ifndef HEADLIGHT_EXPORT_EXPORT_MAPS_H
#define HEADLIGHT_EXPORT_EXPORT_MAPS_H

#include "headlight/export/export.h"
#include "headlight/lens/map.h"

/* Those that are made of the trace within a moment. */
struct mapped {
    bool included;
    struct map *maps[MAP_COUNT]; /* NULL: it is not written, or can't be made of this trace */
};

/* Before anything is written. Errors as map_new, but for maps that can't be made. */
enum status export_maps_ask(const struct output *output, struct mapped *mapped,
                            struct error *error);

/* "maps": {NAME: [L][A or 1][T][S] or null, …}, with a comma behind it, where it is included. */
void export_maps_write(const struct mapped *mapped, FILE *stream);

/* Also after an error. */
void export_maps_free(struct mapped *mapped);

#endif
