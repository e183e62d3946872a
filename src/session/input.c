/* input.c: interprets keys, pasted text and clicks: as input to the editor, a menu, a lesson or the
 * help, or as an action of the table. What is open takes the key first. Keys and clicks of a script
 * (--type) go the same way as those of the terminal. */
#include "headlight/session/act.h"

#include "headlight/session/history.h"
#include "headlight/session/overlay.h"
#include "headlight/session/panel.h"
#include "headlight/session/request.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>

/* What is open takes the key first, a lesson only what leads through it. One that has no meaning is
 * named. */
static unsigned act_on_key(struct session *session, uint32_t key)
{
    enum action action;
    int digit;
    unsigned bits = session->overlay.kind ? overlay_key(session, key) : SESSION_PASSED;
    if (bits == SESSION_PASSED && !session->overlay.kind)
        bits = panel_key(session, key);
    if (bits != SESSION_PASSED)
        return bits;
    if (!session->overlay.kind && action_of_key(session->bindings, key, &action, &digit))
        return session_act(session, action, digit);
    char letter[UNICODE_BYTES + 1] = "";
    const char *name = key_word(key);
    session->first_digit = 0;
    if (key > KEY_CODE_SPACE && key <= 0x10FFFF && !is_unseen((int32_t)key))
        unicode_encode((int32_t)key, letter);
    return session_say(session, "%s does nothing here: %s%s",
                       *letter ? letter
                       : name  ? name
                               : "this key",
                       session->overlay.kind == OVERLAY_CHANGES ? "Esc closes the menu"
                       : session->overlay.kind                  ? "Esc closes the list"
                                                                : "? lists the keys",
                       session->state.look.presented ? ", P ends the presentation" : "");
}

/* Keeps the state, and takes down what the footer says until the next key or click. A history with
 * a gap is better than a key that does nothing. */
static unsigned begin_input(struct session *session)
{
    history_keep(session);
    bool offered = session->message[0] || session->first_head_named || session->offered;
    unsigned bits = offered ? SESSION_REDRAW : 0;
    session->first_head_due = session->offered = false;
    session->first_head_named &= session->message[0] != '\0'; /* the message hid it */
    if (!session->edit.active)
        session->message[0] = '\0';
    return bits;
}

unsigned input_key(struct session *session, uint32_t key)
{
    unsigned bits = begin_input(session);
    if (key == '\f') /* Ctrl-L, everywhere */
        return bits | session_act(session, ACTION_REDRAW, 0);
    if (session->edit.active && key == KEY_CODE_ESCAPE) { /* all is as it was */
        edit_end(&session->edit);
        session->message[0] = '\0';
        return bits | history_go(session, 0);
    }
    if (session->edit.active)
        return bits | edit_key(session, key);
    if (session->overlay.editor)
        return bits | overlay_key(session, key);
    if (key & KEY_ALT && key != KEY_CODE_NONE) /* Alt and a key, or Esc and a key typed quickly */
        bits |= act_on_key(session, KEY_CODE_ESCAPE);
    return bits | act_on_key(session, key != KEY_CODE_NONE ? key & ~KEY_ALT : key);
}

/* A newline at the end comes with most copied lines, and would be typed as a blank. */
unsigned input_paste(struct session *session, const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    if (session->edit.active)
        return edit_paste(session, text, length);
    if (session->overlay.editor)
        return overlay_paste(session, text, length);
    return session_say(session, "to paste a text, press e first");
}

/* ---- Clicks ---- */

/* Changes the look, and returns an action to carry out as well, or ACTION_COUNT. The picture may
 * have changed since the click: values are checked. */
static enum action click_on(struct scene *scene, struct hit hit)
{
    const struct view *part = scene_part(scene);
    struct look *look = &scene->look;
    const size_t columns = scene_count(scene, SIDE_RIGHT);
    const enum side side = hit.kind == HIT_FROM ? SIDE_LEFT : SIDE_RIGHT;
    const bool pinned = scene_is_pinned(scene);
    switch ((enum hit_kind)hit.kind) {
    case HIT_VIEW:
        look->ranked = look->found.shown = false;
        scene_go_to_view(scene, (enum view_kind)hit.value);
        return ACTION_COUNT;
    case HIT_LAYER:
        return hit.value ? ACTION_LAYER_NEXT : ACTION_LAYER_PREVIOUS;
    case HIT_HEAD: /* selected, replacing one shown alone; a second shows it alone, a third all */
        if (hit.value < scene->data.head_count && look->head == hit.value)
            return ACTION_HEAD_ISOLATE;
        if (hit.value < scene->data.head_count)
            look_move_head(look, hit.value);
        return ACTION_COUNT;
    case HIT_FROM:
    case HIT_TO:
        if (hit.value >= scene_count(scene, side))
            return ACTION_COUNT;
        if (*scene_chosen(scene, side) == hit.value && look->side == side && !pinned)
            return ACTION_PIN; /* on the token under the cursor it is Enter */
        *scene_chosen(scene, side) = hit.value;
        look->query_found = false;
        look->side = pinned ? look->side : side; /* one on the other side is pinned */
        return ACTION_COUNT;
    case HIT_PAIR:
    case HIT_CELL: /* on the attended side ↑ and ↓ compare other tokens with the same one */
        if (hit.value < scene_count(scene, SIDE_LEFT) * columns) {
            look->from = hit.value / columns;
            look->to = hit.value % columns;
            look->side = SIDE_RIGHT;
        }
        return ACTION_COUNT;
    case HIT_POINT:
        look->layer = hit.value < scene->data.layers ? hit.value : look->layer;
        return ACTION_COUNT;
    case HIT_DIMENSION:
        if (scene->data.trace && hit.value < scene->data.trace->dimensions)
            look->dimension = hit.value;
        return ACTION_COUNT;
    default:
        return part->click ? part->click(scene, hit) : ACTION_COUNT;
    }
}

/* A click closes what lies over the picture before it can mean anything in the picture. */
unsigned session_click(struct session *session, struct hit hit)
{
    struct scene scene = session_scene(session);
    if (hit.kind == HIT_KEY)
        return input_key(session, (uint32_t)hit.value);
    if (overlay_covers(session) && hit.kind == HIT_LINE)
        return overlay_choose(session, hit.value);
    if (overlay_covers(session)) {
        overlay_close(session);
        return SESSION_REDRAW;
    }
    session->first_digit = 0;
    unsigned bits = begin_input(session);
    if (hit.kind == HIT_NOTHING || !scene.data.attention)
        return bits;
    enum action action = click_on(&scene, hit);
    if (action == ACTION_COUNT && look_equal(&scene.look, &session->state.look))
        return bits;
    if (!session_show(session, &scene.look) || action == ACTION_COUNT)
        return SESSION_REDRAW;
    return session_act(session, action, (int)hit.value);
}

/* Only tokens react, so that moving the mouse elsewhere draws nothing anew. */
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

/* ---- Keys from a list ---- */

/* In a script, what the view's keys need is computed before they are pressed. Keys must not end the
 * program or write files: other options do that where they can be seen. */
enum status input_type_next(struct session *session, struct typing *typing, struct error *error)
{
    const char *at = typing->rest;
    int32_t code = 0;
    while ((*at == ' ' && !typing->quoted) || *at == '"')
        typing->quoted ^= *at++ == '"';
    const size_t length =
        *at && typing->quoted ? unicode_next(at, strlen(at), &code) : strcspn(at, " ");
    const uint32_t key = typing->quoted ? (uint32_t)code : key_named(at, length);
    const size_t digits = strspn(at, "0123456789");
    const bool pause = !typing->quoted && digits > 0 && digits < 7 && length == digits + 2 &&
                       strncmp(at + digits, "ms", 2) == 0;
    typing->rest = at + length;
    typing->pause = pause ? strtoul(at, NULL, 10) : 0;
    if (length == 0 || typing->pause > 0)
        return STATUS_OK;
    if (key == KEY_CODE_NONE)
        return error_usage(error,
                           "--type: expected keys such as Down, Ctrl-U, x or \"text\", found "
                           "\"%.*s\"",
                           (int)length, at);
    const struct look *look = &session->state.look;
    if (!session->interactive && !session->edit.active && session->data.trace &&
        (view_at(look->view)->compares || derive_wants(REQUEST_FOUND, look, &session->data) ||
         derive_wants(REQUEST_SURVEY, look, &session->data) ||
         derive_wants(REQUEST_EFFECTS, look, &session->data)) &&
        request_rest(session, error) != STATUS_OK)
        return error->status;
    const unsigned bits = input_key(session, key);
    if (bits & (SESSION_QUIT | SESSION_SAVE | SESSION_STATE))
        return error_usage(error, "--type: expected keys that change the screen, found one that %s",
                           bits & SESSION_QUIT   ? "quits"
                           : bits & SESSION_SAVE ? "saves it: --snapshot FILE does that"
                                                 : "saves the state: --state FILE does that");
    return bits & SESSION_PASS ? request_settle(session, error) : STATUS_OK;
}

enum status input_type(struct session *session, const char *keys, struct error *error)
{
    struct typing typing = {.rest = keys};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && *typing.rest)
        status = input_type_next(session, &typing, error);
    return status;
}
