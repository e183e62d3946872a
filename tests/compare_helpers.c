#include "compare_helpers.h"
#include "suites.h"

#include "headlight/session/request.h"
#include "model_helpers.h"

struct checkpoint compare_model, compare_other;
struct canvas *compare_canvas;

static struct error error;

void compare_open(const char *first, const char *second)
{
    session_anew_on_texts(&compare_model, compare_other.model ? &compare_other : NULL, first,
                          second);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
}

static void begin(void)
{
    assert_ok(checkpoint_open(&compare_model, TINY_FOLDER, NULL, NULL, &error), error);
    compare_open(TIME, FRUIT);
}

static void end(void)
{
    canvas_free(compare_canvas);
    compare_canvas = NULL;
    session_end(&session);
    checkpoint_close(&compare_model);
    checkpoint_close(&compare_other);
}

const struct fixture compare_tests = {.begin = begin, .end = end};

struct comparison compare_now(void)
{
    struct scene scene = session_scene(&session);
    return comparison_of(&scene);
}

void compare_draw(int columns, int rows)
{
    struct scene scene = session_scene(&session);
    canvas_free(compare_canvas);
    compare_canvas = view_drawn(compare_view.draw, &scene, columns, rows);
}
