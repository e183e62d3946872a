/* texts_table.c: a row of a .csv file (RFC 4180), or of a .tsv file, in which a quote is a sign
 * like any other. A row is then an object of strings, as a line of .jsonl may be. A line of a .txt
 * file is a row without a first one that names columns: a text, or two with a tab between. */
#include "headlight/survey/texts_parts.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"

#include <stdlib.h>
#include <string.h>

/* Without its end. */
static struct text record_row(const struct texts_record *record)
{
    size_t length = record->length;
    length -= length > 0 && record->bytes[length - 1] == '\n';
    length -= length > 0 && record->bytes[length - 1] == '\r';
    return (struct text){record->bytes, length};
}

static enum status refuse_columns(const struct texts_made *made, const char *missing,
                                  struct error *error)
{
    char names[400] = "";
    for (size_t i = 0; i < made->header.count; i++)
        format_add(names, sizeof names, "%s%s", i > 0 ? ", " : "", made->header.items[i].bytes);
    return missing
               ? error_set(error, STATUS_USAGE,
                           "--columns: expected names of the first row, %s, found \"%s\"", names,
                           missing)
               : error_set(error, STATUS_USAGE,
                           "expected --columns NAME, or NAME,NAME for pairs, that says which of "
                           "its columns are texts, %s; lines without such a first row are read "
                           "by headlight run - < FILE",
                           names);
}

/* Keeps the record's bytes, in which the names stand. */
static enum status read_header(struct texts_record *record, struct texts_made *made,
                               struct error *error)
{
    free(made->header_bytes);
    made->header_bytes = record->bytes;
    made->header_offset = record->offset;
    const enum status status =
        texts_split(record_row(record), made->separator, &made->header, error);
    record->bytes = NULL;
    record->room = 0;
    if (status != STATUS_OK)
        return status;
    if (!made->named)
        return refuse_columns(made, NULL, error);
    for (size_t i = 0; i < 2 && made->columns[i]; i++) {
        bool found = false;
        for (size_t at = 0; at < made->header.count; at++)
            found |= strcmp(made->header.items[at].bytes, made->columns[i]) == 0;
        if (!found)
            return refuse_columns(made, made->columns[i], error);
    }
    return STATUS_OK;
}

enum status texts_read_row(struct texts_record *record, struct texts_made *made,
                           struct error *error)
{
    if (!made->header_bytes || record->offset == made->header_offset)
        return read_header(record, made, error);
    if (texts_split(record_row(record), made->separator, &made->row, error) != STATUS_OK)
        return error->status;
    if (made->row.count != made->header.count)
        return error_set(error, STATUS_FORMAT,
                         "expected the %zu columns of the first row, found %zu", made->header.count,
                         made->row.count);
    made->json = cJSON_CreateObject();
    if (!made->json)
        return error_memory(error, "a text", record->length);
    for (size_t i = 0; i < made->row.count; i++)
        if (!cJSON_AddItemToObjectCS(made->json, made->header.items[i].bytes,
                                     cJSON_CreateStringReference(made->row.items[i].bytes)))
            return error_memory(error, "a text", record->length);
    return texts_read_object(record, made, error);
}

enum status texts_read_line(struct texts_record *record, struct texts_made *made,
                            struct error *error)
{
    struct corpus_text *text = &made->text;
    size_t at = 0;
    const struct text line = text_take_line((struct text){record->bytes, record->length}, &at);
    if (texts_split(line, '\t', &made->row, error) != STATUS_OK)
        return error->status;
    text->text_count = made->row.count;
    if (text->text_count > 2) /* ten columns: no other line of it would be a text, either */
        return error_set(error, text->text_count == 10 ? STATUS_UNSUPPORTED : STATUS_FORMAT,
                         "expected one tab, between the texts of a pair, found %s",
                         text->text_count == 10 ? "nine, as in CoNLL-U: name it .conllu" : "more");
    for (size_t i = 0; i < made->row.count; i++) {
        text->texts[i] = made->row.items[i];
        if (text->text_count > 1 && texts_is_blank(text->texts[i].bytes, text->texts[i].length))
            return error_set(error, STATUS_FORMAT,
                             "expected a text on both sides of the tab, found none on one");
    }
    return STATUS_OK;
}

/* ">sp|P01308|INS_HUMAN Insulin": up to a blank it is a name, as of protein data banks. */
enum status texts_read_fasta(struct texts_record *record, struct texts_made *made,
                             struct error *error)
{
    size_t at = 0, length = 0;
    const struct text header = text_take_line((struct text){record->bytes, record->length}, &at);
    char *sequence = record->bytes + at;
    if (record->bytes[0] != '>')
        return error_set(error, STATUS_FORMAT,
                         "expected a record of FASTA, \">\" with a name and the sequence below it, "
                         "found \"%.*s\"",
                         (int)size_min(header.length, 80), header.bytes);
    for (; at < record->length; at++)
        if (!texts_is_blank(record->bytes + at, 1))
            sequence[length++] = record->bytes[at];
    if (length == 0)
        return error_set(error, STATUS_FORMAT, "expected a sequence below \"%.*s\", found none",
                         (int)size_min(header.length, 80), header.bytes);
    sequence[length] = '\0';
    made->id = record->bytes + 1;
    made->id_length = strcspn(made->id, " \t\r\n");
    made->text.texts[0] = (struct text){sequence, length};
    made->text.text_count = 1;
    return STATUS_OK;
}
