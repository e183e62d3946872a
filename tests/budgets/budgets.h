/* budgets.h: what reading costs, counted and not timed: instructions (by callgrind, `make budgets`)
 * and the most memory at once, for inputs of a size and of eight times that size. */
#pragma once

#include "fuzz/fuzz.h"

/* An input that is made anew for each size. */
struct input {
    char *bytes;
    size_t size, room;
};

/* A kind of input: `each` is repeated between `front` and `back` until there are enough bytes. What
 * stands for numbers of the repetition i: # i, $ 4i, % 4i + 4, and from 1 up, each its own: ^ & ~
 */
struct budget {
    const char *kind;
    fuzz_target *work;
    const char *front, *each, *back;
    void (*finish)(struct input *input, size_t repetitions); /* a last touch, or NULL */
    size_t size;                                             /* bytes; 0: SIZE */
    double instructions, memory; /* the most for each byte of the larger input: some twice what it
                                    takes, and what it takes with -O0 */
};

/* All rows; the last one's kind is NULL. */
extern const struct budget budgets[];

void input_make(struct input *input, const struct budget *budget, size_t size);
