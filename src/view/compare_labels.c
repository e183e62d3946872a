#include "headlight/view/compare_labels.h"

#include "headlight/base/format.h"
#include "headlight/view/caption.h"

#include <math.h>
#include <string.h>

#define TITLE_WHOLE    34 /* "right less left  where words agree" */
#define NUMBER_COLUMNS 7  /* " +0.310" */
#define READOUT_MORE   14 /* ", its heaviest" */

/* ---- Labels ---- */

static bool in_word(const struct compare_map *map, size_t token)
{
    enum side side = compare_side(map->number);
    const struct token_range *word = &map->comparison->word[side];
    return map->comparison->is_there[side] && token >= word->first && token < word->end;
}

static const struct token_side *tokens_of(const struct compare_map *map, enum side axis)
{
    return axis == SIDE_LEFT ? compare_tokens(map) : compare_attended(map);
}

/* Whether the network of its side hides it from all. */
static bool is_hidden(const struct compare_map *map, enum side axis, size_t token)
{
    enum side changed = map->comparison->kind == COMPARISON_CHANGE ? SIDE_RIGHT : SIDE_LEFT;
    return compare_side(map->number) == changed && map->comparison->kind != COMPARISON_TEXTS &&
           scene_is_hidden(map->scene, axis, token);
}

static struct token_name label_of(const struct compare_map *map, enum side axis, size_t token)
{
    struct token_name name = {""};
    format_cut(name.text, sizeof name.text, is_hidden(map, axis, token) ? "(%s)" : "%s",
               tokens_of(map, axis)->labels[token]);
    return name;
}

/* With its place where it stands several times: where it is read without its row or column. */
static struct token_name name_of(const struct compare_map *map, enum side axis, size_t token,
                                 bool ascii)
{
    const struct token_side *tokens = tokens_of(map, axis);
    return scene_name_among(tokens->labels, tokens->count, token, is_hidden(map, axis, token),
                            ascii);
}

/* The word of the chart, and the cursor's row and column, stand out; of a difference, tokens
 * without a twin are faint. */
static struct style label_style(const struct compare_map *map, size_t token, bool chosen)
{
    bool alone = compare_is_difference(map) && comparison_twin(map->comparison, token) == NO_TOKEN;
    struct style style = style_of(alone ? ROLE_FAINT : ROLE_TEXT);
    if (in_word(map, token) || chosen)
        style = style_bold(ROLE_STRONG);
    if (chosen)
        style.back = ink_full(ROLE_CURSOR);
    return style;
}

static void draw_row_labels(const struct compare_map *map, struct canvas *canvas)
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

static void draw_column_labels(const struct compare_map *map, struct canvas *canvas)
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
static void draw_more(const struct compare_map *map, struct canvas *canvas)
{
    const struct compare_panel *panel = &map->layout->panel[map->number];
    const struct token_range rows = column_window(&panel->rows);
    const struct token_range columns = column_window(&panel->columns);
    const struct area *area = &panel->map;
    struct style style = style_of(ROLE_TITLE);
    if (rows.first > 0)
        canvas_text(canvas, area->y, area->x - 1, 1, style, "↑");
    if (rows.end < compare_tokens(map)->count && area->rows > 0)
        canvas_text(canvas, area->y + area->rows - 1, area->x - 1, 1, style, "↓");
    if (columns.first > 0)
        canvas_text(canvas, area->y - 1, area->x - 1, 1, style, "←");
    if (columns.end < compare_attended(map)->count)
        canvas_text(canvas, area->y - 1, area->x + area->columns, 1, style, "→");
}

void compare_draw_labels(const struct compare_map *map, struct canvas *canvas)
{
    draw_row_labels(map, canvas);
    draw_column_labels(map, canvas);
    draw_more(map, canvas);
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

void compare_draw_title(const struct compare_map *map, struct canvas *canvas)
{
    const struct area *area = &map->layout->panel[map->number].area;
    struct pen pen = {canvas, area->y, area->x, area->x + area->columns};
    if (!compare_is_difference(map)) {
        print_side(map, &pen);
        return;
    }
    pen_print(&pen, style_bold(ROLE_TITLE), "right less left");
    if (map->comparison->twins && area->columns >= TITLE_WHOLE)
        pen_print(&pen, style_of(ROLE_FAINT), "  where words agree");
}

/* "flies → like 0.310": the cursor's cell, or the heaviest of its row. */
static void print_readout(const struct compare_map *map, struct pen *pen)
{
    bool chosen = map->column != NO_TOKEN, ascii = canvas_ascii(pen->canvas);
    size_t to = chosen ? map->column : compare_heaviest_of(map, map->row);
    float value;
    if (to == NO_TOKEN || !compare_value(map, map->row, to, &value))
        return;
    caption_names(pen, style_of(ROLE_STRONG), name_of(map, SIDE_LEFT, map->row, ascii).text,
                  name_of(map, SIDE_RIGHT, to, ascii).text, NUMBER_COLUMNS);
    pen_print(pen, style_bold(ROLE_STRONG), compare_is_difference(map) ? " %+.3f" : " %.3f",
              (double)value);
    if (!chosen && pen->end - pen->x >= READOUT_MORE)
        pen_print(pen, style_of(ROLE_FAINT),
                  compare_is_difference(map) ? ", its largest" : ", its heaviest");
}

void compare_draw_readout(const struct compare_map *map, struct canvas *canvas)
{
    const struct area *area = &map->layout->panel[map->number].area;
    struct pen pen = {canvas, area->y + area->rows - 1, area->x, area->x + area->columns};
    if (compare_is_difference(map) && map->scale->difference == 0)
        pen_print(&pen, style_of(ROLE_TEXT), "no difference in this head");
    else if (map->row != NO_TOKEN)
        print_readout(map, &pen);
}

void compare_draw_missing(const struct compare_map *map, struct canvas *canvas)
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
