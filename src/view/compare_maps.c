#include "headlight/view/compare_maps.h"

#include "headlight/base/format.h"
#include "headlight/view/matrix.h"
#include "headlight/view/matrix_labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_COLUMNS 4  /* the narrowest cell that holds ".42" */
#define TITLE_WHOLE    34 /* "right less left  where words agree" */
#define READOUT_MORE   14 /* ", its heaviest" */
#define SIGN_COLUMNS   6  /* and "+.42", with a gap */

/* A panel as it is drawn. */
struct map {
    const struct scene *scene;
    const struct comparison *comparison;
    const struct compare_layout *layout;
    const struct compare_scale *scale;
    int number;
    size_t row, column;      /* the cursor's, or NO_TOKEN */
    const float *weights[2]; /* [T,S] of each side; a difference has both */
};

static bool is_difference(const struct map *map)
{
    return map->number == 2;
}

static const struct token_side *tokens_of(const struct map *map)
{
    return map->comparison->tokens[compare_side(map->number)];
}

static const struct token_side *attended_of(const struct map *map)
{
    return map->comparison->attended[compare_side(map->number)];
}

/* The number of a cell; false where the sides have different tokens there. */
static bool value_at(const struct map *map, size_t from, size_t to, float *value)
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

static struct map map_of(const struct scene *scene, const struct comparison *comparison, int number)
{
    struct map map = {.scene = scene, .comparison = comparison, .number = number};
    map.row = compare_row(scene, comparison, compare_side(number));
    map.column = compare_column(scene, comparison, compare_side(number));
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        map.weights[side] =
            comparison_weights(comparison, side, scene->look.layer, scene->look.head);
    return map;
}

static bool has_cells(const struct map *map)
{
    return map->weights[compare_side(map->number)] &&
           (!is_difference(map) || map->weights[SIDE_LEFT]);
}

/* The largest magnitude of a row. */
static float largest_of(const struct map *map, size_t from)
{
    float largest = 0, value;
    for (size_t to = 0; to < attended_of(map)->count; to++)
        if (value_at(map, from, to, &value))
            largest = fmaxf(largest, fabsf(value));
    return largest;
}

struct compare_scale compare_measure(const struct scene *scene, const struct comparison *comparison)
{
    struct compare_scale scale = {0, 0};
    for (int number = 0; number < COMPARE_PANELS; number++) {
        const struct map map = map_of(scene, comparison, number);
        const enum side side = compare_side(number);
        if (!has_cells(&map))
            continue;
        for (size_t from = 0; is_difference(&map) && from < tokens_of(&map)->count; from++)
            scale.difference = fmaxf(scale.difference, largest_of(&map, from));
        if (!is_difference(&map)) {
            const struct trace *trace = comparison->trace[side];
            float most = edge_largest(map.weights[side], trace->tokens * trace->attended);
            scale.weight = fmaxf(scale.weight, most);
        }
    }
    return scale;
}

/* The heaviest weight of a row, or of a difference the largest. */
static size_t heaviest(const struct map *map, size_t from)
{
    size_t best = 0;
    float most = -1, value;
    for (size_t to = 0; to < attended_of(map)->count; to++)
        if (value_at(map, from, to, &value) && fabsf(value) > most) {
            most = fabsf(value);
            best = to;
        }
    return best;
}

size_t compare_heaviest(const struct scene *scene, const struct comparison *comparison,
                        enum side side, size_t from)
{
    const struct map map = map_of(scene, comparison, side == SIDE_LEFT ? 0 : 1);
    return from != NO_TOKEN && has_cells(&map) ? heaviest(&map, from) : NO_TOKEN;
}

/* ---- Cells ---- */

/* ".42", or of a difference "+.42" where there is room: the hue tells the sign besides. */
static void draw_number(const struct map *map, struct canvas *canvas, struct area cell,
                        struct style style, float value)
{
    char text[16];
    int hundredths = (int)lround(100 * (double)fabsf(value));
    bool sign = is_difference(map) && (cell.columns >= SIGN_COLUMNS || matrix_by_glyph(canvas));
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

static struct ink hue_of(const struct map *map, float value)
{
    if (is_difference(map))
        return ink_full(value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    return ink_head(map->scene->look.head, STYLE_FULL);
}

/* A blank cell in the cursor's row or column has a grey ground. */
static void draw_blank(const struct map *map, struct canvas *canvas, struct area cell, size_t from,
                       size_t to, bool known)
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

static void mark_cell(const struct map *map, struct canvas *canvas, struct area cell, size_t from,
                      size_t to)
{
    enum side side = compare_side(map->number);
    size_t row = comparison_shown(map->comparison, side, from);
    size_t column = comparison_shown(map->comparison, side, to);
    if (row != NO_TOKEN && column != NO_TOKEN)
        canvas_mark(canvas, cell, HIT_CELL, row * scene_count(map->scene, SIDE_RIGHT) + column);
}

static void draw_cell(const struct map *map, struct canvas *canvas, size_t from, size_t to,
                      float full)
{
    struct area cell = compare_cell(map->layout, map->number, from, to);
    float value = 0;
    bool known = value_at(map, from, to, &value);
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
    else if (is_difference(map) && canvas->traits.mono)
        draw_sign(canvas, cell, value);
    else if (style.bold && !matrix_by_glyph(canvas))
        canvas_text(canvas, cell.y + (cell.rows - 1) / 2, cell.x + (cell.columns - 1) / 2, 1, style,
                    "·");
}

static void draw_cells(const struct map *map, struct canvas *canvas)
{
    const struct compare_panel *panel = &map->layout->panel[map->number];
    struct token_range rows = column_window(&panel->rows), columns = column_window(&panel->columns);
    float full = is_difference(map) ? map->scale->difference : map->scale->weight;
    for (size_t from = rows.first; from < rows.end; from++) {
        float largest = map->scene->look.tone == TONE_ROW ? largest_of(map, from) : full;
        for (size_t to = columns.first; to < columns.end; to++)
            draw_cell(map, canvas, from, to, largest);
    }
}

/* ---- Labels ---- */

static bool in_word(const struct map *map, size_t token)
{
    enum side side = compare_side(map->number);
    const struct token_range *word = &map->comparison->word[side];
    return map->comparison->is_there[side] && token >= word->first && token < word->end;
}

/* In parentheses where the network of its side hides it from all. */
static struct token_name label_of(const struct map *map, enum side axis, size_t token)
{
    struct token_name name;
    enum side changed = map->comparison->kind == COMPARISON_CHANGE ? SIDE_RIGHT : SIDE_LEFT;
    if (compare_side(map->number) == changed && map->comparison->kind != COMPARISON_TEXTS)
        return scene_drawn(map->scene, axis, token);
    format_cut(name.text, sizeof name.text, "%s",
               (axis == SIDE_LEFT ? tokens_of(map) : attended_of(map))->labels[token]);
    return name;
}

/* The word of the chart, and the cursor's row and column, stand out; of a difference, tokens
 * without a twin are faint. */
static struct style label_style(const struct map *map, size_t token, bool chosen)
{
    bool alone = is_difference(map) && comparison_twin(map->comparison, token) == NO_TOKEN;
    struct style style = style_of(alone ? ROLE_FAINT : ROLE_TEXT);
    if (in_word(map, token) || chosen)
        style = style_bold(ROLE_STRONG);
    if (chosen)
        style.back = ink_full(ROLE_CURSOR);
    return style;
}

static void draw_row_labels(const struct map *map, struct canvas *canvas)
{
    const struct compare_panel *panel = &map->layout->panel[map->number];
    const struct token_range rows = column_window(&panel->rows);
    int end = panel->map.x - 1;
    for (size_t token = rows.first; token < rows.end; token++) {
        struct area cell = compare_cell(map->layout, map->number, token, 0);
        int y = cell.y + (cell.rows - 1) / 2;
        int x = canvas_text_right(canvas, y, end, map->layout->label_width,
                                  label_style(map, token, token == map->row),
                                  label_of(map, SIDE_LEFT, token).text);
        size_t shown = comparison_shown(map->comparison, compare_side(map->number), token);
        if (shown != NO_TOKEN)
            canvas_mark(canvas, (struct area){y, x, 1, end - x}, HIT_FROM, shown);
    }
}

/* Downwards, ending above the cells: a label that is too long loses its end. */
static void draw_upright(struct canvas *canvas, struct area room, struct style style,
                         const char *label)
{
    struct text_reader reader = text_reader(label, strlen(label), canvas_ascii(canvas));
    int rows = upright_rows(canvas, label), columns;
    struct glyph piece[2];
    rows = rows < room.rows ? rows : room.rows;
    for (int i = 0; i < rows && (columns = upright_next(&reader, i == 0, piece)) > 0; i++) {
        canvas_put(canvas, room.y + room.rows - rows + i, room.x, style, &piece[0]);
        if (columns > piece[0].width)
            canvas_put(canvas, room.y + room.rows - rows + i, room.x + 1, style, &piece[1]);
    }
}

static void draw_column_labels(const struct map *map, struct canvas *canvas)
{
    const struct compare_panel *panel = &map->layout->panel[map->number];
    const struct token_range columns = column_window(&panel->columns);
    for (size_t token = columns.first; token < columns.end; token++) {
        struct area cell = compare_cell(map->layout, map->number, 0, token);
        struct area room = {panel->area.y + 1, cell.x, map->layout->label_rows, cell.columns};
        struct style style = label_style(map, token, token == map->column);
        const struct token_name name = label_of(map, SIDE_RIGHT, token);
        const char *label = name.text;
        int width = (int)text_width(label, canvas_ascii(canvas));
        width = width < cell.columns - 1 ? width : cell.columns - 1;
        if (map->layout->upright) {
            room.x += (cell.columns - 1) / 2;
            draw_upright(canvas, room, style, label);
        } else {
            canvas_text(canvas, room.y, cell.x + (cell.columns - width) / 2, width, style, label);
        }
        size_t shown = comparison_shown(map->comparison, compare_side(map->number), token);
        room.x = cell.x;
        if (shown != NO_TOKEN)
            canvas_mark(canvas, room, HIT_TO, shown);
    }
}

/* Arrows where tokens lie beyond the panel. */
static void draw_more(const struct map *map, struct canvas *canvas)
{
    const struct compare_panel *panel = &map->layout->panel[map->number];
    const struct token_range rows = column_window(&panel->rows);
    const struct token_range columns = column_window(&panel->columns);
    const struct area *area = &panel->map;
    struct style style = style_of(ROLE_TITLE);
    if (rows.first > 0)
        canvas_text(canvas, area->y, area->x - 1, 1, style, "↑");
    if (rows.end < tokens_of(map)->count && area->rows > 0)
        canvas_text(canvas, area->y + area->rows - 1, area->x - 1, 1, style, "↓");
    if (columns.first > 0)
        canvas_text(canvas, area->y - 1, area->x - 1, 1, style, "←");
    if (columns.end < attended_of(map)->count)
        canvas_text(canvas, area->y - 1, area->x + area->columns, 1, style, "→");
}

/* ---- Titles and numbers ---- */

/* What stands on a side. */
static void draw_title(const struct map *map, struct canvas *canvas)
{
    const struct area *area = &map->layout->panel[map->number].area;
    const struct data *data = &map->scene->data;
    struct pen pen = {canvas, area->y, area->x, area->x + area->columns};
    struct style name = style_bold(ROLE_TITLE), text = style_of(ROLE_TEXT);
    bool left = map->number == 0;
    if (is_difference(map)) {
        pen_print(&pen, name, "right less left");
        if (map->comparison->twins && area->columns >= TITLE_WHOLE)
            pen_print(&pen, style_of(ROLE_FAINT), "  where words agree");
        return;
    }
    switch (map->comparison->kind) {
    case COMPARISON_MODELS:
        pen_print(&pen, name, "%s", left ? data->model : data->against->name);
        pen_print(&pen, style_bold(ROLE_WARNING), left && data->changes ? "  changed" : "");
        break;
    case COMPARISON_CHANGE:
        pen_print(&pen, left ? name : style_bold(ROLE_WARNING), "%s",
                  left ? "before" : data->changes);
        break;
    case COMPARISON_TEXTS:
        pen_print(&pen, name, left ? "A alone  " : "B alone  ");
        pen_print(&pen, text, "%s", data->encoded->texts[map->number].bytes);
        break;
    case COMPARISON_WORD:
        pen_print(&pen, name, "%s", data->model);
        break;
    }
}

/* "flies → like 0.310": the cursor's cell, or the heaviest of its row. */
static void print_readout(const struct map *map, struct pen *pen)
{
    bool chosen = map->column != NO_TOKEN;
    size_t to = chosen ? map->column : heaviest(map, map->row);
    float value;
    if (to == NO_TOKEN || !value_at(map, map->row, to, &value))
        return;
    pen_print(pen, style_of(ROLE_STRONG), "%s → %s ", tokens_of(map)->labels[map->row],
              attended_of(map)->labels[to]);
    pen_print(pen, style_bold(ROLE_STRONG), is_difference(map) ? "%+.3f" : "%.3f", (double)value);
    if (!chosen && pen->end - pen->x >= READOUT_MORE)
        pen_print(pen, style_of(ROLE_FAINT),
                  is_difference(map) ? ", its largest" : ", its heaviest");
}

static void draw_readout(const struct map *map, struct canvas *canvas)
{
    const struct area *area = &map->layout->panel[map->number].area;
    struct pen pen = {canvas, area->y + area->rows - 1, area->x, area->x + area->columns};
    if (is_difference(map) && map->scale->difference == 0)
        pen_print(&pen, style_of(ROLE_TEXT), "no difference in this head");
    else if (map->row != NO_TOKEN)
        print_readout(map, &pen);
}

/* Why there is no map. */
static void draw_missing(const struct map *map, struct canvas *canvas)
{
    const struct area *area = &map->layout->panel[map->number].area;
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

void compare_draw_maps(const struct scene *scene, struct canvas *canvas,
                       const struct comparison *comparison, const struct compare_layout *layout,
                       const struct compare_scale *scale)
{
    for (int number = 0; number < layout->panels; number++) {
        struct map map = map_of(scene, comparison, number);
        map.layout = layout;
        map.scale = scale;
        draw_title(&map, canvas);
        if (!has_cells(&map)) {
            if (!is_difference(&map))
                draw_missing(&map, canvas);
            continue;
        }
        draw_row_labels(&map, canvas);
        draw_column_labels(&map, canvas);
        draw_cells(&map, canvas);
        draw_more(&map, canvas);
        draw_readout(&map, canvas);
    }
}
