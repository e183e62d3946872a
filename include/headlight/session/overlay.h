/* overlay.h: what lies over the picture and takes keys: at most one at a time. Each kind has rows,
 * from the tables of actions, fields and lessons, or a text that is read or typed.
 *
 *     overlay_open(&session, OVERLAY_LESSONS);
 *     bits = overlay_key(&session, key);        while session.overlay.kind
 *     overlay_draw(&session, canvas, area); */
#pragma once

#include "headlight/session/fields.h"

/* A row: what it is of, how it is drawn, and whether it can be chosen. */
struct overlay_row {
    enum { ROW_VALUE, ROW_CHANGE, ROW_LESSON, ROW_MODEL, ROW_ACTION, ROW_NOTE, ROW_HEADING } of;
    size_t index;     /* of the value, NO_ROW: all, of the change, lesson, model or action */
    unsigned field;   /* of a value, or whose values it lists */
    char keys[64];    /* one that is a single character chooses it where nothing is typed */
    const char *sign; /* before the name; or NULL */
    char name[256], about[256];
    const char *words;                /* that it is found by besides, or all of a note, */
    const struct option_info *option; /* and those of an option; or NULL */
    bool on, barred;                  /* holds now; can't be chosen now */
};

/* Opens one in place of what is open; without lessons it says that there are none, or why they
 * can't be read. Returns the bits of session.h, as do all below. */
unsigned overlay_open(struct session *session, enum overlay_kind kind);

/* Opens the values of a field (fields.h) on the one after the current one, which is shown at once;
 * or the message says why there is no other. What is open stays below. */
unsigned overlay_open_values(struct session *session, unsigned field);

/* Closes all that is open; what is shown stays. */
void overlay_close(struct session *session);

/* One key, while something is open. SESSION_PASSED: it has been closed, and the key means what it
 * always means. */
unsigned overlay_key(struct session *session, uint32_t key);

/* Pasted text, where some can be typed. */
unsigned overlay_paste(struct session *session, const char *text, size_t length);

/* Does what a row says, if there is one of that number. */
unsigned overlay_choose(struct session *session, size_t row);

/* Whether one lies over the picture, and not below it. */
bool overlay_covers(const struct session *session);

/* The keys that matter now, see hint_next. */
const char *overlay_hints(const struct session *session);

/* Draws it, if it lies over the picture, in the lower left of an area; each row can be clicked
 * (HIT_LINE). */
void overlay_draw(const struct session *session, struct canvas *canvas, struct area area);

/* ---- What is listed (listing.c) ---- */

/* A row for each head that can be off, and those that don't depend on the model. */
#define LISTING_MOST (CONFIG_LAYERS_MAX * CONFIG_HEADS_MAX + 1000)

/* All rows that a kind has, and those of them that are listed. */
struct listing {
    const struct session *session;
    bool ascii;  /* names of tokens are to be ASCII */
    int columns; /* of the screen */
    char *text;  /* of which its lines are; or NULL */
    struct overlay_row all[LISTING_MOST];
    const struct overlay_row *listed[LISTING_MOST];
    size_t made, count;
};

void list_values(struct listing *listing);
void list_lessons(struct listing *listing);
void list_changes(struct listing *listing);
void list_all(struct listing *listing);
void list_help(struct listing *listing);
void list_command(struct listing *listing);

/* ---- Changes of the network (changes.c) ---- */

/* A row; false past the last. It says what it would do now, and is barred where that makes no
 * sense. */
bool change_row(const struct session *session, size_t index, bool ascii, struct overlay_row *row);

/* Makes it, or the message says why not. */
unsigned change_make(struct session *session, size_t index);

/* ---- The screen as a command line (command.c) ---- */

/* "headlight --layer 3 -- 'time flies'": the model, what differs from the defaults, and the texts,
 * quoted for any POSIX shell. Without lesson and list, and without a size, which is the window's.
 * Allocated; NULL without memory. */
char *command_line(const struct session *session);
