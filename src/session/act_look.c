/* act_look.c: the handlers that change the look. */
#include "headlight/session/act.h"

#include "headlight/draw/theme.h"

/* ---- Tokens ---- */

/* Goes to the first or last token that the filter leaves visible. */
static void move_to_end(struct scene *scene, bool last)
{
    struct token_range range = scene_range(scene, scene->look.side);
    if (range.first < range.end)
        *scene_chosen(scene, scene->look.side) = last ? range.end - 1 : range.first;
}

/* Pins the token under the cursor and goes to the other end of its heaviest edge. Pressed again,
 * deselects that token and returns to the pinned one. */
static void act_pin(struct scene *scene)
{
    enum side other = side_other(scene->look.side);
    size_t chosen = *scene_chosen(scene, scene->look.side);
    if (scene_is_pinned(scene)) {
        *scene_chosen(scene, scene->look.side) = NO_TOKEN;
        scene->look.side = other;
    } else if (chosen == NO_TOKEN) {
        scene_move_cursor(scene, 1);
    } else {
        struct edge edge;
        struct token_range range = scene_range(scene, other);
        bool found = scene->data.trace && scene_current_edge(scene, &edge);
        scene->look.side = other;
        *scene_chosen(scene, scene->look.side) =
            found ? (other == SIDE_RIGHT ? edge.to : edge.from) : range.first;
    }
}

static void act_cross(struct scene *scene)
{
    enum side other = side_other(scene->look.side);
    size_t chosen = *scene_chosen(scene, scene->look.side);
    if (!scene_is_pinned(scene)) {
        *scene_chosen(scene, scene->look.side) = NO_TOKEN;
        scene->look.side = other;
        *scene_chosen(scene, scene->look.side) = chosen;
        scene_keep_in_range(scene, other);
        if (chosen == NO_TOKEN || *scene_chosen(scene, scene->look.side) == NO_TOKEN)
            scene_move_cursor(scene, 1);
    } else {
        scene->look.side = other;
    }
}

/* Deselects all tokens and clears the search. */
static void clear(struct scene *scene)
{
    scene->look.find[0] = '\0';
    scene->look.from = scene->look.to = NO_TOKEN;
    scene->look.side = SIDE_LEFT;
}

static enum acted next_filter(struct scene *scene, struct error *error)
{
    if (!scene_is_pair(scene)) {
        error_set(error, STATUS_USAGE, "there is one sentence: nothing to filter");
        return ACT_REFUSED;
    }
    do
        scene->look.filter = (scene->look.filter + 1) % FILTER_COUNT;
    while (!scene_filter_fits(scene, scene->look.filter));
    return ACT_DONE;
}

static enum acted begin_ranking(struct scene *scene, struct error *error)
{
    scene->look.ranked = scene_is_pinned(scene);
    scene->look.rank = 0;
    if (scene->look.ranked)
        return ACT_DONE;
    error_set(error, STATUS_USAGE, "choose two tokens first: one, then Enter, then another");
    return ACT_REFUSED;
}

enum acted act_on_tokens(struct scene *scene, enum action action, int digit, struct error *error)
{
    (void)digit;
    if (action == ACTION_RANK)
        return begin_ranking(scene, error);
    scene->look.query_found = false;
    switch (action) {
    case ACTION_FILTER:
        return next_filter(scene, error);
    case ACTION_TOKEN_PREVIOUS:
    case ACTION_TOKEN_NEXT:
        scene_move_cursor(scene, action == ACTION_TOKEN_NEXT ? 1 : -1);
        break;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        scene_move_cursor(scene, action == ACTION_PAGE_DOWN ? SCENE_PAGE : -SCENE_PAGE);
        break;
    case ACTION_TOKEN_FIRST:
    case ACTION_TOKEN_LAST:
        move_to_end(scene, action == ACTION_TOKEN_LAST);
        break;
    case ACTION_PIN:
        act_pin(scene);
        break;
    case ACTION_SIDE:
        act_cross(scene);
        break;
    case ACTION_CLEAR:
        clear(scene);
        break;
    default:
        return ACT_PASSED;
    }
    return ACT_DONE;
}

/* ---- Layers and heads ---- */

static uint64_t all_heads(const struct scene *scene)
{
    return head_mask_all(scene->data.head_count);
}

static uint64_t this_head(const struct scene *scene)
{
    return head_mask_of(scene->look.head);
}

static bool is_alone(const struct scene *scene)
{
    return scene->look.heads == this_head(scene);
}

/* A mean depends on the heads that are on, if there is one. */
static bool lacks_choice(const struct scene *scene)
{
    return scene_shows_one(scene) && scene->view->shown & SHOWN_HEADS;
}

static enum acted refuse_one(struct error *error)
{
    error_set(error, STATUS_USAGE, "one head is shown here: [ and ] go to another");
    return ACT_REFUSED;
}

static void move_head(struct scene *scene, size_t steps)
{
    look_move_head(&scene->look, (scene->look.head + steps) % scene->data.head_count);
}

/* Shows a head alone; pressed again, restores the earlier set of heads. */
static void isolate(struct scene *scene, size_t head)
{
    if (scene->look.heads == head_mask_of(head) && scene->look.head == head)
        look_show_several(&scene->look, scene->data.head_count);
    else
        look_show_alone(&scene->look, head);
}

static enum acted show_head(struct scene *scene, size_t head, struct error *error)
{
    if (head >= scene->data.head_count) {
        error_set(error, STATUS_USAGE, "a layer has the heads 0 to %zu",
                  scene->data.head_count - 1);
        return ACT_REFUSED;
    }
    if (!scene_shows_one(scene)) {
        isolate(scene, head);
        return ACT_DONE;
    }
    if (head == scene->look.head) {
        error_set(error, STATUS_USAGE, "head %zu is shown already", head);
        return ACT_REFUSED;
    }
    scene->look.head = head;
    return ACT_DONE;
}

/* A head that is shown alone is added to the earlier set, as removing it would leave none. */
static enum acted toggle_head(struct scene *scene, struct error *error)
{
    struct look *look = &scene->look;
    if (lacks_choice(scene))
        return refuse_one(error);
    if (!is_alone(scene)) {
        look->heads ^= this_head(scene);
        return ACT_DONE;
    }
    if ((look->others | look->heads) == look->heads) {
        error_set(error, STATUS_USAGE,
                  "head %zu is alone: a digit shows another one, a all of them", look->head);
        return ACT_REFUSED;
    }
    look->heads |= look->others;
    return ACT_DONE;
}

/* Only this head, or all and none in turn. */
static enum acted choose_heads(struct scene *scene, bool one, struct error *error)
{
    if (lacks_choice(scene))
        return refuse_one(error);
    if (one)
        isolate(scene, scene->look.head);
    else
        scene->look.heads = scene->look.heads == all_heads(scene) ? 0 : all_heads(scene);
    return ACT_DONE;
}

enum acted act_on_heads(struct scene *scene, enum action action, int digit, struct error *error)
{
    switch (action) {
    case ACTION_LEFT:
    case ACTION_LAYER_PREVIOUS:
        scene->look.layer = scene->look.layer > 0 ? scene->look.layer - 1 : scene->data.layers - 1;
        return ACT_DONE;
    case ACTION_RIGHT:
    case ACTION_LAYER_NEXT:
        scene->look.layer = (scene->look.layer + 1) % scene->data.layers;
        return ACT_DONE;
    case ACTION_HEAD_PREVIOUS:
        move_head(scene, scene->data.head_count - 1);
        return ACT_DONE;
    case ACTION_HEAD_NEXT:
        move_head(scene, 1);
        return ACT_DONE;
    case ACTION_HEAD_DIGIT:
        return show_head(scene, (size_t)digit, error);
    case ACTION_HEAD_TOGGLE:
        return toggle_head(scene, error);
    case ACTION_HEAD_ISOLATE:
    case ACTION_HEAD_ALL:
        return choose_heads(scene, action == ACTION_HEAD_ISOLATE, error);
    case ACTION_MEAN:
        if (scene->data.map && scene->data.map->kind != MAP_WEIGHTS) {
            error_set(error, STATUS_USAGE, "a mean is of weights: p leads back to them");
            return ACT_REFUSED;
        }
        scene->look.averaged = (scene->look.averaged + 1) % MEAN_COUNT;
        return ACT_DONE;
    default:
        return ACT_PASSED;
    }
}

/* ---- Picture ---- */

/* The threshold moves in thousandths; 0 is automatic. */
static void move_threshold(struct scene *scene, bool up)
{
    static const unsigned steps[] = {0,   5,   10,  20,  30,  50,  75,  100, 150, 200,
                                     250, 300, 400, 500, 600, 700, 800, 900, 950, 1000};
    const size_t count = sizeof steps / sizeof *steps;
    size_t step = 0;
    if (scene->look.threshold == 0) { /* start near the automatic threshold */
        scene->look.threshold = up ? 75 : 30;
        return;
    }
    while (step + 1 < count && steps[step + 1] <= scene->look.threshold)
        step++;
    if (up)
        step += step + 1 < count;
    else
        step -= steps[step] == scene->look.threshold;
    scene->look.threshold = steps[step];
}

static bool is_changed(const struct scene *scene)
{
    return scene->data.network && interventions_any(scene->data.network);
}

static enum acted toggle_difference(struct scene *scene, struct error *error)
{
    enum map_kind *map = &scene->look.map;
    bool shown = scene->view->shown & SHOWN_MAP;
    if (shown && !is_changed(scene) && *map != MAP_DIFFERENCE) {
        error_set(error, STATUS_USAGE,
                  "D shows what a change of the network changes: z makes one first");
        return ACT_REFUSED;
    }
    *map = *map == MAP_DIFFERENCE ? MAP_WEIGHTS : MAP_DIFFERENCE;
    return ACT_DONE;
}

/* Switches to the next map that can be made; to a difference even if its other side is still to
 * be computed. */
static enum acted show_next_map(struct scene *scene, struct error *error)
{
    const struct map_source source = scene_map_source(scene);
    enum map_kind map = scene->look.map;
    bool possible;
    do {
        map = (map + 1) % MAP_COUNT;
        possible = map == MAP_DIFFERENCE
                       ? is_changed(scene)
                       : source.trace && map_check(&source, map, error) == STATUS_OK;
    } while (!possible && map != MAP_WEIGHTS);
    scene->look.map = map;
    return ACT_DONE;
}

enum acted act_on_lines(struct scene *scene, enum action action, int digit, struct error *error)
{
    (void)digit;
    switch (action) {
    case ACTION_MORE:
        scene->look.detail += scene->look.detail < DETAIL_MAX;
        return ACT_DONE;
    case ACTION_FEWER:
        scene->look.detail -= scene->look.detail > DETAIL_MIN;
        return ACT_DONE;
    case ACTION_LOWER:
    case ACTION_HIGHER:
        move_threshold(scene, action == ACTION_HIGHER);
        return ACT_DONE;
    case ACTION_TONE:
        scene->look.tone = (scene->look.tone + 1) % TONE_COUNT;
        if (scene_is_mean_of_lines(scene) &&
            scene->look.tone == TONE_ROOT) /* a mean is drawn so anyway */
            scene->look.tone++;
        return ACT_DONE;
    case ACTION_NUMBERS:
        scene->look.numbers = !scene->look.numbers;
        return ACT_DONE;
    case ACTION_DIFFERENCE:
        return toggle_difference(scene, error);
    case ACTION_MAP:
        return show_next_map(scene, error);
    case ACTION_LIST:
        scene->look.listed = !scene->look.listed;
        return ACT_DONE;
    default:
        return ACT_PASSED;
    }
}

static enum acted move_dimension(struct scene *scene, bool forward, struct error *error)
{
    if (!scene->data.trace || scene->data.trace->dimensions == 0) {
        error_set(error, STATUS_USAGE, "this recording has no queries and keys");
        return ACT_REFUSED;
    }
    size_t last = scene->data.trace->dimensions - 1, dimension = scene->look.dimension;
    if (forward)
        scene->look.dimension = dimension == NO_TOKEN || dimension == last ? 0 : dimension + 1;
    else
        scene->look.dimension = dimension == NO_TOKEN || dimension == 0 ? last : dimension - 1;
    return ACT_DONE;
}

enum acted act_on_bands(struct scene *scene, enum action action, int digit, struct error *error)
{
    (void)digit;
    switch (action) {
    case ACTION_DIMENSION_PREVIOUS:
    case ACTION_DIMENSION_NEXT:
        return move_dimension(scene, action == ACTION_DIMENSION_NEXT, error);
    case ACTION_SCALE:
        scene->look.scale_largest = !scene->look.scale_largest;
        return ACT_DONE;
    case ACTION_VALUES:
        scene->look.valued = !scene->look.valued;
        return ACT_DONE;
    default:
        return ACT_PASSED;
    }
}

enum acted act_on_metrics(struct scene *scene, enum action action, int digit, struct error *error)
{
    (void)digit;
    (void)error;
    switch (action) {
    case ACTION_METRIC:
        scene->look.metric = (scene->look.metric + 1) % METRIC_COUNT;
        if (scene->look.metric == METRIC_EFFECT && scene->data.speechless[0])
            scene->look.metric = METRIC_NONE;
        return ACT_DONE;
    case ACTION_SORT:
        scene->look.sorted = !scene->look.sorted;
        if (scene->look.sorted && scene->look.metric == METRIC_NONE)
            scene->look.metric = METRIC_ENTROPY;
        return ACT_DONE;
    case ACTION_LINED:
        scene->look.lined = !scene->look.lined;
        return ACT_DONE;
    default:
        return ACT_PASSED;
    }
}

enum acted act_on_picture(struct scene *scene, enum action action, int digit, struct error *error)
{
    struct look *look = &scene->look;
    (void)digit;
    (void)error;
    switch (action) {
    case ACTION_VIEW_NEXT:
        look_go_to_view(look, (look->view + 1) % VIEW_COUNT);
        return ACT_DONE;
    case ACTION_VIEW_PREVIOUS:
        look_go_to_view(look, (look->view + VIEW_COUNT - 1) % VIEW_COUNT);
        return ACT_DONE;
    case ACTION_SPECIAL:
        look->shape.special = (look->shape.special + 1) % SPECIAL_POLICY_COUNT;
        return ACT_DONE;
    case ACTION_WORDS:
        look->shape.words = !look->shape.words;
        return ACT_DONE;
    case ACTION_THEME:
        look->theme = theme_at(look->theme + 1) ? look->theme + 1 : 0;
        return ACT_DONE;
    default:
        return ACT_PASSED;
    }
}
