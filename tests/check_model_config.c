/* Every field that the forward pass depends on is honoured or refused by its name. */
#include "headlight/model/config.h"
#include "model_helpers.h"
#include "suites.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct error error;
static struct config config;

#define SIZES                                                                                      \
    "\"vocab_size\":101,\"hidden_size\":32,\"num_hidden_layers\":3,\"num_attention_heads\":4,"     \
    "\"intermediate_size\":64"

static enum status parse(const char *text)
{
    return config_parse(text, strlen(text), "x/config.json", &config, &error);
}

/* The required sizes and more, of which a member that comes twice counts. */
static enum status parse_with(const char *more)
{
    char text[1024];
    snprintf(text, sizeof text, "{" SIZES "%s%s}", *more ? "," : "", more);
    return parse(text);
}

TEST(sizes_are_read)
{
    assert_ok(parse_with("\"max_position_embeddings\":64,\"type_vocab_size\":7,"
                         "\"layer_norm_eps\":1e-5"),
              error);
    ck_assert_uint_eq(config.vocabulary, 101);
    ck_assert_uint_eq(config.hidden, 32);
    ck_assert_uint_eq(config.layers, 3);
    ck_assert_uint_eq(config.heads, 4);
    ck_assert_uint_eq(config.feed_forward, 64);
    ck_assert_uint_eq(config.positions, 64);
    ck_assert_uint_eq(config.segments, 7);
    ck_assert_float_eq(config.layer_norm_eps, 1e-5f);
}

TEST(defaults_are_those_of_bert)
{
    assert_ok(parse_with(""), error);
    ck_assert_uint_eq(config.positions, 512);
    ck_assert_uint_eq(config.segments, 2);
    ck_assert_float_eq(config.layer_norm_eps, 1e-12f);
    ck_assert_int_eq(config.activation, ACTIVATION_GELU);
    ck_assert(config.tied);
}

TEST(variants_are_honoured)
{
    assert_ok(parse_with("\"hidden_act\":\"gelu_new\",\"tie_word_embeddings\":false"), error);
    ck_assert_int_eq(config.activation, ACTIVATION_GELU_NEW);
    ck_assert(!config.tied);
    assert_ok(parse_with("\"hidden_act\":\"relu\""), error);
    ck_assert_int_eq(config.activation, ACTIVATION_RELU);
    assert_ok(parse_with("\"hidden_act\":\"gelu_python\""), error);
    ck_assert_int_eq(config.activation, ACTIVATION_GELU);
    assert_ok(parse_with("\"hidden_act\":\"gelu_pytorch_tanh\""), error);
    ck_assert_int_eq(config.activation, ACTIVATION_GELU_NEW);
    assert_ok(parse_with("\"hidden_act\":\"swish\""), error);
    ck_assert_int_eq(config.activation, ACTIVATION_SILU);
}

static const char *const harmless[] = {
    "\"model_type\":\"bert\"",
    "\"model_type\":null",
    "\"architectures\":[\"BertForMaskedLM\"]",
    "\"architectures\":[]",
    "\"model_type\":\"bert\",\"architectures\":[\"OwnBert\"]",
    "\"position_embedding_type\":\"absolute\"",
    "\"is_decoder\":false,\"add_cross_attention\":false",
    "\"pruned_heads\":{}",
    "\"quantization_config\":null",
    "\"head_dim\":8,\"attention_head_size\":8,\"num_key_value_heads\":4",
    "\"rope_scaling\":null,\"causal\":false,\"rotary_emb_fraction\":0.0,\"sliding_window\":0",
    "\"hidden_dropout_prob\":0.1,\"use_cache\":true,\"id2label\":{\"0\":\"x\"}",
};

TEST(harmless_fields_are_accepted, .times = COUNT(harmless))
{
    assert_ok(parse_with(harmless[_i]), error);
}

static const struct refusal {
    const char *member;
    enum status status;
    const char *name, *value; /* both are in the message */
} refusals[] = {
    {"\"model_type\":\"t5\"", STATUS_UNSUPPORTED, "model_type", "t5"},
    {"\"model_type\":3", STATUS_FORMAT, "model_type", "string"},
    {"\"architectures\":[\"LlamaForCausalLM\"]", STATUS_UNSUPPORTED, "architectures", "Llama"},
    {"\"architectures\":[3]", STATUS_UNSUPPORTED, "architectures", "no string"},
    {"\"hidden_act\":\"mish\"", STATUS_UNSUPPORTED, "hidden_act", "mish"},
    {"\"hidden_act\":1", STATUS_FORMAT, "hidden_act", "string"},
    {"\"feed_forward_type\":\"geglu\"", STATUS_UNSUPPORTED, "expected no \"feed_forward_type\"",
     "geglu"},
    {"\"use_rms_norm\":true", STATUS_UNSUPPORTED, "use_rms_norm", "true"},
    {"\"rotary_emb_base\":10000", STATUS_UNSUPPORTED, "rotary_emb_base", "10000"},
    {"\"num_key_value_heads\":2", STATUS_UNSUPPORTED, "num_key_value_heads", "found 2"},
    {"\"head_dim\":16", STATUS_UNSUPPORTED, "head_dim", "found 16; headlight runs a BERT without"},
    {"\"sliding_window\":128", STATUS_UNSUPPORTED, "sliding_window", "128"},
    {"\"rope_scaling\":{\"type\":\"linear\",\"factor\":8.0}", STATUS_UNSUPPORTED, "rope_scaling",
     "linear"},
    {"\"position_embedding_type\":\"relative_key\"", STATUS_UNSUPPORTED, "position_embedding_type",
     "relative_key"},
    {"\"is_decoder\":true", STATUS_UNSUPPORTED, "is_decoder", "true"},
    {"\"is_decoder\":\"no\"", STATUS_FORMAT, "is_decoder", "true or false"},
    {"\"add_cross_attention\":true", STATUS_UNSUPPORTED, "add_cross_attention", "true"},
    {"\"is_encoder_decoder\":true", STATUS_UNSUPPORTED, "is_encoder_decoder", "true"},
    {"\"pruned_heads\":{\"11\":[0]}", STATUS_UNSUPPORTED, "pruned_heads", "layer 11"},
    {"\"pruned_heads\":[1]", STATUS_UNSUPPORTED, "pruned_heads", "some"},
    {"\"quantization_config\":{\"quant_method\":\"gptq\"}", STATUS_UNSUPPORTED,
     "quantization_config", "gptq"},
    {"\"quantization_config\":{}", STATUS_UNSUPPORTED, "quantization_config", "unnamed"},
    {"\"tie_word_embeddings\":1", STATUS_FORMAT, "tie_word_embeddings", "true or false"},
    {"\"layer_norm_eps\":-1", STATUS_FORMAT, "layer_norm_eps", "-1"},
    {"\"layer_norm_eps\":1e999", STATUS_FORMAT, "layer_norm_eps", "inf"},
    {"\"layer_norm_eps\":\"1e-12\"", STATUS_FORMAT, "layer_norm_eps", "number"},
    {"\"num_attention_heads\":5", STATUS_MISMATCH, "num_attention_heads", "32 and 5"},
    {"\"num_attention_heads\":65", STATUS_LIMIT, "num_attention_heads", "from 1 to 64, found 65"},
    {"\"num_hidden_layers\":129", STATUS_LIMIT, "num_hidden_layers", "from 1 to 128, found 129"},
    {"\"num_hidden_layers\":0", STATUS_FORMAT, "num_hidden_layers", "found 0"},
    {"\"hidden_size\":0", STATUS_FORMAT, "hidden_size", "found 0"},
    {"\"hidden_size\":-0.5", STATUS_FORMAT, "hidden_size", "whole number"},
    {"\"vocab_size\":16777217", STATUS_LIMIT, "vocab_size", "from 1 to 16777216, found 16777217"},
    {"\"hidden_size\":-32", STATUS_FORMAT, "hidden_size", "whole number"},
    {"\"hidden_size\":32.5", STATUS_FORMAT, "hidden_size", "whole number"},
    {"\"hidden_size\":\"32\"", STATUS_FORMAT, "hidden_size", "whole number"},
    {"\"vocab_size\":1e300", STATUS_FORMAT, "vocab_size", "whole number"},
    {"\"intermediate_size\":4294967295", STATUS_LIMIT, "intermediate_size", "4294967295"},
    {"\"max_position_embeddings\":0", STATUS_FORMAT, "max_position_embeddings", "found 0"},
    {"\"type_vocab_size\":0", STATUS_FORMAT, "type_vocab_size", "found 0"},
};

TEST(other_networks_are_refused_by_name, .times = COUNT(refusals))
{
    const struct refusal *one = &refusals[_i];
    assert_fails(parse_with(one->member), one->status, one->name, error);
    assert_fails(parse_with(one->member), one->status, one->value, error);
    ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
}

/* Sizes that a model of the others' would not fit into memory with: the sum is in the message, as
 * far as a petabyte goes on this machine. */
static const struct {
    const char *members, *found, *needed;
} absurd[] = {
    /* 2·(101 + 512 + 2 + 2)·2^40 + 2·3·(4·2^80 + …) bytes */
    {"\"hidden_size\":1099511627776", "\"hidden_size\" 1099511627776", "need 29.0 YB at least"},
    {"\"num_hidden_layers\":1000000000000", "\"num_hidden_layers\" 1000000000000",
     "need 17.1 PB at least"},
    {"\"vocab_size\":1000000000000000", "\"vocab_size\" 1000000000000000", "need 64.0 PB at least"},
    {"\"intermediate_size\":1000000000000000", "\"intermediate_size\" 1000000000000000",
     "need 390.0 PB at least"},
    {"\"max_position_embeddings\":9007199254740992", "9007199254740992", "need 576.5 PB at least"},
    {"\"type_vocab_size\":9007199254740992", "9007199254740992", "need 576.5 PB at least"},
    /* every product of two of them is above 2^64, and wraps to 0 */
    {"\"vocab_size\":4294967296,\"hidden_size\":4294967296,\"num_hidden_layers\":4294967296",
     "\"vocab_size\" 4294967296", "need 6.3e+05 YB at least"},
    /* all within their limits */
    {"\"hidden_size\":16777216,\"intermediate_size\":16777216,\"num_hidden_layers\":128",
     "\"hidden_size\" 16777216", "need 432.3 PB at least"},
};

TEST(sizes_beyond_memory_are_refused_with_their_sum, .times = COUNT(absurd))
{
    assert_fails(parse_with(absurd[_i].members), STATUS_LIMIT, absurd[_i].found, error);
    assert_fails(parse_with(absurd[_i].members), STATUS_LIMIT, absurd[_i].needed, error);
    ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
    ck_assert_ptr_nonnull(strstr(error.message, "B of memory are free"));
}

TEST(required_sizes_are_missed_by_name)
{
    static const char *const names[] = {"vocab_size", "hidden_size", "num_hidden_layers",
                                        "num_attention_heads", "intermediate_size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[] = "{" SIZES "}";
        *strstr(text, names[i]) = '_';
        char expected[64];
        snprintf(expected, sizeof expected, "expected a field \"%s\", found none", names[i]);
        assert_fails(parse(text), STATUS_FORMAT, expected, error);
    }
}

TEST(only_an_object_is_a_configuration)
{
    static const char *const texts[] = {"", "{", "[]", "3", "{} {}", "\xFF\xFE", "{\"a\":}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_fails(parse(texts[i]), STATUS_FORMAT, "x/config.json", error);
}
