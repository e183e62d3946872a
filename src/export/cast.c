/* cast.c: frames of the screen as an asciinema cast. Only canvases are known here, so that the
 * screen and a script are recorded alike; a frame that looks like the last one writes nothing. */
#include "headlight/export/cast.h"

#include "headlight/base/format.h"
#include "headlight/base/json.h"

#include <stdlib.h>
#include <string.h>

/* Milliseconds, so that the same times are the same digits. */
static void write_event(const struct cast *cast, double seconds, char kind, const char *data)
{
    fprintf(cast->stream, "[%.3f, \"%c\", ", seconds, kind);
    json_write_string(cast->stream, data, strlen(data));
    fputs("]\n", cast->stream);
}

/* The first frame makes the header; another size is an event. */
static bool fit(struct cast *cast, const struct canvas *canvas, double seconds)
{
    char size[24];
    const bool first = cast->columns == 0;
    if (cast->columns == canvas->columns && cast->rows == canvas->rows)
        return true;
    cast_end(cast);
    cast->shown = calloc((size_t)canvas->rows, sizeof *cast->shown);
    if (!cast->shown)
        return false;
    cast->columns = canvas->columns;
    cast->rows = canvas->rows;
    if (first)
        fprintf(cast->stream,
                "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": \"headlight\"}\n",
                cast->columns, cast->rows);
    snprintf(size, sizeof size, "%dx%d", cast->columns, cast->rows);
    if (!first)
        write_event(cast, seconds, 'r', size);
    return true;
}

/* The sequences of a row that has changed: CSI row ; 1 H goes to its beginning. */
static bool add_row(struct cast *cast, const struct snapshot *snapshot, int y, FILE *stream)
{
    struct buffer row;
    if (buffer_open(&row))
        snapshot_ansi_row(snapshot, y, row.stream);
    char *text = buffer_close(&row);
    if (!text)
        return false;
    if (!cast->shown[y] || strcmp(cast->shown[y], text) != 0)
        fprintf(stream, "\033[%d;1H%s", y + 1, text);
    free(cast->shown[y]);
    cast->shown[y] = text;
    return true;
}

/* CSI ? 25 l: no cursor. */
bool cast_frame(struct cast *cast, const struct canvas *canvas, const struct theme *theme,
                double seconds)
{
    const struct snapshot snapshot = {.canvas = canvas, .theme = theme, .depth = cast->depth};
    struct buffer frame;
    const bool begins = cast->columns != canvas->columns || cast->rows != canvas->rows;
    if (!fit(cast, canvas, seconds) || !buffer_open(&frame))
        return false;
    fputs(begins ? "\033[?25l\033[2J" : "", frame.stream);
    bool whole = true;
    for (int y = 0; y < canvas->rows && whole; y++)
        whole = add_row(cast, &snapshot, y, frame.stream);
    char *data = buffer_close(&frame);
    if (data && *data && whole)
        write_event(cast, seconds, 'o', data);
    free(data);
    return data && whole;
}

void cast_end(struct cast *cast)
{
    for (int y = 0; y < cast->rows && cast->shown; y++)
        free(cast->shown[y]);
    free(cast->shown);
    cast->shown = NULL;
}
