/* answers_span.c: the span of the second text that answers the first.
 *
 *     score(i, j) = p_start[i] · p_end[j],   i ≤ j < i + longest
 *
 * Both p are softmaxes over the second text's tokens and [CLS], which stands for "no answer": what
 * lies on it belongs to no span. The best spans are then widened to whole words.
 *
 * And what answers of every kind share: parts of a text, and their end. */
#include "headlight/lens/answers.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parts of a text ---- */

/* A text without the white space at its ends. */
static struct text answer_shown(struct text text)
{
    size_t first = text.length, end = 0;
    for (size_t at = 0, length; at < text.length; at += length) {
        int32_t code;
        length = unicode_next(text.bytes + at, text.length - at, &code);
        if (unicode_is_white_space(code))
            continue;
        first = first < at ? first : at;
        end = at + length;
    }
    return end > 0 ? (struct text){text.bytes + first, end - first} : (struct text){text.bytes, 0};
}

struct passage answer_passage(const struct answer_read *read, size_t sentence, struct span span)
{
    const char *bytes = read->texts[sentence].bytes;
    struct passage passage = {.sentence = sentence, .start = unicode_count(bytes, span.start)};
    passage.text = (struct text){bytes + span.start, span.end - span.start};
    passage.end = passage.start + unicode_count(passage.text.bytes, passage.text.length);
    passage.shown = answer_shown(passage.text);
    return passage;
}

/* ---- Spans ---- */

static bool is_of(const struct token *token, size_t sentence)
{
    return token->sentence == sentence && !token->added;
}

/* Any token with [CLS]'s id counts, but a span is made of the second text alone. */
bool answer_span_asks(const struct encoding *encoding, size_t index)
{
    const struct token *token = &encoding->tokens[index], *class = encoding->tokens;
    return is_of(token, 1) || (class->added && token->id == class->id);
}

double answer_span_total(const struct encoding *encoding, const float *logits)
{
    double largest = -INFINITY, sum = 0;
    for (size_t i = 0; i < encoding->count; i++)
        if (answer_span_asks(encoding, i))
            largest = fmax(largest, (double)logits[i]);
    for (size_t i = 0; i < encoding->count; i++)
        if (answer_span_asks(encoding, i))
            sum += exp((double)logits[i] - largest);
    return largest + log(sum);
}

void answer_span_shares(const struct encoding *encoding, const float *logits, double *p)
{
    const double total = answer_span_total(encoding, logits);
    for (size_t i = 0; i < encoding->count; i++)
        p[i] = answer_span_asks(encoding, i) ? exp((double)logits[i] - total) : 0;
}

bool answer_span_next(const struct encoding *encoding, size_t longest, struct token_range *span)
{
    const struct token *tokens = encoding->tokens;
    const size_t T = encoding->count;
    for (size_t i = span->first, j = span->end; i < T; j = ++i)
        for (; is_of(&tokens[i], 1) && j < T && j - i < longest; j++)
            if (is_of(&tokens[j], 1)) {
                *span = (struct token_range){i, j + 1};
                return true;
            }
    return false;
}

size_t answer_span_rank(const struct encoding *encoding, const float *start, const float *end,
                        struct token_range span)
{
    const double own = (double)start[span.first] + (double)end[span.end - 1];
    size_t rank = 1;
    for (struct token_range at = {0}; answer_span_next(encoding, SPAN_TOKENS, &at);)
        rank += (double)start[at.first] + (double)end[at.end - 1] > own;
    return rank;
}

/* ---- Where it stands ---- */

static struct token_range widen(const struct encoding *encoding, struct token_range range)
{
    const struct token *tokens = encoding->tokens;
    const size_t sentence = tokens[range.first].sentence;
    while (range.first > 0 && is_of(&tokens[range.first - 1], sentence) &&
           tokens[range.first - 1].word == tokens[range.first].word)
        range.first--;
    while (range.end < encoding->count && is_of(&tokens[range.end], sentence) &&
           tokens[range.end].word == tokens[range.end - 1].word)
        range.end++;
    return range;
}

/* From the first byte of the first token's word to the last of the last one's. */
struct passage answer_span_passage(const struct answer_read *read, struct token_range range)
{
    const struct token *tokens = read->encoding->tokens;
    range = widen(read->encoding, range);
    return answer_passage(
        read, 1, (struct span){tokens[range.first].span.start, tokens[range.end - 1].span.end});
}

/* The tokens from the first on that spell these words: of several that end with one byte, all. */
static struct token_range spell(const struct answer_read *read, size_t first, struct text words)
{
    const struct token *tokens = read->encoding->tokens;
    const size_t sentence = tokens[first].sentence;
    const struct text text = read->texts[sentence];
    const struct span span = tokens[first].span;
    const struct text begin =
        answer_shown((struct text){text.bytes + span.start, span.end - span.start});
    const size_t at = (size_t)(begin.bytes - text.bytes), end = at + words.length;
    struct token_range spelt = {first, first};
    if (begin.length == 0 || end > text.length ||
        memcmp(begin.bytes, words.bytes, words.length) != 0)
        return spelt;
    for (size_t i = first; i < read->encoding->count && is_of(&tokens[i], sentence); i++)
        spelt.end = tokens[i].span.end == end ? i + 1 : spelt.end;
    return spelt;
}

struct token_range answer_span_find(const struct answer_read *read, size_t sentence,
                                    struct text words)
{
    struct token_range part = {0};
    words = answer_shown(words);
    for (size_t i = 0; i < read->encoding->count; i++) {
        if (!is_of(&read->encoding->tokens[i], sentence))
            continue;
        const struct token_range found = spell(read, i, words);
        if (found.end == found.first)
            continue;
        const struct token_range whole = widen(read->encoding, found);
        if (whole.first == found.first && whole.end == found.end)
            return found;
        part = part.end == 0 ? found : part;
    }
    return part;
}

/* ---- The whole ---- */

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
    for (struct token_range at = {0}; answer_span_next(encoding, longest, &at);) {
        const double score = p[at.first] * p[T + at.end - 1];
        size_t place = made->span_count; /* among the best; of equal ones the earlier is in front */
        if (!(score > 0) || (place == SPANS_MAX && !(score > made->spans[SPANS_MAX - 1].score)))
            continue;
        place -= place == SPANS_MAX;
        made->span_count = place + 1;
        for (; place > 0 && score > made->spans[place - 1].score; place--)
            made->spans[place] = made->spans[place - 1];
        made->spans[place] = (struct answer_span){at, score, {0}};
    }
    free(p);
    for (size_t i = 0; i < made->span_count; i++)
        made->spans[i].passage = answer_span_passage(read, made->spans[i].tokens);
    return STATUS_OK;
}

void answer_free(struct answer *answer)
{
    if (!answer)
        return;
    for (size_t i = 0; i < answer->group_count; i++)
        free(answer->groups[i].word);
    free(answer->groups);
    free(answer->tags);
    free(answer->scores);
    free(answer);
}
