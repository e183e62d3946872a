/* grapheme.c: where a cursor may stand. Going forwards a boundary follows from what was before;
 * going backwards it can't be told, for instance in a row of flags, and one has to count from a
 * sure one. */
#include "headlight/text/grapheme.h"

#include "headlight/text/unicode.h"

#include <utf8proc.h>

bool grapheme_breaks(int32_t before, int32_t code, int32_t *state)
{
    return utf8proc_grapheme_break_stateful(before, code, state);
}

size_t grapheme_next(const char *text, size_t length, size_t at)
{
    int32_t before, code;
    int32_t state = 0;
    if (at >= length)
        return length;
    at += unicode_next(text + at, length - at, &before);
    while (at < length) {
        size_t used = unicode_next(text + at, length - at, &code);
        if (grapheme_breaks(before, code, &state))
            break;
        before = code;
        at += used;
    }
    return at;
}

/* The start of the code point before `at`. */
static size_t code_before(const char *text, size_t at)
{
    size_t start = at - 1;
    while (start > 0 && at - start < UNICODE_BYTES && ((unsigned char)text[start] & 0xC0) == 0x80)
        start--;
    return start;
}

/* Whether a code point joins only neighbours that ask for it (a mark, a joiner), as most do. */
static bool stands_alone(const char *text, size_t from, size_t to)
{
    int32_t code;
    return unicode_next(text + from, to - from, &code) == to - from &&
           utf8proc_get_property(code)->boundclass == UTF8PROC_BOUNDCLASS_OTHER;
}

/* A boundary before `at` that is certain, from which to count forwards: seen backwards, whole flags
 * look like halves that meet. There is one between two code points that stand alone (UAX #29,
 * GB999), and at the start of the text. */
static size_t sure_boundary(const char *text, size_t at)
{
    size_t end = at, start = at > 0 ? code_before(text, at) : 0;
    bool alone = start < end && stands_alone(text, start, end);
    while (start > 0) {
        end = start;
        start = code_before(text, end);
        bool before = stands_alone(text, start, end);
        if (alone && before)
            return end;
        alone = before;
    }
    return 0;
}

size_t grapheme_previous(const char *text, size_t at)
{
    size_t start = sure_boundary(text, at);
    for (size_t i = start; i < at; i = grapheme_next(text, at, i))
        start = i;
    return start;
}

/* Counts from a sure boundary before the offset, which may be in the middle of a code point. */
size_t grapheme_align(const char *text, size_t length, size_t offset)
{
    size_t at = offset < length ? sure_boundary(text, code_before(text, offset + 1)) : length;
    while (at < offset && at < length)
        at = grapheme_next(text, length, at);
    return at;
}

bool grapheme_is_word(const char *text, size_t length, size_t at)
{
    int32_t code;
    unicode_next(text + at, length - at, &code);
    utf8proc_category_t category = utf8proc_category(code);
    /* Lu … Lo, Mn … Me, Nd … No. A vowel sign that is a grapheme by itself belongs to its word. */
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

bool grapheme_is_space(const char *text, size_t length, size_t at)
{
    int32_t code;
    unicode_next(text + at, length - at, &code);
    return unicode_is_space(code);
}

/* First past what is between words, then to the end of the next one. */
size_t word_end(const char *text, size_t length, size_t at)
{
    while (at < length && !grapheme_is_word(text, length, at))
        at = grapheme_next(text, length, at);
    while (at < length && grapheme_is_word(text, length, at))
        at = grapheme_next(text, length, at);
    return at;
}

/* Where the last run of graphemes that are, or are not, of a kind begins before `at`. */
static size_t run_start(const char *text, size_t at, bool wanted,
                        bool (*is)(const char *, size_t, size_t))
{
    size_t start = 0;
    bool within = false;
    for (size_t i = 0; i < at; i = grapheme_next(text, at, i)) {
        bool belongs = is(text, at, i) == wanted;
        if (belongs && !within)
            start = i;
        within = belongs;
    }
    return start;
}

size_t word_start(const char *text, size_t at)
{
    return run_start(text, at, true, grapheme_is_word);
}

size_t unspaced_start(const char *text, size_t at)
{
    return run_start(text, at, false, grapheme_is_space);
}
