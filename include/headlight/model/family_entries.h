/* family_entries.h: what a family_*.c is made of: readers of its configuration's fields, and macros
 * for its lists of tensors. */
#pragma once

#include "headlight/model/weights.h"

/* ---- Single fields of a config.json, with defaults for optional ones ---------------------- */

/* An integer from `least` to `most`. */
size_t config_size(const struct json_reader *in, const char *name, size_t least, size_t most,
                   size_t otherwise);

/* The activation that a field names; if it is absent, or there is no such field, that of
 * `name_or`. */
enum activation config_activation(const struct json_reader *in, const char *name,
                                  const char *name_or);

/* That of a name which such a field says. */
enum activation config_activation_of(const struct json_reader *in, const char *name,
                                     const char *found);

/* A number above another one; `otherwise` is its default. */
double config_above(const struct json_reader *in, const char *name, double above, double otherwise);

/* θ of rotary positions: a number of at least 1; and all about them, as a member of this name has
 * it, which may be absent. The sizes of heads and the positions are known already. */
double config_base(const struct json_reader *in, const char *name, double otherwise);
void config_rotation(const struct json_reader *in, const char *name, double theta,
                     const struct config *config, struct rotation *rotation);

/* The same of two kinds of layers, which older files have in a field each, and `scaling` of the
 * first, if there is such a field. */
void config_rotations(const struct json_reader *in, const char *const names[2],
                      const double thetas[2], const char *scaling, struct config *config);

/* Which layers see only what is near, where a list says so: else as config->local has it. */
void config_layers(const struct json_reader *in, struct config *config);

/* ---- Lists of tensors --------------------------------------------------------------------- */

#define MODEL(member) offsetof(struct weights, member)
#define LAYER(member) offsetof(struct layer_weights, member)
#define HEAD(member)  offsetof(struct head_weights, member)

/* A tensor; one under either of two names, perhaps a part of one; a part. */
#define TENSOR(name, at, axes) ENTRY(name, NULL, at, axes, 0, 0)
#define ENTRY(name, other_name, at, axes, part, parts)                                             \
    {                                                                                              \
        name, other_name, at, axes, part, parts                                                    \
    }
#define PART(name, at, axes, part, parts) ENTRY(name, NULL, at, axes, part, parts)
/* A linear layer with its bias, a LayerNorm. */
#define LINEAR(where, name, outputs, inputs, member)                                               \
    TENSOR(name ".weight", where(member.weight), outputs inputs),                                  \
        TENSOR(name ".bias", where(member.bias), outputs)
#define NORM(where, name, axis, member)                                                            \
    ENTRY(name ".weight", name ".gamma", where(member.weight), axis, 0, 0),                        \
        ENTRY(name ".bias", name ".beta", where(member.bias), axis, 0, 0)
/* RMSNorm, which has none; a linear layer with a bias, if the configuration says so. */
#define RMS_NORM(where, name, axis, member) TENSOR(name ".weight", where(member.weight), axis)
#define SWITCHED(name, outputs, inputs, member, switch)                                            \
    TENSOR(name ".weight", LAYER(member.weight), outputs inputs),                                  \
        TENSOR(name ".bias", LAYER(member.bias), outputs "+" switch)
/* What Llama and its kin are made of, with the fields that their biases depend on (family.h). */
#define LLAMA_WHOLE                                                                                \
    TABLE("embed_tokens", "VH", word_embeddings), RMS_NORM(MODEL, "norm", "H", final_norm)
#define LLAMA_ATTENTION(biased, output_biased)                                                     \
    RMS_NORM(LAYER, "input_layernorm", "H", attention.norm),                                       \
        SWITCHED("self_attn.q_proj", "Q", "H", attention.projections[QUERY], biased),              \
        SWITCHED("self_attn.k_proj", "G", "H", attention.projections[KEY], biased),                \
        SWITCHED("self_attn.v_proj", "G", "H", attention.projections[VALUE], biased),              \
        SWITCHED("self_attn.o_proj", "H", "Q", attention.output, output_biased)
#define LLAMA_FORWARD(biased)                                                                      \
    SWITCHED("mlp.gate_proj", "F", "H", intermediate[0], biased),                                  \
        SWITCHED("mlp.up_proj", "F", "H", intermediate[1], biased),                                \
        SWITCHED("mlp.down_proj", "H", "F", output, biased)
#define LLAMA_KEYS                                                                                 \
    SIZE_KEYS, .epsilon = "rms_norm_eps", .key_heads = "num_key_value_heads",                      \
               .dimensions = "head_dim", .theta = "rope_theta"

/* Zeros for a layer without a bias. */
#define NO_BIAS(where, axis, member) TENSOR(NULL, where(member.bias), axis)
/* A weight without a bias. */
#define BARE(where, name, axes, outputs, member)                                                   \
    TENSOR(name, where(member.weight), axes), NO_BIAS(where, outputs, member)
/* Query, key and value, the thirds of one matrix, one below the other; without biases. */
#define THIRD(name, index)                                                                         \
    PART(name, LAYER(attention.projections[index].weight), "HH", index, 3),                        \
        NO_BIAS(LAYER, "H", attention.projections[index])
#define THIRDS(name) THIRD(name, QUERY), THIRD(name, KEY), THIRD(name, VALUE)
/* A table of embeddings. */
#define TABLE(name, axes, member) TENSOR(name ".weight", MODEL(member), axes)
/* One of query, key and value, whose rows lie head by head in one matrix. */
#define PACKED(name, index) PART(name, LAYER(attention.projections[index].weight), "hH", index, 3)
/* What BERT's embeddings are made of. Families without segments, or without positions that are
 * added, have no such axis, so the table is not there for them. */
#define BERT_EMBEDDINGS                                                                            \
    TABLE("embeddings.word_embeddings", "VE", word_embeddings),                                    \
        TABLE("embeddings.position_embeddings", "PE", position_embeddings),                        \
        TABLE("embeddings.token_type_embeddings", "SE", segment_embeddings),                       \
        NORM(MODEL, "embeddings.LayerNorm", "E", embedding_norm)
/* A layer as BERT has it: attention with its norm, feed-forward with its norm. */
#define BERT_LAYER(query, key, value, context, context_norm, up, down, down_norm)                  \
    LINEAR(LAYER, query, "H", "H", attention.projections[QUERY]),                                  \
        LINEAR(LAYER, key, "H", "H", attention.projections[KEY]),                                  \
        LINEAR(LAYER, value, "H", "H", attention.projections[VALUE]),                              \
        BERT_BLOCKS(context, context_norm, up, down, down_norm)
#define BERT_BLOCKS(context, context_norm, up, down, down_norm)                                    \
    LINEAR(LAYER, context, "H", "H", attention.output),                                            \
        NORM(LAYER, context_norm, "H", attention.norm),                                            \
        LINEAR(LAYER, up, "F", "H", intermediate[0]), LINEAR(LAYER, down, "H", "F", output),       \
        NORM(LAYER, down_norm, "H", output_norm)
/* A masked-word head of `size` numbers: dense, norm, and the decoder's bias and weight. */
#define WORD_HEAD(size, dense_name, norm_name, bias_name, other_name, decoder_name)                \
    LINEAR(HEAD, dense_name, size, "H", dense), NORM(HEAD, norm_name, size, norm),                 \
        ENTRY(bias_name, other_name, HEAD(decoder.bias), "V", 0, 0),                               \
        TENSOR(decoder_name ".weight", HEAD(decoder.weight), "V" size)
/* One of the two rows of a head that says where an answer begins and where it ends. */
#define SPAN_ROW(name, index)                                                                      \
    PART(name ".weight", HEAD(decoder.weight), "1H", index, 2),                                    \
        PART(name ".bias", HEAD(decoder.bias), "1", index, 2)
/* The heads of tags and of spans, which most families have alike. */
#define TAG_AND_SPAN_HEADS                                                                         \
    {OUTPUT_TAGS, 2, .tensors = LIST(LINEAR(HEAD, "classifier", "C", "H", decoder)),               \
     .task = TASK_TOKENS},                                                                         \
        {OUTPUT_START, 2, .tensors = LIST(SPAN_ROW("qa_outputs", 0))},                             \
    {                                                                                              \
        OUTPUT_END, 2, .tensors = LIST(SPAN_ROW("qa_outputs", 1))                                  \
    }
/* Of the first token, by BERT's pooler and what was copied from it. */
#define POOLED .pooling = POOL_FIRST, .activation = ACTIVATION_TANH
/* A head's activation, where a configuration has it. */
#define CONFIGURED(member) .configured = offsetof(struct config, member)
/* A list of its own, or one that several families share. */
#define LIST(...)                                                                                  \
    {                                                                                              \
        (const struct tensor_entry[]){__VA_ARGS__},                                                \
            sizeof((const struct tensor_entry[]){__VA_ARGS__}) / sizeof(struct tensor_entry)       \
    }
#define LIST_OF(entries)                                                                           \
    {                                                                                              \
        entries, sizeof(entries) / sizeof *(entries)                                               \
    }

/* Special tokens: unknown, class, separator, mask, padding. */
#define BRACKETED "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]"
#define ANGLED    "<unk>", "<s>", "</s>", "<mask>", "<pad>"
#define ROBERTA_TOKENIZER                                                                          \
    .model = PIECES_BPE, .special = {ANGLED}, .frame = FRAME_DOUBLE, .mask_left = true
#define BERT_TOKENIZER .special = {BRACKETED}, .frame = FRAME_SINGLE, .typed = true

/* The fields that most configurations have, and BERT's. */
#define SIZE_KEYS                                                                                  \
    .hidden = "hidden_size", .layers = "num_hidden_layers", .heads = "num_attention_heads",        \
    .feed_forward = "intermediate_size", .positions = "max_position_embeddings"
#define BERT_KEYS SIZE_KEYS, .activation = "hidden_act", .epsilon = "layer_norm_eps"

#define GPT2_KEYS                                                                                  \
    .hidden = "n_embd", .layers = "n_layer", .heads = "n_head", .positions = "n_positions",        \
    .epsilon = "layer_norm_epsilon"

/* Shared by several families. */
extern const struct tensor_entry bert_words[6], roberta_words[6], roberta_classes[4], next_words[2];
