/* head.c: the head view. Attending tokens on the left, attended ones on the right, a line for each
 * pair of them worth drawing, in the hue of its heaviest head. With a token chosen, its lines
 * alone, and beside the tokens of the other side a chip for each active head.
 *
 * All pairs would be an unreadable carpet: the 2.5·T heaviest are drawn, of one head the 1.5·T
 * heaviest from 0.05 up, of a chosen token the 16 heaviest from 0.01 up; these numbers scale with
 * the look's detail. Besides, every attending token has its heaviest line, and a chosen pair its
 * own. A threshold overrides all this. When presented, a head has fewer lines, and thicker ones
 * (scene.c). More than the 200,000 heaviest are never drawn, as these fill any screen; the rest
 * count as hidden. */
#include "headlight/view/views.h"

#include "headlight/base/size.h"
#include "headlight/draw/column.h"
#include "headlight/draw/strokes.h"
#include "headlight/lens/pairs.h"
#include "headlight/view/head_legend.h"

#include <stdlib.h>

#define STEP_MAX     4
#define STEP_SEEN    12 /* when presented */
#define CHIPS_MAX    16 /* heads that get a chip */
#define CHIP_WIDTH   2
#define CHIP_LEAST   10 /* thousandths */
#define CHIP_NUMBER  100
#define NUMBER_WIDTH 5 /* "0.417" */
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
    struct edge named;       /* the headline's, */
    bool naming;             /* if there is one */
};

/* One head: a number and a long bar. Several: a chip each. */
static int bars_columns(const struct scene *scene)
{
    int heads = (int)head_mask_count(scene_maps(scene));
    if (heads == 1)
        return NUMBER_WIDTH + 1 + SINGLE_BAR;
    return CHIP_WIDTH * (heads < CHIPS_MAX ? heads : CHIPS_MAX);
}

static int left_margin(const struct layout *layout, bool bars)
{
    return 4 + (layout->number_width > 0 ? layout->number_width + 1 : 0) + layout->label_width + 1 +
           (bars ? layout->bars_width : 0);
}

static int right_margin(const struct layout *layout, bool bars)
{
    int edge = layout->number_width > 0 ? 3 : 2; /* where "A" and "B" stand */
    return 1 + layout->label_width + 2 + layout->number_width + edge +
           (bars ? layout->bars_width : 0);
}

/* Chips stand outside the labels of the side opposite the chosen token. Where the lines would get
 * too little room, chips go first, then numbers, then the ends of labels. The first row is the
 * legend's, the last one the numbers'. */
static struct layout head_lay_out(const struct scene *scene, const struct canvas *canvas,
                                  struct area area)
{
    struct layout layout = {.tokens = area};
    enum side side;
    size_t focus = scene_focus(scene, &side);
    bool wide = area.columns >= 110;
    bool seen = scene->look.presented;
    layout.bars_width = focus != NO_TOKEN && !seen ? bars_columns(scene) + 2 : 0;
    layout.label_width = scene_label_width(scene, canvas, wide ? 20 : 10);
    layout.number_width = scene->look.numbers && !seen ? NUMBER_WIDTH + 1 : 0;
    bool left = focus != NO_TOKEN && side == SIDE_RIGHT;
    int room = area.columns - LINES_LEAST;
    if (left_margin(&layout, left) + right_margin(&layout, !left) > room)
        layout.bars_width = 0;
    if (left_margin(&layout, left) + right_margin(&layout, !left) > room)
        layout.number_width = 0;
    while (layout.label_width > LABEL_LEAST &&
           left_margin(&layout, left) + right_margin(&layout, !left) > room)
        layout.label_width--;
    layout.tokens.y += !seen;
    layout.tokens.rows -= seen ? head_headline_rows(canvas, area) : 3;
    layout.lines = layout.tokens;
    layout.lines.x += left_margin(&layout, left);
    layout.lines.columns -= left_margin(&layout, left) + right_margin(&layout, !left);
    for (side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        layout.column[side] =
            column_centre(scene_range(scene, side), scene_boundary(scene, side), layout.tokens.rows,
                          seen ? STEP_SEEN : STEP_MAX, scene_anchor(scene, side, scene->look.side));
    layout.naming = seen && scene_current_edge(scene, &layout.named);
    return layout;
}

/* ---- Lines ---- */

static bool is_chosen(const struct scene *scene, const struct edge *edge)
{
    return scene_is_pinned(scene) && edge->from == scene->look.from && edge->to == scene->look.to;
}

/* Widths in rows. Many lines must stay apart where they meet; those of a chosen token need not, nor
 * one head's where there are rows between the tokens (step > 1). */
#define THIN       0.08F
#define THIN_MORE  0.17F
#define WIDE       0.06F
#define WIDE_MORE  0.44F
#define SEEN       0.4F /* from afar, and more where there are rows between the tokens */
#define SEEN_MORE  0.15F
#define SEEN_STEP  0.4F
#define SEEN_STEPS 3
#define SEEN_LEVEL 8 /* the least */

static float head_line_width(const struct scene *scene, const struct layout *layout, float share)
{
    enum side side;
    int step = layout->column[SIDE_LEFT].step;
    bool roomy = head_mask_count(scene_maps(scene)) == 1 && step > 1;
    if (scene->look.presented)
        return SEEN + share * (SEEN_MORE +
                               SEEN_STEP * (float)((step < SEEN_STEPS ? step : SEEN_STEPS) - 1));
    if (roomy || scene_focus(scene, &side) != NO_TOKEN)
        return WIDE + WIDE_MORE * share;
    return THIN + THIN_MORE * share;
}

/* A share of the heaviest line on screen says how wide and how bright a line is. With a pair
 * chosen, all others are faint. */
static struct stroke head_stroke(const struct scene *scene, const struct layout *layout,
                                 const struct edge *edge, unsigned heaviest)
{
    bool aside = scene_is_pinned(scene) && !is_chosen(scene, edge);
    float share = aside ? 0 : (float)edge->shade / (float)heaviest;
    float least = scene->look.presented ? SEEN_LEVEL : 0;
    return (struct stroke){
        .from = (float)column_row(&layout->column[SIDE_LEFT], edge->from) + 0.5F,
        .to = (float)column_row(&layout->column[SIDE_RIGHT], edge->to) + 0.5F,
        .width = head_line_width(scene, layout, share),
        .ink = scene_weight_ink(scene, edge->head, edge->from, edge->to,
                                (unsigned)(least + share * ((float)STYLE_FULL - least) + 0.5F)),
    };
}

/* Light to heavy, the chosen pair last: it lies above the others. */
static size_t make_strokes(const struct scene *scene, const struct layout *layout,
                           const struct pair_list *list, struct stroke *strokes)
{
    size_t count = 0;
    unsigned heaviest = head_legend_heaviest(list);
    for (int chosen = 0; chosen < 2; chosen++)
        for (size_t i = 0; i < list->count; i++)
            if (is_chosen(scene, &list->edges[i]) == (chosen == 1))
                strokes[count++] = head_stroke(scene, layout, &list->edges[i], heaviest);
    return count;
}

/* A click on a line chooses its pair. Where there are very many, only the heaviest can be hit. */
#define LINES_HIT 1000

static void mark_line(const struct scene *scene, struct canvas *canvas, struct area area,
                      const struct stroke *stroke, const struct edge *edge)
{
    size_t pair = edge->from * scene_count(scene, SIDE_RIGHT) + edge->to;
    double rise = (double)stroke->to - (double)stroke->from;
    for (int x = 0; x < area.columns; x++) {
        double y = (double)stroke->from + rise * stroke_risen((x + 0.5) / area.columns);
        if (y >= 0 && y < area.rows)
            canvas_mark(canvas, (struct area){area.y + (int)y, area.x + x, 1, 1}, HIT_PAIR, pair);
    }
}

static void mark_lines(const struct scene *scene, struct canvas *canvas,
                       const struct layout *layout, const struct pair_list *list)
{
    size_t first = list->count > LINES_HIT ? list->count - LINES_HIT : 0;
    for (size_t i = first; i < list->count; i++) {
        struct stroke stroke = head_stroke(scene, layout, &list->edges[i], EDGE_WHOLE);
        mark_line(scene, canvas, layout->lines, &stroke, &list->edges[i]);
    }
}

static enum status head_draw_lines(const struct scene *scene, struct canvas *canvas,
                                   const struct layout *layout, const struct pair_list *list,
                                   struct error *error)
{
    struct stroke *strokes = malloc((list->count + 1) * sizeof *strokes);
    if (!strokes)
        return error_memory(error, "the lines", list->count * sizeof *strokes);
    size_t count = make_strokes(scene, layout, list, strokes);
    enum status status = (scene->look.presented ? smooth_draw : strokes_draw)(
        canvas, layout->lines, strokes, count, error);
    mark_lines(scene, canvas, layout, list);
    if (!scene->look.presented)
        head_legend_leaving(canvas, layout->lines, layout->column, list);
    free(strokes);
    return status;
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

/* Labels neither chosen nor found are faint where they don't matter to the chosen token. The pair
 * that the headline names has its hue. */
static struct style head_label_style(const struct scene *scene, const struct layout *layout,
                                     enum side side, size_t token)
{
    enum side focus_side;
    const struct edge *named = &layout->named;
    size_t focus = scene_focus(scene, &focus_side);
    bool faint =
        focus != NO_TOKEN && (side == focus_side || heaviest(scene, focus_side, focus, token) < 50);
    struct style style = scene_label_style(scene, side, token, faint ? ROLE_FAINT : ROLE_TEXT);
    bool naming = layout->naming && token == (side == SIDE_LEFT ? named->from : named->to);
    if (naming && token != scene_token(scene, side)) {
        style.fore = scene_weight_ink(scene, named->head, named->from, named->to, STYLE_FULL);
        style.bold = true;
    }
    return style;
}

static void head_draw_label(const struct scene *scene, struct canvas *canvas,
                            const struct layout *layout, enum side side, size_t token)
{
    int y = layout->tokens.y + column_row(&layout->column[side], token);
    struct style style = head_label_style(scene, layout, side, token);
    int end = layout->lines.x - 1, x = layout->lines.x + layout->lines.columns + 1;
    bool here = scene->look.side == side && token == scene_token(scene, side);
    canvas_mark(
        canvas,
        (struct area){y, side == SIDE_LEFT ? end - layout->label_width : x, 1, layout->label_width},
        side == SIDE_LEFT ? HIT_FROM : HIT_TO, token);
    if (side == SIDE_LEFT) {
        x = canvas_text_right(canvas, y, end, layout->label_width, style,
                              scene_drawn(scene, side, token).text);
        if (here)
            canvas_text(canvas, y, x - 2, 1, style_bold(ROLE_TITLE), "▸");
    } else {
        end = x + canvas_text(canvas, y, x, layout->label_width, style,
                              scene_drawn(scene, side, token).text);
        if (here)
            canvas_text(canvas, y, end + 1, 1, style_bold(ROLE_TITLE), "◂");
    }
}

/* A token's heaviest weight, in the hue of its head. */
static void head_draw_number(const struct scene *scene, struct canvas *canvas,
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
    struct style style = style_legible(
        scene_weight_ink(scene, edge.head, edge.from, edge.to, edge.weight >= 50 ? STYLE_FULL : 7));
    canvas_text(canvas, y, x, NUMBER_WIDTH, style, scene_number(scene, &edge).text);
}

/* The number and a long bar of the only head. */
static void draw_bar(const struct scene *scene, struct canvas *canvas, int y, int x,
                     const struct edge *edge)
{
    unsigned weight = edge->weight;
    int eighths = ((int)weight * SINGLE_BAR * 8 + EDGE_WHOLE / 2) / EDGE_WHOLE;
    canvas_text(canvas, y, x, NUMBER_WIDTH, style_of(weight >= 50 ? ROLE_TEXT : ROLE_FAINT),
                scene_number(scene, edge).text);
    struct ink ink = scene_weight_ink(scene, edge->head, edge->from, edge->to, style_level(weight));
    canvas_bar(canvas, y, x + NUMBER_WIDTH + 1, SINGLE_BAR,
               eighths == 0 && weight >= 30 ? 1 : eighths, style_legible(ink));
}

/* The weight shades the chip's background; the heaviest of a token also has it in hundredths. */
static void draw_chip(const struct scene *scene, struct canvas *canvas, int y, int x,
                      const struct edge *edge, bool heaviest)
{
    struct style style = style_of(ROLE_READABLE);
    unsigned weight = edge->weight;
    unsigned hundredths = scene_hundredths(scene_weight(scene, edge->head, edge->from, edge->to));
    if (weight < CHIP_LEAST)
        return;
    style.back = scene_weight_ink(scene, edge->head, edge->from, edge->to, style_level(weight));
    if (heaviest && weight >= CHIP_NUMBER)
        canvas_print(canvas, y, x, CHIP_WIDTH, style, "%2u", hundredths < 99 ? hundredths : 99);
    else
        canvas_text(canvas, y, x, CHIP_WIDTH, style, "  ");
}

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
    unsigned most = heaviest(scene, side, focus, token);
    bool single = head_mask_count(maps) == 1, numbered = false;
    for (size_t head = 0, drawn = 0; head < scene->data.head_count && drawn < CHIPS_MAX; head++) {
        if (!head_mask_has(maps, head))
            continue;
        unsigned weight = edge_thousandths(scene_weight(scene, head, from, to));
        struct edge edge = {.head = (uint16_t)head,
                            .from = (uint32_t)from,
                            .to = (uint32_t)to,
                            .weight = (uint16_t)weight};
        if (single)
            draw_bar(scene, canvas, y, x, &edge);
        else
            draw_chip(scene, canvas, y, x + CHIP_WIDTH * (int)drawn, &edge,
                      weight == most && !numbered);
        numbered |= weight == most;
        drawn++;
    }
}

/* "A" and "B" beside the first token of each sentence. */
static void head_draw_sentences(const struct scene *scene, struct canvas *canvas,
                                const struct layout *layout, enum side side)
{
    const size_t first[] = {0, scene_boundary(scene, side)};
    int x =
        side == SIDE_LEFT ? layout->tokens.x + 1 : layout->tokens.x + layout->tokens.columns - 2;
    bool shown = scene_is_pair(scene) && !scene->look.presented;
    for (int i = first[1] == 0; i < 2 && shown; i++)
        if (column_shows(&layout->column[side], first[i]))
            canvas_text(canvas, layout->tokens.y + column_row(&layout->column[side], first[i]), x,
                        1, style_bold(ROLE_FAINT), i == 0 ? "A" : "B");
}

/* Arrows where tokens lie above or below the screen. */
static void head_draw_more(struct canvas *canvas, const struct layout *layout, enum side side)
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
        head_draw_label(scene, canvas, layout, side, token);
        if (layout->number_width > 0)
            head_draw_number(scene, canvas, layout, side, token);
        if (focus != NO_TOKEN && side != focus_side && layout->bars_width > 0)
            draw_bars(scene, canvas, layout, focus_side, focus, token);
    }
    head_draw_sentences(scene, canvas, layout, side);
    head_draw_more(canvas, layout, side);
}

/* ---- The view ---- */

static enum status select_pairs(const struct scene *scene, struct pair_list *list,
                                struct error *error)
{
    struct edge_query query = scene_edges(scene);
    struct pair_limits limits = scene_limits(scene);
    limits.edges.count = size_min(limits.edges.count, LINES_MOST);
    return pairs_select(&query, &limits, list, error);
}

static enum status head_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                             struct error *error)
{
    struct layout layout = head_lay_out(scene, canvas, area);
    struct pair_list list;
    if (select_pairs(scene, &list, error) != STATUS_OK)
        return error->status;
    enum status status = head_draw_lines(scene, canvas, &layout, &list, error);
    draw_side(scene, canvas, &layout, SIDE_LEFT);
    draw_side(scene, canvas, &layout, SIDE_RIGHT);
    if (scene->look.presented) {
        head_headline_draw(scene, canvas, area);
    } else {
        head_legend_draw(scene, canvas, area, &list);
        head_legend_numbers(scene, canvas, area, &list);
    }
    free(list.edges);
    return status;
}

static const char *head_hints(const struct scene *scene)
{
    if (scene_is_pinned(scene))
        return "↑↓: other token; Enter: unpin; r: which heads; ←→: layer";
    return scene_token(scene, scene->look.side) != NO_TOKEN
               ? "↑↓: token; Enter: pin; ←→: layer; 0-9: head; e: edit"
               : "↑↓: token; Enter: choose; ←→: layer; 0-9: head; e: edit";
}

const struct view head_view = {
    .title = "Head",
    .about = "attention as lines, from each token to those that it attends to",
    .meaning = HEAD_ATTENDING " · " HEAD_ATTENDED " · " HEAD_HUE " · " HEAD_STRENGTH,
    .mouse = "a token, a line",
    .heads = HEADS_CHOSEN,
    .shown = SHOWN_HEADS | SHOWN_LINES | SHOWN_TONE | SHOWN_NUMBERS | SHOWN_MEAN | SHOWN_PIECES |
             SHOWN_MAP,
    .draw = head_draw,
    .hints = head_hints,
};
