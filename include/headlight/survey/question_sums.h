/* question_sums.h: what is asked of a text besides its weights: what switching each head off does
 * to an answer, and how far the heads are from another model's. Text by text, so that sums are the
 * same in any grouping.
 *
 *     question_plan_check(&plan, &error);
 *     question_sums_measure(&plan, text, encoding, &sums, &error);      of every text
 *     question_sums_add(survey, &sums);
 *     question_sums_free(&sums);
 *
 * A text has one answer: what its class is; the tag of a token; or, of a model of words, what
 * stands at its first [MASK], or else in place of one of its words, which is masked. That one, like
 * the token of a tag, is chosen by the hash of the id, among the words that are one piece. What is
 * right the text may say (answer, label, tags); of a word that was masked it is that word; else it
 * is what the model finds likeliest. */
#pragma once

#include "headlight/lens/divergence.h"
#include "headlight/lens/effects.h"
#include "headlight/survey/survey.h"

struct question_plan {
    const struct checkpoint *checkpoint;
    const struct checkpoint *against; /* NULL: how far heads moved is not asked */
    bool each_head;                   /* whether effects are */
    bool special;                     /* as texts are read */

    /* Of the checkpoint's network, and what both models read as [MASK], in the text at hand: its
     * encoding has these masks. NULL: none. */
    const struct interventions *changes;
    const struct masked *masked;
};

struct question_sums {
    struct effects *effects;       /* NULL: nothing could be asked, or nobody wants to know */
    struct divergence *divergence; /* NULL: nobody wants to know */
    bool vectors;                  /* whether cosines are defined, as they have one size */
    size_t answers, flipped;       /* asked of both models; where the likeliest is another one */
};

/* STATUS_UNSUPPORTED for effects where the model answers nothing, or only about two texts by
 * themselves; STATUS_MISMATCH where the other has other layers or heads. */
enum status question_plan_check(const struct question_plan *plan, struct error *error);

/* With special tokens or not, as the encoding is. STATUS_USAGE for a label or tag that the model
 * doesn't know; STATUS_MISMATCH for other tokens in the other model; others as encoded_new and
 * forward_run. Then nothing is to be freed. */
enum status question_sums_measure(const struct question_plan *plan, const struct corpus_text *text,
                                  const struct encoding *encoding, struct question_sums *sums,
                                  struct error *error);

/* The survey has room for what was asked (survey_want). */
void question_sums_add(struct survey *survey, const struct question_sums *sums);

void question_sums_free(struct question_sums *sums);
