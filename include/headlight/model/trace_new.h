/* trace_new.h: traces in memory: of one text, or the parts of a trace of several. */
#ifndef HEADLIGHT_MODEL_TRACE_NEW_H
#define HEADLIGHT_MODEL_TRACE_NEW_H

#include "headlight/model/trace.h"

/* A trace for T tokens, which attend to each other (S = T), and of a decoder to those of its
 * encoder's trace (NULL: there is none), in one block, whose numbers a pass writes: free with
 * free(). It has room for the configuration's tensors and for the heads in `outputs`
 * [OUTPUT_COUNT], NULL for none; `scratch` is the working space in floats. STATUS_LIMIT when the
 * size overflows or exceeds the free memory, STATUS_MEMORY when allocation fails all the same; both
 * give the size. */
enum status trace_new(const struct config *config, size_t tokens, const struct trace *memory,
                      const bool *outputs, size_t scratch, struct trace **trace,
                      struct error *error);

/* How much the tensors of a trace hold that has the rows of several texts, one after the other: of
 * each text its own pairs of tokens, and its own outputs where they aren't rows. */
struct trace_extent {
    size_t texts;
    size_t pairs[2];                 /* their product: T·T of every text; */
    size_t attended, cross_pairs[2]; /* of decoders' texts the tokens of their encoder's, and T·S */
    bool one_layer;                  /* every layer's tensors lie in the same memory */
};

/* The memory of a trace in bytes, whose sum, `wanted`, can't overflow. */
struct trace_size {
    size_t bytes;
    double wanted;
};

/* Lays out the tensors of a trace that has its sizes, in memory of so many bytes that is aligned to
 * a cache line; NULL: they are only counted. */
struct trace_size trace_lay_out(struct trace *trace, const struct config *config,
                                const bool *outputs, const struct trace_extent *extent,
                                unsigned char *memory);

/* STATUS_LIMIT if there isn't that much memory for so many tokens beside the weights, all of which
 * a pass reads. */
enum status trace_check_memory(const struct config *config, size_t tokens, double bytes,
                               struct error *error);

/* The place of a text in a trace of several. */
struct trace_offset {
    size_t text, tokens;
    size_t first, pairs;                          /* rows, and pairs of tokens, before it */
    size_t attended, first_attended, cross_pairs; /* the same of a decoder's to its encoder's */
};

/* A text's own trace, in the memory of that of all; it has its distances and an array [L] for its
 * layers already, and so has that of a decoder's other attention. */
void trace_take_part(const struct trace *all, const struct trace_offset *at, struct trace *part);

#endif
