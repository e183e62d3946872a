/* hub_cache.h: what finding a model in the hub's cache and listing all of it share: names, and the
 * way from a repository to the snapshot of its files (hub.h draws the folders). Whoever calls owns
 * every string that comes back as char *. */
#ifndef HEADLIGHT_MODEL_HUB_CACHE_H
#define HEADLIGHT_MODEL_HUB_CACHE_H

#include "headlight/base/error.h"

#include <stdbool.h>

struct dirent;

#define HUB_CACHE_REPOSITORY "models--" /* begins the name of a repository's folder */

/* CACHE, whether there is such a folder or not. STATUS_IO when no variable says. */
enum status hub_cache(char **cache, struct error *error);

/* "name" or "org/name", and no way out of a folder. In a folder's name "--" stands for the slash,
 * so no name has it. */
bool hub_cache_is_name(const char *name, size_t length);

/* A branch, a tag, refs/pr/N or a commit, and no way out of a folder. */
bool hub_cache_is_revision(const char *revision);

/* "models--org--name" for "org/name"; NULL when memory is short. */
char *hub_cache_repository(const char *name, size_t length);

/* The way back, from a folder that begins with HUB_CACHE_REPOSITORY: it may give what is no name.
 * NULL when memory is short. */
char *hub_cache_name(const char *repository);

/* The repositories by name, and how many: free them with hub_cache_free_entries, also when it is
 * negative and errno says why. */
int hub_cache_repositories(const char *cache, struct dirent ***entries);

void hub_cache_free_entries(struct dirent **entries, int count);

/* The snapshot of a revision, or, where that is NULL, of "main", else the only one; *folder is NULL
 * when it is not there. `repository` is the way to the folder. STATUS_IO or STATUS_FORMAT for a
 * file of refs that can't be read or holds no commit. */
enum status hub_cache_snapshot(const char *repository, const char *revision, char **folder,
                               struct error *error);

/* What a download that was broken off has not brought: a file's name; NULL: nothing. */
const char *hub_cache_lacking(const char *snapshot);

/* Whether its weights are in the format that headlight reads, and whether a tokenizer came along:
 * by the names of files alone. */
bool hub_cache_is_readable(const char *snapshot);
bool hub_cache_has_tokenizer(const char *snapshot);

#endif
