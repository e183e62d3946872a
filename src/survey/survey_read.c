/* survey_read.c: a survey from its file. Whoever reads one may have it from anywhere: every number
 * that is an index is checked here, once. */
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/base/mapping.h"
#include "headlight/survey/arrays.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/index.h"
#include "headlight/survey/survey_file.h"
#include "headlight/tensor/safetensors.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct mapping mapping;
    struct safetensors *file;
    const char *path, *kind;
    struct survey *survey;
    struct error *error;
};

static enum status damaged(const struct reader *reader, const char *expected)
{
    return error_set(reader->error, STATUS_FORMAT,
                     "%s: expected %s, found something else: the %s is damaged", reader->path,
                     expected, reader->kind);
}

static enum status no_memory(const struct reader *reader)
{
    return error_memory(reader->error, reader->path, reader->mapping.size);
}

/* A JSON array of the metadata; NULL, with the error set, if there is none. */
static cJSON *read_array(const struct reader *reader, const char *name)
{
    const char *text = safetensors_metadata(reader->file, name);
    cJSON *array = NULL;
    if (!text)
        damaged(reader, "names in its metadata");
    else
        json_parse_array(text, strlen(text), reader->path, &array, reader->error);
    return array;
}

/* A whole number that is not negative. */
static bool read_number(const cJSON *object, const char *name, int64_t *number)
{
    size_t value;
    const cJSON *item = json_member(object, name);
    const bool found = item && json_is_size(item, &value);
    if (found)
        *number = (int64_t)value;
    return found;
}

/* A copy of a string; NULL for what is none. */
static char *copy_string(const cJSON *item)
{
    return cJSON_IsString(item) ? strdup(item->valuestring) : NULL;
}

static enum status read_origin(const struct reader *reader)
{
    struct survey_origin *origin = &reader->survey->origin;
    for (size_t i = 0; i < SURVEY_ORIGINS; i++) {
        const char *text = safetensors_metadata(reader->file, survey_origin_names[i]);
        if (!text && &origin->all[i] != &origin->against)
            return damaged(reader, "its model in the metadata");
        if (text && !(origin->all[i] = strdup(text)))
            return no_memory(reader);
    }
    return STATUS_OK;
}

/* Ascending, and below their number. */
static bool read_shards(struct survey_corpus *corpus, const cJSON *list)
{
    const cJSON *item;
    size_t value;
    const int count = cJSON_GetArraySize(list);
    corpus->shards = calloc((size_t)count + 1, sizeof *corpus->shards);
    cJSON_ArrayForEach(item, list)
    {
        const size_t n = corpus->shard_count;
        if (!corpus->shards || !json_is_size(item, &value) || value >= corpus->parts ||
            (n > 0 && value <= corpus->shards[n - 1]))
            return false;
        corpus->shards[corpus->shard_count++] = value;
    }
    return corpus->shard_count > 0;
}

static bool read_corpus(struct survey_corpus *corpus, const cJSON *object)
{
    int64_t parts;
    char *end;
    const cJSON *ids = json_member(object, "ids");
    corpus->name = copy_string(json_member(object, "name"));
    if (!corpus->name || !read_number(object, "parts", &parts) ||
        !read_number(object, "texts", &corpus->texts) ||
        !read_number(object, "too_long", &corpus->too_long) ||
        !read_number(object, "refused", &corpus->refused) || !cJSON_IsString(ids))
        return false;
    corpus->parts = (uint64_t)parts;
    corpus->ids = strtoull(ids->valuestring, &end, 16);
    return *end == '\0' && read_shards(corpus, json_member(object, "shards"));
}

static enum status read_corpora(const struct reader *reader)
{
    struct survey *survey = reader->survey;
    const cJSON *item;
    cJSON *array = read_array(reader, "corpora");
    if (!array)
        return reader->error->status;
    const size_t count = (size_t)cJSON_GetArraySize(array);
    bool fine = (survey->corpora = calloc(count + 1, sizeof *survey->corpora)) != NULL;
    cJSON_ArrayForEach(item, array)
    {
        const size_t n = survey->corpus_count;
        survey->corpus_count += fine;
        fine = fine && read_corpus(&survey->corpora[n], item) &&
               (n == 0 || strcmp(survey->corpora[n - 1].name, survey->corpora[n].name) < 0);
    }
    cJSON_Delete(array);
    return fine ? STATUS_OK : damaged(reader, "its corpora by name in the metadata");
}

/* Names in their order, each once. */
static enum status read_names(const struct reader *reader, const char *name,
                              size_t (*index)(struct survey *survey, struct text name,
                                              struct error *error))
{
    const cJSON *item;
    const char *last = NULL;
    enum status status = STATUS_OK;
    cJSON *array = read_array(reader, name);
    if (!array)
        return reader->error->status;
    cJSON_ArrayForEach(item, array)
    {
        if (status != STATUS_OK)
            break;
        if (!cJSON_IsString(item) || (last && strcmp(last, item->valuestring) >= 0))
            status = damaged(reader, "names in their order in its metadata");
        else if (index(reader->survey, text_of_string(item->valuestring), reader->error) ==
                 SIZE_MAX)
            status = reader->error->status;
        else
            last = item->valuestring;
    }
    cJSON_Delete(array);
    return status;
}

/* The figures are those of this format, in its order; the last ones may be left out. */
static enum status read_figures(const struct reader *reader)
{
    struct survey *survey = reader->survey;
    cJSON *array = read_array(reader, "figures");
    enum status status = STATUS_OK;
    if (!array)
        return reader->error->status;
    const cJSON *item = array->child;
    int f = 0;
    for (; status == STATUS_OK && f < SURVEY_FIGURE_COUNT; f++) {
        const bool named =
            cJSON_IsString(item) &&
            strcmp(item->valuestring, evidence_figure_name((enum survey_figure)f)) == 0;
        if (!named && f < SURVEY_ALWAYS)
            break;
        if (named) {
            status = survey_want(survey, (enum survey_figure)f, reader->error);
            item = item->next;
        }
    }
    if (status == STATUS_OK && (item || f < SURVEY_ALWAYS))
        status = damaged(reader, "the figures of this format");
    cJSON_Delete(array);
    return status;
}

/* ---- Arrays ---- */

static bool has_shape(const struct reader *reader, const struct tensor *tensor, const char *axes)
{
    if (tensor->rank != strlen(axes))
        return false;
    for (size_t i = 0; i < tensor->rank; i++)
        if (tensor->shape[i] != survey_axis(reader->survey, axes[i]))
            return false;
    return true;
}

static enum status read_numbers(const struct reader *reader, const struct survey_array *array)
{
    const struct tensor *tensor = safetensors_find(reader->file, array->name);
    const size_t numbers = survey_array_numbers(reader->survey, array);
    if (!tensor)
        return error_set(reader->error, STATUS_FORMAT, "%s: expected an array \"%s\", found none",
                         reader->path, array->name);
    if (strcmp(tensor->type_name, "I64") != 0 || !has_shape(reader, tensor, array->axes))
        return tensor_refuse(tensor, STATUS_FORMAT, reader->error,
                             "expected I64 of the shape [%s] of the survey's names", array->axes);
    for (size_t part = 0; numbers > 0 && part < survey_array_parts(reader->survey, array); part++)
        memcpy(array->part(reader->survey, part), tensor->data + part * numbers * sizeof(int64_t),
               numbers * sizeof(int64_t));
    return STATUS_OK;
}

/* A string that ends within the tensor; *at moves behind it. NULL if there is none. */
static const char *next_string(const struct tensor *tensor, size_t *at)
{
    const char *string = (const char *)tensor->data + *at;
    const char *end = memchr(string, '\0', tensor->size - *at);
    if (!end)
        return NULL;
    *at += (size_t)(end - string) + 1;
    return string;
}

/* The length of an array of one axis; SIZE_MAX if there is none of that name. */
static size_t length_of(const struct reader *reader, const char *name)
{
    const struct tensor *tensor = safetensors_find(reader->file, name);
    return tensor && strcmp(tensor->type_name, "I64") == 0 && tensor->rank == 1 ? tensor->shape[0]
                                                                                : SIZE_MAX;
}

/* More ids than any vocabulary has. */
#define IDS_MAX ((int64_t)1 << 24)

static enum status read_pieces(const struct reader *reader, const struct tensor *strings,
                               size_t *at)
{
    const size_t count = length_of(reader, "pieces.id");
    for (size_t n = 0; n < count; n++) {
        int64_t id = -1;
        const char *name = count < SIZE_MAX ? next_string(strings, at) : NULL;
        if (name)
            memcpy(&id, safetensors_find(reader->file, "pieces.id")->data + n * sizeof id,
                   sizeof id);
        if (id < 0 || id >= IDS_MAX)
            return damaged(reader, "word pieces");
        const size_t place = survey_piece_index(reader->survey, (int32_t)id, name, reader->error);
        if (place == SIZE_MAX)
            return reader->error->status;
        if (place != n)
            return damaged(reader, "each word piece once");
    }
    return STATUS_OK;
}

static enum status read_texts(const struct reader *reader, const struct tensor *strings, size_t *at)
{
    const size_t count = length_of(reader, "texts.number");
    for (size_t k = 0; k < count; k++) {
        const char *id = count < SIZE_MAX ? next_string(strings, at) : NULL;
        const char *words = id ? next_string(strings, at) : NULL;
        const struct survey_text text = {.id = (char *)id, .words = (char *)words};
        if (!words)
            return damaged(reader, "texts of its examples");
        if (survey_keep(reader->survey, &text, reader->error) == SIZE_MAX)
            return reader->error->status;
    }
    return STATUS_OK;
}

/* In the order of write_strings. */
static enum status read_strings(const struct reader *reader)
{
    const struct tensor *strings = safetensors_find(reader->file, SURVEY_STRINGS);
    size_t at = 0;
    if (!strings || strcmp(strings->type_name, "U8") != 0)
        return damaged(reader, "its strings");
    if (read_pieces(reader, strings, &at) != STATUS_OK ||
        read_texts(reader, strings, &at) != STATUS_OK)
        return reader->error->status;
    return at == strings->size ? STATUS_OK : damaged(reader, "no more strings than names");
}

/* An example is of a text that is there; words are numbered from 0. */
static bool is_example(const struct survey *survey, const struct survey_example *example)
{
    return example->weight == 0 ||
           (example->weight > 0 && example->weight <= 2 * (int64_t)SURVEY_UNIT &&
            example->text >= 0 && (uint64_t)example->text < survey->kept_count &&
            example->from >= 0 && example->to >= 0);
}

/* What is counted, or a sum of weights: none is negative. Of a pair the fraction is one. */
static bool is_sum(const struct survey *survey, const struct survey_array *array)
{
    const size_t numbers = survey_array_numbers(survey, array);
    const bool pairs = strchr(array->axes, '2') != NULL;
    bool fine = true;
    for (size_t part = 0; numbers > 0 && part < survey_array_parts(survey, array); part++)
        for (size_t i = pairs; i < numbers; i += 1 + pairs) {
            const int64_t number = array->part(survey, part)[i];
            fine &= number >= 0 && (!pairs || number < (int64_t)1 << SURVEY_FRACTION);
        }
    return fine;
}

/* No part is more than its whole, of which a hundredfold fits. */
static bool is_relation(const struct survey *survey, const struct survey_relation *relation)
{
    bool fine = relation->count <= (int64_t)1 << 53;
    for (size_t i = 0; i < 2 * survey->layers * survey->heads; i++)
        fine &= relation->dependent[i] <= relation->count;
    for (size_t i = 0; i <= SURVEY_OFFSET_FAR; i++)
        fine &= relation->offsets[i] <= relation->count;
    return fine;
}

/* Everything that is used as an index, or divided by. */
static enum status check_numbers(const struct reader *reader)
{
    const struct survey *survey = reader->survey;
    bool fine = true;
    for (size_t i = 0; i < survey_example_count(survey); i++)
        fine &= is_example(survey, survey_example_at(survey, i));
    for (size_t k = 0; k < survey->kept_count; k++)
        fine &= survey->kept[k].corpus < survey->corpus_count;
    for (size_t f = 0; f < SURVEY_FIGURE_COUNT; f++)
        fine &= survey->figures[f].rows >= 0;
    for (size_t i = 0; i < SURVEY_COUNTS; i++)
        fine &= survey->counts[i] >= 0;
    for (size_t r = 0; r < survey->relation_count; r++)
        fine &= is_relation(survey, &survey->relations[r]);
    fine &= survey->counts[SURVEY_FLIPPED] <= survey->counts[SURVEY_ANSWERS];
    for (size_t i = 0; i < survey_array_count; i++) {
        const struct survey_array *array = &survey_arrays[i];
        const bool any = strcmp(array->name, "figures.sum") == 0 || array->axes[0] == 'V';
        fine &= any || !array->added || is_sum(survey, array);
    }
    return fine ? STATUS_OK : damaged(reader, "numbers that a survey can have");
}

/* ---- All of it ---- */

/* The most of each that a model may have (config.h): their product fits. */
#define AXIS_MAX 4096

static enum status read_counts(struct reader *reader)
{
    const char *text = safetensors_metadata(reader->file, "counts");
    cJSON *object = NULL;
    int64_t layers = 0, heads = 0;
    if (!text)
        return damaged(reader, "its counts in the metadata");
    if (json_parse_object(text, strlen(text), reader->path, &object, reader->error) != STATUS_OK)
        return reader->error->status;
    bool fine = read_number(object, "layers", &layers) && read_number(object, "heads", &heads) &&
                layers > 0 && layers <= AXIS_MAX && heads > 0 && heads <= AXIS_MAX;
    enum status status = STATUS_OK;
    if (fine)
        status = survey_new((size_t)layers, (size_t)heads, &reader->survey, reader->error);
    for (size_t i = 0; status == STATUS_OK && i < SURVEY_TOTALS; i++)
        fine = fine && read_number(object, survey_total_names[i], &reader->survey->totals[i]);
    cJSON_Delete(object);
    return fine ? status : damaged(reader, "its counts in the metadata");
}

/* The one that can be read. */
static enum status check_format(const struct reader *reader)
{
    char name[40];
    format_cut(name, sizeof name, SURVEY_MARK("%s"), reader->kind);
    const char *format = safetensors_metadata(reader->file, name);
    if (!format)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected %s %s, found other tensors: --%s FILE writes one",
                         reader->path, *reader->kind == 'i' ? "an" : "a", reader->kind,
                         reader->kind);
    format_cut(name, sizeof name, "%d", survey_format(reader->kind));
    if (strcmp(format, name) != 0)
        return error_set(reader->error, STATUS_UNSUPPORTED,
                         "%s: expected format %s, found format %.20s: headlight --texts FILE --%s "
                         "%s makes it anew",
                         reader->path, name, format, reader->kind, reader->path);
    return STATUS_OK;
}

static enum status read_metadata(struct reader *reader)
{
    if (check_format(reader) != STATUS_OK || read_counts(reader) != STATUS_OK ||
        read_origin(reader) != STATUS_OK || read_corpora(reader) != STATUS_OK ||
        read_names(reader, "relations", survey_relation_index) != STATUS_OK)
        return reader->error->status;
    return read_names(reader, "pos", survey_pos_index);
}

enum status survey_read_metadata(struct safetensors *file, const char *path, const char *kind,
                                 struct survey **survey, struct error *error)
{
    struct reader reader = {.file = file, .path = path, .kind = kind, .error = error};
    const enum status status = read_metadata(&reader);
    *survey = reader.survey;
    return status;
}

/* Names come before the arrays whose axes they are. */
static enum status read_survey(struct reader *reader)
{
    if (read_metadata(reader) != STATUS_OK || read_figures(reader) != STATUS_OK ||
        read_strings(reader) != STATUS_OK)
        return reader->error->status;
    for (size_t i = 0; i < survey_array_count; i++)
        if (survey_array_is_there(reader->survey, &survey_arrays[i]) &&
            read_numbers(reader, &survey_arrays[i]) != STATUS_OK)
            return reader->error->status;
    return check_numbers(reader);
}

static enum status open_reader(struct reader *reader)
{
    if (mapping_open(&reader->mapping, reader->path, reader->error) != STATUS_OK)
        return reader->error->status;
    return safetensors_parse(reader->mapping.bytes, reader->mapping.size, reader->path,
                             &reader->file, reader->error);
}

static void close_reader(struct reader *reader)
{
    safetensors_free(reader->file);
    mapping_close(&reader->mapping);
}

enum status survey_read(const char *path, struct survey **survey, struct error *error)
{
    struct reader reader = {.path = path, .kind = "survey", .error = error};
    enum status status = open_reader(&reader);
    if (status == STATUS_OK)
        status = mapping_check(&reader.mapping, read_survey(&reader), error);
    close_reader(&reader);
    if (status != STATUS_OK) {
        survey_free(reader.survey);
        reader.survey = NULL;
    }
    *survey = reader.survey;
    return status;
}

static bool has_mark(const char *path, const char *mark)
{
    struct error error;
    struct reader reader = {.path = path, .error = &error};
    const bool found =
        open_reader(&reader) == STATUS_OK && safetensors_metadata(reader.file, mark) != NULL;
    close_reader(&reader);
    return found;
}

bool survey_is(const char *path)
{
    return has_mark(path, SURVEY_MARK("survey"));
}

bool index_is(const char *path)
{
    return has_mark(path, SURVEY_MARK("index"));
}
