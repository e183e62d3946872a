/* signals.h: signals by their default effect. */
#pragma once

#include <pthread.h>
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

/* Starts a thread in which all signals but crashes are blocked, so that the UI thread gets those
 * from outside; with 2 MiB of stack, of which systems give between 128 KiB (musl, a small ulimit)
 * and 8 MiB. 0, or an errno. */
int signals_start_thread(pthread_t *thread, void *(*run)(void *), void *context);
