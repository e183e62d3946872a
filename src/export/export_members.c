/* export_members.c: members of the JSON about the whole text, before its layers. Each is a row of
 * the table at the end: its bit of --include, and functions to compute and to write it. Everything
 * is computed before anything is written, so a failure leaves no half-written file. */
#include "headlight/export/export_members.h"

#include "headlight/base/json.h"
#include "headlight/view/comparison.h"

#include <stdlib.h>

/* ---- Lens ---- */

/* Layer by layer, token by token, the likeliest pieces; with logarithms, as small probabilities
 * would lose digits. */
static void write_lens(const struct sheet *sheet)
{
    const struct trace *trace = sheet->trace;
    const size_t top = export_top(sheet->output, trace);
    for (size_t i = 0; i < trace->layers * trace->tokens; i++) {
        fputs(i % trace->tokens > 0 ? "," : i > 0 ? "],[" : "\"lens\":[[", sheet->stream);
        const struct prediction *best = sheet->lens + i * top;
        for (size_t place = 0; place < top; place++) {
            fprintf(sheet->stream, "%s{\"id\":%d,\"piece\":", place > 0 ? "," : "[",
                    (int)best[place].id);
            export_write_piece(sheet, best[place].id);
            export_write_number(sheet->stream, ",\"logprob\":", best[place].logprob);
            fputc('}', sheet->stream);
        }
        fputc(']', sheet->stream);
    }
    fputs("]],", sheet->stream);
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

/* Maps that can't be made of this trace are left out. */
static enum status compute_maps(struct sheet *sheet, struct error *error)
{
    struct map_source source = comparison_source(&sheet->session->data);
    struct error refused;
    source.trace = sheet->trace;
    for (size_t i = 0; i < WRITTEN; i++)
        if (map_check(&source, written[i], &refused) == STATUS_OK &&
            map_new(&source, written[i], NULL, &sheet->maps[written[i]], error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* Each by its name; null where this trace doesn't allow it; contacts and votes where the model has
 * them. Contacts, which are one map of all layers, are written as if the model had one. */
static void write_json_maps(const struct sheet *sheet)
{
    fputs("\"maps\":{", sheet->stream);
    for (size_t i = 0; i < WRITTEN; i++) {
        const struct map *map = sheet->maps[written[i]];
        const size_t layers = !map ? 0 : written[i] == MAP_CONTACTS ? 1 : map->layers;
        if (!map && written[i] >= MAP_CONTACTS)
            continue;
        fprintf(sheet->stream, "%s\"%s\":", i > 0 ? "," : "", map_info(written[i])->name);
        if (map) { /* [L,A,T,S], or a single matrix a layer for maps that heads share */
            const size_t shape[] = {map->rows, map->columns};
            for (size_t layer = 0; layer < layers; layer++) {
                fputs(layer > 0 ? ",[" : "[[", sheet->stream);
                for (size_t head = 0; head < map->heads; head++) {
                    fputs(head > 0 ? "," : "", sheet->stream);
                    export_write_matrix(sheet->stream, NULL,
                                        map->values[layer] + head * shape[0] * shape[1], shape,
                                        shape[1]);
                }
                fputc(']', sheet->stream);
            }
            fputc(']', sheet->stream);
        } else {
            fputs("null", sheet->stream);
        }
    }
    fputs("},", sheet->stream);
}

/* ---- The table ---- */

static void write_answers(const struct sheet *sheet)
{
    fputs(sheet->answers, sheet->stream);
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
    {INCLUDE_MAPS, "--include maps", compute_maps, write_json_maps},
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
        if (is_included(&table[i], sheet) && table[i].make(sheet, error) != STATUS_OK) {
            const struct error inner = *error;
            return table[i].option
                       ? error_set(error, inner.status, "%s: %s", table[i].option, inner.message)
                       : inner.status;
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
    free(sheet->word_effects);
    free(sheet->answers);
    free(sheet->other_answers);
    free(sheet->trained);
    answer_free(sheet->task);
    sentence_pair_free(sheet->alike);
    compared_free(sheet->against);
    for (size_t i = 0; i < MAP_COUNT; i++)
        map_free(sheet->maps[i]);
}
