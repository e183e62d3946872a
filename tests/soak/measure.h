/* measure.h: bytes that are allocated now. */
#ifndef HEADLIGHT_SOAK_MEASURE_H
#define HEADLIGHT_SOAK_MEASURE_H

#include <stddef.h>

/* 0 where nothing tells. */
size_t measure_allocated(void);

#endif
