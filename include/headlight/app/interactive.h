/* interactive.h: the event loop. */
#ifndef HEADLIGHT_APP_INTERACTIVE_H
#define HEADLIGHT_APP_INTERACTIVE_H

#include "headlight/app/worker.h"
#include "headlight/session/session.h"
#include "headlight/terminal/curses.h"

struct interactive {
    struct session *session; /* holds only a theme until begun */
    work_function load;      /* on a thread: opens the model or recording */
    enum status (*begin)(void *context, struct error *error); /* then begins the session */
    void *context;                                            /* of these two functions */
    bool patient;     /* loading is known to be quick: wait for it without a loading screen */
    const char *keys; /* pressed as soon as there is a picture (input_type), or NULL */
    struct curses_wish wish;
    enum lines_wish lines;
    bool theme_chosen; /* by the user, not by the terminal's background */
};

/* Loads, begins, computes and shows until the user quits, the input ends or a signal arrives;
 * *signal is its number, for the caller to raise, else 0. Leaves the terminal as it was; early
 * failures don't touch it at all. Standard output must be a terminal; keys come from standard
 * input if that is one, else from /dev/tty. */
enum status interactive_run(const struct interactive *start, int *signal, struct error *error);

#endif
