/* words_stage.c: the words view on a projector: the sentence with its gap and the likeliest words
 * in it; of two sentences whether the second follows; or whether a token was put in another's
 * place. */
#include "headlight/view/words.h"

#include "headlight/base/size.h"
#include "headlight/lens/layer_answers.h"
#include "headlight/lens/predict.h"
#include "headlight/view/answers.h"
#include "headlight/view/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GAP_SIGN    "____"
#define TEXT_BYTES  1024
#define REACH       (TEXT_BYTES / 8) /* in tokens */
#define BARS_ROWS   (3 * LETTERS_ROWS)
#define YES_NO_ROWS (2 * LETTERS_ROWS)
#define SMALL_ROWS  2
#define NAME_BYTES  128

/* A line of letters, a blank row, two bars and the caption. */
#define STATED_LEAST (LETTERS_ROWS + 1 + YES_NO_ROWS + 1)

/* ---- The sentence ---- */

struct gap_sentence {
    char bytes[TEXT_BYTES];
    size_t length;
};

/* What has no room is left out: there is none for so much on a projector. */
static void gap_add(struct gap_sentence *sentence, const char *bytes, size_t length)
{
    if (sentence->length + length >= TEXT_BYTES)
        return;
    memcpy(sentence->bytes + sentence->length, bytes, length);
    sentence->length += length;
    sentence->bytes[sentence->length] = '\0';
}

/* As the text has it, or a gap where the model reads a mask; pieces of a word stay together. */
static void gap_add_token(struct gap_sentence *sentence, const struct scene *scene, size_t token,
                          size_t before_end)
{
    const struct token *own = &scene->data.encoded->encoding->tokens[token];
    const char *bytes = scene->data.encoded->texts[own->sentence].bytes + own->span.start;
    size_t length = own->span.end - own->span.start, blank = 0;
    while (blank < length && bytes[blank] == ' ')
        blank++;
    if (sentence->length > 0 && (blank > 0 || own->span.start > before_end))
        gap_add(sentence, " ", 1);
    if (words_is_masked(scene, token))
        gap_add(sentence, GAP_SIGN, strlen(GAP_SIGN));
    else
        gap_add(sentence, bytes + blank, length - blank);
}

/* The tokens of the chosen one's sentence that are at most so far from it. A model that predicts
 * what comes next has its gap behind the chosen one, and what follows there is not for it to see.
 */
static struct stage_text sentence_around(struct gap_sentence *sentence, const struct scene *scene,
                                         size_t reach)
{
    const struct encoding *encoding = scene->data.encoded->encoding;
    const size_t chosen = scene_token(scene, SIDE_LEFT);
    const size_t first = chosen > reach ? chosen - reach : 0;
    const size_t end =
        scene->data.next ? chosen + 1 : size_min(chosen + reach + 1, encoding->count);
    struct stage_text text = {.text = sentence->bytes, .hue = ink_full(ROLE_POSITIVE)};
    size_t before_end = 0;
    bool cut = false;
    *sentence = (struct gap_sentence){.length = 0};
    for (size_t i = 0; i < encoding->count; i++) {
        const struct token *token = &encoding->tokens[i];
        if (token->sentence != encoding->tokens[chosen].sentence || token->added)
            continue;
        if (i < first || i >= end) {
            if (!cut && !(scene->data.next && i >= end))
                gap_add(sentence, i < first ? "… " : " …", strlen(" …"));
            cut = true;
            continue;
        }
        cut = false;
        if (i == chosen && !scene->data.next)
            text.mark = sentence->length + (sentence->length > 0);
        gap_add_token(sentence, scene, i, before_end);
        if (i == chosen && !scene->data.next)
            text.mark_end = sentence->length;
        before_end = token->span.end;
    }
    if (scene->data.next) {
        text.mark = sentence->length;
        gap_add(sentence, " " GAP_SIGN, strlen(" " GAP_SIGN));
        text.mark_end = sentence->length;
    }
    return text;
}

/* As much of it as there is room for in letters of a scale. */
static struct stage_text sentence_that_fits(struct gap_sentence *sentence,
                                            const struct scene *scene, const struct canvas *canvas,
                                            struct area area, int scale)
{
    size_t reach = REACH;
    struct stage_text text = sentence_around(sentence, scene, reach);
    while (reach > 0 && stage_scale(canvas, area, &text) < scale)
        text = sentence_around(sentence, scene, --reach);
    return text;
}

/* Where what has no room in large letters stands. */
static struct area small_area(struct area area)
{
    return (struct area){area.y, area.x + 2, SMALL_ROWS, area.columns - 4};
}

/* Takes the rows from the area, and a blank one that can be spared. */
static void write_small(struct canvas *canvas, struct area *area, const struct stage_text *text)
{
    const int rows = int_min(stage_write(canvas, small_area(*area), 0, text), SMALL_ROWS) +
                     (area->rows > STATED_LEAST + SMALL_ROWS);
    area->y += rows;
    area->rows -= rows;
}

/* The sentence as the statement of the area: where all of it has no room in large letters, it
 * stands above in small ones, and what is around the token is the statement, if two bars are left.
 */
static struct stage_text state_sentence(struct gap_sentence *sentence, const struct scene *scene,
                                        struct canvas *canvas, struct area *area)
{
    const int scale = !canvas_ascii(canvas);
    struct stage_text text = sentence_around(sentence, scene, REACH);
    if (scale > 0 && (area->rows < STATED_LEAST ||
                      stage_scale(canvas, stage_upper(*area, BARS_ROWS), &text) < scale)) {
        text = sentence_that_fits(sentence, scene, canvas, small_area(*area), 0);
        write_small(canvas, area, &text);
        if (area->rows < STATED_LEAST)
            return (struct stage_text){.text = ""};
    }
    return sentence_that_fits(sentence, scene, canvas, stage_upper(*area, BARS_ROWS), scale);
}

/* ---- Bars ---- */

/* A question's two answers, the likelier first. */
static void draw_yes_no(struct canvas *canvas, struct area area, double yes, double before)
{
    const bool is = yes >= 0.5;
    const struct stage_bar bars[] = {{.name = is ? "yes" : "no",
                                      .share = is ? yes : 1 - yes,
                                      .before = is ? before : 1 - before},
                                     {.name = is ? "no" : "yes",
                                      .share = is ? 1 - yes : yes,
                                      .before = is ? 1 - before : before}};
    stage_bars(canvas, area, bars, 2);
}

static void draw_likeliest(const struct scene *scene, struct canvas *canvas, struct area area,
                           const struct lens_cell *cell)
{
    struct stage_bar bars[LENS_BEST];
    for (size_t i = 0; i < cell->count; i++) {
        const struct words_answer answer = words_answer(cell, i);
        bars[i] = (struct stage_bar){.name = words_piece(scene, answer.id),
                                     .share = answer.now,
                                     .before = answer.before,
                                     .chosen = scene->look.answer == (size_t)answer.id,
                                     .hit = {HIT_ANSWER, (size_t)answer.id}};
    }
    stage_bars(canvas, area, bars, cell->count);
}

/* ---- The stages ---- */

/* "A: …" and "B: …", or the only one. */
static void write_texts(const struct encoded *encoded, char texts[TEXT_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < encoded->text_count; i++)
        used +=
            (size_t)snprintf(texts + used, TEXT_BYTES - used, "%s%s%.*s", i > 0 ? "\n" : "",
                             encoded->text_count < 2 ? ""
                             : i > 0                 ? "B: "
                                                     : "A: ",
                             (int)size_min(encoded->texts[i].length, 480), encoded->texts[i].bytes);
}

/* The texts themselves stand above the question in large letters too, or else in small ones. */
static void draw_pair(const struct scene *scene, struct canvas *canvas, struct area area, float yes)
{
    const struct encoded *encoded = scene->data.encoded;
    const char *question =
        scene->data.trace->outputs[OUTPUT_NSP] ? "Does B follow A?" : "Are A and B in order?";
    char texts[TEXT_BYTES], all[TEXT_BYTES + 32];
    float before = NAN;
    if (scene->data.before && !predict_pair(scene->data.before, &before))
        before = NAN;
    write_texts(encoded, texts);
    snprintf(all, sizeof all, "%s\n%s", texts, question);
    struct stage_text text = {.text = all};
    if (stage_scale(canvas, stage_upper(area, YES_NO_ROWS), &text) < 1) {
        write_small(canvas, &area, &(struct stage_text){.text = texts});
        text.text = question;
    }
    const struct area rest =
        stage_state(canvas, area, &text, YES_NO_ROWS, "how probable the model takes it to be");
    draw_yes_no(canvas, rest, (double)yes, (double)before);
}

/* How many spans there are, with the answer that there is none, or labels. */
static size_t told_count(const struct answer *answer)
{
    return answer->kind != ANSWER_SPAN ? answer->labels->count
           : answer->span_count > 0    ? answer->span_count + 1
                                       : 0;
}

static struct stage_bar bar_of_span(const struct answer *answer, size_t place, char *name)
{
    const size_t first = answer_is_none(answer);
    const bool none = place == (first > 0 ? 0 : answer->span_count);
    const struct answer_span *span = &answer->spans[none ? 0 : place - first];
    const struct text shown = none ? (struct text){"no answer", 9} : span->passage.shown;
    snprintf(name, NAME_BYTES, "%.*s", (int)size_min(shown.length, NAME_BYTES - 1), shown.bytes);
    return (struct stage_bar){
        .name = name, .share = none ? answer->none : span->score, .before = NAN};
}

/* A score without limits is written as it is, in the name's buffer, and its bar is a share of the
 * largest. */
static struct stage_bar bar_of_class(const struct scene *scene, size_t place, char *value)
{
    const struct layer_answers *answers = scene->data.layer_answers;
    const struct labels *labels = answers->answer->labels;
    const struct class_score *said = &answers->answer->scores[place];
    const bool raw = labels->function == SCORE_NONE;
    const double most = raw ? fmax(fabs(answers->answer->scores[0].score),
                                   fabs(answers->answer->scores[labels->count - 1].score))
                            : 1;
    snprintf(value, NAME_BYTES, "%.2f", said->score);
    return (struct stage_bar){
        .name = labels->names[said->label],
        .value = raw ? value : NULL,
        .share = said->score / fmax(most, 1e-9),
        .before = answers->before && !raw ? answer_score(answers->before, said->label) : NAN,
        .chosen = scene->look.answer == said->label,
        .hit = {HIT_ANSWER, said->label}};
}

/* The texts as the statement, or in small letters above. Returns what is left. */
static struct area state_texts(const struct scene *scene, struct canvas *canvas, struct area area,
                               const char *caption)
{
    char texts[TEXT_BYTES] = "";
    struct stage_text text = {.text = texts};
    write_texts(scene->data.encoded, texts);
    if (stage_scale(canvas, stage_upper(area, BARS_ROWS), &text) < 1) {
        write_small(canvas, &area, &text);
        text.text = "";
    }
    return stage_state(canvas, area, &text, BARS_ROWS, caption);
}

/* Of a text: its classes, or the spans that answer the question, as bars below it. */
static void draw_told(const struct scene *scene, struct canvas *canvas, struct area area)
{
    static const char *const captions[] = {[SCORE_SOFTMAX] = "what the model takes the text for",
                                           [SCORE_SIGMOID] = "what the model says, each by itself",
                                           [SCORE_NONE] = "the model's scores"};
    const struct answer *answer =
        scene->data.layer_answers ? scene->data.layer_answers->answer : NULL;
    char names[LENS_BEST][NAME_BYTES];
    struct stage_bar bars[LENS_BEST];
    size_t count = 0;
    for (; answer && count < LENS_BEST && count < told_count(answer); count++)
        bars[count] = answer->kind == ANSWER_SPAN ? bar_of_span(answer, count, names[count])
                                                  : bar_of_class(scene, count, names[count]);
    stage_bars(canvas,
               state_texts(scene, canvas, area,
                           count == 0 ? "the question, without a text to answer it"
                           : answer->kind == ANSWER_SPAN ? "what answers the question"
                                                         : captions[answer->labels->function]),
               bars, count);
}

/* Of two texts how alike they are; of one that there is a vector. */
static void draw_alike(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct sentence_pair *alike = scene_is_pair(scene) ? scene->data.alike : NULL;
    char value[NAME_BYTES] = "";
    if (alike)
        snprintf(value, sizeof value, "%.2f", alike->value);
    const struct stage_bar bar = {.name = similarity_name(scene),
                                  .value = value,
                                  .share = alike ? fmax(fmin(alike->value, 1), -1) : 0,
                                  .before = NAN};
    const struct area rest = state_texts(scene, canvas, area,
                                         alike ? "how alike the model finds them, each by itself"
                                               : "a text, of which the model makes a vector");
    stage_bars(canvas, rest, &bar, alike != NULL);
}

/* Of a token: the sentence that it stands in, and what the model makes of it. */
static void draw_token(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct data *data = &scene->data;
    const size_t token = scene_token(scene, SIDE_LEFT);
    const bool replaced = words_tell_replaced(scene);
    const struct encoding *encoding = data->encoded->encoding; /* a recording has none */
    const struct lens_cell *cell = words_cell(scene, scene->look.layer, token);
    struct gap_sentence sentence;
    char caption[64];
    const struct token_name name = scene_name(scene, SIDE_LEFT, token, canvas_ascii(canvas));
    struct stage_text text = {name.text, 0, strlen(name.text), ink_full(ROLE_POSITIVE)};
    if (encoding && !encoding->tokens[token].added)
        text = state_sentence(&sentence, scene, canvas, &area);
    if (replaced)
        snprintf(caption, sizeof caption, "was the word in blue put in another's place?");
    else if (scene->look.layer + 1 < data->layers)
        snprintf(caption, sizeof caption, "the likeliest %s after layer %zu of 0 … %zu",
                 words_are_tags(scene) ? "tags" : "words", scene->look.layer, data->layers - 1);
    else
        snprintf(caption, sizeof caption, "%s",
                 words_are_tags(scene)           ? "the model's likeliest tags"
                 : words_untrained(scene, token) ? WORDS_UNTRAINED
                                                 : "the model's likeliest words");
    const struct area rest = stage_state(canvas, area, &text, BARS_ROWS, caption);
    if (replaced)
        draw_yes_no(canvas, rest, (double)predict_replaced(data->trace, token),
                    data->before ? (double)predict_replaced(data->before, token) : NAN);
    else if (cell)
        draw_likeliest(scene, canvas, rest, cell);
}

/* While the user has chosen no token, a model is asked what comes after the text. Two sentences
 * without a gap, or at a token that was never trained to say words, are shown for what they have to
 * do with each other. */
enum status words_stage(const struct scene *shown, struct canvas *canvas, struct area area,
                        struct error *error)
{
    struct scene scene = *shown;
    float pair;
    (void)error; /* nothing here can fail */
    if (scene.data.next && scene.look.query_found)
        scene.look.from = scene.data.tokens - 1;
    const size_t token = scene_token(&scene, SIDE_LEFT);
    const bool asked = !scene.look.query_found || words_is_masked(&scene, token);
    const enum said said = answers_said(&scene.look, &scene.data);
    if (said == SAID_CLASSES || said == SAID_SPAN)
        draw_told(&scene, canvas, area);
    else if (said == SAID_SENTENCE)
        draw_alike(&scene, canvas, area);
    else if (said == SAID_FIRST)
        stage_state(canvas, area, &(struct stage_text){.text = scene.data.speechless}, 0, "");
    else if (scene_is_pair(&scene) && predict_pair(scene.data.trace, &pair) &&
             (!asked || words_untrained(&scene, token)))
        draw_pair(&scene, canvas, area, pair);
    else
        draw_token(&scene, canvas, area);
    return STATUS_OK;
}
