/* The colours of the dimensions in the neuron view, in bands and in their legend, compared with the
 * trace; and where a click on a band leads. */
#include "neuron_helpers.h"
#include "suites.h"

#include "headlight/draw/heat.h"
#include "headlight/lens/dimensions.h"
#include "headlight/session/act.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct attending attending(void)
{
    return (struct attending){trace, LAYER, HEAD, QUERY};
}

/* ---- Bands ---- */

/* The inks of a band of one dimension a cell under a heading. */
static void assert_band(int y, const char *heading, const float *values, size_t count,
                        struct band_scale scale)
{
    int x = column_of(0, heading);
    ck_assert_int_ge(x, 0);
    for (size_t d = 0; d < count; d++) {
        struct ink ink = bands_ink(values[d], scale);
        struct ink drawn = canvas_at(canvas, y, x + (int)d)->style.fore;
        ck_assert_msg(drawn.level == ink.level && (ink.level == 0 || drawn.role == ink.role),
                      "%s, dimension %zu: %d instead of %d", heading, d, drawn.level, ink.level);
    }
}

static float largest_of(const float *values, size_t count, float so_far)
{
    for (size_t d = 0; d < count; d++)
        so_far = fmaxf(so_far, fabsf(values[d]));
    return so_far;
}

static struct band_scale tanh_of(float unit)
{
    return (struct band_scale){.dim = 1, .unit = unit};
}

static struct band_scale up_to(float largest)
{
    return (struct band_scale){.largest = largest, .dim = 1};
}

TESTS(.base = &neuron_tests);

TEST(bands_are_those_of_the_trace)
{
    float product[32], weighted[32];
    neuron_begin(32);
    const float *context = layer->context + QUERY * trace->hidden + HEAD * 32;
    neuron_draw(200, 60);
    struct attending at = attending();
    for (size_t key = 0; key < T; key++) {
        int y = row_of(letters[key]);
        dimensions_product(&at, key, product);
        dimensions_weighted(&at, key, weighted);
        assert_band(y, "key k", dimensions_key(&at, key), 32, tanh_of(4));
        assert_band(y, "q × k", product, 32, tanh_of(4));
        assert_band(y, "value v", dimensions_value(&at, key), 32, tanh_of(1));
        assert_band(y, "a × v", weighted, 32, tanh_of(0.25F));
    }
    assert_band(row_of(letters[QUERY]), "query q", dimensions_query(&at), 32, tanh_of(4));
    assert_band(row_of("context"), "a × v", context, 32, tanh_of(0.25F));
}

/* Scaled to the largest, q, k and q×k share one scale, a×v and its sum another, v has its own. */
TEST(largest_values_scale_the_bands)
{
    float product[32], weighted[32], context[32], keys = 0, values = 0, most = 0;
    neuron_begin(32);
    for (size_t token = 0; token < T; token++)
        for (size_t d = 0; d < 32; d++)
            heads_row(&layer->value, HEAD, token)[d] /= 64;
    struct attending at = attending();
    for (size_t key = 0; key < T; key++) {
        struct attending other = {trace, LAYER, HEAD, key};
        dimensions_product(&at, key, product);
        keys = largest_of(product, 32, keys);
        keys = largest_of(dimensions_key(&at, key), 32, keys);
        keys = largest_of(dimensions_query(&other), 32, keys);
        values = largest_of(dimensions_value(&at, key), 32, values);
        dimensions_weighted(&at, key, weighted);
        most = largest_of(weighted, 32, most);
    }
    dimensions_context(&at, context);
    most = largest_of(context, 32, most);
    ck_assert_float_gt(keys, 50 * values);
    session.state.look.scale_largest = true;
    neuron_draw(200, 60);
    dimensions_product(&at, 4, product);
    dimensions_weighted(&at, 4, weighted);
    assert_band(row_of("e"), "key k", dimensions_key(&at, 4), 32, up_to(keys));
    assert_band(row_of("e"), "q × k", product, 32, up_to(keys));
    assert_band(row_of("e"), "value v", dimensions_value(&at, 4), 32, up_to(values));
    assert_band(row_of("e"), "a × v", weighted, 32, up_to(most));
}

/* ---- The legend ---- */

/* The legend's ramp between the two ends of a scale has the inks that bands have. */
static void assert_ramp(int y, const char *low, const char *high, float end,
                        struct band_scale scale)
{
    int x = column_of(y, low) + (int)text_width(low, false) + 1, stop = column_of(y, high) - 1;
    ck_assert_msg(x < stop, "no %s … %s in \"%s\"", low, high, view_row(canvas, y));
    for (int i = x; i < stop; i++) {
        float value = end * (float)(2 * (i - x) - (stop - x - 1)) / (float)(stop - x - 1);
        struct ink ink = bands_ink(value, scale), drawn = canvas_at(canvas, y, i)->style.fore;
        ck_assert_msg(drawn.level == ink.level && (ink.level == 0 || drawn.role == ink.role),
                      "%s … %s, cell %d", low, high, i - x);
    }
}

TEST(a_legend_tells_signs_and_strengths)
{
    neuron_begin(32);
    neuron_draw(80, 24);
    assert_ramp(22, "-8", "+8", 8, tanh_of(4));
    assert_on_row(22, "a stripe: one number");
    assert_ramp(22, "v  -2", "+2", 2, tanh_of(1)); /* of the values below the keys */
    ck_assert_int_eq(canvas_at(canvas, 22, column_of(22, "-8"))->style.fore.role, ROLE_NEGATIVE);
    ck_assert_int_eq(canvas_at(canvas, 22, column_of(22, "+8"))->style.fore.role, ROLE_POSITIVE);
    session.state.look.valued = true;
    neuron_draw(80, 24);
    assert_ramp(22, "v  -2", "+2", 2, tanh_of(1));
    assert_ramp(22, "-0.5", "+0.5", 0.5F, tanh_of(0.25F));
    neuron_draw(200, 60);
    assert_ramp(58, "q, k, q × k  -8", "+8", 8, tanh_of(4));
    assert_on_row(58, "a × v  -0.5");
    assert_on_row(58, "colour: sign");
    assert_on_row(58, "fuller: more");
    neuron_draw_as(80, 24, (struct traits){GLYPHS_ASCII, false});
    ck_assert(!row_has(22, "colour"));
}

/* Scaled by the largest, the legend's end is that number. */
TEST(the_legend_names_the_largest_value)
{
    char high[24];
    float largest = 0;
    neuron_begin(32);
    session.state.look.scale_largest = true;
    session.state.look.valued = true;
    struct attending at = attending();
    for (size_t key = 0; key < T; key++)
        largest = largest_of(dimensions_value(&at, key), 32, largest);
    snprintf(high, sizeof high, "%+.3g", (double)largest);
    neuron_draw(80, 24);
    assert_on_row(22, high);
}

/* ---- One dimension ---- */

TEST(clicks_above_a_band_enter_it)
{
    neuron_begin(64);
    for (int valued = 0; valued < 2; valued++) {
        session.state.look.valued = valued;
        session.state.look.dimension = NO_TOKEN;
        neuron_draw(80, 24);
        const char *heading = valued ? "a × v" : "q × k";
        int x = column_of(0, heading), marks = valued ? 1 : 2;
        for (int cell = 0; cell < 32; cell++)
            for (int y = 0; y <= marks; y++) {
                struct hit hit = canvas_hit(canvas, y, x + cell);
                ck_assert_int_eq(hit.place[0], HIT(dimension));
                ck_assert_uint_eq(hit.value[0], 2 * (size_t)cell);
            }
        ck_assert_int_eq(canvas_hit(canvas, marks + 1, x).place[0], HIT(to));
        ck_assert_uint_eq(session_click(&session, canvas_hit(canvas, marks, x + 9)),
                          SESSION_REDRAW);
        ck_assert_uint_eq(session.state.look.dimension, 18);
        neuron_draw(80, 24);
        session_click(&session, canvas_hit(canvas, marks, x + 9)); /* the other one of the cell */
        ck_assert_uint_eq(session.state.look.dimension, 19);
    }
}
