/* The head to begin with, in traces where it is plain which one that is. */
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/lens/metrics.h"
#include "headlight/session/act.h"
#include "headlight/session/screen.h"
#include "headlight/survey/texts.h"

#include <stdio.h>
#include <string.h>

#define HEADS  4
#define TOKENS 7

static const char *const labels[TOKENS] = {"[CLS]", "a", "b", "c", "d", "e", "[SEP]"};
static struct session session;

static void begin(void)
{
    session = synthetic_session(labels, TOKENS, TOKENS, HEADS, 2);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

/* The head attends with `weight` from each content token to the one so many tokens on (round the
 * content tokens), and with the rest to [SEP]. */
static void attend(size_t layer, size_t head, size_t distance, float weight)
{
    float *weights = session.data.encoded->trace->layer[layer].weights + head * TOKENS * TOKENS;
    memset(weights, 0, TOKENS * TOKENS * sizeof *weights);
    for (size_t from = 0; from < TOKENS; from++) {
        size_t to = 1 + (from - 1 + distance) % (TOKENS - 2);
        bool content = from > 0 && from + 1 < TOKENS;
        weights[from * TOKENS + TOKENS - 1] = content ? 1 - weight : 1;
        weights[from * TOKENS + to] += content ? weight : 0;
    }
}

static void attend_nowhere(void)
{
    for (size_t i = 0; i < 2 * HEADS; i++)
        attend(i / HEADS, i % HEADS, 0, 0);
}

static void expect(size_t layer, size_t head)
{
    size_t found_layer = 99, found_head = 99;
    ck_assert(
        opening_head(session.data.trace, session.data.encoded->sides, &found_layer, &found_head));
    ck_assert_msg(found_layer == layer && found_head == head, "layer %zu head %zu", found_layer,
                  found_head);
}

/* Sharper heads that look at the token itself, its neighbours or the separator are passed over. */
TEST(content_is_told_from_position)
{
    attend_nowhere();
    attend(0, 0, 0, 1);     /* itself */
    attend(0, 1, 1, 0.9F);  /* the next; from the last to the first, 0.9 in one row of five */
    attend(1, 2, 2, 0.25F); /* content */
    attend(1, 3, 4, 1);     /* the previous */
    attend(0, 2, 0, 0);     /* the separator */
    attend(1, 2, 2, 0.75F);
    expect(1, 2);
}

/* In thousandths, so that the last bits of a float decide nothing. */
TEST(of_equal_ones_the_first)
{
    attend_nowhere();
    attend(1, 0, 2, 0.5F);
    attend(1, 3, 2, 0.5001F);
    expect(1, 0);
    attend(0, 3, 3, 0.5F);
    expect(0, 3);
    attend(1, 3, 2, 0.6F);
    expect(1, 3);
}

TEST(without_content_there_is_none)
{
    size_t layer, head;
    attend_nowhere();
    ck_assert(!opening_head(session.data.trace, session.data.encoded->sides, &layer, &head));
    end();
    session = synthetic_session(labels, 1, 1, HEADS, 2);
    ck_assert(!opening_head(session.data.trace, session.data.encoded->sides, &layer, &head));
    end();
    session = synthetic_session(labels + 1, 2, 2, HEADS, 2); /* neighbours */
    ck_assert(!opening_head(session.data.trace, session.data.encoded->sides, &layer, &head));
}

/* ---- Of two texts ---- */

/* The word of the source that a row looks at most. */
static size_t linked_word(const struct encoded *cross, const float *row)
{
    const struct token_side *source = &cross->sides[SIDE_RIGHT];
    size_t most = 0, word = 0;
    for (size_t token = 1; token + 1 < source->count; token++) /* without </s> */
        most = row[token] > row[most] ? token : most;
    for (size_t token = 1; token <= most; token++)
        word += !source->continues[token];
    return word;
}

/* It aligns: of each of sixty dates the day, the month and the year are linked to the right words.
 */
TEST(of_cross_attention_it_is_one_that_aligns)
{
    const struct corpus_choice choice = {.part = 0, .parts = 1};
    const struct corpus_text *text;
    struct checkpoint dates;
    struct corpus *corpus;
    struct error error;
    assert_ok(checkpoint_open(&dates, "dates", NULL, NULL, &error), error);
    assert_ok(corpus_open("tests/vectors/dates/pairs.jsonl", &choice, &corpus, &error), error);
    for (;;) {
        const struct reading how = {.special = true};
        struct encoded *encoded;
        size_t layer = 0, head = 0, source, target;
        int length;
        assert_ok(corpus_next(corpus, &text, &error), error);
        if (!text)
            break;
        assert_ok(encoded_new(&dates, text->texts, 2, how, &encoded, &error), error);
        assert_ok(encoded_run(&dates, NULL, NULL, encoded, &error), error);
        const struct encoded *cross = encoded_of_site(encoded, SITE_CROSS);
        const struct trace *trace = cross->trace;
        ck_assert(opening_head(trace, cross->sides, &layer, &head));
        const float *weights = trace->layer[layer].weights + head * trace->tokens * trace->attended;
        for (size_t said = 0; said <= 4; said += 2) { /* year, month, day: behind the row's token */
            const size_t word = linked_word(cross, weights + said * trace->attended);
            const char *at = text->alignment.bytes;
            bool right = false;
            for (; sscanf(at, "%zu-%zu%n", &source, &target, &length) == 2; at += length)
                right |= source == word && target == said;
            ck_assert_msg(right, "\"%s\", head %zu.%zu: word %zu", text->texts[0].bytes, layer,
                          head, word);
        }
        encoded_free(encoded);
    }
    corpus_close(corpus);
    checkpoint_close(&dates);
}

/* ---- The first screen ---- */

TEST(the_first_picture_is_of_that_head)
{
    attend_nowhere();
    attend(1, 2, 2, 0.5F);
    session_show_opening_head(&session);
    const struct look *look = &session.state.look;
    ck_assert(look->layer == 1 && look->head == 2 && look->heads == 4 && look->others == 0xF);
    ck_assert(session.first_head_named && !session.first_head_due);
    struct error error;
    struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    ck_assert_str_eq(view_text(canvas, 23, 0, 80),
                     "  a all heads  ↑↓ token  Enter choose  ←→ layer  Tab view  ? help  q quit");
    canvas_free(canvas);
    ck_assert(input_key(&session, 'a') & SESSION_REDRAW);
    ck_assert(!session.first_head_named && session.state.look.heads == 0xF);
}

/* The footer of a view that has one head anyway, or all of them: no key brings the others. */
TEST(no_view_offers_a_key_that_it_refuses)
{
    struct error error;
    const struct view_case {
        enum view_kind view;
        const char *footer;
    } cases[] = {
        {VIEW_NEURON,
         "  ↑↓ query  Enter keys  ←→ layer  0-9 head  , . dim  Tab view  ? help  q quit"},
        {VIEW_MATRIX,
         "  ↑↓ row  ←→ column  Enter choose  { } layer  e edit  Tab view  ? help  q quit"}};
    attend_nowhere();
    attend(1, 2, 2, 0.5F);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session.state.look.view = cases[i].view;
        session_show_opening_head(&session);
        struct canvas *canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
        ck_assert_ptr_nonnull(canvas);
        ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
        ck_assert_str_eq(view_text(canvas, 23, 0, 80), cases[i].footer);
        canvas_free(canvas);
    }
}

/* A key before there is a picture is the user's own choice of where to begin. */
TEST(a_key_comes_before_it)
{
    const struct trace *trace = session.data.trace;
    attend(1, 2, 2, 0.5F);
    session.data.trace = NULL;
    session_show_opening_head(&session);
    ck_assert(session.first_head_due && !session.first_head_named);
    input_key(&session, 't');
    ck_assert(!session.first_head_due);
    session.data.trace = trace;
    ck_assert_uint_eq(session.state.look.layer, 0);
}

/* Where all heads are drawn they stay on; where there is nothing to tell all stays as it is. */
TEST(the_first_picture_of_all_heads_keeps_them)
{
    attend_nowhere();
    session_show_opening_head(&session);
    ck_assert(session.state.look.layer == 0 && session.state.look.heads == 0xF);
    ck_assert(!session.first_head_named);
    attend(1, 2, 2, 0.5F);
    session_set_view(&session, VIEW_MODEL);
    session_show_opening_head(&session);
    ck_assert(session.state.look.layer == 1 && session.state.look.heads == 0xF);
}
