/* kernels_blas.h: tiles multiplied by a BLAS, for a processor that we have no loops for: OpenBLAS
 * has them for many. The other loops are those of plain C. Only kernels_blas.c knows a BLAS. */
#ifndef HEADLIGHT_TENSOR_KERNELS_BLAS_H
#define HEADLIGHT_TENSOR_KERNELS_BLAS_H

#include "headlight/tensor/kernels.h"

extern const struct kernels kernels_blas;

/* The threads of its own that it may use: one, once a tile was multiplied, since several members do
 * that at the same time. Nothing when this BLAS offers no way to. */
void kernels_blas_set_threads(int threads);

/* The BLAS in words ("OpenBLAS 0.3.21 … Haswell", or "a CBLAS"); static storage. */
const char *kernels_blas_name(void);

#endif
