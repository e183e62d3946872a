/* page_text.c: one text of the page: its tokens, and the weights and label of each chosen head. */
#include "headlight/base/bytes.h"
#include "headlight/base/json.h"
#include "headlight/draw/text.h"
#include "headlight/export/page.h"
#include "headlight/session/fields.h"
#include "headlight/text/words.h"
#include "headlight/view/views.h"

#include <math.h>
#include <string.h>

/* ---- Tokens ---- */

/* What text_next gives can be seen, so nothing else needs an escape. */
static void write_glyphs(FILE *stream, struct text_reader reader)
{
    struct glyph glyph;
    while (text_next(&reader, &glyph))
        fprintf(stream, "%s%s", strchr("\"\\", *glyph.text) ? "\\" : "", glyph.text);
}

void page_write_shown(FILE *stream, const char *before, struct text text)
{
    fprintf(stream, "%s\"", before);
    write_glyphs(stream, text_reader(text.bytes, text.length, false));
    fputc('"', stream);
}

static void write_labels(FILE *stream, const char *name, const struct token_side *side)
{
    fprintf(stream, ",\"%s\":[", name);
    for (size_t i = 0; i < side->count; i++)
        page_write_shown(stream, i > 0 ? "," : "", text_of_string(side->labels[i]));
    fputc(']', stream);
}

/* Of which sentence each is, whether it can be hidden, and to which word it belongs. */
static void write_tokens(FILE *stream, const struct encoded *encoded)
{
    const struct token_side *side = &encoded->sides[SIDE_LEFT];
    size_t word = 0;
    write_labels(stream, "tokens", side);
    if (encoded_is_crossed(encoded))
        write_labels(stream, "columns", &encoded->sides[SIDE_RIGHT]);
    for (size_t i = 0; i < side->count; i++)
        fprintf(stream, "%s%d", i > 0 ? "," : ",\"segments\":[", i >= side->boundary);
    for (size_t i = 0; i < side->count; i++)
        fprintf(stream, "%s%d", i > 0 ? "," : "],\"special\":[", side->sinks[i]);
    for (size_t i = 0; i < side->count; i++) {
        fputs(i > 0 ? "," : "],\"words\":[", stream);
        word += !side->special[i] && !side->continues[i];
        if (side->special[i])
            fputs("null", stream);
        else
            fprintf(stream, "%zu", word - 1);
    }
    fputc(']', stream);
}

/* ---- Weights ---- */

/* Numbers on their way into base64, a line of text at a time. */
struct packer {
    FILE *stream;
    size_t filled;
    uint8_t bytes[3 * 1024];
};

static void pack_end(struct packer *packer)
{
    char text[BASE64_LENGTH(sizeof packer->bytes) + 1];
    base64_write(text, packer->bytes, packer->filled);
    fputs(text, packer->stream);
    packer->filled = 0;
}

static void pack(struct packer *packer, unsigned byte)
{
    packer->bytes[packer->filled++] = (uint8_t)byte;
    if (packer->filled == sizeof packer->bytes)
        pack_end(packer);
}

/* ---- What is seen first ---- */

/* Where a layer or a head stands among those in the file; the first in place of one left out. */
static size_t place_of(const size_t *numbers, size_t count, size_t number)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return i;
    return 0;
}

static void write_start(const struct page_parts *parts, const struct session *session, FILE *stream)
{
    const struct look *look = &session->state.look;
    const char *before = ",\"heads\":[";
    fprintf(stream, ",\"start\":{\"view\":\"%s\",\"layer\":%zu,\"head\":%zu",
            look->view == VIEW_MODEL ? "model" : "head",
            place_of(parts->layers, parts->layer_count, look->layer),
            place_of(parts->heads, parts->head_count, look->head));
    for (size_t h = 0; h < parts->head_count; h++)
        if (look->heads != head_mask_all(session->data.head_count) &&
            head_mask_has(look->heads, parts->heads[h])) {
            fprintf(stream, "%s%zu", before, h);
            before = ",";
        }
    fputs(before[1] ? "" : "]", stream);
    if (look->from != NO_TOKEN)
        fprintf(stream, ",\"token\":%zu",
                session->data.attention->tokens[SIDE_LEFT].of[look->from].first);
    fputc('}', stream);
}

/* As the options say them, "off 3.7"; a recording has a sentence of its own. */
static void write_changes(const struct session *session, FILE *stream)
{
    static struct field_value value; /* too large for a stack; one page is written at a time */
    const char *before = ",\"changes\":[\"";
    const char *said = session->checkpoint ? NULL : session->data.changes;
    for (enum state_field field = 0; session->checkpoint && field < FIELD_COUNT; field++) {
        if (!field_is_network(field) || field_is_alias(field) ||
            !field_write(session, field, &value))
            continue;
        const struct option_info *option = option_named(field_info(field)->name);
        fprintf(stream, "%s%s", before, field_info(field)->name);
        fputs(!option || option->argument ? " " : "", stream);
        if (!option || option->argument)
            write_glyphs(stream, text_reader(value.text, value.length, false));
        before = "\",\"";
    }
    if (said) {
        fputs(before, stream);
        write_glyphs(stream, text_reader(said, strlen(said), false));
    }
    fputs(said || *before == '"' ? "\"]" : "", stream);
}

void page_write_text(const struct page_parts *parts, const struct output *output, FILE *stream)
{
    const struct data *data = &output->session->data;
    const struct encoded *encoded = data->encoded;
    fputs("\"texts\":[", stream);
    for (size_t i = 0; i < encoded->text_count; i++)
        page_write_shown(stream, i > 0 ? "," : "", encoded->texts[i]);
    fputc(']', stream);
    write_tokens(stream, encoded);
    struct packer packer = {.stream = stream};
    const size_t matrix = data->trace->tokens * data->trace->attended;
    fputs(",\"weights\":\"", stream);
    for (size_t l = 0; l < parts->layer_count; l++)
        for (size_t h = 0; h < parts->head_count; h++) {
            /* the root makes the steps fine where weights are small, as most are; recordings may
             * hold what is no weight */
            const float *row =
                data->trace->layer[parts->layers[l]].weights + parts->heads[h] * matrix;
            for (size_t i = 0; i < matrix; i++) {
                const double weight = row[i] > 0 ? fmin((double)row[i], 1) : 0;
                const unsigned level = (unsigned)lround((parts->fine ? 65535 : 255) * sqrt(weight));
                pack(&packer, level & 0xFF);
                if (parts->fine)
                    pack(&packer, level >> 8);
            }
        }
    pack_end(&packer);
    fputc('"', stream);
    fputs(",\"does\":[", stream);
    for (size_t l = 0; l < parts->layer_count; l++) {
        fputs(l > 0 ? "],[" : "[", stream);
        for (size_t h = 0; h < parts->head_count; h++) {
            const struct head_metrics metrics =
                metrics_measure(encoded->trace, parts->layers[l], parts->heads[h], &encoded->kinds);
            fprintf(stream, "%s\"%s\"", h > 0 ? "," : "", metrics_label(&metrics).words);
        }
    }
    fputs("]]", stream);
    write_start(parts, output->session, stream);
    write_changes(output->session, stream);
}
