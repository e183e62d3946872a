/* trace_new.c: the memory of a trace. The operations of its layers say which tensors there are and
 * the table in trace.h how large they are; one block holds them all, measured first and then handed
 * out part by part. */
#include "headlight/model/trace_new.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/base/system.h"
#include "headlight/model/operations.h"
#include "headlight/model/relation.h"

void *trace_block_part(struct trace_block *block, size_t a, size_t b, size_t c, size_t each)
{
    const size_t start = (block->used + TRACE_LINE - 1) / TRACE_LINE * TRACE_LINE;
    block->wanted += (double)a * (double)b * (double)c * (double)each;
    block->used = start + a * b * c * each;
    return block->memory ? (unsigned char *)block->memory + start : NULL;
}

void *trace_block_line(void *memory)
{
    return (unsigned char *)memory + (TRACE_LINE - (uintptr_t)memory % TRACE_LINE);
}

/* SIZE_MAX, which there is no memory for, on overflow. */
static void add_pairs(size_t a, size_t b, size_t *sum)
{
    size_t pairs;
    if (!size_multiply(a, b, &pairs) || !size_add(*sum, pairs, sum))
        *sum = SIZE_MAX;
}

void trace_extend(struct trace_extent *extent, size_t tokens, size_t attended)
{
    add_pairs(tokens, tokens, &extent->pairs);
    add_pairs(tokens, attended, &extent->cross_pairs);
    extent->texts++;
    extent->rows += tokens;
    extent->attended += attended;
    extent->longest = size_max(extent->longest, tokens);
    extent->longest_attended = size_max(extent->longest_attended, attended);
}

/* ---- Which tensors there are -------------------------------------------------------------- */

/* Layers are alike, but for the first one; and in all of them what a decoder's attention to its
 * encoder makes. */
struct plan {
    bool first[TRACE_NAMES], later[TRACE_NAMES], cross[TRACE_NAMES];
};

/* Those that a layer's operations make, the last one's with what is behind it. */
static void name_tensors(const struct trace *trace, const struct config *config, size_t l,
                         bool named[TRACE_NAMES], bool cross[TRACE_NAMES])
{
    const struct network network = {.config = config, .trace = trace};
    struct operations operations;
    operations_of_layer(&network, l, OUTPUT_COUNT, &operations);
    for (const struct operation *of = operations.list; of->kind; of++)
        (of->cross ? cross : named)[of->tensor % TRACE_NAMES] |= of->tensor < TRACE_NAMES;
    named[TRACE_rel_query] = config->relation == RELATION_DISENTANGLED;
    named[TRACE_relative] = named[TRACE_rel_query] || config->own_relations;
}

/* ---- Laying out --------------------------------------------------------------------------- */

/* What lies in layers, and of the whole. Integers are as large as floats. */
static void lay_out_slots(struct trace_block *parts, struct trace *trace, const struct plan *plan,
                          const struct trace_extent *extent)
{
    const bool crosses = trace->site == SITE_CROSS;
    const bool *firsts = crosses ? plan->cross : plan->first;
    const bool *laters = crosses ? plan->cross : plan->later;
    trace->layer = trace_block_part(parts, trace->layers, 1, 1, sizeof *trace->layer);
    if (trace->layer)
        memset(trace->layer, 0, trace->layers * sizeof *trace->layer);
    for (size_t i = 0; i < trace_slot_count(trace); i++) {
        const struct trace_slot slot = trace_slot_at(trace, i);
        const struct trace_entry *entry = &trace_entries[slot.which];
        const bool first = firsts[slot.which], later = laters[slot.which];
        /* where all layers lie in the same memory, the first one's is that of any */
        if (trace_beside(trace, slot.which) == 0 ||
            !(slot.layer > 0 ? later && !extent->one_layer
                             : first || (later && (extent->one_layer || !entry->in_layer))))
            continue;
        const size_t repeats = strchr("TARG", entry->axes[0]) && *entry->axes ? 1 : extent->texts;
        size_t size[3] = {1, 1, 1};
        for (size_t axis = 0; entry->axes[axis]; axis++)
            size[axis] = trace_axis(trace, entry->axes[axis]);
        if (trace_has_pairs(entry)) {
            size[1] = 1;
            size[2] = crosses ? extent->cross_pairs : extent->pairs;
        }
        if (entry->kind == TRACE_KIND_HEADS) {
            size[0] = 1;
            size[2] = 0;
            for (size_t beside = 0; beside < trace_beside(trace, slot.which); beside++)
                size[2] += trace_axis(trace, entry[beside].axes[0]) * trace->dimensions;
        }
        void *memory = trace_block_part(parts, size[0], size[1], size[2], repeats * sizeof(float));
        struct heads view = {memory, trace->dimensions, size[2], 0};
        if (memory) /* the view begins with the pointer that other kinds are */
            memcpy(trace_slot_member(trace, slot), &view,
                   entry->kind == TRACE_KIND_HEADS ? sizeof view : sizeof view.data);
    }
    for (size_t l = 1; trace->layer && extent->one_layer && l < trace->layers; l++)
        trace->layer[l] = trace->layer[0];
}

/* The view that lies `numbers` further in each row, of heads that so many others share. */
static struct heads view_beside(struct heads view, size_t numbers, size_t shared)
{
    view.data += numbers;
    view.shared = shared;
    return view;
}

/* Sets tensors that lie in the memory of others. A layer without the LayerNorm before attention
 * takes its input as it is. */
static void share_memory(struct trace *trace, const struct plan *plan)
{
    const size_t I = trace->inner, G = trace->groups, shared = trace->heads / G - 1;
    for (size_t l = 0; l < trace->layers; l++) {
        struct layer_trace *layer = &trace->layer[l],
                           *cross = trace->cross ? &trace->cross->layer[l] : NULL;
        if (cross) {
            cross->key.shared = shared;
            cross->value = view_beside(cross->key, G * trace->dimensions, shared);
        }
        if (l > 0)
            layer->input = trace->layer[l - 1].output;
        layer->key = view_beside(layer->query, I, shared);
        layer->value = view_beside(layer->query, I + G * trace->dimensions, shared);
        if (layer->query_unrotated.data)
            layer->key_unrotated = view_beside(layer->query_unrotated, I, shared);
        if (layer->rel_query.data)
            layer->rel_key = view_beside(layer->rel_query, I, 0);
        if (trace->position_bias)
            layer->relative = trace->position_bias;
        if (l == 0 && plan->later[TRACE_normed] && !plan->first[TRACE_normed])
            layer->normed = layer->input;
        /* what leaves a stack has a name there */
        if (l + 1 == trace->layers && trace->site != SITE_ONLY && !trace->final)
            trace->final = layer->output;
    }
}

/* Runs twice over the same list of parts: to measure, then to hand out. The pooled vector is a
 * result of its own only where no head for pairs is made from it. */
void trace_lay_out(struct trace *trace, const struct config *config, const bool *outputs,
                   const struct trace_extent *extent, struct trace_block *parts)
{
    struct plan plan = {
        .first = {[TRACE_ids] = true,
                  [TRACE_segments] = true,
                  [TRACE_positions] = config->past_padding,
                  [TRACE_embedding] = true,
                  [TRACE_position_bias] =
                      config->relation == RELATION_BIAS && !config->own_relations,
                  [TRACE_relative_embedding] = config->relation == RELATION_DISENTANGLED}};
    name_tensors(trace, config, 0, plan.first, plan.cross);
    if (trace->layers > 1)
        name_tensors(trace, config, trace->layers - 1, plan.later, plan.cross);
    if (outputs)
        memcpy(&plan.first[TRACE_OUTPUTS], outputs, OUTPUT_COUNT * sizeof *outputs);
    if (outputs && (outputs[OUTPUT_NSP] || outputs[OUTPUT_SOP]))
        plan.first[TRACE_OUTPUTS + OUTPUT_POOLED] = false;
    lay_out_slots(parts, trace, &plan, extent);
    if (config->stack == STACK_DECODER) {
        struct trace measured = trace_of_cross(trace, extent->attended);
        measured.speaker = trace;
        struct trace *cross = trace_block_part(parts, 1, 1, 1, sizeof *cross);
        if (cross)
            *cross = measured;
        lay_out_slots(parts, cross ? cross : &measured, &plan, extent);
        trace->cross = cross;
    }
    /* a layer's input is the output of the one before; only the first one's may need memory */
    float *projected =
        config->embedding > 0 || config->embedding_unscaled
            ? trace_block_part(parts, trace->tokens, trace->hidden, 1, sizeof *projected)
            : trace->embedding;
    if (trace->layer)
        trace->layer[0].input = projected;
    trace->scratch = trace_block_part(parts, trace->scratch_count, 1, 1, sizeof *trace->scratch);
    if (trace->layer)
        share_memory(trace, &plan);
}

enum status trace_check_memory(const struct config *config, size_t tokens, double bytes,
                               struct error *error)
{
    return memory_check(config->mapped + bytes, "use a shorter text or a smaller model", error,
                        "the weights and the trace of %zu tokens need", tokens);
}

enum status trace_new(const struct config *config, size_t tokens, const struct trace *memory,
                      const bool *outputs, size_t scratch, struct trace **trace,
                      struct error *error)
{
    struct trace_extent alone = {.one_layer = false};
    struct trace_block measured = {.memory = NULL}, parts = measured;
    trace_extend(&alone, tokens, memory ? memory->tokens : 0);
    struct trace plan = trace_of_sizes(config, tokens);
    plan.scratch_count = scratch;
    plan.memory = memory;
    /* malloc's alignment is too small for a part, so the parts begin at the first aligned address
     * after the struct. A pass writes all numbers that anybody reads: to clear them first would
     * take a tenth of its time. Only where a token sees the past are those after it not computed
     * yet. */
    *trace = NULL;
    plan.distances = relation_rows(config, tokens, &plan.first_distance);
    trace_lay_out(&plan, config, outputs, &alone, &measured);
    if (trace_check_memory(config, tokens, measured.wanted, error) != STATUS_OK)
        return error->status;
    const size_t bytes =
        measured.wanted < 0x1p62 ? measured.used + sizeof plan + TRACE_LINE : SIZE_MAX;
    struct trace *block = *trace = config->causal ? calloc(1, bytes) : malloc(bytes);
    if (!block)
        return error_memory(error, "the trace", bytes);
    system_large_pages(block, bytes);
    *block = plan;
    parts.memory = trace_block_line(block + 1);
    trace_lay_out(block, config, outputs, &alone, &parts);
    return STATUS_OK;
}

/* ---- Parts -------------------------------------------------------------------------------- */

/* How far into a tensor of all texts that of one begins. */
static size_t offset_of(const struct trace *all, struct trace_slot slot,
                        const struct trace_extent *before, size_t first_distance)
{
    const struct trace_entry *entry = &trace_entries[slot.which];
    const char *axes = entry->axes;
    const size_t row = strchr(axes, 'R') ? first_distance - all->first_distance
                       : all->site == SITE_CROSS && strchr(axes, 'S') ? before->attended
                                                                      : before->rows;
    if (entry->kind == TRACE_KIND_HEADS)
        return row * ((const struct heads *)trace_slot_member(all, slot))->token_stride;
    if (trace_has_pairs(entry))
        return all->heads * (all->site == SITE_CROSS ? before->cross_pairs : before->pairs);
    const bool of_rows = *axes == 'T' || *axes == 'R';
    const size_t columns = axes[of_rows] ? trace_axis(all, axes[of_rows]) : 1;
    return (of_rows ? row : before->texts) * columns;
}

/* Each kind of member begins with a pointer to numbers of four bytes. */
void trace_take_part(const struct trace *all, const struct trace_extent *before, size_t tokens,
                     size_t attended, struct trace *part)
{
    struct trace own = *all;
    own.tokens = tokens;
    own.attended = all->site == SITE_CROSS ? attended : tokens;
    own.distances = part->distances;
    own.first_distance = part->first_distance;
    own.layer = part->layer;
    own.cross = part->cross;
    memcpy(own.layer, all->layer, all->layers * sizeof *own.layer);
    for (size_t i = 0; i < trace_slot_count(all); i++) {
        const struct trace_slot slot = trace_slot_at(all, i);
        float *numbers;
        memcpy(&numbers, trace_slot_member(all, slot), sizeof numbers);
        if (numbers)
            numbers += offset_of(all, slot, before, own.first_distance);
        memcpy(trace_slot_member(&own, slot), &numbers, sizeof numbers);
    }
    *part = own;
    if (all->cross) {
        trace_take_part(all->cross, before, tokens, attended, part->cross);
        part->cross->speaker = part;
    }
}
