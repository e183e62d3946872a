/* index_write.c: an index, in two passes over its texts (index.h). Arrays grow side by side in the
 * file, each from its own place on. */
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/base/writer.h"
#include "headlight/survey/index.h"
#include "headlight/survey/prepared.h"
#include "headlight/survey/survey_file.h"
#include "headlight/survey/waiting.h"
#include "headlight/tensor/matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In the file the names come first, then the spaces and all others by the size of their numbers, so
 * that each lies aligned. */
enum { TEXTS, TOKENS, STRINGS, SPACES };

struct array {
    const char *name, *type;
    size_t item, width;    /* bytes of a row, and how many numbers it has */
    uint64_t bytes;        /* that the first pass counted, */
    uint64_t at, end;      /* where the next ones go in the file, and how far */
    unsigned char *memory; /* those that are to be written */
    size_t used, room;
};

struct index_writer {
    const struct checkpoint *checkpoint;
    struct survey *survey;
    struct batch batch;
    struct waiting waiting;
    size_t rows[WAITING_MAX]; /* where those that wait belong in the arrays' memory */
    struct index_space spaces[INDEX_SPACES_MAX];
    size_t space_count;
    struct array arrays[SPACES + INDEX_SPACES_MAX];
    size_t texts;
    int64_t strings; /* bytes so far */
    bool writing;    /* the second pass */
    struct writer file;
};

static size_t array_count(const struct index_writer *index)
{
    return SPACES + index->space_count;
}

/* ---- Beginning ---------------------------------------------------------------------------- */

/* Rounded once it has been divided by its length. */
static void put_vector(const float *vector, size_t width, unsigned char *halves)
{
    float some[64];
    const double scale = index_scale(vector, width);
    for (size_t i = 0; i < width; i += 64) {
        const size_t count = size_min(width - i, 64);
        for (size_t k = 0; k < count; k++)
            some[k] = (float)(vector[i + k] * scale);
        narrow_f16(some, count, halves + 2 * i);
    }
}

static void take_hidden(void *context, size_t text, const struct trace *trace, size_t layer)
{
    const struct index_writer *index = context;
    for (size_t s = 0; s < index->space_count; s++) {
        const struct index_space *space = &index->spaces[s];
        const struct array *array = &index->arrays[SPACES + s];
        for (size_t t = 0; space->layer == layer && t < trace->tokens; t++)
            put_vector(index_vector(space, trace, t), array->item / 2,
                       array->memory + (index->rows[text] + t) * array->item);
    }
}

static enum status check_space(const struct index_space *space, const struct config *config,
                               struct error *error)
{
    if (space->layer < config->layers && (space->head == NO_HEAD || space->head < config->heads))
        return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "--layers: expected layers below %zu and heads below %zu, as layer.head, found "
        "\"%s\"",
        config->layers, config->heads, strchr(space->name, '.') + 1);
}

enum status index_new(const struct checkpoint *checkpoint, struct survey *survey,
                      const struct index_space *spaces, size_t count, struct index_writer **result,
                      struct error *error)
{
    const struct config *config = model_config(checkpoint->model);
    struct index_writer *index = *result = memory_new(1, sizeof *index, 0, "the index", error);
    if (!index)
        return error->status;
    index->checkpoint = checkpoint;
    index->survey = survey;
    index->batch = (struct batch){.model = checkpoint->model,
                                  .take = {.context = index, .hidden = take_hidden}};
    index->space_count = count;
    index->arrays[TEXTS] = (struct array){.name = INDEX_TEXTS,
                                          .type = "I64",
                                          .item = sizeof(struct index_text),
                                          .width = INDEX_TEXT_NUMBERS};
    index->arrays[TOKENS] = (struct array){.name = INDEX_TOKENS,
                                           .type = "I32",
                                           .item = sizeof(struct index_token),
                                           .width = INDEX_TOKEN_NUMBERS};
    index->arrays[STRINGS] =
        (struct array){.name = INDEX_STRINGS, .type = "U8", .item = 1, .width = 1};
    for (size_t s = 0; s < count; s++) {
        index->spaces[s] = spaces[s];
        if (check_space(&spaces[s], config, error) != STATUS_OK)
            return error->status;
        const size_t width = index_width(&spaces[s], config);
        index->arrays[SPACES + s] = (struct array){
            .name = index->spaces[s].name, .type = "F16", .item = 2 * width, .width = width};
    }
    return STATUS_OK;
}

void index_free(struct index_writer *index)
{
    if (!index)
        return;
    if (index->writing)
        writer_abort(&index->file);
    for (size_t i = 0; i < array_count(index); i++)
        free(index->arrays[i].memory);
    waiting_clear(&index->waiting);
    batch_free(&index->batch);
    free(index);
}

/* ---- Texts -------------------------------------------------------------------------------- */

/* NULL leaves room that index_take fills. */
static bool put(const struct index_writer *index, struct array *array, const void *bytes,
                size_t size, struct error *error)
{
    if (!index->writing) {
        array->bytes += size;
        return true;
    }
    if (array->used + size > array->room) {
        const size_t room = 2 * (array->used + size);
        unsigned char *memory = realloc(array->memory, room);
        if (!memory)
            return error_memory(error, "the index", room) == STATUS_OK;
        array->memory = memory;
        array->room = room;
    }
    if (bytes)
        memcpy(array->memory + array->used, bytes, size);
    array->used += size;
    return true;
}

/* The number of a name of the text, or -1; 31 bits have room for any annotation. */
static bool name_number(struct survey *survey, enum survey_kind kind, struct text name,
                        int32_t *number, struct error *error)
{
    *number = -1;
    if (name.length == 0)
        return true;
    const struct survey_row *row =
        survey_insert(survey, &(struct survey_key){.kind = kind, .names[0] = name}, error);
    *number = row ? (int32_t)survey_find(survey, &row->key) : -1;
    return row != NULL;
}

static bool add_tokens(struct index_writer *index, const struct corpus_text *text,
                       const struct survey_prepared *prepared, struct error *error)
{
    for (size_t t = 0; t < prepared->tokens; t++) {
        const struct token *from = &prepared->encoding->tokens[t];
        const size_t word = prepared->word[t];
        const int32_t before = from->sentence > 0 ? (int32_t)text->texts[0].length + 1 : 0;
        struct index_token token = {.text = (int32_t)index->texts,
                                    .piece = from->id,
                                    .place = (int32_t)t,
                                    .begin = before + (int32_t)from->span.start,
                                    .end = before + (int32_t)from->span.end,
                                    .pos = -1,
                                    .relation = -1};
        if (text->words && word != NO_WORD &&
            (!name_number(index->survey, ROW_POS, text->words[word].upos, &token.pos, error) ||
             !name_number(index->survey, ROW_RELATION, text->words[word].relation, &token.relation,
                          error)))
            return false;
        if (!put(index, &index->arrays[TOKENS], &token, sizeof token, error))
            return false;
    }
    return true;
}

/* Its number, id and words. */
static bool add_text(struct index_writer *index, const struct corpus_text *text,
                     struct error *error)
{
    struct array *strings = &index->arrays[STRINGS];
    const struct index_text row = {(int64_t)text->number, index->strings,
                                   index->strings + (int64_t)strlen(text->id) + 1};
    bool fine = put(index, &index->arrays[TEXTS], &row, sizeof row, error) &&
                put(index, strings, text->id, strlen(text->id) + 1, error);
    index->strings = row.words;
    for (size_t i = 0; i < text->text_count; i++) {
        const bool last = i + 1 == text->text_count;
        fine = fine && put(index, strings, text->texts[i].bytes, text->texts[i].length, error) &&
               put(index, strings, last ? "" : "\t", 1, error);
        index->strings += (int64_t)text->texts[i].length + 1;
    }
    return fine;
}

/* Writes what was added since. More than was counted is not written; index_end says so. */
static enum status flush(struct index_writer *index, struct error *error)
{
    if (waiting_run(&index->waiting, &index->batch, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < array_count(index); i++) {
        struct array *array = &index->arrays[i];
        if (array->used > 0 && array->at + array->used <= array->end) {
            FILE *stream = index->file.stream;
            if (fseeko(stream, (off_t)array->at, SEEK_SET) != 0 ||
                fwrite(array->memory, 1, array->used, stream) != array->used)
                return error_set(error, STATUS_IO, "%s: cannot be written: %s", index->file.path,
                                 strerror(errno));
        }
        array->at += array->used;
        array->used = 0;
    }
    return STATUS_OK;
}

/* All of a text but its vectors, for which there is room. */
static enum status add(struct index_writer *index, const struct corpus_text *text,
                       const struct encoding *encoding, struct error *error)
{
    struct survey_prepared *prepared;
    if (survey_describe(text, index->checkpoint->tokenizer, encoding, &prepared, error) !=
        STATUS_OK)
        return error->status;
    index->rows[index->waiting.count] = index->arrays[TOKENS].used / index->arrays[TOKENS].item;
    bool fine = add_tokens(index, text, prepared, error) && add_text(index, text, error);
    for (size_t i = SPACES; i < array_count(index); i++)
        fine = fine &&
               put(index, &index->arrays[i], NULL, encoding->count * index->arrays[i].item, error);
    if (!index->writing)
        survey_count_text(index->survey, text, prepared);
    survey_prepared_free(prepared);
    return fine ? STATUS_OK : error->status;
}

enum status index_add(struct index_writer *index, const struct corpus_text *text,
                      struct encoding *encoding, const struct interventions *changes,
                      struct error *error)
{
    enum status status = add(index, text, encoding, error);
    if (status == STATUS_OK && index->writing)
        status = waiting_add(&index->waiting, encoding, changes, error);
    free(encoding);
    if (status == STATUS_OK && ++index->texts > INT32_MAX)
        return error_set(error, STATUS_LIMIT,
                         "an index has room for %d texts: make one of each shard", INT32_MAX);
    return status == STATUS_OK && waiting_is_enough(&index->waiting) ? flush(index, error) : status;
}

/* ---- The file ----------------------------------------------------------------------------- */

static enum status write_header(struct index_writer *index, struct error *error)
{
    struct safetensors_header header;
    safetensors_begin(&header);
    survey_add_table(index->survey, "index", &header);
    for (size_t k = 0; k < array_count(index); k++) {
        const size_t i = (SPACES + k) % array_count(index);
        struct array *array = &index->arrays[i];
        const size_t shape[] = {(size_t)(array->bytes / array->item), array->width};
        array->at = header.bytes;
        safetensors_add_tensor(&header, array->name, array->type, shape, i == STRINGS ? 1 : 2);
        array->end = header.bytes;
    }
    if (safetensors_end(&header, index->file.stream, error) != STATUS_OK)
        return error->status;
    const long begin = ftell(index->file.stream);
    survey_write_table(index->survey, index->file.stream);
    for (size_t i = 0; i < array_count(index); i++) {
        index->arrays[i].at += (uint64_t)begin;
        index->arrays[i].end += (uint64_t)begin;
    }
    return STATUS_OK;
}

enum status index_begin(struct index_writer *index, const char *path, struct error *error)
{
    if (writer_open(&index->file, path, error) != STATUS_OK)
        return error->status;
    index->writing = true;
    index->texts = 0;
    index->strings = 0;
    return write_header(index, error);
}

enum status index_end(struct index_writer *index, struct error *error)
{
    if (flush(index, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < array_count(index); i++)
        if (index->arrays[i].at != index->arrays[i].end)
            return error_set(error, STATUS_IO, "%s: its texts changed while they were read",
                             survey_name(index->survey, ROW_SHARD, 0));
    index->writing = false;
    return writer_commit(&index->file, error);
}
