#include "headlight/text/pieces.h"

#include "suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct vocabulary *make(const char *bytes)
{
    struct vocabulary *vocabulary;
    struct error error;
    struct text text = {bytes, strlen(bytes)};
    ck_assert_int_eq(vocabulary_new(text, "v", &vocabulary, &error), STATUS_OK);
    return vocabulary;
}

static int32_t find(const struct vocabulary *vocabulary, const char *piece)
{
    return vocabulary_find(vocabulary, piece, strlen(piece));
}

static void expect_refused(const char *bytes, size_t length, const char *message)
{
    struct vocabulary *vocabulary;
    struct error error;
    struct text text = {bytes, length};
    ck_assert_int_eq(vocabulary_new(text, "v.txt", &vocabulary, &error), STATUS_FORMAT);
    ck_assert_ptr_null(vocabulary);
    ck_assert_str_eq(error.message, message);
}

TEST(line_ends)
{
    const char *same[] = {"a\nb\n\n中", "a\nb\n\n中\n", "a\r\nb\r\n\r\n中\r\n", "a\nb\r\n\n中\r"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct vocabulary *vocabulary = make(same[i]);
        ck_assert_uint_eq(vocabulary_size(vocabulary), 4);
        ck_assert_int_eq(find(vocabulary, "a"), 0);
        ck_assert_int_eq(find(vocabulary, "b"), 1);
        ck_assert_str_eq(vocabulary_piece(vocabulary, 2, NULL), "");
        ck_assert_int_eq(find(vocabulary, "中"), 3);
        ck_assert_str_eq(vocabulary_piece(vocabulary, 3, NULL), "中");
        free(vocabulary);
    }
}

TEST(pieces_and_ids)
{
    size_t length;
    struct vocabulary *vocabulary = make("one\n##two\n");
    ck_assert_str_eq(vocabulary_piece(vocabulary, 1, &length), "##two");
    ck_assert_uint_eq(length, 5);
    ck_assert_ptr_null(vocabulary_piece(vocabulary, -1, NULL));
    ck_assert_ptr_null(vocabulary_piece(vocabulary, 2, NULL));
    ck_assert_int_eq(find(vocabulary, "on"), -1);
    ck_assert_int_eq(find(vocabulary, "ones"), -1);
    ck_assert_int_eq(find(vocabulary, ""), -1);
    free(vocabulary);
}

TEST(of_equal_pieces_the_last_is_found)
{
    struct vocabulary *vocabulary = make("x\ny\nx\nz\nx\n");
    ck_assert_uint_eq(vocabulary_size(vocabulary), 5);
    ck_assert_int_eq(find(vocabulary, "x"), 4);
    ck_assert_int_eq(find(vocabulary, "z"), 3);
    ck_assert_str_eq(vocabulary_piece(vocabulary, 0, NULL), "x");
    free(vocabulary);
}

/* The pieces that some bytes begin with, the shortest first, each with its length: "0:1 1:2". */
static void expect_prefixes(const struct vocabulary *vocabulary, const char *bytes, size_t length,
                            const char *wanted)
{
    struct piece_prefix at = {0};
    char found[64] = "";
    for (int32_t id; (id = vocabulary_prefix(vocabulary, bytes, length, &at)) >= 0;)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%ld:%zu",
                 *found ? " " : "", (long)id, at.length);
    ck_assert_str_eq(found, wanted);
}

TEST(pieces_that_a_text_begins_with)
{
    struct vocabulary *vocabulary = make("a\nab\nabcd\n##\n##e\n");
    expect_prefixes(vocabulary, "abce", 4, "0:1 1:2");
    expect_prefixes(vocabulary, "abcdef", 6, "0:1 1:2 2:4");
    expect_prefixes(vocabulary, "abcd", 3, "0:1 1:2");
    expect_prefixes(vocabulary, "x", 1, "");
    expect_prefixes(vocabulary, "##f", 3, "3:2");
    expect_prefixes(vocabulary, "##e", 3, "3:2 4:3");
    free(vocabulary);
}

TEST(refusals)
{
    expect_refused("", 0, "v.txt: expected word pieces, found none");
    expect_refused(NULL, 0, "v.txt: expected word pieces, found none");
    expect_refused(
        "a\nb\xFFz\nc\n", 8,
        "v.txt: expected pieces that are UTF-8, found other bytes in piece 2, whose id is 1");
    expect_refused(
        "a\nb\nc\0\n", 7,
        "v.txt: expected pieces that are UTF-8, found other bytes in piece 3, whose id is 2");
    expect_refused(
        "a\n\xE4\xB8", 4,
        "v.txt: expected pieces that are UTF-8, found other bytes in piece 2, whose id is 1");
}

TEST(every_piece_of_many_is_found)
{
    const int count = 70000;
    char *bytes = malloc((size_t)count * 8), piece[8];
    ck_assert_ptr_nonnull(bytes);
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length += (size_t)sprintf(bytes + length, "%x\n", (unsigned)i * 3);
    struct vocabulary *vocabulary;
    struct error error;
    struct text text = {bytes, length};
    ck_assert_int_eq(vocabulary_new(text, "v", &vocabulary, &error), STATUS_OK);
    for (int i = 0; i < 3 * count; i++) {
        snprintf(piece, sizeof piece, "%x", (unsigned)i);
        ck_assert_int_eq(find(vocabulary, piece), i % 3 == 0 ? i / 3 : -1);
    }
    free(vocabulary);
    free(bytes);
}

/* ---- Pieces that are no lines ---- */

TEST(pieces_hold_line_ends_and_leave_holes)
{
    const struct text pieces[] = {{"a\nb", 3}, {NULL, 0}, {"中xx", 3}, {"", 0},
                                  {"\r\n", 2}, {"a", 1},  {"a", 1}};
    struct vocabulary *vocabulary;
    struct error error;
    size_t length;
    ck_assert_int_eq(vocabulary_of(pieces, 7, "v", &vocabulary, &error), STATUS_OK);
    ck_assert_uint_eq(vocabulary_size(vocabulary), 7);
    ck_assert_int_eq(find(vocabulary, "a\nb"), 0);
    ck_assert_int_eq(find(vocabulary, "中"), 2);
    ck_assert_int_eq(find(vocabulary, "\r\n"), 4);
    ck_assert_int_eq(find(vocabulary, "a"), 6);
    ck_assert_int_eq(find(vocabulary, ""), -1);
    ck_assert_str_eq(vocabulary_piece(vocabulary, 1, &length), "");
    ck_assert_uint_eq(length, 0);
    ck_assert_str_eq(vocabulary_piece(vocabulary, 2, &length), "中");
    ck_assert_uint_eq(length, 3);
    ck_assert_str_eq(vocabulary_piece(vocabulary, 3, NULL), "");
    expect_prefixes(vocabulary, "a\nbc", 4, "6:1 0:3");
    ck_assert_ptr_null(vocabulary_piece(vocabulary, 7, NULL));
    free(vocabulary);
}

static void refuse_piece(const char *bytes, size_t length)
{
    const struct text pieces[] = {{"a", 1}, {bytes, length}};
    struct vocabulary *vocabulary;
    struct error error;
    ck_assert_int_eq(vocabulary_of(pieces, 2, "v.json", &vocabulary, &error), STATUS_FORMAT);
    ck_assert_ptr_null(vocabulary);
    ck_assert_str_eq(
        error.message,
        "v.json: expected pieces that are UTF-8, found other bytes in piece 2, whose id is 1");
}

TEST(pieces_that_are_refused)
{
    struct vocabulary *vocabulary;
    struct error error;
    refuse_piece("\xFF", 1);
    refuse_piece("\xE4\xB8", 2);
    refuse_piece("\0", 1);
    ck_assert_int_eq(vocabulary_of(NULL, 0, "v.json", &vocabulary, &error), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "v.json: expected word pieces, found none");
}
