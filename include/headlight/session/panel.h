/* panel.h: a lesson below the picture: the step's text, what to try, and how to go on. A teacher
 * (lesson/player.h) leads through it: it handles the lesson's keys, and is notified of what is
 * shown. */
#pragma once

#include "headlight/session/session.h"

/* A lesson in the list of lessons. */
struct panel_lesson {
    const char *name, *title;
    size_t minutes, steps;
    size_t left_at; /* the step, from 1, at which the user left it; 0: not begun */
    bool done;
    const char *words; /* of its text, by which it is found; or NULL */
    const char *model; /* that it opens, as the one shown lacks what its steps show; or NULL */
};

/* What keys request from a teacher. */
enum teaching {
    TEACH_ON,    /* back to the step's own state if it was changed; else the next step, or lesson */
    TEACH_BACK,  /* the step before */
    TEACH_LEAVE, /* close the panel, keep the picture */
    TEACH_BEGIN, /* begin the lesson of that index in the list, where it was left */
};

struct teacher {
    void *context;
    const struct panel_lesson *lessons;
    size_t lesson_count;
    /* Returns the bits of session.h. */
    unsigned (*act)(void *context, enum teaching what, size_t lesson);
    /* Called when a pass, something derived or another look is shown, except by the teacher
     * itself. */
    void (*shown)(void *context);
};

/* The contents of the panel. Strings belong to the teacher. */
struct panel {
    bool open;
    const char *title; /* of the step */
    const char *text;  /* paragraphs, with a newline between them; "*" and "`" as in lesson.h */
    const char *look, *attempt; /* what to look at and to try; NULL: nothing */
    const char *learnt;         /* what is shown once the last step is done; NULL: nothing */
    size_t step, steps;         /* from 0 */
    bool over;                  /* it is done: the text is what was learnt, */
    const char *next;           /* and Space begins this lesson; NULL: there is none */
    bool away;                  /* the step's state has been changed */
};

/* Whether a lesson is open. */
static inline bool panel_is_open(const struct session *session)
{
    return session->panel && session->panel->open;
}

/* Whether keys lead through it: in a picture of a step the panel has no teacher. */
static inline bool panel_is_led(const struct session *session)
{
    return session->teacher && panel_is_open(session);
}

/* Sends a request to the teacher, which must be there; the index is of the lesson to begin.
 * Returns the bits of session.h. */
unsigned panel_ask(struct session *session, enum teaching what, size_t lesson);

/* Handles a key that leads through the lesson: Space or Backspace. SESSION_PASSED for other keys,
 * or if no lesson is open. */
unsigned panel_key(struct session *session, uint32_t key);

/* The rows that it needs at the foot of an area, 0 if none is open; with too little room, "Try",
 * "Look" and finally the end of its text are left out. */
int panel_rows(const struct session *session, struct canvas *canvas, struct area area);

/* Draws it there. */
void panel_draw(const struct session *session, struct canvas *canvas, struct area area);
