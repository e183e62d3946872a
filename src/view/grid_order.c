#include "headlight/view/grid_order.h"

#include "headlight/view/figure.h"

#include <math.h>

bool grid_has_figure(const struct scene *scene)
{
    return scene->figure != FIGURE_NONE && scene->figures;
}

bool grid_is_sorted(const struct scene *scene)
{
    return scene->sorted && grid_has_figure(scene);
}

/* By what a head of the grid is sorted. */
static long key(const struct scene *scene, size_t index)
{
    return lround(figure_of(&scene->figures[index], scene->figure) * 1000);
}

/* Counts the heads before it: cheap enough for each of them in each frame, and nothing to keep. */
size_t grid_place(const struct scene *scene, size_t layer, size_t head)
{
    size_t index = layer * scene->head_count + head, count = scene->layers * scene->head_count;
    size_t place = 0;
    if (!grid_is_sorted(scene))
        return index;
    long own = key(scene, index);
    for (size_t i = 0; i < count; i++) {
        long other = key(scene, i);
        place += other > own || (other == own && i < index);
    }
    return place;
}

struct grid_head grid_at(const struct scene *scene, size_t place)
{
    size_t index = place, heads = scene->head_count, count = scene->layers * heads;
    if (grid_is_sorted(scene))
        for (index = 0; index + 1 < count; index++)
            if (grid_place(scene, index / heads, index % heads) == place)
                break;
    return (struct grid_head){index / heads, index % heads};
}
