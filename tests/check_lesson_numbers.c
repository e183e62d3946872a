/* What formulas and conditions of lessons say of made-up numbers, and why there is none. */
#include "formula_helpers.h"
#include "model_helpers.h"
#include "rows.h"
#include "session_helpers.h"
#include "suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Made-up numbers: the session of session_case ---- */

TESTS(.base = &session_tests);

TEST(weights_are_of_the_head_shown_or_of_the_one_named)
{
    const struct trace *trace = session.data.trace;
    session.state.look.layer = 1;
    session.state.look.head = 2;
    ck_assert_double_eq(number("weight time → like"), (double)trace_weight(trace, 1, 2, 1, 3));
    ck_assert_double_eq(number("weight time -> like at 0.3"),
                        (double)trace_weight(trace, 0, 3, 1, 3));
    ck_assert_double_eq(number("weight [SEP] → #12"), (double)trace_weight(trace, 1, 2, 6, 12));
    assert_says("layer", "1");
    assert_says("head", "2");
}

TEST(a_token_among_those_of_its_name)
{
    const struct trace *trace = session.data.trace;
    ck_assert_double_eq(number("weight flies → fruit at 0.0"),
                        (double)trace_weight(trace, 0, 0, 2, 7));
    ck_assert_double_eq(number("weight flies₁ → flies₂ at 0.0"),
                        (double)trace_weight(trace, 0, 0, 2, 8));
    ck_assert_double_eq(number("weight flies#2 → like#2 at 0.0"),
                        (double)trace_weight(trace, 0, 0, 8, 9));
    assert_unknown("weight flies₃ → time");
}

TEST(scores_are_dots_by_the_root_of_dimensions)
{
    const struct trace *trace = session.data.trace;
    const float *query = heads_row(&trace->layer[1].query, 3, 1);
    const float *key = heads_row(&trace->layer[1].key, 3, 5);
    double dot = 0;
    for (size_t d = 0; d < 8; d++)
        dot += (double)query[d] * (double)key[d];
    ck_assert_double_eq(number("dot time → arrow at 1.3"), dot);
    ck_assert_double_eq_tol(number("score time → arrow at 1.3"), dot / sqrt(8), 1e-6);
}

TEST(the_most_is_among_those_shown)
{
    float *row = session.data.encoded->trace->layer[0].weights; /* of [CLS] in head 0 */
    for (size_t to = 0; to < 13; to++)
        row[to] = to == 6 ? 0.5F : to == 8 ? 0.3F : to < 5 ? 0.04F : 0;
    assert_says("most [CLS] at 0.0", "[SEP]");
    act(ACTION_SPECIAL);
    assert_says("most [CLS] at 0.0", "flies₂"); /* which attends, though it is hidden */
}

/* ba ##nana are tokens 11 and 12. */
TEST(merged_words_have_the_numbers_that_the_screen_shows)
{
    const struct trace *trace = session.data.trace;
    double first = (double)trace_weight(trace, 0, 1, 11, 11),
           rest = (double)trace_weight(trace, 0, 1, 11, 12),
           below = (double)trace_weight(trace, 0, 1, 12, 11),
           last = (double)trace_weight(trace, 0, 1, 12, 12);
    ck_assert_double_eq(number("weight ba → ##nana at 0.1"), rest);
    ck_assert_double_eq(number("weight banana → banana at 0.1"), first);
    act(ACTION_WORDS);
    ck_assert_double_eq(number("weight banana → banana at 0.1"), (first + rest + below + last) / 2);
    ck_assert_double_eq(number("weight banana → banana at 0.1"),
                        (double)attention_weight(session.data.attention, 0, 1, 11, 11));
    ck_assert_double_eq(number("weight ba → ##nana at 0.1"), rest);
    double scores = 0;
    for (size_t i = 11; i < 13; i++)
        for (size_t j = 11; j < 13; j++)
            scores += (double)trace_score(trace, 0, 1, i, j) / 4;
    ck_assert_double_eq_tol(number("score banana → banana at 0.1"), scores, 1e-9);
}

TEST(figures_are_those_of_the_metrics)
{
    const struct data *data = &session.data;
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++) {
        double most = -1;
        size_t best[2] = {0, 0};
        for (size_t layer = 0; layer < 2; layer++)
            for (size_t head = 0; head < 4; head++) {
                const struct head_metrics metrics =
                    metrics_measure(data->trace, layer, head, &data->encoded->kinds);
                const double value = metrics.of[metric];
                ck_assert_double_eq(
                    number("figure %s at %zu.%zu", metric_infos[metric].name, layer, head), value);
                if (round(value * 1000) <= most)
                    continue;
                most = round(value * 1000);
                best[0] = layer;
                best[1] = head;
            }
        ck_assert_double_eq(number("layer of %s", metric_infos[metric].name), (double)best[0]);
        ck_assert_double_eq(number("head of %s", metric_infos[metric].name), (double)best[1]);
    }
}

TEST(the_telling_head_is_the_one_to_begin_with)
{
    double layer = number("layer of telling"), head = number("head of telling");
    session_show_opening_head(&session);
    ck_assert_double_eq(layer, (double)session.state.look.layer);
    ck_assert_double_eq(head, (double)session.state.look.head);
}

TEST(sizes_are_those_of_the_trace)
{
    assert_says("layers", "2");
    assert_says("heads", "4");
    assert_says("dimensions", "8");
    assert_says("tokens", "13");
    assert_says("model", "synthetic");
}

TEST(what_is_not_there_is_unknown)
{
    struct layer_trace *layer = &session.data.encoded->trace->layer[0];
    layer->scores = NULL;
    layer->key.data = NULL;
    layer->output = NULL;
    assert_unknown("score time → flies");
    assert_unknown("dot time → flies");
    assert_unknown("cosine time flies at 1");
    assert_unknown("cosine time flies at 3");
    assert_unknown("weight time → flies at 0.4");
    assert_unknown("weight time → flies at 2.0");
    assert_unknown("weight time → fly");
    assert_unknown("p time = mat");
    assert_unknown("guess time");
    assert_unknown("next");
    session_anew(synthetic_pair, 2, 2, 4, 8);
    assert_unknown("figure same");
    assert_unknown("layer of same");
    assert_unknown("head of telling");
    assert_unknown("next");
}

TEST(all_is_pending_before_there_is_a_trace)
{
    session.data.trace = NULL;
    assert_pending("weight time → flies");
    assert_pending("layers");
}

/* Small and large numbers, without a sign of zero. */
TEST(numbers_are_written_as_on_the_screen)
{
    float *weight = &session.data.encoded->trace->layer[0].weights[1];
    float *score = &session.data.encoded->trace->layer[0].scores[1];
    static const struct {
        double value;
        const char *text;
    } shares[] = {{0, "0.000"},
                  {1, "1.000"},
                  {0.4178, "0.418"},
                  {0.0005, "0.001"},
                  {0.00049, "under 0.001"},
                  {1.26e-6, "under 0.001"},
                  {3.14e-12, "under 0.001"},
                  {-1.26e-6, "0.000"},
                  {-0.0002, "0.000"},
                  {-0.0004, "0.000"},
                  {-0.0006, "-0.001"},
                  {-0.001, "-0.001"},
                  {-0.4178, "-0.418"},
                  {-1, "-1.000"}},
      scores[] = {{0, "0.00"}, {-0.001, "0.00"}, {-1.236, "-1.24"}, {-INFINITY, "-inf"}};
    for (int i = 0; i < COUNT(shares); i++) {
        *weight = (float)shares[i].value;
        assert_says("weight [CLS] → time at 0.0", shares[i].text);
    }
    for (int i = 0; i < COUNT(scores); i++) {
        *score = (float)scores[i].value;
        assert_says("score [CLS] → time at 0.0", scores[i].text);
    }
}

/* ---- Texts and conditions ---- */

static void assert_filled(const char *text, const char *expected, enum formula_state as)
{
    enum formula_state state;
    char *filled = formula_fill(&session, text, &state);
    ck_assert_str_eq(filled, expected);
    ck_assert_int_eq(state, as);
    free(filled);
}

TEST(texts_are_filled_in)
{
    assert_filled("", "", FORMULA_KNOWN);
    assert_filled("{layers} layers, {heads} heads", "2 layers, 4 heads", FORMULA_KNOWN);
    assert_filled("{{layers}", "?", FORMULA_UNKNOWN);
    assert_filled("a } b {layers", "a } b {layers", FORMULA_KNOWN);
    assert_filled("{layers}: {guess time}.", "2: ?.", FORMULA_UNKNOWN);
    session.data.trace = NULL;
    assert_filled("{layers}!", "…!", FORMULA_PENDING);
}

ROW_TEST(conditions_hold_or_not, "conditions_hold")
{
    enum formula_state state;
    struct error error;
    bool holds;
    assert_ok(condition_read(row[0], &session, &state, &holds, &error), error);
    ck_assert_int_eq(state, FORMULA_KNOWN);
    ck_assert_int_eq(holds, strcmp(row[1], "yes") == 0);
}

TEST(conditions_wait_unless_they_are_false_anyway)
{
#define WAITS "{figure entropy before} > 0"
    static const char *const waiting[] = {WAITS, "not " WAITS, WAITS " and {layers} = 2"},
                             *const decided[] = {WAITS " and words", "words and " WAITS};
    static const struct checkpoint made_up;
    enum formula_state state;
    struct error error;
    bool holds;
    session.data.changes = "causal";
    session.data.checkpoint = &made_up;
    for (int i = 0; i < COUNT(waiting); i++) {
        assert_ok(condition_read(waiting[i], &session, &state, &holds, &error), error);
        ck_assert_msg(state == FORMULA_PENDING && !holds, "%s", waiting[i]);
    }
    for (int i = 0; i < COUNT(decided); i++) {
        assert_ok(condition_read(decided[i], &session, &state, &holds, &error), error);
        ck_assert_msg(state == FORMULA_KNOWN && !holds, "%s", decided[i]);
    }
}
