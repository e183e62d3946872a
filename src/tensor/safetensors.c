/* Numbers are used where they lie in the file, which is little-endian. */
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "headlight reads weights in place and needs a little-endian machine"
#endif

#include "headlight/tensor/safetensors.h"

#include "headlight/base/size.h"
#include "headlight/tensor/safetensors_header.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of the length that comes first. */
#define PREFIX 8

struct safetensors {
    char *source;
    struct safetensors_header header; /* its tensors sorted by name */
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tensor *)a)->name, ((const struct tensor *)b)->name);
}

static int by_place(const void *a, const void *b)
{
    const struct tensor *first = a, *second = b;
    if (first->data != second->data)
        return first->data < second->data ? -1 : 1;
    return first->size < second->size ? -1 : first->size > second->size;
}

/* Leaves the tensors sorted by name. Unused bytes between them are allowed: some writers align. */
static enum status check_overlaps(struct safetensors *file, struct error *error)
{
    struct tensor *tensors = file->header.tensors;
    qsort(tensors, file->header.count, sizeof *tensors, by_place);
    for (size_t i = 1; i < file->header.count; i++)
        if (tensors[i - 1].data + tensors[i - 1].size > tensors[i].data)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected tensors that do not overlap, found \"%.200s\" and "
                             "\"%.200s\" in one place",
                             file->source, tensors[i - 1].name, tensors[i].name);
    qsort(tensors, file->header.count, sizeof *tensors, by_name);
    for (size_t i = 1; i < file->header.count; i++)
        if (strcmp(tensors[i - 1].name, tensors[i].name) == 0)
            return error_set(error, STATUS_FORMAT,
                             "%s: expected each tensor once, found \"%.200s\" twice", file->source,
                             tensors[i].name);
    return STATUS_OK;
}

/* Finds the header's end and with it the data. */
static enum status find_data(struct safetensors *file, const unsigned char *bytes, size_t size,
                             size_t *length, struct error *error)
{
    uint64_t found;
    if (size < PREFIX)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a safetensors file, found %zu bytes; is it complete?",
                         file->source, size);
    memcpy(&found, bytes, sizeof found);
    if (found == 0 || found > size - PREFIX || found > SAFETENSORS_HEADER_MAX)
        return error_set(error, STATUS_FORMAT,
                         "%s: expected a safetensors header of 1 to %zu bytes, found a length of "
                         "%llu; is the file complete?",
                         file->source, size_min(size - PREFIX, SAFETENSORS_HEADER_MAX),
                         (unsigned long long)found);
    *length = (size_t)found;
    file->header.data = bytes + PREFIX + *length;
    file->header.data_size = size - PREFIX - *length;
    return STATUS_OK;
}

static enum status read_header(struct safetensors *file, const unsigned char *bytes, size_t size,
                               struct error *error)
{
    size_t length;
    file->header.source = file->source;
    if (find_data(file, bytes, size, &length, error) != STATUS_OK ||
        safetensors_header_read(&file->header, (const char *)bytes + PREFIX, length, error) !=
            STATUS_OK)
        return error->status;
    return check_overlaps(file, error);
}

enum status safetensors_parse(const void *bytes, size_t size, const char *source,
                              struct safetensors **result, struct error *error)
{
    struct safetensors *file = calloc(1, sizeof *file);
    *result = NULL;
    if (!file)
        return error_memory(error, source, sizeof *file);
    file->source = strdup(source);
    if (!file->source) {
        error_memory(error, source, strlen(source) + 1);
        goto fail;
    }
    if (read_header(file, bytes, size, error) != STATUS_OK)
        goto fail;
    *result = file;
    return STATUS_OK;
fail:
    safetensors_free(file);
    return error->status;
}

void safetensors_free(struct safetensors *file)
{
    if (!file)
        return;
    safetensors_header_free(&file->header);
    free(file->source);
    free(file);
}

size_t safetensors_count(const struct safetensors *file)
{
    return file->header.count;
}

const struct tensor *safetensors_at(const struct safetensors *file, size_t index)
{
    return &file->header.tensors[index];
}

const struct tensor *safetensors_find(const struct safetensors *file, const char *name)
{
    const struct tensor wanted = {.name = name};
    return file->header.count == 0
               ? NULL
               : bsearch(&wanted, file->header.tensors, file->header.count, sizeof wanted, by_name);
}

const char *safetensors_metadata(const struct safetensors *file, const char *name)
{
    const char *at = file->header.metadata;
    while (at != file->header.metadata_end) {
        const char *value = at + strlen(at) + 1;
        if (strcmp(at, name) == 0)
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}
