/* bars.c: the bars around the picture: views and heads above it, and the footer with the keys that
 * apply now, or a message in their place. Each bar is one row, so all of them decide what to leave
 * out in a narrow window: first come the things that the user is most likely to look for. What they
 * draw can be clicked. */
#include "headlight/session/derive.h"
#include "headlight/session/panel.h"
#include "headlight/session/screen.h"

#include "headlight/base/format.h"
#include "headlight/model/family.h"
#include "headlight/view/answers.h"

#include <stdio.h>
#include <string.h>

/* ---- The views ---- */

/* The least width of a usual window, and of one in which views are spaced out. */
#define USUAL 80
#define WIDE  100

#define LAYER_COLUMNS 24 /* "   layer ‹11› of 0–11", and the margin */
#define MARK_COLUMNS  2  /* " ‹" or "› " in place of hidden views */

/* Says what was written since a column. */
static void pen_mark(const struct pen *pen, int begin, enum hit_kind kind, size_t value)
{
    canvas_mark(pen->canvas, (struct area){pen->y, begin, 1, pen->x - begin}, kind, value);
}

/* Columns of a view's title, with the gap before it. */
static int title_columns(const struct canvas *canvas, enum view_kind view)
{
    return (int)text_width(view_at(view)->title, false) + 2 + (canvas->columns >= WIDE);
}

/* The views that fit, always including the current one: the bar scrolls only as far as needed to
 * show the current view and the one before. */
static struct token_range views_shown(const struct canvas *canvas, enum view_kind current, int room)
{
    struct token_range shown = {0, 0};
    int used = 0;
    for (enum view_kind view = 0; view < VIEW_COUNT; view++)
        used += title_columns(canvas, view);
    if (used <= room)
        return (struct token_range){0, VIEW_COUNT};
    for (used = 2 * MARK_COLUMNS; shown.end < VIEW_COUNT; shown.end++) {
        used += title_columns(canvas, (enum view_kind)shown.end);
        while (used > room && shown.first < current && shown.end <= current)
            used -= title_columns(canvas, (enum view_kind)shown.first++);
        if (used > room && shown.end > current)
            break;
    }
    return shown;
}

/* An arrow that leads to the hidden view on that side. */
static void bars_draw_more(struct pen *pen, const char *arrow, enum view_kind view)
{
    int begin = pen->x;
    pen_print(pen, style_of(ROLE_TITLE), "%s", arrow);
    pen_mark(pen, begin, HIT_VIEW, view);
}

/* Leaves room for the layer. Returns the column where the bar of views ends. */
static int draw_views(const struct session *session, struct canvas *canvas)
{
    struct pen pen = {canvas, 0, 2, canvas->columns};
    pen_print(&pen, style_bold(ROLE_TITLE), "headlight");
    pen.x++;
    struct token_range shown =
        views_shown(canvas, session->state.look.view, canvas->columns - LAYER_COLUMNS - pen.x);
    if (shown.first > 0)
        bars_draw_more(&pen, " ‹", (enum view_kind)(shown.first - 1));
    for (enum view_kind view = (enum view_kind)shown.first; view < shown.end; view++) {
        struct style style = style_of(ROLE_FAINT);
        if (view == session->state.look.view) {
            style = style_bold(ROLE_STRONG);
            style.back = ink_full(ROLE_CURSOR);
        }
        int begin = pen.x += canvas->columns >= WIDE ? 1 : 0;
        pen_print(&pen, style, " %s ", view_at(view)->title);
        pen_mark(&pen, begin, HIT_VIEW, view);
    }
    if (shown.end < VIEW_COUNT)
        bars_draw_more(&pen, "› ", (enum view_kind)shown.end);
    return pen.x;
}

/* "name@refs/pr/1" of "org/name@refs/pr/1": there is no room for the organisation. */
static const char *without_org(const char *model)
{
    size_t begin = strcspn(model, "@");
    while (begin > 0 && model[begin - 1] != '/')
        begin--;
    return model[begin] ? model + begin : model;
}

/* Layer, head, filter, model, and the family unless it is the default; drawn in this order of
 * priority, and what doesn't fit is dropped. */
static void draw_place(const struct session *session, struct canvas *canvas, int begin)
{
    enum { LAYER, HEAD, FILTER, MODEL, FAMILY, PARTS };
    const struct scene scene = session_scene(session);
    const struct view *view = scene.view;
    char parts[PARTS][80] = {""}, name[40];
    int room = canvas->columns - 2 - begin, x = canvas->columns - 2;
    bool all = scene.data.mean && scene.look.averaged == MEAN_LAYERS;
    if (all)
        snprintf(parts[LAYER], sizeof *parts, "all %zu layers", scene.data.layers);
    else
        snprintf(parts[LAYER], sizeof *parts, "layer ‹%zu› of 0–%zu", scene.look.layer,
                 scene.data.layers - 1);
    if (view->heads != HEADS_CHOSEN && !scene_is_single(&scene))
        snprintf(parts[HEAD], sizeof *parts, "head ‹%zu› of 0–%zu", scene.look.head,
                 scene.data.head_count - 1);
    if (scene_is_pair(&scene) && view->shown & SHOWN_PIECES && scene.look.filter == FILTER_ALL)
        snprintf(parts[FILTER], sizeof *parts, "A↔B %s", filter_title(FILTER_ALL));
    text_safe(without_org(scene.data.model), false, name, sizeof name);
    snprintf(parts[MODEL], sizeof *parts, "%s %zu×%zu", name, scene.data.layers,
             scene.data.head_count);
    if (scene.data.family && strcmp(scene.data.family, family_bert.name) != 0)
        text_safe(scene.data.family, false, parts[FAMILY], sizeof *parts);
    for (int i = 0; i < PARTS; i++) {
        int width = (int)text_width(parts[i], canvas_ascii(canvas)) + 3;
        if (width > room)
            parts[i][0] = '\0';
        else if (width > 3)
            room -= width;
    }
    for (int i = PARTS - 1; i >= 0; i--) {
        if (!parts[i][0])
            continue;
        int end = x;
        x = canvas_text_right(canvas, 0, end, canvas->columns,
                              style_of(i >= MODEL ? ROLE_FAINT : ROLE_STRONG), parts[i]);
        if (i == LAYER && !all) { /* its left end goes back, the rest forward */
            canvas_mark(canvas, (struct area){0, x, 1, end - x}, HIT_LAYER, 1);
            canvas_mark(canvas, (struct area){0, x, 1, 7}, HIT_LAYER, 0);
        }
        x -= 3;
    }
}

/* The place gets what the views leave of the first row. */
void bars_draw_views(const struct session *session, struct canvas *canvas)
{
    draw_place(session, canvas, draw_views(session, canvas));
}

/* ---- The heads ---- */

/* The mark of a head of this layer that is off, uniform, or has cuts; or NULL. */
static const char *change_sign(const struct scene *scene, size_t head)
{
    const struct interventions *network = scene->data.network;
    const size_t layer = scene->look.layer;
    if (!network)
        return NULL;
    if (scene_is_off(scene, head))
        return "×";
    if (head_mask_has(network->uniform[layer], head))
        return "=";
    for (size_t i = 0; i < network->cut_count; i++)
        if (network->cuts[i].layer == layer && network->cuts[i].head == head)
            return "/";
    return NULL;
}

/* "■3 ": filled if the head is on, in its hue; a sign in place of the square tells that the network
 * is changed there. A click chooses the head. */
static void draw_head_mark(const struct scene *scene, struct pen *pen, size_t head)
{
    bool current = head == scene->look.head;
    int begin = pen->x;
    bool one = scene->view->heads == HEADS_CURSOR && !scene->data.mean;
    bool on = one ? current : head_mask_has(scene->look.heads, head);
    struct style square = style_legible(scene_ink(scene, head, on ? STYLE_FULL : 6));
    struct style number = on ? style_of(ROLE_TEXT) : style_of(ROLE_FAINT);
    if (current) {
        number = style_bold(ROLE_STRONG);
        number.back = ink_full(ROLE_CURSOR);
    }
    const char *change = change_sign(scene, head);
    if (change)
        pen_print(pen, style_of(ROLE_WARNING), "%s", change);
    else
        pen_print(pen, square, on ? "■" : "□");
    pen_print(pen, number, "%zu", head);
    pen_mark(pen, begin, HIT_HEAD, head);
    pen_print(pen, style_of(ROLE_TEXT), " ");
}

/* The square, the number and a blank. */
static int mark_columns(size_t head)
{
    return head < 10 ? 3 : 4;
}

/* All heads, or as many as fit around the cursor, with arrows for the others. */
static void draw_head_marks(const struct scene *scene, struct pen *pen)
{
    size_t first = 0, end = scene->data.head_count;
    int room = pen->end - pen->x, used = 0;
    for (size_t head = first; head < end; head++)
        used += mark_columns(head);
    if (used > room + 1) { /* the last blank may be cut off */
        first = end = scene->look.head;
        used = 4; /* the arrows */
        for (int before = 0; before != used;) {
            before = used;
            if (end < scene->data.head_count && used + mark_columns(end) <= room)
                used += mark_columns(end++);
            if (first > 0 && used + mark_columns(first - 1) <= room)
                used += mark_columns(--first);
        }
    }
    if (first > 0)
        pen_print(pen, style_of(ROLE_TITLE), "‹ ");
    for (size_t head = first; head < end; head++)
        draw_head_mark(scene, pen, head);
    if (end < scene->data.head_count)
        pen_print(pen, style_of(ROLE_TITLE), "›");
}

/* The settings that shape the picture, in words: "only A→B, words, special hidden, row shade". A
 * view of single pieces says that it ignores these. */
static void describe_shape(const struct scene *scene, char *text, size_t size)
{
    char filter[16] = "";
    enum map_kind map = scene->data.map->kind;
    const char *const parts[] = {
        map != MAP_WEIGHTS && scene->view->shown & SHOWN_MAP ? map_info(map)->name : "",
        filter,
        scene->look.shape.words ? "words" : "",
        scene->look.shape.special == SPECIAL_HIDDEN         ? "special hidden"
        : scene->look.shape.special == SPECIAL_RENORMALISED ? "special hidden, rescaled"
                                                            : "",
        scene->look.tone == TONE_ROOT  ? "root shade"
        : scene->look.tone == TONE_ROW ? "row shade"
                                       : "",
        scene->data.mean && scene->look.averaged == MEAN_HEADS ? "mean of heads"
        : scene->data.mean                                     ? "mean of heads and layers"
                                                               : "",
    };
    bool shaped = scene->look.shape.words || scene->look.shape.special != SPECIAL_SHOWN ||
                  scene->look.filter != FILTER_ALL;
    size_t used = 0;
    text[0] = '\0';
    if (scene->look.filter != FILTER_ALL)
        snprintf(filter, sizeof filter, "only %s", filter_title(scene->look.filter));
    if (!(scene->view->shown & SHOWN_PIECES)) {
        snprintf(text, size, "%s", shaped ? "all tokens, all pieces" : "");
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i][0] && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", parts[i]);
}

/* A pass takes long enough to be watched; so do some derived things. A file gets no milliseconds,
 * so that the same input gives the same bytes. */
void bars_describe_work(const struct session *session, char *text, size_t size)
{
    const struct data *data = &session->data;
    const struct derived *row = data->trace ? derived_of(session->busy) : NULL;
    if (row && row->work) {
        snprintf(text, size, "%s%s%s %zu/%zu", row->work, row == &derived_map ? " " : "",
                 row == &derived_map ? map_info(session->state.look.map)->name : "", session->done,
                 session->total);
        return;
    }
    if (data->trace && data->trace->attended != data->tokens)
        snprintf(text, size, "%zu × %zu tokens", data->tokens, data->trace->attended);
    else
        snprintf(text, size, "%zu tokens", data->tokens);
    if (data->encoded && data->encoded->unknown_count > 0)
        format_add(text, size, ", %zu unknown", data->encoded->unknown_count);
    if (data->encoded && data->encoded->cut > 0)
        format_add(text, size, ", the rest is cut");
    if (data->milliseconds > 0 && !session->for_file)
        format_add(text, size, ", %.1f ms", data->milliseconds);
}

/* Drawn from the right: progress, changes of the network and settings keep their place, and the
 * heads get what is left. */
void bars_draw_heads(const struct session *session, struct canvas *canvas)
{
    const struct scene scene = session_picture(session);
    char facts[96];
    int y = 1;
    bars_describe_work(session, facts, sizeof facts);
    int end = canvas_text_right(canvas, y, canvas->columns - 2, 30, style_of(ROLE_FAINT), facts);
    answers_say(&scene, facts, sizeof facts);
    if (facts[0])
        end = canvas_text_right(canvas, y, end - 3, canvas->columns / 3, style_bold(ROLE_STRONG),
                                facts);
    if (scene.data.changes)
        end =
            canvas_text_right(canvas, y, end - 3, 40, style_bold(ROLE_WARNING), scene.data.changes);
    describe_shape(&scene, facts, sizeof facts);
    if (facts[0])
        end =
            canvas_text_right(canvas, y, end - 3, canvas->columns / 2, style_of(ROLE_TITLE), facts);
    struct pen pen = {canvas, y, 2, end - 2};
    if (scene_is_single(&scene) && !scene.data.mean) {
        pen_print(&pen, style_of(ROLE_FAINT), "one map a layer");
        return;
    }
    pen_print(&pen, style_of(ROLE_FAINT), "heads ");
    draw_head_marks(&scene, &pen);
}

/* ---- Hints ---- */

/* What asks for something takes other keys. */
struct hint footer_own(const struct session *session, struct hint hint)
{
    struct hint own = hint;
    if (!session_is_asking(session))
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
        pen_mark(pen, begin, HIT_KEY, key);
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

/* Only beside a head alone where several could be on: elsewhere no key turns them on. */
static bool says_alone(const struct session *session, const struct scene *scene)
{
    return session->first_head_named && scene->look.heads == head_mask_of(scene->look.head) &&
           scene_view(scene)->heads == HEADS_CHOSEN && !scene_is_single(scene);
}

/* The keys that apply now. */
static const char *hints_of(const struct session *session, const struct scene *scene)
{
    if (session->edit.active)
        return "Enter: done; Esc: cancel; Tab: other sentence; ↑↓: earlier texts; Ctrl-U: clear";
    if (session->list)
        return "↑↓: choose; Enter: do it; Esc: close";
    if (session->prompt)
        return "Enter: keep; Esc: forget";
    if (session->menu)
        return "Esc: close";
    if (!scene->look.ranked && !scene->data.trace && session->busy == REQUEST_NONE)
        return "Enter: compute; e: edit";
    return scene_view(scene)->hints(scene);
}

/* Whether a key needs a model: a recording's text and network can't be changed. */
static bool needs_model(const struct hint *hint)
{
    return strlen(hint->keys) == 1 && strchr("ezM", hint->keys[0]);
}

/* Heads can't be chosen in a map that has one matrix per layer. */
static bool means_something(const struct session *session, const struct scene *scene,
                            const struct hint *hint)
{
    return (session->checkpoint || !needs_model(hint)) &&
           (scene->data.mean || !scene_is_single(scene) || strcmp(hint->what, "head") != 0);
}

/* ---- A lesson's keys ---- */

/* The user has changed the state of a step: Space doesn't go on but restores it, so it is drawn as
 * a warning. */
static void draw_away(const struct session *session, struct pen *pen)
{
    int begin = pen->x;
    pen_print(pen, style_bold(ROLE_WARNING), "Space");
    pen_print(pen, style_of(ROLE_WARNING), " brings step %zu back", session->panel->step + 1);
    pen_mark(pen, begin, HIT_KEY, KEY_CODE_SPACE);
    pen->x += 2;
}

/* Lesson progress or how to come back to the lesson, and its keys. */
static void footer_draw_lesson(const struct session *session, struct pen *pen)
{
    const struct panel *panel = session->panel;
    if (panel->over) {
        footer_hint(pen, panel->next ? &(struct hint){"Space", "next:"}
                                     : &(struct hint){"Space", "end"});
        pen_print(pen, style_of(ROLE_TEXT), "%s  ", panel->next ? panel->next : "");
        footer_hint(pen, &(struct hint){"Backspace", "back"});
    } else if (panel->away) {
        draw_away(session, pen);
    } else {
        pen_print(pen, style_of(ROLE_TEXT), "%zu of %zu", panel->step + 1, panel->steps);
        pen->x += 2;
        bool last = panel->step + 1 == panel->steps;
        footer_hint(pen, last ? &(struct hint){"Space", "end"} : &(struct hint){"Space", "next"});
        if (panel->step > 0)
            footer_hint(pen, &(struct hint){"Backspace", "back"});
    }
    const struct hint leave = footer_own(session, (struct hint){"L", "leave"});
    footer_hint(pen, &leave);
}

/* In a presentation this is all that is said of keys. */
void footer_draw_led(const struct session *session, struct canvas *canvas)
{
    struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
    footer_draw_lesson(session, &pen);
}

/* ---- The footer ---- */

/* Of the view's own keys, the most important ones first; at the start, when a head has been chosen
 * for the user, before them the key that brings the others. */
static void draw_view_keys(const struct session *session, struct pen *pen)
{
    const struct scene scene = session_scene(session);
    const char *hints = hints_of(session, &scene);
    struct hint hint = {"a", "all heads"}, own;
    if (!says_alone(session, &scene) && !hint_next(&hints, &hint))
        return;
    do {
        own = footer_own(session, hint);
        if (means_something(session, &scene, &hint))
            footer_hint(pen, &own);
    } while (hint_next(&hints, &hint));
}

/* Until one is finished, the lessons are pointed to. */
static bool wants_lesson(const struct session *session)
{
    const struct teacher *teacher = session->teacher;
    for (size_t i = 0; teacher && i < teacher->lesson_count; i++)
        if (teacher->lessons[i].done)
            return false;
    return teacher && teacher->lesson_count > 0;
}

#define STANDING 5

/* The keys that always apply, at the right; fewer in a narrow window and in a lesson, which has a
 * key of its own for the end. Returns how many. */
static size_t standing_hints(const struct session *session, int columns, bool lesson,
                             struct hint hints[STANDING])
{
    size_t count = 0;
    if (!lesson && columns >= WIDE)
        hints[count++] = (struct hint){":", "anything"};
    if (!lesson && columns >= USUAL && wants_lesson(session))
        hints[count++] = (struct hint){"L", "lessons"};
    if (!lesson)
        hints[count++] = (struct hint){"Tab", "view"};
    hints[count++] = (struct hint){"?", "help"};
    hints[count++] = (struct hint){"q", "quit"};
    for (size_t i = 0; i < count; i++)
        hints[i] = footer_own(session, hints[i]);
    return count;
}

/* A message takes the whole line. Otherwise room for the keys that always apply is kept at the
 * right, except while something is typed or chosen, when they mean nothing. */
void footer_draw(const struct session *session, struct canvas *canvas)
{
    const struct hint busy = footer_own(session, (struct hint){"Esc", "cancel"});
    struct hint standing[STANDING];
    struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
    bool asking = session_is_asking(session), lesson = panel_is_open(session) && !asking;
    size_t count = asking ? 0 : standing_hints(session, canvas->columns, lesson, standing);
    if (session->message[0]) {
        pen_print(&pen, style_bold(ROLE_WARNING), "%s", session->message);
        return;
    }
    for (size_t i = 0; i < count; i++)
        pen.end -= hint_columns(&standing[i]) + 2;
    if (session->busy >= REQUEST_PASS && !asking)
        footer_hint(&pen, &busy);
    if (lesson)
        footer_draw_lesson(session, &pen);
    else
        draw_view_keys(session, &pen);
    pen.end = canvas->columns - 1;
    for (size_t i = 0; i < count; i++)
        footer_hint(&pen, &standing[i]);
}
