/* The masked-word head by itself, on rows of any layer. */
#include "random_model.h"
#include "suites.h"

#include "headlight/model/forward.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/thread_pool.h"

#include <stdlib.h>
#include <string.h>

#define TOKENS 21

static const struct random_shape shape = {.hidden = 24,
                                          .heads = 3,
                                          .layers = 2,
                                          .feed_forward = 40,
                                          .vocabulary = 71,
                                          .positions = 80,
                                          .type = "F32",
                                          .activation = "gelu",
                                          .sharpness = 2};
static struct random_model random_;
static struct error error;

static void begin(void)
{
    random_model_make(&random_, &shape, 7);
}

static void end(void)
{
    random_model_free(&random_);
}

TESTS(.begin = begin, .end = end);

static struct trace *run(void)
{
    struct trace *trace = random_prepare(&random_, TOKENS, 9, 3);
    assert_ok(forward_run(random_.model, NULL, NULL, trace, &error), error);
    return trace;
}

/* What rows `first` … of a layer's output say. Free with free(). */
static struct head_rows *say(const struct trace *trace, size_t layer, size_t first, size_t count)
{
    struct head_rows *rows;
    assert_ok(forward_words_prepare(random_.model, count, &rows, &error), error);
    ck_assert_uint_eq(rows->count, 0);
    rows->count = count;
    memcpy(rows->hidden, trace->layer[layer].output + first * trace->hidden,
           count * trace->hidden * sizeof *rows->hidden);
    assert_ok(forward_head(random_.model, TOKENS, rows, &error), error);
    return rows;
}

TEST(few_rows_say_the_same)
{
    struct trace *trace = run();
    for (size_t first = 0; first < TOKENS; first += 4)
        for (size_t count = 1; first + count <= TOKENS; count += 2) {
            struct head_rows *rows = say(trace, 1, first, count);
            ck_assert_mem_eq(rows->logits, trace->outputs[OUTPUT_MLM] + first * 71,
                             count * 71 * sizeof(float));
            free(rows);
        }
    free(trace);
}

TEST(any_number_of_threads_says_the_same)
{
    struct trace *trace = run();
    pool_set_size(1);
    struct head_rows *alone = say(trace, 0, 0, TOKENS);
    pool_set_size(4);
    struct head_rows *together = say(trace, 0, 0, TOKENS);
    ck_assert_int_eq(memcmp(alone->logits, together->logits, TOKENS * 71 * sizeof(float)), 0);
    free(alone);
    free(together);
    pool_set_size(0);
    free(trace);
}

/* The trace is of before: a pass would have met the number too. */
TEST(a_bad_weight_is_refused)
{
    struct trace *trace = run();
    struct part *part = parts_find(&random_.parts, "cls.predictions.transform.dense.weight");
    const float bad = (float)NAN;
    struct head_rows *rows;
    memcpy(part->data + 4 * 25, &bad, sizeof bad);
    assert_ok(random_model_open(&random_, &error), error);
    assert_ok(forward_words_prepare(random_.model, 1, &rows, &error), error);
    rows->count = 1;
    memcpy(rows->hidden, trace->layer[0].output, trace->hidden * sizeof *rows->hidden);
    assert_fails(forward_head(random_.model, TOKENS, rows, &error), STATUS_FORMAT,
                 "mlm_logits: expected finite numbers, found NaN or infinity", error);
    free(rows);
    free(trace);
}

TEST(a_model_without_the_head_is_refused)
{
    struct head_rows *rows = NULL;
    parts_drop_all(&random_.parts, "cls.predictions.");
    assert_ok(random_model_open(&random_, &error), error);
    assert_fails(forward_words_prepare(random_.model, 1, &rows, &error), STATUS_UNSUPPORTED,
                 "words need a masked-word head, which this checkpoint was saved without: use one "
                 "saved as BertForMaskedLM",
                 error);
    ck_assert_ptr_null(rows);
}
