/* matrix.c: the matrix view. One head as a heat map: a row for each attending token, a column for
 * each attended one, and a number in each cell where there is room (matrix_map.c); below it the
 * scale, and the numbers of the chosen cell. */
#include "headlight/view/matrix.h"

#include "headlight/lens/metrics.h"
#include "headlight/view/caption.h"
#include "headlight/view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RAMP 8 /* cells of the scale */
#define GAP  3 /* columns between the pieces of a line */

/* ---- The scale and the line of numbers ---- */

/* What the picture means, for the legend and for the help. */
#define ROWS    "rows: who attends (query)"
#define COLUMNS "columns: to what (key)"

/* "weight 0 ▒▒▒▒▒▒▒▒ 0.862" at the right end: the shades of weights, or of their shares of a
 * row's largest. Returns where it begins. */
static int draw_scale(const struct scene *scene, struct canvas *canvas, struct area area)
{
    bool shares = scene->look.tone == TONE_ROW;
    enum map_kind kind = scene->data.map->kind;
    struct ink hue = scene_signs(scene, canvas) ? ink_full(ROLE_POSITIVE)
                                                : scene_ink(scene, scene->look.head, STYLE_FULL);
    struct weight_text full = scene_scale(scene, matrix_largest(scene));
    char label[32];
    snprintf(label, sizeof label, "%s 0",
             shares                   ? "share"
             : kind == MAP_WEIGHTS    ? "weight"
             : kind == MAP_DIFFERENCE ? "change"
                                      : map_info(kind)->name);
    int y = area.y + area.rows - 2;
    int x = canvas_text_right(canvas, y, area.x + area.columns - 2, 5, style_of(ROLE_FAINT),
                              shares ? "1" : full.text) -
            RAMP - 1;
    for (unsigned i = 0; i < RAMP; i++) {
        unsigned shade = edge_shade(scene->look.tone, (float)i / (RAMP - 1), 1);
        grid_fill(canvas, (struct area){y, x + (int)i, 1, 1}, hue, shade, false);
    }
    return canvas_text_right(canvas, y, x - 1, x - 1 - area.x, style_of(ROLE_FAINT), label);
}

/* Of another map than that of the weights: what its numbers are, and its signs, as far as there is
 * room. */
static void print_meaning(const struct scene *scene, struct pen *pen, struct style style)
{
    const struct map_info *map = map_info(scene->data.map->kind);
    const char *signs = scene_signs(scene, pen->canvas);
    int room = pen->end - pen->x, width = (int)text_width(map->meaning, canvas_ascii(pen->canvas)) +
                                          (int)strlen(map->name) + 2;
    if (width <= room)
        pen_print(pen, style, "%s: %s", map->name, map->meaning);
    pen->x += width <= room ? GAP : 0;
    if (signs && (int)strlen(signs) <= pen->end - pen->x)
        pen_print(pen, style, "%s", signs);
}

static void matrix_legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, 0};
    struct style style = style_of(ROLE_FAINT);
    if (area.rows <= MATRIX_LEGEND_ROWS)
        return;
    pen.end = draw_scale(scene, canvas, area) - GAP;
    if (scene->data.map->kind != MAP_WEIGHTS) {
        print_meaning(scene, &pen, style);
        return;
    }
    bool whole = pen.end - pen.x >= (int)strlen(ROWS COLUMNS) + GAP;
    pen_print(&pen, style, "%s", whole ? ROWS : "rows attend to columns");
    pen.x += GAP;
    if (whole)
        pen_print(&pen, style, "%s", COLUMNS);
}

/* The score behind a weight, unless the weight was merged, rescaled or averaged. */
static void print_score(const struct scene *scene, struct pen *pen, const struct edge *edge)
{
    const float *scores = scene->data.trace->layer[scene->look.layer].scores;
    if (!scores || scene->data.mean || scene->data.map->kind != MAP_WEIGHTS ||
        scene->data.attention->owned || pen->end - pen->x < (int)strlen("   score +123.45"))
        return;
    float score =
        trace_score(scene->data.trace, scene->look.layer, scene->look.head, edge->from, edge->to);
    pen_write(pen, trace_is_masked(score) ? "   score {masked}" : "   score {%+.2f}",
              (double)score);
}

static void print_edge(const struct scene *scene, struct pen *pen, const struct edge *edge)
{
    caption_edge(scene, pen, edge, GAP + caption_place_columns(scene));
    pen->x += GAP;
    caption_place(scene, pen, scene->look.head);
    print_score(scene, pen, edge);
}

/* The row's entropy is at the right end, where there is room, if it sums to 1. */
static void draw_numbers(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct edge edge;
    char text[64];
    int end = area.x + area.columns - 2, length = 0;
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, end};
    if (!scene_current_edge(scene, &edge)) {
        caption_nothing(scene, &pen);
        return;
    }
    print_edge(scene, &pen, &edge);
    enum map_kind kind = scene->data.map->kind;
    if (kind != MAP_WEIGHTS && kind != MAP_ROLLOUT && kind != MAP_PLAIN)
        return;
    size_t columns = scene_count(scene, SIDE_RIGHT);
    double bits = metrics_entropy(matrix_weights(scene, edge.from), columns);
    length =
        snprintf(text, sizeof text, "row entropy %.2f of %.2f bits", bits, log2((double)columns));
    if (pen.x + 3 + length > end)
        length = snprintf(text, sizeof text, "entropy %.2f bits", bits);
    if (pen.x + 3 + length <= end)
        canvas_text_right(canvas, pen.y, end, length, style_of(ROLE_FAINT), text);
}

static enum status matrix_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                               struct error *error)
{
    (void)error; /* nothing here can fail */
    matrix_draw_map(scene, canvas, area);
    draw_numbers(scene, canvas, area);
    return STATUS_OK;
}

static const char *matrix_hints(const struct scene *scene)
{
    if (scene_is_pinned(scene))
        return "↑↓: row; ←→: column; Enter: unpin; { }: layer; 0-9: head; r: which heads";
    if (scene_token(scene, scene->look.side) != NO_TOKEN)
        return "↑↓: row; ←→: column; Enter: heaviest; { }: layer; 0-9: head; e: edit";
    return "↑↓: row; ←→: column; Enter: choose; { }: layer; 0-9: head; e: edit";
}

/* Rows are attending tokens, columns attended ones. */
static enum acted matrix_move(struct scene *scene, enum side side, ptrdiff_t steps)
{
    scene->look.side = side;
    scene_move_cursor(scene, steps);
    scene->look.side = scene->look.to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
    return ACT_DONE;
}

static enum acted matrix_act(struct scene *scene, enum action action, struct error *error)
{
    (void)error;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
        return matrix_move(scene, SIDE_LEFT, action == ACTION_TOKEN_NEXT ? 1 : -1);
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        return matrix_move(scene, SIDE_LEFT, action == ACTION_PAGE_DOWN ? SCENE_PAGE : -SCENE_PAGE);
    case ACTION_LEFT:
    case ACTION_RIGHT:
        return matrix_move(scene, SIDE_RIGHT, action == ACTION_RIGHT ? 1 : -1);
    default:
        return ACT_PASSED;
    }
}

const struct view matrix_view = {
    .title = "Matrix",
    .about = "one head as a heat map: rows attend to columns",
    .meaning = ROWS " · " COLUMNS " · fuller: more",
    .mouse = "a cell, a token",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_HEADS | SHOWN_TONE | SHOWN_MEAN | SHOWN_PIECES | SHOWN_MAP,
    .draw = matrix_draw,
    .act = matrix_act,
    .hints = matrix_hints,
    .legend = matrix_legend,
};
