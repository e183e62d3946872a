/* export_write.c: the parts of the JSON that several of its files write. */
#include "headlight/export/export_members.h"

#include "headlight/session/state_file.h"

/* Where nobody says how many. */
#define TOP 5

size_t export_top(const struct output *output, const struct trace *trace)
{
    return size_min(output->top > 0 ? output->top : TOP, trace->vocabulary);
}

void export_write_pieces(struct json_writer *json, const char *name, const struct encoded *encoded,
                         enum side side)
{
    json_list(json, name, i, encoded->sides[side].count,
              JSON(NULL, encoded_pieces(encoded, side)[i]));
}

void export_write_integers(const struct sheet *sheet, const char *name, const int32_t *numbers)
{
    json_open(sheet->json, name, numbers ? "[" : "null");
    for (size_t i = 0; numbers && i < sheet->trace->tokens; i++)
        json_put(sheet->json, JSON(NULL, numbers[i]));
    json_close(sheet->json, numbers ? "]" : "");
}

void export_write_changes(struct json_writer *json, const struct session *session)
{
    if (session->checkpoint && interventions_any(&session->state.source.changes))
        state_file_write_network(json, session);
    else
        json_put(json, JSON("changes", session->checkpoint ? NULL : session->data.changes));
}

void export_write_matrix(struct json_writer *json, const char *name, const float *values,
                         const size_t shape[2], size_t stride)
{
    json_open(json, name, values ? "[" : "null");
    for (size_t i = 0; values && i < shape[0]; i++)
        json_put_floats(json, NULL, values + i * stride, shape[1]);
    json_close(json, values ? "]" : "");
}

struct token_range export_range(const struct sheet *sheet, enum narrowed narrowed)
{
    const struct look *look = &sheet->session->state.look;
    const struct trace *trace = sheet->trace;
    const size_t chosen[] = {look->layer, look->head, sheet->token},
                 all[] = {trace->layers, trace->heads, trace->tokens};
    const size_t at = size_min(chosen[narrowed], all[narrowed]);
    return sheet->output->narrowed[narrowed]
               ? (struct token_range){at, size_min(at + 1, all[narrowed])}
               : (struct token_range){0, all[narrowed]};
}

void export_write_tensor(const struct sheet *sheet, size_t layer, size_t head, const char *name)
{
    struct trace_tensor tensor = trace_layer_tensor(sheet->trace, layer, name);
    const size_t matrix = tensor.rank - 2; /* its first axis */
    const float *values = tensor.numbers;
    if (values && matrix > 0)
        values += head * tensor.shape[0] / sheet->trace->heads * tensor.stride[0];
    /* keys and values are of the attended tokens */
    const struct token_range rows = strcmp(name, "key") == 0 || strcmp(name, "value") == 0
                                        ? (struct token_range){0, tensor.shape[matrix]}
                                        : export_range(sheet, NARROWED_TOKEN);
    const size_t shape[] = {rows.end - rows.first, tensor.shape[matrix + 1]};
    if (values)
        values += rows.first * tensor.stride[matrix];
    export_write_matrix(sheet->json, name, values, shape, tensor.stride[matrix]);
}
