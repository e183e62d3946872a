/* family_nomic.c: NomicBERT (Nussbaum et al. 2024): BERT with rotary positions, a gated
 * feed-forward block and no biases in its layers; in the names of transformers, and in those of its
 * authors' code, which published files have. */
#include "headlight/model/family_entries.h"

static const struct tensor_entry embeddings[] = {
    TABLE("embeddings.word_embeddings", "VH", word_embeddings),
    TABLE("embeddings.token_type_embeddings", "SH", segment_embeddings),
    ENTRY("embeddings.LayerNorm.weight", "emb_ln.weight", MODEL(embedding_norm.weight), "H", 0, 0),
    ENTRY("embeddings.LayerNorm.bias", "emb_ln.bias", MODEL(embedding_norm.bias), "H", 0, 0),
};

static const struct tensor_entry words[] = {
    WORD_HEAD("H", "cls.predictions.transform.dense", "cls.predictions.transform.layer_norm",
              "cls.predictions.bias", "cls.predictions.decoder.bias", "cls.predictions.decoder"),
};

/* What follows query, key and value; of the feed-forward block the part that is activated first. */
#define BLOCKS(context, context_norm, active, gate, down, down_norm)                               \
    BARE(LAYER, context ".weight", "HH", "H", attention.output),                                   \
        NORM(LAYER, context_norm, "H", attention.norm),                                            \
        BARE(LAYER, active ".weight", "FH", "F", intermediate[0]),                                 \
        BARE(LAYER, gate ".weight", "FH", "F", intermediate[1]),                                   \
        BARE(LAYER, down ".weight", "HF", "H", output), NORM(LAYER, down_norm, "H", output_norm)

#define NOMIC(before, before_layer)                                                                \
    {"NomicBERT", "nomic_bert", "NomicBert", (before)},                                            \
        .tokenizer = {BERT_TOKENIZER}, .activation = "silu", .start.gated = true,                  \
        .start.rotary = true, .whole = LIST_OF(embeddings), .layer_prefix = (before_layer),        \
        .heads = {{OUTPUT_MLM, 6, LIST_OF(words), CONFIGURED(head_activation)}}

/* What is absent has the default of the authors' code: positions without rotation. */
static void read_published(const struct json_reader *in, struct config *config)
{
    static const char *const key = "activation_function", *const only = "swiglu";
    const double fraction = json_number(in, "rotary_emb_fraction", 0);
    (void)config;
    json_choose(in, key, json_string(in, key, "gelu"), &only, 1);
    if (fraction < 1 || fraction > 1)
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected \"rotary_emb_fraction\" to be 1, found %g; no other is supported",
                    fraction);
}

#define NO_BIASES true, false, "a NomicBERT without these biases"
const struct family family_nomic_published = {
    NOMIC("bert.", "encoder.layers."),
    .of = &family_nomic,
    .keys = {GPT2_KEYS, .feed_forward = "n_inner", .segments = "type_vocab_size",
             .activation = "hidden_act"},
    .epsilon = 1e-5,
    .start.positions = 1024,
    .theta = 10000,
    .flags = {{"qkv_proj_bias", NO_BIASES},
              {"mlp_fc1_bias", NO_BIASES},
              {"mlp_fc2_bias", NO_BIASES}},
    .read = read_published,
    .layer = LIST(THIRDS("attn.Wqkv.weight"),
                  BLOCKS("attn.out_proj", "norm1", "mlp.fc12", "mlp.fc11", "mlp.fc2", "norm2")),
};

const struct family family_nomic = {
    NOMIC("nomic_bert.", "layers."),
    .keys = {BERT_KEYS, .segments = "type_vocab_size"},
    .start.positions = 2048,
    .theta = 1000,
    .layer = LIST(BARE(LAYER, "self_attn.q_proj.weight", "HH", "H", attention.projections[QUERY]),
                  BARE(LAYER, "self_attn.k_proj.weight", "HH", "H", attention.projections[KEY]),
                  BARE(LAYER, "self_attn.v_proj.weight", "HH", "H", attention.projections[VALUE]),
                  BLOCKS("self_attn.o_proj", "post_attention_layernorm", "mlp.gate_proj",
                         "mlp.up_proj", "mlp.down_proj", "post_mlp_layernorm")),
};
