/* interactive_parts.h: what interactive.c (the screen and the keyboard) and interactive_work.c (the
 * worker's requests) share. */
#ifndef HEADLIGHT_APP_INTERACTIVE_PARTS_H
#define HEADLIGHT_APP_INTERACTIVE_PARTS_H

#include "headlight/app/interactive.h"
#include "headlight/app/worker.h"
#include "headlight/session/request.h"
#include "headlight/terminal/ask.h"
#include "headlight/terminal/curses.h"

#include <stdio.h>

/* In milliseconds: shown for less than this, a first frame without attention would only flash by,
 * and so would progress. */
#define PATIENCE 60

struct loop {
    const struct interactive *start;
    struct session *session;
    struct curses *curses;
    struct request request; /* what is asked for; the worker's until it is done */
    struct worker *worker;  /* NULL: nothing is being done */
    struct canvas *canvas;
    FILE *input;
    struct asked asked; /* what the terminal said of itself */
    double started;     /* when the worker was (watch.h), */
    double told;        /* and when its progress was shown last */
    double due;         /* when to ask for a pass; 0: never */
    unsigned pending;   /* SESSION_ bits */
    bool typed;         /* start->keys have been pressed */
    bool more;          /* input was left, since its turn was over */
    bool empty;         /* it was readable the last time, without a byte in it */
};

/* Asks for the load. */
enum status work_load(struct loop *loop, struct error *error);

/* Asks for the pass that the state calls for, in place of what is being done. */
enum status work_compute(struct loop *loop, struct error *error);

/* If nothing else is being done that is still needed, asks for what is shown besides the pass. */
enum status work_besides(struct loop *loop, struct error *error);

/* Updates the progress of the worker, and takes its result. */
enum status work_take(struct loop *loop, struct error *error);

/* Whether it has worked for so long that its progress is to be shown. */
bool work_takes_long(const struct loop *loop);

/* Cancels what is being done, waits for it to end, and drops it. */
void work_stop(struct loop *loop);

#endif
