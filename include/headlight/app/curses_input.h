/* curses_input.h: keys, clicks and pastes from the terminal that curses has set. */
#ifndef HEADLIGHT_APP_CURSES_INPUT_H
#define HEADLIGHT_APP_CURSES_INPUT_H

#include "headlight/app/curses.h"

/* What is being pasted: it comes key by key between two marks. */
struct curses_paste {
    bool open;   /* the first mark has come, the second not yet */
    double last; /* when the last key of it came */
    char *text;  /* UTF-8 */
    size_t length, capacity;
};

/* Teaches the terminal's keys that terminfo doesn't name. Call once for each terminal. */
void curses_input_prepare(void);

/* As curses_read. */
struct curses_input curses_input_read(struct curses_paste *paste);

#endif
