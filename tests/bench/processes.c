#include "processes.h"

#include "fail.h"

#include "headlight/base/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The page cache ------------------------------------------------------------------------ */

static struct {
    const char *const *paths;
    size_t count;
    double left;
} cold;

void processes_chill(const char *const *paths, size_t count)
{
    cold.paths = paths;
    cold.count = count;
}

double processes_chill_left(void)
{
    double left = cold.left;
    cold.left = 0;
    return left;
}

#if defined(POSIX_FADV_DONTNEED) && defined(__linux__)
static double resident(int file, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page, there = 0;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    unsigned char *flags = malloc(pages);
    if (bytes == MAP_FAILED || !flags || mincore(bytes, size, flags) != 0)
        there = pages;
    else
        for (size_t i = 0; i < pages; i++)
            there += flags[i] & 1;
    if (bytes != MAP_FAILED)
        munmap(bytes, size);
    free(flags);
    return (double)there / (double)pages;
}

static double forget(const char *path)
{
    struct stat status;
    double left = 1;
    int file = open(path, O_RDONLY);
    if (file < 0)
        return left;
    fdatasync(file); /* what is not on the disk yet can't be forgotten */
    if (fstat(file, &status) == 0 && status.st_size > 0 &&
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0)
        left = resident(file, (size_t)status.st_size);
    close(file);
    return left;
}
#else
static double forget(const char *path)
{
    (void)path;
    return 1;
}
#endif

static void chill(void)
{
    for (size_t i = 0; i < cold.count; i++)
        cold.left = fmax(cold.left, forget(cold.paths[i]));
}

/* ---- To the end ---------------------------------------------------------------------------- */

static void check_end(command argv, int status)
{
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail("%s %s: ended badly", argv[0], argv[1] ? argv[1] : "");
}

static pid_t start(command argv)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    execv(argv[0], (char *const *)(const void *)argv);
    _exit(127);
}

struct timing processes_run(command argv, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    while (sample_more(&sample, effort)) {
        int status = -1;
        chill();
        sample_begin(&sample);
        pid_t child = start(argv);
        if (child < 0 || waitpid(child, &status, 0) != child)
            fail("%s: %s", argv[0], strerror(errno));
        sample_end(&sample);
        check_end(argv, status);
    }
    return sample_timing(&sample);
}

/* Bytes that this process holds now; 0 where that can't be told. */
static double own_memory(void)
{
    size_t all = 0, resident_pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%zu %zu", &all, &resident_pages) != 2)
        resident_pages = 0;
    fclose(file);
    return (double)resident_pages * (double)sysconf(_SC_PAGESIZE);
}

double processes_memory(command argv)
{
#ifdef __APPLE__
    const double unit = 1;
#else
    const double unit = 1024;
#endif
    struct rusage usage;
    int status = -1;
    double own = own_memory();
    pid_t child = start(argv);
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        fail("%s: %s", argv[0], strerror(errno));
    check_end(argv, status);
    double bytes = (double)usage.ru_maxrss * unit;
    return bytes > own * 1.01 ? bytes / 1e6 : (double)NAN;
}

/* ---- To the screen ------------------------------------------------------------------------- */

static pid_t start_in_terminal(command argv, int *master)
{
    struct winsize size = {.ws_row = 40, .ws_col = 120};
    *master = posix_openpt(O_RDWR | O_NOCTTY);
    if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0)
        fail("there is no pseudo-terminal: %s", strerror(errno));
    ioctl(*master, TIOCSWINSZ, &size);
    pid_t child = fork();
    if (child != 0)
        return child;
    setsid();
    int terminal = open(ptsname(*master), O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(terminal, fd);
    setenv("TERM", "xterm-256color", 1);
    unsetenv("COLORTERM");
    execv(argv[0], (char *const *)(const void *)argv);
    _exit(127);
}

#define PATIENCE 60000 /* milliseconds for a screen */
#define QUIET    60    /* without a byte for so long, a picture is complete */

struct moments {
    double first, picture; /* 0: not yet */
};

/* U+2800 … U+28FF, which only lines are drawn with. */
static bool has_braille(const char *text, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++)
        if ((unsigned char)text[i] == 0xE2 && ((unsigned char)text[i + 1] & 0xFC) == 0xA0)
            return true;
    return false;
}

/* The footer, which is drawn last, ends with "quit". A picture is there when its last byte is. */
static struct moments watch_screen(int master)
{
    static char seen[1 << 18];
    struct moments moments = {0, 0};
    size_t length = 0;
    bool lines = false;
    struct pollfd wait = {.fd = master, .events = POLLIN};
    while (length < sizeof seen - 1 && poll(&wait, 1, lines ? QUIET : PATIENCE) > 0) {
        ssize_t got = read(master, seen + length, sizeof seen - 1 - length);
        double now = clock_milliseconds();
        if (got <= 0)
            break;
        length += (size_t)got;
        seen[length] = '\0';
        if (moments.first == 0 && strstr(seen, "quit"))
            moments.first = now;
        lines = lines || has_braille(seen, length);
        if (lines)
            moments.picture = now;
    }
    return moments;
}

/* What it still writes is read, or it would never end. */
static void end_in_terminal(pid_t child, int master)
{
    char rest[4096];
    kill(child, SIGTERM);
    while (read(master, rest, sizeof rest) > 0)
        ;
    close(master);
    waitpid(child, NULL, 0);
}

struct screen_timings processes_show(command argv, const struct effort *effort)
{
    struct sample first = {.count = 0}, picture = {.count = 0};
    while (sample_more(&picture, effort)) {
        int master;
        chill();
        double start = clock_milliseconds();
        pid_t child = start_in_terminal(argv, &master);
        if (child < 0)
            fail("%s: %s", argv[0], strerror(errno));
        struct moments moments = watch_screen(master);
        end_in_terminal(child, master);
        if (moments.first == 0 || moments.picture == 0)
            fail("%s showed no screen", argv[0]);
        sample_add(&first, moments.first - start);
        sample_add(&picture, moments.picture - start);
    }
    return (struct screen_timings){sample_timing(&first), sample_timing(&picture)};
}
