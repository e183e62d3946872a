/* hub.c: finds a model by its name in the Hugging Face hub's local cache. Names come from the
 * command line and become paths, so names that could lead out of the cache are rejected. */
#include "headlight/model/hub.h"

#include "headlight/base/file.h"

#include <dirent.h>
#include <stdio.h>
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

bool hub_is_name(const char *name, size_t length)
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

static bool is_revision(const char *revision)
{
    return is_plain_part(revision, strlen(revision), "-_./");
}

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

char *hub_name_of(const char *repository)
{
    const char *rest = repository + strlen(REPOSITORY), *mark = strstr(rest, "--");
    char *name = strdup(rest);
    if (name && mark) {
        name[mark - rest] = '/';
        memmove(name + (mark - rest) + 1, mark + 2, strlen(mark + 2) + 1);
    }
    return name;
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

int hub_repositories(const char *cache, struct dirent ***entries)
{
    *entries = NULL;
    return scandir(cache, entries, is_repository, alphasort);
}

void hub_free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* ---- From a repository to a snapshot ------------------------------------------------------ */

/* "folder/middle/name", allocated; NULL without memory. */
static char *join_three(const char *folder, const char *middle, const char *name)
{
    char *inner = path_join(folder, middle);
    char *path = inner ? path_join(inner, name) : NULL;
    free(inner);
    return path;
}

/* The commit in a file of refs, allocated. */
static enum status read_ref(const char *path, char **commit, struct error *error)
{
    char *text;
    size_t length;
    if (file_read(path, REF_LIMIT, &text, &length, error) != STATUS_OK)
        return error->status;
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    bool plain = is_plain_part(text, length, "-_.");
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

static int is_not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The name of the only snapshot, allocated; NULL where there are none or several. */
static enum status only_snapshot(const char *repository, char **name, struct error *error)
{
    struct dirent **entries = NULL;
    char *folder = path_join(repository, "snapshots");
    if (!folder)
        return error_memory(error, "a file name", strlen(repository));
    int count = scandir(folder, &entries, is_not_hidden, NULL);
    *name = count == 1 ? strdup(entries[0]->d_name) : NULL;
    bool failed = count == 1 && !*name;
    hub_free_entries(entries, count);
    free(folder);
    return failed ? error_memory(error, "a file name", strlen(repository)) : STATUS_OK;
}

/* A model downloaded by its commit has no file in refs. *commit is NULL when it can't be
 * determined. */
static enum status find_commit(const char *repository, const char *revision, char **commit,
                               struct error *error)
{
    enum status status = STATUS_OK;
    char *path = join_three(repository, "refs", revision ? revision : "main");
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

enum status hub_snapshot(const char *repository, const char *revision, char **folder,
                         struct error *error)
{
    char *commit = NULL;
    *folder = NULL;
    if (find_commit(repository, revision, &commit, error) != STATUS_OK)
        return error->status;
    char *path = commit ? join_three(repository, "snapshots", commit) : NULL;
    bool failed = commit && !path;
    free(commit);
    if (path && file_is_folder(path))
        *folder = path;
    else
        free(path);
    return failed ? error_memory(error, "a file name", strlen(repository)) : STATUS_OK;
}

/* A dangling link, left by an interrupted download, does not count as a file. */
bool hub_has_any(const char *folder, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (file_lies_in(folder, names[i]))
            return true;
    return false;
}

const char *hub_lacks(const char *snapshot)
{
    static const char *const weights[] = {"model.safetensors", "model.safetensors.index.json",
                                          "pytorch_model.bin", "pytorch_model.bin.index.json"};
    if (!file_lies_in(snapshot, "config.json"))
        return "config.json";
    return hub_has_any(snapshot, weights, sizeof weights / sizeof *weights) ? NULL : weights[0];
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
static char *title_of(const char *folder)
{
    char *path = strdup(folder);
    if (!path)
        return NULL;
    const char *last = take_last(path), *above = last == path ? "" : take_last(path);
    const char *repository = strcmp(above, "snapshots") == 0 ? take_last(path) : "";
    bool cached = strncmp(repository, REPOSITORY, strlen(REPOSITORY)) == 0;
    char *title = cached ? hub_name_of(repository) : strdup(last);
    free(path);
    return title;
}

/* ---- A model of the cache ----------------------------------------------------------------- */

struct hub_query {
    const char *text;     /* as given by the user */
    size_t length;        /* of the name, without the revision */
    const char *revision; /* NULL: none given */
};

static struct hub_query query_of(const char *text)
{
    size_t length = strcspn(text, "@");
    return (struct hub_query){text, length, text[length] ? text + length + 1 : NULL};
}

static bool is_query(const struct hub_query *query)
{
    const char *revision = query->revision;
    return hub_is_name(query->text, query->length) && (!revision || is_revision(revision));
}

static enum status report_missing(const struct hub_query *query, const char *what,
                                  const char *where, struct error *error)
{
    const char *revision = query->revision ? query->revision : "";
    const char *option = query->revision ? " --revision " : "";
    int length = (int)query->length;
    return error_set(error, STATUS_IO,
                     "%s: expected %s in %s, found none; to fetch it: hf download %.*s%s%s "
                     "(older: huggingface-cli download %.*s%s%s)",
                     query->text, what, where, length, query->text, option, revision, length,
                     query->text, option, revision);
}

/* Whether a repository is ANY/name. */
static bool has_name(const char *repository, const struct hub_query *query)
{
    const char *org = repository + strlen(REPOSITORY), *mark = strstr(org, "--");
    return mark && hub_is_name(org, (size_t)(mark - org)) && strlen(mark + 2) == query->length &&
           strncmp(mark + 2, query->text, query->length) == 0;
}

/* The repository ANY/name, allocated; NULL when there is none. */
static enum status find_any(const char *cache, const struct hub_query *query, char **repository,
                            struct error *error)
{
    struct dirent **entries;
    int count = hub_repositories(cache, &entries), found = 0, last = 0;
    *repository = NULL;
    for (int i = 0; i < count; i++)
        if (has_name(entries[i]->d_name, query)) {
            found++;
            last = i;
        }
    enum status status = STATUS_OK;
    if (found > 1)
        status = error_set(error, STATUS_USAGE,
                           "%s: expected one model of that name in %s, found %d: say whose "
                           "(ORG/%s); headlight --models lists them",
                           query->text, cache, found, query->text);
    else if (found == 1 && !(*repository = strdup(entries[last]->d_name)))
        status = error_memory(error, "a file name", query->length);
    hub_free_entries(entries, count);
    return status;
}

static enum status find_repository(const char *cache, const struct hub_query *query,
                                   char **repository, struct error *error)
{
    *repository = repository_of(query->text, query->length);
    char *path = *repository ? path_join(cache, *repository) : NULL;
    if (!path)
        return error_memory(error, "a file name", strlen(cache) + query->length);
    bool exists = file_is_folder(path);
    free(path);
    if (exists)
        return STATUS_OK;
    free(*repository);
    *repository = NULL;
    enum status status = STATUS_OK;
    if (!memchr(query->text, '/', query->length))
        status = find_any(cache, query, repository, error);
    if (status != STATUS_OK)
        return status;
    return *repository
               ? STATUS_OK
               : report_missing(query,
                                "a folder of that name or a model (headlight --models lists them)",
                                cache, error);
}

/* `name` includes the organisation, so that the command in the message works. */
static enum status find_whole_snapshot(const char *repository, const char *name, char **folder,
                                       struct error *error)
{
    const struct hub_query query = query_of(name);
    const char *revision = query.revision ? "a snapshot of that revision" : "a snapshot";
    if (hub_snapshot(repository, query.revision, folder, error) != STATUS_OK)
        return error->status;
    if (!*folder)
        return report_missing(&query, revision, repository, error);
    const char *lack = hub_lacks(*folder);
    return lack ? report_missing(&query, lack, *folder, error) : STATUS_OK;
}

/* "org/name@revision", allocated; NULL without memory. */
static char *title_with(const char *repository, const char *revision)
{
    char *name = hub_name_of(repository);
    size_t size = name && revision ? strlen(name) + strlen(revision) + 2 : 0;
    char *title = size ? malloc(size) : name;
    if (title && size)
        snprintf(title, size, "%s@%s", name, revision);
    if (size)
        free(name);
    return title;
}

static enum status find_cached(const struct hub_query *query, struct hub_place *place,
                               struct error *error)
{
    char *cache = NULL, *repository = NULL, *path = NULL;
    enum status status = hub_cache(&cache, error);
    if (status == STATUS_OK)
        status = find_repository(cache, query, &repository, error);
    if (status != STATUS_OK)
        goto done;
    path = path_join(cache, repository);
    place->name = title_with(repository, query->revision);
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
    struct hub_query query = query_of(name);
    *place = (struct hub_place){0};
    if (!file_is_folder(name) && is_query(&query)) {
        if (find_cached(&query, place, error) != STATUS_OK)
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
