/* memory.c: allocations whose size comes from a file: multiplied without overflow, and refused with
 * a message where the machine has no room for them. */
#include "headlight/base/memory.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/base/system.h"

#include <string.h>

void *memory_new(size_t count, size_t each, size_t more, const char *what, struct error *error)
{
    size_t bytes = 0;
    bool fits = size_multiply(count, each, &bytes) && size_add(bytes, more, &bytes);
    if (fits && memory_check((double)bytes, "use a shorter text or a smaller model", error,
                             "%s needs", what) != STATUS_OK) {
        error->status = STATUS_MEMORY;
        return NULL;
    }
    void *block = fits ? calloc(1, size_max(bytes, 1)) : NULL;
    if (!block)
        error_memory(error, what, fits ? bytes : SIZE_MAX);
    return block;
}

enum status memory_grow(void *list, size_t *capacity, size_t needed, size_t each, const char *what,
                        struct error *error)
{
    const size_t more = needed + needed / 2 + 16;
    void *items;
    memcpy(&items, list, sizeof items);
    if (needed <= *capacity)
        return STATUS_OK;
    items = more > needed && more <= SIZE_MAX / each ? realloc(items, more * each) : NULL;
    if (!items)
        return error_memory(error, what, more > SIZE_MAX / each ? SIZE_MAX : more * each);
    memcpy(list, &items, sizeof items);
    *capacity = more;
    return STATUS_OK;
}

char *memory_print(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    va_end(arguments);
    char *text = malloc(size);
    va_start(arguments, format);
    if (text)
        vsnprintf(text, size, format, arguments);
    else
        error_memory(error, "a text", size);
    va_end(arguments);
    return text;
}

#define LITTLE ((size_t)64 << 20)

enum status memory_check(double bytes, const char *advice, struct error *error, const char *format,
                         ...)
{
    const size_t available =
        bytes > (double)LITTLE ? size_min(system_memory(), system_address_space()) : SIZE_MAX;
    char what[512], needed[24], free[24];
    va_list arguments;
    if (bytes <= (double)available)
        return STATUS_OK;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    format_bytes(needed, sizeof needed, bytes);
    format_bytes(free, sizeof free, (double)available);
    return error_set(error, STATUS_LIMIT, "%s %s, and only %s of memory are free: %s", what, needed,
                     free, advice);
}
