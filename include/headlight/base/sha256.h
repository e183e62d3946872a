/* sha256.h: the SHA-256 digest of bytes (FIPS 180-4).
 *
 *     struct sha256 hash;
 *     sha256_begin(&hash);
 *     sha256_add(&hash, bytes, size);
 *     sha256_end(&hash, digest);        "e3b0c44298fc…" */
#ifndef HEADLIGHT_BASE_SHA256_H
#define HEADLIGHT_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t state[8];
    bool by_instructions;    /* the processor has some for it */
    uint64_t length;         /* bytes so far */
    unsigned char block[64]; /* those of them that don't make a whole one yet */
};

#define SHA256_DIGITS 64

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t size);
/* In hexadecimal digits, as sha256sum prints it. */
void sha256_end(struct sha256 *hash, char digest[SHA256_DIGITS + 1]);

#endif
