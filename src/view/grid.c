/* grid.c: the cells, labels and shades of every view that is a grid. An axis is linear in tokens,
 * so a cell off screen has a place too; labels come from the view by a callback, as each has names
 * and styles of its own. */
#include "headlight/view/grid.h"

#define WEIGHT_LEAST 10 /* thousandths; a lighter cell is empty */

/* ---- Where cells stand ---- */

/* All of them if they fit; else `room` of them, the anchor in the middle except near either end. */
struct token_range grid_window(size_t count, size_t room, size_t anchor)
{
    size_t shown = size_min(count, room), half = room / 2;
    size_t first = anchor < half ? 0 : size_min(anchor - half, count - shown);
    return (struct token_range){first, first + shown};
}

struct token_range grid_around(struct token_range all, size_t token, int room,
                               int (*columns)(const void *context, size_t token),
                               const void *context)
{
    struct token_range shown = {token, token + 1};
    room -= columns(context, token);
    for (bool grown = true; grown;) {
        grown = false;
        for (int after = 0; after < 2; after++) {
            const bool more = after ? shown.end < all.end : shown.first > all.first;
            const int width = more ? columns(context, after ? shown.end : shown.first - 1) : 0;
            if (!more || width > room)
                continue;
            room -= width;
            shown.end += after == 1;
            shown.first -= after == 0;
            grown = true;
        }
    }
    return shown;
}

/* Sizes are in characters. The gap counts as one of them even if it is scrolled off, so that cells
 * don't change places while the cursor moves. */
struct grid_axis grid_axis(struct token_range range, size_t boundary, int origin, int room,
                           int size, size_t anchor)
{
    bool gap = range.first < boundary && boundary < range.end;
    int cells = (room - gap) / size;
    size_t place = anchor < range.first ? 0 : size_min(anchor, range.end) - range.first;
    struct grid_axis axis = {.range = range, .origin = origin, .size = size};
    axis.shown = grid_window(range.end - range.first, cells > 0 ? (size_t)cells : 0, place);
    axis.shown.first += range.first;
    axis.shown.end += range.first;
    if (gap && axis.shown.first < boundary && boundary < axis.shown.end)
        axis.boundary = boundary;
    return axis;
}

/* Further apart while all fit. A column without a gap, beginning in its first row. */
struct grid_axis grid_column(struct token_range range, int rows, int step_max, size_t anchor)
{
    const int count = (int)(range.end - range.first);
    struct grid_axis axis = grid_axis(range, 0, 0, rows, 1, anchor);
    if (count > 1 && count <= rows)
        axis.size = int_min((rows - 1) / (count - 1), step_max);
    return axis;
}

/* Rows that are left are shared out above and below. A gap is given up before any token is. */
struct grid_axis grid_column_centred(struct token_range range, size_t boundary, int rows,
                                     int step_max, size_t anchor)
{
    const bool gap = boundary > range.first && boundary < range.end &&
                     range.end - range.first < (size_t)int_max(rows, 0);
    struct grid_axis axis = grid_column(range, rows - gap, step_max, anchor);
    if (gap)
        axis.boundary = boundary;
    if (range.end > range.first && axis.shown.first == range.first)
        axis.origin = int_max(rows - 1 - grid_at(&axis, range.end - 1), 0) / 2;
    return axis;
}

/* Signed, as tokens before the first one on screen have a place, too. */
int grid_at(const struct grid_axis *axis, size_t token)
{
    int gap = axis->boundary > 0 && token >= axis->boundary ? 1 + axis->more : 0;
    long long place = (long long)token - (long long)axis->shown.first;
    return axis->origin + (int)(place * axis->size) + gap;
}

/* NO_TOKEN is larger than any index, so it is never on screen. */
bool grid_shows(const struct grid_axis *axis, size_t token)
{
    return token >= axis->shown.first && token < axis->shown.end;
}

/* An axis that shows nothing stops where it begins. */
int grid_stop(const struct grid_axis *axis)
{
    const struct token_range *shown = &axis->shown;
    return shown->end > shown->first ? grid_at(axis, shown->end - 1) + axis->size : axis->origin;
}

/* The place of a pair's cell, which may be off screen. */
struct area grid_cell(const struct grid *grid, size_t from, size_t to)
{
    return (struct area){grid_at(&grid->row, from), grid_at(&grid->column, to), grid->cell.rows,
                         grid->cell.columns};
}

/* Whether so many cells, and a gap, fit into a room; none do where there is no room at all. */
static bool grid_fits(size_t count, int size, bool gap, int room)
{
    return room > 0 && count * (size_t)size + gap <= (size_t)room;
}

/* Sizes are tried in order. Upright labels take rows from the cells, so each size is judged with
 * the labels that it would have; of long ones a row is given up if then all cells fit. */
void grid_choose(struct grid *grid, const struct canvas *canvas, const struct grid_room *room,
                 const struct grid_cell *sizes, size_t count)
{
    const bool turned = canvas->bare && room->upright_below > 0;
    const int most = turned ? CANVAS_MAX : int_min(room->label_rows, GRID_LABEL_ROWS);
    const int label_rows = int_min(room->tallest, most);
    for (size_t i = 0; i < count; i++) {
        grid->cell = sizes[i];
        grid->upright =
            (turned || sizes[i].columns < room->upright_below) && room->widest >= sizes[i].columns;
        int left = room->rows - (int)room->down * sizes[i].rows - room->down_parts;
        grid->label_rows =
            !grid->upright ? 1 : label_rows - (!turned && label_rows > 4 && left + 1 == label_rows);
        if (grid_fits(room->across, sizes[i].columns, room->across_parts, room->columns) &&
            ((room->scrolls && sizes[i].rows == 1) ||
             grid_fits(room->down, sizes[i].rows, room->down_parts, room->rows - grid->label_rows)))
            break;
    }
}

/* ---- Labels ---- */

/* The next row of a label that is written downwards: one glyph, but a leading ## stays together to
 * save a row. Returns its columns, 0 at the end. */
static int next_upright(struct text_reader *reader, bool first, struct glyph piece[2])
{
    struct text_reader ahead;
    if (!text_next(reader, &piece[0]))
        return 0;
    ahead = *reader;
    if (first && strcmp(piece[0].text, "#") == 0 && text_next(&ahead, &piece[1]) &&
        strcmp(piece[1].text, "#") == 0) {
        *reader = ahead;
        return 2;
    }
    return piece[0].width;
}

/* Counted as draw_upright writes them. */
int grid_upright_rows(const struct canvas *canvas, const char *label)
{
    struct text_reader reader = text_reader(label, strlen(label), canvas_ascii(canvas));
    struct glyph piece[2];
    int rows = 0;
    if (canvas->bare)
        return canvas_turned_rows(canvas, label);
    while (next_upright(&reader, rows == 0, piece))
        rows++;
    return rows;
}

/* Writes a label downwards, ending above row `end`. Returns its first row. */
static int draw_upright(struct canvas *canvas, int end, int x, int rows_max, bool whole,
                        const struct grid_label *label)
{
    const char *name = label->name.text;
    struct text_reader reader = text_reader(name, strlen(name), canvas_ascii(canvas));
    struct glyph piece[2];
    int rows = grid_upright_rows(canvas, name);
    bool cut = rows > rows_max;
    rows = int_min(rows, rows_max);
    for (int i = 0; i < rows - (cut && whole); i++) {
        int columns = next_upright(&reader, i == 0, piece);
        canvas_put(canvas, end - rows + i, x, label->style, &piece[0]);
        if (columns > piece[0].width)
            canvas_put(canvas, end - rows + i, x + 1, label->style, &piece[1]);
    }
    if (cut && whole)
        canvas_text(canvas, end - 1, x, 1, label->style, "…");
    return end - rows;
}

/* Names are copies, because views add to them: parentheses for hidden tokens, a place for tokens
 * that occur several times. Those of columns stand in the last row above the cells, centred, or
 * upright with their ends there; each leaves one column free, so that neighbours don't run
 * together. */
void grid_draw_labels(const struct grid *grid, struct canvas *canvas, int top, bool whole,
                      grid_label_of *label, const void *context)
{
    const struct token_range *rows = &grid->row.shown, *columns = &grid->column.shown;
    struct grid_label each;
    const struct style mark = style_bold(ROLE_TITLE);
    const bool figure = canvas->bare;
    for (size_t token = rows->first; token < rows->end; token++) {
        each = label(context, SIDE_LEFT, token);
        const int y = grid_at(&grid->row, token) + (grid->cell.rows - 1) / 2;
        const int end = grid->column.origin - grid->aside;
        const int x =
            canvas_text_right(canvas, y, end, grid->label_width, each.style, each.name.text);
        if (each.token != NO_TOKEN)
            canvas_mark(canvas, (struct area){y, x, 1, end - x}, hit_token(SIDE_LEFT, each.token));
        if (each.pointed && !figure)
            canvas_text(canvas, y, x - 2, 1, mark, "▸");
    }
    for (size_t token = columns->first; token < columns->end; token++) {
        each = label(context, SIDE_RIGHT, token);
        const int x = grid_at(&grid->column, token), end = grid->row.origin,
                  middle = x + (grid->cell.columns - 1) / 2;
        const struct area above = {end - grid->label_rows, x, grid->label_rows, grid->cell.columns};
        int first = end - 1;
        if (grid->upright && figure) {
            canvas_turn(canvas, above, each.style, each.name.text);
        } else if (grid->upright) {
            first = draw_upright(canvas, end, middle, grid->label_rows, whole, &each);
        } else {
            const int width = int_min(canvas_width(canvas, each.name.text), above.columns - 1);
            each.style.anchor = ANCHOR_MIDDLE;
            canvas_text(canvas, first, x + (above.columns - width) / 2, width, each.style,
                        each.name.text);
        }
        if (each.token != NO_TOKEN)
            canvas_mark(canvas, above, hit_token(SIDE_RIGHT, each.token));
        if (each.pointed && first > top && !figure)
            canvas_text(canvas, first - 1, middle, 1, mark, "▾");
    }
}

/* In the middle of their axes. */
void grid_draw_axes(const struct grid *grid, struct canvas *canvas, const char *rows,
                    const char *columns)
{
    const struct grid_axis *down = &grid->row, *across = &grid->column;
    const int y = down->origin, x = across->origin, width = grid_stop(across) - x;
    const int turned = canvas_turned_rows(canvas, rows), height = grid_stop(down) - y;
    const struct area above = {y - grid->label_rows - 1, x, 1, width};
    const struct area beside = {y + (height - turned) / 2, x - grid->aside - grid->label_width - 3,
                                turned, 2};
    grid_write(canvas, above, style_of(ROLE_FAINT), columns);
    if (*rows)
        canvas_turn(canvas, beside, style_of(ROLE_FAINT), rows);
    canvas->overflow |= turned > height ? OVERFLOW_ROWS : 0;
}

/* In the corners just outside the cells, where no label stands. */
void grid_draw_more(const struct grid *grid, struct canvas *canvas)
{
    const struct grid_axis *row = &grid->row, *column = &grid->column;
    struct style style = style_of(ROLE_TITLE);
    if (edge_range_count(row->shown) < edge_range_count(row->range))
        canvas->overflow |= OVERFLOW_ROWS;
    if (edge_range_count(column->shown) < edge_range_count(column->range))
        canvas->overflow |= OVERFLOW_COLUMNS;
    if (row->shown.first > row->range.first)
        canvas_text(canvas, row->origin, column->origin - 1, 1, style, "↑");
    if (row->shown.end < row->range.end && row->shown.end > row->shown.first)
        canvas_text(canvas, grid_stop(row) - 1, column->origin - 1, 1, style, "↓");
    if (column->shown.first > column->range.first)
        canvas_text(canvas, row->origin - 1, column->origin - 1, 1, style, "←");
    if (column->shown.end < column->range.end)
        canvas_text(canvas, row->origin - 1, grid_stop(column), 1, style, "→");
}

/* ---- Cells ---- */

/* The formula of grid.h, with w from 0 to 1; a weight above 1 has the level of 1. */
unsigned grid_level(unsigned weight)
{
    if (weight < WEIGHT_LEAST)
        return 0;
    double root = sqrt(weight < EDGE_WHOLE ? weight / (double)EDGE_WHOLE : 1);
    return (unsigned)lround(2 + (STYLE_FULL - 2) * root);
}

/* Four steps, as there are four block characters. */
unsigned grid_step(unsigned weight)
{
    static const unsigned from[] = {WEIGHT_LEAST, 200, 450, 750};
    unsigned step = 0;
    while (step < LENGTH(from) && weight >= from[step])
        step++;
    return step;
}

/* The Linux console has a few colours only, so its shades are glyphs, too; a figure has all greys.
 */
bool grid_by_glyph(const struct canvas *canvas)
{
    return !canvas->bare && (canvas->traits.mono || canvas->traits.glyphs != GLYPHS_BRAILLE);
}

/* Below WEIGHT_LEAST neither ink nor ground changes. */
static struct style shade_style(const struct canvas *canvas, struct ink hue, unsigned weight)
{
    struct style style = style_of(ROLE_TEXT);
    struct ink ink = hue;
    ink.level = (uint8_t)grid_level(weight);
    if (grid_by_glyph(canvas)) { /* the glyph shows it: the ink must not fade it as well */
        style.fore = ink;
        style.fore.level = (uint8_t)size_max(ink.level, 8);
    } else if (ink.level > 0)
        style.back = ink;
    return style;
}

/* Readable on any shade: dark cells get light text and the other way round (ROLE_READABLE). */
struct style grid_style(const struct canvas *canvas, struct ink hue, unsigned shade, bool crossing)
{
    struct style style = {.fore = ink_full(ROLE_READABLE),
                          .back = shade_style(canvas, hue, shade).back,
                          .bold = crossing};
    if (shade < GRID_NOTABLE && !crossing)
        style.fore = (struct ink){ROLE_TEXT, 12}; /* as faint as it may be on a grey map */
    return style;
}

/* All characters of a cell have its glyph, so that large cells stay even; a number may then be
 * written over it in the style that is returned. */
struct style grid_fill(struct canvas *canvas, struct area cell, struct ink hue, unsigned shade,
                       bool crossing)
{
    struct style style = shade_style(canvas, hue, shade);
    static const char *const signs[][5] = {{" ", "░", "▒", "▓", "█"}, {" ", ".", ":", "+", "#"}};
    struct glyph glyph = {.text = " ", .width = 1};
    if (grid_by_glyph(canvas))
        strcpy(glyph.text, signs[canvas_ascii(canvas)][grid_step(shade)]);
    for (int y = cell.y; y < cell.y + cell.rows; y++)
        for (int x = cell.x; x < cell.x + cell.columns; x++)
            canvas_put(canvas, y, x, style, &glyph);
    return grid_style(canvas, hue, shade, crossing);
}

/* Where glyphs show shades, a grey ground would look like a weight. */
struct style grid_blank(struct canvas *canvas, struct area cell, bool crossing)
{
    struct style style = style_of(ROLE_FAINT);
    if (!crossing || grid_by_glyph(canvas))
        return style;
    style.back = GRID_CROSSING;
    canvas_fill(canvas, cell, style);
    return style;
}

/* Half of the ramp is for what is below 0, if anything is. */
void grid_draw_scale(struct pen *pen, struct ink below, struct ink above, const char *least,
                     const char *middle, const char *most)
{
    const int half = below.level > 0 ? GRID_RAMP / 2 : 0, ramp = GRID_RAMP - half;
    pen_print(pen, style_of(ROLE_FAINT), "%s ", least);
    for (int i = -half; i < ramp; i++, pen->x++) {
        const int step = i < 0 ? -i : i + 1;
        if (middle && 2 * i == GRID_RAMP)
            pen_print(pen, style_of(ROLE_FAINT), " %s ", middle);
        grid_fill(pen->canvas, (struct area){pen->y, pen->x, 1, 1}, i < 0 ? below : above,
                  (unsigned)(EDGE_WHOLE * step * step / (ramp * ramp)), false);
    }
    pen_print(pen, style_of(ROLE_FAINT), " %s", most);
}

/* Centred; where that isn't possible, half a character further up or left. */
void grid_write(struct canvas *canvas, struct area cell, struct style style, const char *text)
{
    int width = canvas_width(canvas, text);
    style.anchor = ANCHOR_MIDDLE;
    canvas_text(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - width) / 2, width,
                style, text);
}
