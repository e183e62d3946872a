/* trace.c: the sites of attention, and the tensors of a trace, as sizes, copies and by name. Laying
 * out (trace_new.c), copying, listing and reading (trace_read.c) walk the same slots, so a new
 * tensor is a row in trace.h and nothing here. */
#include "headlight/model/trace.h"

#include "headlight/base/size.h"
#include "headlight/model/sentence.h"

/* ---- Sites -------------------------------------------------------------------------------- */

const struct site_words site_words[SITE_COUNT + 1] = {
    [SITE_ENCODER] = {"encoder",
                      {"encoder self-attention: source → source", "encoder: source → source"},
                      AXES_ONE_TEXT,
                      "",
                      ""},
    [SITE_DECODER] = {"decoder",
                      {"decoder self-attention: target → target", "decoder: target → target"},
                      AXES_PAST,
                      "self.",
                      "d"},
    [SITE_CROSS] = {"cross",
                    {"cross-attention: target → source", "cross: target → source"},
                    AXES_TWO_TEXTS,
                    "cross.",
                    "x"},
    [SITE_ONLY] = {.axes = AXES_ONE_TEXT, .attention = "", .mark = ""},
};

enum status site_defines(enum axes axes, enum axes here, const char *before, const char *name,
                         enum status status, struct error *error)
{
    if (axes & here)
        return STATUS_OK;
    return error_set(error, status, "%s%s is for %s", before, name,
                     here == AXES_TWO_TEXTS ? "self-attention: here one text looks at another"
                     : here == AXES_PAST
                         ? "attention to later tokens, too: here only earlier ones are seen"
                         : "attention to earlier tokens alone: here later ones are seen, too");
}

/* ---- Sizes -------------------------------------------------------------------------------- */

/* The distances are left to trace_new: how many rows a text needs depends on its length. */
struct trace trace_of_sizes(const struct config *config, size_t tokens)
{
    static const enum site of_stacks[] = {SITE_ONLY, SITE_ENCODER, SITE_DECODER};
    struct trace trace = {.site = of_stacks[config->stack],
                          .numbered = config->numbered,
                          .tokens = tokens,
                          .attended = tokens,
                          .layers = config->layers,
                          .heads = config->heads,
                          .groups = config_key_heads(config),
                          .axes = config->causal ? AXES_PAST : AXES_ONE_TEXT,
                          .dimensions = config_dimensions(config),
                          .inner = config->heads * config_dimensions(config),
                          .hidden = config->hidden,
                          .vocabulary = config->vocabulary,
                          .embedded = config_embedding(config),
                          .labels = config->labels,
                          .pooled = config->sentence ? config->sentence->pooled : 0,
                          .sentence = config->sentence ? config->sentence->size : 0,
                          .reach = config->reach,
                          .terms =
                              (size_t)(1 + config->content_position + config->position_content),
                          .cap = config->score_cap,
                          .divided = config->score_scalar};
    memcpy(trace.local, config->local, sizeof trace.local);
    return trace;
}

struct trace trace_of_cross(const struct trace *decoder, size_t attended)
{
    struct trace cross = *decoder;
    for (enum trace_name which = 0; which < TRACE_NAMES; which++) /* these are the decoder's own */
        if (!trace_entries[which].in_layer)
            memset(trace_slot_member(&cross, (struct trace_slot){which, 0}), 0, sizeof(void *));
    cross.site = SITE_CROSS;
    cross.axes = AXES_TWO_TEXTS;
    cross.numbered += decoder->layers;
    cross.attended = attended;
    return cross;
}

struct token_range trace_visible(const struct trace *trace, size_t layer, size_t from)
{
    const size_t reach = trace->local[layer] ? trace->reach : trace->tokens + trace->attended;
    const size_t ahead = trace_site_axes(trace) == AXES_PAST ? 0 : reach;
    return (struct token_range){from > reach ? from - reach : 0,
                                size_min(from + ahead + 1, trace->attended)};
}

float trace_word_factor(const struct config *config, const int32_t *ids, size_t T, size_t token)
{
    size_t masks = 0;
    for (size_t t = 0; config->token_dropout && t < T; t++)
        masks += (size_t)ids[t] == config->mask;
    if (masks > 0 && (size_t)ids[token] == config->mask)
        return 0;
    if (config->word_scale > 0)
        return (float)config->word_scale;
    return config->token_dropout ? 0.88f / (1 - (float)masks / (float)T) : 1;
}

/* ---- Copies ------------------------------------------------------------------------------- */

/* A recording has no scratch. */
size_t trace_same_tokens(const struct trace *a, const struct trace *b)
{
    size_t same = 0;
    if (a->scratch && b->scratch && a->layers == b->layers && a->heads == b->heads &&
        a->hidden == b->hidden)
        while (same < a->tokens && same < b->tokens && a->ids[same] == b->ids[same] &&
               a->segments[same] == b->segments[same])
            same++;
    return same;
}

bool trace_has_pairs(const struct trace_entry *entry)
{
    return strcmp(entry->axes, "ATT") == 0 || strcmp(entry->axes, "ATS") == 0;
}

void trace_copy(const struct trace *from, size_t layers, size_t tokens, const struct trace *to)
{
    const size_t row = tokens * sizeof *to->embedding;
    if (from->embedding)
        memcpy(to->embedding, from->embedding, row * from->embedded);
    if (from->embedding && from->layer[0].input != from->embedding)
        memcpy(to->layer[0].input, from->layer[0].input, row * from->hidden);
    const bool crosses = from->site == SITE_CROSS;
    const size_t visible = crosses ? from->attended : tokens;
    for (size_t i = 0; i < trace_slot_count(from); i++) {
        const struct trace_slot slot = trace_slot_at(from, i);
        const struct trace_entry *entry = &trace_entries[slot.which];
        const bool shared = slot.which == TRACE_relative && from->position_bias; /* by all layers */
        if (!entry->in_layer || slot.layer >= layers || shared ||
            trace_beside(from, slot.which) == 0) /* it comes along with that of another */
            continue;
        const struct heads *view = trace_slot_member(from, slot);
        float *source = *(float **)trace_slot_member(from, slot),
              *target = *(float **)trace_slot_member(to, slot);
        const bool pairs = trace_has_pairs(entry);
        for (size_t k = 0; source && pairs && k < from->heads * tokens; k++) {
            const size_t head = k / tokens, token = k % tokens;
            float *later = target + (head * to->tokens + token) * to->attended;
            memcpy(later, source + (head * from->tokens + token) * from->attended,
                   visible * sizeof *later);
            for (size_t t = visible; t < to->attended; t++)
                later[t] = slot.which == TRACE_scores ? -INFINITY : 0;
        }
        const size_t columns =
            entry->kind == TRACE_KIND_HEADS ? view->token_stride : trace_axis(from, entry->axes[1]);
        const size_t rows = strchr(entry->axes, 'R')             ? from->distances
                            : crosses && slot.which == TRACE_key ? visible
                                                                 : tokens;
        if (source && !pairs)
            memcpy(target, source, rows * columns * sizeof *target);
    }
    if (from->cross)
        trace_copy(from->cross, layers, tokens, to->cross);
}

/* ---- The tensors by name ---------------------------------------------------------------- */

/* The rows of trace.h once more, now with where each member lies. */
#define ROW(kind, name, axes, tensors, in_layer, of)                                               \
    {#name, axes, TRACE_KIND_##kind, in_layer, tensors, offsetof(struct of, name)},
#define LAYER_ROW(kind, name, axes, tensors) ROW(kind, name, axes, tensors, true, layer_trace)
#define WHOLE_ROW(kind, name, axes, tensors) ROW(kind, name, axes, tensors, false, trace)
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
    static const char letters[] = "ATSDHVECRQWGI";
    size_t *const sizes[] = {
        &trace->heads,      &trace->tokens,   &trace->attended, &trace->dimensions, &trace->hidden,
        &trace->vocabulary, &trace->embedded, &trace->labels,   &trace->distances,  &trace->pooled,
        &trace->sentence,   &trace->groups,   &trace->inner};
    return sizes[strchr(letters, axis) - letters];
}

size_t trace_beside(const struct trace *trace, enum trace_name which)
{
    if (trace->site != SITE_CROSS || which < TRACE_query || which > TRACE_value)
        return trace_entries[which].tensors;
    return which == TRACE_query ? 1 : which == TRACE_key ? 2 : 0;
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

void trace_slot_name(enum site site, struct trace_slot slot, char *name, size_t size)
{
    const struct trace_entry *entry = &trace_entries[slot.which];
    const bool attends = slot.which >= TRACE_normed && slot.which <= TRACE_attention_output;
    const char *stack = site == SITE_ONLY || slot.which >= TRACE_OUTPUTS ? ""
                        : site == SITE_ENCODER                           ? "encoder."
                                                                         : "decoder.";
    if (entry->in_layer)
        snprintf(name, size, "%slayer.%zu.%s%s", stack, slot.layer,
                 attends ? site_words[site].attention : "", entry->name);
    else if (*stack && slot.which == TRACE_ids)
        snprintf(name, size, "%s_ids", site == SITE_ENCODER ? "source" : "decoder");
    else
        snprintf(name, size, "%s%s", stack, entry->name);
}

/* Every kind of member is a pointer or begins with one; copied, as their types differ. */
static bool is_there(const struct trace *trace, struct trace_slot slot)
{
    const void *pointer;
    memcpy(&pointer, trace_slot_member(trace, slot), sizeof pointer);
    return pointer != NULL;
}

/* Numbers and integers are contiguous. Heads are strided views: only their last axis is. */
struct trace_tensor trace_tensor_of(const struct trace *trace, enum trace_name which, size_t layer)
{
    const struct trace_slot slot = {which, layer};
    const struct trace_entry *entry = &trace_entries[which];
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
    trace_slot_name(trace->site, slot, tensor.name, sizeof tensor.name);
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
    struct trace_slot slot;
    for (size_t i = 0; !is_there(trace, slot = trace_slot_at(trace, i)) || index-- > 0;)
        i++;
    *tensor = trace_tensor_of(trace, slot.which, slot.layer);
}

struct trace_tensor trace_layer_tensor(const struct trace *trace, size_t layer, const char *name)
{
    enum trace_name which = 0;
    while (strcmp(trace_entries[which].name, name) != 0)
        which++;
    return trace_tensor_of(trace, which, layer);
}
