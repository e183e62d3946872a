/* words.h: what a model says about a text, as the words view lists it: the likeliest pieces of a
 * layer at a token or, of a model that does not say words, such as ELECTRA's discriminator, whether
 * those that stand in the text were put in the place of others. */
#ifndef HEADLIGHT_VIEW_WORDS_H
#define HEADLIGHT_VIEW_WORDS_H

#include "headlight/lens/logit_lens.h"
#include "headlight/view/scene.h"

/* What a layer says at a token; NULL before it is read. */
const struct lens_cell *words_cell(const struct scene *scene, size_t layer, size_t token);

/* Whether the model was never trained to say a word there: those that guess masked ones weren't at
 * the tokens that frame a text. */
bool words_untrained(const struct scene *scene, size_t token);
#define WORDS_UNTRAINED "never trained to say words"

/* Whether the model is asked which word is behind a mask there. */
bool words_is_masked(const struct scene *scene, size_t token);

/* The first such token; NO_TOKEN: there is none. */
size_t words_masked(const struct data *data);

/* A piece of the vocabulary. */
const char *words_piece(const struct scene *scene, int32_t id);

/* The view as it is drawn. */
struct words_sheet {
    const struct scene *scene;
    struct canvas *canvas;
    struct area grid, answers; /* the first row of each is its heading */
    struct lens_area shown;    /* what the grid has room for, the cursor among it */
    int pitch;                 /* rows of a layer */
    int begins[CANVAS_MAX];    /* of each column shown, and of the next */
    bool beside;               /* the answers stand beside the grid, not below */
    bool masked;               /* some token is */
};

/* Columns that a token needs, with its brackets and the gap behind it: those of its label or of the
 * widest of its pieces, and at least as many as a short piece or a number takes. */
int words_columns(const struct words_sheet *sheet, size_t token);

/* Brackets around a cell of one row. */
void words_bracket(struct canvas *canvas, struct area cell, struct style style);

/* The model's likeliest answers at the chosen token and, where the cursor is on the row of another
 * layer, that one's; how likely the piece is that stands there, and how sure the layer is. */
void words_draw_answers(const struct words_sheet *sheet);

/* Whether the model says of each token if it was replaced; and how probable that is of each, in the
 * grid, beside a list of all of them, the likeliest first. */
bool words_tell_replaced(const struct scene *scene);
void words_draw_replaced(struct words_sheet *sheet);

/* The view on a projector (words_stage.c). */
enum status words_stage(const struct scene *scene, struct canvas *canvas, struct area area,
                        struct error *error);

#endif
