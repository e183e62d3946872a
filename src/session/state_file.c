#include "headlight/session/state_file.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/base/writer.h"
#include "headlight/session/mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

static enum status copy_string(const cJSON *object, const char *name, const char *source,
                               char **copy, struct error *error)
{
    const char *text = NULL;
    if (json_read_string(object, name, source, &text, error) != STATUS_OK)
        return error->status;
    if (text && !(*copy = strdup(text)))
        return error_memory(error, "the state", strlen(text));
    return STATUS_OK;
}

static enum status read_texts(const cJSON *object, const char *source, struct saved_state *state,
                              struct error *error)
{
    const cJSON *texts = json_member(object, "texts"), *text;
    if (!texts)
        return STATUS_OK;
    if (!cJSON_IsArray(texts) || cJSON_GetArraySize(texts) > 2)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected \"texts\" to be a list of one or two strings, found %s",
                         source, cJSON_IsArray(texts) ? "more" : "another value");
    cJSON_ArrayForEach(text, texts)
    {
        if (!cJSON_IsString(text))
            return error_set(error, STATUS_FORMAT,
                             "%s: expected \"texts\" to hold strings, found another value", source);
        if (!(state->texts[state->text_count] = strdup(text->valuestring)))
            return error_memory(error, "the state", strlen(text->valuestring));
        state->text_count++;
    }
    return STATUS_OK;
}

/* Flags are true or false, other changes strings. */
static enum status read_change(const cJSON *changes, enum change change, const char *source,
                               char **value, struct error *error)
{
    bool on = false;
    if (!change_is_flag(change))
        return copy_string(changes, change_name(change), source, value, error);
    if (json_read_bool(changes, change_name(change), source, &on, error) != STATUS_OK)
        return error->status;
    if (on && !(*value = strdup("on")))
        return error_memory(error, "the state", strlen("on"));
    return STATUS_OK;
}

static enum status read_changes(const cJSON *object, const char *source, struct saved_state *state,
                                struct error *error)
{
    const cJSON *changes = json_member(object, "changes");
    if (!changes)
        return STATUS_OK;
    if (!cJSON_IsObject(changes))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected \"changes\" to be an object, found another value", source);
    for (enum change change = 0; change < CHANGE_COUNT; change++)
        if (read_change(changes, change, source, &state->changes[change], error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

/* The value as the command line would have it; the caller frees it. */
static char *value_of(const cJSON *item)
{
    char number[40];
    if (cJSON_IsBool(item))
        return strdup(cJSON_IsTrue(item) ? "on" : "off");
    if (cJSON_IsString(item))
        return strdup(item->valuestring);
    snprintf(number, sizeof number, "%.15g", item->valuedouble);
    return strdup(number);
}

static enum status read_setting(const cJSON *item, const char *source, struct saved_state *state,
                                struct error *error)
{
    enum setting setting = setting_named(item->string);
    struct error inner;
    if (setting == SETTING_COUNT)
        return error_set(error, STATUS_FORMAT,
                         "%s: \"settings\": expected names of options that headlight --help "
                         "lists, found \"%s\"",
                         source, item->string);
    if (!cJSON_IsBool(item) && !cJSON_IsString(item) && !cJSON_IsNumber(item))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected \"%s\" to be a string, a number, true or false, found "
                         "another value",
                         source, item->string);
    free(state->values[setting]);
    if (!(state->values[setting] = value_of(item)))
        return error_memory(error, "the state", SETTING_VALUE);
    if (setting_check(setting, state->values[setting], &inner) != STATUS_OK)
        return error_set(error, STATUS_FORMAT, "%s: %s", source, inner.message);
    return STATUS_OK;
}

static enum status read_settings(const cJSON *object, const char *source, struct saved_state *state,
                                 struct error *error)
{
    const cJSON *settings = json_member(object, "settings"), *item;
    if (!settings)
        return STATUS_OK;
    if (!cJSON_IsObject(settings))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected \"settings\" to be an object, found another value", source);
    cJSON_ArrayForEach(item, settings)
    {
        if (read_setting(item, source, state, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

static enum status read_all(const cJSON *object, const char *source, struct saved_state *state,
                            struct error *error)
{
    if (!json_member(object, "headlight"))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a state that headlight wrote, found no \"headlight\" in it: "
                         "name another file, or one that does not exist yet",
                         source);
    if (copy_string(object, "model", source, &state->model, error) != STATUS_OK ||
        copy_string(object, "against", source, &state->against, error) != STATUS_OK ||
        copy_string(object, "recording", source, &state->recording, error) != STATUS_OK ||
        read_texts(object, source, state, error) != STATUS_OK ||
        json_read_bool(object, "special", source, &state->special, error) != STATUS_OK ||
        copy_string(object, "mask", source, &state->mask, error) != STATUS_OK ||
        read_changes(object, source, state, error) != STATUS_OK)
        return error->status;
    return read_settings(object, source, state, error);
}

enum status state_file_read(const char *path, struct saved_state *state, struct error *error)
{
    char *text = NULL;
    size_t length;
    cJSON *object = NULL;
    *state = (struct saved_state){.special = true};
    if (file_read(path, JSON_BYTES_MAX, &text, &length, error) != STATUS_OK)
        return error->status;
    enum status status = json_parse_object(text, length, path, &object, error);
    if (status == STATUS_OK)
        status = read_all(object, path, state, error);
    cJSON_Delete(object);
    free(text);
    return status;
}

void state_file_free(struct saved_state *state)
{
    free(state->model);
    free(state->against);
    free(state->recording);
    free(state->texts[0]);
    free(state->texts[1]);
    free(state->mask);
    for (unsigned i = 0; i < CHANGE_COUNT; i++)
        free(state->changes[i]);
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        free(state->values[i]);
    *state = (struct saved_state){.special = true};
}

/* ---- Writing ---- */

static void write_string(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, ",\n \"%s\": ", name);
    if (text)
        json_write_string(stream, text, strlen(text));
    else
        fputs("null", stream);
}

static void write_all(FILE *stream, const struct session *session)
{
    char value[SETTING_VALUE];
    const char *separator = "";
    fputs("{\"headlight\": \"" HEADLIGHT_VERSION "\"", stream);
    const struct source *source = &session->state.source;
    const char *origin = session->checkpoint ? source->model : source->recording;
    write_string(stream, session->checkpoint ? "model" : "recording", *origin ? origin : NULL);
    if (*source->against)
        write_string(stream, "against", source->against);
    if (session->checkpoint) {
        fputs(",\n \"texts\": [", stream);
        encoded_write_texts(stream, session->data.encoded, ", ");
        fputc(']', stream);
        fprintf(stream, ",\n \"special\": %s", source->special ? "true" : "false");
        fputs(",\n \"mask\": ", stream);
        mask_write(stream, session);
        fputs(",\n \"changes\": ", stream);
        changes_write(stream, session, &source->changes);
    }
    fputs(",\n \"settings\": {", stream);
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (setting_write(session, (enum setting)i, value)) {
            fprintf(stream, "%s\n  \"%s\": ", separator, setting_info((enum setting)i)->name);
            json_write_string(stream, value, strlen(value));
            separator = ",";
        }
    fputs("\n }}\n", stream);
}

enum status state_file_write(const struct session *session, const char *path, struct error *error)
{
    struct writer writer;
    if (writer_open(&writer, path, error) != STATUS_OK)
        return error->status;
    write_all(writer.stream, session);
    return writer_commit(&writer, error);
}

void state_file_save(struct session *session)
{
    char name[40] = "";
    const char *path = session->state_path ? session->state_path : name;
    struct error error;
    enum status status = path == name ? writer_claim("json", name, sizeof name, &error) : STATUS_OK;
    if (status == STATUS_OK)
        status = state_file_write(session, path, &error);
    if (status != STATUS_OK)
        writer_unclaim();
    if (status == STATUS_OK)
        session_say(session, "state saved as %s", path);
    else
        session_say(session, "%s", error.message);
}
