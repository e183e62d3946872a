/* Text for people: sizes, and what doesn't fit. */
#include "suites.h"

#include "headlight/base/format.h"

#include <string.h>

TEST(a_size_has_the_prefix_that_keeps_it_short)
{
    static const struct {
        double bytes;
        const char *text;
    } sizes[] = {
        {0, "0 bytes"},          {999, "999 bytes"}, {1000, "1.0 kB"},   {1536, "1.5 kB"},
        {999949, "999.9 kB"},    {999950, "1.0 MB"}, {6.7e15, "6.7 PB"}, {1e24, "1.0 YB"},
        {9.99e28, "99900.0 YB"}, {1e30, "1e+06 YB"},
    };
    char text[32];
    for (int i = 0; i < COUNT(sizes); i++) {
        format_bytes(text, sizeof text, sizes[i].bytes);
        ck_assert_str_eq(text, sizes[i].text);
    }
}

__attribute__((format(printf, 3, 4))) static void elide(char *text, size_t size, const char *format,
                                                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    format_elide_list(text, size, format, arguments);
    va_end(arguments);
}

/* A message names a file before it says what is wrong with it: both stay, more of the name. */
TEST(a_long_text_keeps_two_thirds_before_the_gap_and_one_behind)
{
    char text[24];
    elide(text, sizeof text, "%s: %s", "/a/long/path/to/a/file", "no such file");
    ck_assert_str_eq(text, "/a/long/pa … uch file");
    elide(text, sizeof text, "%s", "ääääääääääääääää"); /* not in the middle of one */
    ck_assert_str_eq(text, "äääää … ääää");
    elide(text, sizeof text, "%s", "as long as fits in here");
    ck_assert_str_eq(text, "as long as fits in here");
}
