/* panel.c: the panel below the view that shows a lesson. Its text has marks (text/marks.h): *so* is
 * emphasised, and `keys` can be clicked as in the footer. The layout is found by setting the text
 * below the screen, fullest layout first, until the view has enough rows left. */
#include "headlight/session/panel.h"

#include "headlight/session/overlay.h"
#include "headlight/text/marks.h"

/* ---- Keys ---- */

/* The teacher shows what it wants meanwhile, and must not be told of its own doing. */
unsigned panel_ask(struct session *session, enum teaching what, size_t lesson)
{
    const struct teacher *teacher = session->teacher;
    session->teacher_at_work = true;
    unsigned bits = teacher->act(teacher->context, what, lesson);
    session->teacher_at_work = false;
    return bits | SESSION_REDRAW;
}

/* Space would otherwise switch a head: in a lesson it goes on. */
unsigned panel_key(struct session *session, uint32_t key)
{
    bool on = key == KEY_CODE_SPACE;
    if (!panel_is_led(session) || (!on && key != KEY_CODE_BACKSPACE))
        return SESSION_PASSED;
    session->first_digit = 0;
    return panel_ask(session, on ? TEACH_ON : TEACH_BACK, 0);
}

/* ---- Text with marks ---- */

/* Text layout: the area and the current position. */
struct paragraph {
    struct canvas *canvas;
    struct area area; /* text below the last row is cut off, with … */
    struct style plain, strong, key;
    int indent; /* indentation of a paragraph's further lines */
    int row;    /* the current row of the area */
    int column; /* the next column, 0 at the beginning of a row */
    bool full;  /* the area is full and text was cut off */
};

/* False when there is no further row: from then on the text is full, with one … at its end. */
static bool next_row(struct paragraph *paragraph)
{
    const struct area *area = &paragraph->area;
    if (paragraph->row + 1 >= area->rows) {
        paragraph->full = true;
        canvas_text(paragraph->canvas, area->y + paragraph->row,
                    area->x + int_min(paragraph->column, area->columns - 1), 1, paragraph->plain,
                    "…");
        return false;
    }
    paragraph->row++;
    paragraph->column = paragraph->indent;
    return true;
}

/* A word that is wider than a row goes on in the next one. */
static void set_letters(struct paragraph *paragraph, const char *text, size_t length,
                        struct style style)
{
    struct text_reader reader = text_reader(text, length, canvas_ascii(paragraph->canvas));
    struct glyph glyph;
    while (!paragraph->full && text_next(&reader, &glyph)) {
        if (paragraph->column + glyph.width > paragraph->area.columns && !next_row(paragraph))
            return;
        canvas_put(paragraph->canvas, paragraph->area.y + paragraph->row,
                   paragraph->area.x + paragraph->column, style, &glyph);
        paragraph->column += glyph.width;
    }
}

/* Each key of a group such as "↑↓" can be clicked. */
static void set_keys(struct paragraph *paragraph, const struct marked_run *run)
{
    char keys[256];
    uint32_t key;
    snprintf(keys, sizeof keys, "%.*s", (int)run->length, run->text);
    for (const char *at = keys; *at && !paragraph->full;) {
        size_t length = key_hinted(at, &key);
        set_letters(paragraph, at, length, paragraph->key);
        int columns = text_columns(at, length, canvas_ascii(paragraph->canvas));
        if (key != KEY_CODE_NONE && columns <= paragraph->column)
            canvas_mark(paragraph->canvas,
                        (struct area){paragraph->area.y + paragraph->row,
                                      paragraph->area.x + paragraph->column - columns, 1, columns},
                        hit_at(HIT_KEY, key));
        at += length;
    }
}

/* A word goes to the next row if it doesn't fit, and the blank before it is dropped. Runs without a
 * blank between them are one word, even if their styles differ. */
static void set_word(struct paragraph *paragraph, struct marks *marks)
{
    struct marked_run run;
    int columns = 0, blank = paragraph->column > paragraph->indent;
    for (struct marks ahead = *marks; marks_next(&ahead, " \n", &run);)
        columns += text_columns(run.text, run.length, canvas_ascii(paragraph->canvas));
    bool fits = paragraph->column + blank + columns <= paragraph->area.columns;
    if (blank && !fits && !next_row(paragraph))
        return;
    paragraph->column += blank && fits;
    while (!paragraph->full && marks_next(marks, " \n", &run)) {
        if (run.key)
            set_keys(paragraph, &run);
        else
            set_letters(paragraph, run.text, run.length,
                        run.strong ? paragraph->strong : paragraph->plain);
    }
}

/* Ends the row unless it is empty. */
static void paragraph_end_row(struct paragraph *paragraph)
{
    paragraph->row += paragraph->column > 0;
    paragraph->column = 0;
}

/* Writes text after the current position, broken between words; a word longer than a row is
 * broken too. Rows may end at blanks and newlines; with `apart`, a newline ends one. */
static void paragraph_write(struct paragraph *paragraph, const char *text, bool apart)
{
    struct marks marks = {.next = text};
    while (*(marks.next += strspn(marks.next, " \n"))) {
        paragraph->full |= paragraph->row >= paragraph->area.rows;
        if (paragraph->full)
            return;
        set_word(paragraph, &marks);
        if (apart && *marks.next == '\n')
            paragraph_end_row(paragraph);
    }
}

/* ---- Layout ---- */

#define MARGIN     2
#define COLUMNS    100 /* of text; longer lines are hard to read, */
#define LABEL      6   /* width of "Look" and "Try" */
#define VIEW_LEAST 10  /* minimum rows of the picture */
#define ROOMY      25  /* rows of both from which on there is spacing */
#define ROWS       11  /* rows that suffice for any step */

/* What is left out when there is too little room, in this order. */
enum fullness {
    FULL,  /* title, text, "Look" and "Try", each on its own line */
    TIGHT, /* the title stands in the rule */
    LOOK,  /* without "Try" */
    TEXT,  /* without "Look" */
    CUT,   /* cut off the end of the text */
};

struct plan {
    enum fullness fullness;
    int rows;
};

/* Draws the head of the panel: a rule, and the title in it or below. */
static void set_head(struct paragraph *paragraph, const struct panel *panel, struct area area,
                     enum fullness fullness)
{
    if (paragraph->area.rows <= 1) {
        const struct style plain = paragraph->plain;
        paragraph->plain = paragraph->strong;
        paragraph_write(paragraph, panel->title, false);
        paragraph->plain = plain;
        return;
    }
    for (int x = 0; x < area.columns; x++)
        canvas_text(paragraph->canvas, area.y, area.x + x, 1,
                    (struct style){.fore = {ROLE_FAINT, 6}}, "─");
    paragraph->row += fullness == FULL;
    if (fullness == FULL)
        canvas_text(paragraph->canvas, area.y + 1, paragraph->area.x, paragraph->area.columns,
                    paragraph->strong, panel->title);
    else /* a blank on either side */
        canvas_print(paragraph->canvas, area.y, paragraph->area.x - 1, paragraph->area.columns,
                     paragraph->strong, " %s ", panel->title);
    paragraph->row++;
}

/* ---- The step ---- */

/* The label stands in the margin; further rows are indented by its width. NULL: nothing. */
static void set_labelled(struct paragraph *paragraph, const char *label, const char *text)
{
    if (!text)
        return;
    if (paragraph->row < paragraph->area.rows)
        canvas_text(paragraph->canvas, paragraph->area.y + paragraph->row, paragraph->area.x, LABEL,
                    style_bold(ROLE_TEXT), label);
    paragraph->column = paragraph->indent = LABEL;
    paragraph_write(paragraph, text, true);
    paragraph_end_row(paragraph);
    paragraph->indent = 0;
}

/* Draws the step in the area. Returns its rows. */
static int set_step(const struct panel *panel, struct canvas *canvas, struct area area,
                    enum fullness fullness)
{
    const int columns = int_min(area.columns - 2 * MARGIN, COLUMNS);
    struct paragraph paragraph = {.canvas = canvas,
                                  .area = {area.y, area.x + MARGIN, area.rows, columns},
                                  .plain = style_of(ROLE_TEXT),
                                  .strong = style_bold(ROLE_STRONG),
                                  .key = style_bold(ROLE_TITLE)};
    set_head(&paragraph, panel, area, fullness);
    paragraph_write(&paragraph, panel->text, fullness == FULL);
    paragraph_end_row(&paragraph);
    paragraph.row += fullness == FULL && (panel->look || panel->attempt);
    if (fullness <= LOOK)
        set_labelled(&paragraph, "Look", panel->look);
    if (fullness <= TIGHT)
        set_labelled(&paragraph, "Try", panel->attempt);
    return paragraph.row;
}

/* As high as its text, so that the picture has the rest. */
static struct plan panel_plan(const struct session *session, struct canvas *canvas,
                              struct area area)
{
    bool roomy = area.rows >= ROOMY;
    int most = area.rows > VIEW_LEAST ? area.rows - VIEW_LEAST : 1;
    struct plan plan = {
        .fullness = roomy ? FULL : TIGHT,
        .rows = int_min(roomy ? int_min(area.rows * 3 / 10, ROWS) : area.rows / 4, most)};
    const struct area endless = {CANVAS_MAX, area.x, CANVAS_MAX, area.columns};
    while (plan.fullness < CUT) {
        int rows = set_step(session->panel, canvas, endless, plan.fullness);
        if (plan.fullness == TEXT && rows <= most && rows > plan.rows)
            plan.rows = rows;
        if (rows <= plan.rows) {
            plan.rows = rows;
            return plan;
        }
        plan.fullness++;
    }
    plan.rows = most;
    return plan;
}

/* Depends on the text of the step, so it is asked anew for each frame. */
int panel_rows(const struct session *session, struct canvas *canvas, struct area area)
{
    return panel_is_open(session) ? panel_plan(session, canvas, area).rows : 0;
}

/* At the foot of the area, below the view. */
void panel_draw(const struct session *session, struct canvas *canvas, struct area area)
{
    if (!panel_is_open(session))
        return;
    const struct plan plan = panel_plan(session, canvas, area);
    area.y += area.rows - plan.rows;
    area.rows = plan.rows;
    set_step(session->panel, canvas, area, plan.fullness);
    if (session->overlay.kind) /* its keys would be typed into the prompt */
        canvas_mark(canvas, area, (struct hit){.place = {HIT_NOTHING}});
}
