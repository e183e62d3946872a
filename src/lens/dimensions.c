/* dimensions.c: what single dimensions of a head contribute to a score, and single keys to a
 * context, for the neuron and steps views. Vectors are the trace's own, rotated by position where
 * the family does that; sums are in double precision and rounded once. */
#include "headlight/lens/dimensions.h"

#include "headlight/base/size.h"

#include <stdlib.h>

static const struct layer_trace *layer_of(const struct attending *at)
{
    return &at->trace->layer[at->layer];
}

/* A recording without queries and keys has no dimensions either. */
bool dimensions_have_keys(const struct attending *at)
{
    return layer_of(at)->query.data && layer_of(at)->key.data && at->trace->dimensions > 0;
}

bool dimensions_have_values(const struct attending *at)
{
    return layer_of(at)->value.data && at->trace->dimensions > 0;
}

const float *dimensions_query(const struct attending *at)
{
    return heads_row(&layer_of(at)->query, at->head, at->from);
}

const float *dimensions_key(const struct attending *at, size_t to)
{
    return heads_row(&layer_of(at)->key, at->head, to);
}

const float *dimensions_value(const struct attending *at, size_t to)
{
    return heads_row(&layer_of(at)->value, at->head, to);
}

void dimensions_product(const struct attending *at, size_t to, float *product)
{
    const float *q = dimensions_query(at), *k = dimensions_key(at, to);
    for (size_t d = 0; d < at->trace->dimensions; d++)
        product[d] = q[d] * k[d];
}

void dimensions_weighted(const struct attending *at, size_t to, float *weighted)
{
    const float *v = dimensions_value(at, to);
    float weight = trace_weight(at->trace, at->layer, at->head, at->from, to);
    for (size_t d = 0; d < at->trace->dimensions; d++)
        weighted[d] = weight * v[d];
}

void dimensions_context(const struct attending *at, float *sum)
{
    for (size_t d = 0; d < at->trace->dimensions; d++) {
        double total = 0;
        for (size_t to = 0; to < at->trace->attended; to++)
            total += (double)trace_weight(at->trace, at->layer, at->head, at->from, to) *
                     (double)dimensions_value(at, to)[d];
        sum[d] = (float)total;
    }
}

/* What scores are divided by the root of: D·terms, for one that is the sum of `terms` products (0
 * in a recording that doesn't say). */
static size_t divided(const struct trace *trace)
{
    return trace->divided > 0 ? trace->divided : trace->dimensions * size_max(trace->terms, 1);
}

static double root_of(const struct trace *trace)
{
    return sqrt((double)divided(trace));
}

/* An intervention can leave out the root, or add a temperature, which divides what is left. */
double dimensions_divisor(const struct trace *trace)
{
    const struct interventions *changes = &trace->computed.changes;
    return interventions_temperature(changes) * (changes->unscaled ? 1 : root_of(trace));
}

bool dimensions_have_distance(const struct attending *at)
{
    return layer_of(at)->relative != NULL;
}

double dimensions_distance(const struct attending *at, size_t to)
{
    const float *relative = layer_of(at)->relative; /* [A,T,T] */
    const size_t T = at->trace->tokens;
    return relative ? (double)relative[(at->head * T + at->from) * T + to] /
                          interventions_temperature(&at->trace->computed.changes)
                    : 0;
}

/* A temperature is part of the divisor, and yet divides what is capped. */
double dimensions_capped(const struct trace *trace, double quotient)
{
    const double most = trace->cap / interventions_temperature(&trace->computed.changes);
    return most > 0 ? most * tanh(quotient / most) : quotient;
}

void dimensions_write_divisor(const struct attending *at, double divisor, bool ascii, char *text,
                              size_t size)
{
    const size_t D = divided(at->trace);
    if (fabs(divisor - 1) < 1e-9)
        snprintf(text, size, "%s", "");
    else if (fabs(divisor - root_of(at->trace)) < 1e-9)
        snprintf(text, size, ascii ? "rt%zu" : "√%zu", D);
    else
        snprintf(text, size, "%.*f", divisor < 10 ? 2 : divisor < 100, divisor);
}

/* The trace's own score includes masks and distances as the network saw them, so it goes first. */
bool dimensions_score(const struct attending *at, size_t to, double divisor, float *score)
{
    if (layer_of(at)->scores) {
        *score = trace_score(at->trace, at->layer, at->head, at->from, to);
        return true;
    }
    if (!dimensions_have_keys(at))
        return false;
    double dot = vector_dot(dimensions_query(at), dimensions_key(at, to), at->trace->dimensions);
    *score = (float)(dimensions_capped(at->trace, dot / divisor) + dimensions_distance(at, to));
    return true;
}

/* NaN counts as the largest, so that the order is always total. */
static float size_of_share(float value)
{
    return isnan(value) ? INFINITY : fabsf(value);
}

/* Ties in order of the index keep the ranking the same on every machine. */
static int by_size_of_share(const void *a, const void *b)
{
    const struct dimension *left = a, *right = b;
    float x = size_of_share(left->value), y = size_of_share(right->value);
    if (x != y)
        return x > y ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

void dimensions_rank(const float *values, size_t count, struct dimension *ranked)
{
    for (size_t d = 0; d < count; d++)
        ranked[d] = (struct dimension){d, values[d]};
    qsort(ranked, count, sizeof *ranked, by_size_of_share);
}
