#include "headlight/base/memory.h"

#include "headlight/base/size.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The number in a file that holds nothing else, as the control groups have them; SIZE_MAX for "max"
 * or no file. */
static size_t read_number(const char *path)
{
    uintmax_t number = SIZE_MAX;
    FILE *file = fopen(path, "re");
    if (!file)
        return SIZE_MAX;
    if (fscanf(file, "%" SCNuMAX, &number) != 1 || number > SIZE_MAX)
        number = SIZE_MAX;
    fclose(file);
    return (size_t)number;
}

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

/* What a container has left, of which the system's figure knows nothing. */
static size_t read_group(void)
{
    size_t most = read_number("/sys/fs/cgroup/memory.max");
    size_t used = read_number("/sys/fs/cgroup/memory.current");
    if (most == SIZE_MAX || used == SIZE_MAX)
        return SIZE_MAX;
    return most > used ? most - used : 0;
}

static size_t read_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur > SIZE_MAX)
        return SIZE_MAX; /* RLIM_INFINITY too; where sizes have 32 bits, limits have 64 */
    return (size_t)limit.rlim_cur;
}

/* Where the system says only how much there is at all. */
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
    return size_min(available, size_min(read_group(), read_limit()));
}
