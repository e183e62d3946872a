#include "hub_helpers.h"

#include "model_helpers.h"

#include <check.h>
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void hub_make(struct hub *hub)
{
    struct folder folder;
    folder_make(&folder);
    snprintf(hub->root, sizeof hub->root, "%s", folder.path);
    snprintf(hub->cache, sizeof hub->cache, "%s/hub", hub->root);
    hub_folder(hub->cache);
    setenv("HF_HUB_CACHE", hub->cache, 1);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

void hub_remove(const struct hub *hub)
{
    ck_assert_int_eq(nftw(hub->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

const char *hub_path(const struct hub *hub, const char *format, ...)
{
    static char paths[8][512];
    static size_t next;
    char *path = paths[next++ % 8];
    int length = snprintf(path, sizeof *paths, "%s/", hub->root);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + length, sizeof *paths - (size_t)length, format, arguments);
    va_end(arguments);
    return path;
}

/* The folders above the last part of a path. */
static void make_above(const char *path)
{
    char above[512];
    snprintf(above, sizeof above, "%s", path);
    for (char *slash = strchr(above + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        ck_assert(mkdir(above, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
}

void hub_folder(const char *path)
{
    make_above(path);
    ck_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
}

void hub_bytes(const char *path, const char *bytes, size_t size)
{
    make_above(path);
    FILE *stream = fopen(path, "wb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
    ck_assert_int_eq(fclose(stream), 0);
}

void hub_file(const char *path, const char *text)
{
    hub_bytes(path, text, strlen(text));
}

void hub_link(const char *path, const char *target)
{
    make_above(path);
    ck_assert_int_eq(symlink(target, path), 0);
}

/* A blob is a link once more, so that nothing is copied. */
static void add_file(const struct hub *hub, const char *repository, const char *commit,
                     const char *name)
{
    char here[512], target[1024], inner[64];
    const char *blob = hub_path(hub, "hub/%s/blobs/%s", repository, name);
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(target, sizeof target, "%s/" TINY_FOLDER "/%s", here, name);
    snprintf(inner, sizeof inner, "../../blobs/%s", name);
    if (access(blob, F_OK) != 0)
        hub_link(blob, target);
    hub_link(hub_path(hub, "hub/%s/snapshots/%s/%s", repository, commit, name), inner);
}

void hub_add(const struct hub *hub, const char *repository, const char *commit, const char *ref)
{
    add_file(hub, repository, commit, "config.json");
    add_file(hub, repository, commit, "vocab.txt");
    add_file(hub, repository, commit, "model.safetensors");
    if (ref)
        hub_file(hub_path(hub, "hub/%s/refs/%s", repository, ref), commit);
}
