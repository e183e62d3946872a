/* Recordings: whole ones, sparse ones, each number type, and a table of those that are refused. */
#include "headlight/model/trace_read.h"
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct parts parts;
static struct trace *trace;
static struct safetensors *file;
static unsigned char *bytes;
static size_t size;

#define SHAPE(...) ((const size_t[]){__VA_ARGS__, 0})

static float number_at(const struct part *part, size_t index)
{
    float number;
    memcpy(&number, part->data + index * sizeof number, sizeof number);
    return number;
}

static void set_number(struct part *part, size_t index, float number)
{
    memcpy(part->data + index * sizeof number, &number, sizeof number);
}

/* F32 numbers that halves can hold too, from 0 to 1, other ones in each part. */
static struct part *add(const char *name, const size_t *shape)
{
    struct part *part = parts_add(&parts, name, "F32", shape);
    for (size_t i = 0; i < part->size / sizeof(float); i++)
        set_number(part, i, (float)((i * 7 + parts.count * 5) % 17) / 16);
    return part;
}

/* A 2, T 3, S 5, L 2 */
static void begin(void)
{
    parts = (struct parts){0};
    add("layer.0.weights", SHAPE(2, 3, 5));
    add("layer.1.weights", SHAPE(2, 3, 5));
}

static void forget(void)
{
    free(trace);
    safetensors_free(file);
    free(bytes);
    trace = NULL;
    file = NULL;
    bytes = NULL;
}

static void end(void)
{
    forget();
    parts_free(&parts);
}

TESTS(.begin = begin, .end = end);

static enum status read_shifted(size_t shift)
{
    forget();
    bytes = parts_bytes(&parts, shift, &size);
    assert_ok(safetensors_parse(bytes, size, "x.safetensors", &file, &error), error);
    return trace_read(file, SITE_ONLY, &trace, &error);
}

static bool lies_in_file(const float *numbers)
{
    const unsigned char *place = (const unsigned char *)numbers;
    return place >= bytes && place < bytes + size;
}

static void check_equal(const char *name, const float *numbers)
{
    const struct part *part = parts_find(&parts, name);
    for (size_t i = 0; i < part->size / sizeof(float); i++)
        ck_assert_msg(number_at(part, i) == numbers[i], "%s at %zu: %g, not %g", name, i,
                      (double)numbers[i], (double)number_at(part, i));
}

/* ---- What is accepted --------------------------------------------------------------------- */

TEST(weights_are_enough)
{
    struct trace_tensor tensor;
    assert_ok(read_shifted(0), error);
    ck_assert_uint_eq(trace->layers, 2);
    ck_assert_uint_eq(trace->heads, 2);
    ck_assert_uint_eq(trace->tokens, 3);
    ck_assert_uint_eq(trace->attended, 5);
    ck_assert_uint_eq(trace->dimensions + trace->hidden + trace->vocabulary, 0);
    ck_assert_ptr_null(trace->ids);
    ck_assert_ptr_null(trace->outputs[OUTPUT_MLM]);
    ck_assert_ptr_null(trace->layer[0].scores);
    ck_assert_ptr_null(trace->layer[1].query.data);
    check_equal("layer.0.weights", trace->layer[0].weights);
    check_equal("layer.1.weights", trace->layer[1].weights);
    ck_assert(lies_in_file(trace->layer[1].weights));
    ck_assert_float_eq(trace_weight(trace, 1, 1, 2, 3),
                       number_at(parts_find(&parts, "layer.1.weights"), (1 * 3 + 2) * 5 + 3));
    ck_assert_uint_eq(trace_tensor_count(trace), 2);
    trace_tensor_at(trace, 1, &tensor);
    ck_assert_str_eq(tensor.name, "layer.1.weights");
    ck_assert_mem_eq(tensor.shape, SHAPE(2, 3, 5), sizeof tensor.shape);
    ck_assert_mem_eq(tensor.stride, SHAPE(15, 5, 1), sizeof tensor.stride);
}

static const struct {
    const char *name;
    size_t shape[4];
} optional[] = {
    {"embedding", {3, 6}},      {"layer.0.input", {3, 6}},    {"layer.0.query", {2, 3, 4}},
    {"layer.0.key", {2, 5, 4}}, {"layer.0.value", {2, 5, 4}}, {"layer.0.scores", {2, 3, 5}},
    {"layer.0.weights", {0}},   {"layer.0.context", {3, 8}},  {"layer.0.attention_output", {3, 6}},
    {"layer.0.output", {3, 6}}, {"layer.1.key", {2, 5, 4}}, /* the others are absent here */
    {"layer.1.weights", {0}},   {"layer.1.output", {3, 6}},   {"mlm_logits", {3, 11}},
    {"nsp_logits", {2}},
};
#define OPTIONAL (sizeof optional / sizeof *optional)

/* All of `optional`; with a batch of one before each shape if asked for. */
static void add_all(bool batch)
{
    for (size_t i = 0; i < OPTIONAL; i++) {
        size_t shape[5] = {1};
        memcpy(shape + batch, optional[i].shape, sizeof optional[i].shape);
        if (optional[i].shape[0] > 0)
            add(optional[i].name, shape);
    }
}

static void check_all(void)
{
    struct trace_tensor tensor;
    ck_assert_uint_eq(trace_tensor_count(trace), OPTIONAL);
    ck_assert_uint_eq(trace->dimensions, 4);
    ck_assert_uint_eq(trace->hidden, 6);
    ck_assert_uint_eq(trace->vocabulary, 11);
    for (size_t i = 0; i < OPTIONAL; i++) {
        trace_tensor_at(trace, i, &tensor);
        ck_assert_str_eq(tensor.name, optional[i].name);
        if (optional[i].shape[0] > 0)
            ck_assert_mem_eq(tensor.shape, optional[i].shape, tensor.rank * sizeof *tensor.shape);
        ck_assert_uint_eq(tensor.stride[tensor.rank - 1], 1);
        check_equal(tensor.name, tensor.numbers);
    }
    ck_assert_ptr_null(trace->layer[1].query.data);
    ck_assert_ptr_eq(heads_row(&trace->layer[1].key, 1, 4),
                     trace->layer[1].key.data + (1 * 5 + 4) * 4);
}

TEST(all_tensors_are_found, .times = 2)
{
    add_all(_i == 1);
    for (size_t i = 0; _i == 1 && i < 2; i++) {
        struct part *weights = &parts.part[i];
        weights->rank = 4;
        memcpy(weights->shape, SHAPE(1, 2, 3, 5), 4 * sizeof(size_t));
    }
    assert_ok(read_shifted(0), error);
    check_all();
}

TEST(numbers_off_their_alignment_are_copied, .times = 8)
{
    add_all(false);
    assert_ok(read_shifted((size_t)_i), error);
    check_all();
    ck_assert_int_eq(lies_in_file(trace->layer[0].weights), _i % 4 == 0);
    ck_assert_int_eq(lies_in_file(trace->outputs[OUTPUT_NSP]), _i % 4 == 0);
}

static void widen_to_f64(void)
{
    for (size_t i = 0; i < parts.count; i++) {
        struct part *part = &parts.part[i];
        size_t count = part->size / sizeof(float);
        unsigned char *data = malloc(count * sizeof(double));
        ck_assert_ptr_nonnull(data);
        for (size_t j = 0; j < count; j++) {
            double number = (double)number_at(part, j);
            memcpy(data + j * sizeof number, &number, sizeof number);
        }
        free(part->data);
        part->data = data;
        part->size = count * sizeof(double);
        strcpy(part->type, "F64");
    }
}

TEST(every_number_type_is_read, .times = 3)
{
    static const char *const types[] = {"F16", "BF16", "F64"};
    struct parts as_floats;
    add_all(false);
    as_floats = parts;
    as_floats.part = malloc(parts.count * sizeof *parts.part);
    ck_assert_ptr_nonnull(as_floats.part);
    memcpy(as_floats.part, parts.part, parts.count * sizeof *parts.part);
    for (size_t i = 0; i < parts.count; i++) {
        parts.part[i].data = malloc(parts.part[i].size);
        ck_assert_ptr_nonnull(parts.part[i].data);
        memcpy(parts.part[i].data, as_floats.part[i].data, parts.part[i].size);
    }
    if (_i < 2)
        parts_narrow(&parts, types[_i]);
    else
        widen_to_f64();
    ck_assert_str_eq(parts.part[3].type, types[_i]);
    assert_ok(read_shifted(1), error);
    ck_assert(!lies_in_file(trace->layer[0].weights));
    parts_free(&parts);
    parts = as_floats;
    check_all();
}

TEST(integers_are_of_either_width)
{
    static const int64_t ids[] = {101, 2147483647, 0};
    struct part *part = parts_add(&parts, "ids", "I64", SHAPE(3));
    memcpy(part->data, ids, sizeof ids);
    parts_add(&parts, "segments", "I32", SHAPE(1, 3))->data[4] = 1;
    for (size_t shift = 0; shift < 2; shift++) {
        assert_ok(read_shifted(shift), error);
        for (size_t i = 0; i < 3; i++) {
            ck_assert_int_eq(trace->ids[i], ids[i]);
            ck_assert_int_eq(trace->segments[i], i == 1);
        }
    }
}

TEST(other_names_are_passed_over)
{
    static const char *const names[] = {
        "model.weight",     "layer.9.dropout",  "layer.9.weights.1", "layer.09.weights",
        "layer..weights",   "layer.9",          "decoder.0.weights", "layer.-1.weights",
        "layer.9 .weights", "layer.0.weights2", "xlayer.9.weights"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        parts_add(&parts, names[i], "I8", SHAPE(1, 7));
    assert_ok(read_shifted(0), error);
    ck_assert_uint_eq(trace_tensor_count(trace), 2);
}

/* Rounding may leave the range by a little; rows need not sum to 1. */
TEST(weights_are_kept_as_they_are)
{
    static const float fine[] = {-1e-3F, 1.001F, 0, -0.0F, 1, 1e-30F};
    memcpy(parts_find(&parts, "layer.1.weights")->data, fine, sizeof fine);
    assert_ok(read_shifted(0), error);
    ck_assert_mem_eq(trace->layer[1].weights, fine, sizeof fine);
}

TEST(the_largest_recording_is_read)
{
    char name[32];
    parts_free(&parts);
    for (size_t l = 0; l < CONFIG_LAYERS_MAX; l++) {
        snprintf(name, sizeof name, "layer.%zu.weights", l);
        parts_add(&parts, name, "F16", SHAPE(CONFIG_HEADS_MAX, 1, 2));
    }
    assert_ok(read_shifted(0), error);
    ck_assert_uint_eq(trace->layers, CONFIG_LAYERS_MAX);
    parts_add(&parts, "layer.128.weights", "F16", SHAPE(CONFIG_HEADS_MAX, 1, 2));
    assert_fails(read_shifted(0), STATUS_LIMIT, "at most 128 layers, found 129", error);
    parts_free(&parts);
    add("layer.0.weights", SHAPE(1, 1, TRACE_READ_TOKENS_MAX));
    assert_ok(read_shifted(0), error);
}

/* ---- What is refused ---------------------------------------------------------------------- */

ROW_TEST(bad_tensors_are_refused, "trace_read")
{
    size_t shape[5] = {0};
    for (size_t i = 0; i < parts.count; i++)
        if (strcmp(parts.part[i].name, row[0]) == 0)
            parts.part[i].name[0] = '-';
    sscanf(row[2], "%zux%zux%zux%zu", &shape[0], &shape[1], &shape[2], &shape[3]);
    parts_add(&parts, row[0], row[1], shape);
    const enum status status = read_shifted(0);
    assert_refused(status, &error, row + 3);
    ck_assert_ptr_eq(strstr(error.message, "x.safetensors: "), error.message);
    ck_assert_ptr_null(trace);
}

/* Two heads share a key: whoever asks for the second one's finds it. */
TEST(heads_may_share_keys)
{
    add("layer.0.query", SHAPE(2, 3, 4));
    add("layer.0.key", SHAPE(1, 5, 4));
    assert_ok(read_shifted(0), error);
    const struct heads *keys = &trace->layer[0].key;
    ck_assert_ptr_eq(heads_row(keys, 1, 4), heads_row(keys, 0, 4));
    ck_assert_ptr_ne(heads_row(&trace->layer[0].query, 1, 2),
                     heads_row(&trace->layer[0].query, 0, 2));
    struct trace_tensor tensor = trace_layer_tensor(trace, 0, "key");
    ck_assert_uint_eq(tensor.shape[0], 1);
}

/* Two tensors that fit the weights and not each other. */
TEST(sizes_are_those_of_the_first)
{
    add("layer.0.query", SHAPE(2, 3, 4));
    add("layer.1.key", SHAPE(2, 5, 8));
    assert_fails(read_shifted(0), STATUS_FORMAT, "the shape [2,5,4], found [2,5,8]", error);
    parts_drop(&parts, "layer.1.key");
    add("layer.1.output", SHAPE(3, 8));
    add("embedding", SHAPE(3, 9)); /* which may be projected */
    add("layer.1.context", SHAPE(3, 9));
    assert_fails(read_shifted(0), STATUS_FORMAT, "the shape [3,8], found [3,9]", error);
}

TEST(no_size_is_zero)
{
    add("layer.0.query", SHAPE(2, 3, 1));
    struct part *query = parts_find(&parts, "layer.0.query");
    query->shape[2] = 0;
    query->size = 0;
    assert_fails(read_shifted(0), STATUS_FORMAT, "the shape [2,3,D], found [2,3,0]", error);
    parts_drop(&parts, "layer.0.query");
    struct part *weights = parts_find(&parts, "layer.0.weights");
    weights->shape[1] = 0;
    weights->size = 0;
    assert_fails(read_shifted(0), STATUS_FORMAT, "the shape [2,T,S], found [2,0,5]", error);
}

TEST(a_file_of_something_else_is_refused)
{
    parts_drop(&parts, "layer.0.weights");
    assert_fails(read_shifted(0), STATUS_FORMAT, "but no \"layer.0.weights\"", error);
    parts_rename(&parts, "layer.1.weights", "bert.encoder.weight");
    assert_fails(read_shifted(0), STATUS_FORMAT,
                 "with a tensor \"layer.0.weights\" [A,T,S]; found 1 tensors, the first is "
                 "\"bert.encoder.weight\"",
                 error);
    parts_drop(&parts, "bert.encoder.weight");
    assert_fails(read_shifted(0), STATUS_FORMAT, "found 0 tensors", error);
}

TEST(what_is_not_attention_is_refused, .times = 6)
{
    static const struct {
        float number;
        const char *part;
    } bad[] = {
        {-0.0011F, "from 0 to 1, found -0.0011 at [1,2,4]"},
        {1.0011F, "found 1.0011 at"},
        {-3.5F, "expected attention after softmax"},
        {NAN, "nan at [1,2,4]"},
        {INFINITY, "found inf"},
        {-INFINITY, "found -inf"},
    };
    set_number(parts_find(&parts, "layer.1.weights"), 29, bad[_i].number);
    assert_fails(read_shifted((size_t)_i % 2), STATUS_FORMAT, bad[_i].part, error);
    ck_assert_ptr_nonnull(strstr(error.message, "\"layer.1.weights\""));
}

/* In each tensor, and in each type of number. */
TEST(what_is_no_number_is_refused_by_name, .times = 10)
{
    static const char *const names[] = {
        "layer.1.input",  "layer.1.query",   "layer.1.key",    "layer.1.value",
        "layer.1.scores", "layer.1.context", "layer.1.output", "layer.1.attention_output",
        "embedding",      "mlm_logits"};
    static const char *const found[] = {"found NaN at", "found infinity at", "found -infinity at"};
    const char *name = names[_i];
    bool heads = _i >= 1 && _i <= 3, scores = _i == 4;
    for (size_t i = 0; i < 3; i++) {
        struct part *part = heads    ? add(name, SHAPE(2, _i == 1 ? 3 : 5, 7))
                            : scores ? add(name, SHAPE(2, 3, 5))
                                     : add(name, SHAPE(1, 3, 14)); /* with a batch of one */
        const float bad[] = {NAN, INFINITY, -INFINITY};
        set_number(part, 17, bad[i]);
        if (scores && i == 2) {
            assert_ok(read_shifted(0), error);
            ck_assert(trace_is_masked(trace->layer[1].scores[17]));
            forget();
        } else {
            assert_fails(read_shifted(i), STATUS_FORMAT, found[i], error);
            ck_assert_ptr_nonnull(strstr(error.message, name));
            ck_assert_ptr_nonnull(strstr(error.message, heads    ? "[0,2,3]"
                                                        : scores ? "[1,0,2]"
                                                                 : "[1,3]"));
        }
        parts_drop(&parts, name);
    }
}

/* Of two vectors whose products would overflow; what is compared or summed alone may be larger. */
TEST(what_would_overflow_is_refused_by_name)
{
    static const char *const names[] = {"layer.1.query", "layer.0.input", "embedding",
                                        "layer.1.scores", "mlm_logits"};
    for (int i = 0; i < COUNT(names); i++) {
        struct part *part = i == 0   ? add(names[i], SHAPE(2, 3, 7))
                            : i == 3 ? add(names[i], SHAPE(2, 3, 5))
                                     : add(names[i], SHAPE(3, 14));
        set_number(part, 17, -1e15F);
        assert_ok(read_shifted(0), error);
        forget();
        set_number(part, 17, -1e20F);
        if (i < 3)
            assert_fails(read_shifted(0), STATUS_FORMAT,
                         "expected numbers from -1e+15 to 1e+15, whose products don't overflow, "
                         "found -1e+20 at [",
                         error);
        else
            assert_ok(read_shifted(0), error);
        forget();
        parts_drop(&parts, names[i]);
    }
}

TEST(halves_and_doubles_that_are_no_numbers_are_refused, .times = 3)
{
    static const char *const types[] = {"F16", "BF16", "F64"};
    struct part *part = parts_add(&parts, "layer.0.scores", types[_i], SHAPE(2, 3, 5));
    const uint16_t halves[] = {0x7C01, 0x7F81};
    const double huge = 1e39;
    memcpy(part->data + part->size / 30 * 29, _i < 2 ? (const void *)&halves[_i] : &huge,
           part->size / 30);
    assert_fails(read_shifted(0), STATUS_FORMAT,
                 _i < 2 ? "found NaN at [1,2,4]" : "found infinity at [1,2,4]", error);
}

TEST(integers_out_of_range_are_refused)
{
    static const int64_t bad[] = {-1, 2147483648, INT64_MIN, INT64_MAX};
    struct part *part = parts_add(&parts, "ids", "I64", SHAPE(3));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memcpy(part->data + 8, &bad[i], sizeof bad[i]);
        assert_fails(read_shifted(0), STATUS_FORMAT, "expected numbers from 0 to 2147483647",
                     error);
        ck_assert_ptr_nonnull(strstr(error.message, "at [1]"));
    }
}
