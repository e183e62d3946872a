/* model_view_figures.c: the figures of the model view: the metric, the label or the effect under
 * each thumbnail, the order that it sorts the heads in, and the lines of text that explain it. An
 * effect, which is signed, and a label, which is a word, are not in head_metrics: what asks for
 * "the figure" of a head asks here. It also knows the order in which sorted heads stand, for
 * drawing and for the keys. */
#include "headlight/view/model_view.h"

#include "headlight/base/memory.h"
#include "headlight/view/comparison.h"
#include "headlight/view/words.h"

#include <limits.h>
#include <stdlib.h>

enum metric model_view_metric(const struct scene *scene)
{
    return scene->look.ranked ? METRIC_PAIR : scene->look.metric;
}

/* ---- Numbers that one trace's weights don't have ---- */

/* [L,A] The change of the answer's log-probability without the head, negative where the head helps
 * it; or how far it is from the other model's. NULL: not measured. */
static const double *measured_apart(const struct data *data, enum metric metric)
{
    return metric == METRIC_EFFECT && data->effects     ? data->effects->change
           : metric == METRIC_MOVED && data->divergence ? data->divergence->bits
                                                        : NULL;
}

enum status model_view_check(const struct data *data, enum metric metric, struct error *error)
{
    if (metric == METRIC_EFFECT && *data_silence(data))
        return error_usage(error, "--metric effect: %s", data_silence(data));
    const struct trace *trace = data->trace ? data->trace : data->encoded->trace;
    if (site_defines(metric_infos[metric].axes, trace_site_axes(trace), "--metric ",
                     metric_infos[metric].name, STATUS_USAGE, error) != STATUS_OK)
        return error->status;
    return metric == METRIC_MOVED ? comparison_check(data, "--metric moved", error) : STATUS_OK;
}

/* The effect, unless only what moved is shown or measured. */
enum metric model_view_apart(const struct scene *scene)
{
    const bool moved = model_view_metric(scene) == METRIC_MOVED || !scene->data.effects;
    const enum metric metric = moved ? METRIC_MOVED : METRIC_EFFECT;
    return measured_apart(&scene->data, metric) ? metric : METRIC_NONE;
}

double model_view_cursor_value(const struct model_view_sheet *sheet, enum metric metric)
{
    const struct look *look = &sheet->scene->look;
    const struct data *data = &sheet->scene->data;
    const double *apart = measured_apart(data, metric);
    return apart ? apart[look->layer * data->head_count + look->head] : sheet->metrics.of[metric];
}

/* An effect that would be printed as 0.00 is faint, whatever its sign. */
struct style model_view_effect_style(double change)
{
    enum role role = change > 0 ? ROLE_POSITIVE : ROLE_NEGATIVE;
    bool seen = round(fabs(change) * 100) > 0; /* of two decimals something is left */
    struct style style = style_legible(ink_full(seen ? role : ROLE_FAINT));
    style.bold = metric_stands_out(METRIC_EFFECT, change);
    return style;
}

/* ---- Order ---- */

const char *model_view_unit(const struct scene *scene, enum metric metric)
{
    const struct effects *effects = scene->data.effects;
    const bool score = metric == METRIC_EFFECT && effects &&
                       target_is_score(scene->data.checkpoint->model, &effects->on);
    return score ? "" : metric_infos[metric].unit;
}

bool model_view_has_metric(const struct scene *scene)
{
    const enum metric metric = model_view_metric(scene);
    if (metric == METRIC_PAIR)
        return scene_is_pinned(scene);
    return metric >= METRIC_EFFECT ? measured_apart(&scene->data, metric) != NULL
                                   : metric != METRIC_NONE && scene->data.metrics;
}

/* For a metric that is chosen and measured, see model_view_has_metric. A pair has none where the
 * head can't see the one token from the other, or nothing was left of its score. */
double model_view_value(const struct scene *scene, size_t layer, size_t head)
{
    const size_t number = layer * scene->data.head_count + head;
    const enum metric metric = model_view_metric(scene);
    const double *apart = measured_apart(&scene->data, metric);
    if (metric == METRIC_PAIR) {
        const struct attention *attention = scene->data.attention;
        const size_t from = scene->look.from, to = scene->look.to;
        const struct token_range visible = attention_visible(attention, layer, from);
        const float value = attention_value(attention, layer, head, from, to);
        return to >= visible.first && to < visible.end && isfinite(value) ? (double)value : NAN;
    }
    return apart                    ? apart[number]
           : metric < METRIC_EFFECT ? scene->data.metrics[number].of[metric]
                                    : NAN;
}

bool model_view_is_sorted(const struct scene *scene)
{
    return (scene->look.sorted || scene->look.ranked) && model_view_has_metric(scene);
}

/* Labels are in the order of METRICS, equal ones by their number, which is at most 1. What has
 * no number sorts below everything. The largest loss is the most negative effect, hence its sign.
 */
static long key_of(const struct scene *scene, size_t layer, size_t head)
{
    if (model_view_metric(scene) == METRIC_LABEL) {
        struct head_label label = model_view_label(scene, layer, head);
        return label.metric != METRIC_NONE
                   ? lround(label.value * 1000) - 10000L * (long)label.metric
                   : LONG_MIN;
    }
    double value = model_view_value(scene, layer, head);
    double unit = model_view_metric(scene) == METRIC_EFFECT ? -1000 : 1000;
    return isnan(value) ? LONG_MIN : lround(value * unit);
}

/* Unsorted, the order is that of layers and heads, which the grid then shows row by row. */
struct ranked_head *model_view_sort(const struct scene *scene, struct error *error)
{
    const size_t heads = scene->data.head_count, count = scene->data.layers * heads;
    const bool sorted = model_view_is_sorted(scene);
    struct ranked_head *list = memory_new(count, sizeof *list, 0, "the ranking", error);
    for (size_t i = 0; i < count && list; i++)
        list[i] = (struct ranked_head){i / heads, i % heads,
                                       sorted ? key_of(scene, i / heads, i % heads) : 0};
    if (list)
        qsort(list, count, sizeof *list, ranking_compare);
    return list;
}

/* So many heads come before it. */
size_t model_view_place(const struct scene *scene, size_t layer, size_t head)
{
    size_t heads = scene->data.head_count, number = layer * heads + head, place = 0;
    if (!model_view_is_sorted(scene))
        return number;
    const long key = key_of(scene, layer, head);
    for (size_t i = 0; i < scene->data.layers * heads; i++) {
        long other = key_of(scene, i / heads, i % heads);
        place += other > key || (other == key && i < number);
    }
    return place;
}

/* ---- Labels ---- */

struct head_label model_view_label(const struct scene *scene, size_t layer, size_t head)
{
    return metrics_label(&scene->data.metrics[layer * scene->data.head_count + head]);
}

/* ---- The legend ---- */

/* Prints the text if there is room for all of it. */
static void print_whole(struct pen *pen, const char *text)
{
    if (pen->end - pen->x >= (int)strlen(text))
        pen_print(pen, style_of(ROLE_FAINT), "%s", text);
    else
        pen->end = pen->x; /* nor for what follows */
}

/* What the numbers under the thumbnails mean: a metric, or the effect on an answer. */
static void print_figure(const struct scene *scene, struct pen *pen)
{
    char begin[80];
    const struct metric_info *info = &metric_infos[model_view_metric(scene)];
    const bool undefined = scene->data.trace && !(info->axes & trace_site_axes(scene->data.trace));
    const char *meaning = undefined ? "not defined here" : info->meaning,
               *rest = strchr(meaning, ',');
    bool sorted = model_view_is_sorted(scene), effect = model_view_metric(scene) == METRIC_EFFECT;
    pen_print(pen, style_of(ROLE_FAINT), sorted ? "sorted by " : effect ? "" : "figure ");
    pen_print(pen, style_bold(ROLE_TITLE), "%s", info->name);
    if (effect) {
        /* ": change of log p(floor) at [MASK] without the head" */
        const struct target *on = &scene->data.effects->on;
        const struct checkpoint *checkpoint = scene->data.checkpoint;
        const bool ascii = canvas_ascii(pen->canvas);
        char text[128], name[96];
        target_name(checkpoint, scene->data.encoded, on, name, sizeof name);
        format_cut(text, sizeof text,
                   on->output == OUTPUT_SENTENCE            ? ": change of the %s"
                   : target_is_score(checkpoint->model, on) ? ": change of the score %s"
                                                            : ": change of log p(%s)",
                   name);
        print_whole(pen, text);
        if (target_has_token(on->output)) {
            format_cut(text, sizeof text, on->output == OUTPUT_LM ? " after %s" : " at %s",
                       words_asked_name(scene, on->token, ascii).text);
            print_whole(pen, text);
        }
        print_whole(pen, " without the head");
    } else if (model_view_metric(scene) == METRIC_PAIR) { /* which is named below */
        format_cut(begin, sizeof begin, ": the %s of the chosen pair",
                   map_infos[scene->data.map->kind].number);
        print_whole(pen, begin);
    } else {
        snprintf(begin, sizeof begin, ": %.*s", (int)strcspn(meaning, ","), meaning);
        print_whole(pen, begin);
        print_whole(pen, rest ? rest : "");
    }
    print_whole(pen, sorted ? ", beside layer.head" : "");
}

/* What the numbers mean, or why there are none; else what the grid shows: what a thumbnail is
 * first, and no piece that there is no room for. */
void model_view_print_legend(const struct scene *scene, struct pen *pen)
{
    struct error error;
    if (model_view_has_metric(scene)) {
        print_figure(scene, pen);
        return;
    }
    if (model_view_metric(scene) == METRIC_MOVED &&
        comparison_check(&scene->data, "moved", &error) != STATUS_OK) {
        pen_print(pen, style_of(ROLE_TEXT), "%s", error.message);
        return;
    }
    const bool lined = scene->look.lined;
    const unsigned least = thumbnail_lines_least(scene);
    const struct map_info *info = &map_infos[scene->data.map->kind];
    const char *signs = pen->canvas->traits.mono ? NULL : scene_signs(scene, pen->canvas);
    char what[128];
    if (lined && least > 1)
        snprintf(what, sizeof what, "lines: left attends to right, from %s up",
                 scene_scale(scene, (float)least / EDGE_WHOLE).text);
    else if (lined || scene->data.map->kind == MAP_WEIGHTS)
        strcpy(what, lined ? "lines: left attends to right" : "a map: rows attend to columns");
    else
        snprintf(what, sizeof what, "%s: %s", info->name, scene_map_meaning(scene));
    const char *const pieces[] = {what,
                                  signs && !lined ? signs : "",
                                  lined            ? ""
                                  : info->absolute ? "fuller: more"
                                                   : "fuller: more in its layer",
                                  scene_is_masked(scene) && !lined ? "blank: " UNSEEN : "",
                                  "down: layers",
                                  scene_is_single(scene) ? "" : "across: heads"};
    caption_parts(pen, pieces, LENGTH(pieces), true);
}
