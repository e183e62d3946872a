/* help.c: the screen of keys. It is generated from the table of actions, so that help and keys
 * agree. The same code counts lines without a canvas, fills columns and turns pages; groups stay
 * together as far as they fit. */
#include "headlight/session/act.h"
#include "headlight/session/screen.h"

#include <stdio.h>
#include <string.h>

#define KEYS_COLUMNS 16
#define COLUMN_LEAST 38 /* keys and description in one column */
#define TO_KNOW      5  /* keys of a view that are marked */
#define MARK         "▸"

/* The position of the next line of help. */
struct sheet {
    const struct view *view; /* whose keys; NULL: all */
    const struct help *help; /* NULL: only count lines */
    struct canvas *canvas;   /* likewise */
    unsigned page, shown;
    int column, columns, width; /* the current column, how many, and their width */
    int y, top, bottom;
    bool airy; /* a blank line between groups */
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

static bool is_meant(const struct view *view, enum action action)
{
    const unsigned shown = action_info(action)->shown;
    return !view || !shown || view->shown & shown || view_owns(view, action);
}

/* Whether an action has a line of its own in the view's help. */
static bool is_listed(const struct view *view, int action)
{
    return action_info((enum action)action)->help[0] && is_meant(view, (enum action)action);
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

/* The place among the hints of a key of an action, or of one that shares its line; -1: none. */
static int place_of_hint(const struct help *help, int first, int end, struct hint *hint)
{
    const char *hints = help && help->hints ? help->hints : "";
    for (int place = 0; hint_next(&hints, hint); place++) {
        enum action action;
        uint32_t key;
        int digit;
        key_hinted(hint->keys, &key);
        key = strcmp(hint->keys, "0-9") == 0 ? '0' : key;
        if (action_of_key(NULL, key, &action, &digit) && (int)action >= first && (int)action < end)
            return place;
    }
    return -1;
}

static void help_draw_line(struct sheet *sheet, const char *keys, const char *words, bool marked)
{
    int x = 2 + sheet->column * sheet->width;
    if (sheet->y >= sheet->bottom) {
        next_column(sheet);
        x = 2 + sheet->column * sheet->width;
    }
    if (canvas_now(sheet)) {
        canvas_text(sheet->canvas, sheet->y, x, 1, style_bold(ROLE_WARNING), marked ? MARK : "");
        canvas_text(sheet->canvas, sheet->y, x + 1, KEYS_COLUMNS - 1,
                    marked ? style_bold(ROLE_TITLE) : style_of(ROLE_TITLE), keys);
        canvas_text(sheet->canvas, sheet->y, x + 1 + KEYS_COLUMNS, sheet->width - 2 - KEYS_COLUMNS,
                    marked ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT), words);
    }
    sheet->y++;
}

/* Returns the number of pages. */
static unsigned help_fill(struct sheet *sheet)
{
    const struct bindings *bindings = sheet->help ? sheet->help->bindings : NULL;
    struct hint hint;
    char keys[80];
    for (int action = 0; action < ACTION_COUNT;) {
        const int first = action;
        bool taken = sheet->help && sheet->help->led && action == ACTION_HEAD_TOGGLE;
        const char *words = taken ? "the lesson goes on" : action_info((enum action)action)->help;
        bool listed = is_listed(sheet->view, action);
        if (help_begins_group(action))
            help_draw_heading(sheet, action);
        action = action_keys(taken ? NULL : bindings, action, " ", keys, sizeof keys);
        const int place = place_of_hint(sheet->help, first, action, &hint);
        if (place >= 0 && !strstr(words, hint.what)) /* the key has another meaning here */
            words = hint.what;
        if (listed)
            help_draw_line(sheet, keys, words, place >= 0 && place < TO_KNOW);
    }
    return sheet->page + 1;
}

#define LONGEST_WORD 12 /* columns that a line of words may leave empty */

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
    struct sheet sheet = sheet_of(view, columns, rows);
    return help_fill(&sheet);
}

/* How to leave is said at the right; in a narrow window the title gives way to it. */
static void help_draw_title(struct canvas *canvas, const struct help *help, unsigned page,
                            unsigned pages)
{
    const struct view *view = help->view;
    char back[100], leaf[60] = "";
    if (pages > 1)
        snprintf(leaf, sizeof leaf, "page %u of %u   Down: more   ", page + 1, pages);
    snprintf(back, sizeof back, "%s%s", leaf,
             view        ? "?: all keys   others: back"
             : pages > 1 ? "others: back"
                         : "any key: back");
    canvas_print(canvas, 0, 2, canvas->columns - 4, style_bold(ROLE_TITLE), "headlight: %s%s%s",
                 view ? "keys of " : "all keys", view ? view->title : "",
                 help->hints ? ", " MARK " the ones to know" : "");
    canvas_text_right(canvas, 0, canvas->columns - 2, canvas->columns - 28, style_of(ROLE_FAINT),
                      back);
}

/* What the picture means and what can be clicked, in the view's own words. */
static void draw_explanation(struct canvas *canvas, const struct view *view)
{
    int y = canvas->rows - EXPLANATION, columns = canvas->columns - 2;
    canvas_text(canvas, y, 2, columns, style_of(ROLE_TEXT), view->meaning);
    canvas_print(canvas, y + 1, 2, columns, style_of(ROLE_TEXT),
                 "mouse: %s · heads above, again: alone · wheel: ↑↓", view->mouse);
}

/* ---- What there is room for besides ---- */

#define NAME_COLUMNS 9

/* Writes some words behind their name, if all of them fit. */
static void draw_more_line(struct canvas *canvas, struct area *room, const char *name,
                           const char *words)
{
    struct area area = {room->y, room->x + 1 + NAME_COLUMNS, 0, room->columns - 1 - NAME_COLUMNS};
    area.rows = canvas_width(canvas, words) / (area.columns - LONGEST_WORD) + 1;
    if (area.rows > room->rows)
        return;
    canvas_text(canvas, room->y, room->x + 1, NAME_COLUMNS - 1, style_of(ROLE_TITLE), name);
    int used = canvas_paragraph(canvas, area, style_of(ROLE_TEXT), words);
    room->y += used;
    room->rows -= used;
}

static void draw_more_heading(struct canvas *canvas, struct area *room, const char *heading)
{
    canvas_text(canvas, room->y, room->x, room->columns, style_bold(ROLE_STRONG), heading);
    room->y++;
    room->rows--;
}

/* What keys choose among, in more words, and the views; below the last column, or where there is
 * only one column beside it. */
static void help_draw_more(const struct sheet *sheet)
{
    const int least = 6;
    bool beside = sheet->columns == 1 && sheet->canvas->columns >= 2 * COLUMN_LEAST + 2;
    int columns = beside ? sheet->width / 2 : sheet->width;
    int y = beside ? sheet->top : sheet->y + 1;
    struct area room = {y, 2 + (beside ? columns : sheet->column * columns), sheet->bottom - y,
                        columns - 2};
    enum state_field field;
    char keys[80];
    if (!sheet->airy || room.rows < least || (sheet->columns == 1 && !beside))
        return;
    draw_more_heading(sheet->canvas, &room, "In more words");
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        if (!palette_field(action, &field) || field == FIELD_VIEW || !is_meant(sheet->view, action))
            continue;
        size_t length;
        const char *key = action_key(sheet->help->bindings, action, 0, &length);
        snprintf(keys, sizeof keys, "%.*s", key ? (int)length : 0, key ? key : "");
        draw_more_line(sheet->canvas, &room, keys, option_named(field_info(field)->name)->help);
    }
    if (room.rows < 2 * VIEW_COUNT + 2)
        return;
    room.y++;
    room.rows--;
    draw_more_heading(sheet->canvas, &room, "Views");
    for (enum view_kind kind = 0; kind < VIEW_COUNT; kind++)
        draw_more_line(sheet->canvas, &room, view_at(kind)->title, view_at(kind)->about);
}

/* Filled twice: the number of pages must be known before one of them is drawn. */
void help_draw(struct canvas *canvas, const struct help *help, unsigned page)
{
    unsigned pages = help_pages(help->view, canvas->columns, canvas->rows);
    struct sheet sheet = sheet_of(help->view, canvas->columns, canvas->rows);
    sheet.canvas = canvas;
    sheet.help = help;
    sheet.shown = page % pages;
    help_fill(&sheet);
    if (pages == 1)
        help_draw_more(&sheet);
    help_draw_title(canvas, help, sheet.shown, pages);
    if (sheet.bottom < canvas->rows)
        draw_explanation(canvas, help->view);
}
