/* neuron_frame.c: what surrounds the rows of the neuron view: headings above, "A" and "B" beside,
 * the legend and the line of numbers below. On a narrow screen each leaves out what says least.
 * Words give way to numbers, and places that the bars of the screen show anyway go first. */
#include "headlight/view/neuron_sheet.h"

#include "headlight/view/sentence.h"

#define NARROW         100 /* columns */
#define PLACE_WIDTH    18  /* "   layer 3 head 11" */
#define SUM_WIDTH      12  /* "  sum +12.34" */
#define PAIR_LEAST     20  /* "flies → interna…", so that a place may stand behind it */
#define KEPT_WIDTH     31  /* "   score +123.45   weight 0.447" */
#define PRODUCT_WIDTH  36  /* " = q·k +1234.56 / 5.66   weight 0.447" */
#define DISTANCE_WIDTH 35  /* " = q·k/√24 +12.34 + distance +0.31" */

unsigned neuron_weight(const struct neuron_sheet *sheet, size_t key)
{
    const struct scene *scene = sheet->scene;
    return edge_thousandths(scene_weight(scene, scene->look.head, sheet->at.from, key));
}

void neuron_draw_band(const struct neuron_sheet *sheet, int y, int x, int rows, const float *values,
                      struct band_scale scale)
{
    if (x >= 0)
        bands_draw(sheet->canvas, y, x, rows, values + sheet->first, sheet->count, sheet->per_cell,
                   scale);
}

void neuron_draw_label(const struct neuron_sheet *sheet, int y, struct style style,
                       const char *label)
{
    canvas_text_right(sheet->canvas, y, sheet->label_x + sheet->label_width, sheet->label_width,
                      style, label);
}

struct style neuron_chosen(const struct neuron_sheet *sheet, enum role ground)
{
    return sheet->canvas->bare ? style_bold(ROLE_STRONG) : style_marked(ground);
}

/* ---- Above the rows ---- */

/* "q·k/√64" */
static void write_quotient(const struct neuron_sheet *sheet, char *text, size_t size)
{
    const bool ascii = canvas_ascii(sheet->canvas);
    char divisor[24];
    dimensions_write_divisor(&sheet->at, sheet->scene->data.divisor, ascii, divisor,
                             sizeof divisor);
    snprintf(text, size, "%s%s%s", ascii && *divisor ? "qk" : "q·k", *divisor ? "/" : "", divisor);
}

/* The chosen query, where it has no column of its own. */
static void draw_query_above(const struct neuron_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    int y = sheet->above_y;
    struct style style = style_bold(ROLE_STRONG);
    if (y < 0)
        return;
    /* Which dimensions are on screen, in as many words as the row has room for. */
    const size_t last = sheet->first + sheet->count - 1, all = sheet->at.trace->dimensions;
    const int x = sheet->band_x[sheet->keys ? BAND_PRODUCT : BAND_WEIGHTED],
              room = sheet->area.x + sheet->area.columns - x;
    char text[100];
    snprintf(text, sizeof text, "dimensions %zu to %zu of %zu", sheet->first, last, all);
    if ((int)text_width(text, false) > room)
        snprintf(text, sizeof text, "%zu to %zu of %zu", sheet->first, last, all);
    if (sheet->count < all && (int)text_width(text, false) <= room)
        canvas_text(sheet->canvas, y, x, room, style_of(ROLE_FAINT), text);
    if (!sheet->same) {
        struct area row = {y, sheet->area.x, 1, sheet->area.columns};
        style = neuron_chosen(sheet, scene->look.to != NO_TOKEN ? ROLE_PINNED : ROLE_CURSOR);
        canvas_mark(sheet->canvas, row, hit_token(SIDE_LEFT, sheet->at.from));
        if (scene->look.to == NO_TOKEN && !sheet->canvas->bare)
            canvas_text(sheet->canvas, y, sheet->mark_x, 1, style_bold(ROLE_TITLE), "▸");
    }
    if (!sheet->same || sheet->keys)
        neuron_draw_label(sheet, y, style, scene_drawn(scene, SIDE_LEFT, sheet->at.from).text);
    if (sheet->keys && sheet->band_x[BAND_QUERY] < 0)
        neuron_draw_band(sheet, y, sheet->band_x[BAND_KEY], 1, dimensions_query(&sheet->at),
                         sheet->scale[BAND_QUERY]);
}

/* A heading stays within its band: where its words don't fit, it is a letter. What stands over the
 * numbers, right-aligned as these are, may reach into the blank before them and comes last. */
void neuron_draw_headings(const struct neuron_sheet *sheet)
{
    const bool both = sheet->band_x[BAND_QUERY] < 0; /* the chosen query stands above the keys */
    const char *const headings[BANDS][2] = {
        {"query q", "q"},
        {both ? "query q, keys k" : "key k", both ? "q, k" : "k"},
        {"q × k", "×"},
        {"value v", "v"},
        {"a × v", "×"}};
    const int width = sheet->band_width;
    draw_query_above(sheet);
    for (enum neuron_band band = 0; band < BANDS; band++) {
        const char *text = headings[band][0];
        const int x = sheet->band_x[band];
        if (x < 0)
            continue;
        canvas_text(sheet->canvas, sheet->area.y, x, width, style_of(ROLE_FAINT),
                    canvas_width(sheet->canvas, text) <= width ? text : headings[band][1]);
        /* a click above a band enters it, another goes to the next dimension of the same cell */
        const int y = sheet->area.y, rows = sheet->mark_y + 1 - y;
        for (int cell = 0; cell < bands_columns(sheet->count, sheet->per_cell); cell++) {
            size_t d = sheet->first + (size_t)cell * sheet->per_cell;
            const size_t end = size_min(d + sheet->per_cell, sheet->at.trace->dimensions);
            if (sheet->cursor != NO_TOKEN && sheet->cursor >= d && sheet->cursor + 1 < end)
                d = sheet->cursor + 1;
            canvas_mark(sheet->canvas, (struct area){y, x + cell, rows, 1},
                        hit_at(HIT(dimension), d));
        }
        if (sheet->cursor != NO_TOKEN)
            canvas_text(sheet->canvas, sheet->mark_y,
                        x + (int)((sheet->cursor - sheet->first) / sheet->per_cell), 1,
                        style_bold(ROLE_TITLE), "▾");
    }
    char score[48] =
        "score"; /* not the quotient alone, where distances add to it, or it is capped */
    if (!dimensions_have_distance(&sheet->at) && sheet->at.trace->cap <= 0)
        write_quotient(sheet, score, sizeof score);
    if (sheet->score_x >= 0)
        canvas_text_right(sheet->canvas, sheet->area.y, sheet->score_x + NEURON_SCORE_WIDTH,
                          NEURON_SCORE_WIDTH + 1, style_of(ROLE_FAINT), score);
    canvas_text_right(sheet->canvas, sheet->area.y, sheet->softmax_x + sheet->softmax_width,
                      NEURON_HEADING_WIDTH, style_of(ROLE_FAINT), "softmax");
}

/* ---- Beside the rows ---- */

/* "↑ 12" in the column of labels. */
static void neuron_draw_outside(const struct neuron_sheet *sheet, int y, const char *arrow,
                                size_t count)
{
    char text[40];
    snprintf(text, sizeof text, "%s %zu", arrow, count);
    if (count > 0 && y >= 0)
        neuron_draw_label(sheet, y, style_of(ROLE_FAINT), text);
}

void neuron_draw_beside(const struct neuron_sheet *sheet)
{
    /* "A" and "B", as in the head view; where the cursor's mark stands in their column, it stays.
     */
    const struct token_range shown = sheet->column.shown;
    for (size_t token = shown.first; token < shown.end; token++) {
        int y = sheet->tokens.y + grid_at(&sheet->column, token);
        const struct cell *cell = canvas_at(sheet->canvas, y, sheet->area.x);
        if (cell && strcmp(cell->text, " ") == 0)
            canvas_text(sheet->canvas, y, sheet->area.x, 1, style_bold(ROLE_FAINT),
                        scene_sentence(sheet->scene, SIDE_RIGHT, token));
    }
    neuron_draw_outside(sheet, sheet->mark_y, "↑", shown.first);
    neuron_draw_outside(sheet, sheet->more_y, "↓", sheet->column.range.end - shown.end);
}

/* ---- The legend ---- */

#define RAMP 7 /* cells: more would outshine the bands */

/* "v  -2 ▒▒▒▒▒▒▒ +2", the ends in the hues of their signs. */
static void print_scale(struct pen *pen, const char *name, struct band_scale scale)
{
    char low[24], high[24];
    float values[RAMP], full = bands_full(scale);
    snprintf(low, sizeof low, "%+.3g", -(double)full);
    snprintf(high, sizeof high, "%+.3g", (double)full);
    int width = canvas_width(pen->canvas, name) + (name[0] ? 2 : 0);
    width += (int)strlen(low) + 1 + RAMP + 1 + (int)strlen(high);
    if (pen->end - pen->x < width) {
        pen->x = pen->end; /* nor for what follows */
    } else {
        for (int i = 0; i < RAMP; i++)
            values[i] = full * (float)(2 * i - (RAMP - 1)) / (RAMP - 1);
        pen_print(pen, style_of(ROLE_FAINT), name[0] ? "%s  " : "%s", name);
        pen_print(pen, style_of(ROLE_NEGATIVE), "%s ", low);
        bands_draw(pen->canvas, pen->y, pen->x, 1, values, RAMP, 1, scale);
        pen->x += RAMP;
        pen_print(pen, style_of(ROLE_POSITIVE), " %s", high);
    }
    pen->x += CAPTION_GAP;
}

/* Where one scale serves q, k and q × k alone, it needs no name. */
void neuron_draw_legend(const struct neuron_sheet *sheet)
{
    const struct area area = sheet->whole;
    struct canvas *canvas = sheet->canvas;
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, area.x + area.columns - 1};
    const char *const stripe =
        sheet->per_cell > 2 ? "a stripe: the largest of some numbers" : "a stripe: one number";
    static const char *const hues[] = {"colour: sign", "fuller: more"};
    if (canvas->bare) { /* a row more, as the line of numbers isn't there */
        caption_place(sheet->scene, &pen, sheet->scene->look.head);
        pen_print(&pen, style_of(ROLE_FAINT), "   bold: the query");
        pen = (struct pen){canvas, pen.y + 1, area.x + 2, pen.end};
    }
    if (caption_key(sheet->scene, &pen, sheet->scene->look.head))
        pen.x += CAPTION_GAP;
    else
        caption_parts(&pen, &stripe, 1, false);
    if (sheet->keys)
        print_scale(&pen, neuron_has_values(sheet) ? "q, k, q × k" : "", sheet->scale[BAND_QUERY]);
    if (neuron_has_values(sheet)) {
        print_scale(&pen, "v", sheet->scale[BAND_VALUE]);
        print_scale(&pen, "a × v", sheet->scale[BAND_WEIGHTED]);
    }
    if (!canvas->traits.mono && !canvas_ascii(canvas)) /* there glyphs show both, see heat.h */
        caption_parts(&pen, hues, 2, false);
}

/* ---- The line of numbers ---- */

/* Where room is short, layer and head are left out first, since the bars above show them too; with
 * a dimension on a narrow screen also the weight, which has a column. */
void neuron_draw_numbers(const struct neuron_sheet *sheet)
{
    const struct area area = sheet->whole;
    const struct scene *scene = sheet->scene;
    const struct attending *at = &sheet->at;
    struct pen pen = {sheet->canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 1};
    unsigned weight = neuron_weight(sheet, sheet->key);
    char quotient[48];
    float score;
    const bool distant = sheet->cursor == NO_TOKEN && dimensions_have_distance(&sheet->at);
    const int kept = KEPT_WIDTH + (distant ? DISTANCE_WIDTH : 0);
    int room = pen.end - pen.x - kept - PLACE_WIDTH;
    bool placed = sheet->cursor == NO_TOKEN && room >= PAIR_LEAST;
    caption_pair(scene, &pen, style_bold(ROLE_STRONG), sheet->at.from, sheet->key,
                 kept + (placed ? PLACE_WIDTH : 0));
    if (sheet->keys && dimensions_score(&sheet->at, sheet->key, scene->data.divisor, &score)) {
        pen_write(&pen, trace_is_masked(score) ? "   score {masked}" : "   score {%+.2f}",
                  (double)score);
        write_quotient(sheet, quotient, sizeof quotient);
        const double distance = distant ? dimensions_distance(&sheet->at, sheet->key) : 0;
        if (distant && !trace_is_masked(score))
            pen_write(&pen, " = %s {%+.2f} + distance {%+.2f}", quotient, (double)score - distance,
                      distance);
        /* else what it is a quotient of, where there is room before the weight */
        const bool capped = at->trace->cap > 0;
        const double divisor = scene->data.divisor,
                     product =
                         capped && dimensions_have_keys(at)
                             ? vector_dot(dimensions_query(at), dimensions_key(at, sheet->key),
                                          at->trace->dimensions)
                             : (double)score * divisor;
        if (!distant && !trace_is_masked(score) && sheet->cursor == NO_TOKEN && divisor != 1 &&
            pen.end - pen.x >= PRODUCT_WIDTH)
            pen_write(&pen, " = q·k {%+.2f} / %.3g%s", product, divisor, capped ? ", capped" : "");
    }
    if (sheet->cursor == NO_TOKEN || area.columns >= NARROW)
        pen_write(&pen, "   weight <%s>", number_weight(weight).text);
    /* nothing of the dimension where the recording has neither keys nor values, though one may
     * still be chosen */
    const size_t d = sheet->cursor;
    const bool dimension = d != NO_TOKEN && (sheet->keys || sheet->values);
    if (dimension)
        pen_write(&pen, "   dim {%zu}", d);
    if (dimension && sheet->keys) {
        const double q = (double)dimensions_query(at)[d],
                     k = (double)dimensions_key(at, sheet->key)[d];
        pen_write(&pen, "  q×k <%+.2f>{ = %+.2f × %+.2f}", q * k, q, k);
    }
    if (dimension && sheet->values) {
        /* the weight is printed as in its column; the product is made with the weight as it is */
        const double v = (double)dimensions_value(at, sheet->key)[d],
                     a = (double)trace_weight(at->trace, at->layer, at->head, at->from, sheet->key);
        pen_write(&pen, "  a×v <%+.2f>{ = %s × %+.2f}", a * v, number_weight(weight).text, v);
        if (pen.end - pen.x >= SUM_WIDTH)
            pen_write(&pen, "  %s {%+.2f}", canvas_ascii(sheet->canvas) ? "sum" : "Σ",
                      (double)sheet->context[d]);
    }
    pen.x += CAPTION_GAP;
    caption_place(scene, &pen, scene->look.head);
}
