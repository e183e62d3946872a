/* family_bart.c: BART (Lewis et al. 2020) and Marian (Junczys-Dowmunt et al. 2018): two stacks that
 * mostly share a table of words, each with one of positions; LayerNorms come after the sums, as in
 * BERT. */
#include "headlight/model/family_entries.h"

/* Marian's start is the padding. */
static void read_marian(const struct json_reader *in, struct config *config)
{
    config->rules.start = (int32_t)config_size(in, "pad_token_id", 0, CONFIG_SIZE_MAX, 58100);
    config->word_scale = json_bool(in, "scale_embedding", false) ? sqrt((double)config->hidden) : 0;
    if (!json_bool(in, "share_encoder_decoder_embeddings", true) && config->causal)
        config->vocabulary =
            config_size(in, "decoder_vocab_size", 1, CONFIG_SIZE_MAX, config->vocabulary);
}

static void read_bart(const struct json_reader *in, struct config *config)
{
    config->word_scale = json_bool(in, "scale_embedding", false) ? sqrt((double)config->hidden) : 0;
    config->longest = config->positions;
    config->positions += 2;
}

#define ATTENTION(name, after, member)                                                             \
    LINEAR(LAYER, name ".q_proj", "H", "H", member.projections[QUERY]),                            \
        LINEAR(LAYER, name ".k_proj", "H", "H", member.projections[KEY]),                          \
        LINEAR(LAYER, name ".v_proj", "H", "H", member.projections[VALUE]),                        \
        LINEAR(LAYER, name ".out_proj", "H", "H", member.output),                                  \
        NORM(LAYER, after, "H", member.norm)
#define FORWARD                                                                                    \
    LINEAR(LAYER, "fc1", "F", "H", intermediate[0]), LINEAR(LAYER, "fc2", "H", "F", output),       \
        NORM(LAYER, "final_layer_norm", "H", output_norm)
#define WORDS(stack)                                                                               \
    ENTRY("shared.weight", stack ".embed_tokens.weight", MODEL(word_embeddings), "VH", 0, 0)
#define BART(stack)                                                                                \
    {"BART", "bart", "Bart", "model."},                                                            \
        .read = read_bart, .start.first_position = 2,                                              \
        .start.rules = {.start = 2, .first = -1, .last = 2}, .start.ends[0] = 2,                   \
        .whole = LIST(WORDS(stack), TABLE(stack ".embed_positions", "PH", position_embeddings),    \
                      NORM(MODEL, stack ".layernorm_embedding", "H", embedding_norm))
#define MARIAN(stack)                                                                              \
    {"Marian", "marian", "Marian", "model."},                                                      \
        .read = read_marian, .start.rules.first = -1,                                              \
        .whole = LIST(WORDS(stack), TABLE(stack ".embed_positions", "yH", position_embeddings))
/* What a file leaves out is as in transformers' BartConfig; where none says how a target is
 * generated, every one begins with a class' start and is made to end. */
#define STACK(stack)                                                                               \
    .start.end_count = 1, .start.layers = 12, .start.heads = 16, .start.feed_forward = 4096,       \
    .epsilon = 1e-5, .start.positions = 1024,                                                      \
    .keys = {.hidden = "d_model",                                                                  \
             .layers = #stack "_layers",                                                           \
             .heads = #stack "_attention_heads",                                                   \
             .feed_forward = #stack "_ffn_dim",                                                    \
             .positions = "max_position_embeddings",                                               \
             .activation = "activation_function"},                                                 \
    .layer = LIST_OF(stack##_layer), .layer_prefix = #stack ".layers."
#define DECODER                                                                                    \
    STACK(decoder),                                                                                \
        .start.causal = true,                                                                      \
        .heads = {{OUTPUT_LM, 0,                                                                   \
                   .tensors = LIST(TENSOR("final_logits_bias", HEAD(decoder.bias), "v"),           \
                                   TENSOR("lm_head.weight", HEAD(decoder.weight), "VH"))}}

static const struct tensor_entry encoder_layer[] = {
    ATTENTION("self_attn", "self_attn_layer_norm", attention), FORWARD};
static const struct tensor_entry decoder_layer[] = {
    ATTENTION("self_attn", "self_attn_layer_norm", attention),
    ATTENTION("encoder_attn", "encoder_attn_layer_norm", cross), FORWARD};

static const struct family decoders[] = {{BART("decoder"), .encoder = &family_bart, DECODER},
                                         {MARIAN("decoder"), .encoder = &family_marian, DECODER}};

const struct family family_bart = {
    BART("encoder"),
    .decoder = &decoders[0],
    STACK(encoder),
    .tokenizer = {ROBERTA_TOKENIZER},
};
const struct family family_marian = {
    MARIAN("encoder"),
    .decoder = &decoders[1],
    STACK(encoder),
    .tokenizer = {.model = PIECES_UNIGRAM,
                  .special = {"<unk>", NULL, "</s>", NULL, "<pad>"},
                  .frame = FRAME_LAST,
                  .converter = CONVERTER_MARIAN},
};
