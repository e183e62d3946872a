/* check_survey_heads.c: what a survey adds up of one head of one text, by hand and against the
 * metrics of that text; and what happens when sums, memory or texts are too many. */
#include "faults.h"
#include "model_helpers.h"
#include "numbers.h"
#include "suites.h"
#include "survey_helpers.h"

#include "headlight/lens/metrics.h"
#include "headlight/model/encoded.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/text_rows.h"

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
    assert_ok(checkpoint_open(&tiny, TINY_FOLDER, NULL, NULL, &error), error);
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
    struct text_rows *rows;
    if (tokenizer_encode(tiny.tokenizer, text->texts, text->text_count, true, &encoding, failure) !=
        STATUS_OK)
        return failure->status;
    const size_t T = encoding->count;
    static float all[(HEAD + 1) * 64 * 64];
    struct layer_trace layers[LAYER + 1] = {[LAYER] = {.weights = all}};
    const struct trace trace = {
        .tokens = T, .attended = T, .heads = survey->heads, .axes = AXES_ONE_TEXT, .layer = layers};
    for (size_t i = 0; i < T * T; i++)
        all[HEAD * T * T + i] = weights ? weights[i] : 1.0F / (float)T;
    if (survey_prepare(survey, text, tiny.tokenizer, encoding, NULL, &rows, failure) == STATUS_OK) {
        survey_add_head(survey, rows, &trace, LAYER, HEAD);
        survey_finish(survey, rows, failure);
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

static double sum_of(const struct survey *survey, enum metric figure)
{
    return (double)*survey_of_head(survey_figure(survey, figure), place(survey)) / SURVEY_UNIT;
}

static const struct survey_example *examples_of(const struct survey *survey, size_t list)
{
    size_t most;
    return survey_examples(survey, place(survey), list, &most);
}

/* The first row's of a kind. */
static const int64_t *of_head(const struct survey *survey, enum survey_kind kind)
{
    return survey_of_head(survey_at(survey, kind, 0), place(survey));
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

/* What followed an earlier occurrence, unless it is the token just before: that is no induction. */
TEST(induction_is_not_of_the_token_before)
{
    static const float copying[6 * 6] = {[4 * 6 + 2] = 0.25F, [4 * 6 + 3] = 0.5F};
    const struct corpus_text text = one_text("the cat cat the"), run = one_text("the the the");
    const float before[] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0,
                            0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    struct survey *survey = add_by_hand(&text, copying);
    ck_assert_int_eq(*survey_test_numbers(survey, ROW_FIGURE, "induction", SIZE_MAX), 1);
    ck_assert_double_eq_tol(sum_of(survey, METRIC_INDUCTION), 0.25, 1e-6);
    survey_free(survey);
    survey = add_by_hand(&run, before);
    ck_assert_int_eq(*survey_test_numbers(survey, ROW_FIGURE, "induction", SIZE_MAX), 0);
    ck_assert_double_eq_tol(sum_of(survey, METRIC_INDUCTION), 0, 1e-6);
    survey_free(survey);
}

TEST(rows_pieces_squares_and_examples_are_counted)
{
    static const int64_t maxima[SURVEY_BINS] = {[4] = 1, [10] = 2, [19] = 2};
    static const int64_t entropies[SURVEY_BINS] = {[0] = 2, [2] = 1, [3] = 1, [4] = 1};
    const struct corpus_text text = one_text("the cat the");
    struct survey *survey = add_by_hand(&text, repeating);
    const size_t at = place(survey);
    static const int64_t the[] = {SURVEY_UNIT / 4 * 5, SURVEY_UNIT / 4 * 3},
                         cat[] = {0, SURVEY_UNIT / 2}; /* from it only at itself */
    const int64_t same[] = {SURVEY_UNIT / 4 * 3, 0, (int64_t)9 << (SURVEY_FRACTION - 4), 1,
                            (int64_t)1 << (SURVEY_FRACTION - 1)};
    ck_assert_mem_eq(of_head(survey, ROW_MAXIMA), maxima, sizeof maxima);
    ck_assert_mem_eq(of_head(survey, ROW_ENTROPIES), entropies, sizeof entropies);
    ck_assert_int_eq(*survey_test_numbers(survey, ROW_PIECE, "the", SIZE_MAX), 2);
    ck_assert_int_eq(*survey_test_numbers(survey, ROW_PIECE, "cat", SIZE_MAX), 1);
    ck_assert_mem_eq(survey_test_numbers(survey, ROW_PIECE, "the", at), the, sizeof the);
    ck_assert_mem_eq(survey_test_numbers(survey, ROW_PIECE, "cat", at), cat, sizeof cat);
    ck_assert_mem_eq(survey_test_numbers(survey, ROW_FIGURE, "same", SIZE_MAX), ((int64_t[]){2, 4}),
                     2 * sizeof(int64_t));
    ck_assert_mem_eq(survey_test_numbers(survey, ROW_FIGURE, "same", at), same, sizeof same);
    const struct survey_example *examples = examples_of(survey, 0);
    ck_assert(examples->weight == SURVEY_UNIT / 2 && examples[1].weight == 0);
    ck_assert(examples->from == 0 && examples->to == 2); /* of equal ones the first */
    ck_assert_int_eq(of_head(survey, ROW_DECILES)[5], 1);
    ck_assert_str_eq(examples_of(survey, 1 + 5)->text->key.names[1].bytes, "the cat the");
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
    const struct survey_example *example = examples_of(survey, 0);
    ck_assert_int_eq(survey_total(survey, SURVEY_WORDS), 4);
    ck_assert_int_eq(example->from, 2);
    ck_assert_int_eq(example->to, 1);
    ck_assert_int_eq(example->weight, SURVEY_UNIT / 4 * 3);
    ck_assert_str_eq(example->text->key.names[1].bytes, "the cat\tthe cat");
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
    const size_t at = place(survey);
    ck_assert_uint_eq(survey_count(survey, ROW_POS), 2); /* DET NOUN */
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(*survey_of_head(survey_at(survey, ROW_MASS, i), at),
                         i == 1 || i == 2 ? SURVEY_UNIT / 8 * 3 : 0);
    ck_assert_uint_eq(survey_count(survey, ROW_RELATION), 1); /* none of words without a piece */
    ck_assert_str_eq(survey_name(survey, ROW_RELATION, 0), "det");
    ck_assert_int_eq(survey_at(survey, ROW_RELATION, 0)->numbers[1 + SURVEY_OFFSETS + 2], 1);
    ck_assert_mem_eq(of_head(survey, ROW_RELATION), ((int64_t[]){1, 1}), 2 * sizeof(int64_t));
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
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
        ck_assert_double_eq(sum_of(survey, metric), 0);
    for (size_t b = 0; b < SURVEY_REACH; b++)
        ck_assert_int_eq(of_head(survey, ROW_REACH)[b], 0);
    ck_assert_int_eq(examples_of(survey, 0)->weight, 0);
    survey_free(survey);
}

/* ---- Links between words ------------------------------------------------------------------- */

/* Of the source [CLS] the cat mat on [SEP]; rows read [CLS] cat q ##q the [SEP], and say the next.
 */
static const float across[6 * 6] = {
    0.1F, 0.1F, 0.6F, 0.2F, 0,    0,    /* says cat */
    0,    0.5F, 0,    0.4F, 0,    0.1F, /* reads cat, says q */
    0,    0.1F, 0.2F, 0.6F, 0,    0.1F, /* q, ##q */
    0,    0.2F, 0.5F, 0.2F, 0,    0.1F, /* ##q, the */
    0,    0.7F, 0.1F, 0.1F, 0,    0.1F, /* the */
    0,    0,    0,    0,    0.5F, 0.5F,
};

/* One head of one layer. */
static void add_links(struct survey *survey, const char *links)
{
    struct corpus_text text = {.id = "pair",
                               .texts = {text_of_string("the cat mat on"), {"cat qq the", 10}},
                               .text_count = 2,
                               .alignment = text_of_string(links)};
    struct layer_trace layer = {.weights = (float *)(uintptr_t)across};
    const struct trace trace = {.tokens = 6,
                                .attended = 6,
                                .layers = 1,
                                .heads = 1,
                                .axes = AXES_TWO_TEXTS,
                                .layer = &layer};
    struct encoding *source, *target;
    struct text_rows *rows;
    assert_ok(tokenizer_encode(tiny.tokenizer, text.texts, 1, true, &source, &error), error);
    assert_ok(tokenizer_encode(tiny.tokenizer, text.texts + 1, 1, true, &target, &error), error);
    const struct survey_target read = {tiny.tokenizer, target};
    assert_ok(survey_check_links(&text, &error), error);
    assert_ok(survey_prepare(survey, &text, tiny.tokenizer, source, &read, &rows, &error), error);
    free(source);
    free(target);
    survey_add_head(survey, rows, &trace, 0, 0);
    assert_ok(survey_finish(survey, rows, &error), error);
}

static struct survey *survey_across(void)
{
    struct survey *survey;
    assert_ok(survey_new(SITE_CROSS, 1, 1, &survey, &error), error);
    survey_test_row(survey, ROW_SHARD, "pairs.jsonl", 0, "", 1);
    return survey;
}

/* From the figure on: of the error rate, precision and recall the sum and of how many. */
static void assert_links(const struct survey *survey, enum metric figure, const int64_t expected[6])
{
    for (int f = 0; f < 3; f++) {
        const struct survey_row *row = survey_figure(survey, figure + (enum metric)f);
        ck_assert_int_eq(*survey_of_head(row, 0), expected[2 * f] * SURVEY_UNIT);
        ck_assert_int_eq(row->numbers[0], expected[2 * f + 1]);
    }
}

/* Said: cat, mat, cat; read: the, mat, the; on the diagonal: the, cat, on. */
TEST(links_are_sure_possible_or_wrong)
{
    struct survey *survey = survey_across();
    add_links(survey, " 1-0 2p1 0-2\t1p2 3p2 0p2");
    assert_links(survey, METRIC_AER, (const int64_t[]){1, 5, 3, 3, 1, 2});
    assert_links(survey, METRIC_AER_READ, (const int64_t[]){2, 5, 2, 3, 1, 2});
    assert_links(survey, METRIC_AER_DIAGONAL, (const int64_t[]){4, 5, 1, 3, 0, 2});
    ck_assert_int_eq(survey_total(survey, SURVEY_TOKENS), 12);
    ck_assert_int_eq(survey_total(survey, SURVEY_WORDS), 7);
    const struct survey_example *strongest = survey->examples;
    ck_assert_int_eq(strongest->weight, survey_units((double)0.6F));
    ck_assert_int_eq(strongest->from, 4); /* words of the target follow the source's */
    ck_assert_int_eq(strongest->to, 1);
    ck_assert_double_eq_tol(evidence_mean(survey, METRIC_FIRST, 0, 0).value, 0.1 / 6, 1e-7);
    ck_assert_uint_eq(survey_count(survey, ROW_REACH), 0);
    ck_assert(!survey_figure(survey, METRIC_DISTANCE));
    survey_free(survey);
}

/* A word that the file doesn't link isn't asked for. */
TEST(words_without_links_count_for_nothing)
{
    struct survey *survey = survey_across();
    add_links(survey, "");
    assert_links(survey, METRIC_AER, (const int64_t[6]){0});
    ck_assert(isnan(evidence_mean(survey, METRIC_AER, 0, 0).value));
    add_links(survey, "1-0 0-2");
    assert_links(survey, METRIC_AER, (const int64_t[]){2, 4, 1, 2, 1, 2});
    assert_links(survey, METRIC_AER_READ, (const int64_t[]){2, 4, 1, 2, 1, 2});
    survey_free(survey);
}

/* ---- Against the metrics of one text ------------------------------------------------------- */

static void compare_head(const struct survey *survey, const struct encoded *encoded, size_t layer,
                         size_t head)
{
    const struct head_metrics metrics =
        metrics_measure(encoded->trace, layer, head, &encoded->kinds);
    const size_t at = layer * survey->heads + head;
    int64_t from = 0, to = 0, rows = 0, texts = 0;
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
        if (survey_figure(survey, metric)->numbers[0] > 0)
            ck_assert_double_eq_tol(evidence_mean(survey, metric, layer, head).value,
                                    metrics.of[metric], 1e-7);
    for (size_t n = 0; n < survey_count(survey, ROW_PIECE); n++) {
        const int64_t *weight = survey_of_head(survey_at(survey, ROW_PIECE, n), at);
        from += weight[0];
        to += weight[1];
    }
    ck_assert_int_eq(from, to);
    for (size_t b = 0; b < SURVEY_BINS; b++)
        rows += survey_of_head(survey_at(survey, ROW_MAXIMA, 0), at)[b];
    ck_assert_int_eq(rows, survey_total(survey, SURVEY_TOKENS));
    for (size_t d = 0; d < SURVEY_DECILES; d++)
        texts += survey_of_head(survey_at(survey, ROW_DECILES, 0), at)[d];
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
    int64_t *self = survey_test_numbers(survey, ROW_FIGURE, "self", place(survey));
    int64_t *squares = &survey_figure(survey, METRIC_FIRST)->numbers[1];
    *squares = INT64_MAX / 4 / SURVEY_UNIT - 24;
    assert_fails(add_weights(survey, &text, repeating, &error), STATUS_LIMIT,
                 "1 texts are as many as the sums have space for", error);
    --*squares;
    error.status = STATUS_OK;
    assert_ok(add_weights(survey, &text, repeating, &error), error);
    *(char *)survey_name(other, ROW_SHARD, 0) = 'b';
    self[1] = INT64_MAX;
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
    for (text.number = 0; text.number < 3000; text.number++) {
        text.hash = text.number * 0x9E3779B97F4A7C15;
        error.status = STATUS_OK;
        assert_ok(add_weights(survey, &text, repeating, &error), error);
    }
    /* text 0 is both */
    ck_assert_uint_eq(survey_count(survey, ROW_TEXT), SURVEY_STRONGEST + SURVEY_UNIFORM - 1);
    for (size_t k = 0; k < SURVEY_STRONGEST; k++) /* of equal ones the earlier */
        ck_assert_int_eq(survey_at(survey, ROW_TEXT, k)->key.numbers[0], (int64_t)k);
    ck_assert_int_eq(of_head(survey, ROW_DECILES)[5], 3000);
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
    for (size_t k = 0; k < 2; k++) {
        ck_assert_str_eq(examples_of(one, 0)[k].text->key.names[1].bytes, windows[k]);
        ck_assert_str_eq(examples_of(two, 0)[k].text->key.names[1].bytes, windows[k]);
        ck_assert_ptr_eq(examples_of(one, 0)[k].text, survey_at(one, ROW_TEXT, k));
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
