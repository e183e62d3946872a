/* processor_blas.h: tiles multiplied by a BLAS, for a processor that we have no loops for: OpenBLAS
 * has them for many. The other loops are those of plain C. Only processor_blas.c knows a BLAS. */
#ifndef HEADLIGHT_MODEL_PROCESSOR_BLAS_H
#define HEADLIGHT_MODEL_PROCESSOR_BLAS_H

#include "headlight/model/processor.h"

extern const struct processor processor_blas;

/* The threads of its own that it may use: one, once a tile was multiplied, since several members do
 * that at the same time. Nothing when this BLAS offers no way to. */
void processor_blas_set_threads(int threads);

/* The BLAS in words ("OpenBLAS 0.3.21 … Haswell", or "a CBLAS"); static storage. */
const char *processor_blas_name(void);

#endif
