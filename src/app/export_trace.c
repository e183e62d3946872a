#include "headlight/app/export.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"

#include <stdlib.h>
#include <string.h>

/* A safetensors file: 8 bytes of header length, a JSON header padded with blanks, the data. Source:
 * the format's README (huggingface/safetensors). */

static size_t element_count(const struct trace_tensor *tensor)
{
    size_t count = 1;
    for (size_t i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i];
    return count;
}

static size_t byte_count(const struct trace_tensor *tensor)
{
    return element_count(tensor) * (tensor->integers ? sizeof(int64_t) : sizeof(float));
}

/* The tokens as a JSON text, in new memory; NULL without memory. */
static char *tokens_as_json(const struct session *session, size_t *length)
{
    const char *const *labels = session->passage->sides[SIDE_LEFT].labels;
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    if (!stream)
        return NULL;
    fputc('[', stream);
    for (size_t i = 0; i < session->scene.tokens; i++) {
        fputs(i > 0 ? "," : "", stream);
        json_write_string(stream, labels[i], strlen(labels[i]));
    }
    fputc(']', stream);
    bool failed = ferror(stream) != 0;
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

/* Metadata values are strings, so the tokens are a JSON text inside a JSON string. */
static void write_metadata(FILE *stream, const struct session *session, const char *tokens,
                           size_t length)
{
    fputs("{\"__metadata__\":{\"headlight\":\"" HEADLIGHT_VERSION "\",\"model\":", stream);
    json_write_string(stream, session->checkpoint->name, strlen(session->checkpoint->name));
    if (session->scene.changes) {
        fputs(",\"changes\":", stream);
        json_write_string(stream, session->scene.changes, strlen(session->scene.changes));
    }
    fputs(",\"tokens\":", stream);
    json_write_string(stream, tokens, length);
    fputc('}', stream);
}

static void write_entry(FILE *stream, const struct trace_tensor *tensor, size_t offset)
{
    fprintf(stream, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", tensor->name,
            tensor->integers ? "I64" : "F32");
    for (size_t i = 0; i < tensor->rank; i++)
        fprintf(stream, "%s%zu", i > 0 ? "," : "", tensor->shape[i]);
    fprintf(stream, "],\"data_offsets\":[%zu,%zu]}", offset, offset + byte_count(tensor));
}

static void write_header(FILE *stream, const struct session *session, const char *tokens,
                         size_t length)
{
    struct trace_tensor tensor;
    size_t offset = 0;
    write_metadata(stream, session, tokens, length);
    for (size_t i = 0; i < trace_tensor_count(session->passage->trace); i++) {
        trace_tensor_at(session->passage->trace, i, &tensor);
        write_entry(stream, &tensor, offset);
        offset += byte_count(&tensor);
    }
    fputc('}', stream);
    for (long at = ftell(stream); at % 8 != 0; at++)
        fputc(' ', stream);
}

static enum status make_header(const struct session *session, char **header, size_t *length,
                               struct error *error)
{
    size_t tokens_length = 0;
    char *tokens = tokens_as_json(session, &tokens_length);
    FILE *stream = tokens ? open_memstream(header, length) : NULL;
    bool failed = !stream;
    if (stream) {
        write_header(stream, session, tokens, tokens_length);
        failed = ferror(stream) != 0;
        failed |= fclose(stream) != 0;
    }
    free(tokens);
    if (!failed)
        return STATUS_OK;
    if (stream)
        free(*header);
    *header = NULL;
    return error_memory(error, "the trace's header", 4096);
}

static void write_number(FILE *stream, const struct trace_tensor *tensor, size_t place)
{
    if (tensor->integers) {
        int64_t wide = tensor->integers[place];
        fwrite(&wide, sizeof wide, 1, stream);
    } else {
        fwrite(&tensor->numbers[place], sizeof(float), 1, stream);
    }
}

/* Row-major, whatever the strides; rank below three counts as leading axes of one. */
static void write_data(FILE *stream, const struct trace_tensor *tensor)
{
    size_t shape[3] = {1, 1, 1}, stride[3] = {0, 0, 0}, lead = 3 - tensor->rank;
    for (size_t i = 0; i < tensor->rank; i++) {
        shape[lead + i] = tensor->shape[i];
        stride[lead + i] = tensor->stride[i];
    }
    for (size_t i = 0; i < shape[0]; i++)
        for (size_t j = 0; j < shape[1]; j++) {
            size_t place = i * stride[0] + j * stride[1];
            if (tensor->numbers && stride[2] == 1)
                fwrite(tensor->numbers + place, sizeof(float), shape[2], stream);
            else
                for (size_t k = 0; k < shape[2]; k++)
                    write_number(stream, tensor, place + k * stride[2]);
        }
}

enum status export_trace(const struct session *session, const char *path, struct error *error)
{
    struct writer writer;
    struct trace_tensor tensor;
    char *header = NULL;
    size_t length = 0;
    if (make_header(session, &header, &length, error) != STATUS_OK)
        return error->status;
    if (writer_open(&writer, path, error) != STATUS_OK) {
        free(header);
        return error->status;
    }
    uint64_t prefix = length;
    fwrite(&prefix, sizeof prefix, 1, writer.stream);
    fwrite(header, 1, length, writer.stream);
    free(header);
    for (size_t i = 0; i < trace_tensor_count(session->passage->trace); i++) {
        trace_tensor_at(session->passage->trace, i, &tensor);
        write_data(writer.stream, &tensor);
    }
    return writer_commit(&writer, error);
}
