/* The steps view behind the last layer: what the model says, by its name, and how it comes about.
 */
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/lens/predict.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/view/steps_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(name) "tests/vectors/heads/" name

static struct checkpoint checkpoint;
static struct session session;
static struct error error;
static struct canvas *canvas;

/* On the last layer and its last stage. */
static void open_model(const char *folder, const char *line, const char *second)
{
    const struct interventions none = {0};
    const struct text texts[] = {text_of_string(line), text_of_string(second ? second : "")};
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, texts, second ? 2 : 1, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_STEPS);
    session.state.look.layer = session.data.layers - 1;
    assert_ok(input_type(&session, "End", &error), error);
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

static void draw(int columns, int rows)
{
    struct scene scene = session_scene(&session);
    canvas_free(canvas);
    canvas = view_drawn_as(steps_view.draw, &scene, columns, rows,
                           (struct traits){GLYPHS_BRAILLE, false});
}

static void expect(const char *text)
{
    ck_assert_msg(view_shows(canvas, text), "no \"%s\"", text);
}

static void type(const char *keys)
{
    assert_ok(input_type(&session, keys, &error), error);
    draw(120, 40);
}

/* Its likeliest words are listed with their numbers, and the likeliest is chosen. */
TEST(the_likeliest_words_are_listed)
{
    open_model(TINY_FOLDER, "the cat sat on the [MASK].", NULL);
    const struct scene scene = session_scene(&session);
    struct steps_at at = steps_place(&scene);
    struct steps *steps;
    struct prediction best[3];
    float logits[101];
    char text[80];
    assert_ok(steps_new(&at, &steps, &error), error);
    for (size_t i = 0; i < 101; i++)
        logits[i] = (float)steps->stage[STAGE_LOGITS].numbers[i];
    ck_assert_uint_eq(steps->stage[STAGE_LOGITS].count, 101);
    predict_best(logits, 101, predict_total(logits, 101, NULL), best, 3);
    ck_assert_uint_eq(steps_telling(steps, STAGE_ANSWER), (size_t)best[0].id);
    steps_free(steps);
    draw(120, 40);
    for (size_t i = 0; i < 3; i++) {
        const char *name = tokenizer_label(checkpoint.tokenizer, best[i].id);
        snprintf(text, sizeof text, "%s %+.2f", name, (double)logits[best[i].id]);
        expect(text);
        snprintf(text, sizeof text, "%s %.3f", name, exp(best[i].logprob));
        expect(text);
    }
    snprintf(text, sizeof text, "probability of %s = exp(logit - largest logit)",
             tokenizer_label(checkpoint.tokenizer, best[0].id));
    expect(text);
    type("Up Enter");
    snprintf(text, sizeof text, "logit of %s = Σ head_normed[i]·W_word[%d,i] + b[%d] = %+.2f",
             tokenizer_label(checkpoint.tokenizer, best[0].id), best[0].id, best[0].id,
             (double)logits[best[0].id]);
    expect(text);
    type("Down Down");
    ck_assert_uint_eq(session.state.look.number, (size_t)best[2].id);
    end();
}

/* However unlikely it is, the word under the cursor is on screen. */
TEST(a_list_of_words_follows_the_cursor)
{
    open_model(TINY_FOLDER, "the cat sat on the [MASK].", NULL);
    session.state.look.stage = STAGE_LOGITS;
    for (session.state.look.number = 0; session.state.look.number < 101;
         session.state.look.number++) {
        size_t marked = 0;
        draw(80, 24);
        for (int y = 0; y < canvas->rows; y++)
            for (int x = 0; x < canvas->columns; x++) {
                const struct hit hit = canvas_hit(canvas, y, x);
                marked += hit.kind == HIT_NUMBER &&
                          hit.value == session.state.look.number * STAGE_COUNT + STAGE_LOGITS;
            }
        ck_assert_msg(marked > 0, "%zu", session.state.look.number);
    }
    end();
}

/* The answer that was chosen in the answers view, not the likeliest. */
TEST(the_chosen_answer_is_explained)
{
    open_model(HEAD("seq-bert-multilabel"), "the cat sat", NULL);
    session.state.look.answer = 2;
    draw(120, 40);
    expect("probability of fear = 1 / (1 + exp(-logit))");
    type("Enter");
    ck_assert_uint_eq(session.state.look.number, 2);
    end();
}

/* What is said of other outputs, and when each is said. */

ROW_TEST(each_output_is_said_in_its_words, "steps_said")
{
    open_model(row[0], "the cat sat", *row[1] ? row[1] : NULL);
    session.state.look.from = (size_t)atoi(row[2]);
    draw(120, 40);
    for (size_t i = 3; row[i]; i++)
        expect(row[i]);
    end();
}

/* Another layer ends with its output, and the last one shows the stage again. */
TEST(only_the_last_layer_leads_to_the_answer)
{
    open_model(TINY_FOLDER, "the cat sat", NULL);
    draw(120, 40);
    expect("goes through layer 2 to the answer, number by number");
    type("Left");
    expect("goes through layer 1, number by number");
    expect("output[");
    type("Right");
    expect("probability of ");
    end();
}
