/* cast_run.c: records as a cast. Without a terminal keys have the times of their script alone, so
 * that it writes the same bytes on every machine; at the keyboard the clock tells the time. */
#include "headlight/app/cast_run.h"

#include "headlight/base/watch.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <errno.h>
#include <stdlib.h>

#define KEY    600 /* milliseconds before a key, */
#define LETTER 120 /* and before a letter that is typed */

enum status cast_run(const struct output *output, const char *keys, const char *path,
                     struct error *error)
{
    const struct traits traits = {output->ascii ? GLYPHS_ASCII : GLYPHS_BRAILLE, false};
    struct writer writer;
    if (writer_open_output(&writer, path, error) != STATUS_OK)
        return error->status;
    struct cast cast = {.stream = writer.stream, .depth = output->depth};
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
        if (status == STATUS_OK && !cast_frame(&cast, canvas, theme, (double)time / 1000))
            status = error_memory(error, "a frame", 0);
        do {
            more = *typing.rest && status == STATUS_OK;
            if (more)
                status = input_type_next(session, &typing, error);
            time += typing.pause > 0 ? typing.pause : typing.quoted ? LETTER : KEY;
        } while (more && typing.pause > 0);
    }
    cast_end(&cast);
    canvas_free(canvas);
    return writer_commit(&writer, status, error);
}

/* ---- At the keyboard ---- */

enum status camera_open(struct camera *camera, const char *path, enum depth depth,
                        struct error *error)
{
    *camera = (struct camera){.cast = {.depth = depth}};
    if (!path)
        return STATUS_OK;
    camera->cast.stream = fopen(path, "we");
    return camera->cast.stream
               ? STATUS_OK
               : error_set(error, STATUS_IO, "%s: cannot be written: %s", path, strerror(errno));
}

/* Pixels can't be written as text: such a frame is drawn once more, with lines of dots. */
enum status camera_frame(struct camera *camera, struct session *session,
                         const struct canvas *screen, struct error *error)
{
    const double now = clock_milliseconds();
    if (!camera->cast.stream)
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
    if (!cast_frame(&camera->cast, screen->curves ? camera->canvas : screen,
                    theme_at(session->state.look.theme), (now - camera->began) / 1000))
        return error_memory(error, "a frame", 0);
    fflush(camera->cast.stream);
    return STATUS_OK;
}

enum status camera_close(struct camera *camera, const char *path, struct error *error)
{
    FILE *stream = camera->cast.stream;
    cast_end(&camera->cast);
    canvas_free(camera->canvas);
    if (!stream)
        return STATUS_OK;
    const bool failed = ferror(stream);
    if (fclose(stream) == 0 && !failed)
        return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: cannot be written whole: is the disk full?", path);
}
