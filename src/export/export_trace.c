/* export_trace.c: every tensor of a trace as safetensors, which recording.h reads back. */
#include "headlight/export/export.h"

#include <stdlib.h>

/* ---- Metadata ---- */

/* What is listed: pieces as the vocabulary has them, tokens as the screen shows them, the sentence
 * of each, 0 or 1; or the sentences. */
enum list { PIECES, LABELS, SEGMENTS, TEXTS };

/* Lists that carry information: labels where some tokens are shown differently from their spelling
 * in the vocabulary, segments where the model's numbers don't tell the sentences apart, as some
 * models get only zeros; of two stacks those that their sites share. False without memory. */
static bool add_lists(struct safetensors_header *header, const struct encoded *encoded)
{
    const struct token_side *side = &encoded->sides[SIDE_LEFT];
    const int32_t *segments = encoded->trace->segments;
    const bool one = encoded->trace->site == SITE_ONLY,
               crossed = one && encoded_is_crossed(encoded);
    bool differ = false;
    for (size_t i = 0; encoded->pieces && i < side->count; i++)
        differ |= strcmp(encoded->pieces[i], side->labels[i]) != 0;
    const bool apart = segments && (side->boundary == 0 || side->boundary == side->count ||
                                    segments[side->boundary - 1] != segments[side->boundary]);
    const struct {
        bool wanted;
        const char *name;
        enum list list;
        const struct encoded *of;
        enum side side;
    } lists[] = {
        {!one, "encoder_tokens", PIECES, encoded_of_site(encoded, SITE_ENCODER), 0},
        {!one, "decoder_tokens", PIECES, encoded_of_site(encoded, SITE_DECODER), 0},
        {!one, "texts", TEXTS, encoded_of_site(encoded, SITE_CROSS), 0},
        {one, "tokens", PIECES, encoded, SIDE_LEFT},
        {one && differ, "tokens_shown", LABELS, encoded, SIDE_LEFT},
        {crossed, "tokens_right", PIECES, encoded, SIDE_RIGHT},
        {one && !apart, "segments", SEGMENTS, encoded, SIDE_LEFT},
        {crossed, "segments_right", SEGMENTS, encoded, SIDE_RIGHT},
        {one && encoded->text_count > 0, "texts", TEXTS, encoded, SIDE_LEFT},
    };
    for (size_t i = 0; i < LENGTH(lists); i++) {
        /* metadata values are strings, so a list is a JSON text inside a JSON string */
        struct buffer inner;
        if (!lists[i].wanted)
            continue;
        if (!buffer_open(&inner))
            return false;
        const enum list list = lists[i].list;
        const struct encoded *of = lists[i].of;
        const struct token_side *tokens = &of->sides[lists[i].side];
        struct json_writer json = {.stream = inner.stream};
        json_list(&json, NULL, k, list == TEXTS ? of->text_count : tokens->count,
                  list == TEXTS    ? JSON_OF(NULL, of->texts[k].bytes, of->texts[k].length)
                  : list == PIECES ? JSON(NULL, encoded_pieces(of, lists[i].side)[k])
                  : list == LABELS ? JSON(NULL, tokens->labels[k])
                                   : JSON(NULL, k < tokens->boundary ? 0 : 1));
        char *text = buffer_close(&inner);
        safetensors_add_text(header, lists[i].name, text);
        free(text);
        if (!text)
            return false;
    }
    return true;
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

/* Numbers are little-endian in the format, as on every machine that headlight runs on. Divisor,
 * temperature and terms are written only where they differ from what a plain pass has. */
enum status export_trace(const struct output *output, FILE *stream, struct error *error)
{
    const struct encoded *encoded = output->session->data.encoded;
    struct safetensors_header header;
    struct trace_tensor tensor;
    const struct data *data = &output->session->data;
    const struct interventions *changes = &encoded->trace->computed.changes;
    const double temperature = interventions_temperature(changes);
    char number[32];
    safetensors_begin(&header);
    safetensors_add_text(&header, "headlight", HEADLIGHT_VERSION);
    safetensors_add_text(&header, "model", data->model);
    safetensors_add_text(&header, "family", data->family);
    safetensors_add_text(&header, "bits", data->bits);
    safetensors_add_text(&header, "changes", data->changes);
    if (changes->unscaled)
        safetensors_add_text(&header, "unscaled", "true");
    format_cut(number, sizeof number, "%zu", encoded->trace->terms);
    if (encoded->trace->terms > 1)
        safetensors_add_text(&header, "terms", number);
    format_cut(number, sizeof number, "%.17g", temperature);
    if (temperature < 1 || temperature > 1)
        safetensors_add_text(&header, "temperature", number);
    const bool fine = add_lists(&header, encoded); /* false without memory */
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
            size_t offset = 0, rest = row;
            for (size_t axis = rank - 1; axis-- > 0; rest /= tensor.shape[axis])
                offset += rest % tensor.shape[axis] * tensor.stride[axis];
            if (tensor.numbers)
                fwrite(tensor.numbers + offset, sizeof(float), columns, stream);
            for (size_t column = 0; tensor.integers && column < columns; column++) {
                int64_t wide = tensor.integers[offset + column];
                fwrite(&wide, sizeof wide, 1, stream);
            }
        }
    }
    return STATUS_OK;
}
