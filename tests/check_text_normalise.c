#include "headlight/text/tokenizer_reader.h"

#include "suites.h"
#include "text_helpers.h"

#include <stdlib.h>
#include <string.h>

struct rules {
    const char *settings;
};

static const struct rules uncased = {"{}"};
static const struct rules cased = {"{\"lowercase\": false}"};

struct expected {
    int32_t code;
    size_t start, end;
};

/* BERT's steps, as settings choose them. */
static void normalise(struct text text, const struct rules *rules, struct points *points)
{
    struct tokenizer tokenizer = {0};
    struct error error;
    cJSON *settings = cJSON_Parse(rules->settings);
    cJSON_AddStringToObject(settings, "type", "BertNormalizer");
    const struct tokenizer_reader in = {json_reader(settings, "rules", &error), &tokenizer, NULL};
    ck_assert(reader_normalizer(&in));
    points_read(text, points);
    normaliser_apply(&tokenizer.normaliser, points, 1000);
    ck_assert_int_eq(points->error->status, STATUS_OK);
    normaliser_free(&tokenizer.normaliser);
    cJSON_Delete(settings);
}

static void expect(const char *text, size_t length, const struct rules *rules, size_t count,
                   const struct expected *expected)
{
    struct points points = {.error = &text_error};
    normalise((struct text){text, length}, rules, &points);
    ck_assert_uint_eq(points.count, count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(points.items[i].code, expected[i].code);
        ck_assert_uint_eq(points.items[i].span.start, expected[i].start);
        ck_assert_uint_eq(points.items[i].span.end, expected[i].end);
    }
    points_free(&points);
}

#define EXPECT(text, rules, ...)                                                                   \
    expect(text, sizeof(text) - 1, rules,                                                          \
           sizeof((struct expected[]){__VA_ARGS__}) / sizeof(struct expected),                     \
           (struct expected[]){__VA_ARGS__})

TEST(nothing)
{
    expect("", 0, &uncased, 0, NULL);
    expect(NULL, 0, &uncased, 0, NULL);
    expect("\0\x07\xFF\xEF\xBF\xBD", 6, &uncased, 0, NULL);
}

TEST(cleaning)
{
    EXPECT("a\tb\0c", &uncased, {'a', 0, 1}, {' ', 1, 2}, {'b', 2, 3}, {'c', 4, 5});
    EXPECT("a\xC2\xA0\xE2\x80\xA8z", &cased, {'a', 0, 1}, {' ', 1, 3}, {' ', 3, 6}, {'z', 6, 7});
}

TEST(ideographs_stand_alone)
{
    const struct rules joined = {"{\"handle_chinese_chars\": false}"};
    EXPECT("x中", &cased, {'x', 0, 1}, {' ', 1, 1}, {0x4E2D, 1, 4}, {' ', 4, 4});
    EXPECT("x中", &joined, {'x', 0, 1}, {0x4E2D, 1, 4});
}

TEST(accents_go_with_their_letter)
{
    EXPECT("É", &uncased, {'e', 0, 2});
    EXPECT("E\xCC\x81x", &uncased, {'e', 0, 3}, {'x', 3, 4});
    EXPECT("E\xCC\x81\xCC\xA3", &uncased, {'e', 0, 5});
    EXPECT("e\0\xCC\x81", &uncased, {'e', 0, 1}); /* not next to it */
    EXPECT("\xCC\x81o", &uncased, {'o', 2, 3});
}

TEST(cased_keeps_what_is_written)
{
    EXPECT("É", &cased, {0xC9, 0, 2});
    EXPECT("E\xCC\x81", &cased, {'E', 0, 1}, {0x301, 1, 3});
    EXPECT("\xE2\x84\xAB", &cased, {0x212B, 0, 3}); /* Å is not composed or replaced */
}

TEST(lower_case_and_accents_are_two_settings)
{
    const struct rules lower = {"{\"strip_accents\": false}"};
    const struct rules strip = {"{\"lowercase\": false, \"strip_accents\": true}"};
    EXPECT("É", &lower, {0xE9, 0, 2});
    EXPECT("É", &strip, {'E', 0, 2});
    EXPECT("İx", &lower, {'i', 0, 2}, {0x307, 0, 2}, {'x', 2, 3});
    EXPECT("İx", &uncased, {'i', 0, 2}, {'x', 2, 3});
}

TEST(hangul_comes_apart)
{
    EXPECT("각", &uncased, {0x1100, 0, 3}, {0x1161, 0, 3}, {0x11A8, 0, 3});
}

/* U+1D165 has combining class 216, U+302E class 224; both are spacing, so they stay. What moves has
 * the source that stood in its place, as the reference counts. */
TEST(marks_in_canonical_order)
{
    EXPECT("x\xE3\x80\xAE\xF0\x9D\x85\xA5y", &uncased, {'x', 0, 1}, {0x1D165, 1, 4}, {0x302E, 4, 8},
           {'y', 8, 9});
    EXPECT("x\xE3\x80\xAE \xF0\x9D\x85\xA5", &uncased, {'x', 0, 1}, {0x302E, 1, 4}, {' ', 4, 5},
           {0x1D165, 5, 9});
}

/* A sort that moved each mark past all the others would take minutes here. */
TEST(many_marks_take_no_quadratic_time)
{
    const size_t count = 200000;
    char *bytes = malloc(7 * count);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < count; i++) {
        memcpy(bytes + 3 * i, "\xE3\x80\xAE", 3);
        memcpy(bytes + 3 * count + 4 * i, "\xF0\x9D\x85\xA5", 4);
    }
    struct points points = {.error = &text_error};
    normalise((struct text){bytes, 7 * count}, &uncased, &points);
    ck_assert_uint_eq(points.count, 2 * count);
    points_free(&points);
    free(bytes);
}
