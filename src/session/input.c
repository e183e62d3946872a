#include "headlight/session/input.h"

#include "headlight/session/edit.h"
#include "headlight/session/find.h"
#include "headlight/session/lesson_menu.h"
#include "headlight/session/menu.h"
#include "headlight/session/panel.h"
#include "headlight/session/request.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

static bool is_printable(uint32_t key)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)key);
    return category != UTF8PROC_CATEGORY_CN && category < UTF8PROC_CATEGORY_ZS;
}

/* Says of a key that can be seen that it means nothing. */
static unsigned refuse_key(struct session *session, uint32_t key)
{
    utf8proc_uint8_t name[8] = "";
    session->typed = 0;
    if (key > 0x10FFFF || !is_printable(key))
        return SESSION_UNCHANGED;
    utf8proc_encode_char((utf8proc_int32_t)key, name);
    session_say(session, "%s does nothing here: %s%s", (const char *)name,
                session->menu      ? "Esc closes the menu"
                : session->lessons ? "Esc closes the list"
                                   : "? lists the keys",
                session->state.look.presented ? ", P ends the presentation" : "");
    return SESSION_REDRAW;
}

static unsigned act_on_key(struct session *session, uint32_t key)
{
    enum action action;
    unsigned bits;
    int digit;
    if (session->menu)
        return menu_key(session, key, &bits) ? bits : refuse_key(session, key);
    if (session->lessons)
        return lesson_menu_key(session, key, &bits) ? bits : refuse_key(session, key);
    if (panel_key(session, key, &bits))
        return bits;
    if (action_of_key(key, &action, &digit))
        return session_act(session, action, digit);
    if (session->help > 0 && key != KEY_CODE_NONE) /* which any key closes */
        return session_act(session, ACTION_CLEAR, 0);
    return refuse_key(session, key);
}

unsigned input_key(struct session *session, uint32_t key)
{
    unsigned bits = session->message[0] || session->told ? SESSION_REDRAW : 0;
    session->telling = false;
    session->told &= session->message[0] != '\0'; /* which hid it */
    if (!session->edit.active)
        session->message[0] = '\0';
    if (key == '\f') /* Ctrl-L, everywhere */
        return bits | session_act(session, ACTION_REDRAW, 0);
    if (session->edit.active)
        return bits | edit_key(session, key);
    if (session->prompt)
        return bits | find_key(session, key);
    if (key & KEY_ALT && key != KEY_CODE_NONE) /* Esc and a key, typed at once */
        bits |= act_on_key(session, KEY_CODE_ESCAPE);
    return bits | act_on_key(session, key != KEY_CODE_NONE ? key & ~KEY_ALT : key);
}

unsigned input_paste(struct session *session, const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    if (session->edit.active)
        return edit_paste(session, text, length);
    if (session->prompt)
        return find_paste(session, text, length);
    session_say(session, "to paste a text, press e first");
    return SESSION_REDRAW;
}

/* ---- Keys from a list ---- */

/* Where nobody waits, what the view's keys walk over is computed before they are pressed. */
static enum status catch_up(struct session *session, struct error *error)
{
    bool needed = !session->attended && !session->edit.active && session->data.trace &&
                  view_at(session->state.look.view)->compares;
    return needed ? request_rest(session, error) : STATUS_OK;
}

static enum status type_key(struct session *session, uint32_t key, struct error *error)
{
    unsigned bits = input_key(session, key);
    if (bits & (SESSION_QUIT | SESSION_SAVE | SESSION_STATE))
        return error_set(error, STATUS_USAGE,
                         "--type: expected keys that change the screen, found one that %s",
                         bits & SESSION_QUIT   ? "quits"
                         : bits & SESSION_SAVE ? "saves it: --snapshot FILE does that"
                                               : "saves the state: --state FILE does that");
    return bits & SESSION_PASS ? request_settle(session, error) : STATUS_OK;
}

/* Types the letters up to the closing quote. Returns what follows it; NULL on an error. */
static const char *type_letters(struct session *session, const char *at, struct error *error)
{
    while (*at && *at != '"') {
        utf8proc_int32_t code;
        utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)at, -1, &code);
        if (used <= 0) {
            code = 0xFFFD;
            used = 1;
        }
        at += used;
        if (type_key(session, (uint32_t)code, error) != STATUS_OK)
            return NULL;
    }
    return *at == '"' ? at + 1 : at;
}

enum status input_type(struct session *session, const char *keys, struct error *error)
{
    while (*(keys += strspn(keys, " "))) {
        size_t length = strcspn(keys, " ");
        if (catch_up(session, error) != STATUS_OK)
            return error->status;
        if (*keys == '"') {
            keys = type_letters(session, keys + 1, error);
            if (!keys)
                return error->status;
            continue;
        }
        uint32_t key = key_named(keys, length);
        if (key == KEY_CODE_NONE)
            return error_set(error, STATUS_USAGE,
                             "--type: expected keys such as Down, Ctrl-U, x or \"text\", found "
                             "\"%.*s\"",
                             (int)length, keys);
        if (type_key(session, key, error) != STATUS_OK)
            return error->status;
        keys += length;
    }
    return STATUS_OK;
}
