/* signals.h: signals by their default effect. */
#ifndef HEADLIGHT_BASE_SIGNALS_H
#define HEADLIGHT_BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Above all signal numbers, real-time ones too. */
#ifdef NSIG
#define SIGNALS NSIG
#else
#define SIGNALS 65
#endif

/* Whether the thread itself causes it: a crash, or abort(). If it is blocked, it ends the
 * program without any handler. */
bool signal_is_crash(int number);

/* Whether it ends the program and comes from outside: INT, TERM, HUP, … and real-time signals.
 * Not KILL, which can't be caught, nor PIPE and XFSZ, which headlight ignores: the write then
 * fails with a message. */
bool signal_ends(int number);

/* Blocks all signals but crashes in the calling thread and in threads it starts later, so that
 * the UI thread gets those from outside. */
void signals_leave_to_others(sigset_t *before);

#endif
