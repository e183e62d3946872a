/* memory.h: allocations whose size comes from a file, with what frees them, and the free memory. */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stdlib.h>

/* count·each + more bytes, at least one, all zero, to be freed with free(). NULL and STATUS_MEMORY,
 * "not enough memory for WHAT", also where the sum does not fit; and as memory_check says it. */
void *memory_new(size_t count, size_t each, size_t more, const char *what, struct error *error);

/* Of a list, by the address of its pointer: it gets a capacity of `needed` items of `each` bytes,
 * maybe elsewhere; further items are not set. STATUS_MEMORY, with the list as it was. */
enum status memory_grow(void *list, size_t *capacity, size_t needed, size_t each, const char *what,
                        struct error *error);

/* A text as snprintf writes it, to be freed with free(); NULL and STATUS_MEMORY. */
char *memory_print(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* STATUS_LIMIT, "WHAT 6.7 PB, and only 12.4 GB of memory are free: ADVICE", where so many bytes
 * can't be filled, a sum that need not fit a size_t; WHAT, of printf, ends in "needs". Linux
 * promises memory that it doesn't have and ends some program later, so whoever needs much asks
 * first, for what the system says is available without swapping, or less under a limit of the
 * process; a little is not worth asking. */
enum status memory_check(double bytes, const char *advice, struct error *error, const char *what,
                         ...) __attribute__((format(printf, 4, 5)));
