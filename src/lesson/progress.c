/* progress.c: lesson progress, in a JSON file of the user's. It is only a convenience: a file that
 * can't be read or written is no error. */
#include "headlight/lesson/progress.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/base/writer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Where ---- */

/* Relative paths must be ignored (XDG Base Directory Specification). */
char *progress_path(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        return path_join(state, "headlight/lessons.json");
    return home && *home == '/' ? path_join(home, ".local/state/headlight/lessons.json") : NULL;
}

/* Makes the folders of a path. If that fails, opening the file will fail. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* ---- Reading ---- */

static cJSON *read_progress_file(const char *path)
{
    struct error error;
    size_t length;
    char *text;
    cJSON *object = NULL;
    if (file_read(path, JSON_BYTES_MAX, &text, &length, &error) != STATUS_OK)
        return NULL;
    if (json_parse_object(text, length, path, &object, &error) != STATUS_OK)
        object = NULL;
    free(text);
    return object;
}

static void read_lesson(const cJSON *item, struct panel_lesson *lesson)
{
    size_t step;
    if (item && json_is_size(item, &step) && step > 0)
        lesson->left_at = step;
    else if (item && cJSON_IsString(item))
        lesson->done = strcmp(item->valuestring, "done") == 0;
}

void progress_read(struct panel_lesson *lessons, size_t count)
{
    char *path = progress_path();
    cJSON *object = path ? read_progress_file(path) : NULL;
    for (size_t i = 0; object && i < count; i++)
        read_lesson(json_member(object, lessons[i].name), &lessons[i]);
    cJSON_Delete(object);
    free(path);
}

/* ---- Writing ---- */

static void write_progress_file(FILE *stream, const struct panel_lesson *lessons, size_t count)
{
    const char *separator = "{";
    for (size_t i = 0; i < count; i++) {
        const struct panel_lesson *lesson = &lessons[i];
        if (!lesson->done && lesson->left_at == 0)
            continue;
        fputs(separator, stream);
        json_write_string(stream, lesson->name, strlen(lesson->name));
        if (lesson->done)
            fputs(": \"done\"", stream);
        else
            fprintf(stream, ": %zu", lesson->left_at);
        separator = ", ";
    }
    fputs(*separator == '{' ? "{}\n" : "}\n", stream);
}

static bool write_file(const struct panel_lesson *lessons, size_t count)
{
    struct writer writer;
    struct error error;
    char *path = progress_path();
    bool written = false;
    if (path) {
        make_folders(path);
        written = writer_open(&writer, path, &error) == STATUS_OK;
    }
    if (written) {
        write_progress_file(writer.stream, lessons, count);
        written = writer_commit(&writer, &error) == STATUS_OK;
    }
    free(path);
    return written;
}

bool progress_first_time(void)
{
    char *path = progress_path();
    bool new = path && !file_named(path);
    free(path);
    return new &&write_file(NULL, 0);
}

void progress_write(const struct panel_lesson *lessons, size_t count)
{
    write_file(lessons, count);
}
