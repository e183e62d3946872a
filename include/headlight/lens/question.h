/* question.h: one answer, asked of a text and of changed passes over it, as many in one run of the
 * network as pay (batch.h).
 *
 *     struct question question = {.source = source, .on = target, .watch = watch};
 *     question_ask(&question, &error);
 *     question.logprob                       of question.on, as the text is
 *     question_vary(&question, &variants, changes, &error);
 *     changes[i]                             what variant i makes of it */
#pragma once

#include "headlight/lens/target.h"

struct question {
    struct target_source source;
    struct target on, likeliest; /* the same, unless another answer was asked about */
    double logprob;              /* in the source's own pass */
    const struct watch *watch;   /* called after each variant and after each layer of a pass, with
                                    the number of variants done and of all */
};

/* A changed pass: a copy of the source, to be changed. */
struct variant {
    struct variant_text {
        int32_t *ids, *segments; /* [tokens] */
        size_t tokens;           /* 0: it isn't changed, and needs no pass */
        struct interventions changes;
    } texts[2];                /* the second is of a similarity */
    size_t first;              /* layer: those below it are as in the source's pass */
    struct target on;          /* where the answer stands in it */
    struct encoding *encoding; /* of a span */
};

struct variants {
    size_t count;
    enum status (*change)(const void *context, size_t index, struct variant *variant,
                          struct error *error);
    const void *context;
};

/* Finds what is likeliest in the source's pass, and how likely that is which is asked about.
 * Errors as target_ask. */
enum status question_ask(struct question *question, struct error *error);

/* By how much the log-probability is another one in each variant. STATUS_MEMORY, STATUS_CANCELLED,
 * and as batch_run, target_ask and the variants' `change`. */
enum status question_vary(const struct question *question, const struct variants *variants,
                          double *changes /* [count] */, struct error *error);
