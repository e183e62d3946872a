/* memory.h: how much memory may still be used. */
#ifndef HEADLIGHT_BASE_MEMORY_H
#define HEADLIGHT_BASE_MEMORY_H

#include <stddef.h>

/* Bytes that this process can fill without anything being pushed out to disk: what the system says
 * is available, or less where a control group or a limit of the process allows less. SIZE_MAX where
 * the system does not say. */
size_t memory_available(void);

#endif
