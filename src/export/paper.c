/* paper.c: a picture for a paper. The view alone is drawn on as many columns of cells as there is
 * room for in type of the wanted size, and on as few rows as it needs. What is too wide is refused:
 * type is never made smaller, and nothing is cut. */
#include "headlight/export/paper.h"

#include "headlight/base/size.h"
#include "headlight/session/session.h"
#include "headlight/view/views.h"

#include <string.h>

#define ROWS_LEAST 4
#define INCH       72.0 /* points, */
#define CENTIMETRE (INCH / 2.54)

double paper_pixel(const struct paper *paper)
{
    return paper->font_size / PAPER_FONT;
}

/* Draws on a new canvas in the place of the last. */
static enum status redraw(const struct output *output, int columns, int rows,
                          struct canvas **canvas, struct error *error)
{
    canvas_free(*canvas);
    return export_draw(output, FORMAT_SVG, columns, rows, canvas, error);
}

/* Nothing is darker than its hue, as the legend has it. */
static void keep_hues(struct canvas *canvas)
{
    for (int i = 0; i < canvas->rows * canvas->columns; i++) {
        struct ink *ink = &canvas->cells[i].style.fore;
        ink->level = ink->level > STYLE_FULL ? STYLE_FULL : ink->level;
    }
    for (size_t i = 0; i < canvas->field_count; i++)
        for (size_t j = 0; j < canvas->fields[i].count; j++) {
            struct ink *ink = &canvas->fields[i].strokes[j].ink;
            ink->level = ink->level > STYLE_FULL ? STYLE_FULL : ink->level;
        }
}

/* How wide a picture is whose columns are not enough. */
static enum status refuse(const struct output *output, int columns, struct canvas **canvas,
                          struct error *error)
{
    const struct paper *paper = output->paper;
    const double column = paper_pixel(paper) * CELL_WIDTH;
    while (++columns <= CANVAS_MAX &&
           redraw(output, columns, CANVAS_MAX, canvas, error) == STATUS_OK &&
           (*canvas)->lacks & LACKS_COLUMNS)
        ;
    if (!*canvas)
        return error->status;
    return error_set(error, STATUS_USAGE,
                     "--width %.2fin: expected %.2fin (%.1fcm), which this figure needs in type of "
                     "%gpt: nothing in it is cut",
                     paper->width / INCH, columns * column / INCH + 0.005,
                     columns * column / CENTIMETRE + 0.05, paper->font_size);
}

enum status paper_draw(const struct output *output, struct canvas **canvas, struct error *error)
{
    const struct paper *paper = output->paper;
    const struct scene scene = session_picture(output->session);
    const double room = paper->width / (paper_pixel(paper) * CELL_WIDTH);
    const int columns = room < CANVAS_MAX ? int_max((int)(room + 0.001), 1) : CANVAS_MAX;
    char views[96];
    view_list(SHOWN_BARE, views, sizeof views);
    if (!(scene.view->shown & SHOWN_BARE))
        return error_set(error, STATUS_USAGE, "--bare: expected the view %s, found %s", views,
                         view_name(scene.look.view));
    if (redraw(output, columns, CANVAS_MAX, canvas, error) != STATUS_OK)
        return error->status;
    if ((*canvas)->lacks & LACKS_COLUMNS)
        return refuse(output, columns, canvas, error);
    for (int rows = ROWS_LEAST; rows <= CANVAS_MAX; rows++) {
        if (redraw(output, columns, rows, canvas, error) != STATUS_OK)
            return error->status;
        if (!(*canvas)->lacks)
            break;
    }
    keep_hues(*canvas);
    return STATUS_OK;
}

/* ---- Its box ---- */

static bool has_ink(const struct cell *cell)
{
    return strcmp(cell->text, " ") != 0 || cell->style.back.level > 0;
}

static void widen(struct paper_box *box, int x, int y, int width, int height)
{
    box->left = int_min(box->left, x);
    box->top = int_min(box->top, y);
    box->right = int_max(box->right, x + width);
    box->bottom = int_max(box->bottom, y + height);
}

/* Braille is drawn as the curves that are kept besides. */
struct paper_box paper_box(const struct canvas *canvas)
{
    struct paper_box box = {canvas->columns * CELL_WIDTH, canvas->rows * CELL_HEIGHT, 0, 0};
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++)
            if (has_ink(canvas_at(canvas, y, x)))
                widen(&box, x * CELL_WIDTH, y * CELL_HEIGHT, CELL_WIDTH, CELL_HEIGHT);
    for (size_t i = 0; i < canvas->field_count; i++) {
        const struct field *field = &canvas->fields[i];
        const int row = field->inks ? CELL_HEIGHT / 2 : CELL_HEIGHT;
        widen(&box, field->area.x * CELL_WIDTH, field->area.y * row,
              field->area.columns * CELL_WIDTH, field->area.rows * row);
    }
    return box;
}
