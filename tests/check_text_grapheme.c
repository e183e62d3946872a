#include "headlight/text/grapheme.h"

#include "suites.h"

#include <string.h>

/* Texts whose graphemes stand apart by |. */
static const char *const texts[] = {
    "",
    "a",
    "a|b|c",
    "e\u0301|e\u0301\u0323|x",
    "\u0301|a", /* a mark without a base */
    "🇩🇪|🇫🇷|🇮",
    "👩\u200D👩\u200D👧|👧|👍🏽",
    "\u1112\u1161\u11AB|\u1112\u1161|한|글",
    "1\uFE0F\u20E3|中|कि|\u00A0",
};

static size_t without_bars(const char *marked, char *text)
{
    size_t length = 0;
    for (; *marked; marked++)
        if (*marked != '|')
            text[length++] = *marked;
    text[length] = '\0';
    return length;
}

TEST(graphemes_forwards_and_backwards)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[128];
        size_t length = without_bars(texts[i], text), at = 0;
        for (const char *part = texts[i]; *part; part += *part == '|') {
            size_t size = strcspn(part, "|"), end = at + size;
            ck_assert_msg(grapheme_next(text, length, at) == end, "%s at %zu", texts[i], at);
            ck_assert_msg(grapheme_previous(text, end) == at, "%s at %zu", texts[i], end);
            for (size_t inside = at + 1; inside <= end; inside++)
                ck_assert_uint_eq(grapheme_align(text, length, inside), end);
            ck_assert_uint_eq(grapheme_align(text, length, at), at);
            at = end;
            part += size;
        }
        ck_assert_uint_eq(at, length);
    }
}

TEST(the_ends_are_ends)
{
    ck_assert_uint_eq(grapheme_next("ab", 2, 2), 2);
    ck_assert_uint_eq(grapheme_previous("ab", 0), 0);
    ck_assert_uint_eq(grapheme_align("ab", 2, 9), 2);
    ck_assert_uint_eq(word_end("ab", 2, 2), 2);
    ck_assert_uint_eq(word_start("ab", 0), 0);
    ck_assert_uint_eq(unspaced_start("", 0), 0);
}

TEST(words_are_letters_and_digits)
{
    const char *words[] = {"a", "7", "é", "中", "ꙮ", "Ⅷ", "²", "e\u0301", "\u102B"};
    const char *others[] = {" ", ".", "'", "_", "+", "€", "👍", " \u0301", "\u200B"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(grapheme_is(words[i], strlen(words[i]), 0, GRAPHEME_WORD), "%s", words[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!grapheme_is(others[i], strlen(others[i]), 0, GRAPHEME_WORD), "%s",
                      others[i]);
    ck_assert(grapheme_is(" ", 1, 0, UNICODE_SPACE) && grapheme_is("\u3000", 3, 0, UNICODE_SPACE));
    ck_assert(!grapheme_is("a", 1, 0, UNICODE_SPACE) &&
              !grapheme_is("\u200B", 3, 0, UNICODE_SPACE));
}

TEST(from_word_to_word)
{
    const char *text = "..ab, c'd  ";
    const size_t ends[] = {4, 4, 4, 4, 7, 7, 7, 9, 9, 11, 11, 11};
    const size_t starts[] = {0, 0, 0, 2, 2, 2, 2, 6, 6, 8, 8, 8};
    const size_t unspaced[] = {0, 0, 0, 0, 0, 0, 0, 6, 6, 6, 6, 6};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        ck_assert_uint_eq(word_end(text, 11, i), ends[i]);
        ck_assert_uint_eq(word_start(text, i), starts[i]);
        ck_assert_uint_eq(unspaced_start(text, i), unspaced[i]);
    }
}
