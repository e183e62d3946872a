/* export_trace.c: every tensor of a trace as safetensors, which recording.h reads back. */
#include "headlight/export/export.h"

#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/tensor/safetensors.h"

#include <stdlib.h>
#include <string.h>

/* ---- Metadata ---- */

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
static bool add_list(struct safetensors_header *header, const struct list *list,
                     const struct encoded *encoded)
{
    struct buffer inner;
    if (!buffer_open(&inner))
        return false;
    fputc('[', inner.stream);
    list->write_items(inner.stream, encoded, list->side);
    fputc(']', inner.stream);
    char *text = buffer_close(&inner);
    safetensors_add_text(header, list->name, text);
    free(text);
    return text != NULL;
}

/* Those of two stacks, whose sites share them. False without memory. */
static bool add_stacks(struct safetensors_header *header, const struct encoded *encoded)
{
    static const struct list source = {"encoder_tokens", encoded_write_pieces, SIDE_LEFT, true},
                             target = {"decoder_tokens", encoded_write_pieces, SIDE_LEFT, true},
                             texts = {"texts", write_trace_texts, SIDE_LEFT, true};
    return add_list(header, &source, encoded_of_site(encoded, SITE_ENCODER)) &&
           add_list(header, &target, encoded_of_site(encoded, SITE_DECODER)) &&
           add_list(header, &texts, encoded_of_site(encoded, SITE_CROSS));
}

/* The lists that carry information. False without memory. */
static bool add_lists(struct safetensors_header *header, const struct encoded *encoded)
{
    const bool crossed = encoded_is_crossed(encoded);
    if (encoded->trace->site != SITE_ONLY)
        return add_stacks(header, encoded);
    const struct list lists[] = {
        {"tokens", encoded_write_pieces, SIDE_LEFT, true},
        {"tokens_shown", write_trace_labels, SIDE_LEFT, labels_differ(encoded)},
        {"tokens_right", encoded_write_pieces, SIDE_RIGHT, crossed},
        {"segments", write_trace_segments, SIDE_LEFT, !segments_separate(encoded)},
        {"segments_right", write_trace_segments, SIDE_RIGHT, crossed},
        {"texts", write_trace_texts, SIDE_LEFT, encoded->text_count > 0},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].wanted && !add_list(header, &lists[i], encoded))
            return false;
    return true;
}

/* What recording.h reads back besides tensors. Divisor, temperature and terms are written only
 * where they differ from what a plain pass has. False without memory. */
static bool add_metadata(struct safetensors_header *header, const struct session *session)
{
    const struct trace *trace = session->data.encoded->trace;
    const double temperature = interventions_temperature(&trace->computed.changes);
    char number[32];
    safetensors_add_text(header, "headlight", HEADLIGHT_VERSION);
    safetensors_add_text(header, "model", session->data.model);
    safetensors_add_text(header, "family", session->data.family);
    safetensors_add_text(header, "changes", session->data.changes);
    if (trace->computed.changes.unscaled)
        safetensors_add_text(header, "unscaled", "true");
    format_cut(number, sizeof number, "%zu", trace->terms);
    if (trace->terms > 1)
        safetensors_add_text(header, "terms", number);
    format_cut(number, sizeof number, "%.17g", temperature);
    if (temperature < 1 || temperature > 1)
        safetensors_add_text(header, "temperature", number);
    return add_lists(header, session->data.encoded);
}

/* ---- Tensors ---- */

/* Of a model all sites' tensors by index, and at last the ids that were generated; false past
 * those. A recording's are of the site that is shown. */
static bool tensor_at(const struct encoded *encoded, size_t index, struct trace_tensor *tensor)
{
    const struct encoded *one = encoded;
    do {
        const size_t count = trace_tensor_count(one->trace);
        if (index < count) {
            trace_tensor_at(one->trace, index, tensor);
            return true;
        }
        index -= count;
    } while ((one = one->next) != encoded && one->trace->site != SITE_ONLY);
    *tensor = (struct trace_tensor){.name = "generated",
                                    .rank = 1,
                                    .shape = {encoded->generated.count},
                                    .stride = {1},
                                    .integers = encoded->generated.ids};
    return index == 0 && encoded->generated.count > 0;
}

/* Numbers are little-endian in the format, as on every machine that headlight runs on. */
enum status export_trace(const struct output *output, FILE *stream, struct error *error)
{
    const struct encoded *encoded = output->session->data.encoded;
    struct safetensors_header header;
    struct trace_tensor tensor;
    safetensors_begin(&header);
    const bool fine = add_metadata(&header, output->session);
    for (size_t i = 0; tensor_at(encoded, i, &tensor); i++)
        safetensors_add_tensor(&header, tensor.name, tensor.integers ? "I64" : "F32", tensor.shape,
                               tensor.rank);
    if (safetensors_end(&header, fine ? stream : NULL, error) != STATUS_OK || !fine)
        return error_memory(error, "the trace's header", 4096);
    for (size_t i = 0; tensor_at(encoded, i, &tensor); i++) {
        /* row-major, whatever the strides; the numbers of a row are contiguous */
        const size_t rank = tensor.rank, columns = tensor.shape[rank - 1];
        size_t rows = 1;
        for (size_t axis = 0; axis + 1 < rank; axis++)
            rows *= tensor.shape[axis];
        for (size_t row = 0; row < rows; row++) {
            size_t place = 0, rest = row;
            for (size_t axis = rank - 1; axis-- > 0; rest /= tensor.shape[axis])
                place += rest % tensor.shape[axis] * tensor.stride[axis];
            if (tensor.numbers)
                fwrite(tensor.numbers + place, sizeof(float), columns, stream);
            for (size_t column = 0; tensor.integers && column < columns; column++) {
                int64_t wide = tensor.integers[place + column];
                fwrite(&wide, sizeof wide, 1, stream);
            }
        }
    }
    return STATUS_OK;
}
