/* page_survey.c: a survey for the page: each head's means and card. */
#include "headlight/export/page.h"

#include "headlight/base/json.h"
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

/* Four digits are all that an interval leaves of a mean. */
static void write_number(FILE *stream, const char *before, double number)
{
    fputs(before, stream);
    if (isfinite(number))
        fprintf(stream, "%.4g", number);
    else
        fputs("null", stream);
}

/* ---- All heads ---- */

/* Those that one text has as well say what they are; others only their name. */
static const char *meaning_of(const char *name)
{
    for (enum metric metric = METRIC_LABEL + 1; metric < METRIC_EFFECT; metric++)
        if (strcmp(metric_info(metric)->name, name) == 0)
            return metric_info(metric)->meaning;
    return name;
}

static void write_figures(const struct survey *survey, FILE *stream)
{
    for (size_t f = 0; f < survey_count(survey, ROW_FIGURE); f++) {
        const enum survey_figure figure = survey_figure_at(survey, f);
        const char *name = survey_figures[figure].name;
        fprintf(stream, "%s{\"name\":\"%s\",\"title\":\"%s\"", f > 0 ? "," : "", name,
                meaning_of(name));
        for (int half = 0; half < 2; half++) {
            for (size_t i = 0; i < survey->layers * survey->heads; i++) {
                const struct evidence_mean mean =
                    evidence_mean(survey, figure, i / survey->heads, i % survey->heads);
                write_number(stream,
                             i > 0  ? ","
                             : half ? "],\"half\":["
                                    : ",\"mean\":[",
                             half ? mean.half : mean.value);
            }
        }
        fputs("]}", stream);
    }
}

/* ---- The card of one ---- */

struct card {
    const struct survey *survey;
    size_t layer, head;
    struct evidence_relation *relations; /* [R] */
    FILE *stream;
};

/* The relation that it surely knows, then its labels. */
static void write_card_does(const struct card *card)
{
    struct evidence_relation relation;
    struct evidence_label label, labels[EVIDENCE_LABELS];
    const size_t count = evidence_labels(card->survey, card->layer, card->head, labels);
    const char *before = "{\"text\":";
    fputs("{\"does\":[", card->stream);
    evidence_summary_of_head(card->survey, card->layer, card->head, &relation, &label);
    if (relation.name) {
        page_write_shown(card->stream, before, text_of_string(relation.name));
        write_number(card->stream, ",\"share\":", relation.share.value);
        fprintf(card->stream, ",\"n\":%" PRId64 "}", relation.share.of);
        before = ",{\"text\":";
    }
    for (size_t i = 0; i < count; i++) {
        page_write_shown(card->stream, before, text_of_string(labels[i].words));
        write_number(card->stream, ",\"share\":", labels[i].mean.value);
        fprintf(card->stream, ",\"n\":%" PRId64 "}", labels[i].mean.rows);
        before = ",{\"text\":";
    }
    fputc(']', card->stream);
}

static void write_card_relations(const struct card *card)
{
    FILE *stream = card->stream;
    fputs(",\"relations\":[", stream);
    for (size_t i = 0; i < size_min(survey_count(card->survey, ROW_RELATION), RELATIONS); i++) {
        const struct evidence_relation *relation = &card->relations[i];
        page_write_shown(stream,
                         i > 0 ? ",{\"name\":" : "{\"name\":", text_of_string(relation->name));
        write_number(stream, ",\"share\":", relation->share.value);
        write_number(stream, ",\"low\":", relation->share.low);
        write_number(stream, ",\"high\":", relation->share.high);
        fprintf(stream, ",\"n\":%" PRId64 ",\"offset\":%d", relation->share.of, relation->offset);
        write_number(stream, ",\"offset_share\":", relation->offset_share.value);
        fputc('}', stream);
    }
    fputc(']', stream);
}

/* From a word of a row to all words of a column, in the mean. */
static void write_card_pos(const struct card *card)
{
    const struct survey *survey = card->survey;
    const size_t P = survey_count(survey, ROW_POS);
    for (size_t p = 0; p < P; p++)
        page_write_shown(card->stream, p > 0 ? "," : ",\"pos\":{\"names\":[",
                         text_of_string(survey_name(survey, ROW_POS, p)));
    for (size_t i = 0; i < P * P; i++)
        write_number(card->stream,
                     i == 0       ? "],\"shares\":[["
                     : i % P == 0 ? "],["
                                  : ",",
                     evidence_pos(survey, i / P, i % P, card->layer, card->head));
    fputs(P > 0 ? "]]}" : "", card->stream);
}

static void write_card_pieces(const struct card *card, bool at)
{
    struct evidence_word words[PIECES];
    const size_t count = evidence_words(card->survey, card->layer, card->head, at, words, PIECES);
    fputs(at ? ",\"at\":[" : ",\"from\":[", card->stream);
    for (size_t i = 0; i < count; i++) {
        page_write_shown(card->stream, i > 0 ? "],[" : "[", text_of_string(words[i].piece));
        write_number(card->stream, ",", words[i].share);
    }
    fputs(count > 0 ? "]]" : "]", card->stream);
}

static void write_card_examples(const struct card *card)
{
    const struct survey_example *examples[EVIDENCE_EXAMPLES];
    size_t count;
    evidence_examples(card->survey, card->layer, card->head, examples, &count);
    fputs(",\"examples\":[", card->stream);
    for (size_t i = 0; i < size_min(count, EXAMPLES); i++) {
        fputs(i > 0 ? ",{\"words\":" : "{\"words\":", card->stream);
        /* a blank within a word is a newline there */
        const char *words = examples[i]->text->key.names[1].bytes;
        for (const char *before = "["; *words; before = ",") {
            char shown[256];
            const struct text word = evidence_word(words, 0);
            format_cut(shown, sizeof shown, "%.*s", (int)word.length, word.bytes);
            for (char *at = shown; (at = strchr(at, '\n'));)
                *at = ' ';
            page_write_shown(card->stream, before, text_of_string(shown));
            words = word.bytes + word.length + (word.bytes[word.length] != '\0');
        }
        fputc(']', card->stream);
        fprintf(card->stream, ",\"from\":%" PRId64 ",\"to\":%" PRId64, examples[i]->from,
                examples[i]->to);
        write_number(card->stream, ",\"weight\":", (double)examples[i]->weight / SURVEY_UNIT);
        fputc('}', card->stream);
    }
    fputs("]}", card->stream);
}

/* ---- The whole ---- */

enum status page_write_survey(const struct survey *survey, FILE *stream, struct error *error)
{
    struct card card = {.survey = survey, .stream = stream};
    page_write_shown(stream,
                     ",\"survey\":{\"name\":", text_of_string(survey_name(survey, ROW_SHARD, 0)));
    fprintf(stream,
            ",\"texts\":%" PRId64 ",\"tokens\":%" PRId64 ",\"layers\":%zu,\"heads\":%zu"
            ",\"figures\":[",
            survey_total(survey, SURVEY_TEXTS), survey_total(survey, SURVEY_TOKENS), survey->layers,
            survey->heads);
    write_figures(survey, stream);
    fputs("],\"cards\":[", stream);
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        card.layer = i / survey->heads;
        card.head = i % survey->heads;
        card.relations = evidence_relations(survey, card.layer, card.head, error);
        if (!card.relations)
            return error->status;
        fputs(i > 0 ? "," : "", stream);
        write_card_does(&card);
        /* bins of distances, as survey.h has them; the one in the middle is the token itself */
        double shares[SURVEY_REACH];
        evidence_reach(survey, card.layer, card.head, shares);
        fprintf(stream,
                ",\"reach\":{\"from\":%d,\"names\":[\"-33\",\"-17\",\"-9\",\"-5\",\"-3\",\"-2\","
                "\"-1\",\"0\",\"1\",\"2\",\"3\",\"5\",\"9\",\"17\",\"33\"],\"shares\":[",
                -(SURVEY_REACH / 2));
        for (size_t bin = 0; bin < SURVEY_REACH; bin++)
            write_number(stream, bin > 0 ? "," : "", shares[bin]);
        fputs("]}", stream);
        write_card_relations(&card);
        write_card_pos(&card);
        write_card_pieces(&card, false);
        write_card_pieces(&card, true);
        write_card_examples(&card);
        free(card.relations);
    }
    fputs("]}", stream);
    return STATUS_OK;
}
