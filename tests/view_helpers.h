/* view_helpers.h: what tests of single views share. */
#pragma once

#include "headlight/view/views.h"

typedef void draw_view(const struct scene *scene, struct canvas *canvas, struct area area);

/* A view and its legend, whatever the scene's look says. */
draw_view draw_head, draw_neuron, draw_model, draw_matrix, draw_answers, draw_corpus, draw_steps;

/* A canvas of its own with the view on all of it, to be freed with canvas_free. */
struct canvas *view_drawn(draw_view *draw, const struct scene *scene, int columns, int rows);
struct canvas *view_drawn_as(draw_view *draw, const struct scene *scene, int columns, int rows,
                             struct traits traits);

/* Draws in the middle of a larger canvas and fails where a cell or a click outside of the area
 * changed, but for a rule in the `rule` columns left of it. */
void view_check_inside(draw_view *draw, const struct scene *scene, int columns, int rows, int rule);

/* The same without a rule, and with other glyphs. */
void view_check_inside_as(draw_view *draw, const struct scene *scene, int columns, int rows,
                          struct traits traits);

/* The text of a piece of a row, without blanks at its end; good until the next call. */
const char *view_text(const struct canvas *canvas, int y, int x, int columns);

/* All of a row, with its blanks; good until the next call. */
const char *view_row(const struct canvas *canvas, int y);

/* Whether a text stands within a row. */
bool view_shows(const struct canvas *canvas, const char *text);

/* Where a text begins first, row by row from row `y` on; a row of -1 where there is none. */
struct view_place {
    int y, x;
};
struct view_place view_find(const struct canvas *canvas, int y, const char *text);

/* A view by its name. */
enum view_kind view_named(const char *name);

/* Whether it stands somewhere in large letters of a scale. */
bool view_shows_large(const struct canvas *canvas, int scale, const char *text);
