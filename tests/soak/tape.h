/* tape.h: random recordings: attention between two texts of their own, of any shape. */
#pragma once

#include "headlight/base/error.h"
#include "soak/chance.h"

/* The bytes of a safetensors file as recording.h reads it; free with free(). NULL without memory.
 */
unsigned char *tape_record(struct chance *chance, size_t *size);
