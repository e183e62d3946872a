/* paper.c: draws the screen for files, and figures for papers. A figure is the view alone, on as
 * many columns of cells as fit its width at the given font size, and as few rows as it needs. What
 * is too wide is refused: nothing is shrunk or cut. */
#include "headlight/export/paper.h"

#include "headlight/base/locale.h"
#include "headlight/base/near.h"
#include "headlight/base/size.h"
#include "headlight/session/overlay.h"
#include "headlight/session/screen.h"

#include <langinfo.h>
#include <string.h>

#define ROWS_LEAST 4
#define INCH       72.0 /* points, */
#define CENTIMETRE (INCH / 2.54)

/* Draws without what depends on the machine's speed and on the mouse. Files are UTF-8, whatever the
 * locale. */
enum status export_draw(struct session *session, struct canvas *canvas, struct error *error)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    locale_t other = utf8 ? (locale_t)0 : newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = other ? uselocale(other) : (locale_t)0;
    session->for_file = true;
    enum status status = screen_draw(session, canvas, error);
    session->for_file = false;
    if (other) {
        uselocale(before);
        freelocale(other);
    }
    return status;
}

/* Colours are left out if the format, the user or the theme has none; keys are left out of figures
 * for a paper. */
enum status paper_draw_screen(const struct output *output, unsigned needs, int columns, int rows,
                              struct canvas **out, struct error *error)
{
    struct session *session = output->session;
    const struct theme *theme = theme_at(session->state.look.theme);
    bool mono = needs & FORMAT_COLORLESS || output->depth == DEPTH_MONO || theme->mono;
    struct traits traits = {output->ascii ? GLYPHS_ASCII : GLYPHS_BRAILLE, mono};
    struct canvas *canvas = *out = canvas_new(columns, rows, traits);
    if (!canvas)
        return error_set(error, STATUS_MEMORY, "no room for a screen of %d×%d cells", columns,
                         rows);
    bool curves = output->lines == LINES_AUTO || output->lines == LINES_PIXELS;
    canvas->bare = output->paper != NULL;
    canvas->curves = needs & FORMAT_CURVES && curves && !output->ascii &&
                     (canvas->bare || !overlay_covers(session)); /* would be crossed */
    canvas->whole = canvas->curves && (!mono || canvas->bare);
    canvas->lines = output->lines == LINES_BLOCKS ? LINE_QUADRANTS : LINE_BRAILLE;
    const bool still = session->still;
    session->still |= (needs & FORMAT_CURVES) != 0;
    enum status status = export_draw(session, canvas, error);
    session->still = still;
    return status;
}

/* ---- Figures ---- */

double paper_pixel(const struct paper *paper)
{
    return paper->font_size / PAPER_FONT;
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

/* Grows by whatever the picture lacks, rows first, until nothing in it is cut. How high it is
 * doesn't matter; one that had to become wider is refused. */
enum status paper_draw(const struct output *output, struct canvas **canvas, struct error *error)
{
    const struct paper *paper = output->paper;
    const struct scene scene = session_picture(output->session);
    const double column = paper_pixel(paper) * CELL_WIDTH, room = paper->width / column;
    const int given = room < CANVAS_MAX ? int_max((int)(room + 0.001), 1) : CANVAS_MAX;
    int columns = given, rows = ROWS_LEAST;
    struct near views = near_to("");
    for (enum view_kind view = 0; view < VIEW_COUNT; view++)
        if (view_at(view)->figure)
            near_offer(&views, view_name(view));
    if (!scene.view->figure)
        return error_set(error, STATUS_USAGE, "--bare: expected the view %s, found %s",
                         near_names(&views), view_name(scene.look.view));
    for (unsigned lacks = LACKS_ROWS; lacks;) {
        canvas_free(*canvas);
        if (paper_draw_screen(output, FORMAT_CURVES, columns, rows, canvas, error) != STATUS_OK)
            return error->status;
        lacks = (*canvas)->lacks;
        rows += (lacks & LACKS_ROWS) != 0;
        columns += lacks == LACKS_COLUMNS;
        if (int_max(rows, columns) > CANVAS_MAX)
            return error_set(error, STATUS_USAGE,
                             "--bare: expected what has room in %d rows and columns, found more: "
                             "show fewer tokens",
                             CANVAS_MAX);
    }
    if (columns > given)
        return error_set(error, STATUS_USAGE,
                         "--width %.2fin is too narrow: at %gpt this figure needs %.2fin (%.1fcm); "
                         "try a smaller "
                         "--font-size",
                         paper->width / INCH, paper->font_size, columns * column / INCH + 0.005,
                         columns * column / CENTIMETRE + 0.05);
    keep_hues(*canvas);
    return STATUS_OK;
}

/* ---- Its box ---- */

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
        for (int x = 0; x < canvas->columns; x++) {
            const struct cell *cell = canvas_at(canvas, y, x);
            if (strcmp(cell->text, " ") != 0 || cell->style.back.level > 0)
                widen(&box, x * CELL_WIDTH, y * CELL_HEIGHT, CELL_WIDTH, CELL_HEIGHT);
        }
    for (size_t i = 0; i < canvas->field_count; i++) {
        const struct field *field = &canvas->fields[i];
        const int row = field->inks ? CELL_HEIGHT / 2 : CELL_HEIGHT;
        widen(&box, field->area.x * CELL_WIDTH, field->area.y * row,
              field->area.columns * CELL_WIDTH, field->area.rows * row);
    }
    return box;
}
