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
