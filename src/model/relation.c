/* relation.c: distances between tokens as rows of a table, and rotary angles. They are rounded as
 * the reference code rounds them, in single precision, since models were trained with those
 * numbers. */
#include "headlight/model/relation.h"

#include "headlight/base/size.h"

#include <math.h>

size_t relation_row(const struct config *config, ptrdiff_t distance)
{
    if (config->relation == RELATION_BIAS) {
        /* Raffel et al. 2020: of each direction's buckets half are exact, the others reach to a
         * largest distance; a decoder sees one direction */
        const size_t rows = config->causal ? config->relative_rows : config->relative_rows / 2;
        const size_t exact = rows / 2, most = config->distances > 0 ? config->distances : 128;
        const size_t base = distance < 0 && !config->causal ? rows : 0;
        const size_t apart = distance >= 0 ? (size_t)distance : base > 0 ? (size_t)-distance : 0;
        if (apart < exact)
            return base + apart;
        const float part = logf((float)apart / (float)exact) /
                           (float)log((double)most / (double)exact) * (float)(rows - exact);
        return base + size_min(exact + (size_t)part, rows - 1);
    }
    /* He et al. 2021, version 2: near distances are exact, farther ones share buckets */
    const ptrdiff_t rows = (ptrdiff_t)config->relative_rows,
                    middle = (ptrdiff_t)config->buckets / 2,
                    last = (ptrdiff_t)config->distances - 1;
    const ptrdiff_t apart = distance < 0 ? -distance : distance;
    ptrdiff_t row = distance + rows / 2;
    if (config->buckets > 0 && apart > middle && last > middle) {
        float part = logf((float)apart / (float)middle) / logf((float)last / (float)middle);
        ptrdiff_t bucket = (ptrdiff_t)ceilf(part * (float)(middle - 1)) + middle;
        row = rows / 2 + (distance < 0 ? -bucket : bucket);
    }
    return (size_t)(row < 0 ? 0 : row >= rows ? rows - 1 : row);
}

size_t relation_rows(const struct config *config, size_t tokens, size_t *first)
{
    const ptrdiff_t most = (ptrdiff_t)tokens - 1;
    const bool needed = config->relation == RELATION_DISENTANGLED;
    *first = needed ? relation_row(config, -most) : 0;
    return needed ? relation_row(config, most) + 1 - *first : 0;
}

size_t relation_rotated(const struct config *config)
{
    return config->rotated > 0 ? config->rotated : config_dimensions(config);
}

/* How far from one end of a ramp, 0, to the other, 1, a number is. */
static double ramp(double at, double from, double to)
{
    return fmin(fmax((at - from) / (to - from), 0), 1);
}

/* Chen et al. 2023 (linear), Llama 3's and Peng et al. 2023 (YaRN), equations 13, 17 and 23, as in
 * modeling_rope_utils.py: planes that turn slowly are slowed down by the factor s, fast ones not.
 */
float relation_angle(const struct config *config, bool local, size_t m, size_t t)
{
    const struct rotation *of = &config->rotations[local];
    const double exponent = (double)(2 * m) / (double)relation_rotated(config);
    const double speed =
        config->speeds ? (double)config->speeds[m] : (double)(float)(1 / pow(of->theta, exponent));
    double slow = of->kind != ROPE_DEFAULT; /* how much of it is slowed down */
    if (of->kind == ROPE_LLAMA3)
        slow = 1 - ramp(of->original * speed / (2 * acos(-1)), of->low, of->high);
    if (of->kind == ROPE_YARN)
        slow = ramp((double)m, of->low, of->high);
    return (float)t * (float)(slow > 0 ? slow * speed / of->factor + (1 - slow) * speed : speed);
}

double relation_sinusoid(size_t t, size_t i, size_t H)
{
    const double angle = (double)t / pow(10000, (double)(i - i % 2) / (double)H);
    return i % 2 == 0 ? sin(angle) : cos(angle);
}
