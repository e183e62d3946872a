/* head_legend.c: the words around the head view's lines. On the desk a legend above them and a line
 * of numbers below; presented, one pair in large letters, which the back of a room can read. */
#include "headlight/view/head_legend.h"

#include "headlight/draw/letters.h"
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

static void print_parts(struct pen *pen, struct style style, const char *const *parts, size_t count)
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
    print_parts(&pen, style_of(ROLE_FAINT), parts, sizeof parts / sizeof *parts);
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

/* "43 lines, 9 of them to The, 61 hidden"; the middle part only if `where`. */
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

/* Writes at the right end how many lines are drawn and how many hidden, in the longest form that
 * leaves `kept` columns before it. Returns where the rest of the line has to end. */
static int head_draw_count(const struct scene *scene, struct canvas *canvas, const struct pen *pen,
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
    pen.end = head_draw_count(scene, canvas, &pen, list, found ? place : 0);
    if (!found)
        return;
    pen.x += GAP;
    caption_place(scene, &pen, edge.head);
    if (scene_is_pinned(scene) && !scene_is_single(scene))
        print_other_heads(scene, &pen, &edge);
}

/* ---- The headline ---- */

/* A line of letters takes a fifth of the height at most. */
#define SHARE 5

#define MARGIN      2
#define BETWEEN     4 /* columns of a letter's shape, between the pair and its weight */
#define WEIGHT_ROOM 6 /* "  0.58" */

/* 0: there is no room for them. */
static int largest_scale(const struct canvas *canvas, struct area area)
{
    return canvas_ascii(canvas) ? 0 : area.rows / (SHARE * LETTERS_ROWS);
}

static int text_rows(const struct canvas *canvas, struct area area)
{
    int scale = largest_scale(canvas, area);
    return scale > 0 ? scale * LETTERS_ROWS : 1;
}

/* A blank row above the sentence, the legend and a blank row below it. */
int head_headline_rows(const struct canvas *canvas, struct area area)
{
    return text_rows(canvas, area) + 3;
}

struct sentence {
    char pair[2 * sizeof(struct token_name) + 8];
    char weight[8];
    int columns; /* of letters; 0: it can't be written in them */
};

static struct sentence sentence_of(const struct scene *scene, const struct edge *edge)
{
    struct sentence sentence;
    struct token_name from = scene_name(scene, SIDE_LEFT, edge->from, false);
    struct token_name to = scene_name(scene, SIDE_RIGHT, edge->to, false);
    snprintf(sentence.pair, sizeof sentence.pair, "%s → %s", from.text, to.text);
    snprintf(sentence.weight, sizeof sentence.weight, "%.7s", scene_number_in(scene, edge, 4).text);
    int pair = letters_columns(sentence.pair);
    sentence.columns = pair > 0 ? pair + BETWEEN + letters_columns(sentence.weight) : 0;
    return sentence;
}

static void draw_letters(const struct scene *scene, struct canvas *canvas, struct area room,
                         const struct edge *edge, const struct sentence *sentence, int scale)
{
    struct style hue =
        style_legible(scene_weight_ink(scene, edge->head, edge->from, edge->to, STYLE_FULL));
    int y = room.y + (room.rows - scale * LETTERS_ROWS) / 2;
    int x = room.x + (room.columns - scale * sentence->columns) / 2;
    x += letters_draw(canvas, y, x, scale, style_of(ROLE_STRONG), sentence->pair);
    letters_draw(canvas, y, x + scale * (BETWEEN - 1), scale, hue, sentence->weight);
}

/* The fallback: a line of bold text. */
static void headline_draw_text(const struct scene *scene, struct canvas *canvas, struct area room,
                               const struct edge *edge, const struct sentence *sentence)
{
    struct pen pen = {canvas, room.y + room.rows / 2, room.x, room.x + room.columns};
    int columns = caption_pair_columns(scene, &pen, edge->from, edge->to) + WEIGHT_ROOM;
    pen.x += columns < room.columns ? (room.columns - columns) / 2 : 0;
    caption_pair(scene, &pen, style_bold(ROLE_STRONG), edge->from, edge->to, WEIGHT_ROOM);
    pen_print(&pen, style_bold(ROLE_STRONG), "  %s", sentence->weight);
}

static void headline_draw_sentence(const struct scene *scene, struct canvas *canvas,
                                   struct area room)
{
    struct edge edge;
    struct pen pen = {canvas, room.y + room.rows / 2, room.x, room.x + room.columns};
    int scale = room.rows / LETTERS_ROWS;
    if (!scene_current_edge(scene, &edge)) {
        caption_nothing(scene, &pen);
        return;
    }
    struct sentence sentence = sentence_of(scene, &edge);
    while (scale > 0 && scale * sentence.columns > room.columns)
        scale--;
    if (scale > 0 && sentence.columns > 0)
        draw_letters(scene, canvas, room, &edge, &sentence, scale);
    else
        headline_draw_text(scene, canvas, room, &edge, &sentence);
}

static void headline_write_place(const struct scene *scene, char *text, size_t size)
{
    size_t heads = head_mask_count(scene->look.heads);
    const char *of = heads == 1 ? "head" : "heads";
    enum map_kind map = scene->data.map->kind;
    int used = map != MAP_WEIGHTS ? snprintf(text, size, "%s · ", map_info(map)->name) : 0;
    text += used;
    size -= (size_t)used;
    if (!scene->data.mean && scene_is_single(scene))
        snprintf(text, size, "layer %zu", scene->look.layer);
    else if (!scene->data.mean)
        snprintf(text, size, "layer %zu · head %zu", scene->look.layer, scene->look.head);
    else if (scene->look.averaged == MEAN_LAYERS)
        snprintf(text, size, "all layers · mean of %zu %s", heads, of);
    else
        snprintf(text, size, "layer %zu · mean of %zu %s", scene->look.layer, heads, of);
}

/* What doesn't fit beside the place is left out, from the end. */
static void headline_draw_legend(const struct scene *scene, struct canvas *canvas, int y, int x,
                                 int end)
{
    static const char *const parts[] = {HEAD_ATTENDING, HEAD_ATTENDED, HEAD_THICKNESS};
    char place[64];
    headline_write_place(scene, place, sizeof place);
    end = canvas_text_right(canvas, y, end, end - x, style_bold(ROLE_STRONG), place) - MARGIN;
    struct pen pen = {canvas, y, x, end};
    print_parts(&pen, style_of(ROLE_TEXT), parts, sizeof parts / sizeof *parts);
}

void head_headline_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    int rows = text_rows(canvas, area), last = area.y + area.rows - 1;
    struct area room = {last - 1 - rows, area.x + 1, rows, area.columns - 2};
    headline_draw_sentence(scene, canvas, room);
    headline_draw_legend(scene, canvas, last, area.x + MARGIN, area.x + area.columns - MARGIN);
}
