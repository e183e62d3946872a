/* search.c: tokens that contain a text: the line in which it is typed, and going from one to the
 * next. */
#include "headlight/session/act.h"

#include "headlight/base/format.h"
#include "headlight/session/overlay.h"
#include "headlight/session/turn.h"

/* The look keeps the text, so that views mark what is found and n repeats the search. */
static void mark(struct session *session, const char *text)
{
    struct look *look = &session->state.look;
    format_cut(look->find, sizeof look->find, "%s", text);
}

unsigned search_begin(struct session *session)
{
    const unsigned bits = overlay_open(session, OVERLAY_FIND);
    if (session->overlay.kind == OVERLAY_FIND)
        mark(session, "");
    return bits;
}

/* Only tokens that the filter leaves on the cursor's side are searched. */
bool search_step(struct session *session, bool forward, bool round)
{
    struct scene scene = session_scene(session);
    enum side side = scene.look.side;
    struct token_range range = scene_range(&scene, side);
    size_t cursor = scene_token(&scene, side), count = range.end - range.first;
    size_t start = cursor != NO_TOKEN ? cursor - range.first : forward ? count - 1 : 0;
    for (size_t i = 1; i <= count; i++) {
        size_t token = range.first + (start + (forward ? i : count - i)) % count;
        const bool past = forward ? token <= cursor : token >= cursor;
        if (!scene_is_found(&scene, side, token) || (!round && cursor != NO_TOKEN && past))
            continue;
        *scene_chosen(&scene, side) = token;
        scene.look.query_found = false; /* the user's now */
        session->state.look = scene.look;
        return true;
    }
    return false;
}

unsigned search_go(struct session *session, bool forward)
{
    const char *wanted = session->state.look.find;
    if (search_step(session, forward, true))
        return SESSION_REDRAW;
    if (*wanted && session->overlay.editor && turn_is_open(session))
        return session_say(session, "not in this text: Enter goes to the next that has \"%s\"",
                           wanted);
    if (*wanted)
        return session_say(session, "no token contains \"%s\"", wanted);
    return session_say(session, "nothing to find yet: press / and type");
}

/* The token under the cursor comes first: typing on doesn't leave it while it still matches. */
unsigned search_typed(struct session *session)
{
    mark(session, editor_text(session->overlay.editor));
    session->message[0] = '\0';
    const struct scene scene = session_scene(session);
    const enum side side = scene.look.side;
    const size_t cursor = scene_token(&scene, side);
    if (scene.look.find[0] && (cursor == NO_TOKEN || !scene_is_found(&scene, side, cursor)))
        search_go(session, true);
    return SESSION_REDRAW;
}

/* A search goes on in other texts, if this one hasn't got it. */
unsigned search_keep(struct session *session)
{
    overlay_close(session);
    return turn_is_open(session) ? turn_find(session) : SESSION_REDRAW;
}

unsigned search_forget(struct session *session)
{
    mark(session, "");
    return SESSION_REDRAW;
}
