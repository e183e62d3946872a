/* curses_draw.c: puts a canvas on the terminal: roles become colours of the terminal's depth, and
 * what has changed since the last frame is sent, by the sequences of its entry. Colours by number
 * are those of the standard, which entries lack: curses itself knows 256 of them, in pairs. */
#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/terminal/curses_parts.h"
#include "headlight/terminal/restore.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include <term.h> /* takes common words for its macros */
#undef columns
#undef lines

/* ---- What a cell is to the terminal ---- */

static bool is_half_block(const struct cell *cell)
{
    return strcmp(cell->text, "▌") == 0 || strcmp(cell->text, "▀") == 0;
}

/* A number of the palette, or red, green and blue; -1 is the terminal's own ground. With 8 colours
 * the bright half is reached by bold, but not the grey one, bold black, which not every terminal
 * shows: it is white or black, as an area nearer to the ground and as text further from it. */
static int color_of(const struct curses *curses, const struct theme *theme, const struct cell *cell,
                    bool back, unsigned *attributes)
{
    const struct style style = cell->style;
    const struct ink ink = back ? style.back : style.fore;
    const struct rgb rgb = theme_rgb(theme, ink);
    if (curses->kind.depth == DEPTH_DIRECT)
        return rgb.red << 16 | rgb.green << 8 | rgb.blue;
    if (curses->kind.depth == DEPTH_256)
        return theme_index_of(&curses->indexes, style, back);
    const int color = back && ink.level == 0 ? -1 : theme_ansi(theme, ink);
    if (curses->colors >= 16 || color < 8)
        return color;
    const bool light = theme->ansi[ROLE_GROUND] == 15, area = back || is_half_block(cell);
    if (color == 8)
        return light == area ? 7 : 0;
    if (!back)
        *attributes |= CURSES_BOLD;
    return color - 8;
}

/* A cell that shows no ink is a blank in any ink: changing colours and back would cost two
 * sequences for every gap between lines. A half block whose two colours are the same looks like
 * one; but not among 16 colours, where the ink may be the brighter one. */
static struct curses_cell shown_as(const struct curses *curses, const struct theme *theme,
                                   const struct cell *cell)
{
    const struct ink ink = cell->style.fore, ground = cell->style.back;
    const bool rich = curses->kind.depth >= DEPTH_256,
               unseen = strcmp(cell->text, " ") == 0 ||
                        (rich && ink_equal(ink, ground) && is_half_block(cell));
    struct curses_cell shown = {.fore = -1, .back = -1, .width = cell->width};
    unsigned attributes = cell->style.bold && !unseen ? CURSES_BOLD : 0;
    strcpy(shown.text, unseen ? " " : cell->text);
    if (curses->kind.depth == DEPTH_MONO) { /* three steps of brightness, and reverse video */
        const bool dim = ink.role == ROLE_FAINT || ink.level < 6;
        const unsigned dims = enter_dim_mode ? CURSES_DIM : 0;
        if (!unseen)
            attributes |= dim ? dims : ink.level >= 12 && ink.role >= ROLE_HUE ? CURSES_BOLD : 0;
        if (ground.level > 0 && ground.role != ROLE_GROUND)
            attributes |= CURSES_REVERSE;
    } else {
        shown.back = color_of(curses, theme, cell, true, &attributes);
        if (!unseen)
            shown.fore = color_of(curses, theme, cell, false, &attributes);
    }
    shown.attributes = (uint16_t)attributes;
    return shown;
}

static const struct cell blank = {.text = " ", .width = 1};

/* ---- Writing ---- */

/* What is being put together, and what the terminal's pen is like; it serves one terminal, and
 * tputs takes no context. */
static FILE *frame;
static struct curses_cell pen;

static int put_byte(int byte)
{
    return putc(byte, frame);
}

/* A string of the entry, of which some wait; NULL: it has none. */
static void put(const char *string)
{
    if (string)
        tputs(string, 1, put_byte);
}

/* Not every terminal takes colours away with the attributes. */
static void reset(void)
{
    put(exit_attribute_mode);
    put(orig_pair);
    pen = (struct curses_cell){.fore = -1, .back = -1};
}

static void put_color(enum depth depth, int color, bool back)
{
    if (depth == DEPTH_DIRECT)
        fprintf(frame, "\033[%d;2;%d;%d;%dm", back ? 48 : 38, color >> 16, color >> 8 & 0xFF,
                color & 0xFF);
    else if (depth == DEPTH_256)
        fprintf(frame, "\033[%d;5;%dm", back ? 48 : 38, color);
    else
        put(tiparm(back ? set_a_background : set_a_foreground, color));
}

/* Only bold can end without the colours, and only where there are many. */
static void put_cell(const struct curses *curses, const struct curses_cell *cell)
{
    const enum depth depth = curses->kind.depth;
    const unsigned over = pen.attributes & ~(unsigned)cell->attributes;
    if (over && depth >= DEPTH_256) {
        fputs("\033[22m", frame);
        pen.attributes = 0;
    } else if (over || (cell->back < 0 && pen.back >= 0)) {
        reset();
    }
    const unsigned more = cell->attributes & ~(unsigned)pen.attributes;
    put(more & CURSES_BOLD ? enter_bold_mode : NULL);
    put(more & CURSES_DIM ? enter_dim_mode : NULL);
    put(more & CURSES_REVERSE ? enter_reverse_mode : NULL);
    if (cell->back != pen.back)
        put_color(depth, cell->back, true);
    if (cell->fore >= 0 && cell->fore != pen.fore)
        put_color(depth, cell->fore, false);
    pen.attributes = cell->attributes;
    pen.back = cell->back;
    pen.fore = cell->fore >= 0 ? cell->fore : pen.fore;
    fputs(cell->text, frame);
}

/* Fewer columns than that are written again rather than passed over. */
#define NEAR 5

/* Of a row what is another than on the terminal, which may scroll when its last cell is written:
 * that stays blank. Text written below a picture would cut it. */
static void put_row(struct curses *curses, const struct canvas *canvas, const struct theme *theme,
                    struct area picture, int y)
{
    const bool scrolls = y == curses->rows - 1 && auto_right_margin && !eat_newline_glitch,
               crossed = y >= picture.y && y < picture.y + picture.rows;
    struct curses_cell *row = curses->cells + (size_t)y * (size_t)curses->columns;
    int at = -1; /* the cursor's column; -1: another row */
    for (int x = 0; x < int_min(canvas->columns, curses->columns - scrolls); x++) {
        const bool below = crossed && x >= picture.x && x < picture.x + picture.columns;
        const struct curses_cell shown =
            shown_as(curses, theme, below ? &blank : canvas_at(canvas, y, x));
        if (memcmp(&row[x], &shown, sizeof shown) == 0)
            continue;
        row[x] = shown;
        if (shown.width == 0)
            continue;
        if (at < 0 || x - at > NEAR)
            put(tiparm(cursor_address, y, at = x));
        for (; at <= x; at++)
            put_cell(curses, &row[at]);
        at = x + shown.width;
    }
}

/* A terminal of another size, or one that somebody else may have used, is cleared first. */
void curses_draw(struct curses *curses, const struct canvas *canvas, const struct theme *theme,
                 bool repaint)
{
    struct error ignored;
    struct buffer buffer;
    if (restore_signal() != 0) /* the terminal may be somebody else's */
        return;
    set_term(curses->screen);
    if (curses->theme != theme && curses->kind.depth == DEPTH_256)
        theme_indexes(theme, &curses->indexes);
    curses->theme = theme;
    const struct rgb ground = /* as it really is on this terminal, which pictures must match */
        curses->kind.depth == DEPTH_256 ? theme_256_color(curses->indexes.inks[ROLE_GROUND][0])
                                        : theme_rgb(theme, (struct ink){ROLE_GROUND, 0});
    const size_t count = (size_t)LINES * (size_t)COLS;
    if (curses->rows != LINES || curses->columns != COLS) {
        free(curses->cells);
        curses->cells = memory_new(count, sizeof *curses->cells, 0, "a frame", &ignored);
        curses->rows = LINES;
        curses->columns = COLS;
        repaint = true;
    }
    const struct area *picture = picture_draw(&curses->picture, canvas, ground, theme, &repaint);
    if (!curses->cells || !buffer_open(&buffer)) {
        curses->rows = 0;
        return;
    }
    frame = buffer.stream;
    /* A synchronized update (DEC private mode 2026): a terminal that knows it shows the frame at
     * once. */
    fputs(curses->xterm ? "\033[?2026h" : "", frame);
    reset();
    if (repaint) { /* to the pen's ground, on most terminals */
        const struct curses_cell none = {.text = " ", .fore = -1, .back = -1, .width = 1},
                                 cleared =
                                     back_color_erase ? shown_as(curses, theme, &blank) : none;
        put_cell(curses, &cleared);
        put(clear_screen);
        for (size_t i = 0; i < count; i++)
            curses->cells[i] = cleared;
    }
    for (int y = 0; y < int_min(canvas->rows, curses->rows); y++)
        put_row(curses, canvas, theme, picture ? *picture : (struct area){0}, y);
    reset();
    fputs(picture_bytes(&curses->picture), frame);
    fputs(curses->xterm ? "\033[?2026l" : "", frame);
    char *bytes = buffer_close(&buffer);
    curses_write(curses, bytes);
    curses->rows = bytes ? LINES : 0;
    free(bytes);
}
