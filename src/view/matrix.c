/* matrix.c: the matrix view. One head as a heat map: a row for each attending token, a column for
 * each attended one, and a number in each cell where there is room; below it the scale, and the
 * numbers of the chosen cell. The largest cells that all fit are chosen; where none do, the
 * smallest scroll with the cursor, (look.from, look.to), on both axes. */
#include "headlight/view/grid.h"
#include "headlight/view/views.h"

#include <stdlib.h>

#define SCALE_COLUMNS  30 /* with its words */
#define LEGEND_ROWS    12 /* in so few rows of the area there is no legend */
#define SPARED_FROM    4  /* rows; of more one is spared */
#define NUMBER_COLUMNS 5  /* the narrowest cell that holds ".42" between two brackets */
#define PALEST         0.02F
#define HATCH_STEP     4 /* columns between the lines over what can't be seen */

/* What the shades of a map, or of a row, begin and end with. */
struct shades {
    float least, largest;
};

/* The view as it is drawn. */
struct matrix_sheet {
    const struct scene *scene;
    struct canvas *canvas;
    struct area area;
    struct named named; /* to look at */
    struct area block;  /* of it, labels and cells */
    struct grid grid;
    struct shades shades; /* of the map's weights: the scale begins and ends with them */
};

/* ---- Weights ---- */

/* Vectors of a text are all alike, and each is most like itself: between 0 and 1 all cells would
 * have one shade. */
static bool matrix_shows_similarity(const struct scene *scene)
{
    return !scene->data.mean && scene->data.map->kind == MAP_SIMILARITY;
}

/* Of what the filter leaves: a heavier weight outside it would make the rest faint; of cosines
 * without those in the diagonal, and without a row that sees one token alone, whose weight is 1
 * anyway. 0 to 0 without tokens. */
static struct shades shades_of(const struct scene *scene, struct token_range from)
{
    const struct token_range to = scene_range(scene, SIDE_RIGHT);
    const bool cosines = matrix_shows_similarity(scene);
    struct shades shades = {cosines ? 1 : 0, cosines ? -1 : 0};
    for (size_t i = from.first; i < from.end && to.first < to.end; i++) {
        const float *row = scene_row(scene, scene->look.head, i) + to.first;
        const float largest = cosines ? -1 : edge_largest(row, to.end - to.first);
        const struct token_range visible = scene_visible(scene, i);
        if (largest < 1 || visible.end - visible.first > 1 || from.end - from.first == 1)
            shades.largest = fmaxf(shades.largest, largest);
        for (size_t j = to.first; cosines && j < to.end; j++) {
            const float value = scene_value(scene, scene->look.head, i, j);
            shades.least = i == j ? shades.least : fminf(shades.least, value);
            shades.largest = i == j ? shades.largest : fmaxf(shades.largest, value);
        }
    }
    return shades.least <= shades.largest ? shades : (struct shades){0, 0};
}

/* The shades of a row: its own, or the map's, with which the scale below the map ends. */
static struct shades row_shades(const struct matrix_sheet *sheet, size_t from)
{
    const struct scene *scene = sheet->scene;
    if (scene->look.tone != TONE_ROW)
        return sheet->shades;
    if (matrix_shows_similarity(scene))
        return shades_of(scene, (struct token_range){from, from + 1});
    return (struct shades){
        0, edge_largest(scene_row(scene, scene->look.head, from), scene_count(scene, SIDE_RIGHT))};
}

/* A cell's shade, in thousandths. A row of zeros has none; the least of cosines, which is not
 * nothing, has the palest. */
static unsigned matrix_shade(const struct matrix_sheet *sheet, const struct edge *edge,
                             struct shades shades)
{
    const struct scene *scene = sheet->scene;
    const float room = shades.largest - shades.least;
    float share = scene_weight(scene, edge->head, edge->from, edge->to);
    if (matrix_shows_similarity(scene))
        share = fmaxf(scene_value(scene, edge->head, edge->from, edge->to) - shades.least,
                      PALEST * room);
    return edge_shade(scene->look.tone, room > 0 ? share / room : 0, 1);
}

/* ---- Cells ---- */

/* In the cursor's row and column numbers are bold, and cells without room for one have a dot. A 0
 * that is rounded, where the hue has a sign, would contradict it. On a projector what the sentence
 * doesn't name is grey, as full as before: the scale holds for both. */
static void matrix_draw_cell(const struct matrix_sheet *sheet, const struct edge *edge,
                             struct shades shades, bool visible)
{
    const struct scene *scene = sheet->scene;
    struct canvas *canvas = sheet->canvas;
    struct area cell = grid_cell(&sheet->grid, edge->from, edge->to);
    unsigned shade = matrix_shade(sheet, edge, shades);
    bool across = edge->from == scene->look.from, crossing = across || edge->to == scene->look.to;
    canvas_mark(canvas, cell, hit_pair(edge->from, edge->to, true));
    if (grid_level(shade) == 0) {
        /* in the row or the column of the cursor a grey ground, or a thin line; over what the head
         * can't see a hatch, which goes on from cell to cell: as faint as anything may be, but on
         * that ground */
        const struct style blank = grid_blank(canvas, cell, crossing),
                           hatch = crossing ? blank : style_legible((struct ink){ROLE_FAINT, 0});
        const int middle = cell.y + (cell.rows - 1) / 2, centre = cell.x + (cell.columns - 1) / 2;
        const bool lined = visible && crossing && grid_by_glyph(canvas);
        for (int y = cell.y; y < cell.y + cell.rows; y++)
            for (int x = cell.x; x < cell.x + cell.columns; x++)
                if (!visible && (x + y) % int_min(cell.columns, HATCH_STEP) == 0)
                    canvas_text(canvas, y, x, 1, hatch, "╱");
                else if (lined && (across ? y == middle : x == centre))
                    canvas_text(canvas, y, x, 1, blank, across ? "─" : "│");
        const struct cell *place = canvas_at(canvas, middle, centre);
        struct style style = style_of(ROLE_WARNING);
        style.back = place ? place->style.back : style.back;
        if (scene_is_cut(scene, edge->head, edge->from, edge->to))
            grid_write(canvas, cell, style, "×");
        return;
    }
    struct ink hue = scene_edge_ink(scene, edge, STYLE_FULL);
    const bool roomy = cell.columns >= NUMBER_COLUMNS, is_signed = scene_signs(scene, canvas),
               named = sentence_is_of(scene, &sheet->named, edge);
    if (scene->look.presented && sheet->named.kind && !named && (roomy || !is_signed))
        hue.role = ROLE_FAINT;
    struct style style = grid_fill(canvas, cell, hue, shade, crossing || named);
    const int columns = cell.columns >= 8 ? 5 : cell.columns >= 6 ? 4 : 3;
    const double value = (double)scene_value(scene, edge->head, edge->from, edge->to);
    const struct weight_text number = scene_number_of(scene, value, columns);
    const bool nothing = is_signed && !strpbrk(number.text, "123456789");
    if (roomy && (int)strlen(number.text) < cell.columns && !nothing)
        grid_write(canvas, cell, style, number.text);
    else if (canvas->traits.mono && !grid_by_glyph(canvas) && is_signed)
        grid_write(canvas, cell, style, value < 0 ? "-" : "+");
    else if (crossing && !grid_by_glyph(canvas))
        grid_write(canvas, cell, style, "·");
}

/* ---- Where it stands ---- */

/* Both sentences count as one axis with a gap. Upright labels are for cells too narrow for words:
 * from seven columns on they would waste rows. Cells that fit may be centred across; then a spare
 * row goes above, for the names of the sentences and of the cursor's column; where the rows scroll,
 * one is spared. Sizes go from cells that hold "0.417" to cells that hold a glyph. */
static void matrix_lay_out(struct matrix_sheet *sheet, bool centred)
{
    static const struct grid_cell sizes[] = {{12, 6}, {10, 5}, {8, 4}, {8, 3}, {6, 3},
                                             {7, 2},  {5, 2},  {4, 2}, {5, 1}, {2, 1}};
    const struct scene *scene = sheet->scene;
    struct grid *grid = &sheet->grid;
    const struct area *block = &sheet->block;
    grid->aside = centred ? 2 : 1;
    grid->label_width = scene_label_width(scene, sheet->canvas, block->columns >= 110 ? 20 : 10);
    const struct token_range from = scene_range(scene, SIDE_LEFT),
                             to = scene_range(scene, SIDE_RIGHT);
    const size_t row = scene_boundary(scene, SIDE_LEFT), column = scene_boundary(scene, SIDE_RIGHT);
    struct grid_room room = {.columns = sheet->area.columns - grid->label_width - 8,
                             .rows = block->rows,
                             .across = to.end - to.first,
                             .down = from.end - from.first,
                             .across_parts = to.first < column && column < to.end,
                             .down_parts = from.first < row && row < from.end,
                             .widest = scene_label_width(scene, sheet->canvas, CANVAS_MAX),
                             .tallest = 1,
                             .label_rows = sheet->area.rows / 4,
                             .upright_below = 7};
    for (size_t token = to.first; token < to.end; token++)
        room.tallest =
            int_max(room.tallest,
                    grid_upright_rows(sheet->canvas, scene_drawn(scene, SIDE_RIGHT, token).text));
    grid_choose(grid, sheet->canvas, &room, sizes, LENGTH(sizes));
    int across = (int)room.across * grid->cell.columns + room.across_parts;
    int down = (int)room.down * grid->cell.rows + room.down_parts;
    int rows = room.rows - grid->label_rows;
    int shift = centred ? int_max(room.columns - across, 0) / 2 : 0;
    int above = centred && (rows > SPARED_FROM ? down != rows : down < rows);
    /* the cell to look at is on screen, whether it is chosen or named */
    const struct edge *edge = &sheet->named.edge;
    const bool named = sheet->named.kind == METRIC_PAIR;
    grid->row =
        grid_axis(from, row, block->y + grid->label_rows + above, rows - above, grid->cell.rows,
                  named ? edge->from : scene_anchor(scene, SIDE_LEFT, SIDE_LEFT));
    grid->column = grid_axis(to, column, block->x + 6 + grid->label_width + shift, room.columns,
                             grid->cell.columns,
                             named ? edge->to : scene_anchor(scene, SIDE_RIGHT, SIDE_RIGHT));
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

/* ---- The scale and the line of numbers ---- */

/* What the picture means, for the legend and for the help. */
#define ROWS    "rows: who attends (query)"
#define COLUMNS "columns: to what (key)"

/* "weight 0 ▒▒▒▒ 0.215 ▒▒▒▒ 0.862" up to a column, behind so many columns of words: the shades of
 * weights, or of their shares of a row's largest; from the least where there are signs. Returns
 * where it begins. */
static int draw_scale(const struct matrix_sheet *sheet, int y, int end, int words)
{
    const struct scene *scene = sheet->scene;
    struct canvas *canvas = sheet->canvas;
    const bool shares = scene->look.tone == TONE_ROW, cosines = matrix_shows_similarity(scene);
    const bool is_signed = scene_signs(scene, canvas), below = is_signed && !cosines;
    struct ink hue =
        is_signed ? ink_full(ROLE_POSITIVE) : scene_ink(scene, scene->look.head, STYLE_FULL);
    const struct shades shades = sheet->shades;
    const struct weight_text full = scene_scale(scene, shades.largest);
    const float share = edge_weight(scene->look.tone, 0.25F, 1);
    const struct weight_text middle =
        scene_scale(scene, shares ? share : shades.least + share * (shades.largest - shades.least));
    char label[64], least[32], most[32];
    snprintf(least, sizeof least, "%.*f", cosines ? 3 : 0, (double)shades.least);
    snprintf(most, sizeof most, "%s%s", below ? "+" : "", shares ? "1" : full.text);
    snprintf(label, sizeof label, "%s %s%s", shares ? "share" : table_value_name(scene),
             below ? "-" : "",
             below    ? most + 1
             : shares ? "0"
                      : least);
    int width = (int)(strlen(label) + strlen(most)) + GRID_RAMP + 2;
    const int ticked = width + (int)strlen(middle.text) + 2;
    const bool ticks = !below && ticked + words <= end - sheet->area.x;
    width = ticks ? ticked : width;
    struct pen pen = {canvas, y, end - width, end};
    grid_draw_scale(&pen, below ? ink_full(ROLE_NEGATIVE) : (struct ink){0}, hue, label,
                    ticks ? middle.text : NULL, most);
    return end - width;
}

/* What the numbers are: of another map than that of the weights, and its signs. */
static void matrix_draw_legend(const struct matrix_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const struct area area = sheet->area;
    struct pen pen = {sheet->canvas, area.y + area.rows - 2, area.x + 2, 0};
    const struct map_info *map = &map_infos[scene->data.map->kind];
    const char *signs = scene_signs(scene, sheet->canvas);
    char meaning[128], rows[40] = ROWS;
    bool weights = scene->data.map->kind == MAP_WEIGHTS;
    if (scene_reading(scene))
        snprintf(rows, sizeof rows, "rows: %s", scene_reading(scene));
    if (area.rows <= LEGEND_ROWS)
        return;
    pen.end = draw_scale(sheet, pen.y, area.x + area.columns - 2,
                         (int)strlen(ROWS COLUMNS) + 2 * CAPTION_GAP + 2) -
              CAPTION_GAP;
    snprintf(meaning, sizeof meaning, "%s: %s", map->name, scene_map_meaning(scene));
    if (canvas_width(sheet->canvas, meaning) > pen.end - pen.x) /* the scale has the name, too */
        snprintf(meaning, sizeof meaning, "%s", scene_map_meaning(scene));
    const char *unseen = scene_is_masked(scene) ? "hatched: " UNSEEN : "";
    const bool brief = pen.end - pen.x < (int)strlen(ROWS COLUMNS) + CAPTION_GAP +
                                             (*unseen ? (int)strlen(unseen) + CAPTION_GAP : 0);
    const char *const parts[] = {!weights ? meaning
                                 : brief  ? "rows attend to columns"
                                          : rows,
                                 weights ? (brief ? "" : COLUMNS)
                                 : signs ? signs
                                         : "",
                                 unseen};
    caption_parts(&pen, parts, 3, true);
}

/* A row's entropy at the right end, where there is room, if it sums to 1: not where tokens that
 * have a part of it are hidden. */
static void draw_entropy(const struct scene *scene, const struct pen *pen, size_t from)
{
    enum map_kind kind = scene->data.map->kind;
    size_t columns = scene_count(scene, SIDE_RIGHT);
    const float *row = scene_row(scene, scene->look.head, from);
    double bits = metrics_entropy(row, columns), sum = 0;
    int room = pen->end - pen->x - CAPTION_GAP;
    char text[64];
    for (size_t to = 0; to < columns; to++)
        sum += (double)row[to];
    if ((kind != MAP_WEIGHTS && kind != MAP_ROLLOUT && kind != MAP_PLAIN) || fabs(sum - 1) > 0.001)
        return;
    const struct token_range visible = scene_visible(scene, from); /* by which it can be divided */
    const size_t most = kind == MAP_WEIGHTS ? visible.end - visible.first : columns;
    snprintf(text, sizeof text, "row entropy %.2f of %.2f bits", bits, log2((double)most));
    if ((int)strlen(text) > room)
        snprintf(text, sizeof text, "entropy %.2f bits", bits);
    if ((int)strlen(text) <= room)
        canvas_text_right(pen->canvas, pen->y, pen->end, room, style_of(ROLE_FAINT), text);
}

/* The block with its labels. Rows have their own shades
 * for TONE_ROW, so they are measured once a row, not once a cell. There is a gap between two
 * sentences only while both are on screen: a faint line. */
static struct matrix_sheet draw_block(const struct scene *scene, struct canvas *canvas,
                                      struct area area)
{
    const bool figure = canvas->bare;
    const int around = figure ? 3 : area.rows > LEGEND_ROWS ? 2 : 1;
    struct matrix_sheet sheet = {
        scene, canvas, area, .block = {area.y + figure, area.x, area.rows - around, area.columns},
        .shades = shades_of(scene, scene_range(scene, SIDE_LEFT))};
    sheet.named = sentence_names(scene);
    matrix_lay_out(&sheet, !figure);
    const struct grid_axis *row = &sheet.grid.row, *column = &sheet.grid.column;
    const struct style style = {.fore = {ROLE_FAINT, 9}, .back = {ROLE_GROUND, 0}};
    for (size_t from = row->shown.first; from < row->shown.end; from++) {
        const struct shades shades = row_shades(&sheet, from);
        const struct token_range visible = scene_visible(scene, from);
        for (size_t to = column->shown.first; to < column->shown.end; to++) {
            const struct edge edge = scene_edge(scene, scene->look.head, from, to);
            matrix_draw_cell(&sheet, &edge, shades, to >= visible.first && to < visible.end);
        }
    }
    for (int x = column->origin; row->boundary > 0 && x < grid_stop(column); x++)
        canvas_text(canvas, grid_at(row, row->boundary) - 1, x, 1, style, "─");
    for (int y = row->origin; column->boundary > 0 && y < grid_stop(row); y++)
        canvas_text(canvas, y, grid_at(column, column->boundary) - 1, 1, style, "│");
    /* brackets, or the corners of a frame, around the cell to look at; where the cell is too narrow
     * for brackets beside its glyphs, they go on its neighbours */
    const struct edge edge = sheet.named.edge;
    if (sheet.named.kind == METRIC_PAIR && grid_shows(row, edge.from) &&
        grid_shows(column, edge.to)) {
        const struct area cell = grid_cell(&sheet.grid, edge.from, edge.to);
        const unsigned shade = matrix_shade(&sheet, &edge, row_shades(&sheet, edge.from));
        const int out = grid_by_glyph(canvas) && cell.columns < NUMBER_COLUMNS;
        const bool framed = cell.rows > 2; /* else the row of the number alone has brackets */
        struct style mark = style_bold(ROLE_STRONG);
        if (!grid_by_glyph(canvas) && grid_level(shade) > 0)
            mark = grid_style(canvas, scene_edge_ink(scene, &edge, STYLE_FULL), shade, true);
        else if (!grid_by_glyph(canvas))
            mark.back = GRID_CROSSING;
        for (int i = 0; i < (framed ? cell.rows : 1); i++) {
            const bool top = i == 0, bottom = i == cell.rows - 1;
            canvas_text(canvas, cell.y + i, cell.x - out, 1, mark,
                        !framed  ? "["
                        : top    ? "┌"
                        : bottom ? "└"
                                 : "│");
            canvas_text(canvas, cell.y + i, cell.x + cell.columns - 1 + out, 1, mark,
                        !framed  ? "]"
                        : top    ? "┐"
                        : bottom ? "┘"
                                 : "│");
        }
    }
    grid_draw_labels(&sheet.grid, canvas, area.y, true, matrix_label, scene);
    grid_draw_more(&sheet.grid, canvas);
    return sheet;
}

/* The legend, where there is one, and the numbers take a row each. Above a figure are the names of
 * the axes, in the last row, below a blank one, the scale. */
static void matrix_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct matrix_sheet sheet = draw_block(scene, canvas, area);
    if (canvas->bare) {
        grid_draw_axes(&sheet.grid, canvas, scene_axis(scene, SIDE_LEFT),
                       scene_axis(scene, SIDE_RIGHT));
        draw_scale(&sheet, area.y + area.rows - 1,
                   int_max(grid_stop(&sheet.grid.column), area.x + SCALE_COLUMNS), 0);
        return;
    }
    /* "A" and "B" stand at the first token of each sentence: beside the rows, and above the columns
     * where there is a row for them */
    const struct grid_axis *row = &sheet.grid.row, *column = &sheet.grid.column;
    const struct style style = style_bold(ROLE_FAINT);
    const int x = column->origin - sheet.grid.label_width - 5,
              above = row->origin - sheet.grid.label_rows - 1;
    for (size_t token = row->shown.first; token < row->shown.end; token++)
        canvas_text(canvas, grid_at(row, token) + (row->size - 1) / 2, x, 1, style,
                    scene_sentence(scene, SIDE_LEFT, token));
    for (size_t token = column->shown.first; token < column->shown.end; token++)
        if (above >= area.y && token != scene->look.to)
            canvas_text(canvas, above, grid_at(column, token) + (column->size - 1) / 2, 1, style,
                        scene_sentence(scene, SIDE_RIGHT, token));
    const int y = row->origin - 1, end = column->origin - 2, room = end - area.x;
    const bool one = room >= (int)strlen("attends to >"), alike = scene_pairs_once(scene);
    if (!one && !alike && sheet.grid.label_rows > 1)
        canvas_text_right(canvas, y - 1, end, room, style_of(ROLE_FAINT), "attends");
    canvas_text_right(canvas, y, end, room, style_of(ROLE_FAINT),
                      alike ? map_infos[scene->data.map->kind].name
                      : one ? "attends to →"
                            : "to →");
    matrix_draw_legend(&sheet);
    /* the last row: the chosen pair, its place, its score and its row's entropy, as far as they fit
     */
    struct edge edge;
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    if (!caption_edge(scene, &pen, &edge))
        return;
    /* the score behind a weight (q·k, divided and masked, before the softmax), unless the weight
     * was merged, rescaled or averaged */
    const struct trace *trace = scene->data.trace;
    if (trace->layer[scene->look.layer].scores && !scene->data.mean &&
        scene->data.map->kind == MAP_WEIGHTS && !scene->data.attention->owned &&
        pen.end - pen.x >= (int)strlen("   score +123.45")) {
        const float score =
            trace_score(trace, scene->look.layer, scene->look.head, edge.from, edge.to);
        pen_write(&pen, trace_is_masked(score) ? "   score {masked}" : "   score {%+.2f}",
                  (double)score);
    }
    draw_entropy(scene, &pen, edge.from);
}

/* ---- Keys ---- */

/* Here arrows move in two directions, so they come first. */
static const char *matrix_hints(const struct scene *scene)
{
    if (scene_is_pinned(scene))
        return "↑↓: row; ←→: column; Enter: unpin; { }: layer; 0-9: head; r: which heads";
    if (scene_token(scene, scene->look.side) != NO_TOKEN)
        return "↑↓: row; ←→: column; Enter: heaviest; { }: layer; 0-9: head; e: edit";
    return scene->data.map->kind == MAP_CONTACTS
               ? "↑↓: row; ←→: column; Enter: choose; r: which heads; e: edit"
               : "↑↓: row; ←→: column; Enter: choose; { }: layer; 0-9: head; e: edit";
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
    .shown = SHOWN_HEADS | SHOWN_TONE | SHOWN_MEAN | SHOWN_PIECES | SHOWN_MAP | SHOWN_QUERY |
             SHOWN_LIST | SHOWN_COLUMNS,
    .draw = matrix_draw,
    .act = matrix_act,
    .hints = matrix_hints,
    .table = connections_table,
    .says = sentence_say_attention,
};
