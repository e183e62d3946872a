/* transpose.h: to[c·to_stride + r] = from[r·from_stride + c] for rows r and columns c, in squares
 * of four by four. The two don't overlap. */
#ifndef HEADLIGHT_TENSOR_TRANSPOSE_H
#define HEADLIGHT_TENSOR_TRANSPOSE_H

#include <stddef.h>

void transpose(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
               size_t to_stride);

/* The same for pairs of numbers: to[c·to_stride + 2·r … + 1] = from[r·from_stride + 2·c … + 1]. */
void transpose_pairs(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
                     size_t to_stride);

#endif
