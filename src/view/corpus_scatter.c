/* corpus_scatter.c: heads as points between two figures of the survey. */
#include "headlight/view/corpus.h"

#include "headlight/base/size.h"
#include "headlight/view/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the points stand, and the figures that place them. */
struct scatter {
    struct area plot;
    enum survey_figure across, up;
    double most_across, most_up; /* at the far ends; the near ones are 0, of an effect -most */
};

static struct scatter scatter_of(const struct corpus_sheet *sheet)
{
    const struct look *look = &sheet->scene->look;
    struct scatter scatter = {.across = corpus_across(look),
                              .up = (enum survey_figure)look->corpus.axis};
    scatter.plot = (struct area){sheet->heads.y + 1, sheet->heads.x + 6,
                                 int_max(sheet->heads.rows - 3, 0), sheet->heads.columns - 8};
    scatter.most_across = words_whole(corpus_whole(sheet->survey, scatter.across));
    scatter.most_up = words_whole(corpus_whole(sheet->survey, scatter.up));
    return scatter;
}

/* At the near end of an axis. */
static double least_of(enum survey_figure figure, double most)
{
    return figure == SURVEY_EFFECT ? -most : 0;
}

/* How far along an axis of so many cells a value stands. */
static int place_along(enum survey_figure figure, double value, double most, int cells)
{
    const double least = least_of(figure, most);
    return (int)lround(fmin((value - least) / (most - least), 1) * (cells - 1));
}

/* The cell of a head; false where one of the figures is not known. */
static bool scatter_place(const struct corpus_sheet *sheet, const struct scatter *scatter,
                          size_t layer, size_t head, int *y, int *x)
{
    const double across = evidence_mean(sheet->survey, scatter->across, layer, head).value;
    const double up = evidence_mean(sheet->survey, scatter->up, layer, head).value;
    if (isnan(across) || isnan(up))
        return false;
    *x = scatter->plot.x +
         place_along(scatter->across, across, scatter->most_across, scatter->plot.columns);
    *y = scatter->plot.y + scatter->plot.rows - 1 -
         place_along(scatter->up, up, scatter->most_up, scatter->plot.rows);
    return true;
}

static void draw_axes(const struct corpus_sheet *sheet, const struct scatter *scatter)
{
    const struct area *plot = &scatter->plot;
    const struct style faint = style_of(ROLE_FAINT), title = style_bold(ROLE_TITLE);
    const int bottom = plot->y + plot->rows;
    char most[24];
    for (int x = plot->x; x < plot->x + plot->columns; x++)
        canvas_text(sheet->canvas, bottom, x, 1, faint, "─");
    for (int y = plot->y; y < bottom; y++)
        canvas_text(sheet->canvas, y, plot->x - 1, 1, faint, "│");
    canvas_text(sheet->canvas, bottom, plot->x - 1, 1, faint, "└");
    snprintf(most, sizeof most, "%g", scatter->most_up);
    canvas_text_right(sheet->canvas, plot->y, plot->x - 1, 5, faint, most);
    snprintf(most, sizeof most, "%g", least_of(scatter->up, scatter->most_up));
    canvas_text_right(sheet->canvas, bottom, plot->x - 1, 5, faint, most);
    struct pen pen = {sheet->canvas, sheet->heads.y, sheet->heads.x + 1,
                      sheet->heads.x + sheet->heads.columns};
    pen_print(&pen, title, "↑ %s", evidence_figure_name(scatter->up));
    pen_print(&pen, faint, "%s", evidence_figure_unit(scatter->up));
    pen = (struct pen){sheet->canvas, bottom + 1, plot->x, plot->x + plot->columns};
    pen_print(&pen, title, "→ %s", evidence_figure_name(scatter->across));
    pen_print(&pen, faint, "%s", evidence_figure_unit(scatter->across));
    snprintf(most, sizeof most, "%g", scatter->most_across);
    canvas_text_right(sheet->canvas, bottom + 1, plot->x + plot->columns, 6, faint, most);
}

/* Heads that fall into one cell are counted there; the last one gives the hue, if it does
 * something, and the cursor's is written out. */
void corpus_draw_scatter(const struct corpus_sheet *sheet)
{
    const struct survey *survey = sheet->survey;
    const struct scatter scatter = scatter_of(sheet);
    const struct look *look = &sheet->scene->look;
    int y, x;
    if (scatter.plot.rows < 2 || scatter.plot.columns < 10) {
        sheet->canvas->lacks |= LACKS_ROWS;
        return;
    }
    draw_axes(sheet, &scatter);
    sheet->canvas->lacks |= 4 * scatter.plot.rows < scatter.plot.columns ? LACKS_ROWS : 0;
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        const size_t layer = i / survey->heads, head = i % survey->heads;
        if (!scatter_place(sheet, &scatter, layer, head, &y, &x))
            continue;
        const struct cell *cell = canvas_at(sheet->canvas, y, x);
        const char there = cell ? cell->text[0] : ' ';
        const struct corpus_does does = corpus_does(survey, layer, head);
        char text[8] = "●";
        if (there != ' ')
            snprintf(text, sizeof text, "%c",
                     there >= '2' && there < '9' ? there + 1
                     : there == '9'              ? '9'
                                                 : '2');
        canvas_text(sheet->canvas, y, x, 1, style_legible(corpus_does_ink(&does)), text);
        canvas_mark(sheet->canvas, (struct area){y, x, 1, 1}, HIT_THUMBNAIL, i);
    }
    if (sheet->canvas->bare || !scatter_place(sheet, &scatter, look->layer, look->head, &y, &x))
        return;
    const struct style style = style_marked(ROLE_CURSOR);
    char id[24];
    snprintf(id, sizeof id, " %zu.%zu ", look->layer, look->head);
    const int width = (int)strlen(id);
    const bool left = x + 1 + width > sheet->heads.x + sheet->heads.columns;
    canvas_text(sheet->canvas, y, x, 1, style, "●");
    canvas_text(sheet->canvas, y, left ? x - width : x + 1, width, style, id);
}

/* To the nearest point that lies more that way than any other, or else nowhere. The plot's size is
 * not known to a key: a square of a hundred to a side stands for it. */
void corpus_move_in_scatter(struct scene *scene, int down, int across)
{
    const struct corpus_sheet sheet = {
        .scene = scene, .survey = data_survey(&scene->data), .heads = {0, 0, 103, 108}};
    const struct scatter scatter = scatter_of(&sheet);
    struct look *look = &scene->look;
    int y, x, best = 0;
    size_t nearest = SIZE_MAX;
    if (!scatter_place(&sheet, &scatter, look->layer, look->head, &y, &x))
        return;
    for (size_t i = 0; i < sheet.survey->layers * sheet.survey->heads; i++) {
        int other_y, other_x;
        if (!scatter_place(&sheet, &scatter, i / sheet.survey->heads, i % sheet.survey->heads,
                           &other_y, &other_x))
            continue;
        const int dy = other_y - y, dx = other_x - x;
        const int on = down * dy + across * dx, beside = down ? dx : dy;
        const int cost = on * on + 4 * beside * beside;
        if (on <= 0 || (nearest != SIZE_MAX && cost >= best))
            continue;
        best = cost;
        nearest = i;
    }
    if (nearest == SIZE_MAX)
        return;
    look->layer = nearest / sheet.survey->heads;
    look->head = nearest % sheet.survey->heads;
}
