/* page_survey.c: a survey for the page: each head's means and card. */
#include "headlight/export/page.h"

#include "headlight/survey/evidence.h"

#include <stdlib.h>

/* On a card. */
#define RELATIONS 10
#define PIECES    8
#define EXAMPLES  5

static void write_pieces(const struct survey *survey, size_t layer, size_t head, bool at,
                         struct json_writer *json)
{
    struct evidence_word words[PIECES];
    const size_t count = evidence_words(survey, layer, head, at, words, PIECES);
    json_open(json, at ? "at" : "from", "[");
    for (size_t i = 0; i < count; i++) {
        json_open(json, NULL, "[");
        json_put(json, JSON(NULL, words[i].piece), JSON(NULL, words[i].share));
        json_close(json, "]");
    }
    json_close(json, "]");
}

/* The card of a head: the relation that it surely knows, then its labels; how far it looks; its
 * relations; from and to which parts of speech and pieces; and examples. */
static enum status write_card(const struct survey *survey, size_t layer, size_t head,
                              struct json_writer *json, struct error *error)
{
    struct evidence_relation surely, *relations = evidence_relations(survey, layer, head, error);
    struct evidence_label label, labels[METRIC_COUNT];
    const size_t count = evidence_labels(survey, layer, head, labels),
                 P = survey_count(survey, ROW_POS);
    if (!relations)
        return error->status;
    evidence_summary_of_head(survey, layer, head, &surely, &label);
    json_open(json, NULL, "{");
    json_open(json, "does", "[");
    if (surely.name)
        json_object(json, NULL, JSON("text", surely.name), JSON("share", surely.share.value),
                    JSON("n", surely.share.of));
    for (size_t i = 0; i < count; i++) {
        char words[64];
        format_cut(words, sizeof words, "%s%s", labels[i].words,
                   labels[i].beside ? ", beside the first" : "");
        json_object(json, NULL, JSON("text", words), JSON("share", labels[i].mean.value),
                    JSON("n", labels[i].mean.of));
    }
    json_close(json, "]");
    /* by the distances of all cards */
    if (survey_count(survey, ROW_REACH) > 0) {
        double shares[SURVEY_REACH];
        evidence_reach(survey, layer, head, shares);
        json_list(json, "reach", bin, SURVEY_REACH, JSON(NULL, shares[bin]));
    }
    json_open(json, "relations", "[");
    for (size_t i = 0; i < size_min(survey_count(survey, ROW_RELATION), RELATIONS); i++) {
        const struct evidence_relation *relation = &relations[i];
        const struct evidence_number *share = &relation->share;
        json_object(json, NULL, JSON("name", relation->name), JSON("share", share->value),
                    JSON("low", share->low), JSON("high", share->high), JSON("n", share->of),
                    JSON("offset", relation->offset),
                    JSON("offset_share", relation->offset_share.value));
    }
    json_close(json, "]");
    free(relations);
    if (P > 0) { /* from a word of a row to all words of a column, in the mean */
        json_open(json, "pos", "[[");
        for (size_t i = 0; i < P * P; i++) {
            json_row(json, i, P);
            json_put(json, JSON(NULL, evidence_pos(survey, i / P, i % P, layer, head)));
        }
        json_close(json, "]]");
    }
    write_pieces(survey, layer, head, false, json);
    write_pieces(survey, layer, head, true, json);
    const struct survey_example *examples[SURVEY_EXAMPLES];
    size_t example_count;
    evidence_examples(survey, layer, head, examples, &example_count);
    json_open(json, "examples", "[");
    for (size_t i = 0; i < size_min(example_count, EXAMPLES); i++) {
        json_open(json, NULL, "{");
        json_open(json, "words", "[");
        for (const char *words = examples[i]->text->key.names[1].bytes; *words;) {
            const struct text word = evidence_word(words, 0);
            json_put(json, JSON_OF(NULL, evidence_spell(word).text, SIZE_MAX));
            words = word.bytes + word.length + (word.bytes[word.length] != '\0');
        }
        json_close(json, "]");
        json_put(json, JSON("from", examples[i]->from), JSON("to", examples[i]->to),
                 JSON("weight", (double)examples[i]->weight / SURVEY_UNIT));
        json_close(json, "}");
    }
    json_close(json, "]}");
    return STATUS_OK;
}

enum status page_write_survey(const struct survey *survey, struct json_writer *json,
                              struct error *error)
{
    const size_t heads = survey->layers * survey->heads;
    enum status status = STATUS_OK;
    json->digits = 4; /* all that an interval leaves of a mean */
    json_open(json, "survey", "{");
    json_put(json, JSON("name", survey_name(survey, ROW_SHARD, 0)),
             JSON("bits", survey->origin.kernels),
             JSON("texts", survey_total(survey, SURVEY_TEXTS)),
             JSON("tokens", survey_total(survey, SURVEY_TOKENS)), JSON("layers", survey->layers),
             JSON("heads", survey->heads), JSON("mark", site_words[survey->site].mark));
    json_list(json, "distances", bin, SURVEY_REACH, JSON(NULL, evidence_distances[bin]));
    json_list(json, "pos", p, survey_count(survey, ROW_POS),
              JSON(NULL, survey_name(survey, ROW_POS, p)));
    json_open(json, "figures", "[");
    for (size_t f = 0; f < survey_count(survey, ROW_FIGURE); f++) {
        const enum metric figure = survey_figure_at(survey, f);
        json_open(json, NULL, "{");
        json_put(json, JSON("name", metric_infos[figure].name),
                 JSON("title", metric_infos[figure].meaning));
        json_list(
            json, "mean", i, heads,
            JSON(NULL, evidence_mean(survey, figure, i / survey->heads, i % survey->heads).value));
        json_list(
            json, "half", i, heads,
            JSON(NULL, evidence_mean(survey, figure, i / survey->heads, i % survey->heads).half));
        json_close(json, "}");
    }
    json_close(json, "]");
    json_open(json, "cards", "[");
    for (size_t i = 0; i < heads && status == STATUS_OK; i++)
        status = write_card(survey, i / survey->heads, i % survey->heads, json, error);
    json_close(json, "]}");
    return status;
}
