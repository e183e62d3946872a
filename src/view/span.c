/* span.c: the answers view of a model that finds the answer to a question in a text: how probable
 * it is that the answer begins and ends at each token, and the best spans. */
#include "headlight/view/words.h"

#include "headlight/base/memory.h"
#include "headlight/lens/answer_rows.h"

#include <stdlib.h>

#define LIST_ROWS     (2 + SPANS_MAX) /* a heading, the spans, and that there is no answer */
#define LIST_MOST     100
#define SPAN_BYTES    256
#define TITLE_COLUMNS 100 /* of a title and what pairs are of */

static double share_at(const struct scene *scene, const void *context, size_t row, size_t token)
{
    const double *shares = context;
    return shares[row * scene->data.tokens + token];
}

struct span_list {
    struct canvas *canvas;
    struct area area;
    const struct answer *answer;
};

/* That there is no answer stands in its place: first, or last. */
static void draw_span(void *to, const struct answer_row *row)
{
    const struct span_list *list = to;
    const size_t none_first = answer_is_none(list->answer);
    const size_t place = row->name    ? row->rank - 1 + none_first
                         : none_first ? 0
                                      : list->answer->span_count;
    const struct words_row drawn = {
        .name = row->name ? row->name : "no answer",
        .columns = list->area.columns / 2,
        .probability = row->number,
        .most = fmax(list->answer->spans[0].score, fmax(list->answer->none, 1e-9)),
        .before = row->before,
        .hit = hit_token(SIDE_LEFT, row->token)};
    if ((int)place + 1 < list->area.rows)
        words_draw_row(
            list->canvas,
            (struct area){list->area.y + 1 + (int)place, list->area.x, 1, list->area.columns},
            &drawn);
}

static void span_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct layer_answers *answers = scene->data.layer_answers;
    const struct trace *trace = scene->data.trace;
    const struct encoding *encoding = scene->data.encoded->encoding;
    if (!answers || !answers->answer)
        return;
    const bool found = answers->answer->span_count > 0;
    /* [2,T] how probable each token is as the first and as the last one of the answer */
    double *shares = memory_new(2 * encoding->count, sizeof *shares, 0, "a span", &canvas->error);
    if (!shares)
        return;
    answer_span_shares(encoding, trace->outputs[OUTPUT_START], shares);
    answer_span_shares(encoding, trace->outputs[OUTPUT_END], shares + encoding->count);
    const bool none = answer_is_none(answers->answer);
    const bool crowded = words_effect_rows(scene) > 1 && area.columns < TITLE_COLUMNS;
    const char *title = !found    ? "the question, without a text to answer it"
                        : crowded ? ""
                                  : "the question and the text";
    struct strip strip = {.title = title,
                          .rows = found ? 2 : 0,
                          .names = {found ? "starts" : NULL, found ? "ends" : NULL},
                          .number = share_at,
                          .context = shares,
                          .shares = found ? 2 : 0,
                          .sparse = true,
                          .marked =
                              none ? (struct token_range){0, 1} : answers->answer->spans[0].tokens};
    struct area list = strip_above(&strip, scene, canvas, area, area.rows - 1 - LIST_ROWS);
    list.columns = int_min(list.columns, LIST_MOST);
    if (found) { /* all on one scale, what the model says first */
        struct span_list spans = {canvas, list, answers->answer};
        const struct answer_source source = {.checkpoint = scene->data.checkpoint,
                                             .encoded = scene->data.encoded,
                                             .trace = trace,
                                             .before = data_before(&scene->data),
                                             .task = answers->answer};
        canvas_text(canvas, list.y, list.x + 2, list.columns - 2, style_bold(ROLE_STRONG),
                    "the model's answer");
        answer_rows(&source, OUTPUT_START, draw_span, &spans, &canvas->error);
    }
    free(shares);
}

static void span_legend(const struct scene *scene, struct pen *pen)
{
    if (scene->data.layer_answers && scene->data.layer_answers->answer &&
        scene->data.layer_answers->answer->span_count > 0)
        pen_write(pen, "score: p(starts) · p(ends), each a softmax   no answer: both at %s",
                  scene_drawn(scene, SIDE_LEFT, 0).text);
    else
        pen_write(pen, "a question, and as the second text one that answers it: e, then Tab");
}

/* The model answers "the old man" (0.631) */
static void span_says(const struct scene *scene, struct sentence *sentence)
{
    const struct layer_answers *answers = scene->data.layer_answers;
    const struct answer *answer = answers ? answers->answer : NULL;
    if (!answer || answer->span_count == 0)
        return;
    if (scene->data.network && answers->before)
        sentence_print_change(scene, sentence);
    const bool first = sentence->text[0] == '\0';
    if (answer_is_none(answer))
        sentence_print(sentence, "%s model finds no answer", first ? "The" : "the");
    else
        sentence_print(sentence, "%s model answers \"%.*s\"", first ? "The" : "the",
                       (int)size_min(answer->spans[0].passage.shown.length, SPAN_BYTES),
                       answer->spans[0].passage.shown.bytes);
    sentence_print_share(sentence, answer_is_none(answer) ? answer->none : answer->spans[0].score);
}

const struct view span_view = {
    .draw = span_draw,
    .keys = "←→: token; o: heads; O: words; M: mask; z: change; e: edit",
    .legend = span_legend,
    .says = span_says,
};
