/* hub_parts.h: what hub.c, hub_names.c and hub_list.c share: names of the hub, and the steps from a
 * cache to a snapshot. */
#ifndef HEADLIGHT_MODEL_HUB_PARTS_H
#define HEADLIGHT_MODEL_HUB_PARTS_H

#include "headlight/base/error.h"
#include "headlight/base/near.h"

#include <dirent.h>
#include <stdbool.h>

#define HUB_REPOSITORY "models--" /* begins the name of a repository's folder */

/* What the user asks for. */
struct hub_query {
    const char *text;
    size_t length;        /* of the name, without the revision */
    const char *revision; /* NULL: none given */
    struct error *error;
};

/* The caches to look into, in this order; hub_caches_free frees them. */
struct hub_caches {
    char *path[3];
    size_t count;
};

/* ---- Names (hub_names.c) ---- */

/* Only letters, digits and the given marks, and no ".." or empty part. */
bool hub_is_plain_part(const char *text, size_t length, const char *marks);

/* Whether it is "name" or "org/name" and can't lead out of a folder. */
bool hub_is_name(const char *name, size_t length);

/* "name@revision". */
struct hub_query hub_query_of(const char *text, struct error *error);

/* Whether it may be looked up. */
bool hub_is_query(const struct hub_query *query);

/* The name in the address of a page of the hub, with the revision if the page is that of one, or in
 * the name of a repository's folder; else the text. Allocated; NULL without memory. */
char *hub_name_in(const char *text, struct error *error);

/* The folder's name of a repository, and "org/name" for such a name, with "@revision" if there is
 * one; allocated. The latter is not always a valid name. */
char *hub_repository_of(const struct hub_query *query);
char *hub_title_of(const char *repository, const char *revision, struct error *error);

/* Offers a repository of the cache, by its whole name and its last part. */
void hub_offer(struct near *near, const char *repository);

/* What was looked for and where: STATUS_IO, with the command that fetches it. */
struct hub_lack {
    const char *what, *where;
    bool weights;      /* what lacks are weights, which the repository may have in another format */
    bool there;        /* the repository is in the cache, so the name is one of the hub */
    struct near *near; /* names that are there; or NULL */
};
enum status hub_report(const struct hub_query *query, const struct hub_lack *lack);

/* ---- From a cache to a snapshot (hub.c) ---- */

enum status hub_find_caches(struct hub_caches *caches, struct error *error);
void hub_caches_free(struct hub_caches *caches);

/* The names of all repositories, sorted, and their number; negative on failure, with errno. */
int hub_scan(const char *cache, struct dirent ***entries);
void hub_free_entries(struct dirent **entries, int count);

/* The snapshot of a revision, or if that is NULL, of "main" or else the only one, allocated.
 * *folder is NULL, without an error, when there is none. `repository` is the folder's path. */
enum status hub_find_snapshot(const char *repository, const char *revision, char **folder,
                              struct error *error);

/* The file that an interrupted download has left out; NULL: none. Only checks names. */
const char *hub_missing_file(const char *snapshot);

/* Whether there are weights that headlight reads, and a tokenizer. */
bool hub_has_weights(const char *snapshot);
bool hub_has_tokenizer(const char *snapshot);

#endif
