#include "view_helpers.h"

#include "headlight/view/answers.h"
#include "headlight/view/model_view.h"
#include "headlight/view/steps_sheet.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 3

static const struct traits braille = {GLYPHS_BRAILLE, false};

static void draw_as(const struct view *view, const struct scene *scene, struct canvas *canvas,
                    struct area area)
{
    view->draw(scene, canvas, area);
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    const struct view *part = view->part ? view->part(scene) : view;
    if (part->legend)
        part->legend(scene, &pen);
}

#define DRAW(name)                                                                                 \
    void draw_##name(const struct scene *scene, struct canvas *canvas, struct area area)           \
    {                                                                                              \
        draw_as(&name##_view, scene, canvas, area);                                                \
    }
DRAW(head)
DRAW(neuron)
DRAW(matrix)
DRAW(answers)
DRAW(corpus)

/* With thumbnails of its own: whoever draws may have changed the weights since. */
void draw_model(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct scene made = *scene;
    struct error error;
    ck_assert_int_eq(bands_new(&scene->data, NULL, &made.data.bands, &error), STATUS_OK);
    draw_as(&model_view, &made, canvas, area);
    bands_free(made.data.bands);
}

/* Likewise. */
void draw_steps(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct scene made = *scene;
    const struct steps_at at = steps_place(scene);
    struct error error;
    ck_assert_int_eq(steps_new(&at, &made.data.steps, &error), STATUS_OK);
    draw_as(&steps_view, &made, canvas, area);
    free(made.data.steps);
}

struct canvas *view_drawn_as(draw_view *draw, const struct scene *scene, int columns, int rows,
                             struct traits traits)
{
    struct canvas *canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    draw(scene, canvas, canvas_area(canvas));
    ck_assert_int_eq(canvas->error.status, STATUS_OK);
    return canvas;
}

struct canvas *view_drawn(draw_view *draw, const struct scene *scene, int columns, int rows)
{
    return view_drawn_as(draw, scene, columns, rows, braille);
}

static void check_inside(draw_view *draw, const struct scene *scene, int columns, int rows,
                         int rule, struct traits traits)
{
    struct area area = {MARGIN, MARGIN, rows, columns};
    struct canvas *canvas = canvas_new(columns + 2 * MARGIN, rows + 2 * MARGIN, traits);
    ck_assert_ptr_nonnull(canvas);
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++)
            if (y < MARGIN || x < MARGIN || y >= MARGIN + rows || x >= MARGIN + columns)
                canvas_text(canvas, y, x, 1, style_bold(ROLE_WARNING), "#");
    draw(scene, canvas, area);
    ck_assert_int_eq(canvas->error.status, STATUS_OK);
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            const struct cell *cell = canvas_at(canvas, y, x);
            bool in_rows = y >= area.y && y < area.y + rows;
            if (in_rows && x >= area.x - rule && x < area.x + columns)
                continue;
            if (strcmp(cell->text, "#") != 0 || cell->style.fore.role != ROLE_WARNING ||
                !cell->style.bold || canvas_hit(canvas, y, x).place[0] != HIT_NOTHING)
                ck_abort_msg("%d×%d: \"%s\" at %d,%d", columns, rows, cell->text, y - area.y,
                             x - area.x);
        }
    canvas_free(canvas);
}

void view_check_inside(draw_view *draw, const struct scene *scene, int columns, int rows, int rule)
{
    check_inside(draw, scene, columns, rows, rule, braille);
}

void view_check_inside_as(draw_view *draw, const struct scene *scene, int columns, int rows,
                          struct traits traits)
{
    check_inside(draw, scene, columns, rows, 0, traits);
}

const char *view_text(const struct canvas *canvas, int y, int x, int columns)
{
    static char text[CANVAS_MAX * GLYPH_BYTES];
    size_t length = 0;
    for (int end = x + columns; x < end && canvas_at(canvas, y, x); x++)
        length += strlen(strcpy(text + length, canvas_at(canvas, y, x)->text));
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
    return text;
}

const char *view_row(const struct canvas *canvas, int y)
{
    static char text[CANVAS_MAX * GLYPH_BYTES];
    text[0] = '\0';
    for (int x = 0; x < canvas->columns; x++)
        strcat(text, canvas_at(canvas, y, x)->text);
    return text;
}

bool view_shows(const struct canvas *canvas, const char *text)
{
    for (int y = 0; y < canvas->rows; y++)
        if (strstr(view_row(canvas, y), text))
            return true;
    return false;
}

struct view_place view_find(const struct canvas *canvas, int y, const char *text)
{
    for (; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++)
            if (*canvas_at(canvas, y, x)->text == *text &&
                strncmp(view_text(canvas, y, x, canvas->columns - x), text, strlen(text)) == 0)
                return (struct view_place){y, x};
    return (struct view_place){-1, -1};
}

enum view_kind view_named(const char *name)
{
    int kind = 0;
    while (strcmp(view_name((enum view_kind)kind), name) != 0)
        kind++;
    return (enum view_kind)kind;
}

/* Whether a canvas has the marks of another one from a cell on. */
static bool is_found_at(const struct canvas *canvas, const struct canvas *letters, int y, int x)
{
    for (int row = 0; row < letters->rows; row++)
        for (int column = 0; column < letters->columns; column++) {
            const char *wanted = canvas_at(letters, row, column)->text;
            const struct cell *cell = canvas_at(canvas, y + row, x + column);
            if (*wanted != ' ' && (!cell || strcmp(cell->text, wanted) != 0))
                return false;
        }
    return true;
}

bool view_shows_large(const struct canvas *canvas, int scale, const char *text)
{
    bool found = false;
    struct canvas *letters =
        canvas_new(scale * letters_columns(text), scale * LETTERS_ROWS, braille);
    ck_assert_ptr_nonnull(letters);
    letters_draw(letters, 0, 0, scale, style_of(ROLE_TEXT), text);
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++)
            found |= is_found_at(canvas, letters, y, x);
    canvas_free(letters);
    return found;
}
