/* answers_tags.c: a tag for each token, and tokens that belong together, as the pipeline's strategy
 * "simple" has it. Its other strategies (first, average, max) give a word's pieces one tag, which
 * hides where a model contradicts itself within a word. */
#include "headlight/lens/answers.h"

#include "headlight/base/memory.h"
#include "headlight/lens/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool answer_is_outside(const struct labels *labels, size_t label)
{
    return strcmp(labels->names[label], "O") == 0;
}

/* ---- Groups ------------------------------------------------------------------------------- */

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

/* Tags first … end-1. `words` is room for theirs. A group is called what follows the first hyphen
 * of its first label. */
static enum status add_group(const struct answer_read *read, struct answer *answer, size_t first,
                             size_t end, struct text *words, struct error *error)
{
    const struct tag *tags = answer->tags;
    const char *label = answer->labels->names[tags[first].label], *hyphen = strchr(label, '-');
    const char *name = hyphen ? hyphen + 1 : label;
    const struct token *tokens = read->encoding->tokens;
    if (strcmp(name, "O") == 0)
        return STATUS_OK;
    struct tag_group group = {.name = name, .tokens = {tags[first].token, tags[end - 1].token + 1}};
    for (size_t i = first; i < end; i++) {
        words[i - first] = tags[i].word;
        group.score += tags[i].score / (double)(end - first);
    }
    group.word = tokenizer_spell(read->tokenizer, words, end - first, error);
    if (!group.word)
        return error->status;
    group.passage = answer_passage(
        read, tags[first].passage.sentence,
        (struct span){tokens[tags[first].token].span.start, tokens[tags[end - 1].token].span.end});
    answer->groups[answer->group_count++] = group;
    return STATUS_OK;
}

/* Tokens outside are groups, too, and only then dropped: they stand between others. */
enum status answer_tags(const struct answer_read *read, const struct labels *labels,
                        const float *logits, struct answer **answer, struct error *error)
{
    const struct encoding *encoding = read->encoding;
    const size_t T = encoding->count, L = labels->count;
    struct answer *made = *answer = memory_new(1, sizeof *made, 0, "an answer", error);
    if (!made)
        return error->status;
    enum status status = STATUS_OK;
    made->kind = ANSWER_TAGS;
    made->labels = labels;
    made->tags = memory_new(T, sizeof *made->tags, 0, "the tags of tokens", error);
    made->groups = memory_new(T, sizeof *made->groups, 0, "the groups of tags", error);
    struct text *words = memory_new(T, sizeof *words, 0, "the words of tags", error);
    if (!made->tags || !made->groups || !words)
        status = STATUS_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < T; i++, logits += L) {
        const struct token *token = &encoding->tokens[i];
        struct tag tag = {.token = i, .label = predict_likeliest(logits, L)};
        if (token->added)
            continue;
        tag.score = exp((double)logits[tag.label] - predict_total(logits, L, NULL));
        tag.passage = answer_passage(read, token->sentence, token->span);
        tag.word = token->id == tokenizer_unknown(read->tokenizer) /* which says nothing */
                       ? tag.passage.text
                       : text_of_string(tokenizer_piece(read->tokenizer, token->id));
        made->tags[made->tag_count++] = tag;
    }
    for (size_t first = 0, end; status == STATUS_OK && first < made->tag_count; first = end) {
        for (end = first + 1; end < made->tag_count && continues(made, end);)
            end++;
        status = add_group(read, made, first, end, words, error);
    }
    free(words);
    if (status != STATUS_OK) {
        answer_free(made);
        *answer = NULL;
    }
    return status;
}
