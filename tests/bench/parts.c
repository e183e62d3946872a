#include "parts.h"

#include "fail.h"
#include "text.h"

#include "headlight/session/act.h"
#include "headlight/session/input.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/terminal/curses.h"

#include <string.h>

const char *const parts_key_names[PARTS_KEY_COUNT] = {
#define KEY(key, action, back, name) [key] = name,
    PARTS_KEYS(KEY)
#undef KEY
};

static struct error error;

static void need(enum status status)
{
    if (status != STATUS_OK)
        fail("%s", error.message);
}

/* ---- Numbers ------------------------------------------------------------------------------- */

/* A screen for texts that fill one, and a large one. */
#define LONG_TEXT 256

void parts_begin(struct parts *parts, const struct checkpoint *checkpoint, size_t tokens)
{
    static const struct interventions none;
    struct text_pair pair = text_make(checkpoint->tokenizer, tokens);
    struct text texts[] = {text_of(&pair, 0), text_of(&pair, 1)};
    *parts = (struct parts){.checkpoint = checkpoint, .tokens = tokens};
    parts->columns = tokens < LONG_TEXT ? 120 : 200;
    parts->rows = tokens < LONG_TEXT ? 40 : 60;
    session_begin(&parts->session, checkpoint, true, &none);
    need(session_open(&parts->session, texts, 2, &error));
    if (parts->session.data.tokens != tokens)
        fail("a text has %zu tokens, not %zu", parts->session.data.tokens, tokens);
    text_free(&pair);
}

void parts_end(struct parts *parts)
{
    session_end(&parts->session);
}

struct timing parts_tokenise(struct parts *parts, const struct effort *effort)
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
    return sample_timing(&sample);
}

struct timing parts_forward(struct parts *parts, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    struct session *session = &parts->session;
    while (sample_more(&sample, effort)) {
        sample_begin(&sample);
        engine_forward(session, session->data.encoded);
        sample_end(&sample);
    }
    struct timing timing = sample_timing(&sample);
    session->data.encoded->milliseconds = timing.median; /* it is on screen */
    need(session_take(session, session->data.encoded, true, &error));
    return timing;
}

struct timing parts_lens(struct parts *parts, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    const struct data *data = &parts->session.data;
    while (sample_more(&sample, effort)) {
        struct head_metrics *metrics;
        sample_begin(&sample);
        need(metrics_measure_all(data->trace, &data->kinds, NULL, &metrics, &error));
        sample_end(&sample);
        free(metrics);
    }
    return sample_timing(&sample);
}

/* ---- Pictures ------------------------------------------------------------------------------ */

/* A canvas, and a terminal of its size that nobody looks at. */
struct output {
    struct canvas *canvas;
    struct curses *curses;
    FILE *sink;
};

/* Curses asks the environment for the size of what is no terminal. */
static void open_output(struct output *output, const struct parts *parts)
{
    struct curses_wish wish = {.color_chosen = true, .color = DEPTH_256};
    char columns[16], rows[16];
    snprintf(columns, sizeof columns, "%d", parts->columns);
    snprintf(rows, sizeof rows, "%d", parts->rows);
    setenv("COLUMNS", columns, 1);
    setenv("LINES", rows, 1);
    output->canvas =
        canvas_new(parts->columns, parts->rows, (struct traits){GLYPHS_BRAILLE, false});
    output->sink = fopen("/dev/null", "r+");
    if (!output->canvas || !output->sink)
        fail("there is no canvas, or no /dev/null");
    need(curses_open(&output->curses, "xterm-256color", output->sink, output->sink, &wish, &error));
    int width, height;
    curses_size(output->curses, &width, &height);
    if (width != parts->columns || height != parts->rows)
        fail("the terminal is of %d×%d cells, not %d×%d", width, height, parts->columns,
             parts->rows);
}

static void close_output(struct output *output)
{
    curses_close(output->curses);
    canvas_free(output->canvas);
    fclose(output->sink);
    unsetenv("COLUMNS");
    unsetenv("LINES");
}

static void draw(struct session *session, const struct output *output)
{
    need(screen_draw(session, output->canvas, &error));
}

static void blit(const struct session *session, const struct output *output)
{
    curses_draw(output->curses, output->canvas, theme_at(session->state.look.theme), false);
}

/* All heads, no token, no filter. */
static void reset(struct session *session, enum view_kind view)
{
    struct look *look = &session->state.look;
    size_t theme = look->theme;
    *look = look_first(session->data.head_count);
    look->theme = theme;
    session->message[0] = '\0';
    session_set_view(session, view);
}

/* Each picture is of another layer. */
static void measure_view(struct parts *parts, const struct output *output,
                         const struct effort *effort, struct view_timings *timings)
{
    struct sample drawn = {.count = 0}, shown = {.count = 0};
    struct session *session = &parts->session;
    while (sample_more(&drawn, effort)) {
        session->state.look.layer = drawn.count % session->data.layers;
        session_show(session, &session->state.look);
        sample_begin(&drawn);
        draw(session, output);
        sample_end(&drawn);
        sample_begin(&shown);
        blit(session, output);
        sample_end(&shown);
    }
    timings->draw = sample_timing(&drawn);
    timings->blit = sample_timing(&shown);
}

struct key_pair {
    enum action action, back; /* `back` leads to where the key can be pressed again */
};

static struct timing measure_key(struct parts *parts, const struct output *output,
                                 struct key_pair key, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    struct session *session = &parts->session;
    draw(session, output);
    blit(session, output);
    while (sample_more(&sample, effort)) {
        sample_begin(&sample);
        session_act(session, key.action, 0);
        draw(session, output);
        blit(session, output);
        sample_end(&sample);
        if (key.back == key.action)
            continue;
        session_act(session, key.back, 0);
        draw(session, output);
        blit(session, output);
    }
    return sample_timing(&sample);
}

void parts_draw(struct parts *parts, const struct effort *effort,
                struct view_timings views[VIEW_COUNT])
{
    static const struct key_pair pairs[PARTS_KEY_COUNT] = {
#define KEY(key, action, back, name) [key] = {action, back},
        PARTS_KEYS(KEY)
#undef KEY
    };
    struct output output;
    open_output(&output, parts);
    for (int view = 0; view < VIEW_COUNT; view++) {
        reset(&parts->session, (enum view_kind)view);
        measure_view(parts, &output, effort, &views[view]);
        for (int key = 0; key < PARTS_KEY_COUNT; key++) {
            reset(&parts->session, (enum view_kind)view);
            views[view].keys[key] = measure_key(parts, &output, pairs[key], effort);
        }
    }
    reset(&parts->session, VIEW_HEAD);
    close_output(&output);
}

/* ---- Typing -------------------------------------------------------------------------------- */

/* As the interactive loop does it, but for its waiting and its thread. */
static void show_wanted(struct session *session, const struct output *output)
{
    struct request request;
    need(request_pass(session, &request, &error));
    need(request_run(&request, NULL, &error));
    need(request_take(session, &request, 1, &error));
    draw(session, output);
    blit(session, output);
}

struct timing parts_type(struct parts *parts, const struct effort *effort)
{
    struct sample sample = {.count = 0};
    struct session *session = &parts->session;
    struct output output;
    open_output(&output, parts);
    reset(session, VIEW_HEAD);
    session->logits = false; /* as in the program: no picture tells of them */
    input_key(session, 'e');
    draw(session, &output);
    blit(session, &output);
    while (sample_more(&sample, effort)) {
        uint32_t key = sample.count % 2 == 0 ? 's' : (uint32_t)KEY_CODE_BACKSPACE;
        sample_begin(&sample);
        if (!(input_key(session, key) & SESSION_PASS))
            fail("a letter was typed and no other text wanted");
        show_wanted(session, &output);
        sample_end(&sample);
    }
    input_key(session, KEY_CODE_ESCAPE);
    session->logits = true;
    close_output(&output);
    return sample_timing(&sample);
}
