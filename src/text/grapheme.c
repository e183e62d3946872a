/* grapheme.c: where a cursor may stand. A boundary follows from what was before: going backwards,
 * for instance in a row of flags, one has to count from the start, which takes a millisecond in the
 * longest text. */
#include "headlight/text/grapheme.h"

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

size_t grapheme_previous(const char *text, size_t at)
{
    size_t start = 0;
    for (size_t i = 0; i < at; i = grapheme_next(text, at, i))
        start = i;
    return start;
}

size_t grapheme_align(const char *text, size_t length, size_t offset)
{
    size_t at = 0;
    while (at < offset && at < length)
        at = grapheme_next(text, length, at);
    return at;
}

bool grapheme_is(const char *text, size_t length, size_t at, unsigned classes)
{
    int32_t code;
    unicode_next(text + at, length - at, &code);
    return unicode_is(code, classes);
}

/* First past what is between words, then to the end of the next one. */
size_t word_end(const char *text, size_t length, size_t at)
{
    while (at < length && !grapheme_is(text, length, at, GRAPHEME_WORD))
        at = grapheme_next(text, length, at);
    while (at < length && grapheme_is(text, length, at, GRAPHEME_WORD))
        at = grapheme_next(text, length, at);
    return at;
}

/* Where the last run of graphemes that are, or are not, of a kind begins before `at`. */
static size_t run_start(const char *text, size_t at, bool wanted, unsigned classes)
{
    size_t start = 0;
    bool within = false;
    for (size_t i = 0; i < at; i = grapheme_next(text, at, i)) {
        bool belongs = grapheme_is(text, at, i, classes) == wanted;
        if (belongs && !within)
            start = i;
        within = belongs;
    }
    return start;
}

size_t word_start(const char *text, size_t at)
{
    return run_start(text, at, true, GRAPHEME_WORD);
}

size_t unspaced_start(const char *text, size_t at)
{
    return run_start(text, at, false, UNICODE_SPACE);
}
