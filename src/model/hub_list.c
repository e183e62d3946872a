/* hub_list.c: all models of the hub's cache. Only configurations and the headers of weights are
 * read, because a cache holds many gigabytes. */
#include "headlight/model/hub.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/model/foreign.h"
#include "headlight/model/hub_parts.h"
#include "headlight/model/relatives.h"
#include "headlight/model/sentence.h"
#include "headlight/tensor/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static enum status read_config(const char *snapshot, const struct store *store,
                               struct hub_model *model, struct error *error)
{
    const struct family_hint hint = {NULL, store};
    struct text text;
    enum status status = config_open(snapshot, &hint, &model->config, &text, error);
    free((char *)text.bytes);
    if (status == STATUS_OK)
        model->family = family_title(&model->config);
    else if (status == STATUS_UNSUPPORTED && !model->config.family)
        error_set(error, status, "of no kind that headlight runs; --model says more");
    return status;
}

/* Reads the headers only, as store_open maps the files. A missing tokenizer is said last, as it is
 * the rarer fault. */
static enum status read_files(const char *snapshot, struct hub_model *model, struct error *error)
{
    struct store *store = NULL;
    enum status status = hub_has_weights(snapshot)
                             ? store_open(snapshot, NULL, &store, error)
                             : error_set(error, STATUS_UNSUPPORTED,
                                         "pytorch_model.bin only; --model says how to convert it");
    if (status == STATUS_OK)
        status = read_config(snapshot, store, model, error);
    model->bytes = store ? store_bytes(store) : 0;
    store_close(store);
    return status != STATUS_OK || hub_has_tokenizer(snapshot)
               ? status
               : error_set(error, STATUS_IO, "no tokenizer");
}

/* Says in a few words why a snapshot can't be opened, or fills in the model. */
static enum status examine(const char *snapshot, struct hub_model *model, struct error *error)
{
    const char *lack = hub_missing_file(snapshot);
    const struct foreign *foreign = lack ? foreign_in(snapshot) : NULL;
    if (foreign)
        return error_set(error, STATUS_UNSUPPORTED, "%s; --model says what can be done",
                         foreign_title(foreign));
    if (lack)
        return error_set(error, STATUS_IO, "no %s", lack);
    char *encoder = sentence_encoder(snapshot);
    enum status status = read_files(encoder ? encoder : snapshot, model, error);
    free(encoder);
    return status;
}

/* *snapshot is NULL or to be freed by the caller. */
static enum status look_into(const char *path, struct hub_model *model, char **snapshot,
                             struct error *why)
{
    *snapshot = NULL;
    if (!hub_is_name(model->name, strlen(model->name)))
        return error_set(why, STATUS_FORMAT, "not a name of the hub");
    if (hub_find_snapshot(path, NULL, snapshot, why) != STATUS_OK)
        return why->status;
    return *snapshot ? examine(*snapshot, model, why) : error_set(why, STATUS_IO, "no snapshot");
}

/* A faulty model is listed with its reason; only running out of memory fails the list. */
static enum status add_model(struct hub_list *list, const char *cache, const char *repository,
                             struct error *error)
{
    struct hub_model *model = &list->model[list->count];
    char *snapshot, *path = memory_print(error, "%s/%s", cache, repository);
    if (!path || !(model->name = hub_title_of(repository, NULL, error))) {
        free(path);
        return error->status;
    }
    list->count++;
    enum status status = look_into(path, model, &snapshot, error);
    if (status != STATUS_OK)
        format_cut(model->why, sizeof model->why, "%s",
                   path_within(error->message, snapshot ? snapshot : path));
    free(snapshot);
    free(path);
    return status == STATUS_MEMORY ? status : STATUS_OK;
}

/* A cache that doesn't exist is an empty one: nothing was downloaded yet. Any other failure, such
 * as a folder without permission, is reported. */
static enum status add_cache(struct hub_list *list, const char *cache, struct error *error)
{
    struct dirent **entries;
    int count = hub_scan(cache, &entries);
    if (count < 0)
        return errno == ENOENT
                   ? STATUS_OK
                   : error_set(error, STATUS_IO, "%s: cannot be read: %s", cache, strerror(errno));
    struct hub_model *models =
        realloc(list->model, (list->count + (size_t)count + 1) * sizeof *list->model);
    enum status status = models ? STATUS_OK
                                : error_memory(error, "the list of models",
                                               (list->count + (size_t)count) * sizeof *models);
    list->model = models ? models : list->model;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        list->model[list->count] = (struct hub_model){0};
        status = add_model(list, cache, entries[i]->d_name, error);
    }
    hub_free_entries(entries, count);
    return status;
}

enum status hub_list(struct hub_list *list, struct error *error)
{
    struct hub_caches caches;
    *list = (struct hub_list){0};
    if (hub_find_caches(&caches, error) != STATUS_OK)
        return error->status;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < caches.count && status == STATUS_OK; i++)
        status = add_cache(list, caches.path[i], error);
    list->cache = caches.path[0];
    caches.path[0] = NULL;
    hub_caches_free(&caches);
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
