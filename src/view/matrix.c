/* matrix.c: the matrix view. One head as a heat map: a row for each attending token, a column for
 * each attended one, and a number in each cell where there is room; below it the scale, and the
 * numbers of the chosen cell. The largest cells that all fit are chosen; where none do, the
 * smallest scroll with the cursor, (look.from, look.to), on both axes. */
#include "headlight/view/matrix.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/lens/metrics.h"
#include "headlight/view/caption.h"
#include "headlight/view/sentence.h"
#include "headlight/view/views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALE_COLUMNS 30 /* with its words */
#define LEGEND_ROWS   12 /* in so few rows of the area there is no legend */
#define SPARED_FROM   4  /* rows; of more one is spared */
#define BARE_ROWS     3  /* of a figure: the axis' name, a blank row, the scale */

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
    const bool bare = sheet->canvas->bare;
    const int around = bare ? BARE_ROWS : sheet->area.rows > LEGEND_ROWS ? 2 : 1;
    return (struct grid_room){.columns = sheet->area.columns - sheet->grid.label_width - 8,
                              .rows = sheet->area.rows - around,
                              .across = to.end - to.first,
                              .down = from.end - from.first,
                              .across_parts = to.first < column && column < to.end,
                              .down_parts = from.first < row && row < from.end,
                              .widest = scene_label_width(scene, sheet->canvas, CANVAS_MAX),
                              .tallest = tallest,
                              .label_rows = sheet->area.rows / 4,
                              .upright_below = 7,
                              .bare = bare};
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
    const bool bare = sheet->canvas->bare;
    grid->aside = 2 - bare;
    grid->label_width = scene_label_width(scene, sheet->canvas,
                                          bare                   ? CANVAS_MAX
                                          : area->columns >= 110 ? 20
                                                                 : 10);
    const struct grid_room room = room_for(sheet);
    grid_choose(grid, &room, sizes, sizeof sizes / sizeof *sizes);
    int across = (int)room.across * grid->cell.columns + room.across_parts;
    int down = (int)room.down * grid->cell.rows + room.down_parts;
    int rows = room.rows - grid->label_rows;
    int shift = bare ? 0 : int_max(room.columns - across, 0) / 2;
    int above = bare || (rows > SPARED_FROM ? down != rows : down < rows);
    /* the cell to look at is on screen, whether it is chosen or named */
    struct edge edge;
    const bool named = sentence_names_edge(scene, &edge);
    grid->row =
        grid_axis(scene_range(scene, SIDE_LEFT), scene_boundary(scene, SIDE_LEFT),
                  area->y + grid->label_rows + above, rows - (above && !bare), grid->cell.rows,
                  named ? edge.from : scene_anchor(scene, SIDE_LEFT, SIDE_LEFT));
    grid->column =
        grid_axis(scene_range(scene, SIDE_RIGHT), scene_boundary(scene, SIDE_RIGHT),
                  area->x + 6 + grid->label_width + shift, room.columns, grid->cell.columns,
                  named ? edge.to : scene_anchor(scene, SIDE_RIGHT, SIDE_RIGHT));
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

/* ---- The scale and the line of numbers ---- */

/* What the picture means, for the legend and for the help. */
#define ROWS    "rows: who attends (query)"
#define COLUMNS "columns: to what (key)"

/* "weight 0 ▒▒▒▒ 0.215 ▒▒▒▒ 0.862" at the right end: the shades of weights, or of their shares of a
 * row's largest. Returns where it begins. */
static int draw_scale(const struct scene *scene, struct canvas *canvas, struct area area, int y)
{
    bool shares = scene->look.tone == TONE_ROW;
    enum map_kind kind = scene->data.map->kind;
    struct ink hue = scene_signs(scene, canvas) ? ink_full(ROLE_POSITIVE)
                                                : scene_ink(scene, scene->look.head, STYLE_FULL);
    const struct shades shades = matrix_sheet(scene, canvas, area).shades;
    const struct weight_text full = scene_scale(scene, shades.largest);
    const float share = edge_weight(scene->look.tone, 0.25F, 1);
    const struct weight_text middle =
        scene_scale(scene, shares ? share : shades.least + share * (shades.largest - shades.least));
    const char *most = shares ? "1" : full.text;
    char label[48];
    snprintf(label, sizeof label, "%s %.*f",
             shares                   ? "share"
             : kind == MAP_WEIGHTS    ? "weight"
             : kind == MAP_DIFFERENCE ? "change"
                                      : map_info(kind)->name,
             matrix_shows_similarity(scene) && !shares ? 3 : 0, shares ? 0 : (double)shades.least);
    int width = (int)(strlen(label) + strlen(most)) + GRID_RAMP + 2;
    const int ticked = width + (int)strlen(middle.text) + 2;
    const int words = canvas->bare ? 0 : (int)strlen(ROWS COLUMNS) + 2 * CAPTION_GAP + 2;
    const bool ticks = ticked + words <= area.columns - 2;
    width = ticks ? ticked : width;
    struct pen pen = {canvas, y, area.x + area.columns - 2 - width, area.x + area.columns - 2};
    grid_draw_scale(&pen, (struct ink){0}, hue, label, ticks ? middle.text : NULL, most);
    return pen.end - width;
}

/* What the numbers are: of another map than that of the weights, and its signs. */
static void matrix_legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, 0};
    const struct map_info *map = map_info(scene->data.map->kind);
    const char *signs = scene_signs(scene, canvas);
    char meaning[128];
    bool weights = scene->data.map->kind == MAP_WEIGHTS;
    snprintf(meaning, sizeof meaning, "%s: %s", map->name, scene_map_meaning(scene));
    const char *const parts[] = {weights ? ROWS : meaning, weights ? COLUMNS : signs ? signs : ""};
    if (area.rows <= LEGEND_ROWS || canvas->bare)
        return;
    pen.end = draw_scale(scene, canvas, area, area.y + area.rows - 2) - CAPTION_GAP;
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

/* Of a figure: what rows and columns are, and the scale, from the least where there are signs. */
static void matrix_draw_around(const struct matrix_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const struct weight_text full = scene_scale(scene, sheet->shades.largest);
    const int last = sheet->area.y + sheet->area.rows - 1, end = grid_stop(&sheet->grid.column);
    struct area area = sheet->area;
    struct pen pen = {sheet->canvas, last, area.x + 2, area.x + area.columns - 2};
    char least[48], most[24];
    grid_draw_axes(&sheet->grid, sheet->canvas, scene_axis(scene, SIDE_LEFT),
                   scene_axis(scene, SIDE_RIGHT));
    area.columns = int_max(end - area.x, SCALE_COLUMNS) + 2;
    if (!scene_signs(scene, sheet->canvas) || matrix_shows_similarity(scene) ||
        scene->look.tone == TONE_ROW) {
        draw_scale(scene, sheet->canvas, area, last);
        return;
    }
    snprintf(least, sizeof least, "%s -%s", map_info(scene->data.map->kind)->name, full.text);
    snprintf(most, sizeof most, "+%s", full.text);
    grid_draw_scale(&pen, ink_full(ROLE_NEGATIVE), ink_full(ROLE_POSITIVE), least, NULL, most);
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
    grid_draw_more(&sheet.grid, canvas);
    if (canvas->bare) {
        matrix_draw_around(&sheet);
        return STATUS_OK;
    }
    matrix_draw_sentences(&sheet);
    const int y = sheet.grid.row.origin - 1, end = sheet.grid.column.origin - 2,
              room = end - sheet.area.x;
    const bool one = room >= (int)strlen("attends to >");
    if (!one && sheet.grid.label_rows > 1)
        canvas_text_right(canvas, y - 1, end, room, style_of(ROLE_FAINT), "attends");
    canvas_text_right(canvas, y, end, room, style_of(ROLE_FAINT), one ? "attends to →" : "to →");
    draw_whole_label(&sheet);
    draw_numbers(scene, canvas, area);
    return STATUS_OK;
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

const struct view matrix_view = {
    .title = "Matrix",
    .about = "one head as a heat map: rows attend to columns",
    .meaning = ROWS " · " COLUMNS " · fuller: more",
    .mouse = "a cell, a token",
    .heads = HEADS_CURSOR,
    .shown =
        SHOWN_BARE | SHOWN_HEADS | SHOWN_TONE | SHOWN_MEAN | SHOWN_PIECES | SHOWN_MAP | SHOWN_QUERY,
    .draw = matrix_draw,
    .act = matrix_act,
    .hints = matrix_hints,
    .legend = matrix_legend,
    .table = connections_table,
    .says = sentence_say_attention,
};
