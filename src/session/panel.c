/* panel.c: the panel below the view that shows a lesson. Its text has marks (text/marks.h): *so*
 * is emphasised, and `keys` can be clicked as in the footer. The layout is found by setting the
 * text without a canvas, fullest layout first, until the view has enough rows left. */
#include "headlight/session/panel.h"

#include "headlight/session/act.h"
#include "headlight/text/marks.h"
#include "headlight/view/actions.h"

#include <string.h>

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
    session->teacher_at_work = true;
    unsigned bits = teacher->act(teacher->context, what, lesson);
    session->teacher_at_work = false;
    return bits | SESSION_REDRAW;
}

unsigned panel_key(struct session *session, uint32_t key)
{
    bool on = key == KEY_CODE_SPACE;
    if (!panel_is_led(session) || session->help > 0 || (!on && key != KEY_CODE_BACKSPACE))
        return SESSION_PASSED;
    session->typed = 0;
    return panel_ask(session, on ? TEACH_ON : TEACH_BACK, 0);
}

unsigned panel_leave_or_list(struct session *session)
{
    return panel_is_led(session) ? panel_ask(session, TEACH_LEAVE, 0) : lesson_menu_open(session);
}

/* ---- Text with marks ---- */

/* Text layout: the area and the current position. */
struct marked {
    struct canvas *canvas; /* NULL: only count lines */
    struct area area;      /* text below the last row is cut off, with … */
    struct style plain, strong, key;
    bool ascii;
    int indent; /* indentation of a paragraph's further lines */
    int row;    /* the current row of the area */
    int column; /* the next column, 0 at the beginning of a row */
    bool full;  /* the area is full and text was cut off */
};

/* Skips to the next run of text without blanks. */
static bool next_run(struct marks *marks, struct marked_run *run)
{
    return marks_next(marks, " \n", run);
}

static int word_columns(struct marks marks, bool ascii)
{
    struct marked_run run;
    int columns = 0;
    while (next_run(&marks, &run))
        columns += text_columns(run.text, run.length, ascii);
    return columns;
}

static void marked_cut(struct marked *marked)
{
    int last = marked->area.columns - 1, x = marked->column < last ? marked->column : last;
    marked->full = true;
    if (marked->canvas)
        canvas_text(marked->canvas, marked->area.y + marked->row, marked->area.x + x, 1,
                    marked->plain, "…");
}

/* False when there is no further row. */
static bool next_row(struct marked *marked)
{
    if (marked->row + 1 >= marked->area.rows) {
        marked_cut(marked);
        return false;
    }
    marked->row++;
    marked->column = marked->indent;
    return true;
}

static void set_letters(struct marked *marked, const char *text, size_t length, struct style style)
{
    struct text_reader reader = text_reader(text, length, marked->ascii);
    struct glyph glyph;
    while (!marked->full && text_next(&reader, &glyph)) {
        if (marked->column + glyph.width > marked->area.columns && !next_row(marked))
            return;
        if (marked->canvas)
            canvas_put(marked->canvas, marked->area.y + marked->row,
                       marked->area.x + marked->column, style, &glyph);
        marked->column += glyph.width;
    }
}

/* Each key of a group such as "↑↓" can be clicked. */
static void set_keys(struct marked *marked, const struct marked_run *run)
{
    char keys[256];
    uint32_t key;
    snprintf(keys, sizeof keys, "%.*s", (int)run->length, run->text);
    for (const char *at = keys; *at && !marked->full;) {
        size_t length = key_hinted(at, &key);
        set_letters(marked, at, length, marked->key);
        int columns = text_columns(at, length, marked->ascii);
        if (marked->canvas && key != KEY_CODE_NONE && columns <= marked->column)
            canvas_mark(marked->canvas,
                        (struct area){marked->area.y + marked->row,
                                      marked->area.x + marked->column - columns, 1, columns},
                        HIT_KEY, key);
        at += length;
    }
}

static void set_word(struct marked *marked, struct marks *marks)
{
    struct marked_run run;
    int columns = word_columns(*marks, marked->ascii), blank = marked->column > marked->indent;
    bool fits = marked->column + blank + columns <= marked->area.columns;
    if (blank && !fits && !next_row(marked))
        return;
    marked->column += blank && fits;
    while (!marked->full && next_run(marks, &run)) {
        if (run.key)
            set_keys(marked, &run);
        else
            set_letters(marked, run.text, run.length, run.strong ? marked->strong : marked->plain);
    }
}

/* Ends the row unless it is empty. */
static void marked_end_row(struct marked *marked)
{
    marked->row += marked->column > 0;
    marked->column = 0;
}

/* Writes text after the current position, broken between words; a word longer than a row is
 * broken too. Rows may end at blanks and newlines; with `apart`, a newline ends one. */
static void marked_write(struct marked *marked, const char *text, bool apart)
{
    struct marks marks = {.next = text};
    while (*(marks.next += strspn(marks.next, " \n"))) {
        marked->full |= marked->row >= marked->area.rows;
        if (marked->full)
            return;
        set_word(marked, &marks);
        if (apart && *marks.next == '\n')
            marked_end_row(marked);
    }
}

/* ---- Layout ---- */

#define MARGIN            2
#define COLUMNS           100 /* of text; longer lines are hard to read, */
#define COLUMNS_PRESENTED 70  /* more so from a distance */
#define LABEL             6   /* width of "Look" and "Try" */
#define VIEW_LEAST        10  /* minimum rows of the picture */
#define ROOMY             25  /* rows of both from which on there is spacing */
#define ROWS              11  /* rows that suffice for any step */
#define ROWS_PRESENTED    13

/* What is left out when there is too little room, in this order. */
enum fullness {
    FULL,  /* title, text, "Look" and "Try", each on its own line */
    TIGHT, /* the title stands in the rule */
    LOOK,  /* without "Try"; always in a presentation */
    TEXT,  /* without "Look" */
    CUT,   /* cut off the end of the text */
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

/* Draws the head of the panel: a rule, or in a presentation a blank row, and the title. */
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

/* Draws the step in the area, or only counts its rows. Returns them. */
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

/* All steps get the same rows, so that the picture doesn't move, except for a longer text. */
static struct plan panel_plan(const struct session *session, struct area area, bool ascii)
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
    return panel_is_open(session) ? panel_plan(session, area, ascii).rows : 0;
}

void panel_draw(const struct session *session, struct canvas *canvas, struct area area)
{
    if (!panel_is_open(session))
        return;
    const struct plan plan = panel_plan(session, area, canvas_ascii(canvas));
    area.y += area.rows - plan.rows;
    area.rows = plan.rows;
    set_step(session->panel, canvas, area, plan.fullness, session->state.look.presented,
             canvas_ascii(canvas));
    if (session_is_asking(session)) /* its keys would be typed into the prompt */
        canvas_mark(canvas, area, HIT_NOTHING, 0);
}
