/* effects.h: what an answer depends on (target.h): how it changes without each head and without
 * each word, and what a change of the network did to it.
 *
 *     struct effects *effects;
 *     effects_measure(&source, &target, NULL, &effects, &error);
 *     effects->change[layer * effects->heads + head]
 *     free(effects);
 *
 *     struct word_question question = {WORDS_HIDDEN, tokenizer_mask(tokenizer), side, NO_TOKEN};
 *     word_effects_measure(&source, &question, &target, NULL, &effects, &error);
 *     effects->words[i].change
 *     free(effects);
 *
 * Sources: of heads Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 3.2,
 * where they are masked one at a time; of words Li et al. 2016, "Understanding Neural Networks
 * through Representation Erasure"; of pairs of them Tsang et al. 2018, "Detecting Statistical
 * Interactions from Neural Network Weights", 1. Here the measure is the log-probability of one
 * answer. */
#pragma once

#include "headlight/lens/target.h"

/* ---- Heads ---- */

struct effects {
    size_t layers, heads;        /* L A */
    struct target on, likeliest; /* the same, unless another answer was asked about */
    double logprob;              /* of the answer in the unchanged network */
    double change[]; /* [L,A] log-probability without the head, minus `logprob`; 0 for a head that
                        is off already */
};

/* Measures all heads, on top of the trace's own changes: copies of the text (of a similarity
 * of each) go through the network from each head's layer on. That costs about half of L·A passes.
 * The watch, which may be NULL, gets the number of heads done, during passes too. *effects is one
 * block, NULL after an error: STATUS_CANCELLED, STATUS_MEMORY, and as batch_run and target_ask. */
enum status effects_measure(const struct target_source *source, const struct target *on,
                            const struct watch *watch, struct effects **effects,
                            struct error *error);

/* The head, counted over all layers, whose effect is the next smaller one, whatever its sign, or
 * the next larger one; from the last it goes on to the first. Heads without an effect are passed
 * over: from one of these, or from L·A, it goes to the largest, or to the smallest. */
size_t effects_next(const struct effects *effects, size_t from, bool smaller);

/* Whether switching any head off changes the answer by what two decimals show. */
bool effects_any(const struct effects *effects);

/* ---- Words ---- */

/* How a word is taken away. */
enum word_way {
    WORDS_KEPT,    /* not at all */
    WORDS_HIDDEN,  /* no token can attend to it */
    WORDS_MASKED,  /* [MASK] stands for each of its pieces */
    WORDS_REMOVED, /* its tokens are left out, and those after them close up */
    WORD_WAY_COUNT
};

extern const char *const word_way_names[WORD_WAY_COUNT];

struct word_question {
    enum word_way way;             /* not WORDS_KEPT */
    int32_t mask;                  /* the piece that masks; negative: there is none */
    const struct token_side *side; /* which tokens are words */
    size_t paired;                 /* a token of a word whose pairs are asked for; or NO_TOKEN */
};

struct word_effect {
    struct token_range pieces;
    double change; /* of the log-probability, without the word; NaN: the answer stands on it, or
                      nothing would be left, so that it can't be removed; or it was cut off */
    double pair;   /* the change without this word and the paired one, less the changes without
                      each of them alone; NaN: not asked for */
};

struct word_effects {
    enum word_way way;
    struct target on, likeliest; /* the same, unless another answer was asked about */
    double logprob;              /* with all words */
    size_t count, paired;        /* words; the index of the paired one, or NO_TOKEN */
    struct word_effect words[];  /* in the order of the text, without special tokens */
};

/* Measures all words, on top of the pass's own changes: a changed text for each word, and twice as
 * many with pairs, as many in one run as pay. The watch, which may be NULL, gets the number of
 * those done. *effects is one block, NULL after an error: STATUS_UNSUPPORTED for masks that the
 * model doesn't have, STATUS_CANCELLED, STATUS_MEMORY, and as forward_prepare, forward_run,
 * interventions_hide and target_ask. */
enum status word_effects_measure(const struct target_source *source,
                                 const struct word_question *question, const struct target *on,
                                 const struct watch *watch, struct word_effects **effects,
                                 struct error *error);

/* The index of the word that a token belongs to, or NO_TOKEN; and the first token of the word that
 * changes the answer most, NO_TOKEN of none. */
size_t word_effects_at(const struct word_effects *effects, size_t token);
size_t word_effects_largest(const struct word_effects *effects);

/* ---- A change of the network ---- */

/* How likely the model's answers are before and after. */
struct before_after {
    size_t token; /* whose answer differs most from what it was */
    size_t count;
    struct answer_change {
        struct target on;               /* what was likeliest before the change, */
        double logprob, logprob_before; /* and its log-probabilities */
    } answers[];
};

/* NULL if it wasn't asked about. */
const struct answer_change *before_after_at(const struct before_after *change, size_t token);

/* Compares two traces of the same tokens by answers of the output of `on`, at its token and, of a
 * target, at all of those before, whose id is not looked at. Free with free(). STATUS_MEMORY, and
 * as target_ask. */
enum status before_after_measure(const struct target_source *now,
                                 const struct target_source *before, const struct target *on,
                                 bool target, struct before_after **change, struct error *error);
