/* help.c: the screen of keys. It is generated from the table of actions, so that help and keys
 * agree. The same code counts lines without a canvas, fills columns and turns pages; groups stay
 * together as far as they fit. */
#include "headlight/session/screen.h"

#include <stdio.h>
#include <string.h>

#define KEYS_COLUMNS 16
#define COLUMN_LEAST 38 /* keys and description in one column */

/* The position of the next line of help. */
struct sheet {
    const struct view *view; /* whose keys; NULL: all */
    const struct bindings *bindings;
    struct canvas *canvas; /* NULL: only count lines */
    unsigned page, shown;
    int column, columns, width; /* the current column, how many, and their width */
    int y, top, bottom;
    bool airy; /* a blank line between groups */
    bool led;
};

/* After the last column comes the next page. */
static void next_column(struct sheet *sheet)
{
    sheet->y = sheet->top;
    if (++sheet->column < sheet->columns)
        return;
    sheet->column = 0;
    sheet->page++;
}

/* Only one page is drawn; the others are filled without a canvas to count them. */
static struct canvas *canvas_now(const struct sheet *sheet)
{
    return sheet->canvas && sheet->page == sheet->shown ? sheet->canvas : NULL;
}

/* Whether an action has a line of its own in the view's help. */
static bool is_listed(const struct view *view, int action)
{
    const struct action_info *info = action_info((enum action)action);
    return info->help[0] && (!view || !info->shown || view->shown & info->shown);
}

/* Actions of a group stand together in the table. */
static bool help_begins_group(int action)
{
    return action == 0 || strcmp(action_info((enum action)action)->group,
                                 action_info((enum action)(action - 1))->group) != 0;
}

/* The lines of a group from its first action, with its heading. */
static int group_lines(const struct view *view, int first)
{
    int lines = 1;
    for (int action = first; action < ACTION_COUNT; action++) {
        if (action > first && help_begins_group(action))
            break;
        lines += is_listed(view, action);
    }
    return lines;
}

/* Without blank lines between groups. */
static int all_lines(const struct view *view)
{
    int lines = 0;
    for (int action = 0; action < ACTION_COUNT; action++)
        lines += help_begins_group(action) ? group_lines(view, action) : 0;
    return lines;
}

/* Moves a group to the next column rather than breaking it. */
static void help_draw_heading(struct sheet *sheet, int action)
{
    int lines = group_lines(sheet->view, action);
    if (sheet->y > sheet->top) {
        sheet->y += sheet->airy;
        if (sheet->y + (lines <= sheet->bottom - sheet->top ? lines : 2) > sheet->bottom)
            next_column(sheet);
    }
    if (canvas_now(sheet))
        canvas_text(sheet->canvas, sheet->y, 2 + sheet->column * sheet->width, sheet->width,
                    style_bold(ROLE_STRONG), action_info((enum action)action)->group);
    sheet->y++;
}

static void help_draw_line(struct sheet *sheet, const char *keys, const char *words)
{
    int x = 2 + sheet->column * sheet->width;
    if (sheet->y >= sheet->bottom) {
        next_column(sheet);
        x = 2 + sheet->column * sheet->width;
    }
    if (canvas_now(sheet)) {
        canvas_text(sheet->canvas, sheet->y, x + 1, KEYS_COLUMNS - 1, style_of(ROLE_TITLE), keys);
        canvas_text(sheet->canvas, sheet->y, x + 1 + KEYS_COLUMNS, sheet->width - 2 - KEYS_COLUMNS,
                    style_of(ROLE_TEXT), words);
    }
    sheet->y++;
}

/* Returns the number of pages. */
static unsigned help_fill(struct sheet sheet)
{
    char keys[80];
    for (int action = 0; action < ACTION_COUNT;) {
        bool taken = sheet.led && action == ACTION_HEAD_TOGGLE;
        const char *words = taken ? "the lesson goes on" : action_info((enum action)action)->help;
        bool listed = is_listed(sheet.view, action);
        if (help_begins_group(action))
            help_draw_heading(&sheet, action);
        action = action_keys(taken ? NULL : sheet.bindings, action, " ", keys, sizeof keys);
        if (listed)
            help_draw_line(&sheet, keys, words);
    }
    return sheet.page + 1;
}

#define EXPLANATION 2 /* lines: of the picture and the mouse */

/* A view's keys leave room below for its explanation; in a small window blank lines are dropped. */
static struct sheet sheet_of(const struct view *view, int columns, int rows)
{
    int lines = all_lines(view);
    bool explained = view && rows > 4 + EXPLANATION;
    struct sheet sheet = {.view = view, .columns = 1, .top = 2, .bottom = rows};
    sheet.bottom -= explained ? EXPLANATION : 0;
    sheet.airy = sheet.bottom >= lines + 8;
    if (!sheet.airy && columns >= 2 * COLUMN_LEAST + 2) {
        sheet.columns = 2;
        sheet.airy = sheet.bottom > lines / 2 + 6;
    }
    if (explained && sheet.airy)
        sheet.bottom--;
    else if (explained)
        sheet.top--;
    sheet.y = sheet.top;
    sheet.width = (columns - 2) / sheet.columns;
    return sheet;
}

unsigned help_pages(const struct view *view, int columns, int rows)
{
    return help_fill(sheet_of(view, columns, rows));
}

/* How to leave is said at the right; in a narrow window the title gives way to it. */
static void help_draw_title(struct canvas *canvas, const struct view *view, unsigned page,
                            unsigned pages)
{
    char back[100], leaf[60] = "";
    if (pages > 1)
        snprintf(leaf, sizeof leaf, "page %u of %u   Down: more   ", page + 1, pages);
    snprintf(back, sizeof back, "%s%s", leaf,
             view        ? "?: all keys   others: back"
             : pages > 1 ? "others: back"
                         : "any key: back");
    canvas_print(canvas, 0, 2, canvas->columns - 4, style_bold(ROLE_TITLE), "headlight: %s%s",
                 view ? "keys of " : "all keys", view ? view->title : "");
    canvas_text_right(canvas, 0, canvas->columns - 2, canvas->columns - 28, style_of(ROLE_FAINT),
                      back);
}

/* What the picture means and what can be clicked, in the view's own words. */
static void draw_explanation(struct canvas *canvas, const struct view *view)
{
    int y = canvas->rows - EXPLANATION, columns = canvas->columns - 2;
    canvas_text(canvas, y, 2, columns, style_of(ROLE_TEXT), view->meaning);
    canvas_print(canvas, y + 1, 2, columns, style_of(ROLE_TEXT),
                 "mouse: %s · heads above, again: alone · wheel: up, down", view->mouse);
}

/* Filled twice: the number of pages must be known before one of them is drawn. */
void help_draw(struct canvas *canvas, const struct view *view, const struct bindings *bindings,
               unsigned page, bool led)
{
    struct sheet sheet = sheet_of(view, canvas->columns, canvas->rows);
    unsigned pages = help_fill(sheet);
    sheet.canvas = canvas;
    sheet.bindings = bindings;
    sheet.shown = page % pages;
    sheet.led = led;
    help_fill(sheet);
    help_draw_title(canvas, view, sheet.shown, pages);
    if (sheet.bottom < canvas->rows)
        draw_explanation(canvas, view);
}
