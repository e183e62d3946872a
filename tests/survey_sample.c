#include "survey_sample.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS 2000
#define ROWS  36000 /* tokens: 18 a text */
#define WHOLE ((double)SURVEY_UNIT)

/* ---- Memory ---- */

static void *made[1024];
static size_t made_count;

static void *room(size_t count, size_t each)
{
    void *memory = calloc(count + 1, each);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_lt(made_count, sizeof made / sizeof *made);
    return made[made_count++] = memory;
}

void sample_end(void)
{
    while (made_count > 0)
        free(made[--made_count]);
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

static double figure_of(enum survey_figure figure, size_t at)
{
    const enum kind kind = kind_of(at);
    const double more = 0.55 + 0.4 * chance(at, 1, 1), less = 0.02 + 0.2 * chance(at, figure, 2);
    switch (figure) {
    case SURVEY_PREVIOUS:
        return kind == BEFORE ? more : less;
    case SURVEY_NEXT:
        return kind == AFTER ? more : less;
    case SURVEY_SEPARATORS:
        return kind == FRAME ? more : less;
    case SURVEY_BROAD:
        return kind == WIDE ? 0.86 + 0.1 * more : 0.3 + less;
    case SURVEY_ENTROPY:
        return kind == WIDE ? 3.2 + less : 0.8 + 4 * less;
    case SURVEY_DISTANCE:
        return kind == WIDE ? 5.5 + less : 1 + 12 * less;
    case SURVEY_MAXIMUM:
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
static void fill_figure(const struct survey *survey, struct survey_figure_sums *sums,
                        enum survey_figure figure)
{
    const size_t count = survey->layers * survey->heads;
    const double each = (double)ROWS / TEXTS;
    sums->rows = ROWS;
    sums->rows_squared = (int64_t)(TEXTS * each * each);
    for (size_t i = 0; i < count; i++) {
        const double mean = figure_of(figure, i);
        sums->sum[i] = (int64_t)(mean * WHOLE) * ROWS;
        fill_pair(sums->squares + 2 * i, TEXTS * 1.04 * mean * mean * each * each);
        fill_pair(sums->products + 2 * i, TEXTS * mean * each * each);
    }
}

static void fill_distributions(struct survey *survey, size_t at)
{
    const enum kind kind = kind_of(at);
    int64_t *reach = survey->reach + at * SURVEY_REACH;
    const size_t peak = kind == BEFORE ? 6 : kind == AFTER ? 8 : kind == FRAME ? 10 : 5;
    for (size_t i = 0; i < SURVEY_REACH; i++)
        reach[i] = (int64_t)(WHOLE * 1000 * (0.2 + chance(at, i, 3)));
    if (kind != WIDE)
        reach[peak] += (int64_t)(WHOLE * 15000);
    for (size_t i = 0; i < SURVEY_BINS; i++) {
        const size_t far = kind == WIDE ? i : SURVEY_BINS - i;
        survey->maxima[at * SURVEY_BINS + i] = (int64_t)(ROWS / (2 + far * far));
        survey->entropies[at * SURVEY_BINS + SURVEY_BINS - 1 - i] =
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
    survey->relation_count = RELATIONS;
    survey->relations = room(RELATIONS, sizeof *survey->relations);
    for (size_t r = 0; r < RELATIONS; r++) {
        struct survey_relation *relation = &survey->relations[r];
        relation->name = (char *)relations[r].name;
        relation->count = relations[r].count;
        for (int i = 0; i < 2 * SURVEY_OFFSETS + 1; i++)
            relation->offsets[i] = relations[r].count / 100;
        relation->offsets[relations[r].offset + SURVEY_OFFSETS] =
            (int64_t)((double)relations[r].count * relations[r].share);
        relation->dependent = room(count, sizeof *relation->dependent);
        relation->head = room(count, sizeof *relation->head);
        for (size_t at = 0; at < count; at++) {
            const bool good = kind_of(at) == SYNTAX && (at + r) % 4 == 0;
            const double share = good ? 0.6 + 0.3 * chance(at, r, 4) : 0.3 * chance(at, r, 5);
            relation->dependent[at] = (int64_t)((double)relation->count * share);
            relation->head[at] =
                (int64_t)((double)relation->count * 0.7 * chance(at, r, 6) * share);
        }
    }
}

static const char *const pos[] = {"ADJ",  "ADP", "ADV",  "AUX",   "CCONJ", "DET",
                                  "NOUN", "NUM", "PRON", "PROPN", "PUNCT", "VERB"};
#define POS (sizeof pos / sizeof *pos)

static void fill_pos(struct survey *survey)
{
    const size_t count = survey->layers * survey->heads;
    survey->pos_count = POS;
    survey->pos = room(POS, sizeof *survey->pos);
    memcpy((void *)survey->pos, pos, sizeof pos);
    survey->pos_words = room(POS, sizeof *survey->pos_words);
    survey->pos_mass = room(POS * POS * count, sizeof *survey->pos_mass);
    for (size_t p = 0; p < POS; p++)
        survey->pos_words[p] = 500 + 400 * (int64_t)(p * 7 % POS);
    for (size_t i = 0; i < POS * POS * count; i++) {
        const double share = chance(i % count, i / count, 7);
        survey->pos_mass[i] = (int64_t)((double)survey->pos_words[i / count / POS] * WHOLE *
                                        (share > 0.85 ? 0.5 * share : 0.04 * share));
    }
}

/* ---- Pieces and examples ---- */

static const char *const pieces[] = {"the", "of",  "to",  "and",  "a",    "in",   "that", "is",
                                     "it",  "for", "you", "##s",  "was",  "on",   "not",  "##ing",
                                     "be",  "as",  "are", "with", "have", "they", "his",  "but"};
#define PIECES (sizeof pieces / sizeof *pieces)

static void fill_pieces(struct survey *survey)
{
    const size_t count = survey->layers * survey->heads;
    survey->piece_count = PIECES;
    survey->pieces = room(PIECES, sizeof *survey->pieces);
    for (size_t i = 0; i < PIECES; i++) {
        struct survey_piece *piece = &survey->pieces[i];
        *piece = (struct survey_piece){
            .id = 100 + (int64_t)i, .name = (char *)pieces[i], .count = 2400 / (int64_t)(i + 1)};
        piece->from = room(count, sizeof *piece->from);
        piece->at = room(count, sizeof *piece->at);
        for (size_t at = 0; at < count; at++) {
            piece->from[at] = (int64_t)((double)piece->count * WHOLE * chance(at, i, 8));
            piece->at[at] =
                (int64_t)((double)piece->count * WHOLE * chance(at, i, 9) * chance(at, i, 10));
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
static struct survey_example example(size_t at, size_t number, double weight)
{
    const size_t text = (at + number) % KEPT;
    const size_t from = (size_t)(chance(at, number, 11) * (LEAST_WORDS - 1));
    const size_t to = (from + 1 + (size_t)(3 * chance(at, number, 12))) % LEAST_WORDS;
    return (struct survey_example){(int64_t)(weight * WHOLE), (int64_t)text, (int64_t)from,
                                   (int64_t)to};
}

static void fill_examples(struct survey *survey)
{
    const size_t count = survey->layers * survey->heads;
    survey->kept_count = KEPT;
    survey->kept = room(KEPT, sizeof *survey->kept);
    for (size_t i = 0; i < KEPT; i++)
        survey->kept[i] = (struct survey_text){
            .number = 10 * i, .id = (char *)texts[i].id, .words = (char *)texts[i].words};
    for (size_t at = 0; at < count; at++) {
        struct survey_examples *of = &survey->examples[at];
        for (size_t i = 0; i < SURVEY_STRONGEST; i++)
            of->strongest[i] = example(at, i, 0.99 - 0.01 * (double)i - 0.1 * chance(at, 0, 13));
        for (size_t decile = 2; decile < SURVEY_DECILES; decile++) {
            of->deciles[decile] = TEXTS / 8;
            for (size_t i = 0; i < SURVEY_UNIFORM; i++)
                of->uniform[decile][i] =
                    example(at, 8 + decile * 3 + i, 0.1 * (double)decile + 0.03 * (double)i + 0.01);
        }
    }
}

/* ---- The whole ---- */

static void make_room(struct survey *survey)
{
    const size_t count = survey->layers * survey->heads;
    for (int i = 0; i < SURVEY_ALWAYS; i++) {
        struct survey_figure_sums *sums = &survey->figures[i];
        int64_t *numbers = room(5 * count, sizeof *numbers);
        sums->sum = numbers;
        sums->squares = numbers + count;
        sums->products = numbers + 3 * count;
    }
    survey->reach = room(count * SURVEY_REACH, sizeof *survey->reach);
    survey->maxima = room(count * SURVEY_BINS, sizeof *survey->maxima);
    survey->entropies = room(count * SURVEY_BINS, sizeof *survey->entropies);
    survey->examples = room(count, sizeof *survey->examples);
}

/* SHA-256 of the word pieces of tests/vectors/tiny-bert. */
#define TINY_PIECES "3fc7f96cc0037801b342eeaf1b1d0ffd9b422fd9ad67be6be52d7eea0be8ab80"

const struct survey *sample_survey(size_t layers, size_t heads, enum sample with)
{
    static uint64_t first;
    static struct survey_corpus corpus = {
        .name = (char *)"sample.conllu", .parts = 1, .shards = &first, .shard_count = 1};
    struct survey *survey = room(1, sizeof *survey);
    survey->layers = layers;
    survey->heads = heads;
    survey->origin = (struct survey_origin){.model = (char *)"built-in",
                                            .digest = (char *)"",
                                            .tokenizer = (char *)TINY_PIECES,
                                            .kernels = (char *)"portable",
                                            .options = (char *)""};
    survey->corpora = &corpus;
    survey->corpus_count = 1;
    make_room(survey);
    if (with == SAMPLE_NOTHING)
        return survey;
    survey->texts = TEXTS;
    survey->too_long = 1;
    survey->tokens = ROWS;
    survey->words = 25000;
    for (int i = 0; i < SURVEY_ALWAYS; i++)
        fill_figure(survey, &survey->figures[i], (enum survey_figure)i);
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
    {"corpus-speech-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "x x x x x"},
    {"corpus-words-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_WORDS, "r"},
    {"corpus-nothing-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_NOTHING, "Down"},
    {"corpus-present-120x40", 120, 40, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "P Right Right"},
    {"corpus-present-80x24", 80, 24, {GLYPHS_BRAILLE, false}, SAMPLE_ALL, "r P Enter Down"},
    {"corpus-ascii", 80, 24, {GLYPHS_ASCII, true}, SAMPLE_ALL, "Right Right"},
    {"corpus-mono", 120, 40, {GLYPHS_BRAILLE, true}, SAMPLE_ALL, "Right Right"},
};
