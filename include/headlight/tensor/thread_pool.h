/* thread_pool.h: threads that go through one piece of work together.
 *
 * Every thread carries out the same function. Between two waits each takes units of the work, in
 * whatever order they come, so that a thread that the machine holds up holds up no other:
 *
 *     static void halve(const struct pool_thread *thread, void *context)
 *     {
 *         for (size_t row = pool_claim(thread); row < ROWS; row = pool_claim(thread))
 *             …;
 *         pool_barrier(thread); // all rows are halved, for everyone
 *     }
 *     pool_run(pool_size(), halve, &context);
 *
 * There is one pool in a process. Its threads are started when they are first wanted, sleep between
 * two pieces of work and block all signals. */
#pragma once

#include <stddef.h>

#define POOL_MAX 64

struct pool_round;

struct pool_thread {
    struct pool_round *round;
    size_t index, count; /* index 0 is the thread that called pool_run */
};

/* The number of threads for a piece of work: the processors available to this process, or as set
 * by pool_set_size; 1 … POOL_MAX. */
size_t pool_size(void);

/* 0 restores the number of processors. */
void pool_set_size(size_t threads);

/* The number of threads worth waking to read so many weights: below this number the work is done
 * before others are awake. */
#define POOL_WEIGHTS_MIN 400000

static inline size_t pool_size_for(size_t weights)
{
    return weights < POOL_WEIGHTS_MIN ? 1 : pool_size();
}

/* Returns when every thread has returned from `work`. There are at most `threads` of them: only
 * one if the pool is busy with another caller's work, or no thread can be started. */
void pool_run(size_t threads, void (*work)(const struct pool_thread *thread, void *context),
              void *context);

/* The next unit, from 0, that no thread has claimed since the last wait. */
size_t pool_claim(const struct pool_thread *thread);

/* Returns when all threads have called it; units count from 0 again. */
void pool_barrier(const struct pool_thread *thread);
