#include "headlight/base/memory.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/base/system.h"

#include <stdint.h>

size_t memory_available(void)
{
    return size_min(system_memory(), system_address_space());
}

#define LITTLE ((size_t)64 << 20)

bool memory_has(double bytes, struct memory_words *words)
{
    size_t available = bytes > (double)LITTLE ? memory_available() : SIZE_MAX;
    if (bytes <= (double)available)
        return true;
    format_bytes(words->needed, sizeof words->needed, bytes);
    format_bytes(words->free, sizeof words->free, (double)available);
    return false;
}
