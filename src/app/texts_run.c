/* texts_run.c: the way of a text from its file to its tokens: whether it is too long for the model,
 * and what then; who is told of those that are refused; how far it is. */
#include "headlight/app/texts_run.h"

#include "headlight/base/memory.h"
#include "headlight/survey/gather.h"

#include <inttypes.h>
#include <stdlib.h>

/* Whether an error says something about one text, so that others may go well. */
static bool is_of_one(enum status status)
{
    return status == STATUS_FORMAT || status == STATUS_LIMIT || status == STATUS_MISMATCH ||
           status == STATUS_USAGE;
}

enum status texts_run_end_with(enum status status, struct error *error)
{
    if (is_of_one(status))
        error->status = status = STATUS_UNSUPPORTED;
    return status;
}

struct corpus_text texts_piece_text(const struct texts_piece *piece)
{
    struct corpus_text text = *piece->text;
    memcpy(text.texts, piece->texts, sizeof text.texts);
    if (piece->windows > 1)
        text.words = NULL;
    if (piece->window > 0)
        text.hash = corpus_hash(text.id, strlen(text.id), text.hash + piece->window);
    return text;
}

/* ---- Changes of the network ---------------------------------------------------------------- */

/* The changes of the session, which is ended. */
static void take_changes(struct program *program)
{
    program->changes = program->session.state.source.changes;
    program->masked = program->session.state.source.masked;
    session_end(&program->session);
}

enum status texts_run_check(struct program *program, struct error *error)
{
    const struct options given = program->options;
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_info(field)->reach != REACH_MODEL &&
            (field_info(field)->reach == REACH_TOKENS || !field_is_network(field)))
            program->options.values[field] = NULL;
    program->texts[0] = text_of_string("a");
    program->text_count = 1;
    enum status status = program_begin(program, error);
    if (status == STATUS_OK && given.out.answer)
        status = export_ask(&program->session, given.out.answer, error);
    take_changes(program);
    program->options = given;
    return status;
}

enum status texts_run_change(struct program *program, const struct texts_piece *piece,
                             struct error *error)
{
    const char *const *values = program->options.values;
    if (!values[FIELD_HIDE] && !values[FIELD_CUT] && !values[FIELD_MASK])
        return STATUS_OK;
    memcpy(program->texts, piece->texts, sizeof program->texts);
    program->text_count = piece->text->text_count;
    program->encoding = piece->encoding;
    const enum status status = program_begin(program, error);
    take_changes(program);
    program->encoding = NULL;
    for (size_t i = 0; i < program->masked.count; i++)
        piece->encoding->tokens[program->masked.tokens[i]].id =
            tokenizer_mask(program->checkpoint.tokenizer);
    return status;
}

/* ---- Progress ------------------------------------------------------------------------------ */

static void clear_progress(const struct texts_run *run)
{
    if (run->shown > 0)
        fprintf(stderr, "\r%-78s\r", "");
}

/* Twice a second, on one line: "512 texts, 20 a second, 2 min 5 s left, 3 refused". */
static void show_progress(struct texts_run *run)
{
    char line[80];
    uint64_t read, all;
    const double now = clock_milliseconds(), passed = now - run->began;
    if (!run->progress || now - run->shown < 500 || passed < 500)
        return;
    run->shown = now;
    corpus_progress(run->corpus, &read, &all);
    format_cut(line, sizeof line, "%" PRIu64 " texts, %.0f a second", run->done,
               1e3 * (double)run->done / passed);
    if (all > 0 && read > 0) {
        const unsigned long left =
            (unsigned long)(passed / 1e3 * ((double)all - (double)read) / (double)read);
        if (left >= 3600)
            format_add(line, sizeof line, ", %lu h %lu min left", left / 3600, left / 60 % 60);
        else if (left >= 60)
            format_add(line, sizeof line, ", %lu min %lu s left", left / 60, left % 60);
        else
            format_add(line, sizeof line, ", %lu s left", left);
    }
    if (run->refused + run->too_long > 0)
        format_add(line, sizeof line, ", %" PRIu64 " refused", run->refused + run->too_long);
    fprintf(stderr, "\r%-78s", line);
}

/* ---- Pieces -------------------------------------------------------------------------------- */

/* The bytes of a text that its tokens come from, with all that stands before them. */
static void shorten(struct texts_piece *piece, size_t sentence)
{
    size_t end = 0;
    for (size_t i = 0; i < piece->encoding->count; i++) {
        const struct token *token = &piece->encoding->tokens[i];
        if (!token->added && token->sentence == sentence)
            end = token->span.end;
    }
    piece->texts[sentence].length = end;
}

/* A window holds all that is not the last text's own, and some of that. */
struct windows {
    uint8_t sentence;  /* the last one */
    size_t size, step; /* of a window, in its tokens */
};

static bool is_cut(const struct token *token, const struct windows *windows)
{
    return !token->added && token->sentence == windows->sentence;
}

/* The piece becomes the window that begins with the first-th of the last text's tokens. */
static enum status make_window(struct texts_piece *piece, const struct encoding *whole,
                               const struct windows *windows, struct error *error)
{
    const size_t first = piece->window * windows->step;
    struct encoding *encoding =
        memory_new(whole->count, sizeof *whole->tokens, sizeof *whole, "a window", error);
    size_t seen = 0;
    if (!encoding)
        return error->status;
    for (size_t i = 0; i < whole->count; i++) {
        struct token token = whole->tokens[i];
        if (is_cut(&token, windows)) {
            const size_t place = seen++;
            if (place < first || place - first >= windows->size)
                continue;
            if (place == first)
                piece->start = token.span.start;
            token.span.start -= piece->start;
            token.span.end -= piece->start;
        }
        encoding->tokens[encoding->count++] = token;
    }
    piece->encoding = encoding;
    piece->texts[windows->sentence].bytes =
        piece->text->texts[windows->sentence].bytes + piece->start;
    shorten(piece, windows->sentence);
    return STATUS_OK;
}

static enum status act_on_windows(struct texts_run *run, struct texts_piece *piece, size_t longest,
                                  struct error *error)
{
    struct windows windows = {0};
    struct encoding *whole = piece->encoding;
    const size_t stride = run->program->options.stride;
    enum status status = STATUS_OK;
    size_t count = 0;
    for (size_t i = 0; i < whole->count; i++)
        windows.sentence = whole->tokens[i].sentence > 0 ? 1 : windows.sentence;
    for (size_t i = 0; i < whole->count; i++)
        count += is_cut(&whole->tokens[i], &windows);
    if (longest <= whole->count - count + stride) {
        status = error_set(error, STATUS_LIMIT,
                           "the text is %zu tokens long: there is no room for windows of it that "
                           "share %zu",
                           whole->count, stride);
    } else {
        windows.size = longest - (whole->count - count);
        windows.step = windows.size - stride;
        piece->windows = (count - windows.size + windows.step - 1) / windows.step + 1;
    }
    for (piece->window = 0; status == STATUS_OK && piece->window < piece->windows;
         piece->window++) {
        status = make_window(piece, whole, &windows, error);
        if (status == STATUS_OK)
            status = run->act(run->context, piece, error);
    }
    free(whole);
    return status;
}

static enum status act_on_text(struct texts_run *run, const struct corpus_text *text,
                               struct error *error)
{
    const struct options *options = &run->program->options;
    const struct checkpoint *checkpoint = &run->program->checkpoint;
    const size_t longest = encoded_longest(&checkpoint->model->config, text->text_count);
    const struct gather_reading how = {!field_is_on(options->values[FIELD_RAW_TEXT]),
                                       options->truncate, options_gave(options, "stride")};
    struct texts_piece piece = {
        .text = text, .texts = {text->texts[0], text->texts[1]}, .windows = 1};
    const enum status status =
        gather_encode(checkpoint, text, how, &piece.encoding, &piece.whole, error);
    if (status != STATUS_OK)
        return status;
    if (piece.encoding->count > longest)
        return act_on_windows(run, &piece, longest, error);
    run->cut += piece.encoding->count < piece.whole;
    for (size_t i = 0; piece.encoding->count < piece.whole && i < text->text_count; i++)
        shorten(&piece, i);
    return run->act(run->context, &piece, error);
}

/* ---- The run ------------------------------------------------------------------------------- */

enum status texts_run(struct texts_run *run, struct error *error)
{
    const struct options *options = &run->program->options;
    const struct corpus_text *text = NULL;
    enum status status;
    char line[200], separator = ' ';
    run->began = clock_milliseconds();
    do {
        status = corpus_next(run->corpus, &text, error);
        const bool read = status == STATUS_OK;
        if (read && text && text->repaired && run->repaired++ == 0) {
            error_set(error, status, "expected UTF-8, found other bytes, which are read as U+FFFD");
            corpus_locate(run->corpus, error);
            clear_progress(run);
            run->program->say(error->message);
        }
        if (read && text)
            status = act_on_text(run, text, error);
        const bool refused = text && is_of_one(status); /* which ends it only with --strict */
        if (refused && read)
            corpus_locate(run->corpus, error);
        if (refused && !options->strict) {
            *(status == STATUS_LIMIT ? &run->too_long : &run->refused) += 1;
            clear_progress(run);
            run->program->say(error->message);
            if (run->refuse)
                run->refuse(run->context, text, error);
            status = STATUS_OK;
        }
        if (text && status == STATUS_OK) {
            run->done++;
            show_progress(run);
        }
    } while (text && status == STATUS_OK);
    clear_progress(run);
    run->program->refused += run->refused + run->too_long;
    const struct {
        uint64_t count;
        const char *what;
    } parts[] = {{run->refused, "unusable"},
                 {run->too_long, options->truncate || options_gave(options, "stride")
                                     ? "too long"
                                     : "too long (--truncate cuts them, --stride N makes windows)"},
                 {run->cut, "cut"},
                 {run->repaired, "not in UTF-8"}};
    if (run->done > 0)
        format_cut(line, sizeof line, "of %" PRIu64 " text%s:", run->done,
                   run->done == 1 ? "" : "s");
    else
        format_cut(line, sizeof line, "%s: no texts found", options->corpus);
    for (size_t i = 0; i < LENGTH(parts); i++)
        if (parts[i].count > 0) {
            format_add(line, sizeof line, "%s%" PRIu64 " %s", separator == ' ' ? " " : ", ",
                       parts[i].count, parts[i].what);
            separator = ',';
        }
    if (status == STATUS_OK && (separator != ' ' || run->done == 0))
        run->program->say(line);
    return status;
}
