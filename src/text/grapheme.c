#include "headlight/text/grapheme.h"

#include "headlight/text/unicode.h"

#include <utf8proc.h>

size_t grapheme_next(const char *text, size_t length, size_t at)
{
    int32_t code, next;
    utf8proc_int32_t state = 0;
    if (at >= length)
        return length;
    at += unicode_next(text + at, length - at, &code);
    while (at < length) {
        size_t used = unicode_next(text + at, length - at, &next);
        if (utf8proc_grapheme_break_stateful(code, next, &state))
            break;
        code = next;
        at += used;
    }
    return at;
}

/* Backwards there is no telling whether one flag ends or two halves meet: all of these count from
 * the start of the text. */
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

size_t word_end(const char *text, size_t length, size_t at)
{
    while (at < length && !grapheme_is_word(text, length, at))
        at = grapheme_next(text, length, at);
    while (at < length && grapheme_is_word(text, length, at))
        at = grapheme_next(text, length, at);
    return at;
}

size_t word_start(const char *text, size_t at)
{
    size_t start = 0;
    bool within = false;
    for (size_t i = 0; i < at; i = grapheme_next(text, at, i)) {
        bool word = grapheme_is_word(text, at, i);
        if (word && !within)
            start = i;
        within = word;
    }
    return start;
}

size_t unspaced_start(const char *text, size_t at)
{
    size_t start = 0;
    bool within = false;
    for (size_t i = 0; i < at; i = grapheme_next(text, at, i)) {
        bool unspaced = !grapheme_is_space(text, at, i);
        if (unspaced && !within)
            start = i;
        within = unspaced;
    }
    return start;
}
