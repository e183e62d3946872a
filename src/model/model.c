/* model.c: opens a checkpoint's folder, or the same files in memory: the configuration first, since
 * every shape follows from it, then the weights. */
#include "headlight/model/model.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/store.h"

#include <stdlib.h>
#include <string.h>

/* The weights point into the store's files, so the three live and end together. */
struct model {
    struct config config;
    struct store *store;
    struct weights weights;
};

/* config_parse, or config_parse_pooling. */
typedef enum status parser(const char *text, size_t length, const char *source,
                           struct config *config, struct error *error);

/* An absent file is skipped unless it is required. */
static enum status read_file(const char *folder, const char *name, bool required, parser *parse,
                             struct config *config, struct error *error)
{
    char *text = NULL;
    size_t length;
    char *path = path_join(folder, name);
    enum status status = STATUS_OK;
    if (!path)
        return error_memory(error, "a file name", strlen(folder));
    if (required || file_named(path)) {
        status = file_read(path, JSON_BYTES_MAX, &text, &length, error);
        if (status == STATUS_OK)
            status = parse(text, length, path, config, error);
    }
    free(text);
    free(path);
    return status;
}

/* Sentence transformers put a second file beside the checkpoint, which says how a sentence's vector
 * is made of its tokens' vectors. Without it the model is said to make none. */
static enum status read_config(const char *folder, struct config *config, struct error *error)
{
    if (read_file(folder, "config.json", true, config_parse, config, error) != STATUS_OK)
        return error->status;
    return read_file(folder, "1_Pooling/config.json", false, config_parse_pooling, config, error);
}

/* store_check comes last: a file that was overwritten meanwhile explains any other error. */
enum status model_open(const char *folder, const struct watch *watch, struct model **result,
                       struct error *error)
{
    *result = NULL;
    if (!file_exists(folder))
        return error_set(error, STATUS_IO,
                         "%s: expected a folder with config.json and model.safetensors, found none",
                         folder);
    struct model *model = memory_new(1, sizeof *model, 0, "the model", error);
    if (!model)
        return error->status;
    enum status status = read_config(folder, &model->config, error);
    if (status == STATUS_OK)
        status = store_open(folder, watch, &model->store, error);
    if (status == STATUS_OK)
        status = store_check(
            model->store, weights_bind(&model->weights, &model->config, model->store, watch, error),
            error);
    if (status == STATUS_OK)
        *result = model;
    else
        model_free(model);
    return status;
}

/* In messages the two ranges are called name/config.json and name/model.safetensors. */
enum status model_from_memory(const char *name, const void *config, size_t config_size,
                              const void *tensors, size_t tensors_size, struct model **result,
                              struct error *error)
{
    struct model *model = memory_new(1, sizeof *model, 0, "the model", error);
    char *config_name = memory_print(error, "%s/config.json", name);
    char *tensors_name = memory_print(error, "%s/model.safetensors", name);
    const bool opened =
        model && config_name && tensors_name &&
        config_parse(config, config_size, config_name, &model->config, error) == STATUS_OK &&
        store_from_memory(tensors_name, tensors, tensors_size, &model->store, error) == STATUS_OK &&
        weights_bind(&model->weights, &model->config, model->store, NULL, error) == STATUS_OK;
    free(config_name);
    free(tensors_name);
    if (!opened)
        model_free(model);
    *result = opened ? model : NULL;
    return opened ? STATUS_OK : error->status;
}

void model_free(struct model *model)
{
    if (!model)
        return;
    weights_free(&model->weights);
    store_close(model->store);
    free(model);
}

const struct config *model_config(const struct model *model)
{
    return &model->config;
}

const struct weights *model_weights(const struct model *model)
{
    return &model->weights;
}

const struct store *model_store(const struct model *model)
{
    return model->store;
}
