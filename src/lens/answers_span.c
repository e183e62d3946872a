/* answers_span.c: the span of the second text that answers the first.
 *
 *     score(i, j) = p_start[i] · p_end[j],   i ≤ j < i + longest
 *
 * Both p are softmaxes over the second text's tokens and [CLS], which stands for "no answer": what
 * lies on it belongs to no span. The best spans are then widened to whole words. */
#include "headlight/lens/answers.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Any token with [CLS]'s id counts, but a span is made of the second text alone. */
static bool is_context(const struct token *token)
{
    return token->sentence == 1 && !token->added;
}

bool answer_span_asks(const struct encoding *encoding, size_t index)
{
    const struct token *token = &encoding->tokens[index], *class = encoding->tokens;
    return is_context(token) || (class->added && token->id == class->id);
}

void answer_span_shares(const struct encoding *encoding, const float *logits, double *p)
{
    double largest = -INFINITY, total = 0;
    for (size_t i = 0; i < encoding->count; i++)
        largest = answer_span_asks(encoding, i) ? fmax(largest, (double)logits[i]) : largest;
    for (size_t i = 0; i < encoding->count; i++) {
        p[i] = answer_span_asks(encoding, i) ? exp((double)logits[i] - largest) : 0;
        total += p[i];
    }
    for (size_t i = 0; i < encoding->count; i++)
        p[i] /= total > 0 ? total : 1;
}

/* Keeps a span among the best; of equal ones the earlier stays in front. */
static void offer(struct answer *answer, struct answer_span span)
{
    if (answer->span_count == SPANS_MAX) {
        if (!(span.score > answer->spans[SPANS_MAX - 1].score))
            return;
        answer->span_count--;
    }
    size_t at = answer->span_count++;
    for (; at > 0 && span.score > answer->spans[at - 1].score; at--)
        answer->spans[at] = answer->spans[at - 1];
    answer->spans[at] = span;
}

static void find_spans(const struct encoding *encoding, const double *start, const double *end,
                       size_t longest, struct answer *answer)
{
    const size_t T = encoding->count;
    for (size_t i = 0; i < T; i++)
        for (size_t j = i; is_context(&encoding->tokens[i]) && j < T && j - i < longest; j++)
            if (is_context(&encoding->tokens[j]) && start[i] * end[j] > 0)
                offer(answer, (struct answer_span){{i, j + 1}, start[i] * end[j], {0}});
}

/* From the first byte of the first token's word to the last of the last one's. */
struct place answer_span_place(const struct answer_read *read, struct token_range range)
{
    const struct token *tokens = read->encoding->tokens;
    size_t first = range.first, last = range.end - 1;
    while (is_context(&tokens[first - 1]) && tokens[first - 1].word == tokens[first].word)
        first--;
    while (last + 1 < read->encoding->count && is_context(&tokens[last + 1]) &&
           tokens[last + 1].word == tokens[last].word)
        last++;
    return answer_place(read, 1, (struct span){tokens[first].span.start, tokens[last].span.end});
}

enum status answer_span(const struct answer_read *read, const float *start, const float *end,
                        size_t longest, struct answer **answer, struct error *error)
{
    const struct encoding *encoding = read->encoding;
    const size_t T = encoding->count;
    double *p = memory_new(T, 2 * sizeof *p, 0, "the probabilities of a span", error);
    struct answer *made = *answer = p ? memory_new(1, sizeof *made, 0, "an answer", error) : NULL;
    if (!made) {
        free(p);
        return error->status;
    }
    made->kind = ANSWER_SPAN;
    answer_span_shares(encoding, start, p);
    answer_span_shares(encoding, end, p + T);
    made->none = T > 0 ? p[0] * p[T] : 0;
    find_spans(encoding, p, p + T, longest, made);
    free(p);
    for (size_t i = 0; i < made->span_count; i++)
        made->spans[i].place = answer_span_place(read, made->spans[i].tokens);
    return STATUS_OK;
}
