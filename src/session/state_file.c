/* state_file.c: a state as JSON. Fields have the names and values of the command line's options, so
 * that a file can be read, written and checked by hand; fields missing from older files keep their
 * defaults. A file is read into strings first: what they mean depends on the model and the texts,
 * which the caller loads. */
#include "headlight/session/state_file.h"

#include "headlight/base/writer.h"
#include "headlight/session/pager.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Reading ---- */

/* Settings, whose unknown names are errors, as they may be misspelt options; or changes of the
 * network, of which null and false are none. Values are as on the command line, and a number's text
 * is kept with it. */
static void read_fields(const struct json_reader *in, const char *name, bool settings,
                        struct saved_state *state)
{
    cJSON *item;
    char number[40];
    struct error inner;
    const struct json_reader fields = json_inner(in, name);
    cJSON_ArrayForEach(item, fields.object)
    {
        const enum state_field field = field_named(item->string);
        const bool known =
            field < FIELD_COUNT &&
            (settings ? field_is_look(field) : field_is_network(field) && !field_is_alias(field));
        if (settings && !known)
            json_refuse(in, STATUS_FORMAT,
                        "\"settings\": expected names of options that headlight help all lists, "
                        "found \"%s\"",
                        item->string);
        if (!known || (!settings && (cJSON_IsNull(item) || cJSON_IsFalse(item))))
            continue;
        if (!cJSON_IsBool(item) && !cJSON_IsString(item) && !cJSON_IsNumber(item))
            json_refuse(in, STATUS_FORMAT,
                        "expected \"%s\" to be a string, a number, true or false, found another "
                        "value",
                        item->string);
        snprintf(number, sizeof number, "%.15g", item->valuedouble);
        if (cJSON_IsNumber(item) && !item->valuestring && !(item->valuestring = strdup(number)))
            error_memory(in->error, "the state", strlen(number));
        state->values[field] = cJSON_IsTrue(item)    ? "on"
                               : cJSON_IsFalse(item) ? "off"
                                                     : item->valuestring;
        if (json_is_fine(in) && field_check(field, state->values[field], &inner) != STATUS_OK)
            json_refuse(in, STATUS_FORMAT, "%s", inner.message);
    }
}

/* "headlight" tells a state from other JSON: writing over somebody else's file would be worse than
 * an error. Of the numbers of a corpus that are missing each means all texts, or the first;
 * "special" is the opposite of --raw-text. */
static void read_state(const struct json_reader *in, struct saved_state *state)
{
    const cJSON *texts = json_read(in, "texts"), *text;
    bool fit = !texts || (cJSON_IsArray(texts) && cJSON_GetArraySize(texts) <= 2);
    const struct {
        const char *name, **value;
    } strings[] = {
        {"model", &state->model},
        {"family", &state->family},
        {"against", &state->against},
        {"recording", &state->recording},
        {"survey", &state->survey},
        {"columns", &state->columns},
        {"corpus", &state->corpus},
        {"mask", &state->values[FIELD_MASK]},
        {"generated", &state->values[FIELD_GENERATED]},
    };
    if (!json_member(in->object, "headlight") || json_member(in->object, "format"))
        json_refuse(in, STATUS_FORMAT,
                    "expected a state that headlight wrote, found other JSON: name another file, "
                    "or one that does not exist yet");
    for (size_t i = 0; i < LENGTH(strings); i++)
        *strings[i].value = json_string(in, strings[i].name, NULL);
    state->corpus_number = json_size(in, "corpus_number", 0);
    state->choice = (struct corpus_choice){json_size(in, "sample", 0), json_size(in, "seed", 0),
                                           json_size(in, "shard", 0), json_size(in, "shards", 1),
                                           .columns = state->columns};
    /* none, one or two; that they are not too long is checked when they are opened */
    cJSON_ArrayForEach(text, texts)
    {
        fit = fit && cJSON_IsString(text);
    }
    if (!fit)
        json_refuse(in, STATUS_FORMAT,
                    "expected \"texts\" to be a list of one or two strings, found another value");
    for (text = fit && texts ? texts->child : NULL; text; text = text->next)
        state->texts[state->text_count++] = text->valuestring;
    if (!json_bool(in, "special", true))
        state->values[FIELD_RAW_TEXT] = "on";
    read_fields(in, "changes", false, state);
    read_fields(in, "settings", true, state);
}

bool state_file_exists(const char *path)
{
    return file_exists(path) && !file_is_empty(path);
}

/* On an error *state holds what was read so far; state_file_free frees it. */
enum status state_file_parse(const char *text, size_t length, const char *source,
                             struct saved_state *state, struct error *error)
{
    *state = (struct saved_state){.source = source};
    if (json_parse_object(text, length, source, &state->json, error) != STATUS_OK)
        return error->status;
    const struct json_reader in = json_reader(state->json, source, error);
    read_state(&in, state);
    return error->status;
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
    cJSON_Delete(state->json);
    *state = (struct saved_state){0};
}

/* ---- Writing ---- */

/* Too large for a stack; one writer is open at a time. */
static struct field_value value;

/* Every field is there, so that a reader needn't know the defaults. Flags are true or false; all
 * other values are strings, as on the command line. */
void state_file_write_network(struct json_writer *json, const struct session *session)
{
    json_open(json, "changes", "{");
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        if (!field_is_network(field) || field_is_alias(field))
            continue;
        const bool given = field_write(session, field, &value);
        const char *name = field_info(field)->name;
        json_put(json, field_is_on(field_choice(field, 1)) ? JSON(name, given)
                                                           : JSON(name, given ? value.text : NULL));
    }
    json_close(json, "}");
}

/* In a line of its own, if it is given. */
static void write_line(struct json_writer *json, struct json_value member)
{
    json->line = true;
    json_put(json, member);
}

/* A recording replaces model, texts and changes. */
static void write_all(FILE *stream, const struct session *session)
{
    struct json_writer writer = {.stream = stream}, *json = &writer;
    const struct source *source = &session->state.source;
    const char *origin = session->recording ? source->recording : source->model;
    json_open(json, NULL, "{");
    json_put(json, JSON("headlight", HEADLIGHT_VERSION));
    write_line(json, JSON_IF(session->data.bits, "bits", session->data.bits));
    write_line(json, JSON(session->recording ? "recording" : "model", *origin ? origin : NULL));
    write_line(json, JSON_IF(*source->family, "family", source->family));
    write_line(json, JSON_IF(*source->against, "against", source->against));
    write_line(json, JSON_IF(*source->survey, "survey", source->survey));
    if (pager_is_open(session)) {
        const struct corpus_choice choice = corpus_chosen(session->pager.corpus);
        write_line(json, JSON("corpus", session->pager.path));
        write_line(json, JSON_IF(choice.columns, "columns", choice.columns));
        write_line(json, JSON("corpus_number", session->pager.number));
        if (choice.sample > 0 || choice.parts > 1)
            json_put(json, JSON("sample", choice.sample), JSON("seed", choice.seed),
                     JSON("shard", choice.part), JSON("shards", choice.parts));
    }
    json->line = true;
    if (!session->recording)
        json_list(json, "texts", i, source->texts.count, JSON(NULL, texts_at(&source->texts, i)));
    if (session->checkpoint) {
        write_line(json, JSON("special", source->special));
        const bool masked = field_write(session, FIELD_MASK, &value);
        write_line(json, JSON("mask", masked ? value.text : NULL));
        const bool generated = field_write(session, FIELD_GENERATED, &value);
        write_line(json, JSON_IF(generated, "generated", value.text));
        json->line = true;
        state_file_write_network(json, session);
    }
    json->line = true;
    json_open(json, "settings", "{");
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_is_look(field) && field_write(session, field, &value))
            write_line(json, JSON_OF(field_info(field)->name, value.text, value.length));
    json_close(json, "}");
    json_close(json, "}\n");
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
