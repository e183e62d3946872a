/* answer_rows.h: what a model says of a text, as rows of one form, whichever head says it: tables,
 * JSON and the page are loops over them.
 *
 *     const struct answer_source source = {checkpoint, encoded, encoded->trace, .top = 5};
 *     answer_rows(&source, OUTPUT_COUNT, write_row, stream, &error); */
#pragma once

#include "headlight/lens/answers.h"
#include "headlight/lens/logit_lens.h"
#include "headlight/lens/sentence.h"
#include "headlight/lens/target.h"

struct answer_row {
    const char *kind;              /* "word", "class", "tag", "group", "span" … */
    size_t layer;                  /* NO_TOKEN: of none */
    const struct encoded *encoded; /* of the token; NULL: of none */
    size_t token;
    size_t rank;                      /* 0: none */
    size_t id;                        /* NO_TOKEN: none */
    const char *name;                 /* NULL: none; of a span: there is no answer */
    double number;                    /* a probability, or a score */
    struct target on;                 /* the same as a target; OUTPUT_COUNT: it is none */
    double logprob;                   /* of words and spans */
    struct text text;                 /* the words it is said of; NULL: none in particular */
    const struct passage *passage;    /* and where they stand; or NULL */
    const struct token_range *paired; /* of a pair of words: the other one, and what it adds */
    double pair;

    /* Filled in for all. */
    const char *title; /* what the rows of this output are */
    double before;     /* the number in the network as it was trained; NaN: not known */
    bool asked, next;  /* it is asked for; it is the word that truly comes next */
};

/* What has to be known to list answers; borrowed, and NULL where it isn't there. */
struct answer_source {
    const struct checkpoint *checkpoint; /* NULL: a recording, whose pieces have no names */
    const struct encoded *encoded;
    const struct trace *trace, *before; /* before: in the network as it was trained */
    const struct answer *task;          /* what a head for a task says */
    const struct sentence_pair *sentences;
    size_t top;       /* so many pieces at a token, */
    size_t labels;    /* and so many labels of a text, are listed */
    bool asks;        /* for something besides the likeliest: */
    struct target on; /* for this, */
    size_t token;     /* at this token; NO_TOKEN: at those that are masked */

    /* Of all layers, in place of the last. */
    const struct prediction *lens; /* [L,T,top] words */
    struct answer *const *after;   /* [L] classes */
    const struct lens_cell *cells; /* [L,T] tags */
};

/* Gives each row of what an output says of the text to a function; of OUTPUT_COUNT, all that the
 * model says. A row and what it points to are good until that returns. STATUS_MEMORY, and as
 * forward_head. */
typedef void answer_taker(void *to, const struct answer_row *row);
enum status answer_rows(const struct answer_source *source, enum model_output output,
                        answer_taker *take, void *to, struct error *error);

/* "word": of the rows that an output says. */
const char *answer_kind(enum model_output output);
