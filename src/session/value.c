#include "headlight/session/value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status value_bad(const char *name, const char *expected, const char *found,
                      struct error *error)
{
    return error_set(error, STATUS_USAGE, "--%s: expected %s, found \"%s\"", name, expected, found);
}

bool value_number(const char *text, size_t limit, size_t *number)
{
    char *end;
    errno = 0;
    if (*text < '0' || *text > '9')
        return false;
    unsigned long read = strtoul(text, &end, 10);
    if (*end != '\0' || errno != 0 || read > limit)
        return false;
    *number = read;
    return true;
}

enum status value_choice(const char *name, const char *const *choices, const char *text,
                         unsigned *choice, struct error *error)
{
    char names[256] = "";
    size_t used = 0;
    for (unsigned i = 0; choices[i] && used < sizeof names; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *choice = i;
            return STATUS_OK;
        }
        const char *before = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", before, choices[i]);
    }
    return value_bad(name, names, text, error);
}
