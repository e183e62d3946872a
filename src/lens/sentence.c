/* lens/sentence.c: how alike two sentences are, token by token. Everything is read from the traces
 * of the two. */
#include "headlight/lens/sentence.h"

#include <stdlib.h>

/* A vector before it is normalised, [W]. */
static const float *raw_vector(const struct trace *trace)
{
    const float *dense = trace->outputs[OUTPUT_SENTENCE_DENSE];
    return dense ? dense : trace->outputs[OUTPUT_SENTENCE_POOLED];
}

double sentence_value(const struct sentence_model *sentence, const struct trace *a,
                      const struct trace *b)
{
    return sentence_similarity(sentence->similarity, a->outputs[OUTPUT_SENTENCE],
                               b->outputs[OUTPUT_SENTENCE], sentence->size);
}

/* And each token's part of the value, where what comes after pooling is linear. With the pooled
 * u = Σ s_t·x_t of one side and what Wᵀ makes of the other's vector, g = Wᵀv:
 *
 *     cos(Wu + b, v) = Σ_t s_t·x_t·g / (‖Wu + b‖·‖v‖) + b·v / (‖Wu + b‖·‖v‖)
 *
 * The maximum of a dimension is of the token that has it. */
void sentence_compare(const struct sentence_model *sentence, struct sentence_pair *pair)
{
    const struct trace *traces[] = {pair->encoded[0]->trace, pair->encoded[1]->trace};
    const struct sentence_dense *dense = &sentence->dense;
    const bool plain = sentence->similarity == SIMILARITY_DOT && !sentence->normalized;
    const size_t W = sentence->size;
    pair->value = sentence_value(sentence, traces[0], traces[1]);
    pair->rest[0] = pair->rest[1] = 0;
    pair->why_no_parts =
        sentence->similarity == SIMILARITY_EUCLIDEAN || sentence->similarity == SIMILARITY_MANHATTAN
            ? "a distance is not a sum over tokens"
        : dense->function
            ? "the dense module's activation is not linear: no token has a part of its own"
            : NULL;
    for (size_t side = 0; side < 2 && !pair->why_no_parts; side++) {
        const struct trace *one = traces[side];
        const float *u = raw_vector(one), *v = raw_vector(traces[1 - side]);
        const float *rows = trace_last_rows(one);
        const size_t T = one->tokens, H = one->hidden;
        const double scale =
            plain ? 1 : 1 / fmax(sqrt(vector_dot(u, u, W)) * sqrt(vector_dot(v, v, W)), 1e-24);
        double *parts = pair->parts[side];
        size_t q = 0;
        for (size_t t = 0; t < T; t++)
            parts[t] = 0;
        for (size_t pooling = 0; pooling < POOLING_COUNT; pooling++)
            for (size_t i = 0; sentence->pools[pooling] && i < H; i++, q++) {
                double back = dense->outputs == 0 ? (double)v[q] : 0; /* number q of Wᵀv, or of v */
                for (size_t o = 0; o < dense->outputs; o++)
                    back += (double)dense->weight[o * dense->inputs + q] * (double)v[o];
                const bool max = pooling == POOLING_MAX;
                const size_t highest = max ? sentence_highest(rows, T, H, i) : 0;
                for (size_t t = 0; t < T; t++) {
                    const double share =
                        max ? (double)(t == highest) : sentence_share((enum pooling)pooling, t, T);
                    if (share > 0)
                        parts[t] += scale * back * share * (double)rows[t * H + i];
                }
            }
        for (size_t o = 0; dense->bias && o < dense->outputs; o++)
            pair->rest[side] += scale * (double)dense->bias[o] * (double)v[o];
    }
}

/* The tokens of a sentence, without the frame's. */
static struct token_range words_of(const struct encoding *encoding, size_t sentence)
{
    struct token_range words = {0, 0};
    for (size_t i = encoding->count; i-- > 0;)
        if (!encoding->tokens[i].added && encoding->tokens[i].sentence == sentence)
            words = (struct token_range){i, words.end > 0 ? words.end : i + 1};
    return words;
}

size_t sentence_index(const struct encoding *pair, const struct encoding *alone, enum side side,
                      size_t token)
{
    const struct token_range words = words_of(pair, side), own = words_of(alone, 0);
    if (token < words_of(pair, SIDE_LEFT).first && token < own.first)
        return token;
    if (token >= words.first && token < words.end && token - words.first < own.end - own.first)
        return own.first + token - words.first;
    return token == words.end && own.end < alone->count ? alone->count - 1 : NO_TOKEN;
}

void sentence_pair_free(void *thing)
{
    struct sentence_pair *pair = thing;
    for (size_t side = 0; pair && side < 2; side++) {
        encoded_free(pair->encoded[side]);
        free(pair->parts[side]);
    }
    free(pair);
}
