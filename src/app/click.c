#include "headlight/app/click.h"

static void click_token(struct session *session, enum side side, size_t token)
{
    struct scene *scene = &session->scene;
    size_t *chosen = side == SIDE_LEFT ? &scene->from : &scene->to;
    bool pinned = scene_is_pinned(scene);
    if (*chosen == token && scene->side == side && !pinned) {
        session_act(session, ACTION_PIN, 0);
        return;
    }
    *chosen = token;
    if (!pinned) /* with a token of the other side chosen, that one is now the pinned one */
        scene->side = side;
}

/* The first click goes to a head, the second opens it. */
static void click_thumbnail(struct session *session, size_t layer, size_t head)
{
    struct scene *scene = &session->scene;
    if (scene->layer == layer && scene->head == head) {
        session_act(session, ACTION_PIN, 0);
    } else {
        scene->layer = layer;
        scene->head = head;
    }
}

unsigned session_click(struct session *session, struct hit hit)
{
    struct scene *scene = &session->scene;
    if (session->help) {
        session->help = false;
        return SESSION_REDRAW;
    }
    switch (hit.kind) {
    case HIT_VIEW:
        scene->ranked = false;
        session_set_view(session, (enum view_kind)hit.value);
        return SESSION_REDRAW;
    case HIT_LAYER:
        return session_act(session, hit.value ? ACTION_LAYER_NEXT : ACTION_LAYER_PREVIOUS, 0);
    case HIT_HEAD:
        return session_act(session, ACTION_HEAD_DIGIT, (int)hit.value);
    case HIT_FROM:
    case HIT_TO:
        click_token(session, hit.kind == HIT_FROM ? SIDE_LEFT : SIDE_RIGHT, hit.value);
        return SESSION_REDRAW;
    case HIT_PAIR:
        scene->from = hit.value / scene_count(scene, SIDE_RIGHT);
        scene->to = hit.value % scene_count(scene, SIDE_RIGHT);
        scene->side = SIDE_RIGHT;
        return SESSION_REDRAW;
    case HIT_THUMBNAIL:
        click_thumbnail(session, hit.value / scene->head_count, hit.value % scene->head_count);
        return SESSION_REDRAW;
    case HIT_RANK:
        scene->rank = hit.value;
        return session_act(session, ACTION_PIN, 0);
    case HIT_DIMENSION:
        scene->dimension = hit.value;
        return SESSION_REDRAW;
    case HIT_NOTHING:
        break;
    }
    return SESSION_UNCHANGED;
}

unsigned session_hover(struct session *session, struct hit hit)
{
    bool token = hit.kind == HIT_FROM || hit.kind == HIT_TO || hit.kind == HIT_PAIR;
    if (!token)
        hit = (struct hit){HIT_NOTHING, 0};
    if (hit.kind == session->hover.kind && hit.value == session->hover.value)
        return SESSION_UNCHANGED;
    session->hover = hit;
    return SESSION_REDRAW;
}
