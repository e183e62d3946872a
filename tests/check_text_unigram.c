#include "headlight/text/tokenizer_reader.h"

#include "suites.h"
#include "text_helpers.h"

#include "headlight/text/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN 0

static struct vocabulary *vocabulary;
static struct vocabulary *names; /* NULL: the ids are those of `vocabulary` */
static struct unigram *unigram;

struct scored {
    const char *piece;
    double score;
};

/* The piece 0 is the unknown one. */
static void build(const struct scored *pieces, size_t count)
{
    struct text list[16];
    double scores[16];
    struct error error;
    for (size_t i = 0; i < count; i++) {
        list[i] = (struct text){pieces[i].piece, strlen(pieces[i].piece)};
        scores[i] = pieces[i].score;
    }
    ck_assert_int_eq(vocabulary_of(list, count, "v", &vocabulary, &error), STATUS_OK);
    ck_assert_int_eq(unigram_new(vocabulary, scores, UNKNOWN, "v", &unigram, &error), STATUS_OK);
}

#define BUILD(...)                                                                                 \
    build((struct scored[]){__VA_ARGS__},                                                          \
          sizeof((struct scored[]){__VA_ARGS__}) / sizeof(struct scored))

static void close_all(void)
{
    free(unigram);
    free(vocabulary);
    free(names);
    names = NULL;
}

static void encode(struct point *points, size_t count, struct encoding_builder *builder)
{
    unigram_encode(unigram, names, 9, &(struct points){.items = points, .count = count}, builder);
    ck_assert_int_eq(builder->error->status, STATUS_OK);
}

static void expect(const char *bytes, size_t length, const char *expected)
{
    char got[512];
    struct encoding_builder builder = {.error = &text_error};
    struct points points = text_points((struct text){bytes, length});
    encode(points.items, points.count, &builder);
    text_describe(&builder, got, sizeof got);
    ck_assert_str_eq(got, expected);
    points_free(&points);
}

#define EXPECT(text, expected) expect(text, sizeof(text) - 1, expected)

/* In single precision a, b and c are as likely as a alone, and all else is less so. */
TEST(sums_and_ids_as_sentencepiece_has_them)
{
    const struct text named[] = {text_of("?"), text_of("x"), text_of("c"), text_of("a"),
                                 text_of("yz")};
    struct error error;
    BUILD({"<unk>", 0}, {"a", -16777216}, {"b", -0.9}, {"c", -0.9}, {"bc", -1.5});
    EXPECT("abc", "1 0:1 4 1:3");
    ck_assert_int_eq(vocabulary_of(named, 5, "v", &names, &error), STATUS_OK);
    EXPECT("abc", "3 0:1 9 1:2 2 2:3");
    EXPECT("yz", "4 0:2"); /* both are unknown, but together a name */
    EXPECT("zy", "9 0:2");
    close_all();
}

TEST(the_greatest_sum_wins)
{
    BUILD({"<unk>", 0}, {"a", -1}, {"b", -1}, {"c", -1}, {"ab", -1.5}, {"bc", -0.5}, {"abc", -2});
    EXPECT("", "");
    EXPECT("a", "1 0:1");
    EXPECT("ab", "4 0:2");
    EXPECT("abc", "1 0:1 5 1:3");
    EXPECT("aabcab", "1 0:1 1 1:2 5 2:4 4 4:6");
    close_all();
}

/* Of two paths with the same sum the one whose last piece begins first. */
TEST(equal_sums)
{
    BUILD({"<unk>", 0}, {"a", -1}, {"b", -1}, {"c", -1}, {"ab", -1}, {"bc", -1}, {"bb", -2});
    EXPECT("abc", "1 0:1 5 1:3");
    EXPECT("bb", "6 0:2");
    close_all();
}

TEST(pieces_that_begin_others)
{
    BUILD({"<unk>", 0}, {"a", -5}, {"abcd", -1}, {"abcdefgh", -1}, {"b", -5}, {"abx", -1},
          {"cdefgx", -1}, {"ab", -3});
    EXPECT("abcd", "2 0:4");
    EXPECT("abcdefgh", "3 0:8");
    EXPECT("abcdefgx", "7 0:2 6 2:8");
    EXPECT("abcde", "2 0:4 0 4:5");
    EXPECT("abx", "5 0:3");
    EXPECT("ba", "4 0:1 1 1:2");
    close_all();
}

TEST(neighbouring_unknown_ones_are_one)
{
    BUILD({"<unk>", 0}, {"a", -1}, {"中", -2}, {"ax", -30});
    EXPECT("xyz", "0 0:3");
    EXPECT("x\0y", "0 0:3");
    EXPECT("xayéa中\xC2\x85", "0 0:1 1 1:2 0 2:5 1 5:6 2 6:9 0 9:11");
    EXPECT("ax", "3 0:2"); /* -30 and not -1 - 40 */
    EXPECT("<unk>x", "0 0:6");
    close_all();
}

/* Ten below the least of all scores, here -4.5 - 10. */
TEST(the_score_of_an_unknown_one)
{
    BUILD({"<unk>", 0}, {"a", 9.75}, {"ax", -4.5}, {"y", -4.25});
    EXPECT("ax", "2 0:2"); /* -4.5, and 9.75 - 14.5 */
    close_all();
    BUILD({"<unk>", 0}, {"a", 10.25}, {"ax", -4.5}, {"y", -4.25});
    EXPECT("ax", "1 0:1 0 1:2"); /* 10.25 - 14.5 */
    close_all();
}

TEST(holes_and_equal_pieces)
{
    BUILD({"<unk>", 0}, {"", 100}, {"a", -9}, {"", 100}, {"a", -2}, {"aa", -4.5});
    EXPECT("aa", "4 0:1 4 1:2"); /* the last of the equal ones */
    close_all();
}

/* As where a text was shortened or reordered before. */
TEST(spans_cover_all_that_a_piece_came_from)
{
    struct point points[] = {
        {0x2581, {3, 3}}, {'a', {5, 7}}, {'b', {4, 5}}, {'x', {7, 9}}, {'y', {9, 12}}};
    char got[64];
    struct encoding_builder builder = {.error = &text_error};
    BUILD({"<unk>", 0}, {"▁a", -1}, {"b", -1}, {"ab", -9});
    encode(points, 5, &builder);
    text_describe(&builder, got, sizeof got);
    ck_assert_str_eq(got, "1 3:7 2 4:5 0 7:12");
    close_all();
}

/* In quadratic time this would take a day. */
TEST(a_text_of_a_million_bytes)
{
    const size_t length = (size_t)1 << 20;
    struct encoding_builder builder = {.error = &text_error};
    struct encoding *encoding;
    char *bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 'a', length);
    bytes[length - 1] = 'x';
    BUILD({"<unk>", 0}, {"a", -1}, {"aaa", -2}, {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", -1});
    struct points points = text_points((struct text){bytes, length});
    encode(points.items, points.count, &builder);
    ck_assert_int_eq(encoding_finish(&builder, &encoding), STATUS_OK);
    ck_assert_uint_eq(encoding->count, length / 3 + 1);
    ck_assert_int_eq(encoding->tokens[length / 3].id, UNKNOWN);
    ck_assert_uint_eq(encoding->tokens[length / 3].span.end, length);
    free(encoding);
    points_free(&points);
    free(bytes);
    close_all();
}

static void refuse(double score, int32_t unknown, const char *message)
{
    const struct text pieces[] = {{"<unk>", 5}, {"a", 1}};
    const double scores[] = {0, score};
    struct error error;
    ck_assert_int_eq(vocabulary_of(pieces, 2, "v", &vocabulary, &error), STATUS_OK);
    ck_assert_int_eq(unigram_new(vocabulary, scores, unknown, "v", &unigram, &error),
                     STATUS_FORMAT);
    ck_assert_ptr_null(unigram);
    ck_assert_str_eq(error.message, message);
    free(vocabulary);
}

TEST(refusals)
{
    refuse((double)NAN, 0, "v: expected a finite score for \"a\", found another value");
    refuse((double)INFINITY, 0, "v: expected a finite score for \"a\", found another value");
    refuse((double)-INFINITY, 0, "v: expected a finite score for \"a\", found another value");
    refuse(-1, -1, "v: expected the id of the unknown piece to be 0 to 1, found -1");
    refuse(-1, 2, "v: expected the id of the unknown piece to be 0 to 1, found 2");
}

/* Or a word of a text's length would be looked up byte by byte from each of its places. */
TEST(a_piece_has_a_longest)
{
    char bytes[1025];
    const struct text pieces[] = {{"<unk>", 5}, {bytes, sizeof bytes}};
    const double scores[] = {0, -1};
    struct error error;
    memset(bytes, 'a', sizeof bytes);
    ck_assert_int_eq(vocabulary_of(pieces, 2, "v", &vocabulary, &error), STATUS_OK);
    ck_assert_int_eq(unigram_new(vocabulary, scores, 0, "v", &unigram, &error), STATUS_LIMIT);
    ck_assert_str_eq(error.message,
                     "v: expected pieces of at most 1024 bytes, found 1025 in piece 1");
    free(vocabulary);
    ck_assert_int_eq(
        vocabulary_of((struct text[]){{"<unk>", 5}, {bytes, 1024}}, 2, "v", &vocabulary, &error),
        STATUS_OK);
    ck_assert_int_eq(unigram_new(vocabulary, scores, 0, "v", &unigram, &error), STATUS_OK);
    close_all();
}
