#include "model_helpers.h"
#include "suites.h"

#include "headlight/base/json.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static struct error error;

static enum status parse(const char *text, cJSON **json)
{
    return json_parse_object(text, strlen(text), "file.json", json, &error);
}

TEST(only_one_object_is_json)
{
    static const char *const bad[] = {"", "{", "[1]", "3", "{} {}", "{\"a\":}", "{\"a\":1}x"};
    cJSON *json;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(parse(bad[i], &json), STATUS_FORMAT, "file.json", error);
        ck_assert_ptr_null(json);
    }
    assert_fails(parse("{\n\n\"a\": wrong}", &json), STATUS_FORMAT, "line 3", error);
    assert_ok(parse(" {\"a\":1} \n", &json), error);
    cJSON_Delete(json);
}

TEST(only_one_array_is_a_list)
{
    static const char *const bad[] = {"", "[", "{}", "\"[]\"", "[] []", "[1,]", "[1]x", "null"};
    cJSON *json;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(
            json_parse(bad[i], strlen(bad[i]), JSON_BYTES_MAX, true, "list", &json, &error),
            STATUS_FORMAT, "list: expected", error);
        ck_assert_ptr_null(json);
    }
    assert_ok(json_parse("[1,\"a\"] x", 7, JSON_BYTES_MAX, true, "list", &json, &error), error);
    ck_assert_int_eq(cJSON_GetArraySize(json), 2);
    cJSON_Delete(json);
}

TEST(nested_without_end_is_refused)
{
    char deep[100000];
    cJSON *json;
    memset(deep, '[', sizeof deep - 1);
    memcpy(deep, "{\"a\":", 5);
    deep[sizeof deep - 1] = '\0';
    assert_fails(parse(deep, &json), STATUS_FORMAT, "file.json", error);
}

TEST(members_are_read_by_type)
{
    cJSON *json;
    assert_ok(
        parse("{\"t\":true,\"n\":1e-12,\"s\":\"gelu\",\"z\":16384,\"x\":null,\"o\":{\"a\":1}}",
              &json),
        error);
    const struct json_reader in = json_reader(json, "f", &error), inner = json_inner(&in, "o");
    ck_assert(json_bool(&in, "t", false));
    ck_assert_double_eq(json_number(&in, "n", 7), 1e-12);
    ck_assert_str_eq(json_string(&in, "s", "default"), "gelu");
    ck_assert_uint_eq(json_size(&in, "z", 9), 16384);
    ck_assert_uint_eq(json_size(&inner, "a", 9), 1);
    ck_assert_uint_eq(json_size(&in, "x", 9), 9); /* null: as if absent */
    ck_assert_str_eq(json_string(&in, "none", "default"), "default");
    ck_assert(json_is_fine(&in));
    cJSON_Delete(json);
}

/* Each before a second fault, which is not told, nor is what comes behind it read. */
TEST(the_first_fault_is_kept)
{
    static const char *const expected[] = {"whole number for \"f\"",
                                           "whole number for \"m\"",
                                           "whole number for \"big\"",
                                           "true or false for \"z\"",
                                           "a number for \"s\"",
                                           "a string for \"z\"",
                                           "an object for \"z\", found another value"};
    for (int i = 0; i < COUNT(expected); i++) {
        cJSON *json;
        assert_ok(parse("{\"s\":\"gelu\",\"z\":16384,\"f\":1.5,\"m\":-1,\"big\":1e300}", &json),
                  error);
        const struct json_reader in = json_reader(json, "file.json", &error);
        if (i < 3)
            ck_assert_uint_eq(json_size(&in, i == 0 ? "f" : i == 1 ? "m" : "big", 9), 9);
        ck_assert(i != 3 || json_bool(&in, "z", true));
        ck_assert(i != 4 || json_number(&in, "s", 7) > 6);
        ck_assert(i != 5 || !json_string(&in, "z", NULL));
        ck_assert(i != 6 || !json_inner(&in, "z").object);
        ck_assert_uint_eq(json_size(&in, "z", 3), 3);
        ck_assert(!json_refuse(&in, STATUS_LIMIT, "too late"));
        assert_fails(error.status, STATUS_FORMAT, expected[i], error);
        ck_assert_ptr_nonnull(strstr(error.message, "file.json: expected "));
        cJSON_Delete(json);
    }
}

static char *written_float(float value)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    json_write_float(stream, value);
    fclose(stream);
    return text;
}

/* As printing and reading back finds them out, one precision after the other. */
static void check_written(float value)
{
    char expected[32], *text = written_float(value);
    for (int precision = 6; precision <= 9; precision++) {
        snprintf(expected, sizeof expected, "%.*g", precision, (double)value);
        if (strtof(expected, NULL) == value)
            break;
    }
    ck_assert_str_eq(text, expected);
    const float back = strtof(text, NULL);
    ck_assert_msg(memcmp(&value, &back, sizeof value) == 0, "%s", text);
    free(text);
}

/* Any, weights, and those about a power of ten. */
TEST(floats_survive_a_round_trip_in_the_fewest_digits)
{
    uint32_t state = 1;
    for (int i = 0; i < 100000; i++) {
        float value;
        state = state * 1664525u + 1013904223u;
        memcpy(&value, &state, sizeof value);
        if (isfinite(value))
            check_written(value);
        check_written(expf(-30 * (float)(state >> 8) / 0x1p24F));
    }
    for (int power = -13; power < 17; power++) {
        float below = powf(10, (float)power), above = below;
        for (int i = 0; i < 200; i++) {
            check_written(below = nextafterf(below, 0));
            check_written(above);
            above = nextafterf(above, FLT_MAX);
        }
    }
    const float special[] = {0.1F, 1, 0, FLT_MAX, FLT_MIN, FLT_TRUE_MIN};
    const char *const expected[] = {"0.1",           "1",         "0", "3.4028235e+38",
                                    "1.1754944e-38", "1.4013e-45"};
    for (size_t i = 0; i < 6; i++) {
        char *text = written_float(special[i]);
        ck_assert_str_eq(text, expected[i]);
        free(text);
    }
    char *text = written_float(-INFINITY);
    ck_assert_str_eq(text, "null");
    free(text);
}

/* Controls and Unicode's Bidi_Control characters. */
TEST(strings_cannot_drive_a_terminal)
{
    static const int hostile[] = {0x200B, 0xFEFF, 0xFFFF, 0x01,   0x1B,   0x7F,   0x80,
                                  0x9B,   0x9F,   0x061C, 0x200E, 0x200F, 0x202A, 0x202B,
                                  0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        char bytes[4], expected[16], *text = NULL;
        size_t length = 0, count = (size_t)utf8proc_encode_char(hostile[i], (uint8_t *)bytes);
        FILE *stream = open_memstream(&text, &length);
        json_write_string(stream, bytes, count);
        fclose(stream);
        snprintf(expected, sizeof expected, "\"\\u%04x\"", (unsigned)hostile[i]);
        ck_assert_str_eq(text, expected);
        free(text);
    }
}

TEST(what_is_not_seen_beyond_the_first_plane_takes_two_escapes)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    json_write_string(stream, "\xF3\xA0\x80\x81\xF0\x9F\x98\x80", 8); /* a tag, a face */
    fclose(stream);
    ck_assert_str_eq(text, "\"\\udb40\\udc01\xF0\x9F\x98\x80\"");
    free(text);
}

TEST(quotes_and_backslashes_are_read_back)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    json_write_string(stream, "\"\\\"", 3);
    fclose(stream);
    ck_assert_str_eq(text, "\"\\\"\\\\\\\"\"");
    free(text);
}

/* A string of C would end there, and say less than the file does. */
TEST(members_and_lists_get_their_commas)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    struct json_writer json = {.stream = stream};
    json_open(&json, NULL, "{");
    json_put(&json, JSON("a", "x\"y"), JSON_IF(false, "b", 1), JSON("c", (size_t)7),
             JSON("d", 0.5F), JSON("e", (bool)true), JSON_NULL("f"), JSON_OF("g", "hijk", 2));
    json_open(&json, "h", "[[");
    for (int i = 0; i < 4; i++) {
        json_row(&json, (size_t)i, 2);
        json_put(&json, JSON(NULL, -i));
    }
    json_close(&json, "]]");
    json_list(&json, "i", i, length, JSON(NULL, i));
    json_object(&json, "j", JSON("k", (double)NAN));
    json.line = true;
    json.digits = 3;
    json_list(&json, "l", i, 3, JSON(NULL, (double)i / 3));
    json_put_floats(&json, NULL, (const float[]){1, 2.5F}, 2);
    json_put_floats(&json, "m", NULL, 2);
    json_put_raw(&json, "\"n\":[]");
    json_close(&json, "}");
    fclose(stream);
    ck_assert_str_eq(text,
                     "{\"a\":\"x\\\"y\",\"c\":7,\"d\":0.5,\"e\":true,\"f\":null,\"g\":\"hi\","
                     "\"h\":[[0,-1],[-2,-3]],\"i\":[],\"j\":{\"k\":null},\n\"l\":[0,0.333,0.667],"
                     "[1,2.5],\"m\":null,\"n\":[]}");
    free(text);
}

TEST(nul_is_read_as_a_replacement_character)
{
    static const struct {
        const char *text, *value;
    } cases[] = {
        {"{\"a\":\"x\\u0000y\"}", "x\xEF\xBF\xBDy"},
        {"{\"a\":\"\\u0000\"}", "\xEF\xBF\xBD"},
        {"{\"a\":\"x\\\\u0000y\"}", "x\\u0000y"},
        {"{\"a\":\"x\\\\\\u0000\\u0000y\"}", "x\\\xEF\xBF\xBD\xEF\xBF\xBDy"},
        {"{\"a\":\"x\\u0001y\"}", "x\001y"},
        {"{\"a\\u0000b\":\"no\",\"a\":\"yes\"}", "yes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *object;
        assert_ok(parse(cases[i].text, &object), error);
        ck_assert_str_eq(json_member(object, "a")->valuestring, cases[i].value);
        cJSON_Delete(object);
    }
}

/* As Python's json writes and reads it. */
TEST(of_members_of_one_name_the_last_counts)
{
    cJSON *json;
    assert_ok(parse("{\"act\":\"gelu\",\"x\":1,\"act\":\"relu\",\"y\":2,\"y\":null}", &json),
              error);
    ck_assert_str_eq(json_member(json, "act")->valuestring, "relu");
    ck_assert_ptr_null(json_member(json, "y"));
    cJSON_Delete(json);
}

TEST(numbers_of_python_are_read_past)
{
    static const char text[] = "{\"a\":NaN,\n\"b\":[-Infinity,Infinity ,\"NaN\\\"NaN\"],\"c\":3}";
    cJSON *json;
    assert_ok(parse(text, &json), error);
    const struct json_reader in = json_reader(json, "f", &error);
    ck_assert_str_eq(json_member(json, "b")->child->next->next->valuestring, "NaN\"NaN");
    ck_assert_double_eq(json_number(&in, "c", 0), 3);
    json_number(&in, "a", 0);
    assert_fails(error.status, STATUS_FORMAT, "f: expected a number for \"a\"", error);
    cJSON_Delete(json);
    assert_fails(json_parse(text + 9, 0, 99, false, "f", &json, &error), STATUS_FORMAT,
                 "f: ", error);
    assert_fails(json_parse(text, sizeof text - 1, 99, false, "f", &json, &error), STATUS_FORMAT,
                 "f: expected JSON, found NaN in line 1", error);
    assert_fails(parse("{\n\"a\":\"\\ud83d\"}", &json), STATUS_FORMAT,
                 "expected JSON, found half of a surrogate pair in line 2", error);
    ck_assert_str_eq(json_fault("[-Infinity]", 11), "-Infinity");
    ck_assert_ptr_null(json_fault("[x]", 3));
    ck_assert_ptr_null(json_fault("[1]", 3));
}

TEST(nul_bytes_are_no_json)
{
    static const char text[] = "{\n\"a\":\"x\0y\"}";
    cJSON *object;
    assert_fails(json_parse_object(text, sizeof text - 1, "f", &object, &error), STATUS_FORMAT,
                 "f: expected JSON, found a NUL byte in line 2", error);
    ck_assert_ptr_null(object);
}

/* A list of digits makes the largest tree for its length. */
TEST(large_texts_are_refused)
{
    char *text = malloc(JSON_BYTES_MAX + 1);
    cJSON *json;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i <= JSON_BYTES_MAX; i++)
        text[i] = i % 2 == 0 ? ',' : '0';
    text[0] = '[';
    text[JSON_BYTES_MAX - 2] = ']';
    text[JSON_BYTES_MAX - 1] = text[JSON_BYTES_MAX] = ' ';
    assert_fails(json_parse(text, JSON_BYTES_MAX + 1, JSON_BYTES_MAX, true, "list", &json, &error),
                 STATUS_LIMIT, "list: expected at most 4194304 bytes of JSON, found 4194305",
                 error);
    ck_assert_ptr_null(json);
    assert_ok(json_parse(text, JSON_BYTES_MAX, JSON_BYTES_MAX, true, "list", &json, &error), error);
    ck_assert_int_eq(cJSON_GetArraySize(json), (int)JSON_BYTES_MAX / 2 - 1);
    cJSON_Delete(json);
    free(text);
}
