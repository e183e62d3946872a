#include "headlight/base/memory.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Linux: "MemAvailable:   24282160 kB", the kernel's own estimate. */
static size_t read_available(void)
{
    char line[128];
    uintmax_t kilobytes;
    size_t available = SIZE_MAX;
    FILE *file = fopen("/proc/meminfo", "re");
    if (!file)
        return SIZE_MAX;
    while (available == SIZE_MAX && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNuMAX, &kilobytes) == 1 && kilobytes < SIZE_MAX / 1024)
            available = (size_t)kilobytes * 1024;
    fclose(file);
    return available;
}

static size_t read_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur > SIZE_MAX)
        return SIZE_MAX; /* RLIM_INFINITY too; where sizes have 32 bits, limits have 64 */
    return (size_t)limit.rlim_cur;
}

/* Where the system only says how much memory there is in all. */
static size_t read_total(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    size_t bytes;
    if (pages <= 0 || size <= 0 || !size_multiply((size_t)pages, (size_t)size, &bytes))
        return SIZE_MAX;
    return bytes;
}

size_t memory_available(void)
{
    size_t available = read_available();
    if (available == SIZE_MAX)
        available = read_total();
    return size_min(available, read_limit());
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
