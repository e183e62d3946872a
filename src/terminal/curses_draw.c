/* curses_draw.c: puts a canvas on the terminal: roles become colours of the terminal's depth, cells
 * become curses' cells, and curses sends what has changed. */
#include "headlight/terminal/curses_parts.h"
#include "headlight/terminal/restore.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdlib.h>
#include <string.h>

static bool is_half_block(const struct cell *cell)
{
    return strcmp(cell->text, "▌") == 0 || strcmp(cell->text, "▀") == 0;
}

/* -1 is the terminal's own ground. With 8 colours the bright half is reached by bold, but not the
 * grey one, bold black, which not every terminal shows: it is white or black, as an area nearer to
 * the ground and as text further from it. */
static int color_of(const struct curses *curses, const struct theme *theme, const struct cell *cell,
                    bool back, attr_t *attributes)
{
    const struct style style = cell->style;
    struct ink ink = back ? style.back : style.fore;
    const struct rgb rgb = theme_rgb(theme, ink);
    const int direct = rgb.red << 16 | rgb.green << 8 | rgb.blue;
    if (curses->kind.depth == DEPTH_DIRECT) /* up to 255 are the palette's: a trace of green */
        return direct < 256 ? direct | 256 : direct;
    if (curses->kind.depth == DEPTH_256)
        return theme_index_of(&curses->indexes, style, back);
    int color = back && ink.level == 0 ? -1 : theme_ansi(theme, ink);
    if (curses->colors >= 16 || color < 8)
        return color;
    const bool light = theme->ansi[ROLE_GROUND] == 15, area = back || is_half_block(cell);
    if (color == 8)
        return light == area ? 7 : 0;
    if (!back)
        *attributes |= A_BOLD;
    return color - 8;
}

/* A cell as curses has it. Characters that the locale can't write become "?". */
static void put_cell(const struct curses *curses, const struct theme *theme, int y, int x,
                     const struct cell *cell)
{
    wchar_t wide[CCHARW_MAX + 1] = L" ";
    cchar_t complex;
    bool unseen = curses->environment && strcmp(cell->text, " ") == 0;
    attr_t attributes = cell->style.bold && !unseen ? A_BOLD : A_NORMAL;
    int pair = 0;
    size_t length = mbstowcs(wide, cell->text, CCHARW_MAX);
    if (length == (size_t)-1 || length == 0) {
        wide[0] = L'?';
        length = 1;
    }
    wide[length < CCHARW_MAX ? length : CCHARW_MAX - 1] = L'\0';
    if (curses->kind.depth == DEPTH_MONO) { /* three steps of brightness, and reverse video */
        const struct ink ink = cell->style.fore, ground = cell->style.back;
        attributes |= ground.level > 0 && ground.role != ROLE_GROUND ? A_REVERSE : 0;
        attributes |= ink.role == ROLE_FAINT || ink.level < 6   ? A_DIM
                      : ink.level >= 12 && ink.role >= ROLE_HUE ? A_BOLD
                                                                : 0;
        attributes &= term_attrs();
    } else {
        int fore = unseen ? CURSES_ENTRY_ANY : color_of(curses, theme, cell, false, &attributes);
        int back = color_of(curses, theme, cell, true, &attributes);
        pair = alloc_pair(fore, back);
    }
    /* COLOR_PAIR() would cut pairs above 255; the pair goes by pointer. */
    setcchar(&complex, wide, attributes, 0, &pair);
    mvadd_wch(y, x, &complex);
}

void curses_draw(struct curses *curses, const struct canvas *canvas, const struct theme *theme,
                 bool repaint)
{
    if (restore_signal() != 0) /* the terminal may be somebody else's */
        return;
    set_term(curses->screen);
    if (curses->theme != theme && curses->kind.depth == DEPTH_256)
        theme_indexes(theme, &curses->indexes);
    curses->theme = theme;
    const struct rgb ground = /* as it really is on this terminal, which pictures must match */
        curses->kind.depth == DEPTH_256 ? theme_256_color(curses->indexes.inks[ROLE_GROUND][0])
                                        : theme_rgb(theme, (struct ink){ROLE_GROUND, 0});
    const bool rich = curses->kind.depth >= DEPTH_256;
    const struct area *picture = picture_draw(&curses->picture, canvas, ground, theme, &repaint);
    erase();
    for (int y = 0; y < canvas->rows && y < LINES; y++) {
        /* A cell that shows no ink becomes a blank in the ink of the cell before, since
         * changing colours and back would cost two sequences for every gap between lines. A half
         * block whose two colours are the same looks like one; but not among 16 colours, where the
         * ink may be the brighter one. Cells below a picture are left alone: text written there
         * would cut it. */
        static const struct cell blank = {
            .text = " ", .width = 1, .style = {.back = {ROLE_GROUND, 0}}};
        struct style before = style_of(ROLE_TEXT);
        int end = canvas_row_end(canvas, y, true); /* curses erases the rest at once */
        const struct area below = picture ? *picture : (struct area){0};
        const bool crossed = y >= below.y && y < below.y + below.rows;
        for (int x = 0; x < canvas->columns && x < COLS; x++) {
            struct cell cell = *canvas_at(canvas, y, x);
            const struct ink fore = cell.style.fore, back = cell.style.back;
            const bool empty = strcmp(cell.text, " ") == 0,
                       one = rich && fore.level == back.level &&
                             (fore.role == back.role || fore.level == 0) && is_half_block(&cell);
            if (crossed && x >= below.x && x < below.x + below.columns) {
                cell = blank;
            } else if (x < end && ((empty && (rich || back.level == 0)) || one)) {
                strcpy(cell.text, " ");
                cell.style = before;
                cell.style.back = back;
            }
            before = cell.style;
            if (cell.width > 0)
                put_cell(curses, theme, y, x, &cell);
        }
    }
    if (repaint)
        clearok(curscr, TRUE);
    wnoutrefresh(stdscr);
    /* A synchronized update (DEC private mode 2026): a terminal that knows it shows the frame at
     * once. */
    curses_write(curses, curses->xterm ? "\033[?2026h" : "");
    doupdate();
    curses_write(curses, picture_bytes(&curses->picture));
    curses_write(curses, curses->xterm ? "\033[?2026l" : "");
}
