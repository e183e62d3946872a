#include "model_helpers.h"

#include "headlight/base/writer.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/predict.h"

#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct error error;

/* ---- Folders ------------------------------------------------------------------------------ */

void folder_make(struct folder *folder)
{
    const char *root = getenv("TMPDIR");
    if (!root || strlen(root) > 32)
        root = "/tmp";
    snprintf(folder->path, sizeof folder->path, "%s/headlight-test-XXXXXX", root);
    ck_assert_ptr_nonnull(mkdtemp(folder->path));
}

struct folder folder_below(const struct folder *folder, const char *name)
{
    struct folder below;
    snprintf(below.path, sizeof below.path, "%.54s/%.8s", folder->path, name);
    return below;
}

char *in_folder(const struct folder *folder, const char *name)
{
    char *path = path_join(folder->path, name);
    ck_assert_ptr_nonnull(path);
    return path;
}

void folder_remove(const struct folder *folder)
{
    DIR *directory = opendir(folder->path);
    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char *path = path_join(folder->path, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(path) != 0) {
            const struct folder below = folder_below(folder, entry->d_name);
            folder_remove(&below);
        }
        free(path);
    }
    closedir(directory);
    ck_assert_int_eq(rmdir(folder->path), 0);
}

void folder_write(const struct folder *folder, const char *name, const void *bytes, size_t size)
{
    char *path = path_join(folder->path, name);
    FILE *stream = fopen(path, "wb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
    ck_assert_int_eq(fclose(stream), 0);
    free(path);
}

int folder_count(const struct folder *folder)
{
    int count = 0;
    DIR *directory = opendir(folder->path);
    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

void folder_copy(const struct folder *folder, const char *from, const char *name)
{
    char *path = path_join(from, name), *text;
    size_t length;
    assert_ok(file_read(path, (size_t)1 << 30, &text, &length, &error), error);
    folder_write(folder, name, text, length);
    free(text);
    free(path);
}

/* ---- Checkpoints -------------------------------------------------------------------------- */

static void copy_part(struct part *part, const struct tensor *tensor)
{
    snprintf(part->name, sizeof part->name, "%s", tensor->name);
    snprintf(part->type, sizeof part->type, "%s", tensor->type_name);
    part->rank = tensor->rank;
    memcpy(part->shape, tensor->shape, sizeof part->shape);
    part->size = tensor->size;
    part->data = malloc(tensor->size + 1);
    ck_assert_ptr_nonnull(part->data);
    memcpy(part->data, tensor->data, tensor->size);
}

void parts_read(struct parts *parts, const char *path)
{
    struct safetensors *file;
    assert_ok(safetensors_open(path, &file, &error), error);
    parts->metadata = NULL;
    parts->count = file->count;
    parts->part = calloc(parts->count, sizeof *parts->part);
    for (size_t i = 0; i < parts->count; i++)
        copy_part(&parts->part[i], &file->tensors[i]);
    safetensors_free(file);
}

void parts_free(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        free(parts->part[i].data);
    free(parts->part);
    *parts = (struct parts){0};
}

struct part *parts_add(struct parts *parts, const char *name, const char *type, const size_t *shape)
{
    struct part part = {.size = 1}; /* that of I8 and BOOL */
    if (strstr(type, "16"))
        part.size = 2;
    else if (strstr(type, "32"))
        part.size = 4;
    else if (strstr(type, "64"))
        part.size = 8;
    snprintf(part.name, sizeof part.name, "%s", name);
    snprintf(part.type, sizeof part.type, "%s", type);
    for (; shape[part.rank] > 0; part.rank++) {
        part.shape[part.rank] = shape[part.rank];
        part.size *= shape[part.rank];
    }
    part.data = calloc(1, part.size + 1);
    parts->part = realloc(parts->part, (parts->count + 1) * sizeof *parts->part);
    ck_assert(part.data && parts->part);
    parts->part[parts->count] = part;
    return &parts->part[parts->count++];
}

struct part *parts_find(const struct parts *parts, const char *name)
{
    for (size_t i = 0; i < parts->count; i++)
        if (strcmp(parts->part[i].name, name) == 0)
            return &parts->part[i];
    ck_abort_msg("no tensor %s", name);
    return NULL;
}

void parts_drop(struct parts *parts, const char *name)
{
    struct part *part = parts_find(parts, name);
    free(part->data);
    *part = parts->part[--parts->count];
}

void parts_drop_all(struct parts *parts, const char *beginning)
{
    size_t before = parts->count;
    for (size_t i = parts->count; i-- > 0;)
        if (strncmp(parts->part[i].name, beginning, strlen(beginning)) == 0)
            parts_drop(parts, parts->part[i].name);
    ck_assert_uint_lt(parts->count, before);
}

void parts_take_tiny(struct parts *parts, struct folder *folder)
{
    folder_make(folder);
    folder_copy(folder, TINY_FOLDER, "config.json");
    parts_read(parts, TINY_FOLDER "/model.safetensors");
}

void parts_rename(struct parts *parts, const char *from, const char *to)
{
    for (size_t i = 0; i < parts->count; i++) {
        char *name = parts->part[i].name, renamed[sizeof parts->part[i].name];
        const char *at = strstr(name, from);
        if (!at)
            continue;
        int length = snprintf(renamed, sizeof renamed, "%.*s%s%s", (int)(at - name), name, to,
                              at + strlen(from));
        ck_assert_int_lt(length, (int)sizeof renamed);
        memcpy(name, renamed, sizeof renamed);
    }
}

/* Every positive value of a 16-bit type that is finite, ascending. */
struct halves {
    int count;
    double value[0x8000];
};

static const struct halves *halves_of(bool f16)
{
    static struct halves all[2];
    struct halves *halves = &all[f16];
    if (halves->count == 0)
        for (int i = 0; i <= (f16 ? 0x7BFF : 0x7F7F); i++)
            halves->value[halves->count++] =
                f16 ? value_of_f16((uint16_t)i) : value_of_bf16((uint16_t)i);
    return halves;
}

/* Searches all the values for the nearest: slow, and beyond doubt. Ties go to the even one. */
static uint16_t nearest_half(float number, const struct halves *halves)
{
    uint16_t best = 0, sign = signbit(number) ? 0x8000 : 0;
    int low = 0, high = halves->count - 1;
    double wanted = fabs((double)number);
    while (low < high) { /* the largest one that is not above */
        int middle = (low + high + 1) / 2;
        if (halves->value[middle] <= wanted)
            low = middle;
        else
            high = middle - 1;
    }
    best = (uint16_t)low;
    double below = wanted - halves->value[low];
    double above = low + 1 < halves->count ? halves->value[low + 1] - wanted : INFINITY;
    if (above < below || (above == below && (best & 1)))
        best++;
    return best | sign;
}

void parts_narrow(struct parts *parts, const char *type)
{
    const struct halves *halves = halves_of(strcmp(type, "F16") == 0);
    for (size_t i = 0; i < parts->count; i++) {
        struct part *part = &parts->part[i];
        size_t count = part->size / sizeof(float);
        for (size_t j = 0; j < count; j++) {
            float number;
            memcpy(&number, part->data + j * sizeof number, sizeof number);
            uint16_t half = nearest_half(number, halves);
            memcpy(part->data + j * sizeof half, &half, sizeof half);
        }
        part->size = count * sizeof(uint16_t);
        snprintf(part->type, sizeof part->type, "%s", type);
    }
}

void parts_widen(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        struct part *part = &parts->part[i];
        bool f16 = strcmp(part->type, "F16") == 0;
        size_t count = part->size / sizeof(uint16_t);
        part->data = realloc(part->data, count * sizeof(float) + 1);
        ck_assert_ptr_nonnull(part->data);
        for (size_t j = count; j-- > 0;) {
            uint16_t half;
            memcpy(&half, part->data + j * sizeof half, sizeof half);
            float number = (float)(f16 ? value_of_f16(half) : value_of_bf16(half));
            memcpy(part->data + j * sizeof number, &number, sizeof number);
        }
        part->size = count * sizeof(float);
        snprintf(part->type, sizeof part->type, "F32");
    }
}

static void write_header(FILE *stream, const char *metadata, const struct part *part, size_t count)
{
    size_t offset = 0;
    fprintf(stream, "{\"__metadata__\":%s", metadata ? metadata : "{\"format\":\"pt\"}");
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", part[i].name, part[i].type);
        for (size_t j = 0; j < part[i].rank; j++)
            fprintf(stream, j == 0 ? "%zu" : ",%zu", part[i].shape[j]);
        fprintf(stream, "],\"data_offsets\":[%zu,%zu]}", offset, offset + part[i].size);
        offset += part[i].size;
    }
    fprintf(stream, "}");
}

static char *make_file(const struct parts *parts, size_t first, size_t count, size_t shift,
                       size_t *length)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    ck_assert_ptr_nonnull(stream);
    fprintf(stream, "%8s", "");
    write_header(stream, parts->metadata, parts->part + first, count);
    while (ftell(stream) % 8 != (long)shift)
        fputc(' ', stream);
    uint64_t header = (uint64_t)ftell(stream) - 8;
    for (size_t i = first; i < first + count; i++)
        fwrite(parts->part[i].data, 1, parts->part[i].size, stream);
    ck_assert_int_eq(fclose(stream), 0);
    memcpy(text, &header, sizeof header);
    return text;
}

void parts_write(const struct parts *parts, size_t first, size_t count, size_t shift,
                 const struct folder *folder, const char *name)
{
    size_t length = 0;
    char *text = make_file(parts, first, count, shift, &length);
    folder_write(folder, name, text, length);
    free(text);
}

unsigned char *parts_bytes(const struct parts *parts, size_t shift, size_t *size)
{
    char *text = make_file(parts, 0, parts->count, shift, size);
    unsigned char *bytes = malloc(*size); /* a stream's buffer may be larger */
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, text, *size);
    free(text);
    return bytes;
}

static void take_head(struct parts *parts, const char *path, const char *beginning)
{
    struct parts other;
    parts_read(&other, path);
    for (size_t i = 0; i < other.count; i++) {
        const struct part *from = &other.part[i];
        size_t shape[TENSOR_RANK_MAX + 1] = {0};
        if (strncmp(from->name, beginning, strlen(beginning)) != 0)
            continue;
        memcpy(shape, from->shape, from->rank * sizeof *shape);
        memcpy(parts_add(parts, from->name, from->type, shape)->data, from->data, from->size);
    }
    parts_free(&other);
}

void folder_make_several(struct folder *folder)
{
    struct parts parts;
    parts_take_tiny(&parts, folder);
    take_head(&parts, "tests/vectors/heads/seq-bert/model.safetensors", "classifier.");
    take_head(&parts, "tests/vectors/heads/qa-bert/model.safetensors", "qa_outputs.");
    parts_write(&parts, 0, parts.count, 0, folder, "model.safetensors");
    parts_free(&parts);
    folder_copy(folder, TINY_FOLDER, "vocab.txt");
    folder_copy(folder, TINY_FOLDER, "tokenizer_config.json");
    write_tiny_config(folder, ",\"architectures\":[\"BertForSequenceClassification\"],"
                              "\"id2label\":{\"0\":\"cat\",\"1\":\"dog\"}");
}

void parts_write_shards(const struct parts *parts, const struct folder *folder)
{
    char *text = NULL;
    size_t length = 0, half = parts->count / 2;
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(stream);
    fprintf(stream, "{\"metadata\":{\"total_size\":1},\"weight_map\":{");
    for (size_t i = 0; i < parts->count; i++)
        fprintf(stream, "%s\"%s\":\"%s.safetensors\"", i == 0 ? "" : ",", parts->part[i].name,
                i < half ? "one" : "two");
    fprintf(stream, "}}");
    ck_assert_int_eq(fclose(stream), 0);
    parts_write(parts, 0, half, 0, folder, "one.safetensors");
    parts_write(parts, half, parts->count - half, 0, folder, "two.safetensors");
    folder_write(folder, "model.safetensors.index.json", text, length);
    free(text);
}

void write_tiny_config(const struct folder *folder, const char *more)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"model_type\":\"bert\",\"vocab_size\":101,\"hidden_size\":32,"
             "\"num_hidden_layers\":3,\"num_attention_heads\":4,\"intermediate_size\":64,"
             "\"max_position_embeddings\":64%s}",
             more);
    folder_write(folder, "config.json", text, strlen(text));
}

void assert_text(const char *path, const char *expected)
{
    char *text;
    size_t length;
    assert_ok(file_read(path, 1 << 20, &text, &length, &error), error);
    ck_assert_str_eq(text, expected);
    free(text);
}

void interrupt_copy(void)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        writer_interrupted();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

size_t best_pieces(const struct trace *trace, size_t token, struct prediction *best, size_t count)
{
    const size_t V = trace->vocabulary;
    const float *logits = trace_words(trace) ? trace_words(trace) + token * V : NULL;
    return logits ? predict_best(logits, V, predict_total(logits, V, NULL), best, count) : 0;
}

enum status effects_of_word(const struct model *model, const struct trace *trace, size_t token,
                            int32_t id, const struct watch *watch, struct effects **effects,
                            struct error *why)
{
    const struct target_source source = {.model = model, .trace = trace, .heads = trace};
    return effects_measure(&source, &(struct target){OUTPUT_MLM, token, .id = id}, watch, effects,
                           why);
}

struct token_side labelled_side(size_t count, size_t boundary, const char *const *labels,
                                const bool *special)
{
    static bool remembered[16][64];
    static size_t made;
    bool *continues = remembered[made++ % 16];
    ck_assert_uint_le(count, 64);
    enum word_marks marks = words_find(labels, special, count, boundary, continues);
    return (struct token_side){count, boundary, labels, special, special, continues, marks};
}
