/* words.c: the answers view of words, and of tags. What the model would say at every token, were
 * each layer its last one (logit_lens.h): rows are layers, from bottom to top as the network runs,
 * columns are tokens, as wide as their pieces; a cell is the likeliest piece, shaded by its
 * probability: in blue where it is another than stands there. Beside or below them the model's
 * likeliest ten at the chosen token and, where the cursor is on another layer, that layer's
 * (words.h). */
#include "headlight/view/words.h"

#include "headlight/lens/answers.h"
#include "headlight/view/grid.h"

/* Sizes in columns and rows. */
#define LAYER_COLUMNS   8   /* "  layer " */
#define ANSWERS_COLUMNS 38  /* beside the grid, or more where it ends early */
#define ANSWERS_ROWS    8   /* below it */
#define BESIDE_COLUMNS  110 /* so many columns have room for both side by side */
#define OUTSIDE_COLUMNS 6   /* "123 →" */
#define PITCH_MOST      5
#define SPREAD_MOST     4

/* ---- Where it stands ---- */

static int token_columns(const void *sheet, size_t token)
{
    return words_columns(sheet, token);
}

static struct token_range words_tokens_shown(const struct words_sheet *sheet, int columns)
{
    const struct token_range all = sheet->tokens;
    const size_t chosen = scene_token(sheet->scene, SIDE_LEFT);
    return grid_around(all, chosen >= all.first && chosen < all.end ? chosen : all.first, columns,
                       token_columns, sheet);
}

/* Rows of each of so many layers, in rows that have a heading and a blank one, too. Four would have
 * no middle. */
static int pitch_in(int rows, int layers)
{
    int pitch = int_clamp((rows - 2) / layers, 1, PITCH_MOST);
    return pitch == 4 ? 3 : pitch;
}

/* The answers stand beside the grid on wide screens, else below it, as long as the grid keeps a few
 * rows. Token columns are chosen twice: only if not all fit is there a number of those outside,
 * which needs columns itself. */
static void words_lay_out(struct words_sheet *sheet)
{
    struct area *grid = &sheet->grid, *answers = &sheet->answers;
    struct lens_area *shown = &sheet->shown;
    size_t layers = sheet->scene->data.layers;
    *answers = *grid;
    sheet->beside = grid->columns + 4 >= BESIDE_COLUMNS && sheet->layer != NO_TOKEN;
    if (sheet->beside) {
        grid->columns -= ANSWERS_COLUMNS + 2;
        answers->x += grid->columns + 2;
        answers->columns = ANSWERS_COLUMNS;
    } else {
        int room = grid->rows - (grid->rows > ANSWERS_ROWS + 4 ? ANSWERS_ROWS : 0);
        grid->rows = int_min(room, 2 + (int)layers * pitch_in(room, (int)layers));
        *answers = area_below(*answers, grid->rows + 1);
    }
    int columns = grid->columns - LAYER_COLUMNS;
    if (answers->rows < ANSWERS_ROWS - 2)
        sheet->canvas->overflow |= OVERFLOW_ROWS;
    shown->tokens = words_tokens_shown(sheet, columns);
    if (edge_range_count(shown->tokens) < edge_range_count(sheet->tokens)) {
        sheet->canvas->overflow |= OVERFLOW_COLUMNS;
        shown->tokens = words_tokens_shown(sheet, columns - OUTSIDE_COLUMNS);
    }
    sheet->apart = (words_are_tags(sheet->scene) || sheet->scene->data.next) && grid->rows > 4;
    const int taken = 2 + sheet->apart;
    shown->layers =
        grid_window(layers, (size_t)int_max(grid->rows - taken, 1), sheet->scene->look.layer);
    if (edge_range_count(shown->layers) < layers)
        sheet->canvas->overflow |= OVERFLOW_ROWS;
    sheet->pitch = pitch_in(grid->rows, (int)(shown->layers.end - shown->layers.first));
    sheet->apart &= sheet->pitch == 1;
    /* what is left of the columns is shared out evenly, up to SPREAD_MOST for each: further apart,
     * rows would be hard to follow */
    const size_t count = shown->tokens.end - shown->tokens.first;
    int *begins = sheet->begins;
    begins[0] = grid->x + LAYER_COLUMNS;
    for (size_t i = 0; i < count; i++)
        begins[i + 1] = begins[i] + words_columns(sheet, shown->tokens.first + i);
    const int outside = count < edge_range_count(sheet->tokens) ? OUTSIDE_COLUMNS : 0,
              left = grid->x + grid->columns - outside - begins[count],
              more = int_clamp(left / int_max((int)count, 1), 0, SPREAD_MOST);
    for (size_t i = 1; i <= count; i++)
        begins[i] += (int)i * more;
    if (sheet->beside && count == scene_count(sheet->scene, SIDE_LEFT)) { /* not in a far corner */
        const int spare = int_max(answers->x - begins[count] - 4, 0);
        answers->x -= spare;
        answers->columns += spare;
    }
}

/* The middle row of a layer. Layers go upwards, as the network is usually drawn. */
static int words_row(const struct words_sheet *sheet, size_t layer)
{
    return sheet->grid.y + 1 + (sheet->pitch - 1) / 2 +
           sheet->pitch * (int)(sheet->shown.layers.end - 1 - layer) +
           (sheet->apart && layer + 1 < sheet->scene->data.layers);
}

/* A token's place in so many rows. */
static struct area words_area(const struct words_sheet *sheet, size_t token, int y, int rows)
{
    const int *begin = &sheet->begins[token - sheet->shown.tokens.first];
    return (struct area){y, begin[0], rows, begin[1] - begin[0] - 1};
}

/* ---- Cells ---- */

/* What is neither another word than the model sees nor a tag that says something is dimmed, and
 * what nobody trained. That the text ends where it does is no other word. */
static struct style cell_style(const struct words_sheet *sheet, const struct lens_cell *cell,
                               size_t token)
{
    const struct data *data = &sheet->scene->data;
    const int32_t best = cell->best[0].id;
    const bool ends = data->next && cell->id == LENS_NOTHING &&
                      config_ends_at(&data->checkpoint->model->config, best);
    const bool differs = words_are_tags(sheet->scene)
                             ? !answer_is_outside(answers_labels(sheet->scene), (size_t)best)
                             : !ends && best != (data->next ? cell->id : data->trace->ids[token]);
    const unsigned level = (unsigned)lround(STYLE_FULL * sqrt(exp(cell->best[0].logprob)));
    struct style style = style_of(differs ? ROLE_READABLE : ROLE_TEXT);
    if (words_untrained(sheet->scene, token))
        return style_of(ROLE_FAINT);
    style.bold = differs;
    if (grid_by_glyph(sheet->canvas))
        style.fore = ink_full(differs ? ROLE_STRONG : ROLE_FAINT);
    else
        style.back = (struct ink){differs ? ROLE_POSITIVE : ROLE_TEXT,
                                  (uint8_t)(differs ? level : level / 4)};
    return style;
}

/* Brackets around the one under the cursor; on a projector it alone is bold. */
static void words_draw_cell(const struct words_sheet *sheet, size_t layer, size_t token)
{
    const struct scene *scene = sheet->scene;
    const struct lens_cell *said = words_cell(scene, layer, token);
    struct style style = said ? cell_style(sheet, said, token) : style_of(ROLE_FAINT);
    const bool here = layer == sheet->layer && token == scene_token(scene, SIDE_LEFT);
    int middle = words_row(sheet, layer);
    struct area cell = words_area(sheet, token, middle - (sheet->pitch - 1) / 2,
                                  sheet->pitch + (sheet->apart && layer + 1 == scene->data.layers));
    if (scene->look.presented && !sheet->canvas->bare && !grid_by_glyph(sheet->canvas))
        style.bold = here;
    canvas_fill(sheet->canvas, cell, style);
    canvas_mark(sheet->canvas, cell,
                (struct hit){{HIT(layer), HIT(from)}, .value = {layer, token}});
    cell.y = middle;
    canvas_text(sheet->canvas, cell.y, cell.x + 1, cell.columns - 2, style,
                said ? words_piece(scene, said->best[0].id) : "…");
    const bool last = layer + 1 == scene->data.layers;
    if (said && (sheet->pitch > 1 || (sheet->apart && last)) &&
        (words_are_tags(scene) || (last && scene->data.next && said->id != LENS_NOTHING)))
        canvas_print(sheet->canvas, cell.y + 1, cell.x + 1, cell.columns - 2, style, "%.2f",
                     words_are_tags(scene)     ? exp(said->best[0].logprob)
                     : said->logprob < -0.005F ? said->logprob
                                               : 0); /* no -0.00 */
    if (!here)
        return;
    style.bold = true;
    style.fore = ink_full(said && style.back.level > 0 ? ROLE_READABLE : ROLE_STRONG);
    words_bracket(sheet->canvas, cell, style);
}

/* ---- Axes ---- */

/* The tokens, and how many are outside on either side; below them, what the answer loses or gains
 * without their words; and the layers, the last of which has the model's own answer. */
static void draw_axes(const struct words_sheet *sheet)
{
    const struct token_range *shown = &sheet->shown.tokens, *layers = &sheet->shown.layers;
    const double most = sheet->effects > 0 ? words_largest_effect(sheet->scene) : 0;
    const struct style faint = style_of(ROLE_FAINT);
    const struct area *grid = &sheet->grid;
    const int y = grid->y - sheet->effects;
    struct pen pen = {sheet->canvas, y, grid->x, grid->x + 7};
    char after[32];
    for (size_t token = shown->first; token < shown->end; token++) {
        struct style style = scene_label_style(sheet->scene, SIDE_LEFT, token, ROLE_TEXT);
        struct area label = words_area(sheet, token, y, 1);
        canvas_text(sheet->canvas, label.y, label.x + 1, label.columns - 2, style,
                    scene_drawn(sheet->scene, SIDE_LEFT, token).text);
        canvas_mark(sheet->canvas, label, hit_token(SIDE_LEFT, token));
    }
    const size_t before = shown->first - sheet->tokens.first,
                 behind = sheet->tokens.end - shown->end;
    pen_print(&pen, faint, before > 0 ? "← %zu" : "layer", before);
    snprintf(after, sizeof after, "%zu →", behind);
    if (behind > 0)
        canvas_text_right(sheet->canvas, y, grid->x + grid->columns, 7, faint, after);
    for (int row = 0; row < sheet->effects; row++) {
        for (size_t token = shown->first; token < shown->end; token++)
            words_draw_effect(sheet->scene, sheet->canvas, words_area(sheet, token, y + 1 + row, 1),
                              (size_t)row, token, most);
        canvas_text(sheet->canvas, y + 1 + row, grid->x, LAYER_COLUMNS - 1, faint,
                    words_effect_names[row]);
    }
    for (size_t layer = layers->first; layer < layers->end; layer++) {
        bool here = layer == sheet->layer;
        canvas_print(sheet->canvas, words_row(sheet, layer), grid->x, 5,
                     here ? style_bold(ROLE_STRONG) : faint, here ? "▸%4zu" : "%5zu", layer);
    }
    const size_t above = sheet->scene->data.layers - layers->end;
    if (above > 0)
        canvas_print(sheet->canvas, words_row(sheet, layers->end - 1), grid->x, 3, faint, "↑%zu",
                     above);
    if (layers->first > 0)
        canvas_print(sheet->canvas, words_row(sheet, layers->first) + sheet->pitch, grid->x, 20,
                     faint, "↓ %zu more", layers->first);
}

/* Above the tokens, those whose tags belong together, in brackets, each kind in a hue. */
static void draw_groups(const struct words_sheet *sheet)
{
    const struct token_range *shown = &sheet->shown.tokens;
    const struct layer_answers *answers = sheet->scene->data.layer_answers;
    const struct answer *answer = answers ? answers->answer : NULL;
    for (size_t i = 0; answer && i < answer->group_count; i++) {
        const struct tag_group *group = &answer->groups[i];
        const size_t first = size_max(group->tokens.first, shown->first);
        const size_t end = size_min(group->tokens.end, shown->end);
        if (first >= end)
            continue;
        size_t kind = 0;
        while (strcmp(answer->groups[kind].name, group->name) != 0)
            kind++;
        struct style style = style_legible(ink_head(kind, STYLE_FULL));
        struct area area = words_area(sheet, first, sheet->grid.y - 1 - sheet->effects, 1);
        style.bold = true;
        area.columns = sheet->begins[end - shown->first] - 1 - area.x;
        struct pen pen = {sheet->canvas, area.y, area.x + 1, area.x + area.columns - 1};
        pen_print(&pen, style, "%s", group->name);
        if (pen.x + 5 <= pen.end)
            pen_print(&pen, style, " %.2f", group->score);
        words_bracket(sheet->canvas, area, style);
    }
}

/* ---- The whole ---- */

static bool words_in_layers(const struct scene *scene)
{
    return words_are_tags(scene) || !scene->data.no_lens[0];
}

/* Which answers are blue. */
static const char *what_differs(const struct scene *scene)
{
    return words_are_tags(scene) ? ": not O"
           : scene->data.next    ? ": not the text's"
                                 : ": not the word it sees";
}

/* What words of the source do to the answer stands above, and the pair, with what is said of grey
 * columns; the legend below. A model without any head says so. A figure leaves out tokens at either
 * end that frame the text, where a model was never trained to say words. */
static void words_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct strip source = {.title = "the source", .side = SIDE_RIGHT};
    if (!canvas->bare && scene->data.word_effects && encoded_is_crossed(scene->data.encoded))
        area =
            area_below(area, strip_above(&source, scene, canvas, area, area.rows / 3).y - area.y);
    struct token_range tokens = {0, scene_count(scene, SIDE_LEFT)};
    while (canvas->bare && tokens.end - tokens.first > 1 && words_untrained(scene, tokens.first))
        tokens.first++;
    while (canvas->bare && tokens.end - tokens.first > 1 && words_untrained(scene, tokens.end - 1))
        tokens.end--;
    struct words_sheet sheet = {
        scene, canvas, .grid = {area.y + 1, area.x + 2, area.rows - 2, area.columns - 4},
        .tokens = tokens, .layer = canvas->bare ? NO_TOKEN : scene->look.layer};
    struct pen pen = {canvas, area.y, area.x + 2, area.x + area.columns - 2};
    float pair;
    if (scene_is_pair(scene) && predict_pair(scene->data.trace, &pair)) {
        /* whether the second follows the first, or both are in their order */
        pen_write(&pen,
                  scene->data.trace->outputs[OUTPUT_NSP] ? "next sentence: B follows A <%.3f>"
                                                         : "sentences in order: A before B <%.3f>",
                  (double)pair);
        if (data_before(&scene->data) && predict_pair(data_before(&scene->data), &pair))
            pen_write(&pen, " ← %.3f", (double)pair);
        pen.x += 3;
    }
    if (!words_in_layers(scene)) {
        /* why the model says nothing, what is wrong with its heads if anything is, what is there */
        const struct checkpoint *checkpoint = scene->data.checkpoint;
        const char *const notes[] = {scene->data.no_lens, checkpoint ? checkpoint->model->note : "",
                                     checkpoint ? "Its attention is in the other views." : ""};
        struct area below = area_below(sheet.grid, sheet.grid.rows / 3);
        for (size_t i = 0; i < LENGTH(notes); i++)
            if (*notes[i])
                below = area_below(
                    below, 1 + canvas_paragraph(canvas, below, style_of(ROLE_TEXT), notes[i]));
    } else {
        const bool groups = words_are_tags(scene) && sheet.grid.rows > 4;
        sheet.effects = sheet.grid.rows > 8 && !encoded_is_crossed(scene->data.encoded)
                            ? (int)words_effect_rows(scene)
                            : 0;
        sheet.grid.y += groups + sheet.effects; /* those stand above the tokens, these below */
        sheet.grid.rows -= groups + sheet.effects;
        words_lay_out(&sheet);
        if (sheet.effects) {
            words_write_effects(scene, &pen);
            pen.x += 3;
        }
        /* why some columns are grey, where there is room for all of it */
        char text[64];
        bool some = false;
        for (size_t token = tokens.first; token < tokens.end; token++)
            some |= words_untrained(scene, token);
        snprintf(text, sizeof text, "%s: %s", grid_by_glyph(canvas) ? "faint" : "grey",
                 words_are_tags(scene) ? "no part of the text" : WORDS_UNTRAINED);
        if (some && pen.x + (int)strlen(text) <= pen.end)
            pen_print(&pen, style_of(ROLE_FAINT), "%s", text);
        draw_axes(&sheet);
        const struct lens_area *shown = &sheet.shown;
        for (size_t layer = shown->layers.first; layer < shown->layers.end; layer++)
            for (size_t token = shown->tokens.first; token < shown->tokens.end; token++)
                words_draw_cell(&sheet, layer, token);
        if (groups)
            draw_groups(&sheet);
        words_draw_answers(&sheet);
    }
    if (canvas->bare) {
        const bool plain = canvas->traits.mono;
        pen = (struct pen){canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 2};
        pen_print(&pen, plain ? style_bold(ROLE_TEXT) : style_of(ROLE_POSITIVE),
                  plain ? "bold" : "blue");
        pen_write(&pen, "%s   fuller: surer", what_differs(scene));
    }
}

/* Without colours, "bright" stands for what blue means otherwise. */
static void words_legend(const struct scene *scene, struct pen *pen)
{
    if (!words_in_layers(scene))
        return;
    pen_write(pen, words_are_tags(scene) ? "the likeliest tag after each layer   "
                   : scene->data.next    ? "next words   below: the text's log p   "
                                         : "each layer's likeliest word   ");
    if (!grid_by_glyph(pen->canvas))
        pen_write(pen, "fuller: surer   ");
    pen_print(pen, style_of(grid_by_glyph(pen->canvas) ? ROLE_STRONG : ROLE_POSITIVE),
              grid_by_glyph(pen->canvas) ? "bright" : "blue");
    pen_write(pen, "%s%s", what_differs(scene),
              words_are_tags(scene) ? "   [ ]: tokens that belong together" : "");
}

/* What became of the answer that was likeliest before. */
static void say_turn(const struct scene *scene, struct sentence *sentence,
                     const struct lens_cell *cell)
{
    const struct target target = {.output = words_are_tags(scene) ? OUTPUT_TAGS : OUTPUT_MLM,
                                  .token = scene_token(scene, SIDE_LEFT),
                                  .id = cell->was.id};
    sentence_print_change(scene, sentence);
    sentence_print_turn(scene, sentence, &target, exp(cell->was_before), exp(cell->was.logprob));
}

/* For "[MASK]" the model says "are" (0.480), then "were" (0.430). That it says a word which it can
 * see is no feat, so that is said too. */
static void say_likeliest(const struct scene *scene, struct sentence *sentence,
                          const struct lens_cell *cell)
{
    const size_t layer = scene->look.layer, token = scene_token(scene, SIDE_LEFT);
    const struct token_name name = scene_name(scene, SIDE_LEFT, token, sentence->ascii);
    const bool last = layer + 1 == scene->data.layers;
    const bool seen = last && !words_are_tags(scene) && !words_is_masked(&scene->data, token);
    const char *how = scene->data.next ? "After" : seen ? "Where it sees" : "For";
    sentence_print(sentence, "%s \"%s\" ", how, name.text);
    if (last)
        sentence_print(sentence, "the model says");
    else
        sentence_print(sentence, "layer %zu says", layer);
    /* what is hardly likely is not worth a word beside the likeliest */
    for (size_t i = 0; i < cell->count && i < 2 && (i == 0 || exp(cell->best[i].logprob) >= 0.001);
         i++) {
        sentence_print(sentence, i == 0 ? " \"%s\"" : ", then \"%s\"",
                       words_piece(scene, cell->best[i].id));
        sentence_print_share(sentence, exp(cell->best[i].logprob));
    }
}

/* Of two sentences without a gap, before a token is chosen: how probable it is that the second
 * follows the first or, for a model of the order of sentences, that they stand in theirs. */
static bool say_pair(const struct scene *scene, struct sentence *sentence)
{
    const bool order = !scene->data.trace->outputs[OUTPUT_NSP];
    const struct target target = {.output = order ? OUTPUT_SOP : OUTPUT_NSP};
    float now, before = NAN;
    if (!scene->data.checkpoint || !scene_is_pair(scene) ||
        (scene->look.from != NO_TOKEN && !scene->look.query_found) ||
        words_masked(&scene->data) != NO_TOKEN || !predict_pair(scene->data.trace, &now))
        return false;
    if (data_before(&scene->data) && predict_pair(data_before(&scene->data), &before))
        sentence_print_change(scene, sentence);
    sentence_print_turn(scene, sentence, &target, (double)before, (double)now);
    return true;
}

/* What is likeliest and what comes next to it, by the model or the layer under the cursor; after a
 * change what became of it, of the model's answer as in other views. */
static void words_says(const struct scene *scene, struct sentence *sentence)
{
    const struct before_after *change = scene->data.before_after;
    const size_t token = scene_token(scene, SIDE_LEFT);
    const struct lens_cell *cell = words_cell(scene, scene->look.layer, token);
    const bool last = scene->look.layer + 1 == scene->data.layers;
    if (last && say_pair(scene, sentence))
        return;
    if (last && change && change->token == token)
        sentence_say_change(scene, sentence);
    else if (cell && words_untrained(scene, token))
        sentence_print(sentence, "The model was never trained to answer at \"%s\"",
                       scene_name(scene, SIDE_LEFT, token, sentence->ascii).text);
    else if (cell)
        (cell->compared && scene->data.network ? say_turn : say_likeliest)(scene, sentence, cell);
}

/* ---- Keys ---- */

/* What Enter does depends on whether the cursor is in the grid or among the answers. A model that
 * predicts the next word has no [MASK] to offer. */
static const char *words_hints(const struct scene *scene)
{
    if (!words_in_layers(scene))
        return "e: edit";
    if (words_are_tags(scene))
        return words_hints_of_labels(scene);
    if (scene->look.answer != NO_TOKEN)
        return "↑↓: answer; Enter: put it into the text; o: effects; Esc: back";
    return scene->data.next
               ? "o: heads; O: words; ↑↓: layer; ←→: token; Enter: answers; E: go on; z: change; "
                 "e: edit"
               : "↑↓: layer; ←→: token; M: mask; Enter: answers; o: effects; z: change; e: edit";
}

const struct view words_view = {
    .draw = words_draw,
    .hints = words_hints,
    .legend = words_legend,
    .says = words_says,
};
