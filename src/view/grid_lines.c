#include "headlight/view/grid_lines.h"

#include "headlight/base/size.h"
#include "headlight/view/lines.h"

#include <stdlib.h>

#define LINES_MIN 8 /* or one and a half for each attending token */

/* Tokens one under the other, counted in dots: where there are more of them than every second row
 * of dots has places for, neighbours share one, so that between two lines there is always a dark
 * dot. */
struct stand {
    struct token_range range;
    int places, apart;
};

static struct stand stand_of(struct token_range range, int rows)
{
    bool shared = range.end - range.first > 2 * (size_t)rows;
    int gap = rows > 2 ? 2 : 0;
    return (struct stand){range, shared ? (4 * rows - gap) / 2 : 4 * rows - 1 - gap,
                          shared ? 2 : 1};
}

/* The uppermost row of dots stays free, and the last two where there are rows enough: the next head
 * begins below. */
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

/* One dot thick unless each token has a row of cells. A head that is off is dim. */
static struct stroke stroke_of(const struct edge *edge, bool thin, bool on)
{
    struct stroke stroke = lines_stroke(ink_head(edge->head, 0), edge->shade, true);
    if (thin)
        stroke.thickness = 1;
    if (!on)
        stroke.ink.level = (uint8_t)((stroke.ink.level + 1) / 3);
    return stroke;
}

/* Of lines between the same places the heaviest is kept, and of these one for each second row of
 * dots: more of them would leave no ground between them. They stand at the end of the list then;
 * returns how many. */
static size_t keep_strongest(struct edge_list *list, const struct stand stands[2], bool *taken,
                             int rows)
{
    size_t kept = 0, most = 2 * (size_t)rows;
    for (size_t i = list->count; i-- > 0 && kept < most;) {
        struct edge edge = list->edges[i];
        int from = stand_at(&stands[SIDE_LEFT], edge.from);
        int to = stand_at(&stands[SIDE_RIGHT], edge.to);
        bool *pair = &taken[from * 4 * rows + to];
        if (!*pair)
            list->edges[list->count - ++kept] = edge;
        *pair = true;
    }
    return kept;
}

enum status grid_lines_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                            size_t layer, size_t head, bool on, struct error *error)
{
    const struct edge_query query = {.attention = scene->attention,
                                     .layer = layer,
                                     .heads = UINT64_C(1) << head,
                                     .from = scene_range(scene, SIDE_LEFT),
                                     .to = scene_range(scene, SIDE_RIGHT),
                                     .tone = scene->tone};
    size_t tokens = query.from.end - query.from.first;
    const struct edge_limits limits = {.weight = scene->threshold > 0 ? scene->threshold
                                                                      : GRID_LINES_LEAST,
                                       .count = lines_wanted(query.from)};
    const struct stand stands[2] = {stand_of(query.from, area.rows), stand_of(query.to, area.rows)};
    size_t dots = 4 * (size_t)area.rows;
    struct edge_list list;
    if (edges_select(&query, &limits, &list, error) != STATUS_OK)
        return error->status;
    bool *taken = calloc(dots * dots, sizeof *taken);
    struct lines *lines = lines_new(area.rows, area.columns);
    bool drawn = taken && lines;
    bool thin = size_max(tokens, query.to.end - query.to.first) > (size_t)area.rows;
    size_t kept = drawn ? keep_strongest(&list, stands, taken, area.rows) : 0;
    for (size_t i = list.count; i-- > list.count - kept;) {
        const struct edge *edge = &list.edges[i];
        lines_curve_dots(lines, stand_at(&stands[SIDE_LEFT], edge->from),
                         stand_at(&stands[SIDE_RIGHT], edge->to), stroke_of(edge, thin, on));
    }
    drawn = drawn && lines_finish(lines, canvas, area.y, area.x);
    lines_free(lines);
    free(taken);
    free(list.edges);
    return drawn ? STATUS_OK : error_memory(error, "the lines", dots * dots);
}
