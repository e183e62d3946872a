#include "headlight/session/editor_line.h"

#include "headlight/text/grapheme.h"
#include "headlight/text/unicode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* ---- Clean text ---- */

/* A tab or whatever starts a new line: Unicode's paragraph and line separators too. */
static bool is_break(int32_t code)
{
    return (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029;
}

/* Drops control characters in place, and returns the new length. */
static size_t drop_controls(char *text, size_t length)
{
    size_t kept = 0;
    bool broken = false;
    for (size_t i = 0, used; i < length; i += used) {
        int32_t code;
        used = unicode_next(text + i, length - i, &code);
        bool breaks = is_break(code);
        if (breaks && !broken) {
            text[kept++] = ' ';
        } else if (!breaks && utf8proc_category(code) != UTF8PROC_CATEGORY_CC) {
            memmove(text + kept, text + i, used);
            kept += used;
        }
        broken = breaks;
    }
    return kept;
}

char *line_clean(const char *text, size_t length, size_t *cleaned)
{
    char *clean = unicode_repair(text, length, cleaned);
    if (clean)
        *cleaned = drop_controls(clean, *cleaned);
    return clean;
}

/* ---- New lines ---- */

static char *append(char *to, const char *from, size_t length)
{
    memcpy(to, from, length);
    return to + length;
}

/* An edit can join what stands around it, as when the blank between two halves of a flag goes: then
 * the cursor comes after the whole. */
static void place_cursor(struct line *line, size_t offset)
{
    line->cursor = grapheme_align(line->text, line->length, offset);
}

struct line *line_splice(const struct line *line, size_t from, size_t to, const char *text,
                         size_t length)
{
    const char *old = line ? line->text : "";
    size_t before = line ? from : 0, after = line ? line->length - to : 0;
    struct line *made = NULL;
    if (length < SIZE_MAX - sizeof *made - before - after)
        made = malloc(sizeof *made + before + length + after + 1);
    if (!made)
        return NULL;
    made->length = before + length + after;
    char *end = append(append(made->text, old, before), text, length);
    *append(end, line ? old + to : "", after) = '\0';
    place_cursor(made, before + length);
    return made;
}

struct line *line_swap(const struct line *line, const size_t places[4])
{
    struct line *made = line_splice(line, places[3], places[3], "", 0);
    if (!made)
        return NULL;
    char *at = append(made->text + places[0], line->text + places[2], places[3] - places[2]);
    at = append(at, line->text + places[1], places[2] - places[1]);
    append(at, line->text + places[0], places[1] - places[0]);
    place_cursor(made, places[3]);
    return made;
}

/* ---- Upper and lower case ---- */

/* Writes a code point as UTF-8 in another case; a capital is Unicode's title case (ǆ gives ǅ). */
static size_t put_cased(int32_t code, enum letter_case letters, char *bytes)
{
    int32_t cased[UNICODE_LOWERED];
    size_t count = 1, length = 0;
    if (letters == CASE_LOWER)
        count = unicode_lower(code, cased);
    else
        cased[0] = letters == CASE_UPPER ? utf8proc_toupper(code) : utf8proc_totitle(code);
    for (size_t i = 0; i < count; i++)
        length += unicode_encode(cased[i], bytes + length);
    return length;
}

/* Writes a letter with its marks in another case; only its base can become a capital. */
static size_t put_grapheme(const char *text, size_t length, enum letter_case letters, char *bytes)
{
    size_t put = 0;
    for (size_t i = 0; i < length;) {
        int32_t code;
        i += unicode_next(text + i, length - i, &code);
        put += put_cased(code, letters, bytes + put);
        letters = letters == CASE_CAPITAL ? CASE_LOWER : letters;
    }
    return put;
}

struct line *line_case(const struct line *line, size_t from, size_t to, enum letter_case letters)
{
    size_t length = 0;
    char *cased = malloc((to - from) * UNICODE_LOWERED * UNICODE_BYTES + 1);
    bool within = false;
    if (!cased)
        return NULL;
    for (size_t i = from, end; i < to; i = end) {
        end = grapheme_next(line->text, line->length, i);
        bool word = grapheme_is_word(line->text, line->length, i);
        enum letter_case now = letters == CASE_CAPITAL && within ? CASE_LOWER : letters;
        if (word)
            length += put_grapheme(line->text + i, end - i, now, cased + length);
        else
            length = (size_t)(append(cased + length, line->text + i, end - i) - cased);
        within = word;
    }
    struct line *made = line_splice(line, from, to, cased, length);
    free(cased);
    return made;
}

bool line_same(const struct line *line, const struct line *other)
{
    return line->length == other->length && memcmp(line->text, other->text, line->length) == 0;
}
