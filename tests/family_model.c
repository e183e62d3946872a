#include "family_model.h"
#include "opening.h"

#include "headlight/model/family.h"
#include "headlight/model/weights.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* ---- Configurations ----------------------------------------------------------------------- */

#define CLASS "\"architectures\":[\"AnyForSequenceClassification\"],\"num_labels\":2,"
#define SIZES                                                                                      \
    CLASS                                                                                          \
    "\"vocab_size\":37,\"hidden_size\":15,\"num_hidden_layers\":3,\"num_attention_heads\":3,"      \
    "\"intermediate_size\":23,"
#define EVEN_SIZES                                                                                 \
    CLASS                                                                                          \
    "\"vocab_size\":37,\"hidden_size\":18,\"num_hidden_layers\":4,\"num_attention_heads\":3,"      \
    "\"intermediate_size\":23,\"max_position_embeddings\":70,"
#define DEBERTA                                                                                    \
    "{\"model_type\":\"deberta-v2\"," SIZES "\"max_position_embeddings\":70,"                      \
    "\"relative_attention\":true,\"position_biased_input\":false,\"type_vocab_size\":0,"
#define DEBERTA_1                                                                                  \
    "{\"model_type\":\"deberta\"," SIZES "\"max_position_embeddings\":70,"                         \
    "\"relative_attention\":true,"

#define T5_SIZES                                                                                   \
    "\"vocab_size\":37,\"d_model\":15,\"num_layers\":2,\"num_decoder_layers\":3,\"num_heads\":3,"  \
    "\"d_kv\":6,\"d_ff\":23,\"relative_attention_num_buckets\":12,"
#define BART_SIZES                                                                                 \
    "\"vocab_size\":37,\"d_model\":18,\"encoder_layers\":2,\"decoder_layers\":3,"                  \
    "\"encoder_attention_heads\":3,\"decoder_attention_heads\":2,\"encoder_ffn_dim\":23,"          \
    "\"decoder_ffn_dim\":31,\"max_position_embeddings\":70,"

static const struct family_variant variants[] = {
    {"bert", "{\"model_type\":\"bert\"," SIZES "\"max_position_embeddings\":70,"
             "\"tie_word_embeddings\":false}"},
    {"distilbert", "{\"model_type\":\"distilbert\"," CLASS
                   "\"vocab_size\":37,\"dim\":15,\"n_layers\":3,\"n_heads\":3,"
                   "\"hidden_dim\":23,\"max_position_embeddings\":70,\"activation\":\"relu\"}"},
    {"roberta", "{\"model_type\":\"roberta\"," SIZES "\"max_position_embeddings\":72,"
                "\"type_vocab_size\":1,\"hidden_act\":\"gelu_new\"}"},
    {"xlm-roberta", "{\"model_type\":\"xlm-roberta\"," SIZES "\"max_position_embeddings\":76,"
                    "\"type_vocab_size\":1,\"pad_token_id\":5}"},
    {"electra, narrow",
     "{\"model_type\":\"electra\"," SIZES "\"embedding_size\":7,\"max_position_embeddings\":70}"},
    {"electra, wide",
     "{\"model_type\":\"electra\"," SIZES "\"embedding_size\":41,\"max_position_embeddings\":70}"},
    {"electra, not projected",
     "{\"model_type\":\"electra\"," SIZES "\"embedding_size\":15,\"max_position_embeddings\":70}"},
    {"albert", "{\"model_type\":\"albert\"," SIZES "\"embedding_size\":7,\"num_hidden_groups\":2,"
               "\"max_position_embeddings\":70}"},
    {"mpnet", "{\"model_type\":\"mpnet\"," SIZES "\"max_position_embeddings\":72}"},
    {"modernbert", "{\"model_type\":\"modernbert\"," EVEN_SIZES "\"local_attention\":5}"},
    {"modernbert, newer",
     "{\"model_type\":\"modernbert\"," EVEN_SIZES "\"local_attention\":40,"
     "\"layer_types\":[\"sliding_attention\",\"full_attention\",\"sliding_attention\","
     "\"full_attention\"],\"rope_parameters\":{\"sliding_attention\":{\"rope_theta\":100}}}"},
    {"deberta", DEBERTA "\"position_buckets\":8,\"norm_rel_ebd\":\"layer_norm\","
                        "\"share_att_key\":true,\"pos_att_type\":[\"p2c\",\"c2p\"]}"},
    {"deberta, convolved", DEBERTA "\"pos_att_type\":\"c2p|p2c\",\"conv_kernel_size\":5,"
                                   "\"conv_act\":\"relu\",\"max_relative_positions\":20}"},
    {"deberta, c2p", DEBERTA "\"position_buckets\":20,\"share_att_key\":true,"
                             "\"pos_att_type\":\"c2p\",\"conv_kernel_size\":1,"
                             "\"conv_act\":\"gelu\"}"},
    {"deberta, p2c", DEBERTA "\"position_buckets\":3,\"share_att_key\":true,"
                             "\"pos_att_type\":\"p2c\",\"norm_rel_ebd\":\"layer_norm\"}"},
    {"gpt2", "{\"model_type\":\"gpt2\",\"vocab_size\":37,\"n_embd\":15,\"n_layer\":3,"
             "\"n_head\":3,\"n_positions\":70,\"n_inner\":23,\"tie_word_embeddings\":false}"},
    {"nomic",
     "{\"model_type\":\"nomic_bert\"," EVEN_SIZES "\"rope_parameters\":{\"rope_theta\":500}}"},
    {"nomic, published",
     "{\"model_type\":\"nomic_bert\"," CLASS
     "\"vocab_size\":37,\"n_embd\":18,\"n_layer\":3,\"n_head\":3,"
     "\"n_positions\":70,\"n_inner\":23,\"activation_function\":\"swiglu\","
     "\"rotary_emb_base\":1000,\"rotary_emb_fraction\":1.0,\"qkv_proj_bias\":false,"
     "\"mlp_fc1_bias\":false,\"mlp_fc2_bias\":false}"},
    {"jina", "{\"model_type\":\"jina_embeddings_v3\"," EVEN_SIZES "\"type_vocab_size\":1,"
             "\"rotary_emb_base\":500}"},
    {"deberta v1", DEBERTA_1 "\"type_vocab_size\":2,\"pos_att_type\":\"c2p|p2c\"}"},
    {"deberta v1, c2p", DEBERTA_1 "\"pos_att_type\":[\"c2p\"],\"position_biased_input\":false,"
                                  "\"max_relative_positions\":9}"},
    {"deberta v1, p2c", DEBERTA_1 "\"pos_att_type\":\"p2c\",\"max_relative_positions\":20}"},
    {"llama", "{\"model_type\":\"llama\"," EVEN_SIZES "\"num_key_value_heads\":1,\"head_dim\":8,"
              "\"attention_bias\":true,\"rope_scaling\":{\"type\":\"yarn\",\"factor\":2.5,"
              "\"original_max_position_embeddings\":28}}"},
    {"esm", "{\"model_type\":\"esm\"," EVEN_SIZES "\"position_embedding_type\":\"rotary\","
            "\"token_dropout\":true,\"mask_token_id\":9}"},
    {"esm, absolute", "{\"model_type\":\"esm\"," SIZES "\"max_position_embeddings\":72,"
                      "\"emb_layer_norm_before\":true,\"token_dropout\":true}"},
    {"eurobert", "{\"model_type\":\"eurobert\"," EVEN_SIZES "\"mlp_bias\":true,"
                 "\"num_key_value_heads\":3,\"rms_norm_eps\":0.01}"},
    {"qwen2", "{\"model_type\":\"qwen2\"," EVEN_SIZES "\"num_key_value_heads\":null,"
              "\"rope_theta\":500,\"use_sliding_window\":true,\"sliding_window\":5,"
              "\"max_window_layers\":1}"},
    {"qwen3", "{\"model_type\":\"qwen3\"," EVEN_SIZES "\"num_key_value_heads\":1,\"head_dim\":10,"
              "\"use_sliding_window\":true,\"sliding_window\":9,"
              "\"layer_types\":[\"full_attention\",\"sliding_attention\",\"full_attention\","
              "\"sliding_attention\"],\"rope_parameters\":{\"rope_type\":\"llama3\",\"factor\":8,"
              "\"rope_theta\":700,\"low_freq_factor\":1,\"high_freq_factor\":4,"
              "\"original_max_position_embeddings\":30}}"},
    {"gemma2", "{\"model_type\":\"gemma2\"," EVEN_SIZES "\"num_key_value_heads\":1,\"head_dim\":8,"
               "\"query_pre_attn_scalar\":5,\"attn_logit_softcapping\":2.5,"
               "\"final_logit_softcapping\":1.5,\"sliding_window\":4}"},
    {"gemma3",
     "{\"model_type\":\"gemma3\",\"text_config\":{\"model_type\":\"gemma3_text\"," EVEN_SIZES
     "\"num_key_value_heads\":3,\"head_dim\":4,\"sliding_window\":3,"
     "\"sliding_window_pattern\":2,\"rope_scaling\":{\"rope_type\":\"linear\","
     "\"factor\":8}}}"},
    {"neox", "{\"model_type\":\"gpt_neox\"," EVEN_SIZES "\"rotary_pct\":0.67}"},
    {"neox, sequential", "{\"model_type\":\"gpt_neox\"," EVEN_SIZES "\"rotary_pct\":1,"
                         "\"use_parallel_residual\":false,\"attention_bias\":false,"
                         "\"tie_word_embeddings\":true}"},
    {"mistral", "{\"model_type\":\"mistral\"," EVEN_SIZES
                "\"num_key_value_heads\":1,\"head_dim\":8,\"sliding_window\":5}"},
    {"t5", "{\"model_type\":\"t5\"," T5_SIZES "\"relative_attention_max_distance\":20}"},
    {"t5, 1.1", "{\"model_type\":\"t5\"," T5_SIZES "\"feed_forward_proj\":\"gated-gelu\","
                "\"tie_word_embeddings\":false}"},
    {"umt5", "{\"model_type\":\"umt5\"," T5_SIZES "\"num_layers\":3}"},
    {"bart", "{\"model_type\":\"bart\"," BART_SIZES "\"scale_embedding\":true}"},
    {"marian", "{\"model_type\":\"marian\"," BART_SIZES "\"activation_function\":\"swish\","
               "\"pad_token_id\":36}"},
};
#define VARIANTS (sizeof variants / sizeof *variants)
#define STACKED  5

const struct family_variant *family_variant_at(size_t index)
{
    return index < VARIANTS ? &variants[index] : NULL;
}

size_t family_variant_count(void)
{
    return VARIANTS - STACKED;
}

size_t family_variant_all(void)
{
    return VARIANTS;
}

/* Each size is written in one way only: it is found by its digits. */
char *family_config_large(const struct family_variant *variant)
{
    static const char *const sizes[][2] = {
        {":15,", ":102,"}, {":18,", ":108,"}, {":23,", ":409,"}, {":37,", ":501,"}};
    char *text = NULL;
    size_t length, i;
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(stream);
    for (const char *at = variant->config; *at;) {
        for (i = 0; i < 4 && strncmp(at, sizes[i][0], 4) != 0; i++)
            continue;
        if (i < 4)
            fputs(sizes[i][1], stream);
        else
            fputc(*at, stream);
        at += i < 4 ? 4 : 1;
    }
    ck_assert_int_eq(fclose(stream), 0);
    return text;
}

/* ---- Tensors ------------------------------------------------------------------------------ */

static size_t extent(const struct config *config, char axis)
{
    switch (axis) {
    case 'V':
    case 'v':
        return config->vocabulary;
    case 'E':
        return config_embedding(config);
    case 'P':
        return config->positions;
    case 'S':
        return config->segments;
    case 'F':
    case 'f':
    case 'u':
        return config->feed_forward;
    case 'A':
        return config->heads;
    case 'R':
    case 'b':
    case 'l':
        return config->relative_rows;
    case 'K':
        return config->kernel;
    case 'C':
        return config->labels;
    case 'a':
        return config->layers * config->heads;
    case 'r':
        return config->hidden / config->heads / 2;
    case '1':
    case '2':
        return (size_t)(axis - '0');
    case 'D':
        return config_dimensions(config);
    case 'Q':
        return config->heads * config_dimensions(config);
    case 'G':
        return config_key_heads(config) * config_dimensions(config);
    default: /* H, and the letters that stand for it where there is something */
        return config->hidden;
    }
}

static bool is_there(const struct parts *parts, const char *name)
{
    for (size_t i = 0; i < parts->count; i++)
        if (strcmp(parts->part[i].name, name) == 0)
            return true;
    return false;
}

static void fill(struct part *part, const char *axes, uint64_t *state)
{
    const bool table = strchr("VPSRbl", axes[0]) != NULL;
    const bool norm = part->rank == 1 && strstr(part->name, ".weight");
    const size_t count = part->size / sizeof(float);
    const float range = part->rank == 1 ? 0.3f
                        : table         ? 1
                                        : 2 / sqrtf((float)count / (float)part->shape[0]);
    float *numbers = malloc(count * sizeof *numbers);
    ck_assert_ptr_nonnull(numbers);
    fill_random(numbers, count, range, random_next(state));
    for (size_t i = 0; norm && i < count; i++)
        numbers[i] += 1;
    memcpy(part->data, numbers, part->size);
    free(numbers);
}

static void add(struct random_model *random, const struct config *config, const char *prefix,
                const struct tensor_entry *entry, uint64_t *state)
{
    char name[160];
    size_t shape[4] = {0}, rank = family_rank(entry);
    const bool whole = strchr("VP", entry->axes[0]) != NULL;
    if (!entry->name || family_switch(config, entry) || entry->axes[0] == 'y')
        return;
    snprintf(name, sizeof name, "%s%s%s", config->family->prefix, prefix, entry->name);
    if (is_there(&random->parts, name)) /* it is of several parts, or of a group */
        return;
    for (size_t i = 0; i < rank; i++)
        shape[i] = extent(config, entry->axes[i]);
    shape[0] *= entry->parts > 0 ? entry->parts : 1;
    if (entry->axes[0] == 'v') { /* [1,V] */
        shape[1] = shape[0];
        shape[0] = 1;
    }
    if (config->family->transposed && rank == 2 && !whole) {
        size_t outputs = shape[0];
        shape[0] = shape[1];
        shape[1] = outputs;
    }
    fill(parts_add(&random->parts, name, "F32", shape), entry->axes, state);
}

static void add_list(struct random_model *random, const struct config *config, const char *prefix,
                     const struct tensor_list *list, uint64_t *state)
{
    for (size_t i = 0; i < list->count; i++)
        if (family_numbers(config, &list->entries[i]) > 0)
            add(random, config, prefix, &list->entries[i], state);
}

static void add_layer(struct random_model *random, const struct config *config, size_t l,
                      uint64_t *state)
{
    const struct family *family = config->family;
    char prefix[80];
    family_layer(config, l, prefix, sizeof prefix);
    add_list(random, config, prefix, &family->layer, state);
    if (l > 0)
        add_list(random, config, prefix, &family->later_layer, state);
}

static void add_all(struct random_model *random, const struct config *config, uint64_t *state)
{
    const struct family *family = config->family;
    bool has[OUTPUT_COUNT + 1] = {false}; /* contacts are the last */
    add_list(random, config, "", &family->whole, state);
    for (size_t l = 0; l < config->layers; l++)
        add_layer(random, config, l, state);
    for (size_t i = 0; i < FAMILY_HEADS_MAX; i++) {
        const struct head_list *head = &family->heads[i];
        struct tensor_list list = head->tensors;
        list.count -= (head->output == OUTPUT_MLM || head->output == OUTPUT_LM) && config->tied &&
                      list.count > 0;
        if (!has[head->output] && (head->task == TASK_NONE || head->task == TASK_SEQUENCE))
            add_list(random, config, "", &list, state);
        has[head->output] = true;
    }
}

void family_model_make(struct random_model *random, const struct family_variant *variant,
                       const char *type, uint64_t seed)
{
    const struct file_given given[] = {{"config.json", variant->config, strlen(variant->config)},
                                       {NULL, NULL, 0}};
    struct config config, decoder;
    struct file_text file;
    uint64_t state = seed;
    assert_ok(config_read(&(struct files){"x", given}, NULL, &config, &decoder, &file, &error),
              error);
    file_text_free(&file);
    config.labels = 2;
    *random = (struct random_model){.shape = {.hidden = config.hidden,
                                              .heads = config.heads,
                                              .layers = config.layers,
                                              .feed_forward = config.feed_forward,
                                              .vocabulary = config.vocabulary,
                                              .positions = config.positions,
                                              .type = type},
                                    .config = variant->config};
    add_all(random, &config, &state);
    if (decoder.family)
        add_all(random, &decoder, &state);
    if (strcmp(type, "F32") != 0)
        parts_narrow(&random->parts, type);
    assert_ok(random_model_open(random, &error), error);
}
