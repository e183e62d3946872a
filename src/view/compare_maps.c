#include "headlight/view/compare_maps.h"

#include "headlight/view/compare_labels.h"
#include "headlight/view/matrix.h"
#include "headlight/view/matrix_labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_COLUMNS 4 /* the narrowest cell that holds ".42" */
#define SIGN_COLUMNS   6 /* and "+.42", with a gap */

bool compare_value(const struct compare_map *map, size_t from, size_t to, float *value)
{
    const struct comparison *comparison = map->comparison;
    const enum side side = compare_side(map->number);
    size_t columns = comparison->trace[side]->attended;
    *value = map->weights[side][from * columns + to];
    if (!compare_is_difference(map))
        return true;
    size_t row = comparison_twin(comparison, from), column = comparison_twin(comparison, to);
    if (row == NO_TOKEN || column == NO_TOKEN)
        return false;
    *value -= map->weights[SIDE_LEFT][row * comparison->trace[SIDE_LEFT]->attended + column];
    return true;
}

static struct compare_map map_of(const struct scene *scene, const struct comparison *comparison,
                                 int number)
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
           (!compare_is_difference(map) || map->weights[SIDE_LEFT]);
}

/* The largest magnitude of a row. */
static float largest_of(const struct compare_map *map, size_t from)
{
    const struct comparison *comparison = map->comparison;
    const size_t columns = compare_attended(map)->count;
    const float *row = map->weights[compare_side(map->number)] + from * columns, *left;
    float largest = 0;
    if (!compare_is_difference(map))
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
        const struct compare_map map = map_of(scene, comparison, number);
        float *largest = compare_is_difference(&map) ? &scale.difference : &scale.weight;
        for (size_t from = 0; has_cells(&map) && from < compare_tokens(&map)->count; from++)
            *largest = fmaxf(*largest, largest_of(&map, from));
    }
    return scale;
}

size_t compare_heaviest_of(const struct compare_map *map, size_t from)
{
    size_t best = 0;
    float most = -1, value;
    for (size_t to = 0; to < compare_attended(map)->count; to++)
        if (compare_value(map, from, to, &value) && fabsf(value) > most) {
            most = fabsf(value);
            best = to;
        }
    return best;
}

size_t compare_heaviest(const struct scene *scene, const struct comparison *comparison,
                        enum side side, size_t from)
{
    const struct compare_map map = map_of(scene, comparison, side == SIDE_LEFT ? 0 : 1);
    return from != NO_TOKEN && has_cells(&map) ? compare_heaviest_of(&map, from) : NO_TOKEN;
}

/* ---- Cells ---- */

/* ".42", or of a difference "+.42" where there is room: the hue tells the sign besides. */
static void draw_number(const struct compare_map *map, struct canvas *canvas, struct area cell,
                        struct style style, float value)
{
    char text[16];
    int hundredths = (int)lround(100 * (double)fabsf(value));
    bool sign =
        compare_is_difference(map) && (cell.columns >= SIGN_COLUMNS || matrix_by_glyph(canvas));
    const char *mark = !sign || hundredths == 0 ? "" : value < 0 ? "-" : "+";
    if (hundredths >= 100)
        snprintf(text, sizeof text, "%s1.0", mark);
    else
        snprintf(text, sizeof text, "%s.%02d", mark, hundredths);
    int width = (int)strlen(text);
    canvas_text(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - width) / 2, width,
                style, text);
}

/* Without colours the sign takes the place of the shade. */
static void draw_sign(struct canvas *canvas, struct area cell, float value)
{
    canvas_text(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - 1) / 2, 1,
                style_of(ROLE_STRONG), value < 0 ? "-" : "+");
}

static struct ink hue_of(const struct compare_map *map, float value)
{
    if (compare_is_difference(map))
        return ink_full(value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    return ink_head(map->scene->look.head, STYLE_FULL);
}

/* A blank cell in the cursor's row or column has a grey ground. */
static void draw_blank(const struct compare_map *map, struct canvas *canvas, struct area cell,
                       size_t from, size_t to, bool known)
{
    struct style style = style_of(ROLE_FAINT);
    bool crossing = from == map->row || to == map->column;
    if (crossing && !matrix_by_glyph(canvas)) {
        style.back = (struct ink){ROLE_TEXT, 2};
        canvas_fill(canvas, cell, style);
    }
    if (!known)
        canvas_text(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - 1) / 2, 1, style,
                    "·");
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

static void draw_cell(const struct compare_map *map, struct canvas *canvas, size_t from, size_t to,
                      float full)
{
    struct area cell = compare_cell(map->layout, map->number, from, to);
    float value = 0;
    bool known = compare_value(map, from, to, &value);
    unsigned shade = edge_shade(map->scene->look.tone, full > 0 ? fabsf(value) / full : 0, 1);
    mark_cell(map, canvas, cell, from, to);
    if (!known || matrix_level(shade) == 0) {
        draw_blank(map, canvas, cell, from, to, known);
        return;
    }
    struct style style = matrix_fill(canvas, cell, hue_of(map, value), shade);
    style.bold = from == map->row || to == map->column;
    if (shade < MATRIX_NOTABLE && !style.bold)
        style.fore = (struct ink){ROLE_TEXT, 12}; /* as faint as it may be on a grey map */
    if (cell.columns >= NUMBER_COLUMNS)
        draw_number(map, canvas, cell, style, value);
    else if (compare_is_difference(map) && canvas->traits.mono)
        draw_sign(canvas, cell, value);
    else if (style.bold && !matrix_by_glyph(canvas))
        canvas_text(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - 1) / 2, 1, style,
                    "·");
}

static void draw_cells(const struct compare_map *map, struct canvas *canvas)
{
    const struct compare_panel *panel = &map->layout->panel[map->number];
    struct token_range rows = column_window(&panel->rows), columns = column_window(&panel->columns);
    float full = compare_is_difference(map) ? map->scale->difference : map->scale->weight;
    for (size_t from = rows.first; from < rows.end; from++) {
        float largest = map->scene->look.tone == TONE_ROW ? largest_of(map, from) : full;
        for (size_t to = columns.first; to < columns.end; to++)
            draw_cell(map, canvas, from, to, largest);
    }
}

void compare_draw_maps(const struct scene *scene, struct canvas *canvas,
                       const struct comparison *comparison, const struct compare_layout *layout,
                       const struct compare_scale *scale)
{
    for (int number = 0; number < layout->panels; number++) {
        struct compare_map map = map_of(scene, comparison, number);
        map.layout = layout;
        map.scale = scale;
        compare_draw_title(&map, canvas);
        if (!has_cells(&map)) {
            if (!compare_is_difference(&map))
                compare_draw_missing(&map, canvas);
            continue;
        }
        compare_draw_labels(&map, canvas);
        draw_cells(&map, canvas);
        compare_draw_readout(&map, canvas);
    }
}
