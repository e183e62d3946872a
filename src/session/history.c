/* history.c: the states that keys led through. A state is added when the next key is handled: by
 * then the pass that a key asked for, and a lesson's step, are usually there. What a state doesn't
 * use of the room for its texts takes no memory: a hundred take 3 MB. */
#include "headlight/session/history.h"

#include "headlight/session/derive.h"
#include "headlight/session/fields.h"
#include "headlight/session/panel.h"

#include <stdlib.h>

/* ---- What is kept ---- */

/* The bytes behind the texts are never touched. */
static void history_copy(struct state *to, const struct state *from)
{
    const struct texts *texts = &from->source.texts;
    const char *last = texts_at(texts, texts->count - 1), *end = texts->bytes;
    end = last ? last + strlen(last) + 1 : end;
    memcpy(to, from, (size_t)(end - (const char *)from));
}

/* Writes the first thing but a cursor in which a state differs from one before: "causal off". */
static void history_name_change(const struct session *session, const struct state *now,
                                const struct state *before, char *text, size_t size)
{
    struct field_draft to = {.scene = session_scene(session)}, from = to;
    const bool same = texts_equal(&now->source.texts, &before->source.texts);
    to.scene.look = now->look;
    to.changes = now->source.changes;
    from.scene.look = before->look;
    from.changes = before->source.changes;
    const bool masked = !masked_equal(&now->source.masked, &before->source.masked),
               continues = !generated_equal(&now->source.generated, &before->source.generated);
    snprintf(text, size, "%s", !same ? "text" : masked ? "mask" : "next word");
    if (same && !masked && !continues)
        fields_name_change(&to, &from, text, size);
}

/* Of a state whose text is still to come more is kept than the session can show. */
bool history_keep(struct session *session)
{
    struct history *history = session->history;
    const void *step = panel_is_led(session) ? session->panel->title : NULL;
    char change[CHANGE_NAME] = "";
    if (!session->data.encoded ||
        (session->overlay.kind && session->overlay.kind != OVERLAY_CHANGES))
        return true;
    if (!history && !(history = session->history = calloc(1, sizeof *history)))
        return false;
    struct moment *now = history_moment(history, history->at);
    history->awaits_text = history->awaits_text && !derived_text_is_shown(session);
    if (history->awaits_text)
        return true;
    if (history->count > 0)
        history_name_change(session, &session->state, &now->state, change, sizeof change);
    if (history->count == 0 || *change || (step && step != now->step)) { /* after the present one */
        history->count = history->count > 0 ? history->at + 1 : 0;
        history->first += history->count == HISTORY_MAX;
        history->count -= history->count == HISTORY_MAX;
        history->at = history->count++;
        now = history_moment(history, history->at);
    }
    history_copy(&now->state, &session->state);
    now->pager = session->pager;
    now->step = step;
    return true;
}

/* ---- Back and forward ---- */

/* Twice, as a token's place in a look that merges or hides others is known once that is shown. */
static void history_show(struct session *session, const struct look *look)
{
    struct error error;
    for (int i = 0; i < 2; i++)
        if (derive_look(session, look, &error) != STATUS_OK)
            session_refuse(session, &error);
    session_shown(session);
}

/* States that only differ in their step of a lesson are passed over. A lesson that was left is one
 * step, unless nothing was before it. */
unsigned history_go(struct session *session, int step)
{
    struct history *history = session->history;
    const struct moment *then, *present;
    const bool led = panel_is_led(session);
    size_t to = history ? history->at : 0, past = to + (size_t)step; /* the lesson */
    char change[CHANGE_NAME] = "";
    while (step != 0 && !led && history && past < history->count &&
           history_moment(history, past)->step)
        past += (size_t)step;
    const bool lesson = history && past < history->count && past != to + (size_t)step;
    to = lesson ? past - (size_t)step : to;
    do {
        to += (size_t)step;
        present = history ? history_moment(history, history->at) : NULL;
        then = history ? history_moment(history, to) : NULL;
        if (!history || to >= history->count || (led && then->step != present->step))
            return session_say(session, "nothing to %s%s", step < 0 ? "undo" : "redo",
                               led ? " in this step" : "");
        history_name_change(session, &then->state, &present->state, change, sizeof change);
    } while (step != 0 && !*change);
    const bool same = source_equal(&then->state.source, &session->state.source);
    const struct look shown = session->state.look;
    history_copy(&session->state, &then->state);
    session->state.look = shown;
    session->pager = then->pager;
    session->pager.arrives = 0;
    history_show(session, &then->state.look);
    history->at = to;
    history->awaits_text = (history->awaits_text || !same) && !derived_text_is_shown(session);
    history->shown = session->state.look;
    if (step != 0)
        session_say(session, "%s: %s", step < 0 ? "undo" : "redo",
                    lesson && to == past ? "the lesson" : change);
    return same ? SESSION_REDRAW : SESSION_REDRAW | SESSION_PASS;
}

void history_arrive(struct session *session)
{
    struct history *history = session->history;
    if (!history || !history->awaits_text || !derived_text_is_shown(session))
        return;
    history->awaits_text = false;
    if (look_equal(&history->shown, &session->state.look))
        history_show(session, &history_moment(history, history->at)->state.look);
}
