/* export_against.c: the other side of --against in JSON: the same text in the other model, what
 * that one says, how alike the tokens of both are layer by layer, how far the heads are from each
 * other, and by how much their weights differ. Of recordings likewise, which say nothing. */
#include "headlight/export/export_members.h"

#include "headlight/session/request.h"

static size_t counterpart_of(const struct sheet *sheet, size_t token)
{
    const struct compared *against = sheet->session->data.compared;
    return against->counterparts ? against->counterparts[token] : token;
}

/* The other model's weights, and their difference. */
static void write_against_layers(const struct sheet *sheet, const struct sheet *other)
{
    const struct token_range layers = export_range(other, NARROWED_LAYER),
                             heads = export_range(other, NARROWED_HEAD),
                             rows = export_range(other, NARROWED_TOKEN);
    const size_t S = other->trace->attended;
    json_open(other->json, "layers", "[");
    for (size_t layer = layers.first; layer < layers.end; layer++) {
        json_open(other->json, NULL, "{");
        json_put(other->json, JSON("layer", layer));
        json_open(other->json, "heads", "[");
        for (size_t head = heads.first; head < heads.end; head++) {
            json_open(other->json, NULL, "{");
            json_put(other->json, JSON("head", head));
            export_write_tensor(other, layer, head, "weights");
            /* less these, [T,S] of its tokens; null where a token has no counterpart */
            const bool both =
                layer < sheet->trace->layers && head < sheet->trace->heads && rows.first < rows.end;
            json_open(other->json, "difference", both ? "[[" : "null");
            for (size_t i = rows.first * S; both && i < rows.end * S; i++) {
                const size_t row = counterpart_of(sheet, i / S),
                             column = counterpart_of(sheet, i % S);
                json_row(other->json, i - rows.first * S, S);
                json_put(other->json,
                         JSON(NULL, row != NO_TOKEN && column != NO_TOKEN
                                        ? trace_weight(other->trace, layer, head, i / S, i % S) -
                                              trace_weight(sheet->trace, layer, head, row, column)
                                        : NAN));
            }
            json_close(other->json, both ? "]]}" : "}");
        }
        json_close(other->json, "]}");
    }
    json_close(other->json, "]");
}

/* The other model may call the piece that is asked about by another id, or not have it. */
enum status against_write(struct sheet *sheet, struct error *error)
{
    const struct data *data = &sheet->session->data;
    struct error silence = {.message = ""};
    struct sheet other = *sheet;
    if (!data_against(data))
        return STATUS_OK;
    if (!data->compared && request_make(sheet->session, REQUEST_COMPARE, error) != STATUS_OK)
        return error->status;
    other.encoded = data->compared->encoded[SIDE_RIGHT];
    other.checkpoint = data->against ? checkpoint_stack(data->against, other.encoded->site) : NULL;
    other.trace = other.encoded->trace;
    other.token = NO_TOKEN;
    other.before = NULL;
    other.sentences = NULL;
    for (size_t i = 0; i < other.trace->tokens && sheet->token != NO_TOKEN; i++)
        if (counterpart_of(sheet, i) == sheet->token)
            other.token = i;
    other.asks = other.checkpoint && sheet->output->answer &&
                 target_find(other.checkpoint, other.encoded, sheet->output->answer, &other.on,
                             &silence) == STATUS_OK;
    if (other.checkpoint) { /* a recording says nothing, as these do */
        if (forward_words_check(other.checkpoint->model, &silence) == STATUS_OK)
            silence.message[0] = '\0';
        other.no_lens = silence.message;
    }
    if (answer_of(other.checkpoint, other.encoded, other.trace, &other.task, error) != STATUS_OK)
        return error->status;
    struct json_writer *json = other.json;
    json_open(json, "against", "{");
    json_put(json, JSON("model", data_against(data)),
             JSON("family", other.checkpoint ? other.checkpoint->model->config.family->name
                                             : data->against_recording->family),
             JSON("bits", other.checkpoint ? data->bits : data->against_recording->bits));
    export_write_pieces(json, "tokens", other.encoded, SIDE_LEFT);
    export_write_integers(&other, "ids", trace_speaker(other.trace)->ids);
    /* the token of the other model's text that each of these is compared with */
    json_list(json, "counterparts", i, other.trace->tokens,
              counterpart_of(&other, i) == NO_TOKEN ? JSON_NULL(NULL)
                                                    : JSON(NULL, counterpart_of(&other, i)));
    const enum status status = answers_write(&other, error);
    answer_free(other.task);
    /* [levels][T]: of the embeddings, then of each layer that both have */
    struct occurrence here = {sheet->trace, {0, 1}}, there = {other.trace, {0, 1}};
    const size_t T = other.trace->tokens, levels = cosine_levels(&here, &there);
    json_open(json, "cosines", levels > 0 ? "[[" : "[");
    for (size_t i = 0; i < levels * T; i++) {
        const size_t token = i % T, counterpart = counterpart_of(sheet, token);
        here.pieces = (struct token_range){counterpart, counterpart + 1};
        there.pieces = (struct token_range){token, token + 1};
        json_row(json, i, T);
        json_put(json, JSON(NULL, counterpart == NO_TOKEN ? (double)NAN
                                                          : cosine_at(&here, &there, i / T)));
    }
    json_close(json, levels > 0 ? "]]" : "]");
    /* [L][A] where heads and tokens of both correspond, else null */
    const struct trace *a = sheet->trace, *b = other.trace;
    const bool can =
        !data->compared->counterparts && a->layers == b->layers && a->heads == b->heads;
    json_open(json, "moved", can ? "[[" : "null");
    for (size_t i = 0; can && i < a->layers * a->heads; i++) {
        json_row(json, i, a->heads);
        json_put(json, JSON(NULL, divergence_of_head(a, b, i / a->heads, i % a->heads)));
    }
    json_close(json, can ? "]]" : "");
    if (sheet->output->include & INCLUDE_WEIGHTS)
        write_against_layers(sheet, &other);
    json_close(json, "}");
    return status;
}
