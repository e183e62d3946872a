/* family_llama.c: Llama (Touvron et al. 2023), Mistral (Jiang et al. 2023), Qwen 2 and 3: decoders
 * with RMSNorm before attention and feed-forward, rotary positions, a gated feed-forward block, and
 * keys and values that several query heads share; and EuroBERT (Boizard et al. 2025), such an
 * encoder. */
#include "headlight/model/family_entries.h"

static const struct tensor_entry whole[] = {LLAMA_WHOLE};

#define LAYER_OF(biased, output_biased, forward_biased)                                            \
    LLAMA_ATTENTION(biased, output_biased),                                                        \
        RMS_NORM(LAYER, "post_attention_layernorm", "H", output_norm),                             \
        LLAMA_FORWARD(forward_biased)

static const struct tensor_entry llama_layer[] = {LAYER_OF("a", "a", "m")};

#define KIN                                                                                        \
    .keys = {LLAMA_KEYS, .activation = "hidden_act"}, .activation = "silu",                        \
    .start.norm_before = true, .start.gated = true, .start.rotary = true, .untied = true,          \
    .whole = LIST_OF(whole), .layer_prefix = "layers."
#define LLAMA                                                                                      \
    KIN, .epsilon = 1e-6, .start.causal = true, .theta = 10000,                                    \
         .heads = {{OUTPUT_LM, 2, .tensors = LIST_OF(next_words)}}

const struct tensor_entry next_words[2] = {
    NO_BIAS(HEAD, "V", decoder),
    TENSOR("lm_head.weight", HEAD(decoder.weight), "VH"),
};

static void read_llama(const struct json_reader *in, struct config *config)
{
    config->attention_bias = json_bool(in, "attention_bias", false);
    config->mlp_bias = json_bool(in, "mlp_bias", false);
}

const struct family family_llama = {
    {"Llama", "llama", "Llama", "model."}, LLAMA, .start.positions = 2048, .read = read_llama,
    .layer = LIST_OF(llama_layer),
};

/* Without a window that is used its size means nothing. */
static void read_window(const struct json_reader *in, bool used, size_t from, struct config *config)
{
    const size_t window = config_size(in, "sliding_window", 1, CONFIG_SIZE_MAX, 4096);
    if (!used)
        return;
    config->reach = window - 1;
    for (size_t l = from; l < config->layers && l < CONFIG_LAYERS_MAX; l++)
        config->local[l] = true;
    config_layers(in, config);
}

static void read_qwen(const struct json_reader *in, struct config *config)
{
    const size_t from = config_size(in, "max_window_layers", 0, CONFIG_SIZE_MAX, 28);
    read_window(in, json_bool(in, "use_sliding_window", false), from, config);
}

/* Null is none. */
static void read_mistral(const struct json_reader *in, struct config *config)
{
    const cJSON *window = cJSON_GetObjectItemCaseSensitive(in->object, "sliding_window");
    read_window(in, !cJSON_IsNull(window), 0, config);
}

static void read_qwen3(const struct json_reader *in, struct config *config)
{
    config->attention_bias = json_bool(in, "attention_bias", false);
    read_qwen(in, config);
}

const struct family family_mistral = {
    {"Mistral", "mistral", "Mistral", "model."},
    LLAMA,
    .start.key_heads = 8,
    .start.positions = 131072,
    .read = read_mistral,
    .layer = LIST(LAYER_OF("-", "-", "-")),
};

/* Their feed-forward blocks never have biases. */
const struct family family_qwen2 = {
    {"Qwen2", "qwen2", "Qwen2", "model."},
    LLAMA,
    .start.key_heads = 32,
    .start.positions = 32768,
    .read = read_qwen,
    .layer = LIST(LAYER_OF("", "-", "-")),
};

const struct family family_qwen3 = {
    {"Qwen3", "qwen3", "Qwen3", "model."},
    LLAMA,
    .start.key_heads = 32,
    .start.dimensions = 128,
    .start.positions = 32768,
    .read = read_qwen3,
    .layer = LIST(LAYER_OF("a", "a", "-"), RMS_NORM(LAYER, "self_attn.q_norm", "D", query_norm),
                  RMS_NORM(LAYER, "self_attn.k_norm", "D", key_norm)),
};

/* The code that came with the first files has another name for what makes one of a text's tokens.
 */
static void read_eurobert(const struct json_reader *in, struct config *config)
{
    static const char *const key = "classifier_pooling", *const poolings[] = {"bos", "mean",
                                                                              "late"};
    const char *pooling = json_string(in, key, json_string(in, "clf_pooling", "late"));
    config->classifier_pooling =
        (enum head_pooling)(POOL_FIRST + json_choose(in, key, pooling, poolings, 3));
    read_llama(in, config);
}

/* A biased feed-forward block goes with a biased head. */
const struct family family_eurobert = {
    {"EuroBERT", "eurobert", "EuroBert", "model."},
    KIN,
    .epsilon = 1e-5,
    .start.positions = 8192,
    .theta = 250000,
    .read = read_eurobert,
    .layer = LIST_OF(llama_layer),
    .heads = {{OUTPUT_MLM, 2,
               .tensors = LIST(TENSOR("lm_head.bias", HEAD(decoder.bias), "V+m"),
                               TENSOR("lm_head.weight", HEAD(decoder.weight), "VH"))},
              {OUTPUT_CLASSES, 2,
               .tensors = LIST(LINEAR(HEAD, "classifier", "C", "H", decoder),
                               LINEAR(HEAD, "dense", "H", "H", dense)),
               .pooling = POOL_CONFIGURED, .activation = ACTIVATION_GELU, .task = TASK_SEQUENCE},
              TAG_AND_SPAN_HEADS},
};
