/* sentence.c: the pieces that views make their sentences of. Nothing is computed here that takes
 * longer than a part of a frame: of a long text the head is not measured. */
#include "headlight/view/sentence.h"

#include "headlight/base/format.h"
#include "headlight/lens/figures.h"
#include "headlight/view/caption.h"

#include <string.h>

/* ---- Text ---- */

/* The rest of the buffer, as format_add would take the format as a list. */
void sentence_add(struct sentence *sentence, const char *format, ...)
{
    va_list arguments;
    const size_t used = strlen(sentence->text);
    va_start(arguments, format);
    format_cut_list(sentence->text + used, sizeof sentence->text - used, format, arguments);
    va_end(arguments);
}

void sentence_add_share(struct sentence *sentence, double share)
{
    char number[24];
    figure_print(number, sizeof number, FIGURE_SHARE, share);
    sentence_add(sentence, " (%s)", number);
}

/* ---- A head ---- */

/* The most weights of a head that are measured for a frame: of 256 tokens, in half a millisecond.
 */
#define MEASURED_MAX 65536

/* Whether the picture is of all that a head's label is measured on. */
static bool is_all_of_a_head(const struct scene *scene)
{
    const struct data *data = &scene->data;
    const struct token_range from = scene_range(scene, SIDE_LEFT),
                             to = scene_range(scene, SIDE_RIGHT);
    return !scene_is_single(scene) && data->map->kind == MAP_WEIGHTS &&
           head_mask_count(scene_maps(scene)) == 1 && scene->look.from == NO_TOKEN &&
           scene->look.to == NO_TOKEN && edge_range_count(from) == data->trace->tokens &&
           edge_range_count(to) == data->trace->attended;
}

/* Whether each word that stands again does so in the other sentence. */
static bool is_across(const struct scene *scene)
{
    const size_t *words = scene->data.kinds.words, boundary = scene_boundary(scene, SIDE_LEFT);
    for (size_t token = 0; token < scene->data.tokens; token++)
        if (words[token] < token && (words[token] >= boundary || token < boundary))
            return false;
    return true;
}

bool sentence_say_head(const struct scene *scene, struct sentence *sentence)
{
    const struct data *data = &scene->data;
    const struct trace *trace = data->trace;
    if (!is_all_of_a_head(scene) ||
        (!data->metrics && trace->tokens * trace->attended > MEASURED_MAX))
        return false;
    const size_t layer = scene->look.layer, head = head_mask_first(scene_maps(scene));
    const struct head_metrics metrics = data->metrics
                                            ? data->metrics[layer * data->head_count + head]
                                            : metrics_measure(trace, layer, head, &data->kinds);
    const struct head_label label = metrics_label(&metrics);
    if (label.label == LABEL_NONE)
        return false;
    sentence_add(sentence, "%s%s", label.says,
                 label.label == LABEL_SAME && is_across(scene) ? " in both sentences" : "");
    sentence_add_share(sentence, label.value);
    return true;
}

/* ---- An edge ---- */

/* Of a map of other numbers than weights, which nothing "looks" with. */
static void add_strongest(const struct scene *scene, struct sentence *sentence, bool words,
                          const char *from, const char *to)
{
    sentence_add(sentence, "The %s%s%s from %s to %s", scene_is_pinned(scene) ? "" : "strongest ",
                 map_info(scene->data.map->kind)->name, words ? " between words," : "", from, to);
}

/* A token that is chosen comes first. */
static void add_looks(const struct scene *scene, struct sentence *sentence, bool words,
                      const char *from, const char *to)
{
    const struct look *look = &scene->look;
    sentence_add(sentence, "%s",
                 scene->data.mean ? "On average, "
                 : words          ? "Between words, "
                                  : "");
    if (look->from == NO_TOKEN && look->to != NO_TOKEN)
        sentence_add(sentence, "%s is looked at most by %s", to, from);
    else
        sentence_add(sentence, "%s looks %sat %s", from, scene_is_pinned(scene) ? "" : "most ", to);
}

/* A light edge is not worth a sentence, unless it was chosen. */
void sentence_say_edge(const struct scene *scene, struct sentence *sentence)
{
    struct edge edge;
    if (!scene_current_edge(scene, &edge) || (edge.weight == 0 && !scene_is_pinned(scene)))
        return;
    const bool words = caption_is_between_words(scene, &edge);
    const struct token_name from = scene_name(scene, SIDE_LEFT, edge.from, sentence->ascii),
                            to = scene_name(scene, SIDE_RIGHT, edge.to, sentence->ascii);
    (scene->data.map->kind == MAP_WEIGHTS ? add_looks : add_strongest)(scene, sentence, words,
                                                                       from.text, to.text);
    sentence_add(sentence, " (%s", scene_number(scene, &edge).text);
    if (head_mask_count(scene_maps(scene)) > 1)
        sentence_add(sentence, ", head %u", (unsigned)edge.head);
    sentence_add(sentence, ")");
}
