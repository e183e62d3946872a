#include "headlight/base/memory.h"

#include "headlight/base/format.h"
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

#define GROUP "/sys/fs/cgroup/"

/* What a group has of files in memory, which make room for anything else: "inactive_file 4096". */
static size_t read_cached(void)
{
    char line[128];
    uintmax_t bytes;
    size_t cached = 0;
    FILE *file = fopen(GROUP "memory.stat", "re");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        if ((sscanf(line, "inactive_file %" SCNuMAX, &bytes) == 1 ||
             sscanf(line, "active_file %" SCNuMAX, &bytes) == 1) &&
            bytes <= SIZE_MAX / 2 - cached)
            cached += (size_t)bytes;
    fclose(file);
    return cached;
}

/* What a container has left, of which the system's figure knows nothing. */
static size_t read_group(void)
{
    size_t most = read_number(GROUP "memory.max"), used = read_number(GROUP "memory.current");
    if (most == SIZE_MAX || used == SIZE_MAX)
        return SIZE_MAX;
    used -= size_min(used, read_cached());
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
