#include "headlight/app/interactive.h"

#include "headlight/app/act.h"
#include "headlight/app/click.h"
#include "headlight/app/clock.h"
#include "headlight/app/input.h"
#include "headlight/app/restore.h"
#include "headlight/app/save.h"
#include "headlight/app/screen.h"
#include "headlight/app/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

/* All in milliseconds. */
#define PATIENCE   60  /* a first frame without attention would only flash by in less than this */
#define QUICK_LOAD 150 /* what is loaded in this time, or fails, never opens the terminal */
#define CHEAP_PASS 80  /* a pass that takes no longer follows each key */
#define PAUSE      350 /* a dearer one waits until the typing stops for so long */

struct loop {
    const struct interactive *start;
    struct session *session;
    struct curses *curses;
    struct worker *worker;        /* NULL when nothing is loaded or computed */
    struct passage *next;         /* what is computed; the session's own, or ours */
    struct interventions changes; /* with which it is: keys may change the session's meanwhile */
    struct head_figures *figures; /* what is measured; the worker's until it is over */
    struct canvas *canvas;
    FILE *input;
    double started;   /* the worker */
    double due;       /* when the text that is wanted is to be computed; 0: there is none */
    unsigned pending; /* SESSION_ bits */
    bool typed;       /* the keys of the start have been pressed */
};

/* ---- Drawing ---- */

/* A theme without hues is drawn as a terminal without colours is. */
static struct traits traits_now(const struct loop *loop)
{
    struct traits traits = curses_traits(loop->curses);
    traits.mono |= loop->session->theme->mono;
    return traits;
}

static enum status fit_canvas(struct loop *loop, struct error *error)
{
    int columns, rows;
    curses_size(loop->curses, &columns, &rows);
    columns = columns < CANVAS_MAX ? columns : CANVAS_MAX; /* beyond it the terminal stays blank */
    rows = rows < CANVAS_MAX ? rows : CANVAS_MAX;
    loop->session->columns = columns;
    loop->session->rows = rows;
    if (!loop->canvas || loop->canvas->columns != columns || loop->canvas->rows != rows) {
        canvas_free(loop->canvas);
        loop->canvas = canvas_new(columns, rows, traits_now(loop));
        if (!loop->canvas)
            return error_set(error, STATUS_MEMORY, "no room for a screen of %d×%d cells", columns,
                             rows);
    }
    loop->canvas->traits = traits_now(loop);
    return STATUS_OK;
}

static enum status draw(struct loop *loop, struct error *error)
{
    if (fit_canvas(loop, error) != STATUS_OK ||
        screen_prepare(loop->session, loop->canvas, error) != STATUS_OK ||
        screen_draw(loop->session, loop->canvas, error) != STATUS_OK)
        return error->status;
    restore_begin_output();
    curses_set_paste(loop->curses, loop->session->edit.active || loop->session->prompt);
    curses_draw(loop->curses, loop->canvas, loop->session->theme,
                (loop->pending & SESSION_REPAINT) != 0);
    restore_end_output();
    loop->pending &= ~(unsigned)(SESSION_REDRAW | SESSION_REPAINT);
    return STATUS_OK;
}

static bool takes_long(const struct loop *loop)
{
    return clock_milliseconds() - loop->started > PATIENCE;
}

/* A picture is there, or it takes so long that something has to be shown instead. */
static bool may_draw(const struct loop *loop)
{
    return !loop->worker || loop->session->scene.trace || takes_long(loop);
}

/* ---- Computing ---- */

static enum status forward(void *context, const struct watch *watch, struct error *error)
{
    const struct loop *loop = context;
    const struct session *session = loop->session;
    return encoder_forward(session->checkpoint->model, &loop->changes, session->precision, watch,
                           loop->next->trace, error);
}

static enum status measure(void *context, const struct watch *watch, struct error *error)
{
    struct loop *loop = context;
    const struct scene *scene = &loop->session->scene;
    return heads_measure_all(scene->trace, scene->separators, watch, &loop->figures, error);
}

/* Cancels what is being done, and waits for it. */
static void stop_worker(struct loop *loop)
{
    worker_free(loop->worker);
    loop->worker = NULL;
    free(loop->figures);
    loop->figures = NULL;
}

static void drop_next(struct loop *loop)
{
    if (loop->next != loop->session->passage)
        passage_free(loop->next);
    loop->next = NULL;
}

static enum status start(struct loop *loop, enum busy busy, work_function work, void *context,
                         struct error *error)
{
    loop->session->busy = busy;
    loop->session->done = loop->session->total = 0;
    loop->started = clock_milliseconds();
    if (worker_start(&loop->worker, work, context, error) != STATUS_OK)
        return error->status;
    if (worker_descriptor(loop->worker) >= FD_SETSIZE || fileno(loop->input) >= FD_SETSIZE)
        return error_set(error, STATUS_LIMIT, "more than %d files are open", FD_SETSIZE);
    return STATUS_OK;
}

static enum status compute(struct loop *loop, struct passage *passage, struct error *error)
{
    loop->next = passage;
    loop->changes = loop->session->changes;
    return start(loop, BUSY_COMPUTING, forward, loop, error);
}

/* The text that is wanted takes the place of what is being computed. */
static enum status compute_wanted(struct loop *loop, struct error *error)
{
    struct passage *passage;
    stop_worker(loop);
    drop_next(loop);
    loop->due = 0;
    loop->session->busy = BUSY_NOT;
    loop->pending |= SESSION_REDRAW;
    if (session_wanted(loop->session, &passage, error) == STATUS_OK)
        return compute(loop, passage, error);
    session_say(loop->session, "%s", error->message);
    return STATUS_OK;
}

/* Those of the start, once. */
static enum status press_keys(struct loop *loop, struct error *error)
{
    if (loop->typed || !loop->start->keys)
        return STATUS_OK;
    loop->typed = true;
    return input_type(loop->session, loop->start->keys, error);
}

/* The loaded model shows its first text, or the recording is there at once. */
static enum status begin(struct loop *loop, struct error *error)
{
    if (loop->start->begin(loop->start->context, error) != STATUS_OK)
        return error->status;
    loop->session->attended = true;
    if (loop->session->scene.trace)
        return press_keys(loop, error);
    return compute(loop, loop->session->passage, error);
}

static enum status take_passage(struct loop *loop, double milliseconds, struct error *error)
{
    struct passage *passage = loop->next;
    loop->next = NULL;
    passage->milliseconds = milliseconds;
    if (session_take(loop->session, passage, true, error) == STATUS_OK)
        return press_keys(loop, error);
    session_refuse(loop->session, error);
    return loop->session->scene.trace ? STATUS_OK : error->status;
}

/* Figures that nobody waits for any more, or that can't be measured, are not asked for again. */
static void take_figures(struct loop *loop, enum status status, const struct error *error)
{
    struct session *session = loop->session;
    if (status == STATUS_OK) {
        session_take_figures(session, loop->figures);
        loop->figures = NULL;
        return;
    }
    session_say(session, "%s", status == STATUS_CANCELLED ? "cancelled" : error->message);
    session->scene.figure = FIGURE_NONE;
    session->scene.sorted = false;
}

static enum status measure_figures(struct loop *loop, struct error *error)
{
    if (loop->worker || !session_wants_figures(loop->session))
        return STATUS_OK;
    loop->pending |= SESSION_REDRAW;
    return start(loop, BUSY_MEASURING, measure, loop, error);
}

static enum status take_result(struct loop *loop, struct error *error)
{
    struct session *session = loop->session;
    enum status status = STATUS_OK;
    struct progress progress = {0};
    bool over = worker_poll(loop->worker, &progress, &status, error);
    session->done = progress.done;
    session->total = progress.total;
    loop->pending |= takes_long(loop) ? SESSION_REDRAW : 0; /* else a layer costs a frame */
    if (!over)
        return STATUS_OK;
    enum busy busy = session->busy;
    worker_free(loop->worker);
    loop->worker = NULL;
    session->busy = BUSY_NOT;
    loop->pending |= SESSION_REDRAW;
    if (busy == BUSY_MEASURING) {
        take_figures(loop, status, error);
        return STATUS_OK;
    }
    if (busy == BUSY_LOADING)
        return status == STATUS_OK ? begin(loop, error) : status;
    if (status == STATUS_OK)
        return take_passage(loop, progress.milliseconds, error);
    drop_next(loop);
    if (session->scene.trace) /* what was shown stays */
        session_say(session, "%s", status == STATUS_CANCELLED ? "cancelled" : error->message);
    return status == STATUS_CANCELLED || session->scene.trace ? STATUS_OK : status;
}

/* ---- Input ---- */

/* Readable, yet nothing to read. That no key comes of it would say less: a character may arrive in
 * two parts, or be none. */
static bool input_ended(const struct loop *loop)
{
    int waiting = 0;
    return ioctl(fileno(loop->input), FIONREAD, &waiting) != 0 || waiting == 0;
}

static unsigned take_event(struct loop *loop, const struct curses_input *input)
{
    switch (input->event) {
    case CURSES_RESIZED:
        return SESSION_REDRAW | SESSION_REPAINT;
    case CURSES_KEY:
        return input_key(loop->session, input->key);
    case CURSES_PASTE:
        return input_paste(loop->session, input->text, input->length);
    case CURSES_CLICK:
    case CURSES_HOVER:
        break;
    case CURSES_NOTHING:
        return SESSION_UNCHANGED;
    }
    if (!loop->canvas)
        return SESSION_UNCHANGED;
    struct hit hit = canvas_hit(loop->canvas, input->y, input->x);
    return input->event == CURSES_CLICK ? session_click(loop->session, hit)
                                        : session_hover(loop->session, hit);
}

/* What the session can't do by itself. */
static void obey(struct loop *loop, unsigned bits)
{
    if (bits & SESSION_TEXT) {
        bool now = bits & SESSION_NOW || loop->session->scene.milliseconds <= CHEAP_PASS;
        loop->due = clock_milliseconds() + (now ? 0 : PAUSE);
    }
    if (bits & SESSION_SAVE && loop->canvas)
        save_screen(loop->session, loop->canvas->columns, loop->canvas->rows);
    if (bits & SESSION_STATE)
        state_save(loop->session);
    if (bits & SESSION_CANCEL && loop->worker && loop->session->busy >= BUSY_COMPUTING)
        worker_cancel(loop->worker);
    loop->pending |= bits & (SESSION_REDRAW | SESSION_REPAINT | SESSION_QUIT);
}

/* What the mouse points at is what is drawn: keys before a click are drawn first. */
static enum status draw_before(struct loop *loop, const struct curses_input *input,
                               struct error *error)
{
    bool pointed = input->event == CURSES_CLICK || input->event == CURSES_HOVER;
    if (pointed && loop->pending & SESSION_REDRAW && may_draw(loop))
        return draw(loop, error);
    return STATUS_OK;
}

/* Takes all keys and clicks that wait. */
static enum status take_input(struct loop *loop, struct error *error)
{
    for (;;) {
        struct curses_input input = curses_read(loop->curses);
        if (input.event == CURSES_NOTHING)
            return STATUS_OK;
        if (draw_before(loop, &input, error) != STATUS_OK)
            return error->status;
        obey(loop, take_event(loop, &input));
    }
}

/* Milliseconds until something is due without any event; negative: nothing is. */
static double patience(const struct loop *loop)
{
    double left = -1;
    if (loop->worker && !may_draw(loop))
        left = PATIENCE;
    if (loop->due > 0) {
        double due = loop->due - clock_milliseconds();
        due = due > 0 ? due : 0;
        left = left < 0 || due < left ? due : left;
    }
    return left;
}

/* Waits for a key, the worker or a signal; signals are let in only here. Returns whether the input
 * is readable. */
static bool wait_for_event(struct loop *loop)
{
    fd_set set;
    int input = fileno(loop->input), worker = loop->worker ? worker_descriptor(loop->worker) : -1;
    double left = patience(loop);
    struct timespec timeout = {.tv_sec = (time_t)(left / 1e3)};
    timeout.tv_nsec = (long)((left - 1e3 * (double)timeout.tv_sec) * 1e6);
    FD_ZERO(&set);
    FD_SET(input, &set);
    if (worker >= 0)
        FD_SET(worker, &set);
    int ready = pselect((input > worker ? input : worker) + 1, &set, NULL, NULL,
                        left >= 0 ? &timeout : NULL, restore_wait_mask());
    if (ready == 0 && loop->worker)
        loop->pending |= SESSION_REDRAW;
    return ready > 0 && FD_ISSET(input, &set);
}

static enum status run_loop(struct loop *loop, struct error *error)
{
    enum status status = STATUS_OK;
    loop->pending |= SESSION_REDRAW;
    while (status == STATUS_OK) {
        if (loop->pending & SESSION_REDRAW && may_draw(loop))
            status = draw(loop, error);
        if (status != STATUS_OK || restore_signal() != 0)
            break;
        bool readable = wait_for_event(loop);
        if (restore_signal() != 0 || (readable && input_ended(loop)))
            break;
        status = take_input(loop, error);
        if (loop->pending & SESSION_QUIT)
            break;
        if (status == STATUS_OK && loop->worker)
            status = take_result(loop, error);
        if (status == STATUS_OK && loop->due > 0 && clock_milliseconds() >= loop->due)
            status = compute_wanted(loop, error);
        if (status == STATUS_OK)
            status = measure_figures(loop, error);
    }
    return status;
}

/* ---- Beginning and end ---- */

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

/* Loads as much as can be loaded before anyone would miss a picture. */
static enum status load_quickly(struct loop *loop, struct error *error)
{
    fd_set set;
    enum status status = start(loop, BUSY_LOADING, loop->start->load, loop->start->context, error);
    while (status == STATUS_OK && loop->session->busy == BUSY_LOADING && restore_signal() == 0) {
        double left = loop->started + QUICK_LOAD - clock_milliseconds();
        struct timespec timeout = {.tv_nsec = left > 0 ? (long)(left * 1e6) : 0};
        bool patient = loop->start->patient;
        int descriptor = worker_descriptor(loop->worker);
        if (left <= 0 && !patient)
            break;
        FD_ZERO(&set);
        FD_SET(descriptor, &set);
        if (pselect(descriptor + 1, &set, NULL, NULL, patient ? NULL : &timeout,
                    restore_wait_mask()) > 0)
            status = take_result(loop, error);
    }
    return status;
}

static enum status open_screen(struct loop *loop, struct error *error)
{
    restore_begin_output();
    enum status status =
        curses_open(&loop->curses, NULL, stdout, loop->input, &loop->start->wish, error);
    restore_end_output();
    return status;
}

static void close_screen(struct loop *loop)
{
    restore_begin_output();
    curses_close(loop->curses);
    restore_end_output();
}

enum status interactive_run(const struct interactive *start, int *signal, struct error *error)
{
    struct loop loop = {.start = start, .session = start->session};
    *signal = 0;
    loop.input = open_keyboard(error);
    if (!loop.input)
        return error->status;
    restore_arm(fileno(loop.input));
    enum status status = load_quickly(&loop, error);
    if (status == STATUS_OK && restore_signal() == 0)
        status = open_screen(&loop, error);
    if (loop.curses) {
        restore_relay();
        restore_hold_stderr();
        status = run_loop(&loop, error);
        close_screen(&loop);
    }
    *signal = restore_signal();
    restore_disarm();
    if (loop.curses)
        restore_release_stderr();
    stop_worker(&loop);
    drop_next(&loop);
    canvas_free(loop.canvas);
    if (loop.input != stdin)
        fclose(loop.input);
    return status;
}
