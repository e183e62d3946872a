/* corpus_table.c: what the corpus view shows as rows: the figures and labels of all heads or, of
 * the relations, the best head of each. */
#include "headlight/survey/survey_file.h"
#include "headlight/view/corpus.h"

#include <stdlib.h>
#include <string.h>

struct shown {
    FILE *stream;
    const struct evidence_relation *relation; /* NULL: figures and labels are shown */
};

static bool is_one_of(const char *kind, const char *one, const char *other)
{
    return strcmp(kind, one) == 0 || strcmp(kind, other) == 0;
}

/* Of a relation in one direction, with what guessing would find. */
static void write_if_shown(void *context, const struct evidence_row *row)
{
    const struct shown *shown = context;
    const struct evidence_relation *relation = shown->relation;
    const bool fits =
        !relation || (strcmp(row->name, relation->name) == 0 &&
                      (row->layer == NO_HEAD ||
                       strcmp(row->direction, evidence_direction(relation->from_head)) == 0));
    if (fits && (relation ? is_one_of(row->kind, "relation", "guessed")
                          : is_one_of(row->kind, "figure", "label")))
        survey_write_csv_row(shown->stream, row);
}

enum status corpus_table(const struct scene *scene, struct table *table, struct error *error)
{
    const struct survey *survey = data_survey(&scene->data);
    const bool relations = scene->look.corpus.shown == CORPUS_RELATIONS;
    size_t count;
    if (!survey)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the corpus view shows a survey, and none is open");
    table_columns(table, EVIDENCE_COLUMNS);
    struct ranked_head *list = corpus_list(scene, &count, error);
    for (size_t i = 0; list && i < count; i++) {
        const size_t layer = list[i].layer, head = list[i].head, key = (size_t)list[i].key;
        struct evidence_relation relation;
        struct shown shown = {table->stream, NULL};
        if (relations) {
            relation = evidence_relation(survey, key, layer, head);
            shown.relation = &relation;
        }
        const struct evidence_walk walk = {survey, write_if_shown, &shown};
        evidence_head_rows(&walk, layer, head);
        if (relations)
            evidence_offset_rows(&walk, key);
    }
    const bool whole = list != NULL;
    free(list);
    return whole ? STATUS_OK : error->status;
}
