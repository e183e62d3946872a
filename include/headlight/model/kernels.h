/* kernels.h: the arithmetic of the forward pass. Only kernels.c knows a BLAS.
 *
 * Matrices are row-major. A `stride` is the distance between two rows, in numbers; where there is
 * none, rows follow each other. No size may be above INT_MAX, which every configuration keeps. */
#ifndef HEADLIGHT_MODEL_KERNELS_H
#define HEADLIGHT_MODEL_KERNELS_H

#include "headlight/model/config.h"

#include <stdbool.h>
#include <stddef.h>

/* y = x·weightᵀ + bias, for x [rows,inputs], weight [outputs,inputs], bias [outputs] and y
 * [rows,outputs] with a stride. */
void kernels_linear(const float *x, size_t rows, size_t inputs, const float *weight,
                    const float *bias, size_t outputs, float *y, size_t y_stride);

/* scores = scale·query·keyᵀ, for query and key [T,D] with a stride and scores [T,T]. */
void kernels_scores(const float *query, const float *key, size_t stride, size_t tokens,
                    size_t dimensions, float scale, float *scores);

/* context = weights·value, for weights [T,T] and value and context [T,D], each with a stride. */
void kernels_context(const float *weights, const float *value, size_t value_stride, size_t tokens,
                     size_t dimensions, float *context, size_t context_stride);

/* Each row of scores [rows,columns] becomes a distribution, in weights of that shape. A score of
 * -inf becomes 0; a row needs one that is not. */
void kernels_softmax(const float *scores, size_t rows, size_t columns, float *weights);

/* y = (x - mean)/√(variance + epsilon)·weight + bias for each row of x [rows,columns]. y may be x.
 */
void kernels_layer_norm(const float *x, size_t rows, size_t columns, const float *weight,
                        const float *bias, float epsilon, float *y);

/* y += x, for `count` numbers. */
void kernels_add(const float *x, size_t count, float *y);

/* x = f(x), for `count` numbers. */
void kernels_activate(enum activation activation, float *x, size_t count);
void kernels_tanh(float *x, size_t count);

/* Sets the number of threads of the BLAS; false when this BLAS offers no way to. */
bool kernels_set_threads(int threads);

/* The BLAS in words ("OpenBLAS 0.3.21 … Haswell", or "a CBLAS"); static storage. */
const char *kernels_blas(void);

#endif
