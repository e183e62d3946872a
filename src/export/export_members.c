/* export_members.c: members of the JSON about the whole text, before its layers. Each is a row of
 * the table at the end: its bit of --include, and functions to compute and to write it. Everything
 * is computed before anything is written, so a failure leaves no half-written file. */
#include "headlight/export/export_members.h"

#include "headlight/view/comparison.h"

#include <stdlib.h>

/* ---- Lens ---- */

/* Layer by layer, token by token, the likeliest pieces; with logarithms, as small probabilities
 * would lose digits. */
static void write_lens(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    const size_t top = export_top(sheet->output, trace);
    const struct tokenizer *tokenizer = sheet->checkpoint->tokenizer;
    json_open(sheet->json, "lens", "[[");
    for (size_t i = 0; i < trace->layers * trace->tokens; i++) {
        const struct prediction *best = sheet->lens + i * top;
        json_row(sheet->json, i, trace->tokens);
        json_open(sheet->json, NULL, "[");
        for (size_t k = 0; k < top; k++)
            json_object(sheet->json, NULL, JSON("id", best[k].id),
                        JSON("piece", tokenizer_piece(tokenizer, best[k].id)),
                        JSON("logprob", best[k].logprob));
        json_close(sheet->json, "]");
    }
    json_close(sheet->json, "]]");
}

/* The head for words applied to each layer's output. */
static enum status compute_lens(struct sheet *sheet, struct error *error)
{
    if (export_check_model(sheet, error) != STATUS_OK)
        return error->status;
    return logit_lens_best(sheet->checkpoint->model, sheet->trace,
                           export_top(sheet->output, sheet->trace), &sheet->lens, error);
}

/* ---- Maps ---- */

static const enum map_kind written[] = {MAP_NORMS, MAP_ROLLOUT,  MAP_SIMILARITY,
                                        MAP_PLAIN, MAP_CONTACTS, MAP_VOTES};
#define WRITTEN (sizeof written / sizeof *written)

/* Maps that can't be made of this trace are left out, but for contacts that alone are asked for. */
static enum status compute_maps(struct sheet *sheet, struct error *error)
{
    const bool all = sheet->output->include & INCLUDE_MAPS;
    struct map_source source = comparison_source(&sheet->session->data);
    struct error refused;
    source.trace = sheet->trace;
    if (!all && map_check(&source, MAP_CONTACTS, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < WRITTEN; i++)
        if ((all || written[i] == MAP_CONTACTS) &&
            map_check(&source, written[i], &refused) == STATUS_OK &&
            map_new(&source, written[i], NULL, &sheet->maps[written[i]], error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* Each by its name; null where this trace doesn't allow it; contacts and votes where the model has
 * them. Contacts, which are one map of all layers, are written as if the model had one. */
static void write_json_maps(const struct sheet *sheet)
{
    struct json_writer *json = sheet->json;
    json_open(json, "maps", "{");
    for (size_t i = 0; i < WRITTEN; i++) {
        /* [L,A,T,S], or a single matrix a layer for maps that heads share */
        const struct map *map = sheet->maps[written[i]];
        const size_t layers = !map ? 0 : written[i] == MAP_CONTACTS ? 1 : map->layers;
        const size_t heads = map ? map->heads : 0, count = layers * heads;
        if (!map && (written[i] >= MAP_CONTACTS || !(sheet->output->include & INCLUDE_MAPS)))
            continue;
        json_open(json, map_info(written[i])->name, map ? "[[" : "null");
        for (size_t h = 0; h < count; h++) {
            const size_t shape[] = {map->rows, map->columns};
            json_row(json, h, heads);
            export_write_matrix(json, NULL,
                                map->values[h / heads] + h % heads * shape[0] * shape[1], shape,
                                shape[1]);
        }
        json_close(json, map ? "]]" : "");
    }
    json_close(json, "}");
}

/* ---- The table ---- */

static void write_answers(const struct sheet *sheet)
{
    json_put_raw(sheet->json, sheet->answers);
}

static const struct member {
    unsigned include;   /* 0: written whenever there is something to write */
    const char *option; /* that asks for it */
    enum status (*make)(struct sheet *sheet, struct error *error);
    void (*write)(const struct sheet *sheet);
} table[] = {
    {0, NULL, answers_make, write_answers},
    {INCLUDE_LENS, "--include lens", compute_lens, write_lens},
    {INCLUDE_EFFECTS, "--include effects", effects_make, effects_write},
    {INCLUDE_WORDS, "--include words", word_effects_make, word_effects_write},
    {INCLUDE_MAPS | INCLUDE_CONTACTS, "--include maps", compute_maps, write_json_maps},
    {0, "--against", against_make, against_write},
};
#define MEMBERS (sizeof table / sizeof *table)

static bool is_included(const struct member *member, const struct sheet *sheet)
{
    return member->include == 0 || sheet->output->include & member->include;
}

/* The token chosen by the user; of a word, its first piece. */
static size_t chosen_token(const struct session *session)
{
    const struct look *look = &session->state.look;
    return look->from == NO_TOKEN || look->query_found
               ? NO_TOKEN
               : session->data.attention->tokens[SIDE_LEFT].of[look->from].first;
}

/* The message begins with the option that asked for what failed. */
enum status members_make(struct sheet *sheet, struct error *error)
{
    sheet->token = chosen_token(sheet->session);
    for (size_t i = 0; i < MEMBERS; i++)
        if (is_included(&table[i], sheet) && table[i].make(sheet, error) != STATUS_OK)
            return table[i].option
                       ? error_set(error, error->status, "%s: %s", table[i].option, error->message)
                       : error->status;
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
    free(sheet->word_effects);
    free(sheet->answers);
    free(sheet->other_answers);
    encoded_free(sheet->trained);
    answer_free(sheet->task);
    sentence_pair_free(sheet->alike);
    compared_free(sheet->against);
    for (size_t i = 0; i < MAP_COUNT; i++)
        map_free(sheet->maps[i]);
}
