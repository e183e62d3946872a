/* What must hold for any model and any text: random shapes, types, activations, kinds of processor,
 * numbers of threads, one token and many, one sentence and two. The reference of a layer is written
 * out here, in double precision and from the numbers of the trace itself. */
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "random_model.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_TOLERANCE 1e-6 /* of a row of weights, whose sum is 1 */

static struct error error;
static struct random_model model;

static void end(void)
{
    random_model_free(&model);
    model = (struct random_model){0};
    kernels_choose(NULL);
    pool_set_size(0);
}

TESTS(.end = end, .slow = true);

static size_t kind_count(void)
{
    size_t kinds = 0;
    while (kernels_at(kinds))
        kinds++;
    return kinds;
}

static void choose_kernels(size_t number)
{
    kernels_choose(kernels_at(number % kind_count()));
}

/* One case: all that the number decides. */
struct sample {
    size_t tokens, boundary;
    struct interventions changes;
};

static struct sample begin(int number)
{
    static const size_t lengths[] = {1, 2, 3, 7, 16, 17, 33, 64, 65, 80};
    uint64_t state = (uint64_t)number * 77 + 5;
    struct random_shape shape = random_shape((uint64_t)number);
    struct sample sample = {.tokens = lengths[(size_t)number % 10]};
    sample.boundary = 1 + random_below(&state, sample.tokens);
    sample.changes.causal = number % 4 == 1;
    sample.changes.unscaled = number % 5 == 2;
    choose_kernels((size_t)number / 2);
    pool_set_size(1 + (size_t)number % 4);
    random_model_make(&model, &shape, (uint64_t)number);
    return sample;
}

static struct trace *compute(const struct sample *sample, const struct interventions *changes)
{
    struct trace *trace = random_prepare(&model, sample->tokens, sample->boundary, 11);
    assert_ok(forward_run(model.model, changes, NULL, trace, &error), error);
    return trace;
}

/* Other heads off than before: one, several, or all of a layer, and most layers none. */
static void switch_off_some(struct interventions *changes, uint64_t *state)
{
    memset(changes->off, 0, sizeof changes->off);
    for (size_t l = 0; l < model.shape.layers; l++) {
        uint64_t all = UINT64_MAX >> (64 - model.shape.heads);
        switch (random_below(state, 4)) {
        case 0:
            changes->off[l] = UINT64_C(1) << random_below(state, model.shape.heads);
            break;
        case 1:
            changes->off[l] = random_next(state) & all;
            break;
        case 2:
            changes->off[l] = all;
            break;
        default:
            break;
        }
    }
}

/* Every other change, each of them in one case of a few: tokens hidden, connections cut in rows at
 * the text's end too, heads uniform, another temperature, other positions. */
static void change_more(struct interventions *changes, size_t tokens, uint64_t *state)
{
    static const double temperatures[] = {0, 1, 0.5, 3};
    const struct random_shape *shape = &model.shape;
    *changes = (struct interventions){.causal = changes->causal, .unscaled = changes->unscaled};
    changes->temperature = temperatures[random_below(state, 4)];
    changes->positions = (enum positions)random_below(state, 3);
    changes->no_segments = random_below(state, 3) == 0;
    for (size_t i = random_below(state, 4); i > 1; i--)
        assert_ok(interventions_hide(changes, (uint32_t)random_below(state, tokens + 1), &error),
                  error);
    for (size_t i = random_below(state, 12); i > 3; i--) {
        struct cut cut = {(uint32_t)random_below(state, shape->layers),
                          (uint32_t)random_below(state, shape->heads),
                          (uint32_t)random_below(state, tokens),
                          (uint32_t)random_below(state, tokens + 1)};
        assert_ok(interventions_cut(changes, cut, &error), error);
    }
    for (size_t l = 0; l < shape->layers; l++)
        if (random_below(state, 3) == 0)
            changes->uniform[l] = random_next(state) & UINT64_MAX >> (64 - shape->heads);
}

/* ---- Softmax ------------------------------------------------------------------------------ */

/* What row number `kind` is of: even, gentle, sharp, extreme, nearly equal, partly masked. */
static void fill_row(float *row, size_t columns, size_t kind, uint64_t seed)
{
    static const float ranges[] = {0, 1, 30, 1e4f, 1e-3f, 1e4f};
    fill_random(row, columns, ranges[kind % 6], seed);
    for (size_t j = 0; kind % 6 == 5 && j + 1 < columns; j++)
        if (j % 3 != 1)
            row[j] = -INFINITY;
}

static void check_row(const char *kernels, const float *scores, const float *weights,
                      size_t columns)
{
    double sum = 0;
    for (size_t j = 0; j < columns; j++) {
        if (!(weights[j] >= 0 && weights[j] <= 1) || (isinf(scores[j]) && weights[j] != 0))
            ck_abort_msg("%s: the weight of %g is %g", kernels, (double)scores[j],
                         (double)weights[j]);
        sum += (double)weights[j];
    }
    if (!(fabs(sum - 1) <= ROW_TOLERANCE))
        ck_abort_msg("%s: %zu weights sum to 1%+.3g", kernels, columns, sum - 1);
}

TEST(rows_of_any_scores_sum_to_one, .times = (int)kind_count())
{
    static float scores[4096], weights[4096];
    const struct kernels *kernels = kernels_at((size_t)_i);
    for (size_t columns = 1; columns <= 4096; columns += columns < 140 ? 1 : columns / 7)
        for (size_t kind = 0; kind < 24; kind++) {
            fill_row(scores, columns, kind, columns * 31 + kind);
            kernels->softmax(kind % 2 ? 1 : 0.125f, columns, scores, weights);
            check_row(kernels->name, scores, weights, columns);
        }
}

/* Written out once more, without the order that the lists are in. */
static bool is_masked(const struct interventions *changes, size_t l, size_t head, size_t from,
                      size_t to)
{
    bool masked = changes->causal && to > from;
    for (size_t i = 0; i < changes->hidden_count; i++)
        masked = masked || changes->hidden[i] == to;
    for (size_t i = 0; i < changes->cut_count; i++) {
        struct cut cut = changes->cuts[i];
        masked = masked || (cut.layer == l && cut.head == head && cut.from == from && cut.to == to);
    }
    return masked;
}

/* A row's weights sum to 1, or are all zero where all is masked; those of a uniform head are equal
 * where they are not zero. */
static void check_rows(const struct trace *trace, const struct interventions *changes)
{
    size_t T = trace->tokens;
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t row = 0; row < trace->heads * T; row++) {
            const float *scores = trace->layer[l].scores + row * T;
            const float *weights = trace->layer[l].weights + row * T;
            size_t head = row / T, left = 0;
            for (size_t to = 0; to < T; to++) {
                bool masked = is_masked(changes, l, head, row % T, to);
                if (trace_is_masked(scores[to]) != masked || (masked && weights[to] != 0))
                    ck_abort_msg("layer %zu, row %zu: a score of %g and a weight of %g at %zu", l,
                                 row, (double)scores[to], (double)weights[to], to);
                left += !masked;
            }
            if (left > 0)
                check_row(kernels_now()->name, scores, weights, T);
            for (size_t to = 0; changes->uniform[l] >> head & 1 && to < T; to++)
                if (weights[to] != 0 && !(fabs((double)weights[to] * (double)left - 1) < 1e-6))
                    ck_abort_msg("layer %zu, row %zu: not uniform at %zu", l, row, to);
        }
}

SEEDED_TEST(rows_of_any_model_sum_to_one, .times = seed_runs(FEWER(200)))
{
    struct sample sample = begin(seed);
    uint64_t state = (uint64_t)seed;
    if (seed % 3 > 0)
        change_more(&sample.changes, sample.tokens, &state);
    switch_off_some(&sample.changes, &state); /* a head that is off keeps its weights */
    struct trace *trace = compute(&sample, &sample.changes);
    check_rows(trace, &sample.changes);
    free(trace);
    end();
}

/* ---- One layer written out ------------------------------------------------------------------ */

#define WIDEST 96

/* y = bias + x·Wᵀ, where the columns of x that belong to heads that are off count as zero. */
static void linear(const struct linear *linear, const double *x, size_t inputs, size_t outputs,
                   uint64_t off, size_t dimensions, double *y)
{
    for (size_t o = 0; o < outputs; o++) {
        float weights[WIDEST];
        matrix_numbers(&linear->weight, o * inputs, inputs, weights);
        y[o] = (double)linear->bias[o];
        for (size_t i = 0; i < inputs; i++)
            if (!(off >> (i / dimensions) & 1))
                y[o] += x[i] * (double)weights[i];
    }
}

static void layer_norm(const struct norm *norm, double *x, size_t count)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < count; i++)
        mean += x[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        variance += (x[i] - mean) * (x[i] - mean) / (double)count;
    for (size_t i = 0; i < count; i++)
        x[i] = (x[i] - mean) / sqrt(variance + 1e-12) * (double)norm->weight[i] +
               (double)norm->bias[i];
}

static double activated(double x)
{
    if (strcmp(model.shape.activation, "silu") == 0)
        return x / (1 + exp(-x));
    if (strcmp(model.shape.activation, "relu") == 0)
        return fmax(x, 0);
    if (strcmp(model.shape.activation, "gelu") == 0)
        return x / 2 * erfc(-x / sqrt(2));
    return x / 2 * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
}

/* Norms divide by a deviation; where that is small they make much of the last bits. */
static double allowed(double magnitude)
{
    return 2e-5 * fmax(1, magnitude);
}

static void assert_near(const char *what, size_t l, size_t t, const float *found,
                        const double *expected, size_t count, double tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)found[i] - expected[i]) <= tolerance))
            ck_abort_msg("layer %zu %s[%zu,%zu]: expected %.9g, found %.9g, allowed %.2g", l, what,
                         t, i, expected[i], (double)found[i], tolerance);
}

/* The context of token t as its heads' weights and values make it, without those that are off. */
static void reference_context(const struct trace *trace, size_t l, size_t t, uint64_t off,
                              double *context)
{
    size_t D = trace->dimensions, T = trace->tokens;
    for (size_t i = 0; i < trace->hidden; i++) {
        size_t head = i / D;
        context[i] = 0;
        for (size_t to = 0; to < T && !(off >> head & 1); to++)
            context[i] += (double)trace_weight(trace, l, head, t, to) *
                          (double)heads_row(&trace->layer[l].value, head, to)[i % D];
    }
}

/* One over the deviation of x: how much a norm magnifies what goes into it. */
static double magnified(const double *x, size_t count)
{
    double mean = 0, variance = 1e-12;
    for (size_t i = 0; i < count; i++)
        mean += x[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        variance += (x[i] - mean) * (x[i] - mean) / (double)count;
    return 1 / sqrt(variance);
}

/* attention_output = LayerNorm(x + Σ_heads context_h·W_hᵀ + b) and the feed-forward block on it. */
static void check_token(const struct trace *trace, size_t l, size_t t, uint64_t off,
                        const float *context_given)
{
    const struct layer_weights *weights = &model_weights(model.model)->layer[l];
    const struct layer_trace *layer = &trace->layer[l];
    size_t H = trace->hidden, F = model.shape.feed_forward;
    double context[WIDEST] = {0}, x[WIDEST], y[WIDEST], between[WIDEST], factor;
    for (size_t i = 0; i < H; i++)
        context[i] = (double)context_given[i];
    linear(&weights->attention_output, context, H, H, off, trace->dimensions, x);
    for (size_t i = 0; i < H; i++)
        x[i] += (double)layer->input[t * H + i];
    factor = magnified(x, H);
    layer_norm(&weights->attention_norm, x, H);
    assert_near("attention_output", l, t, layer->attention_output + t * H, x, H, allowed(factor));
    for (size_t i = 0; i < H; i++) /* from what the trace has, so that no error is carried on */
        x[i] = (double)layer->attention_output[t * H + i];
    linear(&weights->intermediate[0], x, H, F, 0, H, between);
    for (size_t i = 0; i < F; i++)
        between[i] = activated(between[i]);
    linear(&weights->output, between, F, H, 0, F, y);
    for (size_t i = 0; i < H; i++)
        y[i] += x[i];
    factor = magnified(y, H);
    layer_norm(&weights->output_norm, y, H);
    assert_near("output", l, t, layer->output + t * H, y, H, allowed(factor));
}

/* What the heads add up to is the attention output; the context is what weights and values make. */
SEEDED_TEST(heads_sum_to_the_attention_output, .times = seed_runs(FEWER(120)))
{
    struct sample sample = begin(seed);
    uint64_t state = (uint64_t)seed;
    if (seed % 3 > 0)
        change_more(&sample.changes, sample.tokens, &state);
    struct trace *trace = compute(&sample, &sample.changes);
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t t = 0; t < trace->tokens; t++) {
            double context[WIDEST];
            const float *found = trace->layer[l].context + t * trace->hidden;
            reference_context(trace, l, t, 0, context);
            assert_near("context", l, t, found, context, trace->hidden, allowed(1));
            check_token(trace, l, t, 0, found);
        }
    free(trace);
    end();
}

/* ---- Heads that are off --------------------------------------------------------------------- */

/* Layer l is the first with heads off: up to its context all is as it was. */
static void check_first_change(const struct trace *plain, const struct trace *changed, size_t l,
                               uint64_t off)
{
    const struct layer_trace *before = &plain->layer[l], *after = &changed->layer[l];
    size_t T = plain->tokens, H = plain->hidden, D = plain->dimensions;
    size_t squares = plain->heads * T * T * sizeof(float);
    ck_assert_mem_eq(before->input, after->input, T * H * sizeof(float));
    ck_assert_mem_eq(before->query.data, after->query.data, 3 * T * H * sizeof(float));
    ck_assert_mem_eq(before->scores, after->scores, squares);
    ck_assert_mem_eq(before->weights, after->weights, squares);
    for (size_t t = 0; t < T; t++) {
        const float *kept = before->context + t * H, *found = after->context + t * H;
        for (size_t i = 0; i < H; i++)
            if (found[i] != (off >> (i / D) & 1 ? 0 : kept[i]))
                ck_abort_msg("layer %zu: context[%zu,%zu] is %g", l, t, i, (double)found[i]);
        check_token(changed, l, t, off, kept); /* the plain pass's, columns left out */
    }
}

SEEDED_TEST(a_head_off_is_a_context_of_zero, .times = seed_runs(FEWER(120)))
{
    struct sample sample = begin(seed);
    uint64_t state = (uint64_t)seed;
    struct interventions off = sample.changes;
    switch_off_some(&off, &state);
    struct trace *plain = compute(&sample, &sample.changes), *changed = compute(&sample, &off);
    size_t first = 0;
    while (first < plain->layers && off.off[first] == 0)
        first++;
    if (first < plain->layers)
        check_first_change(plain, changed, first, off.off[first]);
    for (size_t l = first; l < plain->layers; l++) /* each later one by its own numbers */
        for (size_t t = 0; t < plain->tokens; t++) {
            double context[WIDEST];
            const float *found = changed->layer[l].context + t * plain->hidden;
            reference_context(changed, l, t, off.off[l], context);
            assert_near("context", l, t, found, context, plain->hidden, allowed(1));
            check_token(changed, l, t, off.off[l], found);
        }
    free(plain);
    free(changed);
    end();
}

/* ---- Changes taken back -----------------------------------------------------------------------
 */

static bool count_layers(void *context, size_t done, size_t total)
{
    *(size_t *)context += 1;
    return done <= total;
}

/* The changes that reach every layer are those of before. */
static void keep_what_starts_it(struct interventions *changes, const struct interventions *before)
{
    changes->causal = before->causal;
    changes->unscaled = before->unscaled;
    changes->no_segments = before->no_segments;
    changes->positions = before->positions;
    changes->temperature = before->temperature;
    changes->hidden_count = before->hidden_count;
    memcpy(changes->hidden, before->hidden, sizeof before->hidden);
}

/* Random changes one after another, on one trace and from trace to trace, then none. Half of them
 * keep what is before some layer, as cuts alone, heads off and uniform ones do. */
SEEDED_TEST(changes_taken_back_leave_nothing, .times = seed_runs(FEWER(120)))
{
    struct sample sample = begin(seed);
    uint64_t state = (uint64_t)seed;
    struct interventions changes = {0};
    struct trace *plain = compute(&sample, NULL), *used = compute(&sample, NULL);
    for (int i = 0; i < 5; i++) {
        struct interventions before = changes;
        changes.causal = random_below(&state, 4) == 0;
        changes.unscaled = random_below(&state, 4) == 0;
        change_more(&changes, sample.tokens, &state);
        switch_off_some(&changes, &state);
        if (i % 2 == 1)
            keep_what_starts_it(&changes, &before);
        const struct interventions *now = i < 4 ? &changes : NULL;
        static const struct interventions none;
        size_t layers = 0, same = interventions_first_difference(&used->computed.changes,
                                                                 now ? now : &none, plain->layers);
        struct watch watch = {count_layers, &layers};
        struct trace *next = random_prepare(&model, sample.tokens, sample.boundary, 11);
        struct trace *fresh = compute(&sample, now);
        forward_adopt(used, now, next);
        assert_ok(forward_run(model.model, now, &watch, used, &error), error);
        ck_assert_uint_eq(layers, plain->layers - same);
        assert_ok(forward_run(model.model, now, NULL, next, &error), error);
        assert_same_traces(fresh, used);
        assert_same_traces(fresh, next);
        free(fresh);
        free(used);
        used = next;
    }
    assert_same_traces(plain, used);
    free(plain);
    free(used);
    end();
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Large enough that every thread has something to do: seven of them, see MEMBER_COST. */
TEST(any_number_of_threads_gives_the_same_bytes, .times = FEWER(12))
{
    static const char *const types[] = {"F32", "F16", "BF16"};
    static const size_t threads[] = {1, 2, 3, 7};
    const struct random_shape shape = {102, 6, 4, 409, 501, 80, types[_i % 3], "gelu", 2};
    struct sample sample = {48, 29, {0}};
    struct trace *alone = NULL;
    choose_kernels((size_t)_i / 6);
    sample.changes.causal = _i % 4 == 3;
    sample.changes.off[1] = (uint64_t)_i % 8;
    random_model_make(&model, &shape, (uint64_t)_i);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        pool_set_size(threads[i]);
        struct trace *trace = compute(&sample, &sample.changes);
        if (alone)
            assert_same_traces(alone, trace);
        free(alone);
        alone = trace;
    }
    free(alone);
}
