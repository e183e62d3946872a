#include "headlight/session/footer.h"

#include "headlight/session/panel.h"

#include <string.h>

static int hint_columns(const struct hint *hint)
{
    return (int)(text_width(hint->keys, false) + text_width(hint->what, false)) + 1;
}

static void print_key(struct pen *pen, enum role role, uint32_t key, const char *text, int length)
{
    int begin = pen->x;
    pen_print(pen, role == ROLE_TITLE ? style_bold(role) : style_of(role), "%.*s", length, text);
    if (key != KEY_CODE_NONE)
        canvas_mark(pen->canvas, (struct area){pen->y, begin, 1, pen->x - begin}, HIT_KEY, key);
}

void footer_hint(struct pen *pen, const struct hint *hint)
{
    uint32_t key = KEY_CODE_NONE;
    if (pen->x + hint_columns(hint) > pen->end)
        return;
    for (const char *keys = hint->keys; *keys;) {
        size_t length = strspn(keys, " ");
        print_key(pen, ROLE_TITLE, key, keys, (int)length);
        keys += length;
        length = key_hinted(keys, &key);
        print_key(pen, ROLE_TITLE, key, keys, (int)length);
        keys += length;
    }
    print_key(pen, ROLE_FAINT, key, " ", 1);
    print_key(pen, ROLE_FAINT, key, hint->what, (int)strlen(hint->what));
    pen->x += 2;
}

/* Only beside a head that is alone where others could be: elsewhere no key brings them. */
static bool says_alone(const struct session *session, const struct scene *scene)
{
    return session->told && scene->look.heads == head_mask_of(scene->look.head) &&
           scene_view(scene)->heads == HEADS_CHOSEN && !scene_is_single(scene);
}

/* The keys that matter now. */
static const struct hint *hints_of(const struct session *session, const struct scene *scene)
{
    static const struct hint empty[] = {{"Enter", "compute"}, {"e", "edit"}, {NULL, NULL}};
    static const struct hint told[] = {{"a", "all heads"}, {"e", "edit"}, {NULL, NULL}};
    static const struct hint menu[] = {{"Esc", "close"}, {NULL, NULL}};
    static const struct hint lessons[] = {
        {"↑↓", "choose"}, {"Enter", "begin"}, {"Esc", "close"}, {NULL, NULL}};
    static const struct hint asking[] = {{"Enter", "keep"}, {"Esc", "forget"}, {NULL, NULL}};
    static const struct hint editing[] = {{"Enter", "done"},         {"Esc", "cancel"},
                                          {"Tab", "other sentence"}, {"↑↓", "earlier texts"},
                                          {"Ctrl-U", "clear"},       {NULL, NULL}};
    if (session->edit.active)
        return editing;
    if (session->prompt)
        return asking;
    if (session->menu)
        return menu;
    if (session->lessons)
        return lessons;
    if (!scene->look.ranked && !scene->data.trace && session->busy == REQUEST_NONE)
        return empty;
    if (says_alone(session, scene))
        return told;
    return scene_view(scene)->hints(scene);
}

/* What a recording refuses: its text and its network stay. */
static bool needs_model(const struct hint *hint)
{
    return strcmp(hint->keys, "e") == 0 || strcmp(hint->keys, "z") == 0 ||
           strcmp(hint->keys, "M") == 0;
}

/* Of one map a layer no head is chosen. */
static bool means_something(const struct session *session, const struct scene *scene,
                            const struct hint *hint)
{
    return (session->checkpoint || !needs_model(hint)) &&
           (scene->data.mean || !scene_is_single(scene) || strcmp(hint->what, "head") != 0);
}

/* ---- A lesson's ---- */

static void draw_away(const struct session *session, struct pen *pen)
{
    int begin = pen->x;
    pen_print(pen, style_bold(ROLE_WARNING), "Space");
    pen_print(pen, style_of(ROLE_WARNING), " brings step %zu back", session->panel->step + 1);
    canvas_mark(pen->canvas, (struct area){pen->y, begin, 1, pen->x - begin}, HIT_KEY,
                KEY_CODE_SPACE);
    pen->x += 2;
}

void footer_draw_away(const struct session *session, struct canvas *canvas)
{
    struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
    if (panel_is_open(session) && session->panel->away)
        draw_away(session, &pen);
}

/* How far it is, or how to come back to it, and what leads on. */
static void draw_lesson(const struct session *session, struct pen *pen)
{
    const struct panel *panel = session->panel;
    if (panel->away) {
        draw_away(session, pen);
    } else {
        pen_print(pen, style_of(ROLE_TEXT), "%zu of %zu", panel->step + 1, panel->steps);
        pen->x += 2;
        footer_hint(pen, &(struct hint){"Space", panel->step + 1 < panel->steps ? "on" : "end"});
        if (panel->step > 0)
            footer_hint(pen, &(struct hint){"Backspace", "back"});
    }
    footer_hint(pen, &(struct hint){"L", "leave"});
}

/* ---- The whole ---- */

static void draw_view_keys(const struct session *session, struct pen *pen)
{
    const struct scene scene = session_scene(session);
    const struct hint *own = hints_of(session, &scene);
    if (says_alone(session, &scene) && !session_is_asking(session)) {
        pen_print(pen, style_of(ROLE_TEXT), "layer %zu head %zu alone", scene.look.layer,
                  scene.look.head);
        pen->x += 2;
    }
    for (size_t i = 0; own[i].keys; i++)
        if (means_something(session, &scene, &own[i]))
            footer_hint(pen, &own[i]);
}

void footer_draw(const struct session *session, struct canvas *canvas)
{
    static const struct hint always[] = {{"Tab", "view"}, {"?", "help"}, {"q", "quit"}};
    static const struct hint busy = {"Esc", "cancel"};
    struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
    bool asking = session_is_asking(session), lesson = panel_is_open(session) && !asking;
    if (session->message[0]) {
        pen_print(&pen, style_bold(ROLE_WARNING), "%s", session->message);
        return;
    }
    for (size_t i = lesson; !asking && i < sizeof always / sizeof *always; i++)
        pen.end -= hint_columns(&always[i]) + 2;
    if (session->busy >= REQUEST_PASS && !asking)
        footer_hint(&pen, &busy);
    if (lesson)
        draw_lesson(session, &pen);
    else
        draw_view_keys(session, &pen);
    pen.end = canvas->columns - 1;
    for (size_t i = lesson; !asking && i < sizeof always / sizeof *always; i++)
        footer_hint(&pen, &always[i]);
}
