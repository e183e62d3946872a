/* scene_maps.c: the maps of a scene: which there are, their weights, what can be seen in them;
 * their numbers as they are written in a few columns, and how their signs are told, by hues or in
 * words. */
#include "headlight/view/views.h"

/* ---- Weights ---- */

/* A mean always is; so are maps such as rollout, which are of a whole layer. */
bool scene_is_single(const struct scene *scene)
{
    const struct data *data = &scene->data;
    return data->mean || (data->map && !map_infos[data->map->kind].by_head);
}

bool scene_shows_one(const struct scene *scene)
{
    return !scene_is_single(scene) && scene->view->heads == HEADS_CURSOR;
}

/* Bit 0 stands for a single map, which has no head. Otherwise bits are heads. */
head_mask scene_maps(const struct scene *scene)
{
    if (scene_is_single(scene))
        return 1;
    if (scene->view->heads == HEADS_CHOSEN)
        return scene->look.heads;
    return head_mask_of(scene->look.head);
}

bool scene_is_mean_of_lines(const struct scene *scene)
{
    return scene->data.mean && scene->view->heads == HEADS_CHOSEN;
}

/* A mean has one layer and one head, whatever the cursor is on; a map of all heads together is
 * stored as one head. */
const float *scene_row(const struct scene *scene, size_t map, size_t from)
{
    if (scene->data.mean)
        return attention_row(scene->data.mean, 0, 0, from);
    return attention_row(scene->data.attention, scene->look.layer, scene_is_single(scene) ? 0 : map,
                         from);
}

float scene_weight(const struct scene *scene, size_t map, size_t from, size_t to)
{
    return scene_row(scene, map, from)[to];
}

struct edge scene_edge(const struct scene *scene, size_t map, size_t from, size_t to)
{
    return (struct edge){.from = (uint32_t)from,
                         .to = (uint32_t)to,
                         .head = (uint16_t)map,
                         .weight = (uint16_t)edge_thousandths(scene_weight(scene, map, from, to))};
}

float scene_value(const struct scene *scene, size_t map, size_t from, size_t to)
{
    if (scene->data.mean)
        return scene_weight(scene, map, from, to);
    return attention_value(scene->data.attention, scene->look.layer,
                           scene_is_single(scene) ? 0 : map, from, to);
}

/* To a word: the sum of its pieces; from a word: their mean. */
bool scene_weight_before(const struct scene *scene, const struct edge *edge, unsigned *thousandths)
{
    const struct data *data = &scene->data;
    const struct attention *attention = data->attention;
    if (!data_before(data) || data->mean || data->map->kind != MAP_WEIGHTS ||
        attention->shape.special == SPECIAL_RENORMALISED)
        return false;
    struct token_range rows = attention->tokens[SIDE_LEFT].of[edge->from];
    struct token_range columns = attention->tokens[SIDE_RIGHT].of[edge->to];
    float sum = 0;
    for (size_t i = rows.first; i < rows.end; i++)
        for (size_t j = columns.first; j < columns.end; j++)
            sum += trace_weight(data_before(data), scene->look.layer, edge->head, i, j);
    *thousandths = edge_thousandths(sum / (float)(rows.end - rows.first));
    return *thousandths != edge->weight;
}

bool scene_is_of_all_layers(const struct scene *scene)
{
    return scene->data.mean ? scene->look.averaged == MEAN_LAYERS
                            : scene->data.map && scene->data.map->kind == MAP_CONTACTS;
}

/* A mean is of several layers or one. */
double scene_sink(const struct scene *scene)
{
    const struct trace *trace = scene->data.trace;
    const bool all = scene_is_of_all_layers(scene);
    const head_mask heads = scene->data.mean ? scene->look.heads : scene_maps(scene);
    const size_t first = all ? 0 : scene->look.layer, end = all ? scene->data.layers : first + 1;
    double sum = 0, rows = 0;
    if (!trace || trace->axes != AXES_PAST || scene->data.map->kind != MAP_WEIGHTS)
        return 0;
    for (size_t layer = first; layer < end; layer++)
        for (size_t head = 0; head < trace->heads; head++)
            for (size_t from = 1; head_mask_has(heads, head) && from < trace->tokens; from++) {
                sum += (double)trace_weight(trace, layer, head, from, 0);
                rows++;
            }
    return rows > 0 ? sum / rows : 0;
}

struct token_range scene_visible(const struct scene *scene, size_t from)
{
    const struct attention *attention = scene->data.attention;
    const bool all = scene_is_of_all_layers(scene);
    struct token_range visible = attention_visible(attention, scene->look.layer, from);
    for (size_t layer = 0; all && layer < scene->data.layers; layer++) {
        const struct token_range there = attention_visible(attention, layer, from);
        visible.first = size_min(visible.first, there.first);
        visible.end = size_max(visible.end, there.end);
    }
    return visible;
}

/* A window is called after all that it reaches over: both ways, or back with the token itself. */
void scene_describe_mask(const struct scene *scene, char *text, size_t size)
{
    const struct trace *trace = scene->data.trace;
    const bool all = scene_is_of_all_layers(scene);
    const bool past = trace && trace->axes == AXES_PAST;
    snprintf(text, size, "%s", past ? "causal" : "");
    if (trace && trace->local[scene->look.layer] && !all)
        format_add(text, size, past ? ", local %zu" : "local %zu",
                   past ? trace->reach + 1 : 2 * trace->reach);
}

struct head_metrics scene_metrics(const struct scene *scene, size_t layer, size_t head)
{
    const struct data *data = &scene->data;
    return data->metrics ? data->metrics[layer * data->head_count + head]
                         : metrics_measure(data->trace, layer, head, &data->encoded->kinds);
}

bool scene_is_off(const struct scene *scene, size_t layer, size_t head)
{
    const struct interventions *network = scene->data.network;
    return network && head_mask_has(network->off[data_numbered(&scene->data, layer)], head);
}

/* Heads keep their hue in every view. A single map belongs to no head, so it has none. */
struct ink scene_ink(const struct scene *scene, size_t map, unsigned level)
{
    return scene_is_single(scene) ? (struct ink){ROLE_TEXT, (uint8_t)level} : ink_head(map, level);
}

/* ---- Numbers ---- */

static const struct map_info *info_of(const struct scene *scene)
{
    return &map_infos[scene->data.map->kind];
}

/* A difference that isn't one of a change. */
static bool is_of_models(const struct scene *scene)
{
    return scene->data.map->kind == MAP_DIFFERENCE && data_against(&scene->data);
}

/* What is done to a head changes the weights of layers after its own. */
const char *scene_map_meaning(const struct scene *scene)
{
    const struct map *map = scene->data.map;
    const float *values = map->values[scene->look.layer];
    size_t left = map->heads * map->rows * map->columns;
    while (map->kind == MAP_DIFFERENCE && left > 0 && !(fabsf(values[left - 1]) > 0))
        left--;
    if (left == 0)
        return "no weight of this layer changed; later ones may have";
    return is_of_models(scene) ? "weights there, in the other model, − those here"
                               : info_of(scene)->meaning;
}

/* With colours the legend names the hues, which are the same in every theme; without, the signs
 * before the numbers. */
const char *scene_signs(const struct scene *scene, const struct canvas *canvas)
{
    bool mono = canvas->traits.mono;
    if (!info_of(scene)->is_signed || scene->data.mean)
        return NULL;
    if (is_of_models(scene))
        return mono ? "+: more there, -: less" : "blue: more there, orange: less";
    if (scene->data.map->kind == MAP_DIFFERENCE)
        return mono ? "+: more than before, -: less" : "blue: more than before, orange: less";
    return mono ? "+: above 0, -: below" : "blue: above 0, orange: below";
}

/* Of maps from a layer's tokens to the input's, or of vectors alone, none asks and none answers. */
const char *scene_axis(const struct scene *scene, enum side side)
{
    const enum map_kind kind = scene->data.map->kind;
    const bool asks =
        kind != MAP_ROLLOUT && kind != MAP_SIMILARITY && kind != MAP_CONTACTS && kind != MAP_VOTES;
    return !asks ? "token" : side == SIDE_LEFT ? "query" : "key";
}

unsigned scene_hundredths(float share)
{
    return share > 0 ? (unsigned)lround(100 * fmin((double)share, 1)) : 0;
}

struct weight_text number_short(double value, bool wide)
{
    struct weight_text number = {"—"};
    char digits[22];
    snprintf(digits, sizeof digits, value < 10 ? wide ? "%.3f" : "%.2f" : "%.1f", fabs(value));
    if (!isnan(value))
        snprintf(number.text, sizeof number.text, "%s%s", value < 0 ? "-" : "",
                 digits + (!wide && digits[0] == '0'));
    return number;
}

/* Maps whose largest value is 1 by definition are written as shares: in three columns without a
 * sign; others as plain numbers. */
struct weight_text scene_number_of(const struct scene *scene, double value, int columns)
{
    const struct map_info *info = info_of(scene);
    const bool is_signed = info->is_signed && !scene->data.mean;
    if (!info->absolute)
        return number_text(value, is_signed, 3, columns);
    const float share = (float)fabs(value);
    const double shown = columns < 5 ? scene_hundredths(share) / 100.0
                                     : edge_thousandths(share) / (double)EDGE_WHOLE;
    return number_text(is_signed && value < 0 ? -shown : shown, is_signed && columns > 3,
                       columns < 5 ? 2 : 3, columns);
}

struct weight_text scene_number(const struct scene *scene, const struct edge *edge)
{
    return scene_number_of(scene, (double)scene_value(scene, edge->head, edge->from, edge->to), 5);
}

/* A weight is a share of the layer's largest number unless the map is absolute, so that has to be
 * multiplied in again. */
struct weight_text scene_scale(const struct scene *scene, float weight)
{
    const struct map *map = scene->data.map;
    if (info_of(scene)->absolute)
        return number_weight(edge_thousandths(weight));
    return number_text((double)(map->largest[scene->look.layer] * weight), false, 3,
                       info_of(scene)->is_signed ? 4 : 5);
}

/* In a signed map the hue tells the sign, and heads are told apart by their numbers alone. What a
 * head that is off attends to is grey. */
struct ink scene_edge_ink(const struct scene *scene, const struct edge *edge, unsigned level)
{
    if (!scene_is_single(scene) && scene_is_off(scene, scene->look.layer, edge->head))
        return (struct ink){ROLE_FAINT, (uint8_t)level};
    if (!info_of(scene)->is_signed || scene->data.mean)
        return scene_ink(scene, edge->head, level);
    bool less = scene_value(scene, edge->head, edge->from, edge->to) < 0;
    return (struct ink){less ? ROLE_NEGATIVE : ROLE_POSITIVE, (uint8_t)level};
}
