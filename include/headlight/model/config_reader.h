/* config_reader.h: the fields of a config.json, one at a time, with the defaults of those that may
 * be left out. All return the error's status; the sentences name file, field, what was expected and
 * what was found. */
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

/* A whole number from `least` to `most`; absent or null, *value stays what it is. */
enum status config_read_size(const struct config_reader *in, const char *name, size_t least,
                             size_t most, size_t *value);

/* A number that is finite and at least 1. */
enum status config_read_base(const struct config_reader *in, const char *name, double *value);

/* Another object in it, NULL where there is none, and a list. */
enum status config_read_object(const struct config_reader *in, const char *name,
                               const cJSON **object);
enum status config_read_list(const struct config_reader *in, const char *name, const cJSON **list);

/* The function that a field names; absent, it is that of `name_or`. */
enum status config_read_activation(const struct config_reader *in, const char *name,
                                   const char *name_or, enum activation *activation);

#endif
