/* lists.c: the list of the strongest connections beside a view, and the ranking: all heads of the
 * model by the weight between the two chosen tokens. The ranking takes the place of whatever view
 * is chosen, so it is a view without a name of its own. */
#include "headlight/view/views.h"

#include "headlight/base/memory.h"
#include "headlight/view/grid.h"

#include <limits.h>
#include <stdlib.h>

/* ---- The strongest connections ---- */

/* Columns of the list, and how many a view and a list need to stand side by side. */
#define COLUMNS_MIN 28
#define COLUMNS_MAX 44
#define ROOM_LEAST  76 /* for a view and a list beside it */
#define NUMBER      5  /* "0.417" */

/* Three tenths of the area: enough for two names and a number, and the view keeps its shape. */
int connections_columns(struct area area)
{
    return area.columns < ROOM_LEAST ? 0
                                     : int_clamp(area.columns * 3 / 10, COLUMNS_MIN, COLUMNS_MAX);
}

/* edges_select sorts from light to heavy. Turning its list round would also turn round equal
 * weights, which stay in the order of head, from, to. */
static int heaviest_first(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return x->shade == y->shade ? edges_compare(a, b) : edges_compare(b, a);
}

/* Tones are for brightness only: the list is sorted by the weights themselves. Without a pair
 * chosen it needs no more edges than there are rows, which keeps long texts fast; with one it is of
 * one token's, of which any may be chosen. The heading also says how many are above, the last row
 * how many are below. A chosen pair is in the middle. */
void connections_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct edge_query query = scene_edges(scene);
    const size_t most = area.rows > 2 ? (size_t)area.rows - 2 : 0;
    const struct edge_limits limits = {1, scene_is_pinned(scene) ? SIZE_MAX : most};
    struct edge_list list;
    const struct area rows = {area.y, area.x + 1, area.rows, area.columns - 3};
    query.tone = TONE_WEIGHT;
    if (edges_select(&query, &limits, &list, &canvas->error) != STATUS_OK)
        return;
    for (int y = area.y; y < area.y + area.rows; y++)
        canvas_text(canvas, y, area.x - 1, 1, (struct style){.fore = {ROLE_FAINT, 8}}, "│");
    canvas_text(canvas, rows.y, rows.x, rows.columns, style_of(ROLE_FAINT), "strongest");
    if (list.count > 0)
        qsort(list.edges, list.count, sizeof *list.edges, heaviest_first);
    size_t chosen = list.count;
    for (size_t i = list.count; i-- > 0;)
        if (list.edges[i].from == scene->look.from && list.edges[i].to == scene->look.to)
            chosen = i;
    const struct token_range shown =
        grid_window(list.count, most, chosen < list.count ? chosen : 0);
    char above[40];
    snprintf(above, sizeof above, "↑ %zu above", shown.first);
    if (shown.first > 0)
        canvas_text_right(canvas, rows.y, rows.x + rows.columns, rows.columns - 10,
                          style_of(ROLE_FAINT), above);
    for (size_t i = shown.first; i < shown.end; i++) {
        /* the head before the pair or, where there is only one, a bar; the names are cut before the
         * number is, and a click anywhere in the row chooses the pair */
        const struct edge *edge = &list.edges[i];
        const struct area row = {rows.y + 1 + (int)(i - shown.first), rows.x, 1, rows.columns};
        struct pen pen = {canvas, row.y, row.x + 3, row.x + row.columns - NUMBER - 1};
        struct style style = style_of(edge->weight >= GRID_NOTABLE ? ROLE_TEXT : ROLE_FAINT);
        struct style head = style_legible(scene_ink(scene, edge->head, STYLE_FULL));
        head.bold = true;
        if (edge->from == scene->look.from && edge->to == scene->look.to)
            style = style_marked(ROLE_CURSOR);
        if (head_mask_count(scene_maps(scene)) > 1)
            canvas_print(canvas, row.y, row.x, 2, head, "%2u", edge->head);
        else
            canvas_bar(canvas, row.y, row.x, 2, (int)(edge->weight * 16 + 500) / EDGE_WHOLE,
                       style_legible(scene_edge_ink(scene, edge, style_level(edge->weight))));
        caption_pair(scene, &pen, style, edge->from, edge->to, 0);
        canvas_text(canvas, row.y, row.x + row.columns - NUMBER, NUMBER, style,
                    scene_number(scene, edge).text);
        canvas_mark(canvas, row, hit_pair(edge->from, edge->to, false));
    }
    if (list.total > shown.end)
        canvas_print(canvas, rows.y + rows.rows - 1, rows.x, rows.columns, style_of(ROLE_FAINT),
                     "↓ %zu below", list.total - shown.end);
    free(list.edges);
}

/* ---- The ranking ---- */

#define ENTRY_COLUMNS 38 /* "  1 head  3.5   0.417 ██████" */

/* qsort is not stable, so the order of equal heads, as a reader would look for them, is in here. */
int ranking_compare(const void *a, const void *b)
{
    const struct ranked_head *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    return x->head < y->head ? -1 : 1;
}

/* L·A: the ranking has all heads, whichever are on. */
static size_t count_heads(const struct scene *scene)
{
    return scene->data.layers * scene->data.head_count;
}

struct ranked_head *ranking_by(const struct scene *scene, head_key *key, struct error *error)
{
    const size_t count = count_heads(scene), heads = scene->data.head_count;
    struct ranked_head *list = memory_new(count, sizeof *list, 0, "the ranking", error);
    for (size_t i = 0; i < count && list; i++)
        list[i] =
            (struct ranked_head){i / heads, i % heads, key ? key(scene, i / heads, i % heads) : 0};
    if (list)
        qsort(list, count, sizeof *list, ranking_compare);
    return list;
}

/* In thousandths; the least of all where the head can't see the token, or nothing was left of its
 * score. */
static long ranking_key(const struct scene *scene, size_t layer, size_t head)
{
    const struct look *look = &scene->look;
    const struct token_range visible = attention_visible(scene->data.attention, layer, look->from);
    const float value = attention_value(scene->data.attention, layer, head, look->from, look->to);
    return look->to < visible.first || look->to >= visible.end || !isfinite(value)
               ? LONG_MIN
               : lrint(EDGE_WHOLE * (double)value);
}

struct ranked_head *ranking_new(const struct scene *scene, struct error *error)
{
    return ranking_by(scene, ranking_key, error);
}

/* Filled column by column, so that the heaviest heads stand together at the left. */
static void ranking_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    int above = area.rows > 2 ? 2 : 0; /* the title and a blank line */
    struct area list = {area.y + above, area.x + 2, area.rows - above, area.columns - 4};
    const size_t count = count_heads(scene);
    const int columns = int_max(list.columns / ENTRY_COLUMNS, 1), most_rows = int_max(list.rows, 1);
    const int rows = most_rows - (most_rows * columns < (int)count &&
                                  most_rows > 1); /* the last says how many are below */
    const struct token_range shown =
        grid_window(count, (size_t)rows * (size_t)columns, scene->look.rank);
    int width = int_min(list.columns, ENTRY_COLUMNS);
    struct ranked_head *heads = ranking_new(scene, &canvas->error);
    const struct map_info *map = &map_infos[scene->data.map->kind];
    double most = map->absolute ? EDGE_WHOLE : 1;
    if (!heads)
        return;
    for (size_t i = 0; i < count && heads[i].key != LONG_MIN; i++)
        most = fmax(most, fabs((double)heads[i].key));
    for (size_t i = shown.first; i < shown.end; i++) {
        int place = (int)(i - shown.first);
        const struct area row = {list.y + place % rows, list.x + place / rows * ENTRY_COLUMNS, 1,
                                 width};
        /* Bars of weights share one scale from 0 to 1, not the largest: a ranking of light weights
         * must look light. What may be of any size is a share of the most there is; a sign has its
         * hue. */
        const struct ranked_head *head = &heads[i];
        const bool seen = head->key != LONG_MIN;
        const unsigned weight =
            seen ? edge_thousandths((float)(fabs((double)head->key) / most)) : 0;
        const enum role hue = !map->is_signed ? ink_head(head->head, 0).role
                              : head->key < 0 ? ROLE_NEGATIVE
                                              : ROLE_POSITIVE;
        struct pen pen = {canvas, row.y, row.x + 2, row.x + row.columns};
        struct style number = style_of(weight >= GRID_NOTABLE ? ROLE_TEXT : ROLE_FAINT),
                     name = style_legible(ink_head(head->head, STYLE_FULL));
        if (i == scene->look.rank) { /* no hue can be read on the cursor's ground: the bar has it */
            number = name = style_marked(ROLE_CURSOR);
            canvas_text(canvas, row.y, row.x, 1, style_bold(ROLE_TITLE), "▸");
        }
        pen_print(&pen, style_of(ROLE_FAINT), "%3zu ", i + 1);
        pen_print(&pen, number, "head %s%zu.", site_words[scene->data.encoded->site].mark,
                  head->layer);
        pen_print(&pen, name, "%-*zu", head->layer < 10 ? 2 : 1, head->head);
        pen_print(&pen, number, seen ? "%7s " : "  %s",
                  seen ? scene_number_of(scene, (double)head->key / EDGE_WHOLE, 6).text : UNSEEN);
        const int bar = pen.end - pen.x - 2;
        canvas_bar(canvas, row.y, pen.x + 1, bar,
                   ((int)weight * bar * 8 + EDGE_WHOLE / 2) / EDGE_WHOLE,
                   style_legible((struct ink){(uint8_t)hue, (uint8_t)style_level(weight)}));
        canvas_mark(canvas, row, hit_at(HIT_LINE, i));
    }
    free(heads);
    if (above > 0) {
        struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
        char of[32];
        pen_print(&pen, style_of(ROLE_FAINT), "heads by the %s  ", map->number);
        snprintf(of, sizeof of, "   of %zu", count);
        caption_pair(scene, &pen, style_bold(ROLE_STRONG), scene->look.from, scene->look.to,
                     (int)strlen(of));
        pen_print(&pen, style_of(ROLE_FAINT), "%s", of);
        struct pen up = {canvas, list.y - 1, list.x + 2, list.x + list.columns}, down = up;
        down.y = list.y + rows;
        if (shown.first > 0)
            pen_print(&up, style_of(ROLE_FAINT), "↑ %zu above", shown.first);
        if (shown.end < count && rows < list.rows)
            pen_print(&down, style_of(ROLE_FAINT), "↓ %zu below", count - shown.end);
    }
}

/* ---- Keys ---- */

/* Keys that the ranking doesn't handle close it, unless they change what it shows; all mean what
 * they always mean. */
static enum acted ranking_act(struct scene *scene, enum action action, struct error *error)
{
    struct look *look = &scene->look;
    int steps = action_steps(action), last = (int)count_heads(scene) - 1;
    if (steps != 0) {
        look->rank = (size_t)int_clamp((int)look->rank + steps, 0, last);
        return ACT_DONE;
    }
    if (action == ACTION_PIN) {
        struct ranked_head *heads = ranking_new(scene, error);
        if (!heads)
            return ACT_REFUSED;
        look_remember(look);
        look->rank = size_min(look->rank, (size_t)last); /* the click was on another list */
        look->layer = heads[look->rank].layer;
        look_show_alone(look, heads[look->rank].head);
        look->map = scene->data.map->kind; /* votes, of contacts */
        look->ranked = false;
        free(heads);
        return ACT_DONE;
    }
    look->ranked = action == ACTION_THEME || action == ACTION_SPECIAL || action == ACTION_WORDS;
    if (!look->ranked) /* Esc leads to what was before it */
        memmove(look->back, look->back + 1, (BACKS - 1) * sizeof *look->back);
    return action == ACTION_CLEAR || action == ACTION_RANK ? ACT_DONE : ACT_PASSED;
}

/* The first of the list, found without one: a sentence can't fail. */
static void ranking_says(const struct scene *scene, struct sentence *sentence)
{
    const struct look *look = &scene->look;
    const size_t heads = scene->data.head_count;
    long most = LONG_MIN;
    size_t best = 0;
    for (size_t i = 0; i < count_heads(scene) && scene_is_pinned(scene); i++) {
        const long key = ranking_key(scene, i / heads, i % heads);
        best = key > most ? i : best;
        most = key > most ? key : most;
    }
    if (most == LONG_MIN)
        return;
    const struct token_name from = scene_name(scene, SIDE_LEFT, look->from, sentence->ascii),
                            to = scene_name(scene, SIDE_RIGHT, look->to, sentence->ascii);
    const struct weight_text number = scene_number_of(scene, (double)most / EDGE_WHOLE, 6);
    const struct intervene_name name = data_head(&scene->data, best / heads, best % heads);
    if (scene->data.map->kind == MAP_WEIGHTS) {
        sentence_print(sentence, "Head %s links \"%s\" to \"%s\" most of all (%s)", name.text,
                       from.text, to.text, number.text);
    } else {
        sentence_print(sentence, "In head %s ", name.text);
        sentence_print_quantity(scene, sentence, from.text, to.text);
        sentence_print(sentence, " is largest (%s)", number.text);
    }
}

/* As it is on screen. */
static enum status ranking_table(const struct scene *scene, struct table *table,
                                 struct error *error)
{
    struct ranked_head *heads = ranking_new(scene, error);
    if (!heads)
        return error->status;
    table_connections(table, scene, "kind,rank,layer,head,");
    for (size_t i = 0; i < count_heads(scene); i++) {
        const size_t from = scene->look.from, to = scene->look.to;
        const size_t layer = heads[i].layer, head = heads[i].head;
        TABLE_ROW(table, CELL("rank"), CELL(i + 1), CELL(layer), CELL(head),
                  TABLE_SHOWN(scene, SIDE_LEFT, from), TABLE_SHOWN(scene, SIDE_RIGHT, to),
                  CELL(attention_value(scene->data.attention, layer, head, from, to)));
    }
    free(heads);
    return STATUS_OK;
}

const struct view ranking_view = {
    .title = "Ranking",
    .meaning = "all heads of the model, heaviest first, by the weight between two tokens",
    .mouse = "a head to see it alone",
    .heads = HEADS_ALL,
    .shown = SHOWN_HEADS | SHOWN_PIECES,
    .draw = ranking_draw,
    .act = ranking_act,
    .keys = "↑↓: choose; Enter: show alone; Esc: back",
    .table = ranking_table,
    .says = ranking_says,
};
