/* family_distilbert.c: DistilBERT (Sanh et al. 2019). */
#include "headlight/model/family_entries.h"

static const struct config_keys keys = {.hidden = "dim",
                                        .layers = "n_layers",
                                        .heads = "n_heads",
                                        .feed_forward = "hidden_dim",
                                        .positions = "max_position_embeddings",
                                        .activation = "activation"};

static const struct tensor_entry embeddings[] = {
    TABLE("embeddings.word_embeddings", "VH", word_embeddings),
    TABLE("embeddings.position_embeddings", "PH", position_embeddings),
    NORM(MODEL, "embeddings.LayerNorm", "H", embedding_norm),
};

static const struct tensor_entry layer[] = {
    BERT_LAYER("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin",
               "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm"),
};

static const struct tensor_entry words[] = {
    WORD_HEAD("H", "vocab_transform", "vocab_layer_norm", "vocab_projector.bias", NULL,
              "vocab_projector"),
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
