#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/lens/predict.h"
#include "headlight/model/trace_new.h"

#include <math.h>
#include <stdlib.h>

static struct trace *make(const bool outputs[OUTPUT_COUNT])
{
    struct config config = {.vocabulary = 6,
                            .hidden = 4,
                            .layers = 1,
                            .heads = 1,
                            .feed_forward = 4,
                            .positions = 8,
                            .segments = 2};
    struct trace *trace;
    struct error error;
    ck_assert_int_eq(trace_blank(&config, 2, outputs, 0, &trace, &error), STATUS_OK);
    return trace;
}

TEST(the_likeliest_pieces_come_first)
{
    struct trace *trace = make((const bool[OUTPUT_COUNT]){[OUTPUT_MLM] = true});
    const double logits[6] = {1, 3, -2, 3, 0, 2};
    struct prediction best[4];
    double sum = 0;
    for (size_t i = 0; i < 6; i++) {
        trace->outputs[OUTPUT_MLM][6 + i] = (float)logits[i];
        sum += exp(logits[i]);
    }
    ck_assert_uint_eq(best_pieces(trace, 1, best, 4), 4);
    const int32_t expected[] = {1, 3, 5, 0};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(best[i].id, expected[i]);
        ck_assert_double_eq_tol(exp(best[i].logprob), exp(logits[expected[i]]) / sum, 1e-6);
    }
    ck_assert_uint_eq(best_pieces(trace, 1, best, 0), 0);
    free(trace);
}

TEST(all_probabilities_sum_to_one)
{
    struct trace *trace = make((const bool[OUTPUT_COUNT]){[OUTPUT_MLM] = true});
    struct prediction best[9];
    double sum = 0;
    for (size_t i = 0; i < 6; i++)
        trace->outputs[OUTPUT_MLM][i] = 1000 + (float)i; /* would overflow without care */
    ck_assert_uint_eq(best_pieces(trace, 0, best, 9), 6);
    for (size_t i = 0; i < 6; i++)
        sum += exp(best[i].logprob);
    ck_assert_double_eq_tol(sum, 1, 1e-6);
    free(trace);
}

/* -Σ p·log2 p by its definition, and at its two ends. */
TEST(the_entropy_is_in_bits)
{
    const float even[8] = {3, 3, 3, 3, 3, 3, 3, 3}, sure[3] = {0, 2000, -2000};
    const float some[4] = {1, -0.5F, 2.25F, 0};
    double entropy, total = 0, sum = 0;
    ck_assert_double_eq_tol(predict_total(even, 8, &entropy), 3 + log(8), 1e-12);
    ck_assert_double_eq_tol(entropy, 3, 1e-12);
    ck_assert_double_eq_tol(predict_total(sure, 3, &entropy), 2000, 1e-12);
    ck_assert_double_eq_tol(entropy, 0, 1e-12);
    for (size_t i = 0; i < 4; i++)
        sum += exp((double)some[i]);
    for (size_t i = 0; i < 4; i++)
        total -= exp((double)some[i]) / sum * log2(exp((double)some[i]) / sum);
    ck_assert_double_eq_tol(predict_total(some, 4, &entropy), log(sum), 1e-12);
    ck_assert_double_eq_tol(entropy, total, 1e-12);
}

TEST(a_missing_head_predicts_nothing)
{
    struct trace *trace = make((const bool[OUTPUT_COUNT]){false});
    struct prediction best[1];
    float probability;
    ck_assert_uint_eq(best_pieces(trace, 0, best, 1), 0);
    ck_assert(!predict_pair(trace, &probability));
    free(trace);
}

TEST(what_two_texts_are_is_the_first_logit, .times = 2)
{
    const enum model_output output = _i ? OUTPUT_SOP : OUTPUT_NSP;
    struct trace *trace = make((const bool[OUTPUT_COUNT]){[OUTPUT_NSP] = !_i, [OUTPUT_SOP] = _i});
    float probability;
    trace->outputs[output][0] = 2;
    trace->outputs[output][1] = -1;
    ck_assert(predict_pair(trace, &probability));
    ck_assert_double_eq_tol((double)probability, 1 / (1 + exp(-3)), 1e-6);
    free(trace);
}

/* Without overflow on either side. */
TEST(a_logit_above_0_is_a_replaced_word)
{
    struct trace *trace = make((const bool[OUTPUT_COUNT]){[OUTPUT_RTD] = true});
    trace->outputs[OUTPUT_RTD][0] = 1.5F;
    trace->outputs[OUTPUT_RTD][1] = -1000;
    ck_assert_double_eq_tol((double)predict_replaced(trace, 0), 0.81757448, 1e-7);
    ck_assert_double_eq_tol((double)predict_replaced(trace, 1), 0, 1e-30);
    free(trace);
}

TEST(the_next_word_is_told_like_any)
{
    struct trace *trace = make((const bool[OUTPUT_COUNT]){[OUTPUT_LM] = true});
    struct prediction best[1];
    trace->outputs[OUTPUT_LM][6 + 4] = 3;
    ck_assert_uint_eq(best_pieces(trace, 1, best, 1), 1);
    ck_assert_int_eq(best[0].id, 4);
    free(trace);
}

/* As the list of the likeliest has them: of equal ones the lower id first. */
TEST(the_rank_is_the_place_in_the_list)
{
    const float logits[6] = {1, 3, -2, 3, 0, 2};
    static const size_t ranks[] = {4, 1, 6, 2, 5, 3};
    for (size_t id = 0; id < 6; id++)
        ck_assert_uint_eq(predict_rank(logits, 6, id), ranks[id]);
}
