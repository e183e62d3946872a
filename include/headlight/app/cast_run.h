/* cast_run.h: records the keys of --type, as a cast (export/cast.h). */
#ifndef HEADLIGHT_APP_CAST_RUN_H
#define HEADLIGHT_APP_CAST_RUN_H

#include "headlight/export/export.h"

/* Presses the keys of input_type one after the other and writes what is seen to a file: each key
 * comes a moment after the last, and a word such as 500ms is a pause. Errors as input_type and
 * export_file. */
enum status cast_run(const struct output *output, const char *keys, const char *path,
                     struct error *error);

#endif
