/* processes.c: what whole processes of headlight cost, as a user starts them: files in the page
 * cache, a terminal of 120 by 40 cells that answers no question. */
#include "bench.h"

#include "headlight/base/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef const char *const *command; /* ends with NULL */

/* ---- To the end ---- */

static pid_t start(command argv)
{
    pid_t child = fork();
    if (child < 0)
        fail("%s: %s", argv[0], strerror(errno));
    if (child > 0)
        return child;
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv(argv[0], (char *const *)(const void *)argv);
    _exit(127);
}

/* Waits for the end, which must be a good one; returns the most that was held, in MB. */
static double finish(pid_t child, command argv)
{
#ifdef __APPLE__
    const double unit = 1;
#else
    const double unit = 1024;
#endif
    struct rusage usage;
    int status = -1;
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail("%s %s: ended badly", argv[0], argv[1] ? argv[1] : "");
    return (double)usage.ru_maxrss * unit / 1e6;
}

static void measure_run(command argv, const struct subject *subject, const char *what,
                        const struct effort *effort)
{
    struct sample sample = {.count = 0};
    finish(start(argv), argv); /* and its files are in the page cache */
    while (sample_more(&sample, effort)) {
        sample_begin(&sample);
        finish(start(argv), argv);
        sample_end(&sample);
    }
    sample_print(&sample, subject, what);
}

/* The map on screen as CSV: a whole pass, and next to nothing written. A child begins as a copy of
 * the bench, so this is measured while that is small. */
void memory_measure(const char *program, const char *folder, const struct subject *subject)
{
    size_t words = subject->tokens - 3;
    char *first = sentence_of((words + 1) / 2), *second = sentence_of(words / 2);
    const char *argv[] = {program, "--csv", "/dev/null", first, second, folder ? "--model" : NULL,
                          folder,  NULL};
    number_print(subject, "memory", finish(start(argv), argv), "MB");
    free(first);
    free(second);
}

/* ---- To the screen ---- */

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
    while (length < sizeof seen - 1 &&
           poll(&wait, 1, lines && moments.first > 0 ? QUIET : PATIENCE) > 0) {
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

static void measure_screen(command argv, const struct subject *subject, const struct effort *effort)
{
    struct sample first = {.count = 0}, picture = {.count = 0};
    while (sample_more(&picture, effort)) {
        int master;
        double begun = clock_milliseconds();
        pid_t child = start_in_terminal(argv, &master);
        if (child < 0)
            fail("%s: %s", argv[0], strerror(errno));
        struct moments moments = watch_screen(master);
        end_in_terminal(child, master);
        if (moments.first == 0 || moments.picture == 0)
            fail("%s showed no screen", argv[0]);
        sample_add(&first, moments.first - begun);
        sample_add(&picture, moments.picture - begun);
    }
    sample_print(&first, subject, "start to first screen");
    sample_print(&picture, subject, "start to first picture");
}

void processes_measure(const char *program, const char *folder, const struct subject *subject,
                       const struct effort *effort)
{
    const char *helped[] = {program, "--help", NULL};
    const char *json[] = {program, "--json", "-", folder ? "--model" : NULL, folder, NULL};
    const char *shown[] = {program, folder ? "--model" : NULL, folder, NULL};
    if (!folder)
        measure_run(helped, subject, "headlight --help", effort);
    measure_run(json, subject, "headlight --json -", effort);
    measure_screen(shown, subject, effort);
}
