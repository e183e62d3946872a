/* memory.h: allocations whose size comes from a file, and the free memory. */
#ifndef HEADLIGHT_BASE_MEMORY_H
#define HEADLIGHT_BASE_MEMORY_H

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* count·each + more bytes, at least one, all zero, to be freed with free(). NULL and STATUS_MEMORY,
 * "not enough memory for WHAT", also where the sum does not fit. */
void *memory_new(size_t count, size_t each, size_t more, const char *what, struct error *error);

/* A list with a capacity of `needed` items of `each` bytes: itself, or a longer one in its place,
 * whose further items are not set. NULL and STATUS_MEMORY, with the list as it was. */
void *memory_grow(void *list, size_t *capacity, size_t needed, size_t each, const char *what,
                  struct error *error);

/* A text as snprintf writes it, to be freed with free(); NULL and STATUS_MEMORY. */
char *memory_print(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Bytes that this process can use without swapping: what the system says is available, or less
 * under a limit of the process. SIZE_MAX if neither is known. */
size_t memory_available(void);

/* Whether so many bytes may be filled, a sum that need not fit a size_t; if not, `needed` and
 * `free` say in words how much it is and how much there is: "6.7 PB", "12.4 GB". A little always
 * may: it is not worth asking the system. */
struct memory_words {
    char needed[24], free[24];
};
bool memory_has(double bytes, struct memory_words *words);

#endif
