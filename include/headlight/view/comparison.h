/* comparison.h: what the compare view sets side by side, one of these at a time:
 *
 *     the same text in another model, where one was opened besides (--against), or in another
 *     recording
 *     the network before it was changed, and after
 *     two sentences, each by itself
 *     a word that stands twice in the one text there is
 *
 * and which word of both is looked at. Computed from the scene alone, without memory of its own. */
#pragma once

#include "headlight/lens/cosine.h"
#include "headlight/view/scene.h"

/* In the order in which they are tried. */
enum comparison_kind {
    COMPARISON_MODELS,
    COMPARISON_CHANGE,
    COMPARISON_TEXTS,
    COMPARISON_WORD,
};

/* Passes that are computed for a comparison alone: of two sentences each by itself, or of the text
 * in the other model, which stands on the right. */
struct compared {
    struct encoded *encoded[2]; /* its own; NULL on a side where what is shown serves */
    size_t *counterparts;       /* [T of the right side], see comparison_counterpart; NULL: both
                                   sides have the same tokens */
};

/* The counterparts of a right side's tokens, whose sides must be there: the same word at the same
 * place, counted in words, in as many pieces. NULL: all of them, and no other. STATUS_MEMORY. */
enum status compared_match(const struct token_side *left, const struct token_side *right,
                           size_t **counterparts, struct error *error);

/* Accepts NULL. */
void compared_free(void *compared);

/* What is to be compared; the data have a trace. */
enum comparison_kind comparison_kind(const struct data *data);

/* The trace that the one of a site can be compared with number by number: that of the other model
 * where there is one, else the one before a change. NULL: it is not known yet, or never. */
const struct trace *comparison_other(const struct data *data, enum site site);

/* Why that of the other model can't be: there is none, it has another shape, or it cuts this text
 * up into other tokens, which is only known once data->compared is there. `what` needs it. */
enum status comparison_check(const struct data *data, const char *what, struct error *error);

/* What maps are made of; the data have a text. */
struct map_source comparison_source(const struct data *data);

/* A comparison as it follows from a scene, whose data it borrows: valid as long as they are. */
struct comparison {
    enum comparison_kind kind;
    const struct encoded *encoded[2];
    const struct token_side *tokens[2];   /* T of each side, */
    const struct token_side *attended[2]; /* and S: other ones in recorded cross-attention */
    const struct trace *trace[2];         /* NULL: not known yet, or never; see data->uncompared */
    const size_t *counterparts;           /* NULL: both sides have the same tokens */
    size_t second; /* of two sentences: where B begins in the text shown; else 0 */
    bool framed;   /* and whether each begins with [CLS] */

    bool is_there[2];           /* whether the word is on that side: */
    struct token_range word[2]; /* the chosen token's or, if none is, the first that is on both */
};

/* Cheap enough for every frame; the data have a trace. */
struct comparison comparison_of(const struct scene *scene);

/* The token of a side that stands for a token of the text shown, or NO_TOKEN; and the other way
 * round. */
size_t comparison_place(const struct comparison *comparison, enum side side, size_t shown);
size_t comparison_shown(const struct comparison *comparison, enum side side, size_t token);

/* The left token that agrees with a right one, or NO_TOKEN. */
size_t comparison_counterpart(const struct comparison *comparison, size_t right);

/* The word on both sides. False where it is not on both, or a trace is not there. */
bool comparison_word(const struct comparison *comparison, struct occurrence words[2]);

/* The cosine of its vectors after so many layers of the left side; 0 are the embeddings. */
double comparison_cosine(const struct comparison *comparison, const struct occurrence words[2],
                         size_t level);

/* The head in which the word's row differs most between the sides, counted in thousandths; left as
 * it is where nothing does. False until both traces are there. */
bool comparison_most_different(const struct scene *scene, size_t *layer, size_t *head);

/* The number of a side's layers that stand for so many of the left side's: as many, or in a model
 * of another depth the same part of all, but one at least for one. */
size_t comparison_level(const struct comparison *comparison, enum side side, size_t level);

/* [T,S] of a head in the layer that stands for the left side's, or NULL where a side has no such
 * head, or no trace. */
const float *comparison_weights(const struct comparison *comparison, enum side side, size_t layer,
                                size_t head);
