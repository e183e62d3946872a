/* words.c: the words view. What the model would say at every token, were each layer its last one
 * (logit_lens.h): rows are layers, from bottom to top as the network runs, columns are tokens, as
 * wide as their pieces; a cell is the likeliest piece, shaded by its probability: in blue where it
 * is another than stands there. Beside or below them the likeliest ten of the chosen cell
 * (words.h). */
#include "headlight/view/words.h"

#include "headlight/base/size.h"
#include "headlight/view/grid.h"
#include "headlight/view/views.h"

#include <math.h>
#include <stdio.h>

#define COLUMN_LEAST    6   /* a piece of three signs, its brackets and a gap */
#define LAYER_COLUMNS   8   /* "  layer " */
#define ANSWERS_COLUMNS 38  /* beside the grid */
#define ANSWERS_ROWS    8   /* below it */
#define BESIDE_COLUMNS  110 /* so many columns have room for both side by side */
#define PIECE_MOST      14
#define AROUND          3 /* brackets and a gap */
#define OUTSIDE_COLUMNS 6 /* "123 →" */
#define PITCH_MOST      3
#define SPREAD_MOST     4

/* ---- Where it stands ---- */

struct words_layout {
    struct area grid, answers;                 /* the first row of each is its heading */
    struct lens_area shown;                    /* what the grid has room for, the cursor among it */
    int pitch;                                 /* rows of a layer */
    int begins[CANVAS_MAX / COLUMN_LEAST + 2]; /* of each column shown, and of the next */
    bool beside;                               /* the answers stand beside the grid, not below */
};

/* Columns that a token needs, with the gap behind it. */
static int words_width(const struct scene *scene, const struct canvas *canvas, size_t token)
{
    bool ascii = canvas_ascii(canvas);
    size_t widest = text_width(scene_drawn(scene, SIDE_LEFT, token).text, ascii);
    for (size_t layer = 0; layer < scene->data.layers; layer++) {
        const struct lens_cell *cell = words_cell(scene, layer, token);
        if (cell)
            widest = size_max(widest, text_width(words_piece(scene, cell->best[0].id), ascii));
    }
    return (int)size_min(size_max(widest, COLUMN_LEAST - AROUND), PIECE_MOST) + AROUND;
}

/* As many tokens as there are columns for, the chosen one in their middle as far as the ends
 * allow. */
static struct token_range words_tokens_shown(const struct scene *scene, const struct canvas *canvas,
                                             int columns)
{
    size_t count = scene_count(scene, SIDE_LEFT), chosen = scene_token(scene, SIDE_LEFT);
    chosen = chosen < count ? chosen : 0;
    struct token_range shown = {chosen, chosen + 1};
    int left = columns - words_width(scene, canvas, chosen);
    bool before = true, after = true;
    while (before || after) {
        int wider = shown.first > 0 ? words_width(scene, canvas, shown.first - 1) : columns;
        before = before && wider <= left;
        left -= before ? wider : 0;
        shown.first -= before;
        wider = shown.end < count ? words_width(scene, canvas, shown.end) : columns;
        after = after && wider <= left;
        left -= after ? wider : 0;
        shown.end += after;
    }
    return shown;
}

/* Rows of each of so many layers, in rows that have a heading and a blank one, too. */
static int pitch_in(int rows, int layers)
{
    int pitch = (rows - 2) / layers;
    return pitch < 1 ? 1 : pitch > PITCH_MOST ? PITCH_MOST : pitch;
}

/* What is left of the columns, shared out. */
static void words_place_columns(const struct scene *scene, const struct canvas *canvas,
                                struct words_layout *layout)
{
    const struct token_range *shown = &layout->shown.tokens;
    const size_t count = shown->end - shown->first;
    int *begins = layout->begins;
    begins[0] = layout->grid.x + LAYER_COLUMNS;
    for (size_t i = 0; i < count; i++)
        begins[i + 1] = begins[i] + words_width(scene, canvas, shown->first + i);
    int outside = count < scene_count(scene, SIDE_LEFT) ? OUTSIDE_COLUMNS : 0;
    int left = layout->grid.x + layout->grid.columns - outside - begins[count];
    int more = left < 0 ? 0 : left / (int)count > SPREAD_MOST ? SPREAD_MOST : left / (int)count;
    for (size_t i = 1; i <= count; i++)
        begins[i] += (int)i * more;
}

static struct words_layout words_lay_out(const struct scene *scene, const struct canvas *canvas,
                                         struct area area)
{
    struct words_layout layout = {.beside = area.columns >= BESIDE_COLUMNS};
    struct area *grid = &layout.grid, *answers = &layout.answers;
    *grid = *answers = (struct area){area.y, area.x + 2, area.rows, area.columns - 4};
    if (layout.beside) {
        grid->columns -= ANSWERS_COLUMNS + 2;
        answers->x += grid->columns + 2;
        answers->columns = ANSWERS_COLUMNS;
    } else {
        int below = area.rows > ANSWERS_ROWS + 4 ? ANSWERS_ROWS : 0;
        int room = area.rows - below, layers = (int)scene->data.layers;
        int needed = 2 + layers * pitch_in(room, layers);
        grid->rows = room < needed ? room : needed;
        answers->y += grid->rows + 1;
        answers->rows = area.rows - grid->rows - 1;
    }
    int columns = grid->columns - LAYER_COLUMNS;
    layout.shown.tokens = words_tokens_shown(scene, canvas, columns);
    if (layout.shown.tokens.end - layout.shown.tokens.first < scene_count(scene, SIDE_LEFT))
        layout.shown.tokens = words_tokens_shown(scene, canvas, columns - OUTSIDE_COLUMNS);
    layout.shown.layers = grid_window(
        scene->data.layers, grid->rows > 3 ? (size_t)grid->rows - 2 : 1, scene->look.layer);
    layout.pitch = pitch_in(grid->rows, (int)(layout.shown.layers.end - layout.shown.layers.first));
    words_place_columns(scene, canvas, &layout);
    return layout;
}

/* The cell of a token's label. */
static struct area label_area(const struct words_layout *layout, size_t token)
{
    const int *begin = &layout->begins[token - layout->shown.tokens.first];
    return (struct area){layout->grid.y, begin[0], 1, begin[1] - begin[0] - 1};
}

/* The middle row of a layer. */
static int words_row(const struct words_layout *layout, size_t layer)
{
    return layout->grid.y + 1 + (layout->pitch - 1) / 2 +
           layout->pitch * (int)(layout->shown.layers.end - 1 - layer);
}

static struct area cell_area(const struct words_layout *layout, size_t layer, size_t token)
{
    struct area area = label_area(layout, token);
    area.rows = layout->pitch;
    area.y = words_row(layout, layer) - (layout->pitch - 1) / 2;
    return area;
}

/* ---- Cells ---- */

/* The square root of the probability: what is unlikely is told apart too. */
static unsigned shade(const struct lens_cell *cell)
{
    return (unsigned)lround(STYLE_FULL * sqrt(exp(cell->best[0].logprob)));
}

/* Predictions equal to the text are dimmed. */
static struct style cell_style(const struct scene *scene, const struct canvas *canvas,
                               const struct lens_cell *cell, size_t token)
{
    bool news = cell->best[0].id != (scene->data.next ? cell->id : scene->data.trace->ids[token]);
    unsigned level = shade(cell);
    struct style style = style_of(news ? ROLE_READABLE : ROLE_TEXT);
    style.bold = news;
    if (grid_by_glyph(canvas))
        style.fore = ink_full(news ? ROLE_STRONG : ROLE_FAINT);
    else if (news)
        style.back = (struct ink){ROLE_POSITIVE, (uint8_t)level};
    else
        style.back = (struct ink){ROLE_TEXT, (uint8_t)(level / 5)};
    return style;
}

/* Brackets around the one under the cursor. */
static void words_draw_cell(const struct scene *scene, struct canvas *canvas, struct area cell,
                            size_t layer, size_t token)
{
    const struct lens_cell *said = words_cell(scene, layer, token);
    struct style style = said ? cell_style(scene, canvas, said, token) : style_of(ROLE_FAINT);
    canvas_fill(canvas, cell, style);
    canvas_mark(canvas, cell, HIT_LENS, layer * scene->data.tokens + token);
    cell.y += (cell.rows - 1) / 2;
    canvas_text(canvas, cell.y, cell.x + 1, cell.columns - 2, style,
                said ? words_piece(scene, said->best[0].id) : "…");
    if (layer != scene->look.layer || token != scene_token(scene, SIDE_LEFT))
        return;
    style.bold = true;
    style.fore = ink_full(said && style.back.level > 0 ? ROLE_READABLE : ROLE_STRONG);
    canvas_text(canvas, cell.y, cell.x, 1, style, "[");
    canvas_text(canvas, cell.y, cell.x + cell.columns - 1, 1, style, "]");
}

/* ---- Axes ---- */

/* The tokens, and how many are outside on either side. */
static void words_draw_tokens(const struct scene *scene, struct canvas *canvas,
                              const struct words_layout *layout)
{
    const struct token_range *shown = &layout->shown.tokens;
    size_t count = scene_count(scene, SIDE_LEFT);
    int y = layout->grid.y, end = layout->grid.x + layout->grid.columns;
    char after[32];
    for (size_t token = shown->first; token < shown->end; token++) {
        struct style style = scene_label_style(scene, SIDE_LEFT, token, ROLE_TEXT);
        struct area label = label_area(layout, token);
        canvas_text(canvas, y, label.x + 1, label.columns - 2, style,
                    scene_drawn(scene, SIDE_LEFT, token).text);
        canvas_mark(canvas, label, HIT_FROM, token);
    }
    if (shown->first > 0)
        canvas_print(canvas, y, layout->grid.x, 7, style_of(ROLE_FAINT), "← %zu", shown->first);
    else
        canvas_text(canvas, y, layout->grid.x, 7, style_of(ROLE_FAINT), "layer");
    snprintf(after, sizeof after, "%zu →", count - shown->end);
    if (shown->end < count)
        canvas_text_right(canvas, y, end, 7, style_of(ROLE_FAINT), after);
}

/* The layers, the last of which has the model's own answer, and how many are outside. */
static void draw_layers(const struct scene *scene, struct canvas *canvas,
                        const struct words_layout *layout)
{
    const struct token_range *shown = &layout->shown.layers;
    size_t above = scene->data.layers - shown->end;
    int x = layout->grid.x;
    for (size_t layer = shown->first; layer < shown->end; layer++) {
        bool here = layer == scene->look.layer;
        struct style style = here ? style_bold(ROLE_STRONG) : style_of(ROLE_FAINT);
        canvas_print(canvas, words_row(layout, layer), x, 5, style, here ? "▸%4zu" : "%5zu", layer);
    }
    if (above > 0)
        canvas_print(canvas, words_row(layout, shown->end - 1), x, 3, style_of(ROLE_FAINT), "↑%zu",
                     above);
    if (shown->first > 0)
        canvas_print(canvas, words_row(layout, shown->first) + layout->pitch, x, 20,
                     style_of(ROLE_FAINT), "↓ %zu more", shown->first);
}

static void draw_grid(const struct scene *scene, struct canvas *canvas,
                      const struct words_layout *layout)
{
    const struct token_range *tokens = &layout->shown.tokens, *layers = &layout->shown.layers;
    words_draw_tokens(scene, canvas, layout);
    draw_layers(scene, canvas, layout);
    for (size_t layer = layers->first; layer < layers->end; layer++)
        for (size_t token = tokens->first; token < tokens->end; token++)
            words_draw_cell(scene, canvas, cell_area(layout, layer, token), layer, token);
}

/* ---- The whole ---- */

/* For two sentences: whether the model takes the second for what follows the first, or both for
 * sentences that stand in their order. */
static void words_draw_pair(const struct scene *scene, struct canvas *canvas, struct area area)
{
    float pair;
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
    if (!scene_is_pair(scene) || !predict_pair(scene->data.trace, &pair))
        return;
    pen_write(&pen,
              scene->data.trace->nsp_logits ? "next sentence: B follows A <%.3f>"
                                            : "sentences in order: A before B <%.3f>",
              (double)pair);
    if (scene->data.before && predict_pair(scene->data.before, &pair))
        pen_write(&pen, " ← %.3f", (double)pair);
}

static enum status words_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                              struct error *error)
{
    (void)error; /* nothing here can fail */
    struct words_layout layout;
    words_draw_pair(scene, canvas, area);
    area.y++;
    area.rows -= 2; /* the legend is below */
    if (words_tell_replaced(scene)) {
        words_draw_replaced(scene, canvas, area);
        return STATUS_OK;
    }
    if (scene->data.speechless[0]) {
        struct area lower = {area.y + area.rows / 2, area.x + 2, area.rows / 2, area.columns - 4};
        canvas_paragraph(canvas, lower, style_of(ROLE_TEXT), scene->data.speechless);
        return STATUS_OK;
    }
    layout = words_lay_out(scene, canvas, area);
    draw_grid(scene, canvas, &layout);
    words_draw_answers(scene, canvas, layout.answers, layout.beside);
    return STATUS_OK;
}

#define MEANING "each layer's likeliest word, or next word (the logit lens)"

static void words_legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
    if (words_tell_replaced(scene))
        pen_write(&pen, "how probable it is that a token was put in another's place");
    if (scene->data.speechless[0])
        return;
    pen_write(&pen, scene->data.next ? "each layer's likeliest next word   "
                                     : "the likeliest word after each layer   ");
    if (!grid_by_glyph(canvas))
        pen_write(&pen, "fuller: surer   ");
    pen_print(&pen, style_of(grid_by_glyph(canvas) ? ROLE_STRONG : ROLE_POSITIVE),
              grid_by_glyph(canvas) ? "bright" : "blue");
    pen_write(&pen, ": another word");
}

/* ---- Keys and clicks ---- */

static const char *words_hints(const struct scene *scene)
{
    if (scene->data.speechless[0])
        return words_tell_replaced(scene) ? "←→: token; M: mask; z: change; e: edit"
                                          : "↑↓: layer; ←→: token; M: mask; z: change; e: edit";
    if (scene->look.answer != NO_TOKEN)
        return "↑↓: answer; Enter: put it into the text; o: effects; Esc: back";
    return scene->data.next
               ? "↑↓: layer; ←→: token; Enter: answers; o: effects; z: change; e: edit"
               : "↑↓: layer; ←→: token; Enter: answers; M: mask; o: effects; z: change; e: edit";
}

static const struct lens_cell *chosen_cell(const struct scene *scene)
{
    return scene->data.speechless[0]
               ? NULL
               : words_cell(scene, scene->look.layer, scene_token(scene, SIDE_LEFT));
}

/* The answer before or after the chosen one, as far as they are listed. */
static enum acted move_answer(struct scene *scene, int step)
{
    const struct lens_cell *cell = chosen_cell(scene);
    size_t at = 0;
    if (!cell)
        return ACT_DONE;
    while (at < cell->count && scene->look.answer != (size_t)cell->best[at].id)
        at++;
    if (at == cell->count)
        at = 0;
    else if (step < 0 ? at > 0 : at + 1 < cell->count)
        at += step < 0 ? SIZE_MAX : 1;
    scene->look.answer = (size_t)cell->best[at].id;
    scene->look.query_found = false; /* the user's, since its answer is */
    return ACT_DONE;
}

/* Which heads the answer hangs on is what the model view shows. */
static enum acted show_effects(struct scene *scene, struct error *error)
{
    if (scene->data.speechless[0]) {
        error_set(error, STATUS_UNSUPPORTED, "%s", scene->data.speechless);
        return ACT_REFUSED;
    }
    scene->look.metric = METRIC_EFFECT;
    return ACT_TO_ALL;
}

static enum acted words_move_token(struct scene *scene, bool on)
{
    scene->look.side = SIDE_LEFT;
    scene->look.answer = NO_TOKEN;
    scene->look.query_found = false;
    scene_move_cursor(scene, on ? 1 : -1);
    return ACT_DONE;
}

/* Whether words were replaced is told after the last layer alone. */
static enum acted move_layer(struct scene *scene, bool up)
{
    size_t *layer = &scene->look.layer;
    if (words_tell_replaced(scene))
        return words_move_token(scene, !up);
    if (up ? *layer + 1 < scene->data.layers : *layer > 0)
        *layer += up ? 1 : SIZE_MAX;
    return ACT_DONE;
}

static enum acted words_act(struct scene *scene, enum action action, struct error *error)
{
    bool answers = scene->look.answer != NO_TOKEN;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
        return answers ? move_answer(scene, action == ACTION_TOKEN_NEXT ? 1 : -1)
                       : move_layer(scene, action == ACTION_TOKEN_PREVIOUS);
    case ACTION_LEFT:
    case ACTION_RIGHT:
        return words_move_token(scene, action == ACTION_RIGHT);
    case ACTION_PIN:
        return move_answer(scene, 1); /* into the list */
    case ACTION_METRIC:
        return show_effects(scene, error);
    case ACTION_CLEAR:
        if (!answers)
            return ACT_PASSED;
        scene->look.answer = NO_TOKEN;
        return ACT_DONE;
    default:
        return ACT_PASSED;
    }
}

static enum action words_click(struct scene *scene, struct hit hit)
{
    size_t tokens = scene->data.tokens;
    if (hit.kind == HIT_LENS && hit.value < scene->data.layers * tokens) {
        scene->look.layer = hit.value / tokens;
        scene->look.side = SIDE_LEFT;
        scene->look.from = hit.value % tokens;
        scene->look.answer = NO_TOKEN;
    } else if (hit.kind == HIT_ANSWER) {
        if (scene->look.answer == hit.value)
            return ACTION_PIN;
        scene->look.answer = hit.value;
    }
    return ACTION_COUNT;
}

const struct view words_view = {
    .title = "Words",
    .about = "the likeliest word of each layer for each token: the model's answer on top",
    .meaning = MEANING " · blue: another than the text's",
    .mouse = "a cell, an answer, again: into the text",
    .heads = HEADS_CURSOR,
    .own_list = true,
    .has_query = true,
    .speaks = true,
    .draw = words_draw,
    .act = words_act,
    .click = words_click,
    .hints = words_hints,
    .legend = words_legend,
};
