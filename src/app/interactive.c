/* interactive.c: the event loop. It waits for the keyboard, the worker and signals in one place,
 * run_loop. Drawing, starting the worker and taking its results happen only here, on the
 * keyboard's thread. */
#include "headlight/app/program.h"

#include "headlight/app/cast_run.h"
#include "headlight/app/worker.h"
#include "headlight/session/act.h"
#include "headlight/session/overlay.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/terminal/restore.h"
#include "headlight/terminal/terminals.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

/* In milliseconds. */
#define QUICK_LOAD   150 /* a load that ends or fails within this time never opens the terminal */
#define QUICK_ERROR  5   /* nor does one that fails within this time ask it anything */
#define FIRST_ANSWER 10  /* the first frame doesn't wait for the terminal's answers any longer */
#define TURN         50  /* how long keys are processed before the next frame */
#define PATIENCE     60 /* progress, or a first frame without attention, is not shown before this */
#define FAREWELL     800 /* how long work may take to notice that the program ends */

/* What the loop knows: the program, the terminal, the work under way, and what is to be done next.
 * All of it belongs to the keyboard's thread, but for the request while a worker has it. */
struct loop {
    struct program *program;
    const struct options *options; /* of the program, */
    struct session *session;       /* and its session */
    struct curses *curses;
    struct request request; /* the worker's until it is done */
    struct worker *worker;  /* NULL: idle */
    struct canvas *canvas;
    struct camera camera; /* of --record */
    FILE *input;
    struct probe terminal; /* the terminal's answers about itself, */
    double asked;          /* when it was asked for them; 0: not yet */
    unsigned theme;        /* the one that suits them */
    double started;        /* when the worker started (watch.h) */
    double progress_drawn; /* when progress was last shown */
    unsigned pending;      /* SESSION_ bits */
    bool unwanted;         /* the work under way was cancelled: its result is dropped */
    bool keys_done;        /* those of --type have been pressed */
    bool more;             /* input remains, as its turn was over */
    bool empty;            /* the input was readable last time, with 0 bytes */
};

/* Cancels the work. What it has read stays until it has noticed, which is not waited for here: the
 * keyboard's thread never waits for work. */
static void work_stop(struct loop *loop)
{
    worker_cancel(loop->worker);
    loop->unwanted = true;
}

/* Frees work that is over. */
static void work_forget(struct loop *loop)
{
    worker_free(loop->worker);
    loop->worker = NULL;
    loop->unwanted = false;
    loop->session->busy = REQUEST_NONE;
}

/* ---- Starting work ---- */

/* program_load as a work_function. */
static enum status load_program(void *context, const struct watch *watch, struct error *error)
{
    return program_load(context, watch, error);
}

/* Starts the request on a worker's thread. select can't watch descriptors from FD_SETSIZE up, and
 * with many open files the pipe may be one. */
static enum status work_start(struct loop *loop, struct error *error)
{
    struct session *session = loop->session;
    session->busy = loop->request.kind;
    session->done = session->total = 0;
    loop->started = loop->progress_drawn = clock_milliseconds();
    loop->pending |= SESSION_REDRAW;
    const bool loads = loop->request.kind == REQUEST_LOAD; /* which isn't derived from the state */
    if (worker_start(&loop->worker, loads ? load_program : request_run,
                     loads ? (void *)loop->program : &loop->request, error) != STATUS_OK)
        return error->status;
    if (loop->worker->ends[0] >= FD_SETSIZE || fileno(loop->input) >= FD_SETSIZE)
        return error_set(error, STATUS_LIMIT, "more than %d files are open", FD_SETSIZE);
    return STATUS_OK;
}

/* Starts what is due, one thing at a time: another model, the pass that the state needs, or what is
 * shown besides it. The first two take the place of other work as soon as that has noticed, but a
 * load is waited for. */
static enum status work_next(struct loop *loop, struct error *error)
{
    struct session *session = loop->session;
    struct request *request = &loop->request;
    const bool model = loop->pending & SESSION_MODEL, pass = session->pass_due;
    if (loop->worker) { /* a pass is begun again where the model can't be opened */
        session->pass_due |= model && request->kind == REQUEST_PASS;
        if (request->kind != REQUEST_LOAD && (model || pass || request_is_stale(session, request)))
            work_stop(loop);
        return STATUS_OK;
    }
    loop->pending &= ~(unsigned)SESSION_MODEL;
    loop->pending |= pass ? SESSION_REDRAW : 0;
    if (model) {
        *request = (struct request){.kind = REQUEST_LOAD};
    } else if (pass && request_pass(session, request, error) != STATUS_OK) {
        session_say(session, "%s", error->message);
        loop->more = true; /* what is shown besides comes next */
    } else if (!pass && request_besides(session, request, error) != STATUS_OK) {
        request_fail(session, request->kind, error); /* shown without it */
        request_drop(request);
    }
    return request->kind == REQUEST_NONE ? STATUS_OK : work_start(loop, error);
}

/* ---- Results of work ---- */

/* The keys of --type, once there is a picture. */
static enum status press_keys(struct loop *loop, struct error *error)
{
    if (loop->keys_done || !loop->options->type || !loop->session->data.trace)
        return STATUS_OK;
    loop->keys_done = true;
    return input_type(loop->session, loop->options->type, error);
}

/* Begins the session. A recording can be shown at once, a model needs a pass. If nobody chose a
 * theme, that of the loading screen stays. */
static enum status work_begin(struct loop *loop, struct error *error)
{
    unsigned theme = loop->session->state.look.theme;
    if (program_begin_interactive(loop->program, error) != STATUS_OK)
        return error->status;
    if (!loop->options->values[FIELD_THEME])
        loop->session->state.look.theme = theme;
    loop->session->interactive = true;
    loop->session->pass_due |= !loop->session->data.trace;
    enum status status = press_keys(loop, error);
    return status == STATUS_OK ? work_next(loop, error) : status;
}

/* Updates the progress, and takes the result if there is one. Without any picture a failure ends
 * the program, unless the work was cancelled. */
static enum status work_take(struct loop *loop, struct error *error)
{
    struct session *session = loop->session;
    struct worker *worker = loop->worker;
    bool over = worker_poll(worker);
    const bool moved = session->done != worker->done || session->total != worker->total;
    session->done = worker->done;
    session->total = worker->total;
    if (moved &&
        clock_milliseconds() - loop->progress_drawn > PATIENCE) { /* not a frame for every step */
        loop->progress_drawn = clock_milliseconds();
        loop->pending |= SESSION_REDRAW;
    }
    if (!over)
        return STATUS_OK;
    loop->pending |= SESSION_REDRAW;
    enum request_kind kind = loop->request.kind;
    enum status status = worker->status;
    double milliseconds = worker->milliseconds;
    if (status != STATUS_OK)
        *error = worker->error;
    bool wanted = !loop->unwanted, other = kind == REQUEST_LOAD && *session->wanted;
    work_forget(loop);
    if (!wanted) {
        request_drop(&loop->request);
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = request_take(session, &loop->request, milliseconds, error);
    if (status == STATUS_OK && !other)
        return kind == REQUEST_LOAD ? work_begin(loop, error) : press_keys(loop, error);
    if (status == STATUS_OK)
        status = program_exchange(loop->program, error);
    request_drop(&loop->request);
    if (!other && (kind == REQUEST_LOAD || (!session->data.trace && status != STATUS_CANCELLED)))
        return status;
    if (status != STATUS_OK)
        request_fail(session, kind, error);
    return STATUS_OK;
}

/* ---- Drawing ---- */

/* Draws the session and sends what has changed. A picture is drawn before the terminal is touched,
 * so that a failure leaves the last frame as it was. */
static enum status loop_draw(struct loop *loop, struct error *error)
{
    /* a canvas of the terminal's present size, in the glyphs and colours that it has and the theme
     * allows. The session is told the size too, as the help's pages depend on it */
    const struct curses_kind *kind = curses_kind(loop->curses);
    struct traits traits = kind->traits;
    traits.mono |= theme_at(loop->session->state.look.theme)->mono; /* without hues */
    const int columns = int_min(kind->columns, CANVAS_MAX), /* beyond it the terminal stays blank */
        rows = int_min(kind->rows, CANVAS_MAX);
    loop->session->columns = columns;
    loop->session->rows = rows;
    if (!loop->canvas || loop->canvas->columns != columns || loop->canvas->rows != rows) {
        canvas_free(loop->canvas);
        loop->canvas = canvas_new(columns, rows, traits);
        if (!loop->canvas)
            return error_memory(error, "a screen", 0);
    }
    loop->canvas->traits = traits;
    loop->canvas->lines = kind->lines;
    loop->canvas->curves = kind->pictures;
    if (screen_draw(loop->session, loop->canvas, error) != STATUS_OK)
        return error->status;
    restore_begin_output();
    curses_set_paste(loop->curses, loop->session->overlay.lines[0]);
    curses_draw(loop->curses, loop->canvas, theme_at(loop->session->state.look.theme),
                (loop->pending & SESSION_REPAINT) != 0);
    restore_end_output();
    loop->pending &= ~(unsigned)(SESSION_REDRAW | SESSION_REPAINT);
    return camera_frame(&loop->camera, loop->session, loop->canvas, error);
}

/* Whether there is a picture, or the work takes so long that its progress is shown instead. */
static bool may_draw(const struct loop *loop)
{
    return !loop->worker || loop->session->data.trace ||
           clock_milliseconds() - loop->started > PATIENCE;
}

/* ---- The terminal's answers ---- */

/* Asks the terminal what options have not settled. The answers are awaited while the model is
 * loaded; what is late comes among the keys. */
static void ask_terminal(struct loop *loop)
{
    const enum lines_wish lines = loop->options->out.lines;
    unsigned questions =
        (loop->options->values[FIELD_THEME] ? 0 : ASK_GROUND) |
        (loop->options->screen.color != COLOR_AUTO ? 0 : ASK_COLOR) |
        (lines == LINES_AUTO || lines == LINES_PIXELS ? ASK_PICTURES | ASK_KITTY | ASK_SHARED : 0);
    loop->asked = clock_milliseconds();
    restore_begin_output();
    if (questions == 0 ||
        !curses_ask(&loop->terminal, fileno(stdout), fileno(loop->input), questions))
        loop->terminal.answer.complete = true; /* none will come */
    restore_end_output();
}

/* How long answers may still take. A terminal far away is slow to answer, and so is kitty while it
 * starts. */
static double answers_due(const struct loop *loop)
{
    const bool slow = terminal_traits(NULL) & TERMINAL_SLOW;
    return loop->asked + (slow ? ASK_LONG_PATIENCE : ASK_PATIENCE) - clock_milliseconds();
}

/* Unless chosen by an option, a saved state or a key, the theme fits the terminal's background. */
static void choose_theme(struct loop *loop)
{
    struct rgb ground;
    unsigned *theme = &loop->session->state.look.theme;
    if (!loop->options->values[FIELD_THEME] && *theme == loop->theme &&
        ask_ground(&loop->terminal.answer, getenv("COLORFGBG"), &ground))
        *theme = loop->theme = theme_on_ground(ground);
}

/* The last of the late answers, which come once: whatever they changed, the screen is painted anew.
 */
static unsigned take_answers(struct loop *loop)
{
    struct error error;
    loop->terminal.answer = *curses_answer(loop->curses);
    choose_theme(loop);
    if (curses_choose_lines(loop->curses, loop->options->out.lines, &loop->terminal.answer,
                            &error) != STATUS_OK)
        session_say(loop->session, "%s", error.message);
    return SESSION_REDRAW | SESSION_REPAINT;
}

/* ---- Input ---- */

/* Passes one key, click or paste to the session; returns bits of session.h. A click means what was
 * drawn at that cell, so there is nothing to hit before the first frame. */
static unsigned take_event(struct loop *loop, const struct curses_input *input)
{
    const struct hit hit = loop->canvas ? canvas_hit(loop->canvas, input->y, input->x)
                                        : (struct hit){.place = {HIT_NOTHING}};
    switch (input->event) {
    case CURSES_RESIZED:
        return SESSION_REDRAW | SESSION_REPAINT;
    case CURSES_KEY:
        return input_key(loop->session, input->key);
    case CURSES_PASTE:
        return input_paste(loop->session, input->text, input->length);
    case CURSES_CLICK:
        return session_click(loop->session, hit);
    case CURSES_HOVER:
        return session_hover(loop->session, hit);
    default:
        return SESSION_UNCHANGED;
    }
}

/* Takes waiting keys and clicks, for one turn at most, and does what the session can't do itself.
 * Keys before a click are drawn first, as the user points at what is on the screen. */
static enum status take_keys(struct loop *loop, struct error *error)
{
    double end = clock_milliseconds() + TURN;
    loop->more = false;
    while (!loop->more) {
        struct curses_input input = curses_read(loop->curses);
        if (curses_answer(loop->curses)->complete && !loop->terminal.answer.complete)
            loop->pending |= take_answers(loop);
        if (input.event == CURSES_NOTHING)
            return STATUS_OK;
        bool pointed = input.event == CURSES_CLICK || input.event == CURSES_HOVER;
        if (pointed && loop->pending & SESSION_REDRAW && may_draw(loop) &&
            loop_draw(loop, error) != STATUS_OK)
            return error->status;
        const unsigned bits = take_event(loop, &input);
        loop->session->pass_due |= (bits & SESSION_PASS) != 0;
        if (bits & SESSION_SAVE && loop->canvas)
            export_screen(loop->session, FORMAT_SVG, loop->canvas->columns, loop->canvas->rows);
        if (bits & SESSION_PAGE)
            export_screen(loop->session, FORMAT_PAGE, 0, 0);
        if (bits & SESSION_STATE)
            state_file_save(loop->session);
        char *command = bits & SESSION_COPY ? command_line(loop->session) : NULL;
        if (command) {
            restore_begin_output();
            curses_copy(loop->curses, command);
            restore_end_output();
        }
        free(command);
        if (bits & SESSION_CANCEL && loop->worker && loop->session->data.encoded)
            worker_cancel(loop->worker);
        loop->pending |= bits & (SESSION_REDRAW | SESSION_REPAINT | SESSION_QUIT | SESSION_MODEL);
        loop->more = clock_milliseconds() >= end;
    }
    return STATUS_OK;
}

/* Each turn draws if something has changed, waits for a key, the worker or a signal (signals are
 * unblocked only there), takes input, and then attends to the worker: its
 * result, a pass that is due, and what is shown besides the pass. The loop ends with an error, a
 * signal, the end of input, or when the user quits. */
static enum status run_loop(struct loop *loop, struct error *error)
{
    enum status status = STATUS_OK;
    loop->pending |= SESSION_REDRAW;
    loop->more = true; /* what was typed while the terminal was asked */
    while (status == STATUS_OK) {
        if (loop->pending & SESSION_REDRAW && may_draw(loop))
            status = loop_draw(loop, error);
        if (status != STATUS_OK || restore_signal() != 0)
            break;
        /* the end of input on a terminal looks readable with 0 bytes, and must do so twice in a
         * row, as SIGCONT can cause it once. Keys can't be counted instead: some bytes make no key,
         * or not yet */
        const bool due = loop->more || (loop->session->pass_due && !loop->worker);
        const int ready =
            restore_wait(fileno(loop->input), loop->worker ? loop->worker->ends[0] : -1,
                         due                               ? 0
                         : loop->worker && !may_draw(loop) ? PATIENCE
                                                           : -1);
        if (ready == 0 && loop->worker)
            loop->pending |= SESSION_REDRAW;
        const bool readable = ready > 0 && ready & 1, empty_before = loop->empty;
        int waiting = 0;
        if (restore_signal() != 0 ||
            (readable && ioctl(fileno(loop->input), FIONREAD, &waiting) != 0))
            break;
        loop->empty = readable && waiting == 0;
        if (loop->empty && empty_before)
            break;
        status = take_keys(loop, error);
        if (loop->pending & SESSION_QUIT)
            break;
        if (status == STATUS_OK && loop->worker)
            status = work_take(loop, error);
        if (status == STATUS_OK)
            status = work_next(loop, error);
    }
    return status;
}

/* ---- Beginning and end ---- */

/* Waits a moment for the load, so that quick ones need no loading screen. The terminal is asked
 * meanwhile, unless the load fails at once. */
static enum status load_quickly(struct loop *loop, struct error *error)
{
    loop->request = (struct request){.kind = REQUEST_LOAD};
    enum status status = work_start(loop, error);
    const struct options *options = loop->options;
    const struct probe *probe = &loop->terminal;
    bool patient = !options->model && !options->against && !options->open; /* known to be quick */
    while (status == STATUS_OK && loop->session->busy == REQUEST_LOAD && restore_signal() == 0) {
        double past = clock_milliseconds() - loop->started;
        if (loop->asked <= 0 && (patient || past >= QUICK_ERROR))
            ask_terminal(loop);
        else if (past >= QUICK_LOAD && !patient)
            break;
        else {
            const int input = probe->asking && !probe->answer.complete ? probe->input : -1;
            const int ready =
                restore_wait(loop->worker->ends[0], input,
                             patient ? -1 : (loop->asked > 0 ? QUICK_LOAD : QUICK_ERROR) - past);
            if (ready > 0 && ready & 2)
                ask_read(&loop->terminal);
            status = ready > 0 && ready & 1 ? work_take(loop, error) : STATUS_OK;
        }
    }
    return status;
}

/* Opens curses with what is known of the terminal by now. Whoever insists on pixels, or would see 8
 * colours, waits until it has said whether it has them. */
static enum status open_screen(struct loop *loop, struct error *error)
{
    if (loop->asked <= 0)
        ask_terminal(loop);
    struct curses_wish wish = loop->options->screen;
    bool waits = loop->options->out.lines == LINES_PIXELS || loop->terminal.decisive;
    ask_wait(&loop->terminal,
             waits ? answers_due(loop) : loop->asked + FIRST_ANSWER - clock_milliseconds());
    wish.direct = loop->terminal.decisive && loop->terminal.answer.direct;
    choose_theme(loop);
    restore_begin_output();
    enum status status = curses_open(&loop->curses, NULL, stdout, loop->input, &wish, error);
    if (status == STATUS_OK) {
        curses_take_over(loop->curses, &loop->terminal);
        status = curses_choose_lines(loop->curses, loop->options->out.lines, &loop->terminal.answer,
                                     error);
    }
    restore_end_output();
    return status;
}

/* The order matters: signals are caught before a thread is started, the size is set before that
 * thread reads the environment, and a load that fails early never touches the terminal. The worker
 * is stopped last, once the terminal is the user's again, as a pass may take a while to notice; one
 * that hangs is not waited for. Standard input may be the text ("-"): then keys come from the
 * controlling terminal. */
enum status interactive_run(struct program *program, int *signal, struct error *error)
{
    static struct loop loop; /* too large for a stack; a worker that hangs may still read it */
    loop = (struct loop){
        .program = program, .options = &program->options, .session = &program->session};
    *signal = 0;
    loop.input = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "r");
    if (!loop.input)
        return error_set(error, STATUS_IO,
                         "no keyboard: standard input is no terminal, and /dev/tty: %s",
                         strerror(errno));
    restore_arm(fileno(loop.input));
    curses_prepare_size(stdout); /* the loader's thread reads the environment */
    enum status status = load_quickly(&loop, error);
    if (status == STATUS_OK && restore_signal() == 0)
        status = open_screen(&loop, error);
    if (loop.curses) {
        restore_hold_stderr();
        if (status == STATUS_OK)
            status = camera_open(&loop.camera, loop.options->record,
                                 curses_kind(loop.curses)->depth, error);
        if (status == STATUS_OK)
            status = run_loop(&loop, error);
        restore_begin_output();
        curses_close(loop.curses);
        restore_end_output();
    }
    ask_end(&loop.terminal);
    if (loop.asked > 0 && restore_signal() == 0)
        ask_drain(&loop.terminal, answers_due(&loop));
    *signal = restore_signal();
    restore_disarm();
    if (loop.curses)
        restore_release_stderr();
    program->abandoned = loop.worker && !worker_end(loop.worker, FAREWELL);
    if (!program->abandoned) {
        work_forget(&loop);
        request_drop(&loop.request);
    }
    canvas_free(loop.canvas);
    struct error late;
    if (camera_close(&loop.camera, loop.options->record, &late) != STATUS_OK &&
        status == STATUS_OK) {
        *error = late;
        status = late.status;
    }
    if (loop.input != stdin)
        fclose(loop.input);
    return status;
}
