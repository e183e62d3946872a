/* compare.c: the compare view. The same head side by side: of one text in two models, before and
 * after a change of the network, or of two sentences, each by itself (comparison.h); what they
 * differ by (compare_maps.c); and how alike a word of both is, layer by layer (compare_chart.c).
 * Panels share one size of cells, so that the same words stand at the same places. */
#include "headlight/view/compare.h"
#include "headlight/base/size.h"
#include "headlight/lens/same_word.h"
#include "headlight/view/views.h"

#include <stdio.h>

#define GAP           3  /* columns between panels */
#define LABEL_MOST    10 /* columns of a row label, */
#define LABEL_MOST_ON 14 /* and on screens of so many columns: */
#define WIDE          150
#define PANEL_LEAST   21 /* columns: a narrower third panel is left out */
#define WORDS_COLUMNS 38 /* of what is said beside a panel that is alone */
#define AROUND        2  /* rows of a panel besides labels and cells: its title, its numbers */
#define CHART_ROWS    6  /* with its heading, the numbers and the names of the layers */
#define CHART_MOST    14
#define CHART_SPARES  8  /* so many rows have one for a gap */
#define CHART_FROM    17 /* rows of the whole from which there is a chart */
#define LEGEND_ROWS   1

/* ---- Where it stands ---- */

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

static int compare_tallest_label(const struct canvas *canvas, const struct comparison *comparison,
                                 int rows)
{
    int tallest = 1, limit = rows / 4 < GRID_LABEL_ROWS ? rows / 4 : GRID_LABEL_ROWS;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        for (size_t i = 0; i < comparison->attended[side]->count && tallest < limit; i++) {
            int label = grid_upright_rows(canvas, comparison->attended[side]->labels[i]);
            tallest = label > tallest ? label : tallest;
        }
    return tallest < limit || limit < 1 ? tallest : limit;
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
static struct grid choose_grid(const struct canvas *canvas, const struct comparison *comparison,
                               int label_width, int columns, int rows)
{
    static const struct grid_cell sizes[] = {{8, 3}, {6, 3}, {8, 2}, {6, 2}, {4, 2},
                                             {6, 1}, {4, 1}, {3, 1}, {2, 1}};
    struct grid grid = {.label_width = label_width, .aside = 1};
    const struct grid_room room = {.columns = columns - label_width - 1,
                                   .rows = rows,
                                   .across = most_tokens(comparison->attended),
                                   .down = most_tokens(comparison->tokens),
                                   .widest = widest_label(canvas, comparison, CANVAS_MAX),
                                   .tallest = compare_tallest_label(canvas, comparison, rows),
                                   .upright_below = CANVAS_MAX,
                                   .scrolls = true};
    grid_choose(&grid, &room, sizes, sizeof sizes / sizeof *sizes);
    return grid;
}

static int compare_at_most(int number, int limit)
{
    return number < limit ? number : limit;
}

/* Beside a single one there are words, unless it is of a recording. */
static int panel_columns(const struct scene *scene, const struct compare_layout *layout,
                         int columns)
{
    bool words = layout->panels == 1 && scene->data.checkpoint;
    columns -= words ? WORDS_COLUMNS + GAP : 0;
    return (columns - (layout->panels - 1) * GAP) / layout->panels;
}

/* Places a panel's rows and columns of tokens. */
static void place_panel(const struct scene *scene, const struct comparison *comparison,
                        struct compare_panel *panel, enum side side)
{
    struct grid *grid = &panel->grid;
    const struct token_range rows = {0, comparison->tokens[side]->count};
    const struct token_range columns = {0, comparison->attended[side]->count};
    size_t row = compare_row(scene, comparison, side);
    size_t column = compare_column(scene, comparison, side);
    row = row != NO_TOKEN ? row : 0;
    grid->row = grid_axis(rows, 0, panel->area.y + 1 + grid->label_rows,
                          panel->area.rows - AROUND - grid->label_rows, grid->cell.rows, row);
    grid->column = grid_axis(columns, 0, panel->area.x + grid->label_width + 1,
                             panel->area.columns - grid->label_width - 1, grid->cell.columns,
                             column != NO_TOKEN ? column : row);
}

static void place_panels(const struct scene *scene, const struct comparison *comparison,
                         struct compare_layout *layout, const struct grid *grid, struct area area)
{
    int width = panel_columns(scene, layout, area.columns);
    for (int i = 0; i < layout->panels; i++) {
        struct area panel = {area.y, area.x + i * (width + GAP), area.rows, width};
        layout->panel[i] = (struct compare_panel){panel, *grid};
        place_panel(scene, comparison, &layout->panel[i], compare_side(i));
    }
    int used = grid_stop(&layout->panel[0].grid.column) + GAP - area.x;
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

static struct compare_layout compare_lay_out(const struct scene *scene, const struct canvas *canvas,
                                             const struct comparison *comparison, struct area area)
{
    struct compare_layout layout = {0};
    struct area inner = {area.y, area.x + 2, area.rows - LEGEND_ROWS, area.columns - 4};
    layout.panels = count_panels(comparison, inner.columns);
    int chart = inner.rows >= CHART_FROM && can_chart(comparison) ? CHART_ROWS : 1;
    int labels =
        widest_label(canvas, comparison, area.columns >= WIDE ? LABEL_MOST_ON : LABEL_MOST);
    const struct grid grid =
        choose_grid(canvas, comparison, labels, panel_columns(scene, &layout, inner.columns),
                    inner.rows - chart - AROUND);
    int tokens = (int)size_min(most_tokens(comparison->tokens), CANVAS_MAX);
    struct area maps = inner;
    maps.rows =
        compare_at_most(inner.rows - chart, AROUND + grid.label_rows + tokens * grid.cell.rows);
    place_panels(scene, comparison, &layout, &grid, maps);
    layout.chart = inner;
    layout.chart.y += maps.rows;
    layout.chart.rows = chart == 1 ? 1 : compare_at_most(inner.rows - maps.rows, CHART_MOST);
    bool taken = layout.chart.rows > CHART_SPARES,
         spare = inner.rows - maps.rows > layout.chart.rows;
    layout.chart.rows -= taken && !spare;
    layout.chart.y += taken || spare; /* a row between them */
    return layout;
}

/* ---- What there is to compare ---- */

/* What can be compared besides, and how to get there. A word that stands `twice` is there. */
static void draw_ways(struct canvas *canvas, struct area area, bool twice)
{
    static const struct {
        const char *how, *what;
    } ways[] = {
        {"e, then Tab", "a second sentence"},
        {"z", "a change of the network"},
        {"--against DIR", "another model"},
        {"e", "a text with a word twice"},
    };
    const size_t count = sizeof ways / sizeof *ways - twice;
    static const char *const example[] = {
        "The two flies, each in its sentence:", "", "headlight --view compare \\",
        "  \"time flies like an arrow\" \\", "  \"fruit flies like a banana\""};
    int y = area.y, end = area.y + area.rows;
    canvas_text(canvas, y++, area.x, area.columns, style_bold(ROLE_TITLE),
                twice ? "What else can be compared" : "What can be compared");
    for (size_t i = 0; i < count && y < end; i++, y++) {
        struct pen pen = {canvas, y, area.x, area.x + area.columns};
        pen_print(&pen, style_of(ROLE_TITLE), "%-13s ", ways[i].how);
        pen_print(&pen, style_of(ROLE_TEXT), "%s", ways[i].what);
    }
    y++;
    for (size_t i = 0; i < sizeof example / sizeof *example && y < end; i++, y++)
        canvas_text(canvas, y, area.x, area.columns, style_of(i == 0 ? ROLE_FAINT : ROLE_TEXT),
                    example[i]);
}

static bool has_word_twice(const struct comparison *comparison)
{
    struct token_range places[2];
    return same_word_first(comparison->tokens[SIDE_LEFT], NULL, places);
}

/* Why what it is compared with can't be computed. */
static void draw_refusal(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct area lower = {area.y + area.rows / 2, area.x + 2, area.rows / 2, area.columns - 4};
    canvas_paragraph(canvas, lower, style_of(ROLE_TEXT), scene->data.uncompared);
}

static bool is_refused(const struct scene *scene, const struct comparison *comparison)
{
    return scene->data.uncompared[0] && !comparison->trace[SIDE_RIGHT];
}

static enum status compare_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                                struct error *error)
{
    const struct comparison comparison = comparison_of(scene);
    if (is_refused(scene, &comparison)) {
        draw_refusal(scene, canvas, area);
        return STATUS_OK;
    }
    const struct compare_layout layout = compare_lay_out(scene, canvas, &comparison, area);
    const struct compare_scale scale = compare_measure(scene, &comparison);
    compare_draw_maps(scene, canvas, &comparison, &layout, &scale);
    if (layout.panels == 1 && scene->data.checkpoint) /* a recording is what it is */
        draw_ways(canvas, layout.words, has_word_twice(&comparison));
    return compare_draw_chart(scene, canvas, layout.chart, &comparison, error);
}

#define MEANING "the same head side by side, and how alike a word is in both"

static void compare_legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct comparison comparison = comparison_of(scene);
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    const struct compare_scale scale = compare_measure(scene, &comparison);
    struct style style = style_of(ROLE_FAINT);
    if (is_refused(scene, &comparison))
        return;
    pen_print(&pen, style, "rows attend to columns, 0 … %.3f", (double)scale.weight);
    if (scale.difference > 0) /* nothing has two hues where nothing differs */
        pen_print(&pen, style, "   %s, to %.3f",
                  canvas->traits.mono ? "+ more right, - less" : "blue: more right, orange: less",
                  (double)scale.difference);
}

/* ---- Keys and clicks ---- */

static const char *compare_hints(const struct scene *scene)
{
    return scene->look.side == SIDE_RIGHT
               ? "↑↓: column; ←→: layer; 0-9: head; z: change; Enter: back; e: edit"
               : "↑↓: word; ←→: layer; 0-9: head; z: change; Enter: heaviest; e: edit";
}

/* The token of the text shown that has the cursor, or that the word begins with. */
static size_t cursor_of(const struct scene *scene, const struct comparison *comparison,
                        enum side *side)
{
    *side = comparison_place(comparison, SIDE_LEFT, scene->look.from) == NO_TOKEN &&
                    comparison_place(comparison, SIDE_RIGHT, scene->look.from) != NO_TOKEN
                ? SIDE_RIGHT
                : SIDE_LEFT;
    if (scene->look.from != NO_TOKEN || !comparison->is_there[*side])
        return scene->look.from;
    return comparison_shown(comparison, *side, comparison->word[*side].first);
}

/* Goes to the heaviest weight of the cursor's row, or back. */
static enum acted compare_pin(struct scene *scene, const struct comparison *comparison)
{
    enum side side;
    size_t from = cursor_of(scene, comparison, &side), to = scene->look.to;
    scene->look.side = SIDE_LEFT;
    scene->look.to = NO_TOKEN;
    if (to != NO_TOKEN || from == NO_TOKEN)
        return ACT_DONE;
    scene->look.from = from;
    to = compare_heaviest(scene, comparison, side, comparison_place(comparison, side, from));
    if (to != NO_TOKEN)
        scene->look.to = comparison_shown(comparison, side, to);
    if (scene->look.to != NO_TOKEN)
        scene->look.side = SIDE_RIGHT;
    return ACT_DONE;
}

/* Words are walked from the one that is compared. */
static enum acted compare_act(struct scene *scene, enum action action, struct error *error)
{
    struct comparison comparison;
    enum side side;
    if (action == ACTION_LIST) {
        error_set(error, STATUS_USAGE, "there is no list here: Enter goes to a row's heaviest");
        return ACT_REFUSED;
    }
    if (!scene->data.trace)
        return ACT_PASSED;
    comparison = comparison_of(scene);
    switch (action) {
    case ACTION_PIN:
        return compare_pin(scene, &comparison);
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        if (scene->look.side == SIDE_LEFT)
            scene->look.from = cursor_of(scene, &comparison, &side);
        return ACT_PASSED;
    default:
        return ACT_PASSED;
    }
}

static enum action compare_click(struct scene *scene, struct hit hit)
{
    if (hit.kind == HIT_POINT && hit.value < scene->data.layers)
        scene->look.layer = hit.value;
    return ACTION_COUNT;
}

const struct view compare_view = {
    .title = "Compare",
    .about = "one head twice: two models, two texts, or before and after a change",
    .meaning = MEANING,
    .mouse = "a cell, a token, a point",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_TONE,
    .own_list = true,
    .compares = true,
    .draw = compare_draw,
    .act = compare_act,
    .click = compare_click,
    .hints = compare_hints,
    .legend = compare_legend,
};
