/* matmul.h: the matrix products of a forward pass.
 *
 * A checkpoint's weights are [outputs,inputs], an output's inputs one after another. They are read
 * where they lie: it is the tokens that are packed (pack.h), once for all the outputs, and what the
 * feed-forward block's first half puts out is packed already.
 *
 * The order in which numbers are added depends neither on the processor nor on how many threads
 * there are (kernels.h), only on whether the tokens lie in runs: those of short texts do. */
#pragma once

#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matrix.h"
#include "headlight/tensor/pack.h"
#include "headlight/tensor/thread_pool.h"

/* y = x·weightᵀ + bias */
struct linear {
    struct matrix weight; /* [outputs,inputs] */
    const float *bias;    /* [outputs] */
};

/* For all threads: y = x·weightᵀ + bias of each part, all with the same number of outputs, side
 * by side in the rows of y [tokens, parts·outputs], which have a stride. On return all of y is
 * complete. */
void matmul_linear(const struct pool_thread *thread, const struct packed *x,
                   const struct linear *parts, size_t part_count, size_t outputs, float *y,
                   size_t y_stride);

/* For all threads: y = f(x·weightᵀ + bias); y's inputs are the outputs. */
void matmul_activated(const struct pool_thread *thread, const struct packed *x,
                      const struct linear *linear, enum activation activation,
                      const struct packed *y);

/* For one thread: out = rows·packed (not in runs), for rows [count,inputs] with a stride and out
 * [count,tokens] with a stride. */
void matmul_packed(const float *rows, size_t row_stride, size_t count, const struct packed *packed,
                   float *out, size_t out_stride);

/* For one thread: out = rows·columns, for rows [count,inputs], columns [inputs,width] and out
 * [count,width], each with a stride. Numbers behind a row of `columns`, up to a whole vector,
 * are read but not used. */
void matmul_columns(const float *rows, size_t row_stride, size_t count, size_t inputs,
                    const float *columns, size_t column_stride, size_t width, float *out,
                    size_t out_stride);
