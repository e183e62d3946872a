/* check_view_stage.c: what each view shows on a projector: one statement in large letters and what
 * it rests on. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/lens/dimensions.h"
#include "headlight/session/request.h"
#include "headlight/view/comparison.h"
#include "headlight/view/stage.h"
#include "headlight/view/words.h"

#include <math.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct error error;
static struct canvas *canvas;

static void open_texts(enum view_kind view, const char *first, const char *second)
{
    session_anew_on_texts(&checkpoint, NULL, first, second);
    session.state.look.layer = session.data.layers - 1;
    session_set_view(&session, view);
    session.state.look.presented = true;
}

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
    open_texts(VIEW_ANSWERS, "the [MASK] sat on the mat.", NULL);
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static void draw(int columns, int rows)
{
    const struct scene scene = session_scene(&session);
    canvas_free(canvas);
    canvas = view_drawn(view_draw, &scene, columns, rows);
}

static bool shows_large(int scale, const char *text)
{
    return view_shows_large(canvas, scale, text);
}

static bool has_hit(enum hit_kind kind, size_t value)
{
    bool found = false;
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            const struct hit hit = canvas_hit(canvas, y, x);
            found |= hit.kind == (unsigned)kind && hit.value == value;
        }
    return found;
}

/* ---- Words ---- */

static const struct lens_cell *answer_at(size_t token)
{
    return &session.data.lens[(session.data.layers - 1) * session.data.tokens + token];
}

static const char *percent(double share)
{
    static char text[8];
    snprintf(text, sizeof text, share < 0.005 ? "<1%%" : "%.0f%%", 100 * share);
    return text;
}

/* Nobody has to choose it first. */
TEST(a_gap_has_its_likeliest_words)
{
    draw(80, 24);
    const struct lens_cell *cell = answer_at(2);
    ck_assert(shows_large(1, "the"));
    ck_assert(shows_large(1, "____"));
    ck_assert(shows_large(1, "sat"));
    for (size_t i = 0; i < 3; i++) {
        ck_assert(shows_large(1, tokenizer_piece(checkpoint.tokenizer, cell->best[i].id)));
        ck_assert(shows_large(1, percent(exp(cell->best[i].logprob))));
        ck_assert(has_hit(HIT_ANSWER, (size_t)cell->best[i].id));
    }
    ck_assert(view_shows(canvas, "the model's likeliest words"));
}

/* A word that the user masks is not to be read any more. */
TEST(a_masked_word_is_a_gap)
{
    open_texts(VIEW_ANSWERS, "the cat sat", NULL);
    session.state.look.from = 2;
    draw(120, 40);
    ck_assert(shows_large(2, "the cat sat"));
    type_and_wait("Right Left M");
    draw(120, 40);
    ck_assert(!shows_large(2, "the cat sat"));
    ck_assert(shows_large(2, "the ____ sat"));
}

TEST(what_was_before_is_seen)
{
    session.state.source.changes.off[0] = 1;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    draw(120, 40);
    char text[16];
    snprintf(text, sizeof text, "%s→", percent(exp(answer_at(2)->best_before[0])));
    ck_assert(shows_large(1, text));
}

/* And [CLS] has no guesses there; at a word of one of them they are back. */
TEST(two_sentences_have_one_question)
{
    float follows;
    open_texts(VIEW_ANSWERS, "the cat sat", "the dog ran");
    ck_assert(predict_pair(session.data.trace, &follows));
    for (int small = 0; small < 2; small++) {
        draw(80, small ? 16 : 24);
        ck_assert(shows_large(1, "follow"));
        ck_assert_int_eq(shows_large(1, "dog"), !small);
        ck_assert_int_eq(view_shows(canvas, "B: the dog ran"), small);
        ck_assert(shows_large(1, "yes"));
        ck_assert(shows_large(1, percent((double)follows)));
        ck_assert(!has_hit(HIT_ANSWER, (size_t)answer_at(0)->best[0].id));
    }
    type_and_wait("Right");
    draw(80, 24);
    ck_assert(!shows_large(1, "follow"));
    ck_assert(has_hit(HIT_ANSWER, (size_t)answer_at(session.state.look.from)->best[0].id));
}

/* What stands around the gap stays. */
TEST(a_long_sentence_is_cut_around_its_gap)
{
    open_texts(VIEW_ANSWERS,
               "the cat sat on the mat. the cat sat on the mat and the [MASK] sat on the cat. the "
               "dog ran to the mat and the cat sat.",
               NULL);
    draw(80, 24);
    ck_assert(shows_large(1, "____"));
    ck_assert(shows_large(1, "…"));
    ck_assert(
        view_shows(canvas, "the cat sat on the mat. the cat sat on the mat and the ____ sat"));
}

/* The underlines of a gap would look like a part of the bar below. */
TEST(a_gap_stands_apart_from_the_bars)
{
    for (int rows = 11; rows < 40; rows++) {
        draw(80, rows);
        ck_assert_int_eq(shows_large(1, "____"), rows >= 15);
        ck_assert(rows >= 15 || view_shows(canvas, "the ____ sat on the mat."));
        int bar = 0;
        while (canvas_hit(canvas, bar, 2).kind != HIT_ANSWER)
            bar++;
        ck_assert_msg(canvas_row_end(canvas, bar - 1, false) == 0, "%d rows", rows);
    }
}

/* The names of bars that stand out by a number must not run into the number. */
TEST(a_number_stands_apart_from_its_name)
{
    const struct stage_bar bars[] = {
        {.name = "3", .value = "2.84", .share = 1, .before = NAN, .hit = {HIT_NUMBER, 0}},
        {.name = "0", .value = "1.11", .share = 0.4, .before = NAN, .hit = {HIT_NUMBER, 1}}};
    canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    stage_bars(canvas, (struct area){0, 0, 12, 80}, bars, 2);
    ck_assert(shows_large(1, "2.84"));
    int gap = 0, widest = 0;
    for (int x = letters_columns("3"); x < 12; x++) {
        bool blank = true;
        for (int y = 0; y < LETTERS_ROWS; y++)
            blank = blank && strcmp(canvas_at(canvas, y, x)->text, " ") == 0;
        gap = blank ? gap + 1 : 0;
        widest = gap > widest ? gap : widest;
    }
    ck_assert_int_ge(widest, 5);
}

/* A recording has no text that could be shown around a token: its name is. */
TEST(a_recorded_token_has_its_name)
{
    float logits[13] = {[4] = 1};
    session_anew_on_pair(4, 8);
    session.data.encoded->trace->outputs[OUTPUT_RTD] = logits;
    strcpy(session.data.speechless, "no words");
    session.state.look.presented = true;
    session_set_view(&session, VIEW_ANSWERS);
    session.state.look.from = 4;
    draw(80, 24);
    ck_assert(shows_large(2, "an"));
    session.data.encoded->trace->outputs[OUTPUT_RTD] = NULL;
}

TEST(without_letters_it_is_bold_text)
{
    const struct scene scene = session_scene(&session);
    canvas = view_drawn_as(view_draw, &scene, 80, 24, (struct traits){GLYPHS_ASCII, false});
    ck_assert(view_shows(canvas, "the ____ sat on the mat."));
    ck_assert(view_shows(canvas, percent(exp(answer_at(2)->best[0].logprob))));
    ck_assert(view_shows(canvas, "the model's likeliest words"));
}

/* What comes next has its gap at the end of the text, until another place is chosen. */
TEST(a_next_word_has_its_gap_at_the_end)
{
    end();
    assert_ok(checkpoint_open(&checkpoint, "tests/vectors/families/gpt2", NULL, &error), error);
    open_texts(VIEW_ANSWERS, "the cat sat", NULL);
    draw(80, 24);
    ck_assert(shows_large(1, "the cat sat ____"));
}

/* ---- Compare ---- */

TEST(a_word_of_both_has_its_cosine_and_curve)
{
    struct occurrence words[2];
    char text[32];
    open_texts(VIEW_COMPARE, "the cat sat", "the cat ran");
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    session.state.look.layer = 1;
    const struct scene scene = session_scene(&session);
    const struct comparison both = comparison_of(&scene);
    ck_assert(comparison_word(&both, words));
    draw(120, 40);
    snprintf(text, sizeof text, "%.2f", cosine_at(&words[0], &words[1], 2));
    ck_assert(shows_large(2, "the in A and B:"));
    ck_assert(shows_large(2, text));
    ck_assert(shows_large(1, "1.0"));
    ck_assert(has_hit(HIT_POINT, 0) && has_hit(HIT_POINT, session.data.layers - 1));
    ck_assert(!has_hit(HIT_CELL, 0));
}

TEST(what_has_no_curve_says_why)
{
    open_texts(VIEW_COMPARE, "the cat sat", NULL);
    draw(120, 40);
    ck_assert(shows_large(2, "no word stands"));
}

/* ---- Matrix ---- */

/* Around the cursor; what has no room for its whole name is cut. */
TEST(few_cells_have_large_numbers)
{
    const size_t tokens = 8;
    char text[16];
    open_texts(VIEW_MATRIX, "the cat sat on the mat", NULL);
    session.state.look.from = 2;
    session.state.look.to = 3;
    draw(80, 24);
    const struct scene scene = session_scene(&session);
    const struct edge edge = scene_edge(&scene, scene.look.head, 2, 3);
    snprintf(text, sizeof text, "%s", scene_number_in(&scene, &edge, 4).text);
    ck_assert(shows_large(1, text));
    ck_assert(shows_large(1, "cat"));
    ck_assert(shows_large(1, "sat"));
    ck_assert(shows_large(1, "the₁"));
    ck_assert_int_eq(canvas_row_end(canvas, 0, false), 0);
    ck_assert(has_hit(HIT_CELL, 2 * tokens + 3));
    ck_assert(!has_hit(HIT_CELL, 2 * tokens + 7));
    ck_assert(view_shows(canvas, "rows look at columns"));
    open_texts(VIEW_MATRIX, "time flies; fruit flies", NULL); /* without its place it fits */
    session.state.look.from = session.state.look.to = 2;
    draw(80, 24);
    ck_assert(shows_large(1, "flies"));
    ck_assert(!shows_large(1, "fli…"));
    open_texts(VIEW_MATRIX, "transformational grammar", NULL);
    session.state.look.from = session.state.look.to = 1;
    draw(80, 24);
    ck_assert(shows_large(1, "…"));
}

/* Without room for two rows of them it is drawn as on the desk. */
TEST(a_low_matrix_keeps_its_small_cells)
{
    open_texts(VIEW_MATRIX, "the cat sat on the mat", NULL);
    draw(80, 12);
    ck_assert(has_hit(HIT_CELL, 0));
    ck_assert(has_hit(HIT_CELL, 7));
}

/* ---- Model and steps ---- */

TEST(the_models_head_has_its_lines)
{
    open_texts(VIEW_MODEL, "the cat sat on the mat", NULL);
    session.state.look.layer = 1;
    session.state.look.head = 2;
    draw(80, 24);
    ck_assert(shows_large(1, "ead 1.2") || shows_large(1, "Layer 1, head 2"));
    ck_assert(has_hit(HIT_FROM, 2) && has_hit(HIT_TO, 2));
    ck_assert(!has_hit(HIT_THUMBNAIL, 0));
}

/* What the number means stands below it where it has no room in large letters. */
TEST(an_effect_is_said)
{
    char effect[32], large[64];
    open_texts(VIEW_MODEL, "the [MASK] sat on the mat", NULL);
    session.state.look.metric = METRIC_EFFECT;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_ptr_nonnull(session.data.effects);
    session.state.look.layer = 1;
    session.state.look.head = 2;
    metric_print_whole(effect, sizeof effect, METRIC_EFFECT,
                       session.data.effects->change[session.data.head_count + 2]);
    snprintf(large, sizeof large, "Without 1.2: %s", effect);
    draw(80, 24);
    ck_assert_msg(shows_large(1, large), "%s", large);
    ck_assert(view_shows(canvas, "Without head 1.2 "));
}

/* The number of the cursor comes first, wherever it is in the order of size. */
TEST(a_stage_has_its_formula_and_numbers)
{
    open_texts(VIEW_STEPS, "the cat sat", NULL);
    session.state.look.stage = STAGE_WEIGHTS;
    session.state.look.number = 3;
    draw(120, 40);
    ck_assert(shows_large(1, "weights = softmax(scores)"));
    ck_assert(shows_large(2, "sat"));
    ck_assert(has_hit(HIT_NUMBER, 3 * STAGE_COUNT + STAGE_WEIGHTS));
    session.state.look.stage = STAGE_OUTPUT;
    session.state.look.number = 7;
    draw(80, 24);
    ck_assert(shows_large(1, "[7]"));
    ck_assert(view_shows(canvas, "in layer"));
}

/* ---- Neuron ---- */

TEST(a_pair_has_its_score_and_bands)
{
    char text[32];
    float score;
    open_texts(VIEW_NEURON, "the cat sat", NULL);
    session.state.look.from = 2;
    session.state.look.to = 3;
    draw(80, 24);
    const struct attending at = {session.data.trace, session.state.look.layer,
                                 session.state.look.head, 2};
    ck_assert(dimensions_score(&at, 3, session.data.divisor, &score));
    snprintf(text, sizeof text, "cat → sat: %+.2f", (double)score);
    ck_assert_msg(shows_large(1, text), "%s", text);
    ck_assert(shows_large(1, "q×k"));
}

/* ---- All views ---- */

TEST(no_stage_draws_outside, .times = VIEW_COUNT)
{
    open_texts(VIEW_HEAD + (unsigned)_i, "the cat sat on the mat", "the dog ran");
    const struct scene scene = session_scene(&session);
    for (int columns = 60; columns <= 200; columns += 14)
        for (int rows = 9; rows <= 60; rows += 6)
            view_check_inside(view_draw, &scene, columns, rows, 0);
    view_check_inside_as(view_draw, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
}
