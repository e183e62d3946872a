/* scene.h: all that a view may look at. A view is draw(scene, canvas, area): the same scene and the
 * same size give the same cells. The app's session owns what a scene points to. */
#ifndef HEADLIGHT_VIEW_SCENE_H
#define HEADLIGHT_VIEW_SCENE_H

#include "headlight/draw/heat.h"
#include "headlight/lens/attention.h"
#include "headlight/lens/edges.h"
#include "headlight/lens/metrics.h"
#include "headlight/model/trace.h"

/* kind, name on the command line, title on screen, draw function */
#define SCENE_VIEWS(VIEW)                                                                          \
    VIEW(VIEW_HEAD, "head", "Head", head_view_draw)                                                \
    VIEW(VIEW_NEURON, "neuron", "Neuron", neuron_view_draw)                                        \
    VIEW(VIEW_MODEL, "model", "Model", model_view_draw)                                            \
    VIEW(VIEW_MATRIX, "matrix", "Matrix", matrix_view_draw)

enum view_kind {
#define VIEW(kind, name, title, draw) kind,
    SCENE_VIEWS(VIEW)
#undef VIEW
        VIEW_COUNT
};

/* Which sentence attends to which: name on the command line, title on screen */
#define SCENE_FILTERS(FILTER)                                                                      \
    FILTER(FILTER_ALL, "all", "all")                                                               \
    FILTER(FILTER_AA, "aa", "A→A")                                                                 \
    FILTER(FILTER_AB, "ab", "A→B")                                                                 \
    FILTER(FILTER_BA, "ba", "B→A")                                                                 \
    FILTER(FILTER_BB, "bb", "B→B")

enum filter {
#define FILTER(filter, name, title) filter,
    SCENE_FILTERS(FILTER)
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

/* By what the model view marks or sorts heads: struct head_metrics has the values. */
enum metric {
    METRIC_NONE,
    METRIC_ENTROPY,
    METRIC_PREVIOUS,
    METRIC_NEXT,
    METRIC_SELF,
    METRIC_FIRST,
    METRIC_SEPARATORS,
    METRIC_DISTANCE,
    METRIC_COUNT,
};

struct thumbnails;

struct scene {
    const struct trace *trace;         /* NULL while it is being computed */
    const struct attention *attention; /* what is shown of it; NULL with it */
    const struct attention *mean;      /* one layer, one head; NULL: a map a head */
    const bool *separators;            /* [S] which of the attended tokens are [SEP] or its like */
    const char *model;                 /* its name, from outside: drawn as text */
    const char *changes;               /* interventions in words, or NULL */
    const uint64_t *off;               /* [L] heads that are switched off, a bit each; or NULL */
    bool unscaled;                     /* scores are q·k, not q·k/√D */
    double milliseconds;               /* of the forward pass; 0: not shown */

    size_t tokens, layers, head_count; /* T L A */
    enum view_kind view;
    size_t layer;
    size_t head;    /* the head under the cursor, and the one of the neuron view */
    uint64_t heads; /* the heads drawn in the head view, and those that a mean is of */
    enum filter filter;
    struct shape shape; /* what `attention` is; the neuron view shows all pieces */
    enum mean averaged; /* what `mean` is; the neuron and the model view show heads */
    int detail;
    unsigned threshold; /* thousandths, the lightest line that is drawn; 0: chosen by itself */
    enum tone tone;
    bool numbers; /* beside the tokens of the head view: each one's heaviest weight */
    bool listed;  /* a panel beside the view: the strongest connections or dimensions */

    /* A token is chosen on one side or on both. `side` is where the cursor stands; when both are
     * chosen, the token of the other side is pinned. They count the tokens shown. */
    enum side side;
    size_t from, to;  /* NO_TOKEN when not chosen */
    const char *find; /* tokens that hold this text are marked; NULL: none */

    /* The heads ranked by the weight between two chosen tokens, instead of the view. */
    bool ranked;
    size_t rank; /* the cursor in it */

    /* [L,A] since the model view was first asked for one; NULL before. */
    const struct head_metrics *metrics;
    enum metric metric;                  /* the model view's */
    bool sorted;                         /* by the metric, not by layer and head */
    bool lined;                          /* thumbnails are lines, not heat maps */
    const struct thumbnails *thumbnails; /* what they show, see thumbnails.h; NULL: not kept */

    size_t dimension;   /* the neuron view's cursor inside the bands; NO_TOKEN: none */
    bool scale_largest; /* bands scaled to their largest value, not tanh */
    bool valued;        /* values and weighted values, where keys and products don't leave room */
};

/* How many tokens a side shows, and the label of one of them. */
static inline size_t scene_count(const struct scene *scene, enum side side)
{
    return scene->attention->tokens[side].count;
}

static inline const char *scene_label(const struct scene *scene, enum side side, size_t token)
{
    return scene->attention->tokens[side].labels[token];
}

/* Tokens of the first sentence on a side; all of them when there is only one sentence. */
static inline size_t scene_boundary(const struct scene *scene, enum side side)
{
    return scene->attention->tokens[side].boundary;
}

/* The token that is chosen on a side, or NO_TOKEN. */
static inline size_t scene_token(const struct scene *scene, enum side side)
{
    return side == SIDE_LEFT ? scene->from : scene->to;
}

/* The same, to be changed. */
static inline size_t *scene_chosen(struct scene *scene, enum side side)
{
    return side == SIDE_LEFT ? &scene->from : &scene->to;
}

/* Whether there are two sentences. */
bool scene_is_pair(const struct scene *scene);

/* The tokens that the filter leaves on a side: in the neuron view all of them. */
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

/* Lets go of a side's token where the filter doesn't leave it. */
void scene_keep_in_range(struct scene *scene, enum side side);

/* The token that scrolling follows on a side: level with the one that is chosen on the side that
 * leads, or else on the other one; the first where none is. */
size_t scene_anchor(const struct scene *scene, enum side side, enum side leader);

/* Whether a token's label holds the text that is looked for. */
bool scene_is_found(const struct scene *scene, enum side side, size_t token);

/* Whether the view shows the head under the cursor alone, not the heads that are on. */
bool scene_shows_one_head(const struct scene *scene);

/* The maps on screen as a mask of heads: one bit where one head is shown or a mean. */
uint64_t scene_maps(const struct scene *scene);

/* A weight of one of these maps. */
float scene_weight(const struct scene *scene, size_t map, size_t from, size_t to);

/* The ink of one of these maps: its head's hue, or for a mean that of text. */
struct ink scene_ink(const struct scene *scene, size_t map, unsigned level);

/* The edges that are on screen or could be: the view's heads, filter, focus. */
struct edge_query scene_edges(const struct scene *scene);

/* How many of these are drawn, see head.h. */
struct edge_limits scene_limits(const struct scene *scene);

/* The edge whose numbers are printed: the chosen pair in its heaviest active head, or the heaviest
 * edge of those that scene_edges means. False when there is none. */
bool scene_current_edge(const struct scene *scene, struct edge *edge);

/* The heat map of a head under the filter; weights, rows and columns are the caller's to set. */
struct heat scene_heat(const struct scene *scene, size_t head);

/* How a token's label is written: on a coloured ground when it is chosen, marked when it is found,
 * else as `plain` says. */
struct style scene_label_style(const struct scene *scene, enum side side, size_t token,
                               enum role plain);

/* Width of the widest label, at most `limit`. */
int scene_label_width(const struct scene *scene, const struct canvas *canvas, int limit);

/* Works out what drawing on this canvas would work out anew for each frame, unless *thumbnails,
 * which may be NULL, has it. They go into the scene as long as its attention is the same, see
 * model_view.h. STATUS_MEMORY: then *thumbnails is NULL. */
enum status scene_prepare(const struct scene *scene, const struct canvas *canvas, struct area area,
                          struct thumbnails **thumbnails, struct error *error);

/* Draws the scene's view. STATUS_MEMORY. */
enum status scene_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                       struct error *error);

/* One title per view, one name per view. */
const char *scene_view_title(enum view_kind view);
const char *scene_view_name(enum view_kind view);

#endif
