/* curses_input.h: keys, clicks and pastes from the terminal that curses has set. */
#ifndef HEADLIGHT_TERMINAL_CURSES_INPUT_H
#define HEADLIGHT_TERMINAL_CURSES_INPUT_H

#include "headlight/terminal/ask.h"
#include "headlight/terminal/curses.h"

#include <locale.h>
#include <wchar.h>

/* So much later what comes isn't the rest of an answer, unless it ends one. */
#define ANSWER_PATIENCE 3000 /* milliseconds */

/* A key of curses (KEY_CODE_YES) or a character (OK). */
struct curses_code {
    int kind;
    wint_t code;
};

/* What keys are read from, and what has been read of something that is not complete yet. {0} at
 * first. */
struct curses_reader {
    void *keys;                            /* a pad of curses: reading from a window draws it */
    locale_t utf8;                         /* what bytes are read by, if not the user's locale */
    mbstate_t partial;                     /* bytes of a character */
    struct curses_code codes[ASK_LONGEST]; /* read ahead, the next one first */
    size_t held;                           /* how many */
    double since;                          /* when an answer's beginning was read; 0: none was */
    double escaped;                        /* when Esc alone was read */
    const char *typed;                     /* bytes that come before those of the terminal */
    size_t typed_length;
    bool pasting; /* the mark before a paste has come, the one after it not yet */
    double last;  /* when the last key of the paste came */
    char *text;   /* of the paste, UTF-8 */
    size_t length, capacity;
};

/* Makes the pad, and teaches curses the keys that terminfo doesn't name. Call once for each
 * terminal. False: no memory. */
bool curses_input_prepare(struct curses_reader *reader);

/* Frees what it holds. */
void curses_input_free(struct curses_reader *reader);

/* As curses_read. */
struct curses_input curses_input_read(struct curses_reader *reader);

#endif
