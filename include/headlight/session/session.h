/* session.h: all that is behind the screen. Snapshots and key presses go the same way: a new state,
 * the data that follow from it, a picture.
 *
 *     session_begin(&session, &checkpoint, true, &changes);
 *     session_open(&session, texts, count, &error);
 *     request_settle(&session, &error);                 (request.h)
 *     session_act(&session, ACTION_LAYER_NEXT, 0);      (act.h)
 *     screen_draw(&session, canvas, &error);
 *     session_end(&session); */
#pragma once

#include "headlight/draw/theme.h"
#include "headlight/lens/generate.h"
#include "headlight/model/hub.h"
#include "headlight/session/edit.h"
#include "headlight/view/views.h"

#include <limits.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Bytes of a text: far more than a model takes. */
#define TEXT_LIMIT 65536

/* Shown when no text is given. */
#define EXAMPLE_A "time flies like an arrow"
#define EXAMPLE_B "fruit flies like a banana"

/* One text or two; none when count is 0. */
struct texts {
    size_t count;
    size_t second;                    /* where the second begins */
    char bytes[2 * (TEXT_LIMIT + 1)]; /* each NUL-terminated */
};

/* Copies one or two. False, with nothing changed, when one is longer than TEXT_LIMIT. */
bool texts_set(struct texts *texts, const struct text *given, size_t count);

/* NULL where there is none. */
const char *texts_at(const struct texts *texts, size_t index);

/* The same texts in the same order. */
bool texts_equal(const struct texts *a, const struct texts *b);

/* The input of a pass. */
struct source {
    char model[PATH_MAX];     /* a folder or a hub name; empty: the built-in model */
    char family[32];          /* said by hand (--family); empty: as the model says */
    char against[PATH_MAX];   /* the model to compare with: likewise, or "built-in"; empty: none */
    char survey[PATH_MAX];    /* a survey that is open beside it; or empty */
    char recording[PATH_MAX]; /* a file that replaces model, texts and changes; or empty */
    bool special;             /* encode the texts with [CLS] and [SEP] */
    bool spaced;              /* their words are what blanks separate, as a file gave them */
    struct masked masked;     /* tokens of these texts to be masked */
    struct generated generated; /* tokens behind them */
    struct interventions changes;
    struct texts texts; /* shown now, or once computed; last, as copies end with them */
};

/* Whether two give the same pass of one model. */
bool source_equal(const struct source *a, const struct source *b);

struct state {
    struct look look;
    struct source source; /* last, likewise */
};

/* What lies over the picture and takes keys, see overlay.h. */
enum overlay_kind {
    OVERLAY_NONE,
    OVERLAY_LESSONS,
    OVERLAY_VALUES,  /* of a field */
    OVERLAY_ALL,     /* whatever has a name, filtered by what is typed */
    OVERLAY_CHANGES, /* to the network; stays open */
    OVERLAY_COMMAND, /* the screen as a command line */
    OVERLAY_HELP,    /* the keys, over the whole screen */
    OVERLAY_FIND,    /* a text to find, in the line below the picture */
    OVERLAY_EDIT,    /* the texts, in lines below it */
};

struct overlay {
    enum overlay_kind kind;
    size_t cursor; /* the chosen row, NO_ROW: none yet; of a text the first that is shown; of those
                    * that were typed before the place, 0: that of what is typed now */
    size_t first;  /* the first row that is shown, unless the cursor is on another */
    struct editor *lines[2]; /* what is typed, of the texts one line each; NULL: nothing can be, */
    size_t line;             /* and the one that keys are for */
    unsigned field;          /* whose values are listed: an enum state_field, */
    uint32_t key;       /* the key of the menu that goes on to the next; 0: that of an action, */
    struct look before; /* and the look and changes that Esc brings back */
    struct interventions changes;
};

#define OVERLAYS_BELOW 2 /* a list opened from a menu opened from the list of all */

#define NO_ROW SIZE_MAX

struct history;
struct teacher;
struct panel;

/* The derived things (derive.h) in the order in which they are made: a thing comes after its
 * sources. */
#define DERIVED_THINGS(THING)                                                                      \
    THING(TEXT, text), THING(PASS, pass), THING(BEFORE, before), THING(COMPARE, compared),         \
        THING(SENTENCES, sentences), THING(OUTCOME, before_after), THING(STEPS, steps),            \
        THING(ANSWERS, layer_answers), THING(MAP, map), THING(ATTENTION, attention),               \
        THING(BANDS, bands), THING(MEAN, mean), THING(METRICS, metrics), THING(MOVED, divergence), \
        THING(WORDS, words), THING(EFFECTS, effects), THING(WORD_EFFECTS, word_effects),           \
        THING(LENS, lens), THING(SURVEY, survey), THING(FOUND, found)

/* Work that takes long, see request.h: a load, or what makes one of them. */
enum request_kind {
    REQUEST_NONE,
    REQUEST_LOAD,
#define REQUEST(kind, name) REQUEST_##kind
    DERIVED_THINGS(REQUEST),
    REQUEST_COUNT
};

/* The texts of a file, of which one is shown, see pager.h. */
struct pager {
    struct corpus *corpus; /* borrowed; NULL: there are none */
    const char *path;      /* its file; borrowed */
    size_t count, at;
    uint64_t number;        /* in the file */
    uint64_t mark;          /* of the text that was turned to, */
    char id[80], about[40]; /* its id, and its label or answer; or "" */
    int arrives;            /* forward, 1, or back, -1, in search of something; or 0 */
};

/* What the caller has to do after a key or click. */
enum {
    SESSION_UNCHANGED = 0,
    SESSION_REDRAW = 1,  /* something on screen changed */
    SESSION_REPAINT = 2, /* paint every cell: the terminal may show something else */
    SESSION_QUIT = 4,
    SESSION_PASS = 8,     /* compute and show what state.source asks for (request.h) */
    SESSION_SAVE = 32,    /* save the screen */
    SESSION_STATE = 64,   /* save the state */
    SESSION_CANCEL = 128, /* stop the computation */
    SESSION_PASSED = 256, /* internal: the key means nothing there */
    SESSION_PAGE = 512,   /* save a page */
    SESSION_COPY = 1024,  /* copy the command of the screen (overlay.h) to the clipboard */
    SESSION_MODEL = 2048, /* open another model, session->wanted */
};

struct session {
    struct state state; /* what the user chose */
    struct data data;   /* what follows from it */

    const struct checkpoint *checkpoint; /* borrowed; NULL for a recording */
    const struct recording *recording;   /* borrowed; NULL for a model */
    bool logits;                         /* passes compute the model's heads too, for export */

    struct check check;      /* of the texts being edited; */
    struct texts typed;      /* and what was typed while an older one is recalled */
    struct history *history; /* the states so far; NULL: none */
    struct pager pager;
    struct overlay overlay; /* what is open over the picture, */
    struct overlay
        below[OVERLAYS_BELOW]; /* and what Esc leads back to from there, the nearest first */
    struct hub_list models;    /* of the hub's cache, once everything is listed by its name, */
    char wanted[PATH_MAX];     /* and the one that was chosen; or empty */
    size_t wanted_lesson;      /* to begin in it, from 1; 0: none */
    struct hit hover;          /* under the mouse */

    enum request_kind busy; /* what a worker is computing, */
    size_t done, total;     /* and its progress in steps */
    bool interactive;       /* interactive: a worker does what takes long */

    bool first_head_due; /* no head chosen and no key pressed yet: the first picture chooses one, */
    bool first_head_named; /* and the footer names the others until the next key or click */

    struct opened opened; /* an example of a survey, with words of its own; NULL: none, or its pair
                           * is chosen */

    bool offered; /* a newcomer is offered the lessons, until the next key or click */

    const struct teacher *teacher; /* of lessons (panel.h); borrowed, NULL: there are none */
    bool teacher_at_work;          /* showing something, of which it isn't notified */
    const struct panel *panel;     /* its panel, in a lesson; borrowed, or NULL */
    struct sampling sampling;      /* how a text goes on, */
    struct beam_search search; /* how a source gets a target (beams below 2: in the same way), */
    struct generated found;    /* the target that was found, */
    size_t tokens_due;         /* and by how many tokens, each after the pass of those before it */
    struct trace *longer;      /* with those tokens, for the pass to take over; or NULL */
    bool pass_due;             /* one is to be computed: SESSION_PASS was returned, or a lesson
                                * has changed the source while something was shown */

    const struct bindings *bindings; /* keys of the user's own; borrowed, or NULL */
    bool configured;                 /* the user's settings hold, too */
    const char *state_path;          /* where the state is saved, or NULL. Borrowed */
    int columns, rows;               /* size of the screen, once known */
    int first_digit;                 /* the digit just typed, which may be the first of two; or 0 */
    bool still;                      /* a static picture: no footer of keys */
    bool for_file;        /* drawn for a file: no time of a pass, nothing under the mouse */
    char message[512];    /* replaces the footer until the next key; see session_say */
    struct error refusal; /* the last refusal, see session_result; or STATUS_OK */
};

/* A session without a text. A model to compare with, data.against, must outlive it too. */
void session_begin(struct session *session, const struct checkpoint *checkpoint, bool special,
                   const struct interventions *changes);

/* A session that shows a recording, which must outlive it: nothing is computed, and the text
 * can't be changed. STATUS_MEMORY. */
enum status session_begin_recording(struct session *session, const struct recording *recording,
                                    struct error *error);

/* STATUS_IO when the recording's file, which is drawn straight from its mapping, has been
 * written to. */
enum status session_check(const struct session *session, struct error *error);

/* Accepts a zeroed session. */
void session_end(struct session *session);

/* Encodes one or two texts, or takes a copy of their encoding, if that is known already; the trace
 * is not computed yet. Errors as encoded_new, and STATUS_LIMIT for a text over TEXT_LIMIT. */
enum status session_open(struct session *session, const struct text *texts, size_t count,
                         const struct encoding *encoding, struct error *error);

/* Takes over an encoded input, with its trace computed or not, and shows it. The cursor keeps
 * its place as far as there are tokens. STATUS_MEMORY, STATUS_LIMIT: then nothing changes, and a
 * new input is freed. */
enum status session_take(struct session *session, struct encoded *encoded, bool computed,
                         struct error *error);

/* After another text or trace is shown: chooses the first head, if that is still pending. */
void session_begin_picture(struct session *session);

/* Notifies the teacher, if there is one, that something new is shown, unless the teacher itself
 * did it. */
void session_shown(struct session *session);

/* Begins with the opening head (lens/metrics.h), alone in views of the heads that are on,
 * and says so; before there is a trace, as soon as there is one, unless a key or a click comes
 * first. */
void session_show_opening_head(struct session *session);

/* Writes that the model's vocabulary lacks most of a text, or that there is no source to translate.
 * False, with nothing written, where neither is so. */
bool session_note_reading(const struct session *session, const struct encoding *encoding,
                          char *text, size_t size);

/* Writes what has to be known of the model's answers and of a sentence that was cut. False, with
 * nothing written, when there is nothing to say. */
bool session_note(const struct session *session, char *text, size_t size);

/* Sets the message; one that is too long is cut between characters. Returns SESSION_REDRAW, as do
 * the two below. */
unsigned session_say(struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What to say when a presentation begins, which has no footer. */
#define SESSION_PRESENTED "P ends the presentation"

/* Says why a request is refused, and keeps the error for session_result, because nobody reads
 * messages without a screen. The second reports a lack of memory for `bytes` bytes of `what`. */
unsigned session_refuse(struct session *session, const struct error *error);
unsigned session_out_of_memory(struct session *session, const char *what, size_t bytes);

/* Why neither the network nor a text of a recording can be changed. */
#define SESSION_FIXED "a recording can't be changed: it comes without the network"

/* The last refusal, or STATUS_OK. */
enum status session_result(const struct session *session, struct error *error);

/* The scene that a view draws: the current look and data. */
struct scene session_scene(const struct session *session);

/* The same as drawn: with the token under the mouse if none is selected, and with root shade at
 * least for the lines of a mean, whose weights are small. */
struct scene session_picture(const struct session *session);
