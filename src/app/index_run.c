/* index_run.c: --index: goes through the texts for their vectors. */
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
    return index_new(&program->checkpoint, run->survey, program->options.index, spaces, count,
                     &run->index, error);
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

enum status index_run(struct program *program, void (*say)(const char *message),
                      struct error *error)
{
    struct run run = {.program = program};
    struct texts_run texts = {.program = program,
                              .say = say,
                              .progress = isatty(STDERR_FILENO),
                              .context = &run,
                              .act = add_piece};
    enum status status = texts_run_check(program, error);
    if (status == STATUS_OK)
        status =
            corpus_open(program->options.corpus, &program->options.choice, &texts.corpus, error);
    if (status == STATUS_OK)
        status = begin(&run, texts.corpus, error);
    if (status == STATUS_OK)
        status = texts_run(&texts, error);
    if (status == STATUS_OK) {
        survey_count_refused(run.survey, texts.too_long, texts.refused);
        status = index_end(run.index, error);
    }
    corpus_close(texts.corpus);
    index_free(run.index);
    survey_free(run.survey);
    return status;
}
