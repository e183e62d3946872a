/* family_deberta.c: DeBERTa, versions 1 to 3 (He et al. 2021): tokens and distances have separate
 * vectors, and a score is the sum of their products. */
#include "headlight/model/family_entries.h"

/* An integer; 0 or less selects the given default. */
static size_t read_or(const struct json_reader *in, const char *name, size_t other)
{
    const double number = json_number(in, name, -1);
    if (number < 1 && number >= floor(number) && number <= floor(number))
        return other;
    return config_size(in, name, 1, CONFIG_SIZE_MAX, other);
}

/* "p2c|c2p", or one of the two. */
static void read_terms(const struct json_reader *in, struct config *config, const char *names)
{
    static const char between[] = "| ";
    for (names += strspn(names, between); *names; names += strspn(names, between)) {
        const size_t length = strcspn(names, between);
        const bool content = length == 3 && strncmp(names, "c2p", length) == 0;
        const bool position = length == 3 && strncmp(names, "p2c", length) == 0;
        if (!content && !position)
            json_refuse(in, STATUS_UNSUPPORTED,
                        "expected \"pos_att_type\" to name c2p, p2c or both, found \"%.*s\", which "
                        "headlight cannot compute",
                        (int)(length < 100 ? length : 100), names);
        config->content_position |= content;
        config->position_content |= position;
        names += length;
    }
}

/* Transformers lets these sizes be set apart; no published checkpoint does so. */
static void check_width(const struct json_reader *in, const char *name, size_t expected)
{
    const size_t found = config_size(in, name, 1, CONFIG_SIZE_MAX, expected);
    if (found != expected)
        json_refuse(
            in, STATUS_UNSUPPORTED,
            "expected \"%s\" to be %zu, which follows from the other sizes, found %zu, which "
            "headlight cannot compute",
            name, expected, found);
}

/* What the versions have in common. The table of distances has rows for both directions. */
static void read_attention(const struct json_reader *in, struct config *config)
{
    config->relation = RELATION_DISENTANGLED;
    check_width(in, "embedding_size", config->hidden);
    check_width(in, "attention_head_size", config->hidden / config->heads);
    check_width(in, "pooler_hidden_size", config->hidden);
    config->pooler_activation = config_activation(in, "pooler_hidden_act", "gelu");
    const cJSON *types = json_read(in, "pos_att_type"), *type; /* a string, or a list of them */
    read_terms(in, config, cJSON_IsString(types) ? types->valuestring : "");
    for (type = cJSON_IsArray(types) ? types->child : NULL; type; type = type->next)
        read_terms(in, config, cJSON_IsString(type) ? type->valuestring : "");
    if (!config->content_position && !config->position_content)
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected \"pos_att_type\" to name c2p, p2c or both, found neither; headlight "
                    "computes DeBERTa's disentangled attention only");
    config->distances = read_or(in, "max_relative_positions", config->positions);
    config->relative_rows = 2 * config->distances;
}

static void read_deberta(const struct json_reader *in, struct config *config)
{
    /* the same code would read a table of segments; the published checkpoints have none */
    const size_t segments = config_size(in, "type_vocab_size", 0, CONFIG_SIZE_MAX, 0);
    if (segments > 0)
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected \"type_vocab_size\" to be 0, found %zu; headlight runs a DeBERTa "
                    "without segments",
                    segments);
    read_attention(in, config);
    /* distances beyond half the buckets are bucketed logarithmically up to the maximum distance, if
     * there is one; "norm_rel_ebd" is a list of words in one string, of which headlight knows one
     */
    config->buckets = read_or(in, "position_buckets", 0);
    const char *norm = json_string(in, "norm_rel_ebd", "none");
    const size_t middle = config->buckets / 2;
    if (config->buckets > 0 && config->positions - 1 > middle &&
        (middle == 0 || config->distances - 1 <= middle))
        json_refuse(in, STATUS_MISMATCH,
                    "expected \"position_buckets\" of at least 2 and \"max_relative_positions\" of "
                    "more than half of them and 1, found %zu and %zu",
                    config->buckets, config->distances);
    if (config->buckets > 0)
        config->relative_rows = 2 * config->buckets;
    config->relative_norm = strstr(norm, "layer_norm");
    config->shared_relation = json_bool(in, "share_att_key", false);
    /* beside the first layer; an even kernel has no middle, where the token itself is */
    config->kernel = config_size(in, "conv_kernel_size", 0, 99, 0);
    if (config->kernel > 0)
        config->convolution = config_activation(in, "conv_act", "tanh");
    if (config->kernel > 0 && config->kernel % 2 == 0)
        json_refuse(in, STATUS_UNSUPPORTED, "expected \"conv_kernel_size\" to be odd, found %zu",
                    config->kernel);
}

/* Without a table of positions a text may have any length: all far distances are one. */
static void read_first(const struct json_reader *in, struct config *config)
{
    config->segments = config_size(in, "type_vocab_size", 0, CONFIG_SIZE_MAX, 0);
    config->placed = json_bool(in, "position_biased_input", true);
    config->longest = config->placed ? 0 : CONFIG_SIZE_MAX;
    read_attention(in, config);
}

/* The words under the names of its authors, and those of Hugging Face's older code. */
#define DEBERTA                                                                                    \
    .keys = {BERT_KEYS}, .epsilon = 1e-7, .layer_prefix = "encoder.layer.",                        \
    .heads = {{OUTPUT_MLM, 5,                                                                      \
               .tensors = LIST(WORD_HEAD(                                                          \
                   "H", "lm_predictions.lm_head.dense", "lm_predictions.lm_head.LayerNorm",        \
                   "lm_predictions.lm_head.bias", NULL, "lm_predictions.lm_head.decoder")),        \
               CONFIGURED(head_activation)},                                                       \
              {OUTPUT_MLM, 6, .tensors = LIST_OF(bert_words), CONFIGURED(head_activation)},        \
              {OUTPUT_CLASSES, 2,                                                                  \
               .tensors = LIST(LINEAR(HEAD, "classifier", "C", "H", decoder),                      \
                               LINEAR(HEAD, "pooler.dense", "H", "H", dense)),                     \
               .pooling = POOL_FIRST, CONFIGURED(pooler_activation), .task = TASK_SEQUENCE},       \
              TAG_AND_SPAN_HEADS}

const struct family family_deberta = {
    {"DeBERTa", "deberta-v2", "DebertaV2", "deberta."},
    .tokenizer = {.model = PIECES_UNIGRAM,
                  .special = {BRACKETED},
                  .frame = FRAME_SINGLE,
                  .typed = true,
                  .converter = CONVERTER_DEBERTA},
    DEBERTA,
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
};

/* Of version 1 the rows of query, key and value lie head by head, and distances have no buckets. */
const struct family family_deberta_first = {
    {"DeBERTa v1", "deberta", "Deberta", "deberta."},
    .tokenizer = {.model = PIECES_BPE,
                  .special = {BRACKETED},
                  .frame = FRAME_SINGLE,
                  .typed = true,
                  .mask_left = true},
    DEBERTA,
    .flags = {{"relative_attention", false, true, "disentangled attention"}},
    .read = read_first,
    .whole = LIST(BERT_EMBEDDINGS, TABLE("encoder.rel_embeddings", "RH", relative_positions)),
    .layer = LIST(PACKED("attention.self.in_proj.weight", QUERY),
                  PACKED("attention.self.in_proj.weight", KEY),
                  PACKED("attention.self.in_proj.weight", VALUE),
                  TENSOR("attention.self.q_bias", LAYER(attention.projections[QUERY].bias), "H"),
                  NO_BIAS(LAYER, "H", attention.projections[KEY]),
                  TENSOR("attention.self.v_bias", LAYER(attention.projections[VALUE].bias), "H"),
                  BERT_BLOCKS("attention.output.dense", "attention.output.LayerNorm",
                              "intermediate.dense", "output.dense", "output.LayerNorm"),
                  BARE(LAYER, "attention.self.pos_proj.weight", "cH", "c", relative[KEY]),
                  LINEAR(LAYER, "attention.self.pos_q_proj", "p", "H", relative[QUERY])),
};
