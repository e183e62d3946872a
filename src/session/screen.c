#include "headlight/session/screen.h"

#include "headlight/base/mapping.h"
#include "headlight/session/bars.h"
#include "headlight/session/edit.h"
#include "headlight/session/help.h"
#include "headlight/session/menu.h"
#include "headlight/session/prompt.h"

#include <stdio.h>
#include <string.h>

/* ---- The footer ---- */

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

/* Each key of a hint, "↑↓" or "< >", answers to a click; the words behind them are the last. */
static void draw_hint(struct pen *pen, const struct hint *hint)
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
    return session->told && scene_view(scene)->heads == HEADS_CHOSEN && !scene_is_single(scene);
}

/* The keys that matter now. */
static const struct hint *hints_of(const struct session *session, const struct scene *scene)
{
    static const struct hint empty[] = {{"Enter", "compute"}, {"e", "edit"}, {NULL, NULL}};
    static const struct hint told[] = {{"a", "all heads"}, {"e", "edit"}, {NULL, NULL}};
    static const struct hint menu[] = {{"Esc", "close"}, {NULL, NULL}};
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

static void draw_footer(const struct session *session, struct canvas *canvas)
{
    static const struct hint always[] = {{"Tab", "view"}, {"?", "help"}, {"q", "quit"}};
    static const struct hint busy = {"Esc", "cancel"};
    const struct scene scene = session_scene(session);
    const struct hint *own = hints_of(session, &scene);
    struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
    bool typing = session->edit.active || session->prompt || session->menu;
    if (session->message[0]) {
        pen_print(&pen, style_bold(ROLE_WARNING), "%s", session->message);
        return;
    }
    for (size_t i = 0; !typing && i < sizeof always / sizeof *always; i++)
        pen.end -= hint_columns(&always[i]) + 2;
    if (session->busy >= REQUEST_PASS && !typing)
        draw_hint(&pen, &busy);
    if (says_alone(session, &scene) && !typing) {
        pen_print(&pen, style_of(ROLE_TEXT), "layer %zu head %zu alone", scene.look.layer,
                  scene.look.head);
        pen.x += 2;
    }
    for (size_t i = 0; own[i].keys; i++)
        if (means_something(session, &scene, &own[i]))
            draw_hint(&pen, &own[i]);
    pen.end = canvas->columns - 1;
    for (size_t i = 0; !typing && i < sizeof always / sizeof *always; i++)
        draw_hint(&pen, &always[i]);
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

#define BAR_COLUMNS 40

/* What is being done, and how far it is. */
static void draw_work(const struct session *session, struct canvas *canvas)
{
    bool loading = session->busy == REQUEST_LOAD;
    size_t total = session->total > 0 ? session->total : 1;
    int y = canvas->rows / 2 - 1, x = (canvas->columns - BAR_COLUMNS) / 2;
    struct style track = {.fore = {ROLE_FAINT, 5}};
    if (session->busy == REQUEST_NONE) {
        canvas_text(canvas, y, x, BAR_COLUMNS, style_of(ROLE_TEXT),
                    "cancelled: press Enter to compute it");
        return;
    }
    if (loading)
        canvas_text(canvas, y, x, BAR_COLUMNS, style_of(ROLE_TEXT), "loading the model");
    else
        canvas_print(canvas, y, x, BAR_COLUMNS, style_of(ROLE_TEXT), "computing %zu tokens",
                     session->data.tokens);
    for (int i = 0; i < BAR_COLUMNS; i++)
        canvas_text(canvas, y + 1, x + i, 1, track, "─");
    canvas_bar(canvas, y + 1, x, BAR_COLUMNS, (int)(session->done * BAR_COLUMNS * 8 / total),
               style_of(ROLE_POSITIVE));
    if (session->total > 0)
        canvas_print(canvas, y + 2, x, BAR_COLUMNS, style_of(ROLE_FAINT), "%s %zu of %zu",
                     loading ? "tensor" : "layer", session->done, session->total);
}

/* Before there is a model: that it is being loaded. */
static void draw_loading(const struct session *session, struct canvas *canvas)
{
    canvas_text(canvas, 0, 2, canvas->columns, style_bold(ROLE_TITLE), "headlight");
    draw_work(session, canvas);
    struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
    draw_hint(&pen, &(struct hint){"q", "quit"});
}

static bool is_too_small(const struct canvas *canvas)
{
    return canvas->columns < SCREEN_COLUMNS_MIN || canvas->rows < SCREEN_ROWS_MIN;
}

/* What is presented is the whole screen, but for a text being typed and its keys. */
static struct area presented_area(const struct session *session, const struct canvas *canvas)
{
    int typed = prompt_rows(session);
    return (struct area){0, 0, canvas->rows - typed - (typed > 0), canvas->columns};
}

/* Between the bars and the prompt, which is above the footer. */
static struct area view_area(const struct session *session, const struct canvas *canvas)
{
    bool roomy = canvas->rows >= 30;
    if (session->state.look.presented)
        return presented_area(session, canvas);
    int top = roomy ? 3 : 2, below = !session->still + prompt_rows(session);
    return (struct area){top, 0, canvas->rows - top - below - roomy, canvas->columns};
}

/* Computes what this frame and later ones need. */
static enum status prepare(struct session *session, const struct canvas *canvas,
                           struct error *error)
{
    const struct scene scene = session_picture(session);
    edit_check(session);
    if (!scene.data.trace)
        return STATUS_OK;
    return view_prepare(&scene, canvas, view_area(session, canvas), &session->data, error);
}

static enum status draw_picture(const struct session *session, struct canvas *canvas,
                                struct error *error)
{
    const struct scene scene = session_picture(session);
    if (scene.data.trace)
        return view_draw(&scene, canvas, view_area(session, canvas), error);
    draw_work(session, canvas);
    return STATUS_OK;
}

/* What is said, or being computed, takes the place of the last line. */
static enum status draw_presented(const struct session *session, struct canvas *canvas,
                                  struct error *error)
{
    struct area last = {canvas->rows - 1, 0, 1, canvas->columns};
    char work[96];
    if (draw_picture(session, canvas, error) != STATUS_OK)
        return error->status;
    if (session->message[0] || prompt_rows(session) > 0) {
        canvas_fill(canvas, last, style_of(ROLE_TEXT));
        draw_footer(session, canvas);
    } else if (session->busy == REQUEST_PASS && session->data.trace) {
        bars_describe_work(session, work, sizeof work);
        canvas_fill(canvas, last, style_of(ROLE_TEXT));
        canvas_text(canvas, last.y, 2, last.columns - 2, style_of(ROLE_TEXT), work);
    }
    prompt_draw(session, canvas, last.y - 1);
    menu_draw(session, canvas, (struct area){0, 0, last.y, last.columns});
    return STATUS_OK;
}

static enum status draw(const struct session *session, struct canvas *canvas, struct error *error)
{
    if (session->state.look.presented)
        return draw_presented(session, canvas, error);
    bars_draw_views(session, canvas);
    bars_draw_heads(session, canvas);
    if (!session->still)
        draw_footer(session, canvas);
    prompt_draw(session, canvas, canvas->rows - 1 - !session->still);
    if (draw_picture(session, canvas, error) != STATUS_OK)
        return error->status;
    menu_draw(session, canvas, view_area(session, canvas));
    return STATUS_OK;
}

enum status screen_draw(struct session *session, struct canvas *canvas, struct error *error)
{
    canvas_clear(canvas);
    if (is_too_small(canvas))
        draw_too_small(canvas);
    else if (session->help > 0)
        help_draw(canvas, session_help(session), session->help - 1);
    else if (!session->data.encoded)
        draw_loading(session, canvas);
    else if (prepare(session, canvas, error) != STATUS_OK ||
             draw(session, canvas, error) != STATUS_OK)
        return error->status;
    theme_settle(theme_at(session->state.look.theme), canvas);
    /* A recording is drawn straight from its mapped file. */
    return session->checkpoint ? STATUS_OK : mapping_check(STATUS_OK, error);
}
