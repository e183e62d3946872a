/* neuron_frame.c: what surrounds the rows of the neuron view: headings above, "A" and "B" beside,
 * the legend and the line of numbers below. On a narrow screen each leaves out what says least. */
#include "headlight/view/neuron_sheet.h"

#include "headlight/view/caption.h"

#include <stdio.h>
#include <string.h>

#define NARROW         100 /* columns */
#define GAP            3   /* columns between the pieces of the legend */
#define PLACE_WIDTH    18  /* "   layer 3 head 11" */
#define SUM_WIDTH      12  /* "  sum +12.34" */
#define PAIR_LEAST     20  /* "flies → interna…", so that a place may stand behind it */
#define KEPT_WIDTH     31  /* "   score +123.45   weight 0.447" */
#define DISTANCE_WIDTH 35  /* " = q·k/√24 +12.34 + distance +0.31" */

unsigned neuron_weight(const struct neuron_sheet *sheet, size_t key)
{
    const struct scene *scene = sheet->scene;
    return edge_thousandths(scene_weight(scene, scene->look.head, sheet->layout.at.from, key));
}

void neuron_draw_band(const struct neuron_sheet *sheet, int y, int x, int rows, const float *values,
                      struct band_scale scale)
{
    const struct neuron_layout *layout = &sheet->layout;
    if (x >= 0)
        bands_draw(sheet->canvas, y, x, rows, values + layout->first, layout->count,
                   layout->per_cell, scale);
}

void neuron_draw_label(const struct neuron_sheet *sheet, int y, struct style style,
                       const char *label)
{
    const struct neuron_layout *layout = &sheet->layout;
    canvas_text_right(sheet->canvas, y, layout->label_x + layout->label_width, layout->label_width,
                      style, label);
}

/* ---- Above the rows ---- */

/* A heading stays within its band: where its words don't fit, it is a letter. */
static void neuron_draw_heading(const struct neuron_sheet *sheet, int x, const char *text,
                                const char *letter)
{
    int width = sheet->layout.band_width;
    if (x >= 0)
        canvas_text(sheet->canvas, sheet->layout.area.y, x, width, style_of(ROLE_FAINT),
                    canvas_width(sheet->canvas, text) <= width ? text : letter);
}

/* "q·k/√64" */
static void write_quotient(const struct neuron_sheet *sheet, char *text, size_t size)
{
    const bool ascii = canvas_ascii(sheet->canvas);
    char divisor[24];
    dimensions_write_divisor(&sheet->layout.at, sheet->scene->data.divisor, ascii, divisor,
                             sizeof divisor);
    snprintf(text, size, "%s%s%s", ascii && *divisor ? "qk" : "q·k", *divisor ? "/" : "", divisor);
}

static void draw_number_headings(const struct neuron_sheet *sheet)
{
    const struct neuron_layout *layout = &sheet->layout;
    char score[48] = "score"; /* not the quotient alone, where distances add to it */
    if (!dimensions_have_distance(&layout->at))
        write_quotient(sheet, score, sizeof score);
    if (layout->score_x >= 0)
        canvas_text_right(sheet->canvas, layout->area.y, layout->score_x + NEURON_SCORE_WIDTH,
                          NEURON_SCORE_WIDTH + 1, style_of(ROLE_FAINT), score);
    canvas_text_right(sheet->canvas, layout->area.y, layout->softmax_x + layout->softmax_width,
                      NEURON_HEADING_WIDTH, style_of(ROLE_FAINT), "softmax");
}

/* Which dimensions are on screen, in as many words as the row has room for. */
static void draw_window(const struct neuron_sheet *sheet, int x)
{
    const struct neuron_layout *layout = &sheet->layout;
    size_t last = layout->first + layout->count - 1, all = layout->at.trace->dimensions;
    int room = layout->area.x + layout->area.columns - x;
    char text[100];
    if (layout->count == all)
        return;
    snprintf(text, sizeof text, "dimensions %zu to %zu of %zu", layout->first, last, all);
    if ((int)text_width(text, false) > room)
        snprintf(text, sizeof text, "%zu to %zu of %zu", layout->first, last, all);
    if ((int)text_width(text, false) <= room)
        canvas_text(sheet->canvas, layout->above_y, x, room, style_of(ROLE_FAINT), text);
}

/* The chosen query, where it has no column of its own. */
static void draw_query_above(const struct neuron_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const struct neuron_layout *layout = &sheet->layout;
    int y = layout->above_y;
    struct style style = style_bold(ROLE_STRONG);
    if (y < 0)
        return;
    draw_window(sheet, layout->keys ? layout->product_x : layout->weighted_x);
    if (!layout->same) {
        struct area row = {y, layout->area.x, 1, layout->area.columns};
        style.back = ink_full(scene->look.to != NO_TOKEN ? ROLE_PINNED : ROLE_CURSOR);
        canvas_mark(sheet->canvas, row, HIT_FROM, layout->at.from);
        if (scene->look.to == NO_TOKEN)
            canvas_text(sheet->canvas, y, layout->mark_x, 1, style_bold(ROLE_TITLE), "▸");
    }
    if (!layout->same || layout->keys)
        neuron_draw_label(sheet, y, style, scene_drawn(scene, SIDE_LEFT, layout->at.from).text);
    if (layout->keys && layout->query_x < 0)
        neuron_draw_band(sheet, y, layout->key_x, 1, dimensions_query(&layout->at), sheet->scale);
}

/* A click above a band enters it; a second one goes to the other dimension of the same cell. */
static void neuron_mark_band(const struct neuron_sheet *sheet, int x)
{
    const struct neuron_layout *layout = &sheet->layout;
    int y = layout->area.y, rows = layout->mark_y + 1 - y;
    for (int cell = 0; cell < bands_columns(layout->count, layout->per_cell); cell++) {
        size_t d = layout->first + (size_t)cell * layout->per_cell;
        if (d == layout->cursor && layout->per_cell > 1 && d + 1 < layout->at.trace->dimensions)
            d++;
        canvas_mark(sheet->canvas, (struct area){y, x + cell, rows, 1}, HIT_DIMENSION, d);
    }
}

/* "▾" over the dimension under the cursor. */
static void draw_marks(const struct neuron_sheet *sheet)
{
    const struct neuron_layout *layout = &sheet->layout;
    const int bands[] = {layout->query_x, layout->key_x, layout->product_x, layout->value_x,
                         layout->weighted_x};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        if (bands[i] < 0)
            continue;
        neuron_mark_band(sheet, bands[i]);
        if (layout->cursor != NO_TOKEN)
            canvas_text(sheet->canvas, layout->mark_y,
                        bands[i] + (int)((layout->cursor - layout->first) / layout->per_cell), 1,
                        style_bold(ROLE_TITLE), "▾");
    }
}

void neuron_draw_headings(const struct neuron_sheet *sheet)
{
    const struct neuron_layout *layout = &sheet->layout;
    neuron_draw_heading(sheet, layout->query_x, "query q", "q");
    if (layout->query_x < 0)
        neuron_draw_heading(sheet, layout->key_x, "query q, keys k", "q, k");
    else
        neuron_draw_heading(sheet, layout->key_x, "key k", "k");
    neuron_draw_heading(sheet, layout->product_x, "q × k", "×");
    neuron_draw_heading(sheet, layout->value_x, "value v", "v");
    neuron_draw_heading(sheet, layout->weighted_x, "a × v", "×");
    draw_number_headings(sheet);
    draw_query_above(sheet);
    draw_marks(sheet);
}

/* ---- Beside the rows ---- */

/* "A" and "B", as in the head view; where the cursor's mark stands in their column, it stays.
 */
static void neuron_draw_sentences(const struct neuron_sheet *sheet)
{
    const struct neuron_layout *layout = &sheet->layout;
    const size_t first[] = {0, scene_boundary(sheet->scene, SIDE_RIGHT)};
    for (int i = first[1] == 0; i < 2 && scene_is_pair(sheet->scene); i++) {
        int y = layout->tokens.y + column_row(&layout->column, first[i]);
        const struct cell *cell = canvas_at(sheet->canvas, y, layout->area.x);
        if (column_shows(&layout->column, first[i]) && cell && strcmp(cell->text, " ") == 0)
            canvas_text(sheet->canvas, y, layout->area.x, 1, style_bold(ROLE_FAINT),
                        i == 0 ? "A" : "B");
    }
}

/* "↑ 12 above", or "↑ 12" where that is wider than the column of labels and the blank after it. */
static void neuron_draw_outside(const struct neuron_sheet *sheet, int y, const char *arrow,
                                size_t count, const char *where)
{
    const struct neuron_layout *layout = &sheet->layout;
    int room = layout->label_x + layout->label_width - layout->area.x;
    char text[40];
    if (count == 0 || y < 0)
        return;
    snprintf(text, sizeof text, "%s %zu %s", arrow, count, where);
    if (canvas_width(sheet->canvas, text) > room + 1)
        snprintf(text, sizeof text, "%s %zu", arrow, count);
    int width = canvas_width(sheet->canvas, text);
    canvas_text(sheet->canvas, y, layout->area.x + (width < room ? room - width : 0), room + 1,
                style_of(ROLE_FAINT), text);
}

void neuron_draw_beside(const struct neuron_sheet *sheet)
{
    const struct neuron_layout *layout = &sheet->layout;
    struct token_range shown = column_window(&layout->column);
    neuron_draw_sentences(sheet);
    neuron_draw_outside(sheet, layout->mark_y, "↑", shown.first, "above");
    neuron_draw_outside(sheet, layout->more_y, "↓", layout->column.range.end - shown.end, "below");
}

/* ---- The legend ---- */

#define RAMP 7 /* cells: more would outshine the bands */

/* The first piece without room ends the line. */
static bool has_room(struct pen *pen, int columns)
{
    if (pen->end - pen->x >= columns)
        return true;
    pen->x = pen->end;
    return false;
}

static void print_words(struct pen *pen, const char *words)
{
    if (has_room(pen, canvas_width(pen->canvas, words)))
        pen_print(pen, style_of(ROLE_FAINT), "%s", words);
    pen->x += GAP;
}

/* "v  -2 ▒▒▒▒▒▒▒ +2", the ends in the hues of their signs. */
static void print_scale(struct pen *pen, const char *name, struct band_scale scale)
{
    char low[24], high[24];
    float values[RAMP], full = bands_full(scale);
    snprintf(low, sizeof low, "%+.3g", -(double)full);
    snprintf(high, sizeof high, "%+.3g", (double)full);
    int width = canvas_width(pen->canvas, name) + (name[0] ? 2 : 0);
    if (has_room(pen, width + (int)strlen(low) + 1 + RAMP + 1 + (int)strlen(high))) {
        for (int i = 0; i < RAMP; i++)
            values[i] = full * (float)(2 * i - (RAMP - 1)) / (RAMP - 1);
        pen_print(pen, style_of(ROLE_FAINT), name[0] ? "%s  " : "%s", name);
        pen_print(pen, style_of(ROLE_NEGATIVE), "%s ", low);
        bands_draw(pen->canvas, pen->y, pen->x, 1, values, RAMP, 1, scale);
        pen->x += RAMP;
        pen_print(pen, style_of(ROLE_POSITIVE), " %s", high);
    }
    pen->x += GAP;
}

void neuron_draw_legend(const struct neuron_sheet *sheet, struct area area)
{
    const struct neuron_layout *layout = &sheet->layout;
    struct canvas *canvas = sheet->canvas;
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, area.x + area.columns - 1};
    print_words(&pen, "a stripe: one number");
    if (layout->keys)
        print_scale(&pen, layout->values ? "q, k, q × k" : "", sheet->scale);
    if (layout->values) {
        print_scale(&pen, "v", sheet->scale_values);
        print_scale(&pen, "a × v", sheet->scale_weighted);
    }
    if (canvas->traits.mono || canvas_ascii(canvas)) /* the glyphs show both, see bands.h */
        return;
    print_words(&pen, "colour: sign");
    print_words(&pen, "fuller: more");
}

/* ---- The line of numbers ---- */

static void print_product(const struct neuron_layout *layout, struct pen *pen)
{
    double q = (double)dimensions_query(&layout->at)[layout->cursor];
    double k = (double)dimensions_key(&layout->at, layout->key)[layout->cursor];
    pen_write(pen, "  q×k <%+.2f>{ = %+.2f × %+.2f}", q * k, q, k);
}

static void print_weighted(const struct neuron_sheet *sheet, struct pen *pen)
{
    const struct neuron_layout *layout = &sheet->layout;
    const struct attending *at = &layout->at;
    unsigned weight = neuron_weight(sheet, layout->key);
    double v = (double)dimensions_value(at, layout->key)[layout->cursor];
    double a = (double)trace_weight(at->trace, at->layer, at->head, at->from, layout->key);
    pen_write(pen, "  a×v <%+.2f>{ = %s × %+.2f}", a * v, number_weight(weight).text, v);
    if (pen->end - pen->x >= SUM_WIDTH)
        pen_write(pen, "  %s {%+.2f}", canvas_ascii(sheet->canvas) ? "sum" : "Σ",
                  (double)sheet->context[layout->cursor]);
}

static void print_dimension(const struct neuron_sheet *sheet, struct pen *pen)
{
    const struct neuron_layout *layout = &sheet->layout;
    if (layout->cursor == NO_TOKEN || (!layout->keys && !layout->values))
        return;
    pen_write(pen, "   dim {%zu}", layout->cursor);
    if (layout->keys)
        print_product(layout, pen);
    if (layout->values)
        print_weighted(sheet, pen);
}

/* What a score is the sum of, where distances add to it: " = q·k/√24 +0.92 + distance +0.31". */
static void print_distance(const struct neuron_sheet *sheet, struct pen *pen, double score)
{
    const double distance = dimensions_distance(&sheet->layout.at, sheet->layout.key);
    char quotient[48];
    write_quotient(sheet, quotient, sizeof quotient);
    pen_write(pen, " = %s {%+.2f} + distance {%+.2f}", quotient, score - distance, distance);
}

/* Where room is short, layer and head are left out first, since the bars above show them too; with
 * a dimension on a narrow screen also the weight, which has a column. */
void neuron_draw_numbers(const struct neuron_sheet *sheet, struct area area)
{
    const struct scene *scene = sheet->scene;
    const struct neuron_layout *layout = &sheet->layout;
    struct pen pen = {sheet->canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 1};
    unsigned weight = neuron_weight(sheet, layout->key);
    float score;
    const bool distant = layout->cursor == NO_TOKEN && dimensions_have_distance(&layout->at);
    const int kept = KEPT_WIDTH + (distant ? DISTANCE_WIDTH : 0);
    int room = pen.end - pen.x - kept - PLACE_WIDTH;
    bool placed = layout->cursor == NO_TOKEN && room >= PAIR_LEAST;
    caption_pair(scene, &pen, style_bold(ROLE_STRONG), layout->at.from, layout->key,
                 kept + (placed ? PLACE_WIDTH : 0));
    if (layout->keys && dimensions_score(&layout->at, layout->key, scene->data.divisor, &score)) {
        pen_write(&pen, trace_is_masked(score) ? "   score {masked}" : "   score {%+.2f}",
                  (double)score);
        if (distant && !trace_is_masked(score))
            print_distance(sheet, &pen, (double)score);
    }
    if (layout->cursor == NO_TOKEN || area.columns >= NARROW)
        pen_write(&pen, "   weight <%s>", number_weight(weight).text);
    print_dimension(sheet, &pen);
    if (pen.end - pen.x >= PLACE_WIDTH)
        pen_write(&pen, "   layer {%zu} head {%zu}", scene->look.layer, scene->look.head);
}
