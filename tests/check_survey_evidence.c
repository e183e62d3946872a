/* What a survey says in numbers: means and shares against numbers of tests/vectors/evidence.py, and
 * what must hold of labels, relations and examples. */
#include "numbers.h"
#include "suites.h"
#include "survey_helpers.h"
#include "survey_sample.h"

#include "headlight/survey/evidence.h"
#include "headlight/survey/text_rows.h"

#include <math.h>
#include <string.h>

#define NEAR   1e-9
#define LAYERS 3
#define HEADS  4

/* ---- Means and shares ---- */

static void add_pair(int64_t pair[2], double number)
{
    pair[0] += (int64_t)number;
    pair[1] += (int64_t)ldexp(number - floor(number), SURVEY_FRACTION);
}

static struct survey *made;

static void end(void)
{
    survey_free(made);
    made = NULL;
    sample_end();
}

TESTS(.end = end);

static struct survey *new_survey(size_t heads)
{
    struct error error;
    survey_free(made);
    ck_assert_int_eq(survey_new(SITE_ONLY, 1, heads, &made, &error), STATUS_OK);
    return made;
}

/* The texts of evidence.py, added up as a survey does. */
TEST(a_mean_has_the_interval_of_whole_texts)
{
    static const struct {
        int64_t tokens;
        double sum;
    } texts[] = {{4, 2.25}, {7, 4.5}, {3, 0.75}, {9, 6.0}, {5, 1.5}};
    const struct survey *survey = new_survey(1);
    int64_t *numbers = survey_figure(survey, METRIC_NEXT)->numbers;
    for (int i = 0; i < COUNT(texts); i++) {
        numbers[0] += texts[i].tokens;
        numbers[1] += texts[i].tokens * texts[i].tokens;
        numbers[2] += (int64_t)(texts[i].sum * SURVEY_UNIT);
        add_pair(numbers + 3, texts[i].sum * texts[i].sum);
        add_pair(numbers + 5, texts[i].sum * (double)texts[i].tokens);
    }
    const struct evidence_number mean = evidence_mean(survey, METRIC_NEXT, 0, 0);
    ck_assert_double_eq_tol(mean.value, 0.535714285714, NEAR);
    ck_assert_double_eq_tol(mean.half, 0.141507116707, NEAR);
    ck_assert_int_eq(mean.of, 28);
}

/* ---- Intervals of small numbers ---- */

/* One text of a made-up effect, near a value and scattered by a third of it. */
static double effect_of(size_t text, double value)
{
    uint64_t state = text;
    const double chance = (double)random_below(&state, 1000000) / 1e6;
    return value * (chance < 0.25 ? -0.3 : 0.7 + 0.6 * chance);
}

/* Texts from `first` to before `end`, each of a token or, for a figure of tokens, of some. */
static struct survey *survey_of_effects(const char *name, size_t first, size_t end, double value,
                                        bool tokens)
{
    struct error error;
    struct survey *survey;
    ck_assert_int_eq(survey_new(SITE_ONLY, 1, 1, &survey, &error), STATUS_OK);
    ck_assert_int_eq(survey_want(survey, METRIC_EFFECT, &error), STATUS_OK);
    survey_test_row(survey, ROW_SHARD, name, 0, "", 1);
    int64_t *rows = survey_figure(survey, METRIC_EFFECT)->numbers;
    for (size_t i = 0; i < SURVEY_ORIGINS - 1; i++)
        survey->origin.all[i] = strdup("");
    for (size_t t = first; t < end; t++) {
        const size_t n = tokens ? 1 + t % 40 : 1;
        rows[0] += (int64_t)n;
        rows[1] += (int64_t)(n * n);
        survey_add_figure(survey, METRIC_EFFECT, 0, effect_of(t, value) * (double)n, n);
    }
    return survey;
}

/* Text by text, with the mean known beforehand: nothing cancels. */
static double half_of_effects(size_t count, double value, bool tokens)
{
    double sum = 0, rows = 0, scatter = 0;
    for (size_t t = 0; t < count; t++) {
        const double n = tokens ? (double)(1 + t % 40) : 1;
        sum += effect_of(t, value) * n;
        rows += n;
    }
    for (size_t t = 0; t < count; t++) {
        const double n = tokens ? (double)(1 + t % 40) : 1;
        const double away = (effect_of(t, value) - sum / rows) * n;
        scatter += away * away;
    }
    return 1.959963984540054 * sqrt(scatter) / rows;
}

/* Of numbers of 1e-5 as of 1, and of large ones; however the texts are grouped. */
TEST(intervals_are_those_of_deviations_text_by_text, .times = 40)
{
    static const size_t counts[] = {2, 3, 50, 4000};
    static const double values[] = {1e-5, -1e-5, 4e-4, 1, -300};
    struct error error;
    const size_t count = counts[_i % COUNT(counts)];
    const double value = values[_i / 2 / COUNT(counts)];
    const bool tokens = _i / COUNT(counts) % 2;
    struct survey *whole = survey_of_effects("a", 0, count, value, tokens);
    struct survey *first = survey_of_effects("a", 0, count / 3, value, tokens);
    struct survey *rest = survey_of_effects("b", count / 3, count, value, tokens);
    const struct evidence_number mean = evidence_mean(whole, METRIC_EFFECT, 0, 0);
    const double half = half_of_effects(count, value, tokens);
    ck_assert_double_eq_tol(mean.half, half, 0.01 * half);
    ck_assert_int_eq(survey_merge(rest, first, &error), STATUS_OK);
    ck_assert_mem_eq(survey_test_numbers(rest, ROW_FIGURE, "effect", 0),
                     survey_test_numbers(whole, ROW_FIGURE, "effect", 0), 5 * sizeof(int64_t));
    survey_free(whole);
    survey_free(first);
    survey_free(rest);
}

TEST(one_text_has_no_interval)
{
    for (int tokens = 0; tokens < 2; tokens++) {
        struct survey *survey = survey_of_effects("a", 7, 8, 0.933, tokens);
        const struct evidence_number mean = evidence_mean(survey, METRIC_EFFECT, 0, 0);
        ck_assert(isnan(mean.half) && !isnan(mean.value));
        survey_free(survey);
    }
}

TEST(nothing_has_no_mean)
{
    const struct survey *survey = sample_survey(LAYERS, HEADS, SAMPLE_NOTHING);
    struct evidence_label labels[METRIC_COUNT];
    const struct survey_example *examples[SURVEY_EXAMPLES];
    struct evidence_word words[4];
    const struct evidence_number mean = evidence_mean(survey, METRIC_SELF, 0, 0);
    ck_assert(isnan(mean.value) && isnan(mean.half));
    ck_assert(isnan(evidence_share(0, 0).value));
    ck_assert_uint_eq(evidence_labels(survey, 1, 1, labels), 0);
    ck_assert_uint_eq(evidence_known(survey, 1, 1, NULL), 0);
    ck_assert_uint_eq(evidence_examples(survey, 1, 1, examples, NULL), 0);
    ck_assert_uint_eq(evidence_words(survey, 1, 1, true, words, 4), 0);
}

TEST(a_share_has_the_interval_of_wilson, .times = 5)
{
    static const struct {
        int64_t hits, of;
        double low, high;
    } shares[] = {{811, 1204, 0.646586424122, 0.699485485356},
                  {0, 20, 0, 0.161125158053},
                  {20, 20, 0.838874841947, 1},
                  {2, 3, 0.207659600802, 0.938508055280},
                  {1, 100000, 0.000001765248, 0.000056647097}};
    const struct evidence_number share = evidence_share(shares[_i].hits, shares[_i].of);
    ck_assert_double_eq_tol(share.value, (double)shares[_i].hits / (double)shares[_i].of, NEAR);
    ck_assert_double_eq_tol(share.low, shares[_i].low, NEAR);
    ck_assert_double_eq_tol(share.high, shares[_i].high, NEAR);
}

/* ---- Labels ---- */

TEST(labels_are_those_of_the_screen_the_largest_first)
{
    struct evidence_label labels[METRIC_COUNT];
    double means[METRIC_COUNT] = {[METRIC_NEXT] = 0.4996,
                                  [METRIC_SELF] = 0.4994,
                                  [METRIC_SAME] = 0.8,
                                  [METRIC_INDUCTION] = 0.9,
                                  [METRIC_BROAD] = 0.84};
    const struct survey *survey = new_survey(1);
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++) {
        int64_t *numbers = survey_figure(survey, metric)->numbers;
        numbers[0] = 1000; /* tokens */
        numbers[2] = (int64_t)(means[metric] * 1000 * SURVEY_UNIT);
    }
    ck_assert_uint_eq(evidence_labels(survey, 0, 0, labels), 2);
    ck_assert_str_eq(labels[0].name, "same word");
    ck_assert_str_eq(labels[1].words, "next token");
    ck_assert_int_eq(labels[1].mean.of, 1000);
}

/* ---- Relations ---- */

/* One relation of so many pairs, as two heads find it in both directions. */
static struct survey *survey_of_relation(int64_t pairs, const int64_t found[4], int64_t **offsets)
{
    struct survey *survey = new_survey(2);
    struct survey_row *row = survey_test_row(survey, ROW_RELATION, "obj", 0, "", 0);
    row->numbers[0] = pairs;
    *offsets = row->numbers + 1;
    memcpy(survey_of_head(row, 0), found, 4 * sizeof *found);
    return survey;
}

TEST(a_relation_is_known_ten_points_over_the_best_fixed_offset)
{
    int64_t *offsets;
    const struct survey *survey = survey_of_relation(100, (int64_t[]){49, 48, 20, 50}, &offsets);
    offsets[SURVEY_OFFSETS - 2] = 40;
    offsets[SURVEY_OFFSETS + 1] = 30;
    offsets[SURVEY_OFFSET_FAR] = 90; /* no single distance */
    const struct evidence_relation first = evidence_relation(survey, 0, 0, 0);
    ck_assert_int_eq(first.offset, -2);
    ck_assert_double_eq_tol(first.offset_share.value, 0.4, NEAR);
    ck_assert_double_eq_tol(first.gain, 0.09, NEAR);
    ck_assert(!first.known && !first.from_head);
    const struct evidence_relation best = evidence_best_head(survey, 0);
    ck_assert_uint_eq(best.head, 1);
    ck_assert(best.known && best.from_head);
    ck_assert_uint_eq(evidence_known(survey, 0, 1, NULL), 0); /* not yet of a hundred pairs */
}

TEST(of_many_pairs_it_is_surely_known)
{
    int64_t *offsets;
    const struct survey *survey =
        survey_of_relation(1000, (int64_t[]){490, 480, 200, 520}, &offsets);
    offsets[SURVEY_OFFSETS - 2] = 400;
    ck_assert_uint_eq(evidence_known(survey, 0, 0, NULL), 0);
    ck_assert_uint_eq(evidence_known(survey, 0, 1, NULL), 1);
}

TEST(of_few_pairs_nothing_is_sure)
{
    int64_t *offsets;
    const struct survey *survey = survey_of_relation(3, (int64_t[]){2, 0, 0, 0}, &offsets);
    offsets[SURVEY_OFFSETS + 1] = 1;
    const struct evidence_relation found = evidence_relation(survey, 0, 0, 0);
    ck_assert(found.known && !evidence_is_sure(&found));
}

TEST(relations_are_in_the_order_of_what_is_surely_gained)
{
    const struct survey *survey = sample_survey(LAYERS, HEADS, SAMPLE_ALL);
    struct error error;
    struct evidence_relation *all = evidence_relations(survey, 1, 2, &error);
    struct evidence_relation *best = evidence_relations(survey, NO_HEAD, NO_HEAD, &error);
    ck_assert(all && best);
    for (size_t i = 1; i < survey_count(survey, ROW_RELATION); i++) {
        ck_assert(all[i].share.of < 20 || all[i - 1].sure >= all[i].sure);
        ck_assert(best[i].share.of < 20 || best[i - 1].sure >= best[i].sure);
    }
    for (size_t i = 0; i < survey_count(survey, ROW_RELATION); i++)
        for (size_t head = 0; head < LAYERS * HEADS; head++) {
            const struct evidence_relation other =
                evidence_relation(survey, best[i].index, head / HEADS, head % HEADS);
            ck_assert_int_ge(best[i].share.hits, other.share.hits);
        }
    free(all);
    free(best);
}

/* Of the sample one that finds relations or, without them, the largest label. */
TEST(the_first_head_is_that_with_most_to_say)
{
    const struct survey *all = sample_survey(LAYERS, HEADS, SAMPLE_ALL);
    const struct survey *words = sample_survey(LAYERS, HEADS, SAMPLE_WORDS);
    struct evidence_label labels[METRIC_COUNT];
    size_t layer = 0, head = 0;
    evidence_first_head(all, &layer, &head);
    ck_assert_uint_gt(evidence_known(all, layer, head, NULL), 0);
    evidence_first_head(words, &layer, &head);
    ck_assert_uint_gt(evidence_labels(words, layer, head, labels), 0);
    ck_assert_int_ne(labels[0].metric, METRIC_BROAD);
}

/* ---- Distributions and examples ---- */

TEST(shares_make_one)
{
    const struct survey *survey = sample_survey(LAYERS, HEADS, SAMPLE_ALL);
    double shares[SURVEY_REACH], sum = 0;
    evidence_reach(survey, 2, 3, shares);
    for (size_t i = 0; i < SURVEY_REACH; i++)
        sum += shares[i];
    ck_assert_double_eq_tol(sum, 1, NEAR);
}

TEST(pieces_are_the_heaviest_of_a_head_beside_their_frequency)
{
    const struct survey *survey = sample_survey(LAYERS, HEADS, SAMPLE_WORDS);
    struct evidence_word all[64], few[5];
    const size_t count = evidence_words(survey, 1, 2, true, all, 64);
    double share = 0, usual = 0;
    ck_assert_uint_eq(count, survey_count(survey, ROW_PIECE));
    ck_assert_uint_eq(evidence_words(survey, 1, 2, true, few, 5), 5);
    for (size_t i = 0; i < count; i++) {
        share += all[i].share;
        usual += all[i].usual;
        ck_assert(i == 0 || all[i - 1].weight >= all[i].weight);
        ck_assert(i >= 5 || few[i].piece == all[i].piece);
    }
    ck_assert_double_eq_tol(share, 1, NEAR);
    ck_assert_double_eq_tol(usual, 1, NEAR);
}

TEST(a_word_gives_weight_to_a_part_of_speech_in_the_mean)
{
    const struct survey *survey = sample_survey(LAYERS, HEADS, SAMPLE_ALL);
    const size_t P = survey_count(survey, ROW_POS);
    const int64_t mass = survey_at(survey, ROW_MASS, 3 * P + 5)->numbers[2 * HEADS + 1];
    ck_assert_double_eq_tol(
        evidence_pos(survey, 3, 5, 2, 1),
        (double)mass / (double)survey_at(survey, ROW_POS, 3)->numbers[0] / SURVEY_UNIT, NEAR);
}

TEST(examples_are_the_strongest_and_then_each_tenth_from_above)
{
    const struct survey *survey = sample_survey(LAYERS, HEADS, SAMPLE_WORDS);
    const struct survey_example *examples[SURVEY_EXAMPLES];
    size_t strongest;
    const size_t count = evidence_examples(survey, 2, 2, examples, &strongest);
    ck_assert_uint_eq(strongest, SURVEY_STRONGEST);
    ck_assert_uint_eq(count, SURVEY_STRONGEST + 8 * SURVEY_UNIFORM);
    for (size_t i = strongest + 1; i < count; i++)
        ck_assert_uint_ge(evidence_tenth(examples[i - 1]), evidence_tenth(examples[i]));
    const struct survey_example whole = {.weight = SURVEY_UNIT, .to = 1};
    ck_assert_uint_eq(evidence_tenth(&whole), 9);
}
