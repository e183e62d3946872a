/* check_view_stage.c: what the back of a room sees: each view as on the desk, below its sentence.
 */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/view/sentence.h"
#include "headlight/view/stage.h"
#include "headlight/view/views.h"

#include <string.h>

static struct checkpoint checkpoint;
static struct error error;
static struct canvas *canvas;

static void open_view(enum view_kind view)
{
    session_anew_on_texts(&checkpoint, NULL, "the cat sat on the mat", "the dog ran");
    session_set_view(&session, view);
    session.state.look.presented = true;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
}

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    open_view(VIEW_HEAD);
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static void draw(int columns, int rows, enum glyph_set glyphs)
{
    canvas_free(canvas);
    canvas = canvas_new(columns, rows, (struct traits){glyphs, false});
    assert_ok(screen_draw(&session, canvas, &error), error);
}

/* Of how many values there is a place to click on, and of how many pairs with a second one. */
static size_t hits_of(uint16_t place, uint16_t second)
{
    bool found[256] = {false};
    size_t count = 0;
    for (int i = 0; i < canvas->rows * canvas->columns; i++) {
        const struct hit *hit = &canvas->hits[i];
        const size_t value = 16 * hit->value[0] + hit->value[1];
        if (hit->place[0] != place || hit->place[1] != second || value >= sizeof found ||
            found[value])
            continue;
        found[value] = true;
        count++;
    }
    return count;
}

/* All of it in large letters where there is room, and in bold text where there is none. */
TEST(the_views_sentence_stands_above_it, .times = VIEW_COUNT)
{
    char text[512], bold[512];
    open_view((enum view_kind)_i);
    const struct scene scene = session_picture(&session);
    if (!view_sentence(&scene, false, text, sizeof text)) {
        ck_assert_int_eq(_i, VIEW_CORPUS); /* there is none here */
        return;
    }
    draw(120, 40, GLYPHS_BRAILLE);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        ck_assert_msg(letters_columns(word) == 0 || view_shows_large(canvas, 1, word), "%s", word);
    draw(80, 24, GLYPHS_ASCII);
    view_sentence(&scene, true, text, sizeof text);
    snprintf(bold, sizeof bold, "%.40s", text);
    ck_assert_msg(strstr(view_text(canvas, 0, 0, 80), bold) != NULL, "%s", bold);
}

TEST(a_stage_has_neither_bars_nor_hints, .times = VIEW_COUNT)
{
    open_view((enum view_kind)_i);
    draw(120, 40, GLYPHS_BRAILLE);
    ck_assert(!view_shows(canvas, "q quit") && !view_shows(canvas, "Neuron"));
    ck_assert_uint_eq(hits_of(HIT(view), HIT_NOTHING), 0);
}

/* What is on the desk is on the stage: all heads, the whole grid. */
TEST(what_is_on_stays_on)
{
    session.state.look.heads = head_mask_all(session.data.head_count);
    const struct scene scene = session_scene(&session);
    ck_assert(scene_maps(&scene) == head_mask_all(session.data.head_count));
    open_view(VIEW_MODEL);
    draw(120, 40, GLYPHS_BRAILLE);
    ck_assert_uint_eq(hits_of(HIT(layer), HIT(head)),
                      session.data.layers * session.data.head_count);
}

/* The line that the sentence names is the pair's to look at, unless the sentence is about a head or
 * a change. */
TEST(the_named_pair_is_the_one_to_look_at)
{
    struct edge current;
    struct sentence sentence = {.text = ""};
    struct scene scene = session_scene(&session);
    scene.look.heads = head_mask_all(session.data.head_count);
    ck_assert(scene_current_edge(&scene, &current));
    ck_assert(!sentence_say_head(&scene, &sentence));
    struct named named = sentence_names(&scene);
    ck_assert(named.kind == METRIC_PAIR && sentence_is_of(&scene, &named, &current));
    scene.look.presented = false;
    ck_assert(sentence_names(&scene).kind == METRIC_NONE);
    scene.look.from = 2;
    scene.look.to = 3;
    named = sentence_names(&scene);
    ck_assert(named.kind == METRIC_PAIR && named.edge.from == 2 && named.edge.to == 3);
}

/* Of any size, and what has no room in letters of any: the rows that are said are the rows taken.
 */
TEST(letters_are_as_large_as_the_text_fits)
{
    static const struct {
        int rows, columns, taken;
        const char *text;
    } cases[] = {{12, 116, 12, "two words"},        {8, 116, 8, "two words"},
                 {4, 116, 4, "two words"},          {3, 116, 1, "two words"},
                 {4, 20, 1, "more words than fit"}, {4, 12, 2, "more words than fit"},
                 {1, 12, 1, "more words than fit"}, {4, 40, 4, "東京 a"}};
    for (int i = 0; i < COUNT(cases); i++) {
        const struct area area = {1, 2, cases[i].rows, cases[i].columns};
        canvas_free(canvas);
        canvas = canvas_new(120, 16, (struct traits){GLYPHS_BRAILLE, false});
        ck_assert_int_eq(stage_write(NULL, false, area, cases[i].text), cases[i].taken);
        ck_assert_int_eq(stage_write(canvas, false, area, cases[i].text), cases[i].taken);
        ck_assert_str_eq(view_text(canvas, 0, 0, 120), "");
        for (int y = area.y + area.rows; y < 16; y++)
            ck_assert_str_eq(view_text(canvas, y, 0, 120), "");
    }
}

TEST(long_sentences_lose_their_last_clauses)
{
    static const struct {
        const char *text, *shorter;
    } cases[] = {
        {"says \"are\" (0.479), then \"were\" (0.432)", "says \"are\" (0.479)"},
        {"looks most at \"cat\" (0.519, before 0.313)", "looks most at \"cat\" (0.519)"},
        {"number 67 is -1.03: weights times values, added", "number 67 is -1.03"},
        {"gives \"like\" a score of 8.28; softmax makes it 0.775",
         "gives \"like\" a score of 8.28"},
        {"Head 11.10: entropy 2.77 over 3,186 tokens of the corpus", NULL},
        {"short: fits", NULL},
        {"Without head 1.12, once head 11.10 is off too, \"a\" falls from 0.407 to 0.058", NULL},
        {"between words, \"like\" looks most at \"arrow\" (0.389)", NULL},
        {"not a single clause of it could be dropped", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[STAGE_BYTES];
        strcpy(text, cases[i].text);
        stage_shorten((struct area){0, 0, 8, 50}, false, text);
        ck_assert_str_eq(text, cases[i].shorter ? cases[i].shorter : cases[i].text);
    }
}

TEST(no_stage_draws_outside, .times = VIEW_COUNT)
{
    open_view((enum view_kind)_i);
    const struct scene scene = session_scene(&session);
    for (int columns = 60; columns <= 200; columns += 14)
        for (int rows = 9; rows <= 60; rows += 6)
            view_check_inside(view_draw, &scene, columns, rows, 0);
    view_check_inside_as(view_draw, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
    for (int columns = 60; columns <= 200; columns += 28)
        for (int rows = 12; rows <= 60; rows += 12)
            draw(columns, rows, rows % 24 ? GLYPHS_BRAILLE : GLYPHS_ASCII);
}
