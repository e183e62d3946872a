/* act_look.c: the handlers that change the look, by the groups of the table of actions
 * (view/actions.h). They get a scene, whose look is a copy: nothing is shown before derive_show,
 * and a refused action leaves no trace. The default of each switch is the one action that it
 * doesn't name. */
#include "headlight/session/act.h"

#include "headlight/session/derive.h"
#include "headlight/view/comparison.h"

/* ---- Tokens ---- */

/* Pins the token under the cursor and goes to the other end of its heaviest edge. Pressed again,
 * deselects that token and returns to the pinned one. */
static void act_pin(struct scene *scene)
{
    enum side other = side_other(scene->look.side);
    size_t *chosen = scene_chosen(scene, scene->look.side);
    struct edge edge;
    if (scene_is_pinned(scene)) {
        *chosen = NO_TOKEN;
        scene->look.side = other;
    } else if (*chosen == NO_TOKEN) {
        scene_move_cursor(scene, 1);
    } else {
        bool found = scene->data.trace && scene_current_edge(scene, &edge);
        size_t first = scene_range(scene, other).first;
        scene->look.side = other;
        *scene_chosen(scene, other) = !found ? first : other == SIDE_RIGHT ? edge.to : edge.from;
    }
}

/* Keys that move the cursor or choose tokens. Any of them makes a query that the view chose the
 * user's own, but for what leads to another view. */
enum status act_on_tokens(struct scene *scene, enum action action, struct error *error)
{
    struct look *look = &scene->look;
    if (action == ACTION_RANK) {
        size_t from = look->from, to = look->to;
        struct edge edge;
        bool seen = false;
        if (look->ranked && look->back->of) { /* again: as Esc */
            scene_go_back(scene);
            return STATUS_OK;
        }
        if (!scene_is_pinned(scene) && scene->view->shown & SHOWN_MAP && scene->data.trace &&
            scene_current_edge(scene, &edge)) { /* the pair that is named */
            from = edge.from;
            to = edge.to;
        }
        scene_open_view(scene, VIEW_MODEL);
        look->from = from;
        look->to = to;
        look->ranked = true;
        look->effect_sought = 1;
        if (!derive_map_ranks(look))
            return error_usage(error, "%s has no heads to rank: p chooses another map",
                               map_infos[look->map].name);
        if (!scene_is_pinned(scene))
            return error_usage(error, "choose two tokens first: one, then Enter, then another");
        for (size_t layer = 0; layer < scene->data.layers && !seen; layer++) {
            const struct token_range range = attention_visible(scene->data.attention, layer, from);
            seen = to >= range.first && to < range.end;
        }
        return seen ? STATUS_OK
                    : error_usage(error, "no head can see the second token from the first");
    }
    if (action == ACTION_FIND_ALIKE)
        return found_ask(scene, error);
    if (scene->view->shown & (SHOWN_SAID | SHOWN_STAGES)) /* there is only one column */
        look->side = SIDE_LEFT;
    const enum side side = scene->look.side;
    const struct token_range range = scene_range(scene, side);
    look->query_found = false;
    switch (action) {
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
        scene_move_cursor(scene, action_steps(action));
        break;
    case ACTION_TOKEN_FIRST:
    case ACTION_TOKEN_LAST:
        if (range.first < range.end)
            *scene_chosen(scene, side) = action == ACTION_TOKEN_LAST ? range.end - 1 : range.first;
        break;
    case ACTION_QUERY_PREVIOUS:
    case ACTION_QUERY_NEXT:
        scene->look.side = SIDE_LEFT;
        scene_move_cursor(scene, action == ACTION_QUERY_NEXT ? 1 : -1);
        if (scene->look.to != NO_TOKEN)
            scene->look.side = side;
        break;
    case ACTION_PIN:
        act_pin(scene);
        break;
    case ACTION_SIDE:
        if (scene_is_pinned(scene) && !(scene->view->shown & SHOWN_LINES))
            return error_usage(error, "a pair is chosen: Esc lets its second token go");
        look->side = side_other(side);
        if (scene_is_pinned(scene)) /* else the token that is chosen goes along */
            break;
        const size_t token = *scene_chosen(scene, side);
        *scene_chosen(scene, side) = NO_TOKEN;
        *scene_chosen(scene, look->side) = token;
        scene_keep_in_range(scene, look->side);
        if (*scene_chosen(scene, look->side) == NO_TOKEN)
            scene_move_cursor(scene, 1);
        break;
    default: /* no tokens, no search; without them, no list beside the view */
        if (look->from == NO_TOKEN && look->to == NO_TOKEN && !look->find[0])
            look->listed = false;
        look->find[0] = '\0';
        look->from = look->to = NO_TOKEN;
        look->side = SIDE_LEFT;
    }
    return STATUS_OK;
}

/* ---- Layers and heads ---- */

/* Shows a head alone; pressed again, restores the earlier set of heads. A single other head would
 * change nothing that is seen, so all come back instead. */
static void isolate(struct scene *scene, size_t head)
{
    struct look *look = &scene->look;
    if (look->heads == head_mask_of(head) && look->head == head)
        look->heads = head_mask_count(look->others) > 1 ? look->others
                                                        : head_mask_all(scene->data.head_count);
    else
        look_show_alone(look, head);
}

#define NO_HEADS "this map is one for a layer, not one a head: p lists the others"

static bool has_no_heads(const struct scene *scene)
{
    return scene_is_single(scene) && !scene->data.mean;
}

/* In a view of one head it is simply shown; where several can be on, it is shown alone, and again
 * with the others when its digit is pressed a second time. */
enum status act_on_head(struct scene *scene, size_t head, struct error *error)
{
    if (head >= scene->data.head_count)
        return error_usage(error, "a layer has the heads 0 to %zu", scene->data.head_count - 1);
    if (has_no_heads(scene))
        return error_usage(error, NO_HEADS);
    if (!scene_shows_one(scene))
        isolate(scene, head);
    else if (head == scene->look.head)
        return error_usage(error, "head %zu is shown already", head);
    scene->look.head = head;
    return STATUS_OK;
}

/* Keys for layers and heads. Both wrap round. Heads can't be switched on and off where one is
 * shown. */
enum status act_on_heads(struct scene *scene, enum action action, struct error *error)
{
    struct look *look = &scene->look;
    const size_t layers = scene->data.layers, heads = scene->data.head_count;
    const head_mask all = head_mask_all(heads), head = head_mask_of(look->head);
    unsigned shown = action_info(action)->shown;
    bool moves = action == ACTION_HEAD_PREVIOUS || action == ACTION_HEAD_NEXT;
    if ((moves || shown == SHOWN_HEADS) && has_no_heads(scene))
        return error_usage(error, NO_HEADS);
    if (scene_is_of_all_layers(scene) && !moves && shown != SHOWN_HEADS)
        return error_usage(error, "this map is of all layers: %c leads to others",
                           scene->data.mean ? 'm' : 'p');
    if (shown == SHOWN_HEADS && scene_shows_one(scene) && scene->view->shown & SHOWN_HEADS)
        return error_usage(error, "one head is shown here: [ and ] go to another");
    switch (action) {
    case ACTION_LEFT:
    case ACTION_LAYER_PREVIOUS:
        look->layer = (look->layer + layers - 1) % layers;
        break;
    case ACTION_RIGHT:
    case ACTION_LAYER_NEXT:
        look->layer = (look->layer + 1) % layers;
        break;
    case ACTION_HEAD_PREVIOUS:
    case ACTION_HEAD_NEXT:
        look_move_head(&scene->look,
                       (scene->look.head + (action == ACTION_HEAD_NEXT ? 1 : heads - 1)) % heads);
        break;
    case ACTION_HEAD_TOGGLE: /* one shown alone is added to the earlier set: else none would be left
                              */
        if (look->heads != head)
            look->heads ^= head;
        else if ((look->others | head) == head)
            return error_usage(error, "head %zu is alone: a digit shows another one, a all of them",
                               look->head);
        else
            look->heads |= look->others;
        break;
    case ACTION_HEAD_ISOLATE:
        isolate(scene, look->head);
        break;
    default:
        look->heads = look->heads == all ? 0 : all;
    }
    return STATUS_OK;
}

/* ---- Lines ---- */

/* A difference can be asked for even if its other side is still to be computed. */
enum status act_check_difference(const struct scene *scene, struct error *error)
{
    const struct data *data = &scene->data;
    if (data_against(data))
        return comparison_check(data, "a difference", error);
    /* a recording has no network, and so no changes of its own */
    return data->network && interventions_any(data->network)
               ? STATUS_OK
               : error_usage(error, "the network is unchanged: z makes a change first");
}

/* Keys for how many lines are drawn. */
enum status act_on_lines(struct scene *scene, enum action action, struct error *error)
{
    struct look *look = &scene->look;
    if (scene->view->heads == HEADS_ALL && !look->lined)
        return error_usage(error, "heat maps have no lines: thumbnails lines is in the list of :");
    look->detail =
        int_clamp(look->detail + (action == ACTION_MORE ? 1 : -1), DETAIL_MIN, DETAIL_MAX);
    return STATUS_OK;
}

/* ---- The rest of the picture ---- */

/* Keys for what remains: bands, the order of heads, and views. */
enum status act_on_picture(struct scene *scene, enum action action, struct error *error)
{
    struct look *look = &scene->look;
    switch (action) {
    case ACTION_DIMENSION_PREVIOUS:
    case ACTION_DIMENSION_NEXT: /* wraps round, and without one starts at either end */
        if (!scene->data.trace || scene->data.trace->dimensions == 0)
            return error_usage(error, "this recording has no queries and keys");
        const size_t last = scene->data.trace->dimensions - 1, now = look->dimension;
        if (action == ACTION_DIMENSION_NEXT)
            look->dimension = now == NO_TOKEN || now == last ? 0 : now + 1;
        else
            look->dimension = now == NO_TOKEN || now == 0 ? last : now - 1;
        break;
    case ACTION_SORT:
        look->sorted = !look->sorted && !look->ranked;
        look->ranked = false;
        if (look->sorted && look->metric == METRIC_NONE)
            look->metric = METRIC_ENTROPY;
        break;
    default:
        scene_go_to_view(scene, (look->view + (action == ACTION_VIEW_NEXT ? 1 : VIEW_COUNT - 1)) %
                                    VIEW_COUNT);
    }
    return STATUS_OK;
}
