#include "kitty_helpers.h"

#include <string.h>

static unsigned digit(char letter)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = memchr(digits, letter, 64);
    ck_assert_msg(found != NULL, "'%c' is not of Base64", letter);
    return (unsigned)(found - digits);
}

/* Four letters, or fewer before "=". Returns the bytes. */
static size_t read_four(const char *text, uint8_t *bytes)
{
    size_t letters = text[2] == '=' ? 2 : text[3] == '=' ? 3 : 4;
    unsigned bits = 0;
    for (size_t i = 0; i < 4; i++)
        bits = bits << 6 | (i < letters ? digit(text[i]) : 0);
    for (size_t i = 0; i < 3; i++)
        bytes[i] = (uint8_t)(bits >> (16 - 8 * i));
    return letters - 1;
}

size_t kitty_read_base64(const char **text, uint8_t *bytes)
{
    size_t count = 0;
    for (; **text != '\033'; *text += 4)
        count += read_four(*text, bytes + count);
    ck_assert_int_eq((*text)[1], '\\');
    *text += 2;
    return count;
}
