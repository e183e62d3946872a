/* export_json.c: the session as JSON: facts about it, the members of export_members.c, and for each
 * layer the heads' tensors. Numbers read back as the same floats. */
#include "headlight/export/export.h"

#include "headlight/base/json.h"
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

const char *export_include_name(size_t index)
{
    return index < INCLUDED ? included[index].word : NULL;
}

enum status export_parse_include(const char *list, unsigned *include, struct error *error)
{
    for (;;) {
        size_t length = strcspn(list, ","), i = 0;
        while (i < INCLUDED &&
               (strlen(included[i].word) != length || strncmp(included[i].word, list, length) != 0))
            i++;
        if (i == INCLUDED)
            return error_set(error, STATUS_USAGE,
                             "--include: expected query, key, value, scores, hidden, predictions, "
                             "all (of these), lens, effects, metrics or maps, found \"%.*s\"",
                             (int)length, list);
        *include |= included[i].bit;
        if (list[length] == '\0')
            return STATUS_OK;
        list += length + 1;
    }
}

/* ---- Numbers ---- */

/* "name":[[…],[…]] of rows `stride` numbers apart; null if they were not recorded. */
static void write_matrix(FILE *stream, const char *name, const float *values, size_t rows,
                         size_t columns, size_t stride)
{
    fprintf(stream, values ? "\"%s\":[" : "\"%s\":null", name);
    if (!values)
        return;
    for (size_t i = 0; i < rows; i++) {
        if (i > 0)
            fputc(',', stream);
        export_write_row(stream, values + i * stride, columns);
    }
    fputc(']', stream);
}

/* A layer's tensor by its name; of one that each head has, this head's matrix. */
static void write_tensor(FILE *stream, const struct trace *trace, size_t layer, size_t head,
                         const char *name)
{
    struct trace_tensor tensor = trace_layer_tensor(trace, layer, name);
    const size_t *shape = tensor.shape, *stride = tensor.stride;
    if (tensor.rank == 2)
        write_matrix(stream, name, tensor.numbers, shape[0], shape[1], stride[0]);
    else
        write_matrix(stream, name, tensor.numbers ? tensor.numbers + head * stride[0] : NULL,
                     shape[1], shape[2], stride[1]);
}

/* ---- Tokens ---- */

static void write_json_pieces(FILE *stream, const char *name, const struct encoded *encoded,
                              enum side side)
{
    fprintf(stream, "\"%s\":[", name);
    encoded_write_pieces(stream, encoded, side);
    fputs("],\n", stream);
}

/* A number for each token; null if they were not recorded. */
static void write_integers(FILE *stream, const char *name, const int32_t *numbers, size_t count)
{
    fprintf(stream, numbers ? "\"%s\":[" : "\"%s\":null", name);
    for (size_t i = 0; numbers && i < count; i++)
        fprintf(stream, "%s%d", i > 0 ? "," : "", (int)numbers[i]);
    fputs(numbers ? "],\n" : ",\n", stream);
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

static void write_json_tokens(FILE *stream, const struct encoded *encoded)
{
    const struct token_side *sides = encoded->sides;
    const struct trace *trace = encoded->trace;
    write_json_pieces(stream, "tokens", encoded, SIDE_LEFT);
    if (sides[SIDE_RIGHT].labels != sides[SIDE_LEFT].labels)
        write_json_pieces(stream, "tokens_right", encoded, SIDE_RIGHT);
    write_integers(stream, "ids", trace->ids, trace->tokens);
    write_integers(stream, "segments", trace->segments, trace->tokens);
    write_spans(stream, encoded->encoding);
}

/* ---- Layers ---- */

static void write_json_number(FILE *stream, const char *name, double value)
{
    fprintf(stream, ",\"%s\":", name);
    json_write_float(stream, (float)value);
}

static void write_metrics(FILE *stream, const struct encoded *encoded, size_t layer, size_t head)
{
    struct head_metrics metrics = metrics_measure(encoded->trace, layer, head, &encoded->kinds);
    struct head_label label = metrics_label(&metrics);
    bool none = label.label == LABEL_NONE;
    fprintf(stream, none ? ",\"metrics\":{\"label\":null" : ",\"metrics\":{\"label\":\"%s\"",
            label.name);
    write_json_number(stream, "value", none ? (double)NAN : label.value);
    for (enum metric metric = METRIC_LABEL + 1; metric < METRIC_EFFECT; metric++)
        write_json_number(stream, metric_name(metric), metric_of(&metrics, metric));
    fputc('}', stream);
}

static void write_json_head(FILE *stream, const struct encoded *encoded, size_t layer, size_t head,
                            unsigned include)
{
    const struct trace *trace = encoded->trace;
    fprintf(stream, "{\"head\":%zu,", head);
    write_tensor(stream, trace, layer, head, "weights");
    for (size_t i = 0; i < INCLUDED_OF_HEADS; i++)
        if (include & included[i].bit) {
            fputc(',', stream);
            write_tensor(stream, trace, layer, head, included[i].word);
        }
    if (include & INCLUDE_METRICS)
        write_metrics(stream, encoded, layer, head);
    fputc('}', stream);
}

static void write_json_layer(FILE *stream, const struct encoded *encoded, size_t layer,
                             unsigned include)
{
    const struct trace *trace = encoded->trace;
    static const char *const hidden[] = {"context", "attention_output", "output"};
    fprintf(stream, "{\"layer\":%zu,\"heads\":[", layer);
    for (size_t head = 0; head < trace->heads; head++) {
        fputs(head > 0 ? ",\n" : "\n", stream);
        write_json_head(stream, encoded, layer, head, include);
    }
    fputc(']', stream);
    for (size_t i = 0; include & INCLUDE_HIDDEN && i < sizeof hidden / sizeof *hidden; i++) {
        fputs(",\n", stream);
        write_tensor(stream, trace, layer, 0, hidden[i]);
    }
    fputc('}', stream);
}

/* "name":"text", or null. */
static void write_name(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, "\"%s\":", name);
    if (text)
        json_write_string(stream, text, strlen(text));
    else
        fputs("null", stream);
    fputs(",\n", stream);
}

/* What comes before the layers, apart from export_members.c. */
static void write_json_facts(FILE *stream, const struct session *session)
{
    const struct data *data = &session->data;
    fprintf(stream, "{\"headlight\":\"%s\",\n\"model\":", HEADLIGHT_VERSION);
    json_write_string(stream, data->model, strlen(data->model));
    fputs(",\n", stream);
    write_name(stream, "family", data->family);
    fputs("\"texts\":[", stream);
    encoded_write_texts(stream, session->data.encoded, ",");
    fputs("],\n", stream);
    write_json_tokens(stream, session->data.encoded);
    write_name(stream, "changes", data->changes);
    fputs("\"interventions\":", stream);
    if (session->checkpoint && data->changes)
        fields_write_network(stream, session, &session->data.encoded->trace->computed.changes);
    else
        fputs("null", stream);
    fputs(",\n", stream);
}

static void write_layers(FILE *stream, const struct encoded *encoded, unsigned include)
{
    const struct trace *trace = encoded->trace;
    if (include & INCLUDE_HIDDEN) {
        write_matrix(stream, "embedding", trace->embedding, trace->tokens, trace->embedded,
                     trace->embedded);
        fputs(",\n", stream);
    }
    fputs("\"layers\":[", stream);
    for (size_t layer = 0; layer < trace->layers; layer++) {
        fputs(layer > 0 ? ",\n" : "\n", stream);
        write_json_layer(stream, encoded, layer, include);
    }
    fputs("]}\n", stream);
}

enum status export_json(const struct output *output, FILE *stream, struct error *error)
{
    struct members members;
    enum status status = members_make(output, &members, error);
    if (status == STATUS_OK) {
        write_json_facts(stream, output->session);
        members_write(output, &members, stream);
        write_layers(stream, output->session->data.encoded, output->include);
    }
    members_free(&members);
    return status;
}
