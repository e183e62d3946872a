/* error.c: fills a struct error. Messages are cut to their room, never refused: saying what went
 * wrong must not fail itself. */
#include "headlight/base/error.h"

#include "headlight/base/format.h"

#include <stdarg.h>

void error_write(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    format_elide_list(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->status = status;
}
