/* family_albert.c: ALBERT (Lan et al. 2020), whose layers share their weights. */
#include "headlight/model/config_reader.h"
#include "headlight/model/family_entries.h"

static const struct tensor_entry embeddings[] = {
    TABLE("embeddings.word_embeddings", "VE", word_embeddings),
    TABLE("embeddings.position_embeddings", "PE", position_embeddings),
    TABLE("embeddings.token_type_embeddings", "SE", segment_embeddings),
    NORM(MODEL, "embeddings.LayerNorm", "E", embedding_norm),
    LINEAR(MODEL, "encoder.embedding_hidden_mapping_in", "H", "E", embedding_projection),
};

static const struct tensor_entry layer[] = {
    BERT_LAYER("attention.query", "attention.key", "attention.value", "attention.dense",
               "attention.LayerNorm", "ffn", "ffn_output", "full_layer_layer_norm"),
};

static const struct tensor_entry words[] = {
    WORD_HEAD("E", "predictions.dense", "predictions.LayerNorm", "predictions.bias",
              "predictions.decoder.bias", "predictions.decoder"),
};

static const struct tensor_entry pooler[] = {
    LINEAR(MODEL, "pooler", "H", "H", pooler),
};

static const struct tensor_entry sentence_order[] = {
    LINEAR(MODEL, "sop_classifier.classifier", "2", "H", pair),
    LINEAR(MODEL, "pooler", "H", "H", pooler),
};

static enum status read_albert(const struct config_reader *in, struct config *config)
{
    size_t inner = 1;
    config->embedding = 128; /* transformers' AlbertConfig */
    config->groups = 1;
    if (config_read_size(in, "embedding_size", 1, CONFIG_SIZE_MAX, &config->embedding) !=
            STATUS_OK ||
        config_read_size(in, "num_hidden_groups", 1, config->layers, &config->groups) !=
            STATUS_OK ||
        config_read_size(in, "inner_group_num", 1, CONFIG_LAYERS_MAX, &inner) != STATUS_OK)
        return in->error->status;
    if (inner > 1)
        return error_set(in->error, STATUS_UNSUPPORTED,
                         "%s: expected \"inner_group_num\" to be 1, as in every published ALBERT, "
                         "found %zu, which headlight cannot compute",
                         in->source, inner);
    return STATUS_OK;
}

/* AlbertConverter in transformers' convert_slow_tokenizer.py. */
#define KEEPS_ACCENTS .setting = "keep_accents", .unless = true

const struct family family_albert = {
    .name = "ALBERT",
    .type = "albert",
    .tokenizer =
        {.model = PIECES_UNIGRAM,
         .special = {"<unk>", "[CLS]", "[SEP]", "[MASK]", "<pad>"},
         .frame = FRAME_SINGLE,
         .typed = true,
         .mask_left = true,
         .bare_commas = true,
         .steps = {{.kind = STEP_REPLACE, .what = "``", .with = "\""},
                   {.kind = STEP_REPLACE, .what = "''", .with = "\""},
                   {.kind = STEP_FORM, .form = FORM_NFKD, KEEPS_ACCENTS},
                   {.kind = STEP_STRIP_ACCENTS, KEEPS_ACCENTS},
                   {.kind = STEP_LOWER_CASE, .setting = "do_lower_case", .otherwise = true}}},
    .class = "Albert",
    .prefix = "albert.",
    .keys = &bert_keys,
    .epsilon = 1e-12,
    .activation = "gelu_new",
    .read = read_albert,
    .whole = {LIST(embeddings, NULL)},
    .layer = {LIST(layer, NULL)},
    .layer_prefix = "encoder.albert_layer_groups.",
    .layer_infix = ".albert_layers.0.",
    .heads = {{OUTPUT_MLM, 5, LIST(words, NULL)},
              {OUTPUT_POOLED, 2, LIST(pooler, NULL)},
              {OUTPUT_SOP, 2, LIST(sentence_order, NULL)}},
};
