/* head_mask.h: a set of heads of one layer as a bit mask: bit h is head h. */
#ifndef HEADLIGHT_MODEL_HEAD_MASK_H
#define HEADLIGHT_MODEL_HEAD_MASK_H

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of `count` heads, at most 64. */
static inline uint64_t head_mask_all(size_t count)
{
    return count > 0 ? UINT64_MAX >> (64 - count) : 0;
}

/* One head alone. */
static inline uint64_t head_mask_of(size_t head)
{
    return UINT64_C(1) << head;
}

static inline bool head_mask_has(uint64_t mask, size_t head)
{
    return mask >> head & 1;
}

/* The mask with that head flipped. */
static inline uint64_t head_mask_toggle(uint64_t mask, size_t head)
{
    return mask ^ head_mask_of(head);
}

static inline size_t head_mask_count(uint64_t mask)
{
    return (size_t)__builtin_popcountll(mask);
}

/* The lowest head of a mask that isn't empty. */
static inline size_t head_mask_first(uint64_t mask)
{
    return (size_t)__builtin_ctzll(mask);
}

/* Reads a list such as "0,2,5-7", "all" or "none" for a layer of `count` heads. STATUS_USAGE, with
 * the option --heads in the message. */
enum status head_mask_read(const char *list, size_t count, uint64_t *mask, struct error *error);

/* Writes such a list, cut to `size` bytes. */
void head_mask_write(uint64_t mask, size_t count, char *list, size_t size);

#endif
