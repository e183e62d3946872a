/* grid.h: the cells of a decoded screen. */
#pragma once

#include <stdbool.h>
#include <vterm.h>

struct grid {
    int rows, columns;
    VTermScreenCell cells[]; /* [rows, columns] */
};

/* A copy of the screen; the caller frees it. */
struct grid *grid_of(VTerm *vterm);

/* Equal to the eye: glyphs, colours, attributes. */
bool grid_equal(const struct grid *a, const struct grid *b);

/* The same from a row on. */
bool grid_equal_below(const struct grid *a, const struct grid *b, int row);

/* A row, or all of them with line ends, as text without trailing blanks. The caller frees. */
char *grid_row(const struct grid *grid, int row);
char *grid_text(const struct grid *grid);

/* Whether a cell begins with a character from `first` to `last`. */
bool grid_has_between(const struct grid *grid, uint32_t first, uint32_t last);

/* Where a text begins that stands within a row; false when there is none. */
bool grid_find(const struct grid *grid, const char *text, int *row, int *column);
