#include "headlight/session/help.h"

#include "headlight/view/actions.h"

#include <stdio.h>
#include <string.h>

#define TOP          2
#define KEYS_COLUMNS 16
#define COLUMN_LEAST 38 /* keys and words of one column */

/* Where the next line of help goes. */
struct sheet {
    struct canvas *canvas; /* NULL: lines are only counted */
    unsigned page, shown;
    int column, columns, width; /* the column, of how many, and how wide */
    int y, bottom;
    bool airy; /* a blank line between groups */
};

static void next_column(struct sheet *sheet)
{
    sheet->y = TOP;
    if (++sheet->column < sheet->columns)
        return;
    sheet->column = 0;
    sheet->page++;
}

static struct canvas *canvas_now(const struct sheet *sheet)
{
    return sheet->canvas && sheet->page == sheet->shown ? sheet->canvas : NULL;
}

static bool begins_group(int action)
{
    return action == 0 || strcmp(action_info((enum action)action)->group,
                                 action_info((enum action)(action - 1))->group) != 0;
}

/* Lines that a group takes, from its first action, with its heading. */
static int group_lines(int first)
{
    int lines = 1;
    for (int action = first; action < ACTION_COUNT; action++) {
        if (action > first && begins_group(action))
            break;
        lines += action_info((enum action)action)->help[0] != '\0';
    }
    return lines;
}

static int all_lines(void)
{
    int lines = 0;
    for (int action = 0; action < ACTION_COUNT; action++)
        lines += begins_group(action) ? group_lines(action) : 0;
    return lines;
}

/* Keeps a group whole where a column can hold it. */
static void draw_heading(struct sheet *sheet, int action)
{
    int lines = group_lines(action);
    if (sheet->y > TOP) {
        sheet->y += sheet->airy;
        if (sheet->y + (lines <= sheet->bottom - TOP ? lines : 2) > sheet->bottom)
            next_column(sheet);
    }
    if (canvas_now(sheet))
        canvas_text(sheet->canvas, sheet->y, 2 + sheet->column * sheet->width, sheet->width,
                    style_bold(ROLE_STRONG), action_info((enum action)action)->group);
    sheet->y++;
}

static void draw_line(struct sheet *sheet, const char *keys, const char *words)
{
    int x = 2 + sheet->column * sheet->width;
    if (sheet->y >= sheet->bottom) {
        next_column(sheet);
        x = 2 + sheet->column * sheet->width;
    }
    if (canvas_now(sheet)) {
        canvas_text(sheet->canvas, sheet->y, x + 1, KEYS_COLUMNS - 1, style_of(ROLE_TITLE), keys);
        canvas_text(sheet->canvas, sheet->y, x + 1 + KEYS_COLUMNS, sheet->width - 1 - KEYS_COLUMNS,
                    style_of(ROLE_TEXT), words);
    }
    sheet->y++;
}

/* Returns the number of pages. */
static unsigned fill(struct sheet sheet)
{
    char keys[40];
    for (int action = 0; action < ACTION_COUNT;) {
        const char *words = action_info((enum action)action)->help;
        if (begins_group(action))
            draw_heading(&sheet, action);
        action = action_keys(action, " ", keys, sizeof keys);
        draw_line(&sheet, keys, words);
    }
    return sheet.page + 1;
}

static struct sheet sheet_of(int columns, int rows)
{
    struct sheet sheet = {.columns = 1, .y = TOP, .bottom = rows};
    sheet.airy = rows >= all_lines() + 8;
    if (!sheet.airy && columns >= 2 * COLUMN_LEAST + 2) {
        sheet.columns = 2;
        sheet.airy = rows > all_lines() / 2 + 6;
    }
    sheet.width = (columns - 2) / sheet.columns;
    return sheet;
}

unsigned help_pages(int columns, int rows)
{
    return fill(sheet_of(columns, rows));
}

void help_draw(struct canvas *canvas, unsigned page)
{
    struct sheet sheet = sheet_of(canvas->columns, canvas->rows);
    unsigned pages = fill(sheet);
    sheet.canvas = canvas;
    sheet.shown = page % pages;
    fill(sheet);
    canvas_text(canvas, 0, 2, canvas->columns - 4, style_bold(ROLE_TITLE), "headlight: keys");
    char back[60] = "any key: back";
    if (pages > 1)
        snprintf(back, sizeof back, "page %u of %u   Down: more   others: back", sheet.shown + 1,
                 pages);
    canvas_text_right(canvas, 0, canvas->columns - 2, canvas->columns - 20, style_of(ROLE_FAINT),
                      back);
}
