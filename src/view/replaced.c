/* replaced.c: the answers view of a discriminator, ELECTRA's, which has no words to predict: the
 * text with how probable it is that each token was put in another's place, and beside it a list of
 * all, the likeliest first. */
#include "headlight/view/grid.h"
#include "headlight/view/words.h"

#define LIST_COLUMNS 38

static double replaced_at(const struct scene *scene, const void *context, size_t row, size_t token)
{
    (void)context;
    (void)row;
    return (double)predict_replaced(scene->data.trace, token);
}

/* How many tokens come before this one in the list. Logits are compared, as probabilities close to
 * 0 or 1 may be equal after rounding. */
static size_t replaced_place(const struct scene *scene, size_t token)
{
    const float *logits = scene->data.trace->outputs[OUTPUT_RTD];
    size_t place = 0;
    for (size_t i = 0; i < scene->data.tokens; i++)
        place += logits[i] > logits[token] || (i < token && logits[i] >= logits[token]);
    return place;
}

/* The list takes at most half of the columns. All tokens are ranked for each frame, in T²
 * comparisons: texts have a few hundred tokens. Bars share one scale from 0 to 1: most tokens are
 * hardly ever "replaced". */
static void replaced_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct strip strip = {.title = "replaced?", .rows = 1, .shares = 1, .number = replaced_at};
    const int columns = int_min(LIST_COLUMNS, area.columns / 2);
    const struct area text = {area.y + 1, area.x, area.rows - 1, area.columns - columns},
                      list = {text.y, area.x + text.columns - 1, area.rows - 2, columns - 1};
    const size_t count = scene->data.tokens, rows = (size_t)int_max(list.rows - 1, 0);
    const struct trace *before = data_before(&scene->data);
    if (!scene->data.trace->outputs[OUTPUT_RTD] || list.rows < 3)
        return;
    strip_above(&strip, scene, canvas, text, list.rows);
    const size_t chosen = replaced_place(scene, scene_token(scene, SIDE_LEFT)),
                 first = grid_window(count, rows, chosen).first;
    struct pen pen = {canvas, list.y, list.x, list.x + list.columns};
    pen_print(&pen, style_of(ROLE_FAINT), "likeliest first");
    if (count > rows)
        pen_print(&pen, style_of(ROLE_FAINT), "   %zu of %zu", rows, count);
    for (size_t token = 0; token < count; token++) {
        const size_t place = replaced_place(scene, token);
        const struct token_name name = scene_name(scene, SIDE_LEFT, token, canvas_ascii(canvas));
        if (place >= first && place < first + rows)
            words_draw_row(
                canvas, (struct area){list.y + 1 + (int)(place - first), list.x, 1, list.columns},
                &(struct words_row){
                    .name = name.text,
                    .probability = (double)predict_replaced(scene->data.trace, token),
                    .most = 1,
                    .before = before ? (double)predict_replaced(before, token) : NAN,
                    .chosen = token == scene_token(scene, SIDE_LEFT),
                    .hit = hit_token(SIDE_LEFT, token)});
    }
}

static void replaced_legend(const struct scene *scene, struct pen *pen)
{
    (void)scene;
    pen_write(pen, "how probable it is that a token was put in another's place");
}

/* Of the token that was likeliest put in the place of another, frame or not. */
static void replaced_says(const struct scene *scene, struct sentence *sentence)
{
    size_t most = 0;
    if (!scene->data.trace->outputs[OUTPUT_RTD])
        return;
    while (replaced_place(scene, most) > 0)
        most++;
    sentence_print(sentence, "The likeliest to stand in another's place is \"%s\"",
                   scene_name(scene, SIDE_LEFT, most, sentence->ascii).text);
    sentence_print_share(sentence, (double)predict_replaced(scene->data.trace, most));
}

const struct view replaced_view = {
    .draw = replaced_draw,
    .keys = "←→: token; M: mask; o: effects; z: change; e: edit",
    .legend = replaced_legend,
    .says = replaced_says,
};
