/* export_write.c: the parts of the JSON that several of its files write. */
#include "headlight/export/export_members.h"

#include "headlight/base/json.h"
#include "headlight/base/size.h"

/* Where nobody says how many. */
#define TOP 5

size_t export_top(const struct output *output, const struct trace *trace)
{
    return size_min(output->top > 0 ? output->top : TOP, trace->vocabulary);
}

/* ---- Texts ---- */

void export_write_name(FILE *stream, const char *name, const char *value)
{
    fprintf(stream, "\"%s\":", name);
    json_write_text(stream, value);
    fputc(',', stream);
}

void export_write_pieces(const struct sheet *sheet, const char *name, enum side side)
{
    fprintf(sheet->stream, "\"%s\":[", name);
    encoded_write_pieces(sheet->stream, sheet->encoded, side);
    fputs("],", sheet->stream);
}

void export_write_integers(const struct sheet *sheet, const char *name, const int32_t *numbers)
{
    fprintf(sheet->stream, numbers ? "\"%s\":[" : "\"%s\":null", name);
    for (size_t i = 0; numbers && i < sheet->trace->tokens; i++)
        fprintf(sheet->stream, "%s%d", i > 0 ? "," : "", (int)numbers[i]);
    fputs(numbers ? "]," : ",", sheet->stream);
}

void export_write_piece(const struct sheet *sheet, int32_t id)
{
    json_write_text(sheet->stream, tokenizer_piece(sheet->checkpoint->tokenizer, id));
}

/* ---- Numbers ---- */

void export_write_number(FILE *stream, const char *before, double number)
{
    fputs(before, stream);
    json_write_float(stream, (float)number);
}

void export_write_row(FILE *stream, const float *values, size_t count)
{
    fputc('[', stream);
    for (size_t i = 0; i < count; i++)
        export_write_number(stream, i > 0 ? "," : "", (double)values[i]);
    fputc(']', stream);
}

void export_write_matrix(FILE *stream, const char *name, const float *values, const size_t shape[2],
                         size_t stride)
{
    if (name)
        fprintf(stream, "\"%s\":", name);
    fputs(values ? "[" : "null", stream);
    for (size_t i = 0; values && i < shape[0]; i++) {
        fputs(i > 0 ? "," : "", stream);
        export_write_row(stream, values + i * stride, shape[1]);
    }
    fputs(values ? "]" : "", stream);
}

void export_write_tensor(const struct sheet *sheet, size_t layer, size_t head, const char *name)
{
    struct trace_tensor tensor = trace_layer_tensor(sheet->trace, layer, name);
    const size_t matrix = tensor.rank - 2; /* its first axis */
    const float *values = tensor.numbers;
    if (values && matrix > 0)
        values += head * tensor.shape[0] / sheet->trace->heads * tensor.stride[0];
    export_write_matrix(sheet->stream, name, values, tensor.shape + matrix, tensor.stride[matrix]);
}

enum status export_check_model(const struct sheet *sheet, struct error *error)
{
    if (sheet->checkpoint)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "expected a model to ask, found a recording of one: give the checkpoint "
                     "itself with --model DIR");
}
