/* cast_run.c: frames of the screen as an asciinema cast. Without a terminal keys have the times of
 * their script alone, so that it writes the same bytes on every machine; at the keyboard the clock
 * tells the time. A frame that looks like the last one writes nothing. */
#include "headlight/app/cast_run.h"

#include "headlight/base/memory.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <errno.h>
#include <stdlib.h>

/* ---- Frames ---- */

/* Milliseconds, so that the same times are the same digits. */
static void write_event(const struct camera *camera, double seconds, char kind, const char *data)
{
    fprintf(camera->stream, "[%.3f, \"%c\", ", seconds, kind);
    json_write_string(camera->stream, data, strlen(data));
    fputs("]\n", camera->stream);
}

/* The first frame makes the header; another size is an event. CSI ? 25 l: no cursor. Of a row that
 * has changed CSI row ; 1 H goes to its beginning. */
static enum status write_frame(struct camera *camera, const struct canvas *canvas,
                               const struct session *session, double seconds, struct error *error)
{
    const struct theme *theme = theme_at(session->state.look.theme);
    const struct snapshot snapshot = {.canvas = canvas, .theme = theme, .depth = camera->depth};
    struct json_writer header = {.stream = camera->stream};
    struct buffer frame;
    char size[24];
    const bool first = camera->columns == 0,
               begins = camera->columns != canvas->columns || camera->rows != canvas->rows,
               all = begins || camera->theme != theme;
    const size_t columns = (size_t)canvas->columns, cells = (size_t)canvas->rows * columns;
    if (begins) {
        free(camera->cells);
        camera->cells = memory_new(cells, sizeof *camera->cells, 0, "a frame", error);
        camera->columns = canvas->columns;
        camera->rows = canvas->rows;
    }
    camera->theme = theme;
    if (!camera->cells)
        return error->status;
    if (!buffer_open(&frame))
        return error_memory(error, "a frame", BUFSIZ);
    snprintf(size, sizeof size, "%dx%d", camera->columns, camera->rows);
    if (first)
        json_object(&header, NULL, JSON("version", 2), JSON("width", camera->columns),
                    JSON("height", camera->rows), JSON("title", "headlight"),
                    JSON("headlight", HEADLIGHT_VERSION), JSON("bits", session->data.bits));
    fputs(first ? "\n" : "", camera->stream);
    if (begins && !first)
        write_event(camera, seconds, 'r', size);
    fputs(begins ? "\033[?25l\033[2J" : "", frame.stream);
    for (int y = 0; y < canvas->rows; y++) {
        const struct cell *row = canvas_at(canvas, y, 0);
        struct cell *before = camera->cells + (size_t)y * columns;
        if (all || memcmp(before, row, columns * sizeof *row) != 0) {
            fprintf(frame.stream, "\033[%d;1H", y + 1);
            snapshot_ansi_row(&snapshot, y, frame.stream);
        }
        memcpy(before, row, columns * sizeof *row);
    }
    char *data = buffer_close(&frame);
    if (data && *data)
        write_event(camera, seconds, 'o', data);
    free(data);
    return data ? STATUS_OK : error_memory(error, "a frame", frame.length);
}

/* ---- From a script ---- */

#define KEY    600 /* milliseconds before a key, */
#define LETTER 120 /* and before a letter that is typed */

enum status cast_run(const struct output *output, const char *keys, const char *path,
                     struct error *error)
{
    const struct traits traits = {output->ascii ? GLYPHS_ASCII : GLYPHS_BRAILLE, false};
    struct writer writer;
    if (writer_open_output(&writer, path, error) != STATUS_OK)
        return error->status;
    struct camera camera = {.stream = writer.stream, .depth = output->depth};
    struct canvas *canvas = canvas_new(output->columns, output->rows, traits);
    struct session *session = output->session;
    struct typing typing = {.rest = keys};
    size_t time = 0; /* milliseconds */
    enum status status = canvas ? STATUS_OK : error_memory(error, "a screen", 0);
    for (bool more = true; more && status == STATUS_OK;) {
        const struct theme *theme = theme_at(session->state.look.theme);
        canvas->traits.mono = output->depth == DEPTH_MONO || theme->mono;
        status = request_rest(session, error);
        if (status == STATUS_OK)
            status = export_draw(session, canvas, error);
        if (status == STATUS_OK)
            status = write_frame(&camera, canvas, session, (double)time / 1000, error);
        do {
            more = *typing.rest && status == STATUS_OK;
            if (more)
                status = input_type_next(session, &typing, error);
            time += typing.pause > 0 ? typing.pause : typing.quoted ? LETTER : KEY;
        } while (more && typing.pause > 0);
    }
    free(camera.cells);
    canvas_free(canvas);
    return writer_commit(&writer, status, error);
}

/* ---- At the keyboard ---- */

enum status camera_open(struct camera *camera, const char *path, enum depth depth,
                        struct error *error)
{
    *camera = (struct camera){.depth = depth};
    if (!path)
        return STATUS_OK;
    camera->stream = fopen(path, "we");
    return camera->stream
               ? STATUS_OK
               : error_set(error, STATUS_IO, "%s: cannot be written: %s", path, strerror(errno));
}

/* Pixels can't be written as text: such a frame is drawn once more, with lines of dots. */
enum status camera_frame(struct camera *camera, struct session *session,
                         const struct canvas *screen, struct error *error)
{
    const double now = clock_milliseconds();
    if (!camera->stream)
        return STATUS_OK;
    if (screen->curves) {
        canvas_free(camera->canvas);
        camera->canvas = canvas_new(screen->columns, screen->rows, screen->traits);
        if (!camera->canvas)
            return error_memory(error, "a frame", 0);
        if (screen_draw(session, camera->canvas, error) != STATUS_OK)
            return error->status;
    }
    camera->began = camera->began > 0 ? camera->began : now;
    const enum status status = write_frame(camera, screen->curves ? camera->canvas : screen,
                                           session, (now - camera->began) / 1000, error);
    fflush(camera->stream);
    return status;
}

enum status camera_close(struct camera *camera, const char *path, struct error *error)
{
    FILE *stream = camera->stream;
    free(camera->cells);
    canvas_free(camera->canvas);
    if (!stream)
        return STATUS_OK;
    const bool failed = ferror(stream);
    if (fclose(stream) == 0 && !failed)
        return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: cannot be written whole: is the disk full?", path);
}
