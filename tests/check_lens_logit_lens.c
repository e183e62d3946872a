/* The logit lens: consistent with the trace and in itself. */
#include "family_helpers.h"
#include "faults.h"
#include "random_model.h"
#include "recorded.h"
#include "suites.h"

#include "headlight/lens/logit_lens.h"
#include "headlight/model/forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 3
#define TOKENS 50 /* more cells than a batch has */
#define PIECES 61

static const struct random_shape shape = {.hidden = 24,
                                          .heads = 3,
                                          .layers = LAYERS,
                                          .feed_forward = 40,
                                          .vocabulary = PIECES,
                                          .positions = 80,
                                          .type = "F32",
                                          .activation = "gelu",
                                          .sharpness = 2};
static const struct lens_area whole = {{0, LAYERS}, {0, TOKENS}};
static struct random_model random_;
static struct trace *trace;
static struct lens_cell *cells;
static struct error error;

static void begin(void)
{
    random_model_make(&random_, &shape, 5);
    trace = random_prepare(&random_, TOKENS, 20, 11);
    assert_ok(forward_run(random_.model, NULL, NULL, trace, &error), error);
    assert_ok(logit_lens_new(trace, false, &cells, &error), error);
}

static void end(void)
{
    free(cells);
    free(trace);
    random_model_free(&random_);
}

static const struct fixture faults_tests = {.begin = begin, .end = end, .slow = true};

TESTS(.begin = begin, .end = end);

static void read_area(const struct trace *of, const struct lens_area *area)
{
    assert_ok(logit_lens_read(random_.model, of, NULL, area, NULL, cells, &error), error);
}

static double log_probability(const float *logits, size_t id)
{
    double sum = 0;
    for (size_t i = 0; i < PIECES; i++)
        sum += exp((double)logits[i]);
    return (double)logits[id] - log(sum);
}

TEST(the_top_row_is_what_the_model_says)
{
    read_area(trace, &whole);
    for (size_t t = 0; t < TOKENS; t++) {
        const struct lens_cell *cell = &cells[(LAYERS - 1) * TOKENS + t];
        const float *logits = trace->outputs[OUTPUT_MLM] + t * PIECES;
        double entropy = 0;
        ck_assert_uint_eq(cell->count, LENS_BEST);
        for (size_t i = 0; i < LENS_BEST; i++)
            ck_assert_double_eq_tol(cell->best[i].logprob,
                                    log_probability(logits, (size_t)cell->best[i].id), 1e-12);
        for (size_t id = 0; id < PIECES; id++)
            entropy -= exp(log_probability(logits, id)) * log_probability(logits, id) / log(2);
        ck_assert_double_eq_tol(cell->entropy, entropy, 1e-9);
        ck_assert_double_eq_tol(cell->logprob, log_probability(logits, (size_t)trace->ids[t]),
                                1e-12);
    }
}

/* Rank, list and log-probability of the piece that stands there tell the same story. */
TEST(a_cell_agrees_with_itself)
{
    size_t listed = 0, unlisted = 0;
    read_area(trace, &whole);
    for (size_t i = 0; i < (size_t)LAYERS * TOKENS; i++) {
        const struct lens_cell *cell = &cells[i];
        const int32_t id = trace->ids[i % TOKENS];
        for (size_t k = 1; k < cell->count; k++)
            ck_assert_double_le(cell->best[k].logprob, cell->best[k - 1].logprob);
        ck_assert(cell->rank >= 1 && cell->rank <= PIECES);
        ck_assert(cell->entropy > 0 && cell->entropy <= log2(PIECES));
        if (cell->rank <= LENS_BEST) {
            ck_assert_int_eq(cell->best[cell->rank - 1].id, id);
            ck_assert_double_eq(cell->best[cell->rank - 1].logprob, cell->logprob);
            listed++;
        } else {
            ck_assert_double_le(cell->logprob, cell->best[LENS_BEST - 1].logprob);
            unlisted++;
        }
    }
    ck_assert(listed > 0 && unlisted > 0);
}

/* What another trace gives for the same pieces, which here is the same one. */
TEST(compared_with_itself_nothing_has_changed)
{
    assert_ok(logit_lens_read(random_.model, trace, trace, &whole, NULL, cells, &error), error);
    for (size_t i = 0; i < (size_t)LAYERS * TOKENS; i++) {
        const struct lens_cell *cell = &cells[i];
        ck_assert(cell->compared);
        ck_assert_double_eq_tol(cell->logprob_before, cell->logprob, 1e-5);
        for (size_t k = 0; k < cell->count; k++)
            ck_assert_double_eq_tol(cell->best_before[k], cell->best[k].logprob, 1e-5);
    }
}

/* What another trace finds likeliest is none of the likeliest here, and has its numbers in both. */
TEST(what_was_likeliest_may_be_listed_no_more)
{
    struct trace *other;
    struct lens_cell *there;
    size_t unlisted = 0;
    int32_t ids[TOKENS];
    for (size_t i = 0; i < TOKENS; i++)
        ids[i] = trace->ids[TOKENS - 1 - i];
    assert_ok(
        forward_prepare(random_.model, NULL, ids, trace->segments, TOKENS, true, &other, &error),
        error);
    assert_ok(forward_run(random_.model, NULL, NULL, other, &error), error);
    read_area(other, &whole);
    there = cells;
    assert_ok(logit_lens_new(trace, false, &cells, &error), error);
    assert_ok(logit_lens_read(random_.model, trace, other, &whole, NULL, cells, &error), error);
    for (size_t i = 0; i < (size_t)LAYERS * TOKENS; i++) {
        const struct lens_cell *cell = &cells[i];
        size_t place = 0;
        while (place < cell->count && cell->best[place].id != cell->was.id)
            place++;
        unlisted += place == cell->count;
        ck_assert_int_eq(cell->was.id, there[i].best[0].id);
        ck_assert_double_eq_tol(cell->was_before, there[i].best[0].logprob, 1e-5);
        if (place < cell->count)
            ck_assert_double_eq(cell->was.logprob, cell->best[place].logprob);
        else
            ck_assert_double_le(cell->was.logprob, cell->best[cell->count - 1].logprob);
    }
    ck_assert_uint_gt(unlisted, 0);
    free(there);
    free(other);
}

TEST(equal_pieces_are_ranked_by_their_ids)
{
    const struct lens_area top = {{LAYERS - 1, LAYERS}, {0, 1}};
    for (size_t id = 0; id < PIECES; id++)
        trace->outputs[OUTPUT_MLM][id] = 0.5F;
    struct lens_cell *cell = &cells[(LAYERS - 1) * TOKENS];
    cell->id = 7;
    read_area(trace, &top);
    ck_assert_uint_eq(cell->rank, 8);
    ck_assert_int_eq(cell->best[7].id, 7);
    ck_assert_double_eq_tol(cell->entropy, log2(PIECES), 1e-9);
}

TEST(fewer_pieces_than_ten_are_all_listed)
{
    const struct lens_area some = {{0, LAYERS}, {2, 3}};
    struct random_shape small = shape;
    double sum = 0;
    small.vocabulary = 6;
    end();
    random_model_make(&random_, &small, 5);
    trace = random_prepare(&random_, TOKENS, 20, 11);
    assert_ok(forward_run(random_.model, NULL, NULL, trace, &error), error);
    assert_ok(logit_lens_new(trace, false, &cells, &error), error);
    read_area(trace, &some);
    ck_assert_uint_eq(cells[2].count, 6);
    for (size_t i = 0; i < 6; i++)
        sum += exp(cells[2].best[i].logprob);
    ck_assert_double_eq_tol(sum, 1, 1e-9);
}

/* ---- Areas ---- */

static size_t count_read(void)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)LAYERS * TOKENS; i++)
        count += cells[i].count > 0;
    return count;
}

/* What is there already stays: in single precision it would be other bits. */
TEST(an_area_is_read_and_no_more)
{
    const struct lens_area some = {{1, 3}, {4, 9}};
    struct lens_cell before[5];
    read_area(trace, &some);
    ck_assert_uint_eq(count_read(), 10);
    for (size_t layer = 1; layer < 3; layer++)
        for (size_t token = 4; token < 9; token++)
            ck_assert_uint_eq(cells[layer * TOKENS + token].count, LENS_BEST);
    cells[TOKENS + 4].rank = 1000;
    memcpy(before, &cells[TOKENS + 4], sizeof before);
    read_area(trace, &whole);
    ck_assert_uint_eq(count_read(), LAYERS * TOKENS);
    ck_assert_int_eq(memcmp(before, &cells[TOKENS + 4], sizeof before), 0);
}

struct steps {
    size_t count, done, total, allowed;
};

static bool count_steps(void *context, size_t done, size_t total)
{
    struct steps *steps = context;
    ck_assert_uint_gt(done, steps->done);
    steps->done = done;
    steps->total = total;
    return ++steps->count <= steps->allowed;
}

TEST(the_watch_is_told_of_cells)
{
    struct steps steps = {.allowed = 100};
    const struct watch watch = {count_steps, &steps};
    assert_ok(logit_lens_read(random_.model, trace, NULL, &whole, &watch, cells, &error), error);
    ck_assert_uint_eq(steps.count, 3); /* 150 cells, 64 at a time */
    ck_assert_uint_eq(steps.done, LAYERS * TOKENS);
    ck_assert_uint_eq(steps.total, LAYERS * TOKENS);
}

TEST(a_cancelled_lens_goes_on_where_it_was)
{
    struct steps steps = {.allowed = 1}, rest = {.allowed = 100};
    const struct watch stopping = {count_steps, &steps}, going = {count_steps, &rest};
    assert_fails(logit_lens_read(random_.model, trace, NULL, &whole, &stopping, cells, &error),
                 STATUS_CANCELLED, "cancelled after 128 of 150", error);
    ck_assert_uint_eq(count_read(), 128);
    assert_ok(logit_lens_read(random_.model, trace, NULL, &whole, &going, cells, &error), error);
    ck_assert_uint_eq(rest.count, 1);
    ck_assert_uint_eq(count_read(), LAYERS * TOKENS);
}

/* ---- Questions ---- */

static size_t rows_computed;

enum status __real_forward_head(const struct model *model, size_t tokens,
                                const struct head_rows *rows, struct error *error);
enum status __wrap_forward_head(const struct model *model, size_t tokens,
                                const struct head_rows *rows, struct error *error);
enum status __wrap_forward_head(const struct model *model, size_t tokens,
                                const struct head_rows *rows, struct error *failure)
{
    rows_computed += rows->count;
    return __real_forward_head(model, tokens, rows, failure);
}

/* Of these tokens by turns, on one piece after the other. */
static void ask_about(struct lens_questions *questions, size_t tokens)
{
    *questions = (struct lens_questions){.count = LENS_ROWS};
    for (size_t i = 0; i < LENS_ROWS; i++)
        questions->of[i] =
            (struct lens_question){trace, 3 * (i % tokens), {.id = (int32_t)(i % PIECES)}};
}

static void assert_said(const struct lens_question *asked, const float *logits)
{
    const size_t id = (size_t)asked->cell.id;
    ck_assert_double_eq_tol(asked->cell.logprob, log_probability(logits, id), 1e-5);
    ck_assert_uint_eq(asked->cell.rank, predict_rank(logits, PIECES, id));
}

/* Whether the trace has its logits or not. */
TEST(questions_about_a_token_share_its_row)
{
    struct lens_questions questions;
    float *logits = trace->outputs[OUTPUT_MLM];
    for (size_t tokens = 1; tokens <= 16; tokens += 15)
        for (int bare = 0; bare < 2; bare++) {
            ask_about(&questions, tokens);
            trace->outputs[OUTPUT_MLM] = bare ? NULL : logits;
            rows_computed = 0;
            assert_ok(logit_lens_answer(random_.model, trace, &questions, NULL, &error), error);
#ifdef __linux__
            ck_assert_uint_eq(rows_computed, bare ? tokens : 0);
#endif
            for (size_t i = 0; i < LENS_ROWS; i++)
                assert_said(&questions.of[i], logits + questions.of[i].token * PIECES);
        }
    trace->outputs[OUTPUT_MLM] = logits;
}

/* Eight tokens a step; those of another trace are left alone, and so is what has been answered. */
TEST(questions_are_answered_in_steps)
{
    struct lens_questions questions;
    struct steps steps = {.allowed = 0}, rest = {.allowed = 100};
    const struct watch stopping = {count_steps, &steps}, going = {count_steps, &rest};
    struct trace other = *trace;
    trace->outputs[OUTPUT_MLM] = NULL;
    ask_about(&questions, 16);
    questions.of[9].trace = &other;
    assert_fails(logit_lens_answer(random_.model, trace, &questions, &stopping, &error),
                 STATUS_CANCELLED, "cancelled after 24 of 50", error);
    ck_assert_uint_eq(questions.of[7].cell.count, LENS_BEST);
    ck_assert_uint_eq(questions.of[8].cell.count, 0);
    questions.of[7].cell.rank = 1000;
    assert_ok(logit_lens_answer(random_.model, trace, &questions, &going, &error), error);
    ck_assert_uint_eq(questions.of[7].cell.rank, 1000);
    ck_assert_uint_eq(questions.of[8].cell.count, LENS_BEST);
    ck_assert_uint_eq(questions.of[9].cell.count, 0);
    ck_assert_uint_eq(rest.done, TOKENS);
}

/* ---- What can go wrong ---- */

static enum status try_reading(struct error *failure)
{
    struct lens_cell *tried;
    enum status status = logit_lens_new(trace, false, &tried, failure);
    if (status == STATUS_OK)
        status = logit_lens_read(random_.model, trace, NULL, &whole, NULL, tried, failure);
    free(tried);
    return status;
}

TEST(without_memory_it_says_so, .with = &faults_tests, .skipped = !faults_work())
{
    faults_try(&(struct trial){.name = "the logit lens", .act = try_reading});
}

TEST(a_model_without_the_head_is_refused)
{
    parts_drop_all(&random_.parts, "cls.predictions.");
    assert_ok(random_model_open(&random_, &error), error);
    assert_fails(logit_lens_read(random_.model, trace, NULL, &whole, NULL, cells, &error),
                 STATUS_UNSUPPORTED, "masked-word head", error);
    ck_assert_uint_eq(count_read(), 0);
}

/* What the head makes of the last layer is what the model says, in each family: also where it is
 * behind a LayerNorm of its own. */
static const struct fixture families_tests = {0};

TEST(the_head_makes_each_familys_logits, .times = FAMILIES, .with = &families_tests)
{
    struct model *model = family_open(family_names[_i]);
    cJSON *cases = family_cases(family_names[_i]);
    struct trace *of = recorded_prepare(model, cases->child, true);
    struct lens_cell *said = NULL, *made = NULL;
    const struct lens_area last = {{of->layers - 1, of->layers}, {0, of->tokens}};
    assert_ok(forward_run(model, NULL, NULL, of, &error), error);
    if (!of->outputs[OUTPUT_MLM] && !of->outputs[OUTPUT_LM])
        ck_assert(strstr("electra-discriminator minilm nomic-bert-hub", family_names[_i]));
    else {
        struct trace without = *of;
        without.outputs[OUTPUT_MLM] = without.outputs[OUTPUT_LM] = NULL;
        assert_ok(logit_lens_new(of, of->outputs[OUTPUT_LM] != NULL, &said, &error), error);
        assert_ok(logit_lens_new(of, of->outputs[OUTPUT_LM] != NULL, &made, &error), error);
        assert_ok(logit_lens_read(model, of, NULL, &last, NULL, said, &error), error);
        assert_ok(logit_lens_read(model, &without, NULL, &last, NULL, made, &error), error);
        for (size_t i = (of->layers - 1) * of->tokens; i < of->layers * of->tokens; i++) {
            ck_assert_double_eq_tol(said[i].logprob, made[i].logprob, 2e-5);
            ck_assert_double_eq_tol(said[i].entropy, made[i].entropy, 2e-4);
            for (size_t b = 0; b < LENS_BEST; b++)
                ck_assert_double_eq_tol(said[i].best[b].logprob, made[i].best[b].logprob, 2e-5);
        }
    }
    free(said);
    free(made);
    free(of);
    cJSON_Delete(cases);
    model_free(model);
}
