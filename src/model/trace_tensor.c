/* trace_tensor.c: one tensor of a recorded trace. Each is visited twice: first its shape and
 * type are checked, which also gives sizes not known yet, then its numbers are placed. */
#include "headlight/model/trace_tensor.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/model/config.h"
#include "headlight/model/trace_read.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matrix.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* "FILE: tensor "NAME": ...". */
__attribute__((format(printf, 4, 5))) static enum status
complain(struct trace_reader *reader, enum status status, const char *name, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(reader->error, status, "%s: tensor \"%s\": %s", reader->source, name, what);
}

/* ---- Shapes ------------------------------------------------------------------------------- */

static size_t most_of_axis(char axis)
{
    if (axis == 'A')
        return CONFIG_HEADS_MAX;
    return axis == 'T' || axis == 'S' ? TRACE_READ_TOKENS_MAX : CONFIG_SIZE_MAX;
}

/* The axes of a tensor without a leading batch axis of 1. */
static const size_t *without_batch(const struct tensor *tensor, size_t rank)
{
    if (tensor->rank == rank)
        return tensor->shape;
    return tensor->rank == rank + 1 && tensor->shape[0] == 1 ? tensor->shape + 1 : NULL;
}

/* "12,9,D": known sizes as numbers, others as letters. */
static void print_expected(struct trace_reader *reader, const char *axes, char text[TRACE_NAME_MAX])
{
    size_t used = 0;
    for (size_t i = 0; axes[i]; i++) {
        char letter[2] = {axes[i]}, number[24];
        size_t size = trace_axis(reader->trace, axes[i]);
        snprintf(number, sizeof number, "%zu", size);
        used += (size_t)snprintf(text + used, TRACE_NAME_MAX - used, "%s%s", i > 0 ? "," : "",
                                 size > 0 ? number : letter);
    }
}

static enum status wrong_shape(struct trace_reader *reader, const struct trace_entry *entry,
                               const struct tensor *tensor)
{
    char expected[TRACE_NAME_MAX], found[TENSOR_RANK_MAX * 21 + 2];
    print_expected(reader, entry->axes, expected);
    format_shape(found, sizeof found, tensor->shape, tensor->rank);
    return complain(reader, STATUS_FORMAT, tensor->name, "expected the shape [%s], found %s",
                    expected, found);
}

/* Checks a shape against the known sizes, and learns the others. */
static enum status check_shape(struct trace_reader *reader, const struct trace_entry *entry,
                               const struct tensor *tensor)
{
    const size_t *shape = without_batch(tensor, strlen(entry->axes));
    for (size_t i = 0; shape && entry->axes[i]; i++) {
        char axis = entry->axes[i];
        size_t size = trace_axis(reader->trace, axis);
        if (shape[i] == 0 || (size > 0 && size != shape[i]))
            return wrong_shape(reader, entry, tensor);
        if (shape[i] > most_of_axis(axis))
            return complain(reader, STATUS_LIMIT, tensor->name,
                            "expected at most %zu for %c in [%s], found %zu", most_of_axis(axis),
                            axis, entry->axes, shape[i]);
        if (size == 0)
            *trace_axis_member(reader->trace, axis) = shape[i];
    }
    return shape ? STATUS_OK : wrong_shape(reader, entry, tensor);
}

static size_t count_elements(const struct tensor *tensor)
{
    size_t count = 1;
    for (size_t i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i]; /* no overflow: safetensors.c has checked the product */
    return count;
}

/* ---- Numbers ------------------------------------------------------------------------------ */

static bool is_type(const struct tensor *tensor, const char *name)
{
    return strcmp(tensor->type_name, name) == 0;
}

/* The numbers inside the file if they are aligned floats; else NULL. */
static const float *in_place(const struct tensor *tensor)
{
    return matrix_floats(&(struct matrix){tensor->data, tensor->type}, 0);
}

static enum status check_type(struct trace_reader *reader, const struct trace_entry *entry,
                              const struct tensor *tensor)
{
    bool integers = entry->kind == TRACE_KIND_INTEGERS;
    if (integers ? is_type(tensor, "I64") || is_type(tensor, "I32")
                 : tensor->type != TENSOR_OTHER || is_type(tensor, "F64"))
        return STATUS_OK;
    return complain(reader, STATUS_UNSUPPORTED, tensor->name, "expected %s, found %s",
                    integers ? "I64 or I32" : "F32, F16, BF16 or F64", tensor->type_name);
}

enum status trace_tensor_check(struct trace_reader *reader, const struct trace_entry *entry,
                               const struct tensor *tensor, void *member)
{
    (void)member;
    if (check_shape(reader, entry, tensor) != STATUS_OK ||
        check_type(reader, entry, tensor) != STATUS_OK)
        return reader->error->status;
    if (!in_place(tensor) && !size_add(reader->words, count_elements(tensor), &reader->words))
        return complain(reader, STATUS_LIMIT, tensor->name, "too large for this machine");
    return STATUS_OK;
}

static void *claim_words(struct trace_reader *reader, size_t count)
{
    uint32_t *first = reader->next;
    reader->next += count;
    return first;
}

static void narrow_f64(const unsigned char *doubles, size_t count, float *numbers)
{
    for (size_t i = 0; i < count; i++) {
        double number;
        memcpy(&number, doubles + i * sizeof number, sizeof number);
        numbers[i] = (float)number;
    }
}

/* Numbers used in place are read-only, like all of a recording. */
static float *place_numbers(struct trace_reader *reader, const struct tensor *tensor)
{
    size_t count = count_elements(tensor);
    if (in_place(tensor))
        return (float *)(uintptr_t)in_place(tensor);
    float *numbers = claim_words(reader, count);
    if (tensor->type == TENSOR_OTHER)
        narrow_f64(tensor->data, count, numbers);
    else
        matrix_numbers(&(struct matrix){tensor->data, tensor->type}, 0, count, numbers);
    return numbers;
}

static enum status place_integers(struct trace_reader *reader, const struct tensor *tensor,
                                  int32_t **integers)
{
    size_t count = count_elements(tensor);
    bool wide = is_type(tensor, "I64");
    *integers = claim_words(reader, count);
    for (size_t i = 0; i < count; i++) {
        int64_t number = 0;
        int32_t narrow = 0;
        if (wide)
            memcpy(&number, tensor->data + i * sizeof number, sizeof number);
        else
            memcpy(&narrow, tensor->data + i * sizeof narrow, sizeof narrow);
        number = wide ? number : narrow;
        if (number < 0 || number > INT32_MAX)
            return complain(reader, STATUS_FORMAT, tensor->name,
                            "expected numbers from 0 to %d, found %lld at [%zu]", INT32_MAX,
                            (long long)number, i);
        (*integers)[i] = (int32_t)number;
    }
    return STATUS_OK;
}

/* Masks make scores of minus infinity; all other numbers must be finite. */
static enum status check_recorded_numbers(struct trace_reader *reader,
                                          const struct trace_entry *entry,
                                          const struct tensor *tensor, const float *numbers)
{
    const size_t count = count_elements(tensor), rank = strlen(entry->axes);
    bool masked = entry == &trace_layer_entries[TRACE_scores];
    char at[TRACE_NAME_MAX];
    if (kernels_now()->finite(count, numbers))
        return STATUS_OK;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]) && !(masked && trace_is_masked(numbers[i]))) {
            /* without the axis of a batch */
            format_place(at, sizeof at, without_batch(tensor, rank), rank, i);
            return complain(reader, STATUS_FORMAT, tensor->name,
                            "expected finite numbers%s, found %s%s at %s",
                            masked ? ", or -infinity where a mask hides a token" : "",
                            numbers[i] < 0 ? "-" : "", isnan(numbers[i]) ? "NaN" : "infinity", at);
        }
    return STATUS_OK;
}

/* The comparison also fails for NaN. */
static enum status check_weights(struct trace_reader *reader, const struct tensor *tensor,
                                 const float *weights)
{
    size_t S = reader->trace->attended, T = reader->trace->tokens, count = count_elements(tensor);
    for (size_t i = 0; i < count; i++)
        if (!(weights[i] >= -TRACE_READ_SLACK && weights[i] <= 1 + TRACE_READ_SLACK))
            return complain(reader, STATUS_FORMAT, tensor->name,
                            "expected attention after softmax, weights from 0 to 1, found %g at "
                            "[%zu,%zu,%zu]",
                            (double)weights[i], i / S / T, i / S % T, i % S);
    return STATUS_OK;
}

enum status trace_tensor_place(struct trace_reader *reader, const struct trace_entry *entry,
                               const struct tensor *tensor, void *member)
{
    size_t D = reader->trace->dimensions;
    if (entry->kind == TRACE_KIND_INTEGERS)
        return place_integers(reader, tensor, member);
    float *numbers = place_numbers(reader, tensor);
    bool weights = entry == &trace_layer_entries[TRACE_weights];
    if (!weights && check_recorded_numbers(reader, entry, tensor, numbers) != STATUS_OK)
        return reader->error->status;
    if (entry->kind == TRACE_KIND_HEADS) {
        size_t tokens = trace_axis(reader->trace, entry->axes[1]);
        *(struct heads *)member = (struct heads){numbers, tokens * D, D};
        return STATUS_OK;
    }
    *(float **)member = numbers;
    return weights ? check_weights(reader, tensor, numbers) : STATUS_OK;
}
