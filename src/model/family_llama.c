/* family_llama.c: Llama (Touvron et al. 2023) and its kin: decoders with RMSNorm before attention
 * and feed-forward, rotary positions, a gated feed-forward block, and keys and values that several
 * query heads share; and EuroBERT (Boizard et al. 2025), such an encoder. */
#include "headlight/model/family_entries.h"

#define WHOLE TABLE("embed_tokens", "VH", word_embeddings), RMS_NORM(MODEL, "norm", "H", final_norm)
#define LLAMA_LAYER                                                                                \
    RMS_NORM(LAYER, "input_layernorm", "H", attention_norm),                                       \
        SWITCHED("self_attn.q_proj", "Q", "H", projections[QUERY], "a"),                           \
        SWITCHED("self_attn.k_proj", "G", "H", projections[KEY], "a"),                             \
        SWITCHED("self_attn.v_proj", "G", "H", projections[VALUE], "a"),                           \
        SWITCHED("self_attn.o_proj", "H", "Q", attention_output, "a"),                             \
        RMS_NORM(LAYER, "post_attention_layernorm", "H", output_norm),                             \
        SWITCHED("mlp.gate_proj", "F", "H", intermediate[0], "m"),                                 \
        SWITCHED("mlp.up_proj", "F", "H", intermediate[1], "m"),                                   \
        SWITCHED("mlp.down_proj", "H", "F", output, "m")
#define NEXT_WORD                                                                                  \
    {                                                                                              \
        .output = OUTPUT_LM, .deciding = 2,                                                        \
        .tensors = LIST(NO_BIAS(HEAD, "V", decoder),                                               \
                        {"lm_head.weight", NULL, HEAD(decoder.weight), "VH", 0, 0})                \
    }
#define LLAMA_KEYS                                                                                 \
    .hidden = "hidden_size", .layers = "num_hidden_layers", .heads = "num_attention_heads",        \
    .feed_forward = "intermediate_size", .positions = "max_position_embeddings",                   \
    .activation = "hidden_act", .epsilon = "rms_norm_eps", .key_heads = "num_key_value_heads",     \
    .dimensions = "head_dim", .theta = "rope_theta"

static void read_llama(const struct json_reader *in, struct config *config)
{
    config->attention_bias = json_bool(in, "attention_bias", false);
    config->mlp_bias = json_bool(in, "mlp_bias", false);
}

const struct family family_llama = {
    .name = "Llama",
    .type = "llama",
    .class = "Llama",
    .prefix = "model.",
    .keys = {LLAMA_KEYS},
    .epsilon = 1e-6,
    .activation = "silu",
    .positions = 2048,
    .norm_before = true,
    .gated = true,
    .rotary = true,
    .causal = true,
    .theta = 10000,
    .untied = true,
    .read = read_llama,
    .whole = LIST(WHOLE),
    .layer = LIST(LLAMA_LAYER),
    .layer_prefix = "layers.",
    .layer_infix = ".",
    .heads = {NEXT_WORD},
};

/* A biased feed-forward block goes with a biased head. */
const struct family family_eurobert = {
    .name = "EuroBERT",
    .type = "eurobert",
    .class = "EuroBert",
    .prefix = "model.",
    .keys = {LLAMA_KEYS},
    .epsilon = 1e-5,
    .activation = "silu",
    .positions = 8192,
    .norm_before = true,
    .gated = true,
    .rotary = true,
    .theta = 250000,
    .untied = true,
    .read = read_llama,
    .whole = LIST(WHOLE),
    .layer = LIST(LLAMA_LAYER),
    .layer_prefix = "layers.",
    .layer_infix = ".",
    .heads = {{.output = OUTPUT_MLM,
               .deciding = 2,
               .tensors = LIST({"lm_head.bias", NULL, HEAD(decoder.bias), "V+m", 0, 0},
                               {"lm_head.weight", NULL, HEAD(decoder.weight), "VH", 0, 0})},
              TAG_AND_SPAN_HEADS},
};
