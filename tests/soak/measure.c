#include "soak/measure.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)

size_t __sanitizer_get_current_allocated_bytes(void);

size_t measure_allocated(void)
{
    return __sanitizer_get_current_allocated_bytes();
}

size_t measure_slack(void)
{
    return (size_t)16 << 10;
}

#else

size_t measure_allocated(void)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

size_t measure_slack(void)
{
    return (size_t)512 << 10;
}

#endif
