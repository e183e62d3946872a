/* check_app_pipe.c: the real program without a terminal. */
#define _GNU_SOURCE /* memmem, O_TMPFILE */

#include "headlight/base/file.h"
#include "headlight/tensor/kernels.h"
#include "hub_helpers.h"
#include "model_helpers.h"
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
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#if defined(O_TMPFILE) && defined(__GLIBC__) /* whose open is openat */
#define REFUSES_UNNAMED
#endif
#endif

struct output {
    int status;
    char text[1 << 17]; /* standard output, or standard error where output is given */
};

static void exec_program(const char *const *arguments)
{
    const char *program = getenv("HEADLIGHT_PROGRAM");
    signal(SIGPIPE, SIG_DFL);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    execv(program ? program : "build/headlight", (char *const *)arguments);
    _exit(127);
}

/* Runs the program with standard input from `in`, standard output going to `out`, standard error to
 * `error`. */
static pid_t spawn_reading(const char *const *arguments, int in, int out, int error)
{
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    exec_program(arguments);
    return 0;
}

static pid_t spawn(const char *const *arguments, int out, int error)
{
    int null = open("/dev/null", O_RDONLY);
    pid_t child = spawn_reading(arguments, null, out, error);
    close(null);
    return child;
}

/* What is read from the pipe until its end (or until there is no room: the rest is thrown away);
 * then the program's wait status. */
static struct output finish(pid_t child, int from)
{
    struct output output = {0};
    size_t length = 0;
    ssize_t got;
    while (length < sizeof output.text - 1 &&
           (got = read(from, output.text + length, sizeof output.text - 1 - length)) > 0)
        length += (size_t)got;
    char rest[4096];
    while (read(from, rest, sizeof rest) > 0)
        continue;
    close(from);
    ck_assert_int_eq(waitpid(child, &output.status, 0), child);
    return output;
}

static void assert_exit(const struct output *output, int code)
{
    ck_assert_msg(WIFEXITED(output->status), "ended by signal %d", WTERMSIG(output->status));
    ck_assert_msg(WEXITSTATUS(output->status) == code, "exit status %d: %s",
                  WEXITSTATUS(output->status), output->text);
}

/* The model's heads are computed for those exports that tell of them. */
START_TEST(exports_have_what_the_heads_say)
{
    static const struct {
        const char *arguments[8];
        const char *part;
    } runs[] = {
        {{"headlight", "--json", "-", "--include", "predictions", "a [MASK]", NULL},
         "\"pieces\":[{"},
        {{"headlight", "--json", "-", "--include", "lens", "a [MASK]", NULL}, "\"lens\":[\n[[{"},
        {{"headlight", "--json", "-", "--include=effects", "--select=[MASK]", "a [MASK]", NULL},
         "\"effects\":{\"token\":2,\"id\":23,\"logprob\":-0."}, /* a full stop */
        {{"headlight", "--json", "-", "--include=effects", "--select=a", "--answer=the", "a", NULL},
         "\"effects\":{\"token\":1,\"id\":206,"},
        {{"headlight", "--trace", "-", "a [MASK]", NULL}, "mlm_logits"},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        pid_t child = spawn(runs[i].arguments, ends[1], STDERR_FILENO);
        close(ends[1]);
        struct output output = finish(child, ends[0]);
        assert_exit(&output, 0);
        ck_assert_msg(memmem(output.text, sizeof output.text, runs[i].part, strlen(runs[i].part)),
                      "%s: not in %s", runs[i].part, runs[i].arguments[1]);
    }
}
END_TEST

START_TEST(pipe_gets_plain_text)
{
    const char *arguments[] = {"headlight", "time flies", NULL};
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = spawn(arguments, ends[1], STDERR_FILENO);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, 0);
    ck_assert_ptr_nonnull(strstr(output.text, "[CLS]"));
    ck_assert_ptr_nonnull(strstr(output.text, "flies"));
    ck_assert_ptr_null(strchr(output.text, '\033'));
}
END_TEST

/* Which no pass brings with it. */
START_TEST(plain_text_has_effects)
{
    const char *arguments[] = {"headlight", "--view=model", "--figure=effect", "a [MASK]", NULL};
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = spawn(arguments, ends[1], STDERR_FILENO);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, 0);
    ck_assert_ptr_nonnull(strstr(output.text, "effect: change of log p(.) at [MASK] without"));
}
END_TEST

/* Output that can't be written: a message of one line with `part` in it, exit status 1. */
static void assert_output_fails(const char *const *arguments, int out, const char *part)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = spawn(arguments, out, ends[1]);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, 1);
    ck_assert_int_eq(strncmp(output.text, "headlight: ", 11), 0);
    ck_assert_ptr_eq(strchr(output.text, '\n'), output.text + strlen(output.text) - 1);
    ck_assert_msg(strstr(output.text, part) != NULL, "%s", output.text);
}

static const char *const writers[][4] = {
    {"headlight", NULL},
    {"headlight", "--json", "-", NULL},
    {"headlight", "--help", NULL},
    {"headlight", "--keys", NULL},
    {"headlight", "--models", NULL},
    {"headlight", "--version", NULL},
};

START_TEST(closed_pipe_is_an_error)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    assert_output_fails(writers[_i], ends[1], "cannot be written");
    close(ends[1]);
}
END_TEST

START_TEST(full_device_is_an_error)
{
    int full = open("/dev/full", O_WRONLY);
    if (full < 0) {
        skip("a full device: there is no /dev/full");
        return;
    }
    assert_output_fails(writers[_i], full, "cannot be written");
    close(full);
}
END_TEST

/* In a locale that has no more. */
START_TEST(lists_are_ascii_where_the_locale_is)
{
    static const char *const lists[] = {"--help", "--keys", "--lessons"};
    const char *arguments[] = {"headlight", lists[_i], NULL};
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    setenv("LC_ALL", "C", 1);
    pid_t child = spawn(arguments, ends[1], STDERR_FILENO);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, 0);
    ck_assert_uint_gt(strlen(output.text), 100);
    for (const char *at = output.text; *at; at++)
        ck_assert_msg(*at == '\n' || (*at >= ' ' && *at < 127), "%s", at);
}
END_TEST

/* ---- Files ---- */

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

static void assert_file(const char *expected)
{
    struct error error;
    char *text;
    size_t length;
    assert_ok(file_read(path, 1 << 20, &text, &length, &error), error);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(a_lesson_fills_a_folder)
{
    char *course = in_folder(&folder, "course"), *page = in_folder(&folder, "course/index.html");
    const char *arguments[] = {"headlight", "--lesson", "lines", "--snapshot", course, NULL};
    char name[32], *text;
    size_t length, steps = 0;
    struct error error;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = spawn(arguments, ends[1], ends[1]);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, 0);
    ck_assert_str_eq(output.text, "");
    assert_ok(file_read(page, 1 << 20, &text, &length, &error), error);
    ck_assert_ptr_nonnull(strstr(text, "background: #ffffff;"));
    ck_assert_ptr_nonnull(strstr(text, "<code>headlight --lesson lines --snapshot course</code>"));
    for (const char *at = text; (at = strstr(at, "<img ")); at++) {
        char *picture;
        snprintf(name, sizeof name, "course/step-%zu.svg", ++steps);
        picture = in_folder(&folder, name);
        ck_assert_int_eq(unlink(picture), 0);
        free(picture);
    }
    ck_assert_uint_gt(steps, 3);
    ck_assert_int_eq(unlink(page), 0);
    ck_assert_int_eq(rmdir(course), 0);
    free(text);
    free(page);
    free(course);
}
END_TEST

/* By that name a program may be told to write to standard output, with a file behind it: what
 * others wrote there stays. */
START_TEST(a_name_of_standard_output_is_standard_output)
{
    const char *arguments[] = {"headlight", "--csv", "/dev/stdout", "time flies", NULL};
    int out = open(path, O_WRONLY | O_APPEND), status;
    ck_assert_int_ge(out, 0);
    if (access("/dev/stdout", F_OK) != 0) {
        skip("standard output by name: there is no /dev/stdout");
        return;
    }
    pid_t child = spawn(arguments, out, STDERR_FILENO);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
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
END_TEST

/* Closed at the start, it leads to where nothing can be written, by any name. */
START_TEST(a_closed_standard_output_is_an_error_by_name)
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
END_TEST

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

/* As on a file system where a file has a name from the beginning: open says that it can't be
 * without (O_TMPFILE). */
static void refuse_unnamed(void)
{
#ifdef REFUSES_UNNAMED
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(126);
#endif
}

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

/* Whether the program has a file open for writing in the folder, with a name or without. */
static bool is_writing(pid_t child)
{
    char name[40], target[PATH_MAX];
    if (has_temporary_name())
        return true;
    for (int fd = 3; fd < 16; fd++) {
        snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)child, fd);
        ssize_t length = readlink(name, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        if (strncmp(target, folder.path, strlen(folder.path)) == 0)
            return true;
    }
    return false;
}

static void wait_for_writing(pid_t child)
{
    while (!is_writing(child)) {
        ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
        sched_yield();
    }
    ck_assert_int_eq(kill(child, SIGSTOP), 0);
    ck_assert(is_writing(child));
}

/* Seconds of JSON: the signal comes in the middle. */
static pid_t spawn_long_export(bool named, int ignored)
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
    if (named)
        refuse_unnamed();
    if (ignored)
        signal(ignored, SIG_IGN);
    exec_program(arguments);
    return 0;
}

/* By turns a file without a name and a file with one. */
START_TEST(a_signal_leaves_the_file_of_before_and_nothing_else)
{
    int number = _i / 2 < COUNT(endings) ? endings[_i / 2] : SIGRTMIN;
    bool named = _i % 2;
    int status;
#ifndef REFUSES_UNNAMED
    if (named) {
        skip("files without a name refused: that takes a filter of system calls");
        return;
    }
#endif
    pid_t child = spawn_long_export(named, 0);
    wait_for_writing(child);
    ck_assert(!named || has_temporary_name());
    ck_assert_int_eq(kill(child, number) + kill(child, SIGCONT), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), number);
    ck_assert(!has_temporary_name());
    assert_file("before");
}
END_TEST

START_TEST(a_signal_that_was_ignored_stays_ignored)
{
    int status;
    pid_t child = spawn_long_export(true, SIGHUP);
    wait_for_writing(child);
    ck_assert_int_eq(kill(child, SIGHUP) + kill(child, SIGCONT), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* ulimit -f: the system would end the program with SIGXFSZ. */
START_TEST(a_file_over_the_size_limit_is_an_error)
{
    if (counts_lines()) {
        skip("limits on the size of files, which would cut what counts lines");
        return;
    }
    const char *arguments[] = {"headlight", "--json", path, "time flies", NULL};
    struct rlimit before, small;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){1024, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_output_fails(arguments, STDERR_FILENO, "out: cannot be written: File too large");
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_file("before");
}
END_TEST

/* A library that starts threads and takes time to load: what glibc's loader says that it loads. */
START_TEST(a_blas_is_loaded_only_where_it_is_needed)
{
    static const char *const runs[][4] = {
        {"headlight", "--keys"}, {"headlight", "--help"}, {"headlight", "--csv", "-"}};
    int ends[2], null = open("/dev/null", O_WRONLY);
    if (kernels_now() == &kernels_blas) {
        puts("skipped: this processor needs a BLAS");
        return;
    }
    ck_assert_int_eq(pipe(ends), 0);
    setenv("LD_DEBUG", "files", 1);
    pid_t child = spawn(runs[_i], null, ends[1]);
    unsetenv("LD_DEBUG");
    close(null);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, 0);
    if (!strstr(output.text, "libcjson"))
        puts("skipped: the loader doesn't say what it loads");
    ck_assert_ptr_null(strstr(output.text, "blas"));
}
END_TEST

/* ---- Wrong input: one clear sentence, exit status 1 or 2 ---- */

static const struct {
    const char *arguments[8];
    int status;
    const char *part;
} wrong[] = {
    {{"headlight", "--nonsense"}, 2, "--nonsense: no such option"},
    {{"headlight", "a", "b", "c"}, 2, "expected one or two sentences, found 3"},
    {{"headlight", "--model", "/nowhere"}, 1, "/nowhere"},
    {{"headlight", "--model", "tests/golden"}, 1, "tests/golden"},
    {{"headlight", "--model", "org/nosuch"}, 1, "to fetch it: hf download org/nosuch (older: "},
    {{"headlight", "--against", "/nowhere"}, 1, "/nowhere"},
    {{"headlight", "--against", "nosuch"}, 1, "to fetch it: hf download nosuch (older: "},
    {{"headlight", "--against", "tests/golden"}, 1, "tests/golden"},
    {{"headlight", "--layer", "8"}, 2, "--layer: expected 0 to 7, found 8"},
    {{"headlight", "--head", "8"}, 2, "--head: expected 0 to 7, found 8"},
    {{"headlight", "--heads", "1-9"}, 2, "expected heads from 0 to 7"},
    {{"headlight", "--select", "plum"}, 2, "found \"plum\""},
    {{"headlight", "--filter", "aa", "--select", "banana"}, 2, "--filter aa leaves"},
    {{"headlight", "--filter", "ab", "alone"}, 2, "expected two sentences, found one"},
    {{"headlight", "--no-special", "--filter", "aa", "", "b"}, 2, "found an empty one"},
    {{"headlight", "--off", "0.9"}, 2, "0.9"},
    {{"headlight", "--no-special", ""}, 1, "no tokens"},
    {{"headlight", "--json", "/nowhere/a.json", "a"}, 1, "/nowhere/a.json: cannot be written"},
    {{"headlight", "--snapshot", "/nowhere/a.svg", "a"}, 1, "/nowhere/a.svg: cannot be written"},
    {{"headlight", "--trace", "tests", "a"}, 1, "found a folder"},
    {{"headlight", "--snapshot", "build/never.txt", "--size", "0x0"}, 2, "COLSxROWS"},
    {{"headlight", "--type", "Down s"}, 2, "--snapshot FILE does that"},
    {{"headlight", "--type", "S"}, 2, "--state FILE does that"},
    {{"headlight", "--type", "q"}, 2, "one that quits"},
};

START_TEST(wrong_input_is_one_sentence)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = spawn(wrong[_i].arguments, ends[1], ends[1]);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, wrong[_i].status);
    ck_assert_int_eq(strncmp(output.text, "headlight: ", 11), 0);
    ck_assert_msg(strstr(output.text, wrong[_i].part) != NULL, "%s", output.text);
}
END_TEST

/* ---- The hub's cache ---- */

static struct hub hub;

static void begin_hub(void)
{
    hub_make(&hub);
}

static void end_hub(void)
{
    hub_remove(&hub);
}

static struct output list_models(const char *option)
{
    const char *arguments[] = {"headlight", "--models", option, NULL};
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = spawn(arguments, ends[1], STDERR_FILENO);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, 0);
    return output;
}

/* What somebody named to drive a terminal doesn't. */
START_TEST(models_of_the_cache_are_listed)
{
    hub_add(&hub, "models--bert-base-uncased", "c1", "main");
    hub_add(&hub, "models--org--t5", "c1", "main");
    unlink(hub_path(&hub, "hub/models--org--t5/snapshots/c1/config.json"));
    hub_file(hub_path(&hub, "hub/models--org--t5/snapshots/c1/config.json"),
             "{\"model_type\":\"t5\\u001b[31m\"}");
    hub_folder(hub_path(&hub, "hub/models--\x1b]0;title\a"));
    struct output output = list_models(NULL);
    ck_assert_str_eq(output.text,
                     "^[]0;title^G       not a name of the hub\n"
                     "bert-base-uncased  BERT  140.1 kB    3 layers × 4 heads, hidden 32\n"
                     "org/t5             t5^[[31m: not a kind of model that headlight runs\n");
}
END_TEST

START_TEST(an_empty_cache_is_told)
{
    char expected[256];
    struct output output = list_models("--ascii");
    snprintf(expected, sizeof expected, "no models in %s: hf download ", hub.cache);
    ck_assert_int_eq(strncmp(output.text, expected, strlen(expected)), 0);
    setenv("HF_HUB_CACHE", "/nowhere", 1);
    output = list_models(NULL);
    ck_assert_ptr_nonnull(strstr(output.text, "no models in /nowhere, which does not exist: hf "));
}
END_TEST

/* ---- Text from standard input ---- */

static const struct {
    const char *input;
    size_t size;
    const char *texts; /* as --json writes them; NULL: refused */
} inputs[] = {
    {"the cat", 7, "\"texts\":[\"the cat\"]"},
    {"the cat\r\n\r\n", 11, "\"texts\":[\"the cat\"]"}, /* a blank line is no sentence */
    {"the cat\n \t\n\n", 12, "\"texts\":[\"the cat\"]"},
    {"the cat\r\nit sat\r\n\r\n", 19, "\"texts\":[\"the cat\",\"it sat\"]"},
    {"the\0 cat\nit\0\0 sat\n", 18, "\"texts\":[\"the cat\",\"it sat\"]"},
    {"the cat\n\0it sat\n", 16, "\"texts\":[\"the cat\",\"it sat\"]"},
    {"the cat\nit sat\non\n", 18, NULL},
};

START_TEST(lines_of_standard_input_are_the_texts)
{
    const char *arguments[] = {"headlight", "--json", "-", "-", NULL};
    int ends[2], in[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pipe(in), 0);
    ck_assert_int_eq(write(in[1], inputs[_i].input, inputs[_i].size), (ssize_t)inputs[_i].size);
    close(in[1]);
    pid_t child = spawn_reading(arguments, in[0], ends[1], ends[1]);
    close(in[0]);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, inputs[_i].texts ? 0 : 2);
    ck_assert_msg(strstr(output.text, inputs[_i].texts ? inputs[_i].texts : "found more") != NULL,
                  "%.400s", output.text);
}
END_TEST

START_TEST(a_text_over_the_positions_is_refused)
{
    char words[2 * 200 + 1] = "";
    const char *arguments[] = {"headlight", words, NULL};
    int ends[2];
    for (int i = 0; i < 200; i++)
        strcat(words, "a ");
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = spawn(arguments, ends[1], ends[1]);
    close(ends[1]);
    struct output output = finish(child, ends[0]);
    assert_exit(&output, 1);
    ck_assert_ptr_nonnull(strstr(output.text, "202 tokens long, the model has 128 positions"));
}
END_TEST

Suite *suite_app_pipe(void)
{
    Suite *suite = suite_create("app/pipe");
    TCase *tcase = tcase_create("pipe");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, exports_have_what_the_heads_say);
    tcase_add_test(tcase, pipe_gets_plain_text);
    tcase_add_test(tcase, plain_text_has_effects);
    tcase_add_loop_test(tcase, closed_pipe_is_an_error, 0, COUNT(writers));
    tcase_add_loop_test(tcase, full_device_is_an_error, 0, COUNT(writers));
    tcase_add_loop_test(tcase, lists_are_ascii_where_the_locale_is, 0, 3);
    tcase_add_loop_test(tcase, a_blas_is_loaded_only_where_it_is_needed, 0, 3);
    tcase_add_loop_test(tcase, wrong_input_is_one_sentence, 0, COUNT(wrong));
    tcase_add_loop_test(tcase, lines_of_standard_input_are_the_texts, 0, COUNT(inputs));
    tcase_add_test(tcase, a_text_over_the_positions_is_refused);
    suite_add_tcase(suite, tcase);
    TCase *files = tcase_create("files");
    tcase_set_timeout(files, 60);
    tcase_add_checked_fixture(files, begin, end);
    tcase_add_test(files, a_name_of_standard_output_is_standard_output);
    tcase_add_test(files, a_closed_standard_output_is_an_error_by_name);
    tcase_add_test(files, a_lesson_fills_a_folder);
    tcase_add_test(files, a_file_over_the_size_limit_is_an_error);
    suite_add_tcase(suite, files);
    TCase *models = tcase_create("models");
    tcase_add_checked_fixture(models, begin_hub, end_hub);
    tcase_add_test(models, models_of_the_cache_are_listed);
    tcase_add_test(models, an_empty_cache_is_told);
    suite_add_tcase(suite, models);
    TCase *signals = slow_case("signals");
    tcase_set_timeout(signals, 60);
    tcase_add_checked_fixture(signals, begin, end);
    tcase_add_loop_test(signals, a_signal_leaves_the_file_of_before_and_nothing_else, 0,
                        2 * (COUNT(endings) + 1));
    tcase_add_test(signals, a_signal_that_was_ignored_stays_ignored);
    suite_add_tcase(suite, signals);
    return suite;
}
