/* The command line that y shows draws the screen again, byte for byte, wherever keys have led. */
#include "model_helpers.h"
#include "process_helpers.h"
#include "rows.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/app/program.h"
#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/session/act.h"
#include "headlight/session/overlay.h"
#include "headlight/session/request.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

static struct error error;
static struct folder folder;
static struct program program;
static char path[96];

static void begin(void)
{
    folder_make(&folder);
    snprintf(path, sizeof path, "%s/a.svg", folder.path);
}

static void end(void)
{
    program_end(&program);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

/* As the program does for a snapshot. */
static void start(const char *line)
{
    wordexp_t words;
    program_end(&program);
    program = (struct program){0};
    ck_assert_msg(wordexp(line, &words, WRDE_UNDEF) == 0, "%s", line);
    assert_ok(options_parse(&program.options, (int)words.we_wordc, words.we_wordv, &error), error);
    assert_ok(program_prepare(&program, &error), error);
    assert_ok(program_load(&program, NULL, &error), error);
    assert_ok(program_begin(&program, &error), error);
    if (program.session.checkpoint)
        assert_ok(request_settle(&program.session, &error), error);
    assert_ok(request_rest(&program.session, &error), error);
    wordfree(&words);
}

/* What lies over the picture or stands in the footer is no part of it. */
static char *drawn(void)
{
    struct session *session = &program.session;
    const struct output output = {
        .session = session, .columns = 120, .rows = 40, .depth = DEPTH_DIRECT};
    char *text;
    size_t length;
    session->message[0] = '\0';
    overlay_close(session);
    assert_ok(export_file(&output, FORMAT_SVG, path, &error), error);
    assert_ok(file_read(path, 1 << 24, &text, &length, &error), error);
    return text;
}

/* Whatever is shown now is shown by its command. */
static void assert_command_draws_it(const char *after)
{
    char *shown = drawn(), *command = command_line(&program.session);
    ck_assert_ptr_nonnull(command);
    start(command);
    char *again = drawn();
    ck_assert_msg(strcmp(shown, again) == 0, "after %s: %s", after, command);
    free(shown);
    free(again);
    free(command);
}

static void press(const char *keys)
{
    assert_ok(input_type(&program.session, keys, &error), error);
    assert_ok(request_rest(&program.session, &error), error);
}

/* A generator of its own, so that every machine walks the same way. */
static size_t next(uint64_t *seed, size_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*seed >> 33) % below;
}

TEST(a_random_walk_is_drawn_by_its_command, .times = 5)
{
    char after[512] = "";
    uint64_t seed = 39 + (uint64_t)_i;
    start("headlight");
    for (size_t i = 0; i < 10; i++) {
        for (size_t pressed = 1 + next(&seed, 6); pressed > 0; pressed--) {
            const char *keys = *row_at("walk", (int)next(&seed, (size_t)rows_count("walk")));
            format_add(after, sizeof after, "%s · ", keys);
            press(keys);
        }
        assert_command_draws_it(after);
    }
}

/* What a terminal would obey is neither shown nor copied as it is. */
TEST(characters_that_control_are_numbers)
{
    static const char text[] = "a\033]0;b\a\xE2\x80\xAE c%d\xC2\xA0\xC3\xA9\n\n";
    wordexp_t words;
    const struct text one = {text, sizeof text - 1};
    start("headlight");
    assert_ok(session_open(&program.session, &one, 1, NULL, &error), error);
    char *command = command_line(&program.session);
    for (const char *at = command; *at; at++)
        ck_assert_msg((unsigned char)*at >= ' ' || *at == '\n', "%s", command);
    ck_assert_ptr_null(strstr(command, "\xE2\x80\xAE"));
    ck_assert_int_eq(wordexp(command, &words, 0), 0);
    ck_assert_str_eq(words.we_wordv[words.we_wordc - 1], text);
    wordfree(&words);
    free(command);
}

/* Through a shell, and the program itself. */
TEST(a_shell_runs_it, .times = 3)
{
    static const char *const keys[] = {"e Ctrl-U \"it's $HOME\" Tab Ctrl-U \"-x\" Enter Down 2",
                                       "Tab Tab Tab Tab M Down Enter Down",
                                       "Down Enter Down r Down z z Esc"};
    char line[4096], *by_shell;
    size_t length;
    start("headlight");
    press(keys[_i]);
    char *shown = drawn(), *command = command_line(&program.session);
    snprintf(line, sizeof line,
             "\"${HEADLIGHT_PROGRAM:-build/headlight}\" --no-config --snapshot %s%s", path,
             command + strlen("headlight"));
    ck_assert_msg(system(line) == 0, "%s", line);
    assert_ok(file_read(path, 1 << 24, &by_shell, &length, &error), error);
    ck_assert_msg(strcmp(shown, by_shell) == 0, "%s", command);
    free(by_shell);
    free(command);
    free(shown);
}

/* The words that a shell makes of a command, one behind the other, each with a NUL; the caller's.
 */
static char *words_of_shell(const char *command, size_t *length)
{
    char *script = in_folder(&folder, "words"), line[128], *words = NULL;
    FILE *stream = fopen(script, "w");
    ck_assert_ptr_nonnull(stream);
    fprintf(stream, "headlight() { printf '%%s\\0' \"$@\"; }\n%s\n", command);
    ck_assert_int_eq(fclose(stream), 0);
    snprintf(line, sizeof line, "sh '%s' 2>&1", script);
    FILE *output = popen(line, "r");
    size_t room = 1 << 16;
    words = calloc(1, room);
    ck_assert(output && words);
    *length = fread(words, 1, room, output);
    ck_assert_msg(pclose(output) == 0, "%s\nsays %s", command, words);
    unlink(script);
    free(script);
    return words;
}

/* The rows below the panel's title as they are marked with a mouse. */
static char *seen_command(int columns)
{
    const int rows = 120;
    struct canvas *canvas = canvas_new(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
    struct buffer buffer;
    bool below = false;
    ck_assert(canvas && buffer_open(&buffer));
    program.session.overlay = (struct overlay){.kind = OVERLAY_COMMAND, .cursor = NO_ROW};
    overlay_draw(&program.session, canvas, (struct area){0, 0, rows, columns});
    program.session.overlay.kind = OVERLAY_NONE;
    for (int y = 0; y < rows; y++) {
        const char *row = view_row(canvas, y);
        size_t length = strlen(row);
        while (length > 0 && row[length - 1] == ' ')
            length--;
        if (below)
            fprintf(buffer.stream, "%.*s\n", (int)length, row);
        below |= strstr(row, "the com") != NULL;
    }
    canvas_free(canvas);
    return buffer_close(&buffer);
}

/* Marked and pasted, at any width: a sentence that is broken is no second command. */
TEST(what_is_seen_is_the_command, .times = 4)
{
    static const char *const texts[][2] = {
        {"it was only a long sentence that somebody sent", "./payload"},
        {"it's a $HOME, the `cat` \\sat* and 'they''re' here", "--type or -"},
        {"a\033]0;b\a\xE2\x80\xAE c%d\xC2\xA0\xC3\xA9 and more of it; rm -r *", "#2 ~ !x  {a,b}"},
        {"e\xCC\x81 \xE6\xBC\xA2\xE5\xAD\x97 \xE6\xBC\xA2\xE5\xAD\x97 in a sentence",
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    };
    const struct text pair[] = {{texts[_i][0], strlen(texts[_i][0])},
                                {texts[_i][1], strlen(texts[_i][1])}};
    start("headlight");
    assert_ok(session_open(&program.session, pair, 2, NULL, &error), error);
    char *command = command_line(&program.session);
    size_t length, seen_length;
    char *words = words_of_shell(command, &length);
    for (int columns = 24; columns <= 200; columns += columns < 90 ? 1 : 13) {
        char *shown = seen_command(columns), *seen = words_of_shell(shown, &seen_length);
        ck_assert_msg(length == seen_length && memcmp(words, seen, length) == 0, "%d columns:\n%s",
                      columns, shown);
        free(shown);
        free(seen);
    }
    free(words);
    free(command);
}

TEST(a_state_comes_from_standard_input)
{
    static struct result output;
    static const char state[] = "{\"headlight\": \"1\", \"texts\": [\"the cat\"],"
                                " \"settings\": {\"metric\": \"entropy\", \"view\": \"model\"}}";
    const char *arguments[] = {"headlight", "--no-config", "--state", "-",
                               "--csv",     "-",           NULL,      NULL};
    folder_write(&folder, "state.json", state, strlen(state));
    snprintf(path, sizeof path, "%s/state.json", folder.path);
    for (int both = 0; both < 2; both++) {
        int in = open(path, O_RDONLY);
        arguments[6] = both ? "-" : NULL;
        output = run_reading(arguments, in, PIPED, PIPED);
        close(in);
        assert_exit(&output, both ? 2 : 0);
        ck_assert_ptr_nonnull(
            strstr(output.text, both ? "can't come from standard input" : "entropy"));
    }
}
