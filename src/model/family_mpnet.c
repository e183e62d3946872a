/* family_mpnet.c: MPNet (Song et al. 2020), whose scores have a bias for each distance. */
#include "headlight/model/config_reader.h"
#include "headlight/model/family_entries.h"

static const struct tensor_entry embeddings[] = {
    TABLE("embeddings.word_embeddings", "VH", word_embeddings),
    TABLE("embeddings.position_embeddings", "PH", position_embeddings),
    NORM(MODEL, "embeddings.LayerNorm", "H", embedding_norm),
    TABLE("encoder.relative_attention_bias", "RA", relative_positions),
};

static const struct tensor_entry layer[] = {
    BERT_LAYER("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o",
               "attention.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"),
};

/* The code that trained it has 32 rows whatever relative_attention_num_buckets says. */
static enum status read_mpnet(const struct config_reader *in, struct config *config)
{
    (void)in;
    config->relation = RELATION_BIAS;
    config->relative_rows = 32;
    return STATUS_OK;
}

const struct family family_mpnet = {
    .name = "MPNet",
    .type = "mpnet",
    .tokenizer = {.special = {"[UNK]", "<s>", "</s>", "<mask>", "<pad>"},
                  .frame = FRAME_DOUBLE,
                  .typed = true,
                  .mask_left = true},
    .class = "MPNet",
    .prefix = "mpnet.",
    .keys = &bert_keys_without_segments,
    .epsilon = 1e-12,
    .activation = "gelu",
    .past_padding = true,
    .head_gelu = true,
    .read = read_mpnet,
    .whole = {LIST(embeddings, NULL)},
    .layer = {LIST(layer, NULL)},
    .layer_prefix = "encoder.layer.",
    .layer_infix = ".",
    .heads = {{OUTPUT_MLM, 6, LIST(roberta_words, NULL)},
              {OUTPUT_POOLED, 2, LIST(bert_pooler, NULL)}},
};
