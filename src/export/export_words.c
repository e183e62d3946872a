#include "headlight/export/export_words.h"

#include "headlight/base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PREDICTIONS 5

static void write_piece(FILE *stream, const struct session *session, int32_t id)
{
    const char *piece = tokenizer_piece(session->checkpoint->tokenizer, id);
    if (piece)
        json_write_string(stream, piece, strlen(piece));
    else
        fputs("null", stream); /* the model has more rows than the vocabulary has pieces */
}

/* ---- Predictions ---- */

static void write_pieces(FILE *stream, const struct session *session, size_t token)
{
    struct prediction best[PREDICTIONS];
    size_t count = predict_pieces(session->data.encoded->trace, token, best, PREDICTIONS);
    fprintf(stream, "{\"token\":%zu,\"pieces\":[", token);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",{\"piece\":" : "{\"piece\":", stream);
        write_piece(stream, session, best[i].id);
        fprintf(stream, ",\"id\":%d,\"probability\":", (int)best[i].id);
        json_write_float(stream, (float)exp(best[i].logprob));
        fputc('}', stream);
    }
    fputc(']', stream);
}

/* What truly comes after a token; null after the last. */
static void write_truth(FILE *stream, const struct session *session, size_t token)
{
    const struct trace *trace = session->data.encoded->trace;
    const size_t V = trace->vocabulary;
    const float *logits = trace_words(trace) + token * V;
    if (token + 1 == trace->tokens) {
        fputs(",\"next\":null", stream);
        return;
    }
    const int32_t id = trace->ids[token + 1];
    fputs(",\"next\":{\"piece\":", stream);
    write_piece(stream, session, id);
    fprintf(stream, ",\"id\":%d,\"probability\":", (int)id);
    json_write_float(stream, (float)exp((double)logits[id] - predict_total(logits, V, NULL)));
    fprintf(stream, ",\"rank\":%zu}", predict_rank(logits, V, (size_t)id));
}

/* In place of each [MASK]; or after each token. */
static void write_words(FILE *stream, const struct session *session)
{
    const struct trace *trace = session->data.encoded->trace;
    const bool next = session->data.next;
    const int32_t mask = tokenizer_mask(session->checkpoint->tokenizer);
    bool first = true;
    fputs(next ? "\"after\":[" : "\"masked\":[", stream);
    for (size_t i = 0; trace_words(trace) && i < trace->tokens; i++) {
        if (!next && trace->ids[i] != mask)
            continue;
        fputs(first ? "" : ",\n", stream);
        write_pieces(stream, session, i);
        if (next)
            write_truth(stream, session, i);
        fputc('}', stream);
        first = false;
    }
    fputc(']', stream);
}

static void write_follows(FILE *stream, const struct trace *trace)
{
    float follows;
    if (trace->nsp_logits && predict_pair(trace, &follows))
        json_write_float(stream, follows);
    else
        fputs("null", stream);
}

static void write_predictions(FILE *stream, const struct session *session)
{
    const struct trace *trace = session->data.encoded->trace;
    if (!session->checkpoint || (!trace_words(trace) && !trace->nsp_logits)) {
        fputs("\"predictions\":null,\n", stream); /* pieces have no names without a vocabulary */
        return;
    }
    fputs("\"predictions\":{", stream);
    write_words(stream, session);
    fputs(",\"next_sentence\":", stream);
    write_follows(stream, trace);
    fputs("},\n", stream);
}

/* Of one sentence the head says something too, but it was not asked. */
static void write_pair(FILE *stream, const struct encoded *encoded)
{
    const struct token_side *side = &encoded->sides[SIDE_LEFT];
    const bool order = encoded->trace->sop_logits;
    float probability;
    fputs(order ? "\"sentence_order\":" : "\"next_sentence\":", stream);
    if (side->boundary < side->count && predict_pair(encoded->trace, &probability)) {
        fputs(order ? "{\"in_order\":" : "{\"follows\":", stream);
        json_write_float(stream, probability);
        fputs("},\n", stream);
    } else {
        fputs("null,\n", stream);
    }
}

/* ---- What the trace has without being asked ---- */

static void write_replaced(FILE *stream, const struct trace *trace)
{
    fputs("\"replaced\":[", stream);
    for (size_t i = 0; i < trace->tokens; i++) {
        fputs(i > 0 ? "," : "", stream);
        json_write_float(stream, predict_replaced(trace, i));
    }
    fputs("],\n", stream);
}

static void write_sentence(FILE *stream, const struct trace *trace)
{
    fputs("\"sentence_embedding\":[", stream);
    for (size_t i = 0; i < trace->hidden; i++) {
        fputs(i > 0 ? "," : "", stream);
        json_write_float(stream, trace->sentence_embedding[i]);
    }
    fputs("],\n", stream);
}

/* ---- What is computed for the export ---- */

/* An error names what was to be included. */
static enum status name_included(const char *name, struct error *error)
{
    struct error inner = *error;
    return error_set(error, inner.status, "--include %s: %s", name, inner.message);
}

static enum status check_model(const struct session *session, struct error *error)
{
    if (session->checkpoint)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "expected a model to ask, found a recording of one: give the checkpoint "
                     "itself with --model DIR");
}

/* ---- Lens ---- */

static void write_cell(FILE *stream, const struct session *session, const struct lens_cell *cell)
{
    fputc('[', stream);
    for (size_t i = 0; i < cell->count; i++) {
        fprintf(stream, "%s{\"id\":%d,\"piece\":", i > 0 ? "," : "", (int)cell->best[i].id);
        write_piece(stream, session, cell->best[i].id);
        fputs(",\"logprob\":", stream);
        json_write_float(stream, (float)cell->best[i].logprob);
        fputc('}', stream);
    }
    fputc(']', stream);
}

static void write_cells(FILE *stream, const struct session *session, const struct lens_cell *cells)
{
    const struct trace *trace = session->data.encoded->trace;
    fputs("\"lens\":[", stream);
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t token = 0; token < trace->tokens; token++) {
            fputs(token > 0 ? ",\n" : layer > 0 ? "],\n[" : "\n[", stream);
            write_cell(stream, session, &cells[layer * trace->tokens + token]);
        }
    fputs("]],\n", stream);
}

static enum status read_lens(const struct session *session, struct lens_cell **cells,
                             struct error *error)
{
    const struct trace *trace = session->data.encoded->trace;
    const struct lens_area all = {{0, trace->layers}, {0, trace->tokens}};
    if (check_model(session, error) != STATUS_OK ||
        logit_lens_new(trace, session->data.next, cells, error) != STATUS_OK)
        return error->status;
    return logit_lens_read(session->checkpoint->model, trace, &all, NULL, *cells, error);
}

/* ---- Effects ---- */

/* The token that the user chose; of a word its first piece. */
static enum status find_token(const struct session *session, size_t *token, struct error *error)
{
    const struct look *look = &session->state.look;
    if (look->from == NO_TOKEN || look->query_found)
        return error_set(error, STATUS_USAGE,
                         "expected a token at which the answer stands, found none chosen: add "
                         "--select TOKEN");
    *token = session->data.attention->tokens[SIDE_LEFT].of[look->from].first;
    return STATUS_OK;
}

static enum status find_answer(const struct output *output, size_t token, int32_t *id,
                               struct error *error)
{
    const struct session *session = output->session;
    *id = EFFECTS_LIKELIEST;
    if (!output->answer)
        return STATUS_OK;
    *id = tokenizer_find(session->checkpoint->tokenizer, output->answer);
    if (*id >= 0 && (size_t)*id < session->data.encoded->trace->vocabulary)
        return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "expected as --answer a word piece as the vocabulary has it, such as \"%s\", found "
        "\"%s\"",
        encoded_pieces(session->data.encoded, SIDE_LEFT)[token], output->answer);
}

static void write_measured(FILE *stream, const struct effects *effects)
{
    fprintf(stream, "\"effects\":{\"token\":%zu,\"id\":%d,\"logprob\":", effects->token,
            (int)effects->id);
    json_write_float(stream, (float)effects->logprob);
    fputs(",\"change\":[", stream);
    for (size_t i = 0; i < effects->layers * effects->heads; i++) {
        bool first = i % effects->heads == 0;
        fputs(!first ? "," : i > 0 ? "],\n[" : "[", stream);
        json_write_float(stream, (float)effects->change[i]);
    }
    fputs("]]},\n", stream);
}

static enum status measure_effects(const struct output *output, struct effects **effects,
                                   struct error *error)
{
    const struct session *session = output->session;
    size_t token = 0;
    int32_t id = 0;
    if (check_model(session, error) != STATUS_OK ||
        find_token(session, &token, error) != STATUS_OK ||
        find_answer(output, token, &id, error) != STATUS_OK)
        return error->status;
    return effects_measure(session->checkpoint->model, session->data.encoded->trace, token, id,
                           NULL, effects, error);
}

/* ---- All of it ---- */

enum status export_words_ask(const struct output *output, struct said *said, struct error *error)
{
    *said = (struct said){NULL, NULL};
    if (output->include & INCLUDE_LENS &&
        read_lens(output->session, &said->cells, error) != STATUS_OK)
        return name_included("lens", error);
    if (output->include & INCLUDE_EFFECTS &&
        measure_effects(output, &said->effects, error) != STATUS_OK)
        return name_included("effects", error);
    return STATUS_OK;
}

void export_words_write(const struct output *output, const struct said *said, FILE *stream)
{
    const struct session *session = output->session;
    const struct trace *trace = session->data.encoded->trace;
    if (output->include & INCLUDE_PREDICTIONS) {
        write_predictions(stream, session);
        write_pair(stream, session->data.encoded);
    }
    if (trace->rtd_logits)
        write_replaced(stream, trace);
    if (trace->sentence_embedding)
        write_sentence(stream, trace);
    if (said->cells)
        write_cells(stream, session, said->cells);
    if (said->effects)
        write_measured(stream, said->effects);
}

void export_words_free(struct said *said)
{
    free(said->cells);
    free(said->effects);
}
