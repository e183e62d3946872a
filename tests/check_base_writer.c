/* check_base_writer.c: files and folders are written whole or not at all. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/base/error.h"
#include "headlight/base/file.h"
#include "headlight/base/writer.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct error error;
static struct folder folder;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

static void assert_link(const char *path)
{
    struct stat info;
    ck_assert_int_eq(lstat(path, &info), 0);
    ck_assert(S_ISLNK(info.st_mode));
}

static enum status write_text(const char *path, const char *text)
{
    struct writer writer;
    if (writer_open(&writer, path, &error) != STATUS_OK)
        return error.status;
    fputs(text, writer.stream);
    return writer_commit(&writer, STATUS_OK, &error);
}

/* What runs with its owner's rights must not get new contents and keep these rights. */
TEST(a_file_is_replaced_whole_or_not_at_all)
{
    struct writer writer;
    char *path = in_folder(&folder, "out");
    folder_write(&folder, "out", "before", 6);
    ck_assert_int_eq(chmod(path, 06640), 0);
    assert_ok(writer_open(&writer, path, &error), error);
    fputs("half", writer.stream);
    writer_abort(&writer);
    assert_text(path, "before");
    assert_ok(write_text(path, "after"), error);
    assert_text(path, "after");
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_uint_eq(info.st_mode & 07777, 0640);
    if (chown(path, (uid_t)-1, 12345) == 0) { /* root's: what another group may read isn't ours */
        assert_ok(write_text(path, "again"), error);
        ck_assert_int_eq(stat(path, &info), 0);
        ck_assert_uint_eq(info.st_mode & 07777, 0600);
    }
    free(path);
}

/* A link stays a link, and what it leads to is written, where it is or isn't there yet, but not by
 * half. Each is read from where it lies: below/one, two beside the folder, then an absolute one. */
TEST(links_are_written_through)
{
    struct writer writer;
    char *below = in_folder(&folder, "below"), *two = in_folder(&folder, "two"),
         *real = in_folder(&folder, "real"), *loop = in_folder(&folder, "loop");
    char *one = path_join(below, "one");
    ck_assert_int_eq(mkdir(below, 0700) + symlink("../two", one) + symlink(real, two), 0);
    for (int i = 0; i < 2; i++) {
        assert_ok(writer_open(&writer, one, &error), error);
        fputs("half", writer.stream);
        writer_abort(&writer);
        ck_assert_int_eq(file_named(real), i);
        assert_ok(write_text(one, i == 0 ? "0" : "1"), error);
        assert_text(real, i == 0 ? "0" : "1");
        assert_link(one);
        assert_link(two);
    }
    ck_assert_int_eq(symlink("loop", loop), 0);
    assert_fails(write_text(loop, "written"), STATUS_IO, "loop: cannot be written", error);
    assert_link(loop);
    ck_assert_int_eq(unlink(one) + rmdir(below), 0);
    free(one);
    free(below);
    free(two);
    free(real);
    free(loop);
}

/* A link that leads to a folder that isn't there is refused at once, and so are these names, not
 * after all the work. */
TEST(a_name_that_no_file_can_have_is_refused_at_once)
{
    char name[NAME_MAX + 2];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    char *link = in_folder(&folder, "link"), *folder_to_be = in_folder(&folder, "new/"),
         *below = in_folder(&folder, "link/x");
    char *longest = in_folder(&folder, name + 1), *too_long = in_folder(&folder, name);
    struct writer writer;
    const char *const wrong[] = {"", link, folder_to_be, below, too_long};
    ck_assert_int_eq(symlink("nowhere/file", link), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(writer_open(&writer, wrong[i], &error), STATUS_IO, "", error);
        ck_assert_uint_gt(strlen(error.message), 20);
    }
    assert_ok(write_text(longest, "written"), error);
    assert_text(longest, "written");
    free(link);
    free(folder_to_be);
    free(below);
    free(longest);
    free(too_long);
}

/* ---- Kinds of files ---- */

TEST(the_other_names_of_a_file_keep_what_it_was)
{
    char *path = in_folder(&folder, "out"), *other = in_folder(&folder, "other");
    folder_write(&folder, "out", "before", 6);
    ck_assert_int_eq(link(path, other), 0);
    assert_ok(write_text(path, "after"), error);
    assert_text(path, "after");
    assert_text(other, "before");
    free(path);
    free(other);
}

/* Of which the program would have to be killed: nobody reads the pipe. */
TEST(what_is_no_file_is_not_opened)
{
    struct writer writer;
    char *pipe = in_folder(&folder, "pipe"), *link = in_folder(&folder, "link");
    ck_assert_int_eq(mkfifo(pipe, 0600) + symlink(pipe, link), 0);
    const char *const wrong[] = {pipe, link, "/dev/null"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(writer_open(&writer, wrong[i], &error), STATUS_IO, "found a pipe or a device",
                     error);
    ck_assert_int_eq(unlink(link) + unlink(pipe), 0);
    free(pipe);
    free(link);
}

TEST(a_full_disk_is_noticed)
{
    struct writer writer;
    assert_ok(writer_open_output(&writer, "/dev/full", &error), error);
    for (int i = 0; i < 100000; i++)
        fputs("more than a buffer", writer.stream);
    assert_fails(writer_commit(&writer, STATUS_OK, &error), STATUS_IO, "/dev/full", error);
}

/* A link that leads nowhere is somebody's too. */
TEST(a_number_is_taken_once)
{
    static const char *const names[] = {"headlight-1.x", "headlight-3.x", "headlight-4.x"};
    char here[1024];
    struct stat info;
    struct writer writer;
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder.path), 0);
    ck_assert_int_eq(symlink("nowhere", "headlight-2.x"), 0);
    for (size_t i = 0; i < 3; i++) {
        assert_ok(writer_open_numbered(&writer, "x", &error), error);
        ck_assert_str_eq(writer.path, names[i]);
        ck_assert_int_eq(stat(names[i], &info), 0);
        ck_assert_int_eq(info.st_size, 0);
        fputs("text", writer.stream);
        assert_ok(writer_commit(&writer, STATUS_OK, &error), error);
        assert_text(names[i], "text");
    }
    ck_assert_int_eq(mkdir("gone", 0700) + chdir("gone") + rmdir("../gone"), 0);
    assert_fails(writer_open_numbered(&writer, "x", &error), STATUS_IO,
                 "headlight-1.x: cannot be written", error);
    ck_assert_int_eq(chdir(here), 0);
}

static void drop(struct writer *writer)
{
    writer_abort(writer);
}

static void interrupt(struct writer *writer)
{
    interrupt_copy();
    writer_abort(writer);
}

/* Neither an interrupt nor a failure leaves the empty file behind, or takes one that is written. */
TEST(a_number_is_given_up_unless_it_is_written, .times = 2)
{
    char here[1024];
    struct writer writer;
    void (*const give_up[])(struct writer *) = {interrupt, drop};
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder.path), 0);
    assert_ok(writer_open_numbered(&writer, "x", &error), error);
    give_up[_i](&writer);
    ck_assert(!file_named("headlight-1.x"));
    assert_ok(writer_open_numbered(&writer, "x", &error), error);
    fputs("text", writer.stream);
    assert_ok(writer_commit(&writer, STATUS_OK, &error), error);
    give_up[_i](&writer);
    assert_text("headlight-1.x", "text");
    ck_assert_int_eq(chdir(here), 0);
}

/* What a handler does in a thread that has nothing to do with the file, to which the system may
 * give a signal that the writing thread has blocked. */
static void *interrupt_after(void *spins)
{
    for (volatile size_t i = 0; i < *(size_t *)spins; i++)
        continue;
    writer_interrupted();
    _exit(0);
}

static void write_until_interrupted(size_t spins)
{
    pthread_t other;
    struct writer writer;
    if (chdir(folder.path) != 0 || pthread_create(&other, NULL, interrupt_after, &spins) != 0)
        _exit(1);
    for (;;) {
        if (writer_open_numbered(&writer, "x", &error) != STATUS_OK)
            _exit(2);
        writer_abort(&writer);
    }
}

TEST(an_interrupt_in_another_thread_leaves_nothing_either)
{
    for (size_t i = 0; i < 150; i++) {
        int status;
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
            write_until_interrupted(2000 * i);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
        ck_assert_int_eq(rmdir(folder.path) + mkdir(folder.path, 0700), 0);
    }
}
