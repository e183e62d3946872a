/* check_app_settings.c: the user's own file of settings and keys: what is read and what is left
 * out, what goes before it, and what the program makes of it. */
#include "headlight/app/program.h"

#include "model_helpers.h"
#include "process_helpers.h"
#include "rows.h"
#include "session_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct folder folder;
static char *path;
static struct program program;
static struct error error;

static void begin(void)
{
    folder_make(&folder);
    path = in_folder(&folder, "config");
    program = (struct program){.text_count = 0};
}

static void end(void)
{
    program_end(&program);
    folder_remove(&folder);
    free(path);
}

static const struct fixture screen_tests = {.base = &terminal_tests, .begin = begin, .end = end};

TESTS(.begin = begin, .end = end);

static void write_config(const char *text)
{
    folder_write(&folder, "config", text, strlen(text));
}

/* Options are split at blanks. */
static enum status start(const char *line)
{
    static char words[256];
    char *argv[16] = {(char *)"headlight", (char *)"--config", path};
    const bool none = strcmp(line, "--no-config") == 0;
    int argc = none ? 1 : 3;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    settings_free(&program.settings);
    return program_read(&program, argc, argv, &error);
}

/* ---- Reading ---- */

/* What each option of the file takes; "!": it is about one run. */
static const char *value_of(const struct option_info *option)
{
    if (!option_stays(option))
        return "!";
    if (!option->argument)
        return "on";
    return option_choice(option, 1) ? option_choice(option, 1) : "3";
}

TEST(every_option_stays_or_is_refused)
{
    const struct option_info *option;
    char line[128], expected[128];
    size_t stay = 0;
    for (size_t i = 0; (option = option_at(i)); i++) {
        snprintf(line, sizeof line, "%s = %s\n", option->name, value_of(option));
        write_config(line);
        ck_assert_int_eq(start(""), STATUS_OK);
        ck_assert_msg(program.settings.wrong == !option_stays(option), "%s%s", line,
                      program.settings.notes[0].message);
        stay += option_stays(option);
        if (option_stays(option))
            continue;
        snprintf(expected, sizeof expected, "found \"%s\", which is about one run", option->name);
        ck_assert_ptr_nonnull(strstr(program.settings.notes[0].message, expected));
    }
    ck_assert_uint_eq(stay, 11);
}

static const char all[] = "# comment = no\n\n  theme=light  \r\n\tshade = row\nnumbers = on\n"
                          "thumbnails = lines\npresent = off\nmodel = some model\nthreads = 3\n"
                          "color = 16\nlines = blocks\nascii = on\n"
                          "no-mouse = on\nkey.x = quit\nkey.==list\nkey.# = numbers\n"
                          "key.F1 = view-next\nkey.\303\251 = help\nkey.x = save\ntheme = mono";

TEST(settings_are_read)
{
    const struct options *options = &program.options, *own = &program.settings.options;
    const struct bindings *bindings = &program.settings.bindings;
    enum action action;
    int digit;
    write_config(all);
    ck_assert_int_eq(start(""), STATUS_OK);
    ck_assert_msg(program.settings.wrong == 0, "%s", program.settings.notes[0].message);
    ck_assert_str_eq(own->values[FIELD_THEME], "mono"); /* the last line counts */
    ck_assert_str_eq(own->values[FIELD_SHADE], "row");
    ck_assert_str_eq(own->values[FIELD_NUMBERS], "on");
    ck_assert_str_eq(own->values[FIELD_THUMBNAILS], "lines");
    ck_assert_str_eq(own->values[FIELD_PRESENT], "off");
    ck_assert_str_eq(own->model, "some model");
    ck_assert_uint_eq(options->threads, 3);
    ck_assert(options->screen.color == COLOR_16);
    ck_assert_int_eq(options->out.lines, LINES_BLOCKS);
    ck_assert(options->screen.ascii && options->screen.no_mouse);
    ck_assert_uint_eq(bindings->count, 5);
    ck_assert(action_of_key(bindings, 'x', &action, &digit) && action == ACTION_SAVE);
    ck_assert(action_of_key(bindings, '=', &action, &digit) && action == ACTION_LIST);
    ck_assert(action_of_key(bindings, '#', &action, &digit) && action == ACTION_NUMBERS);
    ck_assert(action_of_key(bindings, 0xE9, &action, &digit) && action == ACTION_HELP);
    ck_assert(action_of_key(bindings, KEY_CODE_F1, &action, &digit) && action == ACTION_VIEW_NEXT);
    ck_assert(action_of_key(bindings, 'q', &action, &digit) && action == ACTION_QUIT);
}

ROW_TEST(a_wrong_line_is_left_out, "settings")
{
    char text[256];
    snprintf(text, sizeof text, "%s\nlines = braille\n", row[0]);
    write_config(text);
    ck_assert_int_eq(start(""), STATUS_OK);
    ck_assert_uint_eq(program.settings.wrong, 1);
    assert_has_parts(program.settings.notes[0].message, row + 1);
    ck_assert_int_eq(program.options.out.lines, LINES_BRAILLE);
    ck_assert_uint_eq(program.settings.bindings.count, 0);
    for (int i = 0; i < FIELD_COUNT; i++)
        ck_assert_ptr_null(program.settings.options.values[i]);
}

TEST(any_bytes_may_be_there)
{
    char text[2048];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * i % 251 % 7 ? i * 37 % 256 : '\n');
    folder_write(&folder, "config", text, sizeof text);
    ck_assert_int_eq(start(""), STATUS_OK);
    ck_assert_uint_eq(program.settings.wrong, SETTINGS_NOTES);
    ck_assert_ptr_nonnull(
        strstr(program.settings.notes[SETTINGS_NOTES - 1].message, "this and other wrong lines"));
    folder_write(&folder, "config", "theme = dark\0\nlines = blocks", 28);
    ck_assert_int_eq(start(""), STATUS_OK);
    ck_assert_ptr_nonnull(strstr(program.settings.notes[0].message, "found a NUL"));
    ck_assert_int_eq(program.options.out.lines, LINES_BLOCKS);
}

TEST(there_are_at_most_so_many_keys)
{
    char text[BINDINGS_MAX * 20 + 40] = "";
    for (int i = 0; i <= BINDINGS_MAX; i++)
        sprintf(text + strlen(text), "key.%c%c = quit\n", 0xD0, 0x80 + i);
    sprintf(text + strlen(text), "key.%c%c = help\n", 0xD0, 0x80);
    text[strlen(text) - strlen("key.xx = help\nkey.xx = quit\n") + 4] = (char)0xD1;
    write_config(text);
    ck_assert_int_eq(start(""), STATUS_OK);
    ck_assert_uint_eq(program.settings.bindings.count, BINDINGS_MAX);
    ck_assert_uint_eq(program.settings.wrong, 1);
    ck_assert_int_eq(program.settings.bindings.all[0].action, ACTION_HELP); /* bound again */
}

/* ---- What goes before it ---- */

TEST(the_command_line_wins)
{
    write_config("theme = light\nlines = blocks\nthreads = 3\nmodel = m\n"
                 "color = 16\n");
    ck_assert_int_eq(start("--theme mono --lines auto --color 256 --model n"), STATUS_OK);
    ck_assert_uint_eq(program.options.threads, 3);
    ck_assert_int_eq(program.options.out.lines, LINES_AUTO);
    ck_assert_int_eq(program.options.screen.color, COLOR_256);
    ck_assert_int_eq(program_prepare(&program, &error), STATUS_OK);
    ck_assert_str_eq(program.options.values[FIELD_THEME], "mono");
    ck_assert_str_eq(program.options.model, "n");
    ck_assert_int_eq(start(TINY_FOLDER "/pair.safetensors"), STATUS_OK); /* which takes no model */
    ck_assert_int_eq(program_prepare(&program, &error), STATUS_OK);
    ck_assert_ptr_null(program.options.model);
    ck_assert_str_eq(program.options.values[FIELD_THEME], "light");
    ck_assert_int_eq(start("--lesson lines"), STATUS_OK); /* nor options of a state */
    ck_assert_int_eq(start("--no-config"), STATUS_OK);
    ck_assert_uint_eq(program.options.threads, 0);
    ck_assert_ptr_null(program.settings.path);
}

/* Pixels are a wish there, as the file is for every terminal. */
TEST(pixels_are_not_insisted_on)
{
    write_config("lines = pixels\n");
    ck_assert_int_eq(start(""), STATUS_OK);
    ck_assert_uint_eq(program.settings.wrong, 0);
    ck_assert_int_eq(program.options.out.lines, LINES_AUTO);
}

/* ---- Keys in the session ---- */

static struct bindings bindings;

static void bind_keys(void)
{
    bindings = (struct bindings){.count = 0};
    ck_assert(bindings_add(&bindings, "x", ACTION_TOKEN_NEXT) &&
              bindings_add(&bindings, "a", ACTION_VIEW_NEXT) &&
              bindings_add(&bindings, "F1", ACTION_QUIT));
    session.bindings = &bindings;
}

TEST(hints_have_the_keys_of_ones_own, .with = &session_tests)
{
    static const struct {
        const char *hint, *own;
    } hints[] = {{"↑↓", "↑ x"},  {"a", ""},    {"Tab", "a"},   {"q", "F1"},       {"?", "?"},
                 {"0-9", "0-9"}, {"←→", "←→"}, {"< >", "< >"}, {"Enter", "Enter"}};
    char own[64];
    bind_keys();
    for (int i = 0; i < COUNT(hints); i++) {
        bindings_hint(&bindings, hints[i].hint, own, sizeof own);
        ck_assert_str_eq(own, hints[i].own);
        bindings_hint(NULL, hints[i].hint, own, sizeof own);
        ck_assert_str_eq(own, hints[i].hint);
    }
}

/* ---- The program ---- */

/* The folder of the user's own file, which is the program's then. */
static struct folder own_folder(void)
{
    struct folder own;
    ck_assert_uint_lt(strlen(folder.path) + sizeof "/headlight", sizeof own.path);
    snprintf(own.path, sizeof own.path, "%.40s/headlight", folder.path);
    ck_assert_int_eq(mkdir(own.path, 0700), 0);
    setenv("XDG_CONFIG_HOME", folder.path, 1);
    return own;
}

TEST(the_users_own_file_is_found)
{
    const char *const keys[] = {"headlight", "keys", NULL}, *const none[] = {"headlight",
                                                                             "--no-config", "keys",
                                                                             NULL};
    const struct folder own = own_folder();
    struct result output = run(keys, PIPED, PIPED); /* nothing is there yet */
    ck_assert_ptr_nonnull(strstr(output.text, "\n  q          quit "));
    folder_write(&own, "config", "key.X = quit\n", 13);
    output = run(keys, PIPED, PIPED);
    ck_assert_ptr_nonnull(strstr(output.text, "\n  X q        quit "));
    output = run(none, PIPED, PIPED);
    ck_assert_ptr_nonnull(strstr(output.text, "\n  q          quit "));
    folder_remove(&own);
}

/* A pipe without a writer must not be waited for. */
TEST(what_is_no_file_is_told)
{
    const char *const keys[] = {"headlight", "keys", NULL};
    const struct folder own = own_folder();
    char *pipe = in_folder(&own, "config"), expected[256];
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    int nowhere = open("/dev/null", O_WRONLY);
    struct result output = run(keys, nowhere, PIPED);
    assert_exit(&output, 0);
    snprintf(expected, sizeof expected,
             "headlight: %s: expected a regular file, found a pipe or a device\n", pipe);
    ck_assert_str_eq(output.text, expected);
    close(nowhere);
    free(pipe);
    folder_remove(&own);
}

TEST(a_terminal_shows_keys_and_what_is_wrong, .with = &screen_tests)
{
    const char *const arguments[] = {"--config", path, NULL};
    write_config("key.x = token-next\nkey.X = quit\ntheme = pink\n");
    pty = pty_start(&(struct pty_setup){
        .arguments = arguments, .before = BEFORE "\n", .columns = 80, .rows = 24});
    pty_expect(pty,
               "config:3: theme: expected dark, light, contrast, mono or print, found \"pink\"");
    pty_type(pty, "x");
    pty_expect(pty, "▸ like");
    pty_expect(pty, "X quit");
    pty_type(pty, "??");
    pty_expect(pty, "x Down  ");
    pty_type(pty, "\033");
    pty_expect(pty, "X quit");
    pty_type(pty, "X");
    assert_exited(0);
    assert_restored();
}
