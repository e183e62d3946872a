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
    if (session->overlay.kind != OVERLAY_EDIT)
        session->message[0] = '\0';
    return bits;
}

unsigned input_key(struct session *session, uint32_t key)
{
    unsigned bits = begin_input(session);
    if (key == '\f') /* Ctrl-L, everywhere */
        return bits | session_act(session, ACTION_REDRAW, 0);
    if (session->overlay.lines[0])
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
    if (session->overlay.lines[0])
        return overlay_paste(session, text, length);
    return session_say(session, "to paste a text, press e first");
}

/* ---- Clicks ---- */

/* A click closes what lies over the picture before it can mean anything in the picture. */
unsigned session_click(struct session *session, struct hit hit)
{
    struct scene scene = session_scene(session);
    const struct look before = scene.look;
    const unsigned place = hit.place[0];
    const bool line = place == HIT_LINE, head = place == HIT(head), /* without a layer */
        listed = scene_view(&scene) != scene.view;                  /* in place of the view */
    if (place == HIT_KEY)
        return input_key(session, (uint32_t)hit.value[0]);
    if (overlay_covers(session) && line)
        return overlay_choose(session, hit.value[0]);
    if (overlay_covers(session)) {
        overlay_close(session);
        return SESSION_REDRAW;
    }
    session->first_digit = 0;
    unsigned bits = begin_input(session);
    if (place == HIT_NOTHING || (line && !listed) || !scene.data.attention)
        return bits;
    if (line)
        scene.look.found.at = hit.value[0];
    else if (!act_address(&scene, &hit))
        return bits;
    if (head) {
        scene.look = before;
        look_move_head(&scene.look, hit.value[0]); /* one shown alone gives way to it */
    }
    /* a line is opened at once, what is chosen already by the second click, as Enter would; a head
     * is shown alone, and by the third click all are */
    const bool same = look_equal(&scene.look, &before),
               token = place == HIT(from) || place == HIT(to);
    if (same && !line && (place == HIT(dimension) || (token && scene_is_pinned(&scene))))
        return bits;
    if (!derive_show(session, &scene.look) || (!line && !same))
        return SESSION_REDRAW;
    return session_act(session, head ? ACTION_HEAD_ISOLATE : ACTION_PIN, 0);
}

/* Only tokens and cells react, so that moving the mouse elsewhere draws nothing anew. */
unsigned session_hover(struct session *session, struct hit hit)
{
    struct scene scene = session_scene(session);
    if (!hit.passing || !scene.data.attention || !act_address(&scene, &hit))
        hit = (struct hit){.place = {HIT_NOTHING}};
    if (hit_equal(hit, session->hover))
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
    if (!session->interactive && session->overlay.kind != OVERLAY_EDIT && session->data.trace &&
        (view_at(look->view)->compares || derive_wants(REQUEST_FOUND, look, &session->data) ||
         derive_wants(REQUEST_SURVEY, look, &session->data) ||
         derive_wants(REQUEST_EFFECTS, look, &session->data)) &&
        request_rest(session, error) != STATUS_OK)
        return error->status;
    const unsigned bits = input_key(session, key);
    if (bits & (SESSION_QUIT | SESSION_SAVE | SESSION_STATE | SESSION_MODEL))
        return error_usage(error, "--type: expected keys that change the screen, found one that %s",
                           bits & SESSION_QUIT    ? "quits"
                           : bits & SESSION_MODEL ? "opens a model: --model NAME does that"
                           : bits & SESSION_SAVE  ? "saves it: --snapshot FILE does that"
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
