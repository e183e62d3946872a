/* The words view where a script of tests/scripts can't look: the shades of its cells, and what a
 * worker reads first. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

static struct error error;
static struct checkpoint checkpoint;
static struct canvas *canvas;

static void open_answers(const char *folder, const char *text)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, text, NULL);
    session_set_view(&session, VIEW_ANSWERS);
    session_show_opening_head(&session);
}

static void begin(void)
{
    open_answers(TINY_FOLDER, "the [MASK] sat on the mat.");
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

static void redraw(int columns, int rows)
{
    canvas_free(canvas);
    canvas = view_drawn(draw_answers, scene_of(&session), columns, rows);
}

static bool shows(const char *text)
{
    return view_shows(canvas, text);
}

TESTS(.begin = begin, .end = end);

static const struct lens_cell *cell_of(size_t layer, size_t token)
{
    return &session.data.lens[layer * session.data.tokens + token];
}

/* The text of the cells that answer to a click as this one; empty: it is not on screen. */
static const char *text_of_cell(size_t layer, size_t token)
{
    static char text[64];
    text[0] = '\0';
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            struct hit hit = canvas_hit(canvas, y, x);
            const char *sign = canvas_at(canvas, y, x)->text;
            if (hit.place[1] == HIT(from) && hit.value[0] == layer && hit.value[1] == token &&
                strcmp(sign, " ") != 0)
                strcat(text, sign);
        }
    return text;
}

/* The strongest ground of a cell. */
static int shade_of_cell(size_t layer, size_t token)
{
    int most = 0;
    for (int i = 0; i < canvas->columns * canvas->rows; i++) {
        const struct ink back = canvas->cells[i].style.back;
        if (canvas->hits[i].place[1] == HIT(from) && canvas->hits[i].value[0] == layer &&
            canvas->hits[i].value[1] == token && back.level > most)
            most = back.level;
    }
    return most;
}

/* Whichever layer says it, also the last, and under the cursor or not. */
TEST(surer_cells_are_fuller)
{
    for (size_t layer = 0; layer < session.data.layers; layer++)
        session.data.lens[layer * session.data.tokens + 2].best[0].logprob = -0.5F * (float)layer;
    redraw(80, 24);
    for (size_t layer = 1; layer < session.data.layers; layer++)
        ck_assert_int_lt(shade_of_cell(layer, 2), shade_of_cell(layer - 1, 2));
}

/* For the back of a room only the layer that the sentence is about has bars in blue. */
TEST(bars_of_the_sentence_are_blue)
{
    session.state.look.presented = true;
    for (size_t layer = 0; layer < session.data.layers; layer++) {
        bool other = false; /* the model's come first */
        int blue = 0;
        session.state.look.layer = layer;
        redraw(120, 40);
        for (int y = 0; y < canvas->rows; y++) {
            other |= strstr(view_row(canvas, y), "after layer") != NULL;
            for (int x = 0; x < canvas->columns; x++)
                if (canvas_hit(canvas, y, x).place[0] == HIT(answer) &&
                    canvas_at(canvas, y, x)->style.fore.role == ROLE_POSITIVE) {
                    ck_assert(other == (layer + 1 < session.data.layers));
                    blue++;
                }
        }
        ck_assert_int_gt(blue, 0);
    }
}

/* [CLS] and [SEP] are never masked. */
TEST(where_nobody_trained_it_the_view_is_grey)
{
    const size_t end = session.data.tokens - 1;
    session.state.look.from = 0;
    redraw(80, 24);
    for (size_t layer = 0; layer < session.data.layers; layer++)
        for (size_t token = 0; token <= end; token++)
            ck_assert_int_eq(shade_of_cell(layer, token) == 0, token == 0 || token == end);
}

/* Blue is what is not in the text: after Ġan each layer but the first says "Ġan", which is not what
 * follows. */
TEST(another_word_than_comes_stands_out)
{
    int news = 0;
    open_answers("tests/vectors/families/gpt2", "time flies like an arrow");
    redraw(200, 60);
    for (int i = 0; i < canvas->columns * canvas->rows; i++)
        if (canvas->hits[i].place[1] == HIT(from) && canvas->hits[i].value[1] == 7)
            news += canvas->cells[i].style.back.role == ROLE_POSITIVE;
    ck_assert_int_gt(news, 0);
}

/* ---- What is read when ---- */

static bool wants_lens(void)
{
    return derive_wants(REQUEST_LENS, &session.state.look, &session.data);
}

/* What is asked for next. */
static struct lens_area area_next(void)
{
    struct request request;
    assert_ok(request_besides(&session, &request, &error), error);
    ck_assert_int_eq(request.kind, REQUEST_LENS);
    struct lens_area area = request.draft.area;
    request_drop(&request);
    return area;
}

/* A worker reads it piece by piece, from the chosen token on. */
TEST(the_chosen_token_is_read_first)
{
    struct lens_area area;
    struct request request;
    session.interactive = true;
    free(session.data.lens);
    session.data.lens = NULL;
    ck_assert(wants_lens());
    session.state.look.from = 3;
    area = area_next();
    ck_assert(area.tokens.first <= 3 && 3 < area.tokens.end);
    assert_ok(request_besides(&session, &request, &error), error);
    ck_assert_int_eq(request.kind, REQUEST_LENS);
    request.draft.area.tokens = (struct token_range){3, 5};
    assert_ok(request_run(&request, NULL, &error), error);
    assert_ok(request_take(&session, &request, 1, &error), error);
    redraw(80, 24);
    for (size_t token = 0; token < session.data.tokens; token++) {
        bool read = token == 3 || token == 4;
        ck_assert_int_eq(cell_of(0, token)->count > 0, read);
        ck_assert_int_eq(strcmp(text_of_cell(1, token), "…") != 0, read);
    }
    area = area_next();
    ck_assert(area.tokens.first <= 5 && 5 < area.tokens.end);
    error_set(&error, STATUS_CANCELLED, "cancelled");
    request_fail(&session, REQUEST_LENS, &error);
    ck_assert(!wants_lens());
    input_key(&session, KEY_CODE_RIGHT); /* somebody wants to see more */
    ck_assert(wants_lens());
}

TEST(a_model_without_the_head_says_what_is_missing)
{
    struct folder folder;
    struct parts parts = {0};
    folder_make(&folder);
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    for (size_t i = parts.count; i-- > 0;) {
        char name[128];
        snprintf(name, sizeof name, "%s", parts.part[i].name);
        if (strncmp(name, "cls.predictions", 15) == 0)
            parts_drop(&parts, name);
    }
    parts_write(&parts, 0, parts.count, 0, &folder, "model.safetensors");
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "vocab.txt");
    parts_free(&parts);
    open_answers(folder.path, "the cat");
    folder_remove(&folder);
    redraw(80, 24);
    ck_assert(shows("words need a masked-word head, which this checkpoint was saved without: use"));
    ck_assert(shows("  one saved as BertForMaskedLM"));
    struct scene scene = session_scene(&session);
    const char *hints = scene_hints(&scene);
    struct hint hint;
    while (hint_next(&hints, &hint)) {
        ck_assert_str_ne(hint.keys, "Enter");
        ck_assert_str_ne(hint.keys, "o");
    }
    type_and_wait("o");
    ck_assert_str_eq(session.message, session.data.no_lens);
    type_and_wait("Up Right Enter Enter Esc");
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), "the cat");
}
