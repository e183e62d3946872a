/* texts_made.c: what a text is made in, for the readers of all formats: its words, joined, and
 * memory that is kept from text to text. */
#include "headlight/survey/texts_parts.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

bool texts_is_blank(const char *bytes, size_t length)
{
    size_t i = 0;
    while (i < length && bytes[i] != '\0' && strchr(" \t\r\n", bytes[i]))
        i++;
    return i == length;
}

enum status texts_split(struct text line, char separator, struct texts_row *row,
                        struct error *error)
{
    char *at = (char *)line.bytes, *end = at + line.length;
    row->count = 0;
    for (bool last = false; !last; at++) {
        char *field = at, *to = at;
        bool quoted = separator == ',' && at < end && *at == '"';
        for (at += quoted; at < end && (quoted || *at != separator); at++) {
            if (quoted && *at == '"' && at[1] != '"') {
                quoted = false;
                continue;
            }
            at += quoted && *at == '"';
            *to++ = *at;
        }
        if (quoted)
            return error_set(error, STATUS_FORMAT,
                             "expected a quote that closes column %zu, found the end of the file",
                             row->count + 1);
        if (memory_grow(&row->items, &row->capacity, row->count + 1, sizeof *row->items, "a row",
                        error) != STATUS_OK)
            return error->status;
        row->items[row->count++] = (struct text){field, (size_t)(to - field)};
        last = at >= end;
        *to = '\0';
    }
    return STATUS_OK;
}

enum status texts_add_word(struct texts_made *made, struct text form, struct error *error)
{
    const size_t count = made->text.word_count;
    if (memory_grow(&made->words, &made->word_room, count + 1, sizeof *made->words,
                    "the words of a text", error) != STATUS_OK)
        return error->status;
    char *at = made->joined + made->joined_length;
    memcpy(at, form.bytes, form.length);
    at[form.length] = ' ';
    made->joined_length += form.length + 1;
    made->words[count] = (struct corpus_word){.form = {at, form.length}, .head = NO_WORD};
    made->text.word_count++;
    return STATUS_OK;
}

void texts_end_words(struct texts_made *made)
{
    made->joined[made->joined_length - 1] = '\0';
    made->text.texts[0] = (struct text){made->joined, made->joined_length - 1};
    made->text.words = made->words;
    made->text.text_count = size_max(made->text.text_count, 1);
}

void texts_clear(struct texts_made *made)
{
    cJSON_Delete(made->json);
    free(made->carried);
    free(made->tags);
    made->json = NULL;
    made->carried = NULL;
    made->tags = NULL;
    made->id = NULL;
    made->id_length = made->joined_length = made->wrong_line = 0;
    made->text = (struct corpus_text){0};
}

void texts_free(struct texts_made *made)
{
    texts_clear(made);
    free(made->words);
    free(made->joined);
    free(made->named);
    free(made->row.items);
    free(made->header.items);
    free(made->header_bytes);
}
