/* tables.c: what the views show, as tables. */
#include "headlight/lens/answer_rows.h"
#include "headlight/survey/survey_file.h"
#include "headlight/view/compare.h"
#include "headlight/view/corpus.h"
#include "headlight/view/model_view.h"
#include "headlight/view/steps_sheet.h"
#include "headlight/view/words.h"

#include <stdlib.h>

/* ---- Connections ---- */

/* Those of one layer that the filter leaves, of the heads in a mask, and of a token that is chosen.
 * A mean has no layer or head of its own, so "mean" stands in its place, or "all" for a map that
 * heads share. */
static void table_edges(struct table *table, const struct scene *scene, head_mask maps)
{
    const struct token_range left = scene_range(scene, SIDE_LEFT),
                             right = scene_range(scene, SIDE_RIGHT);
    const bool mean = scene->data.mean, layers = scene_is_of_all_layers(scene);
    const bool single = scene_is_single(scene), once = scene_pairs_once(scene);
    const struct look *look = &scene->look;
    for (size_t map = 0; map < scene->data.head_count; map++)
        for (size_t from = left.first; head_mask_has(maps, map) && from < left.end; from++)
            for (size_t to = once ? from + 1 : right.first; to < right.end; to++)
                if ((look->from == NO_TOKEN || look->from == from) &&
                    (look->to == NO_TOKEN || look->to == to))
                    TABLE_ROW(table, CELL("connection"),
                              layers ? CELL(mean ? "mean" : "all") : CELL(scene->look.layer),
                              single ? CELL(mean ? "mean" : "all") : CELL(map),
                              TABLE_SHOWN(scene, SIDE_LEFT, from),
                              TABLE_SHOWN(scene, SIDE_RIGHT, to),
                              CELL(scene_value(scene, map, from, to)));
}

enum status connections_table(const struct scene *scene, struct table *table, struct error *error)
{
    (void)error;
    table_connections(table, scene, "kind,layer,head,");
    table_edges(table, scene, scene_maps(scene));
    return STATUS_OK;
}

/* ---- All heads ---- */

/* Without a figure the view shows what its thumbnails are of. */
enum status model_table(const struct scene *scene, struct table *table, struct error *error)
{
    if (model_view_has_metric(scene) && !scene_is_single(scene)) {
        /* sorted where the picture is */
        const bool effects = model_view_metric(scene) == METRIC_EFFECT && scene->data.effects;
        struct ranked_head *heads = model_view_sort(scene, error);
        if (!heads)
            return error->status;
        fputs(effects ? "kind,layer,head,token,token_piece,text,id,piece,change\n"
                      : "kind,layer,head,figure,value\n",
              table->csv.stream);
        for (size_t i = 0; i < scene->data.layers * scene->data.head_count; i++) {
            const size_t layer = heads[i].layer, head = heads[i].head;
            if (effects) {
                /* the change of an answer's log-probability without the head; the answer is at a
                 * token if it has one, a piece is as the vocabulary has it */
                const struct checkpoint *speaker =
                    checkpoint_stack(scene->data.checkpoint, SITE_DECODER);
                const struct target *on = &scene->data.effects->on;
                const bool placed = target_has_token(on->output) || on->output == OUTPUT_START;
                const struct encoded *at = placed ? encoded_speaker(scene->data.encoded) : NULL;
                char name[256];
                target_name(scene->data.checkpoint, scene->data.encoded, on, name, sizeof name);
                TABLE_ROW(table, CELL("effect"), CELL(layer), CELL(head),
                          TABLE_TOKEN(at, SIDE_LEFT, on->token), CELL(on->id),
                          CELL(target_is_word(on->output)
                                   ? tokenizer_piece(speaker->tokenizer, on->id)
                                   : name),
                          CELL(model_view_value(scene, layer, head)));
                continue;
            }
            /* a label has the figure that it is named after, and its value */
            const bool labelled = model_view_metric(scene) == METRIC_LABEL;
            const struct head_label label =
                labelled ? model_view_label(scene, layer, head) : (struct head_label){0};
            TABLE_ROW(table, CELL(labelled ? "label" : "figure"), CELL(layer), CELL(head),
                      CELL(labelled ? label.name : metric_infos[model_view_metric(scene)].name),
                      CELL(!labelled                     ? model_view_value(scene, layer, head)
                           : label.metric == METRIC_NONE ? (double)NAN
                                                         : label.value));
        }
        for (size_t l = 0; model_view_metric(scene) == METRIC_MOVED && l < scene->data.layers;
             l++) {
            const struct token_range all = {0, scene->data.divergence->tokens};
            TABLE_ROW(table, CELL("cosine"), CELL(l), JSON_NULL(NULL), CELL("cosine"),
                      CELL(divergence_cosine(scene->data.divergence, l, all)));
        }
        free(heads);
        return STATUS_OK;
    }
    struct scene shown = *scene;
    table_connections(table, scene, "kind,layer,head,");
    for (shown.look.layer = 0; shown.look.layer < scene->data.layers; shown.look.layer++)
        table_edges(table, &shown,
                    scene_is_single(scene) ? 1 : head_mask_all(scene->data.head_count));
    return STATUS_OK;
}

/* ---- What is said ---- */

#define ANSWERS "kind,layer,token,token_piece,text,rank,id,piece,probability"

/* The first one comes after its columns. */
static void table_answer(void *to, const struct answer_row *row)
{
    struct table *table = to;
    const struct json_value cells[] = {CELL(row->kind),
                                       CELL_IF(row->layer != NO_TOKEN, row->layer),
                                       TABLE_TOKEN(row->encoded, SIDE_LEFT, row->token),
                                       CELL_IF(row->rank > 0, row->rank),
                                       CELL_IF(row->id != NO_TOKEN, row->id),
                                       CELL(row->name),
                                       CELL(row->number),
                                       CELL_IF(row->paired, row->paired->first),
                                       CELL_IF(row->paired, row->pair)};
    if (!table->begun)
        fputs(table->pairs ? ANSWERS ",paired,pair\n" : ANSWERS "\n", table->csv.stream);
    table->begun = true;
    json_put_object(&table->csv, NULL, cells, LENGTH(cells) - (table->pairs ? 0 : 2));
}

/* What the view shows, of each layer; the last one's is what the model says. A head for a task has
 * the table to itself; words share theirs with what else the model says of a pair. Whatever can
 * fail comes before the first row. */
static enum status table_said(const struct scene *scene, struct table *table, struct error *error)
{
    static const enum model_output others[] = {OUTPUT_MLM, OUTPUT_LM, OUTPUT_RTD, OUTPUT_NSP,
                                               OUTPUT_SOP};
    const struct data *data = &scene->data;
    const struct trace *trace = data->trace;
    const struct layer_answers *answers = data->layer_answers;
    const enum model_output output = answers_output(&scene->look, data);
    const bool vector = output == OUTPUT_SENTENCE && !scene_is_pair(scene);
    struct answer_source source = {.checkpoint = data->checkpoint,
                                   .encoded = data->encoded,
                                   .trace = trace,
                                   .task = answers ? answers->answer : NULL,
                                   .sentences = data->sentences,
                                   .top = size_min(table->top, trace->vocabulary),
                                   .labels = table->top,
                                   .after = answers ? answers->after : NULL,
                                   .cells = output == OUTPUT_TAGS ? data->lens : NULL};
    struct prediction *best = NULL;
    enum status status = STATUS_OK;
    if (output != OUTPUT_RTD && !target_is_word(output))
        status = answer_rows(&source, output, table_answer, table, error);
    for (size_t i = 0; vector && trace->outputs[OUTPUT_SENTENCE] && i < trace->sentence; i++)
        table_answer(table,
                     &(struct answer_row){.kind = "embedding",
                                          .layer = NO_TOKEN,
                                          .id = i,
                                          .number = (double)trace->outputs[OUTPUT_SENTENCE][i]});
    if (status != STATUS_OK || table->begun)
        return status;
    if (!data->no_lens[0])
        status = logit_lens_best(data->checkpoint->model, trace, source.top, &best, error);
    source.lens = best;
    for (size_t i = 0; i < LENGTH(others) && status == STATUS_OK; i++)
        if (others[i] != OUTPUT_RTD || output == OUTPUT_RTD)
            status = answer_rows(&source, others[i], table_answer, table, error);
    free(best);
    return status != STATUS_OK || table->begun
               ? status
               : error_set(error, STATUS_UNSUPPORTED, "%s", data->no_lens);
}

enum status words_table(const struct scene *scene, struct table *table, struct error *error)
{
    const bool source = scene->data.encoded->site == SITE_ENCODER && scene->data.word_effects;
    table->pairs = words_effect_rows(scene) > 1;
    const enum status status = source ? STATUS_OK : table_said(scene, table, error);
    if (status != STATUS_OK || !scene->data.word_effects)
        return status;
    /* How likely the answer is without each word, by its first piece, that could be taken
     * away; and what taking the chosen word away with it adds to the change. */
    const struct word_effects *effects = scene->data.word_effects;
    const struct model *model = scene->data.checkpoint->model;
    const struct target *on = &effects->on;
    char name[256];
    target_name(scene->data.checkpoint, scene->data.encoded, on, name, sizeof name);
    for (size_t i = 0; i < effects->count; i++) {
        const struct word_effect *word = &effects->words[i];
        const double pair = words_effect(scene, 1, word->pieces.first);
        if (!isnan(word->change))
            table_answer(table,
                         &(struct answer_row){
                             .kind = word_way_names[effects->way],
                             .layer = NO_TOKEN,
                             .encoded = encoded_attended(scene->data.encoded),
                             .token = word->pieces.first,
                             .id = (size_t)on->id,
                             .name = name,
                             .number = target_shown(model, on, effects->logprob + word->change),
                             .paired = isnan(pair) ? NULL : &effects->words[effects->paired].pieces,
                             .pair = pair});
    }
    return status;
}

/* ---- The numbers of a stage ---- */

enum status steps_table(const struct scene *scene, struct table *table, struct error *error)
{
    const struct steps_at at = steps_place(scene);
    const enum stage stage = steps_stage(scene);
    const struct step_numbers *made = &scene->data.steps->stage[stage];
    if (made->count == 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the stage %s: expected its numbers, found a recording that lacks the %s",
                         stage_name(stage), made->missing ? made->missing : "numbers");
    fputs("kind,layer,head,token,token_piece,text,stage,number,value\n", table->csv.stream);
    for (size_t i = 0; i < made->count; i++)
        TABLE_ROW(table, CELL("number"), CELL(at.layer), CELL(at.head),
                  TABLE_TOKEN(scene->data.encoded, SIDE_LEFT, at.token), CELL(stage_name(stage)),
                  CELL(i), CELL(made->numbers[i]));
    return STATUS_OK;
}

/* ---- Two passes ---- */

static void table_cosine(struct table *table, const struct comparison *both, const char *layer,
                         double cosine)
{
    const struct token_range *word = both->word;
    TABLE_ROW(table, CELL("cosine"), JSON_NULL(NULL), CELL(layer), JSON_NULL(NULL),
              TABLE_TOKEN(both->encoded[SIDE_LEFT], SIDE_LEFT, word[SIDE_LEFT].first),
              TABLE_TOKEN(both->encoded[SIDE_RIGHT], SIDE_LEFT, word[SIDE_RIGHT].first),
              CELL(cosine));
}

enum status compare_table(const struct scene *scene, struct table *table, struct error *error)
{
    const struct comparison comparison = comparison_of(scene);
    const bool twice = comparison.kind == COMPARISON_WORD;
    struct occurrence words[2];
    if (!comparison.trace[SIDE_LEFT] || !comparison.trace[SIDE_RIGHT])
        return error_set(error, STATUS_UNSUPPORTED, "%s", scene->data.uncompared);
    if (twice && !comparison_word(&comparison, words))
        return error_set(error, STATUS_UNSUPPORTED, COMPARE_NOTHING);
    fprintf(table->csv.stream, "kind,side,layer,head,%s,value\n", table_pair(scene));
    struct compare compare;
    compare_begin(&compare, scene, NULL);
    for (int i = 0; i < (twice ? 1 : COMPARE_PANELS); i++) {
        /* the map of one side, or the right one's less the left one's, for what is on both */
        const struct compare_panel *panel = &compare.panel[i];
        const struct encoded *encoded = comparison.encoded[panel->side];
        const size_t columns = panel->tokens[SIDE_RIGHT]->count,
                     count = panel->weights ? panel->tokens[SIDE_LEFT]->count * columns : 0;
        for (size_t j = 0; j < count; j++) {
            const size_t from = j / columns, to = j % columns;
            const float value = compare_value(panel, from, to);
            if (!isnan(value))
                TABLE_ROW(
                    table, CELL("connection"),
                    CELL(panel->difference          ? "difference"
                         : panel->side == SIDE_LEFT ? "left"
                                                    : "right"),
                    CELL(comparison_level(&comparison, panel->side, scene->look.layer + 1) - 1),
                    CELL(scene->look.head), TABLE_TOKEN(encoded, SIDE_LEFT, from),
                    TABLE_TOKEN(encoded, SIDE_RIGHT, to), CELL(value));
        }
    }
    /* Of the word that is on both sides, layer by layer, and of its last vectors. */
    char layer[48] = "embedding";
    if (!comparison_word(&comparison, words) || !cosine_is_defined(&words[0], &words[1]))
        return STATUS_OK;
    for (size_t level = 0; level <= words[0].trace->layers; level++) {
        table_cosine(table, &comparison, layer, comparison_cosine(&comparison, words, level));
        snprintf(layer, sizeof layer, "%zu", level);
    }
    const size_t last = cosine_last_layers(&words[0], &words[1]);
    snprintf(layer, sizeof layer, "last %zu: sum", last);
    table_cosine(table, &comparison, layer, cosine_of_last(&words[0], &words[1], COSINE_SUM));
    snprintf(layer, sizeof layer, "last %zu: concatenated", last);
    table_cosine(table, &comparison, layer,
                 cosine_of_last(&words[0], &words[1], COSINE_CONCATENATION));
    return STATUS_OK;
}

/* ---- A survey ---- */

/* The figures and labels of all heads or, of the relations, the best head of each. */
enum status corpus_table(const struct scene *scene, struct table *table, struct error *error)
{
    const struct survey *survey = data_survey(&scene->data);
    const bool relations = scene->look.corpus.shown == CORPUS_RELATIONS;
    size_t count, at;
    if (!survey)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the corpus view shows a survey, and none is open");
    fputs(SURVEY_COLUMNS, table->csv.stream);
    struct corpus_head *list = corpus_list(scene, &count, &at, error);
    for (size_t i = 0; list && i < count; i++)
        if (relations)
            survey_write_relation(survey, &list[i].relation, &table->csv);
        else
            survey_write_head(survey, list[i].at.layer, list[i].at.head, ROW_BESIDE, &table->csv);
    const bool whole = list != NULL;
    free(list);
    return whole ? STATUS_OK : error->status;
}
