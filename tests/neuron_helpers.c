#include "neuron_helpers.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

const char *const letters[T] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};

struct trace *trace;
struct layer_trace *layer;
struct canvas *canvas;

void neuron_begin(size_t dimensions)
{
    session_anew(letters, T, T, 4, dimensions);
    trace = session.data.encoded->trace;
    layer = &trace->layer[LAYER];
    session.state.look.view = VIEW_NEURON;
    session.state.look.layer = LAYER;
    session.state.look.head = HEAD;
    session.state.look.from = QUERY;
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    end_session();
}

const struct fixture neuron_tests = {.end = end};

void neuron_draw_as(int columns, int rows, struct traits traits)
{
    canvas_free(canvas);
    canvas = view_drawn_as(draw_neuron, scene_of(&session), columns, rows, traits);
}

void neuron_draw(int columns, int rows)
{
    neuron_draw_as(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
}

float *query_weight(size_t to)
{
    return &layer->weights[(HEAD * trace->tokens + QUERY) * trace->attended + to];
}

void set_weights(void)
{
    for (size_t to = 0; to < T; to++)
        *query_weight(to) = 0.0625F;
    *query_weight(5) = 0.498F;
    *query_weight(6) = 0.0004F;
    *query_weight(7) = 0.0016F;
}

bool row_has(int y, const char *text)
{
    return strstr(view_row(canvas, y), text) != NULL;
}

void assert_on_row(int y, const char *text)
{
    ck_assert_msg(row_has(y, text), "row %d: no \"%s\" in \"%s\"", y, text, view_row(canvas, y));
}

int column_of(int y, const char *text)
{
    const char *row = view_row(canvas, y), *found = strstr(row, text);
    int x = 0;
    for (const char *at = row; found && at < found; x++)
        at += strlen(canvas_at(canvas, y, x)->text);
    return found ? x : -1;
}

const char *label_of(int y)
{
    static char label[32];
    const char *row = view_row(canvas, y), *mark = strstr(row, "▸");
    label[0] = '\0';
    sscanf(mark ? mark + strlen("▸") : row, " %31s", label);
    return label;
}

int row_of(const char *label)
{
    for (int y = 2; y < canvas->rows - 1; y++)
        if (strcmp(label_of(y), label) == 0)
            return y;
    ck_abort_msg("no row of \"%s\"", label);
}
