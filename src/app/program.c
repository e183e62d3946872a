#include "headlight/app/program.h"

#include "headlight/base/file.h"
#include "headlight/model/kernels.h"

#include <stdlib.h>
#include <string.h>

#define EXAMPLE_A "time flies like an arrow"
#define EXAMPLE_B "fruit flies like a banana"

/* A text from standard input is read up to this size; the model's positions end long before. */
#define INPUT_LIMIT ((size_t)16 << 20)

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
static enum status collect_texts(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    struct text *texts = program->texts;
    size_t *count = &program->text_count;
    const char *at = NULL, *end = NULL;
    size_t length = 0;
    bool from_input = false;
    for (size_t i = 0; i < options->text_count; i++)
        from_input |= strcmp(options->texts[i], "-") == 0;
    if (from_input) {
        if (read_input(&program->input, &length, error) != STATUS_OK)
            return error->status;
        at = program->input;
        end = at + length;
    }
    for (*count = 0; *count < options->text_count; ++*count) {
        const char *text = options->texts[*count];
        texts[*count] =
            strcmp(text, "-") == 0 ? take_line(&at, end) : (struct text){text, strlen(text)};
    }
    if (*count == 1 && from_input && at < end && *at != '\n')
        texts[(*count)++] = take_line(&at, end);
    while (at < end && strchr(" \t\r\n", *at))
        at++;
    if (at < end)
        return error_set(error, STATUS_USAGE,
                         "standard input: expected one line, and a second for a pair, found more");
    return STATUS_OK;
}

/* ---- What to open ---- */

static struct text text_of(const char *string)
{
    return (struct text){string, strlen(string)};
}

/* What the command line doesn't say is as it was saved; a text or a model of its own takes the
 * place of the saved one. */
static void take_state(struct program *program)
{
    struct options *options = &program->options;
    const struct state *state = &program->state;
    bool open = !options->model && !options->open && options->text_count == 0;
    if (!options->model && !options->open)
        options->model = state->model;
    if (open && state->recording)
        options->open = state->recording;
    options->special &= state->special;
    options->unscaled |= state->unscaled;
    options->causal |= state->causal;
    if (!options->off)
        options->off = state->off;
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (!options->values[i])
            options->values[i] = state->values[i];
}

static void choose_texts(struct program *program)
{
    const struct state *state = &program->state;
    if (program->text_count > 0 || program->options.open)
        return;
    for (size_t i = 0; i < state->text_count; i++)
        program->texts[program->text_count++] = text_of(state->texts[i]);
    if (program->text_count > 0)
        return;
    program->texts[0] = text_of(EXAMPLE_A);
    program->texts[1] = text_of(EXAMPLE_B);
    program->text_count = 2;
}

enum status program_prepare(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    program->state.special = true;
    if (options->state && file_exists(options->state) &&
        state_read(options->state, &program->state, error) != STATUS_OK)
        return error->status;
    take_state(program);
    if (collect_texts(program, error) != STATUS_OK)
        return error->status;
    choose_texts(program);
    if (options->threads > 0 && !kernels_set_threads(options->threads))
        return error_set(error, STATUS_UNSUPPORTED,
                         "--threads: this BLAS (%s) has no call to set its threads: use its own "
                         "environment variable",
                         kernels_blas());
    return STATUS_OK;
}

enum status program_load(struct program *program, const struct watch *watch, struct error *error)
{
    const struct options *options = &program->options;
    if (options->open)
        return recording_open(options->open, &program->recording, error);
    return checkpoint_open(&program->checkpoint, options->model, watch, error);
}

/* ---- The session ---- */

static enum status collect_changes(const struct program *program, struct interventions *changes,
                                   struct error *error)
{
    const struct config *config = model_config(program->checkpoint.model);
    const struct options *options = &program->options;
    *changes = (struct interventions){.unscaled = options->unscaled, .causal = options->causal};
    if (!options->off)
        return STATUS_OK;
    return interventions_switch_off(changes, options->off, config->layers, config->heads, error);
}

static enum status begin_model(struct program *program, struct error *error)
{
    struct session *session = &program->session;
    struct interventions changes;
    if (collect_changes(program, &changes, error) != STATUS_OK)
        return error->status;
    session_begin(session, &program->checkpoint, program->options.special, &changes);
    session->precision = program->options.precision;
    return session_open(session, program->texts, program->text_count, error);
}

enum status program_begin(struct program *program, struct error *error)
{
    struct session *session = &program->session;
    const struct options *options = &program->options;
    enum status status = program->recording
                             ? session_begin_recording(session, program->recording, error)
                             : begin_model(program, error);
    if (status != STATUS_OK)
        return status;
    session->origin = program->recording ? options->open : options->model;
    session->state_path = options->state;
    return settings_apply(session, options->values, error);
}

void program_end(struct program *program)
{
    session_end(&program->session);
    checkpoint_close(&program->checkpoint);
    recording_close(program->recording);
    state_free(&program->state);
    free(program->input);
}
