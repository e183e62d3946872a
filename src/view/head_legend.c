#include "headlight/view/head_legend.h"

#include "headlight/view/caption.h"

#include <stdio.h>
#include <string.h>

#define GAP 3 /* columns between the pieces of a line */

/* ---- What is seen ---- */

unsigned head_legend_heaviest(const struct pair_list *list)
{
    unsigned shade = list->count > 0 ? list->edges[list->count - 1].shade : 0;
    return shade > 0 ? shade : EDGE_WHOLE;
}

static float heaviest_weight(const struct scene *scene, const struct pair_list *list)
{
    const struct edge *edge = &list->edges[list->count - 1];
    return scene_weight(scene, edge->head, edge->from, edge->to);
}

void head_legend_print(struct pen *pen, struct style style, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int width = (int)text_width(parts[i], canvas_ascii(pen->canvas));
        if (width == 0)
            continue;
        if (pen->x + width > pen->end)
            return;
        pen->x += canvas_text(pen->canvas, pen->y, pen->x, width, style, parts[i]) + GAP;
    }
}

void head_legend_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                      const struct pair_list *list)
{
    enum side side;
    bool several = head_mask_count(scene_maps(scene)) > 1;
    bool chips = several && scene_focus(scene, &side) != NO_TOKEN;
    const struct map_info *map = map_info(scene->data.map->kind);
    bool weights = scene->data.map->kind == MAP_WEIGHTS;
    const char *signs = canvas->traits.mono ? NULL : scene_signs(scene, canvas);
    char ramp[24] = "", meaning[128] = HEAD_ATTENDING;
    if (!weights)
        snprintf(meaning, sizeof meaning, "%s: %s", map->name, map->meaning);
    if (scene->look.tone == TONE_WEIGHT && list->count > 0)
        snprintf(ramp, sizeof ramp, "0 … %s",
                 scene_scale(scene, heaviest_weight(scene, list)).text);
    const char *const parts[] = {meaning,
                                 weights ? HEAD_ATTENDED : "",
                                 signs ? signs : "",
                                 HEAD_STRENGTH,
                                 several && !signs ? HEAD_HUE : "",
                                 ramp,
                                 chips && weights ? "58: 0.58" : ""};
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
    head_legend_print(&pen, style_of(ROLE_FAINT), parts, sizeof parts / sizeof *parts);
}

/* ---- What lies beyond the screen ---- */

/* Where a token is: -1 above the screen, 0 on it, 1 below it. */
static int beyond(const struct column *column, size_t token)
{
    int row = column_row(column, token);
    return row < 0 ? -1 : row >= column->rows;
}

/* How many lines go from a token on screen to one above it (-1) or below it (1). */
static size_t count_leaving(const struct column columns[2], const struct pair_list *list, int where)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        int from = beyond(&columns[SIDE_LEFT], list->edges[i].from);
        int to = beyond(&columns[SIDE_RIGHT], list->edges[i].to);
        count += (from == 0 || to == 0) && from + to == where;
    }
    return count;
}

void head_legend_leaving(struct canvas *canvas, struct area lines, const struct column columns[2],
                         const struct pair_list *list)
{
    size_t above = count_leaving(columns, list, -1), below = count_leaving(columns, list, 1);
    struct pen pen = {canvas, lines.y + lines.rows, lines.x, lines.x + lines.columns};
    if (above > 0)
        pen_print(&pen, style_of(ROLE_TITLE), "↑ %zu more line%s   ", above, above == 1 ? "" : "s");
    if (below > 0)
        pen_print(&pen, style_of(ROLE_TITLE), "↓ %zu more line%s", below, below == 1 ? "" : "s");
}

/* ---- The line of numbers ---- */

/* The weights of the same pair in the other active heads, as far as there is room; "…" stands for
 * the rest. */
static void print_other_heads(const struct scene *scene, struct pen *pen, const struct edge *edge)
{
    for (size_t head = 0; head < scene->data.head_count; head++) {
        if (head == edge->head || !head_mask_has(scene->look.heads, head))
            continue;
        if (pen->end - pen->x < (int)strlen("  12 0.417 …")) {
            canvas_text(pen->canvas, pen->y, pen->x, pen->end - pen->x, style_of(ROLE_FAINT), " …");
            return;
        }
        struct edge other = *edge;
        other.head = (uint16_t)head;
        other.weight = (uint16_t)edge_thousandths(scene_weight(scene, head, edge->from, edge->to));
        pen_print(pen, style_of(ROLE_FAINT), "  ");
        pen_print(pen, style_legible(ink_head(head, STYLE_FULL)), "%zu", head);
        pen_print(pen, style_of(ROLE_FAINT), " %s", scene_number(scene, &other).text);
    }
}

/* "43 lines, 9 of them to The, 61 hidden", or without where they go. */
static void describe_count(const struct scene *scene, const struct pair_list *list, bool where,
                           char *text, size_t size)
{
    char from[24] = "", first[160] = "";
    if (scene->look.threshold > 0)
        snprintf(from, sizeof from, " from %s", number_weight(scene->look.threshold).text);
    if (where && list->to_first > 0)
        snprintf(first, sizeof first, ", %zu of them to %.100s", list->to_first,
                 scene_label(scene, SIDE_RIGHT, 0));
    snprintf(text, size, "%zu line%s%s%s, %zu hidden", list->count, list->count == 1 ? "" : "s",
             from, first, list->total - list->count);
}

/* How many lines are drawn and how many hidden, at the right end; where room is short, not where
 * they go, or only how many are hidden. `kept` columns remain before it. Returns where the line
 * before it ends. */
static int draw_count(const struct scene *scene, struct canvas *canvas, const struct pen *pen,
                      const struct pair_list *list, int kept)
{
    char text[3][256];
    int room = pen->end - pen->x - kept - 2;
    describe_count(scene, list, true, text[0], sizeof text[0]);
    describe_count(scene, list, false, text[1], sizeof text[1]);
    snprintf(text[2], sizeof text[2], "%zu hidden", list->total - list->count);
    for (int i = 0; i < 3; i++)
        if ((int)text_width(text[i], canvas_ascii(canvas)) <= room)
            return canvas_text_right(canvas, pen->y, pen->end, room, style_of(ROLE_FAINT),
                                     text[i]) -
                   2;
    return pen->end;
}

void head_legend_numbers(const struct scene *scene, struct canvas *canvas, struct area area,
                         const struct pair_list *list)
{
    struct edge edge;
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    bool found = scene_current_edge(scene, &edge);
    int place = GAP + caption_place_columns(scene);
    if (found)
        caption_edge(scene, &pen, &edge, place);
    else
        caption_nothing(scene, &pen);
    pen.end = draw_count(scene, canvas, &pen, list, found ? place : 0);
    if (!found)
        return;
    pen.x += GAP;
    caption_place(scene, &pen, edge.head);
    if (scene_is_pinned(scene) && !scene_is_single(scene))
        print_other_heads(scene, &pen, &edge);
}
