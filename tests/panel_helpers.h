/* panel_helpers.h: a teacher for tests: it keeps what it was asked, and its steps change nothing
 * but the panel. */
#pragma once

#include "headlight/session/panel.h"

struct fake_teacher {
    struct teacher teacher;
    struct panel panel;
    unsigned asked, shown; /* how often */
    enum teaching what;    /* it was asked last, */
    size_t lesson;         /* and for which lesson */
    unsigned bits;         /* that it returns */
    bool changes;          /* it shows another layer whenever it is asked or told */
};

/* The only one, as new, in the lesson's step of that number, from 0, or in none. */
extern struct fake_teacher fake;
void fake_attend(struct session *session);
void fake_begin(struct session *session, size_t step);
