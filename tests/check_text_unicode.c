#include "headlight/text/unicode.h"

#include "suites.h"

#include <stdlib.h>
#include <string.h>

static void expect_next(const char *bytes, size_t length, int32_t code, size_t used)
{
    int32_t got = -1;
    ck_assert_uint_eq(unicode_next(bytes, length, &got), used);
    ck_assert_int_eq(got, code);
}

TEST(reads_each_length)
{
    expect_next("a", 1, 'a', 1);
    expect_next("\0b", 2, 0, 1);
    expect_next("é", 2, 0xE9, 2);
    expect_next("中x", 4, 0x4E2D, 3);
    expect_next("🌉", 4, 0x1F309, 4);
}

TEST(invalid_bytes_are_replacements)
{
    expect_next("\x80", 1, 0xFFFD, 1);         /* a continuation alone */
    expect_next("\xC3", 1, 0xFFFD, 1);         /* cut off by the end */
    expect_next("\xC3x", 2, 0xFFFD, 1);        /* cut off by a letter */
    expect_next("\xC0\x80", 2, 0xFFFD, 1);     /* overlong NUL */
    expect_next("\xED\xA0\x80", 3, 0xFFFD, 1); /* a surrogate */
    expect_next("\xF4\x90\x80\x80", 4, 0xFFFD, 1);
    expect_next("\xE4\xB8\xAD", 2, 0xFFFD, 1); /* the third byte is not ours to read */
}

TEST(validity)
{
    ck_assert(unicode_valid("", 0));
    ck_assert(unicode_valid("a中🌉", 8));
    ck_assert(unicode_valid("\xEF\xBF\xBD", 3)); /* U+FFFD written out is text */
    ck_assert(!unicode_valid("a\0b", 3));
    ck_assert(!unicode_valid("ab\xFF", 3));
    ck_assert(!unicode_valid("\xE4\xB8", 2));
}

TEST(what_is_written_is_read)
{
    for (int32_t code = 1; code < 0x110000; code += code < 0x3000 ? 1 : 97) {
        char bytes[UNICODE_BYTES];
        if (code >= 0xD800 && code < 0xE000)
            continue;
        expect_next(bytes, unicode_encode(code, bytes), code, unicode_encode(code, bytes));
    }
}

TEST(white_space)
{
    const int32_t spaces[] = {' ', '\t', '\n', '\r', 0xA0, 0x2003, 0x2028, 0x2029, 0x3000};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        ck_assert(unicode_is(spaces[i], UNICODE_SPACE));
        ck_assert(!unicode_is(spaces[i], UNICODE_DROPPED));
    }
    ck_assert(!unicode_is(0x200B, UNICODE_SPACE)); /* zero width space: a format character */
    ck_assert(!unicode_is(0x0B, UNICODE_SPACE));
    ck_assert(!unicode_is('x', UNICODE_SPACE));
}

TEST(what_is_dropped)
{
    const int32_t dropped[] = {0,      0x07,   0x0B,   0x1F,   0x7F,   0x85,   0xAD,
                               0x200B, 0x200D, 0x2060, 0xFEFF, 0xFFFD, 0xE001, 0x10FFFD};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        ck_assert_msg(unicode_is(dropped[i], UNICODE_DROPPED), "U+%04X", (unsigned)dropped[i]);
    ck_assert(!unicode_is('a', UNICODE_DROPPED));
    ck_assert(!unicode_is(0x378, UNICODE_DROPPED)); /* unassigned */
    ck_assert(!unicode_is(0x301, UNICODE_DROPPED));
}

TEST(punctuation)
{
    const char *ascii = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    for (int32_t code = 0; code < 0x80; code++)
        ck_assert_int_eq(unicode_is(code, UNICODE_PUNCTUATION),
                         code != 0 && strchr(ascii, code) != NULL);
    const int32_t marks[] = {0xA1, 0xAB, 0x2014, 0x2018, 0x203F, 0x3001, 0xFF08, 0x10100};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        ck_assert_msg(unicode_is(marks[i], UNICODE_PUNCTUATION), "U+%04X", (unsigned)marks[i]);
    ck_assert(!unicode_is(0xA9, UNICODE_PUNCTUATION));   /* © is a symbol */
    ck_assert(!unicode_is(0x20AC, UNICODE_PUNCTUATION)); /* so is € */
    ck_assert(!unicode_is(0xFF04, UNICODE_PUNCTUATION)); /* and a full-width $ */
}

/* One of each category that \w has, the two joiners, and what lies beside them. */
TEST(what_words_are_of)
{
    const int32_t of_words[] = {'a',    '9',    '_',    0xE9,   0x0301, 0x0903, 0x20DD,
                                0x0661, 0x2167, 0x203F, 0x4E00, 0x200C, 0x200D};
    const int32_t others[] = {' ', '-', '@', 0xB2, 0xD7, 0x200B, 0x200E, 0x2014, 0x20AC, 0xFFFD};
    for (size_t i = 0; i < sizeof of_words / sizeof *of_words; i++)
        ck_assert_msg(unicode_is(of_words[i], UNICODE_WORD), "U+%04X", (unsigned)of_words[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!unicode_is(others[i], UNICODE_WORD), "U+%04X", (unsigned)others[i]);
}

TEST(ideographs)
{
    const int32_t edges[][2] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xF900, 0xFAFF},
                                {0x20000, 0x2A6DF}, {0x2A700, 0x2CEAF}, {0x2F800, 0x2FA1F}};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        ck_assert(unicode_is_ideograph(edges[i][0]) && unicode_is_ideograph(edges[i][1]));
        ck_assert(!unicode_is_ideograph(edges[i][0] - 1) && !unicode_is_ideograph(edges[i][1] + 1));
    }
    ck_assert(unicode_is_ideograph(0x2B820) && unicode_is_ideograph(0x2B91F)); /* tokenizer.h */
    ck_assert(!unicode_is_ideograph('a'));
    ck_assert(!unicode_is_ideograph(0x3042)); /* hiragana */
    ck_assert(!unicode_is_ideograph(0xAC00)); /* Hangul */
}

static void expect_decomposed(int32_t code, size_t count, const int32_t *expected)
{
    int32_t got[UNICODE_COMPATIBLE];
    ck_assert_uint_eq(unicode_decompose(code, false, got), count);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(got[i], expected[i]);
}

TEST(decomposition_is_canonical_and_complete)
{
    expect_decomposed('a', 1, (int32_t[]){'a'});
    expect_decomposed(0xE9, 2, (int32_t[]){'e', 0x301});
    expect_decomposed(0x1E69, 3, (int32_t[]){'s', 0x323, 0x307});
    expect_decomposed(0x1F82, 4, (int32_t[]){0x3B1, 0x313, 0x300, 0x345});
    expect_decomposed(0xAC01, 3, (int32_t[]){0x1100, 0x1161, 0x11A8});
    expect_decomposed(0x212B, 2, (int32_t[]){'A', 0x30A});
    expect_decomposed(0xFB01, 1, (int32_t[]){0xFB01}); /* ﬁ: only a compatibility form */
}

TEST(lower_case)
{
    int32_t lowered[UNICODE_LOWERED];
    const int32_t pairs[][2] = {{'A', 'a'},     {'Z', 'z'},        {'[', '['},    {0xC9, 0xE9},
                                {0x3A3, 0x3C3}, {0x1E9E, 0xDF},    {0x212A, 'k'}, {0xDF, 0xDF},
                                {0x1C5, 0x1C6}, {0x10400, 0x10428}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        ck_assert_uint_eq(unicode_lower(pairs[i][0], lowered), 1);
        ck_assert_int_eq(lowered[0], pairs[i][1]);
    }
    ck_assert_uint_eq(unicode_lower(0x130, lowered), 2);
    ck_assert_int_eq(lowered[0], 'i');
    ck_assert_int_eq(lowered[1], 0x307);
}

TEST(accents)
{
    ck_assert(unicode_is(0x301, UNICODE_ACCENT) && unicode_is(0x328, UNICODE_ACCENT) &&
              unicode_is(0x5B7, UNICODE_ACCENT));
    ck_assert(!unicode_is('^', UNICODE_ACCENT) &&
              !unicode_is(0x903, UNICODE_ACCENT)); /* spacing: Mc */
    ck_assert_int_eq(unicode_combining_class('a'), 0);
    ck_assert_int_eq(unicode_combining_class(0x301), 230);
    ck_assert_int_eq(unicode_combining_class(0x323), 220);
}

TEST(invalid_bytes_are_repaired)
{
    size_t length;
    char *text = unicode_repair("caf\xC3\xA9 \xFF\xC3 \0x", 11, &length);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(length, 14);
    ck_assert_mem_eq(text, "caf\xC3\xA9 \xEF\xBF\xBD\xEF\xBF\xBD x", 15);
    free(text);
    text = unicode_repair("", 0, &length);
    ck_assert_uint_eq(length, 0);
    ck_assert_str_eq(text, "");
    free(text);
}
