#include "headlight/session/click.h"

#include "headlight/session/input.h"
#include "headlight/session/lesson_menu.h"

/* A click on the token under the cursor is Enter. */
static enum action click_token(struct scene *scene, enum side side, size_t token)
{
    size_t *chosen = scene_chosen(scene, side);
    bool pinned = scene_is_pinned(scene);
    if (token >= scene_count(scene, side))
        return ACTION_COUNT;
    if (*chosen == token && scene->look.side == side && !pinned)
        return ACTION_PIN;
    *chosen = token;
    scene->look.query_found = false;
    if (!pinned) /* a token chosen on the other side becomes the pinned one */
        scene->look.side = side;
    return ACTION_COUNT;
}

static enum action click_pair(struct scene *scene, size_t pair)
{
    size_t columns = scene_count(scene, SIDE_RIGHT);
    if (pair >= scene_count(scene, SIDE_LEFT) * columns)
        return ACTION_COUNT;
    scene->look.from = pair / columns;
    scene->look.to = pair % columns;
    scene->look.side = SIDE_RIGHT;
    return ACTION_COUNT;
}

/* The first click chooses a head, in the place of one that is alone; a second shows it alone, and a
 * third all again. */
static enum action click_head(struct scene *scene, size_t head)
{
    struct look *look = &scene->look;
    if (head >= scene->data.head_count)
        return ACTION_COUNT;
    if (look->head == head)
        return ACTION_HEAD_ISOLATE;
    look_move_head(look, head);
    return ACTION_COUNT;
}

static enum action click_view(struct scene *scene, enum view_kind kind)
{
    scene->look.ranked = false;
    look_go_to_view(&scene->look, kind);
    return ACTION_COUNT;
}

/* Changes the look, and returns an action to carry out as well, or ACTION_COUNT. What was drawn may
 * be gone by now: values are checked. */
static enum action click(struct scene *scene, struct hit hit)
{
    const struct view *view = scene_view(scene);
    switch ((enum hit_kind)hit.kind) {
    case HIT_VIEW:
        return click_view(scene, (enum view_kind)hit.value);
    case HIT_LAYER:
        return hit.value ? ACTION_LAYER_NEXT : ACTION_LAYER_PREVIOUS;
    case HIT_HEAD:
        return click_head(scene, hit.value);
    case HIT_FROM:
    case HIT_TO:
        return click_token(scene, hit.kind == HIT_FROM ? SIDE_LEFT : SIDE_RIGHT, hit.value);
    case HIT_PAIR:
    case HIT_CELL:
        return click_pair(scene, hit.value);
    default:
        return view->click ? view->click(scene, hit) : ACTION_COUNT;
    }
}

unsigned session_click(struct session *session, struct hit hit)
{
    struct scene scene = session_scene(session);
    unsigned bits = session->message[0] || session->told ? SESSION_REDRAW : SESSION_UNCHANGED;
    if (session->help > 0) {
        session->help = 0;
        return SESSION_REDRAW;
    }
    if (hit.kind == HIT_KEY)
        return input_key(session, (uint32_t)hit.value);
    if (session->lessons && hit.kind == HIT_LESSON)
        return lesson_menu_begin(session, hit.value);
    if (session->menu || session->lessons) {
        session->menu = session->lessons = false;
        return SESSION_REDRAW;
    }
    session->typed = 0;
    session->telling = false;
    session->told &= session->message[0] != '\0'; /* which hid it */
    if (!session->edit.active)
        session->message[0] = '\0';
    if (hit.kind == HIT_NOTHING || !scene.data.attention)
        return bits;
    enum action action = click(&scene, hit);
    if (action == ACTION_COUNT && look_equal(&scene.look, &session->state.look))
        return bits;
    if (!session_show(session, &scene.look) || action == ACTION_COUNT)
        return SESSION_REDRAW;
    return session_act(session, action, (int)hit.value);
}

unsigned session_hover(struct session *session, struct hit hit)
{
    bool token = hit.kind == HIT_FROM || hit.kind == HIT_TO || hit.kind == HIT_CELL;
    if (!token)
        hit = (struct hit){HIT_NOTHING, 0};
    if (hit.kind == session->hover.kind && hit.value == session->hover.value)
        return SESSION_UNCHANGED;
    session->hover = hit;
    return SESSION_REDRAW;
}
