/* The configurations of every family, field by field: each is honoured, or refused in a sentence
 * that names file, field and what was found; none leads out of memory or to a division by zero. */
#include "family_model.h"
#include "headlight/base/json.h"
#include "headlight/model/config.h"
#include "headlight/model/forward.h"
#include "headlight/model/operations.h"
#include "headlight/model/relation.h"
#include "opening.h"
#include "rows.h"
#include "suites.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct config config;

static enum status parse(const char *text)
{
    return config_parse(text, strlen(text), &config, &error);
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

static void check_refused(const char *const *row)
{
    const enum status status = parse_with(row[0], row[1]);
    assert_refused(status, &error, row + 2);
    ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
    ck_assert_ptr_null(strstr(error.message, "(null)"));
}

ROW_TEST(other_networks_are_refused_by_name, "family_config")
{
    check_refused(row);
}

ROW_TEST(sizes_beyond_memory_are_refused_with_their_sum, "family_config_absurd")
{
    check_refused(row);
}

/* The rules that come in a file of their own, or, without it, among the configuration's fields. */
ROW_TEST(rules_of_generation_are_followed_or_refused_by_name, "generation")
{
    char text[1024], llama[1024];
    struct config encoder, decoder;
    struct file_text file;
    write_with(llama, "llama", "\"vocab_size\":37");
    for (int way = 0; way < 3; way++) {
        const bool whole = way == 1, alone = way == 2;
        const char *own = alone ? llama : variant_named("marian")->config;
        snprintf(text, sizeof text, "%.*s,%s", (int)strlen(own) - 1, own, row[0] + 1);
        const struct file_given given[] = {
            {"config.json", whole ? text : own, strlen(whole ? text : own)},
            {whole ? NULL : "generation_config.json", row[0], strlen(row[0])},
            {NULL, NULL, 0}};
        const enum status status =
            config_read(&(struct files){"x", given}, NULL, &encoder, &decoder, &file, &error);
        file_text_free(&file);
        /* a decoder alone is opened, but for ends that it can't have, and generates nothing; nor
         * has it a last token that could be forced */
        if (alone && status == STATUS_OK) {
            error = encoder.rules.unfollowed;
            if (strstr(row[0], "forced_eos_token_id\":0") ||
                strstr(row[0], "forced_eos_token_id\":37")) {
                ck_assert_ptr_nonnull(strstr(error.message, "no \"forced_eos_token_id\""));
                return;
            }
        } else if (alone) {
            ck_assert_ptr_nonnull(strstr(row[0], "{\"eos_token_id\""));
        }
        ck_assert_msg((error.status == STATUS_OK) == !row[1], "%s", error.message);
        const struct rules *rules = alone ? &encoder.rules : &decoder.rules;
        if (row[1])
            assert_has_parts(error.message, row + 1);
        else if (strstr(row[0], "renormalize"))
            ck_assert(rules->normalised && rules->bad_count == 1);
        else if (strstr(row[0], "repetition_penalty\":1.3"))
            ck_assert_double_eq(rules->repetition, 1.3);
        ck_assert(!row[1] ||
                  strstr(error.message, whole                          ? "x/config.json"
                                        : alone && status == STATUS_OK ? "generation_config.json: "
                                                                       : "x/generation_config"));
    }
}

/* What changes no number: names and versions, training, what is written, ids that only a tokenizer
 * or generation reads, heads that are in no file, labels; and, of one family alone, what its code
 * doesn't read or a tensor's shape shows. */
static const char harmless[] =
    " activation_dropout add_bias_logits add_final_layer_norm architectures attention_dropout "
    "attention_probs_dropout_prob attn_pdrop bos_token bos_token_id cache_implementation "
    "classif_dropout classifier_dropout classifier_dropout_prob cls_token_id "
    "decoder_layerdrop deterministic_flash_attn do_sample down_scale_factor dropout "
    "dropout_rate embd_pdrop embedding_dropout encoder_layerdrop eos_token eos_token_id "
    "eos_token_ids esmfold_config extra_pos_embeddings finetuning_task "
    "force_bos_token_to_be_generated gap_size gradient_checkpointing hidden_dropout "
    "hidden_dropout_prob id2label init_std initializer_cutoff_factor initializer_factor "
    "initializer_range label2id length_penalty mask_token mask_token_id max_length "
    "max_trained_positions mlp_dropout net_structure_type normalize_before "
    "normalize_embedding num_beams num_labels num_memory_blocks num_return_sequences "
    "output_attentions output_hidden_states output_past pad_token pad_token_id "
    "pad_vocab_size_multiple padding_idx pooler_dropout pretraining_tp qa_dropout "
    "reference_compile resid_pdrop sep_token_id seq_classif_dropout sinusoidal_pos_embds "
    "sparse_prediction static_position_embeddings summary_activation summary_first_dropout "
    "summary_last_dropout summary_proj_to_labels summary_type summary_use_proj temperature "
    "tie_weights_ top_k top_p torchscript use_bfloat16 use_cache vocab_list "
    "bart.num_hidden_layers marian.num_hidden_layers modernbert.layer_norm_eps "
    "mpnet.relative_attention_num_buckets t5.n_positions umt5.n_positions gpt2.n_ctx "
    "deberta.legacy albert.repetition_penalty esm.hidden_act gemma2.hidden_act "
    "gemma3.hidden_act gemma3_text.hidden_act ";

static bool is_harmless(const char *type, const char *key)
{
    char alone[80], of_family[120];
    snprintf(alone, sizeof alone, " %s ", key);
    snprintf(of_family, sizeof of_family, " %s.%s ", type, key);
    return strstr(harmless, alone) || strstr(harmless, of_family);
}

/* Whether a variant of the family is something else with the member. Of two fields that say the
 * same one may go before the other, in that variant. */
static bool is_honoured(const struct family *family, const char *member)
{
    for (size_t i = 0; i < family_variant_count(); i++) {
        assert_ok(parse_with(family_variant_at(i)->name, "\"x\":0"), error);
        const struct config own = config;
        if (own.family == family && parse_with(family_variant_at(i)->name, member) == STATUS_OK &&
            memcmp(&config, &own, sizeof own) != 0)
            return true;
    }
    return false;
}

/* Values that say in none what is so without it. A family that reads one honours it; any other
 * refuses it by name. */
ROW_TEST(fields_of_some_family_are_honoured_or_refused_by_name, "foreign_keys")
{
    static const char *const values[] = {"7",
                                         "11.5",
                                         "-1",
                                         "\"another\"",
                                         "[7]",
                                         "[\"full_attention\",\"another\"]",
                                         "{\"rope_type\":\"another\"}"};
    char member[120], quoted[60];
    snprintf(quoted, sizeof quoted, "\"%s\"", row[0]);
    for (size_t i = 0; i < family_variant_count(); i++)
        for (int v = 0; v < COUNT(values); v++) {
            snprintf(member, sizeof member, "%s:%s", quoted, values[v]);
            if (parse_with(family_variant_at(i)->name, member) == STATUS_OK)
                ck_assert_msg(is_harmless(config.family->type, row[0]) ||
                                  is_honoured(config.family, member),
                              "%s: ignored", member);
            else
                ck_assert_msg(strstr(error.message, quoted) ||
                                  (*values[v] == '{' && strstr(error.message, "\"rope_type\"")),
                              "%s: %s", member, error.message);
        }
}

/* ---- Each key of published configurations --------------------------------------------------- */

static glob_t published;

static int published_count(void)
{
    if (published.gl_pathc == 0 &&
        glob("tests/vectors/families/*/config.json", 0, NULL, &published) != 0)
        abort();
    return (int)published.gl_pathc;
}

struct both {
    struct config encoder, decoder;
};

static enum status read_both(const char *text, struct both *both)
{
    struct file_text file;
    const struct file_given given[] = {{"config.json", text, strlen(text)}, {NULL, NULL, 0}};
    const enum status status = config_read(&(struct files){"x", given}, NULL, &both->encoder,
                                           &both->decoder, &file, &error);
    file_text_free(&file);
    return status;
}

/* Whether another value is refused by the key's name, or makes another network. */
static bool is_accounted_for(const char *text, const char *key, const char *value)
{
    static char changed[1 << 16];
    struct both own, other;
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    snprintf(changed, sizeof changed, "%.*s,%s:%s}", (int)(strrchr(text, '}') - text), text, quoted,
             value);
    assert_ok(read_both(text, &own), error);
    const bool read = read_both(changed, &other) == STATUS_OK;
    return read ? memcmp(&own, &other, sizeof own) != 0 : strstr(error.message, key) != NULL;
}

/* One value at a time, of the kind that the key has. */
TEST(each_key_of_a_published_configuration_counts_or_is_harmless, .times = published_count())
{
    const char *path = published.gl_pathv[_i];
    size_t size;
    char *text;
    cJSON *fields, *field;
    assert_ok(file_read(path, 1 << 16, &text, &size, &error), error);
    text[size] = '\0';
    assert_ok(json_parse_object(text, size, path, &fields, &error), error);
    const cJSON *named = json_member(fields, "model_type");
    const char *type = named ? named->valuestring : "bert";
    cJSON_ArrayForEach(field, fields)
    {
        const char *const values[] = {cJSON_IsString(field) ? "\"another\""
                                      : cJSON_IsBool(field) ? cJSON_IsTrue(field) ? "false" : "true"
                                      : cJSON_IsArray(field) ? "[\"another\"]"
                                                             : "7",
                                      cJSON_IsObject(field) ? "{\"another\":1}" : "2.5", "-1"};
        bool counts = false;
        for (int i = 0; i < COUNT(values) && !counts; i++)
            counts = is_accounted_for(text, field->string, values[i]);
        ck_assert_msg(counts || is_harmless(type, field->string), "%s: \"%s\" is passed over", path,
                      field->string);
    }
    cJSON_Delete(fields);
    free(text);
}

/* ---- What is accepted --------------------------------------------------------------------- */

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
        ck_assert_double_eq(config.rotations[0].theta, cases[i].global);
        ck_assert_double_eq(config.rotations[1].theta, cases[i].local);
    }
}

/* "layer_types" goes before every other rule, and none holds unless windows are to be used: where
 * these name a window that isn't there, transformers fails, too. */
TEST(layers_have_windows_where_qwens_say)
{
    static const struct {
        const char *member;
        bool local[4];
    } cases[] = {
        {"\"max_window_layers\":2", {false, false, true, true}},
        {"\"max_window_layers\":null", {false}},
        {"\"max_window_layers\":0", {true, true, true, true}},
        {"\"layer_types\":[\"sliding_attention\",\"full_attention\",\"sliding_attention\","
         "\"full_attention\"]",
         {true, false, true, false}},
        {"\"layer_types\":null", {false, true, true, true}},
        {"\"use_sliding_window\":false", {false}},
        {"\"use_sliding_window\":false,\"layer_types\":[\"full_attention\",\"full_attention\","
         "\"full_attention\",\"full_attention\"]",
         {false}},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        assert_ok(parse_with("qwen2", cases[i].member), error);
        ck_assert_mem_eq(config.local, cases[i].local, sizeof cases[i].local);
        ck_assert_uint_eq(config.reach, strstr(cases[i].member, "use") ? 0 : 4);
    }
    assert_fails(parse_with("qwen2", "\"use_sliding_window\":false,\"layer_types\":["
                                     "\"sliding_attention\",\"full_attention\","
                                     "\"full_attention\",\"full_attention\"]"),
                 STATUS_UNSUPPORTED, "\"layer_types\"", error);
}

/* Heads needn't divide the hidden size where their width is given. */
TEST(heads_are_as_wide_as_is_said)
{
    const char *const given[] = {"llama", "qwen3", "gemma2"};
    for (int i = 0; i < COUNT(given); i++) {
        assert_ok(parse_with(given[i], "\"hidden_size\":19,\"head_dim\":6"), error);
        ck_assert_uint_eq(config_dimensions(&config), 6);
    }
    assert_fails(parse_with("qwen2", "\"hidden_size\":19"), STATUS_MISMATCH,
                 "\"hidden_size\" to be a multiple of \"num_attention_heads\"", error);
}

/* Of transformers' formulas (modeling_rope_utils.py), computed elsewhere. */
ROW_TEST(planes_turn_at_the_speed_that_is_said, "rotations")
{
    static const size_t planes[] = {0, 20, 30, 45, 63};
    char member[600], angles[200], *at = angles;
    snprintf(member, sizeof member,
             "\"rope_scaling\":null,\"head_dim\":128,\"max_position_embeddings\":%s,"
             "\"rope_theta\":%s,\"rope_parameters\":{%s}",
             row[2], row[1], row[0]);
    snprintf(angles, sizeof angles, "%s", row[3]);
    assert_ok(parse_with("llama", member), error);
    for (int i = 0; i < COUNT(planes); i++) {
        const double expected = strtod(at, &at);
        ck_assert_double_eq_tol((double)relation_angle(&config, i % 2, planes[i], 1), expected,
                                2e-7 * expected);
    }
    ck_assert_double_eq_tol(config.rotations[0].stretch, strtod(row[4], NULL), 1e-8);
}

/* Only where it makes a difference. */
TEST(yarn_that_others_read_otherwise_is_noted, .times = 2)
{
    char text[1024];
    struct random_model model;
    snprintf(text, sizeof text, "%s", variant_named("llama")->config);
    memcpy(strstr(text, "2.5"), _i == 0 ? "2.5" : "4.0", 3);
    const struct family_variant yarn = {"yarn", text};
    family_model_make(&model, &yarn, "F32", 5);
    if (_i == 0)
        ck_assert_ptr_null(strstr(model.model->note, "yarn"));
    else
        ck_assert_msg(strstr(model.model->note, "\"factor\" 4 is not "
                                                "\"max_position_embeddings\" 70 / "),
                      "%s", model.model->note);
    random_model_free(&model);
}

/* What is accepted is computed: the longest text too. */
ROW_TEST(edges_are_computed, "family_config_edges")
{
    char text[1024];
    write_with(text, row[0], row[1]);
    const struct family_variant edge = {"edge", text};
    struct random_model model;
    family_model_make(&model, &edge, "F32", 5);
    const size_t longest = model.model->config.longest;
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
                ck_assert_uint_gt(operations_cost(&config, config.longest, 0), 0);
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
        if (strstr(text, "\"gemma") && strstr("vocab_size num_attention_heads", names[i]))
            continue; /* its files may leave them out */
        snprintf(expected, sizeof expected, "expected a field \"%s\", found none", names[i]);
        assert_fails(parse(text), STATUS_FORMAT, expected, error);
    }
    ck_assert_uint_ge(found, 4);
}
