/* compare_labels.h: what stands around a map of the compare view: its title, the labels of its rows
 * and columns, and the number of its cursor. */
#ifndef HEADLIGHT_VIEW_COMPARE_LABELS_H
#define HEADLIGHT_VIEW_COMPARE_LABELS_H

#include "headlight/view/compare_maps.h"

/* A panel as it is drawn. */
struct compare_map {
    const struct scene *scene;
    const struct comparison *comparison;
    const struct compare_layout *layout;
    const struct compare_scale *scale;
    int number;
    size_t row, column;      /* the cursor's, or NO_TOKEN */
    const float *weights[2]; /* [T,S] of each side; a difference has both */
};

static inline bool compare_is_difference(const struct compare_map *map)
{
    return map->number == 2;
}

/* The tokens of its rows, and of its columns. */
static inline const struct token_side *compare_tokens(const struct compare_map *map)
{
    return map->comparison->tokens[compare_side(map->number)];
}

static inline const struct token_side *compare_attended(const struct compare_map *map)
{
    return map->comparison->attended[compare_side(map->number)];
}

/* The number of a cell; false where the sides have different tokens there. */
bool compare_value(const struct compare_map *map, size_t from, size_t to, float *value);

/* Where a row is heaviest, or a difference largest. */
size_t compare_heaviest_of(const struct compare_map *map, size_t from);

void compare_draw_title(const struct compare_map *map, struct canvas *canvas);
void compare_draw_labels(const struct compare_map *map, struct canvas *canvas);

/* "flies → like 0.310", below the map: the cursor's cell, or the heaviest of its row. */
void compare_draw_readout(const struct compare_map *map, struct canvas *canvas);

/* Why there is no map. */
void compare_draw_missing(const struct compare_map *map, struct canvas *canvas);

#endif
