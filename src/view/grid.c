#include "headlight/view/grid.h"

#include "headlight/base/size.h"
#include "headlight/lens/heads.h"
#include "headlight/view/column.h"
#include "headlight/view/heat.h"
#include "headlight/view/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOTS_MIN       3 /* of the smallest thumbnail, on a side */
#define LARGE_MIN      40
#define FIGURES_ROWS   4
#define FIGURE_LEFT    13 /* "previous 0.86" */
#define FIGURE_RIGHT   21 /* "entropy     1.24 bits" */
#define STEP_MAX       4
#define EDGE_MIN       50 /* thousandths; with a token chosen: */
#define EDGE_MIN_FOCUS 10
#define NAME_BYTES     128

/* Layers down or heads across. Places are counted in dots from the canvas's edge. A thumbnail
 * begins one dot after its place: a gap is as wide as it is high, and the cursor's frame lies
 * there. */
struct axis {
    size_t first, shown; /* layers or heads on screen */
    int start;           /* place of the first one */
    int pitch;           /* from one to the next */
    int dots;            /* of a thumbnail */
};

struct layout {
    struct axis layers, heads;
    int per_row;       /* dots in a cell, one above the other: 2, or 1 without colour */
    struct area grid;  /* with its numbers */
    struct area large; /* 0 columns: no room */
};

/* ---- Layout ---- */

/* The most dots, up to `room`, that give each of the tokens the same share. */
static int fit_dots(struct token_range range, int room)
{
    int count = (int)(range.end - range.first);
    return count > 0 && count < room ? room / count * count : room;
}

/* Spreads `count` thumbnails over `room` dots, of which the last one closes the last frame. */
static struct axis axis_place(size_t count, size_t cursor, int start, int room,
                              struct token_range range)
{
    size_t fitting = size_max(size_min(count, (size_t)(room - 1) / (DOTS_MIN + 1)), 1);
    struct axis axis = {.start = start};
    axis.dots = fit_dots(range, (room - 1) / (int)fitting - 1);
    axis.pitch = axis.dots + 1;
    axis.shown = size_min(count, (size_t)((room - 1) / axis.pitch));
    size_t half = axis.shown / 2;
    axis.first = cursor < half ? 0 : size_min(cursor - half, count - axis.shown);
    return axis;
}

static int axis_at(const struct axis *axis, size_t index)
{
    return axis->start + (int)(index - axis->first) * axis->pitch;
}

static int digits(size_t number)
{
    return number < 10 ? 1 : number < 100 ? 2 : 3;
}

/* The line of numbers, a blank row above it, and above that the grid and, in what it leaves of a
 * wide screen, the large picture. */
static struct layout lay_out(const struct scene *scene, const struct canvas *canvas,
                             struct area area)
{
    struct layout layout = {.per_row = heat_per_row(canvas), .grid = area};
    int margin = 4 + digits(scene->layers - 1);
    if (area.columns >= GRID_LARGE_FROM)
        layout.grid.columns -= (int)size_max((size_t)area.columns / 3, LARGE_MIN);
    layout.grid.rows -= 1;
    layout.layers = axis_place(scene->layers, scene->layer, (area.y + 1) * layout.per_row,
                               (area.rows - 2) * layout.per_row, scene_range(scene, SIDE_LEFT));
    layout.heads = axis_place(scene->head_count, scene->head, area.x + margin,
                              layout.grid.columns - margin - 1, scene_range(scene, SIDE_RIGHT));
    int x = axis_at(&layout.heads, layout.heads.first + layout.heads.shown) + 3;
    if (area.columns >= GRID_LARGE_FROM)
        layout.large = (struct area){area.y, x, area.rows - 2, area.x + area.columns - 2 - x};
    return layout;
}

/* ---- The grid ---- */

static void draw_thumbnails(const struct scene *scene, struct canvas *canvas,
                            const struct layout *layout)
{
    const struct axis *layers = &layout->layers, *heads = &layout->heads;
    for (size_t layer = layers->first; layer < layers->first + layers->shown; layer++)
        for (size_t head = heads->first; head < heads->first + heads->shown; head++) {
            struct heat heat = heat_of(scene, layer, head);
            heat.rows = layers->dots;
            heat.columns = heads->dots;
            int y = axis_at(layers, layer) + 1, x = axis_at(heads, head) + 1;
            struct area area = {y / layout->per_row, x,
                                (layers->dots + layout->per_row - 1) / layout->per_row,
                                heads->dots};
            heat_draw(&heat, canvas, y, x);
            canvas_mark(canvas, area, HIT_THUMBNAIL, layer * scene->head_count + head);
        }
}

/* One dot of the frame: its colour, or without colour a line. */
static void put_frame(struct canvas *canvas, int y, int x, const char *sign)
{
    if (heat_per_row(canvas) == 2)
        heat_dot(canvas, y, x, ink_full(ROLE_STRONG));
    else
        canvas_text(canvas, y, x, 1, style_bold(ROLE_STRONG), sign);
}

/* One dot wide on all sides, in the gaps between the thumbnails. */
static void draw_frame(const struct scene *scene, struct canvas *canvas,
                       const struct layout *layout)
{
    int top = axis_at(&layout->layers, scene->layer), bottom = top + layout->layers.pitch;
    int left = axis_at(&layout->heads, scene->head), right = left + layout->heads.pitch;
    for (int x = left; x <= right; x++) {
        put_frame(canvas, top, x, x == left ? "┌" : x == right ? "┐" : "─");
        put_frame(canvas, bottom, x, x == left ? "└" : x == right ? "┘" : "─");
    }
    for (int y = top + 1; y < bottom; y++) {
        put_frame(canvas, y, left, "│");
        put_frame(canvas, y, right, "│");
    }
}

static struct style number_style(bool cursor, bool on)
{
    struct style style = cursor ? style_bold(ROLE_STRONG) : style_of(on ? ROLE_TEXT : ROLE_FAINT);
    if (cursor)
        style.back = ink_full(ROLE_CURSOR);
    return style;
}

/* Numbers in the middle of their thumbnails. */
static void draw_labels(const struct scene *scene, struct canvas *canvas,
                        const struct layout *layout)
{
    const struct axis *layers = &layout->layers, *heads = &layout->heads;
    for (size_t layer = layers->first; layer < layers->first + layers->shown; layer++)
        canvas_print(canvas, (axis_at(layers, layer) + layers->pitch / 2) / layout->per_row,
                     heads->start - 1 - digits(layer), 3, number_style(layer == scene->layer, true),
                     "%zu", layer);
    for (size_t head = heads->first; head < heads->first + heads->shown; head++)
        canvas_print(canvas, layout->grid.y,
                     axis_at(heads, head) + 1 + (heads->dots - digits(head)) / 2, 3,
                     number_style(head == scene->head, scene->heads >> head & 1), "%zu", head);
}

/* Arrows where layers or heads lie beyond the grid. */
static void draw_more(const struct scene *scene, struct canvas *canvas, const struct layout *layout)
{
    const struct axis *layers = &layout->layers, *heads = &layout->heads;
    struct style style = style_bold(ROLE_TITLE);
    size_t layers_end = layers->first + layers->shown, heads_end = heads->first + heads->shown;
    int x = layout->grid.x + 1, y = layout->grid.y;
    if (layers->first > 0)
        canvas_text(canvas, y + 1, x, 1, style, "↑");
    if (layers_end < scene->layers)
        canvas_text(canvas, (axis_at(layers, layers_end) - 1) / layout->per_row, x, 1, style, "↓");
    if (heads->first > 0)
        canvas_text(canvas, y, heads->start - 1, 1, style, "←");
    if (heads_end < scene->head_count)
        canvas_text(canvas, y, axis_at(heads, heads_end), 1, style, "→");
}

/* ---- The cursor's head, large ---- */

static void draw_names(const struct scene *scene, struct canvas *canvas, struct area lines,
                       int width, enum side side, const struct column *column)
{
    size_t chosen = side == SIDE_LEFT ? scene->from : scene->to;
    for (size_t token = column->range.first; token < column->range.end; token++) {
        int y = lines.y + column_row(column, token);
        struct style style = number_style(token == chosen, true);
        if (side == SIDE_LEFT)
            canvas_text_right(canvas, y, lines.x - 1, width, style,
                              scene_label(scene, side, token));
        else
            canvas_text(canvas, y, lines.x + lines.columns + 1, width, style,
                        scene_label(scene, side, token));
    }
}

/* Lines between words, as in the head view. */
static enum status draw_lines(const struct scene *scene, struct canvas *canvas, struct area area,
                              struct error *error)
{
    enum side side;
    struct edge_query query = scene_edges(scene);
    struct edge_list list;
    struct edge_limits limits = {.weight = EDGE_MIN, .count = SIZE_MAX};
    if (scene->threshold > 0)
        limits.weight = scene->threshold;
    else if (scene_focus(scene, &side) != NO_TOKEN)
        limits.weight = EDGE_MIN_FOCUS;
    int width = scene_label_width(scene, canvas, area.columns / 4);
    struct area lines = {area.y, area.x + width + 1, area.rows, area.columns - 2 * width - 2};
    struct column column[2];
    if (edges_select(&query, &limits, &list, error) != STATUS_OK)
        return error->status;
    for (side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        column[side] = column_place(scene_range(scene, side), area.rows, STEP_MAX, 0);
    for (size_t i = 0; i < list.count; i++) {
        const struct edge *edge = &list.edges[i];
        lines_curve(
            canvas, lines, column_row(&column[SIDE_LEFT], edge->from),
            column_row(&column[SIDE_RIGHT], edge->to),
            lines_stroke(ink_head(edge->head, 0), edge->shade, column[SIDE_LEFT].step == 1));
    }
    lines_finish(canvas, lines);
    draw_names(scene, canvas, lines, width, SIDE_LEFT, &column[SIDE_LEFT]);
    draw_names(scene, canvas, lines, width, SIDE_RIGHT, &column[SIDE_RIGHT]);
    free(list.edges);
    return STATUS_OK;
}

/* Words and lines where all tokens find a row, else a heat map, so that the whole head is seen. */
static enum status draw_picture(const struct scene *scene, struct canvas *canvas, struct area area,
                                struct error *error)
{
    struct heat heat = heat_of(scene, scene->layer, scene->head);
    size_t from = heat.from.end - heat.from.first, to = heat.to.end - heat.to.first;
    if (area.rows < DOTS_MIN)
        return STATUS_OK;
    if (size_max(from, to) <= (size_t)area.rows)
        return draw_lines(scene, canvas, area, error);
    heat.rows = fit_dots(heat.from, area.rows * heat_per_row(canvas));
    heat.columns = fit_dots(heat.to, area.columns);
    heat.on = true;
    heat_draw(&heat, canvas, area.y * heat_per_row(canvas), area.x);
    return STATUS_OK;
}

/* In two columns, the numbers in line. */
static void draw_figures(const struct head_figures *figures, struct canvas *canvas,
                         struct area area)
{
    const struct {
        const char *name, *unit;
        double value;
    } rows[] = {{"previous", "", figures->previous},
                {"next", "", figures->next},
                {"self", "", figures->self},
                {"first", "", figures->first},
                {"separators", "", figures->separators},
                {"entropy", " bits", figures->entropy},
                {"distance", "", figures->distance}};
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        bool left = i < FIGURES_ROWS, named = i <= FIGURES_ROWS && rows[i].value >= HEADS_NAMED;
        int y = area.y + i % FIGURES_ROWS, x = left ? area.x : area.x + FIGURE_LEFT + 3;
        int end = left ? x + FIGURE_LEFT : x + FIGURE_RIGHT - 5;
        char number[32];
        snprintf(number, sizeof number, "%.2f", rows[i].value);
        canvas_text(canvas, y, x, FIGURE_RIGHT, style_of(ROLE_FAINT), rows[i].name);
        canvas_text_right(canvas, y, end, 6, named ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT),
                          number);
        canvas_text(canvas, y, end, 5, style_of(ROLE_FAINT), rows[i].unit);
    }
}

static enum status draw_large(const struct scene *scene, struct canvas *canvas, struct area area,
                              const struct head_figures *figures, struct error *error)
{
    struct pen pen = {canvas, area.y, area.x, area.x + area.columns};
    struct area picture = {area.y + 2, area.x, area.rows - 3 - FIGURES_ROWS, area.columns};
    struct area below = {area.y + area.rows - FIGURES_ROWS, area.x, FIGURES_ROWS, area.columns};
    if (area.columns == 0)
        return STATUS_OK;
    scene_print_place(scene, &pen, scene->head);
    pen_print(&pen, style_of(ROLE_TEXT), "   %s", heads_name(figures, NULL));
    draw_figures(figures, canvas, below);
    return draw_picture(scene, canvas, picture, error);
}

/* ---- The line of numbers ---- */

/* Where the room is short, the entropy gives way to the strongest edge. */
static void draw_numbers(const struct scene *scene, struct canvas *canvas, struct area area,
                         const struct head_figures *figures)
{
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 1};
    struct edge_query query = scene_edges(scene);
    struct edge edge;
    double value;
    char entropy[40], pair[NAME_BYTES];
    const char *name = heads_name(figures, &value);
    scene_print_place(scene, &pen, scene->head);
    if (name[0])
        pen_print(&pen, style_of(ROLE_FAINT), "   %s ", name);
    if (name[0])
        pen_print(&pen, style_bold(ROLE_STRONG), "%.2f", value);
    if (!edges_strongest(&query, &edge)) {
        pen_print(&pen, style_of(ROLE_FAINT), "   no tokens that fit the filter");
        return;
    }
    snprintf(pair, sizeof pair, "%s → %s", scene_label(scene, SIDE_LEFT, edge.from),
             scene_label(scene, SIDE_RIGHT, edge.to));
    snprintf(entropy, sizeof entropy, "%.2f bits", figures->entropy);
    int room = pen.end - pen.x - (int)text_width(pair, canvas_ascii(canvas));
    if (room >= (int)strlen("   entropy    strongest  0.999") + (int)strlen(entropy)) {
        pen_print(&pen, style_of(ROLE_FAINT), "   entropy ");
        pen_print(&pen, style_of(ROLE_TEXT), "%s", entropy);
    }
    pen_print(&pen, style_of(ROLE_FAINT), "   strongest ");
    pen_print(&pen, style_of(ROLE_TEXT), "%s ", pair);
    pen_print(&pen, style_bold(ROLE_STRONG), "%u.%03u", edge.weight / 1000u, edge.weight % 1000u);
}

enum status grid_view_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                           struct error *error)
{
    struct layout layout = lay_out(scene, canvas, area);
    struct head_figures figures =
        heads_measure(scene->trace, scene->layer, scene->head, scene->separators);
    draw_labels(scene, canvas, &layout);
    draw_thumbnails(scene, canvas, &layout);
    draw_frame(scene, canvas, &layout);
    draw_more(scene, canvas, &layout);
    draw_numbers(scene, canvas, area, &figures);
    return draw_large(scene, canvas, layout.large, &figures, error);
}
