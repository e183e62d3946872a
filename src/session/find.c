/* find.c: finds tokens by their names, for settings and lessons. A name may mean a token that isn't
 * shown as such at the moment, so it is also looked for among the pieces and words of the text. */
#include "headlight/session/find.h"

#include "headlight/lens/answers.h"

#include <stdlib.h>
#include <strings.h>

/* A digit, or in signs one of U+2080 … U+2089; -1 for anything else. */
static int digit_at(const char *at, bool ascii)
{
    const unsigned char *bytes = (const unsigned char *)at;
    if (ascii)
        return *at >= '0' && *at <= '9' ? *at - '0' : -1;
    bool subscript = strncmp(at, "\xE2\x82", 2) == 0 && bytes[2] >= 0x80 && bytes[2] <= 0x89;
    return subscript ? bytes[2] - 0x80 : -1;
}

/* Which one it is among tokens of one name as scene_name writes it, from 1: "₂", "#2". */
static bool find_read_nth(const char *at, size_t *nth)
{
    const bool ascii = *at == '#';
    int digit;
    *nth = 0;
    for (at += ascii; *nth < 1000000 && (digit = digit_at(at, ascii)) >= 0; at += ascii ? 1 : 3)
        *nth = *nth * 10 + (size_t)digit;
    return *at == '\0' && *nth > 0;
}

/* NO_TOKEN for anything else than a number below `count`, or with a minus one from the end. */
static size_t find_by_number(const char *name, size_t count)
{
    char *end;
    const bool back = *name == '-';
    unsigned long long index = strtoull(name + back, &end, 10);
    bool number = digit_at(name + back, true) >= 0 && *end == '\0';
    index = back ? count - index : index;
    return number && index < count ? (size_t)index : NO_TOKEN;
}

/* First what can be seen, then everything; exactly, then in any case; by label, then by label and a
 * number among those of the label; then a masked token by its text before masking. So "the" finds
 * "the" before "The", and a visible one before one that the filter hides. */
size_t find_token(const struct scene *scene, const char *name, enum side side)
{
    const struct token_range all = {0, scene_count(scene, side)}, shown = scene_range(scene, side);
    const struct encoded *encoded = scene->data.encoded;
    if (name[0] == '#' && find_by_number(name + 1, all.end) != NO_TOKEN)
        return find_by_number(name + 1, all.end);
    for (int i = 0; i < 6; i++) {
        const struct token_range range = i < 2 ? shown : all;
        size_t before = 0, nth;
        for (size_t token = range.first; token < range.end; token++) {
            const char *label = scene_label(scene, side, token);
            const size_t length = strlen(label);
            if ((i % 2 == 0 ? strncmp : strncasecmp)(label, name, length) == 0 &&
                (i < 4 ? name[length] == '\0'
                       : find_read_nth(name + length, &nth) && ++before == nth))
                return token;
        }
    }
    for (size_t i = 0; i < encoded->masked.count; i++) {
        const size_t token =
            attention_shown(scene->data.attention, side, encoded->masked.tokens[i]);
        const int32_t id = encoded->encoding->tokens[encoded->masked.tokens[i]].id;
        if (token != NO_TOKEN &&
            strcasecmp(tokenizer_label(scene->data.checkpoint->tokenizer, id), name) == 0)
            return token;
    }
    return find_by_number(name, all.end);
}

/* Looks among tokens as they would be shown with special ones, in pieces or in words. */
static bool find_unshown(const struct scene *scene, const char *name, enum side side, bool words,
                         struct token_range *pieces)
{
    const struct data *data = &scene->data;
    const struct shape shape = {.words = words};
    const struct token_range none = {0, 0};
    struct scene other = *scene;
    struct error error;
    if (attention_new(data->map, data->encoded->sides, &shape, none, &other.data.attention,
                      &error) != STATUS_OK)
        return false;
    size_t token = find_token(&other, name, side);
    if (token != NO_TOKEN)
        *pieces = other.data.attention->tokens[side].of[token];
    attention_free(other.data.attention);
    return token != NO_TOKEN;
}

/* Without attention nothing is shown; callers check that. Last, as it stands in a text, where
 * pieces lack its accents or hyphens part it. */
bool find_pieces(const struct scene *scene, const char *name, enum side side,
                 struct token_range *pieces)
{
    const struct encoded *encoded = scene->data.encoded;
    size_t token = find_token(scene, name, side);
    if (token != NO_TOKEN) {
        *pieces = scene->data.attention->tokens[side].of[token];
        return true;
    }
    if (find_by_number(name + (name[0] == '#'), SIZE_MAX) != NO_TOKEN)
        return false; /* a number is one shown on screen */
    if (find_unshown(scene, name, side, false, pieces) ||
        find_unshown(scene, name, side, true, pieces))
        return true;
    *pieces = (struct token_range){0};
    for (size_t i = 0; encoded->encoding && i < encoded->text_count && pieces->end == 0; i++)
        *pieces = answer_span_find(encoded, i, text_of_string(name));
    return pieces->end > 0;
}

bool find_next_item(const char **list, struct find_item *item)
{
    if (!*list)
        return false;
    size_t length = strcspn(*list, ",");
    size_t kept = length < sizeof item->text ? length : sizeof item->text - 1;
    snprintf(item->text, sizeof item->text, "%.*s", (int)kept, *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return true;
}
