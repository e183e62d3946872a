/* parts.c: what the parts of headlight cost inside one process, from the text to the picture on a
 * terminal that nobody looks at. */
#include "bench.h"

#include "headlight/model/batch.h"
#include "headlight/model/model.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "headlight/terminal/curses.h"

#include <string.h>
#include <time.h>

static struct error error;

static void need(enum status status)
{
    if (status != STATUS_OK)
        fail("%s", error.message);
}

/* One text of one model; a long one is drawn on a large screen. */
struct parts {
    const struct checkpoint *checkpoint;
    struct subject subject;
    int columns, rows;
    struct session session;
    struct canvas *canvas;
    struct curses *curses;
    FILE *sink;
};

/* ---- Numbers ---- */

#define LONG_TEXT 256

/* A session with a pair of so many tokens, without its trace. */
static void open_session(struct parts *parts, const struct checkpoint *checkpoint)
{
    static const struct interventions none;
    size_t words = parts->subject.tokens - 3;
    char *sentences[] = {sentence_of((words + 1) / 2), sentence_of(words / 2)};
    struct text texts[] = {{sentences[0], strlen(sentences[0])},
                           {sentences[1], strlen(sentences[1])}};
    parts->checkpoint = checkpoint;
    parts->columns = parts->subject.tokens < LONG_TEXT ? 120 : 200;
    parts->rows = parts->subject.tokens < LONG_TEXT ? 40 : 60;
    session_begin(&parts->session, checkpoint, true, &none);
    need(session_open(&parts->session, texts, 2, NULL, &error));
    if (parts->session.data.tokens != parts->subject.tokens)
        fail("a text has %zu tokens, not %zu", parts->session.data.tokens, parts->subject.tokens);
    free(sentences[0]);
    free(sentences[1]);
}

static void measure_tokeniser(struct parts *parts, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    const struct encoded *encoded = parts->session.data.encoded;
    while (sample_more(&sample, effort)) {
        struct encoding *encoding;
        sample_begin(&sample);
        need(tokenizer_encode(parts->checkpoint->tokenizer, encoded->texts, 2, true, &encoding,
                              &error));
        sample_end(&sample);
        free(encoding);
    }
    sample_print(&sample, &parts->subject, "tokenise");
}

/* The forward pass into a full trace, after a pause as between two keys. */
static void measure_pass(struct parts *parts, long milliseconds, const char *what,
                         const struct effort *effort)
{
    const struct timespec pause = {.tv_nsec = milliseconds * 1000000};
    struct sample sample = {.count = 0};
    struct session *session = &parts->session;
    struct encoded *encoded = session->data.encoded;
    while (sample_more(&sample, effort)) {
        encoded->trace->computed = (struct computed){0}; /* else nothing would be left to do */
        nanosleep(&pause, NULL);
        sample_begin(&sample);
        need(forward_run(session->checkpoint->model, &session->state.source.changes, NULL,
                         encoded->trace, &error));
        sample_end(&sample);
    }
    sample_print(&sample, &parts->subject, what);
}

static void take_weights(void *context, size_t text, const struct trace *trace, size_t layer,
                         size_t head)
{
    (void)context, (void)text, (void)trace, (void)layer, (void)head;
}

/* As many such texts as are worth a pass, of which only the weights are taken. */
static void measure_batch(struct parts *parts, const struct effort *effort)
{
    enum { MOST = 512 / TOKENS_MIN };
    struct sample sample = {.count = 0};
    const struct trace *trace = parts->session.data.encoded->trace;
    const size_t count = (batch_rows() + trace->tokens - 1) / trace->tokens;
    struct batch batch = {.model = parts->session.checkpoint->model,
                          .take = {.weights = take_weights}};
    struct batch_text texts[MOST + 1];
    for (size_t i = 0; i < count; i++)
        texts[i] = (struct batch_text){.name = "a text",
                                       .ids = trace->ids,
                                       .segments = trace->segments,
                                       .tokens = trace->tokens};
    while (sample_more(&sample, effort)) {
        sample_begin(&sample);
        need(batch_run(&batch, texts, count, &error));
        sample_end_of(&sample, count);
    }
    batch_free(&batch);
    sample_print(&sample, &parts->subject, "weights of a text among many");
    number_print(&parts->subject, "weights of texts", 1000 / sample.times[sample.count / 2],
                 "texts/s");
}

/* The session then shows the trace. */
static void measure_passes(struct parts *parts, size_t threads, const struct effort *effort)
{
    static const struct effort paused = {9, 9, 0};
    struct session *session = &parts->session;
    pool_set_size(threads);
    parts->subject.threads = threads;
    measure_pass(parts, 0, "pass", effort);
    measure_batch(parts, effort);
    measure_pass(parts, 30, "pass after 30 ms", &paused);
    measure_pass(parts, 300, "pass after 300 ms", &paused);
    parts->subject.threads = 0;
    session->data.encoded->milliseconds = 1; /* it is on screen */
    need(session_take(session, session->data.encoded, true, &error));
}

/* All metrics of all heads, which the model view asks for. */
static void measure_metrics(struct parts *parts, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    const struct data *data = &parts->session.data;
    while (sample_more(&sample, effort)) {
        struct head_metrics *metrics;
        sample_begin(&sample);
        need(metrics_measure_all(data->trace, &data->encoded->kinds, NULL, &metrics, &error));
        sample_end(&sample);
        free(metrics);
    }
    sample_print(&sample, &parts->subject, "metrics of all heads");
}

/* ---- Pictures ---- */

/* Curses asks the environment for the size of what is no terminal. */
static void open_output(struct parts *parts)
{
    struct curses_wish wish = {.color = COLOR_256};
    char columns[16], rows[16];
    snprintf(columns, sizeof columns, "%d", parts->columns);
    snprintf(rows, sizeof rows, "%d", parts->rows);
    setenv("COLUMNS", columns, 1);
    setenv("LINES", rows, 1);
    parts->canvas = canvas_new(parts->columns, parts->rows, (struct traits){GLYPHS_BRAILLE, false});
    parts->sink = fopen("/dev/null", "r+");
    if (!parts->canvas || !parts->sink)
        fail("there is no canvas, or no /dev/null");
    need(curses_open(&parts->curses, "xterm-256color", parts->sink, parts->sink, &wish, &error));
}

static void close_output(struct parts *parts)
{
    curses_close(parts->curses);
    canvas_free(parts->canvas);
    fclose(parts->sink);
    unsetenv("COLUMNS");
    unsetenv("LINES");
}

static void draw(struct parts *parts)
{
    need(screen_draw(&parts->session, parts->canvas, &error));
}

static void blit(struct parts *parts)
{
    curses_draw(parts->curses, parts->canvas, theme_at(parts->session.state.look.theme), false);
}

/* All heads, no token, no filter. */
static void reset(struct session *session, enum view_kind view)
{
    struct look *look = &session->state.look;
    unsigned theme = look->theme;
    *look = look_first(session->data.head_count);
    look->theme = theme;
    session->message[0] = '\0';
    look_go_to_view(look, view);
    derive_show(session, look);
}

/* Prints with the view's name before what was measured. */
static void print_of_view(struct parts *parts, struct sample *sample, enum view_kind view,
                          const char *what)
{
    char text[64];
    snprintf(text, sizeof text, "%s: %s", view_name(view), what);
    sample_print(sample, &parts->subject, text);
}

/* Each picture is of another layer. */
static void measure_view(struct parts *parts, enum view_kind view, const struct effort *effort)
{
    struct sample drawn = {.count = 0}, shown = {.count = 0};
    struct session *session = &parts->session;
    while (sample_more(&drawn, effort)) {
        session->state.look.layer = drawn.count % session->data.layers;
        derive_show(session, &session->state.look);
        sample_begin(&drawn);
        draw(parts);
        sample_end(&drawn);
        sample_begin(&shown);
        blit(parts);
        sample_end(&shown);
    }
    print_of_view(parts, &drawn, view, "draw");
    print_of_view(parts, &shown, view, "put on the terminal");
}

/* A key that is pressed in each view; `back` leads to where it can be pressed again. */
static const struct keystroke {
    enum action action, back;
    const char *name;
} keys[] = {{ACTION_TOKEN_NEXT, ACTION_TOKEN_NEXT, "key: next token"},
            {ACTION_LAYER_NEXT, ACTION_LAYER_NEXT, "key: next layer"},
            {ACTION_HEAD_TOGGLE, ACTION_HEAD_TOGGLE, "key: head on or off"},
            {ACTION_HEAD_ISOLATE, ACTION_HEAD_ISOLATE, "key: head alone"},
            {ACTION_FILTER, ACTION_FILTER, "key: filter"},
            {ACTION_VIEW_NEXT, ACTION_VIEW_PREVIOUS, "key: next view"}};

static void press(struct parts *parts, enum action action)
{
    session_act(&parts->session, action, 0);
    draw(parts);
    blit(parts);
}

static void measure_key(struct parts *parts, enum view_kind view, const struct keystroke *key,
                        const struct effort *effort)
{
    struct sample sample = {.count = 0};
    draw(parts);
    blit(parts);
    while (sample_more(&sample, effort)) {
        sample_begin(&sample);
        press(parts, key->action);
        sample_end(&sample);
        if (key->back != key->action)
            press(parts, key->back);
    }
    print_of_view(parts, &sample, view, key->name);
}

static void measure_views(struct parts *parts, const struct effort *effort)
{
    for (int i = 0; i < VIEW_COUNT; i++) {
        enum view_kind view = (enum view_kind)i;
        reset(&parts->session, view);
        measure_view(parts, view, effort);
        for (size_t key = 0; key < sizeof keys / sizeof *keys; key++) {
            reset(&parts->session, view);
            measure_key(parts, view, &keys[key], effort);
        }
    }
}

/* ---- Typing ---- */

/* From a letter, typed or taken back, to the picture of the new text; as the interactive loop does
 * it, but for its waiting and its thread. */
static void type(struct parts *parts, uint32_t key)
{
    struct session *session = &parts->session;
    struct request request;
    if (!(input_key(session, key) & SESSION_PASS))
        fail("a letter was typed and no other text wanted");
    need(request_pass(session, &request, &error));
    need(request_run(&request, NULL, &error));
    need(request_take(session, &request, 1, &error));
    draw(parts);
    blit(parts);
}

static void measure_typing(struct parts *parts, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    struct session *session = &parts->session;
    reset(session, VIEW_HEAD);
    session->logits = false; /* as in the program: no picture needs them */
    input_key(session, 'e');
    draw(parts);
    blit(parts);
    while (sample_more(&sample, effort)) {
        sample_begin(&sample);
        type(parts, sample.count % 2 == 0 ? 's' : (uint32_t)KEY_CODE_BACKSPACE);
        sample_end(&sample);
    }
    sample_print(&sample, &parts->subject, "key: a letter typed");
}

/* A letter that is typed may make tokens more. */
#define TYPING_ROOM 4

void parts_measure(const struct checkpoint *checkpoint, const struct subject *subject,
                   const size_t *threads, size_t thread_count, const struct efforts *efforts)
{
    struct parts parts = {.subject = *subject};
    open_session(&parts, checkpoint);
    measure_tokeniser(&parts, &efforts->part);
    for (size_t i = 0; i < thread_count; i++)
        measure_passes(&parts, threads[i], &efforts->pass);
    measure_metrics(&parts, &efforts->part);
    open_output(&parts);
    measure_views(&parts, &efforts->view);
    if (subject->tokens + TYPING_ROOM <= checkpoint->model->config.positions)
        measure_typing(&parts, &efforts->part);
    close_output(&parts);
    session_end(&parts.session);
}
