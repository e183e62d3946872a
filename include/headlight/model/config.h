/* config.h: config.json, the numbers that fix every shape of a BERT encoder. */
#ifndef HEADLIGHT_MODEL_CONFIG_H
#define HEADLIGHT_MODEL_CONFIG_H

#include "headlight/base/error.h"
#include "headlight/tensor/kernels.h"

#include <stdbool.h>

/* Heads are kept in 64-bit masks. */
#define CONFIG_HEADS_MAX  64
#define CONFIG_LAYERS_MAX 128
/* No size of a real checkpoint comes near it, and any two of them multiply without overflow. */
#define CONFIG_SIZE_MAX ((size_t)1 << 24)

struct config {
    size_t vocabulary;   /* V  vocab_size */
    size_t hidden;       /* H  hidden_size */
    size_t layers;       /* L  num_hidden_layers */
    size_t heads;        /* A  num_attention_heads, a divisor of H */
    size_t feed_forward; /* F  intermediate_size */
    size_t positions;    /* max_position_embeddings: the longest text, in tokens */
    size_t segments;     /* type_vocab_size */
    float layer_norm_eps;
    enum activation activation;
    bool tied; /* tie_word_embeddings: the masked-word head scores with the word embeddings */
};

/* Reads the bytes of a config.json; `source` names it in messages. Every field that BERT's forward
 * pass depends on is honoured or refused by name: STATUS_UNSUPPORTED for another model_type,
 * hidden_act, position_embedding_type, a decoder, pruned heads, a quantised checkpoint;
 * STATUS_FORMAT for a missing or malformed field; STATUS_MISMATCH for sizes that do not fit each
 * other; STATUS_LIMIT for a size over the limits above, or for sizes whose weights would need more
 * memory than is free, with the sum. */
enum status config_parse(const char *text, size_t length, const char *source, struct config *config,
                         struct error *error);

#endif
