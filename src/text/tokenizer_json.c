#include "headlight/text/tokenizer_json.h"

#include "headlight/base/json.h"
#include "headlight/text/tokenizer.h"
#include "headlight/text/unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- By type ---- */

static enum status refuse_type(const struct tokenizer_reader *reader, const char *what,
                               const struct tokenizer_json_type *types, size_t count,
                               const char *found)
{
    char known[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                                 types[i].name);
    return error_set(reader->error, STATUS_UNSUPPORTED,
                     "%s: expected a \"%s\" that headlight knows (%s), found \"%.100s\"",
                     reader->source, what, known, found);
}

enum status tokenizer_json_read(const struct tokenizer_reader *reader, const cJSON *item,
                                const char *what, const struct tokenizer_json_type *types,
                                size_t count)
{
    const char *type = NULL;
    if (!cJSON_IsObject(item))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected an object for \"%s\", found another value", reader->source,
                         what);
    if (json_read_string(item, "type", reader->source, &type, reader->error) != STATUS_OK)
        return reader->error->status;
    if (!type)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected a \"type\" in \"%s\", found none", reader->source, what);
    for (size_t i = 0; i < count; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].read(reader, item);
    return refuse_type(reader, what, types, count, type);
}

enum status tokenizer_json_each(const struct tokenizer_reader *reader, const cJSON *item,
                                const char *name,
                                enum status (*read)(const struct tokenizer_reader *, const cJSON *))
{
    const cJSON *list = json_member(item, name), *each;
    enum status status = STATUS_OK;
    if (!cJSON_IsArray(list))
        return error_set(reader->error, STATUS_FORMAT, "%s: expected a list for \"%s\", found %s",
                         reader->source, name, list ? "another value" : "none");
    for (each = list->child; each && status == STATUS_OK; each = each->next)
        status = read(reader, each);
    return status;
}

enum status tokenizer_json_expect(const struct tokenizer_reader *reader, const cJSON *item,
                                  const char *name, bool wanted)
{
    bool value = wanted;
    if (json_read_bool(item, name, reader->source, &value, reader->error) != STATUS_OK)
        return reader->error->status;
    if (value == wanted)
        return STATUS_OK;
    return error_set(reader->error, STATUS_UNSUPPORTED,
                     "%s: expected \"%s\" to be %s, found %s, which headlight can't do",
                     reader->source, name, wanted ? "true" : "false", value ? "true" : "false");
}

enum status tokenizer_json_need(const struct tokenizer_reader *reader, const cJSON *item,
                                const char *name, const char **value)
{
    *value = NULL;
    if (json_read_string(item, name, reader->source, value, reader->error) != STATUS_OK)
        return reader->error->status;
    if (*value)
        return STATUS_OK;
    return error_set(reader->error, STATUS_FORMAT, "%s: expected a string for \"%s\", found none",
                     reader->source, name);
}

/* ---- Pre-tokenizers ---- */

static enum status add_splitter(const struct tokenizer_reader *reader, struct splitter splitter)
{
    struct tokenizer *tokenizer = reader->tokenizer;
    if (tokenizer->splitter_count == SPLITTERS_MAX)
        return error_set(reader->error, STATUS_LIMIT,
                         "%s: expected at most %d pre-tokenizers, found more", reader->source,
                         SPLITTERS_MAX);
    tokenizer->splitters[tokenizer->splitter_count++] = splitter;
    return STATUS_OK;
}

static enum status read_splitter(const struct tokenizer_reader *reader, const cJSON *item);

static enum status read_splitters(const struct tokenizer_reader *reader, const cJSON *item)
{
    return tokenizer_json_each(reader, item, "pretokenizers", read_splitter);
}

static enum status read_bert_splitter(const struct tokenizer_reader *reader, const cJSON *item)
{
    (void)item;
    return add_splitter(reader, (struct splitter){.kind = SPLITTER_BERT});
}

static enum status read_white_space(const struct tokenizer_reader *reader, const cJSON *item)
{
    (void)item;
    return add_splitter(reader, (struct splitter){.kind = SPLITTER_WHITE_SPACE});
}

static enum status read_words(const struct tokenizer_reader *reader, const cJSON *item)
{
    (void)item;
    return add_splitter(reader, (struct splitter){.kind = SPLITTER_WORDS});
}

static enum status read_bytes(const struct tokenizer_reader *reader, const cJSON *item)
{
    bool prefixed = true, splits = true;
    if (json_read_bool(item, "add_prefix_space", reader->source, &prefixed, reader->error) !=
            STATUS_OK ||
        json_read_bool(item, "use_regex", reader->source, &splits, reader->error) != STATUS_OK)
        return reader->error->status;
    return add_splitter(reader, (struct splitter){.kind = SPLITTER_BYTES,
                                                  .prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER,
                                                  .whole = !splits});
}

/* Older files say whether, newer ones when. */
static enum status read_prefix(const struct tokenizer_reader *reader, const cJSON *item,
                               enum prefix *prefix)
{
    static const char *const names[] = {
        [PREFIX_NEVER] = "never", [PREFIX_FIRST] = "first", [PREFIX_ALWAYS] = "always"};
    bool prefixed = true;
    const char *scheme = NULL;
    if (json_read_bool(item, "add_prefix_space", reader->source, &prefixed, reader->error) !=
            STATUS_OK ||
        json_read_string(item, "prepend_scheme", reader->source, &scheme, reader->error) !=
            STATUS_OK)
        return reader->error->status;
    *prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER;
    if (!scheme)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], scheme) == 0) {
            *prefix = (enum prefix)i;
            return STATUS_OK;
        }
    return error_set(reader->error, STATUS_UNSUPPORTED,
                     "%s: expected \"prepend_scheme\" to be \"always\", \"first\" or \"never\", "
                     "found \"%.100s\"",
                     reader->source, scheme);
}

static enum status read_metaspace(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct splitter splitter = {.kind = SPLITTER_METASPACE};
    const char *mark = "▁";
    bool splits = true;
    if (read_prefix(reader, item, &splitter.prefix) != STATUS_OK ||
        json_read_bool(item, "split", reader->source, &splits, reader->error) != STATUS_OK ||
        json_read_string(item, "replacement", reader->source, &mark, reader->error) != STATUS_OK)
        return reader->error->status;
    size_t length = strlen(mark);
    if (length == 0 || unicode_next(mark, length, &splitter.mark) != length)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected one character for \"replacement\", found \"%.100s\"",
                         reader->source, mark);
    splitter.whole = !splits;
    return add_splitter(reader, splitter);
}

static enum status read_splitter(const struct tokenizer_reader *reader, const cJSON *item)
{
    static const struct tokenizer_json_type types[] = {
        {"Sequence", read_splitters},
        {"BertPreTokenizer", read_bert_splitter},
        {"ByteLevel", read_bytes},
        {"Metaspace", read_metaspace},
        {"WhitespaceSplit", read_white_space},
        {"Whitespace", read_words},
    };
    return tokenizer_json_read(reader, item, "pre_tokenizer", types, sizeof types / sizeof *types);
}

/* ---- Added tokens ---- */

static enum status read_added(const struct tokenizer_reader *reader, const cJSON *item)
{
    struct added_token token = {.content = NULL};
    const char *content, *source = reader->source;
    struct error *error = reader->error;
    size_t id = SIZE_MAX;
    if (tokenizer_json_need(reader, item, "content", &content) != STATUS_OK ||
        tokenizer_json_expect(reader, item, "single_word", false) != STATUS_OK ||
        json_read_size(item, "id", source, &id, error) != STATUS_OK ||
        json_read_bool(item, "special", source, &token.special, error) != STATUS_OK)
        return error->status;
    token.normalized = !token.special;
    if (json_read_bool(item, "normalized", source, &token.normalized, error) != STATUS_OK ||
        json_read_bool(item, "lstrip", source, &token.left, error) != STATUS_OK ||
        json_read_bool(item, "rstrip", source, &token.right, error) != STATUS_OK)
        return error->status;
    if (id >= INT32_MAX || *content == '\0')
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a \"content\" and an \"id\" of each added token, found "
                         "\"%.100s\" with another id, or none",
                         source, content);
    char *copy = strdup(content);
    if (!copy)
        return error_memory(error, source, strlen(content));
    token.content = copy;
    token.id = (int32_t)id;
    enum status status = added_put(&reader->tokenizer->added, &token, error);
    free(copy);
    return status;
}

/* ---- The whole ---- */

/* Byte-level BPE wants bytes, and no other model does. */
static enum status check_bytes(const struct tokenizer_reader *reader)
{
    const struct tokenizer *tokenizer = reader->tokenizer;
    bool bytes = false;
    for (size_t i = 0; i < tokenizer->splitter_count; i++)
        bytes |= tokenizer->splitters[i].kind == SPLITTER_BYTES;
    if (bytes == (tokenizer->model == MODEL_BPE))
        return STATUS_OK;
    return error_set(reader->error, STATUS_UNSUPPORTED,
                     "%s: expected the model \"BPE\" together with the pre-tokenizer "
                     "\"ByteLevel\", found one without the other",
                     reader->source);
}

static enum status read_all(const struct tokenizer_reader *reader, const cJSON *file)
{
    const cJSON *normalizer = json_member(file, "normalizer");
    const cJSON *splitter = json_member(file, "pre_tokenizer");
    enum status status = tokenizer_json_model(reader, json_member(file, "model"));
    if (status == STATUS_OK && normalizer)
        status = tokenizer_json_normalizer(reader, normalizer);
    if (status == STATUS_OK && splitter)
        status = read_splitter(reader, splitter);
    if (status == STATUS_OK)
        status = check_bytes(reader);
    if (status == STATUS_OK && json_member(file, "added_tokens"))
        status = tokenizer_json_each(reader, file, "added_tokens", read_added);
    if (status == STATUS_OK)
        status = tokenizer_json_frames(reader, json_member(file, "post_processor"));
    return status;
}

enum status tokenizer_from_json(struct text json, const char *name, const char *mask,
                                struct tokenizer **tokenizer, struct error *error)
{
    cJSON *file = NULL;
    *tokenizer = calloc(1, sizeof **tokenizer);
    if (!*tokenizer)
        return error_memory(error, "a tokenizer", sizeof **tokenizer);
    const struct tokenizer_reader reader = {*tokenizer, name, error};
    enum status status =
        json_parse_long_object(json.bytes, json.length, TOKENIZER_JSON_MAX, name, &file, error);
    if (status == STATUS_OK)
        status = read_all(&reader, file);
    if (status == STATUS_OK)
        status = pipeline_finish(*tokenizer, mask, name, error);
    cJSON_Delete(file);
    if (status != STATUS_OK) {
        tokenizer_free(*tokenizer);
        *tokenizer = NULL;
    }
    return status;
}
