/* curses_helpers.h: a terminal of curses without a terminal. It is opened on /dev/null, drawn on,
 * and read back from what curses believes to be on it. */
#pragma once

#include "headlight/terminal/curses.h"

#include <check.h>
#include <stdio.h>

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>

/* The terminal of the running test, and the streams it is opened on. */
extern struct curses *curses;
extern FILE *curses_output, *curses_input;

/* Tests on 60 by 12 cells, with fresh streams and nothing in the environment that tells of colours.
 */
extern const struct fixture curses_tests;

/* False, and said, when this machine lacks the entry and may: then there is nothing to test. The
 * wish may be NULL. */
bool open_terminal(const char *term, const struct curses_wish *wish);

/* ---- What is on the screen ---- */

struct shown {
    wchar_t text[CCHARW_MAX + 1];
    attr_t attributes;
    int fore, back; /* -1: the terminal's own */
};

struct shown shown_at(int y, int x);

/* A piece of each style, in its place; then that they have their colours, of which a number may
 * name so many (0: attributes instead), and their glyphs. */
void draw_places(const struct theme *theme);
void assert_all_colors(const struct theme *theme, int colors);
void assert_glyphs(enum glyph_set glyphs);

void assert_glyph(int y, int x, const wchar_t *text);
