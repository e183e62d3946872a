/* derived.h: the table of derived things. A new one is a row, in a file of its own or beside its
 * like, and its place in the list in derive.c. */
#ifndef HEADLIGHT_SESSION_DERIVED_H
#define HEADLIGHT_SESSION_DERIVED_H

#include "headlight/base/watch.h"
#include "headlight/session/session.h"

/* The prediction that effects are on: at a token of the trace, of a piece or EFFECTS_LIKELIEST. */
struct prediction_place {
    size_t token;
    int32_t id;
};

/* Data as they will be, while they are made. What is not made anew is still the data's own. */
struct draft {
    struct look look;
    struct data data;
    unsigned made;    /* a bit for each row: the draft owns the thing, as it isn't the data's yet */
    bool is_new;      /* another text or another trace */
    bool for_request; /* it may take long */

    /* Of the session: */
    bool attended;                   /* somebody waits at the keyboard */
    bool logits;                     /* passes compute the model's heads too */
    enum precision precision;        /* of passes */
    const struct source *source;     /* what is wanted; keys change it while a worker runs */
    const struct encoding *encoding; /* of the text that is wanted, if the editor has it */

    /* What exactly is made: */
    struct interventions changes; /* of a pass; */
    struct encoded *encoded;      /* its text, if that is new, */
    struct trace *trace;          /* and what it computes, which belong to the draft */
    bool in_place;                /* unless it overwrites the trace of the text shown */
    struct prediction_place on;   /* of effects */
    struct lens_area area;        /* of what the layers say */
};

/* What a thing is made from, and so goes with. */
enum {
    FROM_TEXT = 1 << 0,
    FROM_TRACE = 1 << 1,
    FROM_BEFORE = 1 << 2, /* the pass before the network was changed */
    FROM_MAP = 1 << 3,
    FROM_ATTENTION = 1 << 4,
};

struct derived {
    enum request_kind kind; /* of the request for it; REQUEST_NONE: it is always made at once */
    const char *work;       /* what the status line says meanwhile */
    size_t offset;          /* of its pointer in struct data */
    void (*release)(void *thing); /* NULL: it belongs to another thing */
    unsigned is, from;            /* which of FROM_… it is itself; and what it is made from */
    bool passes;                  /* takes passes of its own: always left to a request */
    bool until_stopped;           /* not asked for after the user stopped another request */

    /* Whether the look needs it, and it can be made, and isn't there. */
    bool (*wants)(const struct look *look, const struct data *data);

    /* How long it takes, in what is made at once while somebody waits (a few milliseconds); NULL:
     * no time. */
    double (*cost)(const struct draft *draft);

    /* Whether it is made together with a pass. NULL: never. */
    bool (*comes_with_pass)(const struct look *look, const struct data *data);

    /* On the keyboard's thread, or NULL: notes in the draft what exactly is to be made. */
    enum status (*prepare)(struct draft *draft, struct error *error);

    /* On any thread: makes it from the text, the trace, the one before, and what was prepared.
     * Other things in the draft may have gone by then. */
    enum status (*make)(struct draft *draft, const struct watch *watch, struct error *error);

    /* Whether what is being made is what would be made now, and whether what is there still serves
     * the look. NULL: yes. */
    bool (*is_same)(const struct draft *draft, const struct look *look, const struct data *data);
    bool (*serves)(const struct look *look, const struct data *data);

    /* Takes back what asked for it, after it failed or was cancelled; the message says why. */
    void (*fail)(struct session *session, const struct error *error);
};

extern const struct derived derived_pass, derived_before;
extern const struct derived derived_map, derived_attention, derived_mean;
extern const struct derived derived_metrics, derived_effects, derived_lens, derived_compared;

/* The row that a request is for; NULL for none. */
const struct derived *derived_of(enum request_kind kind);

/* The first row that is wanted from a request, or NULL. */
const struct derived *derived_next(const struct look *look, const struct data *data);

/* A draft of the session's data as they are. */
void draft_begin(struct draft *draft, const struct session *session);

/* The draft for a request: prepares a row, and forgets what won't be there while it runs. */
enum status draft_ask(struct draft *draft, const struct session *session, const struct derived *row,
                      struct error *error);

/* Makes a row as it was prepared. After a pass, what comes with it. */
enum status draft_make(struct draft *draft, const struct derived *row, const struct watch *watch,
                       struct error *error);

/* Replaces text and trace, and drops what was made from those before. */
void draft_set_pass(struct draft *draft, struct encoded *encoded, bool computed);

/* Moves what a request's draft has made to one of the data as they are now. */
void draft_move(struct draft *from, struct draft *to);

/* Makes what else the look needs, and lets the draft take the place of the session's look and data.
 * If that fails, drops the draft. */
enum status draft_take(struct draft *draft, struct session *session, struct error *error);

/* Frees what is the draft's own. */
void draft_drop(struct draft *draft);

/* After a thing failed that nothing in the look asks for: until something else is chosen or
 * computed it isn't asked for again. */
void derived_stop(struct session *session, const struct error *error);

/* Whether the text that is wanted is the one that is shown. */
bool derived_text_is_shown(const struct source *source, const struct encoded *encoded);

/* Whether a view shows an aspect. */
static inline bool derived_shows(const struct look *look, enum aspect aspect)
{
    return (view_at(look->view)->shown & aspect) != 0;
}

#endif
