#include "headlight/view/matrix_layout.h"

#include "headlight/base/size.h"

#include <string.h>

#define LABEL_ROWS_MAX 8
#define SPARED_FROM    4 /* rows; of more one is spared */

/* Places a range of tokens in `room` characters. */
static struct axis axis_place(struct token_range range, size_t boundary, int origin, int room,
                              int size, size_t anchor)
{
    bool gap = range.first < boundary && boundary < range.end;
    int cells = (room - gap) / size;
    struct axis axis = {.origin = origin, .size = size};
    axis.column = column_place(range, cells, 1, anchor);
    axis.first = range.first + axis.column.scroll;
    axis.end = size_min(range.end, axis.first + (size_t)(cells > 0 ? cells : 0));
    if (gap && axis.first < boundary && boundary < axis.end)
        axis.boundary = boundary;
    return axis;
}

int axis_at(const struct axis *axis, size_t token)
{
    int gap = axis->boundary > 0 && token >= axis->boundary;
    return axis->origin + column_row(&axis->column, token) * axis->size + gap;
}

bool axis_shows(const struct axis *axis, size_t token)
{
    return token >= axis->first && token < axis->end;
}

int axis_stop(const struct axis *axis)
{
    return axis->end > axis->first ? axis_at(axis, axis->end - 1) + axis->size : axis->origin;
}

int upright_next(struct text_reader *reader, bool first, struct glyph piece[2])
{
    struct text_reader ahead;
    if (!text_next(reader, &piece[0]))
        return 0;
    ahead = *reader;
    if (first && strcmp(piece[0].text, "#") == 0 && text_next(&ahead, &piece[1]) &&
        strcmp(piece[1].text, "#") == 0) {
        *reader = ahead;
        return 2;
    }
    return piece[0].width;
}

int upright_rows(const struct canvas *canvas, const char *label)
{
    struct text_reader reader = text_reader(label, strlen(label), canvas_ascii(canvas));
    struct glyph piece[2];
    int rows = 0;
    while (upright_next(&reader, rows == 0, piece))
        rows++;
    return rows;
}

/* Rows that the column labels get when written downwards. */
static int tallest_label(const struct scene *scene, const struct canvas *canvas, struct area area)
{
    struct token_range range = scene_range(scene, SIDE_RIGHT);
    int tallest = 1, limit = area.rows / 4;
    for (size_t token = range.first; token < range.end && tallest < limit; token++) {
        int rows = upright_rows(canvas, scene_drawn(scene, SIDE_RIGHT, token).text);
        if (rows > tallest)
            tallest = rows;
    }
    if (limit > LABEL_ROWS_MAX)
        limit = LABEL_ROWS_MAX;
    return tallest < limit ? tallest : limit;
}

/* The room for cells beside the labels. */
static struct cell_size room_for(const struct matrix_layout *layout, struct area area,
                                 int label_rows)
{
    int below = area.rows > 12 ? 2 : 1; /* the line of numbers, the scale above it */
    return (struct cell_size){area.columns - layout->label_width - 8,
                              area.rows - label_rows - below};
}

/* Columns or rows that a whole range takes in cells of a size. */
static size_t extent(const struct scene *scene, enum side side, int size)
{
    struct token_range range = scene_range(scene, side);
    size_t boundary = scene_boundary(scene, side);
    bool gap = range.first < boundary && boundary < range.end;
    return (range.end - range.first) * (size_t)size + gap;
}

/* The largest cells that all fit, or else the smallest. Returns the room for them. */
static struct cell_size choose_cell(const struct scene *scene, const struct canvas *canvas,
                                    struct matrix_layout *layout, struct area area)
{
    static const struct cell_size sizes[] = {{12, 6}, {10, 5}, {8, 4}, {8, 3}, {6, 3},
                                             {7, 2},  {5, 2},  {4, 2}, {5, 1}, {2, 1}};
    int widest = scene_label_width(scene, canvas, CANVAS_MAX);
    int tallest = tallest_label(scene, canvas, area);
    struct cell_size room = {0, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        layout->cell = sizes[i];
        layout->upright = sizes[i].columns < 7 && widest >= sizes[i].columns;
        layout->label_rows = layout->upright ? tallest : 1;
        room = room_for(layout, area, layout->label_rows);
        if (room.columns > 0 && room.rows > 0 &&
            extent(scene, SIDE_LEFT, sizes[i].rows) <= (size_t)room.rows &&
            extent(scene, SIDE_RIGHT, sizes[i].columns) <= (size_t)room.columns)
            break;
    }
    return room;
}

/* Cells that fit are centred across; a spare row goes above, for the names of the sentences and of
 * the cursor's column; where the rows scroll, one is spared. */
struct matrix_layout matrix_lay_out(const struct scene *scene, const struct canvas *canvas,
                                    struct area area)
{
    struct matrix_layout layout = {
        .label_width = scene_label_width(scene, canvas, area.columns >= 110 ? 20 : 10)};
    struct cell_size room = choose_cell(scene, canvas, &layout, area), shift = {0, 0};
    size_t columns = extent(scene, SIDE_RIGHT, layout.cell.columns);
    size_t rows = extent(scene, SIDE_LEFT, layout.cell.rows);
    if (room.columns > 0 && columns < (size_t)room.columns)
        shift.columns = (room.columns - (int)columns) / 2;
    if ((room.rows > 0 && rows < (size_t)room.rows) ||
        (room.rows > SPARED_FROM && rows > (size_t)room.rows))
        shift.rows = 1;
    layout.row = axis_place(scene_range(scene, SIDE_LEFT), scene_boundary(scene, SIDE_LEFT),
                            area.y + layout.label_rows + shift.rows, room.rows - shift.rows,
                            layout.cell.rows, scene_anchor(scene, SIDE_LEFT, SIDE_LEFT));
    layout.column = axis_place(scene_range(scene, SIDE_RIGHT), scene_boundary(scene, SIDE_RIGHT),
                               area.x + 6 + layout.label_width + shift.columns, room.columns,
                               layout.cell.columns, scene_anchor(scene, SIDE_RIGHT, SIDE_RIGHT));
    return layout;
}
