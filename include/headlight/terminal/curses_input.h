/* curses_input.h: keys, clicks and pastes from the terminal that curses has set. */
#ifndef HEADLIGHT_TERMINAL_CURSES_INPUT_H
#define HEADLIGHT_TERMINAL_CURSES_INPUT_H

#include "headlight/terminal/ask.h"
#include "headlight/terminal/curses.h"

#include <wchar.h>

/* A key of curses (KEY_CODE_YES) or a character (OK). */
struct curses_code {
    int kind;
    wint_t code;
};

/* What has been read of something that is not complete yet. {0} at first; the text is the owner's
 * to free. */
struct curses_reader {
    mbstate_t partial;                     /* bytes of a character */
    struct curses_code codes[ASK_LONGEST]; /* read ahead, the next one first */
    size_t held;                           /* how many */
    double since;                          /* when an answer's beginning was read; 0: none was */
    const char *typed;                     /* bytes that come before those of the terminal */
    size_t typed_length;
    bool pasting; /* the mark before a paste has come, the one after it not yet */
    double last;  /* when the last key of the paste came */
    char *text;   /* of the paste, UTF-8 */
    size_t length, capacity;
};

/* Teaches curses the keys that terminfo doesn't name. Call once for each terminal. */
void curses_input_prepare(void);

/* As curses_read. */
struct curses_input curses_input_read(struct curses_reader *reader);

#endif
