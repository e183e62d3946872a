/* state.h: what the user chose: which model reads which text, what is changed in the network, and
 * how all that is shown. Plain values without pointers: a state is copied and restored by
 * assignment, and saved to a file (state_file.h). What follows from it is derived (derive.h) or
 * computed (request.h). */
#ifndef HEADLIGHT_SESSION_STATE_H
#define HEADLIGHT_SESSION_STATE_H

#include "headlight/model/encoded.h"
#include "headlight/model/intervene.h"
#include "headlight/view/look.h"

#include <limits.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Bytes of a text: far more than a model takes. */
#define TEXT_LIMIT 65536

/* Shown where nobody gives a text. */
#define EXAMPLE_A "time flies like an arrow"
#define EXAMPLE_B "fruit flies like a banana"

/* One text or two; none when count is 0. */
struct texts {
    size_t count;
    size_t second;                    /* where the second begins */
    char bytes[2 * (TEXT_LIMIT + 1)]; /* each NUL-terminated */
};

/* `second` may be NULL. False, with nothing changed, when one is longer than TEXT_LIMIT. */
bool texts_set(struct texts *texts, const char *first, const char *second);

/* NULL where there is none. */
const char *texts_at(const struct texts *texts, size_t index);

/* What a pass is computed from. */
struct source {
    char model[PATH_MAX];     /* a folder, or a name of the hub; empty: the built-in one */
    char against[PATH_MAX];   /* another, or "built-in", to compare with; or empty */
    char recording[PATH_MAX]; /* a file, in place of model, texts and changes; or empty */
    struct texts texts;       /* shown, or to be shown once computed */
    bool special;             /* they are encoded with [CLS] and [SEP] */
    struct masked masked;     /* tokens of these texts that are read as [MASK] */
    struct interventions changes;
};

struct state {
    struct source source;
    struct look look;
};

#endif
