#include "headlight/app/act.h"

#include "headlight/app/edit.h"
#include "headlight/base/size.h"
#include "headlight/view/grid_order.h"
#include "headlight/view/ranking.h"

#include <stdio.h>
#include <stdlib.h>

#define PAGE      10 /* tokens */
#define PAGE_ROWS 4  /* of the model view */

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

/* To the first or the last token that the filter shows. */
static void move_to_end(struct scene *scene, bool last)
{
    struct token_range range = scene_range(scene, scene->side);
    if (range.first < range.end)
        *cursor_of(scene) = last ? range.end - 1 : range.first;
}

static void keep_in_range(size_t *token, struct token_range range)
{
    if (*token != NO_TOKEN && (*token < range.first || *token >= range.end))
        *token = NO_TOKEN;
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

/* From the innermost: the dimension, then what was found, then the tokens. */
static void clear(struct scene *scene)
{
    if (scene->dimension != NO_TOKEN) {
        scene->dimension = NO_TOKEN;
        return;
    }
    scene->find = NULL;
    scene->from = scene->to = NO_TOKEN;
    scene->side = SIDE_LEFT;
}

static void next_filter(struct scene *scene)
{
    if (!scene_is_pair(scene))
        return;
    do
        scene->filter = (scene->filter + 1) % FILTER_COUNT;
    while (!scene_filter_fits(scene, scene->filter));
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
        move_to_end(scene, false);
        return true;
    case ACTION_TOKEN_LAST:
        move_to_end(scene, true);
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
    if (!scene_shows_one_head(scene))
        scene->heads ^= this_head(scene);
}

static bool act_on_heads(struct scene *scene, enum action action, int digit)
{
    switch (action) {
    case ACTION_LEFT:
    case ACTION_LAYER_PREVIOUS:
        scene->layer = scene->layer > 0 ? scene->layer - 1 : scene->layers - 1;
        return true;
    case ACTION_RIGHT:
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
    case ACTION_MEAN:
        scene->averaged = (scene->averaged + 1) % MEAN_COUNT;
        return true;
    default:
        return false;
    }
}

/* ---- Grids: two directions ---- */

/* The matrix: rows are attending tokens, columns attended ones. */
static void move_in_matrix(struct scene *scene, enum side side, ptrdiff_t steps)
{
    scene->side = side;
    move_cursor(scene, steps);
    scene->side = scene->to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
}

static bool act_in_matrix(struct scene *scene, enum action action)
{
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
        move_in_matrix(scene, SIDE_LEFT, action == ACTION_TOKEN_NEXT ? 1 : -1);
        return true;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        move_in_matrix(scene, SIDE_LEFT, action == ACTION_PAGE_DOWN ? PAGE : -PAGE);
        return true;
    case ACTION_LEFT:
    case ACTION_RIGHT:
        move_in_matrix(scene, SIDE_RIGHT, action == ACTION_RIGHT ? 1 : -1);
        return true;
    default:
        return false;
    }
}

/* To a row and a column of the model view's grid, whatever head stands there. */
static void go_to_place(struct scene *scene, size_t row, size_t column)
{
    struct grid_head at = grid_at(scene, row * scene->head_count + column);
    scene->layer = at.layer;
    scene->head = at.head;
}

/* The model: a grid as wide as a layer has heads; Enter opens the head by itself. */
static bool act_in_model(struct session *session, enum action action)
{
    struct scene *scene = &session->scene;
    size_t place = grid_place(scene, scene->layer, scene->head);
    size_t rows = scene->layers, columns = scene->head_count;
    size_t row = place / columns, column = place % columns;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        go_to_place(scene, (row + rows - 1) % rows, column);
        return true;
    case ACTION_TOKEN_NEXT:
        go_to_place(scene, (row + 1) % rows, column);
        return true;
    case ACTION_TOKEN_FIRST:
        go_to_place(scene, 0, column);
        return true;
    case ACTION_TOKEN_LAST:
        go_to_place(scene, rows - 1, column);
        return true;
    case ACTION_PAGE_UP:
        go_to_place(scene, row - size_min(row, PAGE_ROWS), column);
        return true;
    case ACTION_PAGE_DOWN:
        go_to_place(scene, size_min(row + PAGE_ROWS, rows - 1), column);
        return true;
    case ACTION_LEFT:
        go_to_place(scene, row, (column + columns - 1) % columns);
        return true;
    case ACTION_RIGHT:
        go_to_place(scene, row, (column + 1) % columns);
        return true;
    case ACTION_PIN:
        scene->heads = this_head(scene);
        session_set_view(session, VIEW_HEAD);
        return true;
    default:
        return false;
    }
}

static bool act_in_grid(struct session *session, enum action action)
{
    if (session->scene.view == VIEW_MATRIX)
        return act_in_matrix(&session->scene, action);
    return session->scene.view == VIEW_MODEL && act_in_model(session, action);
}

/* ---- Picture ---- */

void session_set_view(struct session *session, enum view_kind view)
{
    struct scene *scene = &session->scene;
    scene->view = view;
    if (view == VIEW_NEURON)
        scene->side = scene->to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
    session_refresh(session);
}

static void go_to_view(struct session *session, unsigned steps)
{
    session_set_view(session, (enum view_kind)((session->scene.view + steps) % VIEW_COUNT));
}

static void move_dimension(struct scene *scene, bool forward)
{
    if (!scene->trace)
        return;
    size_t last = scene->trace->dimensions - 1, dimension = scene->dimension;
    if (forward)
        scene->dimension = dimension == NO_TOKEN || dimension == last ? 0 : dimension + 1;
    else
        scene->dimension = dimension == NO_TOKEN || dimension == 0 ? last : dimension - 1;
}

static const struct theme *next_theme(const struct theme *theme)
{
    for (size_t i = 0; theme_at(i); i++)
        if (theme_at(i) == theme && theme_at(i + 1))
            return theme_at(i + 1);
    return theme_at(0);
}

/* The steps of the threshold, in thousandths; 0 is a threshold that is chosen by itself. */
static void move_threshold(struct scene *scene, bool up)
{
    static const unsigned steps[] = {0,   5,   10,  20,  30,  50,  75,  100, 150, 200,
                                     250, 300, 400, 500, 600, 700, 800, 900, 950, 1000};
    const size_t count = sizeof steps / sizeof *steps;
    size_t step = 0;
    if (scene->threshold == 0) { /* begins near what is usual */
        scene->threshold = up ? 75 : 30;
        return;
    }
    while (step + 1 < count && steps[step + 1] <= scene->threshold)
        step++;
    if (up)
        step += step + 1 < count;
    else
        step -= steps[step] == scene->threshold;
    scene->threshold = steps[step];
}

static bool act_on_lines(struct scene *scene, enum action action)
{
    switch (action) {
    case ACTION_MORE:
        scene->detail += scene->detail < DETAIL_MAX;
        return true;
    case ACTION_FEWER:
        scene->detail -= scene->detail > DETAIL_MIN;
        return true;
    case ACTION_LOWER:
    case ACTION_HIGHER:
        move_threshold(scene, action == ACTION_HIGHER);
        return true;
    case ACTION_TONE:
        scene->tone = (scene->tone + 1) % TONE_COUNT;
        return true;
    case ACTION_NUMBERS:
        scene->numbers = !scene->numbers;
        return true;
    case ACTION_LIST:
        scene->listed = !scene->listed;
        return true;
    default:
        return false;
    }
}

static bool act_on_bands(struct scene *scene, enum action action)
{
    switch (action) {
    case ACTION_DIMENSION_PREVIOUS:
    case ACTION_DIMENSION_NEXT:
        move_dimension(scene, action == ACTION_DIMENSION_NEXT);
        return true;
    case ACTION_SCALE:
        scene->scale_largest = !scene->scale_largest;
        return true;
    case ACTION_VALUES:
        scene->valued = !scene->valued;
        return true;
    default:
        return false;
    }
}

static bool act_on_grid(struct scene *scene, enum action action)
{
    switch (action) {
    case ACTION_FIGURE:
        scene->figure = (scene->figure + 1) % FIGURE_COUNT;
        return true;
    case ACTION_SORT:
        scene->sorted = !scene->sorted;
        if (scene->sorted && scene->figure == FIGURE_NONE)
            scene->figure = FIGURE_ENTROPY;
        return true;
    case ACTION_LINED:
        scene->lined = !scene->lined;
        return true;
    default:
        return false;
    }
}

static bool act_on_picture(struct session *session, enum action action)
{
    struct scene *scene = &session->scene;
    switch (action) {
    case ACTION_VIEW_NEXT:
        go_to_view(session, 1);
        return true;
    case ACTION_VIEW_PREVIOUS:
        go_to_view(session, VIEW_COUNT - 1);
        return true;
    case ACTION_SPECIAL:
        scene->shape.special = (scene->shape.special + 1) % SPECIAL_COUNT;
        return true;
    case ACTION_WORDS:
        scene->shape.words = !scene->shape.words;
        return true;
    case ACTION_THEME:
        session->theme = next_theme(session->theme);
        return true;
    default:
        return act_on_lines(scene, action) || act_on_bands(scene, action) ||
               act_on_grid(scene, action);
    }
}

/* ---- The ranking of heads ---- */

static void begin_ranking(struct session *session)
{
    struct scene *scene = &session->scene;
    scene->ranked = scene_is_pinned(scene);
    scene->rank = 0;
    if (!scene->ranked)
        snprintf(session->message, sizeof session->message,
                 "choose two tokens first: one, then Enter, then another");
}

static void go_to_ranked(struct session *session)
{
    struct scene *scene = &session->scene;
    struct ranked_head *heads = ranking_new(scene);
    if (heads) {
        scene->layer = heads[scene->rank].layer;
        scene->head = heads[scene->rank].head;
        if (!(scene->heads >> scene->head & 1))
            scene->heads = this_head(scene);
    }
    free(heads);
    scene->ranked = false;
    session_refresh(session);
}

/* Keys that the ranking doesn't know close it, and then mean what they always mean. */
static bool act_in_ranking(struct session *session, enum action action)
{
    struct scene *scene = &session->scene;
    size_t last = scene->layers * scene->head_count - 1;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        scene->rank -= scene->rank > 0;
        return true;
    case ACTION_TOKEN_NEXT:
        scene->rank += scene->rank < last;
        return true;
    case ACTION_PAGE_UP:
        scene->rank -= size_min(scene->rank, PAGE);
        return true;
    case ACTION_PAGE_DOWN:
        scene->rank = size_min(scene->rank + PAGE, last);
        return true;
    case ACTION_TOKEN_FIRST:
    case ACTION_TOKEN_LAST:
        scene->rank = action == ACTION_TOKEN_LAST ? last : 0;
        return true;
    case ACTION_PIN:
        go_to_ranked(session);
        return true;
    case ACTION_CLEAR:
    case ACTION_RANK:
        scene->ranked = false;
        return true;
    case ACTION_THEME:
    case ACTION_SPECIAL:
    case ACTION_WORDS:
        return false;
    default:
        scene->ranked = false;
        return false;
    }
}

/* ---- Text and program ---- */

static unsigned go_in_history(struct session *session, int step)
{
    struct history *history = &session->history;
    const struct pair *pair = history_go(history, step);
    struct pair copy;
    if (!pair || !pair_copy(&copy, pair->texts[0], pair->texts[1])) {
        snprintf(session->message, sizeof session->message, "no text %s this one",
                 step < 0 ? "before" : "after");
        return SESSION_REDRAW;
    }
    pair_free(&session->wanted);
    session->wanted = copy;
    return SESSION_REDRAW | SESSION_TEXT | SESSION_NOW;
}

/* What is not done to the scene; *bits is the result of session_act. */
static bool act_on_program(struct session *session, enum action action, unsigned *bits)
{
    switch (action) {
    case ACTION_QUIT:
        *bits = SESSION_QUIT;
        return true;
    case ACTION_SAVE:
        *bits = SESSION_SAVE | SESSION_REDRAW;
        return true;
    case ACTION_SAVE_STATE:
        *bits = SESSION_STATE | SESSION_REDRAW;
        return true;
    case ACTION_EDIT:
        *bits = edit_begin(session);
        return true;
    case ACTION_UNDO:
    case ACTION_REDO:
        *bits = go_in_history(session, action == ACTION_UNDO ? -1 : 1);
        return true;
    case ACTION_FIND:
        *bits = find_begin(session);
        return true;
    case ACTION_FIND_NEXT:
    case ACTION_FIND_PREVIOUS:
        *bits = find_go(session, action == ACTION_FIND_NEXT);
        return true;
    case ACTION_CLEAR:
        *bits = SESSION_CANCEL | SESSION_REDRAW;
        return session->busy != BUSY_NOT;
    default:
        return false;
    }
}

unsigned session_act(struct session *session, enum action action, int digit)
{
    unsigned bits = 0;
    if (action == ACTION_REDRAW)
        return SESSION_REDRAW | SESSION_REPAINT;
    if (session->help || action == ACTION_HELP) { /* any key leaves the help */
        session->help = !session->help;
        return SESSION_REDRAW;
    }
    if (!session->passage && action != ACTION_QUIT && action != ACTION_CLEAR)
        return SESSION_UNCHANGED;
    if (session->scene.ranked && act_in_ranking(session, action))
        return SESSION_REDRAW;
    if (act_on_program(session, action, &bits))
        return bits;
    if (action == ACTION_RANK)
        begin_ranking(session);
    else if (!act_in_grid(session, action) && !act_on_tokens(&session->scene, action) &&
             !act_on_heads(&session->scene, action, digit) && !act_on_picture(session, action))
        return SESSION_UNCHANGED;
    session_refresh(session);
    return SESSION_REDRAW;
}
