#include "lesson_helpers.h"

#include "headlight/lesson/progress.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct checkpoint builtin;
struct session learner;

struct lesson *read_lesson(const char *text)
{
    struct lesson *lesson = NULL;
    struct error error;
    assert_ok(lesson_read(text, strlen(text), "test", &lesson, &error), error);
    return lesson;
}

void play(struct player *player, const char *text)
{
    struct error error;
    if (!player->lessons)
        assert_ok(player_begin(player, &error), error);
    player->session = &learner;
    player_take(player, read_lesson(text), 0);
}

void begin_learner_of(const char *model)
{
    static const struct interventions none;
    static const struct text texts[] = {{EXAMPLE_A, sizeof EXAMPLE_A - 1},
                                        {EXAMPLE_B, sizeof EXAMPLE_B - 1}};
    struct error error;
    assert_ok(checkpoint_open(&builtin, model, NULL, NULL, &error), error);
    session_begin(&learner, &builtin, true, &none);
    assert_ok(session_open(&learner, texts, 2, NULL, &error), error);
    assert_ok(request_settle(&learner, &error), error);
}

void begin_learner(void)
{
    begin_learner_of(NULL);
}

void begin_tiny_learner(void)
{
    begin_learner_of(TINY_FOLDER);
}

const struct lesson_golden lesson_goldens[LESSON_GOLDENS] = {
    {"lines", 0, 80, 24, "lesson-lines-1-80x24"},
    {"lines", 0, 120, 40, "lesson-lines-1-120x40"},
    {"lines", 3, 80, 24, "lesson-lines-4-80x24"},
    {"lines", 6, 120, 40, "lesson-lines-7-120x40"},
    {"weight", 4, 80, 24, "lesson-weight-5-80x24"},
    {"weight", 4, 120, 40, "lesson-weight-5-120x40"},
    {"weight", 7, 80, 24, "lesson-weight-8-80x24"},
    {"weight", 5, 120, 40, "lesson-weight-6-120x40"},
};

void end_learner(void)
{
    session_end(&learner);
    checkpoint_close(&builtin);
}

/* ---- Progress ---- */

static struct folder folder;

void begin_state(void)
{
    folder_make(&folder);
    setenv("XDG_STATE_HOME", folder.path, 1);
}

void end_state(void)
{
    char *path = progress_path(), *own = in_folder(&folder, "headlight");
    unlink(path);
    rmdir(own);
    folder_remove(&folder);
    free(path);
    free(own);
}

char *kept_progress(void)
{
    char *text = NULL, *path = progress_path();
    size_t length;
    struct error error;
    if (file_exists(path))
        assert_ok(file_read(path, 1 << 16, &text, &length, &error), error);
    free(path);
    return text;
}

void keep_progress(const char *text)
{
    char *own = in_folder(&folder, "headlight");
    mkdir(own, 0700);
    free(own);
    folder_write(&folder, "headlight/lessons", text, strlen(text));
}
