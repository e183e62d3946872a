/* curses_parts.h: what curses.c (the terminal and its input) and curses_draw.c share. */
#ifndef HEADLIGHT_TERMINAL_CURSES_PARTS_H
#define HEADLIGHT_TERMINAL_CURSES_PARTS_H

#include "headlight/terminal/curses.h"
#include "headlight/terminal/curses_input.h"
#include "headlight/terminal/picture.h"

struct curses {
    struct screen *screen; /* of curses */
    FILE *output;
    enum depth depth;
    int colors; /* that the terminal has */
    struct traits traits;
    const struct theme *theme;    /* that the tables below are for */
    struct theme_indexes indexes; /* among 256 colours */
    bool xterm;                   /* of xterm's kin: knows synchronized updates, bracketed paste */
    bool hover;                   /* mode 1003 is on */
    bool paste;                   /* mode 2004 is on */
    char **environment;           /* that newterm was called in, if not the program's */
    struct curses_reader reader;
    enum line_set lines;
    struct picture picture;
};

#endif
