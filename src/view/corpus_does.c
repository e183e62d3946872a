/* corpus_does.c: what the parts of the corpus view have in common: numbers as they are written, and
 * what a head does, by name and hue. */
#include "headlight/view/corpus.h"

#include <limits.h>

struct weight_text corpus_half(const struct evidence_number *mean, bool wide)
{
    struct weight_text text = {""};
    if (mean->half <= 0) /* all texts agree */
        return text;
    /* the interval of a share that ends at 1 or 0 has one side to tell */
    const int end = mean->high >= 1 && mean->high <= 1 ? 2 : mean->low >= 0 && mean->low <= 0;
    static const char *const signs[] = {"±", "≤", "≥"};
    const double numbers[] = {mean->half, mean->high, mean->low};
    snprintf(text.text, sizeof text.text, "%s%.20s", isnan(mean->half) ? "" : signs[end],
             number_short(numbers[end], wide).text);
    return text;
}

struct weight_text corpus_mean(const struct evidence_number *mean)
{
    struct weight_text text = number_short(mean->value, true);
    if (!isnan(mean->value))
        snprintf(text.text, sizeof text.text, "%.10s %.12s", number_short(mean->value, true).text,
                 corpus_half(mean, true).text);
    return text;
}

/* ---- What a head does ---- */

struct corpus_head corpus_relation(const struct evidence_relation *relation)
{
    const bool sure = evidence_is_sure(relation);
    return (struct corpus_head){.at = {relation->layer, relation->head, 0},
                                .relation = *relation,
                                .mean = relation->share,
                                .does = ink_full(sure ? ROLE_POSITIVE : ROLE_TEXT),
                                .ink = ink_full(sure ? ROLE_POSITIVE : ROLE_FAINT)};
}

/* Labels have hues of their own, but for the one that is least of news. */
struct corpus_head corpus_head(const struct survey *survey, const struct look *look, size_t layer,
                               size_t number)
{
    const enum metric figure = corpus_figure(look);
    struct corpus_head head = {.at = {layer, number, 0}, .mean = {NAN, NAN, NAN, NAN, 0, 0}};
    struct evidence_relation relation;
    struct evidence_label label;
    evidence_summary_of_head(survey, layer, number, &relation, &label);
    if (relation.name)
        head = corpus_relation(&relation);
    else if (label.name)
        head.mean = label.mean;
    head.label = label;
    if (!relation.name)
        head.does = head.ink = label.name && label.metric != METRIC_BROAD
                                   ? ink_head((size_t)label.metric - METRIC_LABEL, STYLE_FULL)
                                   : ink_full(ROLE_FAINT);
    if (figure > METRIC_LABEL) {
        head.figured = true;
        head.mean = evidence_mean(survey, figure, layer, number);
        head.ink = ink_full(head.mean.value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    }
    const long group = head.figured || relation.name ? 0 : (long)label.metric - METRIC_LABEL;
    head.at.key = isnan(head.mean.value)
                      ? LONG_MIN
                      : lround(fabs(head.mean.value) * 100000) - 10000000 * group;
    if (head.figured && metric_infos[figure].less && !isnan(head.mean.value))
        head.at.key *= -1;
    return head;
}

const char *corpus_does(const struct corpus_head *head, bool brief)
{
    return head->relation.name ? head->relation.name
           : !head->label.name ? ""
           : brief             ? head->label.brief
                               : head->label.name;
}

/* ---- Figures ---- */

enum metric corpus_figure(const struct look *look)
{
    return METRIC_LABEL + (enum metric)look->corpus.figure;
}

double corpus_whole(const struct survey *survey, enum metric figure)
{
    double most = 0;
    if (!*metric_infos[figure].unit)
        return 1;
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        most = fmax(
            most, fabs(evidence_mean(survey, figure, i / survey->heads, i % survey->heads).value));
    return most > 0 ? most : 1;
}
