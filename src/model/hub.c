/* hub.c: finds a model: a folder, a file in one, or a name in the Hugging Face hub's local cache;
 * and lists those of the cache, of which only configurations and headers are read, as it holds many
 * gigabytes. Names come from the command line and become paths, so what could lead out of the cache
 * is no name. */
#include "headlight/model/hub.h"

#include "headlight/base/memory.h"
#include "headlight/base/nearest.h"
#include "headlight/base/size.h"
#include "headlight/model/sentence.h"
#include "headlight/tensor/store.h"

#include <dirent.h>
#include <errno.h>

const struct built_in built_in[BUILT_INS] = {
    {BUILT_IN, "an encoder, which runs where no other is named", NULL},
    {"dates", "an encoder–decoder: the third of May 2009 → 2009-05-03", "the third of May 2009"},
};

#define REPOSITORY "models--" /* begins the name of a repository's folder */
#define REF_LIMIT  ((size_t)4096)

/* ---- Names ---- */

/* What a user names: "org/name@revision"; no name of the hub has an @. */
struct query {
    const char *text;
    size_t length;        /* of the name, without the revision */
    const char *revision; /* NULL: none given */
};

static struct query query_of(const char *text)
{
    const size_t length = strcspn(text, "@");
    return (struct query){text, length, text[length] ? text + length + 1 : NULL};
}

/* Only letters, digits and the given marks, and no ".." or empty part. */
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

/* Whether it is "name" or "org/name". "--" stands for the slash in folder names, so no name
 * contains it. */
static bool is_name(const char *name, size_t length)
{
    size_t slashes = 0;
    for (size_t i = 0; i < length; i++) {
        slashes += name[i] == '/';
        if (i > 0 && name[i] == '-' && name[i - 1] == '-')
            return false;
    }
    return slashes <= 1 && is_plain(name, length, "-_./");
}

/* "org/name" for a path that begins with models--org--name, with "@revision" if there is one;
 * allocated. It is not always a valid name. */
static char *title_of_repository(const char *repository, const char *revision, struct error *error)
{
    const char *name = repository + strlen(REPOSITORY);
    const size_t length = strcspn(name, "/");
    char *title = memory_print(error, "%.*s%s%s", (int)length, name, revision ? "@" : "",
                               revision ? revision : "");
    char *mark = title ? strstr(title, "--") : NULL;
    if (mark && (size_t)(mark - title) < length) {
        *mark = '/';
        memmove(mark + 1, mark + 2, strlen(mark + 2) + 1);
    }
    return title;
}

/* Without slashes behind it; of the root that is "/". */
static const char *last_part(const char *path, size_t *length)
{
    size_t end = strlen(path), begin;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end > 0 ? end - 1 : 0; begin > 0 && path[begin - 1] != '/';)
        begin--;
    *length = end - begin;
    return path + begin;
}

/* The last part of a path; a snapshot's is a commit, so its repository's name is used. */
static char *title_of_folder(const char *folder, struct error *error)
{
    const char *repository = strstr(folder, REPOSITORY);
    size_t length;
    if (repository && strncmp(repository + strcspn(repository, "/"), "/snapshots/", 11) == 0)
        return title_of_repository(repository, NULL, error);
    const char *name = last_part(folder, &length);
    return memory_print(error, "%.*s", (int)length, name);
}

/* ---- The cache ---- */

/* Of the variables the first that is set counts. */
static char *find_cache(struct error *error)
{
    static const char *const variables[][2] = {{"HF_HUB_CACHE", ""},
                                               {"HF_HOME", "/hub"},
                                               {"XDG_CACHE_HOME", "/huggingface/hub"},
                                               {"HOME", "/.cache/huggingface/hub"}};
    for (size_t i = 0; i < LENGTH(variables); i++) {
        const char *folder = getenv(variables[i][0]);
        size_t length = folder ? strlen(folder) : 0;
        while (length > 1 && folder[length - 1] == '/')
            length--;
        if (length > 0)
            return memory_print(error, "%.*s%s", (int)length, folder, variables[i][1]);
    }
    error_set(error, STATUS_IO,
              "the hub's cache: expected HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME or HOME in the "
              "environment to say where it is, found none");
    return NULL;
}

/* Data sets and spaces lie in the same cache, as datasets--… and spaces--…. */
static int is_repository(const struct dirent *entry)
{
    return strncmp(entry->d_name, REPOSITORY, strlen(REPOSITORY)) == 0;
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* The snapshot of a revision, a commit or a name in refs, or if that is NULL of "main"; allocated.
 * NULL, without an error, when there is none. */
static enum status find_snapshot(const char *repository, const char *revision, char **folder,
                                 struct error *error)
{
    const char *name = revision ? revision : "main";
    char *ref = memory_print(error, "%s/refs/%s", repository, name);
    char *commit = NULL;
    size_t length;
    if (ref && !file_exists(ref)) {
        commit = memory_print(error, "%s", name);
    } else if (ref && file_read(ref, REF_LIMIT, &commit, &length, error) == STATUS_OK) {
        while (length > 0 && commit[length - 1] != '\0' && strchr(" \t\r\n", commit[length - 1]))
            length--;
        commit[length] = '\0';
        if (!is_plain(commit, length, "-_.")) {
            error_write(error, STATUS_FORMAT, "%s: expected the name of a commit, found \"%.100s\"",
                        ref, commit);
            free(commit);
            commit = NULL;
        }
    }
    *folder = commit ? memory_print(error, "%s/snapshots/%s", repository, commit) : NULL;
    const enum status status = *folder ? STATUS_OK : error->status;
    free(ref);
    free(commit);
    if (*folder && !file_is_folder(*folder)) {
        free(*folder);
        *folder = NULL;
    }
    return status;
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

/* The file that an interrupted download has left out; NULL: none. A folder of sentence-transformers
 * may have them in one inside. */
static const char *missing_file(const char *snapshot)
{
    char *encoder = sentence_encoder(snapshot);
    const char *folder = encoder ? encoder : snapshot;
    const char *missing = has_any(folder, weights_files, 4) ? NULL : weights_files[0];
    if (!file_lies_in(folder, "config.json"))
        missing = "config.json";
    free(encoder);
    return missing;
}

/* ---- Models in another form ----

 * What is in the hub may be any of these alone, and then no download helps. */

/* An adapter comes first, as it may be kept in any form. */
static const struct foreign {
    const char *ending, *title, *way; /* of its name; "an ONNX graph"; what can be done */
} kinds[] = {
    {"adapter_config.json", "a LoRA adapter, which changes the weights of another model",
     "save_pretrained() what peft's merge_and_unload() makes of both in Python, and open that "
     "folder"},
    {".gguf", "a GGUF file",
     "headlight can't compute with it; the model that it was converted from, in the safetensors "
     "format, can be opened"},
    {".onnx", "an ONNX graph",
     "headlight can't compute with it; the model that it was exported from, in the safetensors "
     "format, can be opened"},
    {"tf_model.h5", "weights of TensorFlow",
     "from_pretrained(FOLDER, from_tf=True) of transformers 4 reads them in Python, and "
     "save_pretrained() makes a folder to open"},
    {"flax_model.msgpack", "weights of Flax",
     "from_pretrained(FOLDER, from_flax=True) of transformers 4 reads them in Python, and "
     "save_pretrained() makes a folder to open"},
};

static const struct foreign *foreign_named(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        const size_t end = strlen(kinds[i].ending);
        if (length >= end && strcmp(name + length - end, kinds[i].ending) == 0)
            return &kinds[i];
    }
    return NULL;
}

/* The kind that comes first in the table, of all files of a folder; or of the one inside in which
 * exports to ONNX are often kept. NULL also where there is none. */
static const struct foreign *foreign_in(const char *folder)
{
    const struct foreign *first = NULL;
    char *inner = path_join(folder, "onnx");
    const char *const folders[] = {folder, inner ? inner : folder};
    for (size_t i = 0; i < LENGTH(folders) && !first; i++) {
        DIR *entries = opendir(folders[i]);
        for (const struct dirent *entry; entries && (entry = readdir(entries));) {
            const struct foreign *found = foreign_named(entry->d_name);
            if (found && (!first || found < first))
                first = found;
        }
        if (entries)
            closedir(entries);
    }
    free(inner);
    return first;
}

static enum status foreign_refuse(const struct foreign *foreign, const char *path,
                                  const char *expected, struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED, "%s: expected %s, found %s: %s", path, expected,
                     foreign->title, foreign->way);
}

/* ---- A name ---- */

/* What was looked for and where, with the command that fetches it: only what is needed, since a
 * repository may hold the same weights in many formats; where weights are missing, those that can
 * be converted too. A name has no characters that mean something to a shell, so the command can be
 * copied as it stands; the oldest models have no owner. `nearest` has the names that are there;
 * NULL: the repository is. */
static enum status report(const struct query *query, const char *what, const char *where,
                          struct nearest *nearest, struct error *error)
{
    const bool owned = memchr(query->text, '/', query->length) || !nearest;
    const int length = (int)query->length;
    struct error question = {0};
    if (nearest)
        nearest_suggest(nearest, &question);
    return error_set(error, STATUS_IO,
                     "%s: expected %s in %s, found none%s; %s: hf download %.*s%s%s --include "
                     "\"*.json\" --include \"*.txt\" --include \"*.model\" --include "
                     "\"*.safetensors\"%s",
                     query->text, what, where, question.message,
                     owned ? "to fetch it"
                           : "if it is a model of the hub, this fetches it (most need an owner, "
                             "ORG/NAME)",
                     length, query->text, query->revision ? " --revision " : "",
                     query->revision ? query->revision : "",
                     what == weights_files[0] ? " --include \"*.bin\"" : "");
}

/* The snapshot in a repository's folder, whose name the path ends with. The model's name includes
 * the owner, so that the command in the message works. What is whole, but in another form, needs no
 * download. */
static enum status find_in(const char *path, const char *repository, const char *revision,
                           struct hub_location *location, struct error *error)
{
    location->name = title_of_repository(repository, revision, error);
    if (!location->name || find_snapshot(path, revision, &location->folder, error) != STATUS_OK)
        return error->status;
    const struct query query = query_of(location->name);
    if (!location->folder)
        return report(&query, revision ? "a snapshot of that revision" : "a snapshot", path, NULL,
                      error);
    const char *missing = missing_file(location->folder);
    const struct foreign *foreign = missing ? foreign_in(location->folder) : NULL;
    return foreign   ? foreign_refuse(foreign, location->folder, missing, error)
           : missing ? report(&query, missing, location->folder, NULL, error)
                     : STATUS_OK;
}

/* An exact match comes first, as some names ("gpt2") have no owner; then of a name without one
 * "CACHE/models--ORG--name", whichever ORG that is; an error where several are. NULL when there is
 * none: offers all names that are there. */
static char *find_repository(const char *cache, const struct query *query, struct nearest *nearest,
                             struct error *error)
{
    const char *slash = memchr(query->text, '/', query->length);
    const int first = (int)(slash ? (size_t)(slash - query->text) : query->length);
    const int rest = slash ? (int)query->length - first - 1 : 0;
    char *path = memory_print(error, "%s/" REPOSITORY "%.*s%s%.*s", cache, first, query->text,
                              slash ? "--" : "", rest, slash ? slash + 1 : "");
    if (!path || file_exists(path))
        return path;
    free(path);
    struct dirent **entries = NULL;
    const int count = scandir(cache, &entries, is_repository, alphasort);
    char *found = NULL;
    size_t several = 0;
    for (int i = 0; i < count; i++) {
        char *title = title_of_repository(entries[i]->d_name, NULL, error);
        const char *name = title && !slash ? strchr(title, '/') : NULL;
        if (title)
            nearest_offer(nearest, title);
        if (name)
            nearest_offer(nearest, ++name);
        if (name && strlen(name) == query->length &&
            strncmp(name, query->text, query->length) == 0 && several++ == 0)
            found = memory_print(error, "%s/%s", cache, entries[i]->d_name);
        free(title);
    }
    free_entries(entries, count);
    if (several > 1)
        error_write(error, STATUS_USAGE,
                    "%s: expected one model of that name in %s, found %zu: say whose (ORG/%s); "
                    "headlight models lists them",
                    query->text, cache, several, query->text);
    if (error->status == STATUS_OK)
        return found;
    free(found);
    return NULL;
}

/* May leave the place filled in partly: hub_find frees it after an error. */
static enum status find_cached(const struct query *query, struct hub_location *location,
                               struct error *error)
{
    char name[NEAREST_LETTERS + 1], *cache = find_cache(error);
    if (!cache)
        return error->status;
    format_cut(name, sizeof name, "%.*s", (int)query->length, query->text);
    struct nearest nearest = nearest_to(name);
    for (size_t i = 0; i < BUILT_INS; i++)
        nearest_offer(&nearest, built_in[i].name);
    error->status = STATUS_OK;
    char *path = find_repository(cache, query, &nearest, error);
    enum status status =
        path ? find_in(path, path + strlen(cache) + 1, query->revision, location, error)
        : error->status != STATUS_OK
            ? error->status
            : report(query,
                     "a folder of that name or a model (headlight models lists "
                     "them)",
                     cache, &nearest, error);
    free(path);
    free(cache);
    return status;
}

/* ---- A path ---- */

/* A file that is there stands for the folder it is in. */
static enum status find_beside(const char *name, struct hub_location *location, struct error *error)
{
    const struct foreign *foreign = foreign_named(name);
    const char *slash = strrchr(name, '/');
    location->folder =
        memory_print(error, "%.*s", slash > name ? (int)(slash - name) : 1, slash ? name : ".");
    if (!location->folder)
        return error->status;
    if (foreign)
        return foreign_refuse(foreign, name, "a checkpoint's folder", error);
    const char *missing = missing_file(location->folder);
    if (missing && strcmp(missing, "config.json") == 0)
        return error_set(
            error, STATUS_IO,
            "%s: expected a checkpoint's folder, or a file beside its config.json, "
            "found a file without one; a recording, a survey or an index is shown by headlight %s",
            name, name);
    location->name = title_of_folder(location->folder, error);
    return location->name ? STATUS_OK : error->status;
}

/* A folder is taken as it is, whether it is there or not, unless it is that of a repository in a
 * cache, or holds a model in another form. */
static enum status find_folder(const char *name, struct hub_location *location, struct error *error)
{
    size_t length;
    const char *last = last_part(name, &length);
    if (strncmp(last, REPOSITORY, strlen(REPOSITORY)) == 0 && file_lies_in(name, "snapshots"))
        return find_in(name, last, NULL, location, error);
    location->folder = memory_print(error, "%s", name);
    location->name = location->folder ? title_of_folder(name, error) : NULL;
    if (!location->name)
        return error->status;
    const char *missing = file_is_folder(name) ? missing_file(name) : NULL;
    const struct foreign *foreign = missing ? foreign_in(name) : NULL;
    return foreign ? foreign_refuse(foreign, name, missing, error) : STATUS_OK;
}

enum status hub_find(const char *name, struct hub_location *location, struct error *error)
{
    const struct query query = query_of(name);
    const char *revision = query.revision; /* becomes a path too, such as refs/pr/3 */
    const bool folder = file_is_folder(name);
    const bool named = is_name(query.text, query.length) &&
                       (!revision || is_plain(revision, strlen(revision), "-_./"));
    *location = (struct hub_location){0};
    /* a file without a dot in its name may have that of a model */
    const bool file = !folder && file_exists(name) && (strchr(name, '.') || !named);
    const enum status status = file               ? find_beside(name, location, error)
                               : named && !folder ? find_cached(&query, location, error)
                                                  : find_folder(name, location, error);
    if (status != STATUS_OK)
        hub_location_free(location);
    return status;
}

void hub_location_free(struct hub_location *location)
{
    free(location->folder);
    free(location->name);
    *location = (struct hub_location){0};
}

/* ---- The list ---- */

/* Says in a few words why a snapshot can't be opened, or fills the model in. Reads the headers
 * only, as store_open maps the files. A missing tokenizer comes last, as it is the rarer fault. */
static enum status read_snapshot(const char *snapshot, struct hub_model *model, struct error *error)
{
    struct store *store;
    struct file_text config;
    struct config decoder;
    const char *missing = missing_file(snapshot);
    const struct foreign *foreign = missing ? foreign_in(snapshot) : NULL;
    if (foreign)
        return error_set(error, STATUS_UNSUPPORTED, "%s; --model says what can be done",
                         foreign->title);
    if (missing)
        return error_set(error, STATUS_IO, "no %s", missing);
    char *encoder = sentence_encoder(snapshot);
    const struct files files = {encoder ? encoder : snapshot, NULL};
    enum status status = STATUS_OK;
    if (!has_any(files.folder, weights_files, 2))
        status = error_set(error, STATUS_UNSUPPORTED,
                           "pytorch_model.bin only; --model says how to convert it");
    else
        status = store_open(&files, NULL, &store, error);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < store->count; i++)
            model->bytes += store->files[i]->size;
        store_close(store);
        status = config_read(&files, NULL, &model->config, &decoder, &config, error);
        file_text_free(&config);
        if (status == STATUS_UNSUPPORTED && !model->config.family)
            error_set(error, status, "of no kind that headlight runs; --model says more");
    }
    if (status == STATUS_OK) {
        model->family = model->config.family->name;
        if (!has_any(files.folder, tokenizer_files, LENGTH(tokenizer_files)))
            status = error_set(error, STATUS_IO, "no tokenizer");
    }
    free(encoder);
    return status;
}

/* A cache that doesn't exist is an empty one: nothing was downloaded yet. A faulty model is listed
 * with its reason; only running out of memory fails the list. */
enum status hub_list(struct hub_list *list, struct error *error)
{
    struct dirent **entries = NULL;
    *list = (struct hub_list){.cache = find_cache(error)};
    if (!list->cache)
        return error->status;
    const int count = scandir(list->cache, &entries, is_repository, alphasort);
    if (count < 0)
        return errno == ENOENT ? STATUS_OK
                               : error_set(error, STATUS_IO, "%s: cannot be read: %s", list->cache,
                                           strerror(errno));
    list->model = memory_new((size_t)count, sizeof *list->model, 0, "the list of models", error);
    enum status status = list->model ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct hub_model *model = &list->model[list->count];
        char *snapshot = NULL,
             *path = memory_print(error, "%s/%s", list->cache, entries[i]->d_name);
        if (!path || !(model->name = title_of_repository(entries[i]->d_name, NULL, error))) {
            free(path);
            status = error->status;
            break;
        }
        list->count++;
        if (!is_name(model->name, strlen(model->name)))
            status = error_set(error, STATUS_FORMAT, "not a name of the hub");
        else if ((status = find_snapshot(path, NULL, &snapshot, error)) == STATUS_OK)
            status = snapshot ? read_snapshot(snapshot, model, error)
                              : error_set(error, STATUS_IO, "no snapshot");
        if (status != STATUS_OK)
            format_cut(model->why, sizeof model->why, "%s",
                       path_within(error->message, snapshot ? snapshot : path));
        free(snapshot);
        free(path);
        status = status == STATUS_MEMORY ? status : STATUS_OK;
    }
    free_entries(entries, count);
    return status;
}

void hub_list_free(struct hub_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->model[i].name);
    free(list->model);
    free(list->cache);
    *list = (struct hub_list){0};
}
