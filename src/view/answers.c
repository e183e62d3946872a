/* answers.c: chooses what the answers view shows, and hands everything to the view of that. */
#include "headlight/view/answers.h"

#include "headlight/lens/answers.h"
#include "headlight/view/words.h"

static const struct view *const shown_by[ANSWERS_COUNT] = {
    [ANSWERS_FIRST] = &words_view,         [ANSWERS_CLASSES] = &classes_view,
    [ANSWERS_TAGS] = &words_view,          [ANSWERS_SPAN] = &span_view,
    [ANSWERS_WORDS] = &words_view,         [ANSWERS_REPLACED] = &replaced_view,
    [ANSWERS_SENTENCE] = &similarity_view,
};

void answers_say(const struct scene *scene, char *said, size_t size)
{
    const struct layer_answers *answers = scene->data.layer_answers;
    *said = '\0';
    if (answers && answers->answer)
        answer_say(answers->answer, said, size);
    else if (scene->data.sentences && answers_shown(&scene->look, &scene->data) == ANSWERS_SENTENCE)
        snprintf(said, size, "%s %.2f", similarity_name(scene), scene->data.sentences->value);
    else if (answers && answers->masked != NO_TOKEN)
        format_cut(said, size, "%s %.2f", words_piece(scene, answers->word.id),
                   exp(answers->word.logprob));
}

/* ---- The view ---- */

static const struct view *view_of(const struct scene *scene)
{
    const struct encoded *encoded = scene->data.encoded;
    const bool source = encoded && encoded->site == SITE_ENCODER && !*data_silence(&scene->data);
    return source ? &source_view : shown_by[answers_shown(&scene->look, &scene->data)];
}

/* Names of all that can be said, if there are several, stand in the first row, which is then taken.
 */
static void answers_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct data *data = &scene->data;
    const enum answers shown = answers_shown(&scene->look, data);
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
    if (canvas->bare && (view_of(scene) != &words_view)) {
        error_usage(&canvas->error, "--bare: expected words or tags for answers, found %s",
                    view_of(scene) == &source_view ? "an encoder's" : answers_name(shown));
        return;
    }
    if (!canvas->bare && answers_several(data)) {
        for (enum answers kind = ANSWERS_FIRST; (kind = answers_next(data, kind)) < ANSWERS_COUNT;)
            pen_print(&pen, kind == shown ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT), "%s   ",
                      answers_name(kind));
        pen_print(&pen, style_bold(ROLE_TITLE), "p");
        pen_print(&pen, style_of(ROLE_FAINT), " another answer");
        area.y++;
        area.rows--;
    }
    view_of(scene)->draw(scene, canvas, area);
}

static enum acted answers_act(struct scene *scene, enum action action, struct error *error)
{
    return (view_of(scene)->act ? view_of(scene)->act : words_act)(scene, action, error);
}

/* Of the word under the cursor, or of the source the one that matters most, where effects of words
 * are shown and the answer isn't there. */
static void answers_says(const struct scene *scene, struct sentence *sentence)
{
    const struct word_effects *effects = scene->data.word_effects;
    const bool crossed = encoded_is_crossed(scene->data.encoded),
               elsewhere = crossed || scene->data.encoded->site == SITE_ENCODER;
    size_t token = scene_token(scene, crossed ? SIDE_RIGHT : SIDE_LEFT);
    if (crossed && effects && token == NO_TOKEN)
        token = word_effects_largest(effects);
    const bool other = effects && (elsewhere || !target_has_token(effects->on.output) ||
                                   effects->on.token != token);
    if (!other || !sentence_say_without(scene, sentence, token))
        view_of(scene)->says(scene, sentence);
}

const struct view answers_view = {
    .title = "Answers",
    .about = "what the model says, and each layer would: words, classes, tags or a span",
    .meaning =
        "the model's answer, and each layer's (the logit lens) · blue: another than the text's",
    .mouse = "a cell, an answer, again: into the text",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_QUERY | SHOWN_SAID,
    .own = (const enum action[]){ACTION_METRIC, ACTION_SORT, ACTION_COUNT},
    .query = QUERY_WORD,
    .speaks = true,
    .part = view_of,
    .draw = answers_draw,
    .act = answers_act,
    .table = words_table,
    .says = answers_says,
};
