/* sample.h: one figure: the times of several runs, and what is told of them.
 *
 *     struct sample sample = {.count = 0};
 *     while (sample_more(&sample, &effort)) {
 *         sample_begin(&sample);
 *         … what is measured …
 *         sample_end(&sample);
 *     }
 *     struct timing timing = sample_timing(&sample); */
#ifndef HEADLIGHT_BENCH_SAMPLE_H
#define HEADLIGHT_BENCH_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#define SAMPLE_MAX 200

struct sample {
    double times[SAMPLE_MAX]; /* milliseconds */
    size_t count;
    double started, total;
};

/* How much is done for one figure: at least so many runs, and more while there is time left. */
struct effort {
    size_t least, most; /* runs, up to SAMPLE_MAX */
    double milliseconds;
};

/* Milliseconds; no runs: not measured. */
struct timing {
    double median, min;
    size_t runs;
};

bool sample_more(const struct sample *sample, const struct effort *effort);
void sample_begin(struct sample *sample);
void sample_end(struct sample *sample);

/* Takes in a time that was measured otherwise. */
void sample_add(struct sample *sample, double milliseconds);

/* Sorts the times. */
struct timing sample_timing(struct sample *sample);

/* The slope of the line through the points (log x, log y) by least squares: the exponent b of
 * y = a·x^b. NAN for fewer than three points. */
double sample_exponent(const double *x, const double *y, size_t count);

#endif
