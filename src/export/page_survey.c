/* page_survey.c: a survey for the page: each head's means and card. */
#include "headlight/export/page.h"

#include "headlight/base/size.h"
#include "headlight/survey/evidence.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* On a card. */
#define RELATIONS 10
#define PIECES    8
#define EXAMPLES  5

/* ---- All heads ---- */

/* Those that one text has as well say what they are; others only their name. */
static const char *meaning_of(const char *name)
{
    for (enum metric metric = METRIC_LABEL + 1; metric < METRIC_EFFECT; metric++)
        if (strcmp(metric_info(metric)->name, name) == 0)
            return metric_info(metric)->meaning;
    return name;
}

static void write_figures(const struct survey *survey, struct json_writer *json)
{
    json_open(json, "figures", "[");
    for (size_t f = 0; f < survey_count(survey, ROW_FIGURE); f++) {
        const enum survey_figure figure = survey_figure_at(survey, f);
        const char *name = survey_figures[figure].name;
        json_open(json, NULL, "{");
        json_put(json, JSON("name", name), JSON("title", meaning_of(name)));
        for (int half = 0; half < 2; half++) {
            json_open(json, half ? "half" : "mean", "[");
            for (size_t i = 0; i < survey->layers * survey->heads; i++) {
                const struct evidence_mean mean =
                    evidence_mean(survey, figure, i / survey->heads, i % survey->heads);
                json_put(json, JSON(NULL, half ? mean.half : mean.value));
            }
            json_close(json, "]");
        }
        json_close(json, "}");
    }
    json_close(json, "]");
}

/* ---- The card of one ---- */

struct card {
    const struct survey *survey;
    size_t layer, head;
    struct evidence_relation *relations; /* [R] */
    struct json_writer *json;
};

/* The relation that it surely knows, then its labels. */
static void write_card_does(const struct card *card)
{
    struct evidence_relation relation;
    struct evidence_label label, labels[EVIDENCE_LABELS];
    const size_t count = evidence_labels(card->survey, card->layer, card->head, labels);
    evidence_summary_of_head(card->survey, card->layer, card->head, &relation, &label);
    json_open(card->json, "does", "[");
    if (relation.name)
        json_object(card->json, NULL, JSON("text", relation.name),
                    JSON("share", relation.share.value), JSON("n", relation.share.of));
    for (size_t i = 0; i < count; i++)
        json_object(card->json, NULL, JSON("text", labels[i].words),
                    JSON("share", labels[i].mean.value), JSON("n", labels[i].mean.rows));
    json_close(card->json, "]");
}

static void write_card_relations(const struct card *card)
{
    json_open(card->json, "relations", "[");
    for (size_t i = 0; i < size_min(survey_count(card->survey, ROW_RELATION), RELATIONS); i++) {
        const struct evidence_relation *relation = &card->relations[i];
        const struct evidence_share *share = &relation->share;
        json_object(card->json, NULL, JSON("name", relation->name), JSON("share", share->value),
                    JSON("low", share->low), JSON("high", share->high), JSON("n", share->of),
                    JSON("offset", relation->offset),
                    JSON("offset_share", relation->offset_share.value));
    }
    json_close(card->json, "]");
}

/* From a word of a row to all words of a column, in the mean. */
static void write_card_pos(const struct card *card)
{
    const struct survey *survey = card->survey;
    const size_t P = survey_count(survey, ROW_POS);
    if (P == 0)
        return;
    json_open(card->json, "pos", "{");
    json_list(card->json, "names", p, P, JSON(NULL, survey_name(survey, ROW_POS, p)));
    json_open(card->json, "shares", "[[");
    for (size_t i = 0; i < P * P; i++) {
        json_row(card->json, i, P);
        json_put(card->json,
                 JSON(NULL, evidence_pos(survey, i / P, i % P, card->layer, card->head)));
    }
    json_close(card->json, "]]}");
}

static void write_card_pieces(const struct card *card, bool at)
{
    struct evidence_word words[PIECES];
    const size_t count = evidence_words(card->survey, card->layer, card->head, at, words, PIECES);
    json_open(card->json, at ? "at" : "from", "[");
    for (size_t i = 0; i < count; i++) {
        json_open(card->json, NULL, "[");
        json_put(card->json, JSON(NULL, words[i].piece), JSON(NULL, words[i].share));
        json_close(card->json, "]");
    }
    json_close(card->json, "]");
}

static void write_card_examples(const struct card *card)
{
    const struct survey_example *examples[EVIDENCE_EXAMPLES];
    size_t count;
    evidence_examples(card->survey, card->layer, card->head, examples, &count);
    json_open(card->json, "examples", "[");
    for (size_t i = 0; i < size_min(count, EXAMPLES); i++) {
        json_open(card->json, NULL, "{");
        json_open(card->json, "words", "[");
        /* a blank within a word is a newline there */
        for (const char *words = examples[i]->text->key.names[1].bytes; *words;) {
            char shown[256];
            const struct text word = evidence_word(words, 0);
            format_cut(shown, sizeof shown, "%.*s", (int)word.length, word.bytes);
            for (char *at = shown; (at = strchr(at, '\n'));)
                *at = ' ';
            json_put(card->json, JSON(NULL, shown));
            words = word.bytes + word.length + (word.bytes[word.length] != '\0');
        }
        json_close(card->json, "]");
        json_put(card->json, JSON("from", examples[i]->from), JSON("to", examples[i]->to),
                 JSON("weight", (double)examples[i]->weight / SURVEY_UNIT));
        json_close(card->json, "}");
    }
    json_close(card->json, "]");
}

/* ---- The whole ---- */

enum status page_write_survey(const struct survey *survey, struct json_writer *json,
                              struct error *error)
{
    static const char *const reach[SURVEY_REACH] = {"-33", "-17", "-9", "-5", "-3", "-2", "-1", "0",
                                                    "1",   "2",   "3",  "5",  "9",  "17", "33"};
    struct card card = {.survey = survey, .json = json};
    const int first = -(SURVEY_REACH / 2);
    json->digits = 4; /* all that an interval leaves of a mean */
    json_open(json, "survey", "{");
    json_put(json, JSON("name", survey_name(survey, ROW_SHARD, 0)),
             JSON("texts", survey_total(survey, SURVEY_TEXTS)),
             JSON("tokens", survey_total(survey, SURVEY_TOKENS)), JSON("layers", survey->layers),
             JSON("heads", survey->heads));
    write_figures(survey, json);
    json_open(json, "cards", "[");
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        card.layer = i / survey->heads;
        card.head = i % survey->heads;
        card.relations = evidence_relations(survey, card.layer, card.head, error);
        if (!card.relations)
            return error->status;
        json_open(json, NULL, "{");
        write_card_does(&card);
        /* bins of distances, as survey.h has them; the one in the middle is the token itself */
        if (survey_count(survey, ROW_REACH) > 0) {
            double shares[SURVEY_REACH];
            evidence_reach(survey, card.layer, card.head, shares);
            json_open(json, "reach", "{");
            json_put(json, JSON("from", first));
            json_list(json, "names", bin, SURVEY_REACH, JSON(NULL, reach[bin]));
            json_list(json, "shares", bin, SURVEY_REACH, JSON(NULL, shares[bin]));
            json_close(json, "}");
        }
        write_card_relations(&card);
        write_card_pos(&card);
        write_card_pieces(&card, false);
        write_card_pieces(&card, true);
        write_card_examples(&card);
        json_close(json, "}");
        free(card.relations);
    }
    json_close(json, "]}");
    return STATUS_OK;
}
