/* Editing: which text is wanted after it, whether or not the last one was computed by then. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/model/forward.h"
#include "headlight/session/act.h"
#include "headlight/session/edit.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

#define WITH_PASS (SESSION_REDRAW | SESSION_PASS)

static struct checkpoint checkpoint;
static struct session session;
static struct error error;

/* As a first pass leaves it that was cancelled: a text, and no trace. */
static void begin(void)
{
    static const struct text texts[] = {{"time flies", 10}, {"like an arrow", 13}};
    const struct interventions none = {0};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    ck_assert_ptr_null(session.data.trace);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static void type(const char *keys)
{
    assert_ok(input_type(&session, keys, &error), error);
}

static void check_wanted(const char *first, const char *second)
{
    ck_assert_pstr_eq(texts_at(&session.state.source.texts, 0), first);
    ck_assert_pstr_eq(texts_at(&session.state.source.texts, 1), second);
}

TEST(enter_computes_what_was_cancelled)
{
    session.busy = REQUEST_PASS;
    ck_assert_uint_eq(input_key(&session, KEY_CODE_ENTER) & (SESSION_PASS), 0);
    session.busy = REQUEST_NONE;
    ck_assert_uint_eq(input_key(&session, KEY_CODE_ENTER), WITH_PASS);
    check_wanted("time flies", "like an arrow");
    type("Enter"); /* computes it */
    ck_assert_ptr_nonnull(session.data.trace);
    ck_assert_uint_eq(input_key(&session, KEY_CODE_ENTER), SESSION_REDRAW); /* pins again */
}

/* `u`, and at once `e`: the text that `u` asked for isn't shown yet, but Esc goes back to it. */
TEST(esc_brings_back_a_text_that_was_still_to_be_computed)
{
    assert_ok(request_settle(&session, &error), error);
    type("e Tab Ctrl-U Tab Ctrl-U \"the cat\" Enter");
    check_wanted("the cat", NULL);
    ck_assert_uint_eq(input_key(&session, 'u'), WITH_PASS);
    input_key(&session, 'e');
    ck_assert_str_eq(editor_text(session.overlay.lines[0]), "time flies");
    ck_assert_str_eq(editor_text(session.overlay.lines[1]), "like an arrow");
    input_key(&session, 'x');
    check_wanted("time fliesx", "like an arrow");
    ck_assert_uint_eq(input_key(&session, KEY_CODE_ESCAPE), WITH_PASS);
    check_wanted("time flies", "like an arrow");
    ck_assert(session.overlay.kind != OVERLAY_EDIT);
    ck_assert_uint_eq(input_key(&session, 'U'), WITH_PASS); /* the order is as it was */
    check_wanted("the cat", NULL);
    ck_assert_uint_eq(input_key(&session, 'U'), SESSION_REDRAW);
    ck_assert_str_eq(session.message, "nothing to redo");
}

/* What is shown with a change is what a pass with that change from the beginning gives. */
TEST(a_changed_network_is_computed_at_once)
{
    static const char *const keys[] = {"Right Right 1 z z", "Esc Left 3 z z", "m", "m", "z",
                                       "Esc Right 1 z z"};
    static const struct interventions expected[] = {
        {.off = {0, 0, 2}}, {.off = {0, 8, 2}}, {.causal = true, .off = {0, 8, 2}},
        {.off = {0, 8, 2}}, {.off = {0, 0, 2}}, {.off = {0}},
    };
    assert_ok(request_settle(&session, &error), error);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct trace *fresh;
        const struct trace *shown;
        session.interactive = i % 2 == 0;
        type(keys[i]);
        ck_assert_mem_eq(&session.state.source.changes, &expected[i], sizeof expected[i]);
        shown = session.data.trace;
        ck_assert(interventions_any(&expected[i]) ? session.data.changes != NULL
                                                  : session.data.changes == NULL);
        assert_ok(forward_prepare(checkpoint.model, NULL, shown->ids, shown->segments,
                                  shown->tokens, true, &fresh, &error),
                  error);
        assert_ok(forward_run(checkpoint.model, &expected[i], NULL, fresh, &error), error);
        for (size_t l = 0; l < shown->layers; l++)
            ck_assert_mem_eq(shown->layer[l].output, fresh->layer[l].output,
                             shown->tokens * shown->hidden * sizeof(float));
        free(fresh);
    }
    ck_assert_uint_eq(input_key(&session, 'z'), WITH_PASS);
}

#define THIRTY "\"a b c d e f g h i j a b c d e f g h i j a b c d e f g h i j\" "

TEST(enter_refuses_a_text_over_the_limit_until_it_is_shorter)
{
    assert_ok(request_settle(&session, &error), error);
    type("e Ctrl-U " THIRTY "Tab Ctrl-U " THIRTY); /* and [CLS], two [SEP]: 63 of 64 */
    ck_assert(strstr(session.message, "too many") == NULL);
    type("\" a b c d\"");
    size_t computed = session.data.tokens;
    ck_assert_uint_eq(input_key(&session, KEY_CODE_ENTER) & (SESSION_PASS), 0);
    ck_assert(session.overlay.kind == OVERLAY_EDIT);
    ck_assert_str_eq(session.message, "3 tokens too many for the model: shorten the text, or Esc");
    ck_assert_uint_eq(session.data.tokens, computed);
    type("Backspace Backspace Backspace Backspace Backspace Backspace");
    ck_assert_str_eq(session.message, "");
    ck_assert_uint_eq(input_key(&session, KEY_CODE_ENTER) & WITH_PASS, WITH_PASS);
    ck_assert(session.overlay.kind != OVERLAY_EDIT);
}
