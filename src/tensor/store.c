/* store.c: finds a tensor by its name in one safetensors file, in the shards of an index, or in the
 * built-in model, and checks its type and shape. */
#include "headlight/tensor/store.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/base/mapping.h"
#include "headlight/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SINGLE "model.safetensors"
#define INDEX  "model.safetensors.index.json"
#define PICKLE "pytorch_model.bin"

/* One file. Most checkpoints have one; those above some 5 GB come in several. */
struct shard {
    char *name; /* as in the index */
    char *path;
    struct mapping mapping; /* closed if the bytes are the caller's */
    const unsigned char *bytes;
    size_t size;
    struct safetensors *file;
};

struct store {
    char *source;
    const struct watch *watch; /* only while opening */
    cJSON *index;              /* of a sharded checkpoint */
    const cJSON *map;          /* its "weight_map": tensor name → file name */
    size_t count;
    struct shard *shards;
};

/* ---- Shards ------------------------------------------------------------------------------- */

static enum status read_shard(struct shard *shard, const void *bytes, size_t size,
                              const char *source, struct error *error)
{
    shard->bytes = bytes;
    shard->size = size;
    return safetensors_parse(bytes, size, source, &shard->file, error) == STATUS_OK
               ? safetensors_narrow(shard->file, error)
               : error->status;
}

/* Opens a file of the folder as another shard; NULL, with the error set, on failure. */
static const struct shard *open_shard(struct store *store, const struct files *files,
                                      const char *name, struct error *error)
{
    const struct file_given *given = files_given(files, name);
    struct shard *shards = realloc(store->shards, (store->count + 1) * sizeof *shards);
    if (!shards) {
        error_memory(error, "the list of files", (store->count + 1) * sizeof *shards);
        return NULL;
    }
    store->shards = shards;
    struct shard *shard = &shards[store->count++];
    *shard = (struct shard){.name = strdup(name), .path = path_join(files->folder, name)};
    if (!shard->name || !shard->path)
        error_memory(error, "a file name", strlen(files->folder) + strlen(name) + 2);
    else if (given)
        return read_shard(shard, given->bytes, given->size, shard->path, error) == STATUS_OK ? shard
                                                                                             : NULL;
    else if (!file_named(shard->path))
        error_write(error, STATUS_IO,
                    "%s: expected the file \"%.200s\" beside it, found none; download the "
                    "checkpoint again",
                    store->source, name);
    else if (mapping_open(&shard->mapping, shard->path, error) == STATUS_OK &&
             mapping_check(
                 &shard->mapping,
                 read_shard(shard, shard->mapping.bytes, shard->mapping.size, shard->path, error),
                 error) == STATUS_OK &&
             watch_step(store->watch, 0, 1, error) == STATUS_OK)
        return shard;
    return NULL;
}

/* Accepts a half-opened one. */
static void close_shard(struct shard *shard)
{
    safetensors_free(shard->file);
    mapping_close(&shard->mapping);
    free(shard->path);
    free(shard->name);
}

/* By its name in the index. There are a few hundred at most, so a loop will do. */
static const struct shard *find_shard(const struct store *store, const char *name)
{
    for (size_t i = 0; i < store->count; i++)
        if (strcmp(store->shards[i].name, name) == 0)
            return &store->shards[i];
    return NULL;
}

/* ---- The index ---------------------------------------------------------------------------- */

/* A checkpoint may only name files in its own folder. */
static bool is_plain_name(const char *name)
{
    return *name != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
           !strchr(name, '/') && !strchr(name, '\\');
}

/* One line of the index: "tensor name": "file name". The file is opened at its first mention, and
 * the tensor has to be in it, so that store_find can't fail later for a damaged index. */
static enum status read_entry(struct store *store, const struct files *files, const cJSON *entry,
                              struct error *error)
{
    if (!cJSON_IsString(entry) || !is_plain_name(entry->valuestring))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected the name of a file beside it for \"%.200s\", found "
                         "\"%.200s\"",
                         store->source, entry->string,
                         cJSON_IsString(entry) ? entry->valuestring : "no string");
    const char *name = entry->valuestring;
    const struct shard *shard = find_shard(store, name);
    if (!shard && !(shard = open_shard(store, files, name, error)))
        return error->status;
    if (!safetensors_find(shard->file, entry->string))
        return error_set(error, STATUS_MISMATCH,
                         "%s: expected the tensor \"%.200s\", which %s puts there, found none",
                         shard->path, entry->string, store->source);
    return STATUS_OK;
}

/* The index's tree is kept, as store_find looks names up in it. */
static enum status read_index(struct store *store, const struct files *files, struct error *error)
{
    char *text;
    size_t length;
    if (file_read(store->source, JSON_BYTES_MAX, &text, &length, error) != STATUS_OK)
        return error->status;
    enum status status = json_parse_object(text, length, store->source, &store->index, error);
    free(text);
    if (status != STATUS_OK)
        return status;
    store->map = json_member(store->index, "weight_map");
    if (!cJSON_IsObject(store->map))
        return error_set(error, STATUS_FORMAT, "%s: expected an object \"weight_map\", found none",
                         store->source);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, store->map)
    {
        if (read_entry(store, files, entry, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ---- The store ---------------------------------------------------------------------------- */

/* Takes over the source, which may be NULL for lack of memory. */
static struct store *store_new(char *source, struct error *error)
{
    struct store *store = memory_new(1, sizeof *store, 0, "the list of files", error);
    if (store && source) {
        store->source = source;
        return store;
    }
    free(store);
    free(source);
    error_memory(error, "the list of files", sizeof *store);
    return NULL;
}

/* The folder quoted for a shell, allocated: in single quotes, each quote inside as "'\\''". */
static char *quote(const char *folder)
{
    char *quoted = malloc(4 * strlen(folder) + 3), *to = quoted;
    if (!quoted)
        return NULL;
    *to++ = '\'';
    for (; *folder; folder++) {
        *to++ = *folder;
        if (*folder == '\'')
            to = stpcpy(to, "\\''");
    }
    strcpy(to, "'");
    return quoted;
}

/* The suggested command keeps every tensor with its name; transformers' own conversion drops
 * heads that the class it loads doesn't have. */
static enum status refuse_pickle(const char *folder, struct error *error)
{
    char *quoted = quote(folder);
    if (!quoted)
        return error_memory(error, "a file name", strlen(folder));
    error_write(error, STATUS_UNSUPPORTED,
                "%s: expected " SINGLE ", found only " PICKLE ", which headlight does not read; "
                "this converts it: (cd -- %s && python3 -c \"import glob, torch, safetensors.torch "
                "as s; s.save_file({k: v.contiguous().clone() for f in "
                "glob.glob('pytorch_model*.bin') for k, v in torch.load(f, map_location='cpu', "
                "weights_only=True).items()}, '" SINGLE "', {'format': 'pt'})\")",
                folder, quoted);
    free(quoted);
    return error->status;
}

/* A single file goes before an index. What is there in name only, as a dangling link, is opened
 * too: the system then says what is wrong with it. */
static enum status open_files(struct store *store, const struct files *files, bool single,
                              struct error *error)
{
    const char *folder = files->folder;
    bool named = single || file_named(store->source);
    if (!named && (file_lies_in(folder, PICKLE) || file_lies_in(folder, PICKLE ".index.json")))
        return refuse_pickle(folder, error);
    if (!named)
        return error_set(error, STATUS_IO,
                         "%s: expected " SINGLE " or " INDEX ", found neither; headlight reads "
                         "checkpoints in the safetensors format",
                         folder);
    if (!single)
        return read_index(store, files, error);
    return open_shard(store, files, SINGLE, error) ? STATUS_OK : error->status;
}

/* The source is the single file or, if there is none, the index, which need not exist either. */
enum status store_open(const struct files *files, const struct watch *watch, struct store **result,
                       struct error *error)
{
    char *path = path_join(files->folder, SINGLE);
    bool single = path && (files->given || file_named(path));
    *result = NULL;
    if (path && !single) {
        free(path);
        path = path_join(files->folder, INDEX);
    }
    struct store *store = store_new(path, error);
    if (!store)
        return error->status;
    store->watch = watch;
    if (open_files(store, files, single, error) != STATUS_OK) {
        store_close(store);
        return error->status;
    }
    store->watch = NULL;
    *result = store;
    return STATUS_OK;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->count; i++)
        close_shard(&store->shards[i]);
    free(store->shards);
    cJSON_Delete(store->index);
    free(store->source);
    free(store);
}

/* Without an index there is one shard, which has all tensors. */
const struct tensor *store_find(const struct store *store, const char *name)
{
    if (!store->map)
        return safetensors_find(store->shards[0].file, name);
    const cJSON *entry = json_member(store->map, name);
    return entry ? safetensors_find(find_shard(store, entry->valuestring)->file, name) : NULL;
}

const struct tensor *store_at(const struct store *store, size_t index)
{
    for (size_t i = 0; i < store->count; i++) {
        const size_t here = safetensors_count(store->shards[i].file);
        if (index < here)
            return safetensors_at(store->shards[i].file, index);
        index -= here;
    }
    return NULL;
}

const char *store_source(const struct store *store)
{
    return store->source;
}

/* Every mapping is asked, so that the first that has changed is named. */
enum status store_check(const struct store *store, enum status status, struct error *error)
{
    for (size_t i = 0; i < store->count; i++)
        status = mapping_check(&store->shards[i].mapping, status, error);
    return status;
}

/* There are a few files at most: the one that has `index` names before its own. */
const unsigned char *store_file(const struct store *store, size_t index, size_t *size)
{
    for (size_t i = 0; i < store->count; i++) {
        const struct shard *shard = &store->shards[i];
        size_t before = 0;
        for (size_t j = 0; shard->name && j < store->count; j++)
            before += store->shards[j].name && strcmp(store->shards[j].name, shard->name) < 0;
        if (before != index)
            continue;
        *size = shard->size;
        return shard->bytes;
    }
    return NULL;
}

size_t store_bytes(const struct store *store)
{
    size_t bytes = 0;
    for (size_t i = 0; i < store->count; i++)
        bytes += store->shards[i].mapping.size;
    return bytes;
}
