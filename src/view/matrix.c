/* matrix.c: the matrix view. One head as a heat map: a row for each attending token, a column for
 * each attended one, and a number in each cell where there is room; below it the scale, and the
 * numbers of the chosen cell. The largest cells that all fit are chosen; where none do, the
 * smallest scroll with the cursor, (look.from, look.to), on both axes. */
#include "headlight/view/matrix.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/lens/metrics.h"
#include "headlight/view/caption.h"
#include "headlight/view/stage.h"
#include "headlight/view/views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAMP           8  /* cells of the scale */
#define LEGEND_ROWS    12 /* in so few rows of the area there is no legend */
#define NUMBER_COLUMNS 5  /* the narrowest cell that holds ".42" between two brackets */
#define SPARED_FROM    4  /* rows; of more one is spared */
#define PALEST         0.02F

/* ---- Where it stands ---- */

/* Both sentences count as one axis with a gap. Upright labels are for cells too narrow for words:
 * from seven columns on they would waste rows. The legend, where there is one, and the numbers take
 * a row each. */
static struct grid_room room_for(const struct matrix_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    struct token_range from = scene_range(scene, SIDE_LEFT), to = scene_range(scene, SIDE_RIGHT);
    size_t row = scene_boundary(scene, SIDE_LEFT), column = scene_boundary(scene, SIDE_RIGHT);
    int tallest = 1;
    for (size_t token = to.first; token < to.end; token++)
        tallest = grid_taller(tallest, sheet->canvas, scene_drawn(scene, SIDE_RIGHT, token).text);
    return (struct grid_room){.columns = sheet->area.columns - sheet->grid.label_width - 8,
                              .rows = sheet->area.rows - (sheet->area.rows > LEGEND_ROWS ? 2 : 1),
                              .across = to.end - to.first,
                              .down = from.end - from.first,
                              .across_parts = to.first < column && column < to.end,
                              .down_parts = from.first < row && row < from.end,
                              .widest = scene_label_width(scene, sheet->canvas, CANVAS_MAX),
                              .tallest = tallest,
                              .label_rows = sheet->area.rows / 4,
                              .upright_below = 7};
}

/* Cells that fit are centred across; a spare row goes above, for the names of the sentences and of
 * the cursor's column; where the rows scroll, one is spared. Sizes go from cells that hold "0.417"
 * to cells that hold a glyph. */
static void matrix_lay_out(struct matrix_sheet *sheet)
{
    static const struct grid_cell sizes[] = {{12, 6}, {10, 5}, {8, 4}, {8, 3}, {6, 3},
                                             {7, 2},  {5, 2},  {4, 2}, {5, 1}, {2, 1}};
    const struct scene *scene = sheet->scene;
    struct grid *grid = &sheet->grid;
    const struct area *area = &sheet->area;
    grid->aside = 2;
    grid->label_width = scene_label_width(scene, sheet->canvas, area->columns >= 110 ? 20 : 10);
    const struct grid_room room = room_for(sheet);
    grid_choose(grid, &room, sizes, sizeof sizes / sizeof *sizes);
    int across = (int)room.across * grid->cell.columns + room.across_parts;
    int down = (int)room.down * grid->cell.rows + room.down_parts;
    int rows = room.rows - grid->label_rows, shift = int_max(room.columns - across, 0) / 2;
    int above = rows > SPARED_FROM ? down != rows : down < rows;
    grid->row = grid_axis(scene_range(scene, SIDE_LEFT), scene_boundary(scene, SIDE_LEFT),
                          area->y + grid->label_rows + above, rows - above, grid->cell.rows,
                          scene_anchor(scene, SIDE_LEFT, SIDE_LEFT));
    grid->column = grid_axis(scene_range(scene, SIDE_RIGHT), scene_boundary(scene, SIDE_RIGHT),
                             area->x + 6 + grid->label_width + shift, room.columns,
                             grid->cell.columns, scene_anchor(scene, SIDE_RIGHT, SIDE_RIGHT));
}

/* ---- Weights ---- */

/* A row of the map: [C] weights. A mean, or a map of all heads together, is stored as one head. */
static const float *matrix_weights(const struct scene *scene, size_t from)
{
    const struct data *data = &scene->data;
    if (data->mean)
        return attention_row(data->mean, 0, 0, from);
    return attention_row(data->attention, scene->look.layer,
                         scene_is_single(scene) ? 0 : scene->look.head, from);
}

/* Vectors of a text are all alike, and each is most like itself: between 0 and 1 all cells would
 * have one shade. */
static bool shows_similarity(const struct scene *scene)
{
    return !scene->data.mean && scene->data.map->kind == MAP_SIMILARITY;
}

/* Widens them by a row of cosines without the one in the diagonal. */
static void add_cosines(const struct scene *scene, size_t from, struct shades *shades)
{
    const struct token_range to = scene_range(scene, SIDE_RIGHT);
    for (size_t i = to.first; i < to.end; i++) {
        const float value = scene_value(scene, scene->look.head, from, i);
        if (i == from)
            continue;
        shades->least = fminf(shades->least, value);
        shades->largest = fmaxf(shades->largest, value);
    }
}

/* Of what the filter leaves: a heavier weight outside it would make the rest faint. 0 to 0 without
 * tokens. */
static struct shades shades_of(const struct scene *scene, struct token_range from)
{
    const struct token_range to = scene_range(scene, SIDE_RIGHT);
    const bool cosines = shows_similarity(scene);
    struct shades shades = {cosines ? 1 : 0, cosines ? -1 : 0};
    for (size_t i = from.first; i < from.end && to.first < to.end; i++)
        if (cosines)
            add_cosines(scene, i, &shades);
        else
            shades.largest = fmaxf(shades.largest, edge_largest(matrix_weights(scene, i) + to.first,
                                                                to.end - to.first));
    return shades.least <= shades.largest ? shades : (struct shades){0, 0};
}

/* The shades of a row: its own, or the map's, with which the scale below the map ends. */
static struct shades row_shades(const struct matrix_sheet *sheet, size_t from)
{
    const struct scene *scene = sheet->scene;
    if (scene->look.tone != TONE_ROW)
        return sheet->shades;
    if (shows_similarity(scene))
        return shades_of(scene, (struct token_range){from, from + 1});
    return (struct shades){
        0, edge_largest(matrix_weights(scene, from), scene_count(scene, SIDE_RIGHT))};
}

/* A cell's shade, in thousandths. A row of zeros has none; the least of cosines, which is not
 * nothing, has the palest. */
static unsigned matrix_shade(const struct matrix_sheet *sheet, const struct edge *edge,
                             struct shades shades)
{
    const struct scene *scene = sheet->scene;
    const float room = shades.largest - shades.least;
    float share = matrix_weights(scene, edge->from)[edge->to];
    if (shows_similarity(scene))
        share = fmaxf(scene_value(scene, edge->head, edge->from, edge->to) - shades.least,
                      PALEST * room);
    return edge_shade(scene->look.tone, room > 0 ? share / room : 0, 1);
}

/* ---- Cells ---- */

/* An empty cell in the row or the column of the cursor: a grey ground, or a thin line. */
static void draw_crossing(struct canvas *canvas, struct area cell, bool across)
{
    struct style style = grid_blank(canvas, cell, true);
    int middle = cell.x + (cell.columns - 1) / 2, y = cell.y + (cell.rows - 1) / 2;
    if (!grid_by_glyph(canvas))
        return;
    for (int x = cell.x; x < cell.x + cell.columns && across; x++)
        canvas_text(canvas, y, x, 1, style, "─");
    for (y = cell.y; y < cell.y + cell.rows && !across; y++)
        canvas_text(canvas, y, middle, 1, style, "│");
}

/* A connection that was cut has no weight, so its cell would look like any other empty one. The
 * mark stands on whatever ground the cell has. */
static void draw_cut(struct canvas *canvas, struct area cell)
{
    const struct cell *place =
        canvas_at(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - 1) / 2);
    struct style style = style_of(ROLE_WARNING);
    if (place)
        style.back = place->style.back;
    grid_write(canvas, cell, style, "×");
}

/* In the middle of a cell, in large letters. */
static void draw_large_number(const struct matrix_sheet *sheet, struct area cell,
                              struct style style, const struct edge *edge)
{
    struct weight_text number = scene_number_in(sheet->scene, edge, 4);
    if (sheet->scale * letters_columns(number.text) > cell.columns)
        number = scene_number_in(sheet->scene, edge, 3);
    const int width = sheet->scale * letters_columns(number.text);
    stage_word(sheet->canvas, cell.y + (cell.rows - sheet->scale * LETTERS_ROWS + 1) / 2,
               cell.x + int_max(cell.columns - width, 0) / 2, cell.columns, sheet->scale, style,
               number.text);
}

/* As many digits as the cell has room for: ".42", "0.42", "0.417". */
static void matrix_draw_number(const struct matrix_sheet *sheet, struct area cell,
                               struct style style, const struct edge *edge)
{
    int columns = cell.columns >= 8 ? 5 : cell.columns >= 6 ? 4 : 3;
    const struct weight_text number = scene_number_in(sheet->scene, edge, columns);
    if ((int)strlen(number.text) < cell.columns)
        grid_write(sheet->canvas, cell, style, number.text);
}

/* In the cursor's row and column numbers are bold, and cells without room for one have a dot. */
static void matrix_draw_cell(const struct matrix_sheet *sheet, const struct edge *edge,
                             struct shades shades)
{
    const struct scene *scene = sheet->scene;
    struct canvas *canvas = sheet->canvas;
    struct area cell = grid_cell(&sheet->grid, edge->from, edge->to);
    unsigned shade = matrix_shade(sheet, edge, shades);
    bool across = edge->from == scene->look.from, crossing = across || edge->to == scene->look.to;
    canvas_mark(canvas, cell, HIT_CELL, edge->from * scene_count(scene, SIDE_RIGHT) + edge->to);
    if (grid_level(shade) == 0) {
        if (crossing)
            draw_crossing(canvas, cell, across);
        if (scene_is_cut(scene, edge->head, edge->from, edge->to))
            draw_cut(canvas, cell);
        return;
    }
    struct ink hue = scene_edge_ink(scene, edge, STYLE_FULL);
    struct style style = grid_fill(canvas, cell, hue, shade, crossing);
    if (sheet->scale > 0)
        draw_large_number(sheet, cell, style, edge);
    else if (cell.columns >= NUMBER_COLUMNS)
        matrix_draw_number(sheet, cell, style, edge);
    else if (crossing && !grid_by_glyph(canvas))
        grid_write(canvas, cell, style, "·");
}

/* Rows have their own shades for TONE_ROW, so they are measured once a row, not once a cell. */
static void matrix_draw_cells(const struct matrix_sheet *sheet)
{
    const struct token_range *rows = &sheet->grid.row.shown, *columns = &sheet->grid.column.shown;
    for (size_t from = rows->first; from < rows->end; from++) {
        const struct shades shades = row_shades(sheet, from);
        for (size_t to = columns->first; to < columns->end; to++) {
            const struct edge edge = scene_edge(sheet->scene, sheet->scene->look.head, from, to);
            matrix_draw_cell(sheet, &edge, shades);
        }
    }
}

/* ---- The chosen cell ---- */

/* Brackets, or the corners of a frame, around the chosen cell. Where the cell is too narrow for
 * brackets beside its glyphs, they go on its neighbours. */
static void matrix_draw_mark(const struct matrix_sheet *sheet)
{
    const struct look *look = &sheet->scene->look;
    struct canvas *canvas = sheet->canvas;
    if (!grid_shows(&sheet->grid.row, look->from) || !grid_shows(&sheet->grid.column, look->to))
        return;
    const struct edge edge = scene_edge(sheet->scene, look->head, look->from, look->to);
    struct area cell = grid_cell(&sheet->grid, look->from, look->to);
    unsigned shade = matrix_shade(sheet, &edge, row_shades(sheet, look->from));
    int out = grid_by_glyph(canvas) && cell.columns < NUMBER_COLUMNS;
    struct style style = style_bold(ROLE_STRONG);
    if (!grid_by_glyph(canvas) && grid_level(shade) > 0)
        style = grid_style(canvas, scene_edge_ink(sheet->scene, &edge, STYLE_FULL), shade, true);
    else if (!grid_by_glyph(canvas))
        style.back = GRID_CROSSING;
    for (int i = 0; i < cell.rows; i++) {
        bool framed = cell.rows > 2, top = i == 0, bottom = i == cell.rows - 1;
        const char *left = !framed ? "[" : top ? "┌" : bottom ? "└" : "│";
        const char *right = !framed ? "]" : top ? "┐" : bottom ? "┘" : "│";
        canvas_text(canvas, cell.y + i, cell.x - out, 1, style, left);
        canvas_text(canvas, cell.y + i, cell.x + cell.columns - 1 + out, 1, style, right);
    }
}

/* A faint line in the gap between two sentences; there is a gap only while both are on screen. */
static void draw_boundary(const struct matrix_sheet *sheet)
{
    struct style style = {.fore = {ROLE_FAINT, 9}, .back = {ROLE_GROUND, 0}};
    const struct grid_axis *row = &sheet->grid.row, *column = &sheet->grid.column;
    if (row->boundary > 0)
        for (int x = column->origin; x < grid_stop(column); x++)
            canvas_text(sheet->canvas, grid_at(row, row->boundary) - 1, x, 1, style, "─");
    if (column->boundary > 0)
        for (int y = row->origin; y < grid_stop(row); y++)
            canvas_text(sheet->canvas, y, grid_at(column, column->boundary) - 1, 1, style, "│");
}

/* ---- Labels ---- */

/* Both chosen tokens are the cursor's. Where one is chosen, the other side's labels are faint if
 * their cells are light. */
static struct grid_label matrix_label(const void *context, enum side side, size_t token)
{
    const struct scene *scene = context;
    size_t other = scene_token(scene, side_other(side));
    size_t from = side == SIDE_LEFT ? token : other, to = side == SIDE_LEFT ? other : token;
    bool faint = other != NO_TOKEN &&
                 edge_thousandths(scene_weight(scene, scene->look.head, from, to)) < GRID_NOTABLE;
    bool chosen = token == scene_token(scene, side);
    struct style style = scene_label_style(scene, side, token, faint ? ROLE_FAINT : ROLE_TEXT);
    if (chosen)
        style.back = ink_full(ROLE_CURSOR);
    return (struct grid_label){scene_drawn(scene, side, token), style, token, chosen};
}

/* "A" and "B" at the first token of each sentence: beside the rows, and above the columns where
 * there is a row for them. */
static void matrix_draw_sentences(const struct matrix_sheet *sheet)
{
    const struct grid_axis *row = &sheet->grid.row, *column = &sheet->grid.column;
    const struct style style = style_bold(ROLE_FAINT);
    int x = column->origin - sheet->grid.label_width - 5;
    int y = row->origin - sheet->grid.label_rows - 1;
    for (size_t token = row->shown.first; token < row->shown.end; token++)
        canvas_text(sheet->canvas, grid_at(row, token) + (row->size - 1) / 2, x, 1, style,
                    scene_sentence(sheet->scene, SIDE_LEFT, token));
    for (size_t token = column->shown.first; token < column->shown.end; token++)
        if (y >= sheet->area.y && token != sheet->scene->look.to)
            canvas_text(sheet->canvas, y, grid_at(column, token) + (column->size - 1) / 2, 1, style,
                        scene_sentence(sheet->scene, SIDE_RIGHT, token));
}

/* As grid.c cuts it: upright labels at the rows they have, others one column short of the cell. */
static bool matrix_is_cut(const struct matrix_sheet *sheet, const char *label)
{
    if (sheet->grid.upright)
        return grid_upright_rows(sheet->canvas, label) > sheet->grid.label_rows;
    return canvas_width(sheet->canvas, label) > sheet->grid.cell.columns - 1;
}

/* Where the label of the cursor's column is cut, the whole of it beside the mark above it; where no
 * row is left for the mark, in the corner. */
static void draw_whole_label(const struct matrix_sheet *sheet)
{
    size_t to = sheet->scene->look.to;
    const struct grid *grid = &sheet->grid;
    const struct area *area = &sheet->area;
    int y = grid->row.origin - grid->label_rows - 1, corner = grid->column.origin - 1;
    struct style style = style_bold(ROLE_STRONG);
    char text[512];
    if (!grid_shows(&grid->column, to))
        return;
    const struct token_name label = scene_drawn(sheet->scene, SIDE_RIGHT, to);
    if (!matrix_is_cut(sheet, label.text))
        return;
    format_cut(text, sizeof text, " ▾ %s ", label.text);
    int x = grid_at(&grid->column, to) + (grid->cell.columns - 1) / 2 - 1;
    int width = canvas_width(sheet->canvas, text);
    if (y < area->y) {
        canvas_fill(sheet->canvas, (struct area){area->y, area->x, 1, corner - area->x}, style);
        canvas_text_right(sheet->canvas, area->y, corner, corner - area->x, style, text);
    } else if (x + width <= area->x + area->columns) {
        canvas_text(sheet->canvas, y, x, width, style, text);
    } else {
        format_cut(text, sizeof text, " %s ▾ ", label.text);
        canvas_text_right(sheet->canvas, y, x + 3, x + 3 - area->x, style, text);
    }
}

/* "attends to →" at the corner of rows and columns, in two rows where it is too wide for one. */
static void draw_direction(const struct matrix_sheet *sheet)
{
    int end = sheet->grid.column.origin - 2, room = end - sheet->area.x;
    int y = sheet->grid.row.origin - 1;
    struct style style = style_of(ROLE_FAINT);
    bool one = room >= (int)strlen("attends to >");
    if (!one && sheet->grid.label_rows > 1)
        canvas_text_right(sheet->canvas, y - 1, end, room, style, "attends");
    canvas_text_right(sheet->canvas, y, end, room, style, one ? "attends to →" : "to →");
}

/* ---- The scale and the line of numbers ---- */

/* What the picture means, for the legend and for the help. */
#define ROWS    "rows: who attends (query)"
#define COLUMNS "columns: to what (key)"

/* "weight 0 ▒▒▒▒▒▒▒▒ 0.862" at the right end: the shades of weights, or of their shares of a
 * row's largest. Returns where it begins. */
static int draw_scale(const struct scene *scene, struct canvas *canvas, struct area area)
{
    bool shares = scene->look.tone == TONE_ROW;
    enum map_kind kind = scene->data.map->kind;
    struct ink hue = scene_signs(scene, canvas) ? ink_full(ROLE_POSITIVE)
                                                : scene_ink(scene, scene->look.head, STYLE_FULL);
    const struct shades shades = shades_of(scene, scene_range(scene, SIDE_LEFT));
    struct weight_text full = scene_scale(scene, shades.largest);
    char label[48];
    snprintf(label, sizeof label, "%s %.*f",
             shares                   ? "share"
             : kind == MAP_WEIGHTS    ? "weight"
             : kind == MAP_DIFFERENCE ? "change"
                                      : map_info(kind)->name,
             shows_similarity(scene) && !shares ? 3 : 0, shares ? 0 : (double)shades.least);
    int y = area.y + area.rows - 2;
    int x = canvas_text_right(canvas, y, area.x + area.columns - 2, 5, style_of(ROLE_FAINT),
                              shares ? "1" : full.text) -
            RAMP - 1;
    for (unsigned i = 0; i < RAMP; i++) {
        unsigned shade = edge_shade(scene->look.tone, (float)i / (RAMP - 1), 1);
        grid_fill(canvas, (struct area){y, x + (int)i, 1, 1}, hue, shade, false);
    }
    return canvas_text_right(canvas, y, x - 1, x - 1 - area.x, style_of(ROLE_FAINT), label);
}

/* What the numbers are: of another map than that of the weights, and its signs. */
static void matrix_legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, 0};
    const struct map_info *map = map_info(scene->data.map->kind);
    const char *signs = scene_signs(scene, canvas);
    char meaning[128];
    bool weights = scene->data.map->kind == MAP_WEIGHTS;
    snprintf(meaning, sizeof meaning, "%s: %s", map->name, map->meaning);
    const char *const parts[] = {weights ? ROWS : meaning, weights ? COLUMNS : signs ? signs : ""};
    if (area.rows <= LEGEND_ROWS)
        return;
    pen.end = draw_scale(scene, canvas, area) - CAPTION_GAP;
    if (weights && pen.end - pen.x < (int)strlen(ROWS COLUMNS) + CAPTION_GAP)
        pen_print(&pen, style_of(ROLE_FAINT), "rows attend to columns");
    else
        caption_parts(&pen, style_of(ROLE_FAINT), parts, 2, true);
}

/* The score behind a weight (q·k, divided and masked, before the softmax), unless the weight was
 * merged, rescaled or averaged. */
static void print_score(const struct scene *scene, struct pen *pen, const struct edge *edge)
{
    const float *scores = scene->data.trace->layer[scene->look.layer].scores;
    if (!scores || scene->data.mean || scene->data.map->kind != MAP_WEIGHTS ||
        scene->data.attention->owned || pen->end - pen->x < (int)strlen("   score +123.45"))
        return;
    float score =
        trace_score(scene->data.trace, scene->look.layer, scene->look.head, edge->from, edge->to);
    pen_write(pen, trace_is_masked(score) ? "   score {masked}" : "   score {%+.2f}",
              (double)score);
}

/* A row's entropy at the right end, where there is room, if it sums to 1. */
static void draw_entropy(const struct scene *scene, const struct pen *pen, size_t from)
{
    enum map_kind kind = scene->data.map->kind;
    size_t columns = scene_count(scene, SIDE_RIGHT);
    double bits = metrics_entropy(matrix_weights(scene, from), columns);
    int room = pen->end - pen->x - CAPTION_GAP;
    char text[64];
    if (kind != MAP_WEIGHTS && kind != MAP_ROLLOUT && kind != MAP_PLAIN)
        return;
    snprintf(text, sizeof text, "row entropy %.2f of %.2f bits", bits, log2((double)columns));
    if ((int)strlen(text) > room)
        snprintf(text, sizeof text, "entropy %.2f bits", bits);
    if ((int)strlen(text) <= room)
        canvas_text_right(pen->canvas, pen->y, pen->end, room, style_of(ROLE_FAINT), text);
}

/* The last row: the chosen pair, its place, its score and its row's entropy, as far as they fit. */
static void draw_numbers(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct edge edge;
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    if (!scene_current_edge(scene, &edge)) {
        caption_nothing(scene, &pen);
        return;
    }
    caption_edge(scene, &pen, &edge, CAPTION_GAP + caption_place_columns(scene));
    pen.x += CAPTION_GAP;
    caption_place(scene, &pen, scene->look.head);
    print_score(scene, &pen, &edge);
    draw_entropy(scene, &pen, edge.from);
}

struct matrix_sheet matrix_sheet(const struct scene *scene, struct canvas *canvas, struct area area)
{
    return (struct matrix_sheet){scene, canvas, area,
                                 .shades = shades_of(scene, scene_range(scene, SIDE_LEFT))};
}

void matrix_draw_map(const struct matrix_sheet *sheet)
{
    matrix_draw_cells(sheet);
    draw_boundary(sheet);
    matrix_draw_mark(sheet);
}

/* Later pieces lie above earlier ones: the mark on its cell, and the whole label above the names of
 * the sentences, which it may hide. */
static enum status matrix_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                               struct error *error)
{
    (void)error; /* nothing here can fail */
    struct matrix_sheet sheet = matrix_sheet(scene, canvas, area);
    matrix_lay_out(&sheet);
    matrix_draw_map(&sheet);
    grid_draw_labels(&sheet.grid, canvas, area.y, true, matrix_label, scene);
    matrix_draw_sentences(&sheet);
    draw_direction(&sheet);
    draw_whole_label(&sheet);
    grid_draw_more(&sheet.grid, canvas);
    draw_numbers(scene, canvas, area);
    return STATUS_OK;
}

static enum status matrix_stage(const struct scene *scene, struct canvas *canvas, struct area area,
                                struct error *error)
{
    if (matrix_draw_large(scene, canvas, area))
        return STATUS_OK;
    matrix_legend(scene, canvas, area);
    return matrix_draw(scene, canvas, area, error);
}

/* ---- Keys ---- */

/* Here arrows move in two directions, so they come first. */
static const char *matrix_hints(const struct scene *scene)
{
    if (scene_is_pinned(scene))
        return "↑↓: row; ←→: column; Enter: unpin; { }: layer; 0-9: head; r: which heads";
    if (scene_token(scene, scene->look.side) != NO_TOKEN)
        return "↑↓: row; ←→: column; Enter: heaviest; { }: layer; 0-9: head; e: edit";
    return "↑↓: row; ←→: column; Enter: choose; { }: layer; 0-9: head; e: edit";
}

/* Rows are attending tokens, columns attended ones. */
static enum acted matrix_act(struct scene *scene, enum action action, struct error *error)
{
    (void)error;
    bool across = action == ACTION_LEFT || action == ACTION_RIGHT;
    int steps = across ? (action == ACTION_RIGHT ? 1 : -1) : action_steps(action);
    if (steps == 0 || abs(steps) == ACTION_END)
        return ACT_PASSED;
    scene->look.side = across ? SIDE_RIGHT : SIDE_LEFT;
    scene_move_cursor(scene, steps);
    scene->look.side = scene->look.to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
    return ACT_DONE;
}

static void matrix_says(const struct scene *scene, struct sentence *sentence)
{
    if (!sentence_say_head(scene, sentence))
        sentence_say_edge(scene, sentence);
}

const struct view matrix_view = {
    .title = "Matrix",
    .about = "one head as a heat map: rows attend to columns",
    .meaning = ROWS " · " COLUMNS " · fuller: more",
    .mouse = "a cell, a token",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_HEADS | SHOWN_TONE | SHOWN_MEAN | SHOWN_PIECES | SHOWN_MAP | SHOWN_QUERY,
    .draw = matrix_draw,
    .stage = matrix_stage,
    .act = matrix_act,
    .hints = matrix_hints,
    .legend = matrix_legend,
    .says = matrix_says,
};
