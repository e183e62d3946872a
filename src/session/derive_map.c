/* derive_map.c: the map that is shown, and the attention derived from it: of the current layer,
 * and its mean. */
#include "headlight/session/derive.h"
#include "headlight/view/comparison.h"

#include <stdlib.h>

/* ---- The map ---- */

/* Multiply-adds that take a few milliseconds. */
#define MAP_AT_ONCE 8e6

/* Views that show no other map get weights; those of heads, for contacts, the votes that make them.
 */
enum map_kind derive_map_wanted(const struct look *look, bool computed)
{
    const bool heads = view_at(look->view)->heads == HEADS_ALL;
    return !computed || !derived_shows(look, SHOWN_MAP) ? MAP_WEIGHTS
           : look->map == MAP_CONTACTS && heads         ? MAP_VOTES
                                                        : look->map;
}

/* The map that the look asks for; weights if it can't be made. */
static enum map_kind kind_wanted(const struct look *look, const struct data *data)
{
    const struct map_source source = comparison_source(data);
    const enum map_kind kind = derive_map_wanted(look, data->trace != NULL);
    struct error refused;
    return map_check(&source, kind, &refused) == STATUS_OK ? kind : MAP_WEIGHTS;
}

/* A map refers to its traces, which may have been replaced by others at any time. */
static bool map_is_of(const struct data *data, enum map_kind kind)
{
    const struct map *map = data->map;
    const struct map_source source = comparison_source(data);
    return map && map->kind == kind && map->trace == source.trace &&
           (kind != MAP_DIFFERENCE || map->other == source.other);
}

static bool wants_map(const struct look *look, const struct data *data)
{
    return !map_is_of(data, kind_wanted(look, data));
}

/* The map that is there may be freed while a worker makes another. */
static enum status prepare_map(struct draft *draft, struct error *error)
{
    (void)error;
    if (draft->for_request)
        draft->data.map = NULL;
    return STATUS_OK;
}

/* While the user waits, weights stand in for a map that is slow to make, until a request has
 * made it. */
static enum status make_map(struct draft *draft, struct error *error)
{
    const struct map_source source = comparison_source(&draft->data);
    enum map_kind kind = kind_wanted(&draft->look, &draft->data);
    if (draft->interactive && !draft->for_request && map_cost(source.trace, kind) > MAP_AT_ONCE)
        kind = MAP_WEIGHTS;
    if (map_is_of(&draft->data, kind))
        return STATUS_OK;
    return map_new(&source, kind, draft->watch, &draft->data.map, error);
}

static bool is_same_map(const struct draft *draft, const struct session *session)
{
    return derive_map_wanted(&session->state.look, true) == derive_map_wanted(&draft->look, true);
}

/* Back to the map that is shown, or the same one would be requested again. */
static void fail_map(struct session *session)
{
    session->state.look.map = session->data.map->kind;
}

const struct derived derived_map = {
    REQUESTED("computing", map), .release = free,        .source = SOURCE_MAP,
    .sources = SOURCE_TRACE,     .until_stopped = true,  .wants = wants_map,
    .comes_with_pass = true,     .prepare = prepare_map, .make = make_map,
    .is_same = is_same_map,      .fail = fail_map};

/* ---- Attention ---- */

/* Makes the weights of the layer that is drawn, or of none before they are computed. Code that
 * reads all layers reads them once, and merges as it goes (attention_rows). A view of single
 * pieces shows all of them, unmerged. */
static enum status make_attention(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    const struct encoded *encoded = data->encoded;
    struct shape shape = {0};
    if (derived_shows(&draft->look, SHOWN_PIECES))
        shape = draft->look.shape;
    shape.said &= encoded->site == SITE_CROSS;
    if (map_infos[derive_map_wanted(&draft->look, true)].pairs == PAIRS_OF_LETTERS)
        shape.special = SPECIAL_HIDDEN; /* they have no numbers */
    const struct token_side sides[] = {shape.said ? encoded->said : encoded->sides[SIDE_LEFT],
                                       encoded->sides[SIDE_RIGHT]};
    const struct token_range no_layer = {0, 0}, layer = {draft->look.layer, draft->look.layer + 1},
                             layers = data->trace ? layer : no_layer;
    if (data->attention && data->attention->shape.special == shape.special &&
        data->attention->shape.words == shape.words && data->attention->shape.said == shape.said)
        return attention_add(data->attention, layers,
                             error); /* in place, as layers are only added */
    return attention_new(data->map, sides, &shape, layers, &data->attention, error);
}

const struct derived derived_attention = {.offset = offsetof(struct data, attention),
                                          .release = attention_free,
                                          .source = SOURCE_ATTENTION,
                                          .sources = SOURCE_MAP,
                                          .make = make_attention};

/* ---- The mean ---- */

/* Remade only for another map or attention: over all layers it takes several frames, and each
 * move of the cursor passes here. */
static enum status make_mean(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    const size_t layer = draft->look.layer;
    const struct token_range one = {layer, layer + 1}, all = {0, data->layers};
    const struct mean_of wanted = {draft->look.averaged == MEAN_LAYERS ? all : one,
                                   draft->look.heads};
    const struct mean_of *there = &data->mean_of;
    /* other maps already combine all heads, or have signs or scales that differ from layer to layer
     */
    if (!data->trace || draft->look.averaged == MEAN_NONE ||
        !derived_shows(&draft->look, SHOWN_MEAN) || data->map->kind != MAP_WEIGHTS) {
        data->mean = NULL;
        return STATUS_OK;
    }
    if (data->mean && there->layers.first == wanted.layers.first &&
        there->layers.end == wanted.layers.end && there->heads == wanted.heads)
        return STATUS_OK;
    data->mean_of = wanted;
    return attention_mean(data->attention, wanted.layers, wanted.heads, &data->mean, error);
}

const struct derived derived_mean = {.offset = offsetof(struct data, mean),
                                     .release = attention_free,
                                     .sources = SOURCE_ATTENTION,
                                     .make = make_mean};
