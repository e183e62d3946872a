/* word_effects.h: which words an answer depends on: how it changes when each is taken away.
 *
 *     struct word_question question = {WORDS_HIDDEN, tokenizer_mask(tokenizer), side, NO_TOKEN};
 *     word_effects_measure(&source, &question, &target, NULL, &effects, &error);
 *     effects->words[i].change
 *     free(effects);
 *
 * Source: Li et al. 2016, "Understanding Neural Networks through Representation Erasure"; of pairs
 * Tsang et al. 2018, "Detecting Statistical Interactions from Neural Network Weights", 1. */
#ifndef HEADLIGHT_LENS_WORD_EFFECTS_H
#define HEADLIGHT_LENS_WORD_EFFECTS_H

#include "headlight/base/watch.h"
#include "headlight/lens/target.h"

/* How a word is taken away: its name */
#define WORD_WAYS(WAY)                                                                             \
    WAY(WORDS_KEPT, "none")       /* not at all */                                                 \
    WAY(WORDS_HIDDEN, "hidden")   /* no token can attend to it */                                  \
    WAY(WORDS_MASKED, "masked")   /* [MASK] stands for each of its pieces */                       \
    WAY(WORDS_REMOVED, "removed") /* its tokens are left out, and those after them close up */

enum word_way {
#define WAY(way, name) way,
    WORD_WAYS(WAY)
#undef WAY
};

const char *word_way_name(enum word_way way);

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

/* The index of the word that a token belongs to, or NO_TOKEN. */
size_t word_effects_at(const struct word_effects *effects, size_t token);

#endif
