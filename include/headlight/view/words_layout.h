/* words_layout.h: what of the words view is on screen, and where: layers from bottom to top, tokens
 * from left to right, and what the chosen cell says beside or below them. */
#ifndef HEADLIGHT_VIEW_WORDS_LAYOUT_H
#define HEADLIGHT_VIEW_WORDS_LAYOUT_H

#include "headlight/lens/logit_lens.h"
#include "headlight/view/scene.h"

/* No column is narrower: a piece of three signs, its brackets and a gap. */
#define WORDS_COLUMN_LEAST 6

struct words_layout {
    struct area grid, answers; /* the first row of each is its heading */
    struct lens_area shown;    /* what the grid has room for, the cursor among it */
    int pitch;                 /* rows of a layer */
    int begins[CANVAS_MAX / WORDS_COLUMN_LEAST + 2]; /* of each column shown, and of the next */
    bool beside; /* the answers stand beside the grid, not below */
};

struct words_layout words_lay_out(const struct scene *scene, const struct canvas *canvas,
                                  struct area area);

/* The cell of a layer and a token; and of a token alone, that of its label. */
struct area words_cell_area(const struct words_layout *layout, size_t layer, size_t token);
struct area words_label_area(const struct words_layout *layout, size_t token);

/* The middle row of a layer. */
int words_row(const struct words_layout *layout, size_t layer);

/* What a layer says at a token; NULL before it is read. */
const struct lens_cell *words_cell(const struct scene *scene, size_t layer, size_t token);

/* Whether there are colours enough to shade a cell's ground. */
bool words_by_ground(const struct canvas *canvas);

/* A piece of the vocabulary. */
const char *words_piece(const struct scene *scene, int32_t id);

#endif
