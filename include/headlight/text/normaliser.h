/* normaliser.h: the steps by which a tokenizer makes a text ready, before it is split into words.
 *
 * Source: Hugging Face tokenizers, normalizers/. A tokenizer has a list of them, each of which
 * rewrites the code points that the one before it left. */
#ifndef HEADLIGHT_TEXT_NORMALISER_H
#define HEADLIGHT_TEXT_NORMALISER_H

#include "headlight/text/charsmap.h"
#include "headlight/text/form.h"
#include "headlight/text/normalise.h"

enum step_kind {
    STEP_BERT,          /* normalise.h */
    STEP_LOWER_CASE,    /* code point by code point */
    STEP_FORM,          /* form.h */
    STEP_STRIP_ACCENTS, /* drops all marks (M*) */
    STEP_STRIP,         /* drops white space at the ends */
    STEP_REPLACE,       /* a stretch of code points by another */
    STEP_SPACES,        /* two or more spaces become `with` */
    STEP_PREPEND,       /* `with` in front, unless there is no text */
    STEP_CHARSMAP,      /* charsmap.h */
};

/* Code points, not terminated. */
struct codes {
    int32_t *items;
    size_t count;
};

struct normal_step {
    enum step_kind kind;
    struct rules rules;        /* of STEP_BERT */
    enum form form;            /* of STEP_FORM */
    bool left, right;          /* of STEP_STRIP */
    struct codes what, with;   /* of STEP_REPLACE; `what` is not empty */
    struct charsmap *charsmap; /* of STEP_CHARSMAP */
};

struct normaliser {
    struct normal_step *items;
    size_t count;
};

/* The code points of a text that is valid UTF-8. STATUS_MEMORY. */
enum status codes_of(const char *text, struct codes *codes, struct error *error);

/* Appends a step, which is the list's from then on: without memory it is freed. STATUS_MEMORY. */
enum status normaliser_add(struct normaliser *normaliser, struct normal_step step,
                           struct error *error);

/* Rewrites the points, step by step. STATUS_MEMORY. */
enum status normaliser_apply(const struct normaliser *normaliser, struct points *points,
                             struct error *error);

void normaliser_free(struct normaliser *normaliser);

#endif
