#include "headlight/view/words_replaced.h"

#include "headlight/base/size.h"
#include "headlight/lens/predict.h"
#include "headlight/view/words_answers.h"

#include <math.h>

#define LIST_COLUMNS 38
#define LABEL_LEAST  4 /* "0.93" */
#define LABEL_MOST   14
#define AROUND       3 /* brackets and a gap */
#define LINE_ROWS    3 /* a token, its number, a blank row */

bool words_tell_replaced(const struct scene *scene)
{
    return scene->data.speechless[0] && scene->data.trace && scene->data.trace->rtd_logits;
}

/* ---- The text ---- */

/* Tokens that stand side by side, from the first on. */
static struct token_range line_from(const struct scene *scene, const struct canvas *canvas,
                                    size_t first, int columns, int *widths)
{
    size_t end = first, count = scene_count(scene, SIDE_LEFT);
    int used = 0;
    for (; end < count; end++) {
        size_t label = text_width(scene_drawn(scene, SIDE_LEFT, end).text, canvas_ascii(canvas));
        int width = (int)size_min(size_max(label, LABEL_LEAST), LABEL_MOST) + AROUND;
        if (end > first && used + width > columns)
            break;
        widths[end - first] = width;
        used += width;
    }
    return (struct token_range){first, end};
}

/* Brackets around the one under the cursor. */
static void draw_token(const struct scene *scene, struct canvas *canvas, struct area cell,
                       size_t token)
{
    const float probability = predict_replaced(scene->data.trace, token);
    const unsigned level = (unsigned)lroundf(STYLE_FULL * probability);
    struct style style = scene_label_style(scene, SIDE_LEFT, token, ROLE_READABLE);
    if (words_by_ground(canvas))
        style.back = (struct ink){ROLE_POSITIVE, (uint8_t)level};
    style.bold = probability > 0.5f;
    canvas_fill(canvas, cell, style);
    canvas_mark(canvas, cell, HIT_FROM, token);
    canvas_text(canvas, cell.y, cell.x + 1, cell.columns - 2, style,
                scene_drawn(scene, SIDE_LEFT, token).text);
    canvas_print(canvas, cell.y + 1, cell.x + 1, cell.columns - 2, style, "%.2f",
                 (double)probability);
    if (token != scene_token(scene, SIDE_LEFT))
        return;
    canvas_text(canvas, cell.y, cell.x, 1, style, "[");
    canvas_text(canvas, cell.y, cell.x + cell.columns - 1, 1, style, "]");
}

/* The first token of the first line shown: the chosen token's line is among them, in the middle as
 * far as the ends allow. */
static size_t first_shown(const struct scene *scene, const struct canvas *canvas, int columns,
                          size_t room)
{
    const size_t chosen = scene_token(scene, SIDE_LEFT), count = scene_count(scene, SIDE_LEFT);
    size_t lines = 0, line = 0, first = 0;
    int widths[CANVAS_MAX];
    for (size_t at = 0; at < count; lines++) {
        struct token_range tokens = line_from(scene, canvas, at, columns, widths);
        if (chosen >= tokens.first && chosen < tokens.end)
            line = lines;
        at = tokens.end;
    }
    size_t above = size_min(line - size_min(line, room / 2), lines - size_min(lines, room));
    for (; above > 0; above--)
        first = line_from(scene, canvas, first, columns, widths).end;
    return first;
}

static void draw_text(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const size_t count = scene_count(scene, SIDE_LEFT), room = (size_t)(area.rows - 1) / LINE_ROWS;
    const size_t first = first_shown(scene, canvas, area.columns, size_max(room, 1));
    struct pen pen = {canvas, area.y, area.x + 1, area.x + area.columns};
    struct token_range tokens = {first, first};
    int widths[CANVAS_MAX];
    for (int y = area.y + 1; y + 1 < area.y + area.rows && tokens.end < count; y += LINE_ROWS) {
        tokens = line_from(scene, canvas, tokens.end, area.columns, widths);
        struct area cell = {y, area.x, 2, 0};
        for (size_t token = tokens.first; token < tokens.end; token++, cell.x += cell.columns + 1) {
            cell.columns = widths[token - tokens.first] - 1;
            draw_token(scene, canvas, cell, token);
        }
    }
    pen_print(&pen, style_bold(ROLE_STRONG), "replaced?");
    if (first > 0)
        pen_print(&pen, style_of(ROLE_FAINT), "   ↑ %zu", first);
    if (tokens.end < count)
        pen_print(&pen, style_of(ROLE_FAINT), "   ↓ %zu more", count - tokens.end);
}

/* ---- The list ---- */

/* How many tokens come before this one in the list. */
static size_t place_of(const struct scene *scene, size_t token)
{
    const float *logits = scene->data.trace->rtd_logits;
    size_t place = 0;
    for (size_t i = 0; i < scene->data.tokens; i++)
        place += logits[i] > logits[token] || (i < token && logits[i] >= logits[token]);
    return place;
}

static void draw_row(const struct scene *scene, struct canvas *canvas, struct area area,
                     size_t token)
{
    const struct token_name name = scene_name(scene, SIDE_LEFT, token, canvas_ascii(canvas));
    const struct trace *before = scene->data.before;
    const double was = before ? (double)predict_replaced(before, token) : 0;
    const struct words_row row = {.name = name.text,
                                  .probability = (double)predict_replaced(scene->data.trace, token),
                                  .most = 1,
                                  .before = before ? &was : NULL,
                                  .chosen = token == scene_token(scene, SIDE_LEFT),
                                  .hit = {HIT_FROM, token}};
    words_draw_row(canvas, area, &row);
}

static void draw_list(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const size_t count = scene->data.tokens, rows = (size_t)area.rows - 1;
    const size_t chosen = place_of(scene, scene_token(scene, SIDE_LEFT));
    const size_t first =
        size_min(chosen - size_min(chosen, rows / 2), count - size_min(count, rows));
    struct pen pen = {canvas, area.y, area.x, area.x + area.columns};
    pen_print(&pen, style_of(ROLE_FAINT), "likeliest first");
    if (count > rows)
        pen_print(&pen, style_of(ROLE_FAINT), "   %zu of %zu", rows, count);
    for (size_t token = 0; token < count; token++) {
        size_t place = place_of(scene, token);
        struct area row = {area.y + 1 + (int)(place - first), area.x, 1, area.columns};
        if (place >= first && place < first + rows)
            draw_row(scene, canvas, row, token);
    }
}

void words_draw_replaced(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct area list = {area.y, 0, area.rows,
                        (int)size_min(LIST_COLUMNS, (size_t)area.columns / 2)};
    struct area text = {area.y, area.x + 2, area.rows, area.columns - list.columns - 4};
    list.x = text.x + text.columns + 1;
    list.columns--;
    if (area.rows < 3)
        return;
    draw_text(scene, canvas, text);
    draw_list(scene, canvas, list);
}
