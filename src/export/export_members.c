/* export_members.c: members of the JSON about the whole text, before its layers. Each is a row of
 * the table at the end: its bit of --include, and the function that computes and writes it. They
 * are written to memory, so a failure leaves no half-written file. */
#include "headlight/export/export_members.h"

#include "headlight/view/words.h"

#include <stdlib.h>

/* ---- Lens ---- */

/* The head for words applied to each layer's output: layer by layer, token by token, the likeliest
 * pieces; with logarithms, as small probabilities would lose digits. */
static enum status write_lens(struct sheet *sheet, struct error *error)
{
    const struct trace *trace = sheet->trace;
    const size_t top = export_top(sheet->output, trace);
    struct prediction *lens; /* [L,T,top] */
    if (export_check_model(sheet->checkpoint, error) != STATUS_OK)
        return error->status;
    if (*sheet->no_lens)
        return error_set(error, STATUS_UNSUPPORTED, "%s", sheet->no_lens);
    if (logit_lens_best(sheet->checkpoint->model, trace, top, &lens, error) != STATUS_OK)
        return error->status;
    json_open(sheet->json, "lens", "[[");
    for (size_t i = 0; i < trace->layers * trace->tokens; i++) {
        const struct prediction *best = lens + i * top;
        json_row(sheet->json, i, trace->tokens);
        json_open(sheet->json, NULL, "[");
        for (size_t k = 0; k < top; k++)
            json_object(sheet->json, NULL, JSON("id", best[k].id),
                        JSON("piece", tokenizer_piece(sheet->checkpoint->tokenizer, best[k].id)),
                        JSON("logprob", best[k].logprob));
        json_close(sheet->json, "]");
    }
    json_close(sheet->json, "]]");
    free(lens);
    return STATUS_OK;
}

/* ---- Maps ---- */

/* Each by its name; null where this trace doesn't allow it; contacts, which may be asked for alone,
 * and votes where the model has them. Contacts, which are one map of all layers, are written as if
 * the model had one. */
static enum status write_json_maps(struct sheet *sheet, struct error *error)
{
    static const enum map_kind written[] = {MAP_NORMS, MAP_ROLLOUT,  MAP_SIMILARITY,
                                            MAP_PLAIN, MAP_CONTACTS, MAP_VOTES};
    const bool all = sheet->output->include & INCLUDE_MAPS;
    struct json_writer *json = sheet->json;
    struct map_source source = comparison_source(&sheet->session->data);
    struct error refused;
    source.trace = sheet->trace;
    if (!all && map_check(&source, MAP_CONTACTS, error) != STATUS_OK)
        return error->status;
    json_open(json, "maps", "{");
    for (size_t i = 0; i < LENGTH(written); i++) {
        /* [L,A,T,S], or a single matrix a layer for maps that heads share */
        const enum map_kind kind = written[i];
        const bool can = map_check(&source, kind, &refused) == STATUS_OK;
        struct map *map = NULL;
        if (all ? kind >= MAP_CONTACTS && !can : kind != MAP_CONTACTS)
            continue;
        if (can && map_new(&source, kind, NULL, &map, error) != STATUS_OK)
            return error->status;
        const size_t layers = !map ? 0 : kind == MAP_CONTACTS ? 1 : map->layers;
        json_open(json, map_infos[kind].name, map ? "[[" : "null");
        for (size_t h = 0; map && h < layers * map->heads; h++) {
            const size_t shape[] = {map->rows, map->columns};
            json_row(json, h, map->heads);
            export_write_matrix(json, NULL,
                                map->values[h / map->heads] + h % map->heads * shape[0] * shape[1],
                                shape, shape[1]);
        }
        json_close(json, map ? "]]" : "");
        free(map);
    }
    json_close(json, "}");
    return STATUS_OK;
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

/* What is asked, of a model that answers. */
static enum status source_of(const struct sheet *sheet, const struct encoded *encoded,
                             struct target_source *source, struct error *error)
{
    const char *silence = data_silence(&sheet->session->data);
    if (export_check_model(sheet->checkpoint, error) != STATUS_OK)
        return error->status;
    *source = target_source_of(sheet->session->checkpoint, encoded,
                               sheet->on.output == OUTPUT_SENTENCE ? sheet->sentences : NULL);
    return *silence ? error_set(error, STATUS_UNSUPPORTED, "%s", silence) : STATUS_OK;
}

/* The network is run without each head in turn, which takes a while. "change" is [L,A]. */
static enum status effects_write(struct sheet *sheet, struct error *error)
{
    struct target_source source;
    struct effects *effects;
    if (source_of(sheet, sheet->encoded, &source, error) != STATUS_OK ||
        effects_measure(&source, &sheet->on, NULL, &effects, error) != STATUS_OK)
        return error->status;
    json_open(sheet->json, "effects", "{");
    write_target(sheet, &effects->on);
    json_put(sheet->json, JSON("logprob", effects->logprob));
    json_open(sheet->json, "change", "[[");
    for (size_t i = 0; i < effects->layers * effects->heads; i++) {
        json_row(sheet->json, i, effects->heads);
        json_put(sheet->json, JSON(NULL, effects->change[i]));
    }
    json_close(sheet->json, "]]}");
    free(effects);
    return STATUS_OK;
}

/* Hidden unless --without says otherwise. How likely the answer is, is null of a score. */
static enum status word_effects_write(struct sheet *sheet, struct error *error)
{
    const struct session *session = sheet->session;
    const enum word_way way = session->state.look.without;
    const struct encoded *read = encoded_attended(sheet->encoded);
    struct target_source source;
    struct word_effects *effects;
    if (source_of(sheet, read, &source, error) != STATUS_OK)
        return error->status;
    const struct word_question question = {
        way == WORDS_KEPT ? WORDS_HIDDEN : way, tokenizer_mask(sheet->checkpoint->tokenizer),
        &read->sides[SIDE_LEFT],
        words_paired(&session->state.look, &session->data, sheet->on.output)};
    if (word_effects_measure(&source, &question, &sheet->on, NULL, &effects, error) != STATUS_OK)
        return error->status;
    const bool paired = effects->paired != NO_TOKEN,
               score = target_is_score(sheet->checkpoint->model, &effects->on);
    struct json_writer *json = sheet->json;
    json_open(json, "words", "{");
    json_put(json, JSON("without", word_way_names[effects->way]));
    write_target(sheet, &effects->on);
    json_put(json, JSON("logprob", effects->logprob),
             JSON("probability", score ? (double)NAN : exp(effects->logprob)),
             JSON_IF(paired, "paired", effects->paired));
    json_open(json, "changes", "[");
    for (size_t i = 0; i < effects->count; i++) {
        const struct word_effect *word = &effects->words[i];
        json_open(json, NULL, "{");
        json_open(json, "tokens", "[");
        json_put(json, JSON(NULL, word->pieces.first), JSON(NULL, word->pieces.end));
        json_close(json, "]");
        json_put(json, JSON("change", word->change),
                 JSON("probability", score ? (double)NAN : exp(effects->logprob + word->change)),
                 JSON_IF(paired, "pair", word->pair));
        json_close(json, "}");
    }
    json_close(json, "]}");
    free(effects);
    return STATUS_OK;
}

/* ---- The table ---- */

static const struct member {
    unsigned include;   /* 0: written whenever there is something to write */
    const char *option; /* that asks for it */
    enum status (*write)(struct sheet *sheet, struct error *error);
} table[] = {
    {0, NULL, answers_make},
    {INCLUDE_LENS, "--include lens", write_lens},
    {INCLUDE_EFFECTS, "--include effects", effects_write},
    {INCLUDE_WORDS, "--include words", word_effects_write},
    {INCLUDE_MAPS | INCLUDE_CONTACTS, "--include maps", write_json_maps},
    {0, "--against", against_write},
};

/* The message begins with the option that asked for what failed. */
enum status members_write(struct sheet *sheet, struct error *error)
{
    for (size_t i = 0; i < LENGTH(table); i++)
        if ((table[i].include == 0 || sheet->output->include & table[i].include) &&
            table[i].write(sheet, error) != STATUS_OK)
            return table[i].option
                       ? error_set(error, error->status, "%s: %s", table[i].option, error->message)
                       : error->status;
    return STATUS_OK;
}
