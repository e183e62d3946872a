/* curses.h: a canvas on a terminal, and keys from it. Only curses*.c know ncurses. */
#pragma once

#include "headlight/terminal/ask.h"

#include <stdio.h>

struct curses;

/* How the user wants colours: a depth, and 1; the best that the terminal has. */
enum color_wish { COLOR_AUTO, COLOR_MONO, COLOR_16, COLOR_256, COLOR_DIRECT };

/* What the user said about colour and glyphs. */
struct curses_wish {
    enum color_wish color;
    bool ascii;
    bool no_mouse; /* leave the mouse to the terminal, which then selects text */
    bool direct;   /* it has answered that it has direct colour (ask.h) */
};

/* Lends the terminal TERM an entry of terminfo where no database has one, as in a container, or
 * over ssh from a newer machine: what all relatives of xterm can do, under the terminal's own name.
 * True if it did. Changes the environment: call it before threads start, and before all else here.
 */
bool curses_lend_entry(int fd);

/* Whether a terminal (NULL: TERM) is a relative of xterm, which answers questions (ask.h) or
 * ignores them; others may print them. */
bool curses_takes_questions(const char *term, int fd);

/* Asks the terminal TERM those of some ASK_ questions (ask_begin) that it can answer and that the
 * environment leaves open. False: nothing is asked. */
bool curses_ask(struct probe *probe, int output, int input, unsigned questions);

/* Sets LINES and COLUMNS to the size of a terminal, cut to what a canvas can have. Changes the
 * environment, which other threads may be reading: call it before they start, and before
 * curses_open. */
void curses_prepare_size(FILE *output);

/* Opens a terminal by its terminfo name (NULL: TERM) on two streams. The depth of colour is chosen
 * once: the wish, NO_COLOR, direct colour if terminfo has it (or COLORTERM says so:
 * curses_parts.h), 256, 16 or 8, none. STATUS_UNSUPPORTED for an unknown terminal or one that can't
 * place its cursor; the terminal is then untouched. */
enum status curses_open(struct curses **curses, const char *term, FILE *output, FILE *input,
                        const struct curses_wish *wish, struct error *error);

/* Ends curses and frees. Accepts NULL. */
void curses_close(struct curses *curses);

/* What a canvas for this terminal has to observe. */
struct curses_kind {
    enum depth depth;
    struct traits traits;
    int columns, rows;   /* the terminal's; LINES and COLUMNS if it doesn't say */
    enum line_set lines; /* what lines are made of, once they are chosen */
    bool pictures;       /* they are shown as a picture: the canvas is to keep its strokes */
};

const struct curses_kind *curses_kind(const struct curses *curses);

/* Chooses how lines are drawn, from the user's wish and what the terminal has answered, once it is
 * open; and direct colour where it has answered that, if nothing else has settled the depth.
 * STATUS_UNSUPPORTED for a wish that can't be met. */
enum status curses_choose_lines(struct curses *curses, enum lines_wish lines,
                                const struct ask_answer *answer, struct error *error);

/* Puts the canvas on the terminal in one update. `repaint` paints every cell, not the changes.
 * Nothing is drawn once the program was asked to end (restore.h). */
void curses_draw(struct curses *curses, const struct canvas *canvas, const struct theme *theme,
                 bool repaint);

enum curses_event {
    CURSES_NOTHING, /* no input waits */
    CURSES_KEY,     /* key: as in actions.h, KEY_CODE_NONE for one without a name */
    CURSES_CLICK,   /* y, x: the cell */
    CURSES_HOVER,   /* y, x: the cell that the mouse is over */
    CURSES_PASSED,  /* a character of what is pasted, a mouse's button released: nothing to do */
    CURSES_PASTE,   /* text, length: what was pasted, until the next call */
    CURSES_RESIZED,
};

struct curses_input {
    enum curses_event event;
    uint32_t key;
    int y, x;
    const char *text;
    size_t length;
};

/* Switches the marks around pasted text on, while text is typed, or off, on terminals that have
 * them. As with curses_draw, nothing is written once the program was asked to end. */
void curses_set_paste(struct curses *curses, bool on);

/* Puts a text on the clipboard, where the terminal lets programs do so. */
void curses_copy(const struct curses *curses, const char *text);

/* Takes over from ask.h, right after curses_open: goes on from the answers so far, reads what was
 * typed meanwhile before what the terminal sends, and gives back the line discipline of before in
 * the end. What was asked stays the caller's, and must outlive curses. */
void curses_take_over(struct curses *curses, struct probe *probe);

/* What the terminal has answered so far. */
const struct ask_answer *curses_answer(const struct curses *curses);

/* Reads one key, click or paste without waiting. The wheel counts as the keys Up and Down; a key
 * typed with Alt, which comes as Esc and a key, has KEY_ALT added. Late answers of the terminal
 * (ask.h) are no keys: they are noted, see curses_answer. Where the program was asked to stop
 * (restore.h), it stops here first, with the terminal given back meanwhile. */
struct curses_input curses_read(struct curses *curses);
