/* Bytes as text: SHA-256 by the examples of FIPS 180-4 and of sha256sum, base64 by those of RFC
 * 4648, section 10. */
#include "suites.h"

#include "headlight/base/bytes.h"

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

TEST(digests_are_those_of_the_standard, .times = COUNT(examples))
{
    char digest[SHA256_DIGITS + 1];
    struct sha256_ctx hash;
    sha256_init(&hash);
    for (size_t i = 0; i < examples[_i].times; i++)
        sha256_update(&hash, strlen(examples[_i].text), (const uint8_t *)examples[_i].text);
    sha256_write(&hash, digest);
    ck_assert_str_eq(digest, examples[_i].digest);
}

static const char *const vectors[][2] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
    {"\xFB\xEF\xFF", "++//"},
};

TEST(base64_there_and_back, .times = COUNT(vectors))
{
    const char *bytes = vectors[_i][0], *expected = vectors[_i][1];
    uint8_t back[16];
    char text[16];
    size_t length;
    base64_write(text, bytes, strlen(bytes));
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(strlen(text), BASE64_LENGTH(strlen(bytes)));
    ck_assert(base64_read(text, back, &length));
    ck_assert_uint_eq(length, strlen(bytes));
    ck_assert_int_eq(memcmp(back, bytes, length), 0);
}

TEST(other_text_is_refused, .times = 4)
{
    static const char *const texts[] = {"Zm9v!", "Z", "Zm9v===", "Zg==Zg=="};
    uint8_t back[16];
    size_t length;
    ck_assert(!base64_read(texts[_i], back, &length));
}
