/* unicode.c: code points, by utf8proc. Where its Unicode version is newer than the reference's,
 * characters added since may be classed differently. */
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <utf8proc.h>

size_t unicode_next(const char *bytes, size_t length, int32_t *code)
{
    if ((unsigned char)bytes[0] < 0x80) {
        *code = (unsigned char)bytes[0];
        return 1;
    }
    utf8proc_ssize_t rest = (utf8proc_ssize_t)(length < UNICODE_BYTES ? length : UNICODE_BYTES);
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)bytes, rest, code);
    if (used > 0)
        return (size_t)used;
    *code = UNICODE_REPLACEMENT;
    return 1;
}

/* With any byte but a continuation byte. */
size_t unicode_count(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
    return count;
}

/* U+FFFD itself is valid; only where one byte gave it was there something else. */
bool unicode_valid(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        int32_t code;
        size_t used = unicode_next(bytes + i, length - i, &code);
        if (code == 0 || (code == UNICODE_REPLACEMENT && used == 1))
            return false;
        i += used;
    }
    return true;
}

size_t unicode_encode(int32_t code, char bytes[UNICODE_BYTES])
{
    return (size_t)utf8proc_encode_char(code, (utf8proc_uint8_t *)bytes);
}

/* A broken byte becomes the three bytes of U+FFFD, so a text at most triples. */
char *unicode_repair(const char *bytes, size_t length, size_t *repaired)
{
    char *text = length < SIZE_MAX / 4 ? malloc(3 * length + UNICODE_BYTES) : NULL;
    *repaired = 0;
    for (size_t i = 0; text && i < length;) {
        int32_t code;
        i += unicode_next(bytes + i, length - i, &code);
        *repaired += code != 0 ? unicode_encode(code, text + *repaired) : 0;
    }
    if (text)
        text[*repaired] = '\0';
    return text;
}

/* The spaces are controls in ASCII, and its symbols are punctuation, as BERT has it. */
static unsigned classes_of(int32_t code)
{
    /* by the last category of each row, in Unicode's order */
    static const struct {
        utf8proc_category_t last;
        unsigned classes;
    } rows[] = {
        {UTF8PROC_CATEGORY_CN, 0},
        {UTF8PROC_CATEGORY_LO, UNICODE_LETTER | UNICODE_WORD},
        {UTF8PROC_CATEGORY_MN, UNICODE_MARK | UNICODE_ACCENT | UNICODE_WORD},
        {UTF8PROC_CATEGORY_ME, UNICODE_MARK | UNICODE_WORD},
        {UTF8PROC_CATEGORY_NL, UNICODE_NUMBER | UNICODE_WORD},
        {UTF8PROC_CATEGORY_NO, UNICODE_NUMBER},
        {UTF8PROC_CATEGORY_PC, UNICODE_PUNCTUATION | UNICODE_WORD},
        {UTF8PROC_CATEGORY_PO, UNICODE_PUNCTUATION},
        {UTF8PROC_CATEGORY_SO, 0},
        {UTF8PROC_CATEGORY_ZP, UNICODE_SPACE | UNICODE_WHITE_SPACE},
        {UTF8PROC_CATEGORY_CF, UNICODE_DROPPED},
        {UTF8PROC_CATEGORY_CS, 0},
        {UTF8PROC_CATEGORY_CO, UNICODE_DROPPED},
    };
    size_t row = 0;
    if (code == ' ')
        return UNICODE_BLANK | UNICODE_SPACE | UNICODE_WHITE_SPACE;
    if (code == '\t' || code == '\n' || code == '\r')
        return UNICODE_SPACE | UNICODE_WHITE_SPACE | (code == '\t' ? 0 : UNICODE_BREAK);
    if (code == '\v' || code == '\f' || code == 0x85)
        return UNICODE_WHITE_SPACE | UNICODE_DROPPED;
    if (code == 0x200C || code == 0x200D)
        return UNICODE_WORD | UNICODE_DROPPED;
    if (code == UNICODE_REPLACEMENT)
        return UNICODE_DROPPED;
    const utf8proc_category_t category = utf8proc_category(code);
    while (category > rows[row].last)
        row++;
    const bool symbol = category >= UTF8PROC_CATEGORY_SM && category <= UTF8PROC_CATEGORY_SO;
    return symbol && code < 0x80 ? UNICODE_PUNCTUATION : rows[row].classes;
}

bool unicode_is(int32_t code, unsigned classes)
{
    return classes_of(code) & classes;
}

bool unicode_is_ideograph(int32_t code)
{
    static const int32_t blocks[][2] = {
        {0x3400, 0x4DBF},   /* CJK Unified Ideographs Extension A */
        {0x4E00, 0x9FFF},   /* CJK Unified Ideographs */
        {0xF900, 0xFAFF},   /* CJK Compatibility Ideographs */
        {0x20000, 0x2A6DF}, /* Extension B */
        {0x2A700, 0x2B73F}, /* Extension C */
        {0x2B740, 0x2B81F}, /* Extension D */
        {0x2B820, 0x2CEAF}, /* Extension E */
        {0x2F800, 0x2FA1F}, /* CJK Compatibility Ideographs Supplement */
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks && code >= blocks[i][0]; i++)
        if (code <= blocks[i][1])
            return true;
    return false;
}

int unicode_combining_class(int32_t code)
{
    return code < 0x80 ? 0 : utf8proc_get_property(code)->combining_class;
}

size_t unicode_decompose(int32_t code, bool compatible, int32_t out[UNICODE_COMPATIBLE])
{
    const utf8proc_option_t options =
        UTF8PROC_DECOMPOSE | UTF8PROC_STABLE | (compatible ? UTF8PROC_COMPAT : 0);
    utf8proc_ssize_t count = 0;
    if (code >= 0x80)
        count = utf8proc_decompose_char(code, out, UNICODE_COMPATIBLE, options, NULL);
    if (count > 0 && count <= UNICODE_COMPATIBLE)
        return (size_t)count;
    out[0] = code;
    return 1;
}

/* utf8proc composes texts only: one of two code points either becomes one or stays two. */
int32_t unicode_compose(int32_t first, int32_t second)
{
    utf8proc_int32_t pair[] = {first, second};
    return utf8proc_normalize_utf32(pair, 2, UTF8PROC_COMPOSE | UTF8PROC_STABLE) == 1 ? pair[0] : 0;
}

size_t unicode_lower(int32_t code, int32_t out[UNICODE_LOWERED])
{
    if (code == 0x130) { /* SpecialCasing.txt: the only one that grows, whatever the language */
        out[0] = 'i';
        out[1] = 0x307;
        return 2;
    }
    if (code < 0x80)
        out[0] = code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code;
    else
        out[0] = utf8proc_tolower(code);
    return 1;
}
