#include "model_view_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/model/trace_new.h"
#include "headlight/session/derive.h"
#include "headlight/view/model_view.h"

#include <stdlib.h>

#define TOKENS_MAX 512

static const char *labels[TOKENS_MAX];

void make_pair(size_t layers, size_t heads, size_t tokens, size_t boundary)
{
    struct config config = {.vocabulary = 10,
                            .hidden = heads,
                            .layers = layers,
                            .heads = heads,
                            .feed_forward = 1,
                            .positions = TOKENS_MAX,
                            .segments = 2};
    struct error error;
    struct trace *trace;
    session_end(&session);
    ck_assert_int_eq(trace_blank(&config, tokens, NULL, 0, &trace, &error), STATUS_OK);
    for (size_t i = 0; i < tokens; i++)
        labels[i] = i + 1 == tokens ? "[SEP]" : "word";
    session = synthetic_of_trace(trace, labels, boundary);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.view = VIEW_MODEL;
}

void make(size_t layers, size_t heads, size_t tokens)
{
    make_pair(layers, heads, tokens, tokens);
}

float *weights_of(size_t layer)
{
    return session.data.encoded->trace->layer[layer].weights;
}

float *weight(size_t layer, size_t head, size_t from, size_t to)
{
    size_t tokens = session.data.encoded->trace->tokens;
    return &weights_of(layer)[(head * tokens + from) * tokens + to];
}

void set_self(size_t layer, size_t head, float value)
{
    for (size_t i = 0; i < session.data.encoded->trace->tokens; i++)
        *weight(layer, head, i, i) = value;
}

float mixed(size_t layer, size_t head)
{
    return (float)((layer * 37 + head * 23) % 41) / 64;
}

void mix(void)
{
    for (size_t i = 0; i < session.data.layers * session.data.head_count; i++)
        set_self(i / session.data.head_count, i % session.data.head_count,
                 mixed(i / session.data.head_count, i % session.data.head_count));
}

struct ranked_head model_view_at(const struct scene *scene, size_t place)
{
    struct error error;
    struct ranked_head *heads = model_view_sort(scene, &error), at;
    ck_assert_ptr_nonnull(heads);
    at = heads[place];
    free(heads);
    return at;
}

void show(enum metric metric, bool sorted, bool lined)
{
    session.state.look.metric = metric;
    session.state.look.sorted = sorted;
    session.state.look.lined = lined;
    derive_show(&session, &session.state.look);
    ck_assert_ptr_nonnull(session.data.metrics);
}

struct canvas *draw_as(int columns, int rows, struct traits traits)
{
    return view_drawn_as(draw_model, scene_of(&session), columns, rows, traits);
}

struct canvas *draw(int columns, int rows)
{
    return view_drawn(draw_model, scene_of(&session), columns, rows);
}

struct area thumbnail(const struct canvas *canvas, size_t layer, size_t head)
{
    struct area box = {0, 0, 0, 0};
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            struct hit hit = canvas_hit(canvas, y, x);
            if (hit.place[1] != HIT(head) || hit.value[0] != layer || hit.value[1] != head)
                continue;
            if (box.rows == 0)
                box = (struct area){y, x, 1, 1};
            box.rows = y + 1 - box.y;
            box.columns = x + 1 - box.x;
        }
    return box;
}

const struct fixture model_view_tests = {.end = end_session};
