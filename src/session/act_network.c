#include "headlight/model/head_mask.h"
#include "headlight/session/act.h"
#include "headlight/session/act_parts.h"
#include "headlight/session/edit.h"

static void switch_head(struct session *session)
{
    const struct scene *scene = &session->scene;
    uint64_t *off = &session->changes.off[scene->layer];
    *off = head_mask_toggle(*off, scene->head);
    session_say(session, "layer %zu head %zu is switched %s in the network", scene->layer,
                scene->head, head_mask_has(*off, scene->head) ? "off" : "on again");
}

/* As it was trained, causal, not scaled, both. */
static void change_attention(struct session *session)
{
    struct interventions *changes = &session->changes;
    unsigned state = (unsigned)changes->causal + 2 * (unsigned)changes->unscaled;
    static const char *const what[] = {
        "attention as it was trained",
        "causal: a token attends to itself and to those before it",
        "scores are not divided by the root of a head's dimensions",
        "causal, and scores are not divided by the root of a head's dimensions",
    };
    state = (state + 1) % 4;
    changes->causal = state & 1;
    changes->unscaled = state & 2;
    session_say(session, "%s", what[state]);
}

bool act_on_network(struct session *session, enum action action, unsigned *bits)
{
    if (action != ACTION_OFF && action != ACTION_NETWORK)
        return false;
    *bits = SESSION_REDRAW;
    if (!session->checkpoint) {
        session_say(session, "a recording's network can't be changed: it is not here");
        return true;
    }
    *bits |= edit_compute_again(session); /* drops what was said; the pass comes later */
    if (!(*bits & SESSION_TEXT))
        return true;
    if (action == ACTION_OFF)
        switch_head(session);
    else
        change_attention(session);
    return true;
}
