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

static enum status split(struct text line, struct text fields[COLUMNS], struct error *error)
{
    size_t count = 0, start = 0;
    for (size_t i = 0; i <= line.length; i++)
        if (i == line.length || line.bytes[i] == '\t') {
            if (count < COLUMNS)
                fields[count] = (struct text){line.bytes + start, i - start};
            count++;
            start = i + 1;
        }
    if (count == COLUMNS)
        return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "expected the ten columns of CoNLL-U with tabs between, found %zu", count);
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
static bool is_passed_over(struct text id)
{
    size_t number;
    const char *mark = memchr(id.bytes, '-', id.length);
    mark = mark ? mark : memchr(id.bytes, '.', id.length);
    if (!mark)
        return false;
    const size_t first = (size_t)(mark - id.bytes);
    return read_number((struct text){id.bytes, first}, &number) &&
           read_number((struct text){mark + 1, id.length - first - 1}, &number);
}

/* Heads are words' numbers until all are known: see check_heads. */
static enum status read_head(struct text field, size_t number, size_t *head, struct error *error)
{
    *head = NO_WORD;
    if (given(field).length == 0 && field.length == 1)
        return STATUS_OK;
    if (!read_number(field, head))
        return error_set(error, STATUS_FORMAT, "expected a word's number as HEAD, found \"%.*s\"",
                         (int)(field.length < 80 ? field.length : 80), field.bytes);
    if (*head == number)
        return error_set(error, STATUS_FORMAT, "expected another word as HEAD of word %zu", number);
    *head = *head == 0 ? NO_WORD : *head - 1;
    return STATUS_OK;
}

static enum status read_word(struct text line, struct texts_made *made, struct error *error)
{
    struct text fields[COLUMNS];
    const size_t expected = made->text.word_count + 1;
    size_t number, head;
    if (split(line, fields, error) != STATUS_OK)
        return error->status;
    if (is_passed_over(fields[ID]))
        return STATUS_OK;
    if (!read_number(fields[ID], &number) || number != expected)
        return error_set(error, STATUS_FORMAT, "expected word %zu, found \"%.*s\"", expected,
                         (int)(fields[ID].length < 80 ? fields[ID].length : 80), fields[ID].bytes);
    if (texts_is_blank(fields[FORM].bytes, fields[FORM].length))
        return error_set(error, STATUS_FORMAT, "expected a FORM, found none");
    if (read_head(fields[HEAD], number, &head, error) != STATUS_OK ||
        texts_add_word(made, fields[FORM], error) != STATUS_OK)
        return error->status;
    struct corpus_word *word = &made->words[number - 1];
    word->upos = given(fields[UPOS]);
    word->relation = given(fields[DEPREL]);
    word->head = head;
    return STATUS_OK;
}

static enum status read_lines(struct text lines, struct texts_made *made, struct error *error)
{
    for (size_t at = 0; at < lines.length; made->wrong_line++) {
        const struct text line = text_take_line(lines, &at);
        if (line.length == 0 || texts_is_blank(line.bytes, line.length))
            break;
        if (line.bytes[0] == '#')
            read_comment(line, made);
        else if (read_word(line, made, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* Finds the line of the word whose head isn't there. */
static enum status check_heads(struct text lines, struct texts_made *made, struct error *error)
{
    size_t word = 0, number;
    made->wrong_line = 0;
    for (size_t at = 0; word < made->text.word_count; made->wrong_line++) {
        const struct text line = text_take_line(lines, &at);
        const char *tab = memchr(line.bytes, '\t', line.length);
        if (line.bytes[0] == '#' || !tab ||
            !read_number((struct text){line.bytes, (size_t)(tab - line.bytes)}, &number))
            continue;
        const size_t head = made->words[word++].head;
        if (head != NO_WORD && head >= made->text.word_count)
            return error_set(error, STATUS_FORMAT,
                             "expected a HEAD of at most %zu, the sentence's words, found %zu",
                             made->text.word_count, head + 1);
    }
    return STATUS_OK;
}

enum status texts_read_conllu(struct texts_record *record, struct texts_made *made,
                              struct error *error)
{
    const struct text lines = {record->bytes, record->length};
    if (read_lines(lines, made, error) != STATUS_OK || check_heads(lines, made, error) != STATUS_OK)
        return error->status;
    if (made->text.word_count > 0)
        texts_end_words(made);
    return STATUS_OK;
}
