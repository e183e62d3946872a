/* neuron_layout.c: where the parts of the neuron view stand: which bands there is room for, how
 * wide, and which tokens are on screen. */
#include "headlight/view/neuron_sheet.h"

#include "headlight/base/size.h"
#include "headlight/view/contributions.h"

#include <string.h>

#define BAR_LEAST 8
#define BAR_MAX   24
#define STEP_MAX  3
#define LABEL_MAX 20
#define NOWHERE   (-1)

/* ---- What is shown ---- */

static bool sides_are_same(const struct scene *scene)
{
    size_t count = scene_count(scene, SIDE_LEFT);
    if (count != scene_count(scene, SIDE_RIGHT))
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(scene_label(scene, SIDE_LEFT, i), scene_label(scene, SIDE_RIGHT, i)) != 0)
            return false;
    return true;
}

/* Where queries and keys are the same tokens, a token chosen only as a key is the query too. */
static size_t query_token(const struct scene *scene, bool same)
{
    struct token_range range = scene_range(scene, SIDE_LEFT);
    size_t token = scene->look.from == NO_TOKEN && same ? scene->look.to : scene->look.from;
    return token != NO_TOKEN && token >= range.first && token < range.end ? token : range.first;
}

static size_t heaviest_key(const struct scene *scene, size_t query)
{
    size_t best = 0;
    unsigned heaviest = 0;
    for (size_t key = 0; key < scene_count(scene, SIDE_RIGHT); key++) {
        unsigned weight = edge_thousandths(scene_weight(scene, scene->look.head, query, key));
        if (weight > heaviest) {
            heaviest = weight;
            best = key;
        }
    }
    return best;
}

static size_t key_token(const struct scene *scene, const struct neuron_layout *layout)
{
    bool chosen = scene->look.to != NO_TOKEN && (scene->look.from != NO_TOKEN || !layout->same);
    if (chosen && scene->look.to < scene_count(scene, SIDE_RIGHT))
        return scene->look.to;
    return layout->heaviest;
}

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
  close = {3, 1, 2, 1, NEURON_HEADING_WIDTH, 8, 8}, tight = {1, 1, 1, 1, NEURON_NUMBER_WIDTH, 8, 6};

struct arrangement {
    bool keys, queries, score, values, bar;
    size_t per_cell;
    const struct spacing *spacing;
};

/* In order of preference. */
static const struct arrangement arrangements[] = {
    /* keys, queries, score, values, bar */
    {true, true, true, true, true, 1, &roomy},     {true, true, true, true, false, 1, &roomy},
    {true, true, true, true, true, 2, &roomy},     {true, true, true, false, false, 1, &roomy},
    {true, true, true, false, false, 1, &close},   {true, true, true, false, false, 2, &roomy},
    {true, true, true, false, false, 2, &close},   {true, false, true, false, false, 1, &roomy},
    {true, false, true, false, false, 2, &roomy},  {true, false, true, false, false, 2, &close},
    {true, false, false, false, false, 2, &close}, {true, false, false, false, false, 2, &tight},
    {false, false, false, true, true, 1, &roomy},  {false, false, false, true, true, 1, &close},
    {false, false, false, true, true, 2, &roomy},  {false, false, false, true, true, 2, &close},
    {false, false, false, true, false, 2, &close}, {false, false, false, true, false, 2, &tight},
};

static int band_count(const struct arrangement *plan)
{
    return (plan->keys ? 2 : 0) + (plan->keys && plan->queries) + (plan->values ? 2 : 0);
}

/* Everything but the bands themselves and the label. */
static int other_columns(const struct arrangement *plan)
{
    const struct spacing *spacing = plan->spacing;
    return spacing->lead + spacing->after + spacing->softmax + spacing->margin +
           band_count(plan) * spacing->gap + (plan->score ? NEURON_SCORE_WIDTH + spacing->gap : 0) +
           (plan->bar ? 1 + BAR_LEAST : 0);
}

/* The first arrangement that fits; else the last one, whose bands are a window. */
static struct arrangement choose_arrangement(const struct scene *scene,
                                             const struct neuron_layout *layout, int label)
{
    bool keys = dimensions_have_keys(&layout->at), values = dimensions_have_values(&layout->at);
    bool valued = values && (scene->look.valued || !keys);
    struct arrangement plan = {0};
    for (size_t i = 0; i < sizeof arrangements / sizeof *arrangements; i++) {
        const struct arrangement *next = &arrangements[i];
        bool both = next->keys && next->values;
        if ((next->keys && !keys) || (next->values && !values) || (!both && next->values != valued))
            continue;
        plan = *next;
        plan.queries = next->queries && layout->same;
        int whole = bands_columns(layout->at.trace->dimensions, plan.per_cell);
        if (other_columns(&plan) + (int)size_min((size_t)label, (size_t)plan.spacing->label_least) +
                band_count(&plan) * whole <=
            layout->area.columns)
            break;
    }
    return plan;
}

/* Right of the weight, where no values are: the key's name and a bar, as far as there is room. */
static void place_bar(struct neuron_layout *layout, int end)
{
    if (end - layout->bar_x > layout->label_width + 12) {
        layout->name_x = layout->bar_x + 1;
        layout->bar_x = layout->name_x + layout->label_width + 2;
    }
    layout->bar_width = end - layout->bar_x;
    if (layout->bar_width > BAR_MAX)
        layout->bar_width = BAR_MAX;
    if (layout->bar_width < 4)
        layout->bar_width = 0;
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
static void place_parts(struct neuron_layout *layout, const struct arrangement *plan, int label,
                        int spare)
{
    const struct spacing *spacing = plan->spacing;
    int gap = spacing->gap, band = layout->band_width + gap;
    int wanted = label < spacing->label_max ? label : spacing->label_max;
    int least = label < spacing->label_least ? label : spacing->label_least;
    int grown = spare < wanted - least ? spare : wanted - least;
    int x = layout->area.x + spacing->lead, end = layout->area.x + layout->area.columns;
    layout->label_x = x;
    layout->label_width = least + (grown > 0 ? grown : 0);
    layout->mark_x = x - (spacing->lead > 2 ? 2 : 1);
    x += layout->label_width + spacing->after;
    layout->query_x = place_part(&x, plan->keys && plan->queries, band);
    layout->key_x = place_part(&x, plan->keys, band);
    layout->product_x = place_part(&x, plan->keys, band);
    layout->score_x = place_part(&x, plan->score, NEURON_SCORE_WIDTH + gap);
    layout->softmax_x = place_part(&x, true, spacing->softmax);
    layout->softmax_width = spacing->softmax;
    layout->bar_x = x + 1;
    if (!plan->values) {
        place_bar(layout, end - spacing->margin);
    } else if (plan->bar) {
        int bar = BAR_LEAST + spare - (grown > 0 ? grown : 0);
        layout->bar_width = bar < BAR_MAX ? bar : BAR_MAX;
        x += 1 + layout->bar_width;
    }
    x += gap;
    layout->value_x = place_part(&x, plan->values, band);
    layout->weighted_x = place_part(&x, plan->values, band);
}

/* The dimensions on screen: all, or a window that follows the cursor. It begins with a whole cell,
 * and may end with half of one. */
static void place_window(struct neuron_layout *layout)
{
    size_t dimensions = layout->at.trace->dimensions, per_cell = layout->per_cell;
    layout->count = size_min(dimensions, per_cell * (size_t)layout->band_width);
    size_t middle = layout->count / 2, cursor = layout->cursor == NO_TOKEN ? 0 : layout->cursor;
    if (cursor > middle) {
        size_t last = dimensions - layout->count;
        layout->first = size_min(cursor - middle, last + last % per_cell);
        layout->first -= layout->first % per_cell;
        layout->count = size_min(layout->count, dimensions - layout->first);
    }
}

static void neuron_place_columns(const struct scene *scene, const struct canvas *canvas,
                                 struct neuron_layout *layout)
{
    int label = scene_label_width(scene, canvas, LABEL_MAX);
    struct arrangement plan = choose_arrangement(scene, layout, label);
    layout->keys = plan.keys;
    layout->values = plan.values;
    if (!plan.keys && !plan.values)
        return;
    int least = label < plan.spacing->label_least ? label : plan.spacing->label_least;
    int bands = band_count(&plan), room = layout->area.columns - other_columns(&plan) - least;
    int whole = bands_columns(layout->at.trace->dimensions, plan.per_cell);
    layout->per_cell = plan.per_cell;
    layout->band_width = room < bands * whole ? room / bands : whole;
    if (layout->band_width < 1)
        layout->band_width = 1;
    int spare = room - bands * layout->band_width;
    place_parts(layout, &plan, label, spare > 0 ? spare : 0);
    place_window(layout);
}

/* ---- Rows ---- */

/* The rows above the keys: headings, the chosen query or the window's range, and the marks. Returns
 * the first row of the keys. */
static int place_top(struct neuron_layout *layout, int y)
{
    bool window = layout->count < layout->at.trace->dimensions;
    bool above = (layout->keys && layout->query_x == NOWHERE) || !layout->same || window;
    layout->above_y = above ? y + 1 : NOWHERE;
    layout->mark_y = above ? y + 2 : y + 1;
    return layout->mark_y + 1;
}

/* Before the second sentence there is a blank row where one is left. */
static void place_tokens(const struct scene *scene, struct neuron_layout *layout, int step,
                         size_t anchor)
{
    size_t count = scene_count(scene, SIDE_RIGHT), boundary = scene_boundary(scene, SIDE_RIGHT);
    struct column *column = &layout->column;
    int rows = layout->tokens.rows;
    *column = column_place((struct token_range){0, count}, rows, step, anchor);
    if (scene_is_pair(scene) && boundary > 0 &&
        column_row(column, count - 1) + layout->band_rows < rows)
        column->gap = boundary;
}

/* Σ below the last token, with `room` rows for it and the blank above it. */
static void place_sum(struct neuron_layout *layout, int rows, int room)
{
    int last = column_row(&layout->column, layout->column.range.end - 1), end = rows - room;
    layout->sum_y = NOWHERE;
    if (room > 0 && rows > room)
        layout->sum_y =
            layout->tokens.y + (last < end ? last + layout->band_rows : end) + (room > 1);
}

static void neuron_place_rows(const struct scene *scene, struct neuron_layout *layout)
{
    struct area area = layout->area;
    size_t count = scene_count(scene, SIDE_RIGHT), gap = scene_is_pair(scene);
    bool from_key = !layout->same || (scene->look.to != NO_TOKEN && scene->look.side == SIDE_RIGHT);
    size_t anchor = from_key ? layout->key : layout->at.from;
    int top = place_top(layout, area.y), rows = area.y + area.rows - 2 - top, step = STEP_MAX;
    int sum = !layout->values ? 0 : rows >= 8 ? 2 : 1; /* Σ, with a blank row above */
    layout->band_rows = 1;
    if (rows - sum - (sum > 0) >= 0 &&
        (size_t)(rows - sum - (sum > 0)) >= count * STEP_MAX - 1 + gap) {
        layout->band_rows = 2;
        sum += sum > 0;
    } else {
        step = rows - sum > 0 && (size_t)(rows - sum) >= count * 2 - 1 + gap ? 2 : 1;
    }
    bool more = rows - sum > 2 && count > (size_t)(rows - sum);
    int shown = rows - sum - (more && sum < 2); /* else it goes into the row above Σ */
    layout->tokens = (struct area){top, area.x, shown, area.columns};
    layout->more_y = more ? top + shown : NOWHERE;
    place_tokens(scene, layout, step, anchor);
    place_sum(layout, rows, sum);
}

struct neuron_layout neuron_lay_out(const struct scene *scene, const struct canvas *canvas,
                                    struct area area)
{
    struct neuron_layout layout = {.area = area, .name_x = NOWHERE};
    layout.same = sides_are_same(scene);
    layout.at = (struct attending){scene->data.trace, scene->look.layer, scene->look.head,
                                   query_token(scene, layout.same)};
    layout.heaviest = heaviest_key(scene, layout.at.from);
    layout.key = key_token(scene, &layout);
    layout.cursor =
        scene->look.dimension < scene->data.trace->dimensions ? scene->look.dimension : NO_TOKEN;
    if (scene->look.listed && area.columns >= 2 * CONTRIBUTIONS_COLUMNS - 6) {
        int gap = area.columns >= 100 ? 2 : 0;
        layout.area.columns -= CONTRIBUTIONS_COLUMNS + gap;
        layout.panel = (struct area){area.y, layout.area.x + layout.area.columns + gap,
                                     area.rows - 2, CONTRIBUTIONS_COLUMNS};
    }
    neuron_place_columns(scene, canvas, &layout);
    if (layout.keys || layout.values)
        neuron_place_rows(scene, &layout);
    return layout;
}
