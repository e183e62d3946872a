#include "headlight/view/neuron.h"

#include "headlight/base/size.h"
#include "headlight/view/bands.h"
#include "headlight/view/column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SCORE_WIDTH   7 /* "+123.45", "q·k/√64" */
#define SOFTMAX_WIDTH 7 /* "0.421" under "softmax" */
#define NUMBER_WIDTH  5
#define BAR_MAX       24
#define DIM           0.35F /* strength of the queries that are not chosen */
#define STEP_MAX      3

struct layout {
    struct area tokens;
    struct column column;
    int gap; /* between columns */
    int label_x, label_width;
    int query_x, key_x, product_x; /* query_x is -1 when the query stands above the keys */
    int score_x;                   /* -1 when there is no room */
    int softmax_x;
    int name_x;           /* the key's label beside its weight; -1: no room */
    int bar_x, bar_width; /* bar_width is 0 when there is no room */
    int band_rows;
    size_t first, count; /* dimensions on screen */
    size_t per_cell;     /* dimensions in a cell */
    size_t query;        /* the attending token */
    struct band_scale scale;
    float *product; /* [D] working space */
};

/* ---- Layout ---- */

static size_t query_token(const struct scene *scene)
{
    struct token_range range = scene_range(scene, SIDE_LEFT);
    size_t token = scene->from != NO_TOKEN ? scene->from : scene->to;
    return token != NO_TOKEN && token >= range.first && token < range.end ? token : range.first;
}

/* Columns of the numbers when `score` is shown or not. */
static int number_columns(const struct layout *layout, bool score)
{
    return layout->gap + SOFTMAX_WIDTH + (score ? SCORE_WIDTH + layout->gap : 0);
}

/* What stands right of the bands: the score, the weight, and in what room is left the key's name
 * and a bar. */
static void place_numbers(struct layout *layout, int x, bool score, int end)
{
    layout->score_x = score ? x : -1;
    layout->softmax_x = score ? x + SCORE_WIDTH + layout->gap : x;
    layout->bar_x = layout->softmax_x + SOFTMAX_WIDTH + 1;
    layout->name_x = -1;
    if (end - layout->bar_x > layout->label_width + 12) {
        layout->name_x = layout->bar_x;
        layout->bar_x += layout->label_width + 2;
    }
    layout->bar_width = end - layout->bar_x;
    if (layout->bar_width > BAR_MAX)
        layout->bar_width = BAR_MAX;
    if (layout->bar_width < 4)
        layout->bar_width = 0;
}

/* Chooses how many bands stand side by side, and how many dimensions of each. */
static void place_bands(const struct scene *scene, struct layout *layout, struct area area)
{
    size_t dimensions = scene->trace->dimensions;
    int gap = layout->gap, left = layout->label_x + layout->label_width + 2;
    int end = area.x + area.columns, room = end - left, numbers = number_columns(layout, true);
    int whole = bands_columns(dimensions, 1), half = bands_columns(dimensions, 2);
    layout->per_cell = room >= 3 * whole + 2 * gap + numbers ? 1 : 2;
    int band = layout->per_cell == 1 ? whole : half;
    bool three = room >= 3 * band + 2 * gap + numbers;
    bool score = three || room >= 2 * band + gap + numbers;
    int widest = (room - gap - number_columns(layout, false)) / 2;
    if (!score && band > widest)
        band = widest > 1 ? widest : 1;
    layout->query_x = three ? left : -1;
    layout->key_x = three ? left + band + gap : left;
    layout->product_x = layout->key_x + band + gap;
    place_numbers(layout, layout->product_x + band + gap, score, end - 2);
    layout->count = size_min(dimensions, layout->per_cell * (size_t)band);
    size_t middle = layout->count / 2, cursor = scene->dimension == NO_TOKEN ? 0 : scene->dimension;
    if (cursor > middle) { /* a window begins with a whole cell, and may end with half of one */
        size_t last = dimensions - layout->count;
        layout->first = size_min(cursor - middle, last + last % layout->per_cell);
        layout->first -= layout->first % layout->per_cell;
        layout->count = size_min(layout->count, dimensions - layout->first);
    }
}

static void multiply(const struct scene *scene, size_t query, size_t key, float *product)
{
    const struct layer_trace *layer = &scene->trace->layer[scene->layer];
    const float *q = heads_row(&layer->query, scene->head, query);
    const float *k = heads_row(&layer->key, scene->head, key);
    for (size_t d = 0; d < scene->trace->dimensions; d++)
        product[d] = q[d] * k[d];
}

static float largest_of(const float *values, size_t count, float so_far)
{
    for (size_t i = 0; i < count; i++)
        so_far = fmaxf(so_far, fabsf(values[i]));
    return so_far;
}

/* The largest magnitude in any band of the view. */
static float largest_value(const struct scene *scene, const struct layout *layout)
{
    const struct layer_trace *layer = &scene->trace->layer[scene->layer];
    size_t dimensions = scene->trace->dimensions;
    float largest = 0;
    for (size_t token = 0; token < scene_count(scene, SIDE_RIGHT); token++) {
        multiply(scene, layout->query, token, layout->product);
        largest = largest_of(heads_row(&layer->query, scene->head, token), dimensions, largest);
        largest = largest_of(heads_row(&layer->key, scene->head, token), dimensions, largest);
        largest = largest_of(layout->product, dimensions, largest);
    }
    return largest;
}

static struct layout lay_out(const struct scene *scene, const struct canvas *canvas,
                             struct area area)
{
    bool wide = area.columns >= 100;
    struct layout layout = {
        .label_x = area.x + (wide ? 4 : 3), .gap = wide ? 2 : 1, .query = query_token(scene)};
    layout.label_width = scene_label_width(scene, canvas, wide ? 20 : 8);
    place_bands(scene, &layout, area);
    int top = layout.query_x < 0 ? 3 : 2; /* headings, a row for the cursor, the query above */
    layout.tokens = (struct area){area.y + top, area.x, area.rows - top - 2, area.columns};
    size_t anchor = scene->to != NO_TOKEN && scene->side == SIDE_RIGHT ? scene->to : layout.query;
    size_t count = scene_count(scene, SIDE_RIGHT);
    struct token_range all = {0, count};
    int step = STEP_MAX;
    size_t rows = layout.tokens.rows > 0 ? (size_t)layout.tokens.rows : 0;
    if (rows < count * STEP_MAX - 1)
        step = rows < count * 2 - 1 ? 1 : 2;
    layout.column = column_place(all, layout.tokens.rows, step, anchor);
    layout.band_rows = step == STEP_MAX ? 2 : 1;
    return layout;
}

/* ---- Rows ---- */

static void draw_band(const struct layout *layout, struct canvas *canvas, int y, int x, int rows,
                      const float *values, float dim)
{
    struct band_scale scale = {layout->scale.largest, dim};
    bands_draw(canvas, y, x, rows, values + layout->first, layout->count, layout->per_cell, scale);
}

/* A causal mask sets the score to minus infinity. */
static bool is_masked(float score)
{
    return isinf(score) && score < 0;
}

static void draw_numbers(const struct scene *scene, struct canvas *canvas,
                         const struct layout *layout, int y, size_t key, bool strongest)
{
    float score = trace_score(scene->trace, scene->layer, scene->head, layout->query, key);
    unsigned weight = edge_thousandths(scene_weight(scene, scene->head, layout->query, key));
    struct style number = strongest      ? style_bold(ROLE_STRONG)
                          : weight >= 50 ? style_of(ROLE_TEXT)
                                         : style_of(ROLE_FAINT);
    struct style sign = {.fore = bands_ink(score, (struct band_scale){0, 1})};
    if (sign.fore.level < 9)
        sign.fore.level = 9;
    if (layout->score_x >= 0 && is_masked(score))
        canvas_text_right(canvas, y, layout->score_x + SCORE_WIDTH, SCORE_WIDTH,
                          style_of(ROLE_FAINT), "masked");
    else if (layout->score_x >= 0)
        canvas_print(canvas, y, layout->score_x, SCORE_WIDTH, sign, "%+*.2f", SCORE_WIDTH,
                     (double)score);
    if (key == scene->to && scene->from != NO_TOKEN)
        number.back = ink_full(ROLE_CURSOR);
    canvas_print(canvas, y, layout->softmax_x, NUMBER_WIDTH, number, "%u.%03u", weight / 1000,
                 weight % 1000);
    if (layout->name_x >= 0)
        canvas_text(canvas, y, layout->name_x, layout->label_width, number,
                    scene_label(scene, SIDE_RIGHT, key));
    int eighths = ((int)weight * layout->bar_width * 8 + EDGE_WHOLE / 2) / EDGE_WHOLE;
    canvas_bar(canvas, y, layout->bar_x, layout->bar_width, eighths, style_of(ROLE_POSITIVE));
}

static struct style label_style(const struct scene *scene, const struct layout *layout,
                                size_t token)
{
    struct style style = style_of(ROLE_TEXT);
    if (token == layout->query) {
        style = style_bold(ROLE_STRONG);
        style.back = ink_full(scene_is_pinned(scene) ? ROLE_PINNED : ROLE_CURSOR);
    } else if (scene_is_pinned(scene) && token == scene->to) {
        style = style_bold(ROLE_STRONG);
        style.back = ink_full(ROLE_CURSOR);
    }
    return style;
}

static void draw_row(const struct scene *scene, struct canvas *canvas, const struct layout *layout,
                     size_t token, bool strongest)
{
    const struct layer_trace *layer = &scene->trace->layer[scene->layer];
    int y = layout->tokens.y + column_row(&layout->column, token);
    size_t here = scene_is_pinned(scene) ? scene->to : layout->query;
    bool chosen = token == layout->query;
    struct area row = {y, layout->tokens.x, layout->band_rows, layout->tokens.columns};
    multiply(scene, layout->query, token, layout->product);
    canvas_mark(canvas, row, HIT_TO, token);
    row.columns = layout->key_x - row.x;
    canvas_mark(canvas, row, HIT_FROM, token);
    canvas_text_right(canvas, y, layout->label_x + layout->label_width, layout->label_width,
                      label_style(scene, layout, token), scene_label(scene, SIDE_RIGHT, token));
    if (token == here)
        canvas_text(canvas, y, layout->label_x - 2, 1, style_bold(ROLE_TITLE), "▸");
    if (layout->query_x >= 0)
        draw_band(layout, canvas, y, layout->query_x, chosen ? layout->band_rows : 1,
                  heads_row(&layer->query, scene->head, token), chosen ? 1 : DIM);
    draw_band(layout, canvas, y, layout->key_x, layout->band_rows,
              heads_row(&layer->key, scene->head, token), 1);
    draw_band(layout, canvas, y, layout->product_x, layout->band_rows, layout->product, 1);
    draw_numbers(scene, canvas, layout, y, token, strongest);
}

/* ---- Headings and the line of numbers ---- */

/* A heading stays within its band, and gives way where even its first word finds no room. */
static void draw_heading(const struct layout *layout, struct canvas *canvas, int y, int x,
                         const char *text)
{
    int width = bands_columns(layout->count, layout->per_cell);
    if (x >= 0 && width >= 4)
        canvas_text(canvas, y, x, width, style_of(ROLE_FAINT), text);
}

/* "▾" over the dimension that the cursor is in. */
static void draw_dimension_mark(const struct scene *scene, struct canvas *canvas,
                                const struct layout *layout, int y)
{
    const int bands[] = {layout->query_x, layout->key_x, layout->product_x};
    if (scene->dimension == NO_TOKEN)
        return;
    for (size_t i = 0; i < 3; i++)
        if (bands[i] >= 0)
            canvas_text(canvas, y,
                        bands[i] + (int)((scene->dimension - layout->first) / layout->per_cell), 1,
                        style_bold(ROLE_TITLE), "▾");
}

/* The chosen query above the keys, where it finds no column of its own. */
static void draw_query_above(const struct scene *scene, struct canvas *canvas,
                             const struct layout *layout, int y)
{
    const struct layer_trace *layer = &scene->trace->layer[scene->layer];
    canvas_text_right(canvas, y, layout->label_x + layout->label_width, layout->label_width,
                      style_bold(ROLE_STRONG), scene_label(scene, SIDE_LEFT, layout->query));
    draw_band(layout, canvas, y, layout->key_x, 1,
              heads_row(&layer->query, scene->head, layout->query), 1);
    if (layout->count < scene->trace->dimensions)
        canvas_print(canvas, y, layout->product_x, canvas->columns, style_of(ROLE_FAINT),
                     "dimensions %zu to %zu of %zu", layout->first,
                     layout->first + layout->count - 1, scene->trace->dimensions);
}

static void draw_headings(const struct scene *scene, struct canvas *canvas,
                          const struct layout *layout, struct area area)
{
    char score[32];
    bool above = layout->query_x < 0;
    if (scene->unscaled)
        snprintf(score, sizeof score, "q·k");
    else
        snprintf(score, sizeof score, canvas_ascii(canvas) ? "qk/rt%zu" : "q·k/√%zu",
                 scene->trace->dimensions);
    draw_heading(layout, canvas, area.y, layout->query_x, "query q");
    draw_heading(layout, canvas, area.y, layout->key_x, above ? "query q, keys k" : "key k");
    draw_heading(layout, canvas, area.y, layout->product_x, "q × k");
    if (layout->score_x >= 0)
        canvas_text_right(canvas, area.y, layout->score_x + SCORE_WIDTH, SCORE_WIDTH + 1,
                          style_of(ROLE_FAINT), score);
    canvas_text(canvas, area.y, layout->softmax_x, SOFTMAX_WIDTH, style_of(ROLE_FAINT), "softmax");
    if (above)
        draw_query_above(scene, canvas, layout, area.y + 1);
    draw_dimension_mark(scene, canvas, layout, layout->tokens.y - 1);
}

static void print_dimension(const struct scene *scene, const struct layout *layout, struct pen *pen,
                            size_t key)
{
    const struct layer_trace *layer = &scene->trace->layer[scene->layer];
    size_t d = scene->dimension;
    if (d == NO_TOKEN)
        return;
    double q = (double)heads_row(&layer->query, scene->head, layout->query)[d];
    double k = (double)heads_row(&layer->key, scene->head, key)[d];
    pen_print(pen, style_of(ROLE_FAINT), "   dim ");
    pen_print(pen, style_of(ROLE_TEXT), "%zu", d);
    pen_print(pen, style_of(ROLE_FAINT), "  q×k ");
    pen_print(pen, style_bold(ROLE_STRONG), "%+.2f", q * k);
    pen_print(pen, style_of(ROLE_TEXT), " = %+.2f × %+.2f", q, k);
}

/* The line of numbers; where it is cut, the bars above still say layer and head. */
static void draw_current(const struct scene *scene, struct canvas *canvas,
                         const struct layout *layout, struct area area, size_t key)
{
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 1};
    float score = trace_score(scene->trace, scene->layer, scene->head, layout->query, key);
    unsigned weight = edge_thousandths(scene_weight(scene, scene->head, layout->query, key));
    pen_print(&pen, style_bold(ROLE_STRONG), "%s → %s",
              scene_label(scene, SIDE_LEFT, layout->query), scene_label(scene, SIDE_RIGHT, key));
    pen_print(&pen, style_of(ROLE_FAINT), "   score ");
    pen_print(&pen, style_of(ROLE_TEXT), is_masked(score) ? "masked" : "%+.2f", (double)score);
    pen_print(&pen, style_of(ROLE_FAINT), "   weight ");
    pen_print(&pen, style_bold(ROLE_STRONG), "%u.%03u", weight / 1000, weight % 1000);
    print_dimension(scene, layout, &pen, key);
    pen_print(&pen, style_of(ROLE_FAINT), "   layer ");
    pen_print(&pen, style_of(ROLE_TEXT), "%zu", scene->layer);
    pen_print(&pen, style_of(ROLE_FAINT), " head ");
    pen_print(&pen, style_of(ROLE_TEXT), "%zu", scene->head);
}

/* The key whose numbers are printed: the chosen one, or the one with the heaviest weight. */
static size_t strongest_key(const struct scene *scene, size_t query)
{
    size_t best = 0;
    unsigned heaviest = 0;
    for (size_t key = 0; key < scene_count(scene, SIDE_RIGHT); key++) {
        unsigned weight = edge_thousandths(scene_weight(scene, scene->head, query, key));
        if (weight > heaviest) {
            heaviest = weight;
            best = key;
        }
    }
    return best;
}

enum status neuron_view_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                             struct error *error)
{
    struct layout layout = lay_out(scene, canvas, area);
    size_t bytes = scene->trace->dimensions * sizeof(float);
    layout.product = malloc(bytes);
    if (!layout.product)
        return error_memory(error, "a band", bytes);
    layout.scale.largest = scene->scale_largest ? largest_value(scene, &layout) : 0;
    size_t strongest = strongest_key(scene, layout.query);
    draw_headings(scene, canvas, &layout, area);
    for (size_t token = 0; token < scene_count(scene, SIDE_RIGHT); token++)
        if (column_shows(&layout.column, token))
            draw_row(scene, canvas, &layout, token, token == strongest);
    draw_current(scene, canvas, &layout, area, scene_is_pinned(scene) ? scene->to : strongest);
    free(layout.product);
    return STATUS_OK;
}
