/* The words view of models that are not asked for a masked word: one that says what comes next, one
 * that tells replaced words, one that tells the order of sentences, and one that tells nothing.
 *
 * The numbers come from the recorded traces beside the models, with NumPy in double precision: of
 * layers those of log softmax(LayerNorm(output)·Eᵀ), with ln_f and wte of the checkpoint; of
 * replaced words 1/(1 + exp(-rtd_logits)); of the order softmax(sop_logits)[0]. */
#include "answers_helpers.h"
#include "model_helpers.h"
#include "recorded.h"
#include "schema.h"
#include "suites.h"

#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/lens/effects.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/weights.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 2e-5

static struct error error;

static void begin_next(void)
{
    open_answers("families/gpt2", "time flies like an arrow", NULL);
}

TESTS(.begin = begin_next, .end = end_answers);

static void begin_replaced(void)
{
    open_answers("families/electra-discriminator", "the cat sat", "she saw it");
}

static const struct fixture other_tests = {.begin = begin_replaced, .end = end_answers};

static void choose(size_t token)
{
    session.state.look.from = token;
    session.state.look.query_found = false;
    session.state.look.answer = NO_TOKEN;
}

static bool offers(const char *what)
{
    bool found = false;
    struct scene scene = session_scene(&session);
    const char *hints = answers_view.hints(&scene);
    struct hint hint;
    while (hint_next(&hints, &hint))
        found |= strcmp(hint.what, what) == 0;
    return found;
}

static void assert_text_is(const char *text)
{
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), text);
}

/* ---- What comes next ---- */

/* time flies like an arrow: ti me Ġf li es Ġli ke Ġan Ġa r ro w */
#define TOKENS 12

static const struct {
    size_t layer, token;
    int32_t best;
    double logprob;
    int32_t next;
    double next_logprob;
    size_t rank;
    double entropy;
} told[] = {
    {0, 0, 183, -0.914859, 298, -23.108428, 294, 2.24889},
    {0, 3, 324, -1.245839, 291, -17.286511, 237, 3.34216},
    {0, 11, 336, -0.904954, LENS_NOTHING, 0, 0, 2.81790},
    {1, 2, 287, -1.075664, 342, -23.855602, 319, 2.98165},
    {1, 10, 69, -0.044696, 86, -8.730636, 4, 0.27032},
    {2, 0, 69, -0.418327, 298, -20.823777, 198, 1.58985},
    {2, 1, 6, -0.009163, 271, -8.970385, 13, 0.10576},
    {2, 6, 49, -0.103042, 275, -7.566206, 18, 0.80767},
    {2, 11, 130, -0.652693, LENS_NOTHING, 0, 0, 2.13891},
};

static void check_told(const struct lens_cell *cells, int row)
{
    const struct lens_cell *cell = &cells[told[row].layer * TOKENS + told[row].token];
    ck_assert_uint_eq(cell->count, LENS_BEST);
    ck_assert_int_eq(cell->best[0].id, told[row].best);
    ck_assert_double_eq_tol(cell->best[0].logprob, told[row].logprob, NEAR);
    ck_assert_int_eq(cell->id, told[row].next);
    ck_assert_double_eq_tol(cell->logprob, told[row].next_logprob, NEAR);
    ck_assert_uint_eq(cell->rank, told[row].rank);
    ck_assert_double_eq_tol(cell->entropy, told[row].entropy, 1e-4);
}

TEST(each_layer_says_what_comes_next, .times = COUNT(told))
{
    ck_assert_uint_eq(session.data.tokens, TOKENS);
    check_told(session.data.lens, _i);
}

/* The last layer's row goes through the head, too, where a pass left its logits out. */
TEST(without_logits_it_says_the_same, .times = COUNT(told))
{
    const struct interventions none = {0};
    const struct text text = {"time flies like an arrow", 24};
    session_end(&session);
    session_begin(&session, &checkpoint, true, &none);
    session.logits = false;
    assert_ok(session_open(&session, &text, 1, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_ANSWERS);
    ck_assert_ptr_null(session.data.trace->outputs[OUTPUT_LM]);
    check_told(session.data.lens, _i);
}

TEST(the_view_says_what_comes_next)
{
    redraw(120, 40);
    ck_assert(view_shows(answers_canvas, "after ti:   the model's answer"));
    ck_assert(view_shows(answers_canvas, "f              0.658"));
    ck_assert(view_shows(answers_canvas, "me comes next 0.000"));
    ck_assert(view_shows(answers_canvas, "rank 198 of 347"));
    ck_assert(view_shows(answers_canvas, "each layer's likeliest next word   fuller"));
    ck_assert(!view_shows(answers_canvas, "itself"));
    type_and_wait("Down");
    redraw(120, 40);
    ck_assert(view_shows(answers_canvas, "after ti:   the model's answer"));
    ck_assert(view_shows(answers_canvas, "    after layer 1"));
    choose(TOKENS - 1);
    redraw(120, 40);
    ck_assert(view_shows(answers_canvas, "after w:   the model's answer"));
    ck_assert(view_shows(answers_canvas, "the text ends here"));
    ck_assert(!view_shows(answers_canvas, "rank"));
}

/* Blue is what is not in the text: after Ġan each layer but the first says "Ġan", which is not what
 * follows. */
TEST(another_word_than_comes_stands_out)
{
    int news = 0;
    redraw(200, 60);
    for (int i = 0; i < answers_canvas->columns * answers_canvas->rows; i++)
        if (answers_canvas->hits[i].kind == HIT_LENS && answers_canvas->hits[i].value % TOKENS == 7)
            news += answers_canvas->cells[i].style.back.role == ROLE_POSITIVE;
    ck_assert_int_gt(news, 0);
}

TEST(nothing_is_masked_for_the_next_word)
{
    ck_assert(!offers("mask"));
    ck_assert(offers("effects"));
    type_and_wait("M");
    ck_assert_str_eq(session.message, "this model reads no [MASK]: it says which word comes next");
    ck_assert_uint_eq(session.state.source.masked.count, 0);
    assert_fails(mask_apply(&session, "#2", &error), STATUS_USAGE,
                 "--mask: this model reads no [MASK]: it says which word comes next", error);
}

/* Also where its vocabulary has a token for that. */
TEST(a_vocabulary_with_a_mask_does_not_make_the_next_word_a_masked_one)
{
    static const char *const files[] = {"config.json", "vocab.json", "merges.txt",
                                        "model.safetensors"};
    static const char settings[] = "{\"mask_token\": \"!\"}";
    struct folder folder;
    end_answers();
    folder_make(&folder);
    for (int i = 0; i < COUNT(files); i++)
        folder_copy(&folder, "tests/vectors/families/gpt2", files[i]);
    folder_write(&folder, "special_tokens_map.json", settings, strlen(settings));
    assert_ok(checkpoint_open(&checkpoint, folder.path, NULL, NULL, &error), error);
    ck_assert_int_ge(tokenizer_mask(checkpoint.tokenizer), 0);
    open_texts("time flies", NULL);
    assert_fails(mask_apply(&session, "#2", &error), STATUS_USAGE,
                 "--mask: this model reads no [MASK]: it says which word comes next", error);
    type_and_wait("M");
    ck_assert_str_eq(session.message, "this model reads no [MASK]: it says which word comes next");
    ck_assert_uint_eq(session.state.source.masked.count, 0);
    folder_remove(&folder);
}

/* In the place of the word that came; at the end of the text behind it. */
TEST(an_answer_is_put_where_it_comes)
{
    choose(4);
    session.state.look.answer = 262; /* "Ġo" */
    type_and_wait("Enter");
    assert_text_is("time flies oke an arrow");
    open_texts("time flies like an arrow", NULL);
    choose(TOKENS - 1);
    session.state.look.answer = 271; /* "Ġf" */
    type_and_wait("Enter");
    assert_text_is("time flies like an arrow f");
    choose(session.data.tokens - 1);
    session.state.look.answer = 342; /* "li" */
    type_and_wait("Enter");
    assert_text_is("time flies like an arrow fli");
}

/* The text has its space already; a word in a word's place leaves other masks where they are. */
TEST(a_space_is_not_put_twice)
{
    end_answers();
    open_answers("families/albert", "the cat sat", NULL);
    choose(3);
    type_and_wait("M");
    choose(2);
    session.state.look.answer = (size_t)tokenizer_find(checkpoint.tokenizer, "\xE2\x96\x81sat");
    type_and_wait("Enter");
    assert_text_is("the sat sat");
    ck_assert_uint_eq(session.state.source.masked.count, 1);
    choose(2);
    session.state.look.answer = (size_t)tokenizer_find(checkpoint.tokenizer, "ies");
    type_and_wait("Enter");
    assert_text_is("the ies sat");
    ck_assert_uint_eq(session.state.source.masked.count, 0);
}

/* A byte that only others make a character of. */
TEST(a_part_of_a_character_is_no_text)
{
    choose(2);
    session.state.look.answer = 130;
    type_and_wait("Enter");
    assert_text_is("time flies like an arrow");
    ck_assert_ptr_nonnull(strstr(session.message, "a part of a character"));
}

static double log_probability(const struct interventions *changes, size_t token, int32_t id)
{
    const struct trace *shown = session.data.trace;
    struct trace *trace;
    assert_ok(forward_prepare(checkpoint.model, shown->ids, shown->segments, shown->tokens, true,
                              &trace, &error),
              error);
    assert_ok(forward_run(checkpoint.model, changes, NULL, trace, &error), error);
    const float *logits = trace->outputs[OUTPUT_LM] + token * trace->vocabulary;
    double found = (double)logits[id] - predict_total(logits, trace->vocabulary, NULL);
    free(trace);
    return found;
}

TEST(effects_are_on_the_next_word)
{
    const size_t token = 6;
    choose(token);
    type_and_wait("o");
    const struct effects *effects = session.data.effects;
    ck_assert_int_eq(session.state.look.view, VIEW_MODEL);
    ck_assert_ptr_nonnull(effects);
    ck_assert_uint_eq(effects->on.token, token);
    ck_assert_int_eq(effects->on.id, 49);
    ck_assert_double_eq_tol(effects->logprob, -0.103042, NEAR);
    for (size_t layer = 0; layer < effects->layers; layer++)
        for (size_t head = 0; head < effects->heads; head++) {
            struct interventions changes = {0};
            changes.off[layer] = head_mask_of(head);
            double change = log_probability(&changes, token, 49) - effects->logprob;
            ck_assert_double_eq_tol(effects->change[layer * effects->heads + head], change, 1e-5);
        }
    canvas_free(answers_canvas);
    answers_canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    assert_ok(screen_draw(&session, answers_canvas, &error), error);
    ck_assert(view_shows(answers_canvas, "change of log p(R) after ke"));
}

/* ---- Replaced words ---- */

static const double replaced[] = {0.0305814,  0.0293389,  0.02066587, 0.01878054,
                                  0.03644834, 0.05982522, 0.01212081, 0.02452479,
                                  0.03366541, 0.03494222, 0.06233591};

TEST(each_token_has_the_probability_that_it_was_replaced, .with = &other_tests)
{
    ck_assert_uint_eq(session.data.tokens, COUNT(replaced));
    for (size_t token = 0; token < COUNT(replaced); token++)
        ck_assert_double_eq_tol((double)predict_replaced(session.data.trace, token),
                                replaced[token], 1e-6);
}

/* The list from the likeliest down: [SEP]₂ she [SEP]₁ … */
TEST(the_likeliest_is_first_in_the_list, .with = &other_tests)
{
    static const size_t order[] = {10, 5, 4, 9, 8, 0, 1, 7, 2, 3, 6};
    int row = 0;
    redraw(120, 40);
    ck_assert(view_shows(answers_canvas, "replaced?"));
    for (int y = 0; y < answers_canvas->rows; y++) {
        struct hit hit = canvas_hit(answers_canvas, y, answers_canvas->columns - 3);
        char number[16];
        if (hit.kind != HIT_FROM)
            continue;
        snprintf(number, sizeof number, "%.3f", replaced[order[row]]);
        ck_assert_uint_eq(hit.value, order[row++]);
        ck_assert_msg(strstr(view_row(answers_canvas, y), number) != NULL, "%s", number);
    }
    ck_assert_int_eq(row, COUNT(order));
}

static bool is_shown(size_t token)
{
    const int half = answers_canvas->columns / 2,
              list_begins = answers_canvas->columns - 2 - (half < 38 ? half : 38);
    bool text = false, list = false;
    for (int y = 0; y < answers_canvas->rows; y++)
        for (int x = 0; x < answers_canvas->columns; x++) {
            struct hit hit = canvas_hit(answers_canvas, y, x);
            bool here = hit.kind == HIT_FROM && hit.value == token;
            text |= here && x < list_begins;
            list |= here && x >= list_begins;
        }
    return text && list;
}

TEST(the_chosen_token_is_always_shown, .times = 3, .with = &other_tests)
{
    static const int sizes[][2] = {{60, 12}, {80, 24}, {120, 40}};
    open_texts("the cat sat on the mat and she saw it by the", "sea");
    for (size_t token = 0; token < session.data.tokens; token++) {
        choose(token);
        redraw(sizes[_i][0], sizes[_i][1]);
        ck_assert_msg(is_shown(token), "%zu", token);
    }
}

TEST(tokens_that_are_left_out_are_counted, .with = &other_tests)
{
    open_texts("the cat sat on the mat and she saw it by the", "sea");
    choose(0);
    redraw(60, 12);
    size_t shown = 0, tokens = session.data.tokens;
    char more[32];
    for (size_t token = 0; token < tokens; token++) {
        bool found = false;
        for (int i = 0; i < 60 * 12; i++)
            found |= i % 60 < 28 && answers_canvas->hits[i].kind == HIT_FROM &&
                     answers_canvas->hits[i].value == token;
        shown += found;
    }
    ck_assert_uint_lt(shown, tokens);
    snprintf(more, sizeof more, "↓ %zu more", tokens - shown);
    ck_assert_msg(view_shows(answers_canvas, more), "%s", more);
}

TEST(its_keys_walk_the_tokens, .with = &other_tests)
{
    choose(0);
    type_and_wait("Right Down");
    ck_assert_uint_eq(session.state.look.from, 2);
    type_and_wait("Up Left");
    ck_assert_uint_eq(session.state.look.from, 0);
    ck_assert(offers("effects") && !offers("answers") && !offers("layer"));
    type_and_wait("Enter o");
    ck_assert_int_eq(session.state.look.view, VIEW_MODEL);
    ck_assert_int_eq(session.data.effects->on.output, OUTPUT_RTD);
    ck_assert_uint_eq(session.data.effects->on.token, 0);
}

TEST(what_was_before_stands_beside_it, .with = &other_tests)
{
    char now[16], was[16];
    choose(2);
    type_and_wait("[ z z"); /* a head of layer 1 off */
    ck_assert_ptr_nonnull(session.data.before);
    ck_assert_double_eq_tol((double)predict_replaced(session.data.before, 2), replaced[2], 1e-6);
    redraw(120, 40);
    snprintf(now, sizeof now, "%.3f", (double)predict_replaced(session.data.trace, 2));
    snprintf(was, sizeof was, "← %.3f", replaced[2]);
    ck_assert_str_ne(now, was + strlen("← "));
    ck_assert_msg(view_shows(answers_canvas, now) && view_shows(answers_canvas, was), "%s %s", now,
                  was);
}

TEST(nothing_is_drawn_outside, .with = &other_tests)
{
    struct scene scene = session_scene(&session);
    for (int columns = 60; columns <= 200; columns += 7)
        for (int rows = 5; rows <= 60; rows += 3)
            view_check_inside(draw_answers, &scene, columns, rows, 0);
    view_check_inside_as(draw_answers, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
}

/* ---- The others ---- */

static void begin_files(void);
static void end_files(void);
static const struct fixture files_tests = {.begin = begin_files, .end = end_files};

TEST(the_order_of_sentences_is_called_that, .with = &files_tests)
{
    open_answers("families/albert", "the cat sat", "she saw it");
    redraw(80, 24);
    ck_assert(view_shows(answers_canvas, "sentences in order: A before B 0.369"));
    ck_assert(!view_shows(answers_canvas, "follows"));
    open_texts("the cat sat", NULL);
    redraw(80, 24);
    ck_assert(!view_shows(answers_canvas, "in order"));
}

/* ---- Files ---- */

static struct folder folder;

static cJSON *exported(unsigned include)
{
    const struct output output = {.session = &session, .include = include};
    char *path = in_folder(&folder, "a.json");
    assert_ok(export_file(&output, FORMAT_JSON, path, &error), error);
    cJSON *object = export_of_file(path);
    free(path);
    return object;
}

static void begin_files(void)
{
    folder_make(&folder);
}

static void end_files(void)
{
    end_answers();
    folder_remove(&folder);
}

static const cJSON *at(const cJSON *object, const char *name)
{
    const cJSON *member = json_member(object, name);
    ck_assert_msg(member != NULL, "%s", name);
    return member;
}

static bool is_null(const cJSON *object, const char *name)
{
    return cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, name));
}

TEST(json_has_what_comes_next, .with = &files_tests)
{
    begin_next();
    cJSON *object = exported(0);
    const cJSON *after = at(export_answer(object, "words"), "after");
    ck_assert_int_eq(cJSON_GetArraySize(after), TOKENS);
    const cJSON *one = cJSON_GetArrayItem(after, 1), *next = at(one, "next");
    const cJSON *best = cJSON_GetArrayItem(at(one, "pieces"), 0);
    ck_assert_int_eq(at(best, "id")->valueint, 6);
    ck_assert_double_eq_tol(at(best, "probability")->valuedouble, exp(-0.009163), NEAR);
    ck_assert_str_eq(at(next, "piece")->valuestring, "Ġf");
    ck_assert_int_eq(at(next, "rank")->valueint, 13);
    ck_assert_double_eq_tol(at(next, "probability")->valuedouble, exp(-8.970385), 1e-8);
    ck_assert(is_null(cJSON_GetArrayItem(after, TOKENS - 1), "next"));
    ck_assert_str_eq(at(object, "family")->valuestring, "GPT-2");
    cJSON_Delete(object);
}

TEST(json_has_replaced_words, .with = &files_tests)
{
    begin_replaced();
    cJSON *object = exported(0);
    const cJSON *list = at(export_answer(object, "replaced"), "probabilities");
    ck_assert_int_eq(cJSON_GetArraySize(list), COUNT(replaced));
    for (int i = 0; i < COUNT(replaced); i++)
        ck_assert_double_eq_tol(cJSON_GetArrayItem(list, i)->valuedouble, replaced[i], 1e-6);
    ck_assert_ptr_null(export_answer(object, "sentence"));
    cJSON_Delete(object);
}

TEST(json_has_the_order_of_sentences, .with = &files_tests)
{
    open_answers("families/albert", "the cat sat", "she saw it");
    cJSON *object = exported(0);
    const cJSON *order = export_answer(object, "pair");
    ck_assert_double_eq_tol(at(order, "in_order")->valuedouble, 0.36890691, 1e-5);
    ck_assert_ptr_null(json_member(order, "follows"));
    cJSON_Delete(object);
    open_texts("the cat sat", NULL);
    object = exported(0);
    ck_assert_ptr_null(export_answer(object, "pair"));
    cJSON_Delete(object);
}

TEST(json_has_the_embedding_of_the_sentence, .with = &files_tests)
{
    static const double first[] = {0.06555977, 0.18730977, -0.07420854, 0.0758054};
    open_answers("families/minilm", "time flies like an arrow", NULL);
    cJSON *object = exported(0);
    const cJSON *list = at(export_answer(object, "sentence"), "embedding");
    ck_assert_int_eq(cJSON_GetArraySize(list), 32);
    for (int i = 0; i < COUNT(first); i++)
        ck_assert_double_eq_tol(cJSON_GetArrayItem(list, i)->valuedouble, first[i], 1e-6);
    ck_assert_ptr_null(json_member(object, "replaced"));
    cJSON_Delete(object);
}

/* Each sentence by itself, so that of the pair there is no vector; the parts are in the schema's
 * numbers, and add up. */
TEST(json_compares_two_sentences, .with = &files_tests)
{
    open_answers("families/minilm", "time flies like an arrow", "time flies");
    cJSON *object = exported(0);
    ck_assert_ptr_null(export_answer(object, "sentence"));
    const cJSON *answer = export_answer(object, "similarity"), *part;
    const double value = at(answer, "value")->valuedouble;
    ck_assert_str_eq(at(answer, "function")->valuestring, "cosine");
    ck_assert_str_eq(at(answer, "pooling")->valuestring, "mean");
    ck_assert_int_eq(cJSON_GetArraySize(at(answer, "modules")), 3);
    ck_assert(is_null(answer, "before") && is_null(answer, "unparted"));
    for (const char *side = "a"; side; side = *side == 'a' ? "b" : NULL) {
        double sum = 0;
        cJSON_ArrayForEach(part, at(at(answer, side), "parts")) sum += part->valuedouble;
        ck_assert_double_eq_tol(sum, value, 1e-6);
        ck_assert_int_eq(cJSON_GetArraySize(at(at(answer, side), "tokens")),
                         cJSON_GetArraySize(at(at(answer, side), "parts")));
    }
    cJSON_Delete(object);
}

/* A trace says it, and who opens it knows it. */
TEST(the_family_goes_with_the_model, .with = &files_tests)
{
    const struct output output = {.session = &session};
    struct recording *recording;
    begin_replaced();
    char *path = in_folder(&folder, "a.safetensors");
    assert_ok(export_file(&output, FORMAT_TRACE, path, &error), error);
    assert_ok(recording_open(path, &recording, &error), error);
    session_end(&session);
    assert_ok(session_begin_recording(&session, recording, &error), error);
    ck_assert_str_eq(session.data.family, "ELECTRA");
    answers_canvas = canvas_new(160, 40, (struct traits){GLYPHS_BRAILLE, false});
    assert_ok(screen_draw(&session, answers_canvas, &error), error);
    ck_assert(view_shows(answers_canvas, "electra-discriminator 3×4   ELECTRA"));
    session_set_view(&session, VIEW_ANSWERS);
    redraw(120, 40); /* these numbers need no network */
    ck_assert(view_shows(answers_canvas, "replaced?"));
    session_end(&session);
    recording_close(recording);
    free(path);
}
