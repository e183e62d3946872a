/* asked.h: what is asked of a text besides its weights: what switching each head off does to an
 * answer, and how far the heads are from another model's. Text by text, so that sums are the same
 * in any grouping.
 *
 *     asking_check(&asking, &error);
 *     asked_measure(&asking, text, encoding, &asked, &error);      of every text
 *     asked_add(survey, &asked);
 *     asked_free(&asked);
 *
 * A text has one answer: what its class is; the tag of a token; or, of a model of words, what
 * stands at its first [MASK], or else in place of one of its words, which is masked. That one, like
 * the token of a tag, is chosen by the hash of the id, among the words that are one piece. What is
 * right the text may say (answer, label, tags); of a word that was masked it is that word; else it
 * is what the model finds likeliest. */
#ifndef HEADLIGHT_SURVEY_ASKED_H
#define HEADLIGHT_SURVEY_ASKED_H

#include "headlight/lens/effects.h"
#include "headlight/lens/moved.h"
#include "headlight/survey/survey.h"

struct asking {
    const struct checkpoint *checkpoint;
    const struct checkpoint *against; /* NULL: how far heads moved is not asked */
    bool each_head;                   /* whether effects are */
    bool special;                     /* as texts are read */

    /* Of the checkpoint's network, and what both models read as [MASK], in the text at hand: its
     * encoding has these masks. NULL: none. */
    const struct interventions *changes;
    const struct masked *masked;
};

struct survey_asked {
    struct effects *effects; /* NULL: nothing could be asked, or nobody wants to know */
    struct moved *moved;     /* NULL: nobody wants to know */
    double *cosines;         /* [L+1] summed over the tokens; NULL: they are not defined */
    size_t answers, flipped; /* asked of both models; where the likeliest is another one */
};

/* STATUS_UNSUPPORTED for effects where the model answers nothing, or only about two texts by
 * themselves; STATUS_MISMATCH where the other has other layers or heads. */
enum status asking_check(const struct asking *asking, struct error *error);

/* With special tokens or not, as the encoding is. STATUS_USAGE for a label or tag that the model
 * doesn't know; STATUS_MISMATCH for other tokens in the other model; others as encoded_new and
 * forward_run. Then nothing is to be freed. */
enum status asked_measure(const struct asking *asking, const struct corpus_text *text,
                          const struct encoding *encoding, struct survey_asked *asked,
                          struct error *error);

/* The survey has room for what was asked (survey_want). */
void asked_add(struct survey *survey, const struct survey_asked *asked);

void asked_free(struct survey_asked *asked);

#endif
