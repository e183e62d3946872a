/* family_distilbert.c: DistilBERT (Sanh et al. 2019). */
#include "headlight/model/family_entries.h"

static const struct config_keys keys = {.hidden = "dim",
                                        .layers = "n_layers",
                                        .heads = "n_heads",
                                        .feed_forward = "hidden_dim",
                                        .positions = "max_position_embeddings",
                                        .activation = "activation"};

static const struct tensor_entry embeddings[] = {
    {"embeddings.word_embeddings.weight", NULL, MODEL(word_embeddings), "VH", 0, 0},
    {"embeddings.position_embeddings.weight", NULL, MODEL(position_embeddings), "PH", 0, 0},
    NORM(MODEL, "embeddings.LayerNorm", "H", embedding_norm),
};

static const struct tensor_entry layer[] = {
    LINEAR(LAYER, "attention.q_lin", "H", "H", projections[QUERY]),
    LINEAR(LAYER, "attention.k_lin", "H", "H", projections[KEY]),
    LINEAR(LAYER, "attention.v_lin", "H", "H", projections[VALUE]),
    LINEAR(LAYER, "attention.out_lin", "H", "H", attention_output),
    NORM(LAYER, "sa_layer_norm", "H", attention_norm),
    LINEAR(LAYER, "ffn.lin1", "F", "H", intermediate[0]),
    LINEAR(LAYER, "ffn.lin2", "H", "F", output),
    NORM(LAYER, "output_layer_norm", "H", output_norm),
};

static const struct tensor_entry words[] = {
    LINEAR(MODEL, "vocab_transform", "H", "H", mlm_transform),
    NORM(MODEL, "vocab_layer_norm", "H", mlm_norm),
    {"vocab_projector.bias", NULL, MODEL(mlm_decoder.bias), "V", 0, 0},
    {"vocab_projector.weight", NULL, MODEL(mlm_decoder.weight), "VH", 0, 0},
};

const struct family family_distilbert = {
    .name = "DistilBERT",
    .type = "distilbert",
    .tokenizer = BERT_TOKENIZER,
    .class = "DistilBert",
    .prefix = "distilbert.",
    .keys = &keys,
    .epsilon = 1e-12,
    .activation = "gelu",
    .whole = {LIST(embeddings, NULL)},
    .layer = {LIST(layer, NULL)},
    .layer_prefix = "transformer.layer.",
    .layer_infix = ".",
    .heads = {{OUTPUT_MLM, 5, LIST(words, NULL)}},
};
