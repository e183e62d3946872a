/* trace.c: the memory of a trace. The table in trace.h says which tensors there are and how
 * large they are; one block holds them all, measured first and then handed out part by part. */
#include "headlight/model/trace.h"

#include "headlight/base/memory.h"
#include "headlight/base/system.h"
#include "headlight/model/relation.h"
#include "headlight/model/trace_tensor.h"

#include <stdio.h>
#include <string.h>

/* A cache line, and the widest vector register of current processors. */
#define ALIGNMENT 64

/* A block being measured (base NULL) or handed out part by part. */
struct layout {
    unsigned char *base;
    size_t used;
    double wanted; /* the same sum, which can't overflow */
};

/* The next part, of a·b·c elements; NULL while measuring. */
static void *part(struct layout *layout, size_t a, size_t b, size_t c, size_t element)
{
    const size_t start = (layout->used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    layout->wanted += (double)a * (double)b * (double)c * (double)element;
    layout->used = start + a * b * c * element;
    return layout->base ? layout->base + start : NULL;
}

/* Places a tensor that has memory of its own. Integers are as large as floats. */
static void lay_out_tensor(struct layout *layout, const struct trace *trace,
                           const struct trace_entry *entry, void *member)
{
    size_t size[3] = {1, 1, 1};
    if (entry->room == 0)
        return;
    for (size_t i = 0; entry->axes[i]; i++)
        size[i] = trace_axis(trace, entry->axes[i]);
    void *memory = part(layout, size[0], size[1], size[2], entry->room * sizeof(float));
    if (entry->kind == TRACE_KIND_HEADS)
        *(struct heads *)member =
            (struct heads){memory, trace->dimensions, entry->room * trace->hidden};
    else if (entry->kind == TRACE_KIND_NUMBERS)
        *(float **)member = memory;
    else
        *(int32_t **)member = memory;
}

/* Which tensors there are. */
struct plan {
    bool whole[TRACE_WHOLE_COUNT], layer[TRACE_LAYER_COUNT];
    bool projected; /* embeddings are projected to the first layer's input */
};

#define PLAN_WHOLE(kind, name, axes, room, there) plan.whole[TRACE_##name] = there;
#define PLAN_LAYER(kind, name, axes, room, there) plan.layer[TRACE_##name] = there;

static struct plan plan_of(const struct config *config, const bool *outputs)
{
    static const bool none[OUTPUT_COUNT];
    struct plan plan = {.projected = config->embedding > 0};
    outputs = outputs ? outputs : none;
    const bool pooled = outputs[OUTPUT_POOLED] && !outputs[OUTPUT_NSP] && !outputs[OUTPUT_SOP];
    TRACE_TENSORS_BEFORE(PLAN_WHOLE)
    TRACE_LAYER_TENSORS(PLAN_LAYER)
    TRACE_TENSORS_AFTER(PLAN_WHOLE)
    return plan;
}

/* Runs twice over the same list of parts: to measure, then to hand out. */
static void lay_out_trace(struct layout *layout, struct trace *trace, const struct plan *plan)
{
    struct layer_trace measured = {0};
    trace->layer = part(layout, trace->layers, 1, 1, sizeof *trace->layer);
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t i = 0; i < TRACE_LAYER_COUNT; i++) {
            const struct trace_entry *entry = &trace_layer_entries[i];
            char *layer = (char *)(trace->layer ? &trace->layer[l] : &measured);
            if (plan->layer[i] && (i != TRACE_before_conv || l == 0))
                lay_out_tensor(layout, trace, entry, layer + entry->offset);
        }
    for (size_t i = 0; i < TRACE_WHOLE_COUNT; i++)
        if (plan->whole[i])
            lay_out_tensor(layout, trace, &trace_entries[i],
                           (char *)trace + trace_entries[i].offset);
    float *projected = plan->projected
                           ? part(layout, trace->tokens, trace->hidden, 1, sizeof *projected)
                           : trace->embedding;
    if (trace->layer)
        trace->layer[0].input = projected;
    trace->scratch = part(layout, trace->scratch_count, 1, 1, sizeof *trace->scratch);
}

/* The view that lies `numbers` further in each row. */
static struct heads view_beside(struct heads view, size_t numbers)
{
    view.data += numbers;
    return view;
}

/* Sets tensors that lie in the memory of others. */
static void share_memory(struct trace *trace)
{
    const size_t H = trace->hidden;
    for (size_t l = 0; l < trace->layers; l++) {
        struct layer_trace *layer = &trace->layer[l];
        if (l > 0)
            layer->input = trace->layer[l - 1].output;
        layer->key = view_beside(layer->query, H);
        layer->value = view_beside(layer->query, 2 * H);
        if (layer->query_unrotated.data)
            layer->key_unrotated = view_beside(layer->query_unrotated, H);
        if (layer->rel_query.data)
            layer->rel_key = view_beside(layer->rel_query, H);
        if (trace->position_bias)
            layer->relative = trace->position_bias;
    }
}

/* Linux overcommits memory and later kills some process, so ask first. */
static enum status check_trace_memory(size_t tokens, double bytes, struct error *error)
{
    struct memory_words words;
    if (memory_has(bytes, &words))
        return STATUS_OK;
    return error_set(error, STATUS_LIMIT,
                     "the trace of %zu tokens needs %s, and only %s of memory are free: use a "
                     "shorter text or a smaller model",
                     tokens, words.needed, words.free);
}

struct trace trace_of_sizes(const struct config *config, size_t tokens)
{
    return (struct trace){.tokens = tokens,
                          .attended = tokens,
                          .layers = config->layers,
                          .heads = config->heads,
                          .dimensions = config->hidden / config->heads,
                          .hidden = config->hidden,
                          .vocabulary = config->vocabulary,
                          .embedded = config_embedding(config),
                          .terms = config_terms(config)};
}

enum status trace_new(const struct config *config, size_t tokens, const bool *outputs,
                      size_t scratch, struct trace **trace, struct error *error)
{
    const struct plan parts = plan_of(config, outputs);
    struct trace plan = trace_of_sizes(config, tokens);
    plan.scratch_count = scratch;
    /* calloc's alignment is too small for a part, so the parts begin at the first aligned
     * address after the struct. Untouched zero pages cost nothing. */
    struct layout measure = {0};
    *trace = NULL;
    if (config->relation == RELATION_DISENTANGLED)
        plan.distances = relation_rows(config, tokens, &plan.first_distance);
    lay_out_trace(&measure, &plan, &parts);
    if (check_trace_memory(tokens, measure.wanted, error) != STATUS_OK)
        return error->status;
    const size_t bytes = measure.wanted < 0x1p62 ? measure.used : SIZE_MAX;
    struct trace *block = memory_new(1, bytes, sizeof plan + ALIGNMENT, "the trace", error);
    if (!block)
        return error->status;
    system_large_pages(block, bytes);
    *block = plan;
    unsigned char *first = (unsigned char *)(block + 1);
    struct layout hand_out = {.base = first + (ALIGNMENT - (uintptr_t)first % ALIGNMENT)};
    lay_out_trace(&hand_out, block, &parts);
    share_memory(block);
    *trace = block;
    return STATUS_OK;
}

/* ---- Copies ------------------------------------------------------------------------------- */

static bool have_same_tokens(const struct trace *a, const struct trace *b)
{
    size_t bytes = a->tokens * sizeof *a->ids;
    return a->scratch && b->scratch && a->tokens == b->tokens && a->layers == b->layers &&
           a->heads == b->heads && a->hidden == b->hidden && memcmp(a->ids, b->ids, bytes) == 0 &&
           memcmp(a->segments, b->segments, bytes) == 0;
}

static void copy_layer(const struct trace *trace, const struct layer_trace *from,
                       struct layer_trace *to)
{
    for (size_t i = 0; i < TRACE_LAYER_COUNT; i++) {
        const struct trace_entry *entry = &trace_layer_entries[i];
        size_t count = entry->room;
        if (i == TRACE_relative && trace->position_bias) /* shared by all layers */
            continue;
        for (const char *axis = entry->axes; *axis; axis++)
            count *= trace_axis(trace, *axis);
        /* a struct heads begins with its pointer */
        float *const *source = (const void *)((const char *)from + entry->offset);
        float **target = (void *)((char *)to + entry->offset);
        if (*source)
            memcpy(*target, *source, count * sizeof **target);
    }
}

bool trace_copy_layers(const struct trace *from, size_t layers, struct trace *to)
{
    if (!have_same_tokens(from, to))
        return false;
    const size_t row = from->tokens * sizeof *to->embedding;
    memcpy(to->embedding, from->embedding, row * from->embedded);
    if (from->layer[0].input != from->embedding)
        memcpy(to->layer[0].input, from->layer[0].input, row * from->hidden);
    for (size_t l = 0; l < layers; l++)
        copy_layer(from, &from->layer[l], &to->layer[l]);
    return true;
}

/* ---- The tensors by name ---------------------------------------------------------------- */

#define LAYER_ROW(kind, name, axes, room, there)                                                   \
    {#name, axes, TRACE_KIND_##kind, room, offsetof(struct layer_trace, name)},
#define WHOLE_ROW(kind, name, axes, room, there)                                                   \
    {#name, axes, TRACE_KIND_##kind, room, offsetof(struct trace, name)},

const struct trace_entry trace_layer_entries[TRACE_LAYER_COUNT] = {TRACE_LAYER_TENSORS(LAYER_ROW)};
const struct trace_entry trace_entries[TRACE_WHOLE_COUNT] = {TRACE_TENSORS_BEFORE(WHOLE_ROW)
                                                                 TRACE_TENSORS_AFTER(WHOLE_ROW)};

size_t trace_axis(const struct trace *trace, char axis)
{
    return axis == '2' ? 2 : *trace_axis_member((struct trace *)(uintptr_t)trace, axis);
}

size_t *trace_axis_member(struct trace *trace, char axis)
{
    static const char letters[] = "ATSDHVER";
    size_t *const sizes[] = {&trace->heads,      &trace->tokens,   &trace->attended,
                             &trace->dimensions, &trace->hidden,   &trace->vocabulary,
                             &trace->embedded,   &trace->distances};
    return sizes[strchr(letters, axis) - letters];
}

/* A tensor that a trace may have. */
struct slot {
    const struct trace_entry *entry;
    const void *member;
    size_t layer; /* SIZE_MAX: of the whole trace */
};

static size_t slot_count(const struct trace *trace)
{
    return TRACE_WHOLE_COUNT + trace->layers * TRACE_LAYER_COUNT;
}

/* In order: before the layers, the layers', after the layers. */
static struct slot slot_at(const struct trace *trace, size_t index)
{
    enum { BEFORE = 0 TRACE_TENSORS_BEFORE(TRACE_COUNT) };
    const size_t layers = trace->layers * TRACE_LAYER_COUNT;
    if (index < BEFORE || index >= BEFORE + layers) {
        const struct trace_entry *entry = &trace_entries[index < BEFORE ? index : index - layers];
        return (struct slot){entry, (const char *)trace + entry->offset, SIZE_MAX};
    }
    size_t layer = (index - BEFORE) / TRACE_LAYER_COUNT;
    const struct trace_entry *entry = &trace_layer_entries[(index - BEFORE) % TRACE_LAYER_COUNT];
    return (struct slot){entry, (const char *)&trace->layer[layer] + entry->offset, layer};
}

/* Every kind of member is a pointer or begins with one. */
static bool is_there(struct slot slot)
{
    void *pointer;
    memcpy(&pointer, slot.member, sizeof pointer);
    return pointer != NULL;
}

static struct trace_tensor describe_slot(const struct trace *trace, struct slot slot)
{
    const struct trace_entry *entry = slot.entry;
    struct trace_tensor tensor = {.rank = strlen(entry->axes)};
    size_t count = 1;
    for (size_t i = tensor.rank; i-- > 0; count *= tensor.shape[i]) {
        tensor.shape[i] = trace_axis(trace, entry->axes[i]);
        tensor.stride[i] = count;
    }
    if (entry->kind == TRACE_KIND_HEADS) {
        const struct heads *view = slot.member;
        tensor.numbers = view->data;
        tensor.stride[0] = view->head_stride;
        tensor.stride[1] = view->token_stride;
    } else if (entry->kind == TRACE_KIND_NUMBERS) {
        tensor.numbers = *(float *const *)slot.member;
    } else {
        tensor.integers = *(int32_t *const *)slot.member;
    }
    if (slot.layer == SIZE_MAX)
        snprintf(tensor.name, sizeof tensor.name, "%s", entry->name);
    else
        snprintf(tensor.name, sizeof tensor.name, "layer.%zu.%s", slot.layer, entry->name);
    return tensor;
}

size_t trace_tensor_count(const struct trace *trace)
{
    size_t count = 0;
    for (size_t i = 0; i < slot_count(trace); i++)
        count += is_there(slot_at(trace, i));
    return count;
}

void trace_tensor_at(const struct trace *trace, size_t index, struct trace_tensor *tensor)
{
    size_t i = 0;
    while (!is_there(slot_at(trace, i)) || index-- > 0)
        i++;
    *tensor = describe_slot(trace, slot_at(trace, i));
}

struct trace_tensor trace_layer_tensor(const struct trace *trace, size_t layer, const char *name)
{
    size_t i = 0;
    while (strcmp(trace_layer_entries[i].name, name) != 0)
        i++;
    const char *members = (const char *)&trace->layer[layer];
    const struct trace_entry *entry = &trace_layer_entries[i];
    return describe_slot(trace, (struct slot){entry, members + entry->offset, layer});
}
