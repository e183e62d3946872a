#include "e2e/pty.h"

#include "e2e/job.h"
#include "e2e/modes.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* Generous: a sanitised build on a busy machine. Only a failing test waits for it. */
#define DEADLINE_SECONDS 20

/* "No more bytes for a moment". */
#define MOMENT_MILLISECONDS 20

/* Between two looks at what the system knows of the program, which sends nothing then. */
#define GLANCE_MILLISECONDS 2

struct pty {
    int master, slave; /* -1 once hung up */
    struct job job;
    struct termios modes; /* before the program */
    bool stopped, ended;
    int status; /* of the end */
    VTerm *vterm;
    struct modes private;
    bool alternate, cursor, titled, clogged, answers;
    char command; /* where in one it is: ESC, '_' inside, '\\' behind an ESC inside; 0: in none */
    char *output; /* all that came, and a NUL */
    size_t length, escapes;
};

static void system_failed(const char *what)
{
    ck_abort_msg("%s: %s", what, strerror(errno));
}

/* ---- Beginning and end ---- */

static int take_property(VTermProp property, VTermValue *value, void *context)
{
    struct pty *pty = context;
    if (property == VTERM_PROP_ALTSCREEN)
        pty->alternate = value->boolean;
    else if (property == VTERM_PROP_CURSORVISIBLE)
        pty->cursor = value->boolean;
    else if (property == VTERM_PROP_TITLE || property == VTERM_PROP_ICONNAME)
        pty->titled = true;
    return 1;
}

/* What libvterm would answer differs from version to version. */
static void drop_answer(const char *bytes, size_t length, void *context)
{
    (void)bytes, (void)length, (void)context;
}

static void start_vterm(struct pty *pty, int columns, int rows)
{
    static const VTermScreenCallbacks callbacks = {.settermprop = take_property};
    pty->vterm = vterm_new(rows, columns);
    VTermScreen *screen = vterm_obtain_screen(pty->vterm);
    vterm_set_utf8(pty->vterm, 1);
    vterm_output_set_callback(pty->vterm, drop_answer, pty);
    vterm_screen_set_callbacks(screen, &callbacks, pty);
    vterm_screen_enable_altscreen(screen, 1);
    vterm_screen_reset(screen, 1);
}

static void open_terminal(struct pty *pty, int columns, int rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    pty->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (pty->master < 0 || grantpt(pty->master) != 0 || unlockpt(pty->master) != 0)
        system_failed("no pseudo-terminal");
    pty->slave = open(ptsname(pty->master), O_RDWR | O_NOCTTY);
    if (pty->slave < 0 || ioctl(pty->slave, TIOCSWINSZ, &size) != 0 ||
        tcgetattr(pty->slave, &pty->modes) != 0)
        system_failed("the pseudo-terminal's other end");
    fcntl(pty->master, F_SETFD, FD_CLOEXEC);
    fcntl(pty->slave, F_SETFD, FD_CLOEXEC);
    fcntl(pty->master, F_SETFL, O_RDWR | O_NONBLOCK); /* its buffer may be full */
    start_vterm(pty, columns, rows);
}

/* A pipe that holds the text and then its end; -1 without a text. */
static int open_input(const char *text)
{
    int ends[2];
    if (!text)
        return -1;
    job_pipe(ends);
    if (write(ends[1], text, strlen(text)) != (ssize_t)strlen(text))
        system_failed("writing the input");
    close(ends[1]);
    return ends[0];
}

struct pty *pty_start(const struct pty_setup *setup)
{
    struct pty *pty = calloc(1, sizeof *pty);
    ck_assert_ptr_nonnull(pty);
    pty->answers = setup->answers;
    open_terminal(pty, setup->columns ? setup->columns : 120, setup->rows ? setup->rows : 40);
    if (setup->before && write(pty->slave, setup->before, strlen(setup->before)) < 0)
        system_failed("the terminal");
    if (setup->typed && write(pty->master, setup->typed, strlen(setup->typed)) < 0)
        system_failed("the terminal");
    struct job_setup job = {.program = setup->program,
                            .run = setup->run,
                            .arguments = setup->arguments,
                            .environment = setup->environment,
                            .terminal = pty->slave,
                            .input = open_input(setup->input),
                            .folder = setup->folder,
                            .closed = setup->closed,
                            .detached = setup->detached};
    job_start(&pty->job, &job, pty->master);
    if (job.input >= 0)
        close(job.input);
    return pty;
}

void pty_free(struct pty *pty)
{
    if (!pty)
        return;
    job_end(&pty->job);
    pty_hang_up(pty);
    vterm_free(pty->vterm);
    free(pty->output);
    free(pty);
}

/* ---- Doing ---- */

void pty_resize(struct pty *pty, int columns, int rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    vterm_set_size(pty->vterm, rows, columns);
    if (ioctl(pty->master, TIOCSWINSZ, &size) != 0)
        system_failed("resizing");
}

void pty_signal(struct pty *pty, int number)
{
    pty->stopped &= number != SIGCONT;
    if (kill(pty->job.program, number) != 0)
        system_failed("a signal");
}

void pty_take_terminal(struct pty *pty, const char *text)
{
    if (tcsetattr(pty->slave, TCSANOW, &pty->modes) != 0 ||
        write(pty->slave, text, strlen(text)) < 0)
        system_failed("the terminal");
}

void pty_continue(struct pty *pty)
{
    pty->stopped = false;
    job_continue(&pty->job);
}

void pty_hang_up(struct pty *pty)
{
    if (pty->master < 0)
        return;
    close(pty->slave);
    close(pty->master);
    pty->slave = pty->master = -1;
}

/* NULs, which a terminal passes over. On a description of its own: the program's must go on
 * blocking. */
void pty_clog(struct pty *pty)
{
    static const char nothing[1024];
    int fd = open(ptsname(pty->master), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        system_failed("the terminal");
    pty->clogged = true;
    do { /* the system makes some room once more, a little later */
        while (write(fd, nothing, sizeof nothing) > 0 || write(fd, nothing, 1) > 0)
            ;
    } while (poll(&(struct pollfd){fd, POLLOUT, 0}, 1, MOMENT_MILLISECONDS) > 0 ||
             write(fd, nothing, 1) > 0);
    close(fd);
}

/* ---- Waiting ---- */

static void keep_bytes(struct pty *pty, const char *bytes, size_t count)
{
    pty->output = realloc(pty->output, pty->length + count + 1);
    ck_assert_ptr_nonnull(pty->output);
    memcpy(pty->output + pty->length, bytes, count);
    pty->length += count;
    pty->output[pty->length] = '\0';
}

/* libvterm shows the text of commands to other programs (ESC _ … ESC \, kitty's graphics) that
 * terminals pass over. */
static void show_byte(struct pty *pty, char byte)
{
    static const char escape = '\033';
    bool ends = pty->command == '\\';
    if (ends || pty->command == '_')
        pty->command = byte == escape ? '\\' : ends && byte == '\\' ? 0 : '_';
    else if (pty->command == escape && byte == '_')
        pty->command = '_';
    else {
        if (pty->command == escape)
            vterm_input_write(pty->vterm, &escape, 1);
        pty->command = byte == escape ? escape : 0;
        if (byte != escape)
            vterm_input_write(pty->vterm, &byte, 1);
    }
}

/* The attributes that every terminal has an answer for (DA1); those of a VT220 without extensions.
 */
static void answer_question(struct pty *pty, size_t from)
{
    static const char answer[] = "\033[?62;c";
    bool asked = strstr(pty->output + from, "\033[c") != NULL;
    if (pty->answers && asked && write(pty->master, answer, sizeof answer - 1) < 0)
        system_failed("the terminal's answer");
}

static void take_bytes(struct pty *pty, size_t most)
{
    char bytes[4096];
    ssize_t got = read(pty->master, bytes, most < sizeof bytes ? most : sizeof bytes);
    for (ssize_t i = 0; i < got; i++)
        pty->escapes += bytes[i] == '\033';
    if (got <= 0)
        return;
    modes_take(&pty->private, bytes, (size_t)got);
    for (ssize_t i = 0; i < got; i++)
        show_byte(pty, bytes[i]);
    size_t before = pty->length;
    keep_bytes(pty, bytes, (size_t)got);
    answer_question(pty, before > 2 ? before - 2 : 0);
}

static void take_output(struct pty *pty)
{
    take_bytes(pty, SIZE_MAX);
}

void pty_glance(struct pty *pty)
{
    struct pollfd polled = {pty->master, POLLIN, 0};
    while (poll(&polled, 1, 0) > 0 && polled.revents & POLLIN)
        take_output(pty);
}

static void take_event(struct pty *pty)
{
    int status = job_event(&pty->job);
    pty->stopped = WIFSTOPPED(status);
    pty->ended = !pty->stopped;
    pty->status = status;
}

/* Takes what comes within a moment. False when nothing did. */
static bool take(struct pty *pty, int milliseconds)
{
    struct pollfd polled[] = {{pty->clogged ? -1 : pty->master, POLLIN, 0},
                              {pty->job.events, POLLIN, 0}};
    if (poll(polled, 2, milliseconds) <= 0)
        return false;
    if (polled[0].revents & POLLIN)
        take_output(pty);
    if (polled[1].revents & POLLIN)
        take_event(pty);
    return ((polled[0].revents | polled[1].revents) & POLLIN) != 0;
}

void pty_listen(struct pty *pty)
{
    pty->clogged = false;
    while (take(pty, MOMENT_MILLISECONDS))
        ;
}

static time_t now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

void pty_type(struct pty *pty, const char *text)
{
    pty_type_bytes(pty, text, strlen(text));
}

void pty_type_bytes(struct pty *pty, const char *bytes, size_t length)
{
    time_t deadline = now_seconds() + DEADLINE_SECONDS;
    while (length > 0 && now_seconds() < deadline) {
        struct pollfd polled = {pty->master, POLLIN | POLLOUT, 0};
        poll(&polled, 1, MOMENT_MILLISECONDS);
        if (polled.revents & POLLIN && !pty->clogged)
            take_output(pty);
        ssize_t put = polled.revents & POLLOUT ? write(pty->master, bytes, length) : 0;
        if (put < 0 && errno != EAGAIN)
            system_failed("typing");
        bytes += put > 0 ? put : 0;
        length -= put > 0 ? (size_t)put : 0;
    }
    if (length > 0)
        ck_abort_msg("not within %d s: %zu bytes typed", DEADLINE_SECONDS, length);
}

/* Until `holds` of the terminal as it is and nothing more comes for so long; `what` names it in the
 * failure. */
static void wait_quiet(struct pty *pty, int milliseconds,
                       bool (*holds)(struct pty *pty, const void *context), const void *context,
                       const char *what)
{
    time_t deadline = now_seconds() + DEADLINE_SECONDS;
    while (now_seconds() < deadline)
        if (!take(pty, milliseconds) && holds(pty, context))
            return;
    pty_print(pty);
    ck_abort_msg("not within %d s: %s", DEADLINE_SECONDS, what);
}

static void wait_until(struct pty *pty, bool (*holds)(struct pty *pty, const void *context),
                       const void *context, const char *what)
{
    wait_quiet(pty, MOMENT_MILLISECONDS, holds, context, what);
}

/* A frame is being written: what stands there belongs to two. */
static bool in_frame(const struct pty *pty)
{
    return modes_has(&pty->private, 2026);
}

void pty_stop_in_frame(struct pty *pty)
{
    time_t deadline = now_seconds() + DEADLINE_SECONDS;
    while (!in_frame(pty)) {
        if (now_seconds() >= deadline)
            ck_abort_msg("not within %d s: a frame", DEADLINE_SECONDS);
        if (poll(&(struct pollfd){pty->master, POLLIN, 0}, 1, MOMENT_MILLISECONDS) > 0)
            take_bytes(pty, 1);
    }
    pty->clogged = true;
}

static bool has_read(struct pty *pty, const void *context)
{
    int waiting = 0;
    (void)context;
    return ioctl(pty->slave, FIONREAD, &waiting) == 0 && waiting == 0;
}

void pty_wait_read(struct pty *pty)
{
    wait_quiet(pty, GLANCE_MILLISECONDS, has_read, NULL, "that all keys are read");
}

static bool has_text(struct pty *pty, const void *text)
{
    int row, column;
    if (in_frame(pty))
        return false;
    struct grid *grid = pty_grid(pty);
    bool found = grid_find(grid, text, &row, &column);
    free(grid);
    return found;
}

static bool lacks_text(struct pty *pty, const void *text)
{
    return !in_frame(pty) && !has_text(pty, text);
}

static bool has_grid(struct pty *pty, const void *expected)
{
    struct grid *grid = pty_grid(pty);
    bool equal = !in_frame(pty) && grid_equal(grid, expected);
    free(grid);
    return equal;
}

/* The two bars above tell the time that a pass took. */
static bool has_picture(struct pty *pty, const void *grid)
{
    struct grid *now = pty_grid(pty);
    bool equal = !in_frame(pty) && grid_equal_below(now, grid, 2);
    free(now);
    return equal;
}

struct sent {
    const char *text;
    size_t times;
};

static bool has_sent(struct pty *pty, const void *context)
{
    const struct sent *sent = context;
    return !in_frame(pty) && pty_sent(pty, sent->text) == sent->times;
}

static bool has_ended(struct pty *pty, const void *context)
{
    (void)context;
    return pty->ended;
}

static bool is_stopped(struct pty *pty, const void *context)
{
    (void)context;
    return pty->stopped;
}

void pty_expect(struct pty *pty, const char *text)
{
    wait_until(pty, has_text, text, text);
}

void pty_expect_gone(struct pty *pty, const char *text)
{
    wait_until(pty, lacks_text, text, text);
}

void pty_expect_grid(struct pty *pty, const struct grid *grid)
{
    wait_until(pty, has_grid, grid, "the same screen as before");
}

void pty_expect_picture(struct pty *pty, const struct grid *grid)
{
    wait_until(pty, has_picture, grid, "the same picture as before");
}

void pty_expect_sent(struct pty *pty, const char *text, size_t times)
{
    char what[100];
    snprintf(what, sizeof what, "\"%s\" sent %zu times", text[0] == '\033' ? text + 1 : text,
             times);
    wait_until(pty, has_sent, &(struct sent){text, times}, what);
}

struct wish {
    bool (*holds)(void);
};

static bool is_so(struct pty *pty, const void *wish)
{
    (void)pty;
    return ((const struct wish *)wish)->holds();
}

void pty_wait_for(struct pty *pty, bool (*holds)(void), const char *what)
{
    wait_quiet(pty, GLANCE_MILLISECONDS, is_so, &(struct wish){holds}, what);
}

int pty_wait_end(struct pty *pty)
{
    wait_quiet(pty, GLANCE_MILLISECONDS, has_ended, NULL, "the end of the program");
    return pty->status;
}

/* Sends the signal again while it stands. */
static bool has_ended_going_on(struct pty *pty, const void *context)
{
    if (pty->stopped)
        pty_signal(pty, SIGCONT);
    return has_ended(pty, context);
}

void pty_go_on_to_end(struct pty *pty)
{
    wait_quiet(pty, GLANCE_MILLISECONDS, has_ended_going_on, NULL,
               "the end of the program, however often it goes on");
}

static bool has_ended_asked_again(struct pty *pty, const void *number)
{
    if (!pty->ended)
        kill(pty->job.program, *(const int *)number); /* which may just have ended */
    return pty->ended;
}

void pty_ask_to_end(struct pty *pty, int number)
{
    wait_quiet(pty, MOMENT_MILLISECONDS, has_ended_asked_again, &number,
               "the end of the program, however often it is asked");
}

void pty_wait_stopped(struct pty *pty)
{
    wait_quiet(pty, GLANCE_MILLISECONDS, is_stopped, NULL, "a stopped program");
}

/* ---- Looking ---- */

struct grid *pty_grid(const struct pty *pty)
{
    return grid_of(pty->vterm);
}

char *pty_row(const struct pty *pty, int row)
{
    struct grid *grid = pty_grid(pty);
    char *text = grid_row(grid, row);
    free(grid);
    return text;
}

bool pty_alternate_screen(const struct pty *pty)
{
    return pty->alternate;
}

bool pty_cursor_visible(const struct pty *pty)
{
    return pty->cursor;
}

bool pty_mode(const struct pty *pty, int number)
{
    return modes_has(&pty->private, number);
}

bool pty_titled(const struct pty *pty)
{
    return pty->titled;
}

size_t pty_escapes(const struct pty *pty)
{
    return pty->escapes;
}

const char *pty_output(const struct pty *pty, size_t *length)
{
    *length = pty->length;
    return pty->output;
}

size_t pty_sent(const struct pty *pty, const char *text)
{
    size_t times = 0, size = strlen(text);
    for (size_t i = 0; i + size <= pty->length; i++)
        times += memcmp(pty->output + i, text, size) == 0;
    return times;
}

bool pty_modes_restored(const struct pty *pty)
{
    struct termios modes;
    return tcgetattr(pty->slave, &modes) == 0 && modes.c_iflag == pty->modes.c_iflag &&
           modes.c_oflag == pty->modes.c_oflag && modes.c_cflag == pty->modes.c_cflag &&
           modes.c_lflag == pty->modes.c_lflag &&
           memcmp(modes.c_cc, pty->modes.c_cc, sizeof modes.c_cc) == 0;
}

void pty_print(const struct pty *pty)
{
    struct grid *grid = pty_grid(pty);
    char *text = grid_text(grid);
    fprintf(stderr, "---- the terminal: %s screen, cursor %s, program %s ----\n%s----\n",
            pty->alternate ? "alternate" : "main", pty->cursor ? "visible" : "hidden",
            pty->ended     ? "ended"
            : pty->stopped ? "stopped"
                           : "running",
            text);
    free(text);
    free(grid);
}
