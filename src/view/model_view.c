/* model_view.c: the model view. All layers (down) and heads (across) as thumbnails: heat maps of
 * their attention weights, or lines (model_view_lines.h). The head under the cursor is framed and,
 * where there is room, enlarged with its metrics (model_view_enlarged.h). A metric can stand under
 * each thumbnail and sort them (model_view_order.h); each is then labelled with its head.
 *
 * A heat map has a row of dots for each attending token, a column for each attended one. A dot is
 * half a cell high; without colour, a whole cell whose glyph's density shows the weight. Where
 * there are more tokens than dots, a dot shows the largest of its weights, so that no heavy weight
 * is lost; where there are fewer, each token gets the same number of dots. A thumbnail shows what
 * the filter leaves. When not all thumbnails fit, those around the cursor are shown, with arrows
 * towards the others, and the legend says how many these are. */
#include "headlight/base/size.h"
#include "headlight/draw/heat.h"
#include "headlight/view/model_view_effect.h"
#include "headlight/view/model_view_enlarged.h"
#include "headlight/view/model_view_label.h"
#include "headlight/view/model_view_layout.h"
#include "headlight/view/model_view_legend.h"
#include "headlight/view/model_view_lines.h"
#include "headlight/view/model_view_order.h"
#include "headlight/view/thumbnails.h"
#include "headlight/view/views.h"

#include <stdio.h>
#include <string.h>

#define VALUE_WIDTH  4 /* "0.86" */
#define EFFECT_WIDTH 5 /* "-1.73" */

/* A head and where its thumbnail stands in the grid. */
struct thumbnail {
    size_t layer, head;
    size_t row, column;
    bool cursor, on;
};

/* What thumbnails are drawn from. */
struct picture {
    const struct scene *scene;
    const struct model_view_layout *layout;
    const struct thumbnails *store;
};

/* ---- Frames ---- */

/* One dot of the frame; where a dot is a whole cell, `sign`. */
static void put_frame(const struct model_view_layout *layout, struct canvas *canvas, int y, int x,
                      const char *sign)
{
    if (layout->per_row == 2)
        heat_dot(canvas, y, x, ink_full(ROLE_STRONG));
    else
        canvas_text(canvas, y, x, 1, style_bold(ROLE_STRONG), sign);
}

/* Of the frame's colour, so that it closes the frame below. */
static struct style text_style(void)
{
    return (struct style){.fore = ink_full(ROLE_READABLE), .back = ink_full(ROLE_STRONG)};
}

/* The text under a picture, from column `begin` to `end` (exclusive), is the frame's lower edge;
 * without colour, a line goes up to it. */
static void draw_text_edge(struct canvas *canvas, const struct model_view_layout *layout,
                           const struct thumbnail *thumbnail, int begin, int end)
{
    int y = model_view_text_y(layout, thumbnail->row), last = y + layout->text_rows - 1;
    int left = model_view_axis_at(&layout->columns, thumbnail->column);
    int right = left + layout->columns.pitch;
    canvas_fill(canvas, (struct area){y, left, layout->text_rows, right + 1 - left}, text_style());
    if (heat_per_row(canvas) == 2)
        return;
    for (int row = y; row <= last; row++) {
        canvas_text(canvas, row, left, 1, text_style(), row < last ? "│" : "└");
        canvas_text(canvas, row, right, 1, text_style(), row < last ? "│" : "┘");
    }
    for (int x = left + 1; x < right; x++)
        if (x < begin - 1 || x > end)
            canvas_text(canvas, last, x, 1, text_style(), "─");
}

/* One dot wide, in the gaps. */
static void draw_frame(struct canvas *canvas, const struct model_view_layout *layout,
                       const struct thumbnail *thumbnail)
{
    int top = model_view_axis_at(&layout->rows, thumbnail->row), bottom = top + layout->rows.pitch;
    int left = model_view_axis_at(&layout->columns, thumbnail->column);
    int right = left + layout->columns.pitch;
    bool text = layout->text_rows > 0;
    bottom -= layout->text_rows * layout->per_row;
    for (int x = left; x <= right; x++) {
        put_frame(layout, canvas, top, x, x == left ? "┌" : x == right ? "┐" : "─");
        if (!text)
            put_frame(layout, canvas, bottom, x, x == left ? "└" : x == right ? "┘" : "─");
    }
    for (int y = top + 1; y < bottom; y++) {
        put_frame(layout, canvas, y, left, "│");
        put_frame(layout, canvas, y, right, "│");
    }
}

static struct style number_style(bool cursor, bool on)
{
    struct style style = cursor ? style_bold(ROLE_STRONG) : style_of(on ? ROLE_TEXT : ROLE_FAINT);
    if (cursor)
        style.back = ink_full(ROLE_CURSOR);
    return style;
}

/* ---- Text under a picture ---- */

/* Heads that the metric could name stand out; where it names none, all are alike. An effect has the
 * colour of its sign. */
static struct style value_style(const struct scene *scene, const struct thumbnail *thumbnail,
                                double value)
{
    bool weight = metric_is_weight(scene->look.metric),
         bold = metric_stands_out(scene->look.metric, value),
         effect = scene->look.metric == METRIC_EFFECT;
    struct style style = thumbnail->cursor ? text_style()
                         : effect          ? model_view_effect_style(value)
                         : bold            ? style_of(ROLE_STRONG)
                         : weight          ? style_of(ROLE_FAINT)
                                           : style_of(ROLE_TEXT);
    style.bold = bold;
    return style;
}

/* Ends at column `end`, and is as wide as the room allows. */
static void draw_metric(const struct scene *scene, struct canvas *canvas, int y, int end, int room,
                        const struct thumbnail *thumbnail)
{
    double value = model_view_value(scene, thumbnail->layer, thumbnail->head);
    char text[32];
    metric_print(text, sizeof text, scene->look.metric, value, room);
    canvas_text_right(canvas, y, end, room, value_style(scene, thumbnail, value), text);
}

/* The widest value that is written out. */
static int value_width(const struct scene *scene, bool beside)
{
    if (scene->look.metric == METRIC_EFFECT)
        return EFFECT_WIDTH;
    return beside && metric_is_weight(scene->look.metric) ? VALUE_WIDTH - 1 : VALUE_WIDTH;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Each row in the middle. Heads that look at one place stand out. */
static void draw_label(const struct scene *scene, struct canvas *canvas,
                       const struct model_view_layout *layout, const struct thumbnail *thumbnail)
{
    struct model_view_label_text text =
        model_view_label_text(scene, layout, thumbnail->layer, thumbnail->head);
    int box = layout->columns.box, y = model_view_text_y(layout, thumbnail->row);
    int x = model_view_axis_at(&layout->columns, thumbnail->column) + layout->columns.gap;
    bool broad = model_view_label(scene, thumbnail->layer, thumbnail->head).label == LABEL_BROAD;
    if (thumbnail->cursor && !text.rows[layout->text_rows - 1][0])
        strcpy(text.rows[layout->text_rows - 1], "-"); /* the cursor's block holds something */
    int last = (int)strlen(text.rows[layout->text_rows - 1]), begin = x + (box - last) / 2;
    if (thumbnail->cursor)
        draw_text_edge(canvas, layout, thumbnail, begin, begin + last);
    for (int row = 0; row < layout->text_rows; row++) {
        bool head = row == 0 && layout->text_rows > 1 && model_view_is_sorted(scene);
        struct style style = thumbnail->cursor ? text_style()
                             : head            ? number_style(false, thumbnail->on)
                             : broad           ? style_of(ROLE_FAINT)
                                               : style_bold(ROLE_STRONG);
        int width = (int)strlen(text.rows[row]);
        canvas_text(canvas, y + row, x + (box - width) / 2, width, style, text.rows[row]);
    }
}

/* The value in the middle; when sorted, after or under the head. Both are right-aligned. */
static void draw_text(const struct scene *scene, struct canvas *canvas,
                      const struct model_view_layout *layout, const struct thumbnail *thumbnail)
{
    bool sorted = model_view_is_sorted(scene), beside = sorted && layout->text_rows == 1;
    int box = layout->columns.box, y = model_view_text_y(layout, thumbnail->row);
    int x = model_view_axis_at(&layout->columns, thumbnail->column) + layout->columns.gap;
    int room = smaller(value_width(scene, beside), beside ? box - layout->id_width - 1 : box);
    int width = beside ? layout->id_width + 1 + room : sorted ? layout->id_width : room;
    int end = x + (box - width) / 2 + width, last = y + layout->text_rows - 1;
    if (layout->text_rows == 0)
        return;
    if (thumbnail->cursor)
        draw_text_edge(canvas, layout, thumbnail, end - width, end);
    draw_metric(scene, canvas, last, end, room, thumbnail);
    if (sorted) {
        char name[48];
        struct style style = thumbnail->cursor ? text_style() : number_style(false, thumbnail->on);
        snprintf(name, sizeof name, "%zu:%zu", thumbnail->layer, thumbnail->head);
        canvas_text_right(canvas, y, beside ? end - room - 1 : end, layout->id_width, style, name);
    }
}

/* ---- Pictures ---- */

static enum status draw_lines(const struct picture *picture, struct canvas *canvas,
                              const struct thumbnail *thumbnail, struct error *error)
{
    const struct model_view_layout *layout = picture->layout;
    struct area area = model_view_cells(layout, thumbnail->row, thumbnail->column);
    struct model_view_lines lines = {.head = thumbnail->head, .on = thumbnail->on};
    area.rows -= layout->text_rows;
    lines.edges = thumbnails_edges(picture->store, thumbnail->layer, thumbnail->head, &lines.count);
    return model_view_lines_draw(picture->scene, canvas, area, &lines, error);
}

static void draw_heat(const struct picture *picture, struct canvas *canvas,
                      const struct thumbnail *thumbnail)
{
    const struct model_view_axis *rows = &picture->layout->rows,
                                 *columns = &picture->layout->columns;
    struct heat heat = scene_heat(picture->scene, thumbnail->head);
    heat.rows = rows->dots;
    heat.columns = columns->dots;
    heat_draw(&heat, thumbnails_dots(picture->store, thumbnail->layer, thumbnail->head), canvas,
              model_view_axis_at(rows, thumbnail->row) + rows->gap,
              model_view_axis_at(columns, thumbnail->column) + columns->gap +
                  (columns->box - columns->dots) / 2);
}

static enum status draw_thumbnail(const struct picture *picture, struct canvas *canvas,
                                  const struct thumbnail *thumbnail, struct error *error)
{
    const struct scene *scene = picture->scene;
    if (scene->look.lined) {
        if (draw_lines(picture, canvas, thumbnail, error) != STATUS_OK)
            return error->status;
    } else {
        draw_heat(picture, canvas, thumbnail);
    }
    (model_view_is_labelled(scene) ? draw_label : draw_text)(scene, canvas, picture->layout,
                                                             thumbnail);
    canvas_mark(canvas, model_view_cells(picture->layout, thumbnail->row, thumbnail->column),
                HIT_THUMBNAIL, thumbnail->layer * scene->data.head_count + thumbnail->head);
    return STATUS_OK;
}

static struct thumbnail thumbnail_at(const struct scene *scene, struct model_view_head at,
                                     size_t row, size_t column)
{
    return (struct thumbnail){.layer = at.layer,
                              .head = at.head,
                              .row = row,
                              .column = column,
                              .cursor =
                                  at.layer == scene->look.layer && at.head == scene->look.head,
                              .on = head_mask_has(scene->look.heads, at.head)};
}

/* Draws the thumbnails on screen, and last the cursor's frame, which its neighbours would cut. The
 * axes keep the cursor on screen. */
static enum status draw_picture(const struct picture *picture, struct canvas *canvas,
                                struct error *error)
{
    const struct scene *scene = picture->scene;
    const struct model_view_axis *rows = &picture->layout->rows,
                                 *columns = &picture->layout->columns;
    struct thumbnail cursor = {0};
    struct model_view_head heads[MODEL_VIEW_HEADS_MAX];
    enum status status = STATUS_OK;
    model_view_sort(scene, heads);
    for (size_t i = 0; i < rows->shown * columns->shown && status == STATUS_OK; i++) {
        size_t row = rows->first + i / columns->shown, column = columns->first + i % columns->shown;
        struct thumbnail next =
            thumbnail_at(scene, heads[row * scene->data.head_count + column], row, column);
        if (next.cursor)
            cursor = next;
        status = draw_thumbnail(picture, canvas, &next, error);
    }
    if (status == STATUS_OK)
        draw_frame(canvas, picture->layout, &cursor);
    return status;
}

/* From the scene's store where it fits, else from one for this frame. */
static enum status draw_thumbnails(const struct scene *scene, struct canvas *canvas,
                                   const struct model_view_layout *layout, struct error *error)
{
    struct thumbnails_need need = thumbnails_need(scene, layout);
    struct picture picture = {scene, layout, scene->data.thumbnails};
    struct thumbnails *own = NULL;
    if (!thumbnails_fits(picture.store, &need)) {
        if (thumbnails_new(scene, &need, &own, error) != STATUS_OK)
            return error->status;
        picture.store = own;
    }
    enum status status = draw_picture(&picture, canvas, error);
    thumbnails_free(own);
    return status;
}

/* ---- Around the grid ---- */

/* Layers and heads; when sorted, the rank of each row's first head. */
static void draw_labels(const struct scene *scene, struct canvas *canvas,
                        const struct model_view_layout *layout)
{
    const struct model_view_axis *rows = &layout->rows, *columns = &layout->columns;
    bool sorted = model_view_is_sorted(scene);
    for (size_t row = rows->first; row < rows->first + rows->shown; row++) {
        size_t number = sorted ? row * scene->data.head_count + columns->first + 1 : row;
        int y = (model_view_axis_at(rows, row) + (rows->gap + rows->box) / 2) / layout->per_row;
        canvas_print(canvas, y, columns->start - 1 - model_view_digits(number), 5,
                     number_style(row == rows->cursor, !sorted), "%zu", number);
    }
    if (sorted || scene_is_single(scene))
        return;
    for (size_t head = columns->first; head < columns->first + columns->shown; head++)
        canvas_print(canvas, layout->grid.y,
                     model_view_axis_at(columns, head) + columns->gap +
                         (columns->box - model_view_digits(head)) / 2,
                     3,
                     number_style(head == scene->look.head, head_mask_has(scene->look.heads, head)),
                     "%zu", head);
}

/* Arrows where rows or columns lie beyond the grid. */
static void draw_more(const struct scene *scene, struct canvas *canvas,
                      const struct model_view_layout *layout)
{
    const struct model_view_axis *rows = &layout->rows, *columns = &layout->columns;
    struct style style = style_bold(ROLE_TITLE);
    size_t rows_end = rows->first + rows->shown, columns_end = columns->first + columns->shown;
    int x = layout->grid.x + 1, y = layout->grid.y;
    if (rows->first > 0)
        canvas_text(canvas, y + 1, x, 1, style, "↑");
    if (rows_end < scene->data.layers)
        canvas_text(canvas, (model_view_axis_at(rows, rows_end) - 1) / layout->per_row, x, 1, style,
                    "↓");
    if (columns->first > 0)
        canvas_text(canvas, y, columns->start - 1, 1, style, "←");
    if (columns_end < scene->data.head_count)
        canvas_text(canvas, y, model_view_axis_at(columns, columns_end), 1, style, "→");
}

/* ---- The view ---- */

static enum status prepare(const struct scene *scene, const struct canvas *canvas, struct area area,
                           struct data *data, struct error *error)
{
    struct model_view_layout layout = model_view_lay_out(scene, canvas, area);
    struct thumbnails_need need = thumbnails_need(scene, &layout);
    if (thumbnails_fits(data->thumbnails, &need))
        return STATUS_OK;
    thumbnails_free(data->thumbnails);
    return thumbnails_new(scene, &need, &data->thumbnails, error);
}

static enum status draw(const struct scene *scene, struct canvas *canvas, struct area area,
                        struct error *error)
{
    struct model_view_layout layout = model_view_lay_out(scene, canvas, area);
    struct head_metrics metrics =
        scene->data.metrics
            ? scene->data.metrics[scene->look.layer * scene->data.head_count + scene->look.head]
            : metrics_measure(scene->data.trace, scene->look.layer, scene->look.head,
                              &scene->data.kinds);
    if (draw_thumbnails(scene, canvas, &layout, error) != STATUS_OK)
        return error->status;
    draw_labels(scene, canvas, &layout); /* over the frame, where it is in their row */
    draw_more(scene, canvas, &layout);
    model_view_numbers(scene, canvas, area, &metrics);
    return model_view_enlarged_draw(scene, canvas, layout.enlarged, &metrics, error);
}

/* ---- Keys and clicks ---- */

static const struct hint *hints(const struct scene *scene)
{
    static const struct hint keys[] = {{"↑↓", "layer"}, {"←→", "head"}, {"Enter", "open"},
                                       {"o", "figure"}, {"e", "edit"},  {NULL, NULL}};
    static const struct hint sorted[] = {
        {"↑↓←→", "head"}, {"Enter", "open"}, {"o", "figure"}, {"O", "unsort"}, {NULL, NULL}};
    static const struct hint single[] = {
        {"↑↓", "layer"}, {"Enter", "open"}, {"p", "map"}, {"e", "edit"}, {NULL, NULL}};
    if (scene_is_single(scene))
        return single;
    return scene->look.sorted ? sorted : keys;
}

#define PAGE_ROWS 4

/* Goes to the head at a row and column. */
static enum acted go_to(struct scene *scene, size_t row, size_t column)
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

static enum acted act(struct scene *scene, enum action action, struct error *error)
{
    size_t place = model_view_place(scene, scene->look.layer, scene->look.head);
    size_t rows = scene->data.layers, columns = scene->data.head_count;
    size_t row = place / columns, column = place % columns;
    (void)error;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        return go_to(scene, (row + rows - 1) % rows, column);
    case ACTION_TOKEN_NEXT:
        return go_to(scene, (row + 1) % rows, column);
    case ACTION_TOKEN_FIRST:
        return go_to(scene, 0, column);
    case ACTION_TOKEN_LAST:
        return go_to(scene, rows - 1, column);
    case ACTION_PAGE_UP:
        return go_to(scene, row - size_min(row, PAGE_ROWS), column);
    case ACTION_PAGE_DOWN:
        return go_to(scene, size_min(row + PAGE_ROWS, rows - 1), column);
    case ACTION_LEFT:
        return go_to(scene, row, (column + columns - 1) % columns);
    case ACTION_RIGHT:
        return go_to(scene, row, (column + 1) % columns);
    case ACTION_PIN:
        return open_head(scene);
    default:
        return ACT_PASSED;
    }
}

/* The first click goes to a head, the second opens it. */
static enum action click(struct scene *scene, struct hit hit)
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
    .prepare = prepare,
    .draw = draw,
    .act = act,
    .click = click,
    .hints = hints,
    .legend = model_view_legend,
};
