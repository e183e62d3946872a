/* The compare view: what it sets side by side, the numbers it draws, and what is computed for it.
 */
#include "faults.h"
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/click.h"
#include "headlight/session/derive.h"
#include "headlight/session/input.h"
#include "headlight/session/request.h"
#include "headlight/view/compare_maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIME  "time flies like an arrow"
#define FRUIT "fruit flies like a banana"

static struct checkpoint checkpoint, other;
static struct error error;
static struct canvas *canvas;

static void open_texts(const char *first, const char *second)
{
    session_anew_on_texts(&checkpoint, other.model ? &other : NULL, first, second);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
}

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
    open_texts(TIME, FRUIT);
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
    checkpoint_close(&other);
}

/* The tiny checkpoint, with something else in its configuration. */
static void open_other(const char *from, const char *to)
{
    struct folder folder;
    char *path = path_join(TINY_FOLDER, "config.json"), *text, config[2048];
    size_t length;
    assert_ok(file_read(path, sizeof config / 2, &text, &length, &error), error);
    char *at = strstr(text, from);
    ck_assert_ptr_nonnull(at);
    int size =
        snprintf(config, sizeof config, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    folder_make(&folder);
    folder_write(&folder, "config.json", config, (size_t)size);
    folder_copy(&folder, TINY_FOLDER, "vocab.txt");
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    assert_ok(checkpoint_open(&other, folder.path, NULL, &error), error);
    folder_remove(&folder);
    free(text);
    free(path);
}

static enum status draw_compare(const struct scene *scene, struct canvas *on, struct area area,
                                struct error *failure)
{
    enum status status = compare_view.draw(scene, on, area, failure);
    compare_view.legend(scene, on, area);
    return status;
}

static struct comparison compared(void)
{
    struct scene scene = session_scene(&session);
    return comparison_of(&scene);
}

static void draw(int columns, int rows)
{
    struct scene scene = session_scene(&session);
    canvas_free(canvas);
    canvas = view_drawn(draw_compare, &scene, columns, rows);
}

#define assert_shows(text) ck_assert_msg(view_shows(canvas, text), "%s", text)

#define assert_number(format, number)                                                              \
    do {                                                                                           \
        char number_[64];                                                                          \
        snprintf(number_, sizeof number_, format, number);                                         \
        assert_shows(number_);                                                                     \
    } while (0)

/* ---- Two sentences ---- */

/* Each is computed as if it were the only one. */
START_TEST(each_sentence_is_by_itself)
{
    static const char *const texts[] = {TIME, FRUIT};
    struct comparison both = compared();
    ck_assert_int_eq(both.kind, COMPARISON_TEXTS);
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        struct encoded *alone;
        struct reading how = {true, false, NULL};
        struct text text = {texts[side], strlen(texts[side])};
        assert_ok(encoded_new(&checkpoint, &text, 1, how, &alone, &error), error);
        assert_ok(
            forward_run(checkpoint.model, NULL, session.precision, NULL, alone->trace, &error),
            error);
        ck_assert_uint_eq(both.trace[side]->tokens, alone->trace->tokens);
        for (size_t layer = 0; layer < 3; layer++)
            ck_assert_mem_eq(both.trace[side]->layer[layer].weights,
                             alone->trace->layer[layer].weights,
                             4 * 7 * 7 * sizeof *alone->trace->layer[layer].weights);
        encoded_free(alone);
    }
}
END_TEST

START_TEST(the_first_common_word_is_charted)
{
    static const int sizes[][2] = {{80, 20}, {120, 36}, {200, 56}};
    struct comparison both = compared();
    struct occurrence words[2] = {{both.trace[0], {2, 3}}, {both.trace[1], {2, 3}}};
    draw(sizes[_i][0], sizes[_i][1]);
    assert_shows("A alone  time flies");
    assert_shows("B alone  fruit flies");
    assert_shows("right less left");
    assert_shows("flies: how alike both are (cosine)");
    for (size_t level = 0; level < 4; level++)
        assert_number("%.3f", cosine_at(&words[0], &words[1], level));
    assert_number("last layer %.3f", cosine_of_last(&words[0], &words[1], COSINE_LAST));
    assert_number("last 3: sum %.3f", cosine_of_last(&words[0], &words[1], COSINE_SUM));
    assert_number("concatenated %.3f", cosine_of_last(&words[0], &words[1], COSINE_CONCATENATION));
}
END_TEST

/* The same word is chosen on both sides, whichever side it is chosen on. */
START_TEST(a_word_is_chosen_on_both_sides)
{
    static const size_t chosen[] = {3, 9}; /* like₁ and like₂ of the pair */
    session.state.look.from = chosen[_i];
    struct comparison both = compared();
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        ck_assert(both.is_there[side]);
        ck_assert_uint_eq(both.word[side].first, 3);
    }
    draw(120, 36);
    assert_shows("like: how alike both are");
}
END_TEST

START_TEST(a_word_of_one_side_has_no_cosine)
{
    session.state.look.from = 5;
    draw(120, 36);
    assert_shows("arrow stands only on the left");
    session.state.look.from = 11;
    draw(120, 36);
    assert_shows("banana stands only on the right");
    open_texts("the cat", "time flies");
    draw(120, 36);
    assert_shows("no word stands on both sides");
}
END_TEST

/* Of the pair's tokens each is a token of one side; [CLS] of both. */
START_TEST(tokens_of_the_pair_have_their_places)
{
    struct comparison both = compared();
    for (size_t shown = 0; shown < 13; shown++) {
        size_t left = comparison_place(&both, SIDE_LEFT, shown);
        size_t right = comparison_place(&both, SIDE_RIGHT, shown);
        ck_assert_uint_eq(left, shown < 7 ? shown : NO_TOKEN);
        ck_assert_uint_eq(right, shown == 0 ? 0 : shown < 7 ? NO_TOKEN : shown - 6);
        if (left != NO_TOKEN)
            ck_assert_uint_eq(comparison_shown(&both, SIDE_LEFT, left), shown);
        if (right != NO_TOKEN)
            ck_assert_uint_eq(comparison_shown(&both, SIDE_RIGHT, right), shown);
    }
    static const size_t twins[] = {0, NO_TOKEN, 2, 3, NO_TOKEN, NO_TOKEN, 6};
    for (size_t right = 0; right < 7; right++)
        ck_assert_uint_eq(comparison_twin(&both, right), twins[right]);
}
END_TEST

START_TEST(a_masked_token_is_masked_in_its_sentence)
{
    session.state.look.from = 8; /* flies₂ */
    type_and_wait("M");
    struct comparison both = compared();
    ck_assert_str_eq(both.tokens[SIDE_LEFT]->labels[2], "flies");
    ck_assert_str_eq(both.tokens[SIDE_RIGHT]->labels[2], "[MASK]");
}
END_TEST

/* Without [CLS] and [SEP] an empty sentence has no tokens of its own. */
START_TEST(an_empty_sentence_is_not_compared)
{
    const struct interventions none = {0};
    const struct text texts[] = {{"", 0}, {FRUIT, strlen(FRUIT)}};
    session_end(&session);
    session_begin(&session, &checkpoint, false, &none);
    assert_ok(session_open(&session, _i ? texts : texts + 1, _i ? 2 : 1, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_int_eq(compared().kind, COMPARISON_WORD);
}
END_TEST

START_TEST(bare_sentences_have_their_places)
{
    const struct interventions none = {0};
    const struct text texts[] = {{TIME, strlen(TIME)}, {FRUIT, strlen(FRUIT)}};
    session_end(&session);
    session_begin(&session, &checkpoint, false, &none);
    assert_ok(session_open(&session, texts, 2, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
    struct comparison both = compared();
    for (size_t shown = 0; shown < 10; shown++) {
        enum side side = shown < 5 ? SIDE_LEFT : SIDE_RIGHT;
        ck_assert_uint_eq(comparison_place(&both, side, shown), shown % 5);
        ck_assert_uint_eq(comparison_shown(&both, side, shown % 5), shown);
        ck_assert_uint_eq(comparison_place(&both, side_other(side), shown), NO_TOKEN);
    }
}
END_TEST

/* ---- Maps ---- */

static float weight_of(const struct comparison *both, enum side side, size_t from, size_t to)
{
    return trace_weight(both->trace[side], session.state.look.layer, session.state.look.head, from,
                        to);
}

/* The chosen cell's number on both sides, and by how much it differs. */
START_TEST(numbers_of_the_chosen_cell_are_the_traces)
{
    for (size_t head = 0; head < 4; head++) {
        session.state.look.head = head;
        session.state.look.layer = head % 3;
        session.state.look.from = 2;
        session.state.look.to = 3;
        struct comparison both = compared();
        float left = weight_of(&both, SIDE_LEFT, 2, 3), right = weight_of(&both, SIDE_RIGHT, 2, 3);
        draw(120, 36);
        assert_number("flies → like %.3f", (double)left);
        assert_number("flies → like %.3f", (double)right);
        assert_number("flies → like %+.3f", (double)(right - left));
    }
}
END_TEST

/* Words that are too long for a panel lose letters, its number none. */
START_TEST(long_words_leave_room_for_the_number)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
    assert_ok(checkpoint_open(&checkpoint, NULL, NULL, &error), error);
    open_texts("supercalifragilistic internationalization",
               "antidisestablishmentarianism internationalization");
    struct comparison both = compared();
    size_t left = both.word[SIDE_LEFT].first, right = both.word[SIDE_RIGHT].first;
    ck_assert(both.is_there[SIDE_LEFT] && both.is_there[SIDE_RIGHT]);
    session.state.look.from = session.state.look.to = left;
    float before = weight_of(&both, SIDE_LEFT, left, left);
    float after = weight_of(&both, SIDE_RIGHT, right, right);
    draw(80, 20);
    assert_number("… %.3f", (double)before);
    assert_number("… %.3f", (double)after);
    assert_number("… %+.3f", (double)(after - before));
}
END_TEST

/* More on the right is blue, less is orange, and where tokens differ there is no colour. */
START_TEST(a_difference_has_two_hues)
{
    struct comparison both = compared();
    size_t cells = 0;
    session.state.look.from = 0;
    draw(120, 36);
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 79; x < canvas->columns; x++) { /* the third panel */
            struct hit hit = canvas_hit(canvas, y, x);
            const struct style *style = &canvas_at(canvas, y, x)->style;
            if (hit.kind != HIT_CELL)
                continue;
            size_t from = comparison_place(&both, SIDE_RIGHT, hit.value / 13);
            size_t to = comparison_place(&both, SIDE_RIGHT, hit.value % 13);
            size_t row = comparison_twin(&both, from), column = comparison_twin(&both, to);
            if (row == NO_TOKEN || column == NO_TOKEN) {
                ck_assert(style->back.level == 0 || style->back.role == ROLE_TEXT);
                continue;
            }
            float differs =
                weight_of(&both, SIDE_RIGHT, from, to) - weight_of(&both, SIDE_LEFT, row, column);
            if (style->back.role == ROLE_TEXT || style->back.level == 0)
                continue; /* next to nothing */
            ck_assert_uint_eq(style->back.role, differs < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
            cells++;
        }
    ck_assert_uint_gt(cells, 20);
}
END_TEST

START_TEST(enter_goes_to_the_heaviest)
{
    struct comparison both = compared();
    size_t best = 0;
    type_and_wait("Down"); /* from the word that is compared */
    ck_assert_uint_eq(session.state.look.from, 3);
    for (size_t to = 0; to < 7; to++)
        if (weight_of(&both, SIDE_LEFT, 3, to) > weight_of(&both, SIDE_LEFT, 3, best))
            best = to;
    type_and_wait("Enter");
    ck_assert_uint_eq(session.state.look.to, best);
    type_and_wait("Enter");
    ck_assert_uint_eq(session.state.look.to, NO_TOKEN);
    type_and_wait("c");
    ck_assert(!session.state.look.listed);
    ck_assert_ptr_nonnull(strstr(session.message, "no list here"));
    session.state.look.from = 9; /* like₂ */
    for (size_t to = best = 0; to < 7; to++)
        if (weight_of(&both, SIDE_RIGHT, 3, to) > weight_of(&both, SIDE_RIGHT, 3, best))
            best = to;
    type_and_wait("Enter");
    ck_assert_uint_eq(session.state.look.to, comparison_shown(&both, SIDE_RIGHT, best));
}
END_TEST

/* What stands at a cell of the right panel is a cell of the pair's second half. */
START_TEST(a_click_chooses_a_token_a_cell_or_a_layer)
{
    bool cell = false, point = false;
    draw(120, 36);
    for (int i = 0; i < canvas->rows * canvas->columns; i++) {
        struct hit hit = canvas->hits[i];
        if (hit.kind == HIT_CELL && hit.value == 8 * 13 + 9) {
            cell = true;
            ck_assert_int_gt(i % canvas->columns, 38);
        }
        point |= hit.kind == HIT_POINT && hit.value == 2;
    }
    ck_assert(cell && point);
    session_click(&session, (struct hit){HIT_CELL, 8 * 13 + 9});
    ck_assert_uint_eq(session.state.look.from, 8);
    ck_assert_uint_eq(session.state.look.to, 9);
    session_click(&session, (struct hit){HIT_POINT, 2});
    ck_assert_uint_eq(session.state.look.layer, 2);
    session_click(&session, (struct hit){HIT_POINT, 99});
    ck_assert_uint_eq(session.state.look.layer, 2);
}
END_TEST

/* ---- A changed network ---- */

START_TEST(a_changed_network_is_compared_with_what_it_was)
{
    size_t size = 4 * 13 * 13;
    float *before = malloc(size * sizeof *before);
    ck_assert_ptr_nonnull(before);
    memcpy(before, session.data.trace->layer[2].weights, size * sizeof *before);
    session.state.source.changes.off[0] = 1;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    session.state.look.layer = 2;
    session.state.look.from = 2;
    session.state.look.to = 8;
    struct comparison both = compared();
    ck_assert_int_eq(both.kind, COMPARISON_CHANGE);
    for (size_t i = 0; i < size; i++)
        ck_assert_float_eq_tol(both.trace[SIDE_LEFT]->layer[2].weights[i], before[i], 1e-6F);
    ck_assert_ptr_eq(both.trace[SIDE_RIGHT], session.data.trace);
    draw(120, 36);
    assert_shows("before");
    assert_shows("changed: 1 head off");
    assert_number("flies₁ → flies₂ %+.3f",
                  (double)(weight_of(&both, SIDE_RIGHT, 2, 8) - weight_of(&both, SIDE_LEFT, 2, 8)));
    session.state.look.layer = 0; /* nothing lies before it */
    draw(120, 36);
    assert_shows("no difference in this head");
    session.state.source.changes.off[0] = 0;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_int_eq(compared().kind, COMPARISON_TEXTS);
    ck_assert_ptr_nonnull(compared().trace[SIDE_LEFT]);
    free(before);
}
END_TEST

/* ---- Two models ---- */

START_TEST(the_same_model_is_the_same)
{
    assert_ok(checkpoint_open(&other, TINY_FOLDER, NULL, &error), error);
    open_texts("the cats sat", NULL);
    struct comparison both = compared();
    struct occurrence words[2];
    ck_assert_int_eq(both.kind, COMPARISON_MODELS);
    ck_assert(comparison_word(&both, words));
    for (size_t level = 0; level < 4; level++)
        ck_assert_double_eq_tol(cosine_at(&words[0], &words[1], level), 1, 1e-6);
    draw(120, 36);
    assert_shows("no difference in this head");
    assert_shows("last layer 1.000");
}
END_TEST

START_TEST(a_shallower_model_is_compared_as_far_as_it_goes)
{
    open_other("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2");
    open_texts("the cats sat", NULL);
    struct comparison both = compared();
    struct occurrence words[2];
    ck_assert(comparison_word(&both, words));
    ck_assert_uint_eq(cosine_levels(&words[0], &words[1]), 3);
    ck_assert_ptr_nonnull(comparison_weights(&both, SIDE_RIGHT, 1, 0));
    session.state.look.layer = 2;
    draw(120, 36);
    assert_shows("no layer 2 here, only 0 to 1");
    assert_number("last 2: sum %.3f", cosine_of_last(&words[0], &words[1], COSINE_SUM));
}
END_TEST

START_TEST(vectors_of_other_sizes_have_no_cosine)
{
    assert_ok(checkpoint_open(&other, NULL, NULL, &error), error);
    open_texts(TIME, NULL);
    draw(120, 36);
    assert_shows("built-in");
    assert_shows("vectors have 32 numbers on the left and 256 on the right");
}
END_TEST

/* Words are matched in their order, and pieces where a word has as many. */
START_TEST(words_that_are_cut_up_otherwise_have_no_twins)
{
    assert_ok(checkpoint_open(&other, NULL, NULL, &error), error);
    open_texts("the cats sat", NULL); /* cat ##s here, cats there */
    struct comparison both = compared();
    static const size_t twins[] = {0, 1, NO_TOKEN, 4, 5};
    ck_assert_uint_eq(both.tokens[SIDE_RIGHT]->count, 5);
    for (size_t right = 0; right < 5; right++)
        ck_assert_uint_eq(comparison_twin(&both, right), twins[right]);
    session.state.look.from = 3; /* ##s */
    both = compared();
    ck_assert_uint_eq(both.word[SIDE_LEFT].first, 2);
    ck_assert_uint_eq(both.word[SIDE_RIGHT].first, 2);
    ck_assert(both.is_there[SIDE_RIGHT]);
}
END_TEST

/* ---- One text ---- */

START_TEST(a_word_that_stands_twice_is_compared_with_itself)
{
    open_texts("the dog bites the man", NULL);
    struct occurrence words[2] = {{session.data.trace, {1, 2}}, {session.data.trace, {4, 5}}};
    ck_assert_int_eq(compared().kind, COMPARISON_WORD);
    ck_assert_ptr_null(session.data.compared);
    draw(120, 36);
    assert_shows("the₁ and the₂");
    assert_number("last layer %.3f", cosine_of_last(&words[0], &words[1], COSINE_LAST));
    assert_shows("What else can be compared");
    ck_assert(!view_shows(canvas, "a text with a word twice"));
    assert_shows("the₁ → ");
    type_and_wait("Down");
    draw(120, 36);
    ck_assert(!view_shows(canvas, "a text with a word twice"));
    assert_shows("dog stands only once here");
}
END_TEST

START_TEST(without_anything_to_compare_it_says_what_can_be)
{
    static const int sizes[][2] = {{80, 20}, {120, 36}};
    open_texts("time flies", NULL);
    draw(sizes[_i][0], sizes[_i][1]);
    assert_shows("What can be compared");
    assert_shows("a second sentence");
    assert_shows("a text with a word twice");
    assert_shows("--against DIR");
    assert_shows("headlight --view compare");
    assert_shows("\"fruit flies like a banana\"");
}
END_TEST

/* ---- Recordings ---- */

static void add(struct parts *parts, const char *name, size_t a, size_t b, size_t c)
{
    const size_t shape[] = {a, b, c, 0};
    struct part *part = parts_add(parts, name, "F32", shape);
    for (size_t i = 0; i < part->size / sizeof(float); i++) {
        float number = (float)(i % 7) / 10;
        memcpy(part->data + i * sizeof number, &number, sizeof number);
    }
}

/* Cross-attention has other columns than rows, and a word can stand twice among the rows. */
START_TEST(a_recording_is_compared_with_itself)
{
    static const char metadata[] = "{\"tokens\":\"[\\\"ein\\\",\\\"ein\\\"]\",\"model\":\"t5\","
                                   "\"tokens_right\":\"[\\\"a\\\",\\\"house\\\",\\\"</s>\\\"]\"}";
    struct parts parts = {.metadata = metadata};
    struct recording *recording;
    struct folder folder;
    folder_make(&folder);
    add(&parts, "layer.0.weights", 1, 2, 3);
    if (_i)
        add(&parts, "layer.0.output", 2, 4, 0);
    parts_write(&parts, 0, parts.count, 0, &folder, "in.safetensors");
    char *path = in_folder(&folder, "in.safetensors");
    assert_ok(recording_open(path, &recording, &error), error);
    session_end(&session);
    assert_ok(session_begin_recording(&session, recording, &error), error);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
    session.state.look.to = 2; /* beyond the rows */
    draw(120, 36);
    assert_shows("t5");
    assert_shows("house");
    assert_shows("ein₁ → </s> 0.200");
    ck_assert(!view_shows(canvas, "What"));
    assert_shows(_i ? "ein₁ and ein₂" : "no vectors were recorded");
    type_and_wait("Enter Down Enter");
    struct scene scene = session_scene(&session);
    view_check_inside(draw_compare, &scene, 80, 20, 0);
    session_end(&session);
    recording_close(recording);
    parts_free(&parts);
    folder_remove(&folder);
    free(path);
}
END_TEST

/* A chart that no vectors can make leaves its rows to the maps. */
START_TEST(maps_take_the_rows_of_a_chart_that_can_never_be)
{
    static const char metadata[] = "{\"tokens\":\"[\\\"a\\\",\\\"b\\\",\\\"a\\\",\\\"c\\\","
                                   "\\\"d\\\",\\\"e\\\",\\\"f\\\",\\\"g\\\",\\\"h\\\","
                                   "\\\"i\\\",\\\"j\\\",\\\"k\\\",\\\"l\\\"]\"}";
    struct parts parts = {.metadata = metadata};
    struct recording *recording;
    struct folder folder;
    folder_make(&folder);
    add(&parts, "layer.0.weights", 1, 13, 13);
    parts_write(&parts, 0, parts.count, 0, &folder, "in.safetensors");
    char *path = in_folder(&folder, "in.safetensors");
    assert_ok(recording_open(path, &recording, &error), error);
    session_end(&session);
    assert_ok(session_begin_recording(&session, recording, &error), error);
    session_set_view(&session, VIEW_COMPARE);
    draw(80, 20);
    bool seen = false;
    for (int i = 0; i < canvas->rows * canvas->columns; i++)
        seen |= canvas->hits[i].kind == HIT_FROM && canvas->hits[i].value == 12;
    ck_assert(seen);
    assert_shows("no vectors were recorded");
    session_end(&session);
    recording_close(recording);
    parts_free(&parts);
    folder_remove(&folder);
    free(path);
}
END_TEST

/* ---- What is computed when ---- */

static enum request_kind asked(void)
{
    struct request request;
    assert_ok(request_besides(&session, &request, &error), error);
    enum request_kind kind = request.kind;
    request_drop(&request);
    return kind;
}

START_TEST(it_is_computed_while_it_is_shown)
{
    session.attended = true;
    ck_assert_int_eq(asked(), REQUEST_NONE); /* it is there */
    session_set_view(&session, VIEW_HEAD);
    derive_compared(&session.data, NULL);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    session_set_view(&session, VIEW_COMPARE);
    ck_assert_int_eq(asked(), REQUEST_COMPARE);
    draw(120, 36);
    assert_shows("…");
    ck_assert(!view_shows(canvas, "right less left"));
    type_and_wait("e \" cat\" Enter");
    ck_assert_int_eq(asked(), REQUEST_NONE);
    struct comparison both = compared();
    ck_assert_str_eq(both.tokens[SIDE_LEFT]->labels[6], "cat");
    type_and_wait("u");
    both = compared();
    ck_assert_str_eq(both.tokens[SIDE_LEFT]->labels[6], "[SEP]");
}
END_TEST

START_TEST(an_error_is_said_and_not_asked_for_again)
{
    derive_compared(&session.data, NULL);
    error_set(&error, STATUS_MEMORY, "not enough memory for the comparison");
    request_fail(&session, REQUEST_COMPARE, &error);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    input_key(&session, KEY_CODE_DOWN);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    draw(80, 20);
    assert_shows("not enough memory for the comparison");
    type_and_wait("e \" cat\" Enter"); /* another text may be another matter */
    ck_assert_ptr_nonnull(session.data.compared);
    derive_compared(&session.data, NULL);
    error_set(&error, STATUS_CANCELLED, "cancelled");
    request_fail(&session, REQUEST_COMPARE, &error);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    draw(80, 20);
    assert_shows("cancelled");
    session.attended = true;
    input_key(&session, KEY_CODE_DOWN); /* somebody wants to see more */
    input_key(&session, KEY_CODE_DOWN);
    ck_assert_int_eq(asked(), REQUEST_COMPARE);
}
END_TEST

START_TEST(a_text_too_long_for_the_other_model_is_said)
{
    char text[800] = "";
    struct request request;
    session_end(&session);
    checkpoint_close(&checkpoint);
    assert_ok(checkpoint_open(&checkpoint, NULL, NULL, &error), error);
    assert_ok(checkpoint_open(&other, TINY_FOLDER, NULL, &error), error);
    for (int i = 0; i < 80; i++)
        strcat(text, "time ");
    open_texts("time", NULL);
    session.attended = true;
    const struct text long_text = {text, strlen(text)};
    assert_ok(session_open(&session, &long_text, 1, &error), error);
    assert_ok(session_compute(&session, NULL, &error), error);
    ck_assert_int_eq(request_besides(&session, &request, &error), STATUS_LIMIT);
    ck_assert_int_eq(request.kind, REQUEST_COMPARE);
    request_fail(&session, request.kind, &error);
    request_drop(&request);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    draw(120, 36);
    assert_shows(error.message);
}
END_TEST

/* Before the pass there are tokens to walk, and nothing to compare. */
START_TEST(keys_work_before_there_is_a_trace)
{
    const struct text text = {TIME, strlen(TIME)};
    session.attended = true;
    assert_ok(session_open(&session, &text, 1, &error), error);
    ck_assert_ptr_null(session.data.trace);
    input_key(&session, '#');
    input_key(&session, KEY_CODE_DOWN);
    input_key(&session, KEY_CODE_ENTER);
    ck_assert_int_eq(asked(), REQUEST_NONE);
}
END_TEST

/* ---- Without memory ---- */

static void forget(void)
{
    derive_compared(&session.data, NULL);
}

static enum status compare_again(struct error *failure)
{
    return request_rest(&session, failure);
}

static void check_nothing(void)
{
    ck_assert_ptr_null(session.data.compared);
}

START_TEST(without_memory_it_says_so)
{
    if (_i) {
        assert_ok(checkpoint_open(&other, TINY_FOLDER, NULL, &error), error);
        open_texts(TIME, FRUIT);
    }
    faults_try(&(struct trial){
        .name = "compare", .begin = forget, .act = compare_again, .check_failed = check_nothing});
    ck_assert_ptr_nonnull(session.data.compared);
}
END_TEST

/* ---- Drawing ---- */

START_TEST(nothing_is_drawn_outside)
{
    static const char *const seconds[] = {FRUIT, NULL};
    open_texts(TIME, seconds[_i]);
    struct scene scene = session_scene(&session);
    for (int columns = 40; columns <= 200; columns += 7)
        for (int rows = 5; rows <= 60; rows += 3)
            view_check_inside(draw_compare, &scene, columns, rows, 0);
    view_check_inside_as(draw_compare, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
}
END_TEST

/* The chosen token stays in sight. */
START_TEST(a_long_text_scrolls)
{
    char text[300] = "";
    for (int i = 0; i < 28; i++)
        strcat(text, i % 3 ? "time " : "arrow ");
    open_texts(text, "fruit flies");
    for (size_t token = 0; token < 30; token += 4) {
        bool seen = false;
        session.state.look.from = token;
        draw(80, 20);
        for (int i = 0; i < canvas->rows * canvas->columns; i++)
            seen |= canvas->hits[i].kind == HIT_FROM && canvas->hits[i].value == token;
        ck_assert_msg(seen, "%zu", token);
    }
}
END_TEST

Suite *suite_view_compare(void)
{
    Suite *suite = suite_create("view/compare");
    TCase *tests = tcase_create("compare");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, each_sentence_is_by_itself);
    tcase_add_loop_test(tests, the_first_common_word_is_charted, 0, 3);
    tcase_add_loop_test(tests, a_word_is_chosen_on_both_sides, 0, 2);
    tcase_add_test(tests, a_word_of_one_side_has_no_cosine);
    tcase_add_test(tests, tokens_of_the_pair_have_their_places);
    tcase_add_test(tests, a_masked_token_is_masked_in_its_sentence);
    tcase_add_loop_test(tests, an_empty_sentence_is_not_compared, 0, 2);
    tcase_add_test(tests, bare_sentences_have_their_places);
    tcase_add_test(tests, numbers_of_the_chosen_cell_are_the_traces);
    tcase_add_test(tests, long_words_leave_room_for_the_number);
    tcase_add_test(tests, a_difference_has_two_hues);
    tcase_add_test(tests, enter_goes_to_the_heaviest);
    tcase_add_test(tests, a_click_chooses_a_token_a_cell_or_a_layer);
    tcase_add_test(tests, a_changed_network_is_compared_with_what_it_was);
    tcase_add_test(tests, the_same_model_is_the_same);
    tcase_add_test(tests, a_shallower_model_is_compared_as_far_as_it_goes);
    tcase_add_test(tests, vectors_of_other_sizes_have_no_cosine);
    tcase_add_test(tests, words_that_are_cut_up_otherwise_have_no_twins);
    tcase_add_test(tests, a_word_that_stands_twice_is_compared_with_itself);
    tcase_add_loop_test(tests, without_anything_to_compare_it_says_what_can_be, 0, 2);
    tcase_add_loop_test(tests, a_recording_is_compared_with_itself, 0, 2);
    tcase_add_test(tests, maps_take_the_rows_of_a_chart_that_can_never_be);
    tcase_add_test(tests, it_is_computed_while_it_is_shown);
    tcase_add_test(tests, an_error_is_said_and_not_asked_for_again);
    tcase_add_test(tests, a_text_too_long_for_the_other_model_is_said);
    tcase_add_test(tests, keys_work_before_there_is_a_trace);
    if (faults_work())
        tcase_add_loop_test(tests, without_memory_it_says_so, 0, 2);
    tcase_add_loop_test(tests, nothing_is_drawn_outside, 0, 2);
    tcase_add_test(tests, a_long_text_scrolls);
    suite_add_tcase(suite, tests);
    return suite;
}
