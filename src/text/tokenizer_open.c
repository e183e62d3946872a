/* tokenizer_open.c: from a model's folder, or from bytes, to a tokenizer: which of its files are
 * there, and what its settings say. */
#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/text/tokenizer_reader.h"

#include <stdlib.h>
#include <string.h>

#define VOCABULARY_LIMIT ((size_t)64 << 20)
#define SETTINGS_LIMIT   ((size_t)1 << 20)

/* ---- Settings ----------------------------------------------------------------------------- */

static const char *const special_names[SPECIAL_TOKEN_COUNT] = {
    [SPECIAL_TOKEN_UNKNOWN] = "unk_token",   [SPECIAL_TOKEN_CLASS] = "cls_token",
    [SPECIAL_TOKEN_SEPARATOR] = "sep_token", [SPECIAL_TOKEN_MASK] = "mask_token",
    [SPECIAL_TOKEN_PADDING] = "pad_token",
};

/* A token is written as a string, or as an object that holds it under "content". */
static enum status read_special(const cJSON *object, const char *source, const char *name,
                                const char **piece, bool *left, struct error *error)
{
    const cJSON *item = json_member(object, name), *whole = item;
    if (cJSON_IsObject(item))
        item = cJSON_GetObjectItemCaseSensitive(item, "content");
    else if (!item)
        return STATUS_OK;
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a token for \"%s\" (a string, or an object with a string "
                         "\"content\"), found another value",
                         source, name);
    *left |= cJSON_IsTrue(json_member(whole, "lstrip"));
    if (!*piece)
        *piece = item->valuestring;
    return STATUS_OK;
}

static enum status read_settings_file(struct named_text file, struct tokenizer_settings *settings,
                                      cJSON **object, struct error *error)
{
    if (!file.text.bytes)
        return STATUS_OK;
    if (json_parse_object(file.text.bytes, file.text.length, file.name, object, error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++)
        if (read_special(*object, file.name, special_names[i], &settings->special[i],
                         &settings->left[i], error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

enum status tokenizer_settings_read(struct named_text config, struct named_text map,
                                    struct tokenizer_settings *settings, struct error *error)
{
    *settings = (struct tokenizer_settings){.name = config.name};
    if (read_settings_file(config, settings, &settings->objects[0], error) != STATUS_OK ||
        read_settings_file(map, settings, &settings->objects[1], error) != STATUS_OK)
        return error->status;
    settings->config = settings->objects[0];
    return STATUS_OK;
}

void tokenizer_settings_free(struct tokenizer_settings *settings)
{
    cJSON_Delete(settings->objects[0]);
    cJSON_Delete(settings->objects[1]);
    *settings = (struct tokenizer_settings){0};
}

const char *tokenizer_settings_special_name(enum special_token special)
{
    return special_names[special];
}

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
