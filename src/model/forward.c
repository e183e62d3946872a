#include "headlight/model/forward.h"

#include "headlight/base/mapping.h"
#include "headlight/base/size.h"
#include "headlight/model/weights.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Preparation -------------------------------------------------------------------------- */

static enum status check_tokens(const struct config *config, size_t tokens, struct error *error)
{
    if (tokens == 0)
        return error_set(error, STATUS_LIMIT, "the text has no tokens: type at least one word");
    if (tokens > config->longest)
        return error_set(error, STATUS_LIMIT,
                         "the text is %zu tokens long, the model has %zu positions: shorten it by "
                         "%zu token%s",
                         tokens, config->longest, tokens - config->longest,
                         tokens - config->longest == 1 ? "" : "s");
    return STATUS_OK;
}

static enum status check_rows(const char *what, const char *table, const int32_t *rows,
                              size_t tokens, size_t count, struct error *error)
{
    for (size_t t = 0; t < tokens; t++)
        if (rows[t] < 0 || (size_t)rows[t] >= count)
            return error_set(error, STATUS_MISMATCH,
                             "token %zu: expected %s from 0 to %zu, the rows of the model's %s, "
                             "found %d; does the vocabulary belong to the model?",
                             t, what, count - 1, table, (int)rows[t]);
    return STATUS_OK;
}

/* Floats for either precision; SIZE_MAX, which no trace has room for, when it does not fit. */
static size_t scratch_for(const struct config *config, size_t tokens)
{
    const double widest = (double)size_max(config->feed_forward, config_embedding(config)) +
                          (double)config->hidden * (1 + (double)config->kernel);
    const double heads = (double)config->heads * (64 + (double)tokens);
    const double bound = 64 * ((double)tokens + 64) * (widest + 64 * heads);
    if (bound > (double)(SIZE_MAX / 16))
        return SIZE_MAX;
    return size_max(forward_float_scratch(config, tokens), forward_double_scratch(config, tokens));
}

/* Liu et al. 2019, as fairseq counts: the first token stands behind padding's position, and padding
 * itself, which a text may hold, takes none. */
static void count_positions(const struct config *config, const int32_t *ids, size_t tokens,
                            int32_t *positions)
{
    int32_t next = (int32_t)config->padding + 1;
    for (size_t t = 0; t < tokens; t++)
        positions[t] = ids[t] == (int32_t)config->padding ? (int32_t)config->padding : next++;
}

enum status forward_prepare(const struct model *model, const int32_t *ids, const int32_t *segments,
                            size_t tokens, bool logits, struct trace **trace, struct error *error)
{
    const struct config *config = model_config(model);
    bool outputs[OUTPUT_COUNT];
    memcpy(outputs, model_weights(model)->has, sizeof outputs);
    outputs[OUTPUT_MLM] &= logits;
    outputs[OUTPUT_LM] &= logits;
    outputs[OUTPUT_SENTENCE] = config->sentence;
    *trace = NULL;
    if (check_tokens(config, tokens, error) != STATUS_OK ||
        check_rows("an id", "vocabulary", ids, tokens, config->vocabulary, error) != STATUS_OK ||
        (config->segments > 0 && check_rows("a segment", "segment table", segments, tokens,
                                            config->segments, error) != STATUS_OK) ||
        trace_new(config, tokens, outputs, scratch_for(config, tokens), trace, error) != STATUS_OK)
        return error->status;
    memcpy((*trace)->ids, ids, tokens * sizeof *ids);
    memcpy((*trace)->segments, segments, tokens * sizeof *segments);
    if (config->past_padding)
        count_positions(config, ids, tokens, (*trace)->positions);
    return STATUS_OK;
}

/* ---- The pass ----------------------------------------------------------------------------- */

uint64_t forward_cost(const struct config *config, size_t tokens)
{
    /* an estimate for a threshold: a double holds any of these sizes well enough */
    double T = (double)tokens, H = (double)config->hidden, F = (double)config->feed_forward;
    double halves = config->gated ? 3 : 2;
    double layer = T * (4 * H * H + halves * H * F + 2 * T * H);
    if (config->relation == RELATION_DISENTANGLED)
        layer += 2 * T * (2 * H * H + 2 * T * H);
    double cost = (double)config->layers * layer +
                  T * (double)config->vocabulary * (double)config_embedding(config);
    return cost < 0x1p63 ? (uint64_t)cost : UINT64_MAX;
}

/* The layers that are there already and stay as they are. */
static size_t layers_kept(const struct trace *trace, const struct interventions *changes,
                          enum precision precision)
{
    const struct computed *computed = &trace->computed;
    size_t same = interventions_first_difference(&computed->changes, changes, trace->layers);
    if (computed->layers == 0 || computed->precise != (precision == PRECISION_DOUBLE))
        return 0;
    return size_min(computed->layers, same);
}

static const struct interventions none;

void forward_adopt(const struct trace *from, const struct interventions *changes,
                   struct trace *trace)
{
    const struct computed *computed = &from->computed;
    changes = changes ? changes : &none;
    size_t same = interventions_first_difference(&computed->changes, changes, from->layers);
    size_t layers = size_min(computed->layers, same);
    if (layers > 0 && !computed->precise && trace_copy_layers(from, layers, trace))
        trace->computed = (struct computed){.layers = layers, .changes = computed->changes};
}

/* After a pass in single precision that met a number too large for it, of which `error` tells and
 * advises double precision: whether that holds it is found by trying. What it computes is kept if
 * the choice was left to the program. */
static enum status try_double(const struct model *model, const struct interventions *changes,
                              bool kept, const struct watch *watch, struct trace *trace,
                              struct error *error)
{
    struct error failure;
    trace->computed = (struct computed){.precise = true, .changes = *changes};
    enum status status = forward_double(model, changes, 0, watch, trace, &failure);
    if (status != STATUS_OK)
        *error = failure;
    else if (!kept)
        trace->computed = (struct computed){0};
    return status == STATUS_OK && !kept ? STATUS_LIMIT : status;
}

static enum precision choose_precision(const struct model *model, size_t tokens,
                                       enum precision wanted)
{
    uint64_t most = wanted == PRECISION_AUTO ? FORWARD_DOUBLE_COST : FORWARD_SAME_COST;
    if (wanted == PRECISION_SINGLE || wanted == PRECISION_DOUBLE)
        return wanted;
    return forward_cost(model_config(model), tokens) <= most ? PRECISION_DOUBLE : PRECISION_SINGLE;
}

enum status forward_run(const struct model *model, const struct interventions *changes,
                        enum precision precision, const struct watch *watch, struct trace *trace,
                        struct error *error)
{
    const bool chosen = precision == PRECISION_SINGLE;
    changes = changes ? changes : &none;
    precision = choose_precision(model, trace->tokens, precision);
    size_t kept = layers_kept(trace, changes, precision);
    if (trace->computed.whole && kept == trace->layers)
        return STATUS_OK;
    trace->computed = (struct computed){
        .layers = kept, .precise = precision == PRECISION_DOUBLE, .changes = *changes};
    enum status status = precision == PRECISION_DOUBLE
                             ? forward_double(model, changes, 0, watch, trace, error)
                             : forward_float(model, changes, kept, watch, trace, error);
    if (status == STATUS_LIMIT && precision == PRECISION_SINGLE)
        status = try_double(model, changes, !chosen, watch, trace, error);
    status = mapping_check(status, error);
    trace->computed.whole = status == STATUS_OK;
    return status;
}

/* ---- The head for words alone ------------------------------------------------------------- */

/* Where vectors may begin. */
#define ALIGNMENT ((size_t)64)

/* Of the block with so many rows and that scratch; SIZE_MAX when it does not fit. */
static size_t words_bytes(const struct config *config, size_t rows, size_t scratch)
{
    size_t floats, bytes;
    if (!size_multiply(rows, config->hidden + config->vocabulary, &floats) ||
        !size_add(floats, scratch, &floats) || !size_multiply(floats, sizeof(float), &bytes) ||
        !size_add(bytes, sizeof(struct word_rows) + ALIGNMENT, &bytes))
        return SIZE_MAX;
    return bytes;
}

enum status forward_words_check(const struct model *model, struct error *error)
{
    const bool *has = model_weights(model)->has;
    if (has[OUTPUT_MLM] || has[OUTPUT_LM])
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "words need a masked-word head, which this checkpoint was saved without: use "
                     "one saved as %sForMaskedLM",
                     model_config(model)->family->class);
}

enum status forward_words_prepare(const struct model *model, size_t most, struct word_rows **rows,
                                  struct error *error)
{
    const struct config *config = model_config(model);
    const size_t scratch = scratch_for(config, most), bytes = words_bytes(config, most, scratch);
    *rows = NULL;
    if (forward_words_check(model, error) != STATUS_OK)
        return error->status;
    struct word_rows *block = bytes < SIZE_MAX ? calloc(1, bytes) : NULL;
    if (!block)
        return error_memory(error, "what a layer would say", bytes);
    unsigned char *first = (unsigned char *)(block + 1);
    first += ALIGNMENT - (uintptr_t)first % ALIGNMENT;
    block->count = 0;
    block->scratch = (float *)(void *)first;
    block->hidden = block->scratch + scratch;
    block->logits = block->hidden + most * config->hidden;
    *rows = block;
    return STATUS_OK;
}

enum status forward_words(const struct model *model, bool precise, const struct word_rows *rows,
                          struct error *error)
{
    enum status status = STATUS_LIMIT;
    if (!precise)
        status = forward_float_words(model, rows, error);
    if (status == STATUS_LIMIT)
        status = forward_double_words(model, rows, error);
    return mapping_check(status, error);
}
