/* texts_json.c: a line of a .jsonl file: an object. Members that are not of its texts are
 * carried through as they stand in the file: a number keeps digits that a double hasn't got. */
#include "headlight/survey/texts_parts.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"

#include <stdlib.h>
#include <string.h>

static enum status expect(const char *name, const char *expected, struct error *error)
{
    return error_set(error, STATUS_FORMAT, "expected %s for \"%s\", found another value", expected,
                     name);
}

/* ---- Known members ------------------------------------------------------------------------ */

/* Of columns that the user names none may be missing. */
static enum status read_text(const cJSON *object, struct texts_made *made, size_t index,
                             struct error *error)
{
    const char *name = made->columns[index];
    const cJSON *item = name ? json_member(object, name) : NULL;
    char names[400] = "";
    if (item && !cJSON_IsString(item))
        return expect(name, "a string", error);
    if (item)
        made->text.texts[index] = text_of_string(item->valuestring);
    if (item || !name || !made->named)
        return STATUS_OK;
    cJSON_ArrayForEach(item, object)
    {
        format_add(names, sizeof names, "%s%s", *names ? ", " : "", item->string);
    }
    return error_set(error, STATUS_FORMAT,
                     "expected a text as \"%s\", found none; its members are: %s", name, names);
}

/* A string, or a whole number, which becomes one in the tree. Beside columns that the user names it
 * may have any value. */
static enum status read_name(struct texts_made *made, const char *name, struct text *text,
                             struct error *error)
{
    size_t number;
    cJSON *item = (cJSON *)json_member(made->json, name);
    if (!item)
        return STATUS_OK;
    if (json_is_size(item, &number)) {
        item->valuestring = memory_print(error, "%zu", number);
        if (!item->valuestring)
            return error->status;
        item->type = cJSON_String;
    }
    if (!cJSON_IsString(item))
        return made->named ? STATUS_OK
                           : expect(name, "a string or a whole number up to 2^53", error);
    *text = text_of_string(item->valuestring);
    return STATUS_OK;
}

static enum status read_words(const cJSON *words, struct texts_made *made, struct error *error)
{
    const cJSON *word;
    if (!cJSON_IsArray(words) || !words->child)
        return expect("words", "a list of words", error);
    cJSON_ArrayForEach(word, words)
    {
        if (!cJSON_IsString(word) || texts_is_blank(word->valuestring, strlen(word->valuestring)))
            return error_set(error, STATUS_FORMAT,
                             "expected a string that isn't blank as word %zu of \"words\"",
                             made->text.word_count + 1);
        if (texts_add_word(made, text_of_string(word->valuestring), error) != STATUS_OK)
            return error->status;
    }
    texts_end_words(made);
    return STATUS_OK;
}

/* One for each word; null where there is none. */
static enum status read_tags(const cJSON *tags, struct texts_made *made, struct error *error)
{
    const cJSON *tag;
    size_t count = 0;
    if (!tags || made->named)
        return STATUS_OK;
    if (made->text.word_count == 0)
        return error_set(error, STATUS_FORMAT,
                         "expected a list of \"words\" for \"tags\", found none");
    if (!cJSON_IsArray(tags) || (size_t)cJSON_GetArraySize(tags) != made->text.word_count)
        return expect("tags", "a list as long as that of \"words\"", error);
    made->tags = memory_new(made->text.word_count, sizeof *made->tags, 0, "tags", error);
    if (!made->tags)
        return error->status;
    cJSON_ArrayForEach(tag, tags)
    {
        if (!cJSON_IsString(tag) && !cJSON_IsNull(tag))
            return expect("tags", "strings", error);
        made->tags[count++] = text_of_string(cJSON_IsNull(tag) ? "" : tag->valuestring);
    }
    made->text.tags = made->tags;
    return STATUS_OK;
}

static enum status read_texts(const cJSON *object, struct texts_made *made, struct error *error)
{
    struct corpus_text *text = &made->text;
    const cJSON *words = made->named ? NULL : json_member(object, "words");
    if (read_text(object, made, 0, error) != STATUS_OK ||
        read_text(object, made, 1, error) != STATUS_OK)
        return error->status;
    const bool first = text->texts[0].bytes != NULL;
    if (first == (words != NULL))
        return error_set(error, STATUS_FORMAT,
                         "expected a text as \"a\" or a list of \"words\", "
                         "found %s",
                         first ? "both" : "neither");
    text->text_count = text->texts[1].bytes ? 2 : 1;
    return words ? read_words(words, made, error) : STATUS_OK;
}

/* ---- What is carried ---------------------------------------------------------------------- */

#define DIGITS "0123456789"

static const char *skip_space(const char *at)
{
    while (*at && (unsigned char)*at <= ' ')
        at++;
    return at;
}

static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* The end of a member's value, which is JSON: the parser has been here. */
static const char *skip_value(const char *at)
{
    for (int depth = 0; depth > 0 || !strchr(",}", *at);) {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at = *at == '"' ? skip_string(at) : at + 1;
    }
    return at;
}

/* RFC 8259, section 6. */
static bool is_number(const char *at, const char *end)
{
    at += *at == '-';
    const size_t whole = strspn(at, DIGITS);
    if (whole == 0 || (whole > 1 && *at == '0'))
        return false;
    at += whole;
    if (*at == '.') {
        const size_t digits = strspn(at + 1, DIGITS);
        at += digits > 0 ? digits + 1 : 0;
    }
    if (*at == 'e' || *at == 'E') {
        const size_t sign = at[1] == '+' || at[1] == '-';
        const size_t digits = strspn(at + 1 + sign, DIGITS);
        at += digits > 0 ? digits + sign + 1 : 0;
    }
    return at == end;
}

/* cJSON reads "01" and "1." too, which others would refuse to read when it is carried to them. */
static enum status check_numbers(const char *at, struct error *error)
{
    while (*at) {
        const char *end = at + strspn(at, "+-.eE" DIGITS);
        if (*at == '"')
            at = skip_string(at);
        else if (!strchr("-" DIGITS, *at))
            at++;
        else if (is_number(at, end))
            at = end;
        else
            return error_set(error, STATUS_FORMAT, "expected a number of JSON, found %.*s",
                             (int)(end - at < 40 ? end - at : 40), at);
    }
    return STATUS_OK;
}

/* All that isn't of the texts themselves. */
static bool is_carried(const struct texts_made *made, const char *name)
{
    const char *const own[] = {"id", made->columns[0], made->columns[1],
                               made->named ? NULL : "words"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] && strcmp(own[i], name) == 0)
            return false;
    return true;
}

/* The tree's members stand in the order of the text's; their names are compared without escapes. */
static void write_carried(const struct texts_made *made, const char *json, FILE *stream)
{
    const cJSON *item;
    const char *at = skip_space(json) + 1;
    bool any = false;
    cJSON_ArrayForEach(item, made->json)
    {
        const char *name = skip_space(at), *colon = skip_space(skip_string(name));
        const char *end = skip_value(colon + 1);
        if (is_carried(made, item->string)) {
            fputs(any ? "," : "", stream);
            json_write_raw(stream, name, (size_t)(end - name));
            any = true;
        }
        at = end + 1;
    }
}

static enum status carry(const char *json, struct texts_made *made, struct error *error)
{
    const cJSON *item = made->json->child;
    struct buffer buffer;
    while (item && !is_carried(made, item->string))
        item = item->next;
    if (!item)
        return STATUS_OK;
    if (check_numbers(json, error) != STATUS_OK)
        return error->status;
    if (buffer_open(&buffer))
        write_carried(made, json, buffer.stream);
    made->carried = buffer_close(&buffer);
    if (!made->carried)
        return error_memory(error, "a text", strlen(json));
    made->text.carried = text_of_string(made->carried);
    return STATUS_OK;
}

/* Takes each \u0000 out of a copy of the line: what is carried keeps its own. */
static size_t leave_out_nuls(char *json)
{
    char *to = json;
    for (const char *at = json; *at;) {
        const size_t length = *at == '\\' && at[1] ? 2 : 1;
        if (strncmp(at, "\\u0000", 6) == 0) {
            at += 6;
            continue;
        }
        memmove(to, at, length);
        to += length;
        at += length;
    }
    *to = '\0';
    return (size_t)(to - json);
}

/* Of a line that isn't JSON the parser's own place in it says nothing: it counts its lines. */
static enum status parse(const struct texts_record *record, cJSON **json, struct error *error)
{
    const bool nuls = strstr(record->bytes, "\\u0000") != NULL;
    char *copy = nuls ? memory_print(error, "%s", record->bytes) : NULL;
    if (nuls && !copy)
        return error->status;
    const size_t length = copy ? leave_out_nuls(copy) : record->length;
    const enum status status =
        json_parse_long_object(copy ? copy : record->bytes, length, length, "a line", json, error);
    const char *fault = status == STATUS_FORMAT ? json_fault(record->bytes, record->length) : NULL;
    free(copy);
    return status != STATUS_FORMAT
               ? status
               : error_set(error, STATUS_FORMAT, "expected one JSON object and nothing else%s%s",
                           fault ? ", found " : "", fault ? fault : "");
}

enum status texts_read_json(struct texts_record *record, struct texts_made *made,
                            struct error *error)
{
    struct text id = {"", 0};
    if (parse(record, &made->json, error) != STATUS_OK ||
        read_name(made, "id", &id, error) != STATUS_OK)
        return error->status;
    made->id = (char *)id.bytes;
    made->id_length = id.length;
    if (read_texts(made->json, made, error) != STATUS_OK ||
        read_name(made, "answer", &made->text.answer, error) != STATUS_OK ||
        read_name(made, "label", &made->text.label, error) != STATUS_OK ||
        read_tags(json_member(made->json, "tags"), made, error) != STATUS_OK)
        return error->status;
    return carry(record->bytes, made, error);
}
