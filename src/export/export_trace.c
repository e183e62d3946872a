/* export_trace.c: every tensor of a trace as safetensors, which recording.h reads back: 8 bytes of
 * header length, a JSON header padded with blanks, the data. Source: the format's README
 * (huggingface/safetensors). */
#include "headlight/export/export.h"

#include "headlight/base/format.h"
#include "headlight/base/json.h"

#include <stdlib.h>
#include <string.h>

/* The product of the shape. It fits: the tensor lies in memory. */
static size_t tensor_elements(const struct trace_tensor *tensor)
{
    size_t count = 1;
    for (size_t i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i];
    return count;
}

/* I64 or F32. */
static size_t tensor_bytes(const struct trace_tensor *tensor)
{
    return tensor_elements(tensor) * (tensor->integers ? sizeof(int64_t) : sizeof(float));
}

/* ---- Metadata ---- */

/* ,"name":"value", if there is one. */
static void write_metadata(FILE *stream, const char *name, const char *value)
{
    if (!value)
        return;
    fprintf(stream, ",\"%s\":", name);
    json_write_text(stream, value);
}

/* Tokens as the screen shows them. */
static void write_trace_labels(FILE *stream, const struct encoded *encoded, enum side side)
{
    for (size_t i = 0; i < encoded->sides[side].count; i++) {
        const char *label = encoded->sides[side].labels[i];
        fputs(i > 0 ? "," : "", stream);
        json_write_text(stream, label);
    }
}

/* Whether some tokens are shown differently from their spelling in the vocabulary. */
static bool labels_differ(const struct encoded *encoded)
{
    const struct token_side *side = &encoded->sides[SIDE_LEFT];
    bool differ = false;
    for (size_t i = 0; encoded->pieces && i < side->count; i++)
        differ |= strcmp(encoded->pieces[i], side->labels[i]) != 0;
    return differ;
}

/* The sentence of each token: 0 or 1. */
static void write_trace_segments(FILE *stream, const struct encoded *encoded, enum side side)
{
    for (size_t i = 0; i < encoded->sides[side].count; i++)
        fprintf(stream, "%s%d", i > 0 ? "," : "", i >= encoded->sides[side].boundary);
}

/* The sentences; the side means nothing here. */
static void write_trace_texts(FILE *stream, const struct encoded *encoded, enum side side)
{
    (void)side;
    encoded_write_texts(stream, encoded, ",");
}

/* Whether the model's segment numbers tell the sentences apart; some models get only zeros. */
static bool segments_separate(const struct encoded *encoded)
{
    const int32_t *segments = encoded->trace->segments;
    const struct token_side *side = &encoded->sides[SIDE_LEFT];
    return segments && (side->boundary == 0 || side->boundary == side->count ||
                        segments[side->boundary - 1] != segments[side->boundary]);
}

struct list {
    const char *name;
    void (*write_items)(FILE *stream, const struct encoded *encoded, enum side side);
    enum side side;
    bool wanted;
};

/* Metadata values are strings, so a list is a JSON text inside a JSON string. False without memory.
 */
static bool write_list(FILE *stream, const struct list *list, const struct encoded *encoded)
{
    struct buffer inner;
    if (!buffer_open(&inner))
        return false;
    fputc('[', inner.stream);
    list->write_items(inner.stream, encoded, list->side);
    fputc(']', inner.stream);
    char *text = buffer_close(&inner);
    bool whole = text != NULL;
    if (whole)
        write_metadata(stream, list->name, text);
    free(text);
    return whole;
}

/* The lists that carry information. False without memory. */
static bool write_lists(FILE *stream, const struct encoded *encoded)
{
    bool crossed = encoded->sides[SIDE_LEFT].labels != encoded->sides[SIDE_RIGHT].labels;
    const struct list lists[] = {
        {"tokens", encoded_write_pieces, SIDE_LEFT, true},
        {"tokens_shown", write_trace_labels, SIDE_LEFT, labels_differ(encoded)},
        {"tokens_right", encoded_write_pieces, SIDE_RIGHT, crossed},
        {"segments", write_trace_segments, SIDE_LEFT, !segments_separate(encoded)},
        {"segments_right", write_trace_segments, SIDE_RIGHT, crossed},
        {"texts", write_trace_texts, SIDE_LEFT, encoded->text_count > 0},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].wanted && !write_list(stream, &lists[i], encoded))
            return false;
    return true;
}

/* What recording.h reads back besides tensors. Divisor, temperature and terms are written only
 * where they differ from what a plain pass has. */
static bool write_trace_metadata(FILE *stream, const struct session *session)
{
    fputs("{\"__metadata__\":{\"headlight\":\"" HEADLIGHT_VERSION "\"", stream);
    write_metadata(stream, "model", session->data.model);
    write_metadata(stream, "family", session->data.family);
    write_metadata(stream, "changes", session->data.changes);
    const struct interventions *changes = &session->data.encoded->trace->computed.changes;
    double temperature = interventions_temperature(changes);
    if (changes->unscaled)
        fputs(",\"unscaled\":\"true\"", stream);
    const size_t terms = session->data.encoded->trace->terms;
    if (terms > 1)
        fprintf(stream, ",\"terms\":\"%zu\"", terms);
    if (temperature < 1 || temperature > 1)
        fprintf(stream, ",\"temperature\":\"%.17g\"", temperature);
    bool fine = write_lists(stream, session->data.encoded);
    fputc('}', stream);
    return fine;
}

/* ---- Tensors ---- */

/* Offsets count from the end of the header. */
static void write_tensor_entry(FILE *stream, const struct trace_tensor *tensor, size_t offset)
{
    fprintf(stream, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", tensor->name,
            tensor->integers ? "I64" : "F32");
    for (size_t i = 0; i < tensor->rank; i++)
        fprintf(stream, "%s%zu", i > 0 ? "," : "", tensor->shape[i]);
    fprintf(stream, "],\"data_offsets\":[%zu,%zu]}", offset, offset + tensor_bytes(tensor));
}

/* False without memory. */
static bool write_header(FILE *stream, const struct session *session)
{
    struct trace_tensor tensor;
    size_t offset = 0;
    bool fine = write_trace_metadata(stream, session);
    for (size_t i = 0; i < trace_tensor_count(session->data.encoded->trace); i++) {
        trace_tensor_at(session->data.encoded->trace, i, &tensor);
        write_tensor_entry(stream, &tensor, offset);
        offset += tensor_bytes(&tensor);
    }
    fputc('}', stream);
    for (long at = ftell(stream); at % 8 != 0; at++)
        fputc(' ', stream);
    return fine;
}

/* Row-major, whatever the strides. The numbers of a row are contiguous. */
static void write_data(FILE *stream, const struct trace_tensor *tensor)
{
    const size_t rank = tensor->rank, columns = tensor->shape[rank - 1];
    for (size_t row = 0; row < tensor_elements(tensor) / columns; row++) {
        size_t place = 0, rest = row;
        for (size_t axis = rank - 1; axis-- > 0; rest /= tensor->shape[axis])
            place += rest % tensor->shape[axis] * tensor->stride[axis];
        if (tensor->numbers)
            fwrite(tensor->numbers + place, sizeof(float), columns, stream);
        for (size_t i = 0; tensor->integers && i < columns; i++) {
            int64_t wide = tensor->integers[place + i];
            fwrite(&wide, sizeof wide, 1, stream);
        }
    }
}

/* The length of the header comes before it, so it is made in memory first. Numbers are little-
 * endian in the format, as on every machine that headlight runs on. */
enum status export_trace(const struct output *output, FILE *stream, struct error *error)
{
    const struct session *session = output->session;
    struct trace_tensor tensor;
    struct buffer buffer = {.stream = NULL};
    bool fine = buffer_open(&buffer) && write_header(buffer.stream, session);
    char *header = buffer_close(&buffer);
    if (!header || !fine) {
        free(header);
        return error_memory(error, "the trace's header", 4096);
    }
    uint64_t prefix = buffer.length;
    fwrite(&prefix, sizeof prefix, 1, stream);
    fwrite(header, 1, buffer.length, stream);
    free(header);
    for (size_t i = 0; i < trace_tensor_count(session->data.encoded->trace); i++) {
        trace_tensor_at(session->data.encoded->trace, i, &tensor);
        write_data(stream, &tensor);
    }
    return STATUS_OK;
}
