/* export_csv.c: what the open view shows as CSV. Spreadsheets open such files and terminals print
 * them, so no field may be a formula for the one or a control sequence for the other. */
#include "headlight/export/export.h"

#include "headlight/base/format.h"
#include "headlight/export/export_members.h"
#include "headlight/text/unicode.h"
#include "headlight/view/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where a spreadsheet may begin another cell, after the language that it speaks: quotes don't keep
 * one that splits at semicolons from it. Line ends and tabs are never written. */
static bool is_separator(int32_t code)
{
    return code == ',' || code == ';';
}

/* With the full-width ones, which spreadsheets in some languages take for the others. */
static bool is_sign(int32_t code)
{
    switch (code) {
    case '=':
    case '+':
    case '-':
    case '@':
    case 0xFF1D: /* ＝ */
    case 0xFF0B: /* ＋ */
    case 0xFF0D: /* － */
    case 0xFF20: /* ＠ */
        return true;
    default:
        return false;
    }
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && !*end;
}

/* Where the last name or number of a text ends, in any script. */
static size_t end_of_names(const char *text, size_t length)
{
    while (length > 0 && !isalnum((unsigned char)text[length - 1]) && !(text[length - 1] & 0x80))
        length--;
    return length;
}

/* Writes a character of a field; none may control a terminal or end the line. */
static void csv_write_code(FILE *stream, int32_t code, bool escaped)
{
    if (escaped || is_unseen(code)) {
        fprintf(stream, "\\u{%x}", (unsigned)code);
    } else if (code == '"') {
        fputs("\"\"", stream);
    } else {
        char bytes[UNICODE_BYTES] = "";
        size_t length = unicode_encode(code, bytes);
        fwrite(bytes, 1, length, stream);
    }
}

/* A field as in RFC 4180: in quotes if it contains a separator, a quote or white space. Invisible
 * characters are written as \u{…}, as is the sign before a name or a number that makes a
 * spreadsheet evaluate a cell instead of showing it. */
void export_write_field(FILE *stream, const char *text)
{
    size_t length = strlen(text), names = end_of_names(text, length);
    int32_t before = ',', code;
    bool quoted = strpbrk(text, ",;\" \t\r\n") != NULL;
    fputs(quoted ? "\"" : "", stream);
    for (size_t i = 0; i < length; before = code) {
        const char *cell = text + i;
        i += unicode_next(cell, length - i, &code);
        bool formula = is_separator(before) && is_sign(code) && i < names && !is_number(cell);
        csv_write_code(stream, code, formula);
    }
    fputs(quoted ? "\"" : "", stream);
}

/* What is on the screen and nothing else, as its view has it. */
enum status export_csv(const struct output *output, FILE *stream, struct error *error)
{
    const struct scene scene = session_scene(output->session);
    const struct view *view = scene_view(&scene);
    struct table table = {stream, export_write_field, .top = export_top(output, scene.data.trace)};
    struct error inner;
    enum status status = view->table ? view->table(&scene, &table, &inner)
                                     : error_set(&inner, STATUS_UNSUPPORTED,
                                                 "what the %s view shows is no table", view->title);
    return status == STATUS_OK ? STATUS_OK : error_set(error, status, "--csv: %s", inner.message);
}
