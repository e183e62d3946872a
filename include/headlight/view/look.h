/* look.h: what the user chose of how a trace is shown. Plain values: it is copied by assignment,
 * and going back is putting an old one back. */
#ifndef HEADLIGHT_VIEW_LOOK_H
#define HEADLIGHT_VIEW_LOOK_H

#include "headlight/lens/attention.h"
#include "headlight/lens/edges.h"
#include "headlight/lens/metrics.h"
#include "headlight/model/head_mask.h"

/* The views, in the order of the bar. NAME_view, a struct view (views.h), stands in a file of its
 * own: a new view is that file and a row here. */
#define VIEWS(VIEW)                                                                                \
    VIEW(HEAD, head)                                                                               \
    VIEW(NEURON, neuron)                                                                           \
    VIEW(MODEL, model)                                                                             \
    VIEW(MATRIX, matrix)

enum view_kind {
#define VIEW(kind, name) VIEW_##kind,
    VIEWS(VIEW)
#undef VIEW
        VIEW_COUNT
};

/* Which sentence attends to which: name on the command line, title on screen */
#define FILTERS(FILTER)                                                                            \
    FILTER(FILTER_ALL, "all", "all")                                                               \
    FILTER(FILTER_AA, "aa", "A→A")                                                                 \
    FILTER(FILTER_AB, "ab", "A→B")                                                                 \
    FILTER(FILTER_BA, "ba", "B→A")                                                                 \
    FILTER(FILTER_BB, "bb", "B→B")

enum filter {
#define FILTER(filter, name, title) filter,
    FILTERS(FILTER)
#undef FILTER
        FILTER_COUNT
};

/* Half of a power of two each: the edge budget is multiplied by 2^(detail/2). */
#define DETAIL_MIN (-6)
#define DETAIL_MAX 12

/* One map instead of a map a head. */
enum mean {
    MEAN_NONE,
    MEAN_HEADS,  /* the mean of the heads that are on */
    MEAN_LAYERS, /* and over all layers */
    MEAN_COUNT,
};

struct look {
    enum view_kind view;
    size_t layer;
    size_t head;    /* the head under the cursor, and the one of views that show one */
    uint64_t heads; /* the heads drawn in the head view, and those that a mean is of */
    enum filter filter;
    struct shape shape; /* what is done to the tokens, where the view allows it */
    enum mean averaged; /* one map instead of many, where the view allows it */
    int detail;
    unsigned threshold; /* thousandths, the lightest line that is drawn; 0: chosen by itself */
    enum tone tone;
    bool numbers; /* beside the tokens of the head view: each one's heaviest weight */
    bool listed;  /* a panel beside the view: the strongest connections or dimensions */

    /* A token is chosen on one side or on both. `side` is where the cursor stands; when both are
     * chosen, the token of the other side is pinned. They count the tokens shown. */
    enum side side;
    size_t from, to;  /* NO_TOKEN when not chosen */
    bool query_found; /* `from` is the neuron view's own choice, not the user's */
    char find[64];    /* tokens that hold this text are marked; empty: none */

    /* The heads ranked by the weight between two chosen tokens, instead of the view. */
    bool ranked;
    size_t rank; /* the cursor in it */

    enum metric metric; /* the model view's */
    bool sorted;        /* by the metric, not by layer and head */
    bool lined;         /* thumbnails are lines, not heat maps */

    size_t dimension;   /* the neuron view's cursor inside the bands; NO_TOKEN: none */
    bool scale_largest; /* bands scaled to their largest value, not tanh */
    bool valued;        /* values and weighted values, where keys and products don't leave room */

    size_t theme; /* see theme_at */
};

/* What is shown first of a model whose layers have so many heads. */
struct look look_first(size_t heads);

bool look_equal(const struct look *a, const struct look *b);

/* "all", "A→A" … as shown, and "all", "aa" … as on the command line. */
const char *filter_title(enum filter filter);
const char *filter_name(enum filter filter);

#endif
