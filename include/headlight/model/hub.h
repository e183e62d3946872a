/* hub.h: where a model lies: in a folder, or, by its name, in the Hugging Face hub's local cache,
 * to which other programs download. Nothing is ever fetched.
 *
 *     CACHE/models--org--name/refs/main                    holds the name of a commit
 *     CACHE/models--org--name/snapshots/COMMIT/config.json leads to ../../blobs/…
 *
 * CACHE is HF_HUB_CACHE, else HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else
 * HOME/.cache/huggingface/hub; a variable that is empty counts as unset. */
#ifndef HEADLIGHT_MODEL_HUB_H
#define HEADLIGHT_MODEL_HUB_H

#include "headlight/model/config.h"

struct dirent;

struct hub_place {
    char *folder; /* with the checkpoint's files */
    char *name;   /* "org/name" or "name", "@revision" where one was asked for; of a folder that is
                   * in no cache, its last part */
};

/* Finds a model. A folder of that name is it; else "name", "org/name" and either with "@revision"
 * (a branch, a tag, refs/pr/N or a commit) are looked up in the cache. A name without its org
 * stands for org/name where that is the only one. What can be no name of the hub, such as a path,
 * is handed back as a folder, and opening it says what is wrong. STATUS_IO, with the command that
 * fetches it, for a model that is not there or half of which is; STATUS_USAGE for a name that
 * several have. */
enum status hub_find(const char *name, struct hub_place *place, struct error *error);

/* Accepts a place that was not found. */
void hub_place_free(struct hub_place *place);

/* A model of the cache, at its main revision. Names and reasons may quote what lies there: whoever
 * shows them makes them safe first (draw/text.h). */
struct hub_model {
    char *name;
    const char *family; /* this and what follows only where it can be opened */
    struct config config;
    size_t bytes; /* of its weights, on disk */
    char
        why[256]; /* it can't be opened; empty: it can, as far as can be told without its tensors */
};

struct hub_list {
    char *cache;
    size_t count; /* 0, too, where there is no such folder */
    struct hub_model *model;
};

/* What is in the cache, by name. STATUS_IO when it can't be read. Free with hub_list_free, also
 * after an error. */
enum status hub_list(struct hub_list *list, struct error *error);

void hub_list_free(struct hub_list *list);

/* ---- What finding and listing share ------------------------------------------------------- */

/* Whoever calls owns every string that comes back as char *. */

/* CACHE, whether there is such a folder or not. STATUS_IO when no variable says. */
enum status hub_cache(char **cache, struct error *error);

/* "name" or "org/name", and no way out of a folder. In a folder's name "--" stands for the slash,
 * which is why no name has it. */
bool hub_is_name(const char *name, size_t length);

/* The repositories by name, and how many: free them with hub_free_entries, also when it is negative
 * and errno says why. */
int hub_repositories(const char *cache, struct dirent ***entries);
void hub_free_entries(struct dirent **entries, int count);

/* "org/name" for the folder of a repository: it may give what is no name. NULL when memory is
 * short. */
char *hub_name_of(const char *repository);

/* The snapshot of a revision, or, where that is NULL, of "main", else the only one; *folder is NULL
 * when it is not there. `repository` is the way to the folder. STATUS_IO or STATUS_FORMAT for a
 * file of refs that can't be read or holds no commit. */
enum status hub_snapshot(const char *repository, const char *revision, char **folder,
                         struct error *error);

/* Whether any of the files is in the folder. A link that leads nowhere, as an interrupted download
 * leaves it, is no file. */
bool hub_has_any(const char *folder, const char *const *names, size_t count);

/* The file that an interrupted download has not brought; NULL: none is missing. By name only:
 * opening the checkpoint reads them. */
const char *hub_lacks(const char *snapshot);

#endif
