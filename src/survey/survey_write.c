/* survey_write.c: a survey as a safetensors file (survey_file.h). */
#include "headlight/survey/survey_file.h"

#include "headlight/base/format.h"
#include "headlight/base/writer.h"

#include <string.h>

const char *const survey_origin_names[] = {"model",   "model_sha256", "tokenizer_sha256",
                                           "kernels", "options",      "against_sha256"};
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

static void add_tensors(const struct survey *survey, struct safetensors_header *header)
{
    const size_t rows = survey->first[ROW_KINDS], L = survey->layers, A = survey->heads;
    char name[40];
    size_t bytes = 0;
    safetensors_add_tensor(header, "keys", "I64", (const size_t[]){rows, SURVEY_NAMES}, 2);
    for (int kind = 0; kind < ROW_KINDS; kind++) {
        const struct survey_kind_info *info = &survey_kinds[kind];
        const size_t count = survey_count(survey, (enum survey_kind)kind);
        if (count > 0 && info->numbers > 0)
            safetensors_add_tensor(header, info->name, "I64",
                                   (const size_t[]){count, info->numbers}, 2);
        format_cut(name, sizeof name, "%s.heads", info->name);
        if (count * L * A * info->each > 0)
            safetensors_add_tensor(header, name, "I64", (const size_t[]){count, L, A, info->each},
                                   4);
    }
    safetensors_add_tensor(header, "examples", "I64", (const size_t[]){L, A, SURVEY_EXAMPLES, 4},
                           4);
    for (size_t i = 0; i < rows; i++)
        bytes += names_size(survey->rows[i]);
    bytes = round_up(bytes);
    safetensors_add_tensor(header, "names", "U8", &bytes, 1);
}

void survey_add_table(const struct survey *survey, const char *kind,
                      struct safetensors_header *header)
{
    char text[128], mark[40];
    format_cut(mark, sizeof mark, SURVEY_MARK("%s"), kind);
    format_cut(text, sizeof text, "%d", SURVEY_FORMAT);
    safetensors_add_text(header, mark, text);
    for (size_t i = 0; i < SURVEY_ORIGINS; i++)
        if (survey->origin.all[i])
            safetensors_add_text(header, survey_origin_names[i], survey->origin.all[i]);
    format_cut(text, sizeof text, "{\"layers\":%zu,\"heads\":%zu,\"unit\":%d}", survey->layers,
               survey->heads, SURVEY_UNIT);
    safetensors_add_text(header, "counts", text);
    add_tensors(survey, header);
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
    for (int kind = 0; kind < ROW_KINDS; kind++)
        for (int heads = 0; heads < 2; heads++)
            for (size_t i = 0; i < survey_count(survey, (enum survey_kind)kind); i++) {
                const size_t own = survey_kinds[kind].numbers;
                fwrite(survey_at(survey, (enum survey_kind)kind, i)->numbers + (heads ? own : 0),
                       sizeof(int64_t),
                       heads ? survey_width(survey, (enum survey_kind)kind) - own : own, stream);
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
