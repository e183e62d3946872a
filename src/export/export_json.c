/* export_json.c: the session as JSON: facts about it, the members of export_members.c, and for each
 * layer the heads' tensors. Numbers read back as the same floats. */
#include "headlight/export/export.h"

#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/base/near.h"
#include "headlight/export/export_members.h"
#include "headlight/session/fields.h"

#include <math.h>
#include <string.h>

/* The first INCLUDED_OF_HEADS are tensors of each head, in the order of output. */
#define INCLUDED_OF_HEADS 4
static const struct {
    const char *word;
    unsigned bit;
} included[] = {
    {"scores", INCLUDE_SCORES},   {"query", INCLUDE_QUERY},   {"key", INCLUDE_KEY},
    {"value", INCLUDE_VALUE},     {"hidden", INCLUDE_HIDDEN}, {"predictions", INCLUDE_PREDICTIONS},
    {"all", INCLUDE_ALL},         {"lens", INCLUDE_LENS},     {"effects", INCLUDE_EFFECTS},
    {"metrics", INCLUDE_METRICS}, {"maps", INCLUDE_MAPS},
};
#define INCLUDED (sizeof included / sizeof *included)

/* For completions and tests, which list the words. */
const char *export_include_name(size_t index)
{
    return index < INCLUDED ? included[index].word : NULL;
}

static enum status refuse_word(const char *list, size_t length, struct error *error)
{
    char word[NEAR_LETTERS + 1];
    format_cut(word, sizeof word, "%.*s", (int)length, list);
    struct near near = near_to(word);
    for (size_t i = 0; i < INCLUDED; i++)
        near_offer(&near, included[i].word);
    error_write(error, STATUS_USAGE,
                "--include: expected query, key, value, scores, hidden, predictions, all (of "
                "these), lens, effects, metrics or maps, found \"%s\"",
                word);
    return near_add(&near, error);
}

/* Words are separated by commas; each adds its bits. */
enum status export_parse_include(const char *list, unsigned *include, struct error *error)
{
    for (;;) {
        size_t length = strcspn(list, ","), i = 0;
        while (i < INCLUDED &&
               (strlen(included[i].word) != length || strncmp(included[i].word, list, length) != 0))
            i++;
        if (i == INCLUDED)
            return refuse_word(list, length, error);
        *include |= included[i].bit;
        if (list[length] == '\0')
            return STATUS_OK;
        list += length + 1;
    }
}

/* ---- Numbers ---- */

/* "name":[[…],[…]] of rows `stride` numbers apart; null if they were not recorded. */
static void write_matrix(FILE *stream, const char *name, const float *values, const size_t shape[2],
                         size_t stride)
{
    fprintf(stream, values ? "\"%s\":[" : "\"%s\":null", name);
    for (size_t i = 0; values && i < shape[0]; i++) {
        fputs(i > 0 ? "," : "", stream);
        export_write_row(stream, values + i * stride, shape[1]);
    }
    fputs(values ? "]" : "", stream);
}

/* A layer's tensor by its name; of one that each head has, this head's matrix. */
static void write_tensor(const struct sheet *sheet, size_t layer, size_t head, const char *name)
{
    struct trace_tensor tensor = trace_layer_tensor(sheet->trace, layer, name);
    const size_t matrix = tensor.rank - 2; /* its first axis */
    const float *values = tensor.numbers;
    if (values && matrix > 0)
        values += head * tensor.stride[0];
    write_matrix(sheet->stream, name, values, tensor.shape + matrix, tensor.stride[matrix]);
}

/* ---- Facts and tokens ---- */

/* "name":"value", or null. */
static void write_name(FILE *stream, const char *name, const char *value)
{
    fprintf(stream, "\"%s\":", name);
    json_write_text(stream, value);
    fputs(",\n", stream);
}

/* Pieces as the vocabulary has them, unlike the labels on the screen. */
static void write_json_pieces(const struct sheet *sheet, const char *name, enum side side)
{
    fprintf(sheet->stream, "\"%s\":[", name);
    encoded_write_pieces(sheet->stream, sheet->encoded, side);
    fputs("],\n", sheet->stream);
}

/* A number for each token; null if they were not recorded. */
static void write_integers(const struct sheet *sheet, const char *name, const int32_t *numbers)
{
    fprintf(sheet->stream, numbers ? "\"%s\":[" : "\"%s\":null", name);
    for (size_t i = 0; numbers && i < sheet->trace->tokens; i++)
        fprintf(sheet->stream, "%s%d", i > 0 ? "," : "", (int)numbers[i]);
    fputs(numbers ? "],\n" : ",\n", sheet->stream);
}

/* Places in the text are known only if it was tokenised here, not in a recording. */
static void write_spans(FILE *stream, const struct encoding *encoding)
{
    fputs(encoding ? "\"spans\":[" : "\"spans\":null", stream);
    for (size_t i = 0; encoding && i < encoding->count; i++) {
        const struct token *token = &encoding->tokens[i];
        fputs(i > 0 ? "," : "", stream);
        if (token->added)
            fputs("null", stream);
        else
            fprintf(stream, "[%zu,%zu]", token->span.start, token->span.end);
    }
    fputs(encoding ? "],\n" : ",\n", stream);
}

/* The members before those of export_members.c. Their order is fixed, as people compare such files
 * line by line. */
static void write_json_facts(const struct sheet *sheet)
{
    const struct data *data = &sheet->session->data;
    const struct token_side *sides = sheet->encoded->sides;
    FILE *stream = sheet->stream;
    fputs("{\"headlight\":\"" HEADLIGHT_VERSION "\",\n", stream);
    write_name(stream, "model", data->model);
    write_name(stream, "family", data->family);
    fputs("\"texts\":[", stream);
    encoded_write_texts(stream, sheet->encoded, ",");
    fputs("],\n", stream);
    write_json_pieces(sheet, "tokens", SIDE_LEFT);
    if (sides[SIDE_RIGHT].labels != sides[SIDE_LEFT].labels)
        write_json_pieces(sheet, "tokens_right", SIDE_RIGHT);
    write_integers(sheet, "ids", sheet->trace->ids);
    write_integers(sheet, "segments", sheet->trace->segments);
    write_spans(stream, sheet->encoded->encoding);
    write_name(stream, "changes", data->changes);
    fputs("\"interventions\":", stream);
    if (sheet->session->checkpoint && data->changes)
        fields_write_network(stream, sheet->session, &sheet->trace->computed.changes);
    else
        fputs("null", stream);
    fputs(",\n", stream);
}

/* ---- Layers ---- */

/* With the comma in front: never the first member of its object. */
static void write_json_number(FILE *stream, const char *name, double value)
{
    fprintf(stream, ",\"%s\":", name);
    json_write_float(stream, (float)value);
}

/* Metrics up to METRIC_EFFECT follow from the trace; effects are measured apart (export_members.c).
 */
static void write_metrics(const struct sheet *sheet, size_t layer, size_t head)
{
    struct head_metrics metrics =
        metrics_measure(sheet->trace, layer, head, &sheet->encoded->kinds);
    struct head_label label = metrics_label(&metrics);
    bool none = label.label == LABEL_NONE;
    FILE *stream = sheet->stream;
    fprintf(stream, none ? ",\"metrics\":{\"label\":null" : ",\"metrics\":{\"label\":\"%s\"",
            label.name);
    write_json_number(stream, "value", none ? (double)NAN : label.value);
    for (enum metric metric = METRIC_LABEL + 1; metric < METRIC_EFFECT; metric++)
        write_json_number(stream, metric_info(metric)->name, metric_of(&metrics, metric));
    fputc('}', stream);
}

/* The weights always, other tensors if they are included. */
static void write_json_head(const struct sheet *sheet, size_t layer, size_t head)
{
    const unsigned include = sheet->output->include;
    fprintf(sheet->stream, "{\"head\":%zu,", head);
    write_tensor(sheet, layer, head, "weights");
    for (size_t i = 0; i < INCLUDED_OF_HEADS; i++)
        if (include & included[i].bit) {
            fputc(',', sheet->stream);
            write_tensor(sheet, layer, head, included[i].word);
        }
    if (include & INCLUDE_METRICS)
        write_metrics(sheet, layer, head);
    fputc('}', sheet->stream);
}

/* A line for each head, then the tensors that all heads share. */
static void write_json_layer(const struct sheet *sheet, size_t layer)
{
    static const char *const hidden[] = {"context", "attention_output", "output"};
    FILE *stream = sheet->stream;
    fprintf(stream, "{\"layer\":%zu,\"heads\":[", layer);
    for (size_t head = 0; head < sheet->trace->heads; head++) {
        fputs(head > 0 ? ",\n" : "\n", stream);
        write_json_head(sheet, layer, head);
    }
    fputc(']', stream);
    for (size_t i = 0; sheet->output->include & INCLUDE_HIDDEN && i < 3; i++) {
        fputs(",\n", stream);
        write_tensor(sheet, layer, 0, hidden[i]);
    }
    fputc('}', stream);
}

/* The last member, and the end of the object. */
static void write_layers(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    const size_t shape[] = {trace->tokens, trace->embedded};
    if (sheet->output->include & INCLUDE_HIDDEN) {
        write_matrix(sheet->stream, "embedding", trace->embedding, shape, trace->embedded);
        fputs(",\n", sheet->stream);
    }
    fputs("\"layers\":[", sheet->stream);
    for (size_t layer = 0; layer < trace->layers; layer++) {
        fputs(layer > 0 ? ",\n" : "\n", sheet->stream);
        write_json_layer(sheet, layer);
    }
    fputs("]}\n", sheet->stream);
}

/* What the members need is computed before the first byte is written, so that an error leaves
 * nothing behind. */
enum status export_json(const struct output *output, FILE *stream, struct error *error)
{
    const struct encoded *encoded = output->session->data.encoded;
    struct sheet sheet = {.output = output,
                          .session = output->session,
                          .encoded = encoded,
                          .trace = encoded->trace,
                          .stream = stream};
    enum status status = members_make(&sheet, error);
    if (status == STATUS_OK) {
        write_json_facts(&sheet);
        members_write(&sheet);
        write_layers(&sheet);
    }
    members_free(&sheet);
    return status;
}
