/* Texts from strangers in the real program: what it sends to a terminal, and what to a pipe. */
#include "e2e/pty.h"
#include "e2e/wire.h"
#include "hostile.h"
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/export/export.h"
#include "headlight/view/look.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct pty *pty;
static struct folder folder;
static struct error error;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    pty_free(pty);
    pty = NULL;
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end, .slow = true);

/* ---- A terminal ---- */

#define SHORT   8  /* texts in one run */
#define LONGEST 64 /* bytes of a text that is short */
#define PASTE   "\033[200~"
#define PASTED  "\033[201~"
#define CTRL_U  "\025"
#define PLACES  2 /* in which the texts of a run stand */

static int short_count(void)
{
    int count = 0;
    for (size_t i = 0; i < hostile_count(); i++)
        count += hostile_texts()[i].length <= LONGEST;
    return count;
}

/* The short texts of a run, with blanks between them; without NULs, and without what the terminal
 * takes for itself when it is typed. */
static void join_texts(int run, char *joined)
{
    int at = 0;
    for (size_t i = 0; i < hostile_count(); i++) {
        const struct hostile *text = &hostile_texts()[i];
        if (text->length > LONGEST || at++ / SHORT != run)
            continue;
        for (size_t k = 0; k < text->length; k++)
            if (!strchr("\003\021\023\032\034", text->bytes[k]))
                *joined++ = text->bytes[k];
        *joined++ = ' ';
    }
    strcpy(joined, "end");
}

/* Through the views, and out. A message about the text may stand in place of the hints until the
 * first key. */
static void look_around(const char *what)
{
    size_t length;
    pty_expect(pty, " tokens");
    for (int view = 0; view < VIEW_COUNT; view++) {
        pty_type(pty, "\t");
        pty_expect(pty, "q quit");
    }
    pty_type(pty, "c" PTY_DOWN);
    pty_expect(pty, "q quit");
    pty_type(pty, "q");
    ck_assert_int_eq(pty_wait_end(pty), 0);
    const char *output = pty_output(pty, &length);
    wire_check(output, length, what);
    ck_assert(!pty_titled(pty));
    ck_assert(pty_modes_restored(pty));
}

TEST(given_texts_send_nothing_raw, .times = ((short_count() + SHORT - 1) / SHORT / ONE_IN))
{
    char joined[SHORT * (LONGEST + 1) + 8], input[2 * sizeof joined];
    join_texts(_i, joined);
    for (int place = 0; place < PLACES; place++) {
        const char *arguments[] = {"--", place == 0 ? joined : "-", NULL};
        for (char *at = input + sprintf(input, "%s", joined); at-- > input;)
            *at = *at == '\n' ? ' ' : *at; /* which would end the sentence */
        pty = pty_start(&(struct pty_setup){
            .arguments = arguments, .input = place == 0 ? NULL : input, .answers = true});
        look_around(place == 0 ? "as an argument" : "from standard input");
        pty_free(pty);
        pty = NULL;
    }
}

TEST(pasted_texts_send_nothing_raw, .times = ((short_count() + SHORT - 1) / SHORT / ONE_IN))
{
    char joined[SHORT * (LONGEST + 1) + 8];
    join_texts(_i, joined);
    pty = pty_start(&(struct pty_setup){.answers = true});
    pty_expect(pty, "q quit");
    pty_type(pty, "/" PASTE);
    pty_type(pty, joined);
    pty_type(pty, PASTED);
    pty_expect(pty, "  find ");
    pty_type(pty, "\033");
    pty_expect_gone(pty, "  find "); /* or what follows would be Alt-e */
    pty_type(pty, "e" CTRL_U PASTE);
    pty_type(pty, joined);
    pty_type(pty, PASTED);
    pty_expect(pty, "end");
    pty_type(pty, "\r");
    look_around("pasted");
}

/* A recording: labels, texts, name and changes. */
static char *write_recording(size_t first, size_t count)
{
    const char *labels[16] = {"[CLS]"};
    char *path = path_join(folder.path, "a.safetensors");
    for (size_t i = 1; i < count; i++)
        labels[i] = hostile_texts()[(first + i - 1) % hostile_count()].bytes;
    struct session session = synthetic_session(labels, count, 4, 2, 4);
    session.data.model = labels[1];
    session.data.changes = labels[2];
    session.data.encoded->texts[0] = (struct text){strdup(labels[3]), strlen(labels[3])};
    session.data.encoded->text_count = 1;
    assert_ok(export_file(&(struct output){.session = &session}, FORMAT_TRACE, path, &error),
              error);
    session_end(&session);
    return path;
}

#define LABELS 13

static int recording_count(void)
{
    return (int)(hostile_count() + LABELS - 2) / (LABELS - 1);
}

TEST(recordings_send_nothing_raw, .times = recording_count())
{
    char *path = write_recording((size_t)_i * (LABELS - 1), LABELS);
    const char *arguments[] = {path, "--list", "--find", "e", NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .answers = true});
    look_around("a recording");
    free(path);
}

/* Without the marks around it, as a terminal that knows no mode 2004 pastes it. Several times what
 * a terminal holds unread; each key makes a new line, and a longer one costs its square. */
TEST(a_long_line_is_typed, .times = 4)
{
    static const char *const units[] = {"x", "a word ", "\xE6\x97\xA5", "\xCC\x81"};
    char line[6001] = "";
    size_t size = strlen(units[_i]);
    for (size_t used = 0; used + size < sizeof line; used += size)
        memcpy(line + used, units[_i], size + 1);
    pty = pty_start(&(struct pty_setup){.answers = true});
    pty_expect(pty, "q quit");
    pty_type(pty, "e" CTRL_U);
    pty_type(pty, line);
    pty_type(pty, " zzz");
    pty_expect(pty, "zzz");
    pty_type(pty, "\033");
    pty_expect(pty, "q quit");
    look_around("typed");
}

TEST(a_line_too_long_to_be_pasted_is_refused, .times = 2)
{
    const struct hostile *text = &hostile_texts()[hostile_count() - 2 - (size_t)_i];
    pty = pty_start(&(struct pty_setup){.answers = true});
    pty_expect(pty, "q quit");
    pty_type(pty, "e" PASTE);
    pty_type_bytes(pty, text->bytes, text->length);
    pty_type(pty, PASTED);
    pty_expect(pty, "102400 bytes are too many");
    pty_type(pty, "\033");
    pty_expect(pty, "q quit");
    look_around("pasted");
}

/* ---- A pipe ---- */

#define PIPED_MAX ((size_t)1 << 24)

/* The bytes are not part of it: what is static is searched for leaks behind each test of the
 * runner. */
struct piped {
    int status;
    size_t length;
    char *bytes; /* [PIPED_MAX] */
};

/* Runs the program with the input; both of its outputs are taken. */
static void run_piped(const char *const *arguments, const char *input, size_t length,
                      struct piped *piped)
{
    const char *program = getenv("HEADLIGHT_PROGRAM");
    char *path = path_join(folder.path, "input");
    int ends[2], file;
    ssize_t got;
    folder_write(&folder, "input", input, length);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_ge(file = open(path, O_RDONLY), 0);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(file, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        execv(program ? program : "build/headlight", (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    close(file);
    close(ends[1]);
    piped->length = 0;
    piped->bytes = piped->bytes ? piped->bytes : malloc(PIPED_MAX);
    ck_assert_ptr_nonnull(piped->bytes);
    while ((got = read(ends[0], piped->bytes + piped->length, PIPED_MAX - 1 - piped->length)) > 0)
        piped->length += (size_t)got;
    piped->bytes[piped->length] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &piped->status, 0), child);
    ck_assert(WIFEXITED(piped->status));
    free(path);
}

static struct piped piped;

/* A small model: this runs some thousand passes. */
#define TINY "headlight", "--model", TINY_FOLDER

/* Where a text may stand on the command line; NULL: there. */
static const char *const places[][7] = {
    {TINY, NULL},
    {TINY, "-", NULL},
    {TINY, "--ascii", "--list", NULL},
    {TINY, "--select", NULL},
    {TINY, "--find", NULL},
    {"headlight", "--model", NULL},
    {"headlight", NULL},
    {TINY, "--state", NULL},
    {TINY, "--type", NULL},
    {TINY, "--off", NULL},
    {TINY, "--snapshot", NULL},
    {TINY, "--json", "-", NULL},
    {TINY, "--csv", "-", NULL},
};

static void pipe_text(int place, const struct hostile *text)
{
    size_t used = 0;
    const char *arguments[COUNT(places[0]) + 1] = {NULL};
    while (places[place][used]) {
        arguments[used] = places[place][used];
        used++;
    }
    bool dash = strcmp(arguments[used - 1], "-") == 0;
    bool data = dash && strncmp(arguments[used - 2], "--", 2) == 0;
    bool reads = dash && !data;
    if (!reads && strlen(text->bytes) < text->length)
        return;
    if (strcmp(arguments[used - 1], "--state") == 0 && !strchr(text->bytes, '/'))
        return; /* it would be written */
    arguments[used] = reads ? NULL : text->bytes;
    run_piped(arguments, text->bytes, text->length, &piped);
    if (data)
        hostile_check_data(piped.bytes, piped.length, text->name);
    else
        hostile_check_text(piped.bytes, piped.length, text->name);
    ck_assert_msg(WEXITSTATUS(piped.status) == 0 || strncmp(piped.bytes, "headlight: ", 11) == 0,
                  "%s: %.100s", text->name, piped.bytes);
}

/* Short texts together, each other one by itself. */
TEST(pipes_get_nothing_raw, .times = COUNT(places))
{
    char joined[SHORT * (LONGEST + 1) + 8];
    for (int run = 0; run * SHORT < short_count(); run++) {
        join_texts(run, joined);
        pipe_text(_i, &(struct hostile){"short texts", joined, strlen(joined)});
    }
    for (size_t i = 0; i < hostile_count(); i++)
        if (hostile_texts()[i].length > LONGEST ||
            strlen(hostile_texts()[i].bytes) < hostile_texts()[i].length)
            pipe_text(_i, &hostile_texts()[i]);
}

TEST(recordings_pipe_nothing_raw, .times = recording_count())
{
    char *path = write_recording((size_t)_i * (LABELS - 1), LABELS);
    const char *arguments[] = {"headlight", path, "--list", "--numbers", NULL};
    run_piped(arguments, "", 0, &piped);
    ck_assert_int_eq(WEXITSTATUS(piped.status), 0);
    hostile_check_text(piped.bytes, piped.length, "a recording");
    free(path);
}

TEST(a_line_over_the_positions_is_told_so)
{
    const char *arguments[] = {"headlight", "-", NULL};
    char *line = malloc(102400);
    ck_assert_ptr_nonnull(line);
    for (size_t i = 0; i < 102400; i++)
        line[i] = i % 2 ? ' ' : 'a';
    run_piped(arguments, line, 102400, &piped);
    ck_assert_int_eq(WEXITSTATUS(piped.status), 1);
    ck_assert_ptr_nonnull(strstr(piped.bytes, "51202 tokens long, the model has 128 positions"));
    free(line);
}
