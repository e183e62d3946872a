/* family_deberta.c: DeBERTa, versions 2 and 3 (He et al. 2021): tokens and distances have
 * separate vectors, and a score is the sum of their products. */
#include "headlight/model/family_entries.h"

#include <math.h>
#include <string.h>

/* An integer; 0 or less selects the given default. */
static enum status read_or(const struct config_reader *in, const char *name, size_t other,
                           size_t *value)
{
    double number = -1;
    if (json_read_number(in->object, name, in->source, &number, in->error) != STATUS_OK)
        return in->error->status;
    *value = other;
    if (number < 1 && number >= floor(number) && number <= floor(number))
        return STATUS_OK;
    return config_read_size(in, name, 1, CONFIG_SIZE_MAX, value);
}

/* "p2c|c2p", or a list of the two. */
static enum status read_score_terms(const struct config_reader *in, struct config *config)
{
    const cJSON *types = json_member(in->object, "pos_att_type"), *type;
    const char *joined = cJSON_IsString(types) ? types->valuestring : "";
    config->content_position = strstr(joined, "c2p") != NULL;
    config->position_content = strstr(joined, "p2c") != NULL;
    for (type = cJSON_IsArray(types) ? types->child : NULL; type; type = type->next) {
        const char *name = cJSON_IsString(type) ? type->valuestring : "";
        config->content_position |= strcmp(name, "c2p") == 0;
        config->position_content |= strcmp(name, "p2c") == 0;
    }
    if (config->content_position || config->position_content)
        return STATUS_OK;
    return error_set(in->error, STATUS_UNSUPPORTED,
                     "%s: expected \"pos_att_type\" to name c2p, p2c or both, found neither; "
                     "headlight computes DeBERTa's disentangled attention only",
                     in->source);
}

/* Distances beyond half the buckets are bucketed logarithmically up to the maximum distance, if
 * there is one. */
static bool has_scale(const struct config *config)
{
    const size_t middle = config->buckets / 2;
    return config->buckets == 0 || config->positions - 1 <= middle ||
           (middle > 0 && config->distances - 1 > middle);
}

/* "norm_rel_ebd" is a list of words in one string, of which headlight knows this one. The table has
 * rows for both directions. */
static enum status read_distances(const struct config_reader *in, struct config *config)
{
    const char *norm = "none";
    if (read_or(in, "max_relative_positions", config->positions, &config->distances) != STATUS_OK ||
        read_or(in, "position_buckets", 0, &config->buckets) != STATUS_OK ||
        json_read_string(in->object, "norm_rel_ebd", in->source, &norm, in->error) != STATUS_OK)
        return in->error->status;
    if (!has_scale(config))
        return error_set(in->error, STATUS_MISMATCH,
                         "%s: expected \"position_buckets\" of at least 2 and "
                         "\"max_relative_positions\" of more than half of them and 1, found %zu "
                         "and %zu",
                         in->source, config->buckets, config->distances);
    config->relative_rows = 2 * (config->buckets > 0 ? config->buckets : config->distances);
    config->relative_norm = strstr(norm, "layer_norm") != NULL;
    return json_read_bool(in->object, "share_att_key", in->source, &config->shared_relation,
                          in->error);
}

/* Beside the first layer; an even kernel has no middle, where the token itself is. */
static enum status read_convolution(const struct config_reader *in, struct config *config)
{
    if (config_read_size(in, "conv_kernel_size", 0, 99, &config->kernel) != STATUS_OK)
        return in->error->status;
    if (config->kernel == 0)
        return STATUS_OK;
    if (config_read_activation(in, "conv_act", "tanh", &config->convolution) != STATUS_OK)
        return in->error->status;
    if (config->kernel % 2 == 0)
        return error_set(in->error, STATUS_UNSUPPORTED,
                         "%s: expected \"conv_kernel_size\" to be odd, found %zu", in->source,
                         config->kernel);
    return STATUS_OK;
}

/* Transformers lets these sizes be set apart; no published checkpoint does so. */
static enum status check_width(const struct config_reader *in, const char *name, size_t expected)
{
    size_t found = expected;
    if (config_read_size(in, name, 1, CONFIG_SIZE_MAX, &found) != STATUS_OK)
        return in->error->status;
    if (found == expected)
        return STATUS_OK;
    return error_set(
        in->error, STATUS_UNSUPPORTED,
        "%s: expected \"%s\" to be %zu, which follows from the other sizes, found %zu, "
        "which headlight cannot compute",
        in->source, name, expected, found);
}

/* The same code would read a table of segments; the published checkpoints have none. */
static enum status check_segments(const struct config_reader *in)
{
    size_t segments = 0;
    if (config_read_size(in, "type_vocab_size", 0, CONFIG_SIZE_MAX, &segments) != STATUS_OK)
        return in->error->status;
    if (segments == 0)
        return STATUS_OK;
    return error_set(
        in->error, STATUS_UNSUPPORTED,
        "%s: expected \"type_vocab_size\" to be 0, found %zu; headlight runs a DeBERTa "
        "without segments",
        in->source, segments);
}

static enum status read_deberta(const struct config_reader *in, struct config *config)
{
    config->relation = RELATION_DISENTANGLED;
    if (check_segments(in) != STATUS_OK ||
        check_width(in, "embedding_size", config->hidden) != STATUS_OK ||
        check_width(in, "attention_head_size", config->hidden / config->heads) != STATUS_OK ||
        check_width(in, "pooler_hidden_size", config->hidden) != STATUS_OK ||
        config_read_activation(in, "pooler_hidden_act", "gelu", &config->pooler_activation) !=
            STATUS_OK ||
        read_score_terms(in, config) != STATUS_OK || read_distances(in, config) != STATUS_OK)
        return in->error->status;
    return read_convolution(in, config);
}

const struct family family_deberta = {
    .name = "DeBERTa",
    .type = "deberta-v2",
    .tokenizer = {.model = PIECES_UNIGRAM,
                  .special = BRACKETED,
                  .frame = FRAME_SINGLE,
                  .typed = true,
                  .converter = CONVERTER_DEBERTA},
    .class = "DebertaV2",
    .prefix = "deberta.",
    .keys = {BERT_KEYS},
    .epsilon = 1e-7,
    .flags = {{"relative_attention", false, true, "disentangled attention"},
              {"position_biased_input", true, false, "a DeBERTa without absolute positions"}},
    .read = read_deberta,
    .whole = LIST(TABLE("embeddings.word_embeddings", "VH", word_embeddings),
                  NORM(MODEL, "embeddings.LayerNorm", "H", embedding_norm),
                  TABLE("encoder.rel_embeddings", "RH", relative_positions),
                  NORM(MODEL, "encoder.LayerNorm", "n", relative_norm),
                  LINEAR(MODEL, "encoder.conv.conv", "k", "HK", convolution),
                  NORM(MODEL, "encoder.conv.LayerNorm", "k", convolution_norm)),
    /* distances are projected with the weights of the tokens, or with weights of their own */
    .layer = LIST(BERT_LAYER("attention.self.query_proj", "attention.self.key_proj",
                             "attention.self.value_proj", "attention.output.dense",
                             "attention.output.LayerNorm", "intermediate.dense", "output.dense",
                             "output.LayerNorm"),
                  LINEAR(LAYER, "attention.self.query_proj", "s", "H", relative[QUERY]),
                  LINEAR(LAYER, "attention.self.key_proj", "s", "H", relative[KEY]),
                  LINEAR(LAYER, "attention.self.pos_query_proj", "o", "H", relative[QUERY]),
                  LINEAR(LAYER, "attention.self.pos_key_proj", "o", "H", relative[KEY])),
    .layer_prefix = "encoder.layer.",
    .layer_infix = ".",
    /* the second under the names of Hugging Face's older code */
    .heads = {{.output = OUTPUT_MLM,
               .deciding = 5,
               .tensors = LIST(WORD_HEAD(
                   "H", "lm_predictions.lm_head.dense", "lm_predictions.lm_head.LayerNorm",
                   "lm_predictions.lm_head.bias", NULL, "lm_predictions.lm_head.decoder")),
               CONFIGURED(head_activation)},
              {.output = OUTPUT_MLM,
               .deciding = 6,
               .tensors = LIST_OF(bert_words),
               CONFIGURED(head_activation)},
              {.output = OUTPUT_CLASSES,
               .deciding = 2,
               .tensors = LIST(LINEAR(HEAD, "classifier", "C", "H", decoder),
                               LINEAR(HEAD, "pooler.dense", "H", "H", dense)),
               .pooling = POOL_FIRST,
               CONFIGURED(pooler_activation),
               .task = TASK_SEQUENCE},
              TAG_AND_SPAN_HEADS},
};
