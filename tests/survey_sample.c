#include "survey_sample.h"

#include "survey_helpers.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS 2000
#define ROWS  36000 /* tokens: 18 a text */
#define WHOLE ((double)SURVEY_UNIT)

/* ---- Memory ---- */

static struct survey *made[64];
static size_t made_count;

void sample_end(void)
{
    while (made_count > 0)
        survey_free(made[--made_count]);
}

/* ---- Chance that is the same everywhere ---- */

/* 0 … 1, of three numbers. */
static double chance(size_t a, size_t b, size_t c)
{
    uint64_t x = a * 1000003 + b * 10007 + c * 101 + 1;
    for (int i = 0; i < 3; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        x ^= x >> 29;
    }
    return (double)(x >> 40) / (1 << 24);
}

/* What a head does. */
enum kind { BEFORE, AFTER, FRAME, WIDE, SYNTAX, MIXED, KINDS };

static enum kind kind_of(size_t head)
{
    static const enum kind kinds[] = {WIDE, MIXED, BEFORE, SYNTAX, FRAME, WIDE, AFTER, MIXED};
    return kinds[(head * 5 + head / 8 * 3) % 8];
}

/* ---- Figures ---- */

static double figure_of(enum metric figure, size_t at)
{
    const enum kind kind = kind_of(at);
    const double more = 0.55 + 0.4 * chance(at, 1, 1),
                 less = 0.02 + 0.2 * chance(at, figure - METRIC_BEGIN, 2);
    switch (figure) {
    case METRIC_PREVIOUS:
        return kind == BEFORE ? more : less;
    case METRIC_NEXT:
        return kind == AFTER ? more : less;
    case METRIC_SEPARATORS:
        return kind == FRAME ? more : less;
    case METRIC_BROAD:
        return kind == WIDE ? 0.86 + 0.1 * more : 0.3 + less;
    case METRIC_ENTROPY:
        return kind == WIDE ? 3.2 + less : 0.8 + 4 * less;
    case METRIC_DISTANCE:
        return kind == WIDE ? 5.5 + less : 1 + 12 * less;
    case METRIC_MAXIMUM:
        return kind == WIDE ? 0.1 + less : more;
    default:
        return less;
    }
}

static void fill_pair(int64_t pair[2], double number)
{
    pair[0] = (int64_t)floor(number);
    pair[1] = (int64_t)ldexp(number - floor(number), SURVEY_FRACTION);
}

/* The figure is scattered over texts by a fifth of it. */
static void fill_figure(const struct survey *survey, enum metric figure)
{
    struct survey_row *row = survey_figure(survey, figure);
    const double each = (double)ROWS / TEXTS;
    row->numbers[0] = ROWS;
    row->numbers[1] = (int64_t)(TEXTS * each * each);
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        const double mean = figure_of(figure, i);
        int64_t *sums = survey_of_head(row, i);
        sums[0] = (int64_t)(mean * WHOLE) * ROWS;
        fill_pair(sums + 1, TEXTS * 1.04 * mean * mean * each * each);
        fill_pair(sums + 3, TEXTS * mean * each * each);
    }
}

static int64_t *only(const struct survey *survey, enum survey_kind kind, size_t at)
{
    return survey_of_head(survey_at(survey, kind, 0), at);
}

static void fill_distributions(struct survey *survey, size_t at)
{
    const enum kind kind = kind_of(at);
    int64_t *reach = only(survey, ROW_REACH, at);
    const size_t peak = kind == BEFORE ? 6 : kind == AFTER ? 8 : kind == FRAME ? 10 : 5;
    for (size_t i = 0; i < SURVEY_REACH; i++)
        reach[i] = (int64_t)(WHOLE * 1000 * (0.2 + chance(at, i, 3)));
    if (kind != WIDE)
        reach[peak] += (int64_t)(WHOLE * 15000);
    for (size_t i = 0; i < SURVEY_BINS; i++) {
        const size_t far = kind == WIDE ? i : SURVEY_BINS - i;
        only(survey, ROW_MAXIMA, at)[i] = (int64_t)(ROWS / (2 + far * far));
        only(survey, ROW_ENTROPIES, at)[SURVEY_BINS - 1 - i] =
            (int64_t)(ROWS / (2 + far * far / 2));
    }
}

/* ---- Relations and parts of speech ---- */

/* Name, pairs, the offset of most heads and its share. */
static const struct {
    const char *name;
    int64_t count;
    int offset;
    double share;
} relations[] = {
    {"acl:relcl", 214, -4, 0.14}, {"advmod", 1201, 1, 0.41}, {"amod", 1312, 1, 0.74},
    {"aux", 902, 1, 0.58},        {"case", 2408, 2, 0.44},   {"cc", 811, 1, 0.40},
    {"conj", 867, -3, 0.19},      {"det", 2071, 1, 0.61},    {"dislocated", 3, -2, 0.34},
    {"mark", 902, 2, 0.45},       {"nsubj", 2204, 1, 0.39},  {"obj", 1204, -2, 0.40},
    {"obl", 1187, -3, 0.22},      {"xcomp", 402, -2, 0.47},
};
#define RELATIONS (sizeof relations / sizeof *relations)

static void fill_relations(struct survey *survey)
{
    const size_t count = survey->layers * survey->heads;
    for (size_t r = 0; r < RELATIONS; r++) {
        struct survey_row *row = survey_test_row(survey, ROW_RELATION, relations[r].name, 0, "", 0);
        int64_t *offsets = row->numbers + 1;
        row->numbers[0] = relations[r].count;
        for (int i = 0; i < 2 * SURVEY_OFFSETS + 1; i++)
            offsets[i] = relations[r].count / 100;
        offsets[relations[r].offset + SURVEY_OFFSETS] =
            (int64_t)((double)relations[r].count * relations[r].share);
        for (size_t at = 0; at < count; at++) {
            const double pairs = (double)relations[r].count;
            const bool good = kind_of(at) == SYNTAX && (at + r) % 4 == 0;
            const double share = good ? 0.6 + 0.3 * chance(at, r, 4) : 0.3 * chance(at, r, 5);
            survey_of_head(row, at)[0] = (int64_t)(pairs * share);
            survey_of_head(row, at)[1] = (int64_t)(pairs * 0.7 * chance(at, r, 6) * share);
        }
    }
}

static const char *const pos[] = {"ADJ",  "ADP", "ADV",  "AUX",   "CCONJ", "DET",
                                  "NOUN", "NUM", "PRON", "PROPN", "PUNCT", "VERB"};
#define POS (sizeof pos / sizeof *pos)

static void fill_pos(struct survey *survey)
{
    for (size_t p = 0; p < POS; p++)
        survey_test_row(survey, ROW_POS, pos[p], 0, "", 0)->numbers[0] =
            500 + 400 * (int64_t)(p * 7 % POS);
    for (size_t i = 0; i < POS * POS; i++) {
        struct survey_row *row =
            survey_test_row(survey, ROW_MASS, pos[i / POS], 0, pos[i % POS], 0);
        const double words = (double)survey_at(survey, ROW_POS, i / POS)->numbers[0];
        for (size_t at = 0; at < survey->layers * survey->heads; at++) {
            const double share = chance(at, i, 7);
            row->numbers[at] =
                (int64_t)(words * WHOLE * (share > 0.85 ? 0.5 * share : 0.04 * share));
        }
    }
}

/* ---- Pieces and examples ---- */

static const char *const pieces[] = {"the", "of",  "to",  "and",  "a",    "in",   "that", "is",
                                     "it",  "for", "you", "##s",  "was",  "on",   "not",  "##ing",
                                     "be",  "as",  "are", "with", "have", "they", "his",  "but"};
#define PIECES (sizeof pieces / sizeof *pieces)

static void fill_pieces(struct survey *survey)
{
    for (size_t i = 0; i < PIECES; i++) {
        struct survey_row *row =
            survey_test_row(survey, ROW_PIECE, "", 100 + (int64_t)i, pieces[i], 0);
        const double count = (double)(row->numbers[0] = 2400 / (int64_t)(i + 1));
        for (size_t at = 0; at < survey->layers * survey->heads; at++) {
            survey_of_head(row, at)[0] = (int64_t)(count * WHOLE * chance(at, i, 8));
            survey_of_head(row, at)[1] =
                (int64_t)(count * WHOLE * chance(at, i, 9) * chance(at, i, 10));
        }
    }
}

static const struct {
    const char *id, *words;
} texts[] = {
    {"weblog-0012", "She sold the old horse before the winter came"},
    {"weblog-0040", "What if Google Morphed Into GoogleOS ?"},
    {"email-0007", "Please let me know if you have any questions about the attached file ."},
    {"review-0103", "The food was good but the service could not have been any slower"},
    {"answers-0020", "You can find a list of all of them on the page that I sent you"},
    {"newsgroup-0004", "They are not the people who wrote the letter to the editor"},
};
#define KEPT        (sizeof texts / sizeof *texts)
#define LEAST_WORDS 7

/* The pair of an example is one of words that stand near one another. */
static struct survey_example example(const struct survey *survey, size_t at, size_t number,
                                     double weight)
{
    const size_t from = (size_t)(chance(at, number, 11) * (LEAST_WORDS - 1));
    const size_t to = (from + 1 + (size_t)(3 * chance(at, number, 12))) % LEAST_WORDS;
    return (struct survey_example){.weight = (int64_t)(weight * WHOLE),
                                   .text = survey_at(survey, ROW_TEXT, (at + number) % KEPT),
                                   .from = (int64_t)from,
                                   .to = (int64_t)to};
}

static void fill_examples(struct survey *survey)
{
    struct error error;
    for (size_t i = 0; i < KEPT; i++) {
        const struct survey_key key = {.kind = ROW_TEXT,
                                       .names = {text_of_string("sample.conllu"),
                                                 text_of_string(texts[i].words),
                                                 text_of_string(texts[i].id)},
                                       .numbers[0] = 10 * (int64_t)i};
        ck_assert_ptr_nonnull(survey_insert(survey, &key, &error));
    }
    for (size_t at = 0; at < survey->layers * survey->heads; at++)
        for (size_t list = 0; list <= SURVEY_DECILES; list++) {
            size_t most, decile = list - 1;
            struct survey_example *of = survey_examples(survey, at, list, &most);
            for (size_t i = 0; list == 0 && i < most; i++)
                of[i] = example(survey, at, i, 0.99 - 0.01 * (double)i - 0.1 * chance(at, 0, 13));
            for (size_t i = 0; list > 2 && i < most; i++)
                of[i] = example(survey, at, 8 + decile * 3 + i,
                                0.1 * (double)decile + 0.03 * (double)i + 0.01);
            if (list > 2)
                only(survey, ROW_DECILES, at)[decile] = TEXTS / 8;
        }
}

/* ---- The whole ---- */

/* SHA-256 of the word pieces of tests/vectors/tiny-bert. */
#define TINY_PIECES "3fc7f96cc0037801b342eeaf1b1d0ffd9b422fd9ad67be6be52d7eea0be8ab80"

const struct survey *sample_survey(size_t layers, size_t heads, enum sample with)
{
    static const char *const origin[] = {"built-in", "", TINY_PIECES, "portable", ""};
    struct survey *survey;
    struct error error;
    ck_assert_int_eq(survey_new(SITE_ONLY, layers, heads, &survey, &error), STATUS_OK);
    ck_assert_uint_lt(made_count, sizeof made / sizeof *made);
    made[made_count++] = survey;
    for (size_t i = 0; i < sizeof origin / sizeof *origin; i++)
        ck_assert_ptr_nonnull(survey->origin.all[i] = strdup(origin[i]));
    int64_t *totals = survey_test_row(survey, ROW_SHARD, "sample.conllu", 0, "", 1)->numbers;
    if (with == SAMPLE_NOTHING)
        return survey;
    totals[SURVEY_TEXTS] = TEXTS;
    totals[SURVEY_TOO_LONG] = 1;
    totals[SURVEY_TOKENS] = ROWS;
    totals[SURVEY_WORDS] = 25000;
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
        fill_figure(survey, metric);
    for (size_t at = 0; at < layers * heads; at++)
        fill_distributions(survey, at);
    fill_pieces(survey);
    fill_examples(survey);
    if (with == SAMPLE_WORDS)
        return survey;
    fill_relations(survey);
    fill_pos(survey);
    return survey;
}

const struct corpus_golden corpus_goldens[CORPUS_GOLDENS] = {
    {"corpus-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "Right Right"},
    {"corpus-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "Right Right"},
    {"corpus-200x60", 200, 60, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "Right Right Right Down"},
    {"corpus-figure-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "o o Right"},
    {"corpus-figure-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "o Right Right"},
    {"corpus-sorted-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "o O Down"},
    {"corpus-sorted-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "O Down"},
    {"corpus-scatter-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "c Right"},
    {"corpus-scatter-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "c O Right"},
    {"corpus-relations-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "r Down"},
    {"corpus-relations-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "r Down"},
    {"corpus-examples-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "Enter Down"},
    {"corpus-examples-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "Enter Down"},
    {"corpus-speech-120x40",
     120,
     40,
     {GLYPHS_BRAILLE, false},
     SAMPLE_ALL,
     ": \"corpus-card speech\" Enter"},
    {"corpus-words-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_WORDS, "r"},
    {"corpus-nothing-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_NOTHING, "Down"},
    {"corpus-present-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "P Right Right"},
    {"corpus-present-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "r P Enter Down"},
    {"corpus-ascii", 80, 24, {GLYPHS_ASCII, true}, SAMPLE_ALL, "Right Right"},
    {"corpus-mono", 120, 40, {GLYPHS_BRAILLE, true}, SAMPLE_ALL, "Right Right"},
};
