/* JSON piece by piece: what is JSON and what is not, and where it ends to be. */
#include "headlight/base/json_scan.h"
#include "suites.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In memory of exactly its size, so that a sanitiser sees any step beyond. */
static struct json_scan begin(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length > 0 ? length : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, length);
    return (struct json_scan){.text = copy, .length = length};
}

static void end(const struct json_scan *scan)
{
    free((void *)(uintptr_t)scan->text);
}

static const char *const values[] = {
    "{}",      "[]",       "\"\"",         "0",     "-0",
    "12",      "-1.5e+10", "1E-2",         "true",  "null",
    "false",   "[1]",      " [ ] ",        "[1,2]", "{\"a\":{\"a\":[0,\"\"]}}",
    "\t\r\n1", "0.0",      "\"\\\"\\\\\"", "1e5",   "\"\xFF\"",
};

START_TEST(any_value_is_passed_over)
{
    struct json_scan scan = begin(values[_i]);
    ck_assert_msg(json_scan_skip(&scan) && json_scan_end(&scan), "%s: expected %s", values[_i],
                  scan.expected);
    end(&scan);
}
END_TEST

static const struct {
    const char *text;
    size_t at;
    const char *expected;
} bad[] = {
    {"", 0, "a value"},
    {"  ", 2, "a value"},
    {"\x01", 0, "a value"},
    {"x", 0, "a value"},
    {"nul", 0, "a value"},
    {"+1", 0, "a value"},
    {".5", 0, "a value"},
    {"\xEF\xBB\xBF{}", 0, "a value"},
    {"-", 1, "a digit"},
    {"-x", 1, "a digit"},
    {"1.", 2, "a digit"},
    {"1e", 2, "a digit"},
    {"1e+", 3, "a digit"},
    {"01", 1, "nothing more"},
    {"truex", 4, "nothing more"},
    {"1 1", 2, "nothing more"},
    {"[1\v]", 2, "a comma or \"]\""},
    {"[1 1]", 3, "a comma or \"]\""},
    {"[1}", 2, "a comma or \"]\""},
    {"[1,]", 3, "a value"},
    {"[,1]", 1, "a value"},
    {"[", 1, "a value"},
    {"{1:2}", 1, "a string"},
    {"{\"a\"}", 4, "a colon"},
    {"{\"a\":1,}", 7, "a string"},
    {"{\"a\":1]", 6, "a comma or \"}\""},
    {"\"", 1, "a string's end, and control characters as \\u00XX"},
    {"\"\t\"", 1, "a string's end, and control characters as \\u00XX"},
    {"\"\\x\"", 2, "one of \" \\ / b f n r t u after a backslash"},
    {"\"\\", 2, "one of \" \\ / b f n r t u after a backslash"},
    {"\"\\u12g4\"", 5, "four hexadecimal digits"},
    {"\"\\u12", 5, "four hexadecimal digits"},
    {"\"\\ud800\"", 7, "the two halves of a surrogate pair"},
    {"\"\\udc00\\udc00\"", 7, "the two halves of a surrogate pair"},
    {"\"\\ud800\\ud800\"", 13, "the two halves of a surrogate pair"},
    {"\"\\ud800\\", 7, "the two halves of a surrogate pair"},
};

START_TEST(what_is_no_json_is_told_with_its_place)
{
    struct json_scan scan = begin(bad[_i].text);
    ck_assert(!(json_scan_skip(&scan) && json_scan_end(&scan)));
    ck_assert_msg(scan.at == bad[_i].at && strcmp(scan.expected, bad[_i].expected) == 0,
                  "%s: byte %zu, %s", bad[_i].text, scan.at, scan.expected);
    /* and it stays told */
    size_t size, at = scan.at;
    ck_assert(!json_scan_sees(&scan, '1') && !json_scan_take(&scan, '['));
    ck_assert(!json_scan_more(&scan, ']', 0) && !json_scan_more(&scan, ']', 1));
    ck_assert(!json_scan_string(&scan, NULL) && !json_scan_size(&scan, &size));
    ck_assert(!json_scan_skip(&scan) && !json_scan_end(&scan));
    ck_assert_uint_eq(scan.at, at);
    ck_assert_str_eq(scan.expected, bad[_i].expected);
    end(&scan);
}
END_TEST

START_TEST(nesting_is_bounded)
{
    char text[2 * JSON_SCAN_NESTING + 3];
    for (size_t depth = JSON_SCAN_NESTING; depth <= JSON_SCAN_NESTING + 1; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = '\0';
        struct json_scan scan = begin(text);
        ck_assert_int_eq(json_scan_skip(&scan), depth <= JSON_SCAN_NESTING);
        if (scan.expected)
            ck_assert_str_eq(scan.expected, "less nesting");
        end(&scan);
    }
}
END_TEST

static const struct {
    const char *text, *string; /* NULL: none */
} strings[] = {
    {"\"\"", ""},
    {" \"a b\"", "a b"},
    {"\"\\b\\f\\n\\r\\t\\/\\\\\\\"\"", "\b\f\n\r\t/\\\""},
    {"\"\\u0041\\u00e9\\u20AC\"", "A\u00E9\u20AC"},
    {"\"\\uD83D\\uDE00\\udbff\\udfff\"", "\U0001F600\U0010FFFF"},
    {"\"x\\u0000\\\\u0000\"", "x\uFFFD\\u0000"},
    {"\"\x7F\xFF\u20AC\"", "\x7F\xFF\u20AC"},
    {"a", NULL},
};

START_TEST(strings_are_read)
{
    struct json_scan scan = begin(strings[_i].text);
    char *string = malloc(scan.length); /* no more than it takes */
    ck_assert_ptr_nonnull(string);
    ck_assert(json_scan_string(&scan, string) == (strings[_i].string != NULL));
    if (strings[_i].string)
        ck_assert_str_eq(string, strings[_i].string);
    free(string);
    end(&scan);
}
END_TEST

static const struct {
    const char *text;
    size_t size; /* SIZE_MAX: none */
} sizes[] = {
    {"0", 0},
    {" 7 ", 7},
    {"1234567890", 1234567890},
    {"01", SIZE_MAX},
    {"00", SIZE_MAX},
    {"-1", SIZE_MAX},
    {"-0", SIZE_MAX},
    {"1.0", SIZE_MAX},
    {"1e2", SIZE_MAX},
    {"1E2", SIZE_MAX},
    {"\"1\"", SIZE_MAX},
    {"", SIZE_MAX},
    {"null", SIZE_MAX},
    {"18446744073709551616", SIZE_MAX},
    {"99999999999999999999", SIZE_MAX},
};

START_TEST(sizes_are_whole_numbers_that_fit)
{
    struct json_scan scan = begin(sizes[_i].text);
    size_t size = SIZE_MAX;
    bool found = json_scan_size(&scan, &size);
    ck_assert_msg(found == (sizes[_i].size != SIZE_MAX), "%s", sizes[_i].text);
    if (found)
        ck_assert_uint_eq(size, sizes[_i].size);
    end(&scan);
    char most[32];
    snprintf(most, sizeof most, "%zu", SIZE_MAX);
    scan = begin(most);
    ck_assert(json_scan_size(&scan, &size));
    ck_assert_uint_eq(size, SIZE_MAX);
    end(&scan);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

Suite *suite_base_json_scan(void)
{
    Suite *suite = suite_create("base/json_scan");
    TCase *tests = tcase_create("json_scan");
    tcase_add_loop_test(tests, any_value_is_passed_over, 0, COUNT(values));
    tcase_add_loop_test(tests, what_is_no_json_is_told_with_its_place, 0, COUNT(bad));
    tcase_add_test(tests, nesting_is_bounded);
    tcase_add_loop_test(tests, strings_are_read, 0, COUNT(strings));
    tcase_add_loop_test(tests, sizes_are_whole_numbers_that_fit, 0, COUNT(sizes));
    suite_add_tcase(suite, tests);
    return suite;
}
