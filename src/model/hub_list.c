/* hub_list.c: lists the models of the hub's cache, with the reason for those that can't be
 * opened. Only configurations and the headers of weights are read, because a cache holds many
 * gigabytes. */
#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/model/family.h"
#include "headlight/model/hub.h"
#include "headlight/tensor/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether there are weights in a format that headlight reads. */
static bool is_readable(const char *snapshot)
{
    static const char *const weights[] = {"model.safetensors", "model.safetensors.index.json"};
    return hub_has_any(snapshot, weights, sizeof weights / sizeof *weights);
}

static bool has_tokenizer(const char *snapshot)
{
    static const char *const tokenizers[] = {
        "tokenizer.json",          "vocab.txt", "vocab.json", "spiece.model",
        "sentencepiece.bpe.model", "spm.model"};
    return hub_has_any(snapshot, tokenizers, sizeof tokenizers / sizeof *tokenizers);
}

/* For an unsupported family the type alone is a sufficient reason. */
static enum status parse_config(const char *text, size_t length, struct hub_model *model,
                                struct error *error)
{
    cJSON *object;
    const char *source = "config.json", *type = NULL;
    if (json_parse_object(text, length, source, &object, error) != STATUS_OK)
        return error->status;
    enum status status = json_read_string(object, "model_type", source, &type, error);
    if (status == STATUS_OK && type && !family_of_type(type))
        status = error_set(error, STATUS_UNSUPPORTED,
                           "%.40s: not a kind of model that headlight runs", type);
    else if (status == STATUS_OK)
        status = config_parse(text, length, source, &model->config, error);
    model->family = status == STATUS_OK ? model->config.family->name : NULL;
    cJSON_Delete(object);
    return status;
}

static enum status read_config(const char *snapshot, struct hub_model *model, struct error *error)
{
    char *text;
    size_t length;
    char *path = path_join(snapshot, "config.json");
    if (!path)
        return error_memory(error, "a file name", strlen(snapshot));
    enum status status = file_read(path, JSON_BYTES_MAX, &text, &length, error);
    free(path);
    if (status != STATUS_OK)
        return status;
    status = parse_config(text, length, model, error);
    free(text);
    return status;
}

static enum status read_weights(const char *snapshot, struct hub_model *model, struct error *error)
{
    struct store *store;
    if (!is_readable(snapshot))
        return error_set(error, STATUS_UNSUPPORTED,
                         "pytorch_model.bin only; --model says how to convert it");
    if (store_open(snapshot, NULL, &store, error) != STATUS_OK)
        return error->status;
    model->bytes = store_bytes(store);
    store_close(store);
    return has_tokenizer(snapshot) ? STATUS_OK : error_set(error, STATUS_IO, "no tokenizer");
}

static enum status examine(const char *snapshot, struct hub_model *model, struct error *error)
{
    const char *lack = hub_lacks(snapshot);
    if (lack)
        return error_set(error, STATUS_IO, "no %s", lack);
    if (read_config(snapshot, model, error) != STATUS_OK)
        return error->status;
    return read_weights(snapshot, model, error);
}

/* Shortens a message by the path of the snapshot. */
static const char *without(const char *message, const char *folder)
{
    size_t length = strlen(folder);
    bool begins = strncmp(message, folder, length) == 0 && message[length] == '/';
    return begins ? message + length + 1 : message;
}

/* *snapshot is NULL or to be freed by the caller. */
static enum status look_into(const char *path, struct hub_model *model, char **snapshot,
                             struct error *why)
{
    *snapshot = NULL;
    if (!hub_is_name(model->name, strlen(model->name)))
        return error_set(why, STATUS_FORMAT, "not a name of the hub");
    if (hub_snapshot(path, NULL, snapshot, why) != STATUS_OK)
        return why->status;
    return *snapshot ? examine(*snapshot, model, why) : error_set(why, STATUS_IO, "no snapshot");
}

/* A faulty model is listed with its reason; only running out of memory fails the list. */
static enum status add_model(struct hub_list *list, const char *repository, struct error *error)
{
    struct hub_model *model = &list->model[list->count];
    char *snapshot, *path = path_join(list->cache, repository);
    *model = (struct hub_model){.name = hub_name_of(repository)};
    if (!path || !model->name) {
        free(path);
        free(model->name);
        return error_memory(error, "the list of models", strlen(repository));
    }
    list->count++;
    enum status status = look_into(path, model, &snapshot, error);
    if (status != STATUS_OK)
        format_cut(model->why, sizeof model->why, "%s",
                   without(error->message, snapshot ? snapshot : path));
    free(snapshot);
    free(path);
    return status == STATUS_MEMORY ? status : STATUS_OK;
}

enum status hub_list(struct hub_list *list, struct error *error)
{
    struct dirent **entries;
    *list = (struct hub_list){0};
    if (hub_cache(&list->cache, error) != STATUS_OK)
        return error->status;
    int count = hub_repositories(list->cache, &entries);
    if (count < 0)
        return errno == ENOENT ? STATUS_OK
                               : error_set(error, STATUS_IO, "%s: cannot be read: %s", list->cache,
                                           strerror(errno));
    enum status status = STATUS_OK;
    list->model = calloc((size_t)count + 1, sizeof *list->model);
    if (!list->model)
        status = error_memory(error, "the list of models", (size_t)count * sizeof *list->model);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = add_model(list, entries[i]->d_name, error);
    hub_free_entries(entries, count);
    return status;
}

void hub_list_free(struct hub_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->model[i].name);
    free(list->model);
    free(list->cache);
    *list = (struct hub_list){0};
}
