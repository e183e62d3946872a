/* tokenizer_reader.c: parts that a tokenizer.json and the settings beside older files have in
 * common. Each function returns whether it went well, so that a reader is a chain of && that stops
 * at the first error. */
#include "headlight/text/tokenizer_reader.h"

#include "headlight/base/near.h"

#include <string.h>

const char *reader_need(const struct json_reader *in, const char *name)
{
    const char *value = json_string(in, name, NULL);
    if (!value)
        json_refuse(in, STATUS_FORMAT, "expected a string for \"%s\", found none", name);
    return value;
}

bool reader_expect(const struct json_reader *in, const char *name, bool wanted)
{
    const bool value = json_bool(in, name, wanted);
    if (value != wanted)
        json_refuse(in, STATUS_UNSUPPORTED,
                    "expected \"%s\" to be %s, found %s, which headlight can't do", name,
                    wanted ? "true" : "false", value ? "true" : "false");
    return json_is_fine(in);
}

/* The types are listed while looking, for the message if none fits. */
const struct reader_type *reader_type_of(const struct tokenizer_reader *in, const char *what,
                                         const struct reader_type *types, size_t count)
{
    const char *type = json_string(&in->at, "type", NULL);
    struct near near = near_to("");
    if (!cJSON_IsObject(in->at.object))
        json_refuse(&in->at, STATUS_FORMAT, "expected an object for \"%s\", found another value",
                    what);
    else if (!type)
        json_refuse(&in->at, STATUS_FORMAT, "expected a \"type\" in \"%s\", found none", what);
    for (size_t i = 0; type && i < count; near_offer(&near, types[i++].name))
        if (strcmp(types[i].name, type) == 0)
            return &types[i];
    if (type)
        json_refuse(&in->at, STATUS_UNSUPPORTED, "expected \"%s\" to be %s, found \"%.100s\"", what,
                    near_names(&near), type);
    return NULL;
}

bool reader_each(const struct tokenizer_reader *in, const char *name,
                 bool (*read)(const struct tokenizer_reader *))
{
    const cJSON *list = json_member(in->at.object, name);
    if (!cJSON_IsArray(list))
        return json_refuse(&in->at, STATUS_FORMAT, "expected a list for \"%s\", found %s", name,
                           list ? "another value" : "none");
    for (const cJSON *each = list->child; each; each = each->next) {
        const struct tokenizer_reader item = reader_of(in, each);
        if (!read(&item))
            return false;
    }
    return true;
}

bool reader_added(const struct tokenizer_reader *in, const char *content, struct added_token token)
{
    token.content = (char *)content; /* which is copied */
    if (in->tokenizer->added.count == ADDED_TOKENS_MAX)
        return json_refuse(&in->at, STATUS_LIMIT, "expected at most %d added tokens, found more",
                           ADDED_TOKENS_MAX);
    reader_expect(&in->at, "single_word", false);
    token.normalized = json_bool(&in->at, "normalized", token.normalized);
    token.left = json_bool(&in->at, "lstrip", token.left);
    token.right = json_bool(&in->at, "rstrip", token.right);
    token.special = json_bool(&in->at, "special", token.special);
    return json_is_fine(&in->at) &&
           added_put(&in->tokenizer->added, &token, in->at.error) == STATUS_OK;
}
