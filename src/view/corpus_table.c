/* corpus_table.c: what the corpus view shows as rows: the figures and labels of all heads or, of
 * the relations, the best head of each. */
#include "headlight/view/corpus.h"

#include "headlight/survey/arrays.h"

#include <stdlib.h>

static void write_row(struct table *table, const char *kind, size_t layer, size_t head,
                      const char *name)
{
    table_text(table, kind);
    table_whole(table, layer);
    table_whole(table, head);
    table_text(table, name);
}

static void write_mean(struct table *table, const struct evidence_mean *mean)
{
    table_number(table, mean->value);
    table_number(table, mean->value - mean->half);
    table_number(table, mean->value + mean->half);
    table_whole(table, (size_t)mean->rows);
    table_empty(table, 3);
    table_end(table);
}

static void write_head(const struct survey *survey, struct table *table, size_t layer, size_t head)
{
    struct evidence_label labels[EVIDENCE_LABELS];
    const size_t count = evidence_labels(survey, layer, head, labels);
    for (size_t i = 0; i < count; i++) {
        write_row(table, "label", layer, head, labels[i].name);
        write_mean(table, &labels[i].mean);
    }
    for (size_t i = 0; i < survey_axis(survey, 'F'); i++) {
        const enum survey_figure figure = survey_figure_at(survey, i);
        const struct evidence_mean mean = evidence_mean(survey, figure, layer, head);
        write_row(table, "figure", layer, head, evidence_figure_name(figure));
        write_mean(table, &mean);
    }
}

static enum status write_relations(const struct survey *survey, struct table *table,
                                   struct error *error)
{
    struct evidence_relation *all = corpus_best_heads(survey, error);
    if (!all)
        return error->status;
    for (size_t i = 0; i < survey->relation_count; i++) {
        const struct evidence_relation *relation = &all[i];
        write_row(table, "relation", relation->layer, relation->head, relation->relation->name);
        table_number(table, relation->share.value);
        table_number(table, relation->share.low);
        table_number(table, relation->share.high);
        table_whole(table, (size_t)relation->share.of);
        table_text(table, relation->from_head ? "from head" : "to head");
        table_number(table, relation->offset);
        table_number(table, relation->offset_share.value);
        table_end(table);
    }
    free(all);
    return STATUS_OK;
}

enum status corpus_table(const struct scene *scene, struct table *table, struct error *error)
{
    const struct survey *survey = data_survey(&scene->data);
    if (!survey)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the corpus view shows a survey, and none is open");
    table_columns(table, "kind,layer,head,name,value,low,high,n,direction,offset,offset_value");
    if (scene->look.corpus.shown == CORPUS_RELATIONS)
        return write_relations(survey, table, error);
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        write_head(survey, table, i / survey->heads, i % survey->heads);
    return STATUS_OK;
}
