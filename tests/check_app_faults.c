/* check_app_faults.c: memory that runs out, disks that are full, and an end by SIGKILL, while
 * something is opened, read or out. */
#include "faults.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/app/program.h"
#include "headlight/app/worker.h"
#include "headlight/export/export.h"
#include "headlight/session/act.h"
#include "headlight/session/history.h"
#include "headlight/session/request.h"
#include "headlight/session/state_file.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct error error;
static struct folder folder;
static struct checkpoint checkpoint;
static struct session session;
static const struct output output = {.session = &session,
                                     .include = INCLUDE_ALL | INCLUDE_LENS | INCLUDE_EFFECTS,
                                     .columns = 100,
                                     .rows = 30,
                                     .depth = DEPTH_DIRECT};
static char *path, *expected;
static size_t expected_length;

static void begin(void)
{
    static const struct text texts[] = {{"the cat sat", 11}, {"on the mat", 10}};
    static const char *const values[FIELD_COUNT] = {[FIELD_SELECT] = "cat"};
    const struct interventions changes = {.off = {1}};
    folder_make(&folder);
    path = NULL;
    expected = NULL;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &changes);
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
    folder_remove(&folder);
    free(path);
    free(expected);
}

TESTS(.begin = begin, .end = end, .slow = true);

/* ---- Opening ---- */

static struct checkpoint opened;

static enum status open_tiny(struct error *failure)
{
    return checkpoint_open(&opened, TINY_FOLDER, NULL, NULL, failure);
}

static void close_opened(void)
{
    checkpoint_close(&opened);
}

static struct session other;

static enum status open_texts(struct error *failure)
{
    static const struct text texts[] = {{"the cat", 7}, {"the mat", 7}};
    if (session_open(&other, texts, 2, NULL, failure) != STATUS_OK)
        return failure->status;
    return request_settle(&other, failure);
}

static void begin_other(void)
{
    const struct interventions none = {0};
    session_begin(&other, &checkpoint, true, &none);
    other.state.look.averaged = MEAN_LAYERS;
    other.state.look.shape.words = true;
}

static void end_other(void)
{
    ck_assert_ptr_nonnull(other.data.trace);
    ck_assert_ptr_nonnull(other.data.mean);
    session_end(&other);
}

static struct recording *recording;

static enum status open_recording(struct error *failure)
{
    if (recording_open(path, &recording, failure) != STATUS_OK)
        return failure->status;
    enum status status = session_begin_recording(&other, recording, failure);
    if (status == STATUS_OK)
        return status;
    session_end(&other);
    recording_close(recording);
    return status;
}

static void close_recording(void)
{
    ck_assert_str_eq(other.data.changes, "changed: 1 head off");
    session_end(&other);
    recording_close(recording);
}

static struct saved_state state;

static enum status read_state(struct error *failure)
{
    state_file_free(&state);
    return state_file_read(path, &state, failure);
}

static void end_state(void)
{
    ck_assert_str_eq(state.texts[1], "on the mat");
    ck_assert_str_eq(state.values[FIELD_OFF], "0.0");
    state_file_free(&state);
}

TEST(what_is_opened_is_whole_or_refused, .skipped = !faults_work())
{
    faults_try(&(struct trial){.name = "open a checkpoint", .act = open_tiny, .end = close_opened});
    faults_try(&(struct trial){.name = "open and compute a text",
                               .begin = begin_other,
                               .act = open_texts,
                               .end = end_other});
    path = path_join(folder.path, "trace.safetensors");
    assert_ok(export_file(&output, FORMAT_TRACE, path, &error), error);
    faults_try(
        &(struct trial){.name = "open a recording", .act = open_recording, .end = close_recording});
    assert_ok(state_file_write(&session, path, &error), error);
    faults_try(&(struct trial){.name = "read a state", .act = read_state, .end = end_state});
}

/* The whole program but for its terminal. */
static struct program program;

static enum status run_program(struct error *failure)
{
    program_end(&program);
    program = (struct program){.options = {.model = TINY_FOLDER}};
    program.options.values[FIELD_MEAN] = "layers";
    program.options.values[FIELD_WHOLE_WORDS] = "on";
    if (program_prepare(&program, failure) != STATUS_OK ||
        program_load(&program, NULL, failure) != STATUS_OK ||
        program_begin(&program, failure) != STATUS_OK ||
        request_settle(&program.session, failure) != STATUS_OK ||
        input_type(&program.session, "Tab Tab o d", failure) != STATUS_OK)
        return failure->status;
    return session_result(&program.session, failure);
}

static void end_program(void)
{
    program_end(&program);
}

/* That of the keys goes on with a gap where there is no memory for a state. */
static size_t states;

static bool has_gap(void)
{
    const struct history *history = program.session.history;
    return !history || history->count < states;
}

TEST(a_program_without_a_screen_refuses_what_it_cannot_show, .skipped = !faults_work())
{
    assert_ok(run_program(&error), error);
    states = program.session.history->count;
    faults_try(&(struct trial){.name = "prepare, load, begin, compute, type",
                               .act = run_program,
                               .end = end_program,
                               .tolerates = has_gap});
}

/* ---- Exports ---- */

static enum status to_json(struct error *failure)
{
    return export_file(&output, FORMAT_JSON, path, failure);
}

static enum status to_csv(struct error *failure)
{
    return export_file(&output, FORMAT_CSV, path, failure);
}

static enum status to_trace(struct error *failure)
{
    return export_file(&output, FORMAT_TRACE, path, failure);
}

static enum status to_page(struct error *failure)
{
    return export_file(&output, FORMAT_PAGE, path, failure);
}

static enum status to_state(struct error *failure)
{
    return state_file_write(&session, path, failure);
}

static enum status to_picture(struct error *failure)
{
    enum format format = FORMAT_COUNT;
    format_of_picture(path, &format);
    return export_file(&output, format, path, failure);
}

static const struct {
    const char *name;
    enum status (*act)(struct error *error);
} exports[] = {
    {"export.json", to_json},    {"export.csv", to_csv},     {"export.safetensors", to_trace},
    {"state.json", to_state},    {"screen.svg", to_picture}, {"screen.txt", to_picture},
    {"screen.ansi", to_picture}, {"page.html", to_page},
};

#define STATE   3
#define EXPORTS (int)(sizeof exports / sizeof *exports)

static void write_before(void)
{
    FILE *stream = fopen(path, "wb");
    ck_assert_ptr_nonnull(stream);
    fputs("before", stream);
    ck_assert_int_eq(fclose(stream), 0);
}

static void check_is(const char *text, size_t length)
{
    char *found;
    size_t found_length;
    assert_ok(file_read(path, (size_t)1 << 30, &found, &found_length, &error), error);
    ck_assert_uint_eq(found_length, length);
    ck_assert_mem_eq(found, text, length);
    free(found);
}

static void check_exported(void)
{
    check_is(expected, expected_length);
}

static void check_kept(void)
{
    check_is("before", 6);
}

static void make_expected(int index)
{
    path = path_join(folder.path, exports[index].name);
    assert_ok(exports[index].act(&error), error);
    assert_ok(file_read(path, (size_t)1 << 30, &expected, &expected_length, &error), error);
}

TEST(an_export_is_whole_or_refused, .times = EXPORTS, .skipped = !faults_work())
{
    make_expected(_i);
    faults_try(&(struct trial){.name = exports[_i].name,
                               .begin = write_before,
                               .act = exports[_i].act,
                               .end = check_exported,
                               .check_failed = check_kept});
}

static const enum fault_kind disk_kinds[] = {FAULT_MAKE, FAULT_WRITE, FAULT_SYNC, FAULT_CLOSE,
                                             FAULT_RENAME};

/* At each call of each kind; folder_remove, at the end, finds no other file in the folder. */
TEST(a_full_disk_leaves_the_file_of_before, .times = EXPORTS, .skipped = !faults_work())
{
    size_t hits = 0;
    make_expected(_i);
    for (size_t i = 0; i < sizeof disk_kinds / sizeof *disk_kinds; i++)
        for (size_t nth = 1, now = 1; now > 0; nth++) {
            write_before();
            faults_begin(&(struct fault){
                .kind = disk_kinds[i], .nth = nth, .lasts = true, .reason = ENOSPC});
            enum status status = exports[_i].act(&error);
            now = faults_end();
            ck_assert_msg(nth > 1 || now > 0, "%s: kind %zu is not reached", exports[_i].name, i);
            hits += now > 0;
            if (now == 0) {
                ck_assert_int_eq(status, STATUS_OK);
                check_exported();
                continue;
            }
            ck_assert_int_eq(status, STATUS_IO);
            ck_assert_ptr_nonnull(strstr(error.message, strerror(ENOSPC)));
            check_kept();
        }
    if (getenv("HEADLIGHT_FAULTS"))
        printf("%6zu faults: %s on a full disk\n", hits, exports[_i].name);
}

/* Whether a process that saves the state is killed at that call. */
static bool is_killed(enum fault_kind kind, size_t nth)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        faults_begin(&(struct fault){.kind = kind, .nth = nth, .kills = true});
        _exit(to_state(&error) == STATUS_OK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
    return status != 0;
}

/* Returns how many there were. */
static size_t remove_leftovers(void)
{
    char *pattern = path_join(folder.path, ".headlight-*");
    glob_t found;
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    const size_t count = found.gl_pathc;
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(unlink(found.gl_pathv[i]), 0);
    globfree(&found);
    free(pattern);
    return count;
}

/* What was written of the other one stays beside it, under a name that stops nobody. */
TEST(a_kill_leaves_a_state_of_before_or_a_new_one, .skipped = !faults_work())
{
    size_t kills = 0; /* once there was a file */
    make_expected(STATE);
    for (size_t i = 0; i < sizeof disk_kinds / sizeof *disk_kinds; i++)
        for (size_t nth = 1, killed = 1; killed; nth++) {
            write_before();
            killed = is_killed(disk_kinds[i], nth);
            ck_assert_msg(killed || nth > 1, "kind %zu is not reached", i);
            if (killed)
                check_kept();
            else
                check_exported();
            kills += killed && disk_kinds[i] != FAULT_MAKE;
            assert_ok(to_state(&error), error);
            check_exported();
        }
    ck_assert_uint_eq(remove_leftovers(), kills);
}

/* The name that was taken for it is free again. */
TEST(a_screen_that_cannot_be_saved_leaves_no_file, .skipped = !faults_work())
{
    char here[1024];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder.path), 0);
    faults_begin(&(struct fault){.kind = FAULT_WRITE, .nth = 1, .lasts = true, .reason = ENOSPC});
    export_screen(&session, FORMAT_SVG, 80, 24);
    state_file_save(&session);
    ck_assert_uint_gt(faults_end(), 1);
    ck_assert_ptr_nonnull(strstr(session.message, "headlight-1.json: cannot be written"));
    ck_assert(!file_named("headlight-1.svg") && !file_named("headlight-1.json"));
    ck_assert_int_eq(chdir(here), 0);
}

/* ---- Workers ---- */

static enum status work(void *context, const struct watch *watch, struct error *failure)
{
    (void)context;
    return watch_step(watch, 1, 1, failure);
}

static struct worker *worker;

static enum status start_worker(struct error *failure)
{
    return worker_start(&worker, work, NULL, failure);
}

static void free_worker(void)
{
    worker_free(worker);
}

TEST(a_worker_starts_or_says_why_not, .skipped = !faults_work())
{
    faults_try(&(struct trial){.name = "start a worker", .act = start_worker, .end = free_worker});
    for (size_t nth = 1; nth <= 2; nth++) { /* a pipe, a thread */
        faults_begin(&(struct fault){.kind = FAULT_THREAD, .nth = nth, .reason = EAGAIN});
        enum status status = start_worker(&error);
        ck_assert_uint_eq(faults_end(), 1);
        ck_assert_int_eq(status, STATUS_IO);
        ck_assert_ptr_nonnull(strstr(error.message, strerror(EAGAIN)));
    }
}
