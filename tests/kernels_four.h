/* kernels_four.h: all kernels that tests can try on this machine. */
#pragma once

#include "headlight/tensor/kernels.h"

/* Those of the program (kernels_at) and, on x86-64, one more; NULL past the last. */
const struct kernels *kernels_of_tests(size_t index);
