#include "headlight/session/click.h"

static void click_token(struct session *session, enum side side, size_t token)
{
    struct scene *scene = &session->scene;
    size_t *chosen = scene_chosen(scene, side);
    bool pinned = scene_is_pinned(scene);
    if (*chosen == token && scene->side == side && !pinned) {
        session_act(session, ACTION_PIN, 0);
        return;
    }
    *chosen = token;
    session->query_found = false;
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

/* Whether what was drawn there is still there. */
static bool is_shown(const struct scene *scene, struct hit hit)
{
    size_t heads = scene->head_count, rows = 0, columns = 0;
    if (scene->attention) {
        rows = scene_count(scene, SIDE_LEFT);
        columns = scene_count(scene, SIDE_RIGHT);
    }
    switch (hit.kind) {
    case HIT_HEAD:
        return hit.value < heads;
    case HIT_FROM:
        return hit.value < rows;
    case HIT_TO:
        return hit.value < columns;
    case HIT_PAIR:
        return hit.value < rows * columns;
    case HIT_THUMBNAIL:
        return hit.value < scene->layers * heads;
    case HIT_RANK:
        return scene->ranked && hit.value < scene->layers * heads;
    case HIT_DIMENSION:
        return scene->trace && hit.value < scene->trace->dimensions;
    default:
        return true;
    }
}

static unsigned click(struct session *session, struct hit hit)
{
    struct scene *scene = &session->scene;
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

unsigned session_click(struct session *session, struct hit hit)
{
    if (session->help > 0) {
        session->help = 0;
        return SESSION_REDRAW;
    }
    if (!is_shown(&session->scene, hit))
        return SESSION_UNCHANGED;
    unsigned bits = click(session, hit);
    session_refresh(session);
    return bits;
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
