/* The whole of --json, with a text of any bytes: what comes out is JSON, UTF-8, and drives no
 * terminal. A line end parts a pair. */
#include "fuzz.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

static void look_at(const char *json, size_t length, size_t tokens)
{
    struct error error;
    cJSON *object;
    for (size_t i = 0; i < length; i++)
        promise((json[i] == '\n' && i + 1 == length) || is_fit_to_print(json + i, 1) ||
                (json[i] & 0x80));
    promise(json_parse_object(json, length, "fuzz", &object, &error) == STATUS_OK);
    const cJSON *spans = json_member(object, "spans"), *names = json_member(object, "tokens");
    promise((size_t)cJSON_GetArraySize(names) == tokens);
    promise((size_t)cJSON_GetArraySize(spans) == tokens);
    cJSON_Delete(object);
}

static void export_and_read(struct session *session)
{
    struct error error;
    size_t length;
    char *json;
    struct output output = {.session = session};
    promise(export_file(&output, FORMAT_JSON, fuzz_path("out.json"), &error) == STATUS_OK);
    promise(file_read(fuzz_path("out.json"), (size_t)1 << 28, &json, &length, &error) == STATUS_OK);
    look_at(json, length, session->data.tokens);
    free(json);
}

void fuzz_json(const uint8_t *data, size_t size)
{
    const struct interventions none = {0};
    struct text texts[2];
    size_t count = fuzz_texts((const char *)data, size, texts);
    struct session session = {0};
    struct error error;
    session_begin(&session, fuzz_checkpoint(), true, &none);
    if (session_open(&session, texts, count, NULL, &error) == STATUS_OK) {
        promise(request_settle(&session, &error) == STATUS_OK);
        export_and_read(&session);
    } else {
        promise(error.message[0] != '\0');
    }
    session_end(&session);
}
