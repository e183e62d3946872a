/* formula.c: evaluates formulas. For a NUMBER of the table (lens/figures.h) only the arguments are
 * found here; a SCREEN row depends on what is shown and is computed here. A value that needs a
 * result still being computed is pending; the lesson evaluates it again later. */
#include "headlight/lesson/formula.h"

#include "headlight/base/format.h"
#include "headlight/lens/cosine.h"
#include "headlight/lens/same_word.h"
#include "headlight/lesson/formula_parts.h"
#include "headlight/lesson/lesson.h"
#include "headlight/session/derive.h"
#include "headlight/session/find.h"
#include "headlight/text/words.h"
#include "headlight/view/comparison.h"
#include "headlight/view/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A formula being evaluated: its arguments and its value. */
struct question {
    struct session *session;
    const struct formula *formula;
    struct scene scene;
    struct figure_at at;
    struct formula_value value;
};

/* ---- Values ---- */

/* Notes why there is no value; returns false. */
static bool __attribute__((format(printf, 2, 3)))
no_value(struct question *question, const char *format, ...)
{
    struct formula_value *value = &question->value;
    va_list arguments;
    *value = (struct formula_value){.state = FORMULA_UNKNOWN};
    va_start(arguments, format);
    format_cut_list(value->text, sizeof value->text, format, arguments);
    va_end(arguments);
    return false;
}

/* The value needs a result that is under way; the lesson asks again when it has come. */
static bool not_yet(struct question *question)
{
    question->value.state = FORMULA_PENDING;
    return false;
}

/* The number itself is kept beside its text, for conditions. */
static void give_number(struct question *question, enum figure_form form, double number)
{
    struct formula_value *value = &question->value;
    value->number = true;
    value->value = number;
    figure_print(value->text, sizeof value->text, form, number);
}

/* A word that is too long is cut between characters. */
static void give_word(struct question *question, const char *word)
{
    format_cut(question->value.text, sizeof question->value.text, "%s", word);
}

/* ---- Tokens ---- */

/* The trace's tokens for a name (formula.h): the pieces of a word where words are merged, else
 * one. */
static bool find_named(struct question *question, const char *name, enum side side,
                       struct token_range *pieces)
{
    const bool shown = find_token(&question->scene, name, side) != NO_TOKEN;
    if (!find_pieces(&question->scene, name, side, pieces))
        return no_value(question, "the text has no token \"%s\"", name);
    if (!shown) /* a word's first piece */
        pieces->end = pieces->first + 1;
    return true;
}

/* All pieces of the word that a named token belongs to. */
static bool find_whole_word(struct question *question, const char *name, struct token_range *word)
{
    if (!find_named(question, name, SIDE_LEFT, word))
        return false;
    *word = same_word_of(question->at.side, word->first);
    return true;
}

/* ---- Heads ---- */

/* The effects of switching heads off. */
static bool find_effects(struct question *question)
{
    const struct data *data = &question->scene.data;
    const bool current = question->at.trace == data->trace;
    question->at.effects = current ? data->effects : NULL;
    if (question->at.effects)
        return true;
    if (current && derive_wants(REQUEST_EFFECTS, &question->scene.look, data))
        return not_yet(question);
    return no_value(question, "effects are measured where --metric effect shows them");
}

/* The head whose removal hurts the answer most. */
static bool find_costliest_head(struct question *question)
{
    size_t least = 0;
    if (!find_effects(question))
        return false;
    const struct effects *effects = question->at.effects;
    for (size_t i = 1; i < effects->layers * effects->heads; i++)
        least = effects->change[i] < effects->change[least] ? i : least;
    question->at.layer = least / effects->heads;
    question->at.head = least % effects->heads;
    return true;
}

/* Asking for them may change the session's data. */
static bool find_metrics(struct question *question, const struct head_metrics **metrics)
{
    const bool before = question->at.trace != question->scene.data.trace;
    *metrics = derive_ask_metrics(question->session, before);
    question->scene = session_scene(question->session);
    if (*metrics)
        return true;
    if (derive_wants(before ? REQUEST_METRICS_BEFORE : REQUEST_METRICS, &question->scene.look,
                     &question->scene.data))
        return not_yet(question);
    return no_value(question, "the heads were not measured");
}

/* Figures are compared in thousandths; the first of equal heads wins. */
static bool find_largest_head(struct question *question)
{
    const size_t heads = question->at.trace->heads;
    const struct head_metrics *metrics; /* [L,A] */
    double most = -1;
    if (!find_metrics(question, &metrics))
        return false;
    for (size_t i = 0; i < question->at.trace->layers * heads; i++) {
        const double number = round(metric_of(&metrics[i], question->formula->of) * 1000);
        if (!(number > most))
            continue;
        most = number;
        question->at.layer = i / heads;
        question->at.head = i % heads;
    }
    return most >= 0 || no_value(question, "no word of the text stands in it twice");
}

/* The head given, else the one shown. */
static bool find_head(struct question *question)
{
    const struct formula *formula = question->formula;
    struct figure_at *at = &question->at;
    const struct trace *trace = at->trace;
    if (formula->opening)
        return opening_head(trace, question->scene.data.encoded->sides, &at->layer, &at->head) ||
               no_value(question, "no head stands out");
    if (formula->of == METRIC_EFFECT)
        return find_costliest_head(question);
    if (formula->of != METRIC_NONE)
        return find_largest_head(question);
    at->layer = formula->has_place ? formula->layer : question->scene.look.layer;
    at->head = formula->has_place ? formula->head : question->scene.look.head;
    if (at->layer < trace->layers && at->head < trace->heads)
        return true;
    return no_value(question, "expected a head from 0.0 to %zu.%zu, found %zu.%zu",
                    trace->layers - 1, trace->heads - 1, at->layer, at->head);
}

/* ---- Words of the vocabulary ---- */

/* The id of a text that is one piece; negative: it is not. */
static int32_t read_as_one(const struct tokenizer *tokenizer, const char *text)
{
    const struct text word = {text, strlen(text)};
    struct encoding *encoding;
    struct error error;
    int32_t id = -1;
    if (tokenizer_encode(tokenizer, &word, 1, false, &encoding, &error) != STATUS_OK)
        return -1;
    if (encoding->count == 1 && encoding->tokens[0].id != tokenizer_unknown(tokenizer))
        id = encoding->tokens[0].id;
    free(encoding);
    return id;
}

/* The word given, as a text has it after a blank ("Ġmat" for "mat"), or else as it is in the
 * vocabulary; without one, LENS_NOTHING. */
static bool find_vocabulary_word(struct question *question, int32_t *id)
{
    const struct tokenizer *tokenizer = question->scene.data.checkpoint->tokenizer;
    const char *word = question->formula->word;
    char text[FORMULA_NAME + 1] = " ";
    *id = LENS_NOTHING;
    if (*word == '\0')
        return true;
    strcat(text, word);
    *id = read_as_one(tokenizer, text);
    if (*id < 0)
        *id = tokenizer_find(tokenizer, word);
    return (*id >= 0 && (size_t)*id < question->at.trace->vocabulary) ||
           no_value(question, "\"%s\" is no piece of the vocabulary", word);
}

_Static_assert(LESSON_FORMULAS_MAX <= LENS_ROWS, "a step's questions are kept together");

/* What the model says at the token A, of the word given. Asking may change the session's data. */
static const struct lens_cell *find_said(struct question *question)
{
    struct token_range pieces;
    int32_t id;
    if (question->scene.data.speechless[0]) {
        no_value(question, "%s", question->scene.data.speechless);
        return NULL;
    }
    if (!find_named(question, question->formula->a, SIDE_LEFT, &pieces) ||
        !find_vocabulary_word(question, &id))
        return NULL;
    const struct lens_cell *said =
        derive_ask_words(question->session, question->at.trace, pieces.first, id);
    question->scene = session_scene(question->session);
    if (said)
        return said;
    if (derive_wants(REQUEST_WORDS, &question->scene.look, &question->scene.data))
        not_yet(question);
    else
        no_value(question, "the words were not predicted");
    return NULL;
}

/* The word given, or without one the likeliest. */
static bool find_word(struct question *question)
{
    const struct lens_cell *said = find_said(question);
    const bool given = said && said->id != LENS_NOTHING;
    if (!said)
        return false;
    question->at.logprob = given ? said->logprob : said->best[0].logprob;
    question->at.rank = given ? said->rank : 1;
    return true;
}

/* ---- Numbers of the table ---- */

/* Finds the arguments that a row of the table needs: a head, a pair of tokens, a word or two
 * vectors. */
static bool find_arguments(struct question *question)
{
    const struct formula *formula = question->formula;
    struct figure_at *at = &question->at;
    switch (figure_info(formula->figure)->of) {
    case FIGURE_OF_HEAD:
        return find_head(question) && (at->metric != METRIC_EFFECT || find_effects(question));
    case FIGURE_OF_PAIR:
        return find_head(question) && find_named(question, formula->a, SIDE_LEFT, &at->from) &&
               find_named(question, formula->b, SIDE_RIGHT, &at->to);
    case FIGURE_OF_WORD:
        return find_word(question);
    case FIGURE_OF_VECTORS:
        at->layer = formula->layer;
        return find_whole_word(question, formula->a, &at->from) &&
               find_whole_word(question, formula->b, &at->to);
    default:
        return true;
    }
}

/* A NUMBER row: once its arguments are found, lens/figures.c knows the rest. */
static void answer_figure(struct question *question)
{
    const enum figure figure = question->formula->figure;
    struct formula_value *value = &question->value;
    if (!find_arguments(question))
        return;
    const struct figure_value found = figure_ask(figure, &question->at);
    if (*found.reason) {
        no_value(question, "%s", found.reason);
        return;
    }
    give_number(question, figure_info(figure)->form, found.number);
    if (figure == FIGURE_figure)
        metric_print_whole(value->text, sizeof value->text, question->at.metric, found.number);
}

/* ---- What depends on the screen ---- */

/* The token that A attends to most, by the name that it has on the screen. Of equal ones the first
 * counts. */
static void answer_most(struct question *question)
{
    const struct token_list *shown = &question->scene.data.attention->tokens[SIDE_RIGHT];
    struct figure_at *at = &question->at;
    size_t best = 0;
    double most = -1;
    if (!find_head(question) || !find_named(question, question->formula->a, SIDE_LEFT, &at->from))
        return;
    for (size_t token = 0; token < shown->count; token++) {
        at->to = shown->of[token];
        const double weight = figure_ask(FIGURE_weight, at).number;
        best = weight > most ? token : best;
        most = fmax(weight, most);
    }
    give_word(question, scene_name_among(shown->labels, shown->count, best, false, false).text);
}

static void answer_layer(struct question *question)
{
    if (find_head(question))
        give_number(question, FIGURE_WHOLE, (double)question->at.layer);
}

static void answer_head(struct question *question)
{
    if (find_head(question))
        give_number(question, FIGURE_WHOLE, (double)question->at.head);
}

/* Printed without the mark of the blank before it. */
static void answer_guess(struct question *question)
{
    const size_t nth = question->formula->nth;
    const struct lens_cell *said = find_said(question);
    if (!said)
        return;
    if (said->count < nth) {
        no_value(question, "the vocabulary has fewer than %zu pieces", nth);
        return;
    }
    const char *label = words_piece(&question->scene, said->best[nth - 1].id);
    const char *plain = words_part(label, false, WORD_MARKS_BEGIN);
    give_word(question, *plain ? plain : label);
}

/* The word on both sides of the compare view. */
static bool find_compared(struct question *question, struct occurrence words[2])
{
    const struct scene *scene = &question->scene;
    if (!scene->view->compares)
        return no_value(question, "nothing is compared outside the compare view");
    if (derive_wants(REQUEST_COMPARE, &scene->look, &scene->data) ||
        derive_wants(REQUEST_BEFORE, &scene->look, &scene->data))
        return not_yet(question);
    const struct comparison comparison = comparison_of(scene);
    if (comparison_word(&comparison, words) && cosine_is_defined(&words[0], &words[1]))
        return true;
    return no_value(question, "no word stands on both sides");
}

/* With a layer, the cosine after that many; without one, that of the last layer. */
static void answer_alike(struct question *question)
{
    const struct formula *formula = question->formula;
    struct occurrence words[2];
    if (!find_compared(question, words))
        return;
    const double cosine = !formula->has_place ? cosine_of_last(&words[0], &words[1], COSINE_LAST)
                          : formula->layer < cosine_levels(&words[0], &words[1])
                              ? cosine_at(&words[0], &words[1], formula->layer)
                              : NAN;
    if (isnan(cosine))
        no_value(question, "there are no vectors after %zu layers", formula->layer);
    else
        give_number(question, FIGURE_SHARE, cosine);
}

/* Whether the map that the look asks for is shown. */
static bool shows_map(struct question *question)
{
    const struct scene *scene = &question->scene;
    if (scene->data.map->kind == derive_map_wanted(&scene->look, true))
        return true;
    if (derive_wants(REQUEST_MAP, &scene->look, &scene->data))
        return not_yet(question);
    return no_value(question, "the map that was asked for is not shown");
}

/* The number that the screen has for two tokens. Unlike "weight" it follows the map, the filter and
 * the head that are shown. */
static void answer_shown(struct question *question)
{
    const struct scene *scene = &question->scene;
    const char *const names[] = {question->formula->a, question->formula->b};
    size_t tokens[2];
    if (!shows_map(question))
        return;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        tokens[side] = find_token(scene, names[side], side);
        if (tokens[side] == NO_TOKEN) {
            no_value(question, "no token \"%s\" is shown", names[side]);
            return;
        }
    }
    const size_t map = scene_is_single(scene) ? 0 : scene->look.head;
    give_number(question, scene->data.map->kind == MAP_SCORES ? FIGURE_DECIMAL : FIGURE_SHARE,
                (double)scene_value(scene, map, tokens[SIDE_LEFT], tokens[SIDE_RIGHT]));
}

static void answer_model(struct question *question)
{
    give_word(question, question->scene.data.model);
}

/* A recording may come from another program, which need not say. */
static void answer_family(struct question *question)
{
    if (question->scene.data.family)
        give_word(question, question->scene.data.family);
    else
        no_value(question, "the recording doesn't name its family");
}

/* ---- Evaluation ---- */

static void (*const answers[FIGURE_COUNT])(struct question *question) = {
#define NUMBER(code, ...) [FIGURE_##code] = answer_figure,
#define SCREEN(code, ...) [FIGURE_##code] = answer_##code,
    FIGURES(NUMBER, SCREEN)
#undef NUMBER
#undef SCREEN
};

/* The formula is read and dropped: nothing in its syntax depends on the session. */
enum status formula_check(const char *formula, size_t length, struct error *error)
{
    struct formula read;
    return formula_read(formula, length, &read, error);
}

/* The trace that a formula is about; NULL: there is none, and the value says why. */
static const struct trace *find_trace(struct question *question, const struct data *data)
{
    question->value.state = FORMULA_PENDING;
    if (!data->trace || !question->formula->before || !data->changes)
        return data->trace;
    if (!data->checkpoint)
        no_value(question, "a recording has nothing from before the changes");
    else if (!data->before && data->stopped)
        no_value(question, "what was before the changes was not computed");
    return data->before;
}

/* Formulas are read anew for each evaluation, as they are short. What a formula needs is collected
 * in a question, and the table calls the function for its row. */
struct formula_value formula_evaluate(struct session *session, const char *formula, size_t length)
{
    struct formula read;
    struct question question = {.session = session, .formula = &read};
    struct error error;
    if (formula_read(formula, length, &read, &error) != STATUS_OK) {
        no_value(&question, "%s", error.message);
        return question.value;
    }
    const struct trace *trace = find_trace(&question, &session->data);
    if (!trace)
        return question.value;
    question.scene = session_scene(session);
    question.at = (struct figure_at){
        .trace = trace,
        .side = &question.scene.data.encoded->sides[SIDE_LEFT],
        .kinds = &question.scene.data.kinds,
        .metric = read.metric,
    };
    question.value.state = FORMULA_KNOWN;
    answers[read.figure](&question);
    return question.value;
}
