/* The effects of words: when they are measured, on which answer, and how long they stay. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/session/derive.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"

#include <math.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct error error;

static void show(const char *view, const char *without)
{
    const char *values[FIELD_COUNT] = {[FIELD_VIEW] = view, [FIELD_WITHOUT] = without};
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
}

static void open_model(const char *folder, const char *first, const char *second)
{
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, first, second);
}

static void begin(void)
{
    open_model("tests/vectors/heads/seq-bert", "the naive dog bites!", NULL);
}

static void end(void)
{
    end_session();
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static bool wanted(void)
{
    return derive_wants(REQUEST_WORD_EFFECTS, &session.state.look, &session.data);
}

static const struct word_effects *measured(void)
{
    assert_ok(request_rest(&session, &error), error);
    ck_assert(!wanted());
    ck_assert_ptr_nonnull(session.data.word_effects);
    return session.data.word_effects;
}

static void choose(size_t token, size_t answer)
{
    struct look look = session.state.look;
    look.from = token;
    look.query_found = false;
    ck_assert(derive_show(&session, &look));
    look = session.state.look;
    look.answer = answer;
    ck_assert(derive_show(&session, &look));
}

static void assert_says(const char *begin, const char *part)
{
    const struct scene scene = session_scene(&session);
    char text[512];
    ck_assert(view_sentence(&scene, false, text, sizeof text));
    ck_assert_msg(strncmp(text, begin, strlen(begin)) == 0 && strstr(text, part), "%s", text);
}

TEST(they_are_measured_where_answers_are_shown)
{
    ck_assert(!wanted());
    show("model", "hidden");
    ck_assert(!wanted());
    show("answers", "hidden");
    const struct word_effects *effects = measured();
    ck_assert_uint_eq(effects->count, 5);
    ck_assert_uint_eq(effects->words[1].pieces.end, 4); /* na ##ive */
    ck_assert_uint_eq(effects->paired, NO_TOKEN);
    show("answers", "removed");
    ck_assert_ptr_null(session.data.word_effects);
    ck_assert_int_eq(measured()->way, WORDS_REMOVED);
    show("answers", "none");
    ck_assert_ptr_null(session.data.word_effects);
    ck_assert(!wanted());
}

TEST(they_follow_the_answer_and_the_word)
{
    show("answers", "masked");
    const int32_t likeliest = measured()->on.id;
    choose(4, NO_TOKEN);
    ck_assert(wanted()); /* now with pairs; what is known stays */
    ck_assert_ptr_nonnull(session.data.word_effects);
    const struct word_effects *effects = measured();
    ck_assert_uint_eq(effects->paired, 2);
    ck_assert(isnan(effects->words[2].pair) && !isnan(effects->words[0].pair));
    assert_says("With \"dog\" masked POSITIVE falls from 0.672 to ",
                "; it interacts most with \"naive\" (");
    choose(4, (size_t)likeliest);
    ck_assert(!wanted());
    choose(4, (size_t)(1 - likeliest));
    ck_assert_int_eq(measured()->on.id, 1 - likeliest);
}

/* Switching a head off may change what is likeliest. */
TEST(they_stay_on_the_answer_of_before)
{
    show("answers", "hidden");
    const int32_t before = measured()->on.id;
    for (uint64_t head = 0; head < 4; head++) {
        session.state.source.changes.off[1] = 1U << head;
        assert_ok(request_settle(&session, &error), error);
        ck_assert_int_eq(measured()->on.id, before);
    }
}

TEST(stopped_they_are_not_asked_for_again)
{
    show("answers", "hidden");
    ck_assert(wanted());
    error_set(&error, STATUS_CANCELLED, "stopped");
    request_fail(&session, REQUEST_WORD_EFFECTS, &error);
    ck_assert(!wanted());
    ck_assert_int_eq(session.state.look.without, WORDS_KEPT);
}

/* Nobody chose a token: the first that has one. */
TEST(tags_are_those_of_a_token)
{
    end();
    open_model("tests/vectors/heads/ner-bert", "she said zurich was happy", NULL);
    show("answers", "removed");
    const struct word_effects *effects = measured();
    const struct labels *labels = &checkpoint.model->labels;
    ck_assert_int_eq(effects->on.output, OUTPUT_TAGS);
    ck_assert_str_ne(labels->names[effects->on.id], "O");
    ck_assert(isnan(effects->words[word_effects_at(effects, effects->on.token)].change));
    choose(5, NO_TOKEN);
    ck_assert_uint_eq(measured()->on.token, 5);
}

TEST(spans_need_a_second_text)
{
    end();
    open_model("tests/vectors/heads/qa-bert", "was she happy?", NULL);
    show("answers", "hidden");
    ck_assert(!wanted());
    session_anew_on_texts(&checkpoint, NULL, "was she happy?", "she said it was happy");
    show("answers", "hidden");
    ck_assert_int_eq(measured()->on.output, OUTPUT_START);
}
