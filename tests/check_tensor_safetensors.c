/* Headers that are right, and a table of those that are not. */
#include "faults.h"
#include "headlight/tensor/safetensors.h"
#include "model_helpers.h"
#include "suites.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct safetensors *file;

/* A file of this header and `data` bytes, in memory of exactly its size, so that a sanitiser sees
 * any step beyond. */
static enum status parse(uint64_t length, const char *header, size_t data)
{
    size_t size = 8 + strlen(header) + data;
    unsigned char *bytes = calloc(1, size);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, strlen(header));
    enum status status = safetensors_parse(bytes, size, "x.safetensors", &file, &error);
    if (status == STATUS_OK)
        safetensors_free(file);
    else
        ck_assert_ptr_null(file);
    free(bytes);
    return status;
}

static enum status parse_header(const char *header, size_t data)
{
    return parse(strlen(header), header, data);
}

#define ENTRY(name, type, shape, offsets)                                                          \
    "\"" name "\":{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

START_TEST(tensors_are_found)
{
    const char header[] =
        "{" ENTRY("b", "F32", "[2,3]", "[4,28]") ",\"__metadata__\":{\"k\":\"v\"}," ENTRY(
            "a", "F16", "[2]", "[0,4]") "," ENTRY("c", "I64", "[]",
                                                  "[28,36]") "," ENTRY("empty", "F32", "[0,5]",
                                                                       "[36,36]") "}   ";
    unsigned char bytes[8 + sizeof header - 1 + 36] = {(unsigned char)(sizeof header - 1), 0};
    uint64_t length = sizeof header - 1;
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, sizeof header - 1);
    assert_ok(safetensors_parse(bytes, sizeof bytes, "x", &file, &error), error);
    ck_assert_uint_eq(safetensors_count(file), 4);
    ck_assert_str_eq(safetensors_at(file, 0)->name, "a");
    ck_assert_str_eq(safetensors_at(file, 3)->name, "empty");
    const struct tensor *b = safetensors_find(file, "b");
    ck_assert_ptr_nonnull(b);
    ck_assert_int_eq(b->type, TENSOR_F32);
    ck_assert_uint_eq(b->rank, 2);
    ck_assert_uint_eq(b->shape[0], 2);
    ck_assert_uint_eq(b->shape[1], 3);
    ck_assert_uint_eq(b->size, 24);
    ck_assert_ptr_eq(b->data, bytes + sizeof bytes - 32);
    const struct tensor *c = safetensors_find(file, "c");
    ck_assert_int_eq(c->type, TENSOR_OTHER);
    ck_assert_str_eq(c->type_name, "I64");
    ck_assert_uint_eq(c->rank, 0);
    ck_assert_ptr_null(safetensors_find(file, "__metadata__"));
    ck_assert_ptr_null(safetensors_find(file, "d"));
    safetensors_free(file);
    safetensors_free(NULL);
}
END_TEST

START_TEST(metadata_is_found)
{
    static const char bytes[] =
        "\x3B\0\0\0\0\0\0\0"
        "{\"__metadata__\":{\"tokens\":\"[\\\"\\u00e9\\\"]\",\"empty\":\"\"}}      ";
    assert_ok(safetensors_parse(bytes, sizeof bytes - 1, "x", &file, &error), error);
    ck_assert_str_eq(safetensors_metadata(file, "tokens"), "[\"\xC3\xA9\"]");
    ck_assert_str_eq(safetensors_metadata(file, "empty"), "");
    ck_assert_ptr_null(safetensors_metadata(file, "Tokens"));
    ck_assert_uint_eq(safetensors_count(file), 0);
    safetensors_free(file);
    assert_ok(safetensors_parse("\2\0\0\0\0\0\0\0{}", 10, "x", &file, &error), error);
    ck_assert_ptr_null(safetensors_metadata(file, "tokens"));
    safetensors_free(file);
}
END_TEST

/* Escapes in names and values, members that the format does not know, any order. */
START_TEST(every_spelling_is_read)
{
    static const char header[] =
        " { \"\\u005f_metadata__\" : { \"\\ud83d\\ude00\" : \"\\u0000\\n\\\"\\/\\u00E9\" } ,\n"
        "\"a\\u002eb\" : { \"new\" : [ { \"x\" : [ -0.5e-7 , true , null , \"\\\\\" ] } , { } ] ,"
        " \"data_offsets\" : [ 0 , 2 ] , \"sh\\u0061pe\" : [ 1 , 2 ] , \"dtype\" : \"U\\u0038\" ,"
        " \"\" : 12 } }\r\n\t ";
    char bytes[8 + sizeof header - 1 + 2] = {(char)(sizeof header - 1)};
    const uint64_t length = sizeof header - 1;
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, sizeof header - 1);
    assert_ok(safetensors_parse(bytes, sizeof bytes, "x", &file, &error), error);
    ck_assert_uint_eq(safetensors_count(file), 1);
    const struct tensor *tensor = safetensors_find(file, "a.b");
    ck_assert_ptr_nonnull(tensor);
    ck_assert_str_eq(tensor->type_name, "U8");
    ck_assert_uint_eq(tensor->rank, 2);
    ck_assert_uint_eq(tensor->shape[1], 2);
    ck_assert_str_eq(safetensors_metadata(file, "\U0001F600"), "\uFFFD\n\"/\u00E9");
    safetensors_free(file);
}
END_TEST

static const struct {
    const char *header;
    size_t data;
} accepted[] = {
    {"{}", 0},
    {"{\"__metadata__\":{}}", 0},
    {"{\"__metadata__\":null}", 0},
    {"{\"__metadata__\":{\"a\":\"\",\"b\":\"[1]\"}}", 0},
    {"{" ENTRY("a", "F32", "[1]", "[0,4]") "}", 4},
    {"{" ENTRY("a", "F32", "[1]", "[4,8]") "}", 12}, /* unused bytes around it */
    {"{" ENTRY("a", "BOOL", "[3]", "[0,3]") "," ENTRY("b", "F64", "[1,1]", "[3,11]") "}", 11},
#if SIZE_MAX > UINT32_MAX
    {"{" ENTRY("a", "F32", "[0,9007199254740992]", "[0,0]") "}", 0},
#else
    {"{" ENTRY("a", "F32", "[0,4294967295]", "[0,0]") "}", 0},
#endif
    {"{" ENTRY("a", "U8", "[1,1,1,1,1,1,1,1]", "[0,1]") "}", 1},
    {"{\"__metadata__\":null,\"__metadata__\":{}}", 0},
};

START_TEST(good_headers_are_accepted)
{
    assert_ok(parse_header(accepted[_i].header, accepted[_i].data), error);
}
END_TEST

static const struct {
    const char *header;
    size_t data;
    const char *part; /* of the message */
} refused[] = {
    {"[]", 0, "JSON object"},
    {"nonsense", 0, "JSON"},
    {"{", 0, "JSON"},
    {"\xFF\xFE\xFD", 0, "JSON"},
    {"{} {}", 0, "found more"},
    {"{\"__metadata__\":[]}", 0, "object of strings for \"__metadata__\", found \"[\" at byte 16"},
    {"{\"__metadata__\":\"a\"}", 0, "object of strings for \"__metadata__\""},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "found two"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "a string for \"a\" in \"__metadata__\""},
    {"{\"__metadata__\":{\"a\":null}}", 0, "a string for \"a\""},
    {"{\"__metadata__\":{\"tokens\":[\"a\"]}}", 0, "a string for \"tokens\""},
    {"{\"__metadata__\":{},}", 0, "expected a string, found \"}\" at byte 19 of the JSON"},
    {"{\"__metadata__\":{\"a\":\"b\" \"c\":\"\"}}", 0,
     "a comma or \"}\", found a string at byte 25"},
    {"{\"__metadata__\":{\"a\":\"\n\"}}", 0,
     "control characters as \\u00XX, found 0x0a at byte 22"},
    {"{\"__metadata__\":{\"a\":\"b", 0, "found the end at byte 23 of the JSON header"},
    {"{\"a\":1}", 0, "\"a\": expected an object"},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0, "for \"dtype\", found a second time"},
    {"{\"a\":{\"b\":[1,tru]}}", 0, "expected a value, found \"t\" at byte 13"},
    {"{" ENTRY("a", "F32", "[1,]", "[0,4]") "}", 4, "whole numbers in \"shape\", found \"]\""},
    {"{" ENTRY("a", "F32", "[1 1]", "[0,4]") "}", 4, "a comma or \"]\", found \"1\""},
    {"{" ENTRY("a", "F32", "[1.0]", "[0,4]") "}", 4, "whole numbers in \"shape\", found \".\""},
    {"{" ENTRY("a", "F32", "[01]", "[0,4]") "}", 4, "whole numbers in \"shape\""},
    {"{" ENTRY("a", "F32", "[99999999999999999999]", "[0,4]") "}", 4, "whole numbers in"},
    {"{\"a\":{}}", 0, "\"dtype\""},
    {"{\"a\":{\"dtype\":3}}", 0, "\"dtype\""},
    {"{" ENTRY("a", "F31", "[1]", "[0,4]") "}", 4, "found \"F31\""},
    {"{\"a\":{\"dtype\":\"F32\"}}", 0, "\"shape\""},
    {"{" ENTRY("a", "F32", "{}", "[0,4]") "}", 4, "\"shape\""},
    {"{" ENTRY("a", "F32", "[-1]", "[0,4]") "}", 4, "whole numbers in \"shape\""},
    {"{" ENTRY("a", "F32", "[1.5]", "[0,4]") "}", 4, "whole numbers in \"shape\""},
    {"{" ENTRY("a", "F32", "[\"1\"]", "[0,4]") "}", 4, "whole numbers in \"shape\""},
    {"{" ENTRY("a", "F32", "[1e300]", "[0,4]") "}", 4, "whole numbers in \"shape\""},
    {"{" ENTRY("a", "F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]") "}", 4, "at most 8 axes"},
#if SIZE_MAX > UINT32_MAX
    {"{" ENTRY("a", "F32", "[4294967296,4294967296]", "[0,4]") "}", 4, "fits into memory"},
    {"{" ENTRY("a", "F32", "[4294967296,1073741825]", "[0,4]") "}", 4, "fits into memory"},
    {"{" ENTRY("a", "F32", "[9007199254740992,2048,9]", "[0,4]") "}", 4, "fits into memory"},
    {"{" ENTRY("a", "F32", "[1]", "[9007199254740988,9007199254740992]") "}", 4, "within 4 bytes"},
#else
    {"{" ENTRY("a", "F32", "[65536,65536]", "[0,4]") "}", 4, "fits into memory"},
    {"{" ENTRY("a", "F32", "[65536,16385]", "[0,4]") "}", 4, "fits into memory"},
    {"{" ENTRY("a", "F32", "[4294967296]", "[0,4]") "}", 4, "whole numbers in \"shape\""},
    {"{" ENTRY("a", "F32", "[1]", "[4294967291,4294967295]") "}", 4, "within 4 bytes"},
#endif
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "\"data_offsets\""},
    {"{" ENTRY("a", "F32", "[1]", "[0]") "}", 4, "two whole numbers"},
    {"{" ENTRY("a", "F32", "[1]", "[0,4,4]") "}", 4, "two whole numbers"},
    {"{" ENTRY("a", "F32", "[1]", "[-4,0]") "}", 4, "two whole numbers"},
    {"{" ENTRY("a", "F32", "[1]", "[\"0\",4]") "}", 4, "two whole numbers"},
    {"{" ENTRY("a", "F32", "[1]", "[0,1e30]") "}", 4, "two whole numbers"},
    {"{" ENTRY("a", "F32", "[1]", "[4,0]") "}", 4, "found 4 to 0"},
    {"{" ENTRY("a", "F32", "[1]", "[0,4]") "}", 3, "within 3 bytes"},
    {"{" ENTRY("a", "F32", "[2]", "[0,4]") "}", 4, "expected 8 bytes"},
    {"{" ENTRY("a", "F16", "[1]", "[0,4]") "}", 4, "expected 2 bytes"},
    {"{" ENTRY("a", "F32", "[]", "[0,8]") "}", 8, "expected 4 bytes"},
    {"{" ENTRY("a", "F32", "[0]", "[0,4]") "}", 4, "expected 0 bytes"},
    {"{" ENTRY("a", "F32", "[1]", "[0,4]") "," ENTRY("a", "F32", "[1]", "[4,8]") "}", 8,
     "\"a\" twice"},
    {"{" ENTRY("a", "F32", "[1]", "[0,4]") "," ENTRY("b", "F32", "[1]", "[3,7]") "}", 8,
     "do not overlap"},
    {"{" ENTRY("a", "F32", "[2]", "[0,8]") "," ENTRY("b", "F32", "[1]", "[4,8]") "}", 8,
     "do not overlap"},
    {"{" ENTRY("a", "F32", "[1]", "[0,4]") "," ENTRY("b", "F32", "[1]", "[0,4]") "}", 4,
     "do not overlap"},
};

START_TEST(bad_headers_are_refused)
{
    assert_fails(parse_header(refused[_i].header, refused[_i].data), STATUS_FORMAT,
                 refused[_i].part, error);
    ck_assert_ptr_eq(strstr(error.message, "x.safetensors: "), error.message);
}
END_TEST

START_TEST(bad_lengths_are_refused)
{
    static const uint64_t lengths[] = {
        0, 3, (uint64_t)1 << 32, (uint64_t)1 << 60, UINT64_MAX, UINT64_MAX - 7};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        assert_fails(parse(lengths[i], "{}", 0), STATUS_FORMAT, "header of 1 to 2 bytes", error);
    assert_fails(parse(1, "{}", 0), STATUS_FORMAT, "JSON", error);
    for (size_t size = 0; size < 8; size++)
        assert_fails(safetensors_parse("\0\0\0\0\0\0\0", size, "x", &file, &error), STATUS_FORMAT,
                     "is it complete?", error);
    assert_fails(safetensors_parse(NULL, 0, "x", &file, &error), STATUS_FORMAT, "0 bytes", error);
}
END_TEST

/* ---- What a header may cost ---------------------------------------------------------------- */

/* A header in memory of its own: a beginning, a part again and again, an end, blanks. `next` writes
 * the part of that number. */
struct large {
    size_t size, used;
    char *bytes;
};

static void large_begin(struct large *large, size_t size, const char *text)
{
    uint64_t length = size;
    large->size = size + 8;
    large->bytes = malloc(large->size);
    ck_assert_ptr_nonnull(large->bytes);
    memset(large->bytes, ' ', large->size);
    memcpy(large->bytes, &length, 8);
    memcpy(large->bytes + 8, text, strlen(text));
    large->used = 8 + strlen(text);
}

/* False when there is no room for it and an end of 8 bytes. */
static bool large_add(struct large *large, const char *text)
{
    size_t length = strlen(text);
    if (large->used + length + 8 > large->size)
        return false;
    memcpy(large->bytes + large->used, text, length);
    large->used += length;
    return true;
}

static enum status parse_large(const struct large *large, size_t *cost)
{
    faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = SIZE_MAX});
    enum status status = safetensors_parse(large->bytes, large->size, "x", &file, &error);
    faults_end();
    *cost = faults_bytes();
    free(large->bytes);
    return status;
}

/* More than the bound, in a file that has as much. */
START_TEST(huge_headers_are_refused)
{
    static const size_t sizes[] = {SAFETENSORS_HEADER_MAX + 1, 99000000, 100000001};
    struct large large;
    size_t cost;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        large_begin(&large, sizes[i], "{}");
        assert_fails(parse_large(&large, &cost), STATUS_FORMAT, "1 to 4194304 bytes", error);
    }
    large_begin(&large, SAFETENSORS_HEADER_MAX, "{}");
    assert_ok(parse_large(&large, &cost), error);
    safetensors_free(file);
}
END_TEST

/* What means nothing is passed over without being kept, at the bound and far beyond it. */
START_TEST(nonsense_costs_no_memory)
{
    static const size_t sizes[] = {SAFETENSORS_HEADER_MAX, 99000000};
    struct large large;
    size_t cost;
    large_begin(&large, sizes[_i], "{\"a\":{\"b\":[[[0");
    while (large_add(&large, ",[0,{\"\":0},0,0,0,0,0,0,0]"))
        ;
    large_add(&large, "]]]}}");
    assert_fails(parse_large(&large, &cost), STATUS_FORMAT, "x: ", error);
    ck_assert_uint_le(cost, 2 * SAFETENSORS_HEADER_MAX);
}
END_TEST

/* As many tensors as fit into a header, all of them good; and as much metadata. */
START_TEST(memory_is_bounded_by_the_header)
{
    char name[80];
    struct large large;
    size_t cost, count = 0;
    large_begin(&large, SAFETENSORS_HEADER_MAX,
                _i == 0 ? "{\"__metadata__\":{}" : "{\"__metadata__\":{\"a\":\"\"");
    do
        snprintf(name, sizeof name,
                 _i == 0 ? ",\"%zx\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}"
                         : ",\"%zx\":\"\"",
                 count);
    while (large_add(&large, name) && ++count);
    large_add(&large, _i == 0 ? "}" : "}}");
    assert_ok(parse_large(&large, &cost), error);
    ck_assert_uint_gt(count, 70000);
    ck_assert_uint_eq(safetensors_count(file), _i == 0 ? count : 0);
    ck_assert_uint_le(cost, 10 * SAFETENSORS_HEADER_MAX); /* growing counts twice */
    if (_i == 1)
        ck_assert_str_eq(safetensors_metadata(file, "1116f"), "");
    safetensors_free(file);
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
    const size_t depth = 200000;
    char *header = malloc(depth + 8);
    ck_assert_ptr_nonnull(header);
    memcpy(header, "{\"a\":", 5);
    memset(header + 5, _i == 0 ? '[' : '{', depth);
    header[5 + depth] = '\0';
    assert_fails(parse_header(header, 0), STATUS_FORMAT, "JSON", error);
    free(header);
}
END_TEST

/* Every cut of a real file, and every single byte of its header changed, gives an answer. */
START_TEST(damage_never_crashes)
{
    struct mapping mapping;
    const char path[] = TINY_FOLDER "/model.safetensors";
    assert_ok(mapping_open(&mapping, path, &error), error);
    unsigned char *bytes = malloc(mapping.size);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, mapping.bytes, mapping.size);
    for (size_t size = 0; size < mapping.size; size += size < 1000 ? 37 : 4999)
        ck_assert_int_eq(safetensors_parse(bytes, size, path, &file, &error), STATUS_FORMAT);
    for (size_t at = 0; at < 700; at++)
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[at] = mapping.bytes[at] ^ (unsigned char)(1 << bit);
            if (safetensors_parse(bytes, mapping.size, path, &file, &error) == STATUS_OK)
                safetensors_free(file);
            bytes[at] = mapping.bytes[at];
        }
    free(bytes);
    mapping_close(&mapping);
}
END_TEST

Suite *suite_tensor_safetensors(void)
{
    Suite *suite = suite_create("tensor/safetensors");
    TCase *tests = tcase_create("safetensors");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, tensors_are_found);
    tcase_add_test(tests, metadata_is_found);
    tcase_add_test(tests, every_spelling_is_read);
    tcase_add_loop_test(tests, good_headers_are_accepted, 0, sizeof accepted / sizeof *accepted);
    tcase_add_loop_test(tests, bad_headers_are_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, bad_lengths_are_refused);
    tcase_add_test(tests, huge_headers_are_refused);
    tcase_add_loop_test(tests, nonsense_costs_no_memory, 0, 2);
    tcase_add_loop_test(tests, memory_is_bounded_by_the_header, 0, 2);
    tcase_add_loop_test(tests, deep_nesting_is_refused, 0, 2);
    tcase_add_test(tests, damage_never_crashes);
    suite_add_tcase(suite, tests);
    return suite;
}
