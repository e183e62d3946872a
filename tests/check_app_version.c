/* check_app_version.c: what --version says. */
#include "headlight/app/lists.h"

#include "headlight/base/file.h"
#include "headlight/tensor/kernels.h"
#include "headlight/terminal/terminals.h"

#include "model_helpers.h"
#include "process_helpers.h"
#include "rows.h"
#include "suites.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *text;

static void begin(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    setenv("TERM", "xterm-256color", 1);
    text = NULL;
}

static void end(void)
{
    free(text);
}

TESTS(.begin = begin, .end = end);

static void write_text(bool ascii)
{
    size_t length;
    free(text);
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(stream);
    version_write(stream, ascii, false);
    ck_assert_int_eq(fclose(stream), 0);
}

/* The line of a fact begins with its name and has the part. */
static void assert_fact(const char *name, const char *part)
{
    char start[32];
    snprintf(start, sizeof start, "\n%-9s", name);
    const char *line = strstr(text, start);
    ck_assert_msg(line != NULL, "no %s in\n%s", name, text);
    const char *found = strstr(line + 1, part), *line_end = strchr(line + 1, '\n');
    ck_assert_msg(found && line_end && found < line_end, "%s without \"%s\":%.*s", name, part,
                  line_end ? (int)(line_end - line) : 0, line);
}

TEST(the_first_line_is_name_and_number)
{
    static const char first[] = "headlight " HEADLIGHT_VERSION "\n";
    write_text(false);
    ck_assert_int_eq(strncmp(text, first, sizeof first - 1), 0);
    assert_fact("kernels", kernels_now()->name);
    assert_fact("bits", kernels_now()->bits);
}

/* A terminal is said by name, safe to print, and with what is known of it; without one, too. */
ROW_TEST(a_terminal_is_described, "version_terminals")
{
    static const char *const variables[] = {
        "TERM", "TMUX", "STY", "SSH_TTY", "SSH_CONNECTION", "VTE_VERSION", "TERM_PROGRAM"};
    for (int i = 0; i < COUNT(variables); i++)
        unsetenv(variables[i]);
    for (const char *const *set = row + 1; *set; set++)
        putenv((char *)*set);
    write_text(false);
    assert_fact("terminal", row[0]);
    for (const char *at = text; *at; at++)
        ck_assert(*at == '\n' || ((unsigned char)*at >= ' ' && *at != 127));
}

/* Each row of the table alone gives its own traits, and each trait has words. */
TEST(a_terminal_has_the_traits_of_its_rows)
{
    const struct terminal_row *row;
    for (row = terminal_rows; row->variable; row++)
        unsetenv(row->variable);
    ck_assert_uint_eq(terminal_traits(NULL), 0);
    for (row = terminal_rows; row->variable; row++) {
        setenv(row->variable, *row->begins ? row->begins : "1", 1);
        ck_assert_uint_eq(terminal_traits(NULL) & row->traits, row->traits);
        for (unsigned bit = 0; row->traits >> bit != 0; bit++)
            ck_assert_ptr_nonnull(terminal_trait_text(bit));
        unsetenv(row->variable);
    }
    ck_assert_uint_eq(terminal_traits("tmux-256color"), TERMINAL_WITHIN | TERMINAL_NO_PICTURES);
}

/* ---- The bits ---- */

#define MAGIC 8 /* bytes before the text of a trace */

static struct folder written;

static char *content_of(const char *name, size_t *size)
{
    struct error error;
    char *path = in_folder(&written, name), *content;
    ck_assert_msg(file_read(path, (size_t)1 << 24, &content, size, &error) == STATUS_OK, "%s",
                  error.message);
    free(path);
    return content;
}

/* Writes a text, or a recording's, with each option that writes numbers, and expects the bits in
 * the file, as it names them. */
static void assert_all_name(const char *source, const char *bits)
{
    static const char *const writers[][6] = {
        {"--json", "a.json", "\"bits\":\"", "\""},
        {"--trace", "a.safetensors", "\"bits\":\"", "\""},
        {"--html", "a.html", "\"bits\":\"", "\""},
        {"--snapshot", "a.svg", "<h:fact name=\"bits\">", "</h:fact>"},
        {"--snapshot", "b.svg", "; bits: ", ";"},
        {"--state", "state.json", "\"bits\":\"", "\"", "--csv", "/dev/null"},
        {"--record", "a.cast", "\"bits\":\"", "\"", "--type", "Down"},
    };
    for (int i = 0; i < COUNT(writers); i++) {
        char *path = in_folder(&written, writers[i][1]), part[80];
        const char *const arguments[] = {"headlight", "--no-config", source,        writers[i][0],
                                         path,        writers[i][4], writers[i][5], NULL};
        static struct result result;
        size_t size;
        unlink(path);
        result = run(arguments, PIPED, PIPED);
        assert_exit(&result, 0);
        snprintf(part, sizeof part, "%s%s%s", writers[i][2], bits, writers[i][3]);
        char *content = content_of(writers[i][1], &size);
        ck_assert_msg(strstr(content + MAGIC, part), "%s: no %s", writers[i][1], part);
        free(content);
        free(path);
    }
}

/* The words of --version, on any processor; a recording's are its own. */
TEST(every_file_with_numbers_names_their_bits)
{
    const char *const version[] = {"headlight", "--version", NULL};
    static struct result said;
    char bits[64], *path;
    size_t size;
    said = run(version, PIPED, PIPED);
    ck_assert_int_eq(sscanf(strstr(said.text, "\nbits "), " bits %63[^\n]", bits), 1);
    folder_make(&written);
    assert_all_name("time flies", bits);
    char *trace = content_of("a.safetensors", &size), *at = strstr(trace + MAGIC, bits);
    memset(at, '~', strlen(bits));
    folder_write(&written, "other.safetensors", trace, size);
    path = in_folder(&written, "other.safetensors");
    memset(bits, '~', strlen(bits));
    assert_all_name(path, bits);
    free(trace);
    free(path);
    folder_remove(&written);
}

/* ---- The number ---- */

/* In no file of the folder. */
static void assert_no_number(const char *folder, const char *end_of_name)
{
    struct error error;
    DIR *stream = opendir(folder);
    ck_assert_ptr_nonnull(stream);
    for (struct dirent *entry; (entry = readdir(stream));) {
        size_t length = strlen(entry->d_name), tail = strlen(end_of_name), size;
        char *path = path_join(folder, entry->d_name), *found;
        bool wanted = length > tail && strcmp(entry->d_name + length - tail, end_of_name) == 0;
        if (wanted) {
            ck_assert_int_eq(file_read(path, (size_t)1 << 24, &found, &size, &error), STATUS_OK);
            ck_assert_msg(!strstr(found, HEADLIGHT_VERSION), "%s has the number", path);
            free(found);
        }
        free(path);
    }
    closedir(stream);
}

/* So that the next one is one edit, in the Makefile. */
TEST(the_number_stands_in_one_place)
{
    static const char *const floors[] = {"base", "tensor", "text",    "model",  "lens",     "draw",
                                         "view", "lesson", "session", "export", "terminal", "app"};
    char folder[64], define[] = "\nVERSION := " HEADLIGHT_VERSION "\n", *makefile;
    struct error error;
    size_t length;
    for (int i = 0; i < COUNT(floors); i++) {
        snprintf(folder, sizeof folder, "src/%s", floors[i]);
        assert_no_number(folder, ".c");
        snprintf(folder, sizeof folder, "include/headlight/%s", floors[i]);
        assert_no_number(folder, ".h");
    }
    assert_no_number(".", ".md");
    assert_no_number("tests", ".mk");
    ck_assert_int_eq(file_read("Makefile", (size_t)1 << 24, &makefile, &length, &error), STATUS_OK);
    char *at = strstr(makefile, define);
    ck_assert_ptr_nonnull(at);
    ck_assert_ptr_null(strstr(at + sizeof define - 2, HEADLIGHT_VERSION));
    free(makefile);
}
