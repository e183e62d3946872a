/* trace_new.h: traces in memory: of one text, or the parts of a trace of several. */
#pragma once

#include "headlight/model/trace.h"

/* A block in parts, each from the start of a cache line on, which is the widest vector register of
 * current processors too: the same calls first measure it, without memory, and then hand it out. */
#define TRACE_LINE ((size_t)64)
struct trace_block {
    void *memory;  /* at the start of a line; NULL: measured */
    size_t used;   /* bytes */
    double wanted; /* the same but for the ends of lines, which can't overflow */
};

/* The next part, of a·b·c elements; NULL while measuring. */
void *trace_block_part(struct trace_block *block, size_t a, size_t b, size_t c, size_t each);

/* Where the first line begins in memory that has TRACE_LINE bytes more than its parts. */
void *trace_block_line(void *memory);

/* A trace for T tokens, which attend to each other (S = T), and of a decoder to those of its
 * encoder's trace (NULL: there is none), in one block, whose numbers a pass writes: free with
 * free(). It has room for the configuration's tensors and for the heads in `outputs`
 * [OUTPUT_COUNT], NULL for none; `scratch` is the working space in floats. STATUS_LIMIT when the
 * size overflows or exceeds the free memory, STATUS_MEMORY when allocation fails all the same; both
 * give the size. */
enum status trace_new(const struct config *config, size_t tokens, const struct trace *memory,
                      const bool *outputs, size_t scratch, struct trace **trace,
                      struct error *error);

/* How much a pass is over, and the tensors of its trace hold, which has the rows of several texts,
 * one after the other: of each text its own pairs of tokens, and its own outputs where they aren't
 * rows. */
struct trace_extent {
    size_t texts, rows, longest;       /* rows: of all texts, and of the longest; */
    size_t attended, longest_attended; /* of decoders' texts the same of what they attend to */
    size_t pairs, cross_pairs;         /* T·T and T·S of every text; SIZE_MAX on overflow */
    bool one_layer;                    /* every layer's tensors lie in the same memory */
};

/* Adds a text. */
void trace_extend(struct trace_extent *extent, size_t tokens, size_t attended);

/* Lays out the tensors of a trace that has its sizes, in parts of a block. */
void trace_lay_out(struct trace *trace, const struct config *config, const bool *outputs,
                   const struct trace_extent *extent, struct trace_block *parts);

/* STATUS_LIMIT if there isn't that much memory for so many tokens beside the weights, all of which
 * a pass reads. */
enum status trace_check_memory(const struct config *config, size_t tokens, double bytes,
                               struct error *error);

/* A text's own trace, in the memory of that of all, behind those that were before it; it has its
 * distances and an array [L] for its layers already, and so has that of a decoder's other
 * attention. */
void trace_take_part(const struct trace *all, const struct trace_extent *before, size_t tokens,
                     size_t attended, struct trace *part);
