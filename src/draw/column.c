/* column.c: the rows of the tokens in a column. Tokens off screen have rows too, so that lines can
 * lead to them. */
#include "headlight/draw/column.h"

#include "headlight/base/size.h"

/* `extra` rows are for a gap. */
static struct column place(struct token_range range, int rows, int step_max, size_t anchor,
                           size_t extra)
{
    size_t count = range.end - range.first, height = rows > 0 ? (size_t)rows : 1;
    struct column column = {.range = range, .step = 1, .gap = NO_TOKEN, .rows = rows};
    if (count > height) {
        size_t index = anchor < range.first ? 0 : size_min(anchor - range.first, count - 1);
        size_t half = height / 2;
        column.scroll = index < half ? 0 : size_min(index - half, count - height);
    } else if (count > 1 && count + extra <= height) {
        column.step = (int)size_min((height - 1 - extra) / (count - 1), (size_t)step_max);
    }
    return column;
}

struct column column_place(struct token_range range, int rows, int step_max, size_t anchor)
{
    return place(range, rows, step_max, anchor, 0);
}

struct column column_centre(struct token_range range, size_t boundary, int rows, int step_max,
                            size_t anchor)
{
    bool parts = boundary > range.first && boundary < range.end;
    struct column column = place(range, rows, step_max, anchor, parts);
    size_t count = range.end - range.first;
    if (parts && (long long)count < rows)
        column.gap = boundary;
    if (count > 0 && column.scroll == 0) {
        int free = rows - 1 - column_row(&column, range.end - 1);
        column.top = free > 0 ? free / 2 : 0;
    }
    return column;
}

int column_row(const struct column *column, size_t token)
{
    long long place = (long long)token - (long long)(column->range.first + column->scroll);
    return column->top + (int)(place * column->step) +
           (column->gap != NO_TOKEN && token >= column->gap);
}

struct token_range column_window(const struct column *column)
{
    size_t first = column->range.first + column->scroll, end = first;
    if (column->scroll == 0 && column->range.first < column->range.end &&
        column_row(column, column->range.end - 1) < column->rows)
        return column->range;
    if (column->rows > 0)
        end = size_min(first + (size_t)column->rows, column->range.end);
    return (struct token_range){first, end};
}

bool column_shows(const struct column *column, size_t token)
{
    int row = column_row(column, token);
    return token >= column->range.first && token < column->range.end && row >= 0 &&
           row < column->rows;
}
