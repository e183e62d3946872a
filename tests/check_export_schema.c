/* The schema of the JSON: it is printed, and refuses what isn't an export. */
#include "model_helpers.h"
#include "schema.h"
#include "suites.h"

#include "headlight/export/export.h"

#include <stdlib.h>
#include <string.h>

static struct error error;

/* What an export of everything has, and how it is broken: a member by its path is replaced, added
 * or, by "", removed. */
static const struct {
    const char *path, *value, *why;
} breaks[] = {
    {"format", "", "required"},
    {"format", "1", "const"},
    {"answers", "", "required"},
    {"answers", "null", "type"},
    {"more", "1", "additionalProperties"},
    {"texts", "[\"a\",\"b\",\"c\"]", "maxItems"},
    {"texts", "[1]", "type"},
    {"tokens", "[null]", "type"},
    {"ids", "[1.5]", "oneOf"},
    {"ids", "[-1]", "oneOf"},
    {"spans", "[[1]]", "minItems"},
    {"spans", "[[1,2,3]]", "maxItems"},
    {"interventions/positions", "\"gone\"", "oneOf"},
    {"interventions/off", "[\"3.1\"]", "oneOf"},
    {"interventions/cut", "[{\"layer\":0,\"head\":1,\"from\":2}]", "oneOf"},
    {"answers/0/kind", "\"guess\"", "oneOf"},
    {"answers/0/masked", "[]", "oneOf"},
    {"answers/0/masked/0/pieces/0/probability", "1.5", "oneOf"},
    {"answers/1/follows", "", "oneOf"},
    {"lens/0/0/0/logprob", "null", "type"},
    {"effects/change", "[[\"0.1\"]]", "type"},
    {"maps/norms", "", "required"},
    {"layers/0/heads/0/weights", "[1]", "type"},
    {"layers/0/heads/0/metrics/entropy", "\"much\"", "type"},
    {"layers/0/heads/0/metrics/label", "1", "type"},
};

static cJSON *whole_export(void)
{
    struct interventions changes = {.off = {2}};
    const struct text texts[] = {{"time [MASK] like", 16}, {"an arrow", 8}};
    struct checkpoint checkpoint;
    struct session session;
    struct output output = {.session = &session, .include = ~0U};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &changes);
    assert_ok(session_open(&session, texts, 2, &error), error);
    assert_ok(session_compute(&session, NULL, &error), error);
    session.state.look.from = 2;
    cJSON *json = export_made(&output);
    session_end(&session);
    checkpoint_close(&checkpoint);
    return json;
}

/* What the last name of a path is in: a list's item by its number, an object's member by its name.
 */
static cJSON *parent_of(cJSON *json, const char **path)
{
    const char *slash;
    char name[32];
    for (; json && (slash = strchr(*path, '/')); *path = slash + 1) {
        snprintf(name, sizeof name, "%.*s", (int)(slash - *path), *path);
        json = cJSON_IsArray(json) ? cJSON_GetArrayItem(json, atoi(name))
                                   : cJSON_GetObjectItemCaseSensitive(json, name);
    }
    ck_assert_ptr_nonnull(json);
    return json;
}

TEST(broken_documents_are_refused, .times = COUNT(breaks))
{
    cJSON *schema = schema_of_exports(), *json = whole_export();
    const char *path = breaks[_i].path;
    cJSON *parent = parent_of(json, &path);
    char why[400] = "";
    ck_assert(schema_holds(schema, json, why, sizeof why));
    cJSON_DeleteItemFromObjectCaseSensitive(parent, path);
    if (*breaks[_i].value)
        cJSON_AddItemToObject(parent, path, cJSON_Parse(breaks[_i].value));
    ck_assert_msg(!schema_holds(schema, json, why, sizeof why), "%s", breaks[_i].path);
    ck_assert_msg(strstr(why, breaks[_i].why) != NULL, "%s: %s", breaks[_i].path, why);
    cJSON_Delete(json);
    cJSON_Delete(schema);
}

TEST(the_schema_is_printed)
{
    char *printed, *kept;
    size_t length, size;
    FILE *stream = open_memstream(&printed, &length);
    ck_assert_ptr_nonnull(stream);
    export_write_schema(stream);
    fclose(stream);
    assert_ok(file_read("assets/schema/headlight.schema.json", 1 << 20, &kept, &size, &error),
              error);
    ck_assert_str_eq(printed, kept);
    free(printed);
    free(kept);
}
