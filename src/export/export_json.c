/* export_json.c: the session as JSON: facts about it, the members of export_members.c, and for each
 * layer the heads' tensors. Numbers read back as the same floats. */
#include "headlight/base/incbin.h"
#include "headlight/export/export_members.h"
#include "headlight/session/fields.h"

#include <stdlib.h>

/* The first INCLUDED_OF_HEADS are tensors of each head, in the order of output. */
#define INCLUDED_OF_HEADS 5
const char *const include_words[] = {"weights", "scores", "query",    "key",     "value",
                                     "hidden",  "all",    "lens",     "effects", "metrics",
                                     "maps",    "words",  "contacts", NULL};
const unsigned include_bits[] = {INCLUDE_WEIGHTS, INCLUDE_SCORES,  INCLUDE_QUERY, INCLUDE_KEY,
                                 INCLUDE_VALUE,   INCLUDE_HIDDEN,  INCLUDE_ALL,   INCLUDE_LENS,
                                 INCLUDE_EFFECTS, INCLUDE_METRICS, INCLUDE_MAPS,  INCLUDE_WORDS,
                                 INCLUDE_CONTACTS};

/* ---- Facts and tokens ---- */

/* Places in the text, behind which stands what was generated: they are known only if it was
 * tokenised here, not in a recording. */
static void write_spans(const struct sheet *sheet, const char *name, const struct encoded *of)
{
    const struct encoding *encoding = of->encoding;
    const struct tokenizer *tokenizer = sheet->checkpoint ? sheet->checkpoint->tokenizer : NULL;
    struct error error;
    json_open(sheet->json, name, encoding ? "[" : "null");
    for (size_t i = 0, end = 0; encoding && i < encoding->count; i++) {
        const struct token *token = &encoding->tokens[i];
        const size_t first = token->span.start + end;
        char *made =
            i < encoded_given(of) ? NULL : encoded_spell_generated(of, i + 1, tokenizer, &error);
        end = made ? strlen(made) : 0;
        const bool none = token->added || (made && tokenizer_is_special(tokenizer, token->id));
        json_open(sheet->json, NULL, none ? "null" : "[");
        json_put(sheet->json, JSON_IF(!none, NULL, first),
                 JSON_IF(!none, NULL, token->span.end + end));
        json_close(sheet->json, none ? "" : "]");
        free(made);
    }
    json_close(sheet->json, encoding ? "]" : "");
}

/* The members before those of export_members.c. */
static void write_json_facts(const struct sheet *sheet)
{
    const struct data *data = &sheet->session->data;
    const struct encoded *encoded = sheet->encoded;
    struct json_writer *json = sheet->json;
    struct error error;
    json_put(json, JSON("format", 4), JSON("headlight", HEADLIGHT_VERSION));
    if (sheet->output->members)
        json_put_raw(json, sheet->output->members);
    json_put(json, JSON("model", data->model), JSON("family", data->family),
             JSON("bits", data->bits));
    if (encoded->site != SITE_ONLY)
        json_put(json, JSON("site", site_words[encoded->site].name));
    if (encoded->site == SITE_CROSS)
        json_put(json,
                 JSON("align", field_choice(FIELD_ALIGN, sheet->session->state.look.shape.said)));
    json_list(json, "texts", i, encoded->text_count,
              JSON_OF(NULL, encoded->texts[i].bytes, encoded->texts[i].length));
    export_write_pieces(json, "tokens", encoded, SIDE_LEFT);
    if (encoded_is_crossed(encoded))
        export_write_pieces(json, "tokens_right", encoded, SIDE_RIGHT);
    export_write_integers(sheet, "ids", trace_speaker(sheet->trace)->ids);
    export_write_integers(sheet, "segments", trace_speaker(sheet->trace)->segments);
    const bool crossed = encoded_is_crossed(encoded);
    write_spans(sheet, "spans", crossed ? encoded_speaker(encoded) : encoded);
    if (crossed)
        write_spans(sheet, "spans_right", encoded_source(encoded));
    if (encoded->generated.count > 0) {
        char *text = encoded_spell_generated(encoded, sheet->trace->tokens,
                                             sheet->checkpoint->tokenizer, &error);
        const int32_t last = encoded->generated.ids[encoded->generated.count - 1];
        json_object(json, "generated", JSON("from", encoded_given(encoded)), JSON("text", text),
                    JSON("ended", config_ends_at(&sheet->checkpoint->model->config, last)));
        free(text);
    }
    export_write_changes(json, sheet->session);
    json_put(json, JSON_IF(sheet->output->narrowed[NARROWED_TOKEN], "row", sheet->token));
}

/* ---- Layers ---- */

/* The words of both sides without special tokens, but with full stops. */
static enum status find_words(const struct sheet *sheet, struct map **map, struct attention **words,
                              struct error *error)
{
    const struct encoded *encoded = sheet->encoded;
    const struct map_source source = {.trace = encoded->trace};
    const struct shape shape = {.special = SPECIAL_HIDDEN, .words = true};
    const struct token_range all = {0, encoded->trace->layers};
    struct token_side sides[] = {sheet->session->state.look.shape.said ? encoded->said
                                                                       : encoded->sides[SIDE_LEFT],
                                 encoded->sides[SIDE_RIGHT]};
    for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        sides[side].sinks = sides[side].special;
    const enum status status = map_new(&source, MAP_WEIGHTS, NULL, map, error);
    return status == STATUS_OK ? attention_new(*map, sides, &shape, all, words, error) : status;
}

/* The number of a token's word among those that blanks separate in its text. */
static size_t word_number(const struct encoded *encoded, size_t token)
{
    const char *bytes = encoded->texts[0].bytes;
    size_t words = 0;
    for (size_t i = 0; i < encoded->encoding->tokens[token].span.end; i++)
        words += !strchr(" \t", bytes[i]) && (i == 0 || strchr(" \t", bytes[i - 1]));
    return words - (words > 0);
}

/* Of each word of the target the heaviest of the source's, "0-0 2-1" with the source's first, as
 * word aligners write it (Pharaoh's format). Words are counted from 0: without special tokens, each
 * side by its own pieces; or as blanks separate them. */
static void write_links(const struct sheet *sheet, const struct attention *words, size_t layer,
                        size_t head, bool by_blanks, FILE *stream)
{
    const struct encoded *target = encoded_of_site(sheet->encoded, SITE_DECODER),
                         *source = encoded_of_site(sheet->encoded, SITE_ENCODER);
    for (size_t to = 0; to < words->tokens[SIDE_LEFT].count; to++) {
        const float *row = attention_row(words, layer, head, to);
        const size_t said =
            words->tokens[SIDE_LEFT].of[to].first + sheet->session->state.look.shape.said;
        size_t from = 0;
        for (size_t i = 1; i < words->tokens[SIDE_RIGHT].count; i++)
            from = row[i] > row[from] ? i : from;
        const size_t seen = words->tokens[SIDE_RIGHT].of[from].first;
        fprintf(stream, "%s%zu-%zu", to > 0 ? " " : "",
                by_blanks ? word_number(source, seen) : from,
                by_blanks ? word_number(target, said) : to);
    }
}

enum status export_links(struct session *session, size_t layer, size_t head, FILE *stream,
                         struct error *error)
{
    const struct sheet sheet = {.session = session,
                                .encoded = encoded_of_site(session->data.encoded, SITE_CROSS)};
    struct map *map = NULL;
    struct attention *words = NULL;
    const enum status status = find_words(&sheet, &map, &words, error);
    if (status == STATUS_OK) {
        write_links(&sheet, words, layer, head, true, stream);
        fputc('\n', stream);
    }
    attention_free(words);
    free(map);
    return status;
}

/* The heads, then the tensors that they share. Effects are measured apart (export_members.c). */
static void write_json_layer(const struct sheet *sheet, size_t layer)
{
    static const char *const hidden[] = {"context", "attention_output", "output"};
    const unsigned include = sheet->output->include;
    const struct token_range heads = export_range(sheet, NARROWED_HEAD);
    struct json_writer *json = sheet->json;
    json_open(json, NULL, "{");
    json_put(json, JSON("layer", layer));
    json_open(json, "heads", "[");
    for (size_t head = heads.first; head < heads.end; head++) {
        json_open(json, NULL, "{");
        json_put(json, JSON("head", head));
        if (sheet->words) {
            json_open(json, "alignment", "\"");
            write_links(sheet, sheet->words, layer, head, false, json->stream);
            json_close(json, "\"");
        }
        for (size_t i = 0; i < INCLUDED_OF_HEADS; i++)
            if (include & include_bits[i])
                export_write_tensor(sheet, layer, head, include_words[i]);
        if (include & INCLUDE_METRICS) {
            const struct head_metrics metrics =
                metrics_measure(sheet->trace, layer, head, &sheet->encoded->kinds);
            const struct head_label label = metrics_label(&metrics);
            const bool none = label.metric == METRIC_NONE;
            json_open(json, "metrics", "{");
            json_put(json, JSON("label", none ? NULL : label.name),
                     JSON("value", none ? (double)NAN : label.value),
                     JSON_IF(metrics.rest > 0, "rest", metrics.rest));
            for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
                json_put(json, JSON(metric_infos[metric].name, metrics.of[metric]));
            json_close(json, "}");
        }
        json_close(json, "}");
    }
    json_close(json, "]");
    for (size_t i = 0; include & INCLUDE_HIDDEN && i < 3; i++)
        export_write_tensor(sheet, layer, 0, hidden[i]);
    json_close(json, "}");
}

/* Whatever can fail comes before the layers, and is written to memory, so that an error leaves
 * nothing behind. The token chosen by the user is, of a word, its first piece. */
enum status export_json(const struct output *output, FILE *stream, struct error *error)
{
    const struct data *data = &output->session->data;
    const struct look *look = &output->session->state.look;
    const struct trace *trace = data->encoded->trace;
    struct buffer buffer;
    struct map *map = NULL;
    struct attention *words = NULL;
    if (!buffer_open(&buffer))
        return error_memory(error, "the JSON", BUFSIZ);
    struct json_writer json = {.stream = buffer.stream};
    struct sheet sheet = {.output = output,
                          .session = output->session,
                          .checkpoint = data->checkpoint,
                          .encoded = data->encoded,
                          .trace = trace,
                          .token = look->from == NO_TOKEN || look->query_found
                                       ? NO_TOKEN
                                       : data->attention->tokens[SIDE_LEFT].of[look->from].first,
                          .no_lens = data->no_lens,
                          .json = &json};
    json_open(&json, NULL, "{");
    write_json_facts(&sheet);
    enum status status = members_write(&sheet, error);
    if (status == STATUS_OK && data->encoded->site == SITE_CROSS)
        status = find_words(&sheet, &map, &words, error);
    sheet.words = words;
    char *members = buffer_close(&buffer);
    if (status == STATUS_OK && !members)
        status = error_memory(error, "the JSON", buffer.length);
    if (status == STATUS_OK) {
        fputs(members, stream);
        json.stream = stream;
        /* without anything of a layer included, only their number and that of their heads */
        const struct token_range written = export_range(&sheet, NARROWED_LAYER),
                                 rows = export_range(&sheet, NARROWED_TOKEN);
        const size_t shape[] = {rows.end - rows.first, trace->embedded}, groups = trace->groups;
        const bool any = output->include & (INCLUDE_ALL | INCLUDE_METRICS);
        if (output->include & INCLUDE_HIDDEN)
            export_write_matrix(&json, "embedding",
                                trace->embedding ? trace->embedding + rows.first * shape[1] : NULL,
                                shape, shape[1]);
        json_object(&json, "shape", JSON("layers", trace->layers), JSON("heads", trace->heads),
                    JSON_IF(groups > 0 && groups < trace->heads, "key_heads", groups));
        if (any)
            json_open(&json, "layers", "[");
        for (size_t layer = written.first; any && layer < written.end; layer++)
            write_json_layer(&sheet, layer);
        json_close(&json, any ? "]}\n" : "}\n");
    }
    free(members);
    answer_free(sheet.task);
    attention_free(words);
    free(map);
    return status;
}

/* ---- The schema ---- */

INCLUDE_FILE(export_schema, "assets/schema/headlight.schema.json");

void export_write_schema(FILE *stream)
{
    fputs((const char *)export_schema_begin, stream);
}
