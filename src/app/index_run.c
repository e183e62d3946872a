/* index_run.c: --index: goes through the texts once to count them, and once more for their vectors.
 */
#include "headlight/app/index_run.h"

#include "headlight/app/survey_run.h"
#include "headlight/app/texts_run.h"
#include "headlight/survey/index.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    struct program *program;
    struct survey *survey;
    struct index_writer *index;
    void (*say)(const char *message);
};

/* "3,7,5.1" */
static enum status read_layers(const char *list, struct index_space *spaces, size_t *count,
                               struct error *error)
{
    const char *at = list;
    for (*count = 0; *count < INDEX_SPACES_MAX; at++) {
        at = index_read_space(at, &spaces[(*count)++]);
        if (at && *at == '\0')
            return STATUS_OK;
        if (!at || *at != ',')
            break;
    }
    return error_set(
        error, STATUS_USAGE,
        "--layers: expected up to %d layers, and heads as layer.head, such as 3,7,5.1, "
        "found \"%s\"",
        INDEX_SPACES_MAX, list);
}

static enum status begin(struct run *run, const struct corpus *corpus, struct error *error)
{
    const struct program *program = run->program;
    struct index_space spaces[INDEX_SPACES_MAX];
    size_t count;
    if (read_layers(program->options.layers, spaces, &count, error) != STATUS_OK ||
        survey_run_begin(program, corpus, &run->survey, error) != STATUS_OK)
        return error->status;
    return index_new(&program->checkpoint, run->survey, spaces, count, &run->index, error);
}

static enum status add_piece(void *context, const struct texts_piece *piece, struct error *error)
{
    const struct run *run = context;
    struct program *program = run->program;
    const struct corpus_text text = texts_piece_text(piece);
    if (texts_run_change(program, piece, error) != STATUS_OK) {
        free(piece->encoding);
        return error->status;
    }
    return texts_run_end_with(
        index_add(run->index, &text, piece->encoding, &program->changes, error), error);
}

static void say_nothing(const char *message)
{
    (void)message;
}

/* What is passed over is said and counted the second time. */
static enum status go_through(struct run *run, bool first, struct error *error)
{
    struct program *program = run->program;
    struct texts_run texts = {.program = program,
                              .say = first ? say_nothing : run->say,
                              .progress = isatty(STDERR_FILENO),
                              .context = run,
                              .act = add_piece};
    enum status status =
        corpus_open(program->options.corpus, &program->options.choice, &texts.corpus, error);
    if (status == STATUS_OK && first)
        status = begin(run, texts.corpus, error);
    if (status == STATUS_OK)
        status = texts_run(&texts, error);
    corpus_close(texts.corpus);
    if (status == STATUS_OK && first) {
        survey_count_refused(run->survey, texts.too_long, texts.refused);
        program->refused = 0;
    }
    return status;
}

enum status index_run(struct program *program, void (*say)(const char *message),
                      struct error *error)
{
    struct run run = {.program = program, .say = say};
    if (strcmp(program->options.corpus, "-") == 0)
        return error_set(error, STATUS_USAGE,
                         "--index reads the texts twice: expected a file, not standard input");
    enum status status = texts_run_check(program, error);
    if (status == STATUS_OK)
        status = go_through(&run, true, error);
    if (status == STATUS_OK)
        status = index_begin(run.index, program->options.index, error);
    if (status == STATUS_OK)
        status = go_through(&run, false, error);
    if (status == STATUS_OK)
        status = index_end(run.index, error);
    index_free(run.index);
    survey_free(run.survey);
    return status;
}
