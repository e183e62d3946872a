/* similarity.c: the answers view of a model that makes a vector of a sentence: how the vector is
 * made, and of two sentences how alike they are, with what each token adds to that. */
#include "headlight/view/words.h"

#include "headlight/lens/figures.h"

#define BAR_MOST  100 /* columns of a name, its number and its bar */
#define NOTE_ROWS 3

/* What a token of the pair adds to the value on a sentence's side; nothing if it was cut off. */
static double part_of(const struct scene *scene, const void *context, size_t side, size_t token)
{
    const struct sentence_pair *sentences = context;
    const size_t place = sentence_index(scene->data.encoded->encoding,
                                        sentences->encoded[side]->encoding, (enum side)side, token);
    return place != NO_TOKEN ? sentences->parts[side][place] : NAN;
}

static void similarity_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
    const struct sentence_pair *sentences = scene_is_pair(scene) ? scene->data.sentences : NULL;
    const bool parts = sentences && !sentences->why_no_parts;
    struct strip strip = {.title = !scene_is_pair(scene) ? "the text" : "the two texts",
                          .rows = parts ? 2 : 0,
                          .names = {parts ? "of A" : NULL, parts ? "of B" : NULL},
                          .number = part_of,
                          .context = sentences,
                          .most = parts ? 1e-9 : 1};
    for (size_t side = 0; parts && side < 2; side++)
        for (size_t token = 0; token < sentences->encoded[side]->encoding->count; token++)
            strip.most = fmax(strip.most, fabs(sentences->parts[side][token]));
    const int kept = 2 + (sentences ? 3 : 0) + (parts ? 0 : NOTE_ROWS);
    struct area rest = strip_above(&strip, scene, canvas, area, area.rows - kept);
    if (rest.rows < 2)
        return;
    /* "mean of 7 tokens, 384 numbers, of length 1" */
    const struct sentence_model *sentence = scene->data.checkpoint->model->config.sentence;
    const float *vector = scene->data.trace->outputs[OUTPUT_SENTENCE];
    struct pen pen = {canvas, rest.y, rest.x + 1, rest.x + rest.columns};
    char pooling[64];
    sentence_pooling_name(sentence, pooling, sizeof pooling);
    pen_write(&pen, "pooling {%s} (%s)   %s%s{%zu} numbers", pooling,
              sentence->given ? "as its files say" : "assumed",
              sentence->dense.outputs > 0 ? "a dense layer   " : "",
              sentence->normalized ? "normalised   " : "", sentence->size);
    if (vector && !scene_is_pair(scene))
        pen_write(&pen, "   length {%.3f}", sqrt(vector_dot(vector, vector, sentence->size)));
    rest = area_below(rest, 2);
    if (sentences && rest.rows > 2) {
        /* what is a cosine lies between -1 and 1; other functions have no limits */
        const bool cosine = sentence->similarity == SIMILARITY_COSINE;
        const struct words_row row = {.name = similarity_name(scene),
                                      .probability = sentences->value,
                                      .most = cosine ? 1 : words_whole(fabs(sentences->value)),
                                      .before = sentences->before,
                                      .centred = true};
        pen = (struct pen){canvas, rest.y, rest.x + 1, rest.x + rest.columns};
        pen_print(&pen, style_bold(ROLE_STRONG), "A and B, each read by itself");
        pen_write(&pen, "   from -%g to %g, 0 in the middle", row.most, row.most);
        words_draw_row(canvas,
                       (struct area){rest.y + 1, rest.x - 1, 1, int_min(rest.columns, BAR_MOST)},
                       &row);
        rest = area_below(rest, 3);
    }
    rest.x++;
    rest.columns--;
    if (sentences && sentences->why_no_parts && rest.rows > 0)
        canvas_paragraph(canvas, rest, style_of(ROLE_FAINT), sentences->why_no_parts);
    else if (scene->data.note && rest.rows > 0)
        canvas_paragraph(canvas, rest, style_of(ROLE_FAINT), scene->data.note);
}

static void similarity_legend(const struct scene *scene, struct pen *pen)
{
    const struct sentence_pair *sentences = scene->data.sentences;
    if (!scene_is_pair(scene))
        pen_write(pen, "a second text, to compare the two: e, then Tab");
    else if (sentences && !sentences->why_no_parts)
        pen_write(pen,
                  "what each token adds: a row makes the %s, with a bias of {%+.2f} and {%+.2f}",
                  similarity_name(scene), sentences->rest[0], sentences->rest[1]);
}

/* The cosine of the two texts is 0.834 */
static void similarity_says(const struct scene *scene, struct sentence *sentence)
{
    const struct sentence_pair *sentences = scene_is_pair(scene) ? scene->data.sentences : NULL;
    char value[24];
    if (!sentences || sentence_say_similarity(scene, sentence))
        return;
    figure_print(value, sizeof value, FIGURE_DECIMAL, sentences->value);
    sentence_print(sentence, "The %s of the two texts is %s", similarity_name(scene), value);
}

static const char *similarity_hints(const struct scene *scene)
{
    return scene_is_pair(scene) ? "←→: token; o: heads; O: words; M: mask; z: change; e: edit"
                                : "←→: token; M: mask; z: change; e: edit";
}

const struct view similarity_view = {
    .draw = similarity_draw,
    .hints = similarity_hints,
    .legend = similarity_legend,
    .says = similarity_says,
};
