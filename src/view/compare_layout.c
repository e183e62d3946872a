#include "headlight/view/compare_layout.h"

#include "headlight/base/size.h"

#define GAP            3  /* columns between panels */
#define LABEL_MOST     10 /* columns of a row label, */
#define LABEL_MOST_ON  14 /* and on screens of so many columns: */
#define WIDE           150
#define LABEL_ROWS_MAX 8
#define PANEL_LEAST    21 /* columns: a narrower third panel is left out */
#define WORDS_COLUMNS  38 /* of what is said beside a panel that is alone */
#define AROUND         2  /* rows of a panel besides labels and cells: its title, its numbers */
#define CHART_ROWS     6  /* with its heading, the numbers and the names of the layers */
#define CHART_MOST     14
#define CHART_SPARES   8  /* so many rows have one for a gap */
#define CHART_FROM     17 /* rows of the whole from which there is a chart */
#define LEGEND_ROWS    1

/* ---- The cursor ---- */

static size_t place_of(const struct comparison *comparison, enum side side, size_t shown)
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
    return place != NO_TOKEN ? place : place_of(comparison, side, scene->look.from);
}

size_t compare_column(const struct scene *scene, const struct comparison *comparison,
                      enum side side)
{
    if (comparison->kind == COMPARISON_WORD) /* in cross-attention no token of the rows */
        return scene->look.to;
    return place_of(comparison, side, scene->look.to);
}

/* ---- Sizes ---- */

/* Of the attending tokens of a side, or of the attended ones. */
static size_t most_tokens(const struct token_side *const sides[2])
{
    return size_max(sides[SIDE_LEFT]->count, sides[SIDE_RIGHT]->count);
}

static int widest_label(const struct canvas *canvas, const struct comparison *comparison, int limit)
{
    size_t widest = 4;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        for (size_t i = 0; i < comparison->tokens[side]->count; i++)
            widest = size_max(
                widest, text_width(comparison->tokens[side]->labels[i], canvas_ascii(canvas)));
    return (int)size_min(widest, (size_t)limit);
}

static int tallest_label(const struct canvas *canvas, const struct comparison *comparison,
                         int limit)
{
    int tallest = 1;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        for (size_t i = 0; i < comparison->attended[side]->count && tallest < limit; i++) {
            int rows = upright_rows(canvas, comparison->attended[side]->labels[i]);
            tallest = rows > tallest ? rows : tallest;
        }
    return tallest < limit ? tallest : limit;
}

/* Whether any two tokens agree, so that a difference has cells. */
static bool has_difference(const struct comparison *comparison)
{
    size_t agreeing = 0;
    for (size_t right = 0; right < comparison->tokens[SIDE_RIGHT]->count; right++)
        agreeing += comparison_twin(comparison, right) != NO_TOKEN;
    return agreeing > 0 && comparison->trace[SIDE_LEFT] && comparison->trace[SIDE_RIGHT];
}

/* The largest cells of which all tokens fit, or else the smallest; and the labels' rows. */
static void choose_cell(const struct canvas *canvas, const struct comparison *comparison,
                        struct compare_layout *layout, int columns, int rows)
{
    static const struct cell_size sizes[] = {{8, 3}, {6, 3}, {8, 2}, {6, 2}, {4, 2},
                                             {6, 1}, {4, 1}, {3, 1}, {2, 1}};
    int tokens = (int)size_min(most_tokens(comparison->tokens), CANVAS_MAX);
    int attended = (int)size_min(most_tokens(comparison->attended), CANVAS_MAX);
    int widest = widest_label(canvas, comparison, CANVAS_MAX);
    int limit = rows / 4 < LABEL_ROWS_MAX ? rows / 4 : LABEL_ROWS_MAX;
    int tallest = tallest_label(canvas, comparison, limit < 1 ? 1 : limit);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        layout->cell = sizes[i];
        layout->upright = widest >= sizes[i].columns;
        layout->label_rows = layout->upright ? tallest : 1;
        bool scrolls = sizes[i].rows == 1; /* what doesn't fit then never does */
        if (attended * sizes[i].columns <= columns &&
            (scrolls || tokens * sizes[i].rows + layout->label_rows <= rows))
            break;
    }
}

static int at_most(int number, int limit)
{
    return number < limit ? number : limit;
}

/* ---- The panels ---- */

/* Beside a single one there are words, unless it is of a recording. */
static int panel_columns(const struct scene *scene, const struct compare_layout *layout,
                         int columns)
{
    bool words = layout->panels == 1 && scene->data.checkpoint;
    columns -= words ? WORDS_COLUMNS + GAP : 0;
    return (columns - (layout->panels - 1) * GAP) / layout->panels;
}

static void place_panel(const struct scene *scene, const struct comparison *comparison,
                        struct compare_layout *layout, int number)
{
    struct compare_panel *panel = &layout->panel[number];
    const enum side side = compare_side(number);
    const struct token_range all = {0, comparison->tokens[side]->count};
    const struct token_range attended = {0, comparison->attended[side]->count};
    const size_t row = compare_row(scene, comparison, side),
                 column = compare_column(scene, comparison, side);
    int rows = panel->area.rows - AROUND - layout->label_rows;
    int columns = panel->area.columns - layout->label_width - 1;
    rows = rows > 0 ? rows / layout->cell.rows : 0;
    columns = columns > 0 ? columns / layout->cell.columns : 0;
    panel->rows = column_place(all, rows, 1, row != NO_TOKEN ? row : 0);
    panel->columns = column_place(attended, columns, 1,
                                  column != NO_TOKEN ? column
                                  : row != NO_TOKEN  ? row
                                                     : 0);
    panel->map = (struct area){
        panel->area.y + 1 + layout->label_rows, panel->area.x + layout->label_width + 1,
        at_most(rows, (int)size_min(all.end, CANVAS_MAX)) * layout->cell.rows,
        at_most(columns, (int)size_min(attended.end, CANVAS_MAX)) * layout->cell.columns};
}

static void place_panels(const struct scene *scene, const struct comparison *comparison,
                         struct compare_layout *layout, struct area area)
{
    int width = panel_columns(scene, layout, area.columns);
    for (int i = 0; i < layout->panels; i++) {
        layout->panel[i].area = (struct area){area.y, area.x + i * (width + GAP), area.rows, width};
        place_panel(scene, comparison, layout, i);
    }
    int used = layout->panel[0].map.x + layout->panel[0].map.columns + GAP - area.x;
    layout->words = (struct area){area.y, area.x + used, area.rows, area.columns - used};
}

static int count_panels(const struct comparison *comparison, int columns)
{
    if (comparison->kind == COMPARISON_WORD)
        return 1;
    bool room = (columns - 2 * GAP) / 3 >= PANEL_LEAST;
    return room && has_difference(comparison) ? 3 : 2;
}

/* Whether any word could have cosines: not where no vectors were recorded, or of other sizes. What
 * is still being computed may have them. */
static bool can_chart(const struct comparison *comparison)
{
    const struct trace *left = comparison->trace[SIDE_LEFT], *right = comparison->trace[SIDE_RIGHT];
    return !left || !right || (left->hidden > 0 && left->hidden == right->hidden);
}

struct compare_layout compare_lay_out(const struct scene *scene, const struct canvas *canvas,
                                      const struct comparison *comparison, struct area area)
{
    struct compare_layout layout = {0};
    struct area inner = {area.y, area.x + 2, area.rows - LEGEND_ROWS, area.columns - 4};
    layout.panels = count_panels(comparison, inner.columns);
    layout.label_width =
        widest_label(canvas, comparison, area.columns >= WIDE ? LABEL_MOST_ON : LABEL_MOST);
    int chart = inner.rows >= CHART_FROM && can_chart(comparison) ? CHART_ROWS : 1;
    int width = panel_columns(scene, &layout, inner.columns);
    choose_cell(canvas, comparison, &layout, width - layout.label_width - 1,
                inner.rows - chart - AROUND);
    int tokens = (int)size_min(most_tokens(comparison->tokens), CANVAS_MAX);
    int wanted = AROUND + layout.label_rows + tokens * layout.cell.rows;
    struct area maps = inner;
    maps.rows = at_most(inner.rows - chart, wanted);
    place_panels(scene, comparison, &layout, maps);
    layout.chart = inner;
    layout.chart.y += maps.rows;
    layout.chart.rows = chart == 1 ? 1 : at_most(inner.rows - maps.rows, CHART_MOST);
    bool taken = layout.chart.rows > CHART_SPARES,
         spare = inner.rows - maps.rows > layout.chart.rows;
    layout.chart.rows -= taken && !spare;
    layout.chart.y += taken || spare; /* a row between them */
    return layout;
}

struct area compare_cell(const struct compare_layout *layout, int number, size_t from, size_t to)
{
    const struct compare_panel *panel = &layout->panel[number];
    return (struct area){panel->map.y + column_row(&panel->rows, from) * layout->cell.rows,
                         panel->map.x + column_row(&panel->columns, to) * layout->cell.columns,
                         layout->cell.rows, layout->cell.columns};
}
