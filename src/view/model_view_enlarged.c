#include "headlight/view/model_view_enlarged.h"

#include "headlight/base/size.h"
#include "headlight/draw/column.h"
#include "headlight/draw/heat.h"
#include "headlight/draw/strokes.h"
#include "headlight/lens/pairs.h"
#include "headlight/view/caption.h"
#include "headlight/view/model_view_effect.h"
#include "headlight/view/model_view_label.h"
#include "headlight/view/model_view_layout.h"
#include "headlight/view/model_view_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METRICS_ROWS  5
#define METRICS_LEFT  13 /* "previous 0.86" */
#define METRICS_RIGHT 15 /* "separators 0.86" */
#define METRICS_GAP   3
#define STEP_MAX      4

/* Widths of lines in rows. */
#define THIN      0.06F
#define THIN_MORE 0.34F

/* ---- Words and lines ---- */

static void draw_names(const struct scene *scene, struct canvas *canvas, struct area lines,
                       int width, enum side side, const struct column *column)
{
    enum side focus_side;
    bool faint = scene_focus(scene, &focus_side) != NO_TOKEN && side == focus_side;
    for (size_t token = column->range.first; token < column->range.end; token++) {
        int y = lines.y + column_row(column, token);
        struct style style = scene_label_style(scene, side, token, faint ? ROLE_FAINT : ROLE_TEXT);
        if (side == SIDE_LEFT)
            canvas_text_right(canvas, y, lines.x - 1, width, style,
                              scene_drawn(scene, side, token).text);
        else
            canvas_text(canvas, y, lines.x + lines.columns + 1, width, style,
                        scene_drawn(scene, side, token).text);
    }
}

/* Light to heavy. */
static enum status draw_edges(const struct scene *scene, struct canvas *canvas, struct area area,
                              const struct column column[2], const struct pair_list *list,
                              struct error *error)
{
    struct stroke *strokes = malloc((list->count + 1) * sizeof *strokes);
    float heaviest = list->count > 0 ? list->edges[list->count - 1].shade : 1;
    if (!strokes)
        return error_memory(error, "the lines", list->count * sizeof *strokes);
    for (size_t i = 0; i < list->count; i++) {
        const struct edge *edge = &list->edges[i];
        float share = heaviest > 0 ? edge->shade / heaviest : 0;
        strokes[i] =
            (struct stroke){.from = (float)column_row(&column[SIDE_LEFT], edge->from) + 0.5F,
                            .to = (float)column_row(&column[SIDE_RIGHT], edge->to) + 0.5F,
                            .width = THIN + THIN_MORE * share,
                            .ink = scene_weight_ink(scene, edge->head, edge->from, edge->to,
                                                    (unsigned)(share * STYLE_FULL + 0.5F))};
    }
    enum status status = strokes_draw(canvas, area, strokes, list->count, error);
    free(strokes);
    return status;
}

/* Lines between words, as in the head view. */
static enum status draw_lines(const struct scene *scene, struct canvas *canvas, struct area area,
                              struct error *error)
{
    struct edge_query query = scene_edges(scene);
    struct pair_limits limits = scene_limits(scene);
    struct pair_list list;
    int width = scene_label_width(scene, canvas, area.columns / 4);
    if (pairs_select(&query, &limits, &list, error) != STATUS_OK)
        return error->status;
    canvas_print(canvas, area.y - 1, area.x, area.columns, style_of(ROLE_FAINT),
                 list.total == 0   ? "no tokens that fit the filter"
                 : list.count == 1 ? "%zu line, %zu hidden"
                                   : "%zu lines, %zu hidden",
                 list.count, list.total - list.count);
    area.x += width + 1;
    area.columns -= 2 * width + 2;
    struct column column[2];
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        column[side] = column_centre(scene_range(scene, side), scene_boundary(scene, side),
                                     area.rows, STEP_MAX, 0);
    enum status status = draw_edges(scene, canvas, area, column, &list, error);
    draw_names(scene, canvas, area, width, SIDE_LEFT, &column[SIDE_LEFT]);
    draw_names(scene, canvas, area, width, SIDE_RIGHT, &column[SIDE_RIGHT]);
    free(list.edges);
    return status;
}

static enum status draw_strongest(const struct scene *scene, struct canvas *canvas,
                                  struct area area, struct error *error)
{
    size_t bytes = model_view_lines_most(area.rows) * sizeof(struct edge);
    const float *weights =
        attention_row(scene->data.attention, scene->look.layer, scene->look.head, 0);
    struct edge *edges = malloc(bytes);
    struct model_view_lines lines = {.head = scene->look.head, .on = true, .edges = edges};
    enum status status;
    if (edges && model_view_lines_choose(scene, weights, area.rows, edges, &lines.count))
        status = model_view_lines_draw(scene, canvas, area, &lines, error);
    else
        status = error_memory(error, "the lines", bytes);
    free(edges);
    return status;
}

static enum status draw_heat(const struct scene *scene, struct canvas *canvas, struct area area,
                             struct error *error)
{
    struct token_range all = {0, scene_count(scene, SIDE_LEFT)};
    struct heat heat = scene_heat(scene, scene->look.head);
    heat.rows = model_view_fit_dots(heat.from, area.rows * heat_per_row(canvas));
    heat.columns = model_view_fit_dots(heat.to, area.columns);
    heat.on = true;
    size_t dots = (size_t)heat.rows * (size_t)heat.columns;
    size_t bytes = (dots + all.end * heat.attended) * sizeof(float);
    float *largest = malloc(bytes);
    if (!largest)
        return error_memory(error, "the map", bytes);
    float *weights = largest + dots;
    attention_signed_rows(scene->data.attention, scene->look.layer, scene->look.head, all, weights);
    heat.weights = weights;
    heat_measure(&heat, largest);
    heat_draw(&heat, largest, canvas, area.y * heat_per_row(canvas), area.x);
    free(largest);
    return STATUS_OK;
}

/* Words and lines where each token has a row, else a large thumbnail. The row above says what is
 * left out. */
static enum status draw_picture(const struct scene *scene, struct canvas *canvas, struct area area,
                                struct error *error)
{
    struct token_range from = scene_range(scene, SIDE_LEFT), to = scene_range(scene, SIDE_RIGHT);
    if (area.rows < MODEL_VIEW_DOTS_MIN)
        return STATUS_OK;
    size_t tokens = size_max(from.end - from.first, to.end - to.first);
    if (tokens <= (size_t)area.rows)
        return draw_lines(scene, canvas, area, error);
    canvas_print(canvas, area.y - 1, area.x, area.columns, style_of(ROLE_FAINT),
                 "no room for the words of %zu tokens", tokens);
    return scene->look.lined ? draw_strongest(scene, canvas, area, error)
                             : draw_heat(scene, canvas, area, error);
}

/* ---- Metrics ---- */

/* A name and its number, marked if the grid shows it. */
static void draw_metric(const struct scene *scene, struct canvas *canvas, struct area place,
                        enum metric metric, const struct head_metrics *metrics)
{
    bool chosen = metric == scene->look.metric;
    double value = model_view_cursor_value(scene, metrics, metric);
    struct style number =
        chosen || metric_stands_out(metric, value) ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT);
    char text[32];
    metric_print_whole(text, sizeof text, metric, value);
    if (metric == METRIC_EFFECT)
        number = model_view_effect_style(value);
    if (chosen)
        canvas_text(canvas, place.y, place.x - 2, 1, style_bold(ROLE_TITLE), "▸");
    canvas_text(canvas, place.y, place.x, place.columns,
                chosen ? style_bold(ROLE_TITLE) : style_of(ROLE_FAINT), metric_name(metric));
    canvas_text_right(canvas, place.y, place.x + place.columns, 6, number, text);
}

/* In two aligned columns; effects, where they are measured, are the last. */
static void draw_metrics(const struct scene *scene, struct canvas *canvas, struct area area,
                         const struct head_metrics *metrics)
{
    static const enum metric left[METRICS_ROWS] = {METRIC_PREVIOUS, METRIC_NEXT, METRIC_SELF,
                                                   METRIC_FIRST, METRIC_SAME};
    static const enum metric right[METRICS_ROWS] = {METRIC_SEPARATORS, METRIC_ENTROPY,
                                                    METRIC_DISTANCE, METRIC_MAXIMUM, METRIC_EFFECT};
    int rows = METRICS_ROWS - !scene->data.effects;
    struct area place = {area.y, area.x, 1, METRICS_LEFT};
    for (int i = 0; i < METRICS_ROWS; i++, place.y++)
        draw_metric(scene, canvas, place, left[i], metrics);
    place = (struct area){area.y, area.x + METRICS_LEFT + METRICS_GAP, 1, METRICS_RIGHT};
    int end = place.x + place.columns;
    for (int i = 0; i < rows; i++, place.y++) {
        const char *unit = metric_unit(right[i]);
        draw_metric(scene, canvas, place, right[i], metrics);
        if (end + (int)strlen(unit) <= area.x + area.columns)
            canvas_text(canvas, place.y, end, 8, style_of(ROLE_FAINT), unit);
    }
}

enum status model_view_enlarged_draw(const struct scene *scene, struct canvas *canvas,
                                     struct area area, const struct head_metrics *metrics,
                                     struct error *error)
{
    struct pen pen = {canvas, area.y, area.x, area.x + area.columns};
    struct area picture = {area.y + 2, area.x, area.rows - 2 - METRICS_ROWS, area.columns};
    struct area below = {area.y + area.rows - METRICS_ROWS, area.x, METRICS_ROWS, area.columns};
    if (area.columns == 0)
        return STATUS_OK;
    caption_place(scene, &pen, scene->look.head);
    if (!scene_is_single(scene)) { /* metrics are of heads */
        model_view_label_print(&pen, metrics, 0);
        draw_metrics(scene, canvas, below, metrics);
    }
    return draw_picture(scene, canvas, picture, error);
}
