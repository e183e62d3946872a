/* check_base_writer.c: files are written whole or not at all, and stay whose they were. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/base/error.h"
#include "headlight/base/file.h"
#include "headlight/base/writer.h"

#include <grp.h>
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

static struct stat examined(const char *path)
{
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    return info;
}

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
    return writer_commit(&writer, &error);
}

TEST(a_file_is_replaced_whole_or_not_at_all)
{
    struct writer writer;
    char *path = in_folder(&folder, "out");
    folder_write(&folder, "out", "before", 6);
    ck_assert_int_eq(chmod(path, 0640), 0);
    assert_ok(writer_open(&writer, path, &error), error);
    fputs("half", writer.stream);
    writer_abort(&writer);
    assert_text(path, "before");
    assert_ok(write_text(path, "after"), error);
    assert_text(path, "after");
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0640);
    free(path);
}

/* A link stays a link, and what it leads to is written; so is a link that leads nowhere yet. */
TEST(links_are_written_through)
{
    char *link = in_folder(&folder, "link"), *real = in_folder(&folder, "real");
    ck_assert_int_eq(symlink("real", link), 0);
    for (int i = 0; i < 2; i++) {
        assert_ok(write_text(link, i == 0 ? "0" : "1"), error);
        assert_text(real, i == 0 ? "0" : "1");
        assert_link(link);
    }
    free(link);
    free(real);
}

/* There is no old file to leave as it was, but none must come of half a new one. */
TEST(half_a_file_is_not_written_through_a_link)
{
    struct writer writer;
    char *link = in_folder(&folder, "link"), *real = in_folder(&folder, "real");
    ck_assert_int_eq(symlink("real", link), 0);
    assert_ok(writer_open(&writer, link, &error), error);
    fputs("half", writer.stream);
    ck_assert_int_eq(fflush(writer.stream), 0);
    ck_assert(!file_named(real));
    writer_abort(&writer);
    ck_assert(!file_named(real));
    assert_link(link);
    free(link);
    free(real);
}

/* Each link is read from where it lies: below/one, two beside the folder, then an absolute one. */
TEST(links_lead_on_from_their_own_folders)
{
    char *below = in_folder(&folder, "below"), *two = in_folder(&folder, "two"),
         *real = in_folder(&folder, "real");
    char *one = path_join(below, "one");
    ck_assert_int_eq(mkdir(below, 0700) + symlink("../two", one) + symlink(real, two), 0);
    assert_ok(write_text(one, "written"), error);
    assert_text(real, "written");
    assert_link(one);
    assert_link(two);
    ck_assert_int_eq(unlink(one) + rmdir(below), 0);
    free(one);
    free(below);
    free(two);
    free(real);
}

/* As many as the system follows, where its limit is known. */
TEST(links_without_end_are_refused)
{
    char *loop = in_folder(&folder, "loop"), *last = in_folder(&folder, "40"),
         *real = in_folder(&folder, "0");
    ck_assert_int_eq(symlink("loop", loop), 0);
    assert_fails(write_text(loop, "written"), STATUS_IO, "loop: cannot be written", error);
    assert_link(loop);
#ifdef __linux__
    for (int i = 1; i <= 41; i++) {
        char name[16], target[16];
        snprintf(name, sizeof name, "%d", i);
        snprintf(target, sizeof target, "%d", i - 1);
        char *link = in_folder(&folder, name);
        ck_assert_int_eq(symlink(target, link), 0);
        free(link);
    }
    assert_ok(write_text(last, "written"), error);
    assert_text(real, "written");
    ck_assert_int_eq(unlink(real), 0);
    strcpy(last + strlen(last) - 2, "41");
    assert_fails(write_text(last, "written"), STATUS_IO, "41: cannot be written", error);
    ck_assert(!file_named(real));
#endif
    free(loop);
    free(last);
    free(real);
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

TEST(a_folder_that_goes_away_is_an_error)
{
    struct writer writer;
    char *gone = in_folder(&folder, "gone"), *path = path_join(gone, "out");
    ck_assert_int_eq(mkdir(gone, 0700), 0);
    assert_ok(writer_open(&writer, path, &error), error);
    fputs("written", writer.stream);
    if (writer.temporary)
        unlink(writer.temporary);
    ck_assert_int_eq(rmdir(gone), 0);
    assert_fails(writer_commit(&writer, &error), STATUS_IO, "out: cannot be written", error);
    free(gone);
    free(path);
}

/* ---- Folders ---- */

/* What is written to "a" and "b" of a folder, in this order. */
static enum status write_two(struct writer_folder *pair, const char *path, const char *text)
{
    struct writer writer;
    if (writer_folder_open(pair, path, &error) != STATUS_OK)
        return error.status;
    for (int i = 0; i < 2; i++) {
        assert_ok(writer_open_in(&writer, pair, i == 0 ? "a" : "b", &error), error);
        fputs(text, writer.stream);
        assert_ok(writer_commit(&writer, &error), error);
    }
    return STATUS_OK;
}

static void assert_two(const char *path, const char *text)
{
    char *first = path_join(path, "a"), *second = path_join(path, "b");
    assert_text(first, text);
    assert_text(second, text);
    ck_assert_int_eq(unlink(first) + unlink(second) + rmdir(path), 0);
    free(first);
    free(second);
}

/* With slashes behind its name, too. */
TEST(a_folder_appears_whole_or_not_at_all)
{
    struct writer_folder pair;
    char *made = in_folder(&folder, "course//"), *name = in_folder(&folder, "course");
    char *plain = in_folder(&folder, "plain");
    for (int i = 0; i < 2; i++) {
        assert_ok(write_two(&pair, made, "text"), error);
        ck_assert(!file_named(name));
        if (i == 0)
            writer_folder_abort(&pair);
        ck_assert_int_eq(folder_count(&folder), i);
    }
    assert_ok(writer_folder_commit(&pair, &error), error);
    ck_assert_int_eq(mkdir(plain, 0777), 0);
    ck_assert_uint_eq(examined(name).st_mode, examined(plain).st_mode);
    ck_assert_int_eq(rmdir(plain), 0);
    assert_two(name, "text");
    free(plain);
    free(made);
    free(name);
}

/* Nothing changes in it before all is written. Another program may have made it meanwhile. */
TEST(a_folder_that_is_there_gets_all_files_or_none)
{
    struct writer_folder pair;
    char *there = in_folder(&folder, "course"), *first = path_join(there, "a");
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            ck_assert_int_eq(mkdir(there, 0700), 0);
        else
            folder_write(&folder, "course/a", "before", 6);
        assert_ok(write_two(&pair, there, i == 0 ? "text" : "anew"), error);
        if (i > 0)
            assert_text(first, "before");
        ck_assert(i > 0 || !file_named(first));
        if (i == 1)
            writer_folder_abort(&pair);
        else
            assert_ok(writer_folder_commit(&pair, &error), error);
    }
    assert_two(there, "anew");
    assert_ok(write_two(&pair, there, "new"), error);
    ck_assert_int_eq(mkdir(there, 0700), 0);
    folder_write(&folder, "course/b", "before", 6);
    assert_ok(writer_folder_commit(&pair, &error), error);
    assert_two(there, "new");
    free(first);
    free(there);
}

/* Where another program has made a file of that name meanwhile, or a link that leads nowhere. */
TEST(what_takes_a_folders_place_meanwhile_stays)
{
    struct writer_folder pair;
    char *name = in_folder(&folder, "course");
    for (int i = 0; i < 2; i++) {
        assert_ok(write_two(&pair, name, "text"), error);
        if (i == 0)
            folder_write(&folder, "course", "theirs", 6);
        else
            ck_assert_int_eq(symlink("nowhere", name), 0);
        assert_fails(writer_folder_commit(&pair, &error), STATUS_IO,
                     "course: cannot be made: ", error);
        ck_assert_int_eq(folder_count(&folder), 1);
        if (i == 0)
            assert_text(name, "theirs");
        ck_assert_int_eq(unlink(name), 0);
    }
    free(name);
}

TEST(a_folder_is_made_where_there_is_room_for_it)
{
    struct stat info;
    struct writer_folder made;
    char *deep = in_folder(&folder, "no/such//deep/"), *file = in_folder(&folder, "file");
    char *link = in_folder(&folder, "link"), missing[128];
    snprintf(missing, sizeof missing, "%s: cannot be made: there is no folder %s/no/such, which",
             deep, folder.path);
    assert_fails(writer_folder_open(&made, deep, &error), STATUS_IO, missing, error);
    folder_write(&folder, "file", "", 0);
    ck_assert_int_eq(symlink("nowhere", link), 0);
    assert_fails(writer_folder_open(&made, file, &error), STATUS_IO, "found a file", error);
    assert_fails(writer_folder_open(&made, link, &error), STATUS_IO, "found a file", error);
    ck_assert_int_eq(stat(file, &info), 0);
    ck_assert(S_ISREG(info.st_mode));
    assert_fails(writer_folder_open(&made, "", &error), STATUS_IO, ": cannot be made: ", error);
    ck_assert_int_eq(folder_count(&folder), 2);
    free(deep);
    free(file);
    free(link);
}

/* ---- Permissions and owners ---- */

/* What runs with its owner's rights must not get new contents and keep these rights. */
TEST(set_id_bits_are_dropped)
{
    char *path = in_folder(&folder, "out");
    folder_write(&folder, "out", "before", 6);
    ck_assert_int_eq(chmod(path, 07755), 0);
    assert_ok(write_text(path, "after"), error);
    ck_assert_uint_eq(examined(path).st_mode & 07777, 0755);
    free(path);
}

/* root may write it, and is asked to say so first. */
TEST(a_read_only_file_is_refused)
{
    char *path = in_folder(&folder, "out");
    folder_write(&folder, "out", "before", 6);
    ck_assert_int_eq(chmod(path, 0444), 0);
    assert_fails(write_text(path, "after"), STATUS_IO, "out: is read-only: expected", error);
    assert_text(path, "before");
    free(path);
}

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

#define NOBODY 65534

static bool is_root(const char *otherwise)
{
    if (geteuid() == 0)
        return true;
    skip(otherwise);
    return false;
}

TEST(root_leaves_a_file_to_its_owner)
{
    char *path = in_folder(&folder, "out");
    if (is_root("files of other users: this isn't root")) {
        folder_write(&folder, "out", "before", 6);
        ck_assert_int_eq(chown(path, NOBODY, NOBODY) + chmod(path, 06660), 0);
        assert_ok(write_text(path, "after"), error);
        ck_assert_uint_eq(examined(path).st_uid, NOBODY);
        ck_assert_uint_eq(examined(path).st_gid, NOBODY);
        ck_assert_uint_eq(examined(path).st_mode & 07777, 0660);
    }
    free(path);
}

/* The status of writing the file as a user who is in no group but his own. */
static enum status write_as_nobody(const char *path, char *message)
{
    int status, ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        error.message[0] = '\0';
        if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
            _exit(127);
        status = (int)write_text(path, "after");
        ssize_t written = write(ends[1], error.message, strlen(error.message) + 1);
        _exit(written > 0 ? status : 126);
    }
    ck_assert_int_gt(read(ends[0], message, sizeof error.message), 0);
    close(ends[0]);
    close(ends[1]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return (enum status)WEXITSTATUS(status);
}

/* A group that the file can't be left to takes its rights along: another group gets what everybody
 * has. */
TEST(whoever_cannot_leave_a_file_to_its_owner_owns_it)
{
    char *path = in_folder(&folder, "out"), message[sizeof error.message];
    if (is_root("files of other users: this isn't root")) {
        folder_write(&folder, "out", "before", 6);
        ck_assert_int_eq(chmod(folder.path, 0777) + chmod(path, 0676), 0);
        ck_assert_int_eq(write_as_nobody(path, message), STATUS_OK);
        assert_text(path, "after");
        ck_assert_uint_eq(examined(path).st_uid, NOBODY);
        ck_assert_uint_eq(examined(path).st_gid, NOBODY);
        ck_assert_uint_eq(examined(path).st_mode & 07777, 0666);
    }
    free(path);
}

TEST(what_a_user_may_not_write_is_refused)
{
    char *path = in_folder(&folder, "out"), message[sizeof error.message];
    if (is_root("files of other users: this isn't root")) {
        folder_write(&folder, "out", "before", 6);
        ck_assert_int_eq(chmod(folder.path, 0777) + chmod(path, 0644), 0);
        ck_assert_int_eq(write_as_nobody(path, message), STATUS_IO);
        ck_assert_msg(strstr(message, "out: is read-only: expected") != NULL, "%s", message);
        assert_text(path, "before");
        ck_assert_uint_eq(examined(path).st_uid, 0);
    }
    free(path);
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
    assert_fails(writer_commit(&writer, &error), STATUS_IO, "/dev/full", error);
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
        assert_ok(writer_commit(&writer, &error), error);
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
    assert_ok(writer_commit(&writer, &error), error);
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
