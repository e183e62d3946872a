/* safetensors.c: checks the header of a safetensors file, and writes one. Files come from anywhere,
 * so every length, offset and product is checked here once, and whoever reads a tensor need not ask
 * again. Numbers are used where they lie in the file, which is little-endian. */
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "headlight reads weights in place and needs a little-endian machine"
#endif

#include "headlight/tensor/safetensors.h"

#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"

/* The length field at the beginning. */
#define PREFIX 8

/* Numbers that were made of a file's own. */
struct safetensors_buffer {
    struct safetensors_buffer *next;
    _Alignas(8) unsigned char bytes[];
};

/* The types that are read somewhere, and their bytes. Checkpoints hold tensors of others beside the
 * weights: those are accepted, whatever size they have. */
static const struct {
    const char *name;
    size_t bytes;
} types[] = {
    [TENSOR_F32] = {"F32", 4}, [TENSOR_F16] = {"F16", 2}, [TENSOR_BF16] = {"BF16", 2},
    [TENSOR_OTHER] = {"", 0},  [TENSOR_F64] = {"F64", 8}, [TENSOR_I64] = {"I64", 8},
    [TENSOR_I32] = {"I32", 4}, [TENSOR_U8] = {"U8", 1},
};

static enum tensor_type type_named(const char *name)
{
    for (size_t i = 0; i < LENGTH(types); i++)
        if (strcmp(name, types[i].name) == 0)
            return (enum tensor_type)i;
    return TENSOR_OTHER;
}

/* ---- One tensor ---------------------------------------------------------------------------- */

/* The name may be anything a JSON string holds, so the message has only its beginning. */
enum status tensor_refuse(const struct tensor *tensor, enum status status, struct error *error,
                          const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(error, status, "%s: tensor \"%.200s\": %s", tensor->source, tensor->name,
                     what);
}

enum status tensor_expect(const struct tensor *tensor, const size_t *shape, size_t rank,
                          struct error *error)
{
    char want[TENSOR_RANK_MAX * 24], have[TENSOR_RANK_MAX * 24];
    if (tensor->rank == rank && memcmp(tensor->shape, shape, rank * sizeof *shape) == 0)
        return tensor->type < TENSOR_OTHER
                   ? STATUS_OK
                   : tensor_refuse(tensor, STATUS_UNSUPPORTED, error,
                                   "expected F32, F16, BF16 or F64, found %.40s",
                                   tensor->type_name);
    format_shape(want, sizeof want, shape, rank);
    format_shape(have, sizeof have, tensor->shape, tensor->rank);
    return tensor_refuse(tensor, STATUS_MISMATCH, error,
                         "expected the shape %s that config.json gives, found %s", want, have);
}

/* The name and the source are set first, for messages. The size is that of one element until the
 * shape is known: a scalar has no axes; an axis of 0 makes a tensor of no bytes. */
static enum status read_tensor(const struct safetensors *file, const cJSON *entry,
                               struct tensor *tensor, struct error *error)
{
    *tensor = (struct tensor){.name = entry->string, .source = file->source};
    size_t begin = 0, end = 0;
    const cJSON *dtype = json_member(entry, "dtype"), *shape = json_member(entry, "shape"),
                *offsets = json_member(entry, "data_offsets");
    const char *expected = !cJSON_IsObject(entry)   ? "an object"
                           : !cJSON_IsString(dtype) ? "a string for \"dtype\""
                           : !cJSON_IsArray(shape)  ? "an array for \"shape\""
                           : !cJSON_IsArray(offsets) || cJSON_GetArraySize(offsets) != 2 ||
                                   !json_is_size(offsets->child, &begin) ||
                                   !json_is_size(offsets->child->next, &end)
                               ? "two whole numbers for \"data_offsets\""
                               : NULL;
    if (!expected) {
        tensor->type_name = dtype->valuestring;
        tensor->type = type_named(tensor->type_name);
        tensor->size = types[tensor->type].bytes;
    }
    for (const cJSON *axis = expected ? NULL : shape->child; axis && !expected; axis = axis->next) {
        size_t *extent = &tensor->shape[tensor->rank];
        expected = tensor->rank++ == TENSOR_RANK_MAX ? "at most 8 axes in \"shape\""
                   : !json_is_size(axis, extent)     ? "whole numbers in \"shape\""
                   : !size_multiply(tensor->size, *extent, &tensor->size)
                       ? "a \"shape\" that fits into memory"
                       : NULL;
    }
    if (expected)
        return tensor_refuse(tensor, STATUS_FORMAT, error, "expected %s", expected);
    /* the bytes have to be exactly those that type and shape need: anything else is another type
     * than the header says, or a file that was cut off */
    if (begin > end || end > file->data_size)
        return tensor_refuse(
            tensor, STATUS_FORMAT, error,
            "expected \"data_offsets\" within %zu bytes of data, found %zu to %zu; "
            "is the file complete?",
            file->data_size, begin, end);
    if (tensor->type == TENSOR_OTHER)
        tensor->size = end - begin;
    if (end - begin != tensor->size)
        return tensor_refuse(tensor, STATUS_FORMAT, error,
                             "expected %zu bytes for its \"shape\" and \"dtype\", found %zu",
                             tensor->size, end - begin);
    tensor->data = file->data + begin;
    return STATUS_OK;
}

/* ---- All of them --------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tensor *)a)->name, ((const struct tensor *)b)->name);
}

/* Of two at one place the smaller comes first: an empty tensor overlaps nothing. */
static int by_position(const void *a, const void *b)
{
    const struct tensor *first = a, *second = b;
    if (first->data != second->data)
        return first->data < second->data ? -1 : 1;
    return first->size < second->size ? -1 : first->size > second->size;
}

/* The format only allows strings here, and at most one such object. */
static enum status read_metadata(struct safetensors *file, const cJSON *entry, struct error *error)
{
    const cJSON *value;
    if (cJSON_IsNull(entry))
        return STATUS_OK;
    if (!cJSON_IsObject(entry) || file->metadata)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected one object of strings for \"__metadata__\", found %s",
                         file->source, file->metadata ? "two" : "another value");
    cJSON_ArrayForEach(value, entry)
    {
        if (!cJSON_IsString(value))
            return error_set(error, STATUS_FORMAT,
                             "%s: expected a string for \"%.200s\" in \"__metadata__\", found "
                             "another value",
                             file->source, value->string);
    }
    file->metadata = entry;
    return STATUS_OK;
}

/* The order in the header means nothing; "__metadata__" is no tensor. Tensors are sorted by name in
 * the end. Gaps between them are allowed: some writers align. */
static enum status read_tensors(struct safetensors *file, struct error *error)
{
    const cJSON *entry;
    size_t capacity = 1;
    cJSON_ArrayForEach(entry, file->header) capacity++;
    file->tensors = memory_new(capacity, sizeof *file->tensors, 0, file->source, error);
    if (!file->tensors)
        return error->status;
    cJSON_ArrayForEach(entry, file->header)
    {
        const bool metadata = strcmp(entry->string, "__metadata__") == 0;
        if ((metadata ? read_metadata(file, entry, error)
                      : read_tensor(file, entry, &file->tensors[file->count], error)) != STATUS_OK)
            return error->status;
        file->count += !metadata;
    }
    struct tensor *tensors = file->tensors;
    qsort(tensors, file->count, sizeof *tensors, by_position);
    for (size_t i = 1; i < file->count; i++)
        if (tensors[i - 1].data + tensors[i - 1].size > tensors[i].data)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected tensors that do not overlap, found \"%.200s\" and "
                             "\"%.200s\" in one place",
                             file->source, tensors[i - 1].name, tensors[i].name);
    qsort(tensors, file->count, sizeof *tensors, by_name);
    for (size_t i = 1; i < file->count; i++)
        if (strcmp(tensors[i - 1].name, tensors[i].name) == 0)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected each tensor once, found \"%.200s\" twice", file->source,
                             tensors[i].name);
    return STATUS_OK;
}

/* Finds the header's end and the data after it. */
static enum status read_header(struct safetensors *file, struct error *error)
{
    const unsigned char *bytes = file->bytes;
    const size_t size = file->size;
    uint64_t length;
    if (size < PREFIX)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a safetensors file, found %zu bytes; is it complete?",
                         file->source, size);
    memcpy(&length, bytes, sizeof length);
    bool text = true; /* whose length is some 10^18 */
    for (size_t i = 0; i < PREFIX; i++)
        text &= bytes[i] >= '\t' && bytes[i] < 127;
    if (text)
        return error_set(error, STATUS_FORMAT, "%s: expected a safetensors file, found text",
                         file->source);
    if (length == 0 || length > size - PREFIX || length > JSON_BYTES_MAX)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a safetensors header of 1 to %zu bytes, found a length of "
                         "%llu; is the file complete?",
                         file->source, size_min(size - PREFIX, JSON_BYTES_MAX),
                         (unsigned long long)length);
    file->data = bytes + PREFIX + (size_t)length;
    file->data_size = size - PREFIX - (size_t)length;
    return json_parse_object((const char *)bytes + PREFIX, (size_t)length, file->source,
                             &file->header, error);
}

/* Of bytes; NULL: of the file. */
static enum status open_file(const void *bytes, size_t size, const char *source,
                             struct safetensors **result, struct error *error)
{
    struct safetensors *file = *result = memory_new(1, sizeof *file, 0, source, error);
    if (!file)
        return error->status;
    file->source = memory_print(error, "%s", source);
    enum status status = file->source ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && !bytes)
        status = mapping_open(&file->mapping, file->source, error);
    file->bytes = bytes ? bytes : file->mapping.bytes;
    file->size = bytes ? size : file->mapping.size;
    if (status == STATUS_OK)
        status = read_header(file, error);
    if (status == STATUS_OK)
        status = read_tensors(file, error);
    status = mapping_check(&file->mapping, status, error);
    if (status != STATUS_OK) {
        safetensors_free(file);
        *result = NULL;
    }
    return status;
}

enum status safetensors_parse(const void *bytes, size_t size, const char *source,
                              struct safetensors **result, struct error *error)
{
    return open_file(bytes ? bytes : "", size, source, result, error);
}

enum status safetensors_open(const char *path, struct safetensors **result, struct error *error)
{
    return open_file(NULL, 0, path, result, error);
}

void *safetensors_buffer(struct safetensors *file, size_t count, size_t each, struct error *error)
{
    struct safetensors_buffer *buffer =
        memory_new(count, each, sizeof *buffer, file->source, error);
    if (!buffer)
        return NULL;
    buffer->next = file->buffers;
    file->buffers = buffer;
    return buffer->bytes;
}

void safetensors_free(struct safetensors *file)
{
    if (!file)
        return;
    for (struct safetensors_buffer *buffer = file->buffers, *next; buffer; buffer = next) {
        next = buffer->next;
        free(buffer);
    }
    cJSON_Delete(file->header);
    free(file->tensors);
    mapping_close(&file->mapping);
    free(file->source);
    free(file);
}

const struct tensor *safetensors_find(const struct safetensors *file, const char *name)
{
    const struct tensor wanted = {.name = name};
    return file->count == 0 ? NULL
                            : bsearch(&wanted, file->tensors, file->count, sizeof wanted, by_name);
}

/* read_metadata has seen to it that every value is a string. */
const char *safetensors_metadata(const struct safetensors *file, const char *name)
{
    const cJSON *value = file->metadata ? json_member(file->metadata, name) : NULL;
    return value ? value->valuestring : NULL;
}

/* ---- Writing ------------------------------------------------------------------------------- */

void safetensors_begin(struct safetensors_header *header)
{
    *header = (struct safetensors_header){.bytes = 0};
    if (buffer_open(&header->buffer))
        fputs("{\"__metadata__\":{", header->buffer.stream);
}

void safetensors_add_text(struct safetensors_header *header, const char *name, const char *value)
{
    FILE *stream = header->buffer.stream;
    if (!stream || !value)
        return;
    fprintf(stream, "%s\"%s\":", header->texts++ > 0 ? "," : "", name);
    json_write_text(stream, value);
}

void safetensors_add_tensor(struct safetensors_header *header, const char *name, const char *type,
                            const size_t *shape, size_t rank)
{
    FILE *stream = header->buffer.stream;
    const size_t begin = header->bytes;
    size_t bytes = types[type_named(type)].bytes;
    if (!stream)
        return;
    fprintf(stream, "%s,\"%s\":{\"dtype\":\"%s\",\"shape\":[", header->tensors++ == 0 ? "}" : "",
            name, type);
    for (size_t i = 0; i < rank; i++) {
        fprintf(stream, "%s%zu", i > 0 ? "," : "", shape[i]);
        bytes *= shape[i];
    }
    header->bytes += bytes;
    fprintf(stream, "],\"data_offsets\":[%zu,%zu]}", begin, header->bytes);
}

enum status safetensors_end(struct safetensors_header *header, FILE *stream, struct error *error)
{
    if (header->buffer.stream) {
        fputs(header->tensors == 0 ? "}}" : "}", header->buffer.stream);
        for (long at = ftell(header->buffer.stream); at % PREFIX != 0; at++)
            fputc(' ', header->buffer.stream);
    }
    char *text = buffer_close(&header->buffer);
    const uint64_t length = header->buffer.length;
    if (text && stream) {
        fwrite(&length, sizeof length, 1, stream);
        fwrite(text, 1, header->buffer.length, stream);
    }
    free(text);
    return text ? STATUS_OK : error_memory(error, "a safetensors header", 4096);
}
