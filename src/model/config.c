/* config.c: reads config.json. The fields that every family has are read here, a family's own by
 * the function in its record. A field that would change the arithmetic in an unsupported way is
 * refused by name, so that nothing is silently computed wrongly. */
#include "headlight/model/config.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/family_entries.h"
#include "headlight/model/relation.h"

/* Newer files have all in one object, older ones in two fields. */
static void read_rotation(const struct json_reader *in, struct config *config)
{
    const struct family *family = config->family;
    const char *name = family->keys.theta ? family->keys.theta : "rotary_emb_base";
    const cJSON *newer = json_member(in->object, "rope_parameters");
    const double theta = newer && json_member(newer, "rope_theta")
                             ? family->theta
                             : config_base(in, name, family->theta);
    config_rotation(in, newer ? "rope_parameters" : "rope_scaling", theta, config,
                    &config->rotations[0]);
    config->rotations[1] = config->rotations[0]; /* of layers that see only what is near */
}

/* A switch for which headlight supports one value only. The message says what it does run, because
 * the field's name alone often tells a user little. */
static void check_flag(const struct json_reader *in, const struct config_flag *flag)
{
    const bool found = json_bool(in, flag->name, flag->otherwise);
    if (found != flag->expected)
        json_refuse(in, STATUS_UNSUPPORTED, "expected \"%s\" to be %s, found %s; headlight runs %s",
                    flag->name, flag->expected ? "true" : "false", found ? "true" : "false",
                    flag->why);
}

/* ---- Sizes -------------------------------------------------------------------------------- */

/* A size that every family has under a name of its own. Its upper limit is checked only after the
 * family's own fields and the memory, since a message about memory is of more use. */
struct size_field {
    const char *name; /* NULL: the family has no such field */
    bool required;
    size_t most;
    size_t *value;
};

/* GPT-2's n_inner is optional and read by the family itself. */
static const char *name_of_feed_forward(const struct config_keys *keys)
{
    return keys->feed_forward ? keys->feed_forward : "n_inner";
}

/* Checked before sizes are multiplied as size_t. Every type has at least the two bytes of F16. */
static void check_weights_memory(const struct json_reader *in, const struct config *config)
{
    const struct config_keys *keys = &config->family->keys;
    if (json_is_fine(in))
        memory_check(2 * family_weights(config), "use a smaller model", in->error,
                     "%s: expected sizes of a model that fits into memory, found \"vocab_size\" "
                     "%zu, \"%s\" %zu, \"%s\" %zu, \"%s\" %zu, \"%s\" %zu, "
                     "\"type_vocab_size\" %zu: its weights need at least",
                     in->source, config->vocabulary, keys->hidden, config->hidden, keys->layers,
                     config->layers, name_of_feed_forward(keys), config->feed_forward,
                     keys->positions, config->positions, config->segments);
}

/* The heads of keys and values are as many as the others where null is said; or where nothing is
 * said, unless the family has it otherwise. */
static void read_heads(const struct json_reader *in, struct config *config)
{
    const struct config_keys *keys = &config->family->keys;
    const bool said =
        keys->key_heads && cJSON_GetObjectItemCaseSensitive(in->object, keys->key_heads);
    if (said || config->key_heads == 0)
        config->key_heads = config->heads;
    if (said)
        config->key_heads = config_size(in, keys->key_heads, 1, CONFIG_HEADS_MAX, config->heads);
    if (keys->dimensions)
        config->dimensions =
            config_size(in, keys->dimensions, 1, CONFIG_SIZE_MAX, config->dimensions);
}

static void read_sizes(const struct json_reader *in, struct config *config)
{
    const struct family *family = config->family;
    const struct config_keys *keys = &family->keys;
    const struct size_field fields[] = {
        {"vocab_size", true, CONFIG_SIZE_MAX, &config->vocabulary},
        {keys->hidden, true, CONFIG_SIZE_MAX, &config->hidden},
        {keys->layers, true, CONFIG_LAYERS_MAX, &config->layers},
        {keys->heads, true, CONFIG_HEADS_MAX, &config->heads},
        {keys->feed_forward, true, CONFIG_SIZE_MAX, &config->feed_forward},
        {keys->positions, false, CONFIG_SIZE_MAX, &config->positions},
        {keys->segments, false, CONFIG_SIZE_MAX, &config->segments},
    };
    config->segments = keys->segments ? 2 : 0; /* transformers' default */
    for (const struct size_field *field = fields; field < fields + LENGTH(fields); field++) {
        if (!field->name)
            continue;
        if (field->required && *field->value == 0 && !json_member(in->object, field->name))
            json_refuse(in, STATUS_FORMAT,
                        "expected a field \"%s\", found none; is it a configuration of %s?",
                        field->name, family->name);
        *field->value = json_size(in, field->name, *field->value);
        if (*field->value < 1)
            json_refuse(in, STATUS_FORMAT, "expected \"%s\" from 1 to %zu, found 0", field->name,
                        field->most);
    }
    if (!json_is_fine(in))
        return;
    read_heads(in, config);
    if (family->read && json_is_fine(in))
        family->read(in, config);
    if (family->theta > 0 && json_is_fine(in))
        read_rotation(in, config);
    if (!json_is_fine(in))
        return;
    check_weights_memory(in, config);
    for (size_t i = 0; i < LENGTH(fields); i++)
        if (*fields[i].value > fields[i].most)
            json_refuse(in, STATUS_LIMIT, "expected \"%s\" from 1 to %zu, found %zu",
                        fields[i].name ? fields[i].name : name_of_feed_forward(keys),
                        fields[i].most, *fields[i].value);
    /* every head has D = H/A dimensions, unless they are given */
    if (config->dimensions == 0 && config->hidden % config->heads != 0)
        json_refuse(in, STATUS_MISMATCH,
                    "expected \"%s\" to be a multiple of \"%s\", found %zu and %zu", keys->hidden,
                    keys->heads, config->hidden, config->heads);
    if (config->heads % config->key_heads != 0)
        json_refuse(in, STATUS_MISMATCH,
                    "expected \"%s\" to be a multiple of \"%s\", found %zu and %zu", keys->heads,
                    keys->key_heads, config->heads, config->key_heads);
    /* a plane of rotation takes dimensions m and m + r/2 */
    if (config->rotary && relation_rotated(config) % 2 != 0)
        json_refuse(in, STATUS_MISMATCH,
                    "expected heads of an even number of dimensions, as rotary positions need, "
                    "found %zu; that follows from \"%s\"",
                    relation_rotated(config), keys->dimensions ? keys->dimensions : keys->hidden);
}

/* ---- Which network ------------------------------------------------------------------------ */

/* What the family decides whatever its configurations say; read_sizes and the family's own function
 * may still change the rest. 512 positions are what transformers assumes for BERT. */
static void take_family(const struct family *family, struct config *config)
{
    *config = family->start;
    config->family = family;
    config->stack = family->decoder ? STACK_ENCODER : family->encoder ? STACK_DECODER : STACK_ONLY;
    config->positions = config->positions > 0 ? config->positions : 512;
    config->placed = !config->rotary;
}

/* Fields that turn the network into one headlight does not compute. */
static void check_variants(const struct json_reader *in, const struct config *config)
{
    const struct family *family = config->family;
    const bool alone = config->stack == STACK_ONLY;
    const char *why = alone ? "encoders only" : "both stacks together";
    static const char *const type = "position_embedding_type";
    static const char *const types[] = {"absolute", "rotary", "rope", "sans_pos"};
    const struct config_flag flags[] = {
        {"is_decoder", false, false, why},
        {"add_cross_attention", false, false, why},
        {"is_encoder_decoder", !alone, !alone, why},
    };
    json_choose(in, type, json_string(in, type, *types), types,
                family->start.rotary ? LENGTH(types) : 1);
    for (size_t i = 0; i < LENGTH(flags); i++)
        check_flag(in, &flags[i]);
    for (size_t i = 0; i < FAMILY_FLAGS_MAX && family->flags[i].name; i++)
        check_flag(in, &family->flags[i]);
}

/* What a field of other networks says where it changes nothing in this one: a number, of which
 * false is 0 and true 1. Before NEUTRAL_ONE 0 also says so. */
enum neutral {
    NEUTRAL_NONE,
    NEUTRAL_WORD,  /* the key's, of neutral_words */
    NEUTRAL_WIDTH, /* D */
    NEUTRAL_HEADS,
    NEUTRAL_BASE,   /* θ */
    NEUTRAL_REACH,  /* of local layers */
    NEUTRAL_BIASES, /* whether attention, or the feed-forward block, has any: the file must hold
                       them */
    NEUTRAL_MLP_BIASES,
    NEUTRAL_ONE,
    NEUTRAL_ID, /* nothing else: 0 is an id as well */
    NEUTRAL_ROTARY,
    NEUTRAL_BEFORE,
    NEUTRAL_CAUSAL,
    NEUTRAL_GATED,
    NEUTRAL_ACTIVATION, /* the one that the family has under its own name */
    NEUTRAL_COUNT
};

/* The fields that change the arithmetic of some family, of this program or of others, in the code
 * of transformers or in code that comes with a checkpoint. What a family reads is its own. Sizes
 * that the tensors' shapes show and epsilons aren't among them: each family has them under one
 * name, and published files carry them under others for which nobody asks. */
#define FOREIGN_MAX 48
/* clang-format off */
static const char *const foreign_keys[NEUTRAL_COUNT][FOREIGN_MAX] = {
    [NEUTRAL_NONE] = {
        "alibi", "alibi_starting_size", "attention_chunk_size", "attention_multiplier",
        "attention_type", "attn_logit_softcapping", "clip_qkv", "conv_kernel_size",
        "emb_layer_norm_before", "feed_forward_proj", "final_logit_softcapping", "local_attention",
        "num_experts", "num_local_experts", "parallel_attn", "parallel_block", "qk_layernorm",
        "relative_attention", "rope_parameters", "rope_scaling", "rotary_emb_interleaved",
        "rotary_emb_scale_base", "rotary_scaling_factor", "scale_attn_by_inverse_layer_idx",
        "scale_embedding", "sliding_window_pattern", "talking_head", "token_dropout",
        "use_bidirectional_attention", "use_mup", "use_parallel_residual", "use_qk_norm",
        "use_rms_norm", "use_sliding_window", "use_task_id"},
    [NEUTRAL_WORD] = {"feed_forward_type", "layer_types", "pos_att_type", "rope_type"},
    [NEUTRAL_WIDTH] = {"attention_head_size", "head_dim", "query_pre_attn_scalar"},
    [NEUTRAL_HEADS] = {"num_key_value_heads"},
    [NEUTRAL_BASE] = {
        "global_rope_theta", "local_rope_theta", "rope_local_base_freq", "rope_theta",
        "rotary_emb_base"},
    [NEUTRAL_REACH] = {"sliding_window"},
    [NEUTRAL_BIASES] = {"attention_bias", "qkv_proj_bias"},
    [NEUTRAL_MLP_BIASES] = {"mlp_bias", "mlp_fc1_bias", "mlp_fc2_bias"},
    [NEUTRAL_ONE] = {
        "embedding_multiplier", "global_attn_every_n_layers", "logit_scale", "logits_scaling",
        "no_rope_layers", "partial_rotary_factor", "residual_multiplier", "rotary_pct",
        "scale_attn_weights", "share_encoder_decoder_embeddings"},
    [NEUTRAL_ROTARY] = {"rotary_emb_fraction"},
    [NEUTRAL_BEFORE] = {"prenorm"},
    [NEUTRAL_CAUSAL] = {"causal"},
    [NEUTRAL_GATED] = {"is_gated_act"},
    [NEUTRAL_ACTIVATION] = {
        "activation", "activation_function", "dense_act_fn", "hidden_act", "hidden_activation"},
};
/* clang-format on */

/* of the keys of NEUTRAL_WORD, in their order */
static const char *const neutral_words[] = {"original", "full_attention", "none", "default"};

/* Whether a value is one that changes nothing: null, the neutral number, the neutral word, a list
 * of nothing else. */
static bool is_neutral(enum neutral kind, const cJSON *item, double neutral, const char *word)
{
    const double number = cJSON_IsBool(item) ? cJSON_IsTrue(item) : item->valuedouble;
    const cJSON *part = cJSON_IsArray(item) ? item->child : NULL;
    while (part && is_neutral(kind, part, neutral, word))
        part = part->next;
    if (cJSON_IsNull(item) || cJSON_IsArray(item))
        return !part;
    if (cJSON_IsString(item))
        return word && strcmp(item->valuestring, word) == 0;
    return (cJSON_IsBool(item) || cJSON_IsNumber(item)) &&
           ((number >= neutral && number <= neutral) ||
            (kind < NEUTRAL_ONE && !(number < 0) && !(number > 0)));
}

/* What JSON says, in a sentence. */
static const char *quote(const cJSON *item, char found[64])
{
    return cJSON_PrintPreallocated((cJSON *)item, found, 64, false) ? found : "another value";
}

static void refuse_unread(const struct json_reader *in, const struct config *config,
                          const char *const keys[NEUTRAL_COUNT][FOREIGN_MAX],
                          const double neutral[NEUTRAL_COUNT])
{
    for (enum neutral kind = 0; kind < NEUTRAL_COUNT; kind++)
        for (const char *const *key = keys[kind]; *key; key++) {
            const cJSON *item = json_member(in->object, *key);
            char found[64];
            if (!item || json_was_read(in, item))
                continue;
            if (!(kind == NEUTRAL_ACTIVATION && cJSON_IsString(item)
                      ? config_activation_of(in, *key, item->valuestring) == config->activation
                      : is_neutral(kind, item, neutral[kind],
                                   kind == NEUTRAL_WORD ? neutral_words[key - keys[kind]] : NULL)))
                json_refuse(in, STATUS_UNSUPPORTED,
                            "expected no \"%s\", found %s; headlight runs %s without it", *key,
                            quote(item, found), config->family->name);
        }
}

/* What is left unread, also in the objects that were read. */
static void check_foreign(const struct json_reader *in, const struct config *config)
{
    const struct tensor_list *layer = &config->family->layer;
    double neutral[NEUTRAL_COUNT] = {
        [NEUTRAL_WIDTH] = (double)config_dimensions(config),
        [NEUTRAL_HEADS] = (double)config->heads,
        [NEUTRAL_BASE] = config->rotations[0].theta,
        [NEUTRAL_REACH] = (double)config->reach,
        [NEUTRAL_ONE] = 1,
        [NEUTRAL_ROTARY] = config->rotary,
        [NEUTRAL_BEFORE] = config->norm_before,
        [NEUTRAL_CAUSAL] = config->causal,
        [NEUTRAL_GATED] = config->gated,
    };
    for (size_t i = 0; i < layer->count; i++) {
        const struct tensor_entry *entry = &layer->entries[i];
        const bool there = entry->name && !family_switch(config, entry);
        if (there && entry->offset == LAYER(attention.projections[QUERY].bias))
            neutral[NEUTRAL_BIASES] = 1;
        if (there && entry->offset == LAYER(intermediate[0].bias))
            neutral[NEUTRAL_MLP_BIASES] = 1;
    }
    refuse_unread(in, config, foreign_keys, neutral);
    for (const cJSON *item = in->object->child; item; item = item->next)
        if (cJSON_IsObject(item) && json_was_read(in, item))
            check_foreign(&(struct json_reader){item, in->source, in->error, in->marks}, config);
}

/* The order matters: what is refused altogether before any size; then the sizes, from which the
 * others follow. */
static void read_fields(const struct json_reader *in, struct config *config)
{
    const struct family *family = config->family;
    check_variants(in, config);
    config->activation = config_activation(in, family->keys.activation,
                                           family->activation ? family->activation : "gelu");
    config->head_activation = family->head_gelu ? ACTIVATION_GELU : config->activation;
    read_sizes(in, config);
    if (!json_is_fine(in))
        return;
    if (config->longest == 0) /* the family has no say */
        config->longest = config->positions;
    if (config->past_padding) { /* positions are numbered from behind it */
        /* 1 is that of transformers' RobertaConfig */
        config->padding = config_size(in, "pad_token_id", 0, CONFIG_SIZE_MAX, 1);
        if (config->padding + 1 >= config->positions)
            json_refuse(in, STATUS_MISMATCH,
                        "expected \"pad_token_id\" to leave positions behind it of the %zu that "
                        "there are, found %zu",
                        config->positions, config->padding);
        config->longest -= config->padding + 1;
    }
    /* published epsilons lie between 1e-12 and 1e-5; 1 or more would be a misread field */
    const char *epsilon = family->keys.epsilon;
    const double otherwise = family->epsilon > 0 ? family->epsilon : 1e-12;
    const double number = epsilon ? json_number(in, epsilon, otherwise) : otherwise;
    if (!(number >= 0 && number < 1))
        json_refuse(in, STATUS_FORMAT, "expected \"%s\" from 0 to below 1, found %g", epsilon,
                    number);
    config->layer_norm_eps = (float)number;
    config->tied =
        json_bool(in, "tie_word_embeddings", !family->untied); /* as transformers has it */
}

/* ---- How targets are generated ------------------------------------------------------------- */

/* What transformers' generation/logits_process.py, and its ways to search, have besides the rules
 * that are read. How many tokens, beams and draws there are is for the options to say. */
/* clang-format off */
static const char *const other_rules[NEUTRAL_COUNT][FOREIGN_MAX] = {
    [NEUTRAL_NONE] = {
        "constraints", "diversity_penalty", "dola_layers", "encoder_no_repeat_ngram_size",
        "epsilon_cutoff", "eta_cutoff", "exponential_decay_length_penalty", "max_time",
        "min_new_tokens", "min_p", "penalty_alpha", "sequence_bias", "stop_strings",
        "token_healing", "top_h", "watermarking_config"},
    [NEUTRAL_ID] = {
        "begin_suppress_tokens", "force_words_ids", "forced_decoder_ids", "forced_eos_token_id",
        "suppress_tokens"},
    [NEUTRAL_ONE] = {
        "encoder_repetition_penalty", "guidance_scale", "num_beam_groups", "typical_p"},
};
/* clang-format on */

/* A number, or a list of such or of lists of one. */
static size_t read_ids(const struct json_reader *in, const char *name, size_t vocabulary,
                       int32_t *ids, size_t most)
{
    const cJSON *all = json_read(in, name), *item = cJSON_IsArray(all) ? all->child : all;
    size_t count = 0, id;
    char found[64];
    for (; item && json_is_fine(in); item = item == all ? NULL : item->next)
        if (json_is_size(cJSON_GetArraySize(item) == 1 ? item->child : item, &id) &&
            id < vocabulary && count < most)
            ids[count++] = (int32_t)id;
        else
            json_refuse(in, STATUS_UNSUPPORTED,
                        "expected \"%s\" to be single ids below %zu, at most %zu, found %s", name,
                        vocabulary, most, quote(item, found));
    return count;
}

/* Where there is a generation_config.json it says alone how texts are generated, as in
 * transformers' generation/utils.py; what the family has of its class gives way to what a file
 * says. A decoder alone is opened whatever it says: most look at a text of their own. A text that
 * it goes on with has no last token that could be forced. */
static void read_generation(const struct files *files, const struct json_reader *in,
                            struct config *config)
{
    struct file_text file;
    struct json_reader own = *in;
    struct rules *rules = &config->rules;
    const bool alone = config->stack == STACK_ONLY;
    const size_t V = config->vocabulary;
    read_ids(in, "decoder_start_token_id", V, &rules->start, 1);
    files_read_object(files, "generation_config.json", false, &file, in->error);
    if (file.json)
        own = (struct json_reader){file.json, file.path, in->error, in->marks};
    const size_t ends = read_ids(&own, "eos_token_id", V, config->ends, CONFIG_ENDS_MAX);
    config->end_count = ends > 0 ? ends : config->end_count;
    if (alone || file.json)
        rules->first = rules->last = -1;
    if (alone) { /* it is said in a line of the screen, which has no columns for folders */
        own.source = file.json ? "generation_config.json" : "config.json";
        own.error = &rules->unfollowed;
    } else {
        read_ids(&own, "forced_eos_token_id", V, &rules->last, 1);
    }
    read_ids(&own, "decoder_start_token_id", V, &rules->start, 1);
    read_ids(&own, "forced_bos_token_id", V, &rules->first, 1);
    rules->repetition = config_above(&own, "repetition_penalty", 0, 1);
    rules->no_repeat = config_size(&own, "no_repeat_ngram_size", 0, CONFIG_SIZE_MAX, 0);
    rules->shortest = config_size(&own, "min_length", 0, CONFIG_SIZE_MAX, 0);
    rules->bad_count = read_ids(&own, "bad_words_ids", V, rules->bad, CONFIG_ENDS_MAX);
    rules->normalised = json_bool(&own, "renormalize_logits", false);
    if (!alone && (rules->start < 0 || (size_t)rules->start >= V)) /* Marian's is its padding */
        json_refuse(in, STATUS_MISMATCH,
                    "expected a \"decoder_start_token_id\" below %zu, or a \"pad_token_id\" of "
                    "Marian, found %d",
                    V, rules->start);
    refuse_unread(&own, config, other_rules,
                  (const double[NEUTRAL_COUNT]){[NEUTRAL_ONE] = 1, [NEUTRAL_ID] = NAN});
    file_text_free(&file);
}

/* The family first, as it says what the fields are called. */
enum status config_read(const struct files *files, const char *by_hand, struct config *config,
                        struct config *decoder, struct file_text *file, struct error *error)
{
    *config = *decoder = (struct config){0};
    if (files_read_object(files, "config.json", true, file, error) != STATUS_OK)
        return error->status;
    struct json_marks marks = {.count = 0};
    struct json_reader in = json_reader(file->json, file->path, error);
    in.marks = &marks;
    const struct family *family = config->family = family_find(&in, by_hand);
    if (!family)
        return error->status;
    take_family(family, config);
    /* fields that change which tensors the checkpoint holds, and in which form */
    const cJSON *pruned = json_member(in.object, "pruned_heads");
    const char *layer = pruned && pruned->child ? pruned->child->string : NULL;
    if (pruned && (!(cJSON_IsObject(pruned) || cJSON_IsArray(pruned)) || pruned->child))
        json_refuse(&in, STATUS_UNSUPPORTED,
                    "expected \"pruned_heads\" to be empty, found %s%s%s; headlight needs the "
                    "checkpoint before its heads were pruned",
                    layer ? "layer " : "some", layer ? layer : "", layer ? " in it" : "");
    const cJSON *quantised = json_member(in.object, "quantization_config");
    const cJSON *method = quantised ? json_member(quantised, "quant_method") : NULL;
    if (quantised)
        json_refuse(&in, STATUS_UNSUPPORTED,
                    "expected no \"quantization_config\", found \"%.100s\"; headlight needs the "
                    "checkpoint before that",
                    cJSON_IsString(method) ? method->valuestring : "an unnamed method");
    const struct json_reader inner = family->nested ? json_inner(&in, family->nested) : in;
    read_fields(&inner, config);
    if (json_is_fine(&in) && family->decoder) {
        take_family(family->decoder, decoder);
        decoder->numbered = config->layers;
        decoder->layers = decoder->layers > 0 ? decoder->layers : config->layers;
        read_fields(&inner, decoder);
        if (config->layers + 2 * decoder->layers > CONFIG_LAYERS_MAX)
            json_refuse(&in, STATUS_LIMIT,
                        "expected at most %d layers, those of the decoder counted twice, found "
                        "%zu and %zu",
                        CONFIG_LAYERS_MAX, config->layers, decoder->layers);
    }
    if (json_is_fine(&in))
        check_foreign(&in, config);
    if (json_is_fine(&in) && (config->causal || decoder->causal))
        read_generation(files, &in, config->causal ? config : decoder);
    return error->status;
}
