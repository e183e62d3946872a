/* source.c: the answers view of an encoder, which says nothing itself: the source, and below it the
 * target, of which one token is asked about. What heads and words of the source do is done to what
 * the decoder says after that one. */
#include "headlight/view/grid.h"
#include "headlight/view/words.h"

#define COLUMN_COLUMNS 26 /* of tokens of the target, down and then across */

static void source_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct encoded *target = encoded_speaker(scene->data.encoded);
    const size_t asked = words_asked(&scene->look, &scene->data);
    struct strip strip = {.title = "the source"};
    const struct area list = strip_above(&strip, scene, canvas, area, area.rows / 2);
    const size_t rows = (size_t)int_max(list.rows - 1, 1),
                 columns = (size_t)int_max(list.columns / COLUMN_COLUMNS, 1);
    struct pen pen = {canvas, list.y, list.x + 2, list.x + list.columns};
    const struct token_range shown = grid_window(target->said.count, rows * columns, asked);
    pen_print(&pen, style_bold(ROLE_STRONG), "the target");
    pen_print(&pen, style_of(ROLE_FAINT), "   reads ▸ says next");
    for (size_t i = shown.first; i < shown.end && list.rows > 1; i++) {
        const size_t place = i - shown.first;
        const struct area row = {list.y + 1 + (int)(place % rows),
                                 list.x + COLUMN_COLUMNS * (int)(place / rows), 1,
                                 COLUMN_COLUMNS - 2};
        pen = (struct pen){canvas, row.y, row.x + 1, row.x + row.columns};
        pen_print(&pen, i == asked ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT), " %s ▸ %s ",
                  target->sides[SIDE_LEFT].labels[i], target->said.labels[i]);
        if (i == asked)
            words_bracket(canvas, (struct area){row.y, row.x + 1, 1, pen.x - row.x - 1},
                          style_bold(ROLE_STRONG));
        canvas_mark(canvas, row, hit_at(HIT(asked), i));
    }
}

static enum acted source_act(struct scene *scene, enum action action, struct error *error)
{
    const int last = (int)encoded_speaker(scene->data.encoded)->said.count - 1;
    if (action != ACTION_TOKEN_PREVIOUS && action != ACTION_TOKEN_NEXT)
        return words_act(scene, action, error);
    scene->look.asked = (size_t)int_clamp(
        (int)words_asked(&scene->look, &scene->data) + action_steps(action), 0, last);
    scene->look.answer = NO_TOKEN;
    return ACT_DONE;
}

static void source_legend(const struct scene *scene, struct pen *pen)
{
    pen_write(pen, "what the source does to the target's word in [ ]");
    if (!scene->data.word_effects)
        pen_write(pen, "   o: each head, O: each word");
}

static void source_says(const struct scene *scene, struct sentence *sentence)
{
    const size_t asked = words_asked(&scene->look, &scene->data);
    if (!sentence_say_answer(scene, sentence, asked))
        sentence_print(sentence, "After \"%s\" the target says \"%s\"",
                       words_asked_name(scene, asked, sentence->ascii).text,
                       encoded_speaker(scene->data.encoded)->said.labels[asked]);
}

const struct view source_view = {
    .draw = source_draw,
    .act = source_act,
    .keys = "o: heads; O: words; z: change; ↑↓: target; ←→: word; M: mask; e: edit",
    .legend = source_legend,
    .says = source_says,
};
