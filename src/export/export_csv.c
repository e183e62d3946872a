/* export_csv.c: what the open view shows as CSV. */
#include "headlight/export/export.h"

#include "headlight/export/export_members.h"
#include "headlight/text/csv.h"
#include "headlight/view/table.h"

/* What is on the screen and nothing else, as its view has it. */
enum status export_csv(const struct output *output, FILE *stream, struct error *error)
{
    const struct scene scene = session_scene(output->session);
    const struct view *view = scene_part(&scene);
    struct table table = {stream, csv_write_field, .top = export_top(output, scene.data.trace)};
    struct error inner;
    enum status status = view->table ? view->table(&scene, &table, &inner)
                                     : error_set(&inner, STATUS_UNSUPPORTED,
                                                 "what the %s view shows is no table", view->title);
    return status == STATUS_OK ? STATUS_OK : error_set(error, status, "--csv: %s", inner.message);
}
