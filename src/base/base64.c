/* base64.c: six bits a character, and padding to whole groups of four. */
#include "headlight/base/base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(char *text, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        unsigned bits = (unsigned)bytes[i] << 16;
        bits |= left > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
        bits |= left > 2 ? bytes[i + 2] : 0;
        *text++ = digits[bits >> 18];
        *text++ = digits[bits >> 12 & 63];
        *text++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        *text++ = left > 2 ? digits[bits & 63] : '=';
    }
    *text = '\0';
}

static int base64_digit(char character)
{
    const char *found = character != '\0' ? strchr(digits, character) : NULL;
    return found ? (int)(found - digits) : -1;
}

bool base64_read(char *text, size_t *length)
{
    unsigned bits = 0;
    size_t count = 0, at = 0;
    for (; base64_digit(text[at]) >= 0; at++) {
        bits = bits << 6 | (unsigned)base64_digit(text[at]);
        if (at % 4 > 0)
            text[count++] = (char)(bits >> (6 - 2 * (at % 4)) & 0xFF);
    }
    size_t padding = strspn(text + at, "=");
    *length = count;
    return at % 4 != 1 && padding < 3 && text[at + padding] == '\0';
}
