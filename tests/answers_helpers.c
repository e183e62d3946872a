#include "answers_helpers.h"

#include "model_helpers.h"

#include <stdlib.h>

struct checkpoint checkpoint;
struct canvas *answers_canvas;

void open_texts(const char *first, const char *second)
{
    session_anew_on_texts(&checkpoint, NULL, first, second);
    session_set_view(&session, VIEW_ANSWERS);
    session_show_opening_head(&session);
}

void open_answers(const char *folder, const char *first, const char *second)
{
    struct error error;
    char *path = path_join("tests/vectors", folder);
    assert_ok(checkpoint_open(&checkpoint, path, NULL, NULL, &error), error);
    free(path);
    open_texts(first, second);
}

void end_answers(void)
{
    canvas_free(answers_canvas);
    answers_canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

void redraw(int columns, int rows)
{
    struct scene scene = session_scene(&session);
    canvas_free(answers_canvas);
    answers_canvas = view_drawn(draw_answers, &scene, columns, rows);
}

bool shows(const char *text)
{
    return view_shows(answers_canvas, text);
}
