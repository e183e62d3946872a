/* survey_write.c: a survey as a safetensors file (survey_file.h). */
#include "headlight/survey/survey_file.h"

#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/base/writer.h"
#include "headlight/survey/arrays.h"
#include "headlight/survey/evidence.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Values of the metadata: strings, which may be JSON. */

static void write_counts(const struct survey *survey, FILE *stream)
{
    fprintf(stream, "{\"layers\":%zu,\"heads\":%zu,\"unit\":%d", survey->layers, survey->heads,
            SURVEY_UNIT);
    for (size_t i = 0; i < SURVEY_TOTALS; i++)
        fprintf(stream, ",\"%s\":%" PRId64, survey_total_names[i], survey->totals[i]);
    fputc('}', stream);
}

static void write_names(FILE *stream, size_t i, const char *name)
{
    fputs(i == 0 ? "[" : ",", stream);
    json_write_text(stream, name);
}

static void write_figures(const struct survey *survey, FILE *stream)
{
    for (size_t f = 0; f < survey_axis(survey, 'F'); f++)
        write_names(stream, f, evidence_figure_name(survey_figure_at(survey, f)));
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
static bool add_list(const struct survey *survey, const char *name,
                     void (*write)(const struct survey *survey, FILE *stream),
                     struct safetensors_header *header)
{
    struct buffer inner;
    if (!buffer_open(&inner))
        return false;
    write(survey, inner.stream);
    char *text = buffer_close(&inner);
    if (text)
        safetensors_add_text(header, name, text);
    free(text);
    return text != NULL;
}

bool survey_add_metadata(const struct survey *survey, const char *kind,
                         struct safetensors_header *header)
{
    char name[40], format[12];
    format_cut(name, sizeof name, SURVEY_MARK("%s"), kind);
    format_cut(format, sizeof format, "%d", survey_format(kind));
    safetensors_add_text(header, name, format);
    for (size_t i = 0; i < SURVEY_ORIGINS; i++)
        if (survey->origin.all[i])
            safetensors_add_text(header, survey_origin_names[i], survey->origin.all[i]);
    return add_list(survey, "counts", write_counts, header) &&
           add_list(survey, "corpora", survey_write_corpora, header) &&
           add_list(survey, "relations", write_relations, header) &&
           add_list(survey, "pos", write_pos, header);
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

static enum status write_header(const struct survey *survey, FILE *stream, struct error *error)
{
    struct safetensors_header header;
    size_t shape[TENSOR_RANK_MAX];
    safetensors_begin(&header);
    const bool fine = survey_add_metadata(survey, "survey", &header) &&
                      add_list(survey, "figures", write_figures, &header);
    for (size_t i = 0; i < survey_array_count; i++) {
        const char *axes = survey_arrays[i].axes;
        if (!survey_array_is_there(survey, &survey_arrays[i]))
            continue;
        for (size_t k = 0; axes[k]; k++)
            shape[k] = survey_axis(survey, axes[k]);
        safetensors_add_tensor(&header, survey_arrays[i].name, "I64", shape, strlen(axes));
    }
    const size_t bytes = write_strings(survey, NULL);
    safetensors_add_tensor(&header, SURVEY_STRINGS, "U8", &bytes, 1);
    if (safetensors_end(&header, fine ? stream : NULL, error) != STATUS_OK || !fine)
        return error_memory(error, "the survey's header", 4096);
    return STATUS_OK;
}

static void write_data(const struct survey *survey, FILE *stream)
{
    for (size_t i = 0; i < survey_array_count; i++) {
        const struct survey_array *array = &survey_arrays[i];
        const size_t numbers = survey_array_numbers(survey, array);
        for (size_t part = 0; numbers > 0 && part < survey_array_parts(survey, array); part++)
            fwrite(array->part(survey, part), sizeof(int64_t), numbers, stream);
    }
    write_strings(survey, stream);
}

enum status survey_write(const struct survey *survey, const char *path, struct error *error)
{
    struct writer writer;
    if (writer_open(&writer, path, error) != STATUS_OK)
        return error->status;
    if (write_header(survey, writer.stream, error) != STATUS_OK) {
        writer_abort(&writer);
        return error->status;
    }
    write_data(survey, writer.stream);
    return writer_commit(&writer, error);
}
