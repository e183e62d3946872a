/* check_survey_heads.c: what a survey adds up of one head of one text, by hand and against the
 * metrics of that text; and what happens when sums, memory or texts are too many. */
#include "faults.h"
#include "model_helpers.h"
#include "numbers.h"
#include "suites.h"
#include "survey_helpers.h"

#include "headlight/lens/metrics.h"
#include "headlight/model/encoded.h"
#include "headlight/survey/arrays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The head whose weights tests give. */
#define LAYER ((size_t)1)
#define HEAD  ((size_t)2)

static struct error error;
static struct checkpoint tiny;

static void begin(void)
{
    assert_ok(checkpoint_open(&tiny, TINY_FOLDER, NULL, &error), error);
}

static void end(void)
{
    checkpoint_close(&tiny);
}

TESTS(.begin = begin, .end = end);

/* Adds a text with the weights of one head [T,T], or NULL: each row spread evenly. */
static enum status add_weights(struct survey *survey, const struct corpus_text *text,
                               const float *weights, struct error *failure)
{
    struct encoding *encoding;
    struct survey_prepared *prepared;
    if (tokenizer_encode(tiny.tokenizer, text->texts, text->text_count, true, &encoding, failure) !=
        STATUS_OK)
        return failure->status;
    const size_t T = encoding->count;
    static float even[64 * 64];
    for (size_t i = 0; i < T * T; i++)
        even[i] = 1.0F / (float)T;
    if (survey_prepare(survey, 0, text, tiny.tokenizer, encoding, &prepared, failure) ==
        STATUS_OK) {
        survey_add_head(survey, prepared, LAYER, HEAD, weights ? weights : even);
        survey_finish(survey, prepared, failure);
    }
    free(encoding);
    return failure->status;
}

static struct survey *add_by_hand(const struct corpus_text *text, const float *weights)
{
    struct survey *survey = survey_begin(&tiny, "hand.txt", 0, 1);
    error.status = STATUS_OK;
    assert_ok(add_weights(survey, text, weights, &error), error);
    return survey;
}

static size_t place(const struct survey *survey)
{
    return LAYER * survey->heads + HEAD;
}

static double sum_of(const struct survey *survey, enum survey_figure figure)
{
    return (double)survey->figures[figure].sum[place(survey)] / SURVEY_UNIT;
}

static const struct survey_examples *examples_of(const struct survey *survey)
{
    return &survey->examples[place(survey)];
}

static const struct survey_piece *piece_named(const struct survey *survey, const char *name)
{
    for (size_t n = 0; n < survey->piece_count; n++)
        if (strcmp(survey->pieces[n].name, name) == 0)
            return &survey->pieces[n];
    ck_abort_msg("%s", name);
}

/* ---- By hand ------------------------------------------------------------------------------- */

/* [CLS] the cat the [SEP]: the second "the" looks back at the first and at what followed it. */
static const float repeating[] = {
    0.2F, 0.2F,  0.2F, 0.2F,  0.2F, /* [CLS] */
    0,    0.5F,  0,    0.5F,  0,    /* the: half of it on the later one */
    0,    0,     1,    0,     0,    /* cat */
    0,    0.25F, 0.5F, 0.25F, 0,    /* the */
    0,    0,     0,    0,     1,    /* [SEP] */
};

static struct corpus_text one_text(const char *words)
{
    return (struct corpus_text){
        .id = "one", .texts = {text_of_string(words)}, .text_count = 1, .hash = 7};
}

TEST(words_that_repeat_are_found_again)
{
    const struct corpus_text text = one_text("the cat the");
    struct survey *survey = add_by_hand(&text, repeating);
    ck_assert_int_eq(survey->figures[SURVEY_SAME].rows, 2);
    ck_assert_double_eq_tol(sum_of(survey, SURVEY_SAME), 0.75, 1e-6);
    ck_assert_double_eq_tol(sum_of(survey, SURVEY_MAXIMUM), 0.2 + 0.5 + 1 + 0.5 + 1, 1e-6);
    ck_assert_double_eq_tol(sum_of(survey, SURVEY_ENTROPY), log2(5) + 1 + 1.5, 1e-6);
    const struct survey_examples *examples = examples_of(survey);
    ck_assert_int_eq(examples->strongest[0].from, 0); /* of equal ones the first */
    ck_assert_int_eq(examples->strongest[0].to, 2);
    ck_assert_int_eq(examples->strongest[0].weight, SURVEY_UNIT / 2);
    ck_assert_int_eq(examples->deciles[5], 1);
    ck_assert_int_eq(examples->strongest[1].weight, 0);
    ck_assert_str_eq(survey->kept[examples->uniform[5][0].text].words, "the cat the");
    survey_free(survey);
}

/* What followed an earlier occurrence, unless it is the token just before: that is no induction. */
TEST(induction_is_not_of_the_token_before)
{
    static const float copying[6 * 6] = {[4 * 6 + 2] = 0.25F, [4 * 6 + 3] = 0.5F};
    const struct corpus_text text = one_text("the cat cat the"), run = one_text("the the the");
    const float before[] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0,
                            0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    struct survey *survey = add_by_hand(&text, copying);
    ck_assert_int_eq(survey->figures[SURVEY_INDUCTION].rows, 1);
    ck_assert_double_eq_tol(sum_of(survey, SURVEY_INDUCTION), 0.25, 1e-6);
    survey_free(survey);
    survey = add_by_hand(&run, before);
    ck_assert_int_eq(survey->figures[SURVEY_INDUCTION].rows, 0);
    ck_assert_double_eq_tol(sum_of(survey, SURVEY_INDUCTION), 0, 1e-6);
    survey_free(survey);
}

TEST(rows_pieces_and_squares_are_counted)
{
    static const int64_t maxima[SURVEY_BINS] = {[4] = 1, [10] = 2, [19] = 2};
    static const int64_t entropies[SURVEY_BINS] = {[0] = 2, [2] = 1, [3] = 1, [4] = 1};
    const struct corpus_text text = one_text("the cat the");
    struct survey *survey = add_by_hand(&text, repeating);
    const size_t at = place(survey);
    const struct survey_piece *the = piece_named(survey, "the"), *cat = piece_named(survey, "cat");
    ck_assert_mem_eq(survey->maxima + at * SURVEY_BINS, maxima, sizeof maxima);
    ck_assert_mem_eq(survey->entropies + at * SURVEY_BINS, entropies, sizeof entropies);
    ck_assert_int_eq(the->count, 2);
    ck_assert_int_eq(cat->count, 1);
    ck_assert_int_eq(the->from[at], SURVEY_UNIT / 4 * 5);
    ck_assert_int_eq(the->at[at], SURVEY_UNIT / 4 * 3);
    ck_assert_int_eq(cat->from[at], 0); /* only at itself */
    ck_assert_int_eq(cat->at[at], SURVEY_UNIT / 2);
    const struct survey_figure_sums *same = &survey->figures[SURVEY_SAME];
    ck_assert_int_eq(same->rows_squared, 4);
    ck_assert_int_eq(same->squares[2 * at], 0);
    ck_assert_int_eq(same->squares[2 * at + 1], ((int64_t)9 << (SURVEY_FRACTION - 4)));
    ck_assert_int_eq(same->products[2 * at], 1);
    ck_assert_int_eq(same->products[2 * at + 1], (int64_t)1 << (SURVEY_FRACTION - 1));
    survey_free(survey);
}

/* [CLS] the cat [SEP] the cat [SEP]: the words of the second text follow those of the first. */
TEST(words_of_a_pair_are_numbered_on)
{
    float weights[7 * 7] = {0};
    for (size_t i = 0; i < 7; i++)
        weights[i * 7 + i] = 1;
    weights[4 * 7 + 2] = 0.75F;
    weights[4 * 7 + 4] = 0.25F;
    const struct corpus_text text = {
        .id = "pair", .texts = {text_of_string("the cat"), {"the cat", 7}}, .text_count = 2};
    struct survey *survey = add_by_hand(&text, weights);
    const struct survey_example *example = &examples_of(survey)->strongest[0];
    ck_assert_int_eq(survey->words, 4);
    ck_assert_int_eq(example->from, 2);
    ck_assert_int_eq(example->to, 1);
    ck_assert_int_eq(example->weight, SURVEY_UNIT / 4 * 3);
    ck_assert_str_eq(survey->kept[example->text].words, "the cat\tthe cat");
    survey_free(survey);
}

/* [CLS] the q ##q [SEP]: to a word the sum of its pieces, from a word their mean; and a word that
 * leaves no piece is nobody's. */
TEST(pieces_make_words)
{
    static const float weights[] = {
        1, 0,     0,      0,     0,    /* [CLS] */
        0, 0,     0.125F, 0.25F, 0.5F, /* the */
        0, 0.5F,  0,      0,     0,    /* q */
        0, 0.25F, 0,      0,     0,    /* ##q */
        0, 0,     0,      0,     1,    /* [SEP] */
    };
    const struct corpus_word words[] = {
        {text_of_string("the"), text_of_string("DET"), text_of_string("det"), 2},
        {text_of_string("\u0301"), text_of_string("SYM"), text_of_string("dep"), 0},
        {text_of_string("qq"), text_of_string("NOUN"), text_of_string("root"), NO_WORD}};
    struct corpus_text text = one_text("the \u0301 qq");
    text.words = words;
    text.word_count = 3;
    struct survey *survey = add_by_hand(&text, weights);
    const size_t at = place(survey), heads = survey->layers * survey->heads;
    ck_assert_uint_eq(survey->pos_count, 2); /* DET NOUN */
    ck_assert_int_eq(survey->pos_mass[1 * heads + at], SURVEY_UNIT / 8 * 3);
    ck_assert_int_eq(survey->pos_mass[2 * heads + at], SURVEY_UNIT / 8 * 3);
    ck_assert_uint_eq(survey->relation_count, 1); /* of words without a piece there are none */
    ck_assert_str_eq(survey->relations[0].name, "det");
    ck_assert_int_eq(survey->relations[0].offsets[SURVEY_OFFSETS + 2], 1);
    ck_assert_int_eq(survey->relations[0].dependent[at], 1);
    ck_assert_int_eq(survey->relations[0].head[at], 1);
    survey_free(survey);
}

/* As metrics have it: what overflowed poisons no sum of other texts. */
TEST(what_is_no_number_counts_as_nothing)
{
    const struct corpus_text text = one_text("the cat the");
    float weights[25];
    for (size_t i = 0; i < 25; i++)
        weights[i] = i % 2 ? NAN : -1;
    struct survey *survey = add_by_hand(&text, weights);
    for (size_t f = 0; f < SURVEY_ALWAYS; f++)
        ck_assert_int_eq(survey->figures[f].sum[place(survey)], 0);
    for (size_t b = 0; b < SURVEY_REACH; b++)
        ck_assert_int_eq(survey->reach[place(survey) * SURVEY_REACH + b], 0);
    ck_assert_int_eq(examples_of(survey)->strongest[0].weight, 0);
    survey_free(survey);
}

/* ---- Against the metrics of one text ------------------------------------------------------- */

static const struct pair_of_names {
    enum survey_figure figure;
    enum metric metric;
} alike[] = {{SURVEY_PREVIOUS, METRIC_PREVIOUS}, {SURVEY_NEXT, METRIC_NEXT},
             {SURVEY_SELF, METRIC_SELF},         {SURVEY_FIRST, METRIC_FIRST},
             {SURVEY_ENTROPY, METRIC_ENTROPY},   {SURVEY_SEPARATORS, METRIC_SEPARATORS},
             {SURVEY_SAME, METRIC_SAME},         {SURVEY_DISTANCE, METRIC_DISTANCE},
             {SURVEY_MAXIMUM, METRIC_MAXIMUM}};

static double mean_of(const struct survey *survey, enum survey_figure figure, size_t at)
{
    const struct survey_figure_sums *sums = &survey->figures[figure];
    return (double)sums->sum[at] / SURVEY_UNIT / (double)sums->rows;
}

static void compare_head(const struct survey *survey, const struct encoded *encoded, size_t layer,
                         size_t head)
{
    const struct head_metrics metrics =
        metrics_measure(encoded->trace, layer, head, &encoded->kinds);
    const size_t at = layer * survey->heads + head;
    const int64_t *maxima = survey->maxima + at * SURVEY_BINS;
    int64_t from = 0, to = 0, rows = 0, texts = 0;
    for (size_t i = 0; i < COUNT(alike); i++)
        if (survey->figures[alike[i].figure].rows > 0)
            ck_assert_double_eq_tol(mean_of(survey, alike[i].figure, at),
                                    metric_of(&metrics, alike[i].metric), 1e-7);
    ck_assert_double_eq_tol(mean_of(survey, SURVEY_BROAD, at), metrics.broad, 1e-7);
    for (size_t n = 0; n < survey->piece_count; n++) {
        from += survey->pieces[n].from[at];
        to += survey->pieces[n].at[at];
    }
    ck_assert_int_eq(from, to);
    for (size_t b = 0; b < SURVEY_BINS; b++)
        rows += maxima[b];
    ck_assert_int_eq(rows, survey->tokens);
    for (size_t d = 0; d < SURVEY_DECILES; d++)
        texts += survey->examples[at].deciles[d];
    ck_assert_int_le(texts, 1);
}

/* Of words that come again and again, alone and in pairs. */
TEST(a_survey_of_one_text_has_its_metrics, .times = 20)
{
    static const char *const words[] = {"the", "cat", "mat", "on", "a", ",", "qz", "[MASK]"};
    uint64_t state = (uint64_t)_i;
    char lines[2][100] = {"", ""};
    for (size_t w = 0; w < 12; w++) {
        char *line = lines[_i % 2 && w > 6];
        strcat(line, *line ? " " : "");
        strcat(line, words[random_below(&state, COUNT(words))]);
    }
    const struct corpus_text text = {.id = "random",
                                     .texts = {text_of_string(lines[0]), text_of_string(lines[1])},
                                     .text_count = _i % 2 ? 2 : 1};
    struct survey *survey = survey_begin(&tiny, "random.txt", 0, 1);
    struct encoded *encoded;
    survey_add_text(survey, &tiny, &text);
    assert_ok(encoded_new(&tiny, text.texts, text.text_count, (struct reading){.special = true},
                          &encoded, &error),
              error);
    assert_ok(forward_run(tiny.model, NULL, NULL, encoded->trace, &error), error);
    for (size_t l = 0; l < survey->layers; l++)
        for (size_t a = 0; a < survey->heads; a++)
            compare_head(survey, encoded, l, a);
    encoded_free(encoded);
    survey_free(survey);
}

/* ---- Too much ------------------------------------------------------------------------------ */

TEST(sums_that_would_overflow_say_so)
{
    const struct corpus_text text = one_text("the cat the");
    struct survey *survey = add_by_hand(&text, repeating), *other = add_by_hand(&text, repeating);
    survey->figures[SURVEY_SELF].squares[2 * place(survey)] = INT64_MAX - 1;
    assert_fails(add_weights(survey, &text, repeating, &error), STATUS_LIMIT,
                 "the sums no longer fit 64 bits: survey fewer texts at a time", error);
    survey->bound = (double)INT64_MAX / 4;
    assert_fails(add_weights(survey, &text, repeating, &error), STATUS_LIMIT,
                 "2 texts are as many as the sums have room for", error);
    other->corpora->name[0] = 'b';
    survey->figures[SURVEY_SELF].squares[2 * place(survey)] = INT64_MAX;
    assert_fails(survey_merge(survey, other, &error), STATUS_LIMIT,
                 "the sums no longer fit 64 bits", error);
    survey_free(survey);
    survey_free(other);
}

/* Only texts that examples are of are kept, however many there were. */
TEST(texts_without_examples_are_dropped)
{
    struct survey *survey = survey_begin(&tiny, "many.txt", 0, 1);
    struct corpus_text text = one_text("the cat the");
    survey->kept_at_most = 4;
    for (text.number = 0; text.number < 3000; text.number++) {
        text.hash = text.number * 0x9E3779B97F4A7C15;
        error.status = STATUS_OK;
        assert_ok(add_weights(survey, &text, repeating, &error), error);
    }
    ck_assert_uint_lt(survey->kept_count, 1100);
    assert_ok(survey_sort(survey, &error), error);
    ck_assert_uint_eq(survey->kept_count, SURVEY_STRONGEST + SURVEY_UNIFORM - 1); /* 0 is both */
    for (size_t k = 0; k < SURVEY_STRONGEST; k++)
        ck_assert_uint_eq(survey->kept[k].number, k); /* of equal ones the earlier */
    ck_assert_int_eq(examples_of(survey)->deciles[5], 3000);
    survey_free(survey);
}

static struct survey *one, *two;

/* Windows of a text have its number: their order is that of their words. */
TEST(windows_come_in_one_order)
{
    static const char *const windows[] = {"cat the cat", "the cat the"};
    one = survey_begin(&tiny, "windows.txt", 0, 1);
    two = survey_begin(&tiny, "windows.txt", 0, 1);
    for (size_t w = 0; w < 2; w++) {
        const struct corpus_text first = one_text(windows[w]), second = one_text(windows[1 - w]);
        error.status = STATUS_OK;
        assert_ok(add_weights(one, &first, NULL, &error), error);
        assert_ok(add_weights(two, &second, NULL, &error), error);
    }
    assert_ok(survey_sort(one, &error), error);
    assert_ok(survey_sort(two, &error), error);
    for (size_t k = 0; k < 2; k++) {
        ck_assert_str_eq(one->kept[k].words, windows[k]);
        ck_assert_str_eq(two->kept[k].words, windows[k]);
        ck_assert_int_eq(examples_of(one)->strongest[k].text, (int64_t)k);
        ck_assert_int_eq(examples_of(two)->strongest[k].text, (int64_t)k);
    }
    survey_free(one);
    survey_free(two);
}

static void begin_two(void)
{
    one = survey_begin(&tiny, "one.conllu", 0, 1);
    two = survey_begin(&tiny, "two.txt", 0, 1);
}

static void end_two(void)
{
    survey_free(one);
    survey_free(two);
}

/* Sums that lack a head are of no use any more. */
static void begin_again(void)
{
    end_two();
    begin_two();
}

static enum status add_and_merge(struct error *failure)
{
    static const struct corpus_word words[] = {{{"the", 3}, {"DET", 3}, {"det", 3}, 1},
                                               {{"cat", 3}, {"NOUN", 4}, {"nsubj", 5}, 2},
                                               {{"the", 3}, {"X", 1}, {"root", 4}, NO_WORD}};
    struct corpus_text tree = one_text("the cat the");
    const struct corpus_text line = one_text("a mat");
    tree.words = words;
    tree.word_count = COUNT(words);
    failure->status = STATUS_OK;
    if (add_weights(one, &tree, NULL, failure) != STATUS_OK ||
        add_weights(two, &line, NULL, failure) != STATUS_OK)
        return failure->status;
    return survey_merge(two, one, failure);
}

TEST(without_memory_it_says_so, .skipped = !faults_work())
{
    faults_try(&(struct trial){.name = "add texts and merge",
                               .begin = begin_two,
                               .act = add_and_merge,
                               .end = end_two,
                               .check_failed = begin_again});
}
