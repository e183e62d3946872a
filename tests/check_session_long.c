/* Long texts: what is kept from frame to frame, and what the threads of the pool share out, changes
 * no cell. */
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/model/trace_new.h"
#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/overlay.h"
#include "headlight/session/screen.h"
#include "headlight/tensor/thread_pool.h"
#include "headlight/view/model_view.h"

#include <stdlib.h>
#include <string.h>

#define LAYERS 2
#define HEADS  12
#define TOKENS 200

static const char *labels[TOKENS];
static struct session session;

/* Two sentences with words of several pieces; rows of weights sum to 1, and some are heavy. */
static void begin(void)
{
    const struct config config = {.vocabulary = 10,
                                  .hidden = HEADS,
                                  .layers = LAYERS,
                                  .heads = HEADS,
                                  .feed_forward = 1,
                                  .positions = TOKENS,
                                  .segments = 2};
    struct trace *trace;
    struct error error;
    ck_assert_int_eq(trace_blank(&config, TOKENS, NULL, 0, &trace, &error), STATUS_OK);
    ck_assert_uint_ge((size_t)HEADS * TOKENS * TOKENS, POOL_WEIGHTS_MIN);
    for (size_t i = 0; i < TOKENS; i++)
        labels[i] = i == 0 ? "[CLS]" : i % 100 == 99 ? "[SEP]" : i % 5 == 3 ? "##s" : "time";
    for (size_t row = 0; row < LAYERS * HEADS * TOKENS; row++) {
        float *weights =
            trace->layer[row / (HEADS * TOKENS)].weights + row % (HEADS * TOKENS) * TOKENS;
        float sum = 0;
        for (size_t to = 0; to < TOKENS; to++) {
            size_t mixed = (row * 7919 + to * 104729) % 1009;
            sum += weights[to] = (float)(mixed < 20 ? 40 * mixed : mixed % 10 + 1);
        }
        for (size_t to = 0; to < TOKENS; to++)
            weights[to] /= sum;
    }
    session = synthetic_of_trace(trace, labels, 100);
    ck_assert_ptr_nonnull(session.data.encoded);
    pool_set_size(3);
}

static void end(void)
{
    session_end(&session);
    pool_set_size(0);
}

TESTS(.begin = begin, .end = end);

static void act(enum action action)
{
    ck_assert_uint_eq(session_act(&session, action, 0), SESSION_REDRAW);
}

static struct canvas *draw(int columns, int rows, struct traits traits)
{
    struct error error;
    struct canvas *canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    return canvas;
}

static bool same_ink(struct ink a, struct ink b)
{
    return a.role == b.role && a.level == b.level;
}

static void check_same(const struct canvas *one, const struct canvas *other)
{
    for (int i = 0; i < one->columns * one->rows; i++) {
        const struct cell *a = &one->cells[i], *b = &other->cells[i];
        ck_assert_msg(strcmp(a->text, b->text) == 0 && same_ink(a->style.fore, b->style.fore) &&
                          same_ink(a->style.back, b->style.back) && a->style.bold == b->style.bold,
                      "row %d, column %d: \"%s\" and \"%s\"", i / one->columns, i % one->columns,
                      a->text, b->text);
    }
}

static void prepare(int columns, int rows, struct traits traits)
{
    struct error error;
    struct canvas *canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    canvas_free(canvas);
}

/* With what is kept, and without it by one thread alone. */
static void check_kept(int columns, int rows, struct traits traits)
{
    prepare(columns, rows, traits);
    struct bands *kept = session.data.bands;
    struct error error;
    struct canvas *with = draw(columns, rows, traits);
    ck_assert_int_eq(bands_new(&session.data, NULL, &session.data.bands, &error), STATUS_OK);
    pool_set_size(1);
    struct canvas *without = draw(columns, rows, traits);
    pool_set_size(3);
    bands_free(session.data.bands);
    session.data.bands = kept;
    check_same(with, without);
    canvas_free(with);
    canvas_free(without);
}

/* ---- Thumbnails ---- */

/* Actions, and values of fields that have none. */
static const struct {
    enum action action;
    enum state_field field;
    size_t choice;
} changes[] = {
    {0, FIELD_SHADE, 1},        {0, FIELD_SHADE, 2},        {.action = ACTION_FILTER},
    {.action = ACTION_FILTER},  {.action = ACTION_WORDS},   {.action = ACTION_RIGHT},
    {0, FIELD_THRESHOLD, 4},    {.action = ACTION_SPECIAL}, {0, FIELD_THRESHOLD, 2},
    {.action = ACTION_SPECIAL}, {.action = ACTION_WORDS},   {.action = ACTION_LIST},
    {0, FIELD_SHADE, 0},        {.action = ACTION_METRIC},  {.action = ACTION_SORT},
    {.action = ACTION_FILTER},  {.action = ACTION_FIND},    {0, FIELD_THUMBNAILS, 1},
    {0, FIELD_SHADE, 1},        {0, FIELD_THUMBNAILS, 0},   {.action = ACTION_SPECIAL},
};

TEST(kept_thumbnails_are_those_made_anew, .times = 2)
{
    const struct traits colour = {GLYPHS_BRAILLE, false}, mono = {GLYPHS_BRAILLE, true};
    session_set_view(&session, VIEW_MODEL);
    if (_i > 0)
        session_set(&session, FIELD_THUMBNAILS, 1);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (changes[i].field)
            session_set(&session, changes[i].field, changes[i].choice);
        else
            act(changes[i].action);
        check_kept(120, 40, colour);
        ck_assert_ptr_nonnull(session.data.bands->thumbnails[SITE_ONLY]);
        check_kept(121, 50, mono);
    }
}

/* None of these changes what a thumbnail shows. */
TEST(thumbnails_are_kept_while_the_cursor_moves)
{
    static const enum action others[] = {ACTION_RIGHT,        ACTION_TOKEN_NEXT, ACTION_LEFT,
                                         ACTION_HEAD_TOGGLE,  ACTION_HELP,       ACTION_HELP,
                                         ACTION_CLEAR,        ACTION_VIEW_NEXT,  ACTION_LAYER_NEXT,
                                         ACTION_VIEW_PREVIOUS};
    const struct traits traits = {GLYPHS_BRAILLE, false};
    session_set_view(&session, VIEW_MODEL);
    prepare(120, 40, traits);
    const struct thumbnails *kept = session.data.bands->thumbnails[SITE_ONLY];
    ck_assert_ptr_nonnull(kept);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        act(others[i]);
        prepare(120, 40, traits);
        ck_assert_ptr_eq(session.data.bands->thumbnails[SITE_ONLY], kept);
    }
    act(ACTION_WORDS);
    ck_assert_ptr_null(session.data.bands->thumbnails[SITE_ONLY]);
}

/* ---- Lines ---- */

/* Whether the screen says so. */
static bool says(const struct canvas *canvas, const char *text)
{
    static char cells[CANVAS_MAX * GLYPH_BYTES];
    for (int y = 0; y < canvas->rows; y++) {
        cells[0] = '\0';
        for (int x = 0; x < canvas->columns; x++)
            strcat(cells, canvas_at(canvas, y, x)->text);
        if (strstr(cells, text))
            return true;
    }
    return false;
}

/* Of 480,000 connections nearly all weigh a thousandth: a line a pair, whatever the heads. */
TEST(a_carpet_has_each_pair_once_and_what_is_left_out_is_counted)
{
    const struct traits traits = {GLYPHS_BRAILLE, false};
    session.state.look.threshold = 1;
    struct canvas *carpet = draw(120, 40, traits);
    ck_assert(says(carpet, "40000 of 40000 lines, from 0.001 up"));
    session.state.look.threshold = 100;
    struct canvas *few = draw(120, 40, traits);
    ck_assert(says(few, " of 40000 lines, from 0.100 up"));
    ck_assert(!says(few, "40000 of 40000 lines"));
    canvas_free(carpet);
    canvas_free(few);
}

/* ---- What the pool shares out ---- */

/* Neither in the ranking nor in a mean over layers does it matter which layers are at hand. */
TEST(all_layers_are_read_without_being_kept)
{
    const struct traits traits = {GLYPHS_BRAILLE, false};
    struct error error;
    session.state.look.from = 60;
    session.state.look.to = 70;
    act(ACTION_WORDS);
    for (int special = 0; special < SPECIAL_POLICY_COUNT; special++) {
        act(ACTION_SPECIAL);
        for (int ranked = 0; ranked < 2; ranked++) {
            session.state.look.ranked = ranked;
            session.state.look.averaged = ranked ? MEAN_NONE : MEAN_LAYERS;
            derive_show(&session, &session.state.look);
            struct canvas *some = draw(120, 40, traits);
            const struct token_range layers = {0, LAYERS};
            ck_assert_int_eq(attention_add(session.data.attention, layers, &error), STATUS_OK);
            struct canvas *all = draw(120, 40, traits);
            check_same(some, all);
            canvas_free(some);
            canvas_free(all);
        }
    }
}

/* ---- Many heads --------------------------------------------------------------------------- */

/* Of a model with 48 layers of 25 heads, as GPT-2's largest has, all may be off: each has its row.
 */
TEST(every_head_that_is_off_is_listed)
{
    const struct config config = {.vocabulary = 10,
                                  .hidden = 25,
                                  .layers = 48,
                                  .heads = 25,
                                  .feed_forward = 1,
                                  .positions = 3,
                                  .segments = 2};
    struct trace *trace;
    struct error error;
    ck_assert_int_eq(trace_blank(&config, 3, NULL, 0, &trace, &error), STATUS_OK);
    session_end(&session);
    session = synthetic_of_trace(trace, labels, 3);
    for (size_t layer = 0; layer < 48; layer++)
        session.state.source.changes.off[layer] = head_mask_all(25);
    overlay_open(&session, OVERLAY_CHANGES);
    input_key(&session, KEY_CODE_END);
    struct canvas *canvas = draw(100, 30, (struct traits){0});
    ck_assert(view_shows(canvas, "head 47.24 off"));
    ck_assert(view_shows(canvas, "head 47.23 off"));
    canvas_free(canvas);
}
