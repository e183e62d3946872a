/* lanes.h: loops in the widest vector instructions that the processor has, to see what it can do
 * at most. */
#ifndef HEADLIGHT_BENCH_LANES_H
#define HEADLIGHT_BENCH_LANES_H

#include <stddef.h>

/* The instructions in words: "AVX-512"; static storage. */
const char *lanes_name(void);

/* Reads all of a buffer, whose size is a multiple of 512 bytes on a boundary of 64. What it
 * returns depends on every byte. */
double lanes_read(const unsigned char *bytes, size_t size);

/* Twelve chains of fused multiply-adds, none of which waits for another, that many rounds. */
double lanes_multiply_add(size_t rounds);

/* Floating-point operations of one round; 0 where there is no such loop for the processor. */
size_t lanes_operations(void);

#endif
