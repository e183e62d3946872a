/* family_modernbert.c: ModernBERT (Warner et al. 2024): pre-norm, rotary positions, gated
 * feed-forward, sliding-window layers, no biases. */
#include "headlight/model/family_entries.h"

/* The head's activation has a field of its own, whatever the layers have; and what a classifier of
 * texts takes. */
static void read_modernbert(const struct json_reader *in, struct config *config)
{
    config->head_activation = config_activation(in, "classifier_activation", "gelu");
    static const char *const key = "classifier_pooling", *const poolings[] = {"cls", "mean"};
    config->classifier_pooling = (enum head_pooling)(
        POOL_FIRST + json_choose(in, key, json_string(in, key, *poolings), poolings, 2));
    /* which layers have a sliding window: all but every n-th, or as a list says */
    const size_t every = config_size(in, "global_attn_every_n_layers", 1, CONFIG_LAYERS_MAX, 3);
    config->reach = config_size(in, "local_attention", 1, CONFIG_SIZE_MAX, 128) / 2;
    for (size_t i = 0; i < CONFIG_LAYERS_MAX && json_is_fine(in); i++)
        config->local[i] = i % every != 0;
    config_layers(in, config);
    /* θ of local layers is 10000 where it is absent, as in transformers, and null is that of the
     * others */
    static const char *const names[] = {"global_rope_theta", "local_rope_theta"};
    const bool absent = !cJSON_GetObjectItemCaseSensitive(in->object, names[1]);
    const double global = config_base(in, names[0], 160000);
    config_rotations(in, names, (const double[]){global, absent ? 10000 : global}, NULL, config);
}

/* Transformers' class can have biases anywhere; the published checkpoints have the decoder's only.
 */
#define NO_BIASES "a ModernBERT without these biases"

/* ModernBertPredictionHead in modeling_modernbert.py. */
#define HEAD_OF_HEADS                                                                              \
    BARE(HEAD, "head.dense.weight", "HH", "H", dense),                                             \
        BARE(HEAD, "head.norm.weight", "H", "H", norm)

static const struct tensor_entry classes[] = {
    LINEAR(HEAD, "classifier", "C", "H", decoder),
    HEAD_OF_HEADS,
};

const struct family family_modernbert = {
    {"ModernBERT", "modernbert", "ModernBert", "model."},
    .keys = {SIZE_KEYS, .activation = "hidden_activation", .epsilon = "norm_eps"},
    .epsilon = 1e-5,
    .start.positions = 8192,
    .start.norm_before = true,
    .start.gated = true,
    .start.rotary = true,
    .flags = {{"norm_bias", false, false, NO_BIASES},
              {"classifier_bias", false, false, NO_BIASES},
              {"decoder_bias", true, true, "a ModernBERT with this bias"}},
    .read = read_modernbert,
    .whole = LIST(TABLE("embeddings.tok_embeddings", "VH", word_embeddings),
                  BARE(MODEL, "embeddings.norm.weight", "H", "H", embedding_norm),
                  BARE(MODEL, "final_norm.weight", "H", "H", final_norm)),
    .layer =
        LIST(THIRDS("attn.Wqkv.weight"), BARE(LAYER, "attn.Wo.weight", "HH", "H", attention.output),
             BARE(LAYER, "mlp_norm.weight", "H", "H", output_norm),
             PART("mlp.Wi.weight", LAYER(intermediate[0].weight), "FH", 0, 2),
             NO_BIAS(LAYER, "F", intermediate[0]),
             PART("mlp.Wi.weight", LAYER(intermediate[1].weight), "FH", 1, 2),
             NO_BIAS(LAYER, "F", intermediate[1]), BARE(LAYER, "mlp.Wo.weight", "HF", "H", output)),
    /* the first layer has none, as the embeddings' own norm comes right before it */
    .later_layer = LIST(BARE(LAYER, "attn_norm.weight", "H", "H", attention.norm)),
    .layer_prefix = "layers.",
    /* all heads have a "head": the tensors before it decide */
    .heads = {{OUTPUT_MLM, 1,
               .tensors = LIST(TENSOR("decoder.bias", HEAD(decoder.bias), "V"), HEAD_OF_HEADS,
                               TENSOR("decoder.weight", HEAD(decoder.weight), "VH")),
               CONFIGURED(head_activation)},
              {OUTPUT_CLASSES, 2, .tensors = LIST_OF(classes), .pooling = POOL_CONFIGURED,
               CONFIGURED(head_activation), .task = TASK_SEQUENCE},
              {OUTPUT_TAGS, 2, .tensors = LIST_OF(classes), CONFIGURED(head_activation),
               .task = TASK_TOKENS},
              {OUTPUT_START, 2, .tensors = LIST(SPAN_ROW("classifier", 0), HEAD_OF_HEADS),
               CONFIGURED(head_activation), .task = TASK_SPAN},
              {OUTPUT_END, 2, .tensors = LIST(SPAN_ROW("classifier", 1), HEAD_OF_HEADS),
               CONFIGURED(head_activation), .task = TASK_SPAN}},
};
