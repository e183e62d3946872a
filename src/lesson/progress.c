/* progress.c: the file of progress: read as a whole, written by appending a line. */
#include "headlight/lesson/progress.h"

#include "headlight/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BYTES_MOST ((size_t)1 << 20) /* a line for each of 50,000 steps */

char *progress_path(void)
{
    return file_own("XDG_STATE_HOME", ".local/state", "lessons");
}

/* ---- Reading ---- */

void progress_read(struct panel_lesson *lessons, size_t count)
{
    struct error error;
    size_t length;
    char *path = progress_path(), *text = NULL;
    if (path && file_read(path, BYTES_MOST, &text, &length, &error) == STATUS_OK)
        for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            for (size_t i = 0; i < count; i++) {
                const size_t name = strlen(lessons[i].name);
                if (strncmp(line, lessons[i].name, name) != 0 || line[name] != ' ')
                    continue;
                char *rest;
                const char *value = line + name + 1;
                const unsigned long step = strtoul(value, &rest, 10);
                if (strcmp(value, "done") == 0)
                    lessons[i].done = true;
                else if (*value >= '1' && *value <= '9' && *rest == '\0')
                    lessons[i].left_at = step;
            }
        }
    for (size_t i = 0; i < count; i++)
        lessons[i].left_at = lessons[i].done ? 0 : size_min(lessons[i].left_at, lessons[i].steps);
    free(text);
    free(path);
}

/* ---- Writing ---- */

/* A line is one call, which other programs' calls come before or after. What isn't a file of its
 * own, such as a link or a pipe, is left alone. */
static enum status append(const char *line, struct error *error)
{
    struct stat info;
    char *path = progress_path();
    if (!path)
        return error_set(error, STATUS_UNSUPPORTED, "no folder for progress");
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700); /* if that fails, so does open */
        *slash = '/';
    }
    const int fd =
        open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
    const bool file = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    enum status status = STATUS_OK;
    errno = fd < 0 ? errno : 0; /* and stays so if a write is cut short without a reason */
    if (!file)
        status = error_set(error, STATUS_UNSUPPORTED, "%s: %s", path,
                           fd < 0 ? strerror(errno) : "expected a file");
    else if (write(fd, line, strlen(line)) != (ssize_t)strlen(line))
        status = error_set(error, STATUS_IO, "%s: this step isn't noted: %s", path,
                           errno ? strerror(errno) : "write error");
    if (fd >= 0)
        close(fd);
    free(path);
    return status;
}

enum status progress_write(const struct panel_lesson *lesson, struct error *error)
{
    char *line = lesson->done ? memory_print(error, "%s done\n", lesson->name)
                              : memory_print(error, "%s %zu\n", lesson->name, lesson->left_at);
    const enum status status = line ? append(line, error) : error->status;
    free(line);
    return status;
}

/* If the empty file can't be made, it isn't the first time: the hint would come at every start. */
bool progress_first_time(void)
{
    struct error error;
    char *path = progress_path();
    const bool absent = path && !file_named(path);
    free(path);
    return absent && append("", &error) == STATUS_OK;
}
