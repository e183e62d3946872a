/* The model view sorted by the number of two tokens: 24 layers of 16 heads whose weights are
 * twentieths, so that there are many of each. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/model/trace_new.h"
#include "headlight/session/act.h"
#include "headlight/session/screen.h"
#include "headlight/view/model_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 24
#define HEADS  16
#define TOKENS 3
#define ALL    ((size_t)LAYERS * HEADS)

static const char *const labels[TOKENS] = {"[CLS]", "flies", "arrow"};
static struct session session;

static struct session make(const char *const *names)
{
    struct config config = {.vocabulary = 2,
                            .hidden = HEADS,
                            .layers = LAYERS,
                            .heads = HEADS,
                            .feed_forward = 1,
                            .positions = TOKENS,
                            .segments = 1};
    struct trace *trace;
    struct error error;
    ck_assert_int_eq(trace_blank(&config, TOKENS, NULL, 0, &trace, &error), STATUS_OK);
    for (size_t i = 0; i < ALL * TOKENS; i++) {
        float *row = trace->layer[i / (HEADS * TOKENS)].weights + i % (HEADS * TOKENS) * TOKENS;
        row[0] = (float)(i * 7 % 11) / 20;
        row[1] = (float)(i * 5 % 9) / 20;
        row[2] = 1 - row[0] - row[1];
    }
    return synthetic_of_trace(trace, names, TOKENS);
}

/* "flies" is pinned, and the cursor on "arrow". */
static void begin(void)
{
    session = make(labels);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.from = 1;
    session.state.look.to = 2;
    session.state.look.side = SIDE_RIGHT;
    session_act(&session, ACTION_RANK, 0);
    ck_assert(session.state.look.ranked);
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

static unsigned weight_of(size_t layer, size_t head)
{
    return edge_thousandths(attention_weight(session.data.attention, layer, head, 1, 2));
}

TEST(heads_are_ranked_by_weight_then_place)
{
    struct error error;
    struct ranked_head *heads = model_view_sort(scene_of(&session), &error);
    bool seen[ALL] = {false};
    size_t ties = 0;
    ck_assert_ptr_nonnull(heads);
    for (size_t i = 0; i < ALL; i++) {
        size_t place = heads[i].layer * HEADS + heads[i].head;
        ck_assert(heads[i].head < HEADS && place < ALL && !seen[place]);
        seen[place] = true;
        ck_assert_int_eq(heads[i].key, weight_of(heads[i].layer, heads[i].head));
        if (i == 0)
            continue;
        ck_assert_int_le(heads[i].key, heads[i - 1].key);
        ties += heads[i].key == heads[i - 1].key;
        ck_assert(heads[i].key < heads[i - 1].key ||
                  place > heads[i - 1].layer * HEADS + heads[i - 1].head);
    }
    ck_assert(ties > ALL / 2 && ties < ALL - 2);
    free(heads);
}

TEST(nothing_is_drawn_outside, .times = 3)
{
    static const char *const others[][TOKENS] = {
        {"[CLS]", "flies", "arrow"},
        {"[CLS]", "", ""},
        {"[CLS]", "日本語日本語日本語日本語日本語日本語", "donaudampfschifffahrtsgesellschaft"}};
    session_end(&session);
    session = make(others[_i]);
    session.state.look.from = 1;
    session.state.look.to = 2;
    session_act(&session, ACTION_RANK, 0);
    for (int end = 0; end < 2; end++) {
        for (int columns = 28; columns < 130; columns += 3)
            for (int rows = 9; rows < 30; rows += 5)
                view_check_inside(draw_model, scene_of(&session), columns, rows, 0);
        session_act(&session, ACTION_TOKEN_LAST, 0);
    }
}
