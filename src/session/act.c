#include "headlight/session/act.h"

#include "headlight/model/head_mask.h"
#include "headlight/session/act_parts.h"
#include "headlight/session/edit.h"
#include "headlight/session/find.h"
#include "headlight/session/help.h"
#include "headlight/session/session_parts.h"

/* ---- Layers and heads ---- */

static uint64_t all_heads(const struct scene *scene)
{
    return head_mask_all(scene->head_count);
}

static uint64_t this_head(const struct scene *scene)
{
    return head_mask_of(scene->head);
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
        scene->heads = head_mask_toggle(scene->heads, head);
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
    if (!scene->trace || scene->trace->dimensions == 0)
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
        if (scene->mean && scene->view == VIEW_HEAD &&
            scene->tone == TONE_ROOT) /* that it has already, see session_scene */
            scene->tone++;
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
    case ACTION_METRIC:
        scene->metric = (scene->metric + 1) % METRIC_COUNT;
        return true;
    case ACTION_SORT:
        scene->sorted = !scene->sorted;
        if (scene->sorted && scene->metric == METRIC_NONE)
            scene->metric = METRIC_ENTROPY;
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
        scene->shape.special = (scene->shape.special + 1) % SPECIAL_POLICY_COUNT;
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

/* ---- Program ---- */

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
        *bits = edit_go_back(session, action == ACTION_UNDO);
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
    case ACTION_PIN:
        if (session->scene.trace || session->busy != BUSY_NOT)
            return false;
        *bits = edit_compute_again(session);
        return true;
    default:
        return false;
    }
}

/* Where one page is not enough Down goes round; any other key leaves the help. */
static void turn_help(struct session *session, enum action action)
{
    unsigned pages = help_pages(session->columns, session->rows);
    bool on = action == ACTION_TOKEN_NEXT || action == ACTION_PAGE_DOWN;
    session->help = session->help == 0 ? 1 : on && pages > 1 ? session->help % pages + 1 : 0;
}

/* What an action changed is not on screen: where it will be. */
static void say_where(struct session *session, enum action action)
{
    enum { HEAD = 1 << VIEW_HEAD, NEURON = 1 << VIEW_NEURON, MODEL = 1 << VIEW_MODEL };
    enum { MATRIX = 1 << VIEW_MATRIX };
    static const struct {
        enum action action;
        unsigned views;
        const char *where;
    } kinds[] = {
        {ACTION_METRIC, MODEL, "model"},
        {ACTION_SORT, MODEL, "model"},
        {ACTION_LINED, MODEL, "model"},
        {ACTION_DIMENSION_PREVIOUS, NEURON, "neuron"},
        {ACTION_DIMENSION_NEXT, NEURON, "neuron"},
        {ACTION_SCALE, NEURON, "neuron"},
        {ACTION_VALUES, NEURON, "neuron"},
        {ACTION_NUMBERS, HEAD, "head"},
        {ACTION_MEAN, HEAD | MATRIX, "head or matrix"},
        {ACTION_MORE, HEAD | MODEL, "head"},
        {ACTION_FEWER, HEAD | MODEL, "head"},
        {ACTION_LOWER, HEAD | MODEL, "head"},
        {ACTION_HIGHER, HEAD | MODEL, "head"},
        {ACTION_SPECIAL, HEAD | MODEL | MATRIX, "head, model or matrix"},
        {ACTION_WORDS, HEAD | MODEL | MATRIX, "head, model or matrix"},
        {ACTION_TONE, HEAD | MODEL | MATRIX, "head, model or matrix"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].action == action && !(kinds[i].views >> session->scene.view & 1))
            session_say(session, "to be seen in the %s view", kinds[i].where);
    if (action == ACTION_FILTER && !scene_is_pair(&session->scene))
        session_say(session, "there is one sentence: nothing to filter");
}

static bool act_on_screen(struct session *session, enum action action, int digit)
{
    struct scene *scene = &session->scene;
    if (action == ACTION_RANK) {
        act_begin_ranking(session);
        return true;
    }
    if (act_in_grid(session, action))
        return true;
    if (act_on_tokens(scene, action)) {
        session->query_found = false;
        return true;
    }
    return act_on_heads(scene, action, digit) || act_on_picture(session, action);
}

unsigned session_act(struct session *session, enum action action, int digit)
{
    unsigned bits = 0;
    if (action == ACTION_REDRAW)
        return SESSION_REDRAW | SESSION_REPAINT;
    if (session->help > 0 || action == ACTION_HELP) {
        turn_help(session, action);
        return SESSION_REDRAW;
    }
    if (!session->encoded && action != ACTION_QUIT && action != ACTION_CLEAR)
        return SESSION_UNCHANGED;
    session_note_shown(session);
    if (session->scene.ranked && act_in_ranking(session, action))
        return SESSION_REDRAW;
    if (act_on_program(session, action, &bits) || act_on_network(session, action, &bits))
        return bits;
    if (!act_on_screen(session, action, digit))
        return SESSION_UNCHANGED;
    say_where(session, action);
    session_refresh(session);
    return SESSION_REDRAW;
}
