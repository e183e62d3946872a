/* add.c: a head's weights on one text into the sums: row by row as tokens, and once more as words.
 * Every number is rounded before it is added (survey.h). */
#include "headlight/survey/prepared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One head of one text on its way into the sums. Columns are of words. */
struct adding {
    struct survey *survey;
    const struct survey_prepared *prepared;
    size_t place;         /* of the head among all, in arrays [L,A] */
    const float *weights; /* [T,T] */
    int64_t sums[SURVEY_FIGURE_COUNT];
    double entropy, most; /* bits, and the largest possible ones */
    int64_t *columns;     /* [T] weight on each token, for its word piece */
    double *row;          /* [N] from the word at hand to each */
    double *most_looked;  /* [N] the largest weight on each word so far, */
    size_t *looked_by;    /* [N] and the word that it is from */
    size_t *looks_at;     /* [N] the word that each looks at most */
    struct survey_example strongest;
};

/* Half to even, as IEEE 754 rounds. */
static int64_t units(double number)
{
    return llrint(number * SURVEY_UNIT);
}

/* The bin of a distance, above 0: 1, 2, 3-4, 5-8, 9-16, 17-32, more. */
static size_t bin_of(size_t distance)
{
    size_t bin = 1;
    for (size_t most = 1; bin < SURVEY_REACH / 2 && distance > most; most *= 2)
        bin++;
    return bin;
}

static void count_bin(int64_t *bins, double share)
{
    const double bin = share * SURVEY_BINS;
    bins[bin < SURVEY_BINS ? (size_t)bin : SURVEY_BINS - 1]++;
}

/* The weight on other occurrences of the same word, and on what followed the earlier ones. */
static void add_occurrences(struct adding *adding, size_t i, const float *w)
{
    const size_t *first = adding->prepared->first;
    double same = 0, induction = 0;
    if (first[i] == NO_PLACE)
        return;
    for (size_t j = first[i]; j < adding->prepared->tokens; j++) {
        if (j == i || first[j] != first[i])
            continue;
        same += (double)w[j];
        induction += j + 1 < i ? (double)w[j + 1] : 0;
    }
    adding->sums[SURVEY_SAME] += units(same);
    adding->sums[SURVEY_INDUCTION] += units(induction);
}

/* What token i does. */
static void add_row(struct adding *adding, size_t i)
{
    const struct survey_prepared *prepared = adding->prepared;
    struct survey *survey = adding->survey;
    const size_t T = prepared->tokens;
    const float *w = adding->weights + i * T;
    int64_t *reach = survey->reach + adding->place * SURVEY_REACH, *sums = adding->sums, from = 0;
    double separators = 0, entropy = 0, distance = 0, maximum = 0;
    size_t seen = 0;
    for (size_t j = 0; j < T; j++) {
        const double weight = (double)w[j];
        const size_t far = j > i ? j - i : i - j, bin = far > 0 ? bin_of(far) : 0;
        const int64_t rounded = units(weight);
        if (weight <= 0)
            continue;
        seen = j + 1;
        separators += prepared->separators[j] ? weight : 0;
        entropy -= weight * log2(weight);
        distance += weight * (double)far;
        maximum = weight > maximum ? weight : maximum;
        reach[j > i ? SURVEY_REACH / 2 + bin : SURVEY_REACH / 2 - bin] += rounded;
        if (i != j && prepared->piece[i] != NO_PLACE && prepared->piece[j] != NO_PLACE) {
            adding->columns[j] += rounded;
            from += rounded;
        }
    }
    if (prepared->piece[i] != NO_PLACE)
        survey->pieces[prepared->piece[i]].from[adding->place] += from;
    sums[SURVEY_PREVIOUS] += i > 0 ? units((double)w[i - 1]) : 0;
    sums[SURVEY_NEXT] += i + 1 < T ? units((double)w[i + 1]) : 0;
    sums[SURVEY_SELF] += units((double)w[i]);
    sums[SURVEY_FIRST] += units((double)w[0]);
    sums[SURVEY_SEPARATORS] += units(separators);
    sums[SURVEY_ENTROPY] += units(entropy);
    sums[SURVEY_DISTANCE] += units(distance);
    sums[SURVEY_MAXIMUM] += units(maximum);
    adding->entropy += entropy;
    adding->most += seen > 0 ? log2((double)seen) : 0;
    count_bin(survey->maxima + adding->place * SURVEY_BINS, maximum);
    count_bin(survey->entropies + adding->place * SURVEY_BINS, entropy / SURVEY_BITS_MAX);
    add_occurrences(adding, i, w);
}

/* When all pieces of word k are in its row: [N] of their sums, which become their mean. */
static void add_word(struct adding *adding, size_t k)
{
    const struct survey_prepared *prepared = adding->prepared;
    struct survey *survey = adding->survey;
    const struct word *words = prepared->words;
    const size_t N = prepared->word_count, heads = survey->layers * survey->heads;
    double most = -1;
    for (size_t m = 0; m < N; m++) {
        if (m == k || words[m].pieces == 0)
            continue;
        const double weight = adding->row[m] / (double)words[k].pieces;
        const int64_t rounded = units(weight);
        if (weight > most) {
            most = weight;
            adding->looks_at[k] = m;
        }
        if (weight > adding->most_looked[m]) {
            adding->most_looked[m] = weight;
            adding->looked_by[m] = k;
        }
        if (rounded > adding->strongest.weight)
            adding->strongest =
                (struct survey_example){rounded, (int64_t)prepared->text, (int64_t)k, (int64_t)m};
        if (words[k].pos != NO_PLACE && words[m].pos != NO_PLACE)
            survey->pos_mass[(words[k].pos * survey->pos_count + words[m].pos) * heads +
                             adding->place] += rounded;
    }
}

/* The pieces of a word lie beside each other. */
static void add_words(struct adding *adding)
{
    const struct survey_prepared *prepared = adding->prepared;
    const size_t T = prepared->tokens, N = prepared->word_count;
    for (size_t k = 0; k < N; k++) {
        adding->most_looked[k] = -1;
        adding->looks_at[k] = adding->looked_by[k] = NO_WORD;
    }
    for (size_t i = 0; i < T; i++) {
        const size_t k = prepared->word[i];
        if (k == NO_WORD)
            continue;
        if (i == 0 || prepared->word[i - 1] != k)
            memset(adding->row, 0, N * sizeof *adding->row);
        for (size_t j = 0; j < T; j++)
            if (prepared->word[j] != NO_WORD)
                adding->row[prepared->word[j]] += (double)adding->weights[i * T + j];
        if (i + 1 == T || prepared->word[i + 1] != k)
            add_word(adding, k);
    }
}

static void add_pairs(struct adding *adding)
{
    const struct survey_prepared *prepared = adding->prepared;
    for (size_t p = 0; p < prepared->pair_count; p++) {
        const struct pair *pair = &prepared->pairs[p];
        const struct survey_relation *relation = &adding->survey->relations[pair->relation];
        relation->dependent[adding->place] += adding->looks_at[pair->dependent] == pair->head;
        relation->head[adding->place] += adding->looked_by[pair->dependent] == pair->head;
    }
}

/* The sum of a text, for intervals. */
static void add_figure(struct adding *adding, size_t figure, size_t rows)
{
    struct survey_figure_sums *sums = &adding->survey->figures[figure];
    const double sum = (double)adding->sums[figure] / SURVEY_UNIT;
    const double square = sum * sum * SURVEY_SQUARES, product = sum * (double)rows * SURVEY_SQUARES;
    int64_t *squares = &sums->squares[adding->place];
    sums->sum[adding->place] += adding->sums[figure];
    sums->products[adding->place] += llrint(product);
    if (square > (double)INT64_MAX / 2 || __builtin_add_overflow(*squares, llrint(square), squares))
        atomic_store_explicit(&adding->survey->overflowed, true, memory_order_relaxed);
}

static void add_figures(struct adding *adding)
{
    const struct survey_prepared *prepared = adding->prepared;
    const double broad = adding->most > 0 ? adding->entropy / adding->most : 0;
    adding->sums[SURVEY_BROAD] = units(broad) * (int64_t)prepared->tokens;
    for (size_t f = 0; f < SURVEY_FIGURE_COUNT; f++)
        add_figure(adding, f, survey_rows_of(prepared, (enum survey_figure)f));
}

static void add_example(const struct adding *adding)
{
    const struct survey *survey = adding->survey;
    struct survey_examples *examples = &survey->examples[adding->place];
    const int64_t weight = adding->strongest.weight;
    if (weight == 0)
        return;
    int64_t decile = weight * SURVEY_DECILES / SURVEY_UNIT;
    decile = decile < SURVEY_DECILES ? decile : SURVEY_DECILES - 1;
    examples->deciles[decile]++;
    survey_place(survey, examples->strongest, SURVEY_STRONGEST, false, adding->strongest);
    survey_place(survey, examples->uniform[decile], SURVEY_UNIFORM, true, adding->strongest);
}

void survey_add_head(struct survey *survey, const struct survey_prepared *prepared, size_t layer,
                     size_t head, const float *weights)
{
    const size_t T = prepared->tokens, N = prepared->word_count;
    struct adding adding = {.survey = survey,
                            .prepared = prepared,
                            .place = layer * survey->heads + head,
                            .weights = weights};
    int64_t *room = calloc(T + 4 * N + 1, sizeof *room);
    if (!room) {
        atomic_store_explicit(&survey->starved, true, memory_order_relaxed);
        return;
    }
    adding.columns = room;
    adding.row = (double *)(void *)(room + T);
    adding.most_looked = adding.row + N;
    adding.looked_by = (size_t *)(void *)(adding.most_looked + N);
    adding.looks_at = adding.looked_by + N;
    for (size_t i = 0; i < T; i++)
        add_row(&adding, i);
    for (size_t j = 0; j < T; j++)
        if (prepared->piece[j] != NO_PLACE)
            survey->pieces[prepared->piece[j]].at[adding.place] += adding.columns[j];
    add_words(&adding);
    add_pairs(&adding);
    add_figures(&adding);
    add_example(&adding);
    free(room);
}
