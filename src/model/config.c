#include "headlight/model/config.h"

#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"

#include <math.h>
#include <string.h>

struct reader {
    const cJSON *object;
    const char *source;
    struct error *error;
};

struct size_field {
    const char *name;
    bool required;
    size_t most;
    size_t *value;
};

static enum status read_size(const struct reader *in, const struct size_field *field)
{
    const char *name = field->name;
    bool required = field->required;
    size_t *value = field->value;
    if (required && !json_member(in->object, name))
        return error_set(in->error, STATUS_FORMAT,
                         "%s: expected a field \"%s\", found none; is it a BERT configuration?",
                         in->source, name);
    if (json_read_size(in->object, name, in->source, value, in->error) != STATUS_OK)
        return in->error->status;
    if (*value < 1)
        return error_set(in->error, STATUS_FORMAT, "%s: expected \"%s\" from 1 to %zu, found 0",
                         in->source, name, field->most);
    return STATUS_OK;
}

/* How many numbers the encoder's tensors have, in a double, which no sizes overflow. */
static double count_weights(const struct config *config)
{
    double H = (double)config->hidden, F = (double)config->feed_forward;
    double rows = (double)config->vocabulary + (double)config->positions +
                  (double)config->segments + 2; /* LayerNorm */
    return rows * H +
           (double)config->layers * (4 * H * (H + 1) + F * (H + 1) + H * (F + 1) + 4 * H);
}

/* Before anything is multiplied that a size_t must hold. No type has fewer bytes than F16. */
static enum status check_room(const struct reader *in, const struct config *config)
{
    struct memory_words words;
    if (memory_has(2 * count_weights(config), &words))
        return STATUS_OK;
    return error_set(in->error, STATUS_LIMIT,
                     "%s: expected sizes of a model that fits into memory, found \"vocab_size\" "
                     "%zu, \"hidden_size\" %zu, \"num_hidden_layers\" %zu, \"intermediate_size\" "
                     "%zu, \"max_position_embeddings\" %zu, \"type_vocab_size\" %zu: its weights "
                     "need %s at least, and only %s of memory are free",
                     in->source, config->vocabulary, config->hidden, config->layers,
                     config->feed_forward, config->positions, config->segments, words.needed,
                     words.free);
}

static enum status read_sizes(const struct reader *in, struct config *config)
{
    const struct size_field fields[] = {
        {"vocab_size", true, CONFIG_SIZE_MAX, &config->vocabulary},
        {"hidden_size", true, CONFIG_SIZE_MAX, &config->hidden},
        {"num_hidden_layers", true, CONFIG_LAYERS_MAX, &config->layers},
        {"num_attention_heads", true, CONFIG_HEADS_MAX, &config->heads},
        {"intermediate_size", true, CONFIG_SIZE_MAX, &config->feed_forward},
        {"max_position_embeddings", false, CONFIG_SIZE_MAX, &config->positions},
        {"type_vocab_size", false, CONFIG_SIZE_MAX, &config->segments},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (read_size(in, &fields[i]) != STATUS_OK)
            return in->error->status;
    if (check_room(in, config) != STATUS_OK)
        return in->error->status;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (*fields[i].value > fields[i].most)
            return error_set(in->error, STATUS_LIMIT,
                             "%s: expected \"%s\" from 1 to %zu, found %zu", in->source,
                             fields[i].name, fields[i].most, *fields[i].value);
    if (config->hidden % config->heads != 0)
        return error_set(in->error, STATUS_MISMATCH,
                         "%s: expected \"hidden_size\" to be a multiple of "
                         "\"num_attention_heads\", found %zu and %zu",
                         in->source, config->hidden, config->heads);
    return STATUS_OK;
}

static enum status read_epsilon(const struct reader *in, float *value)
{
    double number = 1e-12;
    if (json_read_number(in->object, "layer_norm_eps", in->source, &number, in->error) != STATUS_OK)
        return in->error->status;
    if (!(number >= 0 && number < 1))
        return error_set(in->error, STATUS_FORMAT,
                         "%s: expected \"layer_norm_eps\" from 0 to below 1, found %g", in->source,
                         number);
    *value = (float)number;
    return STATUS_OK;
}

static enum status read_activation(const struct reader *in, enum activation *activation)
{
    static const char *const names[] = {
        [ACTIVATION_GELU] = "gelu", [ACTIVATION_GELU_NEW] = "gelu_new", [ACTIVATION_RELU] = "relu"};
    const char *found = "gelu";
    if (json_read_string(in->object, "hidden_act", in->source, &found, in->error) != STATUS_OK)
        return in->error->status;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(found, names[i]) == 0) {
            *activation = (enum activation)i;
            return STATUS_OK;
        }
    return error_set(in->error, STATUS_UNSUPPORTED,
                     "%s: expected \"hidden_act\" to be gelu, gelu_new or relu, found \"%.100s\", "
                     "which headlight cannot compute",
                     in->source, found);
}

/* model_type says which network this is. Checkpoints older than the field name a class instead. */
static enum status check_architecture(const struct reader *in)
{
    const char *type = NULL;
    if (json_read_string(in->object, "model_type", in->source, &type, in->error) != STATUS_OK)
        return in->error->status;
    if (type && strcmp(type, "bert") != 0)
        return error_set(in->error, STATUS_UNSUPPORTED,
                         "%s: expected \"model_type\" to be \"bert\", found \"%.100s\"; headlight "
                         "runs BERT encoders only",
                         in->source, type);
    const cJSON *classes = json_member(in->object, "architectures");
    const cJSON *first = cJSON_IsArray(classes) ? classes->child : NULL;
    if (type || !first)
        return STATUS_OK;
    if (!cJSON_IsString(first) || strncmp(first->valuestring, "Bert", 4) != 0)
        return error_set(in->error, STATUS_UNSUPPORTED,
                         "%s: expected \"architectures\" to name a Bert class, found \"%.100s\"; "
                         "headlight runs BERT encoders only",
                         in->source, cJSON_IsString(first) ? first->valuestring : "no string");
    return STATUS_OK;
}

/* Fields that make it another network when they are set. */
static enum status check_variants(const struct reader *in)
{
    static const char *const switches[] = {"is_decoder", "add_cross_attention",
                                           "is_encoder_decoder"};
    const char *position = "absolute";
    if (json_read_string(in->object, "position_embedding_type", in->source, &position, in->error) !=
        STATUS_OK)
        return in->error->status;
    if (strcmp(position, "absolute") != 0)
        return error_set(in->error, STATUS_UNSUPPORTED,
                         "%s: expected \"position_embedding_type\" to be \"absolute\", found "
                         "\"%.100s\", which headlight cannot compute",
                         in->source, position);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        bool set = false;
        if (json_read_bool(in->object, switches[i], in->source, &set, in->error) != STATUS_OK)
            return in->error->status;
        if (set)
            return error_set(in->error, STATUS_UNSUPPORTED,
                             "%s: expected \"%s\" to be false, found true; headlight runs "
                             "encoders only",
                             in->source, switches[i]);
    }
    return STATUS_OK;
}

/* Fields that change which tensors the checkpoint holds, and in which form. */
static enum status check_storage(const struct reader *in)
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
                         "needs the F32, F16 or BF16 checkpoint",
                         in->source,
                         cJSON_IsString(method) ? method->valuestring : "an unnamed method");
    }
    return STATUS_OK;
}

static enum status read_fields(const struct reader *in, struct config *config)
{
    enum status status = check_architecture(in);
    if (status == STATUS_OK)
        status = check_variants(in);
    if (status == STATUS_OK)
        status = check_storage(in);
    if (status == STATUS_OK)
        status = read_sizes(in, config);
    if (status == STATUS_OK)
        status = read_epsilon(in, &config->layer_norm_eps);
    if (status == STATUS_OK)
        status = read_activation(in, &config->activation);
    if (status == STATUS_OK)
        status =
            json_read_bool(in->object, "tie_word_embeddings", in->source, &config->tied, in->error);
    return status;
}

enum status config_parse(const char *text, size_t length, const char *source, struct config *config,
                         struct error *error)
{
    cJSON *object;
    if (json_parse_object(text, length, source, &object, error) != STATUS_OK)
        return error->status;
    /* The defaults of transformers' BertConfig, for the fields that may be left out. */
    *config = (struct config){.positions = 512, .segments = 2, .tied = true};
    struct reader in = {object, source, error};
    enum status status = read_fields(&in, config);
    cJSON_Delete(object);
    return status;
}
