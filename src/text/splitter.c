/* splitter.c: where a text is cut: round the added tokens that it spells out, and into words. A
 * function here only says where the next one stands; the loops over them are in tokenizer.c.
 * Most tokenizers have few added tokens, a hundred or so: in a text they are searched one by one.
 */
#include "headlight/base/memory.h"
#include "headlight/text/pipeline.h"
#include "headlight/text/unicode.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* ---- Added tokens ------------------------------------------------------------------------- */

static int by_content(const void *a, const void *b)
{
    const struct added_token *left = a, *right = b;
    return strcmp(left->content, right->content);
}

static int by_id(const void *a, const void *b)
{
    const struct added_token *left = a, *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

const struct added_token *added_find(const struct added_tokens *tokens, const char *content)
{
    const struct added_token wanted = {.content = (char *)content};
    struct added_token *const *found = tfind(&wanted, &tokens->by_content, by_content);
    return found ? *found : NULL;
}

const struct added_token *added_of_id(const struct added_tokens *tokens, int32_t id)
{
    const struct added_token wanted = {.id = id};
    struct added_token *const *found = tfind(&wanted, &tokens->by_id, by_id);
    return found ? *found : NULL;
}

/* A token is one block with its content, and stays where it is: a second of the same content takes
 * its place. */
enum status added_put(struct added_tokens *tokens, const struct added_token *token,
                      struct error *error)
{
    struct added_token *own = (struct added_token *)added_find(tokens, token->content);
    const size_t length = strlen(token->content) + 1;
    if (!own) {
        struct added_token **items =
            memory_grow(tokens->items, &tokens->capacity, tokens->count + 1, sizeof(void *),
                        "a tokenizer", error);
        if (!items)
            return error->status;
        tokens->items = items;
        if (!(own = memory_new(1, sizeof *own + length, 0, "a tokenizer", error)))
            return error->status;
        own->content = memcpy(own + 1, token->content, length);
        if (!tsearch(own, &tokens->by_content, by_content)) {
            free(own);
            return error_memory(error, "a tokenizer", sizeof *own);
        }
        items[tokens->count++] = own;
    }
    *own = (struct added_token){.content = own->content,
                                .id = token->id,
                                .normalized = token->normalized,
                                .left = token->left,
                                .right = token->right};
    return STATUS_OK;
}

/* Most points begin no added token, which `opens` tells without comparing any. */
enum status added_prepare(struct added_tokens *tokens, const struct normaliser *normaliser,
                          struct error *error)
{
    for (size_t i = 0; i < tokens->count; i++) {
        struct added_token *token = tokens->items[i];
        if (!tsearch(token, &tokens->by_id, by_id))
            return error_memory(error, "a tokenizer", sizeof *token);
        points_read(text_of_string(token->content), &token->points);
        if (token->normalized)
            normaliser_apply(normaliser, &token->points, ADDED_POINTS_MAX);
        if (shortage_check(token->points.lacking, error) != STATUS_OK)
            return error->status;
        if (token->points.count > 0) /* else nothing is left of it */
            tokens->opens[token->normalized][token->points.items[0].code & 0xFF] = true;
    }
    return STATUS_OK;
}

static bool stands_at(const struct added_token *token, const struct points *points, size_t at)
{
    size_t i = 0;
    while (i < token->points.count && at + i < points->count &&
           points->items[at + i].code == token->points.items[i].code)
        i++;
    return i > 0 && i == token->points.count;
}

static const struct added_token *longest_at(const struct added_tokens *tokens, bool normalized,
                                            const struct points *points, size_t at)
{
    const struct added_token *longest = NULL;
    if (!tokens->opens[normalized][points->items[at].code & 0xFF])
        return NULL;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct added_token *token = tokens->items[i];
        if (token->normalized == normalized && stands_at(token, points, at) &&
            (!longest || token->points.count > longest->points.count))
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
        *match = (struct added_match){token, at, at + token->points.count};
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
        struct added_token *token = tokens->items[i];
        tdelete(token, &tokens->by_content, by_content);
        tdelete(token, &tokens->by_id, by_id);
        points_free(&token->points);
        free(token);
    }
    free(tokens->items);
    *tokens = (struct added_tokens){0};
}

/* ---- Rewriting ---------------------------------------------------------------------------- */

/* PREFIX_FIRST asks for the start of the text, not of a word: of its span, as points may be new. */
static bool wants_prefix(const struct splitter *splitter, const struct points *word, int32_t mark)
{
    int32_t first = word->items[0].code;
    bool there = first == mark || (splitter->kind == SPLITTER_METASPACE && first == ' ');
    return !there && (splitter->prefix == PREFIX_ALWAYS ||
                      (splitter->prefix == PREFIX_FIRST && word->items[0].span.start == 0));
}

const struct points *splitter_rewrite(const struct splitter *splitter, const struct points *word,
                                      struct points *buffer)
{
    bool marks = splitter->kind == SPLITTER_METASPACE;
    int32_t mark = marks ? splitter->mark : ' ';
    if (!marks && (splitter->kind != SPLITTER_BYTES || splitter->prefix == PREFIX_NEVER))
        return word;
    buffer->count = 0;
    if (wants_prefix(splitter, word, mark))
        points_add(buffer, (struct point){mark, word->items[0].span});
    size_t first = buffer->count;
    points_append(buffer, word->items, word->count);
    for (size_t i = first; i < buffer->count; i++)
        if (buffer->items[i].code == ' ')
            buffer->items[i].code = mark;
    return buffer;
}

/* ---- Runs of one class -------------------------------------------------------------------- */

enum run_class {
    CLASS_GAP,
    CLASS_WORD,
    CLASS_OTHER,
    CLASS_ALONE, /* a word by itself */
    CLASS_NUMBER,
};

/* White space is a gap for every kind; byte-level BPE keeps it and asks for it itself. */
static enum run_class class_of(enum splitter_kind kind, int32_t code)
{
    if (unicode_is_white_space(code))
        return CLASS_GAP;
    switch (kind) {
    case SPLITTER_BERT:
        return unicode_is_punctuation(code) ? CLASS_ALONE : CLASS_WORD;
    case SPLITTER_WORDS:
        return unicode_is_of_word(code) ? CLASS_WORD : CLASS_OTHER;
    case SPLITTER_BYTES:
        return unicode_is_letter(code)   ? CLASS_WORD
               : unicode_is_number(code) ? CLASS_NUMBER
                                         : CLASS_OTHER;
    default:
        return CLASS_WORD;
    }
}

static size_t run_length(enum splitter_kind kind, const struct points *points, size_t first)
{
    enum run_class class = class_of(kind, points->items[first].code);
    size_t end = first + 1;
    while (class != CLASS_ALONE && end < points->count &&
           class_of(kind, points->items[end].code) == class)
        end++;
    return end - first;
}

/* ---- The words of byte-level BPE ---------------------------------------------------------- */

/* The length of "'s", "'t", "'re" … at `first`, or 0. */
static size_t contraction_length(const struct points *points, size_t first)
{
    static const char *const endings[] = {"s", "t", "re", "ve", "m", "ll", "d"};
    const struct point *at = points->items + first + 1;
    size_t left = points->count - first - 1;
    if (points->items[first].code != '\'')
        return 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);
        if (left >= length && at[0].code == endings[i][0] &&
            (length == 1 || at[1].code == endings[i][1]))
            return length + 1;
    }
    return 0;
}

/* GPT-2's expression by hand, alternative by alternative, as no library here has \p{L}. */
size_t splitter_byte_word(const struct points *points, size_t first)
{
    size_t length = contraction_length(points, first);
    if (length > 0)
        return length;
    length = run_length(SPLITTER_BYTES, points, first);
    if (!unicode_is_white_space(points->items[first].code) || first + length == points->count)
        return length;
    /* The last space of a run belongs to the word behind it: it is left over, and then taken along
     * if it is U+0020. */
    if (length > 1)
        return length - 1;
    return points->items[first].code == ' ' ? 1 + run_length(SPLITTER_BYTES, points, first + 1) : 1;
}

/* ---- All kinds ---------------------------------------------------------------------------- */

size_t splitter_length(const struct splitter *splitter, const struct points *points, size_t first,
                       bool *gap)
{
    size_t end = first + 1;
    *gap = false;
    if (splitter->whole)
        return points->count - first;
    if (splitter->kind == SPLITTER_BYTES)
        return splitter_byte_word(points, first);
    if (splitter->kind != SPLITTER_METASPACE) {
        *gap = unicode_is_white_space(points->items[first].code);
        return run_length(splitter->kind, points, first);
    }
    while (end < points->count && points->items[end].code != splitter->mark)
        end++;
    return end - first;
}
