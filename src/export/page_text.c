/* page_text.c: one text of the page: its tokens, the weights and label of each chosen head, and
 * what of the answers stands on a screen, by the names that it has there. */
#include "headlight/export/export_members.h"
#include "headlight/export/page.h"

#include <stdlib.h>

/* ---- Tokens ---- */

/* What text_next gives can be seen, so nothing else needs an escape. */
void page_write_shown(FILE *stream, const char *text, size_t length)
{
    struct text_reader reader = text_reader(text, length, false);
    struct glyph glyph;
    fputc('"', stream);
    while (text_next(&reader, &glyph))
        fprintf(stream, "%s%s", strchr("\"\\", *glyph.text) ? "\\" : "", glyph.text);
    fputc('"', stream);
}

/* Of which sentence each is, whether it can be hidden, and to which word it belongs; what rows of a
 * decoder say next. */
static void write_tokens(struct json_writer *json, const struct encoded *encoded)
{
    const struct token_side *side = &encoded->sides[SIDE_LEFT],
                            *columns = &encoded->sides[SIDE_RIGHT];
    size_t word = 0;
    json_list(json, "tokens", i, side->count, JSON(NULL, side->labels[i]));
    if (encoded_is_crossed(encoded)) {
        json_list(json, "columns", i, columns->count, JSON(NULL, columns->labels[i]));
        json_list(json, "special_columns", i, columns->count,
                  JSON(NULL, columns->sinks[i] ? 1 : 0));
    }
    if (encoded->said.count > 0)
        json_list(json, "said", i, side->count, JSON(NULL, encoded->said.labels[i]));
    json_list(json, "segments", i, side->count, JSON(NULL, i < side->boundary ? 0 : 1));
    json_list(json, "special", i, side->count, JSON(NULL, side->sinks[i] ? 1 : 0));
    json_open(json, "words", "[");
    for (size_t i = 0; i < side->count; i++) {
        word += !side->special[i] && !side->continues[i];
        json_put(json, side->special[i] ? JSON_NULL(NULL) : JSON(NULL, word - 1));
    }
    json_close(json, "]");
}

/* ---- Weights ---- */

/* Numbers on their way into base64. The root makes the steps fine where weights are small, as most
 * are; recordings may hold what is no weight. */
static void pack(FILE *stream, struct base64_encode_ctx *packed, bool fine, const float *matrix,
                 size_t count)
{
    char text[BASE64_ENCODE_LENGTH(2)];
    for (size_t i = 0; i < count; i++) {
        const double weight = matrix[i] > 0 ? fmin((double)matrix[i], 1) : 0;
        const unsigned level = (unsigned)lround((fine ? 65535 : 255) * sqrt(weight));
        const uint8_t bytes[] = {level & 0xFF, (uint8_t)(level >> 8)};
        fwrite(text, 1, base64_encode_update(packed, text, fine ? 2 : 1, bytes), stream);
    }
}

static void pack_end(FILE *stream, struct base64_encode_ctx *packed)
{
    char text[BASE64_ENCODE_FINAL_LENGTH];
    fwrite(text, 1, base64_encode_final(packed, text), stream);
}

/* ---- What is seen first ---- */

static void write_start(const struct page_parts *parts, const struct session *session,
                        struct json_writer *json)
{
    const struct look *look = &session->state.look;
    const bool all = look->heads == head_mask_all(session->data.head_count);
    json_open(json, "start", "{");
    json_put(json, JSON("view", look->view == VIEW_MODEL ? "model" : "head"),
             JSON("site", site_words[parts->encoded->site].name), JSON("layer", look->layer),
             JSON("head", look->head));
    if (!all)
        json_list(json, "heads", h, parts->head_count,
                  JSON_IF(head_mask_has(look->heads, parts->heads[h]), NULL, parts->heads[h]));
    if (look->from != NO_TOKEN)
        json_put(json,
                 JSON("token", session->data.attention->tokens[SIDE_LEFT].of[look->from].first));
    json_close(json, "}");
}

/* The attention of one site. */
static void write_site(const struct page_parts *parts, const struct output *output,
                       struct json_writer *json)
{
    const struct encoded *encoded = parts->encoded;
    const struct trace *trace = encoded->trace;
    const size_t matrix = trace->tokens * trace->attended;
    struct base64_encode_ctx packed;
    size_t local = 0;
    if (encoded->site != SITE_ONLY)
        json_put(json, JSON("site", site_words[encoded->site].name),
                 JSON("attention", site_words[encoded->site].title[false]));
    json_put(json, JSON("layers", parts->layer_count), JSON("heads", parts->head_count),
             JSON("bits", parts->fine ? 16 : 8));
    if (output->layers)
        json_list(json, "layer_numbers", i, parts->layer_count, JSON(NULL, parts->layers[i]));
    if (output->drawn_heads)
        json_list(json, "head_numbers", i, parts->head_count, JSON(NULL, parts->heads[i]));
    write_tokens(json, encoded);
    /* what the layers in the file can't see: what comes later, and what is further away */
    json_put(json, JSON_IF(trace_site_axes(trace) == AXES_PAST, "past", 1));
    for (size_t l = 0; l < parts->layer_count; l++)
        local += trace->local[parts->layers[l]];
    if (local > 0)
        json_list(json, "reach", l, parts->layer_count,
                  trace->local[parts->layers[l]] ? JSON(NULL, trace->reach) : JSON_NULL(NULL));
    json_open(json, "weights", "\"");
    base64_encode_init(&packed);
    for (size_t i = 0; i < parts->layer_count * parts->head_count; i++)
        pack(json->stream, &packed, parts->fine,
             trace->layer[parts->layers[i / parts->head_count]].weights +
                 parts->heads[i % parts->head_count] * matrix,
             matrix);
    pack_end(json->stream, &packed);
    json_close(json, "\"");
    json_open(json, "does", "[[");
    for (size_t i = 0; i < parts->layer_count * parts->head_count; i++) {
        const struct head_metrics metrics =
            metrics_measure(trace, parts->layers[i / parts->head_count],
                            parts->heads[i % parts->head_count], &encoded->kinds);
        json_row(json, i, parts->head_count);
        json_put(json, JSON(NULL, metrics_label(&metrics).words));
    }
    json_close(json, "]]");
}

enum status page_write_text(const struct page_parts sites[SITE_COUNT + 1],
                            const struct output *output, struct json_writer *json,
                            struct error *error)
{
    const struct encoded *shown = output->session->data.encoded,
                         *whole = encoded_given_texts(shown);
    const struct map_source source = comparison_source(&output->session->data);
    struct map *contacts = NULL;
    if (map_check(&source, MAP_CONTACTS, error) == STATUS_OK &&
        map_new(&source, MAP_CONTACTS, NULL, &contacts, error) != STATUS_OK)
        return error->status;
    json_list(json, "texts", i, whole->text_count,
              JSON_OF(NULL, whole->texts[i].bytes, whole->texts[i].length));
    json_open(json, "sites", "[");
    for (enum site site = 0; site <= SITE_ONLY; site++) {
        if (!sites[site].encoded)
            continue;
        json_open(json, NULL, "{");
        write_site(&sites[site], output, json);
        json_close(json, "}");
    }
    if (contacts) { /* of a protein, as if they were the attention of one head */
        struct base64_encode_ctx packed;
        const struct page_parts *parts = &sites[SITE_ONLY];
        json_open(json, NULL, "{");
        json_put(json, JSON("site", "contacts"), JSON("attention", "Contacts"), JSON("layers", 1),
                 JSON("heads", 1), JSON("bits", parts->fine ? 16 : 8));
        json_list(json, "layer_numbers", i, 1, JSON(NULL, "all"));
        json_list(json, "head_numbers", i, 1, JSON(NULL, "all"));
        write_tokens(json, parts->encoded);
        json_open(json, "weights", "\"");
        base64_encode_init(&packed);
        pack(json->stream, &packed, parts->fine, contacts->values[0],
             contacts->rows * contacts->columns);
        pack_end(json->stream, &packed);
        json_close(json, "\"}");
    }
    free(contacts);
    json_close(json, "]");
    write_start(&sites[shown->site], output->session, json);
    export_write_changes(json, output->session);
    return STATUS_OK;
}

/* ---- Answers ---- */

/* Listed in a row; of classes there are rarely more. */
#define LISTED 8

struct page_answers {
    const struct sheet *sheet;
    size_t top;        /* pieces at a token */
    const char *title; /* of the rows that are written; NULL: none is yet */
};

/* {"token":2,"of":"[MASK]","text":"are","share":0.91,"before":0.42}; those of one output together.
 */
static void write_row(void *to, const struct answer_row *row)
{
    struct page_answers *answers = to;
    const struct sheet *sheet = answers->sheet;
    const struct target *on = &row->on;
    struct json_writer *json = sheet->json;
    char name[512] = "no answer";
    if (on->output == OUTPUT_COUNT || (target_is_word(on->output) && row->rank > answers->top))
        return; /* beside what the model says first */
    if (answers->title != row->title) {
        if (answers->title)
            json_close(json, "]}");
        json_open(json, NULL, "{");
        json_put(json, JSON("kind", row->kind), JSON("title", row->title));
        json_open(json, "rows", "[");
    }
    answers->title = row->title;
    if (on->output != OUTPUT_START || row->name)
        target_name(sheet->checkpoint, sheet->encoded, on, name, sizeof name);
    const bool token = target_has_token(on->output);
    json_object(
        json, NULL, JSON_IF(token, "token", row->token),
        JSON_IF(token, "of", sheet->encoded->sides[SIDE_LEFT].labels[row->token]),
        JSON("text", name),
        JSON(target_is_score(sheet->checkpoint->model, on) ? "value" : "share", row->number),
        JSON_IF(!isnan(row->before), "before", row->before));
}

/* A recording says nothing. */
enum status page_write_answers(const struct output *output, struct json_writer *json,
                               struct error *error)
{
    const struct encoded *encoded = output->session->data.encoded;
    struct sheet sheet = {.output = output,
                          .session = output->session,
                          .checkpoint = output->session->data.checkpoint,
                          .encoded = encoded,
                          .trace = encoded->trace,
                          .token = NO_TOKEN,
                          .json = json};
    struct page_answers answers = {.sheet = &sheet};
    if (!sheet.checkpoint)
        return STATUS_OK;
    json_open(json, "answers", "[");
    enum status status = answers_ask(&sheet, error);
    if (status == STATUS_OK) {
        struct answer_source source = answers_source(&sheet);
        source.top = answers.top = size_min(source.top, LISTED);
        source.labels = LISTED;
        status = answer_rows(&source, OUTPUT_COUNT, write_row, &answers, error);
    }
    json_close(json, answers.title ? "]}]" : "]");
    answer_free(sheet.task);
    return status;
}
