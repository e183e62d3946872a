/* tokenizer_files.c: a tokenizer from a model's folder: which files there are decides how it is
 * read. Those from before tokenizer.json leave unsaid what every program of a family knows; struct
 * tokenizer_family says it, and the result is what a tokenizer.json would have filled in. */
#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/tokenizer_reader.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The same reader for another file, which its messages then name. */
static struct tokenizer_reader reader_of(const struct tokenizer_reader *in, const char *source)
{
    return (struct tokenizer_reader){in->tokenizer, source, in->error};
}

/* ---- Settings ----------------------------------------------------------------------------- */

static const char *const special_names[SPECIAL_TOKEN_COUNT] = {
    [SPECIAL_TOKEN_UNKNOWN] = "unk_token",   [SPECIAL_TOKEN_CLASS] = "cls_token",
    [SPECIAL_TOKEN_SEPARATOR] = "sep_token", [SPECIAL_TOKEN_MASK] = "mask_token",
    [SPECIAL_TOKEN_PADDING] = "pad_token",
};

/* A list or, in newer files, an object of tokens. */
static const char *const more_names[] = {"additional_special_tokens", "extra_special_tokens"};

/* A token is written as a string, or as an object that holds it under "content"; "" for another
 * value. */
static const char *content_of(const cJSON *item)
{
    const cJSON *text = cJSON_IsObject(item) ? json_member(item, "content") : item;
    return cJSON_IsString(text) ? text->valuestring : "";
}

static bool read_special(const struct tokenizer_reader *in, const cJSON *object, int special,
                         struct tokenizer_settings *settings)
{
    const cJSON *whole = json_member(object, special_names[special]);
    if (!whole)
        return true;
    if (*content_of(whole) == '\0')
        return reader_fail(in, STATUS_FORMAT,
                           "expected a token for \"%s\" (a string, or an object with a string "
                           "\"content\"), found another value",
                           special_names[special]);
    settings->left[special] |= cJSON_IsTrue(json_member(whole, "lstrip"));
    if (!settings->special[special])
        settings->special[special] = content_of(whole);
    return true;
}

enum status tokenizer_settings_read(const struct named_text files[SETTINGS_FILES],
                                    struct tokenizer_settings *settings, struct error *error)
{
    *settings = (struct tokenizer_settings){.name = files[SETTINGS_CONFIG].name};
    for (size_t i = 0; i < SETTINGS_FILES; i++) {
        const struct tokenizer_reader in = {NULL, settings->names[i] = files[i].name, error};
        const struct text text = files[i].text;
        if (text.bytes && json_parse_object(text.bytes, text.length, in.source,
                                            &settings->objects[i], error) != STATUS_OK)
            return error->status;
        for (int special = 0; i < SETTINGS_ADDED && special < SPECIAL_TOKEN_COUNT; special++)
            if (!read_special(&in, settings->objects[i], special, settings))
                return error->status;
    }
    settings->config = settings->objects[SETTINGS_CONFIG];
    settings->listed = json_member(settings->config, "added_tokens_decoder");
    for (size_t i = 0; i < 2 * COUNT(more_names); i++) {
        const bool counts = i < COUNT(more_names) || !settings->listed;
        const cJSON *list = json_member(settings->objects[i / COUNT(more_names)],
                                        more_names[i % COUNT(more_names)]);
        settings->more[i] = counts && list ? list->child : NULL;
    }
    return STATUS_OK;
}

void tokenizer_settings_free(struct tokenizer_settings *settings)
{
    for (size_t i = 0; i < SETTINGS_FILES; i++)
        cJSON_Delete(settings->objects[i]);
    *settings = (struct tokenizer_settings){0};
}

/* ---- vocab.txt ---------------------------------------------------------------------------- */

/* "BertTokenizer", "BertTokenizerFast", and those that do the same under other names. */
static bool is_wordpiece(const char *class)
{
    static const char *const classes[] = {
        "BertTokenizer",     "DistilBertTokenizer",         "ElectraTokenizer",
        "MPNetTokenizer",    "DPRQuestionEncoderTokenizer", "DPRContextEncoderTokenizer",
        "DPRReaderTokenizer"};
    for (size_t i = 0; i < COUNT(classes); i++) {
        size_t length = strlen(classes[i]);
        if (strncmp(class, classes[i], length) == 0 &&
            (class[length] == '\0' || strcmp(class + length, "Fast") == 0))
            return true;
    }
    return false;
}

/* The settings of another tokenizer would be silently misread. */
static bool check_class(const struct tokenizer_reader *in, const cJSON *config)
{
    const char *class = "BertTokenizer";
    bool basic = true;
    if (!reader_string(in, config, "tokenizer_class", &class) ||
        !reader_bool(in, config, "do_basic_tokenize", &basic))
        return false;
    if (!is_wordpiece(class))
        return reader_fail(in, STATUS_UNSUPPORTED,
                           "expected \"tokenizer_class\" to be \"BertTokenizer\" or one like it, "
                           "found \"%.100s\"; a vocab.txt is read as BERT's WordPiece",
                           class);
    return basic ||
           reader_fail(in, STATUS_UNSUPPORTED,
                       "expected \"do_basic_tokenize\" to be true, found false; headlight always "
                       "splits a text into words first, as BERT does");
}

static bool read_vocab_txt(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    const struct tokenizer_reader settings = reader_of(in, files->settings->name);
    const cJSON *config = files->settings->config;
    in->tokenizer->splitters[in->tokenizer->splitter_count++].kind = SPLITTER_BERT;
    return check_class(&settings, config) &&
           reader_bert_steps(&settings, config, "do_lower_case", "tokenize_chinese_chars") &&
           vocabulary_new(files->vocabulary.text, in->source, &in->tokenizer->vocabulary,
                          in->error) == STATUS_OK;
}

/* ---- vocab.json and merges.txt ------------------------------------------------------------ */

/* cJSON keeps members of equal names, of which the vocabulary finds only the last. */
static bool check_unique(const struct tokenizer_reader *in)
{
    const struct vocabulary *vocabulary = in->tokenizer->vocabulary;
    for (size_t id = 0; id < vocabulary_size(vocabulary); id++) {
        size_t length;
        const char *piece = vocabulary_piece(vocabulary, (int32_t)id, &length);
        int32_t found = vocabulary_find(vocabulary, piece, length);
        if ((size_t)found != id)
            return reader_fail(in, STATUS_FORMAT,
                               "expected each piece once, found \"%.100s\" with the ids %zu and "
                               "%ld",
                               piece, id, (long)found);
    }
    return true;
}

bool reader_vocab_json(const struct tokenizer_reader *in, struct text text)
{
    cJSON *object = NULL;
    bool read =
        json_parse_object(text.bytes, text.length, in->source, &object, in->error) == STATUS_OK &&
        reader_vocabulary(in, object, false) && check_unique(in);
    cJSON_Delete(object);
    return read;
}

static bool is_version(struct text line)
{
    static const char version[] = "#version";
    return line.length >= sizeof version - 1 &&
           memcmp(line.bytes, version, sizeof version - 1) == 0;
}

/* Empty lines are passed over. */
static bool read_merge_lines(const struct tokenizer_reader *in, struct text text,
                             struct text *merges, size_t *count)
{
    for (size_t at = 0, number = 1; at < text.length; number++) {
        struct text line = text_take_line(text, &at);
        if (line.length == 0 || (number == 1 && is_version(line)))
            continue;
        if (!reader_split_merge(line, merges + 2 * *count))
            return reader_fail(in, STATUS_FORMAT,
                               "expected two pieces with a space between them in line %zu, found "
                               "\"%.*s\"",
                               number, (int)size_min(line.length, 100), line.bytes);
        ++*count;
    }
    return true;
}

bool reader_merges_txt(const struct tokenizer_reader *in, struct text text)
{
    size_t lines = 1, count = 0;
    if (text.length == 0)
        return reader_fail(in, STATUS_FORMAT, "expected a merge a line, found an empty file");
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    struct text *merges = memory_new(lines, 2 * sizeof *merges, 0, in->source, in->error);
    bool read =
        merges && read_merge_lines(in, text, merges, &count) && reader_merges(in, merges, count);
    free(merges);
    return read;
}

/* GPT-2 and RoBERTa: no normaliser, one splitter, spans without spaces where special tokens frame
 * a text. */
static bool read_byte_files(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    const struct tokenizer_reader settings = reader_of(in, files->settings->name);
    const struct tokenizer_reader merges = reader_of(in, files->merges.name);
    struct tokenizer *tokenizer = in->tokenizer;
    bool prefixed = false;
    if (!reader_bool(&settings, files->settings->config, "add_prefix_space", &prefixed) ||
        !reader_vocab_json(in, files->vocabulary.text) ||
        !reader_merges_txt(&merges, files->merges.text))
        return false;
    tokenizer->splitters[tokenizer->splitter_count++] = (struct splitter){
        .kind = SPLITTER_BYTES, .prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER};
    tokenizer->trims = files->family->frame != FRAME_BARE;
    tokenizer->trims_less = prefixed;
    return true;
}

/* ---- Special tokens ----------------------------------------------------------------------- */

/* All that a tokenizer_config.json lists, {"4": {"content": "[MASK]", "lstrip": …}, …}; or, of the
 * time before it did, an added_tokens.json, {"[E1]": 30522, …}. */
static bool add_listed(const struct tokenizer_reader *in, const cJSON *list, bool older)
{
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        const char *key = item->string ? item->string : "", *content = older ? key : NULL;
        char *end = NULL;
        size_t id = older ? 0 : strtoul(key, &end, 10);
        if (!older && !reader_string(in, item, "content", &content))
            return false;
        const bool fits = older ? json_is_size(item, &id) : end > key && *end == '\0';
        if (!fits || id >= INT32_MAX || !content || *content == '\0')
            return reader_fail(
                in, STATUS_FORMAT,
                "expected tokens and their ids%s, found \"%.100s\" with another value",
                older ? "" : " in \"added_tokens_decoder\"", key);
        if (!reader_added(in, older ? NULL : item, content,
                          (struct added_token){.id = (int32_t)id, .normalized = older}))
            return false;
    }
    return true;
}

/* The special tokens without a name of their own. Those that have no id get the next. A token of an
 * added_tokens.json that a setting calls special is looked for in the raw text. */
static bool add_more(const struct tokenizer_reader *in, const struct tokenizer_settings *settings,
                     const cJSON *list)
{
    const struct tokenizer *tokenizer = in->tokenizer;
    for (const cJSON *item = list; item; item = item->next) {
        const char *content = content_of(item);
        const bool known = added_find(&tokenizer->added, content) != NULL;
        int32_t id = tokenizer_find(tokenizer, content);
        if (id < 0 && pipeline_size(tokenizer) < INT32_MAX)
            id = (int32_t)pipeline_size(tokenizer);
        if (*content == '\0' || id < 0)
            return reader_fail(in, STATUS_FORMAT,
                               "expected special tokens (strings, or objects with a \"content\"), "
                               "found another value");
        if ((!known || !settings->listed) &&
            !reader_added(in, known ? NULL : item, content, (struct added_token){.id = id}))
            return false;
    }
    return true;
}

/* A setting goes before what is customary in the family; NULL where neither names one. */
static const char *special_name(const struct tokenizer_files *files, enum special_token special)
{
    const char *named = files->settings->special[special];
    return named ? named : files->family->special[special];
}

/* The id of a special token, which is added; -1 when the vocabulary lacks it. DeBERTa's model has
 * all of them but the mask, whose id is the next. */
static bool add_special(const struct tokenizer_reader *in, const struct tokenizer_files *files,
                        enum special_token special, int32_t *id)
{
    const struct tokenizer_family *family = files->family;
    const struct tokenizer_settings *settings = files->settings;
    const struct vocabulary *vocabulary = in->tokenizer->vocabulary;
    const char *name = special_name(files, special);
    const bool mask = special == SPECIAL_TOKEN_MASK;
    struct added_token token = {.id = name ? tokenizer_find(in->tokenizer, name) : -1};
    if (name && token.id < 0 && mask && in->tokenizer->model == PIECES_UNIGRAM)
        token.id = (int32_t)vocabulary_size(vocabulary);
    *id = token.id;
    if (token.id < 0)
        return true;
    if (added_find(&in->tokenizer->added, name))
        return settings->listed || !settings->special[special] ||
               reader_added(in, NULL, name, token);
    token.normalized = special == SPECIAL_TOKEN_UNKNOWN && family->converter == CONVERTER_DEBERTA;
    token.left = settings->left[special] || (mask && family->mask_left);
    return reader_added(in, NULL, name, token);
}

static struct frame_item frame_token(int32_t id, enum special_token special)
{
    return (struct frame_item){.id = id, .setting = special_names[special]};
}

/* The special tokens, and the frames made of them. */
static bool finish_files(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    const struct tokenizer_settings *settings = files->settings;
    const struct tokenizer_reader config = reader_of(in, settings->name),
                                  older = reader_of(in, settings->names[SETTINGS_ADDED]);
    int32_t ids[SPECIAL_TOKEN_COUNT];
    if (settings->listed ? !add_listed(&config, settings->listed, false)
                         : !add_listed(&older, settings->objects[SETTINGS_ADDED], true))
        return false;
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++)
        if (!add_special(in, files, (enum special_token)i, &ids[i]))
            return false;
    for (size_t i = 0; i < 2 * COUNT(more_names); i++) {
        const struct tokenizer_reader more = reader_of(in, settings->names[i / COUNT(more_names)]);
        if (!add_more(&more, settings, settings->more[i]))
            return false;
    }
    in->tokenizer->unknown = ids[SPECIAL_TOKEN_UNKNOWN];
    if (in->tokenizer->unknown < 0)
        return reader_fail(in, STATUS_FORMAT,
                           "expected the unknown token \"%.100s\" among the %zu pieces, found "
                           "none; its name is the setting \"%s\"",
                           special_name(files, SPECIAL_TOKEN_UNKNOWN),
                           vocabulary_size(in->tokenizer->vocabulary),
                           special_names[SPECIAL_TOKEN_UNKNOWN]);
    pipeline_frame(in->tokenizer, files->family->frame, files->family->typed,
                   frame_token(ids[SPECIAL_TOKEN_CLASS], SPECIAL_TOKEN_CLASS),
                   frame_token(ids[SPECIAL_TOKEN_SEPARATOR], SPECIAL_TOKEN_SEPARATOR));
    const char *mask = special_name(files, SPECIAL_TOKEN_MASK);
    return pipeline_finish(in->tokenizer, mask ? mask : "", in->source, in->error) == STATUS_OK;
}

/* ---- Tokenizers --------------------------------------------------------------------------- */

static bool read_files(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    static bool (*const readers[])(const struct tokenizer_reader *,
                                   const struct tokenizer_files *) = {
        [PIECES_WORDPIECE] = read_vocab_txt,
        [PIECES_BPE] = read_byte_files,
        [PIECES_UNIGRAM] = reader_sentencepiece,
    };
    const struct tokenizer_family *family = files->family;
    bool known = files->model == PIECES_WORDPIECE || files->model == family->model;
    if (!known || !family->special[SPECIAL_TOKEN_UNKNOWN])
        return reader_fail(in, STATUS_UNSUPPORTED,
                           "expected a tokenizer.json beside it for a \"model_type\" of which "
                           "headlight doesn't know how it uses such a file, found none");
    in->tokenizer->model = files->model;
    return readers[files->model](in, files) && finish_files(in, files);
}

/* Half-built tokenizers are freed here, for every kind of file. */
enum status tokenizer_from_files(const struct tokenizer_files *files, struct tokenizer **tokenizer,
                                 struct error *error)
{
    *tokenizer = calloc(1, sizeof **tokenizer);
    if (!*tokenizer)
        return error_memory(error, "a tokenizer", sizeof **tokenizer);
    const struct tokenizer_reader in = {*tokenizer, files->vocabulary.name, error};
    if (files->is_json
            ? reader_json(&in, files->vocabulary.text, files->settings->special[SPECIAL_TOKEN_MASK])
            : read_files(&in, files))
        return STATUS_OK;
    tokenizer_free(*tokenizer);
    *tokenizer = NULL;
    return error->status;
}

enum status tokenizer_new(const struct tokenizer_family *family, struct text vocabulary,
                          const char *vocabulary_name, struct text settings,
                          const char *settings_name, struct tokenizer **tokenizer,
                          struct error *error)
{
    struct tokenizer_settings read = {0};
    const struct named_text beside[SETTINGS_FILES] = {{settings, settings_name}};
    const struct tokenizer_files files = {.model = PIECES_WORDPIECE,
                                          .family = family,
                                          .settings = &read,
                                          .vocabulary = {vocabulary, vocabulary_name}};
    *tokenizer = NULL;
    enum status status = tokenizer_settings_read(beside, &read, error);
    if (status == STATUS_OK)
        status = tokenizer_from_files(&files, tokenizer, error);
    tokenizer_settings_free(&read);
    return status;
}

/* ---- A model's folder --------------------------------------------------------------------- */

#define VOCABULARY_LIMIT ((size_t)64 << 20)
#define SETTINGS_LIMIT   ((size_t)1 << 20)

/* Reads a file of the folder; its bytes stay NULL when there is none, unless it is needed. */
static enum status load_file(const char *folder, const char *name, size_t limit, bool needed,
                             struct named_text *file, struct error *error)
{
    char *bytes = NULL;
    file->name = path_join(folder, name);
    if (!file->name)
        return error_memory(error, "a file name", strlen(folder));
    if (!needed && !file_named(file->name))
        return STATUS_OK;
    enum status status = file_read(file->name, limit, &bytes, &file->text.length, error);
    file->text.bytes = bytes;
    return status;
}

static void unload_file(struct named_text *file)
{
    free((char *)file->name);
    free((char *)file->text.bytes);
    *file = (struct named_text){{NULL, 0}, NULL};
}

/* Older models name a class in config.json alone: a vocab.txt of Japanese words, or of pieces that
 * other code merges, is no WordPiece. */
static enum status check_model_class(const struct tokenizer_files *files, const char *folder,
                                     struct error *error)
{
    struct named_text config = {{NULL, 0}, NULL};
    cJSON *object = NULL;
    if (json_member(files->settings->config, "tokenizer_class"))
        return STATUS_OK;
    enum status status = load_file(folder, "config.json", JSON_BYTES_MAX, false, &config, error);
    if (status == STATUS_OK && config.text.bytes)
        status =
            json_parse_object(config.text.bytes, config.text.length, config.name, &object, error);
    if (object && !check_class(&(struct tokenizer_reader){NULL, config.name, error}, object))
        status = error->status;
    cJSON_Delete(object);
    unload_file(&config);
    return status;
}

/* The first vocabulary that is there decides. */
static enum status open_first(struct tokenizer_files *files, const char *folder,
                              struct tokenizer **tokenizer, struct error *error)
{
    static const struct {
        const char *vocabulary, *merges;
        enum piece_model model;
    } kinds[] = {
        {"tokenizer.json", NULL, PIECES_WORDPIECE},        {"vocab.txt", NULL, PIECES_WORDPIECE},
        {"vocab.json", "merges.txt", PIECES_BPE},          {"spiece.model", NULL, PIECES_UNIGRAM},
        {"sentencepiece.bpe.model", NULL, PIECES_UNIGRAM}, {"spm.model", NULL, PIECES_UNIGRAM},
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < COUNT(kinds) && status == STATUS_OK && !*tokenizer; i++) {
        files->is_json = i == 0;
        files->model = kinds[i].model;
        status = load_file(folder, kinds[i].vocabulary,
                           files->is_json ? TOKENIZER_JSON_MAX : VOCABULARY_LIMIT, false,
                           &files->vocabulary, error);
        bool found = status == STATUS_OK && files->vocabulary.text.bytes;
        if (found && kinds[i].merges)
            status =
                load_file(folder, kinds[i].merges, VOCABULARY_LIMIT, true, &files->merges, error);
        if (found && status == STATUS_OK && !files->is_json && files->model == PIECES_WORDPIECE)
            status = check_model_class(files, folder, error);
        if (found && status == STATUS_OK)
            status = tokenizer_from_files(files, tokenizer, error);
        unload_file(&files->vocabulary);
        unload_file(&files->merges);
    }
    if (status != STATUS_OK || *tokenizer)
        return status;
    return error_set(error, STATUS_IO,
                     "%s: expected a tokenizer there (tokenizer.json; or vocab.txt, vocab.json and "
                     "merges.txt, or a SentencePiece model), found none",
                     folder);
}

enum status tokenizer_open(const char *folder, const struct tokenizer_family *family,
                           struct tokenizer **tokenizer, struct error *error)
{
    static const char *const names[SETTINGS_FILES] = {
        [SETTINGS_CONFIG] = "tokenizer_config.json",
        [SETTINGS_MAP] = "special_tokens_map.json",
        [SETTINGS_ADDED] = "added_tokens.json",
    };
    struct named_text beside[SETTINGS_FILES] = {{{NULL, 0}, NULL}};
    struct tokenizer_settings settings = {0};
    struct tokenizer_files files = {.family = family, .settings = &settings};
    enum status status = STATUS_OK;
    *tokenizer = NULL;
    for (size_t i = 0; i < SETTINGS_FILES && status == STATUS_OK; i++)
        status = load_file(folder, names[i], SETTINGS_LIMIT, false, &beside[i], error);
    if (status == STATUS_OK)
        status = tokenizer_settings_read(beside, &settings, error);
    if (status == STATUS_OK)
        status = open_first(&files, folder, tokenizer, error);
    tokenizer_settings_free(&settings);
    for (size_t i = 0; i < SETTINGS_FILES; i++)
        unload_file(&beside[i]);
    return status;
}
