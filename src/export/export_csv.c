/* export_csv.c: the map on screen as CSV. Spreadsheets open such files and terminals print them, so
 * no field may be a formula for the one or a control sequence for the other. */
#include "headlight/export/export.h"

#include "headlight/base/format.h"
#include "headlight/text/unicode.h"

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
static void write_field(FILE *stream, const char *text)
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

/* One line. A mean has no layer or head of its own, so "mean" stands in its place, or "all" for a
 * map that heads share. Nine digits bring back the same float. */
static void write_edge(FILE *stream, const struct scene *scene, size_t map, size_t from, size_t to)
{
    if (scene->data.mean && scene->look.averaged == MEAN_LAYERS)
        fputs("mean,mean,", stream);
    else if (scene_is_single(scene))
        fprintf(stream, "%zu,%s,", scene->look.layer, scene->data.mean ? "mean" : "all");
    else
        fprintf(stream, "%zu,%zu,", scene->look.layer, map);
    fprintf(stream, "%zu,", from);
    write_field(stream, scene_label(scene, SIDE_LEFT, from));
    fprintf(stream, ",%zu,", to);
    write_field(stream, scene_label(scene, SIDE_RIGHT, to));
    fprintf(stream, ",%.9g\n", (double)scene_value(scene, map, from, to));
}

/* What is on the screen and nothing else: its map, its heads and its tokens. */
enum status export_csv(const struct output *output, FILE *stream, struct error *error)
{
    const struct scene shown = session_scene(output->session), *scene = &shown;
    struct token_range left = scene_range(scene, SIDE_LEFT), right = scene_range(scene, SIDE_RIGHT);
    (void)error;
    const enum map_kind kind = scene->data.map->kind;
    fprintf(stream, "layer,head,from,attending,to,attended,%s\n",
            kind == MAP_WEIGHTS ? "weight" : map_info(kind)->name);
    for (size_t map = 0; map < scene->data.head_count; map++)
        for (size_t from = left.first; head_mask_has(scene_maps(scene), map) && from < left.end;
             from++)
            for (size_t to = right.first; to < right.end; to++)
                write_edge(stream, scene, map, from, to);
    return STATUS_OK;
}
