#include "headlight/model/family.h"

#include "headlight/model/config.h"

#include <string.h>

#define FAMILY_COUNT 10

static const struct family *const families[FAMILY_COUNT] = {
    &family_bert,   &family_distilbert, &family_roberta,    &family_xlm_roberta, &family_electra,
    &family_albert, &family_mpnet,      &family_modernbert, &family_deberta,     &family_gpt2,
};

const struct family *family_at(size_t index)
{
    return index < FAMILY_COUNT ? families[index] : NULL;
}

const struct family *family_of_type(const char *type)
{
    const struct family *family;
    for (size_t i = 0; (family = family_at(i)); i++)
        if (strcmp(family->type, type) == 0)
            return family;
    return NULL;
}

const struct family *family_of_class(const char *name)
{
    const struct family *family;
    for (size_t i = 0; (family = family_at(i)); i++)
        if (strncmp(family->class, name, strlen(family->class)) == 0)
            return family;
    return NULL;
}

size_t family_extent(const struct config *config, char axis)
{
    static const char letters[] = "VEPSHFARK12";
    const size_t sizes[] = {
        config->vocabulary,
        config_embedding(config),
        config->positions,
        config->segments,
        config->hidden,
        config->feed_forward,
        config->heads,
        config->relative_rows,
        config->kernel,
        1,
        2,
    };
    return sizes[strchr(letters, axis) - letters];
}
