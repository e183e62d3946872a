/* product.h: the matrix products of a forward pass.
 *
 * A checkpoint's weights are [outputs,inputs], an output's inputs one after another. They are read
 * where they lie: it is the tokens that are put beside each other, so that a processor's vector
 * holds one number of several tokens. That form is called panels; it is made once for all the
 * outputs, and what the feed-forward block's first half puts out is panels already.
 *
 * Which order the numbers are added in depends on the processor alone: one member or many compute
 * the same bits. */
#ifndef HEADLIGHT_MODEL_PRODUCT_H
#define HEADLIGHT_MODEL_PRODUCT_H

#include "headlight/model/config.h"
#include "headlight/model/crew.h"
#include "headlight/model/panels.h"
#include "headlight/model/weights.h"

#include <stddef.h>

/* For all members: y = x·weightᵀ + bias of each part, all with the same number of outputs, beside
 * each other in the rows of y [tokens, parts·outputs], which have a stride. When it returns, the
 * whole is there. */
void product_linear(const struct member *member, const struct panels *x, const struct linear *parts,
                    size_t part_count, size_t outputs, float *y, size_t y_stride);

/* For all members: y = f(x·weightᵀ + bias); y's inputs are the outputs. */
void product_activated(const struct member *member, const struct panels *x,
                       const struct linear *linear, enum activation activation,
                       const struct panels *y);

/* For one member: out = rows·panels, which are not paired, for rows [count,inputs] with a stride
 * and out [count,tokens] with a stride. */
void product_panels(const float *rows, size_t row_stride, size_t count, const struct panels *panels,
                    float *out, size_t out_stride);

/* For one member: out = rows·columns, for rows [count,inputs], columns [inputs,width] and out
 * [count,width], each with a stride. What lies within a vector behind a row of `columns` is read
 * too, to no effect. */
void product_columns(const float *rows, size_t row_stride, size_t count, size_t inputs,
                     const float *columns, size_t column_stride, size_t width, float *out,
                     size_t out_stride);

#endif
