/* export_effects.c: what an answer depends on, as members of the JSON: how it changes without each
 * head, and without each word. */
#include "headlight/export/export_members.h"

#include "headlight/view/words.h"

#include <math.h>

/* ---- The answer ---- */

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
    if (export_check_model(sheet, error) != STATUS_OK)
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
               : error_set(error, STATUS_USAGE,
                           "expected a token at which the answer stands, found none chosen: add "
                           "--select TOKEN");
}

static struct target_source source_of(const struct sheet *sheet, const struct target *on)
{
    return target_source_of(sheet->checkpoint, sheet->encoded,
                            on->output == OUTPUT_SENTENCE ? sheet->alike : NULL);
}

/* ---- Heads ---- */

/* The network is run without each head in turn, which takes a while. */
enum status effects_make(struct sheet *sheet, struct error *error)
{
    struct target on;
    if (find_target(sheet, &on, error) != STATUS_OK)
        return error->status;
    const struct target_source source = source_of(sheet, &on);
    return effects_measure(&source, &on, NULL, &sheet->effects, error);
}

/* "change" is [L,A]. */
void effects_write(const struct sheet *sheet)
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

/* ---- Words ---- */

/* Hidden unless --without says otherwise. */
enum status word_effects_make(struct sheet *sheet, struct error *error)
{
    const struct session *session = sheet->session;
    const enum word_way way = session->state.look.without;
    struct target on;
    if (find_target(sheet, &on, error) != STATUS_OK)
        return error->status;
    const struct target_source source = source_of(sheet, &on);
    const struct word_question question = {
        way == WORDS_KEPT ? WORDS_HIDDEN : way, tokenizer_mask(sheet->checkpoint->tokenizer),
        &sheet->encoded->sides[SIDE_LEFT],
        words_paired(&session->state.look, &session->data, on.output)};
    return word_effects_measure(&source, &question, &on, NULL, &sheet->word_effects, error);
}

/* How likely the answer is; null of a score. */
static double probability_of(const struct sheet *sheet, double logprob)
{
    return target_is_score(sheet->checkpoint->model, &sheet->word_effects->on) ? (double)NAN
                                                                               : exp(logprob);
}

void word_effects_write(const struct sheet *sheet)
{
    const struct word_effects *effects = sheet->word_effects;
    const bool paired = effects->paired != NO_TOKEN;
    struct json_writer *json = sheet->json;
    json_open(json, "words", "{");
    json_put(json, JSON("without", word_way_name(effects->way)));
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
