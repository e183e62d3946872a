/* Headers that are right, and a table of those that are not. */
#include "faults.h"
#include "headlight/base/json.h"
#include "headlight/tensor/safetensors.h"
#include "model_helpers.h"
#include "rows.h"
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

TEST(tensors_are_found)
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
    ck_assert_uint_eq(file->count, 4);
    ck_assert_str_eq(file->tensors[0].name, "a");
    ck_assert_str_eq(file->tensors[3].name, "empty");
    const struct tensor *b = safetensors_find(file, "b");
    ck_assert_ptr_nonnull(b);
    ck_assert_int_eq(b->type, TENSOR_F32);
    ck_assert_uint_eq(b->rank, 2);
    ck_assert_uint_eq(b->shape[0], 2);
    ck_assert_uint_eq(b->shape[1], 3);
    ck_assert_uint_eq(b->size, 24);
    ck_assert_ptr_eq(b->data, bytes + sizeof bytes - 32);
    const struct tensor *c = safetensors_find(file, "c");
    ck_assert_int_eq(c->type, TENSOR_I64);
    ck_assert_str_eq(c->type_name, "I64");
    ck_assert_uint_eq(c->rank, 0);
    ck_assert_ptr_null(safetensors_find(file, "__metadata__"));
    ck_assert_ptr_null(safetensors_find(file, "d"));
    safetensors_free(file);
    safetensors_free(NULL);
}

TEST(metadata_is_found)
{
    static const char bytes[] =
        "\x3B\0\0\0\0\0\0\0"
        "{\"__metadata__\":{\"tokens\":\"[\\\"\\u00e9\\\"]\",\"empty\":\"\"}}      ";
    assert_ok(safetensors_parse(bytes, sizeof bytes - 1, "x", &file, &error), error);
    ck_assert_str_eq(safetensors_metadata(file, "tokens"), "[\"\xC3\xA9\"]");
    ck_assert_str_eq(safetensors_metadata(file, "empty"), "");
    ck_assert_ptr_null(safetensors_metadata(file, "Tokens"));
    ck_assert_uint_eq(file->count, 0);
    safetensors_free(file);
    assert_ok(safetensors_parse("\2\0\0\0\0\0\0\0{}", 10, "x", &file, &error), error);
    ck_assert_ptr_null(safetensors_metadata(file, "tokens"));
    safetensors_free(file);
}

ROW_TEST(good_headers_are_accepted, "safetensors_accepted")
{
    assert_ok(parse_header(row[1], (size_t)atoi(row[0])), error);
}

ROW_TEST(bad_headers_are_refused, "safetensors")
{
    const enum status status = parse_header(row[1], (size_t)atoi(row[0]));
    assert_refused(status, &error, row + 2);
    ck_assert_ptr_eq(strstr(error.message, "x.safetensors: "), error.message);
}

/* More than a size_t holds. */
TEST(huge_sizes_are_refused)
{
#if SIZE_MAX > UINT32_MAX
    static const char *const shapes[] = {"[4294967296,4294967296]", "[4294967296,1073741825]",
                                         "[9007199254740992,2048,9]"};
    const char *const empty = "[0,9007199254740992]", *const bytes =
                                                          "[9007199254740988,9007199254740992]";
#else
    static const char *const shapes[] = {"[65536,65536]", "[65536,16385]"};
    const char *const empty = "[0,4294967295]", *const bytes = "[4294967291,4294967295]";
#endif
    static const char form[] = "{\"a\":{\"dtype\":\"F32\",\"shape\":%s,\"data_offsets\":%s}}";
    char header[200];
    for (int i = 0; i < COUNT(shapes); i++) {
        snprintf(header, sizeof header, form, shapes[i], "[0,4]");
        assert_fails(parse_header(header, 4), STATUS_FORMAT, "fits into memory", error);
    }
    snprintf(header, sizeof header, form, "[1]", bytes);
    assert_fails(parse_header(header, 4), STATUS_FORMAT, "within 4 bytes", error);
    snprintf(header, sizeof header, form, empty, "[0,0]");
    assert_ok(parse_header(header, 0), error);
}

TEST(bad_lengths_are_refused)
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

/* Nested nonsense of more bytes than a header may have costs nothing but the look at its length. */
TEST(huge_headers_are_refused)
{
    const size_t size = 99000000;
    char *header = malloc(size + 1);
    ck_assert_ptr_nonnull(header);
    memset(header, '[', size);
    header[size] = '\0';
    faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = SIZE_MAX});
    enum status status = parse(size, header, 0);
    faults_end();
    assert_fails(status, STATUS_FORMAT, "1 to 4194304 bytes", error);
    ck_assert_uint_lt(faults_bytes(), size + 10000); /* parse copies it */
    free(header);
}

TEST(headers_of_the_largest_size_are_read)
{
    const size_t size = JSON_BYTES_MAX;
    char *header = malloc(size + 1);
    ck_assert_ptr_nonnull(header);
    memset(header, ' ', size);
    memcpy(header, "{}", 2);
    header[size] = '\0';
    assert_ok(parse(size, header, 0), error);
    free(header);
}

TEST(deep_nesting_is_refused, .times = 2)
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
