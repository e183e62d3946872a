/* check_app_manual.c: the manual page says what the program has, in roff that says nothing else. */
#include "headlight/app/manual.h"

#include "headlight/app/options_table.h"
#include "headlight/lesson/lessons.h"
#include "headlight/view/actions.h"
#include "headlight/view/views.h"
#include "model_helpers.h"
#include "suites.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static char *page;  /* in roff */
static char *plain; /* as it is read: without fonts and requests' names, all in one line */

/* ---- Reading roff ---- */

/* Writes what an escape at `at`, behind its backslash, stands for; returns its end. */
static const char *read_escape(const char *at, FILE *stream)
{
    static const char *const named[] = {"(ga`", "(ha^", "(ti~", "(aq'"};
    unsigned code;
    if (*at == 'f')
        return at + 2;
    if (*at == 'e' || *at == '-')
        fputc(*at == 'e' ? '\\' : '-', stream);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strncmp(at, named[i], 3) == 0) {
            fputc(named[i][3], stream);
            return at + 3;
        }
    if (sscanf(at, "[u%4X]", &code) == 1) {
        fprintf(stream, "%lc", (wint_t)code);
        return strchr(at, ']') + 1;
    }
    ck_assert_msg(strchr("e-&", *at) != NULL, "an unknown escape: \\%.10s", at);
    return at + 1;
}

static void read_page(void)
{
    size_t length = 0, plain_length = 0;
    FILE *stream = open_memstream(&page, &length);
    manual_write(stream);
    fclose(stream);
    stream = open_memstream(&plain, &plain_length);
    for (const char *at = page; *at;)
        if (*at == '\\') {
            at = read_escape(at + 1, stream);
        } else {
            fputc(*at == '\n' ? ' ' : *at, stream);
            at++;
        }
    fclose(stream);
}

static void free_page(void)
{
    free(page);
    free(plain);
}

static void assert_says(const char *text)
{
    ck_assert_msg(strstr(plain, text) != NULL, "the page doesn't say \"%s\"", text);
}

/* ---- What it says ---- */

START_TEST(every_option_is_there_with_its_help_and_choices)
{
    const struct option_info *option;
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        char line[320], help[256];
        const char *choice;
        option_write_help(option, help, sizeof help);
        snprintf(line, sizeof line, "--%s%s%s %s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "", help);
        assert_says(line);
        const char *from = strstr(plain, line), *end = strstr(from, ".TP");
        for (size_t j = 0; (choice = option_choice(option, j)) != NULL; j++) {
            const char *found = strstr(from, choice);
            ck_assert_msg(!option->argument || (found && found < end), "--%s lacks %s",
                          option->name, choice);
        }
    }
}
END_TEST

START_TEST(every_key_view_and_lesson_is_there)
{
    char line[320], keys[40];
    for (int action = 0; action < ACTION_COUNT;) {
        const char *help = action_info((enum action)action)->help;
        action = action_keys(action, ", ", keys, sizeof keys);
        snprintf(line, sizeof line, "%s %s", keys, help);
        assert_says(line);
    }
    for (enum view_kind kind = 0; kind < VIEW_COUNT; kind++) {
        snprintf(line, sizeof line, "%s %s", view_name(kind), view_at(kind)->about);
        assert_says(line);
    }
    for (size_t i = 0; i < lessons_count(); i++) {
        struct lesson *lesson;
        struct error error;
        assert_ok(lessons_open(lessons_name(i), &lesson, &error), error);
        snprintf(line, sizeof line, "%s %s", lessons_name(i), lesson->title);
        lesson_free(lesson);
        assert_says(line);
    }
}
END_TEST

/* ---- Environment ---- */

/* Checks that each text in quotes that could name a variable is on the page. */
static size_t check_variables(const char *source)
{
    size_t found = 0;
    for (const char *at = strchr(source, '"'); at; at = strchr(at + 1, '"')) {
        size_t length = strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        char name[64];
        if (length < 4 || length >= sizeof name || at[1 + length] != '"')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, at + 1);
        assert_says(name);
        found++;
    }
    return found;
}

START_TEST(variables_that_the_program_reads_are_there)
{
    glob_t files;
    size_t found = 0;
    ck_assert_int_eq(glob("src/*/*.c", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *source = NULL;
        size_t size = 0;
        FILE *stream = fopen(files.gl_pathv[i], "r");
        ck_assert_ptr_nonnull(stream);
        ck_assert_int_gt(getdelim(&source, &size, '\0', stream), 0);
        fclose(stream);
        if (strstr(source, "getenv(") || strstr(source, "setenv("))
            found += check_variables(source);
        free(source);
    }
    globfree(&files);
    ck_assert_uint_gt(found, 10);
}
END_TEST

/* ---- Roff ---- */

START_TEST(lines_are_requests_only_where_they_are_meant)
{
    static const char *const known[] = {".TH ", ".SH ", ".SS ", ".TP", ".PP", ".PD",
                                        ".nf",  ".fi",  ".RS ", ".RE", ".B "};
    for (const char *line = page; *line; line = strchr(line, '\n') + 1) {
        bool request = *line == '.', meant = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            meant = meant || strncmp(line, known[i], strlen(known[i])) == 0;
        ck_assert_msg(*line != '\'' && request == meant, "%.60s", line);
        for (const char *at = line; *at != '\n'; at++)
            ck_assert_msg(isprint((unsigned char)*at), "not in ASCII: %.60s", line);
    }
}
END_TEST

START_TEST(it_is_the_same_each_time)
{
    char *before = page;
    free(plain);
    read_page();
    ck_assert_str_eq(before, page);
    free(before);
}
END_TEST

/* ---- Examples ---- */

/* Each in a folder of its own, by a shell that finds the program; something is then written. */
START_TEST(examples_run)
{
    const char *program = getenv("HEADLIGHT_PROGRAM"), *example;
    char folder[] = "/tmp/headlight-manual-XXXXXX", absolute[PATH_MAX], command[PATH_MAX + 512];
    ck_assert_ptr_nonnull(realpath(program ? program : "build/headlight", absolute));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (size_t i = 0; (example = manual_example(i)) != NULL; i++) {
        assert_says(example);
        snprintf(command, sizeof command,
                 "mkdir %s/%zu && cd %s/%zu && headlight() { '%s' \"$@\"; } && { %s; } > said && "
                 "[ -n \"$(find . -type f -size +0)\" ]",
                 folder, i, folder, i, absolute, example);
        ck_assert_msg(system(command) == 0, "%s", example);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

Suite *suite_app_manual(void)
{
    Suite *suite = suite_create("app/manual");
    TCase *tests = tcase_create("manual");
    tcase_add_checked_fixture(tests, read_page, free_page);
    tcase_add_test(tests, every_option_is_there_with_its_help_and_choices);
    tcase_add_test(tests, every_key_view_and_lesson_is_there);
    tcase_add_test(tests, variables_that_the_program_reads_are_there);
    tcase_add_test(tests, lines_are_requests_only_where_they_are_meant);
    tcase_add_test(tests, it_is_the_same_each_time);
    tcase_add_test(tests, examples_run);
    suite_add_tcase(suite, tests);
    return suite;
}
