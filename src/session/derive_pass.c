/* derive_pass.c: the forward pass that the state calls for, and the one before the network was
 * changed. */
#include "headlight/session/derive.h"

#include <stdlib.h>
#include <string.h>

/* ---- The pass ---- */

bool derived_text_is_shown(const struct source *source, const struct encoded *encoded)
{
    const struct texts *texts = &source->texts;
    bool same = encoded->text_count == texts->count && encoded->special == source->special &&
                masked_equal(&encoded->masked, &source->masked);
    for (size_t i = 0; same && i < texts->count; i++)
        same = strcmp(encoded->texts[i].bytes, texts_at(texts, i)) == 0;
    return same;
}

static enum status encode_wanted(struct draft *draft, struct error *error)
{
    const struct source *source = draft->source;
    struct reading how = {source->special, draft->logits, &source->masked, draft->encoding};
    struct text texts[2];
    for (size_t i = 0; i < source->texts.count; i++)
        texts[i] = (struct text){texts_at(&source->texts, i), strlen(texts_at(&source->texts, i))};
    if (encoded_new(draft->data.checkpoint, texts, source->texts.count, how, &draft->encoded,
                    error) != STATUS_OK)
        return error->status;
    draft->trace = draft->encoded->trace;
    draft_set_pass(draft, draft->encoded, false);
    return STATUS_OK;
}

/* The trace of the unchanged network for the tokens shown; NULL if it is not known. */
static struct trace *unchanged_trace(const struct data *data)
{
    bool shown = data->trace && !interventions_any(&data->trace->computed.changes);
    return shown ? data->encoded->trace : data->before;
}

/* A new trace for the tokens shown or, in place, their current one. */
static enum status trace_again(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    struct trace *shown = data->encoded->trace;
    struct trace *before = interventions_any(&draft->changes) ? unchanged_trace(data) : NULL;
    draft->in_place = !data->trace || !draft->interactive;
    draft->trace = draft->in_place ? shown : NULL;
    if (!draft->in_place &&
        forward_prepare(data->checkpoint->model, shown->ids, shown->segments, shown->tokens,
                        draft->logits, &draft->trace, error) != STATUS_OK)
        return error->status;
    draft_set_pass(draft, data->encoded, false);
    data->before = draft->in_place ? NULL : before;
    return STATUS_OK;
}

/* A new text is encoded; the shown text with another network only gets a new trace that starts
 * with the layers before the first change. If nobody sees the current trace, because it isn't
 * computed yet or the session isn't interactive, it is computed in place. */
static enum status prepare_pass(struct draft *draft, struct error *error)
{
    const struct encoded *shown = draft->data.encoded;
    enum status status = derived_text_is_shown(draft->source, shown) ? trace_again(draft, error)
                                                                     : encode_wanted(draft, error);
    if (status != STATUS_OK)
        return status;
    if (!draft->in_place)
        forward_adopt(shown->trace, &draft->changes, draft->trace);
    draft->data.trace = draft->trace;
    return STATUS_OK;
}

static enum status run_pass(struct draft *draft, const struct watch *watch, struct error *error)
{
    return forward_run(draft->data.checkpoint->model, &draft->changes, draft->precision, watch,
                       draft->trace, error);
}

/* The text stays requested, but the network goes back to that of the trace shown. */
static void fail_pass(struct session *session, const struct error *error)
{
    (void)error;
    session->state.source.changes = session->data.trace->computed.changes;
}

const struct derived derived_pass = {.kind = REQUEST_PASS,
                                     .work = "computing",
                                     .offset = offsetof(struct data, trace),
                                     .source = SOURCE_TRACE,
                                     .passes = true,
                                     .prepare = prepare_pass,
                                     .make = run_pass,
                                     .fail = fail_pass};

/* ---- Before the network was changed ---- */

static bool wants_before(const struct look *look, const struct data *data)
{
    (void)look;
    return data->trace && data->checkpoint && !data->before &&
           interventions_any(&data->trace->computed.changes);
}

static enum status prepare_before(struct draft *draft, struct error *error)
{
    const struct trace *shown = draft->data.encoded->trace;
    return forward_prepare(draft->data.checkpoint->model, shown->ids, shown->segments,
                           shown->tokens, draft->logits, &draft->data.before, error);
}

static enum status run_before(struct draft *draft, const struct watch *watch, struct error *error)
{
    return forward_run(draft->data.checkpoint->model, NULL, draft->precision, watch,
                       draft->data.before, error);
}

void derived_stop(struct session *session, const struct error *error)
{
    (void)error;
    session->data.stopped = true;
}

const struct derived derived_before = {.kind = REQUEST_BEFORE,
                                       .work = NULL,
                                       .offset = offsetof(struct data, before),
                                       .release = free,
                                       .source = SOURCE_BEFORE,
                                       .sources = SOURCE_TEXT,
                                       .passes = true,
                                       .until_stopped = true,
                                       .wants = wants_before,
                                       .prepare = prepare_before,
                                       .make = run_before,
                                       .fail = derived_stop};
