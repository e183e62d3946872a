/* filter.c: one text in, one line of JSON out, or all texts in and one page out. Each text goes the
 * way of one that is given on the command line: a session is begun on it, computed, exported and
 * ended. */

#include "headlight/app/texts_run.h"
#include "headlight/export/page.h"
#include "headlight/session/request.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct line_filter {
    struct program *program;
    FILE *stream;
    struct page *page;  /* NULL: each text is a line of JSON, */
    size_t layer, head; /* or, where options say of which head, of links */
};

/* A line of JSON, with members of its own in front of the model's name. A text's own answer is a
 * word as it would stand there, --ask a piece as the vocabulary has it. */
static enum status write_json(const struct line_filter *filter, const struct texts_piece *piece,
                              struct error *error)
{
    const struct options *options = &filter->program->options;
    const struct checkpoint *checkpoint = &filter->program->checkpoint;
    const struct text carried = piece->text->carried, own = piece->text->answer;
    const int32_t id =
        !options->out.answer && own.length > 0 && target_is_word(target_output(checkpoint->model))
            ? target_piece(checkpoint->tokenizer, own.bytes)
            : -1;
    struct buffer buffer;
    if (buffer_open(&buffer)) {
        struct json_writer json = {.stream = buffer.stream};
        json_put(&json, JSON("id", piece->text->id), JSON("line", piece->text->line));
        if (carried.length > 0) {
            json_open(&json, "carried", "{");
            json_put_raw(&json, carried.bytes);
            json_close(&json, "}");
        }
        if (piece->windows > 1)
            json_object(&json, "window", JSON("number", piece->window), JSON("of", piece->windows),
                        JSON("start", piece->start));
        else if (piece->encoding->count < piece->whole)
            json_put(&json, JSON("truncated", piece->whole));
    }
    char *members = buffer_close(&buffer);
    struct output output = program_output(filter->program);
    output.members = members;
    if (!options->out.answer && own.length > 0)
        output.answer = id >= 0 ? tokenizer_piece(checkpoint->tokenizer, id) : own.bytes;
    const enum status status = members ? export_json(&output, filter->stream, error)
                                       : error_memory(error, "a line of JSON", carried.length);
    free(members);
    return status;
}

/* Who reads gets each line at once, and a full disk is noticed. */
static enum status write_line(const struct line_filter *filter, const struct texts_piece *piece,
                              struct error *error)
{
    const struct options *options = &filter->program->options;
    const enum status status = options->links
                                   ? export_links(&filter->program->session, filter->layer,
                                                  filter->head, filter->stream, error)
                                   : write_json(filter, piece, error);
    errno = 0;
    if (status != STATUS_OK || (fflush(filter->stream) == 0 && !ferror(filter->stream)))
        return status;
    return error_set(error, writer_is_unread() ? STATUS_UNREAD : STATUS_IO,
                     "%s: cannot be written: %s",
                     options->output ? options->output : "standard output",
                     errno ? strerror(errno) : "write error");
}

static enum status write_piece(void *context, const struct texts_piece *piece, struct error *error)
{
    const struct line_filter *filter = context;
    struct program *program = filter->program;
    const bool cut = piece->windows == 1 && encoded_cuts(&program->checkpoint.model->config);
    memcpy(program->texts, cut ? piece->text->texts : piece->texts, sizeof program->texts);
    program->text_count = piece->text->text_count;
    program->spaced = piece->text->words || program->options.links;
    program->encoding = cut ? NULL : piece->encoding; /* it says itself that it was cut */
    size_t side = 0;
    while (side < program->text_count &&
           !texts_is_blank(program->texts[side].bytes, program->texts[side].length))
        side++;
    enum status status =
        program->options.links && side < 2
            ? error_set(error, STATUS_FORMAT,
                        "expected a source and target (\"a\", \"b\" in .jsonl), found no %s",
                        side == 0 ? "source" : "target")
            : program_begin(program, error);
    if (status == STATUS_OK)
        status = program_compute(program, error);
    if (status == STATUS_OK && filter->page) {
        /* opened with the first text: only a session knows its layers and heads */
        const struct output output = program_output(program);
        if (filter->page->texts == 0)
            status = page_open(filter->page, &output, false, error);
        if (status == STATUS_OK)
            status = request_rest(output.session, error);
        if (status == STATUS_OK)
            status = page_add(filter->page, &output, NULL, error);
        status = texts_run_end_with(status, error);
    } else if (status == STATUS_OK)
        status = write_line(filter, piece, error);
    session_end(&program->session);
    program->encoding = NULL;
    free(piece->encoding);
    return status;
}

/* A line of links is empty, so that lines stay those of the file. */
static void write_refusal(void *context, const struct corpus_text *text, const struct error *error)
{
    const struct line_filter *filter = context;
    struct json_writer json = {.stream = filter->stream};
    if (!filter->program->options.links)
        json_object(&json, NULL, JSON("id", text->id), JSON("line", text->line),
                    JSON("error", error->message));
    fputc('\n', json.stream);
}

static enum status find_head(struct line_filter *filter, struct error *error)
{
    const struct checkpoint *checkpoint = &filter->program->checkpoint;
    const struct config *config = &checkpoint_stack(checkpoint, SITE_CROSS)->model->config;
    const char *name = filter->program->options.links;
    char behind;
    if (name && !checkpoint->decoder)
        return error_usage(
            error, "--links %s: expected a model with cross-attention, such as --model dates",
            name);
    return !name || (sscanf(name, "x%zu.%zu%c", &filter->layer, &filter->head, &behind) == 2 &&
                     filter->layer < config->layers && filter->head < config->heads)
               ? STATUS_OK
               : error_usage(error,
                             "--links: expected a head of cross-attention, from x0.0 to x%zu.%zu, "
                             "found \"%s\"",
                             config->layers - 1, config->heads - 1, name);
}

enum status filter_run(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    const char *paged = options->files[FORMAT_PAGE];
    struct page page = {.texts = 0};
    struct line_filter filter = {.program = program, .page = paged ? &page : NULL};
    struct writer writer;
    if (find_head(&filter, error) != STATUS_OK || texts_run_check(program, error) != STATUS_OK ||
        writer_open_output(&writer, paged ? paged : options->files[FORMAT_JSON], error) !=
            STATUS_OK)
        return error->status;
    filter.stream = writer.stream;
    struct texts_run run = {.program = program,
                            .progress = isatty(STDERR_FILENO) && !isatty(fileno(writer.stream)),
                            .context = &filter,
                            .act = write_piece,
                            .refuse = paged ? NULL : write_refusal};
    enum status status = corpus_open(options->corpus, &options->choice, &run.corpus, error);
    if (status == STATUS_OK)
        status = texts_run(&run, error);
    corpus_close(run.corpus);
    if (status == STATUS_OK && paged)
        status = page.texts > 0
                     ? page_write(&page, writer.stream, error)
                     : error_set(error, STATUS_FORMAT, "%s: expected texts for a page, found none",
                                 options->corpus);
    page_free(&page);
    return writer_commit(&writer, status, error);
}
