#include "headlight/tensor/safetensors_header.h"

#include "headlight/base/json_scan.h"
#include "headlight/base/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METADATA "__metadata__"

struct reader {
    struct safetensors_header *header;
    struct json_scan scan;
    struct error *error;
};

static const struct {
    const char *name;
    size_t bytes;
    enum tensor_type type;
} types[] = {
    {"F32", 4, TENSOR_F32},       {"F16", 2, TENSOR_F16},       {"BF16", 2, TENSOR_BF16},
    {"F64", 8, TENSOR_OTHER},     {"I64", 8, TENSOR_OTHER},     {"U64", 8, TENSOR_OTHER},
    {"I32", 4, TENSOR_OTHER},     {"U32", 4, TENSOR_OTHER},     {"I16", 2, TENSOR_OTHER},
    {"U16", 2, TENSOR_OTHER},     {"I8", 1, TENSOR_OTHER},      {"U8", 1, TENSOR_OTHER},
    {"BOOL", 1, TENSOR_OTHER},    {"F8_E4M3", 1, TENSOR_OTHER}, {"F8_E5M2", 1, TENSOR_OTHER},
    {"F8_E8M0", 1, TENSOR_OTHER}, {"C64", 8, TENSOR_OTHER},
};

/* ---- What is wrong ------------------------------------------------------------------------ */

#define FOUND_SIZE 64

/* "}" at byte 12 of the JSON header": what stands where the reader has come to. */
static const char *describe(const struct json_scan *scan, char found[FOUND_SIZE])
{
    unsigned char sign = scan->at < scan->length ? (unsigned char)scan->text[scan->at] : 0;
    char what[16];
    if (scan->at >= scan->length)
        snprintf(what, sizeof what, "the end");
    else if (sign == '"')
        snprintf(what, sizeof what, "a string");
    else if (sign > ' ' && sign < 0x7F)
        snprintf(what, sizeof what, "\"%c\"", sign);
    else
        snprintf(what, sizeof what, "0x%02x", sign);
    snprintf(found, FOUND_SIZE, "%s at byte %zu of the JSON header", what, scan->at);
    return found;
}

static enum status not_json(const struct reader *reader, const char *expected)
{
    char found[FOUND_SIZE];
    return error_set(reader->error, STATUS_FORMAT, "%s: expected %s, found %s",
                     reader->header->source, expected, describe(&reader->scan, found));
}

/* The scan's own failure, if it has one. */
static enum status scanned(const struct reader *reader)
{
    return reader->scan.expected ? not_json(reader, reader->scan.expected) : STATUS_OK;
}

/* `found` NULL: what stands there. */
static enum status bad_tensor(const struct reader *reader, const struct tensor *tensor,
                              const char *expected, const char *found)
{
    char there[FOUND_SIZE];
    return error_set(reader->error, STATUS_FORMAT, "%s: tensor \"%.200s\": expected %s, found %s",
                     reader->header->source, tensor->name, expected,
                     found ? found : describe(&reader->scan, there));
}

/* ---- Strings ------------------------------------------------------------------------------ */

/* Where the next string goes; it stays until another one is read, or for good if it is kept. */
static char *next_string(const struct reader *reader)
{
    return reader->header->strings + reader->header->used;
}

static const char *keep_string(struct reader *reader)
{
    const char *string = next_string(reader);
    reader->header->used += strlen(string) + 1;
    return string;
}

/* ---- A tensor ----------------------------------------------------------------------------- */

enum member { DTYPE, SHAPE, OFFSETS, MEMBERS };

static const struct {
    const char *name, *expected;
} members[MEMBERS] = {
    [DTYPE] = {"dtype", "a string for \"dtype\""},
    [SHAPE] = {"shape", "an array for \"shape\""},
    [OFFSETS] = {"data_offsets", "two whole numbers for \"data_offsets\""},
};

struct entry {
    struct tensor tensor;
    bool has[MEMBERS];
    size_t element; /* bytes */
    size_t begin, end;
};

static enum status read_type(struct reader *reader, struct entry *entry)
{
    const char *name = next_string(reader);
    if (!json_scan_sees(&reader->scan, '"'))
        return bad_tensor(reader, &entry->tensor, members[DTYPE].expected, NULL);
    if (!json_scan_string(&reader->scan, next_string(reader)))
        return scanned(reader);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0) {
            entry->tensor.type_name = types[i].name;
            entry->tensor.type = types[i].type;
            entry->element = types[i].bytes;
            return STATUS_OK;
        }
    return error_set(reader->error, STATUS_FORMAT,
                     "%s: tensor \"%.200s\": expected a \"dtype\" such as F32 or F16, found "
                     "\"%.40s\"",
                     reader->header->source, entry->tensor.name, name);
}

static enum status read_shape(struct reader *reader, struct entry *entry)
{
    struct tensor *tensor = &entry->tensor;
    if (!json_scan_take(&reader->scan, '['))
        return bad_tensor(reader, tensor, members[SHAPE].expected, NULL);
    for (; json_scan_more(&reader->scan, ']', tensor->rank); tensor->rank++) {
        if (tensor->rank == TENSOR_RANK_MAX)
            return bad_tensor(reader, tensor, "at most 8 axes in \"shape\"", "more");
        if (!json_scan_size(&reader->scan, &tensor->shape[tensor->rank]))
            return bad_tensor(reader, tensor, "whole numbers in \"shape\"", NULL);
    }
    return scanned(reader);
}

static enum status read_offsets(struct reader *reader, struct entry *entry)
{
    struct json_scan *scan = &reader->scan;
    if (json_scan_take(scan, '[') && json_scan_size(scan, &entry->begin) &&
        json_scan_take(scan, ',') && json_scan_size(scan, &entry->end) && json_scan_take(scan, ']'))
        return STATUS_OK;
    return bad_tensor(reader, &entry->tensor, members[OFFSETS].expected, NULL);
}

static enum status read_member(struct reader *reader, struct entry *entry)
{
    static enum status (*const read[MEMBERS])(struct reader *, struct entry *) = {
        read_type, read_shape, read_offsets};
    if (!json_scan_name(&reader->scan, next_string(reader)))
        return scanned(reader);
    for (size_t i = 0; i < MEMBERS; i++) {
        if (strcmp(next_string(reader), members[i].name) != 0)
            continue;
        if (entry->has[i])
            return bad_tensor(reader, &entry->tensor, members[i].expected, "a second time");
        entry->has[i] = true;
        return read[i](reader, entry);
    }
    json_scan_skip(&reader->scan);
    return scanned(reader);
}

static enum status check_range(const struct reader *reader, struct entry *entry, size_t bytes)
{
    const struct safetensors_header *header = reader->header;
    struct tensor *tensor = &entry->tensor;
    if (entry->begin > entry->end || entry->end > header->data_size)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: tensor \"%.200s\": expected \"data_offsets\" within %zu bytes of "
                         "data, found %zu to %zu; is the file complete?",
                         header->source, tensor->name, header->data_size, entry->begin, entry->end);
    if (entry->end - entry->begin != bytes)
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: tensor \"%.200s\": expected %zu bytes for its \"shape\" and "
                         "\"dtype\", found %zu",
                         header->source, tensor->name, bytes, entry->end - entry->begin);
    tensor->data = header->data + entry->begin;
    tensor->size = bytes;
    return STATUS_OK;
}

static enum status check_entry(const struct reader *reader, struct entry *entry)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (!entry->has[i])
            return bad_tensor(reader, &entry->tensor, members[i].expected, "none");
    size_t bytes = entry->element;
    for (size_t i = 0; i < entry->tensor.rank; i++)
        if (!size_multiply(bytes, entry->tensor.shape[i], &bytes))
            return bad_tensor(reader, &entry->tensor, "a \"shape\" that fits into memory", "more");
    return check_range(reader, entry, bytes);
}

static enum status add_tensor(struct reader *reader, const struct tensor *tensor)
{
    struct safetensors_header *header = reader->header;
    if (header->count == header->room) {
        size_t room = 2 * header->room + 16;
        struct tensor *tensors = realloc(header->tensors, room * sizeof *tensors);
        if (!tensors)
            return error_memory(reader->error, header->source, room * sizeof *tensors);
        header->tensors = tensors;
        header->room = room;
    }
    header->tensors[header->count++] = *tensor;
    return STATUS_OK;
}

static enum status read_tensor(struct reader *reader)
{
    struct entry entry = {
        .tensor = {.name = keep_string(reader), .source = reader->header->source}};
    if (!json_scan_take(&reader->scan, '{'))
        return bad_tensor(reader, &entry.tensor, "an object", NULL);
    for (size_t i = 0; json_scan_more(&reader->scan, '}', i); i++)
        if (read_member(reader, &entry) != STATUS_OK)
            return reader->error->status;
    if (scanned(reader) != STATUS_OK || check_entry(reader, &entry) != STATUS_OK)
        return reader->error->status;
    return add_tensor(reader, &entry.tensor);
}

/* ---- The metadata ------------------------------------------------------------------------- */

/* The format allows nothing but strings, so that a reader needs no more of JSON than this. */
static enum status read_fact(struct reader *reader)
{
    if (!json_scan_name(&reader->scan, next_string(reader)))
        return scanned(reader);
    const char *name = keep_string(reader);
    if (!json_scan_sees(&reader->scan, '"')) {
        char found[FOUND_SIZE];
        return error_set(reader->error, STATUS_FORMAT,
                         "%s: expected a string for \"%.200s\" in \"" METADATA "\", found %s",
                         reader->header->source, name, describe(&reader->scan, found));
    }
    if (json_scan_string(&reader->scan, next_string(reader)))
        keep_string(reader);
    return scanned(reader);
}

static enum status read_metadata(struct reader *reader)
{
    static const char expected[] = "one object of strings for \"" METADATA "\"";
    struct safetensors_header *header = reader->header;
    if (json_scan_sees(&reader->scan, 'n')) {
        json_scan_skip(&reader->scan);
        return scanned(reader);
    }
    if (header->metadata)
        return error_set(reader->error, STATUS_FORMAT, "%s: expected %s, found two", header->source,
                         expected);
    if (!json_scan_take(&reader->scan, '{'))
        return not_json(reader, expected);
    header->metadata = next_string(reader);
    for (size_t i = 0; json_scan_more(&reader->scan, '}', i); i++)
        if (read_fact(reader) != STATUS_OK)
            return reader->error->status;
    header->metadata_end = next_string(reader);
    return scanned(reader);
}

/* ---- The whole ---------------------------------------------------------------------------- */

static enum status read_entry(struct reader *reader)
{
    if (!json_scan_name(&reader->scan, next_string(reader)))
        return scanned(reader);
    return strcmp(next_string(reader), METADATA) == 0 ? read_metadata(reader) : read_tensor(reader);
}

static enum status read_entries(struct reader *reader)
{
    if (!json_scan_take(&reader->scan, '{'))
        return not_json(reader, "a JSON object");
    for (size_t i = 0; json_scan_more(&reader->scan, '}', i); i++)
        if (read_entry(reader) != STATUS_OK)
            return reader->error->status;
    if (scanned(reader) != STATUS_OK)
        return reader->error->status;
    if (json_scan_end(&reader->scan))
        return STATUS_OK;
    return error_set(reader->error, STATUS_FORMAT,
                     "%s: expected one JSON object, found more at byte %zu of the header",
                     reader->header->source, reader->scan.at);
}

enum status safetensors_header_read(struct safetensors_header *header, const char *text,
                                    size_t length, struct error *error)
{
    struct reader reader = {header, {.text = text, .length = length}, error};
    header->strings = malloc(length + 1);
    if (!header->strings)
        return error_memory(error, header->source, length + 1);
    return read_entries(&reader);
}

void safetensors_header_free(struct safetensors_header *header)
{
    free(header->tensors);
    free(header->strings);
}
