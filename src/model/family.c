/* family.c: the table of families, which of them a configuration is of, and the sizes of their
 * tensors. Each family's record is in a family_*.c. */
#include "headlight/model/family.h"

#include "headlight/base/nearest.h"

/* clang-format off */
const struct family *const all_families[] = {
    &family_bert, &family_distilbert, &family_roberta, &family_xlm_roberta, &family_electra,
    &family_albert, &family_mpnet, &family_modernbert, &family_deberta, &family_deberta_first,
    &family_jina, &family_nomic, &family_nomic_published, &family_esm, &family_eurobert,
    &family_llama, &family_mistral, &family_gpt2,
    &family_qwen2, &family_qwen3, &family_gemma2, &family_gemma3, &family_gemma3_nested, &family_neox,
    &family_bart, &family_marian, &family_t5, &family_mt5, &family_umt5,
    &family_relatives[0], &family_relatives[1], &family_relatives[2], &family_relatives[3],
    &family_relatives[4], &family_relatives[5], &family_relatives[6], &family_relatives[7], NULL,
};
/* clang-format on */

/* Those of one type follow each other, or the family of which they are. */
const char *family_type(size_t index)
{
    for (size_t i = 0; all_families[i]; i++)
        if ((i == 0 || strcmp(all_families[i]->type, all_families[i - 1]->type) != 0) &&
            index-- == 0)
            return all_families[i]->type;
    return NULL;
}

/* There are few, so loops go over them. */
const struct family *family_of_type(const char *type)
{
    for (size_t i = 0; all_families[i]; i++)
        if (strcmp(all_families[i]->type, type) == 0)
            return all_families[i];
    return NULL;
}

enum status family_check(const char *type, struct error *error)
{
    struct nearest nearest = nearest_to(type);
    const char *name;
    if (family_of_type(type))
        return STATUS_OK;
    for (size_t i = 0; (name = family_type(i)); i++)
        nearest_offer(&nearest, name);
    error_write(error, STATUS_USAGE, "--family: expected %s, found \"%s\"", nearest_names(&nearest),
                type);
    return nearest_suggest(&nearest, error);
}

/* ---- The family of a configuration -------------------------------------------------------- */

/* "Roberta" of RobertaModel and RobertaForMaskedLM, not of RobertaPreLayerNormModel. */
static bool is_class(const char *name, const char *prefix)
{
    static const char *const rests[] = {"For", "Model", "LM", "DoubleHeads", "Encoder", "Decoder"};
    const size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
        if (strncmp(name + length, rests[i], strlen(rests[i])) == 0)
            return true;
    return name[length] == '\0';
}

/* Whether another of the same type is meant: that of the configuration's class, or whose names its
 * fields have. */
static bool suits(const struct json_reader *in, const char *class, const struct family *family,
                  const struct family *other)
{
    const struct config_keys *keys = &other->keys;
    return (is_class(class, other->class) && !is_class(class, family->class)) ||
           (strcmp(keys->hidden, family->keys.hidden) != 0 &&
            (json_member(in->object, keys->hidden) || json_member(in->object, keys->layers)));
}

const struct family *family_find(const struct json_reader *in, const char *by_hand)
{
    const char *named = json_string(in, "model_type", NULL), *type = by_hand ? by_hand : named;
    const cJSON *classes = json_member(in->object, "architectures");
    const cJSON *first = cJSON_IsArray(classes) ? classes->child : NULL;
    const cJSON *padding = json_member(in->object, "pad_token_id");
    const char *class = !first ? "" : cJSON_IsString(first) ? first->valuestring : "no string";
    const struct family *found = NULL;
    for (size_t i = 0; json_is_fine(in) && all_families[i]; i++)
        if ((type ? strcmp(all_families[i]->type, type) == 0
                  : is_class(class, all_families[i]->class)) &&
            (!found || suits(in, class, found, all_families[i])))
            found = all_families[i];
    if (!found && (type || first)) {
        /* what kind of network it is, as far as its configuration says; and the ways out: recorded
         * attention of any model, and the family by hand where it may be one */
        const char *kind = cJSON_IsTrue(json_member(in->object, "is_encoder_decoder"))
                               ? "an encoder-decoder, "
                           : strstr(class, "ForCausalLM") ? "a decoder, "
                                                          : "";
        json_refuse(
            in, STATUS_UNSUPPORTED,
            "expected \"%s\" to be of a family that \"headlight help family\" lists, found "
            "\"%.100s\", %swhich headlight does not run: record its attention in Python and "
            "show that: headlight FILE (recordings.md tells how)%s",
            type ? "model_type" : "architectures", type ? type : class, kind,
            *kind ? ""
                  : ", or if its tensors and arithmetic are those of a family, name that "
                    "one with --family NAME");
    } else if (!found && padding && padding->valuedouble > 0)
        /* RoBERTa numbers positions otherwise, and its padding has another id than the oldest
         * BERTs', which say nothing */
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected a \"model_type\", found none: say which family it is with --family "
                    "NAME");
    return found || !json_is_fine(in) ? found : &family_bert;
}

size_t family_extent(const struct config *config, char axis)
{
    static const char letters[] = "VEPSHFARKCDQG12enksohcpawrfublvy";
    const size_t D = config_dimensions(config);
    const size_t H = config->hidden;
    const size_t sizes[] = {config->vocabulary,
                            config_embedding(config),
                            config->placed ? config->positions : 0,
                            config->segments,
                            H,
                            config->feed_forward,
                            config->heads,
                            config->relative_rows,
                            config->kernel,
                            config->labels,
                            D,
                            config->heads * D,
                            config_key_heads(config) * D,
                            1,
                            2,
                            config->embedding > 0 ? H : 0,
                            config->relative_norm ? H : 0,
                            config->kernel > 0 ? H : 0,
                            config->shared_relation ? H : 0,
                            config->shared_relation ? 0 : H,
                            H,
                            config->content_position ? H : 0,
                            config->position_content ? H : 0,
                            config->layers * config->heads,
                            config->norm_words ? H : 0,
                            config->rotary ? D / 2 : 0,
                            config->gated ? config->feed_forward : 0,
                            config->gated ? 0 : config->feed_forward,
                            config->own_relations ? 0 : config->relative_rows,
                            config->own_relations ? config->relative_rows : 0,
                            config->vocabulary,
                            config->positions};
    return sizes[strchr(letters, axis) - letters];
}

size_t family_rank(const struct tensor_entry *entry)
{
    return strcspn(entry->axes, "+");
}

void family_layer(const struct config *config, size_t layer, char *prefix, size_t size)
{
    const struct family *family = config->family;
    snprintf(prefix, size, "%s%zu%s", family->layer_prefix,
             config->groups > 0 ? layer * config->groups / config->layers : layer,
             family->layer_infix ? family->layer_infix : ".");
}

const char *family_switch(const struct config *config, const struct tensor_entry *entry)
{
    switch (entry->axes[family_rank(entry)] ? entry->axes[family_rank(entry) + 1] : '+') {
    case 'a':
        return config->attention_bias ? NULL : "attention_bias";
    case 'm':
        return config->mlp_bias ? NULL : "mlp_bias";
    case '-':
        return "model_type";
    default:
        return NULL;
    }
}

double family_numbers(const struct config *config, const struct tensor_entry *entry)
{
    double numbers = 1;
    for (size_t i = 0; i < family_rank(entry); i++)
        numbers *= (double)family_extent(config, entry->axes[i]);
    return numbers;
}

static double numbers_of_list(const struct config *config, const struct tensor_list *list)
{
    double numbers = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].axes[0] != 's') /* those are counted under another letter */
            numbers += family_numbers(config, &list->entries[i]);
    return numbers;
}

/* Layers of a group share their weights, so they count once. */
double family_weights(const struct config *config)
{
    const struct family *family = config->family;
    const double layers = (double)(config->groups > 0 ? config->groups : config->layers);
    return numbers_of_list(config, &family->whole) +
           layers * (numbers_of_list(config, &family->layer) +
                     numbers_of_list(config, &family->later_layer));
}
