/* config_reader.h: reads single fields of a config.json, with defaults for optional ones. All
 * return the error's status; messages name the file, the field, what was expected and what was
 * found. */
#ifndef HEADLIGHT_MODEL_CONFIG_READER_H
#define HEADLIGHT_MODEL_CONFIG_READER_H

#include "headlight/base/json.h"
#include "headlight/tensor/kernels.h"

#include <stddef.h>

struct config_reader {
    const cJSON *object;
    const char *source;
    struct error *error;
};

/* An integer from `least` to `most`; if it is absent or null, *value is unchanged. */
enum status config_read_size(const struct config_reader *in, const char *name, size_t least,
                             size_t most, size_t *value);

/* A finite number of at least 1. */
enum status config_read_base(const struct config_reader *in, const char *name, double *value);

/* A member that is an object, or a list; NULL if absent. */
enum status config_read_object(const struct config_reader *in, const char *name,
                               const cJSON **object);
enum status config_read_list(const struct config_reader *in, const char *name, const cJSON **list);

/* The activation that a field names; if it is absent, that of `name_or`. */
enum status config_read_activation(const struct config_reader *in, const char *name,
                                   const char *name_or, enum activation *activation);

#endif
