#include "headlight/view/model_view_lines.h"

#include "headlight/base/size.h"
#include "headlight/draw/strokes.h"

#include <stdlib.h>

/* Widths in rows. */
#define THIN      0.08F
#define THIN_MORE 0.14F

#define LINES_MIN 8 /* or 1.5 for each attending token, if more */

/* Tokens one below the other, in dots. Where every second row of dots has too few places for them,
 * neighbours share one, so that a dark dot is left between two lines. */
struct stand {
    struct token_range range;
    int places, apart;
};

static struct stand stand_of(struct token_range range, int rows)
{
    bool shared = range.end - range.first > 2 * (size_t)rows;
    return (struct stand){range, shared ? 2 * rows : 4 * rows - 1, shared ? 2 : 1};
}

/* The first row of dots stays free: a line two dots thick needs it. */
static int stand_at(const struct stand *stand, size_t token)
{
    size_t last = stand->range.end - stand->range.first - 1, room = (size_t)stand->places - 1;
    size_t place = last > 0 ? ((token - stand->range.first) * room + last / 2) / last : room / 2;
    return 1 + (int)place * stand->apart;
}

static size_t lines_wanted(struct token_range range)
{
    size_t tokens = range.end - range.first;
    return size_max(LINES_MIN, tokens + tokens / 2);
}

unsigned model_view_lines_least(const struct scene *scene)
{
    if (scene->look.threshold > 0)
        return scene->look.threshold;
    return scene->look.tone == TONE_ROW ? 1 : MODEL_VIEW_LINES_LEAST;
}

/* Light to heavy, as edges_select sorts them, but equal shades by their weights. */
static int by_shade(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->shade != y->shade)
        return x->shade < y->shade ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Of lines between the same places the heaviest is kept. */
static size_t keep_strongest(const struct edge_list *list, const struct stand stands[2],
                             bool *taken, int rows, struct edge *kept)
{
    size_t count = 0;
    for (size_t i = list->count; i-- > 0 && count < model_view_lines_most(rows);) {
        struct edge edge = list->edges[i];
        int from = stand_at(&stands[SIDE_LEFT], edge.from);
        int to = stand_at(&stands[SIDE_RIGHT], edge.to);
        bool *pair = &taken[from * 4 * rows + to];
        if (!*pair)
            kept[count++] = edge;
        *pair = true;
    }
    return count;
}

bool model_view_lines_choose(const struct scene *scene, const float *weights, int rows,
                             struct edge *edges, size_t *count)
{
    struct attention head = *scene->data.attention;
    head.layers = head.heads = 1;
    head.weights = &weights;
    const struct edge_query query = {.attention = &head,
                                     .heads = 1,
                                     .from = scene_range(scene, SIDE_LEFT),
                                     .to = scene_range(scene, SIDE_RIGHT),
                                     .tone = scene->look.tone};
    const struct edge_limits limits = {.weight = model_view_lines_least(scene),
                                       .count = lines_wanted(query.from)};
    const struct stand stands[2] = {stand_of(query.from, rows), stand_of(query.to, rows)};
    size_t dots = 4 * (size_t)rows;
    struct edge_list list;
    struct error error;
    if (edges_select(&query, &limits, &list, &error) != STATUS_OK)
        return false;
    if (query.tone == TONE_ROW && list.count > 0) /* the heaviest of every row has the same share */
        qsort(list.edges, list.count, sizeof *list.edges, by_shade);
    bool *taken = calloc(dots * dots, sizeof *taken);
    *count = taken ? keep_strongest(&list, stands, taken, rows, edges) : 0;
    free(list.edges);
    free(taken);
    return taken != NULL;
}

/* One dot thick unless each token has a row of cells. A head that is off is grey. */
static struct stroke stroke_of(const struct scene *scene, const struct model_view_lines *lines,
                               const struct edge *edge, const struct stand stands[2], bool thin)
{
    float share = (float)edge->shade / EDGE_WHOLE;
    unsigned level = (unsigned)(share * STYLE_FULL + 0.5F);
    return (struct stroke){
        .from = (float)stand_at(&stands[SIDE_LEFT], edge->from) / 4 + 0.125F,
        .to = (float)stand_at(&stands[SIDE_RIGHT], edge->to) / 4 + 0.125F,
        .width = thin ? THIN : THIN + THIN_MORE * share,
        .ink = lines->on ? scene_ink(scene, lines->head, level) : (struct ink){ROLE_FAINT, 0},
    };
}

enum status model_view_lines_draw(const struct scene *scene, struct canvas *canvas,
                                  struct area area, const struct model_view_lines *strongest,
                                  struct error *error)
{
    struct token_range from = scene_range(scene, SIDE_LEFT), to = scene_range(scene, SIDE_RIGHT);
    const struct stand stands[2] = {stand_of(from, area.rows), stand_of(to, area.rows)};
    bool thin = size_max(from.end - from.first, to.end - to.first) > (size_t)area.rows;
    struct stroke *strokes = malloc((strongest->count + 1) * sizeof *strokes);
    if (!strokes)
        return error_memory(error, "the lines", strongest->count * sizeof *strokes);
    for (size_t i = 0; i < strongest->count; i++) /* they are sorted heavy to light */
        strokes[strongest->count - 1 - i] =
            stroke_of(scene, strongest, &strongest->edges[i], stands, thin);
    enum status status = strokes_draw(canvas, area, strokes, strongest->count, error);
    free(strokes);
    return status;
}
