#include "headlight/app/session.h"

#include "headlight/app/clock.h"
#include "headlight/app/edit.h"
#include "headlight/base/format.h"
#include "headlight/model/encoder.h"
#include "headlight/view/grid_store.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weights: with so many the figures of all heads take some milliseconds. */
#define FIGURES_AT_ONCE 400e3

/* ---- Beginning and end ---- */

static void describe_changes(struct session *session)
{
    const struct interventions *changes = &session->changes;
    unsigned off = 0;
    session->scene.unscaled = changes->unscaled;
    session->changed = NULL;
    if (!interventions_any(changes))
        return;
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        off += (unsigned)__builtin_popcountll(changes->off[layer]);
    char heads[32] = "";
    if (off > 0)
        snprintf(heads, sizeof heads, " %u head%s off", off, off == 1 ? "" : "s");
    snprintf(session->changes_text, sizeof session->changes_text, "changed:%s%s%s",
             changes->causal ? " causal" : "", changes->unscaled ? " unscaled" : "", heads);
    session->changed = session->changes_text;
}

static struct scene new_scene(const char *model, size_t layers, size_t heads)
{
    return (struct scene){
        .model = model,
        .layers = layers,
        .head_count = heads,
        .heads = attention_all_heads(heads),
        .from = NO_TOKEN,
        .to = NO_TOKEN,
        .dimension = NO_TOKEN,
    };
}

void session_begin(struct session *session, const struct checkpoint *checkpoint, bool special,
                   const struct interventions *changes)
{
    const struct config *config = model_config(checkpoint->model);
    *session =
        (struct session){.checkpoint = checkpoint,
                         .special = special,
                         .logits = true,
                         .changes = *changes,
                         .theme = theme_at(0),
                         .scene = new_scene(checkpoint->name, config->layers, config->heads)};
    describe_changes(session);
}

/* As describe_changes writes it. */
static bool says_unscaled(const char *changes)
{
    return changes && strncmp(changes, "changed:", 8) == 0 && strstr(changes, " unscaled");
}

enum status session_begin_recording(struct session *session, const struct recording *recording,
                                    struct error *error)
{
    struct passage *passage;
    const struct trace *trace = recording->trace;
    *session = (struct session){.theme = theme_at(0),
                                .scene = new_scene(recording->model, trace->layers, trace->heads)};
    session->changed = recording->changes;
    session->scene.unscaled = says_unscaled(recording->changes);
    if (passage_of_recording(recording, &passage, error) != STATUS_OK)
        return error->status;
    return session_take(session, passage, true, error);
}

void session_end(struct session *session)
{
    edit_end(session);
    pair_free(&session->wanted);
    history_free(&session->history);
    free(session->figures);
    grid_store_free(session->thumbnails);
    attention_free(session->mean);
    attention_free(session->attention);
    passage_free(session->passage);
    *session = (struct session){0};
}

/* ---- What the scene shows ---- */

static bool same_shape(const struct shape *a, const struct shape *b)
{
    return a->special == b->special && a->words == b->words;
}

/* The token that stands on screen for what a token stood for before. */
static size_t token_now(const struct attention *now, const struct attention *before, enum side side,
                        size_t token)
{
    if (token == NO_TOKEN || token >= before->tokens[side].count)
        return NO_TOKEN;
    return attention_shown(now, side, before->tokens[side].of[token].first);
}

static void forget_mean(struct session *session)
{
    attention_free(session->mean);
    session->mean = NULL;
    session->scene.mean = NULL;
}

static void forget_thumbnails(struct session *session)
{
    grid_store_free(session->thumbnails);
    session->thumbnails = NULL;
    session->scene.thumbnails = NULL;
}

static void show_attention(struct session *session, struct attention *attention,
                           const struct shape *shape)
{
    struct scene *scene = &session->scene;
    forget_mean(session);
    forget_thumbnails(session);
    attention_free(session->attention);
    session->attention = attention;
    session->shape = *shape;
    session->hover = (struct hit){HIT_NOTHING, 0}; /* it counts what was shown */
    scene->attention = attention;
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
    return scene->averaged != MEAN_NONE && scene->trace &&
           (scene->view == VIEW_HEAD || scene->view == VIEW_MATRIX);
}

/* The layer whose weights are drawn; none before they are computed. Who reads more of them does it
 * once, and makes what it reads on the way. */
static struct token_range layers_wanted(const struct scene *scene, bool computed)
{
    return computed ? (struct token_range){scene->layer, scene->layer + 1}
                    : (struct token_range){0, 0};
}

static enum status refresh_attention(struct session *session, struct error *error)
{
    struct scene *scene = &session->scene;
    struct shape shape = shape_wanted(scene);
    struct attention *attention, *before = session->attention;
    struct token_range layers = layers_wanted(scene, scene->trace != NULL);
    if (same_shape(&shape, &session->shape))
        return attention_add(before, layers, error);
    if (attention_new(session->passage->trace, session->passage->sides, &shape, layers, &attention,
                      error) != STATUS_OK)
        return error->status;
    scene->from = token_now(attention, before, SIDE_LEFT, scene->from);
    scene->to = token_now(attention, before, SIDE_RIGHT, scene->to);
    show_attention(session, attention, &shape);
    return STATUS_OK;
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

/* Made anew when it is to be of other maps; where the attention changes, it was forgotten. Over all
 * layers it takes as long as some frames, and a key that moves the cursor comes through here too.
 */
static enum status refresh_mean(struct session *session, struct error *error)
{
    struct scene *scene = &session->scene;
    struct mean_of wanted = mean_wanted(scene);
    if (!shows_mean(scene)) {
        forget_mean(session);
        return STATUS_OK;
    }
    if (session->mean && same_maps(&session->mean_of, &wanted))
        return STATUS_OK;
    forget_mean(session);
    if (attention_mean(session->attention, wanted.layers, wanted.heads, &session->mean, error) !=
        STATUS_OK)
        return error->status;
    session->mean_of = wanted;
    scene->mean = session->mean;
    return STATUS_OK;
}

static void forget_figures(struct session *session)
{
    free(session->figures);
    session->figures = NULL;
    session->scene.figures = NULL;
}

bool session_wants_figures(const struct session *session)
{
    const struct scene *scene = &session->scene;
    return scene->view == VIEW_MODEL && scene->figure != FIGURE_NONE && scene->trace &&
           !session->figures;
}

void session_take_figures(struct session *session, struct head_figures *figures)
{
    forget_figures(session);
    session->figures = figures;
    session->scene.figures = figures;
}

static bool is_soon_measured(const struct trace *trace)
{
    return (double)trace->layers * (double)trace->heads * (double)trace->tokens *
               (double)trace->attended <=
           FIGURES_AT_ONCE;
}

/* Measured once a trace, and only when they are asked for. */
static enum status refresh_figures(struct session *session, struct error *error)
{
    struct scene *scene = &session->scene;
    struct head_figures *figures;
    if (!session_wants_figures(session) || (session->attended && !is_soon_measured(scene->trace)))
        return STATUS_OK;
    if (heads_measure_all(scene->trace, scene->separators, NULL, &figures, error) != STATUS_OK)
        return error->status;
    session_take_figures(session, figures);
    return STATUS_OK;
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

void session_refresh(struct session *session)
{
    struct scene *scene = &session->scene;
    struct error error;
    if (!session->passage)
        return;
    forget_query(session);
    if (refresh_attention(session, &error) != STATUS_OK) {
        session_say(session, "%s", error.message);
        scene->shape = session->shape;
        if (scene->view == VIEW_NEURON) /* the way in failed, or out of it: then it shows pieces */
            scene->view = VIEW_HEAD;
    }
    if (refresh_mean(session, &error) != STATUS_OK) {
        session_say(session, "%s", error.message);
        scene->averaged = MEAN_NONE;
    }
    if (refresh_figures(session, &error) != STATUS_OK) {
        session_say(session, "%s", error.message);
        scene->figure = FIGURE_NONE;
    }
    if (!scene_filter_fits(scene, scene->filter))
        scene->filter = FILTER_ALL;
    scene_keep_in_range(scene, SIDE_LEFT);
    scene_keep_in_range(scene, SIDE_RIGHT);
    if ((scene->from == NO_TOKEN) != (scene->to == NO_TOKEN)) /* the other one may be hidden now */
        scene->side = scene->from != NO_TOKEN ? SIDE_LEFT : SIDE_RIGHT;
    if (scene->view == VIEW_NEURON && scene->trace && scene->from == NO_TOKEN)
        choose_query(session);
    scene->ranked &= scene_is_pinned(scene);
}

void session_say(struct session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    format_cut_list(session->message, sizeof session->message, format, arguments);
    va_end(arguments);
}

/* ---- Passages ---- */

static size_t at_most(size_t token, size_t count)
{
    return token == NO_TOKEN || token < count ? token : count - 1;
}

enum status session_take(struct session *session, struct passage *passage, bool computed,
                         struct error *error)
{
    struct scene *scene = &session->scene;
    struct shape shape = shape_wanted(scene);
    struct attention *attention;
    if (attention_new(passage->trace, passage->sides, &shape, layers_wanted(scene, computed),
                      &attention, error) != STATUS_OK) {
        if (passage != session->passage)
            passage_free(passage);
        return error->status;
    }
    show_attention(session, attention, &shape);
    forget_figures(session);
    if (session->checkpoint)
        describe_changes(session);
    if (passage != session->passage)
        passage_free(session->passage);
    session->passage = passage;
    scene->trace = computed ? passage->trace : NULL;
    scene->separators = passage->separators;
    scene->tokens = passage->sides[SIDE_LEFT].count;
    scene->milliseconds = passage->milliseconds;
    scene->changes = computed ? session->changed : NULL;
    scene->from = at_most(scene->from, scene_count(scene, SIDE_LEFT));
    scene->to = at_most(scene->to, scene_count(scene, SIDE_RIGHT));
    session_refresh(session);
    return STATUS_OK;
}

static struct reading reading(const struct session *session)
{
    return (struct reading){session->special, session->logits};
}

enum status session_open(struct session *session, const struct text *texts, size_t count,
                         struct error *error)
{
    struct passage *passage;
    if (passage_new(session->checkpoint, texts, count, reading(session), &passage, error) !=
        STATUS_OK)
        return error->status;
    return session_take(session, passage, false, error);
}

enum status session_compute(struct session *session, const struct watch *watch, struct error *error)
{
    double start = clock_milliseconds();
    if (encoder_forward(session->checkpoint->model, &session->changes, session->precision, watch,
                        session->passage->trace, error) != STATUS_OK)
        return error->status;
    session->passage->milliseconds = clock_milliseconds() - start;
    return session_take(session, session->passage, true, error);
}

struct scene session_scene(const struct session *session)
{
    struct scene scene = session->scene;
    struct hit hover = session->hover;
    scene.off = session->checkpoint ? session->changes.off : NULL;
    bool free = scene.from == NO_TOKEN && scene.to == NO_TOKEN && scene.trace;
    if (scene.mean && scene.view == VIEW_HEAD && scene.tone == TONE_WEIGHT)
        scene.tone = TONE_ROOT;
    if (!free || scene.view == VIEW_NEURON)
        return scene;
    size_t columns = scene_count(&scene, SIDE_RIGHT);
    if (hover.kind == HIT_PAIR && scene.view == VIEW_MATRIX &&
        hover.value / columns < scene_count(&scene, SIDE_LEFT)) {
        scene.from = hover.value / columns;
        scene.to = hover.value % columns;
    } else if (hover.kind == HIT_FROM && hover.value < scene_count(&scene, SIDE_LEFT)) {
        scene.side = SIDE_LEFT;
        scene.from = hover.value;
    } else if (hover.kind == HIT_TO && hover.value < columns) {
        scene.side = SIDE_RIGHT;
        scene.to = hover.value;
    }
    return scene;
}

/* ---- Texts ---- */

bool session_pair(const struct session *session, struct pair *pair)
{
    const struct passage *passage = session->passage;
    return pair_copy(pair, passage->text_count > 0 ? passage->texts[0].bytes : "",
                     passage->text_count > 1 ? passage->texts[1].bytes : NULL);
}

enum status session_wanted(const struct session *session, struct passage **passage,
                           struct error *error)
{
    struct text texts[2];
    size_t count = 0;
    for (; count < 2 && session->wanted.texts[count]; count++)
        texts[count] =
            (struct text){session->wanted.texts[count], strlen(session->wanted.texts[count])};
    if (passage_new(session->checkpoint, texts, count, reading(session), passage, error) !=
        STATUS_OK)
        return error->status;
    if (session->passage)
        encoder_adopt(session->passage->trace, &session->changes, (*passage)->trace);
    return STATUS_OK;
}
