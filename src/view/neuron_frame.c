#include "headlight/view/neuron_frame.h"

#include "headlight/view/caption.h"

#include <stdio.h>

#define NARROW      100 /* columns */
#define PLACE_WIDTH 18  /* "   layer 3 head 11" */
#define SUM_WIDTH   12  /* "  sum +12.34" */
#define PAIR_LEAST  20  /* "flies → interna…", so that a place may stand behind it */
#define KEPT_WIDTH  31  /* "   score +123.45   weight 0.447" */

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
static void draw_heading(const struct neuron_sheet *sheet, int x, const char *text,
                         const char *letter)
{
    int width = sheet->layout.band_width;
    if (x >= 0)
        canvas_text(sheet->canvas, sheet->layout.area.y, x, width, style_of(ROLE_FAINT),
                    (int)text_width(text, canvas_ascii(sheet->canvas)) <= width ? text : letter);
}

static void draw_number_headings(const struct neuron_sheet *sheet)
{
    const struct neuron_layout *layout = &sheet->layout;
    char score[32];
    if (sheet->scene->data.unscaled)
        snprintf(score, sizeof score, "q·k");
    else
        snprintf(score, sizeof score, canvas_ascii(sheet->canvas) ? "qk/rt%zu" : "q·k/√%zu",
                 layout->at.trace->dimensions);
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
        neuron_draw_label(sheet, y, style, scene_label(scene, SIDE_LEFT, layout->at.from));
    if (layout->keys && layout->query_x < 0)
        neuron_draw_band(sheet, y, layout->key_x, 1, dimensions_query(&layout->at), sheet->scale);
}

/* A click above a band enters it; a second one goes to the other dimension of the same cell. */
static void mark_band(const struct neuron_sheet *sheet, int x)
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
        mark_band(sheet, bands[i]);
        if (layout->cursor != NO_TOKEN)
            canvas_text(sheet->canvas, layout->mark_y,
                        bands[i] + (int)((layout->cursor - layout->first) / layout->per_cell), 1,
                        style_bold(ROLE_TITLE), "▾");
    }
}

void neuron_draw_headings(const struct neuron_sheet *sheet)
{
    const struct neuron_layout *layout = &sheet->layout;
    draw_heading(sheet, layout->query_x, "query q", "q");
    if (layout->query_x < 0)
        draw_heading(sheet, layout->key_x, "query q, keys k", "q, k");
    else
        draw_heading(sheet, layout->key_x, "key k", "k");
    draw_heading(sheet, layout->product_x, "q × k", "×");
    draw_heading(sheet, layout->value_x, "value v", "v");
    draw_heading(sheet, layout->weighted_x, "a × v", "×");
    draw_number_headings(sheet);
    draw_query_above(sheet);
    draw_marks(sheet);
}

/* ---- The line of numbers ---- */

static void print_product(const struct neuron_layout *layout, struct pen *pen)
{
    double q = (double)dimensions_query(&layout->at)[layout->cursor];
    double k = (double)dimensions_key(&layout->at, layout->key)[layout->cursor];
    pen_print(pen, style_of(ROLE_FAINT), "  q×k ");
    pen_print(pen, style_bold(ROLE_STRONG), "%+.2f", q * k);
    pen_print(pen, style_of(ROLE_TEXT), " = %+.2f × %+.2f", q, k);
}

static void print_weighted(const struct neuron_sheet *sheet, struct pen *pen)
{
    const struct neuron_layout *layout = &sheet->layout;
    const struct attending *at = &layout->at;
    unsigned weight = neuron_weight(sheet, layout->key);
    double v = (double)dimensions_value(at, layout->key)[layout->cursor];
    double a = (double)trace_weight(at->trace, at->layer, at->head, at->from, layout->key);
    pen_print(pen, style_of(ROLE_FAINT), "  a×v ");
    pen_print(pen, style_bold(ROLE_STRONG), "%+.2f", a * v);
    pen_print(pen, style_of(ROLE_TEXT), " = %s × %+.2f", number_weight(weight).text, v);
    if (pen->end - pen->x < SUM_WIDTH)
        return;
    pen_print(pen, style_of(ROLE_FAINT), canvas_ascii(sheet->canvas) ? "  sum " : "  Σ ");
    pen_print(pen, style_of(ROLE_TEXT), "%+.2f", (double)sheet->context[layout->cursor]);
}

static void print_dimension(const struct neuron_sheet *sheet, struct pen *pen)
{
    const struct neuron_layout *layout = &sheet->layout;
    if (layout->cursor == NO_TOKEN || (!layout->keys && !layout->values))
        return;
    pen_print(pen, style_of(ROLE_FAINT), "   dim ");
    pen_print(pen, style_of(ROLE_TEXT), "%zu", layout->cursor);
    if (layout->keys)
        print_product(layout, pen);
    if (layout->values)
        print_weighted(sheet, pen);
}

/* On a narrow screen or beside a dimension layer and head give way first, as the bars above show
 * them too; beside a dimension on a narrow screen, so does the weight, which its column shows. */
void neuron_draw_numbers(const struct neuron_sheet *sheet, struct area area)
{
    const struct scene *scene = sheet->scene;
    const struct neuron_layout *layout = &sheet->layout;
    struct pen pen = {sheet->canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 1};
    unsigned weight = neuron_weight(sheet, layout->key);
    float score;
    int room = pen.end - pen.x - KEPT_WIDTH - PLACE_WIDTH;
    bool placed = layout->cursor == NO_TOKEN && room >= PAIR_LEAST;
    caption_pair(scene, &pen, style_bold(ROLE_STRONG), layout->at.from, layout->key,
                 KEPT_WIDTH + (placed ? PLACE_WIDTH : 0));
    if (layout->keys && dimensions_score(&layout->at, layout->key, scene->data.unscaled, &score)) {
        pen_print(&pen, style_of(ROLE_FAINT), "   score ");
        pen_print(&pen, style_of(ROLE_TEXT), trace_is_masked(score) ? "masked" : "%+.2f",
                  (double)score);
    }
    if (layout->cursor == NO_TOKEN || area.columns >= NARROW) {
        pen_print(&pen, style_of(ROLE_FAINT), "   weight ");
        pen_print(&pen, style_bold(ROLE_STRONG), "%s", number_weight(weight).text);
    }
    print_dimension(sheet, &pen);
    if (pen.end - pen.x < PLACE_WIDTH)
        return;
    pen_print(&pen, style_of(ROLE_FAINT), "   layer ");
    pen_print(&pen, style_of(ROLE_TEXT), "%zu", scene->look.layer);
    pen_print(&pen, style_of(ROLE_FAINT), " head ");
    pen_print(&pen, style_of(ROLE_TEXT), "%zu", scene->look.head);
}
