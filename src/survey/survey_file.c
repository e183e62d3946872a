/* survey_file.c: a survey as a safetensors file (survey_file.h), and from one. Whoever reads one
 * may have it from anywhere: every number that is an index is checked here, once. */
#include "headlight/survey/survey_file.h"

#include "headlight/base/writer.h"

const char *const survey_origin_names[] = {
    "model", "model_sha256", "tokenizer_sha256", "kernels", "options", "against_sha256", "site"};
const char *const survey_total_names[] = {
#define TOTAL(code, name) #name,
    SURVEY_TOTALS(TOTAL)
#undef TOTAL
};

/* All names of a row, which lie together. */
static size_t names_size(const struct survey_row *row)
{
    const struct text *last = &row->key.names[SURVEY_NAMES - 1];
    return (size_t)(last->bytes + last->length + 1 - row->key.names[0].bytes);
}

static size_t round_up(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* The numbers of the rows of a kind, their own or those of each head. */
struct array {
    char name[40];
    size_t shape[4], rank; /* of rank 0: there are none */
    size_t begin, width;   /* where they are in a row, and how many */
};

static struct array array_of(const struct survey *survey, enum survey_kind kind, bool heads)
{
    const struct survey_kind_info *info = &survey_kinds[kind];
    const size_t own = info->numbers, all = survey_width(survey, kind);
    struct array array = {.shape = {survey_count(survey, kind), heads ? survey->layers : own,
                                    survey->heads, info->each},
                          .rank = heads ? 4 : 2,
                          .begin = heads ? own : 0,
                          .width = heads ? all - own : own};
    format_cut(array.name, sizeof array.name, "%s%s", info->name, heads ? ".heads" : "");
    if (array.shape[0] * array.width == 0)
        array.rank = 0;
    return array;
}

void survey_add_table(const struct survey *survey, const char *kind,
                      struct safetensors_header *header)
{
    const size_t rows = survey->first[ROW_KINDS];
    char text[128], mark[40];
    size_t bytes = 0;
    format_cut(mark, sizeof mark, SURVEY_MARK("%s"), kind);
    format_cut(text, sizeof text, "%d", SURVEY_FORMAT);
    safetensors_add_text(header, mark, text);
    for (size_t i = 0; i < SURVEY_ORIGINS; i++)
        safetensors_add_text(header, survey_origin_names[i], survey->origin.all[i]);
    format_cut(text, sizeof text, "{\"layers\":%zu,\"heads\":%zu,\"unit\":%d}", survey->layers,
               survey->heads, SURVEY_UNIT);
    safetensors_add_text(header, "counts", text);
    safetensors_add_tensor(header, "keys", "I64", (const size_t[]){rows, SURVEY_NAMES}, 2);
    for (int k = 0; k < 2 * ROW_KINDS; k++) {
        const struct array array = array_of(survey, (enum survey_kind)(k / 2), k % 2);
        if (array.rank > 0)
            safetensors_add_tensor(header, array.name, "I64", array.shape, array.rank);
    }
    safetensors_add_tensor(header, "examples", "I64",
                           (const size_t[]){survey->layers, survey->heads, SURVEY_EXAMPLES, 4}, 4);
    for (size_t i = 0; i < rows; i++)
        bytes += names_size(survey->rows[i]);
    bytes = round_up(bytes);
    safetensors_add_tensor(header, "names", "U8", &bytes, 1);
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
    for (int k = 0; k < 2 * ROW_KINDS; k++) {
        const enum survey_kind kind = (enum survey_kind)(k / 2);
        const struct array array = array_of(survey, kind, k % 2);
        for (size_t i = 0; i < survey_count(survey, kind); i++)
            fwrite(survey_at(survey, kind, i)->numbers + array.begin, sizeof(int64_t), array.width,
                   stream);
    }
    for (size_t i = 0; i < survey->layers * survey->heads * SURVEY_EXAMPLES; i++) {
        const struct survey_example *of = &survey->examples[i];
        const size_t text = of->weight > 0 ? survey_find(survey, &of->text->key) : 0;
        fwrite((const int64_t[]){of->weight, (int64_t)text, of->from, of->to}, sizeof(int64_t), 4,
               stream);
    }
    for (size_t i = 0; i < rows; i++)
        bytes +=
            fwrite(survey->rows[i]->key.names[0].bytes, 1, names_size(survey->rows[i]), stream);
    fwrite((const char[8]){0}, 1, round_up(bytes) - bytes, stream);
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

/* ---- Metadata ---- */

/* The most of each that a model may have (config.h): their product fits. */
#define AXIS_MAX 4096

/* An array of that shape; a length of SIZE_MAX may be any. NULL, with the error set. */
static const struct tensor *find_array(const struct reader *reader, const char *name,
                                       const char *type, const size_t *shape, size_t rank)
{
    const struct tensor *tensor = safetensors_find(reader->file, name);
    bool fine = tensor && strcmp(tensor->type_name, type) == 0 && tensor->rank == rank;
    for (size_t i = 0; fine && i < rank; i++)
        fine = shape[i] == SIZE_MAX || tensor->shape[i] == shape[i];
    if (!tensor)
        error_set(reader->error, STATUS_FORMAT, "%s: expected an array \"%s\", found none",
                  reader->path, name);
    else if (!fine)
        tensor_refuse(tensor, STATUS_FORMAT, reader->error,
                      "expected %s of the shape of the %s's rows", type, reader->kind);
    return fine ? tensor : NULL;
}

/* The format must be the one that can be read; the array of examples has the layers and heads, and
 * bounds the memory that the sums take. */
static enum status read_metadata(struct reader *reader)
{
    const size_t shape[] = {SIZE_MAX, SIZE_MAX, SURVEY_EXAMPLES, 4};
    const char *origin[SURVEY_ORIGINS];
    char name[40];
    format_cut(name, sizeof name, SURVEY_MARK("%s"), reader->kind);
    const char *format = safetensors_metadata(reader->file, name);
    if (!format)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected %s %s, found other tensors: headlight %s writes one",
                         reader->path, *reader->kind == 'i' ? "an" : "a", reader->kind,
                         reader->kind);
    format_cut(name, sizeof name, "%d", SURVEY_FORMAT);
    if (strcmp(format, name) != 0)
        return error_set(reader->error, STATUS_UNSUPPORTED,
                         "%s: expected format %s, found format %.20s: headlight %s TEXTS -o "
                         "%s makes it anew",
                         reader->path, name, format, reader->kind, reader->path);
    const struct tensor *examples = find_array(reader, "examples", "I64", shape, 4);
    if (!examples)
        return STATUS_FORMAT;
    const size_t layers = examples->shape[0], heads = examples->shape[1];
    if (layers > AXIS_MAX || heads > AXIS_MAX || (layers * heads > 0) != (*reader->kind != 'i'))
        return damaged(reader, "layers and heads of a model");
    const char *where = safetensors_metadata(reader->file, "site");
    enum site site = where ? SITE_ENCODER : SITE_ONLY;
    while (site < SITE_COUNT && strcmp(where, site_words[site].name) != 0)
        site++;
    if (where && site == SITE_COUNT)
        return damaged(reader, "the site encoder, decoder or cross");
    if (survey_new(site, layers, heads, &reader->survey, reader->error) != STATUS_OK)
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

/* Rows that every survey has are there; of the others each stands once in its order. */
static enum status read_keys(const struct reader *reader)
{
    struct survey *survey = reader->survey;
    const struct tensor *keys =
        find_array(reader, "keys", "I64", (size_t[]){SIZE_MAX, SURVEY_NAMES}, 2);
    const struct tensor *names = find_array(reader, "names", "U8", (size_t[]){SIZE_MAX}, 1);
    struct survey_key key, last = {0};
    if (!keys || !names)
        return reader->error->status;
    const char *at = (const char *)names->data, *end = at + names->size;
    for (size_t n = 0; n < keys->shape[0]; n++, last = key) {
        int64_t numbers[SURVEY_NAMES];
        memcpy(numbers, keys->data + n * sizeof numbers, sizeof numbers);
        bool fine = numbers[0] >= 0 && numbers[0] < ROW_KINDS;
        key = (struct survey_key){.kind = fine ? (enum survey_kind)numbers[0] : ROW_SHARD,
                                  .numbers = {numbers[1], numbers[2]}};
        for (size_t i = 0; fine && i < SURVEY_NAMES; i++) {
            const char *stop = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
            fine = stop != NULL;
            key.names[i] = (struct text){at, fine ? (size_t)(stop - at) : 0};
            at = fine ? stop + 1 : at;
        }
        if (!fine || (n > 0 && survey_compare_keys(&last, &key) >= 0))
            return damaged(reader, "names in their order");
        const int64_t figure = key.numbers[0];
        if (key.kind == ROW_FIGURE && figure >= 0 && figure < METRIC_COUNT - METRIC_BEGIN &&
            survey_want(survey, METRIC_BEGIN + (enum metric)figure, reader->error) != STATUS_OK)
            return reader->error->status;
        if (key.kind == ROW_SHARD || key.kind >= ROW_RELATION) {
            if (!survey_insert(survey, &key, reader->error))
                return reader->error->status;
        } else if (survey_find(survey, &key) == SIZE_MAX) {
            return damaged(reader, "rows of this format");
        }
    }
    return survey->first[ROW_KINDS] == keys->shape[0]
               ? STATUS_OK
               : damaged(reader, "the figures of this format");
}

/* An example is of a text that is there; words are numbered from 0. */
static enum status read_numbers(const struct reader *reader)
{
    struct survey *survey = reader->survey;
    for (int k = 0; k < 2 * ROW_KINDS; k++) {
        const struct array array = array_of(survey, (enum survey_kind)(k / 2), k % 2);
        const size_t bytes = array.width * sizeof(int64_t);
        if (array.rank == 0)
            continue;
        const struct tensor *rows = find_array(reader, array.name, "I64", array.shape, array.rank);
        if (!rows)
            return reader->error->status;
        for (size_t i = 0; i < array.shape[0]; i++)
            memcpy(survey_at(survey, (enum survey_kind)(k / 2), i)->numbers + array.begin,
                   rows->data + i * bytes, bytes);
    }
    const struct tensor *tensor = safetensors_find(reader->file, "examples");
    for (size_t i = 0; i < survey->layers * survey->heads * SURVEY_EXAMPLES; i++) {
        int64_t numbers[4];
        memcpy(numbers, tensor->data + i * sizeof numbers, sizeof numbers);
        if (numbers[0] == 0)
            continue;
        if (numbers[0] < 0 || numbers[0] > 2 * (int64_t)SURVEY_UNIT || numbers[1] < 0 ||
            (uint64_t)numbers[1] >= survey_count(survey, ROW_TEXT) || numbers[2] < 0 ||
            numbers[3] < 0)
            return damaged(reader, "examples of its texts");
        survey->examples[i] = (struct survey_example){
            numbers[0], survey_at(survey, ROW_TEXT, (size_t)numbers[1]), numbers[2], numbers[3]};
    }
    return STATUS_OK;
}

/* ---- What is used as an index, or divided by ---- */

#define COUNT_MOST ((int64_t)1 << 53)

/* What is counted, or a sum of weights, is never negative; a figure's sum, products or cosines may
 * be. Of both of its pairs the second is a fraction; of a relation no part is more than the whole,
 * of which a hundredfold fits. Shards are of some corpus, all of one of as many; of answers no more
 * differ than there are. */
static enum status check_numbers(const struct reader *reader)
{
    const struct survey *survey = reader->survey;
    int64_t totals[SURVEY_TOTAL_COUNT] = {0};
    bool fine = survey_count(survey, ROW_SHARD) > 0;
    for (size_t r = 0; r < survey->first[ROW_KINDS]; r++) {
        const struct survey_row *row = survey->rows[r];
        const enum survey_kind kind = row->key.kind;
        const size_t own = survey_kinds[kind].numbers, each = survey_kinds[kind].each;
        fine &= kind != ROW_RELATION || row->numbers[0] <= COUNT_MOST;
        for (size_t i = 0; i < survey_width(survey, kind); i++) {
            const int64_t number = row->numbers[i];
            const bool figure = kind == ROW_FIGURE && i >= own;
            const size_t k = figure ? (i - own) % each : 0;
            const bool any = figure ? k == 0 || k % 2 == 1
                                    : kind == ROW_COSINES || (kind == ROW_SHARD && i == SURVEY_IDS);
            fine &= any || (number >= 0 && (!figure || number < (int64_t)1 << SURVEY_FRACTION));
            fine &= kind != ROW_RELATION || number <= row->numbers[0];
        }
    }
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
    if (survey_figure(survey, METRIC_MOVED)) {
        const int64_t *counts = survey_at(survey, ROW_COMPARED, 0)->numbers;
        fine &= counts[SURVEY_FLIPPED] <= counts[SURVEY_ANSWERS];
    }
    return fine ? STATUS_OK : damaged(reader, "numbers that a survey can have");
}

/* ---- All of it ---- */

enum status survey_read_table(struct safetensors *file, const char *path, const char *kind,
                              struct survey **survey, struct error *error)
{
    struct reader reader = {.file = file, .path = path, .kind = kind, .error = error};
    const bool fine = read_metadata(&reader) == STATUS_OK && read_keys(&reader) == STATUS_OK &&
                      read_numbers(&reader) == STATUS_OK && check_numbers(&reader) == STATUS_OK;
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
    char mark[40];
    struct error error;
    struct safetensors *file = NULL;
    format_cut(mark, sizeof mark, SURVEY_MARK("%s"), kind);
    const bool found = path && safetensors_open(path, &file, &error) == STATUS_OK &&
                       safetensors_metadata(file, mark) != NULL;
    safetensors_free(file);
    return found;
}
