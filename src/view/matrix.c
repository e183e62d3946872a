#include "headlight/view/matrix.h"

#include "headlight/base/size.h"
#include "headlight/lens/metrics.h"
#include "headlight/view/caption.h"
#include "headlight/view/matrix_labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WEIGHT_LEAST   10 /* thousandths; a lighter cell is empty */
#define NUMBER_COLUMNS 5  /* the narrowest cell that holds ".42" between two brackets */
#define RAMP           8  /* cells of the scale */
#define GAP            3  /* columns between the pieces of a line */

/* ---- Strength ---- */

unsigned matrix_level(unsigned weight)
{
    if (weight < WEIGHT_LEAST)
        return 0;
    double root = sqrt(weight < EDGE_WHOLE ? weight / (double)EDGE_WHOLE : 1);
    return (unsigned)lround(2 + (STYLE_FULL - 2) * root);
}

unsigned matrix_step(unsigned weight)
{
    static const unsigned from[] = {WEIGHT_LEAST, 200, 450, 750};
    unsigned step = 0;
    while (step < sizeof from / sizeof *from && weight >= from[step])
        step++;
    return step;
}

/* A row of the map: [C] weights. */
static const float *weights_of(const struct scene *scene, size_t from)
{
    const struct data *data = &scene->data;
    if (data->mean)
        return attention_row(data->mean, 0, 0, from);
    return attention_row(data->attention, scene->look.layer,
                         scene_is_single(scene) ? 0 : scene->look.head, from);
}

/* The largest weight of the map, with which the scale ends. */
static float largest_of(const struct scene *scene)
{
    struct token_range from = scene_range(scene, SIDE_LEFT), to = scene_range(scene, SIDE_RIGHT);
    float largest = 0;
    for (size_t i = from.first; i < from.end && to.first < to.end; i++)
        largest = fmaxf(largest, edge_largest(weights_of(scene, i) + to.first, to.end - to.first));
    return largest;
}

/* A row, and the weight that has the full shade: the row's largest or the map's. */
struct row {
    const float *weights;
    float full;
};

static struct row row_of(const struct scene *scene, float largest, size_t from)
{
    struct row row = {weights_of(scene, from), largest};
    if (scene->look.tone == TONE_ROW)
        row.full = edge_largest(row.weights, scene_count(scene, SIDE_RIGHT));
    return row;
}

/* A cell's shade, in thousandths. */
static unsigned shade_of(const struct scene *scene, const struct row *row, size_t to)
{
    float share = row->full > 0 ? row->weights[to] / row->full : 0;
    return edge_shade(scene->look.tone, share, 1);
}

/* Whether glyphs show the shade, because there are too few colours to show it by brightness. */
static bool by_glyph(const struct canvas *canvas)
{
    return canvas->traits.mono || canvas->traits.glyphs != GLYPHS_BRAILLE;
}

static struct glyph shade_glyph(const struct canvas *canvas, unsigned weight)
{
    static const char *const blocks[] = {" ", "░", "▒", "▓", "█"};
    static const char *const ascii[] = {" ", ".", ":", "+", "#"};
    struct glyph glyph = {.text = " ", .width = 1};
    unsigned step = matrix_step(weight);
    if (by_glyph(canvas))
        strcpy(glyph.text, canvas_ascii(canvas) ? ascii[step] : blocks[step]);
    return glyph;
}

static struct style shade_style(const struct canvas *canvas, struct ink hue, unsigned weight)
{
    struct style style = style_of(ROLE_TEXT);
    struct ink ink = hue;
    ink.level = (uint8_t)matrix_level(weight);
    if (by_glyph(canvas)) { /* the glyph shows it: the ink must not fade it as well */
        style.fore = ink;
        style.fore.level = (uint8_t)size_max(ink.level, 8);
    } else if (ink.level > 0)
        style.back = ink;
    return style;
}

static struct style on_shade(struct style shade)
{
    return (struct style){.fore = ink_full(ROLE_READABLE), .back = shade.back, .bold = true};
}

/* ---- Cells ---- */

/* An empty cell in the row or the column of the cursor: a grey ground, or a thin line. */
static void draw_crossing(struct canvas *canvas, struct area cell, bool across)
{
    struct style style = style_of(ROLE_FAINT);
    if (!by_glyph(canvas)) {
        style.back = (struct ink){ROLE_TEXT, 2};
        canvas_fill(canvas, cell, style);
        return;
    }
    int middle = (cell.columns - 1) / 2, y = cell.y + (cell.rows - 1) / 2;
    for (int x = 0; x < cell.columns && across; x++)
        canvas_text(canvas, y, cell.x + x, 1, style, "─");
    for (y = cell.y; y < cell.y + cell.rows && !across; y++)
        canvas_text(canvas, y, cell.x + middle, 1, style, "│");
}

/* On whatever ground the cell has. */
static void draw_cut(struct canvas *canvas, struct area cell)
{
    int y = cell.y + (cell.rows - 1) / 2, x = cell.x + (cell.columns - 1) / 2;
    const struct cell *place = canvas_at(canvas, y, x);
    struct style style = style_of(ROLE_WARNING);
    if (place)
        style.back = place->style.back;
    canvas_text(canvas, y, x, 1, style, "×");
}

/* As many digits as the cell has room for: ".42", "0.42", "0.417". */
static void draw_number(const struct scene *scene, struct canvas *canvas, struct area cell,
                        struct style style, size_t from, size_t to)
{
    struct edge edge = {
        .from = (uint32_t)from, .to = (uint32_t)to, .head = (uint16_t)scene->look.head};
    edge.weight = (uint16_t)edge_thousandths(scene_weight(scene, edge.head, from, to));
    struct weight_text number = scene_number_in(scene, &edge,
                                                cell.columns >= 8   ? 5
                                                : cell.columns >= 6 ? 4
                                                                    : 3);
    int width = (int)strlen(number.text);
    if (width < cell.columns)
        canvas_text(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - width) / 2,
                    width, style, number.text);
}

static struct area cell_area(const struct matrix_layout *layout, size_t from, size_t to)
{
    return (struct area){axis_at(&layout->row, from), axis_at(&layout->column, to),
                         layout->cell.rows, layout->cell.columns};
}

/* In the cursor's row and column numbers are bold, and cells without room for one have a dot. */
static void draw_cell(const struct scene *scene, struct canvas *canvas,
                      const struct matrix_layout *layout, const struct row *row, size_t from,
                      size_t to)
{
    struct area cell = cell_area(layout, from, to);
    unsigned shade = shade_of(scene, row, to);
    struct ink hue = scene_weight_ink(scene, scene->look.head, from, to, STYLE_FULL);
    struct style style = shade_style(canvas, hue, shade);
    struct glyph glyph = shade_glyph(canvas, shade);
    bool crossing = from == scene->look.from || to == scene->look.to;
    canvas_mark(canvas, cell, HIT_CELL, from * scene_count(scene, SIDE_RIGHT) + to);
    if (shade < WEIGHT_LEAST) {
        if (crossing)
            draw_crossing(canvas, cell, from == scene->look.from);
        if (scene_is_cut(scene, scene->look.head, from, to))
            draw_cut(canvas, cell);
        return;
    }
    for (int y = cell.y; y < cell.y + cell.rows; y++)
        for (int x = cell.x; x < cell.x + cell.columns; x++)
            canvas_put(canvas, y, x, style, &glyph);
    style = on_shade(style);
    style.bold = crossing;
    if (shade < MATRIX_NOTABLE && !crossing)
        style.fore = (struct ink){ROLE_TEXT, 12}; /* as faint as it may be on a grey map */
    if (cell.columns >= NUMBER_COLUMNS)
        draw_number(scene, canvas, cell, style, from, to);
    else if (crossing && !by_glyph(canvas))
        canvas_text(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - 1) / 2, 1, style,
                    "·");
}

static void draw_cells(const struct scene *scene, struct canvas *canvas,
                       const struct matrix_layout *layout, float largest)
{
    for (size_t from = layout->row.first; from < layout->row.end; from++) {
        const struct row row = row_of(scene, largest, from);
        for (size_t to = layout->column.first; to < layout->column.end; to++)
            draw_cell(scene, canvas, layout, &row, from, to);
    }
}

/* Brackets, or the corners of a frame, around the chosen cell. Where the cell is too narrow for
 * brackets beside its glyphs, they go on its neighbours. */
static void draw_mark(const struct scene *scene, struct canvas *canvas,
                      const struct matrix_layout *layout, float largest)
{
    if (!axis_shows(&layout->row, scene->look.from) || !axis_shows(&layout->column, scene->look.to))
        return;
    struct area cell = cell_area(layout, scene->look.from, scene->look.to);
    int out = by_glyph(canvas) && cell.columns < NUMBER_COLUMNS;
    struct style style = style_bold(ROLE_STRONG);
    if (!by_glyph(canvas)) {
        style.back = (struct ink){ROLE_TEXT, 2}; /* as draw_crossing */
        const struct row row = row_of(scene, largest, scene->look.from);
        unsigned shade = shade_of(scene, &row, scene->look.to);
        struct ink hue =
            scene_weight_ink(scene, scene->look.head, scene->look.from, scene->look.to, STYLE_FULL);
        if (shade >= WEIGHT_LEAST)
            style = on_shade(shade_style(canvas, hue, shade));
    }
    for (int i = 0; i < cell.rows; i++) {
        bool framed = cell.rows > 2, top = i == 0, bottom = i == cell.rows - 1;
        const char *left = !framed ? "[" : top ? "┌" : bottom ? "└" : "│";
        const char *right = !framed ? "]" : top ? "┐" : bottom ? "┘" : "│";
        canvas_text(canvas, cell.y + i, cell.x - out, 1, style, left);
        canvas_text(canvas, cell.y + i, cell.x + cell.columns - 1 + out, 1, style, right);
    }
}

/* A faint line between two sentences. */
static void draw_boundary(struct canvas *canvas, const struct matrix_layout *layout)
{
    struct style style = {.fore = {ROLE_FAINT, 9}, .back = {ROLE_GROUND, 0}};
    const struct axis *row = &layout->row, *column = &layout->column;
    if (row->boundary > 0)
        for (int x = column->origin; x < axis_stop(column); x++)
            canvas_text(canvas, axis_at(row, row->boundary) - 1, x, 1, style, "─");
    if (column->boundary > 0)
        for (int y = row->origin; y < axis_stop(row); y++)
            canvas_text(canvas, y, axis_at(column, column->boundary) - 1, 1, style, "│");
}

/* ---- The scale and the line of numbers ---- */

#define LEGEND_ROWS 12 /* in so few rows there is none for it, see room_for */

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
    struct weight_text full = scene_scale(scene, largest_of(scene));
    char label[32];
    snprintf(label, sizeof label, "%s 0",
             shares                   ? "share"
             : kind == MAP_WEIGHTS    ? "weight"
             : kind == MAP_DIFFERENCE ? "change"
                                      : map_info(kind)->name);
    int y = area.y + area.rows - 2;
    int x = canvas_text_right(canvas, y, area.x + area.columns - 2, 5, style_of(ROLE_FAINT),
                              shares ? "1" : full.text) -
            RAMP - 1;
    for (unsigned i = 0; i < RAMP; i++) {
        unsigned shade = edge_shade(scene->look.tone, (float)i / (RAMP - 1), 1);
        struct glyph glyph = shade_glyph(canvas, shade);
        canvas_put(canvas, y, x + (int)i, shade_style(canvas, hue, shade), &glyph);
    }
    return canvas_text_right(canvas, y, x - 1, x - 1 - area.x, style_of(ROLE_FAINT), label);
}

/* Of another map than that of the weights: what its numbers are, and its signs, as far as there is
 * room. */
static void print_meaning(const struct scene *scene, struct pen *pen, struct style style)
{
    const struct map_info *map = map_info(scene->data.map->kind);
    const char *signs = scene_signs(scene, pen->canvas);
    int room = pen->end - pen->x, width = (int)text_width(map->meaning, canvas_ascii(pen->canvas)) +
                                          (int)strlen(map->name) + 2;
    if (width <= room)
        pen_print(pen, style, "%s: %s", map->name, map->meaning);
    pen->x += width <= room ? GAP : 0;
    if (signs && (int)strlen(signs) <= pen->end - pen->x)
        pen_print(pen, style, "%s", signs);
}

static void legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, 0};
    struct style style = style_of(ROLE_FAINT);
    if (area.rows <= LEGEND_ROWS)
        return;
    pen.end = draw_scale(scene, canvas, area) - GAP;
    if (scene->data.map->kind != MAP_WEIGHTS) {
        print_meaning(scene, &pen, style);
        return;
    }
    bool whole = pen.end - pen.x >= (int)strlen(ROWS COLUMNS) + GAP;
    pen_print(&pen, style, "%s", whole ? ROWS : "rows attend to columns");
    pen.x += GAP;
    if (whole)
        pen_print(&pen, style, "%s", COLUMNS);
}

/* The score behind a weight, unless the weight was merged, rescaled or averaged. */
static void print_score(const struct scene *scene, struct pen *pen, const struct edge *edge)
{
    const float *scores = scene->data.trace->layer[scene->look.layer].scores;
    if (!scores || scene->data.mean || scene->data.map->kind != MAP_WEIGHTS ||
        scene->data.attention->owned || pen->end - pen->x < (int)strlen("   score +123.45"))
        return;
    float score =
        trace_score(scene->data.trace, scene->look.layer, scene->look.head, edge->from, edge->to);
    pen_print(pen, style_of(ROLE_FAINT), "   score ");
    pen_print(pen, style_of(ROLE_TEXT), trace_is_masked(score) ? "masked" : "%+.2f", (double)score);
}

static void print_edge(const struct scene *scene, struct pen *pen, const struct edge *edge)
{
    caption_edge(scene, pen, edge, GAP + caption_place_columns(scene));
    pen->x += GAP;
    caption_place(scene, pen, scene->look.head);
    print_score(scene, pen, edge);
}

/* The row's entropy is at the right end, where there is room, if it sums to 1. */
static void draw_numbers(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct edge edge;
    char text[64];
    int end = area.x + area.columns - 2, length = 0;
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, end};
    if (!scene_current_edge(scene, &edge)) {
        caption_nothing(scene, &pen);
        return;
    }
    print_edge(scene, &pen, &edge);
    enum map_kind kind = scene->data.map->kind;
    if (kind != MAP_WEIGHTS && kind != MAP_ROLLOUT && kind != MAP_PLAIN)
        return;
    size_t columns = scene_count(scene, SIDE_RIGHT);
    double bits = metrics_entropy(weights_of(scene, edge.from), columns);
    length =
        snprintf(text, sizeof text, "row entropy %.2f of %.2f bits", bits, log2((double)columns));
    if (pen.x + 3 + length > end)
        length = snprintf(text, sizeof text, "entropy %.2f bits", bits);
    if (pen.x + 3 + length <= end)
        canvas_text_right(canvas, pen.y, end, length, style_of(ROLE_FAINT), text);
}

static enum status draw(const struct scene *scene, struct canvas *canvas, struct area area,
                        struct error *error)
{
    struct matrix_layout layout = matrix_lay_out(scene, canvas, area);
    (void)error; /* nothing here can fail */
    float largest = largest_of(scene);
    draw_cells(scene, canvas, &layout, largest);
    draw_boundary(canvas, &layout);
    draw_mark(scene, canvas, &layout, largest);
    matrix_draw_labels(scene, canvas, &layout, area);
    draw_numbers(scene, canvas, area);
    return STATUS_OK;
}

static const struct hint *hints(const struct scene *scene)
{
    static const struct hint none[] = {{"↑↓", "row"},    {"←→", "column"}, {"Enter", "choose"},
                                       {"{ }", "layer"}, {"0-9", "head"},  {"e", "edit"},
                                       {NULL, NULL}};
    static const struct hint one[] = {{"↑↓", "row"},    {"←→", "column"}, {"Enter", "heaviest"},
                                      {"{ }", "layer"}, {"0-9", "head"},  {"e", "edit"},
                                      {NULL, NULL}};
    static const struct hint pinned[] = {{"↑↓", "row"},    {"←→", "column"}, {"Enter", "unpin"},
                                         {"{ }", "layer"}, {"0-9", "head"},  {"r", "which heads"},
                                         {NULL, NULL}};
    return scene_is_pinned(scene)                             ? pinned
           : scene_token(scene, scene->look.side) != NO_TOKEN ? one
                                                              : none;
}

/* Rows are attending tokens, columns attended ones. */
static enum acted move(struct scene *scene, enum side side, ptrdiff_t steps)
{
    scene->look.side = side;
    scene_move_cursor(scene, steps);
    scene->look.side = scene->look.to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
    return ACT_DONE;
}

static enum acted act(struct scene *scene, enum action action, struct error *error)
{
    (void)error;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
        return move(scene, SIDE_LEFT, action == ACTION_TOKEN_NEXT ? 1 : -1);
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        return move(scene, SIDE_LEFT, action == ACTION_PAGE_DOWN ? SCENE_PAGE : -SCENE_PAGE);
    case ACTION_LEFT:
    case ACTION_RIGHT:
        return move(scene, SIDE_RIGHT, action == ACTION_RIGHT ? 1 : -1);
    default:
        return ACT_PASSED;
    }
}

const struct view matrix_view = {
    .title = "Matrix",
    .about = "one head as a heat map: rows attend to columns",
    .meaning = ROWS " · " COLUMNS " · fuller: more",
    .mouse = "a cell, a token",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_HEADS | SHOWN_TONE | SHOWN_MEAN | SHOWN_PIECES | SHOWN_MAP,
    .draw = draw,
    .act = act,
    .hints = hints,
    .legend = legend,
};

struct style matrix_fill(struct canvas *canvas, struct area cell, struct ink hue, unsigned shade)
{
    struct style style = shade_style(canvas, hue, shade);
    struct glyph glyph = shade_glyph(canvas, shade);
    for (int y = cell.y; y < cell.y + cell.rows; y++)
        for (int x = cell.x; x < cell.x + cell.columns; x++)
            canvas_put(canvas, y, x, style, &glyph);
    return on_shade(style);
}

bool matrix_by_glyph(const struct canvas *canvas)
{
    return by_glyph(canvas);
}
