/* weights.h: the parameters of a BERT encoder, ready to be multiplied with.
 *
 * Matrices are used where they lie in the checkpoint's memory. Vectors, a thousandth of it, are
 * floats in the one block that `block` owns. All are immutable. */
#ifndef HEADLIGHT_MODEL_WEIGHTS_H
#define HEADLIGHT_MODEL_WEIGHTS_H

#include "headlight/base/watch.h"
#include "headlight/model/config.h"
#include "headlight/model/trace.h"
#include "headlight/tensor/matmul.h"
#include "headlight/tensor/store.h"

#include <stdbool.h>

struct norm {
    const float *weight; /* [H] */
    const float *bias;   /* [H] */
};

enum projection { QUERY, KEY, VALUE, PROJECTIONS };

struct layer_weights {
    struct linear projections[PROJECTIONS]; /* [H,H]; rows of head h: h·D … h·D + D - 1 */
    struct linear attention_output;         /* [H,H] */
    struct norm attention_norm;
    struct linear intermediate; /* [F,H] */
    struct linear output;       /* [H,F] */
    struct norm output_norm;
};

struct weights {
    struct matrix word_embeddings;     /* [V,H] */
    struct matrix position_embeddings; /* [positions,H] */
    struct matrix segment_embeddings;  /* [segments,H] */
    struct norm embedding_norm;
    struct layer_weights *layer; /* [L] */

    bool has_mlm;                /* the masked-word head; else its matrices are empty */
    struct linear mlm_transform; /* [H,H] */
    struct norm mlm_norm;
    struct linear mlm_decoder; /* [V,H]: the word embeddings, unless the model unties them */

    bool has_nsp;         /* the next-sentence head; else its matrices are empty */
    struct linear pooler; /* [H,H] */
    struct linear nsp;    /* [2,H] */

    void *block;
};

/* Finds every tensor that the configuration asks for, with or without "bert." before its name and
 * with LayerNorm's parameters as weight and bias or as gamma and beta, checks its shape, and
 * makes floats of the vectors. STATUS_MISMATCH for a missing tensor or another shape,
 * STATUS_UNSUPPORTED for another type than F32, F16 and BF16, STATUS_FORMAT for a vector with a
 * number that is NaN or infinite; matrices, which may be gigabytes, are not read. The watch, which
 * may be NULL, is told of each tensor. The store must outlive the weights. Free what the weights
 * hold with weights_free, also after an error. */
enum status weights_bind(struct weights *weights, const struct config *config,
                         const struct store *store, const struct watch *watch, struct error *error);

/* Goes through the matrices that a pass reads, of bound weights' store: those of a layer; the rows
 * of the embeddings that a trace's tokens have, but for tables that its pass left out; those of the
 * heads whose logits it has. STATUS_FORMAT for the first number that is NaN or infinite, with its
 * place in the message. */
enum status weights_check_layer(const struct config *config, const struct store *store, size_t l,
                                struct error *error);
enum status weights_check_embeddings(const struct config *config, const struct store *store,
                                     const struct trace *trace, struct error *error);
enum status weights_check_heads(const struct config *config, const struct store *store,
                                const struct trace *trace, struct error *error);

/* Accepts all-zero and half-bound weights. */
void weights_free(struct weights *weights);

#endif
