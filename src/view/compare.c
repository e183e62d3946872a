/* compare.c: the compare view. The same head side by side: of one text in two models, before and
 * after a change of the network, or of two sentences, each by itself (comparison.h); what they
 * differ by (compare_maps.c); and how alike a word of both is, layer by layer (compare_chart.c).
 * Panels share one size of cells, so that the same words stand at the same places. */
#include "headlight/view/compare.h"

#include "headlight/lens/same_word.h"
#include "headlight/view/views.h"

#include <stdlib.h>

/* Room that each part wants. Panels are narrow: three of them, with labels, share the screen. */
#define GAP           3  /* columns between panels */
#define LABEL_MOST    10 /* columns of a row label, */
#define LABEL_MOST_ON 14 /* and on screens of so many columns: */
#define WIDE          150
#define PANEL_LEAST   21 /* columns: a narrower third panel is left out */
#define WORDS_COLUMNS 38 /* of what is said beside a panel that is alone */
#define AROUND        2  /* rows of a panel besides labels and cells: its title, its numbers */
#define CHART_ROWS    6  /* with its heading, the numbers and the names of the layers */
#define CHART_MOST    30
#define CHART_SPARES  8  /* so many rows have one for a gap */
#define CHART_FROM    17 /* rows of the whole from which there are maps and a chart, */
#define CHART_ALONE   (AROUND + CHART_ROWS) /* and a chart below maps without cells */
#define CHART_FIGURE  11                    /* of a figure */
#define LEGEND_ROWS   1

/* What stands around the maps. */
static const struct surroundings {
    int gap;    /* columns between panels, */
    int left;   /* and before the first, for what its rows are */
    int names;  /* rows for a panel's title and what its columns are, */
    int around; /* and with its numbers or its scale */
    int legend;
} on_desk = {GAP, 0, 1, AROUND, LEGEND_ROWS}, in_figure = {2, 3, 2, 4, 0};

static const struct surroundings *around(const struct compare *compare)
{
    return compare->figure ? &in_figure : &on_desk;
}

/* ---- Where it stands ---- */

/* Of the attending tokens of both sides, or of the attended ones: the longer text decides how large
 * the cells are. */
static size_t most_tokens(const struct token_side *const sides[2])
{
    return size_max(sides[SIDE_LEFT]->count, sides[SIDE_RIGHT]->count);
}

/* The largest cells of which all tokens of both sides fit, or else the smallest; and the labels'
 * rows. */
static struct grid choose_grid(const struct compare *compare, int label_most, int columns, int rows)
{
    static const struct grid_cell sizes[] = {{8, 3}, {6, 3}, {8, 2}, {6, 2}, {4, 2},
                                             {6, 1}, {4, 1}, {3, 1}, {2, 1}};
    struct grid grid = {.aside = 1};
    struct grid_room room = {
        .rows = rows,
        .across = most_tokens(compare->both.attended),
        .down = most_tokens(compare->both.tokens),
        .widest = 4,
        .tallest = 1,
        .label_rows = int_max(int_max(rows / 4, 1), rows - (int)most_tokens(compare->both.tokens)),
        .upright_below = CANVAS_MAX,
        .scrolls = true};
    /* row labels are of attending tokens, column labels of attended ones: in cross-attention those
     * are different texts */
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        const struct token_side *from = compare->both.tokens[side];
        const struct token_side *to = compare->both.attended[side];
        for (size_t i = 0; i < from->count; i++)
            room.widest =
                int_max(room.widest, canvas_width(compare->canvas, attention_label(from, i)));
        for (size_t i = 0; i < to->count; i++)
            room.tallest =
                int_max(room.tallest, grid_upright_rows(compare->canvas, attention_label(to, i)));
    }
    grid.label_width = compare->figure ? room.widest : int_min(room.widest, label_most);
    room.columns = columns - grid.label_width - 1;
    grid_choose(&grid, compare->canvas, &room, sizes, LENGTH(sizes));
    return grid;
}

/* Words stand beside a single map, unless it is of a recording. */
static bool has_words(const struct compare *compare)
{
    return compare->panels == 1 && compare->scene->data.checkpoint && !compare->figure;
}

/* All panels are equally wide, whatever their tokens need. */
static int panel_columns(const struct compare *compare, int columns)
{
    columns -= has_words(compare) ? WORDS_COLUMNS + GAP : 0;
    return (columns - (compare->panels - 1) * around(compare)->gap) / compare->panels;
}

/* Whether a word stands on both sides whose cosines are known. */
static bool has_chart(const struct compare *compare)
{
    struct occurrence words[2];
    return comparison_word(&compare->both, words) && cosine_is_defined(&words[0], &words[1]);
}

/* Maps get the rows that their cells need, at most all but the chart's; the chart takes the rest up
 * to CHART_MOST. Where only one of both has room it is the chart that says how alike two texts are,
 * and the maps that say what a change of the network did. A blank row between them is taken from a
 * chart that is tall enough to spare it. */
static void compare_lay_out(struct compare *compare, struct area area)
{
    const struct surroundings *around_maps = around(compare);
    const struct area inner = {area.y, area.x + 2, area.rows - around_maps->legend,
                               area.columns - 4};
    struct area maps = inner, *chart = &compare->chart;
    maps.x += around_maps->left;
    maps.columns -= around_maps->left;
    const struct comparison *both = &compare->both;
    const struct trace *left = both->trace[SIDE_LEFT], *right = both->trace[SIDE_RIGHT];
    /* the third panel needs room, and two tokens that agree, so that a difference has cells */
    size_t agreeing = 0;
    for (size_t i = 0; both->kind != COMPARISON_WORD && i < both->tokens[SIDE_RIGHT]->count; i++)
        agreeing += comparison_counterpart(both, i) != NO_TOKEN;
    compare->panels =
        both->kind == COMPARISON_WORD                                                   ? 1
        : (inner.columns - 2 * GAP) / 3 >= PANEL_LEAST && agreeing > 0 && left && right ? 3
                                                                                        : 2;
    compare->cells = compare->figure || inner.rows >= CHART_FROM || inner.rows < CHART_ALONE ||
                     compare->panels == 1 || compare->both.kind == COMPARISON_CHANGE ||
                     !has_chart(compare);
    /* no word could have cosines where no vectors were recorded, or of other sizes; what is still
     * being computed may have them */
    const bool room = inner.rows >= CHART_FROM &&
                      (!left || !right || (left->hidden > 0 && left->hidden == right->hidden));
    const bool charted = compare->figure ? has_chart(compare) : !compare->cells || room;
    int rows = compare->cells ? inner.rows - (charted ? CHART_ROWS : 1) : AROUND;
    const struct grid grid =
        choose_grid(compare, area.columns >= WIDE ? LABEL_MOST_ON : LABEL_MOST,
                    panel_columns(compare, maps.columns), rows - around_maps->around);
    int tokens = (int)size_min(most_tokens(compare->both.tokens), CANVAS_MAX);
    maps.rows = int_min(rows, around_maps->around + grid.label_rows + tokens * grid.cell.rows);
    const int width = panel_columns(compare, maps.columns), labels = grid.label_width + 1,
              top = maps.y + around_maps->names + grid.label_rows,
              down = maps.rows - around_maps->around - grid.label_rows;
    for (int i = 0; i < compare->panels; i++) {
        struct compare_panel *panel = &compare->panel[i];
        const size_t row = panel->cursor[SIDE_LEFT] != NO_TOKEN ? panel->cursor[SIDE_LEFT] : 0,
                     column =
                         panel->cursor[SIDE_RIGHT] != NO_TOKEN ? panel->cursor[SIDE_RIGHT] : row;
        const int x = maps.x + i * (width + around_maps->gap);
        panel->area = (struct area){maps.y, x, maps.rows, width};
        panel->grid = grid;
        panel->grid.row = grid_axis((struct token_range){0, panel->tokens[SIDE_LEFT]->count}, 0,
                                    top, down, grid.cell.rows, row);
        panel->grid.column = grid_axis((struct token_range){0, panel->tokens[SIDE_RIGHT]->count}, 0,
                                       x + labels, width - labels, grid.cell.columns, column);
    }
    /* words beside a single panel begin where its cells end, not where its area does: a short text
     * leaves them more room */
    const int used = grid_stop(&compare->panel[0].grid.column) + GAP - maps.x;
    compare->words = (struct area){maps.y, maps.x + used, maps.rows, maps.columns - used};
    *chart = area_below(inner, maps.rows);
    chart->rows = charted ? int_min(inner.rows - maps.rows, CHART_MOST) : 1;
    if (charted && chart->rows < CHART_FIGURE)
        compare->canvas->overflow |= OVERFLOW_ROWS;
    bool taken = chart->rows > CHART_SPARES, spare = inner.rows - maps.rows > chart->rows;
    chart->rows -= taken && !spare;
    chart->y += taken || spare; /* a row between them */
}

/* ---- What there is to compare ---- */

/* Nothing is laid out for a refusal, which says why there is no other side. The last row is a
 * legend. */
static void compare_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct compare compare;
    struct token_range places[2];
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    const struct style faint = style_of(ROLE_FAINT);
    compare_begin(&compare, scene, canvas);
    if (canvas->bare && compare.both.kind == COMPARISON_WORD && !compare.both.is_there[SIDE_RIGHT])
        error_set(&canvas->error, STATUS_UNSUPPORTED, COMPARE_NOTHING);
    const char *why = scene->data.uncompared; /* what it is compared with can't be computed */
    if (why[0] && !compare.both.trace[SIDE_RIGHT]) {
        struct area lower = {area.y + area.rows / 2, area.x + 2, area.rows / 2, area.columns - 4};
        canvas_paragraph(canvas, lower, style_of(ROLE_TEXT), why);
        return;
    }
    compare_lay_out(&compare, area);
    for (int i = 0; i < compare.panels; i++)
        compare_draw_panel(&compare.panel[i]);
    if (has_words(&compare)) {
        /* What can be compared besides, and how to get there. A word that stands twice is there,
         * and what translates has its second text compared with nothing. */
        static const struct {
            const char *how, *what;
        } ways[] = {
            {"e, then Tab", "a second sentence"},
            {"z", "a change of the network"},
            {"--against DIR", "another model"},
            {"e", "a text with a word twice"},
        };
        static const char *const examples[2][5] = {
            {"The two flies, each in its sentence:", "", "headlight --view compare \\",
             "  \"time flies like an arrow\" \\", "  \"fruit flies like a banana\""},
            {"A translation with and without a head:", "", "headlight --off x1.2 --model dates \\",
             "  --view compare \"3 May 1994\" \"1994-05-03\"", ""}};
        const bool twice = same_word_first(compare.both.tokens[SIDE_LEFT], NULL, false, places),
                   translates = scene->data.stacks.layers[1] > 0;
        const struct area words = compare.words;
        int y = words.y, end = words.y + words.rows;
        canvas_text(canvas, y++, words.x, words.columns, style_bold(ROLE_TITLE),
                    twice ? "What else can be compared" : "What can be compared");
        for (size_t i = translates; i < LENGTH(ways) - twice && y < end; i++, y++) {
            struct pen way = {canvas, y, words.x, words.x + words.columns};
            pen_print(&way, style_of(ROLE_TITLE), "%-13s ", ways[i].how);
            pen_print(&way, style_of(ROLE_TEXT), "%s", ways[i].what);
        }
        y++;
        for (size_t i = 0; i < 5 && y < end; i++, y++)
            canvas_text(canvas, y, words.x, words.columns,
                        style_of(i == 0 ? ROLE_FAINT : ROLE_TEXT), examples[translates][i]);
    }
    if (!compare.figure || has_chart(&compare))
        compare_draw_chart(&compare);
    if (compare.figure)
        return;
    pen_print(&pen, faint,
              compare.cells ? "rows attend to columns, 0 … %.3f"
                            : "a taller window shows both maps as well",
              (double)compare.largest);
    if (compare.cells && compare.difference > 0) /* nothing has two hues where nothing differs */
        pen_print(&pen, faint, "   %s: more %s, %s: less, to %.3f",
                  canvas->traits.mono ? "+" : "blue",
                  compare.both.kind == COMPARISON_TEXTS    ? "in B"
                  : compare.both.kind == COMPARISON_CHANGE ? "after"
                                                           : "right",
                  canvas->traits.mono ? "-" : "orange", (double)compare_scale(&compare));
}

/* ---- Keys ---- */

/* The cursor is on rows until Enter puts it on a column. */
static const char *compare_hints(const struct scene *scene)
{
    return scene->look.side == SIDE_RIGHT
               ? "↑↓: column; ←→: layer; 0-9: head; z: change; Enter: back; e: edit"
               : "↑↓: word; ←→: layer; 0-9: head; z: change; Enter: heaviest; e: edit";
}

/* Words are walked from the one that is compared. */
static enum acted compare_act(struct scene *scene, enum action action, struct error *error)
{
    struct compare compare;
    bool query = action == ACTION_QUERY_PREVIOUS || action == ACTION_QUERY_NEXT;
    int steps = query ? 1 : abs(action_steps(action));
    (void)error;
    scene->look.difference_sought = false;
    if (!scene->data.trace)
        return ACT_PASSED;
    compare_begin(&compare, scene, NULL);
    const struct comparison *both = &compare.both;
    const bool right = comparison_place(both, SIDE_LEFT, scene->look.from) == NO_TOKEN &&
                       comparison_place(both, SIDE_RIGHT, scene->look.from) != NO_TOKEN;
    const struct compare_panel *panel = &compare.panel[right];
    size_t row = panel->cursor[SIDE_LEFT];
    if (action == ACTION_PIN) { /* to the heaviest weight of the cursor's row, or back */
        struct look *look = &scene->look;
        const bool back = look->to != NO_TOKEN || row == NO_TOKEN;
        float most;
        look->side = SIDE_LEFT;
        look->to = NO_TOKEN;
        if (!back)
            look->from = comparison_shown(both, panel->side, row);
        if (!back && panel->weights)
            look->to = comparison_shown(both, panel->side, compare_heaviest(panel, row, &most));
        if (look->to != NO_TOKEN)
            look->side = SIDE_RIGHT;
        return ACT_DONE;
    }
    if (steps > 0 && steps < ACTION_END && (query || scene->look.side == SIDE_LEFT) &&
        row != NO_TOKEN)
        scene->look.from = comparison_shown(&compare.both, panel->side, row);
    return ACT_PASSED;
}

/* How alike the word is on both sides, where it is on both; after a change, what it looks at. */
static void compare_says(const struct scene *scene, struct sentence *sentence)
{
    struct compare compare;
    struct scene at = *scene;
    struct occurrence words[2];
    compare_begin(&compare, scene, NULL);
    const struct comparison *both = &compare.both;
    const bool found = comparison_word(both, words);
    if (!found && both->kind == COMPARISON_WORD)
        sentence_print(sentence, "Nothing to compare yet: %s",
                       scene->data.stacks.layers[1] > 0 ? "z changes the network"
                                                        : "e, then Tab, adds a second sentence");
    if (!found || !cosine_is_defined(&words[0], &words[1]))
        return;
    if (both->kind == COMPARISON_TEXTS && scene->look.to != NO_TOKEN) {
        /* with a column chosen: ""will" looks at "they" (1.000) in A, at "the" (0.999) in B" */
        for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
            const struct compare_panel *panel = &compare.panel[side];
            const size_t row = panel->cursor[SIDE_LEFT], column = panel->cursor[SIDE_RIGHT];
            float weight;
            if (row == NO_TOKEN || !panel->weights)
                continue;
            const size_t to = column != NO_TOKEN ? column : compare_heaviest(panel, row, &weight);
            weight = panel->weights[row * panel->tokens[SIDE_RIGHT]->count + to];
            if (!sentence->text[0])
                sentence_print(sentence, "\"%s\" looks",
                               attention_label(panel->tokens[SIDE_LEFT], row));
            else
                sentence_print(sentence, ",");
            sentence_print(sentence, " at \"%s\" (%.3f) in %c",
                           attention_label(panel->tokens[SIDE_RIGHT], to), (double)weight,
                           "AB"[side]);
        }
        return;
    }
    if (both->kind == COMPARISON_CHANGE) {
        if (at.look.from == NO_TOKEN)
            at.look.from = comparison_shown(both, SIDE_LEFT, both->word[SIDE_LEFT].first);
        sentence_print_change(&at, sentence);
        sentence_say_edge(&at, sentence);
        return;
    }
    const double start = cosine_at(&words[0], &words[1], 0),
                 end = cosine_of_last(&words[0], &words[1], COSINE_LAST);
    if (isnan(end))
        return;
    const struct token_name left = compare_word(scene, both, SIDE_LEFT, sentence->ascii),
                            right = compare_word(scene, both, SIDE_RIGHT, sentence->ascii);
    sentence_print(sentence, "\"%s\"", left.text);
    if (both->kind == COMPARISON_MODELS)
        sentence_print(sentence, " in both models");
    else if (strcmp(left.text, right.text) != 0)
        sentence_print(sentence, " and \"%s\"", right.text);
    sentence_print(sentence, ": cosine %.3f at the end", end);
    if (!isnan(start))
        sentence_print(sentence, ", %.3f in the embedding", start);
}

const struct view compare_view = {
    .title = "Compare",
    .about = "one head twice: two models, two texts, or before and after a change",
    .meaning = "the same head side by side, and how alike a word is in both",
    .mouse = "a cell, a token, a point",
    .heads = HEADS_CURSOR,
    .shown = SHOWN_TONE | SHOWN_QUERY | SHOWN_COLUMNS,
    .compares = true,
    .draw = compare_draw,
    .act = compare_act,
    .hints = compare_hints,
    .table = compare_table,
    .says = compare_says,
};
