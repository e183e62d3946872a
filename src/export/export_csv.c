/* export_csv.c: the map on screen as CSV. Spreadsheets open such files and terminals print them, so
 * no field may be a formula for the one or a control sequence for the other. */
#include "headlight/export/export.h"

#include "headlight/base/format.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* Whether a spreadsheet would evaluate the text instead of showing it: a sign before a name or a
 * number, unless the whole text is a signed number. */
static bool is_formula(const char *text)
{
    static const char *const names =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    char *end;
    if (!*text || !strchr("=+-@", *text) || !strpbrk(text, names))
        return false;
    strtod(text, &end);
    return *end != '\0';
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

/* A field as in RFC 4180: in quotes if it contains a comma, a quote or white space. Invisible
 * characters are written as \u{…}, as is the sign that begins a formula. */
static void write_field(FILE *stream, const char *text)
{
    size_t length = strlen(text);
    bool quoted = strpbrk(text, ",\" \t\r\n") != NULL, formula = is_formula(text);
    fputs(quoted ? "\"" : "", stream);
    for (size_t i = 0; i < length;) {
        int32_t code;
        bool escaped = formula && i == 0;
        i += unicode_next(text + i, length - i, &code);
        csv_write_code(stream, code, escaped);
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
