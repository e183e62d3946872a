#include "schema.h"

#include "model_helpers.h"

#include "headlight/export/export.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    const cJSON *root;
    char *why;
    size_t size;
};

static bool holds(const struct checking *checking, const cJSON *schema, const cJSON *value);

static bool refuse(const struct checking *checking, const cJSON *value, const char *keyword)
{
    char *text = cJSON_PrintUnformatted(value);
    snprintf(checking->why, checking->size, "%s: %s: %.200s",
             value->string ? value->string : "an item", keyword, text ? text : "");
    cJSON_free(text);
    return false;
}

/* What this validator can't check would be passed over. */
static bool is_unknown(const char *what, const char *name)
{
    ck_abort_msg("the schema has a %s \"%s\"", what, name);
    return false;
}

static bool has_type(const cJSON *value, const char *type)
{
    const bool number = cJSON_IsNumber(value);
    return strcmp(type, "object") == 0    ? cJSON_IsObject(value)
           : strcmp(type, "array") == 0   ? cJSON_IsArray(value)
           : strcmp(type, "string") == 0  ? cJSON_IsString(value)
           : strcmp(type, "null") == 0    ? cJSON_IsNull(value)
           : strcmp(type, "boolean") == 0 ? cJSON_IsBool(value)
           : strcmp(type, "number") == 0  ? number
           : strcmp(type, "integer") == 0
               ? number && floor(value->valuedouble) >= value->valuedouble
               : is_unknown("type", type);
}

static bool has_types(const cJSON *rule, const cJSON *value)
{
    const cJSON *type;
    bool any = cJSON_IsString(rule) && has_type(value, rule->valuestring);
    if (cJSON_IsArray(rule))
        cJSON_ArrayForEach(type, rule) any |= has_type(value, type->valuestring);
    return any;
}

/* "#/$defs/NAME". */
static const cJSON *definition(const struct checking *checking, const char *reference)
{
    const cJSON *found = NULL;
    if (strncmp(reference, "#/$defs/", 8) == 0)
        found = json_member(json_member(checking->root, "$defs"), reference + 8);
    ck_assert_msg(found != NULL, "the schema lacks %s", reference);
    return found;
}

static bool has_all(const cJSON *names, const cJSON *value)
{
    const cJSON *name;
    bool all = true;
    if (cJSON_IsObject(value))
        cJSON_ArrayForEach(name, names) all &= cJSON_HasObjectItem(value, name->valuestring);
    return all;
}

/* Members by their own schemas, others by additionalProperties. */
static bool members_hold(const struct checking *checking, const cJSON *schema, const cJSON *value)
{
    const cJSON *member, *own = json_member(schema, "properties");
    const cJSON *other = json_member(schema, "additionalProperties");
    if (!cJSON_IsObject(value))
        return true;
    cJSON_ArrayForEach(member, value)
    {
        const cJSON *rule = cJSON_GetObjectItemCaseSensitive(own, member->string);
        rule = rule ? rule : other;
        if (cJSON_IsFalse(rule))
            return refuse(checking, member, "additionalProperties");
        if (rule && !holds(checking, rule, member))
            return false;
    }
    return true;
}

static bool items_hold(const struct checking *checking, const cJSON *rule, const cJSON *value)
{
    const cJSON *item;
    if (cJSON_IsArray(value))
        cJSON_ArrayForEach(item, value) if (!holds(checking, rule, item)) return false;
    return true;
}

/* Exactly one. */
static bool one_holds(const struct checking *checking, const cJSON *rules, const cJSON *value)
{
    const cJSON *rule;
    int holding = 0;
    cJSON_ArrayForEach(rule, rules) holding += holds(checking, rule, value);
    return holding == 1 || refuse(checking, value, "oneOf");
}

static bool is_one_of(const cJSON *choices, const cJSON *value)
{
    const cJSON *choice;
    bool any = false;
    cJSON_ArrayForEach(choice, choices) any |= cJSON_Compare(choice, value, true);
    return any;
}

/* A bound holds for what it is about: numbers, lists or objects. */
static bool within(const char *keyword, double bound, const cJSON *value)
{
    const double size = cJSON_GetArraySize(value);
    return strcmp(keyword, "minimum") == 0   ? !cJSON_IsNumber(value) || value->valuedouble >= bound
           : strcmp(keyword, "maximum") == 0 ? !cJSON_IsNumber(value) || value->valuedouble <= bound
           : strcmp(keyword, "minItems") == 0      ? !cJSON_IsArray(value) || size >= bound
           : strcmp(keyword, "maxItems") == 0      ? !cJSON_IsArray(value) || size <= bound
           : strcmp(keyword, "minProperties") == 0 ? !cJSON_IsObject(value) || size >= bound
                                                   : is_unknown("keyword", keyword);
}

static bool is_for_readers(const char *keyword)
{
    static const char *const words[] = {"$schema", "$defs", "title", "description",
                                        "additionalProperties"}; /* as by "properties" */
    bool any = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        any |= strcmp(keyword, words[i]) == 0;
    return any;
}

static bool rule_holds(const struct checking *checking, const cJSON *schema, const cJSON *rule,
                       const cJSON *value)
{
    const char *keyword = rule->string;
    if (is_for_readers(keyword))
        return true;
    if (strcmp(keyword, "$ref") == 0)
        return holds(checking, definition(checking, rule->valuestring), value);
    if (strcmp(keyword, "properties") == 0)
        return members_hold(checking, schema, value);
    if (strcmp(keyword, "items") == 0)
        return items_hold(checking, rule, value);
    if (strcmp(keyword, "oneOf") == 0)
        return one_holds(checking, rule, value);
    const bool kept = strcmp(keyword, "type") == 0    ? has_types(rule, value)
                      : strcmp(keyword, "const") == 0 ? cJSON_Compare(rule, value, true)
                      : strcmp(keyword, "enum") == 0  ? is_one_of(rule, value)
                      : strcmp(keyword, "required") == 0
                          ? has_all(rule, value)
                          : within(keyword, rule->valuedouble, value);
    return kept || refuse(checking, value, keyword);
}

static bool holds(const struct checking *checking, const cJSON *schema, const cJSON *value)
{
    const cJSON *rule;
    cJSON_ArrayForEach(rule, schema) if (!rule_holds(checking, schema, rule, value)) return false;
    return json_member(schema, "properties") || !json_member(schema, "additionalProperties") ||
           members_hold(checking, schema, value);
}

bool schema_holds(const cJSON *schema, const cJSON *document, char *why, size_t size)
{
    const struct checking checking = {schema, why, size};
    const bool of_text =
        cJSON_HasObjectItem(document, "format") || cJSON_HasObjectItem(document, "segments");
    /* of a text the fault is said, not that it is of no kind */
    return holds(&checking, of_text ? definition(&checking, "#/$defs/text") : schema, document);
}

static cJSON *object_of(const char *text, size_t length, const char *name)
{
    struct error error;
    cJSON *object;
    assert_ok(json_parse(text, length, (size_t)1 << 26, false, name, &object, &error), error);
    return object;
}

cJSON *schema_of_exports(void)
{
    const char *path = "assets/schema/headlight.schema.json";
    struct error error;
    char *text;
    size_t length;
    assert_ok(file_read(path, (size_t)1 << 20, &text, &length, &error), error);
    cJSON *schema = object_of(text, length, path);
    free(text);
    return schema;
}

void assert_is_export(const cJSON *document)
{
    cJSON *schema = schema_of_exports();
    char why[400] = "";
    if (!schema_holds(schema, document, why, sizeof why))
        ck_abort_msg("%s", why);
    cJSON_Delete(schema);
}

cJSON *export_of_text(const char *text, size_t length)
{
    ck_assert_ptr_eq(memchr(text, '\n', length), text + length - 1);
    cJSON *document = object_of(text, length, "the export");
    assert_is_export(document);
    return document;
}

cJSON *export_of_file(const char *path)
{
    struct error error;
    char *text;
    size_t length;
    assert_ok(file_read(path, (size_t)1 << 26, &text, &length, &error), error);
    cJSON *document = export_of_text(text, length);
    free(text);
    return document;
}

cJSON *export_made(const struct output *output)
{
    struct error error;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(stream);
    assert_ok(export_json(output, stream, &error), error);
    fclose(stream);
    cJSON *document = export_of_text(text, length);
    free(text);
    return document;
}

const cJSON *export_answer(const cJSON *document, const char *kind, size_t index)
{
    const cJSON *answer = json_member(document, "answers")->child;
    while (answer && (strcmp(json_member(answer, "kind")->valuestring, kind) != 0 || index-- > 0))
        answer = answer->next;
    return answer;
}
