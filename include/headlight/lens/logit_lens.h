/* logit_lens.h: what each layer would predict if it were the last: words, or the tags of a
 * classifier of tokens.
 *
 * Source: nostalgebraist 2020, "interpreting GPT: the logit lens"; for BERT as in Alammar 2021,
 * "Ecco": the masked-word head, which was trained for the last layer's output, is applied to the
 * output of each layer.
 *
 *     struct lens_cell *cells;
 *     struct lens_area all = {{0, trace->layers}, {0, trace->tokens}};
 *     logit_lens_new(trace, &cells, &error);
 *     logit_lens_read(model, trace, &all, NULL, cells, &error);
 *     cells[layer * trace->tokens + token].best[0].id
 *     free(cells); */
#pragma once

#include "headlight/lens/predict.h"

#define LENS_BEST 10

/* No piece: the text ends before it. */
#define LENS_NOTHING (-1)

/* What a layer predicts at a token. */
struct lens_cell {
    struct prediction best[LENS_BEST]; /* likeliest first */
    bool tags;                         /* predictions are labels, and V is C; set by the caller */
    size_t count;                      /* LENS_BEST or V; 0: not read yet */
    double entropy;                    /* of the prediction, in bits */
    int32_t id;                        /* the actual piece, or LENS_NOTHING */
    double logprob;                    /* its log-probability */
    size_t rank;                       /* its rank, 1 for the likeliest */
    bool compared;                     /* the following, of another network, are known */
    double best_before[LENS_BEST];     /* log-probabilities of `best` */
    double logprob_before;             /* and of `id` */
    struct prediction was;             /* the likeliest there, with its log-probability here */
    double was_before;                 /* and there */
};

/* Layers × tokens. */
struct lens_area {
    struct token_range layers, tokens;
};

/* A lens with no cells read yet, [L,T]; free with free(). `id` is the piece at the token, or, if
 * the model predicts the `next` word, the one after it; callers may change it before reading.
 * STATUS_MEMORY. */
enum status logit_lens_new(const struct trace *trace, bool next, struct lens_cell **cells,
                           struct error *error);

/* Reads the unread cells of an area (the visible part first, for instance), from a computed trace
 * of the model and, unless it is NULL, from one of the same tokens `before` the network was
 * changed. Logits of the last layer are used if the trace has them. A cell costs H·(H+V)
 * multiply-adds and V exponentials; the watch, which may be NULL, is called at least every
 * LENS_ROWS cells. STATUS_UNSUPPORTED without a head for words, STATUS_MEMORY, STATUS_CANCELLED,
 * and as forward_words; each cell is then read or unread.
 */
#define LENS_ROWS 64
enum status logit_lens_read(const struct model *model, const struct trace *trace,
                            const struct trace *before, const struct lens_area *area,
                            const struct watch *watch, struct lens_cell *cells,
                            struct error *error);

/* The `top` likeliest pieces of each layer at each token, likeliest first: [L,T,top], the caller's,
 * also after an error. At most V. Errors as logit_lens_read. */
enum status logit_lens_best(const struct model *model, const struct trace *trace, size_t top,
                            struct prediction **best, struct error *error);

/* Questions asked of words one by one, of one trace or several. */
struct lens_questions {
    size_t count;
    struct lens_question {
        const struct trace *trace;
        size_t token;
        struct lens_cell cell; /* of the last layer; `id` is the piece asked about */
    } of[LENS_ROWS];
};

/* Answers the unread ones about a trace, those about one token from the same logits. Errors as
 * logit_lens_read. */
enum status logit_lens_answer(const struct model *model, const struct trace *trace,
                              struct lens_questions *questions, const struct watch *watch,
                              struct error *error);
