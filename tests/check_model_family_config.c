/* The configurations of every family, field by field: each is honoured, or refused in a sentence
 * that names file, field and what was found; none leads out of memory or to a division by zero. */
#include "family_model.h"
#include "headlight/base/json.h"
#include "headlight/model/config.h"
#include "headlight/model/forward.h"
#include "headlight/model/operations.h"
#include "headlight/model/relation.h"
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct config config;

static enum status parse(const char *text)
{
    return config_parse(text, strlen(text), "x/config.json", &config, &error);
}

static const struct family_variant *variant_named(const char *name)
{
    size_t i = 0;
    while (strcmp(family_variant_at(i)->name, name) != 0)
        i++;
    return family_variant_at(i);
}

/* Its configuration with members that go before its own, as of two the last counts. */
static void write_with(char text[1024], const char *variant, const char *member)
{
    const char *own = variant_named(variant)->config;
    snprintf(text, 1024, "%.*s,%s}", (int)strlen(own) - 1, own, member);
}

static enum status parse_with(const char *variant, const char *member)
{
    char text[1024];
    write_with(text, variant, member);
    return parse(text);
}

/* ---- What is refused ---------------------------------------------------------------------- */

static const struct refusal {
    const char *variant, *member;
    enum status status;
    const char *name, *value; /* parts of the sentence */
} refusals[] = {
    /* sizes that others are computed from, before limits are looked at */
    {"modernbert", "\"num_hidden_layers\":129", STATUS_LIMIT, "\"num_hidden_layers\" from 1 to 128",
     "found 129"},
    {"modernbert", "\"num_hidden_layers\":1000000", STATUS_LIMIT, "num_hidden_layers", "1000000"},
    {"modernbert", "\"num_hidden_layers\":9007199254740992", STATUS_LIMIT, "num_hidden_layers",
     "9007199254740992"},
    {"albert", "\"num_hidden_layers\":1000000", STATUS_LIMIT, "num_hidden_layers", "1000000"},
    {"gpt2", "\"n_inner\":null,\"n_embd\":8388609", STATUS_LIMIT, "\"n_inner\"", "33554436"},
    {"gpt2", "\"n_inner\":null,\"n_embd\":9007199254740992", STATUS_LIMIT, "n_embd",
     "9007199254740992"},
    {"gpt2", "\"n_inner\":0", STATUS_FORMAT, "n_inner", "found 0"},
    {"gpt2", "\"n_inner\":-3", STATUS_FORMAT, "n_inner", "whole number"},
    {"gpt2", "\"n_embd\":16", STATUS_MISMATCH, "\"n_embd\" to be a multiple of \"n_head\"",
     "16 and 3"},
    {"gpt2", "\"n_positions\":0", STATUS_FORMAT, "n_positions", "found 0"},
    {"gpt2", "\"activation_function\":\"mish\"", STATUS_UNSUPPORTED, "activation_function", "mish"},
    {"gpt2", "\"layer_norm_epsilon\":1", STATUS_FORMAT, "layer_norm_epsilon", "found 1"},
    {"gpt2", "\"scale_attn_weights\":false", STATUS_UNSUPPORTED, "scale_attn_weights", "false"},
    {"gpt2", "\"scale_attn_by_inverse_layer_idx\":true", STATUS_UNSUPPORTED,
     "scale_attn_by_inverse_layer_idx", "true"},
    {"gpt2", "\"add_cross_attention\":true", STATUS_UNSUPPORTED, "add_cross_attention", "true"},
    {"distilbert", "\"dim\":0", STATUS_FORMAT, "\"dim\"", "found 0"},
    {"distilbert", "\"hidden_dim\":[]", STATUS_FORMAT, "hidden_dim", "whole number"},
    {"distilbert", "\"n_heads\":4", STATUS_MISMATCH, "n_heads", "15 and 4"},
    {"distilbert", "\"activation\":7", STATUS_FORMAT, "activation", "string"},
    /* positions behind padding's */
    {"roberta", "\"pad_token_id\":71", STATUS_MISMATCH, "pad_token_id", "found 71"},
    {"roberta", "\"pad_token_id\":72", STATUS_MISMATCH, "pad_token_id", "found 72"},
    {"roberta", "\"pad_token_id\":9007199254740992", STATUS_LIMIT, "pad_token_id",
     "9007199254740992"},
    {"roberta", "\"pad_token_id\":-1", STATUS_FORMAT, "pad_token_id", "whole number"},
    {"roberta", "\"pad_token_id\":\"1\"", STATUS_FORMAT, "pad_token_id", "whole number"},
    {"roberta", "\"max_position_embeddings\":2", STATUS_MISMATCH, "pad_token_id", "found 1"},
    {"xlm-roberta", "\"max_position_embeddings\":6", STATUS_MISMATCH, "pad_token_id", "found 5"},
    {"mpnet", "\"max_position_embeddings\":1", STATUS_MISMATCH, "pad_token_id", "found 1"},
    {"roberta", "\"type_vocab_size\":0", STATUS_FORMAT, "type_vocab_size", "found 0"},
    /* embeddings that are projected */
    {"electra, narrow", "\"embedding_size\":0", STATUS_FORMAT, "embedding_size", "found 0"},
    {"electra, narrow", "\"embedding_size\":16777217", STATUS_LIMIT, "embedding_size", "16777217"},
    {"electra, narrow", "\"embedding_size\":1.5", STATUS_FORMAT, "embedding_size", "whole number"},
    {"albert", "\"embedding_size\":0", STATUS_FORMAT, "embedding_size", "found 0"},
    {"albert", "\"num_hidden_groups\":4", STATUS_LIMIT, "num_hidden_groups",
     "from 1 to 3, found 4"},
    {"albert", "\"num_hidden_groups\":0", STATUS_FORMAT, "num_hidden_groups", "found 0"},
    {"albert", "\"num_hidden_groups\":true", STATUS_FORMAT, "num_hidden_groups", "whole number"},
    {"albert", "\"inner_group_num\":2", STATUS_UNSUPPORTED, "inner_group_num", "found 2"},
    {"albert", "\"inner_group_num\":0", STATUS_FORMAT, "inner_group_num", "found 0"},
    /* rotary positions */
    {"modernbert", "\"hidden_size\":15", STATUS_MISMATCH, "even number", "found 5"},
    {"modernbert", "\"global_rope_theta\":0", STATUS_FORMAT, "global_rope_theta", "found 0"},
    {"modernbert", "\"global_rope_theta\":-1", STATUS_FORMAT, "global_rope_theta", "found -1"},
    {"modernbert", "\"global_rope_theta\":1e-300", STATUS_FORMAT, "global_rope_theta", "1e-300"},
    {"modernbert", "\"global_rope_theta\":1e999", STATUS_FORMAT, "global_rope_theta", "inf"},
    {"modernbert", "\"rope_scaling\":{\"type\":\"linear\"}", STATUS_UNSUPPORTED, "rope_scaling",
     "linear"},
    {"modernbert", "\"global_rope_theta\":NaN", STATUS_FORMAT, "global_rope_theta", "a number"},
    {"modernbert", "\"global_rope_theta\":\"160000\"", STATUS_FORMAT, "global_rope_theta",
     "a number"},
    {"modernbert", "\"local_rope_theta\":0.5", STATUS_FORMAT, "local_rope_theta", "0.5"},
    {"modernbert", "\"rope_parameters\":3", STATUS_FORMAT, "rope_parameters", "object"},
    {"modernbert", "\"rope_parameters\":[1]", STATUS_FORMAT, "rope_parameters", "object"},
    {"modernbert", "\"rope_parameters\":{\"full_attention\":5}", STATUS_FORMAT, "full_attention",
     "object"},
    {"modernbert", "\"rope_parameters\":{\"full_attention\":{\"rope_theta\":0}}", STATUS_FORMAT,
     "rope_theta", "found 0"},
    {"modernbert",
     "\"rope_parameters\":{\"full_attention\":{\"rope_type\":\"yarn\",\"rope_theta\":9}}",
     STATUS_UNSUPPORTED, "rope_type", "yarn"},
    {"modernbert", "\"rope_parameters\":{\"sliding_attention\":{\"rope_type\":4}}", STATUS_FORMAT,
     "rope_type", "string"},
    {"nomic", "\"rope_parameters\":{\"rope_theta\":0}", STATUS_FORMAT, "rope_theta", "found 0"},
    {"nomic", "\"rope_parameters\":{\"rope_type\":\"dynamic\"}", STATUS_UNSUPPORTED, "rope_type",
     "dynamic"},
    {"nomic, published", "\"activation_function\":\"gelu\"", STATUS_UNSUPPORTED,
     "activation_function", "gelu"},
    {"nomic, published", "\"rotary_emb_fraction\":0.5", STATUS_UNSUPPORTED, "rotary_emb_fraction",
     "0.5"},
    {"nomic, published", "\"rotary_emb_interleaved\":true", STATUS_UNSUPPORTED,
     "rotary_emb_interleaved", "true"},
    {"nomic, published", "\"rotary_scaling_factor\":2", STATUS_UNSUPPORTED, "rotary_scaling_factor",
     "2"},
    {"nomic, published", "\"prenorm\":true", STATUS_UNSUPPORTED, "prenorm", "true"},
    {"nomic, published", "\"parallel_block\":true", STATUS_UNSUPPORTED, "parallel_block", "true"},
    {"nomic, published", "\"use_rms_norm\":true", STATUS_UNSUPPORTED, "use_rms_norm", "true"},
    {"nomic, published", "\"causal\":true", STATUS_UNSUPPORTED, "causal", "true"},
    {"nomic, published", "\"num_experts\":8", STATUS_UNSUPPORTED, "num_experts", "8"},
    {"nomic, published", "\"qkv_proj_bias\":true", STATUS_UNSUPPORTED, "qkv_proj_bias", "true"},
    {"nomic, published", "\"mlp_fc1_bias\":null", STATUS_UNSUPPORTED, "mlp_fc1_bias", "true"},
    {"nomic, published", "\"mlp_fc2_bias\":true", STATUS_UNSUPPORTED, "mlp_fc2_bias", "true"},
    {"modernbert", "\"local_attention\":0", STATUS_FORMAT, "local_attention", "found 0"},
    {"modernbert", "\"local_attention\":[128,128]", STATUS_FORMAT, "local_attention",
     "whole number"},
    {"modernbert", "\"global_attn_every_n_layers\":0", STATUS_FORMAT, "global_attn_every_n_layers",
     "found 0"},
    {"modernbert", "\"layer_types\":3", STATUS_FORMAT, "layer_types", "list"},
    {"modernbert", "\"layer_types\":\"full_attention\"", STATUS_FORMAT, "layer_types", "list"},
    {"modernbert",
     "\"layer_types\":{\"a\":\"full_attention\",\"b\":\"full_attention\","
     "\"c\":\"full_attention\",\"d\":\"full_attention\"}",
     STATUS_FORMAT, "layer_types", "list"},
    {"modernbert", "\"layer_types\":[]", STATUS_MISMATCH, "layer_types", "found 0"},
    {"modernbert", "\"layer_types\":[1,2,3,4]", STATUS_UNSUPPORTED, "layer_types", "no string"},
    {"modernbert", "\"layer_types\":[\"chunked_attention\"]", STATUS_UNSUPPORTED, "layer_types",
     "chunked_attention"},
    {"modernbert", "\"norm_bias\":true", STATUS_UNSUPPORTED, "norm_bias", "true"},
    {"modernbert", "\"attention_bias\":true", STATUS_UNSUPPORTED, "attention_bias", "true"},
    {"modernbert", "\"mlp_bias\":true", STATUS_UNSUPPORTED, "mlp_bias", "true"},
    {"modernbert", "\"classifier_bias\":true", STATUS_UNSUPPORTED, "classifier_bias", "true"},
    {"modernbert", "\"decoder_bias\":false", STATUS_UNSUPPORTED, "decoder_bias", "false"},
    {"modernbert", "\"classifier_activation\":\"mish\"", STATUS_UNSUPPORTED,
     "classifier_activation", "mish"},
    {"modernbert", "\"norm_eps\":-1", STATUS_FORMAT, "norm_eps", "-1"},
    /* disentangled attention */
    {"deberta", "\"position_buckets\":1", STATUS_MISMATCH, "position_buckets", "found 1"},
    {"deberta", "\"position_buckets\":1099511627776", STATUS_LIMIT, "position_buckets",
     "1099511627776"},
    {"deberta", "\"position_buckets\":2.5", STATUS_FORMAT, "position_buckets", "whole number"},
    {"deberta", "\"position_buckets\":0.5", STATUS_FORMAT, "position_buckets", "whole number"},
    {"deberta", "\"position_buckets\":\"8\"", STATUS_FORMAT, "position_buckets", "number"},
    {"deberta", "\"max_relative_positions\":1", STATUS_MISMATCH, "position_buckets", "8"},
    {"deberta", "\"max_relative_positions\":5", STATUS_MISMATCH, "max_relative_positions", "5"},
    {"deberta", "\"max_relative_positions\":1e300", STATUS_FORMAT, "max_relative_positions",
     "whole number"},
    {"deberta", "\"position_buckets\":2,\"max_relative_positions\":2", STATUS_MISMATCH,
     "position_buckets", "2"},
    {"deberta", "\"relative_attention\":false", STATUS_UNSUPPORTED, "relative_attention", "false"},
    {"deberta", "\"relative_attention\":null", STATUS_UNSUPPORTED, "relative_attention", "false"},
    {"deberta", "\"position_biased_input\":true", STATUS_UNSUPPORTED, "position_biased_input",
     "true"},
    {"deberta", "\"position_biased_input\":null", STATUS_UNSUPPORTED, "position_biased_input",
     "true"},
    {"deberta", "\"type_vocab_size\":2", STATUS_UNSUPPORTED, "type_vocab_size", "found 2"},
    {"deberta", "\"embedding_size\":7", STATUS_UNSUPPORTED, "embedding_size", "found 7"},
    {"deberta", "\"attention_head_size\":4", STATUS_UNSUPPORTED, "attention_head_size", "found 4"},
    {"deberta", "\"pos_att_type\":null", STATUS_UNSUPPORTED, "pos_att_type", "neither"},
    {"deberta", "\"pos_att_type\":7", STATUS_UNSUPPORTED, "pos_att_type", "neither"},
    {"deberta", "\"pos_att_type\":[1,{}]", STATUS_UNSUPPORTED, "pos_att_type", "neither"},
    {"deberta", "\"pos_att_type\":{\"a\":\"p2c\"}", STATUS_UNSUPPORTED, "pos_att_type", "neither"},
    {"deberta", "\"share_att_key\":1", STATUS_FORMAT, "share_att_key", "true or false"},
    {"deberta", "\"norm_rel_ebd\":false", STATUS_FORMAT, "norm_rel_ebd", "string"},
    {"deberta", "\"conv_kernel_size\":1048576", STATUS_LIMIT, "conv_kernel_size", "1048576"},
    {"deberta", "\"conv_kernel_size\":2,\"conv_act\":\"gelu\"", STATUS_UNSUPPORTED,
     "conv_kernel_size", "found 2"},
    {"deberta", "\"conv_kernel_size\":-1", STATUS_FORMAT, "conv_kernel_size", "whole number"},
    {"deberta", "\"conv_kernel_size\":3,\"conv_act\":\"mish\"", STATUS_UNSUPPORTED, "conv_act",
     "mish"},
    {"deberta, convolved", "\"max_relative_positions\":-1,\"max_position_embeddings\":0",
     STATUS_FORMAT, "max_position_embeddings", "found 0"},
};

TEST(other_networks_are_refused_by_name, .times = COUNT(refusals))
{
    const struct refusal *one = &refusals[_i];
    assert_fails(parse_with(one->variant, one->member), one->status, one->name, error);
    ck_assert_msg(strstr(error.message, one->value), "expected \"%s\" in \"%s\"", one->value,
                  error.message);
    ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
}

/* Sums of sizes that are each within their limits: what a family has more than others counts. */
static const struct {
    const char *variant, *members, *needed;
} absurd[] = {
    {"electra, narrow", "\"hidden_size\":15,\"embedding_size\":16777216,\"vocab_size\":16777216",
     "need 563.0 TB at least"},
    {"albert", "\"embedding_size\":16777216,\"hidden_size\":12582912", "need 3.0 PB at least"},
    {"deberta",
     "\"hidden_size\":12582912,\"position_buckets\":-1,"
     "\"max_position_embeddings\":16777216,\"num_hidden_layers\":1",
     "need 2.1 PB at least"},
    {"deberta, convolved", "\"hidden_size\":12582912", "need 7.3 PB at least"},
    {"modernbert", "\"intermediate_size\":16777216,\"hidden_size\":3145728",
     "need 1.6 PB at least"},
    {"mpnet", "\"max_position_embeddings\":9007199254740992", "PB at least"},
    {"gpt2", "\"n_embd\":1099511627776", "YB at least"},
};

TEST(sizes_beyond_memory_are_refused_with_their_sum, .times = COUNT(absurd))
{
    assert_fails(parse_with(absurd[_i].variant, absurd[_i].members), STATUS_LIMIT,
                 absurd[_i].needed, error);
    ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
    ck_assert_ptr_null(strstr(error.message, "(null)"));
}

/* ---- What is accepted --------------------------------------------------------------------- */

static const struct {
    const char *variant, *member;
} edges[] = {
    {"modernbert", "\"global_rope_theta\":1e308"},
    {"modernbert", "\"global_rope_theta\":1"},
    {"modernbert", "\"local_rope_theta\":null"},
    {"modernbert", "\"position_embedding_type\":\"sans_pos\",\"rope_scaling\":null"}, /* mmBERT's */
    {"modernbert", "\"local_attention\":1"},
    {"modernbert", "\"local_attention\":16777216"},
    {"modernbert", "\"global_attn_every_n_layers\":1"},
    {"modernbert", "\"global_attn_every_n_layers\":128"},
    {"modernbert", "\"num_attention_heads\":9"},
    {"deberta", "\"position_buckets\":2"},
    {"deberta", "\"position_buckets\":138"},
    {"deberta", "\"position_buckets\":140"},
    {"deberta", "\"position_buckets\":0"},
    {"deberta", "\"position_buckets\":-1"},
    {"deberta", "\"max_relative_positions\":6"},
    {"deberta", "\"max_relative_positions\":16777216"},
    {"deberta", "\"position_buckets\":-1,\"max_relative_positions\":1"},
    {"deberta, convolved", "\"conv_kernel_size\":99"},
    {"deberta", "\"max_position_embeddings\":5"},
    {"roberta", "\"pad_token_id\":70"},
    {"roberta", "\"pad_token_id\":0"},
    {"electra, narrow", "\"embedding_size\":1"},
    {"albert", "\"num_hidden_groups\":3"},
    {"albert", "\"hidden_size\":3,\"num_attention_heads\":3"},
    {"gpt2", "\"n_inner\":1"},
    {"gpt2", "\"n_inner\":null"},
    {"gpt2", "\"n_positions\":1"},
};

/* As transformers has them where a file says nothing. */
TEST(lengths_that_are_left_out_are_the_familys)
{
    static const struct {
        const char *variant, *name;
        size_t positions;
    } left_out[] = {{"gpt2", "n_positions", 1024},
                    {"modernbert", "max_position_embeddings", 8192},
                    {"mpnet", "max_position_embeddings", 512}};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s", variant_named(left_out[i].variant)->config);
        *strstr(text, left_out[i].name) = '_';
        assert_ok(parse(text), error);
        ck_assert_uint_eq(config.positions, left_out[i].positions);
    }
}

/* As transformers has them: local is not global where it is absent, only where it is null. */
TEST(bases_that_are_left_out_are_modernberts)
{
    static const struct {
        const char *member;
        double global, local;
    } cases[] = {{"\"x\":0", 160000, 10000},
                 {"\"global_rope_theta\":500", 500, 10000},
                 {"\"local_rope_theta\":700", 160000, 700},
                 {"\"local_rope_theta\":null", 160000, 160000}};
    for (int i = 0; i < COUNT(cases); i++) {
        assert_ok(parse_with("modernbert", cases[i].member), error);
        ck_assert_double_eq(config.rotations[0], cases[i].global);
        ck_assert_double_eq(config.rotations[1], cases[i].local);
    }
}

/* What is accepted is computed: the longest text too. */
TEST(edges_are_computed, .times = COUNT(edges))
{
    char text[1024];
    write_with(text, edges[_i].variant, edges[_i].member);
    const struct family_variant edge = {"edge", text};
    struct random_model model;
    family_model_make(&model, &edge, "F32", 5);
    const size_t longest = model_config(model.model)->longest;
    const size_t lengths[] = {1, longest < 70 ? longest : 70};
    for (size_t i = 0; i < 2; i++) {
        struct trace *trace = random_prepare(&model, lengths[i], 1, 3);
        assert_ok(forward_run(model.model, NULL, NULL, trace, &error), error);
        free(trace);
    }
    random_model_free(&model);
}

/* Rows of distances rise with them, whatever the sizes are, as forward passes count on. */
TEST(rows_of_distances_rise)
{
    for (size_t buckets = 0; buckets < 40; buckets++)
        for (size_t most = 1; most < 60; most++) {
            char member[80];
            snprintf(member, sizeof member,
                     "\"position_buckets\":%zu,\"max_relative_positions\":%zu", buckets, most);
            if (parse_with("deberta", member) != STATUS_OK) {
                ck_assert_int_eq(error.status, STATUS_MISMATCH);
                continue;
            }
            size_t row = 0;
            for (ptrdiff_t distance = -69; distance <= 69; distance++) {
                size_t next = relation_row(&config, distance);
                ck_assert_uint_ge(next, row);
                ck_assert_uint_lt(next, config.relative_rows);
                row = next;
            }
        }
}

/* ---- Each field --------------------------------------------------------------------------- */

/* Every field in turn away, or another value of any type: accepted or refused, never more. */
TEST(each_field_may_be_anything, .times = (int)family_variant_count())
{
    static const char *const values[] = {"null",
                                         "true",
                                         "0",
                                         "1",
                                         "2",
                                         "-1",
                                         "0.5",
                                         "1e308",
                                         "1e999",
                                         "16777216",
                                         "9007199254740992",
                                         "\"\"",
                                         "\"x\"",
                                         "[]",
                                         "{}",
                                         "[[]]",
                                         "{\"a\":{}}",
                                         "1099511627776"};
    const struct family_variant *variant = family_variant_at((size_t)_i);
    cJSON *fields, *field;
    assert_ok(json_parse_object(variant->config, strlen(variant->config), "x", &fields, &error),
              error);
    cJSON_ArrayForEach(field, fields)
    {
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            char text[1200];
            snprintf(text, sizeof text, "{\"%s\":%s,%s", field->string, values[v],
                     variant->config + 1);
            if (parse(text) == STATUS_OK) {
                ck_assert_uint_gt(config.longest, 0);
                ck_assert_uint_gt(operations_cost(&config, config.longest), 0);
            } else {
                ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
                ck_assert_ptr_null(strstr(error.message, "(null)"));
            }
        }
    }
    cJSON_Delete(fields);
}

TEST(required_fields_are_missed_by_name, .times = (int)family_variant_count())
{
    static const char *const names[] = {
        "vocab_size",        "hidden_size", "num_hidden_layers", "num_attention_heads",
        "intermediate_size", "dim",         "n_layers",          "n_heads",
        "hidden_dim",        "n_embd",      "n_layer",           "n_head"};
    const char *whole = family_variant_at((size_t)_i)->config;
    size_t found = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[1024], quoted[40], expected[80];
        snprintf(quoted, sizeof quoted, "\"%s\"", names[i]);
        snprintf(text, sizeof text, "%s", whole);
        char *at = strstr(text, quoted);
        if (!at)
            continue;
        at[1] = '_';
        found++;
        snprintf(expected, sizeof expected, "expected a field \"%s\", found none", names[i]);
        assert_fails(parse(text), STATUS_FORMAT, expected, error);
    }
    ck_assert_uint_ge(found, 4);
}
