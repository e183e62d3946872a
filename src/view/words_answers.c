/* words_answers.c: the lists of the words view: what one layer says at one token and, of a model
 * that tells replaced tokens instead, the text and how probable that is of each. */
#include "headlight/view/words.h"

#include "headlight/base/size.h"
#include "headlight/lens/predict.h"
#include "headlight/view/grid.h"

#include <math.h>

#define PIECE_COLUMNS  14
#define NUMBER_COLUMNS 5  /* "0.052" */
#define BEFORE_COLUMNS 9  /* "← 0.041  " */
#define NARROWEST      26 /* columns of one answer: a piece, its number and a short bar */
#define LIST_COLUMNS   38
#define LABEL_LEAST    4 /* "0.93" */
#define LABEL_MOST     14
#define AROUND         3 /* brackets and a gap */
#define LINE_ROWS      3 /* a token, its number, a blank row */

/* ---- Answers ---- */

const struct lens_cell *words_cell(const struct scene *scene, size_t layer, size_t token)
{
    const struct data *data = &scene->data;
    const struct lens_cell *cell = data->lens ? &data->lens[layer * data->tokens + token] : NULL;
    return cell && cell->count > 0 ? cell : NULL;
}

const char *words_piece(const struct scene *scene, int32_t id)
{
    const char *piece = tokenizer_label(scene->data.checkpoint->tokenizer, id);
    return piece ? piece : "?"; /* a vocabulary may be shorter than the model's table */
}

/* A row of a list: a name, how probable it is, and was before; the bar of `most` is whole. */
struct words_row {
    const char *name;
    double probability, most;
    const double *before; /* or NULL */
    bool chosen;
    struct hit hit;
};

static void answers_draw_row(struct canvas *canvas, struct area area, const struct words_row *row)
{
    struct style name = row->chosen ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT);
    int x = area.x + 2, bar = area.columns - 2 - PIECE_COLUMNS - 1 - NUMBER_COLUMNS - 1 -
                              (row->before ? BEFORE_COLUMNS : 0);
    if (row->chosen) {
        name.back = ink_full(ROLE_CURSOR);
        canvas_text(canvas, area.y, area.x, 1, style_bold(ROLE_TITLE), "▸");
    }
    canvas_text(canvas, area.y, x, PIECE_COLUMNS, name, row->name);
    x += PIECE_COLUMNS + 1;
    x += NUMBER_COLUMNS + 1;
    number_draw(canvas, area.y, x - 1, NUMBER_COLUMNS, name, false, 3, row->probability);
    if (row->before)
        x += 2 + canvas_print(canvas, area.y, x, 8, style_of(ROLE_FAINT), "← %.3f", *row->before);
    canvas_bar(canvas, area.y, x, bar, (int)lround(row->probability / row->most * bar * 8),
               style_of(ROLE_POSITIVE));
    canvas_mark(canvas, area, row->hit.kind, row->hit.value);
}

/* One answer; the bar of the likeliest is whole. */
static void draw_answer(const struct scene *scene, struct canvas *canvas, struct area area,
                        const struct lens_cell *cell, size_t place)
{
    const struct prediction *answer = &cell->best[place];
    const double before = cell->compared ? exp(cell->best_before[place]) : 0;
    const struct words_row row = {.name = words_piece(scene, answer->id),
                                  .probability = exp(answer->logprob),
                                  .most = exp(cell->best[0].logprob),
                                  .before = cell->compared ? &before : NULL,
                                  .chosen = scene->look.answer == (size_t)answer->id,
                                  .hit = {HIT_ANSWER, (size_t)answer->id}};
    answers_draw_row(canvas, area, &row);
}

/* Down the first column, then the second. */
static void draw_answers(const struct scene *scene, struct canvas *canvas, struct area area,
                         const struct lens_cell *cell)
{
    int columns = area.columns / 2 >= NARROWEST && area.rows < LENS_BEST ? 2 : 1;
    int width = area.columns / columns;
    for (size_t i = 0; i < cell->count && (int)i < columns * area.rows; i++) {
        struct area row = {area.y + (int)i % area.rows, area.x + (int)i / area.rows * width, 1,
                           width - 2};
        draw_answer(scene, canvas, row, cell, i);
    }
}

static void answers_draw_heading(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y, area.x, area.x + area.columns};
    size_t layer = scene->look.layer, token = scene_token(scene, SIDE_LEFT);
    bool last = layer + 1 == scene->data.layers;
    pen_print(&pen, style_bold(ROLE_STRONG), scene->data.next ? "after %s:" : "%s",
              scene_name(scene, SIDE_LEFT, token, canvas_ascii(canvas)).text);
    pen_print(&pen, style_of(ROLE_FAINT),
              last               ? "   the model's answer"
              : scene->data.next ? "   layer %zu"
                                 : "   after layer %zu",
              layer);
}

static void next_fact(struct pen *pen, struct area *area)
{
    pen->x += 3;
    if (area->rows > 1) {
        pen->x = area->x + 2;
        pen->y++;
        area->rows--;
    }
}

/* How likely the piece is that stands in the text. */
static void draw_truth(const struct scene *scene, struct pen *pen, struct area *area,
                       const struct lens_cell *cell)
{
    pen_print(pen, style_of(ROLE_FAINT), scene->data.next ? "%s comes next " : "%s itself ",
              words_piece(scene, cell->id));
    pen_write(pen, "{%.3f}", exp(cell->logprob));
    if (cell->compared)
        pen_write(pen, " ← %.3f", exp(cell->logprob_before));
    next_fact(pen, area);
    pen_write(pen, "rank {%zu}", cell->rank);
    if (area->rows > 1)
        pen_write(pen, " of %zu", scene->data.trace->vocabulary);
}

/* And how sure the layer is: in as many rows as there are, or one after the other. */
static void draw_facts(const struct scene *scene, struct canvas *canvas, struct area area,
                       const struct lens_cell *cell)
{
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns};
    if (cell->id == LENS_NOTHING)
        pen_write(&pen, "the text ends here");
    else
        draw_truth(scene, &pen, &area, cell);
    next_fact(&pen, &area);
    pen_write(&pen, "entropy {%.2f} of %.2f bits", cell->entropy,
              log2((double)scene->data.trace->vocabulary));
}

void words_draw_answers(const struct scene *scene, struct canvas *canvas, struct area area,
                        bool beside)
{
    const struct lens_cell *cell =
        words_cell(scene, scene->look.layer, scene_token(scene, SIDE_LEFT));
    int facts = beside ? 4 : 1; /* with a blank row before them */
    struct area list = {area.y + 1, area.x, area.rows - 1 - facts, area.columns};
    if (area.rows < 2)
        return;
    answers_draw_heading(scene, canvas, area);
    if (!cell)
        return;
    if (beside && list.rows > LENS_BEST)
        list.rows = LENS_BEST;
    if (!beside && list.rows > LENS_BEST / 2)
        list.rows = LENS_BEST / 2;
    if (list.rows < 1)
        return;
    draw_answers(scene, canvas, list, cell);
    area = (struct area){list.y + list.rows + beside, area.x, facts - beside, area.columns};
    draw_facts(scene, canvas, area, cell);
}

bool words_tell_replaced(const struct scene *scene)
{
    return scene->data.speechless[0] && scene->data.trace && scene->data.trace->rtd_logits;
}

/* ---- Whether tokens were replaced: the text ---- */

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
    if (!grid_by_glyph(canvas))
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
    for (size_t above = grid_window(lines, room, line).first; above > 0; above--)
        first = line_from(scene, canvas, first, columns, widths).end;
    return first;
}

static void answers_draw_text(const struct scene *scene, struct canvas *canvas, struct area area)
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

/* ---- And their list ---- */

/* How many tokens come before this one in the list. */
static size_t answers_place(const struct scene *scene, size_t token)
{
    const float *logits = scene->data.trace->rtd_logits;
    size_t place = 0;
    for (size_t i = 0; i < scene->data.tokens; i++)
        place += logits[i] > logits[token] || (i < token && logits[i] >= logits[token]);
    return place;
}

static void draw_replaced(const struct scene *scene, struct canvas *canvas, struct area area,
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
    answers_draw_row(canvas, area, &row);
}

static void answers_draw_list(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const size_t count = scene->data.tokens, rows = (size_t)area.rows - 1;
    const size_t chosen = answers_place(scene, scene_token(scene, SIDE_LEFT));
    const size_t first = grid_window(count, rows, chosen).first;
    struct pen pen = {canvas, area.y, area.x, area.x + area.columns};
    pen_print(&pen, style_of(ROLE_FAINT), "likeliest first");
    if (count > rows)
        pen_print(&pen, style_of(ROLE_FAINT), "   %zu of %zu", rows, count);
    for (size_t token = 0; token < count; token++) {
        size_t place = answers_place(scene, token);
        struct area row = {area.y + 1 + (int)(place - first), area.x, 1, area.columns};
        if (place >= first && place < first + rows)
            draw_replaced(scene, canvas, row, token);
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
    answers_draw_text(scene, canvas, text);
    answers_draw_list(scene, canvas, list);
}
