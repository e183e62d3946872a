/* headline.c: the pair and its weight below a head that is presented, in large letters where there
 * is room and the font has them, else in a line of bold text. */
#include "headlight/view/headline.h"

#include "headlight/draw/letters.h"
#include "headlight/view/caption.h"
#include "headlight/view/head_legend.h"

#include <stdio.h>
#include <string.h>

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
int headline_rows(const struct canvas *canvas, struct area area)
{
    return text_rows(canvas, area) + 3;
}

/* ---- The sentence ---- */

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

/* The same in a line of bold text. */
static void headline_draw_text(const struct scene *scene, struct canvas *canvas, struct area room,
                               const struct edge *edge, const struct sentence *sentence)
{
    struct pen pen = {canvas, room.y + room.rows / 2, room.x, room.x + room.columns};
    int columns = caption_pair_columns(scene, &pen, edge->from, edge->to) + WEIGHT_ROOM;
    pen.x += columns < room.columns ? (room.columns - columns) / 2 : 0;
    caption_pair(scene, &pen, style_bold(ROLE_STRONG), edge->from, edge->to, WEIGHT_ROOM);
    pen_print(&pen, style_bold(ROLE_STRONG), "  %s", sentence->weight);
}

static void draw_sentence(const struct scene *scene, struct canvas *canvas, struct area room)
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

/* ---- The legend ---- */

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
static void draw_legend(const struct scene *scene, struct canvas *canvas, int y, int x, int end)
{
    static const char *const parts[] = {HEAD_ATTENDING, HEAD_ATTENDED, HEAD_THICKNESS};
    char place[64];
    headline_write_place(scene, place, sizeof place);
    end = canvas_text_right(canvas, y, end, end - x, style_bold(ROLE_STRONG), place) - MARGIN;
    struct pen pen = {canvas, y, x, end};
    head_legend_print(&pen, style_of(ROLE_TEXT), parts, sizeof parts / sizeof *parts);
}

void headline_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    int rows = text_rows(canvas, area), last = area.y + area.rows - 1;
    struct area room = {last - 1 - rows, area.x + 1, rows, area.columns - 2};
    draw_sentence(scene, canvas, room);
    draw_legend(scene, canvas, last, area.x + MARGIN, area.x + area.columns - MARGIN);
}
