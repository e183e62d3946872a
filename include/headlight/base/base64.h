/* base64.h: bytes as text that any channel carries (RFC 4648, section 4). */
#ifndef HEADLIGHT_BASE_BASE64_H
#define HEADLIGHT_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters that so many bytes take, without the NUL behind them. */
#define BASE64_LENGTH(count) (((count) + 2) / 3 * 4)

/* With a NUL. */
void base64_write(char *text, const uint8_t *bytes, size_t count);

/* Decodes in place of the text; false for other characters. */
bool base64_read(char *text, size_t *length);

#endif
