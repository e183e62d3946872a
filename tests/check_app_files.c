/* check_app_files.c: the files that the real program writes, and what ends it meanwhile. */
#include "headlight/base/file.h"
#include "model_helpers.h"
#include "process_helpers.h"
#include "suites.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* macOS and OpenBSD have no real-time signals. */
#ifdef SIGRTMIN
#define ANOTHER_SIGNAL SIGRTMIN
#else
#define ANOTHER_SIGNAL SIGEMT
#endif

static struct folder folder;
static char *path;

static void begin(void)
{
    folder_make(&folder);
    path = path_join(folder.path, "out");
    folder_write(&folder, "out", "before", 6);
}

/* A temporary file that was left would keep the folder from being removed. */
static void end(void)
{
    folder_remove(&folder);
    free(path);
}

static const struct fixture signals_tests = {.begin = begin, .end = end, .slow = true};

TESTS(.begin = begin, .end = end);

static void assert_file(const char *expected)
{
    struct error error;
    char *text;
    size_t length;
    assert_ok(file_read(path, 1 << 20, &text, &length, &error), error);
    ck_assert_str_eq(text, expected);
    free(text);
}

/* By that name a program may be told to write to standard output, with a file behind it: what
 * others wrote there stays. */
TEST(a_name_of_standard_output_is_standard_output)
{
    const char *arguments[] = {"headlight", "--csv", "/dev/stdout", "time flies", NULL};
    int out = open(path, O_WRONLY | O_APPEND);
    ck_assert_int_ge(out, 0);
    if (access("/dev/stdout", F_OK) != 0) {
        skip("standard output by name: there is no /dev/stdout");
        return;
    }
    struct result output = run(arguments, out, PIPED);
    assert_exit(&output, 0);
    ck_assert_int_eq(write(out, "after", 5), 5);
    close(out);
    struct error error;
    char *text;
    size_t length;
    assert_ok(file_read(path, 1 << 20, &text, &length, &error), error);
    ck_assert_int_eq(strncmp(text, "before", 6), 0);
    ck_assert_ptr_nonnull(strstr(text, "flies"));
    ck_assert_str_eq(text + length - 5, "after");
    free(text);
}

/* Closed at the start, it leads to where nothing can be written, by any name. */
TEST(a_closed_standard_output_is_an_error_by_name)
{
    const char *arguments[] = {"headlight", "--csv", "/dev/stdout", "time flies", NULL};
    int unusable = open("/dev/null", O_RDONLY);
    ck_assert_int_ge(unusable, 0);
    if (access("/dev/stdout", F_OK) == 0)
        assert_output_fails(arguments, unusable, "/dev/stdout: cannot be written");
    else
        skip("standard output by name: there is no /dev/stdout");
    close(unusable);
}

/* ulimit -f: the system would end the program with SIGXFSZ. */
TEST(a_file_over_the_size_limit_is_an_error)
{
    if (counts_lines()) {
        skip("limits on the size of files, which would cut what counts lines");
        return;
    }
    const char *arguments[] = {"headlight", "--json",     path, "--include",
                               "weights",   "time flies", NULL};
    struct rlimit before, small;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){1024, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_output_fails(arguments, STDERR_FILENO, "out: cannot be written: File too large");
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_file("before");
}

/* The exit status of the program, which writes to nowhere, with so little stack. */
static int status_with_stack(rlim_t bytes, const char *const *arguments)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit small = {bytes, bytes}, no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        if (setrlimit(RLIMIT_STACK, &small) == 0)
            exec_program(arguments);
        _exit(127);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

/* ulimit -s: what threads have where the C library is small. A program that is watched needs more
 * of it. */
TEST(a_small_stack_is_enough)
{
    const char *const views[] = {"model", "neuron", "steps", "compare"};
    const char *const lesson[] = {"headlight", "--lesson", "weight", NULL};
    char *picture = in_folder(&folder, "out.svg");
    for (int i = 0; i < COUNT(views) && !is_sanitized() && !is_emulated(); i++) {
        const bool compares = i + 1 == COUNT(views);
        const char *const arguments[] = {"headlight",
                                         "--view",
                                         views[i],
                                         "--snapshot",
                                         picture,
                                         "time flies …",
                                         compares ? "--against" : NULL,
                                         "built-in",
                                         NULL};
        ck_assert_int_eq(status_with_stack(128 << 10, arguments), 0);
        ck_assert_int_eq(unlink(picture), 0);
    }
    if (!is_sanitized() && !is_emulated())
        ck_assert_int_eq(status_with_stack(128 << 10, lesson), 0);
    free(picture);
}

/* ---- Names that lead elsewhere ---- */

/* What writes files, "@" for one of the folder; `own`: the user may name a pipe or a device. */
static const struct {
    const char *line, *name;
    bool own;
} outputs[] = {
    {"survey @texts.txt -o", "out.survey", false},
    {"index @texts.txt --only 3 -o", "out.index", false},
    {"merge @first.survey -o", "out.survey", false},
    {"--json", "out.json", true},
    {"--csv", "out.csv", true},
    {"--trace", "out.safetensors", true},
    {"--html", "out.html", true},
    {"--snapshot", "out.svg", true},
    {"--type Down --record", "out.cast", true},
    {"--type Down --record", "moving.svg", true},
};

static struct result write_to(const char *line, const char *name)
{
    static char words[100];
    const char *arguments[12] = {"headlight", "--no-config"};
    char *owned[12] = {0};
    size_t count = 2;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "), count++) {
        owned[count] = *word == '@' ? in_folder(&folder, word + 1) : NULL;
        arguments[count] = owned[count] ? owned[count] : word;
    }
    arguments[count] = owned[count] = in_folder(&folder, name);
    struct result result = run(arguments, PIPED, PIPED);
    for (size_t i = 0; i < COUNT(owned); i++)
        free(owned[i]);
    return result;
}

/* Counts what comes out of a pipe with that name, in a process of its own. */
static pid_t read_pipe(const char *name)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char bytes[4096];
        ssize_t got, sum = 0;
        int fd = open(name, O_RDONLY);
        while ((got = read(fd, bytes, sizeof bytes)) > 0)
            sum += got;
        _exit(sum > 0 ? 0 : 1);
    }
    return child;
}

static void check_mine(const char *name, bool changed)
{
    char *mine = in_folder(&folder, name), text[8] = "";
    FILE *stream = fopen(mine, "rb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_gt(fread(text, 1, sizeof text - 1, stream), 0);
    fclose(stream);
    ck_assert_msg((strcmp(text, "mine") != 0) == changed, "%s: %s", name, text);
    free(mine);
}

/* A link stays one and leads to the new file; another name of the file keeps the old one. */
static void check_links(const char *line, const char *name, const char *there)
{
    struct stat info;
    folder_write(&folder, "mine", "mine", 4);
    ck_assert_int_eq(symlink("mine", there), 0);
    struct result result = write_to(line, name);
    assert_exit(&result, 0);
    ck_assert_int_eq(lstat(there, &info), 0);
    ck_assert(S_ISLNK(info.st_mode));
    check_mine("mine", true);
    unlink(there);
    folder_write(&folder, "mine", "mine", 4);
    char *mine = in_folder(&folder, "mine");
    ck_assert_int_eq(link(mine, there), 0);
    result = write_to(line, name);
    assert_exit(&result, 0);
    check_mine("mine", false);
    unlink(there);
    /* A name beside it is nobody's but the user's. */
    char beside[PATH_MAX];
    snprintf(beside, sizeof beside, "%s.part", there);
    ck_assert_int_eq(link(mine, beside), 0);
    result = write_to(line, name);
    assert_exit(&result, 0);
    check_mine("mine", false);
    unlink(there);
    free(mine);
}

static void check_no_files(const char *line, const char *name, const char *there, bool own)
{
    struct stat info;
    int status;
    ck_assert_int_eq(mkfifo(there, 0600), 0);
    const pid_t reader = read_pipe(there);
    struct result result = write_to(line, name);
    if (!own)
        kill(reader, SIGKILL);
    assert_exit(&result, own ? 0 : 1);
    ck_assert(own || strstr(result.text, "found a pipe or a device"));
    ck_assert_int_eq(waitpid(reader, &status, 0), reader);
    ck_assert(!own || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    unlink(there);
    ck_assert_int_eq(symlink("/dev/null", there), 0);
    result = write_to(line, name);
    assert_exit(&result, own ? 0 : 1);
    ck_assert_int_eq(stat("/dev/null", &info), 0);
    ck_assert(S_ISCHR(info.st_mode));
    unlink(there);
    ck_assert_int_eq(mkdir(there, 0700), 0);
    result = write_to(line, name);
    assert_exit(&result, 1);
    ck_assert_ptr_nonnull(strstr(result.text, "found a folder"));
    rmdir(there);
}

TEST(only_what_was_named_is_written, .times = COUNT(outputs))
{
    const char *line = outputs[_i].line, *name = outputs[_i].name;
    char *there = in_folder(&folder, name);
    folder_write(&folder, "texts.txt", "the cat\n", 8);
    struct result result = write_to("survey @texts.txt -o", "first.survey");
    assert_exit(&result, 0);
    check_links(line, name, there);
    check_no_files(line, name, there, outputs[_i].own);
    free(there);
}

/* ---- Signals ---- */

/* Every signal that a user or the system may end the program with. */
static const int endings[] = {
    SIGHUP,    SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,    SIGUSR1,
    SIGSEGV,   SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGSYS,  SIGPROF, SIGVTALRM,
#ifdef __linux__
    SIGIO,     SIGPWR,
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
#endif
};

static bool has_temporary_name(void)
{
    bool found = false;
    DIR *directory = opendir(folder.path);
    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        found = found || strncmp(entry->d_name, ".headlight", 10) == 0;
    closedir(directory);
    return found;
}

static void wait_for_writing(pid_t child)
{
    while (!has_temporary_name()) {
        ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
        sched_yield();
    }
    ck_assert_int_eq(kill(child, SIGSTOP), 0);
    ck_assert(has_temporary_name());
}

/* Seconds of JSON: the signal comes in the middle. */
static pid_t spawn_long_export(int ignored)
{
    static char text[120 * 5 + 1];
    const char *arguments[] = {"headlight", "--json", path, "--include", "all", text, NULL};
    text[0] = '\0';
    for (int i = 0; i < 120; i++)
        strcat(text, "time ");
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    setenv("ASAN_OPTIONS", "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0", 1);
    if (ignored)
        signal(ignored, SIG_IGN);
    exec_program(arguments);
    return 0;
}

TEST(a_signal_leaves_the_file_of_before_and_nothing_else, .times = COUNT(endings) + 1,
     .with = &signals_tests)
{
    int number = _i < COUNT(endings) ? endings[_i] : ANOTHER_SIGNAL;
    int status;
    pid_t child = spawn_long_export(0);
    wait_for_writing(child);
    ck_assert_int_eq(kill(child, number) + kill(child, SIGCONT), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), number);
    ck_assert(!has_temporary_name());
    assert_file("before");
}

TEST(a_signal_that_was_ignored_stays_ignored, .with = &signals_tests)
{
    int status;
    pid_t child = spawn_long_export(SIGHUP);
    wait_for_writing(child);
    ck_assert_int_eq(kill(child, SIGHUP) + kill(child, SIGCONT), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
