/* tables.c: what the views show, as tables. */
#include "headlight/base/size.h"
#include "headlight/lens/answer_rows.h"
#include "headlight/lens/figures.h"
#include "headlight/lens/layer_answers.h"
#include "headlight/lens/steps.h"
#include "headlight/view/answers.h"
#include "headlight/view/comparison.h"
#include "headlight/view/model_view.h"
#include "headlight/view/steps_sheet.h"
#include "headlight/view/views.h"
#include "headlight/view/words.h"

#include <math.h>
#include <stdlib.h>

/* ---- Connections ---- */

/* A mean has no layer or head of its own, so "mean" stands in its place, or "all" for a map that
 * heads share. */
static void table_edge(struct table *table, const struct scene *scene, size_t map, size_t from,
                       size_t to)
{
    const bool mean = scene->data.mean, layers = mean && scene->look.averaged == MEAN_LAYERS;
    table_text(table, "connection");
    if (layers)
        table_text(table, "mean");
    else
        table_whole(table, scene->look.layer);
    if (scene_is_single(scene))
        table_text(table, mean ? "mean" : "all");
    else
        table_whole(table, map);
    table_shown(table, scene, SIDE_LEFT, from);
    table_shown(table, scene, SIDE_RIGHT, to);
    table_number(table, (double)scene_value(scene, map, from, to));
    table_end(table);
}

/* Those of one layer that the filter leaves, of the heads in a mask. */
static void table_edges(struct table *table, const struct scene *scene, uint64_t maps)
{
    const struct token_range left = scene_range(scene, SIDE_LEFT),
                             right = scene_range(scene, SIDE_RIGHT);
    for (size_t map = 0; map < scene->data.head_count; map++)
        for (size_t from = left.first; head_mask_has(maps, map) && from < left.end; from++)
            for (size_t to = right.first; to < right.end; to++)
                table_edge(table, scene, map, from, to);
}

static void connections_columns_of(struct table *table, const struct scene *scene)
{
    char columns[128];
    snprintf(columns, sizeof columns, "kind,layer,head," TABLE_PAIR ",%s", table_value_name(scene));
    table_columns(table, columns);
}

enum status connections_table(const struct scene *scene, struct table *table, struct error *error)
{
    (void)error;
    connections_columns_of(table, scene);
    table_edges(table, scene, scene_maps(scene));
    return STATUS_OK;
}

/* ---- All heads ---- */

/* A label has the figure that it is named after, and its value. */
static void table_figure(struct table *table, const struct scene *scene, size_t layer, size_t head)
{
    const enum metric metric = scene->look.metric;
    table_text(table, metric == METRIC_LABEL ? "label" : "figure");
    table_whole(table, layer);
    table_whole(table, head);
    if (metric == METRIC_LABEL) {
        const struct head_label label = model_view_label(scene, layer, head);
        table_text(table, label.name);
        table_number(table, label.label == LABEL_NONE ? (double)NAN : label.value);
    } else {
        table_text(table, metric_info(metric)->name);
        table_number(table, model_view_value(scene, layer, head));
    }
    table_end(table);
}

/* At a token if it has one; a piece as the vocabulary has it. */
static void table_target(struct table *table, const struct scene *scene,
                         const struct target *target)
{
    const struct checkpoint *checkpoint = scene->data.checkpoint;
    char name[256];
    if (target_has_token(target->output) || target->output == OUTPUT_START)
        table_token(table, scene->data.encoded, SIDE_LEFT, target->token);
    else
        table_empty(table, 3);
    table_whole(table, (size_t)target->id);
    target_name(checkpoint, scene->data.encoded, target, name, sizeof name);
    table_text(table, target_is_word(target->output)
                          ? tokenizer_piece(checkpoint->tokenizer, target->id)
                          : name);
}

/* The change of an answer's log-probability without the head. */
static void table_effect(struct table *table, const struct scene *scene, size_t layer, size_t head)
{
    const struct effects *effects = scene->data.effects;
    table_text(table, "effect");
    table_whole(table, layer);
    table_whole(table, head);
    table_target(table, scene, &effects->on);
    table_number(table, model_view_value(scene, layer, head));
    table_end(table);
}

/* Sorted where the picture is. */
static enum status table_heads(const struct scene *scene, struct table *table, struct error *error)
{
    const bool effects = model_view_has_effects(scene);
    struct ranked_head *heads = model_view_sort(scene, error);
    if (!heads)
        return error->status;
    table_columns(table, effects ? "kind,layer,head,token,token_piece,text,id,piece,change"
                                 : "kind,layer,head,figure,value");
    for (size_t i = 0; i < scene->data.layers * scene->data.head_count; i++)
        (effects ? table_effect : table_figure)(table, scene, heads[i].layer, heads[i].head);
    for (size_t l = 0; scene->look.metric == METRIC_MOVED && l < scene->data.layers; l++) {
        const struct token_range all = {0, scene->data.divergence->tokens};
        table_text(table, "cosine");
        table_whole(table, l);
        table_empty(table, 1);
        table_text(table, "cosine");
        table_number(table, divergence_cosine(scene->data.divergence, l, all));
        table_end(table);
    }
    free(heads);
    return STATUS_OK;
}

/* Without a figure the view shows what its thumbnails are of. */
enum status model_table(const struct scene *scene, struct table *table, struct error *error)
{
    if (model_view_has_metric(scene) && !scene_is_single(scene))
        return table_heads(scene, table, error);
    struct scene shown = *scene;
    connections_columns_of(table, scene);
    for (shown.look.layer = 0; shown.look.layer < scene->data.layers; shown.look.layer++)
        table_edges(table, &shown,
                    scene_is_single(scene) ? 1 : head_mask_all(scene->data.head_count));
    return STATUS_OK;
}

/* ---- What is said ---- */

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
                                   .alike = data->alike,
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
    if (!data->speechless[0])
        status = logit_lens_best(data->checkpoint->model, trace, source.top, &best, error);
    source.lens = best;
    for (size_t i = 0; i < sizeof others / sizeof *others && status == STATUS_OK; i++)
        if (others[i] != OUTPUT_RTD || output == OUTPUT_RTD)
            status = answer_rows(&source, others[i], table_answer, table, error);
    free(best);
    return status != STATUS_OK || table->begun
               ? status
               : error_set(error, STATUS_UNSUPPORTED, "%s", data->speechless);
}

/* How likely the answer is without each word, by its first piece, that could be taken away; and
 * what taking the chosen word away with it adds to the change. */
static void table_word_effects(const struct scene *scene, struct table *table)
{
    const struct word_effects *effects = scene->data.word_effects;
    const struct model *model = scene->data.checkpoint->model;
    const struct target *on = &effects->on;
    char name[256];
    target_name(scene->data.checkpoint, scene->data.encoded, on, name, sizeof name);
    for (size_t i = 0; i < effects->count; i++) {
        const struct word_effect *word = &effects->words[i];
        const double pair = words_pair(scene, word->pieces.first);
        if (!isnan(word->change))
            table_answer(table,
                         &(struct answer_row){
                             .kind = word_way_name(effects->way),
                             .layer = NO_TOKEN,
                             .encoded = scene->data.encoded,
                             .token = word->pieces.first,
                             .id = (size_t)on->id,
                             .name = name,
                             .number = target_shown(model, on, effects->logprob + word->change),
                             .paired = isnan(pair) ? NULL : &effects->words[effects->paired].pieces,
                             .pair = pair});
    }
}

enum status words_table(const struct scene *scene, struct table *table, struct error *error)
{
    table->pairs = words_effect_rows(scene) > 1;
    const enum status status = table_said(scene, table, error);
    if (status == STATUS_OK && scene->data.word_effects)
        table_word_effects(scene, table);
    return status;
}

/* ---- The numbers of a stage ---- */

enum status steps_table(const struct scene *scene, struct table *table, struct error *error)
{
    const struct steps_at at = steps_place(scene);
    const enum stage stage = steps_stage(scene);
    struct steps *steps;
    if (steps_new(&at, &steps, error) != STATUS_OK)
        return error->status;
    const struct step_numbers *made = &steps->stage[stage];
    enum status status =
        made->count > 0 ? STATUS_OK
                        : error_set(error, STATUS_UNSUPPORTED,
                                    "the stage %s: expected its numbers, found a recording that "
                                    "lacks the %s",
                                    stage_name(stage), made->missing ? made->missing : "numbers");
    if (status == STATUS_OK)
        table_columns(table, "kind,layer,head,token,token_piece,text,stage,number,value");
    for (size_t i = 0; i < made->count; i++) {
        table_text(table, "number");
        table_whole(table, at.layer);
        table_whole(table, at.head);
        table_token(table, scene->data.encoded, SIDE_LEFT, at.token);
        table_text(table, stage_name(stage));
        table_whole(table, i);
        table_number(table, made->numbers[i]);
        table_end(table);
    }
    steps_free(steps);
    return status;
}

/* ---- Two passes ---- */

/* What is compared and how it is written, a head at a time. */
struct both {
    const struct scene *scene;
    const struct comparison *comparison;
    const struct encoded *encoded[2];
    struct table *table;
};

static void begin_compared(const struct both *both, const char *kind, const char *side,
                           const char *layer, bool head)
{
    table_text(both->table, kind);
    table_text(both->table, side);
    table_text(both->table, layer);
    if (head)
        table_whole(both->table, both->scene->look.head);
    else
        table_empty(both->table, 1);
}

static void table_compared(const struct both *both, const char *name, enum side side, size_t from,
                           size_t to, float value)
{
    char layer[24];
    snprintf(layer, sizeof layer, "%zu",
             comparison_level(both->comparison, side, both->scene->look.layer + 1) - 1);
    begin_compared(both, "connection", name, layer, true);
    table_token(both->table, both->encoded[side], SIDE_LEFT, from);
    table_token(both->table, both->encoded[side], SIDE_RIGHT, to);
    table_number(both->table, (double)value);
    table_end(both->table);
}

/* The map of one side, or the right one's less the left one's, for what is on both. */
static void table_side(const struct both *both, enum side side, bool difference)
{
    const struct comparison *comparison = both->comparison;
    const struct look *look = &both->scene->look;
    const float *own = comparison_weights(comparison, side, look->layer, look->head),
                *left = comparison_weights(comparison, SIDE_LEFT, look->layer, look->head);
    const size_t columns = comparison->attended[side]->count;
    const char *name = difference ? "difference" : side == SIDE_LEFT ? "left" : "right";
    for (size_t i = 0; own && left && i < comparison->tokens[side]->count * columns; i++) {
        const size_t from = i / columns, to = i % columns;
        const size_t row = difference ? comparison_twin(comparison, from) : 0,
                     column = difference ? comparison_twin(comparison, to) : 0;
        if (row == NO_TOKEN || column == NO_TOKEN)
            continue;
        const float less =
            difference ? left[row * comparison->attended[SIDE_LEFT]->count + column] : 0;
        table_compared(both, name, side, from, to, own[i] - less);
    }
}

static void table_cosine(const struct both *both, const char *layer, double cosine)
{
    const struct comparison *comparison = both->comparison;
    begin_compared(both, "cosine", NULL, layer, false);
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        table_token(both->table, both->encoded[side], SIDE_LEFT, comparison->word[side].first);
    table_number(both->table, cosine);
    table_end(both->table);
}

/* Of the word that is on both sides, layer by layer, and of its last vectors. */
static void table_cosines(const struct both *both)
{
    struct occurrence words[2];
    char layer[48] = "embedding";
    if (!comparison_word(both->comparison, words) || !cosine_is_defined(&words[0], &words[1]))
        return;
    for (size_t level = 0; level <= words[0].trace->layers; level++) {
        table_cosine(both, layer, comparison_cosine(both->comparison, words, level));
        snprintf(layer, sizeof layer, "%zu", level);
    }
    const size_t last = cosine_last_layers(&words[0], &words[1]);
    snprintf(layer, sizeof layer, "last %zu: sum", last);
    table_cosine(both, layer, cosine_of_last(&words[0], &words[1], COSINE_SUM));
    snprintf(layer, sizeof layer, "last %zu: concatenated", last);
    table_cosine(both, layer, cosine_of_last(&words[0], &words[1], COSINE_CONCATENATION));
}

enum status compare_table(const struct scene *scene, struct table *table, struct error *error)
{
    const struct data *data = &scene->data;
    const struct comparison comparison = comparison_of(scene);
    struct both both = {scene, &comparison, {data->encoded, data->encoded}, table};
    const bool twice = comparison.kind == COMPARISON_WORD;
    struct occurrence words[2];
    for (enum side side = SIDE_LEFT; data->compared && side <= SIDE_RIGHT; side++)
        if (data->compared->encoded[side])
            both.encoded[side] = data->compared->encoded[side];
    if (!comparison.trace[SIDE_LEFT] || !comparison.trace[SIDE_RIGHT])
        return error_set(error, STATUS_UNSUPPORTED, "%s", data->uncompared);
    if (twice && !comparison_word(&comparison, words))
        return error_set(error, STATUS_UNSUPPORTED,
                         "the compare view: expected two sentences, a change of the network, "
                         "--against or a word that stands twice, found nothing to compare");
    table_columns(table, "kind,side,layer,head," TABLE_PAIR ",value");
    table_side(&both, SIDE_LEFT, false);
    if (!twice) {
        table_side(&both, SIDE_RIGHT, false);
        table_side(&both, SIDE_RIGHT, true);
    }
    table_cosines(&both);
    return STATUS_OK;
}
