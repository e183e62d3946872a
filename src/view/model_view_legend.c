#include "headlight/view/model_view_legend.h"

#include "headlight/view/caption.h"
#include "headlight/view/model_view_effect.h"
#include "headlight/view/model_view_label.h"
#include "headlight/view/model_view_layout.h"
#include "headlight/view/model_view_lines.h"
#include "headlight/view/model_view_order.h"

#include <stdio.h>
#include <string.h>

#define GAP 3 /* columns between the pieces of a line */

/* "2 layers above, 3 below": how many rows or columns lie beyond the grid. Empty: none. */
static void describe_beyond(const struct model_view_axis *axis, size_t count, const char *what,
                            const char *const sides[2], char *text, size_t size)
{
    size_t before = axis->first, after = count - axis->first - axis->shown;
    size_t first = before > 0 ? before : after;
    int used = 0;
    text[0] = '\0';
    if (first > 0)
        used = snprintf(text, size, "%zu %s%s %s", first, what, first == 1 ? "" : "s",
                        sides[before == 0]);
    if (before > 0 && after > 0)
        snprintf(text + used, size - (size_t)used, ", %zu %s", after, sides[1]);
}

/* At the right end of the legend's row. Returns where that ends. */
static int draw_beyond(const struct scene *scene, struct canvas *canvas, struct area area)
{
    static const char *const down[] = {"above", "below"}, *const across[] = {"left", "right"};
    const struct model_view_layout layout = model_view_lay_out(scene, canvas, area);
    bool sorted = model_view_is_sorted(scene);
    char rows[40], columns[40], text[96];
    int end = area.x + area.columns - 2;
    describe_beyond(&layout.rows, scene->data.layers, sorted ? "row" : "layer", down, rows,
                    sizeof rows);
    describe_beyond(&layout.columns, scene->data.head_count, sorted ? "column" : "head", across,
                    columns, sizeof columns);
    if (!rows[0] && !columns[0])
        return end;
    int used =
        snprintf(text, sizeof text, "%s%s%s", rows, rows[0] && columns[0] ? ", " : "", columns);
    canvas_text(canvas, area.y + area.rows - 2, end - used, used, style_of(ROLE_TITLE), text);
    return end - used - GAP;
}

/* Prints the text if there is room for all of it. */
static void print_whole(struct pen *pen, const char *text)
{
    if (pen->end - pen->x >= (int)strlen(text))
        pen_print(pen, style_of(ROLE_FAINT), "%s", text);
    else
        pen->end = pen->x; /* nor for what follows */
}

/* What the grid shows: what a thumbnail is first, and no piece that there is no room for. */
static void print_pieces(const struct scene *scene, struct pen *pen)
{
    char lines[64] = "lines: left attends to right";
    int begin = pen->x;
    unsigned least = model_view_lines_least(scene);
    if (least > 1)
        snprintf(lines, sizeof lines, "lines: left attends to right, from %s up",
                 scene_scale(scene, (float)least / EDGE_WHOLE).text);
    char map[128];
    const struct map_info *info = map_info(scene->data.map->kind);
    snprintf(map, sizeof map, "%s: %s", info->name, info->meaning);
    if (scene->data.map->kind == MAP_WEIGHTS)
        strcpy(map, "a map: rows attend to columns");
    const char *signs = pen->canvas->traits.mono ? NULL : scene_signs(scene, pen->canvas);
    const char *const pieces[] = {scene->look.lined ? lines : map,
                                  signs && !scene->look.lined ? signs : "",
                                  scene->look.lined ? ""
                                  : info->absolute  ? "fuller: more"
                                                    : "fuller: more in its layer",
                                  "down: layers", scene_is_single(scene) ? "" : "across: heads"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        int gap = pen->x > begin ? GAP : 0;
        int width = (int)text_width(pieces[i], canvas_ascii(pen->canvas));
        if (width == 0 || pen->end - pen->x < gap + width)
            continue;
        pen->x += gap;
        pen_print(pen, style_of(ROLE_FAINT), "%s", pieces[i]);
    }
}

/* What the numbers under the thumbnails mean: a metric, or the effect on an answer. */
static void print_figure(const struct scene *scene, struct pen *pen)
{
    char begin[80];
    const char *meaning = metric_meaning(scene->look.metric), *rest = strchr(meaning, ',');
    bool sorted = model_view_is_sorted(scene), effect = scene->look.metric == METRIC_EFFECT;
    pen_print(pen, style_of(ROLE_FAINT), sorted ? "sorted by " : effect ? "" : "figure ");
    pen_print(pen, style_bold(ROLE_TITLE), "%s", metric_name(scene->look.metric));
    if (effect) {
        struct effect_words words = model_view_effect_words(scene, canvas_ascii(pen->canvas));
        print_whole(pen, words.answer);
        print_whole(pen, words.token);
        print_whole(pen, " without the head");
    } else {
        snprintf(begin, sizeof begin, ": %.*s", (int)strcspn(meaning, ","), meaning);
        print_whole(pen, begin);
        print_whole(pen, rest ? rest : "");
    }
    print_whole(pen, sorted ? ", beside layer:head" : "");
}

void model_view_legend(const struct scene *scene, struct canvas *canvas, struct area area)
{
    struct pen pen = {canvas, area.y + area.rows - 2, area.x + 2, draw_beyond(scene, canvas, area)};
    (model_view_has_metric(scene) ? print_figure : print_pieces)(scene, &pen);
}

/* The metric that the grid shows, or else the head's label. */
static void print_metric(const struct scene *scene, struct pen *pen,
                         const struct head_metrics *metrics, int kept)
{
    enum metric metric = scene->look.metric;
    char text[32];
    bool measured = metric != METRIC_EFFECT || scene->data.effects;
    if (metric == METRIC_NONE || metric == METRIC_LABEL || !measured) {
        model_view_label_print(pen, metrics, kept);
        return;
    }
    double value = model_view_cursor_value(scene, metrics, metric);
    struct style style =
        metric == METRIC_EFFECT ? model_view_effect_style(value) : style_bold(ROLE_STRONG);
    metric_print_whole(text, sizeof text, metric, value);
    pen_print(pen, style_of(ROLE_FAINT), "   %s ", metric_name(metric));
    pen_print(pen, style, "%s", text);
    pen_print(pen, style_of(ROLE_FAINT), "%s", metric_unit(metric));
}

/* Where the room is short, the words of a label give way to the entropy, unless labels are the
 * figure shown, and the entropy to the strongest edge. */
void model_view_numbers(const struct scene *scene, struct canvas *canvas, struct area area,
                        const struct head_metrics *metrics)
{
    struct pen pen = {canvas, area.y + area.rows - 1, area.x + 2, area.x + area.columns - 1};
    struct edge_query query = scene_edges(scene);
    struct edge edge;
    char entropy[40];
    bool found = edges_strongest(&query, &edge);
    caption_place(scene, &pen, scene->look.head);
    int pair = found ? caption_pair_columns(scene, &pen, edge.from, edge.to) : 0;
    int strongest = (int)strlen("   strongest  0.999") + pair;
    snprintf(entropy, sizeof entropy, "%.2f bits", metrics->entropy);
    int all = strongest + (int)strlen("   entropy ") + (int)strlen(entropy);
    if (!scene_is_single(scene))
        print_metric(scene, &pen, metrics, scene->look.metric == METRIC_LABEL ? strongest : all);
    if (!found) {
        pen_print(&pen, style_of(ROLE_FAINT), "   no tokens that fit the filter");
        return;
    }
    if (!scene_is_single(scene) && scene->look.metric != METRIC_ENTROPY && pen.end - pen.x >= all) {
        pen_print(&pen, style_of(ROLE_FAINT), "   entropy ");
        pen_print(&pen, style_of(ROLE_TEXT), "%s", entropy);
    }
    pen_print(&pen, style_of(ROLE_FAINT), "   strongest ");
    caption_pair(scene, &pen, style_of(ROLE_TEXT), edge.from, edge.to, (int)strlen(" 0.999"));
    pen_print(&pen, style_bold(ROLE_STRONG), " %s", scene_number(scene, &edge).text);
}
