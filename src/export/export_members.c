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

/* A piece by its id, as the vocabulary spells it. */
static void write_piece(const struct sheet *sheet, int32_t id)
{
    /* null: models can have more rows than the vocabulary has pieces */
    json_write_text(sheet->stream, tokenizer_piece(sheet->session->checkpoint->tokenizer, id));
}

/* Each number is the shortest decimal that reads back as the same float. */
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

/* Three members of an object: the piece, its id and its probability. */
static void write_probable(const struct sheet *sheet, int32_t id, double probability)
{
    fputs("\"piece\":", sheet->stream);
    write_piece(sheet, id);
    fprintf(sheet->stream, ",\"id\":%d,\"probability\":", (int)id);
    json_write_float(sheet->stream, (float)probability);
}

/* The likeliest pieces at a token. The object is left open for "next". */
static void write_likeliest(const struct sheet *sheet, size_t token)
{
    struct prediction best[PREDICTIONS];
    size_t count = predict_pieces(sheet->trace, token, best, PREDICTIONS);
    fprintf(sheet->stream, "{\"token\":%zu,\"pieces\":[", token);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",{" : "{", sheet->stream);
        write_probable(sheet, best[i].id, exp(best[i].logprob));
        fputc('}', sheet->stream);
    }
    fputc(']', sheet->stream);
}

/* The actual next token; null after the last. */
static void write_next(const struct sheet *sheet, size_t token)
{
    const struct trace *trace = sheet->trace;
    if (token + 1 == trace->tokens) {
        fputs(",\"next\":null", sheet->stream);
        return;
    }
    const int32_t id = trace->ids[token + 1];
    const float *logits = trace_words(trace) + token * trace->vocabulary;
    const double total = predict_total(logits, trace->vocabulary, NULL);
    fputs(",\"next\":{", sheet->stream);
    write_probable(sheet, id, exp((double)logits[id] - total));
    fprintf(sheet->stream, ",\"rank\":%zu}", predict_rank(logits, trace->vocabulary, (size_t)id));
}

/* Predictions for each [MASK], or for what follows each token. */
static void write_json_words(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    const bool next = sheet->session->data.next;
    const int32_t mask = tokenizer_mask(sheet->session->checkpoint->tokenizer);
    bool first = true;
    fputs(next ? "\"after\":[" : "\"masked\":[", sheet->stream);
    for (size_t i = 0; trace_words(trace) && i < trace->tokens; i++) {
        if (!next && trace->ids[i] != mask)
            continue;
        fputs(first ? "" : ",\n", sheet->stream);
        write_likeliest(sheet, i);
        if (next)
            write_next(sheet, i);
        fputc('}', sheet->stream);
        first = false;
    }
    fputc(']', sheet->stream);
}

/* For a single sentence the head's output means nothing. */
static void write_pair(const struct sheet *sheet)
{
    const struct figure_at at = {.trace = sheet->trace, .side = &sheet->encoded->sides[SIDE_LEFT]};
    const struct figure_value next = figure_ask(FIGURE_next, &at);
    const bool order = sheet->trace->sop_logits;
    fputs(order ? "\"sentence_order\":" : "\"next_sentence\":", sheet->stream);
    if (*next.reason) {
        fputs("null,\n", sheet->stream);
        return;
    }
    fputs(order ? "{\"in_order\":" : "{\"follows\":", sheet->stream);
    json_write_float(sheet->stream, (float)next.number);
    fputs("},\n", sheet->stream);
}

/* null for a recording, which has no vocabulary to name pieces by, and for a model without heads
 * that predict. */
static void write_predictions(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    float follows = 0;
    bool both = trace->nsp_logits && predict_pair(trace, &follows);
    fputs("\"predictions\":", sheet->stream);
    if (sheet->session->checkpoint && (trace_words(trace) || trace->nsp_logits)) {
        fputc('{', sheet->stream);
        write_json_words(sheet);
        fputs(",\"next_sentence\":", sheet->stream);
        json_write_float(sheet->stream, both ? follows : NAN); /* NAN is written as null */
        fputs("},\n", sheet->stream);
    } else {
        fputs("null,\n", sheet->stream); /* without a vocabulary, pieces have no names */
    }
    write_pair(sheet);
}

/* ---- Written whenever the trace has them ---- */

/* ELECTRA's discriminator: the probability that each token was replaced. */
static void write_replaced(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    if (!trace->rtd_logits)
        return;
    fputs("\"replaced\":[", sheet->stream);
    for (size_t i = 0; i < trace->tokens; i++) {
        fputs(i > 0 ? "," : "", sheet->stream);
        json_write_float(sheet->stream, predict_replaced(trace, i));
    }
    fputs("],\n", sheet->stream);
}

/* The vector of the whole text, for models trained to give one. */
static void write_sentence(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    if (!trace->sentence_embedding)
        return;
    fputs("\"sentence_embedding\":", sheet->stream);
    export_write_row(sheet->stream, trace->sentence_embedding, trace->hidden);
    fputs(",\n", sheet->stream);
}

/* ---- Computed for the export ---- */

/* A recording has no weights to compute with. */
static enum status check_model(const struct sheet *sheet, struct error *error)
{
    if (sheet->session->checkpoint)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "expected a model to ask, found a recording of one: give the checkpoint "
                     "itself with --model DIR");
}

/* ---- Lens ---- */

/* The likeliest pieces at one layer and token, with logarithms, as small probabilities would lose
 * digits. */
static void write_cell(const struct sheet *sheet, const struct lens_cell *cell)
{
    fputc('[', sheet->stream);
    for (size_t i = 0; i < cell->count; i++) {
        fprintf(sheet->stream, "%s{\"id\":%d,\"piece\":", i > 0 ? "," : "", (int)cell->best[i].id);
        write_piece(sheet, cell->best[i].id);
        fputs(",\"logprob\":", sheet->stream);
        json_write_float(sheet->stream, (float)cell->best[i].logprob);
        fputc('}', sheet->stream);
    }
    fputc(']', sheet->stream);
}

/* A line for each cell; layer by layer, token by token. */
static void write_lens(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    fputs("\"lens\":[", sheet->stream);
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t token = 0; token < trace->tokens; token++) {
            fputs(token > 0 ? ",\n" : layer > 0 ? "],\n[" : "\n[", sheet->stream);
            write_cell(sheet, &sheet->lens[layer * trace->tokens + token]);
        }
    fputs("]],\n", sheet->stream);
}

/* The masked-word head applied to each layer's output: [L,T]. */
static enum status compute_lens(struct sheet *sheet, struct error *error)
{
    const struct trace *trace = sheet->trace;
    const struct lens_area all = {{0, trace->layers}, {0, trace->tokens}};
    if (check_model(sheet, error) != STATUS_OK ||
        logit_lens_new(trace, sheet->session->data.next, &sheet->lens, error) != STATUS_OK)
        return error->status;
    return logit_lens_read(sheet->session->checkpoint->model, trace, false, &all, NULL, sheet->lens,
                           error);
}

/* ---- Effects ---- */

/* The token chosen by the user; of a word, its first piece. */
static enum status find_token_chosen(const struct sheet *sheet, size_t *token, struct error *error)
{
    const struct look *look = &sheet->session->state.look;
    if (look->from == NO_TOKEN || look->query_found)
        return error_set(error, STATUS_USAGE,
                         "expected a token at which the answer stands, found none chosen: add "
                         "--select TOKEN");
    *token = sheet->session->data.attention->tokens[SIDE_LEFT].of[look->from].first;
    return STATUS_OK;
}

/* EFFECTS_LIKELIEST, or the piece of --answer if it is in the vocabulary. The message shows how
 * pieces are spelt, with the one at the token. */
static enum status find_answer(const struct sheet *sheet, size_t token, int32_t *id,
                               struct error *error)
{
    *id = EFFECTS_LIKELIEST;
    if (!sheet->output->answer)
        return STATUS_OK;
    *id = tokenizer_find(sheet->session->checkpoint->tokenizer, sheet->output->answer);
    if (*id >= 0 && (size_t)*id < sheet->trace->vocabulary)
        return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "expected as --answer a word piece as the vocabulary has it, such as \"%s\", found "
        "\"%s\"",
        encoded_pieces(sheet->encoded, SIDE_LEFT)[token], sheet->output->answer);
}

/* "change" is [L,A]: a line for each layer. */
static void write_effects(const struct sheet *sheet)
{
    const struct effects *effects = sheet->effects;
    fprintf(sheet->stream, "\"effects\":{\"token\":%zu,\"id\":%d,\"logprob\":", effects->token,
            (int)effects->id);
    json_write_float(sheet->stream, (float)effects->logprob);
    fputs(",\"change\":[", sheet->stream);
    for (size_t i = 0; i < effects->layers * effects->heads; i++) {
        bool first = i % effects->heads == 0;
        fputs(!first ? "," : i > 0 ? "],\n[" : "[", sheet->stream);
        json_write_float(sheet->stream, (float)effects->change[i]);
    }
    fputs("]]},\n", sheet->stream);
}

/* The network is run without each head in turn, which takes a while. */
static enum status compute_effects(struct sheet *sheet, struct error *error)
{
    size_t token = 0;
    int32_t id = 0;
    if (check_model(sheet, error) != STATUS_OK ||
        find_token_chosen(sheet, &token, error) != STATUS_OK ||
        find_answer(sheet, token, &id, error) != STATUS_OK)
        return error->status;
    return effects_measure(sheet->session->checkpoint->model, sheet->trace, token, id, NULL,
                           &sheet->effects, error);
}

/* ---- Maps ---- */

static const enum map_kind written[] = {MAP_NORMS, MAP_ROLLOUT, MAP_SIMILARITY, MAP_PLAIN};
#define WRITTEN (sizeof written / sizeof *written)

/* Maps that can't be made of this trace are left out. */
static enum status compute_maps(struct sheet *sheet, struct error *error)
{
    const struct scene scene = session_scene(sheet->session);
    struct map_source source = scene_map_source(&scene);
    struct error refused;
    source.trace = sheet->trace;
    for (size_t i = 0; i < WRITTEN; i++)
        if (map_check(&source, written[i], &refused) == STATUS_OK &&
            map_new(&source, written[i], (struct token_range){0, source.trace->layers}, NULL, NULL,
                    &sheet->maps[written[i]], error) != STATUS_OK)
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

/* [L,A,T,S], or a single matrix a layer for maps that heads share. */
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

/* Each by its name; null where this trace doesn't allow it. */
static void write_json_maps(const struct sheet *sheet)
{
    fputs("\"maps\":{", sheet->stream);
    for (size_t i = 0; i < WRITTEN; i++) {
        const struct map *map = sheet->maps[written[i]];
        fprintf(sheet->stream, "%s\n\"%s\":", i > 0 ? "," : "", map_info(written[i])->name);
        if (map)
            write_map(map, sheet->stream);
        else
            fputs("null", sheet->stream);
    }
    fputs("},\n", sheet->stream);
}

/* ---- The table ---- */

static const struct member {
    unsigned include; /* 0: written whenever the trace has it */
    const char *name; /* of --include */
    enum status (*make)(struct sheet *sheet, struct error *error);
    void (*write)(const struct sheet *sheet);
} table[] = {
    {INCLUDE_PREDICTIONS, "predictions", NULL, write_predictions},
    {0, NULL, NULL, write_replaced},
    {0, NULL, NULL, write_sentence},
    {INCLUDE_LENS, "lens", compute_lens, write_lens},
    {INCLUDE_EFFECTS, "effects", compute_effects, write_effects},
    {INCLUDE_MAPS, "maps", compute_maps, write_json_maps},
};
#define MEMBERS (sizeof table / sizeof *table)

/* Rows without a bit check for themselves whether the trace has what they write. */
static bool is_included(const struct member *member, const struct sheet *sheet)
{
    return member->include == 0 || sheet->output->include & member->include;
}

/* The message begins with the part of --include that failed. */
enum status members_make(struct sheet *sheet, struct error *error)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (table[i].make && is_included(&table[i], sheet) &&
            table[i].make(sheet, error) != STATUS_OK) {
            const struct error inner = *error;
            return error_set(error, inner.status, "--include %s: %s", table[i].name, inner.message);
        }
    return STATUS_OK;
}

/* In the order of the table. */
void members_write(const struct sheet *sheet)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (is_included(&table[i], sheet))
            table[i].write(sheet);
}

/* Everything may be NULL. */
void members_free(struct sheet *sheet)
{
    free(sheet->lens);
    free(sheet->effects);
    for (size_t i = 0; i < MAP_COUNT; i++)
        map_free(sheet->maps[i]);
}
