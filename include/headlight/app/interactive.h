/* interactive.h: the event loop. */
#ifndef HEADLIGHT_APP_INTERACTIVE_H
#define HEADLIGHT_APP_INTERACTIVE_H

#include "headlight/app/worker.h"
#include "headlight/session/session.h"
#include "headlight/terminal/curses.h"

/* What is to be shown, and how it comes about. */
struct interactive {
    struct session *session; /* only a theme is in it until it is begun */
    work_function load;      /* on a thread of its own: opens what the session needs */
    enum status (*begin)(void *context, struct error *error); /* then: begins the session */
    void *context;                                            /* of these two */
    bool patient;     /* loading is known to be quick: however long it takes, it is waited for */
    const char *keys; /* pressed as soon as there is a picture (input_type), or NULL */
    struct curses_wish wish;
};

/* Loads, begins, computes and shows until the user quits, the input ends or a signal asks to end;
 * *signal is then its number, for the caller to raise, else 0. The terminal is as it was when this
 * returns; what goes wrong soon doesn't touch it at all. Standard output must be a terminal; keys
 * come from standard input if that is one, else from /dev/tty. */
enum status interactive_run(const struct interactive *start, int *signal, struct error *error);

#endif
