#include "headlight/model/hub_cache.h"

#include "headlight/base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define REF_LIMIT ((size_t)4096)

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

bool hub_cache_is_name(const char *name, size_t length)
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

bool hub_cache_is_revision(const char *revision)
{
    return is_plain(revision, strlen(revision), "-_./");
}

char *hub_cache_repository(const char *name, size_t length)
{
    char *repository = malloc(strlen(HUB_CACHE_REPOSITORY) + length + 2), *to = repository;
    if (!repository)
        return NULL;
    strcpy(to, HUB_CACHE_REPOSITORY);
    to += strlen(HUB_CACHE_REPOSITORY);
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '/')
            *to++ = '-';
        *to++ = name[i] == '/' ? '-' : name[i];
    }
    *to = '\0';
    return repository;
}

char *hub_cache_name(const char *repository)
{
    const char *rest = repository + strlen(HUB_CACHE_REPOSITORY), *mark = strstr(rest, "--");
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
    return strncmp(entry->d_name, HUB_CACHE_REPOSITORY, strlen(HUB_CACHE_REPOSITORY)) == 0;
}

int hub_cache_repositories(const char *cache, struct dirent ***entries)
{
    *entries = NULL;
    return scandir(cache, entries, is_repository, alphasort);
}

void hub_cache_free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* ---- From a repository to a snapshot ------------------------------------------------------ */

/* "folder/middle/name" in new memory, or NULL. */
static char *join(const char *folder, const char *middle, const char *name)
{
    char *inner = path_join(folder, middle);
    char *path = inner ? path_join(inner, name) : NULL;
    free(inner);
    return path;
}

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

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
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
    hub_cache_free_entries(entries, count);
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

enum status hub_cache_snapshot(const char *repository, const char *revision, char **folder,
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

const char *hub_cache_lacking(const char *snapshot)
{
    if (!file_lies_in(snapshot, "config.json"))
        return "config.json";
    return has_any(snapshot, weights, WEIGHTS_COUNT) ? NULL : weights[0];
}

bool hub_cache_is_readable(const char *snapshot)
{
    return has_any(snapshot, weights, SAFE_COUNT);
}

bool hub_cache_has_tokenizer(const char *snapshot)
{
    return has_any(snapshot, tokenizers, TOKENIZER_COUNT);
}
