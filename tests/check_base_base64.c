/* Base64, by the test vectors of RFC 4648, section 10. */
#include "suites.h"

#include "headlight/base/base64.h"

#include <string.h>

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

TEST(there_and_back, .times = COUNT(vectors))
{
    const char *bytes = vectors[_i][0], *expected = vectors[_i][1];
    char text[16];
    size_t length;
    base64_write(text, (const uint8_t *)bytes, strlen(bytes));
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(strlen(text), BASE64_LENGTH(strlen(bytes)));
    ck_assert(base64_read(text, &length));
    ck_assert_uint_eq(length, strlen(bytes));
    ck_assert_int_eq(memcmp(text, bytes, length), 0);
}

TEST(other_text_is_refused, .times = 4)
{
    static const char *const texts[] = {"Zm9v!", "Z", "Zm9v===", "Zg==Zg=="};
    char text[16];
    size_t length;
    strcpy(text, texts[_i]);
    ck_assert(!base64_read(text, &length));
}
