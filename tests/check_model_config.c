/* Every field that the forward pass depends on is honoured or refused by its name. */
#include "headlight/model/config.h"
#include "model_helpers.h"
#include "opening.h"
#include "rows.h"
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
    return config_parse(text, strlen(text), &config, &error);
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

ROW_TEST(harmless_fields_are_accepted, "config_harmless")
{
    assert_ok(parse_with(row[0]), error);
}

static void check_refused(const char *const *row)
{
    const enum status status = parse_with(row[0]);
    assert_refused(status, &error, row + 1);
    ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
}

ROW_TEST(other_networks_are_refused_by_name, "config")
{
    check_refused(row);
}

ROW_TEST(sizes_beyond_memory_are_refused_with_their_sum, "config_absurd")
{
    check_refused(row);
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
