/* derive.h: data follow from the state, and change only here.
 *
 * Each derived thing (a map, the metrics, a comparison) is a row of one table, see below. All
 * that the look needs is first made in a draft; then the draft replaces the data. Without memory
 * the draft is dropped, and look and data stay as they were. In an interactive session slow
 * things are left to a request (request.h). */
#pragma once

#include "headlight/session/session.h"

/* Data being made. Things that are not remade still belong to the session's data. */
struct draft {
    struct look look;
    struct data data;
    unsigned made;             /* a bit per row: the draft owns the thing */
    bool is_new;               /* another text or another trace */
    bool for_request;          /* it may be slow */
    const struct watch *watch; /* while a request makes its row; NULL: nobody waits */

    /* Of the session: */
    bool interactive;                    /* interactive: do not block */
    bool logits;                         /* passes compute the model's heads too */
    const struct checkpoint *checkpoint; /* NULL: a recording */
    const struct session *session;       /* to prepare from; keys change it while a worker runs */

    /* What exactly is made: */
    struct interventions changes; /* of a pass, */
    struct encoded *encoded;      /* which belongs to the draft, */
    struct beam_search search;    /* and the target searched for in it; beams 0: none */
    struct generated found;
    struct target on;                  /* for effects, */
    const struct sentence_pair *alone; /* with the passes of two sentences, or NULL, */
    size_t paired;                     /* also of words; a token, or NO_TOKEN */
    struct lens_area area;             /* for the lens */
};

/* The sources that a thing depends on. */
enum {
    SOURCE_TEXT = 1 << 0,
    SOURCE_TRACE = 1 << 1,
    SOURCE_BEFORE = 1 << 2, /* the pass before the network was changed */
    SOURCE_MAP = 1 << 3,
    SOURCE_ATTENTION = 1 << 4,
    SOURCE_COMPARED = 1 << 5,
    SOURCE_TOKENS = 1 << 6, /* of all sites: a text, however it is shown */
};

struct derived {
    bool requested;               /* a request may make it; else it is always made at once */
    const char *work;             /* for the status line meanwhile */
    size_t offset;                /* of the thing's pointer in struct data */
    void (*release)(void *thing); /* NULL: it belongs to another thing */
    unsigned source, sources;     /* which one it is; which ones it is made from */
    bool passes;                  /* runs passes of its own: always left to a request */
    bool continues;               /* in any view; Esc stops it where it has nothing else to do */
    bool until_stopped;           /* not requested after the user has stopped a request */
    bool asked_again;             /* one that was cancelled hasn't failed */
    bool comes_with_pass;         /* made together with it, if it is wanted */

    /* Whether the look needs it, it can be made, and it isn't there. NULL: always, or by a request
     * of its own. */
    bool (*wants)(const struct look *look, const struct data *data);

    /* The time it takes, in multiples of what may be made at once in an interactive session (a
     * few milliseconds); NULL: none. */
    double (*cost)(const struct draft *draft);

    /* On the UI thread, or NULL: notes in the draft what exactly is to be made. */
    enum status (*prepare)(struct draft *draft, struct error *error);

    /* On any thread: makes it from the text, the trace, its previous version and what was
     * prepared. Other things in the draft may be gone by then. */
    enum status (*make)(struct draft *draft, struct error *error);

    /* On the UI thread, or NULL: adds what was made to what the draft has, and frees it; or leaves
     * it, to stand in its place. */
    enum status (*join)(struct draft *draft, void **made, struct error *error);

    /* Whether the thing being made, or the one that is there, is still what the look needs.
     * NULL: yes. */
    bool (*is_same)(const struct draft *draft, const struct session *session);
    bool (*serves)(const struct look *look, const struct data *data);

    /* Undoes what asked for it after it failed or was cancelled; the message says why. NULL:
     * nothing in the look did, and it isn't requested again (derived_stop). */
    void (*fail)(struct session *session);
};

/* The first members of a row that requests make: its words, the member of the data. */
#define REQUESTED(words, member)                                                                   \
    .requested = true, .work = words, .offset = offsetof(struct data, member)

#define DERIVED(kind, name) derived_##name
extern const struct derived DERIVED_THINGS(DERIVED);

/* The row of a request; NULL if there is none, as of a load. */
const struct derived *derived_of(enum request_kind kind);

/* The first thing to be made by a request, or REQUEST_NONE. */
enum request_kind derived_next(const struct look *look, const struct data *data);

/* Starts a draft from the session's current data. */
void draft_begin(struct draft *draft, const struct session *session);

/* The draft for a request: prepares a row, and forgets what may be freed while it runs. */
enum status draft_ask(struct draft *draft, const struct session *session, enum request_kind kind,
                      struct error *error);

/* Makes a prepared row. After a pass, also the things that come with it. */
enum status draft_make(struct draft *draft, enum request_kind kind, const struct watch *watch,
                       struct error *error);

/* Replaces text and trace, and drops everything derived from the old ones. Before a pass with
 * changes is shown, the one that is shown is kept if it is of the same text without. */
void draft_set_pass(struct draft *draft, struct encoded *encoded, bool computed);
void draft_keep_unchanged(struct draft *draft, struct encoded *encoded,
                          const struct interventions *changes);

/* Moves what a request's draft has made to a draft of the current data. STATUS_MEMORY, of a
 * thing that joins another. */
enum status draft_move(struct draft *from, struct draft *to, struct error *error);

/* Makes what else the look needs, and replaces the session's look and data by the draft. On
 * failure drops the draft. */
enum status draft_take(struct draft *draft, struct session *session, struct error *error);

/* Frees what the draft owns. */
void draft_drop(struct draft *draft);

/* After the failure of a thing that no setting asks for: it isn't requested again until
 * something else is chosen or computed. */
void derived_stop(struct session *session);

/* After the failure of a number of heads: the look asks for none. */
void derived_fail_heads(struct session *session);

/* Whether the requested text is the one shown. */
bool derived_text_is_shown(const struct session *session);

/* Tokens of a target that an encoder–decoder makes of a source alone, unless somebody says how
 * many; and by how many a text goes on as soon as it is given. */
#define GENERATE_TARGET 64
size_t derived_target_due(const struct session *session);

/* Whether a target was made of as many tokens as it may have, and hasn't ended. */
bool derived_target_is_open(const struct session *session);

/* How such a target is searched for; beams 0: it isn't, but is made token by token. */
struct beam_search derived_search(const struct session *session);

/* The one of an encoded input's sites that a look shows. */
struct encoded *derived_site(struct encoded *encoded, const struct look *look);

/* What follows from the stack that is shown: what it says, and what has to be known of it. */
void derived_set_stack(struct data *data, const struct checkpoint *checkpoint, enum site site);

/* Whether the pass that the state calls for is shown, and no other is being computed. */
bool derived_is_current(const struct session *session);

/* Whether a view shows an aspect. */
static inline bool derived_shows(const struct look *look, enum aspect aspect)
{
    return (view_at(look->view)->shown & aspect) != 0;
}

/* Shows another look at the same trace. Tokens that are no longer shown are deselected, and a
 * filter that leaves none is dropped. STATUS_MEMORY. */
enum status derive_look(struct session *session, const struct look *look, struct error *error);

/* The same, and notifies the teacher, if there is one. False without memory: that is refused, and
 * the look is unchanged. */
bool derive_show(struct session *session, const struct look *look);

/* Whether the look needs a thing that can be made and isn't there yet. */
bool derive_wants(enum request_kind kind, const struct look *look, const struct data *data);

/* What the model says at a token of the trace or of the one before a change, and how likely a piece
 * is there, unless LENS_NOTHING: for formulas, which no look asks for. It is found once a trace, at
 * once where that is quick or nobody waits. NULL: it is requested, if derive_wants says so, or the
 * user has stopped that. Valid until the next question. */
const struct lens_cell *derive_ask_words(struct session *session, const struct trace *trace,
                                         size_t token, int32_t id);

/* The map that a look asks for: weights in views that show no other, and before there is a
 * trace. */
enum map_kind derive_map_wanted(const struct look *look, bool computed);

/* Whether the look's map has heads that can be ranked. */
static inline bool derive_map_ranks(const struct look *look)
{
    return map_infos[derive_map_wanted(look, true)].by_head || look->map == MAP_CONTACTS;
}

/* The sentences of the pair shown, each encoded by itself. */
enum status derive_alone(const struct data *data, bool special, struct encoded *encoded[2],
                         struct error *error);

/* Whether the model makes vectors of sentences, of which there are two. */
bool derive_has_sentences(const struct data *data);

/* What effects are on: the output that the answers view shows, unless that is of two sentences, and
 * there is one. */
enum model_output derive_output(const struct look *look, const struct data *data);

/* An answer of that output, or OUTPUT_COUNT for derive_output's: the one under the cursor or, if
 * none is chosen, TARGET_LIKELIEST; at the chosen token, else the first that the model was asked
 * about, else the last word. */
struct target derive_target(const struct look *look, const struct data *data,
                            enum model_output output);

/* Frees what the data own. */
void derive_end(struct data *data);
