/* cosine.c: cosines of word vectors, in double precision. A word of several pieces has their mean,
 * so that two models which split a word differently can be compared. */
#include "headlight/lens/cosine.h"

#include "headlight/base/size.h"

#define LAST_LAYERS 4

/* [T,H] of a level: the embedding (projected if its size differs), or the output of the layer
 * before; NULL if missing. */
static const float *vectors_at(const struct trace *trace, size_t level)
{
    trace = trace_speaker(trace);
    if (level > 0)
        return trace->layer[level - 1].output;
    bool whole = trace->embedding && trace->embedded == trace->hidden;
    return whole ? trace->embedding : trace->layer[0].input;
}

/* One dimension of a word: the mean of its pieces. */
static double word_at(const struct occurrence *word, const float *vectors, size_t dimension)
{
    const struct token_range *pieces = &word->pieces;
    double sum = 0;
    for (size_t token = pieces->first; token < pieces->end; token++)
        sum += (double)vectors[token * word->trace->hidden + dimension];
    return sum / (double)(pieces->end - pieces->first);
}

bool cosine_is_defined(const struct occurrence *a, const struct occurrence *b)
{
    return a->trace->hidden > 0 && a->trace->hidden == b->trace->hidden;
}

size_t cosine_levels(const struct occurrence *a, const struct occurrence *b)
{
    return 1 + size_min(a->trace->layers, b->trace->layers);
}

size_t cosine_last_layers(const struct occurrence *a, const struct occurrence *b)
{
    return size_min(LAST_LAYERS, cosine_levels(a, b) - 1);
}

/* Of the sums of `count` levels' vectors, or of the vectors side by side, whose product is the sum
 * of their parts' products. The levels end at `ends`, one for each word.
 *
 *     cos = a·b / (|a|·|b|)
 *
 * 0/0, which is NaN, for a vector of zeros. Clamped, as rounding can exceed 1. */
static double cosine_of(const struct occurrence *a, const struct occurrence *b,
                        const size_t ends[2], size_t count, bool joined)
{
    double product = 0, length_of_a = 0, length_of_b = 0; /* squares */
    if (!cosine_is_defined(a, b))
        return NAN;
    for (size_t i = 1; i <= count; i++)
        if (!vectors_at(a->trace, ends[0] - i) || !vectors_at(b->trace, ends[1] - i))
            return NAN;
    for (size_t d = 0; d < a->trace->hidden; d++) {
        double left = 0, right = 0;
        for (size_t i = count; i > 0; i--) {
            left += word_at(a, vectors_at(a->trace, ends[0] - i), d);
            right += word_at(b, vectors_at(b->trace, ends[1] - i), d);
            if (i > 1 && !joined)
                continue;
            product += left * right;
            length_of_a += left * left;
            length_of_b += right * right;
            left = right = 0;
        }
    }
    const double cosine = product / (sqrt(length_of_a) * sqrt(length_of_b));
    return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
}

double cosine_between(const struct occurrence *a, size_t level_of_a, const struct occurrence *b,
                      size_t level_of_b)
{
    return cosine_of(a, b, (size_t[]){level_of_a + 1, level_of_b + 1}, 1, false);
}

double cosine_at(const struct occurrence *a, const struct occurrence *b, size_t level)
{
    return cosine_between(a, level, b, level);
}

double cosine_of_last(const struct occurrence *a, const struct occurrence *b, enum cosine_kind kind)
{
    const size_t ends[] = {1 + a->trace->layers, 1 + b->trace->layers};
    return cosine_of(a, b, ends, kind == COSINE_LAST ? 1 : cosine_last_layers(a, b),
                     kind == COSINE_CONCATENATION);
}
