#include "recorded.h"

#include "headlight/model/forward.h"
#include "model_helpers.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS_MAX 600

static struct error error;

static cJSON *parse_file(const char *path, bool list)
{
    char *text;
    size_t length;
    cJSON *json;
    assert_ok(file_read(path, (size_t)1 << 28, &text, &length, &error), error);
    assert_ok(list ? json_parse(text, length, JSON_BYTES_MAX, true, path, &json, &error)
                   : json_parse_object(text, length, path, &json, &error),
              error);
    free(text);
    return json;
}

cJSON *json_of_file(const char *path)
{
    return parse_file(path, false);
}

static cJSON *parse_in(const char *folder, const char *name, bool list)
{
    char *path = path_join(folder, name);
    cJSON *json = parse_file(path, list);
    free(path);
    return json;
}

cJSON *recorded_object(const char *folder, const char *name)
{
    return parse_in(folder, name, false);
}

cJSON *recorded_list(const char *folder, const char *name)
{
    return parse_in(folder, name, true);
}

size_t recorded_integers(const cJSON *list, int32_t *integers, size_t room)
{
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        ck_assert_uint_lt(count, room);
        integers[count++] = item->valueint;
    }
    return count;
}

struct trace *recorded_prepare(const struct model *model, const cJSON *one, bool logits)
{
    int32_t ids[TOKENS_MAX], segments[TOKENS_MAX];
    struct trace *trace;
    ck_assert_ptr_nonnull(one);
    size_t tokens = recorded_integers(json_member(one, "ids"), ids, TOKENS_MAX);
    ck_assert_uint_eq(recorded_integers(json_member(one, "segments"), segments, TOKENS_MAX),
                      tokens);
    assert_ok(forward_prepare(model, NULL, ids, segments, tokens, logits, &trace, &error), error);
    return trace;
}

struct trace *recorded_source(const struct model *model, const cJSON *one)
{
    int32_t ids[TOKENS_MAX];
    struct trace *trace;
    const size_t tokens = recorded_integers(json_member(one, "source_ids"), ids, TOKENS_MAX);
    assert_ok(forward_prepare(model, NULL, ids, NULL, tokens, true, &trace, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    return trace;
}

void recorded_stacks(const struct model *model, const cJSON *one,
                     const struct interventions *changes, struct trace *traces[3])
{
    const struct model *decoder = model->decoder;
    int32_t ids[TOKENS_MAX];
    size_t tokens = recorded_integers(json_member(one, "source_ids"), ids, TOKENS_MAX);
    assert_ok(forward_prepare(model, NULL, ids, NULL, tokens, true, &traces[0], &error), error);
    assert_ok(forward_run(model, changes, NULL, traces[0], &error), error);
    tokens = recorded_integers(json_member(one, "decoder_ids"), ids, TOKENS_MAX);
    assert_ok(forward_prepare(decoder, traces[0], ids, NULL, tokens, true, &traces[1], &error),
              error);
    assert_ok(forward_run(decoder, changes, NULL, traces[1], &error), error);
    traces[2] = traces[1]->cross;
}

double recorded_number(const struct tensor *tensor, size_t index)
{
    float number;
    int64_t integer;
    if (tensor->type == TENSOR_F32) {
        memcpy(&number, tensor->data + index * sizeof number, sizeof number);
        return (double)number;
    }
    ck_assert_str_eq(tensor->type_name, "I64");
    memcpy(&integer, tensor->data + index * sizeof integer, sizeof integer);
    return (double)integer;
}

double trace_number(const struct trace_tensor *tensor, size_t index)
{
    size_t at = 0;
    for (size_t axis = tensor->rank; axis-- > 0; index /= tensor->shape[axis])
        at += index % tensor->shape[axis] * tensor->stride[axis];
    return tensor->numbers ? (double)tensor->numbers[at] : (double)tensor->integers[at];
}

size_t trace_numbers(const struct trace_tensor *tensor)
{
    size_t count = 1;
    for (size_t axis = 0; axis < tensor->rank; axis++)
        count *= tensor->shape[axis];
    return count;
}
