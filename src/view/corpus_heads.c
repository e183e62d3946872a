/* corpus_heads.c: all heads of the corpus view at once: as a grid, sorted, as points between two
 * figures, or the best head of each relation. A head's hue tells what it does, in all of them. */
#include "headlight/view/corpus.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/view/words.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYER_COLUMNS 4 /* " 11 " */
#define BAR_MOST      40
#define NAME_COLUMNS  12 /* of a relation or a label */

/* A head as the look asks for it: what it does, and the figure's mean or, without a figure, the
 * share or the mean behind what it does. */
struct shown {
    struct corpus_does does;
    struct evidence_mean mean;
    struct ink ink;
};

static struct shown shown_of(const struct corpus_sheet *sheet, size_t layer, size_t head)
{
    const enum survey_figure figure = corpus_figure(&sheet->scene->look);
    struct shown shown = {.does = corpus_does(sheet->survey, layer, head), .mean = {NAN, NAN, 0}};
    const struct evidence_share *share = &shown.does.relation.share;
    shown.ink = corpus_does_ink(&shown.does);
    if (figure < SURVEY_FIGURE_COUNT) {
        shown.mean = evidence_mean(sheet->survey, figure, layer, head);
        shown.ink = ink_full(shown.mean.value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    } else if (corpus_relates(&shown.does)) {
        shown.mean =
            (struct evidence_mean){share->value, (share->high - share->low) / 2, share->of};
    } else if (corpus_is_labelled(&shown.does)) {
        shown.mean = shown.does.label.mean;
    }
    return shown;
}

/* ---- Order ---- */

/* What has no number comes last; heads that do something are grouped by what that is. */
static long corpus_key(const struct corpus_sheet *sheet, size_t layer, size_t head)
{
    const struct shown shown = shown_of(sheet, layer, head);
    const bool grouped = corpus_figure(&sheet->scene->look) == SURVEY_FIGURE_COUNT;
    if (isnan(shown.mean.value))
        return LONG_MIN;
    const long group =
        grouped && !corpus_relates(&shown.does) ? 1 + (long)shown.does.label.figure : 0;
    return lround(fabs(shown.mean.value) * 100000) - 10000000 * group;
}

/* All heads [L·A], to be freed with free(). NULL without memory. */
static struct ranked_head *corpus_sort(const struct corpus_sheet *sheet, struct error *error)
{
    const struct survey *survey = sheet->survey;
    const size_t count = survey->layers * survey->heads;
    struct ranked_head *heads =
        memory_new(count, sizeof *heads, 0, "the order of the heads", error);
    for (size_t i = 0; heads && i < count; i++) {
        heads[i] = (struct ranked_head){i / survey->heads, i % survey->heads, 0};
        heads[i].key = corpus_key(sheet, heads[i].layer, heads[i].head);
    }
    if (heads)
        ranking_sort(heads, count);
    return heads;
}

static size_t place_of(const struct look *look, const struct ranked_head *heads, size_t count)
{
    size_t place = 0;
    while (place + 1 < count &&
           (heads[place].layer != look->layer || heads[place].head != look->head))
        place++;
    return place;
}

static bool is_cursor(const struct corpus_sheet *sheet, size_t layer, size_t head)
{
    return !(sheet->canvas && sheet->canvas->bare) && sheet->scene->look.layer == layer &&
           sheet->scene->look.head == head;
}

/* ---- The grid ---- */

static struct grid_label head_label(const void *context, enum side axis, size_t number)
{
    const struct corpus_sheet *sheet = context;
    const struct look *look = &sheet->scene->look;
    const bool here =
        !sheet->canvas->bare && number == (axis == SIDE_LEFT ? look->layer : look->head);
    struct grid_label label = {
        {""}, here ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT), NO_TOKEN, false};
    snprintf(label.name.text, sizeof label.name.text, "%zu", number);
    return label;
}

/* The largest cells that all fit; those of layers scroll where not even rows of one do. */
static struct grid grid_of(const struct corpus_sheet *sheet)
{
    static const struct grid_cell sizes[] = {
        {12, 3}, {10, 3}, {9, 3}, {8, 3}, {7, 3}, {6, 3}, {5, 3},  {4, 3},  {10, 2},
        {9, 2},  {8, 2},  {7, 2}, {6, 2}, {5, 2}, {4, 2}, {12, 1}, {10, 1}, {9, 1},
        {8, 1},  {7, 1},  {6, 1}, {5, 1}, {4, 1}, {3, 1}, {2, 1}};
    const struct survey *survey = sheet->survey;
    const struct look *look = &sheet->scene->look;
    const struct area area = sheet->heads;
    const struct grid_room room = {.columns = area.columns - LAYER_COLUMNS,
                                   .rows = area.rows,
                                   .across = survey->heads,
                                   .down = survey->layers,
                                   .widest = 2,
                                   .label_rows = 1,
                                   .scrolls = true};
    struct grid grid = {.label_width = LAYER_COLUMNS - 1, .aside = 1};
    grid_choose(&grid, &room, sizes, sizeof sizes / sizeof *sizes);
    grid.row = grid_axis((struct token_range){0, survey->layers}, 0, area.y + 1, area.rows - 1,
                         grid.cell.rows, look->layer);
    grid.column = grid_axis((struct token_range){0, survey->heads}, 0, area.x + LAYER_COLUMNS,
                            area.columns - LAYER_COLUMNS, grid.cell.columns, look->head);
    return grid;
}

/* What is written into a cell: a name above a number, or a mean above its interval, or both in a
 * row as there is room. Beside its number a name may be cut, but not to nothing. */
static void write_cell(const struct corpus_sheet *sheet, struct area cell, struct style style,
                       const struct shown *shown)
{
    const bool named = corpus_figure(&sheet->scene->look) == SURVEY_FIGURE_COUNT;
    const int room = cell.columns - (cell.rows == 1 && cell.columns >= 7 ? 4 : 0);
    char number[16], half[16], name[32], between[24], both[64];
    if (isnan(shown->mean.value))
        return;
    corpus_write_number(number, sizeof number, shown->mean.value, false);
    corpus_write_number(half, sizeof half, shown->mean.half, false);
    snprintf(between, sizeof between, "±%s", half);
    format_cut(name, (size_t)int_clamp(room + 1, 1, (int)sizeof name), "%s",
               corpus_does_name(&shown->does, cell.columns < NAME_COLUMNS));
    if (sheet->canvas->bare && named &&
        canvas_width(sheet->canvas, corpus_does_name(&shown->does, true)) > room)
        sheet->canvas->lacks |= LACKS_COLUMNS;
    const char *upper = named ? name : number, *lower = named ? number : between;
    struct area row = {cell.y, cell.x, 1, cell.columns};
    snprintf(both, sizeof both, "%s %s", upper, lower);
    const bool apart = canvas_width(sheet->canvas, both) > cell.columns;
    style.bold = cell.rows == 1 || named;
    grid_write(sheet->canvas, row, style, cell.rows > 1 || apart ? upper : both);
    row.y++;
    if (cell.rows > 1)
        grid_write(sheet->canvas, row, style, lower);
}

/* A blank column, and below high cells a blank row, tell neighbours apart. What is least of news
 * has no ground. */
static void draw_cell(const struct corpus_sheet *sheet, const struct grid *grid, double whole,
                      size_t layer, size_t head)
{
    const struct shown shown = shown_of(sheet, layer, head);
    const double value = shown.mean.value;
    const bool plain = isnan(value) || shown.ink.role == ROLE_FAINT;
    const bool here = is_cursor(sheet, layer, head);
    const unsigned shade = plain ? 0 : (unsigned)lround(1000 * fmin(fabs(value) / whole, 1));
    struct area cell = grid_cell(grid, layer, head);
    canvas_mark(sheet->canvas, cell, HIT_THUMBNAIL, layer * sheet->survey->heads + head);
    cell.columns -= cell.columns > 2 && !sheet->canvas->bare;
    cell.rows = int_min(cell.rows, 2);
    struct style style = grid_fill(sheet->canvas, cell, shown.ink, shade, here);
    if (plain)
        style = here ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT);
    if (here && (isnan(value) || cell.columns < 3)) {
        style = style_marked(ROLE_CURSOR);
        canvas_fill(sheet->canvas, cell, style);
    }
    write_cell(sheet, cell, style, &shown);
    if (here)
        words_bracket(sheet->canvas, (struct area){cell.y, cell.x - 1, 1, cell.columns + 2},
                      style_bold(ROLE_STRONG));
}

/* Of a figure: the shades, in the last row. */
static void draw_scale(const struct corpus_sheet *sheet, const struct grid *grid, double whole)
{
    const enum survey_figure figure = corpus_figure(&sheet->scene->look);
    const bool named = figure == SURVEY_FIGURE_COUNT;
    char least[48], most[24];
    struct pen pen = {sheet->canvas, sheet->heads.y + sheet->heads.rows + 1, grid->column.origin,
                      sheet->heads.x + sheet->heads.columns};
    snprintf(least, sizeof least, "%s 0", named ? "share" : evidence_figure_name(figure));
    snprintf(most, sizeof most, "%g", whole);
    grid_draw_scale(&pen, (struct ink){0}, ink_full(named ? ROLE_TEXT : ROLE_POSITIVE), least,
                    most);
}

void corpus_draw_grid(const struct corpus_sheet *sheet)
{
    const struct grid grid = grid_of(sheet);
    const double whole = corpus_whole(sheet->survey, corpus_figure(&sheet->scene->look));
    grid_draw_labels(&grid, sheet->canvas, sheet->heads.y, false, head_label, sheet);
    for (size_t layer = grid.row.shown.first; layer < grid.row.shown.end; layer++)
        for (size_t head = grid.column.shown.first; head < grid.column.shown.end; head++)
            draw_cell(sheet, &grid, whole, layer, head);
    grid_draw_more(&grid, sheet->canvas);
    if (!sheet->canvas->bare)
        return;
    grid_draw_axes(&grid, sheet->canvas, "layer", "head");
    sheet->canvas->lacks |= grid.cell.rows < 2 ? LACKS_ROWS : 0;
    draw_scale(sheet, &grid, whole);
}

/* ---- Sorted ---- */

/* "3.5  0.931 ±0.004  ▇▇▇▇▇▇  previous token" */
static void draw_sorted_row(const struct corpus_sheet *sheet, struct area row,
                            const struct ranked_head *head, double whole)
{
    const struct shown shown = shown_of(sheet, head->layer, head->head);
    const bool here = is_cursor(sheet, head->layer, head->head);
    const double value = shown.mean.value;
    const int bar = int_clamp(row.columns - 7 - 15 - 2 - NAME_COLUMNS, 0, BAR_MOST);
    char number[40], id[48];
    snprintf(id, sizeof id, "%zu.%zu", head->layer, head->head);
    canvas_mark(sheet->canvas, row, HIT_THUMBNAIL, head->layer * sheet->survey->heads + head->head);
    canvas_print(sheet->canvas, row.y, row.x, 6,
                 here ? style_marked(ROLE_CURSOR) : style_of(ROLE_TEXT), "%5s", id);
    if (isnan(value))
        return;
    corpus_write_mean(number, sizeof number, &shown.mean, true);
    canvas_text(sheet->canvas, row.y, row.x + 7, 15, style_of(ROLE_TEXT), number);
    canvas_bar(sheet->canvas, row.y, row.x + 22, bar,
               (int)lround(8 * bar * fmin(fabs(value) / whole, 1)), style_legible(shown.ink));
    canvas_text(sheet->canvas, row.y, row.x + 22 + bar + 1, NAME_COLUMNS,
                style_legible(corpus_does_ink(&shown.does)), corpus_does_name(&shown.does, false));
}

enum status corpus_draw_sorted(const struct corpus_sheet *sheet, struct error *error)
{
    const size_t count = sheet->survey->layers * sheet->survey->heads;
    const double whole = corpus_whole(sheet->survey, corpus_figure(&sheet->scene->look));
    struct ranked_head *heads = corpus_sort(sheet, error);
    if (!heads)
        return error->status;
    const struct token_range shown = grid_window(count, (size_t)int_max(sheet->heads.rows, 0),
                                                 place_of(&sheet->scene->look, heads, count));
    sheet->canvas->lacks |= shown.end < count || shown.first > 0 ? LACKS_ROWS : 0;
    for (size_t i = shown.first; i < shown.end; i++)
        draw_sorted_row(sheet,
                        (struct area){sheet->heads.y + (int)(i - shown.first), sheet->heads.x, 1,
                                      sheet->heads.columns},
                        &heads[i], whole);
    free(heads);
    return STATUS_OK;
}

/* ---- The cursor ---- */

enum status corpus_move_in_sorted(struct scene *scene, int steps, struct error *error)
{
    const struct corpus_sheet sheet = {.scene = scene, .survey = data_survey(&scene->data)};
    const size_t count = sheet.survey->layers * sheet.survey->heads;
    struct ranked_head *heads = corpus_sort(&sheet, error);
    if (!heads)
        return error->status;
    const int place =
        int_clamp((int)place_of(&scene->look, heads, count) + steps, 0, (int)count - 1);
    scene->look.layer = heads[place].layer;
    scene->look.head = heads[place].head;
    free(heads);
    return STATUS_OK;
}
