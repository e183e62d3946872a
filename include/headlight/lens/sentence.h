/* lens/sentence.h: how alike two sentences are, each read by itself, and which of their tokens make
 * them so. */
#pragma once

#include "headlight/model/encoded.h"

/* Two sentences, each with a trace of its own. */
struct sentence_pair {
    struct encoded *encoded[2];
    double value;  /* the model's similarity of both */
    double before; /* the same in the network as it was trained; NaN: it is not changed */
    const char *why_no_parts; /* why the parts are not known; NULL: they are */
    double *parts[2];         /* [T] of each: what a token adds to the value */
    double rest[2];           /* and a bias, which is no token's; together they are the value */
};

/* Measures two traces that are computed and have sentence embeddings; the parts need room. */
void sentence_compare(const struct sentence_model *sentence, struct sentence_pair *pair);

/* The value alone. */
double sentence_value(const struct sentence_model *sentence, const struct trace *a,
                      const struct trace *b);

/* Where a token of the pair stands in its sentence, read by itself: what stands before the first
 * sentence stands before both, and behind each the last token of its own. NO_TOKEN: it is of the
 * other one, or was cut off. */
size_t sentence_index(const struct encoding *pair, const struct encoding *alone, enum side side,
                      size_t token);

/* Accepts NULL. */
void sentence_pair_free(void *pair);
