/* hub.c: finds a model by its name in the Hugging Face hub's local cache, and lists all of them.
 * Names come from the command line and become paths, so names that could lead out of the cache are
 * rejected. For the list only configurations and the headers of weights are read, because a cache
 * holds many gigabytes. */
#include "headlight/model/hub.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/model/family.h"
#include "headlight/tensor/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define REPOSITORY "models--" /* begins the name of a repository's folder */
#define REF_LIMIT  ((size_t)4096)

/* ---- Names -------------------------------------------------------------------------------- */

/* Only letters, digits and the given marks, and no ".." or empty part. */
static bool is_plain_part(const char *text, size_t length, const char *marks)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i], before = i > 0 ? text[i - 1] : '/';
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        bool mark = c != '\0' && strchr(marks, c);
        if (!letter && (!mark || (before == '/' && c != '_') || (before == '.' && c == '.')))
            return false;
    }
    return length > 0 && text[length - 1] != '/';
}

/* Whether it is "name" or "org/name" and can't lead out of a folder. "--" stands for the slash in
 * folder names, so no name contains it. */
static bool is_hub_name(const char *name, size_t length)
{
    size_t slashes = 0;
    if (!is_plain_part(name, length, "-_./"))
        return false;
    for (size_t i = 0; i < length; i++) {
        slashes += name[i] == '/';
        if (i > 0 && name[i] == '-' && name[i - 1] == '-')
            return false;
    }
    return slashes <= 1;
}

/* ---- What is asked for --------------------------------------------------------------------- */

/* What the user asks for. */
struct query {
    const char *text;
    size_t length;        /* of the name, without the revision */
    const char *revision; /* NULL: none given */
    struct error *error;
};

/* "name@revision": no name of the hub has an @, so the first one ends it. */
static struct query query_of(const char *text, struct error *error)
{
    const size_t length = strcspn(text, "@");
    return (struct query){text, length, text[length] ? text + length + 1 : NULL, error};
}

/* Whether it may be looked up. A revision becomes a path too: refs/pr/3 has slashes, but may not
 * begin with one or contain "..". */
static bool is_query(const struct query *query)
{
    const char *revision = query->revision;
    return is_hub_name(query->text, query->length) &&
           (!revision || is_plain_part(revision, strlen(revision), "-_./"));
}

/* The folder's name of a repository, allocated. */
static char *repository_of(const struct query *query)
{
    const char *slash = memchr(query->text, '/', query->length);
    const int first = (int)(slash ? (size_t)(slash - query->text) : query->length);
    const int rest = slash ? (int)query->length - first - 1 : 0;
    return memory_print(query->error, REPOSITORY "%.*s%s%.*s", first, query->text,
                        slash ? "--" : "", rest, slash ? slash + 1 : "");
}

/* "org/name" for such a folder's name, with "@revision" if there is one, allocated. It is not
 * always a valid name. */
static char *title_of_repository(const char *repository, const char *revision, struct error *error)
{
    const char *name = repository + strlen(REPOSITORY), *mark = strstr(name, "--");
    return memory_print(error, "%.*s%s%s%s%s", (int)(mark ? (size_t)(mark - name) : strlen(name)),
                        name, mark ? "/" : "", mark ? mark + 2 : "", revision ? "@" : "",
                        revision ? revision : "");
}

/* ---- The cache ---------------------------------------------------------------------------- */

enum status hub_cache(char **cache, struct error *error)
{
    static const char *const places[][2] = {{"HF_HUB_CACHE", ""},
                                            {"HF_HOME", "/hub"},
                                            {"XDG_CACHE_HOME", "/huggingface/hub"},
                                            {"HOME", "/.cache/huggingface/hub"}};
    *cache = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *folder = getenv(places[i][0]);
        size_t length = folder ? strlen(folder) : 0;
        while (length > 1 && folder[length - 1] == '/')
            length--;
        if (length == 0)
            continue;
        *cache = memory_print(error, "%.*s%s", (int)length, folder, places[i][1]);
        return *cache ? STATUS_OK : error->status;
    }
    return error_set(error, STATUS_IO,
                     "the hub's cache: expected HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME or HOME in "
                     "the environment to say where it is, found none");
}

/* Data sets and spaces lie in the same cache, as datasets--… and spaces--…. */
static int is_repository(const struct dirent *entry)
{
    return strncmp(entry->d_name, REPOSITORY, strlen(REPOSITORY)) == 0;
}

/* The names of all repositories, sorted, and their number; negative on failure, with errno. */
static int scan_cache(const char *cache, struct dirent ***entries)
{
    *entries = NULL;
    return scandir(cache, entries, is_repository, alphasort);
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* ---- From a repository to a snapshot ------------------------------------------------------ */

/* The commit in a file of refs, allocated; NULL, with the error set, if it holds none. */
static char *read_ref(const char *path, struct error *error)
{
    char *text;
    size_t length;
    if (file_read(path, REF_LIMIT, &text, &length, error) != STATUS_OK)
        return NULL;
    while (length > 0 && text[length - 1] != '\0' && strchr(" \t\r\n", text[length - 1]))
        length--;
    text[length] = '\0';
    if (is_plain_part(text, length, "-_."))
        return text;
    size_t before = strlen(text);
    if (before < length)
        error_write(error, STATUS_FORMAT, "%s: expected the name of a commit, found a NUL at [%zu]",
                    path, before);
    else
        error_write(error, STATUS_FORMAT, "%s: expected the name of a commit, found \"%.100s\"",
                    path, text);
    free(text);
    return NULL;
}

static int is_not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The name of the only snapshot, allocated; NULL where there are none or several. */
static char *only_snapshot(const char *repository, struct error *error)
{
    struct dirent **entries = NULL;
    char *folder = memory_print(error, "%s/snapshots", repository);
    int count = folder ? scandir(folder, &entries, is_not_hidden, NULL) : 0;
    char *name = count == 1 ? memory_print(error, "%s", entries[0]->d_name) : NULL;
    free_entries(entries, count);
    free(folder);
    return name;
}

/* The snapshot of a revision, or if that is NULL, of "main" or else the only one, allocated: a
 * model downloaded by its commit has no file in refs. *folder is NULL, without an error, when there
 * is none. `repository` is the folder's path. */
static enum status find_snapshot(const char *repository, const char *revision, char **folder,
                                 struct error *error)
{
    error->status = STATUS_OK;
    char *ref = memory_print(error, "%s/refs/%s", repository, revision ? revision : "main");
    char *commit = NULL;
    if (ref && file_exists(ref))
        commit = read_ref(ref, error);
    else if (ref)
        commit = revision ? memory_print(error, "%s", revision) : only_snapshot(repository, error);
    *folder = commit ? memory_print(error, "%s/snapshots/%s", repository, commit) : NULL;
    free(ref);
    free(commit);
    if (*folder && !file_is_folder(*folder)) {
        free(*folder);
        *folder = NULL;
    }
    return error->status;
}

/* What a checkpoint may be made of; the first two are weights that headlight reads. */
static const char *const weights_files[] = {"model.safetensors", "model.safetensors.index.json",
                                            "pytorch_model.bin", "pytorch_model.bin.index.json"};
static const char *const tokenizer_files[] = {"tokenizer.json", "vocab.txt",
                                              "vocab.json",     "spiece.model",
                                              "spm.model",      "sentencepiece.bpe.model"};

/* Whether any of the files is in the folder. A dangling link, left by an interrupted download, does
 * not count. */
static bool has_any(const char *folder, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (file_lies_in(folder, names[i]))
            return true;
    return false;
}

/* The file that an interrupted download has left out; NULL: none. Only checks names. */
static const char *missing_file(const char *snapshot)
{
    if (!file_lies_in(snapshot, "config.json"))
        return "config.json";
    return has_any(snapshot, weights_files, 4) ? NULL : weights_files[0];
}

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

/* A folder's title. A snapshot's folder is named after a commit, so its repository's name is
 * used. */
static char *title_of(const char *folder, struct error *error)
{
    char *path = memory_print(error, "%s", folder);
    if (!path)
        return NULL;
    const char *last = take_last(path), *above = last == path ? "" : take_last(path);
    const char *repository = strcmp(above, "snapshots") == 0 ? take_last(path) : "";
    bool cached = strncmp(repository, REPOSITORY, strlen(REPOSITORY)) == 0;
    char *title =
        cached ? title_of_repository(repository, NULL, error) : memory_print(error, "%s", last);
    free(path);
    return title;
}

/* ---- A model of the cache ----------------------------------------------------------------- */

/* Both names of the downloader are given: older installations have only the second. The command can
 * be copied as it stands, since a name has no characters that mean something to a shell. */
static enum status report_missing(const struct query *query, const char *what, const char *where)
{
    const char *revision = query->revision ? query->revision : "";
    const char *option = query->revision ? " --revision " : "";
    int length = (int)query->length;
    return error_set(query->error, STATUS_IO,
                     "%s: expected %s in %s, found none; to fetch it: hf download %.*s%s%s "
                     "(older: huggingface-cli download %.*s%s%s)",
                     query->text, what, where, length, query->text, option, revision, length,
                     query->text, option, revision);
}

/* Whether a repository is ANY/name. */
static bool has_name(const char *repository, const struct query *query)
{
    const char *org = repository + strlen(REPOSITORY), *mark = strstr(org, "--");
    return mark && is_hub_name(org, (size_t)(mark - org)) && strlen(mark + 2) == query->length &&
           strncmp(mark + 2, query->text, query->length) == 0;
}

/* The repository ANY/name, allocated; NULL, with an error, when there is none or several. */
static char *find_any(const char *cache, const struct query *query)
{
    struct dirent **entries;
    int count = scan_cache(cache, &entries), found = 0;
    char *repository = NULL;
    const char *last = NULL;
    for (int i = 0; i < count; i++)
        if (has_name(entries[i]->d_name, query)) {
            found++;
            last = entries[i]->d_name;
        }
    if (found == 1)
        repository = memory_print(query->error, "%s", last);
    else if (found > 1)
        error_write(query->error, STATUS_USAGE,
                    "%s: expected one model of that name in %s, found %d: say whose (ORG/%s); "
                    "headlight --models lists them",
                    query->text, cache, found, query->text);
    else
        report_missing(query, "a folder of that name or a model (headlight --models lists them)",
                       cache);
    free_entries(entries, count);
    return repository;
}

/* The folder's name of the repository that is meant, allocated; NULL with an error. An exact
 * match comes first, as some names ("gpt2") have no organisation. */
static char *find_repository(const char *cache, const struct query *query)
{
    char *repository = repository_of(query);
    if (!repository || file_lies_in(cache, repository))
        return repository;
    free(repository);
    return find_any(cache, query);
}

/* The place's name includes the organisation, so that the command in the message works. */
static enum status find_whole_snapshot(const char *repository, struct hub_place *place,
                                       struct error *error)
{
    const struct query query = query_of(place->name, error);
    const char *revision = query.revision ? "a snapshot of that revision" : "a snapshot";
    if (find_snapshot(repository, query.revision, &place->folder, error) != STATUS_OK)
        return error->status;
    if (!place->folder)
        return report_missing(&query, revision, repository);
    const char *lack = missing_file(place->folder);
    return lack ? report_missing(&query, lack, place->folder) : STATUS_OK;
}

/* May leave the place filled in partly: hub_find frees it after an error. */
static enum status find_cached(const struct query *query, struct hub_place *place)
{
    char *cache;
    if (hub_cache(&cache, query->error) != STATUS_OK)
        return query->error->status;
    char *repository = find_repository(cache, query);
    char *path = repository ? memory_print(query->error, "%s/%s", cache, repository) : NULL;
    if (path)
        place->name = title_of_repository(repository, query->revision, query->error);
    enum status status =
        place->name ? find_whole_snapshot(path, place, query->error) : query->error->status;
    free(cache);
    free(repository);
    free(path);
    return status;
}

/* ---- Finding one --------------------------------------------------------------------------- */

enum status hub_find(const char *name, struct hub_place *place, struct error *error)
{
    const struct query query = query_of(name, error);
    enum status status = STATUS_OK;
    *place = (struct hub_place){0};
    if (!file_is_folder(name) && is_query(&query))
        status = find_cached(&query, place);
    else if (!(place->folder = memory_print(error, "%s", name)) ||
             !(place->name = title_of(name, error)))
        status = error->status;
    if (status != STATUS_OK)
        hub_place_free(place);
    return status;
}

void hub_place_free(struct hub_place *place)
{
    free(place->folder);
    free(place->name);
    *place = (struct hub_place){0};
}

/* ---- All models of the cache -------------------------------------------------------------- */

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
    char *path = memory_print(error, "%s/config.json", snapshot);
    enum status status =
        !path ? STATUS_MEMORY : file_read(path, JSON_BYTES_MAX, &text, &length, error);
    free(path);
    if (status != STATUS_OK)
        return status;
    status = parse_config(text, length, model, error);
    free(text);
    return status;
}

/* Reads the headers only, as store_open maps the files. Weights come before the tokenizer, because
 * a missing tokenizer is the rarer fault. */
static enum status read_weights(const char *snapshot, struct hub_model *model, struct error *error)
{
    struct store *store;
    if (!has_any(snapshot, weights_files, 2))
        return error_set(error, STATUS_UNSUPPORTED,
                         "pytorch_model.bin only; --model says how to convert it");
    if (store_open(snapshot, NULL, &store, error) != STATUS_OK)
        return error->status;
    model->bytes = store_bytes(store);
    store_close(store);
    return has_any(snapshot, tokenizer_files, 6) ? STATUS_OK
                                                 : error_set(error, STATUS_IO, "no tokenizer");
}

/* Says in a few words why a snapshot can't be opened, or fills in the model. */
static enum status examine(const char *snapshot, struct hub_model *model, struct error *error)
{
    const char *lack = missing_file(snapshot);
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
    if (!is_hub_name(model->name, strlen(model->name)))
        return error_set(why, STATUS_FORMAT, "not a name of the hub");
    if (find_snapshot(path, NULL, snapshot, why) != STATUS_OK)
        return why->status;
    return *snapshot ? examine(*snapshot, model, why) : error_set(why, STATUS_IO, "no snapshot");
}

/* A faulty model is listed with its reason; only running out of memory fails the list. */
static enum status add_model(struct hub_list *list, const char *repository, struct error *error)
{
    struct hub_model *model = &list->model[list->count];
    char *snapshot, *path = memory_print(error, "%s/%s", list->cache, repository);
    if (!path || !(model->name = title_of_repository(repository, NULL, error))) {
        free(path);
        return error->status;
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

/* A cache that doesn't exist is an empty one: nothing was downloaded yet. Any other failure, such
 * as a folder without permission, is reported. */
enum status hub_list(struct hub_list *list, struct error *error)
{
    struct dirent **entries;
    *list = (struct hub_list){0};
    if (hub_cache(&list->cache, error) != STATUS_OK)
        return error->status;
    int count = scan_cache(list->cache, &entries);
    if (count < 0)
        return errno == ENOENT ? STATUS_OK
                               : error_set(error, STATUS_IO, "%s: cannot be read: %s", list->cache,
                                           strerror(errno));
    list->model = memory_new((size_t)count, sizeof *list->model, 0, "the list of models", error);
    enum status status = list->model ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = add_model(list, entries[i]->d_name, error);
    free_entries(entries, count);
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
