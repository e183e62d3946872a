/* formula.c: the values of formulas. For a NUMBER of the table (lens/figures.h) only the arguments
 * are found here; a SCREEN row depends on what is shown and is computed here. A value that needs a
 * result still being computed is pending; the lesson evaluates it again later. */
#include "headlight/lesson/formula.h"

#include "headlight/lens/same_word.h"
#include "headlight/lesson/lesson.h"
#include "headlight/session/derive.h"
#include "headlight/session/find.h"
#include "headlight/view/comparison.h"
#include "headlight/view/words.h"

/* A formula being evaluated: its arguments and its value. */
struct question {
    struct session *session;
    const struct formula *formula;
    struct scene scene;
    struct figure_at at;
    const struct lens_cell *answer; /* find_answer */
    struct formula_value value;
};

/* ---- Values ---- */

static bool wants(const struct question *question, enum request_kind kind)
{
    return derive_wants(kind, &question->scene.look, &question->scene.data);
}

/* A result isn't there: if it is under way, the lesson asks again when it has come. Returns false.
 */
static bool unavailable(struct question *question, bool under_way)
{
    question->value.state = under_way ? FORMULA_PENDING : FORMULA_UNKNOWN;
    return false;
}

/* The number itself is kept beside its text, for conditions. NaN: there is none. */
static bool give_number(struct question *question, enum figure_form form, double number)
{
    struct formula_value *value = &question->value;
    if (isnan(number))
        return false;
    value->value = number;
    figure_print(value->text, sizeof value->text, form, number);
    return true;
}

/* A word that is too long is cut between characters. */
static bool give_word(struct question *question, const char *word)
{
    format_cut(question->value.text, sizeof question->value.text, "%s", word);
    return true;
}

/* ---- Tokens ---- */

/* The trace's tokens for a name (formula.h): the pieces of a word where words are merged, else
 * one. */
static bool find_named(struct question *question, const char *name, enum side side,
                       struct token_range *pieces)
{
    const bool shown = find_token(&question->scene, name, side) != NO_TOKEN;
    if (!find_pieces(&question->scene, name, side, pieces))
        return false;
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
    const bool current = question->at.trace == question->scene.data.trace;
    question->at.effects = current ? question->scene.data.effects : NULL;
    return question->at.effects ||
           unavailable(question, current && wants(question, REQUEST_EFFECTS));
}

/* The head with the largest figure, compared in thousandths, or the one whose removal hurts the
 * answer most; the first of equal ones. The heads of a lesson's sentence are measured within
 * milliseconds, so nobody waits for a request. */
static bool find_largest_head(struct question *question)
{
    const enum metric of = question->formula->of;
    struct figure_at *at = &question->at;
    const size_t heads = at->trace->heads;
    double most = -INFINITY;
    if (of == METRIC_EFFECT && !find_effects(question))
        return false;
    for (size_t i = 0; i < at->trace->layers * heads; i++) {
        const double number =
            of == METRIC_EFFECT
                ? -at->effects->change[i]
                : round(1000 * metrics_measure(at->trace, i / heads, i % heads, at->kinds).of[of]);
        if (!(number > most))
            continue;
        most = number;
        at->layer = i / heads;
        at->head = i % heads;
    }
    return most > -INFINITY; /* no word of the text may stand in it twice */
}

/* The head given, else the one shown. */
static bool find_head(struct question *question)
{
    const struct formula *formula = question->formula;
    struct figure_at *at = &question->at;
    const struct trace *trace = at->trace;
    if (formula->opening)
        return opening_head(trace, question->scene.data.encoded->sides, &at->layer, &at->head);
    if (formula->of != METRIC_NONE)
        return find_largest_head(question);
    at->layer = formula->has_place ? formula->layer : question->scene.look.layer;
    at->head = formula->has_place ? formula->head : question->scene.look.head;
    return at->layer < trace->layers && at->head < trace->heads;
}

/* ---- Words that the model says ---- */

_Static_assert(LESSON_FORMULAS_MAX <= LENS_ROWS, "a step's questions are kept together");

/* What the model says at the token A, of the word given or without one of LENS_NOTHING. Asking may
 * change the session's data. */
static bool find_answer(struct question *question)
{
    const char *word = question->formula->word;
    struct token_range pieces;
    int32_t id = LENS_NOTHING;
    if (question->scene.data.no_lens[0] ||
        !find_named(question, question->formula->a, SIDE_LEFT, &pieces))
        return false;
    if (word)
        id = target_piece(question->scene.data.checkpoint->tokenizer, word);
    if (word && (id < 0 || (size_t)id >= question->at.trace->vocabulary))
        return false;
    question->answer = derive_ask_words(question->session, question->at.trace, pieces.first, id);
    question->scene = session_scene(question->session);
    return question->answer || unavailable(question, wants(question, REQUEST_WORDS));
}

/* ---- Numbers of the table ---- */

/* Finds the arguments that a row of the table needs: a head, a pair of tokens, a word or two
 * vectors. */
static bool find_arguments(struct question *question)
{
    const struct formula *formula = question->formula;
    struct figure_at *at = &question->at;
    switch (figure_infos[formula->figure].of) {
    case FIGURE_OF_HEAD:
        return find_head(question) && (at->metric != METRIC_EFFECT || find_effects(question));
    case FIGURE_OF_PAIR:
        return find_head(question) && find_named(question, formula->a, SIDE_LEFT, &at->from) &&
               find_named(question, formula->b, SIDE_RIGHT, &at->to);
    case FIGURE_OF_WORD:
        if (!find_answer(question))
            return false;
        /* without a word, of the likeliest */
        at->logprob = formula->word ? question->answer->logprob : question->answer->best[0].logprob;
        at->rank = formula->word ? question->answer->rank : 1;
        return true;
    case FIGURE_OF_VECTORS:
        at->layer = formula->layer;
        return find_whole_word(question, formula->a, &at->from) &&
               find_whole_word(question, formula->b, &at->to);
    default:
        return true;
    }
}

/* A NUMBER row: once its arguments are found, lens/figures.c knows the rest. */
static bool answer_figure(struct question *question)
{
    const enum figure figure = question->formula->figure;
    struct formula_value *value = &question->value;
    if (!find_arguments(question) ||
        !give_number(question, figure_infos[figure].form, figure_ask(figure, &question->at)))
        return false;
    if (figure == FIGURE_figure)
        metric_print(value->text, sizeof value->text, question->at.metric, value->value);
    return true;
}

/* ---- What depends on the screen ---- */

/* The token that A attends to most, by the name that it has on the screen. Of equal ones the first
 * counts. */
static bool answer_most(struct question *question)
{
    const struct token_list *shown = &question->scene.data.attention->tokens[SIDE_RIGHT];
    struct figure_at *at = &question->at;
    size_t best = 0;
    double most = -1;
    if (!find_head(question) || !find_named(question, question->formula->a, SIDE_LEFT, &at->from))
        return false;
    for (size_t token = 0; token < shown->count; token++) {
        at->to = shown->of[token];
        const double weight = figure_ask(FIGURE_weight, at);
        best = weight > most ? token : best;
        most = fmax(weight, most);
    }
    return give_word(question,
                     scene_name_among(shown->labels, shown->count, best, false, false).text);
}

/* Printed without the mark of the blank before it. */
static bool answer_guess(struct question *question)
{
    const size_t nth = question->formula->nth;
    if (!find_answer(question) || question->answer->count < nth)
        return false;
    const char *label = words_piece(&question->scene, question->answer->best[nth - 1].id);
    const char *plain = words_part(label, false, WORD_MARKS_BEGIN);
    return give_word(question, *plain ? plain : label);
}

/* Of the word on both sides of the compare view. With a layer, the cosine after that many; without
 * one, that of the last layer. */
static bool answer_alike(struct question *question)
{
    const struct scene *scene = &question->scene;
    const struct formula *formula = question->formula;
    struct occurrence words[2];
    if (!scene->view->compares)
        return false;
    if (wants(question, REQUEST_COMPARE) || wants(question, REQUEST_BEFORE))
        return unavailable(question, true);
    const struct comparison comparison = comparison_of(scene);
    if (!comparison_word(&comparison, words) || !cosine_is_defined(&words[0], &words[1]))
        return false;
    return give_number(question, FIGURE_SHARE,
                       !formula->has_place ? cosine_of_last(&words[0], &words[1], COSINE_LAST)
                       : formula->layer < cosine_levels(&words[0], &words[1])
                           ? cosine_at(&words[0], &words[1], formula->layer)
                           : NAN);
}

/* The number that the screen has for two tokens. Unlike "weight" it follows the map, the filter and
 * the head that are shown. */
static bool answer_shown(struct question *question)
{
    const struct scene *scene = &question->scene;
    const char *const names[] = {question->formula->a, question->formula->b};
    size_t tokens[2];
    if (scene->data.map->kind != derive_map_wanted(&scene->look, true))
        return unavailable(question, wants(question, REQUEST_MAP));
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        tokens[side] = find_token(scene, names[side], side);
        if (tokens[side] == NO_TOKEN)
            return false;
    }
    const size_t map = scene_is_single(scene) ? 0 : scene->look.head;
    return give_number(question,
                       scene->data.map->kind == MAP_SCORES ? FIGURE_DECIMAL : FIGURE_SHARE,
                       (double)scene_value(scene, map, tokens[SIDE_LEFT], tokens[SIDE_RIGHT]));
}

/* How many, for a condition to ask whether there are any. */
static bool answer_words(struct question *question)
{
    return !question->scene.data.no_lens[0] &&
           give_number(question, FIGURE_WHOLE, (double)question->at.trace->vocabulary);
}

static bool answer_masked(struct question *question)
{
    const size_t count = question->scene.data.encoded->masked.count;
    return count > 0 && give_number(question, FIGURE_WHOLE, (double)count);
}

static bool answer_model(struct question *question)
{
    return give_word(question, question->scene.data.model);
}

/* A recording may come from another program, which need not say. */
static bool answer_family(struct question *question)
{
    return question->scene.data.family && give_word(question, question->scene.data.family);
}

/* ---- Evaluation ---- */

/* Each returns whether there is a value. */
static bool (*const answers[FIGURE_COUNT])(struct question *question) = {
#define NUMBER(code, ...) [FIGURE_##code] = answer_figure,
#define SCREEN(code, ...) [FIGURE_##code] = answer_##code,
    FIGURES(NUMBER, SCREEN)
#undef NUMBER
#undef SCREEN
};

/* What a formula needs is collected in a question, and the table calls the function for its row. */
struct formula_value formula_ask(struct session *session, const struct formula *formula)
{
    const struct data *data = &session->data;
    const struct trace *trace = data->trace;
    struct question question = {
        .session = session, .formula = formula, .value.state = FORMULA_PENDING};
    if (trace && formula->before && data->changes) {
        trace = data_before(data); /* a recording has nothing from before the changes */
        unavailable(&question, data->checkpoint && !data->stopped);
    }
    if (!trace)
        return question.value;
    question.scene = session_scene(session);
    question.at = (struct figure_at){
        .trace = trace,
        .side = &question.scene.data.encoded->sides[SIDE_LEFT],
        .kinds = &question.scene.data.encoded->kinds,
        .metric = formula->metric,
    };
    question.value.state = FORMULA_UNKNOWN;
    if (answers[formula->figure](&question))
        question.value.state = FORMULA_KNOWN;
    return question.value;
}
