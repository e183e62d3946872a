/* compare_maps.h: the same head on both sides as heat maps, and what they differ by. */
#ifndef HEADLIGHT_VIEW_COMPARE_MAPS_H
#define HEADLIGHT_VIEW_COMPARE_MAPS_H

#include "headlight/view/compare_layout.h"

/* The largest weights of both sides' maps, with which their shades end, and the largest difference.
 */
struct compare_scale {
    float weight, difference;
};

struct compare_scale compare_measure(const struct scene *scene,
                                     const struct comparison *comparison);

/* Where a row of a side's map is heaviest; NO_TOKEN without a map. */
size_t compare_heaviest(const struct scene *scene, const struct comparison *comparison,
                        enum side side, size_t from);

void compare_draw_maps(const struct scene *scene, struct canvas *canvas,
                       const struct comparison *comparison, const struct compare_layout *layout,
                       const struct compare_scale *scale);

#endif
