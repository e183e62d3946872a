/* steps_sheet.h: a steps view while it is drawn: where its parts stand, and the parts. Left to
 * right, as far as there is room:
 *
 *     ▸ name   formula   band, or numbers with their names   note
 *
 * below each other the tokens, the stages, the arithmetic of one number, the legend. */
#pragma once

#include "headlight/view/scene.h"

#define STEPS_NAME_COLUMNS 12
#define STEPS_RANKED       40

struct steps_sheet {
    const struct scene *scene;
    struct canvas *canvas;
    struct steps *steps;
    enum stage stage; /* under the cursor */
    size_t number;    /* in it; where none is chosen, the most telling one */
    bool inside;      /* one is chosen */
    bool framed;      /* a heading above the tokens, and blank rows */

    struct area area, stages, arithmetic;
    int name_x, formula_x, formula_width;
    int body_x, body_width;        /* of bands */
    int note_x, note_width;        /* 0: no room; numbers with their names take it too */
    int item_columns[STAGE_COUNT]; /* of a number with its name; 0: they have none */

    /* Of all that the model may say the likeliest, or those around the cursor. */
    size_t ranked[STEPS_RANKED], ranked_count;

    /* In rows of the whole list, of which `stages` shows those from `scroll` on. rows is 0 for a
     * stage that this layer has not. */
    int top[STAGE_COUNT], rows[STAGE_COUNT], total, scroll;
};

/* ---- What is shown ---- */

/* What the steps are of: the chosen token in the layer and head of the look. */
struct steps_at steps_place(const struct scene *scene);

/* The stage under the cursor: the next that this layer has. */
enum stage steps_stage(const struct scene *scene);

/* Whether a layer has the stage; a recording may still lack its numbers. */
bool steps_has(const struct steps_at *at, enum stage stage);

/* How a stage's numbers are shown. */
struct stage_shown {
    float unit;       /* of its band; 0 stands for 1 */
    bool listed;      /* each with its name: one a token, a head, or an answer */
    bool activation;  /* ranked by value: an activation keeps little of what is below 0 */
    bool answers;     /* one for each thing that the model may say; ranked by value, too */
    bool hidden;      /* a hidden vector, or what is added to one */
    bool score;       /* a softmax is made of it, or of what is made of it; ranked by value, too */
    const char *word; /* for one of them, where it is of a pair of tokens or of an answer */
};

extern const struct stage_shown steps_shown[STAGE_COUNT];

/* Whether number a of a stage comes before b, by magnitude or by value; equal numbers by place. */
bool steps_comes_before(const struct steps *steps, enum stage stage, size_t a, size_t b);

/* The number of a stage that ranks above all others from `first` to end-1, and the most telling
 * one: that of the heaviest weight, the chosen answer's, else the largest. */
size_t steps_largest(const struct steps *steps, enum stage stage, size_t first, size_t end);
size_t steps_most_telling(const struct steps *steps, enum stage stage);

/* ---- Where it stands (steps_layout.c) ---- */

struct steps_sheet steps_lay_out(const struct scene *scene, struct canvas *canvas,
                                 struct steps *steps, struct area area);

/* How many numbers with their names fit into a row. */
int steps_items_per_row(const struct steps_sheet *sheet, enum stage stage);

/* ---- Names and numbers ---- */

/* A number with its sign, in three digits or so. */
struct weight_text steps_number(double value);

/* Writes untrusted text, such as a token: guards against a leading combining mark, which would join
 * the character before it. */
void steps_print_name(struct pen *pen, struct style style, const char *name);

/* "Σ ", which has no automatic replacement in ASCII. */
const char *steps_sigma(const struct steps_sheet *sheet);

/* The same for a number that is listed with its name. */
struct weight_text steps_item_number(enum stage stage, double value);

/* A token that is attended to, with its place where there are several of the name. */
struct token_name steps_token(const struct steps_sheet *sheet, size_t token);

/* A token's name, a head's, or that of an answer. */
struct token_name steps_item_name(const struct steps_sheet *sheet, enum stage stage, size_t i);

/* Where a summand of the number at work comes from: "i 17", "dim 11", "head 2[5]", a token. */
void steps_write_source(const struct steps_sheet *sheet, size_t index, char *text, size_t size);

/* The formula of a stage as the network computed it, with the changes made to the network. */
#define STEPS_FORMULA 64
void steps_write_formula(const struct steps_sheet *sheet, enum stage stage,
                         char text[STEPS_FORMULA]);

/* What an operation's activation is called there: "GELU". */
const char *steps_activation(const struct operation *operation);
const char *steps_norm(const struct operation *operation);

/* ---- Drawing (steps_stage.c, steps_explain.c) ---- */

void steps_draw_stage(const struct steps_sheet *sheet, enum stage stage);
void steps_draw_arithmetic(const struct steps_sheet *sheet);
