/* curses_parts.h: what the files that know ncurses (curses*.c) share: the terminal, the reader of
 * its keys, and an entry of terminfo that has direct colour and the 256 colours, and sends a colour
 * only where it changes. */
#pragma once

#include "headlight/base/locale.h"
#include "headlight/terminal/curses.h"
#include "headlight/terminal/picture.h"

#include <wchar.h>

/* ---- Keys, clicks and pastes: curses_input.c ---- */

/* What comes this much later isn't the rest of an answer, unless it completes one. */
#define ANSWER_PATIENCE 3000 /* milliseconds */

/* A key of curses (KEY_CODE_YES) or a character (OK). */
struct curses_code {
    int kind;
    wint_t code;
};

/* The source of keys, and what has been read of something incomplete. {0} at first. */
struct curses_reader {
    void *keys;                            /* a pad of curses: reading from a window draws it */
    locale_t utf8;                         /* what bytes are read by, if not the user's locale */
    mbstate_t partial;                     /* bytes of a character */
    struct curses_code codes[ASK_LONGEST]; /* read ahead, the next one first */
    size_t code_count;                     /* how many */
    double since;                          /* when an answer's beginning was read; 0: none was */
    struct ask_answer answer;              /* what the terminal has answered */
    double escaped;                        /* when Esc alone was read */
    const char *typed;                     /* bytes that come before those of the terminal */
    size_t typed_length;
    wint_t reporting;     /* the form of a mouse's report whose end hasn't come yet; or 0 */
    unsigned reported[3]; /* its numbers so far, */
    size_t report_count;  /* of which so many are complete */
    bool pasting;         /* the mark before a paste has come, the one after it not yet */
    double last;          /* when the last key of the paste, or of the report, came */
    char *text;           /* of the paste, UTF-8 */
    size_t length, capacity;
};

/* Makes the pad, and teaches curses the keys that terminfo doesn't name. Call once for each
 * terminal. False: no memory. */
bool curses_input_prepare(struct curses_reader *reader);

/* Takes mouse reports away from curses, once it has been told to switch them on. */
void curses_input_take_mouse(void);

/* Frees what it holds. */
void curses_input_free(struct curses_reader *reader);

/* ---- The entry: curses_entry.c ---- */

/* The ink of cells that show none: any colour will do, so it isn't sent. */
#define CURSES_ENTRY_ANY 0

/* The program's environment with TERMINFO in front, as the entry of a terminal in compiled form:
 * the terminal's own, but numbers of colours up to 255 are the palette's, and those from 256 on are
 * red << 16 | green << 8 | blue. With it newterm finds this entry by the terminal's own name; a
 * curses that doesn't read such a TERMINFO finds the one that is installed. The terminal is open on
 * `fd`. NULL where there is no memory. */
char **curses_entry_environment(const char *term, int fd);

/* Accepts NULL. The variables but the first are the program's. */
void curses_entry_free(char **environment);

/* ---- The terminal ---- */

struct curses {
    struct screen *screen; /* of curses */
    FILE *output;
    struct curses_kind kind;
    int colors;                   /* that the terminal has */
    bool direct_open;             /* it may have direct colour, and its entry can show it */
    const struct theme *theme;    /* that the tables below are for */
    struct theme_indexes indexes; /* among 256 colours */
    bool xterm;                   /* of xterm's kin: knows synchronized updates, bracketed paste */
    bool hover;                   /* mode 1003 is on */
    bool paste;                   /* mode 2004 is on */
    char **environment;           /* that newterm was called in, if not the program's */
    const struct probe *probe;    /* has the line discipline of before, if newterm didn't find it */
    struct curses_reader reader;
    struct picture picture;
};

/* Gives the terminal back until the program is continued, if it was asked to stop, and takes its
 * size. CURSES_RESIZED: the screen is to be drawn anew; CURSES_NOTHING: the program was asked to
 * end; else CURSES_KEY. */
enum curses_event curses_renew(struct curses *curses);

/* Past stdio, which would send it after the frame. */
void curses_write(const struct curses *curses, const char *text);
