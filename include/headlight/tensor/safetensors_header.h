/* safetensors_header.h: the JSON header of a safetensors file, read in one pass. */
#ifndef HEADLIGHT_TENSOR_SAFETENSORS_HEADER_H
#define HEADLIGHT_TENSOR_SAFETENSORS_HEADER_H

#include "headlight/tensor/safetensors.h"

/* All names, and the metadata, lie in `strings`, which has room for the whole header: no string is
 * longer than it is there, with its quotes. */
struct safetensors_header {
    const char *source; /* the caller's, as long as the tensors live */
    const unsigned char *data;
    size_t data_size;
    char *strings;
    size_t used;
    const char *metadata, *metadata_end; /* name, value, name, value … each with its NUL; or NULL */
    size_t count, room;
    struct tensor *tensors; /* in the header's order; names may be there twice */
};

/* Reads the tensors and the metadata into a struct whose first three members are set and whose
 * others are zero. Each tensor lies within the data and has the size of its shape. STATUS_FORMAT
 * says what was expected, and at which byte; STATUS_MEMORY. Free it in any case. */
enum status safetensors_header_read(struct safetensors_header *header, const char *text,
                                    size_t length, struct error *error);

void safetensors_header_free(struct safetensors_header *header);

#endif
