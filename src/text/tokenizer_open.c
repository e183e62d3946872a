/* tokenizer_open.c: a folder's files to a tokenizer. */
#include "headlight/base/file.h"
#include "headlight/text/tokenizer.h"
#include "headlight/text/tokenizer_files.h"
#include "headlight/text/tokenizer_json.h"

#include <stdlib.h>
#include <string.h>

#define VOCABULARY_LIMIT ((size_t)64 << 20)
#define SETTINGS_LIMIT   ((size_t)1 << 20)

/* ---- Files ---- */

/* A file of a folder; bytes is NULL when there is none. */
struct file {
    char *path, *bytes;
    size_t length;
};

static enum status load(const char *folder, const char *name, size_t limit, struct file *file,
                        struct error *error)
{
    *file = (struct file){.path = path_join(folder, name)};
    if (!file->path)
        return error_memory(error, "a file name", strlen(folder));
    return file_named(file->path) ? file_read(file->path, limit, &file->bytes, &file->length, error)
                                  : STATUS_OK;
}

static void unload(struct file *file)
{
    free(file->path);
    free(file->bytes);
    *file = (struct file){0};
}

static struct named_text text_of(const struct file *file)
{
    return (struct named_text){{file->bytes, file->length}, file->path};
}

/* ---- Kinds of tokenizers ---- */

struct kind {
    const char *vocabulary, *merges;
    enum status (*make)(const struct tokenizer_files *, struct tokenizer *, struct error *);
};

static const struct kind kinds[] = {
    {"vocab.txt", NULL, tokenizer_of_words},
    {"vocab.json", "merges.txt", tokenizer_of_bytes},
    {"spiece.model", NULL, tokenizer_of_sentencepiece},
    {"sentencepiece.bpe.model", NULL, tokenizer_of_sentencepiece},
    {"spm.model", NULL, tokenizer_of_sentencepiece},
};

static enum status make(const struct tokenizer_files *files,
                        enum status (*of)(const struct tokenizer_files *, struct tokenizer *,
                                          struct error *),
                        struct tokenizer **tokenizer, struct error *error)
{
    *tokenizer = calloc(1, sizeof **tokenizer);
    if (!*tokenizer)
        return error_memory(error, "a tokenizer", sizeof **tokenizer);
    enum status status = of(files, *tokenizer, error);
    if (status != STATUS_OK) {
        tokenizer_free(*tokenizer);
        *tokenizer = NULL;
    }
    return status;
}

static enum status make_kind(const struct kind *kind, const char *folder, const char *model_type,
                             struct tokenizer_settings *settings, const struct file *vocabulary,
                             struct tokenizer **tokenizer, struct error *error)
{
    struct file merges = {0};
    enum status status =
        kind->merges ? load(folder, kind->merges, VOCABULARY_LIMIT, &merges, error) : STATUS_OK;
    if (status == STATUS_OK && kind->merges && !merges.bytes) /* says that it is not there */
        status = file_read(merges.path, VOCABULARY_LIMIT, &merges.bytes, &merges.length, error);
    const struct tokenizer_files files = {family_named(model_type), text_of(vocabulary),
                                          text_of(&merges), settings};
    if (status == STATUS_OK)
        status = make(&files, kind->make, tokenizer, error);
    unload(&merges);
    return status;
}

/* The older files: the first that is there. */
static enum status open_old(const char *folder, const char *model_type,
                            struct tokenizer_settings *settings, struct tokenizer **tokenizer,
                            struct error *error)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct file vocabulary;
        enum status status =
            load(folder, kinds[i].vocabulary, VOCABULARY_LIMIT, &vocabulary, error);
        bool found = status != STATUS_OK || vocabulary.bytes;
        if (found && status == STATUS_OK)
            status =
                make_kind(&kinds[i], folder, model_type, settings, &vocabulary, tokenizer, error);
        unload(&vocabulary);
        if (found)
            return status;
    }
    return error_set(error, STATUS_IO,
                     "%s: expected a tokenizer there (tokenizer.json; or vocab.txt, vocab.json and "
                     "merges.txt, or a SentencePiece model), found none",
                     folder);
}

static enum status open_with(const char *folder, const char *model_type,
                             struct tokenizer_settings *settings, struct tokenizer **tokenizer,
                             struct error *error)
{
    struct file json;
    enum status status = load(folder, "tokenizer.json", TOKENIZER_JSON_MAX, &json, error);
    if (status == STATUS_OK && json.bytes)
        status = tokenizer_from_json((struct text){json.bytes, json.length}, json.path,
                                     settings->special[SPECIAL_TOKEN_MASK], tokenizer, error);
    else if (status == STATUS_OK)
        status = open_old(folder, model_type, settings, tokenizer, error);
    unload(&json);
    return status;
}

enum status tokenizer_open(const char *folder, const char *model_type, struct tokenizer **tokenizer,
                           struct error *error)
{
    struct file config = {0}, map = {0};
    struct tokenizer_settings settings = {0};
    *tokenizer = NULL;
    enum status status = load(folder, "tokenizer_config.json", SETTINGS_LIMIT, &config, error);
    if (status == STATUS_OK)
        status = load(folder, "special_tokens_map.json", SETTINGS_LIMIT, &map, error);
    if (status == STATUS_OK)
        status = tokenizer_settings_read(text_of(&config), text_of(&map), &settings, error);
    if (status == STATUS_OK)
        status = open_with(folder, model_type, &settings, tokenizer, error);
    tokenizer_settings_free(&settings);
    unload(&config);
    unload(&map);
    return status;
}

enum status tokenizer_new(struct text vocabulary, const char *vocabulary_name, struct text settings,
                          const char *settings_name, struct tokenizer **tokenizer,
                          struct error *error)
{
    struct tokenizer_settings read = {0};
    const struct named_text config = {settings, settings_name}, none = {{NULL, 0}, NULL};
    const struct tokenizer_files files = {
        family_named(NULL), {vocabulary, vocabulary_name}, none, &read};
    *tokenizer = NULL;
    enum status status = tokenizer_settings_read(config, none, &read, error);
    if (status == STATUS_OK)
        status = make(&files, tokenizer_of_words, tokenizer, error);
    tokenizer_settings_free(&read);
    return status;
}
