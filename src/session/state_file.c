/* state_file.c: a state as JSON. Fields have the names and values of the command line's options,
 * so that a file can be read, written and checked by hand; fields missing from older files keep
 * their defaults. */
#include "headlight/session/state_file.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/base/writer.h"

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

static enum status read_saved_texts(const cJSON *object, const char *source,
                                    struct saved_state *state, struct error *error)
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

/* The value as on the command line; the caller frees it. */
static char *saved_value(const cJSON *item)
{
    char number[40];
    if (cJSON_IsBool(item))
        return strdup(cJSON_IsTrue(item) ? "on" : "off");
    if (cJSON_IsString(item))
        return strdup(item->valuestring);
    snprintf(number, sizeof number, "%.15g", item->valuedouble);
    return strdup(number);
}

static enum status read_value(const cJSON *item, enum state_field field, const char *source,
                              struct saved_state *state, struct error *error)
{
    char **value = &state->values[field];
    struct error inner;
    if (!cJSON_IsBool(item) && !cJSON_IsString(item) && !cJSON_IsNumber(item))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected \"%s\" to be a string, a number, true or false, found "
                         "another value",
                         source, item->string);
    free(*value);
    if (!(*value = saved_value(item)))
        return error_memory(error, "the state", strlen(item->string));
    if (field_check(field, *value, &inner) != STATUS_OK)
        return error_set(error, STATUS_FORMAT, "%s: %s", source, inner.message);
    return STATUS_OK;
}

/* Unknown names are errors, because they may be misspelt options. */
static enum status read_setting(const cJSON *item, const char *source, struct saved_state *state,
                                struct error *error)
{
    enum state_field field = field_named(item->string);
    if (field == FIELD_COUNT || !field_is_look(field))
        return error_set(error, STATUS_FORMAT,
                         "%s: \"settings\": expected names of options that headlight --help "
                         "lists, found \"%s\"",
                         source, item->string);
    return read_value(item, field, source, state, error);
}

/* Null or false: unchanged. */
static enum status read_change(const cJSON *item, const char *source, struct saved_state *state,
                               struct error *error)
{
    enum state_field field = field_named(item->string);
    if (field == FIELD_COUNT || !field_is_network(field) || field_is_alias(field) ||
        cJSON_IsNull(item) || cJSON_IsFalse(item))
        return STATUS_OK;
    return read_value(item, field, source, state, error);
}

static enum status read_fields(const cJSON *object, const char *name,
                               enum status (*read)(const cJSON *item, const char *source,
                                                   struct saved_state *state, struct error *error),
                               const char *source, struct saved_state *state, struct error *error)
{
    const cJSON *fields = json_member(object, name), *item;
    if (!fields)
        return STATUS_OK;
    if (!cJSON_IsObject(fields))
        return error_set(error, STATUS_FORMAT,
                         "%s: expected \"%s\" to be an object, found another value", source, name);
    cJSON_ArrayForEach(item, fields)
    {
        if (read(item, source, state, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* "special" is the opposite of --no-special. */
static enum status read_saved_special(const cJSON *object, const char *source,
                                      struct saved_state *state, struct error *error)
{
    char **value = &state->values[FIELD_NO_SPECIAL];
    bool special = true;
    if (json_read_bool(object, "special", source, &special, error) != STATUS_OK)
        return error->status;
    if (!special && !(*value = strdup("on")))
        return error_memory(error, "the state", strlen("on"));
    return STATUS_OK;
}

static enum status read_state(const cJSON *object, const char *source, struct saved_state *state,
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
        read_saved_texts(object, source, state, error) != STATUS_OK ||
        read_saved_special(object, source, state, error) != STATUS_OK ||
        copy_string(object, "mask", source, &state->values[FIELD_MASK], error) != STATUS_OK ||
        read_fields(object, "changes", read_change, source, state, error) != STATUS_OK)
        return error->status;
    return read_fields(object, "settings", read_setting, source, state, error);
}

enum status state_file_read(const char *path, struct saved_state *state, struct error *error)
{
    char *text = NULL;
    size_t length;
    cJSON *object = NULL;
    *state = (struct saved_state){0};
    if (file_read(path, JSON_BYTES_MAX, &text, &length, error) != STATUS_OK)
        return error->status;
    enum status status = json_parse_object(text, length, path, &object, error);
    if (status == STATUS_OK)
        status = read_state(object, path, state, error);
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
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        free(state->values[i]);
    *state = (struct saved_state){0};
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

static void write_look(FILE *stream, const struct session *session)
{
    struct field_value value;
    const char *separator = "";
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_is_look(field) && field_write(session, field, &value)) {
            fprintf(stream, "%s\n  \"%s\": ", separator, field_info(field)->name);
            json_write_string(stream, value.text, value.length);
            separator = ",";
        }
}

static void write_all(FILE *stream, const struct session *session)
{
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
        field_write_json(stream, session, FIELD_MASK);
        fputs(",\n \"changes\": ", stream);
        fields_write_network(stream, session, &source->changes);
    }
    fputs(",\n \"settings\": {", stream);
    write_look(stream, session);
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
    char name[PATH_MAX];
    struct writer writer;
    struct error error;
    enum status status = session->state_path ? writer_open(&writer, session->state_path, &error)
                                             : writer_open_numbered(&writer, "json", &error);
    if (status == STATUS_OK) {
        snprintf(name, sizeof name, "%s", session->state_path ? session->state_path : writer.path);
        write_all(writer.stream, session);
        status = writer_commit(&writer, &error);
    }
    if (status == STATUS_OK)
        session_say(session, "state saved as %s", name);
    else
        session_say(session, "%s", error.message);
}
