/* classes.c: the answers view of a classifier of texts: the text, below it the label that each
 * layer would say, and the model's labels with their scores. */
#include "headlight/view/words.h"

#include "headlight/lens/answers.h"
#include "headlight/view/grid.h"

#define LAYER_COLUMNS 8 /* "  layer " */
#define NAME_LEAST    5
#define NAME_ROOM     13 /* "contradiction" */
#define BLOCK_MOST    72 /* columns of a block of bars: longer ones would be hard to compare */
#define TEXT_SHARE    3  /* the text takes at most a third of the rows */

/* ---- Scores ---- */

static bool is_probability(const struct answer *answer)
{
    return answer->labels->function != SCORE_NONE;
}

/* What a whole bar stands for: 1, or of scores without limits the next of 1, 2, 5, 10, 20 … that
 * none exceeds in any layer. */
static double whole_bar(const struct layer_answers *answers)
{
    double most = 0;
    for (size_t layer = 0; layer < answers->layers; layer++) {
        const struct answer *answer = answers->after[layer];
        most = fmax(most, fmax(fabs(answer->scores[0].score),
                               fabs(answer->scores[answer->labels->count - 1].score)));
    }
    return is_probability(answers->answer) ? 1 : words_whole(most);
}

/* A label without a name of its own is the score. */
static const char *name_of(const struct labels *labels, size_t label)
{
    return labels->count == 1 && !labels->named ? "score" : labels->names[label];
}

/* Of the widest label, at most two fifths of a row. */
static int name_columns(const struct canvas *canvas, const struct labels *labels, int columns)
{
    const int most = int_clamp(columns * 2 / 5, int_min(NAME_ROOM, columns - 9), columns);
    int widest = NAME_LEAST;
    for (size_t i = 0; i < labels->count && widest < most; i++)
        widest = int_max(widest, canvas_width(canvas, name_of(labels, i)));
    return int_min(widest, most);
}

/* ---- Labels ---- */

/* The highest first, with what each was before the change where that is known of the answer; around
 * the chosen one where not all fit. Returns the rows used. */
static int draw_labels(const struct scene *scene, struct canvas *canvas, struct area area,
                       const struct answer *answer, const struct answer *before)
{
    const struct labels *labels = answer->labels;
    const bool all = labels->count + 1 <= (size_t)area.rows;
    const size_t rows = (size_t)int_max(area.rows - 1 - !all, 0);
    size_t chosen = 0;
    while (chosen < labels->count && answer->scores[chosen].label != scene->look.answer)
        chosen++;
    const struct token_range shown =
        grid_window(labels->count, rows, chosen < labels->count ? chosen : 0);
    for (size_t i = shown.first; i < shown.end; i++) {
        const size_t label = answer->scores[i].label;
        const struct words_row row = {.name = name_of(labels, label),
                                      .columns = name_columns(canvas, labels, area.columns),
                                      .probability = answer->scores[i].score,
                                      .most = whole_bar(scene->data.layer_answers),
                                      .before = before ? answer_score(before, label) : NAN,
                                      .centred = !is_probability(answer),
                                      .chosen = i == chosen,
                                      .hit = hit_at(HIT(answer), label)};
        area.y++;
        words_draw_row(canvas, (struct area){area.y, area.x, 1, area.columns}, &row);
    }
    if (!all)
        canvas_print(canvas, area.y + 1, area.x + 2, area.columns - 2, style_of(ROLE_FAINT),
                     "and %zu more labels", labels->count - (shown.end - shown.first));
    return 1 + (int)(shown.end - shown.first) + !all;
}

/* ---- The whole ---- */

static void classes_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct strip strip = {.title = scene_is_pair(scene) ? "the two texts" : "the text"};
    struct area left = strip_above(&strip, scene, canvas, area, area.rows / TEXT_SHARE), right;
    const struct layer_answers *answers = scene->data.layer_answers;
    if (!answers || !answers->after)
        return;
    left = area_below(left, 1);
    left.columns = int_min((left.columns - 2) / 2, BLOCK_MOST);
    right = left;
    right.x += left.columns + 2;
    if (left.rows < 1)
        return;
    /* From bottom to top, as in the view of words. Bars of what the model says in the end are blue,
     * so that one sees where the decision falls. */
    const struct labels *labels = answers->answer->labels;
    const size_t layers = answers->layers;
    const struct token_range shown =
        grid_window(layers, (size_t)int_max(left.rows - 1, 1), scene->look.layer);
    struct pen pen = {canvas, left.y, left.x, left.x + left.columns};
    pen_write(&pen, "layer   says");
    if (shown.end < layers)
        pen_write(&pen, "   ↑ %zu", layers - shown.end);
    if (shown.first > 0)
        pen_write(&pen, "   ↓ %zu", shown.first);
    for (size_t layer = shown.first; layer < shown.end && left.rows > 1; layer++) {
        const struct area row = {left.y + (int)(shown.end - layer), left.x, 1, left.columns},
                          bar = {row.y, row.x + LAYER_COLUMNS - 2, 1,
                                 row.columns - LAYER_COLUMNS + 2};
        const struct class_score *best = answers->after[layer]->scores;
        const bool here = layer == scene->look.layer;
        const struct words_row said = {.name = name_of(labels, best->label),
                                       .columns = name_columns(canvas, labels, bar.columns),
                                       .probability = best->score,
                                       .most = whole_bar(answers),
                                       .before = NAN,
                                       .centred = !is_probability(answers->answer),
                                       .faint = best->label != answers->answer->scores[0].label};
        words_draw_row(canvas, bar, &said);
        canvas_print(canvas, row.y, row.x, 5, here ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT),
                     here ? "▸%4zu" : "%5zu", layer);
        canvas_mark(canvas, row, hit_at(HIT(layer), layer));
    }
    /* the model's, and below them those of the layer that the cursor is on */
    const bool both = scene->look.layer + 1 < answers->layers && right.rows >= 6;
    struct area upper = right;
    upper.rows = both ? (right.rows - 1) / 2 : right.rows;
    canvas_text(canvas, right.y, right.x + 2, right.columns - 2, style_bold(ROLE_STRONG),
                "the model's answer");
    const int rows = 1 + draw_labels(scene, canvas, upper, answers->answer, answers->before);
    right = area_below(right, rows);
    if (!both || labels->count == 1) /* the layers' scores stand beside */
        return;
    canvas_print(canvas, right.y, right.x + 2, right.columns - 2, style_of(ROLE_FAINT),
                 "after layer %zu", scene->look.layer);
    draw_labels(scene, canvas, right, answers->after[scene->look.layer], NULL);
}

static void classes_legend(const struct scene *scene, struct pen *pen)
{
    const struct layer_answers *answers = scene->data.layer_answers;
    const struct labels *labels = answers_labels(scene);
    if (labels->function == SCORE_SOFTMAX)
        pen_write(pen, "softmax: all labels make 1   ");
    else if (labels->function == SCORE_SIGMOID)
        pen_write(pen, labels->count == 1 ? "sigmoid of the score: 0 … 1   "
                                          : "sigmoid: each label by itself, 0 … 1   ");
    else if (answers && answers->after)
        pen_write(pen, "raw scores, a whole bar is %g   ", whole_bar(answers));
    if (labels->count > 1)
        pen_write(pen, "grey: the layer would say another");
}

/* The model says "POSITIVE" (0.980), then "NEGATIVE" (0.020) */
static void classes_says(const struct scene *scene, struct sentence *sentence)
{
    const struct layer_answers *answers = scene->data.layer_answers;
    if (!answers || !answers->after)
        return;
    const bool model = scene->look.layer + 1 == answers->layers;
    const struct answer *answer = answers->after[scene->look.layer];
    if (model && answers->before && scene->data.network) {
        /* the label whose score the change moved most */
        const struct labels *labels = answers->answer->labels;
        size_t most = 0;
        double moved = -1;
        for (size_t i = 0; i < labels->count; i++) {
            const double change =
                fabs(answer_score(answers->answer, i) - answer_score(answers->before, i));
            most = change > moved ? i : most;
            moved = fmax(moved, change);
        }
        sentence_print_change(scene, sentence);
        sentence_print_turn(
            scene, sentence, &(struct target){.output = OUTPUT_CLASSES, .id = (int32_t)most},
            answer_score(answers->before, most), answer_score(answers->answer, most));
        return;
    }
    const bool alone = answer->labels->count == 1;
    if (model)
        sentence_print(sentence, alone ? "The model's score is %.3f" : "The model says",
                       answer->scores[0].score);
    else
        sentence_print(sentence, alone ? "Layer %zu's score is %.3f" : "Layer %zu says",
                       scene->look.layer, answer->scores[0].score);
    if (alone)
        return;
    for (size_t i = 0; i < answer->labels->count && i < 2; i++)
        sentence_print(sentence, i == 0 ? " \"%s\" (%.3f)" : ", then \"%s\" (%.3f)",
                       name_of(answer->labels, answer->scores[i].label), answer->scores[i].score);
}

const struct view classes_view = {
    .draw = classes_draw,
    .hints = words_hints_of_labels,
    .legend = classes_legend,
    .says = classes_says,
};
