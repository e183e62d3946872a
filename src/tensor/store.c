/* store.c: finds a tensor by its name in one safetensors file, in the shards of an index, or in the
 * built-in model, and checks its type and shape. */
#include "headlight/tensor/store.h"

#include "headlight/base/memory.h"
#include "headlight/tensor/matrix.h"

#define SINGLE "model.safetensors"
#define INDEX  "model.safetensors.index.json"
#define PICKLE "pytorch_model.bin"

/* ---- Files -------------------------------------------------------------------------------- */

static const char *name_of(const struct safetensors *file)
{
    const char *slash = strrchr(file->source, '/');
    return slash ? slash + 1 : file->source;
}

/* By its name in the index. There are a few hundred at most, so a loop will do. */
static const struct safetensors *find_file(const struct store *store, const char *name)
{
    for (size_t i = 0; i < store->count; i++)
        if (strcmp(name_of(store->files[i]), name) == 0)
            return store->files[i];
    return NULL;
}

/* Opens another file of the folder. */
static enum status open_file(struct store *store, const struct files *files, const char *name,
                             struct error *error)
{
    const struct file_given *given = files_given(files, name);
    struct safetensors *file = NULL,
                       **longer = realloc(store->files, (store->count + 1) * sizeof(void *));
    char *path = path_join(files->folder, name);
    enum status status;
    store->files = longer ? longer : store->files;
    if (!longer || !path)
        status = error_memory(error, "a file name", strlen(files->folder) + strlen(name) + 2);
    else if (given)
        status = safetensors_parse(given->bytes, given->size, path, &file, error);
    else if (file_named(path))
        status = safetensors_open(path, &file, error);
    else
        status = error_set(error, STATUS_IO,
                           "%s: expected the file \"%.200s\" beside it, found none; download the "
                           "checkpoint again",
                           store->source, name);
    free(path);
    if (status != STATUS_OK)
        return status;
    size_t at = store->count++;
    for (; at > 0 && strcmp(name_of(longer[at - 1]), name) > 0; at--)
        longer[at] = longer[at - 1];
    longer[at] = file;
    status = mapping_check(&file->mapping, tensor_narrow(file, error), error);
    return status == STATUS_OK && !given ? watch_step(store->watch, 0, 1, error) : status;
}

/* ---- The store ---------------------------------------------------------------------------- */

/* The suggested command keeps every tensor with its name; transformers' own conversion drops
 * heads that the class it loads doesn't have. The folder is quoted for a shell: in single quotes,
 * each quote inside as "'\\''". */
static enum status refuse_pickle(const char *folder, struct error *error)
{
    char *quoted = malloc(4 * strlen(folder) + 3), *to = quoted;
    if (!quoted)
        return error_memory(error, "a file name", strlen(folder));
    *to++ = '\'';
    for (const char *from = folder; *from; from++) {
        *to++ = *from;
        if (*from == '\'')
            to = stpcpy(to, "\\''");
    }
    strcpy(to, "'");
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

/* A single file goes before an index, whose tree is kept, as store_find looks names up in it. What
 * is there in name only, as a dangling link, is opened too: the system then says what is wrong with
 * it.
 */
static enum status open_all(struct store *store, const struct files *files, bool single,
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
    if (single)
        return open_file(store, files, SINGLE, error);
    if (files_read_object(files, INDEX, true, &store->index, error) != STATUS_OK)
        return error->status;
    store->map = json_member(store->index.json, "weight_map");
    if (!cJSON_IsObject(store->map))
        return error_set(error, STATUS_FORMAT, "%s: expected an object \"weight_map\", found none",
                         store->source);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, store->map)
    {
        /* the file is opened at its first mention, and the tensor has to be in it, so that
         * store_find can't fail later for a damaged index */
        const char *name = entry->valuestring;
        if (!cJSON_IsString(entry) || !*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            strpbrk(name, "/\\")) /* a checkpoint may only name files in its own folder */
            return error_set(error, STATUS_FORMAT,
                             "%s: expected the name of a file beside it for \"%.200s\", found "
                             "\"%.200s\"",
                             store->source, entry->string,
                             cJSON_IsString(entry) ? name : "no string");
        if (!find_file(store, name) && open_file(store, files, name, error) != STATUS_OK)
            return error->status;
        const struct safetensors *file = find_file(store, name);
        if (!safetensors_find(file, entry->string))
            return error_set(error, STATUS_MISMATCH,
                             "%s: expected the tensor \"%.200s\", which %s puts there, found none",
                             file->source, entry->string, store->source);
    }
    return STATUS_OK;
}

/* The source is the single file or, if there is none, the index, which need not exist either. */
enum status store_open(const struct files *files, const struct watch *watch, struct store **result,
                       struct error *error)
{
    struct store *store = *result = memory_new(1, sizeof *store, 0, "the list of files", error);
    if (!store)
        return error->status;
    store->watch = watch;
    store->source = path_join(files->folder, SINGLE);
    const bool single = store->source && (files->given || file_named(store->source));
    if (store->source && !single) {
        free(store->source);
        store->source = path_join(files->folder, INDEX);
    }
    const enum status status = store->source ? open_all(store, files, single, error)
                                             : error_memory(error, "a file name", strlen(INDEX));
    store->watch = NULL;
    if (status != STATUS_OK) {
        store_close(store);
        *result = NULL;
    }
    return status;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->count; i++)
        safetensors_free(store->files[i]);
    free(store->files);
    file_text_free(&store->index);
    free(store->source);
    free(store);
}

/* Without an index there is one file, which has all tensors. */
const struct tensor *store_find(const struct store *store, const char *name)
{
    if (!store->map)
        return safetensors_find(store->files[0], name);
    const cJSON *entry = json_member(store->map, name);
    return entry ? safetensors_find(find_file(store, entry->valuestring), name) : NULL;
}

const struct tensor *store_at(const struct store *store, size_t index)
{
    for (size_t i = 0; i < store->count; index -= store->files[i++]->count)
        if (index < store->files[i]->count)
            return &store->files[i]->tensors[index];
    return NULL;
}

/* Every file is asked, so that the first that has changed is named. */
enum status store_check(const struct store *store, enum status status, struct error *error)
{
    for (size_t i = 0; i < store->count; i++)
        status = mapping_check(&store->files[i]->mapping, status, error);
    return status;
}
