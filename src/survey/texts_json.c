/* texts_json.c: a line of a .jsonl file: an object. Members that are not of its texts are
 * carried through as cJSON prints them. */
#include "headlight/survey/texts_parts.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"

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

/* A string, or a whole number, which gets one in the tree. Beside columns that the user names it
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
    }
    if (!item->valuestring)
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
                         first ? "both" : "neither (--columns NAME names another)");
    text->text_count = text->texts[1].bytes ? 2 : 1;
    return words ? read_words(words, made, error) : STATUS_OK;
}

/* ---- What is carried ---------------------------------------------------------------------- */

enum status texts_read_object(struct texts_record *record, struct texts_made *made,
                              struct error *error)
{
    struct text id = {"", 0};
    if (read_name(made, "id", &id, error) != STATUS_OK)
        return error->status;
    made->id = (char *)id.bytes;
    made->id_length = id.length;
    const cJSON *alignment = json_member(made->json, "alignment");
    if (cJSON_IsString(alignment))
        made->text.alignment = text_of_string(alignment->valuestring);
    if (read_texts(made->json, made, error) != STATUS_OK ||
        read_name(made, "answer", &made->text.answer, error) != STATUS_OK ||
        read_name(made, "label", &made->text.label, error) != STATUS_OK ||
        read_tags(json_member(made->json, "tags"), made, error) != STATUS_OK)
        return error->status;
    const char *const own[] = {"id", made->columns[0], made->columns[1],
                               made->named ? NULL : "words"};
    struct buffer buffer;
    const cJSON *item;
    bool any = false, fine = buffer_open(&buffer);
    cJSON_ArrayForEach(item, made->json)
    {
        bool carried = fine; /* what isn't of the texts themselves */
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            carried &= !own[i] || strcmp(own[i], item->string) != 0;
        if (!carried)
            continue;
        char *value = cJSON_PrintUnformatted(item);
        fine = value != NULL;
        fputs(any ? "," : "", buffer.stream);
        json_write_text(buffer.stream, item->string);
        fputc(':', buffer.stream);
        json_write_raw(buffer.stream, value, fine ? strlen(value) : 0);
        cJSON_free(value);
        any = true;
    }
    made->carried = buffer_close(&buffer);
    if (!fine || !made->carried)
        return error_memory(error, "a text", record->length);
    made->text.carried = text_of_string(made->carried);
    return STATUS_OK;
}

/* Of a line that isn't JSON the parser's own place in it says nothing: it counts its lines. */
enum status texts_read_json(struct texts_record *record, struct texts_made *made,
                            struct error *error)
{
    const char *fault = NULL;
    const enum status status = json_parse(record->bytes, record->length, record->length, false,
                                          "a line", &made->json, error);
    if (status == STATUS_OK)
        return texts_read_object(record, made, error);
    if (status == STATUS_FORMAT)
        fault = json_fault(record->bytes, record->length);
    return status != STATUS_FORMAT
               ? status
               : error_set(error, STATUS_FORMAT, "expected one JSON object and nothing else%s%s",
                           fault ? ", found " : "", fault ? fault : "");
}
