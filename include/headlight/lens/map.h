/* map.h: what lines, heat maps and thumbnails show: for each layer a matrix of numbers from tokens
 * to tokens, one a head or one for all. Attention weights are the first of them; the others are
 * made of a trace's tensors.
 *
 *     struct map_source source = {.model = model, .trace = trace};
 *     struct token_range all = {0, trace->layers};
 *     struct map *map;
 *     if (map_new(&source, MAP_NORMS, all, NULL, NULL, &map, &error) == STATUS_OK)
 *         map_value(map, layer, head, from, to) …;
 *     map_free(map); */
#ifndef HEADLIGHT_LENS_MAP_H
#define HEADLIGHT_LENS_MAP_H

#include "headlight/base/watch.h"
#include "headlight/model/model.h"
#include "headlight/model/side.h"
#include "headlight/model/trace.h"

#include <math.h>

/* w are the weights of a head, W̄ the mean of a layer's heads, x the vectors that enter a layer's
 * attention (where LayerNorm comes before, what it makes of those that enter the layer), h those
 * that leave the layer, I the identity.
 *
 *     weights     softmax(q·k/√D)                        Vaswani et al. 2017, section 3.2
 *     scores      what softmax is taken of: q·k/√D,      the same
 *                 or what a family or a change makes
 *                 of it: with what distances add,
 *                 with another divisor
 *     norms       ‖w[i][j]·f(x[j])‖                      Kobayashi et al. 2020, section 3
 *                 f(x) = (x·W_v + b_v)·W_o
 *     rollout     R[l] = ½(W̄[l] + I)·R[l-1], R[-1] = I   Abnar and Zuidema 2020, section 3
 *     flow        the maximum flow from token i after    the same
 *                 layer l to token j before layer 0,
 *                 where connections hold ½(W̄ + I)
 *     similarity  h[i]·h[j] / (‖h[i]‖·‖h[j]‖)            Ethayarajh 2019, section 3
 *     plain       softmax(x[i]·x[j]/√H) over j:
 *                 attention without projections
 *     difference  w less those of another trace of
 *                 the same tokens
 *
 * A row of the table holds: code, name, whether there is one a head, whether it is signed, whether
 * it is drawn as it is, from 0 to 1, or relative to the largest of the layer, whether a row's
 * numbers are shares (what a row has of a word is the sum of what it has of its pieces, and without
 * the special tokens the rest may be divided by its sum), what it says. */
#define MAPS(MAP)                                                                                  \
    MAP(WEIGHTS, weights, true, false, true, true, "how much a token attends to another")          \
    MAP(SCORES, scores, true, true, false, false, "q·k, as softmax takes it")                      \
    MAP(NORMS, norms, true, false, false, true, "how long the vector is that a token adds")        \
    MAP(ROLLOUT, rollout, false, false, true, true, "what a token is made of, up to this layer")   \
    MAP(FLOW, flow, false, false, true, false, "what can reach a token, up to this layer")         \
    MAP(SIMILARITY, similarity, false, true, true, false, "cosine of two tokens' vectors")         \
    MAP(PLAIN, plain, false, false, true, true, "softmax(x·x/√H): attention without heads")        \
    MAP(DIFFERENCE, difference, true, true, true, true, "weights less those before")

enum map_kind {
#define MAP(code, ...) MAP_##code,
    MAPS(MAP)
#undef MAP
        MAP_COUNT
};

/* A row of the table. */
struct map_info {
    const char *name, *meaning;
    bool by_head, is_signed, absolute, shares;
};

const struct map_info *map_info(enum map_kind kind);

/* Flow is computed for each of T² pairs of tokens, through L·T² connections. */
#define MAP_FLOW_TOKENS 32

/* What a map is made of. */
struct map_source {
    const struct model *model; /* that computed the trace; NULL for a recording */
    const struct trace *trace;
    const struct trace *other; /* the one that a difference is to; NULL: there is none */
    bool is_crossed;           /* the attended tokens are another text, though perhaps as many */
};

/* The layers that are there lie in the map's own memory, or in the trace's. */
struct map {
    enum map_kind kind;
    const struct trace *trace, *other; /* that it was made of */
    size_t layers, heads;              /* L; A, or 1 where it is not one a head */
    size_t rows, columns;              /* T S */
    const float **values;              /* [L] of [heads,T,S]; NULL: this layer isn't there */
    float *largest;                    /* [L] the magnitude that is drawn as 1 */
    float *owned;
};

/* STATUS_UNSUPPORTED, with a sentence, where such a map can't be made of this source: tensors that
 * a recording doesn't have, another number of tokens, too many tokens. */
enum status map_check(const struct map_source *source, enum map_kind kind, struct error *error);

/* Multiply-adds, about, of the map of so many layers. */
double map_cost(const struct trace *trace, enum map_kind kind, size_t layers);

/* The map of some layers, with what `known`, a map of the same kind and trace, or NULL, already
 * has. What is drawn as 1 is at least the smallest positive float. The watch, which may be NULL, is
 * told of each layer, and within flow of pairs of tokens. The trace must outlive the map. Errors of
 * map_check, STATUS_MEMORY, STATUS_CANCELLED. Free with map_free. */
enum status map_new(const struct map_source *source, enum map_kind kind, struct token_range layers,
                    const struct map *known, const struct watch *watch, struct map **map,
                    struct error *error);

/* Accepts NULL. */
void map_free(struct map *map);

/* A number of a layer that is there. A masked score is minus infinity. */
static inline float map_value(const struct map *map, size_t layer, size_t head, size_t from,
                              size_t to)
{
    return map->values[layer][(head * map->rows + from) * map->columns + to];
}

/* The makers (map_made.c, map_flow.c): of one layer, [heads,T,S]. `before` is rollout's layer
 * before this one, or NULL for the first. STATUS_MEMORY, STATUS_CANCELLED. */
enum status map_make_norms(const struct map_source *source, size_t layer, float *out,
                           struct error *error);
enum status map_make_rollout(const struct map_source *source, size_t layer, const float *before,
                             float *out, struct error *error);
enum status map_make_flow(const struct map_source *source, size_t layer, const struct watch *watch,
                          float *out, struct error *error);
enum status map_make_similarity(const struct map_source *source, size_t layer, float *out,
                                struct error *error);
enum status map_make_plain(const struct map_source *source, size_t layer, float *out,
                           struct error *error);

/* What rollout and flow go through: a row of ½(W̄ + I), [T]. */
void map_connections(const struct trace *trace, size_t layer, size_t from, double *row);

#endif
