/* pack.h: tokens put beside each other, so that a processor's vector holds one number of several
 * tokens: the form that products take their input in, and that tiles read (see kernels.h). */
#ifndef HEADLIGHT_TENSOR_PACK_H
#define HEADLIGHT_TENSOR_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* [tokens/width, inputs, width]: input k of token t is numbers[(t/width·inputs + k)·width +
 * t%width], where the width is that of the processor's vectors. Where the tokens fill no more than
 * half a vector, it holds two inputs of each, side by side: then the width is half as large, and
 * every pair of inputs lies [width,2]. Lanes past the last token hold anything. */
struct packed {
    float *numbers;
    size_t tokens, inputs, width;
    bool paired;
};

/* In memory of the caller's, as large as pack_size says; paired if they can be and `pairs`. */
struct packed pack_in(float *numbers, size_t tokens, size_t inputs, bool pairs);

/* Tokens are packed so many at a time, or by multiples of it. */
#define PACK_TOKENS 4

/* Floats that packed tokens take, whatever the processor. */
size_t pack_size(size_t tokens, size_t inputs);

/* Packs x [count,inputs], rows with a stride, as the tokens from `first` on; that and `count` are
 * multiples of PACK_TOKENS, or the tokens end there. */
void pack_put(const struct packed *packed, const float *x, size_t stride, size_t first,
              size_t count);

/* Where the numbers of a panel for some input begin; of paired ones, an even input. */
float *pack_at(const struct packed *packed, size_t panel, size_t input);

/* to[c·to_stride + r] = from[r·from_stride + c] for rows r and columns c. The two don't overlap. */
void transpose(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
               size_t to_stride);

/* The same for pairs of numbers: to[c·to_stride + 2·r … + 1] = from[r·from_stride + 2·c … + 1]. */
void transpose_pairs(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
                     size_t to_stride);

#endif
