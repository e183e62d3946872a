/* peak.h: what this machine can do at most, measured: the roofline that a forward pass is held
 * against.
 *
 * Williams, Waterman and Patterson 2009, "Roofline: An Insightful Visual Performance Model for
 * Multicore Architectures": a computation takes at least
 *
 *     max(floating-point work / peak rate, bytes / peak bandwidth) */
#ifndef HEADLIGHT_BENCH_PEAK_H
#define HEADLIGHT_BENCH_PEAK_H

#include "sample.h"

/* With so many threads. Rates are in 1e9 operations a second; 0: not known. */
struct peak {
    size_t threads;
    double sgemm;  /* cblas_sgemm of square matrices */
    double linear; /* the same product by the engine */
    double fma;    /* multiply-adds of registers alone, two operations each */
};

/* The engine must have been told the number of threads. */
struct peak peak_measure(size_t threads, const struct effort *effort);

/* The better of each rate, of two measurements with the same number of threads. */
struct peak peak_best(const struct peak *a, const struct peak *b);

/* The better one of the two products: the peak rate of the roofline. */
double peak_product(const struct peak *peak);

/* Reading a buffer of so many bytes again and again: GB/s (1e9 bytes), the best of several. What
 * fits in a cache is read from it, as a small model's weights are. */
double peak_bandwidth(size_t bytes, size_t threads, const struct effort *effort);

/* The processor in words, as far as it can be told; static storage. */
const char *peak_processor(void);

#endif
