/* What in a corpus is most like a token: the list, its keys, and the texts that it opens. */
#include "golden.h"
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_helpers.h"
#include "view_helpers.h"

#include "headlight/survey/index.h"

#include <stdlib.h>
#include <string.h>

static struct folder folder;
static struct checkpoint tiny;
static struct indexes indexes;
static struct canvas *canvas;
static struct error error;

/* Layer 1 and one head of it of the tiny model. */
static void begin(void)
{
    const struct index_space spaces[] = {index_space(1, NO_HEAD), index_space(1, 3)};
    folder_make(&folder);
    char *path = in_folder(&folder, "index");
    assert_ok(checkpoint_open(&tiny, TINY_FOLDER, NULL, NULL, &error), error);
    survey_write_index(&tiny, SURVEY_CORPUS, 0, 10, spaces, 2, path);
    assert_ok(indexes_open(&indexes, path, NULL, 0, &error), error);
    assert_ok(indexes_check(&indexes, tiny.model, &error), error);
    session_anew_on_texts(&tiny, NULL, "the cat sat", "the mat");
    session.data.indexes = &indexes;
    free(path);
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    indexes_close(&indexes);
    checkpoint_close(&tiny);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

static void draw(int columns, int rows)
{
    canvas_free(canvas);
    canvas = drawn(columns, rows);
}

/* ---- On screen ---- */

static const struct found_golden {
    const char *name;
    int columns, rows;
    const char *keys;
} goldens[] = {{"found-80x24", 80, 24, "} Down Down F Down"},
               {"found-120x40", 120, 40, "} 3 Down Down F"}};

/* The cosines themselves depend a little on the processor. */
TEST(screens, .times = COUNT(goldens))
{
    type_and_wait(goldens[_i].keys);
    struct found *found = session.data.found;
    for (size_t i = 0; i < found->count; i++)
        found->best[i].cosine = 0.99f - 0.01f * (float)i;
    draw(goldens[_i].columns, goldens[_i].rows);
    ck_assert(golden_equal(canvas, goldens[_i].name));
}

TEST(small_screens_do_no_harm)
{
    type_and_wait("} Down F");
    for (int rows = 1; rows < 12; rows++)
        for (int columns = 1; columns < 70; columns += 7)
            draw(columns, rows);
}

/* ---- Keys ---- */

TEST(without_an_index_it_says_how_one_is_made)
{
    session.data.indexes = NULL;
    type("Down F");
    ck_assert_ptr_nonnull(strstr(session.message, "headlight index TEXTS"));
    ck_assert(!session.state.look.found.shown);
}

TEST(what_lacks_is_said)
{
    type("} F");
    ck_assert_str_eq(session.message, "choose a token first");
    type("{ Down F");
    ck_assert_str_eq(session.message,
                     "the index has no vectors of layer 0, only of head.1.3, layer.1");
    type("} F");
    type_and_wait("F");
    ck_assert_str_eq(session.message, "the index has no other vectors of this layer");
    ck_assert(session.state.look.found.shown);
}

/* The same key goes from the head's vector to the layer's. */
TEST(it_is_by_the_head_or_the_layer)
{
    type_and_wait("} 3 g Down F");
    ck_assert_str_eq(session.data.found->space.name, "head.1.3");
    ck_assert_str_eq(session.data.found->name[0], "the₁");
    draw(120, 40);
    ck_assert(view_shows(canvas, "at layer 1, head 3, of "));
    ck_assert(view_shows(canvas, "by the layer"));
    type_and_wait("F");
    ck_assert_str_eq(session.data.found->space.name, "layer.1");
    type("Tab");
    ck_assert(!session.state.look.found.shown);
    ck_assert_int_eq(session.state.look.view, VIEW_NEURON);
}

TEST(a_text_of_it_opens_with_the_token_and_escape_comes_back)
{
    const struct look *look = &session.state.look;
    type_and_wait("} Down Down F");
    type("Down Down");
    const struct found *found = session.data.found;
    const struct index_match *token = &found->best[2];
    type("Enter");
    ck_assert_int_eq(look->view, VIEW_HEAD);
    ck_assert(!look->found.shown);
    ck_assert_str_eq(session.data.encoded->texts[0].bytes, token->words);
    ck_assert_uint_eq(look->from, (size_t)token->token.place);
    ck_assert_uint_eq(look->to, NO_TOKEN);
    ck_assert_int_eq(session.data.trace->ids[look->from], token->token.piece);
    type_and_wait("Down Esc");
    ck_assert(look->found.shown);
    ck_assert_uint_eq(look->found.at, 2);
    ck_assert_ptr_eq(session.data.found, found);
    type("F");
    ck_assert_str_eq(session.message, "choose a token first");
    type("Esc Home");
    type_and_wait("F");
    ck_assert_str_eq(session.data.found->name[0], "[CLS]");
    ck_assert_str_eq(found_piece(&session.data.found->best[0], tiny.tokenizer), "[CLS]");
}

TEST(a_click_opens_a_text)
{
    type_and_wait("} Down Down F");
    const char *words = session.data.found->best[1].words;
    session_click(&session, (struct hit){HIT_FOUND, 1});
    assert_ok(input_type(&session, "", &error), error);
    ck_assert(!session.state.look.found.shown);
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), words);
    session_click(&session, (struct hit){HIT_FOUND, 1000});
}
