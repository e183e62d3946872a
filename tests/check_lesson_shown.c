/* Formulas of what is shown beside the pass: maps, what is compared, and effects; held against what
 * is computed here from traces alone. */
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/lens/cosine.h"
#include "headlight/lens/effects.h"
#include "headlight/lesson/formula.h"
#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static struct formula_value ask(const char *text)
{
    struct formula formula;
    assert_ok(formula_read(text, strlen(text), &formula, &error), error);
    return formula_ask(&learner, &formula);
}

static double number(const char *formula)
{
    struct formula_value value = ask(formula);
    ck_assert_msg(value.state == FORMULA_KNOWN, "%s: %s", formula, value.text);
    return value.value;
}

static void assert_unknown(const char *formula)
{
    ck_assert_msg(ask(formula).state == FORMULA_UNKNOWN, "%s", formula);
}

static void open_texts(const char *first, const char *second)
{
    const struct text texts[] = {{first, strlen(first)}, {second, second ? strlen(second) : 0}};
    assert_ok(session_open(&learner, texts, second ? 2 : 1, NULL, &error), error);
    assert_ok(request_settle(&learner, &error), error);
}

static void look_at(enum state_field setting, const char *value)
{
    const char *values[FIELD_COUNT] = {NULL};
    values[setting] = value;
    assert_ok(fields_apply(&learner, PART_LOOK, values, NULL, &error), error);
}

/* ---- Maps ---- */

TESTS(.begin = begin_learner, .end = end_learner);

TEST(a_similarity_shown_is_the_cosine_after_its_layer)
{
    open_texts("the cat saw the cat", NULL);
    look_at(FIELD_VIEW, "matrix");
    look_at(FIELD_MAP, "similarity");
    look_at(FIELD_LAYER, "2");
    ck_assert_double_eq_tol(number("shown cat → saw"), number("cosine cat saw at 3"), 1e-6);
    ck_assert_double_eq_tol(number("shown cat₂ → the"), number("cosine cat₂ the at 3"), 1e-6);
    assert_unknown("shown dog → cat");
    look_at(FIELD_SPECIAL, "hidden");
    assert_unknown("shown cat → [CLS]");
    ck_assert_double_eq_tol(number("shown cat → saw"), number("cosine cat saw at 3"), 1e-6);
}

/* softmax(x·x/√H), from what enters the first layer. */
static double plain(size_t from, size_t to)
{
    const struct trace *trace = learner.data.trace;
    const float *x = trace->layer[0].input;
    double sum = 0, it = 0;
    for (size_t j = 0; j < trace->tokens; j++) {
        double dot = 0;
        for (size_t h = 0; h < trace->hidden; h++)
            dot += (double)x[from * trace->hidden + h] * (double)x[j * trace->hidden + h];
        dot = exp(dot / sqrt((double)trace->hidden) - 200);
        sum += dot;
        it = j == to ? dot : it;
    }
    return it / sum;
}

TEST(plain_attention_and_weights_are_shown)
{
    open_texts("the cat saw the cat", NULL);
    look_at(FIELD_VIEW, "matrix");
    look_at(FIELD_LAYER, "0");
    look_at(FIELD_HEAD, "3");
    ck_assert_double_eq_tol(number("shown cat → saw"), number("weight cat → saw"), 1e-7);
    look_at(FIELD_MAP, "scores");
    ck_assert_double_eq_tol(number("shown cat → saw"), number("score cat → saw"), 1e-4);
    ck_assert_str_eq(ask("shown cat → saw").text, ask("score cat → saw").text);
    look_at(FIELD_MAP, "plain");
    ck_assert_double_gt(number("shown cat → cat₂"), 0.05);
    ck_assert_double_eq_tol(number("shown cat → cat₂"), plain(2, 5), 1e-4);
}

/* Before the network is changed there is nothing to differ from. */
TEST(a_map_that_is_not_there_has_no_numbers)
{
    struct look look = learner.state.look;
    look.view = VIEW_MATRIX;
    look.map = MAP_DIFFERENCE;
    ck_assert(derive_show(&learner, &look));
    assert_unknown("shown #1 → #2");
}

/* ---- What is compared ---- */

static double cosine_of_both(size_t token, const char *const texts[2], size_t level)
{
    static const struct interventions none;
    struct session alone[2];
    struct occurrence words[2];
    for (int i = 0; i < 2; i++) {
        const struct text text = {texts[i], strlen(texts[i])};
        session_begin(&alone[i], &builtin, true, &none);
        assert_ok(session_open(&alone[i], &text, 1, NULL, &error), error);
        assert_ok(request_settle(&alone[i], &error), error);
        words[i] = (struct occurrence){alone[i].data.trace, {token, token + 1}};
    }
    double cosine = cosine_at(&words[0], &words[1], level);
    session_end(&alone[0]);
    session_end(&alone[1]);
    return cosine;
}

TEST(alike_is_what_the_compare_view_compares)
{
    static const char *const texts[] = {"time flies like an arrow", "fruit flies like a banana"};
    open_texts(texts[0], texts[1]);
    assert_unknown("alike");
    look_at(FIELD_VIEW, "compare");
    look_at(FIELD_SELECT, "like");
    ck_assert_int_eq(ask("alike").state, FORMULA_PENDING);
    assert_ok(request_rest(&learner, &error), error);
    ck_assert_double_eq_tol(number("alike at 0"), 1, 1e-6);
    ck_assert_double_eq_tol(number("alike at 2"), cosine_of_both(3, texts, 2), 1e-6);
    ck_assert_double_eq_tol(number("alike"), cosine_of_both(3, texts, 8), 1e-6);
    look_at(FIELD_SELECT, "flies");
    ck_assert_double_eq_tol(number("alike"), cosine_of_both(2, texts, 8), 1e-6);
    assert_unknown("alike at 9");
    look_at(FIELD_SELECT, "arrow");
    assert_unknown("alike");
}

/* ---- Heads by their figures ---- */

TEST(a_head_is_named_by_its_figure)
{
    char formula[80];
    open_texts("the cat saw the cat", NULL);
    snprintf(formula, sizeof formula, "weight saw → cat at %zu.%zu",
             (size_t)number("layer of previous"), (size_t)number("head of previous"));
    ck_assert_double_eq(number("weight saw → cat at previous"), number(formula));
    ck_assert_double_gt(number("figure previous at previous"), number("figure previous at next"));
    ck_assert_double_eq(number("layer of telling"), number("layer of telling before"));
    ck_assert_double_eq(number("last"), number("layers") - 1);
    ck_assert_str_eq(ask("family").text, "BERT");
    learner.data.family = NULL;
    assert_unknown("family");
}

TEST(effects_are_known_where_they_are_shown)
{
    struct effects *effects;
    size_t least = 0;
    open_texts("new [MASK] is a city .", NULL);
    assert_unknown("layer of effect");
    look_at(FIELD_VIEW, "model");
    look_at(FIELD_METRIC, "effect");
    ck_assert_int_eq(ask("figure effect at 1.2").state, FORMULA_PENDING);
    assert_ok(request_rest(&learner, &error), error);
    assert_ok(effects_of_word(builtin.model, learner.data.trace, 2, TARGET_LIKELIEST, NULL,
                              &effects, &error),
              error);
    for (size_t i = 0; i < effects->layers * effects->heads; i++)
        least = effects->change[i] < effects->change[least] ? i : least;
    ck_assert_uint_eq((size_t)number("layer of effect"), least / effects->heads);
    ck_assert_uint_eq((size_t)number("head of effect"), least % effects->heads);
    ck_assert_double_eq_tol(number("figure effect at effect"), effects->change[least], 1e-6);
    ck_assert_double_eq_tol(number("figure effect at 1.2"), effects->change[effects->heads + 2],
                            1e-6);
    free(effects);
}

TEST(whether_a_token_is_masked)
{
    open_texts("the cat sat", NULL);
    assert_unknown("masked");
    assert_ok(mask_apply(&learner, "cat", &error), error);
    assert_ok(request_settle(&learner, &error), error);
    ck_assert_double_eq(number("masked"), 1);
    ck_assert_double_eq(number("words"), 16384);
}

/* ---- Of all heads ---- */

#define TWENTY "a cat is a cat and a dog is a dog and a cow is a cow and a hen "

/* So long that the heads aren't measured on the keyboard's thread. */
static void open_long_text(void)
{
    open_texts(TWENTY TWENTY TWENTY TWENTY TWENTY, NULL);
    learner.interactive = true;
}

static bool asks_for(enum request_kind kind)
{
    return derive_wants(kind, &learner.state.look, &learner.data);
}

/* Those of the network as it was, however long the text is. */
TEST(heads_before_a_change)
{
    struct head_metrics *metrics;
    open_long_text();
    const struct trace *before = learner.data.trace;
    assert_ok(metrics_measure_all(before, &learner.data.encoded->kinds, NULL, &metrics, &error),
              error);
    const size_t heads = learner.data.head_count;
    size_t best = 0;
    for (size_t i = 0; i < learner.data.layers * heads; i++)
        if (round(metrics[i].of[METRIC_NEXT] * 1000) > round(metrics[best].of[METRIC_NEXT] * 1000))
            best = i;
    free(metrics);
    ck_assert_double_eq(number("head of next"), (double)(best % heads));
    learner.state.source.changes.causal = true;
    assert_ok(request_settle(&learner, &error), error);
    while (ask("head of next before").state == FORMULA_PENDING)
        assert_ok(request_rest(&learner, &error), error);
    ck_assert_double_eq(number("head of next before"), (double)(best % heads));
}

/* ---- Of all words ---- */

/* Asks about token after token, on two words; the number of formulas without a value yet. */
static size_t ask_many(size_t formulas, const char *suffix)
{
    char formula[64];
    size_t pending = 0;
    for (size_t i = 0; i < formulas; i++) {
        snprintf(formula, sizeof formula, "%s #%zu = %s%s", i % 3 > 0 ? "p" : "rank", i / 2,
                 i % 2 > 0 ? "cat" : "dog", suffix);
        const enum formula_state state = ask(formula).state;
        ck_assert_int_ne(state, FORMULA_UNKNOWN);
        pending += state == FORMULA_PENDING;
    }
    return pending;
}

/* A few at once; what is more than that is one request, however many there are. */
TEST(many_words_are_requested)
{
    open_long_text();
    ck_assert_uint_eq(ask_many(8, ""), 0);
    ck_assert_uint_gt(ask_many(LESSON_FORMULAS_MAX, ""), 30);
    ck_assert(asks_for(REQUEST_WORDS));
    assert_ok(request_rest(&learner, &error), error);
    ck_assert_uint_eq(ask_many(LESSON_FORMULAS_MAX, ""), 0);
    ck_assert(!asks_for(REQUEST_WORDS));
}

/* What was asked and what is asked of what was before fill what is kept; the earlier ones go. */
TEST(words_before_are_requested_too)
{
    open_long_text();
    const double before = number("p #30 = cat");
    learner.state.source.changes.causal = true;
    assert_ok(request_settle(&learner, &error), error);
    assert_ok(request_rest(&learner, &error), error);
    ask_many(40, "");
    int rounds = 0;
    while (ask_many(LESSON_FORMULAS_MAX, " before") > 0 && rounds++ < 3)
        assert_ok(request_rest(&learner, &error), error);
    ck_assert_int_le(rounds, 2);
    ck_assert_double_eq_tol(number("p #30 = cat before"), before, 1e-5);
    ck_assert_double_ne(number("p #30 = cat"), before);
}

TEST(who_stops_it_gets_no_word)
{
    open_long_text();
    const double known = number("p #3 = cow");
    ck_assert_uint_gt(ask_many(60, ""), 0);
    error_write(&error, STATUS_CANCELLED, "cancelled");
    request_fail(&learner, REQUEST_WORDS, &error);
    ck_assert(!asks_for(REQUEST_WORDS));
    ck_assert_double_eq(number("p #3 = cow"), known);
    assert_unknown("guess #40");
    open_long_text();
    ck_assert_int_eq(ask("guess #40").state, FORMULA_KNOWN);
}
