#include "headlight/text/added.h"

#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

static struct added_token *find(const struct added_tokens *tokens, const char *content)
{
    for (size_t i = 0; i < tokens->count; i++)
        if (strcmp(tokens->items[i].content, content) == 0)
            return &tokens->items[i];
    return NULL;
}

const struct added_token *added_find(const struct added_tokens *tokens, const char *content)
{
    return find(tokens, content);
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
    struct added_token *place = find(tokens, token->content), *grown;
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
