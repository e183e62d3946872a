/* config.c: reads config.json. The fields that every family has are read here, a family's own by
 * the function in its record. A field that would change the arithmetic in an unsupported way is
 * refused by name, so that nothing is silently computed wrongly. */
#include "headlight/model/config.h"

#include "headlight/base/memory.h"
#include "headlight/model/family_entries.h"
#include "headlight/model/relatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields ------------------------------------------------------------------------------- */

enum status config_read_size(const struct config_reader *in, const char *name, size_t least,
                             size_t most, size_t *value)
{
    size_t found = *value;
    if (json_read_size(in->object, name, in->source, &found, in->error) != STATUS_OK)
        return in->error->status;
    if (json_member(in->object, name) && (found < least || found > most))
        return error_set(in->error, found < least ? STATUS_FORMAT : STATUS_LIMIT,
                         "%s: expected \"%s\" from %zu to %zu, found %zu", in->source, name, least,
                         most, found);
    *value = found;
    return STATUS_OK;
}

enum status config_read_item(const struct config_reader *in, const char *name,
                             cJSON_bool (*is_kind)(const cJSON *), const char *kind,
                             const cJSON **item)
{
    *item = json_member(in->object, name);
    if (!*item || is_kind(*item))
        return STATUS_OK;
    return error_set(in->error, STATUS_FORMAT, "%s: expected %s for \"%s\", found another value",
                     in->source, kind, name);
}

enum status config_read_activation(const struct config_reader *in, const char *name,
                                   const char *name_or, enum activation *activation)
{
    static const char *const names[] = {ACTIVATIONS(ACTIVATION_CONFIGURED)};
    static const char *const others[][2] = {{"gelu_python", "gelu"},
                                            {"gelu_pytorch_tanh", "gelu_new"},
                                            {"gelu_fast", "gelu_new"},
                                            {"swish", "silu"}};
    const char *found = name_or;
    size_t index = 0;
    if (json_read_string(in->object, name, in->source, &found, in->error) != STATUS_OK)
        return in->error->status;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        found = strcmp(found, others[i][0]) == 0 ? others[i][1] : found;
    if (json_find_name(found, names, sizeof names / sizeof *names, name, in->source, &index,
                       in->error) != STATUS_OK)
        return in->error->status;
    *activation = (enum activation)index;
    return STATUS_OK;
}

enum status config_expect(const struct config_reader *in, const char *name, const char *otherwise,
                          const char *expected)
{
    const char *found = otherwise;
    if (json_read_string(in->object, name, in->source, &found, in->error) != STATUS_OK)
        return in->error->status;
    if (strcmp(found, expected) == 0)
        return STATUS_OK;
    return error_set(in->error, STATUS_UNSUPPORTED,
                     "%s: expected \"%s\" to be \"%s\", found \"%.100s\", which headlight cannot "
                     "compute",
                     in->source, name, expected, found);
}

enum status config_read_base(const struct config_reader *in, const char *name, double *theta)
{
    if (json_read_number(in->object, name, in->source, theta, in->error) != STATUS_OK)
        return in->error->status;
    if (*theta >= 1 && isfinite(*theta))
        return STATUS_OK;
    return error_set(in->error, STATUS_FORMAT,
                     "%s: expected \"%s\" to be a number of at least 1, found %g", in->source, name,
                     *theta);
}

enum status config_read_rotation(const struct config_reader *in, const char *name, double *theta)
{
    struct config_reader parameters = *in;
    enum status status =
        config_read_item(in, name, cJSON_IsObject, "an object", &parameters.object);
    if (status == STATUS_OK)
        status = config_expect(&parameters, "rope_type", "default", "default");
    return status == STATUS_OK ? config_read_base(&parameters, "rope_theta", theta) : status;
}

/* A switch for which headlight supports one value only. The message says what it does run, because
 * the field's name alone often tells a user little. */
static enum status check_flag(const struct config_reader *in, const struct config_flag *flag)
{
    bool found = flag->otherwise;
    if (json_read_bool(in->object, flag->name, in->source, &found, in->error) != STATUS_OK)
        return in->error->status;
    if (found == flag->expected)
        return STATUS_OK;
    return error_set(in->error, STATUS_UNSUPPORTED,
                     "%s: expected \"%s\" to be %s, found %s; headlight runs %s", in->source,
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

static enum status read_size_field(const struct config_reader *in, const struct family *family,
                                   const struct size_field *field)
{
    const char *name = field->name;
    if (!name)
        return STATUS_OK;
    if (field->required && !json_member(in->object, name))
        return error_set(in->error, STATUS_FORMAT,
                         "%s: expected a field \"%s\", found none; is it a configuration of %s?",
                         in->source, name, family->name);
    if (json_read_size(in->object, name, in->source, field->value, in->error) != STATUS_OK)
        return in->error->status;
    if (*field->value < 1)
        return error_set(in->error, STATUS_FORMAT, "%s: expected \"%s\" from 1 to %zu, found 0",
                         in->source, name, field->most);
    return STATUS_OK;
}

/* GPT-2's n_inner is optional and read by the family itself. */
static const char *name_of_feed_forward(const struct config_keys *keys)
{
    return keys->feed_forward ? keys->feed_forward : "n_inner";
}

/* Checked before sizes are multiplied as size_t. Every type has at least the two bytes of F16. */
static enum status check_weights_memory(const struct config_reader *in, const struct config *config)
{
    const struct config_keys *keys = &config->family->keys;
    struct memory_words words;
    if (memory_has(2 * family_weights(config), &words))
        return STATUS_OK;
    return error_set(in->error, STATUS_LIMIT,
                     "%s: expected sizes of a model that fits into memory, found \"vocab_size\" "
                     "%zu, \"%s\" %zu, \"%s\" %zu, \"%s\" %zu, \"%s\" %zu, \"type_vocab_size\" "
                     "%zu: its weights need %s at least, and only %s of memory are free",
                     in->source, config->vocabulary, keys->hidden, config->hidden, keys->layers,
                     config->layers, name_of_feed_forward(keys), config->feed_forward,
                     keys->positions, config->positions, config->segments, words.needed,
                     words.free);
}

static enum status read_sizes(const struct config_reader *in, struct config *config)
{
    const struct config_keys *keys = &config->family->keys;
    const bool segmentless = config->relative && config->relative->segmentless;
    const char *segments = segmentless ? NULL : keys->segments;
    const struct size_field fields[] = {
        {"vocab_size", true, CONFIG_SIZE_MAX, &config->vocabulary},
        {keys->hidden, true, CONFIG_SIZE_MAX, &config->hidden},
        {keys->layers, true, CONFIG_LAYERS_MAX, &config->layers},
        {keys->heads, true, CONFIG_HEADS_MAX, &config->heads},
        {keys->feed_forward, true, CONFIG_SIZE_MAX, &config->feed_forward},
        {keys->positions, false, CONFIG_SIZE_MAX, &config->positions},
        {segments, false, CONFIG_SIZE_MAX, &config->segments},
    };
    config->segments = segments ? 2 : 0; /* transformers' default */
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (read_size_field(in, config->family, &fields[i]) != STATUS_OK)
            return in->error->status;
    config->rotations[0] = config->family->theta;
    if ((config->family->theta > 0 &&
         (config_read_rotation(in, "rope_parameters", config->rotations) != STATUS_OK ||
          config_read_base(in, "rotary_emb_base", config->rotations) != STATUS_OK)) ||
        (config->family->read && config->family->read(in, config) != STATUS_OK) ||
        check_weights_memory(in, config) != STATUS_OK)
        return in->error->status;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (*fields[i].value > fields[i].most)
            return error_set(in->error, STATUS_LIMIT,
                             "%s: expected \"%s\" from 1 to %zu, found %zu", in->source,
                             fields[i].name ? fields[i].name : name_of_feed_forward(keys),
                             fields[i].most, *fields[i].value);
    /* every head has D = H/A dimensions */
    if (config->hidden % config->heads != 0)
        return error_set(in->error, STATUS_MISMATCH,
                         "%s: expected \"%s\" to be a multiple of \"%s\", found %zu and %zu",
                         in->source, keys->hidden, keys->heads, config->hidden, config->heads);
    /* a plane of rotation takes dimensions m and m + D/2 */
    if (config->rotary && config->hidden / config->heads % 2 != 0)
        return error_set(in->error, STATUS_MISMATCH,
                         "%s: expected heads of an even number of dimensions, as rotary positions "
                         "need, found %zu",
                         in->source, config->hidden / config->heads);
    return STATUS_OK;
}

/* The longest text: some families number positions from behind the padding's. */
static enum status read_longest(const struct config_reader *in, struct config *config)
{
    config->longest = config->positions;
    if (!config->past_padding)
        return STATUS_OK;
    config->padding = 1; /* transformers' RobertaConfig */
    if (config_read_size(in, "pad_token_id", 0, CONFIG_SIZE_MAX, &config->padding) != STATUS_OK)
        return in->error->status;
    if (config->padding + 1 >= config->positions)
        return error_set(in->error, STATUS_MISMATCH,
                         "%s: expected \"pad_token_id\" to leave positions behind it of the %zu "
                         "that there are, found %zu",
                         in->source, config->positions, config->padding);
    config->longest -= config->padding + 1;
    return STATUS_OK;
}

/* Published values lie between 1e-12 and 1e-5; 1 or more would be a misread field. */
static enum status read_epsilon(const struct config_reader *in, struct config *config)
{
    const char *name = config->family->keys.epsilon;
    double number = config->family->epsilon > 0 ? config->family->epsilon : 1e-12;
    if (name && json_read_number(in->object, name, in->source, &number, in->error) != STATUS_OK)
        return in->error->status;
    if (!(number >= 0 && number < 1))
        return error_set(in->error, STATUS_FORMAT,
                         "%s: expected \"%s\" from 0 to below 1, found %g", in->source, name,
                         number);
    config->layer_norm_eps = (float)number;
    return STATUS_OK;
}

/* ---- Which network ------------------------------------------------------------------------ */

/* What the family decides whatever its configurations say; read_sizes and the family's own function
 * may still change the rest. 512 positions are what transformers assumes for BERT. */
static void take_family(const struct family *family, struct config *config)
{
    config->positions = family->positions > 0 ? family->positions : 512;
    config->norm_before = family->norm_before;
    config->gated = family->gated;
    config->rotary = family->rotary;
    config->causal = family->causal;
    config->past_padding = family->past_padding;
}

/* Fields that turn the network into one headlight does not compute. */
static enum status check_variants(const struct config_reader *in, const struct config *config)
{
    const struct family *family = config->family;
    static const struct config_flag flags[] = {
        {"is_decoder", false, false, "encoders only"},
        {"add_cross_attention", false, false, "encoders only"},
        {"is_encoder_decoder", false, false, "encoders only"},
    };
    if (!family->rotary &&
        config_expect(in, "position_embedding_type", "absolute", "absolute") != STATUS_OK)
        return in->error->status;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (check_flag(in, &flags[i]) != STATUS_OK)
            return in->error->status;
    for (size_t i = 0; i < FAMILY_FLAGS_MAX && family->flags[i].name; i++)
        if (check_flag(in, &family->flags[i]) != STATUS_OK)
            return in->error->status;
    return config->relative && config->relative->flag.name ? check_flag(in, &config->relative->flag)
                                                           : STATUS_OK;
}

/* Fields that change which tensors the checkpoint holds, and in which form. */
static enum status check_storage(const struct config_reader *in)
{
    const cJSON *pruned = json_member(in->object, "pruned_heads");
    if (pruned && (!(cJSON_IsObject(pruned) || cJSON_IsArray(pruned)) || pruned->child))
        return error_set(in->error, STATUS_UNSUPPORTED,
                         "%s: expected \"pruned_heads\" to be empty, found %s%s%s; headlight needs "
                         "the checkpoint before its heads were pruned",
                         in->source, pruned->child && pruned->child->string ? "layer " : "some",
                         pruned->child && pruned->child->string ? pruned->child->string : "",
                         pruned->child && pruned->child->string ? " in it" : "");
    const cJSON *quantised = json_member(in->object, "quantization_config");
    if (quantised) {
        const cJSON *method = json_member(quantised, "quant_method");
        return error_set(in->error, STATUS_UNSUPPORTED,
                         "%s: expected no \"quantization_config\", found \"%.100s\"; headlight "
                         "needs the checkpoint before that",
                         in->source,
                         cJSON_IsString(method) ? method->valuestring : "an unnamed method");
    }
    return STATUS_OK;
}

/* Fields of other networks, most of them of code that comes with a checkpoint whose model_type is
 * known. They may say what is so without them. */
static enum status check_foreign(const struct config_reader *in, const struct config *config)
{
    static const char *const names[] = {"attention_head_size",
                                        "head_dim",
                                        "num_key_value_heads",
                                        "sliding_window",
                                        "rotary_emb_base",
                                        "rotary_emb_fraction",
                                        "alibi_starting_size",
                                        "attn_logit_softcapping",
                                        "causal",
                                        "feed_forward_type",
                                        "final_logit_softcapping",
                                        "parallel_block",
                                        "num_experts",
                                        "num_local_experts",
                                        "prenorm",
                                        "rope_scaling",
                                        "rotary_emb_interleaved",
                                        "rotary_scaling_factor",
                                        "scale_embedding",
                                        "use_parallel_residual",
                                        "use_qk_norm",
                                        "use_rms_norm",
                                        "use_sliding_window"};
    const size_t width = config->hidden / config->heads;
    const size_t neutral[sizeof names / sizeof *names] = {
        width,         width, config->heads, config->reach, (size_t)fmin(config->rotations[0], 1e9),
        config->rotary}; /* 0: or false */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cJSON *item = (cJSON *)json_member(in->object, names[i]);
        char found[64];
        size_t number;
        if (!item || cJSON_IsFalse(item) || (json_is_size(item, &number) && number == neutral[i]))
            continue;
        return error_set(
            in->error, STATUS_UNSUPPORTED,
            "%s: expected no \"%s\", found %s; headlight runs a %s without it", in->source,
            names[i],
            cJSON_PrintPreallocated(item, found, sizeof found, false) ? found : "another value",
            config->family->name);
    }
    return STATUS_OK;
}

/* The order matters: the family first, as it says what the fields are called; what is refused
 * altogether before any size; then the sizes, from which the others follow. */
static enum status read_config_fields(const struct config_reader *in, const char *by_hand,
                                      struct config *config)
{
    if (family_find(in, by_hand, config) != STATUS_OK)
        return in->error->status;
    const struct family *family = config->family;
    take_family(family, config);
    if (check_variants(in, config) != STATUS_OK || check_storage(in) != STATUS_OK ||
        config_read_activation(in, family->keys.activation,
                               family->activation ? family->activation : "gelu",
                               &config->activation) != STATUS_OK)
        return in->error->status;
    config->head_activation = family->head_gelu ? ACTIVATION_GELU : config->activation;
    if (read_sizes(in, config) != STATUS_OK || read_longest(in, config) != STATUS_OK ||
        read_epsilon(in, config) != STATUS_OK || check_foreign(in, config) != STATUS_OK)
        return in->error->status;
    return json_read_bool(in->object, "tie_word_embeddings", in->source, &config->tied, in->error);
}

enum status config_read(const struct files *files, const char *family, struct config *config,
                        struct file_text *file, struct error *error)
{
    if (files_read_object(files, "config.json", true, file, error) != STATUS_OK)
        return error->status;
    *config = (struct config){.tied = true}; /* as transformers has it */
    return read_config_fields(&(struct config_reader){file->json, file->path, error}, family,
                              config);
}
