/* texts_table.c: a row of a .csv file (RFC 4180), or of a .tsv file, in which a quote is a sign
 * like any other. A row is then an object of strings, as a line of .jsonl may be. A line of a .txt
 * file is a row without a first one that names columns: a text, or two with a tab between. And
 * words in rows of ten columns, and sequences. */
#include "headlight/survey/texts_parts.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"

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
               ? error_usage(error, "--columns: expected names of the first row, %s, found \"%s\"",
                             names, missing)
               : error_usage(error,
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
    record->capacity = 0;
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

/* ---- CoNLL-U ---- */

/* A sentence of a .conllu file (https://universaldependencies.org/format.html): a word a line in
 * ten columns, of which ID, FORM, UPOS, HEAD and DEPREL are read. */
enum { ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC, COLUMNS };

/* A word that may not be said: "_". */
static struct text given(struct text field)
{
    return field.length == 1 && field.bytes[0] == '_' ? (struct text){"", 0} : field;
}

/* A number of at most nine digits and nothing else. */
static bool read_number(struct text field, size_t *number)
{
    *number = 0;
    for (size_t i = 0; i < field.length; i++) {
        if (field.bytes[i] < '0' || field.bytes[i] > '9')
            return false;
        *number = 10 * *number + (size_t)(field.bytes[i] - '0');
    }
    return field.length > 0 && field.length <= 9;
}

static enum status read_word(struct text line, size_t words, struct texts_made *made,
                             struct error *error)
{
    const size_t expected = made->text.word_count + 1;
    static const char digits[] = "0123456789";
    size_t number, head = NO_WORD;
    if (texts_split(line, '\t', &made->row, error) != STATUS_OK)
        return error->status;
    if (made->row.count != COLUMNS)
        return error_set(error, STATUS_FORMAT,
                         "expected the ten columns of CoNLL-U with tabs between, found %zu",
                         made->row.count);
    const struct text *fields = made->row.items;
    /* "1-2", "8.1": of more than a word, or of none */
    const char *mark = fields[ID].bytes + strspn(fields[ID].bytes, digits);
    if (mark > fields[ID].bytes && (*mark == '-' || *mark == '.') && mark[1] &&
        !mark[1 + strspn(mark + 1, digits)])
        return STATUS_OK;
    if (!read_number(fields[ID], &number) || number != expected)
        return error_set(error, STATUS_FORMAT, "expected word %zu, found \"%.80s\"", expected,
                         fields[ID].bytes);
    if (texts_is_blank(fields[FORM].bytes, fields[FORM].length))
        return error_set(error, STATUS_FORMAT, "expected a FORM, found none");
    const bool none = strcmp(fields[HEAD].bytes, "_") == 0;
    if (!none && !read_number(fields[HEAD], &head))
        return error_set(error, STATUS_FORMAT, "expected a word's number as HEAD, found \"%.80s\"",
                         fields[HEAD].bytes);
    if (head == number)
        return error_set(error, STATUS_FORMAT, "expected another word as HEAD of word %zu", number);
    if (!none && head > words)
        return error_set(error, STATUS_FORMAT,
                         "expected a HEAD of at most %zu, the sentence's words, found %zu", words,
                         head);
    if (texts_add_word(made, fields[FORM], error) != STATUS_OK)
        return error->status;
    struct corpus_word *word = &made->words[number - 1];
    word->upos = given(fields[UPOS]);
    word->relation = given(fields[DEPREL]);
    word->head = none || head == 0 ? NO_WORD : head - 1;
    return STATUS_OK;
}

enum status texts_read_conllu(struct texts_record *record, struct texts_made *made,
                              struct error *error)
{
    const struct text lines = {record->bytes, record->length};
    size_t words = 0; /* lines that begin with a number and a tab */
    for (const char *at = record->bytes; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const size_t digits = strspn(at, "0123456789");
        words += digits > 0 && at[digits] == '\t';
    }
    for (size_t at = 0; at < lines.length; made->wrong_line++) {
        const struct text line = text_take_line(lines, &at);
        if (line.length == 0 || texts_is_blank(line.bytes, line.length))
            break;
        if (line.bytes[0] != '#') {
            if (read_word(line, words, made, error) != STATUS_OK)
                return error->status;
            continue;
        }
        char *comment = (char *)line.bytes + 1 + strspn(line.bytes + 1, " \t");
        const bool names = strncmp(comment, "sent_id", 7) == 0; /* "# sent_id = weblog-1" */
        comment += names ? 7 + strspn(comment + 7, " \t") : 0;
        if (!names || *comment != '=')
            continue;
        made->id = comment + 1 + strspn(comment + 1, " \t");
        made->id_length = (size_t)(line.bytes + line.length - made->id);
        while (made->id_length > 0 && texts_is_blank(made->id + made->id_length - 1, 1))
            made->id_length--;
    }
    if (made->text.word_count > 0)
        texts_end_words(made);
    return STATUS_OK;
}
