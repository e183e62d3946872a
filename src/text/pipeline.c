/* pipeline.c: the parts of a tokenizer: added tokens, frames, and all of it put together, whichever
 * files it came from. What has to fit is checked here, once. */
#include "headlight/text/pipeline.h"

#include "headlight/base/size.h"
#include "headlight/text/labels.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- Added tokens ------------------------------------------------------------------------- */

static struct added_token *find_added(const struct added_tokens *tokens, const char *content)
{
    for (size_t i = 0; i < tokens->count; i++)
        if (strcmp(tokens->items[i].content, content) == 0)
            return &tokens->items[i];
    return NULL;
}

const struct added_token *added_find(const struct added_tokens *tokens, const char *content)
{
    return find_added(tokens, content);
}

const struct added_token *added_of_id(const struct added_tokens *tokens, int32_t id)
{
    for (size_t i = 0; i < tokens->count; i++)
        if (tokens->items[i].id == id)
            return &tokens->items[i];
    return NULL;
}

enum status added_put(struct added_tokens *tokens, const struct added_token *token,
                      struct error *error)
{
    struct added_token *place = find_added(tokens, token->content), *grown;
    struct added_token copy = *token;
    size_t bytes = (tokens->count + 1) * sizeof copy;
    if (!place) {
        if (!(copy.content = strdup(token->content)))
            return error_memory(error, "a tokenizer", strlen(token->content));
        if (!(grown = realloc(tokens->items, bytes))) {
            free(copy.content);
            return error_memory(error, "a tokenizer", bytes);
        }
        tokens->items = grown;
        place = grown + tokens->count++;
    } else {
        copy.content = place->content;
    }
    *place = copy;
    place->codes = (struct codes){0};
    return STATUS_OK;
}

/* The content as the normaliser leaves it. */
static enum status normalise_content(struct added_token *token, const struct normaliser *normaliser,
                                     struct error *error)
{
    struct points points = {0};
    struct text text = {token->content, strlen(token->content)};
    enum status status = points_read(text, &points, error);
    if (status == STATUS_OK)
        status = normaliser_apply(normaliser, &points, error);
    if (status == STATUS_OK) {
        int32_t *codes = realloc(token->codes.items, (points.count + 1) * sizeof *codes);
        if (!codes)
            status = error_memory(error, "a tokenizer", points.count * sizeof *codes);
        for (size_t i = 0; codes && i < points.count; i++)
            codes[i] = points.items[i].code;
        if (codes)
            token->codes = (struct codes){codes, points.count};
    }
    points_free(&points);
    return status;
}

enum status added_prepare(struct added_tokens *tokens, const struct normaliser *normaliser,
                          struct error *error)
{
    for (size_t i = 0; i < tokens->count; i++) {
        struct added_token *token = &tokens->items[i];
        if (codes_of(token->content, &token->codes, error) != STATUS_OK ||
            (token->normalized && normalise_content(token, normaliser, error) != STATUS_OK))
            return error->status;
        if (token->codes.count > 0) /* else nothing is left of it */
            tokens->opens[token->normalized][token->codes.items[0] & 0xFF] = true;
    }
    return STATUS_OK;
}

static bool stands_at(const struct added_token *token, const struct points *points, size_t at)
{
    size_t i = 0;
    while (i < token->codes.count && at + i < points->count &&
           points->items[at + i].code == token->codes.items[i])
        i++;
    return i > 0 && i == token->codes.count;
}

static const struct added_token *longest_at(const struct added_tokens *tokens, bool normalized,
                                            const struct points *points, size_t at)
{
    const struct added_token *longest = NULL;
    if (!tokens->opens[normalized][points->items[at].code & 0xFF])
        return NULL;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct added_token *token = &tokens->items[i];
        if (token->normalized == normalized && stands_at(token, points, at) &&
            (!longest || token->codes.count > longest->codes.count))
            longest = token;
    }
    return longest;
}

bool added_next(const struct added_tokens *tokens, bool normalized, const struct points *points,
                size_t from, struct added_match *match)
{
    for (size_t at = from; at < points->count; at++) {
        const struct added_token *token = longest_at(tokens, normalized, points, at);
        if (!token)
            continue;
        *match = (struct added_match){token, at, at + token->codes.count};
        while (token->left && match->first > from &&
               unicode_is_white_space(points->items[match->first - 1].code))
            match->first--;
        while (token->right && match->end < points->count &&
               unicode_is_white_space(points->items[match->end].code))
            match->end++;
        return true;
    }
    return false;
}

void added_free(struct added_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        free(tokens->items[i].content);
        free(tokens->items[i].codes.items);
    }
    free(tokens->items);
    *tokens = (struct added_tokens){0};
}

/* ---- Frames ------------------------------------------------------------------------------- */

static void frame_add(struct frame *frame, struct frame_item item, uint8_t type)
{
    item.type = type;
    frame->items[frame->count++] = item;
}

struct frame pipeline_frame(enum frame_style style, size_t texts, bool typed,
                            struct frame_item class, struct frame_item separator)
{
    struct frame frame = {.count = 0};
    if (style != FRAME_BARE)
        frame_add(&frame, class, 0);
    for (size_t i = 0; i < texts; i++) {
        uint8_t type = typed && i > 0;
        if (style == FRAME_DOUBLE && i > 0)
            frame_add(&frame, separator, 0);
        frame_add(&frame, (struct frame_item){.is_text = true, .id = -1}, type);
        if (style != FRAME_BARE)
            frame_add(&frame, separator, type);
    }
    return frame;
}

/* ---- The whole ---------------------------------------------------------------------------- */

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

/* Whether a piece is not its own label: only ASCII and its signs are. */
static bool is_odd(const char *piece)
{
    bool odd = false;
    for (size_t length = strlen(piece), at = 0; at < length && !odd;) {
        int32_t code;
        at += unicode_next(piece + at, length - at, &code);
        odd = code >= 0x80 && bpe_byte_of(code) >= 0x80;
    }
    return odd;
}

static enum status label_pieces(struct tokenizer *tokenizer, struct error *error)
{
    size_t count = vocabulary_size(tokenizer->vocabulary), letters = 0, longest = 0, length;
    for (size_t id = 0; id < count; id++)
        if (is_odd(vocabulary_piece(tokenizer->vocabulary, (int32_t)id, &length))) {
            letters += LABEL_ROOM * length + 1;
            longest = size_max(longest, length);
        }
    size_t bytes = count * sizeof(char *) + letters + longest + 1;
    if (!(tokenizer->labels = calloc(1, bytes)))
        return error_memory(error, "a tokenizer", bytes);
    char *room = (char *)(tokenizer->labels + count), *out = room + longest;
    for (size_t id = 0; id < count; id++) {
        const char *piece = vocabulary_piece(tokenizer->vocabulary, (int32_t)id, NULL);
        if (!is_odd(piece))
            continue;
        tokenizer->labels[id] = out;
        out += label_write(piece, room, out);
    }
    return STATUS_OK;
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
    return tokenizer->model == PIECES_BPE ? label_pieces(tokenizer, error) : STATUS_OK;
}

void tokenizer_free(struct tokenizer *tokenizer)
{
    if (!tokenizer)
        return;
    added_free(&tokenizer->added);
    normaliser_free(&tokenizer->normaliser);
    free(tokenizer->labels);
    free(tokenizer->bpe);
    free(tokenizer->unigram);
    free(tokenizer->vocabulary);
    free(tokenizer);
}
