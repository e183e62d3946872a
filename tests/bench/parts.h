/* parts.h: what the parts of headlight cost inside one process, up to the picture. */
#ifndef HEADLIGHT_BENCH_PARTS_H
#define HEADLIGHT_BENCH_PARTS_H

#include "engine.h"
#include "sample.h"

/* What is measured of one model and one length of text. */
struct parts {
    const struct checkpoint *checkpoint;
    size_t tokens;
    int columns, rows; /* of the screen */
    struct session session;
};

/* A session with a pair of so many tokens, without its trace. The checkpoint is borrowed. */
void parts_begin(struct parts *parts, const struct checkpoint *checkpoint, size_t tokens);
void parts_end(struct parts *parts);

struct timing parts_tokenise(struct parts *parts, const struct effort *effort);

/* The forward pass into a full trace; afterwards the session shows it. */
struct timing parts_forward(struct parts *parts, const struct effort *effort);

/* All metrics of all heads, which the model view asks for. */
struct timing parts_lens(struct parts *parts, const struct effort *effort);

/* The keys that are pressed in each view. */
#define PARTS_KEYS(KEY)                                                                            \
    KEY(PRESS_DOWN, ACTION_TOKEN_NEXT, ACTION_TOKEN_NEXT, "down")                                  \
    KEY(PRESS_LAYER, ACTION_LAYER_NEXT, ACTION_LAYER_NEXT, "layer")                                \
    KEY(PRESS_TOGGLE, ACTION_HEAD_TOGGLE, ACTION_HEAD_TOGGLE, "toggle")                            \
    KEY(PRESS_ISOLATE, ACTION_HEAD_ISOLATE, ACTION_HEAD_ISOLATE, "isolate")                        \
    KEY(PRESS_FILTER, ACTION_FILTER, ACTION_FILTER, "filter")                                      \
    KEY(PRESS_VIEW, ACTION_VIEW_NEXT, ACTION_VIEW_PREVIOUS, "view")

enum parts_key {
#define KEY(key, action, back, name) key,
    PARTS_KEYS(KEY)
#undef KEY
        PARTS_KEY_COUNT
};

extern const char *const parts_key_names[PARTS_KEY_COUNT];

/* One view: drawn on a canvas, the canvas put on a terminal that changes to it, and each key until
 * the new picture is on the terminal. */
struct view_timings {
    struct timing draw, blit, keys[PARTS_KEY_COUNT];
};

void parts_draw(struct parts *parts, const struct effort *effort,
                struct view_timings views[VIEW_COUNT]);

/* A letter typed, or taken back: from the key to the picture of the new text. */
struct timing parts_type(struct parts *parts, const struct effort *effort);

#endif
