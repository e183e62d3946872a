/* The model view with the effect of each head on a prediction: a figure with a sign. */
#include "model_helpers.h"
#include "model_view_helpers.h"
#include "suites.h"

#include "headlight/session/request.h"
#include "headlight/view/model_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 3
#define HEADS  4

static struct checkpoint checkpoint;
static struct error error;

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "The cats sat on [MASK] mat.", NULL);
    session.state.look.view = VIEW_MODEL;
    session.state.look.metric = METRIC_EFFECT;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_ptr_nonnull(session.data.effects);
}

static void end(void)
{
    end_session();
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

/* What stands under a thumbnail, and the style of its first sign. */
static const char *figure(const struct canvas *canvas, size_t layer, size_t head,
                          struct style *style)
{
    static char text[64];
    struct area box = thumbnail(canvas, layer, head);
    int y = box.y + box.rows - 1, x = box.x;
    while (x < box.x + box.columns - 1 && canvas_at(canvas, y, x)->text[0] == ' ')
        x++;
    *style = canvas_at(canvas, y, x)->style;
    snprintf(text, sizeof text, "%s", view_text(canvas, y, x, box.x + box.columns - x));
    return text;
}

/* Values that a test chooses. */
static void set(size_t layer, size_t head, double change)
{
    session.data.effects->change[layer * HEADS + head] = change;
}

static const struct {
    double change;
    const char *text;
    enum role role;
    bool bold;
} signs[] = {
    {0.32, "+0.32", ROLE_POSITIVE, false},   {-1.73, "-1.73", ROLE_NEGATIVE, true},
    {0.4996, "+0.50", ROLE_POSITIVE, true},  {-0.4994, "-0.50", ROLE_NEGATIVE, false},
    {0, "0.00", ROLE_FAINT, false},          {-0.004, "0.00", ROLE_FAINT, false},
    {0.0051, "+0.01", ROLE_POSITIVE, false}, {-12.345, "-12.3", ROLE_NEGATIVE, true},
};

TEST(a_sign_has_its_colour, .times = COUNT(signs))
{
    struct style style;
    session.state.look.layer = 2;
    set(1, 1, signs[_i].change);
    struct canvas *canvas = draw(80, 21);
    ck_assert_str_eq(figure(canvas, 1, 1, &style), signs[_i].text);
    ck_assert_int_eq(style.fore.role, signs[_i].role);
    ck_assert_int_eq(style.bold, signs[_i].bold);
    canvas_free(canvas);
}

static const struct {
    double value;
    int width;
    const char *text;
} printed[] = {
    {0.32, 5, "+0.32"}, {0.32, 4, "+.32"},   {0.32, 3, "+.3"},    {-1.73, 5, "-1.73"},
    {-1.73, 4, "-1.7"}, {-1.73, 3, "-2"},    {-0.004, 5, "0.00"}, {-0.04, 3, "0.0"},
    {0, 3, ".00"},      {-123.4, 5, "-123"}, {0.999, 4, "+1.0"},
};

TEST(digits_give_way_to_the_sign, .times = COUNT(printed))
{
    ck_assert_str_eq(number_text(printed[_i].value, true, 2, printed[_i].width).text,
                     printed[_i].text);
}

/* As with metrics: nothing stands where they will. */
TEST(until_they_are_measured_there_are_no_numbers)
{
    free(session.data.effects);
    session.data.effects = NULL;
    session.state.look.sorted = true;
    struct canvas *canvas = draw(120, 35);
    for (int y = 0; y < 35; y++)
        ck_assert_msg(!strstr(view_row(canvas, y), "effect"), "%s", view_row(canvas, y));
    ck_assert_ptr_nonnull(strstr(view_row(canvas, 33), "down: layers"));
    canvas_free(canvas);
}

TEST(nothing_is_drawn_outside_the_area)
{
    static const int columns[] = {60, 61, 80, 99, 100, 120, 300};
    for (size_t i = 0; i < LAYERS * HEADS; i++)
        set(i / HEADS, i % HEADS, -123.456 * (double)i);
    for (int mode = 0; mode < 4; mode++) {
        session.state.look.sorted = mode & 1;
        session.state.look.lined = mode & 2;
        for (size_t j = 0; j < sizeof columns / sizeof *columns; j++)
            for (int rows = 9; rows <= 60; rows += 6)
                view_check_inside(draw_model, scene_of(&session), columns[j], rows, 0);
    }
}
