#include "headlight/base/json.h"
#include "headlight/text/tokenizer_reader.h"

#include "rows.h"
#include "suites.h"
#include "text_helpers.h"

#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

static struct tokenizer tokenizer;
static struct error error;

/* A vocab.json as "v.json" and a merges.txt as "m.txt". */
static bool read_files(const char *json, const char *merges)
{
    const struct text text = text_of(json);
    cJSON *model = cJSON_Parse("{\"type\":\"BPE\"}"), *pieces;
    ck_assert_int_eq(json_parse_object(text.bytes, text.length, "v.json", &pieces, &error),
                     STATUS_OK);
    const struct text lines = text_of(merges);
    const struct file_text file = {"m.txt", lines.bytes, lines.length, NULL, NULL};
    const struct beside_tree beside = {.pieces = pieces, .second = &file};
    const struct tokenizer_reader in = {json_reader(model, "v.json", &error), &tokenizer, &beside};
    bool read = reader_model(&in);
    cJSON_Delete(pieces);
    cJSON_Delete(model);
    return read;
}

/* The pieces, with blanks between, get the ids 0, 1 …; the merges are lines of a merges.txt. */
static void build(const char *pieces, const char *merges)
{
    char json[512] = "{", *end = json + 1;
    for (int id = 0; *pieces != '\0'; id++) {
        int length = (int)strcspn(pieces, " ");
        end += sprintf(end, "%s\"%.*s\":%d", id > 0 ? "," : "", length, pieces, id);
        pieces += length + (pieces[length] == ' ');
    }
    strcpy(end, "}");
    ck_assert_msg(read_files(json, merges), "%s", error.message);
}

static void close_all(void)
{
    free(tokenizer.bpe);
    free(tokenizer.vocabulary);
    tokenizer = (struct tokenizer){0};
}

static void encode_word(const struct points *points, size_t first, size_t count, int32_t unknown,
                        struct encoding_builder *builder)
{
    struct point *word = count > 0 ? points->items + first : NULL; /* no points: no items */
    struct points spelt = {.error = &text_error};
    bpe_spell(&(struct points){.items = word, .count = count}, &spelt);
    bpe_encode(tokenizer.bpe, unknown, &spelt, builder);
    ck_assert_int_eq(builder->error->status, STATUS_OK);
    points_free(&spelt);
}

static void expect_word(const char *bytes, size_t length, int32_t unknown, const char *expected)
{
    char got[512];
    struct encoding_builder builder = {.error = &text_error};
    struct points points = text_points((struct text){bytes, length});
    encode_word(&points, 0, points.count, unknown, &builder);
    text_describe(&builder, got, sizeof got);
    ck_assert_str_eq(got, expected);
    points_free(&points);
}

#define EXPECT(word, unknown, expected) expect_word(word, sizeof(word) - 1, unknown, expected)

/* ---- Byte characters ---- */

TEST(each_byte_has_a_character)
{
    for (int byte = 0; byte < 256; byte++) {
        int32_t code = bpe_character_of((unsigned char)byte);
        ck_assert_int_eq(bpe_byte_of(code), byte);
        ck_assert_msg(unicode_is(code, UNICODE_LETTER) || code < 0x100, "byte %d", byte);
    }
    ck_assert_int_eq(bpe_character_of('\0'), 0x100);
    ck_assert_int_eq(bpe_character_of('\n'), 0x10A); /* Ċ */
    ck_assert_int_eq(bpe_character_of(' '), 0x120);  /* Ġ */
    ck_assert_int_eq(bpe_character_of('!'), '!');
    ck_assert_int_eq(bpe_character_of('~'), '~');
    ck_assert_int_eq(bpe_character_of(0x7F), 0x121);
    ck_assert_int_eq(bpe_character_of(0xA0), 0x142);
    ck_assert_int_eq(bpe_character_of(0xA1), 0xA1);
    ck_assert_int_eq(bpe_character_of(0xAD), 0x143);
    const int32_t others[] = {-1, 0, ' ', 0x7F, 0xA0, 0xAD, 0x144, 0x2581, 0x10FFFF};
    for (int i = 0; i < COUNT(others); i++)
        ck_assert_int_eq(bpe_byte_of(others[i]), -1);
}

/* ---- Words ---- */

static size_t word_length(const struct points *points, size_t first)
{
    bool gap;
    struct splitter splitter = {.rule = RULE_ISOLATED};
    ck_assert_ptr_null(splitter_look_for(&splitter, text_of_string(SPLITTER_GPT2)).bytes);
    const size_t length = splitter_length(&splitter, points, first, &gap);
    ck_assert(!gap);
    return length;
}

static void check_words(struct text text, const char *lengths, int line)
{
    struct points points = text_points(text);
    for (size_t at = 0; at < points.count;) {
        char *end;
        size_t expected = strtoul(lengths, &end, 10), got = word_length(&points, at);
        ck_assert_msg(end != lengths && expected == got,
                      "line %d, code point %zu: expected a word of %zu, found %zu", line, at,
                      expected, got);
        lengths = end;
        at += got;
    }
    ck_assert_str_eq(lengths, "");
    points_free(&points);
}

TEST(words_as_the_expression_splits_them)
{
    text_each_case(COLUMN_WORDS, check_words);
}

static void expect_words(const char *bytes, size_t length, const char *lengths)
{
    check_words((struct text){bytes, length}, lengths, 0);
}

#define WORDS(text, lengths) expect_words(text, sizeof(text) - 1, lengths)

TEST(words_at_the_borders_of_the_rules)
{
    WORDS("it's we're 'S x'll 'll'", "2 2 3 3 2 1 2 3 2 2 1");
    WORDS("'", "1");
    WORDS("'r", "1 1");
    WORDS("'d'v", "2 1 1");
    WORDS("a  b", "1 1 2");
    WORDS("a \t b\t\tc  ", "1 2 2 1 1 1 2");
    WORDS(" \n", "2");
    WORDS("x\xC2\x85y\xC2\xA0 z\xE2\x80\xA8", "1 1 1 1 2 1"); /* White_Space */
    WORDS("x\xEF\xBB\xBFy\xE2\x80\x8Bz\x1C!", "1 1 1 1 1 2"); /* not White_Space */
    WORDS("\0\0a \0", "2 1 2");
    WORDS("a\xCC\x81z", "1 1 1");                      /* a mark is no letter */
    WORDS("\xD9\xA3\xE2\x85\xA3\xC2\xBD 7a", "3 2 1"); /* N* */
}

/* ---- Merges ---- */

TEST(the_lowest_rank_goes_first_and_the_leftmost)
{
    build("a b c ab bc aa abc", "b c\na b\na a\n");
    EXPECT("abc", -1, "0 0:1 4 1:3");
    EXPECT("aaa", -1, "5 0:2 0 2:3");
    EXPECT("aabcab", -1, "5 0:2 4 2:4 3 4:6");
    EXPECT("", -1, "");
    close_all();
    build("a b c ab bc abc", "#version: 0.2\r\na b\r\n\r\nab c\r\nb c\r\na bc");
    EXPECT("abc", -1, "5 0:3");
    EXPECT("bc", -1, "4 0:2");
    close_all();
}

TEST(of_equal_merges_the_last_counts)
{
    build("a b c ab bc", "a b\nb c\na b\n");
    EXPECT("abc", -1, "0 0:1 4 1:3");
    close_all();
}

TEST(bytes_that_the_vocabulary_lacks)
{
    build("a b ab ?", "a b\n");
    EXPECT("axb", 3, "0 0:1 3 1:2 1 2:3");
    EXPECT("axb", -1, "2 0:3"); /* as in the reference: what is left out keeps nothing apart */
    EXPECT("x\xC3\xA9", 3, "3 0:1 3 1:3 3 1:3");
    EXPECT("xx", -1, "");
    close_all();
}

/* A byte piece has the whole character as its span, and no more. */
TEST(spans_cover_characters)
{
    build("Ā Ã © a Â ħ Ã© aÃ", "Ã ©\na Ã\n");
    EXPECT("a\0\xC3\xA9", -1, "3 0:1 0 1:2 6 2:4");
    EXPECT("a\xC2\x85", -1, "3 0:1 4 1:3 5 1:3");
    close_all();
    /* As where a text was reordered before. */
    struct point points[] = {{'a', {4, 6}}, {'b', {2, 4}}, {'c', {6, 7}}};
    struct encoding_builder builder = {.sentence = 1, .error = &text_error};
    char got[64];
    build("a b c ab", "a b\n");
    encode_word(&(struct points){.items = points}, 0, 3, -1, &builder);
    ck_assert_uint_eq(builder.encoding->tokens[0].sentence, 1);
    text_describe(&builder, got, sizeof got);
    ck_assert_str_eq(got, "3 2:6 2 6:7");
    close_all();
}

/* In quadratic time this would take a day. */
TEST(a_word_of_a_million_bytes)
{
    const size_t length = (size_t)1 << 20;
    struct encoding_builder builder = {.error = &text_error};
    struct encoding *encoding;
    char *bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 'a', length);
    build("a aa aaaa aaaaaaaa", "a a\naa aa\naaaa aaaa\n");
    struct points points = text_points((struct text){bytes, length});
    ck_assert_uint_eq(word_length(&points, 0), length);
    encode_word(&points, 0, points.count, -1, &builder);
    ck_assert_int_eq(encoding_finish(&builder, &encoding), STATUS_OK);
    ck_assert_uint_eq(encoding->count, length / 8);
    ck_assert_int_eq(encoding->tokens[length / 8 - 1].id, 3);
    ck_assert_uint_eq(encoding->tokens[length / 8 - 1].span.end, length);
    free(encoding);
    points_free(&points);
    free(bytes);
    close_all();
}

/* ---- Refusals ---- */

ROW_TEST(refusals, "bpe")
{
    ck_assert(!read_files(row[0], row[1]));
    ck_assert_int_eq(error.status, STATUS_FORMAT);
    ck_assert_ptr_null(tokenizer.bpe);
    ck_assert_str_eq(error.message, row[2]);
    close_all();
}

static void refuse_pair(const char *left, const char *right, const char *message)
{
    const struct text pieces[] = {{"a", 1}, {"b", 1}, {"ab", 2}};
    const struct text merges[] = {{"a", 1}, {"b", 1}, {left, strlen(left)}, {right, strlen(right)}};
    struct vocabulary *vocabulary;
    struct bpe *bpe;
    ck_assert_int_eq(vocabulary_of(pieces, 3, "v", &vocabulary, &error), STATUS_OK);
    ck_assert_int_eq(bpe_new(vocabulary, merges, 2, (struct bpe_rules){0}, "m.txt", &bpe, &error),
                     STATUS_MISMATCH);
    ck_assert_ptr_null(bpe);
    ck_assert_str_eq(error.message, message);
    free(vocabulary);
}

TEST(merges_of_another_vocabulary)
{
    refuse_pair("x", "b",
                "m.txt: expected the left half of merge 2, \"x\", in the vocabulary, "
                "found no such piece; the two may be of different models");
    refuse_pair("a", "",
                "m.txt: expected the right half of merge 2, \"\", in the vocabulary, "
                "found no such piece; the two may be of different models");
    refuse_pair("b", "ab",
                "m.txt: expected the result of merge 2, \"bab\", in the vocabulary, "
                "found no such piece; the two may be of different models");
}

/* The halves of a merge are joined in a buffer that has room for the longest of all, wherever it
 * is. */
TEST(the_longest_half_is_anywhere)
{
    enum { LONG = 5000 };
    static char joined[LONG + 2];
    memset(joined, 'a', LONG);
    memcpy(joined + LONG, "bc", 2);
    const struct text pieces[] = {
        {joined, LONG}, {"b", 1}, {"c", 1}, {joined, LONG + 1}, {"bc", 2}};
    const struct text merges[][4] = {{pieces[0], pieces[1], pieces[1], pieces[2]},
                                     {pieces[1], pieces[2], pieces[0], pieces[1]}};
    for (int i = 0; i < COUNT(merges); i++) {
        struct vocabulary *vocabulary;
        struct bpe *bpe;
        ck_assert_int_eq(vocabulary_of(pieces, 5, "v", &vocabulary, &error), STATUS_OK);
        ck_assert_int_eq(
            bpe_new(vocabulary, merges[i], 2, (struct bpe_rules){0}, "m.txt", &bpe, &error),
            STATUS_OK);
        free(bpe);
        free(vocabulary);
    }
}
