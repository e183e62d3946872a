/* texts_line.c: a line of a .txt file: a text, or two with a tab between. */
#include "headlight/survey/texts_parts.h"

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
