/* steps.c: the numbers of every stage on a token's way through a layer. A stage is filled number by
 * number with the arithmetic that also explains them (steps_arithmetic.c). What goes into it is the
 * trace's where the trace has it, so that no error adds up over the stages. */
#include "headlight/lens/steps.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

/* ---- Stages ---- */

static void list_operations(const struct steps_at *at, struct operations *operations)
{
    const struct network network = {.model = at->model, .trace = at->trace, .alone = true};
    operations_of_layer(&network, at->layer, at->output, operations);
}

struct operation steps_operation(const struct steps_at *at, enum stage stage)
{
    struct operations operations;
    list_operations(at, &operations);
    const struct operation *found = operations_find(&operations, stage);
    return found ? *found : (struct operation){.kind = OPERATION_ABSENT};
}

/* Queries, keys and values are projected for all heads together. */
size_t steps_first_row(const struct steps_at *at, enum stage stage)
{
    const struct operation operation = steps_operation(at, stage);
    if (stage < STAGE_PROJECTED_QUERY || stage > STAGE_VALUE)
        return 0;
    return at->head * operation.heads / at->trace->heads * at->trace->dimensions;
}

bool steps_is_biased(const struct steps_at *at, enum stage stage)
{
    const struct operation operation = steps_operation(at, stage);
    const float *bias = operation.norm     ? operation.norm->bias
                        : operation.linear ? operation.linear->bias + steps_first_row(at, stage)
                                           : NULL;
    for (size_t i = 0; bias && i < operation.outputs; i++)
        if (bias[i] < 0 || bias[i] > 0)
            return true;
    return !at->model;
}

/* ---- What an operation takes ---- */

/* The token's numbers of a stage in the trace, of a head's own stages the head's; NULL where it has
 * none, and of the model's heads, which are computed from here on. In cross-attention keys and
 * values are other tokens'. */
static const float *traced(const struct steps *steps, enum stage stage)
{
    const struct steps_at *at = &steps->at;
    const struct operation *of = &steps->stage[stage].operation;
    if (of->kind == OPERATION_ABSENT || of->tensor >= TRACE_OUTPUTS || of->outputs == 0)
        return NULL;
    const struct trace *speaker = trace_speaker(at->trace),
                       *trace = of->cross ? speaker->cross : speaker;
    const struct trace_tensor tensor = trace_tensor_of(trace, of->tensor, at->layer);
    if (!tensor.numbers || tensor.shape[tensor.rank - 2] != at->trace->tokens)
        return NULL;
    return tensor.numbers + at->token * tensor.stride[tensor.rank - 2] +
           (tensor.rank == 3 ? at->head * tensor.shape[0] / at->trace->heads * tensor.stride[0]
            : stage == STAGE_CONTEXT ? at->head * at->trace->dimensions
                                     : 0);
}

static void widen_floats(const float *from, size_t count, double *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
}

/* The output projection takes the contexts of all heads, every other stage those of one token and
 * head; but a convolution the layer's inputs of the K tokens around, as its weights lie: those of
 * token t + k - K/2 at i·K + k; 0 where there is none. */
void steps_open(struct steps *steps, enum stage stage)
{
    const struct steps_at *at = &steps->at;
    const struct operation *operation = &steps->stage[stage].operation;
    steps->open = stage;
    if (operation->from == STAGE_NONE)
        return;
    const float *from = traced(steps, operation->from);
    const bool all = operation->from == STAGE_CONTEXT; /* of all heads */
    steps->source = from ? steps->input : steps->stage[operation->from].numbers;
    const bool convolves = operation->kind == OPERATION_CONVOLVE && at->model;
    const size_t H = at->trace->hidden, K = convolves ? at->model->config.kernel : 1;
    for (size_t i = 0; convolves && i < H * K; i++) {
        const size_t token = at->token + i % K; /* and K/2 before */
        const bool there = token >= K / 2 && token < at->trace->tokens + K / 2;
        steps->input[i] =
            there ? (double)at->trace->layer[at->layer].input[(token - K / 2) * H + i / K] : 0;
    }
    if (!convolves && from)
        widen_floats(all ? from - at->head * at->trace->dimensions : from, operation->inputs,
                     steps->input);
}

/* ---- All numbers ---- */

/* In the order of the stages, in which each has what it is made of. With the network all is
 * computed that isn't taken over; of a recording without its scores or contexts these, if it has
 * what they follow from. The variance is that of all numbers, divided by their count, as LayerNorm
 * has it; without a bias RMSNorm takes that about 0.
 */
static void fill_all(struct steps *steps)
{
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        struct step_numbers *of = &steps->stage[stage];
        const float *numbers = traced(steps, stage);
        const enum trace_name tensor = of->operation.tensor;
        if (of->operation.kind == OPERATION_ABSENT)
            continue;
        bool computed = steps->at.model && of->operation.kind != OPERATION_TAKE;
        if (!steps->at.model && !numbers) {
            steps_open(steps, stage);
            computed = steps_gather(steps, 0)->kind != ARITHMETIC_NONE;
        }
        if (computed) {
            struct moments *moments = &steps->moments[stage];
            const size_t normed = of->operation.kind == OPERATION_NORM ? of->count : 0;
            steps_open(steps, stage);
            for (size_t i = 0; i < normed; i++) {
                of->numbers[i] = steps->source[i] + steps_with(steps, i, 0);
                moments->mean += of->operation.norm->bias ? of->numbers[i] / (double)normed : 0;
            }
            for (size_t i = 0; i < normed; i++)
                moments->variance += pow(of->numbers[i] - moments->mean, 2) / (double)normed;
            if (of->operation.kind == OPERATION_SHARE)
                steps_measure_softmax(steps, 0);
            for (size_t i = 0; i < of->count; i++)
                of->numbers[i] = steps_gather(steps, i)->result;
        } else if (numbers) {
            widen_floats(numbers, of->count, of->numbers);
        } else {
            of->count = 0;
            of->missing = tensor < TRACE_NAMES ? trace_entries[tensor].name : "network";
        }
        if (stage == STAGE_SCORES)
            steps_open(steps, STAGE_WEIGHTS);
        if (stage == STAGE_SCORES && of->count > 0)
            steps->left = steps_measure_softmax(steps, 0);
    }
}

/* ---- The whole ---- */

/* One block: the steps, all numbers, the working space. */
enum status steps_new(const struct steps_at *at, struct steps **steps, struct error *error)
{
    size_t widest = EMBEDDED_PARTS, count = 0;
    struct operations operations;
    list_operations(at, &operations);
    for (const struct operation *of = operations.list; of->kind; of++) {
        widest = size_max(widest, size_max(of->inputs, of->outputs));
        count += of->outputs;
    }
    const size_t each = 2 * sizeof(double) + sizeof(struct step_term) + sizeof(float);
    *steps = memory_new(widest, each, sizeof **steps + count * sizeof(double),
                        "the steps of a layer", error);
    if (!*steps)
        return error->status;
    double *numbers = (double *)(void *)(*steps + 1);
    for (const struct operation *of = operations.list; of->kind; of++) {
        (*steps)->stage[of->stage] = (struct step_numbers){*of, of->outputs, numbers, NULL};
        numbers += of->outputs;
    }
    (*steps)->at = *at;
    (*steps)->input = numbers;
    (*steps)->parts = numbers + widest;
    (*steps)->terms = (struct step_term *)(void *)(numbers + 2 * widest);
    (*steps)->row = (float *)(void *)((*steps)->terms + widest);
    fill_all(*steps);
    return STATUS_OK;
}
