/* family_esm.c: ESM-2 (Lin et al. 2023) and ESM-1b (Rives et al. 2021), encoders of proteins, of
 * which each letter is a token: BERT with LayerNorms before attention and feed-forward, whose words
 * are dropped out (trace_word_factor), and whose attention says which letters touch when the
 * protein has folded. */
#include "headlight/model/family_entries.h"

/* Rotary positions have speeds in the file, rounded as in training. */
static void read_esm(const struct json_reader *in, struct config *config)
{
    static const char key[] = "position_embedding_type";
    static const char *const kinds[] = {"absolute", "rotary"};
    config->rotary = json_choose(in, key, json_string(in, key, *kinds), kinds, 2) == 1;
    config->placed = config->past_padding = !config->rotary;
    config->rotations[0] = (struct rotation){.theta = 10000, .stretch = 1};
    config->norm_words = json_bool(in, "emb_layer_norm_before", false);
    json_read(in, "hidden_act"); /* as transformers has it: whatever that says, it is gelu */
    config->token_dropout = json_bool(in, "token_dropout", false);
    config->mask = config_size(in, "mask_token_id", 0, CONFIG_SIZE_MAX, CONFIG_SIZE_MAX);
}

const struct family family_esm = {
    {"ESM", "esm", "Esm", "esm."},
    .tokenizer = {.model = PIECES_WORDS,
                  .special = {"<unk>", "<cls>", "<eos>", "<mask>", "<pad>"},
                  .frame = FRAME_SINGLE},
    .keys = {SIZE_KEYS, .epsilon = "layer_norm_eps"},
    .start.positions = 1026,
    .start.norm_before = true,
    .start.rotary = true,
    .flags = {{"is_folding_model", false, false, "an ESM that doesn't fold"}},
    .read = read_esm,
    .whole = LIST(
        TABLE("embeddings.word_embeddings", "VH", word_embeddings),
        TABLE("embeddings.position_embeddings", "PH", position_embeddings),
        NORM(MODEL, "embeddings.layer_norm", "w", embedding_norm),
        NORM(MODEL, "encoder.emb_layer_norm_after", "H", final_norm),
        TENSOR("encoder.layer.0.attention.self.rotary_embeddings.inv_freq", MODEL(speeds), "r")),
    .layer = LIST(BERT_LAYER("attention.self.query", "attention.self.key", "attention.self.value",
                             "attention.output.dense", "attention.LayerNorm", "intermediate.dense",
                             "output.dense", "LayerNorm")),
    .layer_prefix = "encoder.layer.",
    .heads = {{OUTPUT_MLM, 6, .tensors = LIST_OF(roberta_words)},
              {OUTPUT_CONTACTS, 2,
               .tensors = LIST(LINEAR(HEAD, "contact_head.regression", "1", "a", decoder))},
              {OUTPUT_CLASSES, 2, .tensors = LIST_OF(roberta_classes), POOLED},
              TAG_AND_SPAN_HEADS},
};
