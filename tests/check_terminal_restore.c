/* check_terminal_restore.c: signals and standard error, without a terminal. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/base/mapping.h"
#include "headlight/base/writer.h"
#include "headlight/tensor/thread_pool.h"
#include "headlight/terminal/restore.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

/* A test waits no longer than this, and only when it fails. */
#define DEADLINE 20000 /* milliseconds */

static bool wait_is_interrupted(void)
{
    return restore_wait(-1, -1, DEADLINE) == -1;
}

/* ---- Signals ---- */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* Sent before the wait began, it is still there. */
TEST(ending_signal_ends_the_next_wait, .times = COUNT(ending))
{
    restore_arm(-1);
    raise(ending[_i]);
    ck_assert(wait_is_interrupted());
    ck_assert_int_eq(restore_signal(), ending[_i]);
    restore_disarm();
}

static const int noted[] = {SIGTSTP, SIGWINCH};

TEST(a_signal_that_ends_nothing_ends_the_wait_too, .times = COUNT(noted))
{
    restore_arm(-1);
    raise(noted[_i]);
    ck_assert(!restore_stop_asked());
    ck_assert(wait_is_interrupted());
    ck_assert(restore_stop_asked() == (noted[_i] == SIGTSTP));
    ck_assert_int_eq(restore_signal(), 0);
    restore_disarm();
}

static void handle(int number)
{
    (void)number;
}

TEST(disarmed_is_as_before)
{
    sigset_t before, after;
    struct sigaction fatal, action;
    signal(SIGTERM, handle);
    sigaction(SIGSEGV, NULL, &fatal); /* a sanitiser's own, maybe */
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    restore_arm(-1);
    restore_disarm();
    sigaction(SIGWINCH, NULL, &action);
    ck_assert(action.sa_handler == SIG_DFL);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    for (int number = 1; number < 32; number++)
        ck_assert_int_eq(sigismember(&before, number), sigismember(&after, number));
    sigaction(SIGTERM, NULL, &action);
    ck_assert(action.sa_handler == handle);
    sigaction(SIGSEGV, NULL, &action);
    ck_assert(action.sa_handler == fatal.sa_handler);
}

/* nohup's SIGHUP stays ignored, and Ctrl-Z under a shell without jobs. */
TEST(an_ignored_signal_stays_ignored)
{
    signal(SIGHUP, SIG_IGN);
    signal(SIGTSTP, SIG_IGN);
    restore_arm(-1);
    ck_assert_int_eq(raise(SIGHUP) + raise(SIGTSTP), 0);
    ck_assert_int_eq(restore_wait(-1, -1, 0), 0);
    ck_assert_int_eq(restore_signal(), 0);
    ck_assert(!restore_stop_asked());
    restore_disarm();
}

/* ---- Standard error ---- */

/* What `act` leaves on standard error in a process of its own, and how that one ends. */
static int errors_of(void (*act)(void), char *text, size_t size)
{
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        dup2(ends[1], STDERR_FILENO);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        act();
        _exit(0);
    }
    close(ends[1]);
    ssize_t got, length = 0;
    while ((got = read(ends[0], text + length, size - 1 - (size_t)length)) > 0)
        length += got;
    text[length] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

static void hold_and_release(void)
{
    restore_hold_stderr();
    fputs("held ", stderr);
    restore_release_stderr();
    fputs("after", stderr);
}

static void hold_long(void)
{
    restore_hold_stderr();
    for (int i = 0; i < 1000; i++)
        fprintf(stderr, "%04d", i);
    restore_release_stderr();
}

static void hold_and_abort(void)
{
    restore_arm(-1);
    restore_hold_stderr();
    fputs("last words", stderr);
    abort();
}

static void abort_before_the_screen(void)
{
    dup2(STDERR_FILENO, STDOUT_FILENO);
    restore_arm(-1);
    abort();
}

static void abort_on_the_screen(void)
{
    dup2(STDERR_FILENO, STDOUT_FILENO);
    restore_arm(-1);
    restore_begin_output();
    restore_end_output();
    abort();
}

static void be_busy_on_the_screen(void)
{
    dup2(STDERR_FILENO, STDOUT_FILENO);
    restore_arm(-1);
    restore_begin_output();
    restore_end_output();
    restore_hold_stderr();
    fputs("last words", stderr);
}

static void hear_nothing(void)
{
    be_busy_on_the_screen();
    raise(SIGTERM);
    for (;;)
        pause();
}

static void be_asked_twice(void)
{
    be_busy_on_the_screen();
    raise(SIGHUP);
    for (;;)
        raise(SIGTERM);
}

/* Of two signals the first is what the program ends by. */
static const struct {
    void (*act)(void);
    int number;
} unheard[] = {{hear_nothing, SIGTERM}, {be_asked_twice, SIGHUP}};

TEST(a_signal_that_nobody_hears_ends_the_program, .times = COUNT(unheard))
{
    char text[8192];
    int status = errors_of(unheard[_i].act, text, sizeof text);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), unheard[_i].number);
    ck_assert_ptr_nonnull(strstr(text, "\033[?1049l"));
    ck_assert_ptr_nonnull(strstr(text, "last words"));
}

/* What leaves the alternate screen would move the cursor of a terminal that isn't on it. */
TEST(only_what_was_done_is_undone,
     .skipped = skip_if(is_emulated(), "what an abort writes: the emulator adds to it"))
{
    char text[8192];
    int status =
        errors_of(abort_before_the_screen, text, sizeof text); /* macOS takes its address */
    ck_assert(WIFSIGNALED(status));
    ck_assert_str_eq(text, "");
    status = errors_of(abort_on_the_screen, text, sizeof text);
    ck_assert(WIFSIGNALED(status));
    ck_assert_ptr_nonnull(strstr(text, "\033[?1049l"));
}

TEST(held_text_is_released)
{
    char text[8192];
    ck_assert_int_eq(errors_of(hold_and_release, text, sizeof text), 0);
    ck_assert_str_eq(text, "held after");
    ck_assert_int_eq(errors_of(hold_long, text, sizeof text), 0);
    ck_assert_uint_eq(strlen(text), 4000);
    ck_assert_str_eq(text + 3996, "0999");
}

TEST(held_text_survives_an_abort)
{
    char text[8192];
    int status = errors_of(hold_and_abort, text, sizeof text);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGABRT);
    ck_assert_str_eq(text, "last words");
}

/* ---- Files that become shorter ---- */

static struct folder folder;
static char *lost_path;
static struct mapping lost;

static void touch_all(const struct pool_thread *thread, void *context)
{
    const volatile unsigned char *bytes = lost.bytes;
    (void)context;
    for (size_t i = 0; thread->index > 0 && i < lost.size; i++)
        (void)bytes[i];
}

static void lose_file(void)
{
    if (mapping_open(&lost, lost_path, &(struct error){0}) != STATUS_OK ||
        truncate(lost_path, 0) != 0)
        _exit(127);
}

static void lose_a_file(void)
{
    restore_guard();
    lose_file();
    _exit(lost.bytes[lost.size - 1]);
}

static void lose_a_file_in_all_threads(void)
{
    restore_guard();
    lose_file();
    pool_run(4, touch_all, NULL);
}

static void lose_a_file_on_the_screen(void)
{
    dup2(STDERR_FILENO, STDOUT_FILENO);
    restore_guard();
    restore_arm(-1);
    restore_begin_output();
    restore_end_output();
    restore_hold_stderr();
    fputs("held ", stderr);
    lose_a_file_in_all_threads();
}

static void lose_a_file_while_writing(void)
{
    struct writer writer;
    char *path = in_folder(&folder, "copy");
    restore_guard();
    if (writer_open(&writer, path, &(struct error){0}) != STATUS_OK)
        _exit(126);
    lose_file();
    for (size_t i = 0; i < lost.size; i++)
        putc(lost.bytes[i], writer.stream);
}

static void (*const losing[])(void) = {lose_a_file, lose_a_file_in_all_threads,
                                       lose_a_file_on_the_screen, lose_a_file_while_writing};

/* One message whatever the thread, after the terminal is as it was; and nothing half written. */
TEST(a_file_that_becomes_shorter_ends_the_program_and_says_so, .times = COUNT(losing))
{
    static const char bytes[1 << 20];
    static const char message[] = "headlight: a file in use has become shorter since it was "
                                  "opened, or can no longer be read: "
                                  "open it again once it is whole\n";
    char text[8192];
    folder_make(&folder);
    folder_write(&folder, "weights", bytes, sizeof bytes);
    folder_write(&folder, "copy", "old", 3);
    lost_path = in_folder(&folder, "weights");
    int status = errors_of(losing[_i], text, sizeof text);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 1);
    char *found = strstr(text, "headlight:");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found, message);
    if (losing[_i] == lose_a_file_on_the_screen) {
        ck_assert_ptr_nonnull(strstr(text, "\033[?1049l"));
        ck_assert_mem_eq(found - 5, "held ", 5);
    }
    char *copy = in_folder(&folder, "copy");
    assert_text(copy, "old");
    free(copy);
    free(lost_path);
    folder_remove(&folder); /* which must hold nothing else */
}

static void raise_bus_error(void)
{
    restore_guard();
    raise(SIGBUS);
}

TEST(another_bus_error_is_what_it_was)
{
    char text[8192];
    int status = errors_of(raise_bus_error, text, sizeof text);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGBUS);
    ck_assert_str_eq(text, "");
}
