#include "headlight/app/session.h"

#include "headlight/app/clock.h"
#include "headlight/app/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Copies what there is room for, without cutting a letter in two. */
static void copy_cut(char *copy, size_t size, const char *text)
{
    size_t length = strlen(text);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
}

/* ---- Beginning and end ---- */

static void describe_changes(struct session *session)
{
    const struct interventions *changes = &session->changes;
    unsigned off = 0;
    if (!interventions_any(changes))
        return;
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        off += (unsigned)__builtin_popcountll(changes->off[layer]);
    char heads[32] = "";
    if (off > 0)
        snprintf(heads, sizeof heads, " %u head%s off", off, off == 1 ? "" : "s");
    snprintf(session->changes_text, sizeof session->changes_text, "changed:%s%s%s",
             changes->causal ? " causal" : "", changes->unscaled ? " unscaled" : "", heads);
}

static struct scene new_scene(const char *model, size_t layers, size_t heads)
{
    return (struct scene){
        .model = model,
        .layers = layers,
        .head_count = heads,
        .heads = UINT64_MAX >> (64 - heads),
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
                         .changes = *changes,
                         .theme = theme_at(0),
                         .scene = new_scene(checkpoint->name, config->layers, config->heads)};
    session->scene.unscaled = changes->unscaled;
    describe_changes(session);
}

enum status session_begin_recording(struct session *session, const struct recording *recording,
                                    struct error *error)
{
    struct passage *passage;
    const struct trace *trace = recording->trace;
    *session = (struct session){.theme = theme_at(0),
                                .scene = new_scene(recording->model, trace->layers, trace->heads)};
    if (recording->changes)
        copy_cut(session->changes_text, sizeof session->changes_text, recording->changes);
    session->scene.unscaled = strstr(session->changes_text, "unscaled") != NULL;
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

static void show_attention(struct session *session, struct attention *attention,
                           const struct shape *shape)
{
    struct scene *scene = &session->scene;
    forget_mean(session);
    attention_free(session->attention);
    session->attention = attention;
    session->shape = *shape;
    scene->attention = attention;
}

/* The neuron view shows queries and keys, which belong to single pieces. */
static enum status refresh_attention(struct session *session, struct error *error)
{
    struct scene *scene = &session->scene;
    struct shape shape = {0};
    struct attention *attention, *before = session->attention;
    if (scene->view != VIEW_NEURON)
        shape = scene->shape;
    if (same_shape(&shape, &session->shape))
        return STATUS_OK;
    if (attention_new(session->passage->trace, session->passage->sides, &shape, &attention,
                      error) != STATUS_OK)
        return error->status;
    scene->from = token_now(attention, before, SIDE_LEFT, scene->from);
    scene->to = token_now(attention, before, SIDE_RIGHT, scene->to);
    show_attention(session, attention, &shape);
    return STATUS_OK;
}

/* Made anew whenever something may have changed: it costs less than the drawing. */
static enum status refresh_mean(struct session *session, struct error *error)
{
    struct scene *scene = &session->scene;
    bool shown = scene->view == VIEW_HEAD || scene->view == VIEW_MATRIX;
    struct token_range layers = {scene->layer, scene->layer + 1};
    if (scene->averaged == MEAN_LAYERS)
        layers = (struct token_range){0, scene->layers};
    forget_mean(session);
    if (scene->averaged == MEAN_NONE || !shown)
        return STATUS_OK;
    if (attention_mean(session->attention, layers, scene->heads, &session->mean, error) !=
        STATUS_OK)
        return error->status;
    scene->mean = session->mean;
    return STATUS_OK;
}

static void forget_figures(struct session *session)
{
    free(session->figures);
    session->figures = NULL;
    session->scene.figures = NULL;
}

/* Measured once a trace, and only when they are asked for. */
static enum status refresh_figures(struct session *session, struct error *error)
{
    struct scene *scene = &session->scene;
    bool shown = scene->view == VIEW_MODEL && scene->figure != FIGURE_NONE && scene->trace;
    if (!shown || session->figures)
        return STATUS_OK;
    if (heads_measure_all(scene->trace, scene->separators, &session->figures, error) != STATUS_OK)
        return error->status;
    scene->figures = session->figures;
    return STATUS_OK;
}

static void keep_in_range(size_t *token, struct token_range range)
{
    if (*token != NO_TOKEN && (*token < range.first || *token >= range.end))
        *token = NO_TOKEN;
}

/* The neuron view always has a query. To an attended token that is chosen alone comes the token
 * that attends to it most. */
static void choose_query(struct scene *scene)
{
    struct edge edge;
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
    if (refresh_attention(session, &error) != STATUS_OK) {
        snprintf(session->message, sizeof session->message, "%.150s", error.message);
        scene->shape = session->shape;
    }
    if (refresh_mean(session, &error) != STATUS_OK) {
        snprintf(session->message, sizeof session->message, "%.150s", error.message);
        scene->averaged = MEAN_NONE;
    }
    if (refresh_figures(session, &error) != STATUS_OK) {
        snprintf(session->message, sizeof session->message, "%.150s", error.message);
        scene->figure = FIGURE_NONE;
    }
    if (!scene_filter_fits(scene, scene->filter))
        scene->filter = FILTER_ALL;
    keep_in_range(&scene->from, scene_range(scene, SIDE_LEFT));
    keep_in_range(&scene->to, scene_range(scene, SIDE_RIGHT));
    scene->ranked &= scene_is_pinned(scene);
    if (scene->view == VIEW_NEURON && scene->trace && scene->from == NO_TOKEN)
        choose_query(scene);
    scene->ranked &= scene_is_pinned(scene); /* one of the two may be hidden now */
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
    struct shape shape = {0};
    struct attention *attention;
    if (attention_new(passage->trace, passage->sides, &shape, &attention, error) != STATUS_OK) {
        if (passage != session->passage)
            passage_free(passage);
        return error->status;
    }
    show_attention(session, attention, &shape);
    forget_figures(session);
    if (passage != session->passage)
        passage_free(session->passage);
    session->passage = passage;
    scene->trace = computed ? passage->trace : NULL;
    scene->separators = passage->separators;
    scene->tokens = passage->sides[SIDE_LEFT].count;
    scene->milliseconds = passage->milliseconds;
    scene->changes = computed && session->changes_text[0] ? session->changes_text : NULL;
    scene->from = at_most(scene->from, scene_count(scene, SIDE_LEFT));
    scene->to = at_most(scene->to, scene_count(scene, SIDE_RIGHT));
    session_refresh(session);
    return STATUS_OK;
}

enum status session_open(struct session *session, const struct text *texts, size_t count,
                         struct error *error)
{
    struct passage *passage;
    if (passage_new(session->checkpoint, texts, count, session->special, &passage, error) !=
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
    bool free = scene.from == NO_TOKEN && scene.to == NO_TOKEN && scene.trace;
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

/* ---- Tokens by name ---- */

static size_t find_text(const struct session *session, const char *name, enum side side,
                        struct token_range range)
{
    for (size_t i = range.first; i < range.end; i++)
        if (strcmp(scene_label(&session->scene, side, i), name) == 0)
            return i;
    for (size_t i = range.first; i < range.end; i++)
        if (strcasecmp(scene_label(&session->scene, side, i), name) == 0)
            return i;
    return NO_TOKEN;
}

static size_t by_number(const char *name, size_t count)
{
    char *end;
    unsigned long long index = strtoull(name, &end, 10);
    bool number = name[0] >= '0' && name[0] <= '9' && *end == '\0';
    return number && index < count ? (size_t)index : NO_TOKEN;
}

size_t session_find_token(const struct session *session, const char *name, enum side side)
{
    struct token_range all = {0, scene_count(&session->scene, side)};
    if (name[0] == '#' && by_number(name + 1, all.end) != NO_TOKEN)
        return by_number(name + 1, all.end);
    size_t token = find_text(session, name, side, scene_range(&session->scene, side));
    if (token == NO_TOKEN)
        token = find_text(session, name, side, all);
    if (token != NO_TOKEN)
        return token;
    return by_number(name, all.end);
}

void session_find(struct session *session, const char *text)
{
    copy_cut(session->found, sizeof session->found, text);
    session->scene.find = session->found[0] ? session->found : NULL;
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
    return passage_new(session->checkpoint, texts, count, session->special, passage, error);
}
