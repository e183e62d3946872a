#include "headlight/app/screen.h"

#include "headlight/app/actions.h"

#include <stdio.h>
#include <string.h>

/* ---- The two bars above ---- */

/* Returns where the bar of views ends. */
static int draw_views(const struct session *session, struct canvas *canvas)
{
    struct pen pen = {canvas, 0, 2, canvas->columns};
    pen_print(&pen, style_bold(ROLE_TITLE), "headlight");
    pen.x++;
    for (int view = 0; view < VIEW_COUNT; view++) {
        struct style style = style_of(ROLE_FAINT);
        if (view == (int)session->scene.view) {
            style = style_bold(ROLE_STRONG);
            style.back = ink_full(ROLE_CURSOR);
        }
        int begin = ++pen.x;
        pen_print(&pen, style, " %s ", scene_view_title((enum view_kind)view));
        canvas_mark(canvas, (struct area){0, begin, 1, pen.x - begin}, HIT_VIEW, (size_t)view);
    }
    return pen.x;
}

/* Where we are: layer, head, filter, model. In that order a part is dropped that finds no room. */
static void draw_place(const struct session *session, struct canvas *canvas, int begin)
{
    enum { LAYER, HEAD, FILTER, MODEL, PARTS };
    const struct scene *scene = &session->scene;
    char parts[PARTS][80] = {""}, name[40];
    int room = canvas->columns - 2 - begin, x = canvas->columns - 2;
    snprintf(parts[LAYER], sizeof *parts, "layer ‹%zu› of %zu", scene->layer, scene->layers);
    if (scene->view != VIEW_HEAD)
        snprintf(parts[HEAD], sizeof *parts, "head ‹%zu› of %zu", scene->head, scene->head_count);
    if (scene_is_pair(scene))
        snprintf(parts[FILTER], sizeof *parts, scene->filter == FILTER_ALL ? "A↔B %s" : "%s",
                 scene_filter_title(scene->filter));
    text_safe(scene->model, false, name, sizeof name);
    snprintf(parts[MODEL], sizeof *parts, "%s %zu×%zu", name, scene->layers, scene->head_count);
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
                              style_of(i == MODEL ? ROLE_FAINT : ROLE_STRONG), parts[i]);
        if (i == LAYER) { /* the mark on the left leads back, the rest on */
            canvas_mark(canvas, (struct area){0, x, 1, end - x}, HIT_LAYER, 1);
            canvas_mark(canvas, (struct area){0, x, 1, 7}, HIT_LAYER, 0);
        }
        x -= 3;
    }
}

static void draw_head_mark(const struct scene *scene, struct pen *pen, size_t head)
{
    bool current = head == scene->head;
    int begin = pen->x;
    bool on = scene_shows_one_head(scene) ? current : scene->heads >> head & 1;
    struct style square = {.fore = ink_head(head, on ? STYLE_FULL : 6)};
    struct style number = on ? style_of(ROLE_TEXT) : style_of(ROLE_FAINT);
    if (current) {
        number = style_bold(ROLE_STRONG);
        number.back = ink_full(ROLE_CURSOR);
    }
    pen_print(pen, square, on ? "■" : "□");
    pen_print(pen, number, "%zu", head);
    canvas_mark(pen->canvas, (struct area){pen->y, begin, 1, pen->x - begin}, HIT_HEAD, head);
    pen_print(pen, style_of(ROLE_TEXT), " ");
}

static void draw_heads(const struct session *session, struct canvas *canvas)
{
    const struct scene *scene = &session->scene;
    char facts[64];
    int y = 1;
    if (scene->milliseconds > 0)
        snprintf(facts, sizeof facts, "%zu tokens, %.1f ms", scene->tokens, scene->milliseconds);
    else
        snprintf(facts, sizeof facts, "%zu tokens", scene->tokens);
    int end = canvas_text_right(canvas, y, canvas->columns - 2, 30, style_of(ROLE_FAINT), facts);
    if (scene->changes) {
        char text[100];
        snprintf(text, sizeof text, "%s   ", scene->changes);
        end = canvas_text_right(canvas, y, end, 40, style_bold(ROLE_WARNING), text);
    }
    struct pen pen = {canvas, y, 2, end - 2};
    pen_print(&pen, style_of(ROLE_FAINT), "heads ");
    for (size_t head = 0; head < scene->head_count; head++)
        draw_head_mark(scene, &pen, head);
}

/* ---- The footer ---- */

struct hint {
    const char *keys, *what;
};

#define HINTS 5 /* of a view's own */

static void draw_hint(struct pen *pen, const struct hint *hint)
{
    int width = (int)(text_width(hint->keys, false) + text_width(hint->what, false)) + 1;
    if (pen->x + width > pen->end)
        return;
    pen_print(pen, style_bold(ROLE_TITLE), "%s", hint->keys);
    pen_print(pen, style_of(ROLE_FAINT), " %s", hint->what);
    pen->x += 2;
}

static void draw_footer(const struct session *session, struct canvas *canvas)
{
    static const struct hint hints[VIEW_COUNT][HINTS] = {
        [VIEW_HEAD] =
            {{"↑↓", "token"}, {"Enter", "pin"}, {"←→", "layer"}, {"0-9", "head"}, {"i", "alone"}},
        [VIEW_NEURON] =
            {{"↑↓", "query"}, {"Enter", "keys"}, {"←→", "layer"}, {"0-9", "head"}, {"< >", "dim"}},
        [VIEW_MODEL] = {{"↑↓", "layer"}, {"←→", "head"}, {"Enter", "open"}, {"f", "sentences"}},
        [VIEW_MATRIX] = {{"↑↓", "row"},
                         {"←→", "column"},
                         {"{ }", "layer"},
                         {"0-9", "head"},
                         {"f", "sentences"}},
    };
    static const struct hint always[] = {{"Tab", "view"}, {"?", "help"}, {"q", "quit"}};
    const struct hint *own = hints[session->scene.view];
    struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
    for (size_t i = 0; i < HINTS && own[i].keys; i++)
        draw_hint(&pen, &own[i]);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        draw_hint(&pen, &always[i]);
}

/* ---- The help ---- */

/* One line an action, a heading a group. Where one column is too short, the second half of the
 * groups stands in a second one. */
static void draw_help(struct canvas *canvas)
{
    bool columns = canvas->rows < ACTION_COUNT + 10;
    int width = columns ? (canvas->columns - 2) / 2 : canvas->columns - 2;
    int y = 2, x = 2, groups = 0;
    const char *group = "";
    canvas_text(canvas, 0, 2, canvas->columns - 4, style_bold(ROLE_TITLE), "headlight: keys");
    canvas_text_right(canvas, 0, canvas->columns - 2, 24, style_of(ROLE_FAINT), "any key: back");
    for (int i = 0; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        if (strcmp(group, info->group) != 0) {
            bool turn = columns && groups == 2;
            y = turn ? 2 : y + (groups > 0);
            x += turn ? width : 0;
            group = info->group;
            groups++;
            canvas_text(canvas, y++, x, width, style_bold(ROLE_STRONG), group);
        }
        canvas_text(canvas, y, x + 1, 9, style_of(ROLE_TITLE), info->keys);
        canvas_text(canvas, y++, x + 11, width - 12, style_of(ROLE_TEXT), info->help);
    }
}

/* ---- The whole ---- */

static void draw_too_small(struct canvas *canvas)
{
    char text[80];
    snprintf(text, sizeof text, "headlight needs %d×%d, has %d×%d", SCREEN_COLUMNS_MIN,
             SCREEN_ROWS_MIN, canvas->columns, canvas->rows);
    if ((int)text_width(text, canvas_ascii(canvas)) > canvas->columns)
        snprintf(text, sizeof text, "needs %d×%d", SCREEN_COLUMNS_MIN, SCREEN_ROWS_MIN);
    int width = (int)text_width(text, canvas_ascii(canvas));
    int x = width < canvas->columns ? (canvas->columns - width) / 2 : 0;
    canvas_text(canvas, canvas->rows / 2, x, canvas->columns, style_bold(ROLE_WARNING), text);
}

static void draw_computing(const struct session *session, struct canvas *canvas)
{
    const struct scene *scene = &session->scene;
    canvas_print(canvas, canvas->rows / 2, 4, canvas->columns - 8, style_of(ROLE_TEXT),
                 "computing %zu tokens: layer %zu of %zu", scene->tokens, scene->layers_done,
                 scene->layers);
}

enum status screen_draw(const struct session *session, struct canvas *canvas, struct error *error)
{
    canvas_clear(canvas);
    if (canvas->columns < SCREEN_COLUMNS_MIN || canvas->rows < SCREEN_ROWS_MIN) {
        draw_too_small(canvas);
        return STATUS_OK;
    }
    if (session->help) {
        draw_help(canvas);
        return STATUS_OK;
    }
    draw_place(session, canvas, draw_views(session, canvas));
    draw_heads(session, canvas);
    if (!session->still)
        draw_footer(session, canvas);
    if (!session->scene.trace) {
        draw_computing(session, canvas);
        return STATUS_OK;
    }
    int top = canvas->rows >= 30 ? 3 : 2;
    int footer = session->still ? 0 : 1;
    struct area area = {top, 0, canvas->rows - top - footer, canvas->columns};
    if (canvas->rows >= 30)
        area.rows--;
    return scene_draw(&session->scene, canvas, area, error);
}
