/* map.h: the maps shown as lines, heat maps and thumbnails: for each layer a matrix of numbers from
 * tokens to tokens, per head or for all heads. Attention weights are one kind; the others are
 * computed from a trace's tensors.
 *
 *     struct map_source source = {.model = model, .trace = trace};
 *     struct map *map;
 *     if (map_new(&source, MAP_NORMS, NULL, &map, &error) == STATUS_OK)
 *         map->values[layer][(head * map->rows + from) * map->columns + to] …;
 *     free(map); */
#pragma once

#include "headlight/model/model.h"

/* w are the weights of a head, W̄ the mean of a layer's heads, x the input vectors of a layer's
 * attention (after LayerNorm, if that comes first), h the output vectors of the layer, I the
 * identity.
 *
 *     weights     softmax(q·k/√D)                        Vaswani et al. 2017, section 3.2
 *     scores      the input of softmax: q·k/√D, or as    the same
 *                 modified by a family or a change
 *                 (relative positions, another
 *                 divisor)
 *     norms       ‖w[i][j]·f(x[j])‖                      Kobayashi et al. 2020, section 3
 *                 f(x) = (x·W_v + b_v)·W_o
 *     rollout     R[l] = ½(W̄[l] + I)·R[l-1], R[-1] = I   Abnar and Zuidema 2020, section 3
 *     similarity  h[i]·h[j] / (‖h[i]‖·‖h[j]‖)            Ethayarajh 2019, section 3
 *     plain       softmax(x[i]·x[j]/√H) over j:
 *                 attention without projections
 *     difference  w minus those of an earlier trace of
 *                 the same tokens, or those of a later
 *                 one minus w
 *     votes       r[c]·(s[i][j] - s[i]·s[j]/s)           Rao et al. 2021, section 3.2:
 *                 s[i][j] = w[i][j] + w[j][i],           EsmContactPredictionHead in
 *                 s[i] its sum over j and s over both    modeling_esm.py
 *     contacts    sigmoid(votes of all heads + b)        the same
 *
 * The last two are of models that bring a regression r, b on the heads c of all layers: ESM's. The
 * first and the last token of a text have none, nor has a letter with itself, and the separators'
 * weights count as 0.
 *
 * A row of the table: code, name; of what attention it is defined (model/site.h); whether there is
 * one per head, it is signed, it is drawn unchanged from 0 to 1 (else relative to the layer's
 * largest), a row's numbers are shares (a word's number is the sum over its pieces, and the rest
 * may be rescaled when special tokens are hidden); what its pairs are; meaning; and what its
 * numbers are, between two tokens: "score" "of" the one "for" the other. */
#define MAPS(MAP)                                                                                  \
    MAP(WEIGHTS, weights, AXES_ANY, true, false, true, true, PAIRS_DIRECTED,                       \
        "how much a token attends to another", "weight", "of", "for")                              \
    MAP(SCORES, scores, AXES_ANY, true, true, false, false, PAIRS_DIRECTED,                        \
        "q·k, as softmax takes it", "score", "of", "for")                                          \
    MAP(NORMS, norms, AXES_ANY, true, false, false, true, PAIRS_DIRECTED,                          \
        "how long the vector is that a token adds", "length added", "to", "from")                  \
    MAP(ROLLOUT, rollout, AXES_SELF, false, false, true, true, PAIRS_DIRECTED,                     \
        "what a token is made of, up to this layer", "share", "of", "taken from")                  \
    MAP(SIMILARITY, similarity, AXES_SELF, false, true, true, false, PAIRS_SYMMETRIC,              \
        "cosine of two tokens' vectors", "cosine", "of", "with")                                   \
    MAP(PLAIN, plain, AXES_SELF, false, false, true, true, PAIRS_DIRECTED,                         \
        "softmax(x·x/√H): attention without heads", "plain attention", "of", "to")                 \
    MAP(DIFFERENCE, difference, AXES_ANY, true, true, true, true, PAIRS_DIRECTED,                  \
        "weights − those before", "difference in attention", "from", "to")                         \
    MAP(CONTACTS, contacts, AXES_ONE_TEXT, false, false, true, false, PAIRS_OF_LETTERS,            \
        "how probably two letters touch, by all heads", "probability", "of", "touching")           \
    MAP(VOTES, votes, AXES_ONE_TEXT, true, true, false, false, PAIRS_OF_LETTERS,                   \
        "what a head says for a contact", "vote", "for", "with")

/* From one token to another, or the same both ways: then each is listed once, and none of a token
 * with itself. A letter of a protein has no number with itself at all, and a special token none
 * with any; its near neighbours in the chain touch it anyway, so models are trained on pairs that
 * are at least LETTERS_APART tokens apart (Rao et al. 2021). */
enum pairs { PAIRS_DIRECTED, PAIRS_SYMMETRIC, PAIRS_OF_LETTERS };
#define LETTERS_APART 6

enum map_kind {
#define MAP(code, ...) MAP_##code,
    MAPS(MAP)
#undef MAP
        MAP_COUNT
};

/* A row of the table. */
struct map_info {
    const char *name, *meaning, *number, *of, *with;
    enum axes axes;
    bool by_head, is_signed, absolute, shares;
    enum pairs pairs;
};

extern const struct map_info map_infos[MAP_COUNT];

/* What a map is computed from. */
struct map_source {
    const struct model *model; /* the trace's model; NULL for a recording */
    const struct trace *trace;
    const struct trace *other; /* for a difference, or NULL */
    bool other_is_later;       /* from which this one is subtracted, instead of the reverse */
};

/* Layers are in the map's own memory, or in the trace's. */
struct map {
    enum map_kind kind;
    const struct trace *trace, *other; /* its source */
    size_t layers, heads;              /* L; A, or 1 if not per head */
    size_t rows, columns;              /* T S */
    const float **values;              /* [L] of [heads,T,S]; a masked score is minus infinity */
    float *largest;                    /* [L] the magnitude that is drawn as 1 */
    float *owned;
};

/* Whether there is such a map of models like this one: contacts are few models'. NULL: of a
 * recording. */
bool map_is_of_model(const struct model *model, enum map_kind kind);

/* STATUS_UNSUPPORTED if such a map can't be computed from this source: a recording lacks tensors,
 * or the numbers of tokens differ. */
enum status map_check(const struct map_source *source, enum map_kind kind, struct error *error);

/* The approximate number of multiply-adds. */
double map_cost(const struct trace *trace, enum map_kind kind);

/* `largest` is at least the smallest positive float. The watch, which may be NULL, is called for
 * each layer. The trace must outlive the map. Errors of map_check, STATUS_MEMORY, STATUS_CANCELLED.
 * Free with free(). */
enum status map_new(const struct map_source *source, enum map_kind kind, const struct watch *watch,
                    struct map **map, struct error *error);
