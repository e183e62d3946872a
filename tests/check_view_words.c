/* The words view: it shows what the lens says, and its keys lead to every cell and answer. */
#include "answers_helpers.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/find.h"
#include "headlight/session/request.h"
#include "headlight/view/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static void begin(void)
{
    open_answers("tiny-bert", "the [MASK] sat on the mat.", NULL);
}

TESTS(.begin = begin, .end = end_answers);

static const struct lens_cell *cell_of(size_t layer, size_t token)
{
    return &session.data.lens[layer * session.data.tokens + token];
}

/* ---- Cells ---- */

/* The text of the cells that answer to a click as this one; empty: it is not on screen. */
static const char *text_of_cell(size_t layer, size_t token)
{
    static char text[64];
    text[0] = '\0';
    for (int y = 0; y < answers_canvas->rows; y++)
        for (int x = 0; x < answers_canvas->columns; x++) {
            struct hit hit = canvas_hit(answers_canvas, y, x);
            const char *sign = canvas_at(answers_canvas, y, x)->text;
            if (hit.kind == HIT_LENS && hit.value == layer * session.data.tokens + token &&
                strcmp(sign, " ") != 0)
                strcat(text, sign);
        }
    return text;
}

TEST(a_cell_has_the_likeliest_piece, .times = 3)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    redraw(sizes[_i][0], sizes[_i][1]);
    for (size_t layer = 0; layer < session.data.layers; layer++)
        for (size_t token = 0; token < session.data.tokens; token++) {
            const char *piece =
                tokenizer_piece(checkpoint.tokenizer, cell_of(layer, token)->best[0].id);
            bool here = layer == session.state.look.layer && token == session.state.look.from;
            char expected[64];
            snprintf(expected, sizeof expected, here ? "[%s]" : "%s", piece);
            ck_assert_str_eq(text_of_cell(layer, token), expected);
        }
}

/* The last layer stands above the others. */
TEST(layers_go_up)
{
    redraw(80, 24);
    int above = -1;
    for (int y = 0; y < answers_canvas->rows; y++)
        for (int x = 0; x < answers_canvas->columns; x++)
            if (canvas_hit(answers_canvas, y, x).kind == HIT_LENS && above < 0)
                above = (int)(canvas_hit(answers_canvas, y, x).value / session.data.tokens);
    ck_assert_int_eq(above, (int)session.data.layers - 1);
    session.state.look.layer = 0;
    type_and_wait("Up");
    ck_assert_uint_eq(session.state.look.layer, 1);
    type_and_wait("Up Up Up");
    ck_assert_uint_eq(session.state.look.layer, session.data.layers - 1);
    type_and_wait("Down Down Down Down");
    ck_assert_uint_eq(session.state.look.layer, 0);
}

/* Of a long text the chosen token is always on screen, and the others are counted. */
TEST(what_is_outside_is_counted)
{
    char text[400] = "", count[16];
    for (int i = 0; i < 40; i++)
        strcat(text, i % 3 ? "time " : "arrow ");
    open_texts(text, NULL);
    for (size_t token = 0; token < session.data.tokens; token += 3) {
        size_t first = SIZE_MAX, last = 0;
        session.state.look.from = token;
        redraw(80, 24);
        for (int i = 0; i < 80 * 24; i++)
            if (answers_canvas->hits[i].kind == HIT_LENS) {
                size_t shown = answers_canvas->hits[i].value % session.data.tokens;
                first = shown < first ? shown : first;
                last = shown > last ? shown : last;
            }
        ck_assert(first <= token && token <= last);
        snprintf(count, sizeof count, "← %zu ", first);
        ck_assert_int_eq(shows(count), first > 0);
        snprintf(count, sizeof count, " %zu →", session.data.tokens - 1 - last);
        ck_assert_int_eq(shows(count), last + 1 < session.data.tokens);
    }
}

/* ---- Answers ---- */

TEST(the_likeliest_pieces_are_listed, .times = 2)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    session.state.look.from = 2;
    session.state.look.layer = session.data.layers - 1;
    redraw(sizes[_i][0], sizes[_i][1]);
    const struct lens_cell *cell = cell_of(session.data.layers - 1, 2);
    ck_assert(shows("[MASK]   the model's answer"));
    for (size_t i = 0; i < cell->count; i++) {
        char row[64];
        snprintf(row, sizeof row, "%-14s %.3f",
                 tokenizer_piece(checkpoint.tokenizer, cell->best[i].id),
                 exp(cell->best[i].logprob));
        ck_assert_msg(shows(row), "%s", row);
    }
    char fact[40];
    snprintf(fact, sizeof fact, "rank %zu", cell->rank);
    ck_assert(shows(fact));
    snprintf(fact, sizeof fact, "entropy %.2f of %.2f bits", cell->entropy, log2(101));
    ck_assert(shows(fact));
}

/* Wherever the cursor is: another layer's have a title of their own. */
TEST(the_answers_are_the_models_on_the_row_of_every_layer, .times = 4)
{
    static const int sizes[][2] = {{80, 24}, {110, 24}, {120, 40}, {200, 60}};
    const size_t last = session.data.layers - 1, layer = (size_t)_i % last;
    char title[48], row[64];
    session.state.look.from = 2;
    session.state.look.layer = layer;
    redraw(sizes[_i][0], sizes[_i][1]);
    ck_assert(shows("[MASK]   the model's answer"));
    snprintf(title, sizeof title, "  after layer %zu", layer);
    ck_assert(shows(title));
    for (size_t i = 0; i < 10; i++) {
        const struct prediction *says = &cell_of(i % 2 ? last : layer, 2)->best[i / 2];
        snprintf(row, sizeof row, "%-14s %.3f", tokenizer_piece(checkpoint.tokenizer, says->id),
                 exp(says->logprob));
        ck_assert_msg(shows(row), "%s", row);
    }
    type_and_wait("Enter");
    ck_assert_uint_eq(session.state.look.answer, (size_t)cell_of(last, 2)->best[0].id);
}

TEST(an_answer_is_chosen_and_put_into_the_text)
{
    session.state.look.from = 2;
    session.state.look.layer = session.data.layers - 1;
    const struct lens_cell *cell = cell_of(session.data.layers - 1, 2);
    int32_t ids[] = {cell->best[0].id, cell->best[1].id};
    type_and_wait("Enter");
    ck_assert_uint_eq(session.state.look.answer, (size_t)ids[0]);
    type_and_wait("Down");
    ck_assert_uint_eq(session.state.look.answer, (size_t)ids[1]);
    type_and_wait("Up Up");
    ck_assert_uint_eq(session.state.look.answer, (size_t)ids[0]);
    type_and_wait("Esc");
    ck_assert_uint_eq(session.state.look.answer, NO_TOKEN);
    ck_assert_uint_eq(session.state.look.from, 2);
    type_and_wait("Enter Enter");
    char text[64];
    const char *piece = tokenizer_piece(checkpoint.tokenizer, ids[0]);
    snprintf(text, sizeof text, "the %s sat on the mat.",
             strncmp(piece, "##", 2) == 0 ? piece + 2 : piece);
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), text);
    ck_assert_str_eq(session.data.encoded->texts[0].bytes, text);
    type_and_wait("u");
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), "the [MASK] sat on the mat.");
}

/* Of a token that the program masks, the piece that stands in the text is looked at. */
TEST(a_masked_word_is_looked_for)
{
    char fact[40];
    open_texts("the cat sat on the mat.", NULL);
    session.state.look.from = 2;
    session.state.look.layer = session.data.layers - 1;
    type_and_wait("M");
    redraw(120, 40);
    const struct lens_cell *cell = cell_of(session.data.layers - 1, 2);
    ck_assert_str_eq(tokenizer_piece(checkpoint.tokenizer, cell->id), "cat");
    snprintf(fact, sizeof fact, "cat itself %.3f", exp(cell->logprob));
    ck_assert(shows(fact));
    ck_assert(shows("[MASK]   the model's answer"));
}

/* ---- The model's answer, first of all ---- */

/* By whichever key: the other views are found on the layer that they were left on, unless another
 * was chosen here. */
TEST(it_opens_on_the_answer, .times = 3)
{
    static const char *const ways[] = {"Tab", "Shift-Tab", "o Tab Tab"};
    static const enum view_kind from[] = {VIEW_MATRIX, VIEW_STEPS, VIEW_ANSWERS};
    const size_t last = session.data.layers - 1;
    session_set_view(&session, from[_i]);
    session.state.look.layer = 0;
    type_and_wait(ways[_i]);
    ck_assert_int_eq(session.state.look.view, VIEW_ANSWERS);
    ck_assert_uint_eq(session.state.look.layer, last);
    type_and_wait("Tab");
    if (from[_i] != VIEW_ANSWERS)
        ck_assert_uint_eq(session.state.look.layer, 0);
    type_and_wait("Shift-Tab Down Tab");
    ck_assert_int_eq(session.state.look.view, VIEW_STEPS);
    ck_assert_uint_eq(session.state.look.layer, last - 1);
}

/* The strongest ground of a cell. */
static int shade_of_cell(size_t layer, size_t token)
{
    int most = 0;
    for (int i = 0; i < answers_canvas->columns * answers_canvas->rows; i++) {
        const struct ink back = answers_canvas->cells[i].style.back;
        if (answers_canvas->hits[i].kind == HIT_LENS &&
            answers_canvas->hits[i].value == layer * session.data.tokens + token &&
            back.level > most)
            most = back.level;
    }
    return most;
}

/* However sure a lower layer is, or the model of a word that it sees. */
TEST(the_brightest_cell_is_the_answer_at_the_mask)
{
    const size_t last = session.data.layers - 1;
    for (size_t i = 0; i < session.data.layers * session.data.tokens; i++)
        session.data.lens[i].best[0].logprob = i == last * session.data.tokens + 2 ? -3 : 0;
    redraw(80, 24);
    const int answer = shade_of_cell(last, 2);
    for (size_t i = 0; i < session.data.layers * session.data.tokens; i++)
        if (i != last * session.data.tokens + 2)
            ck_assert_int_lt(shade_of_cell(i / session.data.tokens, i % session.data.tokens),
                             answer);
}

/* [CLS] and [SEP] are never masked. */
TEST(where_nobody_trained_it_the_view_is_grey)
{
    const size_t end = session.data.tokens - 1;
    session.state.look.from = 0;
    redraw(80, 24);
    ck_assert(shows("  grey: never trained to say words"));
    ck_assert(shows("[CLS]   never trained to say words")); /* where the cursor is */
    for (size_t layer = 0; layer < session.data.layers; layer++)
        for (size_t token = 0; token <= end; token++)
            ck_assert_int_eq(shade_of_cell(layer, token) == 0, token == 0 || token == end);
    session_end(&session);
    const struct interventions none = {0};
    const struct text text = {"the cat", 7};
    session_begin(&session, &checkpoint, false, &none);
    assert_ok(session_open(&session, &text, 1, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_ANSWERS);
    redraw(80, 24);
    ck_assert(!shows("never trained"));
}

/* ---- Before a change ---- */

TEST(what_was_before_stands_beside_it)
{
    char row[64];
    session.state.look.from = 2;
    session.state.look.layer = session.data.layers - 1;
    assert_ok(session_show(&session, &session.state.look) ? STATUS_OK : STATUS_MEMORY, error);
    struct lens_cell before = *cell_of(session.data.layers - 1, 2);
    session.state.source.changes.off[0] = 1;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    const struct lens_cell *cell = cell_of(session.data.layers - 1, 2);
    ck_assert(cell->compared);
    size_t found = 0;
    for (size_t i = 0; i < before.count; i++)
        for (size_t j = 0; j < cell->count; j++)
            if (cell->best[j].id == before.best[i].id) {
                ck_assert_double_eq_tol(cell->best_before[j], before.best[i].logprob, 1e-9);
                found++;
            }
    ck_assert_uint_gt(found, 3);
    redraw(120, 40);
    snprintf(row, sizeof row, "%.3f ← %.3f", exp(cell->best[0].logprob), exp(cell->best_before[0]));
    ck_assert_msg(shows(row), "%s", row);
    for (size_t i = 0; i < cell->count; i++) /* what was likeliest stays on top */
        if (cell->best[i].id == before.best[0].id)
            snprintf(row, sizeof row, " ← %.3f", exp(before.best[0].logprob));
    int top = 0;
    while (!strstr(view_row(answers_canvas, top), "the model's answer"))
        top++;
    ck_assert_msg(strstr(view_row(answers_canvas, top + 1), row) != NULL, "%s", row);
    session.state.source.changes.off[0] = 0;
    assert_ok(request_settle(&session, &error), error);
    redraw(120, 40);
    ck_assert_ptr_null(session.data.before);
    ck_assert(!shows("←"));
}

TEST(a_pair_tells_whether_it_follows)
{
    float follows;
    char text[60];
    open_texts("the cat sat", "the dog ran");
    redraw(80, 24);
    ck_assert(predict_pair(session.data.trace, &follows));
    snprintf(text, sizeof text, "next sentence: B follows A %.3f", (double)follows);
    ck_assert(shows(text));
    open_texts("the cat sat", NULL);
    redraw(80, 24);
    ck_assert(!shows("next sentence"));
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

/* ---- Without words ---- */

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
    session_end(&session);
    checkpoint_close(&checkpoint);
    assert_ok(checkpoint_open(&checkpoint, folder.path, NULL, NULL, &error), error);
    folder_remove(&folder);
    open_texts("the cat", NULL);
    redraw(80, 24);
    ck_assert(shows("words need a masked-word head, which this checkpoint was saved without: use"));
    ck_assert(shows("  one saved as BertForMaskedLM"));
    struct scene scene = session_scene(&session);
    const char *hints = answers_view.hints(&scene);
    struct hint hint;
    while (hint_next(&hints, &hint)) {
        ck_assert_str_ne(hint.keys, "Enter");
        ck_assert_str_ne(hint.keys, "o");
    }
    type_and_wait("o");
    ck_assert_str_eq(session.message, session.data.speechless);
    type_and_wait("Up Right Enter Enter Esc");
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), "the cat");
}

TEST(nothing_is_drawn_outside)
{
    struct scene scene = session_scene(&session);
    for (int columns = 60; columns <= 200; columns += 7)
        for (int rows = 9; rows <= 60; rows += 3)
            view_check_inside(draw_answers, &scene, columns, rows, 0);
    view_check_inside_as(draw_answers, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
}
