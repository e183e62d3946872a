/* texts_line.c: a line of a .txt file: a text, or two with a tab between. */
#include "headlight/survey/texts_parts.h"

#include <string.h>

enum status texts_read_line(struct texts_record *record, struct texts_made *made,
                            struct error *error)
{
    struct corpus_text *text = &made->text;
    size_t at = 0;
    const struct text line = text_take_line((struct text){record->bytes, record->length}, &at);
    const char *tab = memchr(line.bytes, '\t', line.length);
    const size_t first = tab ? (size_t)(tab - line.bytes) : line.length;
    text->texts[0] = (struct text){line.bytes, first};
    if (tab)
        text->texts[1] = (struct text){tab + 1, line.length - first - 1};
    if (tab && memchr(text->texts[1].bytes, '\t', text->texts[1].length))
        return error_set(error, STATUS_FORMAT,
                         "expected one tab, between the texts of a pair, "
                         "found more");
    if (tab && (texts_is_blank(line.bytes, first) ||
                texts_is_blank(text->texts[1].bytes, text->texts[1].length)))
        return error_set(error, STATUS_FORMAT,
                         "expected a text on both sides of the tab, found none on one");
    text->text_count = tab ? 2 : 1;
    return STATUS_OK;
}
