/* cosine.h: the cosine between a word's vectors in two places: in two texts, in two networks, or
 * twice in one text.
 *
 *     struct occurrence a = {first, {2, 3}}, b = {second, {2, 3}};
 *     cosine_at(&a, &b, 0)                          of the embeddings
 *     cosine_at(&a, &b, 1 + layer)                  of a layer's outputs
 *     cosine_of_last(&a, &b, COSINE_SUM)            of the sums of the last four layers
 *
 * A word of several pieces has their mean. Sums are in double precision. A cosine is NaN if it
 * is undefined: vectors of different sizes, a vector not recorded, or one of zeros. */
#pragma once

#include "headlight/model/trace.h"

/* A word in a text: at least one of the trace's tokens. */
struct occurrence {
    const struct trace *trace;
    struct token_range pieces;
};

/* Whether both have vectors of the same size H, without which no cosine is defined. */
bool cosine_is_defined(const struct occurrence *a, const struct occurrence *b);

/* The number of levels: the embedding and the layers that both have. */
size_t cosine_levels(const struct occurrence *a, const struct occurrence *b);

/* Of the vectors at one level, or at two. */
double cosine_at(const struct occurrence *a, const struct occurrence *b, size_t level);

double cosine_between(const struct occurrence *a, size_t level_of_a, const struct occurrence *b,
                      size_t level_of_b);

/* Vectors from the last layers, as in Devlin et al. 2019, section 5.3: the last layer, the sum of
 * the last four, and their concatenation. */
enum cosine_kind {
    COSINE_LAST,
    COSINE_SUM,
    COSINE_CONCATENATION,
    COSINE_KINDS,
};

/* Each trace's own last layers. */
double cosine_of_last(const struct occurrence *a, const struct occurrence *b,
                      enum cosine_kind kind);

/* The number of layers in the sum and the concatenation: four, or as many as both have. */
size_t cosine_last_layers(const struct occurrence *a, const struct occurrence *b);
