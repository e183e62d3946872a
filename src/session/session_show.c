/* session_show.c: what the scene shows is made anew as a whole, or stays as it was. */
#include "headlight/session/session_parts.h"

#include "headlight/model/head_mask.h"
#include "headlight/view/thumbnails.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weights: with so many the metrics of all heads take some milliseconds. */
#define FIGURES_AT_ONCE 400e3

void session_describe_changes(struct session *session)
{
    const struct interventions *changes = &session->changes;
    unsigned off = 0;
    session->scene.unscaled = changes->unscaled;
    session->changed = NULL;
    if (!interventions_any(changes))
        return;
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        off += (unsigned)head_mask_count(changes->off[layer]);
    char heads[32] = "";
    if (off > 0)
        snprintf(heads, sizeof heads, " %u head%s off", off, off == 1 ? "" : "s");
    snprintf(session->changes_text, sizeof session->changes_text, "changed:%s%s%s",
             changes->causal ? " causal" : "", changes->unscaled ? " unscaled" : "", heads);
    session->changed = session->changes_text;
}

/* ---- What is shown now ---- */

static bool same_shape(const struct shape *a, const struct shape *b)
{
    return a->special == b->special && a->words == b->words;
}

static void forget_mean(struct session *session)
{
    attention_free(session->mean);
    session->mean = NULL;
    session->scene.mean = NULL;
}

static void forget_thumbnails(struct session *session)
{
    thumbnails_free(session->thumbnails);
    session->thumbnails = NULL;
    session->scene.thumbnails = NULL;
}

static void forget_metrics(struct session *session)
{
    free(session->metrics);
    session->metrics = NULL;
    session->scene.metrics = NULL;
}

bool session_wants_metrics(const struct session *session)
{
    const struct scene *scene = &session->scene;
    return scene->view == VIEW_MODEL && scene->metric != METRIC_NONE && scene->trace &&
           !session->metrics;
}

void session_take_metrics(struct session *session, struct head_metrics *metrics)
{
    forget_metrics(session);
    session->metrics = metrics;
    session->scene.metrics = metrics;
}

static void show_attention(struct session *session, struct attention *attention)
{
    struct scene *scene = &session->scene;
    forget_mean(session);
    forget_thumbnails(session);
    attention_free(session->attention);
    session->attention = attention;
    session->shape = attention->shape;
    session->hover = (struct hit){HIT_NOTHING, 0}; /* it counts what was shown */
    scene->attention = attention;
}

static void show_mean(struct session *session, struct attention *mean, const struct mean_of *of)
{
    forget_mean(session);
    session->mean = mean;
    session->scene.mean = mean;
    session->mean_of = *of;
}

void session_note_shown(struct session *session)
{
    session->shown = session->scene;
    session->shown_query_found = session->query_found;
}

/* What a change of the state changed; what was made for the scene is still that of before. */
static void put_back(struct session *session)
{
    const struct scene now = session->scene;
    struct scene *scene = &session->scene;
    *scene = session->shown;
    session->query_found = session->shown_query_found;
    scene->trace = now.trace;
    scene->attention = now.attention;
    scene->mean = now.mean;
    scene->separators = now.separators;
    scene->changes = now.changes;
    scene->find = now.find;
    scene->metrics = now.metrics;
    scene->thumbnails = now.thumbnails;
    scene->milliseconds = now.milliseconds;
}

/* ---- What is to be shown ---- */

/* The encoded input, and what is made of it for the scene. NULL: what is there will do, or none is
 * wanted. */
struct made {
    const struct encoded *encoded;
    bool computed; /* its trace is */
    bool anew;     /* nothing that is there will do */
    struct attention *attention, *mean;
    struct head_metrics *metrics;
};

static void drop(struct made *made)
{
    attention_free(made->attention);
    attention_free(made->mean);
    free(made->metrics);
}

/* The neuron view shows queries and keys, which belong to single pieces. */
static struct shape shape_wanted(const struct scene *scene)
{
    struct shape shape = {0};
    if (scene->view != VIEW_NEURON)
        shape = scene->shape;
    return shape;
}

static bool shows_mean(const struct scene *scene)
{
    return scene->averaged != MEAN_NONE && (scene->view == VIEW_HEAD || scene->view == VIEW_MATRIX);
}

/* The layer whose weights are drawn; none before they are computed. Who reads more of them does it
 * once, and makes what it reads on the way. */
static struct token_range layers_wanted(const struct scene *scene, bool computed)
{
    return computed ? (struct token_range){scene->layer, scene->layer + 1}
                    : (struct token_range){0, 0};
}

static enum status make_attention(const struct session *session, struct made *made,
                                  struct error *error)
{
    const struct scene *scene = &session->scene;
    struct shape shape = shape_wanted(scene);
    struct token_range layers = layers_wanted(scene, made->computed);
    if (!made->anew && same_shape(&shape, &session->shape))
        return attention_add(session->attention, layers, error);
    return attention_new(made->encoded->trace, made->encoded->sides, &shape, layers,
                         &made->attention, error);
}

static struct mean_of mean_wanted(const struct scene *scene)
{
    struct token_range one = {scene->layer, scene->layer + 1}, all = {0, scene->layers};
    return (struct mean_of){scene->averaged == MEAN_LAYERS ? all : one, scene->heads};
}

static bool same_maps(const struct mean_of *a, const struct mean_of *b)
{
    return a->layers.first == b->layers.first && a->layers.end == b->layers.end &&
           a->heads == b->heads;
}

/* Made anew when it is to be of other maps or of another attention. Over all layers it takes as
 * long as some frames, and a key that moves the cursor comes through here too. */
static enum status make_mean(const struct session *session, struct made *made, struct error *error)
{
    struct mean_of wanted = mean_wanted(&session->scene);
    const struct attention *from = made->attention ? made->attention : session->attention;
    if (!made->computed || !shows_mean(&session->scene) ||
        (!made->attention && session->mean && same_maps(&session->mean_of, &wanted)))
        return STATUS_OK;
    return attention_mean(from, wanted.layers, wanted.heads, &made->mean, error);
}

static bool is_soon_measured(const struct trace *trace)
{
    return (double)trace->layers * (double)trace->heads * (double)trace->tokens *
               (double)trace->attended <=
           FIGURES_AT_ONCE;
}

/* Measured once a trace, and only when they are asked for. */
static enum status make_metrics(const struct session *session, struct made *made,
                                struct error *error)
{
    const struct scene *scene = &session->scene;
    const struct encoded *encoded = made->encoded;
    bool wanted = scene->view == VIEW_MODEL && scene->metric != METRIC_NONE && made->computed &&
                  (made->anew || !session->metrics);
    if (!wanted || (session->attended && !is_soon_measured(encoded->trace)))
        return STATUS_OK;
    return metrics_measure_all(encoded->trace, encoded->separators, NULL, &made->metrics, error);
}

/* All of it, or nothing. */
static enum status make(const struct session *session, struct made *made, struct error *error)
{
    enum status status = make_attention(session, made, error);
    if (status == STATUS_OK)
        status = make_mean(session, made, error);
    if (status == STATUS_OK)
        status = make_metrics(session, made, error);
    if (status != STATUS_OK)
        drop(made);
    return status;
}

/* Takes over what was made. */
static void show(struct session *session, const struct made *made)
{
    struct mean_of of = mean_wanted(&session->scene);
    if (made->attention)
        show_attention(session, made->attention);
    if (made->mean)
        show_mean(session, made->mean, &of);
    else if (!made->computed || !shows_mean(&session->scene))
        forget_mean(session);
    if (made->anew)
        forget_metrics(session);
    if (made->metrics)
        session_take_metrics(session, made->metrics);
}

/* ---- The cursor ---- */

/* The token that stands on screen for what a token stood for before. */
static size_t token_now(const struct attention *now, const struct attention *before, enum side side,
                        size_t token)
{
    if (token == NO_TOKEN || token >= before->tokens[side].count)
        return NO_TOKEN;
    return attention_shown(now, side, before->tokens[side].of[token].first);
}

/* Outside the neuron view nothing is chosen that the user didn't choose. */
static void forget_query(struct session *session)
{
    struct scene *scene = &session->scene;
    bool moved = scene->from != 0 || scene->to != NO_TOKEN; /* it begins with the first token */
    if (session->query_found && (moved || scene->view != VIEW_NEURON)) {
        session->query_found = false;
        if (!moved)
            scene->from = NO_TOKEN;
    }
}

/* The neuron view always has a query. To an attended token that is chosen alone comes the token
 * that attends to it most. */
static void choose_query(struct session *session)
{
    struct scene *scene = &session->scene;
    struct edge edge;
    session->query_found = scene->to == NO_TOKEN;
    bool found = scene->to != NO_TOKEN && scene_current_edge(scene, &edge);
    scene->from = found ? edge.from : scene_range(scene, SIDE_LEFT).first;
    scene->side = scene->to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
}

/* The chosen tokens are those that the encoded input has and the filter shows. */
static void settle(struct session *session)
{
    struct scene *scene = &session->scene;
    if (!scene_filter_fits(scene, scene->filter))
        scene->filter = FILTER_ALL;
    scene_keep_in_range(scene, SIDE_LEFT);
    scene_keep_in_range(scene, SIDE_RIGHT);
    if ((scene->from == NO_TOKEN) != (scene->to == NO_TOKEN)) /* the other one may be hidden now */
        scene->side = scene->from != NO_TOKEN ? SIDE_LEFT : SIDE_RIGHT;
    if (scene->view == VIEW_NEURON && scene->trace && scene->from == NO_TOKEN)
        choose_query(session);
    scene->ranked &= scene_is_pinned(scene);
    session_note_shown(session);
}

/* ---- Changes ---- */

void session_refresh(struct session *session)
{
    struct scene *scene = &session->scene;
    struct made made = {.encoded = session->encoded, .computed = scene->trace != NULL};
    struct error error;
    if (!session->encoded)
        return;
    forget_query(session);
    if (make(session, &made, &error) != STATUS_OK) {
        session_refuse(session, &error);
        put_back(session);
        return;
    }
    if (made.attention) {
        scene->from = token_now(made.attention, session->attention, SIDE_LEFT, scene->from);
        scene->to = token_now(made.attention, session->attention, SIDE_RIGHT, scene->to);
    }
    show(session, &made);
    settle(session);
}

static size_t at_most(size_t token, size_t count)
{
    return token == NO_TOKEN || token < count ? token : count - 1;
}

enum status session_take(struct session *session, struct encoded *encoded, bool computed,
                         struct error *error)
{
    struct scene *scene = &session->scene;
    struct made made = {.encoded = encoded, .computed = computed, .anew = true};
    if (make(session, &made, error) != STATUS_OK) {
        if (encoded != session->encoded)
            encoded_free(encoded);
        return error->status;
    }
    show(session, &made);
    if (session->checkpoint)
        session_describe_changes(session);
    if (encoded != session->encoded)
        encoded_free(session->encoded);
    session->encoded = encoded;
    scene->trace = computed ? encoded->trace : NULL;
    scene->separators = encoded->separators;
    scene->tokens = encoded->sides[SIDE_LEFT].count;
    scene->milliseconds = encoded->milliseconds;
    scene->changes = computed ? session->changed : NULL;
    scene->from = at_most(scene->from, scene_count(scene, SIDE_LEFT));
    scene->to = at_most(scene->to, scene_count(scene, SIDE_RIGHT));
    forget_query(session);
    settle(session);
    return STATUS_OK;
}
