/* csv.c: a field of CSV. Spreadsheets open such files and terminals print them, so no field may be
 * a formula for the one or a control sequence for the other. */
#include "headlight/text/csv.h"

#include "headlight/base/format.h"
#include "headlight/text/unicode.h"

#include <ctype.h>
#include <stdlib.h>

static void write_field(FILE *stream, const char *text, size_t length)
{
    /* with the full-width ones, which spreadsheets in some languages take for the others */
    static const int32_t signs[] = {'=', '+', '-', '@', 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20};
    size_t names = length; /* where the last name or number ends, in any script */
    while (names > 0 && !isalnum((unsigned char)text[names - 1]) && !(text[names - 1] & 0x80))
        names--;
    int32_t before = ',', code;
    bool quoted = strpbrk(text, ",;\" \t\r\n") != NULL;
    fputs(quoted ? "\"" : "", stream);
    for (size_t i = 0; i < length; before = code) {
        const char *cell = text + i;
        i += unicode_next(cell, length - i, &code);
        /* Where a spreadsheet may begin another cell, after the language that it speaks: quotes
         * don't keep one that splits at semicolons from it. Line ends and tabs are never written.
         */
        bool formula = false;
        for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
            formula |= code == signs[k];
        formula &= (before == ',' || before == ';') && i < names;
        char bytes[UNICODE_BYTES] = "", *end;
        strtod(cell, &end);
        formula &= end == cell || *end; /* and no number */
        /* none may control a terminal or end the line */
        if (formula || is_unseen(code))
            fprintf(stream, "\\u{%x}", (unsigned)code);
        else if (code == '"')
            fputs("\"\"", stream);
        else
            fwrite(bytes, 1, unicode_encode(code, bytes), stream);
    }
    fputs(quoted ? "\"" : "", stream);
}

struct json_writer csv_writer(FILE *stream)
{
    return (struct json_writer){.stream = stream, .csv = true, .write_text = write_field};
}
