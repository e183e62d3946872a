/* matrix_map.c: the map of the matrix view: the cells of one head with the tokens of its rows and
 * columns around them. The largest cells that all fit are chosen; where none do, the smallest
 * scroll with the cursor, (look.from, look.to), on both axes. */
#include "headlight/view/matrix.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"

#include <math.h>
#include <string.h>

#define NUMBER_COLUMNS 5 /* the narrowest cell that holds ".42" between two brackets */
#define SPARED_FROM    4 /* rows; of more one is spared */

/* ---- Where it stands ---- */

/* Rows that the column labels get when written downwards. */
static int matrix_tallest_label(const struct scene *scene, const struct canvas *canvas,
                                struct area area)
{
    struct token_range range = scene_range(scene, SIDE_RIGHT);
    int tallest = 1, limit = area.rows / 4 < GRID_LABEL_ROWS ? area.rows / 4 : GRID_LABEL_ROWS;
    for (size_t token = range.first; token < range.end && tallest < limit; token++) {
        int rows = grid_upright_rows(canvas, scene_drawn(scene, SIDE_RIGHT, token).text);
        tallest = rows > tallest ? rows : tallest;
    }
    return tallest < limit ? tallest : limit;
}

static bool has_parts(const struct scene *scene, enum side side)
{
    struct token_range range = scene_range(scene, side);
    size_t boundary = scene_boundary(scene, side);
    return range.first < boundary && boundary < range.end;
}

static struct grid_room room_for(const struct scene *scene, const struct canvas *canvas,
                                 struct area area, int label_width)
{
    struct token_range from = scene_range(scene, SIDE_LEFT), to = scene_range(scene, SIDE_RIGHT);
    return (struct grid_room){.columns = area.columns - label_width - 8,
                              .rows = area.rows - (area.rows > MATRIX_LEGEND_ROWS ? 2 : 1),
                              .across = to.end - to.first,
                              .down = from.end - from.first,
                              .across_parts = has_parts(scene, SIDE_RIGHT),
                              .down_parts = has_parts(scene, SIDE_LEFT),
                              .widest = scene_label_width(scene, canvas, CANVAS_MAX),
                              .tallest = matrix_tallest_label(scene, canvas, area),
                              .upright_below = 7};
}

/* Cells that fit are centred across; a spare row goes above, for the names of the sentences and of
 * the cursor's column; where the rows scroll, one is spared. */
static struct grid matrix_lay_out(const struct scene *scene, const struct canvas *canvas,
                                  struct area area)
{
    static const struct grid_cell sizes[] = {{12, 6}, {10, 5}, {8, 4}, {8, 3}, {6, 3},
                                             {7, 2},  {5, 2},  {4, 2}, {5, 1}, {2, 1}};
    struct grid grid = {
        .label_width = scene_label_width(scene, canvas, area.columns >= 110 ? 20 : 10), .aside = 2};
    const struct grid_room room = room_for(scene, canvas, area, grid.label_width);
    grid_choose(&grid, &room, sizes, sizeof sizes / sizeof *sizes);
    size_t across = room.across * (size_t)grid.cell.columns + room.across_parts;
    size_t down = room.down * (size_t)grid.cell.rows + room.down_parts;
    int rows = room.rows - grid.label_rows, shift = 0, above = 0;
    if (room.columns > 0 && across < (size_t)room.columns)
        shift = (room.columns - (int)across) / 2;
    if ((rows > 0 && down < (size_t)rows) || (rows > SPARED_FROM && down > (size_t)rows))
        above = 1;
    grid.row = grid_axis(scene_range(scene, SIDE_LEFT), scene_boundary(scene, SIDE_LEFT),
                         area.y + grid.label_rows + above, rows - above, grid.cell.rows,
                         scene_anchor(scene, SIDE_LEFT, SIDE_LEFT));
    grid.column = grid_axis(scene_range(scene, SIDE_RIGHT), scene_boundary(scene, SIDE_RIGHT),
                            area.x + 6 + grid.label_width + shift, room.columns, grid.cell.columns,
                            scene_anchor(scene, SIDE_RIGHT, SIDE_RIGHT));
    return grid;
}

/* ---- Weights ---- */

const float *matrix_weights(const struct scene *scene, size_t from)
{
    const struct data *data = &scene->data;
    if (data->mean)
        return attention_row(data->mean, 0, 0, from);
    return attention_row(data->attention, scene->look.layer,
                         scene_is_single(scene) ? 0 : scene->look.head, from);
}

float matrix_largest(const struct scene *scene)
{
    struct token_range from = scene_range(scene, SIDE_LEFT), to = scene_range(scene, SIDE_RIGHT);
    float largest = 0;
    for (size_t i = from.first; i < from.end && to.first < to.end; i++)
        largest =
            fmaxf(largest, edge_largest(matrix_weights(scene, i) + to.first, to.end - to.first));
    return largest;
}

/* A row, and the weight that has the full shade: the row's largest or the map's. */
struct row {
    const float *weights;
    float full;
};

static struct row matrix_row(const struct scene *scene, float largest, size_t from)
{
    struct row row = {matrix_weights(scene, from), largest};
    if (scene->look.tone == TONE_ROW)
        row.full = edge_largest(row.weights, scene_count(scene, SIDE_RIGHT));
    return row;
}

/* A cell's shade, in thousandths. */
static unsigned matrix_shade(const struct scene *scene, const struct row *row, size_t to)
{
    float share = row->full > 0 ? row->weights[to] / row->full : 0;
    return edge_shade(scene->look.tone, share, 1);
}

/* ---- Cells ---- */

/* An empty cell in the row or the column of the cursor: a grey ground, or a thin line. */
static void draw_crossing(struct canvas *canvas, struct area cell, bool across)
{
    struct style style = grid_blank(canvas, cell, true);
    int middle = (cell.columns - 1) / 2, y = cell.y + (cell.rows - 1) / 2;
    bool lined = grid_by_glyph(canvas);
    for (int x = 0; x < cell.columns && lined && across; x++)
        canvas_text(canvas, y, cell.x + x, 1, style, "─");
    for (y = cell.y; y < cell.y + cell.rows && lined && !across; y++)
        canvas_text(canvas, y, cell.x + middle, 1, style, "│");
}

/* On whatever ground the cell has. */
static void draw_cut(struct canvas *canvas, struct area cell)
{
    const struct cell *place =
        canvas_at(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - 1) / 2);
    struct style style = style_of(ROLE_WARNING);
    if (place)
        style.back = place->style.back;
    grid_write(canvas, cell, style, "×");
}

/* As many digits as the cell has room for: ".42", "0.42", "0.417". */
static void matrix_draw_number(const struct scene *scene, struct canvas *canvas, struct area cell,
                               struct style style, size_t from, size_t to)
{
    struct edge edge = {
        .from = (uint32_t)from, .to = (uint32_t)to, .head = (uint16_t)scene->look.head};
    int columns = cell.columns >= 8 ? 5 : cell.columns >= 6 ? 4 : 3;
    edge.weight = (uint16_t)edge_thousandths(scene_weight(scene, edge.head, from, to));
    struct weight_text number = scene_number_in(scene, &edge, columns);
    if ((int)strlen(number.text) < cell.columns)
        grid_write(canvas, cell, style, number.text);
}

static struct ink matrix_hue(const struct scene *scene, size_t from, size_t to)
{
    return scene_weight_ink(scene, scene->look.head, from, to, STYLE_FULL);
}

/* In the cursor's row and column numbers are bold, and cells without room for one have a dot. */
static void matrix_draw_cell(const struct scene *scene, struct canvas *canvas,
                             const struct grid *grid, const struct row *row, size_t from, size_t to)
{
    struct area cell = grid_cell(grid, from, to);
    unsigned shade = matrix_shade(scene, row, to);
    bool crossing = from == scene->look.from || to == scene->look.to;
    canvas_mark(canvas, cell, HIT_CELL, from * scene_count(scene, SIDE_RIGHT) + to);
    if (grid_level(shade) == 0) {
        if (crossing)
            draw_crossing(canvas, cell, from == scene->look.from);
        if (scene_is_cut(scene, scene->look.head, from, to))
            draw_cut(canvas, cell);
        return;
    }
    struct style style = grid_fill(canvas, cell, matrix_hue(scene, from, to), shade, crossing);
    if (cell.columns >= NUMBER_COLUMNS)
        matrix_draw_number(scene, canvas, cell, style, from, to);
    else if (crossing && !grid_by_glyph(canvas))
        grid_write(canvas, cell, style, "·");
}

static void matrix_draw_cells(const struct scene *scene, struct canvas *canvas,
                              const struct grid *grid, float largest)
{
    for (size_t from = grid->row.shown.first; from < grid->row.shown.end; from++) {
        const struct row row = matrix_row(scene, largest, from);
        for (size_t to = grid->column.shown.first; to < grid->column.shown.end; to++)
            matrix_draw_cell(scene, canvas, grid, &row, from, to);
    }
}

/* Brackets, or the corners of a frame, around the chosen cell. Where the cell is too narrow for
 * brackets beside its glyphs, they go on its neighbours. */
static void matrix_draw_mark(const struct scene *scene, struct canvas *canvas,
                             const struct grid *grid, float largest)
{
    size_t from = scene->look.from, to = scene->look.to;
    if (!grid_shows(&grid->row, from) || !grid_shows(&grid->column, to))
        return;
    struct area cell = grid_cell(grid, from, to);
    int out = grid_by_glyph(canvas) && cell.columns < NUMBER_COLUMNS;
    struct style style = style_bold(ROLE_STRONG);
    if (!grid_by_glyph(canvas)) {
        style.back = GRID_CROSSING;
        const struct row row = matrix_row(scene, largest, from);
        unsigned shade = matrix_shade(scene, &row, to);
        if (grid_level(shade) > 0)
            style = grid_style(canvas, matrix_hue(scene, from, to), shade, true);
    }
    for (int i = 0; i < cell.rows; i++) {
        bool framed = cell.rows > 2, top = i == 0, bottom = i == cell.rows - 1;
        const char *left = !framed ? "[" : top ? "┌" : bottom ? "└" : "│";
        const char *right = !framed ? "]" : top ? "┐" : bottom ? "┘" : "│";
        canvas_text(canvas, cell.y + i, cell.x - out, 1, style, left);
        canvas_text(canvas, cell.y + i, cell.x + cell.columns - 1 + out, 1, style, right);
    }
}

/* A faint line between two sentences. */
static void draw_boundary(struct canvas *canvas, const struct grid *grid)
{
    struct style style = {.fore = {ROLE_FAINT, 9}, .back = {ROLE_GROUND, 0}};
    const struct grid_axis *row = &grid->row, *column = &grid->column;
    if (row->boundary > 0)
        for (int x = column->origin; x < grid_stop(column); x++)
            canvas_text(canvas, grid_at(row, row->boundary) - 1, x, 1, style, "─");
    if (column->boundary > 0)
        for (int y = row->origin; y < grid_stop(row); y++)
            canvas_text(canvas, y, grid_at(column, column->boundary) - 1, 1, style, "│");
}

/* ---- Labels ---- */

/* Both chosen tokens are the cursor's. Where one is chosen, the other side's labels are faint if
 * their cells are light. */
static struct grid_label matrix_label(const void *context, enum side side, size_t token)
{
    const struct scene *scene = context;
    size_t other = scene_token(scene, side_other(side));
    size_t from = side == SIDE_LEFT ? token : other, to = side == SIDE_LEFT ? other : token;
    bool faint = other != NO_TOKEN &&
                 edge_thousandths(scene_weight(scene, scene->look.head, from, to)) < GRID_NOTABLE;
    bool chosen = token == scene_token(scene, side);
    struct style style = scene_label_style(scene, side, token, faint ? ROLE_FAINT : ROLE_TEXT);
    if (chosen)
        style.back = ink_full(ROLE_CURSOR);
    return (struct grid_label){scene_drawn(scene, side, token), style, token, chosen};
}

/* "A" and "B" at the first token of each sentence: beside the rows, and above the columns where
 * there is a row for them. */
static void matrix_draw_sentences(const struct scene *scene, struct canvas *canvas,
                                  const struct grid *grid, struct area area)
{
    const size_t row[] = {0, scene_boundary(scene, SIDE_LEFT)};
    const size_t column[] = {0, scene_boundary(scene, SIDE_RIGHT)};
    int x = grid->column.origin - grid->label_width - 5;
    int y = grid->row.origin - grid->label_rows - 1;
    struct style style = style_bold(ROLE_FAINT);
    for (int i = 0; i < 2 && scene_is_pair(scene); i++) {
        const char *name = i == 0 ? "A" : "B";
        bool first = i == 0 && row[1] > 0, above = i == 0 && column[1] > 0;
        if ((first || i == 1) && grid_shows(&grid->row, row[i]))
            canvas_text(canvas, grid_at(&grid->row, row[i]) + (grid->cell.rows - 1) / 2, x, 1,
                        style, name);
        if ((above || i == 1) && grid_shows(&grid->column, column[i]) && y >= area.y &&
            column[i] != scene->look.to)
            canvas_text(canvas, y, grid_at(&grid->column, column[i]) + (grid->cell.columns - 1) / 2,
                        1, style, name);
    }
}

static bool matrix_is_cut(const struct canvas *canvas, const struct grid *grid, const char *label)
{
    if (grid->upright)
        return grid_upright_rows(canvas, label) > grid->label_rows;
    return (int)text_width(label, canvas_ascii(canvas)) > grid->cell.columns - 1;
}

/* Where the label of the cursor's column is cut, the whole of it beside the mark above it; where no
 * row is left for the mark, in the corner. */
static void draw_whole_label(const struct scene *scene, struct canvas *canvas,
                             const struct grid *grid, struct area area)
{
    size_t to = scene->look.to;
    int y = grid->row.origin - grid->label_rows - 1, corner = grid->column.origin - 1;
    struct style style = style_bold(ROLE_STRONG);
    char text[512];
    if (!grid_shows(&grid->column, to) ||
        !matrix_is_cut(canvas, grid, scene_drawn(scene, SIDE_RIGHT, to).text))
        return;
    format_cut(text, sizeof text, " ▾ %s ", scene_drawn(scene, SIDE_RIGHT, to).text);
    int x = grid_at(&grid->column, to) + (grid->cell.columns - 1) / 2 - 1;
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
static void draw_direction(struct canvas *canvas, const struct grid *grid, struct area area)
{
    int end = grid->column.origin - 2, room = end - area.x, y = grid->row.origin - 1;
    struct style style = style_of(ROLE_FAINT);
    bool one = room >= (int)strlen("attends to >");
    if (!one && grid->label_rows > 1)
        canvas_text_right(canvas, y - 1, end, room, style, "attends");
    canvas_text_right(canvas, y, end, room, style, one ? "attends to →" : "to →");
}

void matrix_draw_map(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct grid grid = matrix_lay_out(scene, canvas, area);
    float largest = matrix_largest(scene);
    matrix_draw_cells(scene, canvas, &grid, largest);
    draw_boundary(canvas, &grid);
    matrix_draw_mark(scene, canvas, &grid, largest);
    grid_draw_labels(&grid, canvas, area.y, true, matrix_label, scene);
    matrix_draw_sentences(scene, canvas, &grid, area);
    draw_direction(canvas, &grid, area);
    draw_whole_label(scene, canvas, &grid, area);
    grid_draw_more(&grid, canvas);
}
