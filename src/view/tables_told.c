/* tables_told.c: what a model was trained for, as tables: classes, tags, spans, and how alike two
 * sentences are. */
#include "headlight/lens/told.h"
#include "headlight/view/answers.h"
#include "headlight/view/views.h"

#include <math.h>

/* One row of what isn't of a token. */
static void table_answer(struct table *table, const char *kind, size_t layer, size_t rank,
                         size_t label, const char *name, double score)
{
    table_text(table, kind);
    table_whole(table, layer);
    table_empty(table, 3);
    table_whole(table, rank);
    table_whole(table, label);
    table_text(table, name);
    table_number(table, score);
    table_end(table);
}

/* The labels of the text after each layer. */
static void table_classes(const struct told *told, struct table *table)
{
    for (size_t layer = 0; layer < told->layers; layer++)
        for (size_t i = 0; i < told->answer->labels->count && i < table->top; i++) {
            const struct class_score *said = &told->after[layer]->scores[i];
            table_answer(table, "class", layer, i + 1, said->label,
                         told->answer->labels->names[said->label], said->score);
        }
}

/* A stretch of text: what it is, what it says, and its score. */
static void table_stretch(struct table *table, const struct scene *scene, const char *kind,
                          size_t token, size_t rank, const char *what, double score)
{
    table_text(table, kind);
    table_whole(table, scene->data.layers - 1);
    table_token(table, scene->data.encoded, SIDE_LEFT, token);
    table_whole(table, rank);
    table_empty(table, 1);
    table_text(table, what);
    table_number(table, score);
    table_end(table);
}

/* Of each layer the likeliest tags of each token; and the tokens that belong together, by the first
 * of them. */
static void table_tags(const struct scene *scene, struct table *table)
{
    const struct answer *answer = scene->data.told->answer;
    const size_t T = scene->data.tokens;
    for (size_t i = 0; scene->data.lens && i < scene->data.layers * T; i++) {
        const struct lens_cell *cell = &scene->data.lens[i];
        for (size_t place = 0; place < cell->count && place < table->top; place++) {
            table_text(table, "tag");
            table_whole(table, i / T);
            table_token(table, scene->data.encoded, SIDE_LEFT, i % T);
            table_whole(table, place + 1);
            table_whole(table, (size_t)cell->best[place].id);
            table_text(table, answer->labels->names[cell->best[place].id]);
            table_number(table, exp(cell->best[place].logprob));
            table_end(table);
        }
    }
    for (size_t i = 0; i < answer->group_count; i++)
        table_stretch(table, scene, "group", answer->groups[i].tokens.first, i + 1,
                      answer->groups[i].name, answer->groups[i].score);
}

/* The best, and that there is no answer. */
static void table_spans(const struct scene *scene, struct table *table)
{
    const struct answer *answer = scene->data.told->answer;
    for (size_t i = 0; i < answer->span_count; i++) {
        const struct text shown = answer->spans[i].place.shown;
        char words[512];
        snprintf(words, sizeof words, "%.*s", (int)(shown.length < 512 ? shown.length : 511),
                 shown.bytes);
        table_stretch(table, scene, "span", answer->spans[i].tokens.first, i + 1, words,
                      answer->spans[i].score);
    }
    if (answer->span_count > 0)
        table_stretch(table, scene, "span", 0, answer->span_count + 1, NULL, answer->none);
}

/* Of one text there is nothing but its vector. */
static bool table_vector(const struct scene *scene, struct table *table)
{
    const struct trace *trace = scene->data.trace;
    const float *vector = trace->outputs[OUTPUT_SENTENCE];
    if (!vector || scene_is_pair(scene))
        return false;
    table_columns(table, TABLE_ANSWERS);
    for (size_t i = 0; i < trace->sentence; i++) {
        table_text(table, "embedding");
        table_empty(table, 5);
        table_whole(table, i);
        table_empty(table, 1);
        table_number(table, (double)vector[i]);
        table_end(table);
    }
    return true;
}

/* How alike two sentences are, and what each token adds on the side of its own, read by itself. */
static bool table_alike(const struct scene *scene, struct table *table)
{
    const struct alike *alike = scene->data.alike;
    if (!alike)
        return table_vector(scene, table);
    table_columns(table, TABLE_ANSWERS);
    table_text(table, "similarity");
    table_empty(table, 6);
    table_text(table, similarity_name(scene));
    table_number(table, alike->value);
    table_end(table);
    for (size_t side = 0; side < 2 && !alike->unparted; side++)
        for (size_t token = 0; token < alike->encoded[side]->encoding->count; token++) {
            table_text(table, "part");
            table_empty(table, 1);
            table_token(table, alike->encoded[side], SIDE_LEFT, token);
            table_empty(table, 2);
            table_text(table, side == 0 ? "a" : "b");
            table_number(table, alike->parts[side][token]);
            table_end(table);
        }
    return true;
}

/* Of what the model was trained for. False: for nothing but words. */
bool table_told(const struct scene *scene, struct table *table)
{
    const enum said said = answers_said(&scene->look, &scene->data);
    if (said == SAID_SENTENCE)
        return table_alike(scene, table);
    if (!scene->data.told || !scene->data.told->answer ||
        (said != SAID_CLASSES && said != SAID_TAGS && said != SAID_SPAN) ||
        (said == SAID_SPAN && scene->data.told->answer->span_count == 0))
        return false;
    table_columns(table, TABLE_ANSWERS);
    if (said == SAID_CLASSES)
        table_classes(scene->data.told, table);
    else
        (said == SAID_TAGS ? table_tags : table_spans)(scene, table);
    return true;
}
