#include "soak/measure.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* A sanitizer's own count: its allocator is not the C library's. */
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

size_t measure_allocated(void)
{
    if (__sanitizer_get_current_allocated_bytes)
        return __sanitizer_get_current_allocated_bytes();
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}
