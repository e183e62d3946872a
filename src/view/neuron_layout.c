/* neuron_layout.c: where the parts of the neuron view stand: which bands there is room for, how
 * wide, and which tokens are on screen. The first arrangement that fits is chosen from a table;
 * what is left over then goes to labels and bars. */
#include "headlight/view/neuron_sheet.h"

#define BAR_LEAST   8
#define BAR_MAX     24
#define STEP_MAX    3
#define LABEL_MAX   20
#define VALUED_FROM 12 /* rows of keys, of which the chosen pair's values take up to three */
#define NOWHERE     (-1)

/* ---- Columns ---- */

/* The room between the parts. */
static const struct spacing {
    int lead;      /* before the label, for the mark */
    int gap;       /* between columns */
    int after;     /* after the label */
    int margin;    /* at the right end */
    int softmax;   /* width */
    int label_max; /* the widest that the label gets */
    int label_least;
} roomy = {4, 2, 2, 2, NEURON_HEADING_WIDTH, LABEL_MAX, 8},
  close = {3, 1, 2, 1, NEURON_HEADING_WIDTH, 8, 8},
  narrow = {1, 1, 1, 1, NEURON_HEADING_WIDTH, 8, 7},
  tight = {1, 1, 1, 1, NEURON_NUMBER_WIDTH, 8, 6};

struct arrangement {
    bool keys, queries, score, values, bar;
    size_t per_cell;
    const struct spacing *spacing;
};

/* From so many columns on what makes the weight and what it makes stand side by side, with as many
 * dimensions in a cell as that takes. */
#define ALL_FROM 110

/* In order of preference. */
static const struct arrangement arrangements[] = {
    /* keys, queries, score, values, bar */
    {true, true, true, true, true, 1, &roomy},     {true, true, true, true, false, 1, &roomy},
    {true, true, true, true, true, 2, &roomy},     {true, true, true, true, false, 2, &close},
    {true, true, true, true, false, 2, &narrow},   {true, true, true, true, true, 4, &roomy},
    {true, true, true, true, false, 4, &close},    {true, true, true, true, false, 4, &narrow},
    {true, true, true, true, false, 8, &close},    {true, true, true, false, false, 1, &roomy},
    {true, true, true, false, false, 1, &close},   {true, true, true, false, false, 2, &roomy},
    {true, true, true, false, false, 2, &close},   {true, false, true, false, false, 1, &roomy},
    {true, false, true, false, false, 2, &roomy},  {true, false, true, false, false, 2, &close},
    {true, false, false, false, false, 2, &close}, {true, false, false, false, false, 2, &tight},
    {false, false, false, true, true, 1, &roomy},  {false, false, false, true, true, 1, &close},
    {false, false, false, true, true, 2, &roomy},  {false, false, false, true, true, 2, &close},
    {false, false, false, true, false, 2, &close}, {false, false, false, true, false, 2, &tight},
};

/* Keys come with their products, values with their weighted values. */
static int band_count(const struct arrangement *plan)
{
    return (plan->keys ? 2 : 0) + (plan->keys && plan->queries) + (plan->values ? 2 : 0);
}

/* Everything but the bands themselves, with the least of a label that wants so many columns. */
static int other_columns(const struct arrangement *plan, int label)
{
    const struct spacing *spacing = plan->spacing;
    return spacing->lead + int_min(label, spacing->label_least) + spacing->after +
           spacing->softmax + spacing->margin + band_count(plan) * spacing->gap +
           (plan->score ? NEURON_SCORE_WIDTH + spacing->gap : 0) + (plan->bar ? 1 + BAR_LEAST : 0);
}

/* Returns where a part begins, or NOWHERE if it isn't shown; *x moves on by its columns. */
static int place_part(int *x, bool shown, int columns)
{
    int begin = *x;
    if (!shown)
        return NOWHERE;
    *x += columns;
    return begin;
}

/* `spare` columns go to the label first, then to the bar between weight and values. */
static void place_parts(struct neuron_sheet *sheet, const struct arrangement *plan, int label,
                        int spare)
{
    const struct spacing *spacing = plan->spacing;
    int gap = spacing->gap, band = sheet->band_width + gap;
    int least = int_min(label, spacing->label_least);
    int grown = int_min(spare, int_min(label, spacing->label_max) - least);
    int x = sheet->area.x + spacing->lead, end = sheet->area.x + sheet->area.columns;
    sheet->label_x = x;
    sheet->label_width = least + grown;
    sheet->mark_x = x - (spacing->lead > 2 ? 2 : 1);
    x += sheet->label_width + spacing->after;
    sheet->band_x[BAND_QUERY] = place_part(&x, plan->keys && plan->queries, band);
    sheet->band_x[BAND_KEY] = place_part(&x, plan->keys, band);
    sheet->band_x[BAND_PRODUCT] = place_part(&x, plan->keys, band);
    sheet->score_x = place_part(&x, plan->score, NEURON_SCORE_WIDTH + gap);
    sheet->softmax_x = place_part(&x, true, spacing->softmax);
    sheet->softmax_width = spacing->softmax;
    sheet->bar_x = x + 1;
    if (!plan->values) {
        const int stop = end - spacing->margin;
        if (stop - sheet->bar_x > sheet->label_width + 12) {
            sheet->name_x = sheet->bar_x + 1;
            sheet->bar_x = sheet->name_x + sheet->label_width + 2;
        }
        sheet->bar_width = int_min(stop - sheet->bar_x, BAR_MAX);
        if (sheet->bar_width < 4)
            sheet->bar_width = 0;
    } else if (plan->bar) {
        sheet->bar_width = int_min(BAR_LEAST + spare - grown, BAR_MAX);
        x += 1 + sheet->bar_width;
    }
    x += gap;
    sheet->band_x[BAND_VALUE] = place_part(&x, plan->values, band);
    sheet->band_x[BAND_WEIGHTED] = place_part(&x, plan->values, band);
}

/* The first arrangement that fits; else the last one, whose bands are a window. What the bands
 * leave is shared out; where they don't fit, they are cut to what there is, and scroll. */
static void neuron_place_columns(struct neuron_sheet *sheet)
{
    int label = scene_label_width(sheet->scene, sheet->canvas, LABEL_MAX);
    const bool keys = dimensions_have_keys(&sheet->at), values = dimensions_have_values(&sheet->at);
    const bool valued = values && (sheet->scene->look.valued || !keys);
    const size_t dimensions = sheet->at.trace->dimensions;
    struct arrangement plan = {0};
    for (size_t i = 0; i < LENGTH(arrangements); i++) {
        const struct arrangement *next = &arrangements[i];
        const bool both = next->keys && next->values;
        if ((next->keys && !keys) || (next->values && !values) ||
            (both ? sheet->area.columns < ALL_FROM : next->values != valued))
            continue;
        plan = *next;
        plan.queries = next->queries && sheet->same;
        const int whole = band_count(&plan) * bands_columns(dimensions, plan.per_cell);
        if (other_columns(&plan, label) + whole <= sheet->area.columns)
            break;
    }
    sheet->keys = plan.keys;
    sheet->values = plan.values;
    if (!plan.keys && !plan.values)
        return;
    int bands = band_count(&plan), room = sheet->area.columns - other_columns(&plan, label);
    const size_t per_cell = plan.per_cell;
    sheet->per_cell = per_cell;
    sheet->band_width = int_clamp(room / bands, 1, bands_columns(dimensions, per_cell));
    place_parts(sheet, &plan, label, int_max(room - bands * sheet->band_width, 0));
    /* The dimensions on screen: all, or a window that follows the cursor. It begins with a whole
     * cell, and may end with half of one. */
    sheet->count = size_min(dimensions, per_cell * (size_t)sheet->band_width);
    size_t middle = sheet->count / 2, cursor = sheet->cursor == NO_TOKEN ? 0 : sheet->cursor;
    if (cursor > middle) {
        size_t last = dimensions - sheet->count;
        sheet->first = size_min(cursor - middle, last + last % per_cell);
        sheet->first -= sheet->first % per_cell;
        sheet->count = size_min(sheet->count, dimensions - sheet->first);
    }
}

/* ---- The whole ---- */

void neuron_choose(struct neuron_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const struct look *look = &scene->look;
    /* by their labels: a recording of two different texts may have as many tokens on both sides */
    const size_t count = scene_count(scene, SIDE_RIGHT);
    sheet->same = scene_count(scene, SIDE_LEFT) == count;
    for (size_t i = 0; sheet->same && i < count; i++)
        sheet->same =
            strcmp(scene_label(scene, SIDE_LEFT, i), scene_label(scene, SIDE_RIGHT, i)) == 0;
    /* where queries and keys are the same tokens, a token chosen only as a key is the query too */
    const struct token_range range = scene_range(scene, SIDE_LEFT);
    const size_t query = look->from == NO_TOKEN && sheet->same ? look->to : look->from;
    const bool shown = query != NO_TOKEN && query >= range.first && query < range.end;
    sheet->at = (struct attending){scene->data.trace, look->layer, look->head,
                                   shown ? query : scene_first_word(scene, SIDE_LEFT)};
    sheet->heaviest = 0; /* in thousandths, as they are printed: of equal ones the first */
    for (size_t key = 1; key < count; key++)
        if (neuron_weight(sheet, key) > neuron_weight(sheet, sheet->heaviest))
            sheet->heaviest = key;
    /* where each row is both, one chosen on the right alone is the query */
    const bool chosen =
        look->to != NO_TOKEN && (look->from != NO_TOKEN || !sheet->same) && look->to < count;
    sheet->key = chosen ? look->to : sheet->heaviest;
}

/* Columns before rows: which bands are shown decides how many rows they need. Rows are two high,
 * with a blank between them, where all keys fit that way; else a blank alone; else neither, and the
 * keys scroll. Below them stands Σ, or where there are no values the chosen pair's, with headings;
 * above it a blank where there are eight rows. */
void neuron_lay_out(struct neuron_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const struct area whole = sheet->whole;
    sheet->area = whole;
    if (sheet->canvas->bare) { /* whose margins lie outside of the canvas, but for a column */
        sheet->area.x++;
        sheet->area.columns -= 2;
    }
    sheet->name_x = NOWHERE;
    neuron_choose(sheet);
    sheet->cursor = scene->look.dimension < scene->data.trace->dimensions && !sheet->canvas->bare
                        ? scene->look.dimension
                        : NO_TOKEN;
    if (scene->look.listed && whole.columns >= 2 * CONTRIBUTIONS_COLUMNS - 6) {
        int x = whole.x + whole.columns - CONTRIBUTIONS_COLUMNS;
        sheet->panel = (struct area){whole.y, x, whole.rows - 2, CONTRIBUTIONS_COLUMNS};
        sheet->area.columns = x - whole.x - (whole.columns >= 100 ? 2 : 0);
    }
    neuron_place_columns(sheet);
    if (!sheet->keys && !sheet->values)
        return;
    const struct area area = sheet->area;
    const bool pair = scene_is_pair(scene);
    const size_t count = scene_count(scene, SIDE_RIGHT), gap = pair;
    const bool from_key =
        !sheet->same || (scene->look.to != NO_TOKEN && scene->look.side == SIDE_RIGHT);
    /* above the keys: headings, the chosen query or the window's range, and the marks */
    const bool window = sheet->count < sheet->at.trace->dimensions,
               above =
                   (sheet->keys && sheet->band_x[BAND_QUERY] == NOWHERE) || !sheet->same || window;
    const int top = area.y + 2 + above, rows = area.y + area.rows - 2 - sheet->canvas->bare - top;
    sheet->above_y = above ? area.y + 1 : NOWHERE;
    sheet->mark_y = top - 1;
    const bool valued = !sheet->values && rows >= VALUED_FROM && dimensions_have_values(&sheet->at);
    const int part = sheet->values ? 1 : valued ? 2 : 0;
    const bool blank = rows >= 8 && part > 0 && (!valued || count + gap + 2 != (size_t)rows);
    const int tall = part + blank + (part > 0);
    const bool high = rows >= tall && (size_t)(rows - tall) >= count * STEP_MAX - 1 + gap;
    const int below = high ? tall : part + blank, end = rows - below;
    const bool apart = rows > below && (size_t)end >= count * 2 - 1 + gap;
    const int step = high ? STEP_MAX : apart ? 2 : 1;
    sheet->band_rows = high ? 2 : 1;
    bool more = end > 2 && count > (size_t)end;
    int shown = end - (more && !blank); /* else it goes into the blank row */
    sheet->tokens = (struct area){top, area.x, shown, area.columns};
    sheet->more_y = more ? top + shown : NOWHERE;
    sheet->column = grid_column((struct token_range){0, count}, sheet->tokens.rows, step,
                                from_key ? sheet->key : sheet->at.from);
    /* before the second sentence there is a blank row where one is left */
    const size_t boundary = scene_boundary(scene, SIDE_RIGHT);
    if (pair && boundary > 0 &&
        grid_at(&sheet->column, count - 1) + sheet->band_rows < sheet->tokens.rows)
        sheet->column.boundary = boundary;
    if (window)
        sheet->canvas->overflow |= OVERFLOW_COLUMNS;
    if (edge_range_count(sheet->column.shown) < count || (pair && sheet->column.boundary == 0))
        sheet->canvas->overflow |= OVERFLOW_ROWS;
    const int last = grid_at(&sheet->column, sheet->column.range.end - 1);
    sheet->below_y = NOWHERE;
    if (part > 0 && end > 0)
        sheet->below_y = sheet->tokens.y + (last < end ? last + sheet->band_rows : end) + blank;
}
