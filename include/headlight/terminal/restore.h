/* restore.h: the terminal is left as it was found, however the program ends.
 *
 * A signal that asks to end (INT, TERM, HUP, QUIT …), to stop (TSTP) or to look at the size (WINCH)
 * is only noted, and ends the wait for input: the event loop ends or stops by itself, and the
 * signal is raised again, so that the exit status says what happened. The fatal ones (SEGV, ABRT …)
 * write a constant string that undoes the modes, reset the line discipline and are raised again. A
 * terminal that takes nothing (Ctrl-S, a reader that is stuck) holds up neither of them. */
#ifndef HEADLIGHT_TERMINAL_RESTORE_H
#define HEADLIGHT_TERMINAL_RESTORE_H

#include <signal.h>
#include <stdbool.h>

/* Remembers the state of the terminal `fd` and installs the handlers; what is noted is blocked from
 * here on except inside restore_wait_mask, so that none is lost between a test and the wait for
 * input. Call before curses begins: it then leaves these signals alone. A signal that is ignored
 * stays so. */
void restore_arm(int fd);

/* Puts the signal mask and the handlers back; call after curses has ended. */
void restore_disarm(void);

/* The signal mask to wait for input with (pselect): the one from before restore_arm. */
const sigset_t *restore_wait_mask(void);

/* The signal that asked the program to end, or 0. */
int restore_signal(void);

/* Whether the program was asked to stop. The owner of the screen leaves it, calls restore_stop, and
 * comes back to it: the program has then been continued in the foreground, or asked to end; the
 * terminal may be somebody else's in that case. */
bool restore_stop_asked(void);
void restore_stop(void);

/* Around all that is written to the terminal, standard output. Signals that ask to end are let in,
 * and are noted; a write that the terminal has not taken a second later, or when it is asked once
 * more, goes nowhere, so that the caller comes to restore_disarm, which then undoes the modes. */
void restore_begin_output(void);
void restore_end_output(void);

/* Writes all of a text, or nothing for NULL, whatever interrupts it. False: it can't be written. */
bool restore_write(int fd, const char *text);

/* Raises the signal with its default effect. */
void restore_raise(int number);

/* While curses owns the screen, what libraries write to standard error is kept in a file without a
 * name; released, it is written to standard error. Replaying does that alone, and is safe in a
 * signal handler. */
void restore_hold_stderr(void);
void restore_release_stderr(void);
void restore_replay_stderr(void);

#endif
