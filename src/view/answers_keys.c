/* answers_keys.c: what keys do in the answers view, whichever answer it shows: they
 * choose a layer, a token or an answer, and ask what it hangs on. */
#include "headlight/lens/answers.h"
#include "headlight/view/words.h"

const char *words_hints_of_labels(const struct scene *scene)
{
    if (scene->look.answer != NO_TOKEN)
        return "↑↓: label; o: heads; O: words; Esc: back";
    return answers_labels(scene)->count == 1
               ? "↑↓: layer; ←→: token; o: heads; O: words; M: mask; z: change; e: edit"
               : "↑↓: layer; ←→: token; Enter: labels; o: heads; O: words; M: mask; z: change; "
                 "e: edit";
}

/* The model's answer in a place of the list: a word or a tag, or a label among its classes, the
 * highest first; NO_TOKEN past the last, or before it is known. */
static size_t answer_listed(const struct scene *scene, size_t place)
{
    const struct layer_answers *answers = scene->data.layer_answers;
    const bool classes = answers_shown(&scene->look, &scene->data) == ANSWERS_CLASSES && answers &&
                         answers->answer && place < answers->answer->labels->count;
    const struct lens_cell *cell =
        words_cell(scene, scene->data.layers - 1, scene_token(scene, SIDE_LEFT));
    return cell && place < cell->count ? (size_t)words_answer(cell, place, cell->count).id
           : classes                   ? answers->answer->scores[place].label
                                       : NO_TOKEN;
}

/* The model's answer before or after the chosen one, as far as they are listed; the first one if
 * none is chosen, or if the chosen piece isn't among them. */
static enum acted move_answer(struct scene *scene, int step)
{
    size_t at = 0, count = 0, *answer = &scene->look.answer;
    while (answer_listed(scene, count) != NO_TOKEN)
        count++;
    if (count == 0)
        return ACT_DONE;
    while (at < count && *answer != answer_listed(scene, at))
        at++;
    at = at == count ? 0 : (size_t)int_clamp((int)at + step, 0, (int)count - 1);
    *answer = answer_listed(scene, at);
    scene->look.query_found = false; /* the user's, since its answer is */
    return ACT_DONE;
}

/* Answers belong to a cell, so leaving it deselects them; the token is the user's choice from now
 * on. */
static enum acted words_move_token(struct scene *scene, int step)
{
    scene->look.side = SIDE_LEFT;
    scene->look.answer = NO_TOKEN;
    scene->look.query_found = false;
    scene_move_cursor(scene, step);
    return ACT_DONE;
}

/* Up and down have two meanings: a layer in the grid, which go upwards, an answer in the list.
 * Whether tokens were replaced, and where an answer is, is only said after the last layer, so there
 * they choose a token. Escape leaves the list first, and only then deselects as elsewhere. */
enum acted words_act(struct scene *scene, enum action action, struct error *error)
{
    const bool answers = scene->look.answer != NO_TOKEN;
    const enum answers kind = answers_shown(&scene->look, &scene->data);
    const int step = action_steps(action);
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
        if (answers)
            return move_answer(scene, step);
        if (kind == ANSWERS_REPLACED || kind == ANSWERS_SPAN || kind == ANSWERS_SENTENCE)
            return words_move_token(scene, step);
        scene->look.layer =
            (size_t)int_clamp((int)scene->look.layer - step, 0, (int)scene->data.layers - 1);
        return ACT_DONE;
    case ACTION_LEFT:
    case ACTION_RIGHT:
        return words_move_token(scene, action == ACTION_RIGHT ? 1 : -1);
    case ACTION_PIN:
        return move_answer(scene, 1); /* into the list */
    case ACTION_METRIC: /* which heads the answer hangs on is what the model view shows; */
    case ACTION_SORT:   /* and which words, a list of the ways to take them away */
        if (*data_silence(&scene->data)) {
            error_set(error, STATUS_UNSUPPORTED, "%s", data_silence(&scene->data));
        } else if (kind == ANSWERS_WORDS && words_untrained(scene, scene_token(scene, SIDE_LEFT))) {
            error_usage(error, "never trained to answer here: ← → choose a token");
        } else if (action == ACTION_METRIC) {
            scene->look.metric = METRIC_EFFECT;
            scene->look.effect_sought = 1;
            return ACT_TO_ALL;
        } else {
            return ACT_PASSED;
        }
        return ACT_REFUSED;
    case ACTION_CLEAR:
        if (!answers)
            return ACT_PASSED;
        scene->look.answer = NO_TOKEN;
        return ACT_DONE;
    default:
        return ACT_PASSED;
    }
}
