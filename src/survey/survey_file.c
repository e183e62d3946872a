/* survey_file.c: a survey as a safetensors file (survey_file.h), and from one. Whoever reads one
 * may have it from anywhere: every number that is an index is checked here, once. */
#include "headlight/survey/survey_file.h"

#include "headlight/base/size.h"
#include "headlight/base/writer.h"

#include <stdlib.h>

/* All names of a row, which lie together. */
static size_t names_size(const struct survey_row *row)
{
    const struct text *last = &row->key.names[SURVEY_NAMES - 1];
    return (size_t)(last->bytes + last->length + 1 - row->key.names[0].bytes);
}

/* In a file's metadata it tells a "survey" or an "index" from other tensors. */
static const char *mark_of(const char *kind)
{
    return *kind == 's' ? "headlight_survey" : "headlight_index";
}

static size_t round_up(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

void survey_add_table(const struct survey *survey, const char *kind,
                      struct safetensors_header *header)
{
    const char *const names[] = {mark_of(kind), "layers", "heads", "unit"};
    const size_t rows = survey->first[ROW_KINDS];
    const size_t numbers[] = {SURVEY_FORMAT, survey->layers, survey->heads, SURVEY_UNIT};
    char text[24];
    size_t bytes = 0, count = 0;
    for (size_t i = 0; i < LENGTH(names); i++) {
        format_cut(text, sizeof text, "%zu", numbers[i]);
        safetensors_add_text(header, names[i], text);
    }
    for (size_t i = 0; i < SURVEY_ORIGINS; i++)
        safetensors_add_text(header, survey_origin_names[i], survey->origin.all[i]);
    for (size_t i = 0; i < rows; i++) {
        bytes += names_size(survey->rows[i]);
        count += survey_width(survey, survey->rows[i]->key.kind);
    }
    bytes = round_up(bytes);
    safetensors_add_tensor(header, "keys", "I64", (const size_t[]){rows, SURVEY_NAMES}, 2);
    safetensors_add_tensor(header, "names", "U8", &bytes, 1);
    safetensors_add_tensor(header, "numbers", "I64", &count, 1);
}

void survey_write_table(const struct survey *survey, FILE *stream)
{
    const size_t rows = survey->first[ROW_KINDS];
    size_t bytes = 0;
    for (size_t i = 0; i < rows; i++) {
        const struct survey_key *key = &survey->rows[i]->key;
        fwrite((const int64_t[]){key->kind, key->numbers[0], key->numbers[1]}, sizeof(int64_t),
               SURVEY_NAMES, stream);
    }
    for (size_t i = 0; i < rows; i++)
        bytes +=
            fwrite(survey->rows[i]->key.names[0].bytes, 1, names_size(survey->rows[i]), stream);
    fwrite((const char[8]){0}, 1, round_up(bytes) - bytes, stream);
    for (size_t i = 0; i < rows; i++) {
        const struct survey_row *row = survey->rows[i];
        const size_t width = survey_width(survey, row->key.kind);
        if (row->key.kind != ROW_EXAMPLES)
            fwrite(row->numbers, sizeof(int64_t), width, stream);
        for (size_t k = 0; row->key.kind == ROW_EXAMPLES && k < width / 4; k++) {
            const struct survey_example *of = &survey->examples[k];
            const size_t text = of->weight > 0 ? survey_place(survey, of->text) : 0;
            fwrite((const int64_t[]){of->weight, (int64_t)text, of->from, of->to}, sizeof *of, 1,
                   stream);
        }
    }
}

enum status survey_write(const struct survey *survey, const char *path, struct error *error)
{
    struct writer writer;
    struct safetensors_header header;
    if (writer_open(&writer, path, error) != STATUS_OK)
        return error->status;
    safetensors_begin(&header);
    survey_add_table(survey, "survey", &header);
    const enum status status = safetensors_end(&header, writer.stream, error);
    if (status == STATUS_OK)
        survey_write_table(survey, writer.stream);
    return writer_commit(&writer, status, error);
}

/* ---- Reading ------------------------------------------------------------------------------- */

struct reader {
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

const struct tensor *survey_array(const struct safetensors *file, const char *name,
                                  const char *type, size_t width)
{
    const struct tensor *tensor = safetensors_find(file, name);
    const bool fine = tensor && strcmp(tensor->type_name, type) == 0 &&
                      tensor->rank == 1 + (width > 0) && (width == 0 || tensor->shape[1] == width);
    return fine ? tensor : NULL;
}

/* The most of each that a model may have (config.h): their product fits. */
#define AXIS_MAX 4096

/* The format must be the one that can be read. The file has a row of examples of all layers and
 * heads, which bounds the memory that the sums take. */
static enum status read_metadata(struct reader *reader)
{
    static const char *const axes[] = {"layers", "heads"};
    const bool index = *reader->kind == 'i';
    const char *origin[SURVEY_ORIGINS];
    size_t extents[2];
    char name[24];
    const char *format = safetensors_metadata(reader->file, mark_of(reader->kind));
    if (!format)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected %s %s, found other tensors: headlight %s writes one",
                         reader->path, index ? "an" : "a", reader->kind, reader->kind);
    format_cut(name, sizeof name, "%d", SURVEY_FORMAT);
    if (strcmp(format, name) != 0)
        return error_set(reader->error, STATUS_UNSUPPORTED,
                         "%s: expected format %s, found format %.20s: headlight %s TEXTS -o "
                         "%s makes it anew",
                         reader->path, name, format, reader->kind, reader->path);
    const struct tensor *numbers = survey_array(reader->file, "numbers", "I64", 0);
    for (size_t i = 0; i < LENGTH(axes); i++) {
        const char *extent = safetensors_metadata(reader->file, axes[i]);
        extents[i] = extent ? strtoul(extent, NULL, 10) : SIZE_MAX;
        if (extents[i] > AXIS_MAX || (extents[i] == 0) != index)
            return damaged(reader, "layers and heads of a model");
    }
    if (!numbers || extents[0] * extents[1] > numbers->shape[0] / survey_kinds[ROW_EXAMPLES].each)
        return damaged(reader, "numbers of all heads");
    const char *where = safetensors_metadata(reader->file, "site");
    enum site site = where ? SITE_ENCODER : SITE_ONLY;
    while (site < SITE_COUNT && strcmp(where, site_words[site].name) != 0)
        site++;
    if (where && site == SITE_COUNT)
        return damaged(reader, "the site encoder, decoder or cross");
    if (survey_new(site, extents[0], extents[1], &reader->survey, reader->error) != STATUS_OK)
        return reader->error->status;
    const struct survey_origin *known = &reader->survey->origin;
    for (size_t i = 0; i < SURVEY_ORIGINS; i++) {
        origin[i] = safetensors_metadata(reader->file, survey_origin_names[i]);
        if (!origin[i] && &known->all[i] != &known->against && &known->all[i] != &known->site)
            return damaged(reader, "its model in the metadata");
    }
    return survey_name_origin(reader->survey, origin, reader->error);
}

/* ---- Rows ---- */

#define COUNT_MOST ((int64_t)1 << 53)

/* What is counted, or a sum of weights, is never negative; a figure's sum, products or cosines may
 * be. Of a pair the second is a fraction; of a relation no part is more than the whole, of which a
 * hundredfold fits. */
static bool is_possible(const struct survey *survey, const struct survey_row *row)
{
    const enum survey_kind kind = row->key.kind;
    bool fine = kind != ROW_RELATION || row->numbers[0] <= COUNT_MOST, fraction;
    for (size_t i = 0; fine && i < survey_width(survey, kind); i++) {
        const int64_t number = row->numbers[i];
        const bool pair = survey_is_pair(kind, i, &fraction);
        if (pair && fraction)
            fine = number >= 0 && number < (int64_t)1 << SURVEY_FRACTION;
        else if (!pair && (kind != ROW_FIGURE || i < survey_kinds[kind].numbers) &&
                 kind != ROW_COSINES && (kind != ROW_SHARD || i != SURVEY_DIGEST))
            fine = number >= 0 && (kind != ROW_RELATION || number <= row->numbers[0]);
    }
    return fine;
}

/* One row after the other, each once in its order. Those that every survey has are among them: they
 * are in the table, and it has no more rows than the file. */
static enum status read_rows(const struct reader *reader)
{
    struct survey *survey = reader->survey;
    const struct tensor *keys = survey_array(reader->file, "keys", "I64", SURVEY_NAMES),
                        *names = survey_array(reader->file, "names", "U8", 0),
                        *numbers = safetensors_find(reader->file, "numbers");
    struct survey_key key, last = {0};
    if (!keys || !names)
        return damaged(reader, "keys and names of its rows");
    const char *at = (const char *)names->data, *end = at + names->size;
    size_t offset = 0; /* among the numbers */
    for (size_t n = 0; n < keys->shape[0]; n++, last = key) {
        int64_t of_key[SURVEY_NAMES];
        memcpy(of_key, keys->data + n * sizeof of_key, sizeof of_key);
        bool fine = of_key[0] >= 0 && of_key[0] < ROW_KINDS;
        key = (struct survey_key){.kind = fine ? (enum survey_kind)of_key[0] : ROW_SHARD,
                                  .numbers = {of_key[1], of_key[2]}};
        for (size_t i = 0; fine && i < SURVEY_NAMES; i++) {
            const char *stop = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
            fine = stop != NULL;
            key.names[i] = (struct text){at, fine ? (size_t)(stop - at) : 0};
            at = fine ? stop + 1 : at;
        }
        if (!fine || (n > 0 && survey_compare_keys(&last, &key) >= 0))
            return damaged(reader, "names in their order");
        if ((key.kind == ROW_FIGURE || key.kind == ROW_BESIDE) &&
            (key.numbers[0] < 0 || key.numbers[0] >= METRIC_COUNT - METRIC_BEGIN))
            return damaged(reader, "figures of this format");
        const size_t width = survey_width(survey, key.kind);
        if (width > numbers->shape[0] - offset)
            return damaged(reader, "numbers of all rows");
        struct survey_row *row = survey_insert(survey, &key, reader->error);
        if (!row)
            return reader->error->status;
        memcpy(row->numbers, numbers->data + offset * sizeof(int64_t), width * sizeof(int64_t));
        offset += width;
        if (!is_possible(survey, row))
            return damaged(reader, "numbers that a survey can have");
    }
    return survey->first[ROW_KINDS] == keys->shape[0] && offset == numbers->shape[0]
               ? STATUS_OK
               : damaged(reader, "the rows of this format");
}

/* What is used as an index, or divided by. Shards are of some corpus, all of one of as many; of
 * answers no more differ than there are; an example is of a text that is there. */
static enum status check_rows(const struct reader *reader)
{
    const struct survey *survey = reader->survey;
    int64_t totals[SURVEY_TOTAL_COUNT] = {0};
    bool fine = survey_count(survey, ROW_SHARD) > 0;
    for (size_t i = 0; i < survey_count(survey, ROW_SHARD); i++) {
        const struct survey_row *shard = survey_at(survey, ROW_SHARD, i);
        const struct survey_key *key = &shard->key;
        const struct survey_key *last = i > 0 ? &survey_at(survey, ROW_SHARD, i - 1)->key : key;
        fine &= key->numbers[0] >= 0 && key->numbers[0] < key->numbers[1] &&
                (strcmp(last->names[0].bytes, key->names[0].bytes) != 0 ||
                 last->numbers[1] == key->numbers[1]);
        for (size_t k = 0; fine && k < SURVEY_TOTAL_COUNT; k++)
            fine =
                shard->numbers[k] <= COUNT_MOST && (totals[k] += shard->numbers[k]) <= COUNT_MOST;
    }
    fine &= survey_count(survey, ROW_COSINES) == 0 || survey_count(survey, ROW_COMPARED) > 0;
    for (size_t i = 0; i < survey_count(survey, ROW_COMPARED); i++) {
        const int64_t *counts = survey_at(survey, ROW_COMPARED, i)->numbers;
        fine &= counts[SURVEY_FLIPPED] <= counts[SURVEY_ANSWERS];
    }
    for (size_t i = 0; fine && i < survey->layers * survey->heads * SURVEY_EXAMPLES; i++) {
        struct survey_example *of = &survey->examples[i];
        fine = of->weight == 0 || (of->weight <= 2 * (int64_t)SURVEY_UNIT &&
                                   (uint64_t)of->index < survey_count(survey, ROW_TEXT));
        of->text = fine && of->weight > 0 ? survey_at(survey, ROW_TEXT, (size_t)of->index) : NULL;
    }
    return fine ? STATUS_OK : damaged(reader, "numbers that a survey can have");
}

/* ---- All of it ---- */

enum status survey_read_table(struct safetensors *file, const char *path, const char *kind,
                              struct survey **survey, struct error *error)
{
    struct reader reader = {.file = file, .path = path, .kind = kind, .error = error};
    const bool fine = read_metadata(&reader) == STATUS_OK && read_rows(&reader) == STATUS_OK &&
                      check_rows(&reader) == STATUS_OK;
    *survey = reader.survey;
    return fine ? STATUS_OK : error->status;
}

enum status survey_read(const char *path, struct survey **survey, struct error *error)
{
    struct safetensors *file;
    *survey = NULL;
    if (safetensors_open(path, &file, error) != STATUS_OK)
        return error->status;
    const enum status status = mapping_check(
        &file->mapping, survey_read_table(file, path, "survey", survey, error), error);
    safetensors_free(file);
    if (status != STATUS_OK) {
        survey_free(*survey);
        *survey = NULL;
    }
    return status;
}

bool survey_is(const char *path, const char *kind)
{
    struct error error;
    struct safetensors *file = NULL;
    const bool found = path && safetensors_open(path, &file, &error) == STATUS_OK &&
                       safetensors_metadata(file, mark_of(kind)) != NULL;
    safetensors_free(file);
    return found;
}
