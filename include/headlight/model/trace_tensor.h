/* trace_tensor.h: one tensor of a recorded trace: whether it is what it should be, and where its
 * numbers are. trace_read.c knows which tensors there are. */
#ifndef HEADLIGHT_MODEL_TRACE_TENSOR_H
#define HEADLIGHT_MODEL_TRACE_TENSOR_H

#include "headlight/model/trace.h"
#include "headlight/tensor/safetensors.h"

/* A tensor that a trace can have. Its axes are letters of trace.h, or "2" for that many. Those that
 * end in D are a struct heads, those of a T alone integers, the others a pointer to numbers. */
struct trace_entry {
    const char *name;
    const char *axes;
    size_t offset; /* of the member, in struct layer_trace or in struct trace */
};

/* The longest name of an entry with its layer, and more. */
#define TRACE_NAME_MAX 64

struct trace_reader {
    const struct safetensors *file;
    const char *source;
    struct trace *trace; /* of which only the sizes are known while the tensors are checked */
    size_t two;          /* the axis "2" */
    size_t words;        /* of 4 bytes, for the numbers that are not used in place */
    uint32_t *next;      /* the first free one of them, once they are there */
    struct error *error;
};

/* The first visit to each tensor: is it what it should be, and how much room does it need? Checks
 * its shape against the sizes that are known, and learns those that are not. `member` is not used
 * yet. */
enum status trace_tensor_check(struct trace_reader *reader, const struct trace_entry *entry,
                               const struct tensor *tensor, void *member);

/* The second visit: puts it into the member of the trace, and looks at every number. */
enum status trace_tensor_place(struct trace_reader *reader, const struct trace_entry *entry,
                               const struct tensor *tensor, void *member);

#endif
