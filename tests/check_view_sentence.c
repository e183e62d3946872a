/* What a picture shows, in a sentence, of texts that no model made; tests/scripts has the others.
 */
#include "session_helpers.h"
#include "suites.h"

#include "headlight/view/views.h"

#include <string.h>

TESTS(.base = &session_tests);

/* What a view says now; empty: nothing. */
static const char *say(enum view_kind view)
{
    static char said[512];
    session_set_view(&session, view);
    const struct scene scene = session_scene(&session);
    view_sentence(&scene, false, said, sizeof said);
    return said;
}

/* "In both sentences" only where each repeats a word of the other: not within one, nor where there
 * is only one; and a text may have no [CLS] and [SEP]. */
TEST(the_same_word_may_be_in_one_sentence)
{
    static const char *const bare[] = {"a", "b", "a", "c", "b", "d"};
    for (size_t boundary = 3; boundary <= 6; boundary++) {
        session_anew(bare, 6, boundary, 1, 2);
        float *weights = session.data.encoded->trace->layer[0].weights;
        memset(weights, 0, 36 * sizeof *weights);
        static const size_t to[] = {2, 4, 0, 0, 1, 0}; /* a and b look at each other */
        for (size_t from = 0; from < 6; from++)
            weights[from * 6 + to[from]] = from == 3 || from == 5 ? 0.1F : 1;
        ck_assert_str_eq(say(VIEW_HEAD), "Head 0.0 links the same word (1.000)");
        ck_assert_str_eq(say(VIEW_MODEL), "Head 0.0 links the same word (1.000)");
    }
    static const char *const across[] = {"a", "b", "c", "b", "d"};
    session_anew(across, 5, 2, 1, 2);
    float *weights = session.data.encoded->trace->layer[0].weights;
    memset(weights, 0, 25 * sizeof *weights);
    for (size_t from = 0; from < 5; from++)
        weights[from * 5 + (from == 1 ? 3 : from == 3 ? 1 : from)] = 1;
    weights[0] = weights[2 * 5 + 2] = weights[4 * 5 + 4] = 0.1F;
    ck_assert_str_eq(say(VIEW_HEAD), "Head 0.0 links the same word in both sentences (1.000)");
}

/* Else a sign that isn't seen would join the quotation mark before it. */
TEST(an_unseen_sign_is_named)
{
    static const char *const labels[] = {"a", "\u200d", "b", "\u200d"};
    session_end(&session);
    session = synthetic_session(labels, 4, 4, 2, 2);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.state.look.from = 1;
    look_show_alone(&session.state.look, 0);
    ck_assert_ptr_nonnull(strstr(say(VIEW_MATRIX), "\"\\u{200d}\u2081\" looks most at "));
}
