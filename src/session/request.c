#include "headlight/session/request.h"

#include "headlight/base/format.h"
#include "headlight/session/derive_map.h"
#include "headlight/view/comparison.h"

#include <stdlib.h>
#include <string.h>

/* ---- Asking ---- */

/* Whether the text that is wanted is the one that is shown. */
static bool is_shown(const struct session *session)
{
    const struct texts *texts = &session->state.source.texts;
    const struct encoded *encoded = session->data.encoded;
    bool same = encoded->text_count == texts->count &&
                encoded->special == session->state.source.special &&
                masked_equal(&encoded->masked, &session->state.source.masked);
    for (size_t i = 0; same && i < texts->count; i++)
        same = strcmp(encoded->texts[i].bytes, texts_at(texts, i)) == 0;
    return same;
}

bool request_is_current(const struct session *session)
{
    const struct trace *trace = session->data.trace;
    const struct interventions *changes = &session->state.source.changes;
    return trace && session->checkpoint && session->busy != REQUEST_PASS && is_shown(session) &&
           interventions_first_difference(&trace->computed.changes, changes, trace->layers) ==
               trace->layers;
}

static enum status encode(const struct session *session, struct request *request,
                          struct error *error)
{
    const struct texts *wanted = &session->state.source.texts;
    struct reading how = {session->state.source.special, session->logits,
                          &session->state.source.masked};
    struct text texts[2];
    for (size_t i = 0; i < wanted->count; i++)
        texts[i] = (struct text){texts_at(wanted, i), strlen(texts_at(wanted, i))};
    return encoded_new(session->checkpoint, texts, wanted->count, how, &request->encoded, error);
}

/* A new trace for the tokens shown or, in place, their own. */
static enum status make_trace(struct session *session, struct request *request, struct error *error)
{
    struct trace *shown = session->data.encoded->trace;
    request->in_place = !session->data.trace || !session->attended;
    if (!request->in_place)
        return forward_prepare(session->checkpoint->model, shown->ids, shown->segments,
                               shown->tokens, session->logits, &request->trace, error);
    request->trace = shown;
    derive_uncover(&session->data);
    return STATUS_OK;
}

/* What the network computes for the tokens shown as it was trained; NULL where that is not known.
 */
static const struct trace *unchanged(const struct data *data)
{
    bool shown = data->trace && !interventions_any(&data->trace->computed.changes);
    return shown ? data->trace : data->before;
}

enum status request_pass(struct session *session, struct request *request, struct error *error)
{
    *request = (struct request){.kind = REQUEST_PASS,
                                .session = session,
                                .changes = session->state.source.changes,
                                .look = session->state.look};
    enum status status =
        is_shown(session) ? make_trace(session, request, error) : encode(session, request, error);
    if (status != STATUS_OK) {
        request->kind = REQUEST_NONE;
        return status;
    }
    if (request->encoded)
        request->trace = request->encoded->trace;
    if (session->attended && view_at(session->state.look.view)->speaks &&
        !session->data.speechless[0])
        request->area = derive_lens_area(request->trace, session->state.look.from);
    if (!request->encoded && !request->in_place && interventions_any(&request->changes))
        request->before = unchanged(&session->data);
    if (!request->in_place)
        forward_adopt(session->data.encoded->trace, &request->changes, request->trace);
    return STATUS_OK;
}

/* What the network computed before it was changed. */
static enum status ask_before(const struct session *session, struct request *request,
                              struct error *error)
{
    const struct trace *shown = session->data.encoded->trace;
    request->kind = REQUEST_BEFORE;
    return forward_prepare(session->checkpoint->model, shown->ids, shown->segments, shown->tokens,
                           session->logits, &request->trace, error);
}

/* What the layers say at more tokens. */
static enum status ask_lens(const struct session *session, const struct lens_area *area,
                            struct request *request, struct error *error)
{
    const struct data *data = &session->data;
    *request = (struct request){.kind = REQUEST_LENS,
                                .session = session,
                                .trace = data->encoded->trace,
                                .in_place = true,
                                .area = *area,
                                .before = data->before};
    if (derive_new_lens(data->encoded, data->next, &request->lens, error) != STATUS_OK)
        return error->status;
    if (data->lens)
        memcpy(request->lens, data->lens, data->layers * data->tokens * sizeof *data->lens);
    return STATUS_OK;
}

/* Layers that are there already are copied: what is shown may go while the worker runs. */
static enum status ask_map(const struct session *session, struct request *request,
                           struct error *error)
{
    const struct scene scene = session_scene(session);
    const struct map *shown = scene.data.map;
    *request = (struct request){.kind = REQUEST_MAP,
                                .session = session,
                                .source = scene_map_source(&scene),
                                .look = session->state.look};
    if (shown->kind != request->look.map)
        return STATUS_OK;
    return map_new(&request->source, shown->kind, (struct token_range){0, 0}, shown, NULL,
                   &request->map, error);
}

/* Passes of their own, for the compare view. */
static enum status ask_compared(const struct session *session, struct request *request,
                                struct error *error)
{
    request->kind = REQUEST_COMPARE;
    return derive_new_compared(&session->data, session->state.source.special, &request->compared,
                               error);
}

enum status request_besides(const struct session *session, struct request *request,
                            struct error *error)
{
    const struct look *look = &session->state.look;
    const struct data *data = &session->data;
    struct lens_area area;
    *request = (struct request){.kind = REQUEST_NONE, .session = session};
    if (derive_wants_before(data))
        return ask_before(session, request, error);
    if (derive_wants_map(look, data))
        return ask_map(session, request, error);
    if (derive_wants_metrics(look, data)) {
        request->kind = REQUEST_METRICS;
    } else if (derive_wants_effects(look, data)) {
        request->kind = REQUEST_EFFECTS;
        request->on = derive_prediction(look, data);
    } else if (derive_wants_lens(look, data, &area)) {
        return ask_lens(session, &area, request, error);
    } else if (derive_wants_compared(look, data)) {
        return ask_compared(session, request, error);
    }
    return STATUS_OK;
}

bool request_is_stale(const struct session *session, const struct request *request)
{
    const struct look *look = &session->state.look;
    if (request->kind == REQUEST_MAP)
        return look->map != request->look.map || !derive_wants_map(look, &session->data) ||
               derive_map_layers(look, session->data.layers).first !=
                   derive_map_layers(&request->look, session->data.layers).first;
    if (request->kind != REQUEST_EFFECTS)
        return false;
    if (!derive_wants_effects(look, &session->data))
        return true;
    struct asked_prediction now = derive_prediction(look, &session->data);
    return now.token != request->on.token || now.id != request->on.id;
}

/* ---- Running ---- */

static enum status read_lens(struct request *request, const struct watch *watch,
                             struct error *error)
{
    const struct session *session = request->session;
    const struct encoded *encoded = request->encoded ? request->encoded : session->data.encoded;
    if (request->area.tokens.end == 0)
        return STATUS_OK;
    if (!request->lens &&
        derive_new_lens(encoded, session->data.next, &request->lens, error) != STATUS_OK)
        return error->status;
    return derive_read_lens(session->checkpoint->model, request->trace, request->before,
                            &request->area, watch, request->lens, error);
}

static enum status make_map(struct request *request, const struct watch *watch, struct error *error)
{
    struct map *known = request->map;
    enum status status = map_new(&request->source, request->look.map,
                                 derive_map_layers(&request->look, request->source.trace->layers),
                                 known, watch, &request->map, error);
    map_free(known);
    return status;
}

/* A map that takes a moment comes with the pass, if somebody waits; not one that takes longer, or
 * that can't be made of this text. */
static enum status make_map_too(struct request *request, struct error *error)
{
    const struct session *session = request->session;
    enum map_kind kind = derive_map_wanted(&request->look, true);
    struct error refused;
    request->source = (struct map_source){session->checkpoint->model, request->trace, NULL, false};
    if (!session->attended || kind == MAP_WEIGHTS || kind == MAP_FLOW ||
        map_check(&request->source, kind, &refused) != STATUS_OK)
        return STATUS_OK;
    return make_map(request, NULL, error);
}

/* With what the layers say at the chosen token, where that is shown: it comes with the pass. */
static enum status compute(struct request *request, const struct watch *watch, struct error *error)
{
    const struct session *session = request->session;
    enum status status = forward_run(session->checkpoint->model, &request->changes,
                                     session->precision, watch, request->trace, error);
    if (status == STATUS_OK)
        status = make_map_too(request, error);
    return status == STATUS_OK ? read_lens(request, NULL, error) : status;
}

enum status request_run(void *context, const struct watch *watch, struct error *error)
{
    struct request *request = context;
    const struct session *session = request->session;
    switch (request->kind) {
    case REQUEST_LOAD:
        return request->load(request->context, watch, error);
    case REQUEST_BEFORE:
        return forward_run(session->checkpoint->model, NULL, session->precision, watch,
                           request->trace, error);
    case REQUEST_PASS:
        return compute(request, watch, error);
    case REQUEST_MAP:
        return make_map(request, watch, error);
    case REQUEST_METRICS:
        return metrics_measure_all(session->data.trace, &session->data.kinds, watch,
                                   &request->metrics, error);
    case REQUEST_EFFECTS:
        return effects_measure(session->checkpoint->model, session->data.trace, request->on.token,
                               request->on.id, watch, &request->effects, error);
    case REQUEST_LENS:
        return read_lens(request, watch, error);
    case REQUEST_COMPARE:
        return derive_run_compared(&session->data, session->precision, watch, request->compared,
                                   error);
    case REQUEST_NONE:
        break;
    }
    return STATUS_OK;
}

/* ---- Taking ---- */

/* What was made by a worker takes its place. */
static enum status show_map(struct session *session, struct error *error)
{
    enum status status =
        derive_look(&session->state.look, &session->data, session->attended, error);
    map_free(session->data.coming);
    session->data.coming = NULL;
    return status;
}

/* To what is only known now. */
static enum status show_difference(struct session *session, struct error *error)
{
    struct look *look = &session->state.look;
    return look->map == MAP_DIFFERENCE ? derive_look(look, &session->data, session->attended, error)
                                       : STATUS_OK;
}

/* What was shown is what the network computed before it was changed, unless it was changed then
 * too. */
static void keep_before(struct session *session, struct request *request)
{
    if (request->in_place || interventions_any(&request->trace->computed.changes) ||
        !derive_wants_before(&session->data))
        return;
    session->data.before = request->trace;
    request->trace = NULL;
}

/* The trace takes the place of the one that is shown, unless it can't be shown. */
static enum status take_trace(struct session *session, struct request *request, double milliseconds,
                              struct error *error)
{
    struct encoded *encoded = session->data.encoded;
    struct trace *before = encoded->trace;
    double took = encoded->milliseconds;
    encoded->trace = request->trace;
    encoded->milliseconds = milliseconds;
    if (session_take(session, encoded, true, error) == STATUS_OK) {
        request->trace = before; /* dropped with the request, unless it is the same */
        keep_before(session, request);
        return show_difference(session, error);
    }
    encoded->trace = before;
    encoded->milliseconds = took;
    return error->status;
}

static enum status take_encoded(struct session *session, struct request *request,
                                double milliseconds, struct error *error)
{
    struct encoded *encoded = request->encoded;
    request->encoded = NULL; /* session_take keeps or frees it */
    request->trace = NULL;
    encoded->milliseconds = milliseconds;
    return session_take(session, encoded, true, error);
}

enum status request_take(struct session *session, struct request *request, double milliseconds,
                         struct error *error)
{
    enum status status = STATUS_OK;
    map_free(session->data.coming);
    session->data.coming = request->map;
    request->map = NULL;
    if (request->kind == REQUEST_MAP)
        status = show_map(session, error);
    else if (request->kind == REQUEST_PASS && request->encoded)
        status = take_encoded(session, request, milliseconds, error);
    else if (request->kind == REQUEST_PASS)
        status = take_trace(session, request, milliseconds, error);
    else if (request->kind == REQUEST_BEFORE) {
        derive_before(&session->data, request->trace);
        request->trace = NULL;
        status = show_difference(session, error);
    } else if (request->kind == REQUEST_METRICS)
        derive_metrics(&session->data, request->metrics);
    else if (request->kind == REQUEST_EFFECTS && !request_is_stale(session, request)) {
        derive_effects(&session->data, request->effects);
        request->effects = NULL;
    } else if (request->kind == REQUEST_COMPARE) {
        derive_compared(&session->data, request->compared);
        request->compared = NULL;
    }
    request->metrics = NULL;
    if (status == STATUS_OK && request->lens) {
        derive_lens(&session->data, request->lens);
        request->lens = NULL;
    }
    request_drop(request);
    if (status == STATUS_OK)
        session_shown(session);
    return status;
}

void request_drop(struct request *request)
{
    map_free(request->map);
    free(request->metrics);
    free(request->effects);
    free(request->lens);
    compared_free(request->compared);
    if (request->encoded)
        encoded_free(request->encoded);
    else if (!request->in_place)
        free(request->trace);
    *request = (struct request){.kind = REQUEST_NONE};
}

/* After a map, the one that is shown stays; after metrics and effects, the look has none; what was
 * before, and what the layers say, stays as far as it is known; after a pass, the text stays
 * wanted, but the network is again the one of the trace shown. Where nothing is shown yet, the
 * screen says so itself. */
void request_fail(struct session *session, enum request_kind kind, const struct error *error)
{
    struct look *look = &session->state.look;
    if (!session->data.trace)
        return;
    session_say(session, "%s", error->status == STATUS_CANCELLED ? "cancelled" : error->message);
    bool cancelled = kind == REQUEST_COMPARE && error->status == STATUS_CANCELLED;
    if (kind == REQUEST_MAP) {
        look->map = session->data.map->kind;
    } else if (kind == REQUEST_BEFORE || kind == REQUEST_LENS || cancelled) {
        session->data.stopped = true;
    } else if (kind == REQUEST_COMPARE) {
        format_cut(session->data.uncompared, sizeof session->data.uncompared, "%s",
                   session->message);
    } else if (kind == REQUEST_METRICS || kind == REQUEST_EFFECTS) {
        look->metric = METRIC_NONE;
        look->sorted = false;
    } else {
        session->state.source.changes = session->data.trace->computed.changes;
    }
    if (kind != REQUEST_PASS)
        session_shown(session);
}

static enum status run_at_once(struct session *session, struct request *request,
                               struct error *error)
{
    enum status status = request_run(request, NULL, error);
    if (status == STATUS_OK)
        return request_take(session, request, 0, error);
    request_drop(request);
    return status;
}

enum status request_settle(struct session *session, struct error *error)
{
    struct request request;
    if (request_pass(session, &request, error) != STATUS_OK) {
        session_say(session, "%s", error->message);
        return error->status == STATUS_LIMIT ? STATUS_OK : error->status;
    }
    return run_at_once(session, &request, error);
}

enum status request_rest(struct session *session, struct error *error)
{
    struct request request;
    enum status status = request_besides(session, &request, error);
    while (status == STATUS_OK && request.kind != REQUEST_NONE) {
        status = run_at_once(session, &request, error);
        if (status == STATUS_OK)
            status = request_besides(session, &request, error);
    }
    return status;
}

enum status request_check_map(const struct session *session, struct error *error)
{
    const struct scene scene = session_scene(session);
    const struct map_source source = scene_map_source(&scene);
    const enum map_kind wanted = derive_map_wanted(&scene.look, scene.data.trace != NULL);
    if (wanted != MAP_WEIGHTS && scene.look.averaged != MEAN_NONE)
        return error_set(error, STATUS_USAGE,
                         "a mean is of weights, not of %s: leave out --mean, or --map",
                         map_info(wanted)->name);
    return scene.data.map->kind == wanted ? STATUS_OK : map_check(&source, wanted, error);
}
