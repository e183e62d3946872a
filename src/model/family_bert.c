/* family_bert.c: BERT, and those that are computed as it is. */
#include "headlight/model/config_reader.h"
#include "headlight/model/family_entries.h"

const struct config_keys bert_keys = {.hidden = "hidden_size",
                                      .layers = "num_hidden_layers",
                                      .heads = "num_attention_heads",
                                      .feed_forward = "intermediate_size",
                                      .positions = "max_position_embeddings",
                                      .segments = "type_vocab_size",
                                      .activation = "hidden_act",
                                      .epsilon = "layer_norm_eps"};

const struct config_keys bert_keys_without_segments = {.hidden = "hidden_size",
                                                       .layers = "num_hidden_layers",
                                                       .heads = "num_attention_heads",
                                                       .feed_forward = "intermediate_size",
                                                       .positions = "max_position_embeddings",
                                                       .activation = "hidden_act",
                                                       .epsilon = "layer_norm_eps"};

static const struct tensor_entry embeddings[] = {
    TABLE("embeddings.word_embeddings", "VE", word_embeddings),
    TABLE("embeddings.position_embeddings", "PE", position_embeddings),
    TABLE("embeddings.token_type_embeddings", "SE", segment_embeddings),
    NORM(MODEL, "embeddings.LayerNorm", "E", embedding_norm),
};

const struct tensor_entry bert_layer[16] = {
    BERT_LAYER("attention.self.query", "attention.self.key", "attention.self.value",
               "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense",
               "output.dense", "output.LayerNorm"),
};

const struct tensor_entry bert_pooler[2] = {
    LINEAR(MODEL, "pooler.dense", "H", "H", pooler),
};

/* ---- BERT --------------------------------------------------------------------------------- */

const struct tensor_entry bert_words[6] = {
    WORD_HEAD("H", "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
              "cls.predictions.bias", "cls.predictions.decoder.bias", "cls.predictions.decoder"),
};

/* A pooler alone is a plain encoder's, and no head: the first two decide. */
static const struct tensor_entry next_sentence[] = {
    LINEAR(MODEL, "cls.seq_relationship", "2", "H", pair),
    LINEAR(MODEL, "pooler.dense", "H", "H", pooler),
};

const struct family family_bert = {
    .name = "BERT",
    .type = "bert",
    .tokenizer = BERT_TOKENIZER,
    .class = "Bert",
    .prefix = "bert.",
    .keys = &bert_keys,
    .epsilon = 1e-12,
    .activation = "gelu",
    .whole = {LIST(embeddings, NULL)},
    .layer = {LIST(bert_layer, NULL)},
    .layer_prefix = "encoder.layer.",
    .layer_infix = ".",
    .heads = {{OUTPUT_MLM, 6, LIST(bert_words, NULL)},
              {OUTPUT_POOLED, 2, LIST(bert_pooler, NULL)},
              {OUTPUT_NSP, 2, LIST(next_sentence, NULL)}},
};

/* ---- RoBERTa (Liu et al. 2019), XLM-RoBERTa (Conneau et al. 2020) ------------------------- */

const struct tensor_entry roberta_words[6] = {
    WORD_HEAD("H", "lm_head.dense", "lm_head.layer_norm", "lm_head.bias", "lm_head.decoder.bias",
              "lm_head.decoder"),
};

#define ROBERTA                                                                                    \
    .prefix = "roberta.", .keys = &bert_keys, .epsilon = 1e-12, .activation = "gelu",              \
    .past_padding = true, .head_gelu = true, .whole = {LIST(embeddings, NULL)},                    \
    .layer = {LIST(bert_layer, NULL)}, .layer_prefix = "encoder.layer.", .layer_infix = ".",       \
    .heads = {{OUTPUT_MLM, 6, LIST(roberta_words, NULL)},                                          \
              {OUTPUT_POOLED, 2, LIST(bert_pooler, NULL)}}

const struct family family_roberta = {
    .name = "RoBERTa",
    .type = "roberta",
    .class = "Roberta",
    ROBERTA,
    .tokenizer = {
        .model = PIECES_BPE, .special = ANGLED, .frame = FRAME_DOUBLE, .mask_left = true}};
const struct family family_xlm_roberta = {.name = "XLM-RoBERTa",
                                          .type = "xlm-roberta",
                                          .class = "XLMRoberta",
                                          ROBERTA,
                                          .tokenizer = {.model = PIECES_UNIGRAM,
                                                        .special = ANGLED,
                                                        .frame = FRAME_DOUBLE,
                                                        .mask_left = true,
                                                        .fairseq = true}};

/* ---- ELECTRA (Clark et al. 2020) ---------------------------------------------------------- */

static bool is_projected(const struct config *config)
{
    return config->embedding > 0;
}

static const struct tensor_entry projection[] = {
    LINEAR(MODEL, "embeddings_project", "H", "E", embedding_projection),
};

static const struct tensor_entry generator[] = {
    WORD_HEAD("E", "generator_predictions.dense", "generator_predictions.LayerNorm",
              "generator_lm_head.bias", NULL, "generator_lm_head"),
};

static const struct tensor_entry discriminator[] = {
    LINEAR(MODEL, "discriminator_predictions.dense", "H", "H", rtd_transform),
    LINEAR(MODEL, "discriminator_predictions.dense_prediction", "1", "H", rtd),
};

static enum status read_electra(const struct config_reader *in, struct config *config)
{
    config->embedding = 128; /* transformers' ElectraConfig */
    if (config_read_size(in, "embedding_size", 1, CONFIG_SIZE_MAX, &config->embedding) != STATUS_OK)
        return in->error->status;
    if (config->embedding == config->hidden)
        config->embedding = 0;
    return STATUS_OK;
}

const struct family family_electra = {
    .name = "ELECTRA",
    .type = "electra",
    .tokenizer = BERT_TOKENIZER,
    .class = "Electra",
    .prefix = "electra.",
    .keys = &bert_keys,
    .epsilon = 1e-12,
    .activation = "gelu",
    .head_gelu = true,
    .read = read_electra,
    .whole = {LIST(embeddings, NULL), LIST(projection, is_projected)},
    .layer = {LIST(bert_layer, NULL)},
    .layer_prefix = "encoder.layer.",
    .layer_infix = ".",
    .heads = {{OUTPUT_MLM, 5, LIST(generator, NULL)}, {OUTPUT_RTD, 4, LIST(discriminator, NULL)}},
};
