/* corpus_heads.c: all heads of the corpus view at once: as a grid, sorted, as points between two
 * figures, or the best head of each relation. A head's hue tells what it does, in all of them. */
#include "headlight/view/corpus.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/view/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYER_COLUMNS 4 /* " 11 " */
#define BAR_MOST      40
#define NAME_COLUMNS  12 /* of a relation or a label */
#define PAGE_ROWS     4

/* ---- Numbers in words ---- */

/* Groups of three digits from the right. */
struct corpus_count corpus_count(int64_t number)
{
    struct corpus_count count = {""};
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
    for (int i = 0, to = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            count.text[to++] = ',';
        count.text[to++] = digits[i];
    }
    return count;
}

void corpus_write_number(char *text, size_t size, double value, bool wide)
{
    char digits[32];
    snprintf(digits, sizeof digits, value < 10 ? wide ? "%.3f" : "%.2f" : "%.1f", value);
    snprintf(text, size, "%s", isnan(value) ? "-" : digits + (!wide && digits[0] == '0'));
}

void corpus_write_mean(char *text, size_t size, const struct evidence_mean *mean, bool wide)
{
    char value[16], half[16];
    corpus_write_number(value, sizeof value, mean->value, wide);
    corpus_write_number(half, sizeof half, mean->half, wide);
    snprintf(text, size, isnan(mean->value) ? "%s" : "%s ±%s", value, half);
}

/* ---- What a head does ---- */

/* The relation that it is surest to know. */
static bool known_relation(const struct survey *survey, size_t layer, size_t head,
                           struct evidence_relation *known)
{
    double most = 0;
    for (size_t i = 0; i < survey->relation_count; i++) {
        const struct evidence_relation relation = evidence_relation(survey, i, layer, head);
        if (!evidence_is_sure(&relation) || relation.sure <= most)
            continue;
        most = relation.sure;
        *known = relation;
    }
    return most > 0;
}

/* A relation that is found in half of its pairs says more than a label does, and any says more than
 * that a head looks at everything alike. */
struct corpus_does corpus_does(const struct survey *survey, size_t layer, size_t head)
{
    struct corpus_does does = {.relates = false};
    struct evidence_label labels[EVIDENCE_LABELS];
    does.relates = known_relation(survey, layer, head, &does.relation);
    does.labelled = evidence_labels(survey, layer, head, labels) > 0;
    if (does.labelled)
        does.label = labels[0];
    if (does.labelled && does.label.figure != SURVEY_BROAD)
        does.relates &= does.relation.share.value >= METRICS_NAMED;
    return does;
}

const char *corpus_does_name(const struct corpus_does *does, bool brief)
{
    return does->relates     ? does->relation.relation->name
           : !does->labelled ? ""
           : brief           ? does->label.brief
                             : does->label.name;
}

double corpus_does_value(const struct corpus_does *does)
{
    return does->relates    ? does->relation.share.value
           : does->labelled ? does->label.mean.value
                            : NAN;
}

/* Relations are brightest; labels have hues of their own, but for the one that is least of news. */
struct ink corpus_does_ink(const struct corpus_does *does)
{
    return does->relates ? ink_full(ROLE_POSITIVE)
           : does->labelled && does->label.figure != SURVEY_BROAD
               ? ink_head(1 + (size_t)does->label.figure, STYLE_FULL)
               : ink_full(ROLE_FAINT);
}

/* ---- Figures ---- */

enum survey_figure corpus_figure(const struct look *look)
{
    return look->corpus.figure > 0 ? (enum survey_figure)(look->corpus.figure - 1)
                                   : SURVEY_FIGURE_COUNT;
}

enum survey_figure corpus_across(const struct look *look)
{
    return look->corpus.figure > 0 ? corpus_figure(look) : SURVEY_ENTROPY;
}

static double value_of(const struct corpus_sheet *sheet, size_t layer, size_t head)
{
    const enum survey_figure figure = corpus_figure(&sheet->scene->look);
    if (figure < SURVEY_FIGURE_COUNT)
        return evidence_mean(sheet->survey, figure, layer, head).value;
    const struct corpus_does does = corpus_does(sheet->survey, layer, head);
    return corpus_does_value(&does);
}

double corpus_whole(const struct survey *survey, enum survey_figure figure)
{
    double most = 0;
    if (figure == SURVEY_FIGURE_COUNT || !*evidence_figure_unit(figure))
        return 1;
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        most =
            fmax(most, evidence_mean(survey, figure, i / survey->heads, i % survey->heads).value);
    return most > 0 ? most : 1;
}

/* ---- Order ---- */

/* What has no number comes last; heads that do something are grouped by what that is. */
static long corpus_key(const struct corpus_sheet *sheet, size_t layer, size_t head)
{
    const double value = value_of(sheet, layer, head);
    if (isnan(value))
        return -1000000000L;
    if (corpus_figure(&sheet->scene->look) < SURVEY_FIGURE_COUNT)
        return lround(value * 100000);
    const struct corpus_does does = corpus_does(sheet->survey, layer, head);
    const long group = does.relates ? 0 : 1 + (long)does.label.figure;
    return lround(value * 1000) - 10000 * group;
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
    return sheet->scene->look.layer == layer && sheet->scene->look.head == head;
}

/* ---- The grid ---- */

static struct grid_label head_label(const void *context, enum side axis, size_t number)
{
    const struct corpus_sheet *sheet = context;
    const struct look *look = &sheet->scene->look;
    const bool here = number == (axis == SIDE_LEFT ? look->layer : look->head);
    struct grid_label label = {
        {""}, here ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT), NO_TOKEN, false};
    snprintf(label.name.text, sizeof label.name.text, "%zu", number);
    return label;
}

/* The largest cells that all fit; those of layers scroll where not even rows of one do. */
static struct grid grid_of(const struct corpus_sheet *sheet)
{
    static const struct grid_cell sizes[] = {{12, 3}, {10, 3}, {9, 3},  {8, 3}, {7, 3}, {6, 3},
                                             {5, 3},  {10, 2}, {9, 2},  {8, 2}, {7, 2}, {6, 2},
                                             {5, 2},  {12, 1}, {10, 1}, {9, 1}, {8, 1}, {7, 1},
                                             {6, 1},  {5, 1},  {4, 1},  {3, 1}, {2, 1}};
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

/* What is written into a cell: a name above a number, or both in a row, as there is room. */
static void write_cell(const struct corpus_sheet *sheet, struct area cell, struct style style,
                       size_t layer, size_t head)
{
    const enum survey_figure figure = corpus_figure(&sheet->scene->look);
    char first[32] = "", number[16] = "";
    corpus_write_number(number, sizeof number, value_of(sheet, layer, head), false);
    if (figure < SURVEY_FIGURE_COUNT) {
        const struct evidence_mean mean = evidence_mean(sheet->survey, figure, layer, head);
        char half[16];
        corpus_write_number(half, sizeof half, mean.half, false);
        snprintf(first, sizeof first, isnan(mean.value) ? "" : "±%s", half);
    } else {
        const struct corpus_does does = corpus_does(sheet->survey, layer, head);
        if (!does.relates && !does.labelled)
            return;
        /* beside its number a name may be cut, but not to nothing */
        const int beside = cell.rows == 1 && cell.columns >= 7 ? 4 : 0;
        format_cut(first, (size_t)int_clamp(cell.columns - beside + 1, 1, (int)sizeof first), "%s",
                   corpus_does_name(&does, cell.columns < NAME_COLUMNS));
    }
    const char *upper = figure < SURVEY_FIGURE_COUNT ? number : first,
               *lower = figure < SURVEY_FIGURE_COUNT ? first : number;
    struct area row = {cell.y, cell.x, 1, cell.columns};
    char both[64];
    snprintf(both, sizeof both, "%s %s", upper, lower);
    const bool apart = canvas_width(sheet->canvas, both) > cell.columns;
    style.bold = cell.rows == 1 || figure == SURVEY_FIGURE_COUNT;
    grid_write(sheet->canvas, row, style, cell.rows > 1 || apart ? upper : both);
    row.y++;
    if (cell.rows > 1)
        grid_write(sheet->canvas, row, style, lower);
}

/* A blank column, and below high cells a blank row, tell neighbours apart. */
static void draw_cell(const struct corpus_sheet *sheet, const struct grid *grid, double whole,
                      size_t layer, size_t head)
{
    const enum survey_figure figure = corpus_figure(&sheet->scene->look);
    const struct corpus_does does = corpus_does(sheet->survey, layer, head);
    const double value = value_of(sheet, layer, head);
    struct area cell = grid_cell(grid, layer, head);
    const struct ink hue =
        figure == SURVEY_FIGURE_COUNT ? corpus_does_ink(&does) : ink_full(ROLE_POSITIVE);
    const bool here = is_cursor(sheet, layer, head);
    canvas_mark(sheet->canvas, cell, HIT_THUMBNAIL, layer * sheet->survey->heads + head);
    cell.columns -= cell.columns > 2;
    cell.rows = int_min(cell.rows, 2);
    const bool plain = isnan(value) || (figure == SURVEY_FIGURE_COUNT && hue.role == ROLE_FAINT);
    const unsigned shade = plain ? 0 : (unsigned)lround(1000 * fmin(value / whole, 1));
    struct style style = grid_fill(sheet->canvas, cell, hue, shade, here);
    if (plain && !here)
        style = style_of(ROLE_FAINT);
    write_cell(sheet, cell, style, layer, head);
    if (!here)
        return;
    style = style_marked(ROLE_CURSOR);
    words_bracket(sheet->canvas, (struct area){cell.y, cell.x - 1, 1, cell.columns + 2},
                  style_bold(ROLE_STRONG));
    if (isnan(value) || cell.columns < 3) {
        canvas_fill(sheet->canvas, cell, style);
        write_cell(sheet, cell, style, layer, head);
    }
}

static void corpus_draw_grid(const struct corpus_sheet *sheet)
{
    const struct grid grid = grid_of(sheet);
    const double whole = corpus_whole(sheet->survey, corpus_figure(&sheet->scene->look));
    grid_draw_labels(&grid, sheet->canvas, sheet->heads.y, false, head_label, sheet);
    for (size_t layer = grid.row.shown.first; layer < grid.row.shown.end; layer++)
        for (size_t head = grid.column.shown.first; head < grid.column.shown.end; head++)
            draw_cell(sheet, &grid, whole, layer, head);
    grid_draw_more(&grid, sheet->canvas);
}

/* ---- Sorted ---- */

/* "3.5  0.931 ±0.004  ▇▇▇▇▇▇  previous token" */
static void draw_sorted_row(const struct corpus_sheet *sheet, struct area row,
                            const struct ranked_head *head, double whole)
{
    const enum survey_figure figure = corpus_figure(&sheet->scene->look);
    const struct corpus_does does = corpus_does(sheet->survey, head->layer, head->head);
    const bool here = is_cursor(sheet, head->layer, head->head);
    const struct style style = here ? style_marked(ROLE_CURSOR) : style_of(ROLE_TEXT);
    const double value = value_of(sheet, head->layer, head->head);
    const int bar = int_clamp(row.columns - 7 - 15 - 2 - NAME_COLUMNS, 0, BAR_MOST);
    char number[40], id[24];
    struct evidence_mean mean = does.label.mean;
    if (figure < SURVEY_FIGURE_COUNT)
        mean = evidence_mean(sheet->survey, figure, head->layer, head->head);
    else if (does.relates)
        mean = (struct evidence_mean){value,
                                      (does.relation.share.high - does.relation.share.low) / 2, 0};
    if (!isnan(value))
        corpus_write_mean(number, sizeof number, &mean, true);
    snprintf(id, sizeof id, "%zu.%zu", head->layer, head->head);
    canvas_mark(sheet->canvas, row, HIT_THUMBNAIL, head->layer * sheet->survey->heads + head->head);
    canvas_print(sheet->canvas, row.y, row.x, 6, style, "%5s", id);
    if (isnan(value))
        return;
    canvas_text(sheet->canvas, row.y, row.x + 7, 15, style_of(ROLE_TEXT), number);
    canvas_bar(sheet->canvas, row.y, row.x + 22, bar, (int)lround(8 * bar * fmin(value / whole, 1)),
               style_legible(figure == SURVEY_FIGURE_COUNT ? corpus_does_ink(&does)
                                                           : ink_full(ROLE_POSITIVE)));
    canvas_text(sheet->canvas, row.y, row.x + 22 + bar + 1, NAME_COLUMNS,
                style_legible(corpus_does_ink(&does)), corpus_does_name(&does, false));
}

static enum status draw_sorted(const struct corpus_sheet *sheet, struct error *error)
{
    const size_t count = sheet->survey->layers * sheet->survey->heads;
    const double whole = corpus_whole(sheet->survey, corpus_figure(&sheet->scene->look));
    struct ranked_head *heads = corpus_sort(sheet, error);
    if (!heads)
        return error->status;
    const struct token_range shown = grid_window(count, (size_t)int_max(sheet->heads.rows, 0),
                                                 place_of(&sheet->scene->look, heads, count));
    for (size_t i = shown.first; i < shown.end; i++)
        draw_sorted_row(sheet,
                        (struct area){sheet->heads.y + (int)(i - shown.first), sheet->heads.x, 1,
                                      sheet->heads.columns},
                        &heads[i], whole);
    free(heads);
    return STATUS_OK;
}

enum status corpus_draw_heads(const struct corpus_sheet *sheet, struct error *error)
{
    switch (sheet->scene->look.corpus.shown) {
    case CORPUS_SORTED:
        return draw_sorted(sheet, error);
    case CORPUS_RELATIONS:
        return corpus_draw_relations(sheet, error);
    case CORPUS_SCATTER:
        corpus_draw_scatter(sheet);
        return STATUS_OK;
    default:
        corpus_draw_grid(sheet);
        return STATUS_OK;
    }
}

/* ---- The cursor ---- */

static enum status move_sorted(struct scene *scene, int steps, struct error *error)
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

enum status corpus_move(struct scene *scene, int down, int across, struct error *error)
{
    struct look *look = &scene->look;
    const struct survey *survey = data_survey(&scene->data);
    const int layers = (int)survey->layers, heads = (int)survey->heads;
    if (look->corpus.shown == CORPUS_SORTED)
        return move_sorted(scene, down + across, error);
    if (look->corpus.shown == CORPUS_RELATIONS)
        return corpus_move_in_relations(scene, down + across, error);
    if (look->corpus.shown == CORPUS_SCATTER) {
        corpus_move_in_scatter(scene, (down > 0) - (down < 0), across);
        return STATUS_OK;
    }
    const int row = (int)look->layer;
    look->layer =
        (size_t)(abs(down) <= 1 ? (row + layers + down) % layers
                                : int_clamp(row + down / ACTION_PAGE * PAGE_ROWS, 0, layers - 1));
    look->head = (size_t)(((int)look->head + heads + across) % heads);
    return STATUS_OK;
}
