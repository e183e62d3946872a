/* pack.h: tokens arranged so that a processor's vector holds one number of several tokens: the
 * layout that tiles read (see kernels.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Panels [tokens/width, inputs, width]: input k of token t is numbers[(t/width·inputs + k)·width +
 * t%width], where the width is that of the processor's vectors, or 1 of a single token. Tokens of a
 * short text lie in runs, [tokens/8, inputs/PACK_RUN, 8, PACK_RUN], as a vector takes several
 * inputs of one token: input k of token t is numbers[((t/8·⌈inputs/PACK_RUN⌉ + k/PACK_RUN)·8 +
 * t%8)·PACK_RUN + k%PACK_RUN]. What belongs to no token or to no input holds anything. */
struct packed {
    float *numbers;
    size_t tokens, inputs, width;
    bool runs;
};

#define PACK_RUN 16

/* In the caller's memory of pack_size floats; in runs if `runs` is set and the kernels know
 * them. */
struct packed pack_in(float *numbers, size_t tokens, size_t inputs, bool runs);

/* Tokens are packed in multiples of this number. Where different threads pack so many of them that
 * a cache line of a panel belongs to one, none waits for another's. */
#define PACK_TOKENS 4
#define PACK_LINE   16

/* Floats needed for packed tokens on any processor. */
size_t pack_size(size_t tokens, size_t inputs);

/* Packs x [count,inputs], rows with a stride, as the tokens from `first` on; it and `count` are
 * multiples of PACK_TOKENS, except for the last tokens. */
void pack_put(const struct packed *packed, const float *x, size_t stride, size_t first,
              size_t count);

/* The start of an input's numbers in a panel; in runs, of its first token's. */
float *pack_at(const struct packed *packed, size_t panel, size_t input);

/* to[c·to_stride + r] = from[r·from_stride + c] for rows r and columns c. The two don't overlap. */
void transpose(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
               size_t to_stride);
