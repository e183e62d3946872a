/* cosine.c: cosines of word vectors, in double precision. A word of several pieces has their mean,
 * so that two models which split a word differently can be compared. */
#include "headlight/lens/cosine.h"

#include "headlight/base/size.h"

#define LAST_LAYERS 4

/* The sums of a·b, a·a and b·b so far. */
struct products {
    double both, a, b;
};

static void add_products(struct products *products, double a, double b)
{
    products->both += a * b;
    products->a += a * a;
    products->b += b * b;
}

/* cos = a·b / (|a|·|b|): 0/0, which is NaN, for a vector of zeros. Clamped, as rounding can
 * exceed 1. */
static double cosine_of_products(const struct products *products)
{
    double cosine = products->both / (sqrt(products->a) * sqrt(products->b));
    return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
}

/* [T,H] of a level: the embedding (projected if its size differs), or the output of the layer
 * before; NULL if missing. */
static const float *vectors_at(const struct trace *trace, size_t level)
{
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

double cosine_at(const struct occurrence *a, const struct occurrence *b, size_t level)
{
    const float *left = vectors_at(a->trace, level), *right = vectors_at(b->trace, level);
    struct products products = {0};
    if (!cosine_is_defined(a, b) || !left || !right)
        return NAN;
    for (size_t d = 0; d < a->trace->hidden; d++)
        add_products(&products, word_at(a, left, d), word_at(b, right, d));
    return cosine_of_products(&products);
}

size_t cosine_last_layers(const struct occurrence *a, const struct occurrence *b)
{
    return size_min(LAST_LAYERS, cosine_levels(a, b) - 1);
}

/* The outputs of the last `count` layers; false if one is missing. */
static bool last_outputs(const struct trace *trace, size_t count, const float *outputs[LAST_LAYERS])
{
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        outputs[i] = trace->layer[trace->layers - count + i].output;
        whole &= outputs[i] != NULL;
    }
    return whole;
}

/* The product of concatenated vectors is the sum of their parts' products. */
double cosine_of_last(const struct occurrence *a, const struct occurrence *b, enum cosine_kind kind)
{
    const float *left[LAST_LAYERS], *right[LAST_LAYERS];
    size_t count = kind == COSINE_LAST ? 1 : cosine_last_layers(a, b);
    struct products products = {0};
    if (!cosine_is_defined(a, b) || !last_outputs(a->trace, count, left) ||
        !last_outputs(b->trace, count, right))
        return NAN;
    for (size_t d = 0; d < a->trace->hidden; d++) {
        double sum_left = 0, sum_right = 0;
        for (size_t i = 0; i < count; i++) {
            double x = word_at(a, left[i], d), y = word_at(b, right[i], d);
            sum_left += x;
            sum_right += y;
            if (kind == COSINE_CONCATENATION)
                add_products(&products, x, y);
        }
        if (kind != COSINE_CONCATENATION)
            add_products(&products, sum_left, sum_right);
    }
    return cosine_of_products(&products);
}
