/* export.c: writes a session to a file in one of the formats of the table. */
#include "headlight/export/export_members.h"

#include "headlight/session/request.h"

/* ---- The table ---- */

const struct format_info formats[FORMAT_COUNT] = {
#define NUMBERS(code, name, write, needs)  {name, FORMAT_NUMBERS | (needs), write, NULL},
#define PICTURE(code, ending, draw, needs) {ending, FORMAT_PICTURE | (needs), NULL, draw},
    FORMATS(NUMBERS, PICTURE)
#undef NUMBERS
#undef PICTURE
};

/* Endings are case-sensitive, and a name has to have something before its ending. */
bool format_of_picture(const char *path, enum format *format)
{
    size_t length = strlen(path);
    for (unsigned i = 0; i < FORMAT_COUNT; i++) {
        size_t ending = strlen(formats[i].name);
        if (formats[i].draw && length > ending &&
            strcmp(path + length - ending, formats[i].name) == 0) {
            *format = (enum format)i;
            return true;
        }
    }
    return false;
}

/* ---- Files ---- */

/* The model's file is checked last: if it was changed meanwhile, the numbers are worthless. Closes
 * the writer, in any case. */
static enum status export_to(const struct output *output, enum format format, struct writer *writer,
                             struct error *error)
{
    const struct format_info *info = &formats[format];
    enum status status =
        info->draw ? export_picture(output, info->needs, info->draw, writer->stream, error)
                   : info->write(output, writer->stream, error);
    if (status == STATUS_OK)
        status = session_check(output->session, error);
    return writer_commit(writer, status, error);
}

/* The target is opened first, so that a path that can't be written is reported before anything is
 * computed for it. */
enum status export_file(const struct output *output, enum format format, const char *path,
                        struct error *error)
{
    struct writer writer;
    if (writer_open_output(&writer, path, error) != STATUS_OK)
        return error->status;
    return export_to(output, format, &writer, error);
}

/* For the keys that save the screen or a page. The file's name is copied before the writer, which
 * owns it, is closed. */
void export_screen(struct session *session, enum format format, int columns, int rows)
{
    struct output output = {
        .session = session, .columns = columns, .rows = rows, .depth = DEPTH_DIRECT};
    char name[40];
    struct writer writer;
    struct error error;
    const bool page = format == FORMAT_PAGE;
    enum status status = STATUS_OK;
    if (page && session->checkpoint && !derived_is_current(session))
        status = error_set(&error, STATUS_UNSUPPORTED,
                           "the page needs numbers that are still being computed");
    if (status == STATUS_OK)
        status = writer_open_numbered(&writer, page ? "html" : "svg", &error);
    if (status == STATUS_OK) {
        snprintf(name, sizeof name, "%s", writer.path);
        status = export_to(&output, format, &writer, &error);
    }
    if (status == STATUS_OK)
        session_say(session, "saved as %s", name);
    else
        session_say(session, "%s", error.message);
}

/* ---- CSV ---- */

/* What is on the screen and nothing else, as its view has it. */
enum status export_csv(const struct output *output, FILE *stream, struct error *error)
{
    const struct scene scene = session_scene(output->session);
    const struct view *view = scene_view(&scene);
    struct table table = {csv_writer(stream), .top = export_top(output, scene.data.trace)};
    enum status status = view->table ? view->table(&scene, &table, error)
                                     : error_set(error, STATUS_UNSUPPORTED,
                                                 "what the %s view shows is no table", view->title);
    return status == STATUS_OK ? STATUS_OK : error_set(error, status, "--csv: %s", error->message);
}
