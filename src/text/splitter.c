/* splitter.c: where a text is cut: round the added tokens that it spells out, and into words. A
 * function here only says where the next one stands; the loops over them are in tokenizer.c.
 * Most tokenizers have few added tokens, a hundred or so: in a text they are searched one by one.
 */
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/pipeline.h"
#include "headlight/text/unicode.h"

#include <search.h>

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
        if (memory_grow(&tokens->items, &tokens->capacity, tokens->count + 1, sizeof(void *),
                        "a tokenizer", error) != STATUS_OK)
            return error->status;
        if (!(own = memory_new(1, sizeof *own + length, 0, "a tokenizer", error)))
            return error->status;
        own->content = memcpy(own + 1, token->content, length);
        if (!tsearch(own, &tokens->by_content, by_content)) {
            free(own);
            return error_memory(error, "a tokenizer", sizeof *own);
        }
        tokens->items[tokens->count++] = own;
    }
    *own = (struct added_token){.content = own->content,
                                .id = token->id,
                                .normalized = token->normalized,
                                .left = token->left,
                                .right = token->right,
                                .special = token->special};
    return STATUS_OK;
}

/* Most points begin no added token, which `opens` tells without comparing any. */
enum status added_prepare(struct added_tokens *tokens, const struct normaliser *normaliser,
                          struct error *error)
{
    error->status = STATUS_OK;
    for (size_t i = 0; error->status == STATUS_OK && i < tokens->count; i++) {
        struct added_token *token = tokens->items[i];
        if (!tsearch(token, &tokens->by_id, by_id))
            return error_memory(error, "a tokenizer", sizeof *token);
        token->points.error = error;
        points_read(text_of_string(token->content), &token->points);
        if (token->normalized)
            normaliser_apply(normaliser, &token->points, ADDED_POINTS_MAX);
        if (token->points.count > 0) /* else nothing is left of it */
            tokens->opens[token->normalized][token->points.items[0].code & 0xFF] = true;
        token->points.error = NULL;
    }
    return error->status;
}

bool added_next(const struct added_tokens *tokens, bool normalized, const struct points *points,
                size_t from, struct added_match *match)
{
    for (size_t at = from; at < points->count; at++) {
        const struct added_token *token = NULL;
        const bool opens = tokens->opens[normalized][points->items[at].code & 0xFF];
        for (size_t i = 0; opens && i < tokens->count; i++) {
            const struct points *own = &tokens->items[i]->points;
            size_t same = 0;
            while (same < own->count && at + same < points->count &&
                   points->items[at + same].code == own->items[same].code)
                same++;
            if (tokens->items[i]->normalized == normalized && same > 0 && same == own->count &&
                (!token || own->count > token->points.count))
                token = tokens->items[i];
        }
        if (!token)
            continue;
        *match = (struct added_match){token, at, at + token->points.count};
        while (token->left && match->first > from &&
               unicode_is(points->items[match->first - 1].code, UNICODE_WHITE_SPACE))
            match->first--;
        while (token->right && match->end < points->count &&
               unicode_is(points->items[match->end].code, UNICODE_WHITE_SPACE))
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
const struct points *splitter_rewrite(const struct splitter *splitter, const struct points *word,
                                      struct points *buffer)
{
    if (splitter->space == 0 || (splitter->space == ' ' && splitter->prefix == PREFIX_NEVER))
        return word;
    buffer->count = 0;
    const struct point *begin = word->items;
    if (begin->code != ' ' && begin->code != splitter->space &&
        (splitter->prefix == PREFIX_ALWAYS ||
         (splitter->prefix == PREFIX_FIRST && begin->span.start == 0)))
        points_add(buffer, (struct point){splitter->space, word->items[0].span});
    size_t first = buffer->count;
    points_append(buffer, word->items, word->count);
    for (size_t i = first; i < buffer->count; i++)
        if (buffer->items[i].code == ' ')
            buffer->items[i].code = splitter->space;
    return buffer;
}

/* ---- Expressions -------------------------------------------------------------------------- */

/* A set of code points: those of some classes, or all the others. */
#define NOT 0x8000U

static bool is_in(int32_t code, unsigned set)
{
    return unicode_is(code, set & ~NOT) == !(set & NOT);
}

/* What follows a run: nothing, or what makes it give some of itself back. */
enum ending { ENDS_ANYWHERE, ENDS_IN_BREAK, ENDS_BEFORE_SPACE };

/* The alternatives that are known: at most one of `leading`, one to `most` (0: any number) of
 * `body`, any number of `trailing`; without a body the letters themselves. No point is of two of a
 * row's sets, so that what was taken never has to be given back but as `ending` says. No library
 * here has \p{L}. */
static const struct alternative {
    const char *expression;
    unsigned leading, body, trailing; /* sets */
    size_t most;
    enum ending ending;
} known[] = {
    {.expression = "'s"},
    {.expression = "'t"},
    {.expression = "'re"},
    {.expression = "'ve"},
    {.expression = "'m"},
    {.expression = "'ll"},
    {.expression = "'d"},
    {"\\p{L}+", .body = UNICODE_LETTER},
    {" ?\\p{L}+", .leading = UNICODE_BLANK, .body = UNICODE_LETTER},
    {"[^\\r\\n\\p{L}\\p{N}]?\\p{L}+",
     .leading = NOT | UNICODE_BREAK | UNICODE_LETTER | UNICODE_NUMBER, .body = UNICODE_LETTER},
    {"\\p{N}", .body = UNICODE_NUMBER, .most = 1},
    {"\\p{N}{1,3}", .body = UNICODE_NUMBER, .most = 3},
    {"\\p{N}+", .body = UNICODE_NUMBER},
    {" ?\\p{N}+", .leading = UNICODE_BLANK, .body = UNICODE_NUMBER},
    {" ?[^\\s\\p{L}\\p{N}]+", .leading = UNICODE_BLANK,
     .body = NOT | UNICODE_WHITE_SPACE | UNICODE_LETTER | UNICODE_NUMBER},
    {" ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*", UNICODE_BLANK,
     NOT | UNICODE_WHITE_SPACE | UNICODE_LETTER | UNICODE_NUMBER, UNICODE_BREAK, 0, ENDS_ANYWHERE},
    {"\\s*[\\r\\n]+", .body = UNICODE_WHITE_SPACE, .ending = ENDS_IN_BREAK},
    {"\\s+(?!\\S)", .body = UNICODE_WHITE_SPACE, .ending = ENDS_BEFORE_SPACE},
    {"\\s+", .body = UNICODE_WHITE_SPACE},
    {"\\S+", .body = NOT | UNICODE_WHITE_SPACE},
    {"\\w+", .body = UNICODE_WORD},
    {"[^\\w\\s]+", .body = NOT | UNICODE_WHITE_SPACE | UNICODE_WORD},
    {SPLITTER_MARK, .body = UNICODE_PUNCTUATION, .most = 1},
    {SPLITTER_PLAIN, .body = NOT | UNICODE_WHITE_SPACE | UNICODE_PUNCTUATION},
};

/* Of an alternative in any case, (?i:…). */
#define FOLDED 0x80

/* Besides ASCII only the long s is one of these letters in another case. */
static int32_t fold(int32_t code)
{
    return code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code == 0x17F ? 's' : code;
}

/* How many points from `first` on an alternative matches; 0: it doesn't. */
static size_t match_length(uint8_t number, const struct points *points, size_t first)
{
    const struct alternative *row = &known[number & ~FOLDED];
    const struct point *at = points->items + first;
    const size_t left = points->count - first;
    size_t length = 0;
    if (!row->body) {
        for (const char *letter = row->expression; *letter; letter++, length++)
            if (length == left ||
                (number & FOLDED ? fold(at[length].code) : at[length].code) != *letter)
                return 0;
        return length;
    }
    const size_t body = row->leading && is_in(at[0].code, row->leading);
    for (length = body; length < left && (row->most == 0 || length - body < row->most); length++)
        if (!is_in(at[length].code, row->body))
            break;
    if (length == body)
        return 0;
    while (row->trailing && length < left && is_in(at[length].code, row->trailing))
        length++;
    while (row->ending == ENDS_IN_BREAK && length > 0 &&
           !unicode_is(at[length - 1].code, UNICODE_BREAK))
        length--;
    return row->ending == ENDS_BEFORE_SPACE && length < left ? length - 1 : length;
}

/* Without \s+ behind it, \s*[\r\n]+ would look for a line break from each blank of a long run. */
struct text splitter_look_for(struct splitter *splitter, struct text expression)
{
    static const char any_case[] = "(?i:";
    const size_t open = sizeof any_case - 1;
    uint8_t folded = 0;
    struct text breaks = {NULL, 0};
    while (expression.bytes) {
        const char *const bytes = expression.bytes;
        const size_t length = expression.length;
        bool bracket = false;
        size_t at = 0, row = 0;
        for (; at < length && (bracket || bytes[at] != '|'); at++) { /* one outside brackets */
            bracket = bytes[at] == '[' || (bracket && bytes[at] != ']');
            at += bytes[at] == '\\' && at + 1 < length;
        }
        expression =
            at < length ? (struct text){bytes + at + 1, length - at - 1} : (struct text){NULL, 0};
        const struct text whole = {bytes, at};
        struct text one = whole;
        if (one.length > open && memcmp(one.bytes, any_case, open) == 0) {
            one = (struct text){one.bytes + open, one.length - open};
            folded = FOLDED;
        }
        const bool closed = folded && one.length > 0 && one.bytes[one.length - 1] == ')';
        one.length -= closed;
        while (row < LENGTH(known) && (strlen(known[row].expression) != one.length ||
                                       memcmp(known[row].expression, one.bytes, one.length) != 0))
            row++;
        if (row == LENGTH(known) || splitter->count == ALTERNATIVES_MAX ||
            (folded && !closed && !expression.bytes))
            return whole;
        splitter->alternatives[splitter->count++] = (uint8_t)row | folded;
        folded = closed ? 0 : folded;
        if (known[row].ending == ENDS_IN_BREAK)
            breaks = whole;
        else if (known[row].body == UNICODE_WHITE_SPACE && known[row].ending == ENDS_ANYWHERE)
            breaks = (struct text){NULL, 0};
    }
    return breaks;
}

/* ---- Words -------------------------------------------------------------------------------- */

/* How many points of what a splitter looks for begin at `first`. */
static size_t found_length(const struct splitter *splitter, const struct points *points,
                           size_t first)
{
    size_t length = 0;
    if (splitter->count == 0)
        return points->items[first].code == splitter->mark;
    for (size_t i = 0; i < splitter->count && length == 0; i++)
        length = match_length(splitter->alternatives[i], points, first);
    return length;
}

size_t splitter_length(const struct splitter *splitter, const struct points *points, size_t first,
                       bool *gap)
{
    const enum splitter_rule rule = splitter->rule;
    const size_t found = rule == RULE_WHOLE ? 0 : found_length(splitter, points, first);
    size_t end = first + found, next = 0;
    *gap = found > 0 ? rule == RULE_REMOVED : rule == RULE_KEPT;
    if (rule == RULE_WHOLE)
        return points->count - first;
    if (found > 0 && rule != RULE_NEXT)
        return found;
    while (end < points->count && (next = found_length(splitter, points, end)) == 0)
        end++;
    return end - first + (found == 0 && rule == RULE_PREVIOUS ? next : 0);
}
