/* weights.h: the parameters of an encoder, ready to be multiplied with.
 *
 * Matrices are used where they lie in the checkpoint's memory. Vectors, a thousandth of it, are
 * floats in the one block that `block` owns. All are immutable. */
#ifndef HEADLIGHT_MODEL_WEIGHTS_H
#define HEADLIGHT_MODEL_WEIGHTS_H

#include "headlight/base/watch.h"
#include "headlight/model/config.h"
#include "headlight/model/family.h"
#include "headlight/model/trace.h"
#include "headlight/tensor/matmul.h"
#include "headlight/tensor/store.h"

#include <stdbool.h>

/* Without a weight there is no LayerNorm: rows are unchanged. */
struct norm {
    const float *weight; /* [H] */
    const float *bias;   /* [H] */
};

enum projection { QUERY, KEY, VALUE, PROJECTIONS };

struct layer_weights {
    struct linear projections[PROJECTIONS]; /* [H,H]; rows of head h: h·D … h·D + D - 1 */
    struct linear relative[VALUE];          /* [H,H] of relative positions, as queries and keys */
    struct linear attention_output;         /* [H,H] */
    struct norm attention_norm;    /* after the residual, or before the projections (pre-norm) */
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
    struct norm final_norm;             /* after the last layer of a pre-norm model */

    struct matrix
        relative_positions;    /* [R,H] of disentangled attention, [R,A] of a bias; or empty */
    struct norm relative_norm; /* of disentangled attention */
    struct linear convolution; /* [H,H·K] beside the first layer; or empty */
    struct norm convolution_norm;

    bool has[OUTPUT_COUNT]; /* which heads there are */
    struct head_weights heads[OUTPUT_COUNT];
    const char *unknown; /* a tensor outside the encoder that no head of these has; or NULL */

    void *block;
    void **turned; /* transposed copies for checkpoints with [inputs,outputs] */
    size_t turned_count;
};

/* Finds every tensor that the family's record and the configuration ask for, with or without the
 * family's prefix, checks its shape, and converts the vectors to floats. STATUS_MISMATCH for a
 * missing tensor or a wrong shape, STATUS_UNSUPPORTED for types other than F32, F16 and BF16,
 * STATUS_FORMAT for a vector with a number that is NaN or infinite; matrices, which may be
 * gigabytes, are not read. The watch, which may be NULL, is called for each tensor. The store
 * must outlive the weights. Free what the weights hold with weights_free, also after an error. */
enum status weights_bind(struct weights *weights, const struct config *config,
                         const struct store *store, const struct watch *watch, struct error *error);

/* The outputs of the file's classifier of texts or tokens, which are the rows of its last weight;
 * 0: it has none. */
size_t weights_classes(const struct config *config, const struct store *store);

/* Search the matrices that a pass reads for a number that is NaN or infinite: of the embeddings the
 * rows for a trace's tokens, except tables that its pass left out, and everything else outside the
 * layers; and, after the layers that the trace has, those of the next one or, if it has all of
 * them, those of the heads whose logits it has. STATUS_FORMAT for the first such number, with its
 * place in the message. */
enum status weights_check_embeddings(const struct config *config, const struct store *store,
                                     const struct trace *trace, struct error *error);
enum status weights_check_next(const struct config *config, const struct store *store,
                               const struct trace *trace, struct error *error);

/* The output that says words, there or the next; OUTPUT_COUNT: there is no such head. */
static inline enum model_output weights_words(const struct weights *weights)
{
    return weights->has[OUTPUT_MLM]  ? OUTPUT_MLM
           : weights->has[OUTPUT_LM] ? OUTPUT_LM
                                     : OUTPUT_COUNT;
}

/* Accepts zeroed and half-bound weights. */
void weights_free(struct weights *weights);

/* ---- Shared by the files of the weights ---- */

/* Where the tensors of a family's lists are looked for. */
struct tensor_finder {
    const struct config *config;
    const struct store *store;
    char prefix[72]; /* of a layer's names: "encoder.albert_layer_groups.0.albert_layers.0.", with
                        room to spare; "" outside the layers */
};

/* From here on names are those of a layer. */
void finder_go_to_layer(struct tensor_finder *in, size_t l);

/* Whether this configuration has such a tensor; and the tensor, or NULL. */
bool finder_wants(const struct tensor_finder *in, const struct tensor_entry *entry);
const struct tensor *finder_find(const struct tensor_finder *in, const struct tensor_entry *entry);

/* Whether a head predicts words, at a token or after it: its decoder may be the word embeddings. */
static inline bool head_is_of_words(const struct head_list *head)
{
    return head->output == OUTPUT_MLM || head->output == OUTPUT_LM;
}

/* The tensors of a head in this configuration. */
struct tensor_list finder_head(const struct head_list *head, const struct config *config);

#endif
