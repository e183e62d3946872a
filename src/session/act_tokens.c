#include "headlight/session/act_parts.h"

static size_t *cursor_of(struct scene *scene)
{
    return scene_chosen(scene, scene->side);
}

void act_move_cursor(struct scene *scene, ptrdiff_t steps)
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

/* Pins the token under the cursor and goes to the other side, to the token at the other end of its
 * heaviest edge; pressed again, lets go of that one and keeps the pinned token as the one chosen.
 */
static void pin(struct scene *scene)
{
    enum side other = side_other(scene->side);
    size_t chosen = *cursor_of(scene);
    if (scene_is_pinned(scene)) {
        *cursor_of(scene) = NO_TOKEN;
        scene->side = other;
    } else if (chosen == NO_TOKEN) {
        act_move_cursor(scene, 1);
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
    enum side other = side_other(scene->side);
    size_t chosen = *cursor_of(scene);
    if (scene->view == VIEW_NEURON && !scene_is_pinned(scene))
        return;
    if (!scene_is_pinned(scene)) {
        *cursor_of(scene) = NO_TOKEN;
        scene->side = other;
        *cursor_of(scene) = chosen;
        scene_keep_in_range(scene, other);
        if (chosen == NO_TOKEN || *cursor_of(scene) == NO_TOKEN)
            act_move_cursor(scene, 1);
    } else {
        scene->side = other;
    }
}

/* From the innermost: the dimension, then what was found, then the tokens. */
static void clear(struct scene *scene)
{
    if (scene->dimension != NO_TOKEN && scene->view == VIEW_NEURON) {
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

bool act_on_tokens(struct scene *scene, enum action action)
{
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
        act_move_cursor(scene, -1);
        return true;
    case ACTION_TOKEN_NEXT:
        act_move_cursor(scene, 1);
        return true;
    case ACTION_TOKEN_FIRST:
        move_to_end(scene, false);
        return true;
    case ACTION_TOKEN_LAST:
        move_to_end(scene, true);
        return true;
    case ACTION_PAGE_UP:
        act_move_cursor(scene, -ACT_PAGE);
        return true;
    case ACTION_PAGE_DOWN:
        act_move_cursor(scene, ACT_PAGE);
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
