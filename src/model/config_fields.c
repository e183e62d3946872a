/* config_fields.c: single fields of config.json, which whoever reads a family's or every family's
 * asks for; and what it says of rotary positions and of layers. */
#include "headlight/base/size.h"
#include "headlight/model/family_entries.h"
#include "headlight/model/relation.h"

size_t config_size(const struct json_reader *in, const char *name, size_t least, size_t most,
                   size_t otherwise)
{
    const size_t found = json_size(in, name, otherwise);
    if (json_member(in->object, name) && (found < least || found > most))
        json_refuse(in, found < least ? STATUS_FORMAT : STATUS_LIMIT,
                    "expected \"%s\" from %zu to %zu, found %zu", name, least, most, found);
    return found;
}

enum activation config_activation(const struct json_reader *in, const char *name,
                                  const char *name_or)
{
    return config_activation_of(in, name, name ? json_string(in, name, name_or) : name_or);
}

enum activation config_activation_of(const struct json_reader *in, const char *name,
                                     const char *found)
{
    static const char *const names[] = {ACTIVATIONS(ACTIVATION_CONFIGURED)};
    static const char *const others[][2] = {{"gelu_python", "gelu"},
                                            {"gelu_pytorch_tanh", "gelu_new"},
                                            {"gelu_fast", "gelu_new"},
                                            {"swish", "silu"}};
    for (size_t i = 0; i < LENGTH(others); i++)
        found = strcmp(found, others[i][0]) == 0 ? others[i][1] : found;
    return (enum activation)json_choose(in, name, found, names, LENGTH(names));
}

/* ---- Rotary positions --------------------------------------------------------------------- */

double config_base(const struct json_reader *in, const char *name, double otherwise)
{
    const double theta = json_number(in, name, otherwise);
    if (!(theta >= 1 && isfinite(theta)))
        json_refuse(in, STATUS_FORMAT, "expected \"%s\" to be a number of at least 1, found %g",
                    name, theta);
    return theta;
}

double config_above(const struct json_reader *in, const char *name, double above, double otherwise)
{
    const double number = json_number(in, name, otherwise);
    if (!(number > above && number <= 1e9))
        json_refuse(in, STATUS_FORMAT, "expected \"%s\" to be a number above %g, found %g", name,
                    above, number);
    return number;
}

/* Peng et al. 2023, "YaRN", 3.2: the plane that turns β times over the n positions of training. */
static double plane_of(const struct config *config, const struct rotation *rotation, double turns)
{
    return (double)relation_rotated(config) * log(rotation->original / (2 * acos(-1) * turns)) /
           (2 * log(rotation->theta));
}

/* Of texts no longer than the model's positions, and there are no others, a dynamic one is plain.
 */
void config_rotation(const struct json_reader *in, const char *name, double theta,
                     const struct config *config, struct rotation *rotation)
{
    static const char *const kinds[] = {"default", "linear", "llama3", "yarn", "dynamic"};
    const struct json_reader of = json_inner(in, name);
    const char *type = json_string(&of, "rope_type", json_string(&of, "type", NULL));
    if (of.object && !type && (json_member(of.object, "factor") || strstr(name, "scaling")))
        json_refuse(in, STATUS_FORMAT, "expected a \"rope_type\" in \"%s\", found none", name);
    const size_t kind = json_choose(&of, "rope_type", type ? type : *kinds, kinds, LENGTH(kinds));
    *rotation = (struct rotation){.theta = config_base(&of, "rope_theta", theta), .stretch = 1};
    if (kind > ROPE_YARN || kind == ROPE_DEFAULT)
        return;
    const size_t n =
        config_size(&of, "original_max_position_embeddings", 1, CONFIG_SIZE_MAX, config->positions);
    rotation->kind = (enum rope)kind;
    rotation->original = (double)n;
    rotation->factor = config_above(&of, "factor", 0, 0);
    if (kind == ROPE_LLAMA3) {
        rotation->low = config_above(&of, "low_freq_factor", 0, 0);
        rotation->high = config_above(&of, "high_freq_factor", rotation->low, 0);
    } else if (kind == ROPE_YARN) {
        /* transformers has read these fields in three ways; this is that of 5.x, and the paper's */
        const double s = rotation->factor, length = 0.1 * log(s);
        const double scale = json_number(&of, "mscale", 0),
                     all = json_number(&of, "mscale_all_dim", 0);
        rotation->low = plane_of(config, rotation, config_above(&of, "beta_fast", 0, 32));
        rotation->high = plane_of(config, rotation, config_above(&of, "beta_slow", 0, 1));
        if (json_bool(&of, "truncate", true)) {
            rotation->low = floor(rotation->low);
            rotation->high = ceil(rotation->high);
        }
        rotation->low = fmax(rotation->low, 0);
        rotation->high = fmin(rotation->high, (double)relation_rotated(config) - 1);
        if (!(rotation->low < rotation->high) && !(rotation->low > rotation->high))
            rotation->high += 0.001;
        rotation->stretch = config_above(
            &of, "attention_factor", 0,
            scale > 0 && all > 0 ? (length * scale + 1) / (length * all + 1) : length + 1);
    }
}

/* Newer ones as "rope_parameters": {"full_attention": {"rope_type": …, "rope_theta": …}, …}. */
void config_rotations(const struct json_reader *in, const char *const names[2],
                      const double thetas[2], const char *scaling, struct config *config)
{
    static const char *const kinds[] = {"full_attention", "sliding_attention"};
    const struct json_reader newer = json_inner(in, "rope_parameters");
    for (size_t i = 0; i < 2; i++) {
        const bool scaled = i == 0 && scaling && !newer.object;
        config_rotation(scaled ? in : &newer, scaled ? scaling : kinds[i],
                        config_base(in, names[i], thetas[i]), config, &config->rotations[i]);
    }
}

/* ---- Layers ------------------------------------------------------------------------------- */

void config_layers(const struct json_reader *in, struct config *config)
{
    const cJSON *types = json_item(in, "layer_types", cJSON_IsArray, "a list"), *type;
    size_t l = 0;
    cJSON_ArrayForEach(type, types)
    {
        const char *name = cJSON_IsString(type) ? type->valuestring : "no string";
        bool local = strcmp(name, "sliding_attention") == 0;
        if (!local && strcmp(name, "full_attention") != 0)
            json_refuse(in, STATUS_UNSUPPORTED,
                        "expected \"layer_types\" to name full_attention or sliding_attention, "
                        "found \"%.100s\"",
                        name);
        if (l < CONFIG_LAYERS_MAX) /* l is not checked yet */
            config->local[l] = local;
        l++;
    }
    if (types && l != config->layers)
        json_refuse(in, STATUS_MISMATCH,
                    "expected \"layer_types\" to have one entry for each of the %zu layers, found "
                    "%zu",
                    config->layers, l);
}
