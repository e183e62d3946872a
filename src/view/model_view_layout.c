#include "headlight/view/model_view_layout.h"

#include "headlight/base/size.h"
#include "headlight/draw/heat.h"
#include "headlight/view/model_view_label.h"
#include "headlight/view/model_view_order.h"

#define ENLARGED_FROM  100 /* columns from which the cursor's head is enlarged */
#define ENLARGED_MIN   40
#define LINES_ROWS_MIN 2 /* of a thumbnail of lines */
#define VALUE_MIN      3 /* ".86" */

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
    struct model_view_axis axis = {.cursor = wish->cursor, .start = wish->start, .gap = wish->gap};
    if (wish->odd && box % 2 == 0)
        box--;
    axis.dots = wish->whole ? box : model_view_fit_dots(wish->range, box);
    axis.box = at_least(axis.dots, wish->least < box ? wish->least : box);
    if (wish->odd)
        axis.box |= 1;
    axis.pitch = axis.box + around;
    axis.shown = size_min(wish->count, (size_t)at_least(room / axis.pitch, 1));
    size_t half = axis.shown / 2;
    axis.first = wish->cursor < half ? 0 : size_min(wish->cursor - half, wish->count - axis.shown);
    return axis;
}

int model_view_axis_at(const struct model_view_axis *axis, size_t index)
{
    return axis->start + (int)(index - axis->first) * axis->pitch;
}

int model_view_digits(size_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

int model_view_text_y(const struct model_view_layout *layout, size_t row)
{
    const struct model_view_axis *rows = &layout->rows;
    return (model_view_axis_at(rows, row) + rows->gap + rows->box) / layout->per_row;
}

struct area model_view_cells(const struct model_view_layout *layout, size_t row, size_t column)
{
    const struct model_view_axis *rows = &layout->rows, *columns = &layout->columns;
    int top = (model_view_axis_at(rows, row) + rows->gap) / layout->per_row;
    int end = (model_view_axis_at(rows, row) + rows->gap + rows->box + layout->per_row - 1) /
              layout->per_row;
    return (struct area){top, model_view_axis_at(columns, column) + columns->gap,
                         end + layout->text_rows - top, columns->box};
}

/* Where the grid is sorted, ranks take the place of layers at the left. */
static struct model_view_axis place_columns(const struct scene *scene, struct area area,
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
static struct model_view_axis place_rows(const struct scene *scene,
                                         const struct model_view_layout *layout, struct area area,
                                         size_t cursor)
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
    layout.columns =
        place_columns(scene, area, layout.grid.columns, place % scene->data.head_count, least);
    layout.text_rows = count_text_rows(scene, &layout);
    layout.rows = place_rows(scene, &layout, area, place / scene->data.head_count);
    int x = model_view_axis_at(&layout.columns, layout.columns.first + layout.columns.shown) + 3;
    if (area.columns >= ENLARGED_FROM)
        layout.enlarged = (struct area){area.y, x, area.rows - 2, area.x + area.columns - 2 - x};
    return layout;
}
