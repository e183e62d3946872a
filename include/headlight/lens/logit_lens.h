/* logit_lens.h: what every layer would say, were it the last one.
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
#ifndef HEADLIGHT_LENS_LOGIT_LENS_H
#define HEADLIGHT_LENS_LOGIT_LENS_H

#include "headlight/base/watch.h"
#include "headlight/lens/predict.h"
#include "headlight/model/model.h"
#include "headlight/model/side.h"

#define LENS_BEST 10

/* No piece stands there: the text ends before it. */
#define LENS_NOTHING (-1)

/* What a layer says at a token. */
struct lens_cell {
    struct prediction best[LENS_BEST]; /* likeliest first */
    size_t count;                      /* of them: LENS_BEST or V; 0: not read yet */
    double entropy;                    /* bits that the pieces' probability is spread over */
    int32_t id;                        /* the piece that stands there, or LENS_NOTHING, */
    double logprob;                    /* its log-probability, */
    size_t rank;                       /* and its place among all, from 1 for the likeliest */
    bool compared;                     /* what another trace says is known, too: */
    double best_before[LENS_BEST];     /* its log-probabilities of `best`, */
    double logprob_before;             /* and of the piece that stands there */
};

/* Layers × tokens. */
struct lens_area {
    struct token_range layers, tokens;
};

/* A lens of which nothing is read yet, [L,T]: free with free(). The pieces that stand there are
 * those that the model reads, of one that says which word comes `next` those one token on, unless
 * somebody puts in others before it is read. STATUS_MEMORY. */
enum status logit_lens_new(const struct trace *trace, bool next, struct lens_cell **cells,
                           struct error *error);

/* Reads the cells of an area that are not read yet, of the model's own trace, which is computed:
 * what is on screen can be asked for first, and the whole after it. Where the trace has the logits
 * of its last layer they are used. A cell costs H·(H+V) multiply-adds and V exponentials; the
 * watch, which may be NULL, is told of every LENS_ROWS cells or fewer. STATUS_UNSUPPORTED without a
 * head for words, STATUS_MEMORY, STATUS_CANCELLED, and as forward_words: each cell is then read
 * or not. */
#define LENS_ROWS 64
enum status logit_lens_read(const struct model *model, const struct trace *trace,
                            const struct lens_area *area, const struct watch *watch,
                            struct lens_cell *cells, struct error *error);

/* Adds to the cells of an area that are read, and not compared yet, what the network says of the
 * same pieces in another trace of the same tokens. Costs and errors are the same. */
enum status logit_lens_compare(const struct model *model, const struct trace *other,
                               const struct lens_area *area, const struct watch *watch,
                               struct lens_cell *cells, struct error *error);

#endif
