/* head_scale.c: what a figure of the head view needs to be read by itself: what stands on either
 * side, how heavy a line of which width is, and whose colours there are; and how wide lines are. */
#include "headlight/view/head_legend.h"

#include "headlight/base/size.h"
#include "headlight/view/table.h"

#define SAMPLES        3
#define SAMPLE_COLUMNS 4
#define LABEL_COLUMNS  8 /* "weight  " */

/* Widths in rows. Many lines must stay apart where they meet; those of a chosen token need not, nor
 * one head's where there are rows between the tokens (step > 1). */
#define THIN      0.08F
#define THIN_MORE (HEAD_LANE - THIN)
#define WIDE      0.06F
#define WIDE_MORE 0.44F

/* A share of 0 is the thinnest line there is, 1 the widest: widths grow linearly with the weight,
 * as thickness is read more exactly than brightness. */
float head_line_width(const struct head_sheet *sheet, float share)
{
    int step = sheet->column[SIDE_LEFT].size;
    bool roomy = head_mask_count(scene_maps(sheet->scene)) == 1 && step > 1;
    if (roomy || (sheet->focus != NO_TOKEN && !sheet->lanes))
        return WIDE + WIDE_MORE * share;
    return THIN + THIN_MORE * share;
}

/* Whether heads have colours that tell them apart. */
static bool has_hues(const struct head_sheet *sheet)
{
    return head_mask_count(scene_maps(sheet->scene)) > 1 && !sheet->canvas->traits.mono &&
           !scene_signs(sheet->scene, sheet->canvas);
}

/* "■ 12  " */
static int head_columns(const struct head_sheet *sheet)
{
    return sheet->scene->data.head_count > 10 ? 6 : 5;
}

static int heads_in_row(const struct head_sheet *sheet)
{
    return int_max((sheet->area.columns - 4 - LABEL_COLUMNS) / head_columns(sheet), 1);
}

/* With a blank row before them. */
int head_scale_rows(const struct head_sheet *sheet)
{
    const int heads = (int)head_mask_count(scene_maps(sheet->scene)), most = heads_in_row(sheet);
    return 2 + (has_hues(sheet)                            ? (heads + most - 1) / most
                : scene_signs(sheet->scene, sheet->canvas) ? 1
                                                           : 0);
}

/* Lines of a third, two thirds and all of the largest weight, each with that weight. */
static void draw_widths(const struct head_sheet *sheet, int y)
{
    const struct scene *scene = sheet->scene;
    const struct edge *edge = &sheet->heaviest;
    const bool shares = scene->look.tone == TONE_ROW;
    const float most = shares ? 1 : scene_weight(scene, edge->head, edge->from, edge->to);
    const float heaviest = (float)edge_shade(scene->look.tone, most, most);
    const enum role role = has_hues(sheet) || scene_signs(scene, sheet->canvas)
                               ? ROLE_TEXT
                               : scene_edge_ink(scene, edge, STYLE_FULL).role;
    struct pen pen = {sheet->canvas, y, sheet->area.x + 2, sheet->area.x + sheet->area.columns - 2};
    pen_print(&pen, style_of(ROLE_FAINT), "%-*s", LABEL_COLUMNS,
              shares ? "share" : table_value_name(scene));
    for (int i = 1; i <= SAMPLES; i++) {
        const float weight = most * (float)i / SAMPLES;
        const float shade = (float)edge_shade(scene->look.tone, weight, most);
        const struct stroke stroke = {0.5F, 0.5F,
                                      head_line_width(sheet, heaviest > 0 ? shade / heaviest : 0),
                                      ink_full(role)};
        const struct area area = {y, pen.x, 1, SAMPLE_COLUMNS};
        strokes_draw(sheet->canvas, area, &stroke, 1);
        pen.x += SAMPLE_COLUMNS + 1;
        pen_print(&pen, style_of(ROLE_FAINT), "%s   ",
                  shares ? number_weight(edge_thousandths(weight)).text
                         : scene_scale(scene, weight).text);
    }
}

void head_scale_draw(const struct head_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const struct area *area = &sheet->area, *lines = &sheet->lines;
    const int most = heads_in_row(sheet), x = area->x + 2, end = area->x + area->columns;
    const int y = area->y + area->rows + 1 - head_scale_rows(sheet);
    const char *signs = scene_signs(scene, sheet->canvas);
    int drawn = 0;
    canvas_text_right(sheet->canvas, area->y, lines->x - 1, area->columns, style_of(ROLE_FAINT),
                      scene_axis(scene, SIDE_LEFT));
    canvas_text(sheet->canvas, area->y, lines->x + lines->columns + 1, area->columns,
                style_of(ROLE_FAINT), scene_axis(scene, SIDE_RIGHT));
    if (sheet->list.count > 0)
        draw_widths(sheet, y);
    if (has_hues(sheet))
        canvas_text(sheet->canvas, y + 1, x, LABEL_COLUMNS, style_of(ROLE_FAINT), "head");
    else if (signs)
        canvas_text(sheet->canvas, y + 1, x, area->columns - 4, style_of(ROLE_FAINT), signs);
    for (size_t head = 0; head < scene->data.head_count && has_hues(sheet); head++) {
        struct pen pen = {sheet->canvas, y + 1 + drawn / most,
                          x + LABEL_COLUMNS + drawn % most * head_columns(sheet), end};
        if (!head_mask_has(scene_maps(scene), head))
            continue;
        pen_print(&pen, style_of((enum role)(ROLE_HUE + head % STYLE_HUES)), "■");
        pen_print(&pen, style_of(ROLE_FAINT), " %zu", head);
        drawn++;
    }
}
