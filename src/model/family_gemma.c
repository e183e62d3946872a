/* family_gemma.c: Gemma 2 and 3 (Gemma Team 2024, 2025): Llama's layers with a norm before and
 * behind each block, scaled embeddings, layers that see only what is near, and capped scores or
 * logits. */
#include "headlight/model/family_entries.h"

static const struct tensor_entry whole[] = {LLAMA_WHOLE};

#define GEMMA_LAYER                                                                                \
    LLAMA_ATTENTION("-", "-"), RMS_NORM(LAYER, "post_attention_layernorm", "H", attention_after),  \
        RMS_NORM(LAYER, "pre_feedforward_layernorm", "H", output_norm), LLAMA_FORWARD("-"),        \
        RMS_NORM(LAYER, "post_feedforward_layernorm", "H", output_after)

#define GEMMA                                                                                      \
    .keys = {LLAMA_KEYS, .activation = "hidden_activation"}, .epsilon = 1e-6,                      \
    .activation = "gelu_pytorch_tanh", .start.norm_before = true, .start.gated = true,             \
    .start.rotary = true, .start.causal = true, .less_one = true, .whole = LIST_OF(whole),         \
    .layer_prefix = "layers.", .heads = {{OUTPUT_LM, 2, .tensors = LIST_OF(next_words)}}

#define NO_BIASES "attention_bias", false, false, "a Gemma without these biases"

/* Null is none, and an absent one the family's. */
static double read_cap(const struct json_reader *in, const char *name, double otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in->object, name);
    return cJSON_IsNull(item) ? 0 : item ? config_above(in, name, 0, 0) : otherwise;
}

/* All layers but each n-th see only what is near. */
static void read_gemma(const struct json_reader *in, size_t every, struct config *config)
{
    json_read(in, "hidden_act"); /* without a meaning in transformers beside hidden_activation */
    config->embedding_scale = (double)(float)sqrt((double)config->hidden);
    config->score_scalar = config_size(in, "query_pre_attn_scalar", 1, CONFIG_SIZE_MAX, 256);
    config->reach = config_size(in, "sliding_window", 1, CONFIG_SIZE_MAX, 4096) - 1;
    for (size_t l = 0; l < CONFIG_LAYERS_MAX && json_is_fine(in); l++)
        config->local[l] = (l + 1) % every != 0;
    config_layers(in, config);
}

static void read_gemma2(const struct json_reader *in, struct config *config)
{
    config->embedding_unscaled = true;
    config->score_cap = read_cap(in, "attn_logit_softcapping", 50);
    config->logit_cap = read_cap(in, "final_logit_softcapping", 30);
    read_gemma(in, 2, config);
}

/* Layers that see only what is near have a θ of their own, and no scaling. */
static void read_gemma3(const struct json_reader *in, struct config *config)
{
    static const char *const names[] = {"rope_theta", "rope_local_base_freq"};
    config->logit_cap = read_cap(in, "final_logit_softcapping", 0);
    read_gemma(in, config_size(in, "sliding_window_pattern", 1, CONFIG_LAYERS_MAX, 6), config);
    config_rotations(in, names, (const double[]){1e6, 10000}, "rope_scaling", config);
}

const struct family family_gemma2 = {
    {"Gemma 2", "gemma2", "Gemma2", "model."},
    GEMMA,
    .start.heads = 8,
    .start.key_heads = 4,
    .start.dimensions = 256,
    .start.positions = 8192,
    .theta = 10000,
    .flags = {{NO_BIASES}},
    .read = read_gemma2,
    .layer = LIST(GEMMA_LAYER),
};

#define GEMMA3                                                                                     \
    GEMMA, .start.vocabulary = 262208, .start.heads = 8, .start.key_heads = 4,                     \
           .start.dimensions = 256, .start.positions = 131072, .flags = {{NO_BIASES}},             \
           .read = read_gemma3,                                                                    \
           .layer = LIST(GEMMA_LAYER, RMS_NORM(LAYER, "self_attn.q_norm", "D", query_norm),        \
                         RMS_NORM(LAYER, "self_attn.k_norm", "D", key_norm))

const struct family family_gemma3 = {{"Gemma 3", "gemma3_text", "Gemma3", "model."}, GEMMA3};

/* The text's part of a file that is of pictures, too. */
const struct family family_gemma3_nested = {
    {"Gemma 3", "gemma3", "Gemma3ForConditionalGeneration", "model."},
    GEMMA3,
    .of = &family_gemma3,
    .nested = "text_config"};
