/* trace.c: the memory of a trace. The table in trace.h says which tensors there are and how
 * large they are; one block holds them all, measured first and then handed out part by part.
 * Laying out, copying, listing and reading (trace_read.c) walk the same slots, so a new tensor is a
 * row in trace.h and nothing here. */
#include "headlight/model/trace.h"

#include "headlight/base/memory.h"
#include "headlight/base/system.h"
#include "headlight/model/relation.h"
#include "headlight/model/sentence.h"

#include <stdio.h>
#include <string.h>

/* A cache line, and the widest vector register of current processors. */
#define ALIGNMENT 64

/* ---- Memory ------------------------------------------------------------------------------- */

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

/* Whether it has numbers for each pair of a text's tokens, behind the axis of heads. */
static bool has_pairs(const struct trace_entry *entry)
{
    return strcmp(entry->axes, "ATT") == 0 || strcmp(entry->axes, "ATS") == 0;
}

/* Places a tensor that has memory of its own. Integers are as large as floats. */
static void lay_out_tensor(struct layout *layout, const struct trace *trace,
                           const struct trace_extent *extent, struct trace_slot slot)
{
    const struct trace_entry *entry = &trace_entries[slot.which];
    const size_t repeats = strchr("TAR", entry->axes[0]) && *entry->axes ? 1 : extent->texts;
    size_t size[3] = {1, 1, 1};
    for (size_t i = 0; entry->axes[i]; i++)
        size[i] = trace_axis(trace, entry->axes[i]);
    if (has_pairs(entry))
        memcpy(size + 1, extent->pairs, sizeof extent->pairs);
    void *memory = part(layout, size[0], size[1], size[2], repeats * entry->room * sizeof(float));
    struct heads view = {memory, trace->dimensions, entry->room * trace->hidden};
    if (memory) /* the view begins with the pointer that other kinds are */
        memcpy(trace_slot_member(trace, slot), &view,
               entry->kind == TRACE_KIND_HEADS ? sizeof view : sizeof view.data);
}

/* Which tensors there are, by the column `there` of the table, whose conditions mention
 * `config`. */
struct plan {
    bool there[TRACE_NAMES];
    bool projected; /* embeddings are projected to the first layer's input */
};

#define PLAN(kind, name, axes, room, wanted) plan.there[TRACE_##name] = (room) > 0 && (wanted);

/* The pooled vector is a result of its own only where no head for pairs is made from it. */
static struct plan plan_of(const struct config *config, const bool *outputs)
{
    struct plan plan = {.projected = config->embedding > 0};
    TRACE_TENSORS_BEFORE(PLAN)
    TRACE_LAYER_TENSORS(PLAN)
    TRACE_TENSORS_AFTER(PLAN)
    if (outputs)
        memcpy(&plan.there[TRACE_OUTPUTS], outputs, OUTPUT_COUNT * sizeof *outputs);
    if (outputs && (outputs[OUTPUT_NSP] || outputs[OUTPUT_SOP]))
        plan.there[TRACE_OUTPUTS + OUTPUT_POOLED] = false;
    return plan;
}

/* Runs twice over the same list of parts: to measure, then to hand out. */
static void lay_out_trace(struct layout *layout, struct trace *trace, const struct plan *plan,
                          const struct trace_extent *extent)
{
    trace->layer = part(layout, trace->layers, 1, 1, sizeof *trace->layer);
    for (size_t i = 0; i < trace_slot_count(trace); i++) {
        const struct trace_slot slot = trace_slot_at(trace, i);
        const bool first = slot.layer == 0;
        if (plan->there[slot.which] && (first || !extent->one_layer) &&
            (first || slot.which != TRACE_before_conv))
            lay_out_tensor(layout, trace, extent, slot);
    }
    for (size_t l = 1; trace->layer && extent->one_layer && l < trace->layers; l++) {
        trace->layer[l] = trace->layer[0];
        trace->layer[l].before_conv = NULL;
    }
    /* a layer's input is the output of the one before; only the first one's may need memory */
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

struct trace_size trace_lay_out(struct trace *trace, const struct config *config,
                                const bool *outputs, const struct trace_extent *extent,
                                unsigned char *memory)
{
    const struct plan plan = plan_of(config, outputs);
    struct layout layout = {.base = memory};
    lay_out_trace(&layout, trace, &plan, extent);
    if (memory)
        share_memory(trace);
    return (struct trace_size){layout.used, layout.wanted};
}

/* Linux overcommits memory and later kills some process, so ask first. */
enum status trace_check_memory(size_t tokens, double bytes, struct error *error)
{
    struct memory_words words;
    if (memory_has(bytes, &words))
        return STATUS_OK;
    return error_set(error, STATUS_LIMIT,
                     "the trace of %zu tokens needs %s, and only %s of memory are free: use a "
                     "shorter text or a smaller model",
                     tokens, words.needed, words.free);
}

/* The distances are left to trace_new: how many rows a text needs depends on its length. */
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
                          .labels = config->labels,
                          .pooled = config->sentence ? config->sentence->pooled : 0,
                          .sentence = config->sentence ? config->sentence->size : 0,
                          .terms = config_terms(config)};
}

enum status trace_new(const struct config *config, size_t tokens, const bool *outputs,
                      size_t scratch, struct trace **trace, struct error *error)
{
    const struct trace_extent alone = {.texts = 1, .pairs = {tokens, tokens}};
    struct trace plan = trace_of_sizes(config, tokens);
    plan.scratch_count = scratch;
    /* calloc's alignment is too small for a part, so the parts begin at the first aligned
     * address after the struct. Untouched zero pages cost nothing. */
    *trace = NULL;
    if (config->relation == RELATION_DISENTANGLED)
        plan.distances = relation_rows(config, tokens, &plan.first_distance);
    const struct trace_size size = trace_lay_out(&plan, config, outputs, &alone, NULL);
    if (trace_check_memory(tokens, size.wanted, error) != STATUS_OK)
        return error->status;
    const size_t bytes = size.wanted < 0x1p62 ? size.bytes : SIZE_MAX;
    struct trace *block = memory_new(1, bytes, sizeof plan + ALIGNMENT, "the trace", error);
    if (!block)
        return error->status;
    system_large_pages(block, bytes);
    *block = plan;
    unsigned char *first = (unsigned char *)(block + 1);
    first += ALIGNMENT - (uintptr_t)first % ALIGNMENT;
    trace_lay_out(block, config, outputs, &alone, first);
    *trace = block;
    return STATUS_OK;
}

/* ---- Parts -------------------------------------------------------------------------------- */

/* How far into a tensor of all texts that of one begins. */
static size_t offset_of(const struct trace *all, struct trace_slot slot,
                        const struct trace_place *place, size_t first_distance)
{
    const struct trace_entry *entry = &trace_entries[slot.which];
    const char *axes = entry->axes;
    const size_t row = strchr(axes, 'R') ? first_distance - all->first_distance : place->first;
    if (entry->kind == TRACE_KIND_HEADS)
        return row * ((const struct heads *)trace_slot_member(all, slot))->token_stride;
    if (has_pairs(entry))
        return all->heads * place->pairs;
    const bool of_rows = *axes == 'T' || *axes == 'R';
    const size_t columns = axes[of_rows] ? trace_axis(all, axes[of_rows]) : 1;
    return (of_rows ? row : place->text) * columns;
}

/* Each kind of member begins with a pointer to numbers of four bytes. */
void trace_take_part(const struct trace *all, const struct trace_place *place, struct trace *part)
{
    struct trace own = *all;
    own.tokens = own.attended = place->tokens;
    own.distances = part->distances;
    own.first_distance = part->first_distance;
    own.layer = part->layer;
    memcpy(own.layer, all->layer, all->layers * sizeof *own.layer);
    for (size_t i = 0; i < trace_slot_count(all); i++) {
        const struct trace_slot slot = trace_slot_at(all, i);
        float *numbers;
        memcpy(&numbers, trace_slot_member(all, slot), sizeof numbers);
        if (numbers)
            numbers += offset_of(all, slot, place, own.first_distance);
        memcpy(trace_slot_member(&own, slot), &numbers, sizeof numbers);
    }
    *part = own;
}

/* ---- Copies ------------------------------------------------------------------------------- */

/* Whether a layer of one can be a layer of the other; that both are of the same model is up to the
 * caller. A recording has no scratch. */
static bool have_same_tokens(const struct trace *a, const struct trace *b)
{
    size_t bytes = a->tokens * sizeof *a->ids;
    return a->scratch && b->scratch && a->tokens == b->tokens && a->layers == b->layers &&
           a->heads == b->heads && a->hidden == b->hidden && memcmp(a->ids, b->ids, bytes) == 0 &&
           memcmp(a->segments, b->segments, bytes) == 0;
}

/* Tensors that lie in the memory of others (room 0) come along with these. */
static void copy_tensor(const struct trace *from, struct trace_slot slot, const struct trace *to)
{
    const struct trace_entry *entry = &trace_entries[slot.which];
    float **source = trace_slot_member(from, slot), **target = trace_slot_member(to, slot);
    size_t count = entry->room;
    for (const char *axis = entry->axes; *axis; axis++)
        count *= trace_axis(from, *axis);
    if (*source && count > 0)
        memcpy(*target, *source, count * sizeof **target);
}

bool trace_copy_layers(const struct trace *from, size_t layers, struct trace *to)
{
    if (!have_same_tokens(from, to))
        return false;
    const size_t row = from->tokens * sizeof *to->embedding;
    memcpy(to->embedding, from->embedding, row * from->embedded);
    if (from->layer[0].input != from->embedding)
        memcpy(to->layer[0].input, from->layer[0].input, row * from->hidden);
    for (size_t i = 0; i < trace_slot_count(from); i++) {
        const struct trace_slot slot = trace_slot_at(from, i);
        const bool shared = slot.which == TRACE_relative && from->position_bias; /* by all layers */
        if (trace_entries[slot.which].in_layer && slot.layer < layers && !shared)
            copy_tensor(from, slot, to);
    }
    return true;
}

/* ---- The tensors by name ---------------------------------------------------------------- */

/* The rows of trace.h once more, now with where each member lies. */
#define ROW(kind, name, axes, room, in_layer, of)                                                  \
    {#name, axes, TRACE_KIND_##kind, in_layer, room, offsetof(struct of, name)},
#define LAYER_ROW(kind, name, axes, room, there) ROW(kind, name, axes, room, true, layer_trace)
#define WHOLE_ROW(kind, name, axes, room, there) ROW(kind, name, axes, room, false, trace)
#define OUTPUT_ROW(code, name, axes)                                                               \
    {name, axes, TRACE_KIND_NUMBERS, false, 1, offsetof(struct trace, outputs[OUTPUT_##code])},

const struct trace_entry trace_entries[TRACE_NAMES] = {
    TRACE_TENSORS_BEFORE(WHOLE_ROW) TRACE_LAYER_TENSORS(LAYER_ROW) TRACE_TENSORS_AFTER(WHOLE_ROW)
        MODEL_OUTPUTS(OUTPUT_ROW)};

size_t trace_axis(const struct trace *trace, char axis)
{
    return axis == '2' ? 2 : *trace_axis_member((struct trace *)(uintptr_t)trace, axis);
}

size_t *trace_axis_member(struct trace *trace, char axis)
{
    static const char letters[] = "ATSDHVECRQW";
    size_t *const sizes[] = {&trace->heads,      &trace->tokens,  &trace->attended,
                             &trace->dimensions, &trace->hidden,  &trace->vocabulary,
                             &trace->embedded,   &trace->labels,  &trace->distances,
                             &trace->pooled,     &trace->sentence};
    return sizes[strchr(letters, axis) - letters];
}

size_t trace_output_columns(const struct trace *trace, enum model_output output)
{
    const char *axes = trace_entries[TRACE_OUTPUTS + output].axes;
    axes += *axes == 'T'; /* a row for each token */
    return *axes ? trace_axis(trace, *axes) : 1;
}

size_t trace_output_count(const struct trace *trace, enum model_output output)
{
    const bool each = trace_entries[TRACE_OUTPUTS + output].axes[0] == 'T';
    return (each ? trace->tokens : 1) * trace_output_columns(trace, output);
}

enum { BEFORE = 0 TRACE_TENSORS_BEFORE(TRACE_COUNT), LAYER = 0 TRACE_LAYER_TENSORS(TRACE_COUNT) };

size_t trace_slot_count(const struct trace *trace)
{
    return TRACE_NAMES + trace->layers * LAYER - LAYER;
}

struct trace_slot trace_slot_at(const struct trace *trace, size_t index)
{
    const size_t end = BEFORE + trace->layers * LAYER;
    if (index < BEFORE)
        return (struct trace_slot){(enum trace_name)index, 0};
    if (index >= end)
        return (struct trace_slot){(enum trace_name)(index - end + BEFORE + LAYER), 0};
    index -= BEFORE;
    return (struct trace_slot){(enum trace_name)(BEFORE + index % LAYER), index / LAYER};
}

/* The table has offsets, since a member is in struct trace or in one of L structs layer_trace. */
void *trace_slot_member(const struct trace *trace, struct trace_slot slot)
{
    const struct trace_entry *entry = &trace_entries[slot.which];
    const char *base = entry->in_layer ? (char *)&trace->layer[slot.layer] : (const char *)trace;
    return (void *)(uintptr_t)(base + entry->offset);
}

void trace_slot_name(struct trace_slot slot, char *name, size_t size)
{
    const struct trace_entry *entry = &trace_entries[slot.which];
    if (entry->in_layer)
        snprintf(name, size, "layer.%zu.%s", slot.layer, entry->name);
    else
        snprintf(name, size, "%s", entry->name);
}

/* Every kind of member is a pointer or begins with one; copied, as their types differ. */
static bool is_there(const struct trace *trace, struct trace_slot slot)
{
    const void *pointer;
    memcpy(&pointer, trace_slot_member(trace, slot), sizeof pointer);
    return pointer != NULL;
}

/* Numbers and integers are contiguous. Heads are strided views of [T,3H]: only their last axis
 * is. */
static struct trace_tensor describe_slot(const struct trace *trace, struct trace_slot slot)
{
    const struct trace_entry *entry = &trace_entries[slot.which];
    const void *member = trace_slot_member(trace, slot);
    struct trace_tensor tensor = {.rank = strlen(entry->axes)};
    size_t count = 1;
    for (size_t i = tensor.rank; i-- > 0; count *= tensor.shape[i]) {
        tensor.shape[i] = trace_axis(trace, entry->axes[i]);
        tensor.stride[i] = count;
    }
    if (entry->kind == TRACE_KIND_INTEGERS)
        tensor.integers = *(int32_t *const *)member;
    else
        tensor.numbers = *(float *const *)member;
    if (entry->kind == TRACE_KIND_HEADS) {
        tensor.stride[0] = ((const struct heads *)member)->head_stride;
        tensor.stride[1] = ((const struct heads *)member)->token_stride;
    }
    trace_slot_name(slot, tensor.name, sizeof tensor.name);
    return tensor;
}

size_t trace_tensor_count(const struct trace *trace)
{
    size_t count = 0;
    for (size_t i = 0; i < trace_slot_count(trace); i++)
        count += is_there(trace, trace_slot_at(trace, i));
    return count;
}

void trace_tensor_at(const struct trace *trace, size_t index, struct trace_tensor *tensor)
{
    size_t i = 0;
    while (!is_there(trace, trace_slot_at(trace, i)) || index-- > 0)
        i++;
    *tensor = describe_slot(trace, trace_slot_at(trace, i));
}

struct trace_tensor trace_layer_tensor(const struct trace *trace, size_t layer, const char *name)
{
    enum trace_name which = 0;
    while (strcmp(trace_entries[which].name, name) != 0)
        which++;
    return describe_slot(trace, (struct trace_slot){which, layer});
}
