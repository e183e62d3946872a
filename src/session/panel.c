#include "headlight/session/panel.h"

#include "headlight/session/lesson_menu.h"

/* ---- Keys ---- */

bool panel_is_open(const struct session *session)
{
    return session->panel && session->panel->open;
}

/* A panel alone, in a picture of a step, has nobody to ask. */
static bool is_led(const struct session *session)
{
    return session->teacher && panel_is_open(session);
}

unsigned panel_ask(struct session *session, enum teaching what, size_t lesson)
{
    const struct teacher *teacher = session->teacher;
    session->taught = true;
    unsigned bits = teacher->act(teacher->context, session, what, lesson);
    session->taught = false;
    return bits | SESSION_REDRAW;
}

bool panel_key(struct session *session, uint32_t key, unsigned *bits)
{
    bool on = key == KEY_CODE_SPACE;
    if (!is_led(session) || session->help > 0 || (!on && key != KEY_CODE_BACKSPACE))
        return false;
    session->typed = 0;
    *bits = panel_ask(session, on ? TEACH_ON : TEACH_BACK, 0);
    return true;
}

unsigned panel_leave_or_list(struct session *session)
{
    return is_led(session) ? panel_ask(session, TEACH_LEAVE, 0) : lesson_menu_open(session);
}
