/* survey_write.c: a survey as a safetensors file (survey_file.h). */
#include "headlight/survey/survey_file.h"

#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/base/writer.h"
#include "headlight/survey/arrays.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STRINGS "strings"

/* Values of the metadata: strings, which may be JSON. */

static void write_counts(const struct survey *survey, FILE *stream)
{
    fprintf(stream,
            "{\"layers\":%zu,\"heads\":%zu,\"unit\":%d,\"texts\":%" PRId64 ",\"too_long\":%" PRId64
            ",\"refused\":%" PRId64 ",\"tokens\":%" PRId64 ",\"words\":%" PRId64 "}",
            survey->layers, survey->heads, SURVEY_UNIT, survey->texts, survey->too_long,
            survey->refused, survey->tokens, survey->words);
}

static void write_names(FILE *stream, size_t i, const char *name)
{
    fputs(i == 0 ? "[" : ",", stream);
    json_write_text(stream, name);
}

static void write_figures(const struct survey *survey, FILE *stream)
{
    (void)survey;
    for (size_t f = 0; f < SURVEY_FIGURE_COUNT; f++)
        write_names(stream, f, survey_figure_names[f]);
    fputc(']', stream);
}

static void write_relations(const struct survey *survey, FILE *stream)
{
    for (size_t r = 0; r < survey->relation_count; r++)
        write_names(stream, r, survey->relations[r].name);
    fputs(survey->relation_count > 0 ? "]" : "[]", stream);
}

static void write_pos(const struct survey *survey, FILE *stream)
{
    for (size_t p = 0; p < survey->pos_count; p++)
        write_names(stream, p, survey->pos[p]);
    fputs(survey->pos_count > 0 ? "]" : "[]", stream);
}

/* A list is a JSON text inside a JSON string. */
static bool write_list(const struct survey *survey, const char *name,
                       void (*write)(const struct survey *survey, FILE *stream), FILE *stream)
{
    struct buffer inner;
    if (!buffer_open(&inner))
        return false;
    write(survey, inner.stream);
    char *text = buffer_close(&inner);
    fprintf(stream, ",\"%s\":", name);
    json_write_text(stream, text);
    free(text);
    return text != NULL;
}

/* False without memory. */
static bool write_metadata(const struct survey *survey, FILE *stream)
{
    const struct survey_origin *origin = &survey->origin;
    const char *const texts[] = {
        "model",           origin->model, "model_sha256",  origin->digest, "tokenizer_sha256",
        origin->tokenizer, "kernels",     origin->kernels, "options",      origin->options};
    fprintf(stream, "{\"__metadata__\":{\"" SURVEY_MARK "\":\"%d\"", SURVEY_FORMAT);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += 2) {
        fprintf(stream, ",\"%s\":", texts[i]);
        json_write_text(stream, texts[i + 1]);
    }
    const bool fine = write_list(survey, "counts", write_counts, stream) &&
                      write_list(survey, "corpora", survey_write_corpora, stream) &&
                      write_list(survey, "figures", write_figures, stream) &&
                      write_list(survey, "relations", write_relations, stream) &&
                      write_list(survey, "pos", write_pos, stream);
    fputc('}', stream);
    return fine;
}

static void write_entry(const struct survey *survey, const struct survey_array *array,
                        size_t *offset, FILE *stream)
{
    const size_t end = *offset + sizeof(int64_t) * survey_array_parts(survey, array) *
                                     survey_array_numbers(survey, array);
    fprintf(stream, ",\"%s\":{\"dtype\":\"I64\",\"shape\":[", array->name);
    for (size_t i = 0; array->axes[i]; i++)
        fprintf(stream, "%s%zu", i > 0 ? "," : "", survey_axis(survey, array->axes[i]));
    fprintf(stream, "],\"data_offsets\":[%zu,%zu]}", *offset, end);
    *offset = end;
}

/* Each string with its NUL, in one order; a `stream` of NULL only counts their bytes. */
static size_t write_strings(const struct survey *survey, FILE *stream)
{
    size_t bytes = 0;
    for (size_t i = 0; i < survey->piece_count + 2 * survey->kept_count; i++) {
        const size_t k = i - survey->piece_count;
        const char *string = i < survey->piece_count ? survey->pieces[i].name
                             : k % 2 == 0            ? survey->kept[k / 2].id
                                                     : survey->kept[k / 2].words;
        const size_t size = strlen(string) + 1;
        if (stream)
            fwrite(string, 1, size, stream);
        bytes += size;
    }
    return bytes;
}

/* Data begin at a multiple of 8 bytes. False without memory. */
static bool write_header(const struct survey *survey, FILE *stream)
{
    size_t offset = 0;
    const bool fine = write_metadata(survey, stream);
    for (size_t i = 0; i < survey_array_count; i++)
        write_entry(survey, &survey_arrays[i], &offset, stream);
    const size_t bytes = write_strings(survey, NULL);
    fprintf(stream,
            ",\"" SURVEY_STRINGS
            "\":{\"dtype\":\"U8\",\"shape\":[%zu],\"data_offsets\":[%zu,%zu]}}",
            bytes, offset, offset + bytes);
    for (long at = ftell(stream); at % 8 != 0; at++)
        fputc(' ', stream);
    return fine;
}

static void write_data(const struct survey *survey, FILE *stream)
{
    for (size_t i = 0; i < survey_array_count; i++) {
        const struct survey_array *array = &survey_arrays[i];
        const size_t numbers = survey_array_numbers(survey, array);
        for (size_t part = 0; part < survey_array_parts(survey, array); part++)
            fwrite(array->part(survey, part), sizeof(int64_t), numbers, stream);
    }
    write_strings(survey, stream);
}

enum status survey_write(const struct survey *survey, const char *path, struct error *error)
{
    struct writer writer;
    struct buffer buffer = {.stream = NULL};
    const bool fine = buffer_open(&buffer) && write_header(survey, buffer.stream);
    char *header = buffer_close(&buffer);
    const uint64_t prefix = buffer.length;
    enum status status =
        fine && header ? writer_open_part(&writer, path, error) : error_memory(error, path, 4096);
    if (status == STATUS_OK) {
        fwrite(&prefix, sizeof prefix, 1, writer.stream);
        fwrite(header, 1, buffer.length, writer.stream);
        write_data(survey, writer.stream);
        status = writer_commit(&writer, error);
    }
    free(header);
    return status;
}
