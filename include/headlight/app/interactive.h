/* interactive.h: the event loop. */
#ifndef HEADLIGHT_APP_INTERACTIVE_H
#define HEADLIGHT_APP_INTERACTIVE_H

#include "headlight/app/curses.h"
#include "headlight/app/session.h"

/* Computes the session's trace and shows it until the user quits, the input ends or a signal asks
 * to end; *signal is then its number, for the caller to raise, else 0. The terminal is as it was
 * when this returns. Standard output must be a terminal; keys come from standard input if that is
 * one, else from /dev/tty. */
enum status interactive_run(struct session *session, const struct curses_wish *wish, int *signal,
                            struct error *error);

#endif
