/* restore.h: the terminal is left as it was found, however the program ends.
 *
 * ncurses restores it on INT and TERM alone; HUP, QUIT, SEGV and ABRT would leave it raw on the
 * alternate screen. INT, TERM, HUP and QUIT are noted here: the event loop ends and the signal is
 * raised again, so that the exit status says what happened. The fatal ones write a constant string
 * that undoes the modes, reset the line discipline and are raised again. A terminal that takes
 * nothing (Ctrl-S, a reader that is stuck) holds up neither of them. */
#ifndef HEADLIGHT_TERMINAL_RESTORE_H
#define HEADLIGHT_TERMINAL_RESTORE_H

#include <signal.h>
#include <stdbool.h>

/* Remembers the state of the terminal `fd` and installs the handlers. INT, TERM, HUP, QUIT, TSTP,
 * WINCH and their like are blocked from here on except inside restore_wait_mask, so that none is
 * lost between a test and the wait for input. Call before curses begins. */
void restore_arm(int fd);

/* Call once curses has begun: its handlers of TSTP and WINCH then run in this thread alone,
 * whichever thread the signal comes to, as those of the ending signals do. */
void restore_relay(void);

/* Modes of the terminal that curses doesn't know: what leaves them is written before the program is
 * suspended, what enters them when it goes on. Constant strings, or NULL. */
void restore_modes(const char *on, const char *off);

/* Around all that is written to the terminal, standard output. Signals that ask to end are let in,
 * and are noted; a write that the terminal has not taken a second later, or when it is asked once
 * more, goes nowhere, so that the caller comes to restore_disarm, which then undoes the modes. */
void restore_begin_output(void);
void restore_end_output(void);

/* Writes all of a text, whatever interrupts it; safe in a signal handler. False: it can't be
 * written. */
bool restore_write(int fd, const char *text);

/* The signal mask to wait for input with (pselect): the one from before restore_arm. */
const sigset_t *restore_wait_mask(void);

/* The signal that asked the program to end, or 0. */
int restore_signal(void);

/* Puts the signal mask and the handlers back; call after curses has ended. */
void restore_disarm(void);

/* Raises the signal with its default effect. */
void restore_raise(int number);

/* While curses owns the screen, what libraries write to standard error is kept in a file without a
 * name; released, it is written to standard error. */
void restore_hold_stderr(void);
void restore_release_stderr(void);

#endif
