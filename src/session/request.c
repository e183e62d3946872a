/* request.c: the life of a request: it is prepared, run, and then taken, dropped or failed. The
 * table of derived things says what is made; only a pass, which replaces text and trace, is taken
 * by code of its own. Without a worker (a script, a snapshot) the same steps follow one another at
 * once. */
#include "headlight/session/request.h"

#include "headlight/session/act.h"
#include "headlight/session/history.h"
#include "headlight/session/pager.h"
#include "headlight/view/comparison.h"

/* ---- Asking ---- */

enum status request_pass(struct session *session, struct request *request, struct error *error)
{
    *request = (struct request){.kind = REQUEST_PASS};
    session->pass_due = false;
    edit_check(session); /* the screen needs the encoding of the edited line, too */
    enum status status = draft_ask(&request->draft, session, REQUEST_PASS, error);
    if (status != STATUS_OK)
        request_drop(request);
    return status;
}

/* One thing at a time: after each the look may want something else. */
enum status request_besides(const struct session *session, struct request *request,
                            struct error *error)
{
    const enum request_kind kind = derived_next(&session->state.look, &session->data);
    *request = (struct request){.kind = kind};
    return kind ? draft_ask(&request->draft, session, kind, error) : STATUS_OK;
}

/* Most results are right for any look; some are of a choice that may have changed since. */
bool request_is_stale(const struct session *session, const struct request *request)
{
    const struct derived *row = derived_of(request->kind);
    const bool other_site = row && row->sources & (SOURCE_TRACE | SOURCE_TEXT) &&
                            request->draft.data.encoded != session->data.encoded;
    return other_site || (row && row->is_same &&
                          (!derive_wants(request->kind, &session->state.look, &session->data) ||
                           !row->is_same(&request->draft, session)));
}

/* ---- Running ---- */

enum status request_run(void *context, const struct watch *watch, struct error *error)
{
    struct request *request = context;
    return draft_make(&request->draft, request->kind, watch, error);
}

/* ---- Taking ---- */

/* A pass replaces the text and trace shown, which stay as the ones before a change. A stale result
 * is dropped without a word: the next request makes what is wanted now. */
enum status request_take(struct session *session, struct request *request, double milliseconds,
                         struct error *error)
{
    enum status status = STATUS_OK;
    struct draft draft, *made = &request->draft;
    const bool pass = request->kind == REQUEST_PASS;
    if (pass || (request->kind != REQUEST_LOAD && !request_is_stale(session, request))) {
        draft_begin(&draft, session); /* the session's data may have changed meanwhile */
        if (pass) {
            struct encoded *encoded = derived_site(made->encoded, &session->state.look);
            encoded->milliseconds = milliseconds;
            draft_keep_unchanged(&draft, encoded, &encoded->trace->computed.changes);
            draft_set_pass(&draft, encoded, true);
        }
        status = draft_move(made, &draft, error) == STATUS_OK ? draft_take(&draft, session, error)
                                                              : error->status;
    }
    if (pass && status == STATUS_OK) {
        made->encoded = NULL;
        session->found = made->found;
        session_begin_picture(session);
        example_choose(session);
        pager_arrive(session);
        history_arrive(session);
        session->pass_due |= (generate_go(session) & SESSION_PASS) != 0;
    }
    struct error lacking; /* two models may turn out to read other tokens */
    if (request->kind == REQUEST_COMPARE && status == STATUS_OK &&
        request_check(session, &lacking) != STATUS_OK)
        session_say(session, "%s", lacking.message);
    request_drop(request);
    if (status == STATUS_OK)
        session_shown(session);
    return status;
}

void request_drop(struct request *request)
{
    draft_drop(&request->draft);
    *request = (struct request){.kind = REQUEST_NONE};
}

/* Before there is a trace, nothing could be taken back; the screen says what to do. */
void request_fail(struct session *session, enum request_kind kind, const struct error *error)
{
    if (!session->data.trace && kind != REQUEST_LOAD)
        return;
    const struct derived *row = derived_of(kind);
    const bool cancelled = error->status == STATUS_CANCELLED;
    session_say(session, "%s", cancelled ? "cancelled" : error->message);
    if (row)
        (row->fail && !(cancelled && row->asked_again) ? row->fail : derived_stop)(session);
    if (kind != REQUEST_PASS)
        session_shown(session);
}

/* ---- At once ---- */

/* Without a worker, and without a time for the status line. */
static enum status run_at_once(struct session *session, struct request *request,
                               struct error *error)
{
    enum status status = request_run(request, NULL, error);
    if (status == STATUS_OK)
        return request_take(session, request, 0, error);
    request_drop(request);
    return status;
}

enum status request_make(struct session *session, enum request_kind kind, struct error *error)
{
    struct request request = {.kind = kind};
    if (draft_ask(&request.draft, session, kind, error) == STATUS_OK)
        return run_at_once(session, &request, error);
    request_drop(&request);
    return error->status;
}

/* In a script a text that is too long is no reason to stop: the message says so in the picture. */
enum status request_settle(struct session *session, struct error *error)
{
    struct request request;
    if (request_pass(session, &request, error) != STATUS_OK) {
        session_say(session, "%s", error->message);
        return error->status == STATUS_LIMIT ? STATUS_OK : error->status;
    }
    enum status status = run_at_once(session, &request, error);
    return status == STATUS_OK && session->pass_due ? request_settle(session, error) : status;
}

/* Each thing may make another one wanted: the pass before a change, for one, is a source of the
 * lens. */
enum status request_rest(struct session *session, struct error *error)
{
    enum status status = STATUS_OK;
    enum request_kind kind;
    while (status == STATUS_OK && (kind = derived_next(&session->state.look, &session->data)))
        status = request_make(session, kind, error);
    return status;
}

/* The picture would have other numbers than those asked for. */
enum status request_check(const struct session *session, struct error *error)
{
    const struct scene scene = session_scene(session);
    const struct map_source source = comparison_source(&scene.data);
    const enum map_kind wanted = derive_map_wanted(&scene.look, scene.data.trace != NULL);
    if (wanted != MAP_WEIGHTS && scene.look.averaged != MEAN_NONE)
        return error_usage(error, "a mean is of weights, not of %s: leave out --mean, or --map",
                           map_infos[wanted].name);
    if (scene.look.metric == METRIC_MOVED && derived_shows(&scene.look, SHOWN_METRICS))
        return comparison_check(&scene.data, "--metric moved", error);
    if (wanted == MAP_DIFFERENCE && data_against(&scene.data))
        return comparison_check(&scene.data, "a difference", error);
    return scene.data.map->kind == wanted ? STATUS_OK : map_check(&source, wanted, error);
}
