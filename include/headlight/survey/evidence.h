/* evidence.h: what a survey says of heads, in numbers that can be quoted: means and shares with
 * their 95 % intervals, labels, relations beside the best fixed offset.
 *
 *     struct evidence_number mean = evidence_mean(survey, METRIC_PREVIOUS, 3, 5);
 *     printf("%.2f ±%.2f of %lld", mean.value, mean.half, (long long)mean.of);
 *
 * Nothing here is known of a text: intervals take whole texts for what was drawn by chance. */
#pragma once

#include "headlight/lens/metrics.h"
#include "headlight/survey/survey.h"

/* ---- Means ---- */

/* A mean or a share, with its interval of 95 %. The value is NaN where nothing was added up, and so
 * is the interval where it has none: a mean's also where all is of one text. */
struct evidence_number {
    double value, half; /* the width that the interval has on each side, */
    double low, high;   /* and the ends: of weights and shares none is outside 0 … 1 */
    int64_t hits, of;   /* the survey's own sum, and of how many tokens or pairs */
};

struct evidence_number evidence_mean(const struct survey *survey, enum metric figure, size_t layer,
                                     size_t head);

/* Likewise of a row of ROW_FIGURE or ROW_BESIDE, or of none, NULL. */
struct evidence_number evidence_mean_of(const struct survey *survey, const struct survey_row *row,
                                        size_t layer, size_t head);

/* ---- Labels ---- */

/* What a head mostly does (metrics.h), or that half of its links are those of the file, with the
 * mean that says so: of a model that sees the past alone beside the first token, as of one text. */
struct evidence_label {
    const char *name, *brief, *words, *says; /* as in struct head_label */
    enum metric metric;
    bool beside;
    struct evidence_number mean;
};

/* All labels that a head reaches, the largest value first; returns how many. */
size_t evidence_labels(const struct survey *survey, size_t layer, size_t head,
                       struct evidence_label labels[METRIC_COUNT]);

/* ---- Shares and relations ---- */

/* Wilson's interval (Wilson 1927; Brown, Cai and DasGupta 2001), which stays within 0 … 1. */
struct evidence_number evidence_share(int64_t hits, int64_t of);

#define EVIDENCE_FEW 20 /* pairs of which little can be said */

/* How well a head finds a relation, and what always guessing the word at one distance would find
 * (Clark et al. 2019, section 4.1). */
struct evidence_relation {
    const char *name;
    size_t index; /* of its row */
    size_t layer, head;
    bool from_head; /* the head of the relation looks at its dependent, not the other way round */
    struct evidence_number share, offset_share;
    int offset;  /* head - dependent */
    double gain; /* the share less that of the offset, */
    double sure; /* and what of it is no chance even in the best of hundreds of heads */
    bool known;  /* a gain of ten points or more */
};

/* Whether a head knows it, and not by chance: of few pairs one of many heads finds most. */
static inline bool evidence_is_sure(const struct evidence_relation *relation)
{
    return relation->known && relation->sure > 0;
}

/* In the better one of both directions. */
struct evidence_relation evidence_relation(const struct survey *survey, size_t relation,
                                           size_t layer, size_t head);

/* The head with the largest share. */
struct evidence_relation evidence_best_head(const struct survey *survey, size_t relation);

/* All relations [R] of a head or, of NO_HEAD, of the best head of each: those that surely gain most
 * first, those of few pairs last. To be freed with free(); NULL without memory. */
struct evidence_relation *evidence_relations(const struct survey *survey, size_t layer, size_t head,
                                             struct error *error);

/* How many relations a head surely knows, and the surest, of no name if there is none, unless
 * that is NULL. */
size_t evidence_known(const struct survey *survey, size_t layer, size_t head,
                      struct evidence_relation *surest);

/* What a head does: the relation that it surely knows, or else its label; of no relation, and of no
 * name, if there is none. A relation that is found in half of its pairs says more than a label
 * does, and any says more than that a head looks at everything alike. */
void evidence_summary_of_head(const struct survey *survey, size_t layer, size_t head,
                              struct evidence_relation *relation, struct evidence_label *label);

/* What a relation of Universal Dependencies is between, "a preposition and its noun", whatever its
 * subtype; "" of others. */
const char *evidence_between(const char *relation);

/* The head of which there is most to say: that which surely gains most by a relation or, without
 * relations, has the largest label but broad. */
void evidence_first_head(const struct survey *survey, size_t *layer, size_t *head);

/* ---- Distributions ---- */

/* The bins of ROW_REACH: the distance or, of several, the nearest one. */
extern const char *const evidence_distances[SURVEY_REACH];

/* Of one head, in a survey with a row of ROW_REACH: shares of its weight by distance, all 0 of
 * nothing. */
void evidence_reach(const struct survey *survey, size_t layer, size_t head,
                    double shares[SURVEY_REACH]);

/* The weight that a word of one part of speech gives to all words of another, in the mean. */
double evidence_pos(const struct survey *survey, size_t from, size_t to, size_t layer, size_t head);

/* The same of a row of ROW_MASS, and of how many words it is the mean. */
struct evidence_number evidence_mass(const struct survey *survey, const struct survey_row *mass,
                                     size_t layer, size_t head);

/* A word piece's share of what a head looks from, or at, beside its share of all pieces. */
struct evidence_word {
    const char *piece;
    int64_t weight, count;
    double share, usual;
};

/* The pieces of the largest shares; returns how many, at most `most`. */
size_t evidence_words(const struct survey *survey, size_t layer, size_t head, bool at,
                      struct evidence_word *words, size_t most);

/* ---- Examples ---- */

/* All examples of a head in one row: the strongest, then those of each tenth of the weight from the
 * highest down, empty places left out; and how many are of the strongest, unless that is NULL. */
size_t evidence_examples(const struct survey *survey, size_t layer, size_t head,
                         const struct survey_example *examples[SURVEY_EXAMPLES], size_t *strongest);

/* A word of the words of a kept text, as they stand there. Of no length: there is none. And with a
 * blank where a newline stands for one, cut where it is longer. */
struct text evidence_word(const char *words, size_t number);
struct evidence_spelt {
    char text[256];
} evidence_spell(struct text word);

/* The text that they are of, to be freed with free(); *second is the other one of a pair, or NULL.
 * NULL without memory. */
char *evidence_texts(const char *words, char **second);

/* Which tenth of the weight an example is of, 0 … 9. */
size_t evidence_tenth(const struct survey_example *example);
