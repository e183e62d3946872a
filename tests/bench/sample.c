#include "sample.h"

#include "headlight/base/watch.h"

#include <math.h>
#include <stdlib.h>

bool sample_more(const struct sample *sample, const struct effort *effort)
{
    return sample->count < effort->least ||
           (sample->count < effort->most && sample->total < effort->milliseconds);
}

void sample_begin(struct sample *sample)
{
    sample->started = clock_milliseconds();
}

void sample_end(struct sample *sample)
{
    sample_add(sample, clock_milliseconds() - sample->started);
}

void sample_add(struct sample *sample, double milliseconds)
{
    if (sample->count < SAMPLE_MAX)
        sample->times[sample->count++] = milliseconds;
    sample->total += milliseconds;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct timing sample_timing(struct sample *sample)
{
    size_t count = sample->count;
    if (count == 0)
        return (struct timing){0};
    qsort(sample->times, count, sizeof *sample->times, by_time);
    double median = (sample->times[(count - 1) / 2] + sample->times[count / 2]) / 2;
    return (struct timing){median, sample->times[0], count};
}

double sample_exponent(const double *x, const double *y, size_t count)
{
    double mean_x = 0, mean_y = 0, products = 0, squares = 0;
    if (count < 3)
        return (double)NAN;
    for (size_t i = 0; i < count; i++) {
        mean_x += log(x[i]) / (double)count;
        mean_y += log(y[i]) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        products += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
        squares += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
    }
    return products / squares;
}
