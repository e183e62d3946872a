#include "headlight/model/hub.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/model/family.h"
#include "headlight/tensor/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define REPOSITORY "models--"
#define REF_LIMIT  ((size_t)4096)

/* Checked by name only: opening the checkpoint reads them. */
static const char *const weights[] = {"model.safetensors", "model.safetensors.index.json",
                                      "pytorch_model.bin", "pytorch_model.bin.index.json"};
#define SAFE_COUNT    2 /* of them are in the format that headlight reads */
#define WEIGHTS_COUNT (sizeof weights / sizeof *weights)
static const char *const tokenizers[] = {
    "tokenizer.json",          "vocab.txt", "vocab.json", "spiece.model",
    "sentencepiece.bpe.model", "spm.model",
};
#define TOKENIZER_COUNT (sizeof tokenizers / sizeof *tokenizers)

/* ---- Names -------------------------------------------------------------------------------- */

/* Letters, digits and the marks, and no way out of a folder. */
static bool is_plain(const char *text, size_t length, const char *marks)
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

/* "name" or "org/name". In a folder's name "--" stands for the slash. */
static bool is_name(const char *name, size_t length)
{
    size_t slashes = 0;
    if (!is_plain(name, length, "-_./"))
        return false;
    for (size_t i = 0; i < length; i++) {
        slashes += name[i] == '/';
        if (i > 0 && name[i] == '-' && name[i - 1] == '-')
            return false;
    }
    return slashes <= 1;
}

/* "models--org--name" for "org/name", in new memory. */
static char *repository_of(const char *name, size_t length)
{
    char *repository = malloc(strlen(REPOSITORY) + length + 2), *to = repository;
    if (!repository)
        return NULL;
    strcpy(to, REPOSITORY);
    to += strlen(REPOSITORY);
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '/')
            *to++ = '-';
        *to++ = name[i] == '/' ? '-' : name[i];
    }
    *to = '\0';
    return repository;
}

/* The way back; no name where the folder has none. */
static char *name_of(const char *repository)
{
    const char *rest = repository + strlen(REPOSITORY), *mark = strstr(rest, "--");
    char *name = strdup(rest);
    if (name && mark) {
        name[mark - rest] = '/';
        memmove(name + (mark - rest) + 1, mark + 2, strlen(mark + 2) + 1);
    }
    return name;
}

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
    bool cached = strncmp(repository, REPOSITORY, strlen(REPOSITORY)) == 0;
    char *title = cached ? name_of(repository) : strdup(last);
    free(path);
    return title;
}

/* ---- The cache ---------------------------------------------------------------------------- */

enum status hub_cache(char **cache, struct error *error)
{
    static const struct {
        const char *variable, *rest;
    } places[] = {{"HF_HUB_CACHE", ""},
                  {"HF_HOME", "hub"},
                  {"XDG_CACHE_HOME", "huggingface/hub"},
                  {"HOME", ".cache/huggingface/hub"}};
    *cache = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *folder = getenv(places[i].variable);
        if (!folder || !*folder)
            continue;
        *cache = *places[i].rest ? path_join(folder, places[i].rest) : strdup(folder);
        return *cache ? STATUS_OK : error_memory(error, "the hub's cache", strlen(folder));
    }
    return error_set(error, STATUS_IO,
                     "the hub's cache: expected HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME or HOME in "
                     "the environment to say where it is, found none");
}

static int is_repository(const struct dirent *entry)
{
    return strncmp(entry->d_name, REPOSITORY, strlen(REPOSITORY)) == 0;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* "folder/middle/name" in new memory, or NULL. */
static char *join(const char *folder, const char *middle, const char *name)
{
    char *inner = path_join(folder, middle);
    char *path = inner ? path_join(inner, name) : NULL;
    free(inner);
    return path;
}

/* ---- From a repository to a snapshot ------------------------------------------------------ */

/* The commit that a file of refs holds, in new memory. */
static enum status read_ref(const char *path, char **commit, struct error *error)
{
    char *text;
    size_t length;
    if (file_read(path, REF_LIMIT, &text, &length, error) != STATUS_OK)
        return error->status;
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    bool plain = is_plain(text, length, "-_.");
    text[length] = '\0';
    if (plain)
        *commit = text;
    else
        error_set(error, STATUS_FORMAT, "%s: expected the name of a commit, found \"%.100s\"", path,
                  text);
    if (!plain)
        free(text);
    return plain ? STATUS_OK : error->status;
}

/* The name of the only snapshot, in new memory; NULL where there are none or several. */
static enum status only_snapshot(const char *repository, char **name, struct error *error)
{
    struct dirent **entries = NULL;
    char *folder = path_join(repository, "snapshots");
    if (!folder)
        return error_memory(error, "a file name", strlen(repository));
    int count = scandir(folder, &entries, is_shown, NULL);
    *name = count == 1 ? strdup(entries[0]->d_name) : NULL;
    bool failed = count == 1 && !*name;
    free_entries(entries, count);
    free(folder);
    return failed ? error_memory(error, "a file name", strlen(repository)) : STATUS_OK;
}

/* What was downloaded by its commit has no file in refs. *commit is NULL when nothing tells it. */
static enum status find_commit(const char *repository, const char *revision, char **commit,
                               struct error *error)
{
    enum status status = STATUS_OK;
    char *path = join(repository, "refs", revision ? revision : "main");
    if (!path)
        return error_memory(error, "a file name", strlen(repository));
    if (file_exists(path))
        status = read_ref(path, commit, error);
    else if (!revision)
        status = only_snapshot(repository, commit, error);
    else if (!(*commit = strdup(revision)))
        status = error_memory(error, "a file name", strlen(revision));
    free(path);
    return status;
}

/* *folder is NULL when it is not there. */
static enum status find_snapshot(const char *repository, const char *revision, char **folder,
                                 struct error *error)
{
    char *commit = NULL;
    *folder = NULL;
    if (find_commit(repository, revision, &commit, error) != STATUS_OK)
        return error->status;
    char *path = commit ? join(repository, "snapshots", commit) : NULL;
    bool failed = commit && !path;
    free(commit);
    if (path && file_is_folder(path))
        *folder = path;
    else
        free(path);
    return failed ? error_memory(error, "a file name", strlen(repository)) : STATUS_OK;
}

/* A link that leads nowhere, as an interrupted download leaves it, is no file. */
static bool has_any(const char *folder, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (file_lies_in(folder, names[i]))
            return true;
    return false;
}

/* What a download that was broken off has not brought; NULL: nothing. */
static const char *lacking(const char *snapshot)
{
    if (!file_lies_in(snapshot, "config.json"))
        return "config.json";
    return has_any(snapshot, weights, WEIGHTS_COUNT) ? NULL : weights[0];
}

/* ---- From a name to a snapshot ------------------------------------------------------------ */

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
    return is_name(wanted->text, wanted->length) &&
           (!revision || is_plain(revision, strlen(revision), "-_./"));
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
    const char *org = repository + strlen(REPOSITORY), *mark = strstr(org, "--");
    return mark && is_name(org, (size_t)(mark - org)) && strlen(mark + 2) == wanted->length &&
           strncmp(mark + 2, wanted->text, wanted->length) == 0;
}

/* The repository of ANY/name, in new memory; NULL when there is none. */
static enum status find_any(const char *cache, const struct wanted *wanted, char **repository,
                            struct error *error)
{
    struct dirent **entries = NULL;
    int count = scandir(cache, &entries, is_repository, NULL), found = 0, last = 0;
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
    free_entries(entries, count);
    return status;
}

static enum status find_repository(const char *cache, const struct wanted *wanted,
                                   char **repository, struct error *error)
{
    *repository = repository_of(wanted->text, wanted->length);
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

static enum status find_whole_snapshot(const char *repository, const struct wanted *wanted,
                                       char **folder, struct error *error)
{
    const char *revision = wanted->revision ? "a snapshot of that revision" : "a snapshot";
    if (find_snapshot(repository, wanted->revision, folder, error) != STATUS_OK)
        return error->status;
    if (!*folder)
        return missing(wanted, revision, repository, error);
    const char *lack = lacking(*folder);
    return lack ? missing(wanted, lack, *folder, error) : STATUS_OK;
}

/* "org/name@revision" in new memory, or NULL. */
static char *title_with(const char *repository, const char *revision)
{
    char *name = name_of(repository);
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
    status = path && place->name ? find_whole_snapshot(path, wanted, &place->folder, error)
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

/* ---- The list ----------------------------------------------------------------------------- */

/* Of another family, the type alone says enough. */
static enum status parse(const char *text, size_t length, struct hub_model *model,
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
    status = parse(text, length, model, error);
    free(text);
    return status;
}

static enum status read_weights(const char *snapshot, struct hub_model *model, struct error *error)
{
    struct store *store;
    if (!has_any(snapshot, weights, SAFE_COUNT))
        return error_set(error, STATUS_UNSUPPORTED,
                         "pytorch_model.bin only; --model says how to convert it");
    if (store_open(snapshot, NULL, &store, error) != STATUS_OK)
        return error->status;
    model->bytes = store_bytes(store);
    store_close(store);
    return has_any(snapshot, tokenizers, TOKENIZER_COUNT)
               ? STATUS_OK
               : error_set(error, STATUS_IO, "no tokenizer");
}

static enum status examine(const char *snapshot, struct hub_model *model, struct error *error)
{
    const char *lack = lacking(snapshot);
    if (lack)
        return error_set(error, STATUS_IO, "no %s", lack);
    if (read_config(snapshot, model, error) != STATUS_OK)
        return error->status;
    return read_weights(snapshot, model, error);
}

/* A message about a file of the snapshot names it without the long way there. */
static const char *without(const char *message, const char *folder)
{
    size_t length = strlen(folder);
    bool begins = strncmp(message, folder, length) == 0 && message[length] == '/';
    return begins ? message + length + 1 : message;
}

/* *snapshot is NULL, or the caller's. */
static enum status look_into(const char *path, struct hub_model *model, char **snapshot,
                             struct error *why)
{
    *snapshot = NULL;
    if (!is_name(model->name, strlen(model->name)))
        return error_set(why, STATUS_FORMAT, "not a name of the hub");
    if (find_snapshot(path, NULL, snapshot, why) != STATUS_OK)
        return why->status;
    return *snapshot ? examine(*snapshot, model, why) : error_set(why, STATUS_IO, "no snapshot");
}

/* What is wrong with a model is no failure of the list, unless memory ran out. */
static enum status add(struct hub_list *list, const char *repository, struct error *error)
{
    struct hub_model *model = &list->model[list->count];
    char *snapshot, *path = path_join(list->cache, repository);
    *model = (struct hub_model){.name = name_of(repository)};
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
    struct dirent **entries = NULL;
    *list = (struct hub_list){0};
    if (hub_cache(&list->cache, error) != STATUS_OK)
        return error->status;
    int count = scandir(list->cache, &entries, is_repository, alphasort);
    if (count < 0)
        return errno == ENOENT ? STATUS_OK
                               : error_set(error, STATUS_IO, "%s: cannot be read: %s", list->cache,
                                           strerror(errno));
    enum status status = STATUS_OK;
    list->model = calloc((size_t)count + 1, sizeof *list->model);
    if (!list->model)
        status = error_memory(error, "the list of models", (size_t)count * sizeof *list->model);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = add(list, entries[i]->d_name, error);
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
