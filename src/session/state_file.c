/* state_file.c: a state as JSON. Fields have the names and values of the command line's options, so
 * that a file can be read, written and checked by hand; fields missing from older files keep their
 * defaults. A file is read into strings first: what they mean depends on the model and the texts,
 * which the caller loads. */
#include "headlight/session/state_file.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/base/writer.h"
#include "headlight/session/turn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

struct state_reader {
    const char *source; /* for messages */
    struct saved_state *state;
    struct error *error;
};

/* A second value of the same name replaces the first. */
static enum status keep_string(struct state_reader *reader, const char *text, char **copy)
{
    free(*copy);
    *copy = strdup(text);
    return *copy ? STATUS_OK : error_memory(reader->error, "the state", strlen(text));
}

/* Null or missing: *copy stays NULL. */
static enum status copy_string(struct state_reader *reader, const cJSON *object, const char *name,
                               char **copy)
{
    const struct json_reader in = json_reader(object, reader->source, reader->error);
    const char *text = json_string(&in, name, NULL);
    return text ? keep_string(reader, text, copy) : reader->error->status;
}

/* None, one or two; that they are not too long is checked when they are opened. */
static enum status read_saved_texts(struct state_reader *reader, const cJSON *object)
{
    struct saved_state *state = reader->state;
    const cJSON *texts = json_member(object, "texts"), *text;
    if (!texts)
        return STATUS_OK;
    if (!cJSON_IsArray(texts) || cJSON_GetArraySize(texts) > 2)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected \"texts\" to be a list of one or two strings, found %s",
                         reader->source, cJSON_IsArray(texts) ? "more" : "another value");
    cJSON_ArrayForEach(text, texts)
    {
        if (!cJSON_IsString(text))
            return error_set(reader->error, STATUS_FORMAT,
                             "%s: expected \"texts\" to hold strings, found another value",
                             reader->source);
        if (keep_string(reader, text->valuestring, &state->texts[state->text_count]) != STATUS_OK)
            return reader->error->status;
        state->text_count++;
    }
    return STATUS_OK;
}

/* The value as on the command line. */
static enum status read_value(struct state_reader *reader, const cJSON *item,
                              enum state_field field)
{
    char **value = &reader->state->values[field];
    char number[40];
    struct error inner;
    if (!cJSON_IsBool(item) && !cJSON_IsString(item) && !cJSON_IsNumber(item))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected \"%s\" to be a string, a number, true or false, found "
                         "another value",
                         reader->source, item->string);
    snprintf(number, sizeof number, "%.15g", item->valuedouble);
    if (keep_string(reader,
                    cJSON_IsBool(item)     ? cJSON_IsTrue(item) ? "on" : "off"
                    : cJSON_IsString(item) ? item->valuestring
                                           : number,
                    value) != STATUS_OK)
        return reader->error->status;
    if (field_check(field, *value, &inner) != STATUS_OK)
        return error_set(reader->error, STATUS_FORMAT, "%s: %s", reader->source, inner.message);
    return STATUS_OK;
}

/* Unknown names are errors, because they may be misspelt options. */
static enum status read_setting(struct state_reader *reader, const cJSON *item)
{
    enum state_field field = field_named(item->string);
    if (field == FIELD_COUNT || !field_is_look(field))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: \"settings\": expected names of options that headlight help all "
                         "lists, found \"%s\"",
                         reader->source, item->string);
    return read_value(reader, item, field);
}

/* Null or false: unchanged. */
static enum status read_change(struct state_reader *reader, const cJSON *item)
{
    enum state_field field = field_named(item->string);
    if (field == FIELD_COUNT || !field_is_network(field) || field_is_alias(field) ||
        cJSON_IsNull(item) || cJSON_IsFalse(item))
        return STATUS_OK;
    return read_value(reader, item, field);
}

/* Calls a reader for each member of the object of that name, if there is one. */
static enum status read_fields(struct state_reader *reader, const cJSON *object, const char *name,
                               enum status (*read)(struct state_reader *reader, const cJSON *item))
{
    const cJSON *fields = json_member(object, name), *item;
    if (!fields)
        return STATUS_OK;
    if (!cJSON_IsObject(fields))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected \"%s\" to be an object, found another value", reader->source,
                         name);
    cJSON_ArrayForEach(item, fields)
    {
        if (read(reader, item) != STATUS_OK)
            return reader->error->status;
    }
    return STATUS_OK;
}

/* Of numbers that are missing each means all texts, or the first. */
static enum status read_saved_corpus(struct state_reader *reader, const cJSON *object)
{
    static const char *const names[] = {"corpus_number", "sample", "seed", "shard", "shards"};
    struct saved_state *state = reader->state;
    const struct json_reader in = json_reader(object, reader->source, reader->error);
    size_t numbers[5];
    for (size_t i = 0; i < 5; i++)
        numbers[i] = json_size(&in, names[i], i == 4);
    state->corpus_number = numbers[0];
    if (!json_is_fine(&in) || copy_string(reader, object, "columns", &state->columns) != STATUS_OK)
        return reader->error->status;
    state->choice =
        (struct corpus_choice){numbers[1], numbers[2], numbers[3], numbers[4], state->columns};
    return copy_string(reader, object, "corpus", &state->corpus);
}

/* "special" is the opposite of --no-special. */
static enum status read_saved_special(struct state_reader *reader, const cJSON *object)
{
    const struct json_reader in = json_reader(object, reader->source, reader->error);
    return json_bool(&in, "special", true)
               ? reader->error->status
               : keep_string(reader, "on", &reader->state->values[FIELD_NO_SPECIAL]);
}

/* "headlight" tells a state from other JSON: writing over somebody else's file would be worse than
 * an error. */
static enum status read_state(struct state_reader *reader, const cJSON *object)
{
    struct saved_state *state = reader->state;
    if (!json_member(object, "headlight"))
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected a state that headlight wrote, found no \"headlight\" in it: "
                         "name another file, or one that does not exist yet",
                         reader->source);
    if (copy_string(reader, object, "model", &state->model) != STATUS_OK ||
        copy_string(reader, object, "family", &state->family) != STATUS_OK ||
        copy_string(reader, object, "against", &state->against) != STATUS_OK ||
        copy_string(reader, object, "recording", &state->recording) != STATUS_OK ||
        copy_string(reader, object, "survey", &state->survey) != STATUS_OK ||
        read_saved_corpus(reader, object) != STATUS_OK ||
        read_saved_texts(reader, object) != STATUS_OK ||
        read_saved_special(reader, object) != STATUS_OK ||
        copy_string(reader, object, "mask", &state->values[FIELD_MASK]) != STATUS_OK ||
        copy_string(reader, object, "generated", &state->values[FIELD_GENERATED]) != STATUS_OK ||
        read_fields(reader, object, "changes", read_change) != STATUS_OK)
        return reader->error->status;
    return read_fields(reader, object, "settings", read_setting);
}

bool state_file_exists(const char *path)
{
    return file_exists(path) && !file_is_empty(path);
}

/* On an error *state holds what was read so far; state_file_free frees it. */
enum status state_file_parse(const char *text, size_t length, const char *source,
                             struct saved_state *state, struct error *error)
{
    struct state_reader reader = {source, state, error};
    cJSON *object = NULL;
    *state = (struct saved_state){.source = source};
    enum status status = json_parse_object(text, length, source, &object, error);
    if (status == STATUS_OK)
        status = read_state(&reader, object);
    cJSON_Delete(object);
    return status;
}

enum status state_file_read(const char *path, struct saved_state *state, struct error *error)
{
    char *text;
    size_t length;
    *state = (struct saved_state){0};
    enum status status = file_read(path, JSON_BYTES_MAX, &text, &length, error);
    if (status == STATUS_OK)
        status = state_file_parse(text, length, path, state, error);
    free(text);
    return status;
}

void state_file_free(struct saved_state *state)
{
    free(state->model);
    free(state->family);
    free(state->against);
    free(state->recording);
    free(state->corpus);
    free(state->columns);
    free(state->survey);
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

static void write_corpus(FILE *stream, const struct turn *turn)
{
    const struct corpus_choice choice = corpus_chosen(turn->corpus);
    write_string(stream, "corpus", turn->path);
    if (choice.columns)
        write_string(stream, "columns", choice.columns);
    fprintf(stream, ",\n \"corpus_number\": %" PRIu64, turn->number);
    if (choice.sample > 0 || choice.parts > 1)
        fprintf(stream,
                ", \"sample\": %" PRIu64 ", \"seed\": %" PRIu64 ", \"shard\": %" PRIu64
                ", \"shards\": %" PRIu64,
                choice.sample, choice.seed, choice.part, choice.parts);
}

/* A recording replaces model, texts and changes. */
static void write_all(FILE *stream, const struct session *session)
{
    static struct field_value value; /* too large for a stack; one writer is open at a time */
    fputs("{\"headlight\": \"" HEADLIGHT_VERSION "\"", stream);
    const struct source *source = &session->state.source;
    const char *origin = session->recording ? source->recording : source->model;
    write_string(stream, session->recording ? "recording" : "model", *origin ? origin : NULL);
    if (*source->family)
        write_string(stream, "family", source->family);
    if (*source->against)
        write_string(stream, "against", source->against);
    if (*source->survey)
        write_string(stream, "survey", source->survey);
    if (turn_is_open(session))
        write_corpus(stream, &session->turn);
    if (!session->recording) {
        fputs(",\n \"texts\": [", stream);
        for (size_t i = 0; i < source->texts.count; i++) {
            fputs(i > 0 ? ", " : "", stream);
            json_write_text(stream, texts_at(&source->texts, i));
        }
        fputc(']', stream);
    }
    if (session->checkpoint) {
        fprintf(stream, ",\n \"special\": %s", source->special ? "true" : "false");
        fputs(",\n \"mask\": ", stream);
        field_write_json(stream, session, FIELD_MASK);
        if (field_write(session, FIELD_GENERATED, &value))
            write_string(stream, "generated", value.text);
        fputs(",\n \"changes\": ", stream);
        fields_write_network(stream, session, &source->changes);
    }
    fputs(",\n \"settings\": {", stream);
    const char *separator = "";
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_is_look(field) && field_write(session, field, &value)) {
            fprintf(stream, "%s\n  \"%s\": ", separator, field_info(field)->name);
            json_write_string(stream, value.text, value.length);
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
    return writer_commit(&writer, STATUS_OK, error);
}

/* The name is copied, as the writer's is gone once it has committed. */
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
        status = writer_commit(&writer, STATUS_OK, &error);
    }
    if (status == STATUS_OK)
        session_say(session, "state saved as %s", name);
    else
        session_say(session, "%s", error.message);
}
