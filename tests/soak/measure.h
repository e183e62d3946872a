/* measure.h: bytes that are allocated now. */
#pragma once

#include <stddef.h>

/* 0 where nothing tells. */
size_t measure_allocated(void);

/* How much more it may be, later, of a program that keeps nothing. A sanitizer counts every byte
 * (stdio may hold some); the C library counts freed ones too that a thread keeps for reuse, seven
 * of each of 64 sizes. */
size_t measure_slack(void);
