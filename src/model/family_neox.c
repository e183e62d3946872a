/* family_neox.c: GPT-NeoX (Black et al. 2022) and Pythia: decoders whose attention and feed-forward
 * both take the layer's input, with rotary positions on a part of each head. */
#include "headlight/model/family_entries.h"

#define QKV(index)                                                                                 \
    PACKED("attention.query_key_value.weight", index),                                             \
        PART("attention.query_key_value.bias", LAYER(attention.projections[index].bias), "h+a",    \
             index, 3)

static void read_neox(const struct json_reader *in, struct config *config)
{
    const struct json_reader newer = json_inner(in, "rope_parameters");
    const double part =
        json_number(&newer, "partial_rotary_factor", json_number(in, "rotary_pct", 0.25));
    const double rotated = part * (double)config->hidden / (double)config->heads;
    if (!(part <= 1 && rotated >= 1))
        json_refuse(in, STATUS_FORMAT,
                    "expected \"rotary_pct\" to be a part of a head that is at least one number, "
                    "and at most 1, found %g",
                    part);
    config->rotated = json_is_fine(in) ? (size_t)rotated : 0;
    config->attention_bias = json_bool(in, "attention_bias", true);
    config->parallel = json_bool(in, "use_parallel_residual", true);
}

const struct family family_neox = {
    {"GPT-NeoX", "gpt_neox", "GPTNeoX", "gpt_neox."},
    .keys = {BERT_KEYS},
    .epsilon = 1e-5,
    .start.positions = 2048,
    .start.norm_before = true,
    .start.rotary = true,
    .start.causal = true,
    .start.branches = true,
    .theta = 10000,
    .untied = true,
    .read = read_neox,
    .whole = LIST(TABLE("embed_in", "VH", word_embeddings),
                  NORM(MODEL, "final_layer_norm", "H", final_norm)),
    .layer = LIST(NORM(LAYER, "input_layernorm", "H", attention.norm), QKV(QUERY), QKV(KEY),
                  QKV(VALUE), SWITCHED("attention.dense", "H", "H", attention.output, "a"),
                  NORM(LAYER, "post_attention_layernorm", "H", output_norm),
                  LINEAR(LAYER, "mlp.dense_h_to_4h", "F", "H", intermediate[0]),
                  LINEAR(LAYER, "mlp.dense_4h_to_h", "H", "F", output)),
    .layer_prefix = "layers.",
    .heads = {{OUTPUT_LM, 2,
               .tensors = LIST(NO_BIAS(HEAD, "V", decoder), {"embed_out.weight", "lm_head.weight",
                                                             HEAD(decoder.weight), "VH", 0, 0})}},
};
