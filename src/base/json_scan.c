#include "headlight/base/json_scan.h"

#include "headlight/base/size.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#define REPLACEMENT 0xFFFD

static bool fail(struct json_scan *scan, const char *expected)
{
    if (!scan->expected)
        scan->expected = expected;
    return false;
}

/* The next byte; 0, which no JSON holds, at the end and after a failure. */
static unsigned char next(const struct json_scan *scan)
{
    return scan->at < scan->length && !scan->expected ? (unsigned char)scan->text[scan->at] : 0;
}

static unsigned char next_sign(struct json_scan *scan)
{
    unsigned char sign;
    while ((sign = next(scan)) == ' ' || sign == '\n' || sign == '\r' || sign == '\t')
        scan->at++;
    return sign;
}

bool json_scan_sees(struct json_scan *scan, char sign)
{
    return next_sign(scan) == (unsigned char)sign;
}

static const char *name_of(char sign)
{
    switch (sign) {
    case '{':
        return "\"{\"";
    case '}':
        return "\"}\"";
    case '[':
        return "\"[\"";
    case ']':
        return "\"]\"";
    case ',':
        return "a comma";
    default:
        return "a colon";
    }
}

bool json_scan_take(struct json_scan *scan, char sign)
{
    if (!json_scan_sees(scan, sign))
        return fail(scan, name_of(sign));
    scan->at++;
    return true;
}

bool json_scan_more(struct json_scan *scan, char close, size_t count)
{
    unsigned char sign = next_sign(scan);
    bool closes = sign == (unsigned char)close;
    if (count == 0 && !closes)
        return !scan->expected;
    if (!closes && sign != ',')
        return fail(scan, close == '}' ? "a comma or \"}\"" : "a comma or \"]\"");
    scan->at++;
    return !closes;
}

/* ---- Strings ------------------------------------------------------------------------------ */

/* The four digits of \uXXXX. */
static bool take_digits(struct json_scan *scan, int32_t *code)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    *code = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char sign = next(scan);
        const char *digit = sign ? strchr(digits, sign) : NULL;
        if (!digit)
            return fail(scan, "four hexadecimal digits");
        *code = *code << 4 | (int32_t)((digit - digits) & 15);
        scan->at++;
    }
    return true;
}

/* What follows "\u": characters beyond the first plane are two of these. */
static bool take_code(struct json_scan *scan, int32_t *code)
{
    int32_t half;
    if (!take_digits(scan, code))
        return false;
    if (*code < 0xD800 || *code > 0xDFFF)
        return true;
    bool pair = *code < 0xDC00 && scan->length - scan->at >= 2 &&
                memcmp(scan->text + scan->at, "\\u", 2) == 0;
    scan->at += pair ? 2 : 0;
    if (!pair || !take_digits(scan, &half) || half < 0xDC00 || half > 0xDFFF)
        return fail(scan, "the two halves of a surrogate pair");
    *code = 0x10000 + ((*code & 0x3FF) << 10 | (half & 0x3FF));
    return true;
}

/* What follows a backslash; *length bytes, in which NULs would end the string too early. */
static bool take_escape(struct json_scan *scan, utf8proc_uint8_t bytes[4], size_t *length)
{
    static const char signs[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    unsigned char sign = next(scan);
    const char *found = sign ? strchr(signs, sign) : NULL;
    int32_t code = found ? meanings[found - signs] : 0;
    if (!found && sign != 'u')
        return fail(scan, "one of \" \\ / b f n r t u after a backslash");
    scan->at++;
    if (!found && !take_code(scan, &code))
        return false;
    *length = (size_t)utf8proc_encode_char(code == 0 ? REPLACEMENT : code, bytes);
    return true;
}

bool json_scan_string(struct json_scan *scan, char *string)
{
    utf8proc_uint8_t bytes[4];
    unsigned char sign;
    if (next_sign(scan) != '"')
        return fail(scan, "a string");
    scan->at++;
    while ((sign = next(scan)) != '"') {
        size_t length = 1;
        bytes[0] = sign;
        if (sign < ' ')
            return fail(scan, "a string's end, and control characters as \\u00XX");
        scan->at++;
        if (sign == '\\' && !take_escape(scan, bytes, &length))
            return false;
        for (size_t i = 0; string && i < length; i++)
            *string++ = (char)bytes[i];
    }
    scan->at++;
    if (string)
        *string = '\0';
    return true;
}

bool json_scan_name(struct json_scan *scan, char *name)
{
    return json_scan_string(scan, name) && json_scan_take(scan, ':');
}

/* ---- Numbers ------------------------------------------------------------------------------ */

static bool is_digit(unsigned char sign)
{
    return sign >= '0' && sign <= '9';
}

bool json_scan_size(struct json_scan *scan, size_t *size)
{
    unsigned char sign = next_sign(scan);
    size_t start = scan->at;
    for (*size = 0; is_digit(sign) && (scan->at == start || *size > 0); sign = next(scan)) {
        if (!size_multiply(*size, 10, size) || !size_add(*size, (size_t)(sign - '0'), size))
            return fail(scan, "a smaller number");
        scan->at++;
    }
    bool whole = scan->at > start && !is_digit(sign) && sign != '.' && sign != 'e' && sign != 'E';
    return whole || fail(scan, "a whole number");
}

static bool skip_digits(struct json_scan *scan)
{
    if (!is_digit(next(scan)))
        return fail(scan, "a digit");
    while (is_digit(next(scan)))
        scan->at++;
    return true;
}

static bool skip_one(struct json_scan *scan, char sign, char other)
{
    unsigned char found = next(scan);
    bool there = found == (unsigned char)sign || found == (unsigned char)other;
    scan->at += there ? 1 : 0;
    return there;
}

static bool skip_number(struct json_scan *scan)
{
    skip_one(scan, '-', '-');
    if (!skip_one(scan, '0', '0') && !skip_digits(scan))
        return false;
    if (skip_one(scan, '.', '.') && !skip_digits(scan))
        return false;
    if (!skip_one(scan, 'e', 'E'))
        return true;
    skip_one(scan, '+', '-');
    return skip_digits(scan);
}

/* ---- Any value ---------------------------------------------------------------------------- */

static bool skip_word(struct json_scan *scan)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (!scan->expected && scan->length - scan->at >= length &&
            memcmp(scan->text + scan->at, words[i], length) == 0) {
            scan->at += length;
            return true;
        }
    }
    return fail(scan, "a value");
}

static bool skip_value(struct json_scan *scan, size_t nesting);

static bool skip_items(struct json_scan *scan, char close, size_t nesting)
{
    if (nesting == 0)
        return fail(scan, "less nesting");
    scan->at++;
    for (size_t i = 0; json_scan_more(scan, close, i); i++)
        if ((close == '}' && !json_scan_name(scan, NULL)) || !skip_value(scan, nesting - 1))
            return false;
    return !scan->expected;
}

static bool skip_value(struct json_scan *scan, size_t nesting)
{
    unsigned char sign = next_sign(scan);
    if (sign == '{' || sign == '[')
        return skip_items(scan, sign == '{' ? '}' : ']', nesting);
    if (sign == '"')
        return json_scan_string(scan, NULL);
    return sign == '-' || is_digit(sign) ? skip_number(scan) : skip_word(scan);
}

bool json_scan_skip(struct json_scan *scan)
{
    return skip_value(scan, JSON_SCAN_NESTING);
}

bool json_scan_end(struct json_scan *scan)
{
    next_sign(scan);
    return !scan->expected && (scan->at == scan->length || fail(scan, "nothing more"));
}
