/* config.json; sizes that are accepted must fit each other and be refused, by weights of no tensor,
 * in a sentence. */
#include "../opening.h"
#include "fuzz.h"

#include "headlight/model/family_entries.h"
#include "headlight/model/forward.h"
#include "headlight/model/labels.h"
#include "headlight/model/operations.h"
#include "headlight/model/relation.h"

#include <math.h>

static void look_at_positions(const struct config *config)
{
    size_t first;
    promise(config->positions > 0 && config->positions <= CONFIG_SIZE_MAX);
    promise(config->longest > 0 && config->longest <= config->positions);
    promise(!config->past_padding || config->padding + config->longest < config->positions);
    promise(!config->rotary || config->hidden / config->heads % 2 == 0);
    for (size_t i = 0; config->rotary && i < 2; i++)
        promise(config->rotations[i].theta >= 1 && isfinite(config->rotations[i].theta));
    if (config->relation == RELATION_NONE)
        return;
    const ptrdiff_t farthest = (ptrdiff_t)config->longest - 1;
    for (ptrdiff_t distance = 1; distance <= farthest; distance *= 2) {
        promise(relation_row(config, distance) < config->relative_rows);
        promise(relation_row(config, -distance) < config->relative_rows);
    }
    if (config->relation == RELATION_DISENTANGLED)
        promise(relation_rows(config, config->longest, &first) + first <= config->relative_rows);
}

static void look_at(const struct config *config)
{
    promise(config->heads > 0 && config->heads <= CONFIG_HEADS_MAX);
    promise(config->hidden > 0 && config->hidden % config->heads == 0);
    promise(config->layers > 0 && config->layers <= CONFIG_LAYERS_MAX);
    promise(config->groups <= config->layers);
    promise(config->vocabulary > 0 && config->vocabulary <= CONFIG_SIZE_MAX);
    promise(config->embedding <= CONFIG_SIZE_MAX && config->segments <= CONFIG_SIZE_MAX);
    promise(config->feed_forward > 0 && config->feed_forward <= CONFIG_SIZE_MAX);
    promise(config->kernel < 100);
    promise(config->layer_norm_eps >= 0 && isfinite(config->layer_norm_eps));
    promise(operations_cost(config, config->longest, 0) > 0);
    look_at_positions(config);
}

/* Of a classifier: as many names as are counted, none of them empty. */
static void look_at_labels(const char *text, size_t size)
{
    struct labels labels;
    struct error error;
    cJSON *object;
    if (json_parse_object(text, size, "fuzz", &object, &error) != STATUS_OK)
        return;
    const struct json_reader in = json_reader(object, "fuzz", &error);
    if (labels_read(&in, &labels) == STATUS_OK)
        promise(labels.count > 0 && labels.count <= LABELS_MAX);
    for (size_t i = 0; i < labels.count; i++)
        promise(labels.names[i][0] != '\0');
    labels_free(&labels);
    cJSON_Delete(object);
}

void fuzz_config(const uint8_t *data, size_t size)
{
    static const unsigned char nothing[] = {2, 0, 0, 0, 0, 0, 0, 0, '{', '}'};
    struct config config;
    struct error error;
    struct model *model;
    if (config_parse((const char *)data, size, &config, &error) == STATUS_OK)
        look_at(&config);
    look_at_labels((const char *)data, size);
    promise(model_from_memory("fuzz", data, size, nothing, sizeof nothing, &model, &error) !=
            STATUS_OK);
    promise(error.message[0] != '\0');
}
