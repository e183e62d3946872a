/* scene.h: all that a view may look at. A view is draw(scene, canvas, area): the same scene and the
 * same size give the same cells. The app's session owns what a scene points to. */
#ifndef HEADLIGHT_VIEW_SCENE_H
#define HEADLIGHT_VIEW_SCENE_H

#include "headlight/lens/edges.h"
#include "headlight/model/trace.h"
#include "headlight/view/canvas.h"

/* kind, name on the command line, title on screen, draw function */
#define SCENE_VIEWS(VIEW)                                                                          \
    VIEW(VIEW_HEAD, "head", "Head", head_view_draw)                                                \
    VIEW(VIEW_NEURON, "neuron", "Neuron", neuron_view_draw)                                        \
    VIEW(VIEW_MODEL, "model", "Model", grid_view_draw)                                             \
    VIEW(VIEW_MATRIX, "matrix", "Matrix", matrix_view_draw)

enum view_kind {
#define VIEW(kind, name, title, draw) kind,
    SCENE_VIEWS(VIEW)
#undef VIEW
        VIEW_COUNT
};

/* The attending tokens stand on the left, the attended ones on the right. */
enum side {
    SIDE_LEFT,
    SIDE_RIGHT,
};

/* Which sentence attends to which. */
enum filter { FILTER_ALL, FILTER_AA, FILTER_AB, FILTER_BA, FILTER_BB, FILTER_COUNT };

#define NO_TOKEN SIZE_MAX

/* Half of a power of two each: the edge budget is multiplied by 2^(detail/2). */
#define DETAIL_MIN (-6)
#define DETAIL_MAX 12

struct scene {
    const struct trace *trace; /* NULL while it is being computed */
    const char *const *labels; /* [T] word pieces, as in the vocabulary */
    const char *model;         /* its name, from outside: drawn as text */
    const char *changes;       /* interventions in words, or NULL */
    bool unscaled;             /* scores are q·k, not q·k/√D */
    double milliseconds;       /* of the forward pass; 0: not shown */
    size_t layers_done;        /* while it is being computed */

    size_t tokens, layers, head_count; /* T L A */
    size_t boundary;                   /* tokens of the first sentence; T when there is only one */
    enum view_kind view;
    size_t layer;
    size_t head;    /* the head under the cursor, and the one of the neuron view */
    uint64_t heads; /* the heads drawn in the head view */
    enum filter filter;
    int detail;

    /* A token is chosen on one side or on both. `side` is where the cursor stands; when both are
     * chosen, the token of the other side is pinned. */
    enum side side;
    size_t from, to; /* NO_TOKEN when not chosen */

    size_t dimension;   /* the neuron view's cursor inside the bands; NO_TOKEN: none */
    bool scale_largest; /* bands scaled to their largest value, not tanh */
};

/* Whether there are two sentences. */
bool scene_is_pair(const struct scene *scene);

/* The tokens that the filter leaves on a side. */
struct token_range scene_range(const struct scene *scene, enum side side);

/* Whether a filter leaves tokens on both sides. */
bool scene_filter_fits(const struct scene *scene, enum filter filter);

/* "all", "A→A" … as shown, and "all", "aa" … as on the command line. */
const char *scene_filter_title(enum filter filter);
const char *scene_filter_name(enum filter filter);

/* Whether a token is chosen on both sides. */
bool scene_is_pinned(const struct scene *scene);

/* The token whose lines alone are drawn, and its side; NO_TOKEN when none is chosen. */
size_t scene_focus(const struct scene *scene, enum side *side);

/* Whether the view shows the head under the cursor alone, not the heads that are on. */
bool scene_shows_one_head(const struct scene *scene);

/* The edges that are on screen or could be: the view's heads, filter, focus. */
struct edge_query scene_edges(const struct scene *scene);

/* The edge whose numbers are printed: the chosen pair in its heaviest active head, or the heaviest
 * edge of those that scene_edges means. False when there is none. */
bool scene_current_edge(const struct scene *scene, struct edge *edge);

/* Width of the widest label, at most `limit`. */
int scene_label_width(const struct scene *scene, const struct canvas *canvas, int limit);

/* Draws the scene's view. STATUS_MEMORY. */
enum status scene_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                       struct error *error);

/* One title per view, one name per view. */
const char *scene_view_title(enum view_kind view);
const char *scene_view_name(enum view_kind view);

#endif
