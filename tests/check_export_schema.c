/* The schema of the JSON: it is printed, and refuses what isn't an export. */
#include "model_helpers.h"
#include "rows.h"
#include "schema.h"
#include "suites.h"

#include "headlight/export/export.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

static struct error error;

static cJSON *whole_export(void)
{
    struct interventions changes = {.off = {2}};
    const struct text texts[] = {{"time [MASK] like", 16}, {"an arrow", 8}};
    struct checkpoint checkpoint;
    struct session session;
    struct output output = {.session = &session, .include = ~0U};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &changes);
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
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

ROW_TEST(broken_documents_are_refused, "schema")
{
    cJSON *schema = schema_of_exports(), *json = whole_export();
    const char *path = row[0];
    cJSON *parent = parent_of(json, &path);
    char why[400] = "";
    ck_assert(schema_holds(schema, json, why, sizeof why));
    cJSON_DeleteItemFromObjectCaseSensitive(parent, path);
    if (*row[1])
        cJSON_AddItemToObject(parent, path, cJSON_Parse(row[1]));
    ck_assert_msg(!schema_holds(schema, json, why, sizeof why), "%s", row[0]);
    ck_assert_msg(strstr(why, row[2]) != NULL, "%s: %s", row[0], why);
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
