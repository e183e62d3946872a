/* compare_maps.c: the maps of the compare view: one head on either side, and what they differ by. A
 * token of the right side stands for one of the left where the texts agree (comparison_twin); the
 * cursor is a pair of tokens of the text shown, and is looked for on each side. */
#include "headlight/view/compare.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/view/caption.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL_NUMBER  4  /* columns of the narrowest cell that holds ".42" */
#define CELL_SIGN    6  /* and "+.42", with a gap */
#define TITLE_WHOLE  31 /* "right − left  where words agree" */
#define READOUT      7  /* " +0.310" */
#define READOUT_MORE 14 /* ", its heaviest" */

/* A panel as it is drawn. */
struct compare_map {
    const struct scene *scene;
    const struct comparison *comparison;
    const struct compare_panel *panel;
    const struct compare_scale *scale;
    int number;
    size_t row, column;      /* the cursor's, or NO_TOKEN */
    const float *weights[2]; /* [T,S] of each side; a difference has both */
};

static bool is_difference(const struct compare_map *map)
{
    return map->number == 2;
}

/* The tokens of its rows, and of its columns. */
static const struct token_side *compare_rows(const struct compare_map *map)
{
    return map->comparison->tokens[compare_side(map->number)];
}

static const struct token_side *compare_columns(const struct compare_map *map)
{
    return map->comparison->attended[compare_side(map->number)];
}

/* ---- The cursor ---- */

static size_t compare_place(const struct comparison *comparison, enum side side, size_t shown)
{
    size_t place = comparison_place(comparison, side, shown);
    if (place != NO_TOKEN || shown == NO_TOKEN || !comparison->trace[side])
        return place;
    size_t other = comparison_place(comparison, side_other(side), shown);
    if (other == NO_TOKEN || !comparison->twins)
        return NO_TOKEN;
    if (side == SIDE_LEFT)
        return comparison->twins[other];
    for (size_t right = 0; right < comparison->tokens[SIDE_RIGHT]->count; right++)
        if (comparison->twins[right] == other)
            return right;
    return NO_TOKEN;
}

size_t compare_row(const struct scene *scene, const struct comparison *comparison, enum side side)
{
    size_t place = comparison_place(comparison, side, scene->look.from);
    if (place == NO_TOKEN && comparison->is_there[side])
        place = comparison->word[side].first;
    return place != NO_TOKEN ? place : compare_place(comparison, side, scene->look.from);
}

size_t compare_column(const struct scene *scene, const struct comparison *comparison,
                      enum side side)
{
    if (comparison->kind == COMPARISON_WORD) /* in cross-attention no token of the rows */
        return scene->look.to;
    return compare_place(comparison, side, scene->look.to);
}

/* ---- Numbers ---- */

/* The number of a cell; false where the sides have different tokens there. */
static bool compare_value(const struct compare_map *map, size_t from, size_t to, float *value)
{
    const struct comparison *comparison = map->comparison;
    const enum side side = compare_side(map->number);
    size_t columns = comparison->trace[side]->attended;
    *value = map->weights[side][from * columns + to];
    if (!is_difference(map))
        return true;
    size_t row = comparison_twin(comparison, from), column = comparison_twin(comparison, to);
    if (row == NO_TOKEN || column == NO_TOKEN)
        return false;
    *value -= map->weights[SIDE_LEFT][row * comparison->trace[SIDE_LEFT]->attended + column];
    return true;
}

static struct compare_map compare_map(const struct scene *scene,
                                      const struct comparison *comparison, int number)
{
    struct compare_map map = {.scene = scene, .comparison = comparison, .number = number};
    map.row = compare_row(scene, comparison, compare_side(number));
    map.column = compare_column(scene, comparison, compare_side(number));
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        map.weights[side] =
            comparison_weights(comparison, side, scene->look.layer, scene->look.head);
    return map;
}

static bool has_cells(const struct compare_map *map)
{
    return map->weights[compare_side(map->number)] &&
           (!is_difference(map) || map->weights[SIDE_LEFT]);
}

/* The largest magnitude of a row. */
static float compare_largest(const struct compare_map *map, size_t from)
{
    const struct comparison *comparison = map->comparison;
    const size_t columns = compare_columns(map)->count;
    const float *row = map->weights[compare_side(map->number)] + from * columns, *left;
    float largest = 0;
    if (!is_difference(map))
        return edge_largest(row, columns);
    const size_t twin = comparison_twin(comparison, from); /* rows are those of the right */
    if (twin == NO_TOKEN)
        return 0;
    left = map->weights[SIDE_LEFT] + twin * comparison->attended[SIDE_LEFT]->count;
    for (size_t to = 0; to < columns; to++) {
        size_t column = comparison_twin(comparison, to);
        float differs = column != NO_TOKEN ? fabsf(row[to] - left[column]) : 0;
        largest = differs > largest ? differs : largest;
    }
    return largest;
}

struct compare_scale compare_measure(const struct scene *scene, const struct comparison *comparison)
{
    struct compare_scale scale = {0, 0};
    for (int number = 0; number < COMPARE_PANELS; number++) {
        const struct compare_map map = compare_map(scene, comparison, number);
        float *largest = is_difference(&map) ? &scale.difference : &scale.weight;
        for (size_t from = 0; has_cells(&map) && from < compare_rows(&map)->count; from++)
            *largest = fmaxf(*largest, compare_largest(&map, from));
    }
    return scale;
}

/* Where a row is heaviest, or a difference largest. */
static size_t compare_row_heaviest(const struct compare_map *map, size_t from)
{
    size_t best = 0;
    float most = -1, value;
    for (size_t to = 0; to < compare_columns(map)->count; to++)
        if (compare_value(map, from, to, &value) && fabsf(value) > most) {
            most = fabsf(value);
            best = to;
        }
    return best;
}

size_t compare_heaviest(const struct scene *scene, const struct comparison *comparison,
                        enum side side, size_t from)
{
    const struct compare_map map = compare_map(scene, comparison, side == SIDE_LEFT ? 0 : 1);
    return from != NO_TOKEN && has_cells(&map) ? compare_row_heaviest(&map, from) : NO_TOKEN;
}

/* ---- Labels ---- */

static bool in_word(const struct compare_map *map, size_t token)
{
    enum side side = compare_side(map->number);
    const struct token_range *word = &map->comparison->word[side];
    return map->comparison->is_there[side] && token >= word->first && token < word->end;
}

static const struct token_side *tokens_of(const struct compare_map *map, enum side axis)
{
    return axis == SIDE_LEFT ? compare_rows(map) : compare_columns(map);
}

/* Whether the network of its side hides it from all. */
static bool compare_is_hidden(const struct compare_map *map, enum side axis, size_t token)
{
    enum side changed = map->comparison->kind == COMPARISON_CHANGE ? SIDE_RIGHT : SIDE_LEFT;
    return compare_side(map->number) == changed && map->comparison->kind != COMPARISON_TEXTS &&
           scene_is_hidden(map->scene, axis, token);
}

static struct token_name label_of(const struct compare_map *map, enum side axis, size_t token)
{
    struct token_name name = {""};
    format_cut(name.text, sizeof name.text, compare_is_hidden(map, axis, token) ? "(%s)" : "%s",
               tokens_of(map, axis)->labels[token]);
    return name;
}

/* With its place where it stands several times: where it is read without its row or column. */
static struct token_name compare_name(const struct compare_map *map, enum side axis, size_t token,
                                      bool ascii)
{
    const struct token_side *tokens = tokens_of(map, axis);
    return scene_name_among(tokens->labels, tokens->count, token,
                            compare_is_hidden(map, axis, token), ascii);
}

/* The word of the chart, and the cursor's row and column, stand out; of a difference, tokens
 * without a twin are faint. */
static struct grid_label compare_label(const void *context, enum side axis, size_t token)
{
    const struct compare_map *map = context;
    bool alone = is_difference(map) && comparison_twin(map->comparison, token) == NO_TOKEN;
    bool chosen = token == (axis == SIDE_LEFT ? map->row : map->column);
    struct style style = style_of(alone ? ROLE_FAINT : ROLE_TEXT);
    if (in_word(map, token) || chosen)
        style = style_bold(ROLE_STRONG);
    if (chosen)
        style.back = ink_full(ROLE_CURSOR);
    return (struct grid_label){label_of(map, axis, token), style,
                               comparison_shown(map->comparison, compare_side(map->number), token),
                               false};
}

/* ---- Titles and numbers ---- */

/* What stands on a side. */
static void print_side(const struct compare_map *map, struct pen *pen)
{
    const struct data *data = &map->scene->data;
    struct style name = style_bold(ROLE_TITLE), changed = style_bold(ROLE_WARNING);
    bool left = map->number == 0;
    switch (map->comparison->kind) {
    case COMPARISON_MODELS:
        pen_print(pen, name, "%s", left ? data->model : data->against->name);
        if (left && data->changes)
            pen_print(pen, changed, "  changed");
        break;
    case COMPARISON_CHANGE:
        pen_print(pen, left ? name : changed, "%s", left ? "before" : data->changes);
        break;
    case COMPARISON_TEXTS:
        pen_print(pen, name, left ? "A alone  " : "B alone  ");
        pen_print(pen, style_of(ROLE_TEXT), "%s", data->encoded->texts[map->number].bytes);
        break;
    case COMPARISON_WORD:
        pen_print(pen, name, "%s", data->model);
        break;
    }
}

static void compare_draw_title(const struct compare_map *map, struct canvas *canvas)
{
    const struct area *area = &map->panel->area;
    struct pen pen = {canvas, area->y, area->x, area->x + area->columns};
    if (!is_difference(map)) {
        print_side(map, &pen);
        return;
    }
    pen_print(&pen, style_bold(ROLE_TITLE), "right − left");
    if (map->comparison->twins && area->columns >= TITLE_WHOLE)
        pen_print(&pen, style_of(ROLE_FAINT), "  where words agree");
}

/* "flies → like 0.310": the cursor's cell, or the heaviest of its row. */
static void print_readout(const struct compare_map *map, struct pen *pen)
{
    bool chosen = map->column != NO_TOKEN, ascii = canvas_ascii(pen->canvas);
    size_t to = chosen ? map->column : compare_row_heaviest(map, map->row);
    float value;
    if (to == NO_TOKEN || !compare_value(map, map->row, to, &value))
        return;
    const struct style names = style_of(ROLE_STRONG);
    caption_names(pen, names, names, compare_name(map, SIDE_LEFT, map->row, ascii).text,
                  compare_name(map, SIDE_RIGHT, to, ascii).text, READOUT);
    pen_print(pen, style_bold(ROLE_STRONG), is_difference(map) ? " %+.3f" : " %.3f", (double)value);
    if (!chosen && pen->end - pen->x >= READOUT_MORE)
        pen_print(pen, style_of(ROLE_FAINT),
                  is_difference(map) ? ", its largest" : ", its heaviest");
}

static void draw_readout(const struct compare_map *map, struct canvas *canvas)
{
    const struct area *area = &map->panel->area;
    struct pen pen = {canvas, area->y + area->rows - 1, area->x, area->x + area->columns};
    if (is_difference(map) && map->scale->difference == 0)
        pen_print(&pen, style_of(ROLE_TEXT), "no difference in this head");
    else if (map->row != NO_TOKEN)
        print_readout(map, &pen);
}

static void compare_draw_missing(const struct compare_map *map, struct canvas *canvas)
{
    const struct area *area = &map->panel->area;
    const struct look *look = &map->scene->look;
    const struct trace *trace = map->comparison->trace[compare_side(map->number)];
    struct pen pen = {canvas, area->y + area->rows / 2, area->x, area->x + area->columns};
    struct style style = style_of(ROLE_TEXT);
    if (!trace)
        pen_print(&pen, style, map->scene->data.stopped ? "cancelled" : "…");
    else if (look->layer >= trace->layers)
        pen_print(&pen, style, "no layer %zu here, only 0 to %zu: ←→", look->layer,
                  trace->layers - 1);
    else
        pen_print(&pen, style, "no head %zu here, only 0 to %zu: [ ]", look->head,
                  trace->heads - 1);
}
/* ---- Cells ---- */

/* ".42", or of a difference "+.42" where there is room: the hue tells the sign besides. */
static void compare_draw_number(const struct compare_map *map, struct canvas *canvas,
                                struct area cell, struct style style, float value)
{
    char text[16];
    int hundredths = (int)lround(100 * (double)fabsf(value));
    bool sign = is_difference(map) && (cell.columns >= CELL_SIGN || grid_by_glyph(canvas));
    const char *mark = !sign || hundredths == 0 ? "" : value < 0 ? "-" : "+";
    if (hundredths >= 100)
        snprintf(text, sizeof text, "%s1.0", mark);
    else
        snprintf(text, sizeof text, "%s.%02d", mark, hundredths);
    grid_write(canvas, cell, style, text);
}

static struct ink compare_hue(const struct compare_map *map, float value)
{
    if (is_difference(map))
        return ink_full(value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    return ink_head(map->scene->look.head, STYLE_FULL);
}

/* A blank cell in the cursor's row or column has a grey ground. */
static void draw_blank(struct canvas *canvas, struct area cell, bool crossing, bool known)
{
    struct style style = style_of(ROLE_FAINT);
    if (crossing && !grid_by_glyph(canvas)) {
        style.back = (struct ink){ROLE_TEXT, 2};
        canvas_fill(canvas, cell, style);
    }
    if (!known)
        grid_write(canvas, cell, style, "·");
}

static void mark_cell(const struct compare_map *map, struct canvas *canvas, struct area cell,
                      size_t from, size_t to)
{
    enum side side = compare_side(map->number);
    size_t row = comparison_shown(map->comparison, side, from);
    size_t column = comparison_shown(map->comparison, side, to);
    if (row != NO_TOKEN && column != NO_TOKEN)
        canvas_mark(canvas, cell, HIT_CELL, row * scene_count(map->scene, SIDE_RIGHT) + column);
}

/* Without colours the sign of a difference takes the place of its shade. */
static void compare_draw_cell(const struct compare_map *map, struct canvas *canvas, size_t from,
                              size_t to, float full)
{
    struct area cell = grid_cell(&map->panel->grid, from, to);
    float value = 0;
    bool known = compare_value(map, from, to, &value);
    bool crossing = from == map->row || to == map->column;
    unsigned shade = edge_shade(map->scene->look.tone, full > 0 ? fabsf(value) / full : 0, 1);
    mark_cell(map, canvas, cell, from, to);
    if (!known || grid_level(shade) == 0) {
        draw_blank(canvas, cell, crossing, known);
        return;
    }
    struct style style = grid_fill(canvas, cell, compare_hue(map, value), shade, crossing);
    if (cell.columns >= CELL_NUMBER)
        compare_draw_number(map, canvas, cell, style, value);
    else if (is_difference(map) && canvas->traits.mono)
        grid_write(canvas, cell, style_of(ROLE_STRONG), value < 0 ? "-" : "+");
    else if (crossing && !grid_by_glyph(canvas))
        grid_write(canvas, cell, style, "·");
}

static void compare_draw_cells(const struct compare_map *map, struct canvas *canvas)
{
    const struct token_range *rows = &map->panel->grid.row.shown,
                             *columns = &map->panel->grid.column.shown;
    float full = is_difference(map) ? map->scale->difference : map->scale->weight;
    for (size_t from = rows->first; from < rows->end; from++) {
        float largest = map->scene->look.tone == TONE_ROW ? compare_largest(map, from) : full;
        for (size_t to = columns->first; to < columns->end; to++)
            compare_draw_cell(map, canvas, from, to, largest);
    }
}

void compare_draw_maps(const struct scene *scene, struct canvas *canvas,
                       const struct comparison *comparison, const struct compare_layout *layout,
                       const struct compare_scale *scale)
{
    for (int number = 0; number < layout->panels; number++) {
        struct compare_map map = compare_map(scene, comparison, number);
        map.panel = &layout->panel[number];
        map.scale = scale;
        compare_draw_title(&map, canvas);
        if (!has_cells(&map)) {
            if (!is_difference(&map))
                compare_draw_missing(&map, canvas);
            continue;
        }
        grid_draw_labels(&map.panel->grid, canvas, map.panel->area.y, false, compare_label, &map);
        grid_draw_more(&map.panel->grid, canvas);
        compare_draw_cells(&map, canvas);
        draw_readout(&map, canvas);
    }
}
