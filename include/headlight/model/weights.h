/* weights.h: the parameters of an encoder, ready to be multiplied with.
 *
 * All lie in the checkpoint's memory: matrices as they are, but for copies of those that are stored
 * as [inputs,outputs], and vectors, a thousandth of it, as floats. All are immutable. */
#pragma once

#include "headlight/model/trace.h"
#include "headlight/tensor/matmul.h"
#include "headlight/tensor/store.h"

/* Without a weight there is no LayerNorm: rows are unchanged. Without a bias it is RMSNorm, which
 * subtracts no mean. */
struct norm {
    const float *weight; /* [H] */
    const float *bias;   /* [H] */
};

enum projection { QUERY, KEY, VALUE, PROJECTIONS };

struct attention_weights {
    struct linear projections[PROJECTIONS]; /* [A·D,H], keys and values [G·D,H]; rows of head h:
                                               h·D … h·D + D - 1 */
    struct linear output;                   /* [H,A·D] */
    struct norm norm; /* after the residual, or before the projections (pre-norm) */
};

struct layer_weights {
    struct attention_weights attention;
    struct attention_weights cross;   /* of a decoder, to what its encoder made; or empty */
    struct linear relative[VALUE];    /* [H,H] of relative positions, as queries and keys */
    struct matrix relative_positions; /* [R,A] of a bias that each layer has of its own; or empty */
    struct norm query_norm, key_norm; /* of D numbers, before rotation */
    struct norm attention_after, output_after; /* of what is then added to the residual, [H] */
    struct linear intermediate[2]; /* [F,H]; the second is the gate, where there is one */
    struct linear output;          /* [H,F] */
    struct norm output_norm;       /* after the residual, or before the intermediate (pre-norm) */
};

/* A head's parts (family.h); those that it lacks are empty. */
struct head_weights {
    struct linear dense; /* [H,H], or [E,H] of words */
    struct norm norm;
    struct linear decoder; /* [V,E], [C,H], [2,H] or [1,H]; of words the embeddings if tied */
    enum activation activation;
    enum head_pooling pooling; /* never POOL_CONFIGURED */
};

struct weights {
    struct matrix word_embeddings;      /* [V,E] */
    struct matrix position_embeddings;  /* [positions,E]; or empty */
    struct matrix segment_embeddings;   /* [segments,E]; or empty */
    struct norm embedding_norm;         /* of E numbers */
    struct linear embedding_projection; /* [H,E]; empty: E is H */
    struct layer_weights *layer;        /* [L] */
    const float *speeds;                /* [D/2] of rotary positions; NULL: the file has none */
    struct norm final_norm;             /* after the last layer of a pre-norm model */

    struct matrix
        relative_positions;    /* [R,H] of disentangled attention, [R,A] of a bias; or empty */
    struct norm relative_norm; /* of disentangled attention */
    struct linear convolution; /* [H,H·K] beside the first layer; or empty */
    struct norm convolution_norm;

    bool has[HEAD_COUNT]; /* which heads there are */
    struct head_weights heads[HEAD_COUNT];
    const char *unknown; /* a tensor outside the encoder that no head of these has; or NULL */
};

/* What all weights but the heads' take in the type of the word embeddings; it can't overflow. */
double weights_bytes(const struct weights *weights, const struct config *config);

/* Finds every tensor that the family's record and the configuration ask for, with or without the
 * family's prefix, checks its shape, and converts the vectors to floats. STATUS_MISMATCH for a
 * missing tensor or a wrong shape, STATUS_UNSUPPORTED for types other than F32, F16 and BF16,
 * STATUS_FORMAT for a vector with a number that is NaN or infinite; matrices, which may be
 * gigabytes, are not read; STATUS_LIMIT if there is no memory to read them. The watch, which may be
 * NULL, is called for each tensor. The store must outlive the weights. Free what the weights hold
 * with weights_free, also after an error. */
enum status weights_bind(struct weights *weights, const struct config *config,
                         const struct store *store, const struct watch *watch, struct error *error);

/* Sets what stands before the family's names of tensors, for a model of another name, which has its
 * own. */
void weights_find_prefix(const struct store *store, struct config *config);

/* Whether the file has no tensor of a stack's first layer. */
bool weights_lack_layers(const struct config *config, const struct store *store);

/* The outputs of the file's classifier of texts or tokens, which are the rows of its last weight;
 * 0: it has none. */
size_t weights_classes(const struct config *config, const struct store *store);

/* The output that says words, there or the next; OUTPUT_COUNT: there is no such head. */
static inline enum model_output weights_words(const struct weights *weights)
{
    return weights->has[OUTPUT_MLM]  ? OUTPUT_MLM
           : weights->has[OUTPUT_LM] ? OUTPUT_LM
                                     : OUTPUT_COUNT;
}

/* Accepts zeroed and half-bound weights. */
void weights_free(struct weights *weights);
