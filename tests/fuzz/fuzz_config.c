/* config.json; sizes that are accepted must fit each other and be refused, by weights of no tensor,
 * in a sentence. */
#include "fuzz.h"

#include "headlight/model/forward.h"

#include <math.h>

void fuzz_config(const uint8_t *data, size_t size)
{
    static const unsigned char nothing[] = {2, 0, 0, 0, 0, 0, 0, 0, '{', '}'};
    struct config config;
    struct error error;
    struct model *model;
    if (config_parse((const char *)data, size, "fuzz", &config, &error) == STATUS_OK) {
        promise(config.heads > 0 && config.heads <= CONFIG_HEADS_MAX);
        promise(config.hidden > 0 && config.hidden % config.heads == 0);
        promise(config.layers > 0 && config.layers <= CONFIG_LAYERS_MAX);
        promise(config.vocabulary > 0 && config.vocabulary <= CONFIG_SIZE_MAX);
        promise(config.positions > 0 && config.feed_forward > 0 && config.segments > 0);
        promise(config.layer_norm_eps >= 0 && isfinite(config.layer_norm_eps));
        promise(forward_cost(&config, config.positions) > 0);
    }
    promise(model_from_memory("fuzz", data, size, nothing, sizeof nothing, &model, &error) !=
            STATUS_OK);
    promise(error.message[0] != '\0');
}
