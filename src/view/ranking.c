/* ranking.c: all heads of the model, listed by the weight between the two chosen tokens. It takes
 * the place of whatever view is chosen, so it is a view without a name of its own. */
#include "headlight/view/views.h"

#include "headlight/base/size.h"
#include "headlight/view/caption.h"
#include "headlight/view/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_COLUMNS 38 /* "  1 layer 3 head 5  0.417 ██████" */

static int ranking_by_key(const void *a, const void *b)
{
    const struct ranked_head *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    return x->head < y->head ? -1 : 1;
}

void ranking_sort(struct ranked_head *heads, size_t count)
{
    qsort(heads, count, sizeof *heads, ranking_by_key);
}

/* `room` [C] is for one row of weights. */
static void weigh_heads(const struct scene *scene, struct ranked_head *heads, float *room)
{
    const struct token_range row = {scene->look.from, scene->look.from + 1};
    for (size_t i = 0; i < scene->data.layers * scene->data.head_count; i++) {
        size_t layer = i / scene->data.head_count, head = i % scene->data.head_count;
        const float *weights = attention_rows(scene->data.attention, layer, head, row, room);
        heads[i] = (struct ranked_head){layer, head, edge_thousandths(weights[scene->look.to])};
    }
}

struct ranked_head *ranking_new(const struct scene *scene)
{
    size_t count = scene->data.layers * scene->data.head_count;
    if (!scene_is_pinned(scene))
        return NULL;
    struct ranked_head *heads = malloc(count * sizeof *heads);
    float *room = malloc(scene_count(scene, SIDE_RIGHT) * sizeof *room);
    if (heads && room) {
        weigh_heads(scene, heads, room);
        ranking_sort(heads, count);
    } else {
        free(heads);
        heads = NULL;
    }
    free(room);
    return heads;
}

/* The entries on screen: from top to bottom, then in the next column. */
struct page {
    size_t first, count, below;
    int rows, columns;
};

static struct page page_of(const struct scene *scene, struct area area)
{
    struct page page = {.rows = area.rows > 0 ? area.rows : 1};
    size_t all = scene->data.layers * scene->data.head_count;
    page.columns = area.columns / ENTRY_COLUMNS > 0 ? area.columns / ENTRY_COLUMNS : 1;
    if ((size_t)page.rows * (size_t)page.columns < all && page.rows > 1)
        page.rows--; /* the last says how many are below */
    struct token_range shown =
        grid_window(all, (size_t)page.rows * (size_t)page.columns, scene->look.rank);
    page.first = shown.first;
    page.count = shown.end - shown.first;
    page.below = all - shown.end;
    return page;
}

static void draw_entry(const struct scene *scene, struct canvas *canvas, struct area row,
                       size_t rank, const struct ranked_head *head)
{
    int y = row.y, x = row.x;
    bool here = rank == scene->look.rank;
    const unsigned weight = (unsigned)head->key;
    struct pen pen = {canvas, y, x + 2, x + row.columns};
    struct style number = style_of(weight >= 50 ? ROLE_TEXT : ROLE_FAINT);
    struct style name = style_legible(ink_head(head->head, STYLE_FULL));
    if (here) { /* no hue can be read on the cursor's ground: the bar has it, too */
        number = style_bold(ROLE_STRONG);
        number.back = ink_full(ROLE_CURSOR);
        name = number;
        canvas_text(canvas, y, x, 1, style_bold(ROLE_TITLE), "▸");
    }
    pen_print(&pen, style_of(ROLE_FAINT), "%3zu ", rank + 1);
    pen_print(&pen, number, "layer %2zu head ", head->layer);
    pen_print(&pen, name, "%-2zu", head->head);
    pen_print(&pen, number, "  %s ", number_weight(weight).text);
    int columns = pen.end - pen.x - 2;
    int eighths = ((int)weight * columns * 8 + EDGE_WHOLE / 2) / EDGE_WHOLE;
    canvas_bar(canvas, y, pen.x + 1, columns, eighths,
               style_legible(ink_head(head->head, style_level(weight))));
    canvas_mark(canvas, row, HIT_RANK, rank);
}

static void ranking_draw_title(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
    char count[32];
    pen_print(&pen, style_of(ROLE_FAINT), "heads by the weight  ");
    snprintf(count, sizeof count, "   of %zu", scene->data.layers * scene->data.head_count);
    caption_pair(scene, &pen, style_bold(ROLE_STRONG), scene->look.from, scene->look.to,
                 (int)strlen(count));
    pen_print(&pen, style_of(ROLE_FAINT), "%s", count);
}

/* How many are above the list, in the blank line there, and below it. */
static void ranking_draw_outside(struct canvas *canvas, struct area list, const struct page *page)
{
    int columns = list.columns - 2, below = list.y + page->rows;
    if (page->first > 0)
        canvas_print(canvas, list.y - 1, list.x + 2, columns, style_of(ROLE_FAINT), "↑ %zu above",
                     page->first);
    if (page->below > 0 && below < list.y + list.rows)
        canvas_print(canvas, below, list.x + 2, columns, style_of(ROLE_FAINT), "↓ %zu below",
                     page->below);
}

static enum status ranking_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                                struct error *error)
{
    int above = area.rows > 2 ? 2 : 0; /* the title and a blank line */
    struct area list = {area.y + above, area.x + 2, area.rows - above, area.columns - 4};
    struct page page = page_of(scene, list);
    int width = list.columns < ENTRY_COLUMNS ? list.columns : ENTRY_COLUMNS;
    struct ranked_head *heads = ranking_new(scene);
    if (!heads)
        return error_memory(error, "the ranking", scene->data.layers * scene->data.head_count);
    if (above > 0)
        ranking_draw_title(scene, canvas, area);
    for (size_t i = 0; i < page.count; i++) {
        struct area row = {list.y + (int)i % page.rows, list.x + (int)i / page.rows * ENTRY_COLUMNS,
                           1, width};
        draw_entry(scene, canvas, row, page.first + i, &heads[page.first + i]);
    }
    free(heads);
    if (above > 0)
        ranking_draw_outside(canvas, list, &page);
    return STATUS_OK;
}

/* ---- Keys and clicks ---- */

static const char *ranking_hints(const struct scene *scene)
{
    (void)scene;
    return "↑↓: choose; Enter: show alone; Esc: back";
}

static enum acted go_to(struct scene *scene, struct error *error)
{
    struct look *look = &scene->look;
    struct ranked_head *heads = ranking_new(scene);
    if (!heads) {
        error_memory(error, "the ranking",
                     scene->data.layers * scene->data.head_count * sizeof *heads);
        return ACT_REFUSED;
    }
    look->layer = heads[look->rank].layer;
    look_show_alone(look, heads[look->rank].head);
    free(heads);
    look->ranked = false;
    return ACT_DONE;
}

static enum acted ranking_move(struct scene *scene, size_t rank)
{
    scene->look.rank = rank;
    return ACT_DONE;
}

/* Keys that the ranking doesn't handle close it, unless they change what it shows; all mean what
 * they always mean. */
static enum acted ranking_act(struct scene *scene, enum action action, struct error *error)
{
    size_t rank = scene->look.rank, last = scene->data.layers * scene->data.head_count - 1;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        return ranking_move(scene, rank - (rank > 0));
    case ACTION_TOKEN_NEXT:
        return ranking_move(scene, rank + (rank < last));
    case ACTION_PAGE_UP:
        return ranking_move(scene, rank - size_min(rank, SCENE_PAGE));
    case ACTION_PAGE_DOWN:
        return ranking_move(scene, size_min(rank + SCENE_PAGE, last));
    case ACTION_TOKEN_FIRST:
    case ACTION_TOKEN_LAST:
        return ranking_move(scene, action == ACTION_TOKEN_LAST ? last : 0);
    case ACTION_PIN:
        return go_to(scene, error);
    case ACTION_CLEAR:
    case ACTION_RANK:
        scene->look.ranked = false;
        return ACT_DONE;
    case ACTION_THEME:
    case ACTION_SPECIAL:
    case ACTION_WORDS:
        return ACT_PASSED;
    default:
        scene->look.ranked = false;
        return ACT_PASSED;
    }
}

static enum action ranking_click(struct scene *scene, struct hit hit)
{
    if (hit.kind != HIT_RANK || hit.value >= scene->data.layers * scene->data.head_count)
        return ACTION_COUNT;
    scene->look.rank = hit.value;
    return ACTION_PIN;
}

const struct view ranking_view = {
    .title = "Ranking",
    .meaning = "all heads of the model, heaviest first, by the weight between two tokens",
    .mouse = "a head to see it alone",
    .heads = HEADS_ALL,
    .shown = SHOWN_HEADS | SHOWN_PIECES,
    .own_list = true,
    .draw = ranking_draw,
    .act = ranking_act,
    .click = ranking_click,
    .hints = ranking_hints,
};
