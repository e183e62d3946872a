/* tokenizer_reader.c: members of a tokenizer.json and of the settings beside older files. Each
 * function returns whether it went well, so that a reader is a chain of && that stops at the first
 * error. */
#include "headlight/text/tokenizer_reader.h"

#include "headlight/base/json.h"
#include "headlight/base/near.h"

#include <stdarg.h>
#include <string.h>

bool reader_fail(const struct tokenizer_reader *in, enum status status, const char *format, ...)
{
    char what[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    error_write(in->error, status, "%s: %s", in->source, what);
    return false;
}

/* ---- Members of an object ----------------------------------------------------------------- */

bool reader_bool(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 bool *value)
{
    return json_read_bool(item, name, in->source, value, in->error) == STATUS_OK;
}

bool reader_size(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 size_t *value)
{
    return json_read_size(item, name, in->source, value, in->error) == STATUS_OK;
}

bool reader_string(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                   const char **value)
{
    return json_read_string(item, name, in->source, value, in->error) == STATUS_OK;
}

bool reader_need(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 const char **value)
{
    *value = NULL;
    if (!reader_string(in, item, name, value))
        return false;
    return *value ||
           reader_fail(in, STATUS_FORMAT, "expected a string for \"%s\", found none", name);
}

bool reader_expect(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                   bool wanted)
{
    bool value = wanted;
    if (!reader_bool(in, item, name, &value))
        return false;
    return value == wanted ||
           reader_fail(in, STATUS_UNSUPPORTED,
                       "expected \"%s\" to be %s, found %s, which headlight can't do", name,
                       wanted ? "true" : "false", value ? "true" : "false");
}

/* ---- By type ------------------------------------------------------------------------------ */

/* The types are listed while looking, for the message if none fits. */
const struct reader_type *reader_type_of(const struct tokenizer_reader *in, const cJSON *item,
                                         const char *what, const struct reader_type *types,
                                         size_t count)
{
    const char *type = NULL;
    struct near near = near_to("");
    if (!cJSON_IsObject(item))
        reader_fail(in, STATUS_FORMAT, "expected an object for \"%s\", found another value", what);
    else if (reader_string(in, item, "type", &type) && !type)
        reader_fail(in, STATUS_FORMAT, "expected a \"type\" in \"%s\", found none", what);
    for (size_t i = 0; type && i < count; near_offer(&near, types[i++].name))
        if (strcmp(types[i].name, type) == 0)
            return &types[i];
    if (type)
        reader_fail(in, STATUS_UNSUPPORTED, "expected \"%s\" to be %s, found \"%.100s\"", what,
                    near_names(&near), type);
    return NULL;
}

bool reader_each(const struct tokenizer_reader *in, const cJSON *item, const char *name,
                 bool (*read)(const struct tokenizer_reader *, const cJSON *))
{
    const cJSON *list = json_member(item, name);
    if (!cJSON_IsArray(list))
        return reader_fail(in, STATUS_FORMAT, "expected a list for \"%s\", found %s", name,
                           list ? "another value" : "none");
    for (const cJSON *each = list->child; each; each = each->next)
        if (!read(in, each))
            return false;
    return true;
}

/* ---- Tokens ------------------------------------------------------------------------------- */

bool reader_added(const struct tokenizer_reader *in, const cJSON *item, const char *content,
                  struct added_token token)
{
    token.content = (char *)content; /* which is copied */
    if (in->tokenizer->added.count == ADDED_TOKENS_MAX)
        return reader_fail(in, STATUS_LIMIT, "expected at most %d added tokens, found more",
                           ADDED_TOKENS_MAX);
    return reader_expect(in, item, "single_word", false) &&
           reader_bool(in, item, "normalized", &token.normalized) &&
           reader_bool(in, item, "lstrip", &token.left) &&
           reader_bool(in, item, "rstrip", &token.right) &&
           added_put(&in->tokenizer->added, &token, in->error) == STATUS_OK;
}
