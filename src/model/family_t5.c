/* family_t5.c: T5 (Raffel et al. 2020), its version 1.1, mT5 and umT5: two stacks without biases
 * and positions, with RMSNorm before each block, a bias of the distance of two tokens, and scores
 * that nothing divides. */
#include "headlight/model/family_entries.h"

/* "gated-gelu" is the tanh one. Words tied to their embeddings are scaled down. */
static void read_t5(const struct json_reader *in, struct config *config)
{
    const struct family *family = config->family;
    const bool first = strcmp(family->type, "t5") == 0;
    const char *forward = json_string(in, "feed_forward_proj", first ? "relu" : "gated-gelu");
    config->gated = strncmp(forward, "gated-", 6) == 0;
    forward += config->gated ? 6 : 0;
    config->activation =
        config_activation_of(in, "feed_forward_proj",
                             config->gated && strcmp(forward, "gelu") == 0 ? "gelu_new" : forward);
    config->own_relations = strcmp(family->type, "umt5") == 0;
    config->relative_rows = config_size(in, "relative_attention_num_buckets", 4, 4096, 32);
    config->distances = config_size(in, "relative_attention_max_distance",
                                    config->relative_rows / 2 + 1, CONFIG_SIZE_MAX, 128);
    config->placed = false;
    config->head_scale = json_bool(in, "tie_word_embeddings", !family->untied)
                             ? 1 / sqrt((double)config->hidden)
                             : 0;
}

#define PROJECTION(name, axis, member) BARE(LAYER, name ".weight", axis "H", axis, member)
#define ATTENTION(before, name, member)                                                            \
    RMS_NORM(LAYER, before ".layer_norm", "H", member.norm),                                       \
        PROJECTION(before "." name ".q", "Q", member.projections[QUERY]),                          \
        PROJECTION(before "." name ".k", "G", member.projections[KEY]),                            \
        PROJECTION(before "." name ".v", "G", member.projections[VALUE]),                          \
        BARE(LAYER, before "." name ".o.weight", "HQ", "H", member.output)
#define BIAS(before, where, axes)                                                                  \
    TENSOR(before "SelfAttention.relative_attention_bias.weight", where(relative_positions), axes)
#define FORWARD(before)                                                                            \
    RMS_NORM(LAYER, before ".layer_norm", "H", output_norm),                                       \
        PROJECTION(before ".DenseReluDense.wi", "u", intermediate[0]),                             \
        PROJECTION(before ".DenseReluDense.wi_0", "f", intermediate[0]),                           \
        PROJECTION(before ".DenseReluDense.wi_1", "f", intermediate[1]),                           \
        BARE(LAYER, before ".DenseReluDense.wo.weight", "HF", "H", output)
#define WHOLE(stack)                                                                               \
    ENTRY("shared.weight", stack ".embed_tokens.weight", MODEL(word_embeddings), "VH", 0, 0),      \
        BIAS(stack ".block.0.layer.0.", MODEL, "bA"),                                              \
        RMS_NORM(MODEL, stack ".final_layer_norm", "H", final_norm)

static const struct tensor_entry encoder_whole[] = {WHOLE("encoder")};
static const struct tensor_entry decoder_whole[] = {WHOLE("decoder")};
static const struct tensor_entry encoder_layer[] = {
    ATTENTION("layer.0", "SelfAttention", attention), BIAS("layer.0.", LAYER, "lA"),
    FORWARD("layer.1")};
static const struct tensor_entry decoder_layer[] = {
    ATTENTION("layer.0", "SelfAttention", attention), BIAS("layer.0.", LAYER, "lA"),
    ATTENTION("layer.1", "EncDecAttention", cross), FORWARD("layer.2")};

/* A target starts with token 0 and ends with 1. */
#define STACK(stack, its_layers)                                                                   \
    .start.dimensions = 64, .start.longest = CONFIG_SIZE_MAX, .start.relation = RELATION_BIAS,     \
    .start.score_scalar = 1, .start.rules.first = -1, .start.rules.last = -1, .start.ends[0] = 1,  \
    .start.end_count = 1, .epsilon = 1e-6, .activation = "relu", .start.norm_before = true,        \
    .read = read_t5,                                                                               \
    .keys = {.hidden = "d_model",                                                                  \
             .layers = its_layers,                                                                 \
             .heads = "num_heads",                                                                 \
             .dimensions = "d_kv",                                                                 \
             .feed_forward = "d_ff",                                                               \
             .epsilon = "layer_norm_epsilon"},                                                     \
    .whole = LIST_OF(stack##_whole), .layer = LIST_OF(stack##_layer),                              \
    .layer_prefix = #stack ".block."
#define ENCODER(index, ...)                                                                        \
    __VA_ARGS__, .decoder = &decoders[index], STACK(encoder, "num_layers"),                        \
                 .tokenizer = {.model = PIECES_UNIGRAM,                                            \
                               .special = {"<unk>", NULL, "</s>", NULL, "<pad>"},                  \
                               .frame = FRAME_ENDED,                                               \
                               .converter = CONVERTER_T5}
#define DECODER(its_encoder, ...)                                                                  \
    __VA_ARGS__, .encoder = &(its_encoder), .start.causal = true,                                  \
                 STACK(decoder, "num_decoder_layers"),                                             \
                 .heads = {{OUTPUT_LM, 0, .tensors = LIST_OF(next_words)}}
/* What a file leaves out is as in transformers' T5Config and MT5Config. */
#define T5   {"T5", "t5", "T5", ""}, .start.layers = 6, .start.heads = 8
#define MT5  {"mT5", "mt5", "MT5", ""}, .start.layers = 8, .start.heads = 6, .untied = true
#define UMT5 {"umT5", "umt5", "UMT5", ""}, .start.layers = 8, .start.heads = 6

static const struct family decoders[] = {
    {DECODER(family_t5, T5)}, {DECODER(family_mt5, MT5)}, {DECODER(family_umt5, UMT5)}};
const struct family family_t5 = {ENCODER(0, T5)}, family_mt5 = {ENCODER(1, MT5)},
                    family_umt5 = {ENCODER(2, UMT5)};
