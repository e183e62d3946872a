/* connections.c: the list of strongest connections beside a view. With a pair chosen it holds all
 * connections of the token and scrolls to the chosen one. */
#include "headlight/view/connections.h"

#include "headlight/base/size.h"
#include "headlight/view/caption.h"
#include "headlight/view/grid.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS_MIN 28
#define COLUMNS_MAX 44
#define ROOM_LEAST  76 /* for a view and a list beside it */
#define NUMBER      5  /* "0.417" */

int connections_columns(struct area area)
{
    int columns = area.columns * 3 / 10;
    if (area.columns < ROOM_LEAST)
        return 0;
    return columns < COLUMNS_MIN ? COLUMNS_MIN : columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
}

static void draw_edge(const struct scene *scene, struct canvas *canvas, struct area row,
                      const struct edge *edge)
{
    bool chosen = edge->from == scene->look.from && edge->to == scene->look.to;
    struct pen pen = {canvas, row.y, row.x + 3, row.x + row.columns - NUMBER - 1};
    struct style style = style_of(edge->weight >= 50 ? ROLE_TEXT : ROLE_FAINT);
    struct style head = style_legible(scene_ink(scene, edge->head, STYLE_FULL));
    head.bold = true;
    bool several = (scene_maps(scene) & (scene_maps(scene) - 1)) != 0;
    if (chosen) {
        style = style_bold(ROLE_STRONG);
        style.back = ink_full(ROLE_CURSOR);
    }
    if (several)
        canvas_print(canvas, row.y, row.x, 2, head, "%2u", edge->head);
    else
        canvas_bar(canvas, row.y, row.x, 2, (int)(edge->weight * 16 + 500) / EDGE_WHOLE,
                   style_legible(scene_edge_ink(scene, edge, style_level(edge->weight))));
    caption_names(&pen, style, style_of(ROLE_FAINT),
                  scene_name(scene, SIDE_LEFT, edge->from, canvas_ascii(canvas)).text,
                  scene_name(scene, SIDE_RIGHT, edge->to, canvas_ascii(canvas)).text, 0);
    canvas_text(canvas, row.y, row.x + row.columns - NUMBER, NUMBER, style,
                scene_number(scene, edge).text);
    canvas_mark(canvas, row, HIT_PAIR, edge->from * scene_count(scene, SIDE_RIGHT) + edge->to);
}

/* Equal weights are in the order of head, from, to. */
static int heaviest_first(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->shade != y->shade)
        return x->shade > y->shade ? -1 : 1;
    if (x->head != y->head)
        return x->head < y->head ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Scrolls so that the chosen pair is in the middle of `rows`. Returns the first edge shown. */
static size_t connections_scroll(const struct scene *scene, const struct edge_list *list,
                                 size_t rows)
{
    size_t chosen = 0;
    while (chosen < list->count && (list->edges[chosen].from != scene->look.from ||
                                    list->edges[chosen].to != scene->look.to))
        chosen++;
    return grid_window(list->count, rows, chosen < list->count ? chosen : 0).first;
}

/* Below the heading, which also says how many are above; the last row says how many are below. */
static void connections_draw_edges(const struct scene *scene, struct canvas *canvas,
                                   struct area area, const struct edge_list *list)
{
    size_t rows = area.rows > 2 ? (size_t)area.rows - 2 : 0,
           first = connections_scroll(scene, list, rows);
    size_t end = size_min(list->count, first + rows);
    char above[40];
    snprintf(above, sizeof above, "↑ %zu above", first);
    if (first > 0)
        canvas_text_right(canvas, area.y, area.x + area.columns, area.columns - 10,
                          style_of(ROLE_FAINT), above);
    for (size_t i = first; i < end; i++)
        draw_edge(scene, canvas,
                  (struct area){area.y + 1 + (int)(i - first), area.x, 1, area.columns},
                  &list->edges[i]);
    if (list->total > end)
        canvas_print(canvas, area.y + area.rows - 1, area.x, area.columns, style_of(ROLE_FAINT),
                     "↓ %zu below", list->total - end);
}

enum status connections_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                             struct error *error)
{
    struct edge_query query = scene_edges(scene);
    struct edge_limits limits = {.weight = 1};
    struct edge_list list;
    struct area rows = {area.y, area.x + 1, area.rows, area.columns - 3};
    limits.count = area.rows > 2 ? (size_t)area.rows - 2 : 0;
    if (scene_is_pinned(scene)) /* those of one token: any of them may be chosen */
        limits.count = SIZE_MAX;
    query.tone = TONE_WEIGHT;
    if (edges_select(&query, &limits, &list, error) != STATUS_OK)
        return error->status;
    for (int y = area.y; y < area.y + area.rows; y++)
        canvas_text(canvas, y, area.x - 1, 1, (struct style){.fore = {ROLE_FAINT, 8}}, "│");
    canvas_text(canvas, rows.y, rows.x, rows.columns, style_of(ROLE_FAINT), "strongest");
    if (list.count > 0)
        qsort(list.edges, list.count, sizeof *list.edges, heaviest_first);
    connections_draw_edges(scene, canvas, rows, &list);
    free(list.edges);
    return STATUS_OK;
}
