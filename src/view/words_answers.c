#include "headlight/view/words_answers.h"

#include "headlight/base/size.h"

#include <math.h>

#define PIECE_COLUMNS  14
#define NUMBER_COLUMNS 5  /* "0.052" */
#define BEFORE_COLUMNS 9  /* "← 0.041  " */
#define NARROWEST      26 /* columns of one answer: a piece, its number and a short bar */

void words_draw_row(struct canvas *canvas, struct area area, const struct words_row *row)
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
    number_draw_length(canvas, area.y, x, NUMBER_COLUMNS, 3, row->probability, name);
    x += NUMBER_COLUMNS + 1;
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
    words_draw_row(canvas, area, &row);
}

/* Down the first column, then the second. */
static void draw_list(const struct scene *scene, struct canvas *canvas, struct area area,
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

static void draw_heading(const struct scene *scene, struct canvas *canvas, struct area area)
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
    struct style faint = style_of(ROLE_FAINT), text = style_of(ROLE_TEXT);
    pen_print(pen, faint, scene->data.next ? "%s comes next " : "%s itself ",
              words_piece(scene, cell->id));
    pen_print(pen, text, "%.3f", exp(cell->logprob));
    if (cell->compared)
        pen_print(pen, faint, " ← %.3f", exp(cell->logprob_before));
    next_fact(pen, area);
    pen_print(pen, faint, "rank ");
    pen_print(pen, text, "%zu", cell->rank);
    if (area->rows > 1)
        pen_print(pen, faint, " of %zu", scene->data.trace->vocabulary);
}

/* And how sure the layer is: in as many rows as there are, or one after the other. */
static void draw_facts(const struct scene *scene, struct canvas *canvas, struct area area,
                       const struct lens_cell *cell)
{
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns};
    struct style faint = style_of(ROLE_FAINT), text = style_of(ROLE_TEXT);
    if (cell->id == LENS_NOTHING)
        pen_print(&pen, faint, "the text ends here");
    else
        draw_truth(scene, &pen, &area, cell);
    next_fact(&pen, &area);
    pen_print(&pen, faint, "entropy ");
    pen_print(&pen, text, "%.2f", cell->entropy);
    pen_print(&pen, faint, " of %.2f bits", log2((double)scene->data.trace->vocabulary));
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
    draw_heading(scene, canvas, area);
    if (!cell)
        return;
    if (beside && list.rows > LENS_BEST)
        list.rows = LENS_BEST;
    if (!beside && list.rows > LENS_BEST / 2)
        list.rows = LENS_BEST / 2;
    if (list.rows < 1)
        return;
    draw_list(scene, canvas, list, cell);
    area = (struct area){list.y + list.rows + beside, area.x, facts - beside, area.columns};
    draw_facts(scene, canvas, area, cell);
}
