/* state.h: what the user chose: which model reads which text, what is changed in the network, and
 * how all that is shown. Plain values without a pointer: a state is copied by assignment, saved and
 * restored (state_file.h), and undone by putting the old one back. What follows from it is derived
 * (derive.h) or computed (request.h). */
#ifndef HEADLIGHT_SESSION_STATE_H
#define HEADLIGHT_SESSION_STATE_H

#include "headlight/model/intervene.h"
#include "headlight/view/look.h"

#include <limits.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Bytes of a text: far more than a model takes. */
#define TEXT_LIMIT 65536

/* One text or two; none when count is 0. */
struct texts {
    size_t count;
    size_t second;                    /* where the second one begins */
    char bytes[2 * (TEXT_LIMIT + 1)]; /* each with a NUL behind it */
};

/* `second` may be NULL. False, and nothing is changed, when one is longer than TEXT_LIMIT. */
bool texts_set(struct texts *texts, const char *first, const char *second);

/* NULL where there is none. */
const char *texts_at(const struct texts *texts, size_t index);

/* What a pass is computed from. */
struct source {
    char model[PATH_MAX];     /* a folder; empty: the built-in one */
    char recording[PATH_MAX]; /* a file, in place of model, texts and changes; or empty */
    struct texts texts;       /* that are shown, or will be as soon as they are computed */
    bool special;             /* they are encoded with [CLS] and [SEP] */
    struct interventions changes;
};

struct state {
    struct source source;
    struct look look;
};

#endif
