/* family.c: the table of families, and the sizes of their tensors. Each family's record is in a
 * family_*.c. */
#include "headlight/model/family.h"

#include "headlight/model/config.h"
#include "headlight/model/family_entries.h"

#include <string.h>

static const struct family *const families[] = {
    &family_bert,    &family_distilbert, &family_roberta, &family_xlm_roberta,
    &family_electra, &family_albert,     &family_mpnet,   &family_modernbert,
    &family_deberta, &family_gpt2,       &family_nomic,   NULL,
};

const struct family *family_at(size_t index)
{
    return families[index];
}

/* There are few, so loops go over them. */
const struct family *family_of_type(const char *type)
{
    const struct family *family;
    for (size_t i = 0; (family = family_at(i)); i++)
        if (strcmp(family->type, type) == 0)
            return family;
    return NULL;
}

size_t family_extent(const struct config *config, char axis)
{
    static const char letters[] = "VEPSHFARKC12enkso";
    const size_t H = config->hidden;
    const size_t sizes[] = {config->vocabulary,
                            config_embedding(config),
                            config->positions,
                            config->segments,
                            H,
                            config->feed_forward,
                            config->heads,
                            config->relative_rows,
                            config->kernel,
                            config->labels,
                            1,
                            2,
                            config->embedding > 0 ? H : 0,
                            config->relative_norm ? H : 0,
                            config->kernel > 0 ? H : 0,
                            config->shared_relation ? H : 0,
                            config->shared_relation ? 0 : H};
    return sizes[strchr(letters, axis) - letters];
}

double family_numbers(const struct config *config, const struct tensor_entry *entry)
{
    double numbers = 1;
    for (const char *axis = entry->axes; *axis; axis++)
        numbers *= (double)family_extent(config, *axis);
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
