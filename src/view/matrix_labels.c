#include "headlight/view/matrix_labels.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"

#include <string.h>

static unsigned weight_of(const struct scene *scene, size_t from, size_t to)
{
    return edge_thousandths(scene_weight(scene, scene->look.head, from, to));
}

/* Both chosen tokens are the cursor's. Where one is chosen, the other side's labels are faint if
 * their cells are light. */
static struct style label_style(const struct scene *scene, enum side side, size_t token)
{
    size_t other = scene_token(scene, side_other(side));
    size_t from = side == SIDE_LEFT ? token : other, to = side == SIDE_LEFT ? other : token;
    bool faint = other != NO_TOKEN && weight_of(scene, from, to) < MATRIX_NOTABLE;
    struct style style = scene_label_style(scene, side, token, faint ? ROLE_FAINT : ROLE_TEXT);
    if (token == scene_token(scene, side))
        style.back = ink_full(ROLE_CURSOR);
    return style;
}

static void draw_row_label(const struct scene *scene, struct canvas *canvas,
                           const struct matrix_layout *layout, size_t token)
{
    int y = axis_at(&layout->row, token) + (layout->cell.rows - 1) / 2;
    int x = canvas_text_right(canvas, y, layout->column.origin - 2, layout->label_width,
                              label_style(scene, SIDE_LEFT, token),
                              scene_drawn(scene, SIDE_LEFT, token).text);
    canvas_mark(canvas, (struct area){y, x, 1, layout->column.origin - 2 - x}, HIT_FROM, token);
    if (token == scene->look.from)
        canvas_text(canvas, y, x - 2, 1, style_bold(ROLE_TITLE), "▸");
}

/* Writes a label downwards, ending above row `end`. Returns its first row. */
static int draw_upright(struct canvas *canvas, int end, int x, int rows_max, struct style style,
                        const char *label)
{
    struct text_reader reader = text_reader(label, strlen(label), canvas_ascii(canvas));
    struct glyph piece[2];
    int rows = upright_rows(canvas, label), columns;
    bool cut = rows > rows_max;
    if (cut)
        rows = rows_max;
    for (int i = 0; i < rows - cut; i++) {
        columns = upright_next(&reader, i == 0, piece);
        canvas_put(canvas, end - rows + i, x, style, &piece[0]);
        if (columns > piece[0].width)
            canvas_put(canvas, end - rows + i, x + 1, style, &piece[1]);
    }
    if (cut)
        canvas_text(canvas, end - 1, x, 1, style, "…");
    return end - rows;
}

static void draw_column_label(const struct scene *scene, struct canvas *canvas,
                              const struct matrix_layout *layout, struct area area, size_t token)
{
    struct style style = label_style(scene, SIDE_RIGHT, token);
    const struct token_name name = scene_drawn(scene, SIDE_RIGHT, token);
    const char *label = name.text;
    int x = axis_at(&layout->column, token), end = layout->row.origin, top = end - 1;
    int middle = x + (layout->cell.columns - 1) / 2;
    if (layout->upright) {
        top = draw_upright(canvas, end, middle, layout->label_rows, style, label);
    } else {
        int width = (int)size_min(text_width(label, canvas_ascii(canvas)),
                                  (size_t)layout->cell.columns - 1);
        canvas_text(canvas, top, x + (layout->cell.columns - width) / 2, width, style, label);
    }
    canvas_mark(canvas, (struct area){top, x, end - top, layout->cell.columns}, HIT_TO, token);
    if (token == scene->look.to && top > area.y)
        canvas_text(canvas, top - 1, middle, 1, style_bold(ROLE_TITLE), "▾");
}

/* "A" and "B" at the first token of each sentence: beside the rows, and above the columns where
 * there is a row for them. */
static void draw_sentences(const struct scene *scene, struct canvas *canvas,
                           const struct matrix_layout *layout, struct area area)
{
    const size_t row[] = {0, scene_boundary(scene, SIDE_LEFT)};
    const size_t column[] = {0, scene_boundary(scene, SIDE_RIGHT)};
    int x = layout->column.origin - layout->label_width - 5;
    int y = layout->row.origin - layout->label_rows - 1;
    struct style style = style_bold(ROLE_FAINT);
    for (int i = 0; i < 2 && scene_is_pair(scene); i++) {
        const char *name = i == 0 ? "A" : "B";
        bool first = i == 0 && row[1] > 0, above = i == 0 && column[1] > 0;
        if ((first || i == 1) && axis_shows(&layout->row, row[i]))
            canvas_text(canvas, axis_at(&layout->row, row[i]) + (layout->cell.rows - 1) / 2, x, 1,
                        style, name);
        if ((above || i == 1) && axis_shows(&layout->column, column[i]) && y >= area.y &&
            column[i] != scene->look.to)
            canvas_text(canvas, y,
                        axis_at(&layout->column, column[i]) + (layout->cell.columns - 1) / 2, 1,
                        style, name);
    }
}

static bool is_cut(const struct canvas *canvas, const struct matrix_layout *layout,
                   const char *label)
{
    if (layout->upright)
        return upright_rows(canvas, label) > layout->label_rows;
    return (int)text_width(label, canvas_ascii(canvas)) > layout->cell.columns - 1;
}

/* Where the label of the cursor's column is cut, the whole of it beside the mark above it; where no
 * row is left for the mark, in the corner. */
static void draw_whole_label(const struct scene *scene, struct canvas *canvas,
                             const struct matrix_layout *layout, struct area area)
{
    size_t to = scene->look.to;
    int y = layout->row.origin - layout->label_rows - 1, corner = layout->column.origin - 1;
    struct style style = style_bold(ROLE_STRONG);
    char text[512];
    if (!axis_shows(&layout->column, to) ||
        !is_cut(canvas, layout, scene_drawn(scene, SIDE_RIGHT, to).text))
        return;
    format_cut(text, sizeof text, " ▾ %s ", scene_drawn(scene, SIDE_RIGHT, to).text);
    int x = axis_at(&layout->column, to) + (layout->cell.columns - 1) / 2 - 1;
    int width = (int)text_width(text, canvas_ascii(canvas)), end = area.x + area.columns;
    if (y < area.y) {
        canvas_fill(canvas, (struct area){area.y, area.x, 1, corner - area.x}, style);
        canvas_text_right(canvas, area.y, corner, corner - area.x, style, text);
    } else if (x + width <= end) {
        canvas_text(canvas, y, x, width, style, text);
    } else {
        format_cut(text, sizeof text, " %s ▾ ", scene_drawn(scene, SIDE_RIGHT, to).text);
        canvas_text_right(canvas, y, x + 3, x + 3 - area.x, style, text);
    }
}

/* "attends to →" at the corner of rows and columns, in two rows where it is too wide for one. */
static void draw_direction(struct canvas *canvas, const struct matrix_layout *layout,
                           struct area area)
{
    int end = layout->column.origin - 2, room = end - area.x, y = layout->row.origin - 1;
    struct style style = style_of(ROLE_FAINT);
    bool one = room >= (int)strlen("attends to >");
    if (!one && layout->label_rows > 1)
        canvas_text_right(canvas, y - 1, end, room, style, "attends");
    canvas_text_right(canvas, y, end, room, style, one ? "attends to →" : "to →");
}

/* Arrows where tokens lie beyond the screen. */
static void draw_more(struct canvas *canvas, const struct matrix_layout *layout)
{
    const struct axis *row = &layout->row, *column = &layout->column;
    struct style style = style_of(ROLE_TITLE);
    if (row->first > row->column.range.first)
        canvas_text(canvas, row->origin, column->origin - 1, 1, style, "↑");
    if (row->end < row->column.range.end)
        canvas_text(canvas, axis_stop(row) - 1, column->origin - 1, 1, style, "↓");
    if (column->first > column->column.range.first)
        canvas_text(canvas, row->origin - 1, column->origin - 1, 1, style, "←");
    if (column->end < column->column.range.end)
        canvas_text(canvas, row->origin - 1, axis_stop(column), 1, style, "→");
}

void matrix_draw_labels(const struct scene *scene, struct canvas *canvas,
                        const struct matrix_layout *layout, struct area area)
{
    for (size_t token = layout->row.first; token < layout->row.end; token++)
        draw_row_label(scene, canvas, layout, token);
    for (size_t token = layout->column.first; token < layout->column.end; token++)
        draw_column_label(scene, canvas, layout, area, token);
    draw_sentences(scene, canvas, layout, area);
    draw_direction(canvas, layout, area);
    draw_whole_label(scene, canvas, layout, area);
    draw_more(canvas, layout);
}
