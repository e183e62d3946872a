/* head_mask.h: a set of heads of one layer as a bit mask: bit h is head h. */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* 128 heads, as the largest models have. Where the compiler has no integer of that size, a process
 * has no room for a model of more than 64. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 head_mask;
#else
typedef uint64_t head_mask;
#endif
#define HEAD_MASK_MAX (8 * sizeof(head_mask))

/* All of `count` heads, at most HEAD_MASK_MAX. */
static inline head_mask head_mask_all(size_t count)
{
    return count > 0 ? ~(head_mask)0 >> (HEAD_MASK_MAX - count) : 0;
}

/* One head alone. */
static inline head_mask head_mask_of(size_t head)
{
    return (head_mask)1 << head;
}

static inline bool head_mask_has(head_mask mask, size_t head)
{
    return mask >> head & 1;
}

static inline size_t head_mask_count(head_mask mask)
{
    size_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* The lowest head of a mask that isn't empty. */
static inline size_t head_mask_first(head_mask mask)
{
    size_t head = 0;
    while (!head_mask_has(mask, head))
        head++;
    return head;
}

/* Reads a list such as "0,2,5-7", "all" or "none" for a layer of `count` heads. STATUS_USAGE, with
 * the field heads in the message. */
enum status head_mask_read(const char *list, size_t count, head_mask *mask, struct error *error);

/* Writes such a list, cut to `size` bytes; HEAD_MASK_LIST hold any. */
#define HEAD_MASK_LIST 256
void head_mask_write(head_mask mask, size_t count, char *list, size_t size);
