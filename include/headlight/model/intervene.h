/* intervene.h: changes of the network for one forward pass. All zero is the network as it was
 * trained; changes can be combined freely. Plain values without pointers: copied by assignment.
 *
 *     struct interventions changes = {.causal = true, .temperature = 0.5};
 *     interventions_add_heads(changes.off, "off", "0.1,2.3", &stacks, &error)
 *     interventions_cut(&changes, (struct cut){.layer = 1, .head = 2, .from = 4, .to = 3}, &error)
 */
#pragma once

#include "headlight/model/config.h"
#include "headlight/model/site.h"

#define INTERVENE_LAYERS_MAX CONFIG_LAYERS_MAX
#define INTERVENE_HIDDEN_MAX 64
#define INTERVENE_CUTS_MAX   64

/* The layers of an encoder–decoder are numbered through its sites, in masks and cuts: those of the
 * encoder, of the decoder, and the decoder's once more for their attention to the encoder. Tokens
 * of the decoder's text that are hidden have this added to their index. */
#define INTERVENE_DECODER ((uint32_t)1 << 31)

/* What the stacks have: the one there is, or the encoder, and the decoder, or 0. A head's name:
 * "3.1", of an encoder–decoder that of its encoder, "d3.1" of its decoder, and "x3.1" of the
 * decoder's attention to the encoder. */
struct intervene_stacks {
    size_t layers[2], heads[2];
};

struct intervene_name {
    char text[32];
};

struct intervene_name interventions_name(const struct intervene_stacks *stacks, size_t layer,
                                         size_t head);

/* The site that such a name is of, by its letter, or a layer as it is numbered; and the number of
 * its first layer. */
enum site interventions_site(const char *name);
enum site interventions_site_of(const struct intervene_stacks *stacks, size_t layer);
size_t interventions_first(const struct intervene_stacks *stacks, enum site site);

/* Beyond these limits rows of weights are one-hot or uniform anyway. */
#define INTERVENE_TEMPERATURE_MIN 0.001
#define INTERVENE_TEMPERATURE_MAX 1000.0

/* One choice rather than two switches: the later of two wins. It covers whatever tells a
 * family's positions: rows of a table, rotated queries and keys, what distances add to scores.
 * Masks of decoders and of sliding-window layers stay, and so does a convolution. */
enum positions {
    POSITIONS_LEARNT,
    POSITIONS_NONE,
    POSITIONS_SINUSOIDAL, /* Vaswani et al. 2017, 3.5, instead of the learnt ones */
};

/* One connection: in this head, from this token to that one. */
struct cut {
    uint32_t layer, head, from, to;
};

/* A hidden token and a cut connection have the score -inf before softmax, and so the weight 0. A
 * row with nothing left to attend to has weights of zero and adds nothing. Tokens past the end
 * of a text have no effect. */
struct interventions {
    bool unscaled;    /* scores are q·k, without the division by √D */
    bool causal;      /* a token attends to itself and to tokens before it; other scores are -inf */
    bool no_segments; /* embeddings without segment embeddings */
    enum positions positions;
    double temperature; /* divides the scores; 0 stands for 1 */

    /* Bit h of off[l]: head h of layer l gives a zero context; of uniform[l]: its weights are
     * equal over the tokens that it may attend to, and its scores are unchanged. */
    head_mask off[INTERVENE_LAYERS_MAX], uniform[INTERVENE_LAYERS_MAX];

    /* Both sorted, without duplicates, and zero behind their ends. */
    uint32_t hidden_count, cut_count;
    uint32_t hidden[INTERVENE_HIDDEN_MAX]; /* tokens hidden from all others */
    struct cut cuts[INTERVENE_CUTS_MAX];
};

/* Whether the network is changed at all; NULL means no change. */
bool interventions_any(const struct interventions *changes);

/* The divisor of scores besides √D. */
double interventions_temperature(const struct interventions *changes);

/* Whether a token is hidden from all. */
bool interventions_is_hidden(const struct interventions *changes, size_t token);

/* Whether a connection is cut. */
bool interventions_is_cut(const struct interventions *changes, struct cut cut);

/* The *count cuts of one row of one head. */
const struct cut *interventions_cuts(const struct interventions *changes, size_t layer, size_t head,
                                     size_t from, size_t *count);

/* Size of what interventions_describe writes, with the NUL: it fits into 80 columns. */
#define INTERVENE_WORDS 41

/* In words: "changed: causal 2 heads off temperature 0.5 +3", where +3 counts those that don't
 * fit. */
void interventions_describe(const struct interventions *changes, char text[INTERVENE_WORDS]);

/* In words that say all of it, each after ", ": "causal, temperature 0.5, off 1.2,3.3"; but for
 * hidden tokens and cuts, which are of one text. */
void interventions_write(const struct interventions *changes, const struct intervene_stacks *stacks,
                         FILE *stream);

/* "head 1.2" or "heads 1.2, 1.3 and 4.0" of the masks of all layers, and "12 heads" of more than a
 * few. Returns how many there are. */
size_t interventions_name_heads(const head_mask masks[INTERVENE_LAYERS_MAX],
                                const struct intervene_stacks *stacks, char *text, size_t size);

/* Those that mean the same in any text: without hidden tokens and cuts. */
struct interventions interventions_of_all(const struct interventions *changes);

/* The first layer in which the two differ, of so many from `first` on and counted from there;
 * `layers` if they are equal in all of these. */
size_t interventions_first_difference(const struct interventions *a, const struct interventions *b,
                                      size_t first, size_t layers);

/* Adds the heads of a list such as "0.1,2.3" (layer.head, both from 0) to `off` or `uniform`;
 * `what` names their option. STATUS_USAGE for a malformed list or a head that the model lacks; the
 * masks are then unchanged. */
enum status interventions_add_heads(head_mask masks[INTERVENE_LAYERS_MAX], const char *what,
                                    const char *list, const struct intervene_stacks *stacks,
                                    struct error *error);

/* Adds a token or a connection unless it is there already. STATUS_LIMIT when there are
 * INTERVENE_HIDDEN_MAX or INTERVENE_CUTS_MAX; *changes is then unchanged. */
enum status interventions_hide(struct interventions *changes, uint32_t token, struct error *error);
enum status interventions_cut(struct interventions *changes, struct cut cut, struct error *error);

/* Removes a token or a connection if it is there. */
void interventions_unhide(struct interventions *changes, uint32_t token);
void interventions_join(struct interventions *changes, struct cut cut);
