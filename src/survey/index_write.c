/* index_write.c: an index, in one pass over its texts (index.h). How long its arrays are is known
 * at the end: until then the vectors of each space are in a file of their own beside it, and what
 * is known of texts and tokens is in memory. */
#include "headlight/base/memory.h"
#include "headlight/base/writer.h"
#include "headlight/survey/batch_queue.h"
#include "headlight/survey/index.h"
#include "headlight/survey/survey_file.h"
#include "headlight/survey/text_rows.h"

#include <errno.h>
#include <unistd.h>

/* The numbers of its rows are known once all rows are. */
struct named_token {
    struct index_token token;
    struct survey_row *text, *pos, *relation;
};

struct vectors {
    struct index_space space;
    size_t width;
    struct writer file; /* never finished: what is in it goes into the index */
};

struct index_writer {
    const struct checkpoint *checkpoint;
    struct survey *survey;
    char *path;
    struct batch_queue queue;
    size_t first[QUEUE_MAX]; /* of the tokens that wait, each text's first */
    struct vectors spaces[INDEX_SPACES_MAX];
    size_t space_count;
    unsigned char *halves; /* of each space the vectors of all tokens that wait */
    size_t capacity;
    struct named_token *tokens;
    size_t token_count, token_room;
};

/* ---- Beginning ---------------------------------------------------------------------------- */

#define AT_ONCE 64

static void take_hidden(void *context, size_t text, const struct trace *trace, size_t layer)
{
    const struct index_writer *index = context;
    unsigned char *halves = index->halves;
    for (size_t s = 0; s < index->space_count; s++) {
        const struct index_space *space = &index->spaces[s].space;
        const size_t width = index->spaces[s].width, bytes = 2 * width;
        for (size_t t = 0; space->layer == layer && t < trace->tokens; t++) {
            const float *vector = index_vector(space, trace, t);
            const double scale = index_scale(vector, width);
            for (size_t i = 0; i < width; i += AT_ONCE) { /* rounded once it has been divided */
                const size_t count = size_min(width - i, AT_ONCE);
                float some[AT_ONCE];
                for (size_t k = 0; k < count; k++)
                    some[k] = (float)(vector[i + k] * scale);
                narrow_f16(some, count, halves + (index->first[text] + t) * bytes + 2 * i);
            }
        }
        halves += index->queue.tokens * bytes;
    }
}

enum status index_new(const struct checkpoint *checkpoint, struct survey *survey, const char *path,
                      const struct index_space *spaces, size_t count, struct index_writer **result,
                      struct error *error)
{
    const struct config *config = &checkpoint->model->config;
    struct index_writer *index = *result = memory_new(1, sizeof *index, 0, "the index", error);
    if (!index)
        return error->status;
    index->checkpoint = checkpoint;
    index->survey = survey;
    index->queue.batch = (struct batch){.model = checkpoint->model,
                                        .take = {.context = index, .hidden = take_hidden}};
    index->path = memory_print(error, "%s", path);
    for (const struct index_space *space = spaces; index->path && space < spaces + count; space++) {
        struct vectors *vectors = &index->spaces[index->space_count];
        if (space->layer >= config->layers ||
            (space->head != NO_HEAD && space->head >= config->heads))
            return error_usage(
                error,
                "--only: expected layers below %zu and heads below %zu, as layer.head, found "
                "\"%s\"",
                config->layers, config->heads, strchr(space->name, '.') + 1);
        if (writer_open(&vectors->file, index->path, error) != STATUS_OK)
            return error->status;
        vectors->space = *space;
        vectors->width = index_width(space, config);
        index->space_count++;
    }
    return index->path ? STATUS_OK : error->status;
}

void index_free(struct index_writer *index)
{
    if (!index)
        return;
    for (size_t s = 0; s < index->space_count; s++)
        writer_abort(&index->spaces[s].file);
    free(index->tokens);
    free(index->halves);
    free(index->path);
    queue_free(&index->queue);
    free(index);
}

/* ---- Texts -------------------------------------------------------------------------------- */

static enum status add_tokens(struct index_writer *index, const struct corpus_text *text,
                              const struct text_rows *rows, struct error *error)
{
    struct survey_row *row;
    if (memory_grow(&index->tokens, &index->token_room, index->token_count + rows->tokens,
                    sizeof *index->tokens, "the index", error) != STATUS_OK ||
        survey_keep(index->survey, text, false, &row, error) != STATUS_OK)
        return error->status;
    for (size_t t = 0; t < rows->tokens; t++) {
        const struct token *from = &rows->encoding->tokens[t];
        const size_t word = rows->word[t];
        const int32_t before = from->sentence > 0 ? (int32_t)text->texts[0].length + 1 : 0;
        struct named_token *named = &index->tokens[index->token_count++];
        *named = (struct named_token){.token = {.piece = from->id,
                                                .at = (int32_t)t,
                                                .begin = before + (int32_t)from->span.start,
                                                .end = before + (int32_t)from->span.end},
                                      .text = row};
        if (text->words && word != NO_WORD &&
            (survey_count_name(index->survey, ROW_POS, text->words[word].upos, &named->pos,
                               error) != STATUS_OK ||
             survey_count_name(index->survey, ROW_RELATION, text->words[word].relation,
                               &named->relation, error) != STATUS_OK))
            return error->status;
    }
    return STATUS_OK;
}

static enum status cannot_write(const struct index_writer *index, struct error *error)
{
    return error_set(error, STATUS_IO, "%s: cannot be written: %s", index->path, strerror(errno));
}

/* Computes the vectors of those that wait. */
static enum status flush(struct index_writer *index, struct error *error)
{
    const size_t tokens = index->queue.tokens;
    size_t widths = 0;
    for (size_t s = 0; s < index->space_count; s++)
        widths += index->spaces[s].width;
    if (memory_grow(&index->halves, &index->capacity, tokens * widths, 2, "the index", error) !=
            STATUS_OK ||
        queue_run(&index->queue, error) != STATUS_OK)
        return error->status;
    const unsigned char *halves = index->halves;
    for (size_t s = 0; s < index->space_count; s++) {
        const size_t bytes = 2 * index->spaces[s].width * tokens;
        FILE *stream = index->spaces[s].file.stream;
        if (fwrite(halves, 1, bytes, stream) != bytes || fflush(stream) != 0)
            return cannot_write(index, error);
        halves += bytes;
    }
    return STATUS_OK;
}

enum status index_add(struct index_writer *index, const struct corpus_text *text,
                      struct encoding *encoding, const struct interventions *changes,
                      struct error *error)
{
    struct text_rows *rows;
    index->first[index->queue.count] = index->queue.tokens;
    enum status status =
        survey_describe(text, index->checkpoint->tokenizer, encoding, &rows, error);
    if (status == STATUS_OK)
        status = add_tokens(index, text, rows, error);
    if (status == STATUS_OK)
        status = queue_add(&index->queue, encoding, NULL, changes, error);
    if (status == STATUS_OK)
        survey_count_text(index->survey, text, rows);
    text_rows_free(rows);
    free(encoding);
    return status == STATUS_OK && queue_is_full(&index->queue) ? flush(index, error) : status;
}

/* ---- The file ----------------------------------------------------------------------------- */

static int32_t number_of(const struct survey *survey, const struct survey_row *row)
{
    return row ? (int32_t)survey_place(survey, row) : -1;
}

static enum status write_all(const struct index_writer *index, FILE *stream, struct error *error)
{
    struct safetensors_header header;
    safetensors_begin(&header);
    survey_add_table(index->survey, "index", &header);
    for (size_t s = 0; s < index->space_count; s++)
        safetensors_add_tensor(&header, index->spaces[s].space.name, "F16",
                               (const size_t[]){index->token_count, index->spaces[s].width}, 2);
    safetensors_add_tensor(&header, INDEX_TOKENS, "I32",
                           (const size_t[]){index->token_count, INDEX_TOKEN_NUMBERS}, 2);
    enum status status = safetensors_end(&header, stream, error);
    if (status == STATUS_OK)
        survey_write_table(index->survey, stream);
    for (size_t s = 0; s < index->space_count && status == STATUS_OK; s++) {
        const int vectors = fileno(index->spaces[s].file.stream);
        char some[1 << 13];
        off_t at = 0;
        for (ssize_t got = 1; got > 0 && status == STATUS_OK; at += got) {
            got = pread(vectors, some, sizeof some, at);
            if (got < 0 || fwrite(some, 1, (size_t)got, stream) != (size_t)got)
                status = cannot_write(index, error);
        }
    }
    for (size_t t = 0; t < index->token_count; t++) {
        const struct named_token *named = &index->tokens[t];
        struct index_token token = named->token;
        token.text = number_of(index->survey, named->text);
        token.pos = number_of(index->survey, named->pos);
        token.relation = number_of(index->survey, named->relation);
        fwrite(&token, sizeof token, 1, stream);
    }
    return status;
}

enum status index_end(struct index_writer *index, struct error *error)
{
    struct writer writer;
    if (flush(index, error) != STATUS_OK || writer_open(&writer, index->path, error) != STATUS_OK)
        return error->status;
    return writer_commit(&writer, write_all(index, writer.stream, error), error);
}
