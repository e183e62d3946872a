/* unicode.c: code points, by utf8proc. Most texts are ASCII, which is answered here without asking
 * the tables: a tokenizer asks several questions of each character. Where utf8proc's Unicode
 * version is newer than the reference's, characters added since may be classed differently. */
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

/* Categories stand in order: Lu … Lo, Mn … Me, Nd … No, Pc … Po, Sm … So, Zs … Zp. */
static bool is_between(int32_t code, utf8proc_category_t first, utf8proc_category_t last)
{
    utf8proc_category_t category = utf8proc_category(code);
    return category >= first && category <= last;
}

bool unicode_is_space(int32_t code)
{
    if (code < 0x80)
        return code == ' ' || code == '\t' || code == '\n' || code == '\r';
    return is_between(code, UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP);
}

bool unicode_is_white_space(int32_t code)
{
    return code == '\v' || code == '\f' || code == 0x85 || unicode_is_space(code);
}

bool unicode_is_letter(int32_t code)
{
    return is_between(code, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

bool unicode_is_number(int32_t code)
{
    return is_between(code, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

/* Categories Cc, Cf and Co. Tab, line feed and carriage return are spaces, and stay. */
bool unicode_is_dropped(int32_t code)
{
    if (code < 0x80)
        return code == 0x7F || (code < ' ' && !unicode_is_space(code));
    utf8proc_category_t category = utf8proc_category(code);
    return code == UNICODE_REPLACEMENT || category == UTF8PROC_CATEGORY_CC ||
           category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_CO;
}

/* In ASCII also the symbols, which Unicode does not call punctuation, as BERT has it. */
bool unicode_is_punctuation(int32_t code)
{
    if (code < 0x80)
        return (code >= '!' && code <= '/') || (code >= ':' && code <= '@') ||
               (code >= '[' && code <= '`') || (code >= '{' && code <= '~');
    return is_between(code, UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
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

bool unicode_is_accent(int32_t code)
{
    return code >= 0x80 && utf8proc_category(code) == UTF8PROC_CATEGORY_MN;
}

bool unicode_is_mark(int32_t code)
{
    return is_between(code, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME);
}

bool unicode_is_of_word(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return unicode_is_letter(code) || unicode_is_mark(code) || category == UTF8PROC_CATEGORY_ND ||
           category == UTF8PROC_CATEGORY_NL || category == UTF8PROC_CATEGORY_PC || code == 0x200C ||
           code == 0x200D;
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
