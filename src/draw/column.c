#include "headlight/draw/column.h"

#include "headlight/base/size.h"

struct column column_place(struct token_range range, int rows, int step_max, size_t anchor)
{
    size_t count = range.end - range.first, height = rows > 0 ? (size_t)rows : 1;
    struct column column = {.range = range, .step = 1, .rows = rows};
    if (count > height) {
        size_t index = anchor < range.first ? 0 : size_min(anchor - range.first, count - 1);
        size_t half = height / 2;
        column.scroll = index < half ? 0 : size_min(index - half, count - height);
    } else if (count > 1) {
        column.step = (int)size_min((height - 1) / (count - 1), (size_t)step_max);
        if (column.step == 1 && step_max > 1)
            column.spread = rows;
    }
    return column;
}

int column_row(const struct column *column, size_t token)
{
    long long place = (long long)token - (long long)(column->range.first + column->scroll);
    long long last = (long long)(column->range.end - column->range.first) - 1;
    if (column->spread > 0 && last > 0)
        return (int)((place * (column->spread - 1) + last / 2) / last);
    return (int)(place * column->step);
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
