/* interactive_parts.h: what interactive.c (the screen and the keyboard) and interactive_work.c
 * (what a worker does for them) have in common. */
#ifndef HEADLIGHT_APP_INTERACTIVE_PARTS_H
#define HEADLIGHT_APP_INTERACTIVE_PARTS_H

#include "headlight/app/interactive.h"
#include "headlight/app/worker.h"
#include "headlight/session/request.h"
#include "headlight/terminal/curses.h"

#include <stdio.h>

/* In milliseconds: a first frame without attention would only flash by in less than this. */
#define PATIENCE 60

struct loop {
    const struct interactive *start;
    struct session *session;
    struct curses *curses;
    struct request request; /* what is asked for; the worker's until it is over */
    struct worker *worker;  /* NULL when nothing is */
    struct canvas *canvas;
    FILE *input;
    double started;   /* the worker */
    double due;       /* when a pass is to be asked for; 0: it isn't */
    unsigned pending; /* SESSION_ bits */
    bool typed;       /* the keys of the start have been pressed */
};

/* Asks to load what the start names. */
enum status work_load(struct loop *loop, struct error *error);

/* Asks for the pass of what the state says, in the place of what is being done. */
enum status work_compute(struct loop *loop, struct error *error);

/* Asks for the metrics of the heads when they are shown, nothing else is being done, and they are
 * not there. */
enum status work_measure(struct loop *loop, struct error *error);

/* Looks how far the worker is, and takes what it has done. */
enum status work_take(struct loop *loop, struct error *error);

/* Whether it has been at work for so long that somebody waits. */
bool work_takes_long(const struct loop *loop);

/* Cancels what is being done, waits for its end, and drops it. */
void work_stop(struct loop *loop);

#endif
