/* The stages behind the last layer, of every head of a model: what they say is what the model says.
 */
#include "family_helpers.h"
#include "model_helpers.h"
#include "steps_helpers.h"
#include "suites.h"

#include "headlight/lens/answers.h"
#include "headlight/lens/predict.h"
#include "headlight/model/checkpoint.h"
#include "headlight/model/forward.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS_MOST 64

static struct checkpoint checkpoint;
static struct encoded *encoded;
static struct error error;

static void open_head(const char *folder)
{
    const struct text texts[] = {text_of_string("who sat ?"), text_of_string("the cat sat here .")};
    const struct reading how = {.special = true, .logits = true};
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, NULL, &error), error);
    assert_ok(encoded_new(&checkpoint, texts, 2, how, &encoded, &error), error);
    assert_ok(forward_run(checkpoint.model, NULL, NULL, encoded->trace, &error), error);
}

static void end(void)
{
    encoded_free(encoded);
    checkpoint_close(&checkpoint);
}

/* What the model's own answers are: their shares or, of scores, nothing. */
static double share_said(const struct steps_at *at, struct answer *answer, size_t i)
{
    const struct trace *trace = at->trace;
    double shares[TOKENS_MOST];
    switch (at->output) {
    case OUTPUT_CLASSES:
        return answer_score(answer, i);
    case OUTPUT_RTD:
        return (double)predict_replaced(trace, at->token);
    case OUTPUT_START:
        answer_span_shares(at->encoding, trace->outputs[OUTPUT_START + i], shares);
        return shares[at->token];
    default: {
        const float *logits = stage_traced(at, STAGE_LOGITS);
        const size_t columns = trace_output_columns(trace, at->output);
        return exp((double)logits[i] - predict_total(logits, columns, NULL));
    }
    }
}

/* Returns how many shares there are. */
static size_t check_output(struct answer *answer, enum model_output output)
{
    const struct trace *trace = encoded->trace;
    size_t shares = 0;
    for (size_t token = 0; token < trace->tokens; token++) {
        const struct steps_at at = {.model = checkpoint.model,
                                    .trace = trace,
                                    .layer = trace->layers - 1,
                                    .token = token,
                                    .divisor = 1,
                                    .output = output,
                                    .encoding = encoded->encoding};
        struct steps *steps;
        assert_ok(steps_new(&at, &steps, &error), error);
        const struct step_numbers *of = &steps->stage[STAGE_ANSWER];
        for (size_t i = 0; i < of->count; i++) {
            struct arithmetic arithmetic;
            ck_assert_double_eq_tol(of->numbers[i], share_said(&at, answer, i), STEPS_TOLERANCE);
            steps_arithmetic(steps, STAGE_ANSWER, i, &arithmetic);
            ck_assert_double_eq(arithmetic.result, of->numbers[i]);
        }
        shares += of->count;
        free(steps);
    }
    return shares;
}

/* Classes without a function have their logits alone, and so have vectors. */
TEST(the_last_stage_is_what_the_model_says, .times = HEADS)
{
    char folder[128];
    snprintf(folder, sizeof folder, HEAD_FOLDER "%s", head_names[_i]);
    open_head(folder);
    struct answer *answer;
    assert_ok(answer_of(&checkpoint, encoded, encoded->trace, &answer, &error), error);
    steps_check(checkpoint.model, encoded->trace, head_names[_i], 1);
    for (enum model_output output = 0; output < OUTPUT_COUNT; output++) {
        const bool scored =
            output == OUTPUT_CLASSES && checkpoint.model->labels.function == SCORE_NONE;
        if (steps_lead_to(checkpoint.model, output) && output != OUTPUT_END)
            ck_assert_int_eq(check_output(answer, output) > 0,
                             !scored && output != OUTPUT_POOLED && output != OUTPUT_SENTENCE);
    }
    answer_free(answer);
    end();
}

/* sentence-transformers' vectors, as far as they are followed. */
TEST(a_sentences_vector_is_the_traces, .times = 7)
{
    static const char *const folders[] = {"cls",  "concat", "last",    "max",
                                          "mean", "sqrt",   "weighted"};
    char folder[128];
    snprintf(folder, sizeof folder, HEAD_FOLDER "st-bert-%s", folders[_i]);
    open_head(folder);
    const struct steps_at at = {.model = checkpoint.model,
                                .trace = encoded->trace,
                                .layer = encoded->trace->layers - 1,
                                .divisor = 1,
                                .output = OUTPUT_SENTENCE};
    const struct sentence_model *sentence = checkpoint.model->config.sentence;
    ck_assert_uint_eq(steps_operation(&at, STAGE_POOLED).outputs, sentence->pooled);
    ck_assert_uint_eq(steps_operation(&at, STAGE_UNIT).outputs,
                      sentence->normalized ? sentence->size : 0);
    ck_assert_uint_eq(steps_operation(&at, STAGE_LOGITS).outputs, 0);
    steps_check(checkpoint.model, encoded->trace, folders[_i], 1);
    end();
}

/* "embedding" … "output" are the layer's; what follows is the head's. */
static const struct {
    const char *folder, *stages;
    enum model_output output;
} stages_of[] = {
    {TINY_FOLDER, "dense head_active head_normed logits answer ", OUTPUT_MLM},
    {TINY_FOLDER, "pooled dense head_active logits answer ", OUTPUT_NSP},
    {TINY_FOLDER, "", OUTPUT_TAGS},
    {HEAD_FOLDER "ner-bert", "logits answer ", OUTPUT_TAGS},
    {HEAD_FOLDER "qa-bert", "logits answer ", OUTPUT_START},
    {HEAD_FOLDER "qa-modernbert", "final dense head_active head_normed logits answer ",
     OUTPUT_START},
    {HEAD_FOLDER "seq-bert", "pooled dense head_active logits answer ", OUTPUT_CLASSES},
    {HEAD_FOLDER "seq-bert-regression", "pooled dense head_active logits ", OUTPUT_CLASSES},
    {HEAD_FOLDER "seq-modernbert-mean", "final pooled dense head_active head_normed logits answer ",
     OUTPUT_CLASSES},
    {HEAD_FOLDER "seq-eurobert-late", "final dense head_active head_mean logits answer ",
     OUTPUT_CLASSES},
    {"tests/vectors/families/gpt2", "final logits answer ", OUTPUT_LM},
    {"tests/vectors/families/electra-discriminator", "dense head_active logits answer ",
     OUTPUT_RTD},
    {HEAD_FOLDER "st-bert-cls", "pooled unit ", OUTPUT_SENTENCE},
    {HEAD_FOLDER "st-roberta-dense", "pooled ", OUTPUT_SENTENCE},
};

TEST(a_head_has_its_own_stages, .times = COUNT(stages_of))
{
    open_head(stages_of[_i].folder);
    struct steps_at at = {.model = checkpoint.model,
                          .trace = encoded->trace,
                          .layer = encoded->trace->layers - 1,
                          .output = stages_of[_i].output};
    char found[120] = "";
    for (enum stage stage = STAGE_OUTPUT + 1; stage < STAGE_COUNT; stage++)
        if (steps_operation(&at, stage).kind != OPERATION_ABSENT)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s ", stage_name(stage));
    ck_assert_str_eq(found, stages_of[_i].stages);
    at.layer--;
    for (enum stage stage = STAGE_OUTPUT + 1; stage < STAGE_COUNT; stage++)
        ck_assert_int_eq(steps_operation(&at, stage).kind, OPERATION_ABSENT);
    end();
}
