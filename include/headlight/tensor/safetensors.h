/* safetensors.h: the tensors of one file, checked, where they lie in memory.
 *
 * Source: https://github.com/huggingface/safetensors#format
 *
 *     8 bytes            N, the length of the header, little-endian
 *     N bytes            JSON: {"name": {"dtype": "F32", "shape": [2,3],
 *                        "data_offsets": [0,24]}, …}
 *     the rest           the data; offsets count from its first byte
 *
 * A header may have JSON_BYTES_MAX bytes. The format allows 100 MB; but a tensor takes some 150, so
 * that is room for 27,000 where a BERT of 128 layers has 2,100, and what headlight records (1,400
 * tensors, texts of 128 kB and their tokens, escaped) stays below 3 MB.
 *
 * The header's member "__metadata__", if there is one, holds strings under names of any kind.
 */
#pragma once

#include "headlight/base/format.h"
#include "headlight/base/mapping.h"

enum tensor_type {
    TENSOR_F32,
    TENSOR_F16,
    TENSOR_BF16,
    TENSOR_OTHER, /* valid, but, as all behind it, not a type of weights */
    TENSOR_F64,
    TENSOR_I64,
    TENSOR_I32,
    TENSOR_U8,
};

#define TENSOR_RANK_MAX 8

/* `name`, `type_name` and `source` belong to the struct safetensors, `data` to its memory. */
struct tensor {
    const char *name;
    const char *source;    /* its file, for messages */
    const char *type_name; /* "F32", "I64", … */
    enum tensor_type type;
    size_t rank;
    size_t shape[TENSOR_RANK_MAX];
    const unsigned char *data; /* little-endian, not always aligned */
    size_t size;               /* bytes */
};

/* "SOURCE: tensor "NAME": …"; returns the status. */
enum status tensor_refuse(const struct tensor *tensor, enum status status, struct error *error,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/* STATUS_MISMATCH unless it has that shape, STATUS_UNSUPPORTED unless its numbers can be read. */
enum status tensor_expect(const struct tensor *tensor, const size_t *shape, size_t rank,
                          struct error *error);

/* The tensors are sorted by name. `source` is the file's, for messages. */
struct safetensors {
    char *source;
    const unsigned char *bytes; /* all of it */
    size_t size;
    size_t count;
    struct tensor *tensors;
    struct mapping mapping; /* closed if the bytes are the caller's */

    /* Its own. */
    struct cJSON *header;
    const struct cJSON *metadata; /* in the header, or NULL */
    const unsigned char *data;
    size_t data_size;
    struct safetensors_buffer *buffers;
};

/* Checks the whole header: accepted tensors lie within the memory and don't overlap.
 * STATUS_FORMAT says where it is wrong. The memory must outlive *file. Free with
 * safetensors_free. */
enum status safetensors_parse(const void *bytes, size_t size, const char *source,
                              struct safetensors **file, struct error *error);

/* The same of a file, which is mapped as long as *file lives; errors also as mapping_open. */
enum status safetensors_open(const char *path, struct safetensors **file, struct error *error);

/* Memory that lives as long as the file, for so many numbers that are made of its own; NULL and
 * STATUS_MEMORY. */
void *safetensors_buffer(struct safetensors *file, size_t count, size_t each, struct error *error);

/* Accepts NULL. */
void safetensors_free(struct safetensors *file);

/* By its exact name, or NULL. */
const struct tensor *safetensors_find(const struct safetensors *file, const char *name);

/* The metadata's text of that name, or NULL; not necessarily UTF-8. Lives as long as the struct
 * safetensors. */
const char *safetensors_metadata(const struct safetensors *file, const char *name);

/* ---- Writing ---- */

/* A header under construction, in memory, as its length stands before it:
 *
 *     safetensors_begin(&header);
 *     safetensors_add_text(&header, "model", "bert");              all metadata,
 *     safetensors_add_tensor(&header, "ids", "I64", &count, 1);    then all tensors
 *     safetensors_end(&header, stream, &error);
 *     fwrite(ids, sizeof *ids, count, stream);                     their data, in this order */
struct safetensors_header {
    struct buffer buffer; /* its stream is NULL without memory */
    size_t texts, tensors;
    size_t bytes; /* of the tensors' data so far */
};

/* It must not be moved. */
void safetensors_begin(struct safetensors_header *header);

/* Without a value nothing is added. */
void safetensors_add_text(struct safetensors_header *header, const char *name, const char *value);

/* `type` is one of the format's. The product of the shape fits. */
void safetensors_add_tensor(struct safetensors_header *header, const char *name, const char *type,
                            const size_t *shape, size_t rank);

/* Writes it with its length, so that the data begin at a multiple of 8 bytes; or, with a `stream`
 * of NULL, only frees it. STATUS_MEMORY when something is missing in it. */
enum status safetensors_end(struct safetensors_header *header, FILE *stream, struct error *error);
