/* matrix_map.c: the map of the matrix view: the shades of its weights, its cells with their
 * numbers, and the cursor's frame. Where cells stand, and what is around them, is for others. */
#include "headlight/view/matrix.h"

#include "headlight/base/size.h"
#include "headlight/view/sentence.h"

#include <math.h>
#include <string.h>

#define NUMBER_COLUMNS 5 /* the narrowest cell that holds ".42" between two brackets */
#define PALEST         0.02F

/* ---- Weights ---- */

/* A mean, or a map of all heads together, is stored as one head. */
const float *matrix_weights(const struct scene *scene, size_t from)
{
    const struct data *data = &scene->data;
    if (data->mean)
        return attention_row(data->mean, 0, 0, from);
    return attention_row(data->attention, scene->look.layer,
                         scene_is_single(scene) ? 0 : scene->look.head, from);
}

/* Vectors of a text are all alike, and each is most like itself: between 0 and 1 all cells would
 * have one shade. */
bool matrix_shows_similarity(const struct scene *scene)
{
    return !scene->data.mean && scene->data.map->kind == MAP_SIMILARITY;
}

/* Widens them by a row of cosines without the one in the diagonal. */
static void add_cosines(const struct scene *scene, size_t from, struct shades *shades)
{
    const struct token_range to = scene_range(scene, SIDE_RIGHT);
    for (size_t i = to.first; i < to.end; i++) {
        const float value = scene_value(scene, scene->look.head, from, i);
        if (i == from)
            continue;
        shades->least = fminf(shades->least, value);
        shades->largest = fmaxf(shades->largest, value);
    }
}

/* Of what the filter leaves: a heavier weight outside it would make the rest faint. 0 to 0 without
 * tokens. */
static struct shades shades_of(const struct scene *scene, struct token_range from)
{
    const struct token_range to = scene_range(scene, SIDE_RIGHT);
    const bool cosines = matrix_shows_similarity(scene);
    struct shades shades = {cosines ? 1 : 0, cosines ? -1 : 0};
    for (size_t i = from.first; i < from.end && to.first < to.end; i++)
        if (cosines)
            add_cosines(scene, i, &shades);
        else
            shades.largest = fmaxf(shades.largest, edge_largest(matrix_weights(scene, i) + to.first,
                                                                to.end - to.first));
    return shades.least <= shades.largest ? shades : (struct shades){0, 0};
}

/* The shades of a row: its own, or the map's, with which the scale below the map ends. */
static struct shades row_shades(const struct matrix_sheet *sheet, size_t from)
{
    const struct scene *scene = sheet->scene;
    if (scene->look.tone != TONE_ROW)
        return sheet->shades;
    if (matrix_shows_similarity(scene))
        return shades_of(scene, (struct token_range){from, from + 1});
    return (struct shades){
        0, edge_largest(matrix_weights(scene, from), scene_count(scene, SIDE_RIGHT))};
}

/* A cell's shade, in thousandths. A row of zeros has none; the least of cosines, which is not
 * nothing, has the palest. */
static unsigned matrix_shade(const struct matrix_sheet *sheet, const struct edge *edge,
                             struct shades shades)
{
    const struct scene *scene = sheet->scene;
    const float room = shades.largest - shades.least;
    float share = matrix_weights(scene, edge->from)[edge->to];
    if (matrix_shows_similarity(scene))
        share = fmaxf(scene_value(scene, edge->head, edge->from, edge->to) - shades.least,
                      PALEST * room);
    return edge_shade(scene->look.tone, room > 0 ? share / room : 0, 1);
}

/* ---- Cells ---- */

/* An empty cell in the row or the column of the cursor: a grey ground, or a thin line. */
static void draw_crossing(struct canvas *canvas, struct area cell, bool across)
{
    struct style style = grid_blank(canvas, cell, true);
    int middle = cell.x + (cell.columns - 1) / 2, y = cell.y + (cell.rows - 1) / 2;
    if (!grid_by_glyph(canvas))
        return;
    for (int x = cell.x; x < cell.x + cell.columns && across; x++)
        canvas_text(canvas, y, x, 1, style, "─");
    for (y = cell.y; y < cell.y + cell.rows && !across; y++)
        canvas_text(canvas, y, middle, 1, style, "│");
}

/* In the cursor's row and column numbers are bold, and cells without room for one have a dot. */
static void matrix_draw_cell(const struct matrix_sheet *sheet, const struct edge *edge,
                             struct shades shades)
{
    const struct scene *scene = sheet->scene;
    struct canvas *canvas = sheet->canvas;
    struct area cell = grid_cell(&sheet->grid, edge->from, edge->to);
    unsigned shade = matrix_shade(sheet, edge, shades);
    bool across = edge->from == scene->look.from, crossing = across || edge->to == scene->look.to;
    canvas_mark(canvas, cell, HIT_CELL, edge->from * scene_count(scene, SIDE_RIGHT) + edge->to);
    if (grid_level(shade) == 0) {
        if (crossing)
            draw_crossing(canvas, cell, across);
        const struct cell *place =
            canvas_at(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - 1) / 2);
        struct style style = style_of(ROLE_WARNING);
        style.back = place ? place->style.back : style.back;
        if (scene_is_cut(scene, edge->head, edge->from, edge->to))
            grid_write(canvas, cell, style, "×");
        return;
    }
    struct ink hue = scene_edge_ink(scene, edge, STYLE_FULL);
    struct style style = grid_fill(canvas, cell, hue, shade, crossing);
    const int columns = cell.columns >= 8 ? 5 : cell.columns >= 6 ? 4 : 3;
    const struct weight_text number = scene_number_in(scene, edge, columns);
    if (cell.columns >= NUMBER_COLUMNS && (int)strlen(number.text) < cell.columns)
        grid_write(canvas, cell, style, number.text);
    else if (canvas->bare && canvas->traits.mono && scene_signs(scene, canvas))
        grid_write(canvas, cell, style,
                   scene_value(scene, edge->head, edge->from, edge->to) < 0 ? "-" : "+");
    else if (crossing && !grid_by_glyph(canvas))
        grid_write(canvas, cell, style, "·");
}

/* Rows have their own shades for TONE_ROW, so they are measured once a row, not once a cell. */
static void matrix_draw_cells(const struct matrix_sheet *sheet)
{
    const struct token_range *rows = &sheet->grid.row.shown, *columns = &sheet->grid.column.shown;
    for (size_t from = rows->first; from < rows->end; from++) {
        const struct shades shades = row_shades(sheet, from);
        for (size_t to = columns->first; to < columns->end; to++) {
            const struct edge edge = scene_edge(sheet->scene, sheet->scene->look.head, from, to);
            matrix_draw_cell(sheet, &edge, shades);
        }
    }
}

/* ---- The cell to look at ---- */

/* Brackets, or the corners of a frame, around the cell to look at. Where the cell is too narrow for
 * brackets beside its glyphs, they go on its neighbours. */
static void matrix_draw_mark(const struct matrix_sheet *sheet)
{
    struct canvas *canvas = sheet->canvas;
    struct edge edge;
    if (!sentence_names_edge(sheet->scene, &edge) || !grid_shows(&sheet->grid.row, edge.from) ||
        !grid_shows(&sheet->grid.column, edge.to))
        return;
    struct area cell = grid_cell(&sheet->grid, edge.from, edge.to);
    unsigned shade = matrix_shade(sheet, &edge, row_shades(sheet, edge.from));
    int out = grid_by_glyph(canvas) && cell.columns < NUMBER_COLUMNS;
    struct style style = style_bold(ROLE_STRONG);
    if (!grid_by_glyph(canvas) && grid_level(shade) > 0)
        style = grid_style(canvas, scene_edge_ink(sheet->scene, &edge, STYLE_FULL), shade, true);
    else if (!grid_by_glyph(canvas))
        style.back = GRID_CROSSING;
    const bool framed = cell.rows > 2; /* else the row of the number alone has brackets */
    for (int i = 0; i < (framed ? cell.rows : 1); i++) {
        bool top = i == 0, bottom = i == cell.rows - 1;
        const char *left = !framed ? "[" : top ? "┌" : bottom ? "└" : "│";
        const char *right = !framed ? "]" : top ? "┐" : bottom ? "┘" : "│";
        canvas_text(canvas, cell.y + i, cell.x - out, 1, style, left);
        canvas_text(canvas, cell.y + i, cell.x + cell.columns - 1 + out, 1, style, right);
    }
}

/* A faint line in the gap between two sentences; there is a gap only while both are on screen. */
static void draw_boundary(const struct matrix_sheet *sheet)
{
    struct style style = {.fore = {ROLE_FAINT, 9}, .back = {ROLE_GROUND, 0}};
    const struct grid_axis *row = &sheet->grid.row, *column = &sheet->grid.column;
    if (row->boundary > 0)
        for (int x = column->origin; x < grid_stop(column); x++)
            canvas_text(sheet->canvas, grid_at(row, row->boundary) - 1, x, 1, style, "─");
    if (column->boundary > 0)
        for (int y = row->origin; y < grid_stop(row); y++)
            canvas_text(sheet->canvas, y, grid_at(column, column->boundary) - 1, 1, style, "│");
}

/* ---- The whole ---- */

struct matrix_sheet matrix_sheet(const struct scene *scene, struct canvas *canvas, struct area area)
{
    return (struct matrix_sheet){scene, canvas, area,
                                 .shades = shades_of(scene, scene_range(scene, SIDE_LEFT))};
}

void matrix_draw_map(const struct matrix_sheet *sheet)
{
    matrix_draw_cells(sheet);
    draw_boundary(sheet);
    matrix_draw_mark(sheet);
}
