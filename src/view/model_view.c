/* model_view.c: the model view. All layers (down) and heads (across) as thumbnails: heat maps of
 * their attention weights, or lines (model_view_grid.c). The head under the cursor is framed and,
 * where there is room, enlarged beside them with its metrics: words and lines as in the head view
 * or, where there are more tokens than rows, a large thumbnail. A thumbnail shows what the filter
 * leaves. When not all fit, those around the cursor are shown, with arrows towards the others, and
 * the legend says how many these are. */
#include "headlight/view/model_view.h"

#include "headlight/base/size.h"
#include "headlight/draw/column.h"
#include "headlight/draw/heat.h"
#include "headlight/draw/strokes.h"
#include "headlight/lens/pairs.h"
#include "headlight/view/caption.h"
#include "headlight/view/thumbnails.h"
#include "headlight/view/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METRICS_ROWS  5
#define METRICS_LEFT  13 /* "previous 0.86" */
#define METRICS_RIGHT 15 /* "separators 0.86" */
#define METRICS_GAP   3
#define LEGEND_GAP    3 /* columns between the pieces of the legend */
#define STEP_MAX      4

/* Widths of lines in rows. */
#define THIN      0.06F
#define THIN_MORE 0.34F

/* ---- The enlarged head: words and lines ---- */

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
static enum status enlarged_draw_edges(const struct scene *scene, struct canvas *canvas,
                                       struct area area, const struct column column[2],
                                       const struct pair_list *list, struct error *error)
{
    struct stroke *strokes = malloc((list->count + 1) * sizeof *strokes);
    float heaviest = list->count > 0 ? list->edges[list->count - 1].shade : 1;
    if (!strokes)
        return error_memory(error, "the lines", list->count * sizeof *strokes);
    for (size_t i = 0; i < list->count; i++) {
        const struct edge *edge = &list->edges[i];
        float share = heaviest > 0 ? edge->shade / heaviest : 0;
        strokes[i] = (struct stroke){
            .from = (float)column_row(&column[SIDE_LEFT], edge->from) + 0.5F,
            .to = (float)column_row(&column[SIDE_RIGHT], edge->to) + 0.5F,
            .width = THIN + THIN_MORE * share,
            .ink = scene_edge_ink(scene, edge, (unsigned)(share * STYLE_FULL + 0.5F))};
    }
    enum status status = strokes_draw(canvas, area, strokes, list->count, error);
    free(strokes);
    return status;
}

/* Lines between words, as in the head view. */
static enum status enlarged_draw_lines(const struct scene *scene, struct canvas *canvas,
                                       struct area area, struct error *error)
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
    enum status status = enlarged_draw_edges(scene, canvas, area, column, &list, error);
    draw_names(scene, canvas, area, width, SIDE_LEFT, &column[SIDE_LEFT]);
    draw_names(scene, canvas, area, width, SIDE_RIGHT, &column[SIDE_RIGHT]);
    free(list.edges);
    return status;
}

static enum status draw_strongest(const struct scene *scene, struct canvas *canvas,
                                  struct area area, struct error *error)
{
    size_t bytes = thumbnail_lines_most(area.rows) * sizeof(struct edge);
    const float *weights =
        attention_row(scene->data.attention, scene->look.layer, scene->look.head, 0);
    struct edge *edges = malloc(bytes);
    struct thumbnail_lines lines = {.head = scene->look.head, .on = true, .edges = edges};
    enum status status;
    if (edges && thumbnail_lines_choose(scene, weights, area.rows, edges, &lines.count))
        status = thumbnail_lines_draw(scene, canvas, area, &lines, error);
    else
        status = error_memory(error, "the lines", bytes);
    free(edges);
    return status;
}

static enum status enlarged_draw_heat(const struct scene *scene, struct canvas *canvas,
                                      struct area area, struct error *error)
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
static enum status enlarged_draw_picture(const struct scene *scene, struct canvas *canvas,
                                         struct area area, struct error *error)
{
    struct token_range from = scene_range(scene, SIDE_LEFT), to = scene_range(scene, SIDE_RIGHT);
    if (area.rows < MODEL_VIEW_DOTS_MIN)
        return STATUS_OK;
    size_t tokens = size_max(from.end - from.first, to.end - to.first);
    if (tokens <= (size_t)area.rows)
        return enlarged_draw_lines(scene, canvas, area, error);
    canvas_print(canvas, area.y - 1, area.x, area.columns, style_of(ROLE_FAINT),
                 "no room for the words of %zu tokens", tokens);
    return scene->look.lined ? draw_strongest(scene, canvas, area, error)
                             : enlarged_draw_heat(scene, canvas, area, error);
}

/* ---- Its metrics ---- */

/* A name and its number, marked if the grid shows it. */
static void enlarged_draw_metric(const struct scene *scene, struct canvas *canvas,
                                 struct area place, enum metric metric,
                                 const struct head_metrics *metrics)
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
        enlarged_draw_metric(scene, canvas, place, left[i], metrics);
    place = (struct area){area.y, area.x + METRICS_LEFT + METRICS_GAP, 1, METRICS_RIGHT};
    int end = place.x + place.columns;
    for (int i = 0; i < rows; i++, place.y++) {
        const char *unit = metric_unit(right[i]);
        enlarged_draw_metric(scene, canvas, place, right[i], metrics);
        if (end + (int)strlen(unit) <= area.x + area.columns)
            canvas_text(canvas, place.y, end, 8, style_of(ROLE_FAINT), unit);
    }
}

/* An area of 0 columns stays empty. */
static enum status draw_enlarged(const struct scene *scene, struct canvas *canvas, struct area area,
                                 const struct head_metrics *metrics, struct error *error)
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
    return enlarged_draw_picture(scene, canvas, picture, error);
}

/* ---- Around the grid ---- */

/* Layers and heads; when sorted, the rank of each row's first head. */
static void draw_labels(const struct scene *scene, struct canvas *canvas,
                        const struct model_view_layout *layout)
{
    const struct model_view_axis *rows = &layout->rows, *columns = &layout->columns;
    bool sorted = model_view_is_sorted(scene);
    for (size_t row = rows->at.shown.first; row < rows->at.shown.end; row++) {
        size_t number = sorted ? row * scene->data.head_count + columns->at.shown.first + 1 : row;
        int y = (grid_at(&rows->at, row) + (rows->gap + rows->box) / 2) / layout->per_row;
        canvas_print(canvas, y, columns->at.origin - 1 - model_view_digits(number), 5,
                     model_view_number_style(row == rows->cursor, !sorted), "%zu", number);
    }
    if (sorted || scene_is_single(scene))
        return;
    for (size_t head = columns->at.shown.first; head < columns->at.shown.end; head++)
        canvas_print(canvas, layout->grid.y,
                     grid_at(&columns->at, head) + columns->gap +
                         (columns->box - model_view_digits(head)) / 2,
                     3,
                     model_view_number_style(head == scene->look.head,
                                             head_mask_has(scene->look.heads, head)),
                     "%zu", head);
}

/* Arrows where rows or columns lie beyond the grid. */
static void model_view_draw_more(const struct scene *scene, struct canvas *canvas,
                                 const struct model_view_layout *layout)
{
    const struct model_view_axis *rows = &layout->rows, *columns = &layout->columns;
    struct style style = style_bold(ROLE_TITLE);
    size_t rows_end = rows->at.shown.end, columns_end = columns->at.shown.end;
    int x = layout->grid.x + 1, y = layout->grid.y;
    if (rows->at.shown.first > 0)
        canvas_text(canvas, y + 1, x, 1, style, "↑");
    if (rows_end < scene->data.layers)
        canvas_text(canvas, (grid_at(&rows->at, rows_end) - 1) / layout->per_row, x, 1, style, "↓");
    if (columns->at.shown.first > 0)
        canvas_text(canvas, y, columns->at.origin - 1, 1, style, "←");
    if (columns_end < scene->data.head_count)
        canvas_text(canvas, y, grid_at(&columns->at, columns_end), 1, style, "→");
}

/* "2 layers above, 3 below": how many rows or columns lie beyond the grid. Empty: none. */
static void describe_beyond(const struct model_view_axis *axis, size_t count, const char *what,
                            const char *const sides[2], char *text, size_t size)
{
    size_t before = axis->at.shown.first, after = count - axis->at.shown.end;
    size_t first = before > 0 ? before : after;
    int used = 0;
    text[0] = '\0';
    if (first > 0)
        used = snprintf(text, size, "%zu %s%s %s", first, what, first == 1 ? "" : "s",
                        sides[before == 0]);
    if (before > 0 && after > 0)
        snprintf(text + used, size - (size_t)used, ", %zu %s", after, sides[1]);
}

/* At the right end of the legend's row. Returns where that ends. */
static int draw_beyond(const struct scene *scene, struct canvas *canvas, struct area area)
{
    static const char *const down[] = {"above", "below"}, *const across[] = {"left", "right"};
    const struct model_view_layout layout = model_view_lay_out(scene, canvas, area);
    bool sorted = model_view_is_sorted(scene);
    char rows[40], columns[40], text[96];
    int end = area.x + area.columns - 2;
    describe_beyond(&layout.rows, scene->data.layers, sorted ? "row" : "layer", down, rows,
                    sizeof rows);
    describe_beyond(&layout.columns, scene->data.head_count, sorted ? "column" : "head", across,
                    columns, sizeof columns);
    if (!rows[0] && !columns[0])
        return end;
    int used =
        snprintf(text, sizeof text, "%s%s%s", rows, rows[0] && columns[0] ? ", " : "", columns);
    canvas_text(canvas, area.y + area.rows - 2, end - used, used, style_of(ROLE_TITLE), text);
    return end - used - LEGEND_GAP;
}

static void model_view_legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, draw_beyond(scene, canvas, area)};
    model_view_print_legend(scene, &pen);
}

/* ---- The view ---- */

static enum status model_view_prepare(const struct scene *scene, const struct canvas *canvas,
                                      struct area area, struct data *data, struct error *error)
{
    struct model_view_layout layout = model_view_lay_out(scene, canvas, area);
    struct thumbnails_need need = thumbnails_need(scene, &layout);
    if (thumbnails_fits(data->thumbnails, &need))
        return STATUS_OK;
    thumbnails_free(data->thumbnails);
    return thumbnails_new(scene, &need, &data->thumbnails, error);
}

static enum status model_view_draw(const struct scene *scene, struct canvas *canvas,
                                   struct area area, struct error *error)
{
    struct model_view_layout layout = model_view_lay_out(scene, canvas, area);
    struct head_metrics metrics =
        scene->data.metrics
            ? scene->data.metrics[scene->look.layer * scene->data.head_count + scene->look.head]
            : metrics_measure(scene->data.trace, scene->look.layer, scene->look.head,
                              &scene->data.kinds);
    if (model_view_draw_grid(scene, canvas, &layout, error) != STATUS_OK)
        return error->status;
    draw_labels(scene, canvas, &layout); /* over the frame, where it is in their row */
    model_view_draw_more(scene, canvas, &layout);
    model_view_numbers(scene, canvas, area, &metrics);
    return draw_enlarged(scene, canvas, layout.enlarged, &metrics, error);
}

/* ---- Keys and clicks ---- */

static const char *model_view_hints(const struct scene *scene)
{
    if (scene_is_single(scene))
        return "↑↓: layer; Enter: open; p: map; e: edit";
    return scene->look.sorted ? "↑↓←→: head; Enter: open; o: figure; O: unsort"
                              : "↑↓: layer; ←→: head; Enter: open; o: figure; e: edit";
}

#define PAGE_ROWS 4

/* Goes to the head at a row and column. */
static enum acted go_to_place(struct scene *scene, size_t row, size_t column)
{
    struct model_view_head at = model_view_at(scene, row * scene->data.head_count + column);
    scene->look.layer = at.layer;
    scene->look.head = at.head;
    return ACT_DONE;
}

/* Opens the head alone. */
static enum acted open_head(struct scene *scene)
{
    look_show_alone(&scene->look, scene->look.head);
    return ACT_TO_CHOSEN;
}

static enum acted model_view_act(struct scene *scene, enum action action, struct error *error)
{
    size_t place = model_view_place(scene, scene->look.layer, scene->look.head);
    size_t rows = scene->data.layers, columns = scene->data.head_count;
    size_t row = place / columns, column = place % columns;
    (void)error;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        return go_to_place(scene, (row + rows - 1) % rows, column);
    case ACTION_TOKEN_NEXT:
        return go_to_place(scene, (row + 1) % rows, column);
    case ACTION_TOKEN_FIRST:
        return go_to_place(scene, 0, column);
    case ACTION_TOKEN_LAST:
        return go_to_place(scene, rows - 1, column);
    case ACTION_PAGE_UP:
        return go_to_place(scene, row - size_min(row, PAGE_ROWS), column);
    case ACTION_PAGE_DOWN:
        return go_to_place(scene, size_min(row + PAGE_ROWS, rows - 1), column);
    case ACTION_LEFT:
        return go_to_place(scene, row, (column + columns - 1) % columns);
    case ACTION_RIGHT:
        return go_to_place(scene, row, (column + 1) % columns);
    case ACTION_PIN:
        return open_head(scene);
    default:
        return ACT_PASSED;
    }
}

/* The first click goes to a head, the second opens it. */
static enum action model_view_click(struct scene *scene, struct hit hit)
{
    size_t heads = scene_is_single(scene) ? 1 : scene->data.head_count;
    size_t layer = hit.value / heads, head = heads > 1 ? hit.value % heads : scene->look.head;
    if (hit.kind != HIT_THUMBNAIL || layer >= scene->data.layers)
        return ACTION_COUNT;
    if (scene->look.layer == layer && scene->look.head == head)
        return ACTION_PIN;
    scene->look.layer = layer;
    scene->look.head = head;
    return ACTION_COUNT;
}

const struct view model_view = {
    .title = "Model",
    .about = "all heads of all layers as thumbnails, with a figure for each",
    .meaning = "rows: layers · columns: heads · in each: who attends to what, fuller: more",
    .mouse = "a head, again: opens it",
    .heads = HEADS_ALL,
    .shown = SHOWN_HEADS | SHOWN_LINES | SHOWN_TONE | SHOWN_METRICS | SHOWN_PIECES | SHOWN_MAP,
    .prepare = model_view_prepare,
    .draw = model_view_draw,
    .act = model_view_act,
    .click = model_view_click,
    .hints = model_view_hints,
    .legend = model_view_legend,
};
