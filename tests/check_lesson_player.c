/* A lesson on a session: what a step shows, says and leaves alone, and keys through its steps. */
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/draw/theme.h"
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

/* Another lesson in place of the small one, of steps alone. */
static void take_steps(const char *steps)
{
    char text[2048];
    snprintf(text, sizeof text, "# Another\n\nLearn more.\n\n1 minutes\n\n%s", steps);
    play(&player, text);
}

static void show(size_t step)
{
    assert_ok(player_show(&player, step, &error), error);
    ck_assert_uint_eq(player.step, step);
    ck_assert(player.panel.open && !player_is_pending(&player) && !player_is_away(&player));
}

static void type(const char *keys)
{
    assert_ok(input_type(&learner, keys, &error), error);
}

static void check_text(const char *expected)
{
    ck_assert_pstr_eq(texts_at(&learner.state.source.texts, 0), expected);
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, expected);
}

/* The weight as the trace has it, as text. */
static const char *weight(size_t layer, size_t head, size_t from, size_t to)
{
    static char text[16];
    snprintf(text, sizeof text, "%.3f",
             (double)trace_weight(learner.data.trace, layer, head, from, to));
    return text;
}

TEST(a_step_shows_its_text_its_head_and_its_numbers)
{
    char expected[80];
    show(0);
    check_text("time flies like an arrow");
    ck_assert_uint_eq(learner.data.encoded->text_count, 1);
    ck_assert_uint_eq(learner.state.look.layer, 3);
    ck_assert_uint_eq(learner.state.look.heads, head_mask_of(1));
    snprintf(expected, sizeof expected, "*time* gives *flies* %s.", weight(3, 1, 1, 2));
    ck_assert_str_eq(player.panel.text, expected);
    ck_assert_str_eq(player.panel.attempt, "`↓` chooses a token.");
    ck_assert_ptr_null(player.panel.look);
    ck_assert_str_eq(player.panel.lesson, "A small lesson");
    ck_assert_str_eq(player.panel.title, "One head");
    ck_assert_uint_eq(player.panel.steps, 4);
}

/* Settings of an earlier step hold on, another step's don't. */
TEST(what_is_shown_follows_from_the_step_alone)
{
    struct look forward, back;
    for (size_t i = 0; i < 4; i++)
        show(i);
    show(1);
    back = learner.state.look;
    ck_assert_uint_eq(back.layer, 3);
    ck_assert_uint_eq(back.from, 2);
    ck_assert(!interventions_any(&learner.state.source.changes));
    ck_assert_uint_eq(learner.state.source.masked.count, 0);
    show(0);
    show(1);
    forward = learner.state.look;
    ck_assert(look_equal(&forward, &back));
}

TEST(the_network_is_changed_and_comes_back)
{
    char expected[96], before[16];
    show(0);
    strcpy(before, weight(3, 1, 1, 2));
    show(2);
    ck_assert(learner.state.source.changes.causal);
    ck_assert(learner.data.trace->computed.changes.causal);
    snprintf(expected, sizeof expected, "Now %s, before %s.\nThere are %zu layers.",
             weight(3, 1, 1, 2), before, learner.data.layers);
    ck_assert_str_eq(player.panel.text, expected);
    ck_assert_str_eq(weight(3, 1, 1, 2), "0.000");
    show(1);
    ck_assert(!learner.state.source.changes.causal);
    ck_assert_str_eq(weight(3, 1, 1, 2), before);
}

TEST(a_pair_with_a_mask)
{
    show(3);
    check_text("the cat sat");
    ck_assert_uint_eq(learner.data.encoded->text_count, 2);
    ck_assert_uint_eq(learner.data.encoded->masked.count, 1);
    ck_assert_uint_eq(learner.state.look.from, 2);
    ck_assert_int_eq(learner.state.look.view, VIEW_ANSWERS);
    ck_assert_ptr_null(strchr(player.panel.text, '?'));
}

/* [CLS] and [SEP] are part of what is read, though the text is the same. */
TEST(without_special_tokens_it_is_another_pass)
{
    take_steps("## With\n\n`\"the cat\"`\n\n{tokens} tokens.\n\n"
               "## Without\n\n`--no-special`\n\n{tokens} tokens.\n");
    show(0);
    ck_assert_str_eq(player.panel.text, "4 tokens.");
    show(1);
    ck_assert_str_eq(player.panel.text, "2 tokens.");
    show(0);
    ck_assert_str_eq(player.panel.text, "4 tokens.");
}

TEST(a_text_of_the_users_leads_away_and_the_step_comes_back)
{
    show(1);
    const struct look shown = learner.state.look;
    type("e Ctrl-U \"the cat\" Enter");
    check_text("the cat");
    ck_assert(player_is_away(&player));
    show(1);
    check_text("time flies like an arrow");
    ck_assert(look_equal(&shown, &learner.state.look));
    type("Down");
    ck_assert(player_is_away(&player));
    type("Up");
    ck_assert(!player_is_away(&player));
    type("z m Esc"); /* causal */
    ck_assert(player_is_away(&player));
    show(1);
    ck_assert(!learner.data.trace->computed.changes.causal);
}

/* A theme, and how weights are shaded, are nobody else's business. */
TEST(how_the_user_sees_pictures_stays_his)
{
    show(0);
    struct look look = learner.state.look;
    look.theme = theme_number("light");
    look.tone = TONE_ROOT;
    look.numbers = true;
    ck_assert(session_show(&learner, &look));
    ck_assert(!player_is_away(&player));
    show(3);
    ck_assert_uint_eq(learner.state.look.theme, theme_number("light"));
    ck_assert_int_eq(learner.state.look.tone, TONE_ROOT);
    ck_assert(learner.state.look.numbers);
}

/* What a step sets of them it takes along when it goes. */
TEST(how_a_step_shows_pictures_ends_with_it)
{
    take_steps("## Root\n\n`--shade root \"the cat\"`\n\nBrighter.\n\n"
               "## Plain\n\n`--anew \"the cat\"`\n\nAs ever.\n");
    show(0);
    ck_assert_int_eq(learner.state.look.tone, TONE_ROOT);
    show(1);
    ck_assert_int_eq(learner.state.look.tone, TONE_WEIGHT);
}

/* As without a lesson: where no layer is named, the model's own answer comes first. */
TEST(words_begin_with_the_models_own_answer)
{
    take_steps("## Said\n\n`--view answers --select an \"time flies like an arrow\"`\n\n"
               "Layer {layer}.\n\n## Half way\n\n`--layer 1`\n\nLayer {layer}.\n\n"
               "## Elsewhere\n\n`--anew --view matrix \"time flies like an arrow\"`\n\n"
               "Layer {layer}.");
    char expected[32];
    show(0);
    ck_assert_uint_eq(learner.state.look.layer, learner.data.layers - 1);
    snprintf(expected, sizeof expected, "Layer %zu.", learner.data.layers - 1);
    ck_assert_str_eq(player.panel.text, expected);
    show(1);
    ck_assert_uint_eq(learner.state.look.layer, 1);
    show(2);
    ck_assert_uint_eq(learner.state.look.layer, 0);
}

TEST(settings_with_formulas)
{
    take_steps("## Figure\n\n`--layer {layer of previous} --head {head of previous} "
               "--select {most arrow} \"time flies like an arrow\"`\n\n{layer}.{head}\n");
    show(0);
    char expected[16];
    size_t layer = learner.state.look.layer, head = learner.state.look.head;
    snprintf(expected, sizeof expected, "%zu.%zu", layer, head);
    ck_assert_str_eq(player.panel.text, expected);
    struct head_metrics metrics =
        metrics_measure(learner.data.trace, layer, head, &learner.data.kinds);
    for (size_t l = 0; l < learner.data.layers; l++)
        for (size_t h = 0; h < learner.data.head_count; h++) {
            struct head_metrics other =
                metrics_measure(learner.data.trace, l, h, &learner.data.kinds);
            ck_assert(metric_of(&other, METRIC_PREVIOUS) <=
                      metric_of(&metrics, METRIC_PREVIOUS) + 0.0005);
        }
    ck_assert_uint_ne(learner.state.look.from, NO_TOKEN);
}

/* They are said of the network without the changes. */
TEST(changes_with_formulas)
{
    take_steps("## Off\n\n`--off {layer of previous}.{head of previous} --mask like "
               "\"time flies like an arrow\"`\n\n{layer of previous before}.{head of previous "
               "before}\n\n## Nowhere\n\n`--anew --off {layer of same}.0 \"the cat\"`\n\nHere.\n");
    show(0);
    size_t layer, head;
    ck_assert_int_eq(sscanf(player.panel.text, "%zu.%zu", &layer, &head), 2);
    ck_assert_uint_eq(learner.state.source.changes.off[layer], head_mask_of(head));
    ck_assert_uint_eq(learner.data.encoded->masked.count, 1);
    assert_ok(player_go(&player, 1, &bits, &error), error);
    assert_ok(request_settle(&learner, &error), error);
    assert_ok(player_settle(&player, &error), error);
    ck_assert_ptr_nonnull(strstr(learner.message, "heads to switch off"));
    ck_assert_str_eq(player.panel.text, "Here.");
}

#define MANY "a cat is a cat and a dog is a dog and a cow is a cow and a hen "

/* Neither the pass that their formulas see nor the heads' figures are made on the keyboard's
 * thread: one pass is asked for, then the figures, then the pass with the changes. */
TEST(changes_with_formulas_are_requests)
{
    take_steps("## Off\n\n`--off {layer of previous}.{head of previous} "
               "\"" MANY MANY MANY MANY MANY "\"`\n\nHere.\n");
    learner.interactive = true;
    assert_ok(player_go(&player, 0, &bits, &error), error);
    ck_assert_uint_eq(bits, SESSION_REDRAW | SESSION_PASS);
    assert_ok(request_settle(&learner, &error), error);
    ck_assert(!interventions_any(&learner.data.trace->computed.changes));
    assert_ok(player_settle(&player, &error), error);
    ck_assert(derive_wants(REQUEST_METRICS, &learner.state.look, &learner.data));
    ck_assert(!learner.pass_due && !player.panel.open && player_is_pending(&player));
    assert_ok(request_rest(&learner, &error), error);
    assert_ok(player_settle(&player, &error), error);
    ck_assert(learner.pass_due && !player.panel.open && player_is_pending(&player));
    assert_ok(request_settle(&learner, &error), error);
    ck_assert(interventions_any(&learner.data.trace->computed.changes));
    ck_assert_ptr_nonnull(learner.data.before); /* it was the pass before */
    assert_ok(player_settle(&player, &error), error);
    ck_assert(player.panel.open && !player_is_away(&player) && !player_is_pending(&player));
    /* and a second time all is there but the pass with the changes */
    assert_ok(player_go(&player, 0, &bits, &error), error);
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
}

/* The rest is shown, and what is not is said. */
TEST(what_does_not_suit_the_model_is_left_out)
{
    take_steps("## Too far\n\n`--layer 2 --head 99 --select dog --off 99.0 --causal \"the cat\"`"
               "\n\nHere.\n");
    assert_ok(player_go(&player, 0, &bits, &error), error);
    ck_assert_uint_eq(bits, SESSION_REDRAW | SESSION_PASS);
    ck_assert_int_eq(player.awaits, AWAITS_PASS);
    assert_ok(request_settle(&learner, &error), error);
    ck_assert_str_eq(learner.message, "");
    assert_ok(player_settle(&player, &error), error);
    ck_assert_ptr_nonnull(strstr(learner.message, "99.0"));
    ck_assert_ptr_nonnull(strstr(learner.message, "the step is shown without it"));
    learner.message[0] = '\0';
    assert_ok(player_settle(&player, &error), error);
    ck_assert_str_eq(learner.message, ""); /* said once */
    ck_assert_uint_eq(learner.state.look.layer, 2);
    ck_assert_uint_eq(learner.state.look.from, NO_TOKEN);
    ck_assert(learner.state.source.changes.causal);
    ck_assert_str_eq(player.panel.text, "Here.");
}

static char *long_step(void)
{
    const size_t words = model_config(builtin.model)->longest;
    char *text = calloc(words + 64, 4);
    strcpy(text, "# Long\n\nLearn.\n\n1 minutes\n\n## Short\n\n`\"the cat\"`\n\nHere.\n\n"
                 "## Long\n\n`\"");
    for (size_t i = 0; i < words; i++)
        strcat(text, "a ");
    return strcat(text, "\"`\n\nToo long.\n");
}

TEST(a_text_too_long_for_the_model_leaves_the_step_before)
{
    char *text = long_step();
    play(&player, text);
    free(text);
    show(0);
    ck_assert_int_eq(player_go(&player, 1, &bits, &error), STATUS_LIMIT);
    ck_assert_uint_eq(player.step, 0);
    ck_assert_str_eq(player.panel.text, "Here.");
    ck_assert(!player_is_away(&player));
    check_text("the cat");
}

/* At the keyboard, where a worker computes what was before the change after the pass. */
TEST(numbers_that_are_not_there_yet_are_left_open)
{
    struct request request;
    learner.interactive = true;
    assert_ok(player_go(&player, 2, &bits, &error), error);
    assert_ok(request_settle(&learner, &error), error);
    assert_ok(player_settle(&player, &error), error);
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
    show(0);
    assert_ok(player_go(&player, 3, &bits, &error), error);
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
    learner.busy = REQUEST_PASS;
    assert_ok(player_go(&player, 0, &bits, &error), error);
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
    learner.busy = REQUEST_NONE;
    assert_ok(request_settle(&learner, &error), error);
    assert_ok(player_settle(&player, &error), error);
    ck_assert(!player_is_pending(&player));
    check_text("time flies like an arrow");
    assert_ok(player_go(&player, 1, &bits, &error), error); /* the same pass */
    ck_assert_uint_eq(bits, SESSION_REDRAW);
    ck_assert_str_eq(player.panel.title, "A token");
}

/* ---- Keys ---- */

static void begin_small(size_t step)
{
    play(&player, SMALL_LESSON);
    player_attend(&player, &learner);
    player.step = step;
    assert_ok(player_show(&player, player.step, &error), error);
}

static void check_step(size_t step, const char *title)
{
    ck_assert(learner.panel->open && !learner.panel->away);
    ck_assert_uint_eq(learner.panel->step, step);
    ck_assert_str_eq(learner.panel->title, title);
}

TEST(space_goes_on_and_backspace_back)
{
    begin_small(0);
    check_step(0, "One head");
    type("Space");
    check_step(1, "A token");
    ck_assert_uint_eq(learner.state.look.from, 2);
    type("Space");
    check_step(2, "Changed");
    ck_assert(learner.data.trace->computed.changes.causal);
    type("Backspace");
    check_step(1, "A token");
    ck_assert(!learner.data.trace->computed.changes.causal);
    type("Backspace Backspace");
    check_step(0, "One head");
    ck_assert_str_eq(learner.message, "this is the first step");
}

TEST(who_goes_away_is_brought_back)
{
    begin_small(1);
    const struct look shown = learner.state.look;
    type("Down");
    ck_assert(learner.panel->away);
    type("Space");
    check_step(1, "A token");
    ck_assert(look_equal(&shown, &learner.state.look));
    type("e Ctrl-U \"the cat\" Enter");
    ck_assert(learner.panel->away);
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, "the cat");
    type("Space");
    check_step(1, "A token");
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, "time flies like an arrow");
    type("Space");
    check_step(2, "Changed");
}

TEST(a_lesson_ends_and_is_left)
{
    begin_small(3);
    type("Space");
    ck_assert(learner.panel->open && learner.panel->over && !learner.panel->away);
    ck_assert_str_eq(learner.panel->title, "A small lesson");
    ck_assert_str_eq(learner.panel->text, "Learn what a test needs.");
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, "the cat sat"); /* the picture stays */
    const struct look before = learner.state.look;
    for (int i = 0; i < 3; i++) { /* there is no lesson behind a file's */
        type("Space");
        ck_assert(learner.panel->open && learner.panel->over);
        ck_assert_str_eq(learner.message, "The last lesson ends here: L leaves it");
        ck_assert(look_equal(&learner.state.look, &before));
    }
    type("L");
    ck_assert(!learner.panel->open);
    begin_small(1);
    type("L");
    ck_assert(!learner.panel->open);
    ck_assert_str_eq(learner.message, "left at step 2 of 4: L returns to it");
    type("Down");
    ck_assert(!learner.panel->open);
}

/* The network is as it was trained, what was learnt is said, Backspace goes back to the last step
 * with its change, and Space begins the next lesson. */
TEST(after_the_end_comes_the_next_lesson)
{
    const struct panel_lesson *listed = player.list;
    const size_t index = lessons_find("order");
    player_attend(&player, &learner);
    assert_ok(player_open(&player, "order", listed[index].steps - 1, &error), error);
    assert_ok(player_show(&player, player.step, &error), error);
    ck_assert(interventions_any(&learner.data.trace->computed.changes));
    type("Space");
    ck_assert(learner.panel->over && !learner.panel->away);
    ck_assert(!interventions_any(&learner.data.trace->computed.changes));
    ck_assert_ptr_nonnull(strstr(learner.panel->text, "Attention can't count"));
    ck_assert_str_eq(learner.panel->next, listed[index + 1].title);
    ck_assert_str_eq(learner.message, ""); /* which would hide that */
    type("Backspace");
    ck_assert(!learner.panel->over && learner.panel->step + 1 == listed[index].steps);
    ck_assert(interventions_any(&learner.data.trace->computed.changes));
    type("Space Space");
    ck_assert_str_eq(learner.panel->lesson, listed[index + 1].title);
    ck_assert(learner.panel->open && learner.panel->step == 0);
}

/* u undoes what was tried in a step, but doesn't leave it; once the lesson is left it does. */
TEST(undo_stays_in_the_step)
{
    static const struct {
        const char *keys, *message;
        size_t step;
        bool away, open;
    } undone[] = {
        {"u", "nothing to undo in this step", 0, false, true},
        {"Space u", "nothing to undo in this step", 1, false, true},
        {"Space z m Esc", "", 1, true, true},
        {"Space z m Esc u", "undo: causal off", 1, false, true},
        {"Space z m Esc u u", "nothing to undo in this step", 1, false, true},
        {"Space e \" on\" Enter u", "undo: text", 1, false, true},
        {"Space e \" on\" Enter Space u", "undo: text", 1, true, true},
        {"Space z m Esc Backspace u", "nothing to undo in this step", 0, false, true},
        {"Space Backspace U", "nothing to redo in this step", 0, false, true},
    };
    for (int i = 0; i < COUNT(undone); i++) {
        begin_small(0);
        type(undone[i].keys);
        ck_assert_msg(strcmp(learner.message, undone[i].message) == 0, "%s: %s", undone[i].keys,
                      learner.message);
        ck_assert_msg(learner.panel->step == undone[i].step, "%s: %zu", undone[i].keys,
                      learner.panel->step);
        ck_assert_msg(learner.panel->away == undone[i].away, "%s: away", undone[i].keys);
        ck_assert(learner.panel->open == undone[i].open);
    }
    begin_small(0);
    type("e \" on\" Enter L u");
    ck_assert(!learner.panel->open);
    ck_assert_str_eq(learner.message, "undo: text");
}

/* What is still being computed when the lesson is left doesn't bring it back. */
TEST(a_step_that_comes_too_late_is_none)
{
    begin_small(0);
    learner.interactive = true;
    bits = panel_ask(&learner, TEACH_ON, 0);
    bits = panel_ask(&learner, TEACH_ON, 0);
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
    panel_ask(&learner, TEACH_LEAVE, 0);
    assert_ok(request_settle(&learner, &error), error);
    ck_assert(!learner.panel->open);
}

TEST(lessons_and_steps_that_there_are_not)
{
    assert_fails(player_open(&player, "no-such-lesson", 0, &error), STATUS_USAGE, "lines", error);
    assert_fails(player_open(&player, "lines", 99, &error), STATUS_USAGE, "--step: expected 1 to ",
                 error);
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
