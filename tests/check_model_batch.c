/* Many texts in one pass: the same bits in any company as alone; each thing that is taken once;
 * and of a text that can't be computed its name. */
#include "family_helpers.h"
#include "family_model.h"
#include "headlight/base/size.h"
#include "headlight/model/batch.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "suites.h"

#include <math.h>
#include <string.h>

#define TEXTS 7
/* A wrong number of times. */
#define OUT_OF_ORDER 100
#define LAYERS       12
#define HEADS_MAX    16

static struct error error;
static struct random_model random_model;
static struct taken *sources; /* of the texts of a decoder; NULL of others */

static void free_texts(struct taken *taken);

static void end(void)
{
    if (sources)
        free_texts(sources);
    sources = NULL;
    random_model_free(&random_model);
    random_model = (struct random_model){0};
    kernels_choose(NULL);
    pool_set_size(0);
}

TESTS(.end = end);

/* ---- Texts and what was taken of them ----------------------------------------------------- */

/* Texts with traces that what is taken of them goes into, and how often it was taken. */
struct taken {
    const struct model *model;
    size_t count;
    struct batch_text texts[TEXTS];
    struct trace *traces[TEXTS];
    size_t order[TEXTS];                        /* the text of each place in the batch */
    unsigned weights[TEXTS][LAYERS][HEADS_MAX]; /* a decoder's other attention after its own */
    unsigned hidden[TEXTS][LAYERS], outputs[TEXTS];
    size_t last[LAYERS][HEADS_MAX]; /* place, from 1 */
    bool ordered;                   /* none is computed again */
};

/* By any thread, which can't fail a test. */
static void take_weights(void *context, size_t place, const struct trace *trace, size_t layer,
                         size_t head)
{
    struct taken *taken = context;
    const size_t text = taken->order[place], size = trace->tokens * trace->attended;
    const bool cross = trace->site == SITE_CROSS;
    const struct trace *own = cross ? taken->traces[text]->cross : taken->traces[text];
    const size_t at = layer + (cross ? trace->layers : 0);
    if (trace->tokens != own->tokens || trace->attended != own->attended || at >= LAYERS ||
        head >= HEADS_MAX)
        abort();
    memcpy(own->layer[layer].weights + head * size, trace->layer[layer].weights + head * size,
           size * sizeof(float));
    const bool late = taken->ordered && taken->last[at][head] > place;
    taken->weights[text][at][head] += late ? OUT_OF_ORDER : 1;
    taken->last[at][head] = place + 1;
}

static void take_hidden(void *context, size_t place, const struct trace *trace, size_t layer)
{
    struct taken *taken = context;
    const size_t text = taken->order[place];
    memcpy(taken->traces[text]->layer[layer].output, trace->layer[layer].output,
           trace->tokens * trace->hidden * sizeof(float));
    if (trace->final && layer + 1 == trace->layers)
        memcpy(taken->traces[text]->final, trace->final,
               trace->tokens * trace->hidden * sizeof(float));
    taken->hidden[text][layer]++;
}

static void take_outputs(void *context, size_t place, const struct trace *trace)
{
    struct taken *taken = context;
    const size_t text = taken->order[place];
    for (enum model_output output = 0; output < OUTPUT_COUNT; output++)
        if (trace->outputs[output])
            memcpy(taken->traces[text]->outputs[output], trace->outputs[output],
                   trace_output_count(trace, output) * sizeof(float));
    taken->outputs[text]++;
}

static const struct batch_taker everything = {
    .weights = take_weights, .hidden = take_hidden, .outputs = take_outputs, .words = true};
static const struct batch_taker weights_alone = {.weights = take_weights};

static void add_text(struct taken *taken, struct trace *trace)
{
    const size_t i = taken->count++;
    taken->texts[i] = (struct batch_text){.name = "a text",
                                          .ids = trace->ids,
                                          .segments = trace->segments,
                                          .tokens = trace->tokens,
                                          .source = trace->memory};
    taken->traces[i] = trace;
    taken->order[i] = i;
}

/* Of random lengths: most are short. */
static struct taken *random_texts(uint64_t seed, size_t count)
{
    struct taken *taken = calloc(1, sizeof *taken);
    uint64_t state = seed;
    ck_assert_ptr_nonnull(taken);
    taken->model = sources ? random_model.model->decoder : random_model.model;
    const size_t most = size_min(taken->model->config.longest, FAMILY_LONGEST);
    for (size_t i = 0; i < count; i++) {
        const size_t tokens = 1 + random_below(&state, i % 3 == 2 ? most : 12);
        struct trace *trace = random_prepare(&random_model, tokens,
                                             random_below(&state, tokens + 1), random_next(&state));
        struct trace *target = trace;
        if (sources) {
            assert_ok(forward_prepare(taken->model, sources->traces[i], trace->ids, NULL, tokens,
                                      true, &target, &error),
                      error);
            free(trace);
        }
        add_text(taken, target);
    }
    return taken;
}

static void free_texts(struct taken *taken)
{
    for (size_t i = 0; i < taken->count; i++)
        free(taken->traces[i]);
    free(taken);
}

/* The texts of places first … first + count - 1 in one pass. */
static enum status take_some(struct taken *taken, const struct batch_taker *take, size_t first,
                             size_t count)
{
    struct batch batch = {.model = taken->model, .take = *take};
    struct batch_text texts[TEXTS];
    size_t order[TEXTS];
    for (size_t i = 0; i < count; i++)
        texts[i] = taken->texts[taken->order[first + i]];
    memcpy(order, taken->order, sizeof order);
    memmove(taken->order, taken->order + first, count * sizeof *order);
    memset(taken->last, 0, sizeof taken->last);
    batch.take.context = taken;
    enum status status = batch_run(&batch, texts, count, &error);
    memcpy(taken->order, order, sizeof order);
    batch_free(&batch);
    return status;
}

static void take(struct taken *taken, const struct batch_taker *taker)
{
    assert_ok(take_some(taken, taker, 0, taken->count), error);
}

/* ---- Comparisons -------------------------------------------------------------------------- */

/* The largest difference of two arrays; infinite where only one is a number. */
static double difference(const float *a, const float *b, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        const double d = fabs((double)a[i] - (double)b[i]);
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(d <= largest))
            largest = isfinite(d) ? d : (double)INFINITY;
    }
    return largest;
}

struct differences {
    double weights, hidden, outputs;
};

static struct differences compare(const struct trace *a, const struct trace *b)
{
    struct differences found = {0};
    const size_t T = a->tokens, pairs = a->heads * T * a->attended;
    for (size_t l = 0; l < a->layers; l++) {
        found.weights =
            fmax(found.weights, difference(a->layer[l].weights, b->layer[l].weights, pairs));
        if (a->cross)
            found.weights = fmax(found.weights,
                                 difference(a->cross->layer[l].weights, b->cross->layer[l].weights,
                                            a->heads * T * a->cross->attended));
        found.hidden =
            fmax(found.hidden, difference(a->layer[l].output, b->layer[l].output, T * a->hidden));
    }
    if (a->final)
        found.hidden = fmax(found.hidden, difference(a->final, b->final, T * a->hidden));
    for (enum model_output output = 0; output < OUTPUT_COUNT; output++)
        if (a->outputs[output])
            found.outputs = fmax(found.outputs, difference(a->outputs[output], b->outputs[output],
                                                           trace_output_count(a, output)));
    return found;
}

static void assert_same(const struct taken *a, const struct taken *b, const char *what)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct differences found = compare(a->traces[i], b->traces[i]);
        if (found.weights > 0 || found.hidden > 0 || found.outputs > 0)
            ck_abort_msg("%s: text %zu of %zu tokens differs: weights %g, hidden %g, outputs %g",
                         what, i, a->traces[i]->tokens, found.weights, found.hidden, found.outputs);
    }
}

/* ---- The same bits in any company --------------------------------------------------------- */

static void shuffle(struct taken *taken, uint64_t *state)
{
    for (size_t i = taken->count; i > 1; i--) {
        const size_t j = random_below(state, i), text = taken->order[i - 1];
        taken->order[i - 1] = taken->order[j];
        taken->order[j] = text;
    }
}

/* All of them in random groups, in a random order. */
static void take_in_groups(struct taken *taken, uint64_t *state)
{
    shuffle(taken, state);
    pool_set_size(1 + random_below(state, 4));
    for (size_t first = 0, count; first < taken->count; first += count) {
        count = 1 + random_below(state, taken->count - first);
        assert_ok(take_some(taken, &everything, first, count), error);
    }
}

/* Each text of a pass has its own; of a decoder in each of its attentions. */
static const struct interventions changes[] = {
    {.causal = true, .off = {1, [2] = 1, 2, 4, 1, 2, 4}},
    {.hidden_count = 2, .hidden = {1, INTERVENE_DECODER}, .temperature = 2},
    {.unscaled = true, .uniform = {2, [3] = 1, 2, 4, 2}},
    {.positions = POSITIONS_NONE, .no_segments = true, .off = {[1] = 2, [5] = 15}},
    {.cut_count = 3,
     .cuts = {{.layer = 1, .from = 1}, {.layer = 2, .from = 1}, {.layer = 5, .from = 1}}},
    {.positions = POSITIONS_SINUSOIDAL},
    {.causal = false},
};

static struct taken *changed_texts(uint64_t seed)
{
    struct taken *taken = random_texts(seed, TEXTS);
    for (size_t i = 0; seed % 2 == 1 && i < TEXTS; i++)
        taken->texts[i].changes = &changes[i % COUNT(changes)];
    return taken;
}

static void check_company(uint64_t seed, const char *what)
{
    struct taken *alone = changed_texts(seed);
    uint64_t state = seed;
    pool_set_size(1);
    for (size_t i = 0; i < TEXTS; i++)
        assert_ok(
            forward_run(alone->model, alone->texts[i].changes, NULL, alone->traces[i], &error),
            error);
    for (int round = 0; round < 3; round++) {
        struct taken *together = changed_texts(seed);
        take_in_groups(together, &state);
        assert_same(alone, together, what);
        free_texts(together);
    }
    struct taken *weights = changed_texts(seed);
    take(weights, &weights_alone);
    for (size_t i = 0; i < TEXTS; i++)
        ck_assert(compare(alone->traces[i], weights->traces[i]).weights <= 0);
    free_texts(weights);
    free_texts(alone);
}

/* Those of a text alone, too. */
TEST(bits_dont_depend_on_the_company, .times = (int)family_variant_count())
{
    static const char *const types[] = {"F32", "F16", "BF16"};
    const struct family_variant *variant = family_variant_at((size_t)_i);
    family_model_make(&random_model, variant, types[_i % 3], (uint64_t)_i);
    for (size_t i = 0; kernels_at(i) && kernels_at(i) != &kernels_blas; i++) {
        kernels_choose(kernels_at(i));
        check_company((uint64_t)_i * 8 + i, variant->name);
        check_company((uint64_t)_i * 8 + i + 1, variant->name);
    }
}

/* What its texts attend to was made in any company, too. */
TEST(bits_of_a_decoder_dont_depend_on_the_company, .times = STACKED)
{
    random_model.model = family_open(stacked_names[_i]);
    const struct model *decoder = random_model.model->decoder;
    random_model.shape.vocabulary =
        size_min(random_model.model->config.vocabulary, decoder->config.vocabulary);
    for (size_t i = 0; kernels_at(i) && kernels_at(i) != &kernels_blas; i++) {
        const uint64_t seed = (uint64_t)_i * 8 + i;
        kernels_choose(kernels_at(i));
        check_company(seed, stacked_names[_i]);
        sources = random_texts(seed, TEXTS);
        take(sources, &everything);
        check_company(seed, stacked_names[_i]);
        check_company(seed + 1, stacked_names[_i]);
        free_texts(sources);
        sources = NULL;
    }
}

/* ---- What is taken ------------------------------------------------------------------------ */

static void assert_taken_once(const struct taken *taken, const struct batch_taker *take)
{
    const struct trace *first = taken->traces[0];
    for (size_t i = 0; i < taken->count; i++) {
        for (size_t l = 0; l < first->layers; l++) {
            for (size_t head = 0; head < first->heads; head++)
                ck_assert_uint_eq(taken->weights[i][l][head], take->weights != NULL);
            for (size_t head = 0; first->cross && head < first->heads; head++)
                ck_assert_uint_eq(taken->weights[i][first->layers + l][head],
                                  take->weights != NULL);
            ck_assert_uint_eq(taken->hidden[i][l], take->hidden != NULL);
        }
        ck_assert_uint_eq(taken->outputs[i], take->outputs != NULL);
    }
}

TEST(everything_is_taken_once_in_order, .times = 4)
{
    static const struct batch_taker takers[] = {
        {.weights = take_weights},
        {.hidden = take_hidden},
        {.outputs = take_outputs},
        {.weights = take_weights, .outputs = take_outputs},
    };
    family_model_make(&random_model, family_variant_at(0), "F32", 1);
    struct taken *taken = random_texts((uint64_t)_i, TEXTS);
    pool_set_size(1 + (size_t)_i);
    taken->ordered = true;
    take(taken, &takers[_i]);
    assert_taken_once(taken, &takers[_i]);
    free_texts(taken);
}

static bool stop_after_one(void *context, size_t done, size_t total)
{
    (void)total;
    *(size_t *)context = done;
    return false;
}

TEST(a_watch_can_stop_it)
{
    size_t done = 0;
    struct watch watch = {stop_after_one, &done};
    struct batch batch = {.watch = &watch};
    family_model_make(&random_model, family_variant_at(0), "F32", 1);
    struct taken *taken = random_texts(3, TEXTS);
    batch.model = random_model.model;
    batch.take = everything;
    batch.take.context = taken;
    ck_assert_int_eq(batch_run(&batch, taken->texts, TEXTS, &error), STATUS_CANCELLED);
    ck_assert_uint_eq(done, 1);
    ck_assert_uint_eq(taken->outputs[0], 0);
    batch_free(&batch);
    free_texts(taken);
}

/* ---- Texts that can't be computed --------------------------------------------------------- */

TEST(a_text_that_does_not_fit_is_named, .times = 3)
{
    static const int32_t ids[FAMILY_LONGEST + 1] = {3}, far[] = {1, 1 << 20};
    const struct batch_text bad[] = {{.name = "dev-3", .ids = ids},
                                     {.name = "dev-3", .ids = ids, .tokens = FAMILY_LONGEST + 1},
                                     {.name = "dev-3", .ids = far, .tokens = 2}};
    static const char *const messages[] = {"dev-3: the text has no tokens", "dev-3: the text is",
                                           "dev-3: token 1: expected an id"};
    family_model_make(&random_model, family_variant_at(0), "F32", 1);
    struct taken *taken = random_texts(3, TEXTS);
    taken->texts[4] = bad[_i];
    enum status status = take_some(taken, &weights_alone, 0, TEXTS);
    ck_assert_int_eq(status, _i == 2 ? STATUS_MISMATCH : STATUS_LIMIT);
    if (strncmp(error.message, messages[_i], strlen(messages[_i])) != 0)
        ck_abort_msg("found \"%s\"", error.message);
    ck_assert_uint_eq(taken->weights[0][0][0], 0);
    free_texts(taken);
}

/* Row `row` of a tensor, or all of it. */
static void scale(const char *name, size_t row, double factor)
{
    const struct part *part = parts_find(&random_model.parts, name);
    const size_t columns = part->shape[1];
    for (size_t i = 0; i < part->size / 4; i++) {
        float number;
        memcpy(&number, part->data + 4 * i, 4);
        if (row == SIZE_MAX || i / columns == row)
            number = (float)((double)number * factor);
        memcpy(part->data + 4 * i, &number, 4);
    }
    assert_ok(random_model_open(&random_model, &error), error);
}

static void make_bert(void)
{
    struct random_shape shape = random_shape(3);
    shape.type = "F32";
    shape.layers = 3;
    random_model_make(&random_model, &shape, 3);
}

static void use_token(struct taken *taken, int32_t from, int32_t to)
{
    for (size_t i = 0; i < taken->count; i++)
        for (size_t t = 0; t < taken->traces[i]->tokens; t++)
            if (taken->traces[i]->ids[t] == from)
                taken->traces[i]->ids[t] = to;
}

#define WORDS "bert.embeddings.word_embeddings.weight"

static struct taken *short_texts(void)
{
    struct taken *taken = random_texts(5, 0);
    for (size_t i = 0; i < TEXTS; i++)
        add_text(taken, random_prepare(&random_model, 3 + i % 4, 2, i));
    return taken;
}

/* Embeddings whose squares no float holds, or that are no numbers: the text and the tensor are
 * named; others were computed. */
TEST(a_text_whose_numbers_are_not_finite_is_named, .times = 2)
{
    const struct batch_taker without_words = {.weights = take_weights, .outputs = take_outputs};
    make_bert();
    scale(WORDS, 1, _i == 0 ? 1e25 : (double)NAN);
    struct taken *taken = short_texts();
    use_token(taken, 1, 2);
    taken->traces[4]->ids[1] = 1;
    taken->texts[4].name = "dev-4";
    enum status status = take_some(taken, &without_words, 0, TEXTS);
    assert_fails(status, STATUS_FORMAT,
                 "dev-4: random/model.safetensors: embedding: expected finite", error);
    ck_assert_uint_eq(taken->outputs[3], 1);
    ck_assert_uint_eq(taken->weights[4][0][0], 0);
    free_texts(taken);
}
