/* bytes.h: bytes as text, by nettle: their SHA-256 digest (FIPS 180-4), and themselves in base64
 * (RFC 4648, section 4), which any channel carries.
 *
 *     struct sha256_ctx hash;
 *     sha256_init(&hash);
 *     sha256_update(&hash, size, bytes);
 *     sha256_write(&hash, digits);        "e3b0c44298fc…" */
#pragma once

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Ends the digest. */
static inline void sha256_end(struct sha256_ctx *hash, uint8_t digest[SHA256_DIGEST_SIZE])
{
#if NETTLE_VERSION_MAJOR < 4
    sha256_digest(hash, SHA256_DIGEST_SIZE, digest);
#else
    sha256_digest(hash, digest);
#endif
}

#define SHA256_DIGITS (2 * SHA256_DIGEST_SIZE)

/* Ends it in hexadecimal digits, as sha256sum prints it. */
static inline void sha256_write(struct sha256_ctx *hash, char digits[SHA256_DIGITS + 1])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_end(hash, digest);
    for (int i = 0; i < SHA256_DIGEST_SIZE; i++)
        snprintf(digits + 2 * i, 3, "%02x", digest[i]);
}

/* Characters that so many bytes take, without the NUL behind them. */
#define BASE64_LENGTH(count) BASE64_ENCODE_RAW_LENGTH(count)

/* With a NUL. */
static inline void base64_write(char *text, const void *bytes, size_t count)
{
    base64_encode_raw(text, count, bytes);
    text[BASE64_LENGTH(count)] = '\0';
}

/* Into memory for BASE64_DECODE_LENGTH(strlen(text)) bytes, fewer than the text has with its NUL;
 * false for other text. */
static inline bool base64_read(const char *text, void *bytes, size_t *count)
{
    struct base64_decode_ctx context;
    base64_decode_init(&context);
    return base64_decode_update(&context, count, bytes, strlen(text), text) &&
           base64_decode_final(&context);
}
