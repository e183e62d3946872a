/* corpus_does.c: what the parts of the corpus view have in common: numbers as they are written, and
 * what a head does, by name and hue. */
#include "headlight/view/corpus.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Numbers in words ---- */

void corpus_write_number(char *text, size_t size, double value, bool wide)
{
    char digits[32];
    snprintf(digits, sizeof digits, value < 10 ? wide ? "%.3f" : "%.2f" : "%.1f", fabs(value));
    format_cut(text, size, "%s%s", value < 0 ? "-" : "",
               isnan(value) ? "-" : digits + (!wide && digits[0] == '0'));
}

void corpus_write_mean(char *text, size_t size, const struct evidence_mean *mean, bool wide)
{
    char value[16], half[16];
    corpus_write_number(value, sizeof value, mean->value, wide);
    corpus_write_number(half, sizeof half, mean->half, wide);
    snprintf(text, size, isnan(mean->value) ? "%s" : "%s ±%s", value, half);
}

/* ---- What a head does ---- */

/* The relation that it is surest to know; of no name if there is none. */
static struct evidence_relation known_relation(const struct survey *survey, size_t layer,
                                               size_t head)
{
    struct evidence_relation known = {.relation = NULL};
    for (size_t i = 0; i < survey->relation_count; i++) {
        const struct evidence_relation relation = evidence_relation(survey, i, layer, head);
        if (evidence_is_sure(&relation) && relation.sure > known.sure)
            known = relation;
    }
    return known;
}

/* A relation that is found in half of its pairs says more than a label does, and any says more than
 * that a head looks at everything alike. */
struct corpus_does corpus_does(const struct survey *survey, size_t layer, size_t head)
{
    struct corpus_does does = {.relation = known_relation(survey, layer, head)};
    struct evidence_label labels[EVIDENCE_LABELS];
    if (evidence_labels(survey, layer, head, labels) == 0)
        return does;
    does.label = labels[0];
    if (does.label.figure != SURVEY_BROAD && does.relation.share.value < METRICS_NAMED)
        does.relation.relation = NULL;
    return does;
}

const char *corpus_does_name(const struct corpus_does *does, bool brief)
{
    return corpus_relates(does)        ? does->relation.relation->name
           : !corpus_is_labelled(does) ? ""
           : brief                     ? does->label.brief
                                       : does->label.name;
}

/* Relations are brightest; labels have hues of their own, but for the one that is least of news. */
struct ink corpus_does_ink(const struct corpus_does *does)
{
    return corpus_relates(does) ? ink_full(ROLE_POSITIVE)
           : corpus_is_labelled(does) && does->label.figure != SURVEY_BROAD
               ? ink_head(1 + (size_t)does->label.figure, STYLE_FULL)
               : ink_full(ROLE_FAINT);
}

const char *corpus_between(const char *relation)
{
    static const char *const names[][2] = {
        {"acl", "the verb of a clause and the noun that it describes"},
        {"advcl", "the verb of a clause and the verb that it describes"},
        {"advmod", "an adverb and what it describes"},
        {"amod", "an adjective and its noun"},
        {"appos", "a noun and another name for it"},
        {"aux", "an auxiliary and its verb"},
        {"case", "a preposition and its noun"},
        {"cc", "a conjunction and what it joins"},
        {"ccomp", "the verb of a clause and the verb whose object it is"},
        {"compound", "two parts of a compound"},
        {"conj", "two that are joined by a conjunction"},
        {"cop", "a form of be and what it says"},
        {"csubj", "the verb of a clause and the verb whose subject it is"},
        {"det", "an article and its noun"},
        {"discourse", "an interjection and its sentence"},
        {"expl", "there or it, without a meaning, and its verb"},
        {"fixed", "two parts of a fixed phrase"},
        {"flat", "two parts of a name"},
        {"iobj", "an indirect object and its verb"},
        {"list", "two members of a list"},
        {"mark", "a word that opens a clause and its verb"},
        {"nmod", "a noun and the noun that it describes"},
        {"nsubj", "a subject and its verb"},
        {"nummod", "a number and its noun"},
        {"obj", "an object and its verb"},
        {"obl", "a noun that is no object and its verb"},
        {"parataxis", "two sentences side by side"},
        {"vocative", "who is spoken to and the sentence"},
        {"xcomp", "a verb and the verb that it completes"},
    };
    const size_t length = strcspn(relation, ":");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i][0]) == length && strncmp(names[i][0], relation, length) == 0)
            return names[i][1];
    return "";
}

/* ---- Figures ---- */

enum survey_figure corpus_figure(const struct look *look)
{
    return look->corpus.figure > 0 ? (enum survey_figure)(look->corpus.figure - 1)
                                   : SURVEY_FIGURE_COUNT;
}

enum survey_figure corpus_across(const struct look *look)
{
    return look->corpus.figure > 0 ? corpus_figure(look) : SURVEY_ENTROPY;
}

double corpus_whole(const struct survey *survey, enum survey_figure figure)
{
    double most = 0;
    if (figure == SURVEY_FIGURE_COUNT || !*evidence_figure_unit(figure))
        return 1;
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        most = fmax(
            most, fabs(evidence_mean(survey, figure, i / survey->heads, i % survey->heads).value));
    return most > 0 ? most : 1;
}

struct evidence_relation *corpus_best_heads(const struct survey *survey, struct error *error)
{
    struct evidence_relation *all =
        memory_new(survey->relation_count + 1, sizeof *all, 0, "the relations", error);
    if (all)
        evidence_best_heads(survey, all);
    return all;
}

void corpus_draw_heading(const struct corpus_part *part, enum card_part kind, const char *title,
                         const char *about)
{
    const struct area *area = &part->area;
    struct pen pen = {part->sheet->canvas, area->y, area->x, area->x + area->columns};
    pen_print(&pen, style_bold(ROLE_TITLE), "%s", title);
    pen_print(&pen, style_of(ROLE_FAINT), "  %s", about);
    canvas_mark(part->sheet->canvas, (struct area){area->y, area->x, 1, area->columns}, HIT_CARD,
                kind);
}
