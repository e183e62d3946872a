/* check_app_manual.c: the file of options names every value that one takes; the manual's frame,
 * which is kept by hand, has every key, view, map, figure and variable of the program, and its
 * examples run. */
#include "headlight/app/options.h"
#include "headlight/base/file.h"
#include "headlight/lens/map.h"
#include "headlight/lens/metrics.h"
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

static char *page, *list;

static void read_page(void)
{
    size_t size;
    struct error error;
    assert_ok(file_read("assets/headlight.1.in", 1 << 20, &page, &size, &error), error);
    assert_ok(file_read("assets/options", 1 << 20, &list, &size, &error), error);
}

static void free_page(void)
{
    free(page);
    free(list);
}

TESTS(.begin = read_page, .end = free_page);

/* ---- Reading mdoc ---- */

/* A line as it is read: without its macro, escapes and the blanks before punctuation. */
static void plain(const char *line, const char *macro, char *text, size_t size)
{
    size_t used = 0;
    for (const char *at = line + strlen(macro); *at && *at != '\n' && used + 1 < size; at++) {
        if (at[0] == '\\' && at[1] == '&')
            at++;
        else if (!(at[0] == '\\' && at[1] == '-') && !(at[0] == ' ' && at[1] == ','))
            text[used++] = *at;
    }
    text[used] = '\0';
}

/* The item of a list whose line begins with a macro and reads as the text; NULL if there is none.
 */
static const char *item(const char *macro, const char *text)
{
    char found[128];
    for (const char *line = page; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, macro, strlen(macro)) == 0) {
            plain(line, macro, found, sizeof found);
            if (strcmp(found, text) == 0)
                return line;
        }
    }
    return NULL;
}

static const char *assert_item(const char *macro, const char *text)
{
    const char *found = item(macro, text);
    ck_assert_msg(found != NULL, "expected \"%s%s\" on the page, found none", macro, text);
    return found;
}

/* ---- What it says ---- */

static bool has_word(const char *from, const char *end, const char *word)
{
    for (const char *at = from; (at = strstr(at, word)) && at < end; at++)
        if (!isalnum((unsigned char)at[-1]) && !isalnum((unsigned char)at[strlen(word)]))
            return true;
    return false;
}

TEST(every_value_is_named)
{
    const struct option_info *option;
    const char *choice;
    char head[80];
    size_t found = 0;
    for (size_t i = 0; (option = option_at(i)); i++) {
        snprintf(head, sizeof head, option->dashes ? "\n--%s " : "\n%s ", option->name);
        for (size_t j = 0; option->argument && (choice = option_choice(option, j)); j++, found++) {
            const char *from = strstr(list, head), *end = from + 1;
            while (*end && !(strncmp(end, "\n\n", 2) == 0 && end[2] != ' '))
                end++;
            ck_assert_msg(has_word(from, end, choice), "--%s lacks %s", option->name, choice);
        }
    }
    ck_assert_uint_gt(found, 100);
}

/* And with the name by which the file of settings binds other keys to it. */
TEST(every_key_is_there_with_its_help, .times = ACTION_COUNT)
{
    const enum action action = (enum action)_i;
    const char *help = action_info(action)->help;
    char keys[40], name[ACTION_NAME_MAX], found[128];
    action_keys(NULL, action, keys, sizeof keys);
    action_name(action, name);
    if (!*keys) { /* named in front of them */
        snprintf(found, sizeof found, ".Cm %s", name);
        for (char *dash = found; (dash = strchr(dash, '-')); dash += 2) {
            memmove(dash + 1, dash, strlen(dash) + 1);
            *dash = '\\';
        }
        ck_assert_msg(strstr(page, found) != NULL, "the page lacks %s", found);
        return;
    }
    const char *line = strchr(assert_item(".It Ic ", keys), '\n') + 1;
    ck_assert_msg(strncmp(line, help, strlen(help)) == 0 && line[strlen(help)] == '\n',
                  "%s: expected \"%s\", found \"%.40s\"", keys, help, line);
    plain(line + strlen(help) + 1, ".Pq Cm ", found, sizeof found);
    if (action != ACTION_HEAD_DIGIT)
        ck_assert_str_eq(found, name);
}

TEST(every_setting_is_there)
{
    const struct option_info *option;
    char settings[256], name[40];
    const char *line = strstr(page, "\n.It Cm theme , ");
    ck_assert_ptr_nonnull(line);
    plain(line + 1, ".It Cm", settings, sizeof settings);
    strcat(settings, ",");
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        snprintf(name, sizeof name, " %s,", option->name);
        ck_assert_msg((strstr(settings, name) != NULL) == option_stays(option), "%s: %s", name,
                      settings);
    }
}

TEST(every_view_map_and_figure_is_there)
{
    for (enum view_kind kind = 0; kind < VIEW_COUNT; kind++)
        assert_item(".It Ic ", view_name(kind));
    for (enum map_kind kind = 0; kind < MAP_COUNT; kind++)
        assert_item(".It Cm ", map_infos[kind].name);
    for (size_t i = 1; field_choice(FIELD_METRIC, i); i++) /* the first is "none" */
        assert_item(".It Cm ", field_choice(FIELD_METRIC, i));
}

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
        ck_assert_msg(strstr(page, name) != NULL, "the page doesn't name %s", name);
        found++;
    }
    return found;
}

TEST(variables_that_the_program_reads_are_there)
{
    glob_t files;
    size_t found = 0, size;
    struct error error;
    ck_assert_int_eq(glob("src/*/*.c", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *source;
        ck_assert_int_eq(file_read(files.gl_pathv[i], 1 << 20, &source, &size, &error), STATUS_OK);
        if (strstr(source, "getenv(") || strstr(source, "setenv("))
            found += check_variables(source);
        free(source);
    }
    globfree(&files);
    ck_assert_uint_gt(found, 10);
}

/* ---- Examples ---- */

/* A line that is displayed, as it is typed. */
static void read_example(const char *line, char *text, size_t size)
{
    static const char *const escapes[][2] = {{"\\(dq", "\""}, {"\\-", "-"}, {"\\&", ""}};
    size_t used = 0;
    while (*line && *line != '\n' && used + 2 < size) {
        const char *as = NULL;
        for (int i = 0; i < COUNT(escapes) && !as; i++)
            if (strncmp(line, escapes[i][0], strlen(escapes[i][0])) == 0) {
                as = escapes[i][1];
                line += strlen(escapes[i][0]);
            }
        if (as)
            used += (size_t)snprintf(text + used, size - used, "%s", as);
        else
            text[used++] = *line++;
    }
    text[used] = '\0';
}

/* Each in a folder of its own, by a shell that finds the program; something is then written. */
TEST(examples_run)
{
    const char *program = getenv("HEADLIGHT_PROGRAM"), display[] = "\n.Dl ";
    char folder[] = "/tmp/headlight-manual-XXXXXX", absolute[PATH_MAX], command[PATH_MAX + 512];
    size_t count = 0;
    ck_assert_ptr_nonnull(realpath(program ? program : "build/headlight", absolute));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (const char *at = page; (at = strstr(at, display)) != NULL; count++) {
        char example[256];
        at += strlen(display);
        read_example(at, example, sizeof example);
        snprintf(command, sizeof command,
                 "mkdir %s/%zu && cd %s/%zu && headlight() { '%s' \"$@\"; } && { %s; } > said && "
                 "[ -n \"$(find . -type f -size +0)\" ]",
                 folder, count, folder, count, absolute, example);
        ck_assert_msg(system(command) == 0, "%s", example);
    }
    ck_assert_uint_gt(count, 5);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
