/* corpus_heads.c: all heads of the corpus view at once: as a grid, as a list, sorted or the best
 * one of each relation, or as points between two figures. A head's hue tells what it does, in all
 * of them. */
#include "headlight/view/corpus.h"

#include "headlight/base/memory.h"
#include "headlight/view/words.h"

#include <stdlib.h>

#define LAYER_COLUMNS 4  /* " 11 " */
#define NAME_COLUMNS  12 /* of a relation or a label, and 15 where there is room */
#define BAR_MOST      40
#define PAGE_ROWS     4

static bool is_at(const struct look *look, size_t layer, size_t head)
{
    return look->layer == layer && look->head == head;
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

/* What is written into a cell: a name above a number, or a mean above its interval, or both in a
 * row as there is room. Beside its number a name may be cut, but not to nothing. */
static void write_cell(const struct corpus_sheet *sheet, struct area cell, struct style style,
                       const struct corpus_head *head)
{
    const bool named = corpus_figure(&sheet->scene->look) == METRIC_LABEL;
    const int room = cell.columns - (cell.rows == 1 && cell.columns >= 7 ? 4 : 0);
    const struct weight_text number = number_short(head->mean.value, false);
    const struct weight_text half = corpus_half(&head->mean, false);
    char name[32], both[96];
    format_cut(name, (size_t)int_clamp(room + 1, 1, (int)sizeof name), "%s",
               corpus_does(head, cell.columns < NAME_COLUMNS));
    if (named && canvas_width(sheet->canvas, corpus_does(head, true)) > room)
        sheet->canvas->overflow |= OVERFLOW_COLUMNS;
    const char *upper = named ? name : number.text, *lower = named ? number.text : half.text;
    struct area row = {cell.y, cell.x, 1, cell.columns};
    snprintf(both, sizeof both, "%s %s", upper, lower);
    const bool apart = canvas_width(sheet->canvas, both) > cell.columns;
    style.bold = cell.rows == 1 || named;
    grid_write(sheet->canvas, row, style, cell.rows > 1 || apart ? upper : both);
    row.y++;
    if (cell.rows > 1)
        grid_write(sheet->canvas, row, style, lower);
}

static void draw_grid(const struct corpus_sheet *sheet)
{
    static const struct grid_cell sizes[] = {
        {12, 3}, {10, 3}, {9, 3}, {8, 3}, {7, 3}, {6, 3}, {5, 3},  {4, 3},  {10, 2},
        {9, 2},  {8, 2},  {7, 2}, {6, 2}, {5, 2}, {4, 2}, {12, 1}, {10, 1}, {9, 1},
        {8, 1},  {7, 1},  {6, 1}, {5, 1}, {4, 1}, {3, 1}, {2, 1}};
    const struct survey *survey = sheet->survey;
    const struct look *look = &sheet->scene->look;
    const struct area area = sheet->heads;
    /* the largest cells that all fit; those of layers scroll where not even rows of one do */
    const struct grid_room room = {.columns = area.columns - LAYER_COLUMNS,
                                   .rows = area.rows,
                                   .across = survey->heads,
                                   .down = survey->layers,
                                   .widest = 2,
                                   .label_rows = 1,
                                   .scrolls = true};
    struct grid grid = {.label_width = LAYER_COLUMNS - 1, .aside = 1};
    grid_choose(&grid, sheet->canvas, &room, sizes, LENGTH(sizes));
    grid.row = grid_axis((struct token_range){0, survey->layers}, 0, area.y + 1, area.rows - 1,
                         grid.cell.rows, look->layer);
    grid.column = grid_axis((struct token_range){0, survey->heads}, 0, area.x + LAYER_COLUMNS,
                            area.columns - LAYER_COLUMNS, grid.cell.columns, look->head);
    const double whole = corpus_whole(survey, corpus_figure(look));
    grid_draw_labels(&grid, sheet->canvas, sheet->heads.y, false, head_label, sheet);
    for (size_t layer = grid.row.shown.first; layer < grid.row.shown.end; layer++)
        for (size_t i = grid.column.shown.first; i < grid.column.shown.end; i++) {
            const struct corpus_head head = corpus_head(survey, look, layer, i);
            /* A blank column, and below high cells a blank row, tell neighbours apart. What is
             * least of news has no ground. */
            struct area cell = grid_cell(&grid, layer, i);
            const double value = head.mean.value;
            const bool plain = isnan(value) || head.ink.role == ROLE_FAINT;
            const bool here = is_at(look, head.at.layer, head.at.head);
            const unsigned shade =
                plain ? 0 : (unsigned)lround(1000 * fmin(fabs(value) / whole, 1));
            canvas_mark(sheet->canvas, cell, hit_head(head.at.layer, head.at.head));
            cell.columns -= cell.columns > 2 && !sheet->canvas->bare;
            cell.rows = int_min(cell.rows, 2);
            struct style style = grid_fill(sheet->canvas, cell, head.ink, shade, here);
            if (plain)
                style = here ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT);
            if (here && (isnan(value) || cell.columns < 3)) {
                style = style_marked(ROLE_CURSOR);
                canvas_fill(sheet->canvas, cell, style);
            }
            if (!isnan(value))
                write_cell(sheet, cell, style, &head);
            if (here)
                words_bracket(sheet->canvas, (struct area){cell.y, cell.x - 1, 1, cell.columns + 2},
                              style_bold(ROLE_STRONG));
        }
    grid_draw_more(&grid, sheet->canvas);
    if (sheet->canvas->bare) {
        /* what the axes are, and the shades, in the last row */
        const enum metric figure = corpus_figure(look);
        const bool named = figure == METRIC_LABEL;
        char least[48], most[24];
        struct pen pen = {sheet->canvas, sheet->heads.y + sheet->heads.rows + 1, grid.column.origin,
                          sheet->heads.x + sheet->heads.columns};
        snprintf(least, sizeof least, "%s 0", named ? "share" : metric_infos[figure].name);
        snprintf(most, sizeof most, "%g", whole);
        grid_draw_axes(&grid, sheet->canvas, "layer", "head");
        grid_draw_scale(&pen, (struct ink){0}, ink_full(named ? ROLE_TEXT : ROLE_POSITIVE), least,
                        NULL, most);
        sheet->canvas->overflow |= grid.cell.rows < 2 ? OVERFLOW_ROWS : 0;
    }
}

/* ---- Lists ---- */

struct corpus_head *corpus_list(const struct scene *scene, size_t *count, size_t *at,
                                struct error *error)
{
    const struct survey *survey = data_survey(&scene->data);
    const struct look *look = &scene->look;
    const bool relations = look->corpus.shown == CORPUS_RELATIONS;
    *count = relations ? survey_count(survey, ROW_RELATION) : survey->layers * survey->heads;
    struct corpus_head *list = memory_new(*count + 1, sizeof *list, 0, "the list", error);
    struct evidence_relation *best =
        list && relations ? evidence_relations(survey, NO_HEAD, NO_HEAD, error) : NULL;
    if (list && relations && !best) {
        free(list);
        return NULL;
    }
    for (size_t i = 0; list && i < *count; i++)
        list[i] = best ? corpus_relation(&best[i])
                       : corpus_head(survey, look, i / survey->heads, i % survey->heads);
    free(best);
    if (list && look->corpus.shown == CORPUS_SORTED)
        qsort(list, *count, sizeof *list, ranking_compare);
    *at = 0;
    for (size_t i = 0; list && i < *count; i++)
        if (relations ? list[i].relation.index == look->corpus.relation
                      : is_at(look, list[i].at.layer, list[i].at.head))
            *at = i;
    return list;
}

/* Columns, from the left: name, head, share or mean, interval, bar, offset, number. Where there is
 * little room the last are left out first. Of a relation what the head finds and the best fixed
 * offset would not is in colour, behind a rule. */
void corpus_draw_row(const struct corpus_sheet *sheet, struct area row,
                     const struct corpus_head *head, double whole, bool listed, bool chosen)
{
    struct canvas *canvas = sheet->canvas;
    struct style style = style_legible(head->does);
    const struct style faint = style_of(ROLE_FAINT);
    const bool relates = head->relation.name && !head->figured;
    const double offset = head->relation.offset_share.value;
    const int end = row.x + row.columns, counted = row.columns >= 50 ? 7 : 0;
    int x = row.x, names = row.columns >= 56 ? NAME_COLUMNS + 3 : NAME_COLUMNS;
    style.bold = relates && evidence_is_sure(&head->relation);
    const struct style cursor = chosen ? style_marked(ROLE_CURSOR) : style;
    canvas_text(canvas, row.y, x, names - 1, cursor, corpus_does(head, false));
    x += names;
    if (listed)
        x += 1 + canvas_print(canvas, row.y, x, 6, cursor, "%s%*zu.%-2zu",
                              site_words[sheet->survey->site].mark,
                              sheet->survey->site == SITE_ONLY ? 2 : 1, head->at.layer,
                              head->at.head);
    if (isnan(head->mean.value))
        return;
    if (relates)
        canvas_text(canvas, row.y, x, 1, faint, head->relation.from_head ? "←" : "→");
    canvas_text_right(canvas, row.y, x + 6, 4, style, number_short(head->mean.value, false).text);
    canvas_print(canvas, row.y, x + 7, 5, faint, "%s", corpus_half(&head->mean, false).text);
    x += 12;
    const int bar = int_clamp(end - counted - (relates ? 9 : 1) - x, 4, BAR_MOST);
    const int eighths = (int)lround(8 * bar * fmin(fabs(head->mean.value) / whole, 1));
    canvas_bar(canvas, row.y, x, bar, eighths, style_legible(head->ink));
    if (relates) {
        const int mark = int_min((int)(offset * bar), bar - 1);
        canvas_bar(canvas, row.y, x, bar, int_min(eighths, 8 * mark), faint);
        canvas_text(canvas, row.y, x + mark, 1, style_of(ROLE_STRONG), "│");
        canvas_print(canvas, row.y, x + bar + 1, int_max(end - x - bar - 1, 0), faint, "%+d %s",
                     head->relation.offset, number_short(offset, false).text);
    }
    if (counted)
        canvas_text_right(canvas, row.y, end, counted - 1, faint, format_count(head->mean.of).text);
}

static void draw_list(const struct corpus_sheet *sheet)
{
    const struct survey *survey = sheet->survey;
    const struct look *look = &sheet->scene->look;
    const bool relations = look->corpus.shown == CORPUS_RELATIONS;
    const double whole = corpus_whole(survey, corpus_figure(look));
    struct area row = {sheet->heads.y, sheet->heads.x + 1, 1, sheet->heads.columns - 2};
    size_t count, at;
    struct corpus_head *list = corpus_list(sheet->scene, &count, &at, &sheet->canvas->error);
    if (!list)
        return;
    const struct token_range shown =
        grid_window(count, (size_t)int_max(sheet->heads.rows - 1, 0), at);
    canvas_print(sheet->canvas, row.y, row.x, row.columns, style_of(ROLE_FAINT), "%-*s%s",
                 row.columns >= 56 ? NAME_COLUMNS + 3 : NAME_COLUMNS,
                 relations ? "relation" : "does",
                 !relations  ? "head    mean"
                 : count > 0 ? "head    share      │ best fixed offset"
                             : "none: only .conllu files have them");
    sheet->canvas->overflow |= edge_range_count(shown) < count ? OVERFLOW_ROWS : 0;
    for (size_t i = shown.first; i < shown.end; i++) {
        const size_t layer = list[i].at.layer, head = list[i].at.head;
        row.y++;
        corpus_draw_row(sheet, row, &list[i], relations ? 1 : whole, true,
                        relations ? i == at && !sheet->canvas->bare : is_at(look, layer, head));
        struct hit hit = hit_head(layer, head);
        hit.place[2] = relations ? HIT(corpus.relation) : HIT_NOTHING;
        hit.value[2] = list[i].relation.index;
        canvas_mark(sheet->canvas, row, hit);
    }
    free(list);
}

struct evidence_relation corpus_chosen_relation(const struct scene *scene)
{
    const struct survey *survey = data_survey(&scene->data);
    const size_t chosen = scene->look.corpus.relation;
    struct error error; /* without memory any */
    if (chosen < survey_count(survey, ROW_RELATION))
        return evidence_best_head(survey, chosen);
    struct evidence_relation *all = evidence_relations(survey, NO_HEAD, NO_HEAD, &error);
    const struct evidence_relation first = all ? all[0] : evidence_best_head(survey, 0);
    free(all);
    return first;
}

/* ---- Points between two figures ---- */

struct axis {
    enum metric figure;
    double least, most; /* at its ends: 0 at the near one, of an effect -most */
};

static struct axis axis_of(const struct survey *survey, enum metric figure)
{
    figure = survey_figure(survey, figure) ? figure : METRIC_MAXIMUM;
    const double most = words_whole(corpus_whole(survey, figure));
    return (struct axis){figure, figure == METRIC_EFFECT ? -most : 0, most};
}

static struct axis axis_across(const struct survey *survey, const struct look *look)
{
    return axis_of(survey, look->corpus.figure > 0 ? corpus_figure(look) : METRIC_ENTROPY);
}

/* How far along its axis a head stands, 0 … 1; NaN where that isn't known. */
static double along(const struct survey *survey, const struct axis *axis, size_t layer, size_t head)
{
    const double value = evidence_mean(survey, axis->figure, layer, head).value;
    return isnan(value) ? NAN : fmin((value - axis->least) / (axis->most - axis->least), 1);
}

/* Heads that fall into one cell are counted there; the cursor's is written out. */
static void draw_point(const struct corpus_sheet *sheet, int y, int x, size_t layer, size_t head)
{
    const struct corpus_head does = corpus_head(sheet->survey, &sheet->scene->look, layer, head);
    const struct cell *cell = canvas_at(sheet->canvas, y, x);
    const char there = cell ? cell->text[0] : ' ';
    char text[8] = "●", id[48];
    if (there != ' ')
        snprintf(text, sizeof text, "%c",
                 there >= '2' && there <= '8' ? there + 1
                 : there == '9'               ? '9'
                                              : '2');
    canvas_mark(sheet->canvas, (struct area){y, x, 1, 1}, hit_head(layer, head));
    if (!is_at(&sheet->scene->look, layer, head)) {
        canvas_text(sheet->canvas, y, x, 1, style_legible(does.does), text);
        return;
    }
    const int width =
        snprintf(id, sizeof id, " %s%zu.%zu ", site_words[sheet->survey->site].mark, layer, head);
    const bool left = x + 1 + width > sheet->heads.x + sheet->heads.columns;
    canvas_text(sheet->canvas, y, x, 1, style_marked(ROLE_CURSOR), "●");
    canvas_text(sheet->canvas, y, left ? x - width : x + 1, width, style_marked(ROLE_CURSOR), id);
}

/* The cursor's head comes last, over all others. */
static void draw_scatter(const struct corpus_sheet *sheet)
{
    const struct survey *survey = sheet->survey;
    const struct look *look = &sheet->scene->look;
    const struct axis across = axis_across(survey, look),
                      up = axis_of(survey, METRIC_BEGIN + (enum metric)look->corpus.axis);
    const struct area plot = {sheet->heads.y + 1, sheet->heads.x + 6, sheet->heads.rows - 3,
                              sheet->heads.columns - 8};
    const size_t count = survey->layers * survey->heads,
                 cursor = sheet->canvas->bare ? count : look->layer * survey->heads + look->head;
    sheet->canvas->overflow |= plot.rows < 2 || 4 * plot.rows < plot.columns ? OVERFLOW_ROWS : 0;
    if (plot.rows < 2 || plot.columns < 10)
        return;
    const struct style faint = style_of(ROLE_FAINT), title = style_bold(ROLE_TITLE);
    const int bottom = plot.y + plot.rows;
    for (int x = plot.x; x < plot.x + plot.columns; x++)
        canvas_text(sheet->canvas, bottom, x, 1, faint, "─");
    for (int y = plot.y; y <= bottom; y++)
        canvas_text(sheet->canvas, y, plot.x - 1, 1, faint, y < bottom ? "│" : "└");
    canvas_print(sheet->canvas, plot.y, plot.x - 6, 5, faint, "%5g", up.most);
    canvas_print(sheet->canvas, bottom, plot.x - 6, 5, faint, "%5g", up.least);
    canvas_print(sheet->canvas, bottom + 1, plot.x + plot.columns - 6, 6, faint, "%6g",
                 across.most);
    struct pen pen = {sheet->canvas, plot.y - 1, sheet->heads.x + 1, plot.x + plot.columns};
    pen_print(&pen, title, "↑ %s", metric_infos[up.figure].name);
    pen_print(&pen, faint, "%s", metric_infos[up.figure].unit);
    pen = (struct pen){sheet->canvas, bottom + 1, plot.x, plot.x + plot.columns - 6};
    pen_print(&pen, title, "→ %s", metric_infos[across.figure].name);
    pen_print(&pen, faint, "%s", metric_infos[across.figure].unit);
    for (size_t i = 0; i < count + (cursor < count); i++) {
        const size_t at = i < count ? i : cursor;
        const size_t layer = at / survey->heads, head = at % survey->heads;
        const double right = along(survey, &across, layer, head),
                     above = along(survey, &up, layer, head);
        if (!isnan(right) && !isnan(above) && (i == count || at != cursor))
            draw_point(sheet, plot.y + plot.rows - 1 - (int)lround(above * (plot.rows - 1)),
                       plot.x + (int)lround(right * (plot.columns - 1)), layer, head);
    }
}

/* ---- Whichever is shown ---- */

void corpus_draw_heads(const struct corpus_sheet *sheet)
{
    const enum corpus_shown shown = sheet->scene->look.corpus.shown;
    if (shown == CORPUS_SORTED || shown == CORPUS_RELATIONS)
        draw_list(sheet);
    else if (shown == CORPUS_SCATTER)
        draw_scatter(sheet);
    else
        draw_grid(sheet);
}

enum status corpus_move(struct scene *scene, int down, int across, struct error *error)
{
    struct look *look = &scene->look;
    const struct survey *survey = data_survey(&scene->data);
    const int layers = (int)survey->layers, heads = (int)survey->heads, row = (int)look->layer;
    if (look->corpus.shown == CORPUS_SORTED || look->corpus.shown == CORPUS_RELATIONS) {
        size_t count, at;
        struct corpus_head *list = corpus_list(scene, &count, &at, error);
        if (!list)
            return error->status;
        const int place = int_clamp((int)at + down + across, 0, (int)count - 1);
        if (count > 0) {
            look->layer = list[place].at.layer;
            look->head = list[place].at.head;
        }
        if (count > 0 && look->corpus.shown == CORPUS_RELATIONS)
            look->corpus.relation = list[place].relation.index;
        free(list);
        return STATUS_OK;
    }
    /* To the head that stands next along one of the axes, wherever it is on the other. */
    if (look->corpus.shown == CORPUS_SCATTER) {
        const struct axis axis =
            down ? axis_of(survey, METRIC_BEGIN + (enum metric)look->corpus.axis)
                 : axis_across(survey, look);
        const double from = along(survey, &axis, look->layer, look->head);
        const int way = across - (down > 0) + (down < 0);
        double least = INFINITY;
        for (size_t i = 0; i < survey->layers * survey->heads; i++) {
            const size_t layer = i / survey->heads, head = i % survey->heads;
            const double on = way * (along(survey, &axis, layer, head) - from);
            if (!(on > 0 && on < least))
                continue;
            least = on;
            look->layer = layer;
            look->head = head;
        }
        return STATUS_OK;
    }
    look->layer = (size_t)(abs(down) <= 1 ? (row + layers + down) % layers
                           : down < 0     ? 0
                                          : layers - 1);
    look->head = (size_t)(((int)look->head + heads + across) % heads);
    return STATUS_OK;
}
