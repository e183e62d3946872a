/* export_json.c: the session as JSON: facts about it, the members of export_members.c, and for each
 * layer the heads' tensors. Numbers read back as the same floats. */
#include "headlight/export/export.h"

#include "headlight/base/format.h"
#include "headlight/base/incbin.h"
#include "headlight/base/json.h"
#include "headlight/base/near.h"
#include "headlight/export/export_members.h"
#include "headlight/session/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first INCLUDED_OF_HEADS are tensors of each head, in the order of output. */
#define INCLUDED_OF_HEADS 5
static const struct {
    const char *word;
    unsigned bit;
} included[] = {
    {"weights", INCLUDE_WEIGHTS}, {"scores", INCLUDE_SCORES}, {"query", INCLUDE_QUERY},
    {"key", INCLUDE_KEY},         {"value", INCLUDE_VALUE},   {"hidden", INCLUDE_HIDDEN},
    {"all", INCLUDE_ALL},         {"lens", INCLUDE_LENS},     {"effects", INCLUDE_EFFECTS},
    {"metrics", INCLUDE_METRICS}, {"maps", INCLUDE_MAPS},     {"words", INCLUDE_WORDS},
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
    error_write(error, STATUS_USAGE, "--include: expected %s, found \"%s\"", near_names(&near),
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

/* ---- Facts and tokens ---- */

/* ,"name":[[layer,head],…] of masks of heads. */
static void write_masks(const struct sheet *sheet, const char *name, const uint64_t *masks)
{
    const char *before = "";
    fprintf(sheet->stream, ",\"%s\":[", name);
    for (size_t layer = 0; layer < sheet->trace->layers; layer++)
        for (size_t head = 0; head < sheet->trace->heads; head++)
            if (head_mask_has(masks[layer], head)) {
                fprintf(sheet->stream, "%s[%zu,%zu]", before, layer, head);
                before = ",";
            }
    fputc(']', sheet->stream);
}

/* How the network was changed for this pass; null: it was not, or that was not recorded. */
static void write_interventions(const struct sheet *sheet)
{
    const struct interventions *changes = &sheet->trace->computed.changes;
    FILE *stream = sheet->stream;
    if (!sheet->checkpoint || !interventions_any(changes)) {
        fputs("\"interventions\":null,", stream);
        return;
    }
    fprintf(stream,
            "\"interventions\":{\"unscaled\":%s,\"causal\":%s,\"no_segments\":%s,"
            "\"positions\":\"%s\",\"temperature\":",
            changes->unscaled ? "true" : "false", changes->causal ? "true" : "false",
            changes->no_segments ? "true" : "false",
            field_choice(FIELD_POSITIONS, (size_t)changes->positions));
    json_write_float(stream, (float)interventions_temperature(changes));
    write_masks(sheet, "off", changes->off);
    write_masks(sheet, "uniform", changes->uniform);
    fputs(",\"hidden\":[", stream);
    for (uint32_t i = 0; i < changes->hidden_count; i++)
        fprintf(stream, "%s%u", i > 0 ? "," : "", (unsigned)changes->hidden[i]);
    fputs("],\"cut\":[", stream);
    for (uint32_t i = 0; i < changes->cut_count; i++)
        fprintf(stream, "%s{\"layer\":%u,\"head\":%u,\"from\":%u,\"to\":%u}", i > 0 ? "," : "",
                (unsigned)changes->cuts[i].layer, (unsigned)changes->cuts[i].head,
                (unsigned)changes->cuts[i].from, (unsigned)changes->cuts[i].to);
    fputs("]},", stream);
}

/* Whether rows of cross-attention are called after what they say next. */
static bool said_rows(const struct sheet *sheet)
{
    return sheet->session->state.look.shape.said;
}

/* The members before those of export_members.c. A recording says in its own words how the network
 * was changed. */
static void write_json_facts(const struct sheet *sheet)
{
    const struct data *data = &sheet->session->data;
    FILE *stream = sheet->stream;
    struct error error;
    fputs("{\"format\":3,\"headlight\":\"" HEADLIGHT_VERSION "\",", stream);
    if (sheet->output->members)
        fprintf(stream, "%s,", sheet->output->members);
    export_write_name(stream, "model", data->model);
    export_write_name(stream, "family", data->family);
    if (sheet->encoded->site != SITE_ONLY)
        export_write_name(stream, "site", site_name(sheet->encoded->site));
    if (sheet->encoded->site == SITE_CROSS)
        export_write_name(stream, "align", field_choice(FIELD_ALIGN, said_rows(sheet)));
    fputs("\"texts\":[", stream);
    encoded_write_texts(stream, sheet->encoded, ",");
    fputs("],", stream);
    export_write_pieces(sheet, "tokens", SIDE_LEFT);
    if (encoded_is_crossed(sheet->encoded))
        export_write_pieces(sheet, "tokens_right", SIDE_RIGHT);
    export_write_integers(sheet, "ids", sheet->trace->ids);
    export_write_integers(sheet, "segments", sheet->trace->segments);
    /* places in the text are known only if it was tokenised here, not in a recording */
    fputs(sheet->encoded->encoding ? "\"spans\":[" : "\"spans\":null", stream);
    for (size_t i = 0; sheet->encoded->encoding && i < sheet->encoded->encoding->count; i++) {
        const struct token *token = &sheet->encoded->encoding->tokens[i];
        fputs(i > 0 ? "," : "", stream);
        if (token->added)
            fputs("null", stream);
        else
            fprintf(stream, "[%zu,%zu]", token->span.start, token->span.end);
    }
    fputs(sheet->encoded->encoding ? "]," : ",", stream);
    if (sheet->encoded->generated.count > 0) {
        char *text = encoded_spell_generated(sheet->encoded, sheet->checkpoint->tokenizer, &error);
        fprintf(stream, "\"generated\":{\"from\":%zu,\"text\":", encoded_given(sheet->encoded));
        json_write_text(stream, text);
        fputs("},", stream);
        free(text);
    }
    write_interventions(sheet);
    if (!sheet->checkpoint && data->changes)
        export_write_name(stream, "changes", data->changes);
}

/* ---- Layers ---- */

/* Of each word of the target the heaviest of the source's, "0-0 2-1" with the source's first, as
 * word aligners write it (Pharaoh's format). Words are counted from 0 without special tokens, each
 * side by its own pieces. */
static void write_alignment(const struct sheet *sheet, const struct attention *words, size_t layer,
                            size_t head)
{
    fputs(",\"alignment\":\"", sheet->stream);
    for (size_t to = 0; to < words->tokens[SIDE_LEFT].count; to++) {
        const float *row = attention_row(words, layer, head, to);
        size_t from = 0;
        for (size_t i = 1; i < words->tokens[SIDE_RIGHT].count; i++)
            from = row[i] > row[from] ? i : from;
        fprintf(sheet->stream, "%s%zu-%zu", to > 0 ? " " : "", from, to);
    }
    fputc('"', sheet->stream);
}

/* The heads, then the tensors that they share. */
static void write_json_layer(const struct sheet *sheet, size_t layer)
{
    static const char *const hidden[] = {"context", "attention_output", "output"};
    FILE *stream = sheet->stream;
    const unsigned include = sheet->output->include;
    fprintf(stream, "{\"layer\":%zu,\"heads\":[", layer);
    for (size_t head = 0; head < sheet->trace->heads; head++) {
        fprintf(stream, "%s{\"head\":%zu", head > 0 ? "," : "", head);
        if (sheet->words)
            write_alignment(sheet, sheet->words, layer, head);
        for (size_t i = 0; i < INCLUDED_OF_HEADS; i++)
            if (include & included[i].bit) {
                fputc(',', stream);
                export_write_tensor(sheet, layer, head, included[i].word);
            }
        if (include & INCLUDE_METRICS) { /* effects are measured apart (export_members.c) */
            const struct head_metrics metrics =
                metrics_measure(sheet->trace, layer, head, &sheet->encoded->kinds);
            const struct head_label label = metrics_label(&metrics);
            const bool none = label.label == LABEL_NONE;
            fprintf(stream,
                    none ? ",\"metrics\":{\"label\":null" : ",\"metrics\":{\"label\":\"%s\"",
                    label.name);
            export_write_number(stream, ",\"value\":", none ? (double)NAN : label.value);
            if (metrics.named.rest > 0)
                export_write_number(stream, ",\"rest\":", metrics.named.rest);
            for (enum metric metric = METRIC_LABEL + 1; metric < METRIC_EFFECT; metric++) {
                if (metric == METRIC_INDUCTION && trace_site_axes(sheet->trace) != AXES_PAST)
                    continue;
                fprintf(stream, ",\"%s\"", metric_info(metric)->name);
                export_write_number(stream, ":", metric_of(&metrics, metric));
            }
            fputc('}', stream);
        }
        fputc('}', stream);
    }
    fputc(']', stream);
    for (size_t i = 0; include & INCLUDE_HIDDEN && i < 3; i++) {
        fputc(',', stream);
        export_write_tensor(sheet, layer, 0, hidden[i]);
    }
    fputc('}', stream);
}

/* What the members need is computed before the first byte is written, so that an error leaves
 * nothing behind. */
enum status export_json(const struct output *output, FILE *stream, struct error *error)
{
    const struct encoded *encoded = output->session->data.encoded;
    struct sheet sheet = {.output = output,
                          .session = output->session,
                          .checkpoint = output->session->checkpoint,
                          .encoded = encoded,
                          .trace = encoded->trace,
                          .speechless = output->session->data.speechless,
                          .stream = stream};
    struct map *map = NULL;
    struct attention *words = NULL;
    enum status status = members_make(&sheet, error);
    if (status == STATUS_OK && encoded->site == SITE_CROSS) {
        const struct map_source source = {.trace = encoded->trace};
        const struct shape shape = {.special = SPECIAL_HIDDEN, .words = true};
        const struct token_range all = {0, encoded->trace->layers};
        const struct token_side sides[] = {said_rows(&sheet) ? encoded->said
                                                             : encoded->sides[SIDE_LEFT],
                                           encoded->sides[SIDE_RIGHT]};
        status = map_new(&source, MAP_WEIGHTS, NULL, &map, error);
        if (status == STATUS_OK)
            status = attention_new(map, sides, &shape, all, &words, error);
        sheet.words = words;
    }
    if (status == STATUS_OK) {
        write_json_facts(&sheet);
        members_write(&sheet);
        /* without anything of a layer included, only their number and that of their heads */
        const struct trace *trace = sheet.trace;
        const size_t shape[] = {trace->tokens, trace->embedded};
        const bool any = sheet.output->include & (INCLUDE_ALL | INCLUDE_METRICS);
        if (sheet.output->include & INCLUDE_HIDDEN) {
            export_write_matrix(stream, "embedding", trace->embedding, shape, trace->embedded);
            fputc(',', stream);
        }
        fprintf(stream, "\"shape\":{\"layers\":%zu,\"heads\":%zu", trace->layers, trace->heads);
        if (trace->groups > 0 && trace->groups < trace->heads)
            fprintf(stream, ",\"key_heads\":%zu", trace->groups);
        fputc('}', stream);
        for (size_t layer = 0; any && layer < trace->layers; layer++) {
            fputs(layer > 0 ? "," : ",\"layers\":[", stream);
            write_json_layer(&sheet, layer);
        }
        fputs(any ? "]}\n" : "}\n", stream);
    }
    members_free(&sheet);
    attention_free(words);
    map_free(map);
    return status;
}

/* ---- The schema ---- */

INCLUDE_FILE(export_schema, "assets/schema/headlight.schema.json");

void export_write_schema(FILE *stream)
{
    fputs((const char *)export_schema_begin, stream);
}
