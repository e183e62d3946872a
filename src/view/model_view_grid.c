/* model_view_grid.c: the thumbnails of the model view: where they stand, and their drawing. A
 * thumbnail is a heat map with a row of dots for each attending token and a column for each
 * attended one, or lines (thumbnails.h). A dot is half a cell high; without colour, a whole cell
 * whose glyph's density shows the weight. Where there are more tokens than dots, a dot shows the
 * largest of its weights; where there are fewer, each token gets the same number of dots. */
#include "headlight/view/model_view.h"

#include "headlight/base/size.h"
#include "headlight/draw/heat.h"
#include "headlight/view/grid.h"
#include "headlight/view/thumbnails.h"

#include <stdio.h>
#include <string.h>

#define ENLARGED_FROM  100 /* columns from which the cursor's head is enlarged */
#define ENLARGED_MIN   40
#define LINES_ROWS_MIN 2 /* of a thumbnail of lines */
#define VALUE_MIN      3 /* ".86" */
#define VALUE_WIDTH    4 /* "0.86" */
#define EFFECT_WIDTH   5 /* "-1.73" */

/* ---- Where they stand ---- */

/* What an axis has to place. */
struct wish {
    size_t count, cursor;
    int start, room;
    int least; /* dots of a box */
    int gap, text;
    bool odd;   /* boxes and the gap fill whole cells, or rows would stand at uneven distances */
    bool whole; /* pictures fill their box */
    struct token_range range;
};

int model_view_fit_dots(struct token_range range, int room)
{
    int count = (int)(range.end - range.first);
    return count > 0 && count < room ? room / count * count : room;
}

static int at_least(int number, int least)
{
    return number > least ? number : least;
}

/* Spreads as many thumbnails as fit over the room. Without text under them the last frame needs one
 * more gap. */
static struct model_view_axis axis_place(const struct wish *wish)
{
    int around = wish->gap + wish->text, room = wish->room - (wish->text ? 0 : wish->gap);
    int most = at_least(room / (wish->least + around), 1);
    int fitting = (int)size_min(wish->count, (size_t)most);
    int box = at_least(room / fitting - around, 1);
    struct model_view_axis axis = {.cursor = wish->cursor, .gap = wish->gap};
    if (wish->odd && box % 2 == 0)
        box--;
    axis.dots = wish->whole ? box : model_view_fit_dots(wish->range, box);
    axis.box = at_least(axis.dots, wish->least < box ? wish->least : box);
    if (wish->odd)
        axis.box |= 1;
    axis.at.origin = wish->start;
    axis.at.size = axis.box + around;
    axis.at.range.end = wish->count;
    axis.at.shown =
        grid_window(wish->count, (size_t)at_least(room / axis.at.size, 1), wish->cursor);
    return axis;
}

int model_view_digits(size_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

static int text_y(const struct model_view_layout *layout, size_t row)
{
    const struct model_view_axis *rows = &layout->rows;
    return (grid_at(&rows->at, row) + rows->gap + rows->box) / layout->per_row;
}

static struct area cells_of(const struct model_view_layout *layout, size_t row, size_t column)
{
    const struct model_view_axis *rows = &layout->rows, *columns = &layout->columns;
    int top = (grid_at(&rows->at, row) + rows->gap) / layout->per_row;
    int end =
        (grid_at(&rows->at, row) + rows->gap + rows->box + layout->per_row - 1) / layout->per_row;
    return (struct area){top, grid_at(&columns->at, column) + columns->gap,
                         end + layout->text_rows - top, columns->box};
}

/* Where the grid is sorted, ranks take the place of layers at the left. */
static struct model_view_axis thumbnail_place_columns(const struct scene *scene, struct area area,
                                                      int grid_columns, size_t cursor, int least)
{
    bool sorted = model_view_is_sorted(scene);
    int margin = sorted ? 3 + model_view_digits(scene->data.layers * scene->data.head_count)
                        : 4 + model_view_digits(scene->data.layers - 1);
    const struct wish wish = {.count = scene->data.head_count,
                              .cursor = cursor,
                              .start = area.x + margin,
                              .room = grid_columns - margin - 1,
                              .least = least,
                              .gap = 1,
                              .whole = scene->look.lined,
                              .range = scene_range(scene, SIDE_RIGHT)};
    return axis_place(&wish);
}

/* Between the heads' numbers and the legend, which stands above the line of numbers. The first gap
 * is in the heads' row, unless text, which takes whole cells, would then stand between two. */
static struct model_view_axis thumbnail_place_rows(const struct scene *scene,
                                                   const struct model_view_layout *layout,
                                                   struct area area, size_t cursor)
{
    int per_row = layout->per_row, rows = area.rows - 3, gap = 1;
    int above = layout->text_rows > 0 && per_row == 2 ? 0 : gap;
    const struct wish wish = {.count = scene->data.layers,
                              .cursor = cursor,
                              .start = (area.y + 1) * per_row - above,
                              .room = rows * per_row + above,
                              .least = scene->look.lined ? LINES_ROWS_MIN : MODEL_VIEW_DOTS_MIN,
                              .gap = gap,
                              .text = layout->text_rows * per_row,
                              .odd = per_row == 2,
                              .whole = scene->look.lined,
                              .range = scene_range(scene, SIDE_LEFT)};
    return axis_place(&wish);
}

/* When sorted, the head and its value are side by side or, where that is too wide, one above the
 * other. */
static int count_text_rows(const struct scene *scene, const struct model_view_layout *layout)
{
    if (model_view_is_labelled(scene))
        return model_view_label_rows(scene, layout);
    if (!model_view_is_sorted(scene))
        return model_view_has_metric(scene);
    return layout->columns.box >= layout->id_width + 1 + VALUE_MIN ? 1 : 2;
}

/* From below: the line of numbers, the legend's row, then the grid and beside it, on a wide screen,
 * the enlarged head. */
struct model_view_layout model_view_lay_out(const struct scene *scene, const struct canvas *canvas,
                                            struct area area)
{
    struct model_view_layout layout = {.per_row = scene->look.lined ? 1 : heat_per_row(canvas),
                                       .grid = area};
    size_t place = model_view_place(scene, scene->look.layer, scene->look.head);
    int least = MODEL_VIEW_DOTS_MIN;
    layout.id_width = model_view_digits(scene->data.layers - 1) + 1 +
                      model_view_digits(scene->data.head_count - 1);
    if (model_view_is_sorted(scene))
        least = at_least(least, layout.id_width);
    if (area.columns >= ENLARGED_FROM)
        layout.grid.columns -= at_least(area.columns / 3, ENLARGED_MIN);
    layout.columns = thumbnail_place_columns(scene, area, layout.grid.columns,
                                             place % scene->data.head_count, least);
    layout.text_rows = count_text_rows(scene, &layout);
    layout.rows = thumbnail_place_rows(scene, &layout, area, place / scene->data.head_count);
    int x = grid_at(&layout.columns.at, layout.columns.at.shown.end) + 3;
    if (area.columns >= ENLARGED_FROM)
        layout.enlarged = (struct area){area.y, x, area.rows - 2, area.x + area.columns - 2 - x};
    return layout;
}

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
    int y = text_y(layout, thumbnail->row), last = y + layout->text_rows - 1;
    int left = grid_at(&layout->columns.at, thumbnail->column);
    int right = left + layout->columns.at.size;
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
    int top = grid_at(&layout->rows.at, thumbnail->row), bottom = top + layout->rows.at.size;
    int left = grid_at(&layout->columns.at, thumbnail->column);
    int right = left + layout->columns.at.size;
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

struct style model_view_number_style(bool cursor, bool on)
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
static void thumbnail_draw_metric(const struct scene *scene, struct canvas *canvas, int y, int end,
                                  int room, const struct thumbnail *thumbnail)
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

/* Each row in the middle. Heads that look at one place stand out. */
static void thumbnail_draw_label(const struct scene *scene, struct canvas *canvas,
                                 const struct model_view_layout *layout,
                                 const struct thumbnail *thumbnail)
{
    struct model_view_label_text text =
        model_view_label_text(scene, layout, thumbnail->layer, thumbnail->head);
    int box = layout->columns.box, y = text_y(layout, thumbnail->row);
    int x = grid_at(&layout->columns.at, thumbnail->column) + layout->columns.gap;
    bool broad = model_view_label(scene, thumbnail->layer, thumbnail->head).label == LABEL_BROAD;
    if (thumbnail->cursor && !text.rows[layout->text_rows - 1][0])
        strcpy(text.rows[layout->text_rows - 1], "-"); /* the cursor's block holds something */
    int last = (int)strlen(text.rows[layout->text_rows - 1]), begin = x + (box - last) / 2;
    if (thumbnail->cursor)
        draw_text_edge(canvas, layout, thumbnail, begin, begin + last);
    for (int row = 0; row < layout->text_rows; row++) {
        bool head = row == 0 && layout->text_rows > 1 && model_view_is_sorted(scene);
        struct style style = thumbnail->cursor ? text_style()
                             : head            ? model_view_number_style(false, thumbnail->on)
                             : broad           ? style_of(ROLE_FAINT)
                                               : style_bold(ROLE_STRONG);
        int width = (int)strlen(text.rows[row]);
        canvas_text(canvas, y + row, x + (box - width) / 2, width, style, text.rows[row]);
    }
}

/* The value in the middle; when sorted, after or under the head. Both are right-aligned. */
static void thumbnail_draw_text(const struct scene *scene, struct canvas *canvas,
                                const struct model_view_layout *layout,
                                const struct thumbnail *thumbnail)
{
    bool sorted = model_view_is_sorted(scene), beside = sorted && layout->text_rows == 1;
    int box = layout->columns.box, y = text_y(layout, thumbnail->row);
    int x = grid_at(&layout->columns.at, thumbnail->column) + layout->columns.gap;
    int room = beside ? box - layout->id_width - 1 : box, widest = value_width(scene, beside);
    room = room < widest ? room : widest;
    int width = beside ? layout->id_width + 1 + room : sorted ? layout->id_width : room;
    int end = x + (box - width) / 2 + width, last = y + layout->text_rows - 1;
    if (layout->text_rows == 0)
        return;
    if (thumbnail->cursor)
        draw_text_edge(canvas, layout, thumbnail, end - width, end);
    thumbnail_draw_metric(scene, canvas, last, end, room, thumbnail);
    if (sorted) {
        char name[48];
        struct style style =
            thumbnail->cursor ? text_style() : model_view_number_style(false, thumbnail->on);
        snprintf(name, sizeof name, "%zu:%zu", thumbnail->layer, thumbnail->head);
        canvas_text_right(canvas, y, beside ? end - room - 1 : end, layout->id_width, style, name);
    }
}

/* ---- Pictures ---- */

static enum status thumbnail_draw_lines(const struct picture *picture, struct canvas *canvas,
                                        const struct thumbnail *thumbnail, struct error *error)
{
    const struct model_view_layout *layout = picture->layout;
    struct area area = cells_of(layout, thumbnail->row, thumbnail->column);
    struct thumbnail_lines lines = {.head = thumbnail->head, .on = thumbnail->on};
    area.rows -= layout->text_rows;
    lines.edges = thumbnails_edges(picture->store, thumbnail->layer, thumbnail->head, &lines.count);
    return thumbnail_lines_draw(picture->scene, canvas, area, &lines, error);
}

static void thumbnail_draw_heat(const struct picture *picture, struct canvas *canvas,
                                const struct thumbnail *thumbnail)
{
    const struct model_view_axis *rows = &picture->layout->rows,
                                 *columns = &picture->layout->columns;
    struct heat heat = scene_heat(picture->scene, thumbnail->head);
    heat.rows = rows->dots;
    heat.columns = columns->dots;
    heat_draw(&heat, thumbnails_dots(picture->store, thumbnail->layer, thumbnail->head), canvas,
              grid_at(&rows->at, thumbnail->row) + rows->gap,
              grid_at(&columns->at, thumbnail->column) + columns->gap +
                  (columns->box - columns->dots) / 2);
}

static enum status draw_thumbnail(const struct picture *picture, struct canvas *canvas,
                                  const struct thumbnail *thumbnail, struct error *error)
{
    const struct scene *scene = picture->scene;
    if (scene->look.lined) {
        if (thumbnail_draw_lines(picture, canvas, thumbnail, error) != STATUS_OK)
            return error->status;
    } else {
        thumbnail_draw_heat(picture, canvas, thumbnail);
    }
    (model_view_is_labelled(scene) ? thumbnail_draw_label : thumbnail_draw_text)(
        scene, canvas, picture->layout, thumbnail);
    canvas_mark(canvas, cells_of(picture->layout, thumbnail->row, thumbnail->column), HIT_THUMBNAIL,
                thumbnail->layer * scene->data.head_count + thumbnail->head);
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
static enum status thumbnail_draw_picture(const struct picture *picture, struct canvas *canvas,
                                          struct error *error)
{
    const struct scene *scene = picture->scene;
    const struct model_view_axis *rows = &picture->layout->rows,
                                 *columns = &picture->layout->columns;
    struct thumbnail cursor = {0};
    struct model_view_head heads[MODEL_VIEW_HEADS_MAX];
    enum status status = STATUS_OK;
    model_view_sort(scene, heads);
    const struct token_range *down = &rows->at.shown, *across = &columns->at.shown;
    size_t each = across->end - across->first;
    for (size_t i = 0; i < (down->end - down->first) * each && status == STATUS_OK; i++) {
        size_t row = down->first + i / each, column = across->first + i % each;
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
enum status model_view_draw_grid(const struct scene *scene, struct canvas *canvas,
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
    enum status status = thumbnail_draw_picture(&picture, canvas, error);
    thumbnails_free(own);
    return status;
}
