/* family_modernbert.c: ModernBERT (Warner et al. 2024): pre-norm, rotary positions, gated
 * feed-forward, sliding-window layers, no biases. */
#include "headlight/model/family_entries.h"

#include <string.h>

/* Older configurations give θ for each kind of layer in a field of its own, newer ones as
 * "rope_parameters": {"full_attention": {"rope_type": …, "rope_theta": …}, …}. */
static enum status read_rotations(const struct config_reader *in, struct config *config)
{
    static const char *const kinds[] = {"full_attention", "sliding_attention"};
    static const char *const names[] = {"global_rope_theta", "local_rope_theta"};
    struct config_reader newer = *in;
    if (config_read_item(in, "rope_parameters", cJSON_IsObject, "an object", &newer.object) !=
        STATUS_OK)
        return in->error->status;
    for (size_t i = 0; i < 2; i++) {
        config->rotations[i] = i == 0 ? 160000 : config->rotations[0];
        if (i == 1 && !cJSON_GetObjectItemCaseSensitive(in->object, names[i]))
            config->rotations[i] = 10000; /* absent, as in transformers; null is the global one */
        if (config_read_base(in, names[i], &config->rotations[i]) != STATUS_OK ||
            config_read_rotation(&newer, kinds[i], &config->rotations[i]) != STATUS_OK)
            return in->error->status;
    }
    return STATUS_OK;
}

/* Which layers have a sliding window: all but every n-th, or as a list says. */
static enum status read_layers(const struct config_reader *in, struct config *config)
{
    const cJSON *types, *type;
    size_t every = 3, window = 128, l = 0;
    if (config_read_item(in, "layer_types", cJSON_IsArray, "a list", &types) != STATUS_OK ||
        config_read_size(in, "global_attn_every_n_layers", 1, CONFIG_LAYERS_MAX, &every) !=
            STATUS_OK ||
        config_read_size(in, "local_attention", 1, CONFIG_SIZE_MAX, &window) != STATUS_OK)
        return in->error->status;
    config->reach = window / 2;
    for (size_t i = 0; i < CONFIG_LAYERS_MAX; i++)
        config->local[i] = i % every != 0;
    if (!types)
        return STATUS_OK;
    cJSON_ArrayForEach(type, types)
    {
        const char *name = cJSON_IsString(type) ? type->valuestring : "no string";
        bool local = strcmp(name, "sliding_attention") == 0;
        if (!local && strcmp(name, "full_attention") != 0)
            return error_set(in->error, STATUS_UNSUPPORTED,
                             "%s: expected \"layer_types\" to name full_attention or "
                             "sliding_attention, found \"%.100s\"",
                             in->source, name);
        if (l < CONFIG_LAYERS_MAX) /* l is not checked yet */
            config->local[l] = local;
        l++;
    }
    if (l != config->layers)
        return error_set(in->error, STATUS_MISMATCH,
                         "%s: expected \"layer_types\" to have one entry for each of the %zu "
                         "layers, found %zu",
                         in->source, config->layers, l);
    return STATUS_OK;
}

/* What a classifier of texts takes. */
static enum status read_classifier_pooling(const struct config_reader *in, struct config *config)
{
    const char *name = "cls";
    if (json_read_string(in->object, "classifier_pooling", in->source, &name, in->error) !=
        STATUS_OK)
        return in->error->status;
    config->classifier_pooling = strcmp(name, "mean") == 0 ? POOL_MEAN : POOL_FIRST;
    if (config->classifier_pooling == POOL_MEAN || strcmp(name, "cls") == 0)
        return STATUS_OK;
    return error_set(in->error, STATUS_UNSUPPORTED,
                     "%s: expected \"classifier_pooling\" to be cls or mean, found \"%.100s\"",
                     in->source, name);
}

/* The head's activation has a field of its own, whatever the layers have. */
static enum status read_modernbert(const struct config_reader *in, struct config *config)
{
    if (config_read_activation(in, "classifier_activation", "gelu", &config->head_activation) !=
            STATUS_OK ||
        read_classifier_pooling(in, config) != STATUS_OK || read_layers(in, config) != STATUS_OK)
        return in->error->status;
    return read_rotations(in, config);
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
    .name = "ModernBERT",
    .type = "modernbert",
    .class = "ModernBert",
    .prefix = "model.",
    .keys = {.hidden = "hidden_size",
             .layers = "num_hidden_layers",
             .heads = "num_attention_heads",
             .feed_forward = "intermediate_size",
             .positions = "max_position_embeddings",
             .activation = "hidden_activation",
             .epsilon = "norm_eps"},
    .epsilon = 1e-5,
    .positions = 8192,
    .norm_before = true,
    .gated = true,
    .rotary = true,
    .flags = {{"norm_bias", false, false, NO_BIASES},
              {"attention_bias", false, false, NO_BIASES},
              {"mlp_bias", false, false, NO_BIASES},
              {"classifier_bias", false, false, NO_BIASES},
              {"decoder_bias", true, true, "a ModernBERT with this bias"}},
    .read = read_modernbert,
    .whole = LIST(TABLE("embeddings.tok_embeddings", "VH", word_embeddings),
                  BARE(MODEL, "embeddings.norm.weight", "H", "H", embedding_norm),
                  BARE(MODEL, "final_norm.weight", "H", "H", final_norm)),
    .layer =
        LIST(THIRDS("attn.Wqkv.weight"), BARE(LAYER, "attn.Wo.weight", "HH", "H", attention_output),
             BARE(LAYER, "mlp_norm.weight", "H", "H", output_norm),
             {"mlp.Wi.weight", NULL, LAYER(intermediate[0].weight), "FH", 0, 2},
             NO_BIAS(LAYER, "F", intermediate[0]),
             {"mlp.Wi.weight", NULL, LAYER(intermediate[1].weight), "FH", 1, 2},
             NO_BIAS(LAYER, "F", intermediate[1]), BARE(LAYER, "mlp.Wo.weight", "HF", "H", output)),
    /* the first layer has none, as the embeddings' own norm comes right before it */
    .later_layer = LIST(BARE(LAYER, "attn_norm.weight", "H", "H", attention_norm)),
    .layer_prefix = "layers.",
    .layer_infix = ".",
    /* all heads have a "head": the tensors before it decide */
    .heads = {{.output = OUTPUT_MLM,
               .deciding = 1,
               .tensors = LIST({"decoder.bias", NULL, HEAD(decoder.bias), "V", 0, 0}, HEAD_OF_HEADS,
                               {"decoder.weight", NULL, HEAD(decoder.weight), "VH", 0, 0}),
               CONFIGURED(head_activation)},
              {.output = OUTPUT_CLASSES,
               .deciding = 2,
               .tensors = LIST_OF(classes),
               .pooling = POOL_CONFIGURED,
               CONFIGURED(head_activation),
               .task = TASK_SEQUENCE},
              {.output = OUTPUT_TAGS,
               .deciding = 2,
               .tensors = LIST_OF(classes),
               CONFIGURED(head_activation),
               .task = TASK_TOKENS},
              {.output = OUTPUT_START,
               .deciding = 2,
               .tensors = LIST(SPAN_ROW("classifier", 0), HEAD_OF_HEADS),
               CONFIGURED(head_activation),
               .task = TASK_SPAN},
              {.output = OUTPUT_END,
               .deciding = 2,
               .tensors = LIST(SPAN_ROW("classifier", 1), HEAD_OF_HEADS),
               CONFIGURED(head_activation),
               .task = TASK_SPAN}},
};
