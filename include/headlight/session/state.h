/* state.h: the user's choices: the model and the texts, the changes of the network, and the
 * look. Plain values without pointers: a state is copied and restored by assignment, and saved
 * to a file (state_file.h). What follows from it is derived (derive.h) or computed (request.h). */
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

/* Shown when no text is given. */
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

/* The input of a pass. */
struct source {
    char model[PATH_MAX];     /* a folder or a hub name; empty: the built-in model */
    char against[PATH_MAX];   /* the model to compare with: likewise, or "built-in"; empty: none */
    char recording[PATH_MAX]; /* a file that replaces model, texts and changes; or empty */
    struct texts texts;       /* shown now, or once computed */
    bool special;             /* encode them with [CLS] and [SEP] */
    struct masked masked;     /* tokens of these texts to be masked */
    struct interventions changes;
};

struct state {
    struct source source;
    struct look look;
};

#endif
