/* engine.h: every call of the bench into the model floor. */
#ifndef HEADLIGHT_BENCH_ENGINE_H
#define HEADLIGHT_BENCH_ENGINE_H

#include "headlight/session/session.h"

/* Both the engine's own and those of the BLAS. */
void engine_set_threads(size_t threads);

/* The BLAS, and the kind of processor that the engine's loops are for, in words; static storage. */
const char *engine_blas(void);
const char *engine_kernels(void);

/* y = x·weightᵀ + bias as the forward pass does it, for F32 x [rows,inputs], weight
 * [outputs,inputs], bias [outputs] and y [rows,outputs]. */
void engine_product(const float *x, size_t rows, size_t inputs, const float *weight,
                    const float *bias, size_t outputs, float *y);

/* The forward pass of a session's model into a encoded input's trace, with all that a trace holds.
 */
void engine_forward(const struct session *session, struct encoded *encoded);

#endif
