/* tables_told.c: what a model was trained for, as tables: classes, tags, spans, and how alike two
 * sentences are. */
#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/lens/layer_answers.h"
#include "headlight/view/answers.h"
#include "headlight/view/views.h"

#include <math.h>

/* The labels of the text after each layer. */
static void table_classes(const struct layer_answers *answers, struct table *table)
{
    for (size_t layer = 0; layer < answers->layers; layer++)
        for (size_t i = 0; i < answers->answer->labels->count && i < table->top; i++) {
            const struct class_score *said = &answers->after[layer]->scores[i];
            table_answer(table, &(struct answer_row){"class", layer, NULL, 0, i + 1, said->label,
                                                     answers->answer->labels->names[said->label],
                                                     .number = said->score});
        }
}

/* Of each layer the likeliest tags of each token; and the tokens that belong together, by the first
 * of them. */
static void table_tags(const struct scene *scene, struct table *table)
{
    const struct data *data = &scene->data;
    const struct answer *answer = data->layer_answers->answer;
    for (size_t i = 0; data->lens && i < data->layers * data->tokens; i++)
        for (size_t place = 0; place < data->lens[i].count && place < table->top; place++) {
            const struct prediction *best = &data->lens[i].best[place];
            table_answer(table, &(struct answer_row){"tag", i / data->tokens, data->encoded,
                                                     i % data->tokens, place + 1, (size_t)best->id,
                                                     answer->labels->names[best->id],
                                                     .number = exp(best->logprob)});
        }
    for (size_t i = 0; i < answer->group_count; i++)
        table_answer(table, &(struct answer_row){"group", data->layers - 1, data->encoded,
                                                 answer->groups[i].tokens.first, i + 1, NO_TOKEN,
                                                 answer->groups[i].name,
                                                 .number = answer->groups[i].score});
}

/* The best, and that there is no answer. */
static void table_spans(const struct scene *scene, struct table *table)
{
    const struct answer *answer = scene->data.layer_answers->answer;
    struct answer_row row = {.kind = "span",
                             .layer = scene->data.layers - 1,
                             .encoded = scene->data.encoded,
                             .id = NO_TOKEN};
    for (size_t i = 0; i < answer->span_count; i++) {
        const struct text shown = answer->spans[i].passage.shown;
        char words[512];
        format_cut(words, sizeof words, "%.*s", (int)size_min(shown.length, sizeof words),
                   shown.bytes);
        row.token = answer->spans[i].tokens.first;
        row.rank = i + 1;
        row.name = words;
        row.number = answer->spans[i].score;
        table_answer(table, &row);
    }
    row.token = 0;
    row.rank++;
    row.name = NULL;
    row.number = answer->none;
    table_answer(table, &row);
}

/* How alike two sentences are, and what each token adds on the side of its own, read by itself. */
static void table_alike(const struct scene *scene, struct table *table)
{
    const struct sentence_pair *alike = scene->data.alike;
    table_answer(table, &(struct answer_row){.kind = "similarity",
                                             .layer = NO_TOKEN,
                                             .id = NO_TOKEN,
                                             .name = similarity_name(scene),
                                             .number = alike->value});
    for (size_t side = 0; side < 2 && !alike->why_no_parts; side++)
        for (size_t token = 0; token < alike->encoded[side]->encoding->count; token++)
            table_answer(table, &(struct answer_row){"part", NO_TOKEN, alike->encoded[side], token,
                                                     0, NO_TOKEN, side == 0 ? "a" : "b",
                                                     .number = alike->parts[side][token]});
}

/* Of what the model was trained for. False: for nothing but words. */
bool table_told(const struct scene *scene, struct table *table)
{
    const enum said said = answers_said(&scene->look, &scene->data);
    const struct trace *trace = scene->data.trace;
    const struct answer *answer =
        scene->data.layer_answers ? scene->data.layer_answers->answer : NULL;
    const bool alike = said == SAID_SENTENCE && scene->data.alike,
               vector = said == SAID_SENTENCE && !scene_is_pair(scene) &&
                        trace->outputs[OUTPUT_SENTENCE],
               classes = said == SAID_CLASSES && answer, tags = said == SAID_TAGS && answer,
               spans = said == SAID_SPAN && answer && answer->span_count > 0;
    if (!alike && !vector && !classes && !tags && !spans)
        return false;
    table_answers(table);
    if (alike)
        table_alike(scene, table);
    else if (vector)
        for (size_t i = 0; i < trace->sentence; i++)
            table_answer(
                table, &(struct answer_row){.kind = "embedding",
                                            .layer = NO_TOKEN,
                                            .id = i,
                                            .number = (double)trace->outputs[OUTPUT_SENTENCE][i]});
    else if (classes)
        table_classes(scene->data.layer_answers, table);
    else
        (tags ? table_tags : table_spans)(scene, table);
    return true;
}
