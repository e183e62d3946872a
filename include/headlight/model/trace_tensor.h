/* trace_tensor.h: the table of a trace's tensors as data (trace.h lists them), and how one
 * tensor of a recorded trace is checked and placed. */
#ifndef HEADLIGHT_MODEL_TRACE_TENSOR_H
#define HEADLIGHT_MODEL_TRACE_TENSOR_H

#include "headlight/model/trace.h"
#include "headlight/tensor/safetensors.h"

enum trace_kind { TRACE_KIND_INTEGERS, TRACE_KIND_NUMBERS, TRACE_KIND_HEADS };

struct trace_entry {
    const char *name;
    const char *axes;
    enum trace_kind kind;
    size_t room;
    size_t offset; /* of the member, in struct layer_trace or in struct trace */
};

#define TRACE_NAME(kind, name, axes, room, there)  TRACE_##name,
#define TRACE_COUNT(kind, name, axes, room, there) +1
enum { TRACE_LAYER_TENSORS(TRACE_NAME) TRACE_LAYER_COUNT };
enum { TRACE_TENSORS_BEFORE(TRACE_NAME) TRACE_TENSORS_AFTER(TRACE_NAME) TRACE_WHOLE_COUNT };
extern const struct trace_entry trace_layer_entries[TRACE_LAYER_COUNT];
extern const struct trace_entry trace_entries[TRACE_WHOLE_COUNT];

/* The size of an axis, and where the trace keeps it (not for "2"); 0: not known. */
size_t trace_axis(const struct trace *trace, char axis);
size_t *trace_axis_member(struct trace *trace, char axis);

/* The longest name of an entry with its layer, with room to spare. */
#define TRACE_NAME_MAX 64

struct trace_reader {
    const struct safetensors *file;
    const char *source;
    struct trace *trace; /* only its sizes are used during the first visit */
    size_t words;        /* of 4 bytes, for numbers that are not used in place */
    uint32_t *next;      /* the next free one, on the second visit */
    struct error *error;
};

/* The first visit: checks the shape against the sizes known so far, learns the others, and adds
 * up the room needed. `member` is not used yet. */
enum status trace_tensor_check(struct trace_reader *reader, const struct trace_entry *entry,
                               const struct tensor *tensor, void *member);

/* The second visit: sets the member of the trace, and checks every number. */
enum status trace_tensor_place(struct trace_reader *reader, const struct trace_entry *entry,
                               const struct tensor *tensor, void *member);

#endif
