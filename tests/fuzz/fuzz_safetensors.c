/* A weights file: its header, and what is said when it is taken for the tiny checkpoint's. */
#include "fuzz.h"

#include "headlight/base/file.h"
#include "headlight/tensor/safetensors.h"

#include <string.h>

/* Where a sanitizer sees it. */
static void read_byte(const unsigned char *byte)
{
    (void)*(const volatile unsigned char *)byte;
}

static void look_at(const struct safetensors *file, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < safetensors_count(file); i++) {
        const struct tensor *tensor = safetensors_at(file, i);
        promise(safetensors_find(file, tensor->name) == tensor);
        promise(tensor->rank <= TENSOR_RANK_MAX);
        promise(tensor->data >= data && tensor->size <= (size_t)(data + size - tensor->data));
        if (tensor->size > 0) {
            read_byte(tensor->data);
            read_byte(tensor->data + tensor->size - 1);
        }
    }
    const char *tokens = safetensors_metadata(file, "tokens");
    promise(!tokens || strlen(tokens) <= size);
}

static void take_for_weights(const uint8_t *data, size_t size)
{
    static char *config;
    static size_t length;
    struct error error;
    struct model *model;
    if (!config)
        promise(file_read(FUZZ_CONFIG, 4096, &config, &length, &error) == STATUS_OK);
    if (model_from_memory("fuzz", config, length, data, size, &model, &error) == STATUS_OK)
        model_free(model);
    else
        promise(error.message[0] != '\0');
}

void fuzz_safetensors(const uint8_t *data, size_t size)
{
    struct safetensors *file;
    struct error error;
    if (safetensors_parse(data, size, "fuzz", &file, &error) == STATUS_OK)
        look_at(file, data, size);
    safetensors_free(file);
    take_for_weights(data, size);
}
