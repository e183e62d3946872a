/* restore.h: the terminal is left as it was found, however the program ends.
 *
 * A signal that asks the program to end (INT, TERM, HUP, QUIT, …: all that would end it), to stop
 * (TSTP), to go on (CONT) or to look at the terminal's size (WINCH) is only noted, and ends the
 * wait for input; the event loop does the rest, and a signal that ended it is raised again, so that
 * the exit status says what happened. If the loop is too busy to hear of it for a second, or the
 * signal comes a second time, its handler does as at a crash. At a crash (SEGV, ABRT, …) in any
 * thread the handler writes a constant string that undoes the modes, resets the line discipline and
 * raises the signal again; a mapped file that is no longer whole is a message with its name and
 * exit status 1. A terminal that takes nothing (Ctrl-S, a reader that is stuck) holds up neither.
 * Only KILL leaves the terminal as it is, and two real-time signals (32 and 33 on Linux) that the C
 * library keeps. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* From here on, with or without a terminal, a signal that ends the program leaves no half-written
 * file behind, and a mapped file that is no longer whole is a message. Call once, at the start. */
void restore_guard(void);

/* Remembers the state of the terminal `fd` and installs the handlers. Signals that ask to stop, to
 * go on or to look at the size are blocked from here on, except under restore_wait, so that none is
 * lost between a test and the wait for input; those that ask to end are noted at any time. Call
 * before curses begins, which then leaves them alone, and before any thread is started: they must
 * come to this one. What is ignored stays ignored. */
void restore_arm(int fd);

/* Puts the signal mask and the handlers back; call after curses has ended. */
void restore_disarm(void);

/* Waits until one of two descriptors (-1: none) has something to read, for so many milliseconds
 * (negative: without end), or until a signal is noted. 0: for too long; -1: a signal; else 1 for
 * the first descriptor, 2 for the second, 3 for both. */
int restore_wait(int first, int second, double milliseconds);

/* The signal that asked the program to end, or 0. Whoever is told of one has to see to the end, for
 * which there is no hurry then; but a second one comes through at any time. */
int restore_signal(void);

/* Whether the program was asked to stop. Whoever owns the screen then leaves it and calls
 * restore_stop, which returns when the program is continued in the foreground, or asked to end; in
 * that case the terminal may be somebody else's. */
bool restore_stop_asked(void);
void restore_stop(void);

/* Whether the program was continued without having stopped itself (SIGSTOP, then fg), so that the
 * terminal may have been somebody else's; says so once, and only in the foreground: in the
 * background it stops again. */
bool restore_continued(void);

/* Around everything that is written to the terminal, standard output. After a signal that asks to
 * end meanwhile, what is still to be written goes nowhere; likewise if the terminal takes nothing
 * after one that came before. restore_disarm then undoes the modes. */
void restore_begin_output(void);
void restore_end_output(void);

/* Writes all of a text, whatever interrupts it. False: it can't be written. */
bool restore_write(int fd, const char *text);

/* Says whether pictures (pixels.h) may be on the screen, so that they are removed with the modes.
 */
void restore_note_pictures(bool some);

/* Raises the signal with its default effect. */
void restore_raise(int number);

/* While curses owns the screen, what libraries write to standard error is held back in a file
 * without a name, and comes out when it is released, or at a crash. */
void restore_hold_stderr(void);
void restore_release_stderr(void);
