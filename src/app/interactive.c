#include "headlight/app/interactive.h"

#include "headlight/app/act.h"
#include "headlight/app/click.h"
#include "headlight/app/clock.h"
#include "headlight/app/restore.h"
#include "headlight/app/screen.h"
#include "headlight/app/worker.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

/* A first frame without attention would only flash by when the pass takes less than this. */
#define PATIENCE_MILLISECONDS 60

struct loop {
    struct session *session;
    struct curses *curses;
    struct worker *worker; /* NULL once the pass is over */
    struct canvas *canvas;
    FILE *input;
    double started;
    unsigned pending; /* SESSION_ bits */
};

static enum status draw(struct loop *loop, struct error *error)
{
    int columns, rows;
    curses_size(loop->curses, &columns, &rows);
    columns = columns < CANVAS_MAX ? columns : CANVAS_MAX; /* beyond it the terminal stays blank */
    rows = rows < CANVAS_MAX ? rows : CANVAS_MAX;
    if (!loop->canvas || loop->canvas->columns != columns || loop->canvas->rows != rows) {
        canvas_free(loop->canvas);
        loop->canvas = canvas_new(columns, rows, curses_traits(loop->curses));
        if (!loop->canvas)
            return error_set(error, STATUS_MEMORY, "no room for a screen of %d×%d cells", columns,
                             rows);
    }
    if (screen_draw(loop->session, loop->canvas, error) != STATUS_OK)
        return error->status;
    curses_draw(loop->curses, loop->canvas, loop->session->theme,
                (loop->pending & SESSION_REPAINT) != 0);
    loop->pending &= ~(unsigned)(SESSION_REDRAW | SESSION_REPAINT);
    return STATUS_OK;
}

/* Readable, yet nothing to read. That no key comes of it would say less: a character may arrive in
 * two parts, or be none. */
static bool input_ended(const struct loop *loop)
{
    int waiting = 0;
    return ioctl(fileno(loop->input), FIONREAD, &waiting) != 0 || waiting == 0;
}

static unsigned take_key(struct session *session, uint32_t key)
{
    enum action action;
    int digit;
    if (action_of_key(key, &action, &digit))
        return session_act(session, action, digit);
    return session->help && key != KEY_CODE_NONE ? session_act(session, ACTION_HELP, 0) : 0;
}

/* Takes all keys and clicks that wait. */
static void take_input(struct loop *loop)
{
    for (;;) {
        struct curses_input input = curses_read(loop->curses);
        if (input.event == CURSES_NOTHING)
            return;
        if (input.event == CURSES_RESIZED)
            loop->pending |= SESSION_REDRAW | SESSION_REPAINT;
        else if (input.event == CURSES_KEY)
            loop->pending |= take_key(loop->session, input.key);
        else if (loop->canvas)
            loop->pending |=
                session_click(loop->session, canvas_hit(loop->canvas, input.y, input.x));
    }
}

static enum status take_result(struct loop *loop, struct error *error)
{
    enum status status = STATUS_OK;
    struct progress progress = {0};
    bool over = worker_poll(loop->worker, &progress, &status, error);
    loop->session->scene.layers_done = progress.done;
    if (!over) {
        if (clock_milliseconds() - loop->started > PATIENCE_MILLISECONDS)
            loop->pending |= SESSION_REDRAW;
        return STATUS_OK;
    }
    worker_free(loop->worker);
    loop->worker = NULL;
    loop->pending |= SESSION_REDRAW;
    if (status != STATUS_OK)
        return status;
    loop->session->passage->milliseconds = progress.milliseconds;
    return session_take(loop->session, loop->session->passage, true, error);
}

static enum status forward(void *context, const struct watch *watch, struct error *error)
{
    struct session *session = context;
    return encoder_forward(session->checkpoint->model, &session->changes, session->precision, watch,
                           session->passage->trace, error);
}

/* Waits for a key, the worker or a signal; signals are let in only here. Returns whether the input
 * is readable. */
static bool wait_for_event(struct loop *loop)
{
    fd_set set;
    int input = fileno(loop->input), worker = loop->worker ? worker_descriptor(loop->worker) : -1;
    struct timespec patience = {.tv_nsec = PATIENCE_MILLISECONDS * 1000000L};
    FD_ZERO(&set);
    FD_SET(input, &set);
    if (worker >= 0)
        FD_SET(worker, &set);
    int ready = pselect((input > worker ? input : worker) + 1, &set, NULL, NULL,
                        worker >= 0 ? &patience : NULL, restore_wait_mask());
    if (ready == 0)
        loop->pending |= SESSION_REDRAW;
    return ready > 0 && FD_ISSET(input, &set);
}

static bool may_draw(const struct loop *loop)
{
    return !loop->worker || clock_milliseconds() - loop->started > PATIENCE_MILLISECONDS;
}

static enum status run_loop(struct loop *loop, struct error *error)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        bool readable = wait_for_event(loop);
        if (restore_signal() != 0 || (readable && input_ended(loop)))
            break;
        take_input(loop);
        if (loop->pending & SESSION_QUIT)
            break;
        if (loop->worker)
            status = take_result(loop, error);
        if (status == STATUS_OK && loop->pending & SESSION_REDRAW && may_draw(loop))
            status = draw(loop, error);
    }
    return status;
}

static FILE *open_keyboard(struct error *error)
{
    if (isatty(STDIN_FILENO))
        return stdin;
    FILE *input = fopen("/dev/tty", "r");
    if (!input)
        error_set(error, STATUS_IO, "no keyboard: standard input is no terminal, and /dev/tty: %s",
                  strerror(errno));
    return input;
}

enum status interactive_run(struct session *session, const struct curses_wish *wish, int *signal,
                            struct error *error)
{
    struct loop loop = {.session = session, .started = clock_milliseconds()};
    *signal = 0;
    loop.input = open_keyboard(error);
    if (!loop.input)
        return error->status;
    restore_arm(fileno(loop.input));
    enum status status = worker_start(&loop.worker, forward, session, error);
    if (status == STATUS_OK &&
        (fileno(loop.input) >= FD_SETSIZE || worker_descriptor(loop.worker) >= FD_SETSIZE))
        status = error_set(error, STATUS_LIMIT, "more than %d files are open", FD_SETSIZE);
    if (status == STATUS_OK)
        status = curses_open(&loop.curses, NULL, stdout, loop.input, wish, error);
    if (status == STATUS_OK) {
        restore_relay();
        restore_hold_stderr();
        status = run_loop(&loop, error);
        curses_close(loop.curses);
        restore_release_stderr();
    }
    worker_free(loop.worker);
    *signal = restore_signal();
    restore_disarm();
    canvas_free(loop.canvas);
    if (loop.input != stdin)
        fclose(loop.input);
    return status;
}
