/* add.c: a head's weights on one text into the sums: row by row as tokens, and once more as words.
 * Every number is rounded before it is added (survey.h). */
#include "headlight/base/size.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/text_rows.h"

#include <stdlib.h>

/* One head of one text on its way into the sums. Columns are of words. */
struct adding {
    struct survey *survey;
    const struct text_rows *rows, *attended; /* T N, and S M of what they attend to */
    const struct trace *trace;
    size_t head;          /* of all */
    const float *weights; /* [T,S] */
    struct token_kinds kinds;
    int64_t sums[METRIC_EFFECT];
    double entropy, most; /* bits, and the largest possible ones */
    int64_t *rounded;     /* [S] of the row at hand in units: what is no number or negative is 0 */
    int64_t *columns;     /* [S] weight on each token, for its word piece */
    double *row;          /* [M] from the word at hand to each */
    double *most_looked;  /* [M] the largest weight on each word so far, */
    size_t *looked_by;    /* [M] and the word that it is from */
    size_t *looks_at;     /* [N] the word that each looks at most */
    struct survey_example strongest;
};

/* The numbers of the head at hand, of a row of which there is one. */
static int64_t *only(const struct adding *adding, enum survey_kind kind)
{
    return survey_of_head(survey_at(adding->survey, kind, 0), adding->head);
}

static void count_bin(int64_t *bins, double share)
{
    const double bin = share * SURVEY_BINS;
    bins[bin < SURVEY_BINS ? (size_t)bin : SURVEY_BINS - 1]++;
}

/* What token i does. */
static void add_row(struct adding *adding, size_t i)
{
    const struct text_rows *rows = adding->rows;
    const size_t S = adding->attended->tokens;
    const float *w = adding->weights + i * S;
    const struct token_range visible =
        trace_visible(adding->trace, adding->head / adding->trace->heads, i);
    double of[METRIC_EFFECT];
    metrics_of_row(w, visible, i, &adding->kinds, of);
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
        adding->sums[metric] += isnan(of[metric]) ? 0 : survey_units(of[metric]);
    adding->entropy += of[METRIC_ENTROPY];
    adding->most += log2((double)(visible.end - visible.first));
    count_bin(only(adding, ROW_MAXIMA), of[METRIC_MAXIMUM]);
    count_bin(only(adding, ROW_ENTROPIES), of[METRIC_ENTROPY] / SURVEY_BITS_MAX);
    int64_t reach[SURVEY_REACH] = {0};
    for (size_t j = 0; j < S; j++) {
        adding->rounded[j] = survey_units(w[j] > 0 ? (double)w[j] : 0);
        /* by distance, in bins of 1, 2, 3-4, 5-8, 9-16, 17-32 and more, to both sides */
        const int apart = abs((int)j - (int)i), middle = SURVEY_REACH / 2;
        const int bin = apart < 2 ? apart : 33 - __builtin_clz((unsigned)apart - 1);
        reach[middle + (j < i ? -1 : 1) * int_min(bin, middle)] += adding->rounded[j];
    }
    for (size_t bin = 0; !rows->links && bin < SURVEY_REACH; bin++)
        only(adding, ROW_REACH)[bin] += reach[bin];
    /* Weight between word pieces: from that of token i, and to those of all others. */
    struct survey_row *const *piece = rows->piece;
    int64_t from = 0;
    for (size_t j = 0; piece[i] && j < rows->tokens; j++) {
        const int64_t weight = j == i || !piece[j] ? 0 : adding->rounded[j];
        adding->columns[j] += weight;
        from += weight;
    }
    if (piece[i])
        survey_of_head(piece[i], adding->head)[0] += from;
}

/* When all pieces of word k are in its row: [M] of their sums, which become their mean. */
static void add_word(struct adding *adding, size_t k)
{
    const struct text_rows *rows = adding->rows;
    const struct word *word = &rows->words[k], *words = adding->attended->words;
    const size_t M = adding->attended->word_count, before = rows->links ? 0 : rows->before;
    const double pieces = (double)word->pieces, *row = adding->row;
    struct survey_row *const *mass =
        word->pos == NO_INDEX ? NULL : rows->mass + word->pos * rows->pos_count;
    struct survey_example heaviest = adding->strongest;
    double most = -1, *most_looked = adding->most_looked;
    for (size_t m = 0; m < M; m++) {
        if ((m == k && !rows->links) || words[m].pieces == 0)
            continue;
        const double weight = row[m] / pieces;
        const int64_t rounded = survey_units(weight);
        if (weight > most) {
            most = weight;
            adding->looks_at[k] = m;
        }
        if (weight > most_looked[m]) {
            most_looked[m] = weight;
            adding->looked_by[m] = k;
        }
        if (rounded > heaviest.weight)
            heaviest = (struct survey_example){.weight = rounded,
                                               .text = rows->text,
                                               .from = (int64_t)(rows->before + k),
                                               .to = (int64_t)(before + m)};
        if (mass && words[m].pos != NO_INDEX)
            *survey_of_head(mass[words[m].pos], adding->head) += rounded;
    }
    adding->strongest = heaviest;
}

/* The words of the rows are those of its tokens, or what a decoder's say. The pieces of a word lie
 * beside each other. When all words are known, so is what depends on what. */
static void add_words(struct adding *adding, const size_t *word)
{
    const struct text_rows *rows = adding->rows;
    const size_t T = rows->tokens, S = adding->attended->tokens, M = adding->attended->word_count;
    const size_t *attended = adding->attended->word;
    double *row = adding->row;
    for (size_t m = 0; m < M; m++) {
        adding->most_looked[m] = -1;
        adding->looked_by[m] = NO_WORD;
    }
    for (size_t k = 0; k < rows->word_count; k++)
        adding->looks_at[k] = NO_WORD;
    for (size_t i = 0; i < T; i++) {
        const float *w = adding->weights + i * S;
        const size_t k = word[i];
        if (k == NO_WORD)
            continue;
        if (i == 0 || word[i - 1] != k)
            memset(row, 0, M * sizeof *row);
        for (size_t j = 0; j < S; j++)
            if (attended[j] != NO_WORD && w[j] > 0)
                row[attended[j]] += (double)w[j];
        if (i + 1 == T || word[i + 1] != k)
            add_word(adding, k);
    }
    for (size_t p = 0; p < rows->pair_count; p++) {
        const struct pair *pair = &rows->pairs[p];
        int64_t *found = survey_of_head(pair->relation, adding->head);
        found[0] += adding->looks_at[pair->dependent] == pair->head;
        found[1] += adding->looked_by[pair->dependent] == pair->head;
    }
}

bool survey_add_pair(int64_t pair[2], int64_t whole, int64_t fraction)
{
    const int64_t sum = pair[1] + fraction;
    pair[1] = sum & (((int64_t)1 << SURVEY_FRACTION) - 1);
    return !__builtin_add_overflow(pair[0], whole, &pair[0]) &&
           !__builtin_add_overflow(pair[0], sum >> SURVEY_FRACTION, &pair[0]);
}

/* Rounded to the unit of a pair; fits, as survey_prepare sees to. */
static void add_number(int64_t pair[2], double number)
{
    const double whole = floor(number);
    survey_add_pair(pair, (int64_t)whole, llrint(ldexp(number - whole, SURVEY_FRACTION)));
}

void survey_add_figure(struct survey *survey, enum metric figure, size_t head, double sum,
                       size_t rows)
{
    int64_t *sums = survey_of_head(survey_figure(survey, figure), head);
    sums[0] += survey_units(sum);
    add_number(sums + 1, sum * sum);
    add_number(sums + 3, sum * (double)rows);
}

/* What labels stand on beside the first token: of each figure the sum, and of how much weight. */
static void add_beside(const struct adding *adding)
{
    const size_t A = adding->trace->heads, T = adding->rows->tokens;
    double of[METRIC_EFFECT], over[METRIC_EFFECT];
    metrics_beside(adding->trace, adding->head / A, adding->head % A, &adding->kinds, 1, of, over);
    of[METRIC_FIRST] = T > 2 ? 1 - over[METRIC_FIRST] / (double)(T - 2) : 0;
    over[METRIC_FIRST] = T > 2 ? (double)(T - 2) : 0;
    for (size_t i = 0; i < survey_count(adding->survey, ROW_BESIDE); i++) {
        const struct survey_row *row = survey_at(adding->survey, ROW_BESIDE, i);
        const enum metric figure = METRIC_BEGIN + (enum metric)row->key.numbers[0];
        const double n = over[figure], s = n > 0 ? of[figure] * n : 0;
        int64_t *sums = survey_of_head(row, adding->head);
        sums[0] += survey_units(s);
        sums[1] += survey_units(n);
        add_number(sums + 2, s * s);
        add_number(sums + 4, s * n);
        add_number(sums + 6, n * n);
    }
}

/* Of words that the file links, each to the one that it looks at most. */
static void add_links(struct adding *adding, enum metric aer)
{
    const struct text_rows *rows = adding->rows;
    const size_t M = adding->attended->word_count, *to = adding->looks_at;
    size_t sure = 0, known = 0;
    for (size_t k = 0; k < rows->word_count; k++) {
        const enum link link =
            rows->words[k].linked && to[k] < M ? rows->links[k * M + to[k]] : LINK_NONE;
        sure += link == LINK_SURE;
        known += link != LINK_NONE;
    }
    const size_t sums[] = {rows->linked + rows->sure - sure - known, known, sure};
    for (enum metric f = aer; f < aer + 3; f++)
        survey_add_figure(adding->survey, f, adding->head, (double)sums[f - aer],
                          survey_rows_of(rows, f));
}

void survey_add_head(struct survey *survey, const struct text_rows *rows, const struct trace *trace,
                     size_t layer, size_t head)
{
    const struct text_rows *attended = rows->attended;
    const size_t T = rows->tokens, S = attended->tokens, M = attended->word_count;
    struct adding adding = {.survey = survey,
                            .rows = rows,
                            .attended = attended,
                            .trace = trace,
                            .head = layer * trace->heads + head,
                            .weights = trace->layer[layer].weights + head * T * S};
    int64_t *block = calloc(2 * S + 3 * M + rows->word_count + 1, sizeof *block);
    if (!block) {
        atomic_store_explicit(&survey->out_of_memory, true, memory_order_relaxed);
        return;
    }
    adding.columns = block;
    adding.rounded = block + S;
    adding.row = (double *)(void *)(block + 2 * S);
    adding.most_looked = adding.row + M;
    adding.looked_by = (size_t *)(void *)(adding.most_looked + M);
    adding.looks_at = adding.looked_by + M;
    adding.kinds = (struct token_kinds){.separators = attended->separators,
                                        .words = rows->links ? NULL : rows->first};
    for (size_t i = 0; i < T; i++)
        add_row(&adding, i);
    for (size_t j = 0; j < S; j++)
        if (attended->piece[j])
            survey_of_head(attended->piece[j], adding.head)[1] += adding.columns[j];
    add_words(&adding, rows->word + (rows->links != NULL));
    if (survey_count(survey, ROW_BESIDE) > 0)
        add_beside(&adding);
    const double broad = adding.most > 0 ? adding.entropy / adding.most : 0;
    adding.sums[METRIC_BROAD] = survey_units(broad) * (int64_t)T;
    for (enum metric f = METRIC_BEGIN; f < METRIC_EFFECT; f++)
        if (survey_figure(survey, f))
            survey_add_figure(survey, f, adding.head, (double)adding.sums[f] / SURVEY_UNIT,
                              survey_rows_of(rows, f));
    if (adding.strongest.weight > 0) {
        const size_t tenth = evidence_tenth(&adding.strongest);
        only(&adding, ROW_DECILES)[tenth]++;
        survey_put_example(survey, adding.head, 0, adding.strongest);
        survey_put_example(survey, adding.head, 1 + tenth, adding.strongest);
    }
    if (rows->links) { /* at the rows that say a word, those that read it, and on the diagonal */
        const size_t N = rows->word_count;
        add_links(&adding, METRIC_AER);
        add_words(&adding, rows->word);
        add_links(&adding, METRIC_AER_READ);
        for (size_t k = 0; k < N && M > 0; k++)
            adding.looks_at[k] = size_min((2 * k * M + N) / (2 * N), M - 1);
        add_links(&adding, METRIC_AER_DIAGONAL);
    }
    free(block);
}
