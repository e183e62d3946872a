/* matrix_stage.c: the matrix view on a projector. Few cells are enough to see who looks at whom;
 * the others are where the cursor goes. */
#include "headlight/view/matrix.h"

#include "headlight/base/size.h"
#include "headlight/view/caption.h"
#include "headlight/view/stage.h"

#define MARGIN 2

/* Letters are as large as windows of so many rows and columns fit into this one. */
#define SCALE_ROWS    24
#define SCALE_COLUMNS 80

/* At least so many cells across find room beside the labels, unless labels would be narrower than
 * LABEL columns (of letters at scale 1). */
#define CELLS_ACROSS 6
#define LABEL        16
#define CELLS_LEAST  2
#define GAP          1  /* columns between two labels */
#define NUMBER       14 /* columns of "0.42" with a gap, at scale 1 */

/* The widest label of a side in letters, from `least` to `most` columns. */
static int widest_label(const struct matrix_sheet *sheet, enum side side, int least, int most)
{
    const struct token_range tokens = scene_range(sheet->scene, side);
    for (size_t token = tokens.first; token < tokens.end; token++) {
        const int width =
            sheet->scale * letters_columns(scene_name(sheet->scene, side, token, false).text);
        least = int_max(least, width);
    }
    return int_min(least, most);
}

/* False where not even CELLS_LEAST rows and columns would be shown. */
static bool lay_out_large(struct matrix_sheet *sheet)
{
    const struct look *look = &sheet->scene->look;
    struct area *area = &sheet->area;
    struct grid *grid = &sheet->grid;
    const int scale = int_min(area->rows / SCALE_ROWS, area->columns / SCALE_COLUMNS);
    sheet->scale = int_max(scale, 1);
    const int letters = sheet->scale * LETTERS_ROWS,
              most = int_max(area->columns / CELLS_ACROSS, sheet->scale * LABEL);
    int rows = area->rows - 1 - letters;
    grid->aside = 1;
    grid->label_rows = letters;
    grid->label_width = widest_label(sheet, SIDE_LEFT, 4, most * 4 / 3);
    const int x = area->x + MARGIN + grid->label_width + grid->aside + 1;
    const int room = area->x + area->columns - MARGIN - x;
    const int width = widest_label(sheet, SIDE_RIGHT, sheet->scale * NUMBER, most) + GAP;
    grid->cell = (struct grid_cell){int_max(room / int_max(room / width, 1), width),
                                    letters + (rows > 3 * letters + 3)};
    if (rows % grid->cell.rows > 0) { /* a blank row at the top */
        area->y++;
        area->rows--;
        rows--;
    }
    grid->row = grid_axis(scene_range(sheet->scene, SIDE_LEFT), 0, area->y + letters, rows,
                          grid->cell.rows, look->from);
    grid->column =
        grid_axis(scene_range(sheet->scene, SIDE_RIGHT), 0, x, room, grid->cell.columns, look->to);
    return rows >= CELLS_LEAST * letters;
}

/* A name without its place where both don't fit: "flies" rather than "fli…". */
static struct token_name large_name(const struct matrix_sheet *sheet, enum side side, size_t token,
                                    int columns)
{
    const struct token_name name = scene_name(sheet->scene, side, token, false);
    return sheet->scale * letters_columns(name.text) <= columns
               ? name
               : scene_drawn(sheet->scene, side, token);
}

/* The cursor's are on its ground. */
static void draw_large_labels(const struct matrix_sheet *sheet, enum side side)
{
    const struct grid *grid = &sheet->grid;
    const struct grid_axis *axis = side == SIDE_LEFT ? &grid->row : &grid->column;
    for (size_t token = axis->shown.first; token < axis->shown.end; token++) {
        const int at = grid_at(axis, token);
        struct area place = {sheet->area.y, at, grid->label_rows, grid->cell.columns - GAP};
        if (side == SIDE_LEFT)
            place = (struct area){at + (grid->cell.rows - grid->label_rows + 1) / 2,
                                  sheet->area.x + MARGIN, grid->label_rows, grid->label_width};
        const struct style style = scene_label_style(sheet->scene, side, token, ROLE_TEXT);
        canvas_mark(sheet->canvas, place, side == SIDE_LEFT ? HIT_FROM : HIT_TO, token);
        canvas_fill(sheet->canvas, place, style);
        stage_word(sheet->canvas, place.y, place.x, place.columns, sheet->scale, style,
                   large_name(sheet, side, token, place.columns).text);
    }
}

bool matrix_draw_large(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct scene around = *scene;
    struct edge edge;
    if (canvas_ascii(canvas) || !scene_current_edge(scene, &edge))
        return false;
    around.look.from = edge.from;
    around.look.to = edge.to;
    struct matrix_sheet sheet = matrix_sheet(&around, canvas, area);
    if (!lay_out_large(&sheet))
        return false;
    matrix_draw_map(&sheet);
    draw_large_labels(&sheet, SIDE_LEFT);
    draw_large_labels(&sheet, SIDE_RIGHT);
    grid_draw_more(&sheet.grid, canvas);
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + MARGIN,
                      area.x + area.columns - MARGIN};
    pen.end = caption_place_right(scene, &pen);
    pen_print(&pen, style_bold(ROLE_TEXT), "rows look at columns");
    return true;
}
