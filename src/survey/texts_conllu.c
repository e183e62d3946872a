/* texts_conllu.c: a sentence of a .conllu file (https://universaldependencies.org/format.html): a
 * word a line in ten columns, of which ID, FORM, UPOS, HEAD and DEPREL are read. */
#include "headlight/survey/texts_parts.h"

#include <string.h>

enum { ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC, COLUMNS };

/* A word that may not be said: "_". */
static struct text given(struct text field)
{
    return field.length == 1 && field.bytes[0] == '_' ? (struct text){"", 0} : field;
}

/* "# sent_id = weblog-1" */
static void read_comment(struct text line, struct texts_made *made)
{
    char *at = (char *)line.bytes + 1;
    at += strspn(at, " \t");
    if (strncmp(at, "sent_id", 7) != 0)
        return;
    at += 7 + strspn(at + 7, " \t");
    if (*at != '=')
        return;
    at++;
    at += strspn(at, " \t");
    made->id = at;
    made->id_length = (size_t)(line.bytes + line.length - at);
    while (made->id_length > 0 && texts_is_blank(at + made->id_length - 1, 1))
        made->id_length--;
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

/* "1-2", "8.1": of more than a word, or of none. */
static bool is_passed_over(const char *id)
{
    static const char digits[] = "0123456789";
    const size_t first = strspn(id, digits);
    const char *second = id + first + (id[first] != '\0');
    return first > 0 && strchr("-.", id[first]) && *second && !second[strspn(second, digits)];
}

static enum status read_head(struct text field, size_t number, size_t words, size_t *head,
                             struct error *error)
{
    *head = NO_WORD;
    if (strcmp(field.bytes, "_") == 0)
        return STATUS_OK;
    if (!read_number(field, head))
        return error_set(error, STATUS_FORMAT, "expected a word's number as HEAD, found \"%.80s\"",
                         field.bytes);
    if (*head == number)
        return error_set(error, STATUS_FORMAT, "expected another word as HEAD of word %zu", number);
    if (*head > words)
        return error_set(error, STATUS_FORMAT,
                         "expected a HEAD of at most %zu, the sentence's words, found %zu", words,
                         *head);
    *head = *head == 0 ? NO_WORD : *head - 1;
    return STATUS_OK;
}

static enum status read_word(struct text line, size_t words, struct texts_made *made,
                             struct error *error)
{
    const size_t expected = made->text.word_count + 1;
    size_t number, head;
    if (texts_split(line, '\t', &made->row, error) != STATUS_OK)
        return error->status;
    if (made->row.count != COLUMNS)
        return error_set(error, STATUS_FORMAT,
                         "expected the ten columns of CoNLL-U with tabs between, found %zu",
                         made->row.count);
    const struct text *fields = made->row.items;
    if (is_passed_over(fields[ID].bytes))
        return STATUS_OK;
    if (!read_number(fields[ID], &number) || number != expected)
        return error_set(error, STATUS_FORMAT, "expected word %zu, found \"%.80s\"", expected,
                         fields[ID].bytes);
    if (texts_is_blank(fields[FORM].bytes, fields[FORM].length))
        return error_set(error, STATUS_FORMAT, "expected a FORM, found none");
    if (read_head(fields[HEAD], number, words, &head, error) != STATUS_OK ||
        texts_add_word(made, fields[FORM], error) != STATUS_OK)
        return error->status;
    struct corpus_word *word = &made->words[number - 1];
    word->upos = given(fields[UPOS]);
    word->relation = given(fields[DEPREL]);
    word->head = head;
    return STATUS_OK;
}

/* Of lines of text, those that begin with a number and a tab. */
static size_t count_words(const char *lines)
{
    size_t count = 0;
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n') {
        const size_t digits = strspn(lines, "0123456789");
        count += digits > 0 && lines[digits] == '\t';
    }
    return count;
}

enum status texts_read_conllu(struct texts_record *record, struct texts_made *made,
                              struct error *error)
{
    const struct text lines = {record->bytes, record->length};
    const size_t words = count_words(record->bytes);
    for (size_t at = 0; at < lines.length; made->wrong_line++) {
        const struct text line = text_take_line(lines, &at);
        if (line.length == 0 || texts_is_blank(line.bytes, line.length))
            break;
        if (line.bytes[0] == '#')
            read_comment(line, made);
        else if (read_word(line, words, made, error) != STATUS_OK)
            return error->status;
    }
    if (made->text.word_count > 0)
        texts_end_words(made);
    return STATUS_OK;
}
