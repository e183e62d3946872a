/* forward.c: what surrounds a pass: preparing the trace, keeping layers that need not be
 * recomputed, and naming non-finite numbers. The arithmetic is in forward_pass.c. */
#include "headlight/model/forward.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/operations.h"

/* ---- Preparation -------------------------------------------------------------------------- */

/* The message says by how much, since words and tokens differ in number. */
enum status forward_check_length(const struct config *config, size_t tokens, struct error *error)
{
    if (tokens == 0)
        return error_set(error, STATUS_LIMIT, "the text has no tokens: type at least one word");
    if (tokens > config->longest)
        return error_set(error, STATUS_LIMIT,
                         "the %s is %zu tokens long, the model has %zu positions: shorten it by "
                         "%zu token%s",
                         config->stack == STACK_DECODER ? "target" : "text", tokens,
                         config->longest, tokens - config->longest,
                         tokens - config->longest == 1 ? "" : "s");
    return STATUS_OK;
}

/* Ids come from a vocabulary, which may belong to another model than the weights. */
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

static struct trace_extent extent_alone(size_t tokens, const struct trace *memory)
{
    struct trace_extent extent = {.one_layer = false};
    trace_extend(&extent, tokens, memory ? memory->tokens : 0);
    return extent;
}

/* Word logits are left out unless they are wanted: T·V numbers may be most of a trace. */
void forward_outputs(const struct model *model, bool words, bool outputs[OUTPUT_COUNT])
{
    const struct sentence_model *sentence = model->config.sentence;
    memcpy(outputs, model->weights.has, OUTPUT_COUNT * sizeof *outputs);
    outputs[OUTPUT_MLM] &= words;
    outputs[OUTPUT_LM] &= words;
    if (!sentence)
        return;
    outputs[OUTPUT_SENTENCE_POOLED] = outputs[OUTPUT_SENTENCE] = true;
    outputs[OUTPUT_SENTENCE_DENSE] = sentence->dense.outputs > 0;
    outputs[OUTPUT_SENTENCE_NORMAL] = sentence->normalized;
}

enum status forward_check(const struct config *config, const int32_t *ids, const int32_t *segments,
                          size_t tokens, struct error *error)
{
    if (forward_check_length(config, tokens, error) != STATUS_OK ||
        check_rows("an id", "vocabulary", ids, tokens, config->vocabulary, error) != STATUS_OK)
        return error->status;
    if (config->segments == 0 || !segments)
        return STATUS_OK;
    return check_rows("a segment", "segment table", segments, tokens, config->segments, error);
}

void forward_fill(const struct config *config, const int32_t *ids, const int32_t *segments,
                  struct trace *trace)
{
    memcpy(trace->ids, ids, trace->tokens * sizeof *ids);
    if (segments)
        memcpy(trace->segments, segments, trace->tokens * sizeof *segments);
    else
        memset(trace->segments, 0, trace->tokens * sizeof *segments);
    /* Liu et al. 2019, numbered as in fairseq: the first token's position follows padding's, and
     * padding tokens in the text are not counted */
    const int32_t padding = (int32_t)config->padding;
    int32_t next = padding + 1;
    for (size_t t = 0; config->past_padding && t < trace->tokens; t++)
        trace->positions[t] = ids[t] == padding ? padding : next++;
}

enum status forward_prepare(const struct model *model, const struct trace *memory,
                            const int32_t *ids, const int32_t *segments, size_t tokens, bool logits,
                            struct trace **trace, struct error *error)
{
    const struct config *config = &model->config;
    const struct trace_extent extent = extent_alone(tokens, memory);
    bool outputs[OUTPUT_COUNT];
    *trace = NULL;
    forward_outputs(model, logits, outputs);
    if (forward_check(config, ids, segments, tokens, error) != STATUS_OK ||
        trace_new(config, tokens, memory, outputs, forward_scratch(config, &extent), trace,
                  error) != STATUS_OK)
        return error->status;
    forward_fill(config, ids, segments, *trace);
    return STATUS_OK;
}

/* ---- Non-finite numbers -------------------------------------------------------------------

 * A weight that is NaN or infinite, and a sum that no float can hold, spread to everything that is
 * computed from them. So a pass looks at few of its numbers: the scores of a layer are finite only
 * if its queries and keys are, and its output, behind two LayerNorms, only if everything else is.
 * The first of these is named. */

/* A weight, or a sum of products that are too large. */
static enum status refuse_numbers(const struct model *model, const struct trace *trace,
                                  struct trace_slot slot, struct error *error)
{
    const bool cross = slot.layer >= trace->layers;
    const enum site site = cross ? SITE_CROSS : trace->site;
    char name[TRACE_NAME_MAX];
    slot.layer -= cross ? trace->layers : 0;
    trace_slot_name(site, slot, name, sizeof name);
    return error_set(error, STATUS_FORMAT,
                     "%s: %s: expected finite numbers, found NaN or infinity: download the "
                     "checkpoint again, or convert it anew; is it of this configuration?",
                     model->store->source, name);
}

/* ---- The pass ----------------------------------------------------------------------------- */

/* What of a trace stays valid with these changes: the layers computed already, and the number of
 * tokens whose rows are in all layers. */
static void find_kept(const struct trace *trace, const struct interventions *changes,
                      size_t *layers, size_t *tokens)
{
    const struct computed *computed = &trace->computed;
    const struct interventions *before = &computed->changes;
    const size_t first = trace->numbered, L = trace->layers;
    /* the layer from which on passes with these changes would differ from it */
    size_t apart = interventions_first_difference(before, changes, first, L);
    if (trace->cross && interventions_first_difference(before, changes, 0, first) < first)
        apart = 0; /* the encoder's */
    else if (trace->cross)
        apart = size_min(apart, interventions_first_difference(before, changes, first + L, L));
    *layers = size_min(computed->layers, apart);
    *tokens = apart < L ? 0 : computed->layers == L ? trace->tokens : computed->tokens;
}

static const struct interventions none;

/* Rows of short texts are other sums than those of long ones. */
void forward_adopt(const struct trace *from, const struct interventions *changes,
                   struct trace *trace)
{
    size_t layers, kept;
    find_kept(from, changes ? changes : &none, &layers, &kept);
    /* two texts of a decoder have to attend to the same; those of one stack attend to nothing else
     */
    const struct trace *a = from->memory, *b = trace->memory;
    const bool same =
        a == b || (a && b && a->tokens == b->tokens && trace_same_tokens(a, b) == a->tokens);
    size_t tokens = same ? trace_same_tokens(from, trace) : 0;
    if (tokens < from->tokens || tokens < trace->tokens) {
        const bool stays = trace->axes == AXES_PAST &&
                           forward_is_few(from->tokens) == forward_is_few(trace->tokens);
        layers = stays ? trace->layers : 0;
        tokens = size_min(tokens, kept);
    }
    if (layers == 0 || tokens == 0)
        return;
    trace_copy(from, layers, tokens, trace);
    trace->computed = (struct computed){.changes = from->computed.changes};
    if (tokens == trace->tokens)
        trace->computed.layers = layers;
    else
        trace->computed.tokens = tokens;
}

/* Logits are looked at here, since no LayerNorm comes after them. */
enum status forward_finish(const struct forward_task *task, const struct forward_text *text)
{
    struct trace *trace = text->trace;
    const unsigned first = text->broken - 1;
    if (text->broken) /* the layers of a decoder's other attention follow its own */
        return refuse_numbers(
            task->model, trace,
            (struct trace_slot){(enum trace_name)(first % TRACE_NAMES), first / TRACE_NAMES},
            task->error);
    if (trace->outputs[OUTPUT_SENTENCE])
        sentence_embed(task->model->config.sentence, trace);
    for (enum model_output output = 0; output < OUTPUT_COUNT; output++)
        if (trace->outputs[output] &&
            !kernels_now()->finite(trace_output_count(trace, output), trace->outputs[output]))
            return refuse_numbers(task->model, trace,
                                  (struct trace_slot){(enum trace_name)(TRACE_OUTPUTS + output), 0},
                                  task->error);
    return STATUS_OK;
}

/* One pass over one text. */
static enum status run(const struct forward_task *task)
{
    const enum status status = forward_pass(task);
    if (status == STATUS_OK || status == STATUS_FORMAT)
        return forward_finish(task, task->texts);
    return status;
}

/* The layers' rows of the tokens begin … end - 1: a pass over a part of the trace, without what
 * follows the layers. */
static enum status run_rows(struct forward_task task, size_t begin, size_t end)
{
    struct layer_trace *layers =
        memory_new(2 * task.trace->layers, sizeof *layers, 0, "a text that goes on", task.error);
    struct trace cross = {.layer = layers + task.trace->layers};
    struct trace part = {.layer = layers, .cross = task.trace->cross ? &cross : NULL};
    const struct trace_extent before = {.rows = begin};
    if (!layers)
        return STATUS_MEMORY;
    trace_take_part(task.trace, &before, end - begin, task.extent.attended, &part);
    memset(part.outputs, 0, sizeof part.outputs);
    task.texts->begin = begin;
    task.texts->end = end;
    task.cost = operations_cost(&task.model->config, part.tokens, 0);
    task.extent.rows = part.tokens;
    task.trace = &part;
    const enum status status = forward_pass(&task);
    task.texts->begin = 0;
    task.texts->end = task.texts->trace->tokens;
    free(layers);
    return status == STATUS_FORMAT ? forward_finish(&task, task.texts) : status;
}

static struct forward_task task_of(const struct model *model, struct forward_text *alone,
                                   struct error *error)
{
    const struct trace *trace = alone->trace;
    const struct trace_extent extent = extent_alone(trace->tokens, trace->memory);
    return (struct forward_task){
        .model = model,
        .cost = operations_cost(&model->config, trace->tokens, extent.attended),
        .few = forward_is_few(trace->tokens),
        .trace = alone->trace,
        .texts = alone,
        .extent = extent,
        .error = error};
}

enum status forward_run(const struct model *model, const struct interventions *changes,
                        const struct watch *watch, struct trace *trace, struct error *error)
{
    size_t layers, tokens;
    changes = changes ? changes : &none;
    find_kept(trace, changes, &layers, &tokens);
    enum status status = STATUS_OK;
    if (trace->computed.whole && layers == trace->layers)
        return STATUS_OK;
    trace->computed = (struct computed){.layers = layers, .tokens = tokens, .changes = *changes};
    struct forward_text alone = {.trace = trace, .end = trace->tokens};
    struct forward_task task = task_of(model, &alone, error);
    task.first = layers;
    task.watch = watch;
    if (tokens > 0 && tokens < trace->tokens) {
        status = run_rows(task, tokens, trace->tokens);
        task.first = trace->layers;
    }
    status = store_check(model->store, status == STATUS_OK ? run(&task) : status, error);
    trace->computed.whole = status == STATUS_OK;
    if (trace->cross)
        trace->cross->computed = trace->computed;
    return status;
}

/* Each row is as wide as if all were there that there is room for. Rows of short texts are other
 * sums than those of long ones, so these have room of their own. */
#define ROOM 32

enum status forward_append(const struct model *model, const struct trace *from, size_t tokens,
                           int32_t id, struct trace **longer, struct error *error)
{
    const struct config *config = &model->config;
    struct trace *trace = *longer;
    from = trace ? trace : from;
    if (!trace || tokens == trace->tokens) {
        const size_t most = forward_is_few(tokens + 1) ? KERNELS_TOKENS_MAX : tokens + ROOM;
        const struct trace_extent extent = extent_alone(most, from->memory);
        if (trace_new(config, most, from->memory, NULL, forward_scratch(config, &extent), &trace,
                      error) != STATUS_OK)
            return error->status;
        memcpy(trace->ids, from->ids, tokens * sizeof *from->ids);
        memcpy(trace->segments, from->segments, tokens * sizeof *from->segments);
        forward_adopt(from, &from->computed.changes, trace);
        trace->computed.changes = from->computed.changes;
        free(*longer);
        *longer = trace;
    }
    struct forward_text alone = {.trace = trace};
    trace->ids[tokens] = id;
    const enum status status = store_check(
        model->store, run_rows(task_of(model, &alone, error), trace->computed.tokens, tokens + 1),
        error);
    trace->computed.tokens = tokens + 1;
    trace->computed.layers = tokens + 1 == trace->tokens ? trace->layers : 0;
    return status;
}

/* ---- A head alone ------------------------------------------------------------------------- */

/* Labels named in a message. */
#define LABELS_NAMED 3

enum status forward_words_check(const struct model *model, struct error *error)
{
    const bool *has = model->weights.has;
    const struct labels *labels = &model->labels;
    const struct sentence_model *sentence = model->config.sentence;
    const bool labelled = has[OUTPUT_CLASSES] || has[OUTPUT_TAGS];
    const bool vector = sentence && sentence->given;
    char said[100]; /* what it answers with instead: "classes (NEGATIVE, POSITIVE)" */
    if (weights_words(&model->weights) < OUTPUT_COUNT)
        return STATUS_OK;
    if (!labelled && !has[OUTPUT_START] && !vector)
        return error_set(error, STATUS_UNSUPPORTED,
                         "words need a masked-word head, which this checkpoint was saved without: "
                         "use one saved as %sForMaskedLM",
                         model->config.family->class);
    format_cut(said, sizeof said, "%s",
               vector                ? "a vector of the text"
               : !labelled           ? "a span of the second text"
               : has[OUTPUT_CLASSES] ? "classes"
                                     : "tags");
    for (size_t i = 0; labelled && i < labels->count && i <= LABELS_NAMED; i++)
        format_add(said, sizeof said, "%s%s", i == 0 ? " (" : ", ",
                   i < LABELS_NAMED ? labels->names[i] : "…");
    return error_set(error, STATUS_UNSUPPORTED,
                     "this checkpoint answers with %s%s; words need a masked-word head", said,
                     labelled ? ")" : "");
}

enum status forward_head_prepare(const struct model *model, enum model_output output, size_t most,
                                 struct head_rows **rows, struct error *error)
{
    const struct config *config = &model->config;
    const struct trace sizes = trace_of_sizes(config, most);
    const struct trace_extent extent = extent_alone(most, NULL);
    const size_t scratch = forward_scratch(config, &extent);
    size_t floats;
    *rows = NULL;
    if (!size_multiply(most, config->hidden + trace_output_columns(&sizes, output), &floats) ||
        !size_add(floats, scratch, &floats))
        floats = SIZE_MAX;
    struct head_rows *block = memory_new(floats, sizeof(float), sizeof *block + TRACE_LINE,
                                         "what a layer would say", error);
    if (!block)
        return error->status;
    block->output = output;
    block->scratch = trace_block_line(block + 1);
    block->hidden = block->scratch + scratch;
    block->logits = block->hidden + most * config->hidden;
    *rows = block;
    return STATUS_OK;
}

enum status forward_words_prepare(const struct model *model, size_t most, struct head_rows **rows,
                                  struct error *error)
{
    *rows = NULL;
    if (forward_words_check(model, error) != STATUS_OK)
        return error->status;
    return forward_head_prepare(model, weights_words(&model->weights), most, rows, error);
}

/* The rows act as the tokens of a trace of one layer, already computed, with this head alone. */
enum status forward_head(const struct model *model, size_t tokens, const struct head_rows *rows,
                         struct error *error)
{
    const struct config *config = &model->config;
    struct layer_trace layer = {.output = rows->hidden};
    struct trace trace = trace_of_sizes(config, rows->count);
    trace.layers = 1;
    trace.layer = &layer;
    trace.outputs[rows->output] = rows->logits;
    trace.scratch = rows->scratch;
    trace.computed = (struct computed){.layers = 1};
    struct forward_text alone = {.trace = &trace, .end = trace.tokens};
    struct forward_task task = task_of(model, &alone, error);
    task.first = 1;
    task.cost = rows->count * config->hidden *
                (config->hidden + trace_output_columns(&trace, rows->output));
    task.few = forward_is_few(tokens);
    return store_check(model->store, run(&task), error);
}
