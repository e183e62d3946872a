#include "e2e/grid.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most bytes that a cell's text takes. */
#define CELL_BYTES ((size_t)VTERM_MAX_CHARS_PER_CELL * 4)

static const VTermScreenCell *cell_at(const struct grid *grid, int row, int column)
{
    return &grid->cells[row * grid->columns + column];
}

struct grid *grid_of(VTerm *vterm)
{
    int rows, columns;
    vterm_get_size(vterm, &rows, &columns);
    size_t count = (size_t)rows * (size_t)columns;
    struct grid *grid = calloc(1, sizeof *grid + count * sizeof grid->cells[0]);
    ck_assert_ptr_nonnull(grid);
    grid->rows = rows;
    grid->columns = columns;
    for (size_t i = 0; i < count; i++) {
        VTermPos position = {(int)i / columns, (int)i % columns};
        vterm_screen_get_cell(vterm_obtain_screen(vterm), position, &grid->cells[i]);
    }
    return grid;
}

/* ---- Equality ---- */

static bool is_blank(const VTermScreenCell *cell)
{
    return cell->chars[0] == 0 || cell->chars[0] == ' ';
}

/* A cell is blank because it was erased or because a blank was written; its foreground isn't seen.
 */
static bool same_glyph(const VTermScreenCell *a, const VTermScreenCell *b)
{
    if (is_blank(a) || is_blank(b))
        return is_blank(a) && is_blank(b);
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL; i++) {
        if (a->chars[i] != b->chars[i])
            return false;
        if (a->chars[i] == 0)
            break;
    }
    return vterm_color_is_equal(&a->fg, &b->fg) && a->attrs.bold == b->attrs.bold &&
           a->attrs.italic == b->attrs.italic;
}

static bool same_cell(const VTermScreenCell *a, const VTermScreenCell *b)
{
    return same_glyph(a, b) && a->width == b->width && vterm_color_is_equal(&a->bg, &b->bg) &&
           a->attrs.underline == b->attrs.underline && a->attrs.blink == b->attrs.blink &&
           a->attrs.reverse == b->attrs.reverse && a->attrs.strike == b->attrs.strike;
}

bool grid_equal(const struct grid *a, const struct grid *b)
{
    return grid_equal_below(a, b, 0);
}

bool grid_equal_below(const struct grid *a, const struct grid *b, int row)
{
    if (a->rows != b->rows || a->columns != b->columns)
        return false;
    for (int i = row * a->columns; i < a->rows * a->columns; i++)
        if (!same_cell(&a->cells[i], &b->cells[i]))
            return false;
    return true;
}

/* ---- Text ---- */

static size_t encode(uint32_t point, char *bytes)
{
    if (point < 0x80) {
        bytes[0] = (char)point;
        return 1;
    }
    size_t length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, point >>= 6)
        bytes[i] = (char)(0x80 | (point & 0x3F));
    bytes[0] = (char)((0xF00u >> length & 0xFF) | point);
    return length;
}

/* The second cell of a wide glyph is (uint32_t)-1 in libvterm, and adds nothing. */
static size_t cell_text(const VTermScreenCell *cell, char *bytes)
{
    size_t length = 0;
    if (cell->chars[0] == 0)
        bytes[length++] = ' ';
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
        if (cell->chars[i] != (uint32_t)-1)
            length += encode(cell->chars[i], bytes + length);
    return length;
}

char *grid_row(const struct grid *grid, int row)
{
    size_t length = 0;
    char *text = malloc((size_t)grid->columns * CELL_BYTES + 1);
    ck_assert_ptr_nonnull(text);
    for (int column = 0; column < grid->columns; column++)
        length += cell_text(cell_at(grid, row, column), text + length);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
    return text;
}

char *grid_text(const struct grid *grid)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    for (int row = 0; row < grid->rows; row++) {
        char *line = grid_row(grid, row);
        fprintf(stream, "%s\n", line);
        free(line);
    }
    fclose(stream);
    return text;
}

static bool stands_at(const struct grid *grid, const char *text, int row, int column)
{
    for (; *text && column < grid->columns; column++) {
        char bytes[CELL_BYTES];
        size_t length = cell_text(cell_at(grid, row, column), bytes);
        if (strncmp(text, bytes, length) != 0)
            return false;
        text += length;
    }
    return *text == '\0';
}

bool grid_has_between(const struct grid *grid, uint32_t first, uint32_t last)
{
    for (int i = 0; i < grid->rows * grid->columns; i++)
        if (grid->cells[i].chars[0] >= first && grid->cells[i].chars[0] <= last)
            return true;
    return false;
}

bool grid_find(const struct grid *grid, const char *text, int *row, int *column)
{
    for (*row = 0; *row < grid->rows; ++*row)
        for (*column = 0; *column < grid->columns; ++*column)
            if (stands_at(grid, text, *row, *column))
                return true;
    return false;
}
