#include "headlight/export/export.h"

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

/* ---- Metadata ---- */

static void write_tokens(FILE *stream, const struct session *session)
{
    encoded_write_labels(stream, &session->encoded->sides[SIDE_LEFT]);
}

static void write_tokens_right(FILE *stream, const struct session *session)
{
    encoded_write_labels(stream, &session->encoded->sides[SIDE_RIGHT]);
}

/* Which sentence each token belongs to: 0 or 1. */
static void write_side_segments(FILE *stream, const struct token_side *side)
{
    for (size_t i = 0; i < side->count; i++)
        fprintf(stream, "%s%d", i > 0 ? "," : "", i >= side->boundary);
}

static void write_segments(FILE *stream, const struct session *session)
{
    write_side_segments(stream, &session->encoded->sides[SIDE_LEFT]);
}

static void write_segments_right(FILE *stream, const struct session *session)
{
    write_side_segments(stream, &session->encoded->sides[SIDE_RIGHT]);
}

static void write_texts(FILE *stream, const struct session *session)
{
    encoded_write_texts(stream, session->encoded, ",");
}

/* Metadata values are strings, so a list is a JSON text inside a JSON string. False without memory.
 */
static bool write_list(FILE *stream, const char *name, const struct session *session,
                       void (*write_items)(FILE *, const struct session *))
{
    char *list = NULL;
    size_t length;
    FILE *inner = open_memstream(&list, &length);
    if (!inner)
        return false;
    fputc('[', inner);
    write_items(inner, session);
    fputc(']', inner);
    bool fine = ferror(inner) == 0;
    fine &= fclose(inner) == 0;
    if (fine) {
        fprintf(stream, ",\"%s\":", name);
        json_write_string(stream, list, length);
    }
    free(list);
    return fine;
}

/* The lists that have something to say. False without memory. */
static bool write_lists(FILE *stream, const struct session *session)
{
    const struct encoded *encoded = session->encoded;
    bool crossed = encoded->sides[SIDE_LEFT].labels != encoded->sides[SIDE_RIGHT].labels;
    const struct {
        const char *name;
        void (*write_items)(FILE *, const struct session *);
        bool wanted;
    } lists[] = {
        {"tokens", write_tokens, true},
        {"tokens_right", write_tokens_right, crossed},
        {"segments", write_segments, !encoded->trace->segments},
        {"segments_right", write_segments_right, crossed},
        {"texts", write_texts, encoded->text_count > 0},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].wanted && !write_list(stream, lists[i].name, session, lists[i].write_items))
            return false;
    return true;
}

static bool write_metadata(FILE *stream, const struct session *session)
{
    fputs("{\"__metadata__\":{\"headlight\":\"" HEADLIGHT_VERSION "\",\"model\":", stream);
    json_write_string(stream, session->scene.model, strlen(session->scene.model));
    if (session->scene.changes) {
        fputs(",\"changes\":", stream);
        json_write_string(stream, session->scene.changes, strlen(session->scene.changes));
    }
    bool fine = write_lists(stream, session);
    fputc('}', stream);
    return fine;
}

/* ---- Tensors ---- */

static void write_entry(FILE *stream, const struct trace_tensor *tensor, size_t offset)
{
    fprintf(stream, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", tensor->name,
            tensor->integers ? "I64" : "F32");
    for (size_t i = 0; i < tensor->rank; i++)
        fprintf(stream, "%s%zu", i > 0 ? "," : "", tensor->shape[i]);
    fprintf(stream, "],\"data_offsets\":[%zu,%zu]}", offset, offset + byte_count(tensor));
}

/* False without memory. */
static bool write_header(FILE *stream, const struct session *session)
{
    struct trace_tensor tensor;
    size_t offset = 0;
    bool fine = write_metadata(stream, session);
    for (size_t i = 0; i < trace_tensor_count(session->encoded->trace); i++) {
        trace_tensor_at(session->encoded->trace, i, &tensor);
        write_entry(stream, &tensor, offset);
        offset += byte_count(&tensor);
    }
    fputc('}', stream);
    for (long at = ftell(stream); at % 8 != 0; at++)
        fputc(' ', stream);
    return fine;
}

static enum status make_header(const struct session *session, char **header, size_t *length,
                               struct error *error)
{
    *header = NULL;
    FILE *stream = open_memstream(header, length);
    if (stream) {
        bool fine = write_header(stream, session) && ferror(stream) == 0;
        if (fclose(stream) == 0 && fine)
            return STATUS_OK;
        free(*header);
        *header = NULL;
    }
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

enum status export_trace(const struct output *output, FILE *stream, struct error *error)
{
    const struct session *session = output->session;
    struct trace_tensor tensor;
    char *header = NULL;
    size_t length = 0;
    if (make_header(session, &header, &length, error) != STATUS_OK)
        return error->status;
    uint64_t prefix = length;
    fwrite(&prefix, sizeof prefix, 1, stream);
    fwrite(header, 1, length, stream);
    free(header);
    for (size_t i = 0; i < trace_tensor_count(session->encoded->trace); i++) {
        trace_tensor_at(session->encoded->trace, i, &tensor);
        write_data(stream, &tensor);
    }
    return STATUS_OK;
}
