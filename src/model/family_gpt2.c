/* family_gpt2.c: GPT-2 (Radford et al. 2019), a decoder that predicts the next token: a guest among
 * encoders, with LayerNorms before attention and feed-forward, and a causal mask. */
#include "headlight/model/family_entries.h"

/* Query, key and value are the thirds of one matrix, which is stored as [inputs,outputs]. */
#define QKV(index)                                                                                 \
    PART("attn.c_attn.weight", LAYER(attention.projections[index].weight), "HH", index, 3),        \
        PART("attn.c_attn.bias", LAYER(attention.projections[index].bias), "H", index, 3)

/* n_inner is null in most files and then four times n_embd. */
static void read_gpt2(const struct json_reader *in, struct config *config)
{
    config->feed_forward = config_size(in, "n_inner", 1, CONFIG_SIZE_MAX, 4 * config->hidden);
}

const struct family family_gpt2 = {
    {"GPT-2", "gpt2", "GPT2", "transformer."},
    .tokenizer = {.model = PIECES_BPE,
                  .special = {"<|endoftext|>"},
                  .frame = FRAME_BARE,
                  .typed = true},
    .keys = {GPT2_KEYS, .activation = "activation_function"},
    .epsilon = 1e-5,
    .activation = "gelu_new",
    .start.positions = 1024,
    .start.norm_before = true,
    .start.causal = true,
    .transposed = true,
    .flags = {{"scale_attn_weights", true, true, "scores that are divided by √D"},
              {"scale_attn_by_inverse_layer_idx", false, false,
               "scores that are divided alike in all layers"}},
    .read = read_gpt2,
    .whole = LIST(TABLE("wte", "VH", word_embeddings), TABLE("wpe", "PH", position_embeddings),
                  NORM(MODEL, "ln_f", "H", final_norm)),
    .layer = LIST(NORM(LAYER, "ln_1", "H", attention.norm), QKV(QUERY), QKV(KEY), QKV(VALUE),
                  LINEAR(LAYER, "attn.c_proj", "H", "H", attention.output),
                  NORM(LAYER, "ln_2", "H", output_norm),
                  LINEAR(LAYER, "mlp.c_fc", "F", "H", intermediate[0]),
                  LINEAR(LAYER, "mlp.c_proj", "H", "F", output)),
    .layer_prefix = "h.",
    /* it needs nothing but the word embeddings, so it is always there */
    .heads = {{OUTPUT_LM, 0, .tensors = LIST_OF(next_words)}},
};
