#include "headlight/session/derive.h"

#include "headlight/base/size.h"
#include "headlight/lens/dimensions.h"
#include "headlight/session/derive_map.h"
#include "headlight/view/thumbnails.h"

#include <stdlib.h>

/* Weights for which measuring all heads takes a few milliseconds. */
#define METRICS_AT_ONCE 400e3

/* What is made before anything is replaced. NULL: what is there still serves, or none is wanted. */
struct made {
    struct look look; /* that it is made for */
    const struct data *before;
    struct encoded *encoded;
    bool computed; /* whether its trace is */
    bool anew;     /* nothing that is there still serves */
    bool attended;
    struct map *map;
    struct map **coming;
    struct attention *attention, *mean;
    struct head_metrics *metrics;
    struct lens_cell *lens;
};

/* ---- What is wanted ---- */

static bool shows(const struct look *look, enum aspect aspect)
{
    return (view_at(look->view)->shown & aspect) != 0;
}

/* A view that shows single pieces shows all of them, unmerged. */
static struct shape shape_wanted(const struct look *look)
{
    return shows(look, SHOWN_PIECES) ? look->shape : (struct shape){0};
}

static const struct map *map_of(const struct made *made)
{
    return made->map ? made->map : made->before->map;
}

/* Only weights are averaged: other maps are of all heads already, or have signs or scales that
 * differ from layer to layer. */
static bool wants_mean(const struct made *made)
{
    return made->computed && made->look.averaged != MEAN_NONE && shows(&made->look, SHOWN_MEAN) &&
           map_of(made)->kind == MAP_WEIGHTS;
}

static struct mean_of mean_wanted(const struct made *made)
{
    size_t layer = made->look.layer;
    struct token_range one = {layer, layer + 1}, all = {0, made->before->layers};
    return (struct mean_of){made->look.averaged == MEAN_LAYERS ? all : one, made->look.heads};
}

/* What the network computed before it was changed, if that is known and is of these tokens. Until
 * the trace is computed, a worker writes to it. */
static const struct trace *before_of(const struct made *made)
{
    bool same = !made->anew || made->encoded == made->before->encoded;
    bool changed = made->computed && interventions_any(&made->encoded->trace->computed.changes);
    return same && changed ? made->before->before : NULL;
}

static struct map_source source_of(const struct made *made)
{
    const struct checkpoint *checkpoint = made->before->checkpoint;
    return (struct map_source){checkpoint ? checkpoint->model : NULL, made->encoded->trace,
                               before_of(made), encoded_is_crossed(made->encoded)};
}

bool derive_wants_map(const struct look *look, const struct data *data)
{
    struct scene scene = view_scene(look, data);
    struct map_source source = scene_map_source(&scene);
    struct error error;
    return data->trace && !data->stopped && !derive_map_serves(data->map, look, &source, true) &&
           map_check(&source, derive_map_wanted(look, true), &error) == STATUS_OK;
}

static bool wants_metrics(const struct look *look)
{
    return look->metric != METRIC_NONE && look->metric != METRIC_EFFECT &&
           shows(look, SHOWN_METRICS);
}

bool derive_wants_metrics(const struct look *look, const struct data *data)
{
    return data->trace && !data->metrics && wants_metrics(look);
}

bool derive_wants_effects(const struct look *look, const struct data *data)
{
    return data->trace && !data->effects && !data->speechless[0] && look->metric == METRIC_EFFECT &&
           shows(look, SHOWN_METRICS);
}

/* ---- Making it ---- */

static bool same_shape(const struct shape *a, const struct shape *b)
{
    return a->special == b->special && a->words == b->words;
}

static enum status make_map(struct made *made, struct error *error)
{
    const struct map_source source = source_of(made);
    return derive_map_new(&made->look, &source, made->computed, made->attended,
                          made->anew ? NULL : made->before->map, made->coming, &made->map, error);
}

/* Makes the weights of the layer that is drawn, or of none before they are computed. Code that
 * reads all layers reads them once, and merges as it goes (attention_rows). */
static enum status make_attention(struct made *made, struct error *error)
{
    struct shape shape = shape_wanted(&made->look);
    struct token_range layers = {0, 0};
    if (made->computed)
        layers = (struct token_range){made->look.layer, made->look.layer + 1};
    if (!made->anew && !made->map && same_shape(&shape, &made->before->attention->shape))
        return attention_add(made->before->attention, layers, error);
    return attention_new(map_of(made), made->encoded->sides, &shape, layers, &made->attention,
                         error);
}

static bool same_maps(const struct mean_of *a, const struct mean_of *b)
{
    return a->layers.first == b->layers.first && a->layers.end == b->layers.end &&
           a->heads == b->heads;
}

/* Made again only for other maps or another attention: over all layers it takes as long as several
 * frames, and each key that moves the cursor comes through here. */
static enum status make_mean(struct made *made, struct error *error)
{
    struct mean_of wanted = mean_wanted(made);
    const struct data *before = made->before;
    if (!wants_mean(made) ||
        (!made->attention && before->mean && same_maps(&before->mean_of, &wanted)))
        return STATUS_OK;
    return attention_mean(made->attention ? made->attention : before->attention, wanted.layers,
                          wanted.heads, &made->mean, error);
}

static bool is_quickly_measured(const struct trace *trace)
{
    return (double)trace->layers * (double)trace->heads * (double)trace->tokens *
               (double)trace->attended <=
           METRICS_AT_ONCE;
}

/* Measured once for a trace, when they are first wanted. */
static enum status make_metrics(struct made *made, struct error *error)
{
    const struct encoded *encoded = made->encoded;
    if (!made->computed || !wants_metrics(&made->look) || (!made->anew && made->before->metrics) ||
        (made->attended && !is_quickly_measured(encoded->trace)))
        return STATUS_OK;
    return metrics_measure_all(encoded->trace, &encoded->kinds, NULL, &made->metrics, error);
}

/* All of it where nobody waits; else a worker reads it, see derive_wants_lens. */
static enum status make_lens(struct made *made, struct error *error)
{
    const struct trace *trace = made->encoded->trace;
    struct lens_area all = {{0, trace->layers}, {0, trace->tokens}};
    if (!made->computed || made->attended || !derive_shows_lens(&made->look, made->before) ||
        (!made->anew && made->before->lens))
        return STATUS_OK;
    const struct trace *before = made->anew ? NULL : made->before->before;
    if (derive_new_lens(made->encoded, made->before->next, &made->lens, error) != STATUS_OK)
        return error->status;
    return derive_read_lens(made->before->checkpoint->model, trace, before, &all, NULL, made->lens,
                            error);
}

/* All or nothing. */
static enum status make(struct made *made, struct error *error)
{
    enum status status = make_map(made, error);
    if (status == STATUS_OK)
        status = make_attention(made, error);
    if (status == STATUS_OK)
        status = make_mean(made, error);
    if (status == STATUS_OK)
        status = make_metrics(made, error);
    if (status == STATUS_OK)
        status = make_lens(made, error);
    if (status != STATUS_OK) {
        attention_free(made->attention);
        attention_free(made->mean);
        map_free(made->map);
        free(made->metrics);
        free(made->lens);
    }
    return status;
}

/* ---- Taking it over ---- */

static void forget_mean(struct data *data)
{
    attention_free(data->mean);
    data->mean = NULL;
}

void derive_metrics(struct data *data, struct head_metrics *metrics)
{
    free(data->metrics);
    data->metrics = metrics;
}

void derive_effects(struct data *data, struct effects *effects)
{
    free(data->effects);
    data->effects = effects;
}

/* Drops effects on another prediction than the look has chosen. */
static void keep_effects(const struct look *look, struct data *data)
{
    if (!data->effects)
        return;
    struct asked_prediction asked = derive_prediction(look, data);
    int32_t id = asked.id == EFFECTS_LIKELIEST ? data->effects->likeliest : asked.id;
    if (asked.token != data->effects->token || id != data->effects->id)
        derive_effects(data, NULL);
}

bool derive_wants_before(const struct data *data)
{
    return data->trace && data->checkpoint && !data->before && !data->stopped &&
           interventions_any(&data->trace->computed.changes);
}

static void forget_before(struct data *data)
{
    if (data->map)
        data->map->other = NULL; /* a difference to it is to nothing any more */
    free(data->before);
    data->before = NULL;
}

void derive_before(struct data *data, struct trace *before)
{
    forget_before(data);
    data->before = before;
    derive_lens(data, NULL); /* it is read again, with what was before */
}

static void take_attention(struct data *data, struct attention *attention)
{
    forget_mean(data);
    thumbnails_free(data->thumbnails);
    data->thumbnails = NULL;
    attention_free(data->attention);
    data->attention = attention;
}

static void take(struct data *data, const struct made *made)
{
    if (made->attention)
        take_attention(data, made->attention);
    bool averaged = wants_mean(made);
    if (made->map) {
        map_free(data->map);
        data->map = made->map;
    }
    if (made->mean || !averaged)
        forget_mean(data);
    if (made->mean) {
        data->mean = made->mean;
        data->mean_of = mean_wanted(made);
    }
    if (made->metrics || made->anew)
        derive_metrics(data, made->metrics);
    if (made->lens || made->anew)
        derive_lens(data, made->lens);
    if (made->anew)
        derive_effects(data, NULL);
    data->stopped &= !made->anew;
    if (made->anew)
        data->uncompared[0] = '\0';
}

void derive_lens(struct data *data, struct lens_cell *lens)
{
    free(data->lens);
    data->lens = lens;
}

static void take_encoded(struct data *data, struct encoded *encoded, bool computed)
{
    if (encoded != data->encoded) {
        encoded_free(data->encoded);
        forget_before(data);
        derive_compared(data, NULL);
    }
    if (computed && !interventions_any(&encoded->trace->computed.changes))
        forget_before(data);
    data->encoded = encoded;
    data->trace = computed ? encoded->trace : NULL;
    data->kinds = encoded->kinds;
    data->tokens = encoded->sides[SIDE_LEFT].count;
    data->milliseconds = encoded->milliseconds;
    data->divisor = dimensions_divisor(encoded->trace);
    data->changes = computed ? encoded_changes(encoded) : NULL;
}

/* ---- The cursor ---- */

/* The token that now stands for what a token stood for before. */
static size_t token_now(const struct attention *now, const struct attention *before, enum side side,
                        size_t token)
{
    if (token == NO_TOKEN || token >= before->tokens[side].count)
        return NO_TOKEN;
    return attention_shown(now, side, before->tokens[side].of[token].first);
}

static size_t at_most(size_t token, size_t count)
{
    return token == NO_TOKEN || token < count ? token : count - 1;
}

/* A query that a view chose becomes the user's once they move it; until then it goes with the
 * view. */
static void forget_query(struct look *look)
{
    bool moved = look->from != 0 || look->to != NO_TOKEN; /* it begins with the first token */
    if (look->query_found && (moved || !view_at(look->view)->has_query)) {
        look->query_found = false;
        if (!moved)
            look->from = NO_TOKEN;
    }
}

/* The first token or, if an attended one is chosen, that which attends to it most. */
static void choose_query(struct scene *scene)
{
    struct look *look = &scene->look;
    struct edge edge;
    look->query_found = look->to == NO_TOKEN;
    bool found = look->to != NO_TOKEN && scene_current_edge(scene, &edge);
    look->from = found ? edge.from : scene_range(scene, SIDE_LEFT).first;
    look->side = look->to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
}

/* Keeps only chosen tokens that the filter leaves, and chooses a query where the view has one. */
static void settle(struct look *look, const struct data *data)
{
    struct scene scene = view_scene(look, data);
    struct look *settled = &scene.look;
    if (!scene_filter_fits(&scene, settled->filter))
        settled->filter = FILTER_ALL;
    scene_keep_in_range(&scene, SIDE_LEFT);
    scene_keep_in_range(&scene, SIDE_RIGHT);
    if ((settled->from == NO_TOKEN) != (settled->to == NO_TOKEN)) /* the other may be hidden now */
        settled->side = settled->from != NO_TOKEN ? SIDE_LEFT : SIDE_RIGHT;
    if (view_at(settled->view)->has_query && data->trace && settled->from == NO_TOKEN)
        choose_query(&scene);
    settled->ranked &= scene_is_pinned(&scene);
    settled->rank = settled->ranked ? settled->rank : 0;
    *look = *settled;
}

/* ---- Deriving ---- */

enum status derive_look(struct look *look, struct data *data, bool attended, struct error *error)
{
    struct made made = {.look = *look,
                        .before = data,
                        .encoded = data->encoded,
                        .computed = data->trace != NULL,
                        .coming = &data->coming,
                        .attended = attended};
    forget_query(&made.look);
    enum status status = make(&made, error);
    if (status != STATUS_OK)
        return status;
    if (made.attention) {
        const struct attention *before = data->attention;
        made.look.from = token_now(made.attention, before, SIDE_LEFT, made.look.from);
        made.look.to = token_now(made.attention, before, SIDE_RIGHT, made.look.to);
    }
    take(data, &made);
    settle(&made.look, data);
    keep_effects(&made.look, data);
    *look = made.look;
    return STATUS_OK;
}

enum status derive_pass(struct look *look, struct data *data, struct encoded *encoded,
                        bool computed, bool attended, struct error *error)
{
    struct made made = {.look = *look,
                        .before = data,
                        .encoded = encoded,
                        .computed = computed,
                        .anew = true,
                        .coming = &data->coming,
                        .attended = attended};
    enum status status = make(&made, error);
    if (status != STATUS_OK)
        return status;
    take(data, &made);
    take_encoded(data, encoded, computed);
    made.look.from = at_most(made.look.from, data->attention->tokens[SIDE_LEFT].count);
    made.look.to = at_most(made.look.to, data->attention->tokens[SIDE_RIGHT].count);
    forget_query(&made.look);
    settle(&made.look, data);
    *look = made.look;
    return STATUS_OK;
}

void derive_uncover(struct data *data)
{
    forget_mean(data);
    derive_metrics(data, NULL);
    derive_effects(data, NULL);
    derive_lens(data, NULL);
    thumbnails_free(data->thumbnails);
    data->thumbnails = NULL;
    data->trace = NULL;
    data->changes = NULL;
}

void derive_end(struct data *data)
{
    free(data->metrics);
    free(data->effects);
    free(data->lens);
    forget_before(data);
    derive_compared(data, NULL);
    thumbnails_free(data->thumbnails);
    attention_free(data->mean);
    attention_free(data->attention);
    map_free(data->map);
    map_free(data->coming);
    encoded_free(data->encoded);
    *data = (struct data){0};
}
