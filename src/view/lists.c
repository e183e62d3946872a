/* lists.c: the list of the strongest connections beside a view, and the order of all heads by a
 * number of each. */
#include "headlight/view/views.h"

#include "headlight/base/memory.h"
#include "headlight/view/grid.h"

#include <stdlib.h>

/* ---- The strongest connections ---- */

/* Columns of the list, and how many a view and a list need to stand side by side. */
#define COLUMNS_MIN 28
#define COLUMNS_MAX 44
#define ROOM_LEAST  76 /* for a view and a list beside it */
#define NUMBER      5  /* "0.417" */

/* Three tenths of the area: enough for two names and a number, and the view keeps its shape. */
int connections_columns(struct area area)
{
    return area.columns < ROOM_LEAST ? 0
                                     : int_clamp(area.columns * 3 / 10, COLUMNS_MIN, COLUMNS_MAX);
}

/* edges_select sorts from light to heavy. Turning its list round would also turn round equal
 * weights, which stay in the order of head, from, to. */
static int heaviest_first(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return x->shade == y->shade ? edges_compare(a, b) : edges_compare(b, a);
}

/* Tones are for brightness only: the list is sorted by the weights themselves. Without a pair
 * chosen it needs no more edges than there are rows, which keeps long texts fast; with one it is of
 * one token's, of which any may be chosen. The heading also says how many are above, the last row
 * how many are below. A chosen pair is in the middle. */
void connections_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct edge_query query = scene_edges(scene);
    const size_t most = area.rows > 2 ? (size_t)area.rows - 2 : 0;
    const struct edge_limits limits = {1, scene_is_pinned(scene) ? SIZE_MAX : most};
    struct edge_list list;
    const struct area rows = {area.y, area.x + 1, area.rows, area.columns - 3};
    query.tone = TONE_WEIGHT;
    if (edges_select(&query, &limits, &list, &canvas->error) != STATUS_OK)
        return;
    for (int y = area.y; y < area.y + area.rows; y++)
        canvas_text(canvas, y, area.x - 1, 1, (struct style){.fore = {ROLE_FAINT, 8}}, "│");
    canvas_text(canvas, rows.y, rows.x, rows.columns, style_of(ROLE_FAINT), "strongest");
    if (list.count > 0)
        qsort(list.edges, list.count, sizeof *list.edges, heaviest_first);
    size_t chosen = list.count;
    for (size_t i = list.count; i-- > 0;)
        if (list.edges[i].from == scene->look.from && list.edges[i].to == scene->look.to)
            chosen = i;
    const struct token_range shown =
        grid_window(list.count, most, chosen < list.count ? chosen : 0);
    char above[40];
    snprintf(above, sizeof above, "↑ %zu above", shown.first);
    if (shown.first > 0)
        canvas_text_right(canvas, rows.y, rows.x + rows.columns, rows.columns - 10,
                          style_of(ROLE_FAINT), above);
    for (size_t i = shown.first; i < shown.end; i++) {
        /* the head before the pair or, where there is only one, a bar; the names are cut before the
         * number is, and a click anywhere in the row chooses the pair */
        const struct edge *edge = &list.edges[i];
        const struct area row = {rows.y + 1 + (int)(i - shown.first), rows.x, 1, rows.columns};
        struct pen pen = {canvas, row.y, row.x + 3, row.x + row.columns - NUMBER - 1};
        struct style style = style_of(edge->weight >= GRID_NOTABLE ? ROLE_TEXT : ROLE_FAINT);
        struct style head = style_legible(scene_ink(scene, edge->head, STYLE_FULL));
        head.bold = true;
        if (edge->from == scene->look.from && edge->to == scene->look.to)
            style = style_marked(ROLE_CURSOR);
        if (head_mask_count(scene_maps(scene)) > 1)
            canvas_print(canvas, row.y, row.x, 2, head, "%2u", edge->head);
        else
            canvas_bar(canvas, row.y, row.x, 2, (int)(edge->weight * 16 + 500) / EDGE_WHOLE,
                       style_legible(scene_edge_ink(scene, edge, style_level(edge->weight))));
        caption_pair(scene, &pen, style, edge->from, edge->to, 0);
        canvas_text(canvas, row.y, row.x + row.columns - NUMBER, NUMBER, style,
                    scene_number(scene, edge).text);
        canvas_mark(canvas, row, hit_pair(edge->from, edge->to, false));
    }
    if (list.total > shown.end)
        canvas_print(canvas, rows.y + rows.rows - 1, rows.x, rows.columns, style_of(ROLE_FAINT),
                     "↓ %zu below", list.total - shown.end);
    free(list.edges);
}

/* ---- All heads in an order ---- */

/* qsort is not stable, so the order of equal heads, as a reader would look for them, is in here. */
int ranking_compare(const void *a, const void *b)
{
    const struct ranked_head *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    return x->head < y->head ? -1 : 1;
}
