/* memory.h: how much memory may still be used. */
#ifndef HEADLIGHT_BASE_MEMORY_H
#define HEADLIGHT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that this process can fill without anything being pushed out to disk: what the system says
 * is available, or less where a limit of the process allows less. SIZE_MAX where neither says. */
size_t memory_available(void);

/* Whether so many bytes may be filled, a sum that need not fit a size_t; if not, `needed` and
 * `free` say in words how much it is and how much there is: "6.7 PB", "12.4 GB". A little always
 * may: it is not worth asking the system. */
struct memory_words {
    char needed[24], free[24];
};
bool memory_has(double bytes, struct memory_words *words);

#endif
