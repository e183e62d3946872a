/* The compare view: what it sets side by side, and the numbers it draws. */
#include "compare_helpers.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

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
    assert_ok(checkpoint_open(&compare_other, folder.path, NULL, NULL, &error), error);
    folder_remove(&folder);
    free(text);
    free(path);
}

#define assert_number(format, number)                                                              \
    do {                                                                                           \
        char number_[64];                                                                          \
        snprintf(number_, sizeof number_, format, number);                                         \
        assert_shows(number_);                                                                     \
    } while (0)

/* ---- Two sentences ---- */

/* Each is computed as if it were the only one. */
TESTS(.base = &compare_tests);

TEST(each_sentence_is_by_itself)
{
    static const char *const texts[] = {TIME, FRUIT};
    struct comparison both = compare_now();
    ck_assert_int_eq(both.kind, COMPARISON_TEXTS);
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        struct encoded *alone;
        struct reading how = {.special = true};
        struct text text = {texts[side], strlen(texts[side])};
        assert_ok(encoded_new(&compare_model, &text, 1, how, &alone, &error), error);
        assert_ok(forward_run(compare_model.model, NULL, NULL, alone->trace, &error), error);
        ck_assert_uint_eq(both.trace[side]->tokens, alone->trace->tokens);
        for (size_t layer = 0; layer < 3; layer++)
            ck_assert_mem_eq(both.trace[side]->layer[layer].weights,
                             alone->trace->layer[layer].weights,
                             4 * 7 * 7 * sizeof *alone->trace->layer[layer].weights);
        encoded_free(alone);
    }
}

TEST(the_first_common_word_is_charted, .times = 3)
{
    static const int sizes[][2] = {{80, 20}, {120, 36}, {200, 56}};
    struct comparison both = compare_now();
    struct occurrence words[2] = {{both.trace[0], {2, 3}}, {both.trace[1], {2, 3}}};
    compare_draw(sizes[_i][0], sizes[_i][1]);
    assert_shows("A alone  time flies");
    assert_shows("B alone  fruit flies");
    assert_shows("B − A");
    assert_shows("flies: how alike both are (cosine)");
    for (size_t level = 0; level < 4; level++)
        assert_number("%.3f", cosine_at(&words[0], &words[1], level));
    assert_number("last layer %.3f", cosine_of_last(&words[0], &words[1], COSINE_LAST));
    assert_number("last 3: sum %.3f", cosine_of_last(&words[0], &words[1], COSINE_SUM));
    assert_number("concatenated %.3f", cosine_of_last(&words[0], &words[1], COSINE_CONCATENATION));
}

/* The same word is chosen on both sides, whichever side it is chosen on. */
TEST(a_word_is_chosen_on_both_sides, .times = 2)
{
    static const size_t chosen[] = {3, 9}; /* like₁ and like₂ of the pair */
    session.state.look.from = chosen[_i];
    struct comparison both = compare_now();
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        ck_assert(both.is_there[side]);
        ck_assert_uint_eq(both.word[side].first, 3);
    }
    compare_draw(120, 36);
    assert_shows("like: how alike both are");
}

TEST(a_word_of_one_side_has_no_cosine)
{
    session.state.look.from = 5;
    compare_draw(120, 36);
    assert_shows("arrow stands only on the left");
    session.state.look.from = 11;
    compare_draw(120, 36);
    assert_shows("banana stands only on the right");
    compare_open("the cat", "time flies");
    compare_draw(120, 36);
    assert_shows("no word stands on both sides");
}

/* Of the pair's tokens each is a token of one side; [CLS] of both. */
TEST(tokens_of_the_pair_have_their_places)
{
    struct comparison both = compare_now();
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

TEST(a_masked_token_is_masked_in_its_sentence)
{
    session.state.look.from = 8; /* flies₂ */
    type_and_wait("M");
    struct comparison both = compare_now();
    ck_assert_str_eq(both.tokens[SIDE_LEFT]->labels[2], "flies");
    ck_assert_str_eq(both.tokens[SIDE_RIGHT]->labels[2], "[MASK]");
}

/* Without [CLS] and [SEP] an empty sentence has no tokens of its own. */
TEST(an_empty_sentence_is_not_compared, .times = 2)
{
    const struct interventions none = {0};
    const struct text texts[] = {{"", 0}, {FRUIT, strlen(FRUIT)}};
    session_end(&session);
    session_begin(&session, &compare_model, false, &none);
    assert_ok(session_open(&session, _i ? texts : texts + 1, _i ? 2 : 1, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_int_eq(compare_now().kind, COMPARISON_WORD);
}

TEST(bare_sentences_have_their_places)
{
    const struct interventions none = {0};
    const struct text texts[] = {{TIME, strlen(TIME)}, {FRUIT, strlen(FRUIT)}};
    session_end(&session);
    session_begin(&session, &compare_model, false, &none);
    assert_ok(session_open(&session, texts, 2, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
    struct comparison both = compare_now();
    for (size_t shown = 0; shown < 10; shown++) {
        enum side side = shown < 5 ? SIDE_LEFT : SIDE_RIGHT;
        ck_assert_uint_eq(comparison_place(&both, side, shown), shown % 5);
        ck_assert_uint_eq(comparison_shown(&both, side, shown % 5), shown);
        ck_assert_uint_eq(comparison_place(&both, side_other(side), shown), NO_TOKEN);
    }
}

/* ---- Maps ---- */

static float weight_of(const struct comparison *both, enum side side, size_t from, size_t to)
{
    return trace_weight(both->trace[side], session.state.look.layer, session.state.look.head, from,
                        to);
}

/* The chosen cell's number on both sides, and by how much it differs. */
TEST(numbers_of_the_chosen_cell_are_the_traces)
{
    for (size_t head = 0; head < 4; head++) {
        session.state.look.head = head;
        session.state.look.layer = head % 3;
        session.state.look.from = 2;
        session.state.look.to = 3;
        struct comparison both = compare_now();
        float left = weight_of(&both, SIDE_LEFT, 2, 3), right = weight_of(&both, SIDE_RIGHT, 2, 3);
        compare_draw(120, 36);
        assert_number("flies → like %.3f", (double)left);
        assert_number("flies → like %.3f", (double)right);
        assert_number("flies → like %+.3f", (double)(right - left));
    }
}

/* Words that are too long for a panel lose letters, its number none. */
TEST(long_words_leave_room_for_the_number)
{
    session_end(&session);
    checkpoint_close(&compare_model);
    assert_ok(checkpoint_open(&compare_model, NULL, NULL, NULL, &error), error);
    compare_open("supercalifragilistic internationalization",
                 "antidisestablishmentarianism internationalization");
    struct comparison both = compare_now();
    size_t left = both.word[SIDE_LEFT].first, right = both.word[SIDE_RIGHT].first;
    ck_assert(both.is_there[SIDE_LEFT] && both.is_there[SIDE_RIGHT]);
    session.state.look.from = session.state.look.to = left;
    float before = weight_of(&both, SIDE_LEFT, left, left);
    float after = weight_of(&both, SIDE_RIGHT, right, right);
    compare_draw(80, 20);
    assert_number("… %.3f", (double)before);
    assert_number("… %.3f", (double)after);
    assert_number("… %+.3f", (double)(after - before));
}

/* More on the right is blue, less is orange, and where tokens differ there is no colour. */
/* What is the same in both would tell nothing of them. */
TEST(titles_without_room_begin_where_the_texts_differ)
{
    const struct text texts[] = {{"time flies like an arrow", 24},
                                 {"time flies like a banana", 24}};
    assert_ok(session_open(&session, texts, 2, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
    compare_draw(80, 20);
    assert_shows("A alone  …like an arrow");
    assert_shows("B alone  …like a banana");
}

/* Full shades would say that much has changed. */
TEST(small_differences_are_pale)
{
    struct compare compare = {.difference = 0.01F};
    ck_assert_float_eq(compare_scale(&compare), 0.1F);
    compare.difference = 0.3F;
    ck_assert_float_eq(compare_scale(&compare), 0.3F);
}

TEST(a_difference_has_two_hues)
{
    struct comparison both = compare_now();
    size_t cells = 0;
    session.state.look.from = 0;
    compare_draw(120, 36);
    for (int y = 0; y < compare_canvas->rows; y++)
        for (int x = 79; x < compare_canvas->columns; x++) { /* the third panel */
            struct hit hit = canvas_hit(compare_canvas, y, x);
            const struct style *style = &canvas_at(compare_canvas, y, x)->style;
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

TEST(enter_goes_to_the_heaviest)
{
    struct comparison both = compare_now();
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

/* What stands at a cell of the right panel is a cell of the pair's second half. */
TEST(a_click_chooses_a_token_a_cell_or_a_layer)
{
    bool cell = false, point = false;
    compare_draw(120, 36);
    for (int i = 0; i < compare_canvas->rows * compare_canvas->columns; i++) {
        struct hit hit = compare_canvas->hits[i];
        if (hit.kind == HIT_CELL && hit.value == 8 * 13 + 9) {
            cell = true;
            ck_assert_int_gt(i % compare_canvas->columns, 38);
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

/* ---- A changed network ---- */

TEST(a_changed_network_is_compared_with_what_it_was)
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
    struct comparison both = compare_now();
    ck_assert_int_eq(both.kind, COMPARISON_CHANGE);
    for (size_t i = 0; i < size; i++)
        ck_assert_float_eq_tol(both.trace[SIDE_LEFT]->layer[2].weights[i], before[i], 1e-6F);
    ck_assert_ptr_eq(both.trace[SIDE_RIGHT], session.data.trace);
    compare_draw(120, 36);
    assert_shows("before");
    assert_shows("changed: 1 head off");
    assert_number("flies₁ → flies₂ %+.3f",
                  (double)(weight_of(&both, SIDE_RIGHT, 2, 8) - weight_of(&both, SIDE_LEFT, 2, 8)));
    session.state.look.layer = 0; /* nothing lies before it */
    compare_draw(120, 36);
    assert_shows("no difference in this head");
    session.state.source.changes.off[0] = 0;
    assert_ok(request_settle(&session, &error), error);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_int_eq(compare_now().kind, COMPARISON_TEXTS);
    ck_assert_ptr_nonnull(compare_now().trace[SIDE_LEFT]);
    free(before);
}

/* ---- Two models ---- */

TEST(the_same_model_is_the_same)
{
    assert_ok(checkpoint_open(&compare_other, TINY_FOLDER, NULL, NULL, &error), error);
    compare_open("the cats sat", NULL);
    struct comparison both = compare_now();
    struct occurrence words[2];
    ck_assert_int_eq(both.kind, COMPARISON_MODELS);
    ck_assert(comparison_word(&both, words));
    for (size_t level = 0; level < 4; level++)
        ck_assert_double_eq_tol(cosine_at(&words[0], &words[1], level), 1, 1e-6);
    compare_draw(120, 36);
    assert_shows("no difference in this head");
    assert_shows("last layer 1.000");
}

TEST(a_shallower_model_is_compared_at_the_same_depth)
{
    open_other("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2");
    compare_open("the cats sat", NULL);
    struct comparison both = compare_now();
    struct occurrence words[2];
    ck_assert(comparison_word(&both, words));
    ck_assert_uint_eq(cosine_levels(&words[0], &words[1]), 3);
    static const size_t levels[] = {0, 1, 1, 2}; /* ⅓ and ⅔ are nearer to ½ than to 0 and 1 */
    for (size_t level = 0; level < 4; level++)
        ck_assert_uint_eq(comparison_level(&both, SIDE_RIGHT, level), levels[level]);
    for (size_t layer = 0; layer < 3; layer++)
        ck_assert_ptr_eq(comparison_weights(&both, SIDE_RIGHT, layer, 0),
                         both.trace[SIDE_RIGHT]->layer[levels[layer + 1] - 1].weights);
    session.state.look.layer = 2;
    compare_draw(120, 36);
    assert_shows("  layer 1 of 0–1");
    assert_number("%.3f", cosine_between(&words[0], 2, &words[1], 1));
    assert_number("%.3f", cosine_between(&words[0], 3, &words[1], 2));
    assert_number("last 2: sum %.3f", cosine_of_last(&words[0], &words[1], COSINE_SUM));
}

TEST(vectors_of_other_sizes_have_no_cosine)
{
    assert_ok(checkpoint_open(&compare_other, NULL, NULL, NULL, &error), error);
    compare_open(TIME, NULL);
    compare_draw(120, 36);
    assert_shows("built-in");
    assert_shows("vectors have 32 numbers on the left and 256 on the right");
}

/* Words are matched in their order, and pieces where a word has as many. */
TEST(words_that_are_cut_up_otherwise_have_no_twins)
{
    assert_ok(checkpoint_open(&compare_other, NULL, NULL, NULL, &error), error);
    compare_open("the cats sat", NULL); /* cat ##s here, cats there */
    struct comparison both = compare_now();
    static const size_t twins[] = {0, 1, NO_TOKEN, 4, 5};
    ck_assert_uint_eq(both.tokens[SIDE_RIGHT]->count, 5);
    for (size_t right = 0; right < 5; right++)
        ck_assert_uint_eq(comparison_twin(&both, right), twins[right]);
    session.state.look.from = 3; /* ##s */
    both = compare_now();
    ck_assert_uint_eq(both.word[SIDE_LEFT].first, 2);
    ck_assert_uint_eq(both.word[SIDE_RIGHT].first, 2);
    ck_assert(both.is_there[SIDE_RIGHT]);
}

/* ---- One text ---- */

TEST(a_word_that_stands_twice_is_compared_with_itself)
{
    compare_open("the dog bites the man", NULL);
    struct occurrence words[2] = {{session.data.trace, {1, 2}}, {session.data.trace, {4, 5}}};
    ck_assert_int_eq(compare_now().kind, COMPARISON_WORD);
    ck_assert_ptr_null(session.data.compared);
    compare_draw(120, 36);
    assert_shows("the₁ and the₂");
    assert_number("last layer %.3f", cosine_of_last(&words[0], &words[1], COSINE_LAST));
    assert_shows("What else can be compared");
    ck_assert(!view_shows(compare_canvas, "a text with a word twice"));
    assert_shows("the₁ → ");
    type_and_wait("Down");
    compare_draw(120, 36);
    ck_assert(!view_shows(compare_canvas, "a text with a word twice"));
    assert_shows("dog stands only once here");
}

TEST(without_anything_to_compare_it_says_what_can_be, .times = 2)
{
    static const int sizes[][2] = {{80, 20}, {120, 36}};
    compare_open("time flies", NULL);
    compare_draw(sizes[_i][0], sizes[_i][1]);
    assert_shows("What can be compared");
    assert_shows("a second sentence");
    assert_shows("a text with a word twice");
    assert_shows("--against DIR");
    assert_shows("headlight --view compare");
    assert_shows("\"fruit flies like a banana\"");
}

/* ---- Drawing ---- */

TEST(nothing_is_drawn_outside, .times = 2)
{
    static const char *const seconds[] = {FRUIT, NULL};
    compare_open(TIME, seconds[_i]);
    struct scene scene = session_scene(&session);
    for (int columns = 40; columns <= 200; columns += 7)
        for (int rows = 5; rows <= 60; rows += 3)
            view_check_inside(draw_compared, &scene, columns, rows, 0);
    view_check_inside_as(draw_compared, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
}

/* The chosen token stays in sight. */
TEST(a_long_text_scrolls)
{
    char text[300] = "";
    for (int i = 0; i < 28; i++)
        strcat(text, i % 3 ? "time " : "arrow ");
    compare_open(text, "fruit flies");
    for (size_t token = 0; token < 30; token += 4) {
        bool seen = false;
        session.state.look.from = token;
        compare_draw(80, 20);
        for (int i = 0; i < compare_canvas->rows * compare_canvas->columns; i++)
            seen |=
                compare_canvas->hits[i].kind == HIT_FROM && compare_canvas->hits[i].value == token;
        ck_assert_msg(seen, "%zu", token);
    }
}
