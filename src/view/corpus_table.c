/* corpus_table.c: what the corpus view shows as rows: the figures and labels of all heads or, of
 * the relations, the best head of each. */
#include "headlight/view/corpus.h"

#include <stdlib.h>

static void write_row(struct table *table, const char *kind, const struct ranked_head *head,
                      const char *name, const struct evidence_share *share)
{
    table_text(table, kind);
    table_whole(table, head->layer);
    table_whole(table, head->head);
    table_text(table, name);
    table_number(table, share->value);
    table_number(table, share->low);
    table_number(table, share->high);
    table_whole(table, (size_t)share->of);
}

static void write_mean(struct table *table, const char *kind, const struct ranked_head *head,
                       const char *name, const struct evidence_mean *mean)
{
    const struct evidence_share share = {mean->value, mean->value - mean->half,
                                         mean->value + mean->half, 0, mean->rows};
    write_row(table, kind, head, name, &share);
    table_empty(table, 3);
    table_end(table);
}

static void write_head(const struct survey *survey, struct table *table,
                       const struct ranked_head *head)
{
    struct evidence_label labels[EVIDENCE_LABELS];
    const size_t count = evidence_labels(survey, head->layer, head->head, labels);
    for (size_t i = 0; i < count; i++)
        write_mean(table, "label", head, labels[i].name, &labels[i].mean);
    for (size_t i = 0; i < survey_count(survey, ROW_FIGURE); i++) {
        const enum survey_figure figure = survey_figure_at(survey, i);
        const struct evidence_mean mean = evidence_mean(survey, figure, head->layer, head->head);
        write_mean(table, "figure", head, survey_figure_name(figure), &mean);
    }
}

static void write_relation(const struct survey *survey, struct table *table,
                           const struct ranked_head *head)
{
    const struct evidence_relation relation =
        evidence_relation(survey, (size_t)head->key, head->layer, head->head);
    write_row(table, "relation", head, relation.name, &relation.share);
    table_text(table, relation.from_head ? "from head" : "to head");
    table_number(table, relation.offset);
    table_number(table, relation.offset_share.value);
    table_end(table);
}

enum status corpus_table(const struct scene *scene, struct table *table, struct error *error)
{
    const struct survey *survey = data_survey(&scene->data);
    size_t count;
    if (!survey)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the corpus view shows a survey, and none is open");
    table_columns(table, "kind,layer,head,name,value,low,high,n,direction,offset,offset_value");
    struct ranked_head *list = corpus_list(scene, &count, error);
    for (size_t i = 0; list && i < count; i++)
        if (scene->look.corpus.shown == CORPUS_RELATIONS)
            write_relation(survey, table, &list[i]);
        else
            write_head(survey, table, &list[i]);
    const bool whole = list != NULL;
    free(list);
    return whole ? STATUS_OK : error->status;
}
