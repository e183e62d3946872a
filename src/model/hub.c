/* hub.c: finds a model: a folder, a file in one, or a name in the Hugging Face hub's local cache.
 */
#include "headlight/model/hub.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/model/foreign.h"
#include "headlight/model/hub_parts.h"
#include "headlight/model/sentence.h"

#include <stdlib.h>
#include <string.h>

#define REF_LIMIT ((size_t)4096)

/* ---- The cache ---------------------------------------------------------------------------- */

/* The path that an environment variable leads to; NULL, without an error, if it is unset. */
static char *cache_of(const char *variable, const char *below, struct error *error)
{
    const char *folder = getenv(variable);
    size_t length = folder ? strlen(folder) : 0;
    while (length > 1 && folder[length - 1] == '/')
        length--;
    return length > 0 ? memory_print(error, "%.*s%s", (int)length, folder, below) : NULL;
}

/* Takes over the path, which may be NULL. Clusters set several variables to the same folder. */
static void add_cache(struct hub_caches *caches, char *path)
{
    for (size_t i = 0; path && i < caches->count; i++)
        if (strcmp(caches->path[i], path) == 0) {
            free(path);
            path = NULL;
        }
    if (path)
        caches->path[caches->count++] = path;
}

/* Of the variables in use the first that is set counts; the old ones, of which other programs still
 * honour some, come last. */
enum status hub_find_caches(struct hub_caches *caches, struct error *error)
{
    static const char *const places[][2] = {{"HF_HUB_CACHE", ""},
                                            {"HF_HOME", "/hub"},
                                            {"XDG_CACHE_HOME", "/huggingface/hub"},
                                            {"HOME", "/.cache/huggingface/hub"}};
    *caches = (struct hub_caches){.count = 0};
    error->status = STATUS_OK;
    for (size_t i = 0; i < sizeof places / sizeof *places && caches->count == 0; i++)
        add_cache(caches, cache_of(places[i][0], places[i][1], error));
    add_cache(caches, cache_of("HUGGINGFACE_HUB_CACHE", "", error));
    add_cache(caches, cache_of("TRANSFORMERS_CACHE", "", error));
    if (error->status != STATUS_OK)
        hub_caches_free(caches);
    else if (caches->count == 0)
        return error_set(
            error, STATUS_IO,
            "the hub's cache: expected HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME or HOME in the "
            "environment to say where it is, found none");
    return error->status;
}

void hub_caches_free(struct hub_caches *caches)
{
    for (size_t i = 0; i < caches->count; i++)
        free(caches->path[i]);
    *caches = (struct hub_caches){.count = 0};
}

/* Data sets and spaces lie in the same cache, as datasets--… and spaces--…. */
static int is_repository(const struct dirent *entry)
{
    return strncmp(entry->d_name, HUB_REPOSITORY, strlen(HUB_REPOSITORY)) == 0;
}

int hub_scan(const char *cache, struct dirent ***entries)
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
    if (hub_is_plain_part(text, length, "-_."))
        return text;
    error_write(error, STATUS_FORMAT, "%s: expected the name of a commit, found \"%.100s\"", path,
                text);
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
    hub_free_entries(entries, count);
    free(folder);
    return name;
}

/* A model downloaded by its commit has no file in refs. */
enum status hub_find_snapshot(const char *repository, const char *revision, char **folder,
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

/* A folder of sentence-transformers may have them in one inside. */
const char *hub_missing_file(const char *snapshot)
{
    char *encoder = sentence_encoder(snapshot);
    const char *folder = encoder ? encoder : snapshot;
    const char *missing = has_any(folder, weights_files, 4) ? NULL : weights_files[0];
    if (!file_lies_in(folder, "config.json"))
        missing = "config.json";
    free(encoder);
    return missing;
}

bool hub_has_weights(const char *snapshot)
{
    return has_any(snapshot, weights_files, 2);
}

bool hub_has_tokenizer(const char *snapshot)
{
    return has_any(snapshot, tokenizer_files, sizeof tokenizer_files / sizeof *tokenizer_files);
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
    bool cached = strncmp(repository, HUB_REPOSITORY, strlen(HUB_REPOSITORY)) == 0;
    char *title = cached ? hub_title_of(repository, NULL, error) : memory_print(error, "%s", last);
    free(path);
    return title;
}

/* ---- A model of the cache ----------------------------------------------------------------- */

/* Whether a repository is ANY/name. */
static bool has_name(const char *repository, const struct hub_query *query)
{
    const char *org = repository + strlen(HUB_REPOSITORY), *mark = strstr(org, "--");
    return mark && hub_is_name(org, (size_t)(mark - org)) && strlen(mark + 2) == query->length &&
           strncmp(mark + 2, query->text, query->length) == 0;
}

/* The repository ANY/name, allocated. NULL when there is none, which is no error, or several. */
static char *find_any(const char *cache, const struct hub_query *query, struct near *near)
{
    struct dirent **entries;
    int count = hub_scan(cache, &entries), found = 0;
    char *repository = NULL;
    const char *last = NULL;
    for (int i = 0; i < count; i++) {
        hub_offer(near, entries[i]->d_name);
        if (has_name(entries[i]->d_name, query)) {
            found++;
            last = entries[i]->d_name;
        }
    }
    if (found == 1)
        repository = memory_print(query->error, "%s", last);
    else if (found > 1)
        error_write(query->error, STATUS_USAGE,
                    "%s: expected one model of that name in %s, found %d: say whose (ORG/%s); "
                    "headlight --models lists them",
                    query->text, cache, found, query->text);
    hub_free_entries(entries, count);
    return repository;
}

/* The folder's name of the repository that is meant, allocated; NULL when there is none, or with an
 * error. An exact match comes first, as some names ("gpt2") have no organisation. */
static char *find_repository(const char *cache, const struct hub_query *query, struct near *near)
{
    char *repository = hub_repository_of(query);
    if (!repository || file_lies_in(cache, repository))
        return repository;
    free(repository);
    return find_any(cache, query, near);
}

/* What is whole, but in another form, needs no download. */
static enum status check_whole(const char *folder, const struct hub_query *query)
{
    const char *lack = hub_missing_file(folder);
    const struct foreign *foreign = lack ? foreign_in(folder) : NULL;
    if (foreign)
        return foreign_refuse(foreign, folder, lack, query->error);
    return lack ? hub_report(query, &(struct hub_lack){.what = lack,
                                                       .where = folder,
                                                       .weights = strcmp(lack, "config.json") != 0,
                                                       .there = true})
                : STATUS_OK;
}

/* `repository` is a folder's path. The place's name, which is set, includes the organisation, so
 * that the command in the message works. */
static enum status find_whole_snapshot(const char *repository, struct hub_place *place,
                                       struct error *error)
{
    const struct hub_query query = hub_query_of(place->name, error);
    if (hub_find_snapshot(repository, query.revision, &place->folder, error) != STATUS_OK)
        return error->status;
    return place->folder
               ? check_whole(place->folder, &query)
               : hub_report(&query, &(struct hub_lack){.what = query.revision
                                                                   ? "a snapshot of that revision"
                                                                   : "a snapshot",
                                                       .where = repository,
                                                       .there = true});
}

static enum status find_in(const char *cache, const char *repository, const struct hub_query *query,
                           struct hub_place *place)
{
    char *path = memory_print(query->error, "%s/%s", cache, repository);
    place->name = path ? hub_title_of(repository, query->revision, query->error) : NULL;
    if (place->name)
        find_whole_snapshot(path, place, query->error);
    free(path);
    return query->error->status;
}

/* In the first cache that has it. May leave the place filled in partly: hub_find frees it after an
 * error. */
static enum status find_cached(const struct hub_query *query, struct hub_place *place)
{
    struct hub_caches caches;
    char name[NEAR_LETTERS + 1], *repository = NULL;
    enum status status = hub_find_caches(&caches, query->error);
    if (status != STATUS_OK)
        return status;
    format_cut(name, sizeof name, "%.*s", (int)query->length, query->text);
    struct near near = near_to(name);
    near_offer(&near, BUILT_IN);
    for (size_t i = 0; !repository && status == STATUS_OK && i < caches.count; i++) {
        repository = find_repository(caches.path[i], query, &near);
        status =
            repository ? find_in(caches.path[i], repository, query, place) : query->error->status;
    }
    if (!repository && status == STATUS_OK)
        status = hub_report(query, &(struct hub_lack){.what = "a folder of that name or a model "
                                                              "(headlight --models lists them)",
                                                      .where = caches.path[0],
                                                      .near = &near});
    free(repository);
    hub_caches_free(&caches);
    return status;
}

/* ---- Finding one --------------------------------------------------------------------------- */

/* Whether a name means a file: one that is there and, as names of the hub may be files too, has the
 * ending of a model's files. */
static bool is_file(const char *name)
{
    static const char *const endings[] = {".json",  ".safetensors", ".bin",  ".txt",
                                          ".model", ".survey",      ".index"};
    struct error error;
    const struct hub_query query = hub_query_of(name, &error);
    const char *dot = strrchr(name, '.');
    bool ends = foreign_named(name) != NULL;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        ends |= strcmp(dot, endings[i]) == 0;
    return file_exists(name) && (ends || !hub_is_query(&query));
}

/* A file stands for the folder it is in. */
static enum status find_beside(const char *name, struct hub_place *place, struct error *error)
{
    const struct foreign *foreign = foreign_named(name);
    char *folder = memory_print(error, "%s", name);
    if (!folder)
        return error->status;
    if (take_last(folder) == folder)
        strcpy(folder, *folder == '/' ? "/" : ".");
    place->folder = folder;
    if (foreign)
        return foreign_refuse(foreign, name, "a checkpoint's folder", error);
    const char *lack = hub_missing_file(folder);
    if (lack && strcmp(lack, "config.json") == 0)
        return error_set(
            error, STATUS_IO,
            "%s: expected a checkpoint's folder, or a file beside its config.json, "
            "found a file without one; a recording, a survey or an index is shown by --open %s",
            name, name);
    place->name = title_of(folder, error);
    return place->name ? STATUS_OK : error->status;
}

/* A folder is taken as it is, unless it is that of a repository in a cache, or holds a model in
 * another form. */
static enum status find_folder(const char *name, struct hub_place *place, struct error *error)
{
    const struct foreign *foreign = NULL;
    char *path = memory_print(error, "%s", name);
    if (!path)
        return error->status;
    const char *last = take_last(path);
    if (strncmp(last, HUB_REPOSITORY, strlen(HUB_REPOSITORY)) == 0 &&
        file_lies_in(name, "snapshots"))
        place->name = hub_title_of(last, NULL, error);
    free(path);
    if (place->name)
        return find_whole_snapshot(name, place, error);
    place->folder = memory_print(error, "%s", name);
    place->name = place->folder ? title_of(name, error) : NULL;
    const char *lack = hub_missing_file(name);
    if (place->name && file_is_folder(name) && lack && (foreign = foreign_in(name)))
        return foreign_refuse(foreign, name, lack, error);
    return place->name ? STATUS_OK : error->status;
}

/* By a name of the hub in any form; anything else is a folder that isn't there. */
static enum status find_named(const char *text, struct hub_place *place, struct error *error)
{
    char *name = hub_name_in(text, error);
    if (!name)
        return error->status;
    const struct hub_query query = hub_query_of(name, error);
    enum status status =
        hub_is_query(&query) ? find_cached(&query, place) : find_folder(text, place, error);
    free(name);
    return status;
}

enum status hub_find(const char *name, struct hub_place *place, struct error *error)
{
    *place = (struct hub_place){0};
    enum status status = file_is_folder(name) ? find_folder(name, place, error)
                         : is_file(name)      ? find_beside(name, place, error)
                                              : find_named(name, place, error);
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
