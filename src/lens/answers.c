/* answers.c: what a head for a task says, as transformers' pipelines have it. The scores of
 * classes; a tag for each token, and tokens that belong together, as the strategy "simple" has it
 * (the others, first, average, max, give a word's pieces one tag, which hides where a model
 * contradicts itself within a word); and the span of the second text that answers the first:
 *
 *     score(i, j) = p_start[i] · p_end[j],   i ≤ j < i + longest
 *
 * Both p are softmaxes over the second text's tokens and [CLS], which stands for "no answer": what
 * lies on it belongs to no span. The best spans are then widened to whole words. */
#include "headlight/lens/answers.h"

#include "headlight/base/memory.h"
#include "headlight/text/unicode.h"

/* ---- Parts of a text ---- */

/* A text without the white space at its ends. */
static struct text answer_shown(struct text text)
{
    size_t first = text.length, end = 0;
    for (size_t at = 0, length; at < text.length; at += length) {
        int32_t code;
        length = unicode_next(text.bytes + at, text.length - at, &code);
        if (unicode_is(code, UNICODE_WHITE_SPACE))
            continue;
        first = first < at ? first : at;
        end = at + length;
    }
    return end > 0 ? (struct text){text.bytes + first, end - first} : (struct text){text.bytes, 0};
}

struct passage answer_passage(const struct encoded *encoded, size_t sentence, struct span span)
{
    const char *bytes = encoded->texts[sentence].bytes;
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
struct passage answer_span_passage(const struct encoded *encoded, struct token_range range)
{
    const struct token *tokens = encoded->encoding->tokens;
    range = widen(encoded->encoding, range);
    return answer_passage(
        encoded, 1, (struct span){tokens[range.first].span.start, tokens[range.end - 1].span.end});
}

/* The tokens from the first on that spell these words: of several that end with one byte, all. */
static struct token_range spell(const struct encoded *encoded, size_t first, struct text words)
{
    const struct token *tokens = encoded->encoding->tokens;
    const size_t sentence = tokens[first].sentence;
    const struct text text = encoded->texts[sentence];
    const struct span span = tokens[first].span;
    const struct text begin =
        answer_shown((struct text){text.bytes + span.start, span.end - span.start});
    const size_t at = (size_t)(begin.bytes - text.bytes), end = at + words.length;
    struct token_range spelt = {first, first};
    if (begin.length == 0 || end > text.length ||
        memcmp(begin.bytes, words.bytes, words.length) != 0)
        return spelt;
    for (size_t i = first; i < encoded->encoding->count && is_of(&tokens[i], sentence); i++)
        spelt.end = tokens[i].span.end == end ? i + 1 : spelt.end;
    return spelt;
}

struct token_range answer_span_find(const struct encoded *encoded, size_t sentence,
                                    struct text words)
{
    struct token_range part = {0};
    words = answer_shown(words);
    for (size_t i = 0; i < encoded->encoding->count; i++) {
        if (!is_of(&encoded->encoding->tokens[i], sentence))
            continue;
        const struct token_range found = spell(encoded, i, words);
        if (found.end == found.first)
            continue;
        const struct token_range whole = widen(encoded->encoding, found);
        if (whole.first == found.first && whole.end == found.end)
            return found;
        part = part.end == 0 ? found : part;
    }
    return part;
}

enum status answer_span(const struct encoded *encoded, const float *start, const float *end,
                        size_t longest, struct answer *answer, struct error *error)
{
    const struct encoding *encoding = encoded->encoding;
    const size_t T = encoding->count;
    double *p = memory_new(T, 2 * sizeof *p, 0, "the probabilities of a span", error);
    *answer = (struct answer){.kind = ANSWER_SPAN};
    if (!p)
        return error->status;
    answer_span_shares(encoding, start, p);
    answer_span_shares(encoding, end, p + T);
    answer->none = T > 0 ? p[0] * p[T] : 0;
    for (struct token_range at = {0}; answer_span_next(encoding, longest, &at);) {
        const double score = p[at.first] * p[T + at.end - 1];
        size_t rank =
            answer->span_count; /* among the best; of equal ones the earlier is in front */
        if (!(score > 0) || (rank == SPANS_MAX && !(score > answer->spans[SPANS_MAX - 1].score)))
            continue;
        rank -= rank == SPANS_MAX;
        answer->span_count = rank + 1;
        for (; rank > 0 && score > answer->spans[rank - 1].score; rank--)
            answer->spans[rank] = answer->spans[rank - 1];
        answer->spans[rank] = (struct answer_span){at, score, {0}};
    }
    free(p);
    for (size_t i = 0; i < answer->span_count; i++)
        answer->spans[i].passage = answer_span_passage(encoded, answer->spans[i].tokens);
    return STATUS_OK;
}

/* ---- Tags ---- */

bool answer_is_outside(const struct labels *labels, size_t label)
{
    return strcmp(labels->names[label], "O") == 0;
}

/* What a label is about. "B-" and "I-" are not part of it, and other beginnings are. */
static const char *find_subject(const char *label)
{
    return strncmp(label, "B-", 2) == 0 || strncmp(label, "I-", 2) == 0 ? label + 2 : label;
}

static bool continues(const struct answer *answer, size_t index)
{
    if (index == 0)
        return false;
    const struct tag *tag = &answer->tags[index], *before = tag - 1;
    const char *label = answer->labels->names[tag->label];
    return strncmp(label, "B-", 2) != 0 && tag->passage.sentence == before->passage.sentence &&
           strcmp(find_subject(label), find_subject(answer->labels->names[before->label])) == 0;
}

/* A group is called what follows the first hyphen of its first label. Tokens outside are groups,
 * too, and only then dropped: they stand between others. */
enum status answer_tags(const struct tokenizer *tokenizer, const struct encoded *encoded,
                        const struct labels *labels, const float *logits, struct answer *answer,
                        struct error *error)
{
    const struct token *tokens = encoded->encoding->tokens;
    const size_t T = encoded->encoding->count, L = labels->count;
    enum status status = STATUS_OK;
    *answer = (struct answer){.kind = ANSWER_TAGS, .labels = labels};
    answer->tags = memory_new(T, sizeof *answer->tags, 0, "the tags of tokens", error);
    answer->groups = memory_new(T, sizeof *answer->groups, 0, "the groups of tags", error);
    struct text *words = memory_new(T, sizeof *words, 0, "the words of tags", error);
    if (!answer->tags || !answer->groups || !words)
        status = STATUS_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < T; i++, logits += L) {
        const struct token *token = &tokens[i];
        struct tag tag = {.token = i, .label = predict_likeliest(logits, L)};
        if (token->added)
            continue;
        tag.score = exp((double)logits[tag.label] - predict_total(logits, L, NULL));
        tag.passage = answer_passage(encoded, token->sentence, token->span);
        tag.word = token->id == tokenizer_unknown(tokenizer) /* which says nothing */
                       ? tag.passage.text
                       : text_of_string(tokenizer_piece(tokenizer, token->id));
        answer->tags[answer->tag_count++] = tag;
    }
    for (size_t first = 0, end; status == STATUS_OK && first < answer->tag_count; first = end) {
        for (end = first + 1; end < answer->tag_count && continues(answer, end);)
            end++;
        const struct tag *tags = answer->tags;
        const char *label = labels->names[tags[first].label], *hyphen = strchr(label, '-');
        struct tag_group group = {.name = hyphen ? hyphen + 1 : label,
                                  .tokens = {tags[first].token, tags[end - 1].token + 1}};
        if (strcmp(group.name, "O") == 0)
            continue;
        for (size_t i = first; i < end; i++) {
            words[i - first] = tags[i].word;
            group.score += tags[i].score / (double)(end - first);
        }
        group.passage = answer_passage(encoded, tags[first].passage.sentence,
                                       (struct span){tokens[tags[first].token].span.start,
                                                     tokens[tags[end - 1].token].span.end});
        group.word = tokenizer_spell(tokenizer, words, end - first, false, error);
        if (group.word)
            answer->groups[answer->group_count++] = group;
        else
            status = error->status;
    }
    free(words);
    return status;
}

/* ---- Classes ------------------------------------------------------------------------------ */

/* Highest first; of equal ones the label of the lower number, as a stable sort has it. */
static int compare_scores(const void *first, const void *second)
{
    const struct class_score *a = first, *b = second;
    if (a->score < b->score || a->score > b->score)
        return a->score < b->score ? 1 : -1;
    return (a->label > b->label) - (a->label < b->label);
}

enum status answer_classes(const struct labels *labels, const float *logits, struct answer *answer,
                           struct error *error)
{
    const size_t L = labels->count;
    struct class_score *scores = memory_new(L, sizeof *scores, 0, "the scores of classes", error);
    *answer = (struct answer){.kind = ANSWER_CLASSES, .labels = labels, .scores = scores};
    if (!scores)
        return error->status;
    double total = predict_total(logits, L, NULL);
    for (size_t i = 0; i < L; i++) {
        double logit = (double)logits[i];
        scores[i].label = i;
        scores[i].score = labels->function == SCORE_NONE      ? logit
                          : labels->function == SCORE_SIGMOID ? 1 / (1 + exp(-logit))
                                                              : exp(logit - total);
    }
    qsort(scores, L, sizeof *scores, compare_scores);
    return STATUS_OK;
}

/* ---- Whichever a model gives ---- */

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

enum status answer_of(const struct checkpoint *checkpoint, const struct encoded *encoded,
                      const struct trace *trace, struct answer **answer, struct error *error)
{
    float *const *outputs = trace->outputs;
    *answer = NULL;
    if (!checkpoint || !encoded->encoding ||
        !(outputs[OUTPUT_CLASSES] || outputs[OUTPUT_TAGS] || outputs[OUTPUT_START]))
        return STATUS_OK;
    const struct labels *labels = &checkpoint->model->labels;
    struct answer *made = memory_new(1, sizeof *made, 0, "an answer", error);
    if (!made)
        return error->status;
    const enum status status =
        outputs[OUTPUT_CLASSES] ? answer_classes(labels, outputs[OUTPUT_CLASSES], made, error)
        : outputs[OUTPUT_TAGS]
            ? answer_tags(checkpoint->tokenizer, encoded, labels, outputs[OUTPUT_TAGS], made, error)
            : answer_span(encoded, outputs[OUTPUT_START], outputs[OUTPUT_END], SPAN_TOKENS, made,
                          error);
    if (status == STATUS_OK)
        *answer = made;
    else
        answer_free(made);
    return status;
}

double answer_score(const struct answer *answer, size_t label)
{
    size_t i = 0;
    while (answer->scores[i].label != label)
        i++;
    return answer->scores[i].score;
}

/* ---- In a word ---------------------------------------------------------------------------- */

/* A span of many words would leave no room in a line. */
void answer_say(const struct answer *answer, char *said, size_t size)
{
    const struct labels *labels = answer->labels;
    const struct class_score *first = answer->scores;
    const struct answer_span *best = answer->spans;
    const struct text shown = best->passage.shown;
    size_t spaces = 0, length = 0;
    for (size_t i = 0; i < shown.length; i++)
        spaces += shown.bytes[i] == ' ';
    if (answer->kind == ANSWER_CLASSES)
        snprintf(said, size, "%s %.2f",
                 labels->count == 1 && !labels->named ? "score" : labels->names[first->label],
                 first->score);
    else if (answer->kind == ANSWER_TAGS)
        snprintf(said, size, "no tags");
    else if (answer->span_count == 0)
        snprintf(said, size, "no second text");
    else if (answer_is_none(answer))
        snprintf(said, size, "no answer %.2f", answer->none);
    else if (spaces > 3)
        snprintf(said, size, "span of %zu words %.2f", spaces + 1, best->score);
    else
        snprintf(said, size, "“%.*s” %.2f", (int)shown.length, shown.bytes, best->score);
    for (size_t i = 0; i < answer->group_count && length < size; i++) {
        size_t count = 0, at = i; /* groups of its name, and the first of them */
        for (size_t k = 0; k < answer->group_count; k++)
            if (strcmp(answer->groups[k].name, answer->groups[i].name) == 0)
                at = count++ == 0 ? k : at;
        if (at == i)
            length += (size_t)snprintf(said + length, size - length, "%s%zu %s",
                                       length > 0 ? ", " : "", count, answer->groups[i].name);
    }
}

/* ---- After each layer --------------------------------------------------------------------- */

/* The head for classes is asked once for each layer, whose rows it reads as if they were the last
 * one's, which are the model's own to the bit. Tags are asked for by the logit lens, which reads a
 * row at a time. */
enum status layer_answers_new(const struct checkpoint *checkpoint, const struct encoded *encoded,
                              const struct trace *trace, const struct trace *before, size_t masked,
                              struct layer_answers **result, struct error *error)
{
    struct layer_answers *answers = *result =
        memory_new(1, sizeof *answers, 0, "the answers", error);
    struct head_rows *rows = NULL;
    struct trace pass = *trace;
    if (!answers)
        return STATUS_MEMORY;
    const size_t V = trace->vocabulary;
    const float *words = masked != NO_TOKEN ? trace_words(trace) : NULL;
    answers->masked = words ? masked : NO_TOKEN;
    if (words)
        predict_best(words + masked * V, V, predict_total(words + masked * V, V, NULL),
                     &answers->word, 1);
    enum status status = answer_of(checkpoint, encoded, trace, &answers->answer, error);
    if (status == STATUS_OK && before)
        status = answer_of(checkpoint, encoded, before, &answers->before, error);
    if (status == STATUS_OK && answers->answer && answers->answer->kind == ANSWER_CLASSES) {
        answers->layers = trace->layers;
        answers->after = memory_new(answers->layers, sizeof(void *), 0, "the answers", error);
        status = answers->after ? forward_head_prepare(checkpoint->model, OUTPUT_CLASSES,
                                                       trace->tokens, &rows, error)
                                : STATUS_MEMORY;
    }
    for (size_t layer = 0; rows && layer < answers->layers && status == STATUS_OK; layer++) {
        const bool last = layer + 1 == answers->layers;
        rows->count = trace->tokens;
        memcpy(rows->hidden, trace->layer[layer].output,
               trace->tokens * trace->hidden * sizeof *rows->hidden);
        pass.outputs[OUTPUT_CLASSES] = last ? trace->outputs[OUTPUT_CLASSES] : rows->logits;
        if (!last)
            status = forward_head(checkpoint->model, trace->tokens, rows, error);
        if (status == STATUS_OK)
            status = answer_of(checkpoint, encoded, &pass, &answers->after[layer], error);
    }
    free(rows);
    if (status != STATUS_OK) {
        layer_answers_free(answers);
        *result = NULL;
    }
    return status;
}

void layer_answers_free(void *thing)
{
    struct layer_answers *answers = thing;
    if (!answers)
        return;
    for (size_t layer = 0; answers->after && layer < answers->layers; layer++)
        answer_free(answers->after[layer]);
    free(answers->after);
    answer_free(answers->answer);
    answer_free(answers->before);
    free(answers);
}
