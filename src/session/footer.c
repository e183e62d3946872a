/* footer.c: the last line: the keys that apply now, or a message in their place. It decides what to
 * leave out in a narrow window, as the bars do, and what it draws can be clicked. */
#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/overlay.h"
#include "headlight/session/pager.h"
#include "headlight/session/panel.h"
#include "headlight/session/screen.h"

/* ---- Hints ---- */

/* What asks for something takes other keys. */
struct hint footer_own(const struct session *session, struct hint hint)
{
    struct hint own = hint;
    if (!session->overlay.kind)
        bindings_hint(session->bindings, hint.keys, own.keys, sizeof own.keys);
    return own;
}

/* Keys, a blank, and the words. */
static int hint_columns(const struct hint *hint)
{
    return (int)(text_width(hint->keys, false) + text_width(hint->what, false)) + 1;
}

/* Writes a part of a hint that can be clicked in place of pressing its key, unless that is
 * KEY_CODE_NONE. */
static void print_key(struct pen *pen, enum role role, uint32_t key, const char *text, int length)
{
    int begin = pen->x;
    pen_print(pen, role == ROLE_TITLE ? style_bold(role) : style_of(role), "%.*s", length, text);
    if (key != KEY_CODE_NONE)
        pen_mark(pen, begin, hit_at(HIT_KEY, key));
}

/* Left out as a whole if it doesn't fit: half a hint would be misread. */
void footer_hint(struct pen *pen, const struct hint *hint)
{
    uint32_t key = KEY_CODE_NONE;
    if (!hint->keys[0] || pen->x + hint_columns(hint) > pen->end)
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

static void own_hint(const struct session *session, struct pen *pen, struct hint hint)
{
    const struct hint own = footer_own(session, hint);
    footer_hint(pen, &own);
}

/* ---- A lesson's keys ---- */

/* Lesson progress or how to come back to the lesson, and its keys. */
void footer_draw_lesson(const struct session *session, struct pen *pen)
{
    const struct panel *panel = session->panel;
    if (panel->over) {
        if (panel->next) {
            footer_hint(pen, &(struct hint){"Space", "next:"});
            pen_print(pen, style_of(ROLE_TEXT), "%s  ", panel->next);
        }
        footer_hint(pen, &(struct hint){"Backspace", "back"});
    } else if (panel->away) {
        const int begin = pen->x;
        pen_print(pen, style_bold(ROLE_WARNING), "Space");
        pen_print(pen, style_of(ROLE_WARNING), " brings step %zu back", panel->step + 1);
        pen_mark(pen, begin, hit_at(HIT_KEY, KEY_CODE_SPACE));
        pen->x += 2;
    } else {
        pen_print(pen, style_of(ROLE_TEXT), "%zu of %zu", panel->step + 1, panel->steps);
        pen->x += 2;
        bool last = panel->step + 1 == panel->steps;
        footer_hint(pen, last ? &(struct hint){"Space", "end"} : &(struct hint){"Space", "next"});
        if (panel->step > 0)
            footer_hint(pen, &(struct hint){"Backspace", "back"});
    }
    own_hint(session, pen, (struct hint){"L", "leave"});
}

/* ---- The footer ---- */

/* Of the view's own keys, the most important ones first; at the start, when a head has been chosen
 * for the user, before them the key that brings the others. */
static void draw_view_keys(const struct session *session, struct pen *pen)
{
    const struct scene scene = session_scene(session);
    const bool asking = session->overlay.kind, turns = pager_is_open(session);
    const char *hints =
        session->overlay.kind ? overlay_hints(session)
        : scene_view(&scene) == scene.view && !scene.data.trace && session->busy == REQUEST_NONE
            ? "Enter: compute; e: edit"
            : scene_hints(&scene);
    const struct encoded *encoded = session->data.encoded;
    struct hint hint = {"a", "all heads"};
    struct error error;
    const bool continues = generate_check(session, 1, &error) == STATUS_OK;
    if (look_leads_back(&scene.look) && scene_view(&scene) == scene.view && !asking)
        footer_hint(pen, &(struct hint){"Esc", "back"});
    if (turns && !asking)
        own_hint(session, pen,
                 session->state.look.find[0] ? (struct hint){"n N", "found"}
                                             : (struct hint){"n N", "text"});
    if (encoded && encoded->next != encoded && !asking)
        own_hint(session, pen, (struct hint){"A", "attention"});
    /* a text that can go on; and last what hides the token on which the heads of such a model rest
     */
    if (!asking && !strstr(hints, "E:") && continues)
        own_hint(session, pen, (struct hint){"E", "go on"});
    /* only beside a head alone where several could be on: elsewhere no key turns them on */
    const bool alone = session->first_head_named &&
                       scene.look.heads == head_mask_of(scene.look.head) &&
                       scene_view(&scene)->heads == HEADS_CHOSEN && !scene_is_single(&scene);
    if (!alone && !hint_next(&hints, &hint))
        return;
    do /* heads can't be chosen in a map that has one matrix per layer; n leads on to the next text
        */
        if ((session->checkpoint ? strcmp(hint.keys, "M") != 0 ||
                                       tokenizer_mask(session->checkpoint->tokenizer) >= 0
                                 : strlen(hint.keys) != 1 || !strchr("ezM", hint.keys[0])) &&
            (!turns || strcmp(hint.keys, "n") != 0) && (continues || strcmp(hint.keys, "E") != 0) &&
            (scene.data.mean || !scene_is_single(&scene) || strcmp(hint.what, "head") != 0) &&
            (!scene_is_of_all_layers(&scene) || strcmp(hint.what, "layer") != 0))
            own_hint(session, pen, hint);
    while (hint_next(&hints, &hint));
    if (scene_sink(&scene) > 0 && !asking)
        own_hint(session, pen, (struct hint){"H", "first token"});
}

/* A message takes the whole line. Otherwise room for the keys that always apply is kept at the
 * right, fewer in a narrow window and in a lesson, which has a key of its own for the end; except
 * while something is typed or chosen, when they mean nothing. */
void footer_draw(const struct session *session, struct canvas *canvas)
{
    const struct teacher *teacher = session->teacher;
    const bool asking = session->overlay.kind, lesson = panel_is_open(session) && !asking;
    struct hint standing[5];
    struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
    size_t count = 0;
    if (session->message[0]) {
        pen_print(&pen, style_bold(ROLE_WARNING), "%s", session->message);
        return;
    }
    /* until one is finished, the lessons are pointed to; not in files, which don't depend on that
     */
    bool begins = teacher && teacher->lesson_count > 0 && !session->for_file;
    for (size_t i = 0; begins && i < teacher->lesson_count; i++)
        begins = !teacher->lessons[i].done;
    if (!asking && !lesson && canvas->columns >= SCREEN_WIDE)
        standing[count++] = (struct hint){":", "anything"};
    if (!asking && !lesson && canvas->columns >= SCREEN_USUAL && begins)
        standing[count++] = (struct hint){"L", "lessons"};
    if (!asking && !lesson)
        standing[count++] = (struct hint){"Tab", "view"};
    if (!asking) {
        standing[count++] = (struct hint){"?", "help"};
        standing[count++] = (struct hint){"q", "quit"};
    }
    for (size_t i = 0; i < count; i++) {
        standing[i] = footer_own(session, standing[i]);
        pen.end -= hint_columns(&standing[i]) + 2;
    }
    if (session->busy >= REQUEST_PASS && !asking &&
        (!derived_of(session->busy)->continues || view_at(session->state.look.view)->surveys))
        own_hint(session, &pen, (struct hint){"Esc", "cancel"});
    if (lesson)
        footer_draw_lesson(session, &pen);
    else
        draw_view_keys(session, &pen);
    pen.end = canvas->columns - 1;
    for (size_t i = 0; i < count; i++)
        footer_hint(&pen, &standing[i]);
}
