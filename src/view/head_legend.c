/* head_legend.c: the words around the head view's lines: a legend above them and a line of numbers
 * below; or what a figure needs to be read by itself: what stands on either side, how heavy a line
 * of which width is, and whose colours there are. And how wide lines are. */
#include "headlight/view/head_legend.h"

#include "headlight/view/sentence.h"
#include "headlight/view/table.h"

/* ---- What lies beyond the screen ---- */

/* Where a token is: -1 above the screen, 0 on it, 1 below it. */
static int beyond(const struct grid_axis *column, size_t token)
{
    return token < column->shown.first ? -1 : token >= column->shown.end;
}

/* A line leaves if one of its ends is on screen and the other is not. Those with both ends outside
 * cross the picture without a token that they belong to, so they aren't counted. */
void head_legend_leaving(const struct head_sheet *sheet)
{
    const struct area *lines = &sheet->lines;
    struct pen pen = {sheet->canvas, lines->y + lines->rows, lines->x, lines->x + lines->columns};
    size_t above = 0, below = 0;
    for (size_t i = 0; i < sheet->list.count; i++) {
        int from = beyond(&sheet->column[SIDE_LEFT], sheet->list.edges[i].from);
        int to = beyond(&sheet->column[SIDE_RIGHT], sheet->list.edges[i].to);
        above += (from == 0 || to == 0) && from + to == -1;
        below += (from == 0 || to == 0) && from + to == 1;
    }
    if (above > 0)
        pen_print(&pen, style_of(ROLE_TITLE), "↑ %zu more line%s   ", above, above == 1 ? "" : "s");
    if (below > 0)
        pen_print(&pen, style_of(ROLE_TITLE), "↓ %zu more line%s", below, below == 1 ? "" : "s");
}

/* ---- The line of numbers ---- */

/* Writes at the right end how many lines are drawn, in the longest form that there is room for:
 * "heaviest 43 of 104 lines, 9 to The". Returns where the rest of the line has to end. */
static int head_draw_count(const struct head_sheet *sheet, const struct pen *pen)
{
    const struct scene *scene = sheet->scene;
    const struct edge_list *list = &sheet->list;
    char from[48] = "", first[160] = "", count[48], lines[96], all[272];
    const char *const forms[] = {all, lines, count};
    int room = pen->end - pen->x - 2;
    if (scene->look.threshold > 0)
        snprintf(from, sizeof from, ", from %s up", number_weight(scene->look.threshold).text);
    if (list->to_first > 0)
        snprintf(first, sizeof first, ", %zu to %.100s", list->to_first,
                 scene_label(scene, SIDE_RIGHT, 0));
    snprintf(count, sizeof count, "%zu of %zu", list->count, list->total);
    snprintf(lines, sizeof lines, "%s line%s", count, list->total == 1 ? "" : "s");
    format_cut(all, sizeof all, "%s%s%s%s", *from || list->count == list->total ? "" : "heaviest ",
               lines, from, first);
    for (int i = 0; i < 3; i++)
        if (canvas_width(pen->canvas, forms[i]) <= room)
            return canvas_text_right(pen->canvas, pen->y, pen->end, room, style_of(ROLE_FAINT),
                                     forms[i]) -
                   2;
    return pen->end;
}

void head_legend_above(const struct head_sheet *sheet)
{
    const struct edge_list *list = &sheet->list;
    const struct area *area = &sheet->area;
    canvas_print(sheet->canvas, area->y - 1, area->x, area->columns, style_of(ROLE_FAINT),
                 list->total == 0   ? "no tokens that fit the filter"
                 : list->total == 1 ? "%zu of %zu line"
                                    : "%zu of %zu lines",
                 list->count, list->total);
}

/* Parts are in the order of their use to a reader; where the row is too short, the last are left
 * out. Of another map than the weights, the meaning replaces "who attends", and no colour is
 * explained that isn't there: signs and heads never share the hues. In the line of numbers the
 * count of lines gives way to the pair's, and the weights of other heads take whatever is left
 * between both.
 */
void head_legend_draw(const struct head_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const struct area *area = &sheet->area;
    bool several = head_mask_count(scene_maps(scene)) > 1;
    const struct map_info *map = &map_infos[scene->data.map->kind];
    bool weights = scene->data.map->kind == MAP_WEIGHTS;
    const char *signs = sheet->canvas->traits.mono ? NULL : scene_signs(scene, sheet->canvas);
    char ramp[32] = "", meaning[128] = HEAD_ATTENDING;
    if (scene_reading(scene))
        snprintf(meaning, sizeof meaning, "left: %s", scene_reading(scene));
    if (!weights)
        snprintf(meaning, sizeof meaning, "%s: %s", map->name, scene_map_meaning(scene));
    if (scene->look.tone == TONE_WEIGHT && sheet->list.count > 0) {
        const struct edge *edge = &sheet->heaviest;
        float weight = scene_weight(scene, edge->head, edge->from, edge->to);
        snprintf(ramp, sizeof ramp, "0 … %s", scene_scale(scene, weight).text);
    }
    const char *const parts[] = {meaning,
                                 weights ? HEAD_ATTENDED : "",
                                 scene->data.encoded->site == SITE_ONLY &&
                                         scene->data.encoded->generated.count > 0
                                     ? HEAD_GENERATED
                                     : "",
                                 signs ? signs : "",
                                 sheet->named.kind != METRIC_NONE ? HEAD_THICKNESS : HEAD_STRENGTH,
                                 several && !signs ? HEAD_HUE : "",
                                 ramp,
                                 sheet->tally_width > 0 ? HEAD_TALLIES : "",
                                 several && sheet->focus != NO_TOKEN && weights ? "58: 0.58" : ""};
    struct pen pen = {sheet->canvas, area->y, area->x + 2, area->x + area->columns - 2};
    caption_parts(&pen, parts, LENGTH(parts), false);
    struct edge edge;
    pen = (struct pen){sheet->canvas, area->y + area->rows - 1, area->x + 2,
                       area->x + area->columns - 2};
    const bool found = caption_edge(scene, &pen, &edge);
    pen.end = head_draw_count(sheet, &pen);
    /* The weights of the same pair in the other active heads, as far as there is room; "…" stands
     * for the rest. A head that is switched off isn't in the picture, so it isn't here either. */
    const bool others = found && scene_is_pinned(scene) && !scene_is_single(scene);
    for (size_t head = 0; others && head < scene->data.head_count; head++) {
        if (head == edge.head || !head_mask_has(scene->look.heads, head))
            continue;
        if (pen.end - pen.x < (int)strlen("  12 0.417 …")) {
            canvas_text(pen.canvas, pen.y, pen.x, pen.end - pen.x, style_of(ROLE_FAINT), " …");
            return;
        }
        const struct edge other = scene_edge(scene, head, edge.from, edge.to);
        pen_print(&pen, style_of(ROLE_FAINT), "  ");
        pen_print(&pen, style_legible(ink_head(head, STYLE_FULL)), "%zu", head);
        pen_print(&pen, style_of(ROLE_FAINT), " %s", scene_number(scene, &other).text);
    }
}

/* ---- In a figure ---- */

#define SAMPLES        3
#define SAMPLE_COLUMNS 4
#define LABEL_COLUMNS  8 /* "weight  " */

/* Widths in rows. Many lines must stay apart where they meet; those of a chosen token need not, nor
 * one head's where there are rows between the tokens (step > 1). */
#define THIN      0.08F
#define THIN_MORE (HEAD_LANE - THIN)
#define WIDE      0.06F
#define WIDE_MORE 0.44F
#define FAR_MORE  0.3F /* of one head's without such rows, for the back of a room */

/* A share of 0 is the thinnest line there is, 1 the widest: widths grow linearly with the weight,
 * as thickness is read more exactly than brightness. */
float head_line_width(const struct head_sheet *sheet, float share)
{
    const bool one = head_mask_count(scene_maps(sheet->scene)) == 1;
    const bool roomy = one && sheet->column[SIDE_LEFT].size > 1;
    if (roomy || (sheet->focus != NO_TOKEN && !sheet->lanes))
        return WIDE + WIDE_MORE * share;
    if (one && sheet->scene->look.presented)
        return WIDE + FAR_MORE * share;
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
    /* lines of a third, two thirds and all of the largest weight, each with that weight */
    const struct edge *edge = &sheet->heaviest;
    const bool shares = scene->look.tone == TONE_ROW;
    const float largest = shares ? 1 : scene_weight(scene, edge->head, edge->from, edge->to),
                heaviest = (float)edge_shade(scene->look.tone, largest, largest);
    const enum role role =
        has_hues(sheet) || signs ? ROLE_TEXT : scene_edge_ink(scene, edge, STYLE_FULL).role;
    struct pen pen = {sheet->canvas, y, x, end - 2};
    if (sheet->list.count > 0)
        pen_print(&pen, style_of(ROLE_FAINT), "%-*s", LABEL_COLUMNS,
                  shares ? "share" : table_value_name(scene));
    for (int i = 1; i <= SAMPLES && sheet->list.count > 0; i++) {
        const float weight = largest * (float)i / SAMPLES,
                    shade = (float)edge_shade(scene->look.tone, weight, largest);
        const struct stroke stroke = {
            .from = 0.5F,
            .to = 0.5F,
            .width = head_line_width(sheet, heaviest > 0 ? shade / heaviest : 0),
            .ink = ink_full(role)};
        strokes_draw(sheet->canvas, (struct area){y, pen.x, 1, SAMPLE_COLUMNS}, &stroke, 1);
        pen.x += SAMPLE_COLUMNS + 1;
        pen_print(&pen, style_of(ROLE_FAINT), "%s   ",
                  shares ? number_weight(edge_thousandths(weight)).text
                         : scene_scale(scene, weight).text);
    }
    if (has_hues(sheet))
        canvas_text(sheet->canvas, y + 1, x, LABEL_COLUMNS, style_of(ROLE_FAINT), "head");
    else if (signs)
        canvas_text(sheet->canvas, y + 1, x, area->columns - 4, style_of(ROLE_FAINT), signs);
    for (size_t head = 0; head < scene->data.head_count && has_hues(sheet); head++) {
        pen = (struct pen){sheet->canvas, y + 1 + drawn / most,
                           x + LABEL_COLUMNS + drawn % most * head_columns(sheet), end};
        if (!head_mask_has(scene_maps(scene), head))
            continue;
        pen_print(&pen, style_of((enum role)(ROLE_HUE + head % STYLE_HUES)), "■");
        pen_print(&pen, style_of(ROLE_FAINT), " %zu", head);
        drawn++;
    }
}
