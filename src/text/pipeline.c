#include "headlight/text/pipeline.h"

#include "headlight/text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

static enum status check_ids(const struct tokenizer *tokenizer, const char *name,
                             struct error *error)
{
    for (size_t i = 0; i < tokenizer->added.count; i++) {
        const struct added_token *token = &tokenizer->added.items[i];
        const char *piece = vocabulary_piece(tokenizer->vocabulary, token->id, NULL);
        const struct added_token *other = added_of_id(&tokenizer->added, token->id);
        if (other != token)
            piece = other->content;
        if (piece && *piece && strcmp(piece, token->content) != 0)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected an id of its own for the added token \"%.100s\", found "
                             "%ld, which is \"%.100s\"",
                             name, token->content, (long)token->id, piece);
    }
    return STATUS_OK;
}

/* -1 stands for a token that the vocabulary lacks: framing a text will say so. */
static enum status check_frames(const struct tokenizer *tokenizer, const char *name,
                                struct error *error)
{
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < tokenizer->frames[i].count; k++) {
            const struct frame_item *item = &tokenizer->frames[i].items[k];
            const char *piece = tokenizer_piece(tokenizer, item->id);
            if (item->id >= 0 && (!piece || *piece == '\0'))
                return error_set(error, STATUS_FORMAT,
                                 "%s: expected the special tokens round a text to be in the "
                                 "vocabulary, found the id %ld",
                                 name, (long)item->id);
        }
    return STATUS_OK;
}

/* A vocabulary may have a [MASK] of no use beside its <mask>: an added token goes first. */
static int32_t find_mask(const struct tokenizer *tokenizer, const char *mask)
{
    static const char *const names[] = {"[MASK]", "<mask>"};
    int32_t id = mask ? tokenizer_find(tokenizer, mask) : -1;
    for (size_t i = 0; i < 2 && !mask; i++) {
        const struct added_token *added = added_find(&tokenizer->added, names[i]);
        if (added)
            return added->id;
    }
    for (size_t i = 0; i < 2 && !mask && id < 0; i++)
        id = tokenizer_find(tokenizer, names[i]);
    return id;
}

enum status pipeline_finish(struct tokenizer *tokenizer, const char *mask, const char *name,
                            struct error *error)
{
    if (check_ids(tokenizer, name, error) != STATUS_OK ||
        check_frames(tokenizer, name, error) != STATUS_OK ||
        added_prepare(&tokenizer->added, &tokenizer->normaliser, error) != STATUS_OK)
        return error->status;
    tokenizer->size = vocabulary_size(tokenizer->vocabulary);
    for (size_t i = 0; i < tokenizer->added.count; i++)
        if ((size_t)tokenizer->added.items[i].id >= tokenizer->size)
            tokenizer->size = (size_t)tokenizer->added.items[i].id + 1;
    tokenizer->mask = find_mask(tokenizer, mask);
    return STATUS_OK;
}

void tokenizer_free(struct tokenizer *tokenizer)
{
    if (!tokenizer)
        return;
    added_free(&tokenizer->added);
    normaliser_free(&tokenizer->normaliser);
    free(tokenizer->bpe);
    free(tokenizer->unigram);
    free(tokenizer->vocabulary);
    free(tokenizer);
}
