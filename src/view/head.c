/* head.c: the head view. Attending tokens on the left, attended ones on the right, a line for each
 * pair of them worth drawing, in the hue of its heaviest head; where lines are curves, a line for
 * each head, in a lane of its own, and beside each token a small bar for each. With a token chosen,
 * its lines alone, and beside the tokens of the other side a chip for each active head.
 *
 * All pairs would be an unreadable carpet: the 2.5·T heaviest are drawn, of one head the 1.5·T
 * heaviest from 0.05 up, of a chosen token the 16 heaviest from 0.01 up; these numbers scale with
 * the look's detail, and with lanes there are half as many again. Besides, every attending token
 * has its heaviest line, with lanes every head as well, and a chosen pair its own. A threshold
 * overrides all this. More than the
 * 200,000 heaviest are never drawn, as these fill any screen; the rest count as hidden. */
#include "headlight/view/views.h"

#include "headlight/base/memory.h"
#include "headlight/view/head_legend.h"

#include <stdlib.h>

/* Rows from one token to the next, columns, and thousandths of weight. */
#define STEP_MAX     4
#define CHIPS_MAX    16 /* heads that get a chip */
#define CHIP_WIDTH   2
#define CHIP_LEAST   10 /* thousandths */
#define CHIP_NUMBER  100
#define NUMBER_WIDTH 5 /* "0.417" */
#define SINGLE_BAR   8
#define LINES_LEAST  14
#define LINES_ROOMY  40 /* from which on bars have room beside them */
#define LABEL_LEAST  4
#define LINES_MOST   200000
#define LINES_HIT    1000 /* where there are very many, only the heaviest can be clicked on */

/* Columns beside the lines on either side, for labels, numbers, and "A" and "B". */
static int margin(const struct head_sheet *sheet)
{
    return sheet->label_width + sheet->frame->margin +
           (sheet->number_width > 0 ? sheet->number_width + 1 : 0);
}

/* Chips stand outside the labels of the side opposite the chosen token. Where the lines would get
 * too little room, chips go first, then numbers, then the ends of labels. The first row is the
 * legend's, the last one the numbers'; an inset has tokens and lines alone. */
static void head_lay_out(struct head_sheet *sheet)
{
    const struct scene *scene = sheet->scene;
    const struct head_frame *frame = sheet->frame;
    const int room = sheet->canvas->bare ? CANVAS_MAX : sheet->area.columns - LINES_LEAST;
    const int heads = (int)head_mask_count(scene_maps(scene));
    const int bars =
        heads == 1 ? NUMBER_WIDTH + 1 + SINGLE_BAR : CHIP_WIDTH * int_min(heads, CHIPS_MAX);
    sheet->bars_width = sheet->focus != NO_TOKEN && frame->rest ? bars + 2 : 0;
    sheet->label_width =
        scene_label_width(scene, sheet->canvas,
                          !frame->rest ? sheet->area.columns / 4
                          : sheet->area.columns >= 110 || scene_reading(scene) ? 20
                                                                               : 10);
    sheet->number_width = scene->look.numbers && frame->rest ? NUMBER_WIDTH + 1 : 0;
    if (2 * margin(sheet) + sheet->bars_width > room)
        sheet->bars_width = 0;
    if (2 * margin(sheet) + sheet->bars_width > room)
        sheet->number_width = 0;
    if (sheet->bars_width > 0 && heads == 1)
        sheet->number_width = 0; /* the bars have them */
    while (sheet->label_width > LABEL_LEAST && 2 * margin(sheet) + sheet->bars_width > room)
        sheet->label_width--;
    /* what the bars say would be untrue of other maps */
    const int tallies = int_min(heads, CHIPS_MAX) + 2;
    if (sheet->focus == NO_TOKEN && frame->marks && scene->data.map->kind == MAP_WEIGHTS &&
        heads > 1 && sheet->canvas->traits.glyphs == GLYPHS_BRAILLE &&
        sheet->area.columns - 2 * margin(sheet) - 2 * tallies >= LINES_ROOMY)
        sheet->tally_width = tallies;
    sheet->lines = sheet->area;
    sheet->lines.y += frame->above;
    sheet->lines.rows -= frame->above + frame->below + (frame->scaled ? head_scale_rows(sheet) : 0);
    sheet->lines.x += margin(sheet) + sheet->tally_width +
                      (sheet->focus_side == SIDE_RIGHT ? sheet->bars_width : 0);
    sheet->lines.columns -= 2 * margin(sheet) + sheet->bars_width + 2 * sheet->tally_width;
    if (sheet->lines.columns < LINES_LEAST)
        sheet->canvas->overflow |= OVERFLOW_COLUMNS;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        sheet->column[side] = grid_column_centred(
            scene_range(scene, side), scene_boundary(scene, side), sheet->lines.rows, STEP_MAX,
            scene_anchor(scene, side, scene->look.side));
    const int tokens = (int)edge_range_count(sheet->column[SIDE_LEFT].range);
    const int share = heads > 1 ? 4 : 6;
    const int wanted = int_clamp(sheet->lines.columns / (share * int_max(tokens, 1)), 1,
                                 tokens > 1 ? STEP_MAX : 1);
    if (sheet->column[SIDE_LEFT].size < wanted)
        sheet->canvas->overflow |= OVERFLOW_ROWS;
    sheet->named = sentence_names(scene);
}

/* ---- Lines ---- */

/* The room for all lanes of a token, in rows: where they are many, lanes get narrow and lines
 * overlap. */
#define LANES_ROOM 0.8F

/* A line at one of its tokens. */
struct line_end {
    uint32_t token, other;
    uint16_t head;
    float *lane;
};

/* The order of a token's lanes is that of the other ends, so that lines don't cross where they
 * meet; of the heads where the other end is the same, so that these run side by side. */
static int by_lane(const void *a, const void *b)
{
    const struct line_end *x = a, *y = b;
    if (x->token != y->token)
        return x->token < y->token ? -1 : 1;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return (x->head > y->head) - (x->head < y->head);
}

/* Where all heads have their lines, each has a lane of its own at both ends, so that lines neither
 * hide each other nor cross where they meet. */
static void head_find_lanes(struct head_sheet *sheet)
{
    const struct edge_list *list = &sheet->list;
    struct error *error = &sheet->canvas->error;
    struct line_end *ends = memory_new(list->count + 1, sizeof *ends, 0, "the lines", error);
    sheet->lanes =
        ends ? memory_new(list->count + 1, sizeof *sheet->lanes, 0, "the lines", error) : NULL;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT && sheet->lanes; side++) {
        for (size_t i = 0; i < list->count; i++) {
            const struct edge *edge = &list->edges[i];
            bool left = side == SIDE_LEFT;
            ends[i] = (struct line_end){left ? edge->from : edge->to, left ? edge->to : edge->from,
                                        edge->head, &sheet->lanes[i][side]};
        }
        qsort(ends, list->count, sizeof *ends, by_lane);
        for (size_t first = 0, end; first < list->count; first = end) {
            for (end = first + 1; end < list->count && ends[end].token == ends[first].token;)
                end++;
            /* its row's middle, and evenly on both sides of it */
            const float count = (float)(end - first - 1);
            const float pitch = fminf(count > 0 ? (LANES_ROOM - HEAD_LANE) / count : 0, HEAD_LANE);
            for (size_t i = first; i < end; i++)
                *ends[i].lane = ((float)(i - first) - count / 2) * pitch;
        }
    }
    free(ends);
}

#define BESIDE 0.6F /* how bright lines beside the one to look at may be, from afar */

/* A share of the heaviest line on screen says how wide and how bright a line is. With a pair
 * chosen, brightness tells its line from the others, and width alone the weights. */
static struct stroke head_stroke(const struct head_sheet *sheet, size_t line)
{
    const struct edge *edge = &sheet->list.edges[line];
    const float *lane = sheet->lanes ? sheet->lanes[line] : (const float[2]){0};
    const float whole = sheet->heaviest.shade > 0 ? (float)sheet->heaviest.shade : EDGE_WHOLE;
    const float share = fminf((float)edge->shade / whole, 1);
    const bool named = sentence_is_of(sheet->scene, &sheet->named, edge),
               pinned = scene_is_pinned(sheet->scene);
    const float bright = named                              ? 1
                         : pinned                           ? 0
                         : sheet->named.kind != METRIC_NONE ? fminf(share, BESIDE)
                         : sheet->frame->shaded             ? share
                                                            : 1;
    struct ink ink =
        scene_edge_ink(sheet->scene, edge, (unsigned)(bright * (float)STYLE_FULL + 0.5F));
    /* beside a chosen line grey if there is only one hue: not every one can be dimmed on a light
     * ground */
    if (pinned && !named && head_mask_count(scene_maps(sheet->scene)) == 1 && ink.role >= ROLE_HUE)
        ink.role = ROLE_FAINT;
    return (struct stroke){
        .from = (float)grid_at(&sheet->column[SIDE_LEFT], edge->from) + 0.5F + lane[SIDE_LEFT],
        .to = (float)grid_at(&sheet->column[SIDE_RIGHT], edge->to) + 0.5F + lane[SIDE_RIGHT],
        .width = head_line_width(sheet, share),
        .ink = ink,
        .dashed = sheet->scene->data.encoded->site == SITE_ONLY &&
                  scene_is_generated(sheet->scene, SIDE_LEFT, edge->from)};
}

/* ---- Tokens ---- */

/* The row of a token on the canvas. It may lie outside the area where the text scrolls. */
static int head_row(const struct head_sheet *sheet, enum side side, size_t token)
{
    return sheet->lines.y + grid_at(&sheet->column[side], token);
}

/* Where something of `width` columns begins that is `beyond` columns away from the lines. The sides
 * mirror each other: on the left it ends there, on the right it begins there. */
static int head_beyond(const struct head_sheet *sheet, enum side side, int beyond, int width)
{
    return side == SIDE_LEFT ? sheet->lines.x - beyond - width
                             : sheet->lines.x + sheet->lines.columns + beyond;
}

/* A token's heaviest edge of the heads shown: to the chosen token if there is one, and the token is
 * on the other side. False: the filter leaves none, or another token of this side is chosen. */
static bool heaviest(const struct head_sheet *sheet, enum side side, size_t token,
                     struct edge *edge)
{
    struct edge_query query = scene_edges(sheet->scene);
    struct token_range *mine = side == SIDE_LEFT ? &query.from : &query.to;
    if (token < mine->first || token >= mine->end)
        return false;
    *mine = (struct token_range){token, token + 1};
    return edges_strongest(&query, edge);
}

/* The mark points at the cursor's token from outside, so it never comes between a label and its
 * lines. The whole width of the label column takes clicks, since short labels are hard to hit. */
static void head_draw_label(const struct head_sheet *sheet, enum side side, size_t token)
{
    /* Labels neither chosen nor found are faint where they don't matter to the chosen token. The
     * pair that the headline names has its hue. */
    const struct edge *named = &sheet->named.edge;
    struct edge edge;
    bool faint = sheet->focus != NO_TOKEN &&
                 (side == sheet->focus_side || !heaviest(sheet, side, token, &edge) ||
                  edge.weight < GRID_NOTABLE);
    struct style style =
        scene_label_style(sheet->scene, side, token, faint ? ROLE_FAINT : ROLE_TEXT);
    bool naming =
        sheet->named.kind == METRIC_PAIR && token == (side == SIDE_LEFT ? named->from : named->to);
    if (naming && token != scene_token(sheet->scene, side)) {
        style.fore = scene_edge_ink(sheet->scene, named, STYLE_FULL);
        style.bold = true;
    }
    const struct token_name name = scene_drawn(sheet->scene, side, token);
    const int y = head_row(sheet, side, token), width = sheet->label_width;
    const int x = head_beyond(sheet, side, 1, width);
    const bool left = side == SIDE_LEFT;
    canvas_mark(sheet->canvas, (struct area){y, x, 1, width}, hit_token(side, token));
    int arrow = left ? canvas_text_right(sheet->canvas, y, x + width, width, style, name.text) - 2
                     : x + canvas_text(sheet->canvas, y, x, width, style, name.text) + 1;
    if (sheet->scene->look.side == side && token == scene_token(sheet->scene, side) &&
        sheet->frame->marks)
        canvas_text(sheet->canvas, y, arrow, 1, style_bold(ROLE_TITLE), left ? "▸" : "◂");
}

/* Chips keep their places from token to token, so that a column of chips is one head. With more
 * than CHIPS_MAX heads on, the rest have none: their weights are still in the lines. Of several
 * heads with the same heaviest weight only the first gets a number. */
static void draw_bars(const struct head_sheet *sheet, enum side side, size_t token)
{
    int y = head_row(sheet, side, token);
    int beside = sheet->label_width + sheet->number_width + sheet->frame->gap;
    int x = head_beyond(sheet, side, beside, sheet->bars_width - 2);
    head_mask maps = scene_maps(sheet->scene);
    struct edge strongest;
    unsigned most = heaviest(sheet, side, token, &strongest) ? strongest.weight : 0;
    bool single = head_mask_count(maps) == 1, numbered = false;
    for (size_t head = 0, drawn = 0; head < sheet->scene->data.head_count && drawn < CHIPS_MAX;
         head++) {
        if (!head_mask_has(maps, head))
            continue;
        const struct edge edge = side == SIDE_RIGHT
                                     ? scene_edge(sheet->scene, head, sheet->focus, token)
                                     : scene_edge(sheet->scene, head, token, sheet->focus);
        if (!scene_sees(sheet->scene, edge.from, edge.to)) {
            canvas_text(sheet->canvas, y, x, sheet->bars_width, style_of(ROLE_FAINT),
                        sheet->bars_width > (int)strlen(UNSEEN) ? UNSEEN : "╱");
            return;
        }
        const unsigned weight = edge.weight;
        const int eighths = ((int)weight * SINGLE_BAR * 8 + EDGE_WHOLE / 2) / EDGE_WHOLE;
        if (single) { /* the number and a long bar of the only head */
            canvas_text(sheet->canvas, y, x, NUMBER_WIDTH,
                        style_of(weight >= GRID_NOTABLE ? ROLE_TEXT : ROLE_FAINT),
                        scene_number(sheet->scene, &edge).text);
            canvas_bar(sheet->canvas, y, x + NUMBER_WIDTH + 1, SINGLE_BAR,
                       eighths == 0 && weight >= 30 ? 1 : eighths,
                       style_legible(scene_edge_ink(sheet->scene, &edge, style_level(weight))));
        } else if (weight >= CHIP_LEAST) {
            /* the weight shades the chip's ground; the heaviest of a token also has it in
             * hundredths */
            struct style style = style_of(ROLE_READABLE);
            const unsigned hundredths =
                scene_hundredths(scene_weight(sheet->scene, head, edge.from, edge.to));
            style.back = scene_edge_ink(sheet->scene, &edge, style_level(weight));
            canvas_print(sheet->canvas, y, x + CHIP_WIDTH * (int)drawn, CHIP_WIDTH, style,
                         weight == most && !numbered && weight >= CHIP_NUMBER ? "%2u" : "  ",
                         hundredths < 99 ? hundredths : 99);
        }
        numbered |= edge.weight == most;
        drawn++;
    }
}

/* Long texts scroll: only tokens on screen are drawn, and arrows show where there are more. Bars
 * are on the side opposite the chosen token. */
static void draw_side(const struct head_sheet *sheet, enum side side)
{
    static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const struct edge_query query = scene_edges(sheet->scene);
    const size_t rows = edge_range_count(query.from), columns = edge_range_count(query.to);
    const int beside = sheet->label_width + sheet->number_width + sheet->frame->gap;
    struct token_range shown = sheet->column[side].shown;
    int edge = side == SIDE_LEFT ? sheet->area.x + 1 : sheet->area.x + sheet->area.columns - 2;
    const int above = head_row(sheet, side, shown.first) - 1;
    if (sheet->number_width > 0 && above > sheet->area.y)
        canvas_text(sheet->canvas, above,
                    head_beyond(sheet, side, sheet->label_width + sheet->frame->gap, NUMBER_WIDTH),
                    NUMBER_WIDTH, style_of(ROLE_FAINT), side == SIDE_LEFT ? "given" : "got");
    for (size_t token = shown.first; token < shown.end; token++) {
        head_draw_label(sheet, side, token);
        if (sheet->frame->marks && sheet->frame->rest)
            canvas_text(sheet->canvas, head_row(sheet, side, token), edge, 1,
                        style_bold(ROLE_FAINT), scene_sentence(sheet->scene, side, token));
        struct edge most; /* a token's heaviest weight, in the hue of its head */
        if (sheet->number_width > 0 && heaviest(sheet, side, token, &most))
            canvas_text(
                sheet->canvas, head_row(sheet, side, token),
                head_beyond(sheet, side, sheet->label_width + sheet->frame->gap, NUMBER_WIDTH),
                NUMBER_WIDTH,
                style_legible(scene_edge_ink(sheet->scene, &most,
                                             most.weight >= GRID_NOTABLE ? STYLE_FULL : 7)),
                scene_number(sheet->scene, &most).text);
        if (side != sheet->focus_side && sheet->bars_width > 0)
            draw_bars(sheet, side, token);
        /* As BertViz's coloured squares, but upright, so that heads are compared: on the left the
         * largest weight that a token gives in a head, on the right the sum that it gets, of twice
         * what it would get if all got the same. */
        int x = head_beyond(sheet, side, beside, sheet->tally_width - 2), left = sheet->tally_width;
        for (size_t head = 0; head < sheet->scene->data.head_count && left > 2; head++) {
            if (!head_mask_has(scene_maps(sheet->scene), head))
                continue;
            const struct edge of = {.head = (uint16_t)head};
            float largest = 0, sum = 0;
            if (side == SIDE_LEFT)
                largest = edge_largest(attention_row(query.attention, query.layer, head, token) +
                                           query.to.first,
                                       columns);
            for (size_t from = query.from.first; side == SIDE_RIGHT && from < query.from.end;
                 from++)
                sum += attention_weight(query.attention, query.layer, head, from, token);
            const long eighths =
                lrintf(8 * fminf(largest + sum * (float)columns / (2 * (float)rows), 1));
            canvas_text(sheet->canvas, head_row(sheet, side, token), x++, 1,
                        style_legible(scene_edge_ink(sheet->scene, &of, STYLE_FULL)),
                        bars[eighths]);
            left--;
        }
    }
    /* Arrows where tokens lie above or below the screen. */
    const struct grid_axis *column = &sheet->column[side];
    const int y = sheet->lines.y, x = head_beyond(sheet, side, 0, 1);
    const size_t boundary = scene_boundary(sheet->scene, side);
    const bool parts = column->range.first < boundary && boundary < column->range.end;
    if (edge_range_count(column->shown) < edge_range_count(column->range) ||
        parts != (column->boundary > 0))
        sheet->canvas->overflow |= OVERFLOW_ROWS;
    if (column->shown.first > column->range.first)
        canvas_text(sheet->canvas, y, x, 1, style_of(ROLE_TITLE), "↑");
    if (column->shown.end < column->range.end)
        canvas_text(sheet->canvas, y + sheet->lines.rows - 1, x, 1, style_of(ROLE_TITLE), "↓");
}

/* ---- The view ---- */

/* Lines come first, because labels and legends must stay readable where they cross. Lines are
 * selected once; they, their marks and the legends all read the same list. */
static void draw_in(const struct head_frame *frame, const struct scene *scene,
                    struct canvas *canvas, struct area area)
{
    struct head_sheet sheet = {.scene = scene, .canvas = canvas, .frame = frame, .area = area};
    sheet.focus = scene_focus(scene, &sheet.focus_side);
    head_lay_out(&sheet);
    /* Where lines are curves, every head has its own. A token that sees one alone has a weight of 1
     * for it anyway, which would make all others thin. */
    const struct edge_query query = scene_edges(scene);
    struct pair_limits limits = scene_limits(scene);
    limits.lanes = canvas->curves && head_mask_count(query.heads) > 1;
    limits.edges.count = size_min(limits.edges.count, LINES_MOST);
    if (limits.lanes)
        limits.edges.count += limits.edges.count / 2;
    pairs_select(&query, &limits, &sheet.list, &canvas->error);
    for (size_t i = sheet.list.count; i-- > 0 && sheet.heaviest.shade == 0;) {
        const struct edge *edge = &sheet.list.edges[i];
        const struct token_range visible = scene_visible(scene, edge->from);
        if (edge->weight < EDGE_WHOLE || visible.end - visible.first > 1 || i == 0)
            sheet.heaviest = *edge;
    }
    if (limits.lanes)
        head_find_lanes(&sheet);
    /* light to heavy, those of the pair to look at last: they lie above the others, as do their
     * clicks */
    size_t count = 0;
    struct stroke *strokes =
        memory_new(sheet.list.count + 1, sizeof *strokes, 0, "the lines", &canvas->error);
    for (int chosen = 0; chosen < 2 && strokes; chosen++)
        for (size_t i = 0; i < sheet.list.count; i++) {
            const struct edge *edge = &sheet.list.edges[i];
            if (sentence_is_of(scene, &sheet.named, edge) != (chosen == 1))
                continue;
            const struct stroke *stroke = &strokes[count++];
            strokes[count - 1] = head_stroke(&sheet, i);
            /* A click on a line chooses its pair. The path is sampled once a column: the same curve
             * that the pixels follow (stroke_risen), so that a click hits what the eye sees. */
            const double rise = (double)stroke->to - (double)stroke->from;
            for (int x = 0; x < sheet.lines.columns && i + LINES_HIT >= sheet.list.count; x++) {
                /* a thin line's dot is as far from its middle as a dot's half */
                const double y = (double)stroke->from - 0.125 +
                                 rise * stroke_risen((x + 0.5) / sheet.lines.columns);
                if (y >= 0 && y < sheet.lines.rows)
                    canvas_mark(canvas,
                                (struct area){sheet.lines.y + (int)y, sheet.lines.x + x, 1, 1},
                                hit_pair(edge->from, edge->to, false));
            }
        }
    strokes_draw(canvas, sheet.lines, strokes, count);
    free(strokes);
    head_legend_leaving(&sheet);
    draw_side(&sheet, SIDE_LEFT);
    draw_side(&sheet, SIDE_RIGHT);
    frame->draw(&sheet);
    free(sheet.list.edges);
    free(sheet.lanes);
}

/* margin, gap, marks, rest, shaded, above, below, scaled */
static const struct head_frame on_desk = {5, 4, true, true, true, 1, 2, false, head_legend_draw},
                               in_figure = {3, 3, false, true, false, 1, 0, true, head_scale_draw},
                               in_corner = {
                                   1, 4, true, false, true, 0, 0, false, head_legend_above};

static void head_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    draw_in(canvas->bare ? &in_figure : &on_desk, scene, canvas, area);
}

void head_draw_inset(const struct scene *scene, struct canvas *canvas, struct area area)
{
    draw_in(&in_corner, scene, canvas, area);
}

/* Enter means three things here, depending on how much is chosen already. */
static const char *head_hints(const struct scene *scene)
{
    if (scene_is_pinned(scene))
        return "↑↓: other token; Enter: unpin; r: which heads; ←→: layer";
    return scene_token(scene, scene->look.side) != NO_TOKEN
               ? "↑↓: token; Enter: pin; ←→: layer; 0-9: head; e: edit"
           : scene->data.map->kind == MAP_CONTACTS
               ? "↑↓: token; Enter: choose; r: which heads; e: edit"
               : "↑↓: token; Enter: choose; ←→: layer; 0-9: head; e: edit";
}

const struct view head_view = {
    .title = "Head",
    .about = "attention as lines, from each token to those that it attends to",
    .meaning = HEAD_ATTENDING " · " HEAD_ATTENDED " · " HEAD_HUE " · " HEAD_STRENGTH,
    .mouse = "a token, a line",
    .heads = HEADS_CHOSEN,
    .shown = SHOWN_HEADS | SHOWN_LINES | SHOWN_TONE | SHOWN_NUMBERS | SHOWN_MEAN | SHOWN_PIECES |
             SHOWN_MAP | SHOWN_QUERY | SHOWN_LIST | SHOWN_COLUMNS,
    .draw = head_draw,
    .hints = head_hints,
    .table = connections_table,
    .says = sentence_say_attention,
};
