/* pipeline.c: a tokenizer put together, whichever files it came from: its frames, and the checks
 * that its parts fit each other. They are made here, once, so that encoding a text can only fail
 * for lack of memory or of a special token. */
#include "headlight/text/pipeline.h"

#include "headlight/base/size.h"

#include <stdlib.h>

/* ---- Frames ------------------------------------------------------------------------------- */

/* A class token, the texts A and B, a separator. */
void pipeline_frame(struct tokenizer *tokenizer, enum frame_style style, bool typed,
                    struct frame_item class, struct frame_item separator)
{
    static const char *const shapes[][2] = {[FRAME_BARE] = {"A", "AB"},
                                            [FRAME_SINGLE] = {"CAS", "CASBS"},
                                            [FRAME_DOUBLE] = {"CAS", "CASSBS"},
                                            [FRAME_ENDED] = {"AS", "ASBS"},
                                            [FRAME_LAST] = {"AS", "ABS"}};
    for (size_t i = 0; i < 2; i++) {
        struct frame *frame = &tokenizer->frames[i];
        bool second = false;
        frame->count = 0;
        for (const char *at = shapes[style][i]; *at; at++) {
            second |= *at == 'B';
            struct frame_item *item = &frame->items[frame->count++];
            *item = *at == 'C' ? class : *at == 'S' ? separator : (struct frame_item)
            {
                .is_text = true, .id = -1
            };
            item->type = typed && second;
        }
    }
}

/* ---- The whole ---------------------------------------------------------------------------- */

/* Labels of single pieces are made when the tokenizer is opened, since views ask for them on every
 * frame. */
static enum status label_pieces(struct tokenizer *tokenizer, struct error *error)
{
    size_t count = vocabulary_size(tokenizer->vocabulary), letters = 0, longest = 0, length;
    for (size_t id = 0; id < count; id++) {
        vocabulary_piece(tokenizer->vocabulary, (int32_t)id, &length);
        letters += LABEL_GROWTH * length + 1;
        longest = size_max(longest, length);
    }
    size_t bytes = count * sizeof(char *) + letters + longest + 1;
    if (!(tokenizer->labels = calloc(1, bytes)))
        return error_memory(error, "a tokenizer", bytes);
    char *copy = (char *)(tokenizer->labels + count), *out = copy + longest;
    for (size_t id = 0; id < count; id++) {
        tokenizer->labels[id] = out;
        const char *piece = vocabulary_piece(tokenizer->vocabulary, (int32_t)id, NULL);
        length = tokenizer->bytes ? label_write(piece, copy, out) : label_length(tokenizer, piece);
        out = tokenizer->bytes ? out + length : (char *)memcpy(out, piece, length) + length + 1;
    }
    return STATUS_OK;
}

size_t pipeline_size(const struct tokenizer *tokenizer)
{
    size_t size = vocabulary_size(tokenizer->vocabulary);
    for (size_t i = 0; i < tokenizer->added.count; i++)
        size = size_max(size, (size_t)tokenizer->added.items[i]->id + 1);
    return size;
}

enum status pipeline_finish(struct tokenizer *tokenizer, const char *mask, const char *name,
                            struct error *error)
{
    enum status status = added_prepare(&tokenizer->added, &tokenizer->normaliser, error);
    if (status == STATUS_LIMIT)
        return error_set(error, STATUS_LIMIT,
                         "%s: expected an added token that the steps make at most %d characters "
                         "of, or four times its own, found more",
                         name, ADDED_POINTS_MAX);
    if (status != STATUS_OK)
        return status;
    /* an id stands for one text: an added token may share it only with a piece that reads the same
     */
    for (size_t i = 0; i < tokenizer->added.count; i++) {
        const struct added_token *token = tokenizer->added.items[i];
        const struct added_token *other = added_of_id(&tokenizer->added, token->id);
        const char *piece = other != token
                                ? other->content
                                : vocabulary_piece(tokenizer->vocabulary, token->id, NULL);
        if (piece && *piece && strcmp(piece, token->content) != 0)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected an id of its own for the added token \"%.100s\", found "
                             "%ld, which is \"%.100s\"",
                             name, token->content, (long)token->id, piece);
    }
    /* -1 stands for a token that the vocabulary lacks: framing a text will say so */
    for (size_t i = 0; i < 2 * FRAME_MAX; i++) {
        const struct frame *frame = &tokenizer->frames[i / FRAME_MAX];
        const int32_t id = i % FRAME_MAX < frame->count ? frame->items[i % FRAME_MAX].id : -1;
        if (id >= 0 && *tokenizer_piece(tokenizer, id) == '\0')
            return error_set(error, STATUS_FORMAT,
                             "%s: expected the special tokens round a text to be in the "
                             "vocabulary, found the id %ld",
                             name, (long)id);
    }
    tokenizer->size = pipeline_size(tokenizer);
    /* a vocabulary may have a [MASK] of no use beside its <mask>: an added token goes first */
    const struct added_token *added = added_find(&tokenizer->added, "[MASK]");
    added = added ? added : added_find(&tokenizer->added, "<mask>");
    tokenizer->mask = mask    ? tokenizer_find(tokenizer, mask)
                      : added ? added->id
                              : tokenizer_find(tokenizer, "[MASK]");
    if (!mask && tokenizer->mask < 0)
        tokenizer->mask = tokenizer_find(tokenizer, "<mask>");
    return tokenizer->bytes || *tokenizer->suffix ? label_pieces(tokenizer, error) : STATUS_OK;
}

enum status tokenizer_strip(struct tokenizer *tokenizer, bool lower, struct error *error)
{
    const struct normal_step strip = {.kind = STEP_STRIP, .left = true, .right = true};
    if (normaliser_add(&tokenizer->raw, strip, error) != STATUS_OK)
        return error->status;
    return lower ? normaliser_add(&tokenizer->raw, (struct normal_step){.kind = STEP_LOWER_CASE},
                                  error)
                 : STATUS_OK;
}

void tokenizer_free(struct tokenizer *tokenizer)
{
    if (!tokenizer)
        return;
    added_free(&tokenizer->added);
    normaliser_free(&tokenizer->raw);
    normaliser_free(&tokenizer->normaliser);
    free(tokenizer->labels);
    free(tokenizer->bpe);
    free(tokenizer->unigram);
    free(tokenizer->scored);
    free(tokenizer->vocabulary);
    free(tokenizer);
}
