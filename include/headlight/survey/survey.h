/* survey.h: what each head does over many texts: a sorted table of integers that can be merged.
 *
 * Every weight, entropy or distance that is added up is first rounded to a multiple of 2^-24, and
 * sums are integers: so the sum of parts is the sum of the whole in any order and any grouping.
 *
 *     struct survey *survey;
 *     survey_new(SITE_ONLY, L, A, &survey, &error);
 *     survey_prepare(survey, text, tokenizer, encoding, NULL, &rows, &error);
 *     survey_add_head(survey, rows, trace, layer, head);      of every head
 *     survey_finish(survey, rows, &error);
 *
 * w[i][j] is the weight with which token i attends to token j; T tokens, N words of a text.
 *
 * Word level (Clark et al. 2019, section 4.1): to a word the sum of its pieces, from a word their
 * mean; a word's weight on itself is left out; a word without pieces has no weights, as source or
 * target. A piece belongs to the word in which its first byte lies. Words are those that
 * the file gives, else what blanks separate; those of a second text follow the first's.
 *
 * Weights that are no numbers, or negative, count as 0. */
#pragma once

#include "headlight/lens/metrics.h"
#include "headlight/survey/texts.h"

#include <stdatomic.h>

#define SURVEY_FORMAT 4
#define SURVEY_UNIT   (1 << 24)
#define NO_HEAD       ((size_t)-1)

/* A sum of products is a pair: a whole number, and 0 … 2^60 - 1 of 2^-60, to which each product is
 * rounded. So equal sums are equal pairs, and an effect of 1e-5 has an interval. */
#define SURVEY_FRACTION 60

/* Weight by signed distance j - i: bin 7 is the token itself, 6 and 8 are 1 before and after, then
 * 2, 3-4, 5-8, 9-16, 17-32, 33 and more. */
#define SURVEY_REACH 15

/* Of the largest weight of a row, from 0 to 1, and of its entropy, from 0 to 10 bits, the last bin
 * open. */
#define SURVEY_BINS     20
#define SURVEY_BITS_MAX 10

/* head - dependent, -10 … 10, and all others. */
#define SURVEY_OFFSETS    10
#define SURVEY_OFFSET_FAR (2 * SURVEY_OFFSETS + 1)

/* Tenths of a weight. */
#define SURVEY_DECILES 10

/* What is counted of a corpus, or of its shards; and the sum of the hashes of its texts
 * with their ids, modulo 2^64. */
#define SURVEY_TOTALS(TOTAL)                                                                       \
    TOTAL(TEXTS, texts)                                                                            \
    TOTAL(TOO_LONG, too_long)                                                                      \
    TOTAL(REFUSED, refused)                                                                        \
    TOTAL(TOKENS, tokens)                                                                          \
    TOTAL(WORDS, words)

#define TOTAL(code, name) SURVEY_##code,
enum survey_total { SURVEY_TOTALS(TOTAL) SURVEY_TOTAL_COUNT, SURVEY_DIGEST = SURVEY_TOTAL_COUNT };
#undef TOTAL

/* What else is counted when a model is compared with another one, text by text. */
enum survey_count {
    SURVEY_VECTORS, /* tokens that cosines are of: none where the models' vectors differ in size */
    SURVEY_ANSWERS, /* of questions to both models */
    SURVEY_FLIPPED, /* of these: the likeliest is another one */
    SURVEY_COUNTS,
};

/* The kinds of rows, in their order, with the name in a file, how many numbers a row has of its
 * own, how many of each head, and how many pairs these end in. What the numbers are, and by which
 * names and numbers rows of a kind differ:
 *
 *     shard     corpus; shard, of how many. enum survey_total, digest. All shards of a corpus
 *               together are shard 0 of 1
 *     figure    by the number in METRICS, with its name. Σn, Σn²; of heads Σs in 2^-24, and the
 *               pairs Σs² and Σs·n. s is the sum in a text and n the number of tokens added up
 *               there, or 1 if it is of texts: for the interval of the mean Σs/Σn of whole texts
 *               (Cochran 1977, 6.4, the ratio estimator): variance = Σ(s - mean·n)² / (Σn)²
 *     beside    of models that see the past alone, by the figure, what labels stand on: of the
 *               tokens from the third on what a head gives to others than the first token
 *               (lens/metrics.h). How many tokens, and in how many texts; of heads Σs, Σn in 2^-24
 *               and the pairs Σs², Σs·n and Σn², where n is that weight. Of `first` s is the rest
 *               of it and n the number of tokens
 *     reach     weight by distance
 *     maximum   rows by their largest weight,
 *     entropy   and by their entropy
 *     decile    texts by the tenth of the weight of their heaviest pair
 *     example   struct survey_example, one after the other
 *     compared  only with METRIC_MOVED: enum survey_count
 *     cosine    likewise, by the level of cosine.h: of a token's vectors in both models
 *     relation  by DEPREL as it stands in the file; punct and the root are left out. How many
 *               pairs, and these by head - dependent; of heads how often the dependent's largest
 *               weight is on its head, and how often, of all words, the head looks at the dependent
 *               most
 *     pos       UPOS. Words
 *     mass      UPOS, UPOS. Of heads the weight from words of one to words of another
 *     piece     id of a word piece, its name. How often it occurs; of heads, between two different
 *               tokens that are words' pieces, the weight from it and that on it
 *     text      corpus, number, words, hash, id: one that some example is of. Words are separated
 *               by single blanks, two texts by a tab; a blank in a word is a newline
 *
 * Of relations and parts of speech there are limits: more are another column's, and each would cost
 * a sum for every head, of parts of speech for every pair of them. */
#define SURVEY_KINDS(KIND)                                                                         \
    KIND(SHARD, shard, SURVEY_DIGEST + 1, 0, 0)                                                    \
    KIND(FIGURE, figure, 2, 5, 2)                                                                  \
    KIND(BESIDE, beside, 2, 8, 3)                                                                  \
    KIND(REACH, reach, 0, SURVEY_REACH, 0)                                                         \
    KIND(MAXIMA, maximum, 0, SURVEY_BINS, 0)                                                       \
    KIND(ENTROPIES, entropy, 0, SURVEY_BINS, 0)                                                    \
    KIND(DECILES, decile, 0, SURVEY_DECILES, 0)                                                    \
    KIND(EXAMPLES, example, 0, SURVEY_EXAMPLES * 4, 0)                                             \
    KIND(COMPARED, compared, SURVEY_COUNTS, 0, 0)                                                  \
    KIND(COSINES, cosine, 1, 0, 0)                                                                 \
    KIND(RELATION, relation, SURVEY_OFFSET_FAR + 2, 2, 0)                                          \
    KIND(POS, pos, 1, 0, 0)                                                                        \
    KIND(MASS, mass, 0, 1, 0)                                                                      \
    KIND(PIECE, piece, 1, 2, 0)                                                                    \
    KIND(TEXT, text, 0, 0, 0)

#define KIND(code, ...) ROW_##code,
enum survey_kind { SURVEY_KINDS(KIND) ROW_KINDS };
#undef KIND

extern const struct survey_kind_info {
    const char *name;
    size_t numbers, each, pairs;
} survey_kinds[ROW_KINDS];

/* Rows are in the order of the kind, then of the first name, the first number, and so on. Of a row
 * that is in a survey each name is followed by a NUL, and the next name by that. */
#define SURVEY_NAMES 3

struct survey_key {
    enum survey_kind kind;
    struct text names[SURVEY_NAMES];
    int64_t numbers[SURVEY_NAMES - 1];
};

struct survey_row {
    struct survey_key key;
    bool dropped;
    int64_t numbers[]; /* its own, then [L,A] those of each head */
};

/* The heaviest pair of two different words of a text in a head. The examples of a head are several
 * lists: the texts whose heaviest pair is heaviest, of equal ones the earlier; and of all texts in
 * each tenth of that weight those with the least hash of the id. */
#define SURVEY_STRONGEST 8
#define SURVEY_UNIFORM   3
#define SURVEY_EXAMPLES  (SURVEY_STRONGEST + SURVEY_DECILES * SURVEY_UNIFORM)

struct survey_example {
    int64_t weight; /* 0: there is none here */
    union {
        struct survey_row *text; /* of the survey; */
        int64_t index;           /* in a file its index among these */
    };
    int64_t from, to; /* words */
};
_Static_assert(sizeof(struct survey_example) == 4 * sizeof(int64_t), "four numbers of a row");

/* Which model, and how: two surveys can only be merged if all of it is the same. */
#define SURVEY_ORIGINS 7

struct survey_origin {
    union {
        struct {
            char *model;     /* its name */
            char *digest;    /* SHA-256 of its configuration and tensors */
            char *tokenizer; /* SHA-256 of every piece by its id */
            char *kernels;   /* whose bits they are (kernels.h) */
            char *options;   /* what else decides: "sample 100 seed 7 truncated" */
            char *against;   /* the other model's digest; NULL: there is none */
            char *site;      /* "encoder", "decoder" or "cross"; NULL: its only attention */
        };
        char *all[SURVEY_ORIGINS];
    };
};
extern const char *const survey_origin_names[SURVEY_ORIGINS]; /* in files, JSON and messages */

struct survey {
    enum site site;
    size_t layers, heads; /* L A, of that */
    struct survey_origin origin;
    struct survey_row **rows;        /* sorted */
    size_t first[ROW_KINDS + 1];     /* where the rows of each kind begin, and end */
    struct survey_example *examples; /* [L,A,SURVEY_EXAMPLES] the numbers of their row */

    /* While it is made bit by bit (gather_more): */
    struct corpus_position begin, next; /* of the corpus */
    bool whole;                         /* none follows */
    struct interventions changes;

    /* While texts are added, which come in any order: */
    size_t capacity;           /* for rows */
    size_t unfinished;         /* texts that are not finished */
    bool past;                 /* tokens of the text to be prepared see only those before them */
    atomic_bool out_of_memory; /* for a head */
};

/* Empty sums, of no corpus, with the figures that are defined for the site: of SITE_CROSS no reach.
 * STATUS_MEMORY. Free with survey_free. */
enum status survey_new(enum site site, size_t layers, size_t heads, struct survey **survey,
                       struct error *error);

/* Accepts NULL. */
void survey_free(void *survey);

/* Copies what it is of, but for what is NULL or known already. STATUS_MEMORY. */
enum status survey_name_origin(struct survey *survey, const char *const origin[SURVEY_ORIGINS],
                               struct error *error);

/* Makes room for a figure that not every survey has, or for what heads do beside the first token.
 * STATUS_MEMORY. */
enum status survey_want(struct survey *survey, enum metric figure, struct error *error);
enum status survey_want_beside(struct survey *survey, struct error *error);

/* ---- Rows ---- */

static inline size_t survey_count(const struct survey *survey, enum survey_kind kind)
{
    return survey->first[kind + 1] - survey->first[kind];
}

static inline struct survey_row *survey_at(const struct survey *survey, enum survey_kind kind,
                                           size_t index)
{
    return survey->rows[survey->first[kind] + index];
}

/* "nsubj", or another one of its names. */
static inline const char *survey_name(const struct survey *survey, enum survey_kind kind,
                                      size_t index)
{
    return survey_at(survey, kind, index)->key.names[0].bytes;
}

/* A row's numbers of a head. */
static inline int64_t *survey_of_head(const struct survey_row *row, size_t head)
{
    const struct survey_kind_info *info = &survey_kinds[row->key.kind];
    return (int64_t *)row->numbers + info->numbers + head * info->each;
}

/* All of it, in numbers. */
size_t survey_width(const struct survey *survey, enum survey_kind kind);

/* Whether the i-th of these is of a pair (SURVEY_FRACTION), of which it may be the fraction. */
bool survey_is_pair(enum survey_kind kind, size_t i, bool *fraction);

/* NULL: there is none. And the index of a row among those of its kind. */
struct survey_row *survey_find(const struct survey *survey, const struct survey_key *key);
size_t survey_place(const struct survey *survey, const struct survey_row *row);

/* The row, which is added with zeros if there is none. Rows that are there stay where they are in
 * memory. STATUS_MEMORY; STATUS_LIMIT where there are too many. */
struct survey_row *survey_insert(struct survey *survey, const struct survey_key *key,
                                 struct error *error);

int survey_compare_keys(const struct survey_key *a, const struct survey_key *b);

/* Of a figure, of all weights or beside the first token; NULL: the survey hasn't got it. */
struct survey_row *survey_row_of(const struct survey *survey, enum survey_kind kind,
                                 enum metric figure);

static inline struct survey_row *survey_figure(const struct survey *survey, enum metric figure)
{
    return survey_row_of(survey, ROW_FIGURE, figure);
}

/* The figure of a row, by its index. */
static inline enum metric survey_figure_at(const struct survey *survey, size_t index)
{
    return METRIC_BEGIN + (enum metric)survey_at(survey, ROW_FIGURE, index)->key.numbers[0];
}

/* Shards of one corpus are beside each other: where those end that begin at `first`. */
size_t survey_corpus_end(const struct survey *survey, size_t first);

/* Over all corpora; and all texts so far, with those that could not be read or did not fit. */
int64_t survey_total(const struct survey *survey, enum survey_total total);
int64_t survey_passed(const struct survey *survey);

/* Counts texts of the first shard that are left out. */
void survey_count_refused(struct survey *survey, uint64_t too_long, uint64_t refused);

/* ---- Texts ---- */

/* A text on its way into a survey: its words' pieces, relations, names that the survey has now. */
struct text_rows;

/* A decoder's text: what it reads. */
struct survey_target {
    const struct tokenizer *tokenizer;
    const struct encoding *encoding;
};

/* Of a pair whose second text attends to the first: STATUS_FORMAT if it has no links, or wrong ones
 * (corpus_text.alignment), in a sentence that names neither file nor line. */
enum status survey_check_links(const struct corpus_text *text, struct error *error);

/* Counts a text of the first shard and prepares its sums; its weights come head by head. What it
 * needs of the text and its encoding (with special tokens), of a decoder's self-attention that of
 * the target, is copied. The target, whose links have been checked, is NULL of a text that attends
 * to itself. STATUS_MEMORY; STATUS_LIMIT when a sum could overflow. */
enum status survey_prepare(struct survey *survey, const struct corpus_text *text,
                           const struct tokenizer *tokenizer, const struct encoding *encoding,
                           const struct survey_target *target, struct text_rows **rows,
                           struct error *error);

/* Adds a head's weights, [T,S] of the trace. Different heads may be added by different threads at
 * the same time, one head by one thread, and several texts may be prepared at once: but before, as
 * preparing one and finishing one change the table. */
void survey_add_head(struct survey *survey, const struct text_rows *rows, const struct trace *trace,
                     size_t layer, size_t head);

/* Frees what was prepared. After the last of several texts, drops those that no example is of: the
 * same sums are then the same table. */
enum status survey_finish(struct survey *survey, struct text_rows *rows, struct error *error);

/* Drops texts that no example is of. Not while a text is prepared. */
void survey_prune(struct survey *survey);

/* Drops the rows of a kind that are marked so. */
void survey_drop(struct survey *survey, enum survey_kind kind);

/* Puts an example into its list of a head, if it has a place there: the strongest (list 0), of
 * which the heaviest come first, or those of a tenth (1 …), of which the least hashes do. */
void survey_put_example(struct survey *survey, size_t head, size_t list,
                        struct survey_example example);

/* A list's first example, and how many there may be. */
static inline struct survey_example *survey_examples(const struct survey *survey, size_t head,
                                                     size_t list, size_t *most)
{
    *most = list == 0 ? SURVEY_STRONGEST : SURVEY_UNIFORM;
    return survey->examples + head * SURVEY_EXAMPLES +
           (list == 0 ? 0 : SURVEY_STRONGEST + (list - 1) * SURVEY_UNIFORM);
}

/* ---- Merging ---- */

/* STATUS_MISMATCH when they are not of the same model, options and kernels. */
enum status survey_compare(const struct survey *survey, const struct survey *other,
                           struct error *error);

/* STATUS_MISMATCH when they have shards of a corpus that don't go together: of several numbers of
 * them, or the same one. */
enum status survey_compare_shards(const struct survey *survey, const struct survey *other,
                                  struct error *error);

/* Adds another survey's sums. STATUS_MISMATCH, with nothing added: it is of another model, other
 * options or kernels, or has a shard that is here, too. Associative and commutative: any order
 * gives the same bytes in a file. */
enum status survey_merge(struct survey *survey, const struct survey *other, struct error *error);

/* Likewise those of further texts of the same shard. Without memory no number is changed. */
enum status survey_append(struct survey *survey, const struct survey *other, struct error *error);
