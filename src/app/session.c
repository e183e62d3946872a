#include "headlight/app/session.h"

#include "headlight/app/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PAGE 10

/* ---- Beginning and end ---- */

static void describe_changes(struct session *session)
{
    const struct interventions *changes = &session->changes;
    unsigned off = 0;
    for (size_t layer = 0; layer < INTERVENE_LAYERS_MAX; layer++)
        off += (unsigned)__builtin_popcountll(changes->off[layer]);
    char heads[32] = "";
    if (off > 0)
        snprintf(heads, sizeof heads, " %u head%s off", off, off == 1 ? "" : "s");
    snprintf(session->changes_text, sizeof session->changes_text, "changed:%s%s%s",
             changes->causal ? " causal" : "", changes->unscaled ? " unscaled" : "", heads);
}

static enum status make_trace(struct session *session, struct error *error)
{
    size_t count = session->encoding->count;
    int32_t *ids = malloc((2 * count + 1) * sizeof *ids);
    if (!ids)
        return error_memory(error, "the tokens", 2 * count * sizeof *ids);
    for (size_t i = 0; i < count; i++) {
        ids[i] = session->encoding->tokens[i].id;
        ids[count + i] = session->encoding->tokens[i].segment;
    }
    enum status status = encoder_prepare(session->checkpoint->model, ids, ids + count, count,
                                         &session->trace, error);
    free(ids);
    return status;
}

static enum status make_labels(struct session *session, struct error *error)
{
    size_t count = session->encoding->count;
    session->labels = malloc((count + 1) * sizeof *session->labels);
    if (!session->labels)
        return error_memory(error, "the tokens", count * sizeof *session->labels);
    for (size_t i = 0; i < count; i++)
        session->labels[i] =
            tokenizer_piece(session->checkpoint->tokenizer, session->encoding->tokens[i].id);
    return STATUS_OK;
}

enum status session_begin(struct session *session, const struct checkpoint *checkpoint,
                          const struct text *texts, size_t count, bool special,
                          const struct interventions *changes, struct error *error)
{
    const struct config *config = model_config(checkpoint->model);
    *session = (struct session){
        .checkpoint = checkpoint, .text_count = count, .changes = *changes, .theme = theme_at(0)};
    memcpy(session->texts, texts, count * sizeof *texts);
    if (tokenizer_encode(checkpoint->tokenizer, texts, count, special, &session->encoding, error) !=
            STATUS_OK ||
        make_trace(session, error) != STATUS_OK || make_labels(session, error) != STATUS_OK) {
        session_end(session);
        return error->status;
    }
    describe_changes(session);
    session->scene = (struct scene){
        .labels = session->labels,
        .model = checkpoint->name,
        .unscaled = changes->unscaled,
        .tokens = session->encoding->count,
        .layers = config->layers,
        .head_count = config->heads,
        .heads = UINT64_MAX >> (64 - config->heads),
        .from = NO_TOKEN,
        .to = NO_TOKEN,
        .dimension = NO_TOKEN,
    };
    return STATUS_OK;
}

void session_end(struct session *session)
{
    free(session->encoding);
    free(session->labels);
    free(session->trace);
    *session = (struct session){0};
}

enum status session_compute(struct session *session, const struct encoder_watch *watch,
                            struct error *error)
{
    double start = clock_milliseconds();
    enum status status = encoder_forward(session->checkpoint->model, &session->changes,
                                         session->precision, watch, session->trace, error);
    if (status == STATUS_OK)
        session_show(session, clock_milliseconds() - start);
    return status;
}

void session_show(struct session *session, double milliseconds)
{
    session->scene.trace = session->trace;
    session->scene.milliseconds = milliseconds;
    session->scene.changes = interventions_any(&session->changes) ? session->changes_text : NULL;
}

size_t session_find_token(const struct session *session, const char *name)
{
    size_t count = session->scene.tokens;
    for (size_t i = 0; i < count; i++)
        if (strcmp(session->labels[i], name) == 0)
            return i;
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(session->labels[i], name) == 0)
            return i;
    char *end;
    unsigned long long index = strtoull(name, &end, 10);
    bool number = name[0] >= '0' && name[0] <= '9' && *end == '\0';
    return number && index < count ? (size_t)index : NO_TOKEN;
}

/* ---- Tokens ---- */

static size_t *cursor_of(struct scene *scene)
{
    return scene->side == SIDE_LEFT ? &scene->from : &scene->to;
}

/* Moves the cursor by `steps` tokens, within what the filter shows; the first press only brings it
 * in. */
static void move_cursor(struct scene *scene, ptrdiff_t steps)
{
    size_t *cursor = cursor_of(scene);
    struct token_range range = scene_range(scene, scene->side);
    if (range.first >= range.end)
        return;
    ptrdiff_t first = (ptrdiff_t)range.first, last = (ptrdiff_t)range.end - 1;
    ptrdiff_t place = *cursor != NO_TOKEN ? (ptrdiff_t)*cursor + steps : steps > 0 ? first : last;
    *cursor = (size_t)(place < first ? first : place > last ? last : place);
}

static void keep_in_range(size_t *token, struct token_range range)
{
    if (*token != NO_TOKEN && (*token < range.first || *token >= range.end))
        *token = NO_TOKEN;
}

/* The neuron view always has a query: a cursor that stands on the attended side alone is taken
 * over. */
static void enter_neuron(struct scene *scene)
{
    if (scene->from == NO_TOKEN) {
        scene->from = scene->to != NO_TOKEN ? scene->to : scene_range(scene, SIDE_LEFT).first;
        scene->to = NO_TOKEN;
        scene->side = SIDE_LEFT;
        keep_in_range(&scene->from, scene_range(scene, SIDE_LEFT));
    } else if (scene->to != NO_TOKEN) {
        scene->side = SIDE_RIGHT;
    }
}

/* Pins the token under the cursor and goes to the other side, level with it; pressed again, lets go
 * of it and keeps the pinned token as the one chosen. */
static void pin(struct scene *scene)
{
    enum side other = scene->side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    size_t chosen = *cursor_of(scene);
    if (scene_is_pinned(scene)) {
        *cursor_of(scene) = NO_TOKEN;
        scene->side = other;
    } else if (chosen == NO_TOKEN) {
        move_cursor(scene, 1);
    } else {
        struct edge edge;
        struct token_range range = scene_range(scene, other);
        bool found = scene->trace && scene_current_edge(scene, &edge);
        scene->side = other;
        *cursor_of(scene) = found ? (other == SIDE_RIGHT ? edge.to : edge.from) : range.first;
    }
}

static void cross(struct scene *scene)
{
    enum side other = scene->side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    size_t chosen = *cursor_of(scene);
    if (scene->view == VIEW_NEURON && !scene_is_pinned(scene))
        return;
    if (!scene_is_pinned(scene)) {
        *cursor_of(scene) = NO_TOKEN;
        scene->side = other;
        *cursor_of(scene) = chosen;
        keep_in_range(cursor_of(scene), scene_range(scene, other));
        if (chosen == NO_TOKEN || *cursor_of(scene) == NO_TOKEN)
            move_cursor(scene, 1);
    } else {
        scene->side = other;
    }
}

static void clear(struct scene *scene)
{
    if (scene->dimension != NO_TOKEN) {
        scene->dimension = NO_TOKEN;
        return;
    }
    scene->from = scene->to = NO_TOKEN;
    scene->side = SIDE_LEFT;
    if (scene->view == VIEW_NEURON)
        enter_neuron(scene);
}

static void next_filter(struct scene *scene)
{
    if (!scene_is_pair(scene))
        return;
    scene->filter = (scene->filter + 1) % FILTER_COUNT;
    keep_in_range(&scene->from, scene_range(scene, SIDE_LEFT));
    keep_in_range(&scene->to, scene_range(scene, SIDE_RIGHT));
    if (scene->view == VIEW_NEURON)
        enter_neuron(scene);
}

static bool act_on_tokens(struct scene *scene, enum action action)
{
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        move_cursor(scene, -1);
        return true;
    case ACTION_TOKEN_NEXT:
        move_cursor(scene, 1);
        return true;
    case ACTION_TOKEN_FIRST:
        move_cursor(scene, -(ptrdiff_t)scene->tokens);
        move_cursor(scene, -(ptrdiff_t)scene->tokens);
        return true;
    case ACTION_TOKEN_LAST:
        move_cursor(scene, (ptrdiff_t)scene->tokens);
        move_cursor(scene, (ptrdiff_t)scene->tokens);
        return true;
    case ACTION_PAGE_UP:
        move_cursor(scene, -PAGE);
        return true;
    case ACTION_PAGE_DOWN:
        move_cursor(scene, PAGE);
        return true;
    case ACTION_PIN:
        pin(scene);
        return true;
    case ACTION_SIDE:
        cross(scene);
        return true;
    case ACTION_CLEAR:
        clear(scene);
        return true;
    case ACTION_FILTER:
        next_filter(scene);
        return true;
    default:
        return false;
    }
}

/* ---- Layers and heads ---- */

static uint64_t all_heads(const struct scene *scene)
{
    return UINT64_MAX >> (64 - scene->head_count);
}

static uint64_t this_head(const struct scene *scene)
{
    return UINT64_C(1) << scene->head;
}

/* A head that is alone stays alone when one walks over the heads. */
static void move_head(struct scene *scene, size_t steps)
{
    bool alone = scene->heads == this_head(scene) && scene->head_count > 1;
    scene->head = (scene->head + steps) % scene->head_count;
    if (alone)
        scene->heads = this_head(scene);
}

static void go_to_head(struct scene *scene, size_t head)
{
    if (head >= scene->head_count)
        return;
    scene->head = head;
    if (scene->view == VIEW_HEAD)
        scene->heads ^= this_head(scene);
}

static bool act_on_heads(struct scene *scene, enum action action, int digit)
{
    switch (action) {
    case ACTION_LAYER_PREVIOUS:
        scene->layer = scene->layer > 0 ? scene->layer - 1 : scene->layers - 1;
        return true;
    case ACTION_LAYER_NEXT:
        scene->layer = (scene->layer + 1) % scene->layers;
        return true;
    case ACTION_HEAD_PREVIOUS:
        move_head(scene, scene->head_count - 1);
        return true;
    case ACTION_HEAD_NEXT:
        move_head(scene, 1);
        return true;
    case ACTION_HEAD_DIGIT:
        go_to_head(scene, (size_t)digit);
        return true;
    case ACTION_HEAD_TOGGLE:
        go_to_head(scene, scene->head);
        return true;
    case ACTION_HEAD_ISOLATE:
        scene->heads = scene->heads == this_head(scene) ? all_heads(scene) : this_head(scene);
        return true;
    case ACTION_HEAD_ALL:
        scene->heads = scene->heads == all_heads(scene) ? 0 : all_heads(scene);
        return true;
    default:
        return false;
    }
}

/* ---- Picture ---- */

static void go_to_view(struct scene *scene, unsigned steps)
{
    scene->view = (enum view_kind)((scene->view + steps) % VIEW_COUNT);
    if (scene->view == VIEW_NEURON)
        enter_neuron(scene);
}

static void move_dimension(struct scene *scene, size_t steps)
{
    size_t dimensions = scene->trace ? scene->trace->dimensions : 1;
    if (scene->dimension == NO_TOKEN)
        scene->dimension = steps == 1 ? 0 : dimensions - 1;
    else
        scene->dimension = (scene->dimension + (steps == 1 ? 1 : dimensions - 1)) % dimensions;
}

static const struct theme *next_theme(const struct theme *theme)
{
    for (size_t i = 0; theme_at(i); i++)
        if (theme_at(i) == theme && theme_at(i + 1))
            return theme_at(i + 1);
    return theme_at(0);
}

static bool act_on_picture(struct session *session, enum action action)
{
    struct scene *scene = &session->scene;
    switch (action) {
    case ACTION_VIEW_NEXT:
        go_to_view(scene, 1);
        return true;
    case ACTION_VIEW_PREVIOUS:
        go_to_view(scene, VIEW_COUNT - 1);
        return true;
    case ACTION_MORE:
        scene->detail += scene->detail < DETAIL_MAX;
        return true;
    case ACTION_FEWER:
        scene->detail -= scene->detail > DETAIL_MIN;
        return true;
    case ACTION_DIMENSION_PREVIOUS:
        move_dimension(scene, 0);
        return true;
    case ACTION_DIMENSION_NEXT:
        move_dimension(scene, 1);
        return true;
    case ACTION_SCALE:
        scene->scale_largest = !scene->scale_largest;
        return true;
    case ACTION_THEME:
        session->theme = next_theme(session->theme);
        return true;
    default:
        return false;
    }
}

unsigned session_act(struct session *session, enum action action, int digit)
{
    if (action == ACTION_REDRAW)
        return SESSION_REDRAW | SESSION_REPAINT;
    if (session->help || action == ACTION_HELP) { /* any key leaves the help */
        session->help = !session->help;
        return SESSION_REDRAW;
    }
    if (action == ACTION_QUIT)
        return SESSION_QUIT;
    bool done = act_on_tokens(&session->scene, action) ||
                act_on_heads(&session->scene, action, digit) || act_on_picture(session, action);
    return done ? SESSION_REDRAW : SESSION_UNCHANGED;
}
