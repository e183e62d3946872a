/* derive_map.h: which map is shown, and whether it can be made at once: a part of derive.h. */
#ifndef HEADLIGHT_SESSION_DERIVE_MAP_H
#define HEADLIGHT_SESSION_DERIVE_MAP_H

#include "headlight/view/views.h"

/* The map that a look asks for: weights in views that show no other, and before there is a trace.
 */
enum map_kind derive_map_wanted(const struct look *look, bool computed);

/* Its layers: all, but of one whose layers take long those that are looked at. */
struct token_range derive_map_layers(const struct look *look, size_t layers);

/* Whether a map, which may be NULL, is what the look asks for of this source. */
bool derive_map_serves(const struct map *map, const struct look *look,
                       const struct map_source *source, bool computed);

/* What is shown from now on, for the caller to own: the map that is asked for, made at once or
 * taken from *coming, which is then NULL; the weights, where it can't be made or, if somebody waits
 * at the keyboard (`attended`), where it takes long; NULL where `known` still serves.
 * STATUS_MEMORY. */
enum status derive_map_new(const struct look *look, const struct map_source *source, bool computed,
                           bool attended, const struct map *known, struct map **coming,
                           struct map **map, struct error *error);

#endif
