/* signals.h: signals by what they do to a program that does nothing about them. */
#ifndef HEADLIGHT_BASE_SIGNALS_H
#define HEADLIGHT_BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* All numbers are below it, those of real time too. */
#ifdef NSIG
#define SIGNALS NSIG
#else
#define SIGNALS 65
#endif

/* Whether it comes of what the thread itself has done: a crash, or abort(). Blocked, it ends the
 * program without any handler. */
bool signal_is_crash(int number);

/* Whether it ends the program and comes from outside: INT, TERM, HUP, … and those of real time. Not
 * KILL, which nothing can catch, nor PIPE and XFSZ, which headlight ignores: the write then fails,
 * with a message. */
bool signal_ends(int number);

/* Blocks all but crashes in the calling thread, and in those it starts from then on: what comes
 * from outside is for the thread that waits for input. */
void signals_leave_to_others(sigset_t *before);

#endif
