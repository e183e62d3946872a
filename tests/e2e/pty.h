/* pty.h: the program in a pseudo-terminal, its output decoded by libvterm into a grid of cells.
 *
 *     struct pty *pty = pty_start(&(struct pty_setup){.arguments = (const char *[]){"a b", NULL}});
 *     pty_expect(pty, "q quit");
 *     pty_type(pty, "q");
 *     ck_assert_int_eq(pty_wait_end(pty), 0);
 *     pty_free(pty);
 *
 * Nothing sleeps: a wait polls the terminal until what is awaited is there and no more bytes come
 * for a moment. Past the deadline the screen is printed and the test fails; it fails too when the
 * system refuses something. */
#pragma once

#include "e2e/grid.h"

#include <stddef.h>

/* What the keys send once the program has asked for keypad mode (terminfo smkx). */
#define PTY_UP    "\033OA"
#define PTY_DOWN  "\033OB"
#define PTY_RIGHT "\033OC"
#define PTY_LEFT  "\033OD"

struct pty;

struct pty_setup {
    const char *program;               /* another than headlight; or NULL */
    int (*run)(int argc, char **argv); /* as in job.h, as are these: */
    const char *const *arguments, *const *environment;
    int columns, rows;  /* 0: 120×40 */
    const char *input;  /* piped to standard input, which is the terminal if NULL */
    const char *folder; /* where it runs; NULL: here */
    const char *closed; /* standard streams that are closed: "0", "02" …; or NULL */
    bool answers;       /* says what it is when it is asked, so that the program need not wait */
    bool detached;      /* it has no controlling terminal */
    const char *before; /* stands on the main screen when the program starts; or NULL */
    const char *typed;  /* waits in the terminal when the program starts; or NULL */
};

struct pty *pty_start(const struct pty_setup *setup);

/* Kills and reaps what still runs. Accepts NULL. */
void pty_free(struct pty *pty);

/* ---- Doing ---- */

/* However long: what the program writes meanwhile is taken. */
void pty_type(struct pty *pty, const char *text);
void pty_type_bytes(struct pty *pty, const char *bytes, size_t length);
void pty_resize(struct pty *pty, int columns, int rows);
void pty_signal(struct pty *pty, int number);

/* What a shell does with the terminal of a stopped program: its own modes, and a line of text. */
void pty_take_terminal(struct pty *pty, const char *text);

/* Brings a stopped program back to the foreground. */
void pty_continue(struct pty *pty);

/* Closes the terminal's other end: the program's input is then at its end. */
void pty_hang_up(struct pty *pty);

/* From here on nobody reads what the program writes, and there is no room left for any of it; until
 * pty_listen, which takes what is there by then. A wait for a screen would be in vain meanwhile. */
void pty_clog(struct pty *pty);
void pty_listen(struct pty *pty);

/* Reads on until the program has begun a frame (mode 2026 is set), and then no more, as pty_clog.
 */
void pty_stop_in_frame(struct pty *pty);

/* Takes what is there, without waiting. */
void pty_glance(struct pty *pty);

/* ---- Waiting ---- */

/* Until something is so that the terminal doesn't show; `what` names it. */
void pty_wait_for(struct pty *pty, bool (*holds)(void), const char *what);

/* Until the program has read what was typed. */
void pty_wait_read(struct pty *pty);

/* Until the text stands on the screen, within a row; or nowhere. */
void pty_expect(struct pty *pty, const char *text);
void pty_expect_gone(struct pty *pty, const char *text);

/* Until the screen is equal to the grid. */
void pty_expect_grid(struct pty *pty, const struct grid *grid);

/* The same but for the two bars above. */
void pty_expect_picture(struct pty *pty, const struct grid *grid);

/* Until the program has written the bytes so often since it started, and not within a frame. */
void pty_expect_sent(struct pty *pty, const char *text, size_t times);

/* Until the program has ended; returns its wait status. */
int pty_wait_end(struct pty *pty);

/* Sends a signal again and again until the program has ended. */
void pty_ask_to_end(struct pty *pty, int number);

/* Has a stopped program go on in the background until it ends, as often as it stops there. */
void pty_go_on_to_end(struct pty *pty);

/* Until the program has been stopped; the terminal's foreground is then the session leader's. */
void pty_wait_stopped(struct pty *pty);

/* ---- Looking ---- */

/* The screen now; the caller frees. */
struct grid *pty_grid(const struct pty *pty);
char *pty_row(const struct pty *pty, int row);

/* What the program asked of the terminal so far. */
bool pty_alternate_screen(const struct pty *pty);
bool pty_cursor_visible(const struct pty *pty);
bool pty_mode(const struct pty *pty, int number); /* a private mode: CSI ? number h */
bool pty_titled(const struct pty *pty);           /* a title was set at any time */
size_t pty_escapes(const struct pty *pty);        /* bytes ESC that came */

/* All that came so far; good until the next call of any function. */
const char *pty_output(const struct pty *pty, size_t *length);

/* How often these bytes came. */
size_t pty_sent(const struct pty *pty, const char *bytes);

/* Whether the line discipline is as it was before the program started. */
bool pty_modes_restored(const struct pty *pty);

/* Prints the screen to standard error, for a failing test. */
void pty_print(const struct pty *pty);
