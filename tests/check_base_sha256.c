/* With the processor's instructions, where it has them, and without: SHA-256 against the examples
 * of FIPS 180-4 and of sha256sum. */
#include "suites.h"

#include "headlight/base/sha256.h"

#include <string.h>

static const struct {
    const char *text;
    size_t times;
    const char *digest;
} examples[] = {
    {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

TEST(digests_are_those_of_the_standard, .times = 2 * COUNT(examples))
{
    char digest[SHA256_DIGITS + 1];
    struct sha256 hash;
    const int example = _i / 2;
    sha256_begin(&hash);
    hash.by_instructions &= _i % 2 == 1;
    for (size_t i = 0; i < examples[example].times; i++)
        sha256_add(&hash, examples[example].text, strlen(examples[example].text));
    sha256_end(&hash, digest);
    ck_assert_str_eq(digest, examples[example].digest);
}

/* Wherever the bytes are cut, and for every length around that of a block. */
TEST(parts_make_the_whole)
{
    char whole[SHA256_DIGITS + 1], parts[SHA256_DIGITS + 1];
    unsigned char bytes[130];
    struct sha256 hash;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(7 * i + 3);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        sha256_begin(&hash);
        hash.by_instructions = false;
        sha256_add(&hash, bytes, size);
        sha256_end(&hash, whole);
        for (size_t cut = 0; cut <= size; cut++) {
            sha256_begin(&hash);
            sha256_add(&hash, bytes, cut);
            sha256_add(&hash, bytes + cut, size - cut);
            sha256_end(&hash, parts);
            ck_assert_str_eq(parts, whole);
        }
    }
    ck_assert_str_eq(whole, "4d5e47a2e8510a314576c238f6ff19d389d3ef3aaaca8b2e530263a5d15741da");
}
