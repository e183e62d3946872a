/* weights_finite.c: when a pass meets a number that is NaN or infinite, the lists by which the
 * weights were bound lead to the weight that caused it. */
#include "headlight/model/weights.h"

#include "headlight/tensor/matrix.h"

#include <string.h>

/* All of a matrix, however large: the pass has read it too. */
static enum status check_matrix(const struct tensor *tensor, struct error *error)
{
    size_t count = 1;
    for (size_t axis = 0; axis < tensor->rank; axis++)
        count *= tensor->shape[axis];
    return tensor_check_finite(tensor, 0, count, error);
}

/* The row of a table that the pass read for a token, by the letter of the table's first axis. */
static size_t row_read(const struct trace *trace, size_t t, char axis)
{
    if (axis == 'P')
        return trace->positions ? (size_t)trace->positions[t] : t;
    return (size_t)(axis == 'V' ? trace->ids : trace->segments)[t];
}

/* The rows of a table of embeddings that belong to the trace's tokens. A table that the pass left
 * out, because of an intervention, can't have caused anything. */
static enum status check_table(const struct tensor *table, char axis, const struct trace *trace,
                               struct error *error)
{
    const struct interventions *changes = &trace->computed.changes;
    const size_t E = table->shape[1];
    if ((axis == 'P' && changes->positions != POSITIONS_LEARNT) ||
        (axis == 'S' && changes->no_segments))
        return STATUS_OK;
    for (size_t t = 0; t < trace->tokens; t++)
        if (tensor_check_finite(table, row_read(trace, t, axis) * E, E, error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* Checks the matrices of a list, which were found when they were bound; with a trace only the rows
 * of its tokens of tables. */
static enum status check_matrices(const struct tensor_finder *in, const struct tensor_list *list,
                                  const struct trace *trace, struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct tensor_entry *entry = &list->entries[i];
        const struct tensor *tensor =
            entry->axes[1] && finder_wants(in, entry) ? finder_find(in, entry) : NULL;
        if (tensor && (trace && strchr("VPS", entry->axes[0])
                           ? check_table(tensor, entry->axes[0], trace, error)
                           : check_matrix(tensor, error)) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

enum status weights_check_embeddings(const struct config *config, const struct store *store,
                                     const struct trace *trace, struct error *error)
{
    const struct tensor_finder in = {.config = config, .store = store};
    return check_matrices(&in, &config->family->whole, trace, error);
}

static enum status check_heads(const struct tensor_finder *in, const struct trace *trace,
                               struct error *error)
{
    const struct config *config = in->config;
    /* a trace without word logits never read the decoder, which may be half of all weights */
    const bool decodes = trace_words(trace) != NULL;
    for (size_t i = 0; i < FAMILY_HEADS_MAX; i++) {
        const struct head_list *head = &config->family->heads[i];
        const struct tensor_list list = finder_head(head, config);
        if ((!head_is_of_words(head) || decodes) &&
            check_matrices(in, &list, NULL, error) != STATUS_OK)
            return error->status;
    }
    if (!decodes || !config->tied) /* the word embeddings, every family's first, are the decoder */
        return STATUS_OK;
    return check_matrix(finder_find(in, config->family->whole.entries), error);
}

enum status weights_check_next(const struct config *config, const struct store *store,
                               const struct trace *trace, struct error *error)
{
    struct tensor_finder in = {.config = config, .store = store};
    if (trace->computed.layers == trace->layers)
        return check_heads(&in, trace, error);
    finder_go_to_layer(&in, trace->computed.layers);
    return check_matrices(&in, &config->family->layer, NULL, error);
}
