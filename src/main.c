/* headlight: options → session → interactive, or snapshots and exports. */
#include "headlight/app/about.h"
#include "headlight/app/act.h"
#include "headlight/app/export.h"
#include "headlight/app/interactive.h"
#include "headlight/app/options.h"
#include "headlight/app/restore.h"
#include "headlight/app/screen.h"
#include "headlight/base/file.h"
#include "headlight/base/size.h"
#include "headlight/model/kernels.h"
#include "headlight/model/precise.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXAMPLE_A "time flies like an arrow"
#define EXAMPLE_B "fruit flies like a banana"

/* A text from standard input is read up to this size; the model's positions end long before. */
#define INPUT_LIMIT ((size_t)16 << 20)

/* Multiply-adds up to which a snapshot is computed in double precision: some seconds. */
#define SNAPSHOT_COST ((size_t)1 << 32)

/* Said once, from the user's locale: what is written to standard error must suit it. */
static bool user_reads_utf8;

/* What a run holds. */
struct run {
    struct options options;
    struct checkpoint checkpoint;
    struct session session;
    char *input; /* standard input, when a text comes from there */
};

/* ---- Text ---- */

static enum status read_input(char **input, size_t *length, struct error *error)
{
    size_t capacity = 4096;
    *length = 0;
    *input = malloc(capacity);
    while (*input && *length < INPUT_LIMIT) {
        size_t got = fread(*input + *length, 1, capacity - *length, stdin);
        *length += got;
        if (got == 0)
            break;
        if (*length == capacity) {
            char *larger = realloc(*input, capacity *= 2);
            if (!larger)
                return error_memory(error, "the text", capacity);
            *input = larger;
        }
    }
    if (!*input)
        return error_memory(error, "the text", capacity);
    if (ferror(stdin))
        return error_set(error, STATUS_IO, "standard input: cannot be read");
    if (*length >= INPUT_LIMIT)
        return error_set(error, STATUS_LIMIT, "standard input: expected a sentence, found %zu MB",
                         *length >> 20);
    return STATUS_OK;
}

/* The next line of the input, without its end. */
static struct text take_line(const char **at, const char *end)
{
    const char *start = *at, *newline = memchr(start, '\n', (size_t)(end - start));
    const char *stop = newline ? newline : end;
    *at = newline ? newline + 1 : end;
    if (stop > start && stop[-1] == '\r')
        stop--;
    return (struct text){start, (size_t)(stop - start)};
}

/* "-" stands for lines of standard input: alone for the first and, if there is one, the second. */
static enum status collect_texts(struct run *run, struct text texts[2], size_t *count,
                                 struct error *error)
{
    const struct options *options = &run->options;
    const char *at = NULL, *end = NULL;
    size_t length = 0;
    bool from_input = false;
    for (size_t i = 0; i < options->text_count; i++)
        from_input |= strcmp(options->texts[i], "-") == 0;
    if (from_input) {
        if (read_input(&run->input, &length, error) != STATUS_OK)
            return error->status;
        at = run->input;
        end = at + length;
    }
    for (*count = 0; *count < options->text_count; ++*count) {
        const char *text = options->texts[*count];
        texts[*count] =
            strcmp(text, "-") == 0 ? take_line(&at, end) : (struct text){text, strlen(text)};
    }
    if (*count == 0) {
        texts[0] = (struct text){EXAMPLE_A, strlen(EXAMPLE_A)};
        texts[1] = (struct text){EXAMPLE_B, strlen(EXAMPLE_B)};
        *count = 2;
    } else if (*count == 1 && from_input && at < end && *at != '\n') {
        texts[(*count)++] = take_line(&at, end);
    }
    while (at < end && strchr(" \t\r\n", *at))
        at++;
    if (at < end)
        return error_set(error, STATUS_USAGE,
                         "standard input: expected one line, and a second for a pair, found more");
    return STATUS_OK;
}

/* ---- State ---- */

static enum status collect_changes(const struct run *run, struct interventions *changes,
                                   struct error *error)
{
    const struct config *config = model_config(run->checkpoint.model);
    *changes =
        (struct interventions){.unscaled = run->options.unscaled, .causal = run->options.causal};
    if (!run->options.off)
        return STATUS_OK;
    return interventions_switch_off(changes, run->options.off, config->layers, config->heads,
                                    error);
}

static enum status choose_token(const struct session *session, const char *option, const char *name,
                                enum side side, size_t *token, struct error *error)
{
    struct token_range shown = scene_range(&session->scene, side);
    if (!name)
        return STATUS_OK;
    *token = session_find_token(session, name, side);
    if (*token == NO_TOKEN)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected a token of the text, or a number from 0 to %zu, found "
                         "\"%s\"",
                         option, session->scene.tokens - 1, name);
    if (*token < shown.first || *token >= shown.end)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected a token that --filter %s leaves on that side, found "
                         "\"%s\"",
                         option, scene_filter_name(session->scene.filter), name);
    return STATUS_OK;
}

static enum status choose_heads(const struct options *options, struct scene *scene,
                                struct error *error)
{
    if (options->heads) {
        if (options_parse_heads(options->heads, scene->head_count, &scene->heads, error) !=
            STATUS_OK)
            return error->status;
        scene->head = (size_t)__builtin_ctzll(scene->heads);
    }
    if (options->head == NO_TOKEN)
        return STATUS_OK;
    if (options->head >= scene->head_count)
        return error_set(error, STATUS_USAGE, "--head: expected 0 to %zu, found %zu",
                         scene->head_count - 1, options->head);
    scene->head = options->head;
    if (!options->heads && options->view == VIEW_HEAD)
        scene->heads = UINT64_C(1) << options->head;
    return STATUS_OK;
}

static enum status choose_filter(const struct options *options, struct scene *scene,
                                 struct error *error)
{
    scene->filter = options->filter;
    if (scene_filter_fits(scene, options->filter))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "--filter %s: expected two sentences, found %s",
                     scene_filter_name(options->filter),
                     scene_is_pair(scene) ? "an empty one" : "one");
}

static enum status apply_options(struct run *run, struct error *error)
{
    const struct options *options = &run->options;
    struct session *session = &run->session;
    struct scene *scene = &session->scene;
    if (options->layer >= scene->layers)
        return error_set(error, STATUS_USAGE, "--layer: expected 0 to %zu, found %zu",
                         scene->layers - 1, options->layer);
    scene->layer = options->layer;
    session->precision = options->precision;
    if (options->theme)
        session->theme = options->theme;
    if (choose_filter(options, scene, error) != STATUS_OK ||
        choose_heads(options, scene, error) != STATUS_OK ||
        choose_token(session, "select", options->select, SIDE_LEFT, &scene->from, error) !=
            STATUS_OK ||
        choose_token(session, "attended", options->attended, SIDE_RIGHT, &scene->to, error) !=
            STATUS_OK)
        return error->status;
    scene->side = scene->to != NO_TOKEN ? SIDE_RIGHT : SIDE_LEFT;
    session_set_view(session, options->view);
    return STATUS_OK;
}

static enum status begin(struct run *run, struct error *error)
{
    struct text texts[2];
    struct interventions changes;
    size_t count = 0;
    if (run->options.threads > 0 && !kernels_set_threads(run->options.threads))
        return error_set(error, STATUS_UNSUPPORTED,
                         "--threads: this BLAS (%s) has no call to set its threads: use its own "
                         "environment variable",
                         kernels_blas());
    if (checkpoint_open(&run->checkpoint, run->options.model, NULL, error) != STATUS_OK ||
        collect_texts(run, texts, &count, error) != STATUS_OK ||
        collect_changes(run, &changes, error) != STATUS_OK)
        return error->status;
    session_begin(&run->session, &run->checkpoint, run->options.special, &changes);
    if (session_open(&run->session, texts, count, error) != STATUS_OK)
        return error->status;
    return apply_options(run, error);
}

/* ---- Output ---- */

/* Screens that go to files don't depend on the machine's speed, and take a UTF-8 locale whatever
 * the user's is. */
static struct canvas *draw_to_canvas(struct run *run, int columns, int rows, bool mono,
                                     struct error *error)
{
    struct traits traits = {run->options.ascii ? GLYPHS_ASCII : GLYPHS_BRAILLE, mono};
    if (!user_reads_utf8)
        setlocale(LC_CTYPE, "C.UTF-8");
    struct canvas *canvas = canvas_new(columns, rows, traits);
    run->session.scene.milliseconds = 0;
    if (!canvas) {
        error_set(error, STATUS_MEMORY, "no room for a screen of %d×%d cells", columns, rows);
    } else if (screen_draw(&run->session, canvas, error) != STATUS_OK) {
        canvas_free(canvas);
        return NULL;
    }
    return canvas;
}

static enum status write_snapshot(struct run *run, struct error *error)
{
    const struct options *options = &run->options;
    enum snapshot_format format = SNAPSHOT_TXT;
    enum depth depth = options->color_chosen ? options->color : DEPTH_DIRECT;
    snapshot_format_of(options->snapshot, &format);
    bool mono = format == SNAPSHOT_TXT || depth == DEPTH_MONO;
    struct canvas *canvas = draw_to_canvas(run, options->columns ? options->columns : 120,
                                           options->rows ? options->rows : 40, mono, error);
    if (!canvas)
        return error->status;
    struct about about;
    about_session(&run->session, &about);
    enum status status =
        snapshot_save(canvas, run->session.theme, depth, &about.snapshot, options->snapshot, error);
    canvas_free(canvas);
    return status;
}

/* The head view for a pipe: as tall as its tokens. */
static enum status write_plain_text(struct run *run, struct error *error)
{
    size_t tokens = run->session.scene.tokens;
    if (tokens + 5 > CANVAS_MAX)
        return error_set(error, STATUS_LIMIT,
                         "%zu tokens are more than a screen of %d rows can show: use --json, or "
                         "--snapshot with --select",
                         tokens, CANVAS_MAX);
    int rows = (int)tokens + 5;
    run->session.still = true;
    struct canvas *canvas = draw_to_canvas(run, 100, rows > 23 ? rows : 23, true, error);
    if (!canvas)
        return error->status;
    snapshot_write_txt(canvas, stdout);
    canvas_free(canvas);
    return STATUS_OK;
}

/* The last bits of single precision differ from one BLAS kernel to the next, and could turn a
 * rounded digit. A snapshot is to be the same bytes on every processor, so it is computed in double
 * precision, but for passes that would take many seconds. */
static void choose_snapshot_precision(struct run *run)
{
    const struct config *config = model_config(run->checkpoint.model);
    size_t cost = precise_cost(config, run->session.scene.tokens);
    if (run->session.precision == PRECISION_AUTO && cost <= SNAPSHOT_COST)
        run->session.precision = PRECISION_DOUBLE;
}

/* A file that is half written when the user loses patience must not stay. */
static void interrupted(int number)
{
    writer_interrupted();
    restore_raise(number);
}

/* What the parent ignores (nohup, a shell's background job) stays ignored. */
static void handle_interrupt(int number)
{
    if (signal(number, interrupted) == SIG_IGN)
        signal(number, SIG_IGN);
}

static enum status write_files(struct run *run, struct error *error)
{
    const struct options *options = &run->options;
    handle_interrupt(SIGINT);
    handle_interrupt(SIGTERM);
    handle_interrupt(SIGHUP);
    if (options->snapshot)
        choose_snapshot_precision(run);
    if (session_compute(&run->session, NULL, error) != STATUS_OK)
        return error->status;
    if (options->trace && export_trace(&run->session, options->trace, error) != STATUS_OK)
        return error->status;
    if (options->json &&
        export_json(&run->session, options->include, options->json, error) != STATUS_OK)
        return error->status;
    if (options->snapshot)
        return write_snapshot(run, error);
    return options->trace || options->json ? STATUS_OK : write_plain_text(run, error);
}

static enum status show(struct run *run, int *signal, struct error *error)
{
    const struct options *options = &run->options;
    bool exports = options->trace || options->json || options->snapshot;
    if (options->trace && strcmp(options->trace, "-") == 0 && isatty(STDOUT_FILENO))
        return error_set(error, STATUS_USAGE,
                         "--trace -: a trace is binary, and standard output is a terminal");
    if (begin(run, error) != STATUS_OK)
        return error->status;
    if (exports || !isatty(STDOUT_FILENO))
        return write_files(run, error);
    struct curses_wish wish = {options->color_chosen, options->color, options->ascii,
                               options->no_mouse};
    return interactive_run(&run->session, &wish, signal, error);
}

static enum status perform(struct run *run, int *signal, struct error *error)
{
    switch (run->options.command) {
    case COMMAND_HELP:
        options_write_help(stdout);
        return STATUS_OK;
    case COMMAND_KEYS:
        options_write_keys(stdout);
        return STATUS_OK;
    case COMMAND_VERSION:
        printf("headlight %s\n", HEADLIGHT_VERSION);
        return STATUS_OK;
    case COMMAND_SHOW:
        break;
    }
    return show(run, signal, error);
}

/* A message may quote a file's or the user's bytes: they reach the terminal made safe. */
static int report(const struct error *error)
{
    char safe[2048];
    text_safe(error->message, !user_reads_utf8, safe, sizeof safe);
    fprintf(stderr, "headlight: %s\n", safe);
    if (error->status == STATUS_USAGE)
        fputs("headlight --help lists the options.\n", stderr);
    return error->status == STATUS_USAGE ? 2 : 1;
}

int main(int argc, char **argv)
{
    struct run run = {0};
    struct error error;
    int signal_number = 0, code = EXIT_SUCCESS;
    setlocale(LC_CTYPE, "");
    user_reads_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write */
    if (options_parse(&run.options, argc, argv, &error) != STATUS_OK ||
        perform(&run, &signal_number, &error) != STATUS_OK)
        code = report(&error);
    errno = 0;
    if (code == EXIT_SUCCESS && (fflush(stdout) != 0 || ferror(stdout))) {
        error_set(&error, STATUS_IO, "standard output: cannot be written: %s",
                  errno ? strerror(errno) : "write error");
        code = report(&error);
    }
    session_end(&run.session);
    checkpoint_close(&run.checkpoint);
    free(run.input);
    if (signal_number != 0)
        restore_raise(signal_number);
    return code;
}
