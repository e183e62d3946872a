/* panel.h: a lesson below the picture: the step's text, what to try, and how to go on. Who leads
 * through it, a teacher (lesson/teacher.h), is asked for what keys do, and told what is shown. */
#ifndef HEADLIGHT_SESSION_PANEL_H
#define HEADLIGHT_SESSION_PANEL_H

#include "headlight/draw/canvas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* What a lesson in the list of lessons says of itself. */
struct panel_lesson {
    const char *name, *title;
    size_t minutes, steps;
    size_t left_at; /* the step, from 1, at which it was left; 0: not begun */
    bool done;
};

/* What keys ask a teacher for. */
enum teaching {
    TEACH_ON,    /* the step's own state again, if it was left; else the next step */
    TEACH_BACK,  /* the step before */
    TEACH_LEAVE, /* the picture stays, the panel goes */
    TEACH_BEGIN, /* the lesson of that index in the list, where it was left */
};

struct teacher {
    void *context;
    const struct panel_lesson *lessons;
    size_t lesson_count;
    /* Reads the list, which is not there before; false, and it is said why, where it can't. */
    bool (*list)(void *context, struct session *session);
    /* Returns the bits of act.h. */
    unsigned (*act)(void *context, struct session *session, enum teaching what, size_t lesson);
    /* A pass is shown now, or something that is shown besides it, or another look; not told of what
     * the teacher does itself, in here or in `act`. */
    void (*shown)(void *context, struct session *session);
};

/* What is drawn. Strings are the teacher's. */
struct panel {
    bool open;
    const char *lesson, *title; /* of the step */
    const char *text; /* paragraphs, with a newline between them; "*" and "`" as in lesson.h */
    const char *look, *attempt; /* what to look at and to try; NULL: nothing */
    size_t step, steps;         /* from 0 */
    bool away;                  /* what is shown is no longer the step's */
};

/* Whether a lesson is being gone through. */
bool panel_is_open(const struct session *session);

/* And whether keys lead through it: a panel alone, in a picture of a step, has nobody to ask. */
bool panel_is_led(const struct session *session);

/* Asks the teacher, which there is, for something; the index is of the lesson to begin. Returns the
 * bits of act.h. */
unsigned panel_ask(struct session *session, enum teaching what, size_t lesson);

/* Obeys a key that leads through the lesson: Space or Backspace. False where it is none, or no
 * lesson is open; else *bits are those of act.h. */
bool panel_key(struct session *session, uint32_t key, unsigned *bits);

/* Leaves the lesson; without one, opens the list of lessons, or says that there are none. Returns
 * the bits of act.h. */
unsigned panel_leave_or_list(struct session *session);

/* The rows that it takes from the picture at the foot of an area, 0 when none is open: those that
 * it needs, of which "Try" and "Look" and at last the end of its text are left out. */
int panel_rows(const struct session *session, struct area area, bool ascii);

/* Draws it there. */
void panel_draw(const struct session *session, struct canvas *canvas, struct area area);

/* ---- The list of lessons, over the picture ----
 *
 * What each is called, how long it takes and where it was left. It closes when one begins. */

/* Opens it, with the first lesson that is not done under the cursor; without lessons it says that
 * there are none, or why they can't be read. Returns the bits of act.h. */
unsigned lesson_menu_open(struct session *session);

/* Obeys a key while it is open. False when it is none of the list's; else *bits are those of act.h.
 */
bool lesson_menu_key(struct session *session, uint32_t key, unsigned *bits);

/* Closes it and begins the lesson of that index, if there is one. Returns the bits of act.h. */
unsigned lesson_menu_begin(struct session *session, size_t lesson);

/* Draws it, if it is open, in the lower left of an area; each line can be clicked (HIT_LESSON). */
void lesson_menu_draw(const struct session *session, struct canvas *canvas, struct area area);

#endif
