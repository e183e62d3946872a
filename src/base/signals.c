/* signals.c: which signals end a program, and threads that leave them to the keyboard's. */
#include "headlight/base/signals.h"

#include <stddef.h>

/* Some systems lack some of them. */
static const int crashes[] = {
    SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
#ifdef SIGSYS
    SIGSYS,
#endif
#ifdef SIGEMT
    SIGEMT,
#endif
};

static const int survived[] = {
    SIGKILL,  SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGPIPE,
#ifdef SIGXFSZ
    SIGXFSZ,
#endif
#ifdef SIGWINCH
    SIGWINCH,
#endif
#if defined(SIGINFO) && (!defined(SIGPWR) || SIGINFO != SIGPWR)
    SIGINFO,
#endif
};

static bool is_signal_among(const int *numbers, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

bool signal_is_crash(int number)
{
    return is_signal_among(crashes, sizeof crashes / sizeof *crashes, number);
}

bool signal_ends(int number)
{
    return !signal_is_crash(number) &&
           !is_signal_among(survived, sizeof survived / sizeof *survived, number);
}

#define STACK ((size_t)2 << 20)

/* A thread inherits the mask. */
int signals_start_thread(pthread_t *thread, void *(*run)(void *), void *context)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    int reason = pthread_attr_init(&attributes);
    if (reason != 0)
        return reason;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigdelset(&all, crashes[i]);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    reason = pthread_create(thread, &attributes, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return reason;
}
