/* export_members.c: members of the JSON about the whole text, before its layers. Each is a row of
 * the table at the end: its bit of --include, and functions to compute and to write it. Everything
 * is computed before anything is written, so a failure leaves no half-written file. */
#include "headlight/export/export_members.h"

#include "headlight/view/words.h"

#include <stdlib.h>

/* A recording has no weights to compute with. */
static enum status check_model(const struct sheet *sheet, struct error *error)
{
    if (sheet->checkpoint)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "expected a model to ask, found a recording of one: give the checkpoint "
                     "itself with --model DIR");
}

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
    if (check_model(sheet, error) != STATUS_OK)
        return error->status;
    if (*sheet->no_lens)
        return error_set(error, STATUS_UNSUPPORTED, "%s", sheet->no_lens);
    return logit_lens_best(sheet->checkpoint->model, sheet->trace,
                           export_top(sheet->output, sheet->trace), &sheet->lens, error);
}

/* ---- Maps ---- */

static const enum map_kind written[] = {MAP_NORMS, MAP_ROLLOUT,  MAP_SIMILARITY,
                                        MAP_PLAIN, MAP_CONTACTS, MAP_VOTES};
#define WRITTEN (LENGTH(written))

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
        json_open(json, map_infos[written[i]].name, map ? "[[" : "null");
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

/* ---- What an answer depends on ---- */

/* Its members: what kind it is, where it stands, its number and what it is called. The other
 * tokens are an encoder's where its decoder is asked. */
static void write_target(const struct sheet *sheet, const struct target *on)
{
    const bool span = on->output == OUTPUT_START, word = target_is_word(on->output);
    const struct encoded *speaker = encoded_speaker(sheet->encoded);
    const struct checkpoint *said = checkpoint_stack(sheet->checkpoint, SITE_DECODER);
    char name[256];
    target_name(sheet->checkpoint, sheet->encoded, on, name, sizeof name);
    json_put(sheet->json, JSON("kind", answer_kind(on->output)),
             span || target_has_token(on->output) ? JSON("token", on->token) : JSON_NULL("token"),
             JSON_IF(sheet->encoded->site == SITE_ENCODER, "after",
                     encoded_pieces(speaker, SIDE_LEFT)[on->token]),
             JSON_IF(span, "end", on->end), JSON("id", on->id),
             JSON("name", word ? tokenizer_piece(said->tokenizer, on->id) : name));
}

/* With the token where it stands: the chosen one, or else the first that is masked. */
static enum status find_target(const struct sheet *sheet, struct target *on, struct error *error)
{
    *on = sheet->on;
    if (check_model(sheet, error) != STATUS_OK)
        return error->status;
    if (*data_silence(&sheet->session->data))
        return error_set(error, STATUS_UNSUPPORTED, "%s", data_silence(&sheet->session->data));
    if (!target_has_token(on->output))
        return STATUS_OK;
    on->token = sheet->encoded->site == SITE_ENCODER
                    ? words_asked(&sheet->session->state.look, &sheet->session->data)
                    : sheet->token;
    if (on->token == NO_TOKEN && on->output == OUTPUT_MLM)
        on->token = words_masked(&sheet->session->data);
    return on->token != NO_TOKEN
               ? STATUS_OK
               : error_usage(error,
                             "expected a token at which the answer stands, found none chosen: add "
                             "--select TOKEN");
}

static struct target_source source_of(const struct sheet *sheet, const struct encoded *encoded,
                                      const struct target *on)
{
    return target_source_of(sheet->session->checkpoint, encoded,
                            on->output == OUTPUT_SENTENCE ? sheet->sentences : NULL);
}

/* The network is run without each head in turn, which takes a while. */
static enum status effects_make(struct sheet *sheet, struct error *error)
{
    struct target on;
    if (find_target(sheet, &on, error) != STATUS_OK)
        return error->status;
    const struct target_source source = source_of(sheet, sheet->encoded, &on);
    return effects_measure(&source, &on, NULL, &sheet->effects, error);
}

/* "change" is [L,A]. */
static void effects_write(const struct sheet *sheet)
{
    const struct effects *effects = sheet->effects;
    json_open(sheet->json, "effects", "{");
    write_target(sheet, &effects->on);
    json_put(sheet->json, JSON("logprob", effects->logprob));
    json_open(sheet->json, "change", "[[");
    for (size_t i = 0; i < effects->layers * effects->heads; i++) {
        json_row(sheet->json, i, effects->heads);
        json_put(sheet->json, JSON(NULL, effects->change[i]));
    }
    json_close(sheet->json, "]]}");
}

/* Hidden unless --without says otherwise. */
static enum status word_effects_make(struct sheet *sheet, struct error *error)
{
    const struct session *session = sheet->session;
    const enum word_way way = session->state.look.without;
    struct target on;
    if (find_target(sheet, &on, error) != STATUS_OK)
        return error->status;
    const struct encoded *read = encoded_attended(sheet->encoded);
    const struct target_source source = source_of(sheet, read, &on);
    const struct word_question question = {
        way == WORDS_KEPT ? WORDS_HIDDEN : way, tokenizer_mask(sheet->checkpoint->tokenizer),
        &read->sides[SIDE_LEFT], words_paired(&session->state.look, &session->data, on.output)};
    return word_effects_measure(&source, &question, &on, NULL, &sheet->word_effects, error);
}

/* How likely the answer is; null of a score. */
static double probability_of(const struct sheet *sheet, double logprob)
{
    return target_is_score(sheet->checkpoint->model, &sheet->word_effects->on) ? (double)NAN
                                                                               : exp(logprob);
}

static void word_effects_write(const struct sheet *sheet)
{
    const struct word_effects *effects = sheet->word_effects;
    const bool paired = effects->paired != NO_TOKEN;
    struct json_writer *json = sheet->json;
    json_open(json, "words", "{");
    json_put(json, JSON("without", word_way_names[effects->way]));
    write_target(sheet, &effects->on);
    json_put(json, JSON("logprob", effects->logprob),
             JSON("probability", probability_of(sheet, effects->logprob)),
             JSON_IF(paired, "paired", effects->paired));
    json_open(json, "changes", "[");
    for (size_t i = 0; i < effects->count; i++) {
        const struct word_effect *word = &effects->words[i];
        json_open(json, NULL, "{");
        json_open(json, "tokens", "[");
        json_put(json, JSON(NULL, word->pieces.first), JSON(NULL, word->pieces.end));
        json_close(json, "]");
        json_put(json, JSON("change", word->change),
                 JSON("probability", probability_of(sheet, effects->logprob + word->change)),
                 JSON_IF(paired, "pair", word->pair));
        json_close(json, "}");
    }
    json_close(json, "]}");
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
#define MEMBERS (LENGTH(table))

static bool is_included(const struct member *member, const struct sheet *sheet)
{
    return member->include == 0 || sheet->output->include & member->include;
}

/* The message begins with the option that asked for what failed. The token chosen by the user is,
 * of a word, its first piece. */
enum status members_make(struct sheet *sheet, struct error *error)
{
    const struct look *look = &sheet->session->state.look;
    sheet->token = look->from == NO_TOKEN || look->query_found
                       ? NO_TOKEN
                       : sheet->session->data.attention->tokens[SIDE_LEFT].of[look->from].first;
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
    answer_free(sheet->task);
    for (size_t i = 0; i < MAP_COUNT; i++)
        free(sheet->maps[i]);
}
