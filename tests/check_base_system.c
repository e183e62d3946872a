/* What the system says of itself. */
#include "suites.h"

#include "headlight/base/system.h"

#include <string.h>

#if defined(__linux__) && !defined(HEADLIGHT_PLAIN)

/* The line of /proc/meminfo that begins so, in bytes; 0 if there is none. */
static double told(const char *name)
{
    char line[128];
    double bytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && bytes == 0 && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            bytes = 1024 * strtod(line + strlen(name), NULL);
    if (file)
        fclose(file);
    return bytes;
}

/* A model that needs more is refused, so it is neither all memory nor what nobody has touched.
 * Others take and give some meanwhile. */
TEST(memory_is_what_the_kernel_calls_available)
{
    double available = told("MemAvailable:");
    if (available == 0) {
        skip("available memory: the kernel doesn't tell");
        return;
    }
    double memory = (double)system_memory(), some = told("MemTotal:") / 10;
    ck_assert_double_gt(memory, available - some);
    ck_assert_double_lt(memory, available + some);
}

#endif

TEST(there_is_memory_and_a_processor)
{
    ck_assert_uint_ge(system_memory(), (size_t)1 << 20);
    ck_assert_uint_ge(system_processors(), 1);
}
