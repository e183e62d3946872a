/* compare_maps.c: the maps of the compare view: one head on either side, and what they differ by. A
 * token of the right side stands for one of the left where the texts agree
 * (comparison_counterpart); the cursor is a pair of tokens of the text shown, and is looked for on
 * each side. */
#include "headlight/view/compare.h"

#include "headlight/view/sentence.h"

/* Columns that pieces of a panel need. */
#define CELL_NUMBER  4  /* columns of the narrowest cell that holds ".42" */
#define CELL_SIGN    4  /* and "+.42" */
#define TITLE_WHOLE  31 /* "right − left  where words agree" */
#define SCALE_LEAST  0.1F
#define READOUT      7  /* " +0.310" */
#define READOUT_MORE 14 /* ", its heaviest" */

/* ---- The cursor ---- */

/* Where the row or column of a token of the text shown is on a side: the token or its counterpart.
 */
static size_t compare_place(const struct comparison *both, enum side side, size_t shown)
{
    size_t place = comparison_place(both, side, shown);
    if (place != NO_TOKEN || !both->trace[side] || !both->counterparts)
        return place;
    size_t other = comparison_place(both, side_other(side), shown);
    if (side == SIDE_LEFT || other == NO_TOKEN)
        return other == NO_TOKEN ? NO_TOKEN : both->counterparts[other];
    for (size_t right = 0; right < both->tokens[SIDE_RIGHT]->count; right++)
        if (both->counterparts[right] == other)
            return right;
    return NO_TOKEN;
}

/* ---- Numbers ---- */

float compare_value(const struct compare_panel *panel, size_t from, size_t to)
{
    const struct comparison *both = &panel->all->both;
    const float value = panel->weights[from * panel->tokens[SIDE_RIGHT]->count + to],
                *left = panel->all->panel[SIDE_LEFT].weights;
    if (!panel->difference)
        return value;
    const size_t row = comparison_counterpart(both, from),
                 column = comparison_counterpart(both, to);
    return row == NO_TOKEN || column == NO_TOKEN
               ? NAN
               : value - left[row * both->attended[SIDE_LEFT]->count + column];
}

/* Magnitudes, so that a row of a difference is heaviest where most has changed, whichever way.
 * Cells without a number are passed over; a row of nothing else is "heaviest" at 0, with a
 * magnitude of -1. */
size_t compare_heaviest(const struct compare_panel *panel, size_t from, float *most)
{
    size_t best = 0;
    *most = -1;
    for (size_t to = 0; to < panel->tokens[SIDE_RIGHT]->count; to++) {
        const float value = fabsf(compare_value(panel, from, to));
        best = value > *most ? to : best;
        *most = value > *most ? value : *most;
    }
    return best;
}

/* The data of a panel, without its place. A difference needs both maps. */
static struct compare_panel compare_panel(const struct compare *compare, int number)
{
    const struct comparison *both = &compare->both;
    const struct look *look = &compare->scene->look;
    enum side side = number == 0 ? SIDE_LEFT : SIDE_RIGHT;
    /* where the chosen token isn't, the same word is compared wherever the cursor is */
    const size_t place = comparison_place(both, side, look->from);
    struct compare_panel panel = {
        .all = compare,
        .side = side,
        .difference = number == 2,
        .tokens = {both->tokens[side], both->attended[side]},
        .cursor = {place == NO_TOKEN && both->is_there[side] ? both->word[side].first : place,
                   look->to},
        .weights = comparison_weights(both, side, look->layer, look->head)};
    if (compare->figure)
        panel.cursor[SIDE_LEFT] = panel.cursor[SIDE_RIGHT] = NO_TOKEN;
    else if (both->kind != COMPARISON_WORD) /* in cross-attention no token of the rows */
        panel.cursor[SIDE_RIGHT] = compare_place(both, side, look->to);
    if (panel.difference && !compare->panel[SIDE_LEFT].weights)
        panel.weights = NULL;
    return panel;
}

/* Both maps share one scale, or their shades couldn't be compared; the difference has its own, as
 * it is often much smaller. All three are measured, even if the third has no room. */
void compare_begin(struct compare *compare, const struct scene *scene, struct canvas *canvas)
{
    *compare = (struct compare){.scene = scene,
                                .canvas = canvas,
                                .figure = canvas && canvas->bare,
                                .both = comparison_of(scene)};
    for (int i = 0; i < COMPARE_PANELS; i++) {
        const struct compare_panel panel = compare->panel[i] = compare_panel(compare, i);
        float *largest = panel.difference ? &compare->difference : &compare->largest, most;
        for (size_t from = 0; panel.weights && from < panel.tokens[SIDE_LEFT]->count; from++) {
            compare_heaviest(&panel, from, &most);
            *largest = fmaxf(*largest, most);
        }
    }
}

/* Where the shades of the difference end: small differences are pale, even if they are the largest.
 */
float compare_scale(const struct compare *compare)
{
    return fmaxf(compare->difference, SCALE_LEAST);
}

/* ---- Labels ---- */

/* Whether the network of its side hides it from all. */
static bool compare_is_hidden(const struct compare_panel *panel, enum side axis, size_t token)
{
    enum comparison_kind kind = panel->all->both.kind;
    enum side changed = kind == COMPARISON_CHANGE ? SIDE_RIGHT : SIDE_LEFT;
    return panel->side == changed && kind != COMPARISON_TEXTS &&
           scene_is_hidden(panel->all->scene, axis, token);
}

/* With its place where it stands several times: where it is read without its row or column. */
static struct token_name compare_name(const struct compare_panel *panel, enum side axis,
                                      size_t token)
{
    const struct token_side *tokens = panel->tokens[axis];
    const bool hidden = compare_is_hidden(panel, axis, token);
    struct token_name name = scene_name_among(tokens->labels, tokens->count, token, hidden,
                                              canvas_ascii(panel->all->canvas));
    const char *part = words_part(name.text + hidden, false, tokens->marks);
    memmove(name.text + hidden, part, strlen(part) + 1);
    return name;
}

/* The word of the chart, and the cursor's row and column, stand out; of a difference, tokens
 * without a counterpart are faint. */
static struct grid_label compare_label(const void *context, enum side axis, size_t token)
{
    const struct compare_panel *panel = context;
    const struct comparison *both = &panel->all->both;
    const struct token_range *word = &both->word[panel->side];
    bool in_word = both->is_there[panel->side] && token >= word->first && token < word->end;
    bool alone = panel->difference && comparison_counterpart(both, token) == NO_TOKEN;
    bool chosen = token == panel->cursor[axis];
    struct grid_label label = {.style = chosen    ? style_marked(ROLE_CURSOR)
                                        : in_word ? style_bold(ROLE_STRONG)
                                                  : style_of(alone ? ROLE_FAINT : ROLE_TEXT),
                               .token = comparison_shown(both, panel->side, token)};
    format_cut(label.name.text, sizeof label.name.text,
               compare_is_hidden(panel, axis, token) ? "(%s)" : "%s",
               attention_label(panel->tokens[axis], token));
    return label;
}

/* ---- Titles and numbers ---- */

/* A pen for one row of the panel, counted from its title. */
static struct pen row_pen(const struct compare_panel *panel, int row)
{
    const struct area *area = &panel->area;
    return (struct pen){panel->all->canvas, area->y + row, area->x, area->x + area->columns};
}

/* What stands on a side: a model, a state of the network, or a sentence. */
static void draw_side_title(const struct compare_panel *panel)
{
    const struct data *data = &panel->all->scene->data;
    struct pen pen = row_pen(panel, 0);
    struct style name = style_bold(ROLE_TITLE), changed = style_bold(ROLE_WARNING);
    const struct comparison *both = &panel->all->both;
    const struct trace *other = both->trace[SIDE_RIGHT], *own = both->trace[SIDE_LEFT];
    const bool left = panel->side == SIDE_LEFT;
    char layer[64] = "";
    switch (both->kind) {
    case COMPARISON_MODELS: /* of another depth with the layer that stands for the one looked at, */
        if (!left && other && other->layers != own->layers)
            snprintf(layer, sizeof layer, "  layer %zu of 0–%zu",
                     comparison_level(both, SIDE_RIGHT, panel->all->scene->look.layer + 1) - 1,
                     other->layers - 1);
        pen.end -= canvas_width(pen.canvas, layer); /* for which a long name makes room */
        pen_print(&pen, name, "%s", left ? data->model : data_against(data));
        pen.end += canvas_width(pen.canvas, layer);
        pen_print(&pen, style_of(ROLE_FAINT), "%s", layer);
        if (left && data->changes)
            pen_print(&pen, changed, "  changed");
        break;
    case COMPARISON_CHANGE:
        pen_print(&pen, left ? name : changed, "%s", left ? "before" : data->changes);
        break;
    case COMPARISON_TEXTS:
        pen_print(&pen, name, left ? "A alone  " : "B alone  ");
        if (panel->all->figure)
            break;
        /* a text that has no room is cut where it is like the other one, at its beginning: from the
         * word before the first that differs */
        const char *text = data->encoded->texts[panel->side].bytes,
                   *like = data->encoded->texts[side_other(panel->side)].bytes, *from = text,
                   *word = text;
        for (size_t i = 0; text[i] && text[i] == like[i]; i++)
            if (text[i] == ' ') {
                from = word;
                word = text + i + 1;
            }
        if (canvas_width(pen.canvas, text) <= pen.end - pen.x)
            from = text;
        pen_print(&pen, style_of(ROLE_TEXT), from > text ? "…%s" : "%s", from);
        break;
    case COMPARISON_WORD:
        pen_print(&pen, name, "%s", data->model);
        break;
    }
}

/* "flies → like 0.310": the cursor's cell, or the heaviest of its row. A cell that isn't there on
 * both sides has no difference, and no readout. */
static void draw_readout(const struct compare_panel *panel)
{
    struct pen pen = row_pen(panel, panel->area.rows - 1);
    const struct style names = style_of(ROLE_STRONG);
    size_t from = panel->cursor[SIDE_LEFT], to = panel->cursor[SIDE_RIGHT];
    bool chosen = to != NO_TOKEN;
    float value;
    if (panel->difference && panel->all->difference == 0) {
        pen_print(&pen, style_of(ROLE_TEXT), "no difference in this head");
        return;
    }
    if (from != NO_TOKEN && !chosen)
        to = compare_heaviest(panel, from, &value);
    value = from != NO_TOKEN ? compare_value(panel, from, to) : NAN;
    if (isnan(value))
        return;
    caption_names(&pen, names, " → ", compare_name(panel, SIDE_LEFT, from).text,
                  compare_name(panel, SIDE_RIGHT, to).text, READOUT);
    pen_print(&pen, style_bold(ROLE_STRONG), panel->difference ? " %+.3f" : " %.3f", (double)value);
    if (!chosen && pen.end - pen.x >= READOUT_MORE)
        pen_print(&pen, style_of(ROLE_FAINT),
                  panel->difference ? ", its largest" : ", its heaviest");
}

/* ---- Cells ---- */

/* Without colours the sign of a difference takes the place of its shade. A cell whose number isn't
 * known has a dot. */
static void compare_draw_cell(const struct compare_panel *panel, size_t from, size_t to, float full)
{
    const struct look *look = &panel->all->scene->look;
    struct canvas *canvas = panel->all->canvas;
    struct area cell = grid_cell(&panel->grid, from, to);
    const float value = compare_value(panel, from, to);
    const bool known = !isnan(value);
    bool crossing = from == panel->cursor[SIDE_LEFT] || to == panel->cursor[SIDE_RIGHT];
    unsigned shade = edge_shade(look->tone, known && full > 0 ? fabsf(value) / full : 0, 1);
    const struct comparison *both = &panel->all->both;
    const size_t row = comparison_shown(both, panel->side, from),
                 column = comparison_shown(both, panel->side, to);
    if (row != NO_TOKEN && column != NO_TOKEN)
        canvas_mark(canvas, cell, hit_pair(row, column, true));
    if (!known || grid_level(shade) == 0) {
        struct style blank = grid_blank(canvas, cell, crossing);
        if (!known)
            grid_write(canvas, cell, blank, "·");
        return;
    }
    struct ink hue = panel->difference ? ink_full(value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE)
                                       : ink_head(look->head, STYLE_FULL);
    struct style style = grid_fill(canvas, cell, hue, shade, crossing);
    /* ".42", or of a difference "+.42" where there is room: the hue tells the sign besides */
    const bool sign = panel->difference && (cell.columns >= CELL_SIGN || grid_by_glyph(canvas));
    const double share = scene_hundredths(fabsf(value)) / 100.0;
    const bool mark = sign && share > 0;
    if (cell.columns >= CELL_NUMBER)
        grid_write(canvas, cell, style,
                   number_text(mark && value < 0 ? -share : share, mark, 2, mark ? 4 : 3).text);
    else if (panel->difference && canvas->traits.mono)
        grid_write(canvas, cell, grid_by_glyph(canvas) ? style_of(ROLE_STRONG) : style,
                   value < 0 ? "-" : "+");
    else if (crossing && !grid_by_glyph(canvas))
        grid_write(canvas, cell, style, "·");
}

/* Of a figure: what rows and columns are, and the scale. Both maps share one, the first's. */
static void draw_around(const struct compare_panel *panel)
{
    const struct compare *all = panel->all;
    const struct grid_axis *columns = &panel->grid.column;
    const bool first = panel->side == SIDE_LEFT && !panel->difference;
    const double most = (double)(panel->difference ? compare_scale(all) : all->largest);
    const size_t head = all->scene->look.head;
    struct pen pen = row_pen(panel, panel->area.rows - 1);
    char least[16] = "0", text[16];
    snprintf(text, sizeof text, panel->difference ? "+%.2f" : "%.3f", most);
    grid_draw_axes(&panel->grid, all->canvas, first ? "query" : "", "key");
    if (panel->difference)
        snprintf(least, sizeof least, "-%.2f", most);
    pen.x = int_min(columns->origin, pen.end - GRID_RAMP - 2 - (int)(strlen(least) + strlen(text)));
    if (panel->difference)
        grid_draw_scale(&pen, ink_full(ROLE_NEGATIVE), ink_full(ROLE_POSITIVE), least, NULL, text);
    else if (first)
        grid_draw_scale(&pen, (struct ink){0}, ink_head(head, STYLE_FULL), least, NULL, text);
}

/* A difference that has no cells is left blank: the panel of the side that is missing says why. */
void compare_draw_panel(const struct compare_panel *panel)
{
    struct canvas *canvas = panel->all->canvas;
    if (panel->difference) {
        /* where the texts differ, only tokens that have a counterpart have a difference */
        struct pen pen = row_pen(panel, 0);
        pen_print(&pen, style_bold(ROLE_TITLE), "%s",
                  panel->all->both.kind == COMPARISON_TEXTS    ? "B − A"
                  : panel->all->both.kind == COMPARISON_CHANGE ? "after − before"
                                                               : "right − left");
        if (panel->all->both.counterparts && panel->area.columns >= TITLE_WHOLE &&
            !panel->all->figure)
            pen_print(&pen, style_of(ROLE_FAINT), "  where words agree");
    } else {
        draw_side_title(panel);
    }
    if (!panel->weights && !panel->difference) {
        /* two models may have different numbers of heads, of which none stands for another's */
        const struct trace *trace = panel->all->both.trace[panel->side];
        struct pen pen = row_pen(panel, panel->area.rows / 2);
        if (!trace)
            pen_write(&pen, panel->all->scene->data.stopped ? "{cancelled" : "{…");
        else
            pen_write(&pen, "{no head %zu here, only 0 to %zu: [ ]", panel->all->scene->look.head,
                      trace->heads - 1);
    }
    if (!panel->weights)
        return;
    (panel->all->figure ? draw_around : draw_readout)(panel);
    if (!panel->all->cells)
        return;
    grid_draw_labels(&panel->grid, canvas, panel->area.y, false, compare_label, panel);
    grid_draw_more(&panel->grid, canvas);
    /* With the tone of rows, each row's heaviest cell has the full shade. */
    const struct grid_axis *rows = &panel->grid.row, *columns = &panel->grid.column;
    float full = panel->difference ? compare_scale(panel->all) : panel->all->largest;
    for (size_t from = rows->shown.first; from < rows->shown.end; from++) {
        if (panel->all->scene->look.tone == TONE_ROW)
            compare_heaviest(panel, from, &full);
        for (size_t to = columns->shown.first; to < columns->shown.end; to++)
            compare_draw_cell(panel, from, to, full);
    }
}
