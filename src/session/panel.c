#include "headlight/session/panel.h"

#include "headlight/session/lesson_menu.h"
#include "headlight/session/marked.h"
#include "headlight/session/session.h"

/* ---- Keys ---- */

bool panel_is_open(const struct session *session)
{
    return session->panel && session->panel->open;
}

bool panel_is_led(const struct session *session)
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
    if (!panel_is_led(session) || session->help > 0 || (!on && key != KEY_CODE_BACKSPACE))
        return false;
    session->typed = 0;
    *bits = panel_ask(session, on ? TEACH_ON : TEACH_BACK, 0);
    return true;
}

unsigned panel_leave_or_list(struct session *session)
{
    return panel_is_led(session) ? panel_ask(session, TEACH_LEAVE, 0) : lesson_menu_open(session);
}

/* ---- Layout ---- */

#define MARGIN            2
#define COLUMNS           100 /* of text; longer lines are hard to read, */
#define COLUMNS_PRESENTED 70  /* the more so from the back of a room */
#define LABEL             6   /* columns of "Look" and "Try" */
#define VIEW_LEAST        10  /* rows of the picture */
#define ROOMY             25  /* rows of both from which on lines may stand apart */
#define ROWS              11  /* that are enough for any step, where there are as many as that */
#define ROWS_PRESENTED    13

/* What is left out, in this order, where there is no room. */
enum fullness {
    FULL,  /* title, text, "Look" and "Try", on lines of their own */
    TIGHT, /* the title stands in the rule */
    LOOK,  /* nothing to try; never is in a presentation */
    TEXT,  /* nothing to look at */
    CUT,   /* the end of the text */
};

struct plan {
    enum fullness fullness;
    int rows;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static struct marked marked_in(struct canvas *canvas, struct area area, bool presented, bool ascii)
{
    int columns = least(area.columns - 2 * MARGIN, presented ? COLUMNS_PRESENTED : COLUMNS);
    int x = presented ? (area.columns - columns) / 2 : MARGIN;
    struct style plain = style_of(ROLE_TEXT);
    plain.bold = presented;
    return (struct marked){.canvas = canvas,
                           .area = {area.y, area.x + x, area.rows, columns},
                           .plain = plain,
                           .strong = style_bold(ROLE_STRONG),
                           .key = style_bold(ROLE_TITLE),
                           .ascii = ascii};
}

static void set_title(struct marked *marked, const char *title)
{
    if (marked->canvas)
        canvas_text(marked->canvas, marked->area.y + marked->row, marked->area.x,
                    marked->area.columns, marked->strong, title);
}

static void draw_rule(struct canvas *canvas, struct area area)
{
    struct style style = {.fore = {ROLE_FAINT, 6}};
    for (int x = 0; x < area.columns; x++)
        canvas_text(canvas, area.y, area.x + x, 1, style, "─");
}

/* What stands above the text: a rule, or in a presentation a blank row, and the title. */
static void set_head(struct marked *marked, const struct panel *panel, struct area area,
                     enum fullness fullness, bool presented)
{
    if (marked->area.rows <= 1 + presented) {
        const struct style plain = marked->plain;
        marked->plain = marked->strong;
        marked_write(marked, panel->title, false);
        marked->plain = plain;
        return;
    }
    if (marked->canvas && !presented)
        draw_rule(marked->canvas, area);
    if (fullness == FULL || presented)
        marked->row++;
    else if (marked->canvas) /* a blank on either side */
        canvas_print(marked->canvas, area.y, marked->area.x - 1, marked->area.columns,
                     marked->strong, " %s ", panel->title);
    if (fullness == FULL || presented)
        set_title(marked, panel->title);
    marked->row += 1 + (fullness == FULL && presented);
}

static void set_labelled(struct marked *marked, const char *label, const char *text)
{
    if (!text)
        return;
    if (marked->canvas && marked->row < marked->area.rows)
        canvas_text(marked->canvas, marked->area.y + marked->row, marked->area.x, LABEL,
                    style_bold(ROLE_TEXT), label);
    marked->column = marked->indent = LABEL;
    marked_write(marked, text, true);
    marked_end_row(marked);
    marked->indent = 0;
}

/* Sets what is said in the area, or only counts the rows. Returns them. */
static int set_step(const struct panel *panel, struct canvas *canvas, struct area area,
                    enum fullness fullness, bool presented, bool ascii)
{
    struct marked marked = marked_in(canvas, area, presented, ascii);
    set_head(&marked, panel, area, fullness, presented);
    marked_write(&marked, panel->text, fullness == FULL);
    marked_end_row(&marked);
    marked.row += fullness == FULL && (panel->look || (panel->attempt && !presented));
    if (fullness <= LOOK)
        set_labelled(&marked, "Look", panel->look);
    if (fullness <= TIGHT && !presented)
        set_labelled(&marked, "Try", panel->attempt);
    return marked.row;
}

/* Steps take the same rows, so that the picture stays in its place, but for a text that needs more.
 */
static struct plan plan_in(const struct session *session, struct area area, bool ascii)
{
    bool presented = session->state.look.presented, roomy = area.rows >= ROOMY || presented;
    int most = area.rows > VIEW_LEAST ? area.rows - VIEW_LEAST : 1;
    int usual = presented ? least(area.rows / 3, ROWS_PRESENTED)
                : roomy   ? least(area.rows * 3 / 10, ROWS)
                          : area.rows / 4;
    struct plan plan = {.rows = least(usual, most)};
    struct area endless = {area.y, area.x, CANVAS_MAX, area.columns};
    for (plan.fullness = roomy ? FULL : TIGHT; plan.fullness < CUT; plan.fullness++) {
        int rows = set_step(session->panel, NULL, endless, plan.fullness, presented, ascii);
        if (plan.fullness == TEXT && rows <= most && rows > plan.rows)
            plan.rows = rows;
        if (rows <= plan.rows)
            return plan;
    }
    plan.rows = most;
    return plan;
}

int panel_rows(const struct session *session, struct area area, bool ascii)
{
    return panel_is_open(session) ? plan_in(session, area, ascii).rows : 0;
}

void panel_draw(const struct session *session, struct canvas *canvas, struct area area)
{
    if (!panel_is_open(session))
        return;
    const struct plan plan = plan_in(session, area, canvas_ascii(canvas));
    area.y += area.rows - plan.rows;
    area.rows = plan.rows;
    set_step(session->panel, canvas, area, plan.fullness, session->state.look.presented,
             canvas_ascii(canvas));
    if (session_is_asking(session)) /* its keys would be typed */
        canvas_mark(canvas, area, HIT_NOTHING, 0);
}
