/* survey.h: what each head does over many texts: sums of integers that can be merged.
 *
 * Every weight, entropy or distance that is added up is first rounded to a multiple of 2^-24, and
 * sums are integers: so the sum of parts is the sum of the whole in any order and any grouping.
 *
 *     struct survey *survey;
 *     survey_new(L, A, &survey, &error);
 *     survey_prepare(survey, corpus, text, tokenizer, encoding, &prepared, &error);
 *     survey_add_head(survey, prepared, layer, head, weights);      of every head
 *     survey_finish(survey, prepared, &error);
 *
 * w[i][j] is the weight with which token i attends to token j; T tokens, N words of a text.
 *
 * Word level (Clark et al. 2019, section 4.1): to a word the sum of its pieces, from a word their
 * mean; a word's weight on itself is left out; a word that leaves no piece is nobody's target and
 * looks at nobody. A piece belongs to the word in which its first byte lies. Words are those that
 * the file gives, else what blanks separate; those of a second text follow the first's.
 *
 * Weights that are no numbers, or negative, count as 0. */
#ifndef HEADLIGHT_SURVEY_SURVEY_H
#define HEADLIGHT_SURVEY_SURVEY_H

#include "headlight/base/error.h"
#include "headlight/model/intervene.h"
#include "headlight/survey/texts.h"
#include "headlight/text/encoding.h"
#include "headlight/text/tokenizer.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SURVEY_FORMAT 2
#define INDEX_FORMAT  1
#define SURVEY_UNIT   (1 << 24)

/* Sums over attending tokens, as lens/metrics.h defines them, special tokens included; and
 *
 *     induction    over the tokens i whose word piece, special tokens and separators aside, occurs
 *                  before them at places p, p + 2 < i: the sum of w[i][p + 1] (Olsson et al. 2022).
 *                  The token just before i is left out, which `previous` is about
 *     broad        a text's share of the largest possible entropy, added up once for each token
 *
 * and, of surveys for which somebody asked (asked.h, survey_want),
 *
 *     effect       over texts: the log-probability of an answer without the head, less that with it
 *     moved        over tokens: how far the row is from another model's (lens/moved.h)
 *
 * code, name, unit (none: a weight, 0 … 1) */
#define SURVEY_FIGURES(FIGURE)                                                                     \
    FIGURE(PREVIOUS, previous, "")                                                                 \
    FIGURE(NEXT, next, "")                                                                         \
    FIGURE(SELF, self, "")                                                                         \
    FIGURE(FIRST, first, "")                                                                       \
    FIGURE(SEPARATORS, separators, "")                                                             \
    FIGURE(ENTROPY, entropy, " bits")                                                              \
    FIGURE(DISTANCE, distance, " tokens")                                                          \
    FIGURE(MAXIMUM, maximum, "")                                                                   \
    FIGURE(SAME, same, "")                                                                         \
    FIGURE(INDUCTION, induction, "")                                                               \
    FIGURE(BROAD, broad, "")                                                                       \
    FIGURE(EFFECT, effect, " nats")                                                                \
    FIGURE(MOVED, moved, " bits")

#define FIGURE(code, name, unit) SURVEY_##code,
enum survey_figure {
    SURVEY_FIGURES(FIGURE) SURVEY_FIGURE_COUNT,
    SURVEY_ALWAYS = SURVEY_EFFECT, /* those before it are of every survey */
};
#undef FIGURE

/* The sums of one figure; of one that the survey hasn't got, all of it is 0 and NULL. s_t is its
 * sum in text t and n_t the number of tokens added up there, or 1 if it is of texts: for the
 * interval of the mean Σs/Σn of whole texts (Cochran 1977, 6.4, the ratio estimator): variance =
 * Σ(s - mean·n)² / (Σn)². Both products are rounded to 2^-60 and summed as pairs: a whole number,
 * and 0 … 2^60 - 1 of 2^-60, so that equal sums are equal pairs, and an effect of 1e-5 has an
 * interval. */
#define SURVEY_FRACTION 60

struct survey_figure_sums {
    int64_t rows;         /* Σn */
    int64_t rows_squared; /* Σn² */
    int64_t *sum;         /* [L,A] Σs in 2^-24 */
    int64_t *squares;     /* [L,A,2] Σs² */
    int64_t *products;    /* [L,A,2] Σs·n */
};

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

/* Of a DEPREL as it stands in the file; punct and the root are left out. */
struct survey_relation {
    char *name;
    int64_t count;
    int64_t offsets[SURVEY_OFFSET_FAR + 1]; /* index: head - dependent + SURVEY_OFFSETS */
    int64_t *dependent; /* [L,A] how often the dependent's largest weight is on its head */
    int64_t
        *head; /* [L,A], behind it: how often, of all words, the head looks at the dependent most */
};

/* Weight between two different tokens that are words' pieces, by the word piece. */
struct survey_piece {
    int64_t id;
    char *name;         /* as in the vocabulary */
    int64_t count;      /* how often it occurs */
    int64_t *from, *at; /* [L,A], one behind the other */
};

/* The heaviest pair of two different words of a text in a head. */
#define SURVEY_STRONGEST 8
#define SURVEY_DECILES   10
#define SURVEY_UNIFORM   3

struct survey_example {
    int64_t weight;   /* 0: there is none here */
    int64_t text;     /* index into `kept` */
    int64_t from, to; /* words */
};

/* The examples of a head: the texts whose heaviest pair is heaviest, of equal ones the earlier; and
 * of all texts in each tenth of that weight those with the least hash of the id. */
struct survey_examples {
    struct survey_example strongest[SURVEY_STRONGEST];
    struct survey_example uniform[SURVEY_DECILES][SURVEY_UNIFORM];
    int64_t deciles[SURVEY_DECILES]; /* texts */
};

/* A text that some example is of. */
struct survey_text {
    uint64_t corpus; /* index into `corpora` */
    uint64_t number, hash;
    char *id;
    char *words; /* parted by single blanks, two texts by a tab; a blank in a word is a newline */
};

/* Where the texts come from: a file, and which of its shards are in here. All `parts` of them are
 * written as the one part of one. */
struct survey_corpus {
    char *name;
    uint64_t parts;
    uint64_t *shards; /* ascending */
    size_t shard_count;
    int64_t texts, too_long, refused;
    uint64_t ids; /* the sum of the ids' hashes, modulo 2^64 */
};

/* What else is counted when a model is compared with another one, text by text. */
enum survey_count {
    SURVEY_VECTORS, /* tokens that cosines are of: none where the models' vectors differ in size */
    SURVEY_ANSWERS, /* asked of both models */
    SURVEY_FLIPPED, /* of these: the likeliest is another one */
    SURVEY_COUNTS,
};

/* Which model, and how: two surveys can only be merged if all of it is the same. */
#define SURVEY_ORIGINS 6

struct survey_origin {
    union {
        struct {
            char *model;     /* its name */
            char *digest;    /* SHA-256 of its configuration and tensors */
            char *tokenizer; /* SHA-256 of every piece by its id */
            char *kernels;   /* whose bits they are (kernels.h) */
            char *options;   /* what else decides: "sample 100 seed 7 truncated" */
            char *against;   /* the other model's digest; NULL: there is none */
        };
        char *all[SURVEY_ORIGINS];
    };
};

#define SURVEY_TOTALS 5

struct survey {
    size_t layers, heads; /* L A */
    struct survey_origin origin;
    struct survey_corpus *corpora; /* by name */
    size_t corpus_count;
    union {
        struct {
            int64_t texts, too_long, refused, tokens, words;
        };
        int64_t totals[SURVEY_TOTALS];
    };

    struct survey_figure_sums figures[SURVEY_FIGURE_COUNT];
    int64_t *reach;              /* [L,A,SURVEY_REACH] */
    int64_t *maxima, *entropies; /* [L,A,SURVEY_BINS] rows */

    /* Only with SURVEY_MOVED: */
    int64_t *cosines; /* [L+1] of a token's vectors in both models, at each level of cosine.h */
    int64_t counts[SURVEY_COUNTS];

    struct survey_relation *relations; /* by name */
    size_t relation_count;

    char **pos; /* UPOS, by name */
    size_t pos_count;
    int64_t *pos_words; /* [P] */
    int64_t *pos_mass;  /* [P,P,L,A] from words of one to words of another */

    struct survey_piece *pieces; /* by id */
    size_t piece_count;

    struct survey_examples *examples; /* [L,A] */
    struct survey_text *kept;         /* by corpus and number */
    size_t kept_count;

    /* While it is made bit by bit (gather_more): */
    struct corpus_place next; /* of the corpus */
    bool whole;               /* none follows */
    struct interventions changes;

    /* While texts are added, which come in any order: */
    size_t prepared;      /* texts that are not finished */
    size_t kept_at_most;  /* before those that no example is of are looked for */
    int32_t *piece_of_id; /* index into `pieces`, or -1, of so many ids */
    size_t ids;
    double bound;           /* no sum is larger */
    atomic_bool overflowed; /* a sum of squares did not fit */
    atomic_bool starved;    /* there was no memory for a head */
};

/* Empty sums. STATUS_MEMORY. Free with survey_free. */
enum status survey_new(size_t layers, size_t heads, struct survey **survey, struct error *error);

/* Texts so far, with those that could not be read or did not fit. */
static inline int64_t survey_passed(const struct survey *survey)
{
    return survey->texts + survey->too_long + survey->refused;
}

/* Accepts NULL. */
void survey_free(struct survey *survey);

/* Makes room for a figure that not every survey has. STATUS_MEMORY. */
enum status survey_want(struct survey *survey, enum survey_figure figure, struct error *error);

/* Whether the survey has it. */
bool survey_has(const struct survey *survey, enum survey_figure figure);

/* A text on its way into a survey: its words' pieces, relations, names that the survey has now. */
struct survey_prepared;

/* Counts a text and prepares its sums; its weights come head by head. What it needs of the text is
 * copied; the encoding (with special tokens) must live until survey_finish. STATUS_MEMORY;
 * STATUS_LIMIT when a sum could overflow. */
enum status survey_prepare(struct survey *survey, size_t corpus, const struct corpus_text *text,
                           const struct tokenizer *tokenizer, const struct encoding *encoding,
                           struct survey_prepared **prepared, struct error *error);

/* Adds a head's weights [T,T]. Different heads may be added by different threads at the same time,
 * one head by one thread, and several texts may be prepared at once: but before, as preparing one
 * and finishing one move what all of them add to. */
void survey_add_head(struct survey *survey, const struct survey_prepared *prepared, size_t layer,
                     size_t head, const float *weights);

/* Keeps the text if it is an example of some head, and frees what was prepared. STATUS_MEMORY. */
enum status survey_finish(struct survey *survey, struct survey_prepared *prepared,
                          struct error *error);

/* Puts names, word pieces and texts into their order, and drops texts that no example is of: the
 * same sums are then the same arrays. Not while a text is prepared. STATUS_MEMORY. */
enum status survey_sort(struct survey *survey, struct error *error);

/* The index of a name, which is added if it is new; SIZE_MAX: STATUS_MEMORY, or STATUS_LIMIT where
 * there are too many of them. */
size_t survey_relation_index(struct survey *survey, struct text name, struct error *error);
size_t survey_pos_index(struct survey *survey, struct text name, struct error *error);
size_t survey_piece_index(struct survey *survey, int32_t id, const char *name, struct error *error);

/* Room for one more text; its index, or SIZE_MAX without memory. Copies id and words. */
size_t survey_keep(struct survey *survey, const struct survey_text *text, struct error *error);

/* Puts an example into its place in a list of `room`, if it has one there: the heaviest first, or,
 * if `by_hash`, those of the least hash. */
void survey_place(const struct survey *survey, struct survey_example *list, size_t room,
                  bool by_hash, struct survey_example example);

/* The same sums once more, of the figures that every survey has. STATUS_MEMORY. */
enum status survey_copy(const struct survey *survey, struct survey **copy, struct error *error);

/* The examples of all heads as one list, with places that may be empty. */
#define SURVEY_EXAMPLES (SURVEY_STRONGEST + SURVEY_DECILES * SURVEY_UNIFORM)

static inline size_t survey_example_count(const struct survey *survey)
{
    return survey->layers * survey->heads * SURVEY_EXAMPLES;
}

static inline struct survey_example *survey_example_at(const struct survey *survey, size_t i)
{
    struct survey_examples *of = &survey->examples[i / SURVEY_EXAMPLES];
    const size_t strongest = i % SURVEY_EXAMPLES, k = strongest - SURVEY_STRONGEST;
    return strongest < SURVEY_STRONGEST ? &of->strongest[strongest]
                                        : &of->uniform[k / SURVEY_UNIFORM][k % SURVEY_UNIFORM];
}

/* STATUS_MISMATCH when they are not of the same model, options and kernels. */
enum status survey_compare(const struct survey *survey, const struct survey *other,
                           struct error *error);

/* Adds another survey's sums. STATUS_MISMATCH, with nothing added: it is of another model, other
 * options or kernels, or has a shard that is here, too. Associative and commutative: any order
 * gives the same bytes in a file. */
enum status survey_merge(struct survey *survey, const struct survey *other, struct error *error);

#endif
