/* shapes.h: the encoders that are measured: the built-in one, and others of the sizes of known ones
 * with random weights, written in the hub's layout. */
#ifndef HEADLIGHT_BENCH_SHAPES_H
#define HEADLIGHT_BENCH_SHAPES_H

#include <stdbool.h>
#include <stddef.h>

/* Letters as in config.h. */
struct bench_shape {
    const char *name, *type; /* type: of its family, "bert" */
    size_t layers, hidden, heads, feed_forward, vocabulary, positions; /* L H A F V */
    size_t number_bytes;  /* of a weight in the file: 4 for F32, 2 for F16 */
    bool built_in;        /* it has its pretraining heads; the others are encoders alone */
    bool whole_processes; /* are measured */
    bool when_named;      /* only: a like shape is measured anyway */
};

#define SHAPES_COUNT 7
extern const struct bench_shape shapes[SHAPES_COUNT];

/* Numbers in the matrices that a forward pass multiplies with. */
double shape_weights(const struct bench_shape *shape);

/* Their bytes in the file: what a pass has to read at least. */
double shape_bytes(const struct bench_shape *shape);

/* Floating-point operations of a pass over T tokens: two for each multiply-add of all products,
 * those of attention too. */
double shape_work(const struct bench_shape *shape, size_t tokens);

#endif
