/* screen.c: divides the screen into its parts and draws them: bars, picture, lesson panel, input
 * lines and footer, and over them the menu or a list. A presentation has the picture's sentence in
 * large letters above it, and neither bars nor hints. */
#include "headlight/session/screen.h"

#include "headlight/session/overlay.h"
#include "headlight/session/panel.h"
#include "headlight/view/stage.h"

/* ---- The whole ---- */

#define BAR_COLUMNS 40

/* What is being computed, and its progress. */
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

#define VIEW_MARGIN 2
#define STAGE_SHARE 3 /* of a picture with room for it, at most a third is the sentence's; */
#define STAGE_LEAST 2 /* of one without, so many rows of bold text */

#define BLANK_ROW 2 /* or a translation: between the bars and the picture, where there is room */

static bool is_roomy(const struct canvas *canvas)
{
    return canvas->rows >= 30;
}

/* Whether the picture says in a sentence what it shows, in a row below it. */
static bool has_sentence(const struct session *session, const struct canvas *canvas)
{
    return canvas->rows >= SCREEN_ROWS_USUAL && !session->state.look.presented &&
           !panel_is_open(session) && prompt_rows(session) == 0;
}

/* The parts of the screen. */
struct parts {
    struct area free;       /* between the bars and the prompt, which is above the footer */
    struct area stage;      /* what a presentation's sentence may take of the picture, */
    char text[STAGE_BYTES]; /* which is "" without one */
    struct area view;       /* above a lesson's panel, and below that sentence */
};

/* Where there is room there is a blank row on either side of the picture, of which the lower one
 * has the sentence. A presentation has no bars, and a line below only while text is typed or a
 * lesson is open. */
static struct parts divide(const struct session *session, struct canvas *canvas)
{
    const struct scene scene = session_picture(session);
    const bool presented = session->state.look.presented, roomy = is_roomy(canvas);
    const bool ascii = canvas_ascii(canvas);
    const int lines = prompt_rows(session),
              top = bars_texts_rows(session, canvas) + (presented ? 0 : BLANK_ROW + roomy);
    const int below =
        lines + (presented ? lines > 0 || panel_is_open(session)
                           : !session->still + (roomy || has_sentence(session, canvas)));
    struct parts parts = {.free = {top, 0, canvas->rows - top - below, canvas->columns}};
    struct area picture = parts.free;
    picture.rows -= panel_rows(session, canvas, picture);
    parts.stage = (struct area){picture.y + roomy, picture.x + VIEW_MARGIN,
                                roomy ? picture.rows / STAGE_SHARE : STAGE_LEAST,
                                picture.columns - 2 * VIEW_MARGIN};
    if (presented && view_sentence(&scene, ascii, parts.text, sizeof parts.text))
        stage_shorten(parts.stage, ascii, parts.text);
    const int rows = *parts.text ? parts.stage.y - picture.y +
                                       stage_write(NULL, ascii, parts.stage, parts.text) + 1
                                 : 0;
    parts.view = area_below(picture, rows);
    return parts;
}

/* Before the first trace there is only progress to see. */
static void screen_draw_picture(const struct session *session, struct canvas *canvas,
                                struct area area)
{
    const struct scene scene = session_picture(session);
    if (scene.data.trace)
        view_draw(&scene, canvas, area);
    else
        draw_work(session, canvas);
}

/* In a presentation a message, progress or the way back to a lesson replaces the last line. How to
 * leave it does not: an audience needs the caption more. */
static void draw_last_line(const struct session *session, struct canvas *canvas)
{
    struct area last = {canvas->rows - 1, 0, 1, canvas->columns};
    const bool begun = strcmp(session->message, SESSION_PRESENTED) == 0;
    char work[96];
    if ((session->message[0] && !begun) || prompt_rows(session) > 0) {
        canvas_fill(canvas, last, style_of(ROLE_TEXT));
        footer_draw(session, canvas);
    } else if (session->busy == REQUEST_PASS && session->data.trace) {
        bars_describe_work(session, work, sizeof work);
        canvas_fill(canvas, last, style_of(ROLE_TEXT));
        canvas_text(canvas, last.y, 2, last.columns - 2, style_of(ROLE_TEXT), work);
    } else if (panel_is_open(session)) {
        footer_draw_lesson(session, &(struct pen){canvas, last.y, 2, canvas->columns - 1});
    }
    /* at the right, where the caption leaves room */
    const int wanted = canvas_width(canvas, SESSION_PRESENTED) + 2 * 2;
    int x = begun ? canvas->columns : 0;
    for (int blanks = 0; x > 0 && blanks < wanted;)
        blanks = strcmp(canvas_at(canvas, last.y, --x)->text, " ") == 0 ? blanks + 1 : 0;
    if (x > 0)
        canvas_text(canvas, last.y, x + 2, wanted, style_bold(ROLE_WARNING), SESSION_PRESENTED);
}

/* From back to front: a list lies over the picture and over the panel. */
static void draw_bars_and_picture(const struct session *session, struct canvas *canvas)
{
    bool presented = session->state.look.presented;
    int last = canvas->rows - 1;
    struct parts parts = divide(session, canvas);
    if (!presented) {
        bars_draw_views(session, canvas);
        bars_draw_heads(session, canvas);
    }
    if (bars_texts_rows(session, canvas) > 0)
        bars_draw_texts(session, canvas, presented ? 0 : BLANK_ROW);
    screen_draw_picture(session, canvas, parts.view);
    const struct scene scene = session_picture(session);
    int y = canvas->rows - 1 - !session->still;
    if (*parts.text)
        stage_write(canvas, canvas_ascii(canvas), parts.stage, parts.text);
    else if (has_sentence(session, canvas) &&
             view_sentence(&scene, canvas_ascii(canvas), parts.text, sizeof parts.text))
        canvas_text(canvas, y, 2, canvas->columns - 4, style_bold(ROLE_STRONG), parts.text);
    panel_draw(session, canvas, parts.free);
    if (presented)
        draw_last_line(session, canvas);
    else if (!session->still)
        footer_draw(session, canvas);
    prompt_draw(session, canvas, presented || !session->still ? last - 1 : last);
    if (session->offered && !presented && is_roomy(canvas)) /* else the footer's hint has to do */
        prompt_draw_offer(session, canvas, parts.free.y - 1);
    overlay_draw(session, canvas, parts.view);
}

/* Last, inks that depend on what lies behind them are settled; and a recording's file may have
 * changed under the picture. */
enum status screen_draw(struct session *session, struct canvas *canvas, struct error *error)
{
    const struct theme *theme = theme_at(session->state.look.theme);
    const bool ascii = canvas_ascii(canvas);
    canvas_clear(canvas);
    if (canvas->bare) { /* the two columns that views leave blank on either side lie outside */
        const struct area area = {0, -VIEW_MARGIN, canvas->rows, canvas->columns + 2 * VIEW_MARGIN};
        theme = theme_paper(theme);
        screen_draw_picture(session, canvas, area);
    } else if (canvas->columns < SCREEN_COLUMNS_MIN || canvas->rows < SCREEN_ROWS_MIN) {
        char text[80]; /* how large it must be, in as many words as fit */
        snprintf(text, sizeof text, "headlight needs %d×%d, has %d×%d", SCREEN_COLUMNS_MIN,
                 SCREEN_ROWS_MIN, canvas->columns, canvas->rows);
        if ((int)text_width(text, ascii) > canvas->columns)
            snprintf(text, sizeof text, "needs %d×%d", SCREEN_COLUMNS_MIN, SCREEN_ROWS_MIN);
        const int left = canvas->columns - (int)text_width(text, ascii);
        canvas_text(canvas, canvas->rows / 2, left > 0 ? left / 2 : 0, canvas->columns,
                    style_bold(ROLE_WARNING), text);
    } else if (session->overlay.kind == OVERLAY_HELP)
        overlay_draw(session, canvas, (struct area){0, 0, canvas->rows + 1, canvas->columns});
    else if (!session->data.encoded) {
        struct pen pen = {canvas, canvas->rows - 1, 2, canvas->columns - 1};
        const struct hint quit = footer_own(session, (struct hint){"q", "quit"});
        canvas_text(canvas, 0, 2, canvas->columns, style_bold(ROLE_TITLE), "headlight");
        draw_work(session, canvas);
        footer_hint(&pen, &quit);
    } else {
        edit_check(session);
        draw_bars_and_picture(session, canvas);
    }
    theme_settle(theme, canvas);
    if (canvas->error.status != STATUS_OK)
        return error_set(error, canvas->error.status, "%s", canvas->error.message);
    return session_check(session, error);
}
