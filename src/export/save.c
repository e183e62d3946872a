#include "headlight/export/save.h"

#include "headlight/base/file.h"
#include "headlight/export/about.h"
#include "headlight/session/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

/* What depends on the machine's speed is left out, and where the mouse is. */
static enum status draw(struct session *session, struct canvas *canvas, struct error *error)
{
    double milliseconds = session->scene.milliseconds;
    struct hit hover = session->hover;
    session->scene.milliseconds = 0;
    session->hover = (struct hit){HIT_NOTHING, 0};
    enum status status = screen_draw(session, canvas, error);
    session->scene.milliseconds = milliseconds;
    session->hover = hover;
    return status;
}

/* A file takes UTF-8, whatever the terminal does. */
static enum status draw_for_file(struct session *session, struct canvas *canvas,
                                 struct error *error)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    locale_t other = utf8 ? (locale_t)0 : newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!other)
        return draw(session, canvas, error);
    locale_t before = uselocale(other);
    enum status status = draw(session, canvas, error);
    uselocale(before);
    freelocale(other);
    return status;
}

/* A drawn canvas, or NULL with an error. */
static struct canvas *new_drawn(struct session *session, int columns, int rows,
                                struct traits traits, struct error *error)
{
    struct canvas *canvas = canvas_new(columns, rows, traits);
    if (canvas && draw_for_file(session, canvas, error) == STATUS_OK)
        return canvas;
    if (!canvas)
        error_set(error, STATUS_MEMORY, "no room for a screen of %d×%d cells", columns, rows);
    canvas_free(canvas);
    return NULL;
}

enum status save_snapshot(struct session *session, int columns, int rows, bool ascii,
                          enum depth depth, const char *path, struct error *error)
{
    enum snapshot_format format = SNAPSHOT_TXT;
    struct about about;
    snapshot_format_of(path, &format);
    struct traits traits = {ascii ? GLYPHS_ASCII : GLYPHS_BRAILLE,
                            format == SNAPSHOT_TXT || depth == DEPTH_MONO || session->theme->mono};
    struct canvas *canvas = new_drawn(session, columns, rows, traits, error);
    if (!canvas)
        return error->status;
    about_session(session, &about);
    enum status status = snapshot_save(canvas, session->theme, depth, &about.snapshot, path, error);
    canvas_free(canvas);
    return status;
}

enum status save_text(struct session *session, int columns, int rows, bool ascii, FILE *stream,
                      struct error *error)
{
    struct traits traits = {ascii ? GLYPHS_ASCII : GLYPHS_BRAILLE, true};
    struct canvas *canvas = new_drawn(session, columns, rows, traits, error);
    if (!canvas)
        return error->status;
    snapshot_write_txt(canvas, stream);
    canvas_free(canvas);
    return STATUS_OK;
}

void save_screen(struct session *session, int columns, int rows)
{
    char name[40];
    struct error error;
    enum status status = file_claim("svg", name, sizeof name, &error);
    if (status == STATUS_OK)
        status = save_snapshot(session, columns, rows, false, DEPTH_DIRECT, name, &error);
    if (status != STATUS_OK)
        remove(name);
    if (status == STATUS_OK)
        session_say(session, "saved as %s", name);
    else
        session_say(session, "%s", error.message);
}
