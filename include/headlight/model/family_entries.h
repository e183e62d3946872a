/* family_entries.h: macros for the lists of tensors in family_*.c, which alone include it. */
#ifndef HEADLIGHT_MODEL_FAMILY_ENTRIES_H
#define HEADLIGHT_MODEL_FAMILY_ENTRIES_H

#include "headlight/model/weights.h"

#define MODEL(member) offsetof(struct weights, member)
#define LAYER(member) offsetof(struct layer_weights, member)

/* A linear layer with its bias, a LayerNorm. */
#define LINEAR(where, name, outputs, inputs, member)                                               \
    {name ".weight", NULL, where(member.weight), outputs inputs, 0, 0},                            \
    {                                                                                              \
        name ".bias", NULL, where(member.bias), outputs, 0, 0                                      \
    }
#define NORM(where, name, axis, member)                                                            \
    {name ".weight", name ".gamma", where(member.weight), axis, 0, 0},                             \
    {                                                                                              \
        name ".bias", name ".beta", where(member.bias), axis, 0, 0                                 \
    }
/* Zeros for a layer without a bias. */
#define NO_BIAS(where, axis, member)                                                               \
    {                                                                                              \
        NULL, NULL, where(member.bias), axis, 0, 0                                                 \
    }
/* A table of embeddings. */
#define TABLE(name, axes, member)                                                                  \
    {                                                                                              \
        name ".weight", NULL, MODEL(member), axes, 0, 0                                            \
    }
/* A layer as BERT has it: attention with its norm, feed-forward with its norm. */
#define BERT_LAYER(query, key, value, context, context_norm, up, down, down_norm)                  \
    LINEAR(LAYER, query, "H", "H", projections[QUERY]),                                            \
        LINEAR(LAYER, key, "H", "H", projections[KEY]),                                            \
        LINEAR(LAYER, value, "H", "H", projections[VALUE]),                                        \
        LINEAR(LAYER, context, "H", "H", attention_output),                                        \
        NORM(LAYER, context_norm, "H", attention_norm),                                            \
        LINEAR(LAYER, up, "F", "H", intermediate[0]), LINEAR(LAYER, down, "H", "F", output),       \
        NORM(LAYER, down_norm, "H", output_norm)
/* A masked-word head of `size` numbers: dense, norm, and the decoder's bias and weight. */
#define WORD_HEAD(size, dense, norm, bias_name, other_name, decoder)                               \
    LINEAR(MODEL, dense, size, "H", mlm_transform), NORM(MODEL, norm, size, mlm_norm),             \
        {bias_name, other_name, MODEL(mlm_decoder.bias), "V", 0, 0},                               \
    {                                                                                              \
        decoder ".weight", NULL, MODEL(mlm_decoder.weight), "V" size, 0, 0                         \
    }
#define LIST(entries, wanted)                                                                      \
    {                                                                                              \
        entries, sizeof(entries) / sizeof *(entries), wanted                                       \
    }

/* Special tokens: unknown, class, separator, mask, padding. */
#define BRACKETED                                                                                  \
    {                                                                                              \
        "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]"                                               \
    }
#define ANGLED                                                                                     \
    {                                                                                              \
        "<unk>", "<s>", "</s>", "<mask>", "<pad>"                                                  \
    }
#define BERT_TOKENIZER                                                                             \
    {                                                                                              \
        .special = BRACKETED, .frame = FRAME_SINGLE, .typed = true                                 \
    }

/* Shared by several families. */
extern const struct config_keys bert_keys_without_segments;
extern const struct tensor_entry bert_words[6];

#endif
