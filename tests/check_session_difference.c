/* What a change of the network changes in its weights. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/act.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct error error;
static struct canvas *canvas;
#define DIFFERENCE ": \"difference\" Enter"

static float *before; /* layer 1 as it was trained, [A,T,T] */

static size_t map_size(void)
{
    return session.data.head_count * session.data.tokens * session.data.tokens;
}

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "The cats sat on the mat.", NULL);
    before = malloc(map_size() * sizeof *before);
    ck_assert_ptr_nonnull(before);
    memcpy(before, session.data.trace->layer[1].weights, map_size() * sizeof *before);
}

static void end(void)
{
    free(before);
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static void draw(int columns, int rows)
{
    canvas_free(canvas);
    canvas = drawn(columns, rows);
}

static bool shows(const char *text)
{
    return view_shows(canvas, text);
}

/* Head 0 of layer 0 off, and layer 1 looked at. */
static void change(void)
{
    session.state.look.head = 0;
    type_and_wait("z z Esc Right");
    ck_assert_uint_eq(session.state.look.layer, 1);
}

/* That of layer 1 on all heads, or that there is none. */
static void assert_difference(bool shown)
{
    const struct data *data = &session.data;
    ck_assert_int_eq(data->map->kind, shown ? MAP_DIFFERENCE : MAP_WEIGHTS);
    for (size_t i = 0; shown && i < map_size(); i++) {
        float expected = data->trace->layer[1].weights[i] - before[i];
        ck_assert_float_eq_tol(data->map->values[1][i], expected, 1e-7F);
        ck_assert_float_eq_tol(data->attention->weights[1][i], fabsf(expected), 1e-7F);
    }
}

TEST(a_difference_needs_a_change)
{
    ck_assert_uint_eq(session_set(&session, FIELD_MAP, MAP_DIFFERENCE), SESSION_REDRAW);
    ck_assert_str_eq(session.message, "the network is unchanged: z makes a change first");
    ck_assert_int_eq(session.state.look.map, MAP_WEIGHTS);
}

TEST(weights_less_those_before_are_shown)
{
    change();
    assert_difference(false);
    type_and_wait(DIFFERENCE);
    assert_difference(true);
    type_and_wait("Left Right"); /* another layer has its own */
    assert_difference(true);
    type_and_wait("Tab"); /* the neuron view shows single numbers */
    assert_difference(false);
    type_and_wait("Tab Tab");
    assert_difference(true);
    type_and_wait("p 1");
    assert_difference(false);
}

/* It comes as soon as what was before is known, and goes with the change. */
TEST(it_follows_the_network)
{
    session.state.look.map = MAP_DIFFERENCE;
    change();
    assert_difference(true);
    type_and_wait("z m Esc");
    assert_difference(true);
    type_and_wait("Z");
    assert_difference(false);
    ck_assert_int_eq(session.state.look.map, MAP_DIFFERENCE);
}

/* Numbers have signs, and blue and orange tell them. */
TEST(signs_are_told, .times = 2)
{
    static const char *const views[] = {"", "Tab Tab Tab"};
    char number[16];
    change();
    type_and_wait(views[_i]);
    type_and_wait(DIFFERENCE " Down Down");
    struct scene scene = session_scene(&session);
    struct edge edge;
    ck_assert(scene_current_edge(&scene, &edge));
    size_t place = (edge.head * session.data.tokens + edge.from) * session.data.tokens + edge.to;
    float expected = session.data.trace->layer[1].weights[place] - before[place];
    snprintf(number, sizeof number, "%+.3f", (double)expected);
    memmove(number + 1, number + 2, strlen(number + 1)); /* without the zero */
    draw(120, 40);
    ck_assert_msg(shows(number), "no %s", number);
    ck_assert(shows("blue: more than before, orange: less"));
    struct ink ink = scene_edge_ink(&scene, &edge, 9);
    ck_assert_uint_eq(ink.role, expected < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    ck_assert_uint_eq(ink.level, 9);
}

/* Of merged words, of what is rescaled, and of all heads at once; it has no mean. */
TEST(whatever_is_shown_has_one, .times = 9)
{
    static const char *const states[] = {"w", "H", "H H", "w H H", "a", "m", "f", "P", "c"};
    change();
    type_and_wait(DIFFERENCE);
    type_and_wait(states[_i]);
    ck_assert_int_eq(session.data.map->kind, MAP_DIFFERENCE);
    ck_assert_ptr_null(session.data.mean);
    for (int columns = 60; columns <= 200; columns += 20) {
        draw(columns, 30);
        ck_assert_int_eq(session.refusal.status, STATUS_OK);
    }
}
