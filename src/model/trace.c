#include "headlight/model/trace.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A cache line, and the widest vector register of today's machines. */
#define ALIGNMENT 64

/* A block being measured (base NULL) or handed out part by part. */
struct layout {
    unsigned char *base;
    size_t used;
    double wanted; /* the same sum, also where it overflows */
    bool overflow;
};

/* The next part, of a·b·c elements; NULL while measuring. */
static void *part(struct layout *layout, size_t a, size_t b, size_t c, size_t element)
{
    size_t count, bytes, start, end;
    layout->wanted += (double)a * (double)b * (double)c * (double)element;
    if (!size_add(layout->used, ALIGNMENT - 1, &start) || !size_multiply(a, b, &count) ||
        !size_multiply(count, c, &count) || !size_multiply(count, element, &bytes)) {
        layout->overflow = true;
        return NULL;
    }
    start -= start % ALIGNMENT;
    if (!size_add(start, bytes, &end)) {
        layout->overflow = true;
        return NULL;
    }
    layout->used = end;
    return layout->base ? layout->base + start : NULL;
}

static void lay_out_layer(struct layout *layout, const struct trace *trace,
                          struct layer_trace *layer)
{
    size_t T = trace->tokens, H = trace->hidden, A = trace->heads;
    float *product = part(layout, T, 3 * H, 1, sizeof *product); /* [T,3H] */
    layer->query = (struct heads){product, trace->dimensions, 3 * H};
    layer->key = (struct heads){product ? product + H : NULL, trace->dimensions, 3 * H};
    layer->value = (struct heads){product ? product + 2 * H : NULL, trace->dimensions, 3 * H};
    layer->scores = part(layout, A, T, T, sizeof *layer->scores);
    layer->weights = part(layout, A, T, T, sizeof *layer->weights);
    layer->context = part(layout, T, H, 1, sizeof *layer->context);
    layer->attention_output = part(layout, T, H, 1, sizeof *layer->attention_output);
    layer->output = part(layout, T, H, 1, sizeof *layer->output);
}

/* Runs twice over the same list of parts: once to measure, once to hand out. */
static void lay_out(struct layout *layout, struct trace *trace, bool mlm, bool nsp)
{
    size_t T = trace->tokens, H = trace->hidden;
    struct layer_trace measured = {0};
    trace->ids = part(layout, T, 1, 1, sizeof *trace->ids);
    trace->segments = part(layout, T, 1, 1, sizeof *trace->segments);
    trace->layer = part(layout, trace->layers, 1, 1, sizeof *trace->layer);
    trace->embedding = part(layout, T, H, 1, sizeof *trace->embedding);
    for (size_t l = 0; l < trace->layers; l++) {
        struct layer_trace *layer = trace->layer ? &trace->layer[l] : &measured;
        lay_out_layer(layout, trace, layer);
        layer->input = l == 0 || !trace->layer ? trace->embedding : trace->layer[l - 1].output;
    }
    if (mlm)
        trace->mlm_logits = part(layout, T, trace->vocabulary, 1, sizeof *trace->mlm_logits);
    if (nsp)
        trace->nsp_logits = part(layout, 2, 1, 1, sizeof *trace->nsp_logits);
    trace->scratch = part(layout, trace->scratch_count, 1, 1, sizeof *trace->scratch);
}

/* A system that promises more memory than it has would go on until it ends some process. */
static enum status check_room(size_t tokens, double bytes, struct error *error)
{
    struct memory_words words;
    if (memory_has(bytes, &words))
        return STATUS_OK;
    return error_set(error, STATUS_LIMIT,
                     "the trace of %zu tokens needs %s, and only %s of memory are free: use a "
                     "shorter text or a smaller model",
                     tokens, words.needed, words.free);
}

/* A wish, where the system knows it: large pages are faulted in a few hundred times less often. */
static void ask_for_large_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)2 << 20;
    uintptr_t first = ((uintptr_t)block + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)block + bytes) / page * page;
    if (end > first)
        madvise((unsigned char *)block + (first - (uintptr_t)block), end - first, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

enum status trace_new(const struct config *config, size_t tokens, bool mlm, bool nsp,
                      size_t scratch, struct trace **trace, struct error *error)
{
    struct trace plan = {.tokens = tokens,
                         .attended = tokens,
                         .layers = config->layers,
                         .heads = config->heads,
                         .dimensions = config->hidden / config->heads,
                         .hidden = config->hidden,
                         .vocabulary = config->vocabulary,
                         .scratch_count = scratch};
    /* calloc aligns its block to less than a part needs, so the parts begin at the first aligned
     * address after the struct. Its zeros cost nothing until they are touched. */
    const size_t before = sizeof plan + ALIGNMENT;
    struct layout measure = {0};
    size_t bytes;
    *trace = NULL;
    lay_out(&measure, &plan, mlm, nsp);
    if (check_room(tokens, measure.wanted, error) != STATUS_OK)
        return error->status;
    if (measure.overflow || !size_add(measure.used, before, &bytes))
        return error_memory(error, "the trace", SIZE_MAX);
    struct trace *block = calloc(1, bytes);
    if (!block)
        return error_memory(error, "the trace", bytes);
    ask_for_large_pages(block, bytes);
    *block = plan;
    unsigned char *first = (unsigned char *)(block + 1);
    struct layout hand_out = {.base = first + (ALIGNMENT - (uintptr_t)first % ALIGNMENT)};
    lay_out(&hand_out, block, mlm, nsp);
    *trace = block;
    return STATUS_OK;
}

/* ---- Copies ------------------------------------------------------------------------------- */

static bool same_tokens(const struct trace *a, const struct trace *b)
{
    size_t bytes = a->tokens * sizeof *a->ids;
    return a->scratch && b->scratch && a->tokens == b->tokens && a->layers == b->layers &&
           a->heads == b->heads && a->hidden == b->hidden && memcmp(a->ids, b->ids, bytes) == 0 &&
           memcmp(a->segments, b->segments, bytes) == 0;
}

bool trace_copy_layers(const struct trace *from, size_t layers, struct trace *to)
{
    const size_t states = from->tokens * from->hidden * sizeof(float); /* [T,H] */
    const size_t squares = from->heads * from->tokens * from->tokens * sizeof(float);
    if (!same_tokens(from, to))
        return false;
    memcpy(to->embedding, from->embedding, states);
    for (size_t l = 0; l < layers; l++) {
        const struct layer_trace *source = &from->layer[l], *target = &to->layer[l];
        memcpy(target->query.data, source->query.data, 3 * states); /* key and value too */
        memcpy(target->scores, source->scores, squares);
        memcpy(target->weights, source->weights, squares);
        memcpy(target->context, source->context, states);
        memcpy(target->attention_output, source->attention_output, states);
        memcpy(target->output, source->output, states);
    }
    return true;
}

/* ---- The tensors by name ---------------------------------------------------------------- */

/* In the order in which they are computed. */
static const struct layer_tensor {
    const char *name;
    enum { MATRIX, HEADS, HEADS_ATTENDED, SQUARE } kind; /* [T,H], [A,T,D], [A,S,D], [A,T,S] */
    size_t offset; /* of the member: a pointer, or a struct heads, which begins with one */
} layer_tensors[] = {
    {"input", MATRIX, offsetof(struct layer_trace, input)},
    {"query", HEADS, offsetof(struct layer_trace, query)},
    {"key", HEADS_ATTENDED, offsetof(struct layer_trace, key)},
    {"value", HEADS_ATTENDED, offsetof(struct layer_trace, value)},
    {"scores", SQUARE, offsetof(struct layer_trace, scores)},
    {"weights", SQUARE, offsetof(struct layer_trace, weights)},
    {"context", MATRIX, offsetof(struct layer_trace, context)},
    {"attention_output", MATRIX, offsetof(struct layer_trace, attention_output)},
    {"output", MATRIX, offsetof(struct layer_trace, output)},
};
#define LAYER_TENSORS (sizeof layer_tensors / sizeof *layer_tensors)

/* Every tensor that a trace of L layers can have is a slot: those before the layers, the layers',
 * those after. */
enum { IDS, SEGMENTS, EMBEDDING, SLOTS_BEFORE };
enum { MLM_LOGITS, NSP_LOGITS, SLOTS_AFTER };

static size_t slot_count(const struct trace *trace)
{
    return SLOTS_BEFORE + trace->layers * LAYER_TENSORS + SLOTS_AFTER;
}

static const void *layer_member(const struct trace *trace, size_t l, size_t which)
{
    return (const char *)&trace->layer[l] + layer_tensors[which].offset;
}

static bool slot_is_there(const struct trace *trace, size_t slot)
{
    if (slot == IDS)
        return trace->ids != NULL;
    if (slot == SEGMENTS)
        return trace->segments != NULL;
    if (slot == EMBEDDING)
        return trace->embedding != NULL;
    slot -= SLOTS_BEFORE;
    if (slot < trace->layers * LAYER_TENSORS)
        return *(float *const *)layer_member(trace, slot / LAYER_TENSORS, slot % LAYER_TENSORS);
    slot -= trace->layers * LAYER_TENSORS;
    return slot == MLM_LOGITS ? trace->mlm_logits != NULL : trace->nsp_logits != NULL;
}

static struct trace_tensor vector(const float *numbers, const int32_t *integers, size_t length)
{
    return (struct trace_tensor){
        .rank = 1, .shape = {length}, .stride = {1}, .numbers = numbers, .integers = integers};
}

static struct trace_tensor matrix(const float *numbers, size_t rows, size_t columns)
{
    return (struct trace_tensor){
        .rank = 2, .shape = {rows, columns}, .stride = {columns, 1}, .numbers = numbers};
}

static struct trace_tensor square(const struct trace *trace, const float *numbers)
{
    size_t T = trace->tokens, S = trace->attended;
    return (struct trace_tensor){
        .rank = 3, .shape = {trace->heads, T, S}, .stride = {T * S, S, 1}, .numbers = numbers};
}

static struct trace_tensor strided(const struct trace *trace, const struct heads *view,
                                   size_t tokens)
{
    return (struct trace_tensor){.rank = 3,
                                 .shape = {trace->heads, tokens, trace->dimensions},
                                 .stride = {view->head_stride, view->token_stride, 1},
                                 .numbers = view->data};
}

static void layer_tensor_at(const struct trace *trace, size_t l, size_t which,
                            struct trace_tensor *tensor)
{
    const void *member = layer_member(trace, l, which);
    switch (layer_tensors[which].kind) {
    case MATRIX:
        *tensor = matrix(*(float *const *)member, trace->tokens, trace->hidden);
        break;
    case HEADS:
        *tensor = strided(trace, member, trace->tokens);
        break;
    case HEADS_ATTENDED:
        *tensor = strided(trace, member, trace->attended);
        break;
    case SQUARE:
        *tensor = square(trace, *(float *const *)member);
        break;
    }
    snprintf(tensor->name, sizeof tensor->name, "layer.%zu.%s", l, layer_tensors[which].name);
}

static void logits_at(const struct trace *trace, size_t which, struct trace_tensor *tensor)
{
    if (which == MLM_LOGITS)
        *tensor = matrix(trace->mlm_logits, trace->tokens, trace->vocabulary);
    else
        *tensor = vector(trace->nsp_logits, NULL, 2);
    snprintf(tensor->name, sizeof tensor->name, "%s",
             which == MLM_LOGITS ? "mlm_logits" : "nsp_logits");
}

static void slot_at(const struct trace *trace, size_t slot, struct trace_tensor *tensor)
{
    static const char *const before[] = {"ids", "segments", "embedding"};
    size_t layer_slots = trace->layers * LAYER_TENSORS;
    if (slot >= SLOTS_BEFORE + layer_slots) {
        logits_at(trace, slot - SLOTS_BEFORE - layer_slots, tensor);
        return;
    }
    if (slot >= SLOTS_BEFORE) {
        slot -= SLOTS_BEFORE;
        layer_tensor_at(trace, slot / LAYER_TENSORS, slot % LAYER_TENSORS, tensor);
        return;
    }
    if (slot == EMBEDDING)
        *tensor = matrix(trace->embedding, trace->tokens, trace->hidden);
    else
        *tensor = vector(NULL, slot == IDS ? trace->ids : trace->segments, trace->tokens);
    snprintf(tensor->name, sizeof tensor->name, "%s", before[slot]);
}

size_t trace_tensor_count(const struct trace *trace)
{
    size_t count = 0;
    for (size_t slot = 0; slot < slot_count(trace); slot++)
        count += slot_is_there(trace, slot);
    return count;
}

void trace_tensor_at(const struct trace *trace, size_t index, struct trace_tensor *tensor)
{
    size_t slot = 0;
    while (!slot_is_there(trace, slot) || index-- > 0)
        slot++;
    slot_at(trace, slot, tensor);
}
