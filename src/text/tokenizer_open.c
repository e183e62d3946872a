/* tokenizer_open.c: from a model's folder, or from bytes, to a tokenizer: which files there are
 * decides how it is read. */
#include "headlight/base/file.h"
#include "headlight/text/tokenizer_reader.h"

#include <stdlib.h>
#include <string.h>

#define VOCABULARY_LIMIT ((size_t)64 << 20)
#define SETTINGS_LIMIT   ((size_t)1 << 20)

/* ---- Files -------------------------------------------------------------------------------- */

/* A file of a folder; bytes is NULL when there is none. */
struct tokenizer_file {
    char *path, *bytes;
    size_t length;
};

static enum status load_file(const char *folder, const char *name, size_t limit,
                             struct tokenizer_file *file, struct error *error)
{
    *file = (struct tokenizer_file){.path = path_join(folder, name)};
    if (!file->path)
        return error_memory(error, "a file name", strlen(folder));
    return file_named(file->path) ? file_read(file->path, limit, &file->bytes, &file->length, error)
                                  : STATUS_OK;
}

static void unload_file(struct tokenizer_file *file)
{
    free(file->path);
    free(file->bytes);
    *file = (struct tokenizer_file){0};
}

static struct named_text text_of_file(const struct tokenizer_file *file)
{
    return (struct named_text){{file->bytes, file->length}, file->path};
}

/* ---- The older files ---------------------------------------------------------------------- */

static enum status open_kind(struct tokenizer_files *files, const char *folder,
                             const char *merges_name, struct tokenizer **tokenizer,
                             struct error *error)
{
    struct tokenizer_file merges = {0};
    enum status status =
        merges_name ? load_file(folder, merges_name, VOCABULARY_LIMIT, &merges, error) : STATUS_OK;
    if (status == STATUS_OK && merges_name && !merges.bytes) /* says that it is not there */
        status = file_read(merges.path, VOCABULARY_LIMIT, &merges.bytes, &merges.length, error);
    files->merges = text_of_file(&merges);
    if (status == STATUS_OK)
        status = tokenizer_from_files(files, tokenizer, error);
    unload_file(&merges);
    return status;
}

/* The first that is there. */
static enum status open_older(struct tokenizer_files *files, const char *folder,
                              struct tokenizer **tokenizer, struct error *error)
{
    static const struct {
        const char *vocabulary, *merges;
        enum piece_model model;
    } kinds[] = {
        {"vocab.txt", NULL, PIECES_WORDPIECE},  {"vocab.json", "merges.txt", PIECES_BPE},
        {"spiece.model", NULL, PIECES_UNIGRAM}, {"sentencepiece.bpe.model", NULL, PIECES_UNIGRAM},
        {"spm.model", NULL, PIECES_UNIGRAM},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct tokenizer_file vocabulary;
        enum status status =
            load_file(folder, kinds[i].vocabulary, VOCABULARY_LIMIT, &vocabulary, error);
        bool found = status != STATUS_OK || vocabulary.bytes;
        files->model = kinds[i].model;
        files->vocabulary = text_of_file(&vocabulary);
        if (found && status == STATUS_OK)
            status = open_kind(files, folder, kinds[i].merges, tokenizer, error);
        unload_file(&vocabulary);
        if (found)
            return status;
    }
    return error_set(error, STATUS_IO,
                     "%s: expected a tokenizer there (tokenizer.json; or vocab.txt, vocab.json and "
                     "merges.txt, or a SentencePiece model), found none",
                     folder);
}

/* ---- All of them -------------------------------------------------------------------------- */

static enum status open_with(const char *folder, const struct tokenizer_family *family,
                             const struct tokenizer_settings *settings,
                             struct tokenizer **tokenizer, struct error *error)
{
    struct tokenizer_file json;
    struct tokenizer_files files = {.family = family, .settings = settings};
    enum status status = load_file(folder, "tokenizer.json", TOKENIZER_JSON_MAX, &json, error);
    if (status == STATUS_OK && json.bytes)
        status = tokenizer_from_json((struct text){json.bytes, json.length}, json.path,
                                     settings->special[SPECIAL_TOKEN_MASK], tokenizer, error);
    else if (status == STATUS_OK)
        status = open_older(&files, folder, tokenizer, error);
    unload_file(&json);
    return status;
}

enum status tokenizer_open(const char *folder, const struct tokenizer_family *family,
                           struct tokenizer **tokenizer, struct error *error)
{
    struct tokenizer_file config = {0}, map = {0};
    struct tokenizer_settings settings = {0};
    *tokenizer = NULL;
    enum status status = load_file(folder, "tokenizer_config.json", SETTINGS_LIMIT, &config, error);
    if (status == STATUS_OK)
        status = load_file(folder, "special_tokens_map.json", SETTINGS_LIMIT, &map, error);
    if (status == STATUS_OK)
        status =
            tokenizer_settings_read(text_of_file(&config), text_of_file(&map), &settings, error);
    if (status == STATUS_OK)
        status = open_with(folder, family, &settings, tokenizer, error);
    tokenizer_settings_free(&settings);
    unload_file(&config);
    unload_file(&map);
    return status;
}

enum status tokenizer_new(const struct tokenizer_family *family, struct text vocabulary,
                          const char *vocabulary_name, struct text settings,
                          const char *settings_name, struct tokenizer **tokenizer,
                          struct error *error)
{
    struct tokenizer_settings read = {0};
    const struct named_text config = {settings, settings_name}, none = {{NULL, 0}, NULL};
    const struct tokenizer_files files = {.model = PIECES_WORDPIECE,
                                          .family = family,
                                          .settings = &read,
                                          .vocabulary = {vocabulary, vocabulary_name}};
    *tokenizer = NULL;
    enum status status = tokenizer_settings_read(config, none, &read, error);
    if (status == STATUS_OK)
        status = tokenizer_from_files(&files, tokenizer, error);
    tokenizer_settings_free(&read);
    return status;
}
