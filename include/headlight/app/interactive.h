/* interactive.h: the event loop. */
#ifndef HEADLIGHT_APP_INTERACTIVE_H
#define HEADLIGHT_APP_INTERACTIVE_H

#include "headlight/app/program.h"

/* Loads what a prepared program asks for, begins its session, computes and shows until the user
 * quits, the input ends or a signal arrives; *signal is its number, for the caller to raise, else
 * 0. Until then the session holds only a theme. Leaves the terminal as it was; early failures don't
 * touch it at all. Standard output must be a terminal; keys come from standard input if that is
 * one, else from /dev/tty. */
enum status interactive_run(struct program *program, int *signal, struct error *error);

#endif
