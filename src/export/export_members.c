/* export_members.c: members of the JSON about the whole text, before its layers. Each is a row of
 * the table at the end: its bit of --include, and functions to compute and to write it. Everything
 * is computed before anything is written, so a failure leaves no half-written file. */
#include "headlight/export/export_members.h"

#include "headlight/base/json.h"
#include "headlight/lens/figures.h"
#include "headlight/lens/predict.h"

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
        fputs("null", stream); /* models can have more rows than the vocabulary has pieces */
}

void export_write_row(FILE *stream, const float *values, size_t count)
{
    fputc('[', stream);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', stream);
        json_write_float(stream, values[i]);
    }
    fputc(']', stream);
}

/* ---- Predictions ---- */

static void write_likeliest(FILE *stream, const struct session *session, size_t token)
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

/* The actual next token; null after the last. */
static void write_next(FILE *stream, const struct session *session, size_t token)
{
    const struct trace *trace = session->data.encoded->trace;
    if (token + 1 == trace->tokens) {
        fputs(",\"next\":null", stream);
        return;
    }
    const int32_t id = trace->ids[token + 1];
    const float *logits = trace_words(trace) + token * trace->vocabulary;
    const struct figure_at at = {.trace = trace,
                                 .logits = logits,
                                 .total = predict_total(logits, trace->vocabulary, NULL),
                                 .id = (size_t)id};
    fputs(",\"next\":{\"piece\":", stream);
    write_piece(stream, session, id);
    fprintf(stream, ",\"id\":%d,\"probability\":", (int)id);
    json_write_float(stream, (float)figure_ask(FIGURE_p, &at).number);
    fprintf(stream, ",\"rank\":%.0f}", figure_ask(FIGURE_rank, &at).number);
}

/* Predictions for each [MASK], or for what follows each token. */
static void write_json_words(FILE *stream, const struct session *session)
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
        write_likeliest(stream, session, i);
        if (next)
            write_next(stream, session, i);
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

/* For a single sentence the head's output means nothing. */
static void write_pair(FILE *stream, const struct encoded *encoded)
{
    const struct figure_at at = {.trace = encoded->trace, .side = &encoded->sides[SIDE_LEFT]};
    const struct figure_value next = figure_ask(FIGURE_next, &at);
    const bool order = encoded->trace->sop_logits;
    fputs(order ? "\"sentence_order\":" : "\"next_sentence\":", stream);
    if (*next.reason) {
        fputs("null,\n", stream);
        return;
    }
    fputs(order ? "{\"in_order\":" : "{\"follows\":", stream);
    json_write_float(stream, (float)next.number);
    fputs("},\n", stream);
}

static void write_predictions(const struct output *output, const struct members *members,
                              FILE *stream)
{
    const struct session *session = output->session;
    const struct trace *trace = session->data.encoded->trace;
    (void)members;
    fputs("\"predictions\":", stream);
    if (session->checkpoint && (trace_words(trace) || trace->nsp_logits)) {
        fputc('{', stream);
        write_json_words(stream, session);
        fputs(",\"next_sentence\":", stream);
        write_follows(stream, trace);
        fputs("},\n", stream);
    } else {
        fputs("null,\n", stream); /* without a vocabulary, pieces have no names */
    }
    write_pair(stream, session->data.encoded);
}

/* ---- Written whenever the trace has them ---- */

static void write_replaced(const struct output *output, const struct members *members, FILE *stream)
{
    const struct trace *trace = output->session->data.encoded->trace;
    (void)members;
    if (!trace->rtd_logits)
        return;
    fputs("\"replaced\":[", stream);
    for (size_t i = 0; i < trace->tokens; i++) {
        fputs(i > 0 ? "," : "", stream);
        json_write_float(stream, predict_replaced(trace, i));
    }
    fputs("],\n", stream);
}

static void write_sentence(const struct output *output, const struct members *members, FILE *stream)
{
    const struct trace *trace = output->session->data.encoded->trace;
    (void)members;
    if (!trace->sentence_embedding)
        return;
    fputs("\"sentence_embedding\":", stream);
    export_write_row(stream, trace->sentence_embedding, trace->hidden);
    fputs(",\n", stream);
}

/* ---- Computed for the export ---- */

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

static void write_lens(const struct output *output, const struct members *members, FILE *stream)
{
    const struct trace *trace = output->session->data.encoded->trace;
    fputs("\"lens\":[", stream);
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t token = 0; token < trace->tokens; token++) {
            fputs(token > 0 ? ",\n" : layer > 0 ? "],\n[" : "\n[", stream);
            write_cell(stream, output->session, &members->lens[layer * trace->tokens + token]);
        }
    fputs("]],\n", stream);
}

static enum status compute_lens(const struct output *output, struct members *members,
                                struct error *error)
{
    const struct session *session = output->session;
    const struct trace *trace = session->data.encoded->trace;
    const struct lens_area all = {{0, trace->layers}, {0, trace->tokens}};
    if (check_model(session, error) != STATUS_OK ||
        logit_lens_new(trace, session->data.next, &members->lens, error) != STATUS_OK)
        return error->status;
    return logit_lens_read(session->checkpoint->model, trace, &all, NULL, members->lens, error);
}

/* ---- Effects ---- */

/* The token chosen by the user; of a word, its first piece. */
static enum status find_token_chosen(const struct session *session, size_t *token,
                                     struct error *error)
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

static void write_effects(const struct output *output, const struct members *members, FILE *stream)
{
    const struct effects *effects = members->effects;
    (void)output;
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

static enum status compute_effects(const struct output *output, struct members *members,
                                   struct error *error)
{
    const struct session *session = output->session;
    size_t token = 0;
    int32_t id = 0;
    if (check_model(session, error) != STATUS_OK ||
        find_token_chosen(session, &token, error) != STATUS_OK ||
        find_answer(output, token, &id, error) != STATUS_OK)
        return error->status;
    return effects_measure(session->checkpoint->model, session->data.encoded->trace, token, id,
                           NULL, &members->effects, error);
}

/* ---- Maps ---- */

static const enum map_kind written[] = {MAP_NORMS, MAP_ROLLOUT, MAP_SIMILARITY, MAP_PLAIN};
#define WRITTEN (sizeof written / sizeof *written)

/* Maps that can't be made of this trace are left out. */
static enum status compute_maps(const struct output *output, struct members *members,
                                struct error *error)
{
    const struct scene scene = session_scene(output->session);
    struct map_source source = scene_map_source(&scene);
    struct error refused;
    source.trace = output->session->data.encoded->trace;
    for (size_t i = 0; i < WRITTEN; i++)
        if (map_check(&source, written[i], &refused) == STATUS_OK &&
            map_new(&source, written[i], (struct token_range){0, source.trace->layers}, NULL, NULL,
                    &members->maps[written[i]], error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* A matrix for each head: [[…],[…]]. */
static void write_map_of_head(const struct map *map, size_t layer, size_t head, FILE *stream)
{
    for (size_t from = 0; from < map->rows; from++) {
        const size_t row = head * map->rows + from;
        fputs(from > 0 ? "," : "[", stream);
        export_write_row(stream, map->values[layer] + row * map->columns, map->columns);
    }
    fputc(']', stream);
}

static void write_map(const struct map *map, FILE *stream)
{
    for (size_t layer = 0; layer < map->layers; layer++) {
        fputs(layer > 0 ? ",\n[" : "[[", stream);
        for (size_t head = 0; head < map->heads; head++) {
            fputs(head > 0 ? ",\n" : "", stream);
            write_map_of_head(map, layer, head, stream);
        }
        fputc(']', stream);
    }
    fputc(']', stream);
}

static void write_json_maps(const struct output *output, const struct members *members,
                            FILE *stream)
{
    (void)output;
    fputs("\"maps\":{", stream);
    for (size_t i = 0; i < WRITTEN; i++) {
        const struct map *map = members->maps[written[i]];
        fprintf(stream, "%s\n\"%s\":", i > 0 ? "," : "", map_info(written[i])->name);
        if (map)
            write_map(map, stream);
        else
            fputs("null", stream);
    }
    fputs("},\n", stream);
}

/* ---- The table ---- */

static const struct member {
    unsigned include; /* 0: written whenever the trace has it */
    const char *name; /* of --include */
    enum status (*make)(const struct output *output, struct members *members, struct error *error);
    void (*write)(const struct output *output, const struct members *members, FILE *stream);
} table[] = {
    {INCLUDE_PREDICTIONS, "predictions", NULL, write_predictions},
    {0, NULL, NULL, write_replaced},
    {0, NULL, NULL, write_sentence},
    {INCLUDE_LENS, "lens", compute_lens, write_lens},
    {INCLUDE_EFFECTS, "effects", compute_effects, write_effects},
    {INCLUDE_MAPS, "maps", compute_maps, write_json_maps},
};
#define MEMBERS (sizeof table / sizeof *table)

static bool is_included(const struct member *member, const struct output *output)
{
    return member->include == 0 || output->include & member->include;
}

enum status members_make(const struct output *output, struct members *members, struct error *error)
{
    *members = (struct members){.lens = NULL};
    for (size_t i = 0; i < MEMBERS; i++)
        if (table[i].make && is_included(&table[i], output) &&
            table[i].make(output, members, error) != STATUS_OK) {
            const struct error inner = *error;
            return error_set(error, inner.status, "--include %s: %s", table[i].name, inner.message);
        }
    return STATUS_OK;
}

void members_write(const struct output *output, const struct members *members, FILE *stream)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (is_included(&table[i], output))
            table[i].write(output, members, stream);
}

void members_free(struct members *members)
{
    free(members->lens);
    free(members->effects);
    for (size_t i = 0; i < MAP_COUNT; i++)
        map_free(members->maps[i]);
}
