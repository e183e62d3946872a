/* head.c: the head view. Attending tokens on the left, attended ones on the right, a line for each
 * attention weight worth drawing. With a token chosen, its lines alone, and beside the tokens of
 * the other side a bar for each active head.
 *
 * All edges of all heads would be an unreadable carpet. So one head shows its edges from 0.05 up;
 * several, or a mean, or shading by row, the 2.5·T heaviest; both numbers scale with the look's
 * detail. A chosen token shows all its edges from 0.01 up. A threshold overrides all this. More
 * than the 200,000 heaviest are never drawn, as these fill any screen; the rest count as hidden. */
#include "headlight/view/views.h"

#include "headlight/base/size.h"
#include "headlight/draw/column.h"
#include "headlight/draw/lines.h"
#include "headlight/view/caption.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_MAX     4
#define BARS_MAX     16 /* heads that get a bar */
#define NUMBER_WIDTH 5  /* "0.417" */
#define SINGLE_BAR   8
#define LINES_LEAST  14
#define LABEL_LEAST  4
#define LINES_MOST   200000

struct layout {
    struct area tokens; /* rows of the tokens, from the left labels to the right bars */
    struct area lines;  /* between the labels */
    int label_width;
    int number_width;        /* 0: no numbers */
    int bars_width;          /* 0: no bars */
    struct column column[2]; /* by side */
};

static int left_margin(const struct layout *layout, bool bars)
{
    return 4 + (layout->number_width > 0 ? layout->number_width + 1 : 0) + layout->label_width + 1 +
           (bars ? layout->bars_width : 0);
}

static int right_margin(const struct layout *layout, bool bars)
{
    int edge = layout->number_width > 0 ? 2 : 0; /* where "A" and "B" stand */
    return 1 + layout->label_width + 2 + layout->number_width +
           (bars && layout->bars_width > 0 ? layout->bars_width : edge);
}

/* Bars stand outside the labels of the side opposite the chosen token. A wide screen keeps room for
 * them on both sides, so that nothing moves when the cursor changes sides. Where the lines would
 * get too little room, bars go first, then numbers, then the ends of labels. */
static struct layout lay_out(const struct scene *scene, const struct canvas *canvas,
                             struct area area)
{
    struct layout layout = {.tokens = area};
    enum side side;
    size_t focus = scene_focus(scene, &side);
    bool wide = area.columns >= 110;
    int heads = scene->data.head_count < BARS_MAX ? (int)scene->data.head_count : BARS_MAX;
    int single = NUMBER_WIDTH + 1 + SINGLE_BAR;
    layout.bars_width = (heads > single ? heads : single) + 2;
    layout.label_width = scene_label_width(scene, canvas, wide ? 20 : 10);
    layout.number_width = scene->look.numbers ? NUMBER_WIDTH + 1 : 0;
    bool left = wide || (focus != NO_TOKEN && side == SIDE_RIGHT);
    bool right = wide || !left;
    int room = area.columns - LINES_LEAST;
    if (left_margin(&layout, left) + right_margin(&layout, right) > room)
        layout.bars_width = 0;
    if (left_margin(&layout, left) + right_margin(&layout, right) > room)
        layout.number_width = 0;
    while (layout.label_width > LABEL_LEAST &&
           left_margin(&layout, left) + right_margin(&layout, right) > room)
        layout.label_width--;
    layout.tokens.rows = area.rows - 2;
    layout.lines = layout.tokens;
    layout.lines.x += left_margin(&layout, left);
    layout.lines.columns -= left_margin(&layout, left) + right_margin(&layout, right);
    for (side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        layout.column[side] = column_place(scene_range(scene, side), layout.tokens.rows, STEP_MAX,
                                           scene_anchor(scene, side, scene->look.side));
    return layout;
}

/* ---- Lines ---- */

/* With a pair chosen, all other lines are dimmed. */
static struct stroke stroke_of(const struct scene *scene, const struct layout *layout,
                               const struct edge *edge)
{
    struct stroke stroke = lines_stroke(scene_ink(scene, edge->head, 0), edge->shade,
                                        layout->column[SIDE_LEFT].step == 1);
    if (scene_is_pinned(scene) && (edge->from != scene->look.from || edge->to != scene->look.to))
        stroke.ink.level = (uint8_t)(stroke.ink.level / 2);
    return stroke;
}

/* Lines between the same two tokens coincide. drawn [R,C] has a bit for each density (stroke.every)
 * already drawn between two: those are heavier, and cover all dots of a lighter line that is as
 * dense, or of any if they have no gaps. */
static void draw_edge(const struct scene *scene, struct lines *lines, const struct layout *layout,
                      uint8_t *drawn, const struct edge *edge)
{
    struct stroke stroke = stroke_of(scene, layout, edge);
    uint8_t *here = &drawn[edge->from * scene_count(scene, SIDE_RIGHT) + edge->to];
    if (*here & (1 << 1 | 1 << stroke.every))
        return;
    *here |= (uint8_t)(1 << stroke.every);
    lines_curve(lines, column_row(&layout->column[SIDE_LEFT], edge->from),
                column_row(&layout->column[SIDE_RIGHT], edge->to), stroke);
}

/* Where a token is: -1 above the screen, 0 on it, 1 below it. */
static int beyond(const struct column *column, size_t token)
{
    int row = column_row(column, token);
    return row < 0 ? -1 : row >= column->rows;
}

/* How many lines go from a token on screen to one above it (-1) or below it (1). */
static size_t count_leaving(const struct layout *layout, const struct edge_list *list, int where)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        int from = beyond(&layout->column[SIDE_LEFT], list->edges[i].from);
        int to = beyond(&layout->column[SIDE_RIGHT], list->edges[i].to);
        count += (from == 0 || to == 0) && from + to == where;
    }
    return count;
}

/* "↑ 12" in the middle of the upper edge, "↓ 12" in that of the lower one. */
static void draw_leaving(struct canvas *canvas, const struct layout *layout,
                         const struct edge_list *list)
{
    size_t above = count_leaving(layout, list, -1), below = count_leaving(layout, list, 1);
    int x = layout->lines.x + layout->lines.columns / 2 - 3;
    if (above > 0)
        canvas_print(canvas, layout->lines.y, x, 12, style_bold(ROLE_TITLE), " ↑ %zu ", above);
    if (below > 0)
        canvas_print(canvas, layout->lines.y + layout->lines.rows - 1, x, 12,
                     style_bold(ROLE_TITLE), " ↓ %zu ", below);
}

/* The chosen pair first, then heavy to light: the first line to cross a cell owns it. */
static enum status draw_lines(const struct scene *scene, struct canvas *canvas,
                              const struct layout *layout, const struct edge_list *list,
                              struct error *error)
{
    size_t pairs = scene_count(scene, SIDE_LEFT) * scene_count(scene, SIDE_RIGHT);
    struct lines *lines = lines_new(layout->lines.rows, layout->lines.columns);
    uint8_t *drawn = calloc(pairs + 1, sizeof *drawn);
    bool enough = lines && drawn;
    for (size_t i = enough && scene_is_pinned(scene) ? list->count : 0; i-- > 0;)
        if (list->edges[i].from == scene->look.from && list->edges[i].to == scene->look.to)
            draw_edge(scene, lines, layout, drawn, &list->edges[i]);
    for (size_t i = enough ? list->count : 0; i-- > 0;)
        draw_edge(scene, lines, layout, drawn, &list->edges[i]);
    if (enough)
        lines_finish(lines, canvas, layout->lines.y, layout->lines.x);
    draw_leaving(canvas, layout, list);
    lines_free(lines);
    free(drawn);
    return enough ? STATUS_OK : error_memory(error, "the lines", pairs);
}

/* ---- Tokens ---- */

/* The heaviest weight, in thousandths, between the chosen token and another one. */
static unsigned heaviest(const struct scene *scene, enum side side, size_t focus, size_t token)
{
    struct edge edge = {0};
    struct edge_query query = scene_edges(scene);
    query.from.first = side == SIDE_LEFT ? focus : token;
    query.to.first = side == SIDE_LEFT ? token : focus;
    query.from.end = query.from.first + 1;
    query.to.end = query.to.first + 1;
    return edges_strongest(&query, &edge) ? edge.weight : 0;
}

/* Labels neither chosen nor found are faint where they don't matter to the chosen token. */
static struct style label_style(const struct scene *scene, enum side side, size_t token)
{
    enum side focus_side;
    size_t focus = scene_focus(scene, &focus_side);
    bool faint =
        focus != NO_TOKEN && (side == focus_side || heaviest(scene, focus_side, focus, token) < 50);
    return scene_label_style(scene, side, token, faint ? ROLE_FAINT : ROLE_TEXT);
}

static void draw_label(const struct scene *scene, struct canvas *canvas,
                       const struct layout *layout, enum side side, size_t token)
{
    int y = layout->tokens.y + column_row(&layout->column[side], token);
    struct style style = label_style(scene, side, token);
    int end = layout->lines.x - 1, x = layout->lines.x + layout->lines.columns + 1;
    bool here = scene->look.side == side && token == scene_token(scene, side);
    canvas_mark(
        canvas,
        (struct area){y, side == SIDE_LEFT ? end - layout->label_width : x, 1, layout->label_width},
        side == SIDE_LEFT ? HIT_FROM : HIT_TO, token);
    if (side == SIDE_LEFT) {
        x = canvas_text_right(canvas, y, end, layout->label_width, style,
                              scene_label(scene, side, token));
        if (here)
            canvas_text(canvas, y, x - 2, 1, style_bold(ROLE_TITLE), "▸");
    } else {
        end = x + canvas_text(canvas, y, x, layout->label_width, style,
                              scene_label(scene, side, token));
        if (here)
            canvas_text(canvas, y, end + 1, 1, style_bold(ROLE_TITLE), "◂");
    }
}

/* A token's heaviest weight, in the hue of its head. */
static void draw_number(const struct scene *scene, struct canvas *canvas,
                        const struct layout *layout, enum side side, size_t token)
{
    struct edge edge;
    struct edge_query query = scene_edges(scene);
    struct token_range *mine = side == SIDE_LEFT ? &query.from : &query.to;
    int y = layout->tokens.y + column_row(&layout->column[side], token);
    int x = side == SIDE_LEFT ? layout->lines.x - layout->label_width - 4 - NUMBER_WIDTH
                              : layout->lines.x + layout->lines.columns + layout->label_width + 4;
    if (token < mine->first || token >= mine->end)
        return;
    *mine = (struct token_range){token, token + 1};
    if (!edges_strongest(&query, &edge))
        return;
    struct style style = {.fore = scene_ink(scene, edge.head, edge.weight >= 50 ? STYLE_FULL : 7)};
    canvas_text(canvas, y, x, NUMBER_WIDTH, style, number_weight(edge.weight).text);
}

/* One head: the number and a long bar. Several: a cell each, in the head's hue. */
static void draw_bars(const struct scene *scene, struct canvas *canvas, const struct layout *layout,
                      enum side side, size_t focus, size_t token)
{
    enum side other = side_other(side);
    int y = layout->tokens.y + column_row(&layout->column[other], token);
    int beside = layout->label_width + layout->number_width + 4;
    int x = side == SIDE_LEFT ? layout->lines.x + layout->lines.columns + beside
                              : layout->lines.x - beside - layout->bars_width + 2;
    size_t from = side == SIDE_LEFT ? focus : token, to = side == SIDE_LEFT ? token : focus;
    uint64_t maps = scene_maps(scene);
    bool single = head_mask_count(maps) == 1;
    for (size_t head = 0, drawn = 0; head < scene->data.head_count && drawn < BARS_MAX; head++) {
        if (!head_mask_has(maps, head))
            continue;
        unsigned weight = edge_thousandths(scene_weight(scene, head, from, to));
        struct style style = {.fore = scene_ink(scene, head, lines_level(weight))};
        int columns = single ? SINGLE_BAR : 1;
        int eighths = ((int)weight * columns * 8 + EDGE_WHOLE / 2) / EDGE_WHOLE;
        if (single)
            canvas_text(canvas, y, x, NUMBER_WIDTH, style_of(weight >= 50 ? ROLE_TEXT : ROLE_FAINT),
                        number_weight(weight).text);
        canvas_bar(canvas, y, x + (single ? NUMBER_WIDTH + 1 : (int)drawn), columns,
                   eighths == 0 && weight >= 30 ? 1 : eighths, style);
        drawn++;
    }
}

/* "A" and "B" beside the first token of each sentence. */
static void draw_sentences(const struct scene *scene, struct canvas *canvas,
                           const struct layout *layout, enum side side)
{
    const size_t first[] = {0, scene_boundary(scene, side)};
    int x =
        side == SIDE_LEFT ? layout->tokens.x + 1 : layout->tokens.x + layout->tokens.columns - 2;
    for (int i = first[1] == 0; i < 2 && scene_is_pair(scene); i++)
        if (column_shows(&layout->column[side], first[i]))
            canvas_text(canvas, layout->tokens.y + column_row(&layout->column[side], first[i]), x,
                        1, style_bold(ROLE_FAINT), i == 0 ? "A" : "B");
}

/* Arrows where tokens lie above or below the screen. */
static void draw_more(struct canvas *canvas, const struct layout *layout, enum side side)
{
    const struct column *column = &layout->column[side];
    int x = side == SIDE_LEFT ? layout->lines.x - 1 : layout->lines.x + layout->lines.columns;
    if (column->scroll > 0)
        canvas_text(canvas, layout->tokens.y, x, 1, style_of(ROLE_TITLE), "↑");
    if (column_row(column, column->range.end - 1) >= column->rows)
        canvas_text(canvas, layout->tokens.y + column->rows - 1, x, 1, style_of(ROLE_TITLE), "↓");
}

static void draw_side(const struct scene *scene, struct canvas *canvas, const struct layout *layout,
                      enum side side)
{
    enum side focus_side;
    size_t focus = scene_focus(scene, &focus_side);
    const struct column *column = &layout->column[side];
    struct token_range shown = column_window(column);
    for (size_t token = shown.first; token < shown.end; token++) {
        draw_label(scene, canvas, layout, side, token);
        if (layout->number_width > 0)
            draw_number(scene, canvas, layout, side, token);
        if (focus != NO_TOKEN && side != focus_side && layout->bars_width > 0)
            draw_bars(scene, canvas, layout, focus_side, focus, token);
    }
    draw_sentences(scene, canvas, layout, side);
    draw_more(canvas, layout, side);
}

/* ---- The line of numbers ---- */

/* The weights of the same pair in the other active heads, as far as there is room. */
static void print_other_heads(const struct scene *scene, struct pen *pen, const struct edge *edge)
{
    for (size_t head = 0; head < scene->data.head_count && pen->x + 12 < pen->end; head++) {
        if (head == edge->head || !head_mask_has(scene->look.heads, head))
            continue;
        unsigned weight = edge_thousandths(scene_weight(scene, head, edge->from, edge->to));
        pen_print(pen, style_of(ROLE_FAINT), "  ");
        pen_print(pen, (struct style){.fore = ink_head(head, STYLE_FULL)}, "%zu", head);
        pen_print(pen, style_of(ROLE_FAINT), " %s", number_weight(weight).text);
    }
}

/* How many lines are drawn and how many hidden, at the right end; where room is short, only how
 * many are hidden. Returns where it begins. */
static int draw_count(const struct scene *scene, struct canvas *canvas, const struct pen *pen,
                      const struct edge_list *list)
{
    char long_text[96], text[32];
    snprintf(text, sizeof text, "%zu hidden", list->total - list->count);
    if (scene->look.threshold > 0)
        snprintf(long_text, sizeof long_text, "%zu lines from %s, %s", list->count,
                 number_weight(scene->look.threshold).text, text);
    else
        snprintf(long_text, sizeof long_text, "%zu lines, %s", list->count, text);
    int room = pen->end - pen->x - 2;
    const char *shown = (int)strlen(long_text) <= room ? long_text : text;
    if ((int)strlen(shown) > room)
        return pen->end;
    return canvas_text_right(canvas, pen->y, pen->end, room, style_of(ROLE_FAINT), shown);
}

static void draw_numbers(const struct scene *scene, struct canvas *canvas, struct area area,
                         const struct edge_list *list)
{
    struct edge edge;
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    bool found = scene_current_edge(scene, &edge);
    if (found)
        caption_edge(scene, &pen, &edge);
    else
        caption_nothing(scene, &pen);
    pen.end = draw_count(scene, canvas, &pen, list) - 2;
    if (!found)
        return;
    pen.x += 3;
    caption_place(scene, &pen, edge.head);
    if (scene_is_pinned(scene) && !scene->data.mean)
        print_other_heads(scene, &pen, &edge);
}

static enum status draw(const struct scene *scene, struct canvas *canvas, struct area area,
                        struct error *error)
{
    struct layout layout = lay_out(scene, canvas, area);
    struct edge_query query = scene_edges(scene);
    struct edge_limits limits = scene_limits(scene);
    struct edge_list list;
    limits.count = size_min(limits.count, LINES_MOST);
    if (edges_select(&query, &limits, &list, error) != STATUS_OK)
        return error->status;
    enum status status = draw_lines(scene, canvas, &layout, &list, error);
    draw_side(scene, canvas, &layout, SIDE_LEFT);
    draw_side(scene, canvas, &layout, SIDE_RIGHT);
    draw_numbers(scene, canvas, area, &list);
    free(list.edges);
    return status;
}

static const struct hint *hints(const struct scene *scene)
{
    static const struct hint none[] = {{"↑↓", "token"}, {"Enter", "choose"}, {"←→", "layer"},
                                       {"0-9", "head"}, {"e", "edit"},       {NULL, NULL}};
    static const struct hint one[] = {{"↑↓", "token"}, {"Enter", "pin"}, {"←→", "layer"},
                                      {"0-9", "head"}, {"e", "edit"},    {NULL, NULL}};
    static const struct hint pinned[] = {{"↑↓", "other token"},
                                         {"Enter", "unpin"},
                                         {"r", "which heads"},
                                         {"←→", "layer"},
                                         {NULL, NULL}};
    return scene_is_pinned(scene)                             ? pinned
           : scene_token(scene, scene->look.side) != NO_TOKEN ? one
                                                              : none;
}

const struct view head_view = {
    .title = "Head",
    .meaning = "left: who attends · right: to what · colour: head · thicker, brighter: more",
    .mouse = "a token, one opposite",
    .heads = HEADS_CHOSEN,
    .shown = SHOWN_HEADS | SHOWN_LINES | SHOWN_TONE | SHOWN_NUMBERS | SHOWN_MEAN | SHOWN_PIECES,
    .draw = draw,
    .hints = hints,
};
