/* A cast of keys: the same bytes each time, and at its end the screen that a snapshot shows. */
#include "headlight/base/file.h"
#include "model_helpers.h"
#include "process_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#include "headlight/base/json.h"

#include <string.h>

#define ROWS 24
#define KEYS "Down Enter 500ms 3 e Ctrl-U \"a\033b c\" Enter"

static struct result played, again;

static void record(const char *keys, struct result *result)
{
    const char *arguments[] = {"headlight", "--no-config", "--size", "80x24", "--record",
                               "-",         "--type",      keys,     NULL};
    *result = run(arguments, PIPED, PIPED);
}

/* Puts the text of a frame, without its colours, into the rows that it names. */
static void show_frame(const char *at, char rows[ROWS][512])
{
    char *to = NULL;
    int row = 0, used = 0;
    while (*at) {
        if (sscanf(at, "\033[%d;1H%n", &row, &used) == 1 && used > 0) {
            to = rows[row - 1];
            at += used;
        } else if (*at == '\033') {
            at += 1 + strcspn(at + 1, "mlJ") + 1;
        } else if (to) {
            *to++ = *at++;
            *to = '\0';
        }
        used = 0;
    }
}

TEST(the_last_frame_is_the_snapshot)
{
    static char rows[ROWS][512], whole[ROWS * 512];
    static struct result shown;
    const char *arguments[] = {"headlight", "--no-config", "--size", "80x24", "--snapshot",
                               "-",         "--type",      KEYS,     NULL};
    double before = -1;
    record(KEYS, &played);
    assert_exit(&played, 0);
    ck_assert_ptr_nonnull(strstr(played.text, "{\"version\":2,\"width\":80,\"height\":24"));
    record(KEYS, &again);
    ck_assert_str_eq(played.text, again.text);
    strtok(again.text, "\n");
    for (char *line; (line = strtok(NULL, "\n"));) {
        cJSON *event = cJSON_Parse(line);
        ck_assert_msg(cJSON_GetArraySize(event) == 3, "%s", line);
        ck_assert_double_gt(cJSON_GetArrayItem(event, 0)->valuedouble, before);
        before = cJSON_GetArrayItem(event, 0)->valuedouble;
        show_frame(cJSON_GetArrayItem(event, 2)->valuestring, rows);
        cJSON_Delete(event);
    }
    for (int y = 0; y < ROWS; y++) {
        size_t length = strlen(rows[y]);
        while (length > 0 && rows[y][length - 1] == ' ')
            length--;
        sprintf(whole + strlen(whole), "%.*s\n", (int)length, rows[y]);
    }
    shown = run(arguments, PIPED, PIPED);
    ck_assert_str_eq(whole, shown.text);
}

/* The frames of a cast, from its first line to the last. */
static void show_cast(char *text, char rows[ROWS][512], bool *resized)
{
    strtok(text, "\n");
    for (char *line; (line = strtok(NULL, "\n"));) {
        cJSON *event = cJSON_Parse(line);
        ck_assert_msg(cJSON_GetArraySize(event) == 3, "%s", line);
        if (strcmp(cJSON_GetArrayItem(event, 1)->valuestring, "r") == 0)
            *resized = true;
        else
            show_frame(cJSON_GetArrayItem(event, 2)->valuestring, rows);
        cJSON_Delete(event);
    }
}

TEST(the_keyboard_is_recorded, .with = &terminal_tests)
{
    static char rows[ROWS][512];
    struct folder folder;
    struct error error;
    bool resized = false, found = false;
    char *text;
    size_t length;
    folder_make(&folder);
    char *path = in_folder(&folder, "seen.cast");
    const char *arguments[] = {"--no-config", "--record", path, NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .columns = 90, .rows = 20});
    pty_expect(pty, "q quit");
    pty_resize(pty, 80, ROWS);
    pty_expect(pty, "q quit");
    pty_type(pty, "e\025the \033[31mcat\r");
    pty_expect(pty, "cat");
    quit();
    assert_ok(file_read(path, 1 << 22, &text, &length, &error), error);
    ck_assert_ptr_nonnull(strstr(text, "\"width\":90,\"height\":20"));
    show_cast(text, rows, &resized);
    ck_assert(resized);
    for (int y = 0; y < ROWS; y++)
        found |= strstr(rows[y], "q quit") != NULL;
    ck_assert(found);
    free(text);
    free(path);
    folder_remove(&folder);
}
