/* A step whose pass and numbers come from a worker; scripts/lessons_steps.txt has what is shown. */
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/lesson/player.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

static struct player player;
static struct error error;
static unsigned bits;

static void begin(void)
{
    begin_state();
    begin_learner();
    play(&player, SMALL_LESSON);
}

static void end(void)
{
    player_end(&player);
    end_learner();
    end_state();
}

TESTS(.begin = begin, .end = end);

static void go(size_t step)
{
    assert_ok(player_go(&player, step, &bits, &error), error);
}

/* What is due is computed, and the player goes on. */
static void come(void)
{
    assert_ok(request_settle(&learner, &error), error);
    assert_ok(player_settle(&player, &error), error);
}

static bool is_there(void)
{
    return player.panel.open && !player_is_away(&player) && !player_is_pending(&player);
}

#define MANY     "a cat is a cat and a dog is a dog and a cow is a cow and a hen "
#define PREVIOUS "{layer of previous}.{head of previous}"
#define WAITING(options)                                                                           \
    "# A\n\nLearn.\n\n1 minute\n\n## B\n\n`" options " \"" MANY MANY MANY MANY MANY "\"`\n\nHere." \
    "\n"

/* The pass that their formulas see isn't made on the keyboard's thread: it is asked for, and then
 * the one with the changes. */
TEST(changes_with_formulas_are_requests)
{
    play(&player, WAITING("--off " PREVIOUS));
    learner.interactive = true;
    go(0);
    ck_assert_uint_eq(bits, SESSION_REDRAW | SESSION_PASS);
    come();
    ck_assert(!interventions_any(&learner.data.trace->computed.changes));
    ck_assert(learner.pass_due && !player.panel.open && player_is_pending(&player));
    come();
    ck_assert(interventions_any(&learner.data.trace->computed.changes));
    ck_assert_ptr_nonnull(data_before(&learner.data)); /* it was the pass before */
    ck_assert(is_there());
    go(0); /* a second time all is there but the pass with the changes */
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
}

TEST(settings_wait_for_what_their_formulas_need)
{
    play(&player, WAITING("--causal --layer {layer of previous before} --numbers"));
    learner.interactive = true;
    go(0);
    come();
    ck_assert(!learner.state.look.numbers && !player.panel.open);
    assert_ok(request_rest(&learner, &error), error);
    assert_ok(player_settle(&player, &error), error);
    ck_assert(learner.state.look.numbers && is_there());
}

/* At the keyboard, where a worker computes what was before the change after the pass. */
TEST(numbers_that_are_not_there_yet_are_left_open)
{
    struct request request;
    learner.interactive = true;
    go(2);
    come();
    ck_assert_int_eq(player.said, FORMULA_PENDING);
    ck_assert_ptr_nonnull(strstr(player.panel.text, "before …"));
    assert_ok(request_besides(&learner, &request, &error), error);
    ck_assert_int_eq(request.kind, REQUEST_BEFORE);
    assert_ok(request_run(&request, NULL, &error), error);
    assert_ok(request_take(&learner, &request, 0, &error), error);
    assert_ok(player_settle(&player, &error), error);
    ck_assert(!player_is_pending(&player));
    ck_assert_ptr_null(strstr(player.panel.text, "…"));
}

/* A step whose pass is computed, and then one whose pass is shown: the first must not come after
 * it. */
TEST(a_pass_on_its_way_is_stopped_by_the_step_before)
{
    go(0);
    come();
    go(3);
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
    learner.busy = REQUEST_PASS;
    go(0);
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
    learner.busy = REQUEST_NONE;
    come();
    ck_assert(is_there());
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, "time flies like an arrow");
    go(1); /* the same pass */
    ck_assert_uint_eq(bits, SESSION_REDRAW);
    ck_assert_str_eq(player.panel.title, "A token");
}

/* What is still being computed when the lesson is left doesn't bring it back. */
TEST(a_step_that_comes_too_late_is_none)
{
    player_attend(&player, &learner);
    go(0);
    come();
    learner.interactive = true;
    panel_ask(&learner, TEACH_ON, 0);
    bits = panel_ask(&learner, TEACH_ON, 0);
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
    panel_ask(&learner, TEACH_LEAVE, 0);
    assert_ok(request_settle(&learner, &error), error);
    ck_assert(!learner.panel->open);
}

/* A lesson needs a model, and one that is there. */
TEST(without_a_model_there_is_no_lesson)
{
    struct session *none = calloc(1, sizeof *none);
    player_attend(&player, none);
    panel_ask(none, TEACH_BEGIN, 0);
    ck_assert_str_eq(none->message, "the model is still being loaded");
    ck_assert(!none->panel->open);
    free(none);
}
