/* hub_helpers.h: a hub's cache as other programs leave it, in a folder that goes away again. Every
 * function fails the running test when it cannot do it. */
#pragma once

#include <stddef.h>

struct hub {
    char root[64];  /* of its own, under the system's place for temporary files */
    char cache[80]; /* root/hub, to which HF_HUB_CACHE is set */
};

void hub_make(struct hub *hub);
void hub_remove(const struct hub *hub);

/* "root/…", in one of some buffers that are used by turns. */
const char *hub_path(const struct hub *hub, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A folder with those above it, a file with its folder, a link with its folder; paths as those that
 * hub_path returns. */
void hub_folder(const char *path);
void hub_file(const char *path, const char *text);
void hub_bytes(const char *path, const char *bytes, size_t size);
void hub_link(const char *path, const char *target);

/* cache/models--…/snapshots/COMMIT with links to config.json, vocab.txt and model.safetensors of
 * the tiny checkpoint in blobs; and refs/REF, unless that is NULL. */
void hub_add(const struct hub *hub, const char *repository, const char *commit, const char *ref);
