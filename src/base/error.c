#include "headlight/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* vsnprintf cuts anywhere; a cut inside a UTF-8 sequence would leave an invalid tail. */
static void trim_partial_sequence(char *text)
{
    size_t end = strlen(text);
    size_t start = end;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t need = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    if (end - start < need)
        text[start - 1] = '\0';
}

void error_write(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof error->message)
        trim_partial_sequence(error->message);
    error->status = status;
}
