/* words.h: what a model says about a text, as the words view lists it: the likeliest pieces of a
 * layer at a token; and what all views of answers share. */
#pragma once

#include "headlight/view/answers.h"

/* What a layer says at a token; NULL before it is read. */
const struct lens_cell *words_cell(const struct scene *scene, size_t layer, size_t token);

/* One of a cell's answers where so many are listed, the likeliest first. What was likeliest before
 * a change is always among them: it takes the last place where it is less likely now. */
struct words_answer {
    int32_t id;
    double now, before; /* probabilities; NaN: nothing was changed */
    bool led, apart;    /* it was likeliest before; others lie between it and the place above */
};

struct words_answer words_answer(const struct lens_cell *cell, size_t place, size_t listed);

/* Whether the model was never trained to say a word there: those that guess masked ones weren't at
 * the tokens that frame a text. */
bool words_untrained(const struct scene *scene, size_t token);
#define WORDS_UNTRAINED "never trained to say words"

/* Whether the model is asked which word is behind a mask there. */
bool words_is_masked(const struct data *data, size_t token);

/* The first such token; NO_TOKEN: there is none. */
size_t words_masked(const struct data *data);

/* The token after which a text's model is asked for a word, unless somebody chooses another; of an
 * encoder–decoder a token of the target, where look->asked is one. */
size_t words_asked(const struct look *look, const struct data *data);
struct token_name words_asked_name(const struct scene *scene, size_t asked, bool ascii);

/* A piece of the vocabulary; where tags are shown, a label, which is anybody's as pieces are. */
const char *words_piece(const struct scene *scene, int32_t id);

/* Whether the layers say tags, not words. */
bool words_are_tags(const struct scene *scene);

/* The view as it is drawn. */
struct words_sheet {
    const struct scene *scene;
    struct canvas *canvas;
    struct area grid, answers; /* the first row of each is its heading */
    struct token_range tokens; /* those that have columns, */
    struct lens_area shown;    /* and what the grid has room for, the cursor among it */
    size_t layer;              /* under the cursor; NO_TOKEN: a figure has none, nor is there
                                  anything beside the grid */
    int pitch;                 /* rows of a layer */
    int begins[CANVAS_MAX];    /* of each column shown, and of the next */
    bool beside;               /* the answers stand beside the grid, not below */
    int effects;               /* so many rows below the tokens are of words' effects */
    bool apart;                /* the model's row is higher by one than those below */
    const struct strip
        *strip; /* what lines of text have below their tokens; NULL: there are none */
};

/* A row of a list: a name, how probable it is, and was before; the bar of `most` is whole. */
struct words_row {
    const char *name;
    int columns;              /* of the name; 0: as of a piece */
    double probability, most; /* or a score: below 0 the bar has the other colour */
    double before;            /* NaN: not known; its bar is pale */
    bool centred;             /* 0 is in the middle of the bar's room */
    bool chosen, faint;
    bool led, apart; /* as of struct words_answer */
    struct hit hit;
};

/* From left to right: name, number, number before the change, bar. */
void words_draw_row(struct canvas *canvas, struct area area, const struct words_row *row);

/* The next of 1, 2, 5, 10, 20 … that is no less: what a whole bar stands for. */
double words_whole(double most);

/* ---- Text in lines, with numbers below its tokens (strip.c) ---- */

struct strip {
    const char *title; /* of the row above */
    enum side side;    /* whose tokens they are */
    size_t rows;       /* of numbers: up to 4 */
    const char *names[4];
    double (*number)(const struct scene *scene, const void *context, size_t row,
                     size_t token); /* NaN: there is none */
    const void *context;
    size_t shares;  /* of these rows, the first, which are 0 … 1; the others have signs, */
    double most;    /* and are at most this */
    bool sparse;    /* a share that rounds to 0 isn't written */
    size_t effects; /* so many of the last rows are of the words: words_effect */
    struct token_range marked;
};

/* Draws it at the top of a view, in as many rows as it needs and at most `rows`, but 2; below its
 * shares stand the words' effects, where they are known. Returns what is left below it. */
struct area strip_above(struct strip *strip, const struct scene *scene, struct canvas *canvas,
                        struct area area, int rows);

/* What the answer's log-probability loses or gains without the word of a token, in row 0, and in
 * row 1 without the paired one too; NaN: not known. The largest of all effects, and in words what
 * they are of. */
double words_effect(const struct scene *scene, size_t row, size_t token);
double words_largest_effect(const struct scene *scene);
void words_write_effects(const struct scene *scene, struct pen *pen);

/* A token of the word whose pairs with all others are asked for: the attended one or, where the
 * answer is of the whole text, the attending one; NO_TOKEN: none. Rows of effects: two while there
 * is one, also before its pairs are measured, so that nothing moves when they are. */
size_t words_paired(const struct look *look, const struct data *data, enum model_output output);
size_t words_effect_rows(const struct scene *scene);
extern const char *const words_effect_names[2];

/* Numbers of a row of effects, in a cell below its token; at the paired word itself, "with". */
void words_draw_effect(const struct scene *scene, struct canvas *canvas, struct area cell,
                       size_t row, size_t token, double most);

/* Columns that a token needs, with its brackets and the gap behind it: those of its label or of the
 * widest of its pieces, and at least as many as a short piece or a number takes. */
int words_columns(const struct words_sheet *sheet, size_t token);

/* Brackets around a cell of one row. */
void words_bracket(struct canvas *canvas, struct area cell, struct style style);

/* The model's likeliest answers at the chosen token and, where the cursor is on the row of another
 * layer, that one's; how likely the piece is that stands there, and how sure the layer is. */
void words_draw_answers(const struct words_sheet *sheet);

/* ---- What the views of all answers share ---- */

/* Keys: the cursor's token and layer, and the answer chosen in the list. */
enum acted words_act(struct scene *scene, enum action action, struct error *error);

/* The keys where answers are labels. */
const char *words_hints_of_labels(const struct scene *scene);
