/* The effect of each head: against passes that are computed from the start, one for each head. */
#include "faults.h"
#include "model_helpers.h"
#include "random_model.h"
#include "suites.h"

#include "headlight/lens/effects.h"
#include "headlight/lens/predict.h"
#include "headlight/model/batch.h"
#include "headlight/model/head_mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 3
#define HEADS  4
#define TOKENS 11
#define PIECES 61
#define TOKEN  6
#define PIECE  17

/* Of numbers that single precision rounds at every step. */
#define NEAR 2e-5

static const struct random_shape shape = {.hidden = 24,
                                          .heads = HEADS,
                                          .layers = LAYERS,
                                          .feed_forward = 40,
                                          .vocabulary = PIECES,
                                          .positions = 80,
                                          .type = "F32",
                                          .activation = "gelu",
                                          .sharpness = 2};
static struct random_model random_;
static struct trace *trace;
static struct effects *effects;
static struct error error;

static void begin(void)
{
    random_model_make(&random_, &shape, 9);
    trace = random_prepare(&random_, TOKENS, 5, 2);
    assert_ok(forward_run(random_.model, NULL, NULL, trace, &error), error);
}

static void end(void)
{
    free(effects);
    effects = NULL;
    free(trace);
    random_model_free(&random_);
}

static const struct fixture faults_tests = {.begin = begin, .end = end, .slow = true};

TESTS(.begin = begin, .end = end);

static void measure(void)
{
    free(effects);
    assert_ok(effects_of_word(random_.model, trace, TOKEN, PIECE, NULL, &effects, &error), error);
}

/* By a pass of its own. */
static double log_probability(const struct interventions *changes)
{
    struct trace *fresh = random_prepare(&random_, TOKENS, 5, 2);
    assert_ok(forward_run(random_.model, changes, NULL, fresh, &error), error);
    const float *logits = fresh->outputs[OUTPUT_MLM] + (size_t)TOKEN * PIECES;
    double found = (double)logits[PIECE] - predict_total(logits, PIECES, NULL);
    free(fresh);
    return found;
}

/* Every head's effect, with those changes in force. */
static void check_effects(const struct interventions *changes)
{
    double with = log_probability(changes), largest = 0;
    measure();
    ck_assert_uint_eq(effects->layers, LAYERS);
    ck_assert_uint_eq(effects->heads, HEADS);
    ck_assert_uint_eq(effects->on.token, TOKEN);
    ck_assert_int_eq(effects->on.id, PIECE);
    ck_assert_double_eq_tol(effects->logprob, with, NEAR);
    for (size_t layer = 0; layer < LAYERS; layer++)
        for (size_t head = 0; head < HEADS; head++) {
            double change = effects->change[layer * HEADS + head];
            struct interventions without = *changes;
            without.off[layer] |= head_mask_of(head);
            ck_assert_double_eq_tol(change, log_probability(&without) - with, 2 * NEAR);
            if (head_mask_has(changes->off[layer], head))
                ck_assert_double_eq(change, 0);
            largest = fmax(largest, fabs(change));
        }
    ck_assert_double_gt(largest, 0.01);
}

TEST(each_head_is_switched_off)
{
    check_effects(&(struct interventions){.off = {0}});
}

TEST(changes_in_force_stay)
{
    const struct interventions changes = {.causal = true, .off = {0, 5, 8}};
    assert_ok(forward_run(random_.model, &changes, NULL, trace, &error), error);
    check_effects(&changes);
}

/* The likeliest piece stands for itself, and is known whichever piece is asked about. */
TEST(the_likeliest_piece_can_be_asked_about)
{
    struct prediction likeliest;
    ck_assert_uint_eq(best_pieces(trace, TOKEN, &likeliest, 1), 1);
    ck_assert_int_ne(likeliest.id, PIECE);
    measure();
    ck_assert_int_eq(effects->likeliest.id, likeliest.id);
    free(effects);
    assert_ok(
        effects_of_word(random_.model, trace, TOKEN, TARGET_LIKELIEST, NULL, &effects, &error),
        error);
    ck_assert_int_eq(effects->on.id, likeliest.id);
    ck_assert_int_eq(effects->likeliest.id, likeliest.id);
    ck_assert_double_eq_tol(effects->logprob, likeliest.logprob, NEAR);
}

/* A head whose columns of the projection are zero adds nothing. */
TEST(a_head_without_effect_has_none_to_the_bit)
{
    struct part *part =
        parts_find(&random_.parts, "bert.encoder.layer.1.attention.output.dense.weight");
    for (size_t row = 0; row < 24; row++)
        memset(part->data + 4 * (row * 24 + 6 * 2), 0, 4 * 6); /* of head 2 */
    assert_ok(random_model_open(&random_, &error), error);
    free(trace);
    trace = random_prepare(&random_, TOKENS, 5, 2);
    assert_ok(forward_run(random_.model, NULL, NULL, trace, &error), error);
    measure();
    ck_assert_double_eq(effects->change[1 * HEADS + 2], 0);
    ck_assert_double_ne(effects->change[1 * HEADS + 1], 0);
}

/* How many copies of a text go through the network together depends on the number of threads. */
TEST(many_copies_are_several_passes)
{
    struct effects *together;
    free(trace);
    trace = random_prepare(&random_, 70, 5, 2);
    assert_ok(forward_run(random_.model, NULL, NULL, trace, &error), error);
    pool_set_size(1);
    ck_assert_uint_lt(batch_rows(), HEADS * 70);
    measure();
    together = effects;
    effects = NULL;
    pool_set_size(4);
    ck_assert_uint_ge(batch_rows(), HEADS * 70);
    measure();
    ck_assert_mem_eq(effects->change, together->change, LAYERS * HEADS * sizeof *effects->change);
    free(together);
}

/* The trace that was asked about is only read. */
TEST(the_trace_stays_as_it_is)
{
    struct trace *before = random_prepare(&random_, TOKENS, 5, 2);
    assert_ok(forward_run(random_.model, NULL, NULL, before, &error), error);
    measure();
    assert_same_traces(before, trace);
    free(before);
}

/* ---- The watch ---- */

struct steps {
    size_t calls, done, allowed;
};

static bool count_steps(void *context, size_t done, size_t total)
{
    struct steps *steps = context;
    ck_assert_uint_eq(total, LAYERS * HEADS);
    ck_assert_uint_ge(done, steps->done);
    steps->done = done;
    steps->calls++;
    return done < steps->allowed;
}

/* After every head; and after each layer of a pass: one for all heads of a layer from theirs on. */
TEST(the_watch_is_told_of_heads_and_layers)
{
    struct steps steps = {.allowed = 100};
    const struct watch watch = {count_steps, &steps};
    assert_ok(effects_of_word(random_.model, trace, TOKEN, PIECE, &watch, &effects, &error), error);
    ck_assert_uint_eq(steps.done, LAYERS * HEADS);
    ck_assert_uint_eq(steps.calls, LAYERS * HEADS + (1 + 2 + 3));
}

TEST(a_watch_can_stop_it)
{
    struct steps steps = {.allowed = 5};
    const struct watch watch = {count_steps, &steps};
    ck_assert_int_eq(effects_of_word(random_.model, trace, TOKEN, PIECE, &watch, &effects, &error),
                     STATUS_CANCELLED);
    ck_assert_int_eq(error.status, STATUS_CANCELLED);
    ck_assert_ptr_null(effects);
    ck_assert_uint_eq(steps.done, 5);
}

/* ---- What can go wrong ---- */

static enum status try_measuring(struct error *failure)
{
    return effects_of_word(random_.model, trace, TOKEN, PIECE, NULL, &effects, failure);
}

static void forget(void)
{
    free(effects);
    effects = NULL;
}

TEST(without_memory_it_says_so, .with = &faults_tests, .skipped = !faults_work())
{
    faults_try(&(struct trial){.name = "the effects", .act = try_measuring, .end = forget});
}

TEST(a_model_without_the_head_is_refused)
{
    parts_drop_all(&random_.parts, "cls.predictions.");
    assert_ok(random_model_open(&random_, &error), error);
    assert_fails(effects_of_word(random_.model, trace, TOKEN, PIECE, NULL, &effects, &error),
                 STATUS_UNSUPPORTED, "masked-word head", error);
    ck_assert_ptr_null(effects);
}
