#include "headlight/app/passage.h"

#include "headlight/lens/words.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

static size_t without_nuls(char *text, size_t length)
{
    size_t kept = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\0')
            text[kept++] = text[i];
    text[kept] = '\0';
    return kept;
}

/* The passage's own copies, in which what is not UTF-8 is U+FFFD: spans, screens and exports then
 * speak of the same bytes. NULs, which the tokenizer drops, end no text before its end. */
static enum status take_texts(struct passage *passage, const struct text *texts, size_t count,
                              struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        char *copy = unicode_repair(texts[i].bytes, texts[i].length, &passage->texts[i].length);
        if (!copy)
            return error_memory(error, "the text", texts[i].length);
        passage->texts[i].length = without_nuls(copy, passage->texts[i].length);
        passage->texts[i].bytes = copy;
        passage->text_count++;
    }
    return STATUS_OK;
}

static enum status encode(struct passage *passage, const struct tokenizer *tokenizer, bool special,
                          struct error *error)
{
    struct encoding *encoding;
    enum status status =
        tokenizer_encode(tokenizer, passage->texts, passage->text_count, special, &encoding, error);
    passage->encoding = status == STATUS_OK ? encoding : NULL;
    return status;
}

static enum status make_trace(struct passage *passage, const struct model *model, bool logits,
                              struct error *error)
{
    size_t count = passage->encoding->count;
    int32_t *ids = malloc((2 * count + 1) * sizeof *ids);
    if (!ids)
        return error_memory(error, "the tokens", 2 * count * sizeof *ids);
    for (size_t i = 0; i < count; i++) {
        ids[i] = passage->encoding->tokens[i].id;
        ids[count + i] = passage->encoding->tokens[i].segment;
    }
    enum status status =
        encoder_prepare(model, ids, ids + count, count, logits, &passage->trace, error);
    free(ids);
    return status;
}

/* Labels of the tokens of an encoding: both sides' own. */
static enum status make_labels(struct passage *passage, const struct tokenizer *tokenizer,
                               struct error *error)
{
    const struct encoding *encoding = passage->encoding;
    const char **labels = malloc((encoding->count + 1) * sizeof *labels);
    if (!labels)
        return error_memory(error, "the tokens", encoding->count * sizeof *labels);
    struct token_side side = {.count = encoding->count, .labels = labels};
    for (size_t i = 0; i < encoding->count; i++) {
        labels[i] = tokenizer_piece(tokenizer, encoding->tokens[i].id);
        side.boundary += encoding->tokens[i].segment == 0;
    }
    passage->labels = labels;
    passage->sides[SIDE_LEFT] = passage->sides[SIDE_RIGHT] = side;
    return STATUS_OK;
}

/* Which tokens are special, which separators. What the tokenizer added is, whatever its label. */
static enum status make_flags(struct passage *passage, struct error *error)
{
    struct token_side *sides = passage->sides;
    size_t left = sides[SIDE_LEFT].count, right = sides[SIDE_RIGHT].count;
    bool *flags = malloc(left + 2 * right + 1);
    if (!flags)
        return error_memory(error, "the tokens", left + 2 * right);
    bool *separators = flags + left + right;
    for (size_t i = 0; i < left + right; i++) {
        size_t token = i < left ? i : i - left;
        const char *label = sides[i < left ? SIDE_LEFT : SIDE_RIGHT].labels[token];
        flags[i] = words_is_special(label) ||
                   (passage->encoding && passage->encoding->tokens[token].added);
        if (i >= left)
            separators[token] = words_is_separator(label);
    }
    sides[SIDE_LEFT].special = flags;
    sides[SIDE_RIGHT].special = flags + left;
    passage->separators = separators;
    passage->flags = flags;
    return STATUS_OK;
}

enum status passage_new(const struct checkpoint *checkpoint, const struct text *texts, size_t count,
                        struct reading how, struct passage **out, struct error *error)
{
    struct passage *passage = calloc(1, sizeof *passage);
    *out = NULL;
    if (!passage)
        return error_memory(error, "the text", sizeof *passage);
    passage->trace_owned = true;
    if (take_texts(passage, texts, count, error) != STATUS_OK ||
        encode(passage, checkpoint->tokenizer, how.special, error) != STATUS_OK ||
        make_trace(passage, checkpoint->model, how.logits, error) != STATUS_OK ||
        make_labels(passage, checkpoint->tokenizer, error) != STATUS_OK ||
        make_flags(passage, error) != STATUS_OK) {
        passage_free(passage);
        return error->status;
    }
    *out = passage;
    return STATUS_OK;
}

enum status passage_of_trace(struct trace *trace, const struct token_side sides[2],
                             struct passage **out, struct error *error)
{
    struct passage *passage = calloc(1, sizeof *passage);
    *out = NULL;
    if (!passage)
        return error_memory(error, "the tokens", sizeof *passage);
    passage->trace = trace;
    memcpy(passage->sides, sides, sizeof passage->sides);
    enum status status = make_flags(passage, error);
    if (status == STATUS_OK)
        *out = passage;
    else
        passage_free(passage);
    return status;
}

enum status passage_of_recording(const struct recording *recording, struct passage **out,
                                 struct error *error)
{
    struct token_side sides[2];
    struct text texts[2];
    for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        sides[side] = (struct token_side){side == SIDE_LEFT ? recording->trace->tokens
                                                            : recording->trace->attended,
                                          recording->boundary[side], recording->labels[side], NULL};
    for (size_t i = 0; i < recording->text_count; i++)
        texts[i] = (struct text){recording->texts[i], strlen(recording->texts[i])};
    enum status status = passage_of_trace(recording->trace, sides, out, error);
    if (status != STATUS_OK)
        return status;
    status = take_texts(*out, texts, recording->text_count, error);
    if (status != STATUS_OK) {
        passage_free(*out);
        *out = NULL;
    }
    return status;
}

void passage_free(struct passage *passage)
{
    if (!passage)
        return;
    for (size_t i = 0; i < passage->text_count; i++)
        free((char *)passage->texts[i].bytes);
    free(passage->encoding);
    free(passage->labels);
    free(passage->flags);
    if (passage->trace_owned)
        free(passage->trace);
    free(passage);
}
