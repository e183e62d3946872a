#include "headlight/model/hub.h"

#include "headlight/base/file.h"
#include "headlight/model/hub_cache.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A folder ----------------------------------------------------------------------------- */

/* Takes the last part off a path; "." and "/" stay what they are. */
static const char *take_last(char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        path[--end] = '\0';
    while (end > 0 && path[end - 1] != '/')
        end--;
    if (end == 0 || path[end] == '\0')
        return path;
    path[end - 1] = '\0';
    return path + end;
}

/* What a folder is called: a snapshot's own name is only a commit's. */
static char *title_of(const char *folder)
{
    char *path = strdup(folder);
    if (!path)
        return NULL;
    const char *last = take_last(path), *above = last == path ? "" : take_last(path);
    const char *repository = strcmp(above, "snapshots") == 0 ? take_last(path) : "";
    bool cached = strncmp(repository, HUB_CACHE_REPOSITORY, strlen(HUB_CACHE_REPOSITORY)) == 0;
    char *title = cached ? hub_cache_name(repository) : strdup(last);
    free(path);
    return title;
}

/* ---- A model of the cache ----------------------------------------------------------------- */

struct wanted {
    const char *text;     /* as it was asked for */
    size_t length;        /* of the name in it */
    const char *revision; /* NULL: none was asked for */
};

static struct wanted wanted_of(const char *text)
{
    size_t length = strcspn(text, "@");
    return (struct wanted){text, length, text[length] ? text + length + 1 : NULL};
}

static bool is_wanted(const struct wanted *wanted)
{
    const char *revision = wanted->revision;
    return hub_cache_is_name(wanted->text, wanted->length) &&
           (!revision || hub_cache_is_revision(revision));
}

static enum status missing(const struct wanted *wanted, const char *what, const char *where,
                           struct error *error)
{
    const char *revision = wanted->revision ? wanted->revision : "";
    const char *option = wanted->revision ? " --revision " : "";
    int length = (int)wanted->length;
    return error_set(error, STATUS_IO,
                     "%s: expected %s in %s, found none; to fetch it: hf download %.*s%s%s "
                     "(older: huggingface-cli download %.*s%s%s)",
                     wanted->text, what, where, length, wanted->text, option, revision, length,
                     wanted->text, option, revision);
}

/* Whether a repository is that of ANY/name. */
static bool has_name(const char *repository, const struct wanted *wanted)
{
    const char *org = repository + strlen(HUB_CACHE_REPOSITORY), *mark = strstr(org, "--");
    return mark && hub_cache_is_name(org, (size_t)(mark - org)) &&
           strlen(mark + 2) == wanted->length &&
           strncmp(mark + 2, wanted->text, wanted->length) == 0;
}

/* The repository of ANY/name, in new memory; NULL when there is none. */
static enum status find_any(const char *cache, const struct wanted *wanted, char **repository,
                            struct error *error)
{
    struct dirent **entries;
    int count = hub_cache_repositories(cache, &entries), found = 0, last = 0;
    *repository = NULL;
    for (int i = 0; i < count; i++)
        if (has_name(entries[i]->d_name, wanted)) {
            found++;
            last = i;
        }
    enum status status = STATUS_OK;
    if (found > 1)
        status = error_set(error, STATUS_USAGE,
                           "%s: expected one model of that name in %s, found %d: say whose "
                           "(ORG/%s); headlight --models lists them",
                           wanted->text, cache, found, wanted->text);
    else if (found == 1 && !(*repository = strdup(entries[last]->d_name)))
        status = error_memory(error, "a file name", wanted->length);
    hub_cache_free_entries(entries, count);
    return status;
}

static enum status find_repository(const char *cache, const struct wanted *wanted,
                                   char **repository, struct error *error)
{
    *repository = hub_cache_repository(wanted->text, wanted->length);
    char *path = *repository ? path_join(cache, *repository) : NULL;
    if (!path)
        return error_memory(error, "a file name", strlen(cache) + wanted->length);
    bool exists = file_is_folder(path);
    free(path);
    if (exists)
        return STATUS_OK;
    free(*repository);
    *repository = NULL;
    enum status status = STATUS_OK;
    if (!memchr(wanted->text, '/', wanted->length))
        status = find_any(cache, wanted, repository, error);
    if (status != STATUS_OK)
        return status;
    return *repository
               ? STATUS_OK
               : missing(wanted, "a folder of that name or a model (headlight --models lists them)",
                         cache, error);
}

/* `name` is whole, so that what is said of it can be fetched. */
static enum status find_whole_snapshot(const char *repository, const char *name, char **folder,
                                       struct error *error)
{
    const struct wanted wanted = wanted_of(name);
    const char *revision = wanted.revision ? "a snapshot of that revision" : "a snapshot";
    if (hub_cache_snapshot(repository, wanted.revision, folder, error) != STATUS_OK)
        return error->status;
    if (!*folder)
        return missing(&wanted, revision, repository, error);
    const char *lack = hub_cache_lacking(*folder);
    return lack ? missing(&wanted, lack, *folder, error) : STATUS_OK;
}

/* "org/name@revision" in new memory, or NULL. */
static char *title_with(const char *repository, const char *revision)
{
    char *name = hub_cache_name(repository);
    size_t size = name && revision ? strlen(name) + strlen(revision) + 2 : 0;
    char *title = size ? malloc(size) : name;
    if (title && size)
        snprintf(title, size, "%s@%s", name, revision);
    if (size)
        free(name);
    return title;
}

static enum status find_cached(const struct wanted *wanted, struct hub_place *place,
                               struct error *error)
{
    char *cache = NULL, *repository = NULL, *path = NULL;
    enum status status = hub_cache(&cache, error);
    if (status == STATUS_OK)
        status = find_repository(cache, wanted, &repository, error);
    if (status != STATUS_OK)
        goto done;
    path = path_join(cache, repository);
    place->name = title_with(repository, wanted->revision);
    status = path && place->name ? find_whole_snapshot(path, place->name, &place->folder, error)
                                 : error_memory(error, "a file name", strlen(cache));
done:
    free(cache);
    free(repository);
    free(path);
    return status;
}

enum status hub_find(const char *name, struct hub_place *place, struct error *error)
{
    struct wanted wanted = wanted_of(name);
    *place = (struct hub_place){0};
    if (!file_is_folder(name) && is_wanted(&wanted)) {
        if (find_cached(&wanted, place, error) != STATUS_OK)
            hub_place_free(place);
        return place->folder ? STATUS_OK : error->status;
    }
    place->folder = strdup(name);
    place->name = title_of(name);
    if (place->folder && place->name)
        return STATUS_OK;
    hub_place_free(place);
    return error_memory(error, "a name", strlen(name));
}

void hub_place_free(struct hub_place *place)
{
    free(place->folder);
    free(place->name);
    *place = (struct hub_place){0};
}
